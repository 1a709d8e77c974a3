//! Labels of components: `rolls (x)` is the component `x` of the statement `rolls`.

/// What each component of a vector, a quaternion or a matrix is called.
const COMPONENTS: [&str; 13] = ["w", "x", "y", "z", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

/// The label of one component of a statement; a statement about numbers has one component without a name.
pub fn component_label(statement: &str, component: &str) -> String {
    if component.is_empty() { statement.to_string() } else { format!("{statement} ({component})") }
}

/// The statement and the component that a label speaks of.
pub fn split_label(label: &str) -> (&str, &str) {
    let parts = label.rsplit_once(" (").and_then(|(statement, rest)| Some((statement, rest.strip_suffix(')')?)));
    parts.filter(|(_, component)| COMPONENTS.contains(component)).unwrap_or((label, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_they_were_written() {
        for (statement, component) in [("rolls", "x"), ("a (b) == c", ""), ("f (x)", "w"), ("rolls", "")] {
            assert_eq!(split_label(&component_label(statement, component)), (statement, component));
        }
    }
}
