//! One voucher on both sides, and each way in which one side can lie.

use sicbo_table::ids::{PersonId, StationId};

use super::*;
use sicbo_register::testing::place;

const AMOUNT: Money = Money::from_minor(2_500);
const ID: VoucherId = VoucherId(1);

fn stamp(sequence: u64) -> Stamp {
    Stamp {
        sequence,
        at_ms: sequence as i64,
    }
}

fn step(way: Way, station: u32, sequence: u64) -> VoucherMove {
    VoucherMove {
        voucher: ID,
        station: StationId(station),
        amount: AMOUNT,
        way,
        sequence,
    }
}

/// Cashed out at station 0 of `a`, credited at station 1 of `b`.
struct Sides {
    trail: HouseTrail,
    a: Vec<VoucherMove>,
    b: Vec<VoucherMove>,
    /// When the journals of the tables end.
    ends: (i64, i64),
    /// A cent that only an account knows of.
    lost: i64,
}

impl Sides {
    fn new() -> Sides {
        Sides {
            trail: HouseTrail {
                reserved: stamp(10),
                origin: place("a", 0),
                currency: Currency::SGD,
                amount: AMOUNT,
                released: None,
                issued: Some((stamp(11), AMOUNT)),
                print_failed: None,
                returned: None,
                kept: None,
                taken: Some((stamp(12), place("b", 1))),
                redeemed: Some((stamp(13), Payee::Station(place("b", 1)))),
            },
            a: vec![step(Way::Out, 0, 100)],
            b: vec![step(Way::In, 1, 200)],
            ends: (1_000, 1_000),
            lost: 0,
        }
    }

    /// `agree`, the number in transit, or the fault.
    fn verdict(&self) -> String {
        let trail = &self.trail;
        let issued = trail.issued.map_or(Money::ZERO, |(_, amount)| amount);
        let mut totals = Totals {
            issued,
            outstanding: issued,
            ..Totals::default()
        };
        if trail.returned.is_some() {
            (totals.outstanding, totals.returned) = (Money::ZERO, issued);
        }
        match &trail.redeemed {
            Some((_, Payee::Cage { .. })) => {
                (totals.outstanding, totals.redeemed_at_cage) = (Money::ZERO, issued);
            }
            Some(_) => (totals.outstanding, totals.redeemed_at_tables) = (Money::ZERO, issued),
            None => {}
        }
        let account = |moves: &[VoucherMove], lost: i64| {
            let signed = |step: &VoucherMove| match step.way {
                Way::Out => step.amount,
                Way::Back | Way::In => -step.amount,
            };
            let held: Money = moves.iter().map(signed).sum();
            Some((Currency::SGD, held + Money::from_minor(lost)))
        };
        let views = [
            View {
                name: "a",
                moves: &self.a,
                last_ms: self.ends.0,
                account: account(&self.a, self.lost),
            },
            View {
                name: "b",
                moves: &self.b,
                last_ms: self.ends.1,
                account: account(&self.b, 0),
            },
        ];
        let trails = BTreeMap::from([(ID, trail.clone())]);
        match compare(
            &trails,
            &BTreeMap::from([("SGD".to_owned(), totals)]),
            &views,
        ) {
            Ok(compared) if compared.in_transit.is_empty() => "agree".to_owned(),
            Ok(compared) => format!("{} in transit", compared.in_transit.len()),
            Err(error) => error.to_string(),
        }
    }
}

/// What a case changes, and what comes of it.
type Case = (fn(&mut Sides), &'static str);

#[test]
fn a_fault_names_the_voucher_and_both_records() {
    let cases: [Case; 17] = [
        (|_| {}, "agree"),
        (
            |s| s.a[0].amount = Money::from_minor(2_501),
            "voucher 1: cashed out with another amount than was reserved (a record 100, house record 10)",
        ),
        (
            |s| s.a[0].station = StationId(1),
            "voucher 1: cashed out at a station it was not reserved for (a record 100, house record 10)",
        ),
        (
            |s| s.a.push(step(Way::Out, 0, 101)),
            "voucher 1: cashed out twice (a record 101, house record 10)",
        ),
        (
            |s| s.trail.issued = Some((stamp(11), Money::from_minor(9_999))),
            "voucher 1: worth another amount than was cashed out (a record 100, house record 11)",
        ),
        (
            |s| s.a.clear(),
            "voucher 1: the journal of table a does not show it (house record 11)",
        ),
        (
            |s| s.b.push(step(Way::In, 1, 201)),
            "voucher 1: credited twice, first by record 200 (b record 201, house record 13)",
        ),
        (
            |s| s.a.push(step(Way::In, 1, 201)),
            "voucher 1: credited twice, first by record 201 (b record 200, house record 13)",
        ),
        (
            |s| s.b[0].amount = Money::from_minor(2_400),
            "voucher 1: credited with another amount than it is worth (b record 200, house record 11)",
        ),
        (
            |s| s.b[0].station = StationId(0),
            "voucher 1: credited at another station than the house gave it to (b record 200, house record 12)",
        ),
        (
            |s| {
                let cashier = PersonId(4);
                s.trail.redeemed = Some((stamp(13), Payee::Cage { cashier }));
            },
            "voucher 1: credited at a table and paid by the cage (b record 200, house record 13)",
        ),
        (
            |s| (s.trail.taken, s.trail.redeemed) = (None, None),
            "voucher 1: credited, and the house gave it to no station (b record 200, house record 11)",
        ),
        (
            |s| s.b.clear(),
            "voucher 1: the journal of table b does not show it (house record 13)",
        ),
        (
            |s| s.a.push(step(Way::Back, 0, 101)),
            "voucher 1: its credit went back to the table and it is still good (a record 101, house record 13)",
        ),
        (
            |s| {
                s.b.clear();
                (s.trail.issued, s.trail.taken, s.trail.redeemed) = (None, None, None);
                s.trail.released = Some(stamp(11));
            },
            "voucher 1: cashed out, and its number was given up (a record 100, house record 11)",
        ),
        (
            |s| {
                s.b.clear();
                (s.trail.taken, s.trail.redeemed) = (None, None);
                (s.trail.print_failed, s.trail.returned) = (Some(stamp(12)), Some(stamp(13)));
            },
            "voucher 1: returned by the house, and not at the table (a record 100, house record 13)",
        ),
        (
            |s| s.lost = 1,
            "SGD: the tables' voucher accounts hold 1 minor units; the house gives 0 outstanding, \
             0 paid by the cage, voided or expired, and 0 in transit",
        ),
    ];
    for (change, expected) in cases {
        let mut sides = Sides::new();
        change(&mut sides);
        assert_eq!(sides.verdict(), expected);
    }
}

#[test]
fn what_is_on_its_way_where_the_journals_end_is_no_fault() {
    let cases: [Case; 7] = [
        // The table gave the credit, the house has not issued yet.
        (
            |s| {
                s.b.clear();
                (s.trail.issued, s.trail.taken, s.trail.redeemed) = (None, None, None);
            },
            "1 in transit",
        ),
        // Issued and in somebody's hand.
        (
            |s| {
                s.b.clear();
                (s.trail.taken, s.trail.redeemed) = (None, None);
            },
            "agree",
        ),
        // Credited, and the house has not finished.
        (|s| s.trail.redeemed = None, "1 in transit"),
        // The tables' journals were copied before the house's.
        (
            |s| {
                s.a.clear();
                s.ends.0 = 11;
            },
            "1 in transit",
        ),
        (
            |s| {
                s.b.clear();
                s.ends.1 = 13;
            },
            "1 in transit",
        ),
        // Credit back at the table; the house knows of the failed print only.
        (
            |s| {
                s.b.clear();
                s.a.push(step(Way::Back, 0, 101));
                (s.trail.taken, s.trail.redeemed) = (None, None);
                s.trail.print_failed = Some(stamp(12));
            },
            "1 in transit",
        ),
        // Credit given for the number elsewhere by mistake went back.
        (
            |s| {
                s.b.push(step(Way::Out, 0, 201));
                s.b.push(step(Way::Back, 0, 202));
            },
            "agree",
        ),
    ];
    for (at, (change, expected)) in cases.into_iter().enumerate() {
        let mut sides = Sides::new();
        change(&mut sides);
        assert_eq!(sides.verdict(), expected, "case {at}");
    }
}

#[test]
fn a_number_the_house_never_reserved_is_a_fault_unless_it_went_back() {
    let compared = |moves: &[VoucherMove]| {
        let view = View {
            name: "a",
            moves,
            last_ms: 0,
            account: None,
        };
        compare(&BTreeMap::new(), &BTreeMap::new(), &[view]).map_err(|error| error.to_string())
    };
    let (out, back) = (step(Way::Out, 0, 5), step(Way::Back, 0, 6));
    let what = "voucher 1: cashed out, and the house reserved no such voucher (a record 5)";
    assert_eq!(compared(&[out]).unwrap_err(), what);
    assert_eq!(compared(&[out, back]).unwrap().vouchers, 0);
    let what = "voucher 1: credited, and the house has no such voucher (a record 7)";
    assert_eq!(compared(&[step(Way::In, 0, 7)]).unwrap_err(), what);
}
