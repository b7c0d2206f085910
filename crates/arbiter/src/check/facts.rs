use game::{BoardStyle, Rules, Setup, Side, State};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::driver::counted;
use crate::openings::{below, step};

/// A move that no game has.
const NO_MOVE: &str = "zz99";

/// What the scripts say of the game, by name: `$NAME` stands for it.
pub(super) struct Facts {
    /// The longest names first, so that none is taken for the beginning of another.
    values: Vec<(&'static str, String)>,
}

impl Facts {
    /// The facts of a game under a set-up. The finished game among them is random, and follows from the seed.
    pub(super) fn new(rules: &'static dyn Rules, setup: &Setup, seed: u64) -> Facts {
        let start = rules.start(setup);
        let fen = start.fen();
        let legal = start.legal();
        let game = Walk::new(seed).game(&*start);
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
        values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Facts { values }
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
            let facts = Facts::new(rules, &setup, 1);
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
    fn walks_follow_from_their_seed() {
        let rules = registry::find("xrudder").unwrap();
        let start = rules.start(&rules.setup(&[]).unwrap());
        let [one, same, other] = [1, 1, 2].map(|seed| Walk::new(seed).game(&*start));
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert!(replay(&*start, &one).outcome().is_some());
    }
}
