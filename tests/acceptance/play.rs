//! `arbiter play`, through pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::cli::{Done, directory, fake, mark, records, run_in, wait_until};
use crate::fakes::{MARK, processes, program};

/// Runs `arbiter play` on lines that are all there from the beginning.
fn play(dir: &Path, args: &[&str], lines: &[&str]) -> Done {
    let mut command = assert_cmd::Command::new(program());
    command.current_dir(dir).arg("play").args(args).timeout(Duration::from_secs(120));
    let output = command.write_stdin(lines.join("\n")).output().expect("the arbiter runs");
    let text = |bytes| String::from_utf8(bytes).expect("the arbiter writes UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?}: ended by a signal\n{out}\n{err}"));
    Done { code, out, err }
}

const TWO_PEOPLE: [&str; 2] = ["--p2", "human"];

/// A conversation, line by line.
struct Dialogue {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Dialogue {
    fn start(mark: &str, args: &[&str]) -> Dialogue {
        let mut command = Command::new(program());
        command.arg("play").args(args).env(MARK, mark);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the arbiter starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let all = BufReader::new(stdout).lines().map_while(Result::ok);
            all.for_each(|line| drop(sender.send(line)));
        });
        Dialogue { child, stdin, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the arbiter listens");
    }

    /// The next line that has one of these parts.
    #[track_caller]
    fn hear(&self, parts: &[&str]) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("waited in vain for {parts:?}"));
            if parts.iter().any(|part| line.contains(part)) {
                return line;
            }
        }
    }

    /// Ends the input and gives the exit code.
    fn end(mut self) -> i32 {
        drop(self.stdin);
        self.child.wait().expect("the arbiter ends").code().expect("an exit code")
    }
}

#[test]
fn two_people_play_whole_games_of_every_game() {
    for (name, words) in [
        ("simplexity", "rows 5 cols 5"),
        ("xrudder", "rows 4 cols 4 tokens 5 moves 3"),
        ("colosseum", "size 5 seed 3"),
        ("andantino", "radius 3"),
    ] {
        let rules = registry::find(name).expect("a game");
        let pairs: Vec<&str> = words.split(' ').collect();
        let pairs: Vec<_> = pairs.as_chunks::<2>().0.iter().map(|[key, value]| (*key, *value)).collect();
        let mut state = rules.start(&rules.setup(&pairs).expect("a set-up"));
        let mut moves = Vec::new();
        while state.outcome().is_none() {
            let legal = state.legal();
            let m = legal[(moves.len() * 7 + 3) % legal.len()].clone();
            state.play(&m).expect("a legal move");
            moves.push(m);
        }
        let lines: Vec<&str> = moves.iter().map(String::as_str).collect();
        let done = play(
            directory().path(),
            &[&[name, "--setup", words, "--ascii"], &TWO_PEOPLE[..]].concat(),
            &lines,
        );
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        assert!(done.out.is_ascii(), "{}", done.out);
        assert!(!done.out.contains('\x1b') && !done.out.contains("> "), "no prompts: {}", done.out);
        assert_eq!(done.out.lines().filter(|line| line.contains(" plays ")).count(), moves.len());
        let outcome = state.outcome().expect("the game is over");
        let reason = rules.words().reason(outcome.reason);
        assert_ne!(reason, outcome.reason, "a reason in words");
        let verdict = match outcome.winner {
            Some(side) => {
                let player = ["human", "human-2"][side.index()];
                format!("{} ({player}) has won: {reason}", rules.words().side(side))
            }
            None => format!("The game is drawn: {reason}"),
        };
        let last: Vec<&str> = done.out.lines().rev().take(2).collect();
        assert_eq!(last[0], format!("position {}", state.fen()));
        assert!(last[1].starts_with(&verdict), "{} is not {verdict}", last[1]);
    }
}

#[test]
fn a_person_plays_an_agent_to_the_end() {
    for (i, name) in ["simplexity", "xrudder", "colosseum", "andantino"].into_iter().enumerate() {
        let players =
            if i % 2 == 0 { ["--p1=human", "--p2=builtin"] } else { ["--p1=builtin", "--p2=human"] };
        let mark = mark(&format!("play-{name}"));
        let limits = [["--nodes", "300"], ["--depth", "1"]][i % 2];
        let mut game = Dialogue::start(&mark, &[&[name, "--seed", "1"], &players[..], &limits].concat());
        game.say("hint");
        assert!(game.hear(&["hint"]).starts_with("hint: "));
        let mut person_moves = 0;
        loop {
            game.say("moves");
            let line = game.hear(&["legal moves (", "the game is over"]);
            let Some((_, moves)) = line.split_once(": ") else { break };
            let first = moves.split(' ').next().expect("a legal move").to_owned();
            game.say(&first);
            assert!(game.hear(&[" plays "]).contains(&format!("(human) plays {first}")));
            person_moves += 1;
            if person_moves == 1 {
                // The answer comes before the next line is read, so that both moves are taken back.
                game.say("undo");
                game.hear(&["(builtin) plays"]);
                game.say("moves");
                assert_eq!(game.hear(&["legal moves ("]), line);
                game.say(&first);
                game.hear(&["(human) plays"]);
            }
        }
        game.say("quit");
        assert!(game.hear(&["has won", "is drawn"]).ends_with('.'));
        assert_eq!(game.end(), 0);
        wait_until("no process is left", || processes(&mark).is_empty());
    }
}

#[test]
fn what_an_engine_says_disturbs_no_terminal() {
    let rants: Vec<String> = (0..3).map(|arg| format!("{} --arg {arg}", fake("rant", "1"))).collect();
    for rant in &rants {
        let done = play(directory().path(), &["simplexity", "--p1", rant, "--movetime=1000"], &["quit"]);
        assert!(done.out.contains("rant has failed: "), "{}", done.out);
        let disturbs = |c: char| c == '\u{1b}' || c == '\u{7}';
        assert!(done.out.len() < 10_000 && !done.out.contains(disturbs), "{:?}", done.out);
    }
}

#[test]
fn what_cannot_be_done_is_refused_in_one_line() {
    let dir = directory();
    fs::write(dir.path().join("there"), "mine").expect("a file");
    let args = ["match", "xrudder", "random", "random", "--nodes", "1", "--games", "2", "--journal", "other"];
    assert_eq!(run_in(dir.path(), &args).code, 0);
    let long = "x".repeat(5000);
    let dialogue = [
        ("xyzzy", "`xyzzy` is neither a move nor a command: a move is a column and o for a round piece or s"),
        ("9o", "`9o` is not legal here: there are only 7 columns; `moves` lists the 14 that are"),
        (&long, "`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` is neither a move nor a command"),
        ("\x1b[2J", "`\\u{1b}[2J` is neither a move nor a command"),
        ("undo", "there is no move of yours to take back"),
        ("undo 2", "undo stands alone, without `2`"),
        ("save", "where to? expected save FILE"),
        ("save there", "there exists; choose another name"),
        ("save no/such/place", "journal no/such/place: No such file"),
        ("load", "from where? expected load FILE"),
        ("load nothing", "journal nothing: No such file"),
        ("load there", "journal there: the first line is no plan record"),
        ("load other", "other holds a game of xrudder, this is simplexity"),
        ("resign", "red (human-2) has won: the opponent resigned."),
        ("4o", "the game is over; you can undo, save FILE, load FILE or quit"),
        ("moves", "the game is over"),
        ("hint", "the game is over"),
        ("resign", "the game is over"),
    ];
    let lines: Vec<&str> = dialogue.iter().map(|(line, _)| *line).collect();
    let done = play(dir.path(), &[&["simplexity"], &TWO_PEOPLE[..]].concat(), &lines);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let (_, answers) = done.out.split_once("in a row win\n\n").expect("the board");
    let answers: Vec<&str> = answers.lines().collect();
    for ((line, expected), answer) in dialogue.iter().zip(&answers) {
        assert!(answer.starts_with(expected), "{line}: {answer}");
    }
    assert_eq!(
        answers[dialogue.len()],
        "red (human-2) has won: the opponent resigned.",
        "and the state is said"
    );
    assert_eq!(fs::read_to_string(dir.path().join("there")).expect("a file"), "mine");
}

#[test]
fn games_are_saved_shown_and_loaded() {
    let dir = directory();
    let args = [&["simplexity"], &TWO_PEOPLE[..]].concat();
    let done = play(
        dir.path(),
        &args,
        &["4o", "4S", "", "3o", "undo", "2s", "save a.ndjson", "resign", "save b.ndjson"],
    );
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let game = &records(&dir.path().join("a.ndjson"), "game")[0];
    assert_eq!(game["moves"], serde_json::json!(["4o", "4s", "2s"]));
    assert_eq!((&game["result"], &game["p2"]), (&"unfinished".into(), &"human-2".into()));
    assert_eq!(game["times_ms"].as_array().map(Vec::len), Some(3));
    let shown = run_in(dir.path(), &["show", "a.ndjson", "--game", "0"]);
    assert!(shown.out.contains("human - human-2  unfinished, 3 plies"), "{}", shown.out);
    let shown = run_in(dir.path(), &["show", "b.ndjson", "--game", "0", "--board", "--ascii"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.starts_with("game 0: human - human-2  p1win by resign, 3 plies"), "{}", shown.out);

    let resumed = run_in(dir.path(), &["resume", "b.ndjson"]);
    assert_eq!(resumed.code, 1);
    assert!(resumed.err.contains("by `load b.ndjson` in `arbiter play simplexity`"), "{}", resumed.err);

    // Loaded by a fresh process, with the resignation; taken back, the game goes on.
    let done = play(dir.path(), &args, &["1o", "load b.ndjson", "7o", "undo", "7o", "save c.ndjson"]);
    assert_eq!(done.code, 0, "{}", done.err);
    for part in
        ["loaded up to ply 3", "white (human) has won: the opponent resigned.", "the game is over", "4. red"]
    {
        assert!(done.out.contains(part), "no {part} in {}", done.out);
    }
    let game = &records(&dir.path().join("c.ndjson"), "game")[0];
    assert_eq!(game["moves"], serde_json::json!(["4o", "4s", "2s", "7o"]));

    // A move that is not legal makes nothing of the load.
    let text = fs::read_to_string(dir.path().join("a.ndjson")).expect("a file").replace("\"2s\"", "\"9s\"");
    fs::write(dir.path().join("bad.ndjson"), text).expect("a file");
    let done = play(dir.path(), &args, &["4o", "load bad.ndjson"]);
    assert!(done.out.contains("bad.ndjson: ply 3 (`9s`): there are only 7 columns"), "{}", done.out);
    assert!(done.out.contains("unfinished at ply 1, red to move."), "{}", done.out);

    // A loaded game may be played on against an engine, and from a run's journal.
    let run =
        ["match", "simplexity", "random", "minimax{Depth=1}", "--nodes", "50", "--games", "2", "--seed", "1"];
    assert_eq!(run_in(dir.path(), &[&run[..], &["--journal", "run"]].concat()).code, 0);
    let done = play(
        dir.path(),
        &["simplexity", "--depth", "1"],
        &["load run", "undo", "load a.ndjson", "undo", "4o"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("loaded up to ply 3\n") && done.out.contains("(builtin) plays"),
        "{}",
        done.out
    );
}

#[test]
fn engines_play_each_other_without_anybody_there() {
    let dir = directory();
    let players = ["--p1", "A=random", "--p2", "B=sequential", "--seed", "3"];
    let done =
        play(dir.path(), &[&["simplexity", "--nodes", "1"], &players[..]].concat(), &["nobody reads this"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.contains("1. white (A) plays "), "{}", done.out);
    assert!(done.out.trim_end().ends_with('.') && !done.out.contains("help"), "{}", done.out);
    let again = play(dir.path(), &[&["simplexity", "--nodes", "1"], &players[..]].concat(), &[]);
    assert_eq!(done.out, again.out, "the seed makes the game");
    let args = ["colosseum", "--p2", "human", "--seed"];
    let starts = ["1", "1", "2"].map(|seed| play(dir.path(), &[&args[..], &[seed]].concat(), &[]).out);
    assert!(starts[0] == starts[1] && starts[1] != starts[2], "a new board each time");
}

#[test]
fn an_engine_that_fails_loses_and_is_told_of() {
    let dir = directory();
    let spec = fake("segv", "2");
    let done = play(
        dir.path(),
        &["simplexity", "--p2", &spec, "--nodes", "1"],
        &["1o", "1o", "save f", "undo", "2o"],
    );
    assert_eq!(done.code, 0, "the fault was taken back: {}", done.out);
    assert!(done.out.contains("\nsegv has failed: crash: signal 11 (SIGSEGV)"), "{}", done.out);
    assert!(done.out.contains("\nwhite (human) has won: the opponent's program crashed.\n"), "{}", done.out);
    assert_eq!(done.out.matches("red (segv) plays").count(), 2, "started again: {}", done.out);
    assert_eq!(records(&dir.path().join("f"), "fault")[0]["reason"], "crash");
    assert_eq!(records(&dir.path().join("f"), "game")[0]["guilty"], "segv");
    let done = play(dir.path(), &["simplexity", "--p2", &fake("illegal-move", "1"), "--nodes", "1"], &["1o"]);
    assert_eq!(done.code, 3, "{}", done.out);
    assert!(done.out.contains("the opponent's move was illegal"), "{}", done.out);
    let done = play(
        dir.path(),
        &["simplexity", "--hint", &fake("hang", "1"), "--nodes", "1", "--max-think", "100"],
        &["hint", "4o"],
    );
    assert!(done.out.contains("no hint: hang has failed: stall: "), "{}", done.out);
    assert_eq!(done.code, 0, "{}", done.out);
    for (args, code, part) in [
        (&["simplexity", "--p2", "./missing"][..], 2, "missing: can't be started"),
        (&["simplexity", "--p2", "simplexity:nobody"], 1, "no agent nobody"),
        (&["simplexity", "--fen", "7 w"], 1, "--fen \"7 w\": field"),
        (&["simplexity", "--fen", "7 w", "--setup", "rows=3"], 1, "cannot be used with"),
        (&["chess"], 1, "no game \"chess\""),
    ] {
        let done = play(dir.path(), args, &[]);
        assert_eq!(done.code, code, "{args:?}: {}", done.err);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
}

#[test]
fn an_interrupt_ends_the_game_and_leaves_no_process() {
    for (name, args, ready) in [
        ("at-prompt", &["simplexity", "--depth", "1"][..], "in a row win"),
        ("thinking", &["simplexity", "--p1", "builtin", "--movetime", "60000"], "in a row win"),
    ] {
        let mark = mark(&format!("play-{name}"));
        let mut game = Dialogue::start(&mark, args);
        game.hear(&[ready]);
        wait_until("the engine runs", || {
            processes(&mark).iter().any(|(_, command)| command.contains(" engine simplexity"))
        });
        kill_process(Pid::from_child(&game.child), Signal::INT).expect("it can be interrupted");
        game.hear(&["unfinished at ply 0, white to move."]);
        game.hear(&["position 7/7"]);
        assert_eq!(game.child.wait().expect("it ends").code(), Some(4));
        wait_until("no process is left", || processes(&mark).is_empty());
    }
}
