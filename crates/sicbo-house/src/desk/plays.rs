//! Responsible play at the desk: meters and clocks of play go into the
//! register when a round has ended, and terminals are told what changed.

use sicbo_loop::Answer;
use sicbo_register::enrolment::TableName;
use sicbo_register::event::Fact;
use sicbo_register::play::member::MemberId;
use sicbo_register::play::{Counted, MAX_COUNTED, Play, PlayStep, Tally};
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Register};
use sicbo_table::ids::{SessionNumber, StationId};

use super::{Desk, DeskReply, DeskWork};
use crate::hub::ToHub;
use sicbo_wire::frame;
use sicbo_wire::terminal::HouseToTerminal;

impl Desk {
    /// What was played with a member's card at other stations and is not yet
    /// counted, as where it was a moment ago.
    pub fn uncounted_elsewhere(&self, member: MemberId, here: &Place) -> Tally {
        let known: Vec<Counted> = {
            let register = self.register();
            let others = played_elsewhere(&register, member, here);
            others.map(|(place, play)| before(place, play)).collect()
        };
        let mut more = Tally::default();
        for before in known {
            let hub = self
                .tables
                .get()
                .and_then(|hubs| hubs.get(&before.place.table));
            let figures = hub.and_then(|hub| {
                hub.figures(before.place.station, before.session, self.clock.now_ms())
            });
            if let Some((meters, _)) = figures {
                let since = meters.since(&before.meters);
                more.staked += since.staked;
                more.returned += since.returned;
            }
        }
        more
    }

    /// Where a member's card was used before, and the table there still lets
    /// them stake, with the visit.
    pub fn granted_elsewhere(&self, member: MemberId, here: &Place) -> Vec<(Place, SessionNumber)> {
        let known: Vec<(Place, SessionNumber)> = {
            let register = self.register();
            let others = played_elsewhere(&register, member, here);
            let others = others.map(|(place, play)| (place.clone(), play.session));
            others.collect()
        };
        let Some(hubs) = self.tables.get() else {
            return Vec::new();
        };
        let open = known.into_iter().filter_map(|(place, session)| {
            let hub = hubs.get(&place.table)?;
            // Nothing more is decided where a table has stopped, and whoever
            // sits there now may be somebody else.
            if hub.stopped().is_some() {
                return None;
            }
            let (seated, _) = hub.seated(place.station, self.clock.now_ms())?;
            if session < seated.sitting.session {
                return None;
            }
            let state = hub.state();
            let grant = state.table.station(place.station)?.play_grant();
            (!grant.is_withdrawn()).then_some((place, grant.visit))
        });
        open.collect()
    }

    /// What the register has not yet counted at a table, of players of whom
    /// something is on record.
    pub fn uncounted(&self, table: &TableName) -> Vec<Counted> {
        let Some(hub) = self.tables.get().and_then(|hubs| hubs.get(table)) else {
            return Vec::new();
        };
        let now = self.clock.now_ms();
        let first = Place {
            table: table.clone(),
            station: StationId(0),
        };
        // The register is let go of before the table is looked at: whoever
        // holds both takes the table first.
        let known: Vec<Counted> = {
            let register = self.register();
            let here = register.plays.range(first..);
            let here = here.take_while(|(place, _)| place.table == *table);
            here.map(|(place, play)| before(place, play)).collect()
        };
        let read = known.into_iter().filter_map(|before| {
            let (meters, clock) = hub.figures(before.place.station, before.session, now)?;
            let news = before.meters != meters || before.clock != clock;
            news.then_some(Counted {
                meters,
                clock,
                ..before
            })
        });
        read.collect()
    }
}

/// Where else a member's card was used.
fn played_elsewhere<'r>(
    register: &'r Register,
    member: MemberId,
    here: &Place,
) -> impl Iterator<Item = (&'r Place, &'r Play)> {
    register.plays.iter().filter(move |(place, play)| {
        *place != here && play.card.is_some_and(|card| card.member == member)
    })
}

/// What was last read at a station.
fn before(place: &Place, play: &Play) -> Counted {
    Counted {
        place: place.clone(),
        session: play.session,
        meters: play.counted,
        clock: play.clock,
    }
}

impl DeskWork {
    /// Counts play at the tables where rounds have ended; what finds no room
    /// is counted later, for a reading says all that came before it.
    pub(super) fn count_plays(&mut self) {
        while let Some(table) = self.to_count.pop_first() {
            for lines in self.desk.uncounted(&table).chunks(MAX_COUNTED) {
                let now_ms = self.desk.clock.now_ms();
                let command = self.desk.by_house(Act::CountPlays {
                    offset_min: i64::from(self.zone.offset_minutes(now_ms)),
                    lines: lines.to_vec(),
                });
                let handed = self.desk.door.submit(DeskReply::Nobody, command);
                if let Err((_, Answer::Busy)) = handed {
                    self.to_count.insert(table);
                    self.again = true;
                    return;
                }
            }
        }
    }

    /// Tells a terminal that something else holds for its player now.
    pub(super) fn tell_play(&self, fact: &Fact) {
        let Fact::PlayChanged { place, step, .. } = fact else {
            return;
        };
        let hubs = self.desk.tables.get();
        if let Some(hub) = hubs.and_then(|hubs| hubs.get(&place.table)) {
            hub.entered(place.station, self.desk.clock.now_ms());
        }
        self.tell_place(place);
        // The card was taken from where it was.
        if let PlayStep::Present { card } | PlayStep::Prove { card, .. } = step {
            let others: Vec<Place> = {
                let register = self.desk.register();
                let of_card = register.plays.iter().filter(|(other, play)| {
                    *other != place && play.card.is_some_and(|known| known.member == card.member)
                });
                of_card.map(|(other, _)| other.clone()).collect()
            };
            others.iter().for_each(|other| self.tell_place(other));
        }
    }

    fn tell_place(&self, place: &Place) {
        let hubs = self.desk.tables.get();
        if let Some(hub) = hubs.and_then(|hubs| hubs.get(&place.table)) {
            hub.tell_waiting(ToHub::Tell {
                station: place.station,
                frame: frame(&HouseToTerminal::Play {}),
            });
        }
    }
}
