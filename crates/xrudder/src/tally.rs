use crate::geometry::Cells;

/// A number for each cell of the board, all cells at once: their binary digits, the lowest first.
#[derive(Clone, Copy)]
pub(crate) struct Tally<B, const DIGITS: usize>(pub(crate) [B; DIGITS]);

impl<B: Cells, const DIGITS: usize> Tally<B, DIGITS> {
    /// 0 everywhere.
    pub(crate) const NOTHING: Tally<B, DIGITS> = Tally([B::EMPTY; DIGITS]);

    /// In how many of five sets each cell is.
    #[inline]
    pub(crate) fn count([first, second, third, fourth, fifth]: [B; 5]) -> Tally<B, 3> {
        let [ones, some] = sum([first, second, third]);
        let [ones, others] = sum([ones, fourth, fifth]);
        Tally([ones, some ^ others, some & others])
    }

    /// Adds numbers times 2 to the power of `weight`. What the digits cannot hold is lost.
    #[inline]
    pub(crate) fn add(&mut self, weight: usize, numbers: Tally<B, 3>) {
        let mut carry = B::EMPTY;
        let digits = numbers.0.into_iter().chain(std::iter::repeat(B::EMPTY));
        for (bit, digit) in self.0[weight..].iter_mut().zip(digits) {
            [*bit, carry] = sum([*bit, digit, carry]);
        }
    }

    /// The greatest number of a cell of `cells`; 0 if there is none.
    #[inline]
    pub(crate) fn max(&self, mut cells: B) -> u32 {
        self.0.into_iter().rev().fold(0, |max, digit| {
            let with = digit & cells;
            if with == B::EMPTY {
                2 * max
            } else {
                cells = with;
                2 * max + 1
            }
        })
    }
}

/// The sums of three binary digits each: the lower digits and the higher ones.
#[inline]
fn sum<B: Cells>([a, b, c]: [B; 3]) -> [B; 2] {
    let odd = a ^ b;
    [odd ^ c, a & b | odd & c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_number_is_that_of_a_cell_asked_for() {
        let mut tally = Tally::<u128, 5>::NOTHING;
        assert_eq!(tally.max(!0), 0);
        tally.add(0, Tally::<u128, 3>::count([0b111, 0b110, 0b110, 0b100, 0b100]));
        tally.add(2, Tally::<u128, 3>::count([0b001, 0b001, 0, 0, 0]));
        let max = |cells| tally.max(cells);
        assert_eq!([max(0b001), max(0b010), max(0b100), max(0b111), max(0b1000), max(0)], [9, 3, 5, 9, 0, 0]);
    }
}
