//! Steps that are programs.

use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

use game::State;
use protocol::{OptionType, Reply};

use super::facts::{Walk, replay};
use super::hygiene::Kind;
use super::script::words;
use super::session::{Fail, Session};
use crate::driver::counted;

/// What a trial comes to: something to say of an engine that passes, or why it doesn't.
type Verdict = Result<Option<String>, Fail>;

/// Positions in which an engine has to think, at most.
const SEARCHED: u32 = 50;
/// Games that are drawn, and positions of them that are searched, to see whether the last move is known.
const DRAWN: u32 = 200;
const TELLING: usize = 20;
/// Legal moves after which no further game is drawn, since on large boards games are long and have many.
const LISTED: usize = 1_000_000;
/// Plies of a game that the engine plays against itself.
const PLIES: usize = 60;
/// Plies and nodes per move of a game that must come out the same.
const REPEATED_PLIES: usize = 12;
const REPEATED_NODES: u32 = 500;
/// A position with more successors than this is counted one ply deep.
const MOST_COUNTED: u64 = 10_000;
/// How much memory an engine may gain in the second half of its new games, in bytes.
const GROWTH: u64 = 8 << 20;
/// Searches that are stopped at different moments.
const RACES: u64 = 25;
/// The capabilities of the specification.
const CAPS: [&str; 10] = [
    "setup",
    "query",
    "errors",
    "tag",
    "incremental",
    "multipv",
    "searchmoves",
    "perft",
    "wait",
    "wants-legal",
];

pub(super) fn handshake(session: &mut Session<'_>) -> Verdict {
    session.greet()?;
    session.play("> isready\n< readyok\n")?;
    Ok(session.identity.name.clone())
}

/// A game of the engine against itself.
pub(super) fn whole_game(session: &mut Session<'_>) -> Verdict {
    let fen = session.facts.fill("$start");
    let (mut state, mut moves) = (load(session, &fen)?, Vec::new());
    while state.outcome().is_none() && moves.len() < PLIES {
        let Some(m) = search(session, &fen, &moves, "movetime 20")? else {
            let ply = moves.len();
            return Ok(Some(format!("after {ply} plies it has no move to give, which loses")));
        };
        state.play(&m).map_err(|error| Fail::breach("a legal move", format!("{m}: {error}")))?;
        moves.push(m);
    }
    Ok(None)
}

/// Searches of random positions.
pub(super) fn random_positions(session: &mut Session<'_>) -> Verdict {
    let (mut walk, number) = (Walk::new(session.checkup.seed), session.checkup.positions.min(SEARCHED));
    let fen = session.facts.fill("$start");
    let start = load(session, &fen)?;
    let (mut searched, mut forfeits) = (0, 0);
    for _ in 0..number {
        let moves = walk.opening(&*start);
        if replay(&*start, &moves).outcome().is_none() {
            searched += 1;
            forfeits += u32::from(search(session, &fen, &moves, "nodes 1000 movetime 20")?.is_none());
        }
    }
    let note = || format!("in {forfeits} of {searched} positions it has no move to give, which loses");
    Ok((forfeits > 0).then(note))
}

/// Searches where an engine that missed the last move would hardly play a legal one: of all positions of some random
/// games, those in which that move made the first and the last of the legal moves illegal, and most of the others.
pub(super) fn last_move(session: &mut Session<'_>) -> Verdict {
    let mut walk = Walk::new(session.checkup.seed);
    let fen = session.facts.fill("$start");
    let start = load(session, &fen)?;
    let mut telling: Vec<(usize, Vec<String>)> = Vec::new();
    let mut listed = 0;
    for _ in 0..DRAWN {
        if listed > LISTED {
            break;
        }
        let game = walk.game(&*start);
        let (mut state, mut before) = (start.boxed_clone(), start.legal());
        for (i, m) in game.iter().enumerate() {
            if state.play(m).is_err() || state.outcome().is_some() {
                break;
            }
            let after = state.legal();
            listed += after.len();
            let left: HashSet<&String> = after.iter().collect();
            let gone = |m: &&String| !left.contains(m);
            let ends = before.first().into_iter().chain(before.last()).filter(gone).count();
            let share = 1000 * before.iter().filter(gone).count() / before.len().max(1);
            telling.push((1000 * ends + share, game.iter().take(i + 1).cloned().collect()));
            before = after;
        }
        telling.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        telling.truncate(TELLING);
    }
    for (_, moves) in &telling {
        search(session, &fen, moves, "nodes 1000 movetime 20")?;
    }
    Ok(None)
}

/// Has a position searched; `None`: it answers `0000`.
fn search(
    session: &mut Session<'_>,
    fen: &str,
    moves: &[String],
    limits: &str,
) -> Result<Option<String>, Fail> {
    session.send(format!("{}\ngo {limits}\n", position(fen, moves)).as_bytes())?;
    let line = session.expect("bestmove {word} {rest}")?;
    Ok(words(&line).nth(1).filter(|m| *m != "0000").map(str::to_owned))
}

/// The line that sends a position.
fn position(fen: &str, moves: &[String]) -> String {
    let list = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    format!("position fen {fen}{list}")
}

fn load(session: &Session<'_>, fen: &str) -> Result<Box<dyn State>, Fail> {
    session.rules().load(fen).map_err(|error| std::io::Error::other(error.to_string()).into())
}

/// What it says of itself, beside what our rules say of the game.
pub(super) fn identity(session: &mut Session<'_>) -> Verdict {
    let (identity, rules) = (&session.identity, session.rules());
    if identity.name.is_none() {
        return Err(Fail::breach("id name TEXT", "none"));
    }
    match &identity.protocol {
        Some((name, 1)) if name == "ludus" => {}
        other => {
            let got = other.as_ref().map_or("none".into(), |(name, major)| format!("{name} {major}"));
            return Err(Fail::breach("protocol ludus 1.0", got));
        }
    }
    if let Some(cap) =
        identity.caps.iter().find(|cap| !CAPS.contains(&cap.as_str()) && !cap.starts_with("x-"))
    {
        return Err(Fail::breach(
            "capabilities of the protocol, or that begin with x-",
            format!("cap {cap}"),
        ));
    }
    let keys: Vec<&str> = rules.params().iter().map(|param| param.key).collect();
    let declared = |game: &protocol::GameDecl| -> Vec<String> {
        game.params.iter().map(|param| param.key.as_str().to_owned()).collect()
    };
    match &identity.game {
        Some(game) if game.name.as_str() == rules.name() && declared(game) == keys => Ok(None),
        Some(game) => Err(Fail::breach(
            format!("game {} with the keys {}", rules.name(), keys.join(" ")),
            format!("game {} with {}", game.name, declared(game).join(" ")),
        )),
        None if !identity.has_cap("setup") => Ok(None),
        None => Err(Fail::breach(format!("game {} …", rules.name()), "none")),
    }
}

/// After `uci` no word comes that UCI doesn't have.
pub(super) fn uci_words(session: &mut Session<'_>) -> Verdict {
    session.play(
        "\
> uci
<* id {name|author} {rest}
<* option name {rest}
< uciok
> position fen $start
> go depth 4 movetime 200
< bestmove {word}
",
    )?;
    let foreign =
        |line: &&String| !line.starts_with("info string") && words(line).any(|word| word == "endply");
    match session.infos.iter().find(foreign) {
        Some(line) => Err(Fail::breach("no endply after uci", line)),
        None => Ok(None),
    }
}

/// Each option takes its default, and refuses what lies beyond its range.
pub(super) fn option_ranges(session: &mut Session<'_>) -> Verdict {
    let mut script = String::new();
    for option in &session.identity.options {
        let name = &option.name;
        let given =
            |name: &str| session.checkup.engine.options.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
        let bad: Vec<String> = match option.kind {
            OptionType::Spin => {
                let below = option.min.and_then(|min| min.checked_sub(1));
                let above = option.max.and_then(|max| max.checked_add(1));
                let numbers = below.into_iter().chain(above).map(|n| n.to_string());
                numbers.chain(["many".to_owned()]).collect()
            }
            OptionType::Check => vec!["maybe".into()],
            OptionType::Combo => vec!["joho".into()],
            OptionType::Button | OptionType::String => Vec::new(),
        };
        for value in bad {
            let _ =
                writeln!(script, "> setoption name {name} value {value}\n< error bad-value {name} {{rest}}");
        }
        if let Some(default) = option.default.as_ref().filter(|_| !given(name)) {
            let default = if default.is_empty() { "<empty>" } else { default };
            let _ = writeln!(script, "> setoption name {name} value {default}");
            let _ = writeln!(script, "> setoption name {} value {default}", name.to_uppercase());
        }
        script.push_str("> isready\n< readyok\n");
    }
    session.play(&script)?;
    session.settle()?;
    // Whatever the defaults of its options have done to it is no matter of the next steps.
    session.part();
    Ok(None)
}

/// Set-ups at the ends of each key's range: taken or refused as our rules do.
pub(super) fn set_ups(session: &mut Session<'_>) -> Verdict {
    let rules = session.rules();
    let mut script = String::new();
    for param in rules.params() {
        let next = param.default.map(|value| (value + 1).min(param.max));
        for value in [Some(param.min), next, Some(param.max)].into_iter().flatten() {
            let text = value.to_string();
            let _ = writeln!(script, "> setup $game {} {text}", param.key);
            match rules.setup(&[(param.key, &text)]) {
                Ok(setup) => {
                    let canonical = setup.text(rules.params());
                    let start = rules.start(&setup);
                    let (fen, count) = (start.fen(), start.count_moves());
                    let _ = writeln!(script, "< setupok $game {canonical}");
                    if session.identity.has_cap("query") {
                        let _ = writeln!(script, "> query fen\n< response fen {fen}");
                        let _ = writeln!(script, "> query legal\n< response legal {count} {{rest}}");
                    }
                    if start.outcome().is_none() {
                        let _ = writeln!(script, "> go nodes 100 movetime 20\n< bestmove {{word}}");
                    }
                }
                Err(_) => {
                    let _ = writeln!(script, "< error bad-param {{rest}}");
                }
            }
        }
        for value in [param.min.checked_sub(1), param.max.checked_add(1)].into_iter().flatten() {
            let key = param.key;
            let _ = writeln!(script, "> setup $game {key} {value}\n< error bad-param {key} {value} {{rest}}");
        }
    }
    session.play(&script)?;
    Ok(None)
}

/// The legal moves of random positions.
pub(super) fn legal_moves(session: &mut Session<'_>) -> Verdict {
    each_random_position(session, |state| {
        let list = counted(&state.legal());
        let result = state.outcome().map_or("none", |outcome| outcome.token());
        format!("> query legal\n< response legal {list}\n> query result\n< response {result}\n")
    })
}

/// Move sequences of random positions.
pub(super) fn move_counts(session: &mut Session<'_>) -> Verdict {
    each_random_position(session, |state| {
        let moves = state.count_moves();
        let depth = if moves * moves <= MOST_COUNTED { 2 } else { 1 };
        format!("> query perft {depth}\n< response perft {}\n", state.perft(depth))
    })
}

fn each_random_position(session: &mut Session<'_>, ask: impl Fn(&dyn State) -> String) -> Verdict {
    let mut walk = Walk::new(session.checkup.seed);
    let fen = session.facts.fill("$start");
    let start = load(session, &fen)?;
    for _ in 0..session.checkup.positions {
        let moves = walk.opening(&*start);
        let asked = ask(&*replay(&*start, &moves));
        session.play(&format!("> {}\n{asked}", position(&fen, &moves)))?;
    }
    Ok(None)
}

/// As many lines as are asked for.
pub(super) fn multipv(session: &mut Session<'_>) -> Verdict {
    let Some(option) = session.identity.option("MultiPV") else {
        return Err(Fail::breach("an option MultiPV, as cap multipv promises", "none"));
    };
    let default = option.default.clone().unwrap_or_else(|| "1".into());
    session
        .play("> setoption name MultiPV value 3\n> position fen $start\n> go depth 2\n< bestmove {word}\n")?;
    let ranks = session.infos.iter().filter_map(|line| match Reply::parse(line.as_bytes()) {
        Reply::Info(info) => info.multipv,
        _ => None,
    });
    let most = ranks.max().unwrap_or(0);
    let start = load(session, &session.facts.fill("$start"))?;
    let expected = i64::try_from(start.count_moves().min(3)).unwrap_or(3);
    session.play(&format!("> setoption name MultiPV value {default}\n"))?;
    if most == expected {
        return Ok(None);
    }
    Err(Fail::breach(format!("info lines up to multipv {expected}"), format!("up to multipv {most}")))
}

/// The last `info` line of a search says what the search came to.
pub(super) fn last_info(session: &mut Session<'_>) -> Verdict {
    session.play("> position fen $start\n> go depth 2 movetime 500\n< bestmove {word}\n")?;
    let last = session.infos.iter().rev().find(|line| !line.starts_with("info string"));
    let Some(last) = last else { return Err(Fail::breach("an info line before the bestmove", "none")) };
    let missing =
        ["depth", "nodes", "time", "nps", "pv"].into_iter().find(|key| !words(last).any(|w| w == *key));
    match missing {
        Some(key) => Err(Fail::breach(format!("{key} in the last info line of a search"), last)),
        None => Ok(None),
    }
}

/// Analysis lines come at most 20 a second after the first 100 ms, by the engine's own clock.
pub(super) fn info_rate(session: &mut Session<'_>) -> Verdict {
    session.play("> position fen $start\n> go movetime 600\n< bestmove {word}\n")?;
    let times = session.infos.iter().filter_map(|line| match Reply::parse(line.as_bytes()) {
        Reply::Info(info) => info.time.filter(|time| *time > 100),
        _ => None,
    });
    let times: Vec<i64> = times.collect();
    // One more at each end: the first of this time, and the last of the search.
    let allowed = (times.last().unwrap_or(&100) - 100) / 50 + 2;
    let lines = times.len();
    if i64::try_from(lines).is_ok_and(|lines| lines <= allowed) {
        return Ok(None);
    }
    Err(Fail::breach(format!("at most {allowed} info lines after the first 100 ms"), lines.to_string()))
}

/// The same limits of nodes give the same game: in another process, and after a new game.
pub(super) fn same_game_again(session: &mut Session<'_>) -> Verdict {
    let first = game(session)?;
    session.play("> uginewgame\n> isready\n< readyok\n")?;
    let again = game(session)?;
    session.part();
    session.ready()?;
    let fresh = game(session)?;
    for (other, where_) in [(&again, "after uginewgame"), (&fresh, "in a new process")] {
        if *other != first {
            let expected =
                format!("the same game {where_} at {REPEATED_NODES} nodes per move: {}", first.join(" "));
            return Err(Fail::breach(expected, other.join(" ")));
        }
    }
    Ok(None)
}

/// A short game against itself at a limit of nodes.
fn game(session: &mut Session<'_>) -> Result<Vec<String>, Fail> {
    let fen = session.facts.fill("$start");
    let (mut state, mut moves) = (load(session, &fen)?, Vec::new());
    while state.outcome().is_none() && moves.len() < REPEATED_PLIES {
        let Some(m) = search(session, &fen, &moves, &format!("nodes {REPEATED_NODES}"))? else { break };
        state.play(&m).map_err(|error| Fail::breach("a legal move", format!("{m}: {error}")))?;
        moves.push(m);
    }
    Ok(moves)
}

/// Searches that are stopped after 0, 1, 2 … ms, with the next position and search in the same write.
pub(super) fn stop_races(session: &mut Session<'_>) -> Verdict {
    for pause in 0..RACES {
        session.play("> position fen $start\n> go infinite\n")?;
        std::thread::sleep(Duration::from_millis(pause));
        session.play(
            "> stop\n> position fen $start moves $opening\n> go movetime 1\n< bestmove {word}\n< bestmove {word}\n",
        )?;
    }
    for pause in 0..RACES {
        session.play(&format!("> position fen $start\n> go movetime {pause}\n"))?;
        std::thread::sleep(Duration::from_millis(pause));
        session.play("> stop\n< bestmove {word}\n> isready\n< readyok\n")?;
    }
    Ok(None)
}

/// New games without end don't take memory without end.
pub(super) fn memory(session: &mut Session<'_>) -> Verdict {
    let games = session.checkup.games;
    let mut half = 0;
    for number in 0..games {
        if number == games / 2 {
            half = session.memory()?;
        }
        let from = if number % 2 == 0 { "" } else { " moves $opening" };
        session.play(&format!(
            "> uginewgame\n> isready\n< readyok\n> position fen $start{from}\n> go movetime 1\n\
             < bestmove {{word}} {{rest}}\n"
        ))?;
    }
    let grown = session.memory()?.saturating_sub(half);
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let text = format!("{:.1} MiB more after {} new games", mib(grown), games - games / 2);
    if grown <= GROWTH {
        return Ok(Some(text));
    }
    Err(Fail::breach(format!("at most {:.0} MiB more", mib(GROWTH)), text))
}

/// No illegal move stood in the lines that the engine expected, in all searches so far.
pub(super) fn pv_moves(session: &mut Session<'_>) -> Verdict {
    aside(session, Kind::Pv)
}

/// Every line so far was one of the protocol.
pub(super) fn clean_output(session: &mut Session<'_>) -> Verdict {
    aside(session, Kind::Line)
}

fn aside(session: &Session<'_>, kind: Kind) -> Verdict {
    match session.asides.iter().find(|aside| aside.kind == kind) {
        Some(aside) => Err(Fail::breach(&aside.expected, &aside.got)),
        None => Ok(None),
    }
}
