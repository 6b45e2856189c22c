//! The settlement frame is put together by hand, once for all stations where
//! they share it; it must be what its type says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Position, TumbleStep};
use sicbo_rules::{Currency, Dice, Money, RuleBook};
use sicbo_server::wire::terminal::{Card, HouseToTerminal, Settlements};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{BetId, PersonId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Table, apply, decide};

const DEALER: Actor = Actor::Staff(Staff {
    person: PersonId(1),
    position: Position::Dealer,
});

fn config() -> Config {
    let limit = Limit {
        minimum: Money::from_minor(100),
        maximum: Money::from_minor(1_000_000),
        step: Money::from_minor(100),
    };
    Config {
        name: "t".to_owned(),
        book: Arc::clone(RuleBook::named("mbs-etg").unwrap()),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(10_000_000),
            Money::from_minor(1_000_000_000),
        ),
        window_ms: 20_000,
        dice_set: "dice 1".to_owned(),
        tumble: TumbleStep::BeforeOpen,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    }
}

fn give(table: &mut Table, by: Actor, act: Act) {
    let command = Command {
        id: 0,
        at_ms: 1_700_000_000_000,
        by,
        second: None,
        act,
    };
    for event in decide(table, &command).unwrap() {
        apply(table, &event);
    }
}

/// A round in which one station won and lost, one lost, and one took no part.
fn played() -> Table {
    let mut table = Table::default();
    let stations = (0..3).map(|number| NewStation {
        name: format!("T{number}"),
        kind: StationKind::Terminal,
        layout: "rapid".to_owned(),
    });
    let open = Act::OpenTable {
        config: Box::new(config()),
        stations: stations.collect(),
    };
    give(&mut table, Actor::House, open);
    for station in (0..3).map(StationId) {
        give(&mut table, Actor::House, Act::Connect { station });
        let note = Act::BuyCredit {
            station,
            source: CreditSource::Cash,
            amount: Money::from_minor(100_000),
        };
        give(&mut table, Actor::Device(Device::NoteAcceptor), note);
    }
    give(&mut table, DEALER, Act::ActivateTumbler);
    let tumbles = Act::ReportTumbles {
        count: 3,
        all_dice_moved: true,
    };
    give(&mut table, DEALER, tumbles);
    give(&mut table, DEALER, Act::CallBets);
    let round = table.last_round;
    for (station, sections) in [(0, &["big", "small", "total:11"][..]), (2, &["small"])] {
        let station = StationId(station);
        let lines = sections.iter().map(|section| Line {
            section: section.parse().unwrap(),
            stake: Money::from_minor(1_000),
        });
        let bets = Act::PlaceBets {
            station,
            round,
            bet: BetId(1),
            means: Means::Credit,
            lines: lines.collect(),
        };
        give(&mut table, Actor::Station(station), bets);
    }
    give(&mut table, DEALER, Act::CloseBets);
    for station in (0..3).map(StationId) {
        let shown = Act::AcknowledgeClose { station, round };
        give(&mut table, Actor::Station(station), shown);
    }
    give(&mut table, DEALER, Act::Uncover);
    give(&mut table, DEALER, Act::ConfirmFlat);
    let dice = Dice::from_faces([2, 3, 6]).unwrap();
    give(&mut table, DEALER, Act::KeyDice { dice });
    give(&mut table, DEALER, Act::ConfirmResult);
    table
}

#[test]
fn a_settlement_frame_is_what_its_type_says() {
    let table = played();
    let record = table.last_record.as_deref().unwrap();
    assert_eq!(record.stations.len(), 2);
    for code in [None, Some("ABCD-1234".to_owned())] {
        let mut all = Settlements::of(&table, record, code.clone(), 77);
        for part in &record.stations {
            let credit = table.station(part.station).unwrap().credit.minor();
            let typed = HouseToTerminal::Settlement {
                version: 77,
                card: Box::new(Card::of(&table, record, part, code.clone(), code.clone())),
                credit,
            };
            let typed = serde_json::to_string(&typed).unwrap();
            assert_eq!(&*all.frame(part, credit, code.as_deref()), typed);
        }
    }
}

#[test]
fn a_record_finds_the_part_of_each_station_and_of_none_that_sat_out() {
    let table = played();
    let record = table.last_record.as_deref().unwrap();
    for (station, lines) in [(0, Some(3)), (1, None), (2, Some(1)), (3, None)] {
        let part = record.station(StationId(station));
        assert_eq!(part.map(|part| part.lines.len()), lines, "{station}");
    }
}
