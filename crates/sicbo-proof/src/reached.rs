//! Whether a journal holds what is known to have been acknowledged. A start asks
//! before a table is in service, and a verifier of every table that the register
//! has noted something of.

use sicbo_journal::{ReadError, Store};
use sicbo_register::reached::Reached;

/// Why a journal does not hold what was acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum NotHeld {
    /// It is an older copy: how that is known.
    #[error("{0}")]
    Older(String),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// An older copy of a journal gives back credit whose vouchers are out, and
/// takes away bets that were acknowledged.
///
/// # Errors
/// When the journal does not hold the record, or cannot be read.
pub fn check_holds(store: &dyn Store, mark: &Reached) -> Result<(), NotHeld> {
    let last = store.tail().sequence;
    if last < mark.sequence {
        let acknowledged = mark.sequence;
        let what =
            format!("it ends with record {last}, and record {acknowledged} was acknowledged");
        return Err(NotHeld::Older(what));
    }
    let found = store.read_from(mark.sequence).next().transpose();
    let found = found?;
    let block = found.and_then(|raw| raw.decode().ok());
    let same = block.is_some_and(|block| {
        block.header().last_sequence == mark.sequence && block.header_hash().0 == mark.header_hash
    });
    if same {
        Ok(())
    } else {
        let what = format!("its record {} is not the acknowledged one", mark.sequence);
        Err(NotHeld::Older(what))
    }
}
