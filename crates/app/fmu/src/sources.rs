//! Units that bring sources: which files make the library, and how. FMI 2.0 names the files in the description, 3.0 in `buildDescription.xml`.

use std::fs;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::compiler;
use crate::description::Kind;

/// The headers of the standard, which units do not bring along: `#include "fmi3Functions.h"`.
const HEADERS: [(&str, &str); 6] = [
    ("fmi2FunctionTypes.h", include_str!("headers/fmi2FunctionTypes.h")),
    ("fmi2Functions.h", include_str!("headers/fmi2Functions.h")),
    ("fmi2TypesPlatform.h", include_str!("headers/fmi2TypesPlatform.h")),
    ("fmi3FunctionTypes.h", include_str!("headers/fmi3FunctionTypes.h")),
    ("fmi3Functions.h", include_str!("headers/fmi3Functions.h")),
    ("fmi3PlatformTypes.h", include_str!("headers/fmi3PlatformTypes.h")),
];

/// What a library is made of; all names are within the folder of the sources.
#[derive(Debug, Default, PartialEq)]
pub struct Sources {
    files: Vec<String>,
    folders: Vec<String>,
    definitions: Vec<String>,
}

/// What the description says, or `buildDescription.xml`, or else all files of C in the folder. Names of entries are those of the archive.
pub fn read(kind: &Kind, build: Option<&str>, names: &[String]) -> Result<Sources, String> {
    let mut sources = match build {
        Some(text) => built(text, &kind.identifier)?,
        None => Sources { files: kind.sources.clone(), ..Sources::default() },
    };
    let inside = || names.iter().filter_map(|name| name.strip_prefix("sources/"));
    if sources.files.is_empty() {
        sources.files =
            inside().filter(|name| !name.contains('/') && name.ends_with(".c")).map(str::to_string).collect();
    }
    if sources.files.is_empty() {
        return Err("no files of C among its sources".to_string());
    }
    match sources.files.iter().find(|file| !inside().any(|name| name == file.as_str())) {
        Some(file) => Err(format!("its source `{}` is not in the archive", file.escape_debug())),
        None => match sources.files.iter().find(|file| !file.ends_with(".c")) {
            Some(file) => Err(format!("its source `{}` is not C", file.escape_debug())),
            None => Ok(sources),
        },
    }
}

fn built(text: &str, identifier: &str) -> Result<Sources, String> {
    if formats::too_many_attributes(text).is_some() {
        return Err("an element of its `buildDescription.xml` has more than 500 attributes".to_string());
    }
    let options = ParsingOptions { nodes_limit: 100_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| format!("its `buildDescription.xml` cannot be read: {error}"))?;
    let all = document.root_element().children().filter(|it| it.has_tag_name("BuildConfiguration"));
    let configuration = all.into_iter().find(|it| it.attribute("modelIdentifier") == Some(identifier));
    let configuration = configuration.ok_or("its `buildDescription.xml` does not say how to make this library")?;
    if let Some(library) = configuration.children().find(|it| it.has_tag_name("Library")) {
        let name = library.attribute("name").unwrap_or("?").escape_debug().to_string();
        return Err(format!("its library needs another one, `{name}`"));
    }
    let mut sources = Sources::default();
    for set in configuration.children().filter(|it| it.has_tag_name("SourceFileSet")) {
        let named = |tag: &'static str| {
            let names = set.children().filter(move |it| it.has_tag_name(tag)).filter_map(|it| it.attribute("name"));
            names.map(str::to_string)
        };
        sources.files.extend(named("SourceFile"));
        sources.folders.extend(named("IncludeDirectory"));
        sources.definitions.extend(set.children().filter_map(definition));
    }
    // Nobody else's folders are looked into.
    match sources.folders.iter().find(|folder| folder.starts_with('/') || folder.split('/').any(|part| part == "..")) {
        Some(folder) => Err(format!("its `buildDescription.xml` leads elsewhere, `{}`", folder.escape_debug())),
        None => Ok(sources),
    }
}

fn definition(node: Node<'_, '_>) -> Option<String> {
    let name = node.has_tag_name("PreprocessorDefinition").then(|| node.attribute("name")).flatten()?;
    Some(node.attribute("value").map_or(name.to_string(), |value| format!("{name}={value}")))
}

impl Sources {
    /// Makes the library of the files in a folder.
    pub fn compile(&self, folder: &Path, library: &Path) -> Result<(), String> {
        let headers = folder.join("ansatz-headers");
        let told = |error: std::io::Error| format!("its sources cannot be written: {error}");
        fs::create_dir_all(&headers).map_err(told)?;
        HEADERS.iter().try_for_each(|(name, text)| fs::write(headers.join(name), text)).map_err(told)?;
        let definitions = self.definitions.iter().map(|it| format!("-D{it}"));
        let folders = self.folders.iter().map(|it| format!("-I./{it}"));
        // Sources of others are in whatever C their compilers know.
        let fixed = ["-std=gnu11", "-w", "-I.", "-Iansatz-headers"].map(str::to_string);
        let options: Vec<String> = fixed.into_iter().chain(folders).chain(definitions).collect();
        let files: Vec<String> = self.files.iter().map(|file| format!("./{file}")).collect();
        compiler::library(folder, &files, &options, library)
            .map_err(|why| format!("its sources cannot be compiled: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(sources: &[&str]) -> Kind {
        let sources = sources.iter().map(|name| name.to_string()).collect();
        Kind { identifier: "unit".to_string(), has_slopes: false, is_alone: false, sources }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("sources/{name}")).collect()
    }

    const BUILD: &str = r#"<fmiBuildDescription fmiVersion="3.0"><BuildConfiguration modelIdentifier="unit">
        <SourceFileSet language="C99"><SourceFile name="a.c"/><SourceFile name="b/c.c"/><PreprocessorDefinition name="N" value="3"/>
        <IncludeDirectory name="b"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>"#;

    #[test]
    fn files_are_those_that_are_named_or_all() {
        let found = read(&kind(&[]), Some(BUILD), &names(&["a.c", "b/c.c", "x.c"])).expect("sources");
        assert_eq!(
            (found.files, found.folders, found.definitions),
            (vec!["a.c".into(), "b/c.c".into()], vec!["b".into()], vec!["N=3".into()])
        );
        assert_eq!(read(&kind(&["a.c"]), None, &names(&["a.c", "x.c"])).expect("sources").files, ["a.c"]);
        assert_eq!(read(&kind(&[]), None, &names(&["a.c", "x.c", "h.h"])).expect("sources").files, ["a.c", "x.c"]);
    }

    #[test]
    fn what_leads_elsewhere_or_is_missing_is_refused() {
        let cases = [
            (read(&kind(&["../a.c"]), None, &names(&["a.c"])), "not in the archive"),
            (read(&kind(&[]), Some(&BUILD.replace("\"b\"", "\"../b\"")), &names(&["a.c", "b/c.c"])), "leads elsewhere"),
            (read(&kind(&[]), Some(&BUILD.replace("\"unit\"", "\"x\"")), &names(&["a.c"])), "does not say how"),
            (read(&kind(&["a.cpp"]), None, &names(&["a.cpp"])), "is not C"),
            (read(&kind(&[]), None, &names(&["a.h"])), "no files of C"),
        ];
        for (found, words) in cases {
            assert!(found.as_ref().is_err_and(|why| why.contains(words)), "{found:?}: {words}");
        }
    }
}
