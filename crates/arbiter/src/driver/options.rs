//! Options that a run sets, beside those that the engine declares.

use std::fmt::Write;

use protocol::{Command, OptionDecl, OptionType};

use super::transcript::{Clipped, clipped_beyond};

/// How many bytes of a list of names are told at most, whole.
const NAMES: usize = 4096;

/// From which likeness on, of 0 to 1, a name is perhaps meant by another.
const LIKE: f64 = 0.7;

/// The option of that name, in any letter case.
pub(crate) fn find<'d>(declared: &'d [OptionDecl], name: &str) -> Option<&'d OptionDecl> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The lines that set options.
///
/// # Errors
/// In one line, what is wrong with the first option that the engine doesn't have, or not with that value.
pub(crate) fn lines(declared: &[OptionDecl], options: &[(String, String)]) -> Result<String, String> {
    let mut lines = String::new();
    for (name, value) in options {
        let option = find(declared, name).ok_or_else(|| unknown(declared, name))?;
        if let Some(expected) = expected(option, value) {
            return Err(format!("option {}: expected {expected}, not {}", Clipped(name), Clipped(value)));
        }
        let name = option.name.clone();
        let value = (option.kind != OptionType::Button).then(|| value.clone());
        let _ = writeln!(lines, "{}", Command::SetOption { name, value });
    }
    Ok(lines)
}

fn unknown(declared: &[OptionDecl], name: &str) -> String {
    let likeness = |option: &OptionDecl| strsim::jaro(&option.name.to_lowercase(), &name.to_lowercase());
    let likest = declared.iter().map(|option| (likeness(option), option)).max_by(|a, b| a.0.total_cmp(&b.0));
    let perhaps = likest.filter(|(likeness, _)| *likeness > LIKE);
    let perhaps = perhaps.map(|(_, option)| format!(", perhaps {}", Clipped(&option.name)));
    let names: Vec<_> = declared.iter().map(|option| option.name.as_str()).collect();
    let names = clipped_beyond(NAMES, &names.join(", "));
    format!("it has no option {}{}; its options: {names}", Clipped(name), perhaps.unwrap_or_default())
}

/// What the option takes, where the value is not that.
fn expected(option: &OptionDecl, value: &str) -> Option<String> {
    if value.contains(['\n', '\r', '\0']) {
        return Some("a single line".into());
    }
    let is = |word: &str| word.eq_ignore_ascii_case(value);
    match option.kind {
        OptionType::Check => (!is("true") && !is("false")).then(|| "true or false".into()),
        OptionType::Spin => {
            let (min, max) = (option.min.unwrap_or(i64::MIN), option.max.unwrap_or(i64::MAX));
            let is_of_range = value.parse().is_ok_and(|n: i64| (min..=max).contains(&n));
            (!is_of_range).then(|| format!("an integer from {min} to {max}"))
        }
        OptionType::Combo => (!option.vars.iter().any(|var| is(var)))
            .then(|| format!("one of {}", clipped_beyond(NAMES, &option.vars.join(", ")))),
        OptionType::Button | OptionType::String => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(kind: OptionType, name: &str, range: [Option<i64>; 2], vars: &[&str]) -> OptionDecl {
        let vars = vars.iter().map(|&var| var.into()).collect();
        OptionDecl { name: name.into(), kind, default: None, min: range[0], max: range[1], vars }
    }

    #[test]
    fn options_are_set_as_they_are_declared_or_refused_in_one_line() {
        let none = [None, None];
        let declared = [
            declared(OptionType::Spin, "Level", [Some(1), Some(20)], &[]),
            declared(OptionType::Spin, "Any", none, &[]),
            declared(OptionType::Check, "Faithful", none, &[]),
            declared(OptionType::Combo, "Agent", none, &["builtin", "random"]),
            declared(OptionType::String, "Book File", none, &[]),
            declared(OptionType::Button, "Clear Hash", none, &[]),
        ];
        let names = "its options: Level, Any, Faithful, Agent, Book File, Clear Hash";
        for (name, value, said) in [
            ("level", "20", Ok("setoption name Level value 20\n")),
            ("Any", "-7", Ok("setoption name Any value -7\n")),
            ("Faithful", "TRUE", Ok("setoption name Faithful value TRUE\n")),
            ("Agent", "Random", Ok("setoption name Agent value Random\n")),
            ("book file", "a b", Ok("setoption name Book File value a b\n")),
            ("Clear Hash", "", Ok("setoption name Clear Hash\n")),
            ("Levle", "3", Err(format!("it has no option Levle, perhaps Level; {names}"))),
            ("clearhash", "3", Err(format!("it has no option clearhash, perhaps Clear Hash; {names}"))),
            ("Hash", "3", Err(format!("it has no option Hash; {names}"))),
            ("Level", "21", Err("option Level: expected an integer from 1 to 20, not 21".into())),
            ("Level", "x", Err("option Level: expected an integer from 1 to 20, not x".into())),
            ("Faithful", "1", Err("option Faithful: expected true or false, not 1".into())),
            ("Agent", "rnd", Err("option Agent: expected one of builtin, random, not rnd".into())),
            ("Book File", "a\nquit", Err("option Book File: expected a single line, not a\\nquit".into())),
        ] {
            let lines = lines(&declared, &[(name.into(), value.into())]);
            assert_eq!(lines, said.map(str::to_owned), "{name}");
        }
    }
}
