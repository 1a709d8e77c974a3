//! The server: the page, the manual, the files of one folder, and one socket for each tab. It listens on this machine alone.

mod export;
mod files;
mod guard;
mod memory;
mod tab;
mod work;
mod worker;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::Listener;
use axum::{Json, Router, middleware};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use files::{FileError, Known};
pub use files::{Folder, example_entries};
use guard::Guard;
pub use guard::new_token;
use work::Works;

use crate::embedded;
use crate::protocol::{Export, Gallery, Work};

/// Texts beyond this size are refused: no person wrote them.
pub const LARGEST_SOURCE: usize = 1 << 20;

/// Where the scenes of the manual are, unless the opened folder has files of the same path.
const MANUAL: &str = "docs/";

/// A request whose beginning takes longer is given up, and so is a connection that asks nothing. A browser on this machine needs
/// milliseconds.
const LONGEST_HEADER: Duration = Duration::from_secs(10);
/// What is sent with a request may take so long.
const LONGEST_BODY: Duration = Duration::from_secs(30);

/// Tabs at a time.
const MOST_TABS: usize = 32;

pub struct Options {
    pub folder: Folder,
    /// Where this program keeps what should outlive it; none where there is no such place.
    pub state: Option<PathBuf>,
    /// 0 takes the usual one, or any that is free.
    pub port: u16,
    /// The program that works for each tab, with its arguments.
    pub worker: (PathBuf, Vec<String>),
    /// Makes the pages that are served below `/docs/`, when someone asks for the first of them.
    pub manual: fn() -> Pages,
}

/// Files by their paths.
pub type Pages = HashMap<String, Cow<'static, [u8]>>;

/// A server that listens, and its address.
pub struct Server {
    listener: TcpListener,
    app: Router,
    pub address: SocketAddr,
    pub token: String,
}

pub(crate) struct Shared {
    folder: Folder,
    works: Works,
    guard: Guard,
    worker: (PathBuf, Vec<String>),
    tabs: Arc<Semaphore>,
    exports: Semaphore,
    manual: LazyLock<Pages>,
}

/// Browsers keep what a page remembers (theme, layout, thumbnails) by its address, so that is the same each time, where nobody else listens there.
/// Nobody has registered it.
const USUAL_PORT: u16 = 4127;

async fn listen(port: u16) -> io::Result<TcpListener> {
    if port != 0 {
        return TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    }
    match TcpListener::bind((Ipv4Addr::LOCALHOST, USUAL_PORT)).await {
        Ok(listener) => Ok(listener),
        Err(_) => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await,
    }
}

impl Server {
    pub async fn bind(options: Options) -> io::Result<Server> {
        let listener = listen(options.port).await?;
        let address = listener.local_addr()?;
        let token = guard::new_token()?;
        let (program, mut arguments) = options.worker;
        arguments.push(options.folder.root.display().to_string());
        let shared = Arc::new(Shared {
            works: Works::new(options.state.as_deref(), &options.folder.root),
            folder: options.folder,
            guard: Guard::new(address.port(), token.clone()),
            worker: (program, arguments),
            tabs: Arc::new(Semaphore::new(MOST_TABS)),
            exports: Semaphore::new(export::MOST),
            manual: LazyLock::new(options.manual),
        });
        let app = Router::new()
            .route("/api/gallery", get(gallery))
            .route("/api/file", get(read_file).put(write_file))
            // A text as JSON is longer than itself.
            .route("/api/work", get(read_work).put(keep_work).layer(DefaultBodyLimit::max(4 * LARGEST_SOURCE)))
            .route("/api/export", post(write_export).layer(DefaultBodyLimit::max(4 * LARGEST_SOURCE)))
            .route("/api/run", get(run))
            .route("/api/{*rest}", get(nowhere))
            .route("/docs/{*page}", get(manual))
            .fallback(get(page))
            .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
            .layer(DefaultBodyLimit::max(LARGEST_SOURCE))
            .with_state(shared);
        Ok(Server { listener, app, address, token })
    }

    /// The address of a page of the manual.
    pub fn manual_url(&self, page: &str) -> String {
        format!("http://{}/docs/{page}?token={}", self.address, self.token)
    }

    /// The address of the page, perhaps with a file to open first.
    pub fn url(&self, open: Option<&str>) -> String {
        let open = open.map_or(String::new(), |path| format!("&open={}", percent_encode(path)));
        format!("http://{}/?token={}{open}", self.address, self.token)
    }

    pub async fn serve(mut self) -> io::Result<()> {
        tokio::spawn(memory::watch());
        let mut protocol = auto::Builder::new(TokioExecutor::new()).http1_only();
        protocol.http1().timer(TokioTimer::new()).header_read_timeout(LONGEST_HEADER);
        let protocol = Arc::new(protocol);
        loop {
            let (connection, _) = Listener::accept(&mut self.listener).await;
            // Small messages that wait for each other would wait for forty milliseconds.
            let _ = connection.set_nodelay(true);
            let (protocol, service) = (protocol.clone(), TowerToHyperService::new(self.app.clone()));
            tokio::spawn(async move {
                if !begins(&connection).await {
                    return;
                }
                // Whoever goes away in the middle of something does not hear about it.
                let _ = protocol.serve_connection_with_upgrades(TokioIo::new(connection), service).await;
            });
        }
    }
}

/// Whether anything comes; before the first byte the protocol does not look at the clock.
async fn begins(connection: &TcpStream) -> bool {
    let first = tokio::time::timeout(LONGEST_HEADER, connection.peek(&mut [0])).await;
    matches!(first, Ok(Ok(1..)))
}

#[derive(Deserialize)]
struct FileQuery {
    path: String,
}

async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match embedded::PAGE.iter().find(|(known, _)| *known == path) {
        Some((_, bytes)) => ([(header::CONTENT_TYPE, media_type(path))], Body::from(*bytes)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn manual(State(shared): State<Arc<Shared>>, Path(page): Path<String>) -> Response {
    blocking(move || match shared.manual.get(&page) {
        Some(bytes) => Ok(([(header::CONTENT_TYPE, media_type(&page))], bytes.clone())),
        None => Err(FileError::new(
            StatusCode::NOT_FOUND,
            format!("the manual has no page `{page}`"),
            "see /docs/index.html",
        )),
    })
    .await
}

async fn nowhere() -> StatusCode {
    StatusCode::NOT_FOUND
}

async fn gallery(State(shared): State<Arc<Shared>>) -> Response {
    blocking(move || Ok(Json(Gallery { recent: shared.works.recent(), ..shared.folder.gallery() }))).await
}

async fn read_work(State(shared): State<Arc<Shared>>, Query(query): Query<FileQuery>) -> Response {
    blocking(move || Ok(Json(shared.works.read(&query.path)))).await
}

async fn keep_work(State(shared): State<Arc<Shared>>, Json(work): Json<Work>) -> Response {
    blocking(move || shared.works.keep(work).map(Json)).await
}

async fn read_file(State(shared): State<Arc<Shared>>, Query(query): Query<FileQuery>, headers: HeaderMap) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|version| version.to_str().ok()).map(str::to_string);
    blocking(move || {
        let bytes = shared.folder.read(&query.path).or_else(|error| {
            let scene = query.path.strip_prefix(MANUAL).filter(|path| path.ends_with(".anz"));
            scene.and_then(|path| shared.manual.get(path)).map(|text| text.to_vec()).ok_or(error)
        })?;
        let media = media_type(&query.path).to_string();
        let version = files::version(&bytes);
        if known.as_ref() == Some(&version) {
            return Ok(StatusCode::NOT_MODIFIED.into_response());
        }
        Ok(([(header::CONTENT_TYPE, media), (header::ETAG, version)], bytes).into_response())
    })
    .await
}

async fn write_file(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<FileQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let known = match (text(header::IF_MATCH), text(header::IF_NONE_MATCH)) {
        (Some(version), _) => Known::Version(version.to_string()),
        (None, Some("*")) => Known::Nothing,
        _ => Known::Anything,
    };
    blocking(move || {
        shared.folder.write(&query.path, &body, &known)?;
        Ok((StatusCode::NO_CONTENT, [(header::ETAG, files::version(&body))]))
    })
    .await
}

async fn write_export(State(shared): State<Arc<Shared>>, Json(order): Json<Export>) -> Response {
    export::export(&shared, order).await.unwrap_or_else(IntoResponse::into_response)
}

async fn run(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = shared.tabs.clone().try_acquire_owned() else {
        return FileError::new(StatusCode::SERVICE_UNAVAILABLE, "too many tabs are open", "close some of them")
            .into_response();
    };
    let size = LARGEST_SOURCE + LARGEST_SOURCE / 2;
    upgrade.max_message_size(size).max_frame_size(size).on_upgrade(async move |socket| {
        tab::serve(socket, &shared.worker).await;
        drop(permit);
    })
}

/// Files are read and written where waiting does no harm.
async fn blocking<T: IntoResponse + Send + 'static>(
    work: impl FnOnce() -> Result<T, FileError> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(answer)) => answer.into_response(),
        Ok(Err(error)) => error.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn media_type(path: &str) -> &'static str {
    const TYPES: &[(&str, &str)] = &[
        ("html", "text/html; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"),
        ("css", "text/css; charset=utf-8"),
        ("json", "application/json"),
        ("svg", "image/svg+xml"),
        ("webp", "image/webp"),
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("ico", "image/x-icon"),
        ("woff2", "font/woff2"),
        ("woff", "font/woff"),
        ("ttf", "font/ttf"),
        ("wasm", "application/wasm"),
        ("glb", "model/gltf-binary"),
        ("gltf", "model/gltf+json"),
        ("pdf", "application/pdf"),
        ("anz", "text/plain; charset=utf-8"),
    ];
    let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
    TYPES.iter().find(|(known, _)| *known == kind).map_or("application/octet-stream", |(_, media)| media)
}

fn percent_encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
