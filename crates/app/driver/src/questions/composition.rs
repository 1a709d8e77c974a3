//! What a model was composed of for a question: how often each law stands in it, and how many unknowns it has.

use base::Diagnostics;
use expr::{Demand, Expr, Interval, is_impossible};
use model::{AssumptionKind, Model, Standing};

use super::case::{Case, Source, formulate};
use super::{Answers, Told, put_once};
use crate::pipeline::Stages;

/// The size of the model that answers a question, as the seed of this work counts it.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    pub asked: String,
    /// Which of the scene's questions it answers.
    pub question: usize,
    /// Whether its equations speak of rates, so that the answer comes from a run.
    pub differential: bool,
    /// Names of laws in the order of the text, each with the number of its instances.
    pub laws: Vec<(String, usize)>,
    /// Numbers that can be chosen at the start, and those that laws determine at every instant. What a kind says that its own quantities
    /// are is no unknown.
    pub unknowns: usize,
}

impl Composition {
    /// Counts the laws of some fragments.
    pub fn new(model: &Model, question: usize, differential: bool, used: &[usize], unknowns: usize) -> Composition {
        let mut laws: Vec<(String, usize)> = Vec::new();
        for &at in used {
            let law = &model.fragments[at].law;
            match laws.iter_mut().find(|(name, _)| name == law) {
                Some((_, count)) => *count += 1,
                None => laws.push((law.clone(), 1)),
            }
        }
        let asked = model.questions[question].text.clone();
        Composition { asked, question, differential, laws, unknowns }
    }

    /// `model of boat.speed: algebraic, 3 unknowns; newton 1, drag 2, lift 2`
    pub fn told(&self) -> String {
        let kind = if self.differential { "differential" } else { "algebraic" };
        let unknowns = base::counted(self.unknowns, "unknown", "unknowns");
        let laws: Vec<String> = self.laws.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let laws = if laws.is_empty() { String::new() } else { format!("; {}", laws.join(", ")) };
        format!("model of {}: {kind}, {unknowns}{laws}", self.asked)
    }
}

/// Tells of the laws of a run: those in force when it begins, and those that may take over.
pub fn of_run(model: &Model, question: usize, parameters: &[f64], stages: &Stages, out: &mut Answers) {
    // What watches a run has modes of its own, so that places differ; names do not.
    let in_run = |name: &str| stages.model.modes.iter().find(|mode| mode.name == name).map(|mode| mode.start);
    let start: Vec<usize> = model.modes.iter().map(|mode| in_run(&mode.name).unwrap_or(mode.start)).collect();
    let case = formulate(model, &model.questions[question], parameters, &start, &mut Diagnostics::default());
    let mut used = Vec::new();
    for (at, fragment) in model.fragments.iter().enumerate() {
        let told = |reason: String| Told::new(fragment.name.clone(), fragment.span, reason);
        let assumed = fragment.assumption.as_ref().map_or("", |it| it.text.as_str());
        let left = match (&fragment.standing, &stages.model.fragments[at].standing) {
            (Standing::Left(why), _) | (Standing::Holds, Standing::Left(why)) => Some(why.clone()),
            (Standing::Chosen(..), _) if case.as_ref().is_some_and(|case| never_holds(case, at)) => {
                Some(format!("it assumes `{assumed}`, which cannot be"))
            }
            (Standing::Chosen(mode, value), _) => {
                let before = |&it: &usize| matches!(model.fragments[it].standing, Standing::Chosen(of, first) if of == *mode && first < *value);
                let holds = |&it: &usize| case.as_ref().is_some_and(|case| always_holds(case, it));
                let rival = (0..model.fragments.len()).filter(before).find(holds);
                rival.map(|it| {
                    format!("`{}` describes the same, stands first, and always holds", model.fragments[it].name)
                })
            }
            _ => None,
        };
        if let Some(why) = left {
            out.tell_unused(told(why));
            continue;
        }
        used.push(at);
        let where_ = if assumed.is_empty() { "no other law of it holds".to_string() } else { format!("`{assumed}`") };
        out.tell_law(told(match (&fragment.standing, &stages.model.fragments[at].standing) {
            (_, Standing::Left(why)) => format!("would take over where {where_}, but a run ends there: {why}"),
            (Standing::Chosen(mode, value), _) if start[mode.index()] != *value => {
                format!("takes over where {where_}")
            }
            _ => "in force when the run begins".to_string(),
        }));
    }
    for assumption in &model.assumptions {
        let reason = match &assumption.kind {
            AssumptionKind::Equation(_) => "one of the equations",
            AssumptionKind::Condition(_) => "watched at every instant: a run ends where it fails",
            AssumptionKind::Choice => "laws speak of it",
            AssumptionKind::Steady(_) => continue,
        };
        let told = Told::new(assumption.name.clone(), assumption.span, reason.to_string());
        put_once(&mut out.assumptions, Told { of_scene: true, ..told });
    }
    let unknowns = unknowns(stages);
    out.compositions.push(Composition::new(model, question, true, &used, unknowns));
}

/// Whether what a law assumes is impossible within the ranges of all quantities.
fn never_holds(case: &Case, at: usize) -> bool {
    let condition = case.conditions.iter().find(|it| it.source == Source::Law(at));
    let Some(cases) = condition.and_then(|it| it.cases.as_ref()) else { return false };
    cases.iter().all(|atoms| {
        let demands: Vec<Demand> = atoms.iter().map(|atom| (atom.margin, Interval::NOT_NEGATIVE)).collect();
        is_impossible(&case.system.arena, &demands, &case.ranges)
    })
}

/// Whether what a law assumes holds by the values of parameters alone.
fn always_holds(case: &Case, at: usize) -> bool {
    let condition = case.conditions.iter().find(|it| it.source == Source::Law(at));
    let Some(cases) = condition.and_then(|it| it.cases.as_ref()) else { return false };
    let value = |margin: Expr| expr::evaluate(&case.system.arena, margin, &case.given);
    cases
        .iter()
        .any(|atoms| atoms.iter().all(|atom| value(atom.margin) > 0.0 || (!atom.strict && value(atom.margin) == 0.0)))
}

/// States that can be chosen, and quantities that laws or the scene determine at every instant.
fn unknowns(stages: &Stages) -> usize {
    let laws = &stages.plan.laws;
    let things = &stages.model.things;
    let is_definition = |row: &usize| {
        let label = &laws.rows[*row].label;
        things.iter().any(|thing| label.strip_prefix(thing.name.as_str()).is_some_and(|it| it.starts_with([':', '.'])))
    };
    let determined = laws.blocks.iter().filter(|block| !block.rows.iter().all(is_definition));
    let at_every_instant =
        determined.flat_map(|block| &block.quantities).filter(|&&quantity| laws.orders[quantity] == 0);
    // What watches for an extreme adds up what is asked, and is no part of the model.
    let watching = stages.system.variables.iter().filter(|it| it.name.starts_with(super::run::ASKED)).count();
    (stages.plan.freedoms.initial_values + at_every_instant.count()).saturating_sub(watching)
}
