//! Names as books write them: `swing1.angle'` is θ with a dot and a small 1, `length` is l.

use rustc_hash::FxHashMap;

/// A letter, what stands below it, and how many dots stand above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookName {
    /// One letter, perhaps Greek, or a whole word.
    pub letter: String,
    pub below: Vec<String>,
    pub dots: usize,
}

/// A name of the scene with everything that tells it from others.
pub fn book_name(name: &str) -> BookName {
    let dots = name.len() - name.trim_end_matches('\'').len();
    if let Some(label) = name.strip_prefix("λ(").and_then(|rest| rest.strip_suffix(')')) {
        return BookName { letter: "λ".to_string(), below: vec![label.to_string()], dots: 0 };
    }
    let base = name.trim_end_matches('\'');
    let (owner, quantity) = base.split_once('.').unwrap_or(("", base));
    let (letter, mut below) = match QUANTITIES.iter().find(|(known, ..)| *known == quantity && !owner.is_empty()) {
        Some((_, letter, "")) => (letter.to_string(), Vec::new()),
        Some((_, letter, part)) => (letter.to_string(), vec![part.to_string()]),
        None => letter(quantity),
    };
    below.extend((!owner.is_empty()).then(|| owner.to_string()));
    BookName { letter, below, dots }
}

/// The shortest names that still tell all of these apart: an owner goes where there is only one, or leaves its number where all
/// have one; words become the letters that books use. Names that would then be equal keep their words.
pub fn short_names<'a>(names: impl IntoIterator<Item = &'a str>) -> FxHashMap<String, BookName> {
    let names: Vec<&str> = names.into_iter().collect();
    let bare = |name: &'a str| name.trim_end_matches('\'');
    let mut distinct: Vec<&str> = names.iter().map(|name| bare(name)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let full: Vec<BookName> = distinct.iter().map(|name| book_name(name)).collect();
    let mut chosen: Vec<BookName> = full.iter().map(lettered).collect();
    for (at, candidate) in chosen.iter_mut().enumerate() {
        let lonely = distinct.iter().enumerate().filter(|(other, _)| same_kind(&full[at], &full[*other])).count() == 1;
        let numbered = || {
            let kin = (0..full.len()).filter(|&other| same_kind(&full[at], &full[other]));
            kin.into_iter().all(|other| !digits(&full[other]).is_empty())
        };
        match (owner_of(distinct[at]), candidate.below.last()) {
            (Some(_), Some(_)) if lonely => {
                candidate.below.pop();
            }
            (Some(_), Some(owner)) if numbered() => {
                let number = owner[owner.trim_end_matches(|c: char| c.is_ascii_digit()).len()..].to_string();
                *candidate.below.last_mut().expect("an owner") = number;
            }
            _ => {}
        }
    }
    // Whoever shares its short name with another keeps the long one; that may meet a short one in turn.
    loop {
        let clash: Vec<usize> = (0..chosen.len())
            .filter(|&at| {
                chosen[at] != full[at] && (0..chosen.len()).any(|other| other != at && chosen[other] == chosen[at])
            })
            .collect();
        if clash.is_empty() {
            break;
        }
        // Things of one kind are called in one way.
        for at in 0..chosen.len() {
            if clash.iter().any(|&other| other == at || same_kind(&full[other], &full[at])) {
                chosen[at] = full[at].clone();
            }
        }
    }
    let of: FxHashMap<&str, &BookName> = distinct.iter().copied().zip(&chosen).collect();
    let dotted =
        |name: &str| BookName { dots: name.len() - bare_length(name), ..of[&name[..bare_length(name)]].clone() };
    names.iter().map(|name| (name.to_string(), dotted(name))).collect()
}

fn bare_length(name: &str) -> usize {
    name.trim_end_matches('\'').len()
}

fn owner_of(name: &str) -> Option<&str> {
    (!name.starts_with("λ(")).then_some(())?;
    name.split_once('.').map(|(owner, _)| owner)
}

/// Whether two names differ in their owner alone.
fn same_kind(one: &BookName, other: &BookName) -> bool {
    let kind = |name: &BookName| (name.letter.clone(), name.below[..name.below.len().saturating_sub(1)].to_vec());
    kind(one) == kind(other)
}

fn digits(name: &BookName) -> &str {
    let owner = name.below.last().map_or("", String::as_str);
    &owner[owner.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

/// A name whose letter is a word becomes the letter that books use for that word.
fn lettered(name: &BookName) -> BookName {
    let known = WORDS.iter().find(|(word, _)| *word == name.letter);
    BookName { letter: known.map_or(name.letter.clone(), |(_, letter)| letter.to_string()), ..name.clone() }
}

/// How books call the quantities of a thing: letter, and what stands below it.
const QUANTITIES: &[(&str, &str, &str)] = &[
    ("angle", "θ", ""),
    ("x", "x", ""),
    ("y", "y", ""),
    ("z", "z", ""),
    ("position.x", "x", ""),
    ("position.y", "y", ""),
    ("position.z", "z", ""),
    ("velocity.x", "v", "x"),
    ("velocity.y", "v", "y"),
    ("velocity.z", "v", "z"),
    ("momentum.x", "p", "x"),
    ("momentum.y", "p", "y"),
    ("momentum.z", "p", "z"),
    ("angular_momentum.x", "L", "x"),
    ("angular_momentum.y", "L", "y"),
    ("angular_momentum.z", "L", "z"),
    ("omega.x", "ω", "x"),
    ("omega.y", "ω", "y"),
    ("omega.z", "ω", "z"),
    ("orientation.w", "q", "w"),
    ("orientation.x", "q", "x"),
    ("orientation.y", "q", "y"),
    ("orientation.z", "q", "z"),
    ("orientation.along_axis", "q", "s"),
    ("spin.x", "ω", "x"),
    ("spin.y", "ω", "y"),
    ("spin.z", "ω", "z"),
    ("scale_x", "s", "x"),
    ("scale_y", "s", "y"),
    ("scale_z", "s", "z"),
    ("voltage", "V", ""),
    ("drop", "U", ""),
    ("current", "I", ""),
    ("charge", "Q", ""),
    ("torque", "τ", ""),
];

/// Words for which books have a letter.
const WORDS: &[(&str, &str)] = &[
    ("length", "l"),
    ("mass", "m"),
    ("radius", "r"),
    ("gravity", "g"),
    ("stiffness", "k"),
    ("damping", "c"),
    ("resistance", "R"),
    ("capacitance", "C"),
    ("inductance", "L"),
    ("friction", "μ"),
    ("height", "h"),
    ("width", "w"),
];

/// Greek letters, by their names in texts.
pub(crate) const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// A letter and what stands below it: `k12`, `omega_0`, `length`.
fn letter(name: &str) -> (String, Vec<String>) {
    let (stem, below) = match name.split_once('_') {
        Some((stem, below)) if !stem.is_empty() && !below.is_empty() => (stem, vec![below.to_string()]),
        _ => {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            match stem.is_empty() || stem.len() == name.len() {
                true => (name, Vec::new()),
                false => (stem, vec![name[stem.len()..].to_string()]),
            }
        }
    };
    let greek = GREEK.iter().find(|(word, _)| *word == stem).map_or(stem, |(_, letter)| letter);
    (greek.to_string(), below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(names: &[&str]) -> Vec<String> {
        let of = short_names(names.iter().copied());
        let text = |name: &&str| {
            let BookName { letter, below, dots } = &of[*name];
            format!("{letter}{}_{}", "'".repeat(*dots), below.join(","))
        };
        names.iter().map(text).collect()
    }

    #[test]
    fn names_are_as_short_as_they_can_be_told_apart() {
        assert_eq!(shown(&["swing.angle", "swing.angle''", "length", "mass"]), ["θ_", "θ''_", "l_", "m_"]);
        assert_eq!(shown(&["swing1.angle", "swing2.angle'", "length1"]), ["θ_1", "θ'_2", "l_1"]);
        assert_eq!(shown(&["arm.angle", "hand2.angle"]), ["θ_arm", "θ_hand2"]);
        assert_eq!(shown(&["l", "length"]), ["l_", "length_"], "two of one letter keep apart");
        assert_eq!(shown(&["a1.angle", "b1.angle"]), ["θ_a1", "θ_b1"], "equal numbers do not tell apart");
        assert_eq!(
            shown(&["a1.angle", "b1.angle", "c2.angle"]),
            ["θ_a1", "θ_b1", "θ_c2"],
            "nor do they for one of three"
        );
        assert_eq!(shown(&["ball.x", "x"]), ["x_ball", "x_"]);
    }
}
