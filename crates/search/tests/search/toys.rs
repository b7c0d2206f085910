//! Games small enough to be searched by brute force.

use std::ops::ControlFlow;

use game::{Evaluate, Game, Outcome, Side, Tactics};

/// A game whose whole tree follows from a seed: 1 to 5 moves a position unless there are to be more, chance transpositions, early ends of every
/// kind (also such that the mover loses by moving), random estimates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RandomTree {
    seed: u64,
    ply: u32,
    /// Longest game.
    plies: u32,
    /// Positions of one ply; few of them make many transpositions.
    width: u64,
    node: u64,
    /// The most moves of a position.
    most: u16,
}

const fn mix(a: u64, b: u64) -> u64 {
    game::zobrist::number(a, b)
}

impl RandomTree {
    pub(crate) fn new(seed: u64, plies: u32, width: u64) -> RandomTree {
        RandomTree { seed, ply: 0, plies, width, node: 0, most: 5 }
    }

    /// One with up to `most` moves in a position.
    pub(crate) fn with_moves(self, most: u16) -> RandomTree {
        RandomTree { most, ..self }
    }

    fn random(&self, salt: u64) -> u64 {
        mix(mix(mix(self.seed, u64::from(self.ply)), self.node), salt)
    }

    fn branching(&self) -> u16 {
        if self.outcome().is_some() { 0 } else { 1 + (self.random(1) % u64::from(self.most)) as u16 }
    }
}

impl Game for RandomTree {
    type Move = u16;

    fn side_to_move(&self) -> Side {
        Side::BOTH[self.ply as usize % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.ply == 0 || self.ply < self.plies && self.random(2) % 100 >= 6 {
            return None;
        }
        let winner = match self.random(3) % 8 {
            0..=2 => Some(Side::First),
            3..=5 => Some(Side::Second),
            _ => None,
        };
        Some(Outcome { winner, reason: "chance" })
    }

    fn moves(&self, mut f: impl FnMut(u16) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..self.branching()).try_for_each(&mut f)
    }

    fn is_legal(&self, m: u16) -> bool {
        m < self.branching()
    }

    fn play_unchecked(&mut self, m: u16) {
        self.node = self.random(4 + u64::from(m)) % self.width;
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        self.random(0)
    }

    fn key_from_scratch(&self) -> u64 {
        self.key()
    }

    fn move_bits(m: u16) -> u16 {
        m
    }

    fn move_from_bits(&self, bits: u16) -> Option<u16> {
        (bits < self.most).then_some(bits)
    }
}

impl Evaluate for RandomTree {
    type Memo = ();

    fn memo(&self) {}

    type Weights = ();

    fn evaluate_with(&self, (): &(), (): &()) -> i32 {
        (self.random(100) % 201) as i32 - 100
    }

    fn candidates(&self, from: usize, most: usize, f: impl FnMut(u16)) -> Option<usize> {
        let end = from.saturating_add(most).min(self.branching().into());
        (from as u16..end as u16).for_each(f);
        (end < self.branching().into()).then_some(end)
    }

    fn order_hint(&self, m: u16, (): &()) -> i32 {
        (self.random(200 + u64::from(m)) % 8) as i32
    }

    fn history_size(&self) -> usize {
        self.most.into()
    }

    fn history_index(&self, m: u16) -> usize {
        usize::from(m)
    }

    fn max_plies_left(&self) -> u32 {
        self.plies - self.ply
    }
}

/// A side may check as often as it likes, and so wins with its tenth check, or do any of fifteen other things; the other
/// side has one reply to a check and fifteen to anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Chase {
    ply: u32,
    checks: u32,
    in_check: bool,
}

impl Chase {
    const CHECKS: u32 = 10;
    const PLIES: u32 = 200;
    const OTHERS: u8 = 15;
}

impl Game for Chase {
    type Move = u8;

    fn side_to_move(&self) -> Side {
        Side::BOTH[self.ply as usize % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_won = self.checks >= Self::CHECKS;
        let winner = is_won.then_some(Side::First);
        (is_won || self.ply >= Self::PLIES).then_some(Outcome { winner, reason: "end" })
    }

    fn moves(&self, mut f: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..=Self::OTHERS).filter(|&m| self.is_legal(m)).try_for_each(&mut f)
    }

    fn is_legal(&self, m: u8) -> bool {
        let may_check = self.side_to_move() == Side::First;
        self.outcome().is_none() && if m == 0 { may_check || self.in_check } else { !self.in_check }
    }

    fn play_unchecked(&mut self, m: u8) {
        self.in_check = self.side_to_move() == Side::First && m == 0;
        self.checks += u32::from(self.in_check);
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.ply), u64::from(self.checks * 2 + u32::from(self.in_check)))
    }

    fn key_from_scratch(&self) -> u64 {
        self.key()
    }

    fn move_bits(m: u8) -> u16 {
        m.into()
    }

    fn move_from_bits(&self, bits: u16) -> Option<u8> {
        u8::try_from(bits).ok()
    }
}

impl Evaluate for Chase {
    type Memo = ();

    fn memo(&self) {}

    type Weights = ();

    fn evaluate_with(&self, (): &(), (): &()) -> i32 {
        0
    }

    fn tactics(&self, mut replies: impl FnMut(u8)) -> Tactics<u8> {
        if self.in_check {
            replies(0);
            return Tactics::Forced;
        }
        Tactics::Open
    }

    fn forcing(&self, mut f: impl FnMut(u8)) {
        if self.side_to_move() == Side::First {
            f(0);
        }
    }

    fn order_hint(&self, _: u8, (): &()) -> i32 {
        0
    }

    fn history_size(&self) -> usize {
        usize::from(Self::OTHERS) + 1
    }

    fn history_index(&self, m: u8) -> usize {
        m.into()
    }

    fn max_plies_left(&self) -> u32 {
        Self::PLIES - self.ply
    }
}

/// Three in a row on 3x3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TicTacToe {
    stones: [u16; 2],
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl TicTacToe {
    fn taken(self) -> u16 {
        self.stones[0] | self.stones[1]
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn side_to_move(&self) -> Side {
        Side::BOTH[self.taken().count_ones() as usize % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_line = |side: &Side| LINES.iter().any(|line| self.stones[side.index()] & line == *line);
        let winner = Side::BOTH.into_iter().find(has_line);
        (winner.is_some() || self.taken() == 0o777).then_some(Outcome { winner, reason: "end" })
    }

    fn moves(&self, mut f: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..9).filter(|&m| self.is_legal(m)).try_for_each(&mut f)
    }

    fn is_legal(&self, m: u8) -> bool {
        m < 9 && self.taken() >> m & 1 == 0 && self.outcome().is_none()
    }

    fn play_unchecked(&mut self, m: u8) {
        self.stones[self.side_to_move().index()] |= 1 << m;
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.stones[0]), u64::from(self.stones[1]))
    }

    fn key_from_scratch(&self) -> u64 {
        self.key()
    }

    fn move_bits(m: u8) -> u16 {
        m.into()
    }

    fn move_from_bits(&self, bits: u16) -> Option<u8> {
        (bits < 9).then_some(bits as u8)
    }
}

impl Evaluate for TicTacToe {
    type Memo = ();

    fn memo(&self) {}

    type Weights = ();

    fn evaluate_with(&self, (): &(), (): &()) -> i32 {
        let open =
            |side: Side| LINES.iter().filter(|&line| self.stones[side.other().index()] & line == 0).count();
        open(self.side_to_move()) as i32 - open(self.side_to_move().other()) as i32
    }

    fn order_hint(&self, m: u8, (): &()) -> i32 {
        (m == 4).into()
    }

    fn history_size(&self) -> usize {
        9
    }

    fn history_index(&self, m: u8) -> usize {
        m.into()
    }

    fn max_plies_left(&self) -> u32 {
        9 - self.taken().count_ones()
    }
}
