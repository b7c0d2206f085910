//! A battery of checks that every game must pass, whatever its rules. All of them panic at the first fault, for tests.

use std::fmt::Debug;
use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::perft;
use crate::{BoardStyle, Game, Level, MoveError, Outcome, Playable, Tactics};

/// What texts are damaged with: pieces, numbers and separators of our games, and what none of them has.
const STRANGE: &[u8] = b"/ ,-0123456789wWrRoxXaAbB\t\x7f";

/// Plays `games` random games from each of `starts` and checks every position on the way: generator against
/// [`Game::is_legal`], keys, text forms, outcomes, counts and bounds. The same `seed` gives the same games.
pub fn check<G: Playable>(starts: &[G], games: usize, seed: u64) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let sees_more = |low: &Level, high: &Level| {
        let errs_less =
            low.error > high.error && low.overlooked >= high.overlooked && low.missed >= high.missed;
        low.nodes < high.nodes && errs_less
    };
    assert!(G::LEVELS.is_sorted_by(sees_more), "a level sees no more than the one below");
    for start in starts {
        check_counts(start);
        for _ in 0..games {
            random_game(start, &mut rng, |position, rng| {
                check_moves(position);
                check_texts(position);
                check_foreign_texts(position, rng);
                check_values(position);
                for m in position.legal_moves() {
                    check_step(position, m);
                }
            });
        }
    }
}

/// Checks along random games that a symmetry of the board is one of the game: `image` maps positions, `image_of` the
/// moves of a position. `seed` fixes the games.
pub fn check_symmetry<G: Playable>(
    start: &G,
    games: usize,
    seed: u64,
    image: impl Fn(&G) -> G,
    image_of: impl Fn(&G, G::Move) -> G::Move,
) {
    let mut rng = Pcg64::seed_from_u64(seed);
    for _ in 0..games {
        random_game(start, &mut rng, |position, _| {
            let other = image(position);
            assert_eq!(other.outcome(), position.outcome(), "outcome of the image of {}", position.fen());
            assert_eq!(
                other.count_moves(),
                position.count_moves(),
                "moves of the image of {}",
                position.fen()
            );
            if position.outcome().is_none() {
                assert_eq!(other.evaluate(), position.evaluate(), "value of the image of {}", position.fen());
            }
            for m in position.legal_moves() {
                let there = other.try_play(image_of(position, m));
                assert_eq!(there, Some(image(&position.play(m))), "image of {m:?} in {}", position.fen());
            }
        });
    }
}

/// What [`check_tactics`] has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled<M> {
    /// What the position says.
    pub tactics: Tactics<M>,
    /// The replies it hands out.
    pub replies: Vec<M>,
    /// Whether a move wins at once.
    pub wins: bool,
    /// Whether every move loses to the next one; only told where a reply is forced.
    pub is_hopeless: bool,
}

/// Checks that what [`Evaluate::tactics`](crate::Evaluate::tactics) says of an unfinished position is exact, by playing every
/// move, and where a reply is forced every answer to each.
pub fn check_tactics<G: Playable>(position: &G) -> Settled<G::Move> {
    let fen = position.fen();
    let side = position.side_to_move();
    let wins = |position: &G, m: G::Move| {
        position.play(m).outcome().is_some_and(|outcome| outcome.winner == Some(position.side_to_move()))
    };
    let moves = position.legal_moves();
    let mut replies = Vec::new();
    let tactics = position.tactics(|m| replies.push(m));
    let wins_at_once = moves.iter().any(|&m| wins(position, m));
    assert!(!wins_at_once || position.can_win(side), "{side:?} wins at once in {fen}");
    let mut found = Settled { tactics, replies, wins: wins_at_once, is_hopeless: false };
    assert_eq!(
        found.replies.is_empty(),
        tactics != Tactics::Forced,
        "replies, and whether there are any, in {fen}"
    );
    match tactics {
        Tactics::Open => {}
        Tactics::Win(m) => assert!(moves.contains(&m) && wins(position, m), "{m:?} does not win in {fen}"),
        Tactics::Forced => {
            assert!(!found.wins, "a win was missed in {fen}");
            let list = &found.replies;
            let goes_on = |m: &G::Move| {
                let outcome = position.play(*m).outcome();
                outcome.is_none_or(|outcome| outcome.winner.is_none())
            };
            // None loses sooner than every move does.
            let can_go_on = moves.iter().any(goes_on);
            for (i, m) in list.iter().enumerate() {
                assert!(
                    moves.contains(m) && !list[..i].contains(m),
                    "{m:?} is no reply in {fen}, or twice one"
                );
                assert!(goes_on(m) || !can_go_on, "{m:?} loses at once in {fen}");
            }
            let is_safe = |&m: &G::Move| {
                let next = position.play(m);
                match next.outcome() {
                    Some(outcome) => outcome.winner.is_none_or(|winner| winner == side),
                    None => !next.legal_moves().into_iter().any(|reply| wins(&next, reply)),
                }
            };
            let safe: Vec<_> = moves.into_iter().filter(is_safe).collect();
            assert!(safe.iter().all(|m| list.contains(m)), "{safe:?} parry in {fen}, not only {list:?}");
            found.is_hopeless = safe.is_empty();
        }
    }
    found
}

/// Calls `check` with each position of a random game, the last one included.
fn random_game<G: Game>(start: &G, rng: &mut Pcg64, mut check: impl FnMut(&G, &mut Pcg64)) {
    let mut position = start.clone();
    loop {
        check(&position, rng);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
}

/// The moves listed are the legal ones, each once; there are none exactly when the game is over.
fn check_moves<G: Playable>(position: &G) {
    let fen = position.fen();
    let mut listed: Vec<u16> = position.legal_moves().into_iter().map(G::move_bits).collect();
    listed.sort_unstable();
    assert!(listed.windows(2).all(|pair| pair[0] != pair[1]), "a move is listed twice in {fen}");
    assert_eq!(position.count_moves(), listed.len() as u64, "number of moves in {fen}");
    assert_eq!(position.outcome().is_some(), listed.is_empty(), "a game is over when nobody can move: {fen}");
    let mut legal = Vec::new();
    for bits in 0..u16::MAX {
        if let Some(m) = position.move_from_bits(bits) {
            assert_eq!(G::move_bits(m), bits, "bits of {m:?} in {fen}");
            if position.is_legal(m) {
                legal.push(bits);
            }
        }
    }
    assert_eq!(listed, legal, "moves listed, and moves that are legal, in {fen}");
    assert!(position.move_from_bits(u16::MAX).is_none(), "0xFFFF is no move");
}

/// Positions and moves survive being written and read.
fn check_texts<G: Playable>(position: &G) {
    let fen = position.fen();
    let read = G::from_fen(&fen).unwrap_or_else(|error| panic!("{fen} is not read back: {error}"));
    assert_eq!(&read, position, "{fen} read back");
    assert_eq!(read.key(), position.key(), "key of {fen} read back");
    assert_eq!(read.fen(), fen, "written again");
    let winner = |p: &G| p.outcome().map(|o| o.winner);
    assert_eq!(winner(&read), winner(position), "outcome of {fen} read back");
    for m in position.legal_moves() {
        let text = position.move_text(m);
        for text in [text.to_ascii_lowercase(), text.to_ascii_uppercase(), text] {
            assert_eq!(position.parse_move(&text), Ok(m), "{text} in {fen}");
        }
    }
    let last = position.legal_moves().into_iter().last();
    for last in [None, last] {
        for (ascii, colour) in [(true, false), (true, true), (false, false), (false, true)] {
            let widths = [false, true].map(|compact| {
                let board = position.board(last, BoardStyle { ascii, colour, compact });
                let text = board.join("\n");
                assert!(!ascii || text.is_ascii(), "an ASCII board of {fen}");
                assert!(colour || !text.contains('\x1b'), "a board without colour of {fen}");
                let captions = board.iter().position(String::is_empty).map(|empty| board.len() - empty - 1);
                assert!(captions.is_some_and(|lines| lines > 0), "captions of {fen}");
                board.iter().map(|line| line.chars().count()).max()
            });
            assert!(widths[0] >= widths[1], "a compact board of {fen}");
        }
    }
}

/// Damaged texts are refused, or mean something that can be written and read again; nothing panics.
fn check_foreign_texts<G: Playable>(position: &G, rng: &mut Pcg64) {
    for text in ["", " ", "?", "0000", "é", "\0", "999999999999999999999"] {
        let refused = matches!(position.parse_move(text), Err(MoveError::Malformed(_)));
        assert!(refused, "{text:?} is taken for a move in {}", position.fen());
        assert!(G::from_fen(text).is_err(), "{text:?} is taken for a position");
    }
    for _ in 0..4 {
        let mut text = position.fen().into_bytes();
        let at = rng.random_range(0..text.len());
        let byte = STRANGE[rng.random_range(0..STRANGE.len())];
        match rng.random_range(0..4) {
            0 => text.truncate(at),
            1 => text[at] = byte,
            2 => text.insert(at, byte),
            _ => drop(text.remove(at)),
        }
        let text = String::from_utf8_lossy(&text);
        if let Ok(read) = G::from_fen(&text) {
            assert_eq!(G::from_fen(&read.fen()).as_ref(), Ok(&read), "{text} read, written and read");
            assert_eq!(read.key(), read.key_from_scratch(), "key of {text}");
        }
    }
}

/// Keys agree, and numbers keep their bounds.
fn check_values<G: Playable>(position: &G) {
    let fen = position.fen();
    assert_eq!(position.key(), position.key_from_scratch(), "key of {fen}");
    if position.outcome().is_some() {
        return;
    }
    assert!(position.max_plies_left() > 0, "no ply is left in {fen}, which is not over");
    let value = position.evaluate();
    assert!(value.abs() <= G::LIMIT, "value {value} of {fen}");
    let legal = position.legal_moves();
    for &m in &legal {
        let index = position.history_index(m);
        assert!(index < position.history_size(), "history index {index} of {m:?} in {fen}");
        assert!(!G::STEADY || index == usize::from(G::move_bits(m)), "history index {index} of {m:?}");
        let _ = position.order_hint(m, &G::Weights::default());
        if let Some(key) = position.key_after(m) {
            assert_eq!(key, position.play(m).key(), "key after {m:?} in {fen}");
        }
    }
    for most in [1, 8, 32, usize::MAX] {
        let (mut candidates, mut from) = (Vec::new(), Some(0));
        while let Some(place) = from {
            let before = candidates.len();
            from = position.candidates(place, most, |m| candidates.push(m));
            let found = candidates.len() - before;
            assert!(from.is_none() || found >= most, "too few candidates of {most} in {fen}");
        }
        assert_eq!(candidates.len(), legal.len(), "candidates, {most} at a time, in {fen}");
        for (i, m) in candidates.iter().enumerate() {
            assert!(legal.contains(m), "candidate {m:?} is illegal in {fen}");
            assert!(!candidates[..i].contains(m), "candidate {m:?} comes twice in {fen}");
        }
    }
}

/// A move changes what it must.
fn check_step<G: Playable>(position: &G, m: G::Move) {
    let next = position.play(m);
    let shown = || format!("{} after {}", position.fen(), position.move_text(m));
    assert_eq!(position.try_play(m).as_ref(), Some(&next), "two ways to play: {}", shown());
    assert_ne!(&next, position, "nothing changed: {}", shown());
    assert_ne!(next.key(), position.key(), "the key did not change: {}", shown());
    assert_eq!(next.side_to_move(), position.side_to_move().other(), "side to move: {}", shown());
    assert!(next.max_plies_left() < position.max_plies_left(), "as many plies left as before: {}", shown());
    if next.outcome().is_some() {
        assert_eq!(next.parse_move(&position.move_text(m)), Err(MoveError::GameOver), "{}", shown());
        assert_eq!(next.try_play(m), None, "{}", shown());
    } else {
        let mut memo = position.memo();
        next.keep_memo(&mut memo, position, &position.memo());
        assert_eq!(memo, next.memo(), "what is kept: {}", shown());
    }
}

/// Bulk counting and the table agree with plain recursion.
fn check_counts<G: Playable>(position: &G) {
    const MOST: u64 = 20_000;
    for depth in 0..=4 {
        let (nodes, ends) = recount(position, depth);
        let fen = position.fen();
        assert_eq!(perft::perft(position, depth), nodes, "perft {depth} of {fen}");
        let divided: u64 = perft::divide(position, depth).into_iter().map(|(_, n)| n).sum();
        assert_eq!(divided, if depth == 0 { 0 } else { nodes }, "divide {depth} of {fen}");
        if let Some(row) = perft::table(position, depth).last() {
            assert_eq!((row.depth, row.nodes), (depth, nodes), "row {depth} of the table of {fen}");
            assert_same(&row.ends, &ends);
        }
        if nodes > MOST {
            return;
        }
    }
}

fn assert_same<T: PartialEq + Debug>(a: &[T], b: &[T]) {
    assert!(a.len() == b.len() && a.iter().all(|x| b.contains(x)), "{a:?} and {b:?}");
}

/// Move sequences of exactly `depth` plies, and how those that end the game end it; by recursion over every leaf.
fn recount<G: Game>(position: &G, depth: u32) -> (u64, Vec<(Outcome, u64)>) {
    if depth == 0 {
        return (1, position.outcome().map(|outcome| (outcome, 1)).into_iter().collect());
    }
    let (mut nodes, mut ends) = (0, Vec::<(Outcome, u64)>::new());
    let _ = position.moves(|m| {
        let (below, below_ends) = recount(&position.play(m), depth - 1);
        nodes += below;
        for (outcome, n) in below_ends {
            match ends.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, sum)) => *sum += n,
                None => ends.push((outcome, n)),
            }
        }
        ControlFlow::Continue(())
    });
    (nodes, ends)
}
