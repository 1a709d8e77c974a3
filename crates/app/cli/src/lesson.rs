//! `ansatz lesson`: a text in Markdown with scenes, questions and tasks becomes one page for a class.

use std::path::Path;
use std::process::ExitCode;

use ansatz::{Options, Scene};
use manual::Part;
use serde_json::{Value, json};

use crate::arguments::LessonArguments;
use crate::trouble::Trouble;
use crate::{render, run, scene, whole_file};

pub fn lesson(arguments: &LessonArguments) -> ExitCode {
    let Some(text) = scene::read(&arguments.file) else { return ExitCode::FAILURE };
    let read = match manual::lesson(&text) {
        Ok(lesson) => lesson,
        Err(wrong) => {
            for one in wrong {
                render::complain(&format!("{}:{}: {}", arguments.file.display(), one.line, one.message), &one.hint);
            }
            return ExitCode::FAILURE;
        }
    };
    let page = page(&read, &arguments.file);
    let page = match page {
        Ok(page) => page,
        Err(trouble) => return trouble.tell(),
    };
    if let Err(error) = whole_file::replace(&arguments.output, page.as_bytes()) {
        return run::cannot_write(Some(&arguments.output), &error);
    }
    let count = |wanted: fn(&Part) -> bool| read.parts.iter().filter(|part| wanted(part)).count();
    let counts = [
        base::counted(count(|part| matches!(part, Part::Scene { .. })), "scene", "scenes"),
        base::counted(count(|part| matches!(part, Part::Question(_))), "question", "questions"),
        base::counted(count(|part| matches!(part, Part::Task(_))), "task", "tasks"),
    ];
    render::print_out(&format!("{}: {}; open it in any browser\n", arguments.output.display(), counts.join(", ")))
}

fn page(lesson: &manual::Lesson, file: &Path) -> Result<String, Trouble> {
    let mut parts: Vec<Value> = Vec::new();
    for part in &lesson.parts {
        parts.push(match part {
            Part::Scene { text, line } => json!({ "kind": "scene", "content": content(text, *line, file)? }),
            part => serde_json::to_value(part).unwrap_or_default(),
        });
    }
    Ok(studio::lesson_page(&lesson.title, &parts)?)
}

/// A scene with its program; places in its messages are those of its own text.
fn content(text: &str, line: usize, file: &Path) -> Result<Value, Trouble> {
    let folder = scene::folder(file);
    let options = Options { picture: true, folder: Some(folder.to_path_buf()), ..Options::default() };
    let name = format!("the scene after line {line} of {}", file.display());
    let scene = Scene::compile(&name, text, &options)?;
    render::print(scene.warnings(), scene.sources());
    let exported = scene.export_kernel()?;
    Ok(studio::content(scene.compilation(), scene.stages(), &exported, folder)?)
}
