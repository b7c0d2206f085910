//! The specification and the code name the same words.

use protocol::{Command, ErrorCode};

/// The first words, in code style, of a table's rows in a section of the specification.
fn rows(section: &str) -> Vec<&'static str> {
    let specification = include_str!("../../SPEC.md");
    let (_, after) = specification.split_once(section).expect("the section");
    let section = after.split("\n## ").next().unwrap_or(after);
    let codes = section.lines().filter_map(|line| line.strip_prefix("| `"));
    codes.map(|row| row.split(['`', ' ']).next().expect("a word")).collect()
}

#[test]
fn error_codes() {
    assert_eq!(rows("\n## 10. Errors"), ErrorCode::ALL.map(ErrorCode::token));
}

#[test]
fn questions() {
    let questions = rows("\n## 9. Questions");
    assert_eq!(questions.len(), 16);
    for question in questions {
        let argument = if matches!(question, "islegal" | "perft") { " 1" } else { "" };
        let line = format!("query {question}{argument}");
        assert!(matches!(Command::parse(line.as_bytes()), Ok(Some(Command::Query(_)))), "{line}");
    }
}

#[test]
fn commands() {
    for command in rows("\n## 4. Commands") {
        match Command::parse(command.as_bytes()) {
            Ok(Some(_)) => {}
            Err(refusal) => assert_eq!(refusal.error.code, ErrorCode::BadSyntax, "{command}"),
            Ok(None) => panic!("{command} is nothing"),
        }
    }
}
