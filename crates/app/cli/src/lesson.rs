//! `ansatz lesson`: a text in Markdown with scenes, questions and tasks becomes one page for a class.

use std::path::Path;
use std::process::ExitCode;

use ansatz::{Options, Scene};
use manual::{Goal, Part, Wrong};
use serde_json::{Value, json};

use crate::arguments::LessonArguments;
use crate::trouble::Trouble;
use crate::{render, run, scene, whole_file};

pub fn lesson(arguments: &LessonArguments) -> ExitCode {
    let Some(text) = scene::read(&arguments.file) else { return ExitCode::FAILURE };
    let read = match manual::lesson(&text) {
        Ok(lesson) => lesson,
        Err(wrong) => return refuse(&wrong, &arguments.file),
    };
    let parts = match parts(&read, &arguments.file) {
        Ok(parts) => parts,
        Err(trouble) => return trouble.tell(),
    };
    let wrong = out_of_reach(&read.parts, &parts);
    if !wrong.is_empty() {
        return refuse(&wrong, &arguments.file);
    }
    let page = match studio::lesson_page(&read.title, &parts).map_err(Trouble::from) {
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

fn refuse(wrong: &[Wrong], file: &Path) -> ExitCode {
    for one in wrong {
        render::complain(&format!("{}:{}: {}", file.display(), one.line, one.message), &one.hint);
    }
    ExitCode::FAILURE
}

/// The parts as the page has them, with the programs of the scenes.
fn parts(lesson: &manual::Lesson, file: &Path) -> Result<Vec<Value>, Trouble> {
    let mut parts: Vec<Value> = Vec::new();
    for part in &lesson.parts {
        parts.push(match part {
            Part::Scene { text, line } => json!({ "kind": "scene", "content": content(text, *line, file)? }),
            part => serde_json::to_value(part).unwrap_or_default(),
        });
    }
    Ok(parts)
}

/// Goals that nobody can reach.
fn out_of_reach(lesson: &[Part], made: &[Value]) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut parameters: &[Value] = &[];
    for (part, made) in lesson.iter().zip(made) {
        match part {
            Part::Scene { .. } => {
                parameters = made["content"]["scene"]["parameters"].as_array().map_or(&[], Vec::as_slice);
            }
            Part::Task(task) => wrong.extend(task.goals.iter().filter_map(|goal| misses(goal, parameters))),
            Part::Prose { .. } | Part::Question(_) => {}
        }
    }
    wrong
}

/// A slider that the scene has not got, or values in another unit than the slider's.
fn misses(goal: &Goal, parameters: &[Value]) -> Option<Wrong> {
    let Goal::Slider { name, unit, line, .. } = goal else { return None };
    let Some(parameter) = parameters.iter().find(|parameter| parameter["name"] == name.as_str()) else {
        let known: Vec<&str> = parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect();
        let hint = match known.as_slice() {
            [] => format!("declare it in the scene before the task: `param {name} = …`"),
            known => format!("the scene before the task has `{}`", known.join("`, `")),
        };
        let message = format!("the goal is about `{name}`, which is no parameter of the scene");
        return Some(Wrong { line: *line, message, hint });
    };
    let own = parameter["unit"]["text"].as_str().unwrap_or_default();
    let message = format!("the goal gives `{name}` in another unit than its slider");
    let hint = match own {
        "" => "write plain numbers, as the scene does".to_string(),
        own => format!("write the values in [{own}], as the scene does"),
    };
    unit.as_ref().is_some_and(|unit| unit != own).then_some(Wrong { line: *line, message, hint })
}

/// A scene with its program; places in its messages are those of its own text.
fn content(text: &str, line: usize, file: &Path) -> Result<Value, Trouble> {
    let folder = scene::folder(file);
    let options = Options { picture: true, folder: Some(folder.to_path_buf()), ..Options::default() };
    let name = format!("the scene after line {line} of {}", file.display());
    let scene = Scene::compile(&name, text, &options)?;
    render::print(scene.warnings(), scene.sources());
    let exported = scene.export_kernel()?;
    Ok(studio::content(&scene, &exported, folder)?)
}
