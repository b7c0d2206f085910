//! Set-ups, positions, and the questions about them.

use super::Row;

pub(super) const POSITIONS: &[Row] = &[
    (
        "set-up-is-a-new-game",
        &["setup", "query"],
        "\
> position fen $start moves $first
> setup $setup
< setupok $setup
> query ply
< response ply 0
> query game
< response game $setup
> query fen
< response fen $start
",
    ),
    (
        "start-position",
        &["setup", "query"],
        "> position startpos\n> query fen\n< response fen $start\n> position startpos moves $opening\n> query fen\n< response fen $fen2\n",
    ),
    (
        "new-game-is-the-start",
        &["query"],
        "> position fen $start moves $opening\n> uginewgame\n> query ply\n< response ply 0\n> position fen $start moves $first\n> ucinewgame\n> query ply\n< response ply 0\n",
    ),
    (
        "set-up-by-options",
        &["setup", "query", "errors"],
        "\
$options> uginewgame
> query game
< response game $setup
> setoption name UCI_Variant value $game
> setoption name UCI_Variant value joho
< error bad-value UCI_Variant {rest}
> setoption name $key value $toobig
< error bad-value $key {rest}
> query game
< response game $setup
> setup $setup
< setupok $setup
",
    ),
    (
        "current",
        &["incremental", "query", "errors"],
        "\
> position fen $start
> position current moves $first
> position current moves $second
> query moves
< response moves 2 $opening
> query fen
< response fen $fen2
> position current moves $nomove
< error illegal-move 1 $nomove {rest}
> position current
< error no-position {rest}
",
    ),
    (
        "empty-list-of-moves",
        &["query"],
        "> position fen $start moves\n> query fen\n< response fen $start\n> query ply\n< response ply 0\n",
    ),
    (
        "questions-at-the-start",
        &["query", "errors"],
        "\
> position fen $start
> query p1turn
< response $p1turn
> query turn
< response turn $turn
> query gameover
< response false
> query result
< response none
> query reason
< response reason none
> query score
< $score
> query legal
< response legal $legal
> query islegal $FIRST
< response islegal true
> query islegal $nomove
< response islegal false
> query ply
< response ply 0
> query moves
< response moves 0
> query fen
< response fen $start
> query status
< response status idle
> query eval
< response eval {int}
> query board
<* boardline {rest}
< response board {int}
> d
<* boardline {rest}
< response board {int}
",
    ),
    (
        "questions-in-a-game",
        &["query"],
        "\
> position fen $start moves $opening
> query legal
< response legal $legal2
> query moves
< response moves 2 $opening
> query ply
< response ply 2
> query fen
< response fen $fen2
",
    ),
    (
        "questions-at-the-end",
        &["query", "errors"],
        "\
> position fen $over
> query gameover
< response true
> query result
< response $result
> query reason
< response reason $reason
> query score
< $overscore
> query legal
< response legal 0
> query islegal $first
< response islegal false
> query turn
< response turn $overturn
> query ply
< response ply $overplies
> query moves
< response moves $overmoves
> query fen
< response fen $overfen
> query eval
< response eval {int}
",
    ),
    (
        "move-counts-at-the-start",
        &["query", "perft"],
        "\
> position fen $start
> query perft 0
< response perft 1
> query perft 1
< response perft $perft1
> query perft 2
< response perft $perft2
> position fen $over
> query perft 0
< response perft 1
> query perft 2
< response perft 0
",
    ),
];
