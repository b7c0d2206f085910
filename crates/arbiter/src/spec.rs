//! Engines as they are named in one word of a command line: `[NAME=]SPEC[{K=V,…}]`.

use std::path::Path;

use game::Rules;

use crate::config::{EngineSpec, Launch};
use crate::isolation::Isolation;

/// Why a word names no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("engine {word:?}: {message}")]
pub struct SpecError {
    /// The word as given.
    pub word: String,
    /// What is wrong with it and what was expected.
    pub message: String,
}

/// Reads the engines of a game named by `words`; names given twice get a number.
pub fn parse_all(rules: &dyn Rules, words: &[String]) -> Result<Vec<EngineSpec>, SpecError> {
    let mut engines = words.iter().map(|word| parse(rules, word)).collect::<Result<Vec<_>, _>>()?;
    make_names_unique(&mut engines);
    Ok(engines)
}

/// Reads one engine: `builtin`, `GAME:AGENT`, the name of an agent of the game, else a command line.
pub fn parse(rules: &dyn Rules, word: &str) -> Result<EngineSpec, SpecError> {
    let error = |message: String| SpecError { word: word.into(), message };
    let (name, rest) = match word.split_once('=') {
        Some((name, rest)) if is_name(name) => (Some(name), rest),
        _ => (None, word),
    };
    let (spec, options) = match rest.strip_suffix('}').and_then(|rest| rest.rsplit_once('{')) {
        Some((spec, list)) => (spec.trim_end(), options(list).map_err(error)?),
        None => (rest, Vec::new()),
    };
    let launch = launch(rules, spec).map_err(error)?;
    let name = name.map_or_else(|| default_name(&launch), str::to_owned);
    let (dir, env, limits, isolation) = (None, Vec::new(), None, Isolation::default());
    Ok(EngineSpec { name, launch, options, dir, env, limits, isolation })
}

/// Appends `-2`, `-3`, … to names that occurred before.
pub fn make_names_unique(engines: &mut [EngineSpec]) {
    for i in 1..engines.len() {
        let (before, rest) = engines.split_at_mut(i);
        let taken = |name: &str| before.iter().any(|engine| engine.name == name);
        let name = &mut rest[0].name;
        if taken(name) {
            let mut number = 2;
            while taken(&format!("{name}-{number}")) {
                number += 1;
            }
            *name = format!("{name}-{number}");
        }
    }
}

/// What `SPEC` starts; also the meaning of `builtin = "…"` in a tournament file.
pub fn launch(rules: &dyn Rules, spec: &str) -> Result<Launch, String> {
    let game = rules.name();
    let agents = || {
        let names: Vec<_> = rules.agents().iter().map(|agent| agent.name).collect();
        format!("the agents of {game} are {}", names.join(", "))
    };
    let is_agent = |name: &str| rules.agents().iter().any(|agent| agent.name == name);
    let built_in =
        |agent: Option<&str>| Launch::BuiltIn { game: game.into(), agent: agent.map(str::to_owned) };
    if spec == "builtin" {
        return Ok(built_in(None));
    }
    if is_agent(spec) {
        return Ok(built_in(Some(spec)));
    }
    if let Some((prefix, agent)) = spec.split_once(':')
        && registry::find(prefix).is_some()
    {
        return match agent {
            _ if prefix != game => Err(format!("{prefix} is another game than {game}")),
            "builtin" => Ok(built_in(None)),
            agent if is_agent(agent) => Ok(built_in(Some(agent))),
            agent => Err(format!("no agent {agent}; {}", agents())),
        };
    }
    match shell_words::split(spec) {
        Ok(words) if words.is_empty() => {
            Err(format!("expected builtin, an agent or a command; {}", agents()))
        }
        Ok(words) => Ok(Launch::Command(words)),
        Err(_) => Err("a quotation mark of the command is not closed".into()),
    }
}

fn options(list: &str) -> Result<Vec<(String, String)>, String> {
    let pairs = list.split(',').filter(|pair| !pair.trim().is_empty());
    let read = |pair: &str| match pair.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err(format!("{pair:?} between the braces is no KEY=VALUE")),
    };
    pairs.map(read).collect()
}

/// Whether a text can be an engine's name.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.-".contains(c)
}

/// The agent of a built-in engine, the program of a command; of an interpreter's command, the script.
pub fn default_name(launch: &Launch) -> String {
    let words = match launch {
        Launch::BuiltIn { agent, .. } => return agent.clone().unwrap_or_else(|| "builtin".into()),
        Launch::Command(words) => words,
    };
    let stem = |word: &str| {
        let stem = Path::new(word).file_stem().unwrap_or_else(|| "engine".as_ref()).to_string_lossy();
        stem.replace(|c| !is_name_char(c), "_")
    };
    let program = words.first().map(|word| stem(word)).unwrap_or_default();
    let interprets = ["python", "node", "java", "ruby", "perl", "sh", "bash", "env", "dotnet", "deno", "lua"];
    let script = words
        .iter()
        .skip(1)
        .find(|word| !word.starts_with('-') && word.contains('.') && !word.contains(char::is_whitespace));
    match script {
        Some(script) if interprets.iter().any(|name| program.starts_with(name)) => stem(script),
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> &'static dyn Rules {
        registry::find("simplexity").unwrap()
    }

    #[test]
    fn words_name_engines() {
        let built_in = |agent: &str| Launch::BuiltIn {
            game: "simplexity".into(),
            agent: (!agent.is_empty()).then(|| agent.into()),
        };
        let command = |words: &[&str]| Launch::Command(words.iter().map(|w| (*w).into()).collect());
        for (word, name, launch, options) in [
            ("builtin", "builtin", built_in(""), vec![]),
            ("A=builtin", "A", built_in(""), vec![]),
            ("simplexity:builtin", "builtin", built_in(""), vec![]),
            ("simplexity:minimax", "minimax", built_in("minimax"), vec![]),
            ("minimax{Depth=4}", "minimax", built_in("minimax"), vec![("Depth", "4")]),
            (
                "B-1.0=builtin{Hash=64,MultiPV=1}",
                "B-1.0",
                built_in(""),
                vec![("Hash", "64"), ("MultiPV", "1")],
            ),
            ("builtin{}", "builtin", built_in(""), vec![]),
            ("builtin {Path=a=b, X = y z }", "builtin", built_in(""), vec![("Path", "a=b"), ("X", "y z")]),
            ("./bot", "bot", command(&["./bot"]), vec![]),
            ("./bot --depth=3", "bot", command(&["./bot", "--depth=3"]), vec![]),
            (
                "python3 -u bots/my_bot.py --fast",
                "my_bot",
                command(&["python3", "-u", "bots/my_bot.py", "--fast"]),
                vec![],
            ),
            ("'my bot' \"a b\"", "my_bot", command(&["my bot", "a b"]), vec![]),
            ("x=python3 b.py{Seed=1}", "x", command(&["python3", "b.py"]), vec![("Seed", "1")]),
            ("sh -c './bot | cat'", "sh", command(&["sh", "-c", "./bot | cat"]), vec![]),
            ("$HOME/*", "_", command(&["$HOME/*"]), vec![]),
        ] {
            let engine = parse(rules(), word).unwrap_or_else(|e| panic!("{word}: {e}"));
            assert_eq!((engine.name.as_str(), &engine.launch), (name, &launch), "{word}");
            let given: Vec<_> = engine.options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
            assert_eq!(given, options, "{word}");
        }
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for (word, part) in [
            ("", "expected builtin, an agent or a command"),
            ("A=", "expected builtin, an agent or a command"),
            ("simplexity:nobody", "no agent nobody; the agents of simplexity are"),
            ("builtin{Hash}", "\"Hash\" between the braces is no KEY=VALUE"),
            ("builtin{=3}", "no KEY=VALUE"),
            ("./bot 'x", "quotation mark"),
        ] {
            let error = parse(rules(), word).unwrap_err().to_string();
            assert!(error.contains(part), "{word}: {error}");
            assert!(error.contains(&format!("{word:?}")), "{error}");
        }
    }

    #[test]
    fn names_become_unique() {
        let words = ["builtin", "builtin", "builtin-2=builtin", "builtin"].map(str::to_owned);
        let engines = parse_all(rules(), &words).unwrap();
        let names: Vec<_> = engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["builtin", "builtin-2", "builtin-2-2", "builtin-3"]);
    }
}
