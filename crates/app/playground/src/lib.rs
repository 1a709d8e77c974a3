//! The compiler for a page without a server: a worker of the studio as WebAssembly.
//!
//! `web/src/playground/worker.ts` carries messages to and fro: it writes one into [`room`], says [`receive`], and lets [`turn`] compute whenever
//! something is due. The page speaks the protocol of the studio, and does not know the difference.
#![cfg(target_arch = "wasm32")]
#![allow(unsafe_code, reason = "functions that a page calls keep their names")]

use std::cell::RefCell;
use std::ops::ControlFlow::Continue;
use std::path::Path;
use std::time::Duration;

use ansatz::{Options, Scene};
use studio::{Message, Worker};

/// A message to the page, beside those of the studio's workers: what went wrong in the compiler itself.
const DEFECT: u8 = 3;
/// Another one: the hash of a run.
const HASH: u8 = 4;

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::new(Worker::new(Path::new("")));
    static INBOX: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where the page writes so many bytes, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    INBOX.with_borrow_mut(|inbox| {
        inbox.resize(bytes, 0);
        inbox.as_mut_ptr()
    })
}

/// A message of this kind was written. Whatever it means is done, but for a run, which goes on with [`turn`].
#[unsafe(no_mangle)]
pub extern "C" fn receive(kind: u32) {
    std::panic::set_hook(Box::new(|panic| host::send(DEFECT, panic.to_string().as_bytes())));
    let Ok(message) = Message::from_parts(kind as u8, INBOX.take()) else { return };
    WORKER.with_borrow_mut(|worker| worker.receive(&message));
}

/// Computes if something is due, and gives the milliseconds until something is; a negative number if nothing is until a message comes.
#[unsafe(no_mangle)]
pub extern "C" fn turn() -> f64 {
    WORKER.with_borrow_mut(|worker| {
        if worker.wait() == Some(Duration::ZERO) {
            worker.tick();
        }
        worker.tell();
        worker.wait().map_or(-1.0, |wait| wait.as_secs_f64() * 1e3)
    })
}

/// Runs the text that was written as `ansatz run --hash --until … --every …` does, and sends the hash of its rows; nothing if it does not compile.
#[unsafe(no_mangle)]
pub extern "C" fn hash(until: f64, every: f64) {
    let text = String::from_utf8(INBOX.take()).unwrap_or_default();
    let mut hash = driver::Hash::default();
    let run = Scene::compile("scene.anz", &text, &Options::default()).and_then(|scene| scene.instance());
    if let Ok(mut run) = run {
        let row = |t: f64, values: &[f64]| {
            hash.row(t, values);
            Continue(())
        };
        run.run(until, every, row, |_| Continue(()));
        host::send(HASH, hash.to_string().as_bytes());
    }
}
