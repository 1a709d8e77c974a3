//! A claim as a machine of finitely many states, for programs that cannot rewrite formulas.

use crate::formula::Formula;

/// The states are what may remain to be seen of a formula; 0 is the formula itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Watcher {
    /// The conditions that the formula speaks of.
    pub conditions: Vec<usize>,
    /// For each state, without and with a transition that follows at once, and for each way in which the conditions may hold: the next
    /// state. The first condition is the lowest bit.
    pub next: Vec<usize>,
    /// From which there is no way back.
    pub refuted: Option<usize>,
    /// Whether a state is good if nothing more is ever seen.
    pub fulfilled: Vec<bool>,
}

/// The machine that watches a formula; none if it has more states, or looks at more conditions, than anyone wants to write down.
pub fn watcher(formula: &Formula) -> Option<Watcher> {
    const MOST_CONDITIONS: usize = 10;
    const MOST_CELLS: usize = 1 << 16;
    let conditions = formula.conditions();
    if conditions.len() > MOST_CONDITIONS {
        return None;
    }
    let mut holds = vec![false; conditions.last().map_or(0, |last| last + 1)];
    let (mut states, mut next) = (vec![formula.clone()], Vec::new());
    let mut at = 0;
    while at < states.len() {
        for symbol in 0..2_usize << conditions.len() {
            for (bit, &condition) in conditions.iter().enumerate() {
                holds[condition] = symbol >> bit & 1 == 1;
            }
            let remaining = states[at].after(&holds, symbol >> conditions.len() == 1);
            let place = states.iter().position(|known| *known == remaining).unwrap_or_else(|| {
                states.push(remaining);
                states.len() - 1
            });
            next.push(place);
            if next.len() > MOST_CELLS {
                return None;
            }
        }
        at += 1;
    }
    let refuted = states.iter().position(|state| *state == Formula::False);
    Some(Watcher { conditions, next, refuted, fulfilled: states.iter().map(Formula::at_end).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(at: usize) -> Box<Formula> {
        Box::new(Formula::Holds(at))
    }

    /// Along random behaviours the machine is where the rewritten formula is.
    #[test]
    fn a_machine_follows_its_formula() {
        use Formula::*;
        let response = Always(Box::new(Or(Box::new(Not(boxed(0))), Box::new(Eventually(boxed(3))))));
        let after = Always(Box::new(Or(Box::new(Not(boxed(3))), Box::new(Next(boxed(0))))));
        for formula in [Always(boxed(3)), Eventually(boxed(0)), Until(boxed(0), boxed(3)), response, after] {
            let machine = watcher(&formula).expect("a small machine");
            let width = machine.conditions.len();
            // A linear congruential generator is good enough to throw coins.
            let mut bits = 7_u64;
            let mut chance = |tenths: u64| {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (bits >> 33) % 10 < tenths
            };
            for _ in 0..50 {
                let (mut state, mut remaining) = (0, formula.clone());
                for _ in 0..20 {
                    let holds: Vec<bool> = (0..4).map(|_| chance(7)).collect();
                    let event = chance(3);
                    let bits = machine.conditions.iter().enumerate();
                    let bits: usize = bits.map(|(bit, &condition)| usize::from(holds[condition]) << bit).sum();
                    state = machine.next[(state << (width + 1)) + (usize::from(event) << width) + bits];
                    remaining = remaining.after(&holds, event);
                    assert_eq!(machine.refuted == Some(state), remaining == False, "{formula:?}");
                    assert_eq!(machine.fulfilled[state], remaining.at_end(), "{formula:?}");
                }
            }
        }
    }

    #[test]
    fn what_speaks_of_too_much_has_none() {
        let many = (0..20).fold(Formula::True, |sum, at| Formula::And(Box::new(sum), boxed(at)));
        assert_eq!(watcher(&many), None);
    }
}
