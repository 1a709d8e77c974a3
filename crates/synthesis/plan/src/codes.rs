//! The kinds of diagnostics this stage reports.

base::codes! {
    UNDER_DETERMINED = "under-determined";
    OVER_DETERMINED = "over-determined";
    REDUNDANT_CONSTRAINT = "redundant-constraint";
    SHARED_FORCE = "shared-force";
    CONTRADICTING_CONSTRAINTS = "contradicting-constraints";
}
