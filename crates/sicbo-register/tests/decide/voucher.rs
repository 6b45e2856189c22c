//! Vouchers in the register alone: states, refusals, guesses, expiry.

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};

use sicbo_loop::Machine as _;
use sicbo_register::Register;
use sicbo_register::command::{Act, Command, Party};
use sicbo_register::event::Fact;
use sicbo_register::recall::recall;
use sicbo_register::testing::*;
use sicbo_register::validation::VoucherSecret;
use sicbo_register::voucher::{Payee, Place, RECALLED, State, Unpaid};

const DAY: i64 = 86_400_000;
const SGD: Currency = Currency::SGD;

fn secret() -> VoucherSecret {
    VoucherSecret::new([6; 32])
}

fn digest(id: u64) -> [u8; 32] {
    let secret = secret();
    secret.digest(secret.number(VoucherId(id), 0))
}

fn here() -> Place {
    place("mbs-etg", 0)
}

fn reserve(origin: Place, minor: i64) -> Act {
    Act::ReserveVoucher {
        origin,
        station_name: "T0".to_owned(),
        currency: SGD,
        amount: Money::from_minor(minor),
    }
}

fn issue(voucher: VoucherId) -> Act {
    Act::IssueVoucher {
        voucher,
        amount: Money::from_minor(2_500),
        digest: digest(voucher.0),
        attempt: 0,
    }
}

/// A voucher of 25.00 in somebody's hand.
fn printed(house: &mut House) -> VoucherId {
    house.ok(Party::House, reserve(here(), 2_500));
    let voucher = VoucherId(house.register.last_voucher);
    house.ok(Party::House, issue(voucher));
    house.ok(Party::House, Act::BeginPrint { voucher });
    house.ok(Party::House, Act::ReportPrinted { voucher });
    voucher
}

fn at_cage() -> Payee {
    Payee::Cage { cashier: CASHIER }
}

fn present(digest: [u8; 32], request: u64, to: Payee) -> Act {
    Act::BeginRedeem {
        request,
        digest,
        to,
        currency: SGD,
        claimed: None,
    }
}

/// What is said to the cashier about a number.
fn cage(house: &mut House, act: Act) -> Result<(), Unpaid> {
    match &house.ok(Party::Person(CASHIER), act)[0] {
        Fact::VoucherRedeemed { .. } => Ok(()),
        Fact::RedemptionRefused { why, .. } => Err(*why),
        fact => panic!("{fact:?}"),
    }
}

#[test]
fn p_080_above_the_threshold_an_attendant_pays_by_hand() {
    let mut house = House::new();
    assert_eq!(
        house.code(Party::House, reserve(here(), 500_001)),
        "hand_pay_needed"
    );
    assert_eq!(
        house.code(Party::House, reserve(here(), 0)),
        "amount_not_positive"
    );
    assert_eq!(house.code(Party::House, reserve(here(), 500_000)), "done");
}

#[test]
fn s_13_the_same_command_again_asks_for_no_second_voucher() {
    let mut house = House::new();
    let ask = |house: &mut House, id: u64| {
        let command = Command {
            id,
            at_ms: house.now_ms,
            by: Party::Place(STATION),
            second: None,
            act: reserve(here(), 1_000),
        };
        let events = house.register.decide(&command).unwrap();
        events.iter().for_each(|event| house.register.apply(event));
        events.len()
    };
    assert_eq!(ask(&mut house, 77), 1);
    let voucher = VoucherId(house.register.last_voucher);
    assert_eq!(ask(&mut house, 77), 0, "on its way");
    house.ok(Party::House, issue(voucher));
    house.ok(Party::House, Act::BeginPrint { voucher });
    house.ok(Party::House, Act::ReportPrinted { voucher });
    assert_eq!(ask(&mut house, 77), 0, "in somebody's hand");
    assert_eq!(ask(&mut house, 78), 1, "another wish");
}

#[test]
fn p_080_a_station_cashes_out_only_its_own_credit() {
    let mut house = House::new();
    for (by, origin, code) in [
        (
            Party::Place(STATION),
            place("mbs-etg", 1),
            "not_your_station",
        ),
        (
            Party::Place(STATION),
            place("rws-etg", 0),
            "not_your_station",
        ),
        (Party::Place(WINDOW), here(), "not_your_station"),
        (Party::Person(TECHNICIAN), here(), "not_authorised"),
        (Party::Person(DEALER), place("mbs-etg", 5), "done"),
        (Party::Place(STATION), here(), "done"),
        (Party::Place(STATION), here(), "printer_busy"),
    ] {
        assert_eq!(house.code(by, reserve(origin, 100)), code);
    }
}

#[test]
fn p_081_only_the_house_moves_a_voucher_along_and_each_step_fits_one_state() {
    let voucher = VoucherId(1);
    let what = || "jam".to_owned();
    let acts = [
        issue(voucher),
        Act::ReleaseReservation { voucher },
        Act::BeginPrint { voucher },
        Act::ReportPrinted { voucher },
        Act::ReportPrintFailed {
            voucher,
            what: what(),
        },
        Act::FinishReturn { voucher },
        Act::FinishRedeem { voucher },
        Act::CancelRedeem {
            voucher,
            why: what(),
        },
        Act::KeepForCage {
            voucher,
            why: what(),
        },
    ];
    // Which of the acts are possible, in the order above, state by state.
    let to = Payee::Station(here());
    for (state, copies, possible) in [
        (
            State::Reserved,
            0,
            [true, true, false, false, false, false, false, false, false],
        ),
        (
            State::Issued,
            0,
            [false, false, true, false, true, false, false, false, false],
        ),
        (
            State::Issued,
            1,
            [false, false, true, true, true, false, false, false, false],
        ),
        (
            State::Issued,
            3,
            [false, false, false, true, true, false, false, false, false],
        ),
        (State::Printed, 1, [false; 9]),
        (
            State::Returning,
            1,
            [false, false, false, false, false, true, false, false, true],
        ),
        (
            State::Redeeming {
                to: to.clone(),
                request: 1,
            },
            1,
            [false, false, false, false, false, false, true, true, false],
        ),
        (
            State::Redeemed {
                to,
                request: 1,
                at_ms: 0,
            },
            1,
            [false, false, false, false, false, false, true, false, false],
        ),
        (State::Returned, 1, [false; 9]),
        (State::Kept, 1, [false; 9]),
        (State::Void, 1, [false; 9]),
        (State::Expired, 1, [false; 9]),
    ] {
        for (act, possible) in acts.iter().zip(possible) {
            let mut house = House::new();
            house.ok(Party::House, reserve(here(), 2_500));
            if state != State::Reserved {
                house.ok(Party::House, issue(voucher));
                house.put_voucher(voucher, state.clone(), copies);
            }
            assert_eq!(
                house.code(Party::Person(DIRECTOR), act.clone()),
                "not_authorised"
            );
            let done = house.code(Party::House, act.clone()) == "done";
            assert_eq!(done, possible, "{act:?} on {}", state.word());
        }
    }
    let mut house = House::new();
    for act in acts {
        assert_eq!(house.code(Party::House, act), "unknown_voucher");
    }
}

#[test]
fn s_14_not_found_already_paid_and_amount_differs_are_told_apart_and_on_record() {
    let mut house = House::new();
    let voucher = printed(&mut house);
    let good = digest(voucher.0);
    assert_eq!(
        cage(&mut house, present(digest(99), 1, at_cage())),
        Err(Unpaid::NotFound)
    );
    let claim = |minor| Act::BeginRedeem {
        request: 2,
        digest: good,
        to: at_cage(),
        currency: SGD,
        claimed: Some(Money::from_minor(minor)),
    };
    assert_eq!(cage(&mut house, claim(25_000)), Err(Unpaid::AmountDiffers));
    let in_dong = Act::BeginRedeem {
        request: 3,
        digest: good,
        to: at_cage(),
        currency: Currency::VND,
        claimed: None,
    };
    assert_eq!(cage(&mut house, in_dong), Err(Unpaid::CurrencyDiffers));
    assert_eq!(cage(&mut house, claim(2_500)), Ok(()));
    // The same request again is the same redemption; another one is another.
    assert_eq!(house.ok(Party::Person(CASHIER), claim(2_500)), []);
    assert_eq!(
        cage(&mut house, present(good, 4, at_cage())),
        Err(Unpaid::AlreadyPaid)
    );
    assert_eq!(
        house.register.totals["SGD"].redeemed_at_cage,
        Money::from_minor(2_500)
    );
    assert_eq!(house.register.totals["SGD"].outstanding, Money::ZERO);
}

#[test]
fn p_081_only_a_cashier_or_shift_manager_pays_at_the_cage_in_their_own_name() {
    let mut house = House::new();
    let good = digest(printed(&mut house).0);
    let pay = |cashier| present(good, 1, Payee::Cage { cashier });
    for (by, cashier, code) in [
        (Party::House, CASHIER, "not_authorised"),
        (Party::Place(WINDOW), CASHIER, "not_authorised"),
        (Party::Person(DEALER), DEALER, "not_authorised"),
        (Party::Person(CASHIER), SHIFT, "not_authorised"),
        (Party::Person(PersonId(77)), PersonId(77), "unknown_person"),
        (Party::Person(SHIFT), SHIFT, "done"),
    ] {
        assert_eq!(house.code(by, pay(cashier)), code);
    }
}

#[test]
fn s_15_guessing_numbers_locks_that_station_and_no_other() {
    let mut house = House::new();
    let good = digest(printed(&mut house).0);
    let (one, other) = (Payee::Station(here()), Payee::Station(place("mbs-etg", 1)));
    for guess in 0..4 {
        let facts = house.ok(Party::House, present([guess; 32], 1, one.clone()));
        assert_eq!(facts.len(), 1);
    }
    let facts = house.ok(Party::House, present([9; 32], 1, one.clone()));
    assert!(matches!(
        facts[1],
        Fact::RedemptionLocked {
            until_ms: 61_000,
            ..
        }
    ));
    assert_eq!(
        house.code(Party::House, present(good, 2, one.clone())),
        "locked_out"
    );
    house.now_ms += 60_000;
    let facts = house.ok(Party::House, present([9; 32], 1, one.clone()));
    assert!(matches!(
        facts[1],
        Fact::RedemptionLocked {
            until_ms: 181_000,
            ..
        }
    ));
    assert_eq!(house.code(Party::House, present(good, 3, other)), "done");
    // A quiet quarter of an hour after the lock, one slip is one slip.
    house.now_ms += 120_000 + 900_001;
    assert_eq!(house.ok(Party::House, present([9; 32], 1, one)).len(), 1);
}

#[test]
fn p_081_a_voucher_expires_when_it_is_presented_and_never_by_itself() {
    let mut house = House::new();
    let voucher = printed(&mut house);
    let due = house.now_ms + 30 * DAY;
    // No clock that jumps can take it from whoever holds it.
    assert_eq!(house.register.deadline_ms(), None);
    assert!(house.register.due(due).is_empty());
    let late = present(digest(voucher.0), 1, at_cage());
    let issued = house.now_ms;
    house.now_ms = due;
    assert_eq!(cage(&mut house, late.clone()), Err(Unpaid::Expired));
    assert_eq!(house.register.vouchers[&voucher].state, State::Printed);
    assert_eq!(
        house.register.totals["SGD"].outstanding,
        Money::from_minor(2_500)
    );
    // The clock was wrong: once it is right, the voucher is paid.
    house.now_ms = issued + DAY;
    assert_eq!(cage(&mut house, late), Ok(()));
}

#[test]
fn p_081_nothing_expires_while_the_clocks_have_parted() {
    let mut house = House::new();
    let voucher = printed(&mut house);
    let machine_ms = house.now_ms + 100 * DAY;
    let part = Act::ReportClock { machine_ms };
    assert_eq!(house.ok(Party::House, part.clone()).len(), 1);
    assert!(house.ok(Party::House, part).is_empty(), "said once");
    house.now_ms += 31 * DAY;
    let late = present(digest(voucher.0), 1, at_cage());
    assert_eq!(cage(&mut house, late), Ok(()));
    assert!(matches!(
        house.register.vouchers[&voucher].state,
        State::Redeemed { .. }
    ));
}

#[test]
fn p_081_voiding_takes_two_persons_and_a_voucher_in_somebodys_hand() {
    let mut house = House::new();
    let voucher = printed(&mut house);
    let void = Act::VoidVoucher {
        voucher,
        reason: "torn".to_owned(),
    };
    for (by, second, code) in [
        (SHIFT, None, "second_person_needed"),
        (SHIFT, Some(SHIFT), "same_person_twice"),
        (DEALER, Some(CASHIER), "not_authorised"),
        (SHIFT, Some(TECHNICIAN), "not_authorised"),
        (CASHIER, Some(SHIFT), "done"),
        (CASHIER, Some(SHIFT), "wrong_voucher_state"),
    ] {
        let answer = house.two(Party::Person(by), second, void.clone());
        assert_eq!(
            answer.map_or_else(|refusal| refusal.code(), |_| "done"),
            code
        );
    }
    let paper = present(digest(voucher.0), 1, at_cage());
    assert_eq!(cage(&mut house, paper), Err(Unpaid::Void));
}

#[test]
fn s_13_a_station_recalls_its_last_35_without_whole_numbers_that_can_be_paid() {
    let mut house = House::new();
    for _ in 0..40 {
        printed(&mut house);
    }
    let last = VoucherId(40);
    assert_eq!(cage(&mut house, present(digest(39), 1, at_cage())), Ok(()));
    let to = Payee::Station(here());
    house.ok(Party::House, present(digest(38), 1, to));
    house.ok(
        Party::House,
        Act::FinishRedeem {
            voucher: VoucherId(38),
        },
    );
    let (issued, accepted) = recall(&house.register, &secret(), &here());
    assert_eq!(issued.len(), RECALLED);
    assert_eq!((issued[0].voucher, issued[0].sequence), (last, 40));
    assert_eq!(issued[34].sequence, 6);
    let whole = secret().number(last, 0).grouped();
    assert!(issued[0].number.starts_with("**-****-****-****-"));
    assert!(issued[0].number.ends_with(&whole[whole.len() - 4..]));
    assert_eq!(
        issued[1].number,
        secret().number(VoucherId(39), 0).grouped()
    );
    assert_eq!(accepted.len(), 1);
    assert_eq!(
        (accepted[0].voucher, accepted[0].state),
        (VoucherId(38), "redeemed")
    );
    assert_eq!(recall(&Register::default(), &secret(), &here()).0, []);
}

#[test]
fn s_13_no_number_that_can_be_paid_is_in_the_journal() {
    let mut house = House::new();
    let voucher = printed(&mut house);
    let number = secret().number(voucher, 0);
    let kept = house.register.snapshot();
    let hidden = |bytes: &[u8]| !kept.windows(bytes.len()).any(|part| part == bytes);
    assert!(hidden(number.digits().as_bytes()));
    let figure: u64 = number.digits().parse().unwrap();
    assert!(hidden(&figure.to_be_bytes()) && hidden(&figure.to_le_bytes()));
}
