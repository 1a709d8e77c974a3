//! The solver is chosen by a trial, in scenes with modes too, unless the user chooses.

use std::process::Command;

/// Something fast follows something slow, which turns round where it is high enough.
const STIFF: &str = "scene stiff
slow: real = 0
fast: real = 0
mode way: up | down
always drifts: slow' == (if way == up then 1 [1/s] else -1 [1/s])
always follows: fast' == -1e6 [1/s] * (fast - slow)
when turns: way == up and slow >= 0.25 { way == down }
plot slow, fast
";

/// The account after a run.
fn account(scene: &str, options: &[&str]) -> String {
    let folder = std::env::temp_dir().join(format!("ansatz solver {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("scene.anz");
    std::fs::write(&file, scene).expect("a scene");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    let output = command.arg("run").arg(&file).args(["-o", "-"]).args(options).output().expect("the command line");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn scenes_with_modes_are_tried_too() {
    let stiff = account(STIFF, &["--until", "0.5"]);
    assert!(stiff.contains("implicit, order 5") && stiff.contains("one transition: turns"), "{stiff}");
    let easy = account(&STIFF.replace("1e6", "1"), &["--until", "0.5"]);
    assert!(easy.contains("explicit, order 8"), "{easy}");
    let chosen = account(STIFF, &["--until", "0.001", "--solver", "explicit"]);
    assert!(chosen.contains("explicit, order 8"), "{chosen}");
}
