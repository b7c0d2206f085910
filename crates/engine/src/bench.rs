use std::io::{self, Write};
use std::time::Instant;

use game::{Family, Options, Playable, Visitor};

use crate::Error;

/// Plies that are searched unless told otherwise: enough for reductions and narrow windows to count, few enough that
/// nobody waits.
pub(crate) const DEPTH: u32 = 8;

/// Searches every position of [`Family::BENCH`] to a fixed depth, in one thread and with an empty table each, and prints
/// the nodes of each, their sum, and nodes per second. The node counts are the search's signature: they change with
/// what it does, and with nothing else.
pub(crate) fn run<F: Family>(depth: u32, options: &Options, output: &mut impl Write) -> Result<(), Error> {
    let started = Instant::now();
    let mut total = 0;
    for (index, fen) in (1..).zip(F::BENCH.lines()) {
        let fault = |message: String| io::Error::other(format!("bench position {index}: {message}"));
        let searched =
            F::load(fen, FixedDepth { depth, options }).map_err(|error| fault(error.to_string()))?;
        let nodes = searched.map_err(fault)?;
        writeln!(output, "position {index} nodes {nodes} fen {fen}").map_err(Error::Output)?;
        total += nodes;
    }
    let nps = u128::from(total) * 1_000_000 / started.elapsed().as_micros().max(1);
    writeln!(output, "nodes {total}\nnps {nps}").map_err(Error::Output)
}

struct FixedDepth<'a> {
    depth: u32,
    options: &'a Options,
}

impl Visitor for FixedDepth<'_> {
    type Output = Result<u64, String>;

    fn visit<G: Playable>(self, position: G) -> Result<u64, String> {
        search::fixed_depth(&position, self.depth, self.options)
    }
}
