//! Motions for other programs: what is written can be read again, and moves as the scene does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../examples/{name}.anz"))
}

fn export(scene: &str, file: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command.arg("export").arg(example(scene)).arg("-o").arg(file).args(options).output().expect("ansatz runs")
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ansatz-export-{}-{name}", std::process::id()))
}

/// The description and the numbers of a file.
fn parts(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let length = word(12);
    assert_eq!((&bytes[16..20], length % 4), (&b"JSON"[..], 0));
    let json = serde_json::from_slice(&bytes[20..20 + length]).expect("a description");
    let numbers = bytes[28 + length..].to_vec();
    assert_eq!((word(20 + length), &bytes[24 + length..28 + length]), (numbers.len(), &b"BIN\0"[..]));
    (json, numbers)
}

fn whole(value: &Value) -> usize {
    value.as_u64().expect("a whole number") as usize
}

/// The numbers of an accessor, which lie in the file.
fn read(json: &Value, numbers: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &json["accessors"][whole(accessor)];
    let view = &json["bufferViews"][whole(&accessor["bufferView"])];
    let (start, length) = (whole(&view["byteOffset"]), whole(&view["byteLength"]));
    let each = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC3") => 3,
        _ => 4,
    };
    assert_eq!(length, 4 * each * whole(&accessor["count"]));
    numbers[start..start + length].chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four"))).collect()
}

#[test]
fn a_pendulum_swings_in_the_file_as_in_the_scene() {
    let file = temporary("pendulum.glb");
    let told = export("pendulum", &file, &["--to", "2", "--rate", "10", "--speed", "0.5"]);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let bytes = std::fs::read(&file).expect("the file");
    let again = temporary("again.glb");
    export("pendulum", &again, &["--to", "2", "--rate", "10", "--speed", "0.5"]);
    assert!(std::fs::read(&again).expect("the file") == bytes);
    let _ = (std::fs::remove_file(&file), std::fs::remove_file(&again));
    let (json, numbers) = parts(&bytes);
    let nodes = json["nodes"].as_array().expect("nodes");
    let swing = nodes.iter().position(|node| node["name"] == "swing").expect("a frame of the scene");
    let animation = &json["animations"][0];
    let channels = animation["channels"].as_array().expect("channels");
    let of = |node: usize, path: &str| {
        let found = channels.iter().find(|it| whole(&it["target"]["node"]) == node && it["target"]["path"] == path);
        &animation["samplers"][whole(&found.expect("a channel")["sampler"])]
    };
    let sampler = of(swing, "rotation");
    let times = read(&json, &numbers, &sampler["input"]);
    assert_eq!((times.len(), times[0], times[40]), (41, 0.0, 4.0));
    // About x: half the angle is that of the quaternion.
    let turns = read(&json, &numbers, &sampler["output"]);
    let angle = |at: usize| 2.0 * libm::atan2(f64::from(turns[4 * at]), f64::from(turns[4 * at + 3]));
    let run = Command::new(env!("CARGO_BIN_EXE_ansatz"))
        .args(["run", example("pendulum").to_str().expect("a path"), "--until", "2", "--every", "0.05", "-o", "-"])
        .args(["--probe", "swing.angle"])
        .output()
        .expect("ansatz runs");
    let rows = String::from_utf8_lossy(&run.stdout).into_owned();
    for (at, row) in rows.lines().skip(1).enumerate() {
        let expected: f64 = row.split(',').nth(1).expect("an angle").parse().expect("a number");
        assert!((angle(at) - expected).abs() < 1e-6, "{at}: {} {expected}", angle(at));
    }
}

#[test]
fn every_triangle_has_its_corners() {
    let file = temporary("hand.glb");
    let told = export("hand", &file, &["--to", "0.2"]);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let (json, numbers) = parts(&std::fs::read(&file).expect("the file"));
    let _ = std::fs::remove_file(&file);
    let meshes = json["meshes"].as_array().expect("meshes");
    assert!(meshes.len() >= 5);
    for mesh in meshes {
        let primitive = &mesh["primitives"][0];
        let corners = read(&json, &numbers, &primitive["attributes"]["POSITION"]).len() / 3;
        let indices = read(&json, &numbers, &primitive["indices"]);
        assert!(indices.iter().all(|index| (index.to_bits() as usize) < corners));
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let cases: [(&str, &[&str], &str); 3] = [
        ("film.avi", &[], "nothing is known of files that end with `.avi`"),
        ("late.glb", &["--from", "11"], "instants to show"),
        ("many.glb", &["--rate", "1e9"], "instants to show"),
    ];
    for (name, options, words) in cases {
        let file = temporary(name);
        let told = export("pendulum", &file, options);
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        assert!(!told.status.success() && said.contains(words) && !file.exists(), "{said}");
    }
}
