//! Optimisation of the program, as a list of passes, and an account of what they achieved.

use expr::{Cost, Expr, cost};

use crate::angles::expand_multiple_angles;
use crate::contact::Contacts;
use crate::decompose::decompose_systems;
use crate::divisors::drop_divisors;
use crate::needed::prune;
use crate::pivots::pivot_order;
use crate::program::{Binding, Changes, Curve, Function, Program, Surface, SystemInfo, SystemRole};
use crate::separate::separate_integral;
use crate::switch::{Switches, name_switches};
use crate::verify::verify_after;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// The scheme as it was filled in.
    None,
    #[default]
    Full,
}

/// What became of the systems and functions of a program.
#[derive(Clone, Debug)]
pub struct Report {
    pub systems: Vec<SystemReport>,
    pub operations: Vec<OperationReport>,
}

/// One system of equations: its size, and the sizes (equations, unknowns) of its components, the largest first.
#[derive(Clone, Debug)]
pub struct SystemReport {
    pub role: SystemRole,
    pub size: (usize, usize),
    pub components: Vec<(usize, usize)>,
    /// Those components that the program needs.
    pub needed: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub struct OperationReport {
    pub function: String,
    pub before: Cost,
    pub after: Cost,
}

pub fn optimize(mut program: Program, level: Level) -> (Program, Report) {
    let arena = program.arena.clone();
    name_switches(&mut program);
    verify_after("switches", &program);
    // Whatever the level, what is observed does not solve equations that it has no use for.
    prune(&arena, &mut program.observe);
    prune(&arena, &mut program.monitor);
    program.memory.iter_mut().for_each(|memory| prune(&arena, &mut memory.signals));
    watchers(&mut program.picture, &mut program.curves, &mut program.surfaces)
        .for_each(|function| prune(&arena, function));
    changing(&mut program.changes).for_each(|(_, function)| prune(&arena, function));
    program.switches.iter_mut().flat_map(Switches::functions).for_each(|function| prune(&arena, function));
    program.contacts.iter_mut().flat_map(Contacts::functions).for_each(|function| prune(&arena, function));
    drop_followers(&mut program);
    verify_after("prune", &program);
    let before = costs(&mut program);
    let mut systems = Vec::new();
    if level == Level::Full {
        systems = decompose_functions(&mut program);
        verify_after("decompose", &program);
        for (_, function) in functions(&mut program) {
            drop_divisors(&arena, function);
            expand_multiple_angles(&arena, function);
        }
        verify_after("divisors and angles", &program);
        choose_pivots(&mut program);
        verify_after("pivots", &program);
    }
    let after = costs(&mut program).into_iter().zip(before);
    let operations = after.map(|((function, after), (_, before))| OperationReport { function, before, after });
    let operations = operations.collect();
    // Transitions, switches and contacts look at all states within one step, what is remembered is remembered step by step, and derivatives belong to all states together.
    let is_separable = program.changes.is_none()
        && program.switches.is_none()
        && program.contacts.is_none()
        && program.memory.is_none()
        && program.directions == 0;
    if level == Level::Full && is_separable {
        let integrals = std::mem::take(&mut program.integrals);
        program.integrals = integrals.into_iter().flat_map(|integral| separate_integral(&arena, integral)).collect();
        verify_after("separate", &program);
    }
    (program, Report { systems, operations })
}

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To find states and their rates.
    Finding,
    /// To look at them: it solves the systems of the derivative once more.
    Looking,
}

fn decompose_functions(program: &mut Program) -> Vec<SystemReport> {
    let arena = program.arena.clone();
    let mut systems = std::mem::take(&mut program.systems);
    let mut reports = Vec::new();
    for (purpose, function) in functions(program) {
        let whole = sizes(function, &systems);
        decompose_systems(&arena, function, &mut systems);
        let components = sizes(function, &systems);
        prune(&arena, function);
        if purpose == Purpose::Finding {
            reports.extend(system_reports(whole, components, sizes(function, &systems)));
        }
    }
    program.systems = systems;
    reports
}

fn choose_pivots(program: &mut Program) {
    let arena = program.arena.clone();
    let points = std::mem::take(&mut program.points);
    for binding in functions(program).flat_map(|(_, function)| &mut function.body) {
        if let Binding::Linear(system) = binding {
            system.pivots = pivot_order(&arena, system, &points);
        }
    }
    program.points = points;
}

/// The operations of one evaluation of each function, without those of solving its systems.
fn costs(program: &mut Program) -> Vec<(String, Cost)> {
    let arena = program.arena.clone();
    functions(program).map(|(_, function)| (function.name.clone(), cost(&arena, &function.expressions()))).collect()
}

/// What follows from the states need not be kept if nothing that is observed depends on it, and no search begins with it.
fn drop_followers(program: &mut Program) {
    let watched = watchers(&mut program.picture, &mut program.curves, &mut program.surfaces)
        .flat_map(|function| function.expressions());
    let mut watched: Vec<Expr> = watched.collect();
    // Every coordinate is carried to the next mode.
    watched.extend(changing(&mut program.changes).flat_map(|(_, function)| function.expressions()));
    watched
        .extend(program.switches.iter_mut().flat_map(Switches::functions).flat_map(|function| function.expressions()));
    watched
        .extend(program.contacts.iter_mut().flat_map(Contacts::functions).flat_map(|function| function.expressions()));
    for integral in &mut program.integrals {
        let mut used = program.observe.expressions();
        used.extend(program.monitor.expressions());
        used.extend(program.memory.iter().flat_map(|memory| memory.signals.expressions()));
        used.extend(&watched);
        used.extend(integral.derivative.expressions());
        let seen = program.arena.symbols_in(&used);
        if !integral.followers.iter().any(|follower| seen.binary_search(&follower.symbol).is_ok()) {
            integral.followers.clear();
            integral.follow = None;
        }
    }
}

fn functions(program: &mut Program) -> impl Iterator<Item = (Purpose, &mut Function)> {
    let integrals = program
        .integrals
        .iter_mut()
        .flat_map(|integral| [Some(&mut integral.derivative), integral.stabilize.as_mut(), integral.follow.as_mut()])
        .flatten();
    let watchers = watchers(&mut program.picture, &mut program.curves, &mut program.surfaces);
    let switches = program.switches.iter_mut().flat_map(Switches::functions);
    let contacts = program.contacts.iter_mut().flat_map(Contacts::functions);
    let memory = program.memory.iter_mut().map(|memory| &mut memory.signals);
    let looking = |function| (Purpose::Looking, function);
    let finding = |function| (Purpose::Finding, function);
    [finding(&mut program.initialize), looking(&mut program.observe), looking(&mut program.monitor)]
        .into_iter()
        .chain(integrals.map(finding))
        .chain(watchers.chain(memory).chain(switches).chain(contacts).map(looking))
        .chain(changing(&mut program.changes))
}

/// The functions of transitions.
fn changing(changes: &mut Option<Changes>) -> impl Iterator<Item = (Purpose, &mut Function)> {
    changes.iter_mut().flat_map(|Changes { guards, margins, claims, all, carried, entries, reenter, .. }| {
        let each = all.iter_mut().flat_map(|change| [&mut change.carry, &mut change.aims, &mut change.seeds]);
        let entries = entries.iter_mut().chain(reenter).map(|entry| &mut entry.function);
        let looking = [guards, &mut margins.places, claims, carried].into_iter().chain(each);
        let looking = looking.map(|function| (Purpose::Looking, function));
        looking.chain(entries.map(|function| (Purpose::Finding, function)))
    })
}

/// The functions of the picture.
fn watchers<'p>(
    picture: &'p mut Option<Function>,
    curves: &'p mut [Curve],
    surfaces: &'p mut [Surface],
) -> impl Iterator<Item = &'p mut Function> {
    let curves = curves.iter_mut().map(|curve| &mut curve.function);
    let surfaces = surfaces.iter_mut().map(|surface| &mut surface.function);
    picture.iter_mut().chain(curves).chain(surfaces)
}

type Sizes = Vec<(SystemRole, (usize, usize))>;

/// The size of each system that a function solves.
fn sizes(function: &Function, systems: &[SystemInfo]) -> Sizes {
    let size =
        |binding: &Binding| (systems[binding.id().index()].role, (binding.equations(), binding.unknowns().len()));
    function.body.iter().map(size).collect()
}

fn system_reports(whole: Sizes, components: Sizes, needed: Sizes) -> Vec<SystemReport> {
    // A component without equations is an unknown that keeps its seed; nothing is solved for it.
    let of = |role: SystemRole, list: &Sizes| {
        let mut chosen: Vec<(usize, usize)> =
            list.iter().filter(|(other, size)| *other == role && size.0 > 0).map(|&(_, size)| size).collect();
        chosen.sort_by_key(|&(equations, unknowns)| std::cmp::Reverse((equations, unknowns)));
        chosen
    };
    // Where one role has many systems, they are counted as one.
    let mut reports: Vec<SystemReport> = Vec::new();
    for (role, size) in whole {
        match reports.iter_mut().find(|report| report.role == role) {
            Some(report) => report.size = (report.size.0 + size.0, report.size.1 + size.1),
            None => {
                let (components, needed) = (of(role, &components), of(role, &needed));
                reports.push(SystemReport { role, size, components, needed });
            }
        }
    }
    reports
}
