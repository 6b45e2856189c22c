//! A table is opened, and a bet comes before anybody has called for bets. It
//! is refused, with a stable code and in words: `cargo run -p sicbo-table --example refusal`

use std::sync::Arc;

use sicbo_rules::rulebook::words::TumbleStep;
use sicbo_rules::{Currency, Money, RuleBook};
use sicbo_table::actor::Actor;
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Table, apply, decide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = Table::default();
    let opened = decide(&table, &by(Actor::House, open_table()?))?;
    opened.iter().for_each(|event| apply(&mut table, event));

    let bet = Act::PlaceBets {
        station: StationId(0),
        round: RoundNumber(1),
        bet: BetId(1),
        means: Means::Credit,
        lines: vec![Line {
            section: "big".parse()?,
            stake: Money::from_minor(500),
        }],
    };
    if let Err(refusal) = decide(&table, &by(Actor::Station(StationId(0)), bet)) {
        println!("{}: {refusal}", refusal.code());
    }
    Ok(())
}

fn by(by: Actor, act: Act) -> Command {
    Command {
        id: 1,
        at_ms: 0,
        by,
        second: None,
        act,
    }
}

fn open_table() -> Result<Act, Box<dyn std::error::Error>> {
    let limit = Limit {
        minimum: Money::from_minor(500),
        maximum: Money::from_minor(100_000),
        step: Money::from_minor(100),
    };
    let large = Money::from_minor(10_000_000);
    let config = Config {
        name: "table 1".to_owned(),
        book: Arc::clone(RuleBook::named("mbs-etg").ok_or("a book")?),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(limit, large, large),
        window_ms: 30_000,
        dice_set: "D-0001".to_owned(),
        tumble: TumbleStep::BeforeOpen,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    };
    let station = NewStation {
        name: "T1".to_owned(),
        kind: StationKind::Terminal,
        layout: "rapid".to_owned(),
    };
    Ok(Act::OpenTable {
        config: Box::new(config),
        stations: vec![station],
    })
}
