//! Texts of a rule book hold no control characters: they are shown on
//! terminals and pages, and must not steer the one or break the other.

use toml::de::{DeTable, DeValue};

use super::{Fault, RuleBook, RuleBookError};

/// What was read, or its faults with those of its texts among them.
pub(super) fn required(
    source: &str,
    read: Result<RuleBook, RuleBookError>,
) -> Result<RuleBook, RuleBookError> {
    if matches!(read, Err(RuleBookError::Unreadable { .. })) {
        return read;
    }
    let Ok(document) = DeTable::parse(source) else {
        return read;
    };
    let mut found = Vec::new();
    for (key, value) in document.get_ref().iter() {
        let offset = value.span().start;
        walk(source, key.get_ref(), offset, value.get_ref(), &mut found);
    }
    match read {
        Ok(_) if !found.is_empty() => Err(RuleBookError::Faults(found)),
        Err(RuleBookError::Faults(mut faults)) => {
            faults.extend(found);
            faults.sort_by(|a, b| a.line.cmp(&b.line).then_with(|| a.place.cmp(&b.place)));
            Err(RuleBookError::Faults(faults))
        }
        unchanged => unchanged,
    }
}

fn walk(source: &str, place: &str, offset: usize, value: &DeValue<'_>, found: &mut Vec<Fault>) {
    match value {
        DeValue::String(text) if text.chars().any(char::is_control) => found.push(Fault {
            line: source[..offset].matches('\n').count() + 1,
            place: place.to_owned(),
            problem: "the text holds a control character".to_owned(),
            expected: "give plain text on one line".to_owned(),
        }),
        DeValue::Array(entries) => {
            for (i, entry) in entries.iter().enumerate() {
                let inner = format!("{place}[{i}]");
                walk(source, &inner, entry.span().start, entry.get_ref(), found);
            }
        }
        DeValue::Table(map) => {
            for (key, entry) in map.iter() {
                let inner = format!("{place}.{}", key.get_ref());
                walk(source, &inner, entry.span().start, entry.get_ref(), found);
            }
        }
        _ => {}
    }
}
