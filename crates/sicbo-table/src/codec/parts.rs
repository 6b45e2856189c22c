//! The parts that events and snapshots are made of, with their field numbers.

use sicbo_rules::Kind;

use super::{DecodeError, Forms, Reader, Wire, Writer, choices, records};
use crate::actor::{Actor, Device, Staff};
use crate::cash::{Bound, MoneyDuties};
use crate::command::{CreditSource, NewStation};
use crate::config::{Config, Limit, Limits, SecondReading};
use crate::event::{Digests, Effect, VoidBasis};
use crate::grant::{Hold, PlayGrant, PlayHold, Tally};
use crate::ids::StationId;
use crate::pending::{Notice, Pending, Question, Recoverable, Unclaimed};
use crate::positions::Line;
use crate::record::Standing;

records! {
    Staff { 0 person, 1 position }
    NewStation { 0 name, 1 kind, 2 layout }
    Line { 0 section, 1 stake }
    Bound { 0 alone, 1 together }
    MoneyDuties { 0 attendant, 1 cage, 2 transfer, 3 hand_pay, 4 limits }
    PlayGrant { 0 visit, 1 staked_to, 2 lost_to, 3 hold }
    PlayHold { 0 why, 1 from_ms }
    Tally { 0 staked, 1 returned }
    Limit { 0 minimum, 1 maximum, 2 step }
    Limits { 0 by_kind, 1 station_maximum, 2 exposure_maximum }
    Config {
        0 name, 1 book, 2 currency, 3 chip_unit, 4 limits, 5 window_ms, 6 dice_set, 7 tumble,
        8 second_reading, 9 void_by_supervisor, 10 real_money, 11 program,
    }
    Digests { 0 program, 1 book, 2 config }
    Pending { 0 id, 1 round, 2 question, 3 rule, 4 by, 5 or_above, 6 persons }
    Notice { 0 id, 1 at_ms, 2 what, 3 inform, 4 rule, 5 round, 6 read }
    Recoverable { 0 id, 1 round, 2 station, 3 session, 4 amount }
    Unclaimed { 0 id, 1 round, 2 station, 3 session, 4 amount }
    Effect {
        0 station, 1 was, 2 is, 3 credited, 4 paid_in_chips, 5 netted, 6 unclaimed_netted,
        7 unclaimed, 8 recoverable, 9 waiver_netted, 10 waiver_restored,
    }
}

choices! {
    CreditSource { 0 Cash, 1 Voucher(voucher), 2 Cage, 3 Attendant }
    Hold { 0 Stopped, 1 Break, 2 Elsewhere, 3 CheckDue, 4 TimeLimit }
    SecondReading { 0 Never, 1 Always, 2 AbovePayout(amount) }
    VoidBasis { 0 Listed(cause), 1 Ruling(reason) }
    Standing { 0 Void, 1 Settled(dice) }
    Question {
        0 Interrupted { established, then },
        1 DiceNotInPlace,
        2 ReadingsDisagree,
        3 Uncovered { what },
        4 TerminalOpenCase { station },
        5 BetStatus { station },
        6 DeviceFailure,
        20 TechnicalStop { what, established },
        21 Interpretation { what },
        22 ChipsUnrecorded { station, means, lines, by },
        23 DamagedRound { reporter },
        24 AffectedRounds { dice_set, last },
        25 CorrectionProposed { round, proposal, by },
    }
}

/// The house is 0, a device its number, a station a list of one, a person a list of two.
impl Wire for Actor {
    fn put(&self, to: &mut Writer<'_>) {
        match self {
            Actor::House => to.unsigned(0),
            Actor::Device(device) => device.put(to),
            Actor::Station(station) => {
                to.array(1);
                station.put(to);
            }
            Actor::Staff(staff) => staff.put(to),
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if from.is_list() {
            return match from.array()? {
                1 => StationId::get(from).map(Actor::Station),
                2 => Ok(Actor::Staff(Staff {
                    person: Wire::get(from)?,
                    position: Wire::get(from)?,
                })),
                _ => Err(from.expected("a station or a person")),
            };
        }
        if from.is_zero() {
            from.unsigned()?;
            return Ok(Actor::House);
        }
        Device::get(from).map(Actor::Device)
    }

    fn form(forms: &mut Forms) -> String {
        let (device, station, staff) = (
            Device::form(forms),
            StationId::form(forms),
            Staff::form(forms),
        );
        forms.define::<Self>("Actor", |_| {
            vec![
                "0 the house".to_owned(),
                format!("{device}, a device"),
                format!("[{station}], a station"),
                format!("{staff}, a person"),
            ]
        })
    }
}

/// One row for each kind of bet, in the order of [`Kind::ALL`].
impl Wire for [Limit; Kind::ALL.len()] {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(self.len() as u64);
        for limit in self {
            limit.put(to);
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let wrong = from.expected("limits for every kind of bet");
        Vec::get(from)?.try_into().map_err(|_| wrong)
    }

    fn form(forms: &mut Forms) -> String {
        format!("list of {}, one for each kind of bet", Limit::form(forms))
    }
}
