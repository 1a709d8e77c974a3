//! Every kind of diagnostic has a page, and every page tells the truth: its wrong scene brings that diagnostic, its right
//! scene starts.
//!
//! A block begins with `ansatz wrong` or `ansatz right`; options of the command line may follow. With `--until` the scene is
//! run that far, otherwise it is only started; with `build` an exported program is asked for as well, with `ask` its questions are asked, with `linearize equilibrium`
//! or `linearize initial` a linear model. `ansatz theory NAME` is a file beside
//! the scenes of its page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::{Diagnostic, Diagnostics, Severity};
use driver::{At, Level, Options, Run, Settings, compile};

/// What no scene can bring about on purpose.
const WITHOUT_EXAMPLE: &[&str] = &[
    "code-generation",
    "contact-lost",
    "impacts-without-end",
    // These are about files of other programs; see the tests of `formats`.
    "model-changed",
    "model-left-out",
    "model-unreadable",
    "no-consistent-contact",
    // It is asked for by programs that run scenes; see the tests of `ansatz`.
    "no-sensitivity",
    // These need a unit; see the tests of `ansatz`.
    "unit-failed",
    "unit-inside",
];

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<&str> = driver::codes().iter().map(|code| code.0).collect();
    assert_eq!(codes.len(), driver::codes().len(), "two stages share a code");
    let pages: BTreeSet<&str> = driver::PAGES.iter().map(|page| page.code).collect();
    assert_eq!(codes, pages);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/errors");
    let files = std::fs::read_dir(folder).expect("the pages").map(|file| file.expect("a page").file_name());
    let files: BTreeSet<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(files, codes.iter().map(|code| format!("{code}.md")).collect());
}

#[test]
fn every_page_begins_with_its_code_and_one_sentence() {
    for page in driver::PAGES {
        let mut lines = page.text.lines();
        assert_eq!(lines.next(), Some(format!("# {}", page.code).as_str()));
        assert_eq!(lines.next(), Some(""));
        assert!(lines.next().is_some_and(|meaning| meaning.ends_with('.')), "{}", page.code);
    }
}

#[test]
fn every_wrong_scene_brings_its_code() {
    for page in driver::PAGES {
        let blocks = blocks(page.text, "wrong");
        assert_eq!(blocks.is_empty(), WITHOUT_EXAMPLE.contains(&page.code), "{}", page.code);
        let folder = theories(page);
        for block in blocks {
            let found = outcome(&block, folder.as_deref());
            assert!(found.iter().any(|found| found.code.0 == page.code), "{}: {found:#?}", page.code);
        }
    }
}

#[test]
fn every_right_scene_starts() {
    for page in driver::PAGES {
        let blocks = blocks(page.text, "right");
        assert!(!blocks.is_empty(), "{}", page.code);
        let folder = theories(page);
        for block in blocks {
            let found = outcome(&block, folder.as_deref());
            let wrong = |found: &Diagnostic| found.severity == Severity::Error || found.code.0 == page.code;
            assert!(!found.iter().any(wrong), "{}: {found:#?}", page.code);
        }
    }
}

struct Block {
    text: String,
    /// Whether an exported program is asked for.
    builds: bool,
    /// Whether its questions are asked.
    asks: bool,
    options: Vec<(String, String)>,
}

/// The blocks of a kind.
fn blocks(page: &str, kind: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for part in page.split("\n```").skip(1).step_by(2) {
        let (head, text) = part.split_once('\n').unwrap_or((part, ""));
        let mut words = head.split_whitespace().map(str::to_string);
        if words.next().as_deref() != Some("ansatz") || words.next().as_deref() != Some(kind) {
            continue;
        }
        let (builds, asks) = (head.ends_with(" build"), head.ends_with(" ask"));
        let mut options = Vec::new();
        while let (Some(option), Some(value)) = (words.next(), words.next()) {
            options.push((option, value));
        }
        blocks.push(Block { text: text.to_string(), builds, asks, options });
    }
    blocks
}

/// The folder with the theories of a page, if it has any.
fn theories(page: &driver::Page) -> Option<PathBuf> {
    let theories = blocks(page.text, "theory");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(page.code);
    for theory in &theories {
        let name =
            theory.text.lines().next().and_then(|line| line.strip_prefix("theory ")).expect("the name of a theory");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(format!("{name}.anz")), &theory.text).expect("a file");
    }
    (!theories.is_empty()).then_some(folder)
}

/// Everything that is reported from the text to the start, or to the end of the run.
fn outcome(block: &Block, folder: Option<&Path>) -> Vec<Diagnostic> {
    let given = |name: &str| -> Vec<String> {
        block.options.iter().filter(|(option, _)| option == name).map(|(_, value)| value.clone()).collect()
    };
    let mut options = Options { probes: given("--probe"), folder: folder.map(Path::to_path_buf), ..Options::default() };
    given("--tolerance").iter().for_each(|tolerance| options.tolerance = tolerance.parse().expect("a tolerance"));
    if given("--solver") == ["implicit"] {
        options.solver = driver::Solver::Implicit;
    }
    let compilation = compile("page", &block.text, &options);
    let settings = Settings { parameters: given("--set"), controls: given("--input") };
    let until = given("--until").first().map(|until| until.parse().expect("a time"));
    let run = until.map(|until: f64| Run { until, every: until / 10.0, tolerance: options.tolerance });
    let played = driver::play(&compilation, &options, &settings, run, |_, _| {});
    let mut later = Diagnostics::default();
    if let Some(stages) = &compilation.stages {
        driver::check_modes(stages, &options, &compilation.sources, &mut later);
        driver::note_passing(&stages.model, &mut later);
    }
    let refused = compilation
        .stages
        .as_ref()
        .filter(|_| block.builds)
        .and_then(|stages| driver::build(&compilation, stages, &options, driver::Target::C).err());
    let weights = given("--lqr");
    let linear = given("linearize").first().map(|place| linearized(block, &settings, place, weights.first()));
    let linear = linear.unwrap_or_default();
    let asked = block.asks.then(|| {
        let asking = driver::Asking {
            name: "page",
            text: &block.text,
            options: &options,
            settings: &settings,
            without: &[],
            progress: &|_, _| {},
        };
        driver::ask(&asking).diagnostics
    });
    compilation
        .diagnostics
        .iter()
        .chain(linear.iter())
        .chain(asked.iter().flat_map(Diagnostics::iter))
        .chain(played.diagnostics.iter())
        .chain(later.iter())
        .chain(refused.iter().flat_map(Diagnostics::iter))
        .cloned()
        .collect()
}

/// What is said of a linear model, at the start or at an equilibrium, and of its regulator.
fn linearized(block: &Block, settings: &Settings, place: &str, weights: Option<&String>) -> Diagnostics {
    let options = Options { optimize: Level::None, ..Options::default() };
    let compilation = compile("page", &block.text, &options);
    let at = if place == "initial" { At::Initial } else { At::Equilibrium };
    let stages = compilation.stages.as_ref();
    let Some(stages) = stages else { return Diagnostics::default() };
    match (driver::linearize(stages, settings, at), weights) {
        (Err(found), _) => found,
        (Ok(found), Some(weights)) => {
            let weights = driver::Weights::read(weights).expect("weights");
            driver::regulator(&found, &weights).err().into_iter().collect()
        }
        (Ok(_), None) => Diagnostics::default(),
    }
}
