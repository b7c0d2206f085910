//! Whatever the level, a win that a position sees at once is played; and nothing is, where the game is over.

use andantino::Andantino;
use colosseum::Colosseum;
use game::{Agent, Family, Limits, Playable, Record, Tactics, Visitor};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use search::Searcher;
use simplexity::Simplexity;
use xrudder::XRudder;

use crate::oracle::*;

/// Plays at random from a position and counts the wins that were there, each of which every level must play.
struct Wins;

impl Visitor for Wins {
    type Output = usize;

    fn visit<G: Playable>(self, start: G) -> usize {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut levels: Vec<Searcher<G>> = (1..=9).map(|level| searcher(level, random.random())).collect();
        let mut seen = 0;
        for _ in 0..40 {
            let mut position = start.clone();
            while position.outcome().is_none() {
                if let Tactics::Win(_) = position.tactics(|_| ()) {
                    seen += 1;
                    for searcher in &mut levels {
                        let record = Record::new(position.clone());
                        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
                        let quiet = game::control(|| false, |_| ());
                        let m = searcher.think(&record, &limits, &quiet).expect("a move");
                        let outcome = position.play(m).outcome();
                        let winner = outcome.and_then(|outcome| outcome.winner);
                        assert_eq!(winner, Some(position.side_to_move()), "{m:?} in {}", position.fen());
                    }
                    break;
                }
                let moves = position.legal_moves();
                position.play_unchecked(moves[random.random_range(0..moves.len())]);
            }
        }
        seen
    }
}

fn searcher<G: Playable>(level: u32, seed: u32) -> Searcher<G> {
    searcher_of(&[("Hash", "1"), ("Level", &level.to_string()), ("Seed", &seed.to_string())])
}

fn wins<F: Family>(fen: &str) -> usize {
    F::load(fen, Wins).expect("a good position")
}

#[test]
fn every_level_plays_a_win_at_once() {
    let seen = [
        wins::<Simplexity>("7/7/7/7/7/7 w 10,11,10,11 4"),
        wins::<XRudder>("5/5/1xox1/2o2/5 x 6 6 9"),
        wins::<Colosseum>("8/1r3d2/7d/2r5/d3r3/2d5/5r2/8 h1 a8 a"),
        wins::<Andantino>("5/6/7/8/3bb4/4w3/7/6/5 w"),
    ];
    assert!(seen.iter().all(|&seen| seen >= 5), "{seen:?}");
}

/// What the full strength plays in a position.
struct Move;

impl Visitor for Move {
    type Output = bool;

    fn visit<G: Playable>(self, position: G) -> bool {
        let quiet = game::control(|| false, |_| ());
        searcher::<G>(10, 0).think(&Record::new(position), &Limits::default(), &quiet).is_some()
    }
}

#[test]
fn finished_positions_of_any_game_have_no_move() {
    for moves in [
        Simplexity::load("7/7/7/7/RRR4/wwww3 r 6,11,10,8 4", Move),
        XRudder::load("x1x/1x1/x1x o 9 9 9", Move),
        Colosseum::load("3/ddd/3 a1 a3 a", Move),
        Andantino::load("ww1/ww2/bbbbb/4/3 w", Move),
    ] {
        assert!(!moves.expect("a good position"));
    }
}
