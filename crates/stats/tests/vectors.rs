//! The formulas against independently computed cases.

use serde_json::{Map, Value};
use stats::{
    Anchor, BayesElo, Cluster, Counts, CrossTable, Cut, DrawModel, Entrant, Errors, Fit, Game, GameResult,
    Glicko, Glicko2, Hypothesis, Model, Opponent, Ratings, Sprt, Z95, berger, chi_square_tail, elo_of_score,
    expected_score, homogeneity, los_of_decisive_games, los_with_uniform_prior, normal_cdf, normal_quantile,
    pairs_for_half_width, student_quantile, swiss_round, updated_elo,
};

/// A case of the reference file.
struct Case<'a> {
    id: &'a str,
    input: &'a Value,
    output: &'a Value,
    tolerance: f64,
}

/// A number of the file; infinities are written as strings.
fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        _ => value.as_f64().unwrap(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn fields(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn counts(value: &Value) -> Counts {
    let list: Vec<u64> = list(value).iter().map(|n| n.as_u64().unwrap()).collect();
    match <[u64; 3]>::try_from(&list[..]) {
        Ok(games) => Counts::Games(games),
        Err(_) => Counts::Pairs(list.try_into().unwrap()),
    }
}

impl Case<'_> {
    fn given(&self, key: &str) -> f64 {
        number(&self.input[key])
    }

    /// Whether `got` is what is expected within a tolerance that is absolute below 1 and relative above.
    fn check(&self, what: &str, got: f64, expected: &Value) {
        let expected = number(expected);
        let same_infinity = got.is_infinite() && got.total_cmp(&expected).is_eq();
        let fine = same_infinity || (got - expected).abs() <= self.tolerance * expected.abs().max(1.0);
        assert!(fine, "{}: {what} is {got}, expected {expected}", self.id);
    }

    fn check_value(&self, got: f64) {
        self.check("the value", got, self.output);
    }

    fn check_list(&self, what: &str, got: &[f64], expected: &Value) {
        assert_eq!(got.len(), list(expected).len(), "{}", self.id);
        got.iter().zip(list(expected)).for_each(|(got, expected)| self.check(what, *got, expected));
    }

    /// Checks each field of the output by what computes it.
    fn check_fields(&self, compute: impl Fn(&str) -> f64) {
        for (field, value) in fields(self.output) {
            self.check(field, compute(field), value);
        }
    }

    fn no_such(&self, field: &str) -> ! {
        panic!("{}: nothing computes {field}", self.id)
    }
}

fn summary(case: &Case, counts: Counts) {
    let z = normal_quantile(f64::midpoint(1.0, case.given("level")));
    let s = counts.summary(z).unwrap();
    let [losses, wins] = match counts {
        Counts::Games([l, _, w]) => [l, w],
        Counts::Pairs(_) => [0, 0],
    };
    for (field, value) in fields(case.output) {
        let got = match field.as_str() {
            "n" => s.samples as f64,
            "games" => s.games as f64,
            "score" => s.score,
            "variance" => s.variance,
            "variance_per_game" => s.variance_per_game,
            "score_stderr" => s.stderr,
            "score_lo" => s.score_interval[0],
            "score_hi" => s.score_interval[1],
            "elo" => s.elo,
            "elo_lo" => s.elo_interval[0],
            "elo_hi" => s.elo_interval[1],
            "elo_err" if value.is_null() => {
                assert_eq!(s.elo_error, None, "{}", case.id);
                continue;
            }
            "elo_err" => s.elo_error.unwrap(),
            "elo_err_delta" => s.elo_error_delta,
            "nelo" => s.normalized_elo.unwrap().0,
            "nelo_err" => s.normalized_elo.unwrap().1,
            "los" => s.los,
            "draw_ratio" | "pair_draw_ratio" => s.draw_ratio,
            "los_decisive_normal" => los_of_decisive_games(wins, losses),
            "los_beta" => los_with_uniform_prior(wins, losses),
            "pairs_ratio" => s.pairs_ratio.unwrap(),
            _ => case.no_such(field),
        };
        case.check(field, got, value);
    }
}

fn llr(case: &Case, model: Model, keys: [&str; 2]) {
    let (counts, elo) = (counts(&case.input["counts"]), keys.map(|key| case.given(key)));
    case.check_fields(|field| match field {
        "exact" => model.llr(&counts, elo).unwrap(),
        "alt" => model.approximate_llr(&counts, elo).unwrap(),
        "alt2" => model.normal_llr(&counts, elo).unwrap(),
        _ => case.no_such(field),
    });
}

fn model(case: &Case) -> Model {
    match case.input["model"].as_str() {
        Some("logistic") => Model::Logistic,
        Some("normalized") => Model::Normalized,
        model => panic!("{model:?}"),
    }
}

fn sprt(case: &Case, model: Model, keys: [&str; 2]) -> Sprt {
    let [alpha, beta] = ["alpha", "beta"].map(|key| case.given(key));
    Sprt::new(model, keys.map(|key| case.given(key)), alpha, beta).unwrap()
}

fn characteristic(case: &Case, model: Model, keys: [&str; 3]) {
    let [elo0, elo1, elo] = keys;
    let c =
        sprt(case, model, [elo0, elo1]).characteristic(&counts(&case.input["pdf"]), case.given(elo)).unwrap();
    case.check_fields(|field| match field {
        "pass_prob" => c.pass_probability,
        "expected_n" => c.expected_samples,
        "drift" => c.drift,
        "variance" => c.variance,
        _ => case.no_such(field),
    });
}

fn sprt_run(case: &Case) {
    let sprt = sprt(case, model(case), ["elo0", "elo1"]);
    let mut cells = [0; 5];
    for (category, pairs) in case.input["pair_categories"].as_str().unwrap().bytes().zip(1u64..) {
        cells[usize::from(category - b'0')] += 1;
        let llr = sprt.llr(&Counts::Pairs(cells)).unwrap();
        let Some(hypothesis) = sprt.accepted(llr).filter(|_| pairs as f64 >= case.given("min_pairs")) else {
            continue;
        };
        let accepted = if hypothesis == Hypothesis::H1 { "H1" } else { "H0" };
        assert_eq!(case.output["accepted"], accepted, "{}", case.id);
        assert_eq!(case.output["decided_after_pairs"], pairs, "{}", case.id);
        assert_eq!(counts(&case.output["counts"]), Counts::Pairs(cells), "{}", case.id);
        return case.check("the ratio", llr, &case.output["llr"]);
    }
    panic!("{}: undecided", case.id);
}

fn estimate(case: &Case) {
    let sprt = sprt(case, model(case), ["elo0", "elo1"]);
    let e = sprt.estimate(&counts(&case.input["penta"]), case.given("level")).unwrap();
    case.check_fields(|field| match field {
        "elo" => e.elo,
        "ci_lo" => e.elo_interval[0],
        "ci_hi" => e.elo_interval[1],
        "los" => e.los,
        "clamped_llr" => e.llr,
        _ => case.no_such(field),
    });
}

/// The games of a case, each a cluster of its own.
fn clusters(case: &Case) -> Vec<Cluster> {
    let all = list(&case.input["games"]).iter().flat_map(|line| {
        let [first, second] = ["first", "second"].map(|key| index(&line[key]));
        [("w", GameResult::Win), ("d", GameResult::Draw), ("l", GameResult::Loss)].map(|(key, result)| {
            Cluster { games: vec![Game { first, second, result }], count: line[key].as_u64().unwrap() }
        })
    });
    all.collect()
}

fn ratings(case: &Case, model: DrawModel, errors: Errors) {
    let anchor = match (&case.input["anchor"], &case.input["prior_draws"]) {
        (Value::Object(anchor), _) => {
            Anchor::Players(vec![(index(&anchor["player"]), number(&anchor["rating"]))])
        }
        (_, Value::Number(_)) => Anchor::Prior,
        _ => Anchor::Mean(0.0),
    };
    let first_advantage = match &case.input["first_advantage"] {
        Value::Null
            if model == DrawModel::HalfWin && !case.id.contains("firstadv") && !case.id.contains("los") =>
        {
            Some(0.0)
        }
        Value::Null => None,
        value => Some(number(value)),
    };
    let prior_draws = case.input["prior_draws"].as_f64().unwrap_or(0.0);
    let fit = Fit { model, first_advantage, anchor, prior_draws, errors };
    let players = list(&case.input["names"]).len();
    let r = Ratings::fit(players, &clusters(case), &fit).unwrap();
    let each = |f: &dyn Fn(usize) -> f64| (0..players).map(f).collect::<Vec<_>>();
    for (field, value) in fields(case.output) {
        let got = match field.as_str() {
            "ratings" => r.ratings.clone(),
            "stderr" => each(&|player| r.error(player)),
            "stderr_rel_mean" => each(&|player| r.error_to_mean(player)),
            "los" => {
                for (player, row) in list(value).iter().enumerate() {
                    case.check_list(field, &each(&|other| r.los(player, other)), row);
                }
                continue;
            }
            "first_advantage" => vec![r.first_advantage],
            "first_advantage_stderr" => vec![r.first_advantage_error.unwrap()],
            "nu" => vec![r.draw_parameter.unwrap().0.exp()],
            "draw_rate_equal" => {
                let nu = r.draw_parameter.unwrap().0.exp();
                vec![nu / (2.0 + nu)]
            }
            "elo_draw" => vec![r.draw_parameter.unwrap().0],
            "elo_draw_stderr" => vec![r.draw_parameter.unwrap().1],
            "neg_log_lik" => vec![-r.log_likelihood],
            // What the fit solves; it holds if the ratings do.
            "expected_minus_actual_score" => continue,
            _ => case.no_such(field),
        };
        match value {
            Value::Array(_) => case.check_list(field, &got, value),
            _ => case.check(field, got[0], value),
        }
    }
}

fn cross_table(case: &Case, names: &[&str]) -> CrossTable {
    let mut table = CrossTable::new(names.len());
    for line in list(&case.input["games"]) {
        let [first, second] = [0, 1].map(|side| names.iter().position(|name| line[side] == *name).unwrap());
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win]
            .into_iter()
            .find(|result| result.score().total_cmp(&number(&line[2])).is_eq());
        table.add(first, second, result.unwrap(), 1);
    }
    table
}

fn tie_breaks(case: &Case, rule: [f64; 3]) {
    let names = ["A", "B", "C", "D"];
    let table = cross_table(case, &names);
    let points = table.points(rule);
    for (field, value) in fields(case.output) {
        let got = match field.as_str() {
            "points" => points.clone(),
            "wins" => table.wins().into_iter().map(|n| n as f64).collect(),
            "buchholz" => table.buchholz(&points, Cut::None),
            "buchholz_cut1" => table.buchholz(&points, Cut::Lowest),
            "buchholz_median" => table.buchholz(&points, Cut::Median),
            "sonneborn_berger" => table.sonneborn_berger(&points),
            _ => case.no_such(field),
        };
        names.iter().zip(got).for_each(|(name, got)| case.check(field, got, &value[*name]));
    }
}

fn berger_table(case: &Case) {
    let n = case.input["n"].as_u64().unwrap();
    let pairings = list(&case.output["rounds"]).iter().flat_map(list);
    for (number, pairing) in (0..).zip(pairings) {
        let expected = [0, 1].map(|side| pairing[side].as_u64().unwrap() - 1);
        assert_eq!(berger(n, number), expected, "{}, pairing {number}", case.id);
    }
}

fn swiss(case: &Case) {
    let entrant = |player: &Value| Entrant {
        score: number(&player["score"]),
        opponents: list(&player["opponents"]).iter().map(|seed| index(seed) - 1).collect(),
        had_bye: player["had_bye"].as_bool().unwrap(),
    };
    let round = swiss_round(&list(&case.input["players"]).iter().map(entrant).collect::<Vec<_>>());
    let pairs: Vec<_> = round.pairs.iter().map(|pair| pair.map(|player| player + 1)).collect();
    assert_eq!(serde_json::to_value(pairs).unwrap(), case.output["pairs"], "{}", case.id);
    let bye = round.byes.first().map(|player| player + 1);
    assert_eq!(serde_json::to_value(bye).unwrap(), case.output["bye"]);
}

fn opponents(case: &Case) -> Vec<Opponent> {
    let opponent = |line: &Value| {
        let [rating, deviation, score] = [0, 1, 2].map(|i| number(&line[i]));
        Opponent { rating, deviation, score }
    };
    list(&case.input["results"]).iter().map(opponent).collect()
}

fn glicko(case: &Case) {
    let before = Glicko { rating: case.given("rating"), deviation: case.given("rd") };
    let after = before.after(&opponents(case));
    case.check("the rating", after.rating, &case.output["rating"]);
    case.check("the deviation", after.deviation, &case.output["rd"]);
}

fn glicko2(case: &Case) {
    let [rating, deviation, volatility] = ["rating", "rd", "vol"].map(|key| case.given(key));
    let after = Glicko2 { rating, deviation, volatility }.after(&opponents(case), case.given("tau"));
    case.check("the rating", after.rating, &case.output["rating"]);
    case.check("the deviation", after.deviation, &case.output["rd"]);
    case.check("the volatility", after.volatility, &case.output["vol"]);
}

fn chi_square(case: &Case) {
    let rows = list(&case.input["tables"]).iter();
    let rows = rows.map(|row| list(row).iter().map(|n| n.as_u64().unwrap()).collect()).collect::<Vec<_>>();
    let h = homogeneity(&rows).unwrap();
    case.check("the statistic", h.chi_square, &case.output["chi2"]);
    assert_eq!(case.output["dof"], h.degrees);
    case.check("the probability", h.p, &case.output["p"]);
    case.check_list("a residual", &h.residuals, &case.output["row_residual"]);
}

/// Checks a case; says whether there is something to check it with.
fn check(function: &str, case: &Case) -> bool {
    let pair = |a: &str, b: &str| [case.given(a), case.given(b)];
    match function {
        "expected_score" => case.check_value(expected_score(case.given("elo"))),
        "elo_from_score" => case.check_value(elo_of_score(case.given("score"))),
        "phi" => case.check_value(normal_cdf(case.given("x"))),
        "phi_inv" => case.check_value(normal_quantile(case.given("p"))),
        "student_t_quantile" => {
            let degrees = case.input["df"].as_u64().unwrap();
            case.check_value(student_quantile(case.given("p"), degrees).unwrap());
        }
        "pairs_for_halfwidth" => {
            case.check_value(pairs_for_half_width(case.given("pair_sd"), case.given("halfwidth_elo"), Z95));
        }
        "chi2_homogeneity" => chi_square(case),
        "summary_trinomial" => summary(case, counts(&case.input["ldw"])),
        "summary_pentanomial" => summary(case, counts(&case.input["penta"])),
        "wald_bounds" => {
            let [alpha, beta] = pair("alpha", "beta");
            let sprt = Sprt::new(Model::Logistic, [0.0, 1.0], alpha, beta).unwrap();
            case.check_list("a bound", &sprt.bounds(), case.output);
        }
        "llr_logistic" => llr(case, Model::Logistic, ["elo0", "elo1"]),
        "llr_normalized" => llr(case, Model::Normalized, ["nelo0", "nelo1"]),
        "llr_bayeselo" => {
            let Counts::Games(counts) = counts(&case.input["ldw"]) else { panic!("{}", case.id) };
            case.check_value(BayesElo::llr(counts, pair("belo0", "belo1")).unwrap());
        }
        "bayeselo_probs" => {
            let [elo, draw_elo] = pair("belo", "drawelo");
            let [loss, draw, win] = BayesElo { elo, draw_elo }.probabilities();
            let score = win + draw / 2.0;
            case.check_fields(|field| match field {
                "loss" => loss,
                "draw" => draw,
                "win" => win,
                "score" => score,
                "elo" => elo_of_score(score),
                _ => case.no_such(field),
            });
        }
        "bayeselo_from_probs" => {
            let b = BayesElo::from_probabilities(case.given("loss"), case.given("win")).unwrap();
            case.check("the Elo", b.elo, &case.output["belo"]);
            case.check("the draw parameter", b.draw_elo, &case.output["drawelo"]);
        }
        "sprt_oc_logistic" => characteristic(case, Model::Logistic, ["elo0", "elo1", "elo"]),
        "sprt_oc_normalized" => characteristic(case, Model::Normalized, ["nelo0", "nelo1", "nelo"]),
        "sprt_run" => sprt_run(case),
        "sprt_median_unbiased" => estimate(case),
        "bt_half_firstadv_sandwich" => ratings(case, DrawModel::HalfWin, Errors::Sandwich),
        "davidson_mean0" => ratings(case, DrawModel::Davidson, Errors::Curvature),
        "raokupper_mean0" => ratings(case, DrawModel::RaoKupper, Errors::Curvature),
        "los_matrix" => ratings(case, DrawModel::HalfWin, Errors::Curvature),
        _ if function.starts_with("bt_half") => ratings(case, DrawModel::HalfWin, Errors::Curvature),
        "elo_update" => {
            let after = updated_elo(pair("ra", "rb"), case.given("score"), case.given("k"));
            case.check("the first rating", after[0], &case.output["ra"]);
            case.check("the second rating", after[1], &case.output["rb"]);
        }
        "tiebreaks_1_half_0" => tie_breaks(case, [1.0, 0.5, 0.0]),
        "tiebreaks_3_1_0" => tie_breaks(case, [3.0, 1.0, 0.0]),
        "colley" => {
            let names: Vec<&str> =
                list(&case.input["players"]).iter().map(|name| name.as_str().unwrap()).collect();
            let got = cross_table(case, &names).colley();
            names.iter().zip(got).for_each(|(n, r)| case.check("a rating", r, &case.output["ratings"][*n]));
        }
        "berger_table" => berger_table(case),
        "swiss_dfs" => swiss(case),
        "glicko1" => glicko(case),
        "glicko2" => glicko2(case),
        _ => return false,
    }
    true
}

#[test]
fn agree_with_the_reference_cases() {
    let text = include_str!("../../../tests/data/stats-vectors.json");
    let file: Value = serde_json::from_str(text).unwrap();
    let mut left_out = Vec::new();
    for case in list(&file["cases"]) {
        let function = case["fn"].as_str().unwrap();
        let (id, input, output) = (case["id"].as_str().unwrap(), &case["input"], &case["output"]);
        if !check(function, &Case { id, input, output, tolerance: number(&case["tol"]) }) {
            left_out.push(function);
        }
    }
    assert_eq!(left_out, ["trueskill_1v1"; 4], "a system under a trade mark");
}

#[test]
fn nothing_counted_is_no_summary() {
    assert_eq!(Counts::Games([0; 3]).summary(Z95), None);
    assert_eq!(Counts::Pairs([0; 5]).summary(Z95), None);
}

#[test]
fn an_even_score_is_plain_zero() {
    assert!(elo_of_score(0.5).is_sign_positive());
}

#[test]
fn likelihoods_of_superiority_without_variance() {
    let los = |counts| Counts::Games(counts).summary(Z95).unwrap().los;
    for (got, expected) in [
        (los([0, 5, 0]), 0.5),
        (los([0, 0, 5]), 1.0),
        (los([5, 0, 0]), 0.0),
        (los_of_decisive_games(0, 0), 0.5),
        (los_with_uniform_prior(0, 0), 0.5),
    ] {
        assert!((got - expected).abs() < 1e-12, "{got}, expected {expected}");
    }
}

#[test]
fn tails_by_known_values() {
    for (got, expected) in [
        (chi_square_tail(3.841_458_820_694_124, 1), 0.05),
        (chi_square_tail(5.991_464_547_107_979, 2), 0.05),
        (chi_square_tail(0.0, 3), 1.0),
        (student_quantile(0.75, 1).unwrap(), 1.0),
        (student_quantile(0.025, 5).unwrap(), -2.570_581_835_636_314_6),
    ] {
        assert!((got - expected).abs() < 1e-9, "{got}, expected {expected}");
    }
    assert_eq!((student_quantile(0.5, 0), student_quantile(1.0, 3)), (None, None));
}
