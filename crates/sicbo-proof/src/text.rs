//! How times and odds are written for people: one spelling on every machine,
//! whatever its language, its zone or its clock.

/// A moment in UTC, e.g. `2026-11-15 20:00:00.120`.
#[must_use]
pub fn time(at_ms: i64) -> String {
    let (days, in_day) = (at_ms.div_euclid(86_400_000), at_ms.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}.{:03}",
        in_day / 3_600_000,
        in_day / 60_000 % 60,
        in_day / 1_000 % 60,
        in_day % 1_000
    )
}

/// Year, month and day of the proleptic Gregorian calendar, from days since
/// 1970-01-01. Years begin in March here, so that the leap day comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
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
        // Any time has a text: a damaged journal may hold any number.
        let _ = (time(i64::MIN), time(i64::MAX));
    }

    #[test]
    fn odds_are_written_as_on_the_layout() {
        for (halves, text) in [(2, "1"), (23, "11 1/2"), (1, "1/2"), (300, "150")] {
            assert_eq!(odds(halves), text);
        }
    }
}
