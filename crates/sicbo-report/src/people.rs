//! Rounds by dealer and by the dice they were played with.

use std::collections::BTreeMap;

use sicbo_table::ids::PersonId;
use sicbo_table::record::Standing;

use super::rounds::Rounds;
use super::sheet::{DealerLine, DiceLine};

pub(crate) fn dealers(rounds: &Rounds) -> Vec<DealerLine> {
    let mut by_person: BTreeMap<Option<PersonId>, (DealerLine, i64)> = BTreeMap::new();
    for one in &rounds.played {
        let (line, time) = by_person.entry(one.dealer).or_insert_with(|| {
            let line = DealerLine {
                person: one.dealer.map(|person| person.0),
                name: None,
                rounds: 0,
                mean_round_ms: 0,
                voids: 0,
                corrections: 0,
                keys_cleared: 0,
                bad_tumbles: 0,
                late_acts: 0,
                decisions: 0,
            };
            (line, 0)
        });
        *time += one.ended_ms.saturating_sub(one.began_ms);
        line.rounds += 1;
        line.voids += u64::from(one.void_at_first);
        line.corrections += u64::from(one.amended);
        line.keys_cleared += one.misses.keys_cleared;
        line.bad_tumbles += one.misses.bad_tumbles;
        line.late_acts += one.misses.late_acts;
        line.decisions += one.misses.decisions;
    }
    let lines = by_person.into_values().map(|(mut line, time)| {
        line.mean_round_ms = time / line.rounds.max(1) as i64;
        line
    });
    lines.collect()
}

pub(crate) fn dice(rounds: &Rounds) -> Vec<DiceLine> {
    let sets = rounds.dice_sets.iter().enumerate();
    let lines = sets.filter_map(|(at, dice_set)| {
        let settled = rounds.played.iter().filter_map(|one| match one.standing {
            Standing::Settled(dice) if one.dice_set == at => Some((one.round, dice)),
            _ => None,
        });
        let mut line: Option<DiceLine> = None;
        for (round, dice) in settled {
            let line = line.get_or_insert_with(|| DiceLine {
                dice_set: dice_set.clone(),
                rounds: 0,
                first_round: round,
                last_round: round,
                faces: vec![0; 6],
                totals: vec![0; 16],
            });
            line.rounds += 1;
            line.last_round = round;
            line.totals[usize::from(dice.total()) - 3] += 1;
            for face in dice.faces() {
                line.faces[usize::from(face) - 1] += 1;
            }
        }
        line
    });
    lines.collect()
}
