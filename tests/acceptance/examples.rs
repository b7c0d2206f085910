//! The files under `examples/` are what they say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cli::run;

#[test]
fn the_example_tournaments_can_be_played() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tournaments");
    let mut games = BTreeSet::new();
    for entry in fs::read_dir(&examples).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        let name = text.lines().find_map(|line| line.strip_prefix("game = ")).expect("a game");
        games.insert(name.trim_matches('"').to_owned());
        let engines = text.matches("[[engine]]").count();
        let boards = if name.contains("colosseum") { 7 } else { 1 };
        let done = run(&["tournament", path.to_str().expect("an UTF-8 path"), "--plan", "--json"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", path.display());
        // Each pair twice on each board.
        assert_eq!(done.out.lines().count(), engines * (engines - 1) * boards, "{}", path.display());
    }
    assert_eq!(games.len(), registry::GAMES.len(), "{games:?}");

    let rules = registry::find("colosseum").expect("a game");
    let drawn = (6..=12).map(|size| {
        let size = size.to_string();
        rules.start(&rules.setup(&[("size", &size), ("seed", "1")]).expect("a set-up")).fen()
    });
    let listed = fs::read_to_string(examples.join("colosseum-starts.txt")).expect("a file");
    let listed: Vec<&str> = listed.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(listed, drawn.collect::<Vec<_>>());
}

#[test]
fn the_lists_of_openings_can_be_played() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/openings");
    for rules in registry::GAMES {
        let path = examples.join(rules.name()).with_extension("txt");
        let list = path.to_str().expect("an UTF-8 path");
        let done =
            run(&["match", rules.name(), "random", "random", "--openings", list, "--games", "100", "--plan"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{list}");
        let positions: BTreeSet<_> =
            done.out.lines().filter_map(|line| line.splitn(4, "  ").nth(3)).collect();
        assert_eq!(positions.len(), 50, "{list}");
    }
}
