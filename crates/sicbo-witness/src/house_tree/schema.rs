//! The tree's schema, and every write to its file: a trigger may swallow what is
//! written, so nothing is written to a table that holds what no program of ours
//! put there (decision 0093). Leaves do not wait for the heads beside them: a
//! witness can still be asked about blocks that are in the tree.

use rusqlite::{Connection, TransactionBehavior};
use sicbo_journal::{foreign_schema, foreign_to_tables};

use super::{HouseTree, TreeError, file, heads};

/// What earlier programs and this one make of a tree: those of earlier programs
/// have no statement of tails until the next head.
fn scripts() -> [String; 2] {
    let with_tails = format!("{}{};", file::SCHEMA, heads::TAILS);
    [with_tails, file::SCHEMA.to_owned()]
}

/// Everything in the file that no program of ours put there.
pub(super) fn foreign(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let [new, old] = scripts();
    foreign_schema(connection, &[&new, &old])
}

pub(super) fn altered(foreign: &[String]) -> String {
    format!("it was altered by another program ({})", foreign.join("; "))
}

/// The number that SQLite raises with every change of the schema.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "schema_version", |row| row.get(0))
}

impl HouseTree {
    /// One durable change of these tables.
    pub(super) fn write(
        &self,
        tables: &[&str],
        change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), TreeError> {
        let failed = |error| TreeError::sqlite(&self.path, &error);
        let begin = TransactionBehavior::Immediate;
        // Held until the commit: nobody changes the schema between look and write.
        let held = rusqlite::Transaction::new_unchecked(&self.connection, begin).map_err(failed)?;
        let foreign = self.foreign_since(tables).map_err(failed)?;
        if !foreign.is_empty() {
            return Err(TreeError::damaged(&self.path, &altered(&foreign)));
        }
        change(&held).and_then(|()| held.commit()).map_err(failed)
    }

    /// What keeps these tables from being written, if the schema is another than
    /// it was. A change that was taken back is none.
    fn foreign_since(&self, tables: &[&str]) -> rusqlite::Result<Vec<String>> {
        let now = version(&self.connection)?;
        if now == self.schema.get() {
            return Ok(Vec::new());
        }
        if foreign(&self.connection)?.is_empty() {
            self.schema.set(now);
            return Ok(Vec::new());
        }
        let [new, old] = scripts();
        foreign_to_tables(&self.connection, &[&new, &old], tables)
    }
}
