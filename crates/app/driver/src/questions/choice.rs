//! Choices between laws of one phenomenon: in which order they are tried, and which need not be, because what is known of others decides them.

use model::{Model, Standing};

/// More choices of laws than this are not tried.
const MOST_CHOICES: usize = 256;
/// More branches than this are not looked at for a choice that is still open.
const MOST_BRANCHES: usize = 100_000;

/// The laws of some phenomena: modes of the model, each with its value.
type Part = Vec<(usize, usize)>;

/// All choices, the laws that stand first first. The choice for the last phenomenon is undone first.
pub struct Choices {
    /// Modes of the author's own stay as they start.
    start: Vec<usize>,
    /// The mode of each phenomenon, and the values that it can have.
    phenomena: Vec<(usize, Vec<usize>)>,
    /// Whatever contains one of these leads to nothing that is not known.
    settled: Vec<Part>,
    tried: usize,
    branches: usize,
}

impl Choices {
    pub fn new(model: &Model) -> Choices {
        let values = |mode: usize| -> Vec<usize> {
            let laws = model.fragments.iter().filter_map(|fragment| match fragment.standing {
                Standing::Chosen(of, value) if of.index() == mode => Some(value),
                _ => None,
            });
            let mut values: Vec<usize> = laws.collect();
            values.sort_unstable();
            values
        };
        let all = (0..model.modes.len()).map(|mode| (mode, values(mode)));
        Choices {
            start: model.modes.iter().map(|mode| mode.start).collect(),
            phenomena: all.filter(|(_, values)| !values.is_empty()).collect(),
            settled: Vec::new(),
            tried: 0,
            branches: 0,
        }
    }

    /// The first choice of which nothing is known yet, as the value of every mode.
    pub fn next(&mut self) -> Option<Vec<usize>> {
        if self.is_given_up() {
            return None;
        }
        let mut mode = self.start.clone();
        self.tried += 1;
        self.branches = 0;
        self.descend(0, &mut mode).then_some(mode)
    }

    /// Whether there are more choices than can be tried.
    pub fn is_given_up(&self) -> bool {
        self.tried >= MOST_CHOICES || self.branches > MOST_BRANCHES
    }

    fn descend(&mut self, at: usize, mode: &mut [usize]) -> bool {
        self.branches += 1;
        if at == self.phenomena.len() {
            // Where nothing is to be chosen, the one choice is settled by the empty part.
            return !self.settled.iter().any(Vec::is_empty);
        }
        let (own, values) = self.phenomena[at].clone();
        for value in values {
            if self.branches > MOST_BRANCHES {
                return false;
            }
            mode[own] = value;
            let chosen = &self.phenomena[..=at];
            let is_chosen = |of: usize| chosen.iter().any(|(mode, _)| *mode == of);
            let holds = |part: &Part| part.iter().all(|&(of, value)| is_chosen(of) && mode[of] == value);
            if !self.settled.iter().any(holds) && self.descend(at + 1, mode) {
                return true;
            }
        }
        false
    }

    /// Notes that all is known of choices that have these values of these modes.
    pub fn settle(&mut self, modes: &[usize], mode: &[usize]) {
        self.settled.push(modes.iter().map(|&of| (of, mode[of])).collect());
    }

    /// Notes that all is known of one choice.
    pub fn settle_all(&mut self, mode: &[usize]) {
        let modes: Vec<usize> = self.phenomena.iter().map(|(mode, _)| *mode).collect();
        self.settle(&modes, mode);
    }
}
