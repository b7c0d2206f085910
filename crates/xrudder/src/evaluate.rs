use game::{Evaluate, Game, Side};

use crate::census::Prospects;
use crate::geometry::Cells;
use crate::position::{Move, Position};

/// Worth of an X without an opposing token, by the number of own tokens in it.
const WORTH: [i32; 4] = [1, 5, 18, 60];

/// Worth of a complete X that is crossed: it ties two opposing tokens down.
const CROSSED_X: i32 = 40;

/// Value of having a win in one, and of facing one that cannot be answered.
const WIN_NEXT: i32 = 18_000;
const LOSS_NEXT: i32 = -17_000;

/// Price of having to answer a threat.
const TEMPO: i32 = 30;

/// Bound of everything but wins and losses.
const QUIET: i32 = 15_000;

impl<B: Cells> Evaluate for Position<B> {
    /// Sees wins in one and threats that cannot be answered. Otherwise adds up the X's that can still be made, half for
    /// those that a single further token would cross, and the value of tokens held back: if nobody wins, whoever has
    /// more of them at the end places several in a row while the other passes.
    fn evaluate(&self) -> i32 {
        let side = self.side_to_move();
        let [own, foe] = in_turn(side, Prospects::of_both(self));
        if self.completable(side, own.threats(), self.moves_left()) != B::EMPTY {
            return WIN_NEXT;
        }
        let value =
            |prospects: &Prospects<B>| prospects.weigh(&WORTH) + CROSSED_X * prospects.complete() as i32;
        let mut value = value(&own) - value(&foe) + self.reserve();
        // The mover may use up the last token move.
        let dangers = self.completable(side.other(), foe.threats(), self.moves_left().saturating_sub(1));
        if dangers != B::EMPTY {
            if !self.can_reach(side, self.answers(side, dangers)) {
                return LOSS_NEXT;
            }
            value -= TEMPO;
        }
        value.clamp(-QUIET, QUIET)
    }

    fn order_hint(&self, m: Move) -> i32 {
        let Some(to) = self.destination(m) else { return 0 };
        let (own, tokens) =
            (self.tokens(self.side_to_move()), self.tokens(Side::First) | self.tokens(Side::Second));
        let weight = |cell: u16| {
            let near = self.geometry().around[usize::from(cell)].partners & tokens;
            if near == B::EMPTY { 0 } else { (3 * near.count() + (near & own).count()) as i32 }
        };
        match m {
            Move::Step { from, .. } => weight(to) - weight(from) + 2,
            _ => weight(to),
        }
    }

    fn history_size(&self) -> usize {
        9 * (self.rows() * self.cols()) as usize + 1
    }

    /// Placements, then token moves by cell and direction, then the pass.
    fn history_index(&self, m: Move) -> usize {
        let cells = (self.rows() * self.cols()) as usize;
        match m {
            Move::Place(cell) => usize::from(cell),
            Move::Step { from, direction } => cells + usize::from(from) * 8 + direction.index(),
            Move::Pass => 9 * cells,
        }
    }

    /// Each action uses up a token or a token move, and no two passes follow each other.
    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() {
            return 0;
        }
        let hands: u32 = Side::BOTH.into_iter().map(|side| u32::from(self.hand(side))).sum();
        let actions = hands.min(self.empty().count()) + u32::from(self.moves_left());
        2 * actions - u32::from(self.can_act(self.side_to_move()))
    }
}

impl<B: Cells> Position<B> {
    /// Those of these X's, each of which lacks one token of `side`, that it could complete in one action, with
    /// `moves_left` token moves left.
    #[inline]
    fn completable(&self, side: Side, threats: B, moves_left: u16) -> B {
        if self.hand(side) > 0 || threats == B::EMPTY {
            return threats;
        }
        if moves_left == 0 {
            return B::EMPTY;
        }
        let has_mover = |&centre: &u32| {
            let x = self.x(centre);
            self.geometry().spread(x & self.empty()) & self.tokens(side) & !x != B::EMPTY
        };
        threats.members().filter(has_mover).fold(B::EMPTY, |set, centre| set.insert(centre, 1))
    }

    /// The empty cells on which a token of `side` would stop each of these X's of its opponent.
    fn answers(&self, side: Side, threats: B) -> B {
        let empty = self.empty();
        threats.members().fold(empty, |answers, centre| {
            let sides = self.geometry().around[centre as usize].sides;
            let crossing = if sides & self.tokens(side) == B::EMPTY { B::EMPTY } else { sides };
            answers & (self.x(centre) | crossing)
        })
    }

    /// Whether `side` can bring a token to one of these empty cells.
    fn can_reach(&self, side: Side, cells: B) -> bool {
        cells != B::EMPTY
            && (self.hand(side) > 0
                || self.moves_left() > 0 && self.geometry().spread(cells) & self.tokens(side) != B::EMPTY)
    }

    /// The five cells of the X around a centre.
    fn x(&self, centre: u32) -> B {
        self.geometry().around[centre as usize].diagonals.insert(centre, 1)
    }

    /// The value of the tokens that the mover has held back more than its opponent; it grows as supplies run out.
    fn reserve(&self) -> i32 {
        let [own, foe] =
            [self.side_to_move(), self.side_to_move().other()].map(|side| i32::from(self.hand(side)));
        (own - foe) * (10 + 600 / (10 + own.min(foe) + i32::from(self.moves_left())))
    }
}

/// The mover's and the opponent's of a pair.
fn in_turn<T>(side: Side, pair: [T; 2]) -> [T; 2] {
    let [first, second] = pair;
    match side {
        Side::First => [first, second],
        Side::Second => [second, first],
    }
}
