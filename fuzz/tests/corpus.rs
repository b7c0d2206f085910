//! Replays the committed corpus.

use std::path::Path;

fn replay(target: &str, property: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/protocol/corpus").join(target);
    let mut files = 0;
    for entry in std::fs::read_dir(&corpus).expect("the corpus is there") {
        let path = entry.expect("the corpus can be listed").path();
        println!("{}", path.display());
        property(&std::fs::read(&path).expect("the file can be read"));
        files += 1;
    }
    assert!(files >= 10, "{files} files in {}", corpus.display());
}

#[test]
fn command() {
    replay("command", ludus_fuzz::command);
}

#[test]
fn reply() {
    replay("reply", ludus_fuzz::reply);
}

#[test]
fn lines() {
    replay("lines", ludus_fuzz::lines);
}
