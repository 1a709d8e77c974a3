//! Where everything goes that a worker says.

use crate::pipe::{Message, Private};
use crate::protocol::Reply;

#[cfg(not(target_arch = "wasm32"))]
use std::io::{BufWriter, Stdout, stdout};

/// A process speaks through its standard output, a worker of a page to the page.
pub struct Outbox {
    #[cfg(not(target_arch = "wasm32"))]
    out: BufWriter<Stdout>,
}

impl Outbox {
    pub fn new() -> Outbox {
        Outbox {
            #[cfg(not(target_arch = "wasm32"))]
            out: BufWriter::new(stdout()),
        }
    }

    pub fn reply(&mut self, reply: &Reply) {
        self.send(&Message::Text(serde_json::to_vec(reply).unwrap_or_default()));
    }

    pub fn private(&mut self, private: &Private) {
        self.send(&Message::private(private));
    }

    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        self.send(&Message::Binary(numbers.into_iter().flat_map(f64::to_le_bytes).collect()));
    }

    /// If nobody listens, there is nothing left to do.
    #[cfg(not(target_arch = "wasm32"))]
    fn send(&mut self, message: &Message) {
        if message.write(&mut self.out).is_err() {
            std::process::exit(0);
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn send(&mut self, message: &Message) {
        let (kind, bytes) = message.parts();
        host::send(kind, bytes);
    }
}
