//! Times, taken often enough to have a median.

use std::time::{Duration, Instant};

/// Repeats some work until the time is up, at least three times and at most a thousand times.
pub fn repeat<T>(budget: Duration, mut work: impl FnMut() -> T) -> Vec<T> {
    let start = Instant::now();
    let mut results = Vec::new();
    while results.len() < 3 || (start.elapsed() < budget && results.len() < 1000) {
        results.push(work());
    }
    results
}

pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// Some systems count the processor's time in ticks of up to ten milliseconds; less than this is better told by a clock.
const TICKS: Duration = Duration::from_millis(100);

/// What the processor spends on some work in this thread, where the system tells: what else is going on does not count. Elsewhere, and of short work,
/// what a clock says.
pub fn processor_time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let spent = || {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let before = spent();
    let (clock, result) = time(work);
    let taken = before.zip(spent()).map(|(before, after)| after.saturating_sub(before));
    (taken.filter(|&taken| taken >= TICKS).unwrap_or(clock), result)
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// A count or a ratio with three digits.
pub fn short(value: f64) -> String {
    match value {
        _ if value >= 1e4 => format!("{:.0} 000", value / 1e3),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
