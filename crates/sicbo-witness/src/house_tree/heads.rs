//! The signed heads beside the tree: the newest, the newest that was cosigned,
//! and those of ended shifts, as far as there is room.

use rusqlite::{Connection, OptionalExtension, params};

use super::{HouseTree, TreeError, clamp};
use crate::head::TreeHead;
use crate::mark::Mark;
use crate::note::{Note, VerifierKey};

/// Heads of ended shifts that are kept beside the newest.
const SHIFT_ENDS_KEPT: i64 = 1_000;

/// The house's newest statement where each stream ends: a signed note.
pub(super) const TAILS: &str = "CREATE TABLE IF NOT EXISTS tails (
    size INTEGER PRIMARY KEY,
    note TEXT NOT NULL
) STRICT";

/// Why a head was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadReason {
    /// Something was written since the last one: `interval`.
    Interval,
    /// A shift has ended: `shift-end`. Some of these are kept.
    ShiftEnd,
    /// The house has started: `start`.
    Start,
    /// The house was stopped in good order: `stop`.
    Stop,
}

impl HeadReason {
    fn as_str(self) -> &'static str {
        match self {
            HeadReason::Interval => "interval",
            HeadReason::ShiftEnd => "shift-end",
            HeadReason::Start => "start",
            HeadReason::Stop => "stop",
        }
    }
}

/// A row of the tree's signed notes, whatever was written into it.
#[derive(Clone, Debug)]
pub struct KeptNote {
    /// The size it is filed under.
    pub filed_under: u64,
    /// The note, if it is one.
    pub note: Option<Note>,
}

impl HouseTree {
    /// Keeps a signed head. Of the earlier ones those of ended shifts stay, as
    /// far as there is room, and the newest that was cosigned.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_head(
        &mut self,
        size: u64,
        note: &Note,
        reason: HeadReason,
        time_ms: i64,
    ) -> Result<(), TreeError> {
        let write = |change: &Connection| -> rusqlite::Result<()> {
            change.execute(
                "INSERT INTO heads (size, time_ms, reason, note) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (size) DO UPDATE SET
                     reason = iif(reason = 'shift-end', reason, ?3)",
                params![clamp(size), time_ms, reason.as_str(), note.to_string()],
            )?;
            change.execute(
                "DELETE FROM heads WHERE reason <> 'shift-end' AND size < ?1
                     AND size <> (SELECT coalesce(max(size), -1) FROM heads
                                  WHERE cosigned_s IS NOT NULL)",
                [clamp(size)],
            )?;
            change.execute(
                "DELETE FROM heads WHERE reason = 'shift-end' AND size NOT IN
                     (SELECT size FROM heads WHERE reason = 'shift-end'
                      ORDER BY size DESC LIMIT ?1)",
                [SHIFT_ENDS_KEPT],
            )?;
            Ok(())
        };
        self.write(&["heads"], write)
    }

    /// Keeps what a witness made of a head.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_cosigned(&mut self, size: u64, note: &Note, time_s: u64) -> Result<(), TreeError> {
        self.write(&["heads"], |change| {
            let kept = change.execute(
                "UPDATE heads SET note = ?2, cosigned_s = ?3 WHERE size = ?1",
                params![clamp(size), note.to_string(), clamp(time_s)],
            );
            kept.map(drop)
        })
    }

    /// Keeps the house's signed statement where each stream ends, in place of
    /// the one before. Trees of earlier programs get the table for it now.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_tails(&mut self, size: u64, note: &Note) -> Result<(), TreeError> {
        self.write(&["tails"], |change| {
            change.execute_batch(TAILS)?;
            change.execute("DELETE FROM tails", [])?;
            let row = params![clamp(size), note.to_string()];
            let put = "INSERT INTO tails (size, note) VALUES (?1, ?2)";
            change.execute(put, row).map(drop)
        })
    }

    /// Where each stream ended by the newest statement that this key has signed.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn stated_tails(&self, key: &VerifierKey) -> Result<Option<Mark>, TreeError> {
        let failed = |error| TreeError::sqlite(&self.path, &error);
        if !self.has_tails()? {
            return Ok(None);
        }
        let newest = "SELECT CAST(note AS TEXT) FROM tails ORDER BY size DESC";
        let mut statement = self.connection.prepare(newest).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let text: String = row.get(0).map_err(failed)?;
            // Anybody may have written the row: what is not the house's is passed over.
            let note = Note::parse(text.as_bytes());
            let note = note.ok().filter(|note| note.is_signed_by(key));
            if let Some(mark) = note.and_then(|note| Mark::parse(note.text())) {
                return Ok(Some(mark));
            }
        }
        Ok(None)
    }

    /// Every head that is kept, and every statement of tails, as they stand: a
    /// verifier looks at each.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn kept_heads(&self) -> Result<Vec<KeptNote>, TreeError> {
        self.kept("SELECT size, note FROM heads ORDER BY size")
    }

    /// As [`HouseTree::kept_heads`], of the statements where streams end.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn kept_tails(&self) -> Result<Vec<KeptNote>, TreeError> {
        match self.has_tails()? {
            true => self.kept("SELECT size, note FROM tails ORDER BY size"),
            false => Ok(Vec::new()),
        }
    }

    fn kept(&self, query: &str) -> Result<Vec<KeptNote>, TreeError> {
        let read = || -> rusqlite::Result<_> {
            let mut statement = self.connection.prepare(query)?;
            let rows = statement.query_map([], |row| {
                let (size, note): (i64, String) = (row.get(0)?, row.get(1)?);
                Ok(KeptNote {
                    filed_under: u64::try_from(size).unwrap_or(0),
                    note: Note::parse(note.as_bytes()).ok(),
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| TreeError::sqlite(&self.path, &error))
    }

    fn has_tails(&self) -> Result<bool, TreeError> {
        let known = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'tails'";
        let known: rusqlite::Result<i64> = self.connection.query_row(known, [], |row| row.get(0));
        known
            .map(|known| known > 0)
            .map_err(|error| TreeError::sqlite(&self.path, &error))
    }

    /// The newest signed head.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn newest_head(&self) -> Result<Option<(Note, TreeHead)>, TreeError> {
        self.one_head("SELECT note FROM heads ORDER BY size DESC LIMIT 1")
    }

    /// The newest head that a witness cosigned.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn newest_cosigned(&self) -> Result<Option<(Note, TreeHead)>, TreeError> {
        self.one_head(
            "SELECT note FROM heads WHERE cosigned_s IS NOT NULL ORDER BY size DESC LIMIT 1",
        )
    }

    fn one_head(&self, sql: &str) -> Result<Option<(Note, TreeHead)>, TreeError> {
        let text: Option<String> = self
            .connection
            .query_row(sql, [], |row| row.get(0))
            .optional()
            .map_err(|error| TreeError::sqlite(&self.path, &error))?;
        let Some(text) = text else { return Ok(None) };
        let bad = |_| TreeError::damaged(&self.path, "a head in it is no signed checkpoint");
        let note = Note::parse(text.as_bytes()).map_err(bad)?;
        let head = TreeHead::parse(note.text())
            .map_err(|_| TreeError::damaged(&self.path, "a head in it is no checkpoint"))?;
        Ok(Some((note, head)))
    }
}
