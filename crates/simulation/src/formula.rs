//! What is claimed of a behaviour, watched moment by moment.
//!
//! A formula is rewritten at each moment into what remains to be seen; where nothing remains it has held, or failed.

/// What is claimed from a moment on. Conditions are given by their places.
#[derive(Clone, Debug, PartialEq)]
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
}

impl Formula {
    /// What remains after a moment at which some conditions hold. `event` tells whether a transition follows at the same instant.
    pub fn after(&self, holds: &[bool], event: bool) -> Formula {
        use Formula::*;
        let next = |formula: &Formula| formula.after(holds, event);
        match self {
            True => True,
            False => False,
            Holds(at) => truth(holds[*at]),
            And(a, b) => and(next(a), next(b)),
            Or(a, b) => or(next(a), next(b)),
            Not(a) => not(next(a)),
            Always(a) => and(next(a), self.clone()),
            Eventually(a) => or(next(a), self.clone()),
            Until(a, b) => or(next(b), and(next(a), self.clone())),
            Next(a) if event => Waiting(a.clone()),
            Next(_) => True,
            Waiting(a) => next(a),
        }
    }

    /// Whether it holds if nothing more is ever seen.
    pub fn at_end(&self) -> bool {
        use Formula::*;
        match self {
            True | Always(_) | Until(..) | Next(_) => true,
            False | Holds(_) | Eventually(_) | Waiting(_) => false,
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
            Not(a) | Always(a) | Eventually(a) | Next(a) | Waiting(a) => a.collect(found),
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

    /// What remains of a formula about the conditions 0 and 1 after some moments.
    fn seen(formula: &Formula, moments: &[[bool; 2]]) -> Formula {
        moments.iter().fold(formula.clone(), |formula, holds| formula.after(holds, false))
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
        assert_eq!(next.after(&[false, false], false), Formula::True);
        assert_eq!(next.after(&[false, true], true).after(&[false, false], false), Formula::False);
        assert_eq!(next.after(&[false, false], true).after(&[false, true], false), Formula::True);
    }
}
