//! Searches: their limits, tags, and what stops them.

use super::Row;

pub(super) const SEARCHES: &[Row] = &[
    (
        "smallest-searches",
        &[],
        "\
> position fen $start
> go movetime 0
< bestmove {word}
> go depth 0
< bestmove {word}
> go nodes 0
< bestmove {word}
> go depth -5
< bestmove {word}
> go movetime -9223372036854775808
< bestmove {word}
> go p1time 0 p2time 0
< bestmove {word}
> go wtime -10 btime -10 winc 0 binc 0 movestogo 1
< bestmove {word}
",
    ),
    (
        "limits-combine",
        &[],
        "\
> position fen $start
> go movetime 9223372036854775807 depth 1 nodes 1000000000
< bestmove {word}
> go depth 1000000 movetime 50
< bestmove {word}
> go p1time 9223372036854775807 p2time 9223372036854775807 depth 1
< bestmove {word}
",
    ),
    (
        "a-search-leaves-the-position",
        &["query"],
        "\
> position fen $start moves $opening
> go movetime 1
< bestmove {word}
> query fen
< response fen $fen2
> query moves
< response moves 2 $opening
",
    ),
    (
        "tags",
        &["tag", "errors"],
        "\
> position fen $start
> go movetime 1 tag g1.1
< bestmove {word} tag g1.1
> go tag depth depth 1
< bestmove {word} tag depth
> go movetime 1
< bestmove {word}
> go dpeth 3 tag b
< error bad-syntax dpeth {rest}
< bestmove 0000 tag b
> go depth 1 tag
< error bad-syntax tag {rest}
< bestmove 0000
> go depth 1 tag (
< error bad-syntax ? {rest}
< bestmove 0000
> position fen $start moves $nomove
< error illegal-move 1 $nomove {rest}
> go movetime 10 tag g17.2
< error no-position {rest}
< bestmove 0000 tag g17.2
",
    ),
    (
        "searchmoves",
        &["searchmoves", "errors"],
        "\
> position fen $start
> go searchmoves $other depth 2
< bestmove {$other|0000}
> go depth 1 searchmoves $first $other
< bestmove {$first|$other|0000}
> go searchmoves $first $nomove depth 1
< error illegal-move 2 $nomove {rest}
< bestmove 0000
> go depth 1 searchmoves
< error bad-syntax searchmoves {rest}
< bestmove 0000
> go movetime 1
< bestmove {word}
",
    ),
    (
        "infinite-waits-for-stop",
        &[],
        "> position fen $start\n> go infinite\n! silence 200\n> stop\n< bestmove {word}\n",
    ),
    (
        "infinite-with-a-limit",
        &[],
        "> position fen $start\n> go infinite depth 1\n! silence 200\n> stop\n< bestmove {word}\n",
    ),
    ("plain-go-is-infinite", &[], "> position fen $start\n> go\n! silence 200\n> stop\n< bestmove {word}\n"),
    (
        "infinite-at-the-end-of-a-game",
        &[],
        "> position fen $over\n> go infinite\n> isready\n< readyok\n! idle 300\n> stop\n< bestmove 0000\n",
    ),
    ("stop-at-once", &[], "> position fen $start\n> go infinite\n> stop\n< bestmove {word}\n! silence 50\n"),
    (
        "stop-twice",
        &[],
        "> position fen $start\n> go infinite\n> isready\n< readyok\n> stop\n> stop\n> stop\n< bestmove {word}\n! silence 50\n",
    ),
    (
        "stop-too-late",
        &[],
        "> position fen $start\n> go movetime 1\n< bestmove {word}\n> stop\n! silence 50\n",
    ),
    (
        "stop-is-not-remembered",
        &[],
        "> stop\n> position fen $start\n> go infinite\n! silence 100\n> stop\n< bestmove {word}\n",
    ),
    (
        "stop-ends-one-search",
        &["tag", "query"],
        "\
> position fen $start
> go infinite tag a
> stop
> position fen $start moves $first
> go infinite tag b
< bestmove {word} tag a
> query status
< response status searching
! silence 100
> stop
< bestmove {word} tag b
> query ply
< response ply 1
",
    ),
    (
        "stop-in-the-middle-of-a-burst",
        &["tag"],
        "\
> position fen $start
> go infinite tag a
> stop
> position fen $start moves $opening
> go movetime 1 tag b
< bestmove {word} tag a
< bestmove {word} tag b
",
    ),
];
