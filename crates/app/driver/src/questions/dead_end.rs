//! Questions that the equations leave open: what is missing, and what would close them.

use expr::{Differentiator, Expr, Substitution, SymbolId};
use model::{Model, Question, Standing};

use super::case::Case;
use super::equations::Reach;
use super::{DeadEnd, Suggestion, Way};

/// Of one kind no more is suggested.
const FEW: usize = 4;

/// Says how many unknowns are left open by how many equations.
pub fn dead_end(model: &Model, question: &Question, case: &Case, reached: &Reach) -> DeadEnd {
    let arena = &case.system.arena;
    let name = |symbol: SymbolId| arena.symbol_name(symbol).to_string();
    let unknowns: Vec<String> = reached.unknowns.iter().map(|&symbol| name(symbol)).collect();
    let equations: Vec<String> = reached.rows.iter().map(|&row| case.rows[row].label.clone()).collect();
    let message = if reached.unknowns.contains(&case.system.time) {
        format!("`{}` depends on the time", question.text)
    } else {
        format!(
            "`{}` is not determined: {} for {} ({})",
            question.text,
            base::counted(unknowns.len(), "unknown", "unknowns"),
            base::counted(equations.len(), "equation", "equations"),
            base::listed(&unknowns.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>()),
        )
    };
    let mut suggestions = held_steady(model, case, reached);
    suggestions.extend(laws_left_out(model, &unknowns));
    suggestions.extend(optima(case, reached));
    suggestions.extend(given_values(model, question, case, reached));
    let asked: Vec<Expr> = case.asked.iter().flatten().copied().collect();
    // What has a rate of its own is a state, which a start would only give back.
    let is_state = |it: &Expr| arena.as_symbol(*it).is_some() && case.system.clock.known(*it).is_some();
    let follows = !asked.iter().all(is_state);
    DeadEnd { asked: question.text.clone(), message, unknowns, equations, suggestions, follows, span: question.span }
}

/// Where rates are among the unknowns, what they are the rates of may be steady.
fn held_steady(model: &Model, case: &Case, reached: &Reach) -> Vec<Suggestion> {
    let arena = &case.system.arena;
    let variables = case.system.variables.iter().filter(|variable| {
        let rate = case.system.clock.known(arena.symbol(variable.symbol)).and_then(|rate| arena.as_symbol(rate));
        rate.is_some_and(|rate| reached.unknowns.contains(&rate))
    });
    let mut things: Vec<String> = Vec::new();
    for variable in variables {
        let owners = model
            .things
            .iter()
            .filter(|thing| variable.name.strip_prefix(thing.name.as_str()).is_some_and(|rest| rest.starts_with('.')));
        if let Some(owner) = owners.max_by_key(|thing| thing.name.len())
            && !things.contains(&owner.name)
        {
            things.push(owner.name.clone());
        }
    }
    things
        .into_iter()
        .map(|thing| Suggestion::new(Way::Steady, format!("given steady({thing})"), "nothing of it changes any more"))
        .collect()
}

/// Laws that the scene leaves out by a word, or that assume what does not hold, and that are about things whose quantities are open. Rivals
/// of laws that hold would say the same once more.
fn laws_left_out(model: &Model, unknowns: &[String]) -> Vec<Suggestion> {
    let is_open =
        |thing: &str| unknowns.iter().any(|it| it.strip_prefix(thing).is_some_and(|rest| rest.starts_with('.')));
    let mut found: Vec<Suggestion> = Vec::new();
    for fragment in &model.fragments {
        let Standing::Left(reason) = &fragment.standing else { continue };
        let things = fragment.name.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let has_rival = reason.contains("describes the same");
        if has_rival || !things.split(", ").any(is_open) {
            continue;
        }
        let told = format!("`{}` is left out now: {reason}", fragment.name);
        let text = fragment.remedy.clone().unwrap_or_default();
        if text.is_empty() || !found.iter().any(|known| known.text == text) {
            found.push(Suggestion::new(Way::LawLeftOut, text, told));
        }
    }
    // Those that can be written stand first.
    found.sort_by_key(|it| it.text.is_empty());
    found.truncate(FEW);
    found
}

/// What can be set freely may be set for the best: a component of a sum in an equation with a rate has its largest or smallest value there.
fn optima(case: &Case, reached: &Reach) -> Vec<Suggestion> {
    let arena = &case.system.arena;
    let mut found = Vec::new();
    for &row in &reached.rows {
        let open = case.open_rows[row].residual;
        let symbols = arena.symbols_in(&[open]);
        if !case.steady.iter().any(|(rate, _)| symbols.contains(rate)) {
            continue;
        }
        let (statement, part) = equations::split_label(&case.rows[row].label);
        let Some(thing) = statement.split_once('(').and_then(|(_, rest)| rest.split([',', ')']).next()) else {
            continue;
        };
        for &unknown in &reached.unknowns {
            let slope = Differentiator::by(arena, arena.symbol(unknown)).derivative(arena, case.rows[row].residual);
            let at_rest = Substitution::new([(arena.symbol(unknown), arena.zero())]).apply(arena, slope);
            // Without an extreme, or with one only where there is nothing of it, there is nothing to set.
            let bends = arena.symbols_in(&[slope]).contains(&unknown);
            let is_state = case.steady.iter().any(|(_, of)| *of == unknown);
            if bends && !arena.is_zero(at_rest) && !is_state {
                let name = arena.symbol_name(unknown);
                let sum = format!("{thing}.force{}", if part.is_empty() { String::new() } else { format!(".{part}") });
                found.push(Suggestion::new(
                    Way::Optimum,
                    format!("assume trimmed: partial({sum}, {name}) == 0"),
                    format!("`{name}` is set so that `{sum}` is largest"),
                ));
            }
        }
    }
    found
}

/// Any of the unknowns may be given.
fn given_values(model: &Model, question: &Question, case: &Case, reached: &Reach) -> Vec<Suggestion> {
    let arena = &case.system.arena;
    let open = reached.unknowns.iter().filter_map(|symbol| {
        let variable = case.system.variables.iter().find(|variable| variable.symbol == *symbol)?;
        let name = arena.symbol_name(*symbol);
        let declared = model.quantities.iter().find(|it| it.name == variable.name).and_then(|it| it.unit.clone());
        let unit = declared.unwrap_or_else(|| variable.dimension.unit());
        (name != question.text)
            .then(|| Suggestion::new(Way::Given, format!("given {name} == 1 [{unit}]"), "if it is known"))
    });
    open.collect()
}
