//! Where in the text which thing is spoken of.

use std::collections::BTreeMap;

use base::Dimension;
use driver::Stages;
use editing::frame_of;
use model::{FRAME_FIELDS, FrameId, FrameQuantity, Model, SCENE_QUANTITIES, SceneQuantity, Shape, TermKind};

use super::id;
use super::place::Places;
use super::scene::{Columns, own_unit, unit_of};
use crate::protocol::{Reference, Span};

/// More than this, and no page is made clearer by them.
const MOST: usize = 20_000;

pub fn references(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Reference> {
    let model = &stages.model;
    // A loop speaks of many things at one place; each of them once.
    let mut found: BTreeMap<(Span, String), Reference> = BTreeMap::new();
    let mut add = |reference: Reference| {
        if found.len() < MOST {
            found.entry((reference.span, reference.id.clone())).or_insert(reference);
        }
    };
    declarations(model, places).into_iter().for_each(&mut add);
    for at in 0..model.terms.len() {
        let term = model.terms.get(model::TermId(at as u32));
        if !places.is_here(term.span) || term.span.start == term.span.end {
            continue;
        }
        let Some((id, what, value)) = spoken_of(model, &term.kind, stages, columns) else { continue };
        add(Reference {
            span: places.span(term.span),
            id,
            expression: Some(places.text(term.span).to_string()),
            what,
            unit: Some(unit_of(term.type_.amount.dimension())),
            dimension: Some(dimension_word(term.type_.amount.dimension())),
            frame: frame_of(model, &term.kind, term.type_.shape),
            shape: Some(match term.type_.shape {
                Shape::Scalar => "number",
                Shape::Vector => "vector",
                Shape::Quaternion => "quaternion",
                Shape::Matrix => "matrix",
                Shape::Condition => "condition",
            }),
            at: value,
        });
    }
    let mut list: Vec<Reference> = found.into_values().collect();
    let order = |span: &Span| (span.line, span.column, std::cmp::Reverse((span.end_line, span.end_column)));
    list.sort_by_key(|reference| order(&reference.span));
    list
}

fn declarations(model: &Model, places: &Places<'_>) -> Vec<Reference> {
    let declaration = |span: base::Span, id: String, what: &str| Reference {
        span: places.span(span),
        id,
        expression: None,
        what: what.to_string(),
        unit: None,
        dimension: None,
        frame: None,
        shape: None,
        at: None,
    };
    let given = |span: base::Span, id: String, what: &str, unit: &base::Unit| Reference {
        unit: Some(own_unit(unit)),
        dimension: Some(dimension_word(unit.dimension)),
        ..declaration(span, id, what)
    };
    let mut list = Vec::new();
    for (frame, body) in model.frames.iter().zip(model.bodies_of_frames()).skip(1) {
        let what = if body.is_some() { "body" } else { "frame" };
        let parent = Some(model.frame(frame.parent).name.clone());
        list.push(Reference { frame: parent, ..declaration(frame.span, format!("frame:{}", frame.name), what) });
    }
    let parameters = model.parameters.iter();
    list.extend(parameters.map(|one| given(one.span, format!("parameter:{}", one.name), "parameter", &one.unit)));
    let controls = model.controls.iter();
    list.extend(controls.map(|one| given(one.span, format!("control:{}", one.name), "control", &one.unit)));
    let constraints = model.constraints.iter();
    list.extend(constraints.map(|one| declaration(one.span, id::constraint(&one.label), "constraint")));
    list.extend(
        model.initial.iter().map(|one| declaration(one.span, format!("initial:{}", one.label), "initial condition")),
    );
    for (at, force) in model.forces.iter().enumerate() {
        list.push(declaration(force.span, format!("force:{at}"), "force"));
    }
    list.extend(
        model
            .potentials
            .iter()
            .map(|one| declaration(one.span, format!("potential:{}", one.label), "potential energy")),
    );
    list.extend(
        model.families.iter().map(|one| declaration(one.span, format!("potential:{}", one.label), "potential energy")),
    );
    for (at, figure) in model.picture.figures.iter().enumerate().filter(|(_, figure)| !figure.implied) {
        list.push(declaration(figure.span, format!("shape:{at}"), figure.row.meaning));
    }
    for (at, plot) in model.plots.iter().enumerate() {
        list.push(declaration(plot.span, format!("plot:{at}"), "plot"));
    }
    list
}

/// `velocity`, or, where there is no word, the formula of the unit.
fn dimension_word(dimension: Dimension) -> String {
    dimension.word().map_or_else(|| dimension.to_string(), str::to_string)
}

/// Id, words, and where the value stands in a row.
fn spoken_of(
    model: &Model,
    kind: &TermKind,
    stages: &Stages,
    columns: &Columns,
) -> Option<(String, String, Option<usize>)> {
    Some(match kind {
        TermKind::Parameter(at) => {
            (format!("parameter:{}", model.parameters[at.index()].name), "parameter".to_string(), None)
        }
        TermKind::Control(at) => (format!("control:{}", model.controls[at.index()].name), "control".to_string(), None),
        TermKind::Quantity(at) => {
            let name = &model.quantities[at.index()].name;
            let at = columns.states.iter().position(|state| state.name == *name);
            (id::coordinate(name), format!("quantity {name}"), at.map(|at| columns.first_state + at))
        }
        TermKind::Time => ("time:t".to_string(), "the time".to_string(), Some(columns.t)),
        TermKind::Frame(frame, quantity) => {
            let name = &model.frame(*frame).name;
            let row = FRAME_FIELDS.iter().find(|row| row.quantity == *quantity)?;
            let id = id::frame(model, *frame).unwrap_or("frame:world".to_string());
            (id, format!("{} of {name}", row.name), frame_value(stages, columns, *frame, *quantity))
        }
        TermKind::Scene(quantity) => {
            let row = SCENE_QUANTITIES.iter().find(|row| row.quantity == Some(*quantity))?;
            let at = match quantity {
                SceneQuantity::Energy => Some(columns.energy),
                SceneQuantity::Kinetic => Some(columns.kinetic),
                SceneQuantity::CentreOfMass => stages.system.picture.centre.map(|at| columns.picture + at),
                _ => None,
            };
            (format!("scene:{}", row.name), row.meaning.to_string(), at)
        }
        _ => return None,
    })
}

fn frame_value(stages: &Stages, columns: &Columns, frame: FrameId, quantity: FrameQuantity) -> Option<usize> {
    let place = stages.system.picture.frames.get(frame.index().checked_sub(1)?)?;
    let own = |part: &str| {
        let name = format!("{}.{part}", stages.model.frame(frame).name);
        columns.states.iter().position(|state| state.name == name).map(|at| columns.first_state + at)
    };
    match quantity {
        FrameQuantity::Position => Some(columns.picture + place.pose),
        FrameQuantity::Velocity => place.vectors.map(|at| columns.picture + at),
        FrameQuantity::Angle => own("angle"),
        FrameQuantity::X => own("x"),
        FrameQuantity::Y => own("y"),
        FrameQuantity::Z => own("z"),
        _ => None,
    }
}
