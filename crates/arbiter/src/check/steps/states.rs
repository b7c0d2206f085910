//! The table of states: each command while the engine is idle, and while it searches.

use std::borrow::Cow;

use super::{Act, LONG_COUNT, Row, Start, Step, scripts};
use crate::check::Level;

/// Commands that are deferred while a search runs: name, what it needs, line and answer.
const DEFERRED: &[(&str, &[&str], &str, &str)] = &[
    ("ugi", &[], "ugi", "<* {id|protocol|cap|game|option} {rest}\n< ugiok"),
    ("uginewgame", &["query"], "uginewgame\n> query ply", "< response ply 0"),
    ("setup", &["setup"], "setup $setup", "< setupok $setup"),
    ("setoption", &["errors"], "setoption name Joho value 1", "< error unknown-option Joho {rest}"),
    ("position", &["query"], "position fen $start moves $opening\n> query ply", "< response ply 2"),
    ("legal", &["errors"], "legal 1 $nomove", "< error illegal-move 1 $nomove {rest}"),
    ("go", &[], "go movetime 1", "< bestmove {word}"),
    ("query", &["query"], "query legal", "< response legal $legal"),
    ("perft", &["query", "perft"], "query perft 1", "< response perft $perft1"),
    ("d", &["query"], "d", "<* boardline {rest}\n< response board {int}"),
    ("help", &[], "help", "< info string {rest}"),
    ("debug", &["errors"], "debug on\n> debug maybe", "< error bad-syntax maybe {rest}"),
    ("unknown", &["errors"], "joho", "< error unknown-command joho {rest}"),
];

/// What is not deferred.
const OTHERS: &[Row] = &[
    ("stop-idle", &["query"], "> stop\n! silence 30\n> query status\n< response status idle\n"),
    ("status-idle", &["query"], "> query status\n< response status idle\n"),
    ("wait-idle", &["wait"], "> wait\n> isready\n< readyok\n"),
    (
        "isready-searching",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n> isready\n< readyok\n> stop\n< bestmove {word}\n",
    ),
    (
        "isready-searching-deferred",
        &["query"],
        "\
> position fen $start
> go infinite
> query ply
> isready
! silence 30
> stop
< bestmove {word}
< response ply 0
< readyok
",
    ),
    (
        "status-searching",
        &["query"],
        "\
> position fen $start
> go infinite
> query status
< response status searching
> query ply
> query status
< response status searching
> stop
< bestmove {word}
< response ply 0
> query status
< response status idle
",
    ),
    (
        "wait-searching",
        &["wait", "errors"],
        "> position fen $start\n> go infinite\n> wait\n< error unsupported wait {rest}\n> stop\n< bestmove {word}\n",
    ),
    (
        "deferred-in-order",
        &["query", "errors"],
        "\
> position fen $start
> go infinite
> position fen $start moves $first
> query ply
> joho
> position fen $start
> query ply
> go movetime 1
> query status
< response status searching
! silence 30
> stop
< bestmove {word}
< response ply 1
< error unknown-command joho {rest}
< response ply 0
< bestmove {word}
",
    ),
    (
        "counting-is-searching",
        &["query", "perft", "errors", LONG_COUNT],
        "\
> position fen $start
> query perft 40
> query status
< response status searching
> query ply
> isready
! silence 30
> stop
< error aborted perft {rest}
< response ply 0
< readyok
",
    ),
];

/// All steps of the table.
pub(super) fn steps() -> impl Iterator<Item = Step> {
    let step = |name: String, needs, script| Step {
        name: Cow::Owned(name),
        level: Level::Full,
        needs,
        start: Start::Game,
        act: Act::Script(Cow::Owned(script)),
    };
    let idle = DEFERRED.iter().map(move |(name, needs, line, answer)| {
        step(format!("{name}-idle"), needs, format!("> position fen $start\n> {line}\n{answer}\n"))
    });
    let searching = DEFERRED.iter().map(move |(name, needs, line, answer)| {
        // The `isready` is answered by an engine that searches, so that it does when the line comes.
        let script = format!(
            "> position fen $start\n> go infinite\n> isready\n< readyok\n> {line}\n! silence 30\n> stop\n\
             < bestmove {{word}}\n{answer}\n"
        );
        step(format!("{name}-searching"), needs, script)
    });
    idle.chain(searching).chain(scripts(Level::Full, OTHERS, Start::Game))
}
