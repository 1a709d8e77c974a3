//! Messages between the server and a worker, through its standard input and output: a kind, a length, and so many bytes.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// No message is longer.
const LONGEST: usize = 256 << 20;

#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// JSON for the page, or from it.
    Text(Vec<u8>),
    /// Frames for the page.
    Binary(Vec<u8>),
    /// JSON between server and worker.
    Private(Vec<u8>),
}

/// What the page does not see.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Private {
    /// From the worker: the text is good, and the run can start.
    Ready,
    /// To the worker: start, from a state if there is one that fits.
    Start(Option<Snapshot>),
    /// To the worker: what is the state?
    TakeSnapshot,
    /// From the worker.
    Snapshot(Snapshot),
    /// From the worker: the files that its text was compiled with, theories, data and those of other programs.
    Read(Vec<PathBuf>),
    /// From the worker: the answer to a question about a text, as the page is to have it.
    Answer(String),
}

/// Where a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub t: f64,
    pub states: BTreeMap<String, f64>,
}

impl Message {
    pub fn private(private: &Private) -> Message {
        Message::Private(serde_json::to_vec(private).unwrap_or_default())
    }

    pub fn parts(&self) -> (u8, &[u8]) {
        match self {
            Message::Text(bytes) => (0, bytes),
            Message::Binary(bytes) => (1, bytes),
            Message::Private(bytes) => (2, bytes),
        }
    }

    pub fn from_parts(kind: u8, bytes: Vec<u8>) -> io::Result<Message> {
        match kind {
            0 => Ok(Message::Text(bytes)),
            1 => Ok(Message::Binary(bytes)),
            2 => Ok(Message::Private(bytes)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (kind, bytes) = self.parts();
        out.write_all(&head(kind, bytes.len()))?;
        out.write_all(bytes)?;
        out.flush()
    }

    pub fn read(input: &mut impl Read) -> io::Result<Message> {
        let mut head = [0; 5];
        input.read_exact(&mut head)?;
        let mut bytes = vec![0; length(&head)?];
        input.read_exact(&mut bytes)?;
        Message::from_parts(head[0], bytes)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Message {
    pub async fn send(&self, out: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let (kind, bytes) = self.parts();
        out.write_all(&head(kind, bytes.len())).await?;
        out.write_all(bytes).await?;
        out.flush().await
    }

    pub async fn receive(input: &mut (impl AsyncRead + Unpin)) -> io::Result<Message> {
        let mut head = [0; 5];
        input.read_exact(&mut head).await?;
        let mut bytes = vec![0; length(&head)?];
        input.read_exact(&mut bytes).await?;
        Message::from_parts(head[0], bytes)
    }
}

fn head(kind: u8, length: usize) -> [u8; 5] {
    let [a, b, c, d] = (length as u32).to_le_bytes();
    [kind, a, b, c, d]
}

fn length(head: &[u8; 5]) -> io::Result<usize> {
    let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
    if length > LONGEST { Err(io::ErrorKind::InvalidData.into()) } else { Ok(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let messages = [Message::Text(b"{}".to_vec()), Message::Binary(vec![0; 9]), Message::private(&Private::Ready)];
        let mut bytes = Vec::new();
        messages.iter().for_each(|message| message.write(&mut bytes).expect("room"));
        let mut input = bytes.as_slice();
        for message in &messages {
            assert_eq!(Message::read(&mut input).expect("a message"), *message);
        }
        assert!(Message::read(&mut input).is_err());
        assert!(Message::read(&mut [0_u8, 255, 255, 255, 255].as_slice()).is_err(), "a message beyond all bounds");
    }
}
