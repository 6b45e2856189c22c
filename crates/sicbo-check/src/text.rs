//! How times and odds are written for people: one spelling on every machine,
//! whatever its language, its zone or its clock.

/// A moment in UTC, e.g. `2026-11-15 20:00:00.120`.
#[must_use]
pub fn time(at_ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(at_ms) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S%.3f").to_string(),
        // A damaged journal may hold any number.
        Err(_) => format!("{at_ms} ms"),
    }
}

/// Odds from halves of the stake won, e.g. 23 is `11 1/2`.
#[must_use]
pub fn odds(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "1/2".to_owned(),
        (whole, _) => format!("{whole} 1/2"),
    }
}

/// One thing or several, e.g. `1 bet`, `2 bets`.
#[must_use]
pub fn count(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_one_spelling() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00.000"),
            (1_794_772_800_120, "2026-11-15 20:00:00.120"),
            (951_782_400_000, "2000-02-29 00:00:00.000"),
            (951_868_799_999, "2000-02-29 23:59:59.999"),
            (-1, "1969-12-31 23:59:59.999"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000"),
        ] {
            assert_eq!(time(ms), text);
        }
        assert_eq!(time(i64::MIN), "-9223372036854775808 ms");
    }

    #[test]
    fn odds_are_written_as_on_the_layout() {
        for (halves, text) in [(2, "1"), (23, "11 1/2"), (1, "1/2"), (300, "150")] {
            assert_eq!(odds(halves), text);
        }
    }
}
