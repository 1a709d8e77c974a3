//! Transitions seen from the mode that they lead to.
//!
//! Which quantities can keep their values, and which follow from others, is for the new mode to say. So the mode before only hands over what
//! was, and the equations are read here.

use equations::{Carried, Constraint, Entry, Equation, Law, Level, Sought};
use expr::{Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::formulate::Formulation;

impl Formulation<'_> {
    /// Variables, and those of their derivatives below the highest that is spoken of, in whichever mode: any of them may be a state there.
    pub fn all_carried(&mut self) {
        if self.model.transitions.is_empty() {
            return;
        }
        let reported = std::mem::take(self.sink);
        for equation in self.model.constraints.iter().chain(&self.model.laws) {
            self.residuals(equation);
        }
        for force in &self.model.forces {
            self.meaning(force.value);
        }
        for torque in &self.model.torques {
            self.meaning(torque.value);
        }
        *self.sink = reported;
        for variable in &self.variables {
            let (mut name, mut symbol, mut dimension) = (variable.name.clone(), variable.symbol, variable.dimension);
            loop {
                let span = variable.span;
                let rate = self.arena.zero();
                self.carried.push(Carried { name: name.clone(), symbol, rate, dimension, span });
                let rate = |symbol| self.arena.as_symbol(self.clock.known(self.arena.symbol(symbol))?);
                match rate(symbol) {
                    Some(next) if rate(next).is_some() => symbol = next,
                    _ => break,
                }
                name.push('\'');
                dimension = dimension.over(base::Dimension::TIME).unwrap_or(base::Dimension::NONE);
            }
        }
    }

    /// The rates of what is carried over, as far as the laws of this mode speak of them.
    pub fn find_rates(&mut self, laws: &[Law]) {
        let laws: Vec<Expr> = laws.iter().map(|law| law.residual).collect();
        let mentioned = self.arena.symbols_in(&laws);
        for carried in &mut self.carried {
            let rate = self.clock.known(self.arena.symbol(carried.symbol));
            let known = rate.and_then(|rate| self.arena.as_symbol(rate));
            if known.is_some_and(|rate| mentioned.binary_search(&rate).is_ok()) {
                carried.rate = rate.unwrap_or(carried.rate);
            }
        }
    }

    /// Whether an expression speaks of the author's own quantities, or of what follows from laws.
    pub fn is_own(&self, expr: Expr) -> bool {
        self.arena.symbols_in(&[expr]).into_iter().any(|symbol| self.is_own_symbol(symbol))
    }

    fn is_own_symbol(&self, symbol: SymbolId) -> bool {
        let unknown = self.clock.is_unknown(self.arena.symbol(symbol)) && !self.levels.contains_key(&symbol);
        unknown || self.variables.iter().any(|variable| variable.symbol == symbol)
    }

    /// All transitions that can lead into this mode.
    pub fn entries(&mut self, turning: &[Constraint]) -> Vec<Entry> {
        let leading: Vec<usize> = (0..self.model.transitions.len()).filter(|&number| self.leads_here(number)).collect();
        // What is wrong with one is said in the mode that it leaves.
        let reported = std::mem::take(self.sink);
        let entries = leading.into_iter().map(|number| self.entry(number, turning)).collect();
        *self.sink = reported;
        entries
    }

    /// Whether a transition sets what this mode is, and its guard can hold in a mode before it.
    fn leads_here(&mut self, number: usize) -> bool {
        let transition = &self.model.transitions[number];
        if transition.modes.iter().any(|&(mode, value)| self.mode[mode.index()] != value) {
            return false;
        }
        let mut sources = vec![self.mode.clone()];
        for &(mode, _) in &transition.modes {
            let values = 0..self.model.modes[mode.index()].values.len();
            let each = |source: &Vec<usize>| {
                let with = |value: usize| {
                    let mut source = source.clone();
                    source[mode.index()] = value;
                    source
                };
                values.clone().map(with).collect::<Vec<_>>()
            };
            sources = sources.iter().flat_map(each).collect();
        }
        let reported = std::mem::take(self.sink);
        let holds = sources.iter().any(|source| {
            let guard = self.in_mode(source, |formulation| formulation.scalar(transition.guard).expr);
            !self.arena.as_number(guard).is_some_and(|number| number.is_zero())
        });
        *self.sink = reported;
        holds
    }

    fn entry(&mut self, number: usize, turning: &[Constraint]) -> Entry {
        let stated = &self.model.transitions[number];
        let mode = self.mode.clone();
        self.source = mode.clone();
        let Effects { own: equations, said, satisfied, sought, stores } = self.effects(stated, &mode, turning);
        let pre = std::mem::take(&mut self.pre).into_iter();
        let pre = pre.filter_map(|(stand_in, _)| self.arena.as_symbol(stand_in)).collect();
        let coordinates = self.coordinates.iter().map(|coordinate| &coordinate.name);
        let speeds = self.speeds.iter().map(|speed| &speed.name);
        let given = coordinates.chain(speeds).chain(self.carried.iter().map(|carried| &carried.name));
        let given: Vec<SymbolId> = given.map(|name| self.arena.new_symbol(&format!("given({name})"))).collect();
        let rates = self.carried.iter().map(|carried| self.arena.new_symbol(&format!("given({}')", carried.name)));
        let rates: Vec<SymbolId> = rates.collect();
        let mut levels = LEVELS.into_iter();
        let [positions, velocities] = sought.map(|sought| {
            let level = levels.next();
            // What is said of nothing that is sought says that what is kept is kept: anything else was refused in the mode before.
            let said = said.iter().filter(|(of, row)| Some(*of) == level && self.speaks_of(row, &sought));
            let satisfied = satisfied.iter().filter(|(of, _)| Some(*of) == level);
            let equations = said.chain(satisfied).map(|(_, row)| row.clone()).collect();
            Sought { equations, ..sought }
        });
        let except: Vec<Expr> =
            stated.kept.except.iter().flat_map(|&term| self.meaning(term).parts()).map(|(_, part)| part).collect();
        let open = self.arena.symbols_in(&except).into_iter().filter(|&symbol| self.is_own_symbol(symbol)).collect();
        let (name, span) = (stated.name.clone(), stated.span);
        Entry { number, name, positions, velocities, equations, given, pre, rates, open, stores, span }
    }

    /// What a transition says and remembers, read in the mode that it leads to; what was before has stand-ins.
    pub fn effects(&mut self, stated: &model::Transition, target: &[usize], turning: &[Constraint]) -> Effects {
        self.in_mode(target, |formulation| {
            let (mut said, mut stores) = (Vec::new(), Vec::new());
            for equation in &stated.equations {
                for (label, residual) in formulation.residuals(equation) {
                    // A component such as 0 == 0 says nothing.
                    if formulation.arena.as_number(residual).is_some_and(|number| number.is_zero()) {
                        continue;
                    }
                    let level = formulation.level(&[residual]);
                    said.push((level, Equation { label, residual, span: equation.span }));
                }
            }
            for &term in &stated.kept.terms {
                let now = formulation.meaning(term);
                let before = formulation.before(term);
                let span = formulation.model.terms.get(term).span;
                for ((_, after), (_, before)) in now.parts().into_iter().zip(before.parts()) {
                    let residual = formulation.arena.subtract(after, before);
                    let level = formulation.level(&[after]);
                    said.push((level, Equation { label: format!("keep {}", stated.name), residual, span }));
                }
            }
            for &(id, term) in &stated.stores {
                let first = formulation.held_places[id.index()];
                let parts = formulation.meaning(term).parts();
                stores.extend(parts.into_iter().enumerate().map(|(at, (_, part))| (first + at, part)));
            }
            let own = said.extract_if(.., |(_, row)| formulation.is_own(row.residual)).map(|(_, row)| row).collect();
            let sought = LEVELS.map(|level| formulation.sought(stated, level));
            for (level, sought) in LEVELS.into_iter().zip(&sought) {
                // What makes a rotation one is true whatever happens.
                let rows = turning.iter().filter_map(|kept| {
                    Some(Equation { label: kept.label.clone(), residual: kept.at(level)?, span: kept.span })
                });
                said.extend(rows.filter(|row| formulation.speaks_of(row, sought)).map(|row| (level, row)));
            }
            Effects { own, said, satisfied: formulation.satisfied(&sought), sought, stores }
        })
    }

    fn speaks_of(&self, row: &Equation, sought: &Sought) -> bool {
        self.arena.symbols_in(&[row.residual]).iter().any(|symbol| sought.unknowns.contains(symbol))
    }

    /// All coordinates, or all speeds.
    pub fn moving(&self, level: Level) -> Vec<SymbolId> {
        match level {
            Level::Position => self.coordinates.iter().map(|it| it.symbol).collect(),
            _ => self.speeds.iter().map(|it| it.symbol).collect(),
        }
    }

    /// The coordinates, or speeds, that a transition does not keep.
    fn sought(&mut self, stated: &model::Transition, level: Level) -> Sought {
        let (keeps, least) = match level {
            Level::Position => (stated.kept.positions, stated.satisfies_positions),
            _ => (stated.kept.velocities, stated.satisfies_velocities),
        };
        let mut named: FxHashSet<SymbolId> = FxHashSet::default();
        for &term in &stated.kept.terms {
            named.extend(self.meaning(term).parts().into_iter().filter_map(|(_, part)| self.arena.as_symbol(part)));
        }
        // An excepted velocity leaves velocities open, although it may depend on positions too.
        let mut except: FxHashSet<SymbolId> = FxHashSet::default();
        for &term in &stated.kept.except {
            let parts: Vec<Expr> = self.meaning(term).parts().into_iter().map(|(_, part)| part).collect();
            except.extend(self.arena.symbols_in(&parts).into_iter().filter(|_| self.level(&parts) == level));
        }
        let is_kept = |symbol: &SymbolId| named.contains(symbol) || keeps && !except.contains(symbol);
        let unknowns = self.moving(level).into_iter().filter(|symbol| !is_kept(symbol)).collect();
        Sought { unknowns, equations: Vec::new(), least }
    }

    /// What the constraints of this mode say of positions, and of velocities, where these are to satisfy them.
    fn satisfied(&mut self, [positions, velocities]: &[Sought; 2]) -> Vec<(Level, Equation)> {
        let mut rows = Vec::new();
        if !positions.least && !velocities.least {
            return rows;
        }
        for equation in &self.model.constraints {
            if !self.holds_in_mode(equation.condition, equation.span) {
                continue;
            }
            for (label, residual) in self.residuals(equation) {
                let span = equation.span;
                let rate = match self.level(&[residual]) {
                    Level::Position => {
                        let label = label.clone();
                        rows.extend(positions.least.then_some((Level::Position, Equation { label, residual, span })));
                        self.derivative(residual)
                    }
                    _ => residual,
                };
                let residual = rate;
                rows.extend(velocities.least.then_some((Level::Velocity, Equation { label, residual, span })));
            }
        }
        // What speaks of no frame is a law like any other.
        rows.retain(|(_, row)| self.speaks_of_frames(row.residual));
        rows
    }
}

pub(crate) const LEVELS: [Level; 2] = [Level::Position, Level::Velocity];

/// What a transition says, in the mode that it leads to.
pub(crate) struct Effects {
    /// Of the author's own quantities,
    pub own: Vec<Equation>,
    /// of what moves,
    pub said: Vec<(Level, Equation)>,
    /// and what the constraints of that mode say of it.
    pub satisfied: Vec<(Level, Equation)>,
    /// Coordinates and speeds that are not kept, without what determines them.
    pub sought: [Sought; 2],
    /// By the places of the discrete variables.
    pub stores: Vec<(usize, Expr)>,
}
