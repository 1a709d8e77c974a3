//! Only the studio's own page, at the address that was printed, is listened to.

use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::client::Studio;

#[test]
fn hosts_origins_and_tokens_are_checked() {
    let studio = Studio::start("guard");
    let (host, token) = (format!("127.0.0.1:{}", studio.port), studio.token.clone());
    let own = format!("http://{host}");
    let status = |path: &str, headers: &[(&str, &str)]| studio.http(&format!("GET {path}"), headers, "").0;
    let good = format!("/api/gallery?token={token}");
    assert_eq!(status(&good, &[("Host", &host)]), 200);
    assert_eq!(status(&good, &[("Host", &host), ("Origin", &own)]), 200);
    assert_eq!(status(&format!("/?token={token}"), &[("Host", &host)]), 200);
    // A name that someone else's name server points at this machine.
    assert_eq!(status(&good, &[("Host", "evil.example")]), 403);
    assert_eq!(status(&good, &[("Host", &format!("evil.example:{}", studio.port))]), 403);
    // One name that is right, and another beside it.
    assert_eq!(status(&good, &[("Host", &host), ("Host", "evil.example")]), 403);
    // A page of another origin.
    assert_eq!(status(&good, &[("Host", &host), ("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&good, &[("Host", &host), ("Origin", "null")]), 403);
    assert_eq!(status(&good, &[("Host", &host), ("Origin", &format!("{own}.evil.example"))]), 403);
    // No token, a wrong one, a part of it.
    for path in
        ["/", "/index.html", "//index.html", "/api/gallery", "/api/file?path=a.anz", "/api/run", "/api/anything"]
    {
        assert_eq!(status(path, &[("Host", &host)]), 403, "{path}");
    }
    assert_eq!(status(&format!("/api/gallery?token={}", &token[1..]), &[("Host", &host)]), 403);
    assert_eq!(status(&format!("/api/gallery?token={token}0"), &[("Host", &host)]), 403);
    assert_eq!(status("/api/gallery?token=", &[("Host", &host)]), 403);
}

#[test]
fn every_answer_has_a_policy() {
    let studio = Studio::start("policy");
    let host = format!("127.0.0.1:{}", studio.port);
    for path in [format!("/?token={}", studio.token), "/nothing".to_string(), "/api/gallery".to_string()] {
        let (_, answer) = studio.http(&format!("GET {path}"), &[("Host", &host)], "");
        assert!(answer.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{answer}");
        assert!(answer.contains("referrer-policy: no-referrer"), "the token is in the address");
    }
}

#[tokio::test]
async fn a_socket_needs_an_origin_and_a_token() {
    let studio = Studio::start("socket");
    let connect = async |token: &str, origin: Option<&str>| {
        let address = format!("ws://127.0.0.1:{}/api/run?token={token}", studio.port);
        let mut request = address.into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("an origin"));
        }
        tokio_tungstenite::connect_async(request).await.is_ok()
    };
    let own = format!("http://127.0.0.1:{}", studio.port);
    assert!(connect(&studio.token, Some(&own)).await);
    assert!(!connect(&studio.token, None).await);
    assert!(!connect(&studio.token, Some("http://evil.example")).await);
    assert!(!connect("wrong", Some(&own)).await);
}

/// A connection that is held open does not wait for ever, and keeps nobody else waiting.
#[test]
fn half_a_request_is_given_up() {
    use std::io::{Read, Write};
    let studio = Studio::start("half");
    let host = format!("127.0.0.1:{}", studio.port);
    let mut halves: Vec<_> = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: 127", "nonsense"]
        .iter()
        .flat_map(|half| std::iter::repeat_n(half, 40))
        .map(|half| {
            let mut socket = std::net::TcpStream::connect(("127.0.0.1", studio.port)).expect("a connection");
            socket.write_all(half.as_bytes()).expect("it listens");
            socket
        })
        .collect();
    let put = format!(
        "PUT /api/file?path=a.anz&token={} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99\r\n\r\nscene",
        studio.token
    );
    let mut body = std::net::TcpStream::connect(("127.0.0.1", studio.port)).expect("a connection");
    body.write_all(put.as_bytes()).expect("it listens");
    halves.push(body);
    assert_eq!(studio.ask("GET", "/api/gallery", "").0, 200);
    for socket in &mut halves {
        // The server ends it, perhaps with a word about why; if it never did, this would wait in vain.
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));
    }
    assert_eq!(studio.ask("GET", "/api/gallery", "").0, 200);
    assert!(!studio.folder.join("a.anz").exists());
}

#[test]
fn other_machines_cannot_connect() {
    let studio = Studio::start("loopback");
    // Whatever address this machine has besides, nobody listens on it; the whole range of loopback is this machine too.
    assert!(std::net::TcpStream::connect(("127.0.0.2", studio.port)).is_err());
}
