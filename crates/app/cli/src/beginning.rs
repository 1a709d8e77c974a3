//! `ansatz new`: a scene to begin with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::arguments::NewArguments;
use crate::{render, whole_file};

/// What a scene begins with if nobody says.
const PENDULUM: &str = "\
param length = 1 [m]
param angle  = 60 [deg] \"initial angle from the vertical\"

gravity 9.81 [m/s^2]

frame swing in world { rotation = about x free }
body  bob   in swing { position = (0, 0, -length); mass = 1 [kg] }

initially swing.angle == angle

show rod(from: swing, to: bob, radius: 1 [cm]) color \"silver\"
show sphere(8 [cm]) on bob color \"tomato\"
plot swing.angle, energy
";

pub fn begin(arguments: &NewArguments) -> ExitCode {
    let theory = arguments.scene.as_deref();
    let name = match (&arguments.name, theory) {
        (Some(name), _) => name.clone(),
        (None, Some(theory)) => format!("my_{theory}"),
        (None, None) => "my_scene".to_string(),
    };
    let name = name.strip_suffix(".anz").unwrap_or(&name);
    let word = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = match theory {
        None => format!("scene {word}\n\n{PENDULUM}"),
        Some(theory) => match driver::skeleton(&word, theory, Some(Path::new("."))) {
            Ok(text) => text,
            Err((diagnostics, sources)) => {
                render::print(&diagnostics, &sources);
                return ExitCode::FAILURE;
            }
        },
    };
    let file = PathBuf::from(format!("{name}.anz"));
    if file.exists() {
        let hint = format!("choose another name, as in `ansatz new {name}_2`");
        render::complain(&format!("`{}` is there already", file.display()), &hint);
        return ExitCode::FAILURE;
    }
    match whole_file::replace(&file, text.as_bytes()) {
        Ok(()) => {
            render::say(&format!("{} written; simulate it with `ansatz run {}`", file.display(), file.display()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            render::complain(&format!("`{}` cannot be written: {error}", file.display()), "");
            ExitCode::FAILURE
        }
    }
}
