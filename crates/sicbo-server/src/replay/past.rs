//! A house's past, block by block: where somebody can stop, and what each stream holds by then.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sicbo_journal::{Chain, Header, Store, StreamId, Tail};
use sicbo_loop::{Machine as _, apply_read};
use sicbo_plan::{DealerPlan, HousePlan, LightsPlan, TablePlan, TumblerPlan};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_register::enrolment::TableName;
use sicbo_table::Table;

use super::{Options, ReplayError, unreadable};

/// One block of one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) stream: usize,
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) time_ms: i64,
}

/// The journals of a house, block by block.
pub(super) struct Past {
    pub(super) data: PathBuf,
    pub(super) streams: Vec<(StreamId, PathBuf)>,
    pub(super) steps: Vec<Step>,
    /// Where somebody can stop: all steps, or those of one stream. 0 is before the first.
    pub(super) stops: Vec<usize>,
    pub(super) plan: HousePlan,
    /// Where journals cannot be read any further.
    pub(super) faults: Vec<String>,
}

impl Past {
    pub(super) fn read(options: &Options) -> Result<Past, ReplayError> {
        let journals = Journals::folder(&options.data).map_err(unreadable)?;
        let streams: Vec<_> = journals.tables_first().cloned().collect();
        let mut blocks = Vec::new();
        let (mut tables, mut faults) = (Vec::new(), Vec::new());
        for (number, (stream, path)) in streams.iter().enumerate() {
            // Damage at its end does not hide what lies before.
            let store = source::open_blocks(stream, path).map_err(unreadable)?;
            let (own, fault) = steps_of(number, &store);
            faults.extend(fault.map(|fault| format!("{stream}: {fault}")));
            blocks.push(own.into_iter().peekable());
            if stream.as_str() != HOUSE_STREAM {
                tables.extend(planned(stream, &begun(stream, &store)));
            }
        }
        let mut steps = Vec::new();
        // Each stream stays in its own order, whatever its clock did; the register comes first.
        loop {
            let next = blocks.iter_mut().enumerate().rev();
            let next = next.filter_map(|(at, own)| Some((own.peek()?.time_ms, at)));
            let Some((_, at)) = next.min_by_key(|(time_ms, _)| *time_ms) else {
                break;
            };
            steps.extend(blocks[at].next());
        }
        let stops = stops(&steps, &streams, options.stream.as_deref())?;
        let mut plan = HousePlan::trial();
        plan.tables = tables;
        plan.tls = sicbo_plan::Tls::None;
        plan.listen.clone_from(&options.listen);
        Ok(Past {
            data: options.data.clone(),
            streams,
            steps,
            stops,
            plan,
            faults,
        })
    }

    /// Where each stream ends after so many steps.
    pub(super) fn ends(&self, steps: usize) -> BTreeMap<StreamId, u64> {
        let taken = self.steps.iter().take(steps);
        taken
            .map(|step| (self.streams[step.stream].0.clone(), step.last))
            .collect()
    }

    /// The house's time after so many steps.
    pub(super) fn time_ms(&self, steps: usize) -> i64 {
        let taken = self.steps.iter().take(steps.max(1));
        taken.map(|step| step.time_ms).max().unwrap_or_default()
    }
}

/// The blocks of a stream, and why the rest of them cannot be read.
fn steps_of(stream: usize, store: &dyn Store) -> (Vec<Step>, Option<String>) {
    let mut steps = Vec::new();
    for raw in store.headers_from(1) {
        let header = raw.map_err(|error| error.to_string());
        let header = header.and_then(|raw| {
            let header = Header::decode(&raw.header);
            header.map_err(|error| error.to_string())
        });
        match header {
            Ok(header) => steps.push(Step {
                stream,
                first: header.first_sequence,
                last: header.last_sequence,
                time_ms: header.time_ms,
            }),
            Err(fault) => return (steps, Some(fault)),
        }
    }
    (steps, None)
}

/// A table as far as its configuration is known. What is wrong in its records is said at their step.
fn begun(stream: &StreamId, store: &dyn Store) -> Table {
    let mut table = Table::default();
    let mut chain = Chain::after(stream.clone(), Tail::default());
    for raw in store.read_from(1) {
        let Some(block) = raw.ok().and_then(|raw| chain.accept(raw).ok()) else {
            return Table::default();
        };
        for record in block.records() {
            let event = Table::decode(record.kind, record.version, record.payload);
            let applied = event.map(|event| apply_read(&mut table, &event));
            if !matches!(applied, Ok(Ok(()))) {
                return Table::default();
            }
            if table.config.is_some() {
                return table;
            }
        }
    }
    table
}

fn stops(
    steps: &[Step],
    streams: &[(StreamId, PathBuf)],
    wanted: Option<&str>,
) -> Result<Vec<usize>, ReplayError> {
    let own = wanted.map(|wanted| {
        let mut known = streams.iter();
        let found = known.position(|(stream, _)| stream.as_str() == wanted);
        found.ok_or_else(|| ReplayError::NoStream {
            asked: wanted.to_owned(),
            there: {
                let names: Vec<&str> = streams.iter().map(|(stream, _)| stream.as_str()).collect();
                names.join(", ")
            },
        })
    });
    let own = own.transpose()?;
    let ends = (1..).zip(steps);
    let ends = ends.filter(|(_, step)| own.is_none_or(|own| step.stream == own));
    Ok([0].into_iter().chain(ends.map(|(end, _)| end)).collect())
}

/// A table as a house would plan it: everything else of it is in its journal.
fn planned(stream: &StreamId, table: &Table) -> Option<TablePlan> {
    let name = TableName::new(stream.as_str())?;
    let mut trial = HousePlan::trial().tables;
    let own = trial.iter().position(|known| known.name == name);
    let mut plan = trial.swap_remove(own.unwrap_or(0));
    if let Some(config) = &table.config {
        plan.config = config.as_ref().clone();
    }
    plan.name = name;
    plan.dealer = DealerPlan::Person;
    plan.tumbler = TumblerPlan::Manual;
    plan.lights = LightsPlan::None;
    plan.camera = None;
    plan.device_listen = None;
    Some(plan)
}
