//! Where links lead: files of the repository, and the pages that are made of them.

/// The path that a link means, from the root of the repository; none if it leads out of it.
pub fn resolve(from: &str, link: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The page that is made of a file or a folder of the repository, as seen from the root of the site.
pub fn page_of(path: &str) -> Option<String> {
    let page = match path {
        "docs/README.md" | "docs" => return Some("index.html".to_string()),
        "docs/errors" => return Some("reference/errors.html".to_string()),
        "library" => return Some("reference/library.html".to_string()),
        "examples" => return Some("examples/index.html".to_string()),
        _ => path.strip_prefix("docs/").unwrap_or(path),
    };
    let inside = ["docs/", "examples/", "library/"].iter().any(|folder| path.starts_with(folder));
    let stem = page.strip_suffix(".md").or_else(|| page.strip_suffix(".anz")).filter(|_| inside)?;
    Some(format!("{stem}.html"))
}

/// A link of a page, rewritten for the site; none if it leads to no page.
pub fn rewrite(from: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with('#') {
        return Some(link.to_string());
    }
    let (path, heading) =
        link.split_once('#').map_or((link, String::new()), |(path, heading)| (path, format!("#{heading}")));
    let page = page_of(&resolve(from, path)?)?;
    Some(format!("{}{page}{heading}", up_from(&page_of(from)?)))
}

/// The way from a page to the root of the site.
pub fn up_from(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_links_between_pages() {
        let from = "docs/tutorial/pendulum.md";
        assert_eq!(rewrite(from, "cart.md#a-cart").as_deref(), Some("../tutorial/cart.html#a-cart"));
        assert_eq!(rewrite(from, "../../examples/three_body.anz").as_deref(), Some("../examples/three_body.html"));
        assert_eq!(rewrite(from, "../README.md").as_deref(), Some("../index.html"));
        assert_eq!(rewrite(from, "#here").as_deref(), Some("#here"));
        assert_eq!(rewrite(from, "../../ARCHITECTURE.md"), None);
        assert_eq!(rewrite(from, "../../../elsewhere.md"), None);
    }
}
