//! How fast a motion is shown at first, so that it can be followed: an orbit within seconds, and so the swing of a circuit.
//!
//! The first steps of a run know how quickly things change: whatever the unit of time, a few dozen of them show something. Nearly all scenes
//! are about things of human size, and are shown in real time.

use super::instance::TOLERANCE;

/// Seconds, and trial steps: what gets as far in so few steps is not too quick to be watched in real time. What only begins quickly does.
const QUICK: (f64, i64) = (0.1, 200);
/// Seconds, and trial steps: what gets as far in so few steps is too slow to be watched in real time.
const SLOW: (f64, i64) = (1000.0, 15);
/// Trial steps that are shown within a few seconds, where real time does not suit.
const STEPS: i64 = 30;
/// Powers of ten of a second that are tried; what needs no steps at all does not change.
const DECADES: std::ops::RangeInclusive<i32> = -12..=12;
/// So many places before what the steps cover, in 1, 2, 5, 10, …: they are seen for four or five seconds.
const SHORTER: usize = 2;

/// Simulated seconds for each second of the picture. Begins the run, which has to be begun again after it.
pub fn tempo(run: &mut driver::Instance) -> f64 {
    // Events make steps short, and rest makes them long, whatever the time is that things take.
    let stages = run.stages();
    if stages.model.contacts.is_some() || !stages.model.transitions.is_empty() {
        return 1.0;
    }
    let mut reaches = |time: f64, steps: i64| begin(run).then(|| matches!(run.advance(time, steps), Ok(true)));
    let suits = match (reaches(QUICK.0, QUICK.1), reaches(SLOW.0, SLOW.1)) {
        (Some(lively), Some(lasting)) => lively && !lasting,
        _ => true,
    };
    if suits {
        return 1.0;
    }
    let times: Vec<f64> = DECADES.flat_map(|decade| [1, 2, 5].map(|digit| power(digit, decade))).collect();
    covered(run, &times).map_or(1.0, |place| times[place.saturating_sub(SHORTER)])
}

/// The first of these times that the first steps do not reach; nothing where they reach all.
fn covered(run: &mut driver::Instance, times: &[f64]) -> Option<usize> {
    begin(run).then_some(())?;
    times.iter().position(|&time| {
        let statistics = run.statistics();
        let left = STEPS - statistics.accepted - statistics.rejected;
        left <= 0 || !matches!(run.advance(time, left), Ok(true))
    })
}

fn begin(run: &mut driver::Instance) -> bool {
    run.configure(TOLERANCE, power(1, *DECADES.end())).and_then(|()| run.initialize()).is_ok()
}

/// Decimal, so that it is the number that people would write.
fn power(digit: u32, decade: i32) -> f64 {
    format!("{digit}e{decade}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use ansatz::{Options, Scene};

    use super::*;

    fn tempo_of(text: &str) -> f64 {
        let scene = Scene::compile("scene.anz", text, &Options::default()).expect("the scene compiles");
        tempo(&mut scene.instance().expect("it can be run").into_inner())
    }

    #[test]
    fn what_people_could_watch_is_shown_in_real_time() {
        let pendulum = "gravity 9.81 [m/s^2]\nframe arm { rotation = about x free(1 [rad]) }\nbody bob in arm { position = (0, 0, -1) [m]; mass = 1 [kg] }\n";
        assert_eq!(tempo_of(pendulum), 1.0);
        assert_eq!(tempo_of("body still { position = (0, 0, free); mass = 1 [kg] }\n"), 1.0);
    }

    /// A turn takes 3.2e7 s.
    #[test]
    fn a_year_takes_seconds() {
        let orbit = "param pull = 1.33e20 [m^3/s^2]\nbody earth { position = (free(1.5e11 [m]), free, 0); mass = 6e24 [kg] }\n\
                     potential = -pull * earth.mass / |earth.position|\ninitially earth.velocity.x == 0 [m/s]\ninitially earth.velocity.y == 29.8 [km/s]\n";
        let year = 3.2e7 / tempo_of(orbit);
        assert!((2.0..60.0).contains(&year), "{year} s");
    }

    /// A period takes 6.3e-6 s.
    #[test]
    fn what_is_quick_is_slowed_down() {
        let circuit = "x: real = 1\nrate: [1/s] = 0 [1/s]\nalways x' == rate\nalways rate' == -1e12 [1/s^2] * x\n";
        let period = 6.3e-6 / tempo_of(circuit);
        assert!((0.3..60.0).contains(&period), "{period} s");
    }
}
