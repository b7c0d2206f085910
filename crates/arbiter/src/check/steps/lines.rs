//! The hello in all its forms, and lines of all kinds.

use super::Row;

/// Each begins with a process that was sent nothing yet.
pub(super) const HELLO: &[Row] = &[
    (
        "hello-again",
        &[],
        "\
> ugi
<* {id|protocol|cap|game|option} {rest}
< ugiok
> ugi 1
<* {id|protocol|cap|game|option} {rest}
< ugiok
",
    ),
    (
        "hello-of-another-version",
        &["errors"],
        "\
> ugi 2
< error unsupported version {rest}
<* {id|protocol|cap|game|option} {rest}
< ugiok
",
    ),
    (
        "uci",
        &["errors"],
        "\
> uci
<* id {name|author} {rest}
<* option name {rest}
< uciok
> isready
< readyok
> joho
< info string error unknown-command joho {rest}
> position fen $start moves $nomove
< info string error illegal-move 1 $nomove {rest}
> go movetime 1
< info string error no-position {rest}
< bestmove 0000
> ucinewgame
> position fen $start
> go wtime 1000 btime 1000 winc 0 binc 0 depth 1
< bestmove {word}
> ugi
<* {id|protocol|cap|game|option} {rest}
< ugiok
> joho
< error unknown-command joho {rest}
",
    ),
    ("no-hello", &[], "> go nodes 100\n< bestmove {word}\n> isready\n< readyok\n"),
    (
        "commands-before-hello",
        &["setup", "query", "errors"],
        "\
> isready
< readyok
> query ply
< response ply 0
> query status
< response status idle
> stop
> debug on
> help
> joho
< error unknown-command joho {rest}
> setoption name Joho value 1
< error unknown-option Joho {rest}
> setup $setup
< setupok $setup
> position fen $start moves $first
> query ply
< response ply 1
> uginewgame
> query ply
< response ply 0
> d
<* boardline {rest}
< response board {int}
> go movetime 1
< bestmove {word}
",
    ),
];

/// Lines, from both ends of what is allowed.
pub(super) const LINES: &[Row] = &[
    ("keywords-in-capitals", &["errors"], "> Isready\n< error unknown-command Isready {rest}\n"),
    (
        "moves-in-capitals",
        &["query"],
        "> position fen $start moves $FIRST\n> query moves\n< response moves 1 $first\n",
    ),
    ("longest-line", &[], "> isready{ *1048569}\n< readyok\n"),
    ("line-too-long", &["errors"], "> {x*1048577}\n< error line-too-long {rest}\n"),
    (
        "go-too-long",
        &["errors", "tag"],
        "> go tag t{ x*600000}\n< error line-too-long {rest}\n< bestmove 0000 tag t\n",
    ),
    (
        "position-too-long",
        &["errors", "query"],
        "> position fen $start moves{ $first*600000}\n< error line-too-long {rest}\n> query ply\n< error no-position {rest}\n",
    ),
    (
        "bad-encoding",
        &["errors", "query"],
        "\
> query \\xff
< error bad-encoding {rest}
> query a\\x00
< error bad-encoding {rest}
> go depth \\xe9
< error bad-encoding {rest}
< bestmove 0000
> position fen $start
> position fen $start moves \\xff
< error bad-encoding {rest}
> query ply
< error no-position {rest}
",
    ),
    ("last-line-without-line-feed", &[], ">| isready\n! close\n< readyok\n! exit\n"),
    (
        "many-lines-at-once",
        &["query"],
        "\
> position fen $start moves $first
> query ply
> position fen $start
> query ply
> go movetime 1
> query ply
< response ply 1
< response ply 0
< bestmove {word}
< response ply 0
",
    ),
];
