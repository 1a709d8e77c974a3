//! Rows of equal shape in one loop: a thousand equal parts need the code of one, and tables of what it is about in each.

use expr::{Arena, Expr, Node, Number, Operator};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Statement, Term};
use rustc_hash::FxHashMap;

use crate::emit::Scope;
use crate::lower::Body;

/// Fewer rows are written one after the other.
pub(crate) const FEWEST: usize = 24;
/// Larger rows, with all that they share written out, are too.
pub(crate) const LARGEST: usize = 400;

/// A place in an array, and what goes there.
pub(crate) type Row = (usize, Expr);

/// An array, and what is added to all places in it.
pub(crate) struct Target {
    pub array: ArrayId,
    pub offset: Expression,
}

impl Body<'_, '_, '_> {
    /// Stores the values of expressions at places of an array. What several of them share and what is no small matter is computed
    /// once, in loops of its own.
    pub fn store_rows(&mut self, target: &Target, rows: &[Row], scope: &mut Scope) {
        if rows.len() >= FEWEST {
            let roots: Vec<Expr> = rows.iter().map(|&(_, root)| root).collect();
            self.compute_shared(&roots, scope);
            self.compute_sums(&roots, scope);
        }
        self.store_as_they_are(target, rows, scope);
    }

    /// Stores rows in loops, as far as they are alike, with whatever they are made of.
    pub fn store_as_they_are(&mut self, target: &Target, rows: &[Row], scope: &mut Scope) {
        let rest = self.roll(target, rows, scope);
        let roots: Vec<Expr> = rest.iter().map(|&(_, root)| root).collect();
        for ((place, _), value) in rest.into_iter().zip(self.emit(&roots, scope)) {
            self.f.store(target.array, target.offset.clone() + place, value);
        }
    }

    /// Calls of functions that several rows need, from the innermost out, if there are many.
    fn compute_shared(&mut self, roots: &[Expr], scope: &mut Scope) {
        let arena = self.lowering.program.arena.clone();
        let nodes = arena.reachable_until(roots, |node| scope.node(node).is_some());
        let uses = arena.count_uses(&nodes, roots);
        let mut level: FxHashMap<Expr, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<Expr>> = Vec::new();
        for &node in &nodes {
            let content = arena.node(node);
            let below =
                content.children().iter().map(|child| level.get(child).copied().unwrap_or(0)).max().unwrap_or(0);
            let shared = is_call(content) && uses.get(&node).is_some_and(|&uses| uses > 1);
            level.insert(node, below + usize::from(shared));
            if shared {
                levels.resize_with(levels.len().max(below + 1), Vec::new);
                levels[below].push(node);
            }
        }
        for nodes in levels.into_iter().filter(|nodes| nodes.len() >= FEWEST) {
            self.keep_rolled(&nodes, scope);
        }
    }

    /// Computes those of some nodes that have the shape of many in loops, into an array where they are found from now on.
    pub fn keep_rolled(&mut self, nodes: &[Expr], scope: &mut Scope) {
        let array = self.f.module().real_array("shared", nodes.len(), "values that several rows share");
        let target = Target { array, offset: 0.into() };
        let rows: Vec<Row> = nodes.iter().copied().enumerate().collect();
        let rest = self.roll(&target, &rows, scope);
        let straight: Vec<usize> = rest.iter().map(|&(place, _)| place).collect();
        for (place, node) in rows.into_iter().filter(|(place, _)| straight.binary_search(place).is_err()) {
            scope.insert(node, array.at(place));
        }
    }

    /// Writes a loop for each shape that many rows have; gives the other rows.
    fn roll(&mut self, target: &Target, rows: &[Row], scope: &mut Scope) -> Vec<Row> {
        if rows.len() < FEWEST {
            return rows.to_vec();
        }
        let arena = self.lowering.program.arena.clone();
        let roots: Vec<Expr> = rows.iter().map(|&(_, root)| root).collect();
        let shapes = Shapes::new(&arena, &roots, scope);
        let mut group_of: FxHashMap<u64, usize> = FxHashMap::default();
        let (mut groups, mut rest): (Vec<Vec<Row>>, Vec<Row>) = (Vec::new(), Vec::new());
        for &(place, root) in rows {
            let (shape, size) = shapes.of(root);
            if size > LARGEST {
                rest.push((place, root));
                continue;
            }
            let group = *group_of.entry(shape).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push((place, root));
        }
        for group in groups {
            if group.len() < FEWEST || !self.roll_group(&arena, target, &group, scope, &shapes) {
                rest.extend(group);
            }
        }
        rest.sort_unstable_by_key(|&(place, _)| place);
        rest
    }

    /// One loop over rows of equal shape; false if they are not of equal shape after all.
    fn roll_group(
        &mut self,
        arena: &Arena,
        target: &Target,
        group: &[Row],
        scope: &mut Scope,
        shapes: &Shapes,
    ) -> bool {
        let column: Vec<Expr> = group.iter().map(|&(_, root)| root).collect();
        let Some(template) = self.template(arena, column, scope, shapes) else { return false };
        let row = self.f.local("row", Integer);
        let places: Vec<usize> = group.iter().map(|&(place, _)| place).collect();
        let place = self.index(row, &places);
        let body = self.each(arena, template, row, scope, |f, value| {
            f.store(target.array, target.offset.clone() + place, value);
        });
        self.f.push(Statement::For { variable: row, from: 0.into(), to: group.len().into(), body });
        true
    }

    /// The expression that stands for all of a column; none if these are not alike. What is the same in all of them is computed here.
    pub fn template(
        &mut self,
        arena: &Arena,
        column: Vec<Expr>,
        scope: &mut Scope,
        shapes: &Shapes,
    ) -> Option<(Expr, Slots)> {
        let (done, slots, common) = (FxHashMap::default(), Vec::new(), Vec::new());
        let mut template = Template { arena, scope: &*scope, shapes, done, slots, common };
        let root = template.build(column)?;
        let Template { slots, common, .. } = template;
        self.emit(&common, scope);
        Some((root, slots))
    }

    /// The statements of a loop that does something with the value of a template for each member of its column.
    pub fn each(
        &mut self,
        arena: &Arena,
        (root, slots): (Expr, Slots),
        member: LocalId,
        scope: &mut Scope,
        write: impl FnOnce(&mut FunctionBuilder<'_>, Expression),
    ) -> Vec<Statement> {
        for (symbol, slot) in slots {
            let value = match slot {
                Slot::Places(array, places) => array.at(self.index(member, &places)),
                Slot::Numbers(numbers) => self.f.module().reals("numbers", &numbers, "a number of each row").at(member),
            };
            scope.bind(symbol, value);
        }
        let inside: Vec<Expr> =
            arena.reachable(&[root]).into_iter().filter(|&node| scope.node(node).is_none()).collect();
        let shortcuts = scope.shortcuts.clone();
        let body = self.block(|body| {
            let value = body.emit(&[root], scope).remove(0);
            write(body.f, value);
        });
        inside.into_iter().for_each(|node| scope.forget(node));
        scope.shortcuts = shortcuts;
        body
    }

    /// The place of a row: in a table, unless places are evenly spaced.
    pub fn index(&mut self, row: LocalId, places: &[usize]) -> Expression {
        let stride = places[1] as i64 - places[0] as i64;
        if places.windows(2).all(|pair| pair[1] as i64 - pair[0] as i64 == stride) {
            let scaled = if stride == 1 { row.get() } else { row * stride };
            return if places[0] == 0 { scaled } else { scaled + places[0] };
        }
        table(self.f.module(), places).at(row)
    }
}

fn table(module: &mut ModuleBuilder, places: &[usize]) -> ArrayId {
    let places: Vec<i64> = places.iter().map(|&place| place as i64).collect();
    module.integers("places", &places, "a place for each row")
}

/// Whether a node is a call of a function, which is worth keeping.
fn is_call(node: &Node) -> bool {
    use Operator::*;
    match node {
        Node::Apply(operator, _) => {
            !matches!(operator, Abs | Floor | Min | Max | Sign | Less | LessEqual | Equal | And | Or | Not | Select)
        }
        _ => false,
    }
}

/// What a node looks like when all that differs from row to row is left out: numbers, and the places of array elements.
pub(crate) struct Shapes {
    /// Shape and size of each node; sizes count shared parts as often as they occur.
    memory: FxHashMap<Expr, (u64, usize)>,
    /// Shapes are numbered as they are met. Terms are added in the order of these numbers, so they must be the same on every machine; hashes are not.
    numbers: FxHashMap<Form, u64>,
}

/// What makes a shape, with the numbers of its parts' shapes.
#[derive(PartialEq, Eq, Hash)]
enum Form {
    Element(ArrayId),
    Number(u8),
    Node(Expr),
    Sum(Vec<(u64, u8)>, u8),
    Product(Vec<(u64, i32)>),
    Apply(u32, Vec<u64>),
}

impl Shapes {
    /// The shapes of all that some expressions are made of.
    pub fn new(arena: &Arena, roots: &[Expr], scope: &Scope) -> Shapes {
        let mut shapes = Shapes { memory: FxHashMap::default(), numbers: FxHashMap::default() };
        for node in arena.reachable_until(roots, |node| leaf(scope, arena.node(node), node).is_some()) {
            let (form, size) = shapes.form(arena.node(node), node, scope);
            let next = shapes.numbers.len() as u64 + 1;
            let shape = *shapes.numbers.entry(form).or_insert(next);
            shapes.memory.insert(node, (shape, size));
        }
        shapes
    }

    pub fn of(&self, root: Expr) -> (u64, usize) {
        self.memory[&root]
    }

    fn known(&self, node: Expr) -> u64 {
        self.memory.get(&node).map_or(0, |&(shape, _)| shape)
    }

    fn form(&self, content: &Node, node: Expr, scope: &Scope) -> (Form, usize) {
        let size = |children: &mut dyn Iterator<Item = Expr>| {
            children.fold(1_usize, |sum, child| sum.saturating_add(self.memory[&child].1))
        };
        match leaf(scope, content, node) {
            Some(Leaf::Element(array, _)) => return (Form::Element(array), 1),
            Some(Leaf::Number(number)) => return (Form::Number(class(number)), 1),
            None => {}
        }
        match content {
            Node::Number(_) | Node::Symbol(_) => (Form::Node(node), 1),
            Node::Sum(terms, constant) => {
                let mut parts: Vec<(u64, u8)> =
                    terms.iter().map(|&(coefficient, term)| (self.known(term), class(coefficient.value()))).collect();
                parts.sort_unstable();
                (Form::Sum(parts, class(constant.value())), size(&mut terms.iter().map(|&(_, term)| term)))
            }
            Node::Product(factors) => {
                let mut parts: Vec<(u64, i32)> =
                    factors.iter().map(|&(base, exponent)| (self.known(base), exponent)).collect();
                parts.sort_unstable();
                (Form::Product(parts), size(&mut factors.iter().map(|&(base, _)| base)))
            }
            Node::Apply(operator, arguments) => {
                let parts: Vec<u64> = arguments.iter().map(|&argument| self.known(argument)).collect();
                (Form::Apply(*operator as u32, parts), size(&mut arguments.iter().copied()))
            }
        }
    }
}

/// Numbers that need no multiplication are kept apart from all others.
pub(crate) fn class(number: f64) -> u8 {
    match number {
        0.0 => 0,
        1.0 => 1,
        -1.0 => 2,
        _ => 3,
    }
}

/// What may differ from row to row.
pub(crate) enum Leaf {
    /// The element of an array at a fixed place.
    Element(ArrayId, usize),
    Number(f64),
}

pub(crate) fn leaf(scope: &Scope, content: &Node, node: Expr) -> Option<Leaf> {
    let value = match content {
        Node::Number(number) => return Some(Leaf::Number(number.value())),
        Node::Symbol(symbol) => scope.symbol(*symbol)?,
        _ => scope.node(node)?,
    };
    match value {
        Expression::Load { array, index } if array.element == Real => {
            Some(Leaf::Element(*array, usize::try_from(index.as_integer()?).ok()?))
        }
        Expression::Constant(value) => value.as_real().map(Leaf::Number),
        _ => None,
    }
}

/// The symbols of a template.
pub(crate) type Slots = Vec<(expr::SymbolId, Slot)>;

/// What a symbol of the template stands for in each row.
pub(crate) enum Slot {
    /// Elements of an array.
    Places(ArrayId, Vec<usize>),
    Numbers(Vec<f64>),
}

impl Slot {
    /// What a column of leaves is; none if it is not of one kind.
    pub fn of<'l>(mut column: impl Iterator<Item = Option<&'l Leaf>>) -> Option<Slot> {
        let mut slot = match column.next()?? {
            Leaf::Element(array, place) => Slot::Places(*array, vec![*place]),
            Leaf::Number(number) => Slot::Numbers(vec![*number]),
        };
        for leaf in column {
            match (&mut slot, leaf?) {
                (Slot::Places(array, places), Leaf::Element(other, place)) if array == other => places.push(*place),
                (Slot::Numbers(numbers), Leaf::Number(number)) => numbers.push(*number),
                _ => return None,
            }
        }
        Some(slot)
    }

    pub fn is_equal(&self, other: &Slot) -> bool {
        match (self, other) {
            (Slot::Places(array, places), Slot::Places(other, others)) => array == other && places == others,
            (Slot::Numbers(numbers), Slot::Numbers(others)) => numbers == others,
            _ => false,
        }
    }
}

/// One expression in place of many: where they differ, it has symbols of its own.
struct Template<'t> {
    arena: &'t Arena,
    scope: &'t Scope,
    shapes: &'t Shapes,
    done: FxHashMap<Vec<Expr>, Expr>,
    slots: Slots,
    /// What is the same in all rows.
    common: Vec<Expr>,
}

impl Template<'_> {
    /// The expression that stands for a column of others; none if these are not alike.
    fn build(&mut self, column: Vec<Expr>) -> Option<Expr> {
        if let Some(&done) = self.done.get(&column) {
            return Some(done);
        }
        let first = column[0];
        let built = if column.iter().all(|&node| node == first) {
            self.common.push(first);
            first
        } else {
            self.build_node(&column)?
        };
        self.done.insert(column, built);
        Some(built)
    }

    fn build_node(&mut self, column: &[Expr]) -> Option<Expr> {
        let nodes: Vec<&Node> = column.iter().map(|&node| self.arena.node(node)).collect();
        let leaves = nodes.iter().zip(column).map(|(content, &node)| leaf(self.scope, content, node));
        if leaf(self.scope, nodes[0], column[0]).is_some() {
            let leaves: Vec<Option<Leaf>> = leaves.collect();
            return match Slot::of(leaves.iter().map(Option::as_ref))? {
                Slot::Numbers(numbers) => Some(self.number(numbers)),
                places => Some(self.slot(places)),
            };
        }
        match &nodes[0] {
            Node::Number(_) => None,
            // A symbol that is no element is the same in all rows, or they are not alike.
            Node::Symbol(_) => None,
            Node::Sum(..) => self.build_sum(&nodes),
            Node::Product(..) => self.build_product(&nodes),
            Node::Apply(operator, arguments) => {
                let count = arguments.len();
                let operator = *operator;
                let lists = nodes.iter().map(|node| match node {
                    Node::Apply(other, arguments) if *other == operator && arguments.len() == count => {
                        Some(arguments.to_vec())
                    }
                    _ => None,
                });
                let lists = lists.collect::<Option<Vec<Vec<Expr>>>>()?;
                let arguments = (0..count).map(|at| self.build(lists.iter().map(|list| list[at]).collect()));
                let arguments = arguments.collect::<Option<Vec<Expr>>>()?;
                Some(self.arena.apply(operator, &arguments))
            }
        }
    }

    fn build_sum(&mut self, nodes: &[&Node]) -> Option<Expr> {
        let mut lists = Vec::with_capacity(nodes.len());
        let mut constants = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Node::Sum(terms, constant) = node else { return None };
            let mut terms = terms.to_vec();
            terms.sort_by_key(|&(coefficient, term)| (self.shapes.known(term), class(coefficient.value()), term));
            lists.push(terms);
            constants.push(constant.value());
        }
        let count = lists[0].len();
        if lists.iter().any(|list| list.len() != count) {
            return None;
        }
        let mut parts = vec![(Number::ONE, self.number(constants))];
        for at in 0..count {
            let term = self.build(lists.iter().map(|list| list[at].1).collect())?;
            let coefficients: Vec<f64> = lists.iter().map(|list| list[at].0.value()).collect();
            if coefficients.iter().all(|&value| value == coefficients[0]) {
                parts.push((lists[0][at].0, term));
            } else {
                let coefficient = self.number(coefficients);
                parts.push((Number::ONE, self.arena.multiply(coefficient, term)));
            }
        }
        Some(self.arena.sum(parts))
    }

    fn build_product(&mut self, nodes: &[&Node]) -> Option<Expr> {
        let mut lists = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Node::Product(factors) = node else { return None };
            let mut factors = factors.to_vec();
            factors.sort_by_key(|&(base, exponent)| (self.shapes.known(base), exponent, base));
            lists.push(factors);
        }
        let exponents: Vec<i32> = lists[0].iter().map(|&(_, exponent)| exponent).collect();
        if lists.iter().any(|list| !list.iter().map(|&(_, exponent)| exponent).eq(exponents.iter().copied())) {
            return None;
        }
        let factors = exponents
            .iter()
            .enumerate()
            .map(|(at, &exponent)| Some((self.build(lists.iter().map(|list| list[at].0).collect())?, exponent)));
        let factors = factors.collect::<Option<Vec<(Expr, i32)>>>()?;
        Some(self.arena.product(factors))
    }

    fn number(&mut self, numbers: Vec<f64>) -> Expr {
        if numbers.iter().all(|&number| number == numbers[0]) {
            return self.arena.number(numbers[0]);
        }
        self.slot(Slot::Numbers(numbers))
    }

    fn slot(&mut self, slot: Slot) -> Expr {
        let symbol = self.arena.new_symbol("of_row");
        self.slots.push((symbol, slot));
        self.arena.symbol(symbol)
    }
}
