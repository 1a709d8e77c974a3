//! What someone meets in the first minutes: commands that are misspelt, files that are not there, a machine that lacks something.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ansatz newcomer {name} {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Exit code, and all that was said.
fn said(folder: &PathBuf, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    let output = command.args(arguments).current_dir(folder).env_remove("DISPLAY").output().expect("the command line");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("a text")).concat();
    (output.status.code(), said)
}

#[test]
fn what_was_probably_meant_is_said() {
    let here = folder("hints");
    assert_eq!(said(&here, &["new", "my swing"]).0, Some(0));
    for (arguments, hint) in [
        (["chekc", "x"].as_slice(), "did you mean `ansatz check`?"),
        (&["my swing"], "name its file: `ansatz my swing.anz`"),
        (&["double_pendulum"], "`ansatz new double_pendulum --from double_pendulum`"),
        (&["run", "double_pendulum"], "`ansatz new double_pendulum --from double_pendulum`"),
        (&["run", "my swing"], "did you mean `my swing.anz`?"),
        (&["new", "a", "--from", "double_pendulm"], "did you mean `double_pendulum`?"),
        (&["new", "my swing"], "is there already"),
        (&["new", "nowhere/a"], "make it first, with `mkdir`"),
        (&["run", "my swing.anz", "--untl", "3"], "--until"),
        (&["completions", "zhs"], "zsh"),
    ] {
        let (code, said) = said(&here, arguments);
        assert!(code.is_some_and(|code| code != 0) && said.contains(hint), "{arguments:?}: {said}");
    }
    std::fs::remove_dir_all(here).expect("the folder goes");
}

#[test]
fn a_new_scene_is_good_whatever_its_file_is_called() {
    let here = folder("new");
    for arguments in
        [["new", "θ 1"].as_slice(), &["new", "3 bodies", "--from", "three_body"], &["new", "--from", "pendulum"]]
    {
        assert_eq!(said(&here, arguments).0, Some(0), "{arguments:?}");
    }
    for file in ["θ 1.anz", "3 bodies.anz", "my_pendulum.anz"] {
        let (code, said) = said(&here, &["check", file]);
        assert_eq!(code, Some(0), "{file}: {said}");
    }
    std::fs::remove_dir_all(here).expect("the folder goes");
}

#[test]
fn shells_know_every_command() {
    let here = folder("shells");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (code, script) = said(&here, &["completions", shell]);
        assert_eq!(code, Some(0));
        for word in ["studio", "explain", "doctor", "tolerance"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
        assert!(!script.contains("panicked"));
    }
    std::fs::remove_dir_all(here).expect("the folder goes");
}

#[test]
fn the_doctor_tells_what_is_there_and_what_is_wrong() {
    let here = folder("doctor");
    let (code, said) = said(&here, &["doctor"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("a scene is compiled and runs") && said.contains("this folder can be written"), "{said}");
    // Too little memory to compile in.
    if cfg!(target_os = "linux") {
        let limited = format!("ulimit -v 800000; exec '{}' doctor", env!("CARGO_BIN_EXE_ansatz"));
        let output = Command::new("sh").args(["-c", &limited]).current_dir(&here).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("WRONG  simulation") && said.contains("ulimit -v"), "{said}");
    }
    std::fs::remove_dir_all(here).expect("the folder goes");
}

#[test]
fn a_port_that_is_taken_is_not_fatal_to_the_newcomer() {
    let here = folder("port");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (code, said) = said(&here, &["studio", "--no-open", "--port", &port]);
    assert_eq!(code, Some(1));
    assert!(said.contains("something else listens there") && said.contains("--port"), "{said}");
    std::fs::remove_dir_all(here).expect("the folder goes");
}
