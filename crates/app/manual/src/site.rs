//! The whole manual as a folder of pages.

use base::escaped;
use std::borrow::Cow;

use crate::contents::{self, Part};
use crate::page::{self, Page};
use crate::{embedded, highlight, links, search, tables};

/// A file of the site, by its path from the root.
pub struct File {
    pub path: String,
    pub bytes: Cow<'static, [u8]>,
}

/// What the manual cannot know by itself.
pub struct Given<'g> {
    /// The commands and their options, in Markdown.
    pub commands: String,
    /// Typefaces, by file name; without them the pages use those of the system.
    pub faces: Vec<(&'g str, &'static [u8])>,
}

const FRAME: &str = include_str!("../look/page.html");
/// The colours of the studio, and what is special about these pages.
const STYLES: &[&str] = &[include_str!("../../../../web/src/style/tokens.css"), include_str!("../look/manual.css")];
const SCRIPT: &str = include_str!("../look/manual.js");

/// All files of the manual.
pub fn site(given: &Given<'_>) -> Vec<File> {
    let parts = contents::contents();
    let texts = crate::texts().map(|(path, text)| {
        let text = tables::fill(text, |name| (name == "commands").then(|| given.commands.clone()));
        (path.to_string(), page::render(path, &text))
    });
    let theories = driver::library::LIBRARY.iter().map(|(name, text)| listing(&format!("library/{name}.anz"), text));
    let scenes = examples().map(|(path, text)| listing(path, text));
    let mut pages: Vec<(String, Page)> = texts.chain(theories).chain(scenes).collect();
    pages.push(("examples".to_string(), gallery()));

    let mut files: Vec<File> = Vec::new();
    let mut add = |path: String, bytes: Cow<'static, [u8]>| files.push(File { path, bytes });
    for (path, page) in &pages {
        let address = links::page_of(path).expect("a page of the site");
        add(address.clone(), frame(path, &address, page, &parts).into_bytes().into());
        for (name, text) in &page.scenes {
            add(format!("scenes/{name}"), text.clone().into_bytes().into());
        }
    }
    for (path, bytes) in embedded::FILES {
        let place = path.strip_prefix("docs/").filter(|_| !path.ends_with(".md"));
        let place = place.or_else(|| path.strip_prefix("web/public/"));
        let place = place.or_else(|| Some(*path).filter(|path| path.ends_with(".anz")));
        if let Some(place) = place {
            add(place.to_string(), (*bytes).into());
        }
    }
    let addresses: Vec<String> = pages.iter().filter_map(|(path, _)| links::page_of(path)).collect();
    let indexed = addresses.iter().map(String::as_str).zip(pages.iter().map(|(_, page)| page));
    add("look/search.js".to_string(), search::index(indexed).into_bytes().into());
    add("look/manual.js".to_string(), SCRIPT.as_bytes().into());
    add("look/manual.css".to_string(), style(&given.faces).into_bytes().into());
    for (name, bytes) in &given.faces {
        add(format!("look/{name}"), (*bytes).into());
    }
    files
}

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let scenes = embedded::FILES.iter().filter(|(path, _)| path.starts_with("examples/"));
    scenes.filter_map(|(path, bytes)| Some((*path, std::str::from_utf8(bytes).ok()?)))
}

/// A page around its content.
fn frame(path: &str, address: &str, page: &Page, parts: &[Part]) -> String {
    let up = links::up_from(address);
    let here: String = page
        .places
        .iter()
        .filter(|place| matches!(place.level, 2 | 3))
        .map(|place| {
            format!("<li class=\"h{}\"><a href=\"#{}\">{}</a></li>", place.level, place.id, escaped(&place.text))
        })
        .collect();
    let aside = if here.is_empty() { String::new() } else { format!("<p>On this page</p><ul>{here}</ul>") };
    let holes = [
        ("title", escaped(&page.title)),
        ("summary", escaped(&page.summary)),
        ("contents", navigation(path, &up, parts)),
        ("article", page.html.clone()),
        ("onward", onward(path, &up, parts)),
        ("here", aside),
        ("up", up),
    ];
    fill(FRAME, &holes)
}

/// Puts texts where their names stand in braces. What they contain is not looked into.
fn fill(frame: &str, holes: &[(&str, String)]) -> String {
    let mut pieces = frame.split('{');
    let mut html = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, rest) = piece.split_once('}').unwrap_or((piece, ""));
        let text = holes.iter().find(|(hole, _)| *hole == name);
        html.push_str(text.map_or("", |(_, text)| text));
        html.push_str(rest);
    }
    html
}

fn navigation(path: &str, up: &str, parts: &[Part]) -> String {
    let mut html = String::new();
    for part in parts {
        html.push_str(&format!("<p>{}</p><ul>", escaped(&part.title)));
        for (target, title) in &part.pages {
            let current = if target == path { " aria-current=\"page\"" } else { "" };
            let address = links::page_of(target).unwrap_or_default();
            html.push_str(&format!("<li><a href=\"{up}{address}\"{current}>{}</a></li>", escaped(title)));
        }
        html.push_str("</ul>");
    }
    html
}

/// The pages before and after, within the same part.
fn onward(path: &str, up: &str, parts: &[Part]) -> String {
    let Some((part, at)) =
        parts.iter().find_map(|part| Some((part, part.pages.iter().position(|(page, _)| page == path)?)))
    else {
        return String::new();
    };
    let link = |page: Option<&(String, String)>, class: &str| {
        let Some((target, title)) = page else { return "<span></span>".to_string() };
        format!(
            "<a class=\"{class}\" href=\"{up}{}\">{}</a>",
            links::page_of(target).unwrap_or_default(),
            escaped(title)
        )
    };
    link(at.checked_sub(1).and_then(|at| part.pages.get(at)), "back") + &link(part.pages.get(at + 1), "next")
}

/// The text of an example or a theory as a page.
fn listing(path: &str, text: &str) -> (String, Page) {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".anz");
    let code = highlight::scene(text.trim_end());
    let about = first_comment(text);
    let up = links::page_of(path).map_or(String::new(), |page| links::up_from(&page));
    // A theory does not move; it is read.
    let shown = if path.starts_with("examples/") {
        let picture = picture(path, &up).map_or(String::new(), |picture| format!("<p>{picture}</p>"));
        picture + &page::scene(&format!("{up}{path}"), path, "", &code)
    } else {
        format!("<pre class=\"ansatz\" tabindex=\"0\"><code>{code}</code></pre>")
    };
    let mut page = page::render(path, &format!("# {}\n\n{about}\n", said(stem)));
    page.html.push_str(&shown);
    (path.to_string(), page)
}

/// All examples, with pictures.
fn gallery() -> Page {
    let mut page = page::render(
        "examples/index.md",
        "# Examples\n\nScenes that come with Ansatz; the studio's gallery has them too.\n",
    );
    let (published, own): (Vec<_>, Vec<_>) = examples().partition(|(path, _)| path.starts_with("examples/published/"));
    cards(&mut page, &own);
    page.html.push_str("<h2 id=\"published\">Published problems</h2><p>With the digits that others found.</p>");
    cards(&mut page, &published);
    page
}

fn cards(page: &mut Page, scenes: &[(&str, &str)]) {
    page.html.push_str("<ul class=\"gallery\">");
    for (path, text) in scenes {
        let stem = stem(path);
        page.html.push_str(&format!(
            "<li><a href=\"{stem}.html\">{}<strong>{}</strong><span>{}</span></a></li>",
            picture(path, "../").unwrap_or_default(),
            said(stem.rsplit('/').next().unwrap_or(stem)),
            escaped(&first_comment(text))
        ));
    }
    page.html.push_str("</ul>");
}

/// The path of an example among the examples, without its ending.
fn stem(path: &str) -> &str {
    path.trim_start_matches("examples/").trim_end_matches(".anz")
}

/// The picture of an example in the gallery, if it has one.
fn picture(path: &str, up: &str) -> Option<String> {
    let path = format!("gallery/{}.webp", stem(path));
    let there = embedded::FILES.iter().any(|(known, _)| known.strip_prefix("web/public/") == Some(&path));
    there.then(|| format!("<img src=\"{up}{path}\" alt=\"\" loading=\"lazy\" width=\"400\" height=\"250\">"))
}

/// `roller_coaster_3` as a person says it.
fn said(stem: &str) -> String {
    let words = stem.replace('_', " ");
    words.chars().take(1).flat_map(char::to_uppercase).chain(words.chars().skip(1)).collect()
}

/// What a text says of itself before anything else.
fn first_comment(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.map(|line| line.trim_start_matches('/').trim()).collect::<Vec<_>>().join(" ")
}

fn style(faces: &[(&str, &[u8])]) -> String {
    let face = |(name, _): &(&str, &[u8])| {
        let family = if name.starts_with("inter") { "Inter Variable" } else { "JetBrains Mono Variable" };
        let greek = "U+0370-03FF";
        let latin = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215";
        let range = if name.contains("greek") { greek } else { latin };
        format!(
            "@font-face{{font-family:\"{family}\";font-weight:100 900;font-display:swap;\
             src:url(\"{name}\") format(\"woff2\");unicode-range:{range}}}\n"
        )
    };
    let faces: String = faces.iter().map(face).collect();
    faces + &STYLES.concat()
}
