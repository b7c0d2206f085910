//! What people see while a run lasts.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike, WeakProgressBar};

use crate::plan::Plan;
use crate::report::{self, Style};
use crate::standings::Standings;
use crate::system;

/// Time between two redrawings of the table.
const REDRAW: Duration = Duration::from_millis(100);

/// The table of a running tournament: redrawn in place above a progress bar on a terminal, else printed now and then.
pub enum View {
    /// Nothing.
    Quiet,
    /// On a terminal.
    Live {
        /// The table is the bar's message.
        bar: ProgressBar,
        /// When it was last redrawn.
        drawn: Option<Instant>,
    },
    /// In a pipe or file.
    Lines {
        /// Number of games between two tables.
        every: u64,
        /// Number of games planned.
        games: u64,
        /// Number of games at the last table.
        shown: u64,
    },
}

impl View {
    /// A view, on standard error, of a run of which `done` games were played before. On a terminal it is below what is
    /// written to `console`.
    pub fn new(plan: &Plan, done: u64, console: &Console) -> View {
        let games = plan.schedule.games();
        if !system::is_screen(&io::stderr()) {
            // About ten tables, whatever the length.
            return View::Lines { every: games.div_ceil(10).clamp(10, 1000), games, shown: done };
        }
        // Nobody knows when a test will be decided, or who will be level.
        let style = ProgressStyle::with_template(if plan.is_open() {
            "{msg}\n{pos} of at most {len} games  {rate}  {elapsed} gone  {wide_bar}"
        } else {
            "{msg}\n{pos}/{len} games  {rate}  {elapsed} gone, {eta} to go  {wide_bar}"
        });
        let rate = |state: &ProgressState, w: &mut dyn std::fmt::Write| {
            let _ = write!(w, "{:.1}/s", state.per_sec());
        };
        let style = style.expect("the template is well formed").with_key("rate", rate).progress_chars("━╸─");
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(Margin(Term::buffered_stderr())), 20);
        let bar = ProgressBar::with_draw_target(Some(games), target).with_style(style);
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(250));
        *console.bar() = Some(bar.downgrade());
        View::Live { bar, drawn: None }
    }

    /// Shows new standings.
    pub fn update(&mut self, standings: &Standings) {
        match self {
            View::Quiet => {}
            View::Live { bar, drawn } => {
                bar.set_position(standings.games());
                if drawn.is_none_or(|at| at.elapsed() >= REDRAW) {
                    *drawn = Some(Instant::now());
                    bar.set_message(fitting(standings, system::terminal_size(io::stderr())));
                }
            }
            View::Lines { every, games, shown } => {
                let played = standings.games();
                if played >= *shown + *every && played < *games {
                    *shown = played;
                    let table = report::table(standings, Style::Text) + &report::progress(standings);
                    // Nobody may be reading.
                    let _ = writeln!(io::stderr(), "{played} of {games} games\n{table}");
                }
            }
        }
    }

    /// Clears what was drawn in place.
    pub fn finish(self) {
        if let View::Live { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// Standard error as a place for single lines, such as warnings: they stand above a live view.
#[derive(Clone, Default)]
pub struct Console(Arc<Mutex<Option<WeakProgressBar>>>);

impl Console {
    fn bar(&self) -> MutexGuard<'_, Option<WeakProgressBar>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bar = self.bar().as_ref().and_then(WeakProgressBar::upgrade);
        match bar.filter(|bar| !bar.is_finished()) {
            Some(bar) => bar.suspend(|| io::stderr().write(bytes)),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The terminal, on which the cursor rests at the left margin. Left behind the last column, as the progress bar leaves it,
/// the `^C` that the terminal itself writes would begin a line of which the bar knows nothing.
#[derive(Debug)]
struct Margin(Term);

impl TermLike for Margin {
    fn width(&self) -> u16 {
        self.0.size().1
    }
    fn height(&self) -> u16 {
        self.0.size().0
    }
    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }
    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }
    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }
    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }
    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }
    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }
    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}

/// The table, and where the test is, as far as a terminal of so many columns and lines has room for them above the
/// progress bar.
fn fitting(standings: &Standings, size: Option<(usize, usize)>) -> String {
    /// The bar, the empty line above it, and one for the cursor.
    const RESERVED: usize = 3;
    let table = report::table(standings, Style::Text);
    let test = report::progress(standings);
    let Some((columns, lines)) = size else { return table + &test };
    let width = table.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    let table = if columns < width { report::narrow_table(standings) } else { table };
    let room = lines.saturating_sub(RESERVED + test.lines().count());
    table.split_inclusive('\n').take(room).chain([test.as_str()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, PlanRecord};

    #[test]
    fn a_table_that_is_too_big_is_made_smaller() {
        let engine = |name: &str| EngineRecord { name: name.into(), ..EngineRecord::default() };
        let engines = vec![engine("a"), engine("b")];
        let standings = Standings::new(&PlanRecord { engines, ..PlanRecord::default() });
        let table = report::table(&standings, Style::Text);
        let width = table.lines().map(|line| line.chars().count()).max().expect("a line");
        assert_eq!(fitting(&standings, None), table);
        assert_eq!(fitting(&standings, Some((width, 7))), table);
        let narrow = fitting(&standings, Some((width - 1, 7)));
        assert_eq!(narrow, report::narrow_table(&standings));
        assert!(narrow.lines().all(|line| line.chars().count() < 40), "{narrow}");
        assert_eq!(fitting(&standings, Some((width, 6))).lines().count(), 3, "the header and the leader");
        assert_eq!(fitting(&standings, Some((1, 1))), "");
    }
}
