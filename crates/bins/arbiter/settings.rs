//! What a run is asked to play, as options of the command line.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use arbiter::adjudication::{Adjudication, DrawRule, ResignRule};
use arbiter::config::{ClockControl, EngineSpec, TimeControl};
use arbiter::isolation::Isolation;
use arbiter::league::LEAGUE;
use arbiter::openings::{self, Order, Source};
use arbiter::plan::Plan;
use arbiter::preset::{self, Preset};
use arbiter::record::{EngineRecord, LeagueRecord, LimitsRecord, PlanRecord, SCHEMA, SprtRecord};
use arbiter::rounds::{KNOCKOUT, SWISS};
use arbiter::shard::Shard;
use arbiter::spec;
use arbiter::sprt;
use clap::{Args, ValueEnum};
use engine::integer;
use game::{Param, Rules, Setup};

use crate::file::text_of;

/// Games of each pairing unless something else is asked for.
const DEFAULT_GAMES: u64 = 20;
/// Deviation at which a bot of a league counts as rated.
const DEFAULT_DEVIATION: u16 = 75;
/// Nodes to solve a position of a running game, unless something else is asked for.
const SOLVE_NODES: &str = "20000";
/// Milliseconds per move unless a limit is given.
const DEFAULT_MOVETIME: u64 = 100;

/// What bounds the engines.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Milliseconds per move [default, if no limit is given: 100, where people play 1000]
    #[arg(long, value_name = "MS", value_parser = integer(1..=u64::MAX))]
    movetime: Option<u64>,
    /// Milliseconds for each engine's first move of a game, instead of --movetime
    #[arg(long, value_name = "MS", value_parser = integer(0..=u64::MAX))]
    first_movetime: Option<u64>,
    /// Seconds per game, [MOVES/]SECONDS[+INCREMENT]
    #[arg(long, value_name = "TC")]
    tc: Option<ClockControl>,
    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = integer(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = integer(1..=u32::MAX))]
    depth: Option<u32>,
    /// Milliseconds beyond its limit before a move loses on time
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = integer(0..=u64::MAX))]
    pub(crate) margin: u64,
    /// Milliseconds for a move that only nodes or depth limit
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = integer(0..=u64::MAX))]
    pub(crate) max_think: u64,
    /// A game with this many plies is a draw
    #[arg(long, value_name = "N", value_parser = integer(1..=u32::MAX))]
    pub(crate) max_plies: Option<u32>,
}

impl LimitArgs {
    /// Whether any limit of a move or a game is given.
    fn is_any(&self) -> bool {
        self.movetime.is_some() || self.tc.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The limits given; if there are none, so many milliseconds per move, if any.
    pub(crate) fn control(&self, default_movetime: Option<u64>) -> Result<TimeControl> {
        let movetime = if self.is_any() { self.movetime } else { default_movetime };
        let mut limits = TimeControl {
            movetime: movetime.map(Duration::from_millis),
            first_movetime: None,
            clock: self.tc,
            nodes: self.nodes,
            depth: self.depth,
        };
        limits.first_movetime = self.first_movetime.map(Duration::from_millis);
        ensure!(
            limits.movetime.is_some() || limits.first_movetime.is_none(),
            "--first-movetime is instead of --movetime for one move; give that too"
        );
        Ok(limits)
    }
}

/// What is particular to a league.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Games")]
pub(crate) struct LeagueArgs {
    /// A league, whose ENGINE is a folder of bots that may come, change and go, ends when each of them is rated; without
    /// this it waits for more
    #[arg(long)]
    pub(crate) once: bool,
    /// Deviation of its Glicko-2 rating at which a bot of a league counts as rated [default: 75]
    #[arg(long, value_name = "X", value_parser = integer(1..=350_u16))]
    deviation: Option<u16>,
}

/// What engines are kept from that say nothing of it themselves.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Isolation")]
struct IsolationArgs {
    /// MiB of memory for each process of an engine, counted as address space
    #[arg(long, value_name = "MIB", value_parser = integer(1..=u64::MAX))]
    memory: Option<u64>,
    /// Give each process of an engine a new directory: to be started in, unless it has a dir, and for temporary files
    #[arg(long)]
    scratch: bool,
    /// Keep engines from the network, from writing outside such a directory, and from starting or reaching processes
    #[arg(long)]
    sandbox: bool,
}

impl From<IsolationArgs> for Isolation {
    fn from(args: IsolationArgs) -> Isolation {
        let (scratch, sandbox) = (args.scratch.then_some(true), args.sandbox.then_some(true));
        Isolation { memory: args.memory, scratch, sandbox }
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Settings {
    #[command(flatten)]
    limits: LimitArgs,
    /// Set-up of the game: "rows 8 cols 8" or rows=8,cols=8
    #[arg(long, value_name = "KEYS", help_heading = "Games")]
    setup: Option<String>,
    /// Set-up, time per move and points of a competition
    #[arg(long, value_name = "NAME", help_heading = "Games", value_parser = clap::builder::PossibleValuesParser::new(preset::NAMES))]
    preset: Option<String>,
    /// Games of each pairing or match, an even number unless --no-swap [default: 20]
    #[arg(long, value_name = "N", help_heading = "Games", conflicts_with = "rounds", value_parser = integer(1..=u64::MAX))]
    games: Option<u64>,
    /// Openings of each pairing, each played twice with sides swapped unless --no-swap; rounds of a Swiss tournament
    #[arg(long, value_name = "N", help_heading = "Games", value_parser = integer(1..=u64::MAX))]
    rounds: Option<u64>,
    /// Play each opening once only
    #[arg(long, help_heading = "Games")]
    no_swap: bool,
    /// Where games start: start, random:PLIES, drawn:PLIES (from another start position each, in games that draw
    /// theirs), or a file with a position or a move list per line [default: see `arbiter games`]
    #[arg(long, value_name = "SOURCE", help_heading = "Games")]
    openings: Option<Source>,
    /// The order of a file's openings: as they stand in it, or shuffled by the seed
    #[arg(long, value_name = "ORDER", help_heading = "Games", value_enum, default_value_t)]
    order: OrderArg,
    /// Number that everything random derives from [default: from the clock, and printed]
    #[arg(long, value_name = "N", help_heading = "Games", value_parser = integer(0..=u64::MAX))]
    seed: Option<u64>,
    /// Points for a win, a draw and a loss [default: 1/0.5/0]
    #[arg(long, value_name = "W/D/L", help_heading = "Games", allow_hyphen_values = true)]
    points: Option<Points>,
    /// End a match when this test of the first engine is decided: class, dev, fine, non-regression, or
    /// elo0=N,elo1=N[,alpha=P][,beta=P][,model=logistic][,min=PAIRS]; 20000 pairs at most, if not said otherwise
    #[arg(long, value_name = "TEST", help_heading = "Games")]
    sprt: Option<SprtRecord>,
    /// A game is lost when a player's last COUNT scores are all at most -CP; with twosided the opponent's at least CP, too
    #[arg(long, value_name = "movecount=COUNT,score=CP[,twosided]", help_heading = "Games")]
    resign: Option<ResignRule>,
    /// A game is drawn when, after N moves each, both players' last COUNT scores are all within CP of 0
    #[arg(long, value_name = "[movenumber=N,]movecount=COUNT,score=CP", help_heading = "Games")]
    draw: Option<DrawRule>,
    /// A game ends with the exact result in the first position of which `arbiter solve` proves it with so many nodes; of
    /// each position in turn, beside the engines where a clock runs [default, without NODES: 20000]
    #[arg(long, value_name = "NODES", help_heading = "Games", num_args = 0..=1, require_equals = true, default_missing_value = SOLVE_NODES, value_parser = integer(NonZeroU64::MIN..=NonZeroU64::MAX))]
    adjudicate_solved: Option<NonZeroU64>,
    /// Restart an engine after a fault and go on; tournaments always do
    #[arg(long, help_heading = "Games")]
    recover: bool,
    /// Who meets whom in a tournament: all each other; some all others; in each of --rounds those of like score; in
    /// matches of --games those who have won so far, the order of the engines being the seeding; or, in a league, the
    /// bots of a folder those of like rating
    #[arg(long, value_name = "FORMAT", help_heading = "Games", value_enum, default_value_t)]
    format: FormatArg,
    #[command(flatten)]
    pub(crate) league: LeagueArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// How many engines, the first ones, meet all others in a gauntlet [default: 1]
    #[arg(long, value_name = "N", help_heading = "Games", value_parser = integer(1..=u64::MAX))]
    seeds: Option<u64>,
    /// Play only the I-th of N shares of the pairs of games, I from 1 to N; `arbiter merge` makes one run of them
    #[arg(long, value_name = "I/N", help_heading = "Games", allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Print the schedule and leave
    #[arg(long, help_heading = "Games")]
    pub(crate) plan: bool,
    /// The run's record, a new file [default: ludus-GAME-TIME.ndjson]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) journal: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum OrderArg {
    #[default]
    Sequential,
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum FormatArg {
    #[default]
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    League,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Order {
        match order {
            OrderArg::Sequential => Order::Sequential,
            OrderArg::Random => Order::Random,
        }
    }
}

/// Points for a win, a draw and a loss.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Points([f64; 3]);

impl FromStr for Points {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Points, &'static str> {
        let numbers: Vec<f64> = text.split('/').map_while(|word| word.parse().ok()).collect();
        match numbers[..] {
            [w, d, l] if text.split('/').count() == 3 && w >= d && d >= l && l >= 0.0 && w.is_finite() => {
                Ok(Points([w, d, l]))
            }
            _ => Err("expected three numbers, none bigger than the one before, such as 3/1/0"),
        }
    }
}

/// A plan and what there is to say about how it was made.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) notes: Vec<String>,
}

impl Settings {
    /// The plan of a run between `engines`.
    pub(crate) fn plan(&self, rules: &dyn Rules, engines: &[EngineSpec], format: &str) -> Result<Planned> {
        ensure!(
            self.shard.is_none() || self.seed.is_some(),
            "--shard needs --seed N, the same for all shards"
        );
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let mut notes = Vec::new();
        ensure!(
            self.is_league() || !self.league.once && self.league.deviation.is_none(),
            "--once and --deviation are for --format league"
        );
        let (format, seeds) = self.format(format)?;
        let preset = self.preset(rules, seed, &mut notes)?;
        let preset = preset.as_ref();
        let setup_words = self.setup.clone().or_else(|| preset.map(Preset::setup)).unwrap_or_default();
        let setup = read_setup(rules, &setup_words)?;
        let source = match (&self.openings, preset) {
            (Some(source), _) => source.clone(),
            (None, Some(_)) => Source::Start,
            (None, None) => default_openings(rules, &setup_words)?,
        };
        let movetime = preset.map_or(DEFAULT_MOVETIME, |preset| preset.movetime);
        let points = self.points.or(preset.map(|_| Points([3.0, 1.0, 0.0])));
        let engine = |spec: &EngineSpec| EngineRecord {
            isolation: spec.isolation.or(self.isolation.into()),
            ..EngineRecord::from(spec)
        };
        let mut record = PlanRecord {
            schema: SCHEMA,
            game: rules.name().into(),
            setup: setup.text(rules.params()),
            engines: engines.iter().map(engine).collect(),
            format: format.into(),
            seeds,
            limits: LimitsRecord::from(&self.limits.control(Some(movetime))?),
            started: Some(now()),
            seed,
            pairs: self.pairs(preset)?,
            swap: !self.no_swap,
            openings: source.to_string(),
            opening_list: Vec::new(),
            points: points.map_or([1.0, 0.5, 0.0], |Points(points)| points),
            margin_ms: self.limits.margin,
            max_think_ms: self.limits.max_think,
            adjudication: Adjudication {
                resign: self.resign,
                draw: self.draw,
                solved: self.adjudicate_solved,
            },
            max_plies: self.limits.max_plies,
            recover: self.recover || format != "match",
            one_core: preset.is_some_and(|preset| preset.one_core),
            concurrency: preset.map(|_| 1),
            league: None,
            shard: self.shard,
            sprt: self.sprt.clone(),
        };
        if let Source::File(name) = &source {
            record.opening_list = self.read_openings(rules, &setup, name, seed)?;
        }
        let plan = settle_openings(record, &source, &mut notes)?;
        Ok(Planned { plan, notes })
    }

    /// Whether it is a league that is asked for.
    pub(crate) fn is_league(&self) -> bool {
        self.format == FormatArg::League
    }

    /// The plan of a league of the bots in a folder, which has no engines yet.
    pub(crate) fn league_record(&self, rules: &dyn Rules, dir: PathBuf) -> Result<(PlanRecord, Vec<String>)> {
        let senseless = self.games.is_some() || self.rounds.is_some() || self.no_swap;
        ensure!(
            !senseless && self.sprt.is_none() && self.shard.is_none() && !self.plan,
            "a league has no --games, --rounds, --no-swap, --sprt, --shard or --plan: it plays until all are rated"
        );
        // Two engines stand in for the bots to come, so that all else is checked now.
        let stand_in = spec::parse_all(rules, &["builtin".to_owned(), "builtin".to_owned()])?;
        let Planned { plan, notes } = self.plan(rules, &stand_in, LEAGUE)?;
        let deviation = f64::from(self.league.deviation.unwrap_or(DEFAULT_DEVIATION));
        let league = Some(LeagueRecord { dir, deviation, isolation: self.isolation.into() });
        Ok((PlanRecord { engines: Vec::new(), league, ..plan.record }, notes))
    }

    fn preset(&self, rules: &dyn Rules, seed: u64, notes: &mut Vec<String>) -> Result<Option<Preset>> {
        let preset = self.preset.as_deref().and_then(|name| preset::preset(name, seed));
        if let Some(preset) = &preset {
            ensure!(preset.game == rules.name(), "the preset {} is one of {}", preset.origin, preset.game);
            let setup = self.setup.is_none().then(|| preset.setup());
            let movetime = (!self.limits.is_any()).then(|| format!("{} ms per move", preset.movetime));
            let taken: Vec<String> = setup.into_iter().chain(movetime).collect();
            let colon = if taken.is_empty() { "" } else { ": " };
            notes.push(format!("{}{colon}{}", preset.origin, taken.join(", ")));
        }
        Ok(preset)
    }

    /// The format as records have it, `plain` where none is asked for, and a gauntlet's number of seeds.
    fn format<'a>(&self, plain: &'a str) -> Result<(&'a str, Option<u64>)> {
        let is_gauntlet = self.format == FormatArg::Gauntlet;
        ensure!(is_gauntlet || self.seeds.is_none(), "--seeds is for --format gauntlet");
        ensure!(
            plain != "match" || self.format == FormatArg::RoundRobin,
            "--format is for tournaments; a match has two engines"
        );
        ensure!(
            self.format != FormatArg::Swiss || self.rounds.is_some(),
            "--format swiss needs --rounds N, in each of which everyone plays a pair of games"
        );
        Ok(match self.format {
            FormatArg::RoundRobin => (plain, None),
            FormatArg::Gauntlet => ("gauntlet", Some(self.seeds.unwrap_or(1))),
            FormatArg::Swiss => (SWISS, None),
            FormatArg::Knockout => (KNOCKOUT, None),
            FormatArg::League => (LEAGUE, None),
        })
    }

    fn pairs(&self, preset: Option<&Preset>) -> Result<u64> {
        let games = match (self.games, self.rounds) {
            (_, Some(rounds)) => return Ok(rounds),
            (Some(games), None) => games,
            (None, None) if self.sprt.is_some() => 2 * sprt::MOST_PAIRS,
            (None, None) => preset.map_or(DEFAULT_GAMES, |_| 2),
        };
        match (self.no_swap, games % 2) {
            (true, _) => Ok(games),
            (false, 0) => Ok(games / 2),
            (false, _) => bail!(
                "--games {games}: an even number is needed, since each opening is played twice; \
                 give {} or add --no-swap",
                games.checked_add(1).unwrap_or(games - 1)
            ),
        }
    }

    fn read_openings(&self, rules: &dyn Rules, setup: &Setup, name: &str, seed: u64) -> Result<Vec<String>> {
        let text = text_of(Path::new(name)).with_context(|| {
            format!("openings {name:?} can't be read; expected a file, random:PLIES, drawn:PLIES or start")
        })?;
        let mut list = openings::read_file(rules, setup, name, &text)?;
        if Order::from(self.order) == Order::Random {
            openings::shuffle(&mut list, seed);
        }
        Ok(list)
    }
}

/// The game's own, but from no other start than the one that a set-up chooses.
fn default_openings(rules: &dyn Rules, setup: &str) -> Result<Source> {
    let pairs = setup_pairs(setup)?;
    let chosen = |param: &Param| pairs.iter().any(|(key, _)| *key == param.key);
    Ok(match Source::default_of(rules) {
        Source::Random { plies, .. } if rules.start_seed().is_some_and(chosen) => {
            Source::Random { plies, drawn: false }
        }
        source => source,
    })
}

/// Replaces openings that can't be had by shorter ones, and says so; says too when they have to be used again.
fn settle_openings(mut record: PlanRecord, source: &Source, notes: &mut Vec<String>) -> Result<Plan> {
    let mut plan = Plan::new(record.clone())?;
    let mut found = plan.openings()?;
    if let (openings::Openings::Random(generator), &Source::Random { plies, drawn }) = (&found, source)
        && generator.plies() != plies
    {
        let settled = generator.plies();
        notes.push(format!("no opening of {plies} plies leaves a game; {settled} plies instead"));
        record.openings = Source::Random { plies: settled, drawn }.to_string();
        plan = Plan::new(record)?;
    }
    let wanted = plan.schedule.openings();
    let available = found.available(wanted.min(openings::LOOK_AHEAD));
    if *source != Source::Start && available < wanted.min(openings::LOOK_AHEAD) {
        notes.push(format!(
            "only {available} different openings for {wanted} of each pairing: they are used again"
        ));
    }
    Ok(plan)
}

/// Reads a set-up as people write it.
pub(crate) fn read_setup(rules: &dyn Rules, text: &str) -> Result<Setup> {
    Ok(rules.setup(&setup_pairs(text)?)?)
}

/// The keys and values of a set-up as people write it: `rows 8 cols 8` or `rows=8,cols=8`.
pub(crate) fn setup_pairs(text: &str) -> Result<Vec<(&str, &str)>> {
    let words: Vec<&str> = text.split([' ', '\t', '=', ',']).filter(|word| !word.is_empty()).collect();
    let (pairs, rest) = words.as_chunks::<2>();
    if let [key] = rest {
        bail!("set-up key {key} has no value; expected \"key value ...\" or key=value,...");
    }
    Ok(pairs.iter().map(|[key, value]| (*key, *value)).collect())
}

/// The game of that name.
pub(crate) fn find_game(name: &str) -> Result<&'static dyn Rules> {
    let known = || registry::GAMES.iter().map(|rules| rules.name()).collect::<Vec<_>>().join(", ");
    registry::find(name).with_context(|| format!("no game {name:?}; the games are {}", known()))
}

/// The time, as records have it.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A seed short enough to be typed again.
pub(crate) fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs() & 0xffff_ffff
}
