//! How strong the engines are, apart from how many points they made.

use std::fmt::Write;

use stats::{Ratings, Z95};

use super::{Style, draw, tenths};
use crate::standings::{Row, Standings};

/// The engines by their ratings; empty before the first game.
pub fn ratings(standings: &Standings, style: Style) -> String {
    let Some((ratings, prior)) = standings.ratings() else { return String::new() };
    let mut rows = standings.rows();
    rows.sort_by(|a, b| ratings.ratings[b.engine].total_cmp(&ratings.ratings[a.engine]));
    let header = ["#", "Engine", "Rating", "± 95 %", "LOS %", "nElo", "± 95 %", "Draws %"];
    let line = |(i, row): (usize, &Row)| {
        let next = rows.get(i + 1).and_then(|next| los_of(&ratings, row.engine, next.engine));
        let strength = row.summary.as_ref();
        let [elo, error] = strength
            .and_then(|s| s.normalized_elo)
            .map_or_else(|| [String::new(), String::new()], |(elo, error)| [elo, error].map(tenths));
        [
            (i + 1).to_string(),
            standings.names()[row.engine].clone(),
            tenths(ratings.ratings[row.engine]),
            error_of(&ratings, row.engine).map(tenths).unwrap_or_default(),
            next.map(|los| format!("{:.1}", 100.0 * los)).unwrap_or_default(),
            elo,
            error,
            row.draw_ratio().map(|share| format!("{:.1}", 100.0 * share)).unwrap_or_default(),
        ]
    };
    let mut text = draw(style, &header.map(str::to_owned), rows.iter().enumerate().map(line));
    if style == Style::Markdown {
        text.push('\n');
    }
    let _ = writeln!(text, "Rating: Bradley-Terry, mean 0. LOS: of being stronger than the next.");
    if prior > 0.0 {
        let _ = writeln!(
            text,
            "Some never scored against others: each has {prior} virtual draw against the mean."
        );
    }
    text
}

/// Half the length of the 95 % interval of an engine's rating relative to the mean of all. `None` where nothing can be
/// said of it: that all results are as expected is no sign of certainty.
pub(super) fn error_of(ratings: &Ratings, engine: usize) -> Option<f64> {
    Some(Z95 * ratings.error_to_mean(engine)).filter(|error| *error > 1e-6)
}

/// The likelihood that an engine is stronger than another; `None` where their errors are unknown.
pub(super) fn los_of(ratings: &Ratings, engine: usize, other: usize) -> Option<f64> {
    error_of(ratings, engine).or(error_of(ratings, other)).map(|_| ratings.los(engine, other))
}

#[cfg(test)]
mod tests {
    use super::super::tests::standings;
    use super::*;

    #[test]
    fn engines_are_listed_by_strength() {
        // One pair each: b and c draw both games, a takes 1½ points of each.
        let games = [
            (0, "a", "b", "p1win"),
            (0, "b", "a", "draw"),
            (1, "b", "c", "draw"),
            (1, "c", "b", "draw"),
            (2, "c", "a", "draw"),
            (2, "a", "c", "p1win"),
        ];
        let text = ratings(&standings(&["c", "b", "a"], &games), Style::Text);
        // By hand: a score of 3/4 is expected at 190.8 points, and the mean is a third of that above the others. All
        // pairs are as expected, so nothing is known of the error.
        let expected = "
 #  Engine  Rating  ± 95 %  LOS %    nElo  ± 95 %  Draws %
──────────────────────────────────────────────────────────
 1  a        127.2                                    50.0
 2  c        -63.6                 -245.7   340.5     75.0
 3  b        -63.6                 -245.7   340.5     75.0
Rating: Bradley-Terry, mean 0. LOS: of being stronger than the next.
";
        assert_eq!(format!("\n{text}"), expected);
    }

    #[test]
    fn engines_that_always_win_get_a_prior() {
        let games = [(0, "a", "b", "p1win"), (1, "b", "c", "draw"), (2, "c", "a", "p2win")];
        let text = ratings(&standings(&["a", "b", "c"], &games), Style::Markdown);
        assert!(text.contains("\n| 1 | a "), "{text}");
        assert!(text.ends_with("each has 1 virtual draw against the mean.\n"), "{text}");
        assert_eq!(ratings(&standings(&["a", "b", "c"], &[]), Style::Text), "");
    }
}
