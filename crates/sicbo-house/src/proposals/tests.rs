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

fn numbered(number: u64) -> Numbered {
    Numbered {
        number,
        digest: [0; 32],
    }
}

/// Two requests of one person saw the proposal wait, because the line of the
/// first broke: the one that begins second follows the first.
#[test]
fn p_031_a_confirmation_that_is_overtaken_by_itself_follows_what_began() {
    let clock = Arc::clone(sicbo_clock::house());
    let mut proposals = Proposals::<StaffAct>::new(clock);
    let digest = hex([0; 32]);
    let (second, other) = (PersonId(2), PersonId(3));
    proposals.add(numbered(1), StaffAct::CallBets {}, proposer());
    for _ in 0..2 {
        let stands = proposals.confirming(1, second, &digest);
        assert!(matches!(stands, Ok(Confirming::Waits(_))));
    }
    let Ok(Ok((ends, under_way))) = proposals.begin(1, second, &digest) else {
        panic!("the first begins");
    };
    let overtaken = proposals.begin(1, second, &digest);
    let Ok(Err(before @ Before::UnderWay(_))) = overtaken else {
        panic!("it is under way");
    };
    // Somebody else's confirmation is none of it.
    let others = proposals.begin(1, other, &digest);
    assert!(matches!(others, Err(NotConfirmed::Unknown)));
    proposals.end(1, ends, Ok((7, false)));
    let answer = before.answer().now_or_never().expect("it has ended");
    assert_eq!(
        answer.map(|done| (done.sequence, done.again)),
        Ok((7, true))
    );
    let first = under_way.outcome().now_or_never().expect("it has ended");
    assert_eq!(first, Ok((7, false)));
    let later = proposals.begin(1, second, &digest);
    assert!(matches!(later, Ok(Err(Before::Done(7)))));
}

#[test]
fn p_031_one_person_does_not_take_the_places_of_all_others() {
    let mut proposals = Proposals::<StaffAct>::new(Arc::clone(sicbo_clock::house()));
    let act = StaffAct::CallBets {};
    let by = |person: u32| {
        let mut by = proposer();
        by.staff.person = PersonId(person);
        by
    };
    let mut places = Vec::new();
    let mut number = 0;
    for person in 1..=6 {
        let mut taken = 0;
        while taken < 10 && proposals.room_for(&act, PersonId(person)).is_ok() {
            (number, taken) = (number + 1, taken + 1);
            proposals.add(numbered(number), act.clone(), by(person));
        }
        places.push(taken);
    }
    assert_eq!(places, [4, 4, 4, 4, 0, 0]);
    proposals.remove(1, ProposalEnd::Withdrawn);
    assert!(matches!(proposals.room_for(&act, PersonId(5)), Ok(None)));
}

#[test]
fn p_031_only_a_withdrawn_proposal_lets_its_table_go() {
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
