//! The constants of an evaluation fitted to games from one start position.

use game::{Family, OptionKind, OptionSpec, Options, Playable, Side, Visitor, Weights};

use crate::regression::{Aimed, Corpus, Sample, cross_entropy, logistic, slope};
use crate::selfplay::{self, Plan};
use crate::{Error, HUNDRED};

/// Plays the games, fits all constants of the game's evaluation to what they lead to, and prints both.
pub(crate) fn fit<F: Family>(setup: &str, plan: Plan) -> Result<(), Error> {
    let pair = |word| str::split_once(word, '=').ok_or_else(|| format!("{word}: expected KEY=VALUE"));
    let pairs: Vec<_> = setup.split(',').map(pair).collect::<Result<_, _>>()?;
    F::start(&F::setup(&pairs)?, Fit { plan, constants: F::WEIGHTS })
}

struct Fit {
    plan: Plan,
    constants: &'static [OptionSpec],
}

impl Visitor for Fit {
    type Output = Result<(), Error>;

    fn visit<G: Playable>(self, start: G) -> Result<(), Error> {
        let mut samples = Vec::new();
        selfplay::play(
            &self.plan,
            |_| Ok(start.clone()),
            |game, kept, winner| {
                let result = winner.map_or(0.5, |side| if side == Side::First { 1.0 } else { 0.0 });
                let result = kept.on_line.then_some(result);
                let (key, mover) = (kept.position.key(), kept.position.side_to_move());
                let inputs = (kept.position.memo(), kept.position);
                samples.push((game, key, Sample::new(inputs, mover, kept.score, result)));
                Ok(())
            },
        )?;
        let mut corpus = Corpus::new();
        corpus.add(samples);
        let Corpus { training, validation, .. } = corpus;
        println!("{} positions to fit, {} to validate", training.len(), validation.len());

        let mut best: Vec<i64> = self.constants.iter().map(|spec| range(spec)[0]).collect();
        let report = |values: &[i64], factor| {
            let loss = loss(&self.weights::<G>(values), factor, &validation);
            let named = self.constants.iter().zip(values);
            let named: Vec<_> = named.map(|(spec, value)| format!("{}={value}", spec.name)).collect();
            println!("{}: loss {loss:.5}", named.join(","));
        };
        let (mut factor, mut least) = self.try_out(&best, &training);
        report(&best, factor);
        let mut steps: Vec<i64> = best.iter().map(|value| (value / 2).max(1)).collect();
        // Each constant a step up or down as long as that helps, then half of the steps.
        while steps.iter().any(|&step| step > 0) {
            let mut is_better = false;
            for (i, spec) in self.constants.iter().enumerate() {
                let [_, min, max] = range(spec);
                for step in [steps[i], -steps[i]] {
                    let mut values = best.clone();
                    values[i] = (best[i] + step).clamp(min, max);
                    if values == best {
                        continue;
                    }
                    let (its_factor, its_loss) = self.try_out(&values, &training);
                    if its_loss < least {
                        (best, factor, least, is_better) = (values, its_factor, its_loss, true);
                    }
                }
            }
            if !is_better {
                for step in &mut steps {
                    *step /= 2;
                }
            }
        }
        report(&best, factor);
        Ok(())
    }
}

/// A position with what is kept of it.
type Inputs<G> = (<G as game::Evaluate>::Memo, G);

impl Fit {
    fn weights<G: Playable>(&self, values: &[i64]) -> G::Weights {
        let mut options = Options::defaults(self.constants);
        for (spec, value) in self.constants.iter().zip(values) {
            options.set(spec.name, &value.to_string()).expect("a value within its range");
        }
        G::Weights::new(&options)
    }

    /// The factor that makes values with these constants the logarithm of the odds, and the loss with it.
    fn try_out<G: Playable>(&self, values: &[i64], samples: &[Aimed<Inputs<G>>]) -> (f32, f64) {
        let weights = self.weights::<G>(values);
        let pairs: Vec<_> = samples.iter().map(|(inputs, aim)| (value(inputs, &weights), *aim)).collect();
        let factor = slope(&pairs);
        (factor, loss(&weights, factor, samples))
    }
}

/// In units, for the first side.
fn value<G: Playable>((memo, position): &Inputs<G>, weights: &G::Weights) -> f32 {
    let value = position.evaluate_with(memo, weights) as f32 / HUNDRED;
    if position.side_to_move() == Side::First { value } else { -value }
}

/// Mean loss on what the values should say.
fn loss<G: Playable>(weights: &G::Weights, factor: f32, samples: &[Aimed<Inputs<G>>]) -> f64 {
    let loss =
        |(inputs, aim): &Aimed<Inputs<G>>| cross_entropy(logistic(factor * value(inputs, weights)), *aim);
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

/// The default of a constant, the least and the greatest value.
fn range(spec: &OptionSpec) -> [i64; 3] {
    match spec.kind {
        OptionKind::Spin { default, min, max } => [default, min, max],
        _ => [0; 3],
    }
}
