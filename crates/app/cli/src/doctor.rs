//! `ansatz doctor`: what is there on this machine, what is not, and what to do about it.

use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::{render, studio as browser};

/// What was found of one thing.
struct Finding {
    what: &'static str,
    /// What there is, or what is wrong.
    found: Result<String, String>,
    /// What to do where it is missing.
    remedy: &'static str,
    /// Ansatz cannot do its work without it; of other things only some can do without.
    needed: bool,
}

pub fn examine() -> ExitCode {
    let findings =
        [simulation(), page(), port(), browser(), films(), folder()].into_iter().chain(TOOLS.iter().map(tool));
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let mut out = format!("ansatz {} on {system}, {}\n\n", env!("CARGO_PKG_VERSION"), memory());
    let mut healthy = true;
    for Finding { what, found, remedy, needed } in findings {
        let (mark, said) = match &found {
            Ok(said) => ("ok", said),
            Err(said) if needed => ("WRONG", said),
            Err(said) => ("-", said),
        };
        out.push_str(&format!("{mark:<6} {what:<12} {said}\n"));
        if found.is_err() {
            out.push_str(&format!("{:20}{remedy}\n", ""));
            healthy &= !needed;
        }
    }
    out.push_str(match healthy {
        true => "\nAll that is needed is there; what is marked with - some commands can do without.\n",
        false => "\nSomething that is needed is missing.\n",
    });
    let written = render::print_out(&out);
    if healthy { written } else { ExitCode::FAILURE }
}

/// From text to machine code to numbers, in a process of its own, which limits of memory may end. A fall of one second from rest.
fn simulation() -> Finding {
    const SCENE: &str = "scene fall\ngravity 8 [m/s^2]\nbody ball { position = (0, 0, free); mass = 1 [kg] }\n";
    let run = || -> Result<String, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut process = Command::new(program)
            .args(["run", "-", "--until", "1", "--every", "1", "--probe", "ball.z", "-o", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        if let Some(mut input) = process.stdin.take() {
            let _ = input.write_all(SCENE.as_bytes());
        }
        let output = process.wait_with_output().map_err(|error| error.to_string())?;
        let rows = String::from_utf8_lossy(&output.stdout).into_owned();
        let fallen: Option<f64> = rows.lines().last().and_then(|row| row.split(',').nth(1)?.parse().ok());
        match fallen {
            Some(height) if (height + 4.0).abs() < 1e-6 => Ok("a scene is compiled and runs".to_string()),
            Some(height) => Err(format!("a fall of 4 m was computed as {} m", -height)),
            None => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let said = said.lines().next().unwrap_or("nothing was said").to_string();
                Err(format!("a scene could not be run ({}): {said}", output.status))
            }
        }
    };
    let remedy = "if memory is limited (`ulimit -v`), allow 2 GiB; otherwise report this as a defect of Ansatz";
    Finding { what: "simulation", found: run(), remedy, needed: true }
}

fn page() -> Finding {
    let found = match studio::has_page() {
        true => Ok("the page is part of this program".to_string()),
        false => Err("this program was built without its page".to_string()),
    };
    let remedy = "build it with `make studio`, which needs Node and npm; everything but the studio works without";
    Finding { what: "studio", found, remedy, needed: false }
}

fn port() -> Finding {
    let found = match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)) {
        Ok(listener) => {
            Ok(format!("one is free, such as {}", listener.local_addr().map_or(0, |address| address.port())))
        }
        Err(error) => Err(format!("none can be listened on: {error}")),
    };
    let remedy = "the studio needs one on 127.0.0.1; look at what forbids it (a sandbox, a firewall)";
    Finding { what: "port", found, remedy, needed: true }
}

fn browser() -> Finding {
    let found = match browser::opener() {
        Ok(program) if on_path(program).is_some() => Ok(format!("opened with `{program}`")),
        Ok(program) => Err(format!("there is no `{program}` to open one with")),
        Err(why) => Err(why.to_string()),
    };
    let remedy =
        "`ansatz studio` prints its address: open that in a browser on this machine, or forward the port with `ssh -L`";
    Finding { what: "browser", found, remedy, needed: false }
}

fn films() -> Finding {
    let found = studio::browser().map(|path| format!("drawn by `{}`", path.display()));
    let remedy = "`ansatz export` draws .png, .gif, .webm and .mp4 with Chromium, Chrome or Edge (Debian: apt-get install chromium)";
    Finding {
        what: "films",
        found: found.ok_or_else(|| "no browser draws without a window".into()),
        remedy,
        needed: false,
    }
}

fn folder() -> Finding {
    let probe = Path::new(".").join(format!(".ansatz-doctor-{}", std::process::id()));
    let found = match std::fs::write(&probe, "") {
        Ok(()) => {
            let _ = std::fs::remove_file(&probe);
            Ok("this folder can be written".to_string())
        }
        Err(error) => Err(format!("this folder cannot be written: {error}")),
    };
    let remedy = "scenes can be run here, and not saved; change to a folder of your own";
    Finding { what: "folder", found, remedy, needed: false }
}

/// What programs that `ansatz build` writes are compiled with.
const TOOLS: &[(&str, &[&str], &str)] = &[
    (
        "C compiler",
        &["cc", "gcc", "clang"],
        "needed to compile what `ansatz build --target c` writes (Debian: apt-get install build-essential)",
    ),
    (
        "Rust",
        &["rustc"],
        "needed to compile what `ansatz build --target rust` writes, and to build Ansatz: install it with rustup",
    ),
    (
        "Node",
        &["node"],
        "needed to run what `ansatz build --target wasm` writes, and to build the studio (Debian: apt-get install nodejs npm)",
    ),
];

fn tool(&(what, programs, remedy): &(&'static str, &[&str], &'static str)) -> Finding {
    let version = |program: &&str| {
        on_path(program)?;
        let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string();
        Some(format!("`{program}`: {said}"))
    };
    let found = programs.iter().find_map(version).ok_or_else(|| "not found".to_string());
    Finding { what, found, remedy, needed: false }
}

fn on_path(program: &str) -> Option<std::path::PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let suffix = std::env::consts::EXE_SUFFIX;
    std::env::split_paths(&folders).map(|folder| folder.join(format!("{program}{suffix}"))).find(|path| path.is_file())
}

fn memory() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let free: Option<f64> = free.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
    let free =
        free.map_or(String::new(), |kilobytes| format!(", {:.1} GiB of memory free", kilobytes / f64::from(1 << 20)));
    format!("{}{free}", base::counted(cores, "core", "cores"))
}
