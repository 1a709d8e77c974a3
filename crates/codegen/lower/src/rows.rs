//! Rows in use: which of the constraints that depend on one another are enforced is chosen where a motion begins, and again after steps
//! that brought the chosen ones near to depending on one another.

use expr::Expr;
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionId, ModuleBuilder, Statement, Term, protocol};
use numerics::{IntegratorArrays, RowChoice, RowChoiceProblem, row_choice};
use program::{Integral, Program};

use crate::implicit::Implicit;
use crate::lower::{Body, Lowering};

impl Body<'_, '_, '_> {
    /// Where a condition holds, does something with all rows in use: an iteration that does not come to its end with those chosen may do so with
    /// all, since it tolerates rows that depend on others.
    pub fn with_all_rows(&mut self, condition: Expression, write: impl FnOnce(&mut Body<'_, '_, '_>)) {
        let Some(masks) = self.lowering.masks else { return };
        let length = self.f.module().length(masks);
        let kept = self.f.module().real_array("rows_kept", length, "the rows in use while all are");
        let then = self.block(|body| {
            body.f.for_each("i", 0, length, |f, i| {
                f.store(kept, i, masks.at(i));
                f.store(masks, i, 1.0);
            });
            write(body);
            body.f.for_each("i", 0, length, |f, i| f.store(masks, i, kept.at(i)));
        });
        self.f.push(Statement::If { condition, then, otherwise: Vec::new() });
    }
}

/// The functions that choose among the rows of one integral, at its state.
#[derive(Clone, Copy)]
pub(crate) struct RowsInUse {
    /// `(t) -> integer`: whatever was in use before.
    pub choose: FunctionId,
    /// `(t) -> integer`: where a choice is due; 0 if nothing changed, negative if rows were exchanged, positive if it failed.
    pub follow: FunctionId,
}

/// The masks of all rows that are in use now and then.
pub(crate) fn mask_array(module: &mut ModuleBuilder, program: &Program) -> Option<ArrayId> {
    let first: Vec<f64> = program.first_masks().into_iter().map(|(_, value)| value).collect();
    let note = "1 for each constraint that is enforced now, of those that depend on one another";
    (!first.is_empty()).then(|| module.reals("rows_in_use", &first, note))
}

impl Lowering<'_> {
    /// Whether some of these rows are in use only now and then.
    pub fn is_masked(&self, rows: &[Expr]) -> bool {
        let masks = self.program.first_masks();
        let symbols = self.program.arena.symbols_in(rows);
        masks.iter().any(|(mask, _)| symbols.binary_search(mask).is_ok())
    }

    pub fn rows_in_use(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        implicit: Option<&Implicit>,
    ) -> Option<RowsInUse> {
        let (program, in_use) = (self.program, self.masks?);
        let integral = &program.integrals[index];
        let earlier = program.integrals[..index].iter().flat_map(|integral| &integral.choices);
        let mut first = earlier.map(|choice| choice.masks.len()).sum();
        let mut choices = Vec::new();
        for (at, choice) in integral.choices.iter().enumerate() {
            let name = format!("{name}_choice{}", at + 1);
            let (rows, columns, rank) = (choice.masks.len(), choice.columns(), choice.rank());
            let preferred = &choice.first;
            let problem = RowChoiceProblem { name: &name, rows, columns, rank, in_use, first, preferred };
            let chosen = row_choice(&mut self.module, &problem);
            choices.push((self.slopes(integral, at, &name, arrays, chosen), chosen));
            first += rows;
        }
        let refresh = implicit.map(|implicit| self.refresh(integral, name, arrays, implicit));
        (!choices.is_empty()).then(|| RowsInUse {
            choose: self.choose(name, &choices),
            follow: self.follow_rows(name, &choices, refresh),
        })
    }

    /// `(t) -> integer`: the slopes of the rows at the state.
    fn slopes(
        &mut self,
        integral: &Integral,
        at: usize,
        name: &str,
        arrays: &IntegratorArrays,
        RowChoice { matrix, .. }: RowChoice,
    ) -> FunctionId {
        let choice = &integral.choices[at];
        let (length, columns) = (self.module.length(matrix), choice.columns());
        let function = self.module.declare(&format!("{name}_slopes"), &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, arrays.state);
            body.bindings(&choice.slopes, &mut scope, &Expression::from(t));
            body.f.for_each("at", 0, length, |f, at| f.store(matrix, at, 0.0));
            let values = body.emit(&choice.slopes.results, &mut scope);
            for (&(row, column), value) in choice.places.iter().zip(values) {
                body.f.store(matrix, row * columns + column, value);
            }
            body.f.return_(protocol::DONE);
        });
        function
    }

    fn choose(&mut self, name: &str, choices: &[(FunctionId, RowChoice)]) -> FunctionId {
        self.module.function(&format!("{name}_choose_rows"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            for (slopes, choice) in choices {
                let status = f.call1(*slopes, t);
                f.if_(status.ne_(0), |f| f.return_(status));
                f.call(choice.begin, ());
                f.call(choice.is_due, ());
                f.call(*slopes, t);
                f.call(choice.choose, ());
            }
            f.return_(protocol::DONE);
        })
    }

    fn follow_rows(
        &mut self,
        name: &str,
        choices: &[(FunctionId, RowChoice)],
        refresh: Option<FunctionId>,
    ) -> FunctionId {
        self.module.function(&format!("{name}_follow_rows"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let changed = f.integer("changed", 0);
            for (slopes, choice) in choices {
                let status = f.call1(*slopes, t);
                f.if_(status.ne_(0), |f| f.return_(status));
                let due = f.call1(choice.is_due, ());
                f.if_(due, |f| {
                    f.call(*slopes, t);
                    let exchanged = f.call1(choice.choose, ());
                    f.assign(changed, changed.get().or(exchanged));
                });
            }
            if let Some(refresh) = refresh {
                f.if_(changed, |f| {
                    let status = f.call1(refresh, t);
                    f.if_(status.ne_(0), |f| f.return_(status));
                });
            }
            f.return_(-changed.get());
        })
    }

    /// `(t) -> integer`: where forces are algebraic unknowns, those that belong to the rows in use now.
    fn refresh(
        &mut self,
        integral: &Integral,
        name: &str,
        arrays: &IntegratorArrays,
        implicit: &Implicit,
    ) -> FunctionId {
        let function = self.module.declare(&format!("{name}_refresh"), &[("t", Real)], &[Integer]);
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, arrays.state);
            body.bindings(&integral.derivative, &mut scope, &Expression::from(t));
            implicit.store_guesses(body, arrays.state, &mut scope);
            body.f.return_(protocol::DONE);
        });
        function
    }
}
