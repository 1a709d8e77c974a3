//! Pictures and films, drawn by the page in a browser without a window: it is given one order, and sends back one file.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path as Place, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::protocol::Refusal;
use crate::server::new_token;

/// A film, or a still if it has one instant; read by `web/src/alone/content.ts`.
#[derive(Serialize)]
pub struct Order {
    /// `png`, `gif`, `webm` or `mp4`.
    pub kind: String,
    /// The instants of the motion, ascending, in seconds.
    pub times: Vec<f64>,
    /// Pictures in a second of the film.
    pub rate: f64,
    /// In pixels.
    pub width: u32,
    pub height: u32,
    /// In SI units.
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    pub camera: Look,
    /// What to draw besides the shapes: see `OVERLAYS`.
    pub overlays: Vec<String>,
    pub theme: String,
}

/// What can be drawn besides the shapes, as `web/src/state.ts` calls it.
pub const OVERLAYS: &[&str] =
    &["frames", "velocities", "forces", "constraints", "contacts", "traces", "names", "centre", "wireframe", "shadows"];

/// Where to look from.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Look {
    /// A camera of the scene, by its number.
    Scene {
        number: usize,
    },
    /// At everything, perhaps from one of the [`PRESETS`].
    All {
        from: Option<&'static str>,
    },
    /// Along with a frame, by its id.
    Follow {
        frame: String,
    },
    Point {
        position: [f64; 3],
        target: [f64; 3],
    },
    /// From view to view; at least one, in the order of their moments.
    Path {
        views: Vec<KeptView>,
    },
}

/// A view at a moment of the run, as `web/src/view3d/path.ts` has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeptView {
    pub t: f64,
    pub position: [f64; 3],
    pub target: [f64; 3],
}

/// Directions to look from, towards the viewer, as in `web/src/view3d/viewpoint.ts`.
pub const PRESETS: &[(&str, [f64; 3])] = &[
    ("top", [0.0, -0.002, 1.0]),
    ("front", [0.0, -1.0, 0.0]),
    ("side", [1.0, 0.0, 0.0]),
    ("isometric", [1.0, -1.0, 1.0]),
];

pub struct Filmed {
    pub file: Vec<u8>,
    pub told: Told,
}

/// What the page says of a film.
#[derive(Default, Deserialize)]
pub struct Told {
    /// How many pictures there are; fewer than asked for where the run ended before.
    pub pictures: usize,
    /// What somebody should know about the file; empty if nothing.
    pub note: String,
    /// Why the run went no farther; empty if it did not have to.
    pub failure: String,
}

/// Names of browsers that draw without a window, on the `PATH`; and where else they are found.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
];
const ELSEWHERE: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
];
/// Names another one.
const CHOICE: &str = "ANSATZ_CHROMIUM";

/// A page that says nothing for so long is gone; it says every two seconds that it is there.
const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks at whether the browser is still there, and whether somebody wants the film.
const TICK: Duration = Duration::from_millis(200);

/// A browser that can draw without a window.
pub fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(CHOICE) {
        return Some(PathBuf::from(named));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let named = BROWSERS.iter().map(|name| format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut on_path = named.flat_map(|name| std::env::split_paths(&folders).map(move |folder| folder.join(&name)));
    on_path.find(|path| path.is_file()).or_else(|| ELSEWHERE.iter().map(PathBuf::from).find(|path| path.is_file()))
}

/// Lets a browser make what the page was ordered. `wanted` hears how many pictures there are, and says whether to go on.
pub fn film(page: String, wanted: impl FnMut(usize) -> bool) -> Result<Filmed, Refusal> {
    let Some(browser) = browser() else {
        return Err(Refusal {
            message: "pictures and films are drawn by a browser, and there is none here".to_string(),
            hint: format!(
                "install Chromium, Chrome or Edge, or name one in {CHOICE}; .svg, .glb and .tex need no browser"
            ),
        });
    };
    let trouble = |error: io::Error| refusal(&browser, &error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(trouble)?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(trouble)?;
        let token = new_token().map_err(trouble)?;
        let address = format!("http://{}/{token}", listener.local_addr().map_err(trouble)?);
        let (send, receive) = channel(16);
        let app = Router::new()
            .route("/{token}", get(serve_page))
            .route("/{token}/{about}", post(hear))
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::new(Desk { token, page, send }));
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        let mut window = Window::open(&browser, &address).map_err(trouble)?;
        let filmed = follow(&browser, &mut window, receive, wanted).await;
        server.abort();
        filmed
    })
}

fn refusal(browser: &Path, why: &str) -> Refusal {
    Refusal {
        message: format!("`{}` made no picture: {why}", browser.display()),
        hint: format!("try another browser, named in {CHOICE}; it has to draw with WebGL, without a window"),
    }
}

/// Waits for the file.
async fn follow(
    browser: &Path,
    window: &mut Window,
    mut heard: Receiver<Heard>,
    mut wanted: impl FnMut(usize) -> bool,
) -> Result<Filmed, Refusal> {
    let (mut told, mut last, mut pictures) = (Told::default(), Instant::now(), 0);
    loop {
        match tokio::time::timeout(TICK, heard.recv()).await {
            Ok(Some(Heard::Pictures(count))) => pictures = count,
            Ok(Some(Heard::Told(said))) => told = said,
            Ok(Some(Heard::File(file))) => return Ok(Filmed { file, told }),
            Ok(Some(Heard::Trouble(why))) => return Err(refusal(browser, &why)),
            Ok(None) => return Err(refusal(browser, "it lost the way back")),
            Err(_) if last.elapsed() > PATIENCE => return Err(refusal(browser, "it says nothing any more")),
            Err(_) => {
                if let Ok(Some(status)) = window.process.try_wait() {
                    return Err(refusal(browser, &format!("it ended by itself ({status})")));
                }
                if !wanted(pictures) {
                    let message = "the film was given up before it was complete".to_string();
                    return Err(Refusal { message, hint: "nothing was written".to_string() });
                }
                continue;
            }
        }
        last = Instant::now();
    }
}

/// A browser without a window, and a profile that goes with it.
struct Window {
    process: Child,
    profile: PathBuf,
}

impl Window {
    fn open(browser: &Path, address: &str) -> io::Result<Window> {
        let profile = std::env::temp_dir().join(format!("ansatz-film-{}", new_token()?));
        let mut command = Command::new(browser);
        command.arg("--headless=new").arg(format!("--user-data-dir={}", profile.display()));
        // Without graphics hardware it draws in software, which is slow and looks the same.
        command.args(["--enable-unsafe-swiftshader", "--force-device-scale-factor=1", "--hide-scrollbars"]);
        command.args(["--no-first-run", "--disable-background-networking", "--disable-component-update"]);
        command.args(["--disable-sync", "--disable-extensions", "--mute-audio"]);
        #[cfg(target_os = "linux")]
        if rustix::process::geteuid().is_root() {
            // Its own sandbox refuses to work for root, as in containers. What it opens is ours.
            command.arg("--no-sandbox");
        }
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Window { process: command.spawn()?, profile })
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = (self.process.kill(), self.process.wait());
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

struct Desk {
    token: String,
    page: String,
    send: Sender<Heard>,
}

/// What the page says.
enum Heard {
    Pictures(usize),
    Told(Told),
    File(Vec<u8>),
    Trouble(String),
}

async fn serve_page(State(desk): State<Arc<Desk>>, Place(token): Place<String>) -> Response {
    if token == desk.token { Html(desk.page.clone()).into_response() } else { StatusCode::NOT_FOUND.into_response() }
}

async fn hear(
    State(desk): State<Arc<Desk>>,
    Place((token, about)): Place<(String, String)>,
    body: Bytes,
) -> StatusCode {
    if token != desk.token {
        return StatusCode::NOT_FOUND;
    }
    let text = || String::from_utf8_lossy(&body).into_owned();
    let heard = match about.as_str() {
        "progress" => text().parse().ok().map(Heard::Pictures),
        "told" => serde_json::from_slice(&body).ok().map(Heard::Told),
        "file" => Some(Heard::File(body.to_vec())),
        "trouble" => Some(Heard::Trouble(text())),
        _ => None,
    };
    let Some(heard) = heard else { return StatusCode::BAD_REQUEST };
    match desk.send.send(heard).await {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::GONE,
    }
}
