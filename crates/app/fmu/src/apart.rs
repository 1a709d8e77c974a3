//! The library of a unit in a process of its own. A library may crash, abort, or never come back: then that process ends, and what called it reads why.
//!
//! The process is a copy of this one (`fork`), which loads the library and does what it is asked, one order after the other, until nobody asks any more.
//! Orders that only set something wait for the next question, so that an evaluation is one message there and one back.
#![allow(unsafe_code, reason = "only the system can make a process that is a copy of this one, and limit it")]

use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::Unpacked;
use crate::calls::{self, Told};
use crate::description::{Called, Description, Interface, Number};

/// In seconds of computing, for one message: what takes longer never comes back.
const PATIENCE: i64 = 60;
/// The same, if somebody knows better.
const PATIENCE_NAME: &str = "ANSATZ_FMU_SECONDS";

/// What can be asked for. The first number of an order is one of these, the second an instance.
#[derive(Clone, Copy)]
enum Order {
    New,
    Free,
    EnterInitialization,
    ExitInitialization,
    EnterEventMode,
    EnterContinuousTime,
    Update,
    SetTime,
    SetStates,
    States,
    Indicators,
    Step,
    Set,
    All,
    Slope,
    Tick,
}

const ORDERS: [Order; 16] = [
    Order::New,
    Order::Free,
    Order::EnterInitialization,
    Order::ExitInitialization,
    Order::EnterEventMode,
    Order::EnterContinuousTime,
    Order::Update,
    Order::SetTime,
    Order::SetStates,
    Order::States,
    Order::Indicators,
    Order::Step,
    Order::Set,
    Order::All,
    Order::Slope,
    Order::Tick,
];

const NUMBERS: [Number; 11] = [
    Number::Float64,
    Number::Float32,
    Number::Int8,
    Number::UInt8,
    Number::Int16,
    Number::UInt16,
    Number::Int32,
    Number::UInt32,
    Number::Int64,
    Number::UInt64,
    Number::Boolean,
];

/// A library that is loaded in a process of its own.
pub struct Loaded {
    line: Mutex<Line>,
}

struct Line {
    stream: UnixStream,
    process: libc::pid_t,
    /// Orders that nobody waits for.
    waiting: Vec<u8>,
    /// Why there is no process any more.
    ended: Option<String>,
}

impl Loaded {
    pub fn open(unpacked: Unpacked, description: &Description, interface: Interface) -> Result<Loaded, String> {
        let trouble = |error: io::Error| format!("no process for its library can be started: {error}");
        let (ours, theirs) = UnixStream::pair().map_err(trouble)?;
        // SAFETY: the copy has this thread alone. It calls the library and its own functions, and never returns from `serve`.
        let process = unsafe { libc::fork() };
        match process {
            -1 => return Err(trouble(io::Error::last_os_error())),
            0 => serve(theirs, || calls::Loaded::open(unpacked, description, interface)),
            _ => drop(theirs),
        }
        let loaded = Loaded { line: Mutex::new(Line { stream: ours, process, waiting: Vec::new(), ended: None }) };
        loaded.line().answer()?;
        Ok(loaded)
    }

    fn line(&self) -> std::sync::MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn has_ended(&self) -> bool {
        self.line().ended.is_some()
    }
}

impl Line {
    fn put(&mut self, order: Order, instance: u32, numbers: impl IntoIterator<Item = f64>) {
        let numbers: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        self.waiting.push(order as u8);
        self.waiting.extend(instance.to_le_bytes());
        self.waiting.extend((numbers.len() as u32 / 8).to_le_bytes());
        self.waiting.extend(numbers);
    }

    /// Sends what waits, and gives what the last order of it finds.
    fn ask(&mut self) -> Result<Vec<f64>, String> {
        if let Some(why) = &self.ended {
            return Err(why.clone());
        }
        let message = std::mem::take(&mut self.waiting);
        let sent = send(&mut self.stream, &message);
        match sent {
            Ok(()) => self.answer(),
            Err(_) => Err(self.end()),
        }
    }

    fn answer(&mut self) -> Result<Vec<f64>, String> {
        let Ok(message) = receive(&mut self.stream) else { return Err(self.end()) };
        match message.split_first() {
            Some((0, numbers)) => Ok(numbers.chunks_exact(8).map(number).collect()),
            Some((_, words)) => Err(String::from_utf8_lossy(words).into_owned()),
            None => Err(self.end()),
        }
    }

    /// How the process ended, in words.
    fn end(&mut self) -> String {
        let mut status = 0;
        // SAFETY: it is our own process, which nobody else waits for; the line is closed, so it ends if it has not.
        unsafe {
            libc::kill(self.process, libc::SIGKILL);
            libc::waitpid(self.process, &raw mut status, 0);
        }
        let why = match ExitStatus::from_raw(status).signal() {
            Some(libc::SIGVTALRM) => {
                format!("it did not come back from a call after {} s of computing", patience())
            }
            Some(libc::SIGSEGV | libc::SIGBUS) => "its library crashed: it used memory that is not its own".to_string(),
            Some(libc::SIGABRT) => "its library gave up by itself (abort)".to_string(),
            Some(libc::SIGFPE) => "its library crashed: it divided by zero, or alike".to_string(),
            Some(libc::SIGILL) => {
                "its library crashed: it has instructions that this processor does not know".to_string()
            }
            Some(signal) => format!("its process was ended from outside (signal {signal})"),
            None => "its library ended its process".to_string(),
        };
        self.ended.get_or_insert(why).clone()
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.end();
        }
    }
}

fn patience() -> i64 {
    let given = std::env::var(PATIENCE_NAME).ok().and_then(|text| text.parse().ok());
    given.filter(|seconds| *seconds > 0).unwrap_or(PATIENCE)
}

fn number(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(std::array::from_fn(|at| bytes[at]))
}

fn send(stream: &mut UnixStream, message: &[u8]) -> io::Result<()> {
    stream.write_all(&[&(message.len() as u64).to_le_bytes()[..], message].concat())
}

fn receive(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    stream.read_exact(&mut length)?;
    let mut message = vec![0; u64::from_le_bytes(length) as usize];
    stream.read_exact(&mut message)?;
    Ok(message)
}

/// One instance of a unit.
pub struct Instance {
    of: Arc<Loaded>,
    number: u32,
}

impl Instance {
    pub fn new(of: &Arc<Loaded>) -> Result<Instance, String> {
        let mut line = of.line();
        line.put(Order::New, 0, []);
        let made = line.ask()?;
        let number = made.first().copied().ok_or("its library made no instance")? as u32;
        Ok(Instance { of: of.clone(), number })
    }

    fn later(&self, order: Order, numbers: impl IntoIterator<Item = f64>) -> Result<(), String> {
        self.of.line().put(order, self.number, numbers);
        Ok(())
    }

    fn now(&self, order: Order, numbers: impl IntoIterator<Item = f64>) -> Result<Vec<f64>, String> {
        let mut line = self.of.line();
        line.put(order, self.number, numbers);
        line.ask()
    }

    pub fn enter_initialization(&self) -> Result<(), String> {
        self.later(Order::EnterInitialization, [])
    }

    pub fn exit_initialization(&self) -> Result<(), String> {
        self.now(Order::ExitInitialization, []).map(drop)
    }

    pub fn enter_event_mode(&self) -> Result<(), String> {
        self.later(Order::EnterEventMode, [])
    }

    pub fn enter_continuous_time(&self) -> Result<(), String> {
        self.later(Order::EnterContinuousTime, [])
    }

    pub fn update(&self) -> Result<Told, String> {
        let told = self.now(Order::Update, [])?;
        Ok(Told { next: Some(told[0]).filter(|next| !next.is_nan()), ends: told[1] != 0.0 })
    }

    pub fn set_time(&self, time: f64) -> Result<(), String> {
        self.later(Order::SetTime, [time])
    }

    pub fn set_states(&self, states: &[f64]) -> Result<(), String> {
        self.later(Order::SetStates, states.iter().copied())
    }

    pub fn states(&self, count: usize) -> Result<Vec<f64>, String> {
        self.now(Order::States, [count as f64])
    }

    pub fn indicators(&self, count: usize) -> Result<Vec<f64>, String> {
        self.now(Order::Indicators, [count as f64])
    }

    pub fn step(&self, time: f64, length: f64) -> Result<(), String> {
        self.now(Order::Step, [time, length]).map(drop)
    }

    pub fn set(&self, variable: Called, values: &[f64]) -> Result<(), String> {
        self.later(Order::Set, named(variable).into_iter().chain(values.iter().copied()))
    }

    pub fn tick(&self, clock: u32) -> Result<(), String> {
        self.later(Order::Tick, [f64::from(clock)])
    }

    /// Rates, variables and indicators.
    pub fn all(&self, rates: usize, of: &[Called], indicators: usize) -> Result<Vec<f64>, String> {
        let variables = of.iter().flat_map(|&variable| named(variable));
        self.now(Order::All, [rates as f64, indicators as f64].into_iter().chain(variables))
    }

    pub fn slope(&self, (of, row): (Called, usize), (by, column): (Called, usize)) -> Result<f64, String> {
        let places = [row as f64, column as f64];
        let found = self.now(Order::Slope, named(of).into_iter().chain(named(by)).chain(places))?;
        Ok(found[0])
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.of.line().put(Order::Free, self.number, []);
    }
}

fn named(called: Called) -> [f64; 3] {
    let place = NUMBERS.iter().position(|known| *known == called.number).unwrap_or(0);
    [place as f64, f64::from(called.reference), called.length as f64]
}

fn variable(numbers: &[f64]) -> Called {
    Called { number: NUMBERS[numbers[0] as usize], reference: numbers[1] as u32, length: numbers[2] as usize }
}

/// The life of the copy: it never returns, so nothing of what this process has open is closed or removed twice.
fn serve(mut stream: UnixStream, open: impl FnOnce() -> Result<calls::Loaded, String>) -> ! {
    // Whatever panics here must not unwind into the life of the original.
    let served = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        be_alone(stream.as_raw_fd());
        calls::forget();
        let loaded = limited(open).map(Arc::new);
        let mut instances: Vec<Option<calls::Instance>> = Vec::new();
        send(&mut stream, &encoded(loaded.as_ref().map(|_| Vec::new()).map_err(Clone::clone)))?;
        let Ok(loaded) = loaded else { return Ok(()) };
        loop {
            let message = receive(&mut stream)?;
            let found = limited(|| orders(&message, &loaded, &mut instances));
            send(&mut stream, &encoded(found))?;
        }
    }));
    let _: std::thread::Result<io::Result<()>> = served;
    // SAFETY: ends the process without what is registered for the end of the original.
    unsafe { libc::_exit(0) }
}

/// What the library prints is not taken for an answer of this program, and signals for the original are not for the copy.
fn be_alone(line: i32) {
    /// More files are not open here.
    const MOST_FILES: i32 = 1024;
    // SAFETY: files and signals of the copy alone; the line stays open.
    unsafe {
        libc::dup2(2, 1);
        for file in (3..MOST_FILES).filter(|&file| file != line) {
            libc::close(file);
        }
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
        libc::signal(libc::SIGSEGV, libc::SIG_DFL);
        libc::signal(libc::SIGBUS, libc::SIG_DFL);
    }
}

/// The system ends the process if this computes for too long.
fn limited<T>(work: impl FnOnce() -> T) -> T {
    let timer = |seconds: i64| {
        let zero = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let limit = libc::itimerval { it_interval: zero, it_value: libc::timeval { tv_sec: seconds as _, tv_usec: 0 } };
        // SAFETY: a timer of the copy; the old one is not asked for.
        unsafe { libc::setitimer(libc::ITIMER_VIRTUAL, &raw const limit, std::ptr::null_mut()) };
    };
    timer(patience());
    let found = work();
    timer(0);
    found
}

fn encoded(found: Result<Vec<f64>, String>) -> Vec<u8> {
    match found {
        Ok(numbers) => std::iter::once(0).chain(numbers.into_iter().flat_map(f64::to_le_bytes)).collect(),
        Err(words) => std::iter::once(1).chain(words.into_bytes()).collect(),
    }
}

/// Does what a message says, up to what fails; gives what the last order finds.
fn orders(
    mut message: &[u8],
    loaded: &Arc<calls::Loaded>,
    instances: &mut Vec<Option<calls::Instance>>,
) -> Result<Vec<f64>, String> {
    let whole = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|at| bytes[at]));
    let mut found = Vec::new();
    while let Some((order, rest)) = message.split_first() {
        let (instance, count) = (whole(rest), whole(&rest[4..]) as usize * 8);
        let numbers: Vec<f64> = rest[8..8 + count].chunks_exact(8).map(number).collect();
        message = &rest[8 + count..];
        found = match ORDERS[*order as usize] {
            Order::New => {
                instances.push(Some(calls::Instance::new(loaded)?));
                vec![(instances.len() - 1) as f64]
            }
            Order::Free => {
                instances[instance as usize] = None;
                Vec::new()
            }
            order => done(order, instances[instance as usize].as_ref().ok_or("it was let go before")?, &numbers)?,
        };
    }
    Ok(found)
}

fn done(order: Order, instance: &calls::Instance, numbers: &[f64]) -> Result<Vec<f64>, String> {
    let nothing = |done: Result<(), String>| done.map(|()| Vec::new());
    match order {
        Order::EnterInitialization => nothing(instance.enter_initialization()),
        Order::ExitInitialization => nothing(instance.exit_initialization()),
        Order::EnterEventMode => nothing(instance.enter_event_mode()),
        Order::EnterContinuousTime => nothing(instance.enter_continuous_time()),
        Order::Update => {
            let told = instance.update()?;
            Ok(vec![told.next.unwrap_or(f64::NAN), f64::from(u8::from(told.ends))])
        }
        Order::SetTime => nothing(instance.set_time(numbers[0])),
        Order::SetStates => nothing(instance.set_states(numbers)),
        Order::States => instance.states(numbers[0] as usize),
        Order::Indicators => instance.indicators(numbers[0] as usize),
        Order::Step => nothing(instance.step(numbers[0], numbers[1])),
        Order::Set => nothing(instance.set(variable(numbers), &numbers[3..])),
        Order::Tick => nothing(instance.tick(numbers[0] as u32)),
        Order::All => {
            let variables: Vec<Called> = numbers[2..].chunks_exact(3).map(variable).collect();
            instance.all(numbers[0] as usize, &variables, numbers[1] as usize)
        }
        Order::Slope => {
            let (of, by) = (variable(numbers), variable(&numbers[3..]));
            instance.slope((of, numbers[6] as usize), (by, numbers[7] as usize)).map(|slope| vec![slope])
        }
        // They belong to no instance that is there.
        Order::New | Order::Free => Ok(Vec::new()),
    }
}
