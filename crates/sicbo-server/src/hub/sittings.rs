//! Who sits at which station since when, and how long they have played: as
//! far as this program has seen them come, and as far as the register knew
//! when it started.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sicbo_house::register::play::clock::PlayClock;
use sicbo_house::register::play::{Play, Sitting, Tally};
use sicbo_table::ids::{SessionNumber, StationId};
use sicbo_table::{Event, Fact, Table};

use crate::wire::play::tally;

/// Somebody at a station.
#[derive(Clone, Copy, Debug)]
pub struct Seated {
    /// Who, since when.
    pub sitting: Sitting,
    /// The clock of their play.
    pub clock: PlayClock,
}

impl Seated {
    fn new(session: SessionNumber, began_ms: i64, base: Tally) -> Seated {
        Seated {
            sitting: Sitting {
                session,
                began_ms,
                base,
            },
            clock: PlayClock::default(),
        }
    }
}

/// Everybody at a table.
#[derive(Default)]
pub struct Sittings(Mutex<BTreeMap<StationId, Seated>>);

impl Sittings {
    fn map(&self) -> MutexGuard<'_, BTreeMap<StationId, Seated>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who sits at a station. Of somebody who came before this program started
    /// and has nothing on record it is known from now on only.
    pub fn at(
        &self,
        station: StationId,
        session: SessionNumber,
        meters: Tally,
        now_ms: i64,
    ) -> Seated {
        let mut map = self.map();
        let new = Seated::new(session, now_ms, meters);
        let seated = map.entry(station).or_insert(new);
        if seated.sitting.session != session {
            *seated = new;
        }
        *seated
    }

    /// How long whoever sits at a station has played.
    pub fn played_ms(&self, station: StationId, now_ms: i64) -> i64 {
        let map = self.map();
        map.get(&station)
            .map_or(0, |seated| seated.clock.at(now_ms))
    }

    /// What the register knew of somebody when this program started. Wagers
    /// that had not been counted then are counted as one now: their times are
    /// not known any more.
    pub fn restore(&self, station: StationId, play: &Play, meters: Tally, now_ms: i64) {
        let mut clock = play.clock;
        if meters.staked != play.counted.staked {
            clock.wager(now_ms);
        }
        let sitting = Sitting {
            session: play.session,
            began_ms: play.began_ms,
            base: play.base,
        };
        let known = Seated { sitting, clock };
        self.map().entry(station).or_insert(known);
    }

    /// Notes what has become durable, before it is applied to the table.
    pub fn note(&self, before: &Table, event: &Event) {
        match &event.fact {
            // Somebody has come, before they play.
            Fact::CreditBought {
                station, session, ..
            } => {
                if let Some(known) = before.station(*station) {
                    let new = Seated::new(*session, event.at_ms, tally(known));
                    let mut map = self.map();
                    let seated = map.entry(*station).or_insert(new);
                    if seated.sitting.session != *session {
                        *seated = new;
                    }
                }
            }
            Fact::BetsPlaced { station, .. } => {
                if let Some(known) = before.station(*station) {
                    let new = Seated::new(known.session, event.at_ms, tally(known));
                    let mut map = self.map();
                    map.entry(*station).or_insert(new).clock.wager(event.at_ms);
                }
            }
            _ => {}
        }
    }
}
