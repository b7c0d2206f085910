//! An arbiter that is killed: whatever the moment, the run goes on from its journal as if nothing had happened.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use game::zobrist::number;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::cli::{directory, fake, finish, games, mark, memory, records, run_in, start};
use crate::fakes::{MARK, processes, program, wait_until};

/// How often the arbiter is killed in a match, and in each of the other formats.
const KILLS: u64 = 100;
const KILLS_PER_FORMAT: u64 = 8;

/// The longest time that an arbiter is left in peace, in microseconds: about what some twenty games take.
const PEACE: u64 = 150_000;

/// Games of a few plies between engines that play at once, the same in each run.
const QUICK: [&str; 4] = ["--setup=rows=4,cols=4,win=3", "--openings=random:2", "--nodes=1000", "--seed=7"];

/// Draws numbers from a seed that is printed, so that what failed can be looked at again.
struct Chance {
    seed: u64,
    drawn: u64,
}

impl Chance {
    fn new(test: &str) -> Chance {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
        let seed = u64::from(now.subsec_nanos());
        println!("{test}: seed {seed}");
        Chance { seed, drawn: 0 }
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.drawn += 1;
        number(self.seed, self.drawn) % n
    }
}

/// Cuts a journal, mostly somewhere in its last line, as if that had been written in part. The plan, which is its first
/// line, stays whole.
fn tear(journal: &Path, chance: &mut Chance) {
    let text = fs::read(journal).expect("a journal");
    let whole = text.strip_suffix(b"\n").unwrap_or(&text);
    let Some(last) = whole.iter().rposition(|byte| *byte == b'\n') else { return };
    let length = last as u64 + 1 + chance.below((text.len() - last) as u64);
    let file = fs::File::options().write(true).open(journal).expect("a journal");
    file.set_len(length).expect("it is cut");
}

/// Starts a run in a journal, kills it so often, goes on with it each time, and lets it come to its end at last.
/// Where it ended before all kills, another run begins; gives the journal of each.
fn kill_again_and_again(dir: &Path, args: &[&str], kills: u64, chance: &mut Chance) -> Vec<String> {
    let mark = mark(args.last().expect("an argument"));
    let mut journals: Vec<String> = Vec::new();
    let mut killed = 0;
    let mut is_over = true;
    while killed < kills {
        if is_over {
            journals.push(format!("killed-{}", journals.len()));
        }
        let journal = journals.last().expect("a journal").as_str();
        let path = dir.join(journal);
        // Killed before its plan was whole, a run has not begun.
        let has_begun = fs::read(&path).is_ok_and(|text| text.contains(&b'\n'));
        let mut command = Command::new(program());
        command.current_dir(dir).env(MARK, &mark).stdin(Stdio::null()).stdout(Stdio::null());
        if has_begun {
            command.args(resume(args, journal));
        } else {
            let _ = fs::remove_file(&path);
            command.args(args).args(["--quiet", "--journal", journal]);
        }
        let mut arbiter = command.spawn().expect("the arbiter starts");
        sleep(Duration::from_micros(chance.below(PEACE)));
        is_over = arbiter.try_wait().expect("a status").is_some();
        arbiter.kill().expect("it is ours");
        let status = arbiter.wait().expect("a status");
        is_over |= status.code().is_some();
        assert!(matches!(status.code(), None | Some(0 | 3)), "{status}");
        if !is_over {
            killed += 1;
            wait_until(Duration::from_secs(30), || processes(&mark).is_empty());
            if path.exists() && chance.below(2) == 0 {
                tear(&path, chance);
            }
        }
    }
    if !is_over {
        let journal = journals.last().expect("a journal").as_str();
        if fs::read(dir.join(journal)).is_ok_and(|text| text.contains(&b'\n')) {
            let done = run_in(dir, &resume(args, journal));
            assert!(matches!(done.code, 0 | 3), "{}", done.err);
        } else {
            journals.pop();
        }
    }
    journals
}

/// Goes on with a run; whether a league waits for more is no part of its plan.
fn resume<'a>(args: &[&str], journal: &'a str) -> Vec<&'a str> {
    let once = args.contains(&"--once").then_some("--once");
    ["resume", journal, "--quiet"].into_iter().chain(once).collect()
}

/// The table of a journal, without times and with faults by game: games end in any order.
fn table(dir: &Path, journal: &str) -> Value {
    let done = run_in(dir, &["standings", journal, "--json"]);
    let mut table: Value = serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}", done.err));
    for row in table["standings"].as_array_mut().expect("rows") {
        row.as_object_mut().expect("a row").remove("time");
    }
    table["faults"].as_array_mut().expect("faults").sort_by_key(|fault| fault["game"].as_u64());
    table
}

/// Expects a run that is killed again and again to end as one that isn't, with the games up to `known` and, if all are
/// known, the table.
#[track_caller]
fn assert_kills_change_nothing(dir: &Path, args: &[&str], kills: u64, known: Option<u64>) {
    let mut chance = Chance::new(args.last().expect("an argument"));
    let args = [args, &QUICK].concat();
    let whole = run_in(dir, &[&args[..], &["--journal=whole"]].concat());
    assert!(matches!(whole.code, 0 | 3), "{}", whole.err);
    let known_games = |journal: &str| {
        let mut games = games(&dir.join(journal));
        games.retain(|game| known.is_none_or(|known| game["index"].as_u64() < Some(known)));
        games
    };
    let (expected, expected_table) = (known_games("whole"), table(dir, "whole"));
    for journal in kill_again_and_again(dir, &args, kills, &mut chance) {
        let games = known_games(&journal);
        assert_eq!(games.len(), expected.len(), "{journal}");
        games.iter().zip(&expected).for_each(|(game, expected)| assert_eq!(game, expected, "{journal}"));
        for kind in ["verdict", "bye"] {
            assert_eq!(records(&dir.join(&journal), kind), records(&dir.join("whole"), kind), "{journal}");
        }
        if known.is_none() {
            assert_eq!(table(dir, &journal), expected_table, "{journal}");
        }
    }
}

#[test]
fn a_match_that_is_killed_a_hundred_times_ends_as_one_that_is_not() {
    let args = ["match", "simplexity", "random", "sequential", "--concurrency=2", "--games=400"];
    assert_kills_change_nothing(directory().path(), &args, KILLS, None);
}

#[test]
fn a_killed_run_counts_each_fault_once() {
    // It dies in each game, after which it is started again.
    let dying = fake("die-on-go", "1");
    let args = ["match", "simplexity", &dying, "random", "--recover", "--concurrency=2", "--games=40"];
    let dir = directory();
    assert_kills_change_nothing(dir.path(), &args, KILLS_PER_FORMAT, None);
}

#[test]
fn a_killed_run_that_solves_positions_ends_as_one_that_is_not() {
    let solve = "--adjudicate-solved=30";
    let args = ["match", "simplexity", "random", "sequential", solve, "--concurrency=2", "--games=8"];
    assert_kills_change_nothing(directory().path(), &args, KILLS_PER_FORMAT, None);
}

#[test]
fn killed_tournaments_end_as_those_that_are_not() {
    let engines = ["tournament", "simplexity", "random", "sequential", "minimax{Depth=1}", "r2=random"];
    for format in [
        &["--games=8", "--format=round-robin"][..],
        &["--rounds=3", "--format=swiss"],
        &["--games=6", "--format=knockout"],
    ] {
        let args = [&engines[..], &["--concurrency=2"], format].concat();
        assert_kills_change_nothing(directory().path(), &args, KILLS_PER_FORMAT, None);
    }
}

#[test]
fn a_killed_league_ends_as_one_that_is_not() {
    let dir = directory();
    let bots = dir.path().join("bots");
    fs::create_dir(&bots).expect("a folder");
    for agent in ["random", "sequential"] {
        fs::write(bots.join(format!("{agent}.toml")), format!("builtin = \"{agent}\"\n")).expect("a bot");
    }
    let args = ["tournament", "simplexity", "bots", "--once", "--deviation=100", "--format=league"];
    assert_kills_change_nothing(dir.path(), &args, KILLS_PER_FORMAT, None);
}

#[test]
fn a_killed_test_comes_to_the_same_verdict() {
    // Which games were in flight when it was decided depends on when that was.
    let args = ["match", "simplexity", "minimax{Depth=1}", "random", "--concurrency=2", "--sprt=class"];
    let dir = directory();
    let done = run_in(dir.path(), &[&args[..], &QUICK, &["--journal=first"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let pairs = records(&dir.path().join("first"), "verdict")[0]["pairs"].as_u64().expect("a number");
    assert_kills_change_nothing(dir.path(), &args, KILLS_PER_FORMAT, Some(2 * pairs));
}

#[test]
fn a_game_far_beyond_memory_is_no_burden() {
    let dir = directory();
    let args = ["match", "simplexity", "random", "random", "--games=4", "--concurrency=1", "--journal=j"];
    assert_eq!(run_in(dir.path(), &[&args[..], &QUICK].concat()).code, 0);
    let path = dir.path().join("j");
    let text = fs::read_to_string(&path).expect("a journal");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // A plan of so many games that a bit for each would fill any memory, of which the last one is played.
    lines[0] = lines[0].replace("\"pairs\":2", "\"pairs\":4611686018427387904");
    let (index, pair) = (u64::MAX / 2, u64::MAX / 4);
    lines[1] = lines[1].replace("\"index\":0,\"pair\":0", &format!("\"index\":{index},\"pair\":{pair}"));
    assert!(lines[0] != text.lines().next().unwrap_or_default() && lines[1].contains(&index.to_string()));
    fs::write(&path, lines.join("\n") + "\n").expect("it is written");
    let mut arbiter = start(dir.path(), &mark("far"), &["resume", "j", "--quiet"]);
    wait_until(Duration::from_secs(30), || {
        fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > lines.len() + 10)
    });
    let kib = memory(arbiter.id(), "VmHWM").expect("it runs");
    assert!(kib < 64 * 1024, "{kib} KiB");
    kill_process(Pid::from_child(&arbiter), Signal::TERM).expect("it runs");
    assert_eq!(finish(&mut arbiter).0, Some(4));
}
