//! Who looks on in a simulated house: a wall for every table, and a pit desk that
//! sees what staff see of all of them. What they are shown is judged as it comes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use sicbo_house::connection::{ConnectionId, Inbox, boxes};
use sicbo_house::hub::{Hub, Sees, ToHub};
use sicbo_register::enrolment::TableName;

use super::World;
use super::judges::privacy;
use super::swarm::Part;

/// Somebody who looks on.
pub(super) struct Watcher {
    name: String,
    tables: Vec<TableName>,
    sees: Sees,
    inbox: Option<Inbox>,
    /// Reads nothing until then.
    asleep_ms: i64,
    comes_ms: i64,
    /// Decisions that nobody was offered when they were last shown, by table and
    /// number, and since when.
    unoffered: BTreeMap<(String, u64), i64>,
}

/// A decision is offered to somebody who may take it within so long, whatever else
/// has to be decided first.
const OFFERED_WITHIN_MS: i64 = 15_000;

impl Watcher {
    /// A wall for each of these tables, and one desk for all.
    pub(super) fn all(tables: &[TableName]) -> Vec<Watcher> {
        let one = |name: String, tables: &[TableName], sees| Watcher {
            name,
            tables: tables.to_vec(),
            sees,
            inbox: None,
            asleep_ms: 0,
            comes_ms: 0,
            unoffered: BTreeMap::new(),
        };
        let walls = tables.chunks(1);
        let walls = walls.map(|at| one(format!("wall {}", at[0]), at, Sees::Public));
        let desk = one("pit desk".to_owned(), tables, Sees::Staff);
        walls.chain([desk]).collect()
    }

    /// The program is gone.
    pub(super) fn cut(&mut self) {
        self.inbox = None;
        self.unoffered.clear();
    }
}

impl World {
    /// Whoever looks on reads, goes, or comes back.
    pub(super) fn look_on(&mut self) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        for number in 0..self.watchers.len() {
            if self.watchers[number].inbox.is_none() {
                if now_ms >= self.watchers[number].comes_ms {
                    self.watch(number)?;
                }
                continue;
            }
            if self.swarm.has(Part::SlowReaders) && self.people.below(3_000) == 0 {
                let until = now_ms + self.people.between(500, 10_000);
                self.watchers[number].asleep_ms = until;
            }
            if now_ms >= self.watchers[number].asleep_ms {
                self.read_on(number)?;
            }
            let gone = self.swarm.has(Part::Disconnects) && self.people.below(1_500) == 0;
            let watcher = &mut self.watchers[number];
            let ended = watcher
                .inbox
                .as_ref()
                .is_some_and(|inbox| inbox.end().is_some());
            if ended || gone {
                watcher.inbox = None;
                watcher.comes_ms = now_ms + 300;
            }
        }
        Ok(())
    }

    fn watch(&mut self, number: usize) -> Result<(), String> {
        let house = self.house()?;
        let watcher = &mut self.watchers[number];
        let tables = watcher.tables.iter();
        let hubs: Vec<Arc<Hub>> = tables.filter_map(|table| house.table(table)).collect();
        let connection = ConnectionId::new();
        let (outbox, inbox) = boxes(hubs.len());
        watcher.inbox = Some(inbox);
        let sees = watcher.sees;
        self.spawn(async move {
            for hub in &hubs {
                let come = ToHub::Watcher {
                    connection,
                    sees,
                    outbox: outbox.clone(),
                };
                hub.tell(come, || house.host.pause()).await;
            }
            if sees == Sees::Staff {
                for told in house.proposals_shown(&hubs) {
                    // A box this new has room.
                    let _ = outbox.put(told);
                }
            }
        })
    }

    fn read_on(&mut self, number: usize) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        let watcher = &mut self.watchers[number];
        let Some(inbox) = &mut watcher.inbox else {
            return Ok(());
        };
        while let Some(frame) = inbox.waiting() {
            self.trace.told(&watcher.name, &frame);
            let read = || -> Result<Value, String> {
                serde_json::from_str(&frame).map_err(|error| error.to_string())
            };
            match watcher.sees {
                Sees::Public => privacy::public(&watcher.name, &read()?)?,
                Sees::Staff => {
                    let frame = read()?;
                    offered(&frame)?;
                    within_time(&frame, &mut watcher.unoffered, now_ms)?;
                }
            }
        }
        Ok(())
    }
}

/// Every decision that waits names who takes it, and one of them is offered to
/// somebody who may: what holds the round comes before the others.
fn offered(frame: &Value) -> Result<(), String> {
    if frame["type"] != "staff" {
        return Ok(());
    }
    let list = |name: &str| frame["state"][name].as_array().into_iter().flatten();
    let (mut first, mut open) = (None, false);
    for decision in list("decisions") {
        let pending = &decision["pending"];
        if decision["by"].as_str().is_none_or(str::is_empty) {
            return Err(format!("decision {pending} is nobody's: {decision}"));
        }
        let mut steps = list("steps").filter(|step| step["pending"] == *pending);
        open |= steps.any(|step| step["who"].as_array().is_some_and(|who| !who.is_empty()));
        // A correction that somebody has proposed is theirs to end.
        open |= !decision["proposal"].is_null();
        first = first.or(Some(decision));
    }
    match first.filter(|_| !open) {
        None => Ok(()),
        Some(decision) => Err(format!(
            "{}: a decision waits and is offered to nobody: {}",
            frame["table"], decision["question"]
        )),
    }
}

/// Every decision that waits is offered within a bounded time.
fn within_time(
    frame: &Value,
    unoffered: &mut BTreeMap<(String, u64), i64>,
    now_ms: i64,
) -> Result<(), String> {
    if frame["type"] != "staff" {
        return Ok(());
    }
    let table = frame["table"].as_str().unwrap_or_default().to_owned();
    let list = |name: &str| frame["state"][name].as_array().into_iter().flatten();
    let mut waits = BTreeMap::new();
    for decision in list("decisions") {
        let pending = &decision["pending"];
        let mut steps = list("steps").filter(|step| step["pending"] == *pending);
        let offered = steps.any(|step| step["who"].as_array().is_some_and(|who| !who.is_empty()));
        if offered || !decision["proposal"].is_null() {
            continue;
        }
        let name = (table.clone(), pending.as_u64().unwrap_or_default());
        let since_ms = unoffered.get(&name).copied().unwrap_or(now_ms);
        if now_ms - since_ms > OFFERED_WITHIN_MS {
            let question = &decision["question"];
            return Err(format!(
                "{table}: a decision waits for {} ms and is offered to nobody: {question}",
                now_ms - since_ms
            ));
        }
        waits.insert(name, since_ms);
    }
    unoffered.retain(|(of, _), _| *of != table);
    unoffered.extend(waits);
    Ok(())
}
