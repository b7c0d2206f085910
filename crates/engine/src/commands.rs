//! What each command does.

use std::time::Instant;

use game::{Family, Param, Setup, SetupError, Side};
use protocol::{
    Answer, Command, Dialect, ErrorCode, ErrorReply, GameDecl, Go, ParamDecl, Query, Reply, Root, Token,
};
use search::clock::Budget;

use crate::input::Input;
use crate::options::{Changed, default_text};
use crate::seat::{Placer, Seat, illegal};
use crate::session::{Search, Session};
use crate::worker::{Finding, Task};

/// What this engine can do beyond the minimum.
const CAPABILITIES: [&str; 9] =
    ["setup", "query", "errors", "tag", "incremental", "multipv", "searchmoves", "perft", "wait"];

/// What `help` prints.
const HELP: [&str; 11] = [
    "ugi | uci: who this engine is and which options it has",
    "setup GAME [KEY VALUE]...: another board; setoption name NAME value VALUE: an option",
    "uginewgame: the start position, with everything learnt forgotten",
    "position startpos | fen F | current [moves M...]: what to think about",
    "go [depth N] [nodes N] [movetime MS] [p1time MS p2time MS] [searchmoves M...] [tag T]: think; alone, until stop",
    "query p1turn | gameover | result | reason | score | legal | islegal M | turn | ply: the rules' answers",
    "query fen | moves | board | game | status | eval | perft N: more of them; d: the board",
    "legal N M...: the legal moves, checked against the rules",
    "stop: end the search; wait: read on when all before is done; isready: answers readyok",
    "debug on | off: accepted without effect; help: this text",
    "quit: leave",
];

impl<F: Family> Session<F> {
    /// Executes a line. No search runs.
    pub(crate) fn execute(&mut self, input: Input) {
        match input.line {
            Ok(Command::Hello { dialect, version }) => self.hello(dialect, version),
            Ok(Command::IsReady) => self.send(&Reply::ReadyOk),
            Ok(Command::NewGame(_)) => self.new_game(),
            Ok(Command::Setup { game, pairs }) => self.set_up(&game, &pairs),
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Ok(Command::Position { root, moves }) => self.position(&root, &moves),
            Ok(Command::Legal(moves)) => self.check_legal(&moves),
            Ok(Command::Go(go)) => self.go(&go, input.at),
            Ok(Command::Query(query)) => self.query(&query, input.at),
            Ok(Command::Display) => self.query(&Query::Board, input.at),
            Ok(Command::Help) => HELP.iter().for_each(|line| self.inform(line)),
            Ok(Command::Wait) => self.resume_reader(),
            // `stop` and `quit` act when they are read, and there is nothing to debug.
            Ok(Command::Debug(_) | Command::Stop | Command::Quit) => {}
            Err(refusal) => {
                let foreign = refusal.game.filter(|game| game.as_str() != F::NAME);
                self.error(foreign.map_or(refusal.error, |game| unknown_game::<F>(&game)));
                self.settle(refusal.owed);
            }
        }
    }

    fn hello(&mut self, dialect: Dialect, version: Option<i64>) {
        self.dialect = dialect;
        if version.is_some_and(|version| version != 1) {
            self.error(ErrorReply::unsupported("version").text("this engine speaks version 1"));
        }
        let id = |field: &str, text: &str| Reply::Id { field: field.to_owned(), text: text.to_owned() };
        self.send(&id("name", &self.seat().name()));
        self.send(&id("author", "the Ludus developers"));
        if dialect == Dialect::Ugi {
            self.send(&id("version", env!("CARGO_PKG_VERSION")));
            self.send(&Reply::Protocol { name: "ludus".to_owned(), major: 1, minor: 0 });
            self.send(&Reply::Cap(self.capabilities()));
            self.send(&Reply::Game(game_declaration::<F>()));
        }
        for option in self.settings.declarations() {
            self.send(&Reply::Option(option));
        }
        self.send(&Reply::HelloOk(dialect));
    }

    /// Lines of other ranks come only from agents that have the option for it.
    fn capabilities(&self) -> Vec<String> {
        let capable = |cap: &&str| *cap != "multipv" || self.settings.agent().has_option("MultiPV");
        CAPABILITIES.into_iter().filter(capable).map(str::to_owned).collect()
    }

    fn new_game(&mut self) {
        if !self.apply_pending_setup() {
            return;
        }
        match self.setup.clone() {
            Some(setup) => self.begin_game(&setup),
            None => self.error(no_position()),
        }
    }

    fn set_up(&mut self, game: &Token, pairs: &[(Token, String)]) {
        if game.as_str() != F::NAME {
            self.unset_setup();
            return self.error(unknown_game::<F>(game));
        }
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let setup = self.settings.setup(&pairs);
        if let Some(setup) = self.take_setup(setup) {
            self.send(&Reply::SetupOk { game: name::<F>(), pairs: setup_pairs::<F>(&setup) });
        }
    }

    /// Makes a set-up the present one and begins a game; a refused one leaves everything unset.
    fn take_setup(&mut self, setup: Result<Setup, SetupError>) -> Option<Setup> {
        match setup {
            Ok(setup) => {
                self.setup = Some(setup.clone());
                self.begin_game(&setup);
                self.placed.then_some(setup)
            }
            Err(error) => {
                self.unset_setup();
                self.error(ErrorReply::bad_param(&error.key, &error.value).text(error.expected));
                None
            }
        }
    }

    /// Makes one set-up of all the keys that `setoption` has set since the last one. `false`: it was refused, and that
    /// is the one error that the command at hand gets.
    fn apply_pending_setup(&mut self) -> bool {
        self.settings.pending_setup().is_none_or(|setup| self.take_setup(setup).is_some())
    }

    fn unset_setup(&mut self) {
        self.setup = None;
        self.placed = false;
    }

    fn begin_game(&mut self, setup: &Setup) {
        self.place_start(setup);
        if self.placed {
            self.seat_mut().new_game();
        }
    }

    /// Puts the start position on the seat.
    pub(crate) fn place_start(&mut self, setup: &Setup) {
        let placed = F::start(setup, self.placer());
        self.take_placed(placed);
    }

    /// Seats a fresh agent after a fault has taken the old one away. The position is unset.
    pub(crate) fn reseat(&mut self) {
        let setup = self.setup.clone().unwrap_or_else(F::default_setup);
        self.place_start(&setup);
        self.placed = false;
    }

    fn placer(&mut self) -> Placer<'_> {
        let Session { seat, settings, .. } = self;
        Placer { seat, chosen: settings.agent(), title: F::TITLE }
    }

    fn take_placed(&mut self, placed: Result<(), String>) {
        self.placed = placed.is_ok();
        if let Err(message) = placed {
            self.error(ErrorReply::new(ErrorCode::Internal).text(message));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.settings.agent().clone();
        let changed = match self.settings.set(name, value) {
            Ok(changed) => changed,
            Err(error) => return self.error(error),
        };
        let agent = self.settings.agent().clone();
        let taken = match changed {
            Changed::Nothing => Ok(()),
            Changed::Agent => self.seat_mut().replace_agent(&agent),
            Changed::AgentOptions => self.seat_mut().configure(&agent.options, &before.options),
        };
        if let Err(message) = taken {
            self.settings.restore_agent(before);
            self.error(ErrorReply::bad_value(name).text(message));
        }
    }

    fn position(&mut self, root: &Root, moves: &[Token]) {
        if !self.apply_pending_setup() {
            return;
        }
        let was_placed = std::mem::replace(&mut self.placed, false);
        let Some(setup) = self.setup.clone() else { return self.error(no_position()) };
        match root {
            Root::StartPos => self.place_start(&setup),
            Root::Fen(fen) => match F::load(fen, self.placer()) {
                Ok(placed) => self.take_placed(placed),
                Err(error) => self.error(ErrorReply::bad_fen(error.field).text(error.message)),
            },
            Root::Current if was_placed => self.placed = true,
            Root::Current => self.error(no_position()),
        }
        if !self.placed {
            return;
        }
        let seat = self.seat_mut();
        let refused = moves.iter().enumerate().find_map(|(i, m)| Some((i, m, seat.play(m.as_str()).err()?)));
        if let Some((index, m, error)) = refused {
            self.placed = false;
            self.error(illegal(index, m, &error));
        }
    }

    fn check_legal(&mut self, moves: &[Token]) {
        if !self.placed {
            return self.error(no_position());
        }
        let seat = self.seat();
        let refused = moves.iter().enumerate().find_map(|(i, m)| Some((i, m, seat.check(m.as_str()).err()?)));
        if let Some((index, m, error)) = refused {
            self.error(illegal(index, m, &error));
        }
    }

    fn go(&mut self, go: &Go, at: Instant) {
        if !self.apply_pending_setup() {
            return self.best_move(None, go.tag.clone());
        }
        let search = Search::new(Task::Think, go.infinite, go.tag.clone());
        let refused = if !self.placed {
            no_position()
        } else if self.seat().outcome().is_some() {
            if go.infinite {
                return self.begin_with(search, Finding::Best(None));
            }
            ErrorReply::new(ErrorCode::GameOver)
        } else {
            let (overhead, pace) = (self.settings.move_overhead(), self.settings.pace());
            match self.seat_mut().prepare(go, overhead, &pace) {
                Ok(budget) => return self.begin(search, budget, at),
                Err(error) => error,
            }
        };
        self.error(refused);
        self.best_move(None, go.tag.clone());
    }

    fn query(&mut self, query: &Query, at: Instant) {
        if !self.apply_pending_setup() {
            return;
        }
        let name = query.word();
        match query {
            Query::Status => self.respond(name, ["idle"]),
            Query::Game => match &self.setup {
                Some(setup) => {
                    let pairs = setup_pairs::<F>(setup).into_iter();
                    let words = pairs.flat_map(|(key, value)| [key.to_string(), value]);
                    self.respond(name, std::iter::once(F::NAME.to_owned()).chain(words));
                }
                None => self.error(no_position()),
            },
            _ if !self.placed => self.error(no_position()),
            Query::P1Turn => self.respond_word(truth(self.seat().side() == Side::First)),
            Query::GameOver => self.respond_word(truth(self.seat().outcome().is_some())),
            Query::Result => self.respond_word(self.seat().outcome().map_or("none", |o| o.token())),
            Query::Reason => self.respond(name, [self.seat().outcome().map_or("none", |o| o.reason)]),
            Query::Score => match self.seat().score() {
                Some((first, second)) => self.respond(name, [first, second]),
                None => self.error(ErrorReply::unsupported(name).text("this game counts no points")),
            },
            Query::Legal => self.respond_list(name, self.seat().legal()),
            Query::IsLegal(m) => self.respond(name, [truth(self.seat().check(m.as_str()).is_ok())]),
            Query::Turn => self.respond(name, [self.seat().side().token()]),
            Query::Ply => self.respond(name, [self.seat().ply()]),
            Query::Fen => self.respond(name, self.seat().fen().split(' ')),
            Query::Moves => self.respond_list(name, self.seat().moves()),
            Query::Board => {
                let lines = self.seat().board();
                let count = lines.len();
                for line in lines {
                    self.send(&Reply::BoardLine(line));
                }
                self.respond(name, [count]);
            }
            Query::Eval => self.respond(name, [self.seat().value()]),
            Query::Perft(depth) => {
                self.begin(Search::new(Task::Perft(*depth), false, None), Budget::default(), at);
            }
        }
    }

    /// Answers one of the three classic queries.
    fn respond_word(&self, word: &str) {
        self.send(&Reply::Response(Answer::Word(word.to_owned())));
    }

    /// Answers the query of that name.
    pub(crate) fn respond<T: ToString>(&self, name: &str, words: impl IntoIterator<Item = T>) {
        let tokens = words.into_iter().map(|word| word.to_string()).collect();
        self.send(&Reply::Response(Answer::Named { name: name.to_owned(), tokens }));
    }

    /// Answers the query of that name with a list, its length first.
    fn respond_list(&self, name: &str, list: Vec<String>) {
        self.respond(name, std::iter::once(list.len().to_string()).chain(list));
    }

    /// The seat. No search runs.
    fn seat(&self) -> &dyn Seat {
        self.seat.as_deref().expect("the seat is here while nothing is searched")
    }

    fn seat_mut(&mut self) -> &mut dyn Seat {
        self.seat.as_deref_mut().expect("the seat is here while nothing is searched")
    }
}

fn truth(truth: bool) -> &'static str {
    if truth { "true" } else { "false" }
}

fn no_position() -> ErrorReply {
    ErrorReply::new(ErrorCode::NoPosition)
}

/// The game's name on the wire.
fn name<F: Family>() -> Token {
    Token::new(F::NAME).expect("games have tokens for names")
}

/// The key of a parameter on the wire.
fn key(param: &Param) -> Token {
    Token::key(param.key).expect("set-up keys are keys on the wire")
}

/// The refusal of a `setup` that isn't of this game.
fn unknown_game<F: Family>(game: &Token) -> ErrorReply {
    ErrorReply::unknown_game(game.as_str()).text(format!("expected the name of a game: {}", F::NAME))
}

/// The keys and values of a set-up.
fn setup_pairs<F: Family>(setup: &Setup) -> Vec<(Token, String)> {
    F::PARAMS.iter().zip(&setup.0).map(|(param, value)| (key(param), value.to_string())).collect()
}

fn game_declaration<F: Family>() -> GameDecl {
    let param = |param: &Param| ParamDecl {
        key: key(param),
        kind: "int".to_owned(),
        default: default_text(param),
        min: Some(param.min),
        max: Some(param.max),
        vars: if param.auto { vec!["auto".to_owned()] } else { Vec::new() },
    };
    GameDecl { name: name::<F>(), params: F::PARAMS.iter().map(param).collect() }
}
