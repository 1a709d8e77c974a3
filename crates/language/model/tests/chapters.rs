//! What the compiler understands of a scene, and what it says where it does not.

use chapters::{Block, Scene};
use model::{Formula, Model};

#[test]
fn models_are_those_of_the_chapters() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), shown);
}

/// Every scene of contact has pairs that touch, and says nothing that the compiler has to complain of.
#[test]
fn scenes_of_contact_are_understood() {
    let folders = ["", "/contact"].map(|inner| format!("{}/../../../examples{inner}", env!("CARGO_MANIFEST_DIR")));
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let texts = files.filter_map(|file| {
        let path = file.ok()?.path();
        Some((std::fs::read_to_string(&path).ok()?, path))
    });
    let touching: Vec<_> = texts.filter(|(text, _)| text.contains("\ncontact ")).collect();
    assert!(touching.len() >= 20, "the scenes of contact were not found");
    for (text, file) in touching {
        let scene = Scene::new(&text);
        let model = scene.model.as_ref().unwrap_or_else(|| panic!("{}: {}", file.display(), scene.complaint()));
        assert!(model.contacts.as_ref().is_some_and(|contacts| !contacts.pairs.is_empty()), "{}", file.display());
        assert_eq!(scene.complaint(), "nothing wrong\n", "{}", file.display());
    }
}

/// A flat body has the sum of two moments as its third, but for the last digits that are written down.
#[test]
fn bodies_are_judged_up_to_rounding() {
    let is_body = |largest: f64, product: f64| {
        let scene = Scene::new(&format!(
            "body plate {{ position = free; rotation = free; mass = 1 [kg]; inertia = (1, 1, {largest}) [kg*m^2]; \
             products = ({product}, 0, 0) [kg*m^2] }}"
        ));
        scene.complaint() == "nothing wrong\n"
    };
    let flat = |by: f64| is_body(2.0 + by, 0.0);
    assert!(flat(1e-10) && !flat(1e-8));
    // All of its mass on the line x = y: the product is as large as it can be.
    let thin = |by: f64| is_body(2.0, -1.0 - by);
    assert!(thin(1e-10) && !thin(1e-8));
}

fn shown(block: Block<'_>) -> Result<String, String> {
    let scene = Scene::new(block.scene);
    if block.word == "diagnostics" {
        return Ok(scene.complaint());
    }
    let model = scene.model.as_ref().ok_or_else(|| scene.complaint())?;
    match block.word {
        // Without the places: they are those of the lines above.
        "resolved" => {
            let printed = model::print(model, &scene.sources);
            let line =
                |line: &str| line.rsplit_once(" model:").map_or(line, |(text, _)| text).trim_end().to_string() + "\n";
            Ok(printed.lines().map(line).collect())
        }
        "changes" => Ok(changes(model)),
        "passing" => Ok(match &model.passing {
            Some([a, b]) => format!("{} and {} pass through each other\n", a.name, b.name),
            None => "nothing to say\n".to_string(),
        }),
        _ => Err("there is no such view".to_string()),
    }
}

/// Modes, transitions and claims.
fn changes(model: &Model) -> String {
    let mut out = String::new();
    for mode in model.modes.iter().filter(|mode| !mode.hidden) {
        out.push_str(&format!("{}: {}, first {}\n", mode.name, mode.values.join(", "), mode.values[mode.start]));
    }
    for transition in &model.transitions {
        let value = |&(id, value): &(model::ModeId, usize)| {
            let mode = &model.modes[id.index()];
            (!mode.hidden).then(|| format!("{} becomes {}", mode.name, mode.values[value]))
        };
        let mut does: Vec<String> = transition.modes.iter().filter_map(value).collect();
        does.extend(transition.equations.iter().map(|equation| equation.label.clone()));
        let kept = [("positions", transition.kept.positions), ("velocities", transition.kept.velocities)];
        does.extend(kept.into_iter().filter(|(_, kept)| *kept).map(|(name, _)| format!("{name} are kept")));
        out.push_str(&format!("{}: {}\n", transition.name, does.join("; ")));
    }
    for claim in &model.claims {
        out.push_str(&format!("claim {}: {}\n", claim.name, formula(&claim.formula)));
    }
    out
}

fn formula(of: &Formula) -> String {
    let two = |word: &str, a: &Formula, b: &Formula| format!("({} {word} {})", formula(a), formula(b));
    match of {
        Formula::Holds(at) => format!("c{}", at + 1),
        Formula::Always(a) => format!("always {}", formula(a)),
        Formula::Eventually(a) => format!("eventually {}", formula(a)),
        Formula::Next(a) => format!("next {}", formula(a)),
        Formula::Not(a) => format!("not {}", formula(a)),
        Formula::Until(a, b) => two("until", a, b),
        Formula::Implies(a, b) => two("implies", a, b),
        Formula::And(a, b) => two("and", a, b),
        Formula::Or(a, b) => two("or", a, b),
    }
}
