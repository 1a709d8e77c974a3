//! A worker as the server sees it: a process to talk to, which ends when nobody holds it any more.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::Sender;

use crate::pipe::Message;

pub struct Worker {
    pub number: u64,
    input: ChildStdin,
    /// Killed when it is dropped.
    _process: Child,
}

/// What a worker said; nothing if it has ended.
pub type Event = (u64, Option<Message>);

impl Worker {
    pub fn start(
        number: u64,
        (program, arguments): &(PathBuf, Vec<String>),
        events: Sender<Event>,
    ) -> io::Result<Worker> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(mut output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        tokio::spawn(async move {
            while let Ok(message) = Message::receive(&mut output).await {
                if events.send((number, Some(message))).await.is_err() {
                    return;
                }
            }
            let _ = events.send((number, None)).await;
        });
        Ok(Worker { number, input, _process: process })
    }

    /// Whether it could be told.
    pub async fn tell(&mut self, message: &Message) -> bool {
        message.send(&mut self.input).await.is_ok()
    }
}
