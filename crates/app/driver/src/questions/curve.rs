//! The answers of a table as curves: what is asked over the parameter that varies.

use super::{Answer, Table};

/// One number that is asked for, over the parameter; both in the units that are told.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// As it is written, with the component of a vector.
    pub asked: String,
    pub unit: base::Unit,
    pub pieces: Vec<Piece>,
}

/// Answers of neighbouring rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// None where stability is not known, or has no meaning.
    pub stable: Option<bool>,
    pub points: Vec<(f64, f64)>,
}

impl Piece {
    /// Whether nothing would stay there: drawn as points, not as a line.
    pub fn is_unstable(&self) -> bool {
        self.stable == Some(false)
    }
}

impl Table {
    pub fn curves(&self) -> Vec<Curve> {
        let mut curves = Vec::new();
        for (place, asked) in self.asked.iter().enumerate() {
            let of = |answers: &'_ [Answer]| -> Vec<Answer> { self.of_asked(answers, place).cloned().collect() };
            let rows: Vec<(f64, Vec<Answer>)> = self.rows.iter().map(|(at, all)| (*at, of(all))).collect();
            let columns = rows.iter().flat_map(|(_, answers)| answers).map(|it| it.value.len()).max().unwrap_or(0);
            for column in 0..columns {
                let part = if columns > 1 { [".x", ".y", ".z"].get(column).copied().unwrap_or("") } else { "" };
                let unit = self.units[place].clone();
                curves.push(Curve { asked: format!("{asked}{part}"), unit, pieces: self.pieces(&rows, column) });
            }
        }
        curves
    }

    /// Answers to one of the quantities that are asked for; those to the first stand first.
    pub fn of_asked<'a>(&self, answers: &'a [Answer], place: usize) -> impl Iterator<Item = &'a Answer> {
        let each = answers.len() / self.asked.len().max(1);
        answers.iter().skip(place * each).take(each)
    }

    /// Neighbouring rows are joined where they have as many answers, of the same stability in the order of their size. Where that changes
    /// between two rows, what became of which answer is not known, so nothing is drawn between them.
    fn pieces(&self, rows: &[(f64, Vec<Answer>)], column: usize) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (at, answers) in rows {
            let mut found: Vec<(f64, Option<bool>)> =
                answers.iter().filter_map(|it| Some((it.told.count(*it.value.get(column)?), it.stable))).collect();
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            let goes_on =
                open.len() == found.len() && open.iter().zip(&found).all(|(&it, one)| pieces[it].stable == one.1);
            if !goes_on {
                open = (pieces.len()..pieces.len() + found.len()).collect();
                pieces.extend(found.iter().map(|&(_, stable)| Piece { stable, points: Vec::new() }));
            }
            let x = self.parameter_unit.count(*at);
            open.iter().zip(found).for_each(|(&piece, (y, _))| pieces[piece].points.push((x, y)));
        }
        pieces
    }
}
