use std::time::Duration;

use game::{Agent, Control, Evaluate, Game, Limits, OptionKind, OptionSpec, Options, Record, Report, Score};

use super::measure::{Measure, WON, value};
use super::table::{Bound, Entry, Table};
use super::{candidates, in_board_order, winning};
use crate::geometry::Cell;
use crate::position::Position;

const PRECHECK: &str = "Precheck";
const ORIGINAL: &str = "original";
const FIXED: &str = "fixed";
const MAX_DEPTH: &str = "MaxDepth";
const TABLE_BITS: &str = "TableBits";
const GAME_TIME: &str = "GameTime";
const EARLY_MOVES: &str = "EarlyMoves";
const EARLY_SHARE: &str = "EarlyShare";
const LATE_SHARE: &str = "LateShare";

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Spin { default, min, max } }
}

/// The options of all three searchers. `GameTime` is in milliseconds, 0 for what the clock shows at the first searched
/// move of a game; the shares are in percent.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: PRECHECK, kind: OptionKind::Combo { default: ORIGINAL, vars: &[ORIGINAL, FIXED] } },
    spin(MAX_DEPTH, 20, 1, 100),
    spin(TABLE_BITS, 24, 8, 28),
    spin(GAME_TIME, 0, 0, 1_000_000_000),
    spin(EARLY_MOVES, 25, 0, 1_000),
    spin(EARLY_SHARE, 80, 1, 100),
    spin(LATE_SHARE, 8, 1, 100),
];

/// The searcher of the course program: before all else a look at what wins at once, then alpha-beta with iterative
/// deepening over a transposition table. A win or loss has one value, however far away it is.
pub(super) struct AlphaBeta {
    measure: Measure,
    params: Params,
    table: Table,
    /// Moves of this game that were searched for.
    searched: u32,
    /// Time for this game, once known.
    game_time: Option<Duration>,
}

/// Option values.
#[derive(Clone, PartialEq, Debug)]
struct Params {
    /// Whether an own win in one comes before the block of the opponent's.
    win_first: bool,
    max_depth: u32,
    table_bits: u32,
    game_time: Option<Duration>,
    early_moves: u32,
    early_share: u32,
    late_share: u32,
}

impl Params {
    fn new(options: &Options) -> Params {
        let defaults = Options::defaults(OPTIONS);
        let int = |name| options.int(name).or_else(|| defaults.int(name)).unwrap_or(0);
        let small = |name| int(name) as u32;
        let game_time = Duration::from_millis(int(GAME_TIME) as u64);
        Params {
            win_first: options.text(PRECHECK) == Some(FIXED),
            max_depth: small(MAX_DEPTH),
            table_bits: small(TABLE_BITS),
            game_time: Some(game_time).filter(|time| !time.is_zero()),
            early_moves: small(EARLY_MOVES),
            early_share: small(EARLY_SHARE),
            late_share: small(LATE_SHARE),
        }
    }
}

impl AlphaBeta {
    pub(super) fn new(measure: Measure, options: &Options) -> AlphaBeta {
        let params = Params::new(options);
        let table = Table::new(params.table_bits);
        AlphaBeta { measure, params, table, searched: 0, game_time: None }
    }

    /// Time for this move, counted from when it was asked for; `None`: as long as it takes.
    ///
    /// With a clock, an equal part of the early share of the game's time for each early move, and then the late share
    /// of what is left.
    fn time(&mut self, limits: &Limits<Cell>) -> Option<Duration> {
        let Some(clock) = limits.clock else { return limits.movetime };
        let params = &self.params;
        let game_time = *self.game_time.get_or_insert(params.game_time.unwrap_or(clock.remaining));
        let time = if self.searched < params.early_moves {
            game_time * params.early_share / 100 / params.early_moves
        } else {
            clock.remaining * params.late_share / 100
        };
        Some(limits.movetime.unwrap_or(Duration::MAX).min(time))
    }
}

impl<const N: usize> Agent<Position<N>> for AlphaBeta {
    fn name(&self) -> String {
        let name = match self.measure {
            Measure::Nothing => "Plain",
            Measure::Groups => "Groups",
            Measure::Neighbours => "Neighbours",
        };
        let Params { win_first, max_depth, table_bits, game_time, early_moves, early_share, late_share } =
            self.params;
        let check = if win_first { FIXED } else { ORIGINAL };
        let clock = game_time.map_or(String::new(), |time| format!("{}ms-", time.as_millis()));
        format!("{name}-{check}-D{max_depth}-T{table_bits}-{clock}{early_share}/{early_moves}-{late_share}")
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.params = Params::new(options);
        if self.params.table_bits != self.table.bits() {
            self.table = Table::new(self.params.table_bits);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table = Table::new(self.params.table_bits);
        self.searched = 0;
        self.game_time = None;
    }

    fn think(
        &mut self,
        record: &Record<Position<N>>,
        limits: &Limits<Cell>,
        control: &dyn Control<Cell>,
    ) -> Option<Cell> {
        let position = record.position();
        let moves = candidates(position, limits);
        let side = position.side_to_move();
        let win = if self.params.win_first { winning(position, &moves, side) } else { None };
        if let Some(m) = win.or_else(|| winning(position, &moves, side.other())) {
            return Some(m);
        }
        let time = self.time(limits);
        self.searched += 1;
        let deepest =
            limits.depth.unwrap_or(u32::MAX).min(self.params.max_depth).min(position.max_plies_left());
        let mut search = Search {
            measure: self.measure,
            table: &mut self.table,
            control,
            time,
            nodes: 0,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
        };
        search.deepen(position, moves, deepest)
    }
}

struct Search<'a> {
    measure: Measure,
    table: &'a mut Table,
    control: &'a dyn Control<Cell>,
    time: Option<Duration>,
    nodes: u64,
    most_nodes: u64,
}

impl Search<'_> {
    /// The best move of the last finished iteration; the first one if none is finished.
    fn deepen<const N: usize>(
        &mut self,
        position: &Position<N>,
        mut moves: Vec<Cell>,
        deepest: u32,
    ) -> Option<Cell> {
        let mut best = moves.first().copied();
        let all = moves.len() as u64 == position.count_moves();
        for depth in 1..=deepest {
            self.put_first(position, &mut moves);
            let Some((value, m)) = self.root(position, &moves, depth as u8) else { break };
            if all {
                self.store(position, depth as u8, (-WON, WON), value, m);
            }
            // It keeps its own time, so it does not ask whether to go on.
            let _ = self.control.report(&Report {
                depth,
                seldepth: depth,
                nodes: self.nodes,
                // A value says nothing of the distance to the end, so even a sure one is given as an estimate.
                score: Score::Cp(100 * value),
                multipv: None,
                hashfull: None,
                pv: &[m],
            });
            // Once the loss is seen, the move before it was seen asks more of the opponent; at the first depths there
            // is none that looked at the reply.
            if value > -WON || depth <= 2 {
                best = Some(m);
            }
            if value.abs() == WON {
                break;
            }
        }
        best
    }

    fn root<const N: usize>(
        &mut self,
        position: &Position<N>,
        moves: &[Cell],
        depth: u8,
    ) -> Option<(i32, Cell)> {
        self.enter()?;
        self.best(position, moves, depth, (-WON, WON))
    }

    /// The value of a position for the side to move; `None` when out of time.
    fn value<const N: usize>(
        &mut self,
        position: &Position<N>,
        depth: u8,
        (mut alpha, mut beta): (i32, i32),
    ) -> Option<i32> {
        self.enter()?;
        if let Some(entry) = self.table.get(position.key()).filter(|entry| entry.depth >= depth) {
            match entry.bound {
                Bound::Exact => return Some(entry.value),
                Bound::Lower => alpha = alpha.max(entry.value),
                Bound::Upper => beta = beta.min(entry.value),
            }
            if alpha >= beta {
                return Some(entry.value);
            }
        }
        if depth == 0 || position.outcome().is_some() {
            return Some(value(position, self.measure));
        }
        let mut moves = in_board_order(position.legal_moves());
        self.put_first(position, &mut moves);
        let (value, m) = self.best(position, &moves, depth, (alpha, beta))?;
        self.store(position, depth, (alpha, beta), value, m);
        Some(value)
    }

    /// The best of `moves`, the first among equals, with its value for the side to move; `None` when out of time.
    fn best<const N: usize>(
        &mut self,
        position: &Position<N>,
        moves: &[Cell],
        depth: u8,
        (mut alpha, beta): (i32, i32),
    ) -> Option<(i32, Cell)> {
        let mut best = None;
        for &m in moves {
            let value = -self.value(&position.play(m), depth - 1, (-beta, -alpha))?;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, m));
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn store<const N: usize>(
        &mut self,
        position: &Position<N>,
        depth: u8,
        (alpha, beta): (i32, i32),
        value: i32,
        best: Cell,
    ) {
        let bound = match value {
            _ if value <= alpha => Bound::Upper,
            _ if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        self.table.put(position.key(), Entry { value, bound, depth, best });
    }

    /// Moves the best move known of a position to the front.
    fn put_first<const N: usize>(&self, position: &Position<N>, moves: &mut [Cell]) {
        let best = self.table.get(position.key()).map(|entry| entry.best);
        if let Some(i) = moves.iter().position(|&m| Some(m) == best) {
            moves[..=i].rotate_right(1);
        }
    }

    /// Counts a node; `None` when there is to be no more.
    fn enter(&mut self) -> Option<()> {
        /// So many nodes take well below a millisecond.
        const BETWEEN_LOOKS: u64 = 64;
        let look = self.nodes.is_multiple_of(BETWEEN_LOOKS);
        let late = || look && self.time.is_some_and(|time| self.control.elapsed() >= time);
        if self.nodes >= self.most_nodes || self.control.stopped() || late() {
            return None;
        }
        self.nodes += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use game::{Notation, control};

    /// The value without any pruning, and the first move in board order that has it.
    fn negamax(position: &Position<21>, measure: Measure, depth: u8) -> (i32, Option<Cell>) {
        if depth == 0 || position.outcome().is_some() {
            return (value(position, measure), None);
        }
        let moves = in_board_order(position.legal_moves()).into_iter().rev();
        let valued = moves.map(|m| (-negamax(&position.play(m), measure, depth - 1).0, Some(m)));
        valued.max_by_key(|&(value, _)| value).expect("an unfinished game has moves")
    }

    #[test]
    fn a_search_finds_the_value_and_the_first_best_move_of_the_whole_tree() {
        for fen in [
            "10/11/12/13/14/15/16/8bb7/8bw1b6/8bbwwb6/8wbbw6/7www7/16/15/14/13/12/11/10 w",
            "10/11/12/13/14/15/16/17/8wbb7/7bbbwb7/6wwwbw7/9w7/16/15/14/13/12/11/10 b",
            "wwb/wbb1/bwbb1/1ww1/1b1 w",
            "5/6/7/8/4bbbb1/3wwww1/7/6/5 b",
        ] {
            let position = Position::<21>::from_fen(fen).expect("a good position");
            for measure in [Measure::Nothing, Measure::Groups, Measure::Neighbours] {
                for depth in 1..=3 {
                    let mut table = Table::new(10);
                    let mut search = Search {
                        measure,
                        table: &mut table,
                        control: &control(|| false, |_| {}),
                        time: None,
                        nodes: 0,
                        most_nodes: u64::MAX,
                    };
                    let moves = in_board_order(position.legal_moves());
                    let found = search.root(&position, &moves, depth).expect("it is not stopped");
                    let expected = negamax(&position, measure, depth);
                    assert_eq!((found.0, Some(found.1)), expected, "{measure:?} at depth {depth} in {fen}");
                }
            }
        }
    }
}
