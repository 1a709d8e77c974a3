//! The kinds of diagnostics that runs and settings report.

use base::Code;

/// Every code of every stage, in the order of the stages.
pub fn all() -> Vec<Code> {
    [syntax::codes::CODES, model::CODES, mechanics::CODES, equations::codes::CODES, plan::CODES, formats::CODES, CODES]
        .concat()
}

base::codes! {
    NO_REGULATOR = "no-regulator";
    UNKNOWN_THEORY = "unknown-theory";
    CYCLIC_THEORIES = "cyclic-theories";
    INCONSISTENT_START = "inconsistent-start";
    SINGULAR_SYSTEM = "singular-system";
    STEP_COLLAPSE = "step-collapse";
    ENDLESS_RUN = "endless-run";
    NOT_FINITE = "not-finite";
    OUTPUT_NOT_FINITE = "output-not-finite";
    CONSTRAINT_LOST = "constraint-lost";
    UNKNOWN_SETTING = "unknown-setting";
    BAD_SETTING = "bad-setting";
    CODE_GENERATION = "code-generation";
    CHATTERING = "chattering";
    ACCUMULATION = "accumulation";
    PRESCRIBED_LEAP = "prescribed-leap";
    CORNER = "corner";
    NO_CONSISTENT_CONTACT = "no-consistent-contact";
    IMPACTS_WITHOUT_END = "impacts-without-end";
    CONTACT_CAPACITY = "contact-capacity";
    STARTS_INSIDE = "starts-inside";
    CONTACT_LOST = "contact-lost";
    IMPACT_ORDER_MATTERS = "impact-order-matters";
    RESTITUTION_LIMITED = "restitution-limited";
    CONTACT_REDUNDANT = "contact-redundant";
    DIGITS_LOST = "digits-lost";
    CONTACT_IMPLICIT = "contact-implicit";
    CONTACT_OF_SHAPES = "contact-of-shapes";
    PLAN_THROUGH_CONTACT = "plan-through-contact";
    NO_PLAN = "no-plan";
    INCONSISTENT_CHANGE = "inconsistent-change";
    CLAIM_REFUTED = "claim-refuted";
    TOO_MANY_MODES = "too-many-modes";
    CLAIM_TOO_INVOLVED = "claim-too-involved";
    PLAN_DISTURBED = "plan-disturbed";
    NEGATIVE_DURATION = "negative-duration";
    RIVAL_TRANSITIONS = "rival-transitions";
    UNREACHABLE_MODE = "unreachable-mode";
    IMPOSSIBLE_TRANSITION = "impossible-transition";
    NO_EQUILIBRIUM = "no-equilibrium";
    NOTHING_ASKED = "nothing-asked";
    CONTRADICTING_ASSUMPTIONS = "contradicting-assumptions";
    NO_LAW = "no-law";
    LEFT_OUT = "left-out";
    LAW_LEAP = "law-leap";
    NO_SENSITIVITY = "no-sensitivity";
    NO_LINEARISATION = "no-linearisation";
    ENERGY_DRIFT = "energy-drift";
    OUT_OF_REACH = "out-of-reach";
    BEYOND_LIMITS = "beyond-limits";
    SINGULAR_ARM = "singular-arm";
    WHIPLASH = "whiplash";
    UNIT_FAILED = "unit-failed";
    UNIT_INSIDE = "unit-inside";
}
