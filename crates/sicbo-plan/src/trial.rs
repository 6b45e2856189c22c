//! The house of a first start: every rule book on a table of its own, for play
//! money, so that a newcomer plays a round within a minute.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cover, Form, Position};
use sicbo_rules::{Currency, Kind, Money, RuleBook};
use sicbo_table::Config;
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::station::StationKind;

use super::{
    CameraPlan, CrowdPlan, DealerPlan, HousePlan, LightsPlan, LogInPlan, PlanSource, PrinterPlan,
    SecurityPlan, TablePlan, Tls, TumblerPlan,
};
use sicbo_dealer::Pace;
use sicbo_register::enrolment::TableName;
use sicbo_register::pin::PinCost;

/// Somebody for every position; two where two persons are needed at once.
const STAFF: [(&str, Position); 16] = [
    ("Tan Wei Ming", Position::Dealer),
    ("Nguyễn Thị Lan", Position::Dealer),
    ("Priya Raman", Position::Dealer),
    ("Lim Siew Hoon", Position::PitSupervisor),
    ("Arjun Pillai", Position::PitSupervisor),
    ("Nurul Aisyah", Position::PitManager),
    ("Goh Boon Keng", Position::ShiftManager),
    ("Margaret Oliveiro", Position::Director),
    ("Trần Quốc Bảo", Position::HeadOfOperations),
    ("Hafiz Rahman", Position::Surveillance),
    ("Chua Mei Fong", Position::Cashier),
    ("Daniel Seah", Position::Cashier),
    ("Wong Kar Yan", Position::Auditor),
    ("Elena Fernandez", Position::Regulator),
    ("Phạm Hữu Đức", Position::Trainer),
    ("Ravi Subramaniam", Position::Technician),
];

/// Most on one section, in the smallest stakes: the longer the odds, the less.
fn most(kind: Kind) -> i64 {
    match kind {
        Kind::Small | Kind::Big | Kind::Odd | Kind::Even => 400,
        Kind::Single => 100,
        Kind::Pair | Kind::Total | Kind::Four => 60,
        Kind::Double => 40,
        Kind::AnyTriple | Kind::ThreeSingle => 20,
        Kind::DoubleSingle | Kind::Triple => 10,
    }
}

fn limits(smallest: i64, chip: i64) -> Limits {
    let money = Money::from_minor;
    Limits {
        by_kind: Kind::ALL.map(|kind| Limit {
            minimum: money(smallest),
            maximum: money(smallest * most(kind)),
            step: money(chip),
        }),
        station_maximum: money(smallest * 1_000),
        exposure_maximum: money(smallest * 40_000),
    }
}

fn stations(book: &RuleBook) -> Vec<NewStation> {
    let electronic = book.play.form.is == Form::Electronic;
    // A printed table has one layout; terminals show any of the book's.
    let layouts = if electronic {
        &book.layouts[..]
    } else {
        &book.layouts[..1]
    };
    let each = if electronic { 3 } else { 7 };
    let (letter, kind) = match electronic {
        true => ('T', StationKind::Terminal),
        false => ('S', StationKind::Seat),
    };
    let all = layouts.iter().flat_map(|layout| vec![layout; each]);
    (1..)
        .zip(all)
        .map(|(number, layout)| NewStation {
            name: format!("{letter}{number}"),
            kind,
            layout: layout.id.clone(),
        })
        .collect()
}

/// The table of a book in the trial house.
#[must_use]
pub fn table(book: &Arc<RuleBook>) -> Option<TablePlan> {
    let name = TableName::new(book.id())?;
    let vietnamese = book.identity.jurisdiction == "vn";
    // Chips of 1 SGD and of 10,000 VND: half odds are paid to the cent.
    let (currency, smallest, chip) = if vietnamese {
        (Currency::VND, 50_000, 10_000)
    } else {
        (Currency::SGD, 500, 100)
    };
    let lit = book.play.lit_layout.as_ref().is_some_and(|lit| lit.is);
    Some(TablePlan {
        config: Config {
            name: name.to_string(),
            book: Arc::clone(book),
            currency,
            chip_unit: Money::from_minor(chip),
            limits: limits(smallest, chip),
            window_ms: 20_000,
            dice_set: "D-0001".to_owned(),
            tumble: book.play.usual_tumble.is,
            second_reading: SecondReading::Never,
            void_by_supervisor: false,
            real_money: false,
            program: [0; 32],
        },
        stations: stations(book),
        tumbler: TumblerPlan::Simulated,
        shortest_tumble_ms: 0,
        dice_reader: false,
        dealer: DealerPlan::Automatic { pace: Pace::USUAL },
        lights: if lit {
            LightsPlan::Simulated
        } else {
            LightsPlan::None
        },
        printer: PrinterPlan::Folder(PathBuf::from("vouchers")),
        note_acceptor: book.play.form.is == Form::Electronic,
        device_listen: None,
        device_tls: false,
        // The open game is the one to watch.
        camera: (book.play.cover.is == Cover::Open).then_some(CameraPlan::Test),
        approval: None,
        name,
    })
}

pub(super) fn plan() -> HousePlan {
    HousePlan {
        source: PlanSource::default(),
        duties: None,
        posts: BTreeMap::new(),
        site: "Sic Bo trial house".to_owned(),
        real_money: false,
        practice: false,
        listen: "127.0.0.1:8420".to_owned(),
        names: Vec::new(),
        crowd: CrowdPlan::default(),
        log_in: LogInPlan::default(),
        tls: Tls::None,
        zone: super::Zone::named("Asia/Singapore").unwrap_or(super::Zone::Fixed(480)),
        reality_check_minutes: 60,
        idle_log_out_minutes: 30,
        stop_within_seconds: 0,
        terminal_quota: super::TerminalQuota::default(),
        voucher_days: 90,
        retention_days: super::USUAL_RETENTION_DAYS,
        hand_pay_above: vec![
            (Currency::SGD, Money::from_minor(500_000)),
            (Currency::VND, Money::from_minor(100_000_000)),
        ],
        above_director: Vec::new(),
        staff: STAFF
            .map(|(name, position)| (name.to_owned(), position))
            .into(),
        witness: None,
        security: SecurityPlan::default(),
        metrics: None,
        log_level: None,
        pin_cost: PinCost::OWASP,
        tables: RuleBook::all().iter().filter_map(table).collect(),
    }
}
