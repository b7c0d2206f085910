//! Position strings: what is read, and what is refused with which field at fault.

use andantino::Andantino;
use game::{Rules, Ruleset};

const RULES: Ruleset<Andantino> = Ruleset::new();

#[test]
fn starts_of_every_radius_are_read_and_written() {
    for radius in 1..=12 {
        let setup = RULES.setup(&[("radius", &radius.to_string())]).expect("a radius in range");
        let fen = RULES.start(&setup).fen();
        assert_eq!(fen.matches('/').count(), 2 * radius, "{fen}");
        assert_eq!(RULES.load(&fen).expect("the start loads").fen(), fen);
    }
    for radius in ["0", "13", "-1", "auto", ""] {
        assert!(RULES.setup(&[("radius", radius)]).is_err(), "radius {radius}");
    }
}

#[test]
fn unusual_positions_are_read() {
    for fen in [
        "2/wb1/2 b",
        "bw/wbb/wb w",
        // Everything White has touches nothing but other stones of the chain.
        "3/4/2bwb/4/3 w",
        "wwb/wbb1/bwbb1/1ww1/1b1 w",
        // Not to be reached by play, which is not asked for: a stone that had one neighbour when it was placed.
        "4/5/6/bwbbwbw/6/5/4 w",
    ] {
        assert_eq!(RULES.load(fen).expect("a position").fen(), fen);
    }
}

#[test]
fn bad_positions_are_refused_with_their_field() {
    let long = format!("{}/4/2b2/4/3 w", "9".repeat(100_000));
    let rows = format!("{} w", vec!["1"; 100_000].join("/"));
    for (fen, field) in [
        // Fields.
        ("", 1),
        (" ", 1),
        ("3/4/2b2/4/3", 2),
        ("3/4/2b2/4/3 ", 2),
        (" 3/4/2b2/4/3 w", 1),
        ("3/4/2b2/4/3  w", 2),
        ("3/4/2b2/4/3 w ", 3),
        ("3/4/2b2/4/3 w 0", 3),
        ("3/4/2b2/4/3\tw", 2),
        ("3/4/2b2/4/3 w\n", 2),
        ("w 3/4/2b2/4/3", 1),
        // The number of rows.
        ("b w", 1),
        ("1/b w", 1),
        ("2/1b1/1b/2 w", 1),
        ("3/4/2b2/4 w", 1),
        ("3/4/2b2/4/3/ w", 1),
        ("/3/4/2b2/4/3 w", 1),
        ("13/14/15/16/17/18/19/20/21/22/23/24/25/12b12/25/24/23/22/21/20/19/18/17/16/15/14/13 w", 1),
        (&rows, 1),
        // The length of rows.
        ("4/4/2b2/4/3 w", 1),
        ("2/4/2b2/4/3 w", 1),
        ("3/4/2b1/4/3 w", 1),
        ("3/4/2b3/4/3 w", 1),
        ("3/4/2b2/4/4 w", 1),
        ("3/4/2b2b/4/3 w", 1),
        ("3/4/2b2//3 w", 1),
        ("//// w", 1),
        ("3/wwwww/2b2/4/3 w", 1),
        // Runs.
        ("03/4/2b2/4/3 w", 1),
        ("3/4/02b2/4/3 w", 1),
        ("3/4/2b02/4/3 w", 1),
        ("3/4/0bb2/4/3 w", 1),
        ("0w1/1b1/2 b", 1),
        ("3/4/2b20/4/3 w", 1),
        ("3/4/11b2/4/3 w", 1),
        ("3/4/2b11/4/3 w", 1),
        ("3/22/2b2/4/3 w", 1),
        ("300/4/2b2/4/3 w", 1),
        ("99999999999999999999/4/2b2/4/3 w", 1),
        (&long, 1),
        ("3/-4/2b2/4/3 w", 1),
        ("3/+4/2b2/4/3 w", 1),
        // Letters.
        ("3/4/2B2/4/3 w", 1),
        ("3/4/2x2/4/3 w", 1),
        ("3/4/2.2/4/3 w", 1),
        ("3/4/bé2/4/3 w", 1),
        ("3/4/2b1\u{0662}/4/3 w", 1),
        ("3/4/2\u{0}2/4/3 w", 1),
        ("3/4/2b2,4/3 w", 1),
        // The side to move.
        ("3/4/2b2/4/3 W", 2),
        ("3/4/2b2/4/3 x", 2),
        ("3/4/2b2/4/3 white", 2),
        ("3/4/2b2/4/3 p1", 2),
        ("3/4/2b2/4/3 wb", 2),
        ("3/4/2b2/4/3 é", 2),
        ("3/4/2b2/4/3 b", 2),
        ("3/4/1wb2/4/3 w", 2),
        ("3/1w2/1wb2/4/3 w", 2),
        ("3/1w2/1wb2/4/3 b", 2),
        ("3/4/1bb2/4/3 w", 2),
        ("3/4/1bb2/4/3 b", 2),
        // The centre.
        ("3/4/5/4/3 w", 1),
        ("3/4/5/4/3 b", 1),
        ("3/4/2w2/4/3 w", 1),
        ("3/1b2/2wb1/4/3 w", 1),
        ("3/1b2/5/4/3 w", 1),
        // Stones apart.
        ("w2/4/2b2/4/3 b", 1),
        ("wb1/4/2b2/4/3 w", 1),
        ("3/4/1wb2/4/2b w", 1),
        // Both have won.
        ("5/6/7/8/3bbbbb1/2wwwww1/7/6/5 b", 1),
    ] {
        match RULES.load(fen) {
            Ok(state) => panic!("{fen:?} is read as {}", state.fen()),
            Err(error) => {
                let fen: String = fen.chars().take(100).collect();
                assert_eq!(error.field, field, "{fen:?}: {error}");
                assert!(error.to_string().len() < 200, "{fen:?}: {error}");
            }
        }
    }
}
