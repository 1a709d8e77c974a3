//! Answers for people.

use std::fmt::Write;

use base::Sources;

use super::{Answer, Answers, Suggestion, Table, Told};
use crate::settings::bracketed;

/// Parameters that are named, those that matter most.
const MOST_PARAMETERS: usize = 6;

/// Below each table stands what is drawn of it.
pub fn answers_text(answers: &Answers, sources: &Sources, draw: &dyn Fn(&Table) -> String) -> String {
    let mut text = String::new();
    for dead_end in &answers.dead_ends {
        let _ = writeln!(text, "{}", dead_end.message);
        if !dead_end.equations.is_empty() {
            let _ = writeln!(text, "  equations: {}", dead_end.equations.join(", "));
        }
        for (at, Suggestion { text: written, reason, .. }) in dead_end.suggestions.iter().enumerate() {
            let word = if at == 0 { "  what would close it:\n" } else { "" };
            // A law has several lines.
            let written = written.replace('\n', "\n    ");
            let gap = if written.is_empty() { "" } else { "   " };
            let _ = writeln!(text, "{word}    {written}{gap}{reason}");
        }
    }
    for answer in &answers.answers {
        one(answer, &mut text);
    }
    for description in &answers.descriptions {
        let _ = writeln!(text, "{}, {}", description.name, description.over());
        for remark in &description.remarks {
            let _ = writeln!(text, "  {}", remark.text);
        }
    }
    for note in &answers.notes {
        let _ = writeln!(text, "{note}");
    }
    for found in &answers.tables {
        table(found, &mut text);
        text.push_str(&draw(found));
    }
    for line in answers.models() {
        let _ = writeln!(text, "\n{line}");
    }
    list("laws", &answers.laws, sources, &mut text);
    list("assumptions", &answers.assumptions, sources, &mut text);
    list("not used", &answers.unused, sources, &mut text);
    list("tried in vain", &answers.tried, sources, &mut text);
    text
}

impl Answers {
    /// A line for each model, each once.
    pub fn models(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for line in self.compositions.iter().map(|it| it.told()) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}

/// `15.7 [ft/s]`, and what there is to say of it.
pub fn told_answer(answer: &Answer) -> (String, String) {
    let values: Vec<String> = answer.value.iter().map(|value| number(answer.told.count(*value))).collect();
    let value = if values.len() == 1 { values[0].clone() } else { format!("({})", values.join(", ")) };
    let value = format!("{value}{}", bracketed(&answer.told));
    if let Some(t) = answer.instant {
        let when = if answer.when.is_empty() { String::new() } else { format!(", when {}", answer.when) };
        // Who asks for the time has it.
        let at = if answer.asked == "t" { "in a run".to_string() } else { format!("at t = {} s of a run", number(t)) };
        return (value, format!("{at}{when}"));
    }
    let stable = match (answer.stable, answer.rate) {
        (Some(true), Some(rate)) => format!("stable: comes back within {} s", number(-1.0 / rate)),
        (Some(false), Some(rate)) => format!("unstable: leaves within {} s", number(1.0 / rate)),
        _ => answer.undecided.clone().unwrap_or_default(),
    };
    let reached = if answer.reached == Some(true) { "; a run from the start comes to it" } else { "" };
    let by = if answer.by.is_empty() { String::new() } else { format!("; by {}", base::listed(&answer.by)) };
    let others = if answer.complete { "" } else { "; there may be other answers" };
    (value, format!("{stable}{by}{reached}{others}"))
}

fn one(answer: &Answer, text: &mut String) {
    let (value, about) = told_answer(answer);
    let _ = writeln!(text, "{} = {value}   {about}", answer.asked);
    let along: Vec<String> = answer.along.iter().map(|(name, value)| format!("{name} = {}", number(*value))).collect();
    if !along.is_empty() {
        let _ = writeln!(text, "  with {} (SI units)", along.join(", "));
    }
    let mut most: Vec<&(String, f64)> = answer.sensitivity.iter().collect();
    most.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let most: Vec<String> = most.iter().take(MOST_PARAMETERS).map(|(name, by)| format!("{name} {by:+.3}")).collect();
    if !most.is_empty() {
        let _ = writeln!(text, "  percent of change for one percent of: {}", most.join(", "));
    }
}

impl Table {
    /// The parameter, and what is asked, with their units.
    pub fn head(&self) -> Vec<String> {
        let asked = self.asked.iter().zip(&self.units).map(|(name, unit)| format!("{name}{}", bracketed(unit)));
        std::iter::once(format!("{}{}", self.parameter, bracketed(&self.parameter_unit))).chain(asked).collect()
    }

    /// The value of the parameter, and for each quantity that is asked its answers.
    pub fn row(&self, at: f64, answers: &[Answer]) -> Vec<String> {
        let told = |answer: &Answer| {
            let values: Vec<String> = answer.value.iter().map(|it| number(answer.told.count(*it))).collect();
            let value = if values.len() == 1 { values[0].clone() } else { format!("({})", values.join(", ")) };
            let mark = match (answer.stable, answer.rate) {
                (Some(false), _) => " (unstable)",
                (None, Some(_)) => " (stability unknown)",
                _ => "",
            };
            format!("{value}{mark}")
        };
        let cell = |place: usize| self.of_asked(answers, place).map(told).collect::<Vec<_>>().join(" or ");
        let mut row = vec![number(self.parameter_unit.count(at))];
        if answers.is_empty() {
            row.push("no answer".to_string());
        } else {
            row.extend((0..self.asked.len()).map(cell));
        }
        row
    }
}

fn table(found: &Table, text: &mut String) {
    let mut rows = vec![found.head()];
    rows.extend(found.rows.iter().map(|(at, answers)| found.row(*at, answers)));
    let columns = rows[0].len();
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> =
        (0..columns).map(|at| rows.iter().filter_map(|row| row.get(at)).map(length).max().unwrap_or(0)).collect();
    text.push('\n');
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("   ").trim_end());
    }
}

fn list(what: &str, told: &[Told], sources: &Sources, text: &mut String) {
    if told.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{what}");
    for told in told {
        let margin = told.margin.map_or(String::new(), |margin| format!(", {} from failing", number(margin)));
        let _ = writeln!(text, "  {}   {}{margin}   ({})", told.name, told.reason, sources.locate(told.span));
    }
}

/// Ten digits, without those that say nothing.
pub fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.6e}");
    }
    let digits = (9.0 - libm::log10(value.abs().max(1e-4)).floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}
