//! How much program a scene makes, as section 7 of the seed paper counts it: lines of code for each line of the specification.

use driver::{Options, Target};

use crate::Scene;

pub fn table(scenes: &[Scene]) {
    println!("## Sizes of programs\n");
    println!(
        "| scene | lines | C, lines | KB | lines per line | Rust, lines | KB | WebAssembly, KB |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    for scene in scenes {
        let options = Options::default();
        let compilation = driver::compile(&scene.name, &scene.text, &options);
        let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("`{}` has errors", scene.name));
        let [c, rust, wasm] = [Target::C, Target::Rust, Target::Wasm].map(|target| {
            driver::build(&compilation, stages, &options, target)
                .unwrap_or_else(|_| panic!("`{}` makes no program", scene.name))
        });
        let lines = |build: &driver::Build| -> usize {
            build.files.iter().filter(|file| file.synthesized).filter_map(|file| file.lines).sum()
        };
        let bytes = |build: &driver::Build| -> f64 {
            build.files.iter().filter(|file| file.synthesized).map(|file| file.content.len() as f64).sum::<f64>() / 1e3
        };
        let module = wasm.files.iter().find(|file| file.name.ends_with(".wasm")).map_or(0, |file| file.content.len());
        println!(
            "| {} | {} | {} | {:.0} | {:.0} | {} | {:.0} | {:.0} |",
            scene.name,
            c.specification_lines,
            lines(&c),
            bytes(&c),
            lines(&c) as f64 / c.specification_lines as f64,
            lines(&rust),
            bytes(&rust),
            module as f64 / 1e3,
        );
    }
    println!();
}
