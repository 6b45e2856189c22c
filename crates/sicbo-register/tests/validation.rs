//! Validation numbers of vouchers.

use sicbo_register::validation::*;
use sicbo_table::ids::VoucherId;
use std::collections::BTreeSet;

fn numbers(secret: u8) -> Vec<Number> {
    let secret = VoucherSecret::new([secret; 32]);
    (1..=2_000)
        .map(|id| secret.number(VoucherId(id), 0))
        .collect()
}

#[test]
fn s_15_numbers_do_not_repeat_and_depend_on_the_secret() {
    let (ours, theirs) = (numbers(1), numbers(2));
    let mut all: BTreeSet<String> = ours.iter().map(Number::digits).collect();
    all.extend(theirs.iter().map(Number::digits));
    assert_eq!(all.len(), 4_000);
    let secret = VoucherSecret::new([1; 32]);
    let again = secret.number(VoucherId(1), 1);
    assert_ne!(ours[0], again);
    assert_ne!(secret.digest(ours[0]), secret.digest(again));
    assert!(!format!("{secret:?} {again:?}").contains(&again.digits()));
    // Every digit turns up in every place: nothing of the id shows.
    for place in 0..16 {
        let seen: BTreeSet<u8> = ours.iter().map(|n| n.digits().as_bytes()[place]).collect();
        assert_eq!(seen.len(), 10, "place {place}");
    }
}

#[test]
fn s_15_every_slip_of_a_digit_and_every_exchange_of_neighbours_is_found() {
    for number in numbers(3).into_iter().take(50) {
        let digits = number.digits();
        assert_eq!(Number::parse(&digits), Ok(number));
        assert_eq!(Number::parse(&number.grouped()), Ok(number));
        for at in 0..DIGITS {
            for digit in b'0'..=b'9' {
                let mut wrong = digits.clone().into_bytes();
                wrong[at] = digit;
                let wrong = String::from_utf8(wrong).unwrap();
                let verdict = Number::parse(&wrong);
                assert_eq!(verdict.is_ok(), wrong == digits, "{wrong} for {digits}");
            }
            if at > 0 {
                let mut wrong = digits.clone().into_bytes();
                wrong.swap(at, at - 1);
                let wrong = String::from_utf8(wrong).unwrap();
                assert_eq!(Number::parse(&wrong).is_ok(), wrong == digits, "{wrong}");
            }
        }
    }
    for bad in [
        "",
        "12",
        "12345678901234567",
        "1234567890123456789",
        "12345678901234567x",
    ] {
        assert_eq!(Number::parse(bad), Err(BadNumber::NotDigits), "{bad}");
    }
}

#[test]
fn s_13_a_secret_that_is_not_at_hand_opens_no_receipt_and_says_so() {
    let unknown = VoucherSecret::unknown();
    assert!(!unknown.is_known());
    // Anybody can work out what nothing opens.
    let key = unknown.receipt_key(VoucherId(1));
    assert!(!unknown.opens_receipt(&key, VoucherId(1)));
    let known = VoucherSecret::new([0; 32]);
    assert!(known.is_known() && known.opens_receipt(&key, VoucherId(1)));
}
