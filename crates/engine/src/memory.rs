//! How much memory there is to have. A system grants more than it has, and kills whoever makes use of that.

use std::fs;
use std::path::Path;

/// What one table may take of all that is free, in eighths: other programs start and grow, too.
const EIGHTHS: u64 = 7;

/// What is wrong with a table of so many MiB, if there is no memory for it beside all that is in use.
pub fn shortage(mib: u64) -> Option<String> {
    let free = (free(Path::new("/"))? / 8 * EIGHTHS) >> 20;
    (mib > free).then(|| format!("{mib} MiB are more than can be had at present, {free} MiB"))
}

/// What this process can still have, in bytes: the least of what the machine and its control groups leave it. `None`: the
/// system doesn't say. `root` is where its files begin.
fn free(root: &Path) -> Option<u64> {
    let machine = number(&root.join("proc/meminfo"), "MemAvailable:").map(|kib| kib << 10);
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    groups.lines().flat_map(|line| left(root, line)).chain(machine).min()
}

/// What a control group and those around it leave, by its line `ID:CONTROLLERS:PATH`.
fn left(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (dir, limit, used) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max", "anon"),
        _ if controllers.split(',').any(|controller| controller == "memory") => {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss")
        }
        _ => return Vec::new(),
    };
    let left = |group: &Path| {
        let group = root.join(dir).join(group);
        let limit: u64 = fs::read_to_string(group.join(limit)).ok()?.trim().parse().ok()?;
        Some(limit.saturating_sub(number(&group.join("memory.stat"), used).unwrap_or(0)))
    };
    Path::new(path.trim_start_matches('/')).ancestors().filter_map(left).collect()
}

/// The number after a word at the beginning of one of a file's lines.
fn number(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut line| (line.next() == Some(word)).then(|| line.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What files say.
    fn free_by(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        free(root.path())
    }

    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal: 99999 kB\nMemFree: 50 kB\nMemAvailable:  1000 kB\n");

    #[test]
    fn the_machine_and_all_groups_around_are_asked() {
        assert_eq!(free_by(&[]), None);
        assert_eq!(free_by(&[MACHINE]), Some(1_024_000));
        let group = ("proc/self/cgroup", "0::/a/b\n");
        assert_eq!(free_by(&[MACHINE, group]), Some(1_024_000), "no limits");
        let inner = ("sys/fs/cgroup/a/b/memory.max", "max\n");
        let outer = ("sys/fs/cgroup/a/memory.max", "700000\n");
        let used = ("sys/fs/cgroup/a/memory.stat", "file 600000\nanon 200000\n");
        assert_eq!(free_by(&[MACHINE, group, inner, outer, used]), Some(500_000));
        assert_eq!(free_by(&[MACHINE, group, outer]), Some(700_000));
    }

    #[test]
    fn groups_of_the_first_version_are_asked_too() {
        let group = ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n0::/\n");
        let limit = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "300000\n");
        let used = ("sys/fs/cgroup/memory/job/memory.stat", "total_cache 9\ntotal_rss 300001\n");
        assert_eq!(free_by(&[MACHINE, group, limit]), Some(300_000));
        assert_eq!(free_by(&[MACHINE, group, limit, used]), Some(0));
    }

    #[test]
    fn more_than_any_machine_has_is_short() {
        if let Some(message) = shortage(u64::MAX) {
            assert!(message.contains("MiB are more than can be had at present"), "{message}");
        }
        assert_eq!(shortage(0), None);
    }
}
