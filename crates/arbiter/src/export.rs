//! Games for other tools: PGN-like text, comma-separated values, JSON. Written game by game, so that the length of a
//! journal is no matter.

use std::fmt::Write as _;
use std::io::{self, Write};

use game::{Rules, Side};

use crate::config::TimeControl;
use crate::record::{EvalRecord, GameRecord, PlanRecord};

/// The form of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Text in the manner of PGN, the portable game notation of chess, with the moves of the game. `White` is who plays
    /// the game's first player. A comment after each move has the mover's score in units (`M3`: it wins in 3 moves) and
    /// depth, where it gave them, and its time: `{+0.12/7 0.003s}`.
    Pgn,
    /// A row per game under a header; lists are separated by blanks, what the mover didn't say is `-`.
    Csv,
    /// One array of game records, fields as in the journal.
    Json,
}

/// Writes the games of a run. Games that were broken off are among them; those that were played again come twice.
pub struct Exporter<W: Write> {
    form: Form,
    plan: PlanRecord,
    rules: Option<&'static dyn Rules>,
    out: W,
    games: u64,
}

/// Columns of PGN's lines, as its standard has it.
const WIDTH: usize = 79;

const COLUMNS: [&str; 12] =
    ["index", "pair", "p1", "p2", "result", "reason", "guilty", "plies", "fen", "moves", "times_ms", "evals"];

impl<W: Write> Exporter<W> {
    /// An export of the games of a plan to `out`, begun.
    pub fn new(form: Form, plan: &PlanRecord, out: W) -> io::Result<Exporter<W>> {
        let rules = registry::find(&plan.game);
        let mut exporter = Exporter { form, plan: plan.clone(), rules, out, games: 0 };
        match form {
            Form::Pgn => {}
            Form::Csv => exporter.row(&COLUMNS.map(str::to_owned))?,
            Form::Json => exporter.out.write_all(b"[")?,
        }
        Ok(exporter)
    }

    /// Adds a game.
    pub fn game(&mut self, game: &GameRecord) -> io::Result<()> {
        match self.form {
            Form::Pgn => {
                let separator = if self.games > 0 { "\n" } else { "" };
                let text = self.pgn(game);
                write!(self.out, "{separator}{text}")?;
            }
            Form::Csv => self.row(&cells(game))?,
            Form::Json => {
                self.out.write_all(if self.games > 0 { b",\n" } else { b"\n" })?;
                serde_json::to_writer(&mut self.out, game)?;
            }
        }
        self.games += 1;
        Ok(())
    }

    /// Ends the export.
    pub fn finish(mut self) -> io::Result<()> {
        if self.form == Form::Json {
            self.out.write_all(b"\n]\n")?;
        }
        self.out.flush()
    }

    fn row(&mut self, cells: &[String]) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(&mut self.out);
        writer.write_record(cells)?;
        writer.flush()
    }

    fn pgn(&self, game: &GameRecord) -> String {
        let result = match game.result.as_str() {
            "p1win" => "1-0",
            "p2win" => "0-1",
            "draw" => "1/2-1/2",
            _ => "*",
        };
        let [white, black] = [&game.p1, &game.p2].map(|name| self.time_control(name));
        let round = game.pair.saturating_add(1).to_string();
        let date = self.plan.started.as_deref().and_then(|time| time.get(..10)).unwrap_or("????-??-??");
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", &format!("{} {}", self.plan.game, self.plan.format));
        tag("Site", "?");
        tag("Date", &date.replace('-', "."));
        tag("Round", &round);
        tag("White", &game.p1);
        tag("Black", &game.p2);
        tag("Result", result);
        tag("Reason", &game.reason);
        if let Some(solved) = &game.solved {
            tag("Solved", &solved.to_string());
        }
        if let Some(guilty) = &game.guilty {
            tag("Guilty", guilty);
        }
        tag("Variant", &self.plan.game);
        tag("SetUp", "1");
        tag("FEN", &game.fen);
        if white == black {
            tag("TimeControl", &white);
        } else {
            tag("WhiteTimeControl", &white);
            tag("BlackTimeControl", &black);
        }
        tag("PlyCount", &game.plies.to_string());
        tag("GameIndex", &game.index.to_string());
        text.push('\n');
        text.push_str(&wrapped(&format!("{}{result}", self.movetext(game))));
        text
    }

    /// The moves with their numbers and comments, each followed by a blank.
    fn movetext(&self, game: &GameRecord) -> String {
        let start = self.rules.and_then(|rules| rules.load(&game.fen).ok());
        let first = start.map_or(0, |start| usize::from(start.side_to_move() == Side::Second));
        let mut text = String::new();
        for (i, played) in game.moves.iter().enumerate() {
            let ply = first + i;
            if ply.is_multiple_of(2) {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            } else {
                let _ = write!(text, "{}... ", ply / 2 + 1);
            }
            text.push_str(played);
            let eval = game.evals.get(i).copied().flatten().map(eval_text);
            let time = game.times_ms.get(i).map(|ms| format!("{:.3}s", ms / 1e3));
            let comment: Vec<String> = [eval, time].into_iter().flatten().collect();
            if !comment.is_empty() {
                let _ = write!(text, " {{{}}}", comment.join(" "));
            }
            text.push(' ');
        }
        text
    }

    /// An engine's limits: PGN's own notation for a clock alone, else in words.
    fn time_control(&self, name: &str) -> String {
        let own = self.plan.engines.iter().find(|engine| engine.name == name);
        let record = own.and_then(|engine| engine.limits.as_ref()).unwrap_or(&self.plan.limits);
        let Ok(limits) = TimeControl::try_from(record) else { return "?".into() };
        match limits.clock {
            Some(clock) if limits == (TimeControl { clock: Some(clock), ..TimeControl::default() }) => {
                clock.to_string()
            }
            _ if limits == TimeControl::default() => "-".into(),
            _ => limits.to_string(),
        }
    }
}

fn cells(game: &GameRecord) -> [String; 12] {
    let times = game.times_ms.iter().map(f64::to_string).collect::<Vec<_>>();
    let evals = game.evals.iter().map(|eval| eval.map_or_else(|| "-".into(), eval_text)).collect::<Vec<_>>();
    [
        game.index.to_string(),
        game.pair.to_string(),
        game.p1.clone(),
        game.p2.clone(),
        game.result.clone(),
        game.reason.clone(),
        game.guilty.clone().unwrap_or_default(),
        game.plies.to_string(),
        game.fen.clone(),
        game.moves.join(" "),
        times.join(" "),
        evals.join(" "),
    ]
}

/// Score and depth as game viewers read them: `+0.12/7`, `-M3/9`.
fn eval_text(eval: EvalRecord) -> String {
    let score = match (eval.mate, eval.cp) {
        (Some(mate), _) => format!("{}M{}", if mate < 0 { "-" } else { "+" }, mate.unsigned_abs()),
        (None, Some(cp)) => format!("{:+.2}", cp as f64 / 100.0),
        (None, None) => "-".into(),
    };
    eval.depth.map_or(score.clone(), |depth| format!("{score}/{depth}"))
}

/// Text broken at blanks into lines of [`WIDTH`] columns, as far as its words let it.
fn wrapped(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len() + 1);
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > 0 {
            let fits = column + 1 + width <= WIDTH;
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped.push_str(word);
        column += width;
    }
    wrapped.push('\n');
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, LimitsRecord};

    fn plan() -> PlanRecord {
        let limits = LimitsRecord { tc: Some("10+0.1".into()), ..LimitsRecord::default() };
        let quick = LimitsRecord { movetime: Some(50), nodes: Some(7), ..LimitsRecord::default() };
        let engine =
            |name: &str, limits| EngineRecord { name: name.into(), limits, ..EngineRecord::default() };
        PlanRecord {
            game: "simplexity".into(),
            format: "match".into(),
            engines: vec![engine("a \"b\" \\", None), engine("c", Some(quick))],
            limits,
            started: Some("2026-11-28T03:14:10Z".into()),
            ..PlanRecord::default()
        }
    }

    fn game() -> GameRecord {
        let eval = |cp, mate| Some(EvalRecord { depth: Some(7), cp, mate });
        GameRecord {
            index: 3,
            pair: 1,
            p1: "a \"b\" \\".into(),
            p2: "c".into(),
            fen: "7/7/7/7/7/w6 r 9,11,10,11 4".into(),
            moves: ["4s", "1o", "2s"].map(str::to_owned).into(),
            times_ms: vec![3.125, 0.0, 1500.0],
            evals: vec![eval(Some(-5), None), None, eval(None, Some(-2))],
            result: "p2win".into(),
            reason: "crash".into(),
            guilty: Some("a \"b\" \\".into()),
            plies: 3,
            solved: None,
        }
    }

    fn export(form: Form, games: &[GameRecord]) -> String {
        let mut out = Vec::new();
        let mut exporter = Exporter::new(form, &plan(), &mut out).unwrap();
        for game in games {
            exporter.game(game).unwrap();
        }
        exporter.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn games_as_pgn() {
        let expected = r#"[Event "simplexity match"]
[Site "?"]
[Date "2026.11.28"]
[Round "2"]
[White "a \"b\" \\"]
[Black "c"]
[Result "0-1"]
[Reason "crash"]
[Guilty "a \"b\" \\"]
[Variant "simplexity"]
[SetUp "1"]
[FEN "7/7/7/7/7/w6 r 9,11,10,11 4"]
[WhiteTimeControl "10+0.1"]
[BlackTimeControl "50 ms per move, 7 nodes"]
[PlyCount "3"]
[GameIndex "3"]

1... 4s {-0.05/7 0.003s} 2. 1o {0.000s} 2... 2s {-M2/7 1.500s} 0-1
"#;
        let games = [game(), GameRecord { result: "unfinished".into(), ..game() }];
        assert_eq!(export(Form::Pgn, &games[..1]), expected);
        let both = export(Form::Pgn, &games);
        assert!(both.starts_with(&format!("{expected}\n[Event ")) && both.ends_with(" *\n"), "{both}");
        assert_eq!(export(Form::Pgn, &[]), "");
    }

    #[test]
    fn a_start_with_the_first_player_to_move_is_numbered_so() {
        let game = GameRecord { fen: "7/7/7/7/7/7 w 10,11,10,11 4".into(), evals: Vec::new(), ..game() };
        let text = export(Form::Pgn, &[game]);
        assert!(text.ends_with("\n1. 4s {0.003s} 1... 1o {0.000s} 2. 2s {1.500s} 0-1\n"), "{text}");
    }

    #[test]
    fn lines_of_moves_are_short() {
        let long = GameRecord { moves: vec!["4s".into(); 40], times_ms: vec![1.0; 40], ..game() };
        let text = export(Form::Pgn, &[long]);
        let (_, moves) = text.split_once("\n\n").unwrap();
        assert!(moves.lines().count() > 1 && moves.lines().all(|line| line.len() <= WIDTH), "{moves}");
        assert_eq!(moves.split_whitespace().filter(|word| *word == "4s").count(), 40);
    }

    #[test]
    fn games_as_rows() {
        let expected = "\
index,pair,p1,p2,result,reason,guilty,plies,fen,moves,times_ms,evals
3,1,\"a \"\"b\"\" \\\",c,p2win,crash,\"a \"\"b\"\" \\\",3,\"7/7/7/7/7/w6 r 9,11,10,11 4\",4s 1o 2s,3.125 0 1500,-0.05/7 - -M2/7
";
        assert_eq!(export(Form::Csv, &[game()]), expected);
        assert_eq!(export(Form::Csv, &[]).lines().count(), 1);
    }

    #[test]
    fn games_as_json() {
        for games in [vec![], vec![game()], vec![game(), GameRecord::default()]] {
            let read: Vec<GameRecord> = serde_json::from_str(&export(Form::Json, &games)).unwrap();
            assert_eq!(read, games);
        }
    }
}
