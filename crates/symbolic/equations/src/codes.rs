//! The kinds of diagnostics that physics and synthesis both report.

base::codes! {
    OPEN_RESET = "open-reset";
}
