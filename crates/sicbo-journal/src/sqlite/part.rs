//! A part of a journal as a file of its own: the blocks from one record to
//! another with what was signed over them. It is a journal that lacks its
//! beginning; only an addition to a copy that has it reads one.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::SqliteStore;
use super::open::{self, OpenError};
use super::vfs::Vfs;

/// Tables of a part that hold what belongs to no single record, such as
/// certificates, are copied whole; these are not.
const BY_RECORD: [&str; 5] = ["meta", "blocks", "checkpoints", "rounds", "snapshots"];

impl SqliteStore {
    /// Copies the blocks from the one that ends with record `after` (which shows
    /// what the part follows) to the one that ends with record `until`, also
    /// while the journal is being written.
    ///
    /// # Errors
    /// When there is a file at `to`, or something cannot be read or written.
    pub fn copy_part(&self, after: u64, until: u64, to: &Path) -> Result<(), OpenError> {
        let vfs = Vfs::default();
        open::create(to, self.stream(), &vfs)?;
        let copy = || -> rusqlite::Result<()> {
            let access = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI;
            let part = open::connect(to, access, &vfs)?;
            let house = self.path().to_string_lossy();
            let house = house
                .replace('%', "%25")
                .replace('?', "%3f")
                .replace('#', "%23");
            part.execute("ATTACH ?1 AS house", [format!("file:{house}?mode=ro")])?;
            // One moment for all of them.
            let rows = part.unchecked_transaction()?;
            let span = params![signed(after), signed(until)];
            rows.execute(
                "INSERT INTO main.blocks SELECT * FROM house.blocks
                 WHERE last_sequence BETWEEN ?1 AND ?2",
                span,
            )?;
            rows.execute(
                "INSERT INTO main.checkpoints SELECT * FROM house.checkpoints
                 WHERE sequence BETWEEN ?1 AND ?2",
                span,
            )?;
            for table in others(&rows)? {
                rows.execute_batch(&format!(
                    "INSERT OR IGNORE INTO main.\"{table}\" SELECT * FROM house.\"{table}\""
                ))?;
            }
            rows.commit()?;
            part.execute("DETACH house", [])?;
            super::wal::leave_log(&part, false)?;
            part.close().map_err(|(_, error)| error)
        };
        copy().map_err(|error| OpenError::from_sqlite(to, &error))
    }
}

fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

/// Tables that the house's file and the part both have beside those by record.
fn others(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let both = "SELECT name FROM house.sqlite_master WHERE type = 'table'
                AND name NOT LIKE 'sqlite_%'
                AND name IN (SELECT name FROM main.sqlite_master WHERE type = 'table')";
    let mut found = connection.prepare(both)?;
    let names = found.query_map([], |row| row.get::<_, String>(0))?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
    let other = |name: &String| !BY_RECORD.contains(&name.as_str());
    Ok(names.into_iter().filter(other).collect())
}
