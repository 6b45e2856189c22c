//! What is kept of settled vouchers, and for how long.

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::VoucherId;

use sicbo_loop::Machine;
use sicbo_register::Register;
use sicbo_register::command::{Act, Party};
use sicbo_register::derive::derive;
use sicbo_register::event::{Event, Fact};
use sicbo_register::settled::{MARKED_FOR_MS, WHOLE_FOR_MS};
use sicbo_register::testing::*;
use sicbo_register::voucher::{Payee, RECALLED, Unpaid};

const DAY: i64 = 86_400_000;
const EACH: i64 = 2_500;

/// A digest that is nobody else's.
fn digest(id: u64) -> [u8; 32] {
    let mut digest = [7; 32];
    digest[..8].copy_from_slice(&id.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    digest
}

fn printed(house: &mut House) -> VoucherId {
    let amount = Money::from_minor(EACH);
    house.ok(
        Party::House,
        Act::ReserveVoucher {
            origin: place("mbs-etg", 0),
            station_name: "T0".to_owned(),
            currency: Currency::SGD,
            amount,
        },
    );
    let voucher = VoucherId(house.register.last_voucher);
    let issue = Act::IssueVoucher {
        voucher,
        amount,
        digest: digest(voucher.0),
        attempt: 0,
    };
    house.ok(Party::House, issue);
    house.ok(Party::House, Act::BeginPrint { voucher });
    house.ok(Party::House, Act::ReportPrinted { voucher });
    voucher
}

fn present(house: &mut House, id: u64, request: u64) -> Vec<Fact> {
    let act = Act::BeginRedeem {
        request,
        digest: digest(id),
        to: Payee::Cage { cashier: CASHIER },
        currency: Currency::SGD,
        claimed: None,
    };
    house.ok(Party::Person(CASHIER), act)
}

fn why(facts: &[Fact]) -> Option<(Option<VoucherId>, Unpaid)> {
    facts.iter().find_map(|fact| match fact {
        Fact::RedemptionRefused { voucher, why, .. } => Some((*voucher, *why)),
        _ => None,
    })
}

/// So many vouchers, each paid by the cage as soon as it is printed.
fn paid(count: u64) -> House {
    let mut house = House::new();
    for id in 1..=count {
        assert_eq!(printed(&mut house).0, id);
        let facts = present(&mut house, id, id);
        assert!(matches!(facts[..], [Fact::VoucherRedeemed { .. }]));
        house.now_ms += 1_000;
    }
    house
}

fn totals(register: &Register) -> (i64, i64, i64) {
    let sums = register.totals["SGD"];
    (
        sums.issued.minor(),
        sums.redeemed_at_cage.minor(),
        sums.outstanding.minor(),
    )
}

#[test]
fn s_13_the_last_35_and_those_of_a_day_stay_whole_and_older_ones_become_marks() {
    let count = 100;
    let mut house = paid(count);
    assert_eq!(house.register.vouchers.len(), count as usize);
    house.now_ms += WHOLE_FOR_MS;
    let open = printed(&mut house);
    // The newest 35 of the station, the one just printed among them.
    assert_eq!(house.register.vouchers.len(), RECALLED);
    assert!(house.register.vouchers.contains_key(&open));
    assert_eq!(house.register.marks.len(), count as usize + 1 - RECALLED);
    let all = EACH * (count as i64 + 1);
    assert_eq!(totals(&house.register), (all, all - EACH, EACH));
}

#[test]
fn s_14_a_paid_number_is_told_apart_from_an_unknown_one_while_its_mark_is_kept() {
    let mut house = paid(100);
    // Within the day the same request is the same payment.
    assert_eq!(present(&mut house, 1, 1), []);
    house.now_ms += WHOLE_FOR_MS;
    printed(&mut house);
    let first = Some(VoucherId(1));
    let facts = present(&mut house, 1, 7_000);
    assert_eq!(why(&facts), Some((first, Unpaid::AlreadyPaid)));
    assert_eq!(
        house
            .register
            .guesses
            .get(&Payee::Cage { cashier: CASHIER }),
        None
    );
    // What was written can be derived again though the voucher is not whole.
    let event = Event {
        at_ms: house.now_ms,
        by: Party::Person(CASHIER),
        second: None,
        command: 9,
        fact: facts[0].clone(),
    };
    assert_eq!(derive(&house.register, &[event]), Ok(1));
    // No new voucher gets its number.
    let taken = Act::ReserveVoucher {
        origin: place("mbs-etg", 1),
        station_name: "T1".to_owned(),
        currency: Currency::SGD,
        amount: Money::from_minor(EACH),
    };
    house.ok(Party::House, taken);
    let voucher = VoucherId(house.register.last_voucher);
    let issue = Act::IssueVoucher {
        voucher,
        amount: Money::from_minor(EACH),
        digest: digest(1),
        attempt: 0,
    };
    assert_eq!(house.code(Party::House, issue), "number_taken");
    house.ok(Party::House, Act::ReleaseReservation { voucher });
    // Vouchers of this house are good for 30 days.
    house.now_ms += 30 * DAY + MARKED_FOR_MS - 2 * DAY;
    assert_eq!(
        why(&present(&mut house, 1, 7_001)),
        Some((first, Unpaid::AlreadyPaid))
    );
    house.now_ms += 2 * DAY;
    house.ok(Party::House, Act::ExpireVouchers);
    assert_eq!(
        why(&present(&mut house, 1, 7_002)),
        Some((None, Unpaid::NotFound))
    );
    assert!(house.register.marks.is_empty());
    let all = EACH * 101;
    assert_eq!(totals(&house.register), (all, all - EACH, 0));
    assert_eq!(house.register.totals["SGD"].expired.minor(), EACH);
    assert_eq!(house.register.check(), Ok(()));
}
