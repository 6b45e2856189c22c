//! The round index derived again from the records, and compared with the rows
//! that are stored. The rows are for finding; a wrong one misleads whoever
//! looks there, so it is a fault like any other.

use std::collections::BTreeMap;

use sicbo_journal::{RoundRow, Store};

use crate::verify::VerifyError;
use sicbo_loop::RoundChange;

/// What the rows were while they were read, and what they should have been.
///
/// A running house goes on writing while its journal is verified. A row that
/// was read is right if it is what the records made of it at some moment
/// between the beginning and the end of the verification.
pub(crate) struct RoundIndex {
    stored: Vec<RoundRow>,
    /// Where the stream ended before the rows were read.
    settled_to: u64,
    derived: BTreeMap<u64, Vec<RoundRow>>,
}

impl RoundIndex {
    /// Reads the stored rows.
    pub(crate) fn read(store: &dyn Store) -> Result<RoundIndex, VerifyError> {
        let settled_to = store.tail().sequence;
        Ok(RoundIndex {
            stored: store.rounds(0, usize::MAX)?,
            settled_to,
            derived: BTreeMap::new(),
        })
    }

    /// Rounds that were amended, if the rows are right.
    pub(crate) fn amended(&self) -> impl Iterator<Item = u64> + '_ {
        let plain = ["open", "settled", "void"];
        self.stored
            .iter()
            .filter(move |row| !plain.contains(&row.state.as_str()))
            .map(|row| row.round)
    }

    /// Follows a change made by the record at `sequence`.
    pub(crate) fn follow(&mut self, sequence: u64, change: RoundChange) {
        let (round, row) = match change {
            RoundChange::Row(row) => (row.round, row),
            RoundChange::Amended { round, state, dice } => {
                let last = self
                    .derived
                    .get(&round)
                    .and_then(|versions| versions.last());
                let Some(last) = last.cloned() else { return };
                (
                    round,
                    RoundRow {
                        state,
                        dice,
                        ..last
                    },
                )
            }
        };
        let versions = self.derived.entry(round).or_default();
        if sequence <= self.settled_to {
            versions.clear();
        }
        versions.push(row);
    }

    /// Compares.
    pub(crate) fn check(&self) -> Result<(), VerifyError> {
        for row in &self.stored {
            let versions = self.derived.get(&row.round);
            if !versions.is_some_and(|versions| versions.contains(row)) {
                let (sequence, what) = match versions.and_then(|versions| versions.last()) {
                    Some(right) => (right.first_sequence, differs(row, right)),
                    None => (row.first_sequence, "no record begins it".to_owned()),
                };
                return Err(VerifyError::Index {
                    round: row.round,
                    sequence,
                    what,
                });
            }
        }
        let stored: std::collections::BTreeSet<u64> =
            self.stored.iter().map(|row| row.round).collect();
        for (round, versions) in &self.derived {
            let first = versions
                .first()
                .filter(|row| row.last_sequence <= self.settled_to && !stored.contains(round));
            if let Some(row) = first {
                return Err(VerifyError::Index {
                    round: *round,
                    sequence: row.first_sequence,
                    what: "its row is missing".to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// The first column that is wrong.
fn differs(stored: &RoundRow, right: &RoundRow) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
    let columns = [
        (
            "first_sequence",
            stored.first_sequence.to_string(),
            right.first_sequence.to_string(),
        ),
        (
            "last_sequence",
            stored.last_sequence.to_string(),
            right.last_sequence.to_string(),
        ),
        (
            "started_ms",
            stored.started_ms.to_string(),
            right.started_ms.to_string(),
        ),
        (
            "ended_ms",
            format!("{:?}", stored.ended_ms),
            format!("{:?}", right.ended_ms),
        ),
        ("state", stored.state.clone(), right.state.clone()),
        ("dice", text(&stored.dice), text(&right.dice)),
    ];
    columns
        .into_iter()
        .find(|(_, stored, right)| stored != right)
        .map_or_else(
            || "its row is not what the records make of it".to_owned(),
            |(column, stored, right)| {
                let short: String = stored.chars().take(60).collect();
                format!("{column} is {short:?} where the records give {right:?}")
            },
        )
}
