use backend_cranelift::{Options, compile};
use kernel::Type::Real;
use kernel::*;
use numerics::elementary::{Elementary, FUNCTIONS};
#[test]
fn speed() {
    let mut module = ModuleBuilder::new("b");
    let mut e = Elementary::new();
    let x = module.real_array("x", 4096, "");
    let y = module.real_array("y", 4096, "");
    let mut fs = vec![];
    for row in FUNCTIONS.iter().take(14) {
        let id = e.function(&mut module, row.function);
        let n = row.parameters.len();
        let thr = module.function("thr", &[("z", Real)], &[Real], |f| {
            let s = f.real("s", 0.0);
            f.for_each("i", 0, 4096, |f, i| {
                let r = if n == 1 { f.call(id, x.at(i)) } else { f.call(id, (x.at(i), y.at(i))) };
                for r in r {
                    f.assign(s, s + r);
                }
            });
            f.return_(s);
        });
        let lat = module.function("lat", &[("z", Real)], &[Real], |f| {
            let s = f.real("s", 0.0);
            f.for_each("i", 0, 4096, |f, i| {
                let a = f.bind("a", x.at(i) + s * 1e-300);
                let r = if n == 1 { f.call(id, a) } else { f.call(id, (a.get(), y.at(i))) };
                f.assign(s, r[0]);
                if r.len() > 1 {
                    f.assign(s, s + r[1]);
                }
            });
            f.return_(s);
        });
        fs.push((row.name, thr, lat));
    }
    let module = module.finish();
    let c = compile(&module, &Options { keep_text: true, ..Options::default() }).unwrap();
    let mut m = module.initial_memory();
    let mut seed = 1u64;
    let mut rnd = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for (name, thr, lat) in fs {
        for i in 0..4096 {
            let v = match name {
                "asin" | "acos" => rnd() * 2.0 - 1.0,
                "log" | "pow" => rnd() * 10.0,
                _ => rnd() * 20.0 - 10.0,
            };
            m.set(module.layout().offset(x) + i, v);
            m.set(module.layout().offset(y) + i, rnd() * 4.0);
        }
        let mut best = [1e9f64; 2];
        for _ in 0..100 {
            for (k, f) in [thr, lat].into_iter().enumerate() {
                let t = std::time::Instant::now();
                c.call_real(f, &[0.0.into()], &mut m).unwrap();
                best[k] = best[k].min(t.elapsed().as_nanos() as f64 / 4096.0);
            }
        }
        println!("{name:8} throughput {:.2} latency {:.2}", best[0], best[1]);
    }
    for l in c.listings() {
        if l.name == "sincos" {
            println!("{}", l.instructions.clone().unwrap_or_default());
        }
    }
}
