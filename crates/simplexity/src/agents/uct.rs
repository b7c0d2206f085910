use std::ops::ControlFlow;

use bits::Bits;
use game::{Agent, Control, Draws, Game, Limits, Options, Record, Side};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::budget::{Budget, Stopped, share};
use super::{candidates, deepest};
use crate::piece::Move;
use crate::position::Position;

/// How much a move that was seldom tried is worth another try.
const K: f64 = 1.41;

/// So much of its time it uses, in percent.
const TIME_SHARE: u32 = 98;

/// Beyond this the tree grows no more: about 25 MB.
const MOST_NODES: usize = 1 << 20;

/// From so many games on it reports each time that number has doubled, and asks whether to go on.
const FIRST_REPORT: u64 = 64;

/// Monte Carlo tree search after KD6 3.7, seen as source only: UCT in which a draw is as bad as a loss, random games that
/// draw evenly from the legal moves, and in the end the move with the best average. The order in which new moves are
/// tried, that of the rules, is ours.
pub(super) struct Uct(Draws);

impl Uct {
    pub(super) fn new(options: &Options) -> Uct {
        Uct(Draws::new(options))
    }
}

impl<B: Bits> Agent<Position<B>> for Uct {
    fn name(&self) -> String {
        format!("UCT-K{K}")
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        self.0.configure(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.0.restart();
    }

    fn think(
        &mut self,
        record: &Record<Position<B>>,
        limits: &Limits<Move>,
        control: &dyn Control<Move>,
    ) -> Option<Move> {
        let position = record.position();
        let moves = candidates(position, limits);
        let mut tree = Tree::new(&moves);
        let mut budget = Budget::new(limits, control, share(limits, TIME_SHARE));
        let wanted = limits.depth.map(|_| deepest(position, limits, u32::MAX));
        let mut games = 0_u64;
        while tree.play(position, &mut budget, &mut self.0.rng).is_ok() {
            games += 1;
            // A depth that no game reaches is made up for by the number of games.
            if wanted.is_some_and(|depth| tree.depth >= depth || games >= MOST_NODES as u64) {
                break;
            }
            let look = games >= FIRST_REPORT && games.is_power_of_two();
            if look && tree.report::<B>(&budget).is_break() {
                break;
            }
        }
        if games == 0 {
            return moves.first().copied();
        }
        let _ = tree.report::<B>(&budget);
        tree.best()
    }
}

/// A position in the tree, by the move that leads to it.
struct Node {
    /// `None` at the root.
    m: Option<Move>,
    games: u64,
    /// Games won less all others, for the side that moved here.
    balance: i64,
    /// Its children in the list of nodes: none before it is visited for the second time.
    children: std::ops::Range<u32>,
}

impl Node {
    fn new(m: Option<Move>) -> Node {
        Node { m, games: 0, balance: 0, children: 0..0 }
    }

    /// The average result; of a node with games.
    fn rate(&self) -> f64 {
        self.balance as f64 / self.games as f64
    }
}

struct Tree {
    /// The root first.
    nodes: Vec<Node>,
    /// The longest way from the root to a node with games.
    depth: u32,
    /// The nodes of the present game.
    path: Vec<usize>,
}

impl Tree {
    fn new(moves: &[Move]) -> Tree {
        let mut tree = Tree { nodes: vec![Node::new(None)], depth: 0, path: Vec::new() };
        tree.expand(0, moves);
        tree
    }

    /// Plays a game: through the tree as far as it goes, then at random. One that is broken off counts for nothing.
    fn play<B: Bits>(
        &mut self,
        root: &Position<B>,
        budget: &mut Budget<'_>,
        rng: &mut Pcg64,
    ) -> Result<(), Stopped> {
        let mut position = root.clone();
        let mut node = 0;
        self.path.clear();
        self.path.push(node);
        while let Some(next) = self.child(node) {
            let Some(m) = self.nodes[next].m else { break };
            budget.enter()?;
            position.play_unchecked(m);
            self.path.push(next);
            node = next;
            if self.nodes[node].games == 0 {
                break;
            }
            if self.nodes[node].children.is_empty() {
                self.expand(node, &position.legal_moves());
            }
        }
        while position.outcome().is_none() {
            budget.enter()?;
            let m = draw(&position, rng);
            position.play_unchecked(m);
        }
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        self.count(winner, root.side_to_move());
        Ok(())
    }

    /// Gives a node its children, if there is room.
    fn expand(&mut self, node: usize, moves: &[Move]) {
        let first = self.nodes.len();
        if first + moves.len() <= MOST_NODES {
            self.nodes.extend(moves.iter().map(|&m| Node::new(Some(m))));
            self.nodes[node].children = first as u32..self.nodes.len() as u32;
        }
    }

    /// The child to visit: the first without a game, else the one with the highest upper confidence bound.
    fn child(&self, node: usize) -> Option<usize> {
        let Node { ref children, games, .. } = self.nodes[node];
        let log = libm::log(games as f64);
        let bound = |child: &Node| match child.games {
            0 => f64::INFINITY,
            games => child.rate() + K * (log / games as f64).sqrt(),
        };
        first_max(children.clone().map(|i| i as usize), |i| bound(&self.nodes[i]))
    }

    /// Adds a result to the nodes of the present game.
    fn count(&mut self, winner: Option<Side>, root: Side) {
        let mut mover = root.other();
        for &node in &self.path {
            let node = &mut self.nodes[node];
            node.games += 1;
            node.balance += if winner == Some(mover) { 1 } else { -1 };
            mover = mover.other();
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
    }

    /// The node of the move with the best average.
    fn best_node(&self) -> Option<&Node> {
        let tried = self.nodes[0].children.clone().map(|i| i as usize).filter(|&i| self.nodes[i].games > 0);
        first_max(tried, |i| self.nodes[i].rate()).map(|i| &self.nodes[i])
    }

    fn best(&self) -> Option<Move> {
        self.best_node()?.m
    }

    /// Reports an average of 1, all games won, as a value of 1.
    fn report<B: Bits>(&self, budget: &Budget<'_>) -> ControlFlow<()> {
        let Some(best) = self.best_node() else { return ControlFlow::Continue(()) };
        budget.report::<B>(self.depth, 100.0 * best.rate() as f32, best.m)
    }
}

/// The index with the largest value, the first among equals.
fn first_max(indices: impl Iterator<Item = usize>, value: impl Fn(usize) -> f64) -> Option<usize> {
    let valued = indices.map(|i| (i, value(i)));
    valued.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(i, _)| i)
}

/// A legal move of an unfinished position, each as likely as the others.
fn draw<B: Bits>(position: &Position<B>, rng: &mut Pcg64) -> Move {
    let mut left = rng.random_range(0..position.count_moves() as u32);
    let mut drawn = None;
    let _ = position.moves(|m| {
        drawn = Some(m);
        if left == 0 {
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    drawn.expect("an unfinished game has moves")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Shape;

    #[test]
    fn a_draw_is_as_bad_as_a_loss_for_both() {
        let m = Move { column: 0, shape: Shape::Round };
        let mut tree = Tree::new(&[m]);
        tree.expand(1, &[m]);
        tree.path = vec![0, 1, 2];
        let balances = |tree: &Tree| tree.nodes.iter().map(|node| node.balance).collect::<Vec<_>>();
        tree.count(Some(Side::First), Side::First);
        assert_eq!(balances(&tree), [-1, 1, -1]);
        tree.count(None, Side::First);
        assert_eq!(balances(&tree), [-2, 0, -2]);
        assert_eq!(tree.depth, 2);
    }

    #[test]
    fn a_move_seldom_tried_gets_its_chance() {
        let m = Move { column: 0, shape: Shape::Round };
        let mut tree = Tree::new(&[m, m]);
        assert_eq!(tree.child(0), Some(1), "the first without a game");
        tree.nodes[0].games = 11;
        (tree.nodes[1].games, tree.nodes[2].games) = (10, 1);
        // The roots of ln 11 / 10 and of ln 11 differ by 1.059, which 1.41 makes 1.493 of.
        tree.nodes[2].balance = -1;
        for (balance, chosen) in [(6, 1), (4, 2)] {
            tree.nodes[1].balance = balance;
            assert_eq!(tree.child(0), Some(chosen));
        }
        assert_eq!(tree.best_node().map(|node| node.games), Some(10), "in the end the average decides alone");
    }

    #[test]
    fn a_full_tree_grows_no_more() {
        let m = Move { column: 0, shape: Shape::Round };
        let mut tree = Tree::new(&[m]);
        tree.expand(1, &vec![m; MOST_NODES - 1]);
        assert_eq!((tree.nodes.len(), tree.child(1)), (2, None));
    }
}
