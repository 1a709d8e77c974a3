//! Systems written down by hand, planned, compiled and run.

use std::sync::Arc;

use std::ops::ControlFlow;

use base::{Diagnostics, Dimension, Severity, Span};
use driver::{Run, Simulation};
use equations::{Energy, Initial, Law, LawRole, Level, Output, Parameter, System, Variable};
use expr::{Arena, Differentiator, Expr};

pub struct Builder {
    pub system: System,
}

impl Builder {
    /// The equations of a scene, to be added to.
    pub fn scene(text: &str) -> Builder {
        let compilation = driver::compile("scene", text, &driver::Options::default());
        let stages = compilation.stages.unwrap_or_else(|| panic!("{:?}", messages(&compilation.diagnostics)));
        Builder { system: Arc::into_inner(stages).expect("nobody else has them").system }
    }

    pub fn new(name: &str) -> Builder {
        let arena = Arc::new(Arena::new());
        let time = arena.new_symbol("t");
        let mut clock = Differentiator::new();
        clock.seed(arena.symbol(time), arena.one());
        let zero = arena.zero();
        Builder {
            system: System {
                name: name.to_string(),
                arena,
                time,
                parameters: Vec::new(),
                controls: Vec::new(),
                coordinates: Vec::new(),
                speeds: Vec::new(),
                constraints: Vec::new(),
                motion: Vec::new(),
                variables: Vec::new(),
                laws: Vec::new(),
                clock,
                initial: Vec::new(),
                families: Vec::new(),
                acting: Vec::new(),
                reactions: Vec::new(),
                bending: Vec::new(),
                energy: Energy { kinetic: zero, potential: zero, conserved: false },
                gravity: None,
                signals: Vec::new(),
                outputs: Vec::new(),
                automaton: Default::default(),
                contacts: None,
                picture: equations::Picture::default(),
                bodies: Vec::new(),
            },
        }
    }

    pub fn arena(&self) -> Arc<Arena> {
        self.system.arena.clone()
    }

    fn add(&mut self, name: &str, constant: bool, start: Option<f64>) -> Expr {
        let arena = self.arena();
        let symbol = arena.new_symbol(name);
        let expr = arena.symbol(symbol);
        if !constant {
            self.system.clock.seed_unknown(expr);
        }
        let start = start.map(|value| arena.number(value));
        let (dimension, span) = (Dimension::NONE, Span::default());
        self.system.variables.push(Variable { name: name.to_string(), symbol, constant, start, dimension, span });
        expr
    }

    pub fn variable(&mut self, name: &str) -> Expr {
        self.add(name, false, None)
    }

    pub fn started(&mut self, name: &str, start: f64) -> Expr {
        self.add(name, false, Some(start))
    }

    pub fn constant(&mut self, name: &str) -> Expr {
        self.add(name, true, None)
    }

    pub fn parameter(&mut self, name: &str, default: f64) -> Expr {
        let symbol = self.system.arena.new_symbol(name);
        self.system.parameters.push(Parameter {
            name: name.to_string(),
            symbol,
            default,
            unit: base::Unit::coherent(Dimension::NONE),
            description: None,
            span: Span::default(),
        });
        self.system.arena.symbol(symbol)
    }

    pub fn rate(&mut self, expr: Expr) -> Expr {
        let arena = self.arena();
        self.system.clock.derivative(&arena, expr)
    }

    pub fn time(&self) -> Expr {
        self.system.arena.symbol(self.system.time)
    }

    /// left == right, always.
    pub fn law(&mut self, label: &str, left: Expr, right: Expr) {
        let residual = self.system.arena.subtract(left, right);
        self.system.laws.push(Law::new(label.to_string(), residual, LawRole::Stated, Span::default()));
    }

    pub fn initially(&mut self, left: Expr, right: Expr) {
        let residual = self.system.arena.subtract(left, right);
        let label = format!("initial {}", self.system.initial.len() + 1);
        self.system.initial.push(Initial { label, residual, level: Level::Position, span: Span::default() });
    }

    pub fn show(&mut self, name: &str, value: Expr) {
        self.system.outputs.push(Output {
            name: name.to_string(),
            columns: vec![(name.to_string(), value)],
            words: None,
        });
    }

    pub fn number(&self, value: f64) -> Expr {
        self.system.arena.number(value)
    }
}

/// A text for the places that nothing here has.
pub fn sources() -> base::Sources {
    let mut sources = base::Sources::default();
    sources.add(base::Source::new("system", ""));
    sources
}

/// Everything that a run gave.
pub struct Ran {
    pub rows: Vec<(f64, Vec<f64>)>,
    pub constraint_error: f64,
    pub notices: Vec<String>,
    pub assumed: Vec<String>,
    pub orders: Vec<(String, usize)>,
    pub states: usize,
    pub statistics: driver::Statistics,
    /// How much code there is, all told.
    pub code: usize,
}

impl Ran {
    pub fn end(&self) -> &[f64] {
        &self.rows.last().expect("rows").1
    }
}

pub fn messages(sink: &Diagnostics) -> Vec<String> {
    sink.iter().map(|diagnostic| format!("{}: {}", diagnostic.code.0, diagnostic.message)).collect()
}

/// What is wrong with a system.
pub fn refused(system: &System) -> Vec<String> {
    let mut sink = Diagnostics::default();
    assert!(plan::classify(system, &mut sink).is_none(), "{:?}", messages(&sink));
    assert!(sink.has_errors());
    sink.iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| format!("{}: {}", diagnostic.code.0, diagnostic.message))
        .collect()
}

/// By explicit steps and by implicit ones, which agree.
pub fn run(system: &System, until: f64, every: f64) -> Ran {
    let explicit = run_at(system, until, every, program::Level::Full);
    let implicit = run_implicitly(system, Run { until, every, tolerance: 1e-10 });
    for ((_, explicit), (_, implicit)) in explicit.rows.iter().zip(&implicit.rows) {
        close(implicit, explicit, 1e-7);
    }
    explicit
}

pub fn run_at(system: &System, until: f64, every: f64, level: program::Level) -> Ran {
    run_with(system, Run { until, every, tolerance: 1e-10 }, level, program::Solver::Explicit)
}

pub fn run_implicitly(system: &System, run: Run) -> Ran {
    run_with(system, run, program::Level::Full, program::Solver::Implicit)
}

fn run_with(system: &System, run: Run, level: program::Level, solver: program::Solver) -> Ran {
    let mut sink = Diagnostics::default();
    let plan = plan::classify(system, &mut sink).unwrap_or_else(|| panic!("{:#?}", messages(&sink)));
    let program = program::instantiate(system, &plan);
    let (mut program, _) = program::optimize(program, level);
    program.integrals.iter_mut().for_each(|integral| integral.solver = solver);
    let module = lower::lower(
        &program,
        &sources(),
        lower::Options { explicit: lower::Method::DormandPrince8, implicit: lower::Method::Rodas5P, exchange: false },
    );
    let machine = driver::machine(&module).unwrap_or_else(|error| panic!("{error:?}"));
    let mut simulation = Simulation::new(&module, machine.clone());
    let mut rows = Vec::new();
    let (summary, result) = driver::run(
        &mut simulation,
        run,
        |t, values| {
            rows.push((t, values.to_vec()));
            ControlFlow::Continue(())
        },
        |_| ControlFlow::Continue(()),
    );
    if let Err(failure) = result {
        panic!("{failure:?}\n{}", program::print(&program));
    }
    let quantities = plan.laws.form.quantities.iter().zip(&plan.laws.orders);
    let assumed = plan.start.assumed.iter();
    Ran {
        rows,
        constraint_error: summary.constraint_error,
        notices: messages(&sink),
        assumed: assumed.map(|assumed| assumed.name.clone()).collect(),
        orders: quantities.map(|(quantity, &order)| (quantity.name.clone(), order)).collect(),
        states: program.integrals.iter().map(|integral| integral.states.len()).sum(),
        statistics: summary.statistics,
        code: module.functions.iter().map(|function| function.size()).sum(),
    }
}

/// Whether each value is what it should be.
pub fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{at}: {found} instead of {expected}");
    }
}
