//! Scenes of the manual that move where they stand: beside each text its program lies as a script, which a page loads when somebody wants to see it.
//!
//! Scripts, because a page that was opened as a file may load those, and nothing else.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ansatz::{Options, Scene};
use serde_json::{Value, json};
use studio::Pages;

/// Adds the programs of all scenes that compile and what shows them, and offers them on the pages; says how many there are. Without the studio's page
/// there is nothing to show them with, and nothing is added.
pub fn bring_to_life(pages: &mut Pages) -> usize {
    let Ok(player) = studio::template() else { return 0 };
    let programs = programs(pages, &asleep(pages));
    let living: BTreeSet<String> = programs.iter().map(|(path, _)| path.clone()).collect();
    for (_, bytes) in pages.iter_mut().filter(|(path, _)| path.ends_with(".html")) {
        *bytes = offered(&String::from_utf8_lossy(bytes), &living).into_bytes().into();
    }
    for (path, content) in programs {
        let script = format!("(window.ANSATZ_SCENES ??= {{}})[{}] = {content};\n", json!(path));
        pages.insert(format!("{path}.js"), script.into_bytes().into());
    }
    let script = format!("window.ANSATZ_PLAYER = {};\n", json!(player));
    pages.insert("look/player.js".to_string(), script.into_bytes().into());
    living.len()
}

/// What a page says of a scene that cannot move; see [`manual::scene`].
const ASLEEP: &str = "<button class=\"run\" type=\"button\" hidden data-run=\"";
const AWAKE: &str = "<button class=\"run\" type=\"button\" data-run=\"";

/// Every scene that some page would run.
fn asleep(pages: &Pages) -> BTreeSet<String> {
    let htmls = pages.iter().filter(|(path, _)| path.ends_with(".html"));
    let path = |piece: &str| piece.split('"').next().unwrap_or_default().to_string();
    htmls
        .flat_map(|(_, bytes)| String::from_utf8_lossy(bytes).split(ASLEEP).skip(1).map(path).collect::<Vec<_>>())
        .collect()
}

/// A page in which scenes that have a program can be run.
fn offered(html: &str, living: &BTreeSet<String>) -> String {
    let mut pieces = html.split(ASLEEP);
    let mut page = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let path = piece.split('"').next().unwrap_or_default();
        page += if living.contains(path) { AWAKE } else { ASLEEP };
        page += piece;
    }
    page
}

/// The wanted scenes that compile, each with what a page shows of it.
fn programs(pages: &Pages, wanted: &BTreeSet<String>) -> Vec<(String, Value)> {
    let texts: Vec<(&String, String)> = pages
        .iter()
        .filter(|(path, _)| wanted.contains(*path))
        .map(|(path, bytes)| (path, String::from_utf8_lossy(bytes).into_owned()))
        .collect();
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((path, text)) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(content) = content(path, text) {
                made.lock().expect("nobody panics with it").push(((*path).clone(), content));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut made = made.into_inner().expect("nobody panics with it");
    made.sort_by(|(a, _), (b, _)| a.cmp(b));
    made
}

fn content(path: &str, text: &str) -> Option<Value> {
    let options = Options { picture: true, ..Options::default() };
    let scene = Scene::compile(path, text, &options).ok()?;
    let exported = scene.export_kernel().ok()?;
    studio::content(&scene, &exported, std::path::Path::new(".")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_that_compile_are_offered_and_others_are_not() {
        let figure = |path: &str| manual::scene("a.anz", path, "", "");
        let good = "scene a\nbody b { position = (0, 0, free); mass = 1 [kg] }\n";
        let mut pages = Pages::from([
            ("a.html".to_string(), (figure("scenes/good.anz") + &figure("scenes/wrong.anz")).into_bytes().into()),
            ("scenes/good.anz".to_string(), good.as_bytes().into()),
            ("scenes/wrong.anz".to_string(), b"scene a\nbody\n".as_slice().into()),
        ]);
        if bring_to_life(&mut pages) == 0 {
            return assert!(studio::template().is_err(), "there is a page to show it with");
        }
        let html = String::from_utf8_lossy(&pages["a.html"]).into_owned();
        assert!(
            html.contains(&format!("{AWAKE}scenes/good.anz\""))
                && html.contains(&format!("{ASLEEP}scenes/wrong.anz\""))
        );
        assert!(String::from_utf8_lossy(&pages["scenes/good.anz.js"]).contains("\"wasm\":"));
        assert!(!pages.contains_key("scenes/wrong.anz.js"));
    }
}
