//! Whether the dice are fair, by dice set, dealer and shift (P-067), with
//! evidence that stays valid however often one looks.
//!
//! Several groups are looked at side by side, so each raises an alarm later
//! than it would alone: all groups together alarm on fair dice in at most the
//! stated share of tables.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_lab::sequential::Finding;
use sicbo_table::record::Standing;

use super::rounds::{Played, Rounds};

/// Share of tables with fair dice that ever raise an alarm, all groups together.
pub const LEVEL: f64 = 0.001;

/// A stretch of records with a name, such as a shift.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// First record.
    pub from: u64,
    /// Last record.
    pub to: u64,
}

/// The fairness of a table's dice.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Fairness {
    /// Fair dice ever raise an alarm in at most this share of tables.
    pub level: f64,
    /// Some group raised one.
    pub alarmed: bool,
    /// Each group.
    pub groups: Vec<FairnessGroup>,
}

/// Results that belong together.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct FairnessGroup {
    /// `dice-set`, `dealer` or `shift`.
    pub by: String,
    /// Which.
    pub name: String,
    /// The dealer's number in the house.
    pub person: Option<u32>,
    /// Results.
    pub rounds: u64,
    /// How often each face was shown.
    pub faces: Vec<u64>,
    /// How often each total came, 3 to 18.
    pub totals: Vec<u64>,
    /// How often each of the 56 combinations came, from 1-1-1 to 6-6-6.
    pub combinations: Vec<u64>,
    /// Totals that stayed high or low, and that changed.
    pub high_low: Vec<u64>,
    /// The same of odd and even.
    pub odd_even: Vec<u64>,
    /// The evidence against fair dice now.
    pub e: f64,
    /// The most it has been: fair dice ever reach it in at most one of so many.
    pub e_peak: f64,
    /// It raises an alarm here.
    pub alarm_at: f64,
    /// It did.
    pub alarmed: bool,
    /// The round in which it first did.
    pub alarm_round: Option<u64>,
    /// The test that speaks loudest.
    pub test: String,
    /// What it saw.
    pub saw: String,
}

/// Name, dealer and rounds of a group.
type Group<'r> = (String, Option<u32>, Vec<&'r Played>);

impl Fairness {
    pub(crate) fn of(rounds: &Rounds, shifts: &[Named]) -> Fairness {
        let mut groups: BTreeMap<(u8, u64), Group<'_>> = BTreeMap::new();
        let mut dealers: Vec<u32> = Vec::new();
        for one in &rounds.played {
            if one.standing == Standing::Void {
                continue;
            }
            let mut put = |kind, at: usize, name: &dyn Fn() -> String, person| {
                let group = groups
                    .entry((kind, at as u64))
                    .or_insert_with(|| (name(), person, Vec::new()));
                group.2.push(one);
            };
            let set = &rounds.dice_sets[one.dice_set];
            put(0, one.dice_set, &|| set.clone(), None);
            if let Some(dealer) = one.dealer {
                let known = dealers.iter().position(|known| *known == dealer.0);
                let at = known.unwrap_or_else(|| {
                    dealers.push(dealer.0);
                    dealers.len() - 1
                });
                put(1, at, &|| format!("person {}", dealer.0), Some(dealer.0));
            }
            for (at, shift) in shifts.iter().enumerate() {
                if (shift.from..=shift.to).contains(&one.began) {
                    put(2, at, &|| shift.name.clone(), None);
                }
            }
        }
        let groups: Vec<FairnessGroup> = groups
            .into_iter()
            .map(|((kind, at), (name, person, played))| group(kind, at, name, person, &played))
            .collect();
        Fairness {
            level: LEVEL,
            alarmed: groups.iter().any(|group| group.alarmed),
            groups,
        }
    }
}

impl Fairness {
    /// What it means that no alarm was raised: which bias would have raised
    /// one. After a few rounds that is nothing at all.
    #[must_use]
    pub fn quiet(&self) -> String {
        let rounds = self
            .groups
            .iter()
            .filter(|group| group.by == "dice-set")
            .map(|group| group.rounds)
            .max()
            .unwrap_or(0);
        let found = DETECTED.iter().rev().find(|(needed, _)| rounds >= *needed);
        match found {
            Some((_, heavier)) => format!(
                "no alarm in {rounds} results; a face {heavier} % too frequent on all three dice is found 9 times in 10 by then"
            ),
            None => format!("no alarm in {rounds} results, too few to find a bias of 50 %"),
        }
    }
}

/// Rounds after which nine records in ten of dice with one face so many
/// percent heavier have raised an alarm at this level: measured with `sicbo bench
/// fair --level 0.0002` (400, 900 and 1,900 for the first three), with a margin.
const DETECTED: [(u64, u32); 4] = [(500, 50), (1_100, 30), (2_300, 20), (8_500, 10)];

/// A third of the level for each kind of group; within a kind the first group
/// gets most of it, and however many come they never get more than all.
fn part(at: u64) -> f64 {
    let at = at as f64 + 1.0;
    LEVEL / 3.0 * 6.0 / (std::f64::consts::PI * std::f64::consts::PI * at * at)
}

fn group(
    kind: u8,
    at: u64,
    name: String,
    person: Option<u32>,
    played: &[&Played],
) -> FairnessGroup {
    let mut follow = Finding::follow(part(at));
    for one in played {
        if let Standing::Settled(dice) = one.standing {
            follow.add(dice);
        }
    }
    let finding = follow.finding();
    let evidence = follow.evidence();
    let (high_low, odd_even, _) = evidence.runs();
    let alarm = finding
        .alarmed
        .and_then(|after| played.get(after as usize - 1));
    FairnessGroup {
        by: ["dice-set", "dealer", "shift"][usize::from(kind)].to_owned(),
        name,
        person,
        rounds: finding.rounds,
        faces: evidence.faces().to_vec(),
        totals: evidence.totals().to_vec(),
        combinations: evidence.combinations().to_vec(),
        high_low: high_low.to_vec(),
        odd_even: odd_even.to_vec(),
        e: finding.e,
        e_peak: finding.peak,
        alarm_at: finding.alarm_at,
        alarmed: finding.alarmed.is_some(),
        alarm_round: alarm.map(|one| one.round),
        test: finding.test.to_owned(),
        saw: finding.saw,
    }
}
