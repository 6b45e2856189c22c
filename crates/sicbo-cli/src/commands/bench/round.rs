//! A table of terminals with no house around it: what `bench table` and `bench settle` play on.

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

use crate::failure::Failure;

pub(super) fn bug(what: &str) -> Failure {
    Failure::World(format!("{what}: this is a bug"))
}

const DEALER: Actor = Actor::Staff(Staff {
    person: PersonId(1),
    position: Position::Dealer,
});

pub(super) struct Run {
    pub(super) table: sicbo_table::Table,
    tumble: TumbleStep,
    stations: u32,
    id: u64,
}

impl Run {
    /// Opens a table of one layout whose terminals have plenty of credit.
    pub(super) fn open(book: &Arc<RuleBook>, layout: &str, stations: u32) -> Result<Run, Failure> {
        let tumble = book.play.usual_tumble.is;
        let mut run = Run {
            table: sicbo_table::Table::default(),
            tumble,
            stations,
            id: 0,
        };
        let new = (0..stations)
            .map(|i| NewStation {
                name: format!("T{i}"),
                kind: StationKind::Terminal,
                layout: layout.to_owned(),
            })
            .collect();
        let open = Act::OpenTable {
            config: Box::new(config(book, tumble)),
            stations: new,
        };
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

    pub(super) fn command(&mut self, by: Actor, act: Act) -> Command {
        self.id += 1;
        Command {
            id: self.id,
            at_ms: 1_700_000_000_000 + self.id as i64,
            by,
            second: None,
            act,
        }
    }

    fn give(&mut self, by: Actor, act: Act) -> Result<(), Failure> {
        let command = self.command(by, act);
        self.carry_out(&command)
    }

    pub(super) fn carry_out(&mut self, command: &Command) -> Result<(), Failure> {
        let events = decide(&self.table, command).map_err(|no| bug(&no.to_string()))?;
        for event in &events {
            apply(&mut self.table, event);
        }
        black_box(&events);
        Ok(())
    }

    fn tumble(&mut self) -> Result<(), Failure> {
        self.give(DEALER, Act::ActivateTumbler)?;
        let tumbles = Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        };
        self.give(DEALER, tumbles)
    }

    /// Begins a round, up to the call for bets.
    pub(super) fn call_bets(&mut self) -> Result<(), Failure> {
        if self.tumble != TumbleStep::AfterClose {
            self.tumble()?;
        }
        self.give(DEALER, Act::CallBets)
    }

    /// Closes bets, keys the dice, and returns the command that settles the round.
    pub(super) fn until_confirmed(&mut self, dice: Dice) -> Result<Command, Failure> {
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

fn config(book: &Arc<RuleBook>, tumble: TumbleStep) -> Config {
    let limit = Limit {
        minimum: Money::from_minor(100),
        maximum: Money::from_minor(50_000_000),
        step: Money::from_minor(100),
    };
    Config {
        name: "bench".to_owned(),
        book: Arc::clone(book),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(10_000_000_000),
            Money::from_minor(9_000_000_000_000_000),
        ),
        window_ms: 20_000,
        dice_set: "dice 1".to_owned(),
        tumble,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    }
}
