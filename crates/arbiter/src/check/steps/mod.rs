//! The steps: what is sent and what is expected, in the language of [`super::script`].

mod ends;
mod errors;
mod lines;
mod minimal;
mod positions;
mod searches;
mod states;

use std::borrow::Cow;

use super::Level;
use super::session::{Fail, Session};
use super::trials;

/// One thing that an engine must do.
pub(super) struct Step {
    /// A word of its own, by which reports name it.
    pub(super) name: Cow<'static, str>,
    pub(super) level: Level,
    /// Capabilities without which it is skipped, `option NAME`, or [`LONG_COUNT`].
    pub(super) needs: &'static [&'static str],
    pub(super) start: Start,
    pub(super) act: Act,
}

/// What a step needs that stops a count of move sequences: so many that none ends by itself.
pub(super) const LONG_COUNT: &str = "long count";

/// What it begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// A process that was sent nothing yet.
    Fresh,
    /// A new game.
    Game,
    /// Nothing: it only looks back.
    Nothing,
}

/// What is done.
pub(super) enum Act {
    Script(Cow<'static, str>),
    Trial(Trial),
}

/// A step that is a program. It may have something to say of an engine that passes.
pub(super) type Trial = fn(&mut Session<'_>) -> Result<Option<String>, Fail>;

/// A step as the tables have it: name, what it needs, script.
type Row = (&'static str, &'static [&'static str], &'static str);

/// All steps, in the order in which they are taken.
pub(super) fn all() -> Vec<Step> {
    use Level::{Full, Minimal};
    use Start::{Fresh, Game, Nothing};
    let mut steps = vec![trial(Minimal, "handshake", &[], Fresh, trials::handshake)];
    steps.extend(scripts(Minimal, minimal::GAME, Game));
    steps.push(trial(Minimal, "whole-game", &[], Game, trials::whole_game));
    steps.push(trial(Minimal, "last-move", &[], Game, trials::last_move));
    steps.push(trial(Minimal, "random-positions", &[], Game, trials::random_positions));
    steps.extend(scripts(Minimal, minimal::LINES, Game));
    steps.extend(scripts(Minimal, minimal::ENDS, Game));
    steps.push(trial(Full, "identity", &[], Game, trials::identity));
    steps.extend(scripts(Full, lines::HELLO, Fresh));
    steps.push(trial(Full, "uci-words", &[], Fresh, trials::uci_words));
    steps.extend(scripts(Full, lines::LINES, Game));
    steps.extend(scripts(Full, errors::ERRORS, Game));
    steps.push(trial(Full, "option-ranges", &["errors"], Game, trials::option_ranges));
    steps.extend(scripts(Full, positions::POSITIONS, Game));
    steps.push(trial(Full, "set-ups", &["setup", "errors"], Game, trials::set_ups));
    steps.push(trial(Full, "legal-moves", &["query"], Game, trials::legal_moves));
    steps.push(trial(Full, "move-counts", &["query", "perft"], Game, trials::move_counts));
    steps.extend(scripts(Full, searches::SEARCHES, Game));
    steps.push(trial(Full, "multipv", &["multipv"], Game, trials::multipv));
    steps.push(trial(Full, "last-info", &[], Game, trials::last_info));
    steps.push(trial(Full, "info-rate", &[], Game, trials::info_rate));
    steps.push(trial(Full, "same-game-again", &[], Game, trials::same_game_again));
    steps.extend(states::steps());
    steps.push(trial(Full, "stop-races", &[], Game, trials::stop_races));
    steps.push(trial(Full, "memory", &[], Game, trials::memory));
    steps.extend(scripts(Full, ends::IDLE, Game));
    steps.extend(scripts(Full, ends::BEFORE_HELLO, Fresh));
    steps.extend(scripts(Full, ends::ENDS, Game));
    steps.push(trial(Full, "pv-moves", &[], Nothing, trials::pv_moves));
    steps.push(trial(Full, "clean-output", &[], Nothing, trials::clean_output));
    steps
}

fn trial(
    level: Level,
    name: &'static str,
    needs: &'static [&'static str],
    start: Start,
    trial: Trial,
) -> Step {
    Step { name: name.into(), level, needs, start, act: Act::Trial(trial) }
}

fn scripts(level: Level, rows: &'static [Row], start: Start) -> impl Iterator<Item = Step> {
    rows.iter().map(move |&(name, needs, script)| Step {
        name: name.into(),
        level,
        needs,
        start,
        act: Act::Script(Cow::Borrowed(script)),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::check::facts::Facts;
    use crate::check::script;

    #[test]
    fn every_script_is_one_in_every_game() {
        for &rules in registry::GAMES {
            let facts = Facts::new(rules, &rules.setup(&[]).unwrap(), 1).unwrap();
            for step in all() {
                if let Act::Script(text) = &step.act {
                    let filled = facts.fill(text);
                    assert!(!filled.contains('$'), "{}: {filled}", step.name);
                    script::parse(&filled).unwrap_or_else(|error| panic!("{}: {error}", step.name));
                }
            }
        }
    }

    #[test]
    fn names_are_words_and_differ() {
        let steps = all();
        let names: BTreeSet<_> = steps.iter().map(|step| step.name.clone()).collect();
        assert_eq!(names.len(), steps.len());
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
    }
}
