use std::collections::VecDeque;
use std::time::Duration;

use game::{Rules, Setup, Side, State};
use protocol::{Best, Command, Go, MAX_LINE, Owed, Player, Refusal, Reply, Root, Token};

use super::script::words;
use crate::driver::counted;

/// What is expected where a move comes that no search waits for.
pub(super) const UNASKED: &str = "one `bestmove` for one `go`, and no other";

/// Follows a conversation by our own rules: which position each search is about, and whether what comes of it is legal.
pub(super) struct Judge {
    rules: &'static dyn Rules,
    /// `None`: unset, or, where the place is unknown, unknown too.
    setup: Option<Setup>,
    place: Place,
    searches: VecDeque<Search>,
    /// Whether `stop` was sent since the last `go` or `bestmove`.
    stopped: bool,
}

/// Where the engine's position stands.
enum Place {
    Known(Box<dyn State>),
    Unset,
    /// Not followed: it depends on options that wait for their turn.
    Unknown,
}

/// A `go` that is not answered yet.
struct Search {
    place: Place,
    tag: Option<Token>,
    /// The least time that one of its limits gives it; `None`: it has no limit of time.
    time: Option<Duration>,
}

impl Clone for Place {
    fn clone(&self) -> Place {
        match self {
            Place::Known(state) => Place::Known(state.boxed_clone()),
            Place::Unset => Place::Unset,
            Place::Unknown => Place::Unknown,
        }
    }
}

impl Judge {
    /// Follows an engine that was just started.
    pub(super) fn new(rules: &'static dyn Rules) -> Judge {
        // Every game has a default set-up.
        let setup = rules.setup(&[]).ok();
        let mut judge =
            Judge { rules, setup, place: Place::Unset, searches: VecDeque::new(), stopped: false };
        judge.restart();
        judge
    }

    fn restart(&mut self) {
        self.place = match (&self.setup, &self.place) {
            (Some(setup), _) => Place::Known(self.rules.start(setup)),
            (None, Place::Unknown) => Place::Unknown,
            (None, _) => Place::Unset,
        };
    }

    /// The position that was last sent, if it is known.
    pub(super) fn position(&self) -> Option<&dyn State> {
        match &self.place {
            Place::Known(state) => Some(&**state),
            _ => None,
        }
    }

    /// How many searches are not answered yet.
    pub(super) fn open_searches(&self) -> usize {
        self.searches.len()
    }

    /// What the search that is to be answered next may take, if it may not take as long as it likes.
    pub(super) fn time(&self) -> Option<Duration> {
        if self.stopped { Some(Duration::ZERO) } else { self.searches.front().and_then(|search| search.time) }
    }

    /// Takes note of a line that is sent.
    pub(super) fn sent(&mut self, line: &[u8]) {
        let command = match line.get(..MAX_LINE).filter(|_| line.len() > MAX_LINE) {
            Some(head) => Err(Refusal::too_long(head.get(..256).unwrap_or_default())),
            None => Command::parse(line).transpose().unwrap_or(Ok(Command::Help)),
        };
        match command {
            Ok(Command::NewGame(_)) => self.restart(),
            Ok(Command::Setup { game, pairs }) => {
                let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
                let known = game.as_str() == self.rules.name();
                self.setup = known.then(|| self.rules.setup(&pairs).ok()).flatten();
                self.restart();
            }
            Ok(Command::SetOption { name, .. })
                if self.rules.params().iter().any(|p| p.key.eq_ignore_ascii_case(&name)) =>
            {
                self.setup = None;
                self.place = Place::Unknown;
            }
            Ok(Command::Position { root, moves }) => self.place = self.placed(&root, &moves),
            Ok(Command::Go(go)) => {
                self.stopped = false;
                let time = self.allowed(&go);
                self.searches.push_back(Search { place: self.place.clone(), tag: go.tag, time });
            }
            Ok(Command::Stop) => self.stopped = true,
            Err(Refusal { owed: Owed::BestMove(tag), .. }) => {
                self.stopped = false;
                self.searches.push_back(Search { place: Place::Unset, tag, time: Some(Duration::ZERO) });
            }
            Err(Refusal { owed: Owed::UnsetPosition, .. }) => self.place = Place::Unset,
            Err(Refusal { owed: Owed::UnsetSetup, .. }) => {
                self.setup = None;
                self.place = Place::Unset;
            }
            Ok(_) | Err(_) => {}
        }
    }

    fn placed(&self, root: &Root, moves: &[Token]) -> Place {
        let state = match (root, &self.place, &self.setup) {
            (Root::Fen(fen), ..) => self.rules.load(fen).ok(),
            (Root::Current, Place::Known(state), _) => Some(state.boxed_clone()),
            (Root::StartPos, _, Some(setup)) => Some(self.rules.start(setup)),
            (_, Place::Unknown, _) => return Place::Unknown,
            _ => None,
        };
        let Some(mut state) = state else { return Place::Unset };
        let legal = moves.iter().all(|m| state.play(m.as_str()).is_ok());
        if legal { Place::Known(state) } else { Place::Unset }
    }

    fn allowed(&self, go: &Go) -> Option<Duration> {
        let player = match self.position()?.side_to_move() {
            Side::First => Player::P1,
            Side::Second => Player::P2,
        };
        let clock = go.clock(player).ok().flatten().map(|clock| clock.time);
        let ms = go.movetime.into_iter().chain(clock).min().filter(|_| !go.infinite)?;
        Some(Duration::from_millis(ms.max(0).unsigned_abs()))
    }

    /// Judges a `bestmove` line of an engine that knows `tags` or not; `strict`: nothing may follow. An error says what
    /// was expected instead.
    pub(super) fn best_move(&mut self, line: &str, tags: bool, strict: bool) -> Result<(), String> {
        let Some(search) = self.searches.pop_front() else {
            return Err(UNASKED.into());
        };
        self.stopped &= self.searches.is_empty();
        let Reply::BestMove { best, tag } = Reply::parse(line.as_bytes()) else {
            return Err("a `bestmove`".into());
        };
        let tag_expected = search.tag.as_ref().filter(|_| tags);
        if tag.as_ref() != tag_expected {
            return Err(tag_expected
                .map_or("no tag: none was sent".into(), |tag| format!("the tag of its `go`, {tag}")));
        }
        if strict && words(line).count() > if tag.is_some() { 4 } else { 2 } {
            return Err("nothing but a move, and a tag if one was sent".into());
        }
        match (&best, &search.place) {
            (Best::Null, _) if words(line).nth(1) == Some("0000") => Ok(()),
            (Best::Null, _) => Err("a move or 0000".into()),
            (_, Place::Unknown) => Ok(()),
            (_, Place::Unset) => Err("bestmove 0000: there is no position to search".into()),
            (Best::Malformed(_), Place::Known(state)) => Err(legal_moves(&**state)),
            (Best::Move(m), Place::Known(state)) => match state.boxed_clone().play(m.as_str()) {
                Ok(_) => Ok(()),
                Err(error) => Err(format!("{}; {m}: {error}", legal_moves(&**state))),
            },
        }
    }

    /// What is wrong with the line of moves of an `info`, if anything is.
    pub(super) fn pv(&self, moves: &[Token]) -> Option<String> {
        let Some(Search { place: Place::Known(state), .. }) = self.searches.front() else { return None };
        let mut state = state.boxed_clone();
        moves.iter().find_map(|m| {
            let fen = state.fen();
            state.play(m.as_str()).err().map(|error| format!("{m} in {fen}: {error}"))
        })
    }
}

/// The legal moves of a position, for people.
fn legal_moves(state: &dyn State) -> String {
    let legal = state.legal();
    let some = legal.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(" ");
    let more = if legal.len() > 20 { " …" } else { "" };
    format!("one of the {} legal moves {some}{more} of {}", legal.len(), state.fen())
}

/// The line that tells an engine without rules what is legal.
pub(super) fn legal_line(state: &dyn State) -> String {
    format!("legal {}\n", counted(&state.legal()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(lines: &[&str]) -> Judge {
        let mut judge = Judge::new(registry::find("simplexity").unwrap());
        for line in lines {
            judge.sent(line.as_bytes());
        }
        judge
    }

    #[test]
    fn a_move_is_judged_in_the_position_of_its_go() {
        let lines = ["position startpos moves 4o", "go infinite tag a", "position nowhere", "go depth 1"];
        let mut judge = judge(&lines);
        assert!(judge.best_move("bestmove 4o tag a", true, true).is_ok());
        assert!(judge.best_move("bestmove 4o", true, true).unwrap_err().contains("bestmove 0000"));
        assert!(judge.best_move("bestmove 0000", true, true).unwrap_err().contains(UNASKED));
    }

    #[test]
    fn each_way_to_answer_wrongly() {
        for (go, best, expected) in [
            ("go depth 1", "bestmove 8o", "one of the 14 legal moves 1o 1s"),
            ("go depth 1", "bestmove (x)", "one of the 14 legal moves"),
            ("go depth 1", "bestmove none", "a move or 0000"),
            ("go depth 1", "bestmove", "a move or 0000"),
            ("go depth 1", "bestmove 4o tag a", "no tag"),
            ("go depth 1 tag a", "bestmove 4o", "the tag of its `go`, a"),
            ("go depth 1 tag a", "bestmove 4o tag b", "the tag of its `go`, a"),
            ("go depth 1", "bestmove 4o ponder 4s", "nothing but a move"),
        ] {
            let error = judge(&[go]).best_move(best, true, true).unwrap_err();
            assert!(error.contains(expected), "{best}: {error}");
        }
        assert!(judge(&["go dpeth 1 tag t"]).best_move("bestmove 0000 tag t", true, true).is_ok());
        assert!(judge(&["go depth 1"]).best_move("bestmove 0000", false, true).is_ok());
    }

    #[test]
    fn lines_are_followed_by_the_rules() {
        let judge =
            judge(&["setup simplexity rows 2 cols 2 win 2", "position startpos moves 1o", "go depth 2"]);
        let moves = |text: &str| text.split(' ').filter_map(Token::new).collect::<Vec<_>>();
        assert_eq!(judge.pv(&moves("2s 1o")), None);
        assert!(judge.pv(&moves("2s 3o")).unwrap().starts_with("3o in "));
    }

    #[test]
    fn time_is_that_of_the_search_which_is_next() {
        assert_eq!(judge(&["go depth 3"]).time(), None);
        assert_eq!(judge(&["go movetime 50 p1time 20 p2time 1"]).time(), Some(Duration::from_millis(20)));
        assert_eq!(judge(&["go infinite movetime 50"]).time(), None);
        assert_eq!(judge(&["go infinite", "stop"]).time(), Some(Duration::ZERO));
    }
}
