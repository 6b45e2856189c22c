//! The house of practice: a table for each rule book that a trainee deals, with
//! simulated players and scripted mishaps, on loopback.

use std::sync::Arc;

use sicbo_register::enrolment::TableName;
use sicbo_rules::RuleBook;

use super::{TABLE_PREFIX, stations};
use sicbo_plan::{DealerPlan, HousePlan, LightsPlan, TablePlan, TumblerPlan, trial_table};

/// The trial's people and books, dealt by a trainee. Money has no place in it:
/// the tables' names say so in every block of their journals (P-068).
#[must_use]
pub fn house_plan() -> HousePlan {
    let mut plan = HousePlan::trial();
    plan.site = "Sic Bo practice house".to_owned();
    plan.practice = true;
    plan.listen = "127.0.0.1:8421".to_owned();
    plan.tables = RuleBook::all().iter().filter_map(practice_table).collect();
    plan
}

fn practice_table(book: &Arc<RuleBook>) -> Option<TablePlan> {
    let mut table = trial_table(book)?;
    table.name = TableName::new(&format!("{TABLE_PREFIX}{}", book.id()))?;
    table.config.name = table.name.to_string();
    // The trainee closes the bets; the clock is for one who forgets to.
    table.config.window_ms = 120_000;
    table.stations = stations(book);
    table.tumbler = TumblerPlan::Manual;
    table.dealer = DealerPlan::Person;
    table.lights = LightsPlan::None;
    table.note_acceptor = false;
    Some(table)
}
