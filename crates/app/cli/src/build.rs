//! `ansatz build`: an exported program, written into a folder as a whole.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ansatz::{Build, Fmu, Scene, Target};
use driver::File;

use crate::arguments::{BuildArguments, Product};
use crate::trouble::Trouble;
use crate::{render, scene, whole_file};

pub fn build(arguments: &BuildArguments) -> ExitCode {
    let mut options = arguments.compile.options();
    options.probes = arguments.probe.iter().flat_map(|list| driver::split_list(list)).collect();
    options.tolerance = arguments.tolerance;
    options.picture = arguments.target == Product::Page;
    options.solver = arguments.solver.unwrap_or_default();
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    let made = match arguments.target {
        Product::Program(target) => scene.export(target).map_err(Trouble::from),
        Product::Page => page(&scene, arguments),
        Product::Fmu => return build_unit(&scene, arguments),
    };
    let build = match made {
        Ok(build) => build,
        Err(trouble) => return trouble.tell(),
    };
    let folder = arguments.output.clone();
    let folder = folder.unwrap_or_else(|| PathBuf::from(format!("{}-{}", build.name, word(arguments.target))));
    if let Err(error) = write(&folder, &build.files) {
        return unwritten(&folder, &error);
    }
    render::print_out(&report(&build, &folder, &next_step(arguments.target, &folder, &build.name)))
}

/// A unit is one file; without a name it takes that of the scene.
fn build_unit(scene: &Scene, arguments: &BuildArguments) -> ExitCode {
    const ROWS: f64 = 200.0;
    let Fmu { build, library, exchange } =
        match scene.export_fmu(arguments.fmi, arguments.until, arguments.until / ROWS) {
            Ok(unit) => unit,
            Err(error) => {
                render::print_error(&error);
                return ExitCode::FAILURE;
            }
        };
    let archive = &build.files[0];
    let path = match &arguments.output {
        Some(folder) if folder.is_dir() => folder.join(&archive.name),
        Some(path) => path.clone(),
        None => PathBuf::from(&archive.name),
    };
    if let Err(error) = whole_file::replace(&path, &archive.content) {
        return unwritten(&path, &error);
    }
    let library = match library {
        Ok(name) => format!("  {name}\n"),
        Err(why) => format!("  sources only, to be compiled where it is used: {why}\n"),
    };
    let kinds = match exchange {
        Ok(()) => "  for co-simulation and model exchange\n".to_string(),
        Err(why) => format!("  for co-simulation only, because {why}\n"),
    };
    let path = path.display();
    render::print_out(&format!(
        "{}: written to {path}, {}\n{kinds}{library}  next: fmpy simulate {path}\n",
        build.name,
        size(archive.content.len())
    ))
}

fn unwritten(path: &Path, error: &io::Error) -> ExitCode {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "the folder around it does not exist; make it first".to_string(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is in the way; choose another folder with `-o`".to_string()
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to, with `-o`".to_string()
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "there is no room; nothing was changed".to_string()
        }
        _ => "nothing was kept; try another place with `-o`".to_string(),
    };
    render::complain(&format!("`{}` cannot be written: {error}", path.display()), &hint);
    ExitCode::FAILURE
}

fn page(scene: &Scene, arguments: &BuildArguments) -> Result<Build, Trouble> {
    let exported = scene.export_kernel()?;
    let folder = scene::folder(&arguments.file);
    Ok(studio::page(scene, &exported, folder)?)
}

fn word(target: Product) -> &'static str {
    match target {
        Product::Program(Target::C) => "c",
        Product::Program(Target::Rust) => "rust",
        Product::Program(Target::Wasm) => "wasm",
        Product::Program(Target::Cuda) => "cuda",
        Product::Page => "html",
        Product::Fmu => "fmu",
    }
}

/// What to do with the program.
fn next_step(target: Product, folder: &Path, name: &str) -> String {
    let inside = |command: &str| format!("cd {} && {command}", folder.display());
    match target {
        Product::Program(Target::C) => inside(&format!("make && ./{name} --until 10")),
        Product::Program(Target::Rust) => inside("cargo run --release -- --until 10"),
        Product::Program(Target::Wasm) => inside("node run.js --until 10"),
        Product::Program(Target::Cuda) => inside(&format!("make && ./{name} --until 10 < inputs.csv")),
        Product::Page | Product::Fmu => {
            format!("open {} in a browser", folder.join(name).with_extension("html").display())
        }
    }
}

/// Sizes, as in the table of the paper: lines of code, size, and lines of code for each line of the scene.
fn report(build: &Build, folder: &Path, next: &str) -> String {
    let mut text = String::new();
    for file in &build.files {
        let lines = file.lines.map_or_else(String::new, |lines| format!("{lines} lines, "));
        text += &format!("  {:<24} {lines}{}\n", file.name, size(file.content.len()));
    }
    let synthesized: usize = build.files.iter().filter(|file| file.synthesized).filter_map(|file| file.lines).sum();
    let scene = build.specification_lines;
    if synthesized > 0 && scene > 0 {
        let ratio = synthesized as f64 / scene as f64;
        text += &format!("  {synthesized} lines of code for {scene} lines of scene: {ratio:.0} for each\n");
    }
    format!("{}: written to {}\n{text}  next: {next}\n", build.name, folder.display())
}

fn size(bytes: usize) -> String {
    format!("{:.1} KB", bytes as f64 / 1000.0)
}

/// All files or none: they are written beside the folder, and moved into it when they are complete.
fn write(folder: &Path, files: &[File]) -> io::Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let temporary = folder.with_file_name(format!(".{name}.{}.part", std::process::id()));
    if folder.exists() && !folder.is_dir() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let written = fill(&temporary, files).and_then(|()| {
        if !folder.exists() {
            return std::fs::rename(&temporary, folder);
        }
        // A folder that is there may hold other things, which stay.
        for file in files {
            let target = folder.join(&file.name);
            target.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::rename(temporary.join(&file.name), target)?;
        }
        Ok(())
    });
    // After a success nothing, or only empty folders, are left of it.
    let _ = std::fs::remove_dir_all(&temporary);
    written
}

fn fill(folder: &Path, files: &[File]) -> io::Result<()> {
    std::fs::create_dir(folder)?;
    for file in files {
        let path = folder.join(&file.name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, &file.content)?;
    }
    Ok(())
}
