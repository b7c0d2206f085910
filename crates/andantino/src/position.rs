use std::iter::from_fn;
use std::ops::ControlFlow;

use game::{FenError, Game, Outcome, Side, zobrist};

use crate::MAX_RADIUS;
use crate::diagram::{self, Diagram};
use crate::geometry::{Cell, Geometry, MARGIN, MAX_LINES};
use crate::line::{Arms, Line};
use crate::patterns::{Effect, Seen};

/// A set of cells, row by row, with an empty row on either side.
pub(crate) type Rows<const N: usize> = [u32; N];

/// A position, for boards whose axes have up to `N - 2` lines.
///
/// The stones are kept along each axis, so that what surrounds a cell on its lines is one shift away, and as sets for
/// everything that has to do with neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Position<const N: usize> {
    /// By axis.
    lines: [[Line; N]; 3],
    /// The cells with stones, by side.
    stones: [Rows<N>; 2],
    /// Cells with at least one stone beside them.
    near: Rows<N>,
    /// The cells that may be played on while the game goes on: empty ones with at least two stones beside them, or next to
    /// the first stone, one.
    playable: Rows<N>,
    /// Cells on which a stone of a side would win, as long as they are empty: no stone but one there takes that away.
    wins: [Rows<N>; 2],
    geometry: &'static Geometry,
    key: u64,
    /// The worth of the first side's windows of five less that of the second side's.
    balance: i32,
    /// Stones on the board.
    count: u16,
    side: Side,
    outcome: Option<Outcome>,
}

/// Equal cells and side to move. All else follows from these, except for the reason of a finished game.
impl<const N: usize> PartialEq for Position<N> {
    fn eq(&self, other: &Position<N>) -> bool {
        self.radius() == other.radius() && self.side == other.side && self.stones == other.stones
    }
}

impl<const N: usize> Eq for Position<N> {}

const FIVE: &str = "five";
const ENCLOSURE: &str = "enclosure";
const SELF_ENCLOSURE: &str = "self-enclosure";
const BOARD_FULL: &str = "board-full";

/// Stones on the board that a ring with a gap takes, five around one of the other side.
const RING_FROM: u16 = 6;

/// Most stones of a position that is folded: up to here, all with the same number are images of one.
const FOLDED: u16 = 3;

/// Where a cell lies in its [window](Position::window).
const CENTRE: u64 = 1 << 18;

/// Where its neighbours do.
const NEIGHBOURS: u64 = CENTRE >> 9 | CENTRE >> 8 | CENTRE >> 1 | CENTRE << 1 | CENTRE << 8 | CENTRE << 9;

/// How the stones of a side stand about a cell and about each of its neighbours, as sets of these cells.
struct Around {
    /// There are any beside it.
    touched: u64,
    /// Going round it, they stand in one run or more, with gaps.
    joined: u64,
    /// In two or more: only there can another one close an area.
    split: u64,
}

impl Around {
    /// From the [window](Position::window) of the cell.
    #[inline]
    fn new(stones: u64) -> Around {
        let beside = [stones >> 1, stones >> 9, stones >> 8, stones << 1, stones << 9, stones << 8];
        (0..6).fold(Around { touched: 0, joined: 0, split: 0 }, |around, i| {
            let begins = beside[i] & !beside[(i + 5) % 6];
            Around {
                touched: around.touched | beside[i],
                joined: around.joined | begins,
                split: around.split | around.joined & begins,
            }
        })
    }
}

const SPAN: usize = 2 * MAX_RADIUS as usize + 1;
/// Numbers for the Zobrist key, by cell of the largest board and side.
static CELL_KEYS: [[u64; 2]; SPAN * SPAN] = {
    let mut keys = [[0; 2]; SPAN * SPAN];
    let mut cell = 0;
    while cell < keys.len() {
        keys[cell] = [
            zobrist::number(0x414e_4441, 2 * cell as u64),
            zobrist::number(0x414e_4441, 2 * cell as u64 + 1),
        ];
        cell += 1;
    }
    keys
};
const SECOND_TO_MOVE: u64 = zobrist::number(0x414e_4442, 0);
const RADIUS_SEED: u64 = 0x414e_4443;

fn cell_key(cell: Cell, side: Side) -> u64 {
    CELL_KEYS[usize::from(cell.y) * SPAN + usize::from(cell.x)][side.index()]
}

impl<const N: usize> Position<N> {
    /// The position of a diagram whose board fits. Refuses one in which both sides have won.
    pub(crate) fn new(diagram: &Diagram) -> Result<Position<N>, FenError> {
        let mut position = Position::unjudged(diagram);
        position.outcome = position.scan(diagram)?;
        Ok(position)
    }

    /// The same, as if the game went on in any case.
    fn unjudged(diagram: &Diagram) -> Position<N> {
        let geometry = Geometry::of(diagram.radius);
        let mut position = Position {
            lines: [std::array::from_fn(|line| geometry.blank[line]); 3],
            stones: [[0; N]; 2],
            near: [0; N],
            playable: [0; N],
            wins: [[0; N]; 2],
            geometry,
            key: zobrist::number(RADIUS_SEED, u64::from(diagram.radius)),
            balance: 0,
            count: 0,
            side: diagram.side,
            outcome: None,
        };
        if diagram.side == Side::Second {
            position.key ^= SECOND_TO_MOVE;
        }
        for &(cell, side) in &diagram.stones {
            position.put(cell, side);
        }
        position
    }

    pub(crate) fn radius(&self) -> u8 {
        self.geometry.radius
    }

    pub(crate) fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// Who has a stone on a cell of the board.
    pub(crate) fn stone(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()][cell.row()] & cell.bit() != 0)
    }

    /// The cells with a stone of `side`.
    pub(crate) fn stones_of(&self, side: Side) -> Rows<N> {
        self.stones[side.index()]
    }

    /// Number of stones on the board.
    pub(crate) fn stones(&self) -> u16 {
        self.count
    }

    /// The worth of the windows of five of the side to move less that of its opponent's.
    #[inline]
    pub fn balance(&self) -> i32 {
        match self.side {
            Side::First => self.balance,
            Side::Second => -self.balance,
        }
    }

    /// The cells that may be played on, while the game goes on.
    #[inline]
    pub(crate) fn playable(&self) -> &Rows<N> {
        &self.playable
    }

    /// The cells of a set, row by row.
    #[inline]
    pub(crate) fn cells(rows: &Rows<N>) -> impl Iterator<Item = Cell> {
        // Two rows at a time, as the end of each round is hard to foresee.
        let (pairs, _) = rows[1..].as_chunks();
        let (mut pairs, mut rest, mut y) = (pairs.iter(), 0_u64, 0_u8.wrapping_sub(2));
        from_fn(move || {
            while rest == 0 {
                let &[upper, lower] = pairs.next()?;
                rest = u64::from(upper) | u64::from(lower) << 32;
                y = y.wrapping_add(2);
            }
            let place = rest.trailing_zeros();
            rest &= rest - 1;
            Some(Cell { x: (place % 32 - MARGIN) as u8, y: y + (place / 32) as u8 })
        })
    }

    /// The same position with the other side to move, which no rule allows: for asking what it threatens.
    pub(crate) fn passed(&self) -> Position<N> {
        Position { side: self.side.other(), key: self.key ^ SECOND_TO_MOVE, ..*self }
    }

    /// What a stone of `side` on `cell`, which is empty, does to the windows of five.
    #[inline]
    pub(crate) fn effect(&self, cell: Cell, side: Side) -> Effect {
        let seen = self.seen_by(side);
        let mut sum = Effect::default();
        for arms in self.arms(cell) {
            sum += seen.effect(arms);
        }
        sum
    }

    /// What `side` makes of the [arms](Position::arms) of a cell.
    #[inline]
    pub(crate) fn seen_by(&self, side: Side) -> Seen<'static> {
        self.geometry.patterns.seen_by(side)
    }

    /// What lies around `cell` along each axis.
    #[inline]
    pub(crate) fn arms(&self, cell: Cell) -> [Arms; 3] {
        let lines = cell.lines(self.radius());
        std::array::from_fn(|axis| {
            let (line, place) = lines[axis];
            self.lines[axis][line].arms(place)
        })
    }

    /// Puts a stone on an empty cell and brings everything up to date but the side to move and the outcome. Gives whether
    /// it has a stone of its own side beside it.
    fn put(&mut self, cell: Cell, side: Side) -> bool {
        let (row, bit) = (cell.row(), cell.bit());
        // One check instead of one for each access.
        assert!(0 < row && row < N - 1, "a cell of the board");
        let seen = self.seen_by(side);
        let mut effect = Effect::default();
        for (axis, (line, place)) in self.lines.iter_mut().zip(cell.lines(self.geometry.radius)) {
            let line = &mut axis[line];
            effect += seen.effect(line.arms(place));
            line.put(place, side);
        }
        self.balance += match side {
            Side::First => effect.worth(),
            Side::Second => -effect.worth(),
        };
        self.stones[side.index()][row] |= bit;
        if self.count == 1 {
            // Beside the first stone alone no other can be put any more.
            self.playable = [0; N];
        }
        let besides = [(row - 1, bit | bit >> 1), (row, bit << 1 | bit >> 1), (row + 1, bit | bit << 1)];
        for (row, beside) in besides {
            let beside = beside & self.geometry.board[row];
            let taken = self.stones[0][row] | self.stones[1][row];
            self.playable[row] |= self.near[row] & beside & !taken;
            self.near[row] |= beside;
        }
        self.playable[row] &= !bit;
        if effect.fours() > 0 {
            self.mark_fives(cell, side);
        }
        self.key ^= cell_key(cell, side);
        self.count += 1;
        if self.count == 1 {
            self.playable = self.near;
        }
        let around = Around::new(self.window(cell, side));
        if self.count >= RING_FROM {
            self.mark_rings(cell, side, &around);
        }
        around.touched & CENTRE != 0
    }

    /// How the game stands after `mover` has put a stone on `cell`, perhaps with own stones beside it.
    fn judge(&self, cell: Cell, mover: Side, touches_own: bool) -> Option<Outcome> {
        let won = |winner, reason| Some(Outcome { winner: Some(winner), reason });
        if self.wins[mover.index()][cell.row()] & cell.bit() != 0 {
            return won(mover, if self.completes_five(cell, mover) { FIVE } else { ENCLOSURE });
        }
        // A stone in a closed area of the opponent has no own stone beside it.
        if !touches_own && self.closed_area(cell, mover.other()).is_some() {
            return won(mover.other(), SELF_ENCLOSURE);
        }
        // As long as a cell is empty, one with two stones beside it is: the stones are connected, and if every common
        // neighbour of two touching stones were taken, so would be, triangle by triangle, the whole board.
        (self.count == self.geometry.cells).then_some(Outcome { winner: None, reason: BOARD_FULL })
    }

    /// Which of the six neighbours of `cell` hold a stone of `side`: bit `i` is [`Cell::STEPS`]`[i]`.
    #[inline]
    pub(crate) fn beside(&self, cell: Cell, side: Side) -> u32 {
        let row = cell.row();
        let shift = u32::from(cell.x) + MARGIN - 1;
        let [above, here, below] = [row - 1, row, row + 1].map(|row| self.stones[side.index()][row] >> shift);
        here >> 2 & 1
            | (below >> 2 & 1) << 1
            | (below >> 1 & 1) << 2
            | (here & 1) << 3
            | (above & 1) << 4
            | (above >> 1 & 1) << 5
    }

    /// Whether a stone of `side` on `cell` is part of a run of five or more.
    pub(crate) fn completes_five(&self, cell: Cell, side: Side) -> bool {
        let mut lines = cell.lines(self.radius()).into_iter().zip(&self.lines);
        lines.any(|((line, place), axis)| axis[line].completes_five(place, side))
    }

    /// The cells that may be played on and on which a stone of `side` would win.
    pub(crate) fn wins(&self, side: Side) -> Rows<N> {
        std::array::from_fn(|row| self.wins[side.index()][row] & self.playable[row])
    }

    /// The first of these cells.
    #[cold]
    pub(crate) fn winning_cell(&self, side: Side) -> Option<Cell> {
        Self::cells(&self.wins(side)).next()
    }

    /// Whether a stone of either side would win on any of the cells that may be played on.
    #[inline]
    pub(crate) fn is_sharp(&self) -> bool {
        let [first, second] = &self.wins;
        let rows = first.iter().zip(second).zip(&self.playable);
        rows.fold(0, |any, ((first, second), playable)| any | (first | second) & playable) != 0
    }

    /// Finds the cells on which a run of five can be completed, after the side has made a four.
    #[cold]
    fn mark_fives(&mut self, cell: Cell, side: Side) {
        let radius = self.radius();
        for (axis, (line, _)) in cell.lines(radius).into_iter().enumerate() {
            for place in self.lines[axis][line].fives(side) {
                let five = Cell::at(radius, axis, line, place);
                self.wins[side.index()][five.row()] |= five.bit();
            }
        }
    }

    /// Finds the cells on which a ring can be closed, after `side` has put a stone on `cell`, with these own stones around
    /// it.
    fn mark_rings(&mut self, cell: Cell, side: Side, around: &Around) {
        if around.split & CENTRE != 0 {
            self.mark_all_rings(side);
        } else if around.joined & CENTRE != 0 {
            // Beside a single run the stone is in no new ring, which could pass by it, unless next to the gap.
            let mut joints = around.split & NEIGHBOURS;
            while joints != 0 {
                let place = joints.trailing_zeros() as i8;
                joints &= joints - 1;
                if let Some(joint) = cell.step((place % 8 - 2, place / 8 - 2)) {
                    self.mark_ring(joint, side);
                }
            }
        }
        if self.is_confined(cell, side.other()) {
            self.mark_all_rings(side.other());
        }
    }

    /// Finds the cells on which `side` can close a ring.
    #[cold]
    fn mark_all_rings(&mut self, side: Side) {
        let playable = self.playable;
        for cell in Self::cells(&playable) {
            self.mark_ring(cell, side);
        }
    }

    /// Looks whether `side` can close a ring on a cell.
    fn mark_ring(&mut self, cell: Cell, side: Side) {
        let (row, bit) = (cell.row(), cell.bit());
        if self.playable[row] & !self.wins[side.index()][row] & bit != 0 && self.encloses(cell, side) {
            self.wins[side.index()][row] |= bit;
        }
    }

    /// The cells with a stone of `side` up to two rows and columns from `cell`, each row a byte.
    #[inline]
    fn window(&self, cell: Cell, side: Side) -> u64 {
        let stones = &self.stones[side.index()];
        (0..5).fold(0, |window, dy| {
            // Beyond the board there are only more rows without stones.
            let row = stones[(cell.row() + dy).saturating_sub(2).min(N - 1)];
            window | u64::from(row >> (u32::from(cell.x) + MARGIN - 2) & 0b1_1111) << (8 * dy)
        })
    }

    /// Whether a stone of `side` on `cell` closes an area around a stone of the opponent.
    #[cold]
    pub(crate) fn encloses(&self, cell: Cell, side: Side) -> bool {
        // With one gap between the side's stones around the cell there is no new border between areas. A gap that begins
        // outside the board is open.
        let gaps = begins(!self.beside(cell, side) & 0b11_1111);
        if gaps.count_ones() < 2 {
            return false;
        }
        let opponents = &self.stones[side.other().index()];
        self.geometry.neighbours(cell, gaps).any(|seed| {
            let area = self.closed_area_with(seed, side, Some(cell));
            area.is_some_and(|area| area.iter().zip(opponents).any(|(area, stones)| area & stones != 0))
        })
    }

    /// Whether fewer than two straight ways lead from `cell` to the edge of the board without a stone of `wall` on them:
    /// one more stone bars one of them.
    #[inline]
    fn is_confined(&self, cell: Cell, wall: Side) -> bool {
        let lines = cell.lines(self.radius()).into_iter().zip(&self.lines);
        lines.map(|((line, place), axis)| axis[line].ways_out(place, wall, None)).sum::<u32>() < 2
    }

    /// The cells that can be reached from `seed`, which has no stone of `wall`, without stepping on such a stone, or
    /// `None` if the edge of the board is among them.
    pub(crate) fn closed_area(&self, seed: Cell, wall: Side) -> Option<Rows<N>> {
        self.closed_area_with(seed, wall, None)
    }

    /// The same, as if one more cell had a stone of `wall`.
    fn closed_area_with(&self, seed: Cell, wall: Side, added: Option<Cell>) -> Option<Rows<N>> {
        if self.sees_edge(seed, wall, added) {
            return None;
        }
        let mut open: Rows<N> =
            std::array::from_fn(|row| self.geometry.board[row] & !self.stones[wall.index()][row]);
        if let Some(added) = added {
            open[added.row()] &= !added.bit();
        }
        flood(seed, &open, &self.geometry.edge)
    }

    /// Whether a straight line leads from `cell` to the edge of the board without a stone of `wall` on it: most often,
    /// and much cheaper to see than an area.
    fn sees_edge(&self, cell: Cell, wall: Side, added: Option<Cell>) -> bool {
        let added = added.map(|added| added.lines(self.radius()));
        cell.lines(self.radius()).into_iter().enumerate().any(|(axis, (line, place))| {
            let added = added.map(|added| added[axis]).filter(|added| added.0 == line);
            self.lines[axis][line].ways_out(place, wall, added.map(|added| added.1)) > 0
        })
    }

    /// The stones of one colour that hang together with the one on `seed`.
    pub(crate) fn group(&self, seed: Cell, side: Side) -> Rows<N> {
        flood(seed, &self.stones_of(side), &[0; MAX_LINES]).unwrap_or([0; N])
    }

    /// What makes the twelve images of a position, itself first, as [`Position::image`] takes it.
    pub const IMAGES: [(u8, bool); 12] = {
        let mut images = [(0, false); 12];
        let mut i = 0;
        while i < images.len() {
            images[i] = (i as u8 / 2, i % 2 == 1);
            i += 1;
        }
        images
    };

    /// The position as it looks after so many sixths of a full turn about the centre, up to 5, and then perhaps a reflection.
    #[must_use]
    pub fn image(&self, turns: u8, is_mirrored: bool) -> Position<N> {
        let (radius, side) = (self.radius(), self.side);
        let stones = Side::BOTH.into_iter().flat_map(|side| {
            let cells = Self::cells(&self.stones[side.index()]);
            cells.map(move |cell| (cell.image(radius, turns, is_mirrored), side))
        });
        let stones = stones.collect();
        Position { outcome: self.outcome, ..Position::unjudged(&Diagram { radius, side, stones }) }
    }

    /// The first of the [images](Position::image), by the places of White's stones and then of Black's.
    pub(crate) fn first_image(&self) -> (u8, bool) {
        let places = |&(turns, is_mirrored): &(u8, bool)| {
            self.stones.each_ref().map(|stones| {
                let image = |cell: Cell| cell.image(self.radius(), turns, is_mirrored);
                let mut places: Vec<_> =
                    Self::cells(stones).map(|cell| (image(cell).y, image(cell).x)).collect();
                places.sort_unstable();
                places
            })
        };
        Self::IMAGES.into_iter().min_by_key(places).expect("there are twelve")
    }

    /// The outcome of a position that was not played but described.
    fn scan(&self, diagram: &Diagram) -> Result<Option<Outcome>, FenError> {
        let mut reasons = [None; 2];
        for &(cell, side) in &diagram.stones {
            let (owner, enemy) = (side.index(), side.other());
            if self.completes_five(cell, side) {
                reasons[owner] = Some(FIVE);
            }
            if self.closed_area(cell, enemy).is_some() {
                reasons[enemy.index()].get_or_insert(ENCLOSURE);
            }
        }
        match reasons {
            [None, None] if self.count < self.geometry.cells => Ok(None),
            [None, None] => Ok(Some(Outcome { winner: None, reason: BOARD_FULL })),
            [Some(reason), None] => Ok(Some(Outcome { winner: Some(Side::First), reason })),
            [None, Some(reason)] => Ok(Some(Outcome { winner: Some(Side::Second), reason })),
            [Some(_), Some(_)] => {
                Err(FenError::new(diagram::BOARD, "both sides have won, expected at most one"))
            }
        }
    }
}

/// Of the places around a cell, those that are in the set and follow one that is not, going round: each begins a run.
fn begins(beside: u32) -> u32 {
    beside & !(beside << 1 | beside >> 5)
}

/// The cells of `open` linked to `seed`, which is one of them; `None` if one of `stop` is among them.
fn flood<const N: usize>(seed: Cell, open: &Rows<N>, stop: &[u32; MAX_LINES]) -> Option<Rows<N>> {
    let mut area = [0; N];
    let (mut top, mut bottom) = (seed.row(), seed.row());
    area[top] = seed.bit();
    loop {
        let mut grown = 0;
        let mut spread = |row: usize| {
            let (above, here, below) = (area[row - 1], area[row], area[row + 1]);
            let reached =
                (here | here << 1 | here >> 1 | above | above << 1 | below | below >> 1) & open[row];
            grown |= reached ^ here;
            area[row] = reached;
            (reached & stop[row] == 0).then_some(reached != 0)
        };
        // Down and up again, as far as the area goes: each row passes on what it has just got.
        let mut row = top;
        while row <= bottom {
            spread(row)?;
            if row == bottom && bottom < N - 2 && spread(row + 1)? {
                bottom += 1;
            }
            row += 1;
        }
        while row > top {
            row -= 1;
            spread(row)?;
            if row == top && top > 1 && spread(row - 1)? {
                top -= 1;
            }
        }
        if grown == 0 {
            return Some(area);
        }
    }
}

impl<const N: usize> Game for Position<N> {
    type Move = Cell;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, f: impl FnMut(Cell) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.outcome.is_some() {
            return ControlFlow::Continue(());
        }
        Self::cells(&self.playable).try_for_each(f)
    }

    fn count_moves(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        self.playable.iter().map(|row| u64::from(row.count_ones())).sum()
    }

    fn is_legal(&self, m: Cell) -> bool {
        self.outcome.is_none() && self.geometry.contains(m) && self.playable[m.row()] & m.bit() != 0
    }

    fn play_unchecked(&mut self, m: Cell) {
        let mover = self.side;
        let touches_own = self.put(m, mover);
        self.side = mover.other();
        self.key ^= SECOND_TO_MOVE;
        self.outcome = self.judge(m, mover, touches_own);
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_after(&self, m: Cell) -> Option<u64> {
        Some(self.key ^ cell_key(m, self.side) ^ SECOND_TO_MOVE)
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::number(RADIUS_SEED, u64::from(self.radius()));
        if self.side == Side::Second {
            key ^= SECOND_TO_MOVE;
        }
        for side in Side::BOTH {
            for cell in Self::cells(&self.stones_of(side)) {
                key ^= cell_key(cell, side);
            }
        }
        key
    }

    /// The first image, as long as there are few stones.
    fn folded(&self) -> Option<Self> {
        let (turns, is_mirrored) = (self.count <= FOLDED).then(|| self.first_image())?;
        Some(self.image(turns, is_mirrored))
    }

    fn move_bits(m: Cell) -> u16 {
        u16::from(m.y) << 8 | u16::from(m.x)
    }

    fn move_from_bits(&self, bits: u16) -> Option<Cell> {
        let [y, x] = bits.to_be_bytes();
        Some(Cell { x, y }).filter(|&cell| self.geometry.contains(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::lines;
    use game::Notation;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    type Usual = Position<{ lines(9) }>;

    /// The neighbours of `cell` for which `holds`, and itself, as in its window.
    fn placed(position: &Usual, cell: Cell, holds: impl Fn(Cell) -> bool) -> u64 {
        let places = [(0, 0)].into_iter().chain(Cell::STEPS);
        let cells = places
            .filter_map(|(dx, dy)| Some((cell.step((dx, dy))?, 18 + i32::from(dx) + 8 * i32::from(dy))));
        let cells = cells.filter(|&(near, _)| position.geometry.contains(near) && holds(near));
        cells.fold(0, |places, (_, place)| places | 1 << place)
    }

    #[test]
    fn runs_around_a_cell_are_those_around_each() {
        let mut rng = Pcg64::seed_from_u64(11);
        let mut split = 0;
        for start in ["3/4/2b2/4/3 w", "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w"] {
            for _ in 0..20 {
                let mut position = Usual::from_fen(start).expect("a good position");
                while position.outcome().is_none() {
                    let board = std::array::from_fn(|row| position.geometry.board[row]);
                    for (cell, side) in
                        Usual::cells(&board).flat_map(|cell| Side::BOTH.map(|side| (cell, side)))
                    {
                        let around = Around::new(position.window(cell, side));
                        let place = |holds: fn(u32) -> bool| {
                            placed(&position, cell, |near| holds(position.beside(near, side)))
                        };
                        let on_board = placed(&position, cell, |_| true);
                        assert_eq!(around.touched & on_board, place(|beside| beside != 0));
                        assert_eq!(around.joined & on_board, place(|beside| begins(beside) != 0));
                        assert_eq!(around.split & on_board, place(|beside| begins(beside).count_ones() > 1));
                        split += u32::from(around.split & CENTRE != 0);
                    }
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
        assert!(split > 1_000, "{split}");
    }
}
