//! Readers and writers at the other end of a pipe: one that goes away is no error, and a scene may come through one.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const SCENE: &str =
    "scene ball\nparam mass = 1 [kg]\nbody ball { position=(0,0,free); mass = mass }\ngravity 9.81 [m/s^2]\n";

fn ansatz(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command.args(arguments).stdin(Stdio::piped());
    command
}

fn with_scene(mut command: Command, scene: &str) -> Output {
    let mut child = command.spawn().expect("the command line");
    child.stdin.take().expect("its input").write_all(scene.as_bytes()).expect("a scene");
    child.wait_with_output().expect("an end")
}

/// A pipe whose reader is gone.
fn broken_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_reader_may_go_away() {
    for arguments in [["run", "-"].as_slice(), &["check", "-"], &["check", "-", "--json"], &["explain", "-"]] {
        let mut command = ansatz(arguments);
        command.stdout(broken_pipe()).stderr(broken_pipe());
        assert_eq!(with_scene(command, SCENE).status.code(), Some(0), "{arguments:?}");
    }
    let mut command = ansatz(&["check", "-"]);
    command.stdout(broken_pipe()).stderr(broken_pipe());
    assert_eq!(with_scene(command, "scene ball\nbdy ball").status.code(), Some(1));
}

#[test]
fn a_scene_may_come_from_standard_input() {
    let mut command = ansatz(&["run", "-", "--until", "2", "--every", "1", "--probe", "ball.z", "-o", "-"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let rows = String::from_utf8(with_scene(command, SCENE).stdout).expect("a table");
    assert_eq!(rows.lines().next(), Some("t [s],ball.z [m]"));
    assert_eq!(rows.lines().count(), 4);
    let mut command = ansatz(&["fmt", "-"]);
    command.stdout(Stdio::piped());
    let formatted = String::from_utf8(with_scene(command, SCENE).stdout).expect("a text");
    assert_eq!(formatted.lines().nth(2), Some("body ball { position = (0, 0, free); mass = mass }"));
}

/// What is written to a full disk is told, whatever wrote it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let commands: [&[&str]; 10] = [
        &["run", "-", "--hash"],
        &["run", "-", "-o", "-"],
        &["check", "-", "--json"],
        &["explain", "-"],
        &["linearize", "-", "--at", "initial"],
        &["fmt", "-"],
        &["sweep", "-", "--vary", "mass=1..2:2", "-o", "-"],
        &["doctor"],
        &["completions", "bash"],
        &["--help"],
    ];
    for arguments in commands {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a disk that is full");
        let mut command = ansatz(arguments);
        command.stdout(full).stderr(Stdio::piped());
        let output = with_scene(command, SCENE);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("standard output"), "{arguments:?}: {said}");
    }
}
