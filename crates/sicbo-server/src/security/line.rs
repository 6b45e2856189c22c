//! A line of the security log as RFC 5424 has it.

use std::fmt::Write as _;
use std::sync::LazyLock;

use sicbo_report::security::{SecurityLine, Severity};

/// Facility 10: security and authorization messages.
const FACILITY: u8 = 10;
/// The private enterprise number that RFC 5612 reserves for documentation: the
/// project has none of its own.
const ELEMENT: &str = "sicbo@32473";
/// Longest text after the structured data, in bytes.
const LONGEST_TEXT: usize = 1_024;

static HOST: LazyLock<String> = LazyLock::new(|| {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let printable: String = name.trim().chars().filter(char::is_ascii_graphic).collect();
    match printable.is_empty() {
        true => "-".to_owned(),
        false => printable.chars().take(255).collect(),
    }
});

/// One message, without a frame.
#[must_use]
pub fn rfc_5424(line: &SecurityLine) -> String {
    let mut all = Severity::ALL.iter();
    let severity = all.find(|one| one.word() == line.severity);
    let severity = severity.map_or(6, |severity| severity.number());
    let at = jiff::Timestamp::from_millisecond(line.at_ms);
    let at = at.map_or_else(|_| "-".to_owned(), |at| format!("{at:.3}"));
    let event: String = line
        .event
        .chars()
        .filter(char::is_ascii_graphic)
        .take(32)
        .collect();
    let mut message = format!(
        "<{}>1 {at} {} sicbo {} {event} [{ELEMENT} count=\"{}\" first_ms=\"{}\"",
        FACILITY * 8 + severity,
        &*HOST,
        std::process::id(),
        line.count,
        line.first_ms,
    );
    let person = line.person.map(|person| person.to_string());
    let sequence = line.sequence.map(|sequence| sequence.to_string());
    for (name, value) in [
        ("record", sequence.as_deref()),
        ("person", person.as_deref()),
        ("address", line.address.as_deref()),
    ] {
        if let Some(value) = value {
            let _ = write!(message, " {name}=\"{}\"", escaped(value));
        }
    }
    message.push(']');
    let mut text = line.by.clone();
    for field in &line.fields {
        let _ = write!(text, "; {} {}", field.name, field.text);
    }
    // A line is a line: what it tells of cannot begin another.
    let text = text.replace(char::is_control, " ");
    let mut ends = (0..=LONGEST_TEXT.min(text.len())).rev();
    let end = ends.find(|at| text.is_char_boundary(*at));
    let text = &text[..end.unwrap_or(0)];
    if !text.is_empty() {
        // The mark says that it is UTF-8.
        let _ = write!(message, " \u{feff}{text}");
    }
    message
}

/// A value of structured data: three characters are escaped.
fn escaped(value: &str) -> String {
    let mut out = String::new();
    for letter in value.chars().filter(|letter| !letter.is_control()) {
        if matches!(letter, '"' | '\\' | ']') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use sicbo_report::events::EventField;

    use super::*;

    #[test]
    fn a_message_is_of_rfc_5424_and_no_value_breaks_out() {
        let line = SecurityLine {
            sequence: Some(7),
            at_ms: 1_800_000_000_123,
            event: "log-in-failed".to_owned(),
            severity: "warning".to_owned(),
            by: "Tan \"x\"] \n<13>1 forged".to_owned(),
            person: Some(3),
            address: Some("192.0.2.7\"]".to_owned()),
            count: 4,
            first_ms: 1_800_000_000_000,
            fields: vec![EventField {
                name: "what".to_owned(),
                text: "POST /api/session".to_owned(),
            }],
        };
        let said = rfc_5424(&line);
        let (head, rest) = said.split_once(" sicbo ").unwrap();
        assert!(
            head.starts_with("<84>1 2027-01-15T08:00:00.123Z "),
            "{head}"
        );
        let process = std::process::id();
        let data = format!(
            "{process} log-in-failed [{ELEMENT} count=\"4\" first_ms=\"1800000000000\" \
             record=\"7\" person=\"3\" address=\"192.0.2.7\\\"\\]\"] \u{feff}"
        );
        assert!(rest.starts_with(&data), "{rest}");
        assert!(
            !said.contains('\n') && said.ends_with("what POST /api/session"),
            "{said}"
        );
    }
}
