//! Files of other programs: robots and mechanisms are read and become the text of a scene; motions are written for others to play.
//!
//! Every format is read into one form, `Robot`, which is settled (what has no mass cannot move, what no rigid body can be is repaired, and
//! both are said) and then written as a person would write it.

mod beside;
mod codes;
mod drawn;
pub mod gltf;
mod inertia;
mod mesh;
mod mjcf;
mod names;
mod robot;
mod sdf;
mod settle;
pub mod solid;
mod text;
mod triangles;
mod turn;
mod urdf;
mod xml;

use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, Sources};

pub use codes::{CODES, MODEL_LEFT_OUT, MODEL_UNREADABLE};
pub use drawn::{import_drawn, is_drawn};
pub use names::Names;
pub use triangles::{import_part, is_part};
pub use turn::Turn;
pub use xml::too_many_attributes;

/// What there is to know beside the file itself.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the scene is called unless the file says.
    pub name: &'a str,
    /// Whether the base moves freely, where the format leaves that open.
    pub floating: bool,
    /// Where the file is, for those that it names; without it, they are left out.
    pub folder: Option<&'a Path>,
    /// Files that it names are read only if they are in this folder, where there is one.
    pub inside: Option<&'a Path>,
}

impl<'a> Options<'a> {
    fn around(&self) -> beside::Around<'a> {
        beside::Around { folder: self.folder, inside: self.inside }
    }
}

/// More parts than these are no mechanism that anyone built, and would take long to be written.
const MOST_PARTS: usize = 5000;

/// What became of a file.
pub struct Imported {
    /// The scene, unless the file cannot be understood.
    pub text: Option<String>,
    pub diagnostics: Diagnostics,
    /// The file, which the diagnostics speak of.
    pub sources: Sources,
}

/// The scene that the text of a file describes.
pub fn import(file: &Path, text: &str, options: Options<'_>) -> Imported {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let shown = base::visible(&file.display().to_string());
    let (text, why) = mjcf::included(text, options.around());
    let source = sources.add(Source::new(shown.as_str(), text.as_ref()));
    let robot = xml::read(sources.get(source), source, &mut diagnostics, |reader, root| match root.tag_name().name() {
        "robot" => urdf::read(reader, root, options),
        "mujoco" => mjcf::read(reader, root, options, why.as_deref()),
        "sdf" => sdf::read(reader, root, options),
        other => {
            let hint = "a URDF file begins with `<robot name=\"…\">`, an MJCF file with `<mujoco model=\"…\">`, an SDF file with `<sdf version=\"…\">`";
            reader.unreadable(root, format!("`<{other}>` is no robot that is known here"), hint);
            None
        }
    });
    if let Some(robot) = robot.as_ref().filter(|robot| robot.parts.len() > MOST_PARTS) {
        let message = format!("there are {} parts, and {MOST_PARTS} are the most that is read", robot.parts.len());
        let place = robot.parts[MOST_PARTS].span;
        let hint = "take what moves together out of the file, or make several files of it";
        diagnostics.report(Diagnostic::error(codes::MODEL_UNREADABLE, message).at(place, "one too many").hint(hint));
    }
    let robot = robot.filter(|_| !diagnostics.has_errors()).map(|mut robot| {
        settle::settle(&mut robot, &mut diagnostics);
        robot
    });
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let line = |part: &robot::Part| sources.get(source).line_column(part.span.start as usize).0;
    let robot = robot.filter(|_| !diagnostics.has_errors());
    let text = robot.map(|robot| text::write(&robot, &base::visible(&name), source, line, &mut diagnostics));
    Imported { text, diagnostics, sources }
}
