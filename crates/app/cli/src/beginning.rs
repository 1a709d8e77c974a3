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
    let (theory, example) = (arguments.scene.as_deref(), arguments.from.as_deref());
    let name = match (&arguments.name, theory, example) {
        (Some(name), _, _) => name.clone(),
        (None, Some(theory), _) => format!("my_{theory}"),
        (None, None, Some(example)) => format!("my_{}", bare(example)),
        (None, None, None) => "my_scene".to_string(),
    };
    let name = name.strip_suffix(".anz").unwrap_or(&name);
    let shown = base::visible(name);
    if shown != name || !name.ends_with(|last: char| last.is_alphanumeric() || "_-)".contains(last)) {
        render::complain(&format!("`{shown}` is no name for a scene"), "give it a word, as in `ansatz new swing`");
        return ExitCode::FAILURE;
    }
    let word = scene_word(&Path::new(name).file_name().unwrap_or_default().to_string_lossy());
    let text = match (theory, example) {
        (None, None) => format!("scene {word}\n\n{PENDULUM}"),
        (None, Some(example)) => match copy(&word, example) {
            Some(text) => text,
            None => return ExitCode::FAILURE,
        },
        (Some(theory), _) => match driver::skeleton(&word, theory, Some(Path::new("."))) {
            Ok(text) => text,
            Err((diagnostics, sources)) => {
                render::print(&diagnostics, &sources);
                return ExitCode::FAILURE;
            }
        },
    };
    let file = PathBuf::from(format!("{name}.anz"));
    if file.exists() {
        let hint = format!("choose another name, as in `ansatz new {}`", quoted(&format!("{name}_2")));
        render::complain(&format!("`{}` is there already", file.display()), &hint);
        return ExitCode::FAILURE;
    }
    match whole_file::replace(&file, text.as_bytes()) {
        Ok(()) => {
            let path = quoted(&file.display().to_string());
            let next = format!("see it move with `ansatz {path}`, or simulate it with `ansatz run {path}`");
            render::say(&format!("{} written; {next}", file.display()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            let hint = match error.kind() {
                std::io::ErrorKind::NotFound => "the folder is not there; make it first, with `mkdir`",
                std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                    "you may not write here; change to a folder of your own"
                }
                _ => "",
            };
            render::complain(&format!("`{}` cannot be written: {error}", file.display()), hint);
            ExitCode::FAILURE
        }
    }
}

/// `examples/pendulum.anz` and `pendulum` are the same example.
fn bare(example: &str) -> &str {
    let file = example.rsplit('/').next().unwrap_or(example);
    file.strip_suffix(".anz").unwrap_or(file)
}

/// The text of an example under another name; what is no example is reported.
fn copy(word: &str, example: &str) -> Option<String> {
    let wanted = bare(example);
    let names = || studio::examples().map(|(file, _)| bare(file));
    let Some((_, text)) = studio::examples().find(|(file, _)| bare(file) == wanted) else {
        let hint = match base::nearest(wanted, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        render::complain(&format!("there is no example `{wanted}`"), &hint);
        return None;
    };
    let named = |line: &str| if line.starts_with("scene ") { format!("scene {word}") } else { line.to_string() };
    Some(text.lines().map(|line| named(line) + "\n").collect())
}

/// A name for the scene as near to that of its file as names can be.
fn scene_word(file: &str) -> String {
    let letters = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let word: String = file.chars().map(letters).collect();
    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') { word } else { format!("scene_{word}") }
}

/// As a shell wants it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if path.chars().all(plain) { path.to_string() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_names_of_scenes() {
        assert_eq!(scene_word("my swing-2"), "my_swing_2");
        assert_eq!(scene_word("3 bodies"), "scene_3_bodies");
        assert_eq!(scene_word("θ"), "θ");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn an_example_is_copied_under_its_new_name() {
        let text = copy("swing", "examples/double_pendulum.anz").expect("the example");
        assert_eq!(text.lines().filter(|line| line.starts_with("scene ")).collect::<Vec<_>>(), ["scene swing"]);
        let (_, original) = studio::examples().find(|(name, _)| *name == "double_pendulum.anz").expect("the example");
        assert_eq!(text.replace("scene swing", "scene double_pendulum"), original);
    }
}
