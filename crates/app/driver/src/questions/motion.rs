//! Words for a motion: whether it repeats itself, fades, comes to rest, and how it turns, judged from rows of numbers.

/// What repeats does so within this, relative to the whole of the motion: far above what steps are off by, far below what is seen.
const SAME: f64 = 1e-6;
/// Swings below this part of the whole are noise.
const NOISE: f64 = 1e-5;
/// As many swings as this may make one period.
const LONGEST_CYCLE: usize = 8;
/// An axis that stays within this angle is fixed, in radians.
const FIXED: f64 = 1e-3;
/// Rotations slower than this part of the fastest have no direction to speak of.
const SLOW: f64 = 1e-3;

/// Axes with a smaller cosine between them than this, two thirds of a half turn, have changed sides.
const REVERSED: f64 = -0.5;

/// An instant at which a run was looked at.
#[derive(Clone, Debug)]
pub struct Row {
    pub t: f64,
    pub values: Vec<f64>,
}

/// What a motion does as time goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// All of it comes again.
    Repeats { period: f64 },
    /// Back and forth, each swing smaller than the one before by a factor, or larger.
    Swings { shortest: f64, longest: f64, factor: f64 },
    /// Back and forth without a rule, with so many turns.
    Turns(usize),
    /// One way only.
    Onward,
}

/// The course of some columns from their turns, of which one of them was the marker; columns beyond those are not looked at.
pub fn course(turns: &[Row], marker: usize, columns: &[(std::ops::Range<usize>, f64)], whole: f64) -> Course {
    let turns = without_noise(turns, marker, NOISE * whole);
    let tops: Vec<&Row> = match turns.first() {
        Some(first) => {
            let from = usize::from(turns.get(1).is_some_and(|second| second.values[marker] > first.values[marker]));
            turns[from..].iter().step_by(2).collect()
        }
        None => Vec::new(),
    };
    if let Some(period) = period(&tops, columns) {
        return Course::Repeats { period };
    }
    match swings(&turns, marker) {
        Some(course) => course,
        None if turns.is_empty() => Course::Onward,
        None => Course::Turns(turns.len()),
    }
}

/// Turns between which there is more than noise.
fn without_noise(turns: &[Row], marker: usize, least: f64) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::new();
    for turn in turns {
        match kept.last() {
            Some(last) if (last.values[marker] - turn.values[marker]).abs() <= least => {
                kept.pop();
            }
            _ => kept.push(turn.clone()),
        }
    }
    kept
}

/// The time after which all columns have the values that they had, if marks are that regular. Each range of columns has its own scale.
pub fn period(marks: &[&Row], columns: &[(std::ops::Range<usize>, f64)]) -> Option<f64> {
    let alike = |a: &Row, b: &Row| {
        let near = |(range, scale): &(std::ops::Range<usize>, f64)| {
            range.clone().all(|at| (a.values[at] - b.values[at]).abs() <= SAME * scale)
        };
        columns.iter().all(near)
    };
    (1..=LONGEST_CYCLE).take_while(|cycle| marks.len() >= cycle + 2).find_map(|cycle| {
        let rounds = (marks.len() - 1) / cycle;
        let period = (marks[rounds * cycle].t - marks[0].t) / rounds as f64;
        let pairs = marks.iter().zip(&marks[cycle..]);
        let regular = |(a, b): (&&Row, &&Row)| ((b.t - a.t) - period).abs() <= SAME * period && alike(a, b);
        pairs.clone().all(regular).then_some(period)
    })
}

/// Swings that all shrink, or all grow.
fn swings(turns: &[Row], marker: usize) -> Option<Course> {
    let swings: Vec<f64> =
        turns.windows(2).map(|pair| (pair[1].values[marker] - pair[0].values[marker]).abs()).collect();
    if swings.len() < 3 {
        return None;
    }
    let ratios: Vec<f64> = swings.windows(2).map(|pair| pair[1] / pair[0]).collect();
    // What bounces rises as high as it then falls: two swings may be equal, but not all.
    let all = swings[swings.len() - 1] / swings[0];
    let shrinks = all < 1.0 - SAME && ratios.iter().all(|ratio| *ratio <= 1.0 + SAME);
    let grows = all > 1.0 + SAME && ratios.iter().all(|ratio| *ratio >= 1.0 - SAME);
    (shrinks || grows).then(|| {
        let times = turns.windows(3).map(|three| three[2].t - three[0].t);
        let (shortest, longest) = bounds(times);
        let factor = libm::pow(all, 1.0 / ratios.len() as f64);
        Course::Swings { shortest, longest, factor }
    })
}

impl Course {
    /// Whether swings take the same time, large or small.
    pub fn is_even(shortest: f64, longest: f64) -> bool {
        longest - shortest <= SAME * longest
    }
}

/// How something turns.
#[derive(Clone, Debug, PartialEq)]
pub enum Turning {
    No,
    /// About an axis that is fixed in it, to and fro.
    Swings {
        widest: f64,
    },
    /// About an axis that is fixed in it, one way.
    Spins {
        turns: f64,
    },
    /// About axes that change, but never far from how it was.
    Rocks {
        widest: f64,
    },
    /// About an axis that wanders in it, by an angle.
    Wobbles {
        turns: f64,
        wanders: f64,
    },
    /// The axis about which it turns reverses in it.
    Tumbles {
        turns: f64,
    },
}

/// Judges by the angular velocity along its own axes, and the axes of the world along these.
pub fn turning(rows: &[Row], omega: usize, axes: usize) -> Turning {
    let spin = |row: &Row| [0, 1, 2].map(|at| row.values[omega + at]);
    let Some(fastest) = rows.iter().map(spin).max_by(|a, b| length(a).total_cmp(&length(b))) else {
        return Turning::No;
    };
    let most = length(&fastest);
    let travelled: f64 = rows
        .windows(2)
        .map(|pair| (pair[1].t - pair[0].t) * (length(&spin(&pair[0])) + length(&spin(&pair[1]))) / 2.0)
        .sum();
    if travelled <= SAME {
        return Turning::No;
    }
    let cosine = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|at| a[at] * b[at]).sum::<f64>() / (length(a) * length(b));
    let spins: Vec<[f64; 3]> = rows.iter().map(spin).filter(|w| length(w) > SLOW * most).collect();
    let farthest = |from: &[f64; 3]| {
        let nearer = |best: &[f64; 3], w: &[f64; 3]| cosine(from, w).total_cmp(&cosine(from, best)).is_lt();
        spins.iter().fold(*from, |best, w| if nearer(&best, w) { *w } else { best })
    };
    // The two directions that are farthest apart, or nearly.
    let one = farthest(&fastest);
    let least = cosine(&one, &farthest(&one));
    let (straightest, _) = bounds(spins.iter().map(|w| cosine(&fastest, w).abs()));
    let widest = rows.iter().map(|row| angle_between(&rows[0], row, axes)).fold(0.0, f64::max);
    let turns = travelled / std::f64::consts::TAU;
    match libm::acos(straightest.min(1.0)) <= FIXED {
        true if least < 0.0 => Turning::Swings { widest },
        true => Turning::Spins { turns },
        false if widest <= std::f64::consts::FRAC_PI_2 => Turning::Rocks { widest },
        false if least < REVERSED => Turning::Tumbles { turns },
        false => Turning::Wobbles { turns, wanders: libm::acos(least.min(1.0)) },
    }
}

/// The angle of the rotation that leads from one row to the other.
fn angle_between(from: &Row, to: &Row, axes: usize) -> f64 {
    let trace: f64 = (axes..axes + 9).map(|at| from.values[at] * to.values[at]).sum();
    libm::acos(((trace - 1.0) / 2.0).clamp(-1.0, 1.0))
}

pub fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The least and the largest of some numbers.
pub fn bounds(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

#[cfg(test)]
mod tests {
    use super::{Course, Row, course};

    fn turns(of: impl Fn(f64) -> f64, count: usize) -> Vec<Row> {
        (0..count).map(|at| Row { t: at as f64, values: vec![of(at as f64)] }).collect()
    }

    fn sign(t: f64) -> f64 {
        if t % 2.0 == 0.0 { 1.0 } else { -1.0 }
    }

    #[test]
    fn equal_swings_repeat_and_shrinking_ones_fade() {
        let found = course(&turns(sign, 9), 0, &[(0..1, 2.0)], 2.0);
        assert_eq!(found, Course::Repeats { period: 2.0 });
        let fading = course(&turns(|t| sign(t) * libm::pow(0.5, t), 9), 0, &[(0..1, 2.0)], 2.0);
        assert_eq!(fading, Course::Swings { shortest: 2.0, longest: 2.0, factor: 0.5 });
    }

    #[test]
    fn a_period_may_have_several_tops() {
        let high = |t: f64| if t % 4.0 == 0.0 { 2.0 } else { sign(t) };
        assert_eq!(course(&turns(high, 13), 0, &[(0..1, 3.0)], 3.0), Course::Repeats { period: 4.0 });
        let other = |t: f64| sign(t) * (1.0 + libm::sin(t * t) / 10.0);
        assert_eq!(course(&turns(other, 13), 0, &[(0..1, 3.0)], 3.0), Course::Turns(13));
    }
}
