use std::thread;
use std::time::{Duration, Instant};

use game::zobrist;
use protocol::Reply;
use simplexity::Simplexity;

use crate::client::{Client, play};
use crate::toy::Toy;

#[test]
fn the_smallest_searches_answer_at_once() {
    let limits = [
        "movetime 0",
        "movetime -5",
        "depth 0",
        "depth -1",
        "nodes 0",
        "nodes -9223372036854775808",
        "mate 0",
        "p1time 0 p2time 0",
        "p1time -1 p1inc -1",
        "movestogo 0 p1time 1",
    ];
    let mut client = Client::builtin::<Simplexity>();
    for limit in limits {
        let best = client.ask(&format!("go {limit} tag {}", limit.len()));
        assert!(
            best.starts_with("bestmove ") && best.ends_with(&format!(" tag {}", limit.len())),
            "{limit}: {best}"
        );
        assert!(!best.contains("0000"), "{limit}: {best}");
        client.assert_nothing_said();
    }
    for (limit, error) in [
        ("movetime 9223372036854775808", "error bad-number 9223372036854775808"),
        ("depth", "error bad-syntax depth"),
        ("p1time p2time 500", "error bad-syntax p1time"),
        ("depth 1 depth 2", "error bad-syntax depth"),
        ("ponder", "error bad-syntax ponder"),
        ("infinit", "error bad-syntax infinit"),
        ("p2time 100", "error bad-syntax p1time"),
        ("p1inc 100", "error bad-syntax p1time"),
        ("movestogo 3", "error bad-syntax p1time"),
    ] {
        assert!(client.ask(&format!("go {limit}")).starts_with(error), "{limit}");
        assert_eq!(client.answer(), "bestmove 0000", "{limit}");
    }
    // The largest numbers are limits like others; another one ends the search.
    assert!(
        client
            .ask("go depth 9223372036854775807 movetime 9223372036854775807 nodes 100")
            .starts_with("bestmove ")
    );
    client.finish();
}

#[test]
fn time_limits_are_kept() {
    for limit in ["movetime 80", "p1time 80 p2time 1", "infinite movetime 80"] {
        let mut client = Client::start::<Toy>("idle");
        let begun = Instant::now();
        client.send(&format!("go {limit}"));
        if limit.starts_with("infinite") {
            thread::sleep(Duration::from_millis(200));
            assert_eq!(client.ask("query status"), "response status searching");
            client.send("stop");
        }
        assert_eq!(client.answer(), "bestmove t1");
        assert!(begun.elapsed() < Duration::from_secs(30), "{limit}");
        client.finish();
    }
}

#[test]
fn infinite_ends_by_stop_only() {
    // Solved at once, but not asked for.
    let mut client = Client::builtin::<Toy>();
    client.send("position fen 5 3 p1 0,0\ngo infinite");
    while !client.line().contains(" score mate ") {}
    thread::sleep(Duration::from_millis(100));
    client.send("isready");
    assert_eq!(client.answer(), "readyok");
    assert_eq!(client.ask("stop"), "bestmove t1");
    // A plain go is infinite too, and an earlier stop is not remembered.
    client.send("stop\nstop\ngo");
    assert_eq!(client.ask("query status"), "response status searching");
    // However far this search has come.
    assert!(client.ask("stop").starts_with("bestmove t"));
    client.send("stop\nstop");
    client.assert_nothing_said();
    client.finish();
}

#[test]
fn a_finished_game_is_not_searched() {
    let mut client = Client::builtin::<Toy>();
    client.send("position fen 2 3 p1 0,0 moves t2");
    assert_eq!(client.ask("go depth 5 tag a"), "error game-over");
    assert_eq!(client.answer(), "bestmove 0000 tag a");
    client.send("go infinite tag b");
    client.assert_silent(200);
    assert_eq!(client.ask("query status"), "response status searching");
    assert_eq!(client.ask("stop"), "bestmove 0000 tag b");
    assert_eq!(client.ask("query status"), "response status idle");
    client.finish();
}

#[test]
fn commands_wait_for_the_search_in_order() {
    let mut client = Client::start::<Toy>("idle");
    client.send("go infinite tag 1\nposition startpos moves t1\nquery fen\nisready\ngo infinite tag 2");
    client.assert_silent(100);
    assert_eq!(client.ask("query status"), "response status searching");
    client.send("stop");
    assert_eq!(client.answer(), "bestmove t1 tag 1");
    assert_eq!(client.answer(), "response fen 20 3 p2 1,0");
    assert_eq!(client.answer(), "readyok");
    client.assert_silent(100);
    assert_eq!(client.ask("stop"), "bestmove t1 tag 2");
    client.finish();
}

#[test]
fn a_burst_of_commands_is_executed_in_order() {
    let mut client = Client::builtin::<Simplexity>();
    client.send("go infinite tag 1\nstop\nposition startpos moves 1o\ngo depth 1 tag 2\nquery ply");
    assert!(client.answer().ends_with(" tag 1"));
    assert!(client.answer().ends_with(" tag 2"));
    assert_eq!(client.answer(), "response ply 1");
    client.send("go infinite\nuginewgame\nisready\nstop");
    assert!(client.answer().starts_with("bestmove "));
    assert_eq!(client.answer(), "readyok");
    client.finish();
}

#[test]
fn stop_right_behind_go_ten_thousand_times() {
    let mut client = Client::start::<Toy>("idle");
    for _ in 0..10_000 {
        client.send("go infinite\nstop");
        // An agent that says nothing of its move gives it no score.
        assert!(client.line().starts_with("info depth 0 nodes 0 nps 0 time "));
        assert_eq!(client.line(), "bestmove t1");
    }
    client.assert_nothing_said();
    client.finish();
}

#[test]
fn stop_is_obeyed_a_thousand_times() {
    let mut client = Client::builtin::<Simplexity>();
    client.send("ugi");
    while client.line() != "ugiok" {}
    let mut latencies = Vec::new();
    for turn in 0..1_000 {
        client.send(if turn % 2 == 0 {
            "position startpos\ngo infinite"
        } else {
            "position startpos moves 4o 4s\ngo"
        });
        thread::sleep(Duration::from_micros(zobrist::number(1, turn) % 50_000));
        let asked = Instant::now();
        assert!(client.ask("stop").starts_with("bestmove "));
        latencies.push(asked.elapsed());
    }
    latencies.sort();
    println!(
        "stop latency: median {:?}, 90 % {:?}, worst {:?}",
        latencies[500], latencies[900], latencies[999]
    );
    // Not a benchmark: a stop that is lost or only polled for would cost the whole search.
    assert!(latencies[500] < Duration::from_secs(1));
    client.finish();
}

#[test]
fn a_late_stop_has_no_effect() {
    let mut client = Client::builtin::<Simplexity>();
    assert!(client.ask("go depth 30\nstop").starts_with("bestmove "));
    assert!(client.ask("go movetime 1").starts_with("bestmove "));
    client.send("stop\nstop");
    client.assert_nothing_said();
    client.finish();
}

#[test]
fn every_line_parses_while_readiness_is_hammered() {
    let mut client = Client::start::<Toy>("chatty");
    client.send("go infinite");
    let (mut ready, mut infos) = (0, 0);
    for _ in 0..500 {
        client.send("isready");
        loop {
            match Reply::parse(client.line().as_bytes()) {
                Reply::ReadyOk => break ready += 1,
                Reply::Info(_) => infos += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(ready, 500);
    assert!(infos > 0);
    client.send("stop");
    while client.line() != "bestmove t1" {}
    client.assert_nothing_said();
    client.finish();
}

#[test]
fn analysis_is_throttled_and_ends_with_the_last_line() {
    let mut client = Client::start::<Toy>("chatty");
    client.send("position fen 9 3 p1 0,0\ngo infinite");
    thread::sleep(Duration::from_millis(700));
    client.send("stop");
    let mut infos = Vec::new();
    loop {
        let line = client.line();
        match Reply::parse(line.as_bytes()) {
            Reply::Info(info) => infos.push(info),
            other => {
                assert!(matches!(other, Reply::BestMove { .. }), "{line}");
                break;
            }
        }
    }
    let late = infos.iter().filter(|info| info.time.unwrap() > 150).count() as i64;
    let last = infos.last().unwrap();
    // One line per 50 ms, and the last one.
    assert!((2..=last.time.unwrap() / 50 + 2).contains(&late), "{late} lines in {:?} ms", last.time);
    assert!(last.time.unwrap() >= 600);
    assert!(last.nodes.is_some() && last.nps.is_some() && last.score.is_some() && last.depth.is_some());
    // A win in five plies is a win in three moves; illegal moves end a line.
    let text = Reply::Info(last.clone()).to_string();
    assert!(
        text.contains(" score mate 3 ") && text.contains(" endply 5 ") && text.ends_with(" pv t1 t1"),
        "{text}"
    );
    client.finish();
}

#[test]
fn going_does_not_move() {
    // An agent that remembers nothing of its last search, so that the next one is the same.
    let script = "position startpos moves 4o 4s\ngo depth 2\nquery fen\ngo depth 2\nquery fen";
    let said = play::<Simplexity>("minimax", script);
    assert_eq!(said[0..2], said[2..4]);
}

#[test]
fn a_new_game_forgets_everything() {
    let searched = |before: &str| {
        let mut client = Client::builtin::<Simplexity>();
        client.send(&format!("{before}position startpos moves 3s\ngo depth 6 tag x"));
        let mut last = String::new();
        loop {
            let line = client.line();
            if line.ends_with(" tag x") {
                break;
            }
            last = line;
        }
        client.finish();
        let Reply::Info(info) = Reply::parse(last.as_bytes()) else { panic!("{last}") };
        (info.nodes, info.score, info.pv)
    };
    let fresh = searched("");
    assert_eq!(searched("go depth 7\nuginewgame\n"), fresh);
    assert_eq!(searched("go depth 7\nsetup simplexity\n"), fresh);
}

#[test]
fn the_end_of_a_game_is_announced_exactly() {
    let mut client = Client::builtin::<Toy>();
    client.send("position fen 6 3 p1 0,0\ngo depth 20");
    let mut last = String::new();
    let best = loop {
        let line = client.line();
        if line.starts_with("bestmove") {
            break line;
        }
        last = line;
    };
    assert_eq!(best, "bestmove t2");
    assert!(last.contains(" score mate 2 endply 3 "), "{last}");
    client.finish();
}

#[test]
fn agents_can_fail_without_harm() {
    assert_eq!(play::<Toy>("mute", "go depth 1 tag x"), ["bestmove 0000 tag x"]);
    let said = play::<Toy>(
        "panic",
        "go depth 1 tag x\nquery turn\nposition startpos\nquery turn\nisready\ngo infinite\nstop",
    );
    assert_eq!(said[0], "error internal : the search failed");
    assert_eq!(
        said[1..5],
        ["bestmove 0000 tag x", "error no-position", "response turn p1", "readyok"].map(str::to_owned)
    );
}

#[test]
fn perft_is_a_search() {
    let mut client = Client::start::<Toy>("first");
    client.send("position fen 2000 9 p1 0,0\nquery perft 40\nquery ply");
    assert_eq!(client.ask("query status"), "response status searching");
    assert_eq!(client.ask("stop"), "error aborted perft");
    assert_eq!(client.answer(), "response ply 0");
    client.finish();
}
