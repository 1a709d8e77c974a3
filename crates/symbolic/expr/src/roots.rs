//! All roots of small systems of equations within a region.
//!
//! Regions are narrowed as in `contract`; then Krawczyk's operator proves that there is no root in one, or exactly one, which Newton's
//! method finds to the last digits. All else is cut in two. (Neumaier: Interval Methods for Systems of Equations, 1990, chapter 5.)

use crate::contract::Net;
use crate::jacobian::jacobian;
use crate::{Arena, Demand, Expr, Interval, Point, Region, SymbolId, Tape};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Each as the values of the unknowns, ascending by the first of them that differs.
    pub points: Vec<Vec<f64>>,
    /// Whether it is proven that there are no others. A double root is not proven to be one.
    pub complete: bool,
}

/// Regions that are looked at before the search is given up: enough for a few unknowns, and a fraction of a second.
const REGIONS: usize = 4000;
/// Steps of Newton's method; it converges in a handful or not at all.
const STEPS: usize = 60;
/// Regions narrower than this, relative to what lies in them, are not cut again.
const NARROW: f64 = 1e-9;
/// Unknowns that are known to this, relatively, get as much room on both sides.
const ROOM: f64 = 1e-8;
/// Roots that differ by less, relatively, are one.
// Test: roots_near_one_another_are_two
const SAME: f64 = 1e-7;

/// The roots of as many equations as unknowns, within a region, where further demands are met. Other symbols must be points of the region.
pub fn roots(arena: &Arena, equations: &[Expr], unknowns: &[SymbolId], demands: &[Demand], region: &Region) -> Roots {
    let search = Search::new(arena, equations, unknowns, demands, region);
    let mut found = Roots { points: Vec::new(), complete: true };
    // Linear equations have one solution, and intervals without bounds would never prove it.
    if let Some(point) = search.is_linear.then(|| search.newton(vec![0.0; unknowns.len()])).flatten() {
        search.keep(point, &mut found);
        return found;
    }
    let mut open = vec![region.clone()];
    let mut looked_at = 0;
    while let Some(region) = open.pop() {
        looked_at += 1;
        if looked_at > REGIONS {
            found.complete = false;
            open.push(region);
            break;
        }
        match search.look(region) {
            Seen::Nothing => {}
            Seen::One(point) => search.keep(point, &mut found),
            Seen::Unclear(point) => {
                found.complete = false;
                point.into_iter().for_each(|point| search.keep(point, &mut found));
            }
            Seen::Halves(halves) => open.extend(halves),
        }
    }
    // What was not looked at may still lead to a root.
    for region in open.into_iter().take(64) {
        let start = search.middle(&region);
        search.newton(start).into_iter().for_each(|point| search.keep(point, &mut found));
    }
    found.points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    found
}

enum Seen {
    Nothing,
    One(Vec<f64>),
    /// Too narrow to be cut, with a root that is near.
    Unclear(Option<Vec<f64>>),
    Halves([Region; 2]),
}

struct Search<'a> {
    net: Net<'a>,
    /// Values of the equations, and of their derivatives row by row.
    values: Net<'a>,
    value_places: Vec<usize>,
    tape: Tape,
    slopes: Net<'a>,
    slope_places: Vec<(usize, usize, usize)>,
    slope_tape: Tape,
    entries: Vec<(usize, usize)>,
    unknowns: &'a [SymbolId],
    within: &'a Region,
    /// Whether no derivative depends on an unknown.
    is_linear: bool,
}

impl<'a> Search<'a> {
    fn new(
        arena: &'a Arena,
        equations: &[Expr],
        unknowns: &'a [SymbolId],
        demands: &[Demand],
        within: &'a Region,
    ) -> Search<'a> {
        let zeros = equations.iter().map(|&equation| (equation, Interval::point(0.0)));
        let all: Vec<Demand> = zeros.chain(demands.iter().copied()).collect();
        let slopes = jacobian(arena, equations, unknowns);
        let exprs: Vec<Expr> = slopes.iter().map(|&(_, _, slope)| slope).collect();
        let whole = |exprs: &[Expr]| -> Vec<Demand> { exprs.iter().map(|&expr| (expr, Interval::WHOLE)).collect() };
        let place = |exprs: &[Expr]| -> Vec<usize> {
            let order = arena.reachable(exprs);
            exprs.iter().map(|expr| order.iter().position(|node| node == expr).expect("a root is reachable")).collect()
        };
        let slope_places = place(&exprs).into_iter().zip(&slopes).map(|(at, &(row, column, _))| (row, column, at));
        Search {
            net: Net::new(arena, &all),
            values: Net::of(arena, &whole(equations)),
            value_places: place(equations),
            tape: Tape::new(arena, equations),
            slope_places: slope_places.collect(),
            slopes: Net::of(arena, &whole(&exprs)),
            slope_tape: Tape::new(arena, &exprs),
            entries: slopes.iter().map(|&(row, column, _)| (row, column)).collect(),
            unknowns,
            within,
            is_linear: !arena.symbols_in(&exprs).iter().any(|symbol| unknowns.contains(symbol)),
        }
    }

    fn look(&self, mut region: Region) -> Seen {
        if !self.net.narrow(&mut region) {
            return Seen::Nothing;
        }
        let bounded = self.unknowns.iter().all(|unknown| {
            let Interval { low, high } = known(&region, *unknown);
            low.is_finite() && high.is_finite()
        });
        if bounded {
            match self.krawczyk(&self.widened(&region)) {
                Krawczyk::Empty => return Seen::Nothing,
                Krawczyk::Unique(start) => match self.newton(start) {
                    Some(point) => return Seen::One(point),
                    None => return Seen::Unclear(None),
                },
                Krawczyk::Narrower(to) => {
                    for unknown in self.unknowns {
                        let meet = known(&region, *unknown).meet(known(&to, *unknown));
                        if meet.is_empty() {
                            return Seen::Nothing;
                        }
                        region.insert(*unknown, meet);
                    }
                }
                Krawczyk::Unknown => {}
            }
        }
        match self.halves(&region) {
            Some(halves) => Seen::Halves(halves),
            None => Seen::Unclear(self.newton(self.middle(&region))),
        }
    }

    /// The region with some room around what is known already: nothing lies strictly within a point, and that is what proves a root.
    fn widened(&self, region: &Region) -> Region {
        let mut wide = region.clone();
        for unknown in self.unknowns {
            let Interval { low, high } = known(region, *unknown);
            let room = ROOM * low.abs().max(high.abs()).max(f64::MIN_POSITIVE / ROOM);
            if high - low < room {
                wide.insert(*unknown, Interval::new(low - room, high + room));
            }
        }
        wide
    }

    /// m − Y f(m) + (1 − Y J(X)) (X − m), in which all roots of X lie.
    fn krawczyk(&self, region: &Region) -> Krawczyk {
        let n = self.unknowns.len();
        let middle = self.middle(region);
        let Some(inverse) = self.inverse_slopes(&middle) else { return Krawczyk::Unknown };
        let mut point = region.clone();
        self.unknowns.iter().zip(&middle).for_each(|(unknown, &x)| {
            point.insert(*unknown, Interval::point(x));
        });
        let at_middle = self.values.all(&point);
        let slopes_there = self.slopes.all(region);
        let mut slopes = vec![vec![Interval::point(0.0); n]; n];
        for &(row, column, at) in &self.slope_places {
            slopes[row][column] = slopes_there[at];
        }
        let mut narrowed = region.clone();
        let (mut inside, mut narrower) = (true, false);
        for i in 0..n {
            let own = known(region, self.unknowns[i]);
            let mut sum = Interval::point(middle[i]);
            for k in 0..n {
                sum = sum.minus(at_middle[self.value_places[k]].times(Interval::point(inverse[i][k])));
            }
            for j in 0..n {
                let product = (0..n)
                    .fold(Interval::point(0.0), |sum, k| sum.plus(slopes[k][j].times(Interval::point(inverse[i][k]))));
                let one = Interval::point(f64::from(u8::from(i == j)));
                let off = known(region, self.unknowns[j]).minus(Interval::point(middle[j]));
                sum = sum.plus(one.minus(product).times(off));
            }
            if sum.is_empty() || sum.meet(own).is_empty() {
                return Krawczyk::Empty;
            }
            inside &= sum.low > own.low && sum.high < own.high;
            let meet = sum.meet(own);
            narrower |= meet.high - meet.low < 0.9 * (own.high - own.low);
            narrowed.insert(self.unknowns[i], meet);
        }
        match (inside, narrower) {
            (true, _) => Krawczyk::Unique(self.middle(&narrowed)),
            (false, true) => Krawczyk::Narrower(narrowed),
            (false, false) => Krawczyk::Unknown,
        }
    }

    fn point(&self, x: &[f64]) -> Point {
        let fixed = self.within.iter().map(|(&symbol, interval)| (symbol, interval.low));
        let mut point: Point = fixed.collect();
        point.extend(self.unknowns.iter().copied().zip(x.iter().copied()));
        point
    }

    fn slopes_at(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let n = self.unknowns.len();
        let mut matrix = vec![vec![0.0; n]; n];
        let values = self.slope_tape.run(&self.point(x));
        self.entries.iter().zip(values).for_each(|(&(row, column), value)| matrix[row][column] = value);
        matrix
    }

    fn inverse_slopes(&self, x: &[f64]) -> Option<Vec<Vec<f64>>> {
        let n = x.len();
        let mut rows = self.slopes_at(x);
        for (at, row) in rows.iter_mut().enumerate() {
            row.extend((0..n).map(|column| f64::from(u8::from(column == at))));
        }
        eliminate(&mut rows)?;
        Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
    }

    /// A root near a place.
    fn newton(&self, mut x: Vec<f64>) -> Option<Vec<f64>> {
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let values = self.tape.run(&self.point(&x));
            if values.iter().all(|&value| value == 0.0) {
                return Some(x);
            }
            let mut rows = self.slopes_at(&x);
            rows.iter_mut().zip(values).for_each(|(row, value)| row.push(-value));
            eliminate(&mut rows)?;
            let step: Vec<f64> = rows.iter().map(|row| row[x.len()]).collect();
            let size = step.iter().zip(&x).map(|(step, x)| step.abs() / x.abs().max(1e-300)).fold(0.0, f64::max);
            if !size.is_finite() {
                return None;
            }
            x.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
            // Rounding alone keeps it from coming nearer.
            if size == 0.0 || (size < 1e-12 && size >= last) {
                return Some(x);
            }
            last = size;
        }
        (last < 1e-9).then_some(x)
    }

    fn middle(&self, region: &Region) -> Vec<f64> {
        let middle = |unknown: &SymbolId| match known(region, *unknown) {
            Interval { low, high } if low.is_finite() && high.is_finite() => low + 0.5 * (high - low),
            Interval { low, .. } if low.is_finite() => low + low.abs().max(1.0),
            Interval { high, .. } if high.is_finite() => high - high.abs().max(1.0),
            _ => 0.0,
        };
        self.unknowns.iter().map(middle).collect()
    }

    /// The region cut in two across its widest side; nothing if all are narrow.
    fn halves(&self, region: &Region) -> Option<[Region; 2]> {
        let width = |unknown: SymbolId| {
            let Interval { low, high } = known(region, unknown);
            let all = self.within.get(&unknown).map_or(f64::INFINITY, |all| all.high - all.low);
            // What is narrow beside its whole range, or beside itself, is narrow.
            let size = low.abs().max(high.abs()).min(all);
            if high - low == 0.0 { 0.0 } else { (high - low) / size.max(f64::MIN_POSITIVE) }
        };
        let sides = self.unknowns.iter().map(|&unknown| (unknown, width(unknown)));
        let (unknown, widest) = sides.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let Interval { low, high } = known(region, unknown);
        let middle = match (low.is_finite(), high.is_finite()) {
            (true, true) => low + 0.5 * (high - low),
            (true, false) => low + (4.0 * low.abs()).max(1.0),
            (false, true) => high - (4.0 * high.abs()).max(1.0),
            (false, false) => 0.0,
        };
        if widest < NARROW || middle <= low || middle >= high {
            return None;
        }
        let part = |half: Interval| {
            let mut part = region.clone();
            part.insert(unknown, half);
            part
        };
        Some([part(Interval::new(low, middle)), part(Interval::new(middle, high))])
    }

    fn keep(&self, point: Vec<f64>, found: &mut Roots) {
        let allowed = |(unknown, &x): (&SymbolId, &f64)| {
            let Interval { low, high } = known(self.within, *unknown);
            let slack = 1e-12 * x.abs();
            x >= low - slack && x <= high + slack
        };
        let same = |known: &Vec<f64>| {
            known.iter().zip(&point).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()) + f64::MIN_POSITIVE)
        };
        if self.unknowns.iter().zip(&point).all(allowed) && !found.points.iter().any(same) {
            found.points.push(point);
        }
    }
}

enum Krawczyk {
    Empty,
    /// Exactly one root, near this place.
    Unique(Vec<f64>),
    Narrower(Region),
    Unknown,
}

fn known(region: &Region, symbol: SymbolId) -> Interval {
    region.get(&symbol).copied().unwrap_or(Interval::WHOLE)
}

/// Turns the square part on the left into ones; nothing if it is singular.
fn eliminate(rows: &mut [Vec<f64>]) -> Option<()> {
    let n = rows.len();
    for at in 0..n {
        // Rows are compared by what is left of them, so that units do not decide.
        let size =
            |row: &Vec<f64>| row[at].abs() / row[..n].iter().fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
        let pivot = (at..n).max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b])))?;
        rows.swap(at, pivot);
        let by = rows[at][at];
        if by == 0.0 || !by.is_finite() {
            return None;
        }
        rows[at].iter_mut().for_each(|entry| *entry /= by);
        let pivot = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    #[test]
    fn all_roots_are_found_and_no_others() {
        let arena = Arena::new();
        let symbols = ["x", "y"].map(|name| arena.new_symbol(name));
        let [x, y] = symbols.map(|symbol| arena.symbol(symbol));
        let number = |value: f64| arena.number(value);
        let sine = arena.apply(Operator::Sin, &[x]);
        let circle = arena.subtract(arena.add(arena.power(x, 2), arena.power(y, 2)), number(25.0));
        let line = arena.subtract(arena.subtract(y, x), number(1.0));
        let within = |low: f64, high: f64| symbols.iter().map(|&it| (it, Interval::new(low, high))).collect::<Region>();
        // sin x = 1/2 between 0 and 18: π/6, 5π/6 and so on, with 2π added.
        let found = roots(&arena, &[arena.subtract(sine, number(0.5))], &symbols[..1], &[], &within(0.0, 18.0));
        let pi = std::f64::consts::PI;
        let expected: Vec<f64> =
            (0..3).flat_map(|k| [1.0 / 6.0, 5.0 / 6.0].map(|a| (a + 2.0 * f64::from(k)) * pi)).collect();
        assert!(found.complete && found.points.len() == expected.len(), "{found:?}");
        found.points.iter().zip(expected).for_each(|(at, wanted)| assert!((at[0] - wanted).abs() < 1e-13 * wanted));
        let found = roots(&arena, &[circle, line], &symbols, &[], &Region::default());
        assert!(found.complete && found.points.len() == 2, "{found:?}");
        for (point, expected) in found.points.iter().zip([[-4.0, -3.0], [3.0, 4.0]]) {
            point.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-13, "{found:?}"));
        }
        let none = roots(&arena, &[arena.add(arena.power(x, 2), number(1.0))], &symbols[..1], &[], &Region::default());
        assert!(none.complete && none.points.is_empty(), "{none:?}");
    }

    #[test]
    fn a_double_root_is_found_though_not_proven() {
        let arena = Arena::new();
        let symbol = arena.new_symbol("x");
        let square = arena.power(arena.subtract(arena.symbol(symbol), arena.number(1.5)), 2);
        let region = [(symbol, Interval::new(0.0, 10.0))].into_iter().collect();
        let found = roots(&arena, &[square], &[symbol], &[], &region);
        assert!(!found.points.is_empty() && found.points.iter().all(|at| (at[0] - 1.5).abs() < 1e-6), "{found:?}");
    }

    #[test]
    fn roots_near_one_another_are_two() {
        let arena = Arena::new();
        let symbol = arena.new_symbol("x");
        let off = |root: f64| arena.subtract(arena.symbol(symbol), arena.number(root));
        let product = arena.multiply(off(1.0), off(1.0 + 2e-6));
        let region = [(symbol, Interval::new(0.5, 1.7))].into_iter().collect();
        let found = roots(&arena, &[product], &[symbol], &[], &region);
        assert_eq!(found.points.len(), 2, "{found:?}");
    }
}
