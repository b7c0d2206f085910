//! `docs/arbiter.md`, the manual of the arbiter, says what the program does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use arbiter::adjudication::ADJUDICATED;
use arbiter::record::Record;
use arbiter::sheet::UNFINISHED;
use serde_json::Value;

use crate::cli::{directory, run};
use crate::fakes::fake_engine;
use crate::pages::{cells, page, shell};

/// The options that clap gives every command.
const COMMON: [&str; 2] = ["help", "version"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn manual() -> String {
    page("arbiter.md")
}

/// What stands under a heading of the second level.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let parts = page.split("\n## ").skip(1);
    let part = parts.filter_map(|part| part.split_once('\n')).find(|(heading, _)| *heading == title);
    part.unwrap_or_else(|| panic!("there is no section {title}")).1
}

/// The parts of a section under headings of the third level: what the heading has in code marks, and its text.
fn parts(section: &str) -> Vec<(Vec<&str>, &str)> {
    let parts = section.split("\n### ").skip(1).filter_map(|part| part.split_once('\n'));
    parts.map(|(heading, text)| (heading.split('`').skip(1).step_by(2).collect(), text)).collect()
}

/// What stands in code marks in the first cell of each row of the tables in a text, with the whole row.
fn rows(text: &str) -> Vec<(String, &str)> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| (cells(line).swap_remove(0), line)).collect()
}

fn names(text: &str) -> BTreeSet<String> {
    rows(text).into_iter().map(|(name, _)| name).collect()
}

/// The blocks of code of a text that begin with this fence.
fn blocks<'a>(text: &'a str, fence: &str) -> Vec<&'a str> {
    let fence = format!("\n```{fence}\n");
    text.split(&fence).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// What `--help` of a command says: its sub-commands, and its long options with all that is said of each.
fn help(command: &[&str]) -> (Vec<String>, BTreeMap<String, String>) {
    let done = run(&[command, &["--help"]].concat());
    assert_eq!(done.code, 0, "{command:?}: {}", done.err);
    let commands = done.out.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let commands = commands.unwrap_or_default().lines().filter(|line| !line.starts_with("   "));
    let commands = commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut options = BTreeMap::new();
    let mut last = None;
    for line in done.out.lines() {
        let is_option = line.starts_with("      --") || line.starts_with("  -") && line.contains(", --");
        if is_option && let Some((_, option)) = line.split_once("--") {
            let name = option.split([' ', '=', '[']).next().unwrap_or_default().to_owned();
            options.insert(name.clone(), option.to_owned());
            last = Some(name);
        } else if line.starts_with("       ") {
            if let Some(text) = last.as_ref().and_then(|name| options.get_mut(name)) {
                text.extend([" ", line.trim()]);
            }
        } else {
            last = None;
        }
    }
    options.retain(|name, _| !COMMON.contains(&name.as_str()));
    (commands.map(str::to_owned).collect(), options)
}

/// What stands between `begin` and the bracket that ends it, in what a help says of an option.
fn bracketed<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    text.split_once(begin)?.1.split(']').next()
}

/// All options of the program by command.
fn options() -> BTreeMap<String, BTreeMap<String, String>> {
    let (commands, _) = help(&[]);
    let mut all: BTreeMap<_, _> = commands.iter().map(|name| (name.clone(), help(&[name]).1)).collect();
    for name in help(&["engine"]).0 {
        all.insert(format!("engine {name}"), help(&["engine", "simplexity", &name]).1);
    }
    all
}

#[test]
fn the_index_has_the_options_of_the_program() {
    let page = manual();
    let mut index: BTreeMap<&str, BTreeMap<String, &str>> = BTreeMap::new();
    for (commands, text) in parts(section(&page, "Options")) {
        for command in commands {
            let options = rows(text).into_iter().filter_map(|(name, row)| {
                Some((name.strip_prefix("--")?.split([' ', '[']).next()?.to_owned(), row))
            });
            index.entry(command).or_default().extend(options);
        }
    }
    let options = options();
    assert_eq!(index.keys().copied().collect::<Vec<_>>(), options.keys().collect::<Vec<_>>());
    for (command, options) in &options {
        let index = &index[command.as_str()];
        assert_eq!(index.keys().collect::<Vec<_>>(), options.keys().collect::<Vec<_>>(), "{command}");
        for (name, text) in options {
            let default = bracketed(text, "[default: ").filter(|value| !value.contains(' '));
            let values = bracketed(text, "[possible values: ").into_iter().flat_map(|list| list.split(", "));
            for value in default.into_iter().chain(values) {
                let row = index[name];
                assert!(row.contains(&format!("`{value}`")), "{command} --{name} has {value}: {row}");
            }
        }
    }
}

#[test]
fn no_option_is_named_that_does_not_exist() {
    let page = manual();
    let known: BTreeSet<String> = options().into_values().flat_map(BTreeMap::into_keys).collect();
    let named = page.split("--").skip(1).filter_map(|rest| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        rest.starts_with(|c: char| c.is_ascii_lowercase()).then(|| name.trim_end_matches('-').to_owned())
    });
    for name in named.filter(|name| !COMMON.contains(&name.as_str())) {
        assert!(known.contains(&name), "there is no --{name}");
    }
}

/// What stands in quotation marks or after the last `=` in the lines of a source file that have `part`.
fn constants(file: &str, part: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).expect("a source file");
    let lines = text.lines().filter(|line| line.contains(part));
    let value = |line: &str| match line.split('"').nth(1) {
        Some(text) => text.to_owned(),
        None => line.rsplit('=').next().unwrap_or_default().trim_matches([' ', ';']).to_owned(),
    };
    lines.map(value).collect()
}

#[test]
fn every_reason_and_exit_code_is_explained() {
    let page = manual();
    let faults = constants("crates/arbiter/src/fault.rs", " => \"");
    assert!(faults.contains("rejects-legal-move"), "{faults:?}");
    let of_games = registry::GAMES.iter().flat_map(|rules| rules.words().reasons).map(|(token, _)| *token);
    let others = [ADJUDICATED, UNFINISHED, "max-plies", "resign"];
    let reasons: BTreeSet<String> =
        faults.into_iter().chain(of_games.chain(others).map(str::to_owned)).collect();
    assert_eq!(names(section(&page, "Reasons")), reasons);
    let mut codes = constants("crates/bins/arbiter/main.rs", ": u8 = ");
    codes.append(&mut constants("crates/engine/src/streams.rs", ": u8 = "));
    codes.insert("0".into());
    assert_eq!(names(section(&page, "Exit codes")), codes);
}

/// All keys of a value, those of what it contains after a point.
fn keys(value: &Value, prefix: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let name = format!("{prefix}{key}");
                keys(value, &format!("{name}."), all);
                all.insert(name);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, prefix, all)),
        _ => {}
    }
}

#[test]
fn the_records_of_the_journal_are_described_field_by_field() {
    let page = manual();
    let mut fields = BTreeSet::new();
    let mut types = BTreeSet::new();
    for (titles, text) in parts(section(&page, "Journal")) {
        let [title] = titles[..] else { panic!("a heading is not of one record: {titles:?}") };
        let mut shown = BTreeSet::new();
        for line in blocks(text, "json").into_iter().flat_map(str::lines) {
            let value: Value = serde_json::from_str(line).expect("JSON");
            let record: Record = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            assert_eq!(serde_json::to_value(record).expect("JSON"), value, "{line}");
            assert_eq!(value["type"], title, "{line}");
            keys(&value, "", &mut shown);
        }
        shown.remove("type");
        assert_eq!(names(text), shown, "{title}");
        types.insert(title.to_owned());
        fields.extend(shown.iter().filter_map(|name| name.rsplit('.').next()).map(str::to_owned));
    }
    let error = serde_json::from_str::<Record>("{\"type\":\"\"}").expect_err("no type").to_string();
    assert_eq!(types, error.split('`').skip(3).step_by(2).map(str::to_owned).collect());
    let source = fs::read_to_string(root().join("crates/arbiter/src/record.rs")).expect("a source file");
    let public = source.lines().filter_map(|line| line.strip_prefix("    pub ")?.split_once(": "));
    for (field, _) in public.filter(|(field, _)| !field.contains(' ')) {
        assert!(fields.contains(field), "the field {field} stands in no example");
    }
}

#[test]
fn the_report_of_a_checkup_is_described_field_by_field() {
    let mut shown = BTreeSet::new();
    // One that fails, one that passes with a note, one with steps that are left out.
    for mode in ["illegal-move", "healthy"] {
        let engine = format!("{} --mode {mode} --after 1 --minimal", fake_engine().display());
        let done = run(&["check", "simplexity", &engine, "--seed", "1", "--json"]);
        let report: Value = serde_json::from_str(&done.out).expect("one JSON object");
        keys(&report, "", &mut shown);
    }
    assert_eq!(names(section(&manual(), "Checking an engine")), shown);
}

#[test]
fn the_commands_of_the_tour_work_as_printed() {
    let page = manual();
    let tour = section(&page, "Tour");
    let dir = directory();
    symlink(root().join("examples"), dir.path().join("examples")).expect("a link");
    let played = blocks(tour, "sh");
    assert!(played.len() > 5, "{played:?}");
    for commands in played {
        // A machine that runs other tests meanwhile is slow to answer.
        let commands = commands.replace("arbiter check ", "arbiter check --time-margin=30000 ");
        let output = shell(&commands).current_dir(dir.path()).output().expect("the shell runs");
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        assert!(output.status.success(), "{commands}\n{out}\n{err}");
    }
    // Those that would take long or name engines that aren't there.
    for command in blocks(tour, "sh plan").into_iter().flat_map(str::lines) {
        let command = format!("{command} --plan --games 2");
        let output = shell(&command).current_dir(dir.path()).output().expect("the shell runs");
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
