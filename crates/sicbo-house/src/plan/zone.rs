//! The house's local time: a zone by its IANA name, from the database inside
//! the program, so that two machines never differ; or a fixed offset, as older
//! plans have it.

use jiff::Timestamp;
use jiff::tz::{TimeZone, db};

use super::reader::{Node, did_you_mean};

/// The zone of a plan that names none.
const USUAL: &str = "Asia/Singapore";
/// Local time is never further from UTC than this, in minutes.
const FURTHEST: i64 = 840;

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

/// The zone of a plan: `time_zone`, or `utc_offset_minutes` of an older one.
pub(super) fn read(node: &Node<'_, '_>) -> Zone {
    let minutes: i16 = node.number("utc_offset_minutes", -FURTHEST..=FURTHEST, 480);
    let fixed = node.has("utc_offset_minutes");
    if !node.has("time_zone") {
        return match fixed {
            true => Zone::Fixed(minutes),
            false => Zone::named(USUAL).unwrap_or(Zone::Fixed(minutes)),
        };
    }
    if fixed {
        let expected = "give time_zone alone: it knows the offset at any time";
        node.fault("utc_offset_minutes", "there is a time_zone too", expected);
    }
    let name = node.text("time_zone").unwrap_or_default();
    Zone::named(&name).unwrap_or_else(|| {
        let known: Vec<String> = db().available().map(|name| name.to_string()).collect();
        let near = did_you_mean(&name, known.iter().map(String::as_str));
        let expected = format!("give a name of the IANA database, such as {USUAL}{near}");
        node.fault(
            "time_zone",
            &format!("there is no zone {name:?}"),
            &expected,
        );
        Zone::Fixed(minutes)
    })
}

#[cfg(test)]
mod tests {
    use super::Zone;

    #[test]
    fn a_zone_knows_its_offset_at_any_time() {
        let at = |zone: &str, at_ms| Zone::named(zone).map(|zone| zone.offset_minutes(at_ms));
        let (winter, summer) = (1_768_478_400_000, 1_784_116_800_000);
        assert_eq!(at("Asia/Singapore", winter), Some(480));
        assert_eq!(at("Asia/Ho_Chi_Minh", summer), Some(420));
        assert_eq!(at("Europe/Vienna", winter), Some(60));
        assert_eq!(at("Europe/Vienna", summer), Some(120));
        // Singapore was half an hour off until 1982.
        assert_eq!(at("Asia/Singapore", 0), Some(450));
        assert_eq!(at("Asia/Nowhere", 0), None);
        assert_eq!(Zone::Fixed(-210).offset_minutes(summer), -210);
    }
}
