//! What was: signals that something depends on after a delay, and what the author says of them before the run.

use base::{Diagnostic, Span};
use equations::{Initial, Signal};
use expr::{Expr, Operator, Substitution, SymbolId, evaluate};
use model::{BAD_DELAY, Delay, Equation, TermId};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::formulate::Formulation;
use crate::meaning::Meaning;

impl<'a> Formulation<'a> {
    /// `x(t - 0.1 [s])`: each component by its number among all signals.
    pub fn delayed(&mut self, signal: TermId, number: usize) -> Meaning<'a> {
        let model = self.model;
        let at = self.scalar(model.delays[number].at).expr;
        let mut slot = self.first_signal(number);
        let arena = self.arena;
        self.meaning(signal).map(|_| {
            let named = arena.number(slot as f64);
            slot += 1;
            arena.apply(Operator::Past, &[named, arena.zero(), at])
        })
    }

    /// Where the components of a delayed term begin among all signals: in the order of the text, so that all modes agree.
    fn first_signal(&mut self, number: usize) -> usize {
        let before = self.model.delays[..number].iter();
        before.map(|delay| components(self.model.terms.get(delay.signal).type_.shape)).sum()
    }

    /// All signals.
    pub fn signals(&mut self) -> Vec<Signal> {
        let model = self.model;
        let mut stated = self.stated();
        let mut signals = Vec::new();
        for delay in &model.delays {
            let at = self.scalar(delay.at).expr;
            let time = self.arena.symbol(self.time);
            let by = self.arena.subtract(time, at);
            self.check_delay(delay, by);
            for (part, value) in self.meaning(delay.signal).parts() {
                let name = if part.is_empty() { delay.name.clone() } else { format!("{}.{part}", delay.name) };
                let history = stated.apply(self.arena, value);
                self.check_history(&name, history, delay.span);
                signals.push(Signal { name, value, history, delay: by, span: delay.span });
            }
        }
        self.arena.name_signals(signals.iter().map(|signal| signal.name.clone()).collect());
        signals
    }

    /// What quantities, and their rates, were before the run.
    fn stated(&mut self) -> Substitution {
        let mut pairs = Vec::new();
        for (left, right, _) in self.histories() {
            let rates = [self.derivative(left), self.derivative(right)];
            let stated = [(left, right), (rates[0], rates[1])];
            // A component that cannot change is a number, which stands for itself wherever it occurs.
            pairs.extend(stated.into_iter().filter(|(left, _)| self.arena.as_number(*left).is_none()));
        }
        Substitution::new(pairs)
    }

    /// What is stated, component by component, with its place.
    fn histories(&mut self) -> Vec<(Expr, Expr, Span)> {
        let model = self.model;
        let mut found = Vec::new();
        for Equation { left, right, span, .. } in &model.histories {
            let (left, right) = (self.meaning(*left).parts(), self.meaning(*right).parts());
            found.extend(left.into_iter().zip(right).map(|((_, left), (_, right))| (left, right, *span)));
        }
        found
    }

    /// What was stated of the time before the run also says how it begins, unless an `initially` speaks of that.
    pub fn begin_with_history(&mut self, initial: &mut Vec<Initial>) {
        for (left, right, span) in self.histories() {
            let own = self.arena.symbols_in(&[left]);
            let known: Vec<Expr> = initial.iter().map(|it| it.residual).collect();
            let known = self.arena.symbols_in(&known);
            if own.is_empty() || own.iter().any(|symbol| known.contains(symbol)) {
                continue;
            }
            let zero = self.arena.zero();
            let begin = Substitution::new([(self.arena.symbol(self.time), zero)]).apply(self.arena, right);
            let residual = self.arena.subtract(left, begin);
            let level = self.level(&[residual]);
            let label = format!("history of {}", self.arena.symbol_name(own[0]));
            initial.push(Initial { label, residual, level, span });
        }
    }

    fn given(&self) -> FxHashSet<SymbolId> {
        self.parameters.iter().map(|parameter| parameter.symbol).collect()
    }

    /// A delay is a positive number that stays what it is while the run goes on.
    fn check_delay(&mut self, delay: &Delay, by: Expr) {
        let given = self.given();
        let name = &delay.name;
        let changing = self.arena.symbols_in(&[by]).into_iter().find(|symbol| !given.contains(symbol));
        if let Some(changing) = changing {
            let what = self.arena.symbol_name(changing);
            let message = format!("the delay of `{name}` changes while the run goes on");
            self.sink.report(
                Diagnostic::error(BAD_DELAY, message)
                    .at(delay.span, format!("it depends on `{what}`"))
                    .note("where instants of the past pile up or come back is known beforehand only for delays that stay what they are")
                    .hint(format!("write `{name}(t - delay)` with a `param delay = 0.1 [s]`")),
            );
            return;
        }
        let point = self.parameters.iter().map(|parameter| (parameter.symbol, parameter.default)).collect();
        let value = evaluate(self.arena, by, &point);
        if !(value > 0.0 && value.is_finite()) {
            let message = match value {
                value if value < 0.0 => {
                    format!("`{name}` is asked for {} s later than now: the future is not known", -value)
                }
                _ => format!("the delay of `{name}` is zero: it would depend on itself at this very instant"),
            };
            let hint = match value {
                value if value < 0.0 => format!("an earlier time is `{name}(t - {} [s])`", -value),
                _ => format!("write `{name}` for what it is now"),
            };
            self.sink.report(Diagnostic::error(BAD_DELAY, message).at(delay.span, "not an earlier time").hint(hint));
        }
    }

    fn check_history(&mut self, name: &str, history: Expr, span: Span) {
        let mut known = self.given();
        known.insert(self.time);
        let open = self.arena.symbols_in(&[history]).into_iter().find(|symbol| !known.contains(symbol));
        let Some(open) = open else { return };
        // Rates are those of what is stated.
        let open = self.arena.symbol_name(open).trim_end_matches('\'');
        let message =
            format!("nothing says what `{open}` was before the run, which is asked for until one delay has passed");
        if self.sink.iter().any(|it| it.message == message) {
            return;
        }
        self.sink.report(
            Diagnostic::error(codes::NO_HISTORY, message)
                .at(span, format!("`{name}` at an earlier time depends on it"))
                .hint(format!("say it: `history {open} == …`, a number, or a function of `t` for t < 0")),
        );
    }
}

fn components(shape: model::Shape) -> usize {
    match shape {
        model::Shape::Scalar | model::Shape::Condition => 1,
        model::Shape::Vector => 3,
        model::Shape::Matrix => 9,
        model::Shape::Quaternion => 4,
    }
}
