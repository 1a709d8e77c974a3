//! What all workers take together. Each has a limit of its own; where all of them take too much of the machine, the largest ends, and its
//! tab says so, before the machine has to choose.

use std::time::Duration;

/// Memory does not grow much faster than this shows.
const LOOKED: Duration = Duration::from_millis(500);

/// For as long as the server runs.
pub async fn watch() {
    let Some(budget) = budget() else { return };
    loop {
        tokio::time::sleep(LOOKED).await;
        if let Some(process) = one_too_many(&children(), budget) {
            end(process);
        }
    }
}

/// The largest of some processes, given by number and size, where they are too large together.
fn one_too_many(processes: &[(u32, u64)], budget: u64) -> Option<u32> {
    let total: u64 = processes.iter().map(|(_, size)| size).sum();
    processes.iter().max_by_key(|(_, size)| *size).filter(|_| total > budget).map(|(process, _)| *process)
}

/// Half of the machine, in bytes: whoever does physics in a browser does other things beside it.
#[cfg(target_os = "linux")]
fn budget() -> Option<u64> {
    amount(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:").map(|total| total / 2)
}

/// The processes that this one has started and that have not ended, with the memory that each has in use, in bytes.
#[cfg(target_os = "linux")]
fn children() -> Vec<(u32, u64)> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers =
        lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>());
    let size = |process: u32| amount(&std::fs::read_to_string(format!("/proc/{process}/status")).ok()?, "VmRSS:");
    numbers.filter_map(|process| Some((process, size(process)?))).collect()
}

/// `VmRSS:     1234 kB`
#[cfg(target_os = "linux")]
fn amount(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}

#[cfg(target_os = "linux")]
fn end(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // One that has ended in the meantime takes nothing.
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Elsewhere the server's other limits have to do.
#[cfg(not(target_os = "linux"))]
fn budget() -> Option<u64> {
    None
}

#[cfg(not(target_os = "linux"))]
fn children() -> Vec<(u32, u64)> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn end(_: u32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_too_many_is_found() {
        assert_eq!(one_too_many(&[(1, 5), (2, 9), (3, 6)], 20), None);
        assert_eq!(one_too_many(&[(1, 5), (2, 9), (3, 6)], 19), Some(2));
        assert_eq!(one_too_many(&[], 0), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_was_started_is_seen_and_ended() {
        assert!(budget().is_some_and(|half| half > 1 << 24));
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("a process");
        let size = children().into_iter().find_map(|(process, size)| (process == child.id()).then_some(size));
        assert!(size.is_some_and(|size| size > 0));
        end(child.id());
        assert!(!child.wait().expect("an end").success());
    }
}
