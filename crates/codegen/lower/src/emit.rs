//! Straight-line code for expressions: each shared node once, in the order in which nodes were made.

use expr::{Arena, Expr, Node, Number, Operator, SymbolId};
use kernel::{ArrayId, Expression, LocalId, Term, Type};
use numerics::elementary::Function as Elementary;
use program::State;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lower::Body;
use crate::measured::Measured;
use crate::roll::{Row, Target};

/// What symbols and nodes are known to be at a place in a function.
pub(crate) struct Scope {
    symbols: FxHashMap<SymbolId, Expression>,
    nodes: FxHashMap<Expr, Expression>,
    pub shortcuts: Shortcuts,
    /// Nodes that will be used again, though what is being written uses them once.
    lasting: FxHashSet<Expr>,
    /// Nodes by which more than one thing is divided.
    divisors: FxHashSet<Expr>,
    /// Whether sums are taken with what their rounding loses.
    pub careful: bool,
}

/// What was computed on the way: squares of variables, inverses of nodes.
#[derive(Clone, Default)]
pub(crate) struct Shortcuts {
    squares: FxHashMap<LocalId, LocalId>,
    inverses: FxHashMap<Expr, LocalId>,
}

impl Scope {
    pub fn new(symbols: FxHashMap<SymbolId, Expression>) -> Scope {
        Scope {
            symbols,
            nodes: FxHashMap::default(),
            shortcuts: Shortcuts::default(),
            lasting: FxHashSet::default(),
            divisors: FxHashSet::default(),
            careful: false,
        }
    }

    /// Gives a symbol a value; what was computed from an old value is forgotten.
    pub fn bind(&mut self, symbol: SymbolId, value: Expression) {
        if self.symbols.insert(symbol, value).is_some() {
            self.nodes.clear();
            self.shortcuts.inverses.clear();
        }
    }

    /// Takes the value of a symbol away, where all that was computed from it has been forgotten.
    pub fn unbind(&mut self, symbol: SymbolId) {
        self.symbols.remove(&symbol);
    }

    /// What is shared among some expressions gets variables, even if they are written one after the other.
    pub fn expect(&mut self, arena: &Arena, expressions: &[Expr]) {
        let nodes = arena.reachable(expressions);
        self.divisors.extend(common_divisors(arena, &nodes));
        let uses = arena.count_uses(&nodes, expressions);
        self.lasting.extend(uses.into_iter().filter(|&(_, count)| count > 1).map(|(node, _)| node));
    }

    /// Gives each state the element of an array.
    pub fn bind_states(&mut self, states: &[State], array: ArrayId) {
        for (at, state) in states.iter().enumerate() {
            self.bind(state.symbol, array.at(at));
        }
    }

    pub fn symbol(&self, symbol: SymbolId) -> Option<&Expression> {
        self.symbols.get(&symbol)
    }

    /// What a node has been computed to be.
    pub fn node(&self, node: Expr) -> Option<&Expression> {
        self.nodes.get(&node)
    }

    /// States what a node is, here and later.
    pub fn insert(&mut self, node: Expr, value: Expression) {
        self.nodes.insert(node, value);
    }

    /// What a node is, is no longer known.
    pub fn forget(&mut self, node: Expr) {
        self.nodes.remove(&node);
    }
}

/// Nested deeper than this, an expression gets a variable of its own.
const DEEPEST: usize = 24;

impl Body<'_, '_, '_> {
    /// The values of some expressions, with the code that computes them written before this point.
    pub fn emit(&mut self, roots: &[Expr], scope: &mut Scope) -> Vec<Expression> {
        let arena = self.lowering.program.arena.clone();
        let order = arena.reachable_until(roots, |node| scope.nodes.contains_key(&node));
        let fresh: Vec<Expr> = order.into_iter().filter(|node| !scope.nodes.contains_key(node)).collect();
        let uses = arena.count_uses(&fresh, roots);
        let pairs = sine_cosine_pairs(&arena, &fresh);
        self.sines_of_many(&arena, &fresh, &pairs, scope);
        scope.divisors.extend(common_divisors(&arena, &fresh));
        let mut depths: FxHashMap<Expr, usize> = FxHashMap::default();
        for node in fresh {
            if scope.nodes.contains_key(&node) {
                continue;
            }
            let depth = 1 + arena
                .node(node)
                .children()
                .iter()
                .map(|child| depths.get(child).copied().unwrap_or(0))
                .max()
                .unwrap_or(0);
            let value = self.node(&arena, node, scope, &pairs);
            let leaf = matches!(value, Expression::Local(_) | Expression::Constant(_));
            let once = uses.get(&node) == Some(&1) && !scope.lasting.contains(&node);
            let keep = leaf || (once && depth < DEEPEST);
            depths.insert(node, if keep { depth } else { 0 });
            let value = if keep { value } else { self.f.bind(&name(&arena, node), value).into() };
            scope.nodes.insert(node, value);
        }
        // A condition that is printed or stored is 1 or 0.
        roots.iter().map(|root| real(&scope.nodes[root])).collect()
    }

    /// Stores the values of states in an array.
    pub fn store_states(&mut self, states: &[State], array: ArrayId, scope: &mut Scope) {
        let arena = &self.lowering.program.arena;
        let states: Vec<Row> = states.iter().map(|state| arena.symbol(state.symbol)).enumerate().collect();
        self.store_rows(&Target { array, offset: 0.into() }, &states, scope);
    }

    pub fn store_all(&mut self, array: ArrayId, values: Vec<Expression>) {
        for (at, value) in values.into_iter().enumerate() {
            self.f.store(array, at, value);
        }
    }

    fn node(&mut self, arena: &Arena, node: Expr, scope: &mut Scope, pairs: &FxHashSet<Expr>) -> Expression {
        match arena.node(node) {
            Node::Number(number) => Expression::from(number.value()),
            Node::Symbol(symbol) => match scope.symbols.get(symbol) {
                Some(value) => value.clone(),
                None => unreachable!("`{}` has no value here", arena.symbol_name(*symbol)),
            },
            Node::Sum(terms, constant) => {
                let terms: Vec<(Number, Expression)> =
                    terms.iter().map(|&(coefficient, term)| (coefficient, real(&scope.nodes[&term]))).collect();
                let is_long = terms.len() + usize::from(constant.value() != 0.0) > 2;
                if scope.careful && is_long { self.careful_sum(terms, *constant) } else { self.sum(terms, *constant) }
            }
            Node::Product(factors) => {
                let factors = factors.iter().map(|&(base, exponent)| self.factor(base, exponent, scope)).collect();
                self.product(factors, scope)
            }
            Node::Apply(operator, arguments) => {
                if pairs.contains(&arguments[0]) && matches!(operator, Operator::Sin | Operator::Cos) {
                    return self.sine_cosine(arena, *operator, arguments[0], scope);
                }
                let values: Vec<Expression> = arguments.iter().map(|argument| scope.nodes[argument].clone()).collect();
                self.apply(*operator, values)
            }
        }
    }

    /// Σ coefficient · term + constant, beginning with a term that is not subtracted, if there is one. What has been added so far gets a
    /// variable now and then, since expressions cannot be nested as deeply as sums are long.
    fn sum(&mut self, mut terms: Vec<(Number, Expression)>, constant: Number) -> Expression {
        const LONG: usize = 64;
        if let Some(first) = terms.iter().position(|(coefficient, _)| coefficient.value() > 0.0) {
            let term = terms.remove(first);
            terms.insert(0, term);
        }
        let mut total: Option<Expression> = None;
        for (at, (coefficient, term)) in terms.into_iter().enumerate() {
            let (value, size) = (coefficient.value(), coefficient.value().abs());
            let part = if size == 1.0 { term } else { Expression::from(size) * term };
            let sum = match (total, value > 0.0) {
                (Some(total), true) => total + part,
                (Some(total), false) => total - part,
                (None, true) => part,
                (None, false) => -part,
            };
            total = Some(if at % LONG == LONG - 1 { self.f.bind("sum", sum).into() } else { sum });
        }
        let total = total.unwrap_or_else(|| Expression::from(0.0));
        match constant.value() {
            0.0 => total,
            value if value > 0.0 => total + value,
            value => total - value.abs(),
        }
    }

    /// Σ coefficient · term + constant, as if rounded once: what is left of large terms that cancel may be all that matters, where
    /// implicit steps are long. After each addition the part that it lost is found without error (D. Knuth, *The Art of Computer
    /// Programming*, volume 2, section 4.2.2, theorem B).
    fn careful_sum(&mut self, terms: Vec<(Number, Expression)>, constant: Number) -> Expression {
        let parts = terms.into_iter().map(|(coefficient, term)| match coefficient.value() {
            1.0 => term,
            -1.0 => -term,
            value => Expression::from(value) * term,
        });
        let constant = Some(constant.value()).filter(|value| *value != 0.0).map(Expression::from);
        let parts: Vec<LocalId> = parts.chain(constant).map(|part| self.f.bind("part", part)).collect();
        let (mut total, mut lost) = (parts[0], None::<Expression>);
        for &part in &parts[1..] {
            let next = self.f.real("total", total + part);
            let added = self.f.real("added", next - total);
            let loss = (total - (next - added)) + (part - added);
            lost = Some(match lost {
                Some(lost) => self.f.bind("lost", lost + loss).into(),
                None => self.f.bind("lost", loss).into(),
            });
            total = next;
        }
        total + lost.unwrap_or_else(|| 0.0.into())
    }

    /// A base and its exponent. One division serves all who divide by the same.
    fn factor(&mut self, base: Expr, exponent: i32, scope: &mut Scope) -> (Expression, i32) {
        let value = real(&scope.nodes[&base]);
        if exponent > 0 || !scope.divisors.contains(&base) {
            // Where 1 / |d| is known, its square is cheaper than dividing by d².
            let inverse_of_root = || {
                let root = self.lowering.program.arena.apply(Operator::Sqrt, &[base]);
                scope.shortcuts.inverses.get(&root)
            };
            let may_be_known = exponent < 0 && !scope.careful && !scope.shortcuts.inverses.is_empty();
            return match may_be_known.then(inverse_of_root).flatten() {
                Some(&inverse) => (inverse.into(), -2 * exponent),
                None => (value, exponent),
            };
        }
        let inverse = match scope.shortcuts.inverses.get(&base) {
            Some(&known) => known,
            None => self.f.bind("inverse", Expression::from(1.0) / value),
        };
        scope.shortcuts.inverses.insert(base, inverse);
        (inverse.into(), -exponent)
    }

    /// Π base ^ exponent, as one quotient.
    fn product(&mut self, factors: Vec<(Expression, i32)>, scope: &mut Scope) -> Expression {
        let (mut above, mut below): (Option<Expression>, Option<Expression>) = (None, None);
        for (base, exponent) in factors {
            let factor = self.power(base, exponent.unsigned_abs(), scope);
            let side = if exponent > 0 { &mut above } else { &mut below };
            *side = Some(match side.take() {
                Some(product) => product * factor,
                None => factor,
            });
        }
        match (above, below) {
            (Some(above), Some(below)) => above / below,
            (Some(above), None) => above,
            (None, Some(below)) => Expression::from(1.0) / below,
            (None, None) => Expression::from(1.0),
        }
    }

    /// By repeated squaring.
    fn power(&mut self, base: Expression, exponent: u32, scope: &mut Scope) -> Expression {
        if exponent == 1 {
            return base;
        }
        let mut square = match base {
            Expression::Local(local) => local,
            _ => self.f.bind("base", base),
        };
        let mut result: Option<Expression> = None;
        let mut rest = exponent;
        loop {
            if rest & 1 == 1 {
                result = Some(match result {
                    Some(product) => product * square,
                    None => square.into(),
                });
            }
            rest >>= 1;
            match (rest, result) {
                (0, Some(result)) => return result,
                (_, open) => result = open,
            }
            square = *scope.shortcuts.squares.entry(square).or_insert_with(|| self.f.bind("square", square * square));
        }
    }

    /// The sines and cosines of many angles in a loop, whose code is that of one. Only angles that are sums and products of what is
    /// known are worth it: others wait for one another.
    fn sines_of_many(&mut self, arena: &Arena, fresh: &[Expr], pairs: &FxHashSet<Expr>, scope: &mut Scope) {
        const MANY: usize = 8;
        if pairs.len() < MANY {
            return;
        }
        // Children come first, so one pass tells of all angles. Those of a chain are sums of one another.
        let mut waiting: FxHashSet<Expr> = FxHashSet::default();
        for &node in fresh.iter().filter(|node| !scope.nodes.contains_key(node)) {
            let content = arena.node(node);
            if matches!(content, Node::Apply(..)) || content.children().iter().any(|child| waiting.contains(child)) {
                waiting.insert(node);
            }
        }
        let known = |angle: &Expr| scope.nodes.contains_key(&arena.apply(Operator::Sin, &[*angle]));
        let mut angles: Vec<Expr> =
            pairs.iter().copied().filter(|angle| !known(angle) && !waiting.contains(angle)).collect();
        if angles.len() < MANY {
            return;
        }
        angles.sort_unstable();
        let values = self.emit(&angles, scope);
        let function = self.elementary(Elementary::SinCos);
        let [array, sines, cosines] =
            ["angles", "sines", "cosines"].map(|name| self.f.module().real_array(name, angles.len(), "of many frames"));
        self.store_all(array, values);
        self.f.for_each("row", 0, angles.len(), |f, row| {
            let [sine, cosine] = ["sine", "cosine"].map(|name| f.local(name, Type::Real));
            f.call_into(&[sine, cosine], function, array.at(row));
            f.store(sines, row, sine);
            f.store(cosines, row, cosine);
        });
        for (at, &angle) in angles.iter().enumerate() {
            scope.nodes.insert(arena.apply(Operator::Sin, &[angle]), sines.at(at));
            scope.nodes.insert(arena.apply(Operator::Cos, &[angle]), cosines.at(at));
        }
    }

    /// Both values in one call; the partner is remembered.
    fn sine_cosine(&mut self, arena: &Arena, wanted: Operator, angle: Expr, scope: &mut Scope) -> Expression {
        let function = self.elementary(Elementary::SinCos);
        let of = match arena.node(angle) {
            Node::Symbol(symbol) => format!("_{}", arena.symbol_name(*symbol)),
            _ => String::new(),
        };
        let [sine, cosine] = ["sin", "cos"].map(|name| self.f.local(&format!("{name}{of}"), Type::Real));
        self.f.call_into(&[sine, cosine], function, real(&scope.nodes[&angle]));
        scope.nodes.insert(arena.apply(Operator::Sin, &[angle]), sine.into());
        scope.nodes.insert(arena.apply(Operator::Cos, &[angle]), cosine.into());
        if wanted == Operator::Sin { sine.into() } else { cosine.into() }
    }

    fn apply(&mut self, operator: Operator, mut values: Vec<Expression>) -> Expression {
        use Operator::*;
        let second = |values: &mut Vec<Expression>| values.remove(1);
        match operator {
            Sqrt => real(&values[0]).sqrt(),
            Abs => real(&values[0]).abs(),
            Floor => real(&values[0]).floor(),
            Min => real(&values[0]).min(real(&values[1])),
            Max => real(&values[0]).max(real(&values[1])),
            Sign => {
                let x = self.f.bind("x", real(&values[0]));
                x.gt(0.0).to_real() - x.lt(0.0).to_real()
            }
            Impulse | Border | Leap => Expression::from(0.0),
            Past => {
                let read = self.lowering.history.as_ref().expect("a program that speaks of the past has one").read;
                let arguments: Vec<Expression> = values.iter().map(real).collect();
                self.f.call1(read, arguments).into()
            }
            Foreign => {
                let arguments: Vec<Expression> = values.iter().map(real).collect();
                self.f.foreign(arguments).into()
            }
            Place | Cell => {
                let curves = self.measured();
                let function = if operator == Place { curves.place } else { curves.cell };
                let arguments: Vec<Expression> = values.iter().map(real).collect();
                self.f.call1(function, arguments).into()
            }
            Less => real(&values[0]).lt(real(&values[1])),
            LessEqual => real(&values[0]).le(real(&values[1])),
            Equal => real(&values[0]).eq_(real(&values[1])),
            And => condition(&values[0]).and(condition(&values[1])),
            Or => condition(&values[0]).or(condition(&values[1])),
            Not => condition(&values[0]).logical_not(),
            Select => {
                let y = real(&values.remove(2));
                let x = real(&second(&mut values));
                condition(&values[0]).select(x, y)
            }
            _ => {
                // Functions of the language and of the kernel have the same names.
                let function = Elementary::named(operator.row().name).expect("every other operator is elementary");
                let function = self.elementary(function);
                let arguments: Vec<Expression> = values.iter().map(real).collect();
                self.f.call1(function, arguments).into()
            }
        }
    }

    /// The functions of the scene's curves.
    pub fn measured(&mut self) -> Measured {
        let program = self.lowering.program;
        let module = self.f.module();
        *self.lowering.measured.get_or_insert_with(|| Measured::declare(module, program.arena.curves()))
    }

    pub fn elementary(&mut self, function: Elementary) -> kernel::FunctionId {
        self.lowering.elementary.function(self.f.module(), function)
    }
}

fn real(expression: &Expression) -> Expression {
    match expression.kind() {
        Type::Real => expression.clone(),
        Type::Integer => expression.clone().to_real(),
    }
}

fn condition(expression: &Expression) -> Expression {
    match expression.kind() {
        Type::Integer => expression.clone(),
        Type::Real => expression.clone().ne_(0.0),
    }
}

/// Angles whose sine and cosine are both needed.
fn sine_cosine_pairs(arena: &Arena, nodes: &[Expr]) -> FxHashSet<Expr> {
    let angles = |wanted: Operator| -> FxHashSet<Expr> {
        let found = nodes.iter().filter_map(|&node| match arena.node(node) {
            Node::Apply(operator, arguments) if *operator == wanted => Some(arguments[0]),
            _ => None,
        });
        found.collect()
    };
    angles(Operator::Sin).intersection(&angles(Operator::Cos)).copied().collect()
}

/// Nodes by which more than one of the given nodes divides.
fn common_divisors(arena: &Arena, nodes: &[Expr]) -> Vec<Expr> {
    let mut counts: FxHashMap<Expr, usize> = FxHashMap::default();
    for &node in nodes {
        if let Node::Product(factors) = arena.node(node) {
            let below = factors.iter().filter(|(_, exponent)| *exponent < 0);
            below.for_each(|(base, _)| *counts.entry(*base).or_default() += 1);
        }
    }
    counts.into_iter().filter(|&(_, count)| count > 1).map(|(base, _)| base).collect()
}

/// A readable name for the variable that holds a node.
fn name(arena: &Arena, node: Expr) -> String {
    match arena.node(node) {
        Node::Symbol(symbol) => arena.symbol_name(*symbol).to_string(),
        Node::Sum(..) => "sum".to_string(),
        Node::Product(..) => "product".to_string(),
        Node::Apply(operator, _) if operator.row().name.chars().all(char::is_alphabetic) => {
            operator.row().name.to_string()
        }
        _ => "value".to_string(),
    }
}
