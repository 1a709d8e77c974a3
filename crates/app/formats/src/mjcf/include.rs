//! Files of MJCF that are put together from others: `<include file="arm.xml"/>` stands for what is within the root of that file.

use std::borrow::Cow;
use std::collections::BTreeSet;

use roxmltree::{Document, Node, ParsingOptions};

use crate::beside::{self, Around};
use crate::xml::too_many_attributes;

/// In bytes, of all files together.
const MOST_BYTES: usize = 64 << 20;
const MOST_NODES: u32 = 2_000_000;

/// The text with the files in it that it includes, each in one line, so that places are those of the first file. A file that cannot be included stays an
/// element, for the reader to say so; the second is why.
pub fn included<'t>(text: &'t str, around: Around<'_>) -> (Cow<'t, str>, Option<String>) {
    if !text.contains("<include") {
        return (text.into(), None);
    }
    match whole(text, around, &mut BTreeSet::new(), &mut MOST_BYTES.clone()) {
        Ok(text) => (text.into(), None),
        Err(why) => (text.into(), Some(why)),
    }
}

fn whole(text: &str, around: Around<'_>, known: &mut BTreeSet<String>, room: &mut usize) -> Result<String, String> {
    *room = room.checked_sub(text.len()).ok_or_else(|| format!("all of them are more than {} MB", MOST_BYTES >> 20))?;
    let document = parsed(text)?;
    let (mut found, mut from) = (String::new(), 0);
    for node in document.descendants().filter(|node| node.has_tag_name("include")) {
        let Some(file) = node.attribute("file") else { return Err("it names no `file`".to_string()) };
        let shown = base::visible(file);
        // As MuJoCo has it; so nothing goes round.
        if !known.insert(file.to_string()) {
            return Err(format!("`{shown}` is included twice"));
        }
        let inner = beside::text(around, file).and_then(|inner| whole(&inner, around, known, room));
        let inner = inner.map_err(|why| format!("`{shown}`: {why}"))?;
        found += &text[from..node.range().start];
        found += &content(&inner)?.replace(['\n', '\r'], " ");
        from = node.range().end;
    }
    Ok(found + &text[from..])
}

fn parsed(text: &str) -> Result<Document<'_>, String> {
    if too_many_attributes(text).is_some() {
        return Err("an element has too many attributes".to_string());
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| format!("this is no XML: {error}"))
}

/// What is within the root of a document.
fn content(text: &str) -> Result<&str, String> {
    let document = parsed(text)?;
    let children = || document.root_element().children();
    let ends = children().next().zip(children().next_back());
    Ok(ends.map_or("", |(first, last): (Node<'_, '_>, Node<'_, '_>)| &text[first.range().start..last.range().end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_put_together_once_each_and_lines_stay() {
        let folder = std::env::temp_dir().join(format!("ansatz-include-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("arm.xml", "<mujocoinclude>\n<body name=\"arm\">\n<include file=\"hand.xml\"/></body>\n</mujocoinclude>");
        write("hand.xml", "<mujoco><geom size=\"1\"/></mujoco>");
        write("round.xml", "<mujoco><include file=\"round.xml\"/></mujoco>");
        let around = Around { folder: Some(&folder), inside: None };
        let main = |file: &str| format!("<mujoco>\n<worldbody>\n<include file=\"{file}\"/>\n</worldbody>\n</mujoco>");
        let text = main("arm.xml");
        let (found, trouble) = included(&text, around);
        assert_eq!(trouble, None);
        assert!(found.contains("<body name=\"arm\"> <geom size=\"1\"/></body>"), "{found}");
        assert_eq!(found.lines().count(), text.lines().count());
        for (file, words) in [("round.xml", "included twice"), ("none.xml", "`none.xml`: "), ("..", "`..`: ")] {
            let why = included(&main(file), around).1.expect("refused");
            assert!(why.contains(words), "{why}");
        }
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
