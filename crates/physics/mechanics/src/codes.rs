//! The kinds of diagnostics this stage reports.

base::codes! {
    CONTRADICTION = "contradiction";
    ACCELERATION_CONSTRAINT = "acceleration-constraint";
    ACCELERATION_FORCE = "acceleration-force";
    ACCELERATION_DERIVATIVE = "acceleration-derivative";
    CHANGING_MASS = "changing-mass";
    CYCLIC_FRAMES = "cyclic-frames";
    NO_ROTATION = "no-rotation";
    NOT_A_COORDINATE = "not-a-coordinate";
    CHANGING_CONSTRAINT = "changing-constraint";
    OVER_PRESCRIBED = "over-prescribed";
    NO_LEAST = "no-least";
    NO_HISTORY = "no-history";
    EXACT_GUARD = "exact-guard";
}
