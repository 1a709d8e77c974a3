//! The index of some texts: every name that is declared, in its scope, and every place that speaks of one.

use std::collections::HashMap;

use base::Span;
use syntax::{
    Binding, Expr, ExprKind, Item, ItemKind, Name, Parameter, ParameterType, Quantifier, Tree, Word, print_expression,
};

use crate::nature::{Nature, of_domain};
use crate::symbol::{Role, ScopeId, Symbol, SymbolId};

pub struct Index<'t> {
    symbols: Vec<Symbol<'t>>,
    scopes: Vec<Scope>,
    pub mentions: Vec<Mention>,
    /// The scope of each text, in their order.
    texts: Vec<ScopeId>,
}

/// A place that speaks of something.
#[derive(Clone, Copy, Debug)]
pub struct Mention {
    pub span: Span,
    pub of: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Symbol(SymbolId),
    /// A word that the language knows by itself, in one of its tables.
    Known(crate::known::Table),
}

struct Scope {
    /// In the order of the text.
    symbols: Vec<SymbolId>,
    by_name: HashMap<String, Vec<SymbolId>>,
    /// Where else to look, in this order.
    outer: Vec<ScopeId>,
    /// Where in the text it is seen.
    span: Span,
}

/// A text, and the texts in the list that it uses itself.
pub struct Text<'t> {
    pub tree: &'t Tree,
    pub uses: Vec<usize>,
}

impl<'t> Index<'t> {
    /// The first text is the one that is edited; it sees all the others.
    pub fn new(texts: &[Text<'t>]) -> Index<'t> {
        let mut index = Index { symbols: Vec::new(), scopes: Vec::new(), mentions: Vec::new(), texts: Vec::new() };
        for text in texts {
            let scope = index.new_scope(text.tree.span, Vec::new());
            index.texts.push(scope);
        }
        for (at, text) in texts.iter().enumerate() {
            let scope = index.texts[at];
            let outer = text.uses.iter().filter_map(|&other| index.texts.get(other).copied()).collect();
            index.scopes[scope.index()].outer = outer;
            index.declare_all(&text.tree.items, scope);
        }
        for (at, text) in texts.iter().enumerate() {
            index.inherit(&text.tree.items, index.texts[at]);
        }
        for (at, text) in texts.iter().enumerate() {
            index.walk(&text.tree.items, index.texts[at]);
        }
        index.mentions.sort_by_key(|mention| (mention.span, std::cmp::Reverse(mention.span.end)));
        index
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol<'t> {
        &self.symbols[id.index()]
    }

    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol<'t>)> {
        self.symbols.iter().enumerate().map(|(at, symbol)| (SymbolId(at as u32), symbol))
    }

    /// The innermost mention at a place of a text; its end counts, because a cursor stands after what was typed.
    pub fn mention_at(&self, place: Span) -> Option<Mention> {
        let here = |mention: &&Mention| {
            let span = mention.span;
            span.source == place.source && span.start <= place.start && place.start <= span.end
        };
        self.mentions.iter().filter(here).min_by_key(|mention| mention.span.end - mention.span.start).copied()
    }

    pub fn mentions_of(&self, symbol: SymbolId) -> impl Iterator<Item = Span> {
        let of = Target::Symbol(symbol);
        self.mentions.iter().filter(move |mention| mention.of == of).map(|mention| mention.span)
    }

    /// The innermost scope around a place.
    pub fn scope_at(&self, place: Span) -> ScopeId {
        let around = |scope: &&(usize, &Scope)| {
            let span = scope.1.span;
            span.source == place.source && span.start <= place.start && place.start <= span.end
        };
        let scopes: Vec<(usize, &Scope)> = self.scopes.iter().enumerate().collect();
        let found = scopes.iter().filter(around).min_by_key(|(_, scope)| scope.span.end - scope.span.start);
        ScopeId(found.map_or(0, |(at, _)| *at as u32))
    }

    /// The scopes whose names can be seen from one, from the inside out, each once.
    pub fn visible(&self, scope: ScopeId) -> Vec<ScopeId> {
        let mut seen = vec![scope];
        let mut at = 0;
        while let Some(&scope) = seen.get(at) {
            at += 1;
            for &outer in &self.scopes[scope.index()].outer {
                if !seen.contains(&outer) {
                    seen.push(outer);
                }
            }
        }
        seen
    }

    pub fn declared_in(&self, scope: ScopeId) -> impl Iterator<Item = (SymbolId, &Symbol<'t>)> {
        self.scopes[scope.index()].symbols.iter().map(|&id| (id, self.symbol(id)))
    }

    /// What a name means from a scope: a thing if one is wanted and there is one, else a quantity, or the other way round.
    pub fn lookup(&self, name: &str, scope: ScopeId, wants_thing: bool) -> Option<SymbolId> {
        let visible = self.visible(scope);
        let find = |name: &str, indexed: bool| {
            visible.iter().find_map(|&scope| {
                let called = self.called(name, scope, indexed);
                let spoken_of = called.filter(|&id| !self.symbol(id).role.is_title());
                spoken_of.min_by_key(|&id| self.symbol(id).role.is_thing() != wants_thing)
            })
        };
        find(name, false).or_else(|| family(name).and_then(|stem| find(stem, true)))
    }

    /// The equation that has a label.
    pub fn label(&self, name: &str, scope: ScopeId) -> Option<SymbolId> {
        let labelled = |scope: ScopeId| self.called(name, scope, false).find(|&id| self.symbol(id).role == Role::Label);
        self.visible(scope).into_iter().find_map(labelled)
    }

    /// What a scope itself declares by a name.
    pub fn called(&self, name: &str, scope: ScopeId, indexed: bool) -> impl Iterator<Item = SymbolId> {
        let ids = self.scopes[scope.index()].by_name.get(name).map_or(&[][..], Vec::as_slice);
        ids.iter().copied().filter(move |&id| !indexed || self.symbol(id).indexed)
    }

    /// The symbol that a path ends in, if it is one of the text's.
    pub fn named(&self, path: &Expr, scope: ScopeId) -> Option<SymbolId> {
        self.named_as(path, scope, false)
    }

    pub fn named_thing(&self, path: &Expr, scope: ScopeId) -> Option<SymbolId> {
        self.named_as(path, scope, true)
    }

    fn named_as(&self, path: &Expr, scope: ScopeId, wants_thing: bool) -> Option<SymbolId> {
        match &path.kind {
            ExprKind::Name(name) => self.lookup(name, scope, wants_thing),
            ExprKind::Index { base, .. } => {
                let ExprKind::Name(name) = &base.kind else { return None };
                // `link[0]` also means `link0`.
                self.lookup(name, scope, wants_thing)
                    .or_else(|| self.lookup(&print_expression(path).replace(['[', ']'], ""), scope, wants_thing))
            }
            ExprKind::Field { base, field } => {
                let whole = dotted(path).and_then(|name| self.lookup(&name, scope, false));
                whole.or_else(|| self.member(base, &field.text, scope))
            }
            _ => None,
        }
    }

    /// What a thing has under a name.
    fn member(&self, base: &Expr, name: &str, scope: ScopeId) -> Option<SymbolId> {
        let owner = match self.named_thing(base, scope) {
            Some(symbol) => self.settle(self.symbol(symbol).nature, 40),
            None => self.nature(base, scope),
        };
        match owner {
            Nature::Thing(kind) => self.member_of_kind(kind, name),
            _ => None,
        }
    }

    pub fn member_of_kind(&self, kind: SymbolId, name: &str) -> Option<SymbolId> {
        let lineage = self.lineage(kind);
        let find = |name: &str, indexed| lineage.iter().find_map(|&scope| self.called(name, scope, indexed).next());
        find(name, false).or_else(|| family(name).and_then(|stem| find(stem, true)))
    }

    /// The scopes of a kind and of those it inherits from; they come first among what a kind sees.
    pub fn lineage(&self, kind: SymbolId) -> Vec<ScopeId> {
        let parent = |scope: &ScopeId| {
            let outer = &self.scopes[scope.index()].outer;
            outer.iter().copied().find(|outer| !self.texts.contains(outer))
        };
        let mut line: Vec<ScopeId> = Vec::new();
        let mut next = self.symbol(kind).inside;
        while let Some(scope) = next.filter(|scope| !line.contains(scope)) {
            line.push(scope);
            next = parent(&scope);
        }
        line
    }

    pub(crate) fn new_scope(&mut self, span: Span, outer: Vec<ScopeId>) -> ScopeId {
        self.scopes.push(Scope { symbols: Vec::new(), by_name: HashMap::new(), outer, span });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    pub(crate) fn mention(&mut self, span: Span, of: Target) {
        if span.start < span.end {
            self.mentions.push(Mention { span, of });
        }
    }

    pub(crate) fn declare(&mut self, symbol: Symbol<'t>, scope: ScopeId) -> SymbolId {
        // `car[1]` and `car[2]` are of one family.
        let twin = self.called(&symbol.name, scope, true).find(|&id| self.symbol(id).role == symbol.role);
        if let Some(id) = twin.filter(|_| symbol.indexed) {
            self.mention(symbol.span, Target::Symbol(id));
            return id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.mention(symbol.span, Target::Symbol(id));
        let Scope { symbols, by_name, .. } = &mut self.scopes[scope.index()];
        symbols.push(id);
        by_name.entry(symbol.name.clone()).or_default().push(id);
        self.symbols.push(Symbol { scope, ..symbol });
        id
    }

    pub(crate) fn bind(&mut self, word: &Word, role: Role, nature: Nature<'t>, statement: Span, scope: ScopeId) {
        let symbol = Symbol {
            name: word.text.clone(),
            role,
            span: word.span,
            statement,
            documentation: None,
            indexed: false,
            nature,
            scope: ScopeId(0),
            inside: None,
        };
        self.declare(symbol, scope);
    }

    /// A scope with what a loop or a sum counts with.
    pub(crate) fn counting(&mut self, quantifier: &'t Quantifier, span: Span, outer: ScopeId) -> ScopeId {
        let scope = self.new_scope(span, vec![outer]);
        let nature = match &quantifier.domain {
            syntax::Domain::Range { .. } => Nature::Number,
            syntax::Domain::List(list) => Nature::MemberOf(list, outer),
        };
        let words = match &quantifier.binding {
            Binding::Each(word) => vec![word],
            Binding::Pairs(first, second) => vec![first, second],
        };
        for word in words {
            self.bind(word, Role::Counter, nature, quantifier.span, scope);
        }
        scope
    }

    fn declare_all(&mut self, items: &'t [Item], scope: ScopeId) {
        for item in items {
            self.declare_item(item, scope);
        }
    }

    fn declare_item(&mut self, item: &'t Item, scope: ScopeId) {
        use ItemKind::*;
        let Declaring { name, role, nature } = match &item.kind {
            For(repeated) => return self.declare_all(&repeated.items, scope),
            Kind(kind) => return self.template(item, &kind.name, Role::Kind, (&kind.parameters, &kind.members), scope),
            Connection(one) => {
                return self.template(item, &one.name, Role::Connection, (&one.parameters, &one.members), scope);
            }
            Law(law) => return self.template(item, &law.name, Role::Law, (&law.parameters, &law.members), scope),
            Mode(mode) => return self.declare_mode(mode, item, scope),
            Theory(word) => return self.bind(word, Role::Theory, Nature::Unknown, item.span, scope),
            Function(function) => {
                let mut symbol = self.named_symbol(item, Role::Function, Nature::Unknown);
                symbol.name = function.name.text.clone();
                symbol.span = function.name.span;
                let inside = self.new_scope(item.span, vec![scope]);
                for parameter in &function.parameters {
                    self.bind(parameter, Role::Argument, Nature::Unknown, function.name.span, inside);
                }
                symbol.nature = Nature::Same(&function.body, inside);
                symbol.inside = Some(inside);
                self.declare(symbol, scope);
                return;
            }
            Use(syntax::Use::File(used)) => {
                return self.bind(&used.name, Role::Thing, Nature::Unknown, item.span, scope);
            }
            Data(data) => return self.bind(&data.name, Role::Function, Nature::Unknown, item.span, scope),
            Camera(view) | Light(view) => {
                let role = if matches!(item.kind, Camera(_)) { Role::Camera } else { Role::Light };
                if let Some(Expr { kind: ExprKind::Name(name), span, .. }) = &view.subject {
                    let word = Word { text: name.clone(), span: *span };
                    self.bind(&word, role, Nature::Unknown, item.span, scope);
                }
                return;
            }
            Sequence(course) | syntax::ItemKind::Plan(course) => {
                for choice in &course.choices {
                    let nature = of_domain(choice.type_.domain);
                    let symbol = self.symbol_of(&choice.name, Role::Choice, nature, item);
                    self.declare(symbol, scope);
                }
                let role = if matches!(item.kind, Sequence(_)) { Role::Sequence } else { Role::Plan };
                Declaring { name: &course.name, role, nature: Nature::Unknown }
            }
            kind => match declaring(kind, scope) {
                Some(declaring) => declaring,
                None => return,
            },
        };
        let symbol = self.symbol_of(name, role, nature, item);
        self.declare(symbol, scope);
    }

    fn named_symbol(&self, item: &'t Item, role: Role, nature: Nature<'t>) -> Symbol<'t> {
        let said = match &item.kind {
            ItemKind::Param(param) => param.description.as_ref(),
            ItemKind::Control(control) => control.description.as_ref(),
            ItemKind::Quantity(quantity) => quantity.description.as_ref(),
            _ => None,
        };
        Symbol {
            name: String::new(),
            role,
            span: item.span,
            statement: item.span,
            documentation: said.map(|text| text.value.clone()).or_else(|| item.documentation.clone()),
            indexed: false,
            nature,
            scope: ScopeId(0),
            inside: None,
        }
    }

    fn symbol_of(&self, name: &Name, role: Role, nature: Nature<'t>, item: &'t Item) -> Symbol<'t> {
        let indexed = !name.indices.is_empty();
        let last = name.text.rsplit('.').next().unwrap_or("").len() as u32;
        let Span { source, start, end } = name.span;
        let span = match name.text.contains('.') {
            true => Span { source, start: end.saturating_sub(last).max(start), end },
            false => Span { source, start, end: (start + last).min(end) },
        };
        Symbol { name: name.text.clone(), span, indexed, ..self.named_symbol(item, role, nature) }
    }

    fn declare_mode(&mut self, mode: &'t syntax::Mode, item: &'t Item, scope: ScopeId) {
        let inside = self.new_scope(Span { end: item.span.start, ..item.span }, Vec::new());
        let symbol = Symbol { inside: Some(inside), ..self.symbol_of(&mode.name, Role::Mode, Nature::Unknown, item) };
        let id = self.declare(symbol, scope);
        self.symbols[id.index()].nature = Nature::Mode(id);
        for value in &mode.values {
            self.bind(value, Role::ModeValue, Nature::Unknown, item.span, inside);
        }
    }

    /// A kind, a connection or a law: a scope of its own.
    fn template(
        &mut self,
        item: &'t Item,
        name: &Word,
        role: Role,
        (parameters, members): (&'t [Parameter], &'t [Item]),
        scope: ScopeId,
    ) {
        let inside = self.new_scope(item.span, vec![scope]);
        let symbol = Symbol {
            name: name.text.clone(),
            span: name.span,
            inside: Some(inside),
            ..self.named_symbol(item, role, Nature::Unknown)
        };
        self.declare(symbol, scope);
        for parameter in parameters {
            let nature = match &parameter.type_ {
                ParameterType::Quantity(type_) => of_domain(type_.domain),
                // Kinds may be declared later; `inherit` looks for this one.
                ParameterType::Thing(_) => Nature::Frame,
            };
            self.bind(&parameter.name, Role::Argument, nature, parameter.span, inside);
        }
        self.declare_all(members, inside);
    }

    /// Once all kinds are declared: what inherits from what, and of which kinds things and arguments are.
    fn inherit(&mut self, items: &'t [Item], scope: ScopeId) {
        for item in items {
            let (name, parent, parameters, members): (_, Option<&Word>, &[Parameter], &[Item]) = match &item.kind {
                ItemKind::Kind(kind) => (&kind.name, kind.parent.as_ref(), &kind.parameters, &kind.members),
                ItemKind::Connection(one) => (&one.name, one.parent.as_ref(), &one.parameters, &one.members),
                ItemKind::Law(law) => (&law.name, None, &law.parameters, &law.members),
                ItemKind::For(repeated) => {
                    self.inherit(&repeated.items, scope);
                    continue;
                }
                ItemKind::Thing(thing) => {
                    if let Some(kind) = self.lookup(&thing.kind.text, scope, true) {
                        self.refine(scope, &thing.name.text, thing.name.span, Nature::Thing(kind));
                    }
                    continue;
                }
                ItemKind::Join(join) => {
                    if let (Some(name), Some(kind)) = (&join.name, self.lookup(&join.kind.text, scope, true)) {
                        self.refine(scope, &name.text, name.span, Nature::Thing(kind));
                    }
                    continue;
                }
                _ => continue,
            };
            let own = self.called(&name.text, scope, false).find(|&id| self.symbol(id).span == name.span);
            let Some(inside) = own.and_then(|id| self.symbol(id).inside) else { continue };
            let elder = parent.and_then(|parent| self.lookup(&parent.text, scope, true));
            if let Some(elder) = elder.and_then(|elder| self.symbol(elder).inside) {
                self.scopes[inside.index()].outer.insert(0, elder);
            }
            for parameter in parameters {
                if let ParameterType::Thing(kind) = &parameter.type_
                    && let Some(kind) = self.lookup(&kind.text, scope, true)
                {
                    self.refine(inside, &parameter.name.text, parameter.name.span, Nature::Thing(kind));
                }
            }
            self.inherit(members, inside);
        }
    }

    fn refine(&mut self, scope: ScopeId, name: &str, place: Span, nature: Nature<'t>) {
        let found = self.called(name, scope, false).find(|&id| self.symbol(id).span.start == place.start);
        if let Some(id) = found {
            self.symbols[id.index()].nature = nature;
        }
    }
}

/// `bob2` also means `bob[2]`.
fn family(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    (stem.len() < name.len()).then_some(stem)
}

struct Declaring<'a, 't> {
    name: &'a Name,
    role: Role,
    nature: Nature<'t>,
}

/// What the simple statements declare.
fn declaring(kind: &ItemKind, scope: ScopeId) -> Option<Declaring<'_, '_>> {
    use ItemKind::*;
    let (name, role, nature) = match kind {
        Scene(name) => (name, Role::Scene, Nature::Unknown),
        Param(param) => (&param.name, Role::Parameter, Nature::Number),
        Let(definition) => (&definition.name, Role::Definition, Nature::Same(&definition.value, scope)),
        Control(control) => (&control.name, Role::Control, Nature::Number),
        Frame(frame) => (&frame.name, Role::Frame, Nature::Frame),
        Body(body) => (&body.name, Role::Body, Nature::Body),
        Surface(surface) => (&surface.name, Role::Surface, Nature::Unknown),
        Group(group) => (&group.name, Role::Group, Nature::Frame),
        Quantity(quantity) => (&quantity.name, Role::Quantity, of_domain(quantity.type_.domain)),
        Thing(thing) => (&thing.name, Role::Thing, Nature::Unknown),
        Join(join) => (join.name.as_ref()?, Role::Thing, Nature::Unknown),
        Always(equation) | Initially(equation) | History(equation) | Equation(equation) => {
            (equation.label.as_ref()?, Role::Label, Nature::Unknown)
        }
        Assume(assume) => (assume.label.as_ref()?, Role::Label, Nature::Unknown),
        Prescribe(prescribe) => (prescribe.equation.label.as_ref()?, Role::Label, Nature::Unknown),
        Potential(potential) => (potential.label.as_ref()?, Role::Label, Nature::Unknown),
        Addition(addition) => (addition.label.as_ref()?, Role::Label, Nature::Unknown),
        When(when) => (&when.name, Role::Transition, Nature::Unknown),
        Every(every) => (every.name.as_ref()?, Role::Transition, Nature::Unknown),
        Stop(stop) => (stop.name.as_ref()?, Role::Transition, Nature::Unknown),
        Claim(claim) => (&claim.name, Role::Claim, Nature::Unknown),
        _ => return None,
    };
    Some(Declaring { name, role, nature })
}

/// `car1.state`, where nothing but names and fields are in the path.
pub(crate) fn dotted(path: &Expr) -> Option<String> {
    match &path.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field { base, field } => dotted(base).map(|base| format!("{base}.{}", field.text)),
        _ => None,
    }
}
