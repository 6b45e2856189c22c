//! What a house is, in its own journal.

use sicbo_loop::Machine as _;
use sicbo_register::command::{Act, Command, Party, PinRight};
use sicbo_register::identity::{HouseKind, Identity, SecretCheck};
use sicbo_register::person::NewPerson;
use sicbo_register::pin::{Pin, PinCost, PinHasher};
use sicbo_register::set_up::set_up;
use sicbo_register::testing::{DIRECTOR, House, identity, terms};
use sicbo_register::{Fact, Register};
use sicbo_rules::rulebook::words::Position;

fn asked(register: &Register, act: Act) -> Result<Vec<Fact>, &'static str> {
    let command = Command {
        id: 1,
        at_ms: 1_000,
        by: Party::House,
        second: None,
        act,
    };
    let decided = register.decide(&command);
    let facts = decided.map(|events| events.into_iter().map(|event| event.fact).collect());
    facts.map_err(|refusal| refusal.code())
}

#[test]
fn a_house_says_what_it_is_once_and_nothing_else_ever() {
    // A journal from before it could, and one that begins with it.
    for mut house in [House::new(), House::empty()] {
        let said = identity();
        assert_eq!(house.register.identity, None);
        let act = Act::IdentifyHouse { identity: said };
        let facts = house.ok(Party::House, act.clone());
        assert_eq!(facts, [Fact::HouseIdentified { identity: said }]);
        assert_eq!(house.register.identity, Some(said));
        assert_eq!(
            house.ok(Party::House, act),
            [],
            "said again, nothing is written"
        );
        let check = SecretCheck::of("pins.secret", &[8; 32]);
        for other in [
            Identity {
                kind: HouseKind::PlayMoney,
                ..said
            },
            Identity {
                pins: check,
                ..said
            },
            Identity {
                vouchers: check,
                ..said
            },
            Identity {
                tumblers: check,
                ..said
            },
        ] {
            let act = Act::IdentifyHouse { identity: other };
            assert_eq!(asked(&house.register, act), Err("another_house"));
        }
        let bytes = house.register.snapshot();
        assert_eq!(Register::from_snapshot(&bytes), Some(house.register));
    }
}

#[test]
fn a_check_value_is_of_one_secret_in_one_file() {
    let one = SecretCheck::of("pins.secret", &[7; 32]);
    for bit in 0..256 {
        let mut flipped = [7; 32];
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(SecretCheck::of("pins.secret", &flipped), one, "bit {bit}");
    }
    assert_ne!(SecretCheck::of("vouchers.secret", &[7; 32]), one);
}

#[test]
fn a_hash_of_somebody_elses_pin_cannot_be_written_down() {
    let hasher = PinHasher::new([7; 32], PinCost::LOW).unwrap();
    let pin = Pin::new("739182").unwrap();
    let of = |name: &str| hasher.hash(name, &pin, [9; 16]).unwrap();
    let mut house = House::empty();
    let said = identity();
    house.ok(Party::House, Act::IdentifyHouse { identity: said });
    // The first people: each with their own.
    let staff = [
        ("Tan Wei Ming", Position::Director),
        ("New Comer", Position::Dealer),
    ];
    let (act, _) = set_up(&hasher, terms(), &staff, Vec::new()).unwrap();
    let Act::SetUp { mut staff, .. } = act.clone() else {
        unreachable!()
    };
    staff[0].pin = staff[1].pin.clone();
    let swapped = Act::SetUp {
        terms: terms(),
        staff,
        places: Vec::new(),
    };
    assert_eq!(asked(&house.register, swapped), Err("pin_hash_invalid"));
    house.ok(Party::House, act);
    let old = PinRight {
        person: DIRECTOR,
        pin_version: 1,
    };
    let director = Party::Person(DIRECTOR);
    let pin = of("Tan Wei Ming");
    house.ok(director, Act::ChangePin { old, pin });
    // And everyone after them. The dealer was the second there.
    let (dealer, name) = (sicbo_table::ids::PersonId(2), "New Comer");
    let acts = |name: &str| {
        let (person, pin) = (dealer, of(name));
        let lee = NewPerson {
            name: "Ann Lee".to_owned(),
            position: Position::Dealer,
            pin: of(if name == "New Comer" { "Ann Lee" } else { name }),
        };
        [
            Act::ResetPin { person, pin },
            Act::AddPerson { person: lee },
        ]
    };
    for act in acts("Tan Wei Ming") {
        assert_eq!(house.code(director, act), "pin_hash_invalid");
    }
    for act in acts(name) {
        house.ok(director, act);
    }
}
