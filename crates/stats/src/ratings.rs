use crate::linear::{inverse, times};
use crate::{DrawModel, GameResult, normal_cdf};

/// A game between two of the players, who are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    /// Who moved first.
    pub first: usize,
    /// Who moved second.
    pub second: usize,
    /// The result for the first.
    pub result: GameResult,
}

/// Games that share their luck, such as the two from one opening, and how often such a cluster occurred.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// The games of one cluster.
    pub games: Vec<Game>,
    /// How many clusters had these results.
    pub count: u64,
}

/// Which ratings are given; all others are relative to them.
#[derive(Clone, PartialEq, Debug)]
pub enum Anchor {
    /// The mean of all.
    Mean(f64),
    /// Those of some players, at least one.
    Players(Vec<(usize, f64)>),
    /// None: the phantom of the prior has rating 0.
    Prior,
}

/// Where the errors come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// From the residuals of the clusters (the "sandwich"): right also when draws or pairing make results vary less.
    #[default]
    Sandwich,
    /// From the curvature of the likelihood: right if games are independent and the model is exact.
    Curvature,
}

/// How ratings are fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The model of draws.
    pub model: DrawModel,
    /// By how many Elo points the first move makes a player stronger; `None`: fitted too.
    pub first_advantage: Option<f64>,
    /// Which ratings are given.
    pub anchor: Anchor,
    /// Virtual draws of each player against a phantom of rating 0; more than 0 keeps ratings finite.
    pub prior_draws: f64,
    /// Where the errors come from.
    pub errors: Errors,
}

/// Why there are no ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingsError {
    /// A player's number is not below the number of players, or a player meets itself.
    #[error("a game or an anchor names a player that there isn't")]
    Player,
    /// An anchor, a prior or an advantage is no finite number, or nothing is anchored.
    #[error("expected finite anchors, at least one, and a prior of 0 draws or more")]
    Settings,
    /// Between some of the players there is no chain of wins and draws both ways, so their difference has no bound.
    #[error("some players never won or drew against the others, directly or through others")]
    Unconnected,
    /// The likelihood has no maximum: no draws for a model of draws, or the first move always wins or loses.
    #[error("the likelihood has no maximum")]
    Unbounded,
}

/// Maximum-likelihood ratings of many players.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// In Elo, player by player.
    pub ratings: Vec<f64>,
    /// Covariance of the ratings.
    pub covariance: Vec<Vec<f64>>,
    /// By how many Elo points the first move makes a player stronger.
    pub first_advantage: f64,
    /// Standard error of that, if it was fitted.
    pub first_advantage_error: Option<f64>,
    /// The model's parameter for draws and its standard error: `ln ν` of [`DrawModel::Davidson`], the threshold in Elo
    /// of [`DrawModel::RaoKupper`].
    pub draw_parameter: Option<(f64, f64)>,
    /// Logarithm of the likelihood at its maximum.
    pub log_likelihood: f64,
}

impl Ratings {
    /// Fits the ratings of `players` players to their games, by Newton's method: the log-likelihood is concave.
    pub fn fit(players: usize, clusters: &[Cluster], fit: &Fit) -> Result<Ratings, RatingsError> {
        let problem = Problem::new(players, clusters, fit)?;
        problem.solve()
    }

    /// Standard error of a player's rating relative to the anchor, in Elo.
    pub fn error(&self, player: usize) -> f64 {
        self.covariance[player][player].max(0.0).sqrt()
    }

    /// Standard error of a player's rating relative to the mean of all.
    pub fn error_to_mean(&self, player: usize) -> f64 {
        let n = self.ratings.len() as f64;
        let own: f64 = self.covariance[player].iter().sum();
        let all: f64 = self.covariance.iter().flatten().sum();
        (self.covariance[player][player] - 2.0 * own / n + all / (n * n)).max(0.0).sqrt()
    }

    /// Likelihood of superiority of one player over another, in [0, 1].
    pub fn los(&self, player: usize, other: usize) -> f64 {
        let v = &self.covariance;
        let variance = v[player][player] + v[other][other] - 2.0 * v[player][other];
        let difference = self.ratings[player] - self.ratings[other];
        if player == other || variance <= 0.0 {
            return if difference.abs() > 0.0 { f64::from(u8::from(difference > 0.0)) } else { 0.5 };
        }
        normal_cdf(difference / variance.sqrt())
    }
}

/// The number of each player's component: within one, chains of wins and draws lead from everybody to everybody, so
/// that their differences are finite. Games with unknown players are left out.
pub fn components(players: usize, clusters: &[Cluster]) -> Vec<usize> {
    let mut reaches: Vec<Vec<bool>> = (0..players).map(|i| (0..players).map(|j| i == j).collect()).collect();
    for game in clusters.iter().filter(|cluster| cluster.count > 0).flat_map(|cluster| &cluster.games) {
        let (a, b) = (game.first, game.second);
        if a < players && b < players {
            reaches[a][b] |= game.result != GameResult::Loss;
            reaches[b][a] |= game.result != GameResult::Win;
        }
    }
    for middle in 0..players {
        let onward = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&onward).for_each(|(to, further)| *to |= further);
        }
    }
    let mut numbers = vec![usize::MAX; players];
    let mut next = 0;
    for i in 0..players {
        if numbers[i] == usize::MAX {
            (i..players).filter(|&j| reaches[i][j] && reaches[j][i]).for_each(|j| numbers[j] = next);
            next += 1;
        }
    }
    numbers
}

/// A fit under way. The unknowns are the free ratings, then the advantage of the first move and the draw parameter, as
/// far as they are fitted.
struct Problem<'a> {
    clusters: &'a [Cluster],
    fit: &'a Fit,
    /// The place of each player's rating among the unknowns; `None`: given.
    places: Vec<Option<usize>>,
    /// The given ratings, less `shift`; 0 for the others.
    given: Vec<f64>,
    /// What is added to all ratings at the end, so that the search runs near 0.
    shift: f64,
    advantage: Option<usize>,
    draws: Option<usize>,
    unknowns: usize,
}

/// The likelihood near a point.
struct Local {
    value: f64,
    gradient: Vec<f64>,
    /// Minus the second derivatives.
    information: Vec<Vec<f64>>,
}

impl<'a> Problem<'a> {
    fn new(players: usize, clusters: &'a [Cluster], fit: &'a Fit) -> Result<Problem<'a>, RatingsError> {
        let mut games = clusters.iter().flat_map(|cluster| &cluster.games);
        if games.any(|game| game.first.max(game.second) >= players || game.first == game.second) {
            return Err(RatingsError::Player);
        }
        let mut given = vec![0.0; players];
        let mut is_given = vec![false; players];
        let mut shift = 0.0;
        match &fit.anchor {
            Anchor::Mean(mean) => shift = *mean,
            Anchor::Players(list) => {
                shift = list.first().ok_or(RatingsError::Settings)?.1;
                for &(player, rating) in list {
                    *is_given.get_mut(player).ok_or(RatingsError::Player)? = true;
                    given[player] = rating - shift;
                }
            }
            Anchor::Prior if fit.prior_draws > 0.0 => {}
            Anchor::Prior => return Err(RatingsError::Settings),
        }
        let numbers = [shift, fit.prior_draws, fit.first_advantage.unwrap_or(0.0)];
        if !given.iter().copied().chain(numbers).all(f64::is_finite) || fit.prior_draws < 0.0 {
            return Err(RatingsError::Settings);
        }
        let mut unknowns = 0;
        let mut next = |wanted: bool| {
            wanted.then(|| {
                unknowns += 1;
                unknowns - 1
            })
        };
        let places: Vec<Option<usize>> = is_given.iter().map(|given| next(!given)).collect();
        let advantage = next(fit.first_advantage.is_none());
        let draws = next(fit.model.has_parameter());
        let problem = Problem { clusters, fit, places, given, shift, advantage, draws, unknowns };
        if fit.prior_draws <= 0.0 && !problem.is_connected() {
            return Err(RatingsError::Unconnected);
        }
        Ok(problem)
    }

    /// Whether all differences are finite; given ratings are connected by being given.
    fn is_connected(&self) -> bool {
        let numbers = components(self.places.len(), self.clusters);
        let anchored: Vec<usize> =
            (0..numbers.len()).filter(|&i| self.places[i].is_none()).map(|i| numbers[i]).collect();
        numbers.iter().all(|n| if anchored.is_empty() { *n == 0 } else { anchored.contains(n) })
    }

    fn solve(&self) -> Result<Ratings, RatingsError> {
        const STEPS: usize = 200;
        const PRECISION: f64 = 1e-9;
        /// An advantage of which no number of games could tell that it isn't infinite.
        const ENDLESS: f64 = 5000.0;
        let mut x = vec![0.0; self.unknowns];
        if let Some(draws) = self.draws {
            x[draws] = self.fit.model.start();
        }
        let mut local = self.local(&x);
        for _ in 0..STEPS {
            let inverse = self.constrained_inverse(&local.information)?;
            let mut step = times(&inverse, &local.gradient);
            let longest = step.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            if longest < PRECISION {
                return Ok(self.ratings(&x, &local, inverse));
            }
            let limit = (400.0 / longest).min(1.0);
            step = step.into_iter().map(|d| d * limit).collect();
            (x, local) = self.advance(&x, &local, step).ok_or(RatingsError::Unbounded)?;
            if self.advantage.is_some_and(|place| x[place].abs() > ENDLESS) {
                return Err(RatingsError::Unbounded);
            }
        }
        Err(RatingsError::Unbounded)
    }

    /// Takes a step, or as much of it as doesn't lead downhill.
    fn advance(&self, x: &[f64], local: &Local, mut step: Vec<f64>) -> Option<(Vec<f64>, Local)> {
        const HALVINGS: usize = 40;
        let noise = 1e-12 * local.value.abs();
        for _ in 0..HALVINGS {
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, d)| x + d).collect();
            if self.draws.is_none_or(|place| self.fit.model.admits(next[place])) {
                let there = self.local(&next);
                if there.value >= local.value - noise {
                    return Some((next, there));
                }
            }
            step = step.into_iter().map(|d| d / 2.0).collect();
        }
        None
    }

    /// Difference in strength between two players at a point, the first of them to move.
    fn difference(&self, x: &[f64], game: &Game) -> f64 {
        let advantage = self.advantage.map_or(self.fit.first_advantage.unwrap_or(0.0), |place| x[place]);
        self.rating(x, game.first) - self.rating(x, game.second) + advantage
    }

    fn rating(&self, x: &[f64], player: usize) -> f64 {
        self.places[player].map_or(self.given[player], |place| x[place])
    }

    fn draw_parameter(&self, x: &[f64]) -> f64 {
        self.draws.map_or(0.0, |place| x[place])
    }

    /// The unknowns that a game's difference depends on, with their signs.
    fn terms(&self, game: &Game) -> impl Iterator<Item = (usize, f64)> + Clone {
        let terms = [(self.places[game.first], 1.0), (self.places[game.second], -1.0), (self.advantage, 1.0)];
        terms.into_iter().filter_map(|(place, sign)| Some((place?, sign)))
    }

    fn local(&self, x: &[f64]) -> Local {
        let n = self.unknowns;
        let mut local = Local { value: 0.0, gradient: vec![0.0; n], information: vec![vec![0.0; n]; n] };
        let parameter = self.draw_parameter(x);
        for cluster in self.clusters.iter().filter(|cluster| cluster.count > 0) {
            for game in &cluster.games {
                let expansion = self.fit.model.expand(self.difference(x, game), parameter, game.result);
                local.add(cluster.count as f64, &expansion, self.terms(game), self.draws);
            }
        }
        if self.fit.prior_draws > 0.0 {
            for player in 0..self.places.len() {
                let expansion = self.fit.model.expand(self.rating(x, player), parameter, GameResult::Draw);
                let term = self.places[player].map(|place| (place, 1.0));
                local.add(self.fit.prior_draws, &expansion, term.into_iter(), self.draws);
            }
        }
        local
    }

    /// The inverse of a matrix of information, under the condition that the ratings' sum doesn't change if their mean
    /// is given: what the bordered matrix has in its place.
    fn constrained_inverse(&self, information: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, RatingsError> {
        let mut matrix = information.to_vec();
        if matches!(self.fit.anchor, Anchor::Mean(_)) {
            let border: Vec<f64> =
                (0..self.unknowns).map(|i| f64::from(u8::from(i < self.places.len()))).collect();
            matrix.iter_mut().zip(&border).for_each(|(row, b)| row.push(*b));
            matrix.push(border.into_iter().chain([0.0]).collect());
        }
        let mut inverse = inverse(matrix).ok_or(RatingsError::Unbounded)?;
        inverse.truncate(self.unknowns);
        for row in &mut inverse {
            row.truncate(self.unknowns);
        }
        Ok(inverse)
    }

    fn ratings(&self, x: &[f64], local: &Local, inverse: Vec<Vec<f64>>) -> Ratings {
        let covariance = match self.fit.errors {
            Errors::Curvature => inverse,
            Errors::Sandwich => self.sandwich(x, &inverse),
        };
        let between = |a: Option<usize>, b: Option<usize>| match (a, b) {
            (Some(a), Some(b)) => covariance[a][b],
            _ => 0.0,
        };
        let error = |place: usize| covariance[place][place].max(0.0).sqrt();
        let row = |a: &Option<usize>| self.places.iter().map(|b| between(*a, *b)).collect();
        Ratings {
            ratings: (0..self.places.len()).map(|player| self.rating(x, player) + self.shift).collect(),
            covariance: self.places.iter().map(row).collect(),
            first_advantage: self.advantage.map_or(self.fit.first_advantage.unwrap_or(0.0), |place| x[place]),
            first_advantage_error: self.advantage.map(error),
            draw_parameter: self.draws.map(|place| (x[place], error(place))),
            log_likelihood: local.value,
        }
    }

    /// The inverse information around the spread that the clusters' gradients really have.
    fn sandwich(&self, x: &[f64], inverse: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let parameter = self.draw_parameter(x);
        let mut spread = vec![vec![0.0; self.unknowns]; self.unknowns];
        for cluster in self.clusters.iter().filter(|cluster| cluster.count > 0) {
            // Few unknowns matter to a cluster, so its gradient is a list of places.
            let gradient: Vec<(usize, f64)> = cluster
                .games
                .iter()
                .flat_map(|game| {
                    let [slope, draws] =
                        self.fit.model.expand(self.difference(x, game), parameter, game.result).slope;
                    let terms = self.terms(game).map(move |(place, sign)| (place, sign * slope));
                    terms.chain(self.draws.map(|place| (place, draws)))
                })
                .collect();
            for (i, a) in &gradient {
                for (j, b) in &gradient {
                    spread[*i][*j] += cluster.count as f64 * a * b;
                }
            }
        }
        inverse.iter().map(|row| times(inverse, &times(&spread, row))).collect()
    }
}

impl Local {
    /// Adds the log-probability of a result that occurred `count` times and depends on unknowns by `terms` and on the
    /// draw parameter.
    fn add(
        &mut self,
        count: f64,
        expansion: &crate::draws::Expansion,
        terms: impl Iterator<Item = (usize, f64)> + Clone,
        draws: Option<usize>,
    ) {
        self.value += count * expansion.value;
        // Which of the two variables of the expansion an unknown goes into, and how.
        let all = terms.map(|(place, sign)| (place, sign, 0)).chain(draws.map(|place| (place, 1.0, 1)));
        for (place, sign, variable) in all.clone() {
            self.gradient[place] += count * sign * expansion.slope[variable];
            for (other, other_sign, other_variable) in all.clone() {
                let curvature = expansion.curvature[variable][other_variable];
                self.information[place][other] -= count * sign * other_sign * curvature;
            }
        }
    }
}
