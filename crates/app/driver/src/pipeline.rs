//! The one function that the whole compiler is.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::{Diagnostic, Diagnostics, Source, SourceId, Sources};
use equations::System;
use host::{Compiled, Instant, Listing};
use kernel::Module;
use lower::Method;
use mechanics::{Families, Rotations};
use model::Model;
use plan::Plan;
use program::{Program, Report};
use syntax::Tree;

use crate::candidates::candidates;
use crate::codes;
use crate::compose::compose;
use crate::data;
use crate::delays::refuse_plans;
use crate::left_out::leave_out;
use crate::library::{self, Loaded};
use crate::modes::watchers;
use crate::sensitivity::{differentiated, refuse_unknown_instants, varied};
use crate::settings::Settings;
use crate::solver::Solver;
use crate::touching::refuse_contacts;
use crate::trouble::goal_sizes;
use crate::used;

/// In bytes; what is not touched costs nothing.
pub const STACK: usize = 1 << 30;

/// How a scene is compiled.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the scene is, and theories of its own beside it.
    pub folder: Option<PathBuf>,
    /// What is recorded, as expressions of the language; what the scene plots, if there are none.
    pub probes: Vec<String>,
    pub rotations: Rotations,
    pub optimize: program::Level,
    /// Whether the program fills in what a picture needs.
    pub picture: bool,
    /// The frame that a hand can pull at; see `mechanics::HAND`.
    pub hand: Option<model::FrameId>,
    /// Prescribed motions that are switched off, by their labels: what they have actuators do is not done.
    pub released: Vec<String>,
    /// Whether potentials that loops repeat are kept as tables.
    pub families: Families,
    /// Decides the method of integration: explicit of order 8 below 10⁻⁷ and 5 above, implicit of order 13 below 10⁻⁸ and 5 above.
    pub tolerance: f64,
    pub solver: Solver,
    /// What a trial for the solver starts with; the defaults, if nobody says.
    pub tried_with: Settings,
    /// Parameters and controls by which all that is recorded is differentiated; behind a row stand its derivatives by each of them.
    pub sensitivities: Vec<String>,
    /// Whether integrators of other programs may drive the kernel (model exchange).
    pub exchange: bool,
    /// How many of the last transitions an export remembers: a power of two.
    pub events: usize,
    /// Assumptions and laws of the scene, by their names, to do without.
    pub without: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            folder: None,
            probes: Vec::new(),
            rotations: Rotations::default(),
            optimize: program::Level::default(),
            picture: false,
            hand: None,
            released: Vec::new(),
            families: Families::default(),
            tolerance: 1e-8,
            solver: Solver::default(),
            tried_with: Settings::default(),
            sensitivities: Vec::new(),
            exchange: false,
            events: kernel::protocol::EVENTS,
            without: Vec::new(),
        }
    }
}

/// Everything that came out of a text, as far as it went.
pub struct Compilation {
    pub sources: Arc<Sources>,
    pub diagnostics: Diagnostics,
    pub tree: Tree,
    /// None if there were errors. Whoever runs the scene shares them.
    pub stages: Option<Arc<Stages>>,
    pub timing: Vec<Timing>,
}

/// The result of each stage.
pub struct Stages {
    pub model: Model,
    pub system: System,
    pub plan: Plan,
    pub program: Program,
    pub report: Report,
    pub module: Module,
}

/// How long a stage took.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub stage: &'static str,
    pub time: Duration,
}

/// The text of the scene itself, among all that it uses.
pub(crate) const SCENE: SourceId = SourceId(0);

/// From text to kernel. Every stage goes as far as it can and reports what it finds.
pub fn compile(name: &str, text: &str, options: &Options) -> Compilation {
    // Definitions may rest on one another by the ten thousand.
    stacker::grow(STACK, || compile_on_this_stack(name, text, options))
}

fn compile_on_this_stack(name: &str, text: &str, options: &Options) -> Compilation {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    let mut clock = Clock::new();
    let source = sources.add(Source::new(name, text));
    debug_assert_eq!(source, SCENE, "theories come after the scene");
    let tree = clock.time("parse", || syntax::parse(source, text, &mut sink));
    let stages = stages(&tree, options, &mut sources, &mut sink, &mut clock);
    let (sources, stages) = (Arc::new(sources), stages.map(Arc::new));
    Compilation { sources, diagnostics: sink, tree, stages, timing: clock.timing }
}

fn stages(
    tree: &Tree,
    options: &Options,
    sources: &mut Sources,
    sink: &mut Diagnostics,
    clock: &mut Clock,
) -> Option<Stages> {
    let probes = probes(&options.probes, sources, sink);
    let (mut model, loaded) = resolved(tree, &probes, options, sources, sink, clock)?;
    model.prescriptions.retain(|prescription| !options.released.contains(&prescription.equation.label));
    if probes.is_empty() {
        model.print_by_default();
    }
    if let Err(found) = watchers(&model) {
        found.iter().for_each(|found| sink.report(found.clone()));
        return None;
    }
    let trees: Vec<&Tree> = loaded.iter().map(|loaded| &loaded.tree).chain([tree]).collect();
    let mut whole = (!model.quantities.is_empty()).then(|| model.clone());
    let mut own = Diagnostics::default();
    let stages = composed(model, &trees, options, sources, &mut own, clock);
    let open = [plan::UNDER_DETERMINED, codes::NO_LAW];
    if let (None, Some(mut less)) = (&stages, whole.take_if(|_| own.iter().any(|found| open.contains(&found.code)))) {
        let mut again = Diagnostics::default();
        if leave_out(&mut less, options, &mut again)
            && let Some(stages) = composed(less, &trees, options, sources, &mut again, clock)
        {
            again.iter().for_each(|found| sink.report(found.clone()));
            return Some(stages);
        }
    }
    own.iter().for_each(|found| sink.report(found.clone()));
    stages
}

/// The stages of a model with the laws that hold at its start.
fn composed(
    mut model: Model,
    trees: &[&Tree],
    options: &Options,
    sources: &Sources,
    sink: &mut Diagnostics,
    clock: &mut Clock,
) -> Option<Stages> {
    clock.time("compose", || compose(&mut model, options, sink))?;
    stages_in_mode(model, None, trees, options, sources, sink, clock)
}

/// The model of a text, and the theories that it uses.
fn resolved(
    tree: &Tree,
    probes: &[(String, syntax::Expr)],
    options: &Options,
    sources: &mut Sources,
    sink: &mut Diagnostics,
    clock: &mut Clock,
) -> Option<(Model, Vec<Loaded>)> {
    let loaded = clock.time("parse theories", || library::load(tree, options.folder.as_deref(), sources, sink));
    if sink.iter().any(|diagnostic| [codes::UNKNOWN_THEORY, codes::CYCLIC_THEORIES].contains(&diagnostic.code)) {
        // What else there would be to say rests on these.
        return None;
    }
    let texts: Vec<&Tree> = loaded.iter().map(|loaded| &loaded.tree).chain([tree]).collect();
    let data = clock.time("read data", || data::load(&texts, options.folder.as_deref(), sources, sink));
    let used = clock.time("read files", || used::load(tree, options.folder.as_deref(), sources, sink));
    let theories: Vec<model::Theory<'_>> = loaded.iter().map(Loaded::as_theory).collect();
    let files: Vec<model::UsedFile<'_>> = used.iter().map(used::Used::as_members).collect();
    let library = model::Library {
        used: &theories,
        elsewhere: &library::theory_of,
        data: &data,
        files: &files,
        without: &options.without,
    };
    let model = clock.time("resolve", || model::resolve(tree, &library, probes, sink))?;
    Some((model, loaded))
}

/// The model of a text, for whoever wants no program of it.
pub(crate) fn read_model(
    name: &str,
    text: &str,
    options: &Options,
    sink: &mut Diagnostics,
) -> (Sources, Option<Model>) {
    let mut sources = Sources::default();
    let source = sources.add(Source::new(name, text));
    let tree = syntax::parse(source, text, sink);
    let model = resolved(&tree, &[], options, &mut sources, sink, &mut Clock::new()).map(|(model, _)| model);
    (sources, model)
}

/// The stages of one mode of a model; of that in which it starts, if none is given.
fn stages_in_mode(
    model: Model,
    mode: Option<Vec<usize>>,
    trees: &[&Tree],
    options: &Options,
    sources: &Sources,
    sink: &mut Diagnostics,
    clock: &mut Clock,
) -> Option<Stages> {
    let Options { rotations, picture, hand, families, .. } = *options;
    let mechanics = mechanics::Options { rotations, picture, hand, mode, families };
    let system = clock.time("formulate", || mechanics::formulate(&model, mechanics, sink))?;
    let faults = sink.iter().count();
    refuse_contacts(&model, &system, options.solver, sink);
    refuse_plans(&system, sink);
    let varied = varied(&system, &options.sensitivities, sink);
    if sink.iter().count() > faults {
        return None;
    }
    let missing = |open: &[String]| candidates(open, &model, trees);
    let plan = clock.time("plan", || plan::classify_with(&system, &missing, sink))?;
    let program = clock.time("synthesize", || program::instantiate(&system, &plan));
    let program = match options.sensitivities.is_empty() {
        true => program,
        false => differentiated(program, varied, sink)?,
    };
    let (mut program, report) = clock.time("optimize", || program::optimize(program, options.optimize));
    refuse_unknown_instants(&program, sink);
    if sink.iter().count() > faults && sink.has_errors() {
        return None;
    }
    let module = clock.time("lower", || lower_for(&mut program, sources, options));
    Some(Stages { model, system, plan, program, report, module })
}

/// The same scene in another mode, which is the value of each mode variable.
pub fn compile_mode(
    model: &Model,
    mode: &[usize],
    options: &Options,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<Stages> {
    let stages = |model: Model, sink: &mut Diagnostics| {
        let mode = Some(mode.to_vec());
        stacker::grow(STACK, || stages_in_mode(model, mode, &[], options, sources, sink, &mut Clock::new()))
    };
    let mut own = Diagnostics::default();
    let found = stages(model.clone(), &mut own);
    let starts_elsewhere = mode.iter().zip(&model.modes).any(|(value, mode)| *value != mode.start);
    if found.is_none() && starts_elsewhere && !model.initial.is_empty() {
        // What holds at the start of the scene need not hold in a mode that it reaches later.
        let later = Model { initial: Vec::new(), ..model.clone() };
        if let Some(found) = stages(later, &mut Diagnostics::default()) {
            return Some(found);
        }
    }
    own.iter().for_each(|found| sink.report(found.clone()));
    found
}

/// The program of a mode in which plans are rehearsed, and its kernel.
pub(crate) struct Rehearsal {
    pub program: Program,
    pub module: Module,
}

/// The same mode, with the derivatives by all that a plan of the scene may choose.
pub(crate) fn rehearsal(stages: &Stages, options: &Options, sources: &Sources) -> Rehearsal {
    let tolerance = options.tolerance.min(kernel::executive::plans::TOLERANCE);
    stacker::grow(STACK, || {
        let program = program::instantiate(&stages.system, &stages.plan);
        let program = program::with_tangents(program, directions(&stages.model));
        let (mut program, _) = program::optimize(program, options.optimize);
        let module = lower_for(&mut program, sources, &Options { tolerance, exchange: false, ..options.clone() });
        Rehearsal { program, module }
    })
}

/// The same mode, with the derivatives along each of its states and controls.
pub(crate) fn in_all_directions(stages: &Stages) -> (Program, Module) {
    stacker::grow(STACK, || {
        let program = program::with_all_directions(program::instantiate(&stages.system, &stages.plan));
        let (mut program, _) = program::optimize(program, program::Level::None);
        let options = Options { tolerance: 1e-12, solver: Solver::Explicit, ..Options::default() };
        let module = lower_for(&mut program, &Sources::default(), &options);
        (program, module)
    })
}

/// The most numbers that any plan of a scene chooses.
pub(crate) fn directions(model: &Model) -> usize {
    let numbers =
        |it: &model::Transition| it.choices.iter().map(|(discrete, _)| model.discrete[discrete.index()].size()).sum();
    model.transitions.iter().map(numbers).max().unwrap_or(0)
}

/// The most numbers that any plan of a scene aims at or limits.
pub(crate) fn goals(model: &Model) -> usize {
    let numbers = |plan: usize| goal_sizes(model, plan).map(|(_, count)| count).sum();
    (0..model.transitions.len()).map(numbers).max().unwrap_or(0)
}

/// The transitions of a scene that end a run, by their numbers.
pub(crate) fn stops(model: &Model) -> Vec<usize> {
    let all = model.transitions.iter().enumerate();
    all.filter(|(_, transition)| transition.stops).map(|(number, _)| number).collect()
}

/// The kernel of a program, with the solver and for the tolerance that are asked for.
fn lower_for(program: &mut Program, sources: &Sources, options: &Options) -> Module {
    let solver = match options.solver {
        Solver::Auto | Solver::Explicit => program::Solver::Explicit,
        Solver::Implicit => program::Solver::Implicit,
    };
    program.integrals.iter_mut().for_each(|integral| integral.solver = solver);
    kernel_of(program, sources, options)
}

/// The kernel of a program whose solver is known.
pub(crate) fn kernel_of(program: &Program, sources: &Sources, options: &Options) -> Module {
    let explicit = match explicit_order(options.tolerance) {
        8 => Method::DormandPrince8,
        _ => Method::DormandPrince5,
    };
    let implicit = match implicit_order(options.tolerance) {
        13 => Method::Radau13,
        _ => Method::Rodas5P,
    };
    lower::lower(program, sources, lower::Options { explicit, implicit, exchange: options.exchange })
}

/// The order of explicit steps for a tolerance.
pub fn explicit_order(tolerance: f64) -> u32 {
    if tolerance < 1e-7 { 8 } else { 5 }
}

/// The order of implicit steps for a tolerance.
pub fn implicit_order(tolerance: f64) -> u32 {
    if tolerance < 1e-8 { 13 } else { 5 }
}

/// The program with another solver.
///
/// # Panics
/// If somebody runs the scene already.
pub(crate) fn solve_otherwise(stages: &mut Arc<Stages>, sources: &Sources, options: &Options) {
    let stages = Arc::get_mut(stages).expect("the solver is chosen before anything runs");
    stages.module = lower_for(&mut stages.program, sources, options);
}

/// Each probe is an expression of the language, in a text of its own.
fn probes(texts: &[String], sources: &mut Sources, sink: &mut Diagnostics) -> Vec<(String, syntax::Expr)> {
    let parse = |text: &String| {
        let source = sources.add(Source::new("--probe", text));
        (text.trim().to_string(), syntax::parse_expression(source, text, sink))
    };
    texts.iter().map(parse).collect()
}

/// From kernel to machine code.
pub fn machine(module: impl Into<Arc<Module>>) -> Result<Arc<Compiled>, Diagnostic> {
    grown_machine(None, module.into())
}

/// From a kernel that grew to machine code: what is as it was in the code before is not compiled again.
pub(crate) fn grown_machine(before: Option<&Compiled>, module: Arc<Module>) -> Result<Arc<Compiled>, Diagnostic> {
    let compiled = match before {
        Some(before) => host::extend(before, module),
        None => host::compile(module),
    };
    compiled.map(Arc::new).map_err(|error| defect(error.to_string()))
}

/// What is known about the machine code of each function, and the code itself, to be read.
pub(crate) fn listings(module: &Module) -> Result<Vec<Listing>, Diagnostic> {
    host::listings(module).map_err(|error| defect(error.to_string()))
}

/// A kernel that is none, or of which no code can be made.
pub(crate) fn defect(error: String) -> Diagnostic {
    Diagnostic::error(codes::CODE_GENERATION, "no machine code could be made of this scene")
        .note(error)
        .hint("if the scene is very large, try a smaller one; otherwise this is a defect of Ansatz, please report it")
}

struct Clock {
    timing: Vec<Timing>,
}

impl Clock {
    fn new() -> Clock {
        Clock { timing: Vec::new() }
    }

    fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.timing.push(Timing { stage, time: start.elapsed() });
        result
    }
}
