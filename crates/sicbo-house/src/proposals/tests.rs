//! Proposals that wait, and what their ends let go.

use sicbo_rules::rulebook::words::Position;

use super::*;

fn proposer() -> Present {
    Present {
        staff: Staff {
            person: PersonId(1),
            position: Position::Dealer,
        },
        name: "Dan".to_owned(),
        session: SessionId(1),
        place: None,
    }
}

#[test]
fn p_031_only_a_withdrawn_proposal_lets_its_table_go() {
    let numbered = |number| Numbered {
        number,
        digest: [0; 32],
    };
    let clock = Arc::clone(sicbo_clock::house());
    let mut proposals = Proposals::<StaffAct>::new(Arc::clone(&clock));
    for number in 1..=3 {
        proposals.add(numbered(number), StaffAct::CallBets {}, proposer());
    }
    if let Some(lapsing) = proposals.open.get_mut(&1) {
        lapsing.until_ms = clock.steady_ms();
    }
    proposals.remove(2, ProposalEnd::ReadingsDiffer);
    assert_eq!(
        proposals.take_ended(),
        [(2, ProposalEnd::ReadingsDiffer), (1, ProposalEnd::Lapsed)]
    );
    let held = [1, 2, 3];
    assert!(proposals.withdrawn(&held).is_empty());
    proposals.remove(3, ProposalEnd::Withdrawn);
    assert_eq!(proposals.withdrawn(&held), [3]);
    // Let go, it is forgotten.
    assert!(proposals.withdrawn(&[1, 2]).is_empty());
    assert!(proposals.withdrawn(&held).is_empty());
    // One whose hold is on its way is not, until the hold is there.
    proposals.add(numbered(4), StaffAct::CallBets {}, proposer());
    assert!(proposals.begin_hold(4));
    proposals.remove(4, ProposalEnd::Withdrawn);
    assert!(proposals.withdrawn(&[]).is_empty());
    proposals.end_hold(4);
    assert_eq!(proposals.withdrawn(&[4]), [4]);
    // And one that was withdrawn before is not waited for at all.
    assert!(!proposals.begin_hold(4));
    // Whoever made them is told what came of each.
    let told = proposals.outcomes();
    let told: Vec<_> = told
        .iter()
        .map(|one| (one.proposal, one.outcome.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (2, "readings_differ"),
            (1, "lapsed"),
            (3, "withdrawn"),
            (4, "withdrawn")
        ]
    );
}
