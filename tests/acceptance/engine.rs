//! The engine as a process of its own: what can only be seen there. How a session answers is tested in the engine crate.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_simplexity"));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// A running engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = program().args(arguments).spawn().expect("the engine starts");
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                // The test may be over before the engine has said everything.
                let _ = sender.send(line.expect("the engine writes UTF-8"));
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{lines}\n").as_bytes()).expect("the engine reads");
    }

    /// The next line that is no analysis.
    fn answer(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the engine answers");
            if !line.starts_with("info ") || line.starts_with("info string") {
                return line;
            }
        }
    }

    fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        self.answer()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the engine is there");
    }

    /// Processor time used so far.
    fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<_> = stat[stat.rfind(')').unwrap()..].split(' ').collect();
        let ticks: u64 = fields[12..14].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Closes the input and takes what is said up to the end, which must be a silent success.
    fn finish(mut self) -> Vec<String> {
        self.input = None;
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine doesn't end; it said {said:?}"),
            }
        }
        let (status, errors) = self.leave();
        assert!(status.success() && errors.is_empty(), "{status}, {errors}");
        said
    }

    /// How it exited, and what it wrote to its standard error stream.
    fn leave(&mut self) -> (ExitStatus, String) {
        let status = wait(&mut self.child);
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (status, errors)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Only a test that has failed leaves it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(begun.elapsed() < PATIENCE, "the engine doesn't exit");
        thread::sleep(Duration::from_millis(2));
    }
}

/// What is said to a script that is piped in, analysis left out.
fn pipe(script: &str) -> Vec<String> {
    let mut engine = Engine::start(&[]);
    engine.send(script);
    let said = engine.finish().into_iter();
    said.filter(|line| !line.starts_with("info ") || line.starts_with("info string")).collect()
}

#[test]
fn a_piped_script_is_answered_in_order() {
    let said = pipe("position startpos moves 4o 4s\nquery legal\ngo depth 4");
    assert_eq!(said[0], "response legal 14 1o 1s 2o 2s 3o 3s 4o 4s 5o 5s 6o 6s 7o 7s");
    assert!(said[1].starts_with("bestmove "));
    assert_eq!(said.len(), 2);
}

#[test]
fn answers_come_through_a_pipe_at_once() {
    let mut engine = Engine::start(&[]);
    assert!(engine.ask("ugi").starts_with("id name Ludus Simplexity"));
    while engine.answer() != "ugiok" {}
    for _ in 0..3 {
        assert_eq!(engine.ask("isready"), "readyok");
        assert!(engine.ask("go depth 1").starts_with("bestmove "));
    }
    engine.finish();
}

#[test]
fn stop_behind_go_is_never_lost() {
    let mut engine = Engine::start(&[]);
    for turn in 0..300 {
        engine.send(&format!(
            "go infinite tag a{turn}\nstop\nposition startpos moves 1o\ngo depth 1 tag b{turn}"
        ));
        assert!(engine.answer().ends_with(&format!(" tag a{turn}")));
        assert!(engine.answer().ends_with(&format!(" tag b{turn}")));
    }
    engine.finish();
}

#[test]
fn signals_end_it_like_quit() {
    for signal in [Signal::TERM, Signal::INT] {
        for (state, answer) in
            [("isready", None), ("go infinite tag x", Some(" tag x")), ("query perft 12", None)]
        {
            let mut engine = Engine::start(&[]);
            assert_eq!(engine.ask("isready"), "readyok");
            engine.send(state);
            assert!(["readyok", "response status searching"].contains(&&*engine.ask("query status")));
            engine.signal(signal);
            let (status, errors) = engine.leave();
            assert!(status.success() && errors.is_empty(), "{status} {errors}");
            let last = engine.lines.iter().last();
            if let Some(answer) = answer {
                assert!(last.as_ref().is_some_and(|line| line.ends_with(answer)), "{last:?}");
            }
        }
    }
}

#[test]
fn a_signal_ends_it_even_when_nobody_reads() {
    let mut child = program().spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // Far more answers than a pipe holds; the engine stands still before it has read all of this.
    thread::spawn(move || input.write_all("d\n".repeat(100_000).as_bytes()));
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(wait(&mut child).success());
}

#[test]
fn an_output_that_nobody_reads_does_not_keep_it_from_leaving() {
    // Each answer is several kilobytes long: a dozen are more than a pipe holds.
    let big = "setoption name EofGrace value 200\nsetup simplexity rows 50 cols 50\n".to_owned();
    for (lines, close) in [("d\n".repeat(2000), true), ("d\n".repeat(14) + "quit\n", false)] {
        let mut child = program().spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all((big.clone() + &lines).as_bytes()).unwrap();
        let open = (!close).then_some(input);
        assert!(wait(&mut child).success(), "closed: {close}");
        drop(open);
    }
}

#[test]
fn the_end_of_input_ends_it_in_every_state() {
    for (state, answered) in [
        ("", ""),
        ("ugi", "ugiok"),
        ("position startpos moves 9o", "error illegal-move"),
        ("setup chess", "error unknown-game"),
        ("go infinite", "bestmove "),
        ("go movetime 3600000", "bestmove "),
        ("go infinite\ngo depth 3\nquery turn", "error aborted turn"),
        ("query perft 14", "error aborted perft"),
        ("wait", ""),
        ("position fen rrr4/7 w 1,1,1,1 4", "error bad-fen"),
    ] {
        let begun = Instant::now();
        let said = pipe(&format!("setoption name EofGrace value 200\n{state}"));
        assert!(said.last().map_or("", |line| line).starts_with(answered), "{state}: {said:?}");
        assert!(begun.elapsed() < PATIENCE);
    }
}

#[test]
fn waiting_costs_no_processor_time() {
    let over = "position startpos moves 1s 1o 2s 2o 3s 3o 4s";
    let mut engine = Engine::start(&[]);
    assert_eq!(
        engine.ask(&format!("setoption name EofGrace value 800\n{over}\ngo depth 3")),
        "error game-over"
    );
    assert_eq!(engine.answer(), "bestmove 0000");
    engine.send("go infinite");
    assert_eq!(engine.ask("query status"), "response status searching");
    let before = engine.cpu();
    thread::sleep(Duration::from_millis(400));
    assert_eq!(engine.ask("isready"), "readyok");
    engine.input = None;
    thread::sleep(Duration::from_millis(300));
    let used = engine.cpu().saturating_sub(before);
    assert!(used <= Duration::from_millis(50), "{used:?}");
    assert_eq!(engine.finish().last().map(String::as_str), Some("bestmove 0000"));
}

#[test]
fn a_full_output_is_a_fault() {
    for arguments in [&[][..], &["--help"], &["--version"], &["bench", "--depth", "1"]] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut child = program().args(arguments).stdout(full).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"ugi\n");
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.lines().count()), (Some(5), 1), "{arguments:?}: {errors}");
        assert!(errors.contains("output can't be written: No space left"), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_closed_output_is_no_fault() {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let output = program().args(["bench", "--depth", "1"]).stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    for script in ["ugi\nisready", "go infinite"] {
        let mut child = program().spawn().unwrap();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        // It may be gone before it has read everything.
        let _ = input.write_all(format!("{script}\n").as_bytes());
        let status = wait(&mut child);
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(status.success() && errors.is_empty(), "{status} {errors}");
    }
}

#[test]
fn a_closed_output_ends_it_though_it_has_nothing_to_say() {
    let mut child = program().spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"query perft 30\nquery status\n").unwrap();
    let mut said = String::new();
    output.read_line(&mut said).unwrap();
    assert_eq!(said, "response status searching\n");
    drop(output);
    assert!(wait(&mut child).success());
}

#[test]
fn long_lines_do_not_hurt() {
    let mut engine = Engine::start(&[]);
    // Columns of odd height filled one after another: neighbours differ in colour and shape, so no line of 50 arises.
    assert!(
        engine.ask("setup simplexity rows 49 cols 50 win 50 round 700 square 700").starts_with("setupok")
    );
    let board: String =
        (1..=50).map(|c| format!(" {c}{}", if c % 2 == 0 { 's' } else { 'o' }).repeat(49)).collect();
    assert_eq!(engine.ask(&format!("position startpos moves{board}\nquery ply")), "response ply 2450");
    assert_eq!(engine.ask("query reason"), "response reason board-full");
    let answer = engine.ask(&format!("position startpos moves{}", " 1o".repeat(300_000)));
    assert!(answer.starts_with("error illegal-move "), "{answer}");
    assert!(engine.ask(&"x".repeat(3 << 20)).starts_with("error line-too-long"));
    assert_eq!(engine.ask("isready"), "readyok");
    engine.finish();
}

#[test]
fn every_setup_and_option_gives_a_legal_move() {
    let setups = [
        "rows 6",
        "rows 1 cols 1 win 1",
        "rows 1 cols 50 win 3",
        "rows 50 cols 50 win 20 round 65535",
        "win 2 round 0",
    ];
    let searched = "depth 2 movetime 2000";
    let options = [
        ("Hash value 1", searched),
        ("MultiPV value 64", searched),
        ("MoveOverhead value 10000", searched),
        ("Agent value random", searched),
        // It has no move when its time runs out.
        ("Agent value minimax", "depth 1"),
    ];
    let mut engine = Engine::start(&[]);
    for setup in setups {
        for (option, limits) in options {
            engine.send(&format!("setoption name Agent value builtin\nsetup simplexity {setup}"));
            assert!(engine.answer().starts_with("setupok simplexity rows "), "{setup}");
            let best = engine.ask(&format!("setoption name {option}\ngo {limits}"));
            let best = best.strip_prefix("bestmove ").unwrap();
            assert_eq!(
                engine.ask(&format!("query islegal {best}")),
                "response islegal true",
                "{setup}, {option}"
            );
        }
    }
    engine.finish();
}

#[test]
fn set_up_values_at_and_beyond_their_limits() {
    let mut engine = Engine::start(&[]);
    for key in ["rows", "cols", "win", "round", "square"] {
        for value in [
            "-9223372036854775808",
            "-1",
            "0",
            "1",
            "2",
            "49",
            "50",
            "51",
            "65535",
            "65536",
            "99999999999999999999",
            "x",
            "auto",
        ] {
            let answer = engine.ask(&format!("setup simplexity {key} {value}"));
            if answer.starts_with("setupok ") {
                assert!(engine.ask("go nodes 50").starts_with("bestmove "));
            } else {
                assert!(answer.starts_with(&format!("error bad-param {key} ")), "{key} {value}: {answer}");
                assert_eq!(engine.ask("query fen"), "error no-position");
            }
        }
    }
    engine.finish();
}

#[test]
fn bench_counts_the_same_nodes_each_time() {
    let bench = |arguments: &[&str]| {
        let output = program().arg("bench").args(arguments).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        let text = String::from_utf8(output.stdout).unwrap();
        let (nodes, speed) = text.rsplit_once("nps ").unwrap();
        assert!(speed.trim().parse::<u64>().is_ok(), "{speed}");
        nodes.to_owned()
    };
    let first = bench(&["--depth", "3"]);
    assert_eq!(bench(&["--depth", "3"]), first);
    let counts = first.lines().filter_map(|line| line.strip_prefix("position "));
    let sum: u64 = counts.map(|line| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap()).sum();
    assert!(first.ends_with(&format!("\nnodes {sum}\n")), "{first}");
    assert_ne!(bench(&["--depth", "2", "--hash", "1"]), first);
}

#[test]
fn wrong_arguments_are_explained() {
    for (arguments, expected) in [
        (&["--agent", "nobody"][..], "unknown agent nobody: expected one of builtin, "),
        (&["bench", "--hash", "0"], "expected an integer from 1 to 65536"),
        (&["bench", "--depth", "0"], "invalid value '0'"),
        (&["bench", "--agent", "random"], "unexpected argument '--agent'"),
        (&["--agent", "random", "bench"], "bench searches with builtin as it is"),
        (&["nonsense"], "unrecognized subcommand 'nonsense'"),
        (&["--agnet"], "unexpected argument '--agnet'"),
    ] {
        let output = program().args(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
    let mut minimax = Engine::start(&["--agent", "minimax"]);
    assert_eq!(minimax.ask("ugi"), "id name MinimaxD3");
    minimax.finish();
}
