//! Units for other simulators, without one: the archive, its names, its bytes, and whether its sources compile. What simulators make of
//! units is tested with FMPy, in `python/tests/test_fmu.py`.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fmu").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The bytes of a unit, made without a compiler.
fn unit(scene: &Path, version: &str, folder: &Path) -> Vec<u8> {
    let path = folder.join("unit.fmu");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ansatz"));
    command.env("CC", "no-compiler").arg("build").arg(scene).args(["--target", "fmu", "--until", "0.1"]);
    let output = command.args(["--fmi", version, "-o"]).arg(&path).output().expect("the command line");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("sources only") && said.contains("`no-compiler` cannot be run"), "{said}");
    std::fs::read(path).expect("a unit")
}

fn files(unit: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(unit)).expect("an archive");
    let names: Vec<usize> = (0..archive.len()).collect();
    let mut file = |at: usize| {
        let mut entry = archive.by_index(at).expect("an entry");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("its content");
        (entry.name().expect("a name").into_owned(), content)
    };
    names.into_iter().map(&mut file).collect()
}

fn text<'a>(files: &'a [(String, Vec<u8>)], name: &str) -> &'a str {
    let (_, content) = files.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}"));
    std::str::from_utf8(content).expect("a text")
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name).with_extension("anz")
}

/// The values of an attribute, one for each tag that has it. Tags have to be balanced.
fn attributes(xml: &str, attribute: &str) -> Vec<String> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for tag in xml.split('<').skip(2).map(|tag| tag.split_once('>').expect("a tag that ends").0) {
        let name = tag.trim_matches('/').split_whitespace().next().expect("a name");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (false, false) => open.push(name),
            (false, true) => {}
        }
        let value = tag.split_once(&format!(" {attribute}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        found.extend(value.map(|(value, _)| value.to_string()));
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let folder = folder("bytes");
    for version in ["2", "3"] {
        let [first, second] = [0, 1].map(|_| unit(&example("bouncing_ball"), version, &folder));
        assert_eq!(first, second);
    }
}

#[test]
fn descriptions_are_whole_and_names_are_unique() {
    let folder = folder("names");
    let scene = folder.join("odd.anz");
    let odd = "scene fmu\nparam a = 1 [m/s] \"less < & more\"\nparam time = 2 [s]\nx: [m] = 0 [m]\nalways x' == a\nplot x, x, 2 * x, a, t\n";
    std::fs::write(&scene, odd).expect("a scene");
    for version in ["2", "3"] {
        let files = files(unit(&scene, version, &folder));
        assert_eq!(files[0].0, "modelDescription.xml");
        let names: BTreeSet<&String> = files.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), files.len());
        assert!(names.iter().all(|name| !name.contains("..") && !name.contains('\\') && !name.starts_with('/')));
        let description = text(&files, "modelDescription.xml");
        let variables = description.split_once("<ModelVariables>").expect("variables").1;
        let (variables, _) = variables.split_once("</ModelVariables>").expect("an end of them");
        let tag = if version == "2" { "ScalarVariable" } else { "Float64" };
        let of_variables: String = variables.lines().filter(|line| line.contains(&format!("<{tag} "))).collect();
        let names: Vec<&str> =
            of_variables.split(" name=\"").skip(1).map(|rest| rest.split('"').next().expect("a name")).collect();
        assert!(
            names.contains(&"parameter.time") && names.contains(&"'2 * x'") && names.contains(&"der(state.x)"),
            "{names:?}"
        );
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        assert_eq!(attributes(description, "fmiVersion"), [format!("{version}.0")]);
        let table = text(&files, "documentation/reference.csv");
        assert!(table.starts_with("time,x,") && table.lines().count() > 100, "{table}");
    }
}

/// Transitions have indicators with their names; what touches is for co-simulation only.
#[test]
fn events_have_indicators_with_their_names() {
    let folder = folder("kinds");
    for (scene, exchanges) in [("pendulum", Some(0)), ("bouncing_ball", Some(2)), ("sliding_ball", None)] {
        for version in ["2", "3"] {
            let files = files(unit(&example(scene), version, &folder));
            let description = text(&files, "modelDescription.xml");
            assert_eq!(description.contains("<ModelExchange "), exchanges.is_some(), "{scene}");
            assert!(description.contains("<CoSimulation "));
            assert_eq!(description.contains("name=\"event.bounce\""), scene == "bouncing_ball");
            let indicators = match version {
                "2" => attributes(description, "numberOfEventIndicators")[0].parse().expect("a number"),
                _ => description.matches("<EventIndicator ").count(),
            };
            assert_eq!(indicators, exchanges.unwrap_or(0), "{scene}");
            assert_eq!(description.contains("providesDirectionalDerivative"), exchanges.is_some(), "{scene}");
        }
    }
}

/// With every warning an error, wherever there is a compiler.
#[test]
fn the_sources_compile() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    for scene in ["pendulum", "bouncing_ball"] {
        for version in ["2", "3"] {
            let folder = folder(&format!("{scene}-{version}"));
            let files = files(unit(&example(scene), version, &folder));
            for (name, content) in
                files.iter().filter_map(|(name, content)| Some((name.strip_prefix("sources/")?, content)))
            {
                std::fs::write(folder.join(name), content).expect("a source");
            }
            let mut command = Command::new("gcc");
            command.current_dir(&folder).args([
                "-std=c99",
                "-O1",
                "-shared",
                "-fPIC",
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
            ]);
            let listed =
                files.iter().filter_map(|(name, _)| name.strip_prefix("sources/")).filter(|name| name.ends_with(".c"));
            let output = command.args(listed).args(["-o", "unit.so", "-lm"]).output().expect("gcc");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// x' = −k x + u sin(x): what the unit says of its derivatives, to a program in C that calls it.
#[test]
#[cfg(unix)]
fn derivatives_are_those_of_the_closed_form() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    const CALLER: &str = r#"
        #include <stddef.h>
        #include <stdint.h>
        #include <stdbool.h>
        #include <stdio.h>
        void *fmi3InstantiateModelExchange(const char *, const char *, const char *, bool, bool, void *, void *);
        int fmi3EnterInitializationMode(void *, bool, double, double, bool, double);
        int fmi3ExitInitializationMode(void *);
        int fmi3UpdateDiscreteStates(void *, bool *, bool *, bool *, bool *, bool *, double *);
        int fmi3EnterContinuousTimeMode(void *);
        int fmi3SetContinuousStates(void *, const double *, size_t);
        int fmi3GetDirectionalDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *, size_t);
        int fmi3GetAdjointDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *, size_t);
        int main(void) {
            /* time, k, u, outputs x and k x^2, state, rate */
            const uint32_t knowns[] = {1, 2, 5}, unknowns[] = {6, 3, 4};
            const double seed[] = {0.3, -0.7, 2.0}, x = 0.4;
            double found[6], next;
            bool b[5];
            void *it = fmi3InstantiateModelExchange("it", TOKEN, "", false, false, NULL, NULL);
            if (it == NULL || fmi3EnterInitializationMode(it, false, 0, 0, false, 0) || fmi3ExitInitializationMode(it)) return 1;
            if (!fmi3GetDirectionalDerivative(it, unknowns, 3, unknowns, 1, seed, 1, found, 3)) return 2;
            if (fmi3UpdateDiscreteStates(it, b, b + 1, b + 2, b + 3, b + 4, &next) || fmi3EnterContinuousTimeMode(it)) return 3;
            if (fmi3SetContinuousStates(it, &x, 1)) return 4;
            if (fmi3GetDirectionalDerivative(it, unknowns, 3, knowns, 3, seed, 3, found, 3)) return 5;
            if (fmi3GetAdjointDerivative(it, unknowns, 3, knowns, 3, seed, 3, found + 3, 3)) return 6;
            for (int i = 0; i < 6; i++) printf("%.17g\n", found[i]);
            return 0;
        }"#;
    let folder = folder("derivatives");
    let scene = folder.join("s.anz");
    let text = "scene s\nparam k = 2 [1/s]\ncontrol u in [-9, 9] [1/s] = 0.5 [1/s]\nx: [1] = 1\n\
                always x' == -k * x + u * sin(x)\nplot x, k * x^2\n";
    std::fs::write(&scene, text).expect("a scene");
    let files = files(unit(&scene, "3", &folder));
    let token = attributes(self::text(&files, "modelDescription.xml"), "instantiationToken");
    for (name, content) in files.iter().filter_map(|(name, content)| Some((name.strip_prefix("sources/")?, content))) {
        std::fs::write(folder.join(name), content).expect("a source");
    }
    std::fs::write(folder.join("caller.c"), format!("#define TOKEN \"{}\"\n{CALLER}", token[0])).expect("a source");
    let sources =
        files.iter().filter_map(|(name, _)| name.strip_prefix("sources/")).filter(|name| name.ends_with(".c"));
    let mut command = Command::new("gcc");
    command.current_dir(&folder).args(["-std=c99", "-O1", "caller.c"]).args(sources).args(["-o", "caller", "-lm"]);
    let output = command.output().expect("gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.join("caller")).output().expect("the program");
    assert!(output.status.success(), "{:?}", output.status);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: Vec<f64> = said.lines().map(|line| line.parse().expect("a number")).collect();
    let (k, u, x) = (2.0_f64, 0.5, 0.4_f64);
    let (sine, cosine) = (0.389_418_342_308_650_5, 0.921_060_994_002_885_1);
    // Rows are the rate and both outputs; columns k, u and x.
    let jacobian = [[-x, sine, -k + u * cosine], [0.0, 0.0, 1.0], [x * x, 0.0, 2.0 * k * x]];
    let seed = [0.3, -0.7, 2.0];
    for at in 0..3 {
        let along: f64 = (0..3).map(|k| jacobian[at][k] * seed[k]).sum();
        let adjoint: f64 = (0..3).map(|k| jacobian[k][at] * seed[k]).sum();
        assert!((found[at] - along).abs() < 1e-15 * 8.0, "{at}: {} instead of {along}", found[at]);
        assert!((found[at + 3] - adjoint).abs() < 1e-15 * 8.0, "{at}: {} instead of {adjoint}", found[at + 3]);
    }
}
