use driver::{Compilation, Options};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let tolerance: f64 = args[2].parse().unwrap();
    let (until, from): (f64, f64) = (args[3].parse().unwrap(), args[4].parse().unwrap());
    let most: usize = args[5].parse().unwrap();
    let arrays: Vec<&str> = args[6].split(',').collect();
    let options = Options { tolerance, ..Options::default() };
    let compilation: Compilation = driver::compile("scene", &text, &options);
    for d in compilation.diagnostics.iter() { eprintln!("{:?} {}", d.code, d.message); }
    let mut instance = driver::Instance::new(&compilation, &options, None).ok().unwrap();
    instance.configure(tolerance, until).unwrap();
    let module = compilation.stages.as_ref().unwrap().module.clone();
    let layout = module.layout();
    let dump = |sim: &driver::Simulation, t: f64, label: &str| {
        println!("{label} t {t:?}");
        for spec in &arrays {
            let (name, n) = spec.split_once(':').map(|(a, b)| (a, b.parse::<usize>().unwrap())).unwrap_or((spec, usize::MAX));
            let Some(id) = module.find_array(name) else { println!("  no {name}"); continue };
            let range = layout.range(id);
            let is_int = module.array(id).element == kernel::Type::Integer;
            let shown: Vec<String> = range.take(n).map(|c| if is_int { format!("{}", sim.memory().integer(c)) } else { format!("{:.17e}", sim.memory().real(c)) }).collect();
            println!("  {name}: {}", shown.join(" "));
        }
    };
    instance.initialize().unwrap();
    let mut t = 0.0;
    let time = layout.range(module.find_array("time").expect("time")).start;
    let mut shown = 0;
    loop {
        let result = instance.advance(until, 1);
        let now = instance.memory().real(time);
        if now >= from { dump(&instance, now, "step"); shown += 1; }
        for e in instance.contact_events.drain(..).collect::<Vec<_>>() { if e.t >= from { println!("   event {:?} {:?} pair {}", e.t, e.kind, e.pair); } }
        t = now;
        match result {
            Ok(true) => break,
            Ok(false) => (),
            Err(failure) => { println!("FAILED at {t}: {:?}", failure.kind); dump(&instance, t, "end"); break; }
        }
        if shown > most { break; }
    }
}
