//! Checking a proof of what a position is worth, by the rules alone.
//!
//! A proof is a text of a few lines, and after it, for each claim, a line and bytes:
//!
//! ```text
//! ludus-proof 1
//! game simplexity
//! setup rows 3 cols 3 win 3 round 2 square 3
//! fen 3/3/3 w 2,3,2,3 3
//! claim p2 win
//! ```
//!
//! The set-up may be missing; with it, the position must be its start. `claim p2 win` says that the second player wins,
//! `claim p2 draw` that it at least draws, whatever the opponent does.
//!
//! The bytes are the claimant's moves, each as its place among the legal moves in canonical order, from 0: base 128, lowest
//! digit first, 128 added to all but the last. They stand in the order in which one meets their positions for the first
//! time on a walk from the root that tries all moves of the opponent in canonical order and goes as deep as it can before
//! the next; a position met again is passed over, as is one that folds to the same ([`Game::folded`]). So whatever the
//! bytes say, only what the rules bear out is accepted.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, Read};

use ahash::AHashSet;
use game::{Family, Game, Notation, Outcome, Playable, Side, Visitor};
use registry::FamilyVisitor;

/// The first line of a proof.
pub const HEAD: &str = "ludus-proof 1";

/// A line of a proof may have so many bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// Memory per position, with what a set has to spare while it grows.
const POSITION_BYTES: usize = 64;

/// What a proof shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The game's name.
    pub game: String,
    /// The position.
    pub fen: String,
    /// Who is to move in it.
    pub mover: Side,
    /// The claims, all of them true, with the number of positions in which the claimant has to move.
    pub claims: Vec<(Claim, u64)>,
}

/// What a side is said to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Who.
    pub side: Side,
    /// Whether a draw is enough.
    pub draw_is_enough: bool,
}

/// Why a text is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// It can't be read.
    #[error("the proof can't be read")]
    Io(#[from] io::Error),
    /// A line is not what it should be.
    #[error("line {line}: expected {expected}")]
    Line {
        /// From 1; a claim's line counts as if no bytes stood before it.
        line: u32,
        /// What should stand there.
        expected: String,
    },
    /// The bytes of a claim end before the proof does.
    #[error("claim {claim}: byte {byte}: the proof ends here, expected a move in {fen}")]
    Short {
        /// The claim, from 1.
        claim: usize,
        /// The byte of that claim, from 1.
        byte: u64,
        /// The position that lacks its move.
        fen: String,
    },
    /// There is no such move.
    #[error("claim {claim}: byte {byte}: expected one of {moves} moves in {fen}")]
    NoMove {
        /// The claim, from 1.
        claim: usize,
        /// The last byte of the move, from 1.
        byte: u64,
        /// Legal moves there are.
        moves: usize,
        /// The position.
        fen: String,
    },
    /// A game ends otherwise than claimed.
    #[error("claim {claim}: byte {byte}: the game ends with {result} ({reason}) after {m} in {fen}")]
    Refuted {
        /// The claim, from 1.
        claim: usize,
        /// The bytes read so far.
        byte: u64,
        /// `p1win`, `p2win` or `draw`.
        result: &'static str,
        /// The reason token.
        reason: &'static str,
        /// The last move.
        m: String,
        /// The position before it.
        fen: String,
    },
    /// There are more positions than there is memory for.
    #[error("claim {claim}: byte {byte}: the positions so far take more than {mib} MiB of memory")]
    Memory {
        /// The claim, from 1.
        claim: usize,
        /// The bytes read so far.
        byte: u64,
        /// What was allowed.
        mib: usize,
    },
}

impl Claim {
    fn is_met(self, outcome: Outcome) -> bool {
        outcome.winner.map_or(self.draw_is_enough, |winner| winner == self.side)
    }

    /// `p1 win` and the like.
    pub fn text(self) -> String {
        format!("{} {}", self.side.token(), if self.draw_is_enough { "draw" } else { "win" })
    }

    fn parse(text: &str) -> Option<Claim> {
        let sides = Side::BOTH.into_iter().flat_map(|side| [(side, false), (side, true)]);
        let mut claims = sides.map(|(side, draw_is_enough)| Claim { side, draw_is_enough });
        claims.find(|claim| claim.text() == text)
    }
}

impl Verified {
    /// `win`, `loss` or `draw` for the side to move; `unknown` if the claims leave it open.
    pub fn value(&self) -> &'static str {
        let holds = |side, draw_is_enough| {
            self.claims.iter().any(|(claim, _)| *claim == Claim { side, draw_is_enough })
        };
        let (own, other) = (self.mover, self.mover.other());
        if holds(own, false) {
            "win"
        } else if holds(other, false) {
            "loss"
        } else if holds(own, true) && holds(other, true) {
            "draw"
        } else {
            "unknown"
        }
    }
}

/// Reads a proof to its end and plays all of it. Its positions may take `mib` MiB of memory.
pub fn verify(input: impl BufRead, mib: usize) -> Result<Verified, ProofError> {
    let mut lines = Lines { input, line: 0 };
    if lines.next()?.as_deref() != Some(HEAD) {
        return Err(lines.expected(format!("{HEAD:?}")));
    }
    let name = lines.field("game")?;
    let Some(rules) = registry::find(&name) else {
        let known: Vec<_> = registry::GAMES.iter().map(|rules| rules.name()).collect();
        return Err(lines.expected(format!("one of the games {}", known.join(", "))));
    };
    let mut text = lines.next()?.unwrap_or_default();
    let mut start = None;
    if let Some(keys) = text.strip_prefix("setup ") {
        let words: Vec<&str> = keys.split(' ').collect();
        let (pairs, rest) = words.as_chunks::<2>();
        let pairs: Vec<_> = pairs.iter().map(|&[key, value]| (key, value)).collect();
        let setup = if rest.is_empty() {
            rules.setup(&pairs).map_err(|error| error.to_string())
        } else {
            Err("a key without value".into())
        };
        match setup {
            Ok(setup) => start = Some(rules.start(&setup).fen()),
            Err(error) => return Err(lines.expected(format!("a set-up of {name}: {error}"))),
        }
        text = lines.next()?.unwrap_or_default();
    }
    let Some(fen) = text.strip_prefix("fen ") else {
        return Err(lines.expected("\"fen\" and a position".into()));
    };
    if start.is_some_and(|start| start != fen) {
        return Err(lines.expected("the start of the set-up".into()));
    }
    let whole = Whole { lines: &mut lines, name: &name, fen, mib };
    registry::visit(&name, whole).unwrap_or_else(|| unreachable!("the game was found"))
}

/// The lines of a proof, with bytes between them.
struct Lines<R> {
    input: R,
    line: u32,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its line feed; `None` at the end.
    fn next(&mut self) -> Result<Option<String>, ProofError> {
        self.line += 1;
        let mut bytes = Vec::new();
        (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let line = bytes.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok());
        line.map(|line| Some(line.to_owned())).ok_or_else(|| self.expected("a line of text".into()))
    }

    /// What follows a word on the next line.
    fn field(&mut self, word: &str) -> Result<String, ProofError> {
        let line = self.next()?.unwrap_or_default();
        match line.split_once(' ') {
            Some((first, rest)) if first == word => Ok(rest.to_owned()),
            _ => Err(self.expected(format!("{word:?} and a value"))),
        }
    }

    fn expected(&self, expected: String) -> ProofError {
        ProofError::Line { line: self.line, expected }
    }
}

/// A proof but for its first lines.
struct Whole<'a, R> {
    lines: &'a mut Lines<R>,
    name: &'a str,
    fen: &'a str,
    mib: usize,
}

impl<R: BufRead> FamilyVisitor for Whole<'_, R> {
    type Output = Result<Verified, ProofError>;

    fn visit<F: Family>(self) -> Self::Output {
        let line = self.lines.line;
        let bad = |error| ProofError::Line { line, expected: format!("a position: {error}") };
        F::load(self.fen, self).map_err(bad)?
    }
}

impl<R: BufRead> Visitor for Whole<'_, R> {
    type Output = Result<Verified, ProofError>;

    fn visit<G: Playable>(self, root: G) -> Self::Output {
        let mut claims = Vec::new();
        while let Some(line) = self.lines.next()? {
            let claim = line.strip_prefix("claim ").and_then(Claim::parse);
            let claim = claim.filter(|claim| claims.iter().all(|(other, _)| other != claim));
            let Some(claim) = claim else {
                let expected = "another claim, such as \"claim p1 win\", or the end".into();
                return Err(self.lines.expected(expected));
            };
            let mut check = Check {
                input: &mut self.lines.input,
                claim,
                index: claims.len() + 1,
                byte: 0,
                seen: Seen::default(),
                mib: self.mib,
            };
            check.walk(&root)?;
            claims.push((claim, check.seen.hashes.len() as u64));
        }
        if claims.is_empty() {
            return Err(self.lines.expected("a claim, such as \"claim p1 win\"".into()));
        }
        let (game, fen) = (self.name.to_owned(), self.fen.to_owned());
        Ok(Verified { game, fen, mover: root.side_to_move(), claims })
    }
}

/// The claimant's positions that are proved, as hashes of their texts with keys nobody can know beforehand; images of
/// each other by a symmetry are one where the game [folds](Game::folded) them.
#[derive(Default)]
struct Seen {
    states: [RandomState; 2],
    hashes: AHashSet<[u64; 2]>,
}

impl Seen {
    fn hash(&self, position: &impl Notation) -> [u64; 2] {
        let fen = position.folded().map_or_else(|| position.fen(), |folded| folded.fen());
        self.states.each_ref().map(|state| state.hash_one(&fen))
    }
}

/// A claim that is being checked.
struct Check<'a, R> {
    input: &'a mut R,
    claim: Claim,
    index: usize,
    byte: u64,
    seen: Seen,
    mib: usize,
}

/// A position whose moves are being looked at: the claimant's one, or all.
struct Turn<G: Game> {
    position: G,
    moves: Vec<G::Move>,
    done: usize,
    /// What a position of the claimant's is known by once it is proved.
    hash: Option<[u64; 2]>,
}

impl<R: BufRead> Check<'_, R> {
    fn walk<G: Playable>(&mut self, root: &G) -> Result<(), ProofError> {
        if let Some(outcome) = root.outcome() {
            return if self.claim.is_met(outcome) {
                Ok(())
            } else {
                Err(self.refuted(outcome, "the last move".into(), root.fen()))
            };
        }
        let mut path = vec![self.turn(root.clone())?];
        while let Some(turn) = path.last_mut() {
            let Some(&m) = turn.moves.get(turn.done) else {
                self.seen.hashes.extend(turn.hash);
                if self.seen.hashes.len() * POSITION_BYTES > self.mib << 20 {
                    return Err(ProofError::Memory { claim: self.index, byte: self.byte, mib: self.mib });
                }
                path.pop();
                continue;
            };
            turn.done += 1;
            let next = turn.position.play(m);
            match next.outcome() {
                Some(outcome) if self.claim.is_met(outcome) => {}
                Some(outcome) => {
                    let position = &turn.position;
                    return Err(self.refuted(outcome, position.move_text(m), position.fen()));
                }
                None if next.side_to_move() == self.claim.side
                    && self.seen.hashes.contains(&self.seen.hash(&next)) => {}
                None => path.push(self.turn(next)?),
            }
        }
        Ok(())
    }

    /// What has to be looked at of a position that is not proved yet.
    fn turn<G: Playable>(&mut self, position: G) -> Result<Turn<G>, ProofError> {
        let mut moves = position.legal_moves();
        let mut hash = None;
        if position.side_to_move() == self.claim.side {
            let place = self.place(&position)?;
            let Some(&m) = moves.get(place) else {
                let (claim, byte, moves, fen) = (self.index, self.byte, moves.len(), position.fen());
                return Err(ProofError::NoMove { claim, byte, moves, fen });
            };
            moves = vec![m];
            hash = Some(self.seen.hash(&position));
        }
        Ok(Turn { position, moves, done: 0, hash })
    }

    /// The next number; one too large for any list of moves is the largest there is.
    fn place(&mut self, position: &impl Notation) -> Result<usize, ProofError> {
        let mut place = 0_usize;
        for shift in (0..).step_by(7) {
            let mut byte = [0];
            self.byte += 1;
            match self.input.read_exact(&mut byte) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(ProofError::Short {
                        claim: self.index,
                        byte: self.byte,
                        fen: position.fen(),
                    });
                }
                Err(error) => return Err(error.into()),
            }
            let [byte] = byte;
            place |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(place);
            }
            if shift >= 21 {
                break;
            }
        }
        Ok(usize::MAX)
    }

    fn refuted(&self, outcome: Outcome, m: String, fen: String) -> ProofError {
        let (result, reason) = (outcome.token(), outcome.reason);
        ProofError::Refuted { claim: self.index, byte: self.byte, result, reason, m, fen }
    }
}
