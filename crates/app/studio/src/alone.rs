//! A page that stands alone: a scene, its program as WebAssembly and all that draws it, in one file that needs no server.
//!
//! What is filled in is read by `web/src/alone/content.ts`.

use std::collections::BTreeMap;
use std::path::Path;

use driver::Build;
use kernel::interface::{Input, Interface};
use kernel::{Module, protocol};
use serde::Serialize;

use crate::film::Order;
use crate::protocol::{Prescription, Refusal, Scene};
use crate::worker::tempo::tempo;
use crate::{describe, embedded};

/// Where the page wants its content.
const PLACE: &str = "@CONTENT@";

/// The arrays that a page reads and writes.
const ARRAYS: [&str; 13] = [
    protocol::PARAMETERS,
    protocol::CONTROLS,
    protocol::OUTPUTS,
    protocol::MONITORS,
    protocol::STATES,
    protocol::PICTURE_VALUES,
    protocol::CURVE_VALUES,
    protocol::SURFACE_VALUES,
    protocol::FAILURE,
    protocol::FAILURE_VALUES,
    protocol::EVENT_COUNT,
    protocol::EVENT_TIMES,
    protocol::EVENT_TRANSITIONS,
];

/// So many prescribed motions have a switch each in a page, which has a program for every choice of those that are off: seven, then. More have one for all.
const MOST_SWITCHES: usize = 3;
/// What the switch for all of them is called, in a page.
const ALL: &str = "All prescribed motions";

/// What a page that stands alone may ask for, and what one may ask that sends a film back.
const CLOSED: &str = "connect-src data:";
const OPEN: &str = "connect-src 'self' data:";

#[derive(Serialize)]
struct Content<'a> {
    scene: Scene,
    program: Program,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'a Order>,
}

#[derive(Serialize)]
struct Program {
    wasm: String,
    arrays: BTreeMap<&'static str, Cells>,
    parameters: Vec<String>,
    controls: Vec<Control>,
    tolerance: f64,
    /// What a code means, and which of the lists below has the name of what failed.
    failures: BTreeMap<i64, (&'static str, Option<&'static str>)>,
    integrals: Vec<String>,
    systems: Vec<String>,
    transitions: Vec<String>,
    claims: Vec<String>,
    /// The names of the states, in their order: by these, programs hand them over to one another.
    states: Vec<String>,
    /// The scene without some of its prescribed motions.
    without: Vec<Without>,
}

/// The program that takes over where these prescribed motions are switched off.
#[derive(Serialize)]
struct Without {
    off: Vec<String>,
    program: Program,
}

#[derive(Serialize)]
struct Cells {
    first: usize,
    length: usize,
}

#[derive(Serialize)]
struct Control {
    name: String,
    range: Option<(f64, f64)>,
}

/// One file. Needs: compiled with a picture; the exported program of the scene. Meshes are looked for in the folder of the scene.
pub fn page(scene: &ansatz::Scene, exported: &(Module, Interface), folder: &Path) -> Result<Build, Refusal> {
    let name = scene.stages().module.name.clone();
    let page = filled(scene, exported, folder, None)?;
    Ok(Build::new(name.clone(), vec![(format!("{name}.html"), page.into_bytes())], scene.sources()))
}

/// A page that makes one film, for [`crate::film`].
pub fn film_page(
    scene: &ansatz::Scene,
    exported: &(Module, Interface),
    folder: &Path,
    order: &Order,
) -> Result<String, Refusal> {
    Ok(filled(scene, exported, folder, Some(order))?.replacen(CLOSED, OPEN, 1))
}

fn filled(
    scene: &ansatz::Scene,
    exported: &(Module, Interface),
    folder: &Path,
    order: Option<&Order>,
) -> Result<String, Refusal> {
    let template = template()?;
    let content = serde_json::to_string(&contained(scene, exported, folder, order)?).unwrap_or_default();
    Ok(template.replacen(PLACE, &inside_page(&content), 1))
}

/// JSON as it stands in a page, where `<` would begin something; marks that turn the direction of writing are spelled out as well.
pub(crate) fn inside_page(json: &str) -> String {
    let hides = |c: char| !c.is_ascii() && !base::visible(c.encode_utf8(&mut [0; 4])).starts_with(c);
    let mut inside = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '<' || hides(c) {
            inside.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            inside.push(c);
        }
    }
    inside
}

/// The page of a scene before it is filled.
pub fn template() -> Result<&'static str, Refusal> {
    embedded::ALONE.ok_or_else(|| Refusal {
        message: "this `ansatz` was built without its page".to_string(),
        hint: "run `npm run build` in `web`, then build `ansatz` again".to_string(),
    })
}

/// What such a page is filled with. Needs: as [`page`].
pub fn content(
    scene: &ansatz::Scene,
    exported: &(Module, Interface),
    folder: &Path,
) -> Result<serde_json::Value, Refusal> {
    let content = contained(scene, exported, folder, None)?;
    Ok(serde_json::to_value(&content).unwrap_or_default())
}

fn contained<'a>(
    scene: &ansatz::Scene,
    exported: &(Module, Interface),
    folder: &Path,
    order: Option<&'a Order>,
) -> Result<Content<'a>, Refusal> {
    let tempo = scene.instance().map_or(1.0, |instance| tempo(&mut instance.into_inner()));
    let mut shown = describe::scene(scene.compilation(), scene.stages(), tempo);
    // Places in a text that is not there.
    shown.references.clear();
    for shape in &mut shown.shapes {
        if let Some(file) = &mut shape.file {
            *file = embed(folder, file)?;
        }
    }
    let mut program = program(scene, exported);
    // A film has nobody who would switch.
    let switched = if order.is_some() { Vec::new() } else { std::mem::take(&mut shown.prescriptions) };
    (shown.prescriptions, program.without) = switches(scene, switched);
    Ok(Content { scene: shown, program, order })
}

/// The prescribed motions that a page can switch off, and a program for each choice of those that are off. What makes no sense without them stays on.
fn switches(scene: &ansatz::Scene, all: Vec<Prescription>) -> (Vec<Prescription>, Vec<Without>) {
    let without = |names: Vec<String>, labels: Vec<String>| {
        let options = ansatz::Options { released: labels, ..scene.options().clone() };
        let source = scene.compilation().sources.get(scene.compilation().tree.span.source);
        let scene = ansatz::Scene::compile(&source.name, &source.text, &options).ok()?;
        let exported = scene.export_kernel().ok()?;
        Some(Without { off: names, program: program(&scene, &exported) })
    };
    let labels: Vec<String> = all.iter().map(|one| one.label.clone()).collect();
    if all.len() > MOST_SWITCHES {
        let Some(other) = without(vec![ALL.to_string()], labels) else { return (Vec::new(), Vec::new()) };
        let using = all.iter().flat_map(|one| one.using.clone()).collect();
        let together = Prescription { label: ALL.to_string(), using, span: all[0].span };
        return (vec![together], vec![other]);
    }
    let choices = (1..1_usize << all.len()).filter_map(|choice| {
        let off: Vec<String> = (0..all.len()).filter(|at| choice >> at & 1 == 1).map(|at| labels[at].clone()).collect();
        without(off.clone(), off)
    });
    let others: Vec<Without> = choices.collect();
    let can_go = |one: &Prescription| others.iter().any(|other| other.off == [one.label.as_str()]);
    (all.into_iter().filter(can_go).collect(), others)
}

/// Needs: the exported program of this scene.
fn program(scene: &ansatz::Scene, (module, interface): &(Module, Interface)) -> Program {
    let layout = module.layout();
    let cells = |name: &'static str| {
        let range = layout.range(module.find_array(name)?);
        Some((name, Cells { first: range.start, length: range.len() }))
    };
    let control = |control: &Input| Control { name: control.name.clone(), range: control.range };
    Program {
        wasm: base::base64::encode(&backend_wasm::translate(module, backend_wasm::Exported::Entries)),
        arrays: ARRAYS.into_iter().filter_map(cells).collect(),
        parameters: interface.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        controls: interface.controls.iter().map(control).collect(),
        tolerance: interface.tolerance,
        failures: interface.failures().map(|(code, words, of)| (code, (words, of.names()))).collect(),
        integrals: interface.integrals.clone(),
        systems: interface.systems.clone(),
        transitions: interface.transitions.iter().map(|transition| transition.name.clone()).collect(),
        claims: interface.claims.clone(),
        states: describe::columns(scene.stages()).states.into_iter().map(|state| state.name).collect(),
        without: Vec::new(),
    }
}

/// A mesh as an address that holds the file itself.
fn embed(folder: &Path, name: &str) -> Result<String, Refusal> {
    let path = folder.join(name);
    let refuse =
        |why: String, hint: &str| Refusal { message: format!("`{}` {why}", path.display()), hint: hint.into() };
    let unreadable = |error: std::io::Error| {
        refuse(format!("cannot be read: {error}"), "the scene shows this mesh; put the file beside the scene")
    };
    // A page is given away: nothing else of this machine may be in it, wherever links lead.
    let (real, root) = (path.canonicalize().map_err(unreadable)?, folder.canonicalize().map_err(unreadable)?);
    if !real.starts_with(root) {
        return Err(refuse("lies outside of the scene's folder".into(), "put the mesh beside the scene"));
    }
    let bytes = std::fs::read(&real).map_err(unreadable)?;
    let is_text = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok_and(|text| text.get("asset").is_some());
    if !bytes.starts_with(b"glTF") && !is_text {
        return Err(refuse(
            "is no mesh".into(),
            "a mesh is a file in glTF 2.0, whose name ends with `.glb` or `.gltf`",
        ));
    }
    let kind =
        if path.extension().is_some_and(|kind| kind == "gltf") { "model/gltf+json" } else { "model/gltf-binary" };
    Ok(format!("data:{kind};base64,{}", base::base64::encode(&bytes)))
}
