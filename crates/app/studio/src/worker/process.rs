//! A worker as a process of its own: what it knows comes through its standard input.

use std::io::{self, BufReader};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use super::Worker;
use crate::pipe::Message;

/// Of all that a worker has.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 << 30;

/// What the process `ansatz studio-worker` does.
pub fn work(root: &Path) -> ExitCode {
    limit_memory_of(std::process::id());
    let (mut worker, inbox) = (Worker::new(root), listen());
    while !worker.is_done() {
        match next_message(&worker, &inbox) {
            Ok(message) => {
                worker.receive(&message);
                // Whatever has come in the meantime is handled before anything is computed.
                while let Ok(message) = inbox.try_recv() {
                    worker.receive(&message);
                }
            }
            Err(RecvTimeoutError::Timeout) => worker.tick(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        worker.tell();
    }
    ExitCode::SUCCESS
}

/// Waits until something comes, or something is to be computed.
fn next_message(worker: &Worker, inbox: &Receiver<Message>) -> Result<Message, RecvTimeoutError> {
    match worker.wait() {
        None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(time) => inbox.recv_timeout(time),
    }
}

/// Gives another process of ours, by its number, the memory of a worker and no more.
#[cfg(target_os = "linux")]
pub fn limit_memory_of(process: u32) {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let hard = getrlimit(Resource::As).maximum;
    let limit = hard.map_or(MEMORY, |hard| hard.min(MEMORY));
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // Where there are no such limits, the server's other limits still hold.
    let _ = prlimit(process, Resource::As, Rlimit { current: Some(limit), maximum: hard });
}

#[cfg(not(target_os = "linux"))]
pub fn limit_memory_of(_: u32) {}

/// Reads what comes in a thread of its own; when nothing can come any more, nobody wants this process.
fn listen() -> Receiver<Message> {
    let (sender, inbox) = channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(message) = Message::read(&mut input) {
            if sender.send(message).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    inbox
}
