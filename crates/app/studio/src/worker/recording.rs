//! Everything that was computed, row by row, so that any of it can be seen again.

use std::sync::Arc;

/// Above this, every second row is forgotten.
const MOST_NUMBERS: usize = (256 << 20) / 8;

/// Copies share their rows.
#[derive(Clone, Default)]
pub struct Recording {
    /// Each begins with its time; times ascend.
    rows: Vec<Arc<[f64]>>,
    numbers: usize,
    /// From when on which prescribed motions were switched off; times ascend.
    released: Vec<(f64, Vec<String>)>,
    /// Rows that were recorded closer than this apart have been thinned out.
    pub least_interval: f64,
}

impl Recording {
    pub fn push(&mut self, row: Vec<f64>) {
        self.numbers += row.len();
        self.rows.push(row.into());
        if self.numbers > MOST_NUMBERS {
            self.thin();
        }
    }

    /// Forgets every second row, but never the first or the last.
    fn thin(&mut self) {
        let last = self.rows.len() - 1;
        let mut at = 0;
        self.rows.retain(|_| {
            at += 1;
            (at - 1) % 2 == 0 || at - 1 == last
        });
        self.numbers = self.rows.iter().map(|row| row.len()).sum();
        let rows = self.rows.len();
        self.least_interval = (self.end() - self.rows[0][0]) / rows as f64;
    }

    pub fn clear(&mut self) {
        *self = Recording::default();
    }

    pub fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.numbers = self.rows.iter().map(|row| row.len()).sum();
    }

    pub fn replace(&mut self, at: usize, row: Vec<f64>) {
        self.rows[at] = row.into();
    }

    /// From this time on, these prescribed motions are off; what was noted for later times is forgotten.
    pub fn release(&mut self, t: f64, labels: &[String]) {
        self.released.retain(|(from, _)| *from < t);
        self.released.push((t, labels.to_vec()));
    }

    /// The prescribed motions that were off at a time.
    pub fn released_at(&self, t: f64) -> &[String] {
        let after = self.released.partition_point(|(from, _)| *from <= t);
        after.checked_sub(1).map_or(&[], |at| &self.released[at].1)
    }

    pub fn rows(&self) -> &[Arc<[f64]>] {
        &self.rows
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn end(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row[0])
    }

    /// The row whose time is nearest.
    pub fn nearest(&self, t: f64) -> usize {
        let after = self.rows.partition_point(|row| row[0] < t).min(self.rows.len().saturating_sub(1));
        let before = after.saturating_sub(1);
        if (self.rows[before][0] - t).abs() < (self.rows[after][0] - t).abs() { before } else { after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(times: impl IntoIterator<Item = usize>) -> Recording {
        let mut recording = Recording::default();
        times.into_iter().for_each(|t| recording.push(vec![t as f64, 0.5]));
        recording
    }

    #[test]
    fn the_nearest_row_is_found() {
        let recording = recording([0, 2, 4, 8]);
        let nearest = |t| recording.rows()[recording.nearest(t)][0];
        assert_eq!([-1.0, 0.9, 1.1, 3.9, 6.5, 100.0].map(nearest), [0.0, 0.0, 2.0, 4.0, 8.0, 8.0]);
    }

    #[test]
    fn what_was_off_is_known_for_every_time() {
        let mut recording = recording(0..5);
        let [a, b] = ["a", "b"].map(|label| vec![label.to_string()]);
        recording.release(1.0, &a);
        recording.release(3.0, &b);
        assert_eq!([0.5, 1.0, 2.9, 4.0].map(|t| recording.released_at(t)), [&[][..], &a, &a, &b]);
        recording.release(2.0, &[]);
        assert_eq!([1.5, 2.0, 4.0].map(|t| recording.released_at(t)), [&a[..], &[], &[]]);
    }

    #[test]
    fn thinning_keeps_the_ends() {
        let mut recording = recording(0..10);
        recording.thin();
        let times: Vec<f64> = recording.rows().iter().map(|row| row[0]).collect();
        assert_eq!(times, [0.0, 2.0, 4.0, 6.0, 8.0, 9.0]);
        assert_eq!(recording.least_interval, 1.5);
    }
}
