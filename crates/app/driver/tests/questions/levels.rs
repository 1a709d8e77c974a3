//! Things as detailed as their values ask for: circuits, heat, friction, springs, each with a closed form.

use crate::{asked, close, example};

/// Stokes: v = 2/9 (ρ − ρ₀) g r² / η, where that is slow enough.
#[test]
fn the_law_of_drag_follows_the_reynolds_number() {
    let text = example("falling_ball");
    let (slow, found) = asked(&text, &["radius=0.01", "density=1100"], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(slow.answers[0].value[0], 2.0 / 9.0 * (1100.0 - 998.0) * 9.81 * 1e-10 / 1e-3, 1e-12);
    assert!(slow.laws.iter().any(|law| law.name == "drag(ball)"));
    let (fast, _) = asked(&text, &["radius=5"], &[]);
    let speed = (8.0 / 3.0 * 0.005 * 9.81 * (7850.0 / 998.0 - 1.0) / 0.44_f64).sqrt();
    close(fast.answers[0].value[0], speed, 1e-12);
    assert!(fast.laws.iter().any(|law| law.name == "turbulent_drag(ball)"));
    assert_eq!(fast.answers.iter().filter(|it| it.asked == "ball.speed").count(), 1, "each law only where it holds");
}

/// Stiffening springs: a quarter period from rest at the extension a of x'' = -k x (1 + h x²), by energy.
#[test]
fn a_spring_may_stiffen() {
    let text = example("spring_block_1").replace("rest = rest", "rest = rest; hardening = 2 [1/m^2]");
    let text = format!("{text}\nassume stiffening\nfind max |b1.velocity| over 2 [s]\n")
        .replace("half_turn_z(phi) * half_turn_x(theta) * half_turn_z(psi)", "quaternion(1, 0, 0, 0)");
    let (answers, found) = asked(&text, &["damping=0"], &[]);
    assert!(found.is_empty(), "{found:?} {:?}", answers.dead_ends);
    let a: f64 = 3.0 - 0.5 - 1.5;
    close(answers.answers[0].value[0], (10.0 * a * a * (1.0 + 2.0 * a * a / 2.0)).sqrt(), 1e-8);
    assert!(answers.laws.iter().any(|law| law.name == "stiff_force_2(s1)"));
}

/// A coil is as detailed as its values ask for: L/R ln 2 until the core is full at half of the last current, then ten times as fast.
#[test]
fn a_coil_is_ideal_resists_or_saturates() {
    let scene = |coil: &str, question: &str| {
        format!(
            "use circuits\nground: node\nfeed: node\nalways ground.voltage == 0\n\
             battery: voltage_source(feed, ground) {{ voltage = 12 [V] }}\n\
             coil: coil(feed, ground) {{ inductance = 60 [mH]; {coil} }}\ninitially coil.current == 0\n{question}\n"
        )
    };
    let laws = |answers: &driver::Answers| answers.laws.iter().map(|law| law.name.clone()).collect::<Vec<_>>();
    let (ideal, _) = asked(&scene("", "find coil.current over 10 [ms]"), &[], &[]);
    close(ideal.answers[0].value[0], 2.0, 1e-9);
    assert!(laws(&ideal).contains(&"ideal_coil(coil)".to_string()), "{ideal:?}");
    let (wound, _) = asked(&scene("resistance = 3 [ohm]", "find coil.current over 20 [ms]"), &[], &[]);
    close(wound.answers[0].value[0], 4.0 * (1.0 - libm::exp(-1.0)), 1e-9);
    assert!(!laws(&wound).contains(&"ideal_coil(coil)".to_string()), "{wound:?}");
    let full = "resistance = 3 [ohm]; saturation = 2 [A]";
    let (full, found) =
        asked(&scene(full, "find t when coil.current >= 3 [A]\nfind coil.current given steady(coil)"), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(full.answers[0].value[0], 0.02 * libm::log(2.0) + 0.002 * libm::log(2.0), 1e-9);
    close(full.answers[1].value[0], 4.0, 1e-9);
}

/// Newton's cooling, and where a body that glows comes to with what heats it: P = h A (T − T₀) + ε σ A (T⁴ − T₀⁴).
#[test]
fn bodies_cool_and_glow() {
    let scene = "use thermal\ntea: store { capacity = 1 [kJ/K] }\nroom: surroundings { temperature = 293 [K] }\n\
                 s: surface(tea, room) { area = 0.03 [m^2] }\ninitially tea.temperature == 360 [K]\n";
    let (cooled, _) = asked(&format!("{scene}find tea.temperature over 1000 [s]\n"), &[], &[]);
    close(cooled.answers[0].value[0], 293.0 + 67.0 * libm::exp(-0.3), 1e-9);
    let glowing = format!(
        "{scene}assume radiating\nlaw heating for s: store {{ s.heat += 2000 [W] }}\nfind tea.temperature given steady(tea)\n"
    );
    let (answers, found) = asked(&glowing, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let t = answers.answers[0].value[0];
    let lost = 10.0 * 0.03 * (t - 293.0) + 0.9 * 5.670374419e-8 * 0.03 * (libm::pow(t, 4.0) - libm::pow(293.0, 4.0));
    close(lost, 2000.0, 1e-9);
}

/// Dry friction stops after v²/2μg, oil after m v/c.
#[test]
fn a_sled_stops_on_dry_ground_and_on_oil() {
    let scene = "use friction\nsled: slider { mass = 2 [kg]; load = 20 [N] }\nf: film(sled) { viscosity = 3 [N*s/m] }\n\
                 initially sled.position == 0\ninitially sled.speed == 3 [m/s]\nfind sled.position over 5 [s]\n";
    close(asked(scene, &[], &[]).0.answers[0].value[0], 1.5, 1e-5);
    let oiled = asked(&format!("{scene}assume lubricated\n"), &[], &[]).0;
    close(oiled.answers[0].value[0], 2.0 * (1.0 - libm::exp(-7.5)), 1e-9);
}

/// An ideal coil on a battery has no steady current; Kirchhoff's law at both nodes says the same and determines none.
#[test]
fn a_coil_is_as_detailed_as_its_values_demand() {
    let text = example("switched_coil");
    let steady = |resistance: f64| {
        let (answers, _) = asked(&text, &[&format!("resistance={resistance}")], &[]);
        let own = answers.answers.iter().filter(|it| it.asked == "coil.current");
        (own.cloned().collect::<Vec<_>>(), answers)
    };
    let (found, answers) = steady(3.0);
    let [one] = &found[..] else { panic!("{found:?}") };
    close(one.value[0], 4.0, 1e-12);
    assert!(one.complete && one.stable == Some(true));
    assert_eq!(answers.compositions[0].laws, [("ideal_source".to_string(), 1), ("saturated_coil".to_string(), 1)]);
    // L/R ln(1/(1 - 1.5/4)), then to 2 A, and from there with a tenth of the inductance.
    let times: Vec<f64> = answers.answers.iter().filter(|it| it.asked == "t").map(|it| it.value[0]).collect();
    close(times[0], 0.02 * libm::log(1.6), 1e-9);
    close(times[1], 0.022 * libm::log(2.0), 1e-9);
    let (found, answers) = steady(10.0);
    close(found[0].value[0], 1.2, 1e-12);
    assert_eq!(answers.compositions[0].laws, [("ideal_source".to_string(), 1), ("wound_coil".to_string(), 1)]);
    let (found, answers) = steady(0.0);
    assert!(found.is_empty(), "{found:?}");
    assert!(answers.dead_ends[0].message.contains("`ideal_coil(coil)` contradicts"), "{:?}", answers.dead_ends);
}

/// A circuit whose ground is `ground` and whose live node is `a`.
fn circuit(text: &str) -> String {
    format!("use circuits\nground: node\na: node\nb: node\nalways ground.voltage == 0\n{text}\n")
}

/// A source as it is described: ideal, with a resistance within, and with a limit, where its drop follows from what is left.
#[test]
fn a_source_is_ideal_loses_voltage_or_gives_no_more() {
    let bench = |source: &str, load: f64| {
        let text = circuit(&format!(
            "src: voltage_source(a, ground) {{ voltage = 12 [V]; {source} }}\nr: resistor(a, b) {{ resistance = {load} [ohm] }}\n\
             r2: resistor(b, ground) {{ resistance = {load} [ohm] }}\nfind src.drop"
        ));
        let (answers, found) = asked(&text, &[], &[]);
        assert!(found.is_empty(), "{found:?}");
        let [one] = &answers.answers[..] else { panic!("{source}, {load}: {answers:?}") };
        let laws = answers.laws.iter().filter(|it| it.name.ends_with("source(src)")).map(|it| it.name.clone());
        (one.value[0], laws.collect::<Vec<_>>())
    };
    assert_eq!(bench("", 2.0), (12.0, vec!["ideal_source(src)".to_string()]));
    let (drop, laws) = bench("resistance = 0.5 [ohm]", 2.0);
    close(drop, 12.0 * 4.0 / 4.5, 1e-12);
    assert_eq!(laws, ["loaded_source(src)"]);
    let limited = "resistance = 0.5 [ohm]; limit = 2 [A]";
    let (drop, laws) = bench(limited, 2.0);
    close(drop, 2.0 * 4.0, 1e-12);
    assert_eq!(laws, ["limited_source(src)"]);
    let (drop, laws) = bench(limited, 3.0);
    close(drop, 12.0 * 6.0 / 6.5, 1e-12);
    assert_eq!(laws, ["loaded_source(src)"]);
    // 2 A until 11 V are there, then RC ln 2 for half of what is left.
    let text = circuit(&format!(
        "src: voltage_source(a, ground) {{ voltage = 12 [V]; {limited} }}\nw: resistor(a, b) {{ resistance = 0 [ohm] }}\n\
         c: capacitor(b, ground) {{ capacitance = 1 [mF] }}\nfind t when c.drop >= 11.5 [V]\nfind c.drop given steady(c)"
    ));
    let (answers, found) = asked(&text, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], 5.5e-3 + 0.5e-3 * libm::log(2.0), 1e-9);
    let steady = &answers.answers[1];
    close(steady.value[0], 12.0, 1e-12);
    close(steady.rate.expect("it moves"), -2000.0, 1e-9);
    assert_eq!((steady.stable, steady.reached), (Some(true), Some(true)));
}

/// A resistor that warms up obeys v = R (1 + w v i) i; a capacitor that leaks keeps what a divider leaves it; without either, both are ideal.
#[test]
fn resistors_warm_up_and_capacitors_leak() {
    let text = circuit(
        "param warming = 0.2 [1/W]\nsrc: voltage_source(a, ground) { voltage = 10 [V] }\n\
         r1: resistor(a, b) { resistance = 3 [ohm]; warming = warming }\nr2: resistor(b, ground) { resistance = 2 [ohm] }\nfind r1.current",
    );
    let i = asked(&text, &[], &[]).0.answers[0].value[0];
    let drop = 10.0 - 2.0 * i;
    close(3.0 * (1.0 + 0.2 * drop * i) * i, drop, 1e-12);
    let (cold, _) = asked(&text, &["warming=0"], &[]);
    close(cold.answers[0].value[0], 2.0, 1e-12);
    assert!(cold.laws.iter().any(|it| it.name == "ohm(r1)"), "{:?}", cold.laws);
    for (leakage, drop) in [("", 10.0), ("leakage = 1 [mS]", 10.0 * 1000.0 / 1250.0)] {
        let text = circuit(&format!(
            "src: voltage_source(a, ground) {{ voltage = 10 [V] }}\nr: resistor(a, b) {{ resistance = 250 [ohm] }}\n\
             c: capacitor(b, ground) {{ capacitance = 1 [mF]; {leakage} }}\nfind c.drop given steady(c)"
        ));
        close(asked(&text, &[], &[]).0.answers[0].value[0], drop, 1e-12);
    }
}

/// A diode as a valve: while it is open, the capacitor follows the source; it shuts where tan ωt = −ωRC, and the rest decays.
#[test]
fn a_diode_may_be_a_valve() {
    let text = circuit(
        "src: ac_generator(a, ground) { amplitude = 10 [V]; omega = 300 [rad/s] }\nd: diode(a, b)\n\
         c: capacitor(b, ground) { capacitance = 1 [mF] }\nr: resistor(b, ground) { resistance = 20 [ohm] }\n\
         find max r.drop over 20 [ms]\nfind r.drop over 15 [ms]",
    );
    let (valve, found) = asked(&format!("{text}assume ideal_diodes\n"), &[], &[]);
    assert!(found.is_empty() && valve.dead_ends.is_empty(), "{found:?} {:?}", valve.dead_ends);
    close(valve.answers[0].value[0], 10.0, 1e-9);
    let phase = std::f64::consts::PI - libm::atan(300.0 * 20.0 * 1e-3);
    close(valve.answers[1].value[0], 10.0 * libm::sin(phase) * libm::exp(-(0.015 - phase / 300.0) / 0.02), 1e-8);
    // A real one takes some tenths of a volt, one with resistance more.
    let shockley = asked(&text, &[], &[]).0.answers[0].value[0];
    let resisting = text.replace("d: diode(a, b)", "d: diode(a, b) { resistance = 0.3 [ohm] }");
    let resisting = asked(&resisting, &[], &[]).0.answers[0].value[0];
    assert!(resisting < shockley && shockley < 9.6 && resisting > 8.0, "{shockley} {resisting}");
}

/// A transformer: the load sees its ratio; the flux V/ω (1 − cos ωt) takes a magnetising current, and where the core is full much more.
#[test]
fn a_transformer_is_ideal_magnetised_or_saturated() {
    let scene = |core: &str| {
        circuit(&format!(
            "src: ac_generator(a, ground) {{ amplitude = 300 [V]; omega = 300 [rad/s] }}\n\
             w: transformer(a, ground, b, ground) {{ ratio = 0.1; {core} }}\nr: resistor(b, ground) {{ resistance = 10 [ohm] }}\n{}\
             find max r.current over 20 [ms]\nfind max w.magnetising over 20 [ms]",
            if core.is_empty() { "" } else { "initially w.magnetising == 0\n" }
        ))
    };
    for (core, magnetising, law) in [
        ("", 0.0, "ideal_transformer(w)"),
        ("inductance = 0.5 [H]", 2.0 / 0.5, "magnetised_transformer(w)"),
        ("inductance = 0.5 [H]; saturation = 2 [A]", 2.0 + (2.0 - 1.0) / 0.005, "saturated_transformer(w)"),
    ] {
        let (answers, found) = asked(&scene(core), &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{core}: {found:?} {:?}", answers.dead_ends);
        close(answers.answers[0].value[0], 3.0, 1e-9);
        close(answers.answers[1].value[0] + 1.0, magnetising + 1.0, 1e-8);
        assert!(answers.laws.iter().any(|it| it.name == law), "{core}: {:?}", answers.laws);
        let begins =
            answers.laws.iter().find(|it| it.name.contains("transformer") && it.reason.starts_with("in force"));
        assert!(begins.is_some_and(|it| !it.name.starts_with("saturated")), "{core}: {:?}", answers.laws);
    }
}
