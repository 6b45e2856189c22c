//! Money that staff moved and that nobody else has counted the same.

use sicbo_table::Table;
use sicbo_table::ids::PersonId;

use super::accounts::name;
use super::sheet::ExceptionLine;

/// What a table's exceptions are as it stands, the oldest first.
#[must_use]
pub fn exceptions(table: &Table) -> Vec<ExceptionLine> {
    let told = |id: PersonId| format!("person {}", id.0);
    let lines = table.uncounted.iter().map(|(entry, known)| ExceptionLine {
        entry: *entry,
        how: known.how.word().to_owned(),
        station: name(table, known.station),
        amount: known.amount.minor(),
        counted: known.counted.map(sicbo_rules::Money::minor),
        at_ms: known.at_ms,
        by: told(known.by),
        second: known.second.map(told),
    });
    lines.collect()
}
