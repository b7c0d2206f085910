//! What an engine needs to play in the arbiter: "A complete engine" of the specification.

use super::Row;

/// A game, command by command.
pub(super) const GAME: &[Row] = &[
    ("ready", &[], "> isready\n< readyok\n"),
    ("new-game", &[], "> uginewgame\n> isready\n< readyok\n"),
    ("set-up", &["setup"], "> setup $setup\n< setupok $setup\n"),
    ("go-movetime", &[], "> position fen $start\n> go movetime 500\n< bestmove {move} {rest}\n"),
    ("go-nodes", &[], "> position fen $start\n> go nodes 5000\n< bestmove {move} {rest}\n"),
    ("go-depth", &[], "> position fen $start\n> go depth 2\n< bestmove {move} {rest}\n"),
    (
        "go-clock",
        &[],
        "> position fen $start moves $first\n> go p1time 1000 p2time 1000 p1inc 10 p2inc 10\n< bestmove {word} {rest}\n",
    ),
    (
        "one-answer-per-go",
        &[],
        "\
> position fen $start
> go movetime 20
< bestmove {word} {rest}
! silence 100
> position fen $start moves $opening
> go movetime 20
< bestmove {word} {rest}
! silence 100
",
    ),
    (
        "stop-a-search",
        &[],
        "> position fen $start\n> go movetime 200\n> stop\n< bestmove {word} {rest}\n! silence 250\n",
    ),
    ("stop-while-idle", &[], "> stop\n> stop\n! silence 50\n"),
    (
        "ready-after-a-search",
        &[],
        "\
> position fen $start
> go movetime 20
< bestmove {word} {rest}
> isready
< readyok
> uginewgame
> isready
< readyok
",
    ),
];

/// How commands may be written, and that others are ignored.
pub(super) const LINES: &[Row] = &[
    (
        "unknown-lines",
        &[],
        "> joho 1 2\n> x-private\n> isready\n<* error unknown-command {rest}\n< readyok\n",
    ),
    ("blank-lines", &[], ">\n>  \t \n> isready\n< readyok\n"),
    (
        "comments",
        &[],
        "> # go infinite\n>  # another\n> isready\n<* error unknown-command {rest}\n< readyok\n",
    ),
    (
        "carriage-returns",
        &[],
        "\
> isready\\x0d
< readyok
> position fen $start moves $opening\\x0d
> go movetime 20\\x0d
< bestmove {word} {rest}
",
    ),
    (
        "tabs-and-blanks",
        &[],
        "> \tisready  \n< readyok\n>  position\tfen   $start\n> go  movetime\t20 \n< bestmove {word} {rest}\n",
    ),
];

/// How it leaves.
pub(super) const ENDS: &[Row] =
    &[("quit", &[], "> quit\n! exit\n"), ("end-of-input", &[], "! close\n! exit\n")];
