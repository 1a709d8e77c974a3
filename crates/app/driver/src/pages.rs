//! One page for each kind of diagnostic: what it means, a scene that is wrong, and one that is right.

/// A page of the manual, in Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub code: &'static str,
    pub text: &'static str,
}

macro_rules! pages {
    ($($code:literal,)*) => {
        /// Every page, by the name of its code.
        pub const PAGES: &[Page] = &[$(Page {
            code: $code,
            text: include_str!(concat!("../../../../docs/errors/", $code, ".md")),
        }),*];
    };
}

pages! {
    "acceleration-constraint",
    "acceleration-derivative",
    "acceleration-force",
    "accumulation",
    "bad-number",
    "bad-setting",
    "chained-comparison",
    "changing-constraint",
    "changing-mass",
    "chattering",
    "claim-refuted",
    "claim-too-involved",
    "code-generation",
    "constraint-lost",
    "contact-capacity",
    "contact-of-nothing",
    "contact-twice",
    "contradicting-constraints",
    "contradiction",
    "corner",
    "cyclic-definition",
    "cyclic-frames",
    "cyclic-theories",
    "definition-expected",
    "dimension-mismatch",
    "duplicate-name",
    "empty-scene",
    "endless-run",
    "energy-drift",
    "equation-expected",
    "exact-guard",
    "impacts-without-end",
    "impossible-transition",
    "inconsistent-change",
    "inconsistent-start",
    "misplaced-free",
    "misplaced-while",
    "missing-mass",
    "missing-pre",
    "negative-duration",
    "no-consistent-contact",
    "no-contact",
    "no-effect",
    "no-equilibrium",
    "no-linearisation",
    "no-phases",
    "no-plan",
    "no-rotation",
    "not-a-coordinate",
    "not-constant",
    "not-finite",
    "not-yet-supported",
    "open-reset",
    "output-not-finite",
    "outside-transition",
    "over-determined",
    "plan-disturbed",
    "prescribed-leap",
    "redundant-constraint",
    "reserved-word",
    "rival-transitions",
    "shape-changes",
    "singular-system",
    "starts-inside",
    "step-collapse",
    "too-deep",
    "too-large",
    "too-many-modes",
    "two-values",
    "unbalanced-plan",
    "unclosed",
    "unclosed-text",
    "undefined-value",
    "under-determined",
    "unexpected-text",
    "unknown-clause",
    "unknown-color",
    "unknown-field",
    "unknown-figure",
    "unknown-function",
    "unknown-mode",
    "unknown-name",
    "unknown-property",
    "unknown-setting",
    "unknown-statement",
    "unknown-theory",
    "unknown-unit",
    "unphysical-value",
    "unreachable-mode",
    "upward-gravity",
    "wrong-arguments",
    "wrong-kind",
}

/// The page of a code; or, for a name that no code has, the nearest code.
pub fn page(code: &str) -> Result<Page, Option<&'static str>> {
    let found = PAGES.iter().find(|page| page.code == code);
    found.copied().ok_or_else(|| base::nearest(code, PAGES.iter().map(|page| page.code)))
}
