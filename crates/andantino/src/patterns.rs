use std::sync::LazyLock;

/// Cells of a line that decide what a stone in the middle of them does: it and four on either side.
const REACH: u32 = 9;

/// Bits of such a strip.
const STRIP: u32 = (1 << REACH) - 1;

/// The middle of a strip.
const CENTRE: u32 = 1 << (REACH / 2);

/// Worth of five cells in a row that hold this many stones of one side and none of the other, in hundredths. What five
/// are worth is for move ordering only: the game is over.
const WORTH: [i16; 6] = [0, 1, 5, 20, 60, 600];

/// What a stone does to the windows of five around it, as far as one side's stones go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pattern {
    /// Worth that the windows gain if the stone is of the side.
    pub(crate) gain: i16,
    /// Worth that they lose if it is the opponent's.
    pub(crate) loss: i16,
    /// Windows with four stones that the side's stone makes, less those that it completes.
    pub(crate) made: i8,
    /// Windows with four stones that the opponent's stone breaks.
    pub(crate) broken: i8,
}

/// The patterns by the number of [`index`].
pub(crate) fn table() -> &'static [Pattern] {
    static TABLE: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
        let mut table = vec![Pattern::default(); 3_usize.pow(REACH - 1)];
        for stones in 0..=STRIP {
            for barred in (0..=STRIP).filter(|barred| (stones | CENTRE) & barred == 0 && stones & CENTRE == 0) {
                table[index(stones, barred)] = pattern(stones, barred);
            }
        }
        table
    });
    &TABLE
}

/// The nine bits of a line around the cell at `place`.
pub(crate) fn strip(line: u32, place: u32) -> u32 {
    line >> place & STRIP
}

/// Where the pattern of a strip stands in the table: `stones` are the side's, `barred` the cells that cannot become
/// its own. The middle counts for neither.
pub(crate) fn index(stones: u32, barred: u32) -> usize {
    usize::from(TERNARY[stones as usize]) + 2 * usize::from(TERNARY[barred as usize])
}

/// Whether a stone in the middle of a strip is part of a run of five or more.
pub(crate) fn completes_five(stones: u32) -> bool {
    let run = stones | CENTRE;
    let pairs = run & run >> 1;
    pairs & pairs >> 2 & run >> 4 != 0
}

/// Strips read as numbers to the base of three, the middle left out.
static TERNARY: [u16; 1 << REACH] = {
    let mut numbers = [0; 1 << REACH];
    let mut strip = 0;
    while strip < numbers.len() {
        let (mut bit, mut weight) = (0, 1);
        while bit < REACH {
            if 1 << bit != CENTRE {
                if strip >> bit & 1 != 0 {
                    numbers[strip] += weight;
                }
                weight *= 3;
            }
            bit += 1;
        }
        strip += 1;
    }
    numbers
};

fn pattern(stones: u32, barred: u32) -> Pattern {
    let mut sum = Pattern::default();
    for window in (0..5).map(|shift| 0b1_1111 << shift).filter(|window| window & barred == 0) {
        let held = (window & stones).count_ones() as usize;
        sum.gain += WORTH[held + 1] - WORTH[held];
        sum.loss += WORTH[held];
        sum.made += i8::from(held == 3) - i8::from(held == 4);
        sum.broken += i8::from(held == 4);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_needs_an_unbroken_run_through_the_middle() {
        assert!(completes_five(0b0_0000_1111));
        assert!(completes_five(0b1_1110_0000));
        assert!(completes_five(0b0_0110_1100));
        assert!(completes_five(0b1_1110_1111));
        assert!(!completes_five(0b1_1100_0111 & !0b0_0100_0000));
        assert!(!completes_five(0b0_0000_0111));
        assert!(!completes_five(0b0_1110_0000));
    }

    #[test]
    fn patterns_of_worked_strips() {
        let at = |stones, barred| table()[index(stones, barred)];
        assert_eq!(at(0, 0), Pattern { gain: 5, ..Pattern::default() });
        // Three on one side of the middle: windows with 3, 3, 2, 1 and 0 of them, two of which become fours.
        assert_eq!(
            at(0b0_0000_1110, 0),
            Pattern { gain: 40 + 40 + 15 + 4 + 1, loss: 20 + 20 + 5 + 1, made: 2, broken: 0 }
        );
        // The same with a bar on the other side: only the window that ends in the middle is left.
        assert_eq!(at(0b0_0000_1110, 0b0_0010_0000), Pattern { gain: 40, loss: 20, made: 1, broken: 0 });
        assert_eq!(at(0b0_0000_1111, 0b0_0010_0000), Pattern { gain: 540, loss: 60, made: -1, broken: 1 });
        assert_eq!(at(0b1_0000_0001, 0b0_0010_1000), Pattern::default());
    }
}
