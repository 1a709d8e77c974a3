//! What is claimed of a behaviour, watched moment by moment.
//!
//! A formula is rewritten at each moment into what remains to be seen; where nothing remains it has held, or failed.

/// What is claimed from a moment on. Conditions are given by their places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    True,
    False,
    Holds(usize),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Not(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    /// After the transition that follows at the same instant, if one does.
    Next(Box<Formula>),
    /// The first until the second, or for ever.
    Until(Box<Formula>, Box<Formula>),
    /// To be looked at in the next moment.
    Waiting(Box<Formula>),
    /// What remains to be seen later, whatever holds at this moment.
    Later(Box<Formula>),
}

impl Formula {
    /// What a moment leaves, in terms of the conditions that hold at it and of what remains for later. `event` tells whether a transition follows at
    /// the same instant.
    pub fn at_moment(&self, event: bool) -> Formula {
        use Formula::*;
        let now = |formula: &Formula| formula.at_moment(event);
        let later = || Later(Box::new(self.clone()));
        match self {
            True => True,
            False => False,
            Holds(at) => Holds(*at),
            And(a, b) => and(now(a), now(b)),
            Or(a, b) => or(now(a), now(b)),
            Not(a) => not(now(a)),
            Always(a) => and(now(a), later()),
            Eventually(a) => or(now(a), later()),
            Until(a, b) => or(now(b), and(now(a), later())),
            Next(a) if event => Later(Box::new(Waiting(a.clone()))),
            Next(_) => True,
            Waiting(a) | Later(a) => now(a),
        }
    }

    /// What a moment leaves if a condition holds, or does not.
    pub fn if_holds(&self, condition: usize, holds: bool) -> Formula {
        use Formula::*;
        let inner = |formula: &Formula| formula.if_holds(condition, holds);
        match self {
            Holds(at) if *at == condition => truth(holds),
            And(a, b) => and(inner(a), inner(b)),
            Or(a, b) => or(inner(a), inner(b)),
            Not(a) => not(inner(a)),
            _ => self.clone(),
        }
    }

    /// The first condition that a moment still depends on.
    pub fn open_condition(&self) -> Option<usize> {
        use Formula::*;
        match self {
            Holds(at) => Some(*at),
            And(a, b) | Or(a, b) => a.open_condition().into_iter().chain(b.open_condition()).min(),
            Not(a) => a.open_condition(),
            _ => None,
        }
    }

    /// What remains when the moment is over.
    pub fn remaining(&self) -> Formula {
        use Formula::*;
        match self {
            Later(a) => (**a).clone(),
            And(a, b) => and(a.remaining(), b.remaining()),
            Or(a, b) => or(a.remaining(), b.remaining()),
            Not(a) => not(a.remaining()),
            _ => self.clone(),
        }
    }

    /// Whether it holds if nothing more is ever seen.
    pub fn at_end(&self) -> bool {
        use Formula::*;
        match self {
            True | Always(_) | Until(..) | Next(_) => true,
            False | Holds(_) | Eventually(_) | Waiting(_) => false,
            Later(a) => a.at_end(),
            And(a, b) => a.at_end() && b.at_end(),
            Or(a, b) => a.at_end() || b.at_end(),
            Not(a) => !a.at_end(),
        }
    }

    /// The conditions that it speaks of, in ascending order.
    pub fn conditions(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(&self, found: &mut Vec<usize>) {
        use Formula::*;
        match self {
            True | False => {}
            Holds(at) => found.push(*at),
            Not(a) | Always(a) | Eventually(a) | Next(a) | Waiting(a) | Later(a) => a.collect(found),
            And(a, b) | Or(a, b) | Until(a, b) => {
                a.collect(found);
                b.collect(found);
            }
        }
    }
}

fn truth(holds: bool) -> Formula {
    if holds { Formula::True } else { Formula::False }
}

fn and(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::False, _) | (_, Formula::False) => Formula::False,
        (Formula::True, other) | (other, Formula::True) => other,
        (a, b) if a == b => a,
        (a, Formula::And(b, c)) if a == *b || a == *c => Formula::And(b, c),
        (a, b) => Formula::And(Box::new(a), Box::new(b)),
    }
}

fn or(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::True, _) | (_, Formula::True) => Formula::True,
        (Formula::False, other) | (other, Formula::False) => other,
        (a, b) if a == b => a,
        (a, Formula::Or(b, c)) if a == *b || a == *c => Formula::Or(b, c),
        (a, b) => Formula::Or(Box::new(a), Box::new(b)),
    }
}

fn not(a: Formula) -> Formula {
    match a {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(inner) => *inner,
        a => Formula::Not(Box::new(a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What remains of a formula after a moment at which some conditions hold.
    fn after(formula: &Formula, holds: &[bool], event: bool) -> Formula {
        let begin = formula.at_moment(event);
        holds.iter().enumerate().fold(begin, |formula, (at, &holds)| formula.if_holds(at, holds)).remaining()
    }

    /// What remains of a formula about the conditions 0 and 1 after some moments.
    fn seen(formula: &Formula, moments: &[[bool; 2]]) -> Formula {
        moments.iter().fold(formula.clone(), |formula, holds| after(&formula, holds, false))
    }

    fn boxed(at: usize) -> Box<Formula> {
        Box::new(Formula::Holds(at))
    }

    #[test]
    fn always_fails_at_once_and_holds_at_the_end() {
        let always = Formula::Always(boxed(0));
        assert_eq!(seen(&always, &[[true, false], [false, false]]), Formula::False);
        assert!(seen(&always, &[[true, false], [true, true]]).at_end());
    }

    #[test]
    fn eventually_needs_to_happen() {
        let eventually = Formula::Eventually(boxed(1));
        assert!(!seen(&eventually, &[[true, false]]).at_end());
        assert_eq!(seen(&eventually, &[[true, false], [false, true]]), Formula::True);
    }

    #[test]
    fn until_lets_go_when_the_second_comes() {
        let until = Formula::Until(boxed(0), boxed(1));
        assert_eq!(seen(&until, &[[true, false], [false, true]]), Formula::True);
        assert_eq!(seen(&until, &[[true, false], [false, false]]), Formula::False);
        assert!(seen(&until, &[[true, false]]).at_end());
    }

    #[test]
    fn a_response_is_asked_for_each_time() {
        // Always: the first is followed by the second, eventually.
        let response = Formula::Or(Box::new(Formula::Not(boxed(0))), Box::new(Formula::Eventually(boxed(1))));
        let always = Formula::Always(Box::new(response));
        assert!(seen(&always, &[[true, false], [false, true], [false, false]]).at_end());
        assert!(!seen(&always, &[[true, false], [false, true], [true, false]]).at_end());
    }

    #[test]
    fn next_speaks_of_the_moment_after_a_transition() {
        let next = Formula::Next(boxed(1));
        assert_eq!(after(&next, &[false, false], false), Formula::True);
        assert_eq!(after(&after(&next, &[false, true], true), &[false, false], false), Formula::False);
        assert_eq!(after(&after(&next, &[false, false], true), &[false, true], false), Formula::True);
    }
}
