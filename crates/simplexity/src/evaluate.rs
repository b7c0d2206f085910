use bits::Bits;
use game::{Evaluate, Game, Level, Side, Tactics};

use crate::net::Sums;
use crate::piece::{Move, Shape};
use crate::position::Position;
use crate::promise::Promise;

game::weights! {
    /// The constants of the evaluation on boards that the network doesn't suit, and of the order of moves on all.
    pub struct Weights {
        /// What a threat is worth: an empty cell where a piece would complete a line.
        threat "Threat" = 10 in 0..=400;
        /// What a piece of the own shape is worth while it is in stock, far from the end: it fits lines of both kinds, the
        /// other only the colour's. So many tenths, times the square root of the number of lines through a cell; more of them
        /// than moves are left are worth nothing.
        in_stock "InStock" = 70 in 0..=1000;
        /// What it is worth close to the end, in percent of that, if no other move left can be made with one; otherwise as much
        /// less as the square of the share of moves that must be made with others.
        scarcity "Scarcity" = 380 in 0..=5000;
        /// How many moves a side has left halfway between far from the end and close to it.
        span "Span" = 40 in 1..=1000;
        /// What winning the waiting game is worth on a full board, on others as much less as they are emptier: so many
        /// hundredths of what a complete line promises, the square of its length.
        waiting "Waiting" = 1200 in 0..=8000;
        /// What moves with the own shape are raised by.
        hint_own "HintOwn" = 3 in -100..=100;
        /// What half a column between a move and the middle takes from it.
        hint_centre "HintCentre" = 1 in 0..=100;
    }
}

/// What is kept of a position: the sums of the network where it suits the game, otherwise what the lines promise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Memo {
    /// The sums.
    Net(Sums),
    /// The promise.
    Lines(Promise),
}

impl<B: Bits> Evaluate for Position<B> {
    type Memo = Memo;
    type Weights = Weights;

    const NEAR: u32 = 2;
    const STEADY: bool = true;

    /// Where seven columns are all there is to choose among, what a level misses makes more of a difference than how few
    /// nodes it searches.
    const LEVELS: [Level; 9] = [
        Level::new(10, 450, 1_000, 84_000),
        Level::new(17, 290, 1_000, 18_000),
        Level::new(38, 100, 380, 3_000),
        Level::new(72, 54, 140, 1_400),
        Level::new(200, 21, 26, 440),
        Level::new(600, 9, 6, 130),
        Level::new(3_200, 3, 1, 23),
        Level::new(13_000, 2, 0, 6),
        Level::new(140_000, 1, 0, 1),
    ];

    fn memo(&self) -> Memo {
        if self.suits_net() { Memo::Net(Sums::of(self)) } else { Memo::Lines(Promise::of(self)) }
    }

    #[expect(clippy::inline_always, reason = "the sums go from memory to memory through registers")]
    #[inline(always)]
    fn keep_memo(&self, memo: &mut Memo, before: &Self, before_memo: &Memo) {
        *memo = match before_memo {
            Memo::Net(sums) => Memo::Net(sums.after(before, self)),
            Memo::Lines(promise) => Memo::Lines(promise.after(before, self)),
        };
    }

    /// On the usual board the value of [`crate::net`]; on all others of lines, threats, stocks and waiting.
    #[expect(clippy::inline_always, reason = "the sums were just computed")]
    #[inline(always)]
    fn evaluate_with(&self, memo: &Memo, weights: &Weights) -> i32 {
        let value = match memo {
            Memo::Net(sums) => sums.value(self.side_to_move()),
            Memo::Lines(promise) => self.line_value(promise, *weights),
        };
        value.clamp(-Self::LIMIT, Self::LIMIT)
    }

    /// A cell within reach where a piece completes a line wins for the mover; where it does for the opponent, only its
    /// column saves the game, and of two such cells none does.
    #[expect(clippy::inline_always, reason = "what was just played is still in registers")]
    #[inline(always)]
    fn tactics(&self, mut replies: impl FnMut(Move)) -> Tactics<Move> {
        let landing = self.empty() & !self.empty().raise(1);
        let [mover, other] = [self.side_to_move(), self.side_to_move().other()];
        let (own, foreign) = (Shape::of(mover), Shape::of(other));
        let [has_own, has_foreign] = self.has(mover);
        let at = |cells: B| (cells & landing).members().next();
        let column = |cell: u32| (cell / (self.rows() + 1)) as u8;

        let by_own = self.completing_colour(mover) | self.completing_shape(own);
        if has_own && let Some(cell) = at(by_own) {
            return Tactics::Win(Move { column: column(cell), shape: own });
        }
        // A line of the piece's shape goes before one of its colour.
        let by_foreign = self.completing_colour(mover) & !self.completing_shape(foreign);
        if has_foreign && let Some(cell) = at(by_foreign) {
            return Tactics::Win(Move { column: column(cell), shape: foreign });
        }
        // An opponent without pieces of his own shape may complete a line of ours with his.
        let threats = self.completing_colour(other) | self.completing_shape(foreign);
        let [has_threat, _] = self.has(other);
        let Some(cell) = at(threats).filter(|_| has_threat) else { return Tactics::Open };
        let own_goal = self.completing_shape(foreign).test(cell);
        let mut tactics = Tactics::Open;
        for (shape, possible) in [(own, has_own), (foreign, has_foreign && !own_goal)] {
            if possible {
                replies(Move { column: column(cell), shape });
                tactics = Tactics::Forced;
            }
        }
        tactics
    }

    fn order_hint(&self, m: Move, weights: &Weights) -> i32 {
        let centre = (2 * i32::from(m.column) + 1 - self.cols() as i32).abs();
        let own = if m.shape == Shape::of(self.side_to_move()) { weights.hint_own } else { 0 };
        own - weights.hint_centre * centre
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
        (self.rows() * self.cols() - self.occupied().count()).min(self.pieces_left())
    }
}

impl<B: Bits> Position<B> {
    /// The pieces of both sides in stock.
    pub(crate) fn pieces_left(&self) -> u32 {
        let stock = Side::BOTH.map(|side| Shape::BOTH.map(|shape| u32::from(self.stock(side, shape))));
        stock.as_flattened().iter().sum()
    }

    /// What the lines promise, those of a colour or a shape that nobody has left nothing; besides, threats are worth
    /// something, the pieces of the own shape still in stock, near the end by how scarce they are, and who
    /// [wins by waiting](Position::wins_waiting).
    #[inline(never)]
    fn line_value(&self, promise: &Promise, weights: Weights) -> i32 {
        let cells = (self.rows() * self.cols()) as i32;
        let filled = self.occupied().count() as i32;
        // Of each side.
        let moves_left = self.max_plies_left() as i32 / 2;
        let threats = self.winning_cells();
        let mut values = Side::BOTH.map(|side| {
            let shape = Shape::of(side);
            let [has_colour, has_shape] =
                [self.has(side), Side::BOTH.map(|side| self.stock(side, shape) > 0)];
            let worth = |kind: usize, has: [bool; 2]| if has[0] || has[1] { promise.0[kind] } else { 0 };
            let lines = worth(side.index(), has_colour) + worth(2 + shape.index(), has_shape);
            let threats = threats[side.index()].count() as i32;
            let own = i32::from(self.stock(side, shape)).min(moves_left);
            lines + threats * weights.threat + self.stock_value(own, moves_left, weights)
        });
        if threats != [B::EMPTY; 2]
            && let Some(side) = self.wins_waiting(threats)
        {
            let line = (self.frame().win * self.frame().win) as i32;
            values[side.index()] += weights.waiting * line / 100 * filled / cells;
        }
        let [first, second] = values;
        if self.side_to_move() == Side::First { first - second } else { second - first }
    }

    /// What so many pieces of the own shape in stock are worth to a side with so many moves left.
    fn stock_value(&self, own: i32, moves_left: i32, weights: Weights) -> i32 {
        let frame = self.frame();
        let per_cell = 100 * frame.lines() * frame.win / (frame.rows * frame.cols);
        let price = i64::from(per_cell.isqrt()) * i64::from(weights.in_stock);
        let [own, left, span] = [own, moves_left.max(1), weights.span].map(i64::from);
        let others = left - own;
        // Each next piece leaves one other fewer: the sum of the squares of their shares.
        let close = i64::from(weights.scarcity) * span * (left.pow(3) - others.pow(3)) / (3 * left * left);
        let percent = (100 * own * left + close) / (span + left);
        (price * percent / 10_000) as i32
    }

    /// For White and for Red, the empty cells where a piece of theirs completes a line of theirs.
    #[inline]
    pub(crate) fn winning_cells(&self) -> [B; 2] {
        Side::BOTH.map(|side| {
            let shape = Shape::of(side);
            let by_shape = if self.stock(side, shape) > 0 { self.completing_shape(shape) } else { B::EMPTY };
            self.completing_colour(side) | by_shape
        })
    }
}

#[cfg(test)]
mod tests {
    use bits::Wide;
    use game::Notation;
    use game::conformance::check_tactics;
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

    /// The definition of what the lines promise, cell by cell.
    fn by_definition<B: Bits>(position: &Position<B>) -> i32 {
        let (rows, cols, win) = (position.rows() as i32, position.cols() as i32, position.win() as i32);
        let piece = |(row, column): (i32, i32)| position.piece(row as u32, column as u32);
        let mut lines = [0, 0];
        let mut threats = [const { Vec::<(i32, i32)>::new() }; 2];
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
                    let coloured = pieces.iter().all(|piece| piece.0 == side);
                    let shaped = pieces.iter().all(|piece| piece.1 == shape);
                    let of_colour = colour_left && coloured;
                    let of_shape = shape_left && shaped;
                    lines[side.index()] += squares * (i32::from(of_colour) + i32::from(of_shape));
                    if count == win - 1 && (coloured || shaped && stock(side, shape)) {
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
        let balance = lines[mover] - lines[1 - mover];
        let weights = Weights::default();
        let empty = rows * cols - position.occupied().count() as i32;
        let in_stock = |side| {
            let left = empty.min(position.pieces_left() as i32) / 2;
            let own = i32::from(position.stock(side, Shape::of(side))).min(left);
            position.stock_value(own, left, weights)
        };
        let full = |side: Side| {
            let sign = if side == position.side_to_move() { 1 } else { -1 };
            sign * (weights.waiting * win * win / 100 * position.occupied().count() as i32 / (rows * cols))
        };
        balance
            + position.wins_waiting(position.winning_cells()).map_or(0, full)
            + (threats[mover].len() as i32 - threats[1 - mover].len() as i32) * weights.threat
            + in_stock(Side::BOTH[mover])
            - in_stock(Side::BOTH[1 - mover])
    }

    #[test]
    fn line_values_are_those_of_the_definition_on_every_width() {
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
                    assert_eq!(
                        narrow.line_value(&Promise::of(&narrow), Weights::default()),
                        by_definition(&narrow),
                        "{fen}"
                    );
                    let wide = position::<Wide<3>>(&fen);
                    assert_eq!(
                        wide.line_value(&Promise::of(&wide), Weights::default()),
                        by_definition(&narrow),
                        "wide {fen}"
                    );
                    assert_eq!(wide.evaluate(), narrow.evaluate(), "wide {fen}");
                    let moves = narrow.legal_moves();
                    narrow.play_unchecked(moves[rng.next_u64() as usize % moves.len()]);
                }
            }
        }
    }

    #[test]
    fn a_line_counts_once_where_it_fits_one_direction() {
        // Two upright windows of four, in a column of five; the piece in the first of them counts by colour and shape.
        // White has one piece of his shape less in stock, of which each can play but two.
        assert_eq!(value("1/1/1/1/w r 2,3,3,3 4"), -2);
        assert_eq!(value("w4 r 2,3,3,3 4"), -2);
    }

    #[test]
    fn scarce_pieces_are_dearer() {
        // A piece is worth 14.7 far from the end, and each side has 12 moves left, of which Red can make all with his own,
        // worth as much as 14.46 such pieces; White's 6 are worth as much as 11.61. What Red has beyond 12 is worth nothing.
        assert_eq!(value("5/5/5/5/5 w 6,12,6,12 4"), 170 - 212);
        assert_eq!(value("5/5/5/5/5 w 6,20,6,20 4"), 170 - 212);
    }

    #[test]
    fn each_piece_in_stock_is_worth_less_than_the_one_before() {
        let position = position::<u64>("5/5/5/5/5 w 6,12,6,12 4");
        let weights = Weights::default();
        // The sum of many thin slices in place of the integral.
        let by_slices = |own: i32, left: i32| {
            let per_cell = f64::from(position.frame().lines() * 4) / 25.0;
            let price = f64::from(weights.in_stock) / 10.0 * per_cell.sqrt();
            let slices = 1_000 * own;
            let more = (0..slices).map(|i| (1.0 - (f64::from(i) + 0.5) / 1_000.0 / f64::from(left)).powi(2));
            let span = f64::from(weights.span);
            let scarcity = f64::from(weights.scarcity) / 100.0 * more.sum::<f64>() / 1_000.0;
            let left = f64::from(left);
            price * (f64::from(own) * left + scarcity * span) / (span + left)
        };
        for left in [1, 5, 12] {
            let values: Vec<_> = (0..=left).map(|own| position.stock_value(own, left, weights)).collect();
            for (own, &value) in (0..).zip(&values) {
                assert!((f64::from(value) - by_slices(own, left)).abs() < 2.0 + f64::from(value) / 50.0);
            }
            assert!(values.windows(3).all(|v| v[1] - v[0] >= v[2] - v[1] - 1), "{values:?}");
        }
        assert_eq!(position.stock_value(0, 0, weights), 0);
    }

    #[test]
    fn the_more_lines_the_dearer_are_pieces() {
        for (fen, lines, worth) in [
            ("1/1/1/1/1 w 3,3,3,3 4", 2, 27),
            ("5/5/5/5/5 w 6,7,6,7 4", 28, 48),
            ("9/9/9/9/9/9/9/9 w 18,18,18,18 4", 153, 67),
            ("37/37/37/37/37/37/37/37/37 w 83,84,83,84 5", 812, 79),
        ] {
            let position = position::<Wide<6>>(fen);
            let plain = Weights { scarcity: 0, ..Weights::default() };
            assert_eq!(
                (position.frame().lines(), position.stock_value(10, 20, plain)),
                (lines, worth),
                "{fen}"
            );
        }
    }

    #[test]
    fn the_network_judges_the_usual_game_only() {
        for (fen, suits) in [
            ("7/7/7/7/7/7 w 10,11,10,11 4", true),
            ("7/7/7/7/7/R2w3 w 9,11,10,10 4", true),
            ("7/7/7/7/7/7 w 11,10,11,10 4", false),
            ("7/7/7/7/7/7 w 10,11,10,11 5", false),
            ("7/7/7/7/7/7/7 w 10,11,10,11 4", false),
        ] {
            let position = position::<u64>(fen);
            let expected = if suits {
                Sums::of(&position).value(position.side_to_move())
            } else {
                position.line_value(&Promise::of(&position), Weights::default())
            };
            assert_eq!((position.suits_net(), position.evaluate()), (suits, expected), "{fen}");
        }
    }

    /// What a position says, and the replies it hands out.
    fn tactics(fen: &str) -> (Tactics<Move>, Vec<Move>) {
        let found = check_tactics(&position::<u64>(fen));
        (found.tactics, found.replies)
    }

    fn forced(moves: &[(u8, Shape)]) -> (Tactics<Move>, Vec<Move>) {
        (Tactics::Forced, moves.iter().map(|&(column, shape)| Move { column, shape }).collect())
    }

    #[test]
    fn wins_and_parries_are_seen() {
        use Shape::{Round, Square};
        let wins = |column, shape| (Tactics::Win(Move { column, shape }), vec![]);
        let open = (Tactics::Open, vec![]);
        // Three white round pieces, with room on one side.
        assert_eq!(tactics("7/7/7/7/7/Rwww1RR w 7,11,10,8 4"), wins(4, Round));
        assert_eq!(tactics("7/7/7/7/7/Rwww2R r 7,11,10,9 4"), forced(&[(4, Square)]));
        // A colour of mixed shapes is parried by either shape.
        assert_eq!(tactics("7/7/7/7/7/RwWw2R r 8,10,10,9 4"), forced(&[(4, Square), (4, Round)]));
        // Without rounds White completes his colour with a square, but not where that completes Red's shape.
        assert_eq!(tactics("7/7/7/7/2R4/1WWw1RR w 0,9,1,8 4"), wins(0, Square));
        assert_eq!(tactics("7/7/7/7/2R4/1WWW1RR w 0,8,0,8 4"), open);
        assert_eq!(tactics("7/7/7/7/7/7 w 10,11,10,11 4"), open);
    }

    #[test]
    fn tactics_are_exact() {
        let mut rng = Pcg64::seed_from_u64(17);
        let (mut won, mut forced, mut hopeless) = (0, 0, 0);
        for start in [
            "7/7/7/7/7/7 w 10,11,10,11 4",
            "7/7/7/7/7/7 w 2,19,2,19 4",
            "7/7/7/7/7/7 w 21,0,21,0 4",
            "4/4/4/4/4 w 5,5,5,5 3",
            "3/3/3 w 2,3,2,3 2",
            "2/2/2/2/2/2/2/2 w 8,8,8,8 5",
            "9/9 w 9,9,9,9 5",
            "3/3/3 w 3,3,3,3 1",
        ] {
            for _ in 0..300 {
                let mut position = position::<u64>(start);
                while position.outcome().is_none() {
                    let fen = position.fen();
                    let settled = check_tactics(&position);
                    let found = settled.tactics;
                    assert_eq!(self::position::<Wide<3>>(&fen).tactics(|_| {}), found);
                    match found {
                        Tactics::Open => {}
                        Tactics::Win(_) => won += 1,
                        Tactics::Forced => {
                            forced += 1;
                            hopeless += usize::from(settled.is_hopeless);
                        }
                    }
                    if position.win() > 1 && (0..2).all(|i| position.stock(Side::BOTH[i], Shape::BOTH[i]) > 0)
                    {
                        assert_eq!(settled.wins, matches!(found, Tactics::Win(_)), "{fen}");
                    }
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[(rng.next_u64() % moves.len() as u64) as usize]);
                }
            }
        }
        assert!(won > 1_000 && forced > 1_000 && hopeless > 100, "{won} {forced} {hopeless}");
    }
}
