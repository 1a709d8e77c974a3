//! A scene as a functional mock-up unit (FMI): one archive that other simulators load, with the sources of the program, the library made of
//! them where there is a compiler, a description, and a run to compare with.

mod archive;
mod compiler;
mod description;
mod exchange;
mod variables;

use backend_c::{Fmi, Slopes, Unit, emit_fmu};
use base::Diagnostics;

use self::description::{Whole, build_description, escaped, model_description};
use self::variables::Variable;
use crate::build::{Build, verified};
use crate::export::export_with;
use crate::pipeline::{Compilation, Options, Stages};

/// A run of the scene with its defaults, for the archive.
pub struct Reference {
    pub until: f64,
    pub every: f64,
    pub rows: Vec<(f64, Vec<f64>)>,
}

/// A unit, and what there is to say of it.
pub struct Fmu {
    pub build: Build,
    /// The folder of the library in the archive, or why there is none.
    pub library: Result<String, String>,
    /// Whether a simulator may integrate it by itself (model exchange); if not, why.
    pub exchange: Result<(), &'static str>,
}

/// The unit of a scene. What cannot become one is told.
// Long: lists the files of the archive, which share everything that is worked out before.
pub fn fmu(
    compilation: &Compilation,
    stages: &Stages,
    options: &Options,
    version: Fmi,
    reference: &Reference,
) -> Result<Fmu, Diagnostics> {
    let refused = exchange::refused(stages, options);
    let options = Options { exchange: refused.is_none(), ..options.clone() };
    let mut found = Err(refused.unwrap_or_default());
    let (module, interface) = export_with(compilation, stages, &options, |programs| {
        if options.exchange {
            found = exchange::exchange(programs);
        }
    })?;
    verified(&module)?;
    let mut module = module;
    if let Ok(exchanged) = &mut found
        && let Some(with_slopes) = lower::with_slopes(&module)
    {
        verified(&with_slopes)?;
        module = with_slopes;
        exchanged.places.slopes = Some(Slopes { function: lower::SLOPES, of: lower::slopes_of });
    }
    let exchanged = found.as_ref().ok();
    let Unit { identifier, token, sources } = emit_fmu(&module, &interface, exchanged.map(|it| &it.places), version);
    let states = exchanged.map_or(&[][..], |it| &it.states);
    let indicators = exchanged.map_or_else(Vec::new, |_| exchange::indicators(&module, &interface, stages));
    let variables = variables::variables(stages, &interface, states, &indicators);
    let c_files: Vec<&str> =
        sources.iter().map(|(name, _)| name.as_str()).filter(|name| name.ends_with(".c")).collect();
    let whole = Whole {
        name: &module.name,
        identifier: &identifier,
        token: &token,
        description: &format!("Made by Ansatz from {}.", interface.source),
        tolerance: interface.tolerance,
        until: reference.until,
        every: reference.every,
        sources: c_files.clone(),
        exchanges: found.is_ok(),
        has_slopes: exchanged.is_some_and(|it| it.places.slopes.is_some()),
    };
    let mut files = vec![
        ("modelDescription.xml".to_string(), model_description(version, &whole, &variables).into_bytes()),
        ("documentation/index.html".to_string(), page(&whole, &variables).into_bytes()),
        ("documentation/reference.csv".to_string(), table(reference, &variables).into_bytes()),
    ];
    if version == Fmi::Three {
        files.push(("sources/buildDescription.xml".to_string(), build_description(&identifier, &c_files).into_bytes()));
    }
    let library = library(version, &identifier, &sources);
    let library = library.map(|(name, content)| {
        files.push((name.clone(), content));
        name
    });
    files.extend(sources.into_iter().map(|(name, text)| (format!("sources/{name}"), text.into_bytes())));
    // Those who only want to know what it is read the beginning.
    files[1..].sort();
    let content = archive::pack(&files);
    let build = Build::new(module.name.clone(), vec![(format!("{identifier}.fmu"), content)], &compilation.sources);
    Ok(Fmu { build, library, exchange: found.map(|_| ()) })
}

fn library(version: Fmi, identifier: &str, sources: &[(String, String)]) -> Result<(String, Vec<u8>), String> {
    let platform = compiler::platform(version).ok_or("this version of the standard has no name for this machine")?;
    let content = compiler::compile(sources)?;
    Ok((format!("binaries/{}/{identifier}.{}", platform.folder, platform.ending), content))
}

/// The run, with the names that the description has.
fn table(reference: &Reference, variables: &[Variable]) -> String {
    let outputs = variables.iter().filter(|variable| variable.role == variables::Role::Output);
    let quoted = |name: &str| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_string(),
    };
    let header: Vec<String> = outputs.clone().map(|variable| quoted(&variable.name)).collect();
    let mut text = format!("time,{}\n", header.join(","));
    for (t, row) in &reference.rows {
        // Values of enumerations count from one.
        let values = row.iter().zip(outputs.clone()).map(|(value, of)| match of.words.is_some() {
            true => format!("{}", value + 1.0),
            false => format!("{value:?}"),
        });
        text += &format!("{t:?},{}\n", values.collect::<Vec<String>>().join(","));
    }
    text
}

/// What people see of the unit.
fn page(whole: &Whole<'_>, variables: &[Variable]) -> String {
    let row = |variable: &Variable| {
        let unit = variable.unit.as_ref().map_or("", |unit| unit.name.as_str());
        let start = variable.start.map_or_else(String::new, |start| format!("{start}"));
        let cells =
            [&variable.name, &format!("{:?}", variable.role).to_lowercase(), unit, &start, &variable.description];
        format!("<tr>{}</tr>\n", cells.map(|cell| format!("<td>{}</td>", escaped(cell))).concat())
    };
    let rows: String = variables.iter().map(row).collect();
    include_str!("page.html")
        .replace("@NAME@", &escaped(whole.name))
        .replace("@ABOUT@", &escaped(whole.description))
        .replace("@UNTIL@", &whole.until.to_string())
        .replace("@TOLERANCE@", &format!("{:e}", whole.tolerance))
        .replace("@ROWS@", &rows)
}
