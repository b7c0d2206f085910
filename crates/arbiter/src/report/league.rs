//! The table of a league.

use serde_json::{Value, json};

use super::{Style, draw};
use crate::league::{Bot, League};
use crate::standings::Standings;

/// The bots of a league by rating, those that have left without a place; empty for other formats.
pub fn league(standings: &Standings, style: Style) -> String {
    let Some(league) = standings.league() else { return String::new() };
    if league.bots().is_empty() {
        return "no bot has entered the league yet\n".into();
    }
    let header = ["#", "Bot", "Rating", "± Deviation", "Games", "W", "D", "L", "Faults", "State"];
    let ranked = (1..).zip(league.ranking()).map(|(rank, bot)| (rank, &league.bots()[bot]));
    let line = |(rank, bot): (usize, &Bot)| {
        let [losses, draws, wins] = bot.games;
        [
            if bot.is_present { rank.to_string() } else { String::new() },
            bot.engine.name.clone(),
            format!("{:.0}", bot.rating.rating),
            format!("{:.0}", bot.rating.deviation),
            bot.played().to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            bot.faults.to_string(),
            state(league, bot).to_owned(),
        ]
    };
    draw(style, &header.map(str::to_owned), ranked.map(line))
}

fn state(league: &League, bot: &Bot) -> &'static str {
    match bot {
        Bot { is_present: false, .. } => "gone",
        Bot { is_broken: true, .. } => "doesn't start",
        _ if league.is_rated(bot) => "rated",
        _ => "playing",
    }
}

/// The bots of a league as JSON in the order of the table, null for other formats.
pub(super) fn json(standings: &Standings) -> Value {
    let Some(league) = standings.league() else { return Value::Null };
    let value = |bot: usize| {
        let bot = &league.bots()[bot];
        let [losses, draws, wins] = bot.games;
        json!({
            "bot": bot.engine.name,
            "rating": bot.rating.rating,
            "deviation": bot.rating.deviation,
            "volatility": bot.rating.volatility,
            "wins": wins, "draws": draws, "losses": losses,
            "faults": bot.faults,
            "state": state(league, bot),
        })
    };
    league.ranking().into_iter().map(value).collect()
}
