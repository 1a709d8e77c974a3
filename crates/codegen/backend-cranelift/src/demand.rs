//! Machine code on demand: of a function that nobody calls none is made, of one that is called now and then it is made quickly, and thoroughly of
//! one that is called often. The bits that it computes are the same.

use std::sync::{Arc, Mutex, MutexGuard};

use kernel::{ArrayId, Block, Function, FunctionId, Inlining, Layout, Module, Signature, Statement};

use crate::compile::{Effort, Error, Options};
use crate::compiled::Listing;
use crate::generator::{Generator, Made};
use crate::regions::{WrittenArrays, arrays_in};
use crate::work::rounds_of_code;

/// Functions up to this size are copied to where they are called, into functions up to that size: a call makes the code generator put all values
/// in flight into memory; sines and the like are short enough to be copied.
const SMALL: usize = 250;
const LARGE: usize = 5000;

/// After so many calls a function has thorough code; after as many fewer as its loops go round. Doing each part of the code once saves about a
/// thousandth of what thorough code costs.
const OFTEN: usize = 1000;

/// Functions beyond this size are compiled at once: the code generator may give up on them, and that is to be known before anything runs.
const HUGE: usize = 100_000;

/// A module, and the machine code that was made of it so far.
pub struct Demand {
    pub module: Arc<Module>,
    layout: Layout,
    written: WrittenArrays,
    signatures: Vec<Signature>,
    /// Whether calls of a function lead to it directly, and not by its place: those that write nothing are compiled with their callers.
    direct: Vec<bool>,
    options: Options,
    /// Modules that grew out of one another share it.
    generator: Arc<Mutex<Generator>>,
    state: Mutex<State>,
}

struct State {
    inlining: Inlining,
    functions: Vec<Progress>,
    /// The code that asks for the code of a function, for each function.
    stubs: Vec<usize>,
}

/// What there is of one function.
#[derive(Clone, Default)]
struct Progress {
    /// How often each part of the code was done, about; and in each call.
    done: usize,
    rounds: usize,
    quick: Option<Made>,
    thorough: Option<Made>,
}

impl Progress {
    fn made(&self, is_quick: bool) -> &Option<Made> {
        if is_quick { &self.quick } else { &self.thorough }
    }

    fn made_mut(&mut self, is_quick: bool) -> &mut Option<Made> {
        if is_quick { &mut self.quick } else { &mut self.thorough }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl Demand {
    /// Needs: a verified module, and its layout. What is as it was in an earlier module keeps its code; beside that stands which functions are known from
    /// it.
    pub fn new(
        module: Arc<Module>,
        layout: Layout,
        options: &Options,
        earlier: Option<(&Demand, &[bool])>,
    ) -> Result<Demand, Error> {
        let written = WrittenArrays::new(&module);
        let signatures: Vec<Signature> = module.functions.iter().map(|function| function.signature()).collect();
        let mut functions = vec![Progress::default(); module.functions.len()];
        let inlining = Inlining::new(SMALL, LARGE);
        let direct = direct(&module);
        let mut generator = None;
        if let Some((earlier, known)) = earlier {
            let same = unchanged(known, earlier, (&module, &written), (&inlining, &direct));
            let new = module.functions.iter().zip(&same).filter(|(_, same)| !**same).map(|(function, _)| &**function);
            if lock(&earlier.generator).has_room_for(new) {
                let before = lock(&earlier.state);
                for index in (0..same.len()).filter(|&index| same[index]) {
                    functions[index] = before.functions[index].clone();
                }
                generator = Some(earlier.generator.clone());
            }
        }
        let generator = match generator {
            Some(generator) => generator,
            None => Arc::new(Mutex::new(Generator::new(&module)?)),
        };
        let stubs = signatures.iter().map(|it| lock(&generator).stub(it)).collect::<Result<_, Error>>()?;
        let state = Mutex::new(State { inlining, functions, stubs });
        let demand = Demand { module, layout, written, signatures, direct, options: options.clone(), generator, state };
        let huge = demand.module.functions.iter().enumerate().filter(|(_, function)| function.size() > HUGE);
        huge.map(|(index, _)| index).try_for_each(|index| demand.make(index, demand.first()).map(|_| ()))?;
        Ok(demand)
    }

    /// The size of the memory that the code works on.
    pub fn cells(&self) -> usize {
        self.layout.cells()
    }

    pub fn signature(&self, function: FunctionId) -> &Signature {
        &self.signatures[function.0 as usize]
    }

    /// The way in from Rust to functions of this signature.
    pub fn entry(&self, function: FunctionId) -> usize {
        give_up_on(lock(&self.generator).entry(self.signature(function)))
    }

    /// Where calls of each function lead now.
    pub fn addresses(&self) -> impl Iterator<Item = usize> {
        let state = lock(&self.state);
        let address = |(progress, &stub): (&Progress, &usize)| self.final_code(progress).map_or(stub, |it| it.address);
        state.functions.iter().zip(&state.stubs).map(address).collect::<Vec<_>>().into_iter()
    }

    fn final_code<'p>(&self, progress: &'p Progress) -> Option<&'p Made> {
        progress.made(self.options.effort == Effort::Quick).as_ref()
    }

    fn first(&self) -> Effort {
        if self.options.effort == Effort::Thorough { Effort::Thorough } else { Effort::Quick }
    }

    /// The code for a call of a function, and whether that is the code for all further ones.
    pub fn called(&self, index: usize) -> (usize, bool) {
        let done = {
            let Progress { done, rounds, .. } = &mut lock(&self.state).functions[index];
            if *rounds == 0 {
                *rounds = rounds_of_code(self.module.function(FunctionId(index as u32)));
            }
            *done = done.saturating_add(*rounds);
            *done
        };
        let effort = match self.options.effort {
            Effort::WhatPays if done < OFTEN => return (give_up_on(self.make(index, Effort::Quick)), false),
            Effort::WhatPays => Effort::Thorough,
            other => other,
        };
        (give_up_on(self.make(index, effort)), true)
    }

    /// What is known about the code of each function, all of which is made for it.
    pub fn listings(&self) -> Result<Vec<Listing>, Error> {
        let effort = if self.options.effort == Effort::Quick { Effort::Quick } else { Effort::Thorough };
        let listing = |index: usize| {
            self.make(index, effort)?;
            let progress = &lock(&self.state).functions[index];
            Ok(self.final_code(progress).expect("made just now").listing.clone())
        };
        (0..self.module.functions.len()).map(listing).collect()
    }

    /// The address of the code of a function.
    fn make(&self, index: usize, effort: Effort) -> Result<usize, Error> {
        let mut state = lock(&self.state);
        let mut generator = lock(&self.generator);
        let made = self.define(index, effort, &mut state, &mut generator)?;
        if made.address != 0 {
            return Ok(made.address);
        }
        generator.finish()?;
        for progress in &mut state.functions {
            for made in [&mut progress.quick, &mut progress.thorough].into_iter().flatten() {
                if made.address == 0 {
                    made.address = generator.address(made.id);
                }
            }
        }
        let made = state.functions[index].made(effort == Effort::Quick);
        Ok(made.as_ref().expect("made just now").address)
    }

    fn define(
        &self,
        index: usize,
        effort: Effort,
        state: &mut State,
        generator: &mut Generator,
    ) -> Result<Made, Error> {
        let is_quick = effort == Effort::Quick;
        if let Some(made) = state.functions[index].made(is_quick) {
            return Ok(made.clone());
        }
        let id = FunctionId(index as u32);
        if let Some(made) = self.alike(id, is_quick, state) {
            *state.functions[index].made_mut(is_quick) = Some(made.clone());
            return Ok(made);
        }
        let function = match is_quick {
            true => self.module.function(id).clone(),
            false => state.inlining.function(&self.module, id).clone(),
        };
        let mut callees = vec![None; self.module.functions.len()];
        for callee in function.callees().into_iter().map(|it| it.0 as usize).filter(|&it| self.direct[it]) {
            if callees[callee].is_none() {
                callees[callee] = Some(self.define(callee, effort, state, generator)?.id);
            }
        }
        let surroundings = crate::translate::Surroundings {
            layout: &self.layout,
            written: &self.written,
            signatures: &self.signatures,
            direct: &callees,
            index,
        };
        let made = generator.function(&function, &surroundings, effort, self.options.keep_text)?;
        *state.functions[index].made_mut(is_quick) = Some(made.clone());
        Ok(made)
    }
}

impl Demand {
    /// The code of a function of which the same code was made.
    fn alike(&self, id: FunctionId, is_quick: bool, state: &State) -> Option<Made> {
        let copied = |it: FunctionId| !is_quick && state.inlining.is_small(self.module.function(it));
        let with_code = state.functions.iter().enumerate().filter(|(_, it)| it.made(is_quick).is_some());
        let mut others = with_code.map(|(at, progress)| (FunctionId(at as u32), progress));
        let found = others.find(|(other, _)| are_alike(&self.module, [*other, id], &self.direct, &copied));
        let mut made = found.and_then(|(_, progress)| progress.made(is_quick).clone())?;
        made.listing.name.clone_from(&self.module.function(id).name);
        Some(made)
    }
}

/// Functions of moderate size can always be compiled, unless there is no memory left.
fn give_up_on<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("no machine code can be made while the program runs: {error}"))
}

/// Functions that write nothing, nor call what does.
fn direct(module: &Module) -> Vec<bool> {
    fn writes(statement: &Statement) -> bool {
        matches!(statement, Statement::Store { .. }) || statement.blocks().flatten().any(writes)
    }
    let mut direct = vec![false; module.functions.len()];
    for id in module.callees_first() {
        let function = module.function(id);
        direct[id.0 as usize] =
            !function.body.iter().any(writes) && function.callees().into_iter().all(|callee| direct[callee.0 as usize]);
    }
    direct
}

/// Which functions of a module are what they were in another, at the same place, in all that matters to their code: they themselves, what is called
/// directly or copied, and the arrays that they speak of.
fn unchanged(
    known: &[bool],
    Demand { module: old, written: once, direct: directly, .. }: &Demand,
    (new, now): (&Module, &WrittenArrays),
    (inlining, direct): (&Inlining, &[bool]),
) -> Vec<bool> {
    let (before, after) = (old.layout(), new.layout());
    let array = |id: ArrayId| {
        (id.index as usize) < old.arrays.len()
            && before.offset(id) == after.offset(id)
            && once.contains(id) == now.contains(id)
    };
    let arrays: Vec<bool> = new.array_ids().map(array).collect();
    let mut same = vec![false; new.functions.len()];
    for id in new.callees_first().into_iter().filter(|id| known.get(id.0 as usize) == Some(&true)) {
        let function = new.function(id);
        let callee = |callee: FunctionId| {
            let at = callee.0 as usize;
            let is_copied = |module: &Module| inlining.is_small(module.function(callee));
            same[at] || !directly[at] && !direct[at] && !is_copied(old) && !is_copied(new)
        };
        same[id.0 as usize] = function.callees().into_iter().all(callee)
            && arrays_in(function).into_iter().all(|array| arrays[array as usize]);
    }
    same
}

/// Whether two functions have the same code, which finds what it calls at distances from its place: it is enough that these are the same. Functions
/// of modes that differ in little are.
fn are_alike(module: &Module, [a, b]: [FunctionId; 2], direct: &[bool], copied: &dyn Fn(FunctionId) -> bool) -> bool {
    let (one, other) = (module.function(a), module.function(b));
    let calls = |x: FunctionId, y: FunctionId| {
        if direct[x.0 as usize] || direct[y.0 as usize] {
            return x == y;
        }
        i64::from(x.0) - i64::from(a.0) == i64::from(y.0) - i64::from(b.0)
            && have_same_form(module.function(x), module.function(y))
            && copied(x) == copied(y)
            && (!copied(x) || are_alike(module, [x, y], direct, copied))
    };
    one.body.len() == other.body.len()
        && have_same_form(one, other)
        && one.locals.iter().map(|local| local.kind).eq(other.locals.iter().map(|local| local.kind))
        && blocks_are_alike(&one.body, &other.body, &calls)
}

/// Whether two functions have the same signature.
pub fn have_same_form(a: &Function, b: &Function) -> bool {
    let kinds = a.parameters().zip(b.parameters());
    a.parameter_count == b.parameter_count && a.results == b.results && kinds.into_iter().all(|(a, b)| a.kind == b.kind)
}

fn blocks_are_alike(a: &Block, b: &Block, calls: &dyn Fn(FunctionId, FunctionId) -> bool) -> bool {
    let statements = |(a, b): (&Statement, &Statement)| {
        std::mem::discriminant(a) == std::mem::discriminant(b)
            && a.expressions().eq(b.expressions())
            && a.blocks().count() == b.blocks().count()
            && a.blocks().zip(b.blocks()).all(|(a, b)| blocks_are_alike(a, b, calls))
            && match (a, b) {
                (Statement::Assign(a, _), Statement::Assign(b, _)) => a == b,
                (Statement::Store { array: a, .. }, Statement::Store { array: b, .. }) => a == b,
                (Statement::For { variable: a, .. }, Statement::For { variable: b, .. }) => a == b,
                (
                    Statement::Call { function: a, results: to_a, .. },
                    Statement::Call { function: b, results: to_b, .. },
                ) => to_a == to_b && calls(*a, *b),
                _ => true,
            }
    };
    a.len() == b.len() && a.iter().zip(b).all(statements)
}
