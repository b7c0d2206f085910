//! Every error that a controller can bring about, with its details.

use super::{LONG_COUNT, Row};

pub(super) const ERRORS: &[Row] = &[
    ("unknown-command", &["errors"], "> joho debug on\n< error unknown-command joho {rest}\n"),
    (
        "bad-syntax",
        &["errors"],
        "\
> isready now
< error bad-syntax now {rest}
> debug maybe
< error bad-syntax maybe {rest}
> setoption Joho value 2
< error bad-syntax Joho {rest}
> setoption name
< error bad-syntax name {rest}
> legal 3 $first
< error bad-syntax legal {rest}
",
    ),
    ("bad-question", &["errors", "query"], "> query weather\n< error bad-syntax weather {rest}\n"),
    (
        "bad-number",
        &["errors"],
        "> legal many\n< error bad-number many {rest}\n> go depth x\n< error bad-number x {rest}\n< bestmove 0000\n",
    ),
    (
        "bad-go",
        &["errors"],
        "\
> position fen $start
> go dpeth 5
< error bad-syntax dpeth {rest}
< bestmove 0000
> go ponder
< error bad-syntax ponder {rest}
< bestmove 0000
> go p1time p2time 500
< error bad-syntax p1time {rest}
< bestmove 0000
> go depth
< error bad-syntax depth {rest}
< bestmove 0000
> go depth 3 depth 4
< error bad-syntax depth {rest}
< bestmove 0000
> go nodes 9223372036854775808
< error bad-number 9223372036854775808 {rest}
< bestmove 0000
> go movetime 1.5
< error bad-number 1.5 {rest}
< bestmove 0000
> go $noclock 1000
< error bad-syntax $clock {rest}
< bestmove 0000
> go movestogo 10
< error bad-syntax $clock {rest}
< bestmove 0000
",
    ),
    (
        "unknown-game",
        &["errors", "setup"],
        "> setup joho\n< error unknown-game joho {rest}\n> setup $game\n< setupok $game {rest}\n",
    ),
    (
        "bad-param",
        &["errors", "setup"],
        "\
> setup $game joho 1
< error bad-param joho 1 {rest}
> setup $game $key $toobig
< error bad-param $key $toobig {rest}
> setup $game $key many
< error bad-param $key many {rest}
> setup $game $key $value $key $value
< error bad-param $key $value {rest}
> setup $game $key
< error bad-syntax $key {rest}
> setup
< error bad-syntax setup {rest}
> setup $game
< setupok $game {rest}
",
    ),
    (
        "unknown-option",
        &["errors"],
        "\
> setoption name Joho value 1
< error unknown-option Joho {rest}
> setoption name Colour of the Board value red
< error unknown-option Colour of the Board {rest}
",
    ),
    (
        "bad-fen",
        &["errors"],
        "> position fen joho\n< error bad-fen {int} {rest}\n> position fen $start joho\n< error bad-fen {int} {rest}\n",
    ),
    (
        "illegal-move",
        &["errors"],
        "\
> position fen $start moves $opening $nomove $first
< error illegal-move 3 $nomove {rest}
> position fen $start
> legal 2 $first $nomove
< error illegal-move 2 $nomove {rest}
",
    ),
    (
        "move-after-the-end",
        &["errors"],
        "> position fen $over $first\n< error illegal-move {int} $first {rest}\n",
    ),
    (
        "no-position",
        &["errors", "query"],
        "\
> position fen $start moves $nomove
< error illegal-move 1 $nomove {rest}
> query fen
< error no-position {rest}
> query legal
< error no-position {rest}
> d
< error no-position {rest}
> legal 1 $first
< error no-position {rest}
> go infinite
< error no-position {rest}
< bestmove 0000
> position nowhere
< error bad-syntax nowhere {rest}
> query ply
< error no-position {rest}
> position fen $start
> query ply
< response ply 0
",
    ),
    (
        "no-position-after-a-refused-set-up",
        &["errors", "setup", "query"],
        "\
> setup $game $key $toobig
< error bad-param $key $toobig {rest}
> query fen
< error no-position {rest}
> query game
< error no-position {rest}
> position startpos
< error no-position {rest}
> go depth 1
< error no-position {rest}
< bestmove 0000
> setup $game
< setupok $game {rest}
> query ply
< response ply 0
",
    ),
    (
        "game-over",
        &["errors"],
        "> position fen $over\n> go depth 3\n< error game-over {rest}\n< bestmove 0000\n> go movetime 50\n< error game-over {rest}\n< bestmove 0000\n",
    ),
    (
        "busy",
        &["errors", "query", "tag"],
        "\
> position fen $start
> go infinite tag long
> {query ply\\x0a*1024}query turn
< error busy {rest}
> go depth 1 tag late
< error busy {rest}
> stop
< bestmove {word} tag long
<* response ply 0
< bestmove 0000 tag late
> query turn
< response turn $turn
",
    ),
    (
        "aborted",
        &["errors", "query", "perft", LONG_COUNT],
        "> position fen $start\n> query perft 40\n> stop\n< error aborted perft {rest}\n",
    ),
];
