//! What stands out in a stretch of play (P-034, J-03): each with what was
//! seen, the figure, and how unlikely it is where chance can say so.
//!
//! Where evidence is named, it is of the kind that stays valid however often
//! one looks: play that is as it should be ever reaches `e` in at most one of
//! `e` stretches.

mod watch;

use serde::Serialize;
use sicbo_journal::{Store, StreamId};
use sicbo_lab::sequential::TooOften;
use sicbo_lab::stats::hypergeometric_tail;
use sicbo_register::security::SecurityNote;
use sicbo_table::Table;
use sicbo_table::ids::{PersonId, StationId};

use super::ReportError;
use super::accounts::name;
use super::fairness::{Fairness, LEVEL};
use super::reading::{Asked, Reading};
use super::rounds::{Played, Rounds};
use super::sheet::AmendmentLine;
pub(super) use watch::Watcher;

/// Bets so shortly before the close, or after it began, are near it.
pub const NEAR_CLOSE_MS: i64 = 2_000;
/// Void rounds for too few tumbles among so many rounds raise an alert (J-03).
pub const TUMBLER_ROUNDS: u64 = 10;
/// Fewest void rounds of a dealer that are compared with the others'.
const FEWEST_VOIDS: u64 = 3;
/// The share of tumbles that may count exactly three, where people count them.
const EXACTLY_THREE: f64 = 0.5;

/// What stands out at a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TableAlerts {
    /// The table.
    pub table: String,
    /// First record looked at.
    pub from: u64,
    /// Last record looked at.
    pub to: u64,
    /// Rounds looked at.
    pub rounds: u64,
    /// The alerts, the newest first.
    pub alerts: Vec<Alert>,
}

/// Something that stands out.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Alert {
    /// A stable word: `late-winner`, `voids-by-dealer`, `result-corrected`,
    /// `voided-late`, `dice-drift`, `exactly-three`, `left-when-visible`, `tumbler`,
    /// `device-failed`, `clock-parted`, `witness-silent`, `tree-not-written`,
    /// `mark-not-written`, `tree-built-anew`, `security`.
    pub code: String,
    /// The last round it rests on.
    pub round: Option<u64>,
    /// The record it rests on.
    pub sequence: u64,
    /// When.
    pub at_ms: i64,
    /// Who, by their number in the house.
    pub person: Option<u32>,
    /// The station.
    pub station: Option<String>,
    /// What was seen, with its figures.
    pub saw: String,
    /// Chance of the like, or of evidence as strong ever, when all is as it
    /// should be; null where chance has no say.
    pub chance: Option<f64>,
}

impl Alert {
    /// The house's witness has not cosigned what was written for so long. It is
    /// of the whole house and rests on no record.
    #[must_use]
    pub fn witness_silent(
        sequence: u64,
        at_ms: i64,
        waits_s: i64,
        witness: &str,
        why: &str,
    ) -> Alert {
        let saw = format!(
            "the witness {witness} has cosigned nothing of the house for {waits_s} s: {why}"
        );
        Alert::of_house("witness-silent", sequence, at_ms, saw)
    }

    /// The house's tree was not there when the house started.
    #[must_use]
    pub fn tree_built_anew(sequence: u64, at_ms: i64, why: &str) -> Alert {
        Alert::of_house("tree-built-anew", sequence, at_ms, why.to_owned())
    }

    /// The house's tree cannot be written or signed: nothing is paid or dealt.
    #[must_use]
    pub fn tree_not_written(sequence: u64, at_ms: i64, why: &str) -> Alert {
        Alert::of_house("tree-not-written", sequence, at_ms, why.to_owned())
    }

    /// The mark outside the data folder cannot be written: play goes on, and an
    /// accident with all data would not be noticed by it.
    #[must_use]
    pub fn mark_not_written(sequence: u64, at_ms: i64, why: &str) -> Alert {
        Alert::of_house("mark-not-written", sequence, at_ms, why.to_owned())
    }

    fn of_house(code: &str, sequence: u64, at_ms: i64, saw: String) -> Alert {
        Alert {
            code: code.to_owned(),
            round: None,
            sequence,
            at_ms,
            person: None,
            station: None,
            saw,
            chance: None,
        }
    }
}

impl Alert {
    /// Something that those who guard the house must look at; it is of the whole
    /// house.
    #[must_use]
    pub fn security(sequence: u64, note: &SecurityNote) -> Alert {
        Alert {
            code: "security".to_owned(),
            round: None,
            sequence,
            at_ms: note.last_ms,
            person: note.person.map(|person| person.0),
            station: None,
            saw: note.words(),
            chance: None,
        }
    }
}

/// What stands out in a stretch of a table's journal.
///
/// # Errors
/// When there are no such records, too many rounds, or the journal cannot be read.
pub fn alerts(
    store: &dyn Store,
    stream: &StreamId,
    asked: Asked,
) -> Result<TableAlerts, ReportError> {
    let mut reading = Reading::new(store, stream, asked, false)?;
    let mut watcher = Watcher::default();
    let table = reading.play(&mut watcher)?;
    Ok(TableAlerts {
        table: stream.as_str().to_owned(),
        from: reading.from,
        to: reading.to,
        rounds: watcher.rounds.played.len() as u64,
        alerts: found(&watcher, &table),
    })
}

/// What stands out in what was watched, the newest first.
pub(super) fn found(watcher: &Watcher, table: &Table) -> Vec<Alert> {
    let mut alerts = Vec::new();
    late_winners(watcher, table, &mut alerts);
    left(watcher, table, &mut alerts);
    alerts.extend(watcher.amendments.iter().map(amended));
    alerts.extend(watcher.clocks.iter().map(parted));
    tumblers(&watcher.rounds, &mut alerts);
    alerts.extend(watcher.notices.iter().cloned());
    voids(&watcher.rounds, &mut alerts);
    exactly_three(&watcher.rounds, &mut alerts);
    drift(&watcher.rounds, &mut alerts);
    alerts.sort_by_key(|alert| std::cmp::Reverse(alert.sequence));
    alerts
}

/// Where in the record a finding rests.
fn at(played: &Played, code: &str, saw: String, chance: Option<f64>) -> Alert {
    Alert {
        code: code.to_owned(),
        round: Some(played.round),
        sequence: played.sequence,
        at_ms: played.ended_ms,
        person: None,
        station: None,
        saw,
        chance,
    }
}

/// Bets near the close that win more often than dice allow.
fn late_winners(watcher: &Watcher, table: &Table, alerts: &mut Vec<Alert>) {
    let stations = watcher.near.len().max(1) as f64;
    for (station, near) in &watcher.near {
        // Held against the number of stations looked at.
        let e = near.evidence.e() / stations;
        let Some(last) = watcher.rounds.played.get(near.last) else {
            continue;
        };
        if e * LEVEL < 1.0 {
            continue;
        }
        let TooOften {
            tries,
            times,
            expected,
            ..
        } = near.evidence;
        let name = name(table, *station);
        let saw = format!(
            "{name} bet in the last {} s before the close in {tries} rounds and won {times} of them, \
             where {expected:.1} were to be expected",
            NEAR_CLOSE_MS / 1_000
        );
        alerts.push(Alert {
            station: Some(name),
            ..at(last, "late-winner", saw, Some((1.0 / e).min(1.0)))
        });
    }
}

/// Terminals that were cut off with a bet on the table when the dice could be seen.
fn left(watcher: &Watcher, table: &Table, alerts: &mut Vec<Alert>) {
    for (station, left) in &watcher.left {
        let name = name(table, *station);
        // Of all its disconnections, those in a stretch of time that is a
        // known part of the whole.
        let share = watcher.visible_share();
        let tail = sicbo_lab::stats::binomial_tail(left.all, left.visible, share);
        let saw = format!(
            "{name} lost its connection {} times, {} of them with a bet on the table after the dice \
             could be seen, which is {:.1} % of the time",
            left.all,
            left.visible,
            100.0 * share
        );
        alerts.push(Alert {
            code: "left-when-visible".to_owned(),
            round: Some(left.round),
            sequence: left.sequence,
            at_ms: left.at_ms,
            person: None,
            station: Some(name),
            saw,
            chance: Some(tail),
        });
    }
}

fn amended(line: &AmendmentLine) -> Alert {
    let (code, what) = if line.is == "void" {
        ("voided-late", "voided after it had ended")
    } else {
        ("result-corrected", "corrected after it had ended")
    };
    let stations = match line.effects.len() {
        1 => "1 station".to_owned(),
        count => format!("{count} stations"),
    };
    Alert {
        code: code.to_owned(),
        round: Some(line.round),
        sequence: line.sequence,
        at_ms: line.at_ms,
        person: None,
        station: None,
        saw: format!(
            "round {} was {what}: {} became {}, {stations}, by {} under {}",
            line.round, line.was, line.is, line.by, line.rule
        ),
        chance: None,
    }
}

/// The machine's clock parted from the house's.
fn parted((sequence, house_ms, machine_ms): &(u64, i64, i64)) -> Alert {
    let apart = machine_ms.saturating_sub(*house_ms);
    let way = if apart < 0 { "behind" } else { "ahead of" };
    Alert {
        code: "clock-parted".to_owned(),
        round: None,
        sequence: *sequence,
        at_ms: *house_ms,
        person: None,
        station: None,
        saw: format!(
            "the machine's clock was found {}.{:03} s {way} the house's",
            apart.unsigned_abs() / 1_000,
            apart.unsigned_abs() % 1_000
        ),
        chance: None,
    }
}

/// Two failed tumbles in ten rounds (J-03).
fn tumblers(rounds: &Rounds, alerts: &mut Vec<Alert>) {
    let mut before: Option<&Played> = None;
    for one in rounds.played.iter().filter(|one| one.too_few_tumbles) {
        if let Some(earlier) = before
            && one.round - earlier.round < TUMBLER_ROUNDS
        {
            let saw = format!(
                "the tumbler failed in round {} and again in round {}: twice in {TUMBLER_ROUNDS} rounds",
                earlier.round, one.round
            );
            alerts.push(at(one, "tumbler", saw, None));
        }
        before = Some(one);
    }
}

/// A dealer with more void rounds than the others'.
fn voids(rounds: &Rounds, alerts: &mut Vec<Alert>) {
    let all = rounds.played.len() as u64;
    let void = |one: &&Played| one.void_at_first;
    let all_void = rounds.played.iter().filter(void).count() as u64;
    for (person, count) in by_dealer(rounds) {
        let own = || {
            rounds
                .played
                .iter()
                .filter(|one| one.dealer == Some(person))
        };
        let own_void = own().filter(void).count() as u64;
        let (dealt, Some(last)) = (own().count() as u64, own().rfind(void)) else {
            continue;
        };
        if own_void < FEWEST_VOIDS {
            continue;
        }
        let chance = (hypergeometric_tail(all, all_void, dealt, own_void) * count as f64).min(1.0);
        if dealt < all && chance < LEVEL {
            let saw = format!(
                "person {} dealt {dealt} of {all} rounds and {own_void} of the {all_void} void ones",
                person.0
            );
            alerts.push(Alert {
                person: Some(person.0),
                ..at(last, "voids-by-dealer", saw, Some(chance))
            });
        }
    }
}

/// Tumbles that people say were exactly three too often: the least that counts.
fn exactly_three(rounds: &Rounds, alerts: &mut Vec<Alert>) {
    for (person, count) in by_dealer(rounds) {
        let own = rounds
            .played
            .iter()
            .filter(|one| one.dealer == Some(person));
        let mut evidence = TooOften::default();
        let mut last = None;
        for one in own {
            let Some(tumbled) = one.tumbled.filter(|tumbled| tumbled.by_person) else {
                continue;
            };
            evidence.add(EXACTLY_THREE, tumbled.count == 3);
            last = Some(one);
        }
        let e = evidence.e() / count as f64;
        if let Some(last) = last
            && e * LEVEL >= 1.0
        {
            let saw = format!(
                "person {} counted exactly three tumbles in {} of {} rounds, where at most half is usual",
                person.0, evidence.times, evidence.tries
            );
            alerts.push(Alert {
                person: Some(person.0),
                ..at(last, "exactly-three", saw, Some((1.0 / e).min(1.0)))
            });
        }
    }
}

/// Who dealt, each with how many did.
fn by_dealer(rounds: &Rounds) -> Vec<(PersonId, usize)> {
    let dealers: std::collections::BTreeSet<PersonId> =
        rounds.played.iter().filter_map(|one| one.dealer).collect();
    let count = dealers.len();
    dealers.into_iter().map(|dealer| (dealer, count)).collect()
}

/// Dice that drift from what is fair.
fn drift(rounds: &Rounds, alerts: &mut Vec<Alert>) {
    let fairness = Fairness::of(rounds, &[]);
    for group in fairness.groups.iter().filter(|group| group.alarmed) {
        let Some(last) = rounds
            .played
            .iter()
            .find(|one| Some(one.round) == group.alarm_round)
        else {
            continue;
        };
        let saw = format!(
            "{} {}: {}; evidence {:.0} in {} rounds, alarm at {:.0}",
            group.by, group.name, group.saw, group.e_peak, group.rounds, group.alarm_at
        );
        alerts.push(Alert {
            person: group.person,
            ..at(last, "dice-drift", saw, Some((1.0 / group.e_peak).min(1.0)))
        });
    }
}

/// Bets of one station near the close, round by round.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Near {
    pub(super) evidence: TooOften,
    /// Position of the last such round among those played.
    pub(super) last: usize,
}

/// Disconnections of one station.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) all: u64,
    pub(super) visible: u64,
    pub(super) round: u64,
    pub(super) sequence: u64,
    pub(super) at_ms: i64,
}

/// Stations by number.
pub(super) type ByStation<T> = std::collections::BTreeMap<StationId, T>;
