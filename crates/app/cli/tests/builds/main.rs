//! Exported programs: each is built for every example, compiled without a warning, and computes what `ansatz run` computes, to
//! the last bit. C compilers: gcc must be there, clang is used if it is; Rust programs are compiled by the compiler of these
//! tests, and WebAssembly runs in Node, which must be there.

mod random;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds of each run: long enough for many steps, rejected ones too; where something changes, long enough for it to do so.
const UNTIL: &str = "1.5";

fn until(scene: &Path) -> &'static str {
    if is_changing(scene) { "8" } else { UNTIL }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("ansatz-builds-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let files = std::fs::read_dir(folder).expect("the examples").map(|file| file.expect("a file").path());
    let mut scenes: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "anz")).collect();
    // A mechanism whose constraints take turns.
    scenes.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../driver/tests/scenes/bricard.anz"));
    // Contact in steps of a fixed length.
    scenes.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../driver/tests/scenes/heap.anz"));
    // A torus beside solids of every kind.
    scenes.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../driver/tests/scenes/rings.anz"));
    scenes.sort();
    scenes
}

/// Programs with many modes take compilers long; those of these languages get some of them, with all that may happen: claims, a plan, also
/// where laws are one's own, a sequence, many modes. WebAssembly gets all. The pile is long as well, and a heap stands for it.
fn examples_for_compilers() -> Vec<PathBuf> {
    const CHANGING: [&str; 5] =
        ["bouncing_ball", "ball_in_box_smooth", "docking_spaceship", "ink_jet", "ball_on_steps"];
    let scenes = examples();
    assert!(scenes.iter().filter(|scene| is_changing(scene)).count() > CHANGING.len());
    let is_short = |scene: &PathBuf| name_of(scene) != "pile";
    let chosen = |scene: &PathBuf| !is_changing(scene) || CHANGING.contains(&name_of(scene).as_str());
    scenes.into_iter().filter(is_short).filter(chosen).collect()
}

fn is_changing(scene: &Path) -> bool {
    let text = std::fs::read_to_string(scene).expect("a scene");
    text.lines().any(|line| {
        ["mode ", "when ", "sequence ", "plan ", "claim ", "stop "].iter().any(|word| line.starts_with(word))
    })
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name).with_extension("anz")
}

fn ansatz(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ansatz")).args(arguments).output().expect("the command line")
}

/// What a command prints, which must succeed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// A program has one solver for good, and `ansatz run` may choose another for another time; so the tests choose, and some examples
/// are solved by implicit steps.
fn solver(scene: &Path) -> &'static str {
    const IMPLICIT: [&str; 3] = ["ac_circuit", "motor_pendulum", "spring_pendula"];
    if IMPLICIT.contains(&name_of(scene).as_str()) { "implicit" } else { "explicit" }
}

/// The hash of a run, and its transitions, if it may have any.
fn run_hash(scene: &Path, folder: &Path) -> (String, Option<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command.arg("run").arg(scene).args(["--until", until(scene), "--hash", "--solver", solver(scene)]);
    let events = is_changing(scene).then(|| folder.join("expected.csv"));
    if let Some(events) = &events {
        command.arg("--events").arg(events);
    }
    let hash = printed(&mut command);
    (hash, events.map(|events| std::fs::read_to_string(events).expect("a table of transitions")))
}

/// The same of a built program.
fn hash_of(program: &mut Command, scene: &Path, folder: &Path) -> (String, Option<String>) {
    program.args(["--until", until(scene), "--hash"]);
    let events = is_changing(scene).then(|| folder.join("events.csv"));
    if let Some(events) = &events {
        program.arg("--events").arg(events);
    }
    let hash = printed(program);
    (hash, events.map(|events| std::fs::read_to_string(events).expect("a table of transitions")))
}

fn build(scene: &Path, target: &str, folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    printed(command.arg("build").arg(scene).args(["--target", target, "--solver", solver(scene), "-o"]).arg(folder));
}

fn name_of(scene: &Path) -> String {
    scene.file_stem().expect("a name").to_string_lossy().into_owned()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn make(folder: &Path, compiler: &str, flags: &str) {
    printed(
        Command::new("make")
            .args(["-s", "-B", &format!("CC={compiler}"), &format!("CFLAGS={flags}")])
            .current_dir(folder),
    );
}

/// Programs with modes are long, and what is done to them is done to the others too; so one of them stands for all.
fn optimizations(scene: &Path, compiler: &str) -> &'static [&'static str] {
    match (is_changing(scene) && name_of(scene) != "bouncing_ball", compiler) {
        // Where a machine has fused operations, gcc would use them here.
        (true, "gcc") if name_of(scene) == "ball_in_box_smooth" => &["-O0", "-O2 -march=native"],
        (false, _) => &["-O0", "-O3"],
        (true, "gcc") => &["-O0"],
        (true, _) => &[],
    }
}

#[test]
fn c_computes_the_same_bits() {
    assert!(is_there("gcc"), "this test needs gcc (Debian: apt-get install build-essential)");
    if !is_there("clang") {
        eprintln!("clang is not there: only gcc is tested");
    }
    let compilers: Vec<&str> = ["gcc", "clang"].into_iter().filter(|name| is_there(name)).collect();
    for scene in examples_for_compilers() {
        let name = name_of(&scene);
        let folder = Folder::new(&format!("c-{name}"));
        let expected = run_hash(&scene, &folder.0);
        build(&scene, "c", &folder.0);
        for compiler in &compilers {
            for optimization in optimizations(&scene, compiler) {
                make(&folder.0, compiler, &format!("{optimization} -Werror"));
                let found = hash_of(&mut Command::new(folder.0.join(&name)), &scene, &folder.0);
                assert_eq!(found, expected, "{name} with {compiler} {optimization}");
            }
        }
    }
}

#[test]
fn webassembly_computes_the_same_bits() {
    for scene in examples() {
        let name = name_of(&scene);
        let folder = Folder::new(&format!("wasm-{name}"));
        let expected = run_hash(&scene, &folder.0);
        build(&scene, "wasm", &folder.0);
        let found = hash_of(Command::new("node").arg("run.js").current_dir(&folder.0), &scene, &folder.0);
        assert_eq!(found, expected, "{name}");
    }
}

/// The program inside a page; how it is shown is tested in a browser, by `web/tests/page/alone.test.ts`.
#[test]
fn pages_compute_the_same_bits() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builds/page.mjs");
    for scene in examples_for_compilers() {
        let name = name_of(&scene);
        let folder = Folder::new(&format!("html-{name}"));
        let other = Folder::new(&format!("html-run-{name}"));
        let (expected, _) = run_hash(&scene, &other.0);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
        command.arg("build").arg(&scene).args(["--target", "html", "--solver", solver(&scene), "-o"]).arg(&folder.0);
        let output = command.output().expect("the command line");
        let complaint = String::from_utf8_lossy(&output.stderr);
        if complaint.contains("was built without its page") {
            eprintln!("the page is not there: run `npm run build` in `web` to test it");
            return;
        }
        assert!(output.status.success(), "{complaint}");
        let files: Vec<_> =
            std::fs::read_dir(&folder.0).expect("the folder").map(|it| it.expect("a file").path()).collect();
        assert_eq!(files, [folder.0.join(&name).with_extension("html")], "one file");
        let text = std::fs::read_to_string(&files[0]).expect("a text");
        for tag in ["<link ", "<script src", "<script type=\"module\" "] {
            assert!(!text.contains(tag), "{name} needs other files: {tag}");
        }
        assert_eq!(printed(Command::new("node").arg(&script).arg(&files[0]).arg(until(&scene))), expected, "{name}");
    }
}

#[test]
fn rust_computes_the_same_bits() {
    for scene in examples_for_compilers() {
        let name = name_of(&scene);
        let folder = Folder::new(&format!("rust-{name}"));
        let expected = run_hash(&scene, &folder.0);
        build(&scene, "rust", &folder.0);
        let found = hash_of(&mut compiled_crate(&folder.0, &name), &scene, &folder.0);
        assert_eq!(found, expected, "{name}");
    }
}

/// The program of a built crate.
fn compiled_crate(folder: &Path, name: &str) -> Command {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let compile = |arguments: &[&str]| {
        let mut command = Command::new(&rustc);
        command.args(["--edition", "2024", "-D", "warnings", "--cfg", "feature=\"std\""]);
        printed(command.args(["--check-cfg", "cfg(feature, values(\"std\"))"]).args(arguments).current_dir(folder));
    };
    compile(&["--crate-type", "rlib", "--crate-name", name, "src/lib.rs"]);
    let library = format!("{name}=lib{name}.rlib");
    compile(&["--crate-name", "program", "--extern", &library, "-o", "program", "src/main.rs"]);
    Command::new(folder.join("program"))
}

/// A plan where laws are one's own: what is found by iteration, reset, and remembered at instants that vary; a single choice, and names that
/// differ in their case only.
#[test]
fn plans_with_laws_compute_the_same_bits() {
    let text = "s: real = 0.5\nw: real\nS: real = 0\nmode state: rest | rising | falling | over\n\
                always cubic: w + w^3 == s\nalways S' == w / 1 [s]\n\
                always waits: s' == 0 while state == rest or state == over\n\
                always rises: s' == rate while state == rising\nalways falls: s' == -rate * s while state == falling\n\
                plan climb when state == rest and t >= 1 [s] {\n\
                  choose rate: [1/s] from 1 [1/s]\n\
                  begin { state == rising; w == 0.8 * pre(w) }\n\
                  until s >= 3 * at(begin, s) { state == falling; w == 2 * pre(w) }\n\
                  after 0.5 [s] * w aim S == 1.2 { state == over }\n}\n\
                plot s, w, S, rate";
    assert_same_bits("cubic", text, 3);
}

/// Aims where a place is passed, a duration that depends on what was when its phase began, and a claim of several parts.
#[test]
fn aims_at_instants_that_vary_compute_the_same_bits() {
    let text = "gravity 9.81 [m/s^2]\nbody ball { position = (free, 0, free); mass = 1 [kg] }\n\
                mode state: held | thrown | passed | over\n\
                always waits: ball.position == (0, 0, 0) while state == held\n\
                plan throw when state == held and t >= 0.1 [s] {\n\
                  choose along: [m/s] from 3 [m/s]\n  choose up: [m/s] from 4 [m/s]\n\
                  begin { state == thrown; ball.velocity == (along, 0 [m/s], up); keep positions }\n\
                  until ball.position.x >= 1 [m] aim ball.position.z == 0.5 [m] { state == passed; keep all }\n\
                  after at(1, t) - at(begin, t) aim ball.velocity.z == -1 [m/s] { state == over; keep all }\n}\n\
                claim order: (state == held until state == thrown) and eventually state == over\n\
                plot ball.position, along, up";
    assert_same_bits("passing", text, 3);
}

/// Between rows and at one, after a bounce and at an instant with nothing else.
#[test]
fn runs_that_end_on_a_condition_compute_the_same_bits() {
    let text = |stop: &str| {
        format!(
            "gravity 9.81 [m/s^2]\nbody ball {{ position = (free, 0, free(1 [m])); mass = 1 [kg] }}\n\
             initially ball.velocity.x == 1 [m/s]\n\
             when bounce: ball.position.z <= 0 and ball.velocity.z < 0 {{\n\
               ball.velocity.z == -pre(ball.velocity.z)\n  keep all except ball.velocity.z\n}}\n\
             claim dry: always ball.position.z >= -1 [mm]\nstop when {stop}\nplot ball.position"
        )
    };
    assert_same_bits("between", &text("ball.position.x >= 1.2345 [m]"), 2);
    assert_same_bits("at_a_row", &text("t >= 1 [s]"), 2);
}

/// Friction that depends on the force of a constraint, which depends on the friction; and a run that ends on it.
#[test]
fn forces_of_constraint_compute_the_same_bits() {
    let text = "body bead { position = (free, free, 0); mass = 0.2 [kg] }\nalways wire: |bead.position| == 0.7 [m]\n\
                initially bead.position.x == 0.7 [m]\ninitially bead.position.y == 0\ninitially bead.velocity.y == 2 [m/s]\n\
                force on bead = -0.3 * |tension(wire)| * bead.velocity / |bead.velocity|\n\
                frame arm { rotation = about y free }\nbody bob in arm { position = (0, 0, -1) [m]; mass = 1 [kg] }\n\
                initially arm.angle == 1\ngravity 9.81 [m/s^2]\n\
                stop when tension(wire) <= 0.5 [N]\nplot tension(wire), force(bob), torque(arm)";
    assert_same_bits("reactions", text, 1);
}

/// As many modes as an export may have, each with a force of its own, one after the other: the run, which links each when it is reached, and the export,
/// which has all of them from the beginning, agree.
#[test]
fn two_hundred_modes_compute_the_same_bits() {
    const MODES: usize = 200;
    let text = stairs(MODES);
    let (folder, name) = (Folder::new("stairs"), "stairs");
    let scene = folder.0.join(name).with_extension("anz");
    std::fs::write(&scene, format!("scene {name}\n{text}")).expect("a scene");
    let expected = run_hash(&scene, &folder.0);
    assert_eq!(expected.1.as_ref().map(|events| events.lines().count()), Some(MODES), "{expected:?}");
    let built = folder.0.join("wasm");
    build(&scene, "wasm", &built);
    assert_eq!(hash_of(&mut program("wasm", &built, name, ""), &scene, &built), expected);
}

/// Modes that follow one another every 30 ms.
fn stairs(modes: usize) -> String {
    let names: Vec<String> = (0..modes).map(|at| format!("m{at}")).collect();
    let mut text =
        format!("body puck {{ position = (free, 0, 0); mass = 1 [kg] }}\nmode step: {}\n", names.join(" | "));
    for at in 0..modes {
        text += &format!("force on puck = ({}, 0, 0) [N] while step == m{at}\n", (at * 7) % 11);
    }
    for at in 1..modes {
        let before = at - 1;
        text += &format!("when s{at}: step == m{before} and t >= {} [ms] {{ step == m{at}; keep all }}\n", 30 * at);
    }
    text
}

/// A scene with so many transitions, run and built in every language.
fn assert_same_bits(name: &str, text: &str, transitions: usize) {
    let folder = Folder::new(name);
    let scene = folder.0.join(name).with_extension("anz");
    std::fs::write(&scene, format!("scene {name}\n{text}\n")).expect("a scene");
    let expected = run_hash(&scene, &folder.0);
    let happened = expected.1.as_ref().map_or(0, |events| events.lines().count());
    // The first line names the columns.
    assert_eq!(happened, 1 + transitions, "{expected:?}");
    for target in ["c", "rust", "wasm"] {
        let built = folder.0.join(target);
        build(&scene, target, &built);
        let mut program = program(target, &built, name, "-O3 -Werror");
        assert_eq!(hash_of(&mut program, &scene, &built), expected, "{target}");
    }
}

/// What runs a built program; C is compiled with these flags.
fn program(target: &str, built: &Path, name: &str, flags: &str) -> Command {
    match target {
        "c" => {
            make(built, "gcc", flags);
            Command::new(built.join(name))
        }
        "rust" => compiled_crate(built, name),
        _ => {
            let mut command = Command::new("node");
            command.arg("run.js").current_dir(built);
            command
        }
    }
}

/// A built crate is whole: it builds with cargo, its example runs, clippy has nothing to say, and it needs no `std`.
#[test]
fn a_crate_is_complete() {
    let folder = Folder::new("crate");
    build(&example("roller_coaster_3"), "rust", &folder.0);
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string()));
        printed(
            command
                .args(arguments)
                .arg("--offline")
                .current_dir(&folder.0)
                .env("CARGO_TARGET_DIR", folder.0.join("target")),
        );
    };
    cargo(&["test", "-q"]);
    cargo(&["clippy", "-q", "--all-targets"]);
    cargo(&["build", "-q", "--lib", "--no-default-features"]);
}

/// The same table, byte for byte, with the same options, from all of them: a program has angles in radians.
#[test]
fn tables_are_the_same() {
    let scene = example("pendulum");
    let options =
        ["--until", "2.1", "--every", "0.3", "--set", "angle=170", "--set", "length=0.8[m]", "--tolerance", "1e-10"];
    let expected = printed(Command::new(env!("CARGO_BIN_EXE_ansatz")).arg("run").arg(&scene).args(options).args([
        "--radians",
        "-o",
        "-",
    ]));
    assert_eq!(expected.lines().count(), 9, "{expected}");
    let folder = Folder::new("tables");
    build(&scene, "c", &folder.0.join("c"));
    make(&folder.0.join("c"), "gcc", "-O1 -Werror");
    assert_eq!(printed(Command::new(folder.0.join("c/pendulum")).args(options)), expected);
    build(&scene, "wasm", &folder.0.join("wasm"));
    let mut node = Command::new("node");
    assert_eq!(printed(node.arg("run.js").args(options).current_dir(folder.0.join("wasm"))), expected);
}

/// The table of a scene with modes, where some columns have words, some numbers are tiny, and parameters are set.
#[test]
fn tables_of_modes_are_the_same() {
    let folder = Folder::new("modes");
    let scene = example("bouncing_ball");
    let probe = ["--probe", "motion, ball.velocity.z"];
    let options = ["--until", "6", "--every", "0.5", "--set", "height=0.7", "--events", "events.csv"];
    let here = |folder: &Path| std::fs::read_to_string(folder.join("events.csv")).expect("a table of transitions");
    let mut run = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    run.arg("run").arg(&scene).args(probe).args(options).args(["--radians", "-o", "-"]).current_dir(&folder.0);
    let expected = (printed(&mut run), here(&folder.0));
    assert!(expected.0.contains(",bouncing,") && expected.0.contains(",resting,"), "{}", expected.0);
    for target in ["c", "wasm"] {
        let built = folder.0.join(target);
        let mut build = Command::new(env!("CARGO_BIN_EXE_ansatz"));
        printed(build.arg("build").arg(&scene).args(probe).args(["--target", target, "-o"]).arg(&built));
        let mut program = match target {
            "c" => {
                make(&built, "gcc", "-O1 -Werror");
                Command::new(built.join("bouncing_ball"))
            }
            _ => Command::new("node"),
        };
        if target == "wasm" {
            program.arg("run.js");
        }
        let found = printed(program.args(options).current_dir(&built));
        assert_eq!((found, here(&built)), expected, "{target}");
    }
}

/// Plans whose search begins so far off that most of its steps are shortened or damped: the same choices to the last bit.
#[test]
fn searches_of_plans_take_the_same_way() {
    let folder = Folder::new("search");
    let ball = "body ball { position = (free, 0, free); mass = 1 [kg] }\nmode m: held | thrown | there\n";
    let throw = "gravity 9.81 [m/s^2]\nplan p when m == held {\n\
                 choose along: [m/s] from 1 [m/s]\nchoose up: [m/s] from 1 [m/s]\nchoose time: [s] from 1 [s]\n\
                 begin { m == thrown; ball.velocity == (along, 0 [m/s], up); keep positions }\n\
                 after time aim ball.position.x == 4 [m], ball.position.z == 1 [m], ball.velocity.z == -2 [m/s] { m == there; keep all }\n}\n";
    let push = "plan p when m == held {\nchoose push: [N] from 1 [N]\nchoose time: [s] from 1 [s]\n\
                begin { m == thrown; keep all }\n\
                after time aim ball.position.x == 5 [m], ball.velocity.x == 2.2 [m/s] { m == there; keep all }\n}\n\
                force on ball = (push, 0 [N], 0 [N]) while m == thrown\n";
    // Both say the same: one of the choices is of no use.
    let twice = "plan p when m == held {\nchoose along: [m/s]\nchoose up: [m/s]\n\
                 begin { m == thrown; ball.velocity == (along, 0 [m/s], up); keep positions }\n\
                 after 1 [s] aim ball.position.x == 2 [m], 2 * ball.position.x == 4 [m] { m == there; keep all }\n}\n";
    for (name, text) in [("throw", throw), ("push", push), ("twice", twice)] {
        let scene = folder.0.join(name).with_extension("anz");
        std::fs::write(&scene, format!("scene {name}\n{ball}{text}")).expect("a scene");
        let expected = run_hash(&scene, &folder.0);
        assert!(expected.1.as_ref().is_some_and(|events| events.contains("p.1")), "{name}: {expected:?}");
        let built = folder.0.join(name);
        build(&scene, "wasm", &built);
        let found = hash_of(Command::new("node").arg("run.js").current_dir(&built), &scene, &built);
        assert_eq!(found, expected, "{name}");
    }
}

/// An exported program warns of what `ansatz run` warns of, if in fewer words: transitions that disagree, each pair once, and plans that were
/// disturbed. Where neither is the case it is silent.
#[test]
fn what_is_met_on_the_way_is_said() {
    let folder = Folder::new("warnings");
    let car = "body car { position = (free, 0, 0); mass = 1 [kg] }\ninitially car.velocity.x == 1 [m/s]\nlet x = car.position.x\n\
               mode m: a | b | c\nmode n: a | b | c\n";
    let fork = "when one: m == a and x >= 1 [m] { m == b; keep all }\nwhen other: m == a and x >= 1 [m] { m == c; keep all }\n\
                when back: m == b and x >= 2 [m] { m == a; x == 0; keep velocities }";
    let speeds = "when one: m == a and x >= 1 [m] { m == b; keep positions; car.velocity.x == 2 [m/s] }\n\
                  when other: m == a and x >= 1 [m] { m == b; keep positions; car.velocity.x == 0.5 [m/s] }";
    let plans = "plan p when m == a {\n choose speed: [m/s] from 2 [m/s]\n\
                 begin { m == b; car.velocity.x == speed; keep positions }\n\
                 after 2 [s] aim x == 1 [m] { m == c; keep all }\n}\n\
                 plan q when n == a and t >= WHEN [s] {\n choose other: [m/s] from 1 [m/s]\n\
                 begin { n == b; car.velocity.x == other; keep positions }\n\
                 after 1 [s] aim x == 3 [m] { n == c; keep all }\n}";
    for (name, text, told) in [
        ("fork", fork.to_string(), "t = 1 s: one and other hold together and disagree; the first happened"),
        ("speeds", speeds.to_string(), "t = 1 s: one and other hold together and disagree; the first happened"),
        (
            "rounding",
            fork.replace("when other: m == a and x >= 1 [m]", "when other: m == a and t >= 1 [s]"),
            "t = 1 s: one and other hold together and disagree; the first happened",
        ),
        ("agree", speeds.replace("0.5 [m/s]", "2 [m/s]"), ""),
        (
            "disturbed",
            plans.replace("WHEN", "1"),
            "t = 2 s: the plan of p.begin misses what it aimed at, for q.begin came in between",
        ),
        ("calm", plans.replace("WHEN", "2.5"), ""),
    ] {
        let scene = folder.0.join(format!("{name}.anz"));
        std::fs::write(&scene, format!("scene {name}\n{car}{text}")).expect("a scene");
        let run = ansatz(&["run", scene.to_str().expect("a path"), "--until", "4", "-o", "-"]);
        let warned = String::from_utf8_lossy(&run.stderr);
        assert_eq!(warned.contains("warning["), !told.is_empty(), "{name}: {warned}");
        for target in ["c", "rust", "wasm"] {
            let built = folder.0.join(format!("{name}_{target}"));
            build(&scene, target, &built);
            let mut program = match target {
                "c" => {
                    make(&built, "gcc", "-O0 -Wall -Wextra -Werror");
                    Command::new(built.join(name))
                }
                "rust" => compiled_crate(&built, name),
                _ => {
                    let mut command = Command::new("node");
                    command.arg("run.js");
                    command
                }
            };
            let output = program.args(["--until", "4"]).current_dir(&built).output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} {target}: {said}");
            let said: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
            let expected: Vec<String> =
                [told].iter().filter(|told| !told.is_empty()).map(|told| format!("warning: at {told}")).collect();
            assert_eq!(said, expected, "{name} {target}");
        }
    }
}

/// An exported program says what is wrong with a run as `ansatz run` does, if in fewer words.
#[test]
fn what_ends_a_run_with_modes_is_said() {
    let folder = Folder::new("ends");
    let fall = "body ball { position = (0, 0, free(1 [m])); mass = 1 [kg] }\ngravity 9.81 [m/s^2]\n";
    let bounce = "when bounce: ball.position.z <= 0 and ball.velocity.z < 0 { ball.velocity.z == -0.5 * pre(ball.velocity.z); keep positions }\n";
    let cases = [
        ("claimed", format!("{fall}claim above: always ball.position.z >= 0.5 [m]\n"), "a claim does not hold: above"),
        ("hoped", format!("{fall}claim up: eventually ball.position.z >= 2 [m]\n"), "a claim does not hold: up"),
        ("zeno", format!("{fall}{bounce}"), "transitions come ever faster and never get past this time: bounce"),
        (
            "endless",
            format!(
                "{fall}mode light: red | green\nwhen stop: light == green and ball.position.z <= 0.5 [m] {{ light == red; keep all }}\nwhen go: light == red and ball.position.z <= 0.5 [m] {{ light == green; keep all }}\n"
            ),
            "there is no end of transitions at this instant",
        ),
        (
            "relay",
            "x: [m] = 0.3 [m]\nmode c: plus | minus\nalways x' == -1 [m/s] while c == plus\nalways x' == 1 [m/s] while c == minus\nwhen neg: c == plus and x < 0 { c == minus }\nwhen pos: c == minus and x > 0 { c == plus }\n".to_string(),
            "there is no end of transitions at this instant",
        ),
        (
            "far",
            format!("{fall}mode m: a | b | c\nplan p when m == a {{\nchoose up: [m/s] from 1 [m/s]\nbegin {{ m == b; ball.velocity.z == up; keep positions }}\nuntil ball.velocity.z <= 0 {{ m == c; keep all }}\nafter 1 [s] aim ball.position.z == -10 [m] {{ m == a; keep all }}\n}}\n"),
            "a plan finds no way to what it aims at: p.begin",
        ),
    ];
    for (name, text, expected) in cases {
        let scene = folder.0.join(name).with_extension("anz");
        std::fs::write(&scene, format!("scene {name}\n{text}")).expect("a scene");
        let built = folder.0.join(name);
        build(&scene, "wasm", &built);
        let output =
            Command::new("node").arg("run.js").args(["--until", "3"]).current_dir(&built).output().expect("node");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{name}: {said}");
    }
}

/// Not everything that fails has a name in an exported program; what it is, is said in every language, in programs of one mode and of several.
#[test]
fn what_touches_wrongly_is_said() {
    let folder = Folder::new("inside");
    let text = "gravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(0.1 [m])); shape = sphere(0.5 [m]); mass = 1 [kg] }\n\
                frame slab { position = (0, 0, -0.5) [m]; shape = box(4 [m], 4 [m], 1 [m]) }\n\
                contact ball, slab { restitution = 0 }\nplot ball.position.z\n";
    for (name, more) in [("inside", ""), ("claimed", "claim low: always ball.position.z <= 9 [m]\n")] {
        let scene = folder.0.join(name).with_extension("anz");
        std::fs::write(&scene, format!("scene {name}\n{text}{more}")).expect("a scene");
        for target in ["c", "rust", "wasm"] {
            let built = folder.0.join(format!("{name}_{target}"));
            build(&scene, target, &built);
            let output = program(target, &built, name, "-O0").args(["--until", "1"]).output().expect("a program");
            let said = String::from_utf8_lossy(&output.stderr);
            let words = "at t = 0 s: something begins inside of something else\n";
            assert!(!output.status.success() && said.contains(words), "{name}, {target}: {said}");
        }
    }
}

#[test]
fn a_folder_is_written_as_a_whole_or_not_at_all() {
    let folder = Folder::new("folder");
    let scene = example("pendulum");
    let scene = scene.to_string_lossy();
    let target = folder.0.join("swing");
    let target = target.to_string_lossy();
    let build = || ansatz(&["build", &scene, "--target", "c", "-o", &target]);
    // A file is in the way.
    std::fs::write(&*target, "mine").expect("a file");
    assert!(!build().status.success());
    assert_eq!(std::fs::read_to_string(&*target).expect("the file"), "mine");
    std::fs::remove_file(&*target).expect("the file goes");
    assert!(build().status.success());
    // What else lies in the folder stays.
    std::fs::write(folder.0.join("swing/notes.txt"), "mine").expect("a file");
    assert!(build().status.success());
    assert!(folder.0.join("swing/notes.txt").exists());
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 1, "nothing is left beside it");
    // A scene with errors leaves nothing.
    std::fs::write(folder.0.join("broken.anz"), "scene broken\nbody {").expect("a scene");
    let (broken, nowhere) = (folder.0.join("broken.anz"), folder.0.join("nowhere"));
    let output = ansatz(&["build", &broken.to_string_lossy(), "--target", "rust", "-o", &nowhere.to_string_lossy()]);
    assert!(!output.status.success() && !nowhere.exists());
}

/// The program for a GPU, with the processor in its place: rows of all runs as numbers, without their count and their state.
fn rows_of_ensemble(folder: &Path, name: &str, inputs: &str, options: &[&str]) -> Vec<Vec<String>> {
    let sample = std::fs::read_to_string(folder.join("main.cu")).expect("a sample program");
    let mut sample = sample
        .replace(&format!("#include \"{name}.cu\""), &format!("#include \"cuda_on_host.h\"\n#include \"{name}.cu\""));
    let launches = [("begin", "(unsigned)blocks"), ("go", "(unsigned)(blocks < resident ? blocks : resident)")];
    for (kernel, blocks) in launches {
        let launched = sample.replace(
            &format!("{name}_{kernel}<<<{blocks}, THREADS>>>("),
            &format!("launch({blocks}, THREADS, {name}_{kernel}, "),
        );
        assert!(launched != sample, "{kernel} is launched");
        sample = launched;
    }
    std::fs::write(folder.join("main.cpp"), sample).expect("a file");
    std::fs::write(folder.join("cuda_on_host.h"), include_str!("cuda_on_host.h")).expect("a file");
    let flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-w", "main.cpp", "-o", "ensemble"];
    printed(Command::new("g++").args(flags).current_dir(folder));
    std::fs::write(folder.join("inputs.csv"), inputs).expect("a file");
    let table = std::fs::File::open(folder.join("inputs.csv")).expect("a table");
    let text = printed(Command::new(folder.join("ensemble")).args(options).stdin(table));
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

/// Rows, events, runs that stop by themselves and their inputs in their own units.
#[test]
fn ensembles_for_a_gpu_have_the_bits_of_runs() {
    let folder = Folder::new("cuda");
    let stopping = folder.0.join("stopping.anz");
    std::fs::write(&stopping, STOPPING).expect("a scene");
    let cases: [(PathBuf, &str, &str, [&str; 3]); 3] = [
        (example("double_pendulum"), "length1", "3", ["0.7", "1", "1.9"]),
        (example("bouncing_ball"), "height", "6", ["2", "3.3", "4.7"]),
        (stopping, "height", "3", ["1", "4", "90"]),
    ];
    for (scene, input, until, values) in cases {
        let (name, built) = (name_of(&scene), folder.0.join(name_of(&scene)));
        build(&scene, "cuda", &built);
        let options = ["--until", until, "--every", "0.5"];
        let found = rows_of_ensemble(&built, &name, &format!("{input}\n{}\n", values.join("\n")), &options);
        for (run, value) in values.iter().enumerate() {
            let setting = format!("{input}={value}");
            let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
            command.arg("run").arg(&scene).args(options).args([
                "--radians",
                "--solver",
                "explicit",
                "--set",
                &setting,
                "-o",
            ]);
            printed(command.arg(built.join("expected.csv")));
            let expected = std::fs::read_to_string(built.join("expected.csv")).expect("a table");
            let expected: Vec<&str> = expected.lines().skip(1).collect();
            let rows: Vec<&Vec<String>> = found.iter().filter(|row| row[0] == run.to_string()).collect();
            assert_eq!(rows.len(), expected.len(), "{name} {setting}");
            for (row, line) in rows.iter().zip(expected) {
                let numbers = row[2..].iter().map(|it| it.parse::<f64>().expect("a number"));
                // Words have numbers there.
                let agrees = |(found, word): (f64, &str)| word.parse::<f64>().is_err() || word.parse() == Ok(found);
                let times_agree = numbers.clone().next().zip(line.split(',').next()).is_some_and(|(found, word)| {
                    word.parse::<f64>().is_ok_and(|expected| (found - expected).abs() <= 1e-14 * expected.abs())
                });
                assert!(
                    times_agree && numbers.zip(line.split(',')).skip(1).all(agrees),
                    "{name} {setting}: {row:?} {line}"
                );
            }
        }
    }
}

const STOPPING: &str = "scene stopping\nparam height = 2 [m]\ngravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free(height)); mass = 1 [kg] }\n\
                        stop when ball.position.z < 0 [m]\nplot ball.position.z\n";
