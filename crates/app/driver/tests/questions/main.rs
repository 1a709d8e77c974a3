//! Questions and their answers, compared with closed forms and with independent solutions of the sailboat
//! (parameters chosen so that the answer of the ORACLE paper comes out; values by bisection in high precision).

mod blocks;
mod descriptions;
mod instants;
mod laws;
mod levels;
mod sailboat;

use driver::{Answers, Asking, Options, Settings, ask};

const FOOT: f64 = 0.3048;

fn asked(text: &str, set: &[&str], without: &[&str]) -> (Answers, Vec<String>) {
    let settings = Settings { parameters: set.iter().map(ToString::to_string).collect(), controls: Vec::new() };
    let without: Vec<String> = without.iter().map(ToString::to_string).collect();
    let options = Options::default();
    let reply = ask(&Asking {
        name: "scene",
        text,
        options: &options,
        settings: &settings,
        without: &without,
        progress: &|_, _| {},
    });
    let found = reply.diagnostics.iter().map(|it| format!("{}: {}", it.code.0, it.message)).collect();
    (reply.answers.unwrap_or_default(), found)
}

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../../examples/{name}.anz", env!("CARGO_MANIFEST_DIR"))).expect("an example")
}

fn close(found: f64, wanted: f64, relative: f64) {
    assert!((found - wanted).abs() <= relative * wanted.abs(), "{found:.15e} instead of {wanted:.15e}");
}
