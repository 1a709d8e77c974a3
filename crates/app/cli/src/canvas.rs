//! Curves of Braille dots: a picture made of characters.

/// Characters of two by four dots each.
pub struct Canvas {
    across: usize,
    down: usize,
    /// The dots of each character, one bit each, in the order of Unicode.
    cells: Vec<u8>,
}

/// Dots in a character.
const DOTS_ACROSS: usize = 2;
const DOTS_DOWN: usize = 4;
/// The bit of each dot, by row and column (Unicode, block Braille Patterns).
const DOT_BITS: [[u8; DOTS_ACROSS]; DOTS_DOWN] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const BRAILLE: u32 = 0x2800;

impl Canvas {
    pub fn new(across: usize, down: usize) -> Canvas {
        Canvas { across, down, cells: vec![0; across * down] }
    }

    pub fn dots_across(&self) -> usize {
        self.across * DOTS_ACROSS
    }

    pub fn dots_down(&self) -> usize {
        self.down * DOTS_DOWN
    }

    /// The line of characters that a dot so far down is in.
    pub fn row(dot: usize) -> usize {
        dot / DOTS_DOWN
    }

    /// Neighbouring points are joined; where a point is missing, the curve is interrupted.
    pub fn curve(&mut self, points: &[Option<(usize, usize)>]) {
        for (at, point) in points.iter().enumerate() {
            let Some(to) = *point else { continue };
            let from = at.checked_sub(1).and_then(|before| points[before]).unwrap_or(to);
            self.segment(from, to);
        }
    }

    fn segment(&mut self, from: (usize, usize), to: (usize, usize)) {
        let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)).max(1);
        let between = |a: usize, b: usize, step: usize| {
            (a as f64 + (b as f64 - a as f64) * step as f64 / steps as f64).round() as usize
        };
        for step in 0..=steps {
            self.dot(between(from.0, to.0, step), between(from.1, to.1, step));
        }
    }

    fn dot(&mut self, x: usize, y: usize) {
        let cell = y / DOTS_DOWN * self.across + x / DOTS_ACROSS;
        self.cells[cell] |= DOT_BITS[y % DOTS_DOWN][x % DOTS_ACROSS];
    }

    /// One line of characters; `empty` stands where there is no dot.
    pub fn line(&self, row: usize, empty: char) -> String {
        let cells = &self.cells[row * self.across..(row + 1) * self.across];
        let character =
            |&bits: &u8| if bits == 0 { empty } else { char::from_u32(BRAILLE + u32::from(bits)).unwrap_or(empty) };
        let line: String = cells.iter().map(character).collect();
        line.trim_end_matches(' ').to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_is_drawn_as_one() {
        let mut canvas = Canvas::new(2, 1);
        canvas.curve(&[Some((0, 3)), Some((3, 0))]);
        assert_eq!(canvas.line(0, ' '), "⡠⠊");
    }
}
