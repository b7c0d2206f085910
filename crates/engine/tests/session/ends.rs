use std::io::{self, Read};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Client, PATIENCE, play};
use crate::toy::Toy;

const NOTE: &str = "info string stopped by end of input (wait, EofGrace)";

#[test]
fn the_end_of_input_ends_an_idle_session() {
    for script in
        ["", "ugi", "position startpos", "position startpos moves t9", "setup chess", "stop", "wait"]
    {
        play::<Toy>("first", script);
    }
}

#[test]
fn what_was_asked_for_is_done_after_the_end_of_input() {
    let said = play::<Toy>(
        "builtin",
        "go depth 4\nposition startpos moves t1\ngo movetime 50\nquery perft 3\nquery ply",
    );
    assert_eq!(said.len(), 4);
    assert!(said[0].starts_with("bestmove t") && said[1].starts_with("bestmove t"));
    assert_eq!(said[2..], ["response perft 27".to_owned(), "response ply 1".to_owned()]);
}

#[test]
fn the_grace_ends_every_search() {
    for go in ["go infinite", "go", "go movetime 3600000", "position fen 2 3 p1 0,0 moves t2\ngo infinite"] {
        let begun = Instant::now();
        let said = play::<Toy>("idle", &format!("setoption name EofGrace value 100\n{go}"));
        assert_eq!(said[0], NOTE);
        assert!(said[1].starts_with("bestmove "));
        assert!((100..60_000).contains(&begun.elapsed().as_millis()), "{go}");
    }
}

#[test]
fn what_is_queued_when_the_grace_ends_is_aborted() {
    let script = "setoption name EofGrace value 50\ngo infinite tag 1\nposition startpos moves t1\ngo tag 2\n\
        query turn\nquery perft 30\ngo dpeth 1 tag 3\nisready";
    assert_eq!(
        play::<Toy>("idle", script),
        [
            NOTE,
            "bestmove t1 tag 1",
            "error aborted",
            "bestmove 0000 tag 2",
            "error aborted turn",
            "error aborted perft",
            "error bad-syntax dpeth : not a limit",
            "bestmove 0000 tag 3",
        ]
    );
    let script = "setoption name EofGrace value 50\nposition fen 2000 9 p1 0,0\nquery perft 50";
    assert_eq!(play::<Toy>("idle", script), [NOTE, "error aborted perft"]);
}

#[test]
fn wait_reads_on_when_all_is_done() {
    let script = "setoption name EofGrace value 0\nposition fen 21 3 p1 0,0\ngo movetime 100\nquery perft 6\nwait\nquery ply";
    let said = play::<Toy>("idle", script);
    assert_eq!(said, ["bestmove t1", "response perft 729", "response ply 0"]);
}

#[test]
fn wait_never_waits_for_an_infinite_search() {
    let mut client = Client::start::<Toy>("idle");
    assert!(client.ask("go infinite\nwait").starts_with("error unsupported wait"));
    assert_eq!(client.ask("stop"), "bestmove t1");
    client.send("go movetime 200\ngo\nwait");
    assert!(client.answer().starts_with("error unsupported wait"));
    assert_eq!(client.answer(), "bestmove t1");
    assert_eq!(client.ask("stop"), "bestmove t1");
    assert_eq!(client.ask("wait\nisready"), "readyok");
    client.finish();
}

#[test]
fn quit_ends_at_once_with_the_best_move() {
    for end in ["quit", "signal"] {
        for (go, answer) in [
            ("isready", "readyok"),
            ("go infinite tag x\nquery turn\ngo infinite", "bestmove t1 tag x"),
            ("go movetime 3600000", "bestmove t1"),
            ("position fen 2000 9 p1 0,0\nquery perft 60", "error aborted perft"),
            ("position fen 2 3 p1 0,0 moves t2\ngo infinite", "bestmove 0000"),
        ] {
            let mut client = Client::start::<Toy>("idle");
            client.send(go);
            if go != "isready" {
                assert_eq!(client.ask("query status"), "response status searching");
            }
            let begun = Instant::now();
            if end == "quit" {
                client.send("quit\nisready");
            } else {
                client.signal();
            }
            let said: Vec<_> =
                client.finish().into_iter().filter(|line| !line.starts_with("info depth")).collect();
            if go == "isready" && end == "signal" {
                // The signal may come first.
                assert!(said.is_empty() || said == [answer]);
            } else {
                assert_eq!(said, [answer], "{go}");
            }
            assert!(begun.elapsed() < Duration::from_secs(30));
        }
    }
}

#[test]
fn quit_does_not_wait_for_a_deaf_agent() {
    let mut client = Client::start::<Toy>("deaf");
    client.send("go infinite");
    assert_eq!(client.ask("query status"), "response status searching");
    assert_eq!(client.ask("quit"), "bestmove 0000");
}

#[test]
fn a_closed_output_ends_the_session_quietly() {
    for (agent, script) in [("first", "isready"), ("chatty", "go infinite"), ("builtin", "go infinite")] {
        let (input, mut controller) = io::pipe().unwrap();
        let (reader, output) = io::pipe().unwrap();
        drop(reader);
        let config = engine::Config { agent: agent.to_owned(), ..engine::Config::default() };
        let session = thread::spawn(move || engine::run::<Toy>(input, output, config));
        io::Write::write_all(&mut controller, format!("position fen 1000 9 p1 0,0\n{script}\n").as_bytes())
            .unwrap();
        let begun = Instant::now();
        session.join().unwrap().unwrap();
        assert!(begun.elapsed() < PATIENCE);
    }
}

#[test]
fn a_failing_output_is_a_fault() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let result = engine::run::<Toy>(&b"isready\n"[..], Full, engine::Config::default());
    assert!(
        matches!(result, Err(engine::Error::Output(error)) if error.kind() == io::ErrorKind::StorageFull)
    );
}

#[test]
fn a_failing_input_is_its_end() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::ConnectionReset))
        }
    }
    engine::run::<Toy>(Broken, io::sink(), engine::Config::default()).unwrap();
}
