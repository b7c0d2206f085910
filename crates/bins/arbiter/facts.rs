//! What is built in: games, engines, and move counts.

use std::fmt::Write;

use anyhow::{Context, Result};
use arbiter::openings::Source;
use clap::Args;
use engine::integer;
use game::{AgentSpec, OptionKind, OptionSpec, Param, Rules};
use serde_json::{Value, json};

use crate::settings::{find_game, read_setup};
use crate::{Failure, emit, emit_next};

#[derive(Args, Clone, Debug)]
pub(crate) struct PerftArgs {
    /// The game; see `arbiter games`
    game: String,
    /// Set-up of the game: "rows 8 cols 8" or rows=8,cols=8
    #[arg(long, value_name = "KEYS")]
    setup: Option<String>,
    /// Position to count from, instead of the start
    #[arg(long, value_name = "FEN", conflicts_with = "setup")]
    fen: Option<String>,
    /// Number of plies
    #[arg(long, value_name = "N", value_parser = integer(0..=u32::MAX))]
    depth: u32,
    /// Split the count by the first move
    #[arg(long)]
    divide: bool,
    /// Print JSON; per ply also the games that end there
    #[arg(long)]
    json: bool,
}

pub(crate) fn perft(args: &PerftArgs) -> Result<(), Failure> {
    let rules = find_game(&args.game)?;
    let state = match &args.fen {
        Some(fen) => rules.load(fen).with_context(|| format!("--fen {fen:?}"))?,
        None => rules.start(&read_setup(rules, args.setup.as_deref().unwrap_or_default())?),
    };
    if args.divide {
        let rows = state.divide(args.depth);
        let total: u64 = rows.iter().map(|(_, nodes)| nodes).sum();
        if args.json {
            let rows: Vec<Value> = rows.iter().map(|(m, nodes)| json!({"move": m, "nodes": nodes})).collect();
            return emit(&format!("{}\n", Value::from(rows)));
        }
        for (m, nodes) in &rows {
            if emit_next(&format!("{m} {nodes}\n"))?.is_break() {
                return Ok(());
            }
        }
        return emit(&format!("nodes {total}\n"));
    }
    if args.json {
        let rows: Vec<Value> = state.perft_table(args.depth).iter().map(perft_json).collect();
        return emit(&format!("{}\n", Value::from(rows)));
    }
    let mut nodes = 1;
    for depth in 1..=args.depth {
        nodes = state.perft(depth);
        if emit_next(&format!("{depth} {nodes}\n"))?.is_break() {
            return Ok(());
        }
    }
    emit(&format!("nodes {nodes}\n"))
}

fn perft_json(row: &game::perft::Perft) -> Value {
    let ends = row
        .ends
        .iter()
        .map(|(outcome, count)| json!({"result": outcome.token(), "reason": outcome.reason, "count": count}));
    json!({"depth": row.depth, "nodes": row.nodes, "ends": ends.collect::<Vec<_>>()})
}

pub(crate) fn games(json: bool) -> Result<(), Failure> {
    if json {
        let list: Vec<Value> = registry::GAMES.iter().map(|rules| game_json(*rules)).collect();
        return emit(&format!("{}\n", Value::from(list)));
    }
    let mut text = String::new();
    for rules in registry::GAMES {
        let _ = writeln!(text, "{} ({})", rules.name(), rules.title());
        let _ = writeln!(text, "  a move is {}", rules.words().moves);
        let _ = writeln!(text, "  openings are {} unless said otherwise", Source::default_of(*rules));
        let range = |param: &Param| format!("{}..{}", param.min, param.max);
        let ranges = rules.params().iter().map(range);
        let width = ranges.map(|range| range.len()).fold("values".len(), usize::max);
        let _ = writeln!(text, "  {:10} {:>width$} {:>9}", "key", "values", "default");
        for param in rules.params() {
            let default = param.default.map_or_else(|| "auto".into(), |n| n.to_string());
            let _ =
                writeln!(text, "  {:10} {:>width$} {default:>9}  {}", param.key, range(param), param.about);
        }
    }
    emit(&text)
}

fn game_json(rules: &dyn Rules) -> Value {
    let params = rules.params().iter().map(|param| {
        json!({
            "key": param.key,
            "default": param.default.map_or_else(|| json!("auto"), |n| json!(n)),
            "min": param.min,
            "max": param.max,
            "about": param.about,
        })
    });
    json!({
        "name": rules.name(),
        "title": rules.title(),
        "moves": rules.words().moves,
        "openings": Source::default_of(rules).to_string(),
        "setup": params.collect::<Vec<_>>(),
    })
}

pub(crate) fn engines(json: bool) -> Result<(), Failure> {
    const MAIN: AgentSpec = AgentSpec {
        name: "builtin",
        about: "the strongest: principal variation search",
        options: search::OPTIONS,
        default_opponent: true,
    };
    let agents = |rules: &'static dyn Rules| [&MAIN].into_iter().chain(rules.agents());
    if json {
        let list =
            registry::GAMES.iter().flat_map(|rules| agents(*rules).map(|agent| agent_json(*rules, agent)));
        return emit(&format!("{}\n", Value::from(list.collect::<Vec<_>>())));
    }
    let mut text = String::new();
    for rules in registry::GAMES {
        for agent in agents(*rules) {
            let _ = writeln!(text, "{:24} {}", format!("{}:{}", rules.name(), agent.name), agent.about);
            for option in agent.options {
                let _ = writeln!(text, "    {}", option_text(option));
            }
        }
    }
    emit(&text)
}

fn option_text(option: &OptionSpec) -> String {
    let name = option.name;
    match option.kind {
        OptionKind::Check { default } => format!("{name:12} true or false [{default}]"),
        OptionKind::Spin { default, min, max } => format!("{name:12} {min}..{max} [{default}]"),
        OptionKind::Combo { default, vars } => format!("{name:12} {} [{default}]", vars.join(", ")),
    }
}

fn agent_json(rules: &dyn Rules, agent: &AgentSpec) -> Value {
    let option = |option: &OptionSpec| match option.kind {
        OptionKind::Check { default } => json!({"name": option.name, "type": "check", "default": default}),
        OptionKind::Spin { default, min, max } => {
            json!({"name": option.name, "type": "spin", "default": default, "min": min, "max": max})
        }
        OptionKind::Combo { default, vars } => {
            json!({"name": option.name, "type": "combo", "default": default, "vars": vars})
        }
    };
    json!({
        "game": rules.name(),
        "name": agent.name,
        "about": agent.about,
        "options": agent.options.iter().map(option).collect::<Vec<_>>(),
        "default_opponent": agent.default_opponent,
    })
}
