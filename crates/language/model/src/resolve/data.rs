//! Functions through measured points: `data wind "wind.csv"` and what `wind(t)` becomes.

use std::sync::Arc;

use base::{Diagnostic, Dimension, Span, Unit};
use expr::{Curve, Joining, KNOT, Operator};
use syntax::{Data, Expr, UnitText};

use super::space::Scope;
use super::{Entity, Outcome, Reported, Resolver};
use crate::change::{Claim, Formula};
use crate::codes;
use crate::term::{TermId, TermKind, Type};

/// What stands in a file of data, as far as it could be read: columns of numbers of one length, the first ascending.
pub struct DataFile {
    /// As the scene writes it.
    pub name: String,
    pub columns: Vec<DataColumn>,
}

pub struct DataColumn {
    pub name: String,
    /// As it stands in the file.
    pub unit: Option<UnitText>,
    pub span: Span,
    pub values: Vec<f64>,
}

/// What the resolver knows of a curve that the model has.
pub(super) struct Measured {
    name: String,
    span: Span,
    argument: Dimension,
    value: Dimension,
    range: [f64; 2],
    joining: Joining,
    /// What it is asked for, where its last values do not hold.
    asked: Option<Vec<TermId>>,
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn declare_data(&mut self, data: &'t Data, broken: bool, scope: &Scope) {
        let entity = match self.measured(data) {
            Ok(place) if !broken => Entity::Data(place),
            _ => Entity::Broken,
        };
        self.declare_name(&data.name.text, data.name.span, entity, scope.space);
    }

    /// The place of a curve through the points of a file.
    fn measured(&mut self, data: &'t Data) -> Outcome<usize> {
        // A file that cannot be read has been reported.
        let files = self.files;
        let file = files.iter().find(|file| file.name == data.file.value).ok_or(Reported)?;
        let column = match &data.column {
            None if file.columns.len() == 2 => 1,
            None => return Err(self.no_column(data, file, "which column is meant?")),
            Some(name) => match file.columns.iter().skip(1).position(|column| column.name == name.value) {
                Some(at) => at + 1,
                None => return Err(self.no_column(data, file, &format!("there is no column `{}`", name.value))),
            },
        };
        let [x, y] = [&file.columns[0], &file.columns[column]];
        let [unit_x, unit_y] = [self.unit_of(x)?, self.unit_of(y)?];
        let scaled =
            |values: &[f64], unit: &Unit| -> Vec<f64> { values.iter().map(|value| value * unit.scale).collect() };
        let (points, values) = (scaled(&x.values, &unit_x), scaled(&y.values, &unit_y));
        let joining = match data.joining.as_ref().map(|word| word.text.as_str()) {
            Some("smooth") => Joining::Smooth,
            Some(_) => Joining::Monotone,
            None => Joining::Linear,
        };
        self.model.curves.push(Arc::new(Curve::new(&points, &values, joining, data.is_held)));
        self.measured.push(Measured {
            name: data.name.text.clone(),
            span: data.name.span.to(data.file.span),
            argument: unit_x.dimension,
            value: unit_y.dimension,
            range: [points[0], points[points.len() - 1]],
            joining,
            asked: (!data.is_held).then(Vec::new),
        });
        Ok(self.measured.len() - 1)
    }

    fn unit_of(&mut self, column: &DataColumn) -> Outcome<Unit> {
        column.unit.as_ref().map_or(Ok(Unit::coherent(Dimension::NONE)), |unit| self.unit(unit))
    }

    fn no_column(&mut self, data: &Data, file: &DataFile, message: &str) -> Reported {
        let names: Vec<String> = file.columns.iter().skip(1).map(|column| format!("`{}`", column.name)).collect();
        let span = data.column.as_ref().map_or(data.file.span, |column| column.span);
        let first = file.columns.get(1).map_or("", |column| &column.name);
        self.report(
            Diagnostic::error(codes::BAD_DATA, message)
                .at(span, format!("the file has {} behind its first column", base::listed(&names)))
                .hint(format!("name one: `data {} \"{}\" column \"{first}\"`", data.name.text, data.file.value)),
        )
    }

    /// `wind(t)`: the polynomial of the piece in which the argument is.
    pub(super) fn call_data(
        &mut self,
        place: usize,
        (name, arguments): (&str, &[&Expr]),
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        self.need_count(name, &["x"], arguments.len(), span)?;
        let Measured { argument, value, joining, .. } = self.measured[place];
        let x = self.expect(arguments[0], scope, Type::scalar(argument), &format!("what `{name}` is asked for"))?;
        self.ask(place, x, span)?;
        let plain = Type::scalar(Dimension::NONE);
        let [curve, first] = [place as f64, self.measured[place].range[0]];
        let curve_term = self.push(TermKind::Number(curve), plain, span);
        let along = match self.model.curves[place].width {
            // Written out, so that the instants of knots that are even in time are known beforehand.
            Some(width) => {
                let first = self.push(TermKind::Number(first), Type::scalar(argument), span);
                let beyond = self.push(TermKind::Subtract(x, first), Type::scalar(argument), span);
                let width = self.push(TermKind::Number(width), Type::scalar(argument), span);
                self.push(TermKind::Divide(beyond, width), plain, span)
            }
            None => self.push(TermKind::Apply(Operator::Place, vec![curve_term, x]), plain, span),
        };
        let piece = self.push(TermKind::Apply(Operator::Floor, vec![along]), plain, span);
        let mut cell = |part: usize, dimension: Dimension| {
            let part = self.push(TermKind::Number(part as f64), plain, span);
            self.push(TermKind::Apply(Operator::Cell, vec![curve_term, part, piece]), Type::scalar(dimension), span)
        };
        let knot = cell(KNOT, argument);
        let degree = if joining == Joining::Linear { 1 } else { 3 };
        let mut dimension = value;
        let mut coefficients = Vec::new();
        for power in 0..=degree {
            coefficients.push((cell(power, dimension), dimension));
            dimension = dimension.over(argument).unwrap_or(Dimension::NONE);
        }
        let beyond = self.push(TermKind::Subtract(x, knot), Type::scalar(argument), span);
        let (mut sum, _) = coefficients.pop().ok_or(Reported)?;
        for (coefficient, dimension) in coefficients.into_iter().rev() {
            let part = self.push(TermKind::Multiply(sum, beyond), Type::scalar(dimension), span);
            sum = self.push(TermKind::Add(coefficient, part), Type::scalar(dimension), span);
        }
        Ok(sum)
    }

    /// Notes what a curve is asked for, if it must not be asked for anything else than it was measured for.
    fn ask(&mut self, place: usize, x: TermId, span: Span) -> Outcome<()> {
        let passing = |kind: &TermKind| matches!(kind, TermKind::Pre(_) | TermKind::Bound(_));
        let passing = self.model.terms.find(x, passing).is_some();
        let measured = &mut self.measured[place];
        let Some(asked) = &mut measured.asked else { return Ok(()) };
        if passing {
            let name = measured.name.clone();
            return Err(self.report(
                Diagnostic::error(codes::BAD_DATA, format!("whether `{name}` was measured here cannot be watched"))
                    .at(span, "this is known for an instant only, or in a sum")
                    .hint(format!("let its last values hold beyond its ends: `data {name} \"…\" held`")),
            ));
        }
        let is_time = |term: TermId| matches!(self.model.terms.get(term).kind, TermKind::Time);
        if !asked.iter().any(|&known| is_time(known) && is_time(x)) {
            asked.push(x);
        }
        Ok(())
    }

    /// That nothing is asked for beyond what was measured is a claim, watched as those of the author are.
    pub(super) fn claim_ranges(&mut self) {
        for place in 0..self.measured.len() {
            let Measured { ref name, span, argument, range, ref mut asked, .. } = self.measured[place];
            let (name, type_) = (format!("{name} within its data"), Type::scalar(argument));
            let asked = asked.take().unwrap_or_default();
            let [low, high] = range.map(|end| self.push(TermKind::Number(end), type_, span));
            let mut within: Option<TermId> = None;
            for x in asked {
                for pair in [vec![low, x], vec![x, high]] {
                    let side = self.push(TermKind::Apply(Operator::LessEqual, pair), Type::CONDITION, span);
                    within = Some(match within {
                        None => side,
                        Some(all) => self.push(TermKind::Apply(Operator::And, vec![all, side]), Type::CONDITION, span),
                    });
                }
            }
            let Some(within) = within else { continue };
            self.model.conditions.push(within);
            let formula = Formula::Always(Box::new(Formula::Holds(self.model.conditions.len() - 1)));
            self.model.claims.push(Claim { name, formula, span });
        }
    }
}
