//! The evaluation: a [small neural network](game::net), the same for all boards.
//!
//! Its inputs are facts that hold or don't: how the seven cells that matter to an X look, one pattern for each centre, wherever
//! it lies; how many tokens the hands hold, up to 15; how many token moves are left, up to 30, and to whose turn. Patterns that
//! mirror each other share their weights. Each unit sees the position as the first side does and has a twin that sees it as
//! the second does, whose weight is the opposite: a position with the sides exchanged has the opposite value. A search
//! carries the patterns along and what they add up to.
//!
//! The numbers come from self-play, by the example `fit` of the crate `search`.

use game::net::{self, Aligned, ONE};
use game::{Game, Side};

use crate::geometry::{Cells, Part};
use crate::position::Position;

/// Units without their twins.
pub const UNITS: usize = 8;

/// Sizes of a hand that are told apart, from 0 on; where one is larger, both count as so many less that it isn't.
const HANDS: usize = 16;
/// Numbers of token moves left that are told apart, from 0 on; more count as the most of them.
const MOVES: usize = 31;

/// The largest weights: of a pattern for each token in it, and of supplies.
const LARGEST: [i16; 2] = [ONE / 4, ONE + ONE / 2];

/// The most tokens of both sides together, so that no sum overflows its 16 bits: each is part of seven patterns at most, and
/// there are two inputs of supplies.
pub const MOST_TOKENS: u32 = ((i16::MAX - 2 * LARGEST[1]) / (7 * LARGEST[0])) as u32;

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

static NET: [[i16; UNITS]; ROWS] = net::rows(include_bytes!("../weights/patterns.bin"));

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

/// The tokens in a pattern.
pub fn tokens_in(pattern: usize) -> usize {
    (0..7).filter(|&cell| !(pattern / 3_usize.pow(cell)).is_multiple_of(3)).count()
}

/// The largest weight of an input, of either sign.
pub fn largest(input: usize) -> i16 {
    if input < PATTERNS { LARGEST[0] * tokens_in(input) as i16 } else { LARGEST[1] }
}

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

impl<B: Cells> Position<B> {
    /// Whether no sums of the network can overflow, as there are few enough tokens, on the board and in the hands.
    pub fn suits_net(&self) -> bool {
        let [first, second] = Side::BOTH.map(|side| u32::from(self.hand(side)) + self.tokens(side).count());
        first + second <= MOST_TOKENS
    }

    /// Hands out the inputs that hold, patterns as often as they do, those without a token left out.
    pub fn for_each_input(&self, mut f: impl FnMut(usize)) {
        self.patterns()
            .as_ref()
            .iter()
            .filter(|&&pattern| pattern > 0)
            .for_each(|&pattern| f(pattern.into()));
        self.supplies().into_iter().for_each(f);
    }

    /// The pattern around each centre, and one place for what is part of none.
    fn patterns(&self) -> B::PerCentre {
        let mut patterns = B::ZEROS;
        for side in Side::BOTH {
            for cell in self.tokens(side).members() {
                for Part { centre, power } in self.geometry().around[cell as usize].parts {
                    patterns.as_mut()[usize::from(centre)] += (side.index() as u16 + 1) * power;
                }
            }
        }
        patterns
    }

    /// The inputs of the hands and of the token moves.
    fn supplies(&self) -> [usize; 2] {
        let hands = Side::BOTH.map(|side| usize::from(self.hand(side)));
        let excess = hands[0].max(hands[1]).saturating_sub(HANDS - 1);
        let [first, second] = hands.map(|hand| hand.saturating_sub(excess));
        let moves = self.side_to_move().index() * MOVES + usize::from(self.moves_left()).min(MOVES - 1);
        [HAND + first * HANDS + second, MOVE + moves]
    }
}

/// The patterns of a position and what they add up to. A move changes few of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums<B: Cells> {
    /// For each unit and then for each twin.
    units: [i16; 2 * UNITS],
    patterns: B::PerCentre,
}

impl<B: Cells> Sums<B> {
    /// The sums of a position that suits.
    pub(crate) fn of(position: &Position<B>) -> Sums<B> {
        let (mut units, patterns) = ([0; 2 * UNITS], position.patterns());
        for &pattern in patterns.as_ref() {
            net::add(&mut units, &WEIGHTS.0[usize::from(pattern)]);
        }
        Sums { units, patterns }
    }

    /// Makes the sums of the position `before` a move those of `position`, which it has led to.
    #[inline]
    pub(crate) fn follow(&mut self, before: &Position<B>, position: &Position<B>) {
        let side = before.side_to_move();
        let digit = side.index() as u16 + 1;
        let [old, new] = [before, position].map(|position| position.tokens(side));
        for cell in (new & !old).members() {
            self.exchange(position, cell, digit);
        }
        for cell in (old & !new).members() {
            self.exchange(position, cell, digit.wrapping_neg());
        }
    }

    /// Adds a number to the digit of a cell in all patterns that it is part of.
    // No branch tells what is part of none: it is hard to foresee, and the pattern without tokens has no weight.
    #[expect(clippy::inline_always, reason = "the sums stay in registers")]
    #[inline(always)]
    fn exchange(&mut self, position: &Position<B>, cell: u32, digit: u16) {
        let mut units = self.units;
        for Part { centre, power } in position.geometry().around[cell as usize].parts {
            let pattern = &mut self.patterns.as_mut()[usize::from(centre)];
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
    pub(crate) fn value(&self, position: &Position<B>) -> i32 {
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
    use bits::Wide;
    use game::Evaluate;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::diagram::Diagram;

    #[test]
    fn no_sum_overflows() {
        for (input, row) in WEIGHTS.0.iter().enumerate() {
            assert!(row.iter().all(|weight| weight.abs() <= largest(input)), "{input}");
        }
    }

    /// An empty board with these supplies.
    fn start(rows: u32, cols: u32, hands: [u16; 2], moves_left: u16) -> Diagram {
        Diagram { rows, cols, side: Side::First, hands, moves_left, tokens: Vec::new() }
    }

    #[test]
    fn all_games_suit_but_those_of_very_many_tokens() {
        for (hands, suits) in [([15, 15], true), ([36, 35], true), ([36, 36], false), ([u16::MAX; 2], false)]
        {
            let position = Position::<Wide<11>>::new(&start(26, 26, hands, 9_999));
            assert_eq!((position.suits_net(), position.memo().is_some()), (suits, suits), "{hands:?}");
        }
    }

    #[test]
    fn large_supplies_count_as_the_largest_known() {
        let inputs = |hands, moves| Position::<u128>::new(&start(10, 12, hands, moves)).supplies();
        assert_eq!(inputs([20, 17], 40), inputs([15, 12], 30));
        assert_eq!(inputs([3, 30], 31), inputs([0, 15], 30));
        assert_ne!(inputs([15, 12], 29), inputs([15, 12], 30));
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
    fn image<B: Cells>(position: &Position<B>, [down, left, swap]: [bool; 3]) -> Position<B> {
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

    /// Calls `f` with each position of random games on a board of that size, the supplies random too, and the one before.
    fn play<B: Cells>(rows: u32, cols: u32, games: u32, mut f: impl FnMut(&Position<B>, &Position<B>)) {
        let mut rng = Pcg64::seed_from_u64(5);
        for _ in 0..games {
            let hands = [(); 2].map(|()| rng.random_range(0..20));
            let mut position = Position::<B>::new(&start(rows, cols, hands, rng.random_range(0..40)));
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let next = position.play(moves[rng.random_range(0..moves.len() as u32) as usize]);
                f(&position, &next);
                position = next;
            }
        }
    }

    /// Compares what is carried along in such games with what is computed afresh; gives the token moves and the passes.
    fn carry<B: Cells>(rows: u32, cols: u32, games: u32) -> [u32; 2] {
        let mut met = [0; 2];
        play::<B>(rows, cols, games, |before, position| {
            let memo = before.memo();
            let mut kept = memo;
            position.keep_memo(&mut kept, before, &memo);
            assert_eq!(kept, position.memo(), "{before:?} and {position:?}");
            met[0] += u32::from(before.moves_left() > position.moves_left());
            met[1] += u32::from(before.empty() == position.empty());
        });
        met
    }

    #[test]
    fn sums_carried_along_are_those_computed_afresh() {
        let [steps, passes] = carry::<u128>(10, 12, 60);
        assert!(steps > 100 && passes > 10, "{steps} {passes}");
        // One cell, no centre, one, as many as a set type has, and the largest board.
        for (rows, cols) in [(1, 1), (2, 9), (3, 3), (9, 14), (16, 8)] {
            carry::<u128>(rows, cols, 20);
        }
        carry::<Wide<11>>(26, 26, 5);
    }

    #[test]
    fn images_have_the_same_value_and_exchanged_sides_too() {
        play::<u128>(10, 12, 60, |_, position| {
            for turns in 0..8 {
                let image = image(position, [0, 1, 2].map(|bit| turns >> bit & 1 > 0));
                assert_eq!(image.evaluate(), position.evaluate(), "{position:?} and {image:?}");
            }
        });
    }
}
