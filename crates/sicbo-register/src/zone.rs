//! The house's local time: a zone by its IANA name, from the database inside
//! the program, so that two machines never differ; or a fixed offset, as older
//! plans have it.

use jiff::Timestamp;
use jiff::tz::{TimeZone, db};

/// Local time.
#[derive(Clone, PartialEq, Debug)]
pub enum Zone {
    /// So many minutes east of UTC all year round.
    Fixed(i16),
    /// As the zone's rules have it at any time.
    Named(TimeZone),
}

impl Zone {
    /// A zone by its IANA name: `Asia/Ho_Chi_Minh`.
    #[must_use]
    pub fn named(name: &str) -> Option<Zone> {
        db().get(name).ok().map(Zone::Named)
    }

    /// Minutes east of UTC at some time.
    #[must_use]
    pub fn offset_minutes(&self, at_ms: i64) -> i16 {
        match self {
            Zone::Fixed(minutes) => *minutes,
            Zone::Named(zone) => {
                let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
                i16::try_from(zone.to_offset(at).seconds() / 60).unwrap_or(0)
            }
        }
    }

    /// The name, or the offset.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Zone::Fixed(minutes) => format!("{minutes} minutes east of UTC"),
            Zone::Named(zone) => zone.iana_name().unwrap_or("UTC").to_owned(),
        }
    }
}
