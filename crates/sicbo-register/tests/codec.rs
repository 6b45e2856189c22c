//! Every kind there and back, and any bytes at all.

use proptest::prelude::*;
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};

use sicbo_loop::Machine as _;
use sicbo_register::codec::*;
use sicbo_register::command::Party;
use sicbo_register::duties::{Duties, Posts};
use sicbo_register::enrolment::{EnrolmentId, NewEnrolment, Role, TableName};
use sicbo_register::event::{Event, Fact};
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_register::proposal::{NewProposal, ProposalEnd};
use sicbo_register::reached::Reached;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::testing::{identity, person, place, set_up, station, terms};
use sicbo_register::voucher::{Payee, Unpaid};
use sicbo_register::{Act, Register};
use sicbo_table::codec::DecodeError;

fn sitting(seen: Option<sicbo_register::play::Seen>) -> sicbo_register::play::Sitting {
    use sicbo_register::play::{Sitting, Tally};
    use sicbo_table::ids::SessionNumber;
    Sitting {
        session: SessionNumber(4),
        began_ms: 5,
        base: Tally {
            staked: Money::from_minor(6),
            returned: Money::ZERO,
        },
        seen,
    }
}

fn samples() -> Vec<Fact> {
    let (id, voucher, pin) = (PersonId(7), VoucherId(9), "$argon2id$…".to_owned());
    let place_id = Some(EnrolmentId(3));
    let to = Payee::Station(place("mbs-etg", 4));
    let table = TableName::new("t1").unwrap();
    let Act::SetUp {
        terms: house,
        staff,
        places,
    } = set_up()
    else {
        unreachable!()
    };
    let enrolled = |role| Fact::Enrolled {
        enrolment: EnrolmentId(1),
        new: NewEnrolment {
            role,
            name: "N".to_owned(),
            key: [5; 32],
        },
    };
    let mut facts = vec![
        Fact::HouseSetUp {
            terms: house,
            staff,
            places,
        },
        Fact::TermsChanged { terms: terms() },
        Fact::PositionsNamed {
            names: vec!["Vice President".to_owned(), "Tổng Giám đốc".to_owned()],
        },
        Fact::HouseIdentified {
            identity: identity(),
        },
        Fact::PersonAdded {
            person: id,
            new: person("Ada", Position::AboveDirector4),
        },
        Fact::PersonAdded {
            person: id,
            new: person("Lan", Position::Cashier),
        },
        Fact::PositionChanged {
            person: id,
            from: Position::Dealer,
            to: Position::Technician,
        },
        Fact::PinReset {
            person: id,
            pin: pin.clone(),
        },
        Fact::PinChanged {
            person: id,
            pin: pin.clone(),
        },
        Fact::PersonDisabled {
            person: id,
            reason: "left".to_owned(),
        },
        Fact::PersonEnabled { person: id, pin },
        Fact::LockLifted { person: id },
        Fact::DutiesSet {
            duties: Duties::default(),
        },
        Fact::FirstPinsLimited { hours: 24 },
        Fact::LogInWitnessed { person: id },
        Fact::Assigned {
            person: id,
            posts: Posts {
                tables: vec![table.clone()],
                windows: vec![EnrolmentId(2)],
            },
        },
        Fact::LoggedIn {
            person: id,
            session: SessionId(u64::MAX),
            place: None,
        },
        Fact::LogInFailed {
            person: None,
            name: "Nguyễn".to_owned(),
            place: place_id,
        },
        Fact::LockedOut {
            person: Some(id),
            place: None,
            until_ms: i64::MIN,
        },
        Fact::TryFailed {
            person: Some(id),
            name: "Nguyễn".to_owned(),
            place: place_id,
            from: "2001:db8::".to_owned(),
            wait_until_ms: Some(i64::MAX),
        },
        Fact::SecondFactorSet {
            person: id,
            sealed: "1.00ff".to_owned(),
        },
        Fact::PinExpired { person: id },
        Fact::AccountExpired { person: id },
        Fact::LoggedOut {
            person: id,
            session: SessionId(0),
            why: LogOutReason::Idle,
        },
        Fact::Enrolled {
            enrolment: EnrolmentId(u32::MAX),
            new: station("t1", 3, 4),
        },
        enrolled(Role::Console {
            table: table.clone(),
        }),
        enrolled(Role::Display { table: None }),
        enrolled(Role::Device {
            table,
            device: sicbo_table::actor::Device::DiceReader,
        }),
        enrolled(Role::PitDesk),
        enrolled(Role::TechnicianDesk),
        enrolled(Role::AuditDesk),
        Fact::Revoked {
            enrolment: EnrolmentId(1),
            reason: "stolen".to_owned(),
        },
        Fact::VoucherReserved {
            voucher,
            origin: place("t1", 0),
            station_name: "T1".to_owned(),
            currency: Currency::VND,
            amount: Money::MAX,
        },
        Fact::ReservationReleased { voucher },
        Fact::VoucherIssued {
            voucher,
            amount: Money::from_minor(1),
            sequence: 4,
            digest: [8; 32],
            attempt: 1,
            expires_ms: 99,
        },
        Fact::PrintBegan { voucher, copy: 2 },
        Fact::VoucherPrinted { voucher },
        Fact::PrintFailed {
            voucher,
            what: "paper".to_owned(),
        },
        Fact::VoucherReturned { voucher },
        Fact::RedemptionBegan {
            voucher,
            request: 3,
            to: to.clone(),
        },
        Fact::RedemptionLocked {
            to: to.clone(),
            until_ms: 5,
        },
        Fact::RedemptionCancelled {
            voucher,
            why: "full".to_owned(),
        },
        Fact::VoucherRedeemed {
            voucher,
            request: 3,
            to: Payee::Cage { cashier: id },
        },
        Fact::VoucherVoided {
            voucher,
            reason: "torn".to_owned(),
        },
        Fact::VoucherExpired { voucher },
        Fact::ClockParted { machine_ms: -5 },
        Fact::ClockSet {
            was_ms: 7,
            is_ms: i64::MAX,
        },
        Fact::VoucherKept {
            voucher,
            why: "left".to_owned(),
        },
    ];
    facts.extend(case_samples());
    facts.extend(custody_samples());
    facts.extend(play_samples());
    for why in [
        Unpaid::NotFound,
        Unpaid::AlreadyPaid,
        Unpaid::BeingPaid,
        Unpaid::AmountDiffers,
        Unpaid::CurrencyDiffers,
        Unpaid::Expired,
        Unpaid::Void,
        Unpaid::NotPrinted,
    ] {
        facts.push(Fact::RedemptionRefused {
            voucher: Some(voucher),
            request: 3,
            to: to.clone(),
            why,
        });
    }
    facts
}

fn case_samples() -> Vec<Fact> {
    use sicbo_register::case::{
        Answer, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Outcome, RefusedBet, Rung, Step,
    };
    use sicbo_table::ids::{BetId, RoundNumber, SessionNumber, StationId};
    let case = CaseId(u64::MAX);
    let text = || "as said".to_owned();
    let rung = |position, or_above| Rung { position, or_above };
    let mut facts: Vec<Fact> = Kind::ALL
        .into_iter()
        .flat_map(|kind| Grievance::ALL.map(|grievance| (kind, grievance)))
        .map(|(kind, grievance)| Fact::CaseOpened {
            case,
            new: Box::new(NewCase {
                kind,
                table: TableName::new("t1").unwrap(),
                ladder: Ladder {
                    book: "mbs-etg".to_owned(),
                    first: rung(Position::PitSupervisor, true),
                    escalated: rung(Position::ShiftManager, false),
                    bases: 8,
                    authority_days: Some(7),
                },
                round: Some(RoundNumber(5)),
                station: Some(StationId(0)),
                session: Some(SessionNumber(2)),
                grievance,
                words: text(),
                claimed: Claimed {
                    bet: Some(BetId(1)),
                    tapped_ms: Some(-4),
                    sent_ms: None,
                },
                refused: vec![RefusedBet {
                    bet: BetId(2),
                    at_ms: 5,
                    code: "bets_closed".to_owned(),
                }],
            }),
        })
        .collect();
    let steps = [
        Step::Take,
        Step::Note { text: text() },
        Step::Bookmark {
            camera: "C-12".to_owned(),
            from_ms: 4,
            to_ms: Some(9),
            text: text(),
        },
        Step::CheckUv {
            genuine: false,
            text: text(),
        },
        Step::Escalate { text: text() },
        Step::AcknowledgeNotice,
        Step::Promise { until_ms: 77 },
        Step::LinkAdjustment {
            sequence: 4,
            amount: Money::from_minor(-5),
        },
        Step::TellRights,
        Step::NotifyAuthority { text: text() },
        Step::Complain { text: text() },
        Step::Close { text: text() },
    ];
    let outcomes = [Outcome::Upheld, Outcome::Partly, Outcome::Rejected];
    let decided = outcomes.map(|outcome| Step::Decide {
        outcome,
        bases: vec![1, 8],
        text: text(),
    });
    let on_each = outcomes.map(|outcome| Step::DecideOnEach {
        outcome,
        bases: vec![1, 8],
        silent: vec![2, 3, 4, 5, 6, 7],
        text: text(),
    });
    let answers = [
        Answer::Agrees,
        Answer::Disagrees,
        Answer::Left,
        Answer::Withdraws,
    ];
    let answered = answers.map(|answer| Step::Answer { answer });
    let decided = decided.into_iter().chain(on_each);
    let steps = steps.into_iter().chain(decided).chain(answered);
    facts.extend(steps.map(|step| Fact::CaseStepped {
        case,
        acting: Some(Position::PitManager),
        step,
    }));
    facts
}

fn custody_samples() -> Vec<Fact> {
    use sicbo_register::dice::{DiceSet, DiceStep};
    use sicbo_register::shift::{
        BoxCount, Boxes, Counts, Ledger, NewShift, Pieces, Refused, ShiftEnd, ShiftId, SignedTo,
    };
    let text = || "as seen".to_owned();
    let table = TableName::new("t1").unwrap();
    let steps = [
        DiceStep::Receive { seal: text() },
        DiceStep::Inspect {
            good: true,
            text: text(),
        },
        DiceStep::Place {
            table: table.clone(),
        },
        DiceStep::Remove { text: text() },
        DiceStep::Quarantine { text: text() },
        DiceStep::Destroy { text: text() },
    ];
    let stepped = steps.into_iter().map(|step| Fact::DiceStepped {
        set: DiceSet::new("D-0001").unwrap(),
        step,
    });
    let mut facts: Vec<Fact> = stepped.collect();
    let (shift, ledger) = (ShiftId(3), Ledger::default());
    facts.push(Fact::ShiftOpened {
        shift,
        new: NewShift {
            table,
            currency: Currency::VND,
            opener: Money::MAX,
            ledger,
            threshold: Money::ZERO,
            rack: Vec::new(),
            boxes: Boxes::default(),
        },
    });
    facts.push(Fact::RefusalsCounted {
        shift,
        refused: vec![Refused {
            code: "bets_closed".to_owned(),
            count: 4,
        }],
    });
    facts.push(Fact::ShiftClosed {
        shift,
        end: ShiftEnd {
            counts: Counts::default(),
            ledger,
            signed: Some(SignedTo {
                sequence: 9,
                header_hash: [4; 32],
            }),
            comment: text(),
            rack: vec![Pieces {
                value: Money::from_minor(500),
                count: 20,
            }],
        },
    });
    facts.push(Fact::BoxesCounted {
        shift,
        counted: BoxCount {
            boxes: Boxes {
                drop: "D-17".to_owned(),
                tips: "T-3".to_owned(),
            },
            drop: Money::from_minor(10_000),
            drop_pieces: vec![Pieces {
                value: Money::from_minor(5_000),
                count: 2,
            }],
            tips: Money::ZERO,
            tip_pieces: Vec::new(),
        },
    });
    facts
}

fn play_samples() -> Vec<Fact> {
    use sicbo_register::play::clock::PlayClock;
    use sicbo_register::play::limits::{LimitKey, Measure, Window};
    use sicbo_register::play::member::MemberId;
    use sicbo_register::play::{Card, Counted, PlayLimits, PlayStep, Proof, Seen, Tally};
    use sicbo_table::ids::SessionNumber;
    let reason = || "on the list".to_owned();
    let limits = PlayLimits {
        loss: Some(Money::from_minor(500)),
        spend: None,
        minutes: Some(90),
    };
    let card = Card {
        member: MemberId([7; 32]),
        currency: Currency::VND,
    };
    let steps = [
        PlayStep::Limit { limits },
        PlayStep::Check { minutes: Some(30) },
        PlayStep::Check { minutes: None },
        PlayStep::Acknowledge,
        PlayStep::Break { minutes: 15 },
        PlayStep::Stop { reason: reason() },
        PlayStep::Resume { reason: reason() },
        PlayStep::Present { card },
        PlayStep::Prove {
            card,
            proof: Proof::Pin,
        },
        PlayStep::Prove {
            card,
            proof: Proof::Read,
        },
    ];
    let keys: Vec<LimitKey> = LimitKey::all().collect();
    let set = keys.iter().map(|key| PlayStep::Set {
        key: *key,
        most: (key.measure != Measure::Time).then_some(500),
    });
    let confirm = PlayStep::Confirm {
        key: LimitKey {
            window: Window::Month,
            measure: Measure::Loss,
        },
    };
    let steps = steps.into_iter().chain(set).chain([confirm]);
    let seen = Seen {
        check_min: 45,
        clock: PlayClock {
            played_ms: 9,
            last_ms: Some(10),
        },
    };
    let changed = steps.enumerate().map(move |(at, step)| Fact::PlayChanged {
        place: place("t1", 3),
        sitting: sitting((at > 0).then_some(seen)),
        step,
    });
    let line = |last_ms| Counted {
        place: place("t1", 3),
        session: SessionNumber(4),
        meters: Tally {
            staked: Money::from_minor(6),
            returned: Money::from_minor(7),
        },
        clock: PlayClock {
            played_ms: 8,
            last_ms,
        },
    };
    let counted = Fact::PlaysCounted {
        offset_min: -60,
        lines: vec![line(None), line(Some(9))],
    };
    changed.chain([counted]).chain(proposals()).collect()
}

fn proposals() -> impl Iterator<Item = Fact> {
    let made = |table| Fact::ProposalMade {
        proposal: 5,
        new: NewProposal {
            table,
            act: "hand_pay".to_owned(),
            words: "pays 40.00 at T1".to_owned(),
            digest: [3; 32],
        },
    };
    let ended = |end| Fact::ProposalEnded { proposal: 5, end };
    let second = PersonId(2);
    let ends = [
        ProposalEnd::Confirmed { second },
        ProposalEnd::Withdrawn,
        ProposalEnd::Lapsed,
        ProposalEnd::ReadingsDiffer,
        ProposalEnd::Restarted,
    ];
    let made = [made(None), made(TableName::new("t1"))];
    let restarted = Fact::TableRestarted {
        table: TableName::new("t1").unwrap(),
        reason: "a new disk".to_owned(),
    };
    let noted = Fact::SecurityNoted {
        notes: SecurityKind::ALL
            .iter()
            .map(|kind| SecurityNote {
                kind: *kind,
                person: Some(PersonId(4)),
                place: Some(EnrolmentId(5)),
                address: Some("2001:db8::1".to_owned()),
                what: "POST /api/people".to_owned(),
                count: 7,
                first_ms: 8,
                last_ms: 9,
            })
            .collect(),
    };
    let reached = Fact::TableReached {
        table: TableName::new("t1").unwrap(),
        reached: Reached {
            sequence: 4_000,
            header_hash: [7; 32],
        },
    };
    let went_on = Fact::WentOnAfterRollback {
        reason: "a restored backup".to_owned(),
        tree_size: 40,
        known_size: 49,
        life: 2,
    };
    let tables = [restarted, noted, reached, went_on];
    made.into_iter().chain(ends.map(ended)).chain(tables)
}

fn events() -> impl Iterator<Item = Event> {
    let parties = [
        Party::House,
        Party::Person(PersonId(4)),
        Party::Place(EnrolmentId(8)),
    ];
    samples().into_iter().flat_map(move |fact| {
        parties.map(|by| Event {
            at_ms: 1_794_772_800_000,
            by,
            second: (by == parties[1]).then_some(PersonId(2)),
            command: 77,
            fact: fact.clone(),
        })
    })
}

#[test]
fn every_kind_goes_there_and_back_in_one_spelling() {
    let mut seen = std::collections::BTreeSet::new();
    for event in events() {
        let mut bytes = Vec::new();
        let (kind, version) = encode(&event, &mut bytes);
        seen.insert(kind);
        assert_eq!(decode(kind, version, &bytes), Ok(event));
        // Cut anywhere or with more behind, it is no event.
        for end in 0..bytes.len() {
            assert!(decode(kind, version, &bytes[..end]).is_err());
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(matches!(
            decode(kind, version, &longer),
            Err(DecodeError::Trailing { .. })
        ));
        assert!(matches!(
            decode(kind, version + 1, &bytes),
            Err(DecodeError::UnknownVersion { .. })
        ));
    }
    let all: Vec<u16> = KINDS.iter().map(|info| info.kind).collect();
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        all,
        "a sample of every kind"
    );
    assert!(all.is_sorted_by(|a, b| a < b));
}

proptest! {
    #[test]
    fn any_bytes_are_an_event_or_an_error(
        kind in 0u16..100,
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        if let Ok(event) = decode(kind, 1, &bytes) {
            let mut again = Vec::new();
            prop_assert_eq!(encode(&event, &mut again), (kind, 1));
            prop_assert_eq!(decode(kind, 1, &again), Ok(event));
        }
        let _ = Register::from_snapshot(&bytes);
    }

    #[test]
    fn an_event_with_a_changed_byte_is_an_event_or_an_error(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let events: Vec<Event> = events().collect();
        let mut bytes = Vec::new();
        let (kind, version) = encode(which.get(&events), &mut bytes);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = decode(kind, version, &bytes);
    }
}

#[test]
fn r_200_names_above_the_director_and_who_holds_one_have_one_spelling_for_ever() {
    let event = |fact| Event {
        at_ms: 1_000,
        by: Party::House,
        second: None,
        command: 7,
        fact,
    };
    let named = event(Fact::PositionsNamed {
        names: vec!["VP".to_owned(), "COO".to_owned()],
    });
    let changed = event(Fact::PositionChanged {
        person: PersonId(2),
        from: Position::Director,
        to: Position::AboveDirector1,
    });
    for (event, kind, payload) in [
        (named, 3, "851903e88100f6078262565063434f4f"),
        (changed, 11, "871903e88100f60702040c"),
    ] {
        let mut bytes = Vec::new();
        assert_eq!(encode(&event, &mut bytes), (kind, 1));
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, payload);
        assert_eq!(decode(kind, 1, &bytes), Ok(event));
    }
}

#[test]
fn a_shift_of_version_1_is_read_for_ever() {
    use sicbo_register::shift::{Boxes, Counts, Ledger, NewShift, ShiftEnd, ShiftId, SignedTo};
    // As they were written: what the books said had no colour chips that are out.
    let opened: &[u8] = &[
        0x86, 0x19, 0x03, 0xe8, 0x82, 0x01, 0x02, 0x03, 0x07, 0x05, 0x85, 0x62, b't', b'1', 0x82,
        0x63, b'S', b'G', b'D', 0x02, 0x18, 0x64, 0x85, 0x09, 0x01, 0x02, 0x03, 0x04, 0x06,
    ];
    let ledger = Ledger {
        sequence: 9,
        rack: Money::from_minor(1),
        fills: Money::from_minor(2),
        drop: Money::from_minor(3),
        tips: Money::from_minor(4),
        colour_out: Money::ZERO,
    };
    let new = NewShift {
        table: TableName::new("t1").unwrap(),
        currency: Currency::SGD,
        opener: Money::from_minor(100),
        ledger,
        threshold: Money::from_minor(6),
        rack: Vec::new(),
        boxes: Boxes::default(),
    };
    let shift = ShiftId(5);
    let mut closed = vec![
        0x86, 0x19, 0x03, 0xe8, 0x82, 0x01, 0x02, 0x03, 0x07, 0x05, 0x84, 0x83, 0x0a, 0x0b, 0x0c,
        0x85, 0x09, 0x01, 0x02, 0x03, 0x04, 0x82, 0x08, 0x58, 0x20,
    ];
    closed.extend([7; 32]);
    closed.extend([0x62, b'o', b'k']);
    let end = ShiftEnd {
        counts: Counts {
            closer: Money::from_minor(10),
            drop: Some(Money::from_minor(11)),
            tips: Some(Money::from_minor(12)),
        },
        ledger,
        signed: Some(SignedTo {
            sequence: 8,
            header_hash: [7; 32],
        }),
        comment: "ok".to_owned(),
        rack: Vec::new(),
    };
    for (kind, payload, fact) in [
        (85, opened, Fact::ShiftOpened { shift, new }),
        (86, closed.as_slice(), Fact::ShiftClosed { shift, end }),
    ] {
        let event = decode(kind, 1, payload).expect("readable");
        assert_eq!(event.fact, fact);
        assert_eq!(event.second, Some(PersonId(3)));
        let newer = decode(kind, 2, payload);
        assert!(newer.is_err(), "{newer:?}");
        for end in 0..payload.len() {
            assert!(decode(kind, 1, &payload[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn a_change_of_play_of_version_1_is_read_for_ever() {
    use sicbo_register::play::PlayStep;
    // As it was written: no interval of the house and no clock of play.
    let payload: &[u8] = &[
        0x87, 0x19, 0x03, 0xe8, 0x82, 0x02, 0x01, 0xf6, 0x07, 0x82, 0x62, b't', b'1', 0x03, 0x83,
        0x04, 0x05, 0x82, 0x06, 0x00, 0x82, 0x03, 0x0f,
    ];
    let event = decode(90, 1, payload).expect("readable");
    let fact = Fact::PlayChanged {
        place: place("t1", 3),
        sitting: sitting(None),
        step: PlayStep::Break { minutes: 15 },
    };
    assert_eq!(event.fact, fact);
    assert_eq!((event.at_ms, event.command), (1_000, 7));
    for end in 0..payload.len() {
        assert!(decode(90, 1, &payload[..end]).is_err(), "{end}");
    }
}
