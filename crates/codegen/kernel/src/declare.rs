//! Where to declare the variables of a function in a language with blocks: with the value they get first if that stands in
//! the innermost block around all their uses, else just before the first of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::unused::collect_locals;
use crate::{Block, Function, LocalId, Statement};

/// The variables of one function. Parameters and what loops count with are declared by themselves.
pub struct Declarations {
    places: FxHashMap<*const Statement, Vec<(LocalId, Place)>>,
    /// How often each is assigned.
    assigned: FxHashMap<LocalId, usize>,
    read: FxHashSet<LocalId>,
    parameter_count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The statement gives the variable its first value.
    With,
    /// The first use is somewhere inside the statement.
    Before,
}

impl Declarations {
    pub fn of(function: &Function) -> Declarations {
        let mut walk = Walk::default();
        let places = walk.block(&function.body);
        let mut declarations = Declarations {
            places: FxHashMap::default(),
            assigned: walk.assigned,
            read: walk.read,
            parameter_count: function.parameter_count as u32,
        };
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_unstable_by_key(|(local, _)| local.index);
        for (local, (statement, place)) in places {
            if !declarations.is_parameter(local) && !walk.counting.contains(&local) {
                declarations.places.entry(statement).or_default().push((local, place));
            }
        }
        declarations
    }

    /// Variables to declare, without a value, before a statement.
    pub fn before(&self, statement: &Statement) -> impl Iterator<Item = LocalId> {
        self.at(statement).iter().filter(|(_, place)| *place == Place::Before).map(|(local, _)| *local)
    }

    /// Whether the statement that gives a variable its value also declares it.
    pub fn declares(&self, statement: &Statement, local: LocalId) -> bool {
        self.at(statement).contains(&(local, Place::With))
    }

    /// Whether a variable gets another value after its first.
    pub fn changes(&self, local: LocalId) -> bool {
        let assigned = self.assigned.get(&local).copied().unwrap_or(0);
        assigned + usize::from(self.is_parameter(local)) > 1
    }

    /// Whether a variable has to be there: something reads it, or gives it another value.
    pub fn is_needed(&self, local: LocalId) -> bool {
        self.read.contains(&local) || self.changes(local)
    }

    fn at(&self, statement: &Statement) -> &[(LocalId, Place)] {
        self.places.get(&std::ptr::from_ref(statement)).map_or(&[], Vec::as_slice)
    }

    fn is_parameter(&self, local: LocalId) -> bool {
        local.index < self.parameter_count
    }
}

#[derive(Default)]
struct Walk {
    assigned: FxHashMap<LocalId, usize>,
    read: FxHashSet<LocalId>,
    /// What loops count with.
    counting: FxHashSet<LocalId>,
}

/// Where each variable that is used in some code would be declared if it were used nowhere else.
type Places = FxHashMap<LocalId, (*const Statement, Place)>;

impl Walk {
    fn block(&mut self, block: &Block) -> Places {
        let mut places = Places::default();
        let mut first_use: FxHashMap<LocalId, &Statement> = FxHashMap::default();
        for statement in block {
            for (local, place) in self.statement(statement) {
                match first_use.get(&local) {
                    None => {
                        first_use.insert(local, statement);
                        places.insert(local, place);
                    }
                    // Used by more than one statement of this block: no block inside is large enough.
                    Some(first) => drop(places.insert(local, (*first, own_place(first, local)))),
                }
            }
        }
        places
    }

    fn statement(&mut self, statement: &Statement) -> Places {
        let mut places = Places::default();
        let mut read = FxHashSet::default();
        statement.expressions().for_each(|expression| collect_locals(expression, &mut read));
        for inner in statement.blocks() {
            for (local, place) in self.block(inner) {
                let known = places.contains_key(&local);
                places.insert(local, if known { (statement, Place::Before) } else { place });
            }
        }
        for local in given(statement).into_iter().chain(read.iter().copied()) {
            places.insert(local, (statement, own_place(statement, local)));
        }
        self.read.extend(read);
        for local in given(statement) {
            *self.assigned.entry(local).or_default() += 1;
        }
        if let Statement::For { variable, .. } = statement {
            self.counting.insert(*variable);
        }
        places
    }
}

/// The variables to which a statement itself gives values.
fn given(statement: &Statement) -> Vec<LocalId> {
    match statement {
        Statement::Assign(to, _) | Statement::Foreign { result: to, .. } => vec![*to],
        Statement::Call { results, .. } => results.clone(),
        _ => Vec::new(),
    }
}

fn own_place(statement: &Statement, local: LocalId) -> Place {
    if given(statement).contains(&local) { Place::With } else { Place::Before }
}
