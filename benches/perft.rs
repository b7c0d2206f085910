//! Speed of the rules and of the static evaluation, in CPU time of one thread: `cargo bench --bench perft`.

use std::hint::black_box;
use std::time::Duration;

use andantino::Andantino;
use colosseum::Colosseum;
use game::{Family, Playable, Visitor, perft};
use rustix::time::{ClockId, clock_gettime};
use simplexity::Simplexity;
use xrudder::XRudder;

/// Repetitions; the fastest counts, being the least disturbed.
const RUNS: usize = 3;

/// A name, a position and the depth to count to.
type Board = (&'static str, &'static str, u32);

const COLOSSEUM: &[Board] = &[
    ("6x6", "6/d2d2/4r1/r1d2d/6/6 c2 d5 a", 4),
    ("8x8", "8/1r3d2/7d/2r5/d3r3/2d5/5r2/8 h1 a8 a", 4),
    ("12x12", "4d7/12/2d7d1/1r10/12/d5r4d/4r7/12/1d7b2/12/7d4/12 a11 l2 a", 3),
    ("20x20", "20/20/4d15/20/20/9r10/20/20/20/20/20/20/20/20/10r9/20/20/15d4/20/20 j10 k11 a", 3),
];

const SIMPLEXITY: &[Board] = &[
    ("6x7 win 4", "7/7/7/7/7/7 w 10,11,10,11 4", 8),
    ("8x13 win 4", "13/13/13/13/13/13/13/13 w 26,26,26,26 4", 5),
    ("9x37 win 5", "37/37/37/37/37/37/37/37/37 w 83,84,83,84 5", 4),
    ("18x22 win 9", "22/22/22/22/22/22/22/22/22/22/22/22/22/22/22/22/22/22 w 99,99,99,99 9", 4),
    ("33x42 win 20", LARGE, 4),
];
const LARGE: &str = "42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42/42 \
                     w 400,500,400,500 20";

const XRUDDER: &[Board] = &[
    ("10x12", "12/12/12/12/12/12/12/12/12/12 x 15 15 30", 4),
    ("after 8 plies", "12/12/12/4x1x5/4oxo5/4o1x5/3o8/12/12/12 x 11 11 26", 4),
    ("no tokens in hand", "12/12/2x1o1x1o3/12/3x1o6/5x1o4/12/12/12/12 o 0 0 5", 5),
    ("26x26", "26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26/26 x 15 15 30", 3),
];

const ANDANTINO: &[Board] = &[
    ("radius 9", "10/11/12/13/14/15/16/17/18/9b9/18/17/16/15/14/13/12/11/10 w", 10),
    ("after 16 moves", "10/11/12/13/14/15/16/8bb7/8bw1b6/8bbwwb6/8wbbw6/7www7/16/15/14/13/12/11/10 w", 7),
    ("radius 12", "13/14/15/16/17/18/19/20/21/22/23/24/12b12/24/23/22/21/20/19/18/17/16/15/14/13 w", 10),
];

fn main() {
    // The test runner calls benches too, to see that they run; a debug build would take minutes.
    let quick = std::env::args().any(|arg| arg == "--test") || cfg!(debug_assertions);
    println!("{:<26} {:>18} {:>18} {:>12}", "board", "leaves/s in bulk", "leaves/s played", "evaluate ns");
    measure::<Colosseum>(COLOSSEUM, quick);
    measure::<Simplexity>(SIMPLEXITY, quick);
    measure::<XRudder>(XRUDDER, quick);
    measure::<Andantino>(ANDANTINO, quick);
}

fn measure<F: Family>(boards: &[Board], quick: bool) {
    for &(name, fen, depth) in boards {
        let depth = if quick { 2 } else { depth };
        let [bulk, played, evaluate] = F::load(fen, Measure { depth }).expect("a good position");
        let name = format!("{} {name}", F::NAME);
        println!("{name:<26} {bulk:>18.0} {played:>18.0} {evaluate:>12.0}");
    }
}

struct Measure {
    depth: u32,
}

impl Visitor for Measure {
    type Output = [f64; 3];

    fn visit<G: Playable>(self, position: G) -> [f64; 3] {
        let rate = |count: &dyn Fn() -> u64| {
            let nodes = count();
            nodes as f64 / fastest(|| _ = black_box(count())).as_secs_f64()
        };
        let bulk = rate(&|| perft::perft(&position, self.depth));
        let played = rate(&|| perft::table(&position, self.depth - 1).last().map_or(0, |row| row.nodes));
        let game = positions(&position, 4096);
        let evaluate = fastest(|| game.iter().for_each(|p| _ = black_box(p.evaluate())));
        [bulk, played, evaluate.as_secs_f64() * 1e9 / game.len() as f64]
    }
}

/// Unfinished positions of quiet games: each move is the first, counted from a point that wanders, that does not end the
/// game.
fn positions<G: Playable>(start: &G, count: usize) -> Vec<G> {
    let mut list = Vec::with_capacity(count);
    let mut position = start.clone();
    for step in 0..count {
        list.push(position.clone());
        let moves = position.legal_moves();
        let wander = (0..moves.len()).map(|i| moves[(step * 7 + step / 5 + i) % moves.len()]);
        let next = wander.map(|m| position.play(m)).find(|next| next.outcome().is_none());
        position = next.unwrap_or_else(|| start.clone());
    }
    list
}

fn fastest(mut work: impl FnMut()) -> Duration {
    let time = |work: &mut dyn FnMut()| {
        let begin = thread_time();
        work();
        thread_time().saturating_sub(begin)
    };
    (0..RUNS).map(|_| time(&mut work)).min().unwrap_or_default()
}

/// CPU time that this thread has used.
fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
