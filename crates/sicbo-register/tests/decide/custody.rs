//! Dice in custody and shifts, each by two persons.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::PersonId;

use sicbo_register::command::{Act, Party};
use sicbo_register::dice::{DiceSet, DiceState, DiceStep};
use sicbo_register::enrolment::TableName;
use sicbo_register::shift::{
    BoxCount, Boxes, Counts, Ledger, NewShift, Pieces, Refused, ShiftEnd, ShiftId, SignedTo,
};
use sicbo_register::testing::{CASHIER, DEALER, DIRECTOR, HEAD, House, NEWCOMER, SHIFT, person};

fn by(id: PersonId) -> Party {
    Party::Person(id)
}

fn table(name: &str) -> TableName {
    TableName::new(name).unwrap()
}

fn text() -> String {
    "as seen".to_owned()
}

struct Pit {
    house: House,
    surveillance: PersonId,
    manager: PersonId,
}

impl Pit {
    fn new() -> Pit {
        let mut house = House::new();
        let mut add = |name: &str, position| {
            let person = person(name, position);
            house.ok(by(DIRECTOR), Act::AddPerson { person });
            let id = *house.register.people.last_key_value().unwrap().0;
            house.register.people.get_mut(&id).unwrap().one_time = false;
            id
        };
        let surveillance = add("Hafiz Rahman", Position::Surveillance);
        let manager = add("Nurul Aisyah", Position::PitManager);
        Pit {
            house,
            surveillance,
            manager,
        }
    }

    fn two(&mut self, one: PersonId, other: Option<PersonId>, act: Act) -> &'static str {
        match self.house.two(by(one), other, act) {
            Ok(_) => "done",
            Err(refusal) => refusal.code(),
        }
    }

    fn dice(&mut self, set: &str, step: DiceStep) -> &'static str {
        let set = DiceSet::new(set).unwrap();
        let act = Act::StepDice { set, step };
        self.two(SHIFT, Some(DEALER), act)
    }

    fn state(&self, set: &str) -> DiceState {
        let dice = &self.house.register.dice;
        dice[&DiceSet::new(set).unwrap()].state.clone()
    }

    fn close(&mut self, shift: u64, end: ShiftEnd) -> &'static str {
        let shift = ShiftId(shift);
        let next = None;
        let act = Act::CloseShift { shift, end, next };
        let manager = self.manager;
        self.two(SHIFT, Some(manager), act)
    }
}

fn receive() -> DiceStep {
    DiceStep::Receive {
        seal: "S-77".to_owned(),
    }
}

fn inspect(good: bool) -> DiceStep {
    DiceStep::Inspect { good, text: text() }
}

fn place(name: &str) -> DiceStep {
    DiceStep::Place { table: table(name) }
}

#[test]
fn p_035_custody_takes_two_persons_who_may() {
    let mut pit = Pit::new();
    let watch = pit.surveillance;
    let act = |set: &str, step| Act::StepDice {
        set: DiceSet::new(set).unwrap(),
        step,
    };
    for (one, other, code) in [
        (SHIFT, None, "second_person_needed"),
        (SHIFT, Some(SHIFT), "same_person_twice"),
        (DEALER, Some(watch), "not_authorised"),
        (CASHIER, Some(SHIFT), "not_authorised"),
        (HEAD, Some(SHIFT), "not_authorised"),
        (SHIFT, Some(NEWCOMER), "must_change_pin"),
    ] {
        let said = pit.two(one, other, act("D-1", receive()));
        assert_eq!(said, code, "{one:?} {other:?}");
    }
    for (at, (one, other)) in [
        (SHIFT, watch),
        (watch, SHIFT),
        (DEALER, SHIFT),
        (DIRECTOR, DEALER),
    ]
    .into_iter()
    .enumerate()
    {
        let set = format!("D-{at}");
        assert_eq!(pit.two(one, Some(other), act(&set, receive())), "done");
    }
    // What cannot be undone takes a shift manager.
    let manager = pit.manager;
    let destroy = || act("D-1", DiceStep::Destroy { text: text() });
    let said = pit.two(manager, Some(watch), destroy());
    assert_eq!(said, "not_authorised");
    assert_eq!(pit.two(SHIFT, Some(watch), destroy()), "done");
    let entry = pit.house.register.dice[&DiceSet::new("D-1").unwrap()]
        .entries
        .last()
        .cloned()
        .unwrap();
    assert_eq!((entry.by, entry.second), (by(SHIFT), Some(watch)));
}

#[test]
fn p_035_only_dice_found_good_go_to_a_table_and_one_set_at_a_time() {
    let mut pit = Pit::new();
    assert_eq!(pit.dice("D-1", inspect(true)), "unknown_dice");
    assert_eq!(pit.dice("D-1", receive()), "done");
    assert_eq!(pit.dice("D-1", receive()), "dice_known");
    assert_eq!(pit.dice("D-1", place("t1")), "wrong_dice_state");
    pit.house.now_ms = 5_000;
    assert_eq!(pit.dice("D-1", inspect(true)), "done");
    assert_eq!(pit.dice("D-1", place("t1")), "done");
    assert_eq!(pit.state("D-1"), DiceState::InUse(table("t1")));
    // At the table it is inspected and stays there.
    pit.house.now_ms = 9_000;
    assert_eq!(pit.dice("D-1", inspect(true)), "done");
    let known = &pit.house.register.dice[&DiceSet::new("D-1").unwrap()];
    assert_eq!(known.good_ms, Some(9_000));
    assert_eq!(pit.state("D-1"), DiceState::InUse(table("t1")));
    let destroy = || DiceStep::Destroy { text: text() };
    assert_eq!(pit.dice("D-1", destroy()), "wrong_dice_state");
    // Another set: the one that was there comes out and must be looked at again.
    assert_eq!(pit.dice("D-2", receive()), "done");
    assert_eq!(pit.dice("D-2", inspect(true)), "done");
    assert_eq!(pit.dice("D-2", place("t1")), "done");
    assert_eq!(pit.state("D-1"), DiceState::Removed);
    assert_eq!(pit.dice("D-1", place("t2")), "wrong_dice_state");
    // Found bad: put aside; the last time it was good stays known.
    pit.house.now_ms = 12_000;
    let bad = DiceStep::Inspect {
        good: false,
        text: String::new(),
    };
    assert_eq!(pit.dice("D-1", bad), "reason_needed");
    assert_eq!(pit.dice("D-1", inspect(false)), "done");
    assert_eq!(pit.state("D-1"), DiceState::Quarantined);
    let known = &pit.house.register.dice[&DiceSet::new("D-1").unwrap()];
    assert_eq!(known.good_ms, Some(9_000));
    assert_eq!(pit.dice("D-1", destroy()), "done");
    for step in [inspect(true), place("t1"), destroy()] {
        assert_eq!(pit.dice("D-1", step), "wrong_dice_state");
    }
    for number in ["", "D 1", "Đ-1", &"D".repeat(41)] {
        assert_eq!(DiceSet::new(number), None, "{number:?}");
    }
}

fn ledger(sequence: u64, rack: i64, drop: i64, tips: i64) -> Ledger {
    Ledger {
        sequence,
        rack: Money::from_minor(rack),
        fills: Money::from_minor(rack),
        drop: Money::from_minor(drop),
        tips: Money::from_minor(tips),
        colour_out: Money::ZERO,
    }
}

fn new(sequence: u64) -> NewShift {
    NewShift {
        table: table("t1"),
        currency: Currency::SGD,
        opener: Money::from_minor(50_000),
        ledger: ledger(sequence, 1_000, 300, 10),
        threshold: Money::from_minor(100),
        rack: Vec::new(),
        boxes: Boxes::default(),
    }
}

fn end(sequence: u64, counts: [i64; 3], comment: &str) -> ShiftEnd {
    let [closer, drop, tips] = counts.map(Money::from_minor);
    ShiftEnd {
        counts: Counts {
            closer,
            drop: Some(drop),
            tips: Some(tips),
        },
        // The rack lost 4,000 to players, 7,000 of cash came in, 90 of tips.
        ledger: ledger(sequence, -3_000, 7_300, 100),
        signed: Some(SignedTo {
            sequence,
            header_hash: [3; 32],
        }),
        comment: comment.to_owned(),
        rack: Vec::new(),
    }
}

#[test]
fn j_09_a_shift_is_signed_by_two_managers_and_covers_its_records() {
    let mut pit = Pit::new();
    let manager = pit.manager;
    let open = |sequence| Act::OpenShift { new: new(sequence) };
    assert_eq!(pit.two(SHIFT, None, open(40)), "second_person_needed");
    assert_eq!(pit.two(DEALER, Some(SHIFT), open(40)), "not_authorised");
    assert_eq!(pit.two(SHIFT, Some(manager), open(40)), "done");
    assert_eq!(pit.two(SHIFT, Some(manager), open(41)), "shift_open");
    // Refused bets are counted by the house alone, and add up.
    let count = |code: &str, count| Act::CountRefusals {
        shift: ShiftId(1),
        refused: vec![Refused {
            code: code.to_owned(),
            count,
        }],
    };
    assert_eq!(
        pit.two(SHIFT, None, count("bets_closed", 3)),
        "not_authorised"
    );
    for act in [
        count("stake_above_maximum", 1),
        count("bets_closed", 3),
        count("bets_closed", 2),
    ] {
        pit.house.ok(Party::House, act);
    }
    let refused = &pit.house.register.shifts[&ShiftId(1)].refused;
    let refused: Vec<(&str, u64)> = refused
        .iter()
        .map(|one| (one.code.as_str(), one.count))
        .collect();
    assert_eq!(refused, [("bets_closed", 5), ("stake_above_maximum", 1)]);
    // What the books say is in the boxes needs no comment; nor does a little.
    assert_eq!(
        pit.close(9, end(90, [46_000, 7_000, 90], "")),
        "unknown_shift"
    );
    assert_eq!(
        pit.close(1, end(39, [46_000, 7_000, 90], "")),
        "time_invalid"
    );
    let late = Act::CloseShift {
        shift: ShiftId(1),
        end: end(90, [46_000, 7_000, 90], ""),
        next: None,
    };
    assert_eq!(pit.two(SHIFT, Some(DEALER), late), "not_authorised");
    for (counts, code) in [
        ([45_899, 7_000, 90], "comment_needed"),
        ([46_000, 7_101, 90], "comment_needed"),
        ([46_000, 7_000, 191], "comment_needed"),
        ([-1, 7_000, 90], "amount_not_positive"),
        ([45_900, 7_100, 190], "done"),
    ] {
        assert_eq!(pit.close(1, end(90, counts, "")), code, "{counts:?}");
    }
    let shift = pit.house.register.shifts[&ShiftId(1)].clone();
    assert_eq!((shift.from_sequence, shift.to_sequence), (41, Some(90)));
    assert_eq!(shift.signed_by, [SHIFT, manager]);
    assert_eq!(shift.signed.map(|signed| signed.header_hash), Some([3; 32]));
    assert_eq!(pit.close(1, end(95, [0, 0, 0], "again")), "already_done");
    assert_eq!(
        pit.house.code(Party::House, count("bets_closed", 1)),
        "already_done"
    );
    // No record is of two shifts.
    assert_eq!(pit.two(SHIFT, Some(manager), open(89)), "time_invalid");
    assert_eq!(pit.two(SHIFT, Some(manager), open(90)), "done");
    let said = pit.close(2, end(120, [0, 0, 0], "the rack was not counted"));
    assert_eq!(said, "done");
    let of_table: Vec<u64> = pit
        .house
        .register
        .shifts_of(&table("t1"))
        .map(|(id, _)| id.0)
        .collect();
    assert_eq!(of_table, [1, 2]);
}

#[test]
fn j_09_a_shift_and_the_next_are_one_decision() {
    let mut pit = Pit::new();
    let manager = pit.manager;
    let open = |sequence| Act::OpenShift { new: new(sequence) };
    assert_eq!(pit.two(SHIFT, Some(manager), open(40)), "done");
    let ended = end(90, [46_000, 7_000, 90], "");
    let next = NewShift {
        opener: ended.counts.closer,
        ledger: ended.ledger,
        ..new(90)
    };
    let close = |next: &NewShift| Act::CloseShift {
        shift: ShiftId(1),
        end: ended.clone(),
        next: Some(Box::new(next.clone())),
    };
    // It begins with what they counted, after the record of the end, at the same table.
    for other in [
        new(90),
        NewShift {
            ledger: ledger(91, -3_000, 7_300, 100),
            ..next.clone()
        },
        NewShift {
            table: table("t2"),
            ..next.clone()
        },
    ] {
        let said = pit.two(SHIFT, Some(manager), close(&other));
        assert_eq!(said, "time_invalid");
    }
    let below = NewShift {
        threshold: Money::from_minor(-1),
        ..next.clone()
    };
    let said = pit.two(SHIFT, Some(manager), close(&below));
    assert_eq!(said, "amount_not_positive");
    assert_eq!(pit.two(SHIFT, Some(manager), close(&next)), "done");
    let (id, open) = pit.house.register.open_shift(&table("t1")).unwrap();
    assert_eq!((id, open.from_sequence), (ShiftId(2), 91));
    assert_eq!(open.opened_by, [SHIFT, manager]);
    assert_eq!(open.opener, Money::from_minor(46_000));
    let ended = &pit.house.register.shifts[&ShiftId(1)];
    assert_eq!(ended.to_sequence, Some(90));
    assert_eq!(ended.closed_at, Some(open.opened_at));
}

#[test]
fn j_09_boxes_are_counted_by_two_who_did_not_sign_and_by_their_numbers() {
    let mut pit = Pit::new();
    let (manager, money) = (pit.manager, Money::from_minor);
    let boxes = |drop: &str| Boxes {
        drop: drop.to_owned(),
        tips: "T-3".to_owned(),
    };
    let opened = NewShift {
        boxes: boxes("D-17"),
        ..new(40)
    };
    let open = Act::OpenShift { new: opened };
    assert_eq!(pit.two(SHIFT, Some(manager), open), "done");
    let notes = |count| Pieces {
        value: money(1_000),
        count,
    };
    let counted = |drop: &str, fifty: u32| Act::CountBoxes {
        shift: ShiftId(1),
        counted: BoxCount {
            boxes: boxes(drop),
            drop: money(7_000),
            drop_pieces: vec![notes(fifty)],
            tips: money(90),
            tip_pieces: Vec::new(),
        },
    };
    let said = pit.two(CASHIER, Some(DIRECTOR), counted("D-17", 7));
    assert_eq!(said, "shift_not_ended");
    // Who closes counts the rack alone; denominations come to the sum.
    let mut ended = end(90, [46_000, 0, 0], "");
    (ended.counts.drop, ended.counts.tips) = (None, None);
    ended.rack = vec![notes(45)];
    assert_eq!(pit.close(1, ended.clone()), "pieces_differ");
    ended.rack = vec![notes(46)];
    assert_eq!(pit.close(1, ended), "done");
    let shift = &pit.house.register.shifts[&ShiftId(1)];
    assert_eq!(
        (shift.closer, shift.drop, shift.tips),
        (Some(money(46_000)), None, None)
    );
    assert!(shift.boxes_wait());
    for (one, other, act, code) in [
        (CASHIER, None, counted("D-17", 7), "second_person_needed"),
        (CASHIER, Some(DEALER), counted("D-17", 7), "not_authorised"),
        (CASHIER, Some(SHIFT), counted("D-17", 7), "own_shift"),
        (manager, Some(CASHIER), counted("D-17", 7), "own_shift"),
        (CASHIER, Some(DIRECTOR), counted("D-18", 7), "wrong_box"),
        (CASHIER, Some(DIRECTOR), counted("D-17", 6), "pieces_differ"),
        (CASHIER, Some(DIRECTOR), counted("D-17", 7), "done"),
        (CASHIER, Some(DIRECTOR), counted("D-17", 7), "already_done"),
    ] {
        assert_eq!(pit.two(one, other, act), code, "{one:?} {other:?}");
    }
    let shift = &pit.house.register.shifts[&ShiftId(1)];
    assert_eq!(
        (shift.drop, shift.tips),
        (Some(money(7_000)), Some(money(90)))
    );
    let by = shift.soft_count.as_ref().map(|count| count.by.clone());
    assert_eq!(by, Some(vec![CASHIER, DIRECTOR]));
}
