use game::Side;

use crate::census::Prospects;
use crate::geometry::Cells;
use crate::position::Position;
use crate::tally::Tally;

/// What a further token of one side promises on each cell of the board, all cells at once.
///
/// The unit is about 4 of those that X's are counted in (`Weights`): 10 for the fourth token of an own X, 3 for the third, 1
/// for the second; 4 for a place in an opposing X of three and 2 for one beside its centre, 1 for a place in one of two.
pub(crate) struct Promise<B> {
    /// The sums: at most five X's meet in a cell.
    sums: Tally<B, 6>,
    /// The cells from which a token may leave without giving up an X or its defence.
    free: B,
}

impl<B: Cells> Promise<B> {
    /// For `side`, where it is its turn.
    #[inline]
    pub(crate) fn of(position: &Position<B>, side: Side) -> Promise<B> {
        let geometry = position.geometry();
        let [own, foe] = [side, side.other()].map(|side| Prospects::of(position, side));
        let [building, forming] = [own.with(2), own.with(3)];
        let [growing, grown] = [foe.with(2), foe.with(3)];
        let mut promise = Promise { sums: Tally::NOTHING, free: B::EMPTY };
        let weighed = [own.with(1) | building | growing, building | forming, grown, forming];
        for (weight, centres) in weighed.into_iter().enumerate() {
            promise.sums.add(weight, Tally::<B, 3>::count(geometry.within(centres)));
        }
        let beside = grown & !foe.shielded();
        let (left, right) = (beside.lower(1), beside.raise(1));
        promise.sums.add(1, Tally::<B, 3>::count([left, right, B::EMPTY, B::EMPTY, B::EMPTY]));

        let needed = building | forming | own.with(4) | own.stops();
        let crossed = position.census(side.other()).complete();
        let tied = geometry
            .within(needed)
            .into_iter()
            .fold(crossed.lower(1) | crossed.raise(1), |set, cells| set | cells);
        Promise { free: !tied, ..promise }
    }

    /// The cells by what they promise, the best first: 32 and more, from 16 on, and so on, and last those without.
    #[inline]
    pub(crate) fn tiers(&self) -> impl Iterator<Item = B> {
        let mut rest = !B::EMPTY;
        self.sums.0.into_iter().rev().chain([!B::EMPTY]).map(move |bit| {
            let tier = bit & rest;
            rest = rest & !bit;
            tier
        })
    }

    /// The cells from which a token may leave without giving up an X or its defence.
    #[inline]
    pub(crate) fn free(&self) -> B {
        self.free
    }
}

#[cfg(test)]
mod tests {
    use bits::Bits;
    use game::{Evaluate, Family, Game};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::XRudder;
    use crate::diagram::Diagram;

    /// The sum for one cell, X by X.
    fn promised(position: &Position<u128>, cell: u32) -> u32 {
        let (own, foe) = (Side::First, Side::Second);
        let geometry = position.geometry();
        let of = |side, set: u128| (position.tokens(side) & set).count_ones();
        let around = |centre: u32| &geometry.around[centre as usize];
        let x = |centre: u32| around(centre).diagonals | 1 << centre;
        let crossers = |side, centre: u32| of(side, around(centre).sides);
        let building = geometry.around[cell as usize].centres.members().map(|centre| {
            let counts = [own, foe].map(|side| of(side, x(centre)));
            let crossed = [foe, own].map(|side| crossers(side, centre) == 2);
            match (counts, crossed) {
                ([count @ 1..=3, 0], [false, _]) => [1, 3, 10][count as usize - 1],
                ([0, count @ 2..=3], [_, false]) => [1, 4][count as usize - 2],
                _ => 0,
            }
        });
        let crossing = around(cell).sides.members().filter(|&centre| {
            geometry.centres.test(centre)
                && (of(own, x(centre)), of(foe, x(centre))) == (0, 3)
                && (crossers(own, centre), crossers(foe, centre)) != (2, 0)
                && crossers(foe, centre) == 0
        });
        building.sum::<u32>() + 2 * crossing.count() as u32
    }

    #[test]
    fn sums_of_all_cells_are_those_of_each() {
        let mut rng = Pcg64::seed_from_u64(3);
        let mut best = 0;
        for setup in [vec![], vec![("rows", "5"), ("cols", "6"), ("tokens", "9"), ("moves", "6")]] {
            let start = Diagram::start(&XRudder::setup(&setup).expect("a good set-up"));
            for _ in 0..200 {
                let mut position = Position::<u128>::new(&start);
                while position.outcome().is_none() {
                    let promise = Promise::of(&position, Side::First);
                    for cell in position.empty().members() {
                        let found: u32 =
                            (0..6).map(|bit| u32::from(promise.sums.0[bit].test(cell)) << bit).sum();
                        assert_eq!(found, promised(&position, cell), "{position:?} at {cell}");
                        best = best.max(found);
                    }
                    // Mostly among other tokens, so that X's come about.
                    let mut moves = Vec::new();
                    position.candidates(0, 4, |m| moves.push(m));
                    let most = u32::try_from(moves.len()).expect("few moves");
                    position = position.play(moves[rng.random_range(0..most) as usize]);
                }
            }
        }
        assert!(best >= 16, "nothing above {best} came about");
    }

    #[test]
    fn tiers_are_all_cells_once_the_best_first() {
        let promise = Promise::<u128> { sums: Tally([0b1001, 0b0011, 0, 0b0100, 0, 0]), free: 0 };
        let tiers: Vec<u128> = promise.tiers().map(|tier| tier & 0b11111).collect();
        assert_eq!(tiers, [0, 0, 0b0100, 0, 0b0011, 0b1000, 0b10000]);
    }
}
