//! Makes Andantino's book from a proof that Black wins from the start of the usual board:
//!
//! ```text
//! cargo run --release -p search --example book -- docs/proofs/andantino/start.proof crates/andantino/book/black.bin
//! ```
//!
//! Whatever White plays, Black plays the proof's move until a search of [`NODES`] nodes, with an empty table of 1 MiB,
//! proves the win in each of the position's images, as what such a search sees depends on how the board lies. The moves
//! played are the book.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use andantino::{Cell, Position, book};
use game::{Agent, Game, Limits, Notation, Options, Record, Score, control};
use search::{OPTIONS, Searcher};

/// Nodes of a search that needs no book.
const NODES: u64 = 20_000;

/// The usual board.
type Board = Position<21>;

const START: &str = "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w";
/// The last line before the moves of the proof.
const CLAIM: &[u8] = b"\nclaim p2 win\n";

/// The position that stands for this one and its images while these are counted as one.
fn folded(position: &Board) -> u64 {
    position.folded().map_or(position.key(), |folded| folded.key())
}

/// The moves of a proof, by the names of their positions, and how many bytes are left.
fn moves_of(start: &Board, mut bytes: &[u8]) -> (HashMap<u64, Cell>, usize) {
    let mut moves = HashMap::new();
    book::walk(start, folded, |position| {
        let end = bytes.iter().position(|&byte| byte < 0x80)?;
        let (digits, rest) = bytes.split_at(end + 1);
        bytes = rest;
        let place = digits.iter().rev().fold(0, |place, digit| place << 7 | usize::from(digit & 0x7f));
        let m = *position.legal_moves().get(place)?;
        moves.insert(folded(position), m);
        Some(m)
    });
    (moves, bytes.len())
}

/// Whether a search proves the win however the board lies.
fn is_proven(searcher: &mut Searcher<Board>, position: &Board) -> bool {
    Board::IMAGES.into_iter().all(|(turns, is_mirrored)| {
        let won = AtomicBool::new(false);
        let control =
            control(|| won.load(Relaxed), |report| won.store(matches!(report.score, Score::Win(_)), Relaxed));
        Agent::<Board>::new_game(searcher);
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        searcher.think(&Record::new(position.image(turns, is_mirrored)), &limits, &control);
        won.load(Relaxed)
    })
}

fn run(proof: &str, output: &str) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(proof)?;
    let claim = bytes.windows(CLAIM.len()).position(|window| window == CLAIM);
    let claim = claim.ok_or("the proof doesn't claim that the second player wins")?;
    let start = Board::from_fen(START)?;
    let (moves, left) = moves_of(&start, &bytes[claim + CLAIM.len()..]);
    if left > 0 {
        return Err(format!("{left} bytes are left, expected a proof for {START}").into());
    }

    let mut options = Options::defaults(OPTIONS);
    options.set("Hash", "1")?;
    options.set("OwnBook", "false")?;
    let mut searcher = Searcher::new(&options, "")?;
    let (mut entries, mut proven, mut missing) = (Vec::new(), 0, None);
    book::walk(&start, book::key, |position| {
        if is_proven(&mut searcher, position) {
            proven += 1;
            return None;
        }
        let m = moves.get(&folded(position)).copied();
        match m {
            Some(m) => entries.push(book::entry(position, m)),
            None => missing = Some(position.fen()),
        }
        m
    });
    if let Some(fen) = missing {
        return Err(format!("the proof has no move in {fen}").into());
    }
    entries.sort_unstable();
    fs::write(output, entries.as_flattened())?;
    println!("{} moves, {proven} positions where they end", entries.len());
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [proof, output] = &args[..] else {
        eprintln!("expected a proof and the file to write");
        return ExitCode::FAILURE;
    };
    match run(proof, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{proof}: {error}");
            ExitCode::FAILURE
        }
    }
}
