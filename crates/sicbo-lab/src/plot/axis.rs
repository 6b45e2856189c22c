//! Axes: their range, their ticks and how figures are written on them.

/// One axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    low: f64,
    high: f64,
    /// Ticks with names instead of figures.
    names: Option<Vec<(f64, String)>>,
    percent: bool,
    ticks: usize,
}

impl Axis {
    /// An axis from `low` to `high`.
    #[must_use]
    pub fn new(label: &str, low: f64, high: f64) -> Axis {
        // A span of nothing could not be drawn.
        let high = if high > low { high } else { low + 1.0 };
        Axis {
            label: label.to_owned(),
            low,
            high,
            names: None,
            percent: false,
            ticks: 6,
        }
    }

    /// The same with shares written in percent.
    #[must_use]
    pub fn in_percent(mut self) -> Axis {
        self.percent = true;
        self
    }

    /// The same with fewer ticks, for narrow panels.
    #[must_use]
    pub fn with_ticks(mut self, ticks: usize) -> Axis {
        self.ticks = ticks;
        self
    }

    /// An axis with a name at each place.
    #[must_use]
    pub fn named(label: &str, low: f64, high: f64, names: Vec<(f64, String)>) -> Axis {
        Axis {
            names: Some(names),
            ..Axis::new(label, low, high)
        }
    }

    /// Where a value stands, zero at the low and one at the high end.
    pub(super) fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Room its labels need to the left of a panel.
    pub(super) fn room(&self) -> f64 {
        let longest = self
            .ticks()
            .iter()
            .map(|(_, label)| label.chars().count())
            .max();
        longest.unwrap_or(0) as f64 * 7.6 + 44.0
    }

    /// Round values and how they are written.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if let Some(names) = &self.names {
            return names.clone();
        }
        let step = round_step((self.high - self.low) / self.ticks as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|count| {
                let value = count as f64 * step;
                let label = if self.percent {
                    format!("{} %", figure(value * 100.0, step * 100.0))
                } else {
                    figure(value, step)
                };
                (value, label)
            })
            .collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = libm::pow(10.0, libm::log10(least).floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|times| times * power)
        .find(|step| *step >= least * 0.999)
        .unwrap_or(power)
}

/// A figure with the decimals its step needs, thousands apart.
#[must_use]
pub fn figure(value: f64, step: f64) -> String {
    let decimals = (-libm::log10(step) - 1e-9).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let nothing = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    let sign = if value < 0.0 && !nothing { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(whole))
}

/// Digits in groups of three.
#[must_use]
pub fn group(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |low, high| {
            let ticks = Axis::new("", low, high).ticks();
            ticks
                .into_iter()
                .map(|(_, label)| label)
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(-1500.0, 1500.0),
            ["−1,500", "−1,000", "−500", "0", "500", "1,000", "1,500"]
        );
        assert_eq!(labels(7.0, 7.0).first().map(String::as_str), Some("7.0"));
        assert_eq!(labels(-3.0, 3.0)[0], "−3");
        let percent = Axis::new("", 0.0, 0.04).in_percent().ticks();
        assert_eq!(percent[1].1, "1 %");
    }

    #[test]
    fn a_figure_is_grouped_and_has_no_negative_nothing() {
        assert_eq!(figure(1_234_567.0, 1.0), "1,234,567");
        assert_eq!(figure(-0.001, 0.1), "0.0");
        assert_eq!(figure(-12.5, 0.5), "−12.5");
    }
}
