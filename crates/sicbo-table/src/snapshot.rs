//! The whole state of a table as bytes and back, so that a restart need not
//! replay history.
//!
//! One state has one spelling: equal tables give equal bytes on every machine.
//! The bytes are one CBOR array `[format, table]` followed by the SHA-256 of
//! that array, which is also the table's digest. Rule books stand inside with
//! their whole text. Exposure is not stored: it is computed again from the
//! bets and must agree with the figures that are.
//!
//! Reading is total: a changed byte is found by the hash, and bytes with a
//! right hash but figures that contradict each other are refused too. A
//! snapshot is a convenience; the journal is the truth, and a snapshot that is
//! refused is made again from it.

mod check;
mod parts;

use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::{Exposure, ExposureTable};

use crate::codec::{DecodeError, Reader, Wire, Writer};
use crate::table::Table;

/// The layout of the bytes. A newer program that lays them out otherwise
/// raises it and ignores older snapshots.
pub const FORMAT: u16 = 14;

const HASH: usize = 32;

/// The table as bytes.
#[must_use]
pub fn encode(table: &Table) -> Vec<u8> {
    let mut bytes = body(table);
    let hash: [u8; HASH] = Sha256::digest(&bytes).into();
    bytes.extend(hash);
    bytes
}

fn body(table: &Table) -> Vec<u8> {
    // Most of it is the stations; a rough guess saves growing.
    let mut bytes = Vec::with_capacity(64 * 1024 + 128 * table.stations.len());
    let mut to = Writer::new(&mut bytes);
    to.array(2);
    FORMAT.put(&mut to);
    parts::put_table(table, &mut to);
    bytes
}

/// The table that the bytes hold.
///
/// # Errors
/// When they are not a snapshot of this format, were changed, or contradict themselves.
pub fn decode(bytes: &[u8]) -> Result<Table, DecodeError> {
    let (body, hash) = bytes
        .len()
        .checked_sub(HASH)
        .map(|at| bytes.split_at(at))
        .ok_or(DecodeError::Truncated)?;
    if Sha256::digest(body).as_slice() != hash {
        return Err(DecodeError::Contradictory {
            what: "the bytes are not those that were hashed".to_owned(),
        });
    }
    let mut from = Reader::new(body);
    from.array_of(2)?;
    let format = u16::get(&mut from)?;
    if format != FORMAT {
        return Err(DecodeError::UnknownVersion {
            kind: 0,
            version: format,
            newest: FORMAT,
        });
    }
    let mut table = parts::get_table(&mut from)?;
    from.end()?;
    check::sizes(&table)?;
    check::links(&table)?;
    compute_exposure(&mut table)?;
    table
        .check()
        .map_err(|what| DecodeError::Contradictory { what })?;
    // Figures that are computed again, and the one spelling: all must agree.
    if self::body(&table) == body {
        Ok(table)
    } else {
        Err(DecodeError::Contradictory {
            what: "what was read is written otherwise".to_owned(),
        })
    }
}

/// What is made from the rule book and the bets.
fn compute_exposure(table: &mut Table) -> Result<(), DecodeError> {
    let Some(book) = table.book() else {
        return Ok(());
    };
    let tables: Vec<ExposureTable> = book.layouts.iter().map(ExposureTable::of).collect();
    if let Some(round) = table.round.as_deref_mut() {
        for (station, part) in table.stations.iter().zip(&round.stations) {
            let lines = part.positions.lines().iter();
            for line in lines.chain(part.colour_positions.lines()) {
                if line.stake > Exposure::MAX_STAKED - round.exposure.staked() {
                    return Err(DecodeError::Contradictory {
                        what: "more is staked than a round may hold".to_owned(),
                    });
                }
                let of_layout = &tables[station.layout];
                round.exposure.add(of_layout, line.section, line.stake);
            }
        }
    }
    table.exposure_tables = Arc::new(tables);
    Ok(())
}

impl Table {
    /// A fingerprint of the whole state: SHA-256 of its snapshot's content.
    /// Equal tables have equal digests.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(body(self)).into()
    }
}
