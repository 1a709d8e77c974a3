//! What a slider should offer for a parameter: a range around its default, in round steps of its own unit.

use base::Unit;

use crate::protocol::SliderRange;

pub fn range(default: f64, unit: &Unit) -> SliderRange {
    let value = default / unit.scale;
    let (low, high) = match unit.text.as_str() {
        "deg" => (-180.0, 180.0),
        "rad" if value.abs() <= 3.2 => (-3.2, 3.2),
        "rev" if value.abs() <= 1.0 => (-1.0, 1.0),
        _ if value == 0.0 => (-5.0, 5.0),
        _ if value > 0.0 => (0.1 * value, 4.0 * value),
        _ => (4.0 * value, 0.1 * value),
    };
    let (low, high) = (low.min(value), high.max(value));
    let step = round_step((high - low) / 200.0);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    // Nothing that must be positive is offered as zero.
    let low =
        if value > 0.0 && low <= 0.0 && !matches!(unit.text.as_str(), "deg" | "rad" | "rev") { step } else { low };
    SliderRange { low: low * unit.scale, high: high * unit.scale, step: step * unit.scale }
}

/// The nearest of 1, 2 and 5 times a power of ten that is not above.
fn round_step(step: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= step {
        power *= 10.0;
    }
    while power > step && power > 1e-300 {
        power /= 10.0;
    }
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|&round| round <= step).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_the_default_and_has_round_steps() {
        for (text, value) in
            [("m", 1.0), ("deg", 60.0), ("kg", 1e-3), ("m/s", 0.0), ("m", -2.0), ("deg", 400.0), ("m", 12.5)]
        {
            let unit = Unit::parse(text).expect("a unit");
            let range = range(value * unit.scale, &unit);
            assert!(range.low <= value * unit.scale && value * unit.scale <= range.high, "{text} {value} {range:?}");
            assert!(range.low < range.high && range.step > 0.0);
            if value > 0.0 && text != "deg" {
                assert!(range.low > 0.0, "{text} {value} {range:?}");
            }
        }
        assert_eq!(round_step(0.0195), 0.01);
        assert_eq!(round_step(0.25), 0.2);
    }
}
