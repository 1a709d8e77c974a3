//! The library of a unit, and its functions. Whatever a library does with the memory of its process, no check here prevents it (so that is one of its own, see
//! `apart.rs`, where there can be one); what it says is checked: every status, and every number.
#![allow(unsafe_code, reason = "functions of a library that others compiled are called through their addresses")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use libloading::Library;

use crate::archive::Unpacked;
use crate::description::{Called, Description, Interface, Number};

thread_local! {
    /// What a library said, or what was wrong with it; the newest. Runs in other threads have words of their own.
    static LAST_WORDS: RefCell<Option<String>> = const { RefCell::new(None) };
}

pub fn remember(words: &str) {
    LAST_WORDS.set(Some(words.to_string()));
}

/// What the process said of which this is a copy, and the folders that belong to it.
#[cfg(unix)]
pub fn forget() {
    LAST_WORDS.set(None);
    // Another thread may have held the list when the copy was made.
    if let Ok(mut folders) = FOLDERS.try_lock() {
        folders.clear();
    }
}

pub fn last_words() -> Option<String> {
    LAST_WORDS.with_borrow(Clone::clone)
}

type Status = i32;
type Handle = *mut c_void;
type Log2 = extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char);
type Log3 = extern "C" fn(*mut c_void, Status, *const c_char, *const c_char);

/// What FMI 2.0 hands to a unit. The functions for memory are those of C, as the standard wants.
#[repr(C)]
struct Callbacks {
    log: Log2,
    allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    finished: *const c_void,
    environment: *mut c_void,
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn atexit(call: extern "C" fn()) -> i32;
}

/// What FMI 2.0 says of events.
#[repr(C)]
#[derive(Default)]
struct Events2 {
    again: i32,
    terminate: i32,
    nominals: i32,
    states: i32,
    has_next: i32,
    next: f64,
}

/// Folders to remove where the process ends.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What is registered lives as long as the process, so nobody else would remove what belongs to it.
pub fn remove_at_exit(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if folders.is_empty() {
        // SAFETY: the function lives as long as the program, and takes nothing.
        unsafe { atexit(remove_folders) };
    }
    folders.push(folder.to_path_buf());
}

extern "C" fn remove_folders() {
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    // What cannot be removed stays among the temporary files of the system.
    folders.iter().for_each(|folder| drop(std::fs::remove_dir_all(folder)));
}

/// A message of the library; what its `%` would stand for is not read.
extern "C" fn log2(_: *mut c_void, _: *const c_char, status: Status, _: *const c_char, message: *const c_char) {
    log3(ptr::null_mut(), status, ptr::null(), message);
}

extern "C" fn log3(_: *mut c_void, status: Status, _: *const c_char, message: *const c_char) {
    if status > WARNING && !message.is_null() {
        // SAFETY: the standard says that a message is a text that ends with a zero.
        let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        let plain: String = message.chars().filter(|c| !c.is_control()).take(300).collect();
        remember(&plain);
    }
}

const WARNING: Status = 1;

/// A loaded library.
pub struct Loaded {
    library: Library,
    unpacked: Unpacked,
    version: u32,
    interface: Interface,
    name: CString,
    token: CString,
    callbacks: Callbacks,
}

// SAFETY: nothing in the callbacks changes after it was made, and the environment is none.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    pub fn open(unpacked: Unpacked, description: &Description, interface: Interface) -> Result<Loaded, String> {
        // SAFETY: none that can be proven: a library runs code of its own when it is loaded. The author of the scene has named it.
        let library = unsafe { Library::new(&unpacked.library) };
        let library = library.map_err(|error| format!("its library cannot be loaded: {error}"))?;
        let text = |text: &str| CString::new(text).map_err(|_| "its description has a zero in a text".to_string());
        let callbacks =
            Callbacks { log: log2, allocate: calloc, free, finished: ptr::null(), environment: ptr::null_mut() };
        let (name, token) = (text(&description.name)?, text(&description.token)?);
        let loaded = Loaded { library, unpacked, version: description.version, interface, name, token, callbacks };
        loaded.check()?;
        Ok(loaded)
    }

    /// Everything that will be called is there.
    fn check(&self) -> Result<(), String> {
        let exchange = self.interface == Interface::ModelExchange;
        let names: &[&str] = match (self.version, exchange) {
            (2, true) => &["Instantiate", "SetTime", "GetDerivatives", "NewDiscreteStates", "GetReal", "SetReal"],
            (2, false) => &["Instantiate", "DoStep", "GetReal", "SetReal"],
            (_, true) => &["InstantiateModelExchange", "GetContinuousStateDerivatives", "GetFloat64", "SetFloat64"],
            (_, false) => &["InstantiateCoSimulation", "DoStep", "GetFloat64", "SetFloat64"],
        };
        let common = ["EnterInitializationMode", "ExitInitializationMode", "FreeInstance"];
        names.iter().chain(&common).try_for_each(|name| self.function::<extern "C" fn()>(name).map(drop))
    }

    /// A function of the standard; whoever asks says of which form it is.
    fn function<T: Copy>(&self, name: &str) -> Result<T, String> {
        let name = format!("fmi{}{name}", self.version);
        // SAFETY: the form of every function is that of the headers of the standard.
        let found = unsafe { self.library.get::<T>(name.as_bytes()) };
        found.map(|symbol| *symbol).map_err(|_| format!("its library has no function `{name}`"))
    }

    /// It lives as long as this process.
    #[cfg(not(unix))]
    pub fn has_ended(&self) -> bool {
        false
    }

    fn resources(&self) -> Result<CString, String> {
        let path = self.unpacked.resources();
        let told = |_| "its folder has a zero in its name".to_string();
        match self.version {
            2 => CString::new(as_address(&path)).map_err(told),
            _ => CString::new(format!("{}/", path.display())).map_err(told),
        }
    }
}

/// `file:///tmp/…`
fn as_address(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/").replace('%', "%25").replace(' ', "%20");
    format!("file://{}{text}", if text.starts_with('/') { "" } else { "/" })
}

/// One instance of a unit.
pub struct Instance {
    of: Arc<Loaded>,
    handle: Handle,
}

// SAFETY: an instance is used by one thread at a time, behind a lock; the standard asks for no more.
unsafe impl Send for Instance {}

/// What a unit says after events.
pub struct Told {
    /// When the next event is whose instant is known.
    pub next: Option<f64>,
    pub ends: bool,
}

impl Instance {
    // Long: the calls of the standard in the order in which it prescribes them, for both versions.
    pub fn new(of: &Arc<Loaded>) -> Result<Instance, String> {
        let resources = of.resources()?;
        let (name, token, resources) = (of.name.as_ptr(), of.token.as_ptr(), resources.as_ptr());
        // SAFETY: the texts and the callbacks live as long as the library, the resources as long as this call.
        let handle = unsafe {
            match (of.version, of.interface) {
                (2, interface) => {
                    type Form = unsafe extern "C" fn(
                        *const c_char,
                        i32,
                        *const c_char,
                        *const c_char,
                        *const Callbacks,
                        i32,
                        i32,
                    ) -> Handle;
                    let kind = i32::from(interface == Interface::CoSimulation);
                    of.function::<Form>("Instantiate")?(name, kind, token, resources, &raw const of.callbacks, 0, 0)
                }
                (_, Interface::ModelExchange) => {
                    type Form = unsafe extern "C" fn(
                        *const c_char,
                        *const c_char,
                        *const c_char,
                        bool,
                        bool,
                        *mut c_void,
                        Log3,
                    ) -> Handle;
                    of.function::<Form>("InstantiateModelExchange")?(
                        name,
                        token,
                        resources,
                        false,
                        false,
                        ptr::null_mut(),
                        log3,
                    )
                }
                (_, Interface::CoSimulation) => {
                    type Form = unsafe extern "C" fn(
                        *const c_char,
                        *const c_char,
                        *const c_char,
                        bool,
                        bool,
                        bool,
                        bool,
                        *const u32,
                        usize,
                        *mut c_void,
                        Log3,
                        *const c_void,
                    ) -> Handle;
                    let environment = ptr::null_mut();
                    of.function::<Form>("InstantiateCoSimulation")?(
                        name,
                        token,
                        resources,
                        false,
                        false,
                        false,
                        false,
                        ptr::null(),
                        0,
                        environment,
                        log3,
                        ptr::null(),
                    )
                }
            }
        };
        if handle.is_null() {
            return Err("its library made no instance".to_string());
        }
        Ok(Instance { of: of.clone(), handle })
    }

    fn checked(&self, name: &str, status: Status) -> Result<(), String> {
        if (0..=WARNING).contains(&status) {
            return Ok(());
        }
        let words = last_words().map_or(String::new(), |words| format!(": {words}"));
        Err(format!("`fmi{}{name}` failed{words}", self.of.version))
    }

    /// A function that takes the instance alone.
    fn plain(&self, name: &str) -> Result<(), String> {
        let function = self.of.function::<unsafe extern "C" fn(Handle) -> Status>(name)?;
        // SAFETY: the form is that of the standard, and the instance is alive.
        self.checked(name, unsafe { function(self.handle) })
    }

    /// Before the start, at time zero.
    pub fn enter_initialization(&self) -> Result<(), String> {
        if self.of.version == 2 {
            type Form = unsafe extern "C" fn(Handle, i32, f64, f64, i32, f64) -> Status;
            let setup = self.of.function::<Form>("SetupExperiment")?;
            // SAFETY: as in `plain`.
            self.checked("SetupExperiment", unsafe { setup(self.handle, 0, 0.0, 0.0, 0, 0.0) })?;
            return self.plain("EnterInitializationMode");
        }
        type Form = unsafe extern "C" fn(Handle, bool, f64, f64, bool, f64) -> Status;
        let enter = self.of.function::<Form>("EnterInitializationMode")?;
        // SAFETY: as in `plain`.
        self.checked("EnterInitializationMode", unsafe { enter(self.handle, false, 0.0, 0.0, false, 0.0) })
    }

    pub fn exit_initialization(&self) -> Result<(), String> {
        self.plain("ExitInitializationMode")
    }

    pub fn enter_event_mode(&self) -> Result<(), String> {
        self.plain("EnterEventMode")
    }

    pub fn enter_continuous_time(&self) -> Result<(), String> {
        self.plain("EnterContinuousTimeMode")
    }

    /// Lets happen what happens at an event, until nothing more does.
    pub fn update(&self) -> Result<Told, String> {
        for _ in 0..MOST_UPDATES {
            let (again, told) = if self.of.version == 2 { self.update2()? } else { self.update3()? };
            if told.ends || !again {
                return Ok(told);
            }
        }
        Err(format!("an event of it goes on after {MOST_UPDATES} rounds"))
    }

    fn update2(&self) -> Result<(bool, Told), String> {
        let update = self.of.function::<unsafe extern "C" fn(Handle, *mut Events2) -> Status>("NewDiscreteStates")?;
        let mut events = Events2::default();
        // SAFETY: as in `plain`; the record has the form of the standard.
        self.checked("NewDiscreteStates", unsafe { update(self.handle, &raw mut events) })?;
        let next = (events.has_next != 0).then_some(events.next);
        Ok((events.again != 0, Told { next, ends: events.terminate != 0 }))
    }

    fn update3(&self) -> Result<(bool, Told), String> {
        type Flag = *mut bool;
        type Form = unsafe extern "C" fn(Handle, Flag, Flag, Flag, Flag, Flag, *mut f64) -> Status;
        let update = self.of.function::<Form>("UpdateDiscreteStates")?;
        let (mut again, mut ends, mut nominals, mut states, mut has_next) = (0u8, 0u8, 0u8, 0u8, 0u8);
        let mut next = 0.0;
        let flag = |byte: &mut u8| ptr::from_mut(byte).cast::<bool>();
        // SAFETY: as in `plain`; what the library writes is read as bytes, so any value is one.
        let status = unsafe {
            let flags = [&mut again, &mut ends, &mut nominals, &mut states, &mut has_next].map(flag);
            let [again, ends, nominals, states, has_next] = flags;
            update(self.handle, again, ends, nominals, states, has_next, &raw mut next)
        };
        self.checked("UpdateDiscreteStates", status)?;
        Ok((again != 0, Told { next: (has_next != 0).then_some(next), ends: ends != 0 }))
    }

    pub fn set_time(&self, time: f64) -> Result<(), String> {
        let set = self.of.function::<unsafe extern "C" fn(Handle, f64) -> Status>("SetTime")?;
        // SAFETY: as in `plain`.
        self.checked("SetTime", unsafe { set(self.handle, time) })
    }

    pub fn set_states(&self, states: &[f64]) -> Result<(), String> {
        let name = "SetContinuousStates";
        let set = self.of.function::<unsafe extern "C" fn(Handle, *const f64, usize) -> Status>(name)?;
        // SAFETY: as in `plain`; the library reads as many numbers as it is told.
        self.checked(name, unsafe { set(self.handle, states.as_ptr(), states.len()) })
    }

    pub fn states(&self, count: usize) -> Result<Vec<f64>, String> {
        self.numbers("GetContinuousStates", count)
    }

    fn rates(&self, count: usize) -> Result<Vec<f64>, String> {
        self.numbers(if self.of.version == 2 { "GetDerivatives" } else { "GetContinuousStateDerivatives" }, count)
    }

    pub fn indicators(&self, count: usize) -> Result<Vec<f64>, String> {
        self.numbers("GetEventIndicators", count)
    }

    fn numbers(&self, name: &str, count: usize) -> Result<Vec<f64>, String> {
        let mut values = vec![f64::NAN; count];
        if count > 0 {
            let get = self.of.function::<unsafe extern "C" fn(Handle, *mut f64, usize) -> Status>(name)?;
            // SAFETY: as in `plain`; there is room for as many numbers as it is told.
            self.checked(name, unsafe { get(self.handle, values.as_mut_ptr(), count) })?;
        }
        Ok(values)
    }

    /// Rates, variables and indicators.
    pub fn all(&self, rates: usize, of: &[Called], indicators: usize) -> Result<Vec<f64>, String> {
        let mut values = self.rates(rates)?;
        for &variable in of {
            values.extend(self.get(variable)?);
        }
        values.extend(self.indicators(indicators)?);
        Ok(values)
    }

    /// Lets it integrate by itself.
    pub fn step(&self, time: f64, length: f64) -> Result<(), String> {
        if self.of.version == 2 {
            let step = self.of.function::<unsafe extern "C" fn(Handle, f64, f64, i32) -> Status>("DoStep")?;
            // SAFETY: as in `plain`.
            return self.checked("DoStep", unsafe { step(self.handle, time, length, 1) });
        }
        type Form = unsafe extern "C" fn(Handle, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> Status;
        let step = self.of.function::<Form>("DoStep")?;
        let (mut events, mut ends, mut early, mut reached) = (0u8, 0u8, 0u8, time + length);
        let flag = |byte: &mut u8| ptr::from_mut(byte).cast::<bool>();
        // SAFETY: as in `update3`.
        let status = unsafe {
            let [events, ends, early] = [&mut events, &mut ends, &mut early].map(flag);
            step(self.handle, time, length, true, events, ends, early, &raw mut reached)
        };
        self.checked("DoStep", status)?;
        match (ends != 0, early != 0) {
            (true, _) => Err(format!("it ended its simulation at t = {reached} s")),
            (_, true) => Err(format!("it returned early at t = {reached} s, though nobody allowed that")),
            (false, false) => Ok(()),
        }
    }

    /// Gives a variable all of its numbers.
    pub fn set(&self, called: Called, values: &[f64]) -> Result<(), String> {
        // In FMI 2.0 a truth value is a whole number.
        match called.number {
            Number::Float64 => self.put("Float64", "Real", called, values, |value| value),
            Number::Float32 => self.put("Float32", "Real", called, values, |value| value as f32),
            Number::Int8 => self.put("Int8", "Integer", called, values, |value| value.round() as i8),
            Number::UInt8 => self.put("UInt8", "Integer", called, values, |value| value.round() as u8),
            Number::Int16 => self.put("Int16", "Integer", called, values, |value| value.round() as i16),
            Number::UInt16 => self.put("UInt16", "Integer", called, values, |value| value.round() as u16),
            Number::Int32 => self.put("Int32", "Integer", called, values, |value| value.round() as i32),
            Number::UInt32 => self.put("UInt32", "Integer", called, values, |value| value.round() as u32),
            Number::Int64 => self.put("Int64", "Integer", called, values, |value| value.round() as i64),
            Number::UInt64 => self.put("UInt64", "Integer", called, values, |value| value.round() as u64),
            Number::Boolean if self.of.version == 2 => {
                self.put("", "Boolean", called, values, |value| i32::from(value > 0.5))
            }
            Number::Boolean => self.put("Boolean", "", called, values, |value| value > 0.5),
        }
    }

    fn get(&self, called: Called) -> Result<Vec<f64>, String> {
        match called.number {
            Number::Float64 => self.take("Float64", "Real", called, f64::NAN, |value| value),
            Number::Float32 => self.take("Float32", "Real", called, f32::NAN, f64::from),
            Number::Int8 => self.take("Int8", "Integer", called, 0_i8, f64::from),
            Number::UInt8 => self.take("UInt8", "Integer", called, 0_u8, f64::from),
            Number::Int16 => self.take("Int16", "Integer", called, 0_i16, f64::from),
            Number::UInt16 => self.take("UInt16", "Integer", called, 0_u16, f64::from),
            Number::Int32 => self.take("Int32", "Integer", called, 0_i32, f64::from),
            Number::UInt32 => self.take("UInt32", "Integer", called, 0_u32, f64::from),
            Number::Int64 => self.take("Int64", "Integer", called, 0_i64, |value| value as f64),
            Number::UInt64 => self.take("UInt64", "Integer", called, 0_u64, |value| value as f64),
            Number::Boolean if self.of.version == 2 => self.take("", "Boolean", called, 0_i32, f64::from),
            Number::Boolean => self.take("Boolean", "", called, 0_u8, |value| f64::from(u8::from(value != 0))),
        }
    }

    fn put<T>(
        &self,
        three: &str,
        two: &str,
        called: Called,
        values: &[f64],
        own: impl Fn(f64) -> T,
    ) -> Result<(), String> {
        let name = format!("Set{}", if self.of.version == 2 { two } else { three });
        let (reference, values) = (&raw const called.reference, values.iter().map(|&it| own(it)).collect::<Vec<T>>());
        // SAFETY: as in `plain`; one reference, and as many values of the type that the name says as are told.
        let status = unsafe {
            if self.of.version == 2 {
                type Form<T> = unsafe extern "C" fn(Handle, *const u32, usize, *const T) -> Status;
                self.of.function::<Form<T>>(&name)?(self.handle, reference, 1, values.as_ptr())
            } else {
                type Form<T> = unsafe extern "C" fn(Handle, *const u32, usize, *const T, usize) -> Status;
                self.of.function::<Form<T>>(&name)?(self.handle, reference, 1, values.as_ptr(), values.len())
            }
        };
        self.checked(&name, status)
    }

    fn take<T: Copy>(
        &self,
        three: &str,
        two: &str,
        called: Called,
        empty: T,
        number: impl Fn(T) -> f64,
    ) -> Result<Vec<f64>, String> {
        let name = format!("Get{}", if self.of.version == 2 { two } else { three });
        let (reference, mut values) = (&raw const called.reference, vec![empty; called.length]);
        // SAFETY: as in `put`; there is room for as many values as are told.
        let status = unsafe {
            if self.of.version == 2 {
                type Form<T> = unsafe extern "C" fn(Handle, *const u32, usize, *mut T) -> Status;
                self.of.function::<Form<T>>(&name)?(self.handle, reference, 1, values.as_mut_ptr())
            } else {
                type Form<T> = unsafe extern "C" fn(Handle, *const u32, usize, *mut T, usize) -> Status;
                self.of.function::<Form<T>>(&name)?(self.handle, reference, 1, values.as_mut_ptr(), values.len())
            }
        };
        self.checked(&name, status).map(|()| values.into_iter().map(number).collect())
    }

    /// Lets a clock tick, in Event Mode.
    pub fn tick(&self, clock: u32) -> Result<(), String> {
        let name = "SetClock";
        let set = self.of.function::<unsafe extern "C" fn(Handle, *const u32, usize, *const bool) -> Status>(name)?;
        let ticks = true;
        // SAFETY: as in `plain`; one reference and one truth value.
        self.checked(name, unsafe { set(self.handle, &raw const clock, 1, &raw const ticks) })
    }

    /// How a number of one variable changes with a number of another; places are those in their arrays.
    pub fn slope(&self, (of, row): (Called, usize), (by, column): (Called, usize)) -> Result<f64, String> {
        let name = "GetDirectionalDerivative";
        let mut seed = vec![0.0; by.length];
        seed[column] = 1.0;
        let mut slopes = vec![f64::NAN; of.length];
        // SAFETY: as in `plain`; as many numbers go in and out as the library is told, or as the variables have.
        let status = unsafe {
            let (unknown, known) = (&raw const of.reference, &raw const by.reference);
            if self.of.version == 2 {
                type Form =
                    unsafe extern "C" fn(Handle, *const u32, usize, *const u32, usize, *const f64, *mut f64) -> Status;
                self.of.function::<Form>(name)?(self.handle, unknown, 1, known, 1, seed.as_ptr(), slopes.as_mut_ptr())
            } else {
                type Form = unsafe extern "C" fn(
                    Handle,
                    *const u32,
                    usize,
                    *const u32,
                    usize,
                    *const f64,
                    usize,
                    *mut f64,
                    usize,
                ) -> Status;
                let function = self.of.function::<Form>(name)?;
                let (seed, length) = (seed.as_ptr(), seed.len());
                function(self.handle, unknown, 1, known, 1, seed, length, slopes.as_mut_ptr(), of.length)
            }
        };
        self.checked(name, status).map(|()| slopes[row])
    }
}

/// Rounds of one event; the standard knows no limit, and a unit that needs as many never ends.
const MOST_UPDATES: usize = 1000;

impl Drop for Instance {
    fn drop(&mut self) {
        if let Ok(free) = self.of.function::<unsafe extern "C" fn(Handle)>("FreeInstance") {
            // SAFETY: the instance is alive, and nobody has it after this.
            unsafe { free(self.handle) }
        }
    }
}
