use bits::Bits;
use game::{Evaluate, Game, Side};

use crate::piece::{Move, Shape};
use crate::position::{Frame, Position};

/// Planes of a bit-sliced counter that reaches the longest line, 50.
const PLANES: usize = 6;

/// What a threat is worth: an empty cell where a piece would complete a line.
const THREAT: i32 = 20;

/// The value of a threat that the mover can carry out now.
const WON: i32 = 2000;

/// The value, for the mover, of more than one threat that cannot be parried.
const LOST: i32 = -1500;

impl<B: Bits> Evaluate for Position<B> {
    /// Counts lines that can still be completed: those of a colour without a piece of the other, those of a shape
    /// without a piece of the other, with what is left in stock. In such a line every piece counts, so one bit-sliced
    /// count of the pieces in each window serves all four kinds. A line of `n` pieces weighs about `n²`.
    ///
    /// The empty cells of lines that lack one piece are threats. Where a piece can land on one now, the mover's decides
    /// the game, and so do two of the opponent's, one above the other or both within reach.
    fn evaluate(&self) -> i32 {
        self.with_frame(
            #[inline(always)]
            |frame| self.value(frame),
        )
    }

    fn order_hint(&self, m: Move) -> i32 {
        let centre = (2 * i32::from(m.column) + 1 - self.cols() as i32).abs();
        let own = if m.shape == Shape::of(self.side_to_move()) { 3 } else { 0 };
        own - centre
    }

    fn history_size(&self) -> usize {
        2 * self.cols() as usize
    }

    fn history_index(&self, m: Move) -> usize {
        usize::from(Self::move_bits(m))
    }

    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() {
            return 0;
        }
        let stock = Side::BOTH.map(|side| Shape::BOTH.map(|shape| u32::from(self.stock(side, shape))));
        (self.rows() * self.cols() - self.occupied().count()).min(stock.as_flattened().iter().sum())
    }
}

/// One of the four kinds of line.
struct Kind<B> {
    /// The cells where such a line can lie: empty ones and those with pieces of the kind; none once nobody has such a
    /// piece left.
    open: B,
    /// Whether the side that wins with it has such a piece left.
    owned: bool,
}

#[expect(clippy::inline_always, reason = "only inlined do the constants of the frame take effect")]
impl<B: Bits> Position<B> {
    #[inline(always)]
    fn value(&self, frame: Frame) -> i32 {
        let empty = frame.cells::<B>() & !self.occupied();
        let kinds = Side::BOTH.map(|side| self.kinds(side, empty));
        let mut lines = [0; 2];
        let mut threats = [B::EMPTY; 2];
        for &step in &frame.steps()[..frame.directions()] {
            let windows = Windows::count(self.occupied(), frame.win, step);
            let lacking_one = windows.lacking_one();
            for side in Side::BOTH.map(Side::index) {
                let mut near = B::EMPTY;
                for kind in &kinds[side] {
                    let live = kind.open.runs(frame.win, step);
                    lines[side] += windows.value(live);
                    if kind.owned {
                        near = near | lacking_one & live;
                    }
                }
                threats[side] = threats[side] | near.along(frame.win, step);
            }
        }

        let (mover, other) = (self.side_to_move().index(), self.side_to_move().other().index());
        let [mine, theirs] = [mover, other].map(|side| threats[side] & empty);
        let landing = empty & !empty.raise(1);
        let pressing = theirs & landing;
        if mine & landing != B::EMPTY {
            WON
        } else if pressing.count() + (pressing.raise(1) & theirs).count() > 1 {
            LOST
        } else {
            let [mine, theirs] = [mine, theirs].map(|cells| cells.count() as i32 * THREAT);
            (lines[mover] + mine - lines[other] - theirs).clamp(-Self::LIMIT, Self::LIMIT)
        }
    }

    /// The two kinds of line that `side` wins with: its colour and its shape.
    #[inline(always)]
    fn kinds(&self, side: Side, empty: B) -> [Kind<B>; 2] {
        let shape = Shape::of(side);
        let coloured = Shape::BOTH.iter().any(|&shape| self.stock(side, shape) > 0);
        let [own, others] = [side, side.other()].map(|side| self.stock(side, shape) > 0);
        let open = |cells, possible| if possible { empty | cells } else { B::EMPTY };
        [
            Kind { open: open(self.coloured(side), coloured), owned: true },
            Kind { open: open(self.shaped(shape), own || others), owned: own },
        ]
    }
}

/// For each cell, how many pieces the line that starts there holds: a bit-sliced counter per cell.
struct Windows<B> {
    planes: [B; PLANES],
    length: u32,
}

#[expect(clippy::inline_always, reason = "only inlined do the constants of the frame take effect")]
impl<B: Bits> Windows<B> {
    /// Counts the members of `set` in each run of `length` cells, `step` apart, doubling the run.
    #[inline(always)]
    fn count(set: B, length: u32, step: u32) -> Windows<B> {
        let mut run = Windows { planes: [B::EMPTY; PLANES], length: 1 };
        run.planes[0] = set;
        let mut sum = Windows { planes: [B::EMPTY; PLANES], length: 0 };
        loop {
            if length & run.length != 0 {
                sum.extend(&run, step);
            }
            if 2 * run.length > length {
                return sum;
            }
            let next = Windows { ..run };
            run.extend(&next, step);
        }
    }

    /// Makes the runs longer by those of `next`, which begin where the old ones end.
    #[inline(always)]
    fn extend(&mut self, next: &Windows<B>, step: u32) {
        let distance = self.length * step;
        self.length += next.length;
        let mut carry = B::EMPTY;
        for plane in 0..self.used() {
            let (a, b) = (self.planes[plane], next.planes[plane].lower(distance));
            self.planes[plane] = a ^ b ^ carry;
            carry = a & b | carry & (a ^ b);
        }
    }

    /// Planes that a count up to `length` needs.
    #[inline(always)]
    fn used(&self) -> usize {
        (u32::BITS - self.length.leading_zeros()) as usize
    }

    /// The runs that lack exactly one piece; none if that would leave them empty.
    #[inline(always)]
    fn lacking_one(&self) -> B {
        let count = self.length - 1;
        let all = if count == 0 { B::EMPTY } else { !B::EMPTY };
        let planes = self.planes[..self.used()].iter().enumerate();
        planes.fold(all, |set, (i, &plane)| set & if count >> i & 1 != 0 { plane } else { !plane })
    }

    /// The value of the runs that start at the cells `live`.
    #[inline(always)]
    fn value(&self, live: B) -> i32 {
        // In an unfinished game no run is full, so where its length is a power of two the top plane is empty.
        let used = (u32::BITS - (self.length - 1).leading_zeros()) as usize;
        let planes = self.planes[..used].iter().enumerate();
        planes.map(|(i, &plane)| ((plane & live).count() << (2 * i)) as i32).sum()
    }
}

#[cfg(test)]
mod tests {
    use bits::Wide;
    use game::Notation;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::diagram::Diagram;

    fn position<B: Bits>(fen: &str) -> Position<B> {
        Position::new(&fen.parse::<Diagram>().unwrap())
    }

    fn value(fen: &str) -> i32 {
        position::<u64>(fen).evaluate()
    }

    /// The definition of the value, cell by cell.
    fn by_definition<B: Bits>(position: &Position<B>) -> i32 {
        let (rows, cols, win) = (position.rows() as i32, position.cols() as i32, position.win() as i32);
        let piece = |(row, column): (i32, i32)| position.piece(row as u32, column as u32);
        let mut lines = [0, 0];
        let mut threats = [const { Vec::new() }; 2];
        for (up, right) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in (0..rows).flat_map(|row| (0..cols).map(move |column| (row, column))) {
                let cells: Vec<_> = (0..win).map(|i| (start.0 + i * up, start.1 + i * right)).collect();
                let &(row, column) = cells.last().unwrap();
                if !(0..rows).contains(&row) || !(0..cols).contains(&column) {
                    continue;
                }
                let pieces: Vec<_> = cells.iter().filter_map(|&cell| piece(cell)).collect();
                let count = pieces.len() as i32;
                let gaps = cells.iter().filter(|&&cell| piece(cell).is_none());
                let squares: i32 = (0..6).map(|bit| (count >> bit & 1) << (2 * bit)).sum();
                for side in Side::BOTH {
                    let shape = Shape::of(side);
                    let stock = |side: Side, shape| position.stock(side, shape) > 0;
                    let colour_left = stock(side, Shape::Round) || stock(side, Shape::Square);
                    let shape_left = stock(side, shape) || stock(side.other(), shape);
                    let of_colour = colour_left && pieces.iter().all(|piece| piece.0 == side);
                    let of_shape = shape_left && pieces.iter().all(|piece| piece.1 == shape);
                    lines[side.index()] += squares * (i32::from(of_colour) + i32::from(of_shape));
                    if count > 0 && count == win - 1 && (of_colour || of_shape && stock(side, shape)) {
                        threats[side.index()].extend(gaps.clone());
                    }
                }
            }
        }
        let mover = position.side_to_move().index();
        for cells in &mut threats {
            cells.sort_unstable();
            cells.dedup();
        }
        let landing = |&&(row, column): &&(i32, i32)| position.height(column as u32) as i32 == row;
        let (mine, theirs) = (&threats[mover], &threats[1 - mover]);
        let pressing: Vec<_> = theirs.iter().filter(landing).collect();
        let above = pressing.iter().filter(|cell| theirs.contains(&(cell.0 + 1, cell.1)));
        if mine.iter().any(|cell| landing(&cell)) {
            WON
        } else if pressing.len() + above.count() > 1 {
            LOST
        } else {
            let balance = lines[mover] - lines[1 - mover];
            balance + (mine.len() as i32 - theirs.len() as i32) * THREAT
        }
    }

    #[test]
    fn values_are_those_of_the_definition_on_every_width() {
        let mut rng = Pcg64::seed_from_u64(11);
        for start in [
            "7/7/7/7/7/7 w 10,11,10,11 4",
            "7/7/7/7/7/7 w 3,11,3,11 4",
            "4/4/4/4/4 w 5,5,5,5 3",
            "2/2/2/2/2/2/2/2 w 8,8,8,8 5",
            "9/9 w 9,9,9,9 5",
            "8/8/8/8/8/8/8 w 28,28,28,28 6",
        ] {
            for _ in 0..30 {
                let mut narrow = position::<u64>(start);
                while narrow.outcome().is_none() {
                    let fen = narrow.fen();
                    assert_eq!(narrow.evaluate(), by_definition(&narrow), "{fen}");
                    assert_eq!(position::<Wide<3>>(&fen).evaluate(), narrow.evaluate(), "wide {fen}");
                    let moves = narrow.legal_moves();
                    narrow.play_unchecked(moves[rng.next_u64() as usize % moves.len()]);
                }
            }
        }
    }

    #[test]
    fn a_line_counts_once_where_it_fits_one_direction() {
        // Two upright windows of four, in a column of five; the piece in the first of them counts by colour and shape.
        assert_eq!(value("1/1/1/1/w r 2,3,3,3 4"), -2);
        assert_eq!(value("w4 r 2,3,3,3 4"), -2);
    }

    #[test]
    fn threats_decide_when_a_piece_can_land_there() {
        // Three white round pieces, with room on one side: enough for White to move.
        assert_eq!(value("7/7/7/7/7/Rwww1RR w 7,11,10,8 4"), WON);
        // With room on both sides Red can't parry; with room on one he can.
        assert_eq!(value("7/7/7/7/7/1www1RR r 7,11,10,9 4"), LOST);
        assert!(value("7/7/7/7/7/Rwww2R r 7,11,10,9 4") > LOST);
    }
}
