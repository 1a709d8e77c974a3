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

/// The rows of a run, and the account after it.
fn run(name: &str, scene: &str, options: &[&str]) -> (String, String) {
    let folder = std::env::temp_dir().join(format!("ansatz solver {name} {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("scene.anz");
    std::fs::write(&file, scene).expect("a scene");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    let output = command.arg("run").arg(&file).args(["-o", "-"]).args(options).output().expect("the command line");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(output.status.success(), "{said}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), said)
}

#[test]
fn scenes_with_modes_are_tried_too() {
    let account = |scene: &str, options: &[&str]| run("modes", scene, options).1;
    let stiff = account(STIFF, &["--until", "0.5"]);
    assert!(stiff.contains("implicit, order 5") && stiff.contains("one transition: turns"), "{stiff}");
    let easy = account(&STIFF.replace("1e6", "1"), &["--until", "0.5"]);
    assert!(easy.contains("explicit, order 8"), "{easy}");
    let chosen = account(STIFF, &["--until", "0.001", "--solver", "explicit"]);
    assert!(chosen.contains("explicit, order 8"), "{chosen}");
}

/// A puck at 5 m/s that friction of 4 m/s² stops after 25/8 m, wherever it goes, beside something stiff that it has nothing to do with.
#[test]
fn what_friction_stops_is_where_it_should_be_beside_something_stiff() {
    let scene = "scene rink
body puck { position = (free, free, 0); mass = 1 [kg] }
initially puck.velocity.x == 3 [m/s]
initially puck.velocity.y == 4 [m/s]
force on puck = -4 [N] * puck.velocity / |puck.velocity|
body damper { position = (0, 0, free(1 [m])); mass = 1 [kg] }
force on damper = -1e6 [N*s/m] * damper.velocity - 1 [N/m] * damper.position
plot |puck.position|
";
    let (rows, said) = run("rink", scene, &["--until", "3", "--every", "1"]);
    assert!(said.contains("implicit, order 5"), "{said}");
    let last = rows.lines().last().and_then(|row| row.split(',').nth(1)).expect("a row");
    let distance: f64 = last.parse().expect("a number");
    assert!((distance - 3.125).abs() < 1e-6, "{rows}");
}
