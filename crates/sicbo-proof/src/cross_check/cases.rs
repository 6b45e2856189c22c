//! Compares what tables paid for cases with the house's own record of them: a
//! payment is backed by a case of that table and station and by the decision of
//! it that the payment names, and it is what the case says it was. They are
//! compared by number, not by time: a clock may be set back between them. What
//! was paid under earlier readings of the rules is left as it is.

use std::collections::BTreeMap;

use sicbo_journal::StreamId;

use crate::verify::{CasePayment, CaseTrail, Stamp, Verified, VerifyError};
use sicbo_register::case::Outcome;

/// Every payment of every table, and every record that a case names.
pub(super) fn compare(
    cases: &BTreeMap<u64, CaseTrail>,
    tables: &[(StreamId, Verified)],
    faults: &mut Vec<VerifyError>,
) {
    for (stream, table) in tables {
        let held_to_it = table
            .cases
            .iter()
            .filter(|paid| !paid.is_of_earlier_rules());
        for paid in held_to_it {
            faults.extend(backed(cases, stream, paid).err());
        }
    }
    for (case, trail) in cases {
        let own = tables.iter().find(|(id, _)| id.as_str() == trail.table);
        let payments = own.map_or(&[][..], |(_, table)| table.cases.as_slice());
        for (at, sequence, amount) in &trail.linked {
            // Another record it names is an adjustment of credit, which names no case.
            let named = payments.iter().find(|paid| paid.sequence == *sequence);
            let same = named.is_none_or(|paid| {
                paid.is_of_earlier_rules() || (paid.case == *case && paid.amount == *amount)
            });
            if !same {
                let what = "names a record of its table that paid something else";
                let table = Some((trail.table.clone(), *sequence));
                faults.push(fault(*case, what, table, Some(*at)));
            }
        }
    }
}

fn backed(
    cases: &BTreeMap<u64, CaseTrail>,
    stream: &StreamId,
    paid: &CasePayment,
) -> Result<(), VerifyError> {
    let at = || Some((stream.to_string(), paid.sequence));
    let Some(trail) = cases.get(&paid.case) else {
        return Err(fault(
            paid.case,
            "paid, and the house has no such case",
            at(),
            None,
        ));
    };
    if trail.table != stream.as_str() || trail.station != Some(paid.station) {
        let what = "paid at another table or station than it is about";
        return Err(fault(paid.case, what, at(), Some(trail.opened)));
    }
    let number = (paid.decision as usize).checked_sub(1);
    let decided = number.and_then(|number| trail.decided.get(number));
    let Some((decided, outcome)) = decided else {
        let what = "paid by a decision that it never had";
        return Err(fault(paid.case, what, at(), Some(trail.opened)));
    };
    if *outcome == Outcome::Rejected && paid.amount.is_positive() {
        let what = "paid although it was rejected";
        return Err(fault(paid.case, what, at(), Some(*decided)));
    }
    Ok(())
}

fn fault(case: u64, what: &str, table: Option<(String, u64)>, house: Option<Stamp>) -> VerifyError {
    VerifyError::Case {
        case,
        what: what.to_owned(),
        table,
        house: house.map(|at| at.sequence),
    }
}

#[cfg(test)]
mod tests {
    use sicbo_rules::Money;
    use sicbo_table::event::RulesRevision;
    use sicbo_table::ids::StationId;

    use super::*;

    fn trail(outcome: Option<Outcome>) -> CaseTrail {
        let at = |sequence| Stamp {
            sequence,
            at_ms: 1_000,
        };
        CaseTrail {
            opened: at(4),
            table: "t1".to_owned(),
            station: Some(StationId(0)),
            decided: outcome
                .map(|outcome| (at(5), outcome))
                .into_iter()
                .collect(),
            linked: Vec::new(),
        }
    }

    fn paid(case: u64, station: u32, amount: i64, decision: u32) -> CasePayment {
        CasePayment {
            case,
            station: StationId(station),
            amount: Money::from_minor(amount),
            decision,
            rules: RulesRevision(3),
            sequence: 9,
        }
    }

    #[test]
    fn r_217_a_payment_is_backed_by_a_decided_case() {
        let stream = StreamId::new("t1").expect("a name");
        let check = |outcome, payment: CasePayment| {
            let cases = BTreeMap::from([(7, trail(outcome))]);
            let said = backed(&cases, &stream, &payment);
            said.map_or_else(|fault| fault.to_string(), |()| "backed".to_owned())
        };
        let upheld = Some(Outcome::Upheld);
        assert_eq!(check(upheld, paid(7, 0, 500, 1)), "backed");
        for (outcome, payment, what) in [
            (upheld, paid(8, 0, 500, 1), "the house has no such case"),
            (upheld, paid(7, 1, 500, 1), "another table or station"),
            (upheld, paid(7, 0, 500, 0), "a decision that it never had"),
            (upheld, paid(7, 0, 500, 2), "a decision that it never had"),
            (None, paid(7, 0, 500, 1), "a decision that it never had"),
            (Some(Outcome::Rejected), paid(7, 0, 500, 1), "rejected"),
        ] {
            let said = check(outcome, payment);
            assert!(said.contains(what), "{said}");
            assert!(said.contains("t1 record 9"), "{said}");
        }
        let over = paid(7, 0, -500, 1);
        assert_eq!(check(Some(Outcome::Rejected), over), "backed");
    }

    #[test]
    fn r_217_a_higher_decision_backs_what_it_adds_and_not_what_the_first_paid() {
        let stream = StreamId::new("t1").expect("a name");
        let mut twice = trail(Some(Outcome::Rejected));
        // Decided again while the clock stood earlier.
        let again = Stamp {
            sequence: 6,
            at_ms: 10,
        };
        twice.decided.push((again, Outcome::Upheld));
        let cases = BTreeMap::from([(7, twice)]);
        let check = |decision| backed(&cases, &stream, &paid(7, 0, 500, decision)).is_ok();
        assert!(!check(1));
        assert!(check(2));
    }

    #[test]
    fn what_earlier_programs_paid_is_not_held_to_the_register() {
        let earlier = |decision, rules| CasePayment {
            rules: RulesRevision(rules),
            ..paid(8, 0, 500, decision)
        };
        assert!(earlier(0, 1).is_of_earlier_rules());
        assert!(earlier(0, 2).is_of_earlier_rules());
        assert!(!earlier(0, 3).is_of_earlier_rules());
        assert!(!earlier(1, 2).is_of_earlier_rules());
    }
}
