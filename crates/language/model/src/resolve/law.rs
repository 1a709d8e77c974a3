//! Laws: what holds for all things of a kind.

use std::borrow::Cow;
use std::rc::Rc;

use base::Diagnostic;
use syntax::{Law, ParameterType};

use super::repeat::Unrolled;
use super::space::{Declared, Scope, SpaceId};
use super::{Definition, Entity, Outcome, Resolver, ThingId, Value, Wanted};
use crate::codes;

impl<'t> Resolver<'t, '_> {
    /// States every law for every combination of things that it speaks of.
    pub(super) fn apply_laws(&mut self, out: &mut Unrolled<'t>) {
        for (law, space) in self.laws.clone() {
            // Every error has been reported where it arose.
            let _ = self.apply_law(law, space, out);
        }
    }

    fn apply_law(&mut self, law: &'t Law, space: SpaceId, out: &mut Unrolled<'t>) -> Outcome<()> {
        let mut lists: Vec<Rc<[ThingId]>> = Vec::new();
        for parameter in &law.parameters {
            let ParameterType::Thing(kind) = &parameter.type_ else { return Err(super::Reported) };
            let template = self.template(kind, space)?;
            lists.push(self.things_of(template));
        }
        for things in combinations(&lists) {
            let names: Vec<&str> = things.iter().map(|thing| self.things[thing.index()].name.as_str()).collect();
            let name = if names.is_empty() {
                law.name.text.clone()
            } else {
                format!("{}({})", law.name.text, names.join(", "))
            };
            let own = self.new_space(format!("{name}."), [space].into());
            for (parameter, &thing) in law.parameters.iter().zip(&things) {
                self.definitions.push((Definition::Done(Ok(Value::Thing(thing))), Wanted::Anything));
                let entity = Entity::Let(self.definitions.len() - 1);
                let declared = Declared { entity, span: parameter.name.span };
                self.spaces[own.index()].things.insert(Cow::Borrowed(&parameter.name.text), declared);
            }
            let scope = Scope::of(own);
            if let Some(assumption) = &law.assumption {
                let undecided = "what a law assumes must be decided before the scene moves";
                let hint = "let the law hold always, and put the condition into it: `if … then … else …`";
                if !self.decide(assumption, &scope, (undecided, hint))? {
                    continue;
                }
            }
            self.unroll(&law.members, &scope, out);
            if out.is_full() {
                return Err(self.report(
                    Diagnostic::error(codes::TOO_LARGE, format!("the law `{}` is stated too often", law.name.text))
                        .at(law.name.span, "for all combinations of things"),
                ));
            }
        }
        Ok(())
    }
}

/// One of each list, in all ways; nothing twice.
fn combinations(lists: &[Rc<[ThingId]>]) -> Vec<Vec<ThingId>> {
    let mut all: Vec<Vec<ThingId>> = vec![Vec::new()];
    for list in lists {
        let longer = all.iter().flat_map(|begun| {
            let rest = list.iter().filter(|thing| !begun.contains(thing));
            rest.map(|&thing| begun.iter().copied().chain([thing]).collect())
        });
        all = longer.collect();
    }
    all
}
