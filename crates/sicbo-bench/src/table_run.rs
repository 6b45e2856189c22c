//! A table of terminals with no house around it.

use std::hint::black_box;
use std::sync::Arc;

use sicbo_rules::rulebook::words::{Position, TumbleStep};
use sicbo_rules::{Currency, Dice, Money, RuleBook};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, apply, decide};

use crate::BenchError;

pub(crate) const DEALER: Actor = Actor::Staff(Staff {
    person: PersonId(1),
    position: Position::Dealer,
});

pub(crate) struct Run {
    pub(crate) table: sicbo_table::Table,
    tumble: TumbleStep,
    stations: u32,
    id: u64,
}

impl Run {
    /// Opens a table of one layout whose terminals have plenty of credit.
    pub(crate) fn open(
        book: &Arc<RuleBook>,
        layout: &str,
        stations: u32,
    ) -> Result<Run, BenchError> {
        let tumble = book.play.usual_tumble.is;
        let mut run = Run {
            table: sicbo_table::Table::default(),
            tumble,
            stations,
            id: 0,
        };
        let open = open_table(book, layout, tumble, stations);
        run.give(Actor::House, open)?;
        for station in (0..stations).map(StationId) {
            let buy = Act::BuyCredit {
                station,
                source: CreditSource::Cash,
                amount: Money::from_minor(20_000_000_000),
            };
            run.give(Actor::Device(Device::NoteAcceptor), buy)?;
            run.give(Actor::House, Act::Connect { station })?;
        }
        Ok(run)
    }

    pub(crate) fn command(&mut self, by: Actor, act: Act) -> Command {
        self.id += 1;
        Command {
            id: self.id,
            at_ms: 1_700_000_000_000 + self.id as i64,
            by,
            second: None,
            act,
        }
    }

    fn give(&mut self, by: Actor, act: Act) -> Result<(), BenchError> {
        let command = self.command(by, act);
        self.carry_out(&command)
    }

    pub(crate) fn carry_out(&mut self, command: &Command) -> Result<(), BenchError> {
        let events = decide(&self.table, command).map_err(BenchError::bug)?;
        for event in &events {
            apply(&mut self.table, event);
        }
        black_box(&events);
        Ok(())
    }

    fn tumble(&mut self) -> Result<(), BenchError> {
        self.give(DEALER, Act::ActivateTumbler)?;
        let tumbles = Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        };
        self.give(DEALER, tumbles)
    }

    /// Begins a round, up to the call for bets.
    pub(crate) fn call_bets(&mut self) -> Result<(), BenchError> {
        if self.tumble != TumbleStep::AfterClose {
            self.tumble()?;
        }
        self.give(DEALER, Act::CallBets)
    }

    /// Closes bets, keys the dice, and returns the command that settles the round.
    pub(crate) fn until_confirmed(&mut self, dice: Dice) -> Result<Command, BenchError> {
        self.give(DEALER, Act::CloseBets)?;
        let round = self.table.last_round;
        for station in (0..self.stations).map(StationId) {
            let seen = Act::AcknowledgeClose { station, round };
            self.give(Actor::Station(station), seen)?;
        }
        if self.tumble == TumbleStep::AfterClose {
            self.tumble()?;
        } else {
            self.give(DEALER, Act::Uncover)?;
        }
        self.give(DEALER, Act::ConfirmFlat)?;
        self.give(DEALER, Act::KeyDice { dice })?;
        Ok(self.command(DEALER, Act::ConfirmResult))
    }
}

/// Opens a table whose limits no bet of a benchmark meets.
pub(crate) fn open_table(
    book: &Arc<RuleBook>,
    layout: &str,
    tumble: TumbleStep,
    stations: u32,
) -> Act {
    let limit = Limit {
        minimum: Money::from_minor(100),
        maximum: Money::from_minor(50_000_000),
        step: Money::from_minor(100),
    };
    let config = Config {
        name: "bench".to_owned(),
        book: Arc::clone(book),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(10_000_000_000),
            Money::from_minor(9_000_000_000_000_000),
        ),
        // Long enough that the clock closes no round.
        window_ms: 3_600_000,
        dice_set: "bench".to_owned(),
        tumble,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    };
    let station = |i| NewStation {
        name: format!("T{i}"),
        kind: StationKind::Terminal,
        layout: layout.to_owned(),
    };
    Act::OpenTable {
        config: Box::new(config),
        stations: (0..stations).map(station).collect(),
    }
}
