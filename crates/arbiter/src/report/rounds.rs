//! What tournaments with rounds have beside the table: tie-breaks of a Swiss tournament, matches of a knockout.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Style, draw};
use crate::rounds::{Match, Rounds};
use crate::standings::{Row, Standings};

/// What decides between engines of equal points in a Swiss tournament, in this order; empty for other formats.
pub(super) fn tie_breaks(standings: &Standings, style: Style) -> String {
    let Some(rounds) = standings.rounds().filter(|rounds| rounds.matches().is_none()) else {
        return String::new();
    };
    let header = ["#", "Tie-breaks", "Points", "Direct", "Sonneborn-B.", "Wins", "Buchholz", "Bye wins"];
    let line = |row: &Row| {
        [
            row.rank.to_string(),
            standings.names()[row.engine].clone(),
            row.points.to_string(),
            row.direct_encounter.to_string(),
            row.sonneborn_berger.to_string(),
            row.total.games[2].to_string(),
            row.buchholz.to_string(),
            standings.byes()[row.engine].to_string(),
        ]
    };
    let table = draw(style, &header.map(str::to_owned), standings.rows().iter().map(line));
    let mut text = format!("\n{table}");
    for bye in rounds.byes() {
        let separator = if style == Style::Markdown { "\n" } else { "" };
        let (round, engine, games) = (bye.round + 1, bye.engine, bye.games);
        let _ = writeln!(text, "{separator}bye in round {round}: {engine}, as good as winning {games} games");
    }
    text
}

/// A line per match and bye of a knockout, in order; empty for other formats.
pub(super) fn bracket(standings: &Standings) -> String {
    let mut text = String::new();
    let Some(rounds) = standings.rounds() else { return text };
    let Some(matches) = rounds.matches() else { return text };
    let mut byes = rounds.byes().peekable();
    for played in matches {
        while let Some(bye) = byes.next_if(|bye| bye.round == played.number) {
            let _ = writeln!(text, "round {}: {} has a bye", bye.round + 1, bye.engine);
        }
        let _ = writeln!(text, "{}", line(standings, &played));
    }
    text
}

/// A match in words: `final: a beats b, 3 - 1`.
fn line(standings: &Standings, played: &Match) -> String {
    let Match { number, is_final, players: [one, other], extra_pairs, winner } = *played;
    let round = if is_final { "final".into() } else { format!("round {}", number + 1) };
    let (ahead, behind) = if winner == Some(other) { (other, one) } else { (one, other) };
    let [first, second] = [ahead, behind].map(|player| &standings.names()[player]);
    let [won, lost] = score(standings, [ahead, behind]);
    let extra = match extra_pairs {
        0 => String::new(),
        1 => ", after one more pair of games".into(),
        n => format!(", after {n} more pairs of games"),
    };
    let is_level = won.total_cmp(&lost).is_eq();
    match winner {
        None => format!("{round}: {first} - {second}, {won} - {lost} so far"),
        Some(_) if is_level => {
            format!("{round}: {first} goes on before {second} as the better seed, {won} - {lost}{extra}")
        }
        Some(_) => format!("{round}: {first} beats {second}, {won} - {lost}{extra}"),
    }
}

/// A win is 1, a draw ½, under every rule of points.
fn score(standings: &Standings, [one, other]: [usize; 2]) -> [f64; 2] {
    [[one, other], [other, one]].map(|[a, b]| standings.between(a, b).points([1.0, 0.5, 0.0]))
}

/// The matches of a knockout as JSON, null for other formats: round from 1, engines, their scores, the further pairs of
/// games played because they were level, and the winner or null.
pub(super) fn json(standings: &Standings) -> Value {
    let names = standings.names();
    let value = |played: &Match| {
        json!({
            "round": played.number + 1,
            "final": played.is_final,
            "engines": played.players.map(|player| &names[player]),
            "score": score(standings, played.players),
            "extra_pairs": played.extra_pairs,
            "winner": played.winner.map(|player| &names[player]),
        })
    };
    let matches = standings.rounds().and_then(Rounds::matches);
    matches.map_or(Value::Null, |matches| matches.iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::standings_of;
    use super::*;
    use crate::rounds::KNOCKOUT;

    #[test]
    fn a_knockout_in_words() {
        let mut games = vec![(0, "b", "c", "draw"), (0, "c", "b", "draw")];
        let text = bracket(&standings_of(KNOCKOUT, &["a", "b", "c"], &games));
        assert_eq!(text, "round 1: a has a bye\nround 1: b - c, 1 - 1 so far\n");
        games.extend([(1, "b", "c", "draw"), (1, "c", "b", "p1win")]);
        games.extend((2..7).flat_map(|pair| [(pair, "a", "c", "p1win"), (pair, "c", "a", "p1win")]));
        let text = bracket(&standings_of(KNOCKOUT, &["a", "b", "c"], &games));
        let expected = "round 1: a has a bye
round 1: c beats b, 2.5 - 1.5, after one more pair of games
final: a - c, 5 - 5 so far
";
        assert_eq!(text, expected);
        games.extend([(7, "a", "c", "p1win"), (7, "c", "a", "p1win")]);
        let standings = standings_of(KNOCKOUT, &["a", "b", "c"], &games);
        let text = bracket(&standings);
        let expected = "final: a goes on before c as the better seed, 6 - 6, after 5 more pairs of games\n";
        assert!(text.ends_with(expected), "{text}");
        let order: Vec<usize> = standings.rows().iter().map(|row| row.engine).collect();
        assert_eq!(order, [0, 2, 1]);
        let last = &json(&standings)[1];
        assert_eq!(
            (&last["winner"], &last["extra_pairs"], &last["final"]),
            (&json!("a"), &json!(5), &json!(true))
        );
    }

    #[test]
    fn other_formats_have_no_bracket() {
        let standings = standings_of("swiss", &["a", "b"], &[]);
        assert_eq!((bracket(&standings).as_str(), json(&standings)), ("", Value::Null));
        assert!(tie_breaks(&standings, Style::Text).contains("Buchholz"));
    }
}
