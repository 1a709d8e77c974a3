//! A sweep is so many runs, each as if it were alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Whether it is stiff depends on its parameter.
const DECAY: &str = "scene decay
param rate = 1 [1/s]
x: real = 2
always x' == -rate * (x - cos(t * 1 [rad/s]))
plot x
";

const BALL: &str = "scene ball
param height = 1 [m]
param restitution = 0.5
gravity 9.81 [m/s^2]
body ball { position = (0, 0, free(height)); mass = 1 [kg] }
initially ball.position.z == height
mode motion: bouncing | resting = bouncing
always lies: ball.position.z == 0 while motion == resting
when bounce: motion == bouncing and ball.position.z <= 0 and ball.velocity.z < -1e-3 [m/s] {
  ball.velocity.z == -restitution * pre(ball.velocity.z)
  keep positions
}
when rest: motion == bouncing and ball.position.z <= 0 and |ball.velocity.z| <= 1e-3 [m/s] {
  motion == resting
  satisfy position constraints
  satisfy velocity constraints
}
plot ball.position.z, motion
";

/// It has a pole at `1 / start` seconds.
const POLE: &str = "scene pole
param start = 0.01
x: real = start
always x' == x^2 / 1 [s]
plot x
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in [("decay", DECAY), ("ball", BALL), ("pole", POLE)] {
        std::fs::write(folder.join(name).with_extension("anz"), text).expect("a scene");
    }
    folder
}

fn ansatz(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_ansatz")).current_dir(folder).args(arguments).output().expect("the command line")
}

fn well(folder: &Path, arguments: &str) -> Output {
    let output = ansatz(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn each_run_has_the_bits_that_it_has_alone_in_however_many_threads_and_lanes() {
    let folder = folder("bits");
    // Stiff and not, through impacts and modes, short and long, with a control, and from ends that a `stop` of the scene sets.
    for (scene, vary, until) in [
        ("decay", "rate=1,20,1e5,3e6", 10),
        ("decay", "rate=1,1e6", 2),
        ("ball", "height=0.5..2:3", 2),
        ("ball", "restitution=0.1..0.9:4", 3),
    ] {
        let sweep = |how: &str| {
            let arguments = format!("sweep {scene}.anz --vary {vary} --until {until} --every 0.5 {how} -o -");
            printed(&well(&folder, &arguments))
        };
        let table = sweep("--threads 1 --lanes never");
        assert_eq!(table, sweep("--threads 3"), "{scene} {vary}");
        assert_eq!(table, sweep("--threads 2 --lanes always"), "{scene} {vary}");
        let (name, all) = (vary.split('=').next().expect("a name"), rows(&table));
        let runs: usize = all.last().expect("rows")[0].parse::<usize>().expect("a number") + 1;
        for run in 0..runs {
            let of_run: Vec<&Vec<&str>> = all.iter().filter(|row| row[0] == run.to_string()).collect();
            let arguments = format!("run {scene}.anz --set {name}={} --until {until} --every 0.5 -o -", of_run[0][1]);
            let alone = printed(&well(&folder, &arguments));
            let alone = rows(&alone);
            assert_eq!(of_run.len(), alone.len());
            for (in_sweep, alone) in of_run.iter().zip(alone) {
                assert_eq!(in_sweep[2..in_sweep.len() - 1], alone, "{scene} {name}={}", in_sweep[1]);
            }
        }
    }
}

#[test]
fn reductions_and_events_say_what_the_rows_and_closed_forms_say() {
    let folder = folder("reductions");
    let reduce = "--reduce min:ball.position.z,max:ball.velocity.z,first:bounce,count:bounce,first:rest";
    let table = printed(&well(
        &folder,
        &format!("sweep ball.anz --vary height=0.5,2 --until 0.9 {reduce} --events events.csv -o -"),
    ));
    assert!(table.starts_with(
        "run,height [m],t [s],min(ball.position.z) [m],max(ball.velocity.z) [m/s],first(bounce) [s],count(bounce),first(rest) [s],failed"
    ));
    for (row, height) in rows(&table).iter().zip([0.5_f64, 2.0]) {
        let first: f64 = row[5].parse().expect("it bounces");
        let fall = (2.0 * height / 9.81).sqrt();
        assert!((first - fall).abs() < 1e-9, "{first}");
        // A bounce leads back to the floor after half the time of the one before; the first after as long as the fall.
        let touches = (0..60).map(|bounce| fall * (3.0 - 2.0 * (0..bounce).fold(1.0, |left, _| 0.5 * left)));
        let expected = touches.filter(|touch| *touch <= 0.9).count();
        assert_eq!(row[6], expected.to_string(), "{row:?}");
        assert_eq!(row[7], "");
    }
    let events = std::fs::read_to_string(folder.join("events.csv")).expect("the events");
    assert_eq!(rows(&events)[0][0], "0");
    assert_eq!(rows(&events)[0][2], "bounce");
}

#[test]
fn histograms_count_every_row_once() {
    let folder = folder("histograms");
    let sweep = "sweep ball.anz --vary height=0.6,1.9 --until 0.3 --every 0.01";
    let table = printed(&well(&folder, &format!("{sweep} --reduce histogram:ball.position.z=0.25..1.75:2 -o -")));
    let cells = "rows(0.25 <= ball.position.z < 1),rows(1 <= ball.position.z < 1.75),rows(ball.position.z < 0.25)";
    assert!(
        table.starts_with(&format!("run,height [m],t [s],{cells},rows(ball.position.z >= 1.75),failed")),
        "{table}"
    );
    for (row, height) in rows(&table).iter().zip([0.6_f64, 1.9]) {
        // It falls freely, since it does not come to the floor so soon.
        let mut expected = [0; 4];
        for t in (0..=30).map(|at| 0.01 * f64::from(at)) {
            let z = height - 9.81 / 2.0 * t * t;
            expected[if z < 0.25 {
                2
            } else if z < 1.0 {
                0
            } else if z < 1.75 {
                1
            } else {
                3
            }] += 1;
        }
        assert_eq!(row[3..7], expected.map(|count| count.to_string()), "{row:?}");
    }
    for bad in ["histogram:ball.position.z", "histogram:ball.position.z=2..0:4", "histogram:ball.position.z=0..2:0"] {
        let output = ansatz(&folder, &format!("{sweep} --reduce {bad} -o -"));
        assert!(String::from_utf8_lossy(&output.stderr).contains("is no reduction"), "{bad}");
    }
}

#[test]
fn runs_that_fail_are_named_and_the_others_stand() {
    let folder = folder("failures");
    let output = well(&folder, "sweep pole.anz --vary start=0.01,0.5,0.02 --until 10 -o runs.csv");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("1 run of 3 failed; the others stand"), "{said}");
    assert!(said.contains("run 1 (start=0.5), after its row at t = 0 s: error["), "{said}");
    let table = std::fs::read_to_string(folder.join("runs.csv")).expect("the table");
    let rows = rows(&table);
    for (row, start) in [(0, 0.01), (2, 0.02)] {
        let end: f64 = rows[row][3].parse().expect("a number");
        assert!((end - start / (1.0 - 10.0 * start)).abs() < 1e-8, "{end}");
        assert_eq!(rows[row][4], "");
    }
    assert!(!rows[1][4].is_empty());
    let all = ansatz(&folder, "sweep pole.anz --vary start=0.5,1 --until 10 -o -");
    assert!(!all.status.success(), "no run is left that stands");
}

#[test]
fn what_was_interrupted_is_continued_without_loss() {
    let folder = folder("resumed");
    let sweep = |output: &str| {
        format!("sweep ball.anz --vary restitution=0.2..0.9:40 --until 200 --tolerance 1e-11 --every 0.05 -o {output}")
    };
    well(&folder, &sweep("whole.csv"));
    let mut begun = Command::new(env!("CARGO_BIN_EXE_ansatz"))
        .current_dir(&folder)
        .args(sweep("parts.csv").split_whitespace())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command line");
    // Once some runs are in the file, the program is killed in the midst of others, however far it has got.
    let unfinished = folder.join("parts.csv.unfinished");
    let size = || std::fs::metadata(&unfinished).map_or(0, |file| file.len());
    let is_running = |begun: &mut std::process::Child| begun.try_wait().expect("a process").is_none();
    while size() < 200_000 && is_running(&mut begun) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = begun.kill();
    let _ = begun.wait();
    if unfinished.exists() {
        let refused = ansatz(&folder, &sweep("parts.csv"));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("say `--resume`"));
        let other = sweep("parts.csv").replace("--until 200", "--until 100 --resume");
        let other = ansatz(&folder, &other);
        let said = String::from_utf8_lossy(&other.stderr).into_owned();
        assert!(!other.status.success() && said.contains("`until` differ"), "{said}");
        well(&folder, &format!("{} --resume", sweep("parts.csv")));
        assert!(!unfinished.exists());
    }
    let [whole, parts] = ["whole.csv", "parts.csv"].map(|name| std::fs::read(folder.join(name)).expect("a table"));
    assert!(whole == parts, "a table made in parts is another");
}

#[test]
fn values_come_from_a_file_and_designs_are_repeated_by_their_seeds() {
    let folder = folder("designs");
    std::fs::write(folder.join("values.csv"), "restitution,height\n0.3,150[cm]\n0.4,1\n").expect("a file");
    let table = printed(&well(&folder, "sweep ball.anz --values values.csv --until 0.1 -o -"));
    let rows = rows(&table);
    assert_eq!([&rows[0][..3], &rows[1][..3]], [["0", "0.3", "1.5"], ["1", "0.4", "1"]]);
    for design in ["random", "latin"] {
        let drawn = |seed: u32| {
            let arguments =
                format!("sweep ball.anz --vary height=1..2 --design {design} --runs 5 --seed {seed} --until 0.1 -o -");
            printed(&well(&folder, &arguments))
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }
}

#[test]
fn what_has_no_room_is_said_with_its_size_before_the_start() {
    let folder = folder("room");
    let output =
        ansatz(&folder, "sweep ball.anz --vary height=1..2:100000000 --until 1000 --every 1e-6 -o runs.parquet");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("100000000 runs of 1000000001 rows, about 4.8 EB"), "{said}");
    assert!(said.contains("there is no room") && said.contains("`--reduce max:…`"), "{said}");
    assert!(!folder.join("runs.parquet.unfinished").exists());
}

/// What reads them is tested with the package for Python, by programs of others.
#[test]
fn binary_tables_begin_and_end_as_they_must() {
    let folder = folder("binary");
    for (name, mark) in [("runs.parquet", &b"PAR1"[..]), ("runs.arrow", b"ARROW1")] {
        well(&folder, &format!("sweep ball.anz --vary height=1,2 --until 1 --every 0.1 -o {name}"));
        well(&folder, &format!("run ball.anz --until 1 -o run-{name}"));
        for file in [name.to_string(), format!("run-{name}")] {
            let bytes = std::fs::read(folder.join(file)).expect("a table");
            assert!(bytes.starts_with(mark) && bytes.ends_with(mark));
        }
    }
}

/// A stair has a `run`, and is swept as any other scene.
#[test]
fn parameters_may_be_called_as_columns_are() {
    let folder = folder("names");
    std::fs::write(
        folder.join("ramp.anz"),
        "scene ramp\nparam run = 2 [m]\nx: real = 0\nalways x' == 1 [1/s]\nplot x\n",
    )
    .expect("a scene");
    let output = well(&folder, "sweep ramp.anz --vary run=1,3 --until 1 -o -");
    assert!(printed(&output).starts_with("run_number,run [m],t [s],x,failed"), "{}", printed(&output));
    assert_eq!(rows(&printed(&output))[1][..2], ["1", "3"]);
}
