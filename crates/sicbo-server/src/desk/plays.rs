//! Responsible play at the desk: meters and clocks of play go into the
//! register when a round has ended, and terminals are told what changed.

use sicbo_house::register::Act;
use sicbo_house::register::enrolment::TableName;
use sicbo_house::register::event::Fact;
use sicbo_house::register::play::{Counted, MOST_COUNTED, PlayStep};
use sicbo_house::register::voucher::Place;
use sicbo_house::register::{Command, Party};
use sicbo_house::{Answer, now_ms};
use sicbo_table::ids::StationId;

use super::{Desk, DeskReply, Running, next_command};
use crate::connection::frame;
use crate::hub::ToHub;
use crate::wire::terminal::HouseToTerminal;

impl Desk {
    /// What the register has not yet counted at a table, of players of whom
    /// something is on record.
    pub fn uncounted(&self, table: &TableName) -> Vec<Counted> {
        let Some(hub) = self.tables.get().and_then(|hubs| hubs.get(table)) else {
            return Vec::new();
        };
        let now = now_ms();
        let first = Place {
            table: table.clone(),
            station: StationId(0),
        };
        let register = self.register();
        let here = register.plays.range(first..);
        let here = here.take_while(|(place, _)| place.table == *table);
        let read = here.filter_map(|(place, play)| {
            let (seated, meters) = hub.seated(place.station, now)?;
            let line = Counted {
                place: place.clone(),
                session: seated.sitting.session,
                meters,
                clock: seated.clock,
            };
            let news = play.counted != meters || play.clock != seated.clock;
            (play.session == line.session && news).then_some(line)
        });
        read.collect()
    }
}

impl Running {
    /// Counts play at the tables where rounds have ended; what finds no room
    /// is counted later, for a reading says all that came before it.
    pub(super) fn count_plays(&mut self) {
        while let Some(table) = self.to_count.pop_first() {
            for lines in self.desk.uncounted(&table).chunks(MOST_COUNTED) {
                let command = Command {
                    id: next_command(),
                    at_ms: now_ms(),
                    by: Party::House,
                    second: None,
                    act: Act::CountPlays {
                        offset_min: i64::from(self.utc_offset_minutes),
                        lines: lines.to_vec(),
                    },
                };
                let handed = self.desk.handle.submit(DeskReply::Nobody, command);
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
        self.tell_place(place);
        // The card was taken from where it was.
        if let PlayStep::Present { card } = step {
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
