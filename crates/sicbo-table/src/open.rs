//! A table that has been opened: it has a set-up and a rule book, for as long as
//! it exists, so that nothing behind this type asks whether they are there.

use std::ops::Deref;
use std::sync::Arc;

use sicbo_rules::RuleBook;

use crate::config::Config;
use crate::table::Table;

/// A table with its set-up. It may have been closed since.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'t> {
    table: &'t Table,
    /// Its set-up.
    pub(crate) config: &'t Config,
    /// The rule book in force.
    pub(crate) book: &'t Arc<RuleBook>,
}

impl Deref for Opened<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.table
    }
}

impl Table {
    /// The table with its set-up; none before it is first opened.
    pub(crate) fn opened(&self) -> Option<Opened<'_>> {
        let config = self.config.as_deref()?;
        Some(Opened {
            table: self,
            config,
            book: &config.book,
        })
    }
}
