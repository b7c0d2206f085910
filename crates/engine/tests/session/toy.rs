//! A game for tests: players in turn take 1 to `take` counters from a pile, and whoever takes the last one wins. Large
//! piles have a position type of their own, and the agents behave in all the ways a session must cope with.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use game::{
    Agent, AgentSpec, BoardStyle, Control, Evaluate, Family, FenError, Game, Limits, MoveError, Notation,
    OptionKind, OptionSpec, Options, Outcome, Param, Playable, Record, Report, Score, Setup, SetupError,
    Side, Visitor, Words, zobrist,
};

/// Piles above this need the second position type.
const SMALL: u32 = 1_000;

pub(crate) struct Toy;

impl Family for Toy {
    const NAME: &'static str = "toy";
    const TITLE: &'static str = "Toy";
    const WORDS: &'static Words = &Words { sides: ["one", "two"], moves: "a number to take", reasons: &[] };
    const PARAMS: &'static [Param] = &[
        Param { key: "pile", default: Some(21), min: 1, max: 1_000_000, auto: false, about: "counters" },
        Param { key: "take", default: None, min: 1, max: 9, auto: true, about: "largest number to take" },
    ];
    const WEIGHTS: &'static [OptionSpec] = &[];
    const BENCH: &'static str = "7 3 p1 0,0\n2000 3 p2 5,5\n";
    const AGENTS: &'static [AgentSpec] = &[
        agent("first", &[]),
        agent("idle", &[]),
        agent("chatty", &[]),
        agent("mute", &[]),
        agent("panic", &[]),
        agent("deaf", &[]),
        agent(
            "greedy",
            &[OptionSpec { name: "Greed", kind: OptionKind::Spin { default: 1, min: 1, max: 9 } }],
        ),
    ];

    fn resolve(values: &[Option<i64>]) -> Result<Setup, SetupError> {
        let pile = values[0].unwrap();
        let take = values[1].unwrap_or(3.min(pile));
        if take > pile {
            let expected = format!("expected at most the pile, {pile}");
            return Err(SetupError { key: "take".into(), value: take.to_string(), expected });
        }
        Ok(Setup(vec![pile, take]))
    }

    fn start<V: Visitor>(setup: &Setup, visitor: V) -> V::Output {
        visit(setup.0[0] as u32, setup.0[1] as u32, Side::First, [0; 2], visitor)
    }

    fn load<V: Visitor>(fen: &str, visitor: V) -> Result<V::Output, FenError> {
        let Fields { left, take, side, taken } = fields(fen)?;
        Ok(visit(left, take, side, taken, visitor))
    }
}

const fn agent(name: &'static str, options: &'static [OptionSpec]) -> AgentSpec {
    AgentSpec { name, about: "for tests", options, default_opponent: false }
}

fn visit<V: Visitor>(left: u32, take: u32, side: Side, taken: [u32; 2], visitor: V) -> V::Output {
    if left <= SMALL {
        visitor.visit(Pile::<false> { left, take, side, taken })
    } else {
        visitor.visit(Pile::<true> { left, take, side, taken })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Pile<const LARGE: bool> {
    left: u32,
    take: u32,
    side: Side,
    taken: [u32; 2],
}

struct Fields {
    left: u32,
    take: u32,
    side: Side,
    taken: [u32; 2],
}

/// Reads `LEFT TAKE SIDE TAKEN,TAKEN`.
fn fields(fen: &str) -> Result<Fields, FenError> {
    let fields: Vec<_> = fen.split(' ').collect();
    let [left, take, side, taken] = fields[..] else { return Err(FenError::new(1, "expected four fields")) };
    let number = |field, text: &str| text.parse().map_err(|_| FenError::new(field, "expected a number"));
    let side = match side {
        "p1" => Side::First,
        "p2" => Side::Second,
        _ => return Err(FenError::new(3, "expected p1 or p2")),
    };
    let (first, second) = taken.split_once(',').ok_or_else(|| FenError::new(4, "expected two numbers"))?;
    let taken = [number(4, first)?, number(4, second)?];
    Ok(Fields { left: number(1, left)?, take: number(2, take)?, side, taken })
}

impl<const LARGE: bool> Game for Pile<LARGE> {
    type Move = u8;

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome { winner: Some(self.side.other()), reason: "empty" })
    }
    fn score(&self) -> Option<(u32, u32)> {
        Some((self.taken[0], self.taken[1]))
    }
    fn moves(&self, f: impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        (1..=self.take.min(self.left) as u8).try_for_each(f)
    }
    fn is_legal(&self, m: u8) -> bool {
        (1..=self.take.min(self.left)).contains(&m.into())
    }
    fn play_unchecked(&mut self, m: u8) {
        self.left = self.left.saturating_sub(m.into());
        self.taken[self.side.index()] += u32::from(m);
        self.side = self.side.other();
    }
    fn key(&self) -> u64 {
        let side = self.side.index() as u64;
        zobrist::number(side, u64::from(self.left) << 32 | u64::from(self.taken[0]))
            ^ zobrist::number(7, u64::from(self.take))
    }
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
    fn move_bits(m: u8) -> u16 {
        m.into()
    }
    fn move_from_bits(&self, bits: u16) -> Option<u8> {
        u8::try_from(bits).ok()
    }
}

impl<const LARGE: bool> Notation for Pile<LARGE> {
    fn from_fen(text: &str) -> Result<Self, FenError> {
        let Fields { left, take, side, taken } = fields(text)?;
        Ok(Pile { left, take, side, taken })
    }
    fn fen(&self) -> String {
        format!("{} {} {} {},{}", self.left, self.take, self.side.token(), self.taken[0], self.taken[1])
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveError> {
        let number = text.to_ascii_lowercase().strip_prefix('t').and_then(|digits| digits.parse().ok());
        let m = number.ok_or_else(|| MoveError::Malformed(text.into()))?;
        match self.outcome() {
            Some(_) => Err(MoveError::GameOver),
            None if self.is_legal(m) => Ok(m),
            None => Err(MoveError::Illegal(format!("takes 1 to {}", self.take.min(self.left)))),
        }
    }
    fn move_text(&self, m: u8) -> String {
        format!("t{m}")
    }
    fn board(&self, last: Option<u8>, _: BoardStyle) -> Vec<String> {
        let last = last.map_or(String::new(), |m| format!(" after {m}"));
        vec![format!("  {} counters{last}", self.left), format!("{} to move", self.side.token())]
    }
}

impl<const LARGE: bool> Evaluate for Pile<LARGE> {
    type Memo = ();

    fn memo(&self) {}

    type Weights = ();

    fn evaluate_with(&self, (): &(), (): &()) -> i32 {
        if self.left.is_multiple_of(self.take + 1) { -50 } else { 50 }
    }
    fn order_hint(&self, m: u8, (): &()) -> i32 {
        m.into()
    }
    fn history_size(&self) -> usize {
        256
    }
    fn history_index(&self, m: u8) -> usize {
        m.into()
    }
    fn max_plies_left(&self) -> u32 {
        self.left
    }
}

impl<const LARGE: bool> Playable for Pile<LARGE> {
    fn agent(name: &str, options: &Options) -> Option<Box<dyn Agent<Self>>> {
        let spec = Toy::AGENTS.iter().find(|spec| spec.name == name)?;
        Some(Box::new(Tester { name: spec.name, greed: greed(options), is_tired: false }))
    }
}

fn greed(options: &Options) -> u8 {
    options.int("Greed").unwrap_or(1) as u8
}

struct Tester {
    name: &'static str,
    greed: u8,
    /// Whether it has thought since it rested.
    is_tired: bool,
}

impl<G: Game<Move = u8>> Agent<G> for Tester {
    fn name(&self) -> String {
        format!("Tester {} {}", self.name, self.greed)
    }

    fn configure(&mut self, options: &Options) -> Result<(), String> {
        if self.is_tired {
            return Err("too tired".into());
        }
        if greed(options) == 9 {
            return Err("too greedy".into());
        }
        self.greed = greed(options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn rest(&mut self) {
        self.is_tired = false;
    }

    fn think(&mut self, _: &Record<G>, _: &Limits<u8>, control: &dyn Control<u8>) -> Option<u8> {
        self.is_tired = true;
        let until_stopped = |act: &mut dyn FnMut()| {
            while !control.stopped() {
                act();
            }
        };
        match self.name {
            "idle" => until_stopped(&mut || thread::sleep(Duration::from_micros(50))),
            "chatty" => {
                let mut report = Report {
                    depth: 1,
                    seldepth: 1,
                    nodes: 0,
                    score: Score::Win(5),
                    multipv: None,
                    hashfull: None,
                    pv: &[1, 1],
                };
                until_stopped(&mut || {
                    report.depth += 1;
                    report.nodes += 100;
                    let _ = control.report(&report);
                });
            }
            "deaf" => thread::sleep(Duration::from_secs(5)),
            "mute" => return None,
            "panic" => panic!("an agent's fault"),
            _ => {}
        }
        Some(self.greed)
    }
}
