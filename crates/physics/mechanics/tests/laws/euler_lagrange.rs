//! Partial velocities give the equations of Euler and Lagrange, on every example and on random scenes, in both representations of rotations.

use std::path::PathBuf;

use base::{Diagnostics, SourceId};
use mechanics::{Options, Rotations};
use model::Model;

use crate::random::{Random, scene};
use crate::textbook::compare;

pub fn resolve(text: &str) -> Model {
    let mut sink = Diagnostics::default();
    let tree = syntax::parse(SourceId(0), text, &mut sink);
    let model = model::resolve(&tree, &model::Library::NONE, &[], &mut sink);
    match model {
        Some(model) if !sink.has_errors() => model,
        _ => panic!("this makes no sense: {sink:?}\n{text}"),
    }
}

/// Whether the equations could be compared; that they disagree ends the test.
#[track_caller]
fn assert_textbook(text: &str, random: &mut Random) -> bool {
    let model = resolve(text);
    for rotations in [Rotations::Minimal, Rotations::Quaternion] {
        let Some(comparison) = compare(&model, Options { rotations, ..Options::default() }) else { return false };
        for _ in 0..3 {
            let gap = comparison.disagreement(random);
            assert!(gap < 1e-9, "{rotations:?}: the equations of motion are off by {gap:.1e} in\n{text}");
        }
    }
    true
}

#[test]
fn examples_have_the_equations_of_the_textbook() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let files = std::fs::read_dir(folder).expect("the examples can be read").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "anz")).collect();
    files.sort();
    assert!(files.len() >= 3, "there are examples");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("an example can be read");
        // What rests on a theory, or has quantities of its own, has the equations that it states; measured data are in files, which nobody reads here.
        if ["\nuse ", "\ndata "].iter().any(|word| text.contains(word)) || !resolve(&text).quantities.is_empty() {
            continue;
        }
        assert!(assert_textbook(&text, &mut Random::new(1)), "{} was not compared", file.display());
    }
}

#[test]
fn random_scenes_have_the_equations_of_the_textbook() {
    let compared = (0..400).filter(|&seed| assert_textbook(&scene(seed), &mut Random::new(seed))).count();
    assert!(compared > 380, "only {compared} of the random scenes could be compared");
}
