//! Doing nothing, and leaving, in every state.

use super::{LONG_COUNT, Row};

pub(super) const IDLE: &[Row] = &[
    ("idle", &[], "! idle 300\n"),
    ("idle-after-a-search", &[], "> position fen $start\n> go movetime 1\n< bestmove {word}\n! idle 300\n"),
];

/// Each begins with a process that was sent nothing yet.
pub(super) const BEFORE_HELLO: &[Row] = &[
    ("silent-before-hello", &[], "! idle 200\n"),
    ("quit-before-hello", &[], "> quit\n! exit\n"),
    ("end-of-input-before-hello", &[], "! close\n! exit\n"),
];

/// None leaves a process.
pub(super) const ENDS: &[Row] = &[
    (
        "quit-while-searching",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n> quit\n< bestmove {word}\n! exit\n",
    ),
    (
        "quit-with-lines-deferred",
        &["query", "tag"],
        "\
> position fen $start
> go infinite tag a
> query status
< response status searching
> query ply
> go movetime 1 tag b
> quit
> isready
< bestmove {word} tag a
! exit
",
    ),
    (
        "quit-while-counting",
        &["query", "perft", LONG_COUNT],
        "> position fen $start\n> query perft 40\n> query status\n< response status searching\n> quit\n<* error aborted {rest}\n! exit\n",
    ),
    ("sigterm", &[], "! signal term\n! exit\n"),
    ("sigint", &[], "! signal int\n! exit\n"),
    (
        "sigterm-while-searching",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n! signal term\n< bestmove {word}\n! exit\n",
    ),
    (
        "sigint-while-searching",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n! signal int\n< bestmove {word}\n! exit\n",
    ),
    (
        "end-of-input-in-time",
        &["query"],
        "> position fen $start\n> go movetime 1\n> query ply\n! close\n< bestmove {word}\n< response ply 0\n! exit\n",
    ),
    (
        "end-of-input-while-searching",
        &["option EofGrace"],
        "\
> setoption name EofGrace value 100
> position fen $start
> go infinite
! close
< info string stopped by end of input {rest}
< bestmove {word}
! exit
",
    ),
    (
        "end-of-input-with-lines-deferred",
        &["option EofGrace", "errors", "tag"],
        "\
> setoption name EofGrace value 100
> position fen $start
> go infinite tag a
> go depth 3 tag b
> go infinite tag c
! close
< bestmove {word} tag a
< error aborted {rest}
< bestmove 0000 tag b
< error aborted {rest}
< bestmove 0000 tag c
! exit
",
    ),
    (
        "end-of-input-while-counting",
        &["option EofGrace", "errors", "query", "perft", LONG_COUNT],
        "\
> setoption name EofGrace value 100
> position fen $start
> query perft 40
! close
< error aborted perft {rest}
! exit
",
    ),
    (
        "end-of-input-after-wait",
        &["option EofGrace", "wait", "query"],
        "\
> setoption name EofGrace value 0
> position fen $start
> go movetime 1
> wait
> query ply
! close
< bestmove {word}
< response ply 0
! exit
",
    ),
    ("nobody-reads", &[], "! deaf\n> isready\n! exit\n"),
    (
        "nobody-reads-a-search",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n! deaf\n> isready\n! exit\n",
    ),
];
