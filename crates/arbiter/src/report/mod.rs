//! What a run's standings look like: as text, Markdown, CSV and JSON.

mod league;
mod ratings;
mod rounds;
mod trial;

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentLineStyle, LineStyle, Table, TableStyle, presets};
use serde_json::{Value, json};
use stats::Summary;

pub use self::league::league;
pub use self::ratings::ratings;
pub use self::trial::{progress, verdict};
use crate::record::FaultRecord;
use crate::standings::{Encounter, Row, Standings, TimeUse, summary};

/// How tables are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// For terminals.
    Text,
    /// To paste into a page.
    Markdown,
}

/// Engines up to which a cross-table is readable.
const CROSS_TABLE_LIMIT: usize = 12;
/// Columns up to which a cross-table has wins, draws and losses; a wider one has points.
const CROSS_TABLE_WIDTH: usize = 90;
/// Faults up to which each has its line.
const FAULTS_LIMIT: usize = 20;

const PLAIN: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none())
    .header_lines(ContentLineStyle::none());

/// Everything there is to say at the end.
pub fn full(standings: &Standings, style: Style) -> String {
    let league = league(standings, style);
    let is_league = !league.is_empty();
    if standings.games() == 0 && !is_league {
        return "no game is finished yet\n".into();
    }
    let mut text =
        if is_league { league } else { table(standings, style) + &rounds::tie_breaks(standings, style) };
    if standings.names().len() > 2 && !is_league {
        if standings.names().len() <= CROSS_TABLE_LIMIT {
            let _ = write!(text, "\n{}", cross_table(standings, style));
        }
        let ratings = ratings(standings, style);
        if !ratings.is_empty() {
            let _ = write!(text, "\n{ratings}");
        }
    }
    let lines = [
        rounds::bracket(standings),
        duel(standings),
        verdict(standings),
        times(standings),
        faults(standings),
    ];
    for block in lines.into_iter().filter(|block| !block.is_empty()) {
        let _ = match style {
            Style::Text => write!(text, "\n{block}"),
            Style::Markdown => write!(text, "\n```\n{block}```\n"),
        };
    }
    text
}

/// The standings, best first.
pub fn table(standings: &Standings, style: Style) -> String {
    let header = ["#", "Engine", "Elo", "± 95 %", "Games", "Points", "Score %", "W", "D", "L", "Faults"];
    draw(style, &header.map(str::to_owned), standings.rows().iter().map(|row| cells(standings, row)))
}

/// The standings in their five most telling columns, for narrow terminals.
pub fn narrow_table(standings: &Standings) -> String {
    let header = ["#", "Engine", "Elo", "Games", "Points"];
    let line = |row| {
        let [rank, engine, elo, _, games, points, ..] = cells(standings, row);
        [rank, engine, elo, games, points]
    };
    draw(Style::Text, &header.map(str::to_owned), standings.rows().iter().map(line))
}

/// The texts of a line of the table.
fn cells(standings: &Standings, row: &Row) -> [String; 11] {
    let [losses, draws, wins] = row.total.games;
    let (elo, error) = row.summary.as_ref().map_or_else(Default::default, elo_texts);
    [
        row.rank.to_string(),
        standings.names()[row.engine].clone(),
        elo,
        error,
        row.total.played().to_string(),
        row.points.to_string(),
        row.total.score().map(|score| format!("{:.1}", 100.0 * score)).unwrap_or_default(),
        wins.to_string(),
        draws.to_string(),
        losses.to_string(),
        row.faults.to_string(),
    ]
}

/// Wins, draws and losses of each engine against each other, or its points where that would be too wide, in the order
/// of the standings.
pub fn cross_table(standings: &Standings, style: Style) -> String {
    let results = |encounter: &Encounter| {
        let [losses, draws, wins] = encounter.games;
        format!("{wins}-{draws}-{losses}")
    };
    let points = |encounter: &Encounter| encounter.points(standings.points_rule()).to_string();
    let table = encounters(standings, style, "W-D-L against", results);
    let width = table.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    if width > CROSS_TABLE_WIDTH { encounters(standings, style, "Points against", points) } else { table }
}

fn encounters(
    standings: &Standings,
    style: Style,
    title: &str,
    cell: impl Fn(&Encounter) -> String,
) -> String {
    let rows = standings.rows();
    let mut header = vec!["#".to_owned(), title.to_owned()];
    header.extend(rows.iter().map(|row| row.rank.to_string()));
    let line = |row: &Row| {
        let mut line = vec![row.rank.to_string(), standings.names()[row.engine].clone()];
        line.extend(rows.iter().map(|other| {
            let encounter = standings.between(row.engine, other.engine);
            match encounter.played() {
                _ if row.engine == other.engine => "·".into(),
                0 => String::new(),
                _ => cell(encounter),
            }
        }));
        line
    };
    draw(style, &header, rows.iter().map(line))
}

/// Draws a table whose second column holds names, all others numbers.
fn draw<R>(style: Style, header: &[String], rows: impl Iterator<Item = R>) -> String
where
    R: IntoIterator<Item = String>,
{
    let mut table = Table::new();
    table.load_style(match style {
        Style::Text => PLAIN,
        Style::Markdown => presets::ASCII_MARKDOWN,
    });
    table.set_header(header);
    rows.for_each(|row| {
        table.add_row(row.into_iter().collect::<Vec<_>>());
    });
    for (i, column) in table.column_iter_mut().enumerate() {
        if style == Style::Text {
            column.set_padding((1, 0));
        }
        if i != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = table.trim_fmt();
    text.push('\n');
    text
}

/// A match of two engines in two or three lines; empty for more engines and before the first game.
pub fn duel(standings: &Standings) -> String {
    let ([a, b], encounter) = match standings.names() {
        [a, b] => ([a, b], standings.between(0, 1)),
        _ => return String::new(),
    };
    let Some(summary) = summary(encounter) else { return String::new() };
    let [losses, draws, wins] = encounter.games;
    let (elo, error) = elo_texts(&summary);
    let mut text = format!(
        "{a} against {b}: won {wins}, drawn {draws}, lost {losses}, score {:.1} %\n",
        100.0 * encounter.score().unwrap_or_default()
    );
    let _ = match summary.elo_interval {
        _ if error.is_empty() => write!(text, "Elo {elo} ± ?"),
        [low, f64::INFINITY] if low.is_finite() => write!(text, "Elo {elo}, at least {}", tenths(low)),
        [f64::NEG_INFINITY, high] if high.is_finite() => write!(text, "Elo {elo}, at most {}", tenths(high)),
        _ => write!(text, "Elo {elo} ± {error}"),
    };
    if let Some((elo, error)) = summary.normalized_elo {
        let _ = write!(text, ", nElo {} ± {error:.1}", tenths(elo));
    }
    let _ = write!(text, ", LOS {:.1} %", 100.0 * summary.los);
    let _ = write!(text, ", draws {:.1} %", 100.0 * draws as f64 / encounter.played() as f64);
    text.push('\n');
    if encounter.pairs != [0; 5] {
        let _ = writeln!(text, "{}", pentanomial(encounter.pairs));
    }
    text
}

/// How many pairs of games ended with how many points.
pub fn pentanomial(pairs: [u64; 5]) -> String {
    format!("pairs {} (0, ½, 1, 1½, 2 points)", pairs.map(|n| n.to_string()).join("-"))
}

/// Two lines per engine about the time it used.
pub fn times(standings: &Standings) -> String {
    let width = standings.names().iter().map(String::len).max().unwrap_or_default();
    let line = |(name, time): (&String, &TimeUse)| {
        if time.moves == 0 {
            return String::new();
        }
        let over =
            time.limit_ms.map(|limit| format!(", {} of {} moves over {limit} ms", time.over, time.moves));
        format!(
            "{name:width$}  {:6.1} ms per move, at most {:7.1} ms{}\n{:width$}  {}\n",
            time.total_ms / time.moves as f64,
            time.max_ms,
            over.unwrap_or_default(),
            "",
            histogram(time),
        )
    };
    standings.names().iter().zip(standings.times()).map(line).collect()
}

/// How many moves took how long: `3 within 0.1 ms, 5 within 1 ms`.
fn histogram(time: &TimeUse) -> String {
    let bounds = TimeUse::BOUNDS_MS.map(|bound| format!("within {bound} ms"));
    let longer = format!("longer than {} ms", TimeUse::BOUNDS_MS[TimeUse::BOUNDS_MS.len() - 1]);
    let parts = time.histogram.iter().zip(bounds.into_iter().chain([longer]));
    let shown = parts.filter(|(moves, _)| **moves > 0).map(|(moves, bound)| format!("{moves} {bound}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// A line per fault.
pub fn faults(standings: &Standings) -> String {
    let faults = standings.faults();
    let mut text = String::new();
    for fault in faults.iter().take(FAULTS_LIMIT) {
        let _ = writeln!(
            text,
            "fault in game {}: {}, {}: {}",
            fault.game, fault.engine, fault.reason, fault.detail
        );
    }
    if faults.len() > FAULTS_LIMIT {
        let _ = writeln!(text, "and {} more faults, all in the journal", faults.len() - FAULTS_LIMIT);
    }
    text
}

/// The standings as comma-separated values.
pub fn csv(standings: &Standings) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "rank",
        "engine",
        "elo",
        "elo_error",
        "games",
        "points",
        "score_percent",
        "wins",
        "draws",
        "losses",
        "faults",
        "normalized_elo",
        "normalized_elo_error",
        "los_percent",
        "draw_percent",
        "rating",
        "rating_error",
    ];
    let ratings = standings.ratings();
    let more = |row: &Row| {
        let text = |x: Option<f64>| x.map(tenths).unwrap_or_default();
        let (strength, ratings) = (row.summary.as_ref(), ratings.as_ref().map(|(ratings, _)| ratings));
        let normalized = strength.and_then(|strength| strength.normalized_elo);
        [
            normalized.map(|(elo, _)| elo),
            normalized.map(|(_, error)| error),
            strength.map(|strength| 100.0 * strength.los),
            row.draw_ratio().map(|share| 100.0 * share),
            ratings.map(|ratings| ratings.ratings[row.engine]),
            ratings.and_then(|ratings| ratings::error_of(ratings, row.engine)),
        ]
        .map(text)
    };
    let written = writer.write_record(header).and_then(|()| {
        let mut rows = standings.rows().into_iter();
        rows.try_for_each(|row| writer.write_record(cells(standings, &row).iter().chain(&more(&row))))
    });
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(bytes.expect("memory can be written to")).expect("CSV of text is text")
}

/// The standings as JSON: per engine the numbers of the tables, its opponents and its faults; the run's test; the matches
/// of a knockout; the bots of a league. Infinite numbers are the strings `inf` and `-inf`.
pub fn json(standings: &Standings) -> Value {
    let names = standings.names();
    let rows = standings.rows();
    let fitted = standings.ratings();
    let ratings = fitted.as_ref().map(|(ratings, _)| ratings);
    let row = |row: &Row| {
        let opponent = |other: &Row| {
            let encounter = standings.between(row.engine, other.engine);
            let [losses, draws, wins] = encounter.games;
            json!({
                "engine": names[other.engine],
                "wins": wins, "draws": draws, "losses": losses,
                "pairs": encounter.pairs,
                "strength": summary(encounter).as_ref().map(strength),
                "los": ratings.and_then(|ratings| ratings::los_of(ratings, row.engine, other.engine)),
            })
        };
        let [losses, draws, wins] = row.total.games;
        let time = &standings.times()[row.engine];
        json!({
            "rank": row.rank,
            "engine": names[row.engine],
            "games": row.total.played(),
            "points": row.points,
            "wins": wins, "draws": draws, "losses": losses,
            "sonneborn_berger": row.sonneborn_berger,
            "buchholz": row.buchholz,
            "byes": standings.byes()[row.engine],
            "pairs": row.total.pairs,
            "strength": row.summary.as_ref().map(strength),
            "rating": ratings.map(|ratings| ratings.ratings[row.engine]),
            "rating_error": ratings.and_then(|ratings| ratings::error_of(ratings, row.engine)),
            "time": {
                "moves": time.moves, "total_ms": time.total_ms, "max_ms": time.max_ms, "over_limit": time.over,
            },
            "faults": row.faults,
            "opponents": rows.iter().filter(|other| other.engine != row.engine).map(opponent).collect::<Vec<_>>(),
        })
    };
    json!({
        "games": standings.games(),
        "points": standings.points_rule(),
        "standings": rows.iter().map(row).collect::<Vec<_>>(),
        "rating_prior_draws": fitted.as_ref().map(|(_, prior)| prior),
        "sprt": trial::json(standings),
        "knockout": rounds::json(standings),
        "league": league::json(standings),
        "faults": standings.faults().iter().map(fault).collect::<Vec<_>>(),
    })
}

/// A fault, of which the journal has more.
fn fault(fault: &FaultRecord) -> Value {
    json!({ "game": fault.game, "engine": fault.engine, "reason": fault.reason, "detail": fault.detail })
}

/// A number, or the word for an infinite one.
pub fn finite_or_word(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { json!(x.to_string()) }
}

/// A summary as JSON.
pub fn strength(summary: &Summary) -> Value {
    json!({
        "score": summary.score,
        "elo": finite_or_word(summary.elo),
        "elo_low": finite_or_word(summary.elo_interval[0]),
        "elo_high": finite_or_word(summary.elo_interval[1]),
        "elo_error": summary.elo_error.map(finite_or_word),
        "normalized_elo": summary.normalized_elo.map(|(elo, _)| elo),
        "normalized_elo_error": summary.normalized_elo.map(|(_, error)| error),
        "los": summary.los,
        "draw_ratio": summary.draw_ratio,
    })
}

/// Elo and its "±" as texts. The error is empty where nothing can be said of it: all results alike are no sign of certainty.
pub fn elo_texts(summary: &Summary) -> (String, String) {
    let error = summary.elo_error.filter(|_| summary.variance > 0.0);
    (tenths(summary.elo), error.map(tenths).unwrap_or_default())
}

/// A number to one decimal; nobody is worse than another by nothing.
pub(crate) fn tenths(x: f64) -> String {
    let text = format!("{x:.1}");
    if text == "-0.0" { "0.0".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, GameRecord, PlanRecord, Record};

    pub(super) fn standings(names: &[&str], games: &[(u64, &str, &str, &str)]) -> Standings {
        standings_of("round-robin", names, games)
    }

    /// Standings of a format in which each two play one pair of games.
    pub(super) fn standings_of(format: &str, names: &[&str], games: &[(u64, &str, &str, &str)]) -> Standings {
        let engine = |name: &&str| EngineRecord { name: (*name).into(), ..EngineRecord::default() };
        let plan = PlanRecord {
            engines: names.iter().map(engine).collect(),
            format: format.into(),
            pairs: 1,
            points: [1.0, 0.5, 0.0],
            swap: true,
            ..PlanRecord::default()
        };
        let mut standings = Standings::new(&plan);
        for &(pair, p1, p2, result) in games {
            let (p1, p2, result) = (p1.into(), p2.into(), result.into());
            standings
                .add(&Record::Game(GameRecord { pair, p1, p2, result, ..GameRecord::default() }))
                .unwrap();
        }
        standings
    }

    fn duel_of_six() -> Standings {
        standings(
            &["new", "old"],
            &[
                (0, "new", "old", "p1win"),
                (0, "old", "new", "p2win"),
                (1, "new", "old", "p1win"),
                (1, "old", "new", "p1win"),
                (2, "new", "old", "draw"),
                (2, "old", "new", "p2win"),
            ],
        )
    }

    // By hand: pairs of 2, 1 and 1½ points, so mean 0.75 and variance 1/24 per pair.
    #[test]
    fn a_match_as_text() {
        let expected = "
 #  Engine     Elo  ± 95 %  Games  Points  Score %  W  D  L  Faults
───────────────────────────────────────────────────────────────────
 1  new      190.8   335.9      6     4.5     75.0  4  1  1       0
 2  old     -190.8   335.9      6     1.5     25.0  1  1  4       0

new against old: won 4, drawn 1, lost 1, score 75.0 %
Elo 190.8 ± 335.9, nElo 300.9 ± 278.0, LOS 98.3 %, draws 16.7 %
pairs 0-0-1-1-1 (0, ½, 1, 1½, 2 points)
";
        assert_eq!(format!("\n{}", full(&duel_of_six(), Style::Text)), expected);
    }

    #[test]
    fn a_table_as_markdown_and_csv() {
        let expected = "\
| # | Engine |    Elo | ± 95 % | Games | Points | Score % | W | D | L | Faults |
|---|--------|--------|--------|-------|--------|---------|---|---|---|--------|
| 1 | new    |  190.8 |  335.9 |     6 |    4.5 |    75.0 | 4 | 1 | 1 |      0 |
| 2 | old    | -190.8 |  335.9 |     6 |    1.5 |    25.0 | 1 | 1 | 4 |      0 |
";
        assert_eq!(table(&duel_of_six(), Style::Markdown), expected);
        let expected = "\
rank,engine,elo,elo_error,games,points,score_percent,wins,draws,losses,faults,\
normalized_elo,normalized_elo_error,los_percent,draw_percent,rating,rating_error
1,new,190.8,335.9,6,4.5,75.0,4,1,1,0,300.9,278.0,98.3,16.7,95.4,107.0
2,old,-190.8,335.9,6,1.5,25.0,1,1,4,0,-300.9,278.0,1.7,16.7,-95.4,107.0
";
        assert_eq!(csv(&duel_of_six()), expected);
    }

    #[test]
    fn a_table_for_narrow_terminals() {
        let expected = "
 #  Engine     Elo  Games  Points
─────────────────────────────────
 1  new      190.8      6     4.5
 2  old     -190.8      6     1.5
";
        assert_eq!(format!("\n{}", narrow_table(&duel_of_six())), expected);
    }

    #[test]
    fn a_round_robin_has_a_cross_table() {
        let games = [(0, "a", "b", "p1win"), (1, "b", "c", "draw"), (2, "c", "a", "p2win")];
        let expected = "
 #  W-D-L against      1      2      3
──────────────────────────────────────
 1  a                  ·  1-0-0  1-0-0
 2  b              0-0-1      ·  0-1-0
 3  c              0-0-1  0-1-0      ·
";
        let text = cross_table(&standings(&["a", "b", "c"], &games), Style::Text);
        assert_eq!(format!("\n{text}"), expected);
    }

    #[test]
    fn nothing_played_is_no_table() {
        for style in [Style::Text, Style::Markdown] {
            assert_eq!(full(&standings(&["a", "b"], &[]), style), "no game is finished yet\n");
        }
        assert_eq!(json(&standings(&["a", "b"], &[]))["standings"][0]["strength"], Value::Null);
    }

    #[test]
    fn results_all_alike_have_no_error_bar() {
        let text = duel(&standings(&["a", "b"], &[(0, "a", "b", "p1win"), (0, "b", "a", "p1win")]));
        assert!(text.contains("\nElo 0.0 ± ?, LOS 50.0 %"), "{text}");
    }

    #[test]
    fn an_interval_without_an_end_is_a_bound() {
        let won =
            [(0, "a", "b", "p1win"), (0, "b", "a", "p2win"), (1, "a", "b", "p1win"), (1, "b", "a", "draw")];
        let text = duel(&standings(&["a", "b"], &won));
        let line = text.lines().find(|line| line.starts_with("Elo ")).unwrap();
        assert!(line.contains(", at least ") && !line.contains("Elo 338.0 ± inf"), "{line}");
        let lost = won.map(|(pair, p1, p2, result)| match result {
            "p1win" => (pair, p1, p2, "p2win"),
            "p2win" => (pair, p1, p2, "p1win"),
            _ => (pair, p1, p2, result),
        });
        let text = duel(&standings(&["a", "b"], &lost));
        assert!(text.contains(", at most -"), "{text}");
    }

    #[test]
    fn nothing_is_not_negative() {
        assert_eq!([-0.04, 0.0, -0.06, f64::NEG_INFINITY].map(tenths), ["0.0", "0.0", "-0.1", "-inf"]);
    }

    #[test]
    fn many_faults_are_cut() {
        let mut standings = standings(&["a", "b"], &[]);
        for game in 0..25 {
            let (p1, p2, result) = ("a".into(), "b".into(), "p2win".into());
            let (engine, reason, detail) = ("a".into(), "crash".into(), "signal 11 (SIGSEGV)".into());
            let guilty = Some("a".into());
            standings
                .add(&Record::Fault(FaultRecord { game, engine, reason, detail, ..FaultRecord::default() }))
                .unwrap();
            standings
                .add(&Record::Game(GameRecord {
                    index: game,
                    p1,
                    p2,
                    result,
                    guilty,
                    ..GameRecord::default()
                }))
                .unwrap();
        }
        let text = faults(&standings);
        assert!(text.starts_with("fault in game 0: a, crash: signal 11 (SIGSEGV)\n"), "{text}");
        assert!(text.ends_with("and 5 more faults, all in the journal\n"), "{text}");
        assert_eq!(json(&standings)["standings"][1]["faults"], 25);
    }

    #[test]
    fn infinities_are_words_in_json() {
        let value = json(&standings(&["a", "b"], &[(0, "a", "b", "p1win"), (0, "b", "a", "p2win")]));
        assert_eq!(value["standings"][0]["strength"]["elo"], "inf");
        assert_eq!(value["standings"][1]["strength"]["elo"], "-inf");
        assert_eq!(value["standings"][0]["opponents"][0]["pairs"], json!([0, 0, 0, 0, 1]));
    }
}
