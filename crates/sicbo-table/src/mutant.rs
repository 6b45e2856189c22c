//! Switches of the mutation check: one behaviour removed on purpose, to see
//! that a test notices.
//!
//! Without the feature `mutants`, which the product never has, every switch is
//! `false` when it is compiled and nothing of it is left. The list of switches
//! is `crates/sicbo-mutants/mutants.txt`.

#[cfg(feature = "mutants")]
mod switches {
    use sicbo_rules::mutant::any_off;

    use crate::command::Command;
    use crate::table::Table;

    /// A named behaviour is switched off for the book of this table.
    pub(crate) fn off(table: &Table, name: &str) -> bool {
        table
            .book()
            .is_some_and(|book| sicbo_rules::mutant::is_off(book.id(), name))
    }

    /// The same, for one of several: `void-fits:die-not-flat`.
    pub(crate) fn off_of(table: &Table, name: &str, one: &str) -> bool {
        any_off() && off(table, &format!("{name}:{one}"))
    }

    /// The same, for one kind of command: `authority:PressDeal`.
    pub(crate) fn off_for(table: &Table, name: &str, command: &Command) -> bool {
        if !any_off() {
            return false;
        }
        let act = format!("{:?}", command.act);
        let kind = act.split([' ', '(', '{']).next().unwrap_or_default();
        off_of(table, name, kind)
    }
}

#[cfg(not(feature = "mutants"))]
mod switches {
    use crate::command::Command;
    use crate::table::Table;

    /// Nothing is switched off in the product.
    pub(crate) const fn off(_: &Table, _: &str) -> bool {
        false
    }

    /// Nothing is switched off in the product.
    pub(crate) const fn off_of(_: &Table, _: &str, _: &str) -> bool {
        false
    }

    /// Nothing is switched off in the product.
    pub(crate) const fn off_for(_: &Table, _: &str, _: &Command) -> bool {
        false
    }
}

pub(crate) use switches::{off, off_for, off_of};
