//! Every place of a text that speaks of something, statement by statement.

use base::Span;
use syntax::{
    BinaryOperator, Clause, Effect, EffectKind, Equation, Expr, ExprKind, Formula, Item, ItemKind, Name, ParameterType,
    PhaseEnd, Property, QuantityType, Relation, UnitText, Use, ValueRange, View, Word,
};

use crate::index::{Index, Target, dotted};
use crate::known::{Table, is_known};
use crate::nature::Nature;
use crate::symbol::{Role, ScopeId, SymbolId};

impl<'t> Index<'t> {
    pub(crate) fn walk(&mut self, items: &'t [Item], scope: ScopeId) {
        for item in items {
            self.item(item, scope);
            if let Some(condition) = &item.condition {
                self.expr(condition, scope);
            }
        }
    }

    // Long: one arm for each statement of the language, in the order of the parser.
    fn item(&mut self, item: &'t Item, scope: ScopeId) {
        use ItemKind::*;
        match &item.kind {
            Scene(_) | Theory(_) | Error => {}
            Use(self::Use::File(used)) => {
                used.place.iter().for_each(|place| self.thing(place, scope));
                used.properties.iter().for_each(|property| self.expr(&property.value, scope));
            }
            Use(self::Use::Theory(word)) => self.mention(word.span, Target::Known(Table::Theory)),
            Param(param) => {
                self.indices(&param.name, scope);
                self.expr(&param.value, scope);
            }
            Let(definition) => {
                self.owner(&definition.name, scope);
                self.expr(&definition.value, scope);
            }
            Function(function) => {
                let inside = self.inside(&function.name, scope);
                self.expr(&function.body, inside);
            }
            Data(_) => {}
            Control(control) => {
                self.range(control.range.as_ref(), scope);
                control.default.iter().for_each(|value| self.expr(value, scope));
            }
            Frame(frame) | Body(frame) => {
                self.indices(&frame.name, scope);
                frame.parent.iter().for_each(|parent| self.thing(parent, scope));
                for Property { name, value, clauses, .. } in &frame.properties {
                    clauses.iter().for_each(|clause| self.expr(&clause.value, scope));
                    self.mention(name.span, Target::Known(Table::Property));
                    match &value.kind {
                        ExprKind::Call { function, arguments } if name.text == "shape" => {
                            self.mention(function.span, Target::Known(Table::Shape));
                            arguments.iter().for_each(|argument| self.expr(&argument.value, scope));
                        }
                        _ => self.expr(value, scope),
                    }
                }
            }
            Gravity(value) => self.expr(value, scope),
            Potential(potential) => {
                let scope = match &potential.repeated {
                    Some(quantifier) => self.quantified(quantifier, item.span, scope),
                    None => scope,
                };
                self.expr(&potential.value, scope);
            }
            Force(force) => {
                self.thing(&force.target, scope);
                force.at.iter().for_each(|at| self.expr(at, scope));
                self.expr(&force.value, scope);
            }
            Torque(torque) => {
                self.thing(&torque.target, scope);
                self.expr(&torque.value, scope);
            }
            Always(equation) | Initially(equation) | History(equation) | Equation(equation) => {
                self.equation(equation, scope)
            }
            Surface(surface) => {
                surface.parent.iter().for_each(|parent| self.thing(parent, scope));
                let inside = self.new_scope(item.span, vec![scope]);
                for axis in ["x", "y", "z"] {
                    let nowhere = Span { end: surface.name.span.start, start: surface.name.span.start, ..item.span };
                    let word = Word { text: axis.to_string(), span: nowhere };
                    self.bind(&word, Role::Counter, Nature::Number, surface.name.span, inside);
                }
                self.expr(&surface.left, inside);
                self.expr(&surface.right, inside);
            }
            For(repeated) => {
                let scope = self.quantified(&repeated.quantifier, item.span, scope);
                self.walk(&repeated.items, scope);
            }
            Group(group) => group.members.iter().for_each(|member| self.thing(member, scope)),
            Show(view) => {
                match view.subject.as_ref().map(|subject| &subject.kind) {
                    Some(ExprKind::Call { function, arguments }) => {
                        self.mention(function.span, Target::Known(Table::Figure));
                        arguments.iter().for_each(|argument| self.thing(&argument.value, scope));
                    }
                    Some(ExprKind::Name(_)) => {
                        let span = view.subject.as_ref().map_or(item.span, |subject| subject.span);
                        self.mention(span, Target::Known(Table::Figure));
                    }
                    _ => {}
                }
                self.clauses(view, scope);
            }
            Camera(view) | Light(view) => self.clauses(view, scope),
            Trace(view) => {
                view.subject.iter().for_each(|subject| self.thing(subject, scope));
                self.clauses(view, scope);
            }
            Plot(plot) => plot.values.iter().chain(&plot.against).for_each(|value| self.expr(value, scope)),
            Mode(mode) => {
                self.owner(&mode.name, scope);
                if let Some(start) = &mode.start
                    && let Some(id) = self.lookup(&mode.name.text, scope, false)
                {
                    self.mode_value(id, &start.text, start.span);
                }
            }
            When(when) => {
                self.expr(&when.guard, scope);
                self.effects(&when.effects, scope);
            }
            Every(every) => {
                self.expr(&every.period, scope);
                self.effects(&every.effects, scope);
            }
            Stop(stop) => self.expr(&stop.condition, scope),
            Sequence(course) | Plan(course) => {
                self.expr(&course.guard, scope);
                for choice in &course.choices {
                    self.owner(&choice.name, scope);
                    self.type_(&choice.type_);
                    choice.seed.iter().for_each(|seed| self.expr(seed, scope));
                    choice
                        .range
                        .iter()
                        .flat_map(|range| [&range.low, &range.high])
                        .for_each(|end| self.expr(end, scope));
                }
                self.effects(&course.begin, scope);
                for phase in &course.phases {
                    match &phase.end {
                        PhaseEnd::Until(end) | PhaseEnd::After(end) => self.expr(end, scope),
                    }
                    phase.aims.iter().for_each(|aim| self.equation(aim, scope));
                    let limits = phase.limits.iter().flat_map(|limit| [&limit.smaller, &limit.larger]);
                    limits.chain(&phase.cost).for_each(|value| self.expr(value, scope));
                    self.effects(&phase.effects, scope);
                }
            }
            Claim(claim) => self.formula(&claim.formula, scope),
            Kind(kind) => {
                let inside = self.inside(&kind.name, scope);
                self.head(&kind.parameters, kind.parent.as_ref(), scope);
                self.walk(&kind.members, inside);
            }
            Connection(connection) => {
                let inside = self.inside(&connection.name, scope);
                self.head(&connection.parameters, connection.parent.as_ref(), scope);
                self.walk(&connection.members, inside);
            }
            Law(law) => {
                let inside = self.inside(&law.name, scope);
                self.head(&law.parameters, None, scope);
                law.instead.iter().for_each(|other| self.law(other, scope));
                law.condition.iter().chain(&law.assumption).for_each(|condition| self.expr(condition, inside));
                self.walk(&law.members, inside);
            }
            Quantity(quantity) => {
                self.type_(&quantity.type_);
                self.range(quantity.range.as_ref(), scope);
                quantity.default.iter().for_each(|value| self.expr(value, scope));
            }
            Addition(addition) => {
                self.expr(&addition.total, scope);
                self.expr(&addition.part, scope);
            }
            Thing(thing) => {
                self.indices(&thing.name, scope);
                self.kind(&thing.kind, scope);
                let kind = self.lookup(&thing.kind.text, scope, true);
                for argument in &thing.arguments {
                    if let Some(name) = &argument.name {
                        self.member_mention(kind, name);
                    }
                    self.thing(&argument.value, scope);
                }
                self.given(kind, &thing.properties, scope);
            }
            Join(join) => {
                join.name.iter().for_each(|name| self.indices(name, scope));
                join.ends.iter().for_each(|end| self.thing(end, scope));
                self.kind(&join.kind, scope);
                let kind = self.lookup(&join.kind.text, scope, true);
                for argument in &join.arguments {
                    if let Some(name) = &argument.name {
                        self.member_mention(kind, name);
                    }
                    self.thing(&argument.value, scope);
                }
                self.given(kind, &join.properties, scope);
            }
            Contact(contact) => {
                contact.sides.iter().for_each(|side| self.thing(side, scope));
                for Property { name, value, .. } in &contact.properties {
                    self.mention(name.span, Target::Known(Table::ContactProperty));
                    self.expr(value, scope);
                }
                contact.flags.iter().for_each(|flag| self.mention(flag.span, Target::Known(Table::ContactProperty)));
            }
            Actuator(actuator) => {
                actuator.quantities.iter().for_each(|quantity| self.expr(quantity, scope));
                self.range(actuator.limits.as_ref(), scope);
            }
            Prescribe(prescribe) => {
                self.equation(&prescribe.equation, scope);
                prescribe.using.iter().chain(&prescribe.cost).for_each(|quantity| self.expr(quantity, scope));
            }
            Assume(assume) => self.assumed(&assume.statement, scope),
            Neglect(laws) => laws.iter().for_each(|law| self.law(law, scope)),
            Find(find) => {
                find.asked.iter().for_each(|asked| self.expr(asked, scope));
                find.unit.iter().for_each(|unit| self.unit(unit));
                find.given.iter().for_each(|given| self.assumed(given, scope));
                find.when.iter().chain(&find.over).for_each(|said| self.expr(said, scope));
                if let Some(sweep) = &find.sweep {
                    if let Some(id) = self.lookup(&sweep.parameter.text, scope, false) {
                        self.mention(sweep.parameter.span, Target::Symbol(id));
                    }
                    [&sweep.first, &sweep.last].into_iter().chain(&sweep.step).for_each(|end| self.expr(end, scope));
                }
            }
            Describe(describe) => {
                describe.things.iter().for_each(|thing| self.thing(thing, scope));
                describe.over.iter().for_each(|over| self.expr(over, scope));
            }
            Connections(connections) => {
                self.kind(&connections.kind, scope);
                let kind = self.lookup(&connections.kind.text, scope, true);
                let scope = self.quantified(&connections.quantifier, item.span, scope);
                self.given(kind, &connections.properties, scope);
            }
        }
    }

    /// The scope that belongs to what a word declares.
    fn inside(&self, name: &Word, scope: ScopeId) -> ScopeId {
        let own = self.declared_in(scope).find(|(_, symbol)| symbol.span == name.span);
        own.and_then(|(_, symbol)| symbol.inside).unwrap_or(scope)
    }

    fn head(&mut self, parameters: &'t [syntax::Parameter], parent: Option<&Word>, scope: ScopeId) {
        parent.into_iter().for_each(|parent| self.kind(parent, scope));
        for parameter in parameters {
            match &parameter.type_ {
                ParameterType::Thing(kind) => self.kind(kind, scope),
                ParameterType::Quantity(type_) => self.type_(type_),
            }
            parameter.default.iter().for_each(|value| self.expr(value, scope));
        }
    }

    fn law(&mut self, law: &Word, scope: ScopeId) {
        if let Some(id) = self.lookup(&law.text, scope, true) {
            self.mention(law.span, Target::Symbol(id));
        }
    }

    /// `steady(boat)` speaks of a thing, everything else is an expression.
    fn assumed(&mut self, statement: &'t Expr, scope: ScopeId) {
        match &statement.kind {
            ExprKind::Call { function, arguments } if matches!(&function.kind, ExprKind::Name(name) if name == "steady") =>
            {
                arguments.iter().for_each(|argument| self.thing(&argument.value, scope));
            }
            _ => self.expr(statement, scope),
        }
    }

    fn kind(&mut self, kind: &Word, scope: ScopeId) {
        match self.lookup(&kind.text, scope, true) {
            Some(id) => self.mention(kind.span, Target::Symbol(id)),
            None if matches!(kind.text.as_str(), "frame" | "body") => {
                self.mention(kind.span, Target::Known(Table::Statement));
            }
            None => {}
        }
    }

    /// What a thing is given in braces.
    fn given(&mut self, kind: Option<SymbolId>, properties: &'t [Property], scope: ScopeId) {
        for property in properties {
            self.member_mention(kind, &property.name);
            self.expr(&property.value, scope);
        }
    }

    fn member_mention(&mut self, kind: Option<SymbolId>, name: &Word) {
        if let Some(member) = kind.and_then(|kind| self.member_of_kind(kind, &name.text)) {
            self.mention(name.span, Target::Symbol(member));
        }
    }

    fn quantified(&mut self, quantifier: &'t syntax::Quantifier, span: Span, scope: ScopeId) -> ScopeId {
        match &quantifier.domain {
            syntax::Domain::Range { first, last } => {
                self.expr(first, scope);
                self.expr(last, scope);
            }
            syntax::Domain::List(list) => self.thing(list, scope),
        }
        self.counting(quantifier, span, scope)
    }

    fn equation(&mut self, equation: &'t Equation, scope: ScopeId) {
        match &equation.relation {
            Relation::Equal { left, right } => self.sides(left, right, scope),
            Relation::On { point, surface } => {
                self.expr(point, scope);
                self.thing(surface, scope);
            }
            Relation::Tangent { first, second, at } => {
                self.thing(first, scope);
                self.thing(second, scope);
                self.expr(at, scope);
            }
        }
    }

    /// Of a comparison: beside a mode stands one of its values.
    fn sides(&mut self, left: &'t Expr, right: &'t Expr, scope: ScopeId) {
        for (side, other) in [(left, right), (right, left)] {
            match (&side.kind, self.nature(other, scope)) {
                (ExprKind::Name(value), Nature::Mode(mode)) => self.mode_value(mode, value, side.span),
                _ => self.expr(side, scope),
            }
        }
    }

    fn mode_value(&mut self, mode: SymbolId, value: &str, span: Span) {
        let values = self.symbol(mode).inside;
        let found = values.and_then(|values| self.declared_in(values).find(|(_, symbol)| symbol.name == value));
        if let Some((id, _)) = found {
            self.mention(span, Target::Symbol(id));
        }
    }

    fn effects(&mut self, effects: &'t [Effect], scope: ScopeId) {
        for effect in effects {
            match &effect.kind {
                EffectKind::Equation(equation) => self.equation(equation, scope),
                EffectKind::Keep { what, except } => what.iter().chain(except).for_each(|one| self.expr(one, scope)),
                EffectKind::Satisfy(_) => {}
            }
        }
    }

    fn formula(&mut self, formula: &'t Formula, scope: ScopeId) {
        match formula {
            Formula::Holds(condition) => self.expr(condition, scope),
            Formula::Always(inner) | Formula::Eventually(inner) | Formula::Next(inner) | Formula::Not(inner) => {
                self.formula(inner, scope)
            }
            Formula::Until(first, second)
            | Formula::Implies(first, second)
            | Formula::And(first, second)
            | Formula::Or(first, second) => {
                self.formula(first, scope);
                self.formula(second, scope);
            }
        }
    }

    fn clauses(&mut self, view: &'t View, scope: ScopeId) {
        for Clause { value, .. } in &view.clauses {
            self.thing(value, scope);
        }
    }

    fn type_(&mut self, type_: &QuantityType) {
        type_.unit.iter().for_each(|unit| self.unit(unit));
    }

    fn range(&mut self, range: Option<&'t ValueRange>, scope: ScopeId) {
        if let Some(range) = range {
            self.expr(&range.low, scope);
            self.expr(&range.high, scope);
            range.unit.iter().for_each(|unit| self.unit(unit));
        }
    }

    /// Each word of a unit.
    fn unit(&mut self, unit: &UnitText) {
        let mut start = unit.span.start as usize;
        for word in unit.text.split_inclusive(|c: char| !c.is_alphabetic()) {
            let length = word.trim_end_matches(|c: char| !c.is_alphabetic()).len();
            let span = Span::new(unit.span.source, start, (start + length).min(unit.span.end as usize));
            self.mention(span, Target::Known(Table::Unit));
            start += word.len();
        }
    }

    fn indices(&mut self, name: &'t Name, scope: ScopeId) {
        name.indices.iter().for_each(|index| self.expr(index, scope));
    }

    /// `car1.state`: the name speaks of the car.
    fn owner(&mut self, name: &'t Name, scope: ScopeId) {
        self.indices(name, scope);
        if let Some((first, _)) = name.text.split_once('.')
            && let Some(id) = self.lookup(first, scope, true)
        {
            let length = self.spoken(id, first);
            let start = name.span.start as usize;
            self.mention(Span::new(name.span.source, start, start + length), Target::Symbol(id));
        }
    }

    /// How much of a written name is that of the symbol: `bob2` speaks of `bob`.
    fn spoken(&self, id: SymbolId, written: &str) -> usize {
        let own = self.symbol(id).name.len();
        if self.symbol(id).indexed && own < written.len() { own } else { written.len() }
    }

    fn expr(&mut self, expr: &'t Expr, scope: ScopeId) {
        self.expression(expr, scope, false);
    }

    /// Where a thing is wanted rather than a number.
    fn thing(&mut self, expr: &'t Expr, scope: ScopeId) {
        self.expression(expr, scope, true);
    }

    // Long: one arm for each form of an expression in which something is named.
    fn expression(&mut self, expr: &'t Expr, scope: ScopeId, wants_thing: bool) {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name, scope, wants_thing) {
                Some(id) => {
                    let start = expr.span.start as usize;
                    let span = Span::new(expr.span.source, start, start + self.spoken(id, name));
                    self.mention(span, Target::Symbol(id));
                }
                None if is_known(Table::SceneQuantity, name) => {
                    self.mention(expr.span, Target::Known(Table::SceneQuantity));
                }
                None => {}
            },
            ExprKind::Index { base, indices } => {
                match (self.index_of(expr, scope, wants_thing), &base.kind) {
                    (Some(id), ExprKind::Name(_)) => self.mention(base.span, Target::Symbol(id)),
                    _ => self.expression(base, scope, wants_thing),
                }
                indices.iter().for_each(|index| self.expr(index, scope));
            }
            ExprKind::Field { base, field } => {
                self.expression(base, scope, true);
                match self.named(expr, scope) {
                    Some(id) => {
                        let start = field.span.start as usize;
                        let last = match dotted(expr).is_some_and(|whole| whole == self.symbol(id).name) {
                            true => field.text.len(),
                            false => self.spoken(id, &field.text),
                        };
                        self.mention(Span::new(field.span.source, start, start + last), Target::Symbol(id));
                    }
                    None => {
                        let table = match self.nature(base, scope) {
                            Nature::Vector | Nature::Quaternion => Table::Component,
                            Nature::Contact => Table::ContactField,
                            Nature::Mode(_) | Nature::Thing(_) | Nature::Number => return,
                            _ => Table::FrameField,
                        };
                        self.mention(field.span, Target::Known(table));
                    }
                }
            }
            ExprKind::Call { function, arguments } => {
                let mut first = arguments.first().map(|argument| &argument.value);
                match &function.kind {
                    ExprKind::Name(name) => match self.lookup(name, scope, false) {
                        Some(id) => self.mention(function.span, Target::Symbol(id)),
                        None => self.mention(function.span, Target::Known(Table::Function)),
                    },
                    ExprKind::Field { base, field } => {
                        self.thing(base, scope);
                        self.mention(field.span, Target::Known(Table::Function));
                    }
                    _ => self.expr(function, scope),
                }
                // The first argument of these is an equation.
                if let (ExprKind::Name(name), Some(equation)) = (&function.kind, first)
                    && matches!(name.as_str(), "jacobian" | "multiplier")
                {
                    match &equation.kind {
                        ExprKind::Name(label) => {
                            if let Some(id) = self.label(label, scope) {
                                self.mention(equation.span, Target::Symbol(id));
                            }
                        }
                        _ => self.expr(equation, scope),
                    }
                    first = None;
                }
                let reacts = |name: &str| matches!(name, "tension" | "force" | "torque");
                // That of these may be one, or something that holds something.
                if let (ExprKind::Name(name), Some(ExprKind::Name(label))) =
                    (&function.kind, first.map(|first| &first.kind))
                    && reacts(name)
                    && let Some(id) = self.label(label, scope)
                {
                    first.iter().for_each(|equation| self.mention(equation.span, Target::Symbol(id)));
                    first = None;
                }
                let rest = arguments.iter().skip(1).map(|argument| &argument.value);
                let wants_things = matches!(&function.kind, ExprKind::Name(name) if name == "contact" || reacts(name));
                let arguments = first.into_iter().chain(rest);
                arguments.for_each(|argument| self.expression(argument, scope, wants_things));
            }
            ExprKind::Sum { value, quantifier, condition } => {
                let scope = self.quantified(quantifier, expr.span, scope);
                self.expr(value, scope);
                condition.iter().for_each(|condition| self.expr(condition, scope));
            }
            ExprKind::Quantity { value, unit } => {
                self.expr(value, scope);
                self.unit(unit);
            }
            ExprKind::Binary { operator: BinaryOperator::Equal | BinaryOperator::NotEqual, left, right } => {
                self.sides(left, right, scope);
            }
            ExprKind::Binary { operator: BinaryOperator::Is, left, right } => {
                self.thing(left, scope);
                self.thing(right, scope);
            }
            ExprKind::InFrame { vector: value, frame } | ExprKind::RelativeTo { point: value, frame } => {
                self.expr(value, scope);
                self.thing(frame, scope);
            }
            _ => expr.children().for_each(|child| self.expr(child, scope)),
        }
    }

    fn index_of(&self, expr: &Expr, scope: ScopeId, wants_thing: bool) -> Option<SymbolId> {
        if wants_thing { self.named_thing(expr, scope) } else { self.named(expr, scope) }
    }
}
