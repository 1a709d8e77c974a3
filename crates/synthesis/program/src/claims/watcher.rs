//! A claim as a machine of finitely many states. What follows a state is a decision diagram over the conditions, so that it does not matter how
//! many of them a claim speaks of.

use rustc_hash::FxHashMap;

use super::formula::Formula;

/// The states are what may remain to be seen of a formula; 0 is the formula itself.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Watcher {
    /// A condition, and where it leads if it does not hold and if it does.
    pub nodes: Vec<(usize, [Way; 2])>,
    /// For each state, without and with a transition that follows at once.
    pub ways: Vec<[Way; 2]>,
    /// From which there is no way back.
    pub refuted: Option<usize>,
    /// Whether a state is good if nothing more is ever seen.
    pub fulfilled: Vec<bool>,
}

/// Where a decision leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Node(usize),
    State(usize),
}

/// More decisions than this are nothing that anyone means.
pub const MOST_NODES: usize = 65_536;

/// The machine that watches a formula; none if it would have too many decisions or states.
pub fn watcher(formula: &Formula) -> Option<Watcher> {
    let mut making = Making::default();
    making.state(formula.clone());
    while making.machine.ways.len() < making.states.len() {
        let state = making.states[making.machine.ways.len()].clone();
        let ways = [making.way(state.at_moment(false))?, making.way(state.at_moment(true))?];
        making.machine.ways.push(ways);
        // Decisions are shared only within a state: what they lead to differs from one state to the next.
        making.known.clear();
    }
    let Making { states, mut machine, .. } = making;
    machine.refuted = states.iter().position(|state| *state == Formula::False);
    machine.fulfilled = states.iter().map(Formula::at_end).collect();
    Some(machine)
}

#[derive(Default)]
struct Making {
    states: Vec<Formula>,
    places: FxHashMap<Formula, usize>,
    /// What is to be decided, and where that is done.
    known: FxHashMap<Formula, Way>,
    machine: Watcher,
}

impl Making {
    /// Decides what a moment leaves.
    fn way(&mut self, left: Formula) -> Option<Way> {
        if let Some(way) = self.known.get(&left) {
            return Some(*way);
        }
        let way = match left.open_condition() {
            None => Way::State(self.state(left.remaining())),
            Some(condition) => {
                let [without, with] = [false, true].map(|holds| left.if_holds(condition, holds));
                let ways = [self.way(without)?, self.way(with)?];
                self.machine.nodes.push((condition, ways));
                Way::Node(self.machine.nodes.len() - 1)
            }
        };
        self.known.insert(left, way);
        (self.machine.nodes.len() <= MOST_NODES && self.states.len() <= MOST_NODES).then_some(way)
    }

    fn state(&mut self, remaining: Formula) -> usize {
        *self.places.entry(remaining).or_insert_with_key(|remaining| {
            self.states.push(remaining.clone());
            self.states.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(at: usize) -> Box<Formula> {
        Box::new(Formula::Holds(at))
    }

    impl Watcher {
        fn after(&self, state: usize, holds: &[bool], event: bool) -> usize {
            let mut way = self.ways[state][usize::from(event)];
            loop {
                match way {
                    Way::State(state) => return state,
                    Way::Node(at) => way = self.nodes[at].1[usize::from(holds[self.nodes[at].0])],
                }
            }
        }
    }

    /// What a formula means, by the definition: whether it holds from a moment of a behaviour on, which ends with the last moment. Each moment has
    /// its conditions, and whether a transition follows at once.
    fn is_true(formula: &Formula, moments: &[(Vec<bool>, bool)]) -> bool {
        use Formula::*;
        let Some(((holds, event), rest)) = moments.split_first() else { return formula.at_end() };
        match formula {
            True => true,
            False => false,
            Holds(at) => holds[*at],
            And(a, b) => is_true(a, moments) && is_true(b, moments),
            Or(a, b) => is_true(a, moments) || is_true(b, moments),
            Not(a) => !is_true(a, moments),
            Always(a) => is_true(a, moments) && is_true(formula, rest),
            Eventually(a) => is_true(a, moments) || is_true(formula, rest),
            Until(a, b) => is_true(b, moments) || (is_true(a, moments) && is_true(formula, rest)),
            Next(a) => !event || (!rest.is_empty() && is_true(a, rest)),
            Waiting(a) | Later(a) => is_true(a, moments),
        }
    }

    /// Along random behaviours the machine ends well where the formula holds by its definition.
    #[test]
    fn a_machine_says_what_its_formula_means() {
        use Formula::*;
        let response = Always(Box::new(Or(Box::new(Not(boxed(0))), Box::new(Eventually(boxed(3))))));
        let after = Always(Box::new(Or(Box::new(Not(boxed(3))), Box::new(Next(boxed(0))))));
        for formula in [Always(boxed(3)), Eventually(boxed(0)), Until(boxed(0), boxed(3)), response, after] {
            let machine = watcher(&formula).expect("a small machine");
            // A linear congruential generator is good enough to throw coins.
            let mut bits = 7_u64;
            let mut chance = |tenths: u64| {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (bits >> 33) % 10 < tenths
            };
            for _ in 0..200 {
                let behaviour: Vec<(Vec<bool>, bool)> =
                    (0..8).map(|_| ((0..4).map(|_| chance(7)).collect(), chance(3))).collect();
                let end = behaviour.iter().fold(0, |state, (holds, event)| machine.after(state, holds, *event));
                assert_eq!(machine.fulfilled[end], is_true(&formula, &behaviour), "{formula:?} {behaviour:?}");
                assert!(machine.refuted != Some(end) || !machine.fulfilled[end]);
            }
        }
    }

    #[test]
    fn many_conditions_need_as_many_decisions() {
        let many = (0..200).fold(Formula::True, |sum, at| Formula::And(Box::new(sum), boxed(at)));
        let machine = watcher(&Formula::Always(Box::new(many))).expect("a small machine");
        assert!(machine.nodes.len() < 1000, "{}", machine.nodes.len());
    }

    #[test]
    fn what_may_go_on_in_too_many_ways_has_none() {
        let each = |at: usize| Formula::Eventually(boxed(at));
        let many = (0..20).fold(Formula::True, |sum, at| Formula::And(Box::new(sum), Box::new(each(at))));
        assert_eq!(watcher(&many), None);
    }
}
