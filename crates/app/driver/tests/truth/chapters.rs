//! What `ansatz explain` prints of whole compilations, and what the compiler says: chapters of scenes and stages.

use chapters::Block;
use driver::{Options, Stage};

#[test]
fn stages_print_what_the_chapters_show() {
    chapters::check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chapters"), shown);
}

fn shown(block: Block<'_>) -> Result<String, String> {
    let compiled = driver::compile("model", block.scene, &Options::default());
    let complaint = chapters::diagnostics(&compiled.sources, &compiled.diagnostics);
    let stage = match block.word {
        "diagnostics" => return Ok(complaint),
        "resolved" => Stage::Model,
        "equations" => Stage::Equations,
        "plan" => Stage::Plan,
        "contact" => Stage::Contact,
        "program" => Stage::Program,
        "kernel" => Stage::Kernel,
        word => return Err(format!("there is no stage `{word}`")),
    };
    let Some(stages) = &compiled.stages else { return Err(complaint) };
    let text = driver::explain(&compiled, stages, Some(stage));
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_end().to_string() + "\n")
}
