//! The newest round of a table and whether it goes on, readable without the lock of the state: the
//! hub holds that lock for as long as it takes in a block, and every bet asks this first.

use std::sync::atomic::{AtomicU64, Ordering};

use sicbo_table::Table;
use sicbo_table::ids::RoundNumber;

/// Twice the round's number, and one more while it goes on.
pub(super) struct NewestRound(AtomicU64);

impl NewestRound {
    pub(super) fn of(table: &Table) -> NewestRound {
        NewestRound(AtomicU64::new(word(table)))
    }

    /// Takes it from the table, with the state still locked: nobody who finds the state changed
    /// reads an older round here.
    pub(super) fn follow(&self, table: &Table) {
        self.0.store(word(table), Ordering::Release);
    }

    pub(super) fn number(&self) -> RoundNumber {
        RoundNumber(self.0.load(Ordering::Acquire) >> 1)
    }

    /// As [`Table::is_over`] says.
    pub(super) fn is_over(&self, round: RoundNumber) -> bool {
        let word = self.0.load(Ordering::Acquire);
        let (newest, goes_on) = (word >> 1, word & 1 == 1);
        round.0 > 0 && (round.0 < newest || round.0 == newest && !goes_on)
    }
}

fn word(table: &Table) -> u64 {
    table.last_round.0 << 1 | u64::from(table.round.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    use sicbo_journal::StreamId;
    use sicbo_testkit::script::{Script, folder_in_memory};

    #[test]
    fn a_round_is_over_when_the_table_says_so() {
        let folder = folder_in_memory();
        let stream = StreamId::new("table-1").expect("a name");
        let mut script = Script::in_folder(folder.path(), &stream, "rws-etg", 1);
        let newest = NewestRound::of(script.table());
        let check = |table: &Table, goes_on: bool| {
            newest.follow(table);
            assert_eq!(table.round.is_some(), goes_on);
            assert_eq!(newest.number(), table.last_round);
            for round in (0..=table.last_round.0 + 1).map(RoundNumber) {
                assert_eq!(newest.is_over(round), table.is_over(round), "{round:?}");
            }
        };
        check(script.table(), false);
        let dice = sicbo_rules::Dice::from_faces([1, 2, 3]).expect("dice");
        for _ in 0..3 {
            script.take_bets(&[], dice);
            check(script.table(), true);
            script.finish(dice);
            check(script.table(), false);
        }
    }
}
