use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

/// Where the numbers stand in `/proc/PID/stat`, counted from 0 after the program's name.
const GROUP: usize = 2;
const USER_TICKS: usize = 11;
const SYSTEM_TICKS: usize = 12;
const RESIDENT_PAGES: usize = 21;

/// What processes have used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Usage {
    /// Processor time, to the system's clock tick (10 ms).
    pub(crate) cpu: Duration,
    /// Time that threads, now alive, were ready to run and had no processor; 0 where the system doesn't tell.
    pub(crate) waited: Duration,
    /// Memory that is resident now, in bytes.
    pub(crate) resident: u64,
}

impl Usage {
    /// The sum over the live processes of a group.
    pub(super) fn of_group(group: Pid) -> Usage {
        let group = i64::from(group.as_raw_nonzero().get());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let mut sum = Usage::default();
        for process in entries.map(|entry| entry.path()) {
            let stat = fs::read_to_string(process.join("stat")).ok();
            if let Some(usage) = stat.and_then(|stat| Usage::read(&stat, group)) {
                sum.cpu += usage.cpu;
                sum.waited += waited(&process);
                sum.resident += usage.resident;
            }
        }
        sum
    }

    /// The processor time that all of it asked for, whether it got it or not: how busy it is, however busy the machine.
    pub(crate) fn demand(&self) -> Duration {
        self.cpu + self.waited
    }

    /// What a process's `stat` says, if the process belongs to the group.
    fn read(stat: &str, group: i64) -> Option<Usage> {
        // The name stands in parentheses and may hold anything.
        let fields: Vec<i64> =
            stat.rsplit_once(") ")?.1.split(' ').map(|field| field.trim().parse().unwrap_or(0)).collect();
        let field = |index: usize| fields.get(index).and_then(|&n| u64::try_from(n).ok());
        (fields.get(GROUP) == Some(&group)).then_some(())?;
        let ticks = field(USER_TICKS)? + field(SYSTEM_TICKS)?;
        Some(Usage {
            cpu: Duration::from_millis(ticks * 1000 / clock_ticks_per_second().max(1)),
            waited: Duration::ZERO,
            resident: field(RESIDENT_PAGES)? * page_size() as u64,
        })
    }
}

/// How long the threads of a process, given by its directory in `/proc`, have waited for a processor: the second number,
/// in nanoseconds, of each one's `schedstat`.
fn waited(process: &Path) -> Duration {
    let threads = fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    let wait = |stat: String| stat.split(' ').nth(1)?.parse().ok().map(Duration::from_nanos);
    let read = |path: PathBuf| fs::read_to_string(path.join("schedstat")).ok().and_then(wait);
    threads.filter_map(|thread| read(thread.path())).sum()
}

#[cfg(test)]
mod tests {
    use rustix::process::getpgrp;

    use super::*;

    #[test]
    fn a_name_may_hold_anything_and_other_groups_do_not_count() {
        let stat = "7 (a ) (b) S 1 42 42 0 -1 0 0 0 0 0 100 50 0 0 20 0 1 0 9 4096 3 0\n";
        let ticks = clock_ticks_per_second();
        let cpu = Duration::from_millis(150 * 1000 / ticks);
        assert_eq!(
            Usage::read(stat, 42),
            Some(Usage { cpu, waited: Duration::ZERO, resident: 3 * page_size() as u64 })
        );
        assert_eq!(Usage::read(stat, 43), None);
        assert_eq!(Usage::read("7 (a) S 1", 1), None);
    }

    #[test]
    fn this_process_uses_memory_and_has_waited() {
        let usage = Usage::of_group(getpgrp());
        assert!(usage.resident > 100_000);
        // Where threads come and go, one of them has waited for at least a moment.
        assert!(usage.demand() > usage.cpu || !Path::new("/proc/self/schedstat").exists());
    }
}
