//! Searches for texts on which a check panics, hangs or eats memory: seeded mutation of a corpus, so many
//! texts.
//!
//! `ANSATZ_FUZZ_TRIALS` says how many (each test has a number of its own that a busy machine can afford),
//! `ANSATZ_FUZZ_SEED` where to start: the same numbers try the same texts. While a text is tried it lies in `target/tmp`,
//! so that one that ends the whole process can be found there.

pub mod corpus;
mod memory;
mod minimize;
mod mutation;
mod trial;

use std::collections::BTreeMap;
use std::time::Instant;

use base::Random;
use corpus::Corpus;
use trial::{Outcome, Worker};

/// What is tried with every text. Whether it went far, so that the text is worth building upon; or what is wrong.
pub type Check = fn(&str) -> Result<bool, String>;

/// Different defects after which the search ends.
const ENOUGH: usize = 8;

/// Fails if there is a text that the check does not survive, among the seeds and as many mutations as `trials` says.
pub fn fuzz(name: &'static str, trials: u64, seeds: Vec<String>, check: Check) {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse::<u64>().ok());
    let trials = number("ANSATZ_FUZZ_TRIALS").unwrap_or(trials) + seeds.len() as u64;
    let mut random = Random::new(number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    let mut worker = Worker::new(name, check);
    let mut corpus = Corpus::new(seeds.clone());
    let mut defects: BTreeMap<String, String> = BTreeMap::new();
    let (start, mut tried, mut far) = (Instant::now(), 0_u64, 0_u64);
    let mut waiting = seeds;
    while tried < trials && defects.len() < ENOUGH {
        let text = waiting.pop().unwrap_or_else(|| mutation::mutate(&corpus, &mut random));
        tried += 1;
        match worker.attempt(&text) {
            Outcome::Fine(went_far) => {
                if went_far {
                    far += 1;
                    corpus.add(text, &mut random);
                }
            }
            Outcome::Broken(defect) if defects.contains_key(&defect) => {}
            Outcome::Broken(defect) => {
                let smaller = minimize::minimize(&text, &defect, &mut worker);
                defects.insert(defect, smaller);
            }
            // A text that hangs keeps its thread busy for good, so it is not tried again.
            Outcome::Hung(defect) => {
                defects.insert(defect, text);
                break;
            }
        }
    }
    eprintln!("{name}: {tried} texts in {:.0} s, {far} went far", start.elapsed().as_secs_f64());
    let list: Vec<String> =
        defects.iter().map(|(defect, text)| format!("--- {defect}\n{text}\n    as Rust: {text:?}\n")).collect();
    assert!(list.is_empty(), "{} defects\n{}", list.len(), list.join("\n"));
    worker.finish();
}
