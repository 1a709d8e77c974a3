//! Who may talk to the server: a page that it served itself, to someone who knows the address.
//!
//! A page of another origin cannot name this one in `Host` or `Origin`, and does not know the token, which is new for every server.

use std::io;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{LARGEST_SOURCE, LONGEST_BODY, Shared};

pub struct Guard {
    hosts: [String; 2],
    token: String,
}

/// A text as JSON is longer than itself.
const LARGEST_BODY: usize = 4 * LARGEST_SOURCE;

/// What the browser is told of every answer. Styles are written into the page by the editor and the typesetter.
const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         font-src 'self' data:; connect-src 'self' blob: data:; worker-src 'self' blob:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

impl Guard {
    pub fn new(port: u16, token: String) -> Guard {
        Guard { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")], token }
    }

    /// Why a request is refused.
    fn refuse(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        // Of two names nobody knows which one somebody in between has looked at.
        let mut names = headers.get_all(header::HOST).iter();
        let host = names.next().filter(|_| names.next().is_none()).and_then(|host| host.to_str().ok());
        if !host.is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Some("this is not the name of this server");
        }
        let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or(""));
        let own = |origin: &str| {
            origin.strip_prefix("http://").is_some_and(|host| self.hosts.iter().any(|known| known == host))
        };
        let socket = uri.path() == "/api/run";
        if origin.map_or(socket, |origin| !own(origin)) {
            return Some("only the studio's own page may ask this");
        }
        // What the page is made of is no secret; the page itself, and all that it does, needs the token.
        let path = uri.path().trim_start_matches('/');
        let secret = path.is_empty() || path == "index.html" || path.starts_with("api");
        if secret && !self.has_token(uri) {
            return Some(
                "the token of the address is missing or wrong; open the address that was printed when the studio was started",
            );
        }
        None
    }

    fn has_token(&self, uri: &Uri) -> bool {
        let given = uri.query().unwrap_or("").split('&').find_map(|pair| pair.strip_prefix("token=")).unwrap_or("");
        // Every byte is looked at, so that nobody learns from the time how many were right.
        let same = given.bytes().zip(self.token.bytes()).fold(0, |different, (a, b)| different | (a ^ b)) == 0;
        same && given.len() == self.token.len()
    }
}

pub fn new_token() -> io::Result<String> {
    let mut bytes = [0_u8; 24];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The request with all that was sent with it, if that came in time. How long it may be is up to what is asked.
async fn whole(request: Request) -> Result<Request, Response> {
    let (head, body) = request.into_parts();
    match tokio::time::timeout(LONGEST_BODY, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Body::from(body))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "this is more than anybody writes").into_response()),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "what was sent did not come to an end").into_response()),
    }
}

pub async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.refuse(request.uri(), request.headers()) {
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        None => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(refusal) => refusal,
        },
    };
    for &(name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
