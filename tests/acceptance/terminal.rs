//! What stands on a terminal in the end: Python's `pty` module makes one, a few lines here read it.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;

use crate::cli::{directory, fake, wait_until};
use crate::fakes::program;

const COLUMNS: usize = 90;

/// Runs its arguments on a terminal, to which its own standard input and output lead.
const PTY: &str = "import pty, sys; pty.spawn(sys.argv[1:])";
/// Gives the terminal its size.
const SIZED: &str = "stty cols 90 rows 34; exec \"$0\" \"$@\"";

/// The lines of an endless terminal after some output. Understood are the sequences that move up and down and clear lines;
/// others are passed over.
fn screen(output: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let (mut row, mut column) = (0usize, 0);
    let mut rest = output.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let sequence: String =
                    rest.by_ref().skip(1).take_while(|c| !c.is_ascii_alphabetic()).collect();
                // The letter that ended it is gone, so it is looked up where it stood.
                let at = output.len() - rest.as_str().len() - 1;
                let n = sequence.parse().unwrap_or(1);
                match output.as_bytes()[at] {
                    b'A' => row = row.saturating_sub(n),
                    b'B' => row += n,
                    b'K' => lines[row].clear(),
                    _ => {}
                }
            }
            c if c.is_control() => {}
            c => {
                // Only the next character leaves the last column.
                if column == COLUMNS {
                    (row, column) = (row + 1, 0);
                }
                lines.resize(lines.len().max(row + 1), Vec::new());
                let line = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
}

/// The arbiter with these arguments, on a terminal of that kind.
fn on_terminal(kind: &str, args: &[&str]) -> Command {
    let mut terminal = Command::new("python3");
    terminal.args(["-c", PTY, "sh", "-c", SIZED]).arg(program()).args(args).env("TERM", kind);
    terminal
}

/// Interrupts a match by Ctrl-C once its table is drawn, and gives all it has written.
fn interrupted_match(opponent: &str, more: &[&str]) -> String {
    let dir = directory();
    // Some quick games, then one that lasts until the interrupt.
    let hanging = fake("hang", "60");
    let args = ["match", "simplexity", &hanging, opponent, "--movetime=60000", "--concurrency=1"];
    let mut terminal = on_terminal("xterm", &[&args[..], more].concat())
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is on the path");
    let output: Arc<Mutex<Vec<u8>>> = Arc::default();
    let mut stdout = terminal.stdout.take().expect("a pipe");
    let sink = output.clone();
    let reader = thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(n @ 1..) = stdout.read(&mut buffer) {
            sink.lock().expect("no panic").extend(&buffer[..n]);
        }
    });
    let text = || String::from_utf8_lossy(&output.lock().expect("no panic")).into_owned();
    wait_until("a table is drawn", || text().contains(" #  Engine"));
    // The quick games are over by then, so that the echo of the key falls between two drawings.
    sleep(Duration::from_millis(600));
    let mut keys = terminal.stdin.take().expect("a pipe");
    keys.write_all(b"\x03").expect("the terminal reads keys");
    wait_until("the match ends", || terminal.try_wait().expect("a status").is_some());
    reader.join().expect("no panic");
    text()
}

#[test]
fn an_interrupt_leaves_no_stale_line_above_the_final_table() {
    let output = interrupted_match("random", &["--games=1000"]);
    assert!(output.contains("/1000 games") && output.contains(" to go  "), "{output}");
    let lines = screen(&output);
    let shown = lines.join("\n");
    assert_eq!(lines.iter().filter(|line| line.starts_with(" #  Engine")).count(), 1, "{shown}");
    assert!(shown.contains("interrupted; go on with: arbiter resume"), "{shown}");
    assert!(!shown.contains("games  "), "the progress bar is gone:\n{shown}");
}

#[test]
fn a_warning_stands_above_the_live_table() {
    // By its fortieth move there is a table.
    let output = interrupted_match(&fake("twice", "40"), &["--games=1000"]);
    let lines = screen(&output);
    let shown = lines.join("\n");
    assert!(lines.concat().contains("a move was dropped, "), "{shown}");
    assert_eq!(lines.iter().filter(|line| line.starts_with(" #  Engine")).count(), 1, "{shown}");
}

#[test]
fn nobody_knows_how_long_a_test_will_take() {
    let output = interrupted_match("random", &["--sprt=class"]);
    assert!(output.contains(" of at most 40000 games  ") && !output.contains(" to go  "), "{output}");
}

#[test]
fn a_terminal_that_only_prints_lines_gets_nothing_else() {
    let dir = directory();
    for args in [
        ["match", "simplexity", "random", "sequential", "--games=4", "--depth=1"],
        ["play", "xrudder", "--p1=random", "--p2=random", "--depth=1", "--seed=1"],
    ] {
        let escapes = |kind| {
            let output =
                on_terminal(kind, &args).current_dir(dir.path()).output().expect("python3 is on the path");
            String::from_utf8_lossy(&output.stdout).matches('\u{1b}').count()
        };
        assert!(escapes("xterm") > 0, "{args:?}");
        assert_eq!(escapes("dumb"), 0, "{args:?}");
    }
}

#[test]
fn the_screen_wraps_lines_as_terminals_do() {
    let wide = "x".repeat(COLUMNS);
    assert_eq!(screen("ab\r\ncd\u{1b}[1A\ref\u{1b}[32m!"), ["ef!", "cd"]);
    assert_eq!(screen(&format!("{wide}\r\u{1b}[2Ky")), ["y"]);
    assert_eq!(screen(&format!("{wide}^C")), [wide.as_str(), "^C"]);
}
