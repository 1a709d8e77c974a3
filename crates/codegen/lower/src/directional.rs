//! How rates and outputs of a finished program change with its states, parameters, controls and the time, along one direction at a time: what units for
//! other simulators call directional derivatives.
//!
//! The entry points that other integrators call get twins that carry derivatives ([`ModuleBuilder::tangents`]). Twins of what is made of bits or found by
//! iteration would be wrong, so they are written here: elementary functions have the derivatives of textbooks, and the solution of equations
//! r(x, p) = 0 has dx with ∂r/∂x dx = −∂r/∂p dp, by the solver's own step. All else is arithmetic, and so are its derivatives.

use std::collections::BTreeMap;

use kernel::Type::{self, Integer, Real};
use kernel::{
    ArrayId, Block, Expression, FunctionBuilder, FunctionId, Module, ModuleBuilder, Statement, Tangents, Term, protocol,
};
use numerics::elementary::{Elementary, Function};

/// `(t: real, t_slope: real) -> integer`: the derivatives of rates and outputs along the direction in the arrays of the slopes of states,
/// parameters and controls, which are zero afterwards. Needs: `hold` at this time.
pub const SLOPES: &str = "slopes";

/// The array with the derivatives of another one.
pub fn slopes_of(array: &str) -> String {
    format!("{array}_slope")
}

/// The module with [`SLOPES`]; none if it has no entry points for other integrators, or a solver that is not known here.
pub fn with_slopes(module: &Module) -> Option<Module> {
    let roots: Vec<FunctionId> = [protocol::HOLD, protocol::SAMPLE, protocol::OBSERVE]
        .into_iter()
        .map(|name| module.find_function(name))
        .collect::<Option<_>>()?;
    let given: Vec<ArrayId> = [protocol::STATES, protocol::PARAMETERS, protocol::CONTROLS]
        .into_iter()
        .filter_map(|name| module.find_array(name))
        .collect();
    let special = module.function_ids().map(|id| special(module, id)).collect::<Option<Vec<_>>>()?;
    let of = |id: FunctionId| special.get(id.0 as usize).and_then(Option::as_ref);
    // What the twins written here do not need gets none: so bodies are left out first.
    let mut builder = copied(module, |f, id| {
        let function = module.function(id);
        match of(id) {
            Some(special) => special.leave_out(f),
            None if function.name.contains(AFTER_STEP) => write_body(f, function, &always_copied(&function.body)),
            None => return false,
        }
        true
    });
    let tangents = builder.tangents(&roots, &given);
    let generic = builder.finish();
    let reached = generic.reached_from(&roots).into_iter().filter(|&id| of(id).is_some());
    let twins: BTreeMap<u32, FunctionId> = reached.map(|id| (tangents.function(id).0, id)).collect();
    if twins.values().any(|&id| !of(id).is_some_and(|special| special.is_whole(&tangents))) {
        return None;
    }
    let mut elementary = Elementary::new();
    let mut builder = copied(&generic, |f, id| match twins.get(&id.0) {
        Some(&original) => {
            match of(original).expect("it is special") {
                Special::Elementary(function) => textbook(f, *function, original, &mut elementary),
                Special::Newton(newton) => newton.solved(f, original, &tangents),
            }
            true
        }
        None if (id.0 as usize) < module.functions.len() => {
            write(f, module.function(id));
            true
        }
        None => false,
    });
    entry(&mut builder, &tangents, &roots, &given);
    let mut module = builder.finish();
    // Derivatives of what only decides are read by nobody.
    kernel::remove_unused(&mut module.functions);
    Some(module)
}

/// A function whose generic twin would be wrong.
enum Special {
    Elementary(Function),
    Newton(Newton),
}

/// The parts of a solver.
struct Newton {
    evaluate: FunctionId,
    step: FunctionId,
    unknowns: (ArrayId, usize),
    residuals: (ArrayId, usize),
    change: ArrayId,
}

/// Nothing at all if it is a solver that is not known.
fn special(module: &Module, id: FunctionId) -> Option<Option<Special>> {
    let function = module.function(id);
    if let Some(known) = Function::named(&function.name) {
        return Some(Some(Special::Elementary(known)));
    }
    // A solver without equations calls nothing, and nothing changes in it.
    match function.note == numerics::NEWTON_NOTE && !function.callees().is_empty() {
        true => newton(module, id).map(|newton| Some(Special::Newton(newton))),
        false => Some(None),
    }
}

/// The parts of a solver of [`numerics::newton`], as its function speaks of them.
fn newton(module: &Module, solve: FunctionId) -> Option<Newton> {
    let body = &module.function(solve).body;
    let mut calls = Vec::new();
    called(body, &mut calls);
    let &[evaluate, measure, step, ..] = &calls[..] else { return None };
    // Its first loop notes where the unknowns begin; what measures residuals notes the worst of them; negligible steps are told by what they change.
    let unknowns = body.iter().find_map(|statement| match statement {
        Statement::For { body, .. } => copied_from(body),
        _ => None,
    })?;
    let residuals =
        find(&module.function(measure).body, &mut |statement| copied_from(std::slice::from_ref(statement)))?;
    let iteration = body.iter().rev().find_map(|statement| match statement {
        Statement::For { body, .. } => Some(body),
        _ => None,
    })?;
    let change = find(iteration, &mut |statement| match statement {
        Statement::Assign(_, value) => first_load(value),
        _ => None,
    })?;
    let step = Some(step).filter(|&step| module.function(step).results.is_empty())?;
    let sized = |array: ArrayId| (array, module.array(array).length);
    Some(Newton { evaluate, step, unknowns: sized(unknowns), residuals: sized(residuals), change })
}

impl Special {
    /// The least body that calls what the twin will call.
    fn leave_out(&self, f: &mut FunctionBuilder) {
        match self {
            Special::Elementary(function) => {
                let zero = |kind: &Type| match kind {
                    Real => Expression::from(0.0),
                    Integer => Expression::from(0),
                };
                f.return_(function.row().results.iter().map(zero).collect::<Vec<Expression>>());
            }
            Special::Newton(newton) => {
                let status = f.call1(newton.evaluate, ());
                f.return_(status);
            }
        }
    }

    /// Whether there are derivatives of all that its twin speaks of.
    fn is_whole(&self, tangents: &Tangents) -> bool {
        match self {
            Special::Elementary(_) => true,
            Special::Newton(it) => [it.unknowns.0, it.residuals.0].iter().all(|&array| tangents.array(array).is_some()),
        }
    }
}

fn called(block: &[Statement], found: &mut Vec<FunctionId>) {
    for statement in block {
        if let Statement::Call { function, .. } = statement
            && !found.contains(function)
        {
            found.push(*function);
        }
        statement.blocks().for_each(|inner| called(inner, found));
    }
}

/// The array of which a block copies an element.
fn copied_from(block: &[Statement]) -> Option<ArrayId> {
    block.iter().find_map(|statement| match statement {
        Statement::Store { value: Expression::Load { array, .. }, .. } if array.element == Real => Some(*array),
        _ => None,
    })
}

fn find<T>(block: &Block, look: &mut impl FnMut(&Statement) -> Option<T>) -> Option<T> {
    block
        .iter()
        .find_map(|statement| look(statement).or_else(|| statement.blocks().find_map(|inner| find(inner, look))))
}

fn first_load(expression: &Expression) -> Option<ArrayId> {
    match expression {
        Expression::Load { array, .. } if array.element == Real => Some(*array),
        _ => expression.children().iter().find_map(first_load),
    }
}

/// A module that can be added to; bodies are those that `other` writes, or else the same.
fn copied(module: &Module, mut other: impl FnMut(&mut FunctionBuilder, FunctionId) -> bool) -> ModuleBuilder {
    let mut builder = ModuleBuilder::new(&module.name);
    for array in &module.arrays {
        let id = builder.array(&array.name, array.element, array.length, &array.note);
        if let Some(initial) = &array.initial {
            builder.set_initial(id, initial.clone());
        }
        builder.name_slots(id, array.slots.iter().map(|slot| (slot.name.as_str(), slot.note.clone())));
    }
    for function in &module.functions {
        let parameters: Vec<_> = function.parameters().map(|id| (function.local(id).name.as_str(), id.kind)).collect();
        let id = builder.declare(&function.name, &parameters, &function.results);
        builder.describe(id, &function.note);
    }
    for id in module.function_ids() {
        builder.define(id, |f| {
            if !other(f, id) {
                write(f, module.function(id));
            }
        });
    }
    builder
}

fn write(f: &mut FunctionBuilder, function: &kernel::Function) {
    write_body(f, function, &function.body);
}

fn write_body(f: &mut FunctionBuilder, function: &kernel::Function, body: &[Statement]) {
    for local in &function.locals[function.parameter_count..] {
        f.local(&local.name, local.kind);
    }
    body.iter().for_each(|statement| f.push(statement.clone()));
}

/// What moves states onto constraints; it copies them back only where that changed them. Where they are on the constraints, their derivatives change all the
/// same, so those are always copied.
const AFTER_STEP: &str = "after_step";

fn always_copied(block: &[Statement]) -> Vec<Statement> {
    let is_copy = |statement: &Statement| match statement {
        Statement::For { body, .. } => copied_from(body).is_some() && body.len() == 1,
        _ => false,
    };
    let statements = block.iter().flat_map(|statement| match statement {
        Statement::If { then, otherwise, .. } if otherwise.is_empty() && then.iter().all(is_copy) => then.clone(),
        other => vec![other.clone()],
    });
    statements.collect()
}

impl Newton {
    /// x is found as ever; then residuals are how they change where x changes as its guess did, and the step from there is what is missing.
    fn solved(&self, f: &mut FunctionBuilder, solve: FunctionId, tangents: &Tangents) {
        let slopes = [self.unknowns.0, self.residuals.0].map(|array| tangents.array(array).expect("it is whole"));
        let ([x_slope, residual_slope], (residual, m)) = (slopes, self.residuals);
        let status = f.call1(solve, ());
        f.if_(status.ne_(0), |f| f.return_(status));
        let status = f.call1(tangents.function(self.evaluate), ());
        f.if_(status.ne_(0), |f| f.return_(status));
        f.for_each("i", 0, m, |f, i| f.store(residual, i, residual_slope.at(i)));
        f.call(self.step, ());
        f.for_each("j", 0, self.unknowns.1, |f, j| f.store(x_slope, j, x_slope.at(j) + self.change.at(j)));
        let status = f.call1(self.evaluate, ());
        f.return_(status);
    }
}

/// The value, or values, and the derivatives behind them.
fn textbook(f: &mut FunctionBuilder, function: Function, original: FunctionId, elementary: &mut Elementary) {
    let count = function.row().parameters.len();
    let [x, second] = [0, usize::from(count > 1)].map(|at| f.parameter(at));
    let [dx, d_second] = [count, 2 * count - 1].map(|at| f.parameter(at));
    let mut other = |f: &mut FunctionBuilder, wanted: Function, arguments: Vec<Expression>| {
        let known = f.module().module().find_function(wanted.row().name);
        let id = known.unwrap_or_else(|| elementary.function(f.module(), wanted));
        f.call1(id, arguments)
    };
    if let Function::SinCos = function {
        let [sine, cosine] = f.call_n(original, x);
        return f.return_((sine, cosine, cosine * dx, -sine.get() * dx));
    }
    if let Function::QuarterTurns = function {
        let [quarters, high, low] = f.call_n(original, x);
        return f.return_((quarters.get(), high.get(), low.get(), dx.get(), Expression::from(0.0)));
    }
    let arguments: Vec<Expression> = (0..count).map(|at| f.parameter(at).get()).collect();
    let y = f.call1(original, arguments);
    let slope = match function {
        Function::Sin => other(f, Function::Cos, vec![x.get()]) * dx,
        Function::Cos => -(other(f, Function::Sin, vec![x.get()]) * dx),
        Function::Tan => (y * y + 1.0) * dx,
        Function::Asin => dx / (1.0 - x * x).sqrt(),
        Function::Acos => -(dx / (1.0 - x * x).sqrt()),
        Function::Atan => dx / (x * x + 1.0),
        // Of (y, x), in this order.
        Function::Atan2 => (second * dx - x * d_second) / (x * x + second * second),
        Function::Exp => y * dx,
        Function::Log => dx / x,
        Function::Sinh => other(f, Function::Cosh, vec![x.get()]) * dx,
        Function::Cosh => other(f, Function::Sinh, vec![x.get()]) * dx,
        Function::Tanh => (1.0 - y * y) * dx,
        Function::Pow => {
            let below = other(f, Function::Pow, vec![x.get(), second - 1.0]);
            let slope = f.real("slope", second * below * dx);
            // An exponent that stays asks for no logarithm, which a base below zero has not.
            f.if_(d_second.ne_(0.0), |f| {
                let log = other(f, Function::Log, vec![x.get()]);
                f.assign(slope, slope + y * log * d_second);
            });
            slope.get()
        }
        Function::SinCos | Function::QuarterTurns => unreachable!("they were written above"),
    };
    f.return_((y.get(), slope));
}

/// Before, nothing changes but what is given.
fn entry(builder: &mut ModuleBuilder, tangents: &Tangents, roots: &[FunctionId], given: &[ArrayId]) {
    let directions: Vec<ArrayId> = given.iter().filter_map(|&array| tangents.array(array)).collect();
    let all: Vec<ArrayId> = builder.module().array_ids().filter_map(|array| tangents.array(array)).collect();
    let length = |builder: &ModuleBuilder, array: ArrayId| builder.length(array);
    let sized: Vec<(ArrayId, usize)> = all.into_iter().map(|array| (array, length(builder, array))).collect();
    let clear = |f: &mut FunctionBuilder, is_cleared: &dyn Fn(ArrayId) -> bool| {
        for &(array, length) in sized.iter().filter(|(array, _)| is_cleared(*array)) {
            f.for_each("i", 0, length, |f, i| f.store(array, i, 0.0));
        }
    };
    let id = builder.function(SLOPES, &[("t", Real), ("t_slope", Real)], &[Integer], |f| {
        let [t, t_slope] = f.parameters();
        clear(f, &|array| !directions.contains(&array));
        let status = f.integer("status", protocol::DONE);
        for &root in roots {
            let found = f.call1(tangents.function(root), (t, t_slope));
            f.assign(status, found);
            f.if_(status.gt(protocol::UNFINISHED), |f| {
                clear(f, &|array| directions.contains(&array));
                f.return_(status);
            });
        }
        clear(f, &|array| directions.contains(&array));
        f.return_(status);
    });
    builder.describe(id, "After `hold`, how rates and outputs change along the direction in the slopes of states, parameters and controls.");
}
