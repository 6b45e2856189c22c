//! What only a play-money house does: hands a free terminal to whoever asks.

use std::collections::BTreeMap;
use std::path::Path;

use sicbo_clock::now_ms;
use sicbo_register::enrolment::{Role, TableName};
use sicbo_rules::Money;
use sicbo_table::ids::StationId;
use sicbo_table::station::{Link, StationKind};

use super::Floor;
use crate::secrets::write_private;

/// A terminal that can be handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Its table.
    pub table: TableName,
    /// Its station.
    pub station: StationId,
    /// Its token.
    pub token: String,
}

/// The tokens of a trial house's terminals, kept so that they can be handed out.
#[derive(Default)]
pub(super) struct Seats {
    tokens: BTreeMap<(TableName, StationId), String>,
    /// Handed out, and when: not again to someone else for a while.
    given: BTreeMap<(TableName, StationId), i64>,
}

/// A terminal that was handed out is another's only after this long.
const KEPT_MS: i64 = 60_000;

/// The file the tokens are in.
pub(super) const FILE: &str = "trial-terminals.txt";

impl Seats {
    /// Reads the tokens of an earlier start.
    pub(super) fn read(data: &Path) -> Seats {
        let text = std::fs::read_to_string(data.join(FILE)).unwrap_or_default();
        let mut seats = Seats::default();
        for line in text.lines() {
            let mut parts = line.split(' ');
            let (Some(table), Some(station), Some(token)) = (
                parts.next().and_then(TableName::new),
                parts.next().and_then(|number| number.parse().ok()),
                parts.next(),
            ) else {
                continue;
            };
            seats
                .tokens
                .insert((table, StationId(station)), token.to_owned());
        }
        seats
    }

    /// The file of these tokens.
    pub(super) fn file(seats: &[Seat]) -> String {
        let lines = seats
            .iter()
            .map(|seat| format!("{} {} {}\n", seat.table, seat.station.0, seat.token));
        lines.collect()
    }
}

impl Floor {
    /// A terminal of a play-money house was enrolled anew: it can be handed out
    /// again, also after a restart.
    pub fn enrolled_anew(&self, role: &Role, token: &str) {
        let Role::Station { table, station } = role else {
            return;
        };
        if self.plan.real_money {
            return;
        }
        // One writes after the other, so that the file is what was kept last;
        // whoever is handed a terminal meanwhile does not wait for the disk.
        let _writing = self.seat_file.lock();
        let mut seats = self.seats.lock();
        let key = (table.clone(), *station);
        seats.given.remove(&key);
        seats.tokens.insert(key, token.to_owned());
        let all: Vec<Seat> = seats
            .tokens
            .iter()
            .map(|((table, station), token)| Seat {
                table: table.clone(),
                station: *station,
                token: token.clone(),
            })
            .collect();
        drop(seats);
        if let Err(error) = write_private(&self.data.join(FILE), Seats::file(&all).as_bytes()) {
            tracing::warn!(%error, "the trial's terminals were not written down");
        }
    }

    /// A free terminal of a play-money table, on the wanted layout if one is named.
    #[must_use]
    pub fn hand_out(&self, table: &TableName, layout: Option<&str>) -> Option<Seat> {
        // In practice simulated players sit at the terminals.
        if self.plan.real_money || self.plan.practice {
            return None;
        }
        self.hand_out_one(table, layout, |station, token| {
            // A token that was revoked since is no terminal any more.
            let register = self.desk.register();
            let role = register.recognise(token).map(|(_, known)| &known.role);
            matches!(role, Some(Role::Station { table: at, station: of })
                if at == table && *of == station)
        })
    }

    /// The first of the free terminals whose token opens it. The table is not
    /// looked at while the register is: nobody holds both at once.
    fn hand_out_one(
        &self,
        table: &TableName,
        layout: Option<&str>,
        opens: impl Fn(StationId, &str) -> bool,
    ) -> Option<Seat> {
        let at = self.tables.get(table)?;
        let mut seats = self.seats.lock();
        let now = now_ms();
        let mut free: Vec<(Money, StationId, String)> = {
            let state = at.hub.state();
            let credit = |id: StationId| {
                let station = state.table.station(id)?;
                let fits = layout.is_none_or(|wanted| {
                    state
                        .table
                        .layout_of(station)
                        .is_some_and(|known| known.id == wanted)
                });
                let taken = seats.given.get(&(table.clone(), id));
                let free = station.kind == StationKind::Terminal
                    && station.link == Link::Offline
                    && taken.is_none_or(|since| now - since > KEPT_MS);
                (fits && free).then_some(station.credit)
            };
            let mine = seats.tokens.iter().filter(|((name, _), _)| name == table);
            let mine = mine.filter_map(|((_, id), token)| Some((credit(*id)?, *id, token.clone())));
            mine.collect()
        };
        // An empty terminal before one that somebody left with credit on it.
        free.sort_unstable_by_key(|(credit, station, _)| (*credit, *station));
        let mut free = free.into_iter();
        let (_, station, token) = free.find(|(_, station, token)| opens(*station, token))?;
        seats.given.insert((table.clone(), station), now);
        Some(Seat {
            table: table.clone(),
            station,
            token,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use sicbo_plan::HousePlan;

    use crate::floor::start;

    #[test]
    fn nobody_holds_a_table_while_the_register_is_asked_about_a_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let started = start(
            HousePlan::trial(),
            &folder.path().join("data"),
            false,
            &Default::default(),
        )
        .unwrap();
        let floor = &started.floor;
        let at = floor.tables().find(|at| !at.plan.stations.is_empty());
        let at = at.expect("a table");
        let asked = std::cell::Cell::new(0);
        let seat = floor.hand_out_one(&at.hub.name, None, |_, _| {
            asked.set(asked.get() + 1);
            // Its own follower may be writing; ours would never let go.
            let by = Instant::now() + Duration::from_secs(5);
            while !at.hub.nobody_looks() {
                assert!(Instant::now() < by, "the table is held");
                std::thread::yield_now();
            }
            true
        });
        let seat = seat.expect("a free terminal");
        assert_eq!(asked.get(), 1, "only what is free is asked about");
        // One that does not open is passed over, and one handed out is taken.
        let next = floor.hand_out_one(&at.hub.name, None, |station, _| {
            assert_ne!(station, seat.station);
            station.0 > seat.station.0 + 1
        });
        assert_eq!(next.expect("another").station.0, seat.station.0 + 2);
        started.engine.stop();
    }
}
