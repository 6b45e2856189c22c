//! Tables to play at: one for each rule book, and persons for every position.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Form, Position};
use sicbo_rules::{Currency, Money, RuleBook, Section};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::{CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::views::settlement::{lines_of, own_last};
use sicbo_table::views::{CardLine, LineOutcome};
use sicbo_table::{Act, Command, Config, Event, Refusal, Table, apply, decide};

pub(crate) const DEALER: Staff = staff(1, Position::Dealer);
pub(crate) const SUPERVISOR: Staff = staff(2, Position::PitSupervisor);
pub(crate) const PIT_MANAGER: Staff = staff(3, Position::PitManager);
pub(crate) const SHIFT_MANAGER: Staff = staff(4, Position::ShiftManager);
pub(crate) const DIRECTOR: Staff = staff(5, Position::Director);
pub(crate) const HEAD_OF_OPERATIONS: Staff = staff(6, Position::HeadOfOperations);

/// One person in each position that decides anything.
pub(crate) const STAFF: [Staff; 6] = [
    DEALER,
    SUPERVISOR,
    PIT_MANAGER,
    SHIFT_MANAGER,
    DIRECTOR,
    HEAD_OF_OPERATIONS,
];

const fn staff(person: u32, position: Position) -> Staff {
    Staff {
        person: PersonId(person),
        position,
    }
}

pub(crate) const fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

pub(crate) fn book(id: &str) -> &'static Arc<RuleBook> {
    RuleBook::named(id).expect("a built-in rule book")
}

pub(crate) fn section(text: &str) -> Section {
    text.parse().expect("a section")
}

pub(crate) fn line(text: &str, minor: i64) -> Line {
    Line {
        section: section(text),
        stake: money(minor),
    }
}

pub(crate) fn command(by: Actor, act: Act) -> Command {
    Command {
        id: 0,
        at_ms: 1_790_000_000_000,
        by,
        second: None,
        act,
    }
}

/// A command of a person, with a second one where it takes two.
pub(crate) fn by(one: Staff, second: Option<Staff>, act: Act) -> Command {
    Command {
        second,
        ..command(Actor::Staff(one), act)
    }
}

/// Decides and applies.
pub(crate) fn act(table: &mut Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    let events = decide(table, command)?;
    for event in &events {
        apply(table, event);
    }
    Ok(events)
}

/// Decides and applies what must be allowed.
pub(crate) fn must(table: &mut Table, command: &Command) -> Vec<Event> {
    act(table, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
}

/// How a table is played at: what its stations are and what they bet with.
pub(crate) fn natural_kind(book: &RuleBook) -> (StationKind, Means) {
    match book.play.form.is {
        Form::Electronic => (StationKind::Terminal, Means::Credit),
        Form::Table => (StationKind::Seat, Means::CashChips),
    }
}

pub(crate) fn config(book: &Arc<RuleBook>) -> Config {
    let limit = Limit {
        minimum: money(500),
        maximum: money(2_000),
        step: money(500),
    };
    Config {
        name: "T1".to_owned(),
        book: Arc::clone(book),
        currency: Currency::SGD,
        chip_unit: money(100),
        limits: Limits::uniform(limit, money(4_000), money(1_000_000)),
        window_ms: 30_000,
        dice_set: "D1".to_owned(),
        tumble: book.play.usual_tumble.is,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: true,
        program: [7; 32],
    }
}

/// A table of that set-up with some stations, each on one of the book's layouts
/// in turn, online and with 100.00.
pub(crate) fn table(config: Config, stations: usize) -> Table {
    let mut table = Table::default();
    let book = Arc::clone(&config.book);
    let (kind, _) = natural_kind(&book);
    let stations: Vec<NewStation> = (0..stations)
        .map(|i| NewStation {
            name: format!("S{i}"),
            kind,
            layout: book.layouts[i % book.layouts.len()].id.clone(),
        })
        .collect();
    let count = stations.len();
    let open = Act::OpenTable {
        config: Box::new(config),
        stations,
    };
    must(&mut table, &command(Actor::House, open));
    for i in 0..count {
        let station = StationId(i as u32);
        must(&mut table, &command(Actor::House, Act::Connect { station }));
        if kind == StationKind::Terminal {
            let buy = Act::BuyCredit {
                station,
                source: CreditSource::Cage,
                amount: money(10_000),
            };
            must(&mut table, &by(SUPERVISOR, None, buy));
        }
    }
    table
}

/// A settled bet in words: `11 1/2 × 20.00 = 230.00 + stake 20.00`.
pub(crate) fn told(line: &CardLine, currency: Currency) -> String {
    let money = |minor| currency.format(money(minor));
    let (stake, profit) = (money(line.stake), money(line.profit));
    match line.outcome {
        LineOutcome::Won => {
            let odds = line.odds.as_deref().expect("odds");
            format!("{odds} × {stake} = {profit} + stake {stake}")
        }
        LineOutcome::Lost => format!("lost {stake}"),
        LineOutcome::Returned => format!("void: stake {stake} returned"),
    }
}

/// A player's own card of the last round; nothing of whoever played there before.
pub(crate) fn own_lines(table: &Table, id: StationId) -> Vec<CardLine> {
    own_last(table, id).map_or_else(Vec::new, |(record, part)| lines_of(record, part))
}
