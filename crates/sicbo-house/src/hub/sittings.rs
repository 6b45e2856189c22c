//! Who sits at which station since when, and how long they have played: as
//! far as this program has seen them come, and as far as the register knew
//! when it started.
//!
//! The table knows who has left (see `sicbo_table::visit`). It knows no
//! clock, so one thing is decided here: who has no credit and has done nothing
//! for a quarter of an hour has left as well.

use parking_lot::MutexGuard;
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::{Play, Sitting, Tally};
use sicbo_rules::Money;
use sicbo_table::ids::{SessionNumber, StationId};
use sicbo_table::station::Station;
use sicbo_table::{Event, Fact, Table};

use super::by_station::{ByStation, Part};

/// Whoever has no credit left is thought to be there for so long.
pub const STAYS_MS: i64 = 15 * 60_000;

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
                seen: None,
            },
            clock: PlayClock::default(),
        }
    }
}

/// A station and who was there.
#[derive(Clone, Copy)]
struct Seat {
    /// The first session of the visit, as the table last had it.
    since: SessionNumber,
    now: Seated,
    /// Who left last.
    before: Option<Seated>,
    /// When something was last heard of whoever is there, beside wagers.
    heard_ms: i64,
    /// The register has something on record for this station.
    on_record: bool,
}

impl Seat {
    fn new(now: Seated) -> Seat {
        Seat {
            since: now.sitting.session,
            now,
            before: None,
            heard_ms: now.sitting.began_ms,
            on_record: false,
        }
    }

    fn begin(&mut self, now: Seated) {
        self.before = Some(self.now);
        self.now = now;
        self.heard_ms = now.sitting.began_ms;
    }

    /// Whoever is there has done nothing yet, and nothing is on record of them.
    fn is_fresh(&self) -> bool {
        self.now.clock.last_ms.is_none() && !self.on_record
    }

    /// Nothing was heard of whoever is there for so long that they have gone.
    fn is_silent(&self, now_ms: i64) -> bool {
        let wager_ms = self.now.clock.last_ms.unwrap_or(i64::MIN);
        now_ms.saturating_sub(self.heard_ms.max(wager_ms)) > STAYS_MS
    }
}

/// Everybody at a table.
#[derive(Default)]
pub struct Sittings(ByStation<Seat>);

/// The session that the next buy-in at an empty station opens.
const fn next_session(known: &Station) -> SessionNumber {
    SessionNumber(known.session.0 + 1)
}

fn is_empty(known: &Station) -> bool {
    known.credit == Money::ZERO && known.at_risk == Money::ZERO
}

impl Sittings {
    fn map(&self, station: StationId) -> MutexGuard<'_, Part<Seat>> {
        self.0.part(station)
    }

    /// Who sits at a station that stands so. Of somebody who came before this
    /// program started and has nothing on record it is known from now on only.
    pub fn at(&self, station: StationId, known: &Known, now_ms: i64) -> Seated {
        let mut map = self.map(station);
        let new = |session| Seated::new(session, now_ms, known.meters);
        let seat = map.get_or_insert_with(station, || Seat::new(new(known.since)));
        if seat.now.sitting.session < known.since {
            seat.begin(new(known.since));
            seat.since = known.since;
        } else if known.empty && seat.is_silent(now_ms) {
            seat.begin(new(known.next));
        }
        seat.now
    }

    /// How long whoever sits at a station has played, and whether anything is
    /// on record for the station.
    pub fn asks(&self, station: StationId, now_ms: i64) -> (i64, bool) {
        let map = self.map(station);
        let seat = map.get(station);
        seat.map_or((0, false), |seat| {
            (seat.now.clock.at(now_ms), seat.on_record)
        })
    }

    /// The meters and the clock of whoever a play is of: as they stand, or as
    /// they stood when that person left.
    pub fn figures(
        &self,
        station: StationId,
        session: SessionNumber,
        known: &Known,
        now_ms: i64,
    ) -> Option<(Tally, PlayClock)> {
        let seated = self.at(station, known, now_ms);
        if session >= seated.sitting.session {
            return Some((known.meters, seated.clock));
        }
        let (since, meters) = known.left.filter(|_| session < known.since)?;
        let before = self.map(station).get(station)?.before?;
        let theirs = session >= since.max(before.sitting.session);
        theirs.then_some((meters, before.clock))
    }

    /// Something was entered in the register for whoever sits at a station.
    pub fn entered(&self, station: StationId, known: &Known, now_ms: i64) {
        let mut map = self.map(station);
        let new = Seated::new(known.since, now_ms, known.meters);
        let seat = map.get_or_insert_with(station, || Seat::new(new));
        seat.on_record = true;
        seat.heard_ms = seat.heard_ms.max(now_ms);
    }

    /// Somebody else has come to an empty station, and says so.
    pub fn begin(&self, station: StationId, known: &Known, now_ms: i64) {
        let new = Seated::new(known.next, now_ms, known.meters);
        let mut map = self.map(station);
        map.get_or_insert_with(station, || Seat::new(new))
            .begin(new);
    }

    /// What the register knew of somebody when this program started. Wagers
    /// that had not been counted then are counted as one now: their times are
    /// not known any more.
    pub fn restore(&self, station: StationId, play: &Play, known: &Known, now_ms: i64) {
        let mut seat = Seat::new(Seated::new(known.since, now_ms, known.meters));
        let wagered = |meters: &Tally| {
            let mut clock = play.clock;
            if meters.staked != play.counted.staked {
                clock.wager(now_ms);
            }
            let sitting = Sitting {
                session: play.session,
                began_ms: play.began_ms,
                base: play.base,
                seen: None,
            };
            Seated { sitting, clock }
        };
        if play.session >= known.since {
            seat.now = wagered(&known.meters);
        } else if let Some((_, meters)) = known.left {
            seat.before = Some(wagered(&meters));
        }
        seat.since = known.since;
        seat.heard_ms = now_ms;
        seat.on_record = true;
        // Whoever looked before did not know that something is on record.
        let mut map = self.map(station);
        let known = map.get_or_insert_with(station, || seat);
        if !known.on_record {
            *known = seat;
        }
    }

    /// Notes what has become durable, before it is applied to the table.
    pub fn note(&self, before: &Table, event: &Event) {
        match &event.fact {
            // Somebody has come, before they play.
            Fact::CreditBought {
                station, session, ..
            } => {
                let Some(known) = before.station(*station) else {
                    return;
                };
                let new = |session| Seated::new(session, event.at_ms, known.meters.tally());
                let mut map = self.map(*station);
                let seat = map.get_or_insert_with(*station, || Seat::new(new(known.visit.since)));
                if *session != known.session {
                    if seat.is_silent(event.at_ms) {
                        seat.begin(new(*session));
                    } else if seat.is_fresh() {
                        // The last one went; this one is there since their money is.
                        seat.now.sitting.began_ms = event.at_ms;
                    }
                }
                seat.heard_ms = seat.heard_ms.max(event.at_ms);
            }
            Fact::BetsPlaced { station, .. } => {
                if let Some(known) = before.station(*station) {
                    let new = || {
                        let since = known.visit.since;
                        Seat::new(Seated::new(since, event.at_ms, known.meters.tally()))
                    };
                    let mut map = self.map(*station);
                    let seat = map.get_or_insert_with(*station, new);
                    seat.now.clock.wager(event.at_ms);
                }
            }
            _ => {}
        }
    }

    /// Notes who has left or has come back, after an event was applied.
    pub fn follow(&self, after: &Table, event: &Event) {
        let (Fact::CreditBought { station, .. }
        | Fact::CashedOut { station, .. }
        | Fact::CashOutReversed { station, .. }
        | Fact::TransferredOut { station, .. }
        | Fact::HandPaid { station, .. }) = &event.fact
        else {
            return;
        };
        let Some(known) = after.station(*station) else {
            return;
        };
        let since = known.visit.since;
        let mut map = self.map(*station);
        let Some(seat) = map.get_mut(*station) else {
            return;
        };
        if seat.now.sitting.session < since {
            seat.begin(Seated::new(since, event.at_ms, known.meters.tally()));
        } else if since < seat.since {
            // The money of somebody who had left is back, and so are they.
            seat.now = seat.before.take().unwrap_or(seat.now);
            seat.now.sitting.session = since;
        }
        seat.since = since;
        seat.heard_ms = seat.heard_ms.max(event.at_ms);
    }
}

/// What a table knows of a station, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The session.
    pub session: SessionNumber,
    /// The first session of the visit.
    pub since: SessionNumber,
    /// The session that the next buy-in opens, if there is no credit.
    pub next: SessionNumber,
    /// There is no credit and nothing at risk.
    pub empty: bool,
    /// The meters.
    pub meters: Tally,
    /// At risk in the open round.
    pub at_risk: Money,
    /// Who left last, and the meters then.
    pub left: Option<(SessionNumber, Tally)>,
}

impl Known {
    /// As the table has it.
    #[must_use]
    pub fn of(known: &Station) -> Known {
        let left = known.visit.left.as_deref();
        Known {
            session: known.session,
            since: known.visit.since,
            next: next_session(known),
            empty: is_empty(known),
            meters: known.meters.tally(),
            at_risk: known.at_risk,
            left: left.map(|left| (left.since, left.meters.tally())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: StationId = StationId(3);
    const OTHER: StationId = StationId(4);

    fn tallied(staked: i64, returned: i64) -> Tally {
        Tally {
            staked: Money::from_minor(staked),
            returned: Money::from_minor(returned),
        }
    }

    fn known(since: u32, meters: Tally) -> Known {
        Known {
            session: SessionNumber(since),
            since: SessionNumber(since),
            next: SessionNumber(since + 1),
            empty: false,
            meters,
            at_risk: Money::ZERO,
            left: None,
        }
    }

    fn figures(sittings: &Sittings, session: u32, known: &Known) -> Option<Tally> {
        let figures = sittings.figures(HERE, SessionNumber(session), known, 9_000);
        figures.map(|(meters, _)| meters)
    }

    #[test]
    fn p_078_what_was_played_last_is_read_after_the_player_has_left() {
        let sittings = Sittings::default();
        let first = known(1, tallied(500, 100));
        assert_eq!(sittings.at(HERE, &first, 1_000).sitting.session.0, 1);
        assert_eq!(figures(&sittings, 1, &first), Some(tallied(500, 100)));
        // They took all out, and another has staked 900 since.
        let next = Known {
            left: Some((SessionNumber(1), tallied(500, 100))),
            ..known(2, tallied(1_400, 200))
        };
        assert_eq!(sittings.at(HERE, &next, 2_000).sitting.session.0, 2);
        assert_eq!(figures(&sittings, 1, &next), Some(tallied(500, 100)));
        assert_eq!(figures(&sittings, 2, &next), Some(tallied(1_400, 200)));
        // Of who was there before them nothing more is known.
        assert_eq!(figures(&sittings, 0, &next), None);
    }

    #[test]
    fn p_078_what_was_played_before_a_crash_is_read_after_it() {
        let sittings = Sittings::default();
        let sitting = Sitting {
            session: SessionNumber(1),
            began_ms: 500,
            base: Tally::default(),
            seen: None,
        };
        let play = Play::new(&sitting);
        let left = Known {
            left: Some((SessionNumber(1), tallied(500, 100))),
            ..known(2, tallied(500, 100))
        };
        sittings.restore(HERE, &play, &left, 8_000);
        assert_eq!(figures(&sittings, 1, &left), Some(tallied(500, 100)));
        assert_eq!(sittings.at(HERE, &left, 9_000).sitting.session.0, 2);
        // The wager that was not counted has a time of its own.
        let (_, clock) = sittings
            .figures(HERE, SessionNumber(1), &left, 9_000)
            .expect("figures");
        assert_eq!(clock.last_ms, Some(8_000));
        assert!(sittings.asks(HERE, 9_000).1, "on record");
    }

    #[test]
    fn p_075_who_has_no_credit_and_says_nothing_has_left_after_a_while() {
        let sittings = Sittings::default();
        let paid = known(1, tallied(0, 0));
        let empty = Known {
            empty: true,
            next: SessionNumber(4),
            ..paid
        };
        let session = |stands: &Known, now_ms| sittings.at(HERE, stands, now_ms).sitting.session.0;
        assert_eq!(session(&paid, 0), 1);
        // With credit they are there however long they say nothing.
        assert_eq!(session(&paid, 10 * STAYS_MS), 1);
        sittings.entered(HERE, &empty, 10 * STAYS_MS);
        assert_eq!(session(&empty, 11 * STAYS_MS), 1);
        assert_eq!(session(&empty, 11 * STAYS_MS + 1), 4);
        assert_eq!(sittings.asks(OTHER, 0), (0, false), "nothing on record");
    }
}
