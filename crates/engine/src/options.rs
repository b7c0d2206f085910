use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use game::{Family, OptionKind, OptionSpec, Options, Param, Rules, Ruleset, Setup, SetupError, Weights};
use protocol::{ErrorReply, OptionDecl, OptionType};
use search::clock::Pace;

use crate::outlet::Leaving;
use crate::seat::BUILTIN;

/// The options of the session itself.
const OWN: &[OptionSpec] = &[EOF_GRACE, MOVE_OVERHEAD];

/// Milliseconds that are left in total after the end of input.
const EOF_GRACE: OptionSpec =
    OptionSpec { name: "EofGrace", kind: OptionKind::Spin { default: 10_000, min: 0, max: 86_400_000 } };

/// Milliseconds of each move's time that are left unused, for what lies between the engine and the clock.
const MOVE_OVERHEAD: OptionSpec =
    OptionSpec { name: "MoveOverhead", kind: OptionKind::Spin { default: 10, min: 0, max: 10_000 } };

/// Which agent plays.
const AGENT: &str = "Agent";

/// The option by which UCI tools choose the game.
const VARIANT: &str = "UCI_Variant";

/// What a `setoption` changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Changed {
    /// Nothing that anyone must be told.
    Nothing,
    /// Which agent plays.
    Agent,
    /// The present agent's options.
    AgentOptions,
}

/// The agent that plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Chosen {
    /// Its name, [`BUILTIN`] or one of [`Family::AGENTS`].
    pub(crate) name: &'static str,
    /// The values of its options.
    pub(crate) options: Options,
}

impl Chosen {
    /// The agent of that name in any letter case, its options at their defaults; `None`: the game has none such.
    pub(crate) fn find<F: Family>(name: &str) -> Option<Chosen> {
        let name = agents::<F>().into_iter().find(|agent| agent.eq_ignore_ascii_case(name))?;
        let spec = F::AGENTS.iter().find(|spec| spec.name == name);
        let options = match spec {
            Some(spec) => Options::defaults(spec.options),
            None => Options::defaults(&[search::ALL_OPTIONS, F::WEIGHTS].concat()),
        };
        Some(Chosen { name, options })
    }

    /// Whether it declares an option of that name.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        self.options.text(name).is_some()
    }
}

/// The values of all options.
pub(crate) struct Settings<F> {
    own: Options,
    agent: Chosen,
    /// The agent at the beginning, which is the default of the option that chooses.
    first_agent: &'static str,
    /// Whether to list what tuners set, too.
    tunable: bool,
    /// The value of each set-up key as given, in the order of [`Family::PARAMS`].
    keys: Vec<String>,
    /// Whether a key was set by `setoption` since the last set-up.
    pending: bool,
    leaving: Arc<Leaving>,
    game: PhantomData<F>,
}

/// The names of the agents of a game, the main engine first.
pub(crate) fn agents<F: Family>() -> Vec<&'static str> {
    std::iter::once(BUILTIN).chain(F::AGENTS.iter().map(|spec| spec.name)).collect()
}

impl<F: Family> Settings<F> {
    /// All options at their defaults, with this agent. `leaving` is told of each `EofGrace`.
    pub(crate) fn new(agent: Chosen, tunable: bool, leaving: Arc<Leaving>) -> Settings<F> {
        let settings = Settings {
            own: Options::defaults(OWN),
            first_agent: agent.name,
            agent,
            tunable,
            keys: F::PARAMS.iter().map(default_text).collect(),
            pending: false,
            leaving,
            game: PhantomData,
        };
        settings.leaving.set_grace(settings.eof_grace());
        settings
    }

    /// The agent that plays.
    pub(crate) fn agent(&self) -> &Chosen {
        &self.agent
    }

    /// Takes back a choice of agent or options that could not be carried out.
    pub(crate) fn restore_agent(&mut self, agent: Chosen) {
        self.agent = agent;
    }

    pub(crate) fn eof_grace(&self) -> Duration {
        self.milliseconds(&EOF_GRACE)
    }

    pub(crate) fn move_overhead(&self) -> Duration {
        self.milliseconds(&MOVE_OVERHEAD)
    }

    /// How the present agent shares out a clock.
    pub(crate) fn pace(&self) -> Pace {
        Pace::new(&self.agent.options)
    }

    fn milliseconds(&self, spec: &OptionSpec) -> Duration {
        Duration::from_millis(self.own.int(spec.name).unwrap_or(0) as u64)
    }

    /// Sets an option, or says why not and changes nothing.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Changed, ErrorReply> {
        let value = value.unwrap_or("");
        let bad_value = |expected: String| ErrorReply::bad_value(name).text(expected);
        let is = |candidate: &str| candidate.eq_ignore_ascii_case(name);
        if self.own.text(name).is_some() {
            self.own.set(name, value).map_err(bad_value)?;
            self.leaving.set_grace(self.eof_grace());
            Ok(Changed::Nothing)
        } else if self.agent.has_option(name) {
            self.agent.options.set(name, value).map_err(bad_value)?;
            Ok(Changed::AgentOptions)
        } else if is(AGENT) {
            let expected = || bad_value(format!("expected one of {}", agents::<F>().join(", ")));
            let agent = Chosen::find::<F>(value).ok_or_else(expected)?;
            // The present agent, chosen again, keeps its options.
            if agent.name == self.agent.name {
                return Ok(Changed::Nothing);
            }
            self.agent = agent;
            Ok(Changed::Agent)
        } else if is(VARIANT) {
            let known = value.eq_ignore_ascii_case(F::NAME);
            known.then_some(Changed::Nothing).ok_or_else(|| bad_value(format!("expected {}", F::NAME)))
        } else if let Some(i) = F::PARAMS.iter().position(|param| is(param.key)) {
            let checked = Ruleset::<F>::new().check_value(F::PARAMS[i].key, value);
            checked.map_err(|error| bad_value(error.expected))?;
            value.clone_into(&mut self.keys[i]);
            self.pending = true;
            Ok(Changed::Nothing)
        } else {
            Err(ErrorReply::unknown_option(name))
        }
    }

    /// The set-up of these pairs, the other keys at their defaults. It becomes the value of the keys' options.
    pub(crate) fn setup(&mut self, pairs: &[(&str, &str)]) -> Result<Setup, SetupError> {
        let setup = F::setup(pairs)?;
        let given = |param: &Param| pairs.iter().find(|(key, _)| *key == param.key);
        let text = |param| given(param).map_or_else(|| default_text(param), |(_, value)| (*value).to_owned());
        self.keys = F::PARAMS.iter().map(text).collect();
        self.pending = false;
        Ok(setup)
    }

    /// The set-up that `setoption` asked for since the last one, if it did.
    pub(crate) fn pending_setup(&mut self) -> Option<Result<Setup, SetupError>> {
        std::mem::take(&mut self.pending).then(|| {
            let pairs = F::PARAMS.iter().zip(&self.keys).map(|(param, value)| (param.key, value.as_str()));
            F::setup(&pairs.collect::<Vec<_>>())
        })
    }

    /// All options as the identity lists them.
    pub(crate) fn declarations(&self) -> Vec<OptionDecl> {
        let shown = |spec: &&OptionSpec| self.tunable || !spec.name.starts_with(game::TUNE);
        let mut list: Vec<_> =
            self.own.specs().chain(self.agent.options.specs()).filter(shown).map(declaration).collect();
        list.push(combo(AGENT, self.first_agent, &agents::<F>()));
        list.push(combo(VARIANT, F::NAME, &[F::NAME]));
        list.extend(F::PARAMS.iter().map(key_declaration));
        list
    }
}

/// A key's default as it is written.
pub(crate) fn default_text(param: &Param) -> String {
    param.default.map_or_else(|| "auto".to_owned(), |value| value.to_string())
}

fn combo(name: &str, default: &str, vars: &[&str]) -> OptionDecl {
    OptionDecl {
        name: name.to_owned(),
        kind: OptionType::Combo,
        default: Some(default.to_owned()),
        min: None,
        max: None,
        vars: vars.iter().map(|&var| var.to_owned()).collect(),
    }
}

fn declaration(spec: &OptionSpec) -> OptionDecl {
    let (kind, default, range) = match spec.kind {
        OptionKind::Combo { default, vars } => return combo(spec.name, default, vars),
        OptionKind::Check { default } => (OptionType::Check, default.to_string(), None),
        OptionKind::Spin { default, min, max } => (OptionType::Spin, default.to_string(), Some((min, max))),
    };
    let (min, max) = range.unzip();
    OptionDecl { name: spec.name.to_owned(), kind, default: Some(default), min, max, vars: Vec::new() }
}

/// A set-up key as an option; one that takes `auto` too is a string, since a spin holds numbers only.
fn key_declaration(param: &Param) -> OptionDecl {
    let range = (!param.auto).then_some((param.min, param.max));
    let (min, max) = range.unzip();
    OptionDecl {
        name: param.key.to_owned(),
        kind: if param.auto { OptionType::String } else { OptionType::Spin },
        default: Some(default_text(param)),
        min,
        max,
        vars: Vec::new(),
    }
}
