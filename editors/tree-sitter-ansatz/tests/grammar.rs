//! The grammar reads every scene and theory of the tree without an error, knows the words of the compiler, and is the one of `grammar.js`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tree_sitter::{Node, Parser, Query, Tree};
use tree_sitter_ansatz::{HIGHLIGHTS, LANGUAGE};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE.into()).expect("a grammar of a version that is known");
    parser.parse(text, None).expect("there is no limit")
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| match path.is_dir() {
            true => files(&path, ending),
            false => vec![path].into_iter().filter(|path| path.to_string_lossy().ends_with(ending)).collect(),
        })
        .collect();
    found.sort();
    found
}

/// Scenes and theories of the tree, and those that the manual shows as right.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for path in files(&root().join("examples"), ".anz").into_iter().chain(files(&root().join("library"), ".anz")) {
        texts.push((path.display().to_string(), fs::read_to_string(path).expect("a text")));
    }
    for path in files(&root().join("docs"), ".md") {
        let page = fs::read_to_string(&path).expect("a page");
        for (at, block) in page.split("\n```ansatz").skip(1).enumerate() {
            let (kind, rest) = block.split_once('\n').expect("a block has lines");
            let text = rest.split("\n```").next().unwrap_or_default();
            if !kind.contains("wrong") {
                texts.push((format!("{}, block {}", path.display(), at + 1), format!("{text}\n")));
            }
        }
    }
    texts
}

fn first_error<'t>(node: Node<'t>) -> Option<Node<'t>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let children: Vec<Node<'t>> = (0..node.child_count()).filter_map(|at| node.child(at)).collect();
    children.into_iter().filter(Node::has_error).find_map(first_error).or_else(|| node.has_error().then_some(node))
}

#[test]
fn every_text_of_the_tree_is_read_without_an_error() {
    let texts = texts();
    assert!(texts.len() > 250, "the texts were not found");
    let told: Vec<String> = texts
        .iter()
        .filter_map(|(name, text)| {
            let tree = read(text);
            let error = first_error(tree.root_node()).filter(|_| tree.root_node().has_error())?;
            let line = error.start_position().row;
            Some(format!("{name}:{}: {}", line + 1, text.lines().nth(line).unwrap_or_default()))
        })
        .collect();
    assert!(told.is_empty(), "{} of {}\n{}", told.len(), texts.len(), told.join("\n"));
}

/// Which statement ends where: the layout of the compiler and of the grammar are two texts of one rule.
#[test]
fn statements_are_those_of_the_compiler() {
    for (name, text) in texts() {
        let tree = read(&text);
        let mut sink = base::Diagnostics::default();
        let parsed = syntax::parse(Default::default(), &text, &mut sink);
        let keywords: Vec<usize> = {
            let root = tree.root_node();
            (0..root.named_child_count())
                .filter_map(|at| root.named_child(at as u32))
                .filter(|node| node.kind() != "comment")
                .map(|node| node.start_byte())
                .collect()
        };
        let items: Vec<usize> = parsed.items.iter().map(|item| item.span.start as usize).collect();
        assert_eq!(keywords, items, "{name}");
    }
}

#[test]
fn keywords_are_those_of_the_compiler() {
    let grammar = fs::read_to_string(root().join("editors/tree-sitter-ansatz/grammar.js")).expect("the grammar");
    let list = grammar.split("const STATEMENTS = [").nth(1).and_then(|rest| rest.split("];").next()).expect("the list");
    let words: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let known = syntax::KEYWORDS.iter().filter(|keyword| keyword.begins_statement());
    assert_eq!(words, known.map(|keyword| keyword.word).collect::<Vec<_>>());
}

#[test]
fn what_is_wrong_is_an_error() {
    for text in ["body b { mass = 1\n", "let a = (1, 2\nlet b = 3\n", "let a = 3 +\n", "let a = )\n"] {
        assert!(read(text).root_node().has_error(), "{text}");
    }
}

/// Trees in the notation of tree-sitter, in `test/corpus`.
#[test]
fn trees_are_those_of_the_corpus() {
    let mut count = 0;
    for path in files(&root().join("editors/tree-sitter-ansatz/test/corpus"), ".txt") {
        let text = fs::read_to_string(path).expect("a corpus");
        let mut pieces = text.split("==================\n").skip(1);
        while let (Some(title), Some(body)) = (pieces.next(), pieces.next()) {
            let (source, expected) = body.split_once("\n---\n").expect("a tree after the text");
            let wanted = expected.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")");
            let tree = read(source.trim_start());
            assert_eq!(tree.root_node().to_sexp(), wanted, "{title}");
            count += 1;
        }
    }
    assert!(count >= 4, "the corpus was not found");
}

#[test]
fn colours_speak_of_what_the_grammar_has() {
    let query = Query::new(&LANGUAGE.into(), HIGHLIGHTS).unwrap_or_else(|error| panic!("{error}"));
    assert!(query.pattern_count() > 10);
}

/// `cargo run -p tree-sitter-ansatz --example generate` makes it anew.
#[test]
fn the_parser_is_the_one_of_the_grammar() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if Command::new("node").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no node to read the grammar");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree-sitter-ansatz");
    fs::create_dir_all(&folder).expect("a folder");
    for file in ["grammar.js", "tree-sitter.json"] {
        fs::copy(here.join(file), folder.join(file)).expect("a file");
    }
    let (out, grammar, mut said) = (None::<String>, None::<String>, Vec::new());
    let level = tree_sitter_generate::OptLevel::default();
    tree_sitter_generate::generate_parser_in_directory(
        &folder,
        out,
        grammar,
        15,
        None,
        Some("node"),
        true,
        level,
        &mut said,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    for file in ["src/parser.c", "src/grammar.json", "src/node-types.json"] {
        let [made, kept] = [&folder, here].map(|folder| fs::read_to_string(folder.join(file)).expect("a file"));
        assert!(made == kept, "{file} is not made of grammar.js: cargo run -p tree-sitter-ansatz --example generate");
    }
}
