//! One dishonest person alone, with every act of the register they could name, in
//! random order: nobody becomes two persons, and no device becomes a place.

use sicbo_register::command::{Act, Party, PinRight};
use sicbo_register::duties::Posts;
use sicbo_register::enrolment::{EnrolmentId, Key, NewEnrolment, Role, TableName};
use sicbo_register::event::Fact;
use sicbo_register::testing::{
    CASHIER, DEALER, DIRECTOR, HASH, HEAD, House, NEWCOMER, SHIFT, TECHNICIAN, WINDOW, person,
    station, terms,
};
use sicbo_register::voucher::Payee;
use sicbo_rules::Currency;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_testkit::random::Random;

/// Acts of each; `make soak` asks for more.
fn acts() -> usize {
    let asked = std::env::var("SICBO_DISHONEST_ACTS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

/// Something the person tries, as it comes.
fn attempt(random: &mut Random, who: PersonId) -> (Party, Option<PersonId>, Act) {
    let people = [
        DIRECTOR,
        HEAD,
        SHIFT,
        CASHIER,
        TECHNICIAN,
        DEALER,
        NEWCOMER,
        PersonId(8),
    ];
    let mut any = |from: usize| random.below(from);
    let other = people[any(people.len())];
    // Alone: nobody, or themselves once more, confirms it.
    let second = [None, Some(who)][any(2)];
    let number = any(200);
    let position = Position::all()[any(Position::all().len())];
    let key = u8::try_from(any(200)).unwrap_or_default();
    let role = match any(4) {
        0 => Role::Cage,
        1 => Role::PitDesk,
        2 => Role::Console {
            table: TableName::new("mbs-etg").unwrap(),
        },
        _ => station("mbs-etg", 1, 1).role,
    };
    let pin = HASH.to_owned();
    let act = match any(16) {
        0 => Act::AddPerson {
            person: person(&format!("Nobody {number}"), position),
        },
        1 => Act::ChangePosition {
            person: other,
            position,
        },
        2 => Act::ResetPin { person: other, pin },
        3 => Act::Enable { person: other, pin },
        4 => Act::Disable {
            person: other,
            reason: "away".to_owned(),
        },
        5 => Act::WitnessLogIn { person: other },
        6 => Act::Enrol {
            new: NewEnrolment {
                role,
                name: "laptop".to_owned(),
                key: Key::new([key; 32]).digest(),
            },
        },
        7 => Act::Revoke {
            enrolment: EnrolmentId(1 + u32::from(key) % 8),
            reason: "lost".to_owned(),
        },
        8 => Act::Assign {
            person: other,
            posts: Posts {
                tables: vec![TableName::new("mbs-etg").unwrap()],
                windows: vec![WINDOW],
            },
        },
        9 => Act::ChangePin {
            old: PinRight {
                person: other,
                pin_version: 1,
            },
            pin,
        },
        10 => Act::VoidVoucher {
            voucher: VoucherId(1),
            reason: "said".to_owned(),
        },
        11 => Act::BeginRedeem {
            request: number as u64,
            digest: [key; 32],
            to: Payee::Cage { cashier: who },
            currency: Currency::SGD,
            claimed: None,
        },
        12 => Act::LiftLock { person: other },
        13 => Act::ChangeTerms { terms: terms() },
        14 => Act::SetUp {
            terms: terms(),
            staff: vec![person("Another", Position::Director)],
            places: Vec::new(),
        },
        _ => Act::SetDuties {
            duties: sicbo_register::duties::Duties::default(),
        },
    };
    (Party::Person(who), second, act)
}

#[test]
fn one_person_alone_gains_no_account_no_pin_and_no_place() {
    let seed = getrandom::u64().unwrap_or(7);
    println!("seed {seed}");
    let mut random = Random(seed);
    for who in [DEALER, CASHIER, TECHNICIAN, SHIFT, HEAD, DIRECTOR] {
        let mut house = House::new().with_duties();
        let people = house.register.people.len();
        let places = house.register.enrolments.len();
        for _ in 0..acts() {
            house.now_ms += 60_000;
            let (by, second, act) = attempt(&mut random, who);
            let Ok(facts) = house.two(by, second, act.clone()) else {
                continue;
            };
            for fact in facts {
                let gained = match &fact {
                    Fact::PersonAdded { .. }
                    | Fact::PositionChanged { .. }
                    | Fact::PinReset { .. }
                    | Fact::PersonEnabled { .. }
                    | Fact::LogInWitnessed { .. }
                    | Fact::Enrolled { .. }
                    | Fact::VoucherVoided { .. }
                    | Fact::VoucherRedeemed { .. }
                    | Fact::DutiesSet { .. } => true,
                    Fact::PinChanged { person, .. } => *person != who,
                    Fact::Assigned { person, .. } => *person == who,
                    Fact::Revoked { enrolment, .. } => *enrolment == EnrolmentId(1),
                    _ => false,
                };
                assert!(!gained, "{who} alone: {act:?} gave {fact:?}");
            }
        }
        assert_eq!(house.register.people.len(), people, "{who}");
        assert_eq!(house.register.enrolments.len(), places, "{who}");
    }
}
