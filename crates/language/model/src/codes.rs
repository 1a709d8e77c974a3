//! The kinds of diagnostics this stage reports.

base::codes! {
    UNKNOWN_NAME = "unknown-name";
    UNKNOWN_FUNCTION = "unknown-function";
    UNKNOWN_FIELD = "unknown-field";
    UNKNOWN_PROPERTY = "unknown-property";
    UNKNOWN_UNIT = "unknown-unit";
    DUPLICATE_NAME = "duplicate-name";
    DIMENSION_MISMATCH = "dimension-mismatch";
    WRONG_KIND = "wrong-kind";
    WRONG_ARGUMENTS = "wrong-arguments";
    NOT_CONSTANT = "not-constant";
    BAD_DATA = "bad-data";
    UNDEFINED_VALUE = "undefined-value";
    UNPHYSICAL_VALUE = "unphysical-value";
    UPWARD_GRAVITY = "upward-gravity";
    BARE_ANGLE = "bare-angle";
    NO_EFFECT = "no-effect";
    CYCLIC_DEFINITION = "cyclic-definition";
    MISSING_MASS = "missing-mass";
    MISPLACED_FREE = "misplaced-free";
    TOO_LARGE = "too-large";
    UNKNOWN_FIGURE = "unknown-figure";
    UNKNOWN_CLAUSE = "unknown-clause";
    UNKNOWN_COLOR = "unknown-color";
    EMPTY_SCENE = "empty-scene";
    UNKNOWN_MODE = "unknown-mode";
    OUTSIDE_TRANSITION = "outside-transition";
    NO_PHASES = "no-phases";
    UNBALANCED_PLAN = "unbalanced-plan";
    MISPLACED_WHILE = "misplaced-while";
    MISSING_PRE = "missing-pre";
    TWO_VALUES = "two-values";
    CONTACT_TWICE = "contact-twice";
    CONTACT_OF_NOTHING = "contact-of-nothing";
    NO_CONTACT = "no-contact";
    NO_ACTUATOR = "no-actuator";
    HIDDEN_LIMIT = "hidden-limit";
    NO_REACTION = "no-reaction";
    SHAPE_CHANGES = "shape-changes";
    BAD_DELAY = "bad-delay";
    BAD_HULL = "bad-hull";
}
