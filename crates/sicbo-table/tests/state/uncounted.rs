//! Entries that wait for the cage: nobody fills a table's with cents.

use sicbo_rules::RuleBook;
use sicbo_table::Act;
use sicbo_table::actor::Actor;
use sicbo_table::cash::{Bound, MAX_UNCOUNTED_ALONE, MoneyDuties};
use sicbo_table::command::CreditSource;
use sicbo_table::ids::StationId;

use super::setup::{DEALER, SUPERVISOR, act, by, command, config, money, must, table as set_up};

#[test]
fn a_thousand_credits_of_a_cent_keep_only_their_own_dealer_from_acting_alone() {
    let book = RuleBook::named("mbs-etg").expect("a built-in rule book");
    let mut table = set_up(config(book), 2);
    let bound = Bound {
        alone: money(100_000),
        together: money(500_000),
    };
    let duties = MoneyDuties {
        attendant: bound,
        cage: bound,
        transfer: bound,
        hand_pay: bound.together,
        limits: bound,
    };
    must(
        &mut table,
        &command(Actor::House, Act::SetMoneyDuties { duties }),
    );
    let credit = |minor: i64| Act::BuyCredit {
        station: StationId(0),
        source: CreditSource::Attendant,
        amount: money(minor),
    };
    for _ in 0..MAX_UNCOUNTED_ALONE {
        must(&mut table, &by(DEALER, None, credit(1)));
    }
    let refused = act(&mut table, &by(DEALER, None, credit(1)));
    assert_eq!(refused.map_err(|no| no.code()), Err("second_person_needed"));
    // Others go on, and so do two persons.
    must(&mut table, &by(SUPERVISOR, None, credit(100)));
    must(&mut table, &by(SUPERVISOR, Some(DEALER), credit(400_000)));
}
