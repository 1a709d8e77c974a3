//! Modules side by side compute what each of them computes alone.

use kernel::{Frame, FunctionId, Interpreter, Joiner, Machine, Module, ModuleBuilder, Value, generate, verify};

/// Two generated modules in one: every function gives the same results, and leaves the same in its own arrays.
#[test]
fn guests_behave_as_at_home() {
    let mut compared = 0;
    for seed in 0..150 {
        let guests = [generate::generate(seed), generate::generate(seed + 1000)];
        let (host, joined) = join(&guests);
        assert_eq!(verify(&host), Ok(()), "seed {seed}");
        for (guest, joined) in guests.iter().zip(&joined) {
            for id in guest.function_ids() {
                let arguments: Vec<Value> =
                    guest.function(id).signature().parameters.iter().map(|&kind| Value::zero(kind)).collect();
                let run = |module: &Module, id: FunctionId| {
                    let mut memory = module.initial_memory();
                    let result = Interpreter::new(module).step_budget(200_000).call(id, &arguments, &mut memory);
                    (result, memory)
                };
                let (alone, own) = run(guest, id);
                let (together, shared) = run(&host, joined.function(id).expect("all are wanted"));
                if alone.is_err() {
                    continue;
                }
                assert_eq!(alone, together, "seed {seed}");
                for array in guest.array_ids() {
                    let Some(place) = joined.array(array) else { continue };
                    let [mine, theirs] = [guest.layout().range(array), host.layout().range(place)];
                    assert_eq!(own.cells()[mine], shared.cells()[theirs], "seed {seed}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "only {compared} functions were compared");
}

/// What touches no memory is there once, whatever the number of guests; memory is not shared.
#[test]
fn functions_of_arguments_alone_are_shared() {
    let mut guest = ModuleBuilder::new("guest");
    let state = guest.real_array("state", 2, "");
    let twice = guest.function("twice", &[("x", kernel::Type::Real)], &[kernel::Type::Real], |f| {
        let [x] = f.parameters();
        f.return_(x * 2.0);
    });
    guest.function("step", &[("x", kernel::Type::Real)], &[kernel::Type::Real], |f| {
        let [x] = f.parameters();
        let y = f.call1(twice, x);
        f.store(state, 0, y);
        f.return_(y);
    });
    let guest = guest.finish();
    let (host, _) = join(&[guest.clone(), guest]);
    let names: Vec<&str> = host.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["twice", "guest0_step", "guest1_step"]);
    assert_eq!(host.arrays.len(), 2);
}

fn join(guests: &[Module]) -> (Module, Vec<kernel::Guest>) {
    let mut host = ModuleBuilder::new("host");
    let mut joiner = Joiner::default();
    let joined = guests.iter().enumerate().map(|(at, guest)| {
        let wanted: Vec<FunctionId> = guest.function_ids().collect();
        joiner.take_in(&mut host, guest, (&wanted, Frame(at)), |_| None, |name| format!("guest{at}_{name}"))
    });
    let joined = joined.collect();
    (host.finish(), joined)
}
