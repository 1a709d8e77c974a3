//! `ansatz studio`: starts the server and opens the browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use studio::{Folder, Options, Server};

use crate::arguments::StudioArguments;
use crate::{docs, places, render, scene};

pub fn studio(arguments: &StudioArguments) -> ExitCode {
    let Some((folder, open)) = place(arguments.path.as_deref()) else { return ExitCode::FAILURE };
    let folder = match Folder::open(&folder) {
        Ok(folder) => folder,
        Err(error) => {
            render::complain(&format!("`{}` cannot be opened: {error}", folder.display()), "name a scene or a folder");
            return ExitCode::FAILURE;
        }
    };
    let begin = Begin { what: "studio", port: arguments.port, browser: !arguments.no_open };
    start(&begin, folder, |server| server.url(open.as_deref()))
}

/// What is served, where to listen, and whether to open a browser.
pub struct Begin {
    pub what: &'static str,
    pub port: u16,
    pub browser: bool,
}

/// Serves until it is ended, and says which address to open.
pub fn start(begin: &Begin, folder: Folder, address: impl Fn(&Server) -> String) -> ExitCode {
    match serve(begin, folder, address) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let hint = match error.kind() {
                io::ErrorKind::AddrInUse => "something else listens there; choose another `--port`, or none",
                io::ErrorKind::PermissionDenied => "you may not listen there; choose a `--port` above 1024, or none",
                _ => "",
            };
            render::complain(&format!("the {} cannot be started: {error}", begin.what), hint);
            ExitCode::FAILURE
        }
    }
}

/// The folder to open, and the file in it to begin with.
fn place(path: Option<&Path>) -> Option<(PathBuf, Option<String>)> {
    let Some(path) = path else { return Some((PathBuf::from("."), None)) };
    if path.is_dir() {
        return Some((path.to_path_buf(), None));
    }
    // Read only to complain where it cannot be.
    scene::read(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_path_buf(), path.file_name().map(|name| name.to_string_lossy().into_owned())))
}

fn serve(begin: &Begin, folder: Folder, address: impl Fn(&Server) -> String) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let worker = (std::env::current_exe()?, vec!["studio-worker".to_string()]);
        let server =
            Server::bind(Options { folder, state: places::state(), port: begin.port, worker, manual: docs::pages })
                .await?;
        let url = address(&server);
        if !studio::has_page() {
            let hint = "build it with `make studio`; `ansatz run` and all else work without";
            render::complain("this program was built without the studio's page", hint);
        }
        let opened = if begin.browser { open_browser(&url).map(|()| true) } else { Ok(false) };
        let mut out = io::stdout();
        // Whoever started it may not read what it says.
        if let Err(why) = opened {
            let _ = writeln!(out, "No browser could be opened: {why}.");
        }
        let _ = match opened {
            Ok(true) => writeln!(out, "The {} is open in your browser: {url}\nEnd it with Ctrl-C.", begin.what),
            _ => writeln!(out, "Open the {} in your browser: {url}\nEnd it with Ctrl-C.", begin.what),
        };
        let _ = out.flush();
        server.serve().await
    })
}

/// Opens an address, or tells why that cannot be.
fn open_browser(url: &str) -> Result<(), &'static str> {
    let program = opener()?;
    let mut command = Command::new(program);
    if program == "rundll32" {
        command.arg("url.dll,FileProtocolHandler");
    }
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().map_err(|_| "there is no program that opens one (`xdg-open`)")?;
    // It gives up at once if there is no browser, and otherwise may run as long as the browser does.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(700) {
        match process.try_wait() {
            Ok(Some(status)) if !status.success() => return Err("none is installed"),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Ok(Some(_)) | Err(_) => break,
        }
    }
    Ok(())
}

/// The program that opens addresses, if there is a screen to show them on.
pub fn opener() -> Result<&'static str, &'static str> {
    match std::env::consts::OS {
        "macos" => Ok("open"),
        "windows" => Ok("rundll32"),
        _ => {
            let displays = ["DISPLAY", "WAYLAND_DISPLAY"];
            let is_there = |name: &&str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
            if displays.iter().any(is_there) { Ok("xdg-open") } else { Err("there is no display here") }
        }
    }
}

/// Whether a scene of this name comes with Ansatz.
pub fn is_example(name: &str) -> bool {
    studio::examples().any(|(file, _)| file.strip_suffix(".anz") == Some(name))
}
