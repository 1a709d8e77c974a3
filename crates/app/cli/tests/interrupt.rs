//! A run that is ended from outside keeps the rows it has computed, as the manual says.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SCENE: &str = "scene double_pendulum
gravity 9.81 [m/s^2]
frame upper { rotation = about x free }
body bob1 in upper { position = (0, 0, -1) [m]; mass = 1 [kg] }
frame lower in upper { position = (0, 0, -1) [m]; rotation = about x free }
body bob2 in lower { position = (0, 0, -1) [m]; mass = 1 [kg] }
initially upper.angle == 2 [rad]
plot bob2.z
";

/// The code and the lines of the table of a run that would take days, ended by a signal once it has begun.
fn ended_by(signal: &str, every: &str) -> (Option<i32>, usize) {
    let folder = std::env::temp_dir().join(format!("ansatz-interrupt{signal}-{every}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (scene, rows) = (folder.join("scene.anz"), folder.join("rows.csv"));
    std::fs::write(&scene, SCENE).expect("a scene");
    let mut run = Command::new(env!("CARGO_BIN_EXE_ansatz"))
        .args(["run", "--until", "1e7", "--every", every, "--tolerance", "1e-12", "-o"])
        .args([&rows, &scene])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command line");
    // Under another name, the table is there before the first step.
    while !has_part(&folder) {
        assert!(run.try_wait().expect("a process").is_none(), "the run ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args([signal, &run.id().to_string()]).status().expect("a signal");
    let code = run.wait().expect("an end").code();
    assert!(!has_part(&folder), "something is left behind");
    let lines = std::fs::read_to_string(&rows).map_or(0, |table| table.lines().count());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    (code, lines)
}

fn has_part(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).expect("the folder");
    files.filter_map(Result::ok).any(|file| file.path().extension().is_some_and(|it| it == "part"))
}

#[test]
fn the_rows_before_an_interrupt_are_kept() {
    for signal in ["-INT", "-TERM"] {
        // Often, and so seldom that nothing but the first row is ever reached.
        for every in ["0.2", "1e7"] {
            let (code, lines) = ended_by(signal, every);
            assert_eq!(code, Some(130), "{signal}");
            assert!(lines >= 2, "{lines} lines after {signal} with a row each {every} s");
        }
    }
}
