//! Files that are broken, cyclic or hostile end with a sentence or with a scene that can be read; never with a panic.
//!
//! `ANSATZ_FUZZ_TRIALS` says how many files are tried, `ANSATZ_FUZZ_SEED` with which to begin.

use std::path::Path;

use base::{Random, Source, Sources};
use formats::{Imported, Options};

const TRIALS: u64 = 5000;

const ARM: &str = include_str!("../../../../examples/robots/arm.urdf");
const DOG: &str = include_str!("../../../../examples/robots/dog.urdf");
const FOUR_BAR: &str = r#"<mujoco model="four bar">
  <compiler angle="radian"/>
  <default><geom density="500"/><default class="light"><geom density="100"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="crank" pos="0 0 1">
      <joint name="a" type="hinge" axis="0 1 0" range="-3 3" damping="0.1" armature="0.01"/>
      <geom type="cylinder" fromto="0 0 0 0.2 0 0" size="0.02"/>
      <body name="coupler" pos="0.2 0 0" euler="0 0.3 0">
        <joint name="b" type="hinge" axis="0 1 0"/> <joint name="s" type="slide" axis="1 0 0" stiffness="5"/>
        <geom type="box" size="0.2 0.02 0.02" pos="0.2 0 0" class="light"/>
      </body>
    </body>
    <body name="ball" pos="0 0.5 1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="ball" anchor="0.4 0 0"/><joint joint1="a" joint2="b" polycoef="0 2 0 0 0"/></equality>
  <actuator><motor joint="a" gear="10" ctrlrange="-1 1"/></actuator>
</mujoco>"#;

const SWING: &str = r#"<sdf version="1.9"><model name="swing"><pose>0 0 1 0 0 0</pose>
  <link name="arm"><pose>0.3 0 0 0 0 0</pose>
    <inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial>
    <collision name="c"><geometry><box><size>0.4 0.1 0.1</size></box></geometry></collision></link>
  <link name="hand"><pose relative_to="arm">0.2 0 0 0 0 0</pose>
    <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
  <joint name="shoulder" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>arm</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>inf</upper></limit><dynamics><damping>0.5</damping></dynamics></axis></joint>
  <joint name="wrist" type="prismatic"><parent>arm</parent><child>hand</child><axis><xyz expressed_in="__model__">1 0 0</xyz></axis></joint>
</model></sdf>"#;

/// Four bars in a ring: one hinge of them closes it.
const RING: &str = r#"<sdf version="1.11"><world name="w"><gravity>0 0 -9.8</gravity>
  <model name="ground"><static>true</static><link name="plane"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
  <model name="ring"><frame name="far" attached_to="base"><pose>0.4 0 0 0 0 0</pose></frame>
  <link name="base"><inertial><mass>5</mass></inertial></link>
  <link name="left"><pose>0 0 0.2 0 0 0</pose><inertial><mass>1</mass></inertial></link>
  <link name="top"><pose>0.2 0 0.4 0 0 0</pose><inertial><mass>1</mass></inertial></link>
  <link name="right"><pose relative_to="far">0 0 0.2 0 0 0</pose><inertial><mass>1</mass></inertial></link>
  <joint name="a" type="revolute"><pose>0 0 -0.2 0 0 0</pose><parent>base</parent><child>left</child><axis><xyz>0 1 0</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>
  <joint name="b" type="revolute"><pose>0 0 0.2 0 0 0</pose><parent>top</parent><child>left</child><axis><xyz expressed_in="far">0 1 0</xyz></axis></joint>
  <joint name="c" type="universal"><pose>0 0 0.2 0 0 0</pose><parent>top</parent><child>right</child><axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>
  <joint name="d" type="revolute"><parent>far</parent><child>right</child><axis><xyz>0 1 0</xyz><mimic joint="a"><multiplier>1</multiplier></mimic></axis></joint>
  </model></world></sdf>"#;

/// What stands in the place of a value.
const VALUES: &[&str] = &[
    "",
    " ",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "0 0 0",
    "1 2",
    "1 2 3 4 5 6 7 8 9",
    "1e400",
    "0x10",
    "&lt;",
    "trunk",
    "stand",
    "a",
    "b",
    "world",
    "scene",
    "θ",
    "a b",
    "\u{202e}",
    "../../etc/passwd",
    "fixed",
    "ball",
    "free",
    "mesh",
    "continuous",
    "prismatic",
    "floating",
    "planar",
    "true",
];

fn import(text: &str, floating: bool) -> Imported {
    formats::import(Path::new("robot.xml"), text, options(floating))
}

fn options(floating: bool) -> Options<'static> {
    Options { name: "robot", floating, folder: None, inside: None }
}

/// One thing changed, at a place that chance chooses.
fn changed(text: &str, random: &mut Random) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let tags: Vec<usize> = text.match_indices('<').map(|(at, _)| at).collect();
    if quotes.len() < 2 || tags.len() < 2 {
        return text.to_string();
    }
    let mut any = || tags[random.below(tags.len())];
    let (one, other) = (any(), any());
    let (low, high) = (one.min(other), one.max(other));
    match random.below(6) {
        // Another value, or that of another attribute.
        0..=2 => {
            let pair = random.below(quotes.len() / 2);
            let (from, to) = (quotes[2 * pair] + 1, quotes[2 * pair + 1]);
            let source = random.below(quotes.len() / 2);
            let copied = &text[quotes[2 * source] + 1..quotes[2 * source + 1]];
            let value = if random.chance(0.5) { random.pick(VALUES) } else { copied };
            format!("{}{value}{}", &text[..from], &text[to.max(from)..])
        }
        3 => format!("{}{}", &text[..low], &text[high..]),
        4 => format!("{}{}{}", &text[..high], &text[low..high], &text[high..]),
        _ => text[..low].to_string(),
    }
}

/// A file gives a scene whose text is right as a text, or says why not.
fn judge(text: &str, floating: bool) {
    judge_imported(import(text, floating), text);
}

fn judge_imported(imported: Imported, text: &str) {
    let Imported { text: scene, diagnostics, sources } = imported;
    for diagnostic in diagnostics.iter() {
        assert!(
            !diagnostic.message.is_empty() && diagnostic.hints.iter().all(|hint| !hint.is_empty()),
            "{diagnostic:?}"
        );
        for label in &diagnostic.labels {
            let _ = sources.locate(label.span);
        }
    }
    let Some(scene) = scene else {
        assert!(diagnostics.has_errors(), "nothing is said about\n{text}");
        return;
    };
    let (mut sources, mut found) = (Sources::default(), base::Diagnostics::default());
    let source = sources.add(Source::new("robot.anz", &scene));
    syntax::parse(source, &scene, &mut found);
    assert!(!found.has_errors(), "{text}\n{scene}\n{:#?}", found.iter().map(|it| &it.message).collect::<Vec<_>>());
    // A part may be called `inf`; a number is not.
    assert!(!["NaN", "inf [", "inf)"].iter().any(|bad| scene.contains(bad)), "{text}\n{scene}");
}

#[test]
fn files_that_chance_has_changed_are_refused_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(TRIALS), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        let mut text = random.pick(&[ARM, DOG, FOUR_BAR, SWING, RING]).to_string();
        for _ in 0..=random.below(4) {
            text = changed(&text, &mut random);
        }
        let judged = std::panic::catch_unwind(|| judge(&text, seed % 2 == 0));
        assert!(judged.is_ok(), "seed {seed}:\n{text}");
    }
}

/// The joint sits at the end of the arm, 0.3 m from where the link has its origin.
#[test]
fn links_are_told_from_their_joints() {
    let scene = import(SWING, false).text.expect("a scene");
    assert!(scene.contains("position = (0, 0, 1) [m]\n  rotation = about y free"), "{scene}");
    assert!(scene.contains("shape = box(0.4 [m], 0.1 [m], 0.1 [m]) at (0.3, 0, 0) [m]"), "{scene}");
    assert!(scene.contains("body arm in shoulder { position = (0.4, 0, 0) [m]; mass = 2 [kg]"), "{scene}");
    assert!(scene.contains("frame wrist_origin in shoulder     { position = (0.5, 0, 0) [m] }"), "{scene}");
    assert!(scene.contains("-0.5 [N*m*s] * shoulder.angle'") && !scene.contains("stop("), "{scene}");
}

/// A point on the axis of its joint does not resist, one beside it does.
#[test]
fn joints_that_turn_points_on_their_axis_are_fixed() {
    let wheel = |x: f64| {
        format!(
            "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><origin xyz=\"{x} 0 0.2\"/><mass value=\"1\"/>\
             <inertia ixx=\"0\" iyy=\"0\" izz=\"0\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
             <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/></joint></robot>"
        )
    };
    for (x, turns) in [(0.0, false), (0.1, true)] {
        let imported = import(&wheel(x), false);
        let told = imported.diagnostics.iter().any(|it| it.message.contains("nothing but points on its own axis"));
        let scene = imported.text.expect("a scene");
        assert_eq!((scene.contains("about z free"), told), (turns, !turns), "{scene}");
    }
}

/// A block in the text form of STL, and two nodes with a mesh as glTF.
const BLOCK: &str = "solid a\nfacet\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendfacet\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendfacet\n\
    facet\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendfacet\nfacet\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendfacet\nendsolid\n";

/// What MuJoCo reads from other files is read from there: parts of the model, and triangles, which become what touches.
#[test]
fn models_of_several_files_are_one() {
    let folder = std::env::temp_dir().join(format!("ansatz-several-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("meshes")).expect("a folder");
    std::fs::write(folder.join("meshes/wedge.stl"), BLOCK).expect("a file");
    let arm = "<mujoco>\n<body name=\"arm\"><joint name=\"j\" axis=\"0 1 0\"/>\n<inertial pos=\"0 0 1\" mass=\"2\" diaginertia=\"1 1 1\"/>\n\
               <geom type=\"mesh\" mesh=\"wedge\"/><geom type=\"mesh\" mesh=\"wedge\" contype=\"0\" conaffinity=\"0\"/></body>\n</mujoco>";
    std::fs::write(folder.join("arm.xml"), arm).expect("a file");
    let text = |file: &str| {
        format!(
            "<mujoco model=\"m\"><compiler meshdir=\"meshes\"/><asset><mesh file=\"wedge.stl\" scale=\"2 2 2\"/></asset>\n\
             <worldbody>\n<include file=\"{file}\"/>\n</worldbody></mujoco>"
        )
    };
    let options = Options { name: "m", floating: false, folder: Some(&folder), inside: None };
    let imported = formats::import(Path::new("m.xml"), &text("arm.xml"), options);
    let said: Vec<String> = imported.diagnostics.iter().map(|it| it.message.clone()).collect();
    let scene = imported.text.unwrap_or_else(|| panic!("{said:?}"));
    assert!(scene.contains("mass = 2 [kg]") && scene.contains("hull((0, 0, 0)") && scene.contains("line 3"), "{scene}");
    assert_eq!(said, ["a mesh that is only seen is left out"]);
    let missing = formats::import(Path::new("m.xml"), &text("leg.xml"), options);
    let said: Vec<String> = missing.diagnostics.iter().map(|it| it.message.clone()).collect();
    assert!(missing.text.is_none() && said[0].contains("`leg.xml`"), "{said:?}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

fn drawn() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"car","scale":[2,2,2],"children":[1]},
        {"name":"wheel","translation":[1,0,0.5],"rotation":[0,0,0.6,0.8],"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4}],"bufferViews":[{"buffer":0,"byteLength":48}],"buffers":[{"byteLength":48}]}"#;
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let data: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let word = |value: usize| (value as u32).to_le_bytes().to_vec();
    let length = word(12 + 8 + json.len() + 8 + data.len());
    [
        b"glTF".to_vec(),
        word(2),
        length,
        word(json.len()),
        b"JSON".to_vec(),
        json,
        word(data.len()),
        b"BIN\0".to_vec(),
        data,
    ]
    .concat()
}

#[test]
fn nodes_are_frames_and_sizes_are_put_into_what_is_below() {
    let imported = formats::import_drawn(Path::new("cars.glb"), &drawn(), options(false));
    let scene = imported.text.expect("a scene");
    assert!(scene.contains("frame robot { rotation = about x 90 [deg] }"), "{scene}");
    assert!(scene.contains("frame car in robot"), "{scene}");
    // The place of the wheel and the corners of its mesh are twice as far away.
    assert!(scene.contains("position = (2, 0, 1) [m]") && scene.contains("(0, 2, 0) [m]"), "{scene}");
}

/// The same drawing with its numbers as a text in it, and in a file beside it; numbers that overlap are not read over and over.
#[test]
fn numbers_of_drawings_lie_in_them_or_beside() {
    let folder = std::env::temp_dir().join(format!("ansatz-drawn-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let options = Options { name: "robot", floating: false, folder: Some(&folder), inside: None };
    let read = |bytes: &[u8]| formats::import_drawn(Path::new("cars.gltf"), bytes, options).text.expect("a scene");
    let text = String::from_utf8(written()).expect("a text");
    let start = text.find("data:").expect("an address");
    let end = start + text[start..].find('"').expect("its end");
    let bytes = drawn();
    std::fs::write(folder.join("cars.bin"), &bytes[bytes.len() - 48..]).expect("a file");
    let apart = format!("{}cars.bin{}", &text[..start], &text[end..]);
    let shape = |scene: &str| scene.lines().find(|line| line.contains("hull(")).map(str::to_string);
    let whole = formats::import_drawn(Path::new("cars.glb"), &bytes, options).text.expect("a scene");
    assert!(shape(&whole).is_some(), "{whole}");
    assert_eq!(shape(&read(text.as_bytes())), shape(&whole));
    assert_eq!(shape(&read(apart.as_bytes())), shape(&whole));
    let endless = text
        .replace("\"byteLength\":48}],", "\"byteLength\":48,\"byteStride\":0}],")
        .replace("\"count\":4", "\"count\":4000000000");
    assert!(endless != text && shape(&read(endless.as_bytes())).is_none());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_part_has_the_mass_of_its_volume() {
    let imported = formats::import_part(Path::new("a.stl"), BLOCK.as_bytes(), options(false));
    let scene = imported.text.expect("a scene");
    let mass = scene.split("mass = ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a mass");
    assert!((mass.parse::<f64>().expect("a number") - 1000.0 / 6.0).abs() < 1e-9, "{scene}");
    // The language has no figure of that name: the shape itself is seen.
    assert!(scene.contains("shape = hull(") && !scene.contains("show hull"), "{scene}");
    let open = BLOCK.rsplit_once("facet\nvertex 1").expect("a face").0.to_string() + "endsolid\n";
    let refused = formats::import_part(Path::new("a.stl"), open.as_bytes(), options(false));
    let told: Vec<String> = refused.diagnostics.iter().map(|it| it.message.clone()).collect();
    assert!(refused.text.is_none() && told[0].contains("not closed: 3 edges"), "{told:?}");
}

/// A tetrahedron as OBJ, and the drawing with its numbers in its text.
const CORNER: &str = "o corner\nv 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nf 1 3 2\nf 1/1/1 2//2 4\nf 1 4 3\nf -3 -2 -1\n";

fn written() -> Vec<u8> {
    let bytes = drawn();
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json = String::from_utf8(bytes[20..20 + length].to_vec()).expect("a text");
    let data = base::base64::encode(&bytes[28 + length..]);
    let uri = format!("\"uri\":\"data:application/octet-stream;base64,{data}\",\"byteLength\":48}}]}}");
    json.trim_end().replace("\"byteLength\":48}]}", &uri).into_bytes()
}

/// Bytes that chance has changed, cut off and doubled.
#[test]
fn files_of_triangles_that_chance_has_changed_are_refused_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(TRIALS), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        let (name, mut bytes) = match random.below(4) {
            0 => ("a.stl", BLOCK.as_bytes().to_vec()),
            1 => ("a.obj", CORNER.as_bytes().to_vec()),
            2 => ("a.gltf", written()),
            _ => ("a.glb", drawn()),
        };
        for _ in 0..=random.below(6) {
            let (a, b) = (random.below(bytes.len()), random.below(bytes.len()));
            let (low, high) = (a.min(b), a.max(b));
            match random.below(8) {
                0 => drop(bytes.drain(low..(low + 9).min(high))),
                1 => bytes.truncate(high.max(1)),
                2 => bytes.extend_from_within(low..high),
                3 => bytes[a] = random.below(256) as u8,
                _ => bytes[a] = random.pick(b"0123456789-.eE,:[]{}\" "),
            }
        }
        let judged = std::panic::catch_unwind(|| {
            let file = Path::new(name);
            let imported = match formats::is_part(file) {
                true => formats::import_part(file, &bytes, options(false)),
                false => formats::import_drawn(file, &bytes, options(false)),
            };
            judge_imported(imported, &String::from_utf8_lossy(&bytes));
        });
        assert!(judged.is_ok(), "seed {seed}");
    }
}

#[test]
fn what_is_huge_or_goes_round_is_refused_or_read() {
    let link = |at: usize| format!("<link name='l{at}'/>");
    let joint = |at: usize, to: usize| {
        format!("<joint name='j{at}' type='fixed'><parent link='l{at}'/><child link='l{to}'/></joint>")
    };
    let robot = |inside: String| format!("<robot name='r'>{inside}</robot>");
    // A ring, a link that is its own parent, a chain and a star.
    judge(&robot((0..100).map(|at| link(at) + &joint(at, (at + 1) % 100)).collect()), false);
    judge(&robot(link(0) + &joint(0, 0)), true);
    judge(
        &robot(
            (0..=20_000).map(link).collect::<String>() + &(0..20_000).map(|at| joint(at, at + 1)).collect::<String>(),
        ),
        false,
    );
    judge(
        &robot(
            (0..=20_000).map(link).collect::<String>() + &(0..20_000).map(|at| joint(0, at + 1)).collect::<String>(),
        ),
        true,
    );
    // Links of SDF that hold one another in a ring of a thousand, each told in the next; frames that are told in themselves.
    let sdf = |inside: String| format!("<sdf version='1.9'><model name='m'>{inside}</model></sdf>");
    let held = |at: usize| {
        let next = (at + 1) % 1000;
        format!(
            "<link name='l{at}'/><joint name='j{at}' type='fixed'><parent>l{at}</parent><child>l{next}</child></joint>"
        )
    };
    judge(&sdf((0..1000).map(held).collect()), false);
    let told =
        |at: usize| format!("<link name='l{at}'><pose relative_to='l{}'>1 0 0 0 0 0</pose></link>", (at + 1) % 1000);
    judge(&sdf((0..1000).map(told).collect()), false);
    judge(&sdf("<frame name='f' attached_to='f'/><link name='a'/><joint name='j' type='ball'><parent>f</parent><child>a</child></joint>".to_string()), false);
    // Sizes of which a mass follows that is no number.
    let huge = FOUR_BAR.replace("size=\"0.02\"", "size=\"1e308\"");
    judge(&huge, false);
    let told: Vec<String> = import(&huge, false).diagnostics.iter().map(|it| it.message.clone()).collect();
    assert!(told.iter().any(|it| it.contains("the mass of `crank`") && it.contains("beyond all numbers")), "{told:?}");
    // Elements in elements, attributes without end, entities that grow.
    judge(&("<body>".repeat(100_000) + &"</body>".repeat(100_000)), false);
    judge(
        &format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(5000), "</body>".repeat(5000)),
        false,
    );
    judge(&format!("<robot {}/>", (0..100_000).map(|at| format!("a{at}='1' ")).collect::<String>()), false);
    judge("<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;&b;'>]><robot name='&c;'/>", false);
    judge(&format!("<robot name='{}'><link name='{}'/></robot>", "n".repeat(1 << 20), "m".repeat(1 << 20)), false);
}

/// A ring has as many joints as links, and one of its hinges is no coordinate: that of `c`, which nothing drives, limits or brakes.
#[test]
fn rings_of_sdf_are_cut_where_nothing_acts() {
    let imported = import(RING, false);
    let said: Vec<String> = imported.diagnostics.iter().map(|it| it.message.clone()).collect();
    let scene = imported.text.unwrap_or_else(|| panic!("{said:?}"));
    let joins: Vec<&str> = scene.lines().filter(|line| line.starts_with("join ")).collect();
    assert_eq!(joins.len(), 1, "{scene}");
    assert!(joins[0].contains("with universal(axis: (0, 1, 0), axis_b: (1, 0, 0))"), "{scene}");
    assert!(scene.contains("gravity 9.8 [m/s^2]") && scene.contains("surface floor: z == 0"), "{scene}");
    assert!(scene.contains("ring_d") && scene.contains("rotation = about y ring_a.angle"), "{scene}");
}

/// A mesh weighs what its volume does, wherever it is put; one that is open, or is not there, is refused unless the body has an inertia of its own.
#[test]
fn bodies_of_meshes_weigh_what_their_meshes_do() {
    let folder = std::env::temp_dir().join(format!("ansatz-weighed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("corner.obj"), CORNER).expect("a file");
    std::fs::write(folder.join("open.obj"), CORNER.replace("f -3 -2 -1\n", "")).expect("a file");
    let model = |file: &str, inertial: &str, geom: &str| {
        format!(
            "<mujoco model=\"m\"><asset><mesh name=\"it\" file=\"{file}\" scale=\"1 1 0.5\"/></asset><worldbody><body name=\"b\">\
             <freejoint/>{inertial}<geom type=\"mesh\" mesh=\"it\" pos=\"1 0 0\" euler=\"0 0 90\" density=\"500\" {geom}/></body></worldbody></mujoco>"
        )
    };
    let options = Options { name: "m", floating: false, folder: Some(&folder), inside: None };
    let read = |text: &str| formats::import(Path::new("m.xml"), text, options);
    let number = |scene: &str, after: &str| -> Vec<f64> {
        let rest = scene.split(after).nth(1).unwrap_or_else(|| panic!("{after} in {scene}"));
        let list = rest.split(" [").next().expect("a unit").trim_matches(['(', ')']);
        list.split(", ").map(|it| it.parse().expect("a number")).collect()
    };
    // Legs of 2, 3 and 2 m along x, y and z, turned so that x is y, and y is -x: seen, and felt, or seen alone.
    for geom in ["", "contype=\"0\" conaffinity=\"0\""] {
        let scene = read(&model("corner.obj", "", geom)).text.expect("a scene");
        let (a, b, c) = (2.0, 3.0, 2.0);
        let mass = 500.0 * a * b * c / 6.0;
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9 * mass, "{found} {expected}\n{scene}");
        close(number(&scene, "mass = ")[0], mass);
        let body = &scene[scene.find("body ").expect("a body")..];
        number(body, "position = ").into_iter().zip([1.0 - b / 4.0, a / 4.0, c / 4.0]).for_each(|(f, e)| close(f, e));
        let square = |leg: f64| mass * leg * leg * (0.1 - 0.0625);
        let moments = [square(a) + square(c), square(b) + square(c), square(a) + square(b)];
        number(body, "inertia = ").into_iter().zip(moments).for_each(|(f, e)| close(f, e));
        // Means of products are -1/80 of those of the legs; a turn by a right angle gives xy and xz the other sign.
        let product = |one: f64, other: f64| mass * one * other / 80.0;
        let products = [-product(a, b), -product(b, c), product(a, c)];
        number(body, "products = ").into_iter().zip(products).for_each(|(f, e)| close(f, e));
        let light = read(&model("corner.obj", "", &format!("{geom} mass=\"7\""))).text.expect("a scene");
        close(number(&light, "mass = ")[0], 7.0);
    }
    for (file, words) in
        [("open.obj", "not closed: 3 edges"), ("none.obj", "No such file"), ("corner.dae", "no mass can be had")]
    {
        let refused = read(&model(file, "", ""));
        let said: Vec<String> = refused.diagnostics.iter().map(|it| it.message.clone()).collect();
        assert!(refused.text.is_none() && said.iter().any(|it| it.contains(words)), "{said:?}");
        let stated = "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"1 1 1\"/>";
        assert!(read(&model(file, stated, "")).text.is_some(), "{file}");
        assert!(read(&model(file, "", "mass=\"0\"")).text.is_some(), "{file}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
