//! The scene as the page shows it.

use base::{Dimension, Sources, Span as Place};
use driver::{Compilation, ModeDiagram, Stages};
use kernel::protocol::{CONTACT_POINT, PICTURE_VALUES};
use model::{Figure, FrameId, Model, Output};
use program::{Changes, State};
use syntax::{Expr, ExprKind, Item, ItemKind, Tree, UnaryOperator};

use super::place::Places;
use super::{circuit, equation, handle, id, making, reference, slider};
use crate::protocol::{
    Actuator, Arrow, Camera, ContactPair, Contacts, Control, Curve, Ends, Frame, Layout, Light, Mode, Parameter, Plot,
    Prescription, Quantity, Scene, Series, Shape, Surface, Trace, Unit,
};

/// Which number of a row is what: time, energy, kinetic energy, drift, then states, then the picture with points of
/// contact at its end, then what is plotted.
pub struct Columns {
    pub t: usize,
    pub energy: usize,
    pub kinetic: usize,
    pub drift: usize,
    pub first_state: usize,
    pub states: Vec<StateColumn>,
    pub picture: usize,
    /// Points of contact, [`CONTACT_POINT`] numbers each.
    pub contacts: usize,
    pub outputs: usize,
    pub stride: usize,
}

pub struct StateColumn {
    pub name: String,
    pub dimension: Dimension,
    pub follows: bool,
    pub span: Place,
}

impl Columns {
    pub fn has_states_of(&self, other: &Columns) -> bool {
        let names = |columns: &'_ Columns| columns.states.iter().map(|state| state.name.clone()).collect::<Vec<_>>();
        names(self) == names(other)
    }
}

pub fn columns(stages: &Stages) -> Columns {
    let states = state_columns(stages);
    let first_state = 4;
    let picture = first_state + states.len();
    let contacts = picture + stages.system.picture.values.len();
    let seen = stages.module.arrays.iter().find(|array| array.name == PICTURE_VALUES);
    let outputs = seen.map_or(contacts, |seen| picture + seen.length);
    let stride = outputs + stages.program.outputs.len();
    Columns { t: 0, energy: 1, kinetic: 2, drift: 3, first_state, states, picture, contacts, outputs, stride }
}

/// All that the program integrates or follows, in the order of `kernel::protocol::STATES`.
fn state_columns(stages: &Stages) -> Vec<StateColumn> {
    let program = &stages.program;
    let column = |state: &State, follows| StateColumn {
        name: state.name.clone(),
        dimension: state.dimension,
        follows,
        span: state.span,
    };
    if let Some(changes) = &program.changes {
        return changing_columns(stages, changes);
    }
    let all = program.integrals.iter().flat_map(|integral| {
        let states = integral.states.iter().map(move |state| column(state, false));
        states.chain(integral.followers.iter().map(move |state| column(state, true)))
    });
    all.collect()
}

/// What a scene with modes can be resumed from, whatever the mode.
fn changing_columns(stages: &Stages, changes: &Changes) -> Vec<StateColumn> {
    let automaton = &stages.system.automaton;
    let variables = changes.variables.iter().map(|state| StateColumn {
        name: state.name.clone(),
        dimension: state.dimension,
        follows: false,
        span: state.span,
    });
    let own = |name: &str, dimension, span| StateColumn { name: name.to_string(), dimension, follows: true, span };
    let modes = automaton.modes.iter().map(|mode| own(&mode.name, Dimension::NONE, mode.span));
    let discrete =
        automaton.discrete.iter().map(|discrete| own(&discrete.name, discrete.unit.dimension, discrete.span));
    variables.chain(modes).chain(discrete).collect()
}

pub fn scene(compilation: &Compilation, stages: &Stages, tempo: f64) -> Scene {
    let Stages { model, system, .. } = stages;
    let places = Places::of_scene(&compilation.sources);
    let columns = columns(stages);
    Scene {
        name: model.name.clone(),
        description: description(&compilation.sources, &compilation.tree),
        tempo,
        parameters: parameters(model, &compilation.tree, &places),
        controls: controls(model, &places),
        frames: frames(stages, &compilation.tree, &columns, &places),
        shapes: shapes(stages, &columns, &places),
        curves: curves(stages, &columns, &places),
        surfaces: surfaces(stages, &columns, &places),
        traces: traces(stages, &columns, &places),
        cameras: cameras(stages, &columns, &places),
        lights: lights(model, &places),
        actuators: actuators(stages, &columns, &places),
        prescriptions: prescriptions(model, &places),
        contacts: contacts(model, &columns, &places),
        plots: plots(stages, &columns, &places),
        quantities: quantities(model, &columns, &places),
        references: reference::references(stages, &columns, &places),
        equations: equation::equations(system, &compilation.sources),
        modes: modes(stages, &columns, &places),
        circuit: circuit::circuit(model, &compilation.tree, &places),
        making: making::making(compilation, stages),
        layout: Layout {
            stride: columns.stride,
            t: columns.t,
            energy: energy(stages, &columns),
            kinetic: has_energy(stages).then_some(columns.kinetic),
            drift: columns.drift,
            centre: system.picture.centre.map(|at| columns.picture + at),
            conserved: system.energy.conserved,
        },
    }
}

fn actuators(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Actuator> {
    let model = &stages.model;
    let actuator = |(actuator, &at): (&model::Actuator, &usize)| {
        let quantity = &model.quantities[actuator.quantity.index()];
        Actuator {
            name: quantity.name.clone(),
            turns: quantity.type_.amount.dimension() != Dimension::FORCE,
            at: columns.picture + at,
            span: places.span(actuator.span),
        }
    };
    model.actuators.iter().zip(&stages.system.picture.actuators).map(actuator).collect()
}

/// Motions that are prescribed twice, in different modes or by different actuators, are one to whoever looks.
fn prescriptions(model: &Model, places: &Places<'_>) -> Vec<Prescription> {
    let mut all: Vec<Prescription> = Vec::new();
    for prescription in &model.prescriptions {
        let name = |id: &model::ActuatorId| &model.quantities[model.actuators[id.index()].quantity.index()].name;
        let using = prescription.using.iter().map(name).cloned();
        let label = &prescription.equation.label;
        match all.iter_mut().find(|known| known.label == *label) {
            Some(known) => {
                let new: Vec<String> = using.filter(|name| !known.using.contains(name)).collect();
                known.using.extend(new);
            }
            None => all.push(Prescription {
                label: label.clone(),
                using: using.collect(),
                span: places.span(prescription.equation.span),
            }),
        }
    }
    all
}

fn contacts(model: &Model, columns: &Columns, places: &Places<'_>) -> Option<Contacts> {
    let contacts = model.contacts.as_ref()?;
    let pair = |pair: &model::ContactPair| {
        let [first, second] = pair.things.map(|thing| &contacts.things[thing]);
        ContactPair {
            names: [first.name.clone(), second.name.clone()],
            frames: [first, second].map(|thing| id::frame(model, thing.frame)),
            span: places.span(pair.span),
        }
    };
    Some(Contacts {
        at: columns.contacts,
        count: (columns.outputs - columns.contacts) / CONTACT_POINT,
        pairs: contacts.pairs.iter().map(pair).collect(),
    })
}

fn modes(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Mode> {
    let mode = |diagram: ModeDiagram| {
        let at = columns.states.iter().position(|state| state.name == diagram.name)?;
        let arrows = diagram.arrows.into_iter().map(|arrow| Arrow { name: arrow.name, from: arrow.from, to: arrow.to });
        Some(Mode {
            name: diagram.name,
            values: diagram.values,
            arrows: arrows.collect(),
            at: columns.first_state + at,
            span: places.span(columns.states[at].span),
        })
    };
    driver::diagrams(&stages.model).into_iter().filter_map(mode).collect()
}

/// Whether the scene has an energy of its own: masses that move, or potentials.
fn has_energy(stages: &Stages) -> bool {
    let (energy, zero) = (&stages.system.energy, stages.system.arena.zero());
    energy.kinetic != zero || energy.potential != zero
}

/// The energy of the scene; else what its author calls so, if that is plotted.
fn energy(stages: &Stages, columns: &Columns) -> Option<usize> {
    if has_energy(stages) {
        return Some(columns.energy);
    }
    let called_so = |output: &&Output| {
        let type_ = stages.model.terms.get(output.term).type_;
        output.name == "energy" && type_.amount.dimension() == Dimension::ENERGY
    };
    let output = stages.model.outputs.iter().find(called_so)?;
    Some(series(stages, columns.outputs, output).first()?.at)
}

/// The first comment of a text.
pub fn description(sources: &Sources, tree: &Tree) -> String {
    let text = &sources.get(tree.span.source).text;
    let lines = text.lines().skip_while(|line| line.trim().is_empty());
    let comment = lines.map_while(|line| line.trim().strip_prefix("//").map(str::trim));
    comment.collect::<Vec<_>>().join(" ")
}

pub fn unit_of(dimension: Dimension) -> Unit {
    let text = if dimension.is_none() { String::new() } else { dimension.unit() };
    Unit { text, scale: 1.0 }
}

pub fn own_unit(unit: &base::Unit) -> Unit {
    Unit { text: if unit.text == "1" { String::new() } else { unit.text.clone() }, scale: unit.scale }
}

fn parameters(model: &Model, tree: &Tree, places: &Places<'_>) -> Vec<Parameter> {
    let parameter = |parameter: &model::Parameter| Parameter {
        id: format!("parameter:{}", parameter.name),
        name: parameter.name.clone(),
        unit: own_unit(&parameter.unit),
        default: parameter.default,
        range: slider::range(parameter.default, &parameter.unit),
        description: parameter.description.clone(),
        span: places.span(parameter.span),
        value_span: value_of(&tree.items, &parameter.name).map(|value| places.span(value)),
    };
    model.parameters.iter().map(parameter).collect()
}

/// Where the plain number that a parameter is given stands in the text.
fn value_of(items: &[Item], name: &str) -> Option<Place> {
    let plain = |value: &Expr| {
        let inner = match &value.kind {
            ExprKind::Unary { operator: UnaryOperator::Negate, operand } => operand,
            _ => value,
        };
        matches!(inner.kind, ExprKind::Number { .. } | ExprKind::Quantity { .. })
    };
    items.iter().find_map(|item| match &item.kind {
        ItemKind::Param(param) if param.name.text == name && param.name.indices.is_empty() && plain(&param.value) => {
            Some(param.value.span)
        }
        _ => None,
    })
}

fn controls(model: &Model, places: &Places<'_>) -> Vec<Control> {
    let control = |control: &model::Control| {
        let (low, high) = control.range.unwrap_or((-1.0, 1.0));
        Control {
            id: format!("control:{}", control.name),
            name: control.name.clone(),
            unit: own_unit(&control.unit),
            default: control.default,
            range: Ends { low, high },
            description: control.description.clone(),
            span: places.span(control.span),
        }
    };
    model.controls.iter().map(control).collect()
}

fn frames(stages: &Stages, tree: &Tree, columns: &Columns, places: &Places<'_>) -> Vec<Frame> {
    let model = &stages.model;
    let bodies = model.bodies_of_frames();
    // A parent may be declared after its children; the page wants it before.
    let mut order: Vec<FrameId> = (1..model.frames.len()).map(|at| FrameId(at as u32)).collect();
    order.sort_by_key(|&frame| depth(model, frame));
    let frame = |frame: FrameId| {
        let place = stages.system.picture.frames[frame.index() - 1];
        Frame {
            id: format!("frame:{}", model.frame(frame).name),
            name: model.frame(frame).name.clone(),
            parent: id::frame(model, model.frame(frame).parent),
            body: bodies[frame.index()].is_some(),
            at: columns.picture + place.pose,
            scale_at: place.scale.map(|at| columns.picture + at),
            vectors_at: place.vectors.map(|at| columns.picture + at),
            handles: handle::handles(&tree.items, &model.frame(frame).name, places),
            axis: handle::axis(&tree.items, &model.frame(frame).name).unwrap_or([0.0, 0.0, 1.0]),
            span: places.span(model.frame(frame).span),
        }
    };
    order.into_iter().map(frame).collect()
}

fn depth(model: &Model, frame: FrameId) -> usize {
    std::iter::successors(Some(frame), |&at| (at != model::WORLD).then(|| model.frame(at).parent)).count()
}

fn shapes(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Shape> {
    let pairs = stages.model.picture.figures.iter().zip(&stages.system.picture.figures);
    let shape = |(at, (figure, place)): (usize, (&Figure, &equations::FigurePlace))| Shape {
        id: format!("shape:{at}"),
        kind: figure.row.name,
        frame: id::frame(&stages.model, figure.frame),
        at: columns.picture + place.sizes,
        count: place.count,
        turn: turn(figure.along),
        turn_at: place.turned.map(|at| columns.picture + at),
        offset_at: place.offset.map(|at| columns.picture + at),
        color: figure.look.color.clone(),
        opacity: figure.look.opacity,
        file: figure.file.clone(),
        implied: figure.implied,
        span: places.span(figure.span),
    };
    pairs.enumerate().map(shape).collect()
}

/// The shortest turn that brings z to a unit vector: (1 + z·u, z × u), made a unit quaternion.
fn turn(along: [f64; 3]) -> [f64; 4] {
    let [x, y, z] = along;
    let quaternion = [1.0 + z, -y, x, 0.0];
    let size = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
    if size < 1e-9 { [0.0, 1.0, 0.0, 0.0] } else { quaternion.map(|part| part / size) }
}

fn curves(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Curve> {
    let pairs = stages.model.picture.curves.iter().zip(&stages.system.picture.curves);
    let curve = |(at, (curve, place)): (usize, (&model::Curve, &equations::Curve))| Curve {
        id: format!("curve:{at}"),
        at: columns.picture + place.radius,
        color: curve.look.color.clone(),
        opacity: curve.look.opacity,
        span: places.span(curve.span),
    };
    pairs.enumerate().map(curve).collect()
}

fn surfaces(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Surface> {
    let pairs = stages.model.picture.surfaces.iter().zip(&stages.system.picture.surfaces);
    let surface = |(at, (surface, place)): (usize, (&model::Surface, &equations::Surface))| Surface {
        id: format!("surface:{at}"),
        name: surface.name.clone(),
        frame: id::frame(&stages.model, surface.frame),
        at: columns.picture + place.place,
        color: surface.look.color.clone(),
        opacity: surface.look.opacity,
        span: places.span(surface.span),
    };
    pairs.enumerate().map(surface).collect()
}

fn traces(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Trace> {
    let pairs = stages.model.picture.traces.iter().zip(&stages.system.picture.traces);
    let trace = |(trace, &at): (&model::Trace, &usize)| Trace {
        frame: trace.frame.and_then(|frame| id::frame(&stages.model, frame)),
        at: columns.picture + at,
        color: trace.color.clone(),
        span: places.span(trace.span),
    };
    pairs.map(trace).collect()
}

fn cameras(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Camera> {
    let pairs = stages.model.picture.cameras.iter().zip(&stages.system.picture.cameras);
    let camera = |(number, (camera, [at, target])): (usize, (&model::Camera, &[usize; 2]))| Camera {
        id: format!("camera:{number}"),
        name: camera.name.clone(),
        on: id::frame(&stages.model, camera.on),
        at: columns.picture + at,
        target_at: columns.picture + target,
        span: places.span(camera.span),
    };
    pairs.enumerate().map(camera).collect()
}

fn lights(model: &Model, places: &Places<'_>) -> Vec<Light> {
    let light = |(at, light): (usize, &model::Light)| Light {
        id: format!("light:{at}"),
        name: light.name.clone(),
        from: light.from,
        color: light.color.clone(),
        span: places.span(light.span),
    };
    model.picture.lights.iter().enumerate().map(light).collect()
}

/// The plots of the text; if the program prints none of them, what it does print is plotted.
fn plots(stages: &Stages, columns: &Columns, places: &Places<'_>) -> Vec<Plot> {
    let model = &stages.model;
    let series = |output: &Output| series(stages, columns.outputs, output);
    if !model.plots.iter().flat_map(|plot| &plot.values).any(|value| !series(value).is_empty()) {
        let plot = |(at, output): (usize, &Output)| Plot {
            id: format!("plot:{at}"),
            series: series(output),
            against: None,
            probe: false,
            span: None,
        };
        return model.outputs.iter().enumerate().map(plot).collect();
    }
    let plot = |(at, plot): (usize, &model::Plot)| Plot {
        id: format!("plot:{at}"),
        series: plot.values.iter().flat_map(series).collect(),
        against: plot.against.iter().flat_map(series).next(),
        probe: false,
        span: Some(places.span(plot.span)),
    };
    model.plots.iter().enumerate().map(plot).collect()
}

/// In SI units, with `rad` for what turns.
fn shown_unit(model: &Model, output: &Output) -> Unit {
    Unit { text: model.unit_of(output.term), scale: 1.0 }
}

/// The columns of an output that the program prints, which prints its first one at `first`.
pub fn series(stages: &Stages, first: usize, output: &Output) -> Vec<Series> {
    let unit = shown_unit(&stages.model, output);
    let mut at = first;
    for printed in &stages.system.outputs {
        if printed.name == output.name {
            let column = |(place, (name, _)): (usize, &(String, expr::Expr))| Series {
                name: name.clone(),
                expression: output.name.clone(),
                unit: unit.clone(),
                at: at + place,
            };
            return printed.columns.iter().enumerate().map(column).collect();
        }
        at += printed.columns.len();
    }
    Vec::new()
}

/// The unit of a state: that of its dimension, with `rad` for angles of frames and their rates.
fn coordinate_unit(state: &StateColumn) -> Unit {
    let turns = state.name.trim_end_matches('\'').ends_with(".angle");
    match model::turning_unit(state.dimension).filter(|_| turns) {
        Some(text) => Unit { text: text.to_string(), scale: 1.0 },
        None => unit_of(state.dimension),
    }
}

fn quantities(model: &Model, columns: &Columns, places: &Places<'_>) -> Vec<Quantity> {
    let quantity = |(at, state): (usize, &StateColumn)| Quantity {
        id: id::coordinate(&state.name),
        name: state.name.clone(),
        unit: coordinate_unit(state),
        role: if state.follows { "follows" } else { "integrated" },
        frame: id::frame_of_coordinate(model, &state.name),
        at: columns.first_state + at,
        span: places.span(state.span),
    };
    columns.states.iter().enumerate().map(quantity).collect()
}
