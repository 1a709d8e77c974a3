//! One page: from Markdown to HTML, with places to link to, and scenes that can be opened.

use base::escaped;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Parser, Tag, TagEnd, html};

use crate::math::{MARKDOWN, equations};
use crate::{highlight, links};

/// What a text becomes.
pub struct Page {
    pub title: String,
    /// What it is about: its first paragraph.
    pub summary: String,
    pub html: String,
    pub places: Vec<Place>,
    /// Scenes that can be opened, by file name.
    pub scenes: Vec<(String, String)>,
}

/// Something on a page that can be linked to and found: a heading, or a row of a table.
pub struct Place {
    pub id: String,
    pub text: String,
    /// Of a heading, 1 to 6; 0 for a row.
    pub level: usize,
}

/// A block of code: what stands after its ticks, and its text.
pub struct Block {
    pub words: Vec<String>,
    pub text: String,
}

/// The blocks of code of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(text, MARKDOWN) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                inside = true;
                blocks.push(Block { words: words(&kind), text: String::new() });
            }
            Event::Text(text) if inside => blocks.last_mut().expect("a block has begun").text.push_str(&text),
            Event::End(TagEnd::CodeBlock) => inside = false,
            _ => {}
        }
    }
    blocks
}

/// Renders the text of a file of the repository.
pub fn render(path: &str, text: &str) -> Page {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md").to_string();
    let up = links::page_of(path).map_or(String::new(), |page| links::up_from(&page));
    let (events, text_so_far) = (Vec::new(), String::new());
    let mut writer =
        Writer { path, stem, up, events, page: Page::empty(), text: text_so_far, state: State::Prose, nowhere: false };
    for event in Parser::new_ext(text, MARKDOWN) {
        writer.take(event);
    }
    let mut page = writer.page;
    html::push_html(&mut page.html, writer.events.into_iter());
    page
}

impl Page {
    fn empty() -> Page {
        let (title, summary, html) = (String::new(), String::new(), String::new());
        Page { title, summary, html, places: Vec::new(), scenes: Vec::new() }
    }
}

struct Writer<'p> {
    path: &'p str,
    stem: String,
    /// The way to the root of the site.
    up: String,
    events: Vec<Event<'p>>,
    page: Page,
    /// The plain text of what is being read.
    text: String,
    state: State,
    /// Within a link that leads nowhere on the site, of which the text stays.
    nowhere: bool,
}

enum State {
    Prose,
    /// Since this event.
    Heading(usize),
    /// The first paragraph.
    Summary,
    Code(Vec<String>),
    /// The first cell of a row.
    FirstCell,
    OtherCell,
}

impl<'p> Writer<'p> {
    // Long: one arm for each event of the parser that is not passed on as it is.
    fn take(&mut self, event: Event<'p>) {
        match (&event, &self.state) {
            (Event::Start(Tag::Heading { .. }), _) => {
                self.state = State::Heading(self.events.len());
                self.text.clear();
                return;
            }
            (Event::End(TagEnd::Heading(level)), State::Heading(since)) => {
                let since = *since;
                return self.heading(*level as usize, since);
            }
            (Event::Start(Tag::Paragraph), State::Prose) if self.page.summary.is_empty() => {
                self.state = State::Summary;
                self.text.clear();
            }
            (Event::End(TagEnd::Paragraph), State::Summary) => {
                self.page.summary = self.text.trim().to_string();
                self.state = State::Prose;
            }
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                self.state = State::Code(words(kind));
                self.text.clear();
                return;
            }
            (Event::End(TagEnd::CodeBlock), State::Code(_)) => {
                let State::Code(words) = std::mem::replace(&mut self.state, State::Prose) else { return };
                let html = self.code(&words);
                return self.events.push(Event::Html(html.into()));
            }
            (Event::Text(text), State::Code(_)) => return self.text.push_str(text),
            (Event::Start(Tag::Table(_)), _) => {
                self.events.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()))
            }
            (Event::End(TagEnd::Table), _) => {
                self.events.push(event);
                return self.events.push(Event::Html("</div>".into()));
            }
            (Event::Start(Tag::TableRow), _) => self.state = State::FirstCell,
            (Event::Code(name), State::FirstCell) => self.row(&name.clone()),
            (Event::End(TagEnd::TableCell), State::FirstCell) => self.state = State::OtherCell,
            (Event::End(TagEnd::TableRow), _) => self.state = State::Prose,
            (Event::Start(Tag::Link { dest_url, .. }), _) if links::rewrite(self.path, dest_url).is_none() => {
                self.nowhere = true;
                return;
            }
            (Event::End(TagEnd::Link), _) if self.nowhere => {
                self.nowhere = false;
                return;
            }
            _ => {}
        }
        match &event {
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => self.text.push_str(text),
            Event::SoftBreak => self.text.push(' '),
            _ => {}
        }
        let event = match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = links::rewrite(self.path, &dest_url).map_or(dest_url, CowStr::from);
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            // Comments are for those who read the text.
            Event::Html(html) | Event::InlineHtml(html) if html.trim_start().starts_with("<!--") => return,
            event => equations(event),
        };
        self.events.push(event);
    }

    fn heading(&mut self, level: usize, since: usize) {
        let text = self.text.trim().to_string();
        let id = self.free_id(slug(&text));
        let inside = self.events.split_off(since);
        let open = format!("<h{level} id=\"{id}\">");
        let close =
            format!("<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to this heading\">#</a></h{level}>\n");
        self.events.push(Event::Html(open.into()));
        self.events.extend(inside);
        self.events.push(Event::Html(close.into()));
        if self.page.title.is_empty() {
            self.page.title.clone_from(&text);
        }
        self.page.places.push(Place { id, text, level });
        self.state = State::Prose;
    }

    /// A row that is about something with a name can be found.
    fn row(&mut self, name: &str) {
        let id = self.free_id(slug(name));
        if !id.is_empty() {
            self.events.push(Event::InlineHtml(format!("<a class=\"row\" id=\"{id}\"></a>").into()));
            self.page.places.push(Place { id, text: name.to_string(), level: 0 });
        }
    }

    /// No two places of a page have the same id.
    fn free_id(&self, id: String) -> String {
        let taken = |id: &str| self.page.places.iter().any(|place| place.id == id);
        if !taken(&id) {
            return id;
        }
        (1..).map(|n| format!("{id}-{n}")).find(|id| !taken(id)).expect("there are numbers enough")
    }

    fn code(&mut self, words: &[String]) -> String {
        let language = words.first().map_or("", String::as_str);
        // What only makes an example of Rust complete is for its test.
        let shown = |line: &&str| language != "rust" || !line.starts_with("# ");
        let text = self.text.lines().filter(shown).collect::<Vec<_>>().join("\n");
        let text = text.trim_end();
        let kind = words.get(1).map_or("", String::as_str);
        if language != "ansatz" {
            return format!(
                "<pre class=\"{}\" tabindex=\"0\"><code>{}</code></pre>\n",
                escaped(language),
                console(language, text)
            );
        }
        let code = highlight::scene(text);
        // Neither moves by itself.
        if matches!(kind, "excerpt" | "theory") {
            return format!("<pre class=\"ansatz\" tabindex=\"0\"><code>{code}</code></pre>\n");
        }
        let name = format!("{}_{}.anz", self.stem, self.page.scenes.len() + 1);
        let html = scene(&format!("{}scenes/{name}", self.up), &format!("docs/scenes/{name}"), kind, &code);
        self.page.scenes.push((name, format!("{text}\n")));
        html
    }
}

/// The text of a scene with what can be done with it. Which of these is offered depends on who serves the page.
pub fn scene(file: &str, open: &str, kind: &str, code: &str) -> String {
    let kind = if matches!(kind, "wrong" | "right") { kind } else { "" };
    // By the path from the root of the site. What is wrong is there to be read.
    let path = open.strip_prefix("docs/").unwrap_or(open);
    let run = format!("<button class=\"run\" type=\"button\" hidden data-run=\"{path}\">Run here</button>");
    let run = if kind == "wrong" { "" } else { &run };
    format!(
        "<figure class=\"scene {kind}\"><pre class=\"ansatz\" tabindex=\"0\"><code>{code}</code></pre><figcaption>\
         <span class=\"kind\">{kind}</span><button class=\"copy\" type=\"button\">Copy</button>\
         {run}<a class=\"save\" href=\"{file}\" download>Save</a>\
         <a class=\"open\" hidden data-open=\"{open}\" href=\"{file}\">Open in the studio</a></figcaption></figure>\n"
    )
}

/// What is typed stands out from what is answered.
fn console(language: &str, text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("$ ").filter(|_| language == "console") {
        Some(typed) => format!("<span class=\"prompt\">$ </span><b>{}</b>", escaped(typed)),
        None => escaped(line),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn words(kind: &CodeBlockKind<'_>) -> Vec<String> {
    match kind {
        CodeBlockKind::Fenced(words) => words.split_whitespace().map(str::to_string).collect(),
        CodeBlockKind::Indented => Vec::new(),
    }
}

/// The name by which a heading can be linked to, as on the pages of common servers of repositories.
fn slug(text: &str) -> String {
    let kept = text.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A page\n\nWhat it is *about*,\nin a sentence.\n\n## Part: `one`\n\n```ansatz\nscene a\n```\n\n\
                        | word | meaning |\n|---|---|\n| `sin(x)` | sine |\n\n[there](../errors/too-deep.md), [out](../../Makefile)\n";

    #[test]
    fn a_page_has_title_summary_places_and_scenes() {
        let page = render("docs/reference/a.md", TEXT);
        assert_eq!((page.title.as_str(), page.summary.as_str()), ("A page", "What it is about, in a sentence."));
        let places: Vec<(&str, usize)> = page.places.iter().map(|place| (place.id.as_str(), place.level)).collect();
        assert_eq!(places, [("a-page", 1), ("part-one", 2), ("sinx", 0)]);
        assert_eq!(page.scenes, [("a_1.anz".to_string(), "scene a\n".to_string())]);
        assert!(page.html.contains("href=\"../errors/too-deep.html\""));
        assert!(page.html.contains("out") && !page.html.contains("Makefile"));
    }
}
