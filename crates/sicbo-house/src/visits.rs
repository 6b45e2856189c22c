//! Visits to a play-money house: which terminal was handed to whom, and for
//! how long it is held for them.
//!
//! A visitor has a key of their own. It opens the terminal beside the key the
//! terminal is enrolled with, until the terminal is handed to somebody else. So
//! nobody finds a stranger's credit or past there, and whoever lost their line
//! finds their own. Nothing of this is in a journal: a house that plays for
//! money hands out nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use parking_lot::Mutex;
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::voucher::Place;
use sicbo_rules::Money;
use sicbo_table::ids::StationId;
use sicbo_table::station::{Link, Station, StationKind};

use crate::house::{House, TableAt};
use crate::terminal::Terminal;

/// A visitor who has nothing at stake is waited for so long.
pub const EMPTY_HELD_MS: i64 = 60_000;
/// A visitor whose credit is at the terminal is waited for so long.
pub const CREDIT_HELD_MS: i64 = 10 * 60_000;
/// How often the table is looked at while a visit is brought to its end, with
/// a pause each time.
const ENDING_TRIES: usize = 2_000;

/// Somebody's visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Visit {
    /// Digest of the visitor's key.
    key: [u8; 32],
    /// When they were last heard of.
    seen_ms: i64,
}

/// Every visit, by the terminal it is at.
pub struct Visits {
    visits: Mutex<BTreeMap<Place, Visit>>,
    /// Of whoever was there before the program started, nothing is known since.
    started_ms: i64,
}

/// How a terminal stands for somebody who wants one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Nobody is there.
    Free,
    /// Whoever has credit there has been away for too long, since then.
    Abandoned(i64),
    /// It is somebody's.
    Taken,
}

/// Where somebody would like to sit.
#[derive(Clone, Copy, Debug)]
pub struct WantedSeat<'a> {
    /// At which table.
    pub table: &'a TableName,
    /// On which layout, where it matters.
    pub layout: Option<&'a str>,
    /// Tokens of earlier visits, the newest first.
    pub own: &'a [String],
}

/// A terminal that was handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandedOut {
    /// Which of the table's.
    pub station: StationId,
    /// Opens it.
    pub token: String,
    /// The visitor was there before: their credit and their past are theirs.
    pub own: bool,
}

/// Terminals or seats of a table that share a layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatsOn {
    /// The layout within the book.
    pub layout: String,
    /// How many there are.
    pub seats: u32,
    /// How many somebody could take now.
    pub free: u32,
}

fn is_empty(station: &Station) -> bool {
    station.credit == Money::ZERO && station.at_risk == Money::ZERO
}

impl Visits {
    /// No visits yet.
    #[must_use]
    pub const fn new(started_ms: i64) -> Visits {
        Visits {
            visits: Mutex::new(BTreeMap::new()),
            started_ms,
        }
    }

    /// Visits of an earlier start, as [`Visits::to_text`] wrote them.
    #[must_use]
    pub fn read(text: &str, started_ms: i64) -> Visits {
        let visit = |line: &str| {
            let mut parts = line.split(' ');
            let place = Place {
                table: TableName::new(parts.next()?)?,
                station: StationId(parts.next()?.parse().ok()?),
            };
            let mut key = [0; 32];
            hex::decode_to_slice(parts.next()?, &mut key).ok()?;
            let seen_ms = started_ms;
            Some((place, Visit { key, seen_ms }))
        };
        Visits {
            visits: Mutex::new(text.lines().filter_map(visit).collect()),
            started_ms,
        }
    }

    /// Every visit, for the next start: digests, no keys.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (place, visit) in &*self.visits.lock() {
            let key = hex::encode(visit.key);
            let _ = writeln!(text, "{} {} {key}", place.table, place.station.0);
        }
        text
    }

    /// Whether a key is that of whoever visits a terminal.
    #[must_use]
    pub fn opens(&self, place: &Place, key: &Key) -> bool {
        let visits = self.visits.lock();
        // Digests of random keys: how long they take to compare tells nothing.
        visits
            .get(place)
            .is_some_and(|visit| visit.key == key.digest())
    }

    /// Whoever visits a terminal was heard of.
    pub fn seen(&self, place: &Place, now_ms: i64) {
        if let Some(visit) = self.visits.lock().get_mut(place) {
            visit.seen_ms = now_ms;
        }
    }

    fn of(&self, place: &Place) -> Option<Visit> {
        self.visits.lock().get(place).copied()
    }

    /// A terminal is somebody else's, unless it became so in the meantime.
    fn hand_on(&self, place: &Place, before: Option<Visit>, key: &Key, now_ms: i64) -> bool {
        let mut visits = self.visits.lock();
        if visits.get(place).copied() != before {
            return false;
        }
        let visit = Visit {
            key: key.digest(),
            seen_ms: now_ms,
        };
        visits.insert(place.clone(), visit);
        true
    }

    fn standing(&self, visit: Option<Visit>, station: &Station, now_ms: i64) -> Standing {
        if station.kind != StationKind::Terminal || station.removed || station.link != Link::Offline
        {
            return Standing::Taken;
        }
        let seen_ms = visit.map_or(self.started_ms, |visit| visit.seen_ms);
        let away_ms = now_ms.saturating_sub(seen_ms);
        match is_empty(station) {
            true if visit.is_none() || away_ms > EMPTY_HELD_MS => Standing::Free,
            false if station.at_risk == Money::ZERO && away_ms > CREDIT_HELD_MS => {
                Standing::Abandoned(seen_ms)
            }
            _ => Standing::Taken,
        }
    }
}

impl House {
    /// A terminal of a play-money table: the visitor's own where there is one,
    /// else one where nobody is. Where everything is taken, the visit of whoever
    /// has been away longest is ended, its credit on a voucher.
    pub async fn hand_out(
        self: &Arc<House>,
        wanted: WantedSeat<'_>,
        key: Key,
    ) -> Option<HandedOut> {
        // In practice simulated players sit at the terminals.
        if self.plan.real_money || self.plan.practice {
            return None;
        }
        let at = self.tables.get(wanted.table)?;
        if let Some(own) = self.own_seat(at, wanted) {
            return Some(own);
        }
        let now_ms = self.clock.now_ms();
        for (place, standing, before) in self.candidates(at, wanted, now_ms) {
            let Some(enrolment) = self.enrolment_of(&place) else {
                // Its enrolment was revoked: nothing opens it.
                continue;
            };
            if !self.visits.hand_on(&place, before, &key, now_ms) {
                continue;
            }
            if standing != Standing::Free && !self.end_visit(at, &place, enrolment).await {
                // Held by nobody's key; it can be tried again.
                continue;
            }
            at.hub.begin(place.station, now_ms);
            return Some(HandedOut {
                station: place.station,
                token: key.token(enrolment),
                own: false,
            });
        }
        None
    }

    /// The visitor's own terminal, when they are not at it on another screen.
    fn own_seat(&self, at: &TableAt, wanted: WantedSeat<'_>) -> Option<HandedOut> {
        wanted.own.iter().find_map(|token| {
            let (_, table, station) = self.station_of(token)?;
            let state = at.hub.state();
            let known = state.table.station(station)?;
            let fits = fits(&state.table, known, wanted.layout);
            let away = known.link == Link::Offline;
            drop(state);
            if table != at.hub.name || !fits || !away {
                return None;
            }
            self.visits
                .seen(&Place { table, station }, self.clock.now_ms());
            Some(HandedOut {
                station,
                token: token.clone(),
                own: true,
            })
        })
    }

    /// Terminals that could be handed out, those first at which nobody is.
    fn candidates(
        &self,
        at: &TableAt,
        wanted: WantedSeat<'_>,
        now_ms: i64,
    ) -> Vec<(Place, Standing, Option<Visit>)> {
        let state = at.hub.state();
        let stations = (0..).map(StationId).zip(&state.table.stations);
        let mut found: Vec<_> = stations
            .filter(|(_, known)| fits(&state.table, known, wanted.layout))
            .filter_map(|(station, known)| {
                let table = at.hub.name.clone();
                let place = Place { table, station };
                let visit = self.visits.of(&place);
                let standing = self.visits.standing(visit, known, now_ms);
                (standing != Standing::Taken).then_some((place, standing, visit))
            })
            .collect();
        found.sort_by_key(|(place, standing, _)| match standing {
            Standing::Abandoned(since_ms) => (*since_ms, place.station),
            _ => (i64::MIN, place.station),
        });
        found
    }

    fn enrolment_of(&self, place: &Place) -> Option<EnrolmentId> {
        let role = Role::Station {
            table: place.table.clone(),
            station: place.station,
        };
        let register = self.desk.register();
        let mut live = register.enrolments.iter();
        live.find(|(_, known)| known.role == role && known.revoked_ms.is_none())
            .map(|(id, _)| *id)
    }

    /// Takes the credit of somebody who has gone out as a voucher, as they would
    /// have; true when nothing is left.
    async fn end_visit(
        self: &Arc<House>,
        at: &TableAt,
        place: &Place,
        enrolment: EnrolmentId,
    ) -> bool {
        let hub = Arc::clone(&at.hub);
        Terminal::left_alone(self, hub, enrolment, place.station).cash_out_all();
        for _ in 0..ENDING_TRIES {
            if at.hub.known(place.station).is_some_and(|known| known.empty) {
                return true;
            }
            self.host.pause().await;
        }
        tracing::warn!(table = %place.table, station = place.station.0, "a visit could not be ended");
        false
    }

    /// The seats of a table by layout, and how many people are at it.
    #[must_use]
    pub fn seats_at(&self, at: &TableAt) -> (Vec<SeatsOn>, u32) {
        let now_ms = self.clock.now_ms();
        let state = at.hub.state();
        let mut all: Vec<SeatsOn> = Vec::new();
        let mut players = 0;
        for (station, known) in (0..).map(StationId).zip(&state.table.stations) {
            let Some(layout) = state.table.layout_of(known).filter(|_| !known.removed) else {
                continue;
            };
            let place = Place {
                table: at.hub.name.clone(),
                station,
            };
            let visit = self.visits.of(&place);
            let plays = !is_empty(known) || known.colour.is_some();
            let handed_out = !self.plan.real_money && known.kind == StationKind::Terminal;
            let free = match handed_out {
                true => self.visits.standing(visit, known, now_ms) != Standing::Taken,
                false => !plays,
            };
            players += u32::from(plays || (handed_out && known.link == Link::Online));
            let on = all.iter_mut().find(|on| on.layout == layout.id);
            match on {
                Some(on) => {
                    on.seats += 1;
                    on.free += u32::from(free);
                }
                None => all.push(SeatsOn {
                    layout: layout.id.clone(),
                    seats: 1,
                    free: u32::from(free),
                }),
            }
        }
        all.sort_by(|a, b| a.layout.cmp(&b.layout));
        (all, players)
    }
}

fn fits(table: &sicbo_table::Table, station: &Station, layout: Option<&str>) -> bool {
    layout.is_none_or(|wanted| {
        let known = table.layout_of(station);
        known.is_some_and(|known| known.id == wanted)
    })
}
