//! Questions about a run: the scene is run from its start to where a condition begins to hold, for some time, or to where something is
//! largest or smallest.

use std::cell::RefCell;

use base::{Diagnostic, Diagnostics, Severity};
use model::{Asked, Extreme, Model, Moment, Question};
use simulation::{Event, Failure, Run};

use super::question::{told_parameter, values};
use super::text::number;
use super::{Answer, Answers, Asking, DeadEnd, Table, composition};
use crate::instance::Instance;
use crate::pipeline::{Compilation, Options, Stages, compile};
use crate::play::{Played, play};
use crate::settings::{Settings, apply};
use crate::start::told_assumptions;
use crate::trouble::describe_failure;

/// Runs are not made longer than this, in seconds of the scene.
const LONGEST: f64 = 1000.0;
/// Of the steps of a run, relative.
const TOLERANCE: f64 = 1e-10;
/// Transitions that notice what is asked have this name, perhaps with a number; nobody else's have.
pub(super) const ASKED: &str = "asked_for";
/// Where something jumps, it is looked at this much earlier as well, relative to the time: far enough for a run to tell the two
/// apart, and so near that a straight line leads from there to the value just before.
const JUST_BEFORE: f64 = 1e-7;
/// How notes on the start begin.
const ASSUMED: &str = "assumed at the start: ";
/// Steps between looks at a run.
const STEPS: i64 = 1000;
/// What turns more often than this is noise, or oscillates too fast to be asked for an extreme.
const MOST_TURNS: usize = 5_000;

/// What part of a run one of the scene's questions is about.
pub struct Part<'a> {
    pub question: usize,
    pub moment: &'a Moment,
    pub parameters: &'a [f64],
    /// Is told which part of the work is done.
    pub progress: &'a dyn Fn(f64),
}

/// Answers one question, or says why the instant does not come.
pub fn answer(
    asking: &Asking<'_>,
    model: &Model,
    part: &Part<'_>,
    out: &mut Answers,
    sink: &mut Diagnostics,
) -> Option<()> {
    let Part { question: at, moment, parameters, progress } = *part;
    let question = &model.questions[at];
    let dead_end = |message: String| DeadEnd {
        asked: question.text.clone(),
        message,
        unknowns: Vec::new(),
        equations: Vec::new(),
        suggestions: Vec::new(),
        follows: false,
        span: question.span,
    };
    let Some(sweep) = &question.sweep else {
        let rehearsal = Rehearsal::new(asking, asking.settings, question, moment, sink)?;
        composition::of_run(model, at, parameters, rehearsal.stages(), out);
        tell_start(rehearsal.stages(), out);
        match rehearsal.answers_to(question, at, moment) {
            Ok(found) => out.answers.extend(found),
            Err(why) => out.dead_ends.push(dead_end(why)),
        }
        out.notes.extend(rehearsal.remark.take());
        return Some(());
    };
    let parameter = &model.parameters[sweep.parameter.index()];
    let mut rows = Vec::new();
    let values = values(sweep);
    for &value in &values {
        progress(rows.len() as f64 / values.len() as f64);
        let settings = asking.settings.with(&parameter.name, parameter.unit.count(value));
        let rehearsal = Rehearsal::new(asking, &settings, question, moment, sink)?;
        tell_start(rehearsal.stages(), out);
        match rehearsal.answers_to(question, at, moment) {
            Ok(found) => {
                rows.push((value, found));
                let remark = rehearsal.remark.take();
                out.notes.extend(remark.map(|it| format!("{}: {it}", told_parameter(parameter, value))));
            }
            Err(why) => {
                rows.push((value, Vec::new()));
                out.notes.push(format!("{}: {why}", told_parameter(parameter, value)));
            }
        }
    }
    out.tables.push(Table::new(model, at, sweep, rows));
    Some(())
}

/// Says what the run begins with though the scene does not say it.
fn tell_start(stages: &Stages, out: &mut Answers) {
    let note = told_assumptions(stages).map(|it| format!("{ASSUMED}{it}"));
    out.notes.extend(note.filter(|it| !out.notes.contains(it)));
}

/// Accelerations, forces and currents follow from the state, so where nothing else is said they are those at the start of a run. What is
/// itself a state would only be given back, and what a start that is only assumed leads to is nothing to rely on: such questions stay open.
/// None if there is nothing to add to what was known `before`.
pub fn at_start(
    asking: &Asking<'_>,
    model: &Model,
    at: usize,
    open: &[DeadEnd],
    parameters: &[f64],
    before: Answers,
) -> Option<Answers> {
    let question = &model.questions[at];
    if !question.given.is_empty() || !open.iter().any(|it| it.follows) {
        return None;
    }
    let (mut found, known) = (before.clone(), before.answers.len() + before.tables.len());
    let part = Part { question: at, moment: &Moment::After(0.0), parameters, progress: &|_| () };
    answer(asking, model, &part, &mut found, &mut Diagnostics::default())?;
    let finite = found.answers.iter().all(|it| it.value.iter().all(|value| value.is_finite()));
    let given = !found.notes.iter().any(|it| it.starts_with(ASSUMED));
    (given && finite && found.answers.len() + found.tables.len() > known).then_some(found)
}

/// Questions that stay open, because the constraints of the scene contradict each other: that is told instead. None if it is so.
pub fn look_for_contradictions(asking: &Asking<'_>, sink: &mut Diagnostics) -> Option<()> {
    let options = Options { tried_with: asking.settings.clone(), ..asking.options.clone() };
    let compilation = compile(asking.name, asking.text, &options);
    let contradicting = |found: &&Diagnostic| found.code == plan::CONTRADICTING_CONSTRAINTS;
    let mut any = false;
    for found in compilation.diagnostics.iter().filter(contradicting) {
        sink.report(found.clone());
        any = true;
    }
    (!any).then_some(())
}

/// A run at some instants.
pub struct Looked {
    pub rows: Vec<Vec<f64>>,
    /// When the run ended.
    pub end: f64,
    /// How many steps it took.
    pub steps: i64,
}

/// A run from step to step.
struct Walked {
    events: Vec<Event>,
    /// When each step ended.
    ends: Vec<f64>,
    end: f64,
}

/// Why a run that turns ever again is given up, if it does.
fn turns_without_end(instance: &Instance) -> Option<String> {
    let many = instance.events.len() > MOST_TURNS;
    many.then(|| format!("it rises and falls more than {MOST_TURNS} times; ask for less time"))
}

/// The scene with what is asked of it beside it, ready to run.
pub struct Rehearsal<'a> {
    compilation: Compilation,
    options: Options,
    settings: &'a Settings,
    /// What there is to say of the run besides its answers.
    remark: RefCell<Option<String>>,
}

/// Statements with which a run notices what is asked: where it ends, or where what rises begins to fall.
fn watched(question: &Question, moment: &Moment) -> String {
    match moment {
        Moment::When(when) => format!("stop {ASKED} when {when}\n"),
        Moment::After(_) | Moment::Motion(_) => String::new(),
        // What turns back and forth has a mode, because a transition whose guard goes on holding happens again at once.
        Moment::Extreme(..) => {
            let both = |(at, it): (usize, &Asked)| {
                let (mode, rate) = (format!("{ASKED}_{at}"), format!("der({})", it.text));
                // What is added up belongs to the motion, so that steps end wherever it bends or jumps.
                let unit = match base::Unit::coherent(it.unit.dimension).text {
                    unit if unit.is_empty() => "1".to_string(),
                    unit => unit,
                };
                format!(
                    "{mode}_sum: [1] = 0\n\
                     law {mode}_adds {{ {mode}_sum' == ({}) / (1 [{unit}] * 1 [s]) }}\n\
                     mode {mode}: rises | falls\n\
                     when {mode}_falls: {mode} == rises and {rate} < 0 {{ {mode} == falls; keep all }}\n\
                     when {mode}_rises: {mode} == falls and {rate} > 0 {{ {mode} == rises; keep all }}\n",
                    it.text,
                )
            };
            question.asked.iter().enumerate().map(both).collect()
        }
    }
}

/// Replaces the rows shortly before a transition by what they tend to.
fn limit_before(event: f64, instants: &mut [f64], rows: &mut [Vec<f64>]) {
    let [near, far] = [1.0, 2.0].map(|times| event - times * JUST_BEFORE * event);
    let place = |instant: f64| instants.iter().position(|known| *known == instant);
    let (Some(near), Some(far)) = (place(near), place(far)) else { return };
    // Where another transition lies between, there is no line.
    if near == far + 1 && event > 0.0 {
        let limit = rows[near].iter().zip(&rows[far]).map(|(near, far)| 2.0 * near - far).collect();
        rows[near] = limit;
        instants[near] = event;
    }
}

impl<'a> Rehearsal<'a> {
    fn new(
        asking: &Asking<'_>,
        settings: &'a Settings,
        question: &Question,
        moment: &Moment,
        sink: &mut Diagnostics,
    ) -> Option<Rehearsal<'a>> {
        let probes = question.asked.iter().map(|asked| asked.text.clone()).collect();
        Rehearsal::of(asking, settings, probes, &watched(question, moment), sink)
    }

    /// The scene with some statements more, of which some expressions are looked at; none if it cannot be run at all, which is told.
    pub fn of(
        asking: &Asking<'_>,
        settings: &'a Settings,
        probes: Vec<String>,
        statements: &str,
        sink: &mut Diagnostics,
    ) -> Option<Rehearsal<'a>> {
        let options = Options { probes, tolerance: TOLERANCE, tried_with: settings.clone(), ..asking.options.clone() };
        let text = format!("{}\n{statements}", asking.text);
        let compilation = compile(asking.name, &text, &options);
        if compilation.stages.is_none() {
            compilation.diagnostics.iter().for_each(|found| sink.report(found.clone()));
            return None;
        }
        Some(Rehearsal { compilation, options, settings, remark: RefCell::default() })
    }

    pub fn stages(&self) -> &Stages {
        self.compilation.stages.as_ref().expect("it was compiled")
    }

    /// The answers of one run, or why there are none.
    fn answers_to(&self, question: &Question, at: usize, moment: &Moment) -> Result<Vec<Answer>, String> {
        match moment {
            Moment::When(when) => self.at_condition(question, at, when),
            Moment::After(seconds) => self.at_end(question, at, *seconds),
            Moment::Extreme(which, seconds) => self.at_extreme(question, at, *which, *seconds),
            Moment::Motion(_) => Ok(Vec::new()),
        }
    }

    fn at_condition(&self, question: &Question, at: usize, when: &str) -> Result<Vec<Answer>, String> {
        let (played, last) = self.play(LONGEST).map_err(|why| format!("the run does not come to `{when}`: {why}"))?;
        match played.events.last().filter(|event| event.name == ASKED) {
            Some(event) => Ok(self.answers(question, at, &last, event.t)),
            None => {
                let end = number(played.summary.time);
                Err(format!("`{when}` does not begin to hold within the {end} s of a run"))
            }
        }
    }

    fn at_end(&self, question: &Question, at: usize, seconds: f64) -> Result<Vec<Answer>, String> {
        let (played, last) = self.play(seconds)?;
        let end = played.summary.time;
        match played.events.last().filter(|_| end < seconds) {
            Some(event) => Err(format!("the run ends at t = {} s, where {}", number(end), event.name)),
            None => Ok(self.answers(question, at, &last, seconds)),
        }
    }

    /// Extremes are at the start, at the end, where a rate changes its sign, or on one side of a transition or of the end of a step: wherever
    /// something jumps, be it by an impact or by a condition, a step ends.
    fn at_extreme(&self, question: &Question, at: usize, which: Extreme, seconds: f64) -> Result<Vec<Answer>, String> {
        let Walked { events, ends, end } = self.walk(seconds)?;
        if let Some(last) = events.iter().rfind(|it| !it.name.starts_with(ASKED)).filter(|_| end < seconds) {
            let (asked, end) = (&question.text, number(end));
            *self.remark.borrow_mut() = Some(format!("`{asked}`: the run ends at t = {end} s, where {}", last.name));
        }
        let mut instants = vec![0.0, end];
        let both_sides = |&at: &f64| [at.next_down(), at, at.next_up()];
        instants.extend(ends.iter().filter(|&&at| at > 0.0 && at < end).flat_map(both_sides));
        for event in &events {
            instants.push(event.t);
            if !event.name.starts_with(ASKED) {
                instants.extend([1.0, 2.0].map(|times| event.t - times * JUST_BEFORE * event.t));
            }
        }
        instants.sort_by(f64::total_cmp);
        instants.dedup();
        let Looked { mut rows, .. } = self.rows_at(&instants, seconds)?;
        for event in events.iter().filter(|event| !event.name.starts_with(ASKED)) {
            limit_before(event.t, &mut instants, &mut rows);
        }
        let sign = if which == Extreme::Largest { 1.0 } else { -1.0 };
        let mut answers = Vec::new();
        for (column, _) in question.asked.iter().enumerate() {
            let better = |best: usize, row: usize| {
                let (best_value, value) = (sign * rows[best][column], sign * rows[row][column]);
                // Of equal values the first: the others differ by what a step may be off.
                if value - best_value > TOLERANCE * best_value.abs() { row } else { best }
            };
            let best = (1..rows.len()).fold(0, better);
            let mut found = self.answers(question, at, &rows[best], instants[best]).swap_remove(column);
            let word = if which == Extreme::Largest { "max" } else { "min" };
            found.asked = format!("{word} {}", found.asked);
            answers.push(found);
        }
        Ok(answers)
    }

    /// A run, and its last row; or why it failed.
    fn play(&self, seconds: f64) -> Result<(Played, Vec<f64>), String> {
        // A run of no length has the row of its start.
        let every = if seconds > 0.0 { seconds } else { 1.0 };
        let plan = Run { until: seconds, every, tolerance: TOLERANCE };
        let mut last = Vec::new();
        let played =
            play(&self.compilation, &self.options, self.settings, Some(plan), |_, values| last = values.to_vec());
        let failure = played.diagnostics.sorted().into_iter().find(|found| found.severity == Severity::Error);
        match failure {
            Some(failure) => Err(failure.message.clone()),
            None => Ok((played, last)),
        }
    }

    /// A run at some instants, which ascend.
    pub fn rows_at(&self, instants: &[f64], seconds: f64) -> Result<Looked, String> {
        self.travel(seconds, |instance| {
            let mut rows = Vec::new();
            for &t in instants {
                while !instance.advance(t, STEPS)? {
                    if let Some(why) = turns_without_end(instance) {
                        return Ok(Err(why));
                    }
                }
                let t = instance.stopped().map_or(t, |end| end.min(t));
                rows.push(instance.observe(t)?);
            }
            let end = instance.stopped().unwrap_or(seconds);
            let steps = instance.statistics().accepted;
            Ok(Ok(Looked { rows, end, steps }))
        })
    }

    /// A run step by step.
    fn walk(&self, seconds: f64) -> Result<Walked, String> {
        self.travel(seconds, |instance| {
            let mut ends = Vec::new();
            while !instance.advance(seconds, 1)? {
                ends.extend(instance.step_end());
                if let Some(why) = turns_without_end(instance) {
                    return Ok(Err(why));
                }
            }
            let end = instance.stopped().unwrap_or(seconds);
            Ok(Ok(Walked { events: std::mem::take(&mut instance.events), ends, end }))
        })
    }

    /// Starts a run and goes on with it.
    fn travel<T>(
        &self,
        seconds: f64,
        go_on: impl FnOnce(&mut Instance) -> Result<Result<T, String>, Failure>,
    ) -> Result<T, String> {
        let said = |found: &Diagnostics| found.sorted().first().map(|it| it.message.clone()).unwrap_or_default();
        let mut instance = Instance::new(&self.compilation, &self.options, None).map_err(|found| said(&found))?;
        let mut found = Diagnostics::default();
        apply(self.settings, &instance.stages(), &mut instance, &mut found);
        let start = |instance: &mut Instance| {
            instance.configure(TOLERANCE, seconds)?;
            instance.initialize()
        };
        let travelled = start(&mut instance).and_then(|()| go_on(&mut instance));
        travelled.map_err(|failure| said(&describe_failure(&failure, &instance)))?
    }

    fn answers(&self, question: &Question, at: usize, row: &[f64], t: f64) -> Vec<Answer> {
        let mut columns = row.iter().copied();
        let answers = question.asked.iter().zip(&self.stages().system.outputs).map(|(asked, output)| Answer {
            asked: asked.text.clone(),
            value: columns.by_ref().take(output.columns.len()).collect(),
            unit: base::Unit::coherent(asked.unit.dimension).text,
            told: asked.unit.clone(),
            stable: None,
            undecided: None,
            rate: None,
            moves_alone: false,
            reached: None,
            instant: Some(t),
            when: match &question.moment {
                Some(Moment::When(when)) => when.clone(),
                _ => String::new(),
            },
            along: Vec::new(),
            sensitivity: Vec::new(),
            complete: true,
            by: Vec::new(),
            question: at,
        });
        answers.collect()
    }
}
