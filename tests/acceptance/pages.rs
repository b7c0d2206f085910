//! The pages under `docs/` show what their commands print.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use arbiter::proof::verify;

use crate::cli::directory;
use crate::fakes::program;

/// A page under `docs/`.
pub(crate) fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    fs::read_to_string(path).expect("the page")
}

/// The cells of a row of a Markdown table, code marks removed; a `\|` is part of its cell.
pub(crate) fn cells(row: &str) -> Vec<String> {
    let parts = row.replace("\\|", "\0");
    let inner = parts.trim_matches('|');
    inner.split('|').map(|cell| cell.trim().trim_matches('`').replace('\0', "|")).collect()
}

/// A shell that runs these commands, in which `arbiter` is the program under test, up to the first that fails.
pub(crate) fn shell(commands: &str) -> assert_cmd::Command {
    let program = program();
    let directory = program.parent().expect("it lies in a directory").to_str().expect("an UTF-8 path");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = assert_cmd::Command::new("sh");
    shell
        .args(["-ec", commands])
        .env("PATH", format!("{directory}:{path}"))
        .timeout(Duration::from_secs(120));
    shell
}

/// The last line that a shell prints for a command.
fn last_line(command: &str) -> String {
    let output = shell(command).output().expect("the shell runs");
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn every_quirk_is_as_described() {
    let page = page("agents.md");
    let mut game = "";
    let mut shown = BTreeSet::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            game = title;
        }
        if !line.starts_with("| `") {
            continue;
        }
        let row = cells(line);
        let [agent, _, command, output] = &row[..] else { panic!("four columns in {line}") };
        assert!(command.contains(&format!("arbiter engine {game} --agent {agent}")), "{line}");
        assert_eq!(&last_line(command), output, "{command}");
        shown.insert((game, agent.clone()));
    }
    let agents = registry::GAMES
        .iter()
        .flat_map(|rules| rules.agents().iter().map(|spec| (rules.name(), spec.name.to_owned())));
    assert_eq!(shown, agents.collect());
}

/// Runs the script that plays what `docs/replication.md` tells of.
fn replicate(args: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/replication.py");
    let mut python = assert_cmd::Command::new("python3");
    python.arg("-B").arg(script).arg("--arbiter").arg(program()).args(args).timeout(Duration::from_secs(300));
    let output = python.output().expect("python3 is on the path");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

#[test]
fn the_tables_of_the_replication_are_those_of_its_script() {
    let page = page("replication.md");
    let marks = |begin| {
        let marks = page.lines().filter_map(move |line| line.strip_prefix(begin)?.strip_suffix(" -->"));
        marks.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let ends = marks("<!-- end of ");
    let begins = marks("<!-- ").into_iter().filter(|mark| !mark.starts_with("end of ")).collect();
    assert_eq!(ends, begins);
    let list = replicate(&["--list"]);
    assert_eq!(ends, list.lines().map(str::to_owned).collect());
    // The shortest of them stands for the others.
    let depths = replicate(&["idh-depths"]);
    assert!(page.contains(&depths), "{depths}");
}

#[test]
fn the_stored_proof_that_black_wins_andantino_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/andantino/start.proof");
    let proof = fs::read(path).expect("the proof");
    let verified = verify(&proof[..], 256).expect("a proof");
    let rules = registry::find("andantino").expect("a game");
    let start = rules.start(&rules.setup(&[]).expect("the usual board")).fen();
    assert_eq!((verified.fen.as_str(), verified.value()), (start.as_str(), "loss"));
    let [(claim, positions)] = verified.claims[..] else { panic!("one claim in {verified:?}") };
    assert_eq!(claim.text(), "p2 win");
    let row = format!("| {positions} | {} |", proof.len());
    assert!(page("solved.md").contains(&row), "{row}");
}

/// Rows with more nodes than this are left to the script.
const QUICK: u64 = 30_000;

#[test]
fn what_is_quickly_solved_again_is_as_the_page_of_solved_positions_says() {
    let page = page("solved.md");
    let directory = directory();
    for game in ["simplexity", "xrudder", "andantino"] {
        let (_, section) = page.split_once(&format!("<!-- {game} -->")).expect("its section");
        let (section, _) = section.split_once("<!-- end of ").expect("its end");
        let mut count = 0;
        for row in section.lines().filter(|line| line.starts_with("| `")).map(cells) {
            let [options, value, nodes, _, _, bytes, _, checked] = &row[..] else {
                panic!("eight columns in {row:?}")
            };
            if nodes.parse::<u64>().expect("a number") > QUICK {
                continue;
            }
            let commands = format!(
                "arbiter solve {game} {options} --proof p-{game}-{count} | tail -n 2
                 wc -c < p-{game}-{count}
                 arbiter verify-proof p-{game}-{count} | tail -n 1"
            );
            let output = shell(&commands).current_dir(directory.path()).output().expect("the shell runs");
            let word = value.split(' ').next().expect("a word");
            let expected = format!("nodes {nodes}\nvalue {value}\n{bytes}\nvalue {word}\n");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{game} {options}");
            assert_eq!(checked, "yes", "{game} {options}");
            count += 1;
        }
        assert!(count > 0, "no row of {game} is quick");
    }
}
