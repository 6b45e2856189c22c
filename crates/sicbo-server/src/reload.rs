//! Reads the plan again while the house runs: takes into use what can be, and says of everything
//! else whether a person changes it or a restart does.
//!
//! What a rule book or two persons have to decide (limits, people) is never taken from a file: a
//! file has no position. Every reading is on record.

use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest as _, Sha256};
use sicbo_clock::now_ms;
use sicbo_house::watch::Seen;
use sicbo_plan::{HousePlan, PlanError, TablePlan, Tls, files_beside};
use sicbo_proof::describe::hex;
use sicbo_register::person;
use sicbo_register::security::SecurityKind;
use sicbo_rules::rulebook::words::Word as _;

use crate::certificates;
use crate::floor::Floor;
use crate::log::{self, LogLevel};
use crate::{metrics_door, security};

/// The plan that was read last names a level of the log.
static PLANS_A_LEVEL: AtomicBool = AtomicBool::new(false);

/// What came of reading the plan again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reloaded {
    /// Taken into use.
    pub applied: Vec<String>,
    /// Changed by people in the running house, each with how.
    pub by_people: Vec<String>,
    /// Taken into use at the next start.
    pub needs_restart: Vec<String>,
}

/// Why it was not: the house goes on as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReloaded {
    /// A trial has no plan.
    #[error("this house was started without a plan: there is nothing to read again")]
    NoPlan,
    /// The plan has faults, or what it names cannot be used.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
}

/// Reads the plan again; `seen` says who asked and from where.
///
/// # Errors
/// When the plan or what it names cannot be used: nothing of it is.
pub async fn reload(floor: &Floor, seen: Seen) -> Result<Reloaded, NotReloaded> {
    let read = read(floor);
    let what = match &read {
        Ok((reloaded, digest)) => {
            let list = |list: &[String]| match list.is_empty() {
                true => "nothing".to_owned(),
                false => list.join(", "),
            };
            let (applied, restart) = (list(&reloaded.applied), list(&reloaded.needs_restart));
            let people = reloaded.by_people.len();
            tracing::info!(
                plan = digest,
                applied,
                needs_restart = restart,
                by_people = list(&reloaded.by_people),
                "the plan was read again"
            );
            format!("plan {digest}: {applied}; at a restart {restart}; by people {people}")
        }
        Err(error) => {
            tracing::error!(%error, "the plan was not read again: the house goes on as it was");
            format!("refused: {error}")
        }
    };
    floor.watch.see(Seen { what, ..seen }, now_ms());
    // On record before it is told.
    security::write(floor).await;
    read.map(|(reloaded, _)| reloaded)
}

/// Of the house itself, as when a signal asks.
#[must_use]
pub fn by_signal() -> Seen {
    Seen::of(SecurityKind::Reloaded, String::new())
}

fn read(floor: &Floor) -> Result<(Reloaded, String), NotReloaded> {
    let old = &floor.plan;
    let file = old.source.file.as_ref().ok_or(NotReloaded::NoPlan)?;
    let fault = |error: String| NotReloaded::Faults(vec![error]);
    let text = std::fs::read_to_string(file)
        .map_err(|error| fault(format!("{}: {error}", file.display())))?;
    let folder = file.parent().unwrap_or(std::path::Path::new(""));
    let new = HousePlan::parse(&text, &files_beside(folder)).map_err(|error| match error {
        PlanError::Faults(faults) => {
            let told = faults
                .iter()
                .map(|fault| format!("{}: {}", fault.place, fault.problem));
            NotReloaded::Faults(told.collect())
        }
        error @ PlanError::Unreadable { .. } => fault(error.to_string()),
    })?;
    let new = new.beside(folder);
    let mut reloaded = Reloaded::default();
    // Everything is tried before anything is taken into use.
    let metrics = [&new.metrics, &old.metrics].map(|plan| plan.as_ref().map(|plan| &plan.tls));
    for (known, next, used_for) in [
        (Some(&old.tls), Some(&new.tls), "house"),
        (metrics[1], metrics[0], "metrics"),
    ] {
        let (Some(known), Some(next)) = (known, next) else {
            continue;
        };
        if known == next && matches!(next, Tls::Files { .. }) {
            certificates::try_out(next).map_err(fault)?;
            reloaded
                .applied
                .push(format!("certificate of the {used_for}"));
        }
    }
    if let Some(token) = new
        .metrics
        .as_ref()
        .and_then(|plan| plan.token_file.as_ref())
    {
        metrics_door::token(token).map_err(fault)?;
    }
    certificates::read_all_again();
    let planned = new.log_level.as_deref();
    let planned = planned.and_then(|word| word.parse::<LogLevel>().ok());
    let was = PLANS_A_LEVEL.swap(planned.is_some(), Ordering::Relaxed) || old.log_level.is_some();
    // A plan that names a level no longer goes back to the usual one.
    if let Some(level) = planned.or_else(|| was.then(LogLevel::default))
        && log::change_level(level)
    {
        let word = LogLevel::ALL.iter().find(|(_, known)| *known == level);
        let word = word.map_or("", |(word, _)| word);
        reloaded.applied.push(format!("log level {word}"));
    }
    people(floor, &new, &mut reloaded);
    limits(floor, &new, &mut reloaded);
    reloaded.needs_restart = at_a_restart(old, &new);
    floor.self_check.reloaded(&text);
    let digest = hex(&<[u8; 32]>::from(Sha256::digest(text.as_bytes())));
    Ok((reloaded, digest))
}

/// People of the plan whom the house does not know.
fn people(floor: &Floor, new: &HousePlan, reloaded: &mut Reloaded) {
    let register = floor.desk.register();
    let known = |name: &str| register.person_named(name).is_some();
    for (name, position) in new.staff.iter().filter(|(name, _)| !known(name)) {
        let folded = person::folded(name);
        if !new
            .staff
            .iter()
            .any(|(other, _)| person::folded(other) == folded && known(other))
        {
            let how = format!("take {name} ({}) in on the screen People", position.key());
            reloaded.by_people.push(how);
        }
    }
}

/// Limits of the plan that are not those in force.
fn limits(floor: &Floor, new: &HousePlan, reloaded: &mut Reloaded) {
    for table in &new.tables {
        let Some(at) = floor.table_at(table.name.as_str()) else {
            continue;
        };
        let state = at.hub.state();
        let in_force = state.table.config.as_deref().map(|config| &config.limits);
        if in_force.is_some_and(|limits| *limits != table.config.limits) {
            let how = format!(
                "change the limits of {} at the pit (change_limits)",
                table.name
            );
            reloaded.by_people.push(how);
        }
    }
}

/// What of a plan is only read at a start, and is different.
fn at_a_restart(old: &HousePlan, new: &HousePlan) -> Vec<String> {
    let mut found = Vec::new();
    // Every key has to be thought of: a new one does not compile without a word here.
    let HousePlan {
        source: _,
        site,
        real_money,
        practice,
        listen,
        names,
        crowd,
        log_in,
        tls,
        witness,
        security,
        metrics,
        log_level: _,
        zone,
        reality_check_minutes,
        idle_log_out_minutes,
        stop_within_seconds,
        terminal_quota,
        voucher_days,
        retention_days,
        hand_pay_above,
        above_director,
        duties,
        // People are assigned in the running house.
        posts: _,
        staff: _,
        pin_cost: _,
        tables,
    } = new;
    let different = [
        ("site", *site != old.site),
        ("real_money", *real_money != old.real_money),
        ("practice", *practice != old.practice),
        ("listen", *listen != old.listen),
        ("names", *names != old.names),
        (
            "connections and requests of an address",
            *crowd != old.crowd,
        ),
        ("[log_in]", *log_in != old.log_in),
        ("[tls]", *tls != old.tls),
        ("[witness]", *witness != old.witness),
        ("[security]", *security != old.security),
        ("[metrics]", *metrics != old.metrics),
        ("zone", *zone != old.zone),
        (
            "reality_check_minutes",
            *reality_check_minutes != old.reality_check_minutes,
        ),
        (
            "idle_log_out_minutes",
            *idle_log_out_minutes != old.idle_log_out_minutes,
        ),
        (
            "stop_within_seconds",
            *stop_within_seconds != old.stop_within_seconds,
        ),
        ("quota of a terminal", *terminal_quota != old.terminal_quota),
        ("voucher_days", *voucher_days != old.voucher_days),
        ("retention_days", *retention_days != old.retention_days),
        ("[hand_pay_above]", *hand_pay_above != old.hand_pay_above),
        ("above_director", *above_director != old.above_director),
        ("[duties]", *duties != old.duties),
    ];
    let different = different.into_iter().filter(|(_, differs)| *differs);
    found.extend(different.map(|(key, _)| key.to_owned()));
    for table in tables {
        let known = old.tables.iter().find(|known| known.name == table.name);
        match known {
            None => found.push(format!("table {}, which is new", table.name)),
            Some(known) if !same_but_limits(known, table) => {
                found.push(format!("table {}: its set-up or devices", table.name));
            }
            Some(_) => {}
        }
    }
    for known in &old.tables {
        if !tables.iter().any(|table| table.name == known.name) {
            found.push(format!("table {}, which is gone", known.name));
        }
    }
    found
}

/// Whether two plans of a table differ in what is changed by people alone, if at all.
fn same_but_limits(old: &TablePlan, new: &TablePlan) -> bool {
    let mut new = new.clone();
    new.config.limits.clone_from(&old.config.limits);
    // The start fills it in.
    new.config.program = old.config.program;
    new == *old
}
