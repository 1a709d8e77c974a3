//! Ranges of expressions: between which bounds a value and its rate lie for as long as what it is made of lies between some.

use expr::{Arena, Expr, Node, Number, Operator, STEEPEST};
use kernel::{Expression, FunctionId, LocalId, Term};
use numerics::elementary::Function as Elementary;
use rustc_hash::FxHashMap;

use crate::emit::Scope;
use crate::lower::Body;

/// The least and the largest value.
pub(crate) type Bounds = [Expression; 2];

/// Of something that changes with the time.
#[derive(Clone)]
pub(crate) struct Range {
    pub value: Bounds,
    /// Of its derivative with respect to time.
    pub rate: Bounds,
}

/// A margin, with what is known of it at the middle of the time.
pub(crate) struct MarginRange {
    pub range: Range,
    /// What is smaller than this may be nothing but rounding.
    pub rounding: Expression,
}

/// Relative to the numbers whose sum is taken.
const ROUNDING: f64 = 1.0 / (1u64 << 42) as f64;

/// The ranges of some nodes, while code for them is written.
pub(crate) struct Ranging<'r, 'b, 'p, 'm> {
    pub body: &'r mut Body<'b, 'p, 'm>,
    /// What all symbols are at the middle of the time.
    pub middle: Scope,
    /// What changes, and how. All other nodes stay what they are.
    pub known: FxHashMap<Expr, Range>,
    /// Half of the time that passes.
    pub half: LocalId,
}

impl Ranging<'_, '_, '_, '_> {
    /// Of a number that compares others by `Min` and `Max`: what stands below these is known better by its value at the middle and its rate.
    pub fn margin(&mut self, arena: &Arena, margin: Expr) -> MarginRange {
        let inside = match arena.node(margin) {
            Node::Apply(operator @ (Operator::Min | Operator::Max), sides) => {
                let [a, b] = [0, 1].map(|side| self.margin(arena, sides[side]));
                let rounding = self.bind(a.rounding.clone().max(b.rounding.clone()));
                return MarginRange { range: self.chosen(*operator, &a.range, &b.range), rounding };
            }
            Node::Sum(terms, constant) if terms.len() == 1 && constant.value() == 0.0 => Some(terms[0]),
            _ => None,
        };
        if let Some((coefficient, term)) = inside {
            let MarginRange { range, rounding } = self.margin(arena, term);
            let range = self.scaled(coefficient, &range);
            return MarginRange { range, rounding: rounding * coefficient.value().abs() };
        }
        let range = self.range(arena, margin);
        let rounding = self.rounding(arena, margin);
        if !self.known.contains_key(&margin) {
            return MarginRange { range, rounding };
        }
        let middle = self.body.emit(&[margin], &mut self.middle).remove(0);
        let middle = self.bind(middle);
        let [fall, rise] = range.rate.clone();
        let away = self.bind(self.half * (-fall).max(rise));
        let [low, high] = range.value;
        let value = [low.max(middle.clone() - away.clone()), high.min(middle + away)].map(|bound| self.bind(bound));
        MarginRange { range: Range { value, rate: range.rate }, rounding }
    }

    /// Nothing near a pole.
    fn rounding(&mut self, arena: &Arena, margin: Expr) -> Expression {
        let size = self.size(arena, margin);
        self.bind(size.clone().lt(f64::INFINITY).select(size * ROUNDING, 0.0))
    }

    /// How large the numbers are of which a sum is taken.
    fn size(&mut self, arena: &Arena, number: Expr) -> Expression {
        let Node::Sum(terms, constant) = arena.node(number) else {
            let [low, high] = self.range(arena, number).value;
            return self.bind((-low).max(high));
        };
        let mut size = Expression::from(constant.value().abs());
        for &(coefficient, term) in terms.iter() {
            let part = self.size(arena, term) * coefficient.value().abs();
            size = self.bind(size + part);
        }
        size
    }

    fn range(&mut self, arena: &Arena, root: Expr) -> Range {
        for node in arena.reachable_until(&[root], |node| self.known.contains_key(&node)) {
            let changes = arena.node(node).children().iter().any(|child| self.known.contains_key(child));
            if changes && !self.known.contains_key(&node) {
                let range = self.node(arena, node);
                self.known.insert(node, range);
            }
        }
        self.of(root)
    }

    /// What has no range is what it is at the middle.
    fn of(&mut self, node: Expr) -> Range {
        if let Some(known) = self.known.get(&node) {
            return known.clone();
        }
        let value = self.body.emit(&[node], &mut self.middle).remove(0);
        let value = self.bind(value);
        Range { value: [value.clone(), value], rate: none() }
    }

    fn node(&mut self, arena: &Arena, node: Expr) -> Range {
        match arena.node(node) {
            Node::Number(_) | Node::Symbol(_) => unreachable!("has no parts"),
            Node::Sum(terms, constant) => {
                let mut total =
                    Range { value: [constant.value(), constant.value()].map(Expression::from), rate: none() };
                for &(coefficient, term) in terms.iter() {
                    let term = self.of(term);
                    let part = self.scaled(coefficient, &term);
                    total =
                        Range { value: self.plus(&total.value, &part.value), rate: self.plus(&total.rate, &part.rate) };
                }
                total
            }
            Node::Product(factors) => {
                let factors: Vec<Range> = factors.iter().map(|&(base, exponent)| self.power(base, exponent)).collect();
                let product = |a: Range, b: Range| self.product(&a, &b);
                factors.into_iter().reduce(product).expect("a product has factors")
            }
            Node::Apply(operator, arguments) => {
                let arguments: Vec<Range> = arguments.iter().map(|&argument| self.of(argument)).collect();
                self.apply(*operator, &arguments)
            }
        }
    }

    // Long: one arm for each operator; this is the table of their bounds.
    fn apply(&mut self, operator: Operator, x: &[Range]) -> Range {
        use Operator::*;
        match operator {
            Sin | Cos => {
                let [sine, cosine] = self.turned(&x[0].value);
                let (value, slope) = if operator == Sin { (sine, cosine) } else { (cosine, self.negated(&sine)) };
                self.along(value, slope, &x[0])
            }
            Tan => {
                let (module, lowering) = (self.body.f.module(), &mut self.body.lowering);
                let function = lowering.ranges.tangent(module, &mut lowering.elementary);
                let value = self.call(function, &x[0].value);
                let square = self.even_power(&value, 2);
                let slope = self.plus(&both(1.0), &square);
                self.along(value, slope, &x[0])
            }
            Asin | Acos => {
                let [low, high] = x[0].value.clone();
                let inside = [self.bind(low.max(-1.0).min(1.0)), self.bind(high.max(-1.0).min(1.0))];
                let rest = self.square_beside(&inside, 1.0, -1.0);
                let root = self.square_root(&rest);
                let slope = self.inverse(&root);
                match operator {
                    Asin => {
                        let value = self.rising(Elementary::Asin, &inside);
                        self.along(value, slope, &x[0])
                    }
                    _ => {
                        let [low, high] = self.rising(Elementary::Acos, &inside);
                        let slope = self.negated(&slope);
                        self.along([high, low], slope, &x[0])
                    }
                }
            }
            Atan => {
                let value = self.rising(Elementary::Atan, &x[0].value);
                let below = self.square_beside(&x[0].value, 1.0, 1.0);
                let slope = self.inverse(&below);
                self.along(value, slope, &x[0])
            }
            Atan2 => self.direction(&x[0], &x[1]),
            Sinh => {
                let (value, slope) = (self.rising(Elementary::Sinh, &x[0].value), self.hyperbolic_cosine(&x[0].value));
                self.along(value, slope, &x[0])
            }
            Cosh => {
                let (value, slope) = (self.hyperbolic_cosine(&x[0].value), self.rising(Elementary::Sinh, &x[0].value));
                self.along(value, slope, &x[0])
            }
            Tanh => {
                let value = self.rising(Elementary::Tanh, &x[0].value);
                let slope = self.square_beside(&value, 1.0, -1.0);
                self.along(value, slope, &x[0])
            }
            Exp => {
                let value = self.rising(Elementary::Exp, &x[0].value);
                self.along(value.clone(), value, &x[0])
            }
            Log => {
                let inside = x[0].value.clone().map(|bound| self.bind(bound.max(0.0)));
                let (value, slope) = (self.rising(Elementary::Log, &inside), self.inverse(&inside));
                self.along(value, slope, &x[0])
            }
            Sqrt => {
                let value = self.square_root(&x[0].value);
                let below = self.plus(&value, &value);
                let slope = self.inverse(&below);
                self.along(value, slope, &x[0])
            }
            Pow => self.real_power(&x[0], &x[1]),
            Abs => {
                let opposite = self.scaled(Number::MINUS_ONE, &x[0]);
                let Range { value: [low, high], rate } = self.chosen(Max, &x[0], &opposite);
                Range { value: [self.bind(low.max(0.0)), high], rate }
            }
            Sign | Floor => {
                let step = |x: Expression| match operator {
                    Floor => x.floor(),
                    _ => x.clone().gt(0.0).to_real() - x.lt(0.0).to_real(),
                };
                let value = x[0].value.clone().map(|bound| self.bind(step(bound)));
                self.stepping(value)
            }
            Min | Max => self.chosen(operator, &x[0], &x[1]),
            Less | LessEqual | Equal | And | Or | Not => {
                let value = self.condition(operator, x);
                self.stepping(value)
            }
            Select => self.selected(&x[0], &x[1], &x[2]),
            Impulse | Border | Leap => Range { value: none(), rate: none() },
            // Nothing is known of it between the places where it is looked at; margins have its path instead of it.
            Foreign => {
                let unknown = || [f64::NEG_INFINITY, f64::INFINITY].map(Expression::from);
                Range { value: unknown(), rate: unknown() }
            }
            Past => {
                let bounds =
                    self.body.lowering.history.as_ref().expect("a program that speaks of the past has one").bounds;
                let [signal, order] = [0, 1].map(|at| x[at].value[0].clone());
                let [low, high] = x[2].value.clone();
                let next = order.clone() + 1.0;
                let value = self.body.f.call_n(bounds, (signal.clone(), order, low.clone(), high.clone()));
                let slope = self.body.f.call_n(bounds, (signal, next, low, high)).map(Expression::from);
                self.along(value.map(Expression::from), slope, &x[2])
            }
            Place => {
                let curves = self.body.measured();
                let curve = x[0].value[0].clone();
                let value = x[1].value.clone().map(|x| self.body.f.call1(curves.place, (curve.clone(), x)).into());
                let steepest = self.body.f.call1(curves.cell, (curve, STEEPEST as f64, 0.0));
                self.along(value, [0.0.into(), steepest.into()], &x[1])
            }
            Cell => {
                let curves = self.body.measured();
                let [curve, part] = [0, 1].map(|at| x[at].value[0].clone());
                let [first, last] = x[2].value.clone();
                let value = self.body.f.call_n(curves.bounds, (curve, part, first, last)).map(Expression::from);
                self.stepping(value)
            }
        }
    }

    /// Between 0 and 1: whether it holds always, and whether it may hold.
    fn condition(&mut self, operator: Operator, x: &[Range]) -> Bounds {
        use Operator::*;
        let [low, high] = x[0].value.clone();
        let [other_low, other_high] = x.get(1).map_or_else(|| both(0.0), |y| y.value.clone());
        let [always, maybe] = match operator {
            Less => [high.lt(other_low), low.lt(other_high)],
            LessEqual => [high.le(other_low), low.le(other_high)],
            Equal => {
                let overlap = low.clone().le(other_high.clone()).and(other_low.clone().le(high.clone()));
                [low.clone().eq_(high.clone()).and(low.eq_(other_low)).and(high.eq_(other_high)), overlap]
            }
            And => [low.ne_(0.0).and(other_low.ne_(0.0)), high.ne_(0.0).and(other_high.ne_(0.0))],
            Or => [low.ne_(0.0).or(other_low.ne_(0.0)), high.ne_(0.0).or(other_high.ne_(0.0))],
            _ => [high.eq_(0.0), low.eq_(0.0)],
        };
        [self.bind(always.to_real()), self.bind(maybe.to_real())]
    }

    /// What is constant but for steps.
    fn stepping(&mut self, value: Bounds) -> Range {
        let same = self.body.f.integer("same", value[0].clone().eq_(value[1].clone()));
        let rate = [f64::NEG_INFINITY, f64::INFINITY].map(|bound| self.bind(same.select(0.0, bound)));
        Range { value, rate }
    }

    /// The first where a condition holds, else the second; where it may change, there may be a step.
    fn selected(&mut self, condition: &Range, first: &Range, second: &Range) -> Range {
        let always = self.body.f.integer("always", condition.value[0].clone().ne_(0.0));
        let never = self.body.f.integer("never", condition.value[1].clone().eq_(0.0));
        let mut pick = |a: &Bounds, b: &Bounds, neither: Bounds| {
            let [low, high] = [0, 1].map(|end| {
                let otherwise = never.select(b[end].clone(), neither[end].clone());
                self.body.f.bind("selected", always.select(a[end].clone(), otherwise)).into()
            });
            [low, high]
        };
        let (a, b) = (&first.value, &second.value);
        let hull = [a[0].clone().min(b[0].clone()), a[1].clone().max(b[1].clone())];
        let value = pick(a, b, hull);
        Range { value, rate: pick(&first.rate, &second.rate, everything()) }
    }

    /// The smaller or the larger of two.
    fn chosen(&mut self, operator: Operator, a: &Range, b: &Range) -> Range {
        let least = operator == Operator::Min;
        let pick = |a: Expression, b: Expression| if least { a.min(b) } else { a.max(b) };
        let value = [0, 1].map(|end| self.bind(pick(a.value[end].clone(), b.value[end].clone())));
        let below = |a: &Range, b: &Range| a.value[1].clone().lt(b.value[0].clone());
        let (first, second) = if least { (below(a, b), below(b, a)) } else { (below(b, a), below(a, b)) };
        let [first, second] = [first, second].map(|only| self.body.f.integer("only", only));
        let rate = [0, 1].map(|end| {
            let (of_a, of_b) = (a.rate[end].clone(), b.rate[end].clone());
            let either = if end == 0 { of_a.clone().min(of_b.clone()) } else { of_a.clone().max(of_b.clone()) };
            self.bind(first.select(of_a, second.select(of_b, either)))
        });
        Range { value, rate }
    }

    /// A function of one argument, and its slope there.
    fn along(&mut self, value: Bounds, slope: Bounds, x: &Range) -> Range {
        Range { value, rate: self.times(&slope, &x.rate) }
    }

    fn product(&mut self, a: &Range, b: &Range) -> Range {
        let first = self.times(&a.rate, &b.value);
        let second = self.times(&a.value, &b.rate);
        Range { value: self.times(&a.value, &b.value), rate: self.plus(&first, &second) }
    }

    /// `base ^ exponent`
    fn power(&mut self, base: Expr, exponent: i32) -> Range {
        let base = self.of(base);
        let count = exponent.unsigned_abs();
        let value = self.whole_power(&base.value, count);
        let slope = match count {
            1 => both(1.0),
            _ => {
                let lower = self.whole_power(&base.value, count - 1);
                self.scaled_bounds(f64::from(count), &lower)
            }
        };
        let above = self.along(value, slope, &base);
        if exponent > 0 {
            return above;
        }
        // 1/u has the rate −u′/u².
        let inverse = self.inverse(&above.value);
        let square = self.even_power(&inverse, 2);
        let slope = self.negated(&square);
        self.along(inverse, slope, &above)
    }

    fn whole_power(&mut self, base: &Bounds, exponent: u32) -> Bounds {
        match exponent {
            1 => base.clone(),
            _ if exponent.is_multiple_of(2) => self.even_power(base, exponent),
            _ => base.clone().map(|bound| self.multiplied(bound, exponent)),
        }
    }

    fn even_power(&mut self, base: &Bounds, exponent: u32) -> Bounds {
        let [least, most] = self.sizes(base);
        [self.multiplied(least, exponent), self.multiplied(most, exponent)]
    }

    /// The least and the largest size of a number.
    fn sizes(&mut self, [low, high]: &Bounds) -> Bounds {
        let least = low.clone().max(-high.clone()).max(0.0);
        [self.bind(least), self.bind((-low.clone()).max(high.clone()))]
    }

    /// By squaring.
    fn multiplied(&mut self, base: Expression, exponent: u32) -> Expression {
        if exponent == 1 {
            return base;
        }
        let half = self.multiplied(base.clone(), exponent / 2);
        let square = self.bind(half.clone() * half);
        if exponent.is_multiple_of(2) { square } else { self.bind(square * base) }
    }

    /// x^y for x that is not negative: it rises or falls with each.
    fn real_power(&mut self, x: &Range, y: &Range) -> Range {
        let inside = x.value.clone().map(|bound| self.bind(bound.max(0.0)));
        let value = self.power_between(&inside, &y.value);
        let less = self.plus(&y.value, &both(-1.0));
        let lower = self.power_between(&inside, &less);
        let by_base = self.times(&y.value, &lower);
        let first = self.times(&by_base, &x.rate);
        if y.rate.iter().all(|bound| bound.as_real() == Some(0.0)) {
            return Range { value, rate: first };
        }
        let logarithm = self.rising(Elementary::Log, &inside);
        let by_exponent = self.times(&logarithm, &value);
        let second = self.times(&by_exponent, &y.rate);
        Range { value, rate: self.plus(&first, &second) }
    }

    fn power_between(&mut self, x: &Bounds, y: &Bounds) -> Bounds {
        let function = self.body.elementary(Elementary::Pow);
        let fixed = y[0] == y[1];
        let mut corners: Vec<Expression> = Vec::new();
        for x in x {
            for y in y.iter().take(if fixed { 1 } else { 2 }) {
                corners.push(self.body.f.call1(function, [x.clone(), y.clone()]).into());
            }
        }
        let least = corners.iter().cloned().reduce(|a, b| a.min(b)).expect("a corner");
        let most = corners.into_iter().reduce(|a, b| a.max(b)).expect("a corner");
        [self.bind(least), self.bind(most)]
    }

    /// The angle of the point (x, y), whose rate is (x y′ − y x′)/(x² + y²).
    fn direction(&mut self, y: &Range, x: &Range) -> Range {
        let (module, lowering) = (self.body.f.module(), &mut self.body.lowering);
        let function = lowering.ranges.direction(module, &mut lowering.elementary);
        let corners = [y.value[0].clone(), y.value[1].clone(), x.value[0].clone(), x.value[1].clone()];
        let [low, high, whole] = self.body.f.call_n(function, corners);
        let squares = [x, y].map(|side| self.even_power(&side.value, 2));
        let size = self.plus(&squares[0], &squares[1]);
        let (first, second) = (self.times(&x.value, &y.rate), self.times(&y.value, &x.rate));
        let second = self.negated(&second);
        let turning = self.plus(&first, &second);
        let inverse = self.inverse(&size);
        let rate = self.times(&turning, &inverse);
        let jumps = whole.eq_(0.0);
        let [fall, rise] =
            [0, 1].map(|end| self.bind(jumps.clone().select(everything()[end].clone(), rate[end].clone())));
        Range { value: [low.into(), high.into()], rate: [fall, rise] }
    }

    fn turned(&mut self, angle: &Bounds) -> [Bounds; 2] {
        let (module, lowering) = (self.body.f.module(), &mut self.body.lowering);
        let function = lowering.ranges.turned(module, &mut lowering.elementary);
        let [sine_low, sine_high, cosine_low, cosine_high] = self.body.f.call_n(function, angle.clone());
        [[sine_low.into(), sine_high.into()], [cosine_low.into(), cosine_high.into()]]
    }

    /// constant + sign · x²
    fn square_beside(&mut self, x: &Bounds, constant: f64, sign: f64) -> Bounds {
        let square = self.even_power(x, 2);
        let scaled = self.scaled_bounds(sign, &square);
        self.plus(&both(constant), &scaled)
    }

    fn square_root(&mut self, x: &Bounds) -> Bounds {
        x.clone().map(|bound| self.bind(bound.max(0.0).sqrt()))
    }

    fn hyperbolic_cosine(&mut self, x: &Bounds) -> Bounds {
        let sizes = self.sizes(x);
        self.rising(Elementary::Cosh, &sizes)
    }

    /// A function at both ends.
    fn rising(&mut self, function: Elementary, x: &Bounds) -> Bounds {
        let function = self.body.elementary(function);
        x.clone().map(|bound| self.body.f.call1(function, bound).into())
    }

    fn call(&mut self, function: FunctionId, x: &Bounds) -> Bounds {
        let [low, high] = self.body.f.call_n(function, x.clone());
        [low.into(), high.into()]
    }

    fn inverse(&mut self, [low, high]: &Bounds) -> Bounds {
        let away = self.body.f.integer("away", low.clone().gt(0.0).or(high.clone().lt(0.0)));
        let [all_low, all_high] = everything();
        let one = || Expression::from(1.0);
        let value = [away.select(one() / high.clone(), all_low), away.select(one() / low.clone(), all_high)];
        value.map(|bound| self.bind(bound))
    }

    fn times(&mut self, a: &Bounds, b: &Bounds) -> Bounds {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(factor) = one[0].as_real().filter(|_| one[0] == one[1]) {
                return self.scaled_bounds(factor, other);
            }
        }
        let module = self.body.f.module();
        let function = self.body.lowering.ranges.times(module);
        let [low, high] = self.body.f.call_n(function, [a[0].clone(), a[1].clone(), b[0].clone(), b[1].clone()]);
        [low.into(), high.into()]
    }

    fn plus(&mut self, a: &Bounds, b: &Bounds) -> Bounds {
        [0, 1].map(|end| match (a[end].as_real(), b[end].as_real()) {
            (Some(0.0), _) => b[end].clone(),
            (_, Some(0.0)) => a[end].clone(),
            _ => self.bind(a[end].clone() + b[end].clone()),
        })
    }

    fn negated(&mut self, bounds: &Bounds) -> Bounds {
        self.scaled_bounds(-1.0, bounds)
    }

    fn scaled(&mut self, factor: Number, range: &Range) -> Range {
        let factor = factor.value();
        Range { value: self.scaled_bounds(factor, &range.value), rate: self.scaled_bounds(factor, &range.rate) }
    }

    fn scaled_bounds(&mut self, factor: f64, [low, high]: &Bounds) -> Bounds {
        match factor {
            0.0 => both(0.0),
            1.0 => [low.clone(), high.clone()],
            -1.0 => [-high.clone(), -low.clone()].map(|bound| self.bind(bound)),
            _ if factor > 0.0 => [low, high].map(|bound| self.bind(bound.clone() * factor)),
            _ => [high, low].map(|bound| self.bind(bound.clone() * factor)),
        }
    }

    /// In a variable, unless it is one, or a number.
    fn bind(&mut self, value: impl Into<Expression>) -> Expression {
        match value.into() {
            value @ (Expression::Local(_) | Expression::Constant(_)) => value,
            value => self.body.f.bind("bound", value).into(),
        }
    }
}

fn both(value: f64) -> Bounds {
    [value.into(), value.into()]
}

fn none() -> Bounds {
    both(0.0)
}

fn everything() -> Bounds {
    [f64::NEG_INFINITY.into(), f64::INFINITY.into()]
}
