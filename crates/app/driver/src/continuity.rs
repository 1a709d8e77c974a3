//! Whether what moves goes on smoothly where one law takes over from another.

use base::Diagnostic;
use model::Standing;
use simulation::{Event, Failure, Run};

use crate::codes;
use crate::failure::number;
use crate::instance::Instance;

/// Takeovers that are looked at: the first of each kind.
const MOST: usize = 8;
/// How long before and after a takeover a run is looked at, relative to the time: a straight line leads from there to the instant itself.
const NEAR: f64 = 1e-7;
/// What is smaller than this, relative to the value and to the largest state, is what steps are off by.
const SMALL: f64 = 1e-5;

/// Warns of states that jump where a law takes over. The run is repeated as far as the last takeover that is looked at.
pub(crate) fn leaps(instance: &Instance, run: Run) -> Vec<Diagnostic> {
    let takeovers = takeovers(instance);
    if takeovers.is_empty() {
        return Vec::new();
    }
    // What fails here has failed in the run itself.
    look(instance, run, &takeovers).unwrap_or_default()
}

/// The first event of each kind at which a law takes over.
fn takeovers(instance: &Instance) -> Vec<Event> {
    let stages = instance.stages();
    let is_law = |name: &str| stages.model.fragments.iter().any(|it| it.name == name);
    let mut first: Vec<Event> = Vec::new();
    if !stages.model.fragments.iter().any(|it| matches!(it.standing, Standing::Chosen(..))) {
        return first;
    }
    for event in instance.events.iter().filter(|event| event.t > 0.0) {
        let is_takeover = event.name.split_once(" instead of ").is_some_and(|(law, _)| is_law(law));
        if is_takeover && first.len() < MOST && first.iter().all(|known| known.name != event.name) {
            first.push(event.clone());
        }
    }
    first
}

fn look(instance: &Instance, run: Run, takeovers: &[Event]) -> Result<Vec<Diagnostic>, Failure> {
    let stages = instance.stages();
    let mut again = instance.again();
    again.configure(run.tolerance, run.until)?;
    again.initialize()?;
    let Some(changes) = &stages.program.changes else { return Ok(Vec::new()) };
    // What equations determine at every instant, such as a force, may jump with them.
    let integrals = stages.program.integrals.iter();
    let moving: Vec<&str> =
        integrals.flat_map(|it| it.states.iter().chain(&it.followers)).map(|it| it.name.as_str()).collect();
    let mut found = Vec::new();
    for event in takeovers {
        let mut at = |t: f64| -> Result<Vec<f64>, Failure> {
            while !again.advance(t, 1000)? {}
            again.observe(t)?;
            again.states()
        };
        let [far, near, after] =
            [at(event.t * (1.0 - 2.0 * NEAR))?, at(event.t * (1.0 - NEAR))?, at(event.t * (1.0 + NEAR))?];
        let largest = near.iter().take(changes.variables.len()).fold(0.0, |most: f64, value| most.max(value.abs()));
        let leaps =
            changes.variables.iter().enumerate().filter(|(_, it)| moving.contains(&it.name.as_str())).filter_map(
                |(place, variable)| {
                    // From before and after to the instant itself, if it moved on as it did before.
                    let (before, now) = (near[place], after[place] - 2.0 * (near[place] - far[place]));
                    let leaps = (now - before).abs() > SMALL * before.abs().max(now.abs()).max(SMALL * largest);
                    leaps.then(|| format!("`{}` jumps from {} to {}", variable.name, number(before), number(now)))
                },
            );
        let leaps: Vec<String> = leaps.collect();
        if leaps.is_empty() {
            continue;
        }
        let span = stages.model.fragments.iter().find(|it| event.name.starts_with(&it.name)).map(|it| it.span);
        let message = format!("at t = {} s, {}: {}", number(event.t), event.name, leaps.join(", "));
        let mut warning = Diagnostic::warning(codes::LAW_LEAP, message);
        if let Some(span) = span {
            warning = warning.at(span, "takes over");
        }
        found.push(warning.hint(
            "laws that follow one another should agree where one takes over; what is meant to jump belongs in a `when`",
        ));
    }
    Ok(found)
}
