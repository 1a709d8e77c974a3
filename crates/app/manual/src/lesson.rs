//! Lessons: a text in Markdown with scenes that run, questions to commit to before a run goes on, and tasks with goals.
//!
//! A scene is a block of code marked `ansatz`. Blocks marked `question` and `task` belong to the scene before them.

use pulldown_cmark::{Event, Parser, Tag, TagEnd, html};
use serde::Serialize;

use crate::math::{MARKDOWN, equations, untypeset};

/// A lesson, as its page has it.
#[derive(Debug, Serialize)]
pub struct Lesson {
    pub title: String,
    pub parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Part {
    Prose {
        html: String,
    },
    /// The text of a scene, and the line of the lesson that it begins after.
    Scene {
        text: String,
        line: usize,
    },
    Question(Question),
    Task(Task),
}

/// What happens? The run waits until somebody has said what they think.
#[derive(Debug, Default, Serialize)]
pub struct Question {
    /// In Markdown's words, as HTML.
    pub html: String,
    /// How far the run goes before, in seconds.
    pub at: f64,
    pub answers: Vec<Choice>,
    /// A number to be guessed, how far off it may be, and its unit.
    pub number: Option<(f64, f64, String)>,
    /// What is shown afterwards.
    pub after: String,
}

#[derive(Debug, Serialize)]
pub struct Choice {
    pub html: String,
    pub right: bool,
}

#[derive(Debug, Default, Serialize)]
pub struct Task {
    pub html: String,
    pub goals: Vec<Goal>,
    pub after: String,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "goal", rename_all = "lowercase")]
pub enum Goal {
    /// A slider between two values, in the unit of the text; and the unit and the line in which the lesson says so.
    Slider { name: String, low: f64, high: f64, unit: Option<String>, line: usize },
    /// The run comes to this time, in seconds, and no claim of the scene is refuted before.
    Claims { until: f64 },
}

/// What is wrong with a lesson: the line, what, and what to write.
#[derive(Debug, PartialEq)]
pub struct Wrong {
    pub line: usize,
    pub message: String,
    pub hint: String,
}

/// Reads a lesson. All that is wrong with it is told at once.
pub fn lesson(text: &str) -> Result<Lesson, Vec<Wrong>> {
    let (mut lesson, mut wrong) = (Lesson { title: String::new(), parts: Vec::new() }, Vec::new());
    let (mut prose, mut block, mut heading): (Vec<Event<'_>>, Option<Open>, bool) = (Vec::new(), None, false);
    for (event, range) in Parser::new_ext(text, MARKDOWN).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) if block_kind(&kind).is_some() => {
                let line = text[..range.start].matches('\n').count() + 1;
                block = Some(Open { kind: block_kind(&kind).unwrap_or_default(), line, text: String::new() });
                flush(&mut prose, &mut lesson.parts);
            }
            Event::End(TagEnd::CodeBlock) if block.is_some() => {
                let part = block.take().map(|block| close(block, &lesson.parts));
                match part {
                    Some(Ok(part)) => lesson.parts.push(part),
                    Some(Err(found)) => wrong.push(found),
                    None => {}
                }
            }
            Event::Text(piece) if block.is_some() => {
                if let Some(block) = &mut block {
                    block.text.push_str(&piece);
                }
            }
            event => {
                match &event {
                    Event::Start(Tag::Heading { .. }) => heading = lesson.title.is_empty(),
                    Event::End(TagEnd::Heading(_)) => heading = false,
                    Event::Text(piece) | Event::Code(piece) if heading => lesson.title.push_str(piece),
                    _ => {}
                }
                prose.push(equations(event));
            }
        }
    }
    flush(&mut prose, &mut lesson.parts);
    wrong.extend(equation_that_fails(text, 1));
    if !lesson.parts.iter().any(|part| matches!(part, Part::Scene { .. })) && wrong.is_empty() {
        let hint = "put the text of one between lines of ```ansatz and ```".to_string();
        wrong.push(Wrong { line: 1, message: "the lesson has no scene".to_string(), hint });
    }
    if wrong.is_empty() { Ok(lesson) } else { Err(wrong) }
}

/// A block that is not closed yet.
struct Open {
    kind: String,
    line: usize,
    text: String,
}

fn block_kind(kind: &pulldown_cmark::CodeBlockKind<'_>) -> Option<String> {
    let pulldown_cmark::CodeBlockKind::Fenced(words) = kind else { return None };
    let first = words.split_whitespace().next().unwrap_or_default();
    ["ansatz", "question", "task"].contains(&first).then(|| first.to_string())
}

fn flush(prose: &mut Vec<Event<'_>>, parts: &mut Vec<Part>) {
    let mut text = String::new();
    html::push_html(&mut text, prose.drain(..));
    if !text.trim().is_empty() {
        parts.push(Part::Prose { html: text });
    }
}

fn close(Open { kind, line, text }: Open, before: &[Part]) -> Result<Part, Wrong> {
    if kind == "ansatz" {
        return Ok(Part::Scene { text, line });
    }
    if !before.iter().any(|part| matches!(part, Part::Scene { .. })) {
        let hint = "put the scene that it is about before it";
        return Err(Wrong { line, message: format!("a {kind} comes before any scene"), hint: hint.to_string() });
    }
    if let Some(wrong) = equation_that_fails(&text, line + 1) {
        return Err(wrong);
    }
    if kind == "question" { question(&text, line).map(Part::Question) } else { task(&text, line).map(Part::Task) }
}

/// What cannot be typeset, in a text that begins at this line.
fn equation_that_fails(text: &str, first: usize) -> Option<Wrong> {
    let (at, latex, why) = untypeset(text)?;
    let message = format!("the equation `${latex}$` cannot be typeset: {why}");
    let hint = "write it with what docs/how-to/lesson.md lists, or the sign of money as `\\$`".to_string();
    Some(Wrong { line: first + text[..at].matches('\n').count(), message, hint })
}

/// `+` is before a right answer, `-` before a wrong one, `=` before a number, `>` before what is said afterwards; `at 2 [s]` says when the run waits.
fn question(text: &str, first: usize) -> Result<Question, Wrong> {
    let (mut question, mut words, mut after) = (Question::default(), Vec::new(), Vec::new());
    for (line, content) in numbered(text, first) {
        match content.split_once(' ').map(|(sign, rest)| (sign, rest.trim())) {
            Some((sign @ ("+" | "-"), rest)) => {
                question.answers.push(Choice { html: inline(rest), right: sign == "+" })
            }
            Some(("=", rest)) => question.number = Some(number(rest, line)?),
            Some((">", rest)) => after.push(rest),
            Some(("at", rest)) => question.at = seconds(rest, line)?,
            _ => words.push(content),
        }
    }
    (question.html, question.after) = (inline(&words.join(" ")), inline(&after.join(" ")));
    let right = question.answers.iter().filter(|answer| answer.right).count();
    let complete =
        if question.number.is_some() { question.answers.is_empty() } else { right > 0 && question.answers.len() > 1 };
    if complete && !words.is_empty() {
        return Ok(question);
    }
    let hint = "write the question, then `+ a right answer` and `- a wrong one`, each in a line; or `= 2.84 within 0.1 [s]` for a number to guess";
    Err(Wrong { line: first, message: "this question cannot be answered".to_string(), hint: hint.to_string() })
}

/// `goal length in 1.9..2.1`, `goal claims until 10 [s]`; `>` is before what is said afterwards.
fn task(text: &str, first: usize) -> Result<Task, Wrong> {
    let (mut task, mut words, mut after) = (Task::default(), Vec::new(), Vec::new());
    for (line, content) in numbered(text, first) {
        match content.split_once(' ').map(|(sign, rest)| (sign, rest.trim())) {
            Some(("goal", rest)) => task.goals.push(goal(rest, line)?),
            Some((">", rest)) => after.push(rest),
            _ => words.push(content),
        }
    }
    (task.html, task.after) = (inline(&words.join(" ")), inline(&after.join(" ")));
    if !task.goals.is_empty() && !words.is_empty() {
        return Ok(task);
    }
    Err(Wrong { line: first, message: "this task has no end".to_string(), hint: GOALS.to_string() })
}

const GOALS: &str = "write what to do, then `goal length in 1.9..2.1` for a slider, in the unit of the text, or `goal claims until 10 [s]`";

fn goal(text: &str, line: usize) -> Result<Goal, Wrong> {
    if let Some(rest) = text.strip_prefix("claims until") {
        return Ok(Goal::Claims { until: seconds(rest.trim(), line)? });
    }
    let slider = text.split_once(" in ").and_then(|(name, range)| {
        let (numbers, unit) = range.split_once('[').map_or((range, None), |(numbers, unit)| (numbers, Some(unit)));
        let unit = unit.map(|unit| unit.trim_end().trim_end_matches(']').trim().to_string());
        let (low, high) = numbers.trim().split_once("..")?;
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low < high).then(|| Goal::Slider { name: name.trim().to_string(), low, high, unit, line })
    });
    let message = format!("`{text}` is no goal");
    slider.ok_or(Wrong { line, message, hint: GOALS.to_string() })
}

/// `2.84 within 0.1 [s]`
fn number(text: &str, line: usize) -> Result<(f64, f64, String), Wrong> {
    let (numbers, unit) =
        text.split_once('[').map_or((text, ""), |(numbers, unit)| (numbers, unit.trim_end_matches(']')));
    let read = numbers
        .split_once("within")
        .and_then(|(value, off)| Some((value.trim().parse().ok()?, off.trim().parse().ok()?)));
    match read {
        Some((value, off)) if off > 0.0 => Ok((value, off, unit.trim().to_string())),
        _ => {
            let hint = "write the number and how far off a guess may be: `= 2.84 within 0.1 [s]`".to_string();
            Err(Wrong { line, message: format!("`{text}` is no number to guess"), hint })
        }
    }
}

/// `2 [s]` or `2`
fn seconds(text: &str, line: usize) -> Result<f64, Wrong> {
    let number = text.strip_suffix("[s]").unwrap_or(text).trim().parse::<f64>().ok();
    let message = format!("`{text}` is no time");
    let hint = "write seconds, such as `2 [s]`".to_string();
    number.filter(|time| *time >= 0.0 && time.is_finite()).ok_or(Wrong { line, message, hint })
}

/// The lines of a block that are not empty, with their numbers in the lesson; the block's first line stands before them.
fn numbered(text: &str, first: usize) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(move |(at, line)| (first + 1 + at, line.trim()));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Words in Markdown, without a paragraph around them.
fn inline(text: &str) -> String {
    let mut written = String::new();
    html::push_html(&mut written, Parser::new_ext(text, MARKDOWN).map(equations));
    written.trim().trim_start_matches("<p>").trim_end_matches("</p>").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A pendulum\n\nSee *it*.\n\n```ansatz\nscene a\n```\n\n```question\nWhat happens?\nat 2 [s]\n- It stops\n+ It *swings*\n> So it does.\n```\n\n\
        ```task\nMake it longer.\ngoal length in 1.5..2 [m]\ngoal claims until 10 [s]\n```\n";

    #[test]
    fn a_lesson_is_read_in_its_order() {
        let lesson = lesson(TEXT).expect("a lesson");
        assert_eq!(lesson.title, "A pendulum");
        let [Part::Prose { html }, Part::Scene { text, line: 5 }, Part::Question(asked), Part::Task(task)] =
            &lesson.parts[..]
        else {
            panic!("{:#?}", lesson.parts)
        };
        assert!(html.contains("<em>it</em>") && text == "scene a\n");
        assert_eq!((asked.at, asked.answers.len(), asked.after.as_str()), (2.0, 2, "So it does."));
        assert_eq!((asked.answers[1].html.as_str(), asked.answers[1].right), ("It <em>swings</em>", true));
        let unit = Some("m".to_string());
        let slider = Goal::Slider { name: "length".to_string(), low: 1.5, high: 2.0, unit, line: 19 };
        assert_eq!(task.goals, [slider, Goal::Claims { until: 10.0 }]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let lines = |text: &str| lesson(text).err().map(|wrong| wrong.iter().map(|one| one.line).collect::<Vec<_>>());
        assert_eq!(lines("nothing"), Some(vec![1]));
        assert_eq!(lines("```task\ngo\ngoal x in 1..2\n```\n"), Some(vec![1]));
        assert_eq!(lines(&TEXT.replace("+ It", "- It")), Some(vec![9]));
        assert_eq!(lines(&TEXT.replace("1.5..2", "2..1.5").replace("at 2 [s]", "at noon")), Some(vec![11, 19]));
        assert_eq!(lines(&TEXT.replace("- It stops\n+ It *swings*", "= 2.8 within 0.1 [s]")), None);
    }
}
