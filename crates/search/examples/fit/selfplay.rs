//! Games of the engine against itself.
//!
//! A game begins with some random moves, mostly few, no two where another has begun; after that the engine plays with so
//! many nodes a move, in each game from two thirds to four thirds of the number asked for. Of the first
//! positions after the random moves those are kept in which nothing is settled: `game|fen|score|result`, the score in
//! hundredths for the side to move and the result 1 for a win of the first side, 0 for one of the second, 0.5 for a draw.
//! Where a model asks for it, positions a move aside are judged too, without a result (`?`), and those that the search has
//! decided are kept, with `win` or `loss` for a score.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::sync::Mutex;

use game::{Agent, Evaluate, Game, Limits, Notation, Options, Record, Score, Side, Tactics, control};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use search::{OPTIONS, Searcher};

use crate::{Error, Model};

/// Random moves that every game begins with: with fewer, there are too few different games.
const FEWEST_PLIES: u32 = 4;

pub(crate) fn play<M: Model>(seed: u64, count: u64, nodes: u64) -> Result<(), Error> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut engine: Searcher<M::Position> = Searcher::new(&Options::defaults(OPTIONS), "")?;
    let mut out = stdout().lock();
    let mut begun = HashSet::new();
    for game in 0..count {
        engine.new_game();
        let mut position = M::opening(&mut rng)?;
        let plies =
            FEWEST_PLIES + rng.random_range(0..M::RANDOM_PLIES).min(rng.random_range(0..M::RANDOM_PLIES));
        for _ in 0..plies {
            if position.outcome().is_none() {
                position = random_move(&position, &mut rng);
            }
        }
        let limits =
            Limits { nodes: Some(nodes * 2 / 3 + rng.random_range(0..=nodes * 2 / 3)), ..Limits::default() };
        if !begun.insert(position.key()) {
            continue;
        }
        let mut kept = Vec::new();
        while position.outcome().is_none() {
            let m = keep::<M>(&mut engine, &position, &limits, true, &mut kept)?;
            if M::ASIDE {
                let aside = aside(&position, &mut rng);
                if aside.outcome().is_none() {
                    keep::<M>(&mut engine, &aside, &limits, false, &mut kept)?;
                }
            }
            position.play_unchecked(m);
        }
        let result = match position.outcome().and_then(|outcome| outcome.winner) {
            Some(Side::First) => "1",
            Some(Side::Second) => "0",
            None => "0.5",
        };
        for (fen, score, on_line) in kept {
            writeln!(out, "{game}|{fen}|{score}|{}", if on_line { result } else { "?" })?;
        }
    }
    Ok(())
}

/// A position worth keeping: its text, its score, and whether it was part of the game.
type Kept = (String, String, bool);

/// Searches an unfinished position, gives the move and keeps what was learnt.
fn keep<M: Model>(
    engine: &mut Searcher<M::Position>,
    position: &M::Position,
    limits: &Limits<<M::Position as Game>::Move>,
    on_line: bool,
    kept: &mut Vec<Kept>,
) -> Result<<M::Position as Game>::Move, Error> {
    let last = Mutex::new(None);
    let keep_score = control(|| false, |report| *last.lock().expect("no search panics") = Some(report.score));
    let m = engine.think(&Record::new(position.clone()), limits, &keep_score).ok_or("no move")?;
    let score = match *last.lock().expect("no search panics") {
        Some(Score::Cp(score)) => Some(score.to_string()),
        Some(Score::Win(_)) if M::ASIDE => Some("win".into()),
        Some(Score::Loss(_)) if M::ASIDE => Some("loss".into()),
        _ => None,
    };
    if let (Tactics::Open, Some(score)) = (position.tactics(|_| {}), score)
        && kept.len() < M::KEPT
    {
        kept.push((position.fen(), score, on_line));
    }
    Ok(m)
}

/// What a random move makes of an unfinished position: three times in four one of up to 20 or so that look promising, as the
/// search tries them, where the game can tell.
fn aside<G: Evaluate>(position: &G, rng: &mut Pcg64) -> G {
    let most = if rng.random_range(0..4) == 0 { usize::MAX } else { rng.random_range(1..=20) };
    let mut moves = Vec::new();
    position.candidates(0, most, |m| moves.push(m));
    position.play(moves[(rng.next_u64() % moves.len() as u64) as usize])
}

fn random_move<G: Game>(position: &G, rng: &mut Pcg64) -> G {
    let moves = position.legal_moves();
    position.play(moves[(rng.next_u64() % moves.len() as u64) as usize])
}
