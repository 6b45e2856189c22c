//! Reading rows back out of a journal file, each compared with what its own
//! bytes say. Owns the queries; believes no column.

use std::collections::VecDeque;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};

use crate::block::{RawBlock, RawHeader};
use crate::checkpoint::SignedCheckpoint;
use crate::header::{Header, HeaderBytes};
use crate::store::{ReadError, RoundRow};

/// A row that was read, or what is wrong with it.
type Checked<T> = Result<T, ReadError>;

/// Sequences, epochs and round numbers stay below 2^63, checked before they
/// get here; a query for one above finds nothing.
pub(super) fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

const LAST_BLOCK: &str = "SELECT first_sequence, last_sequence, epoch, time_ms, header_sha256, \
    header, body FROM blocks ORDER BY first_sequence DESC LIMIT 1";

const NEXT_BLOCKS: &str = "SELECT first_sequence, last_sequence, epoch, time_ms, header_sha256, \
    header, body FROM blocks WHERE first_sequence >= ?1 ORDER BY first_sequence LIMIT ?2";

/// Bodies lie behind the headers in a row: those that are not asked for are not read.
const NEXT_HEADERS: &str = "SELECT first_sequence, last_sequence, epoch, time_ms, header_sha256, \
    header FROM blocks WHERE first_sequence >= ?1 ORDER BY first_sequence LIMIT ?2";

const HOLDER: &str = "SELECT first_sequence FROM blocks WHERE first_sequence <= ?1 \
    AND last_sequence >= ?1 ORDER BY first_sequence DESC LIMIT 1";

/// The stream's last block, if it has one.
pub(super) fn read_last_block(
    connection: &Connection,
) -> rusqlite::Result<Option<Checked<RawBlock>>> {
    connection.query_row(LAST_BLOCK, [], read_block).optional()
}

/// Reads a row of `blocks`.
fn read_block(row: &Row<'_>) -> rusqlite::Result<Checked<RawBlock>> {
    Ok(match read_header(row)? {
        Ok(RawHeader {
            filed_under,
            header,
        }) => Ok(RawBlock {
            filed_under,
            header,
            body: row.get(6)?,
        }),
        Err(error) => Err(error),
    })
}

/// Reads a row of `blocks` but for its body.
fn read_header(row: &Row<'_>) -> rusqlite::Result<Checked<RawHeader>> {
    let filed_under = unsigned(row.get(0)?);
    let (last, epoch, time_ms): (i64, i64, i64) = (row.get(1)?, row.get(2)?, row.get(3)?);
    let hash = row.get_ref(4)?.as_blob()?;
    let header = HeaderBytes::from(row.get_ref(5)?.as_blob()?.to_vec());
    let disagrees = |column| {
        let what = format!("column {column} of its block disagrees with the header");
        Ok(Err(ReadError::Damaged {
            sequence: filed_under,
            what,
        }))
    };
    if header.hash().0[..] != hash[..] {
        return disagrees("header_sha256");
    }
    // A header that cannot be read is reported by whoever decodes the block.
    if let Some((header_last, header_epoch, header_time_ms)) = Header::peek(&header) {
        if last != clamp(header_last) {
            return disagrees("last_sequence");
        }
        if epoch != clamp(header_epoch) {
            return disagrees("epoch");
        }
        if time_ms != header_time_ms {
            return disagrees("time_ms");
        }
    }
    Ok(Ok(RawHeader {
        filed_under,
        header,
    }))
}

/// Most blocks that one query reads, and most bytes of their bodies.
const AT_ONCE: i64 = 256;
const BYTES_AT_ONCE: usize = 1 << 20;

/// What is read of a row of `blocks`.
pub(super) trait OfBlock: Sized {
    /// The query, which takes the first sequence and how many.
    const NEXT: &str;
    fn read(row: &Row<'_>) -> rusqlite::Result<Checked<Self>>;
    fn filed_under(&self) -> u64;
    /// Bytes that it takes up in memory.
    fn len(&self) -> usize;
}

impl OfBlock for RawBlock {
    const NEXT: &str = NEXT_BLOCKS;

    fn read(row: &Row<'_>) -> rusqlite::Result<Checked<RawBlock>> {
        read_block(row)
    }

    fn filed_under(&self) -> u64 {
        self.filed_under
    }

    fn len(&self) -> usize {
        self.body.len()
    }
}

impl OfBlock for RawHeader {
    const NEXT: &str = NEXT_HEADERS;

    fn read(row: &Row<'_>) -> rusqlite::Result<Checked<RawHeader>> {
        read_header(row)
    }

    fn filed_under(&self) -> u64 {
        self.filed_under
    }

    fn len(&self) -> usize {
        self.header.len()
    }
}

/// Streams blocks, some with each query: no read transaction stays open
/// meanwhile, which would keep the write-ahead log from being folded in.
pub(super) struct BlockReader<'a, B> {
    connection: &'a Connection,
    /// The sequence the next block to be read should begin at.
    due: u64,
    /// Whether `due` is the beginning of a block, not a record inside one.
    located: bool,
    /// Read and not handed out yet, in order.
    ready: VecDeque<Checked<B>>,
    /// How many the next query asks for: few at first, for whoever wants one.
    ask: i64,
    done: bool,
}

impl<'a, B: OfBlock> BlockReader<'a, B> {
    pub(super) fn new(connection: &'a Connection, sequence: u64) -> Self {
        BlockReader {
            connection,
            due: sequence,
            located: false,
            ready: VecDeque::new(),
            ask: 1,
            done: false,
        }
    }

    fn fill(&mut self) -> rusqlite::Result<()> {
        if !self.located {
            let mut statement = self.connection.prepare_cached(HOLDER)?;
            let holder = statement.query_row([clamp(self.due)], |row| row.get(0));
            self.due = holder.optional()?.map_or(self.due, unsigned);
            self.located = true;
        }
        let mut statement = self.connection.prepare_cached(B::NEXT)?;
        let mut rows = statement.query([clamp(self.due), self.ask])?;
        self.ask = (self.ask * 4).min(AT_ONCE);
        let mut bytes = 0;
        while bytes < BYTES_AT_ONCE
            && let Some(row) = rows.next()?
        {
            let block = B::read(row)?;
            if let Ok(block) = &block {
                // The header is not believed yet, but where the next block is
                // due makes a better error than "somewhere".
                let last = row.get::<_, i64>(1).map_or(0, unsigned);
                self.due = last.max(block.filed_under()).saturating_add(1);
                bytes += block.len();
            }
            let failed = block.is_err();
            self.ready.push_back(block);
            if failed {
                break;
            }
        }
        Ok(())
    }
}

impl<B: OfBlock> Iterator for BlockReader<'_, B> {
    type Item = Result<B, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if self.ready.is_empty()
            && let Err(error) = self.fill()
        {
            // What was read before it is handed out first.
            self.ready.push_back(Err(read_error(self.due, &error)));
        }
        let item = self.ready.pop_front();
        if !matches!(item, Some(Ok(_))) {
            self.done = true;
        }
        item
    }
}

/// What went wrong when reading, said with the sequence that was due.
fn read_error(due: u64, error: &rusqlite::Error) -> ReadError {
    let what = error.to_string();
    match error.sqlite_error_code() {
        Some(
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::OutOfMemory,
        ) => ReadError::Failed { what },
        _ => ReadError::Damaged {
            sequence: due,
            what,
        },
    }
}

/// Checkpoints with their numbers, in the order kept.
const CHECKPOINTS: &str = "SELECT sequence, time_ms, reason, key, message, signature, number \
    FROM checkpoints ORDER BY number";

/// All checkpoints in the order kept.
pub(super) fn read_checkpoints(connection: &Connection) -> Checked<Vec<SignedCheckpoint>> {
    let rows = || -> rusqlite::Result<Vec<_>> {
        connection
            .prepare_cached(CHECKPOINTS)?
            .query_map([], read_checkpoint)?
            .collect()
    };
    rows()
        .map_err(|error| read_error(0, &error))?
        .into_iter()
        .collect()
}

/// The checkpoints that can be read, and what is wrong with the others. They are
/// counted from 1, so that one that is gone from among them is missed.
pub(super) fn examine_checkpoints(
    connection: &Connection,
) -> Checked<(Vec<SignedCheckpoint>, Vec<ReadError>)> {
    let (mut signed, mut faults) = (Vec::new(), Vec::new());
    let mut read = || -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(CHECKPOINTS)?;
        let mut rows = statement.query([])?;
        let mut due = 1;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(6)?;
            let sequence = row.get(0).map_or(0, unsigned);
            if number != due {
                let what = format!("its checkpoint has number {number}, and {due} is missing");
                faults.push(ReadError::Damaged { sequence, what });
            }
            due = number.saturating_add(1);
            match read_checkpoint(row) {
                Ok(Ok(one)) => signed.push(one),
                Ok(Err(fault)) => faults.push(fault),
                // A value of another type.
                Err(error) => faults.push(read_error(sequence, &error)),
            }
        }
        Ok(())
    };
    match read().map_err(|error| read_error(0, &error)) {
        Ok(()) => {}
        Err(failed @ ReadError::Failed { .. }) => return Err(failed),
        Err(damaged) => faults.push(damaged),
    }
    Ok((signed, faults))
}

/// The first checkpoint at or after a sequence.
pub(super) fn read_checkpoint_from(
    connection: &Connection,
    sequence: u64,
) -> Checked<Option<SignedCheckpoint>> {
    let query = "SELECT sequence, time_ms, reason, key, message, signature FROM checkpoints \
                 WHERE sequence >= ?1 ORDER BY sequence, number LIMIT 1";
    let row = || -> rusqlite::Result<Option<_>> {
        connection
            .prepare_cached(query)?
            .query_row([clamp(sequence)], read_checkpoint)
            .optional()
    };
    row()
        .map_err(|error| read_error(sequence, &error))?
        .transpose()
}

fn read_checkpoint(row: &Row<'_>) -> rusqlite::Result<Checked<SignedCheckpoint>> {
    let (sequence, time_ms): (i64, i64) = (row.get(0)?, row.get(1)?);
    let (reason, key): (String, String) = (row.get(2)?, row.get(3)?);
    let (message, signature): (String, Vec<u8>) = (row.get(4)?, row.get(5)?);
    let damaged = |what: String| {
        let what = format!("its checkpoint: {what}");
        Ok(Err(ReadError::Damaged {
            sequence: unsigned(sequence),
            what,
        }))
    };
    let signed = match SignedCheckpoint::from_parts(&message, &signature) {
        Ok(signed) => signed,
        Err(error) => return damaged(error.to_string()),
    };
    let checkpoint = signed.checkpoint();
    let agrees = clamp(checkpoint.sequence) == sequence
        && checkpoint.time_ms == time_ms
        && checkpoint.reason.as_str() == reason
        && signed.key_id().to_string() == key;
    if agrees {
        Ok(Ok(signed))
    } else {
        damaged("a column disagrees with the message".into())
    }
}

/// Rows of the round index.
pub(super) fn read_rounds(
    connection: &Connection,
    from: u64,
    limit: usize,
) -> Checked<Vec<RoundRow>> {
    let query = "SELECT round, first_sequence, last_sequence, started_ms, ended_ms, state, dice \
                 FROM rounds WHERE round >= ?1 ORDER BY round LIMIT ?2";
    let read = |row: &Row<'_>| {
        Ok(RoundRow {
            round: unsigned(row.get(0)?),
            first_sequence: unsigned(row.get(1)?),
            last_sequence: unsigned(row.get(2)?),
            started_ms: row.get(3)?,
            ended_ms: row.get(4)?,
            state: row.get(5)?,
            dice: row.get(6)?,
        })
    };
    let rows = || -> rusqlite::Result<Vec<_>> {
        let mut statement = connection.prepare_cached(query)?;
        statement
            .query_map([clamp(from), clamp(limit as u64)], read)?
            .collect()
    };
    rows().map_err(|error| read_error(0, &error))
}
