//! What the lines of a board promise, on boards that the network doesn't suit. A search carries it along from position to
//! position, as a piece changes no lines but those through its cell.

use bits::Bits;

use crate::MAX_SIDE;
use crate::position::{Frame, Position};

/// Kinds of lines, as in [`Position::bars`].
const KINDS: usize = 4;

/// What a line with so many pieces, and none that bars it, is worth: about their square.
const WORTH: [i32; MAX_SIDE as usize + 1] = {
    let mut worth = [0; MAX_SIDE as usize + 1];
    let mut n = 0;
    while n < worth.len() {
        let mut bit = 0;
        while bit < 6 {
            worth[n] += (n as i32 >> bit & 1) << (2 * bit);
            bit += 1;
        }
        n += 1;
    }
    worth
};

/// For each kind, what all lines that can still be completed are worth together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise(pub(crate) [i32; KINDS]);

impl Promise {
    /// What the lines of a position promise.
    pub(crate) fn of<B: Bits>(position: &Position<B>) -> Promise {
        let mut promise = Promise([0; KINDS]);
        for cell in position.occupied().members() {
            // One piece after another, in the order of their cells.
            let before = |other| if other < cell { position.bars(other) } else { 0 };
            promise.add(position.frame(), cell, position.bars(cell), before);
        }
        promise
    }

    /// What the lines of `position` promise, which a move has made of the position `before` with this promise.
    pub(crate) fn after<B: Bits>(mut self, before: &Position<B>, position: &Position<B>) -> Promise {
        for cell in (position.occupied() ^ before.occupied()).members() {
            self.add(position.frame(), cell, position.bars(cell), |other| before.bars(other));
        }
        self
    }

    /// Adds a piece, given what it and those before it [bar](Position::bars). Of each kind, the lines through its cell that
    /// change are those that the nearest pieces which bar the kind leave room for.
    fn add(&mut self, frame: Frame, cell: u32, bars: u8, before: impl Fn(u32) -> u8) {
        let win = frame.win as usize;
        for (step, [behind, ahead]) in
            frame.steps().into_iter().zip(frame.room(cell)).take(frame.directions())
        {
            let length = (behind + ahead + 1) as usize;
            if length < win {
                continue;
            }
            // The pieces among the first so many cells, and where those begin and end that don't bar a kind.
            let mut pieces = [0_u8; 2 * MAX_SIDE as usize];
            let mut clear = [[0, length]; KINDS];
            for i in 0..length {
                let found =
                    if i == behind as usize { 0 } else { before(cell - behind * step + i as u32 * step) };
                pieces[i + 1] = pieces[i] + u8::from(found != 0);
                if found != 0 {
                    for (kind, [start, end]) in clear.iter_mut().enumerate() {
                        if found >> kind & 1 != 0 {
                            *start = if i < behind as usize { i + 1 } else { *start };
                            *end = if i < behind as usize { *end } else { i.min(*end) };
                        }
                    }
                }
            }
            for (kind, [start, end]) in clear.into_iter().enumerate() {
                for from in start..(end + 1).saturating_sub(win) {
                    let count = usize::from(pieces[from + win] - pieces[from]);
                    let worth = if bars >> kind & 1 == 0 { WORTH[count + 1] } else { 0 };
                    self.0[kind] += worth - WORTH[count];
                }
            }
        }
    }
}

impl Frame {
    /// In each direction of the [`Frame::steps`], how many cells before and after this one share a line with it.
    fn room(self, cell: u32) -> [[u32; 2]; 4] {
        let Frame { rows, cols, win } = self;
        let [row, column] = [cell % (rows + 1), cell / (rows + 1)];
        let [above, right] = [rows - 1 - row, cols - 1 - column];
        let within = |before: u32, after: u32| [before.min(win - 1), after.min(win - 1)];
        let [upright, level] = [within(row, above), within(column, right)];
        match (win <= rows, win <= cols) {
            (true, true) => {
                let rising = within(row.min(column), above.min(right));
                [upright, level, rising, within(above.min(column), row.min(right))]
            }
            (true, false) => [upright; 4],
            (false, _) => [level; 4],
        }
    }
}
