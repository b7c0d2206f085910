use crate::client::play;
use crate::toy::Toy;

/// Plays a script with the agent `first` and compares the answers, error texts left out.
#[track_caller]
fn check(script: &str, expected: &[&str]) {
    let said = play::<Toy>("first", script);
    let said: Vec<_> = said.iter().map(|line| line.split(" : ").next().unwrap()).collect();
    assert_eq!(said, expected, "after\n{script}");
}

#[test]
fn all_forms_of_position() {
    check("position startpos\nquery ply\nquery fen", &["response ply 0", "response fen 21 3 p1 0,0"]);
    check("position startpos moves\nquery moves", &["response moves 0"]);
    check(
        "position startpos moves t1 T3\nquery moves\nquery turn",
        &["response moves 2 t1 t3", "response turn p1"],
    );
    check("position fen 9 2 p2 4,5\nquery fen", &["response fen 9 2 p2 4,5"]);
    check(
        "position fen 9 2 p2 4,5 moves t2\nquery fen\nquery ply",
        &["response fen 7 2 p1 4,7", "response ply 1"],
    );
    check(
        "position startpos moves t1\nposition current moves t2\nposition current\nquery moves",
        &["response moves 2 t1 t2"],
    );
}

#[test]
fn queries_answer_for_the_rules() {
    let script = "position fen 2 3 p2 4,5\nquery p1turn\nquery gameover\nquery result\nquery reason\nquery score\n\
        query legal\nquery islegal t2\nquery islegal T3\nquery islegal x\nquery eval\nquery status\nquery board\nd";
    check(
        script,
        &[
            "response false",
            "response false",
            "response none",
            "response reason none",
            "response score 4 5",
            "response legal 2 t1 t2",
            "response islegal true",
            "response islegal false",
            "response islegal false",
            "response eval 50",
            "response status idle",
            "boardline   2 counters",
            "boardline p2 to move",
            "response board 2",
            "boardline   2 counters",
            "boardline p2 to move",
            "response board 2",
        ],
    );
    check(
        "position fen 2 3 p2 4,5 moves t2\nquery p1turn\nquery gameover\nquery result\nquery reason\nquery legal\n\
            query islegal t1\nquery eval\nquery perft 3\nquery perft 0",
        &[
            "response true",
            "response true",
            "response p2win",
            "response reason empty",
            "response legal 0",
            "response islegal false",
            "response eval -20000",
            "response perft 0",
            "response perft 1",
        ],
    );
    check(
        "query perft 1\nquery perft 2\nquery perft 5",
        &["response perft 3", "response perft 9", "response perft 243"],
    );
}

#[test]
fn a_bad_position_unsets_it() {
    check(
        "position startpos moves t1 t1 t4\nquery fen\ngo depth 1",
        &["error illegal-move 3 t4", "error no-position", "error no-position", "bestmove 0000"],
    );
    check("position startpos moves t1 x\nquery fen", &["error illegal-move 2 x", "error no-position"]);
    check("position fen 9 2 p3 1,1\nquery turn", &["error bad-fen 3", "error no-position"]);
    check("position\nquery turn", &["error bad-syntax position", "error no-position"]);
    check("position current moves t9\nquery turn", &["error illegal-move 1 t9", "error no-position"]);
    check("position startpos moves t9\nposition current", &["error illegal-move 1 t9", "error no-position"]);
    check(
        "position startpos moves t9\nlegal 1 t1\nposition startpos\nquery ply",
        &["error illegal-move 1 t9", "error no-position", "response ply 0"],
    );
    check(
        "position fen 1 3 p1 0,0 moves t1 t1\nquery fen",
        &["error illegal-move 2 t1", "error no-position"],
    );
}

#[test]
fn a_setup_puts_its_start_position() {
    check("setup toy\nquery game", &["setupok toy pile 21 take 3", "response game toy pile 21 take 3"]);
    check("setup toy pile 2\nquery fen", &["setupok toy pile 2 take 2", "response fen 2 2 p1 0,0"]);
    check(
        "position startpos moves t3\nsetup toy take 5 pile 30\nquery fen\nquery ply",
        &["setupok toy pile 30 take 5", "response fen 30 5 p1 0,0", "response ply 0"],
    );
    check(
        "setup toy pile 30\nsetup toy\nquery game",
        &["setupok toy pile 30 take 3", "setupok toy pile 21 take 3", "response game toy pile 21 take 3"],
    );
}

#[test]
fn a_refused_setup_leaves_everything_unset() {
    for (setup, error) in [
        ("setup chess", "error unknown-game chess"),
        ("setup chess pile", "error unknown-game chess"),
        ("setup pile 8", "error unknown-game pile"),
        ("setup pile 8 take 3 4", "error unknown-game pile"),
        ("setup chess \0", "error bad-encoding"),
        ("setup toy pile 0", "error bad-param pile 0"),
        ("setup toy pile 1000001", "error bad-param pile 1000001"),
        ("setup toy pile x", "error bad-param pile x"),
        ("setup toy depth 3", "error bad-param depth 3"),
        ("setup toy pile 3 pile 4", "error bad-param pile 4"),
        ("setup toy pile 3 take 4", "error bad-param take 4"),
        ("setup toy pile", "error bad-syntax pile"),
        ("setup", "error bad-syntax setup"),
    ] {
        check(
            &format!(
                "{setup}\nquery fen\nquery game\nposition startpos\nposition fen 5 3 p1 0,0\nuginewgame\ngo depth 1"
            ),
            &[
                error,
                "error no-position",
                "error no-position",
                "error no-position",
                "error no-position",
                "error no-position",
                "error no-position",
                "bestmove 0000",
            ],
        );
        check(
            &format!("{setup}\nsetup toy\ngo depth 1"),
            &[error, "setupok toy pile 21 take 3", "bestmove t1"],
        );
    }
}

#[test]
fn a_setup_without_its_game_is_told_that_it_lacks_it() {
    for (setup, error) in [
        ("setup pile 8", "error unknown-game pile : expected the name of a game: toy"),
        ("setup moves 8", "error bad-syntax moves : expected the name of a game"),
        ("setup", "error bad-syntax setup : expected the name of a game after it"),
    ] {
        assert_eq!(play::<Toy>("first", setup), [error]);
    }
}

#[test]
fn a_position_string_does_not_change_the_setup() {
    check(
        "setup toy pile 30\nposition fen 2000 9 p1 0,0\nquery game\nquery fen\nposition startpos\nquery fen",
        &[
            "setupok toy pile 30 take 3",
            "response game toy pile 30 take 3",
            "response fen 2000 9 p1 0,0",
            "response fen 30 3 p1 0,0",
        ],
    );
}

#[test]
fn a_new_game_puts_the_start_position() {
    check(
        "setup toy pile 5\nposition startpos moves t1\nuginewgame\nquery fen",
        &["setupok toy pile 5 take 3", "response fen 5 3 p1 0,0"],
    );
    check(
        "position startpos moves t9\nucinewgame\nquery ply",
        &["error illegal-move 1 t9", "response ply 0"],
    );
}

#[test]
fn setup_keys_are_options_that_wait_for_the_next_position() {
    check(
        "setoption name Pile value 30\nsetoption name take value 4\nquery game",
        &["response game toy pile 30 take 4"],
    );
    check(
        "setoption name take value 5\nposition startpos\nquery fen\nsetoption name pile value 40\ngo depth 1\n\
            query game\nsetoption name take value auto\nuginewgame\nquery fen",
        &[
            "response fen 21 5 p1 0,0",
            "bestmove t1",
            "response game toy pile 40 take 5",
            "response fen 40 3 p1 0,0",
        ],
    );
    // Each value is within its own range, but they don't go together until both are set.
    check(
        "setoption name take value 9\nsetoption name pile value 9\nquery game",
        &["response game toy pile 9 take 9"],
    );
    check(
        "setoption name pile value 4\nsetoption name take value 9\ngo depth 1\nquery turn\nposition startpos\n\
            setoption name pile value 9\nposition startpos\nquery game",
        &[
            "error bad-param take 9",
            "bestmove 0000",
            "error no-position",
            "error no-position",
            "response game toy pile 9 take 9",
        ],
    );
    check(
        "setoption name pile value 0\nquery game",
        &["error bad-value pile", "response game toy pile 21 take 3"],
    );
    check(
        "setoption name pile value 30\nsetup toy take 2\nquery game",
        &["setupok toy pile 21 take 2", "response game toy pile 21 take 2"],
    );
    check(
        "setoption name UCI_Variant value toy\nsetoption name uci_variant value chess",
        &["error bad-value uci_variant"],
    );
}

#[test]
fn options_are_checked_and_never_clamped() {
    check(
        "setoption name EofGrace value -1\nsetoption name eofgrace value 86400001\nsetoption name EofGrace value x\n\
            setoption name EofGrace\nsetoption name Hash value 1\nsetoption name Agent value nobody\n\
            setoption name Agent",
        &[
            "error bad-value EofGrace",
            "error bad-value eofgrace",
            "error bad-value EofGrace",
            "error bad-value EofGrace",
            "error unknown-option Hash",
            "error bad-value Agent",
            "error bad-value Agent",
        ],
    );
}

#[test]
fn agents_can_be_chosen_and_keep_their_options() {
    check(
        "setoption name Agent value GREEDY\ngo depth 1\nsetoption name greed value 3\ngo depth 1\n\
            setoption name Greed value 10\nsetoption name Greed value 9\ngo depth 1\nsetoption name Agent value greedy\n\
            go depth 1\nposition fen 2000 9 p1 0,0\ngo depth 1\nuginewgame\ngo depth 1\n\
            setoption name Agent value first\ngo depth 1\nsetoption name Greed value 3",
        &[
            "bestmove t1",
            "bestmove t3",
            "error bad-value Greed",
            "error bad-value Greed",
            "bestmove t3",
            "bestmove t3",
            "bestmove t3",
            "bestmove t3",
            "bestmove t1",
            "error unknown-option Greed",
        ],
    );
}

#[test]
fn legal_lists_are_checked() {
    check(
        "position startpos\nlegal 3 t1 t2 t3\nlegal 2 t1 t4\nlegal 2 t1\nlegal\ngo depth 1",
        &["error illegal-move 2 t4", "error bad-syntax legal", "error bad-syntax legal", "bestmove t1"],
    );
}

#[test]
fn searchmoves_are_checked() {
    check(
        "go searchmoves t1 t9 depth 2\ngo depth 1 searchmoves t2 T3 tag a\ngo searchmoves\ngo tag x searchmoves x",
        &[
            "error illegal-move 2 t9",
            "bestmove 0000",
            "bestmove t1 tag a",
            "error bad-syntax searchmoves",
            "bestmove 0000",
            "error illegal-move 1 x",
            "bestmove 0000 tag x",
        ],
    );
    assert_eq!(play::<Toy>("builtin", "go depth 3 searchmoves t2"), ["bestmove t2"]);
}

#[test]
fn unknown_commands_change_nothing() {
    check(
        "position startpos moves t2\njoho debug on\nquery fen\ndebug on\ndebug off\ndebug maybe\nstop\nstop\nstop",
        &["error unknown-command joho", "response fen 19 3 p2 2,0", "error bad-syntax maybe"],
    );
    assert!(play::<Toy>("first", "help").iter().all(|line| line.starts_with("info string ")));
}
