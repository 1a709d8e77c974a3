//! What would do harm, or never end, is refused with words that help.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCENE: &str = "scene ball\nbody ball { position = (0, 0, free); mass = 1 [kg] }\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("ball.anz"), SCENE).expect("a scene");
    folder
}

fn ansatz(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ansatz")).current_dir(folder).args(arguments).output().expect("the command line")
}

fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let output = ansatz(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains(words), "{arguments:?}: {said}");
}

#[test]
fn a_scene_is_not_replaced_by_its_rows() {
    let folder = folder("replaced");
    refused(&folder, &["run", "ball.anz", "-o", "ball.anz"], "which would be lost");
    refused(&folder, &["run", "ball.anz", "-o", "./other.anz"], "such as `./other.csv`");
    refused(&folder, &["linearize", "ball.anz", "-o", "ball.anz"], "which would be lost");
    refused(&folder, &["run", "ball.anz", "-o", "rows.csv", "--events", "rows.csv"], "two things");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("ball.anz", folder.join("rows.csv")).expect("a link");
        refused(&folder, &["run", "ball.anz", "-o", "rows.csv"], "which would be lost");
    }
    assert_eq!(std::fs::read_to_string(folder.join("ball.anz")).expect("it is there"), SCENE);
}

#[test]
fn a_scene_has_a_name() {
    let folder = folder("nameless");
    for name in ["", ".anz", "sub/", ".", "two\nlines", "turned\u{202e}about"] {
        refused(&folder, &["new", name], "is no name for a scene");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1);
}

#[test]
fn what_never_ends_is_told() {
    let folder = folder("endless");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a scene");
    write("loops.anz", "scene loops\nfor i in 1 .. 9999 { for j in 1 .. 9999 { for k in 1 .. 9999 { } } }\n");
    refused(&folder, &["check", "loops.anz"], "statements or rounds");
    let names: String = (0..20_000).map(|at| format!("always x{at} == y{at}\n")).collect();
    write("names.anz", &format!("scene names\n{names}"));
    let output = ansatz(&folder, &["check", "names.anz"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(" more; what is printed first") && said.len() < 100_000, "{}", said.len());
    write("spring.anz", &format!("{SCENE}potential = 1 [N/m] * (ball.position.z - 1 [m])^2\n"));
    refused(&folder, &["run", "spring.anz", "--until", "1e300"], "the end is");
    // The square of this time is no number.
    write("falling.anz", &format!("{SCENE}gravity 9.81 [m/s^2]\n"));
    refused(&folder, &["run", "falling.anz", "--until", "1e300"], "`ball.z` has run away to -");
    refused(&folder, &["run", "ball.anz", "--until", "inf"], "must be a positive number");
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_folder_of_a_scene_is_read() {
    let folder = folder("links");
    let elsewhere = folder.parent().expect("a folder").join("elsewhere.anz");
    std::fs::write(&elsewhere, "theory elsewhere\nsecret").expect("a theory");
    std::os::unix::fs::symlink(&elsewhere, folder.join("elsewhere.anz")).expect("a link");
    std::fs::write(folder.join("uses.anz"), "scene uses\nuse elsewhere\n").expect("a scene");
    refused(&folder, &["check", "uses.anz"], "a link that leads out of the folder");
    let shown = |file: &str| format!("{SCENE}show mesh \"{file}\" on ball\n");
    for file in ["../elsewhere.anz", "/etc/hostname", "elsewhere.anz", "ball.anz"] {
        std::fs::write(folder.join("mesh.anz"), shown(file)).expect("a scene");
        let output = ansatz(&folder, &["build", "mesh.anz", "--target", "html"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let words = ["outside of the scene's folder", "is no mesh", "cannot be read", "without its page"];
        assert!(!output.status.success() && words.iter().any(|words| said.contains(words)), "{file}: {said}");
    }
}

/// What a label or a file name hides is spelled out in every program that is given away.
#[cfg(unix)]
#[test]
fn nothing_is_hidden_in_exports() {
    let folder = folder("hidden");
    let scene = SCENE.replace("body", "param length = 1 [m] \"of the\r*/ rod \u{202e}\"\nbody");
    std::fs::write(folder.join("b\nall.anz"), scene).expect("a scene");
    for target in ["c", "rust", "wasm", "cuda", "fmu", "html"] {
        let output = ansatz(&folder, &["build", "b\nall.anz", "--target", target, "-o", target]);
        if String::from_utf8_lossy(&output.stderr).contains("without its page") {
            continue;
        }
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut files = vec![folder.join(target)];
        while let Some(path) = files.pop() {
            if path.is_dir() {
                files.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let hides = text.contains(['\r', '\u{202e}']) || text.contains("of the\n*");
                assert!(!hides && !text.contains("b\nall"), "{}", path.display());
            }
        }
    }
    if Command::new("gcc").arg("--version").output().is_ok() {
        let made = Command::new("make").arg("-s").current_dir(folder.join("c")).output().expect("make");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
}
