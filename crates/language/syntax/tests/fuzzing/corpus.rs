//! The texts that others are made of.

use std::path::Path;

use base::Random;

pub struct Corpus {
    texts: Vec<String>,
    seeds: usize,
}

/// How many texts are kept besides the seeds.
const KEPT: usize = 200;
/// Longer texts are not built upon.
const LONGEST: usize = 20_000;

impl Corpus {
    /// # Panics
    /// If there are no seeds.
    pub fn new(seeds: Vec<String>) -> Corpus {
        assert!(!seeds.is_empty(), "nothing to start from");
        Corpus { seeds: seeds.len(), texts: seeds }
    }

    pub fn pick<'a>(&'a self, random: &mut Random) -> &'a str {
        // Every other text comes from the seeds, so that the search does not lose itself.
        let among = if random.below(2) == 0 { self.seeds } else { self.texts.len() };
        &self.texts[random.below(among)]
    }

    pub fn add(&mut self, text: String, random: &mut Random) {
        if text.len() > LONGEST {
            return;
        }
        if self.texts.len() < self.seeds + KEPT {
            self.texts.push(text);
        } else {
            let at = self.seeds + random.below(KEPT);
            self.texts[at] = text;
        }
    }
}

/// The examples of the repository, the texts of the syntax tests, the example of each keyword and some scenes that use
/// what these do not.
pub fn seeds() -> Vec<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    let mut seeds = texts(&root.join("examples"), "anz");
    seeds.extend(texts(&root.join("crates/language/syntax/tests/texts"), "ansatz"));
    seeds.push(syntax::KEYWORDS.iter().map(|keyword| format!("{}\n", keyword.example)).collect());
    seeds.extend(SCENES.iter().map(|scene| scene.to_string()));
    seeds
}

fn texts(folder: &Path, extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

const SCENES: &[&str] = &[
    "scene spring\nbody a { position = (free(1), 0, 0); mass = 2 [kg] }\n\
     force on a = -3 [N/m] * a.position - 0.1 [N*s/m] * a.velocity\n",
    "scene slider\nparam r = 1 [m]\ngravity 9.81 [m/s^2]\n\
     frame crank { rotation = about x free(0.3) }\nbody pin in crank { position = (0, r, 0); mass = 1 [kg] }\n\
     body block { position = (0, free(2), 0); mass = 1 [kg] }\n\
     always rod: |pin.position - block.position| == 2 [m]\ninitially crank.angle' == 1 [rad/s]\n",
    "scene top\nbody top { rotation = free; position = (0, 0, 1); mass = 1 [kg]; inertia = (1, 1, 2) [kg*m^2] }\n\
     torque on top = -0.1 [N*m*s] * top.omega\ninitially top.omega == (0.1, 0, 5) [rad/s]\n",
    "scene drive\ncontrol pull in [-1, 1] = 0\nlet k = sin(t / 1 [s]) * pull\n\
     fn f(x) = if x > 0 then x^2 else exp(x) - 1\n\
     frame cart { position = (free, sin(2 * t / 1 [s]) * 1 [m], 0) }\n\
     body load in cart { position = (0, 0, free); mass = 1 [kg] }\nforce on load = (f(k), 0, 1) [N]\n\
     potential = 2 [N/m] * load.position.z^2\nplot max(load.position.x, 0 [m]), atan2(k, 1)\n",
    "scene chain\nfor i in 1..4 {\n  frame pin[i] in world { position = (i [m], 0, 0); rotation = about y free }\n\
     body bead[i] in pin[i] { position = (0, 0, -1) [m]; mass = i [kg] }\n}\n\
     potential for pairs (a, b) in bodies = 1 [N/m] * |a.position - b.position|^2\n",
];
