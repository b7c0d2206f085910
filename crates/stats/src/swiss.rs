/// What a Swiss tournament knows of a player before a round. Players are numbered from 0 in the order of seeding.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entrant {
    /// Points so far.
    pub score: f64,
    /// Numbers of the opponents so far.
    pub opponents: Vec<usize>,
    /// Whether it had no opponent in some round.
    pub had_bye: bool,
}

/// Who meets whom.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The encounters, the best players' first, the better player first in each.
    pub pairs: Vec<[usize; 2]>,
    /// Who has no opponent.
    pub byes: Vec<usize>,
}

/// Pairings tried before rematches are allowed for.
const NODES: u32 = 1_000_000;

/// The pairing of the next round. Players stand in the order of their scores, seeding deciding between equals. With an
/// odd number the lowest that had none has a bye. The highest player not yet paired meets the first it hasn't met: of
/// its score group first the lower half, then the upper half from the middle upwards, then the groups below in order;
/// the first pairing of all players that this depth-first search finds is taken. If there is none without rematches,
/// they are allowed where nothing else is left. An encounter is a pair of games, so there are no colours to balance.
pub fn swiss_round(players: &[Entrant]) -> Round {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&a, &b| players[b].score.total_cmp(&players[a].score));
    let odd = order.len() % 2 == 1;
    let byes = || order.iter().rev().copied();
    let mut candidates: Vec<Option<usize>> = byes().filter(|&p| !players[p].had_bye).map(Some).collect();
    if !odd {
        candidates = vec![None];
    } else if candidates.is_empty() {
        candidates = byes().map(Some).take(1).collect();
    }
    let without = |bye: Option<usize>| order.iter().copied().filter(|p| Some(*p) != bye).collect::<Vec<_>>();
    let mut search = Search { players, nodes: NODES };
    for &bye in &candidates {
        if let Some(pairs) = search.pair(&without(bye)) {
            return Round { pairs, byes: bye.into_iter().collect() };
        }
    }
    let bye = candidates.first().copied().flatten();
    Round { pairs: greedy(players, without(bye)), byes: bye.into_iter().collect() }
}

struct Search<'a> {
    players: &'a [Entrant],
    nodes: u32,
}

impl Search<'_> {
    /// Pairs players that stand in order, without rematches; `None` if that can't be done, or not soon.
    fn pair(&mut self, unpaired: &[usize]) -> Option<Vec<[usize; 2]>> {
        let Some((&top, rest)) = unpaired.split_first() else { return Some(Vec::new()) };
        for opponent in wishes(self.players, top, rest) {
            self.nodes = self.nodes.checked_sub(1)?;
            if self.players[top].opponents.contains(&opponent) {
                continue;
            }
            let left: Vec<usize> = rest.iter().copied().filter(|&p| p != opponent).collect();
            if let Some(mut pairs) = self.pair(&left) {
                pairs.insert(0, [top, opponent]);
                return Some(pairs);
            }
        }
        None
    }
}

/// Pairs each with the first it hasn't met, or with the first.
fn greedy(players: &[Entrant], mut unpaired: Vec<usize>) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    while let Some((&top, rest)) = unpaired.split_first() {
        let wishes = wishes(players, top, rest);
        let new = wishes.iter().find(|opponent| !players[top].opponents.contains(opponent));
        let Some(&opponent) = new.or(wishes.first()) else { break };
        pairs.push([top, opponent]);
        unpaired.retain(|&p| p != top && p != opponent);
    }
    pairs
}

/// The opponents of the top player, those it should rather meet first.
fn wishes(players: &[Entrant], top: usize, rest: &[usize]) -> Vec<usize> {
    let same = |p: &&usize| players[**p].score.total_cmp(&players[top].score).is_eq();
    let others = rest.iter().take_while(same).count();
    // Of a group of n, the top player included, the lower half starts at place ⌈n / 2⌉.
    let half = (others + 1).div_ceil(2) - 1;
    let group = rest[half..others].iter().chain(rest[..half].iter().rev());
    group.chain(&rest[others..]).copied().collect()
}
