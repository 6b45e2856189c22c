//! What one seed decides before anything happens: which tables of which books,
//! who deals at them, and who plays.

use std::collections::BTreeMap;

use sicbo_dealer::Pace;
use sicbo_plan::{DealerPlan, HousePlan, LightsPlan, TablePlan, TumblerPlan};
use sicbo_register::enrolment::{EnrolmentId, Key, TableName};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Form, TumbleStep, TumbleWindow};
use sicbo_table::config::SecondReading;
use sicbo_table::ids::StationId;
use sicbo_table::station::StationKind;

use super::devices::WorldLine;
use super::player::Player;
use super::swarm::{Part, Swarm};
use super::trace::Trace;
use crate::random::Random;

/// How the automatic dealers deal.
pub(super) const PACE: Pace = Pace {
    between_rounds_ms: 100,
    tumble_ms: 60,
    act_ms: 20,
    look_ms: 30,
    decide_ms: 100,
};
/// Tables of a house at most.
pub(super) const MAX_TABLES: usize = 5;
/// Nothing listens there: the line is simulated.
const NOWHERE: std::net::SocketAddr =
    std::net::SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 9);

/// One to five tables, of every book.
pub(super) fn plan(
    draw: &mut Random,
    swarm: &Swarm,
    book: Option<&str>,
) -> Result<HousePlan, String> {
    let mut plan = HousePlan::trial();
    let chips = swarm.has(Part::Chips);
    plan.tables.retain(|table| match book {
        Some(book) => table.config.book.id() == book,
        None if swarm.has(Part::AllBooks) => true,
        None => chips || table.config.book.play.form.is == Form::Electronic,
    });
    if plan.tables.is_empty() {
        return Err(format!("there is no book {}", book.unwrap_or_default()));
    }
    let drawn = draw.between(1, 4) as usize;
    let all = swarm.has(Part::AllBooks);
    let most = if all { plan.tables.len() } else { drawn };
    while plan.tables.len() > most {
        let gone = draw.below(plan.tables.len() as u64) as usize;
        plan.tables.remove(gone);
    }
    // Twice the same book now and then, under another name.
    if draw.chance(300) && plan.tables.len() < MAX_TABLES {
        let mut twin = plan.tables[draw.below(plan.tables.len() as u64) as usize].clone();
        twin.name = TableName::new(&format!("{}-2", twin.name)).ok_or("no name")?;
        twin.config.name = twin.name.to_string();
        plan.tables.push(twin);
    }
    for table in &mut plan.tables {
        table.config.window_ms = draw.between(400, 1_200) as u32;
        table.stations.truncate(draw.between(2, 5) as usize);
        match swarm.has(Part::People) && draw.chance(500) {
            true => by_people(table, draw, swarm),
            false => table.dealer = DealerPlan::Automatic { pace: PACE },
        }
    }
    Ok(plan)
}

/// A person deals, with a tumbler worked by hand or on a line.
fn by_people(table: &mut TablePlan, draw: &mut Random, swarm: &Swarm) {
    table.dealer = DealerPlan::Person;
    table.tumbler = TumblerPlan::Manual;
    table.lights = LightsPlan::None;
    if swarm.has(Part::DeviceLines) {
        table.tumbler = TumblerPlan::Line { listen: NOWHERE };
        if draw.chance(500) {
            table.lights = LightsPlan::Line { listen: NOWHERE };
        }
    }
    let config = &mut table.config;
    config.second_reading = *draw.pick(&[
        SecondReading::Never,
        SecondReading::Always,
        SecondReading::AbovePayout(Money::from_minor(50_000)),
    ]);
    config.void_by_supervisor = draw.chance(500);
    config.tumble = match config.book.play.tumble_window.is {
        TumbleWindow::Any => *draw.pick(&[
            TumbleStep::BeforeOpen,
            TumbleStep::DuringBetting,
            TumbleStep::AfterClose,
        ]),
        TumbleWindow::UntilClose => {
            *draw.pick(&[TumbleStep::BeforeOpen, TumbleStep::DuringBetting])
        }
        _ => config.tumble,
    };
}

/// The lines of tables whose devices are on one.
pub(super) fn lines(plan: &HousePlan) -> BTreeMap<TableName, WorldLine> {
    let on_line = |table: &&TablePlan| matches!(table.tumbler, TumblerPlan::Line { .. });
    let tables = plan.tables.iter().filter(on_line);
    let lines = tables.map(|table| (table.name.clone(), WorldLine::default()));
    lines.collect()
}

/// The key of an enrolled place.
pub(super) fn key_of(enrolment: EnrolmentId) -> Key {
    let mut bytes = [0x4b; 32];
    bytes[..8].copy_from_slice(&u64::from(enrolment.0).to_be_bytes());
    Key::new(bytes)
}

/// A player at every terminal; enrolments are numbered in their order.
pub(super) fn players(
    plan: &HousePlan,
    draw: &mut Random,
    limits: bool,
    trace: &Trace,
) -> Vec<Player> {
    let mut players = Vec::new();
    for table in &plan.tables {
        for (number, station) in (0..).zip(&table.stations) {
            if station.kind != StationKind::Terminal {
                continue;
            }
            let Some(layout) = table.config.book.layout(&station.layout) else {
                continue;
            };
            let enrolment = EnrolmentId(players.len() as u32 + 1);
            let unit = table.config.limits.by_kind[0].minimum.minor();
            let token = key_of(enrolment).token(enrolment);
            let sections = layout.sections().map(|section| section.to_string());
            let limit = draw.chance(300).then(|| unit * draw.between(5, 60));
            let limit = limit.filter(|_| limits);
            players.push(Player::new(
                (
                    table.name.clone(),
                    StationId(number),
                    table.config.book.id(),
                ),
                (enrolment, token),
                sections.collect(),
                (unit, unit * 20),
                limit,
                trace.clone(),
            ));
        }
    }
    players
}
