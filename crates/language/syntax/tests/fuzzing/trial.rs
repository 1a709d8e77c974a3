//! One text tried in a thread of its own, which may panic, hang or eat memory.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Once;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::{Check, memory};

pub enum Outcome {
    /// Whether the text went far.
    Fine(bool),
    /// What went wrong, in words that are the same whenever the same goes wrong.
    Broken(String),
    Hung(String),
}

/// A thread that tries one text after another.
pub struct Worker {
    texts: Sender<String>,
    outcomes: Receiver<Result<bool, String>>,
    file: PathBuf,
}

/// After so long a text is taken to hang. It only decides when a defect is told, so it is far beyond what a busy machine
/// needs for any text that ends.
const PATIENCE: Duration = Duration::from_secs(900);
/// And so much memory, in bytes.
const LARGEST: usize = 1 << 30;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

impl Worker {
    pub fn new(name: &'static str, check: Check) -> Worker {
        catch_panic_messages();
        let (texts, inbox) = channel::<String>();
        let (outbox, outcomes) = channel();
        let work = move || {
            for text in inbox {
                if outbox.send(survive(check, &text)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name(WORKER.to_string()).spawn(work);
        thread.expect("a thread can be started");
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.anz"));
        Worker { texts, outcomes, file }
    }

    pub fn attempt(&mut self, text: &str) -> Outcome {
        std::fs::write(&self.file, text).expect("the text can be written");
        self.texts.send(text.to_string()).expect("the thread is alive");
        match self.outcomes.recv_timeout(PATIENCE) {
            Ok(Ok(went_far)) => Outcome::Fine(went_far),
            Ok(Err(defect)) => Outcome::Broken(defect),
            Err(RecvTimeoutError::Timeout) => Outcome::Hung(format!("takes more than {} s", PATIENCE.as_secs())),
            Err(RecvTimeoutError::Disconnected) => Outcome::Hung("ended the thread".to_string()),
        }
    }

    /// Nothing was found, so nothing is left behind.
    pub fn finish(self) {
        let _ = std::fs::remove_file(self.file);
    }
}

const WORKER: &str = "fuzz-worker";

fn survive(check: Check, text: &str) -> Result<bool, String> {
    let before = memory::start();
    let outcome = catch_unwind(AssertUnwindSafe(|| check(text)));
    let taken = memory::peak().saturating_sub(before);
    match outcome {
        Ok(Ok(_)) if taken > LARGEST => Err(format!("takes more than {} MiB", LARGEST >> 20)),
        Ok(result) => result,
        Err(_) => Err(PANIC.with_borrow_mut(Option::take).unwrap_or_else(|| "panic".to_string())),
    }
}

/// Panics of workers are kept rather than printed; those of others go their way.
fn catch_panic_messages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() != Some(WORKER) {
                return usual(panic);
            }
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            let message = panic.payload_as_str().unwrap_or("no message");
            // Names and numbers differ from text to text; the place does not.
            let message = message.split('`').step_by(2).collect::<Vec<_>>().join("`…`");
            let message: String = message.chars().filter(|c| !c.is_numeric()).take(200).collect();
            PANIC.with_borrow_mut(|last| *last = Some(format!("panic at {place}: {message}")));
        }));
    });
}
