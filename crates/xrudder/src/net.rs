//! The evaluation of the board everybody plays, 10x12 with up to 15 tokens a side and 30 token moves: a
//! [small neural network](game::net).
//!
//! Its inputs are facts that hold or don't: how the seven cells that matter to an X look, one pattern for each centre, wherever
//! it lies; how many tokens the hands hold; how many token moves are left, and to whose turn. Patterns that mirror each
//! other share their weights. Each unit sees the position as the first side does and has a twin that sees it as the second
//! does, whose weight is the opposite: a position with the sides exchanged has the opposite value. A search carries the
//! patterns along and what they add up to.
//!
//! The numbers come from self-play, by the example `fit` of the crate `search`.

use game::net::{self, Aligned, ONE};
use game::{Game, Side};

use crate::geometry::Cells;
use crate::position::Position;

/// Units without their twins.
pub const UNITS: usize = 8;

const ROWS_OF_BOARD: u32 = 10;
const COLS: u32 = 12;
/// Sizes of a hand that are told apart, from 0 on.
const HANDS: usize = 16;
/// Numbers of token moves left that are told apart, from 0 on.
const MOVES: usize = 31;

/// The patterns, which are the first inputs: a digit to base 3 for each of seven cells.
pub const PATTERNS: usize = 3_usize.pow(7);
/// First input of each other kind. Both hands: as many for each of the first side's as there are of the second's.
const HAND: usize = PATTERNS;
/// Token moves left, by the side to move.
const MOVE: usize = HAND + HANDS * HANDS;

/// Number of inputs.
pub const INPUTS: usize = MOVE + 2 * MOVES;

/// Rows of the network: that of each input, then that of the output.
pub const ROWS: usize = INPUTS + 1;

static NET: [[i16; UNITS]; ROWS] = net::rows(include_bytes!("../weights/10x12.bin"));

/// The rows of the inputs, the second half of each for the twins.
static WEIGHTS: Aligned<[[i16; 2 * UNITS]; INPUTS]> = Aligned({
    let mut rows = [[0; 2 * UNITS]; INPUTS];
    let mut input = 0;
    while input < INPUTS {
        let (row, twin) = (NET[input], NET[swapped(input)]);
        let mut unit = 0;
        while unit < UNITS {
            rows[input][unit] = row[unit];
            rows[input][UNITS + unit] = twin[unit];
            unit += 1;
        }
        input += 1;
    }
    rows
});

/// The weights of the output.
static OUTPUT: Aligned<[i16; UNITS]> = Aligned(NET[INPUTS]);

/// The input that says this of a position, said of the one with the sides exchanged.
pub const fn swapped(input: usize) -> usize {
    if input < PATTERNS {
        // Of the digits of a number, 1 and 2 change places.
        let (mut swapped, mut place) = (0, 1);
        while place < PATTERNS {
            swapped += (3 - input / place % 3) % 3 * place;
            place *= 3;
        }
        swapped
    } else if input < MOVE {
        let hands = input - HAND;
        HAND + hands % HANDS * HANDS + hands / HANDS
    } else {
        MOVE + (input - MOVE + MOVES) % (2 * MOVES)
    }
}

/// The inputs that say this of the board upside down, and of the board mirrored from left to right.
pub const fn mirrored(input: usize) -> [usize; 2] {
    const fn rearranged(pattern: usize, places: [u32; 7]) -> usize {
        let (mut rearranged, mut cell) = (0, 0);
        while cell < 7 {
            rearranged += pattern / 3_usize.pow(places[cell as usize]) % 3 * 3_usize.pow(cell);
            cell += 1;
        }
        rearranged
    }
    if input < PATTERNS {
        [rearranged(input, [1, 0, 3, 2, 4, 5, 6]), rearranged(input, [2, 3, 0, 1, 6, 5, 4])]
    } else {
        [input; 2]
    }
}

/// Where the seven cells of a pattern lie, counted from the centre: down and left, up and left, down and right, up and right;
/// left, the centre, right. As (rows up, columns right).
const PLACES: [(i32, i32); 7] = [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 0), (0, 1)];

/// Number of the cells that can be the centre of an X: all but those on the edge.
const CENTRES: usize = ((ROWS_OF_BOARD - 2) * (COLS - 2)) as usize;

/// A cell's part in one of the patterns around it.
#[derive(Clone, Copy)]
struct Part {
    /// The number of the centre, along the rows; [`CENTRES`] where there is none.
    centre: u8,
    /// What the cell's digit counts in the pattern; 0 where there is none.
    power: u16,
}

/// For each cell its parts in the patterns around the centres that it is beside.
static PARTS: [[Part; 7]; (ROWS_OF_BOARD * COLS) as usize] = {
    let mut parts = [[Part { centre: CENTRES as u8, power: 0 }; 7]; (ROWS_OF_BOARD * COLS) as usize];
    let mut i = 0;
    while i < parts.len() * 7 {
        let (cell, place) = (i / 7, i % 7);
        let row = (cell as u32 / COLS).wrapping_add_signed(-PLACES[place].0);
        let col = (cell as u32 % COLS).wrapping_add_signed(-PLACES[place].1);
        if row > 0 && row < ROWS_OF_BOARD - 1 && col > 0 && col < COLS - 1 {
            let centre = ((row - 1) * (COLS - 2) + col - 1) as u8;
            parts[cell][place] = Part { centre, power: 3_u16.pow(place as u32) };
        }
        i += 1;
    }
    parts
};

impl<B: Cells> Position<B> {
    /// Whether the network was made for games like this one.
    pub fn suits_net(&self) -> bool {
        (self.rows(), self.cols()) == (ROWS_OF_BOARD, COLS)
            && Side::BOTH.into_iter().all(|side| usize::from(self.hand(side)) < HANDS)
            && usize::from(self.moves_left()) < MOVES
    }

    /// Hands out the inputs that hold, patterns as often as they do, those without a token left out. Only for positions that suit.
    pub fn for_each_input(&self, mut f: impl FnMut(usize)) {
        self.patterns().into_iter().filter(|&pattern| pattern > 0).for_each(|pattern| f(pattern.into()));
        self.supplies().into_iter().for_each(f);
    }

    /// The pattern around each centre, and one place for what is part of none.
    fn patterns(&self) -> [u16; CENTRES + 1] {
        let mut patterns = [0; CENTRES + 1];
        for side in Side::BOTH {
            for cell in self.tokens(side).members() {
                for Part { centre, power } in PARTS[cell as usize] {
                    patterns[usize::from(centre)] += (side.index() as u16 + 1) * power;
                }
            }
        }
        patterns
    }

    /// The inputs of the hands and of the token moves.
    fn supplies(&self) -> [usize; 2] {
        let [first, second] = Side::BOTH.map(|side| usize::from(self.hand(side)));
        let moves = self.side_to_move().index() * MOVES + usize::from(self.moves_left());
        [HAND + first * HANDS + second, MOVE + moves]
    }
}

/// The patterns of a position and what they add up to. A move changes few of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    /// For each unit and then for each twin.
    units: [i16; 2 * UNITS],
    patterns: [u16; CENTRES + 1],
}

impl Sums {
    /// The sums of a position that suits.
    pub(crate) fn of<B: Cells>(position: &Position<B>) -> Sums {
        let (mut units, patterns) = ([0; 2 * UNITS], position.patterns());
        for pattern in patterns {
            net::add(&mut units, &WEIGHTS.0[usize::from(pattern)]);
        }
        Sums { units, patterns }
    }

    /// Makes the sums of the position `before` a move those of `position`, which it has led to.
    #[inline]
    pub(crate) fn follow<B: Cells>(&mut self, before: &Position<B>, position: &Position<B>) {
        let side = before.side_to_move();
        let digit = side.index() as u16 + 1;
        let [old, new] = [before, position].map(|position| position.tokens(side));
        for cell in (new & !old).members() {
            self.exchange(cell, digit);
        }
        for cell in (old & !new).members() {
            self.exchange(cell, digit.wrapping_neg());
        }
    }

    /// Adds a number to the digit of a cell in all patterns that it is part of.
    // No branch tells what is part of none: it is hard to foresee, and the pattern without tokens has no weight.
    #[expect(clippy::inline_always, reason = "the sums stay in registers")]
    #[inline(always)]
    fn exchange(&mut self, cell: u32, digit: u16) {
        let mut units = self.units;
        for Part { centre, power } in PARTS[cell as usize] {
            let pattern = &mut self.patterns[usize::from(centre)];
            net::subtract(&mut units, &WEIGHTS.0[usize::from(*pattern)]);
            *pattern = pattern.wrapping_add(digit.wrapping_mul(power));
            net::add(&mut units, &WEIGHTS.0[usize::from(*pattern)]);
        }
        self.units = units;
    }

    /// The network's value of a position with these sums, for the side to move: a hundred times the logarithm of the odds to
    /// win.
    // Apart from its callers, among which the compiler does not always find the instructions meant below.
    #[inline(never)]
    pub(crate) fn value<B: Cells>(&self, position: &Position<B>) -> i32 {
        let mut units = self.units;
        for input in position.supplies() {
            net::add(&mut units, &WEIGHTS.0[input]);
        }
        let [units, twins] = units.as_chunks::<UNITS>().0 else { unreachable!("two halves") };
        let mut given = [0; UNITS];
        for ((given, &unit), &twin) in given.iter_mut().zip(units).zip(twins) {
            *given = unit.clamp(0, ONE) - twin.clamp(0, ONE);
        }
        let given = given.iter().zip(&OUTPUT.0);
        let first: i32 = given.map(|(&given, &weight)| i32::from(given) * i32::from(weight)).sum();
        let first = first / i32::from(ONE);
        if position.side_to_move() == Side::First { first } else { -first }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use game::{Evaluate, Family, Notation};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::XRudder;
    use crate::diagram::Diagram;

    #[test]
    fn no_sum_overflows() {
        let bound = |unit: usize| {
            let most = |inputs: Range<usize>| {
                inputs.map(|input| i32::from(WEIGHTS.0[input][unit]).abs()).max().unwrap_or(0)
            };
            let centres = ((ROWS_OF_BOARD - 2) * (COLS - 2)) as i32;
            centres * most(0..PATTERNS) + most(HAND..MOVE) + most(MOVE..INPUTS)
        };
        assert!((0..2 * UNITS).map(bound).max() <= Some(i32::from(i16::MAX)));
    }

    #[test]
    fn the_usual_game_suits() {
        for (fen, suits) in [
            ("12/12/12/12/12/12/12/12/12/12 x 15 15 30", true),
            ("12/12/12/5x6/12/12/12/12/12/12 o 2 0 0", true),
            ("12/12/12/12/12/12/12/12/12/12 x 15 16 30", false),
            ("12/12/12/12/12/12/12/12/12/12 x 15 15 31", false),
            ("10/10/10/10/10/10/10/10/10/10/10/10 x 15 15 30", false),
        ] {
            let position = Position::<u128>::from_fen(fen).expect("a good position");
            assert_eq!((position.suits_net(), position.memo().is_some()), (suits, suits), "{fen}");
        }
    }

    #[test]
    fn mirror_images_share_their_weights() {
        for (input, row) in NET[..INPUTS].iter().enumerate() {
            assert_eq!(swapped(swapped(input)), input);
            for (turn, image) in mirrored(input).into_iter().enumerate() {
                assert_eq!(mirrored(image)[turn], input);
                assert_eq!(&NET[image], row);
            }
        }
        assert_eq!(NET[0], [0; UNITS], "no tokens, no weight");
    }

    /// The board upside down or mirrored, the sides exchanged or not.
    fn image(position: &Position<u128>, [down, left, swap]: [bool; 3]) -> Position<u128> {
        let to = |index: u32, count: u32, turn: bool| if turn { count - 1 - index } else { index };
        let of = |side: Side| if swap { side.other() } else { side };
        let (rows, cols) = (position.rows(), position.cols());
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let token = |(row, col)| {
            let side = position.token(row, col)?;
            Some((to(row, rows, down), to(col, cols, left), of(side)))
        };
        Position::new(&Diagram {
            rows,
            cols,
            side: of(position.side_to_move()),
            hands: Side::BOTH.map(|side| position.hand(of(side))),
            moves_left: position.moves_left(),
            tokens: cells.filter_map(token).collect(),
        })
    }

    /// Calls `f` with each position of random games, the supplies random too, and the one before.
    fn play(mut f: impl FnMut(&Position<u128>, &Position<u128>)) {
        let mut start = Diagram::start(&XRudder::setup(&[]).expect("a good set-up"));
        let mut rng = Pcg64::seed_from_u64(5);
        for _ in 0..60 {
            start.hands = [(); 2].map(|()| rng.random_range(0..HANDS as u16));
            start.moves_left = rng.random_range(0..MOVES as u16);
            let mut position = Position::<u128>::new(&start);
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let next = position.play(moves[rng.random_range(0..moves.len() as u32) as usize]);
                f(&position, &next);
                position = next;
            }
        }
    }

    #[test]
    fn sums_carried_along_are_those_computed_afresh() {
        let (mut steps, mut passes) = (0, 0);
        play(|before, position| {
            let memo = before.memo();
            let mut kept = memo;
            position.keep_memo(&mut kept, before, &memo);
            assert_eq!(kept, position.memo(), "{before:?} and {position:?}");
            steps += u32::from(before.moves_left() > position.moves_left());
            passes += u32::from(
                before.supplies()[0] == position.supplies()[0]
                    && before.moves_left() == position.moves_left(),
            );
        });
        assert!(steps > 100 && passes > 10, "{steps} {passes}");
    }

    #[test]
    fn images_have_the_same_value_and_exchanged_sides_too() {
        play(|_, position| {
            for turns in 0..8 {
                let image = image(position, [0, 1, 2].map(|bit| turns >> bit & 1 > 0));
                assert!(image.suits_net());
                assert_eq!(image.evaluate(), position.evaluate(), "{position:?} and {image:?}");
            }
        });
    }
}
