//! How a simulation program is run: the names of its entry points and arrays, and the codes it gives back.
//!
//! Every synthesized module has these, whatever it simulates; whoever runs one, in this process or as generated C, needs
//! nothing else. All entry points return [`DONE`], [`UNFINISHED`] or a failure code with the details in the arrays below.

/// `() -> integer`: finds a consistent start from `parameters` and `controls`, and begins at time zero.
pub const INITIALIZE: &str = "initialize";
/// `(tolerance: real, horizon: real) -> integer`: before `advance`; no step goes beyond the horizon.
pub const CONFIGURE: &str = "configure";
/// `(target: real, limit: integer) -> integer`: integrates to the target or beyond, with at most so many trial steps.
pub const ADVANCE: &str = "advance";
/// `(t: real) -> integer`: the state at a time within the last step, moved onto the constraints.
pub const SAMPLE: &str = "sample";
/// `(t: real) -> integer`: fills `outputs` from the sampled state.
pub const OBSERVE: &str = "observe";
/// `(t: real) -> integer`: fills `monitors` from the sampled state: the energy, the kinetic energy, then what each
/// constraint on positions leaves.
pub const MONITOR: &str = "monitor";
/// `(t: real) -> integer`: fills `picture_values` from the sampled state. Only programs that are looked at have it.
pub const PICTURE: &str = "picture";
/// `(t: real) -> integer`: fills `curve_points` from the sampled state. Only programs with curves have it.
pub const CURVES: &str = "curves";
/// `(t: real) -> integer`: fills `surface_values` from the sampled state. Only programs with surfaces to look at have it.
pub const SURFACES: &str = "surfaces";
/// `() -> integer`: fills `states` from the sampled state.
pub const CAPTURE: &str = "capture";
/// `(t: real) -> integer`: begins at this time from `states`, moved onto the constraints, and fills `rates`.
pub const RESUME: &str = "resume";
/// `(t: real) -> integer`: as [`RESUME`], but no transition happens, whatever guard holds. Only programs of several modes have it.
pub const PLACE: &str = "place";
/// `(t: real) -> integer`: the rates of the states and how far every event is, where another integrator has put time and `states`: nothing
/// happens, and switches stay as they are. Fills `rates`, `guard_indicators`, `indicators` and `next_instant`. Only programs that other
/// integrators may drive have it, and the two below.
pub const HOLD: &str = "hold";
/// `(t: real) -> integer`: after [`HOLD`] at this time, what belongs to the end of a step: directions are those of the state, and what slides
/// is moved onto its border.
pub const COMPLETE: &str = "complete";
/// `(t: real) -> integer`: after [`HOLD`] at this time, lets happen what has to: switches turn, then all transitions whose guards hold.
pub const REACT: &str = "react";
/// `(t: real) -> integer`: samples the state at a time and looks at the guards there. Only programs of several modes have it.
pub const LOOK: &str = "guards_at";
/// `(edge: integer, t: real) -> integer`: goes through the phases of the plan that a transition of the present mode begins, with the choices
/// in `search_tried`: done if they come to their ends, unfinished if not. What the aims leave stands in `search_left`.
pub const REHEARSE: &str = "try_plan";
/// `(t: real) -> integer`: fills `change_values` from the sampled state: for each transition a number that is not negative where its guard
/// holds, the derivative of that, and whether it does. Only programs with modes or transitions have it, and those below.
pub const GUARDS: &str = "guards";
/// `(begin: real, end: real) -> integer`: looks at what guards depend on, over the last step.
pub const SURVEY: &str = "survey";
/// `(begin: real, end: real) -> integer`: what guards that do not hold at the beginning of some part of the surveyed step can do there,
/// and whether the ends of that part tell all of the conditions that claims speak of: in `change_values` the greatest of the verdicts below.
pub const ENCLOSE: &str = "enclose";
/// Nothing, or nothing that both ends do not tell.
pub const QUIET: i64 = 0;
/// One may begin to hold; if it does, it holds at the end.
pub const TOLD_BY_END: i64 = 1;
/// Whatever they like.
pub const OPEN: i64 = 2;
/// For each condition that claims speak of a number that is not negative where it holds, its derivative, and the size of what is compared.
pub const CLAIMS: &str = "claims";
/// Gives all numbers that are carried from mode to mode.
pub const CARRIED: &str = "carried";
/// With the number of a transition: what the mode that it leads to has to know of the state before it.
pub const CARRY: &str = "carry_";
/// With the number of a transition: what is zero before it if a plan was right.
pub const AIMS: &str = "aims_";
/// With the number of a transition: where the search of a plan begins.
pub const SEEDS: &str = "seeds_";
/// With the number of a transition among all of the scene: from what [`CARRY`] gave, in [`CHANGE_VALUES`], the states of the mode that it
/// leads to, in [`STATES`]; then what all variables are meant to be, and what is remembered, stand in [`CHANGE_VALUES`].
pub const ENTER: &str = "enter_";
/// The same where nothing happened: from what [`CARRIED`] gave.
pub const REENTER: &str = "reenter";
pub const CHANGE_VALUES: &str = "change_values";
/// The end and the beginning of the last step, where all states are integrated together.
pub const STEP_END: &str = "motion_time";
pub const STEP_BEGIN: &str = "motion_previous_time";
/// The length of the step that is tried next.
pub const STEP_NEXT: &str = "motion_step";
/// `() -> real`: the end of the last step of the present mode. Only programs of several modes have it.
pub const LAST_STEP: &str = "step_end";
/// `() -> integer`: fills `statistics`.
pub const TALLY: &str = "tally";
/// `(t: real) -> integer`: whether the claims hold if the run ends here. Only programs of several modes have it, and the arrays below.
pub const CONCLUDE: &str = "conclude";
/// An integer: which of the modes is present.
pub const MODE: &str = "mode";
/// How many transitions happened since the start; when the last [`EVENTS`] of them did, and which ones they were, number n at n modulo
/// [`EVENTS`]. `advance` is unfinished before more than that happen in one call.
pub const EVENT_COUNT: &str = "event_count";
pub const EVENT_TIMES: &str = "event_times";
pub const EVENT_TRANSITIONS: &str = "event_transitions";
pub const EVENTS: usize = 4096;
/// How many warnings there are, and for each when it was first met, its kind and two transitions: [`RIVALS`], what happened and what did not
/// any more; [`DISTURBED`], what began the plan and what came in between. Those beyond [`WARNINGS`] are not kept.
pub const WARNING_COUNT: &str = "warning_count";
pub const WARNING_TIMES: &str = "warning_times";
pub const WARNING_KINDS: &str = "warning_kinds";
pub const WARNING_TRANSITIONS: &str = "warning_transitions";
pub const WARNINGS: usize = 32;
pub const RIVALS: i64 = 1;
pub const DISTURBED: i64 = 2;
/// What began a phase that was to end before it began.
pub const OVERDUE: i64 = 3;
/// A real for each warning: of rivals, 1 if the second would have begun to hold by rounding; of a plan, how many transitions had happened;
/// of a phase, its duration.
pub const WARNING_VALUES: &str = "warning_values";
/// The transition that is on its way, or -1: what fails then fails because of it.
pub const CHANGING_BY: &str = "changing_by";
/// Whether a `stop` ended the run, at the time of the last transition; only in programs that have one. Then `advance` gives [`STOPPED`] for later times.
pub const IS_STOPPED: &str = "is_stopped";
/// The claims that are not watched.
pub const IGNORED: &str = "ignored_claims";
/// Two integers, where [`MODE_WANTED`] was given back: a mode, and the place of the transition of it that leads to the mode that is wanted; -1 for
/// the rehearsal of the mode itself. -1 and -1 if none is wanted.
pub const WANTED: &str = "wanted_mode";

/// The arrays that only programs of several modes have, for those who look.
pub const CHANGING: [&str; 8] = [
    MODE,
    EVENT_COUNT,
    EVENT_TIMES,
    EVENT_TRANSITIONS,
    WARNING_COUNT,
    WARNING_TIMES,
    WARNING_KINDS,
    WARNING_TRANSITIONS,
];

/// What each entry point does, for those who read generated programs.
pub const ENTRY_POINTS: [(&str, &str); 16] = [
    (INITIALIZE, "Finds a consistent start from the parameters and controls, and begins at time zero."),
    (CONFIGURE, "The relative error allowed in each step, and the time beyond which no step goes."),
    (ADVANCE, "Integrates to the target or beyond, with at most so many trial steps; 1 if more are needed."),
    (SAMPLE, "The state at a time within the last step, moved onto the constraints."),
    (OBSERVE, "Fills the outputs from the sampled state."),
    (MONITOR, "Fills the monitors from the sampled state: energies, then what constraints on positions leave."),
    (PICTURE, "Fills the values of the picture from the sampled state."),
    (CURVES, "Fills the points of the curves from the sampled state."),
    (SURFACES, "Fills the values around the surfaces from the sampled state."),
    (CAPTURE, "Fills the states from the sampled state, to resume from them."),
    (RESUME, "Begins at this time from the states, moved onto the constraints."),
    (HOLD, "Rates, and how far events are, at the states; nothing happens, and switches stay as they are."),
    (COMPLETE, "After `hold`, what belongs to the end of a step of another integrator."),
    (REACT, "After `hold`, lets happen what has to: switches turn, and transitions whose guards hold."),
    (TALLY, "Fills the statistics."),
    (CONCLUDE, "Whether all that is claimed holds if the run ends here."),
];

pub const PARAMETERS: &str = "parameters";
/// In programs of rehearsals: how the discrete variables, and the time, change along each direction.
pub const VARIATIONS: &str = "variations";
/// Of programs with derivatives in which things touch: how gaps, and the speeds of the three rows of each held point, change along each direction.
pub const CONTACT_GAP_SLOPES: &str = "contact_gap_slopes";
pub const CONTACT_SPEED_SLOPES: &str = "contact_speed_slopes";
pub const CONTROLS: &str = "controls";
pub const OUTPUTS: &str = "outputs";
pub const MONITORS: &str = "monitors";
/// What the picture of the program says, then [`CONTACT_POINT`] numbers for each point in which things can touch.
pub const PICTURE_VALUES: &str = "picture_values";
/// Of a point of contact: its state, 0 where nothing touches, 2 sliding, 3 sticking; its pair; its place, its normal from the first thing
/// to the second, and the force on the second, in the world.
pub const CONTACT_POINT: usize = 11;
/// What contact has to tell, [`CONTACT_NOTE`] numbers for each kind: whether it has been met, when first, the pair, and two numbers.
pub const CONTACT_NOTES: &str = "contact_notes";
pub const CONTACT_NOTE: usize = 5;
/// Kinds of such notes. Impacts at one instant whose order matters, with the speeds at which the pair parts in the order of the text and all together;
/// restitution that would have added energy, with the part of it that acted; more rows held than forces are determined by.
pub const ORDER_MATTERS: usize = 0;
pub const RESTITUTION_LIMITED: usize = 1;
pub const FORCES_NOT_DETERMINED: usize = 2;
pub const CONTACT_NOTE_KINDS: usize = 3;
/// Of each pair of things: since when it touches without a break, infinite if it does not, and how often it has collided.
pub const CONTACT_RESTS: &str = "contact_rests";
/// How many things happened to pairs that touch, since the start; and the last [`CONTACT_EVENTS_KEPT`] of them, number n at n modulo that, each with
/// [`CONTACT_EVENT`] numbers: when, which pair, what, and the impulse of an impact.
pub const CONTACT_EVENT_COUNT: &str = "contact_event_count";
pub const CONTACT_EVENTS: &str = "contact_events";
pub const CONTACT_EVENT: usize = 4;
pub const CONTACT_EVENTS_KEPT: usize = 1024;
/// What happens to a pair: it collides, begins to touch and to be held, parts, begins to slip, comes to rest.
pub const IMPACT: usize = 0;
pub const CLOSES: usize = 1;
pub const OPENS: usize = 2;
pub const SLIPS: usize = 3;
pub const STICKS: usize = 4;
/// Five reals, where contact has steps of a fixed length: how deep something came into something else, when, and which pair that was; how many
/// steps had impulses that did not converge; and how many sweeps there were.
pub const CONTACT_STEPS: &str = "contact_report";
/// Three numbers for each point, [`CURVE_POINTS`] points for each curve.
pub const CURVE_VALUES: &str = "curve_points";
pub const CURVE_POINTS: usize = 257;
/// What is zero on a surface, at [`SURFACE_POINTS`]³ points of a cube for each; z varies fastest, x slowest.
pub const SURFACE_VALUES: &str = "surface_values";
pub const SURFACE_POINTS: usize = 33;
/// All that is integrated, integral by integral, each followed by what follows from it.
pub const STATES: &str = "states";
/// The rate of each of them where the program was resumed; zero for what follows.
pub const RATES: &str = "rates";
/// For each transition of the scene a number that is positive where its guard does not hold: its margin, with the other sign. One where the
/// present mode does not have it.
pub const GUARD_INDICATORS: &str = "guard_indicators";
/// For each switch that has to be located, then for all that may slide, a number that is positive while nothing has to turn.
pub const INDICATORS: &str = "indicators";
/// When the next event comes whose time is known beforehand; infinite if none does.
pub const NEXT_INSTANT: &str = "next_instant";
/// Accepted steps, rejected trials, evaluations of the derivative, Jacobians, factorisations, steps tested for stiffness,
/// those among them that stability kept short, not accuracy, and steps after which the state was moved onto the constraints.
pub const STATISTICS: &str = "statistics";
pub const COUNTERS: usize = 8;
/// What was, where something depends on it: when each piece of it begins and ends, how smooth it begins, its polynomials, which pieces are kept, which
/// are read, and delays. All modes share it.
pub const PAST_TIMES: &str = "past_times";
pub const PAST_LEVELS: &str = "past_levels";
pub const PAST_NUMBERS: &str = "past_numbers";
pub const PAST_PLACES: &str = "past_places";
pub const PAST_WINDOWS: &str = "past_windows";
pub const PAST_DELAYS: &str = "past_delays";
/// Integers: which system of equations or integral failed, and which of its equations, unknowns or states was worst.
pub const FAILURE: &str = "failure";
/// Reals: the time of the failure, and what the worst equation left.
pub const FAILURE_VALUES: &str = "failure_values";

pub const DONE: i64 = 0;
pub const UNFINISHED: i64 = 1;
/// The run ended before the target, where it was to; nothing failed. The last transition is the one that ended it.
pub const STOPPED: i64 = 100;
/// The error of an integral stays too large however small the step; `failure` has the integral and the state.
pub const STEP_COLLAPSED: i64 = 2;
/// The derivative of an integral is not finite.
pub const NOT_FINITE: i64 = 3;
/// A linear system has no unique solution; `failure` has the system and the unknown.
pub const SINGULAR: i64 = 4;
/// A nonlinear system was not solved; `failure` has the system and the worst equation.
pub const NOT_SOLVED: i64 = 5;
/// The equations of a nonlinear system could not be evaluated.
pub const NOT_EVALUATED: i64 = 6;
/// At one instant, or with hardly any time in between, there is no end of transitions that lead to one another; `failure` has the last of
/// them.
pub const CHATTERING: i64 = 7;
/// Transitions come ever faster, towards an instant that they do not reach; `failure` has the last of them.
pub const ACCUMULATING: i64 = 8;
/// What a plan aims at was not reached; `failure` has the transition that begins it, and as part 0 if it was, but not at the least cost.
pub const NO_PLAN: i64 = 9;
/// After a transition a constraint of the new mode does not hold; `failure` has the transition and the coordinate or speed.
pub const INCONSISTENT: i64 = 10;
/// A claim does not hold; `failure` has its number.
pub const REFUTED: i64 = 11;
/// A mode is reached that the program does not have yet; see [`WANTED`]. Nothing has happened: with the mode linked, the call is repeated.
pub const MODE_WANTED: i64 = 12;
/// What decides between smooth pieces changes without end, or the motion would have to slide where it cannot; `failure` has the switch.
pub const SWITCHING: i64 = 13;
/// Something that is prescribed leaps, so that its rate would have to be infinite; `failure` has its number.
pub const LEAPING: i64 = 14;
/// A path or a constraint has a corner, where velocities would have to change at once; `failure` has the switch.
pub const KINKED: i64 = 15;
/// No forces keep what touches from sinking in, and no impulses; `failure` has the pair.
pub const NO_CONTACT: i64 = 16;
/// Impacts at one instant have no end.
pub const ENDLESS_IMPACTS: i64 = 17;
/// More points touch than there is room for.
pub const TOO_MANY_CONTACTS: i64 = 18;
/// Something begins inside of something else; `failure` has the pair.
pub const STARTS_INSIDE: i64 = 19;
/// Something that should touch has sunk into something else; `failure` has the pair, and its values the depth.
pub const SUNK_IN: i64 = 20;
/// The run has no derivatives here: a velocity jumps, or the motion keeps to a border; `failure` has nothing.
pub const NO_DERIVATIVE: i64 = 21;

/// A delay is not positive, or not finite; `failure` has the signal, and its values the delay.
pub const BAD_DELAY: i64 = 30;
/// More steps lie within a delay than can be remembered; `failure` has the signal, and its values the delay.
pub const PAST_TOO_LONG: i64 = 31;

/// What `failure` has the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nothing that programs which stand alone have a name for.
    Unnamed,
    Integral,
    System,
    Transition,
    Claim,
}

impl Subject {
    /// What the list of their names is called.
    pub fn names(self) -> Option<&'static str> {
        match self {
            Subject::Unnamed => None,
            Subject::Integral => Some("integrals"),
            Subject::System => Some("systems"),
            Subject::Transition => Some("transitions"),
            Subject::Claim => Some("claims"),
        }
    }
}

/// What failed, in the words of programs that stand alone, which do not know the scene any more.
pub const FAILURES: [(i64, &str, Subject); 21] = [
    (STEP_COLLAPSED, "the steps became too short", Subject::Integral),
    (NOT_FINITE, "the derivative is not finite", Subject::Integral),
    (SINGULAR, "a linear system is singular", Subject::System),
    (NOT_SOLVED, "a nonlinear system was not solved", Subject::System),
    (NOT_EVALUATED, "a nonlinear system cannot be evaluated", Subject::System),
    (CHATTERING, "there is no end of transitions at this instant", Subject::Transition),
    (ACCUMULATING, "transitions come ever faster and never get past this time", Subject::Transition),
    (NO_PLAN, "a plan finds no way to what it aims at", Subject::Transition),
    (INCONSISTENT, "a transition leads to a state that the new mode does not allow", Subject::Transition),
    (REFUTED, "a claim does not hold", Subject::Claim),
    (SWITCHING, "what decides between smooth pieces changes without end", Subject::Unnamed),
    (LEAPING, "something that is prescribed leaps", Subject::Unnamed),
    (KINKED, "a path has a corner", Subject::Unnamed),
    (NO_CONTACT, "no forces keep what touches from sinking in", Subject::Unnamed),
    (ENDLESS_IMPACTS, "impacts at one instant have no end", Subject::Unnamed),
    (TOO_MANY_CONTACTS, "more points touch than there is room for", Subject::Unnamed),
    (STARTS_INSIDE, "something begins inside of something else", Subject::Unnamed),
    (SUNK_IN, "something that should touch has sunk in", Subject::Unnamed),
    (NO_DERIVATIVE, "the run has no derivatives here", Subject::Unnamed),
    (BAD_DELAY, "a delay is not positive", Subject::Unnamed),
    (PAST_TOO_LONG, "more steps lie within a delay than can be remembered", Subject::Unnamed),
];
