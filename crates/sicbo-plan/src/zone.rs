//! The house's local time as a plan gives it.

use jiff::tz::db;
use sicbo_register::zone::Zone;

use sicbo_rules::document::{Node, did_you_mean};

/// The zone of a plan that names none.
const USUAL: &str = "Asia/Singapore";
/// Local time is never further from UTC than this, in minutes.
const FURTHEST: i64 = 840;

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
    let name = node.optional_text("time_zone").unwrap_or_default();
    Zone::named(&name).unwrap_or_else(|| {
        let known: Vec<String> = db().available().map(|name| name.to_string()).collect();
        let near = did_you_mean(&name, known.iter().map(String::as_str), 3);
        let expected = format!("give a name of the IANA database, such as {USUAL}{near}");
        node.fault(
            "time_zone",
            &format!("there is no zone {name:?}"),
            &expected,
        );
        Zone::Fixed(minutes)
    })
}
