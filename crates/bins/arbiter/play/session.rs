//! The game being played, and what its people can say.

use std::cell::OnceCell;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use arbiter::arena::{Arena, Job, StartError};
use arbiter::journal::{Journal, Reader};
use arbiter::process::Hub;
use arbiter::record::{FaultRecord, GameRecord, PlanRecord, Record};
use arbiter::sheet::{End, Sheet, UNFINISHED};
use arbiter::table::{Halt, Table};
use game::{MoveError, Side};

use super::input::{Input, Said};
use crate::canvas::Canvas;
use crate::{Failure, code, emit};

/// The adviser's index in the arena, after the two players.
const ADVISER: usize = 2;

/// The reason token of a game that was given up.
const RESIGN: &str = "resign";

/// What the reasons mean that no game's rules know.
const REASONS: [(&str, &str); 12] = [
    (RESIGN, "the opponent resigned"),
    ("max-plies", "the game has reached its greatest length"),
    ("time", "the opponent's move came too late"),
    ("stall", "the opponent did not answer"),
    ("crash", "the opponent's program crashed"),
    ("exit", "the opponent's program ended"),
    ("illegal", "the opponent's move was illegal"),
    ("malformed", "the opponent's answer was no move"),
    ("no-move", "the opponent had no move to give"),
    ("flood", "the opponent's program printed without end"),
    ("rejects-legal-move", "the opponent's program refused a legal move"),
    ("disconnect", "the opponent's program closed the connection"),
];

const HELP: &str = "\
board      draw the board again
moves      list the legal moves
hint       ask an engine what it would play
undo       take back your last move, and what came after it
save FILE  write the game to a new file, for `load` and for `arbiter show`
load FILE  go on with a saved game
resign     give up
quit       leave
";

/// Engines that are seated together, when the first of them is asked for a move.
struct Lineup<'a> {
    table: Table<'a>,
    engines: Vec<usize>,
    seed: u64,
    seated: bool,
}

impl<'a> Lineup<'a> {
    fn new(hub: &'a Hub, arena: &'a Arena, engines: Vec<usize>, seed: u64) -> Lineup<'a> {
        Lineup { table: Table::new(hub, arena), engines, seed, seated: false }
    }

    fn seat(&mut self, game: u64) -> Result<(), Halt> {
        if !self.seated {
            self.table.seat(&self.engines, game, self.seed)?;
            self.seated = true;
        }
        Ok(())
    }

    /// Has an engine play a move. After a fault it is made ready afresh.
    fn ply(&mut self, engine: usize, sheet: &mut Sheet) -> Result<(), Halt> {
        self.seat(sheet.job().index)?;
        self.table.ply(engine, sheet).inspect_err(|_| self.seated = false)
    }
}

/// Whether to go on.
enum Next {
    Go,
    Leave,
    Interrupted,
}

/// A game and who plays it.
pub(super) struct Session<'a> {
    arena: &'a Arena,
    plan: PlanRecord,
    canvas: Canvas,
    /// Which sides people play.
    people: [bool; 2],
    players: Lineup<'a>,
    adviser: Lineup<'a>,
    sheet: Sheet<'a>,
    end: Option<End>,
    /// The fault that made the end.
    fault: Option<FaultRecord>,
    /// When the side to move was shown the board.
    since: Instant,
    /// What first kept people from being told anything.
    unsaid: OnceCell<Failure>,
}

impl<'a> Session<'a> {
    /// A game at its start.
    pub(super) fn new(
        hub: &'a Hub,
        arena: &'a Arena,
        job: &Job,
        people: [bool; 2],
        plan: PlanRecord,
        canvas: Canvas,
    ) -> Result<Session<'a>, StartError> {
        let engines = job.players.into_iter().zip(people).filter(|(_, human)| !human);
        Ok(Session {
            arena,
            plan,
            canvas,
            people,
            players: Lineup::new(hub, arena, engines.map(|(engine, _)| engine).collect(), job.seed),
            adviser: Lineup::new(hub, arena, vec![ADVISER], job.seed),
            sheet: Sheet::new(arena, job)?,
            end: None,
            fault: None,
            since: Instant::now(),
            unsaid: OnceCell::new(),
        })
    }

    /// Plays until somebody leaves or can't be told anything, or until the game is over if nobody is there.
    pub(super) fn run(mut self, input: &Input) -> Result<ExitCode, Failure> {
        let [p1, p2] = Side::BOTH.map(|side| self.title(side));
        self.say(&format!("{}: {p1} - {p2}, seed {}\n", self.arena.rules.title(), self.sheet.job().seed));
        let nobody = !self.people.contains(&true);
        if !nobody {
            self.say("`help` lists what you can say.\n");
        }
        let seated = self.players.seat(self.sheet.job().index);
        let mut next = seated.map_or_else(|halt| self.halted(halt), |()| Ok(Next::Go))?;
        self.show_turn();
        while let Next::Go = next
            && self.unsaid.get().is_none()
        {
            if self.end.is_none()
                && let Some(end) = self.sheet.end()
            {
                self.finish(end);
            }
            let side = self.sheet.state().side_to_move();
            next = if self.end.is_none() && !self.people[side.index()] {
                self.let_engine_move(side)?
            } else if nobody {
                return self.leave(0);
            } else {
                let prompt = if self.end.is_some() { "over" } else { self.side(side) };
                match input.next(prompt) {
                    Said::Line(line) => self.obey(&line).unwrap_or_else(|refusal| {
                        self.say(&format!("{refusal:#}\n"));
                        Next::Go
                    }),
                    Said::End => Next::Leave,
                    Said::Interrupted => Next::Interrupted,
                }
            };
        }
        self.say_state();
        let is_interrupted = matches!(next, Next::Interrupted);
        self.leave(if is_interrupted { code::INTERRUPTED } else { 0 })
    }

    /// Ends with this code, unless a fault, or what could not be said, has one that goes before it.
    fn leave(mut self, code: u8) -> Result<ExitCode, Failure> {
        let code = if code == 0 && self.fault.is_some() { code::FAULT } else { code };
        self.unsaid.take().map_or(Ok(ExitCode::from(code)), Err)
    }

    /// Tells people; that nobody reads it any more ends the game elsewhere.
    fn say(&self, text: &str) {
        if let Err(failure) = emit(text) {
            let _ = self.unsaid.set(failure);
        }
    }

    fn let_engine_move(&mut self, side: Side) -> Result<Next, Failure> {
        let engine = self.sheet.job().players[side.index()];
        match self.players.ply(engine, &mut self.sheet) {
            Ok(()) => {
                self.announce(side);
                Ok(Next::Go)
            }
            Err(halt) => self.halted(halt),
        }
    }

    fn halted(&mut self, halt: Halt) -> Result<Next, Failure> {
        match halt {
            Halt::Interrupted => Ok(Next::Interrupted),
            Halt::Start(error) => Err(Failure::new(code::START, error)),
            Halt::Fault(fault) => {
                self.say(&format!("{} has failed: {}\n", fault.engine, failure(&fault)));
                self.finish(self.sheet.lost_by(&fault));
                self.fault = Some(*fault);
                Ok(Next::Go)
            }
        }
    }

    /// Does what a person says. What can't be done changes nothing, and why is said in one line.
    fn obey(&mut self, line: &str) -> Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        match (word, rest) {
            ("", _) => {}
            ("save", "") => bail!("where to? expected save FILE"),
            ("save", file) => self.save(Path::new(file))?,
            ("load", "") => bail!("from where? expected load FILE"),
            ("load", file) => self.load(Path::new(file))?,
            ("board" | "moves" | "hint" | "undo" | "resign" | "help" | "quit", rest) if !rest.is_empty() => {
                bail!("{word} stands alone, without {}", shown(rest))
            }
            ("board", _) => self.show_board(),
            ("moves", _) => self.list_moves()?,
            ("hint", _) => return self.hint(),
            ("undo", _) => self.undo()?,
            ("resign", _) => self.resign()?,
            ("help", _) => self.say(&format!("A move is {}.\n{HELP}", self.arena.rules.words().moves)),
            ("quit", _) => return Ok(Next::Leave),
            _ => self.play(line)?,
        }
        Ok(Next::Go)
    }

    fn play(&mut self, text: &str) -> Result<()> {
        let side = self.sheet.state().side_to_move();
        self.check_unfinished()?;
        match self.sheet.play(text, self.since.elapsed(), None) {
            Ok(()) => self.announce(side),
            Err(MoveError::Malformed(_)) => bail!(
                "{} is neither a move nor a command: a move is {}; `help` lists the commands",
                shown(text),
                self.arena.rules.words().moves
            ),
            Err(error) => bail!(
                "{} is not legal here: {error}; `moves` lists the {} that are",
                shown(text),
                self.sheet.state().count_moves()
            ),
        }
        Ok(())
    }

    fn check_unfinished(&self) -> Result<()> {
        ensure!(self.end.is_none(), "the game is over; you can undo, save FILE, load FILE or quit");
        Ok(())
    }

    fn list_moves(&self) -> Result<()> {
        /// Columns of a line.
        const WIDTH: usize = 78;
        self.check_unfinished()?;
        let moves = self.sheet.state().legal();
        let mut text = format!("legal moves ({}):", moves.len());
        let mut column = text.len();
        for m in &moves {
            let gap = if column + 1 + m.len() > WIDTH { "\n" } else { " " };
            column = if gap == "\n" { m.len() } else { column + 1 + m.len() };
            text.extend([gap, m]);
        }
        self.say(&(text + "\n"));
        Ok(())
    }

    fn hint(&mut self) -> Result<Next> {
        self.check_unfinished()?;
        let fen = self.sheet.state().fen();
        let job = Job { players: [ADVISER; 2], fen, ..self.sheet.job().clone() };
        let mut sheet = Sheet::new(self.arena, &job)?;
        match self.adviser.ply(ADVISER, &mut sheet) {
            Ok(()) => {}
            Err(Halt::Interrupted) => return Ok(Next::Interrupted),
            Err(Halt::Start(error)) => bail!("no hint: {error}"),
            Err(Halt::Fault(fault)) => bail!("no hint: {} has failed: {}", fault.engine, failure(&fault)),
        }
        let ply = sheet.plies().last().context("no hint")?;
        let eval = ply.eval.map(|eval| format!("  {eval}")).unwrap_or_default();
        self.say(&format!("hint: {}{eval}\n", ply.text));
        Ok(Next::Go)
    }

    fn undo(&mut self) -> Result<()> {
        let plies = self.sheet.plies().len();
        let to_move = self.sheet.state().side_to_move();
        let resigned = self.end.as_ref().is_some_and(|end| end.reason == RESIGN);
        if !resigned {
            // Sides alternate, passes being moves.
            let mover = |back: usize| if back.is_multiple_of(2) { to_move } else { to_move.other() };
            let by_person = (1..=plies).find(|&back| self.people[mover(back).index()]);
            let back = by_person.context("there is no move of yours to take back")?;
            for _ in 0..back {
                self.sheet.take_back();
            }
        }
        (self.end, self.fault) = (None, None);
        self.show_turn();
        Ok(())
    }

    fn resign(&mut self) -> Result<()> {
        self.check_unfinished()?;
        let loser = self.sheet.state().side_to_move();
        self.finish(End::lost(loser, RESIGN));
        Ok(())
    }

    fn save(&self, path: &Path) -> Result<()> {
        ensure!(!path.exists(), "{} exists; choose another name", path.display());
        let mut journal = Journal::create(path, &self.plan)?;
        let end = self.end.clone().unwrap_or_else(End::unfinished);
        let game = Record::Game(self.sheet.record(&end));
        let mut records = self.fault.clone().map(Record::Fault).into_iter().chain([game]);
        if let Err(error) = records.try_for_each(|record| journal.write(&record)) {
            journal.discard();
            return Err(error.into());
        }
        self.say(&format!("saved; see it with: arbiter show {}\n", path.display()));
        Ok(())
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        let mut reader = Reader::open(path)?;
        let game = &reader.plan().game;
        ensure!(
            game == self.arena.rules.name(),
            "{} holds a game of {game}, this is {}",
            path.display(),
            self.arena.rules.name()
        );
        let mut last: Option<GameRecord> = None;
        while let Some(record) = reader.next_record()? {
            if let Record::Game(game) = record {
                last = Some(game);
            }
        }
        let game = last.with_context(|| format!("{} holds no game", path.display()))?;
        self.sheet = self.replay(&game).with_context(|| path.display().to_string())?;
        (self.end, self.fault, self.players.seated) = (None, None, false);
        self.say(&format!("loaded up to ply {}\n", game.plies));
        self.show_turn();
        if game.result != UNFINISHED && self.sheet.end().is_none() {
            self.finish(End { result: game.result, reason: game.reason, guilty: game.guilty, solved: None });
        }
        Ok(())
    }

    fn replay(&self, game: &GameRecord) -> Result<Sheet<'a>> {
        let job = Job { fen: game.fen.clone(), ..self.sheet.job().clone() };
        let mut sheet = Sheet::new(self.arena, &job)?;
        for (i, text) in game.moves.iter().enumerate() {
            let ms = game.times_ms.get(i).copied().unwrap_or_default();
            let used = Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default();
            let eval = game.evals.get(i).copied().flatten();
            sheet.play(text, used, eval).with_context(|| format!("ply {} ({})", i + 1, shown(text)))?;
        }
        Ok(sheet)
    }

    fn finish(&mut self, end: End) {
        self.say(&format!("{}\n", self.verdict(&end)));
        self.end = Some(end);
    }

    /// A result and its reason, in words.
    fn verdict(&self, end: &End) -> String {
        let known = REASONS.iter().find(|(token, _)| *token == end.reason);
        let reason = known.map_or_else(|| self.arena.rules.words().reason(&end.reason), |(_, words)| words);
        let score = self.sheet.state().outcome().and(self.sheet.state().score());
        let score = score.map(|(first, second)| format!(", {first} to {second}")).unwrap_or_default();
        let winner = match end.result.as_str() {
            "p1win" => Side::First,
            "p2win" => Side::Second,
            _ => return format!("The game is drawn: {reason}{score}."),
        };
        format!("{} has won: {reason}{score}.", self.title(winner))
    }

    /// Says of the last move who played it, and shows what it led to.
    fn announce(&mut self, mover: Side) {
        let plies = self.sheet.plies();
        if let Some(ply) = plies.last() {
            let eval = ply.eval.map(|eval| format!("  {eval}")).unwrap_or_default();
            self.say(&format!("{}. {} plays {}{eval}\n", plies.len(), self.title(mover), ply.text));
        }
        self.show_turn();
    }

    /// Shows the board to who is to move now, whose time begins.
    fn show_turn(&mut self) {
        self.show_board();
        self.since = Instant::now();
    }

    fn show_board(&self) {
        self.say(&format!("\n{}\n", self.canvas.draw(self.sheet.state())));
    }

    /// Where the game stands when it is left.
    fn say_state(&self) {
        let state = self.sheet.state();
        let standing = self.end.as_ref().map_or_else(
            || {
                let (plies, mover) = (self.sheet.plies().len(), self.side(state.side_to_move()));
                format!("The game is left unfinished at ply {plies}, {mover} to move.")
            },
            |end| self.verdict(end),
        );
        self.say(&format!("{standing}\nposition {}\n", state.fen()));
    }

    fn side(&self, side: Side) -> &'static str {
        self.arena.rules.words().side(side)
    }

    /// A player's side and name.
    fn title(&self, side: Side) -> String {
        format!("{} ({})", self.side(side), self.sheet.name(side))
    }
}

fn failure(fault: &FaultRecord) -> String {
    format!("{}: {}", fault.reason, fault.detail)
}

/// What a person typed, for a refusal: printable and short.
fn shown(text: &str) -> String {
    const LONGEST: usize = 30;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
