//! Ending games before their end: by what the engines say of them, or by what a position is proven to be worth.
//!
//! A move's score is that of the mover's last `info … score` line before it, from the mover's side. A score in moves
//! to the end (`mate`) is beyond any score in centipawns. A move without a score is as good as one with a score that
//! doesn't fit: it breaks every row of moves.

use std::cmp::Ordering;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;

use game::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::record::EvalRecord;

/// When games end before their end. The rules of the game are looked at first, then resignation, then the draw, last what
/// a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When a game is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Nodes to find out what a position is worth; a game ends in the first one of which that is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<NonZeroU64>,
}

/// A player has lost once the scores of its last `movecount` moves are all at most −`score`. If `twosided`, those of the
/// opponent's last `movecount` moves must all be at least `score` besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves of a player in a row.
    pub movecount: NonZeroU32,
    /// Centipawns.
    pub score: NonZeroU32,
    /// Whether the opponent has to agree.
    #[serde(default)]
    pub twosided: bool,
}

/// A game is drawn once both players have made `movenumber` moves each since the start of the game (its opening's moves
/// don't count), and the scores of the last `movecount` moves of each are all between −`score` and `score`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Moves of each player before which no game is drawn.
    #[serde(default)]
    pub movenumber: u32,
    /// Moves of each player in a row.
    pub movecount: NonZeroU32,
    /// Centipawns.
    pub score: u32,
}

/// A text that is no rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{part:?}: expected {expected}")]
pub struct RuleError {
    part: String,
    expected: &'static str,
}

/// The reason token of adjudicated games.
pub const ADJUDICATED: &str = "adjudicated";

impl Adjudication {
    /// Whether games end by nothing of this.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }

    /// The outcome by its scores of a game after a move of `mover`, from what was said of its moves, the latest first.
    pub fn outcome<'s>(&self, latest: impl Scores<'s>, mover: Side) -> Option<Outcome> {
        let loser = self.resign.and_then(|rule| rule.loser(&latest, mover));
        let drawn = self.draw.is_some_and(|rule| rule.applies(latest));
        (loser.is_some() || drawn).then(|| Outcome { winner: loser.map(Side::other), reason: ADJUDICATED })
    }
}

/// What was said of each move, as often as it is looked at.
pub trait Scores<'s>: ExactSizeIterator<Item = Option<&'s EvalRecord>> + Clone {}

impl<'s, I: ExactSizeIterator<Item = Option<&'s EvalRecord>> + Clone> Scores<'s> for I {}

impl ResignRule {
    /// Whether a player has lost, and which one, after a move of `mover`.
    fn loser<'s>(&self, latest: &impl Scores<'s>, mover: Side) -> Option<Side> {
        let (score, row) = (i64::from(self.score.get()), self.movecount.get() as usize);
        let is_lost = |said: &EvalRecord| compare(said, -score).is_some_and(Ordering::is_le);
        let is_won = |said: &EvalRecord| compare(said, score).is_some_and(Ordering::is_ge);
        let losses = |ago| in_row(latest.clone().skip(ago).step_by(2), is_lost) >= row;
        let wins = |ago| in_row(latest.clone().skip(ago).step_by(2), is_won) >= row;
        if losses(0) && (!self.twosided || wins(1)) {
            Some(mover)
        } else if losses(1) && (!self.twosided || wins(0)) {
            Some(mover.other())
        } else {
            None
        }
    }
}

impl DrawRule {
    fn applies<'s>(&self, latest: impl Scores<'s>) -> bool {
        let score = i64::from(self.score);
        let is_even = |said: &EvalRecord| {
            compare(said, -score).is_some_and(Ordering::is_ge)
                && compare(said, score).is_some_and(Ordering::is_le)
        };
        let moves = |n: u32| 2 * n as usize;
        latest.len() >= moves(self.movenumber) && in_row(latest, is_even) >= moves(self.movecount.get())
    }
}

/// How many of them fit before one doesn't.
fn in_row<'s>(
    latest: impl Iterator<Item = Option<&'s EvalRecord>>,
    fits: impl Fn(&EvalRecord) -> bool,
) -> usize {
    latest.take_while(|said| said.is_some_and(&fits)).count()
}

/// How a score compares to centipawns; `None` if it says nothing.
fn compare(said: &EvalRecord, centipawns: i64) -> Option<Ordering> {
    match (said.mate, said.cp) {
        (Some(moves), _) => Some(moves.cmp(&0)).filter(|order| order.is_ne()),
        (None, cp) => cp.map(|cp| cp.cmp(&centipawns)),
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    /// Reads `movecount=3,score=400` and `movecount=3,score=400,twosided`.
    fn from_str(text: &str) -> Result<ResignRule, RuleError> {
        const EXPECTED: &str = "movecount=MOVES,score=CENTIPAWNS, both at least 1, with or without ,twosided";
        let [mut movecount, mut score] = [None; 2];
        let mut twosided = false;
        for part in text.split(',') {
            match part.split_once('=') {
                Some(("movecount", value)) => movecount = value.parse().ok(),
                Some(("score", value)) => score = value.parse().ok(),
                Some(("twosided", "true")) => twosided = true,
                Some(("twosided", "false")) => twosided = false,
                None if part == "twosided" => twosided = true,
                _ => return Err(RuleError { part: part.into(), expected: EXPECTED }),
            }
        }
        match (movecount, score) {
            (Some(movecount), Some(score)) => Ok(ResignRule { movecount, score, twosided }),
            _ => Err(RuleError { part: text.into(), expected: EXPECTED }),
        }
    }
}

impl FromStr for DrawRule {
    type Err = RuleError;

    /// Reads `movecount=8,score=10` and `movenumber=40,movecount=8,score=10`.
    fn from_str(text: &str) -> Result<DrawRule, RuleError> {
        const EXPECTED: &str =
            "movecount=MOVES, at least 1, and score=CENTIPAWNS, with or without movenumber=MOVES";
        let (mut movenumber, mut movecount, mut score) = (Some(0), None, None);
        for part in text.split(',') {
            match part.split_once('=') {
                Some(("movenumber", value)) => movenumber = value.parse().ok(),
                Some(("movecount", value)) => movecount = value.parse().ok(),
                Some(("score", value)) => score = value.parse().ok(),
                _ => return Err(RuleError { part: part.into(), expected: EXPECTED }),
            }
        }
        match (movenumber, movecount, score) {
            (Some(movenumber), Some(movecount), Some(score)) => Ok(DrawRule { movenumber, movecount, score }),
            _ => Err(RuleError { part: text.into(), expected: EXPECTED }),
        }
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { movecount, score, twosided } = self;
        write!(f, "movecount={movecount},score={score}{}", if *twosided { ",twosided" } else { "" })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { movenumber, movecount, score } = self;
        write!(f, "movenumber={movenumber},movecount={movecount},score={score}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores as words: centipawns, `M3`, `-M3`, or `?` for none.
    fn scores(text: &str) -> Vec<Option<EvalRecord>> {
        let read = |word: &str| {
            let said = |cp, mate| Some(EvalRecord { depth: None, cp, mate });
            match word.replace('M', "").parse::<i64>() {
                Ok(mate) if word.contains('M') => said(None, Some(mate)),
                Ok(cp) => said(Some(cp), None),
                Err(_) => None,
            }
        };
        text.split_whitespace().map(read).collect()
    }

    /// After how many plies a game with these scores ends, and who wins.
    fn end(rules: Adjudication, text: &str, first: Side) -> Option<(usize, Option<Side>)> {
        let scores = scores(text);
        let mut movers = [first, first.other()].into_iter().cycle();
        (1..=scores.len()).find_map(|plies| {
            let latest = scores[..plies].iter().rev().map(Option::as_ref);
            Some((plies, rules.outcome(latest, movers.next()?)?.winner))
        })
    }

    #[test]
    fn games_are_drawn_when_all_scores_are_small() {
        for (rule, scores, plies) in [
            ("movecount=1,score=0", "0 0", Some(2)),
            ("movecount=1,score=0", "1 0 0", Some(3)),
            ("movecount=1,score=0", "0 -1 0 1", None),
            ("movecount=2,score=10", "10 -10 -10 10", Some(4)),
            ("movecount=2,score=10", "11 10 -10 -10 10", Some(5)),
            ("movecount=2,score=10", "5 5 5 -11 5 5 5 5", Some(8)),
            // Silence and an end in sight are no small scores.
            ("movecount=2,score=10", "0 ? 0 0 0", None),
            ("movecount=1,score=10", "? 0 ? 0 ? 0", None),
            ("movecount=1,score=4000000000", "M1 0 -M9 0 M0 0", None),
            // The row may have begun before the number of moves is reached.
            ("movenumber=3,movecount=1,score=10", "0 0 0 0 0 0", Some(6)),
            ("movenumber=3,movecount=1,score=10", "0 0 0 0 99 0 0", Some(7)),
            ("movenumber=1,movecount=2,score=10", "0 0 0 0", Some(4)),
            ("movenumber=4294967295,movecount=4294967295,score=10", "0 0 0 0", None),
        ] {
            let rules = Adjudication { draw: Some(rule.parse().unwrap()), ..Adjudication::default() };
            for first in [Side::First, Side::Second] {
                let expected = plies.map(|plies| (plies, None));
                assert_eq!(end(rules, scores, first), expected, "{rule}: {scores}");
            }
        }
    }

    #[test]
    fn games_are_lost_when_one_side_sees_no_hope() {
        for (rule, scores, lost) in [
            ("movecount=1,score=100", "-100", Some((1, 0))),
            ("movecount=1,score=100", "-99 -100", Some((2, 1))),
            ("movecount=2,score=100", "-100 0 -100", Some((3, 0))),
            ("movecount=2,score=100", "-100 ? -M3 ?", Some((3, 0))),
            // Only moves of one side in a row count, and silence breaks the row.
            ("movecount=2,score=100", "-100 -100 50 50 -100 -100", None),
            ("movecount=2,score=100", "-100 9 ? 9 -100 9", None),
            ("movecount=2,score=100", "-100 9 ? 9 -100 9 -100", Some((7, 0))),
            ("movecount=1,score=100", "M2 M0 150", None),
            ("movecount=1,score=4000000000", "-3999999999 -M99", Some((2, 1))),
            // The opponent has to agree at the same time.
            ("movecount=1,score=100,twosided", "-100 100", Some((2, 0))),
            ("movecount=1,score=100,twosided", "100 -100", Some((2, 1))),
            ("movecount=1,score=100,twosided", "-100 99 -200 M1", Some((4, 0))),
            ("movecount=2,score=100,twosided", "-100 100 -100 99 -100 100 -100 100", Some((8, 0))),
            ("movecount=2,score=100,twosided", "-100 0 -100 100 -100 100", Some((6, 0))),
            ("movecount=2,score=100,twosided", "-900 -900 -900 -900 -900", None),
            ("movecount=2,score=100,twosided", "-900 ? -900 ? -900 ?", None),
            ("movecount=4294967295,score=1", "-1 -1 -1", None),
        ] {
            let rules = Adjudication { resign: Some(rule.parse().unwrap()), ..Adjudication::default() };
            for first in [Side::First, Side::Second] {
                let winner = |loser| if loser == 0 { first.other() } else { first };
                let expected = lost.map(|(plies, loser)| (plies, Some(winner(loser))));
                assert_eq!(end(rules, scores, first), expected, "{rule}: {scores}");
            }
        }
    }

    #[test]
    fn resignation_goes_before_a_draw() {
        let resign = Some("movecount=1,score=5".parse().unwrap());
        let draw = Some("movecount=1,score=5".parse().unwrap());
        let lost = (2, Some(Side::First));
        assert_eq!(end(Adjudication { resign, draw, solved: None }, "0 -5", Side::First), Some(lost));
        assert_eq!(end(Adjudication::default(), "0 -5 0 0 -M1", Side::First), None);
    }

    #[test]
    fn rules_read_and_print() {
        for text in ["movecount=3,score=400", "movecount=1,score=1,twosided"] {
            assert_eq!(text.parse::<ResignRule>().unwrap().to_string(), text);
        }
        let swapped: ResignRule = "twosided=true,score=1,movecount=1".parse().unwrap();
        assert_eq!(swapped.to_string(), "movecount=1,score=1,twosided");
        let text = "movenumber=40,movecount=8,score=10";
        assert_eq!(text.parse::<DrawRule>().unwrap().to_string(), text);
        assert_eq!("score=0,movecount=8".parse::<DrawRule>().unwrap().movenumber, 0);
        for text in
            ["", "movecount=3", "movecount=0,score=1", "movecount=1,score=0", "movecount=1,score=-1", "x=1"]
        {
            assert!(text.parse::<ResignRule>().is_err(), "{text:?}");
        }
        for text in ["", "movecount=3", "movecount=0,score=1", "movecount=1,score=1,twosided", "movenumber=x"]
        {
            assert!(text.parse::<DrawRule>().is_err(), "{text:?}");
        }
        let error = "movecount=3,scores=4".parse::<DrawRule>().unwrap_err().to_string();
        assert!(
            error.starts_with("\"scores=4\": expected movecount=MOVES, at least 1, and score="),
            "{error}"
        );
    }
}
