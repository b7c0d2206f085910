//! Looking at journals: `standings` and `show`.

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use arbiter::journal::{self, JournalError, Reader};
use arbiter::record::{GameRecord, Record};
use arbiter::report::{self, Style};
use arbiter::standings::Standings;
use clap::Args;
use engine::{integer, remark};

use crate::canvas::Canvas;
use crate::output::identity;
use crate::{Failure, emit, emit_next};

#[derive(Args, Clone, Debug)]
pub(crate) struct StandingsArgs {
    /// Journals of one game; engines of the same name are the same
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    #[command(flatten)]
    format: Format,
}

/// How the tables are printed; as text for people by default.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(crate) struct Format {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print Markdown, to paste into a page
    #[arg(long)]
    markdown: bool,
    /// Print the table as comma-separated values
    #[arg(long)]
    csv: bool,
}

pub(crate) fn standings(args: &StandingsArgs) -> Result<(), Failure> {
    let mut standings: Option<(String, Standings)> = None;
    let mut seen = Vec::new();
    for path in &args.journals {
        let mut reader = Reader::open(path)?;
        let file = identity(&fs::metadata(path).with_context(|| path.display().to_string())?);
        if seen.contains(&file) {
            Err(anyhow!("journal {} is given twice", path.display()))?;
        }
        seen.push(file);
        let plan = reader.plan().clone();
        let (_, table) = match &mut standings {
            None => standings.insert((plan.game.clone(), Standings::new(&plan))),
            Some(first) => {
                if plan.game != first.0 {
                    let (path, game) = (path.display(), &plan.game);
                    Err(anyhow!("journal {path} is of {game}, the first one of {}", first.0))?;
                }
                first.1.merge_plan(&plan);
                first
            }
        };
        each_record(path, &mut reader, |record| {
            table.add(&record).map_err(|message| anyhow!("journal {}: {message}", path.display()))
        })?;
    }
    let (_, table) = standings.context("no journal")?;
    args.format.print(&table)
}

impl Format {
    /// Prints the tables.
    pub(crate) fn print(self, standings: &Standings) -> Result<(), Failure> {
        emit(&match self {
            Format { json: true, .. } => format!("{}\n", report::json(standings)),
            Format { markdown: true, .. } => report::full(standings, Style::Markdown),
            Format { csv: true, .. } => report::csv(standings),
            _ => report::full(standings, Style::Text),
        })
    }
}

/// Reads to the end and says so if that end is torn.
pub(crate) fn each_record<E: From<JournalError>>(
    path: &Path,
    reader: &mut Reader,
    mut f: impl FnMut(Record) -> Result<(), E>,
) -> Result<(), E> {
    while let Some(record) = reader.next_record()? {
        f(record)?;
    }
    if reader.torn() {
        note_torn(path);
    }
    Ok(())
}

/// The same of the games, in the order of the schedule.
pub(crate) fn each_game<E: From<JournalError>>(
    path: &Path,
    reader: &mut Reader,
    f: impl FnMut(GameRecord) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    reader.each_game(f)?;
    if reader.torn() {
        note_torn(path);
    }
    Ok(())
}

/// Says that a journal ended in the middle of a line.
pub(crate) fn note_torn(path: &Path) {
    remark(&format!("note: journal {}: the last line is torn and was dropped", path.display()));
}

#[derive(Args, Clone, Debug)]
pub(crate) struct ShowArgs {
    /// The journal
    journal: PathBuf,
    /// Index of a game; without it all games are listed
    #[arg(long, value_name = "N", value_parser = integer(0..=u64::MAX))]
    game: Option<u64>,
    /// Draw the board after each move
    #[arg(long, requires = "game")]
    board: bool,
    /// Draw it in ASCII
    #[arg(long, requires = "board")]
    ascii: bool,
    /// Print the records as JSON
    #[arg(long, conflicts_with = "board")]
    json: bool,
}

pub(crate) fn show(args: &ShowArgs) -> Result<(), Failure> {
    let mut reader = Reader::open(&args.journal)?;
    let Some(index) = args.game else {
        return each_game(&args.journal, &mut reader, |game| {
            emit_next(&if args.json {
                journal::to_line(&Record::Game(game))
            } else {
                format!("{:6}  {}\n", game.index, headline(&game))
            })
        });
    };
    let game_name = reader.plan().game.clone();
    let mut wanted = None;
    each_record(&args.journal, &mut reader, |record| -> Result<(), Failure> {
        // An unfinished game may have been played again later.
        if let Record::Game(game) = record
            && game.index == index
        {
            wanted = Some(game);
        }
        Ok(())
    })?;
    let game = wanted.with_context(|| format!("{} holds no game {index}", args.journal.display()))?;
    if args.json {
        return emit(&journal::to_line(&Record::Game(game)));
    }
    let canvas = args.board.then(|| Canvas::new(args.ascii));
    emit(&replay(&game_name, &game, canvas)?)
}

fn headline(game: &GameRecord) -> String {
    let guilty = game.guilty.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
    let solved = game.solved.as_ref().map(|solved| format!(" (solved: {solved})")).unwrap_or_default();
    let GameRecord { p1, p2, result, reason, plies, .. } = game;
    // What is broken off has no other reason.
    let by = if result == reason { String::new() } else { format!(" by {reason}") };
    format!("{p1} - {p2}  {result}{by}{guilty}{solved}, {plies} plies")
}

/// The game move by move, played again by the rules.
fn replay(game_name: &str, game: &GameRecord, canvas: Option<Canvas>) -> Result<String> {
    let rules = registry::find(game_name).with_context(|| format!("no game {game_name:?}"))?;
    let mut state = rules.load(&game.fen).with_context(|| format!("the start of game {}", game.index))?;
    let mut text = format!("game {}: {}\n{}\n", game.index, headline(game), game.fen);
    let draw = |text: &mut String, state: &dyn game::State| {
        if let Some(canvas) = canvas {
            let _ = writeln!(text, "\n{}", canvas.draw(state));
        }
    };
    draw(&mut text, &*state);
    let width = game.p1.len().max(game.p2.len());
    for (i, m) in game.moves.iter().enumerate() {
        let mover = [&game.p1, &game.p2][state.side_to_move().index()];
        if let Err(error) = state.play(m) {
            bail!("game {}, ply {} ({m}): {error}", game.index, i + 1);
        }
        let time = game.times_ms.get(i).map(|ms| format!("  {ms:8.1} ms")).unwrap_or_default();
        let eval = game.evals.get(i).copied().flatten().map(|eval| format!("  {eval}")).unwrap_or_default();
        let _ = writeln!(text, "{:4}  {m:5} {mover:width$}{time}{eval}", i + 1);
        draw(&mut text, &*state);
    }
    let replayed = state.outcome().map(game::Outcome::token);
    if let Some(result) = replayed {
        ensure!(
            result == game.result,
            "game {} is recorded as {}, its moves give {result}",
            game.index,
            game.result
        );
    }
    let _ = writeln!(text, "{}", state.fen());
    Ok(text)
}
