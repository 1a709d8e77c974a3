//! A file of triangles as a scene: one body of their volume, with the mass and the moments that it has if it is uniform, which falls on a floor.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, SourceId, Sources, Span, Spread};

use crate::codes;
use crate::mesh::Mesh;
use crate::robot::{Body, Floor, Motion, Part, Place, Robot, Shape, Solid};
use crate::turn::{Turn, minus, plus};
use crate::{Imported, Options, text};

/// Of water, in kg/m³; the file does not say.
const DENSITY: f64 = 1000.0;

/// Whether the name of a file is one of triangles.
pub fn is_part(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["stl", "obj"].iter().any(|it| ending.eq_ignore_ascii_case(it)))
}

/// The scene of one part. What is not closed has no volume, and is refused.
pub fn import_part(file: &Path, bytes: &[u8], options: Options<'_>) -> Imported {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let shown = base::visible(&file.display().to_string());
    let source = sources.add(Source::new(shown.as_str(), ""));
    let span = Span::new(source, 0, 0);
    let text = match robot(&shown, bytes, options, span, &mut diagnostics) {
        Ok(robot) => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            Some(text::write(&robot, &base::visible(&name), SourceId(0), |_| 1, &mut diagnostics))
        }
        Err(diagnostic) => {
            diagnostics.report(diagnostic);
            None
        }
    };
    Imported { text, diagnostics, sources }
}

fn robot(
    name: &str,
    bytes: &[u8],
    options: Options<'_>,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Result<Robot, Diagnostic> {
    let unreadable = |message: String| Diagnostic::error(codes::MODEL_UNREADABLE, message);
    let mesh = Mesh::read(name, bytes).map_err(|why| unreadable(format!("`{name}` cannot be read: {why}")))?;
    if let Some((what, place)) = mesh.hole_told() {
        let hint = "only what is closed has a volume, and so a mass; let the program that wrote the file repair it";
        return Err(unreadable(format!("the part is {what}")).note(place).hint(hint));
    }
    let flat = || unreadable("the part holds no volume".to_string());
    let Spread { volume, centre, means: [x, y, z, xy, xz, yz] } = mesh.spread().ok_or_else(flat)?;
    let (corners, beyond) = mesh.hull().ok_or_else(flat)?;
    let corners: Vec<_> = corners.into_iter().map(|corner| minus(corner, centre)).collect();
    let low = corners.iter().map(|corner| corner[2]).fold(f64::INFINITY, f64::min);
    let message = format!("it is {volume:.4e} m^3 large, with sizes in metres and the density of water");
    diagnostics.report(Diagnostic::notice(codes::MODEL_CHANGED, message).hint("change its mass in the scene"));
    if beyond > 0.0 {
        let message = format!("what touches is the convex solid of {} corners", corners.len());
        let note = format!("the part reaches up to {beyond:.2e} m beyond that");
        diagnostics.report(Diagnostic::notice(codes::MODEL_CHANGED, message).note(note));
    }
    let told = format!("The part, {volume:.4e} m^3, with its centre of mass as its origin");
    let mut part = Part::new(options.name, told, span, Motion::Free);
    part.place = Place { position: plus(centre, [0.0, 0.0, -low - centre[2]]), turn: Turn::NONE };
    part.shapes = vec![Solid { shape: Shape::Hull(corners), place: Place::HERE, color: None, span }];
    let mass = DENSITY * volume;
    let moments = [y + z, x + z, x + y, -xy, -xz, -yz].map(|moment| moment * mass);
    let name = format!("{}_body", options.name);
    part.body = Some(Body { name, span, place: Place::HERE, mass, moments });
    let floor = Floor { name: "floor".to_string(), place: Place::HERE };
    let name = options.name.to_string();
    Ok(Robot { name, parts: vec![part], floors: vec![floor], friction: 0.5, ..Robot::default() })
}
