//! The example bots, each in a conversation as a controller would have it.

use std::path::Path;
use std::process::Command;

use crate::common::transcript::Transcript;

/// Plays a session with a Python program: a path below the examples, or `-c` and a text.
fn play(arguments: &[&str], session: &str) {
    let transcript = Transcript::parse(session).expect("a transcript");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bots/python");
    if let Err(error) = transcript.play(Command::new("python3").args(arguments).current_dir(directory)) {
        panic!("{arguments:?}, {error}");
    }
}

#[test]
fn python_simplexity_bot() {
    play(
        &["simplexity_bot.py"],
        "\
> ugi
< id name Simplexity bot
< ugiok
> isready
< readyok

# What it doesn't know it ignores.
> uginewgame
> joho
>

# White takes a win: either shape closes one here.
> position startpos moves 1o 7s 2o 7s 3o 6o
> go movetime 100
< bestmove {4o|4s}

# Red needs a square there: a round one would close White's round line.
> position startpos moves 7o 1o 7s 2o 6s 3o 6s
> go movetime 100
< bestmove 4s

# White must stop four red ones, and with a square would close Red's square line.
> position startpos moves 7o 1s 7s 2s 6o 3s
> go movetime 100
< bestmove 4o

# Other boards come as position strings. Here one move is left, and there none.
> position fen 3/3/3 w 2,3,2,3 3 moves 2o 3s 1o 3o 1s 2s 3s 2o
> go movetime 100
< bestmove 1s
> position fen WrW/WRr/wwR r 0,0,0,1 3
> go movetime 100
< bestmove 0000

> quit
",
    );
}

#[test]
fn python_any_game_bot() {
    play(
        &["any_game_bot.py"],
        "\
> ugi
< id name Any-game bot
< cap wants-legal
< ugiok
> isready
< readyok
> uginewgame
> position fen of any game moves a b c
> legal 1 d2-d4
> go movetime 100
< bestmove d2-d4
> position startpos
> legal 3 x y z
> go movetime 100
< bestmove {x|y|z}
> legal 0
> go movetime 100
< bestmove 0000
! close
",
    );
}

#[test]
fn the_complete_engine_of_the_specification() {
    let specification = include_str!("../../protocol/SPEC.md");
    let (_, after) = specification.split_once("```python\n").expect("an example in Python");
    let (program, _) = after.split_once("```").expect("the end of the example");
    play(
        &["-c", program],
        "\
> ugi
< cap wants-legal
< ugiok
> isready
< readyok
> position startpos
> legal 1 4o
> go movetime 100
< bestmove 4o
> legal 0
> go infinite
< bestmove 0000
> quit
",
    );
}
