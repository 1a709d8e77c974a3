//! Files that are broken, cyclic or hostile end with a sentence or with a scene that can be read; never with a panic.
//!
//! `ANSATZ_FUZZ_TRIALS` says how many files are tried, `ANSATZ_FUZZ_SEED` with which to begin.

use std::path::Path;

use base::{Random, Source, Sources};
use formats::{Imported, Options};

const TRIALS: u64 = 5000;

const ARM: &str = include_str!("../../../../examples/robots/arm.urdf");
const DOG: &str = include_str!("../../../../examples/robots/dog.urdf");
const FOUR_BAR: &str = r#"<mujoco model="four bar">
  <compiler angle="radian"/>
  <default><geom density="500"/><default class="light"><geom density="100"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="crank" pos="0 0 1">
      <joint name="a" type="hinge" axis="0 1 0" range="-3 3" damping="0.1" armature="0.01"/>
      <geom type="cylinder" fromto="0 0 0 0.2 0 0" size="0.02"/>
      <body name="coupler" pos="0.2 0 0" euler="0 0.3 0">
        <joint name="b" type="hinge" axis="0 1 0"/> <joint name="s" type="slide" axis="1 0 0" stiffness="5"/>
        <geom type="box" size="0.2 0.02 0.02" pos="0.2 0 0" class="light"/>
      </body>
    </body>
    <body name="ball" pos="0 0.5 1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="ball" anchor="0.4 0 0"/><joint joint1="a" joint2="b" polycoef="0 2 0 0 0"/></equality>
  <actuator><motor joint="a" gear="10" ctrlrange="-1 1"/></actuator>
</mujoco>"#;

/// What stands in the place of a value.
const VALUES: &[&str] = &[
    "",
    " ",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "0 0 0",
    "1 2",
    "1 2 3 4 5 6 7 8 9",
    "1e400",
    "0x10",
    "&lt;",
    "trunk",
    "stand",
    "a",
    "b",
    "world",
    "scene",
    "θ",
    "a b",
    "\u{202e}",
    "../../etc/passwd",
    "fixed",
    "ball",
    "free",
    "mesh",
    "continuous",
    "prismatic",
    "floating",
    "planar",
    "true",
];

fn import(text: &str, floating: bool) -> Imported {
    formats::import(Path::new("robot.xml"), text, Options { name: "robot", floating })
}

/// One thing changed, at a place that chance chooses.
fn changed(text: &str, random: &mut Random) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let tags: Vec<usize> = text.match_indices('<').map(|(at, _)| at).collect();
    if quotes.len() < 2 || tags.len() < 2 {
        return text.to_string();
    }
    let mut any = || tags[random.below(tags.len())];
    let (one, other) = (any(), any());
    let (low, high) = (one.min(other), one.max(other));
    match random.below(6) {
        // Another value, or that of another attribute.
        0..=2 => {
            let pair = random.below(quotes.len() / 2);
            let (from, to) = (quotes[2 * pair] + 1, quotes[2 * pair + 1]);
            let source = random.below(quotes.len() / 2);
            let copied = &text[quotes[2 * source] + 1..quotes[2 * source + 1]];
            let value = if random.chance(0.5) { random.pick(VALUES) } else { copied };
            format!("{}{value}{}", &text[..from], &text[to.max(from)..])
        }
        3 => format!("{}{}", &text[..low], &text[high..]),
        4 => format!("{}{}{}", &text[..high], &text[low..high], &text[high..]),
        _ => text[..low].to_string(),
    }
}

/// A file gives a scene whose text is right as a text, or says why not.
fn judge(text: &str, floating: bool) {
    let Imported { text: scene, diagnostics, sources } = import(text, floating);
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.message.is_empty());
        for label in &diagnostic.labels {
            let _ = sources.locate(label.span);
        }
    }
    let Some(scene) = scene else {
        assert!(diagnostics.has_errors(), "nothing is said about\n{text}");
        return;
    };
    let (mut sources, mut found) = (Sources::default(), base::Diagnostics::default());
    let source = sources.add(Source::new("robot.anz", &scene));
    syntax::parse(source, &scene, &mut found);
    assert!(!found.has_errors(), "{text}\n{scene}\n{:#?}", found.iter().map(|it| &it.message).collect::<Vec<_>>());
    assert!(!scene.contains("NaN") && !scene.contains("inf "), "{text}\n{scene}");
}

#[test]
fn files_that_chance_has_changed_are_refused_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(TRIALS), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        let mut text = random.pick(&[ARM, DOG, FOUR_BAR]).to_string();
        for _ in 0..=random.below(4) {
            text = changed(&text, &mut random);
        }
        let judged = std::panic::catch_unwind(|| judge(&text, seed % 2 == 0));
        assert!(judged.is_ok(), "seed {seed}:\n{text}");
    }
}

#[test]
fn what_is_huge_or_goes_round_is_refused_or_read() {
    let link = |at: usize| format!("<link name='l{at}'/>");
    let joint = |at: usize, to: usize| {
        format!("<joint name='j{at}' type='fixed'><parent link='l{at}'/><child link='l{to}'/></joint>")
    };
    let robot = |inside: String| format!("<robot name='r'>{inside}</robot>");
    // A ring, a link that is its own parent, a chain and a star.
    judge(&robot((0..100).map(|at| link(at) + &joint(at, (at + 1) % 100)).collect()), false);
    judge(&robot(link(0) + &joint(0, 0)), true);
    judge(
        &robot(
            (0..=20_000).map(link).collect::<String>() + &(0..20_000).map(|at| joint(at, at + 1)).collect::<String>(),
        ),
        false,
    );
    judge(
        &robot(
            (0..=20_000).map(link).collect::<String>() + &(0..20_000).map(|at| joint(0, at + 1)).collect::<String>(),
        ),
        true,
    );
    // Elements in elements, attributes without end, entities that grow.
    judge(&("<body>".repeat(100_000) + &"</body>".repeat(100_000)), false);
    judge(
        &format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(5000), "</body>".repeat(5000)),
        false,
    );
    judge(&format!("<robot {}/>", (0..100_000).map(|at| format!("a{at}='1' ")).collect::<String>()), false);
    judge("<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;&b;'>]><robot name='&c;'/>", false);
    judge(&format!("<robot name='{}'><link name='{}'/></robot>", "n".repeat(1 << 20), "m".repeat(1 << 20)), false);
}
