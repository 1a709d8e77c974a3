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
        assert!(!diagnostic.message.is_empty());
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
        let mut text = random.pick(&[ARM, DOG, FOUR_BAR, SWING]).to_string();
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

/// Bytes that chance has changed, cut off and doubled.
#[test]
fn files_of_triangles_that_chance_has_changed_are_refused_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(TRIALS), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
    for seed in first..first + trials {
        let mut random = Random::new(seed);
        let is_part = random.chance(0.5);
        let mut bytes = if is_part { BLOCK.as_bytes().to_vec() } else { drawn() };
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
            let imported = match is_part {
                true => formats::import_part(Path::new("a.stl"), &bytes, options(false)),
                false => formats::import_drawn(Path::new("a.glb"), &bytes, options(false)),
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
