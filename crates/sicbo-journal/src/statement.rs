//! The text form of what a house key signs: a purpose line, then `name: value`
//! lines in a fixed order. Owns times and line reading for checkpoints and
//! hand-overs; must not sign or decide anything.

/// Latest time a statement can carry: the end of the year 9998.
const LAST_MS: i64 = 253_370_764_799_999;

/// A time before 1970 or after 9998, which a statement has no text for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time {time_ms} ms is before 1970 or after 9998: check the clock")]
pub struct TimeOutOfRange {
    /// The time given.
    pub time_ms: i64,
}

/// e.g. `2026-11-15T19:55:00.123Z`, always with three decimals.
pub(crate) fn time_text(time_ms: i64) -> Result<String, TimeOutOfRange> {
    let time = jiff::Timestamp::from_millisecond(time_ms).ok();
    let time = time.filter(|_| (0..=LAST_MS).contains(&time_ms));
    let time = time.ok_or(TimeOutOfRange { time_ms })?;
    Ok(time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

/// Reads such a time. Other spellings of a moment may pass here; whoever
/// reads a statement compares it with the one text it could have.
pub(crate) fn read_time(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>()
        .ok()
        .map(|time| time.as_millisecond())
}

/// Walks the lines of a statement.
pub(crate) struct Lines<'a>(std::str::Lines<'a>);

impl<'a> Lines<'a> {
    /// Begins after the purpose line; `None` when the purpose is another.
    pub(crate) fn after_purpose(message: &'a str, purpose: &str) -> Option<Lines<'a>> {
        let mut lines = message.lines();
        (lines.next()? == purpose).then_some(Lines(lines))
    }

    /// The value of the next line, which must have this name.
    pub(crate) fn value(&mut self, name: &str) -> Option<&'a str> {
        self.0.next()?.strip_prefix(name)?.strip_prefix(": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_decimals_and_read_back() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_794_772_800_120, "2026-11-15T20:00:00.120Z"),
            (LAST_MS, "9998-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(time_text(ms).as_deref(), Ok(text));
            assert_eq!(read_time(text), Some(ms));
        }
        for time_ms in [-1, LAST_MS + 1, i64::MIN, i64::MAX] {
            assert_eq!(time_text(time_ms), Err(TimeOutOfRange { time_ms }));
        }
    }
}
