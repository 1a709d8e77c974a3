//! Descriptions that chance has changed, or somebody who means harm: whatever comes of them is no panic, and a sentence.

use base::Random;

use super::Folder;
use super::reference::{ALL, Model, VERSIONS};

/// What stands in the place of a value.
const VALUES: &[&str] = &[
    "",
    "0",
    "-1",
    "nan",
    "inf",
    "1e308",
    "1e400",
    "4294967296",
    "3000000000",
    "true",
    "input",
    "output",
    "parameter",
    "discrete",
    "exact",
    "&lt;",
    "θ",
    "\u{202e}",
    "../../x",
    "a b c",
    "1 2 3",
];

/// One thing changed, at a place that chance chooses.
fn changed(text: &str, random: &mut Random) -> String {
    let quotes: Vec<usize> = text.match_indices('\'').map(|(at, _)| at).collect();
    let tags: Vec<usize> = text.match_indices('<').map(|(at, _)| at).collect();
    if quotes.len() < 2 || tags.len() < 2 {
        return text.to_string();
    }
    let (one, other) = (tags[random.below(tags.len())], tags[random.below(tags.len())]);
    let (low, high) = (one.min(other), one.max(other));
    match random.below(6) {
        0..=2 => {
            let [pair, source] = [0, 1].map(|_| 2 * random.below(quotes.len() / 2));
            let copied = &text[quotes[source] + 1..quotes[source + 1]];
            let value = if random.chance(0.5) { random.pick(VALUES) } else { copied };
            format!("{}{value}{}", &text[..=quotes[pair]], &text[quotes[pair + 1]..])
        }
        3 => format!("{}{}", &text[..low], &text[high..]),
        4 => format!("{}{}{}", &text[..high], &text[low..high], &text[high..]),
        _ => text[..low].to_string(),
    }
}

#[test]
fn descriptions_that_chance_has_changed_are_refused_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(400), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    let folder = Folder::new("changed");
    // An input without a law is no scene, whatever else is changed.
    let alone: Vec<&Model> = ALL.into_iter().filter(|model| !model.has_inputs()).collect();
    let mut read = 0;
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        let model = alone[random.below(alone.len())];
        let mut text = model.description(VERSIONS[random.below(2)]);
        for _ in 0..=random.below(3) {
            text = changed(&text, &mut random);
        }
        folder.pack("it.fmu", &[("modelDescription.xml", text.as_bytes()), ("sources/unit.c", b"int x;")]);
        let found = std::panic::catch_unwind(|| folder.compile("use fmu \"it.fmu\" as it\nplot t"));
        match found {
            Ok(Ok(_)) => read += 1,
            Ok(Err(error)) => {
                let said = error.diagnostics().sorted();
                assert!(!said.is_empty() && said.iter().all(|found| !found.message.is_empty()), "seed {seed}:\n{text}");
            }
            Err(_) => panic!("seed {seed}:\n{text}"),
        }
    }
    // Units without inputs need no laws, so some are whole scenes.
    assert!(read > 0);
}

/// What compares each with each takes minutes for these.
#[test]
fn huge_descriptions_are_refused() {
    let folder = Folder::new("huge");
    let refused = |description: &str| {
        folder.pack("it.fmu", &[("modelDescription.xml", description.as_bytes()), ("sources/unit.c", b"int x;")]);
        folder.refused("use fmu \"it.fmu\" as it\nplot t")
    };
    let attributes: String = (0..300_000).map(|at| format!("a{at}='1' ")).collect();
    let found = refused(&format!("<fmiModelDescription {attributes}/>"));
    assert!(found.contains("more than 500 attributes"), "{found}");
    let many = |count: usize| {
        let variable = |at| format!("<Float64 name='x{at}' valueReference='{at}' causality='output'/>");
        let outputs: String = (0..count).map(|at| format!("<Output valueReference='{at}'/>")).collect();
        format!(
            "<fmiModelDescription fmiVersion='3.0' instantiationToken='a'><CoSimulation modelIdentifier='unit'/>\
             <ModelVariables>{}</ModelVariables><ModelStructure>{outputs}</ModelStructure></fmiModelDescription>",
            (0..count).map(variable).collect::<String>()
        )
    };
    let found = refused(&many(100_000));
    assert!(found.contains("it has 100000 outputs"), "{found}");
    let deep = many(1).replace("</ModelVariables>", &("<Float64>".repeat(100_000) + &"</Float64>".repeat(100_000)));
    assert!(!refused(&deep).is_empty());
}
