//! The auditor over the journals of a real house: every payment worked out from
//! its own odds, every balance from its own books, and compared after each
//! record with what the house makes of the same record; every step, void and
//! decision held to the documents.

use std::ops::ControlFlow;
use std::path::Path;

use sicbo_auditor::{Auditor, balances, hear};
use sicbo_journal::{Record, StreamId};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_proof::{Visitor, walk};
use sicbo_table::{Event, Table};

/// What was audited of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audited {
    /// The table.
    pub stream: StreamId,
    /// Its records.
    pub records: u64,
    /// What all players hold there, in minor units: credit, stakes, and what is kept for them.
    pub held: i64,
}

/// Hears a journal and stops at the first record it disagrees with.
#[derive(Default)]
pub(crate) struct Audit {
    auditor: Auditor,
    records: u64,
    pub(crate) fault: Option<String>,
}

impl Visitor for Audit {
    fn before(&mut self, _: &Table, _: &Record<'_>, _: &Event) {}

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> ControlFlow<()> {
        self.records = sequence;
        let found = self.auditor.enter(&hear(event));
        let found = found.and_then(|()| self.auditor.compare(&balances(table)));
        stops(found, sequence, &mut self.fault)
    }
}

/// A walk goes on until something is found wrong with a record.
pub(crate) fn stops(
    found: Result<(), String>,
    sequence: u64,
    fault: &mut Option<String>,
) -> ControlFlow<()> {
    match found {
        Ok(()) => ControlFlow::Continue(()),
        Err(what) => {
            *fault = Some(format!("record {sequence}: {what}"));
            ControlFlow::Break(())
        }
    }
}

/// Audits every table of a data folder; the house may be running.
///
/// # Errors
/// The first record at which house and auditor disagree, or why the folder
/// cannot be read.
pub fn audit(data: &Path) -> Result<Vec<Audited>, String> {
    let journals = Journals::folder(data).map_err(|error| error.to_string())?;
    let mut audited = Vec::new();
    for (stream, path) in journals.tables_first() {
        if stream.as_str() == HOUSE_STREAM {
            continue;
        }
        let wrong = |what: String| format!("{stream}: {what}");
        let store = source::open(stream, path).map_err(|error| wrong(error.to_string()))?;
        let mut audit = Audit::default();
        walk(&store, stream, &mut audit).map_err(|error| wrong(error.to_string()))?;
        if let Some(fault) = audit.fault {
            return Err(wrong(fault));
        }
        let all = audit.auditor.balances();
        audited.push(Audited {
            stream: stream.clone(),
            records: audit.records,
            held: all.credit.iter().chain(&all.at_risk).sum::<i64>() + all.unclaimed,
        });
    }
    Ok(audited)
}
