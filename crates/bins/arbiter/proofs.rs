//! `solve` and `verify-proof`: what a position is worth, and whether that is so.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use arbiter::interrupts::{Interrupts, interrupts};
use arbiter::proof::{self, HEAD};
use clap::{Args, ValueEnum};
use engine::{integer, memory, remark};
use game::{Family, Playable, Visitor};
use registry::FamilyVisitor;
use serde_json::{Value, json};
use solve::{Constants, Gap, Goal, Limits, Progress, Proof, Solution};

use crate::output::create_new;
use crate::settings::{find_game, read_setup};
use crate::{Failure, code, emit};

/// Between two lines about a search in progress.
const NEWS_EVERY: Duration = Duration::from_secs(1);

#[derive(Args, Clone, Debug)]
pub(crate) struct SolveArgs {
    /// The game; see `arbiter games`
    game: String,
    /// Set-up of the game: "rows 8 cols 8" or rows=8,cols=8
    #[arg(long, value_name = "KEYS")]
    setup: Option<String>,
    /// Position to solve, instead of the start
    #[arg(long, value_name = "FEN", conflicts_with = "setup")]
    fen: Option<String>,
    /// Only find out whether the side to move wins, or at least draws
    #[arg(long, value_enum)]
    goal: Option<GoalArg>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Give up after so many nodes
    #[arg(long, value_name = "N", value_parser = integer(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Memory for the table and the proof
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = integer(1..=1_u32 << 24))]
    memory: u32,
    /// Write the proof to a new file, for `arbiter verify-proof`
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum GoalArg {
    Win,
    Draw,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct VerifyArgs {
    /// The proof
    file: PathBuf,
    /// Memory for the positions that are proved
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = integer(1..=1_u32 << 24))]
    memory: u32,
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse::<f64>().ok().and_then(|n| Duration::try_from_secs_f64(n).ok());
    seconds.filter(|time| !time.is_zero()).ok_or("expected a number of seconds above 0")
}

fn check_memory(mib: u32) -> Result<()> {
    memory::shortage(mib.into()).map_or(Ok(()), |message| bail!("--memory {mib}: {message}"))
}

pub(crate) fn solve(args: &SolveArgs) -> Result<ExitCode, Failure> {
    let rules = find_game(&args.game)?;
    let (fen, setup) = if let Some(fen) = &args.fen {
        (fen.clone(), None)
    } else {
        let setup = read_setup(rules, args.setup.as_deref().unwrap_or_default())?;
        (rules.start(&setup).fen(), Some(setup.text(rules.params())))
    };
    check_memory(args.memory)?;
    let output = args.proof.as_deref().map(Output::new).transpose()?;
    let unfinished = args.proof.clone();
    let overdue = move || {
        // What is not complete by now must not look like a proof.
        unfinished.map(fs::remove_file);
        std::process::exit(i32::from(code::INTERRUPTED));
    };
    let interrupts = interrupts(overdue).context("signals can't be caught")?;
    let whole = Whole { args, fen: &fen, setup, output, interrupts };
    registry::visit(&args.game, whole).context("the game was found")?
}

/// A new file that is removed again unless it is written.
struct Output<'a> {
    path: &'a Path,
    file: Option<File>,
}

impl Output<'_> {
    fn new(path: &Path) -> Result<Output<'_>> {
        Ok(Output { path, file: Some(create_new(path, "--proof")?) })
    }

    fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.write_all(bytes).map_err(|error| {
            Failure::new(code::INTERNAL, anyhow!("--proof {}: {error}", self.path.display()))
        })
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(self.path);
        }
    }
}

/// What is to be solved.
struct Whole<'a> {
    args: &'a SolveArgs,
    fen: &'a str,
    /// The set-up whose start it is.
    setup: Option<String>,
    output: Option<Output<'a>>,
    interrupts: Interrupts,
}

impl FamilyVisitor for Whole<'_> {
    type Output = Result<ExitCode, Failure>;

    fn visit<F: Family>(self) -> Self::Output {
        let fen = self.fen;
        F::load(fen, self).with_context(|| format!("--fen {fen:?}"))?
    }
}

impl Visitor for Whole<'_> {
    type Output = Result<ExitCode, Failure>;

    fn visit<G: Playable>(self, position: G) -> Self::Output {
        let args = self.args;
        let goal = args.goal.map(|goal| match goal {
            GoalArg::Win => Goal::Win,
            GoalArg::Draw => Goal::Draw,
        });
        let limits = Limits { nodes: args.nodes.unwrap_or(u64::MAX), memory: (args.memory as usize) << 20 };
        let mut news = News::new(args.time);
        let mut interrupted = false;
        let mut watch = |progress: &Progress| {
            interrupted |= self.interrupts.try_recv().map_or_else(|error| error.is_disconnected(), |()| true);
            if interrupted { ControlFlow::Break(()) } else { news.tell(progress) }
        };
        let solution = solve::solve(&position, goal, limits, &Constants::default(), &mut watch)?;
        if solution.proofs.contains(&Err(Gap::Wrong)) {
            return Err(Failure::new(code::INTERNAL, Gap::Wrong));
        }
        let text = if args.json {
            json_of(&args.game, self.fen, &position, &solution)
        } else {
            text_of(&position, &solution)
        };
        let gap = solution.proofs.iter().find_map(|proof| proof.as_ref().err());
        let is_decided = !solution.proofs.is_empty() && (goal.is_some() || solution.value.is_some());
        if let (Some(output), true, None) = (self.output, is_decided, gap) {
            output.write(&file_of(&args.game, self.setup.as_deref(), self.fen, &solution.proofs))?;
        } else if let (Some(_), Some(gap)) = (&args.proof, gap) {
            remark(&format!("note: no proof is written: {gap}"));
        }
        emit(&text)?;
        let unproved = !is_decided || args.proof.is_some() && gap.is_some();
        Ok(ExitCode::from(match unproved {
            false => 0,
            true if interrupted => code::INTERRUPTED,
            true => code::UNPROVED,
        }))
    }
}

/// Says on standard error how far a search is.
struct News {
    start: Instant,
    time: Option<Duration>,
    next: Duration,
}

impl News {
    fn new(time: Option<Duration>) -> News {
        News { start: Instant::now(), time, next: NEWS_EVERY }
    }

    fn tell(&mut self, progress: &Progress) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        if elapsed >= self.next {
            self.next = elapsed + NEWS_EVERY;
            let Progress { claim, nodes, to_prove, to_refute, table } = progress;
            let (side, goal) = (claim.side.token(), claim.goal.token());
            let nps = *nodes as f64 / elapsed.as_secs_f64();
            let table = 100.0 * table;
            remark(&format!(
                "claim {side} {goal} nodes {nodes} nps {nps:.0} proof {to_prove} disproof {to_refute} table {table:.0} %"
            ));
        }
        if self.time.is_some_and(|time| elapsed >= time) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The texts of a line's moves.
fn moves_of<G: Playable>(root: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = root.clone();
    let text = |&m: &G::Move| {
        let text = position.move_text(m);
        position.play_unchecked(m);
        text
    };
    line.iter().map(text).collect()
}

fn text_of<G: Playable>(position: &G, solution: &Solution<G::Move>) -> String {
    let mut text = String::new();
    for (goal, is_met) in &solution.goals {
        let _ = writeln!(text, "goal {} {}", goal.token(), if *is_met { "reached" } else { "not reached" });
    }
    for proof in solution.proofs.iter().flatten() {
        let (side, goal) = (proof.claim.side.token(), proof.claim.goal.token());
        let _ = writeln!(text, "proof {side} {goal} positions {} plies {}", proof.positions(), proof.plies);
    }
    if !solution.line.is_empty() {
        let _ = writeln!(text, "line {}", moves_of(position, &solution.line).join(" "));
    }
    let _ = writeln!(text, "nodes {}", solution.nodes);
    let distance = solution.distance.map_or_else(String::new, |plies| format!(" distance {plies}"));
    let _ = writeln!(text, "value {}{distance}", value_of(solution));
    text
}

fn value_of<M>(solution: &Solution<M>) -> &'static str {
    solution.value.map_or("unknown", solve::Value::token)
}

fn json_of<G: Playable>(game: &str, fen: &str, position: &G, solution: &Solution<G::Move>) -> String {
    let goals = solution.goals.iter().map(|(goal, is_met)| json!({"goal": goal.token(), "reached": is_met}));
    let proofs = solution.proofs.iter().flatten().map(|proof| {
        json!({
            "side": proof.claim.side.token(),
            "goal": proof.claim.goal.token(),
            "positions": proof.positions(),
            "plies": proof.plies,
        })
    });
    let solution = json!({
        "game": game,
        "fen": fen,
        "value": value_of(solution),
        "distance": solution.distance,
        "goals": goals.collect::<Vec<Value>>(),
        "proofs": proofs.collect::<Vec<Value>>(),
        "line": moves_of(position, &solution.line),
        "nodes": solution.nodes,
    });
    format!("{solution}\n")
}

/// The proofs in the form that [`arbiter::proof`] describes.
fn file_of<M: Copy + Eq>(
    game: &str,
    setup: Option<&str>,
    fen: &str,
    proofs: &[Result<Proof<M>, Gap>],
) -> Vec<u8> {
    let setup = setup.map_or_else(String::new, |setup| format!("setup {setup}\n"));
    let mut file = format!("{HEAD}\ngame {game}\n{setup}fen {fen}\n").into_bytes();
    for proof in proofs.iter().flatten() {
        let (side, goal) = (proof.claim.side.token(), proof.claim.goal.token());
        file.extend(format!("claim {side} {goal}\n").bytes());
        file.extend(proof.choices());
    }
    file
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    check_memory(args.memory)?;
    let name = || args.file.display().to_string();
    let file = File::open(&args.file).with_context(name)?;
    let verified = proof::verify(BufReader::new(file), args.memory as usize);
    let verified = verified.map_err(|error| Failure::new(code::UNPROVED, anyhow!(error).context(name())))?;
    let mut text = format!("game {}\nfen {}\n", verified.game, verified.fen);
    for (claim, positions) in &verified.claims {
        let _ = writeln!(text, "proved {} positions {positions}", claim.text());
    }
    emit(&format!("{text}value {}\n", verified.value()))
}
