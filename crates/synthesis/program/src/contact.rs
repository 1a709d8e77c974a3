//! What contact asks of a program: where frames that bear shapes are, how they are accelerated, and what a push on them changes.
//!
//! Rates and accelerations are linear in the forces of contact, so what a push adds to them is their derivative along it: systems of equations are
//! solved with the matrix that they have anyway, and joints, guides and laws take their part without being asked.

use std::collections::BTreeSet;

use base::Hull;
use equations::{ContactField, ContactSet, ContactSymbols};
use expr::{Arena, Expr, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Binding, Function, Group, Program};
use crate::scheme::Scheme;
use crate::solved::Solved;
use crate::tangent::Tangents;
use crate::verify::functions;

/// What may touch, and the functions that find how it moves.
pub struct Contacts {
    /// The force on each frame that bears shapes and the moment about its origin, frame by frame; inputs of every function.
    pub wrenches: Vec<SymbolId>,
    /// What is known of each pair, pair by pair, in the order of [`ContactSymbols::all`]; inputs of every function.
    pub seen: Vec<SymbolId>,
    /// Of each thing: its name and its frame.
    pub things: Vec<(String, usize)>,
    /// Of each shape: its thing and its solid.
    pub shapes: Vec<(usize, &'static str)>,
    /// Of each shape that is a hull: its corners and faces.
    pub hulls: Vec<Option<Hull>>,
    /// Of each shape that is a curved surface: its function with its derivatives, as [`equations::ContactField`] has them.
    pub fields: Vec<Option<Function>>,
    /// Of each pair: its things, and whether impacts happen together with others.
    pub pairs: Vec<([usize; 2], bool)>,
    /// From parameters alone: three sizes and twelve numbers of place for each shape, then restitution and friction of each pair, then the
    /// length of a step where it is fixed.
    pub given: Function,
    /// Whether forces and impacts are gathered in steps of a fixed length.
    pub steps: bool,
    /// Twelve numbers of pose for each frame, then six of twist for each.
    pub places: Function,
    /// Six numbers of acceleration for each frame; then, but for steps of a fixed length, the rates of all states.
    pub accelerations: Function,
    /// Whether these, at some forces of contact, are what they are without any and what a push by these forces adds.
    pub is_linear: bool,
    /// What a push adds to the accelerations of all frames, then to the rates of all states.
    pub response: Function,
    /// The push, as the wrenches are.
    pub push: Vec<SymbolId>,
    /// What a change of speeds adds to the rates of coordinates, which are the first of the states.
    pub lift: Function,
    /// The change of each speed, which follow the coordinates among the states.
    pub lifted: Vec<SymbolId>,
    /// Where the program has derivatives.
    pub slopes: Option<ContactSlopes>,
}

/// How what contact knows changes along the directions of a program; everything direction by direction.
pub struct ContactSlopes {
    /// How forces and moments on frames change; inputs of every function.
    pub wrenches: Vec<SymbolId>,
    /// The push, then how it changes.
    pub push: Vec<SymbolId>,
    /// The derivatives of what the functions of the same names give; of accelerations those of frames alone.
    pub given: Function,
    pub places: Function,
    pub accelerations: Function,
    pub response: Function,
}

/// How many sizes a shape has at most.
pub const SIZES: usize = 3;

impl Contacts {
    /// What every function may depend on.
    pub fn inputs(&self) -> impl Iterator<Item = SymbolId> {
        let slopes = self.slopes.iter().flat_map(|slopes| &slopes.wrenches);
        self.wrenches.iter().chain(&self.seen).chain(slopes).copied()
    }

    pub fn functions(&mut self) -> impl Iterator<Item = &mut Function> {
        [&mut self.given, &mut self.places, &mut self.accelerations, &mut self.response, &mut self.lift]
            .into_iter()
            .chain(self.fields.iter_mut().flatten())
            .chain(
                self.slopes
                    .iter_mut()
                    .flat_map(|it| [&mut it.given, &mut it.places, &mut it.accelerations, &mut it.response]),
            )
    }

    /// The same to be looked at, each with what it alone depends on.
    pub fn all(&self) -> Vec<(&Function, &[SymbolId])> {
        let fields = self.fields.iter().flatten().map(|field| (field, &field.inputs.symbols[..]));
        let all: [(&Function, &[SymbolId]); 5] = [
            (&self.given, &[]),
            (&self.places, &[]),
            (&self.accelerations, &[]),
            (&self.response, &self.push),
            (&self.lift, &self.lifted),
        ];
        let slopes = self.slopes.iter().flat_map(|it| -> [(&Function, &[SymbolId]); 4] {
            [(&it.given, &[]), (&it.places, &[]), (&it.accelerations, &[]), (&it.response, &it.push)]
        });
        all.into_iter().chain(fields).chain(slopes).collect()
    }

    /// The functions whose derivatives are asked for where a program has some.
    pub(crate) fn differentiated(&self) -> [&Function; 4] {
        [&self.given, &self.places, &self.accelerations, &self.response]
    }

    /// Whether shapes themselves, and not only where they are, change with some symbol.
    pub fn shapes_depend_on(&self, arena: &Arena, symbol: SymbolId) -> bool {
        let shapes = &self.given.results[..self.shapes.len() * (SIZES + 12)];
        let fields = self.fields.iter().flatten().flat_map(|field| &field.results);
        let all: Vec<Expr> = shapes.iter().chain(fields).copied().collect();
        arena.symbols_in(&all).contains(&symbol)
    }
}

/// What answers to pushes on one another.
pub struct Answering {
    /// Groups of frames, each in ascending order. Frames that nothing moves are in no group.
    pub groups: Vec<Vec<usize>>,
    /// Of each state: the group by whose pushes its rate changes, if it does.
    pub states: Vec<Option<usize>>,
}

impl Contacts {
    /// What may move where frames are pushed, as the response is written.
    pub fn answering(&self, arena: &Arena) -> Answering {
        let pushed = self.push.iter().enumerate().map(|(at, &symbol)| (symbol, BTreeSet::from([at / WRENCH])));
        let mut known: FxHashMap<SymbolId, BTreeSet<usize>> = pushed.collect();
        let pushes = |known: &FxHashMap<SymbolId, BTreeSet<usize>>, expressions: &[Expr]| -> BTreeSet<usize> {
            let symbols = arena.symbols_in(expressions);
            symbols.iter().filter_map(|symbol| known.get(symbol)).flatten().copied().collect()
        };
        for binding in &self.response.body {
            let found = pushes(&known, &binding.expressions());
            if !found.is_empty() {
                known.extend(binding.unknowns().iter().map(|&symbol| (symbol, found.clone())));
            }
        }
        let (frames, rates) = self.response.results.split_at(self.wrenches.len());
        let frames = frames.chunks(WRENCH).enumerate().map(|(frame, own)| (Some(frame), pushes(&known, own)));
        let rates: Vec<BTreeSet<usize>> = rates.iter().map(|&rate| pushes(&known, &[rate])).collect();
        let mut groups: Vec<BTreeSet<usize>> = Vec::new();
        for (frame, mut found) in frames.chain(rates.iter().map(|found| (None, found.clone()))) {
            if found.is_empty() {
                continue;
            }
            found.extend(frame);
            let (joined, apart) = groups.into_iter().partition(|group| !group.is_disjoint(&found));
            groups = apart;
            groups.push(joined.into_iter().flatten().chain(found).collect());
        }
        groups.sort();
        let group_of = |found: &BTreeSet<usize>| {
            let first = found.first()?;
            groups.iter().position(|group| group.contains(first))
        };
        let states = rates.iter().map(group_of).collect();
        Answering { groups: groups.into_iter().map(|group| group.into_iter().collect()).collect(), states }
    }
}

/// The function of a curved surface.
fn field(field: &ContactField) -> Function {
    let inputs = Group { symbols: field.at.to_vec(), ..Group::default() };
    Function { name: "contact_field".into(), inputs, body: Vec::new(), results: field.values.to_vec() }
}

/// A force and a moment.
const WRENCH: usize = 6;

/// Whether what a push adds to the results of a function does not depend on the forces that are there already.
fn is_linear(arena: &Arena, function: &Function, wrenches: &[SymbolId], response: &Function) -> bool {
    let own: FxHashSet<SymbolId> = function.body.iter().flat_map(|binding| binding.unknowns().to_vec()).collect();
    let mut forced: FxHashSet<SymbolId> = wrenches.iter().copied().collect();
    let depends = |forced: &FxHashSet<SymbolId>, expressions: &[Expr]| {
        arena.symbols_in(expressions).iter().any(|symbol| forced.contains(symbol))
    };
    for binding in &function.body {
        if depends(&forced, &binding.expressions()) {
            forced.extend(binding.unknowns());
        }
    }
    let added = response.body.iter().filter(|binding| !binding.unknowns().iter().all(|symbol| own.contains(symbol)));
    let added = added.flat_map(Binding::expressions).chain(response.results.iter().copied());
    !depends(&forced, &added.collect::<Vec<Expr>>())
}

impl Program {
    /// The pairs whose gaps are asked for, in ascending order.
    pub fn gaps_asked_for(&self) -> Vec<usize> {
        let expressions: Vec<Expr> = functions(self).flat_map(|(function, _)| function.expressions()).collect();
        let asked: FxHashSet<SymbolId> = self.arena.symbols_in(&expressions).into_iter().collect();
        let seen = self.contacts.iter().flat_map(|contacts| contacts.seen.chunks(ContactSymbols::COUNT));
        seen.enumerate().filter(|(_, pair)| asked.contains(&pair[0])).map(|(at, _)| at).collect()
    }

    /// Whether a function needs to know what contacts exert, or what is known of pairs.
    pub fn looks_at_contacts(&self, function: &Function) -> bool {
        let inputs: FxHashSet<SymbolId> = self.contacts.iter().flat_map(Contacts::inputs).collect();
        self.arena.symbols_in(&function.expressions()).iter().any(|symbol| inputs.contains(symbol))
    }
}

impl Scheme<'_> {
    /// Needs: what is observed has been solved. `follow` finds what does not follow from the states directly.
    pub fn contacts(
        &mut self,
        set: &ContactSet,
        follow: Option<&Function>,
        derivative: &Function,
        coordinates: usize,
        speeds: usize,
        solved: &mut Solved<'_>,
    ) -> Contacts {
        let following: Vec<Binding> = follow.map_or(Vec::new(), |follow| follow.body.clone());
        let mut watch = |name: &str, results: Vec<Expr>| {
            let mut function = self.watch(name, results, solved);
            function.body.splice(0..0, following.iter().cloned());
            function
        };
        let poses = set.frames.iter().flat_map(|frame| frame.pose);
        let places = poses.chain(set.frames.iter().flat_map(|frame| frame.twist)).collect();
        let places = watch("contact_places", places);
        let accelerations: Vec<Expr> = set.frames.iter().flat_map(|frame| frame.acceleration).collect();
        let accelerations = watch("contact_accelerations", accelerations);
        let wrenches: Vec<SymbolId> = set.frames.iter().flat_map(|frame| frame.wrench).collect();
        let mut pushed = accelerations.clone();
        pushed.results.extend(&derivative.results);
        let (response, push) = self.tangent("contact_response", pushed.clone(), &wrenches);
        let is_linear = is_linear(&self.system.arena, &pushed, &wrenches, &response);
        let own: Vec<SymbolId> = derivative.inputs.symbols[coordinates..coordinates + speeds].to_vec();
        let mut moved = Function { body: accelerations.body.clone(), ..derivative.clone() };
        moved.results.truncate(coordinates);
        let (lift, lifted) = self.tangent("contact_lift", moved, &own);
        Contacts {
            wrenches,
            seen: set.pairs.iter().flat_map(|pair| ContactSymbols::all(&pair.seen)).collect(),
            things: set.things.iter().map(|thing| (thing.name.clone(), thing.frame)).collect(),
            shapes: set.shapes.iter().map(|shape| (shape.thing, shape.solid)).collect(),
            hulls: set.shapes.iter().map(|shape| shape.hull.clone()).collect(),
            fields: set.shapes.iter().map(|shape| shape.field.as_ref().map(field)).collect(),
            pairs: set.pairs.iter().map(|pair| (pair.things, pair.together)).collect(),
            given: self.given(set),
            steps: set.step.is_some(),
            places,
            accelerations: if set.step.is_none() { pushed } else { accelerations },
            is_linear,
            response,
            push,
            lift,
            lifted,
            slopes: None,
        }
    }

    fn given(&self, set: &ContactSet) -> Function {
        let zero = self.system.arena.zero();
        let sizes = set.shapes.iter().flat_map(|shape| {
            let sizes = shape.sizes.iter().copied().chain(std::iter::repeat(zero));
            sizes.take(SIZES)
        });
        let places = set.shapes.iter().flat_map(|shape| shape.place);
        let laws = set.pairs.iter().flat_map(|pair| [pair.restitution, pair.friction]);
        let results = sizes.chain(places).chain(laws).chain(set.step).collect();
        Function { name: "contact_given".into(), inputs: Group::default(), body: Vec::new(), results }
    }

    /// The derivative of a function's results along some symbols, and what stands for the direction.
    fn tangent(&mut self, name: &str, function: Function, along: &[SymbolId]) -> (Function, Vec<SymbolId>) {
        let arena = self.system.arena.clone();
        let solved = function.body.iter().flat_map(|binding| binding.unknowns().to_vec());
        let varying: Vec<SymbolId> = solved.chain(along.iter().copied()).collect();
        let mut tangents = Tangents::along(arena, varying, 1);
        std::mem::swap(&mut tangents.systems, &mut self.systems.infos);
        let body = tangents.body(function.body);
        let results = tangents.slopes(&function.results);
        std::mem::swap(&mut tangents.systems, &mut self.systems.infos);
        let push = along.iter().map(|symbol| tangents.symbols[symbol][0]).collect();
        (Function { name: name.into(), inputs: function.inputs, body, results }, push)
    }
}
