#![expect(clippy::float_cmp, reason = "the values are halves and infinities, all of them exact")]

use game::{Agent, Control, Evaluate, Limits, Options, Record, Report, Score, Side};

use super::rings::{Situation, last_action};
use crate::geometry::{Cells, Geometry};
use crate::position::{Move, Position};

/// The program of the report's author as published. It means to look two plies ahead by the factorials of tokens in
/// each X, but its update of their sum after an action forgets what is blocked or half crossed, subtracts infinities
/// from each other, and its own hand is the opponent's too. All of that is reproduced here; wins are infinite values
/// of the second player's, losses negative ones, and only the updated sum decides what is one.
pub(super) struct Published;

impl<B: Cells> Agent<Position<B>> for Published {
    fn name(&self) -> String {
        "FactorialPublished".into()
    }

    fn configure(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let (centre, stepped) = last_action(position, record.moves());
        let root = Situation::of(position);
        let mut moves = root.actions(centre);
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves.retain(|m| limits.allows(m));
        let &first = moves.first()?;
        if first == Move::Pass {
            return Some(first);
        }

        let hand = u32::from(position.hand(root.side));
        let mut search = Search {
            reply_places: hand > u32::from(!stepped),
            reply_moves: u32::from(position.moves_left()) > u32::from(stepped),
            leaves: limits.depth == Some(1),
            control,
            nodes_left: limits.nodes.unwrap_or(u64::MAX),
        };
        let base = full_value(position.geometry(), root.tokens);
        let mut best = Best::new(root.side);
        let mut chosen = None;
        for m in moves {
            let Some(value) = search.value(&root, m, base, best.value) else { break };
            // The program takes the first action whose value is the best one in the end; so even one that has the
            // worst of values is taken if no other is better.
            if best.improve(value) || chosen.is_none() && value == best.value {
                chosen = Some(m);
            }
            if best.value == best.wish() {
                break;
            }
        }
        let limit = Position::<B>::LIMIT;
        let value = if root.side == Side::Second { best.value } else { -best.value };
        let m = chosen.unwrap_or(first);
        let _ = control.report(&Report {
            depth: limits.depth.unwrap_or(2).min(2),
            seldepth: 2,
            nodes: limits.nodes.unwrap_or(u64::MAX) - search.nodes_left,
            score: Score::Cp(((100.0 * value) as i32).clamp(-limit, limit)),
            multipv: None,
            hashfull: None,
            pv: &[m],
        });
        Some(m)
    }
}

/// The best value so far for one side. A value that is no number never is.
struct Best {
    side: Side,
    value: f64,
}

impl Best {
    fn new(side: Side) -> Best {
        Best { side, value: -infinity_for(side) }
    }

    /// What the side hopes for.
    fn wish(&self) -> f64 {
        infinity_for(self.side)
    }

    /// Takes a value if it is better, and says whether it was.
    fn improve(&mut self, value: f64) -> bool {
        let better = match self.side {
            Side::First => value < self.value,
            Side::Second => value > self.value,
        };
        if better {
            self.value = value;
        }
        better
    }
}

/// The value of a win of `side`.
fn infinity_for(side: Side) -> f64 {
    match side {
        Side::First => f64::NEG_INFINITY,
        Side::Second => f64::INFINITY,
    }
}

struct Search<'a> {
    /// What it believes the opponent may do.
    reply_places: bool,
    reply_moves: bool,
    /// Whether to look at no replies.
    leaves: bool,
    control: &'a dyn Control<Move>,
    nodes_left: u64,
}

impl Search<'_> {
    /// The value of a root action, given the value before it and the best of the others; `None` when stopped.
    fn value<B: Cells>(&mut self, root: &Situation<B>, m: Move, base: f64, best: f64) -> Option<f64> {
        self.enter()?;
        let (cell, value, tokens) = acted(root, m, base);
        let loss = infinity_for(root.side.other());
        if self.leaves || value == loss {
            return Some(value);
        }
        let reply = Situation {
            geometry: root.geometry,
            tokens,
            side: root.side.other(),
            can_place: self.reply_places,
            can_move: self.reply_moves,
        };
        let mut worst = Best::new(reply.side);
        for m in reply.actions(cell) {
            self.enter()?;
            worst.improve(acted(&reply, m, value).1);
            let refuted = match root.side {
                Side::First => worst.value >= best,
                Side::Second => worst.value <= best,
            };
            if worst.value == loss || refuted {
                break;
            }
        }
        Some(worst.value)
    }

    /// Counts a node; `None` when there is to be no more.
    fn enter(&mut self) -> Option<()> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        (!self.control.stopped()).then_some(())
    }
}

/// The cell of an action of the side to act, and the value and the tokens after it.
fn acted<B: Cells>(before: &Situation<B>, m: Move, mut value: f64) -> (u16, f64, [B; 2]) {
    let &Situation { geometry, mut tokens, side, .. } = before;
    let to = match m {
        Move::Place(cell) => cell,
        Move::Step { from, direction } => {
            let own = &mut tokens[side.index()];
            *own = *own & !B::EMPTY.insert(from.into(), 1);
            value = updated(value, geometry, tokens, side, from, Change::Left);
            geometry.around[usize::from(from)].neighbours[direction.index()].unwrap_or(from)
        }
        Move::Pass => return (0, value, tokens),
    };
    tokens[side.index()] = tokens[side.index()].insert(to.into(), 1);
    (to, updated(value, geometry, tokens, side, to, Change::Entered), tokens)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Left,
    Entered,
}

/// An X's tokens as the program counts them: whose, how many, and opposing ones beside the centre. `None` if there are
/// none or both sides' among the five.
fn count<B: Cells>(geometry: &Geometry<B>, tokens: [B; 2], centre: u32) -> Option<(Side, u32, i32)> {
    let around = &geometry.around[centre as usize];
    let [x, o] = tokens.map(|tokens| (tokens & around.diagonals.insert(centre, 1)).count());
    let (owner, held) = match (x, o) {
        (1.., 0) => (Side::First, x),
        (0, 1..) => (Side::Second, o),
        _ => return None,
    };
    Some((owner, held, (tokens[owner.other().index()] & around.sides).count() as i32))
}

/// What `held` tokens in an X are worth.
fn worth(held: u32) -> f64 {
    if held == 5 { f64::INFINITY } else { factorial(held) }
}

fn factorial(n: u32) -> f64 {
    (1..=n).map(f64::from).product()
}

/// Half of `value` if exactly one token crosses.
fn halved(value: f64, crossing: i32) -> f64 {
    if crossing == 1 { value / 2.0 } else { value }
}

/// The sum over all X's, which the program computes right, for the second player.
fn full_value<B: Cells>(geometry: &Geometry<B>, tokens: [B; 2]) -> f64 {
    let worth = |centre| match count(geometry, tokens, centre) {
        Some((owner, held, crossing)) if crossing < 2 => signed(owner, halved(worth(held), crossing)),
        _ => 0.0,
    };
    geometry.centres.members().map(worth).sum()
}

/// The program's update of the value after `actor` left or entered a cell: for each X that has the cell among its five
/// or beside its centre, less what it thinks was there before, plus what is there now.
fn updated<B: Cells>(
    mut value: f64,
    geometry: &Geometry<B>,
    tokens: [B; 2],
    actor: Side,
    cell: u16,
    change: Change,
) -> f64 {
    let around = &geometry.around[usize::from(cell)];
    let affected = around.diagonals.insert(cell.into(), 1) | around.sides;
    for centre in (affected & geometry.centres).members() {
        let Some((owner, held, crossing)) = count(geometry, tokens, centre) else { continue };
        let beside = around.sides.test(centre);
        let old = match change {
            Change::Left if beside && owner != actor => halved(worth(held), crossing + 1),
            Change::Left if !beside && owner == actor && crossing < 2 => {
                halved(factorial(held + 1), crossing)
            }
            Change::Entered if beside && owner == actor => halved(worth(held), crossing - 1),
            _ => 0.0,
        };
        let new = if crossing < 2 { halved(worth(held), crossing) } else { 0.0 };
        value -= signed(owner, old);
        value += signed(owner, new);
    }
    value
}

/// What `owner` has, seen from the second player.
fn signed(owner: Side, value: f64) -> f64 {
    match owner {
        Side::First => -value,
        Side::Second => value,
    }
}

#[cfg(test)]
mod tests {

    use game::{Notation, control};

    use super::*;

    /// The value before an action, and the change the program thinks it makes.
    fn change(fen: &str, action: &str) -> (f64, f64) {
        let position = Position::<u128>::from_fen(fen).expect("a good position");
        let m = position.parse_move(action).expect("a legal move");
        let situation = Situation::of(&position);
        let value = full_value(situation.geometry, situation.tokens);
        (value, acted(&situation, m, value).1 - value)
    }

    #[test]
    fn the_update_errs_as_published() {
        // The n-th token earns n! and not n! - (n - 1)!.
        assert_eq!(change("3/1o1/3 o 5 5 5", "a1"), (1.0, 2.0));
        assert_eq!(change("o1o/3/o2 o 5 5 5", "b2"), (6.0, 24.0));
        // Occupying a cell of an enemy X earns nothing.
        assert_eq!(change("o1o/3/o2 x 5 5 5", "b2"), (6.0, 0.0));
        // Half crossing an enemy X adds to its value, and completing the crossing changes nothing.
        assert_eq!(change("o1o/1o1/o2 x 5 5 5", "a2"), (24.0, 12.0));
        assert_eq!(change("o1o/xo1/o2 x 5 5 5", "c2"), (12.0, 0.0));
        // An own token beside the centre changes nothing unless the X is half crossed; it is never a shield.
        assert_eq!(change("o1o/1o1/o2 o 5 5 5", "a2"), (24.0, 0.0));
        assert_eq!(change("o1o/xo1/o2 o 5 5 5", "c2"), (12.0, -12.0));
        // Leaving takes back what the X's were worth, 4! - 3! at b2 and 2! - 1! at c3; coming back to c3 earns 2!.
        assert_eq!(change("4/o1o1/1o2/o3 o 5 5 5", "c3d4"), (26.0, -17.0));
        // A fifth token wins, half crossed or not.
        assert_eq!(change("o1o/x2/o1o o 5 5 5", "b2").1, f64::INFINITY);
        assert_eq!(change("x1x/3/x1x x 5 5 5", "b2").1, f64::NEG_INFINITY);
        // Uncrossing a full X is infinity less infinity.
        assert!(change("4/x1x1/oxo1/x1x1 o 5 5 5", "c2d1").1.is_nan());
    }

    #[test]
    fn it_thinks_the_opponent_has_its_own_hand() {
        // x has one token left and o three, and no move is left: x thinks o cannot place after x did, so that any
        // placement wins, and the first is as good as any.
        let position = Position::<u128>::from_fen("5/1o1o1/5/1o1o1/5 x 1 3 0").expect("a good position");
        let record = Record::new(position);
        assert_eq!(
            Published.think(&record, &Limits::default(), &control(|| false, |_| {})),
            Some(Move::Place(0))
        );
    }
}
