//! Lists of expressions in one text.

/// Splits at commas that are not inside parentheses or bars.
pub fn split_list(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for c in list.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.into_iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_at_outer_commas() {
        assert_eq!(split_list("a,b.c, atan2(y, x)"), ["a", "b.c", "atan2(y, x)"]);
        assert_eq!(split_list("contact(ball, floor).state,energy"), ["contact(ball, floor).state", "energy"]);
        assert_eq!(split_list(""), [""; 0]);
    }
}
