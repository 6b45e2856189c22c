//! What only a play-money house does: hands a free terminal to whoever asks.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::PoisonError;

use sicbo_house::now_ms;
use sicbo_house::register::enrolment::{Role, TableName};
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
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
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
        let at = self.tables.get(table)?;
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let state = at.hub.state();
        let now = now_ms();
        let free = |id: StationId| {
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
        // A token that was revoked since is no terminal any more.
        let register = self.desk.register();
        let opens = |station: StationId, token: &str| {
            let role = register.recognise(token).map(|(_, known)| &known.role);
            matches!(role, Some(Role::Station { table: at, station: of })
                if at == table && *of == station)
        };
        let mine = seats.tokens.iter().filter(|((name, _), _)| name == table);
        // An empty terminal before one that somebody left with credit on it.
        let ((_, station), token) = mine
            .filter(|((_, station), token)| opens(*station, token))
            .filter_map(|(key, token)| Some((free(key.1)?, key, token)))
            .min_by_key(|(credit, key, _)| (*credit, key.1))
            .map(|(_, key, token)| (key.clone(), token.clone()))?;
        drop(state);
        drop(register);
        seats.given.insert((table.clone(), station), now);
        Some(Seat {
            table: table.clone(),
            station,
            token,
        })
    }
}
