//! The pages under `docs/` show what their commands print.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter::proof::{Verified, verify};
use game::State;

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

/// The rows of a section of the page of solved positions.
fn solved(section: &str) -> Vec<Vec<String>> {
    let page = page("solved.md");
    let (_, rest) = page.split_once(&format!("<!-- {section} -->")).expect("its section");
    let (table, _) = rest.split_once("<!-- end of ").expect("its end");
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect();
    assert!(!rows.is_empty(), "no row of {section}");
    rows
}

/// The file that a proof's row links to, if the proof is stored.
fn stored(checked: &str) -> Option<PathBuf> {
    let link = checked.strip_prefix("[yes](")?.strip_suffix(')')?;
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(link))
}

/// The stored proofs of a game, all of which must hold and say what independent rules say.
struct Proofs {
    game: &'static str,
    /// Values by position, where those rules reach.
    known: HashMap<String, String>,
    compared: usize,
    verified: BTreeSet<PathBuf>,
}

impl Proofs {
    fn of(game: &'static str) -> Proofs {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(game).join("solved.txt");
        let text = fs::read_to_string(path).expect("the values");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.map(|line| line.split_once(" | ").expect("a position and its value"));
        let known = pairs.map(|(fen, value)| (fen.to_owned(), value.to_owned())).collect();
        Proofs { game, known, compared: 0, verified: BTreeSet::new() }
    }

    /// The proof of a position, and what it shows.
    fn verify(&mut self, path: PathBuf, fen: &str) -> (Vec<u8>, Verified) {
        let proof = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let verified = verify(&proof[..], 256).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!((verified.game.as_str(), verified.fen.as_str()), (self.game, fen), "{}", path.display());
        if let Some(value) = self.known.get(fen) {
            assert_eq!(verified.value(), value, "{fen}");
            self.compared += 1;
        }
        assert!(self.verified.insert(path), "{fen}");
        (proof, verified)
    }

    /// No other proof is stored, and the page says how many values were compared.
    fn assert_all(&self) {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proofs").join(self.game);
        let entries = fs::read_dir(directory).expect("the proofs of the game");
        assert_eq!(self.verified, entries.map(|entry| entry.expect("an entry").path()).collect());
        let rows = solved("independent").into_iter().filter(|row| row[0] == self.game);
        let counts: Vec<String> = rows.map(|row| row[2].clone()).collect();
        assert_eq!(counts, [format!("{} of {}", self.compared, self.known.len())]);
    }
}

fn sha256(bytes: Vec<u8>) -> String {
    let output = shell("sha256sum").write_stdin(bytes).output().expect("the shell runs");
    String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap_or_default().to_owned()
}

/// The start of a set-up such as `rows 3 cols 3`; without words, the usual one.
fn start(game: &str, setup: &str) -> Box<dyn State> {
    let words: Vec<&str> = setup.split_whitespace().collect();
    let pairs: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let rules = registry::find(game).expect("a game");
    rules.start(&rules.setup(&pairs).expect("a set-up"))
}

fn verify_stored(game: &'static str, sections: &[&str]) {
    let mut proofs = Proofs::of(game);
    for row in sections.iter().flat_map(|section| solved(section)) {
        let [what, value, _, _, positions, bytes, hash, checked] = &row[..] else {
            panic!("eight columns in {row:?}")
        };
        let Some(path) = stored(checked) else { continue };
        let position = if let Some((_, rest)) = what.split_once("--setup \"") {
            start(game, rest.split('"').next().expect("a set-up"))
        } else if what.starts_with("--") {
            start(game, "")
        } else {
            let mut state = start(game, "");
            for m in what.split(' ') {
                state.play(m).expect("a legal move");
            }
            state
        };
        let (proof, verified) = proofs.verify(path, &position.fen());
        let count: u64 = verified.claims.iter().map(|(_, positions)| positions).sum();
        let found = [verified.value(), &count.to_string(), &proof.len().to_string(), &sha256(proof)];
        assert_eq!(found, [value, positions, bytes, hash], "{what}");
    }
    proofs.assert_all();
}

#[test]
fn the_stored_proofs_of_simplexity_hold() {
    verify_stored("simplexity", &["simplexity"]);
}

#[test]
fn the_stored_proofs_of_xrudder_hold() {
    verify_stored("xrudder", &["xrudder"]);
}

#[test]
fn the_stored_proofs_of_andantino_hold() {
    verify_stored("andantino", &["andantino", "andantino-lines", "andantino-start"]);
}

#[test]
fn the_stored_proofs_of_colosseum_hold() {
    let mut proofs = Proofs::of("colosseum");
    for row in solved("colosseum") {
        let [size, generator, seeds, _, won, drawn, lost, _, _, _, bytes, hash, checked] = &row[..] else {
            panic!("thirteen columns in {row:?}")
        };
        let Some(directory) = stored(checked) else { continue };
        let most: u32 = seeds.strip_prefix("1 to ").and_then(|most| most.parse().ok()).expect("seeds");
        let mut firsts = HashMap::new();
        let (mut values, mut of_all) = (Vec::new(), Vec::new());
        for seed in 1..=most {
            let setup = format!("size {size} generator {generator} seed {seed}");
            let fen = start(proofs.game, &setup).fen();
            // Stored is the proof of the first seed that gives the start; that of another is the same but for the seed.
            let (proof, value, word) = firsts.entry(fen).or_insert_with_key(|fen| {
                let path = directory.join(setup.replace(' ', "-") + ".proof");
                let (proof, verified) = proofs.verify(path, fen);
                (proof, verified.value(), format!(" seed {seed}\n"))
            });
            let at = proof.windows(word.len()).position(|text| text == word.as_bytes()).expect("its seed");
            of_all.extend_from_slice(&proof[..at]);
            of_all.extend_from_slice(format!(" seed {seed}\n").as_bytes());
            of_all.extend_from_slice(&proof[at + word.len()..]);
            values.push(*value);
        }
        let counts =
            ["win", "draw", "loss"].map(|value| values.iter().filter(|v| **v == value).count().to_string());
        assert_eq!(counts, [&**won, drawn, lost], "{row:?}");
        assert_eq!([&of_all.len().to_string(), &sha256(of_all)], [bytes, hash], "{row:?}");
    }
    proofs.assert_all();
}

/// Rows with more nodes than this are left to the script.
const QUICK: u64 = 1_500_000;

#[test]
fn what_is_quickly_solved_again_is_as_the_page_of_solved_positions_says() {
    let directory = directory();
    for game in ["simplexity", "xrudder", "andantino"] {
        let mut count = 0;
        for row in solved(game) {
            let [options, value, nodes, _, _, bytes, _, checked] = &row[..] else {
                panic!("eight columns in {row:?}")
            };
            if nodes.parse::<u64>().expect("a number") > QUICK {
                continue;
            }
            let commands = format!(
                "arbiter solve {game} {options} --proof p-{game}-{count} | tail -n 2
                 cmp p-{game}-{count} {}
                 wc -c < p-{game}-{count}
                 arbiter verify-proof p-{game}-{count} | tail -n 1",
                stored(checked).expect("it is stored").display()
            );
            let output = shell(&commands).current_dir(directory.path()).output().expect("the shell runs");
            let word = value.split(' ').next().expect("a word");
            let expected = format!("nodes {nodes}\nvalue {value}\n{bytes}\nvalue {word}\n");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{game} {options}");
            count += 1;
        }
        assert!(count > 0, "no row of {game} is quick");
    }
}
