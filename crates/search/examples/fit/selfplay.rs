//! Games of the engine against itself.
//!
//! An opening is some random moves, mostly few. A game is played from it if none has begun there before and, where the
//! model asks for that, neither side is far ahead; the engine plays with so many nodes a move, in each game from two thirds
//! to four thirds of the number asked for. Of its positions those are kept in which nothing is settled, and beside each,
//! where the search ends more often than games lead, one a move aside: `game|fen|score|result`, the score in hundredths for
//! the side to move, `win` or `loss` if the search has decided it, and the result 1 for a win of the first side, 0 for one
//! of the second, 0.5 for a draw, `?` aside.

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

/// What games to play.
pub(crate) struct Plan {
    pub seed: u64,
    pub count: u64,
    /// For a move, more or less.
    pub nodes: u64,
    /// More random moves than any game begins with besides those that all do.
    pub random_plies: u32,
    /// The largest estimate, in hundredths, of a position that a game is played from.
    pub balanced: Option<i32>,
}

/// A position worth keeping.
pub(crate) struct Kept<G> {
    pub position: G,
    /// For the side to move.
    pub score: Score,
    /// Whether it was part of the game.
    pub on_line: bool,
}

/// Prints a line for each position kept.
pub(crate) fn print<M: Model>(plan: &Plan) -> Result<(), Error> {
    let mut out = stdout().lock();
    play(plan, M::opening, |game, kept: Kept<M::Position>, winner| {
        let score = match kept.score {
            Score::Cp(score) => score.to_string(),
            Score::Win(_) => "win".into(),
            Score::Loss(_) => "loss".into(),
            Score::Draw(_) => return Ok(()),
        };
        let result = match winner {
            _ if !kept.on_line => "?",
            Some(Side::First) => "1",
            Some(Side::Second) => "0",
            None => "0.5",
        };
        Ok(writeln!(out, "{game}|{}|{score}|{result}", kept.position.fen())?)
    })
}

/// Hands on each position kept, with the number of its game and with the winner.
pub(crate) fn play<G: Evaluate>(
    plan: &Plan,
    mut opening: impl FnMut(&mut Pcg64) -> Result<G, Error>,
    mut f: impl FnMut(u64, Kept<G>, Option<Side>) -> Result<(), Error>,
) -> Result<(), Error> {
    let Plan { seed, count, nodes, random_plies, balanced } = *plan;
    eprintln!("{count} games, {nodes} nodes a move, seed {seed}");
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut engine: Searcher<G> = Searcher::new(&Options::defaults(OPTIONS), "")?;
    let mut begun = HashSet::new();
    for game in 0..count {
        engine.new_game();
        let mut position = opening(&mut rng)?;
        let plies = FEWEST_PLIES + rng.random_range(0..random_plies).min(rng.random_range(0..random_plies));
        for _ in 0..plies {
            if position.outcome().is_none() {
                position = play_any(&position, &position.legal_moves(), &mut rng);
            }
        }
        let limits =
            Limits { nodes: Some(nodes * 2 / 3 + rng.random_range(0..=nodes * 2 / 3)), ..Limits::default() };
        if position.outcome().is_some() || !begun.insert(position.key()) {
            continue;
        }
        if let Some(most) = balanced {
            let (_, score) = search(&mut engine, &position, &limits)?;
            if !matches!(score, Some(Score::Cp(score)) if score.abs() <= most) {
                continue;
            }
        }
        let mut kept = Vec::new();
        while position.outcome().is_none() {
            let (m, score) = search(&mut engine, &position, &limits)?;
            keep(&position, score, true, &mut kept);
            let aside = aside(&position, &mut rng);
            if aside.outcome().is_none() {
                let (_, score) = search(&mut engine, &aside, &limits)?;
                keep(&aside, score, false, &mut kept);
            }
            position.play_unchecked(m);
        }
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        for kept in kept {
            f(game, kept, winner)?;
        }
    }
    Ok(())
}

/// The move that a search of an unfinished position ends with, and its score, if it had to search for one.
fn search<G: Evaluate>(
    engine: &mut Searcher<G>,
    position: &G,
    limits: &Limits<G::Move>,
) -> Result<(G::Move, Option<Score>), Error> {
    let last = Mutex::new(None);
    let keep_score = control(|| false, |report| *last.lock().expect("no search panics") = Some(report.score));
    let m = engine.think(&Record::new(position.clone()), limits, &keep_score).ok_or("no move")?;
    let score = *last.lock().expect("no search panics");
    Ok((m, score))
}

/// Keeps a position with its score, unless the moves that its mover has to choose from are given.
fn keep<G: Evaluate>(position: &G, score: Option<Score>, on_line: bool, kept: &mut Vec<Kept<G>>) {
    if let Some(score) = score
        && !matches!(score, Score::Draw(_))
        && matches!(position.tactics(|_| {}), Tactics::Open)
    {
        kept.push(Kept { position: position.clone(), score, on_line });
    }
}

/// What a random move makes of an unfinished position: three times in four one of up to 20 or so that look promising, as the
/// search tries them, where the game can tell.
fn aside<G: Evaluate>(position: &G, rng: &mut Pcg64) -> G {
    let most = if rng.random_range(0..4) == 0 { usize::MAX } else { rng.random_range(1..=20) };
    let mut moves = Vec::new();
    position.candidates(0, most, |m| moves.push(m));
    play_any(position, &moves, rng)
}

/// What one of these moves makes of a position.
fn play_any<G: Game>(position: &G, moves: &[G::Move], rng: &mut Pcg64) -> G {
    position.play(moves[(rng.next_u64() % moves.len() as u64) as usize])
}
