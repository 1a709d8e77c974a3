//! `ansatz studio`: starts the server and opens the browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use studio::{Folder, Options, Server};

use crate::arguments::StudioArguments;
use crate::{docs, render, scene};

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
        let server = Server::bind(Options { folder, port: begin.port, worker, manual: docs::pages }).await?;
        let url = address(&server);
        let opened = begin.browser && open_browser(&url);
        let mut out = io::stdout();
        // Whoever started it may not read what it says.
        let _ = match opened {
            true => writeln!(out, "The {} is open in your browser: {url}\nEnd it with Ctrl-C.", begin.what),
            false => writeln!(out, "Open the {} in your browser: {url}\nEnd it with Ctrl-C.", begin.what),
        };
        let _ = out.flush();
        server.serve().await
    })
}

/// Whether there was something to open it with.
fn open_browser(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => {
            let display = ["DISPLAY", "WAYLAND_DISPLAY"]
                .iter()
                .any(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()));
            if !display {
                return false;
            }
            ("xdg-open", &[])
        }
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
