//! Many games at a time, and very many of them, with engines that misbehave in ways drawn at random.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::cli::{directory, fake, finish, games, mark, memory, records, start};
use crate::fakes::{processes, wait_until};

/// Plays against engines that misbehave at random, so many games at a time, to the end or until `most` is over, and
/// expects that all is accounted for.
fn play_a_crowd(concurrency: &str, games_wanted: &str, most: Duration) {
    let dir = directory();
    let mark = mark(&format!("crowd.{concurrency}"));
    let wild = fake("random", "1").replacen("random=", "wild=", 1);
    // Healthy engines are not late, however loaded the machine is.
    let args = ["match", "simplexity", &wild, "random", "--recover", "--movetime=1000", "--margin=20000"];
    let more = ["--games", games_wanted, "--concurrency", concurrency, "--journal=j", "--quiet"];
    let mut arbiter = start(dir.path(), &mark, &[&args[..], &more].concat());
    let (until, mut peak) = (Instant::now() + most, 0);
    while arbiter.try_wait().expect("a status").is_none() && Instant::now() < until {
        peak = peak.max(memory(arbiter.id(), "VmHWM").unwrap_or_default());
        sleep(Duration::from_millis(20));
    }
    let is_over = arbiter.try_wait().expect("a status").is_some();
    if !is_over {
        kill_process(Pid::from_child(&arbiter), Signal::INT).expect("it runs");
    }
    let (code, err) = finish(&mut arbiter);
    assert_eq!(code, Some(if is_over { 3 } else { 4 }), "{err}");
    wait_until(Duration::from_secs(10), || processes(&mark).is_empty());
    assert_accounts(&dir.path().join("j"), is_over.then(|| games_wanted.parse().expect("a number")));
    assert!(peak < 100 << 10, "{peak} KiB");
    println!("{} games at {concurrency} at a time, peak {peak} KiB", games(&dir.path().join("j")).len());
}

/// One record for each game, one fault for each that ended by one, and the healthy engine never guilty.
fn assert_accounts(journal: &Path, planned: Option<usize>) {
    let games = games(journal);
    let indices: BTreeSet<u64> = games.iter().filter_map(|game| game["index"].as_u64()).collect();
    assert_eq!(indices.len(), games.len(), "a game is recorded twice");
    assert!(planned.is_none_or(|planned| planned == games.len()), "{} games", games.len());
    assert!(games.iter().all(|game| game["guilty"] != "random"));
    let guilty = games.iter().filter(|game| game["guilty"] == "wild").count();
    let faults = records(journal, "fault");
    assert_eq!(faults.len(), guilty);
    let reasons: BTreeSet<&str> = faults.iter().filter_map(|fault| fault["reason"].as_str()).collect();
    assert!(reasons.len() > 3, "{reasons:?}");
    assert!(!reasons.contains("stall") && !reasons.contains("time"), "{reasons:?}");
}

#[test]
fn random_faults_in_many_games_at_a_time_are_all_accounted_for() {
    play_a_crowd("8", "64", Duration::from_secs(600));
}

#[test]
#[ignore = "takes a minute of a whole machine"]
fn a_minute_of_random_faults_in_32_games_at_a_time() {
    play_a_crowd("32", "1000000", Duration::from_secs(60));
}

#[test]
#[ignore = "takes minutes, and is for its output"]
fn twenty_thousand_games_do_not_decay() {
    const GAMES: usize = 20_000;
    let dir = directory();
    let journal = dir.path().join("j");
    let args = ["match", "simplexity", "random", "sequential", "--nodes=1", "--games=20000", "--journal=j"];
    let mut arbiter = start(dir.path(), &mark("long"), &[&args[..], &["--quiet"]].concat());
    let (mut quarter, mut since, mut memories) = (0, Instant::now(), Vec::new());
    while arbiter.try_wait().expect("a status").is_none() {
        let played = fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        if played > quarter * GAMES / 4 {
            memories.extend(memory(arbiter.id(), "VmRSS"));
            if quarter > 0 {
                let rate = GAMES as f64 / 4.0 / since.elapsed().as_secs_f64();
                println!("quarter {quarter}: {rate:.1} games/s, {:?} KiB", memories.last());
            }
            (quarter, since) = (quarter + 1, Instant::now());
        }
        sleep(Duration::from_millis(50));
    }
    let rate = GAMES as f64 / 4.0 / since.elapsed().as_secs_f64();
    println!("quarter {quarter}: {rate:.1} games/s; memory at each beginning {memories:?} KiB");
    assert_eq!(finish(&mut arbiter).0, Some(0));
    assert_eq!(games(&journal).len(), GAMES);
    let (first, last) = (memories[0], memories[memories.len() - 1]);
    assert!(last < first + (16 << 10), "{memories:?}");
}
