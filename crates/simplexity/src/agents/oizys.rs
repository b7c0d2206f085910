use bits::Bits;
use game::Game;

use super::alpha_beta::{Heuristic, Ties};
use super::corridors::{Cell, Corridors};
use super::lookahead::Manner;
use crate::piece::Shape;
use crate::position::{Frame, Position};

/// How all versions search: alpha-beta that takes the first of equal moves, and none if all lose. That forfeits the
/// game.
pub(super) const MANNER: Manner = Manner { prune: true, ties: Ties::First };

/// The branches of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    V2,
    V3,
    V4,
    V5,
    Main,
}

/// The heuristic of Oizys (by andrepucas, for the student competition of 2021; its source is public): in each whole line, the pieces by colour and
/// shape and, from the third version on, sequences of pieces that have both. Sequences count only for the side to move, so
/// a position is not worth to one side what it costs the other.
pub(super) struct Oizys {
    version: Version,
    corridors: Corridors,
}

impl Oizys {
    pub(super) fn new(version: Version) -> Oizys {
        Oizys { version, corridors: Corridors::default() }
    }
}

impl<B: Bits> Heuristic<B> for Oizys {
    fn fit(&mut self, frame: Frame) {
        self.corridors.fit(frame);
    }

    fn value(&self, position: &Position<B>) -> f32 {
        let win = self.corridors.win();
        let mark = |&cell: &Cell| mark(position, cell);
        let value = |line: &[Cell]| {
            let marks = line.iter().map(mark);
            match self.version {
                Version::V2 => marks.map(|mark| mark.worth(3)).sum(),
                Version::V3 => whole_line(marks, win),
                Version::V4 => stretches(marks, win, 0),
                Version::Main => stretches(marks, win, 50),
                Version::V5 => ranges(marks, win),
            }
        };
        self.corridors.iter().map(value).sum::<i32>() as f32
    }
}

/// What lies on a cell, as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Empty,
    /// Its shape and its colour.
    Own,
    /// Its shape only.
    OwnShape,
    /// Its colour only.
    OwnColour,
    Foreign,
}

impl Mark {
    /// What a piece is worth, if one that is wholly one's own is worth `own`.
    fn worth(self, own: i32) -> i32 {
        match self {
            Mark::Empty => 0,
            Mark::Own => own,
            Mark::OwnShape => 1,
            Mark::OwnColour => -1,
            Mark::Foreign => -own,
        }
    }
}

fn mark<B: Bits>(position: &Position<B>, (row, column): Cell) -> Mark {
    let viewer = position.side_to_move();
    match position.piece(row, column) {
        None => Mark::Empty,
        Some((side, shape)) => match (shape == Shape::of(viewer), side == viewer) {
            (true, true) => Mark::Own,
            (true, false) => Mark::OwnShape,
            (false, true) => Mark::OwnColour,
            (false, false) => Mark::Foreign,
        },
    }
}

/// Version 3: a line with enough own pieces counts more, whatever is between them short of a foreign one.
fn whole_line(marks: impl Iterator<Item = Mark>, win: i32) -> i32 {
    let (mut value, mut sequence) = (0, 0);
    for mark in marks {
        value += mark.worth(2);
        match mark {
            Mark::Own => sequence += 1,
            Mark::Foreign if sequence < win - 1 => sequence = 0,
            _ => {}
        }
    }
    value + if sequence >= win - 1 { 5 } else { 0 }
}

/// Version 4, and with a bonus for full sequences the last one: each stretch between foreign pieces counts more by how
/// many own pieces there are when it has just become long enough. Those before a foreign piece are forgotten only if it
/// comes too early for that.
fn stretches(marks: impl Iterator<Item = Mark>, win: i32, full: i32) -> i32 {
    let (mut value, mut sequence, mut range) = (0, 0, 0);
    for mark in marks {
        value += mark.worth(2);
        range += 1;
        match mark {
            Mark::Own => sequence += 1,
            Mark::Foreign => {
                if range < win {
                    sequence = 0;
                }
                range = 0;
            }
            _ => {}
        }
        if range == win {
            value += match win - sequence {
                0 => full,
                1 => 10,
                2 => 5,
                _ => 0,
            };
        }
    }
    value
}

/// Version 5: sequences of a shape or a colour, with the room behind and before them. Better in theory, as its authors
/// say, but it plays worse.
fn ranges(marks: impl Iterator<Item = Mark>, win: i32) -> i32 {
    let (mut value, mut sequence, mut range) = (0, 0, 0);
    // Empty cells behind the sequence, and since the last piece.
    let (mut behind, mut recent) = (0, 0);
    // Whether the last piece had the own shape and the own colour.
    let (mut shape, mut colour) = (false, false);
    for mark in marks {
        value += mark.worth(2);
        range += 1;
        match mark {
            Mark::Own => {
                if range <= win && sequence > 0 {
                    sequence += 1;
                } else {
                    (sequence, range) = (1, 1);
                }
                (shape, colour) = (true, true);
            }
            Mark::OwnShape | Mark::OwnColour => {
                let goes_on = if mark == Mark::OwnShape { shape } else { colour };
                if goes_on && range <= win {
                    sequence += 1;
                } else {
                    if sequence > 0 {
                        behind = recent;
                    }
                    (sequence, range) = (1, 1);
                }
                (shape, colour) = (mark == Mark::OwnShape, mark == Mark::OwnColour);
            }
            Mark::Foreign => {
                (sequence, range, behind) = (0, 0, 0);
                (shape, colour) = (false, false);
            }
            Mark::Empty => {
                recent += 1;
                if sequence == 0 {
                    behind += 1;
                }
            }
        }
        if mark != Mark::Empty {
            recent = 0;
        }
        if sequence >= 2 && range <= win {
            let (worth, lacking) = (2 * sequence * sequence, win - sequence);
            value += if range == sequence {
                if behind >= lacking { worth } else { 0 }
            } else if mark == Mark::Empty {
                if recent + behind >= lacking { worth } else { 0 }
            } else {
                worth - range
            };
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;

    /// Marks of a line: `A` own, `s` own shape only, `c` own colour only, `x` foreign, `.` empty.
    fn marks(line: &str) -> impl Iterator<Item = Mark> {
        line.chars().map(|letter| match letter {
            'A' => Mark::Own,
            's' => Mark::OwnShape,
            'c' => Mark::OwnColour,
            'x' => Mark::Foreign,
            _ => Mark::Empty,
        })
    }

    #[test]
    fn a_piece_counts_for_every_line_through_it() {
        let value = |version, fen| {
            let position = Position::<u64>::from_fen(fen).expect("a good position");
            let mut oizys = Oizys::new(version);
            Heuristic::<u64>::fit(&mut oizys, position.frame());
            oizys.value(&position) as i32
        };
        // A corner of the standard board is on a row, a column and one long diagonal, the middle of the bottom on two.
        assert_eq!(value(Version::V2, "7/7/7/7/7/w6 r 9,11,10,11 4"), -9);
        assert_eq!(value(Version::V2, "7/7/7/7/7/W6 r 10,10,10,11 4"), 3);
        assert_eq!(value(Version::V2, "7/7/7/7/7/3R2w w 9,11,10,10 4"), 9 - 12);
        for version in [Version::V3, Version::V4, Version::V5, Version::Main] {
            assert_eq!(value(version, "7/7/7/7/7/w6 r 9,11,10,11 4"), -6, "{version:?}");
        }
    }

    #[test]
    fn the_third_version_counts_own_pieces_of_a_whole_line() {
        for (line, value) in
            [("AA.A...", 6 + 5), ("AxA.A..", 4), ("AAAx...", 4 + 5), ("As.AcA.", 6 + 5), ("AA.....", 4)]
        {
            assert_eq!(whole_line(marks(line), 4), value, "{line}");
        }
        assert_eq!(whole_line(marks("..."), 1), 5, "none is enough where one wins");
    }

    #[test]
    fn a_stretch_is_judged_when_it_has_become_long_enough() {
        for (line, win, value) in [
            ("AA.A...", 4, 6 + 10),
            ("AA.....", 4, 4 + 5),
            ("A....AA", 4, 6),
            ("xA.AA..", 4, 4 + 10),
            ("A...xAAA", 4, 6),
            // The piece before a foreign one that came late is counted once more.
            ("A...xAAA.", 4, 6 + 50),
            ("AAAA.", 4, 8 + 50),
            ("..x.x", 2, 5 - 4),
            ("..", 1, 10),
            ("xA", 1, 50),
        ] {
            assert_eq!(stretches(marks(line), win, 50), value, "{line}");
        }
        assert_eq!(
            stretches(marks("A...xAAA."), 4, 0),
            6,
            "the fourth version has no bonus for full sequences"
        );
    }

    #[test]
    fn the_fifth_version_looks_for_room_around_sequences() {
        for (line, value) in [
            // Room for two in front, seen when the second empty cell is.
            ("AA.....", 4 + 8),
            // Room for two behind: with the second piece, and with both cells in front while in range.
            ("..AA...", 4 + 3 * 8),
            // A gap costs the range.
            ("A.A....", 4 + 8 - 3),
            ("sA.....", 3 + 8),
            ("s.c....", 0),
            // A new sequence of a colour has behind it what was empty since the last piece.
            ("s.cc...", 1 - 2 + 2 * 8),
            ("x.AAx..", 4 - 4),
        ] {
            assert_eq!(ranges(marks(line), 4), value, "{line}");
        }
    }
}
