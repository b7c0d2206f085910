//! Tournament files: the command line's settings and the engines, written down as TOML. A file of openings is looked for
//! beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use arbiter::config::{EngineSpec, Launch, TimeControl};
use arbiter::isolation::Isolation;
use arbiter::openings::Source;
use arbiter::spec;
use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser};
use game::Rules;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use toml::Spanned;

use crate::Cli;
use crate::settings::{LimitArgs, find_game, read_setup};

/// What is no setting in a tournament file.
#[derive(Deserialize)]
struct Document {
    game: Spanned<String>,
    #[serde(default)]
    engine: Vec<Spanned<Engine>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Engine {
    name: Option<String>,
    command: Option<Command>,
    builtin: Option<String>,
    dir: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, Value>,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    limits: Option<BTreeMap<String, Value>>,
    memory: Option<u64>,
    scratch: Option<bool>,
    sandbox: Option<bool>,
}

/// A value of a key. TOML's own numbers end before those that a seed may have.
#[derive(Deserialize, PartialEq)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Integer(i64),
    Natural(u64),
    Float(f64),
    Text(String),
    Table(BTreeMap<String, Value>),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Line(String),
    Words(Vec<String>),
}

/// A tournament file, read.
pub(crate) struct TournamentFile {
    pub(crate) game: String,
    pub(crate) engines: Vec<EngineSpec>,
    /// Its settings as options of the command line.
    pub(crate) args: Vec<String>,
}

/// Bytes that no text has which people write.
const LONGEST: u64 = 16 << 20;

/// Whether a word names a tournament file rather than a game.
pub(crate) fn is_file(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

pub(crate) fn read(name: &str) -> Result<TournamentFile> {
    let text = text_of(Path::new(name)).with_context(|| format!("tournament file {name} can't be read"))?;
    parse(&text, Path::new(name).parent().unwrap_or(Path::new("")))
        .with_context(|| format!("tournament file {name}"))
}

/// The text of a file that people write.
pub(crate) fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it is longer than {} MiB", LONGEST >> 20)));
    }
    Ok(text)
}

/// Reads TOML; an error is one line.
fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let place = place(text, error.span().map_or(0, |span| span.start));
        anyhow!("{place}: {}", error.message())
    })
}

/// Where a byte of a text stands, for people.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    format!("line {line}, column {column}")
}

/// `dir` is where the file lies.
fn parse(text: &str, dir: &Path) -> Result<TournamentFile> {
    let settings: BTreeMap<Spanned<String>, Value> = from_toml(text)?;
    if let Some((key, _)) =
        settings.iter().find(|(key, value)| key.get_ref() == "engine" && matches!(value, Value::Table(_)))
    {
        bail!("{}: a single [engine]; expected [[engine]] before each", place(text, key.span().start));
    }
    let is_setting = |key: &str| !["game", "engine"].contains(&key);
    let mut options = BTreeMap::new();
    for (key, value) in settings.iter().filter(|(key, _)| is_setting(key.get_ref())) {
        let place = place(text, key.span().start);
        let option = option_of(key.get_ref()).with_context(|| place.clone())?;
        let first = options.insert(option, (key, value)).is_none();
        ensure!(first, "{place}: {} is set a second time", key.get_ref());
    }
    let Document { game, engine: listed } = from_toml(text)?;
    let rules = find_game(game.get_ref()).with_context(|| place(text, game.span().start))?;
    let mut engines = Vec::new();
    for (i, engine) in listed.into_iter().enumerate() {
        let place = place(text, engine.span().start);
        let engine = engine.into_inner();
        let name = engine.name.clone().unwrap_or_else(|| format!("number {}", i + 1));
        engines.push(engine.spec(rules).with_context(|| format!("{place}: engine {name}"))?);
    }
    let mut args = Vec::new();
    for (option, (key, value)) in options {
        let arg = setting(&option, key.get_ref(), value, dir, rules);
        args.extend(arg.with_context(|| place(text, key.span().start))?);
    }
    Ok(TournamentFile { game: game.into_inner(), engines, args })
}

/// Whether the command line takes an option of a tournament.
fn try_arg(arg: &str) -> Result<(), clap::Error> {
    Cli::try_parse_from(["arbiter", "tournament", "", arg]).map(drop)
}

/// The option of the command line that a key stands for.
fn option_of(key: &str) -> Result<String> {
    let name = key.replace('_', "-");
    let option = format!("--{name}");
    let command = Cli::command();
    let mut known = command.find_subcommand("tournament").into_iter().flat_map(clap::Command::get_arguments);
    if !known.any(|arg| arg.get_long() == Some(&name)) {
        let refusal = try_arg(&option).err();
        let perhaps = match refusal.as_ref().and_then(|error| error.get(ContextKind::SuggestedArg)) {
            Some(ContextValue::String(arg)) => format!(", perhaps {}", arg.trim_start_matches('-')),
            _ => String::new(),
        };
        bail!("unknown key {key:?}; expected game, engine or an option of `arbiter tournament`{perhaps}");
    }
    Ok(option)
}

/// An option of the command line with a key's value, which has been accepted; `None` for a flag that is off.
fn setting(option: &str, key: &str, value: &Value, dir: &Path, rules: &dyn Rules) -> Result<Option<String>> {
    let words = match value {
        Value::Flag(_) => None,
        Value::Table(table) if key == "setup" => {
            let pairs = table.iter().map(|(key, value)| {
                let value = scalar(value).with_context(|| format!("setup: {key}"))?;
                Ok(format!("{key} {value}"))
            });
            Some(pairs.collect::<Result<Vec<_>>>()?.join(" "))
        }
        Value::Text(source) if key == "openings" => Some(match source.parse()? {
            Source::File(name) => dir.join(name).to_string_lossy().into_owned(),
            source => source.to_string(),
        }),
        value => Some(scalar(value).with_context(|| key.to_owned())?),
    };
    if let ("setup", Some(words)) = (key, &words) {
        read_setup(rules, words)?;
    }
    let arg = words.map_or_else(|| option.to_owned(), |words| format!("{option}={words}"));
    if let Err(error) = try_arg(&arg) {
        bail!("{key}: {}", fault(&error));
    }
    Ok((*value != Value::Flag(false)).then_some(arg))
}

/// What is wrong with a command line, in one line.
pub(crate) fn fault(error: &clap::Error) -> String {
    // What it says in its first paragraph; the others are help.
    let text = error.to_string();
    let lines = text.split("\n\n").next().unwrap_or_default().lines().map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    line.trim_start_matches("error: ").to_owned()
}

/// The bot of a league whose file this is: an engine's table, without a name, in `dir`, from where it is started.
pub(crate) fn read_bot(text: &str, dir: &Path, name: &str, rules: &dyn Rules) -> Result<EngineSpec> {
    let engine: Engine = from_toml(text)?;
    ensure!(engine.name.is_none(), "a bot of a league has the name of its file");
    let engine = Engine { name: Some(name.to_owned()), ..engine };
    let spec = engine.spec(rules)?;
    let dir = spec.dir.map_or_else(|| dir.to_owned(), |own| dir.join(own));
    Ok(EngineSpec { dir: Some(dir), ..spec })
}

/// An engine's own limits.
fn limits(table: &BTreeMap<String, Value>) -> Result<TimeControl> {
    const KEYS: [&str; 5] = ["movetime", "first_movetime", "tc", "nodes", "depth"];
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        bail!("unknown key {key:?}; expected {}", KEYS.join(", "));
    }
    let option = |(key, value): (&String, &Value)| {
        let value = scalar(value).with_context(|| key.clone())?;
        Ok(format!("--{}={value}", key.replace('_', "-")))
    };
    let options = table.iter().map(option).collect::<Result<Vec<_>>>()?;
    let command = LimitArgs::augment_args(clap::Command::new("limits"));
    let matches = command.try_get_matches_from([vec!["limits".to_owned()], options].concat());
    let given = matches.and_then(|matches| LimitArgs::from_arg_matches(&matches));
    let limits = given.map_err(|error| anyhow!("{}", fault(&error)))?.control(None)?;
    ensure!(limits != TimeControl::default(), "expected {}", KEYS.join(", "));
    Ok(limits)
}

/// A value as it would stand on the command line.
fn scalar(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Text(text) => text.clone(),
        Value::Integer(n) => n.to_string(),
        Value::Natural(n) => n.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Table(_) | Value::Other(_) => bail!("expected a text, a number, true or false"),
    })
}

impl Engine {
    fn spec(self, rules: &dyn Rules) -> Result<EngineSpec> {
        let launch = match (self.command, self.builtin) {
            (Some(Command::Line(line)), None) => Launch::Command(shell_words::split(&line)?),
            (Some(Command::Words(words)), None) => Launch::Command(words),
            (None, Some(word)) => match spec::launch(rules, &word).map_err(anyhow::Error::msg)? {
                Launch::Command(_) => bail!("builtin = {word:?}: no agent of {}", rules.name()),
                launch @ Launch::BuiltIn { .. } => launch,
            },
            _ => bail!("expected either command or builtin"),
        };
        let limits = self.limits.as_ref().map(limits).transpose().context("limits")?;
        ensure!(launch != Launch::Command(Vec::new()), "the command is empty");
        ensure!(self.memory != Some(0), "memory: expected a number of MiB, from 1");
        let (memory, scratch, sandbox) = (self.memory, self.scratch, self.sandbox);
        if let Some(name) = &self.name {
            ensure!(spec::is_name(name), "a name consists of letters, digits, and _ . -");
        }
        let pairs = |map: BTreeMap<String, Value>| {
            let pair = |(key, value): (&String, &Value)| {
                Ok((key.clone(), scalar(value).with_context(|| key.clone())?))
            };
            map.iter().map(pair).collect::<Result<Vec<_>>>()
        };
        Ok(EngineSpec {
            name: self.name.unwrap_or_else(|| spec::default_name(&launch)),
            launch,
            options: pairs(self.options).context("options")?,
            dir: self.dir,
            env: pairs(self.env).context("env")?,
            limits,
            isolation: Isolation { memory, scratch, sandbox },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn settings_become_options_and_engines_are_read() {
        let file = parse(
            r#"
            game = "simplexity"
            movetime = 50
            no-swap = true
            recover = false
            points = "3/1/0"
            seed = 18446744073709551615
            setup = { rows = 5, cols = 5 }
            openings = "book.txt"

            [[engine]]
            name = "mine"
            command = ["python3", "my bot.py"]
            dir = "bots"
            env = { LEVEL = 3 }
            options = { Hash = 64 }
            limits = { movetime = 500 }

            [[engine]]
            builtin = "minimax"

            [[engine]]
            command = "./bot --fast"
            "#,
            Path::new("cups"),
        )
        .unwrap();
        let settings = ["--movetime=50", "--no-swap", "--openings=cups/book.txt", "--points=3/1/0"];
        let more = ["--seed=18446744073709551615", "--setup=cols 5 rows 5"];
        assert_eq!(file.args, [settings.to_vec(), more.to_vec()].concat());
        let [mine, minimax, bot] = &file.engines[..] else { panic!("{:?}", file.engines) };
        assert_eq!(mine.launch, Launch::Command(vec!["python3".into(), "my bot.py".into()]));
        assert_eq!(mine.options, [("Hash".to_owned(), "64".to_owned())]);
        assert_eq!(mine.env, [("LEVEL".to_owned(), "3".to_owned())]);
        assert_eq!(mine.limits.as_ref().unwrap().movetime, Some(Duration::from_millis(500)));
        assert_eq!((minimax.name.as_str(), bot.name.as_str()), ("minimax", "bot"));
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, part) in [
            ("", "missing field `game`"),
            ("game = \"chess\"", "line 1, column 8: no game \"chess\"; the games are "),
            (
                "game = \"simplexity\"\n\n  movetiem = 3",
                "line 3, column 3: unknown key \"movetiem\"; expected game, engine or an option of `arbiter \
                 tournament`, perhaps movetime",
            ),
            (
                "game = \"simplexity\"\nno_swop = false",
                "line 2, column 1: unknown key \"no_swop\"; expected game,",
            ),
            (
                "game = \"simplexity\"\n[limits]\nnodes = 3",
                "line 2, column 2: unknown key \"limits\"; expected game,",
            ),
            (
                "game = \"simplexity\"\n[engine]\nbuiltin = \"builtin\"",
                "line 2, column 2: a single [engine]; expected [[engine]] before each",
            ),
            ("game = \"simplexity\"\nhelp = true", "line 2, column 1: unknown key \"help\"; expected game,"),
            ("gmae = \"simplexity\"", "line 1, column 1: unknown key \"gmae\"; expected game,"),
            (
                "game = \"simplexity\"\nmax_plies = 9\nmax-plies = 8",
                "line 2, column 1: max_plies is set a second time",
            ),
            (
                "game = \"simplexity\"\n\"games=2\" = true",
                "line 2, column 1: unknown key \"games=2\"; expected",
            ),
            ("game = \"simplexity\"\n\"\" = true", "line 2, column 1: unknown key \"\"; expected game,"),
            ("game = \"simplexity\"\nmovetime = [1]", "movetime: expected a text, a number, true or false"),
            (
                "game = \"simplexity\"\ngames = \"x\"",
                "line 2, column 1: games: invalid value 'x' for '--games <N>': expected an integer from 1 to ",
            ),
            (
                "game = \"simplexity\"\ngames = true",
                "line 2, column 1: games: a value is required for '--games <N>'",
            ),
            (
                "game = \"simplexity\"\nquiet = 3",
                "line 2, column 1: quiet: unexpected value '3' for '--quiet'",
            ),
            (
                "game = \"simplexity\"\norder = \"x\"",
                "order: invalid value 'x' for '--order <ORDER>' [possible values: sequential, random]",
            ),
            (
                "game = \"simplexity\"\nsetup = { rowz = 3 }",
                "line 2, column 1: set-up key rowz, value 3: unknown key",
            ),
            ("game = \"simplexity\"\nsetup = \"rows\"", "line 2, column 1: set-up key rows has no value"),
            ("game = \"simplexity\"\nmovetime = [", "line 2, column 13: unclosed array"),
            ("game = \"simplexity\"\nsetup = { rows = [1] }", "setup: rows: expected a text"),
            (
                "game = \"simplexity\"\n[[engine]]\nbuiltin = \"random\"\noptions = { Seed = [1] }",
                "line 2, column 1: engine number 1: options: Seed: expected a text",
            ),
            (
                "game = \"simplexity\"\n[[engine]]\nname = \"a\"",
                "engine a: expected either command or builtin",
            ),
            ("game = \"simplexity\"\n[[engine]]\ncmd = \"a\"", "unknown field `cmd`"),
            (
                "game = \"simplexity\"\n[[engine]]\nbuiltin = \"nobody\"",
                "engine number 1: builtin = \"nobody\"",
            ),
            (
                "game = \"simplexity\"\n[[engine]]\nname = \"a b\"\nbuiltin = \"builtin\"",
                "engine a b: a name consists",
            ),
        ] {
            let error = format!("{:#}", parse(text, Path::new("")).err().unwrap());
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
    }

    #[test]
    fn limits_of_an_engine_are_those_of_the_command_line() {
        for (limits, part) in [
            (
                "{ move-time = 5 }",
                "unknown key \"move-time\"; expected movetime, first_movetime, tc, nodes, depth",
            ),
            ("{ nodes = 5, plies = 3 }", "unknown key \"plies\""),
            ("{}", "expected movetime, "),
            ("{ depth = \"x\" }", "invalid value 'x' for '--depth <N>': expected an integer from 1 to "),
            ("{ movetime = 0 }", "invalid value '0' for '--movetime <MS>': expected an integer from 1 to "),
            ("{ nodes = -3 }", "invalid value '-3' for '--nodes <N>': expected an integer from 1 to "),
            (
                "{ first_movetime = 5 }",
                "--first-movetime is instead of --movetime for one move; give that too",
            ),
            ("{ tc = true }", "invalid value 'true' for '--tc <TC>': \"true\" is no time control"),
        ] {
            let text = format!("game = \"simplexity\"\n[[engine]]\nbuiltin = \"builtin\"\nlimits = {limits}");
            let error = format!("{:#}", parse(&text, Path::new("")).err().unwrap());
            let part = format!("line 2, column 1: engine number 1: limits: {part}");
            assert!(error.contains(&part) && !error.contains('\n'), "{limits}: {error}");
        }
    }
}
