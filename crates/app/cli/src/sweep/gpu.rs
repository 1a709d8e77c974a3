//! Runs of a sweep on a GPU. Whatever does not come to its end there is left to the processor, which can tell why.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use ansatz::{Gpu, NoGpu};

use super::Sweep;
use super::journal::{Journal, Kept};
use crate::progress::Progress;
use crate::render;

/// So many runs at a time are soon done, and fill any GPU.
const AT_ONCE: usize = 100_000;

impl Sweep<'_> {
    /// Does what can be done of these runs, and gives those that are left.
    pub fn work_on_gpu(&self, journal: &mut Journal, open: &[usize], stop: &AtomicBool) -> io::Result<Vec<usize>> {
        let mut left: Vec<usize> = Vec::new();
        let (mut progress, mut done) = (Progress::new("run", self.design.runs as f64), journal.runs().count());
        let gpu = Gpu::new(&self.ensemble);
        let room = gpu.as_ref().map_err(told).and_then(|gpu| gpu.room().map_err(|trouble| told(&trouble)));
        let (gpu, room) = match (&gpu, room) {
            (Ok(gpu), Ok(room @ 1..)) => (gpu, room.min(AT_ONCE)),
            (_, Ok(_)) => return Ok(fall_back("there is no room for a single run", open)),
            (_, Err(why)) => return Ok(fall_back(&why, open)),
        };
        render::say(&format!("  on {}; the energy of runs is not watched there", gpu.name()));
        for block in open.chunks(room) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let values: Vec<Vec<f64>> = block.iter().map(|run| self.design.si_values(*run)).collect();
            let found = match gpu.run(&values) {
                Ok(found) => found,
                Err(trouble) => {
                    let rest: Vec<usize> = open.iter().copied().filter(|run| *run >= block[0]).collect();
                    return Ok([left, fall_back(&told(&trouble), &rest)].concat());
                }
            };
            for (run, rows) in block.iter().zip(found) {
                match rows {
                    Some(rows) => {
                        journal.append(&Kept { run: *run, rows: self.layout.keep(&rows, &[]), ..Kept::default() })?;
                        done += 1;
                    }
                    None => left.push(*run),
                }
            }
            journal.flush()?;
            progress.show(done as f64);
        }
        progress.clear();
        if !left.is_empty() {
            let runs = base::counted(left.len(), "run does", "runs do");
            render::say(&format!("  {runs} not come to the end there; the processor looks why"));
        }
        Ok(left)
    }
}

fn fall_back(why: &str, open: &[usize]) -> Vec<usize> {
    render::say(&format!("  not on a GPU: {why}; the processor makes the runs"));
    open.to_vec()
}

fn told(trouble: &NoGpu) -> String {
    match trouble {
        NoGpu::Missing(why) => why.clone(),
        NoGpu::Scene(error) => error.to_string(),
    }
}
