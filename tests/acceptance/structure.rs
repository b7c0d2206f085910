//! The shape of the workspace: which crate may know which, and what may be depended on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// More packages in the lock file than this is a decision to take, not an accident: see CONTRIBUTING.md.
const PACKAGE_BUDGET: usize = 160;

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo prints text")
}

/// What cargo tells of the packages that this machine builds: nobody downloads those of other systems.
fn metadata() -> Value {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names the host");
    let printed =
        cargo(&["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host]);
    serde_json::from_str(&printed).expect("cargo prints JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

/// For each workspace crate, the workspace crates it reaches through normal (not dev) dependencies.
fn reach(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: BTreeSet<_> = list(&metadata["workspace_members"]).iter().map(text).collect();
    let packages = list(&metadata["packages"]).iter().filter(|p| members.contains(text(&p["id"])));
    let direct: BTreeMap<String, Vec<String>> = packages
        .map(|p| {
            let normal = list(&p["dependencies"]).iter().filter(|d| d["kind"].is_null());
            (text(&p["name"]).to_owned(), normal.map(|d| text(&d["name"]).to_owned()).collect())
        })
        .collect();
    direct
        .keys()
        .map(|start| {
            let mut seen = BTreeSet::new();
            let mut queue = vec![start.clone()];
            while let Some(name) = queue.pop() {
                let next = direct[&name].iter().filter(|d| direct.contains_key(*d));
                queue.extend(next.filter(|d| seen.insert((*d).clone())).cloned());
            }
            (start.clone(), seen)
        })
        .collect()
}

#[test]
fn dependencies_run_one_way() {
    let reach = reach(&metadata());
    let games: Vec<&String> =
        reach["registry"].iter().filter(|n| !["game", "bits"].contains(&n.as_str())).collect();
    assert!(!games.is_empty(), "the registry lists games");
    let forbid = |from: &str, to: &[&str]| {
        for name in to {
            assert!(!reach[from].contains(*name), "{from} must not depend on {name}");
        }
    };
    for game in games {
        forbid(game, &["search", "solve", "engine", "protocol", "arbiter", "registry", "stats"]);
    }
    forbid("arbiter", &["search", "solve", "engine"]);
    forbid("search", &["protocol", "registry", "arbiter", "engine", "stats"]);
    forbid("solve", &["bits", "protocol", "registry", "search", "arbiter", "engine", "stats"]);
    forbid("protocol", &["game", "bits", "registry", "search", "solve", "engine", "arbiter", "stats"]);
    forbid("game", &["bits", "protocol", "registry", "search", "solve", "engine", "arbiter", "stats"]);
    forbid("stats", &["game", "protocol", "registry", "search", "solve", "engine", "arbiter"]);
}

#[test]
fn only_engine_and_arbiter_know_the_protocol() {
    let reach = reach(&metadata());
    let know = reach.iter().filter(|(_, to)| to.contains("protocol")).map(|(from, _)| from.as_str());
    let allowed = ["arbiter", "engine", "ludus", "ludus-fuzz"];
    for name in know {
        assert!(allowed.contains(&name), "{name} must not depend on protocol");
    }
}

#[test]
fn licences_are_on_the_list_and_packages_within_budget() {
    let metadata = metadata();
    let read = |name| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    let deny = read("deny.toml").expect("deny.toml is there");
    let line = deny.lines().find(|l| l.starts_with("allow = ")).expect("a list of licences");
    let allowed: BTreeSet<&str> = line.split('"').skip(1).step_by(2).collect();
    for package in list(&metadata["packages"]).iter().filter(|p| p["source"].is_string()) {
        let licence = package["license"].as_str().unwrap_or("none");
        // `A OR B`, `A/B`: one of them is enough; `(A OR B) AND C`: each part is needed.
        let fine = licence.split(" AND ").all(|part| {
            let part = part.trim_matches(['(', ')']);
            part.split(" OR ").flat_map(|p| p.split('/')).any(|l| allowed.contains(l.trim()))
        });
        assert!(fine, "{} has licence {licence}, which is not allowed in deny.toml", text(&package["name"]));
    }
    let packages = read("Cargo.lock").expect("the lock file is there").matches("[[package]]").count();
    let budget = 1..=PACKAGE_BUDGET;
    assert!(budget.contains(&packages), "{packages} packages, the budget is {PACKAGE_BUDGET}");
}
