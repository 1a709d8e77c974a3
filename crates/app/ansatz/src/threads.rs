//! Work that is done in threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// So many baskets of results may wait to be taken, for each thread; more would fill the memory.
const WAITING: usize = 2;
/// So many results are handed over together, unless they are slow to come.
const TOGETHER: usize = 32;
/// After this time without a result whoever takes them is asked whether to go on.
const MOMENT: Duration = Duration::from_millis(50);

/// Does some work for each number, in so many threads. Results are taken here, in the order in which they arrive; `None` says that for a
/// moment none did. If taking breaks, no more work is begun.
pub(crate) fn in_threads<T: Send>(
    threads: usize,
    numbers: &[usize],
    work: impl Fn(usize) -> T + Sync,
    take: impl FnMut(Option<(usize, T)>) -> ControlFlow<()>,
) {
    let one_by_one = |next: &dyn Fn() -> Option<usize>, give: &mut dyn FnMut(usize, T)| {
        while let Some(number) = next() {
            give(number, work(number));
        }
    };
    in_workers(threads, numbers, one_by_one, take);
}

/// Lets workers, each in a thread, ask for numbers and give results for them, in whatever order: the next number is there as long as somebody takes
/// results.
pub(crate) fn in_workers<T: Send>(
    threads: usize,
    numbers: &[usize],
    worker: impl Fn(&dyn Fn() -> Option<usize>, &mut dyn FnMut(usize, T)) + Sync,
    mut take: impl FnMut(Option<(usize, T)>) -> ControlFlow<()>,
) {
    let (next, ended, worker) = (AtomicUsize::new(0), AtomicBool::new(false), &worker);
    let threads = threads.clamp(1, numbers.len().max(1));
    let (sender, receiver) = sync_channel(WAITING * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, ended) = (sender.clone(), &next, &ended);
            scope.spawn(move || {
                let next = || match ended.load(Ordering::Relaxed) {
                    true => None,
                    false => numbers.get(next.fetch_add(1, Ordering::Relaxed)).copied(),
                };
                let mut basket = Basket { results: Vec::new(), begun: Instant::now() };
                let hand_over = |basket: &mut Basket<T>| {
                    if sender.send(std::mem::take(&mut basket.results)).is_err() {
                        ended.store(true, Ordering::Relaxed);
                    }
                    basket.begun = Instant::now();
                };
                let mut give = |number: usize, result: T| {
                    basket.results.push((number, result));
                    if basket.is_full() {
                        hand_over(&mut basket);
                    }
                };
                worker(&next, &mut give);
                hand_over(&mut basket);
            });
        }
        drop(sender);
        loop {
            let results = match receiver.recv_timeout(MOMENT) {
                Ok(results) => results,
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let nothing = results.is_empty().then_some(None);
            if results.into_iter().map(Some).chain(nothing).any(|result| take(result).is_break()) {
                ended.store(true, Ordering::Relaxed);
                // Whoever waits to hand results over sees that nobody takes them.
                return drop(receiver);
            }
        }
    });
}

/// Results that wait to be handed over: to wake whoever takes them costs more than a short run.
struct Basket<T> {
    results: Vec<(usize, T)>,
    begun: Instant,
}

impl<T> Basket<T> {
    fn is_full(&self) -> bool {
        self.results.len() >= TOGETHER || self.begun.elapsed() > MOMENT / 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_worked_on_once_and_an_end_ends_it() {
        let numbers: Vec<usize> = (0..1000).map(|number| 3 * number).collect();
        for threads in [0, 1, 2, 7] {
            let mut sums = vec![0; 3000];
            in_threads(
                threads,
                &numbers,
                |number| number + 1,
                |result| {
                    if let Some((number, one)) = result {
                        sums[number] += one;
                    }
                    ControlFlow::Continue(())
                },
            );
            assert!((0..3000).all(|at| sums[at] == if at % 3 == 0 { at + 1 } else { 0 }));
        }
        let mut taken = 0;
        in_threads(
            4,
            &numbers,
            |number| number,
            |result| {
                taken += usize::from(result.is_some());
                if taken == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(taken, 10);
    }
}
