//! The golden sessions beside the specification, played with a real engine.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::common::transcript::Transcript;

#[test]
fn every_golden_session() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/transcripts");
    let entries = std::fs::read_dir(&directory).expect("the transcripts are there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable directory").path()).collect();
    files.sort();
    assert!(files.len() >= 15, "only {} transcripts", files.len());
    let mut failures = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable transcript");
        let played = Transcript::parse(&text)
            .and_then(|transcript| transcript.play(&mut Command::new(env!("CARGO_BIN_EXE_simplexity"))));
        if let Err(error) = played {
            writeln!(failures, "{}, {error}", file.display()).expect("a string takes it");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
