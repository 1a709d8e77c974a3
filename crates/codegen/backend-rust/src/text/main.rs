//! Runs the simulation and prints a table of its results (CSV), or a hash of them.
//! A sample of how the library is used.

@changing
use std::fs::File;
@end
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use @NAME@::@TYPE@;

/// A number that can be set, in its own unit.
struct Input {
    name: &'static str,
    unit: &'static str,
    /// One of its unit in SI units.
    scale: f64,
    /// In SI units.
    range: (f64, f64),
    value: fn(&mut @TYPE@) -> &mut f64,
    note: &'static str,
}

#[rustfmt::skip]
const PARAMETERS: &[Input] = &[
@PARAMETERS@];

#[rustfmt::skip]
const CONTROLS: &[Input] = &[
@CONTROLS@];

const HEADER: &str = @HEADER@;

#[rustfmt::skip]
fn outputs(simulation: &@TYPE@) -> [f64; @COUNT@] {
    [@OUTPUTS@]
}

/// What can fail.
const INTEGRALS: &[&str] = &[@INTEGRALS@];
const SYSTEMS: &[&str] = &[@SYSTEMS@];
@changing
const TRANSITIONS: &[&str] = &[@TRANSITIONS@];
const CLAIMS: &[&str] = &[@CLAIMS@];

/// What the values of a column are called, where they are not numbers.
#[rustfmt::skip]
const WORDS: [&[&str]; @COUNT@] = [@WORDS@];
@end
/// What a code means, and the names of what `failure` has the place of.
const FAILURES: &[(i64, &str, &[&str])] = &[@FAILURES@
];

struct Options {
    until: f64,
    every: f64,
    tolerance: f64,
    hash: bool,
@changing
    events: Option<String>,
@end
}

/// Why the program ends early: a mistake in the options, a failure of the simulation, or of writing.
enum End {
    Help(String),
    Options(String),
    Failure(String),
    Output(io::Error),
}

/// The state of a large scene takes megabytes, and a build without optimisation copies it from place to place: more than some stacks have.
fn on_a_large_stack() -> Result<(), End> {
    let stack = 8 * std::mem::size_of::<@TYPE@>() + (16 << 20);
    let thread = std::thread::Builder::new().stack_size(stack).spawn(run);
    let thread = thread.map_err(|error| End::Failure(format!("no memory for the state: {error}")))?;
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn main() -> ExitCode {
    match on_a_large_stack() {
        Ok(()) => ExitCode::SUCCESS,
        Err(End::Help(text)) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(End::Options(what)) => {
            eprintln!("error: {what}; see --help");
            ExitCode::from(2)
        }
        Err(End::Failure(what)) => {
            eprintln!("error: {what}");
            ExitCode::FAILURE
        }
        // A reader that goes away, such as `head`, is not an error.
        Err(End::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(End::Output(error)) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), End> {
    let mut simulation = @TYPE@::new();
    let options = read_options(&mut simulation)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut hash = 0xcbf2_9ce4_8422_2325;
    if !options.hash {
        writeln!(out, "{HEADER}").map_err(End::Output)?;
    }
    let status = simulation.configure(options.tolerance, options.until);
    check(status, &simulation)?;
@changing
    let mut events = options.events.as_ref().map(File::create).transpose().map_err(End::Output)?.map(BufWriter::new);
    let mut told = 0;
    if let Some(events) = &mut events {
        writeln!(events, "t [s],transition").map_err(End::Output)?;
    }
@end
    let status = simulation.initialize();
@changing
    tell(&simulation, &mut told, &mut events)?;
@end
    check(status, &simulation)?;
@changing
    let (mut end, mut stopped) = (f64::NEG_INFINITY, false);
@end
    for t in (0..).map_while(|row| time_of_row(&options, row)) {
@plain
        let status = simulation.advance(t, i64::MAX);
        check(status, &simulation)?;
@end
@changing
        stopped = go_on(&mut simulation, t, &mut told, &mut events)?;
        let t = if stopped { simulation.events(told - 1).next().map_or(t, |(t, _)| t) } else { t };
        if stopped && t <= end + end.abs() * @AT_ONCE@ {
            break;
        }
        end = t;
@end
        let status = simulation.sample(t);
        check(status, &simulation)?;
        let status = simulation.observe(t);
        check(status, &simulation)?;
        let values = outputs(&simulation);
        if let Some(column) = values.iter().position(|value| !value.is_finite()) {
            out.flush().map_err(End::Output)?;
            return Err(End::Failure(format!("at t = {t} s: column {} is not finite", column + 1)));
        }
        hash = hashed(hash, t, &values);
        if !options.hash {
@plain
            let values: String = values.iter().map(|value| format!(",{}", number_text(*value))).collect();
@end
@changing
            let values: String = values.iter().zip(WORDS).map(|(value, words)| text_of(*value, words)).collect();
@end
            writeln!(out, "{}{values}", time_text(t)).map_err(End::Output)?;
        }
@changing
        if stopped {
            break;
        }
@end
    }
@changing
    if !stopped {
        go_on(&mut simulation, options.until, &mut told, &mut events)?;
        end = options.until;
    }
@end
    if options.hash {
        writeln!(out, "{hash:016x}").map_err(End::Output)?;
    }
@plain
    out.flush().map_err(End::Output)
}
@end
@changing
    out.flush().map_err(End::Output)?;
    if let Some(events) = &mut events {
        events.flush().map_err(End::Output)?;
    }
    let status = simulation.conclude(end);
    check(status, &simulation)?;
    warn(&simulation);
    Ok(())
}

/// Says what was met that is no reason to end the run.
fn warn(simulation: &@TYPE@) {
    for warning in simulation.warnings() {
        let [first, second] = warning.transitions.map(|transition| TRANSITIONS[transition as usize]);
        let what = match warning.kind {
            1 => format!("{first} and {second} hold together and disagree; the first happened"),
            _ => format!("the plan of {first} misses what it aimed at, for {second} came in between"),
        };
        eprintln!("warning: at t = {} s: {what}", time_text(warning.t));
    }
}

/// Goes on to some time, whatever happens on the way; whether the run ended before, at its last transition.
fn go_on(
    simulation: &mut @TYPE@,
    t: f64,
    told: &mut i64,
    events: &mut Option<BufWriter<File>>,
) -> Result<bool, End> {
    loop {
        let status = simulation.advance(t, i64::MAX);
        tell(simulation, told, events)?;
        check(status, simulation)?;
        if status != 1 {
            return Ok(status == @STOPPED@);
        }
    }
}

/// Writes the transitions that happened since the last call, if somebody wants them.
fn tell(simulation: &@TYPE@, told: &mut i64, events: &mut Option<BufWriter<File>>) -> Result<(), End> {
    if let Some(events) = events {
        for (t, transition) in simulation.events(*told) {
            let name = TRANSITIONS[transition as usize];
            writeln!(events, "{},{name}", number_text(t)).map_err(End::Output)?;
        }
    }
    *told = simulation.event_count;
    Ok(())
}

/// A value of a column, or the word for it.
fn text_of(value: f64, words: &[&str]) -> String {
    match words.get(value as usize) {
        Some(word) => format!(",{word}"),
        None => format!(",{}", number_text(value)),
    }
}
@end

/// Says what failed, if something did.
fn check(code: i64, simulation: &@TYPE@) -> Result<(), End> {
@plain
    if code <= 1 {
        return Ok(());
    }
@end
@changing
    if code <= 1 || code == @STOPPED@ {
        return Ok(());
    }
    warn(simulation);
@end
    let known = FAILURES.iter().find(|(known, _, _)| *known == code);
    let (words, names): (&str, &[&str]) = known.map_or(("the program failed", &[]), |&(_, words, names)| (words, names));
    let about = names.get(simulation.failure.place as usize).map_or(String::new(), |name| format!(": {name}"));
    Err(End::Failure(format!("at t = {} s: {words}{about}", simulation.failure_values.time)))
}

/// A multiple of the interval, and for the last one the end.
fn time_of_row(options: &Options, row: u64) -> Option<f64> {
    let before_end = |t: f64| options.until - t > 1e-9 * options.every;
    let t = row as f64 * options.every;
    match before_end(t) {
        true => Some(t),
        false => before_end(t - options.every).then_some(options.until),
    }
}

/// Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004.
fn time_text(t: f64) -> String {
    let rounded: f64 = format!("{t:.14e}").parse().unwrap_or(t);
    rounded.to_string()
}

/// The shortest text that gives the same number again; tiny and huge ones with a power of ten.
fn number_text(value: f64) -> String {
    // Adding zero makes -0 a plain 0.
    let text = format!("{:?}", value + 0.0);
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

/// FNV-1a over the bytes of the doubles, the lowest first.
fn hashed(sum: u64, t: f64, values: &[f64]) -> u64 {
    let bytes = std::iter::once(&t).chain(values).flat_map(|value| value.to_le_bytes());
    bytes.fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn read_options(simulation: &mut @TYPE@) -> Result<Options, End> {
@plain
    let mut options = Options { until: 10.0, every: 0.0, tolerance: @TOLERANCE@, hash: false };
@end
@changing
    let mut options = Options { until: 10.0, every: 0.0, tolerance: @TOLERANCE@, hash: false, events: None };
@end
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        match option.as_str() {
            "--help" | "-h" => return Err(End::Help(help(simulation))),
            "--hash" => {
                options.hash = true;
                continue;
            }
            _ => {}
        }
        let unknown = || End::Options(format!("unknown, or without a value: `{option}`"));
        let value = arguments.next().ok_or_else(unknown)?;
        match option.as_str() {
            "--until" => options.until = positive(&value)?,
            "--every" => options.every = positive(&value)?,
            "--tolerance" => options.tolerance = positive(&value)?,
            "--set" => set(simulation, PARAMETERS, &value)?,
            "--input" => set(simulation, CONTROLS, &value)?,
@changing
            "--events" => options.events = Some(value),
@end
            _ => return Err(unknown()),
        }
    }
    if options.every == 0.0 {
        options.every = options.until / 200.0;
    }
    if (options.tolerance < 1e-7) != (@TOLERANCE@ < 1e-7) {
        eprintln!("note: the method was chosen for a tolerance of @TOLERANCE@; build again for another");
    }
    Ok(options)
}

/// NAME=VALUE, with the value in the declared unit, which may be written as in 60[deg].
fn set(simulation: &mut @TYPE@, inputs: &[Input], text: &str) -> Result<(), End> {
    let wrong = |what: &str| End::Options(format!("{what} `{text}`"));
    let (name, value) = text.split_once('=').ok_or_else(|| wrong("write NAME=VALUE instead of"))?;
    let input = inputs.iter().find(|input| input.name == name).ok_or_else(|| wrong("nothing has this name:"))?;
    let value = match value.split_once('[') {
        Some((value, unit)) if unit.strip_suffix(']') == Some(input.unit) => value,
        Some(_) => return Err(wrong("give it in the unit that --help shows:")),
        None => value,
    };
    let value = number(value)? * input.scale;
    if value < input.range.0 || value > input.range.1 {
        return Err(wrong("out of range:"));
    }
    *(input.value)(simulation) = value;
    Ok(())
}

fn number(text: &str) -> Result<f64, End> {
    let value = text.parse().ok().filter(|value| f64::is_finite(*value));
    value.ok_or_else(|| End::Options(format!("not a number: `{text}`")))
}

fn positive(text: &str) -> Result<f64, End> {
    match number(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err(End::Options(format!("not a positive number: `{text}`"))),
    }
}

fn help(simulation: &mut @TYPE@) -> String {
    let mut text = "\
Usage: @NAME@ [--until T] [--every DT] [--set NAME=VALUE] [--input NAME=VALUE]
@plain
       [--tolerance X] [--hash]
@end
@changing
       [--tolerance X] [--hash] [--events FILE]
@end

  --until T      seconds to simulate [10]
  --every DT     seconds between rows [a two-hundredth of the run]
  --set N=V      gives a parameter another value, in its unit
  --input N=V    holds a control at a value
  --tolerance X  relative error allowed in each step [@TOLERANCE@]
@changing
  --events FILE  writes when each transition happened, as CSV
@end
  --hash         prints a hash of the trajectory instead of a table"
        .to_string();
    for (title, inputs) in [("Parameters (--set):", PARAMETERS), ("Controls (--input):", CONTROLS)] {
        if !inputs.is_empty() {
            text += &format!("\n\n{title}");
        }
        for input in inputs {
            let value = *(input.value)(simulation) / input.scale;
            text += &format!("\n  {:<20} {value} [{}]  {}", input.name, input.unit, input.note);
        }
    }
    text
}
