//! A journal's blocks for those who read beside its writer and check no
//! signatures: whole, and none left out.

use sicbo_journal::{SealedBlock, Store};

use super::HistoryError;

/// Blocks from the one that holds a record on. A wrong bit in the store's index
/// may hide a block; so each must begin where the one before it ended.
pub fn blocks(
    store: &dyn Store,
    from: u64,
) -> impl Iterator<Item = Result<SealedBlock, HistoryError>> {
    let (mut due, mut begun) = (from, false);
    store.read_from(from).map(move |raw| {
        let block = raw?
            .decode()
            .map_err(|error| HistoryError::damaged(due, error))?;
        let (first, last) = (block.header().first_sequence, block.header().last_sequence);
        // The first one may begin before the record that is asked for.
        let follows = first == due || (!begun && (first..=last).contains(&due));
        if !follows {
            let what = format!("missing; the next record found is {first}");
            return Err(HistoryError::damaged(due, what));
        }
        (due, begun) = (last + 1, true);
        Ok(block)
    })
}
