//! `describe`: a motion in words, from a run of the scene.
//!
//! The run is looked at ten times in each of its steps, so that nothing that the steps follow is passed over. Where something turns back or comes to
//! rest, the instant is located by further runs that look nowhere else.

use std::ops::Range;

use base::Diagnostics;
use model::{Described, FrameId, Model, Motion};

use super::motion::{Course, Row, Turning, bounds, course, length, period, turning};
use super::reach::{Hull, Plane, planes};
use super::run::Rehearsal;
use super::{Answers, Asking, DeadEnd, composition};

/// Looks at each step of a run.
const LOOKS: i64 = 10;
/// Instants at which a run is looked at.
const ROWS: [i64; 2] = [1000, 50_000];
/// Runs that locate instants, at most: a secant's steps need six, halving at a jump all.
const PASSES: usize = 40;
/// Instants lie within bounds that are this near, relative to the run; what is smooth is far better known then.
const LOCATED: f64 = 1e-9;
/// Turns that are fewer looks apart than this are not told from one another.
const APART: f64 = 4.0;
/// More turns than this are not located.
const MOST_TURNS: usize = 400;
/// Slower than this part of the greatest speed is as good as at rest; slower than the second is at rest.
const REST: [f64; 2] = [1e-3, 1e-8];
/// What is at rest is so for this part of the run at least: what turns back is slow for less.
const LASTING: f64 = 0.02;
/// Lengths below this part of the largest one are told as zero.
const ZERO: f64 = 1e-9;

/// What there is to say of one motion.
#[derive(Clone, Debug)]
pub struct Description {
    pub name: String,
    /// How long the run is that was looked at, in seconds.
    pub until: f64,
    pub remarks: Vec<Remark>,
}

/// One thing to say of a motion.
#[derive(Clone, Debug)]
pub struct Remark {
    /// One word.
    pub what: &'static str,
    pub text: String,
    /// In SI units.
    pub values: Vec<(String, f64)>,
}

impl Remark {
    fn new(what: &'static str, text: String, values: &[(&str, f64)]) -> Remark {
        Remark { what, text, values: values.iter().map(|(name, value)| (name.to_string(), *value)).collect() }
    }
}

impl Description {
    pub fn over(&self) -> String {
        format!("over {} s of a run", short(self.until))
    }
}

/// Describes what one statement names, or says why there is no run.
pub fn answer(
    asking: &Asking<'_>,
    model: &Model,
    at: usize,
    motion: &Motion,
    parameters: &[f64],
    out: &mut Answers,
    sink: &mut Diagnostics,
) -> Option<()> {
    let question = &model.questions[at];
    let hulls = Hull::all(model, &motion.shaped, parameters);
    let scene = Surroundings::new(model, motion, &hulls, parameters);
    let rehearsal = Rehearsal::of(asking, asking.settings, scene.probes.clone(), "", sink)?;
    composition::of_run(model, at, parameters, rehearsal.stages(), out);
    match Look::new(&rehearsal, motion.seconds) {
        Ok(look) => {
            let all = motion.things.iter().enumerate();
            let described: Result<Vec<Description>, String> =
                all.map(|(at, thing)| look.describe(thing, at, &scene)).collect();
            match described {
                Ok(described) => out.descriptions.extend(described),
                Err(message) => out.dead_ends.push(no_run(question, message)),
            }
        }
        Err(message) => out.dead_ends.push(no_run(question, message)),
    }
    Some(())
}

fn no_run(question: &model::Question, message: String) -> DeadEnd {
    DeadEnd {
        asked: question.text.clone(),
        message: format!("`{}` cannot be described: {message}", question.text),
        unknowns: Vec::new(),
        equations: Vec::new(),
        suggestions: Vec::new(),
        follows: false,
        span: question.span,
    }
}

/// What is looked at: the things that are described, all that has a shape, and what may touch.
struct Surroundings {
    probes: Vec<String>,
    /// Of each thing that is described and then of each other one, the probe of its place.
    things: Vec<Body>,
    /// How many of them are described.
    described: usize,
    planes: Vec<Plane>,
    /// Names of two things that can touch, and the probe of their gap; that of the number of their impacts is the next.
    pairs: Vec<([String; 2], usize)>,
}

struct Body {
    name: String,
    frame: Option<FrameId>,
    place: usize,
    /// The first of three probes with the axes of the world along its own.
    axes: Option<usize>,
    hull: Option<Hull>,
}

impl Surroundings {
    fn new(model: &Model, motion: &Motion, hulls: &[(FrameId, Hull)], parameters: &[f64]) -> Surroundings {
        let mut probes: Vec<String> = Vec::new();
        let mut things: Vec<Body> = Vec::new();
        let hull_of = |frame: FrameId| hulls.iter().find(|(own, _)| *own == frame).map(|(_, hull)| hull.clone());
        for thing in &motion.things {
            let place = probes.len();
            probes.extend([thing.value.clone(), thing.rate.clone()]);
            probes.extend(thing.turning.iter().flatten().cloned());
            let axes = thing.turning.is_some().then_some(place + 3);
            things.push(Body {
                name: thing.name.clone(),
                frame: thing.frame,
                place,
                axes,
                hull: thing.frame.and_then(hull_of),
            });
        }
        let described = things.len();
        for (frame, hull) in hulls.iter().filter(|(frame, _)| *frame != model::WORLD) {
            if things.iter().any(|thing| thing.frame == Some(*frame)) {
                continue;
            }
            let (name, place) = (model.frame(*frame).name.clone(), probes.len());
            probes.push(format!("{name}.position"));
            probes.extend(["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"].map(|axis| format!("({axis} in {name})")));
            things.push(Body { name, frame: Some(*frame), place, axes: Some(place + 1), hull: Some(hull.clone()) });
        }
        let mut pairs = Vec::new();
        for pair in model.contacts.iter().flat_map(|contacts| &contacts.pairs) {
            let names = pair.things.map(|at| model.contacts.as_ref().map_or("", |it| &it.things[at].name).to_string());
            if names.iter().any(|name| motion.things.iter().any(|thing| thing.name == *name)) {
                let [a, b] = &names;
                pairs.push((names.clone(), probes.len()));
                probes.extend([format!("contact({a}, {b}).gap"), format!("contact({a}, {b}).impacts")]);
            }
        }
        Surroundings { probes, things, described, planes: planes(model, parameters), pairs }
    }
}

/// A run that was looked at.
struct Look<'r> {
    rehearsal: &'r Rehearsal<'r>,
    rows: Vec<Row>,
    end: f64,
    seconds: f64,
    /// The columns of each probe.
    columns: Vec<Range<usize>>,
}

/// Something that changes its sign between two instants.
struct Crossing {
    low: (f64, f64),
    high: (f64, f64),
    /// On which side the last look was.
    kept: Option<bool>,
    /// Whether the last look left more than half, so that halving is better.
    slow: bool,
    done: bool,
    row: Row,
}

impl<'r> Look<'r> {
    fn new(rehearsal: &'r Rehearsal<'r>, seconds: f64) -> Result<Look<'r>, String> {
        let first = rehearsal.rows_at(&[seconds], seconds)?;
        let count = (LOOKS * first.steps).clamp(ROWS[0], ROWS[1]);
        let times: Vec<f64> = (0..=count).map(|at| first.end * at as f64 / count as f64).collect();
        let rows = rehearsal.rows_at(&times, seconds)?.rows;
        let rows = times.into_iter().zip(rows).map(|(t, values)| Row { t, values }).collect();
        let mut columns = Vec::new();
        let mut from = 0;
        for output in &rehearsal.stages().system.outputs {
            columns.push(from..from + output.columns.len());
            from += output.columns.len();
        }
        Ok(Look { rehearsal, rows, end: first.end, seconds, columns })
    }

    /// The instants at which something changes its sign, with all that is seen there.
    fn crossings(&self, of: impl Fn(&[f64]) -> f64, from: Range<usize>) -> Result<Vec<Row>, String> {
        let mut found: Vec<Crossing> = Vec::new();
        for pair in self.rows[from].windows(2).take_while(|pair| pair.len() == 2) {
            let [low, high] = [0, 1].map(|side| (pair[side].t, of(&pair[side].values)));
            if low.1 != 0.0 && (low.1 < 0.0) != (high.1 < 0.0) && found.len() < MOST_TURNS {
                found.push(Crossing { low, high, kept: None, slow: false, done: false, row: pair[1].clone() });
            }
        }
        for _ in 0..PASSES {
            let open: Vec<usize> = (0..found.len()).filter(|&at| !found[at].done).collect();
            if open.is_empty() {
                break;
            }
            let instants: Vec<f64> = open.iter().map(|&at| found[at].next()).collect();
            let rows = self.rehearsal.rows_at(&instants, self.seconds)?.rows;
            for ((at, t), values) in open.into_iter().zip(instants).zip(rows) {
                let crossing = &mut found[at];
                crossing.narrow(t, of(&values));
                crossing.done = crossing.high.0 - crossing.low.0 <= LOCATED * self.end;
                crossing.row = Row { t, values };
            }
        }
        Ok(found.into_iter().map(|crossing| crossing.row).collect())
    }

    fn describe(&self, thing: &Described, at: usize, scene: &Surroundings) -> Result<Description, String> {
        let body = &scene.things[at];
        let mut remarks = Vec::new();
        let (value, rate) = (self.columns[body.place].clone(), self.columns[body.place + 1].clone());
        let rest = self.rest(thing, rate.clone())?;
        remarks.extend(self.course(thing, value.clone(), rate.clone())?);
        if thing.turning.is_some() {
            remarks.extend(self.turning(self.columns[body.place + 2].start, self.columns[body.place + 3].start)?);
        }
        remarks.extend(rest);
        remarks.extend(self.covers(thing, body, value, rate));
        remarks.extend(self.touches(thing, scene));
        remarks.extend(self.may_hit(at, scene));
        Ok(Description { name: thing.name.clone(), until: self.end, remarks })
    }

    fn range_of(&self, column: usize) -> f64 {
        let (low, high) = bounds(self.rows.iter().map(|row| row.values[column]));
        high - low
    }

    fn course(&self, thing: &Described, value: Range<usize>, rate: Range<usize>) -> Result<Option<Remark>, String> {
        let speed = |row: &Row| length(&row.values[rate.clone()]);
        let (slowest, fastest) = bounds(self.rows.iter().map(speed));
        let ranges: Vec<f64> = value.clone().map(|column| self.range_of(column)).collect();
        let most = (0..ranges.len()).fold(0, |best, at| if ranges[at] > ranges[best] { at } else { best });
        let size =
            self.rows.iter().flat_map(|row| &row.values[value.clone()]).fold(0.0, |most: f64, x| most.max(x.abs()));
        if ranges[most] <= ZERO * size.max(fastest * self.end) || fastest == 0.0 {
            let text = if thing.is_place { "stays where it is" } else { "does not change" };
            return Ok(Some(Remark::new("rests", text.to_string(), &[])));
        }
        let marker = value.start + most;
        let mut turns = self.crossings(|values| values[rate.start + most], 0..self.rows.len())?;
        let looks = self.end / (self.rows.len() - 1) as f64;
        let close = turns.windows(2).position(|pair| pair[1].t - pair[0].t < APART * looks);
        turns.truncate(close.map_or(turns.len(), |at| at + 1));
        let columns = [(value.clone(), ranges[most]), (rate.clone(), fastest)];
        Ok(Some(match course(&turns, marker, &columns, ranges[most]) {
            Course::Repeats { period } if value.len() > 1 && slowest > REST[0] * fastest => {
                Remark::new("goes round", format!("goes round with period {} s", short(period)), &[("period", period)])
            }
            Course::Repeats { period } => {
                Remark::new("oscillates", format!("oscillates with period {} s", short(period)), &[("period", period)])
            }
            Course::Swings { shortest, longest, factor } => swings(shortest, longest, factor),
            Course::Turns(count) => {
                let times = base::counted(count, "time", "times");
                Remark::new("turns back", format!("turns back {times}, without a period"), &[("turns", count as f64)])
            }
            Course::Onward => self.onward(thing, value, rate),
        }))
    }

    fn onward(&self, thing: &Described, value: Range<usize>, rate: Range<usize>) -> Remark {
        let [Some(first), Some(last)] = [self.rows.first(), self.rows.last()] else {
            return Remark::new("moves", String::new(), &[]);
        };
        let way: Vec<f64> = value.map(|column| last.values[column] - first.values[column]).collect();
        let speed = |row: &Row| length(&row.values[rate.clone()]);
        let (unit, far) = (&thing.unit.text, length(&way));
        let told = match &way[..] {
            [one] if *one < 0.0 => format!("falls by {} {unit}, without turning back", short(far)),
            [_] => format!("rises by {} {unit}, without turning back", short(far)),
            _ => format!("moves on, by {} {unit}, without turning back", vector(&way)),
        };
        let faster = if speed(last) > speed(first) { "faster" } else { "slower" };
        let text = format!("{told}, {faster} at the end than at the start");
        Remark::new("moves on", text, &[("way", far)])
    }

    fn turning(&self, omega: usize, axes: usize) -> Result<Option<Remark>, String> {
        let degrees = |angle: f64| short(angle.to_degrees());
        let spin = omega..omega + 3;
        let (text, what) = match turning(&self.rows, omega, axes) {
            Turning::No => return Ok(None),
            Turning::Swings { widest } => (
                format!("swings about an axis that is fixed in it, up to {} deg from how it starts", degrees(widest)),
                "swings",
            ),
            Turning::Spins { turns } => {
                (format!("spins about an axis that is fixed in it, {} turns", short(turns)), "spins")
            }
            Turning::Rocks { widest } => {
                (format!("rocks about axes that change, up to {} deg from how it starts", degrees(widest)), "rocks")
            }
            Turning::Wobbles { turns, wanders } => (
                format!(
                    "spins, {} turns, about an axis that wanders by up to {} deg in it",
                    short(turns),
                    degrees(wanders)
                ),
                "wobbles",
            ),
            Turning::Tumbles { turns } => {
                (format!("tumbles, {} turns: the axis about which it turns reverses in it", short(turns)), "tumbles")
            }
        };
        let ranges: Vec<f64> = spin.clone().map(|column| self.range_of(column)).collect();
        let most = (0..3).fold(0, |best, at| if ranges[at] > ranges[best] { at } else { best });
        let fastest = self.rows.iter().map(|row| length(&row.values[spin.clone()])).fold(0.0, f64::max);
        if ranges[most] <= ZERO * fastest {
            return Ok(Some(Remark::new(
                what,
                format!("{text}, at a steady rate of {} rad/s", short(fastest)),
                &[("rate", fastest)],
            )));
        }
        let (low, high) = bounds(self.rows.iter().map(|row| row.values[omega + most]));
        let middle = low + 0.5 * (high - low);
        let crossings = self.crossings(|values| values[omega + most] - middle, 0..self.rows.len())?;
        let from = usize::from(self.rows[0].values[omega + most] > middle);
        let upward: Vec<&Row> = crossings.iter().skip(from).step_by(2).collect();
        Ok(Some(match period(&upward, &[(spin, fastest)]) {
            Some(period) => Remark::new(
                what,
                format!("{text}; its rotation repeats with period {} s", short(period)),
                &[("period", period)],
            ),
            None => Remark::new(what, text, &[]),
        }))
    }

    /// From when on it is as good as at rest.
    fn rest(&self, thing: &Described, rate: Range<usize>) -> Result<Option<Remark>, String> {
        let speed = |values: &[f64]| length(&values[rate.clone()]);
        let fastest = self.rows.iter().map(|row| speed(&row.values)).fold(0.0, f64::max);
        for part in [REST[1], REST[0]] {
            let moving = self.rows.iter().rposition(|row| speed(&row.values) > part * fastest);
            let Some(last) = moving.filter(|&last| last + 1 < self.rows.len()) else { continue };
            if self.end - self.rows[last].t < LASTING * self.end || fastest == 0.0 {
                continue;
            }
            let located = self.crossings(|values| speed(values) - part * fastest, last..last + 2)?;
            let t = located.first().map_or(self.rows[last + 1].t, |row| row.t);
            let word = if thing.is_place { "comes to rest" } else { "settles" };
            let text = match part == REST[1] {
                true => format!("{word} at t = {} s", short(t)),
                false => {
                    format!("{word}: from t = {} s on it is slower than a thousandth of its greatest speed", short(t))
                }
            };
            return Ok(Some(Remark::new("comes to rest", text, &[("t", t)])));
        }
        Ok(None)
    }

    /// Between which numbers it stays; of what has a shape, with that.
    fn covers(&self, thing: &Described, body: &Body, value: Range<usize>, rate: Range<usize>) -> Option<Remark> {
        let mut all: Vec<(f64, f64)> = Vec::new();
        for (at, column) in value.clone().enumerate() {
            let along = |sign: f64| {
                let mut axis = [0.0; 3];
                axis[at] = sign;
                axis
            };
            let reach = |row: &Row, sign: f64| self.reach(body, &row.values, along(sign));
            let low = self.rows.iter().map(|row| row.values[column] - reach(row, -1.0)).fold(f64::INFINITY, f64::min);
            let high =
                self.rows.iter().map(|row| row.values[column] + reach(row, 1.0)).fold(f64::NEG_INFINITY, f64::max);
            let turns = self
                .rows
                .windows(2)
                .filter(|_| body.hull.is_none())
                .filter_map(|pair| turn(pair, column, rate.start + at));
            all.push(turns.fold((low, high), |(low, high), x| (low.min(x), high.max(x))));
        }
        let size = all.iter().fold(0.0, |size: f64, (low, high)| size.max(low.abs()).max(high.abs()));
        let told = |x: f64| if x.abs() <= ZERO * size { "0".to_string() } else { short(x) };
        let unit = crate::settings::bracketed(&thing.unit);
        let names: &[&str] = if all.len() == 1 { &[""] } else { &["x ", "y ", "z "] };
        let spans: Vec<String> = all
            .iter()
            .zip(names)
            .map(|((low, high), name)| {
                let (low, high) = (told(*low), told(*high));
                if low == high { format!("{name}{low}") } else { format!("{name}{low} to {high}") }
            })
            .collect();
        let whole = if body.hull.is_some() { " with all of its shape" } else { "" };
        let verb = if thing.is_place { "covers" } else { "stays within" };
        let text = format!("{verb} {}{unit}{whole}", spans.join(", "));
        let mut remark = Remark::new("covers", text, &[]);
        for ((low, high), name) in all.iter().zip(names) {
            remark.values.extend([(format!("{name}from"), *low), (format!("{name}to"), *high)]);
        }
        Some(remark)
    }

    fn reach(&self, body: &Body, values: &[f64], along: [f64; 3]) -> f64 {
        match (&body.hull, body.axes) {
            (Some(hull), Some(axes)) => hull.reach(&values[self.columns[axes].start..], along),
            _ => 0.0,
        }
    }

    /// What it touches, where the scene says what happens then.
    fn touches(&self, thing: &Described, scene: &Surroundings) -> Vec<Remark> {
        let own = scene.pairs.iter().filter(|(names, _)| names.contains(&thing.name));
        let one = |(names, probe): &([String; 2], usize)| {
            let other = if names[0] == thing.name { &names[1] } else { &names[0] };
            let (gap, impacts) = (self.columns[*probe].start, self.columns[probe + 1].start);
            let (least, _) = bounds(self.rows.iter().map(|row| row.values[gap]));
            let count = self.rows.last().map_or(0.0, |row| row.values[impacts]);
            match count > 0.0 || least <= ZERO {
                true if count > 0.0 => {
                    let times = base::counted(count as usize, "time", "times");
                    Remark::new("hits", format!("hits `{other}` {times}"), &[("impacts", count)])
                }
                true => Remark::new("touches", format!("touches `{other}`"), &[]),
                false => Remark::new(
                    "clear",
                    format!("stays clear of `{other}`, {} m away at the nearest look", short(least)),
                    &[("gap", least)],
                ),
            }
        };
        own.map(one).collect()
    }

    /// What else has a shape and comes as near as their bounds reach.
    fn may_hit(&self, at: usize, scene: &Surroundings) -> Vec<Remark> {
        let body = &scene.things[at];
        let known = |name: &str| {
            scene.pairs.iter().any(|(names, _)| names.contains(&body.name) && names.iter().any(|it| it == name))
        };
        let mut remarks = Vec::new();
        for (other_at, other) in scene.things.iter().enumerate().filter(|(other, _)| *other != at) {
            let points = body.hull.is_none() || other.hull.is_none();
            if known(&other.name) || (points && (other_at >= scene.described || self.columns[other.place].len() != 3)) {
                continue;
            }
            let gap = |row: &Row| {
                if points { self.distance(body, other, &row.values) } else { self.box_gap(body, other, &row.values) }
            };
            remarks.push(self.nearest(&other.name, points, gap));
        }
        for plane in scene.planes.iter().filter(|plane| body.hull.is_some() && !known(&plane.name)) {
            let place = self.columns[body.place].clone();
            let gap = |row: &Row| plane.gap(&row.values[place.clone()], |along| self.reach(body, &row.values, along));
            remarks.push(self.nearest(&plane.name, false, gap));
        }
        remarks
    }

    fn distance(&self, one: &Body, other: &Body, values: &[f64]) -> f64 {
        let (a, b) = (&values[self.columns[one.place].clone()], &values[self.columns[other.place].clone()]);
        length(&[0, 1, 2].map(|k| a[k] - b[k]))
    }

    /// How far boxes around both are apart, along the axis on which they are farthest.
    fn box_gap(&self, one: &Body, other: &Body, values: &[f64]) -> f64 {
        let (a, b) = (&values[self.columns[one.place].clone()], &values[self.columns[other.place].clone()]);
        let along = |k: usize| {
            let sign = if b[k] > a[k] { 1.0 } else { -1.0 };
            let mut axis = [0.0; 3];
            axis[k] = sign;
            let back = axis.map(|x| -x);
            (b[k] - a[k]).abs() - self.reach(one, values, axis) - self.reach(other, values, back)
        };
        (0..3).map(along).fold(f64::NEG_INFINITY, f64::max)
    }

    fn nearest(&self, name: &str, points: bool, gap: impl Fn(&Row) -> f64) -> Remark {
        let gaps: Vec<f64> = self.rows.iter().map(&gap).collect();
        let least = (0..gaps.len()).fold(0, |best, at| if gaps[at] < gaps[best] { at } else { best });
        // Between two looks a gap changes no more than it does from one to the next, doubled for what bends.
        let between = gaps.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        let values = [("gap", gaps[least]), ("t", self.rows[least].t)];
        let when = short(self.rows[least].t);
        match points {
            true => Remark::new(
                "comes near",
                format!("comes to {} m from `{name}`, at t = {when} s", short(gaps[least])),
                &values,
            ),
            false if gaps[least] > between => Remark::new(
                "clear",
                format!(
                    "stays clear of `{name}`: boxes around them are {} m apart or more",
                    short(gaps[least] - between)
                ),
                &values,
            ),
            false => {
                let first = gaps.iter().position(|gap| *gap <= between).unwrap_or(least);
                let t = self.rows[first].t;
                Remark::new(
                    "may hit",
                    format!("may hit `{name}`: boxes around them meet at t = {} s", short(t)),
                    &[("t", t)],
                )
            }
        }
    }
}

impl Crossing {
    fn next(&self) -> f64 {
        let ((a, fa), (b, fb)) = (self.low, self.high);
        let t = a - fa * (b - a) / (fb - fa);
        if t > a && t < b && !self.slow { t } else { a + 0.5 * (b - a) }
    }

    /// The rule of Illinois: an end that stays is given half its weight, so that both ends close in.
    fn narrow(&mut self, t: f64, value: f64) {
        let (is_low, before) = ((value < 0.0) == (self.low.1 < 0.0), self.high.0 - self.low.0);
        if is_low {
            self.low = (t, value);
        } else {
            self.high = (t, value);
        }
        if self.kept == Some(is_low) {
            let other = if is_low { &mut self.high.1 } else { &mut self.low.1 };
            *other *= 0.5;
        }
        self.kept = Some(is_low);
        self.slow = !self.slow && self.high.0 - self.low.0 > 0.5 * before;
    }
}

fn swings(shortest: f64, longest: f64, factor: f64) -> Remark {
    let time = match Course::is_even(shortest, longest) {
        true => format!("with period {} s", short(longest)),
        false => format!("with periods from {} s to {} s", short(shortest), short(longest)),
    };
    let change = if factor < 1.0 { "fade" } else { "grow" };
    let text = format!("oscillates {time}, with swings that {change}: each is {} of the one before", short(factor));
    Remark::new("oscillates", text, &[("period", 0.5 * (shortest + longest)), ("factor", factor)])
}

/// The value where a cubic through two looks turns back, if it does between them.
fn turn(pair: &[Row], value: usize, rate: usize) -> Option<f64> {
    let (h, [a, b]) = (pair[1].t - pair[0].t, [0, 1].map(|side| pair[side].values[rate]));
    if (a < 0.0) == (b < 0.0) || a == b {
        return None;
    }
    let s = a / (a - b);
    let (from, to) = (pair[0].values[value], pair[1].values[value]);
    let hermite = from * (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) + to * s * s * (3.0 - 2.0 * s);
    Some(hermite + h * s * (1.0 - s) * (a * (1.0 - s) - b * s))
}

fn vector(columns: &[f64]) -> String {
    let size = length(columns);
    let told = columns.iter().map(|x| if x.abs() <= ZERO * size { "0".to_string() } else { short(*x) });
    format!("({})", told.collect::<Vec<_>>().join(", "))
}

/// Six digits: as much as words need.
fn short(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let digits = (5.0 - libm::log10(value.abs().max(1e-4)).floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}
