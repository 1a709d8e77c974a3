//! Lanes against the interpreter, bit for bit: random programs, whose lanes go different ways, and every operator at the edges.

use std::sync::Arc;

use kernel::generate::{Case, cases, generate, operators};
use kernel::{ArrayId, FunctionId, LanesOf, Module, Shape, Usage};
use lanes::{Compiler, Program, Source};

#[test]
fn every_operator_at_the_edges() {
    compare(&operators(), 120);
}

#[test]
fn generated_programs() {
    for seed in 0..12 {
        compare(&generate(seed), 40);
    }
}

/// All cases of each function: as many at a time as there are lanes, and those that are left over beside empty lanes and lanes that rest.
fn compare(module: &Module, most: usize) {
    let compiler = Compiler::find().expect("these tests need a C compiler (Debian: apt-get install build-essential)");
    let all = cases(module, most);
    for function in module.function_ids() {
        let cases: Vec<&Case> = all.iter().filter(|case| case.function == function).collect();
        if cases.is_empty() {
            continue;
        }
        let program = program(module, function, &compiler);
        for some in cases.chunks(program.width()) {
            together(module, &program, some);
        }
    }
}

fn program(module: &Module, function: FunctionId, compiler: &Compiler) -> Arc<Program> {
    let source = Source::new(module, function).expect("it is small");
    Arc::new(Program::new(source, compiler).unwrap_or_else(|why| panic!("{why}\n{module}")))
}

fn together(module: &Module, program: &Arc<Program>, cases: &[&Case]) {
    let mut lanes = program.clone().lanes();
    let fresh = module.initial_memory();
    for (lane, case) in cases.iter().enumerate() {
        lanes.put(lane, fresh.clone());
        case.arguments.iter().enumerate().for_each(|(at, value)| lanes.set_argument(lane, at, *value));
    }
    // First those with even numbers, while the others rest; then the others.
    let mut found = vec![Vec::new(); cases.len()];
    for part in [0x5555, 0xaaaa_u64] {
        lanes.call(part);
        for (lane, case) in cases.iter().enumerate().filter(|(lane, _)| part >> lane & 1 == 1) {
            let results = module.function(case.function).results.len();
            found[lane] = (0..results).map(|at| lanes.result(lane, at).cell()).collect();
        }
    }
    let (usage, layout) = (Usage::of(module), module.layout());
    let changes = |id: &ArrayId| !matches!(usage.shape(*id), Shape::Absent | Shape::Constant);
    let changing: Vec<_> = module.array_ids().filter(changes).map(|id| layout.range(id)).collect();
    for (lane, case) in cases.iter().enumerate() {
        let memory = lanes.take(lane).expect("it was put there");
        let mut bits = found[lane].clone();
        bits.extend(changing.iter().flat_map(|cells| &memory.cells()[cells.clone()]));
        let name = &module.function(case.function).name;
        let Case { arguments, expected, .. } = case;
        assert!(
            case.agrees(module, &bits),
            "lane {lane}, {name} {arguments:?}: {bits:x?} instead of {expected:?}\n{module}"
        );
    }
    assert!((0..program.width()).all(|lane| lanes.take(lane).is_none()));
}
