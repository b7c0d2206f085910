use std::ops::ControlFlow;

use game::{Evaluate, Game, Level, Side, Tactics};

use crate::census::Prospects;
use crate::endgame;
use crate::geometry::{Cells, Direction};
use crate::net::Sums;
use crate::position::{Move, Position};
use crate::promise::Promise;

game::weights! {
    /// The constants of the evaluation of games with more tokens than the network can sum up, and of the order of moves in all.
    pub struct Weights {
        /// Worth of an X with one token and no opposing one.
        one "One" = 1 in 0..=100;
        /// Of one with two.
        two "Two" = 5 in 0..=200;
        /// Of one with three.
        three "Three" = 18 in 0..=400;
        /// Of one that lacks a single token.
        four "Four" = 60 in 0..=1000;
        /// What a token held back is worth while there is plenty.
        hand "Hand" = 20 in 0..=200;
        /// What it is worth more when little is left: so much, divided by what is left and [`Weights::plenty`].
        shortage "Shortage" = 600 in 0..=5000;
        /// What shortage is measured by, in actions.
        plenty "Plenty" = 10 in 1..=100;
        /// What an X that a single further token would cross is worth less, in percent.
        frail "Frail" = 50 in 0..=100;
        /// What a move is raised by for each own token in the X's that its cell is part of; a token that moves loses as much
        /// where it comes from.
        hint_own "HintOwn" = 4 in 0..=100;
        /// The same for each opposing token.
        hint_foe "HintFoe" = 3 in 0..=100;
        /// What token moves are raised by.
        hint_step "HintStep" = 2 in -100..=100;
    }
}

impl<B: Cells> Evaluate for Position<B> {
    /// The sums of the network, which suits all games but those of very many tokens.
    type Memo = Option<Sums<B>>;
    type Weights = Weights;

    fn memo(&self) -> Option<Sums<B>> {
        self.suits_net().then(|| Sums::of(self))
    }

    #[expect(clippy::inline_always, reason = "nearly every node does it")]
    #[inline(always)]
    fn keep_memo(&self, memo: &mut Option<Sums<B>>, before: &Self, before_memo: &Option<Sums<B>>) {
        *memo = *before_memo;
        if let Some(sums) = memo {
            sums.follow(before, self);
        }
    }

    /// The value of [`crate::net`], but in games of very many tokens what the X's promise.
    #[expect(clippy::inline_always, reason = "the sums were just computed")]
    #[inline(always)]
    fn evaluate_with(&self, memo: &Option<Sums<B>>, weights: &Weights) -> i32 {
        let value = match memo {
            Some(sums) => sums.value(self),
            None => self.promised_value(weights),
        };
        value.clamp(-Self::LIMIT, Self::LIMIT)
    }

    /// Engines that see all threats draw, so levels differ by what they miss as well; and with fewer nodes than a position
    /// has moves, up to about 170, more of them only give more errors to choose among.
    const LEVELS: [Level; 9] = [
        Level::new(200, 150, 1_000, 5_000),
        Level::new(340, 95, 920, 2_050),
        Level::new(430, 73, 860, 1_330),
        Level::new(478, 66, 820, 1_165),
        Level::new(562, 53, 680, 855),
        Level::new(860, 29, 312, 395),
        Level::new(2_550, 11, 96, 158),
        Level::new(5_800, 5, 22, 76),
        Level::new(14_500, 3, 5, 43),
    ];

    /// Completing an X wins. If the opponent could complete one with its next action, a token must come to that X's empty
    /// cell, or beside its centre if it is half crossed. Nothing is said where the mover may use up the token move that
    /// the opponent needs.
    fn tactics(&self, mut replies: impl FnMut(Move)) -> Tactics<Move> {
        let side = self.side_to_move();
        let wins = self.completable(side, self.moves_left());
        if let Some(centre) = wins.members().next() {
            let x = self.x(centre);
            let mut win = None;
            self.arrivals(x & self.empty(), !x, |m| win = win.or(Some(m)));
            return win.map_or(Tactics::Open, Tactics::Win);
        }
        let dangers = self.completable(side.other(), self.moves_left().saturating_sub(1));
        let crossed = self.census(side.other()).complete();
        if dangers == B::EMPTY && (crossed == B::EMPTY || self.hand(side) > 0) {
            return Tactics::Open;
        }
        // A token that crosses an X loses by leaving it.
        let untied = !(crossed.lower(1) | crossed.raise(1));
        if dangers != B::EMPTY {
            let mut is_answered = false;
            self.arrivals(self.answers(dangers), untied, |m| {
                is_answered = true;
                replies(m);
            });
            if is_answered {
                return Tactics::Forced;
            }
        }
        match self.any_move(untied) {
            Some(_) if dangers == B::EMPTY => Tactics::Open,
            last_longest => {
                last_longest.or_else(|| self.any_move(self.geometry().all)).into_iter().for_each(replies);
                Tactics::Forced
            }
        }
    }

    /// Nothing is known while tokens may move.
    #[inline]
    fn can_win(&self, side: Side) -> bool {
        self.moves_left() > 0 || endgame::can_win(self, side)
    }

    /// Those that bring a token where it promises most, from the hand or from where it isn't needed; last the other token
    /// moves. Places are the tiers of [`Promise`].
    fn candidates(&self, from: usize, most: usize, mut f: impl FnMut(Move)) -> Option<usize> {
        let promise = Promise::of(self, self.side_to_move());
        let (empty, mut count) = (self.empty(), 0);
        for (place, tier) in promise.tiers().enumerate().skip(from) {
            if count >= most {
                return Some(place);
            }
            self.arrivals(tier & empty, promise.free(), |m| {
                count += 1;
                f(m);
            });
        }
        self.steps(empty, !promise.free(), |m| {
            count += 1;
            f(m);
        });
        if count == 0 && from == 0 {
            f(Move::Pass);
        }
        None
    }

    #[expect(clippy::inline_always, reason = "all moves are ranked by it")]
    #[inline(always)]
    fn order_hint(&self, m: Move, weights: &Weights) -> i32 {
        match m {
            Move::Place(cell) => self.company(cell, weights),
            Move::Step { from, .. } => {
                let company = |cell| self.company(cell, weights);
                self.destination(m).map_or(0, company) - company(from) + weights.hint_step
            }
            Move::Pass => 0,
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

    /// Each action uses up a token or a token move, and no two passes follow each other. Without token moves, only a side
    /// without tokens passes.
    fn max_plies_left(&self) -> u32 {
        if self.outcome().is_some() {
            return 0;
        }
        let side = self.side_to_move();
        let empty = self.empty().count();
        let [own, foe] = [side, side.other()].map(|side| u32::from(self.hand(side)).min(empty));
        let actions = (own + foe).min(empty) + u32::from(self.moves_left());
        let plies = 2 * actions - u32::from(self.can_act(side));
        if self.moves_left() > 0 { plies } else { plies.min((2 * foe).max((2 * own).saturating_sub(1))) }
    }
}

impl<B: Cells> Position<B> {
    /// Adds up the X's that can still be made, less for those that a single further token would cross, and the value of
    /// tokens held back: if nobody wins, whoever has more of them at the end places several in a row while the other
    /// passes.
    #[inline(never)]
    fn promised_value(&self, weights: &Weights) -> i32 {
        let worth = [weights.one, weights.two, weights.three, weights.four];
        let value = |side| Prospects::of(self, side).weigh(&worth, weights.frail);
        let side = self.side_to_move();
        value(side) - value(side.other()) + self.reserve(weights)
    }

    /// The X's that `side` could complete in one action, with `moves_left` token moves left.
    #[inline]
    fn completable(&self, side: Side, moves_left: u16) -> B {
        // Hardly ever does one lack a single token.
        if !self.census(side).has_four() {
            return B::EMPTY;
        }
        let threats = Prospects::of(self, side).threats();
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

    /// The empty cells on which a token of the mover's would stop each of these X's of its opponent.
    fn answers(&self, dangers: B) -> B {
        let own = self.tokens(self.side_to_move());
        dangers.members().fold(self.empty(), |answers, centre| {
            let sides = self.geometry().around[centre as usize].sides;
            let crossing = if sides & own == B::EMPTY { B::EMPTY } else { sides };
            answers & (self.x(centre) | crossing)
        })
    }

    /// Hands out the moves that bring a token to one of these empty cells: from the hand, or from the cells of `sources`.
    #[inline]
    fn arrivals(&self, cells: B, sources: B, mut f: impl FnMut(Move)) {
        if self.hand(self.side_to_move()) > 0 {
            cells.members().for_each(|cell| f(Move::Place(cell as u16)));
        }
        self.steps(cells, sources, f);
    }

    /// Hands out the token moves from cells of `sources` to these empty cells.
    #[inline]
    fn steps(&self, cells: B, sources: B, mut f: impl FnMut(Move)) {
        let sources = self.tokens(self.side_to_move()) & sources;
        if self.moves_left() == 0 || sources == B::EMPTY || cells == B::EMPTY {
            return;
        }
        let geometry = self.geometry();
        let (east, west) = (geometry.east_of(cells), geometry.west_of(cells));
        let beside = [east, cells, west];
        let above = beside.map(|cells| cells.raise(geometry.cols));
        let below = beside.map(|cells| cells.lower(geometry.cols));
        // What is raised off the board is no source.
        let origins = above.into_iter().chain([east, west]).chain(below);
        for (direction, origins) in Direction::ALL.into_iter().zip(origins) {
            let leaving = origins & sources;
            leaving.members().for_each(|from| f(Move::Step { from: from as u16, direction }));
        }
    }

    /// What the tokens in the X's that a cell is part of count.
    #[expect(clippy::inline_always, reason = "all moves are ranked by it")]
    #[inline(always)]
    fn company(&self, cell: u16, weights: &Weights) -> i32 {
        let side = self.side_to_move();
        let near = self.geometry().around[usize::from(cell)].partners;
        let count = |side| (near & self.tokens(side)).count() as i32;
        weights.hint_own * count(side) + weights.hint_foe * count(side.other())
    }

    /// The first legal move that takes no token from outside `sources`.
    fn any_move(&self, sources: B) -> Option<Move> {
        let mut found = None;
        let _ = self.moves(|m| match m {
            Move::Step { from, .. } if !sources.test(from.into()) => ControlFlow::Continue(()),
            _ => {
                found = Some(m);
                ControlFlow::Break(())
            }
        });
        found
    }

    /// The five cells of the X around a centre.
    fn x(&self, centre: u32) -> B {
        self.geometry().around[centre as usize].diagonals.insert(centre, 1)
    }

    /// The value of the tokens that the mover has held back more than its opponent; it grows as supplies run out.
    fn reserve(&self, weights: &Weights) -> i32 {
        let [own, foe] =
            [self.side_to_move(), self.side_to_move().other()].map(|side| i32::from(self.hand(side)));
        let left = weights.plenty + own.min(foe) + i32::from(self.moves_left());
        (own - foe) * (weights.hand + weights.shortage / left)
    }
}
