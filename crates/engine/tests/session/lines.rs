use crate::client::{Client, play};
use crate::toy::Toy;

#[test]
fn ends_of_lines_and_blanks_do_not_matter() {
    for end in ["\n", "\r\n", "  \n", "\t \r\n", "\n\n\n", "\n# a comment\n \n"] {
        let script =
            ["isready", "  query\t turn", "position  startpos   moves\tt1", "query ply", "go depth 1"]
                .join(end);
        let said = play::<Toy>("first", &script);
        assert_eq!(said, ["readyok", "response turn p1", "response ply 1", "bestmove t1"], "{end:?}");
    }
}

#[test]
fn the_last_line_needs_no_end() {
    let mut client = Client::start::<Toy>("first");
    client.write(b"query ply");
    assert_eq!(client.finish(), ["response ply 0"]);
}

#[test]
fn long_lines_are_read_or_refused() {
    let mut client = Client::start::<Toy>("first");
    client.send("setup toy pile 1000000");
    client.answer();
    client.send(&format!("position startpos moves{}", " t1".repeat(5_000)));
    assert_eq!(client.ask("query ply"), "response ply 5000");
    let moves = (1 << 20) - "position startpos moves".len();
    client.send(&format!("position startpos moves{}", " t1".repeat(moves / 3)));
    assert_eq!(client.ask("query ply"), format!("response ply {}", moves / 3));
    // One line that is too long is one error, whatever it holds, and what it owes is done.
    client.send(&format!("position startpos moves{}", " t1".repeat(400_000)));
    assert!(client.answer().starts_with("error line-too-long"));
    assert_eq!(client.ask("query ply"), "error no-position");
    client.send(&format!("go tag long searchmoves{}", " t1".repeat(400_000)));
    assert!(client.answer().starts_with("error line-too-long"));
    assert_eq!(client.answer(), "bestmove 0000 tag long");
    client.send(&format!("setup toy {}", "x".repeat(2 << 20)));
    assert!(client.answer().starts_with("error line-too-long"));
    assert_eq!(client.ask("position startpos"), "error no-position");
    assert_eq!(client.finish(), [""; 0]);
}

#[test]
fn bad_encodings_are_refused() {
    let mut client = Client::start::<Toy>("first");
    client.write(
        b"query \xff\nisready\0\ngo tag t depth 1\xff\nposition startpos\0\n# \xff a comment\nquery ply\n",
    );
    let said = client.finish();
    let said: Vec<_> = said.iter().map(|line| line.split(" : ").next().unwrap()).collect();
    assert_eq!(
        said,
        [
            "error bad-encoding",
            "error bad-encoding",
            "error bad-encoding",
            "bestmove 0000 tag t",
            "error bad-encoding",
            "error no-position",
        ]
    );
}

#[test]
fn too_many_deferred_lines_are_refused() {
    let mut client = Client::start::<Toy>("idle");
    client.send(&format!("go infinite tag first\n{}query ply", "query turn\n".repeat(1_024)));
    assert!(client.answer().starts_with("error busy"));
    // What a refused line owes comes in its place; nothing can be searched that was not asked for.
    client.send(
        "position startpos moves t1\nposition startpos moves t2\ngo depth 1 tag lost\nsetup toy pile 5",
    );
    for _ in 0..4 {
        assert!(client.answer().starts_with("error busy"));
    }
    assert_eq!(client.ask("stop"), "bestmove t1 tag first");
    for _ in 0..1_024 {
        assert_eq!(client.answer(), "response turn p1");
    }
    assert_eq!(client.answer(), "bestmove 0000 tag lost");
    assert_eq!(client.ask("position startpos"), "error no-position", "the set-up was lost");
    assert_eq!(client.ask("setup toy"), "setupok toy pile 21 take 3");
    client.finish();
}

#[test]
fn too_many_deferred_bytes_are_refused() {
    let mut client = Client::start::<Toy>("idle");
    let long = format!("setoption name {}\n", "x".repeat(1_000_000));
    client.send(&format!("go infinite\n{}", long.repeat(5)));
    assert!(client.answer().starts_with("error busy"));
    assert_eq!(client.ask("stop"), "bestmove t1");
    for _ in 0..4 {
        assert!(client.answer().starts_with("error unknown-option xxx"));
    }
    client.assert_nothing_said();
    client.finish();
}

#[test]
fn every_command_bears_any_number_of_arguments() {
    let words = "ugi uci isready uginewgame ucinewgame setup setoption position legal go stop wait query d help debug";
    let mut client = Client::start::<Toy>("first");
    for word in words.split(' ') {
        for argument in ["", " x", " 1", " name", " startpos", " moves", " turn", " depth"] {
            for times in [1, 1_000] {
                client.send(&format!("{word}{}", argument.repeat(times)));
                client.send("stop\nisready");
                while client.line() != "readyok" {}
            }
        }
    }
    client.finish();
}
