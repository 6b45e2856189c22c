//! What only a play-money house keeps in files: the tokens of its terminals,
//! for whoever tries it from a script, and who was handed which terminal.

use std::path::Path;

use sicbo_house::visits::{HandedOut, Visits, WantedSeat};
use sicbo_register::enrolment::{Key, TableName};
use sicbo_register::secret::{NoRandomness, random};
use sicbo_table::ids::StationId;

use super::Floor;
use crate::secrets::write_private;

/// A terminal with the token it is enrolled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Its table.
    pub table: TableName,
    /// Its station.
    pub station: StationId,
    /// Its token.
    pub token: String,
}

/// The file the tokens are in.
pub(super) const FILE: &str = "trial-terminals.txt";
/// The file of who was handed what.
const VISITS: &str = "trial-visits.txt";

/// The file of these terminals.
pub(super) fn file(seats: &[Seat]) -> String {
    let lines = seats
        .iter()
        .map(|seat| format!("{} {} {}\n", seat.table, seat.station.0, seat.token));
    lines.collect()
}

/// Who was handed which terminal before this start.
pub(super) fn visits(data: &Path, now_ms: i64) -> Visits {
    let text = std::fs::read_to_string(data.join(VISITS)).unwrap_or_default();
    Visits::read(&text, now_ms)
}

impl Floor {
    /// A terminal of a play-money table, for whoever asks.
    ///
    /// # Errors
    /// When there is no randomness for a visitor's key.
    pub async fn seat(&self, wanted: WantedSeat<'_>) -> Result<Option<HandedOut>, NoRandomness> {
        let key = Key::new(random()?);
        Ok(self.house.hand_out(wanted, key).await)
    }

    /// Writes down who was handed what, so that visitors find their terminals
    /// again after a restart.
    pub fn keep_visits(&self) {
        // One writes after the other: the file is what was so last.
        let _writing = self.visit_file.lock();
        let text = self.house.visits.to_text();
        if let Err(error) = write_private(&self.data.join(VISITS), text.as_bytes()) {
            tracing::warn!(%error, "visits were not written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sicbo_clock::now_ms;
    use sicbo_house::visits::{CREDIT_HELD_MS, EMPTY_HELD_MS};
    use sicbo_plan::HousePlan;
    use sicbo_register::voucher::Place;
    use sicbo_rules::Money;
    use sicbo_table::actor::{Actor, Device};
    use sicbo_table::command::CreditSource;
    use sicbo_table::{Act, Command};

    use super::*;
    use crate::floor::{Started, start};
    use crate::problem::Problem;

    const TABLE: &str = "rws-open-cover";
    const LAYOUT: &str = "c";
    const NOTE: Money = Money::from_minor(10_000);

    struct Trial {
        started: Started,
        runtime: tokio::runtime::Runtime,
        _folder: tempfile::TempDir,
        table: TableName,
    }

    impl Trial {
        fn new() -> Trial {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("data");
            let started = start(HousePlan::trial(), &path, false, &Default::default()).unwrap();
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            Trial {
                started,
                runtime: runtime.enable_all().build().unwrap(),
                _folder: folder,
                table: TableName::new(TABLE).unwrap(),
            }
        }

        fn floor(&self) -> &Arc<Floor> {
            &self.started.floor
        }

        fn seat(&self, own: &[String]) -> Option<HandedOut> {
            let wanted = WantedSeat {
                table: &self.table,
                layout: Some(LAYOUT),
                own,
            };
            let given = self.runtime.block_on(self.floor().seat(wanted));
            given.expect("randomness")
        }

        fn at(&self, seat: &HandedOut) -> Place {
            Place {
                table: self.table.clone(),
                station: seat.station,
            }
        }

        /// A note goes in; the credit there.
        fn pay_in(&self, seat: &HandedOut) -> Money {
            let act = Act::BuyCredit {
                station: seat.station,
                source: CreditSource::Cash,
                amount: NOTE,
            };
            let command = Command {
                id: u64::try_from(now_ms()).unwrap() * 1_000,
                at_ms: now_ms(),
                by: Actor::Device(Device::NoteAcceptor),
                second: None,
                act,
            };
            let hub = self.floor().table(&self.table).expect("a table");
            let paid = self.runtime.block_on(hub.ask(command));
            Problem::unless_done(paid).expect("a note");
            self.credit(seat)
        }

        fn credit(&self, seat: &HandedOut) -> Money {
            let hub = self.floor().table(&self.table).expect("a table");
            let state = hub.state();
            state.table.station(seat.station).expect("a seat").credit
        }

        fn opens(&self, token: &str) -> Option<StationId> {
            let opened = self.floor().station_of(token);
            opened.map(|(_, _, station)| station)
        }

        fn away_for(&self, seat: &HandedOut, ms: i64) {
            let visits = &self.floor().house.visits;
            visits.seen(&self.at(seat), now_ms() - ms);
        }
    }

    #[test]
    fn a_seat_is_a_fresh_visit_and_an_abandoned_one_ends_as_a_voucher() {
        let trial = Trial::new();
        let seats: Vec<HandedOut> = (0..3).map(|_| trial.seat(&[]).expect("a seat")).collect();
        for seat in &seats {
            assert!(!seat.own);
            assert_eq!(trial.opens(&seat.token), Some(seat.station));
            assert_eq!(trial.pay_in(seat), NOTE);
        }
        // All three are somebody's, also of those who have just gone.
        trial.away_for(&seats[1], CREDIT_HELD_MS - 60_000);
        assert_eq!(trial.seat(&[]), None);
        // Whoever lost their line finds their own, with its credit.
        let own = trial.seat(std::slice::from_ref(&seats[1].token));
        let own = own.expect("their own");
        assert!(own.own && own.station == seats[1].station && own.token == seats[1].token);
        assert_eq!(trial.credit(&own), NOTE);
        // Away for too long: the next guest has it, and none of the money.
        trial.away_for(&seats[1], CREDIT_HELD_MS + 60_000);
        let next = trial.seat(&[]).expect("a seat again");
        assert_eq!((next.station, next.own), (seats[1].station, false));
        assert_eq!(trial.credit(&next), Money::ZERO);
        assert_eq!(trial.opens(&seats[1].token), None, "the key before");
        assert_eq!(trial.opens(&next.token), Some(next.station));
        {
            let register = trial.floor().desk.register();
            let origin = trial.at(&next);
            let issued: Vec<Money> = (register.vouchers.values())
                .filter(|voucher| voucher.origin == origin)
                .map(|voucher| voucher.amount)
                .collect();
            assert_eq!(issued, [NOTE]);
        }
        // And whoever comes back then is a new guest.
        assert_eq!(trial.seat(std::slice::from_ref(&seats[1].token)), None);
        trial.started.engine.stop();
    }

    #[test]
    fn who_only_looked_is_waited_for_a_minute_and_found_again_after_a_restart() {
        let trial = Trial::new();
        let seats: Vec<HandedOut> = (0..3).map(|_| trial.seat(&[]).expect("a seat")).collect();
        assert_eq!(trial.seat(&[]), None);
        let (players, free) = {
            let at = trial.floor().table_named(TABLE).expect("a table");
            let (on, players) = trial.floor().seats_at(at);
            let on = on.into_iter().find(|on| on.layout == LAYOUT);
            (players, on.map(|on| (on.seats, on.free)))
        };
        assert_eq!((players, free), (0, Some((3, 0))));
        trial.away_for(&seats[2], EMPTY_HELD_MS + 1);
        let next = trial.seat(&[]).expect("a seat again");
        assert_eq!(next.station, seats[2].station);
        // What is written down opens the same terminals, and holds no key.
        trial.floor().keep_visits();
        let again = visits(&trial.floor().data, now_ms());
        let key = |seat: &HandedOut| Key::from_token(&seat.token).expect("a token").1;
        assert!(again.opens(&trial.at(&next), &key(&next)));
        assert!(!again.opens(&trial.at(&next), &key(&seats[2])));
        let text = again.to_text();
        assert!(!text.contains(next.token.split('-').nth(1).expect("a key")));
        trial.started.engine.stop();
    }
}
