//! From text to the first row, and to the last of a short run, beside the time that a C compiler takes for a program written by hand.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use driver::{Instance, Options, Run};

use crate::stopwatch::{median, milliseconds, repeat, short, time};
use crate::{by_hand, examples};

const BUDGET: Duration = Duration::from_millis(800);
const UNTIL: f64 = 10.0;
const SCENES: [&str; 6] =
    ["pendulum", "roller_coaster_3", "bouncing_ball", "robot_on_track", "traffic_control", "dueling_spaceships"];

pub fn table() {
    let c = milliseconds_of(c_compiler);
    println!("## Starting (medians; `cc -O3 ball_in_box.c` takes {} ms)\n", milliseconds(c));
    println!("| scene | text to first row, ms | / cc | text to last row of {UNTIL} s, ms | / cc |");
    println!("|---|--:|--:|--:|--:|");
    for name in SCENES {
        let path = examples().join(format!("{name}.anz"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let [first, last] = [true, false].map(|first| milliseconds_of(|| run(name, &text, first)));
        let ratio = |time: Duration| short(time.as_secs_f64() / c.as_secs_f64());
        println!("| {name} | {} | {} | {} | {} |", milliseconds(first), ratio(first), milliseconds(last), ratio(last));
    }
    println!();
}

fn milliseconds_of(mut work: impl FnMut()) -> Duration {
    median(repeat(BUDGET, || time(&mut work).0))
}

fn c_compiler() {
    let folder = std::env::temp_dir().join(format!("ansatz-starting-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("by_hand/ball_in_box.c");
    by_hand::compile(&folder, "ball_in_box", &[source], &[]);
    let _ = std::fs::remove_dir_all(&folder);
}

/// As `ansatz run` does it, to the first row or to the last.
fn run(name: &str, text: &str, only_first: bool) {
    let mut options = Options::default();
    let mut compilation = driver::compile(name, text, &options);
    let code = driver::machine_as_suits(&mut compilation, &mut options).expect("a good scene").expect("machine code");
    let mut instance = Instance::new(&compilation, &options, Some(code)).unwrap_or_else(|found| panic!("{found:?}"));
    let row = |_: f64, _: &[f64]| if only_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let run = Run { until: UNTIL, every: UNTIL / 200.0, tolerance: options.tolerance };
    let (summary, _) = driver::run(&mut instance, run, row, |_| ControlFlow::Continue(()));
    assert!(summary.rows > 0, "`{name}` has a first row");
}
