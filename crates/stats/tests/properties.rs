//! What holds for any input: symmetries, and that nothing is undefined.

use proptest::prelude::*;
use stats::{
    Anchor, Cluster, Counts, DrawModel, Entrant, Errors, Fit, Game, GameResult, Model, Ratings, RatingsError,
    Sprt, SprtError, Z95, components, swiss_round,
};

fn result() -> impl Strategy<Value = GameResult> {
    prop_oneof![Just(GameResult::Loss), Just(GameResult::Draw), Just(GameResult::Win)]
}

/// Counts small and large, most of them with empty cells.
fn pentanomial() -> impl Strategy<Value = [u64; 5]> {
    prop::array::uniform5(prop_oneof![Just(0), 0..20u64, 0..100_000u64])
}

fn games(players: usize) -> impl Strategy<Value = Vec<Cluster>> {
    let game = (0..players, 1..players, result()).prop_map(move |(first, distance, result)| Game {
        first,
        second: (first + distance) % players,
        result,
    });
    let cluster = (prop::collection::vec(game, 1..3), 0..5u64);
    prop::collection::vec(cluster.prop_map(|(games, count)| Cluster { games, count }), 0..30)
}

fn plain(anchor: Anchor, prior_draws: f64) -> Fit {
    let errors = Errors::Sandwich;
    Fit { model: DrawModel::HalfWin, first_advantage: Some(0.0), anchor, prior_draws, errors }
}

proptest! {
    #[test]
    fn every_test_has_a_ratio(cells in pentanomial(), low in -200.0..199.0f64, width in 0.1..50.0f64) {
        let elo = [low, (low + width).min(200.0)];
        let swapped = Counts::Pairs([cells[4], cells[3], cells[2], cells[1], cells[0]]);
        for model in [Model::Logistic, Model::Normalized] {
            let counts = Counts::Pairs(cells);
            let llr = model.llr(&counts, elo);
            prop_assert_eq!(llr.is_none(), cells == [0; 5]);
            let Some(llr) = llr else { continue };
            prop_assert!(llr.is_finite());
            let mirrored = model.llr(&swapped, [-elo[1], -elo[0]]).unwrap();
            prop_assert!((llr + mirrored).abs() < 1e-7 * llr.abs().max(1.0), "{} {}", llr, mirrored);
            let sprt = Sprt::new(model, elo, 0.05, 0.1).unwrap();
            let estimate = sprt.estimate(&counts, 0.95).unwrap();
            let [low, high] = estimate.elo_interval;
            prop_assert!(low <= estimate.elo && estimate.elo <= high, "{:?}", estimate);
            prop_assert!((0.0..=1.0).contains(&estimate.los));
        }
    }

    #[test]
    fn tests_pass_the_more_the_stronger(cells in pentanomial(), low in -100.0..100.0f64, width in 1.0..50.0f64) {
        let sprt = Sprt::new(Model::Normalized, [low, low + width], 0.05, 0.05).unwrap();
        let mut last = 0.0;
        for step in -300..=300 {
            let Some(c) = sprt.characteristic(&Counts::Pairs(cells), f64::from(step)) else { return Ok(()) };
            prop_assert!(c.pass_probability >= last - 1e-12 && c.pass_probability <= 1.0, "{:?}", c);
            prop_assert!(c.expected_samples > 0.0 && c.expected_samples.is_finite(), "{:?}", c);
            last = c.pass_probability;
        }
    }

    #[test]
    fn summaries_are_defined(cells in pentanomial()) {
        let Some(s) = Counts::Pairs(cells).summary(Z95) else { return Ok(()) };
        prop_assert!(!s.elo.is_nan() && !s.los.is_nan() && !s.elo_error_delta.is_nan());
        prop_assert!(s.elo_interval[0] <= s.elo && s.elo <= s.elo_interval[1]);
    }

    #[test]
    fn ratings_are_finite_where_players_are_connected(clusters in games(5)) {
        let numbers = components(5, &clusters);
        let fitted = Ratings::fit(5, &clusters, &plain(Anchor::Mean(100.0), 0.0));
        if numbers.iter().all(|n| *n == 0) {
            let ratings = fitted.unwrap();
            let mean = ratings.ratings.iter().sum::<f64>() / 5.0;
            prop_assert!((mean - 100.0).abs() < 1e-6, "{}", mean);
            prop_assert!((0..5).all(|player| ratings.error(player).is_finite()));
            // Each player's points are what its rating makes expected.
            for player in 0..5 {
                let (mut scored, mut expected) = (0.0, 0.0);
                for Cluster { games, count } in &clusters {
                    for game in games.iter().filter(|game| game.first == player || game.second == player) {
                        let other = game.first + game.second - player;
                        let score = game.result.score();
                        scored += *count as f64 * if game.first == player { score } else { 1.0 - score };
                        let difference = ratings.ratings[player] - ratings.ratings[other];
                        expected += *count as f64 * stats::expected_score(difference);
                    }
                }
                prop_assert!((scored - expected).abs() < 1e-6, "{} {}", scored, expected);
            }
        } else {
            prop_assert_eq!(fitted, Err(RatingsError::Unconnected));
        }
        let with_prior = Ratings::fit(5, &clusters, &plain(Anchor::Mean(0.0), 1.0)).unwrap();
        prop_assert!((0..5).all(|player| with_prior.ratings[player].is_finite()));
    }

    #[test]
    fn swiss_rounds_pair_everybody_once(
        scores in prop::collection::vec(0..4u8, 2..12),
        played in prop::collection::vec((0..12usize, 0..12usize), 0..20),
        byes in prop::collection::vec(any::<bool>(), 12),
    ) {
        let n = scores.len();
        let mut players: Vec<Entrant> = scores.iter().zip(&byes).map(|(score, had_bye)| Entrant {
            score: f64::from(*score) / 2.0,
            opponents: Vec::new(),
            had_bye: *had_bye,
        }).collect();
        for (a, b) in played.into_iter().filter(|(a, b)| *a < n && *b < n && a != b) {
            players[a].opponents.push(b);
            players[b].opponents.push(a);
        }
        let round = swiss_round(&players);
        let mut seen: Vec<usize> = round.pairs.iter().flatten().copied().chain(round.byes.iter().copied()).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..n).collect::<Vec<_>>());
        prop_assert_eq!(round.byes.len(), n % 2);
        if let Some(&bye) = round.byes.first() {
            prop_assert!(!players[bye].had_bye || players.iter().all(|player| player.had_bye));
        }
    }
}

#[test]
fn senseless_tests_are_refused() {
    for (elo, alpha, beta, error) in [
        ([0.0, 0.0], 0.05, 0.05, SprtError::Order),
        ([5.0, 0.0], 0.05, 0.05, SprtError::Order),
        ([f64::NAN, 0.0], 0.05, 0.05, SprtError::Order),
        ([0.0, 201.0], 0.05, 0.05, SprtError::Extreme),
        ([f64::NEG_INFINITY, 0.0], 0.05, 0.05, SprtError::Extreme),
        ([0.0, 5.0], 0.0, 0.05, SprtError::Probability),
        ([0.0, 5.0], 0.05, 1.0, SprtError::Probability),
        ([0.0, 5.0], 0.5, 0.5, SprtError::Probability),
        ([0.0, 5.0], f64::NAN, 0.5, SprtError::Probability),
    ] {
        assert_eq!(Sprt::new(Model::Normalized, elo, alpha, beta), Err(error), "{elo:?} {alpha} {beta}");
    }
}

#[test]
fn bad_games_and_settings_are_refused() {
    let game = |first, second| {
        vec![Cluster { games: vec![Game { first, second, result: GameResult::Draw }], count: 1 }]
    };
    let fit = |games: &[Cluster], anchor, prior| Ratings::fit(2, games, &plain(anchor, prior)).unwrap_err();
    assert_eq!(fit(&game(0, 2), Anchor::Mean(0.0), 0.0), RatingsError::Player);
    assert_eq!(fit(&game(1, 1), Anchor::Mean(0.0), 0.0), RatingsError::Player);
    assert_eq!(fit(&game(0, 1), Anchor::Players(vec![(2, 0.0)]), 0.0), RatingsError::Player);
    assert_eq!(fit(&game(0, 1), Anchor::Players(Vec::new()), 0.0), RatingsError::Settings);
    assert_eq!(fit(&game(0, 1), Anchor::Mean(f64::NAN), 0.0), RatingsError::Settings);
    assert_eq!(fit(&game(0, 1), Anchor::Mean(0.0), -1.0), RatingsError::Settings);
    assert_eq!(fit(&game(0, 1), Anchor::Prior, 0.0), RatingsError::Settings);
}

#[test]
fn a_likelihood_without_maximum_is_said_to_have_none() {
    let win = |first, second| Game { first, second, result: GameResult::Win };
    let games = [Cluster { games: vec![win(0, 1), win(1, 0)], count: 5 }];
    let fitted = Fit { first_advantage: None, ..plain(Anchor::Mean(0.0), 0.0) };
    assert_eq!(Ratings::fit(2, &games, &fitted), Err(RatingsError::Unbounded), "the first always wins");
    for model in [DrawModel::Davidson, DrawModel::RaoKupper] {
        let fit = Fit { model, ..plain(Anchor::Mean(0.0), 0.0) };
        assert_eq!(Ratings::fit(2, &games, &fit), Err(RatingsError::Unbounded), "there are no draws");
    }
}

#[test]
fn several_anchors_keep_their_ratings() {
    let game = |first, second, result| Cluster { games: vec![Game { first, second, result }], count: 3 };
    let games = [game(0, 2, GameResult::Win), game(0, 2, GameResult::Loss), game(2, 1, GameResult::Draw)];
    let anchors = Anchor::Players(vec![(0, 2000.0), (1, 1000.0)]);
    let ratings = Ratings::fit(3, &games, &plain(anchors, 0.0)).unwrap();
    assert_eq!(ratings.ratings[..2].iter().map(|r| r.round()).collect::<Vec<_>>(), [2000.0, 1000.0]);
    // Six games against the one and three against the other, all even.
    assert!((1500.0..1999.0).contains(&ratings.ratings[2]), "{:?}", ratings.ratings);
    assert!(ratings.error(0).abs() < 1e-12);
}

#[test]
fn a_likelihood_of_superiority_without_games_between_is_about_the_ratings() {
    let games = [Cluster { games: vec![Game { first: 0, second: 1, result: GameResult::Draw }], count: 4 }];
    let ratings = Ratings::fit(2, &games, &plain(Anchor::Mean(0.0), 0.0)).unwrap();
    assert!((ratings.los(0, 1) - 0.5).abs() < 1e-9 && (ratings.los(1, 1) - 0.5).abs() < 1e-12);
}

#[test]
fn results_all_alike_leave_no_doubt_which_side_of_even_they_are_on() {
    let percent = [0, 1, 2, 3, 4].map(|points| {
        let mut pairs = [0; 5];
        pairs[points] = 10;
        format!("{:.6}", 100.0 * Counts::Pairs(pairs).summary(Z95).unwrap().los)
    });
    assert_eq!(percent, ["0.000000", "0.000000", "50.000000", "100.000000", "100.000000"]);
}
