//! Messages over standard input and output, however they arrive: what is none is passed over, and the next one is found again.

use std::io::{self, BufRead, Read, Write};
use std::thread::JoinHandle;

use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use serde_json::{Value, json};

/// In bytes; texts that are checked are shorter by far.
const LARGEST_MESSAGE: u64 = 64 << 20;
/// What precedes a message has two short lines.
const LONGEST_LINE: u64 = 1 << 12;

/// A connection, and the thread that writes to it, which ends when the connection is dropped.
pub fn connect() -> (Connection, JoinHandle<io::Result<()>>) {
    let (ours, editors) = Connection::memory();
    let Connection { sender, receiver } = editors;
    let answers = ours.sender.clone();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(read) = receive(&mut input) {
            let is_exit = matches!(&read, Ok(Message::Notification(told)) if told.method == "exit");
            let listens = match read {
                Ok(message) => sender.send(message).is_ok(),
                Err(answer) => answers.send(answer).is_ok(),
            };
            if is_exit || !listens {
                return;
            }
        }
    });
    let writer = std::thread::spawn(move || {
        let mut output = io::stdout();
        receiver.into_iter().try_for_each(|message| {
            message.write(&mut output)?;
            output.flush()
        })
    });
    (ours, writer)
}

/// The next message, or what to say to something that is none; nothing where nothing comes any more.
fn receive(input: &mut impl BufRead) -> Option<Result<Message, Message>> {
    let length = length(input)?;
    if length > LARGEST_MESSAGE {
        // Whether so much comes or not: it is not kept.
        io::copy(&mut input.take(length), &mut io::sink()).ok()?;
        return Some(Err(strange(None, "it is too long")));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes).ok()?;
    let message = match serde_json::from_slice::<Value>(&bytes) {
        Ok(message) => message,
        Err(error) => return Some(Err(strange(None, &error.to_string()))),
    };
    let id = serde_json::from_value::<RequestId>(message["id"].clone()).ok();
    Some(serde_json::from_value(message).map_err(|error| strange(id, &error.to_string())))
}

/// What is announced as the length of the next message. Lines that announce nothing are not meant for anybody.
fn length(input: &mut impl BufRead) -> Option<u64> {
    let mut announced = None;
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim().split_once(':'), announced) {
            (Some((name, value)), _) if name.eq_ignore_ascii_case("Content-Length") => {
                announced = value.trim().parse().ok();
            }
            (None, Some(length)) if line.trim().is_empty() => return Some(length),
            _ => {}
        }
    }
}

fn strange(id: Option<RequestId>, why: &str) -> Message {
    let said = format!("this is no message of the language server protocol: {why}");
    match id {
        Some(id) => Message::Response(Response::new_err(id, ErrorCode::InvalidRequest as i32, said)),
        None => Message::Notification(Notification::new(
            "window/logMessage".to_string(),
            json!({ "type": 2, "message": said }),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut input = bytes;
        let name = |message: Message| match message {
            Message::Request(request) => request.method,
            Message::Notification(told) => told.method,
            Message::Response(response) => response.id.to_string(),
        };
        std::iter::from_fn(|| receive(&mut input)).map(|read| read.map(name).map_err(name)).collect()
    }

    #[test]
    fn the_next_message_is_found_again() {
        let good = br#"{"jsonrpc":"2.0","method":"good"}"#;
        let framed = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        let strange: [(&[u8], &[&str]); 7] = [
            (b"\xff\x00\r\n\r\nnonsense\n", &[]),
            (b"Content-Length: -5\r\n\r\nContent-Length: 99999999999999999999\r\n", &[]),
            (&framed(b"\xff\xfe{"), &["window/logMessage"]),
            (&framed(b"null"), &["window/logMessage"]),
            (&framed(&b"[".repeat(100_000)), &["window/logMessage"]),
            (&framed(br#"{"id":7,"method":5}"#), &["7"]),
            (&framed(b""), &["window/logMessage"]),
        ];
        for (before, refused) in strange {
            let mut expected: Vec<_> = refused.iter().map(|it| Err(it.to_string())).collect();
            expected.push(Ok("good".to_string()));
            assert_eq!(read(&[before, &framed(good)].concat()), expected, "{:?}", String::from_utf8_lossy(before));
        }
        // What was announced and never comes is not waited for in memory.
        assert_eq!(read(b"Content-Length: 9999999999999\r\n\r\n{}").len(), 1);
    }
}
