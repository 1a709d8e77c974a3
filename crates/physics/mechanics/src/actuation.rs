//! Actuators: what says how much each exerts, in this mode. A motion that is prescribed is a law like any other, whose force is that of
//! the actuators instead of an ideal one; index reduction differentiates it as often as it takes.
//!
//! Where fewer numbers are prescribed than actuators are named, of all accelerations and forces that satisfy the equations those of least
//! cost are taken. The cost J is quadratic and the equations E_k = 0 are linear in what is sought, x, so the least is where
//! ∂J/∂x_i + Σ_k y_k ∂E_k/∂x_i = 0: linear equations again, with one price y_k for each equation. An actuator with limits has a switch
//! there: at a limit it is what the limit is, and the others take over.

use std::collections::BTreeSet;

use base::{Diagnostic, Dimension, Span};
use equations::{Constraint, Law, LawRole, Level, Motion, PRICE, Variable, within_limits};
use expr::{Differentiator, Expr, SymbolId};
use model::{ActuatorId, Prescription};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::formulate::Formulation;

/// Motions that are prescribed with actuators in common.
pub(crate) struct Task<'a> {
    prescriptions: Vec<&'a Prescription>,
    /// Label and residual of each number that is prescribed.
    rows: Vec<(String, Expr)>,
    actuators: BTreeSet<ActuatorId>,
}

/// Accelerations and forces that are sought together, and the equations between them.
struct Sought {
    unknowns: Vec<SymbolId>,
    equations: Vec<(String, Expr)>,
}

impl<'a> Formulation<'a> {
    /// Adds what is prescribed in this mode to the laws, and that idle actuators exert nothing. Gives what leaves a choice.
    pub fn prescribe(&mut self, laws: &mut Vec<Law>) -> Vec<Task<'a>> {
        let tasks = self.tasks();
        let given: Vec<Expr> = laws.iter().map(|law| law.residual).collect();
        let mut open = Vec::new();
        let mut used = BTreeSet::new();
        for task in tasks {
            let span = task.span();
            let rows = task.rows.iter();
            laws.extend(rows.map(|(label, residual)| Law::new(label.clone(), *residual, LawRole::Prescribed, span)));
            used.extend(task.actuators.iter().copied());
            let symbols = self.actuator_symbols(&task.actuators);
            let stated = given.iter().filter(|&&law| self.mentions(law, &symbols)).count();
            let (wanted, actuators) = (task.rows.len() + stated, task.actuators.len());
            if wanted > actuators {
                self.report_over_prescribed(&task, stated);
            } else if wanted < actuators {
                open.push(task);
            } else if let Some(cost) = task.prescriptions.iter().find_map(|prescription| prescription.cost.as_ref()) {
                self.sink.report(
                    Diagnostic::warning(model::NO_EFFECT, "`minimizing` has no effect")
                        .at(self.model.terms.get(cost.term).span, "the actuators are determined by what is prescribed")
                        .hint("name more actuators after `using`, or prescribe less"),
                );
            }
        }
        for (at, actuator) in self.model.actuators.iter().enumerate() {
            let id = ActuatorId(at as u32);
            let mut symbol = self.actuator_symbols(&BTreeSet::from([id]));
            let own = *symbol.iter().next().expect("an actuator is one number");
            // What a clock sets is held in between, by a law on its rate.
            let rate = self.derivative(self.arena.symbol(own));
            symbol.extend(self.arena.as_symbol(rate));
            if !used.contains(&id) && !given.iter().any(|&law| self.mentions(law, &symbol)) {
                let name = self.actuator_name(id);
                let residual = self.arena.symbol(own);
                laws.push(Law::new(format!("{name} is idle"), residual, LawRole::Stated, actuator.span));
            }
        }
        open
    }

    /// What is prescribed in this mode, gathered by the actuators that bring it about.
    fn tasks(&mut self) -> Vec<Task<'a>> {
        let mut tasks: Vec<Task<'a>> = Vec::new();
        for prescription in &self.model.prescriptions {
            let equation = &prescription.equation;
            if !self.holds_in_mode(equation.condition, equation.span) {
                continue;
            }
            let residuals = self.residuals(equation);
            let free = residuals.into_iter().filter(|(label, residual)| !self.decided(label, *residual, equation));
            let mut task = Task {
                prescriptions: vec![prescription],
                rows: free.collect(),
                actuators: prescription.using.iter().copied().collect(),
            };
            let (shared, apart) = tasks.into_iter().partition(|other| !other.actuators.is_disjoint(&task.actuators));
            tasks = apart;
            let shared: Vec<Task<'a>> = shared;
            for other in shared {
                task.prescriptions.splice(..0, other.prescriptions);
                task.rows.splice(..0, other.rows);
                task.actuators.extend(other.actuators);
            }
            tasks.push(task);
        }
        tasks
    }

    /// Adds the equations that pick the least of all that do what is prescribed.
    pub fn choose_least(
        &mut self,
        open: &[Task<'a>],
        constraints: &[Constraint],
        motion: &[Motion],
        laws: &mut Vec<Law>,
    ) {
        let mut done: FxHashSet<SymbolId> = FxHashSet::default();
        for task in open {
            let own = self.actuator_symbols(&task.actuators);
            if !own.is_disjoint(&done) {
                continue;
            }
            let sought = self.gather_sought(&own, constraints, motion, laws);
            done.extend(sought.unknowns.iter().copied());
            let together: Vec<&Task<'a>> =
                open.iter().filter(|other| !self.actuator_symbols(&other.actuators).is_disjoint(&done)).collect();
            let (cost, what) = self.cost(&together, constraints);
            if self.is_quadratic(cost, &sought, task) {
                self.add_least(cost, &what, &sought, task.span(), laws);
            }
        }
    }

    /// All that has to be found together with some actuators: accelerations, forces of constraints, other actuators that bring about
    /// motions, as far as equations lead from one to the other.
    fn gather_sought(
        &mut self,
        own: &FxHashSet<SymbolId>,
        constraints: &[Constraint],
        motion: &[Motion],
        laws: &[Law],
    ) -> Sought {
        let accelerations = self.speeds.iter().map(|speed| speed.acceleration);
        let forces = constraints.iter().filter_map(|constraint| constraint.multiplier);
        let used = self.model.prescriptions.iter().flat_map(|prescription| prescription.using.iter().copied());
        let actuators = self.actuator_symbols(&used.collect());
        let mut candidates: Vec<SymbolId> = accelerations.chain(forces).collect();
        candidates.extend(self.variables.iter().map(|row| row.symbol).filter(|symbol| actuators.contains(symbol)));
        let mut equations: Vec<(String, Expr)> = motion.iter().map(|row| (row.label.clone(), row.residual)).collect();
        let kept = constraints.iter();
        equations.extend(kept.filter_map(|row| Some((row.label.clone(), row.at(Level::Acceleration)?))));
        for law in laws {
            let residual = self.on_accelerations(law.residual, &actuators);
            equations.push((law.label.clone(), residual));
        }
        let is_candidate: FxHashSet<SymbolId> = candidates.iter().copied().collect();
        let mentioned = |residual: Expr| {
            let symbols = self.arena.symbols_in(&[residual]).into_iter();
            symbols.filter(|symbol| is_candidate.contains(symbol)).collect::<Vec<SymbolId>>()
        };
        let mut reached: FxHashSet<SymbolId> = own.clone();
        let mut taken = vec![false; equations.len()];
        loop {
            let next = (0..equations.len())
                .find(|&at| !taken[at] && mentioned(equations[at].1).iter().any(|symbol| reached.contains(symbol)));
            let Some(at) = next else { break };
            taken[at] = true;
            reached.extend(mentioned(equations[at].1));
        }
        let mut taken = taken.into_iter();
        equations.retain(|_| taken.next().unwrap_or(false));
        Sought { unknowns: candidates.into_iter().filter(|symbol| reached.contains(symbol)).collect(), equations }
    }

    /// An equation differentiated until it speaks of accelerations; what speaks of forces already does.
    fn on_accelerations(&mut self, residual: Expr, actuators: &FxHashSet<SymbolId>) -> Expr {
        let times = match self.level(&[residual]) {
            _ if self.mentions(residual, actuators) || !self.speaks_of_frames(residual) => 0,
            Level::Position => 2,
            Level::Velocity => 1,
            Level::Acceleration => 0,
        };
        (0..times).fold(residual, |residual, _| self.derivative(residual))
    }

    /// What is to be least, and what it is called: the author's cost, or the squares of the accelerations of what is actuated. Forces that
    /// accelerate nothing, as those of two motors that work against each other, would be left open by these alone, so there effort counts too.
    fn cost(&mut self, tasks: &[&Task<'a>], constraints: &[Constraint]) -> (Expr, String) {
        let arena = self.arena;
        let (mut parts, mut words) = (Vec::new(), Vec::new());
        for task in tasks {
            let stated: Vec<&model::Cost> = task.prescriptions.iter().filter_map(|it| it.cost.as_ref()).collect();
            for cost in &stated {
                parts.push(self.scalar(cost.term).expr);
                words.push(format!("least {}", cost.label));
            }
            if !stated.is_empty() {
                continue;
            }
            let forces = constraints.iter().filter(|constraint| constraint.multiplier.is_some()).count();
            let freedoms = self.speeds.len().saturating_sub(forces);
            let (over, moving) = (task.actuators.len() > freedoms, task.rows.len() < freedoms);
            if moving {
                for id in &task.actuators {
                    let speed = self.scalar(self.model.actuators[id.index()].speed).expr;
                    parts.push(arena.power(self.derivative(speed), 2));
                }
                words.push("least accelerations of what is actuated".to_string());
            }
            if over {
                // Effort only decides between motions that accelerations leave open, so it weighs too little to change them.
                const WEIGHT: f64 = 1e-6;
                let weight = if moving { WEIGHT } else { 1.0 };
                for symbol in self.actuator_symbols(&task.actuators) {
                    parts.push(arena.scale(weight, arena.power(arena.symbol(symbol), 2)));
                }
                words.push(if moving { format!("effort times {WEIGHT:e}") } else { "least effort".to_string() });
            }
        }
        let cost = parts.into_iter().fold(arena.zero(), |sum, part| arena.add(sum, part));
        (cost, words.join(" + "))
    }

    /// Whether a cost has a least value among what is sought that linear equations find; reports if it does not.
    fn is_quadratic(&mut self, cost: Expr, sought: &Sought, task: &Task<'a>) -> bool {
        let arena = self.arena;
        let unknown: FxHashSet<SymbolId> = sought.unknowns.iter().copied().collect();
        let slopes: Vec<Expr> = sought.unknowns.iter().map(|&by| self.slope(cost, by)).collect();
        let bends = sought.unknowns.iter().flat_map(|&by| slopes.iter().map(move |&slope| (slope, by)));
        let bends: Vec<Expr> = bends.map(|(slope, by)| self.slope(slope, by)).collect();
        let curved = bends.iter().any(|&bend| self.mentions(bend, &unknown));
        let flat = bends.iter().all(|&bend| arena.is_zero(bend));
        let label = if let Some(name) = self.solved_beside(cost, sought) {
            &format!("`{name}` is found together with what it speaks of, and how it follows is not looked at")
        } else if curved {
            "it is not quadratic in torques, forces and accelerations"
        } else if flat {
            "it has no squares of torques, forces or accelerations in it"
        } else if self.bends_down(&bends, sought.unknowns.len()) {
            "it falls without end in some direction"
        } else {
            return true;
        };
        let place = task.prescriptions.iter().find_map(|it| it.cost.as_ref());
        let span = place.map_or(task.span(), |cost| self.model.terms.get(cost.term).span);
        self.sink.report(
            Diagnostic::error(codes::NO_LEAST, "this cost has no least value that could be found at every instant")
                .at(span, label)
                .hint("write a sum of squares, as in `minimizing shoulder.torque^2 + elbow.torque^2`"),
        );
        false
    }

    /// A quantity of the author's own that is no state, in the cost or in an equation between what is sought: it changes with that in a way that
    /// slopes by what is sought do not tell.
    fn solved_beside(&self, cost: Expr, sought: &Sought) -> Option<&str> {
        let all: Vec<Expr> = sought.equations.iter().map(|(_, equation)| *equation).chain([cost]).collect();
        let symbols = self.arena.symbols_in(&all);
        let is_state = |symbol: SymbolId| self.clock.known(self.arena.symbol(symbol)).is_some();
        let open = self.variables.iter().filter(|row| !row.constant && !sought.unknowns.contains(&row.symbol));
        let mut open = open.filter(|row| symbols.binary_search(&row.symbol).is_ok() && !is_state(row.symbol));
        let given = |row: &&Variable| {
            self.model
                .actuators
                .iter()
                .all(|actuator| self.model.quantities[actuator.quantity.index()].name != row.name)
        };
        open.find(given).map(|row| row.name.as_str())
    }

    /// Whether a matrix has a direction along which its form is negative, at the default parameters and at some state.
    fn bends_down(&self, entries: &[Expr], size: usize) -> bool {
        let mut point = expr::Point::default();
        self.parameters.iter().for_each(|row| {
            point.insert(row.symbol, row.default);
        });
        let mut seed = 0.37_f64;
        for symbol in self.arena.symbols_in(entries) {
            if !self.parameters.iter().any(|row| row.symbol == symbol) {
                seed = (seed * 7.13).fract() + 0.1;
                point.insert(symbol, seed);
            }
        }
        let mut matrix: Vec<f64> = expr::Tape::new(self.arena, entries).run(&point);
        let largest = matrix.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        // Elimination of a symmetric matrix: the signs of its pivots are those of its form.
        for pivot in 0..size {
            let diagonal = matrix[pivot * size + pivot];
            if diagonal < -1e-12 * largest {
                return true;
            }
            for row in pivot + 1..size {
                let factor = if diagonal > 1e-12 * largest { matrix[row * size + pivot] / diagonal } else { 0.0 };
                for column in pivot + 1..size {
                    matrix[row * size + column] -= factor * matrix[pivot * size + column];
                }
            }
        }
        false
    }

    fn add_least(&mut self, cost: Expr, what: &str, sought: &Sought, span: Span, laws: &mut Vec<Law>) {
        let arena = self.arena;
        let mut prices = Vec::with_capacity(sought.equations.len());
        for (label, _) in &sought.equations {
            let name = format!("{PRICE}{label})");
            let symbol = arena.new_symbol(&name);
            self.clock.seed_unknown(arena.symbol(symbol));
            self.levels.insert(symbol, Level::Position);
            let dimension = Dimension::NONE;
            self.variables.push(Variable { name, symbol, constant: false, start: None, dimension, span });
            prices.push(arena.symbol(symbol));
        }
        for &by in &sought.unknowns {
            let priced = sought.equations.iter().zip(&prices);
            let priced = priced.map(|((_, equation), &price)| arena.multiply(price, self.slope(*equation, by)));
            let slope = priced.fold(self.slope(cost, by), |sum, part| arena.add(sum, part));
            let residual =
                self.limits_of(by).map_or(slope, |limits| within_limits(arena, arena.symbol(by), slope, limits));
            laws.push(Law::new(format!("{what}, by {}", arena.symbol_name(by)), residual, LawRole::Least, span));
        }
    }

    fn limits_of(&self, symbol: SymbolId) -> Option<[f64; 2]> {
        let own = |id: &ActuatorId| self.actuator_symbols(&BTreeSet::from([*id])).contains(&symbol);
        let id = (0..self.model.actuators.len() as u32).map(ActuatorId).find(own)?;
        let limits = self.model.actuators[id.index()].limits.as_ref()?;
        Some([limits.low, limits.high])
    }

    fn slope(&self, expr: Expr, by: SymbolId) -> Expr {
        Differentiator::by(self.arena, self.arena.symbol(by)).derivative(self.arena, expr)
    }

    fn mentions(&self, expr: Expr, symbols: &FxHashSet<SymbolId>) -> bool {
        self.arena.symbols_in(&[expr]).iter().any(|symbol| symbols.contains(symbol))
    }

    /// Whether an equation speaks of what actuators exert: then it gives that, and keeps nothing by a force of its own.
    pub fn speaks_of_actuators(&self, expr: Expr) -> bool {
        let all = (0..self.model.actuators.len() as u32).map(ActuatorId).collect();
        self.mentions(expr, &self.actuator_symbols(&all))
    }

    fn actuator_symbols(&self, ids: &BTreeSet<ActuatorId>) -> FxHashSet<SymbolId> {
        let quantities = ids.iter().map(|id| self.model.actuators[id.index()].quantity);
        let parts = quantities.flat_map(|quantity| self.quantities[quantity.index()].meaning().parts());
        parts.filter_map(|(_, part)| self.arena.as_symbol(part)).collect()
    }

    fn actuator_name(&self, id: ActuatorId) -> &'a str {
        &self.model.quantities[self.model.actuators[id.index()].quantity.index()].name
    }

    fn report_over_prescribed(&mut self, task: &Task<'a>, stated: usize) {
        let named: Vec<String> = task.actuators.iter().map(|&id| format!("`{}`", self.actuator_name(id))).collect();
        let all = (0..self.model.actuators.len() as u32).map(ActuatorId);
        let others: Vec<&str> =
            all.filter(|id| !task.actuators.contains(id)).map(|id| self.actuator_name(id)).collect();
        let wanted = counted(task.rows.len(), "number is", "numbers are");
        let able = counted(named.len(), "actuator", "actuators");
        let stated_too = match stated {
            0 => String::new(),
            _ => format!(", and {}", counted(stated, "equation says what it exerts", "equations say what they exert")),
        };
        let message = format!("{wanted} prescribed for {able}{stated_too}");
        let mut diagnostic = Diagnostic::error(codes::OVER_PRESCRIBED, message);
        for prescription in &task.prescriptions {
            diagnostic = diagnostic.at(prescription.equation.span, format!("by {}", named.join(", ")));
        }
        let missing = task.rows.len() + stated - named.len();
        let missing = counted(missing, "actuator is missing", "actuators are missing");
        diagnostic = diagnostic.hint(match others.as_slice() {
            [] => format!("{missing}: name torques or forces of other joints after `using`"),
            others => format!("{missing}: name more after `using`, such as {}", others.join(", ")),
        });
        self.sink.report(diagnostic.hint("or prescribe less: one component of a vector, such as `tip.position.x`"));
    }
}

impl Task<'_> {
    fn span(&self) -> Span {
        self.prescriptions[0].equation.span
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}
