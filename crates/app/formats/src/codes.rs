//! The kinds of diagnostics that files of other programs bring about.

base::codes! {
    MODEL_UNREADABLE = "model-unreadable";
    MODEL_CHANGED = "model-changed";
    MODEL_LEFT_OUT = "model-left-out";
}
