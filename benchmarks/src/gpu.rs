//! Many runs on a GPU beside CUDA written by hand: the same starts, tolerance and method, both without contraction, measured by turns in one run.

use std::fmt::Write;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use ansatz::{Options, Scene, Target};

/// What fills a large GPU.
const RUNS: usize = 1_000_000;
const TURNS: usize = 3;

pub fn table() {
    println!("## {RUNS} double pendulums of 10 s at 1e-6, on a GPU\n");
    match milliseconds() {
        Ok([ours, by_hand, unfused]) => {
            println!("| how | ms | by hand / this |\n|---|--:|--:|");
            println!("| the exported program | {ours:.1} | {:.2} |", by_hand / ours);
            println!("| CUDA by hand | {by_hand:.1} | 1.00 |");
            println!(
                "| CUDA by hand, with a sine that fuses nothing either | {unfused:.1} | {:.2} |\n",
                by_hand / unfused
            );
        }
        Err(why) => println!("Skipped: {why}.\n"),
    }
}

/// The best times of the exported program, of that by hand, and of that by hand with a sine of its own.
fn milliseconds() -> Result<[f64; 3], String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("ansatz-gpu-{}", std::process::id()));
    let measured = prepare(here, &folder).and_then(|()| {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..TURNS {
            let turn = [of_export(&folder)?, of_hand(&folder.join("by_hand"))?, of_hand(&folder.join("unfused"))?];
            best.iter_mut().zip(turn).for_each(|(best, time)| *best = best.min(time));
        }
        Ok(best)
    });
    let _ = std::fs::remove_dir_all(&folder);
    measured
}

/// Both programs, and the starts of `by_hand/ensemble.cu` as a table.
fn prepare(here: &Path, folder: &Path) -> Result<(), String> {
    let options = Options { tolerance: 1e-6, probes: vec!["swing1.angle".to_string()], ..Options::default() };
    let scene =
        Scene::open(here.join("../examples/double_pendulum.anz"), &options).map_err(|error| error.to_string())?;
    let built = scene.export(Target::Cuda).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    for file in built.files {
        std::fs::write(folder.join(file.name), file.content).map_err(|error| error.to_string())?;
    }
    let mut table = "angle1,angle2\n".to_string();
    for run in 1..=RUNS {
        let degrees = |step: f64| 180.0 * (2.0 * (run as f64 * step).fract() - 1.0);
        let [first, second] = [0.618_033_988_749_894_9, std::f64::consts::SQRT_2].map(degrees);
        writeln!(table, "{first:e},{:e}", second - first).expect("a text");
    }
    std::fs::write(folder.join("inputs.csv"), table).map_err(|error| error.to_string())?;
    let by_hand = here.join("by_hand/ensemble.cu");
    compile(&folder.join("main.cu"), &folder.join("exported"), &[])?;
    compile(&by_hand, &folder.join("by_hand"), &[])?;
    compile(&by_hand, &folder.join("unfused"), &["-DUNFUSED"])
}

fn compile(source: &Path, program: &Path, defined: &[&str]) -> Result<(), String> {
    let compiler = std::env::var("NVCC").unwrap_or_else(|_| "nvcc".to_string());
    let options = ["-std=c++17", "-O3", "--fmad=false", "-arch=native", "-w", "-o"];
    let compiled = Command::new(&compiler).args(defined).args(options).arg(program).arg(source).output();
    let compiled = compiled.map_err(|_| format!("there is no {compiler}, the compiler of CUDA"))?;
    if compiled.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&compiled.stderr).trim().to_string()) }
}

fn of_export(folder: &Path) -> Result<f64, String> {
    let table = File::open(folder.join("inputs.csv")).map_err(|error| error.to_string())?;
    let mut program = Command::new(folder.join("exported"));
    time(program.args(["--until", "10", "--tolerance", "1e-6", "--quiet"]).stdin(table), |output| output.stderr)
}

fn of_hand(program: &Path) -> Result<f64, String> {
    time(Command::new(program).args([&RUNS.to_string(), "1e-6"]).stdin(Stdio::null()), |output| output.stdout)
}

/// The number before `ms` in what the program says.
fn time(program: &mut Command, said: impl Fn(std::process::Output) -> Vec<u8>) -> Result<f64, String> {
    let said = said(program.output().map_err(|error| error.to_string())?);
    let said = String::from_utf8_lossy(&said).to_string();
    let words: Vec<&str> = said.split_whitespace().collect();
    let found = words.windows(2).find(|pair| pair[1] == "ms").and_then(|pair| pair[0].parse().ok());
    found.ok_or_else(|| format!("a program said: {}", said.trim()))
}
