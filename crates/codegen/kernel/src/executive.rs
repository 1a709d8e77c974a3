//! The numbers by which the executive of modes decides.

/// A row this near to a transition, relative to its time, shows what holds after it.
pub const AT_ONCE: f64 = 1e-11;
/// Transitions at one instant beyond which they are taken to have no end.
pub const MOST_AT_ONCE: usize = 1000;
/// What differs by less after two transitions, relative to its size, is the same but for rounding.
pub const SAME: f64 = 1e-9;
/// Instead of infinity, which not all languages of exports can write: what has no end, no value, or never comes.
pub const BOUNDLESS: f64 = 1e300;

/// When a guard begins to hold.
pub mod crossing {
    /// How often a step is halved for the sake of guards, and of claims. What is open then is looked at in parts of some share of the step.
    pub const PATIENCE: [i64; 2] = [65_536, 256];
    pub const LAST_PART: f64 = 1.0 / 64.0;
    /// How often a root is looked for.
    pub const LOOKS: usize = 200;
    /// How far beyond a root the next look is, in roundings of the time, and how far at the most; then it jumps, or hardly moves.
    pub const NEAR: f64 = 0.4;
    pub const FARTHEST: f64 = NEAR * 4096.0;
}

/// When a claim is refuted.
pub mod claims {
    /// How often the instant is halved in which it was.
    pub const LOOKS: usize = 60;
    /// Of the numbers that a condition compares.
    pub const ROUNDING: f64 = 1e-9;
}

/// What a transition was to leave as it is.
pub mod entry {
    /// A state may be moved by so much, relative to its size, when a mode is entered: rounding, and the tolerance of projections.
    pub const INCONSISTENT: f64 = 1e-6;
    /// What may be small at all times has at least this size, and what it would have changed by in a moment.
    pub const SMALLEST: f64 = 1e-6;
    pub const MOMENT: f64 = 1e-3;
}

/// Whether transitions let the time pass.
pub mod pace {
    /// So many come ever faster before they are taken to accumulate, with so little time between the last.
    pub const MANY: usize = 50;
    pub const FEW_ROUNDINGS: f64 = 256.0;
    /// So many at one pace tell whether it is even, and so many more of them are out of reach.
    pub const MANY_AT_ONE_PACE: usize = 1000;
    pub const EVEN: f64 = 0.9;
    pub const ENDLESS: f64 = 1e8;
    /// Among so many of the last it is seen whether several take turns.
    pub const TURNS: usize = 100;
}

/// How plans are rehearsed.
pub mod plans {
    /// Rehearsals are at least so accurate.
    pub const TOLERANCE: f64 = 1e-11;
    /// A rehearsal of so many steps is taken to have no end.
    pub const MOST_STEPS: usize = 20_000;
    /// Why a rehearsal does not come to its end, beside the failures of runs: a phase would end at the instant at which it begins; no end of a phase
    /// comes; the run ends before the plan does.
    pub const ENDS_AT_ONCE: i64 = 200;
    pub const NEVER_ENDS: i64 = 201;
    pub const RUN_ENDS: i64 = 202;
}

/// How the choices of a plan are searched.
pub mod shooting {
    /// So often a plan is rehearsed; most searches need ten.
    pub const MOST_TRIALS: usize = 100;
    /// Shares of what a step promised: enough to take it, a poor one, a good one.
    pub const ENOUGH: f64 = 1e-4;
    pub const POOR: f64 = 0.25;
    pub const GOOD: f64 = 0.75;
    /// How much shorter the next step is where there is no value.
    pub const NO_VALUE: f64 = 0.25;
    /// Less than this share of Newton's step is not worth taking.
    pub const TRUSTED: f64 = 0.1;
    /// What is won is nothing any more.
    pub const WON: f64 = 1e-6;
    /// The ground is level.
    pub const LEVEL: f64 = 1e-4;
    /// What vanishes, relative to its scale, and to what choices would change.
    pub const ROUNDING: f64 = 1e-13;
    pub const HARDLY: f64 = 1e-6;
    /// The damping of a step, relative to the steepest slope, and how often it is halved.
    pub const LEAST_DAMPING: f64 = 1e-12;
    pub const MOST_DAMPING: f64 = 1e12;
    pub const HALVINGS: usize = 40;
    /// Aims of about one size are measured alike; none has less than some share of the largest.
    pub const ALIKE: f64 = 1e-3;
    pub const SMALLEST: f64 = 1e-6;
    /// Beside other seeds, one that is smaller tells nothing.
    pub const NO_SEED: f64 = 1e-14;
    /// How small a change of all choices is, relative to them, and from which size on: when it is found, when rounding is all that is
    /// left, when a step leads nowhere, when an aim is met.
    pub const FOUND: (f64, f64) = (1e-14, 1e-3);
    pub const ROUNDED: (f64, f64) = (1e-9, 1.0);
    pub const NOWHERE: (f64, f64) = (1e-7, 1.0);
    pub const MET: (f64, f64) = (1e-4, 1.0);
    /// A pivot below this is none.
    pub const NO_PIVOT: f64 = 1e-300;
}

/// How the least is searched for, by quadratic programs. Choices, aims and costs are measured in units here.
pub mod least {
    /// So often a plan is rehearsed; most searches need thirty.
    pub const MOST_TRIALS: usize = 300;
    /// So many passes through the variables of a quadratic program let go of all that should be.
    pub const PASSES: i64 = 8;
    /// How soft rows are: their error for a price of one.
    pub const SOFT: f64 = 1e-9;
    /// What pulls a variable inwards, beside what it is the sum of.
    pub const LET_GO: f64 = 1e-11;
    /// Prices are not believed beyond this: they are those of rows that cannot hold.
    pub const DEAREST: f64 = 1e4;
    /// How far the first step may go, and any.
    pub const RADIUS: f64 = 1.0;
    pub const LONGEST: f64 = 1e3;
    /// Choices so large, in their units, go on for ever.
    pub const FARTHEST: f64 = 1e6;
    /// A step that was too far is shortened to this share; none that is shorter than the least leads anywhere.
    pub const SHORTER: f64 = 0.25;
    pub const NOWHERE: f64 = 1e-10;
    /// Shares of what a step promised: enough to take it, a poor one, a good one.
    pub const ENOUGH: f64 = 1e-4;
    pub const POOR: f64 = 0.25;
    pub const GOOD: f64 = 0.75;
    /// A step is compared with the worst of so many before it, so that curved aims do not make it short (Maratos, 1978).
    pub const MEMORY: usize = 4;
    /// How much more a miss weighs than what it costs to be nearer.
    pub const HEAVIER: f64 = 2.0;
    pub const HEAVIEST: f64 = 1e8;
    pub const FORGOTTEN: f64 = 0.3;
    /// The share of the old curvature that is left where costs bend downwards (Powell, 1978).
    pub const CURVED: f64 = 0.2;
    /// A step so short, from where so little is missed, is the last.
    pub const LAST: f64 = 1e-8;
    /// What is missed, and what could still be won, where no step leads on and yet the least is found.
    pub const MISSED: f64 = 1e-9;
    pub const WON: f64 = 1e-6;
}
