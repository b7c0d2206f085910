use game::{BoardStyle, Rules, Setup, Side, State};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::driver::counted;
use crate::openings::{below, step};

/// A move that no game has.
const NO_MOVE: &str = "zz99";
/// Plies that a game must have for the scripts: two moves, and a position in between that is not over.
pub(super) const LEAST_PLIES: usize = 3;
/// Random games that are drawn to find one of so many plies.
const DRAWN: usize = 100;
/// The plies of the counts that scripts stop, and the sequences that take an engine longer than anybody waits.
const COUNTED: usize = 40;
const MANY: f64 = 1e13;
/// Random games by which the number of sequences is estimated.
const PROBES: u32 = 32;

/// What the scripts say of the game, by name: `$NAME` stands for it.
pub(super) struct Facts {
    /// The longest names first, so that none is taken for the beginning of another.
    values: Vec<(&'static str, String)>,
    /// Whether no engine counts the move sequences of [`COUNTED`] plies while it is watched.
    pub(super) is_long: bool,
}

impl Facts {
    /// The facts of a game under a set-up. The finished game among them is random, and follows from the seed. `None`: all
    /// games are too short.
    pub(super) fn new(rules: &'static dyn Rules, setup: &Setup, seed: u64) -> Option<Facts> {
        let start = rules.start(setup);
        let fen = start.fen();
        let legal = start.legal();
        let mut walk = Walk::new(seed);
        let game = (0..DRAWN).map(|_| walk.game(&*start)).find(|game| game.len() >= LEAST_PLIES)?;
        let over = replay(&*start, &game);
        let opening = replay(&*start, game.get(..2).unwrap_or_default());
        let outcome = over.outcome();
        let side = |state: &dyn State| state.side_to_move().token().to_owned();
        let score = |state: &dyn State| match state.score() {
            Some((first, second)) => format!("response score {first} {second}"),
            None => "error unsupported score {rest}".to_owned(),
        };
        let mut values = vec![
            ("game", rules.name().to_owned()),
            ("setup", format!("{} {}", rules.name(), setup.text(rules.params()))),
            ("start", fen.clone()),
            ("legal", counted(&legal)),
            ("first", game.first().cloned().unwrap_or_default()),
            ("FIRST", game.first().map(|m| m.to_uppercase()).unwrap_or_default()),
            ("second", game.get(1).cloned().unwrap_or_default()),
            ("other", legal.last().cloned().unwrap_or_default()),
            ("nomove", NO_MOVE.to_owned()),
            ("turn", side(&*start)),
            ("p1turn", (start.side_to_move() == Side::First).to_string()),
            ("score", score(&*start)),
            ("board", start.board(BoardStyle::default()).len().to_string()),
            ("perft1", start.perft(1).to_string()),
            ("perft2", start.perft(2).to_string()),
            ("opening", game.get(..2).unwrap_or_default().join(" ")),
            ("fen2", opening.fen()),
            ("legal2", counted(&opening.legal())),
            ("over", format!("{fen} moves {}", game.join(" "))),
            ("overmoves", counted(&game)),
            ("overplies", game.len().to_string()),
            ("overfen", over.fen()),
            ("overturn", side(&*over)),
            ("overscore", score(&*over)),
            ("result", outcome.map_or("none", |outcome| outcome.token()).to_owned()),
            ("reason", outcome.map_or("none", |outcome| outcome.reason).to_owned()),
            ("clock", if start.side_to_move() == Side::First { "p1time" } else { "p2time" }.to_owned()),
            ("noclock", if start.side_to_move() == Side::First { "p2time" } else { "p1time" }.to_owned()),
        ];
        if let Some(param) = rules.params().first() {
            let number = |n: i64| n.to_string();
            values.push(("key", param.key.to_owned()));
            values.push(("toobig", number(param.max.saturating_add(1))));
            values.push(("value", number(setup.0.first().copied().unwrap_or_default())));
        }
        let options = rules.params().iter().zip(&setup.0);
        let options = options.map(|(param, value)| format!("> setoption name {} value {value}\n", param.key));
        values.push(("options", options.collect()));
        values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Some(Facts { values, is_long: walk.sequences(&*start) >= MANY })
    }

    /// A script with the facts in their places.
    pub(super) fn fill(&self, script: &str) -> String {
        self.values
            .iter()
            .fold(script.to_owned(), |text, (name, value)| text.replace(&format!("${name}"), value))
    }
}

/// The position after some moves, as far as they are legal.
pub(super) fn replay(start: &dyn State, moves: &[String]) -> Box<dyn State> {
    let mut state = start.boxed_clone();
    let _ = moves.iter().try_for_each(|m| state.play(m).map(drop));
    state
}

/// Random games.
pub(super) struct Walk {
    rng: Pcg64Mcg,
}

impl Walk {
    /// The games that follow from a seed.
    pub(super) fn new(seed: u64) -> Walk {
        Walk { rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// The moves of a game to its end.
    pub(super) fn game(&mut self, start: &dyn State) -> Vec<String> {
        let mut state = start.boxed_clone();
        let mut moves = Vec::new();
        while state.outcome().is_none() {
            moves.push(step(&mut *state, &mut self.rng));
        }
        moves
    }

    /// About how many sequences of [`COUNTED`] moves there are: the mean of what random games promise (Knuth, *Estimating
    /// the efficiency of backtrack programs*, 1975).
    fn sequences(&mut self, start: &dyn State) -> f64 {
        let probe = |walk: &mut Walk| {
            let mut state = start.boxed_clone();
            let mut number = 1.0;
            for _ in 0..COUNTED {
                if state.outcome().is_some() {
                    break;
                }
                number *= state.count_moves() as f64;
                step(&mut *state, &mut walk.rng);
            }
            number
        };
        (0..PROBES).map(|_| probe(self)).sum::<f64>() / f64::from(PROBES)
    }

    /// The first moves of a game: all numbers of them are as likely, the whole game too.
    pub(super) fn opening(&mut self, start: &dyn State) -> Vec<String> {
        let mut moves = self.game(start);
        let plies = below(&mut self.rng, moves.len() as u64 + 1) as usize;
        moves.truncate(plies);
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_fill_scripts_in_every_game() {
        for &rules in registry::GAMES {
            let setup = rules.setup(&[]).unwrap();
            let facts = Facts::new(rules, &setup, 1).unwrap();
            assert!(facts.is_long, "{}", rules.name());
            let filled =
                facts.fill("$game $setup $start $overfen $over $first $FIRST $result $reason $p1turn");
            assert!(!filled.contains('$'), "{filled}");
            let over = rules.load(&facts.fill("$overfen")).unwrap();
            assert_eq!(over.outcome().unwrap().token(), facts.fill("$result"), "{}", rules.name());
            assert!(rules.start(&setup).boxed_clone().play(&facts.fill("$FIRST")).is_ok());
            assert!(rules.start(&setup).boxed_clone().play(NO_MOVE).is_err());
        }
    }

    #[test]
    fn small_boards_have_few_facts_or_none() {
        let rules = registry::find("simplexity").unwrap();
        let facts = |rows, cols, win| {
            let setup = rules.setup(&[("rows", rows), ("cols", cols), ("win", win)]).unwrap();
            Facts::new(rules, &setup, 1)
        };
        assert!(facts("1", "1", "1").is_none());
        assert!(facts("1", "2", "2").is_none());
        assert!(!facts("3", "3", "3").unwrap().is_long);
        assert!(facts("8", "8", "4").unwrap().is_long);
        assert_eq!(
            facts("3", "4", "4").unwrap().fill("$options"),
            "> setoption name rows value 3\n> setoption name cols value 4\n> setoption name win value 4\n\
             > setoption name round value 10\n> setoption name square value 11\n"
        );
    }

    #[test]
    fn walks_follow_from_their_seed() {
        let rules = registry::find("xrudder").unwrap();
        let start = rules.start(&rules.setup(&[]).unwrap());
        let [one, same, other] = [1, 1, 2].map(|seed| Walk::new(seed).game(&*start));
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert!(replay(&*start, &one).outcome().is_some());
    }
}
