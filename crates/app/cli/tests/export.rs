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
        .args([
            "run",
            example("pendulum").to_str().expect("a path"),
            "--until",
            "2",
            "--every",
            "0.05",
            "--radians",
            "-o",
            "-",
        ])
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
    let cases: [(&str, &[&str], &str); 9] = [
        ("film.avi", &[], "nothing is known of files that end with `.avi`"),
        ("late.glb", &["--from", "11"], "instants to show"),
        ("many.glb", &["--rate", "1e9"], "instants to show"),
        ("early.png", &["--at=-1"], "instants to show"),
        ("fast.gif", &["--rate", "60"], "50 pictures in a second at most"),
        ("odd.mp4", &["--size", "101x100"], "try `--size 102x100`"),
        ("lost.svg", &["--camera", "bbo"], "did you mean `bob`?"),
        ("blind.png", &["--camera", "1,2,3,1,2,3"], "cannot look at the point where it is"),
        ("drawn.png", &["--show", "ghosts"], "there are frames, velocities"),
    ];
    for (name, options, words) in cases {
        let file = temporary(name);
        let told = export("pendulum", &file, options);
        let said = String::from_utf8_lossy(&told.stderr).into_owned();
        assert!(!told.status.success() && said.contains(words) && !file.exists(), "{said}");
    }
}

#[test]
fn without_a_browser_it_is_said() {
    let file = temporary("blind.gif");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command.arg("export").arg(example("pendulum")).arg("-o").arg(&file);
    let told = command.env("PATH", "").env_remove("ANSATZ_CHROMIUM").output().expect("ansatz runs");
    let said = String::from_utf8_lossy(&told.stderr).into_owned();
    // Where browsers have a place of their own, one may be found there.
    if !studio::has_page() || told.status.success() {
        return;
    }
    assert!(said.contains("there is none here") && said.contains("ANSATZ_CHROMIUM") && !file.exists(), "{said}");
    let told = command.env("ANSATZ_CHROMIUM", "/nowhere/chromium").output().expect("ansatz runs");
    let said = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(!told.status.success() && said.contains("`/nowhere/chromium` made no picture"), "{said}");
}

/// A ball that falls from the origin, seen from ten metres in front of it.
const FALL: &str = "scene fall\ngravity 9.81 [m/s^2]\nbody ball { position = (0, 0, free); mass = 1 [kg] }\n\
                    show sphere(0.2 [m]) on ball color \"red\"\n";
const IN_FRONT: &str = "0,-10,0";

/// Where the ball is seen after a time, from above, in a picture of this height: z = −g t²/2, in a field of view of 38°.
fn seen_at(t: f64, height: f64) -> f64 {
    let z = -9.81 * t * t / 2.0;
    height / 2.0 - z / 10.0 * (height / 2.0) / libm::tan(19.0_f64.to_radians())
}

fn export_fall(file: &Path, options: &[&str]) -> Vec<u8> {
    let scene = temporary(&format!("{}.anz", file.file_stem().expect("a name").to_string_lossy()));
    std::fs::write(&scene, FALL).expect("a scene");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command
        .arg("export")
        .arg(&scene)
        .arg("-o")
        .arg(file)
        .args(["--camera", IN_FRONT, "--show", "shadows"])
        .args(options);
    let told = command.output().expect("ansatz runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let bytes = std::fs::read(file).expect("the file");
    let _ = (std::fs::remove_file(file), std::fs::remove_file(&scene));
    bytes
}

#[test]
fn the_pictures_of_a_film_show_the_ball_where_it_falls() {
    if !studio::has_page() || studio::browser().is_none() {
        eprintln!("skipped: there is no page, or no browser");
        return;
    }
    let bytes =
        export_fall(&temporary("fall.gif"), &["--to", "0.75", "--speed", "2.5", "--rate", "10", "--size", "160x120"]);
    let pictures = gif(&bytes, 160, 120);
    let times = [0.0, 0.25, 0.5, 0.75];
    assert_eq!(pictures.len(), times.len());
    for (picture, t) in pictures.iter().zip(times) {
        let red = |pixel: &[u8; 3]| pixel[0] > 120 && pixel[1] < 90 && pixel[2] < 90;
        let places: Vec<(f64, f64)> = picture
            .iter()
            .enumerate()
            .filter(|(_, pixel)| red(pixel))
            .map(|(at, _)| ((at % 160) as f64 + 0.5, (at / 160) as f64 + 0.5))
            .collect();
        assert!(places.len() > 20, "{} red pixels at {t} s", places.len());
        let middle = |part: fn(&(f64, f64)) -> f64| places.iter().map(part).sum::<f64>() / places.len() as f64;
        let (x, y) = (middle(|place| place.0), middle(|place| place.1));
        let expected = seen_at(t, 120.0);
        assert!((x - 80.0).abs() < 0.7 && (y - expected).abs() < 0.7, "{t} s: {x} {y} {expected}");
    }
}

/// The pictures of a GIF of this size, as anyone would see them.
fn gif(bytes: &[u8], width: usize, height: usize) -> Vec<Vec<[u8; 3]>> {
    let word = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    assert_eq!((&bytes[..6], word(6), word(8), bytes[10] & 0x80), (&b"GIF89a"[..], width, height, 0));
    let (mut at, mut canvas, mut pictures, mut clear) = (13, vec![[0; 3]; width * height], Vec::new(), None);
    loop {
        match bytes[at] {
            0x3b => return pictures,
            0x21 => {
                if bytes[at + 1] == 0xf9 {
                    clear = (bytes[at + 3] & 1 == 1).then(|| bytes[at + 6]);
                }
                at = blocks(bytes, at + 2).1;
            }
            0x2c => {
                let [left, top, across, down] = [1, 3, 5, 7].map(|place| word(at + place));
                let colors = 2 << (bytes[at + 9] & 7);
                let table = &bytes[at + 10..at + 10 + 3 * colors];
                let (data, next) = blocks(bytes, at + 11 + 3 * colors);
                let pixels = expanded(&data, u32::from(bytes[at + 10 + 3 * colors]));
                assert_eq!(pixels.len(), across * down);
                for (number, pixel) in pixels.into_iter().enumerate().filter(|(_, pixel)| Some(*pixel) != clear) {
                    let place = (top + number / across) * width + left + number % across;
                    canvas[place] = std::array::from_fn(|part| table[3 * usize::from(pixel) + part]);
                }
                pictures.push(canvas.clone());
                at = next;
            }
            other => panic!("{other:#x} at {at}"),
        }
    }
}

/// The content of blocks, and where they end.
fn blocks(bytes: &[u8], mut at: usize) -> (Vec<u8>, usize) {
    let mut data = Vec::new();
    while bytes[at] != 0 {
        let length = usize::from(bytes[at]);
        data.extend(&bytes[at + 1..at + 1 + length]);
        at += 1 + length;
    }
    (data, at + 1)
}

/// Codes of Lempel, Ziv and Welch, of the specification of GIF.
fn expanded(data: &[u8], bits: u32) -> Vec<u8> {
    let (clear, end) = (1_usize << bits, (1_usize << bits) + 1);
    let (mut table, mut width, mut at) = (Vec::<Vec<u8>>::new(), bits + 1, 0);
    let (mut out, mut last): (Vec<u8>, Option<Vec<u8>>) = (Vec::new(), None);
    loop {
        let bit = |at: usize| usize::from(data[at / 8] >> (at % 8) & 1);
        let code = (0..width as usize).map(|number| bit(at + number) << number).sum::<usize>();
        at += width as usize;
        if code == end {
            return out;
        }
        if code == clear {
            table = (0..clear).map(|color| vec![color as u8]).chain([vec![], vec![]]).collect();
            (width, last) = (bits + 1, None);
            continue;
        }
        let entry = match (table.get(code), &last) {
            (Some(entry), _) => entry.clone(),
            (None, Some(last)) => [&last[..], &last[..1]].concat(),
            (None, None) => panic!("the first code is {code}"),
        };
        if let Some(last) = last.filter(|_| table.len() < 4096) {
            table.push([&last[..], &entry[..1]].concat());
            if table.len() == 1 << width && width < 12 {
                width += 1;
            }
        }
        out.extend(&entry);
        last = Some(entry);
    }
}

#[test]
fn a_drawing_shows_the_ball_where_it_falls() {
    let bytes = export_fall(&temporary("fall.svg"), &["--at", "0.5", "--size", "600x400"]);
    let text = String::from_utf8(bytes).expect("a text");
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let outline = document.descendants().find(|node| node.has_tag_name("polygon")).expect("the ball");
    let points: Vec<f64> = outline
        .attribute("points")
        .expect("points")
        .split([' ', ','])
        .map(|part| part.parse().expect("a number"))
        .collect();
    let middle = |axis: usize| {
        let parts: Vec<f64> = points.iter().skip(axis).step_by(2).copied().collect();
        (parts.iter().fold(f64::MAX, |a, b| a.min(*b)) + parts.iter().fold(f64::MIN, |a, b| a.max(*b))) / 2.0
    };
    // A ball beside the axis is seen as an ellipse whose middle is a little farther out.
    assert!((middle(0) - 300.0).abs() < 0.05 && (middle(1) - seen_at(0.5, 400.0)).abs() < 0.2, "{points:?}");
}

#[test]
fn drawings_and_plots_of_all_kinds_are_well_formed() {
    let file = temporary("plots.svg");
    for scene in ["cradle", "double_pendulum", "roller_coaster_3", "hand"] {
        assert!(export(scene, &file, &["--at", "0.1"]).status.success());
        let text = std::fs::read_to_string(&file).expect("the file");
        let document = roxmltree::Document::parse(&text).expect(scene);
        let drawn = document.descendants().filter(|node| node.has_tag_name("polygon")).count();
        assert!(drawn > 0 && !text.contains("NaN"), "{scene}");
    }
    let run = Command::new(env!("CARGO_BIN_EXE_ansatz"))
        .args(["run", example("pendulum").to_str().expect("a path"), "--until", "2", "-o"])
        .arg(&file)
        .output()
        .expect("ansatz runs");
    assert!(run.status.success());
    let text = std::fs::read_to_string(&file).expect("the file");
    let _ = std::fs::remove_file(&file);
    let document = roxmltree::Document::parse(&text).expect("well-formed");
    let words: Vec<&str> =
        document.descendants().filter(|it| it.has_tag_name("text")).filter_map(|it| it.text()).collect();
    assert!(words.contains(&"swing.angle [deg]") && words.contains(&"t [s]"), "{words:?}");
}

#[test]
fn equations_are_a_document_of_latex() {
    let file = temporary("equations.tex");
    for scene in ["double_pendulum", "ac_circuit", "bouncing_ball", "sailboat", "rolling_torus"] {
        let told = export(scene, &file, &[]);
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        let text = std::fs::read_to_string(&file).expect("the file");
        let _ = std::fs::remove_file(&file);
        assert!(text.is_ascii(), "{scene}: {text}");
        let mut open: Vec<&str> = Vec::new();
        for part in text.split('\\') {
            let named = |word: &str| part.strip_prefix(word)?.split_once('}').map(|(name, _)| name);
            if let Some(name) = named("begin{") {
                open.push(name);
            } else if let Some(name) = named("end{") {
                assert_eq!(open.pop(), Some(name), "{scene}");
            }
        }
        assert!(open.is_empty() && text.ends_with("\\end{document}\n"), "{scene}");
        let count = |what: &str| text.matches(what).count();
        assert_eq!(count("\\left"), count("\\right"), "{scene}");
        // Each displayed line has its groups closed.
        for line in text.replace("\\{", "").replace("\\}", "").lines() {
            let depth = line.chars().map(|c| i32::from(c == '{') - i32::from(c == '}')).sum::<i32>();
            assert_eq!(depth, 0, "{scene}: {line}");
        }
    }
}
