//! Carries out an append: the block, its rows of the round index, its signed
//! checkpoint, and now and then a snapshot.

use sicbo_journal::{
    AppendError, Beside, Checkpoint, CheckpointReason, HouseKey, KeyId, RoundRow, SealedBlock,
    Snapshot, Store, StreamId,
};
use sicbo_table::record::Standing;

/// A block to be made durable with all that belongs to it.
#[derive(Debug)]
pub struct Order {
    /// The block.
    pub block: SealedBlock,
    /// Changes of the round index.
    pub rounds: Vec<RoundChange>,
    /// A checkpoint over the block, and why.
    pub checkpoint: Option<CheckpointReason>,
    /// When it was sealed.
    pub time_ms: i64,
    /// The state after the block, to be kept once it is durable.
    pub snapshot: Option<Vec<u8>>,
}

/// A change of the round index.
#[derive(Clone, Debug)]
pub enum RoundChange {
    /// A whole row.
    Row(RoundRow),
    /// The round stands differently now; the rest of its row stays.
    Amended {
        /// Which round.
        round: u64,
        /// Its state in words.
        state: String,
        /// The dice it stands on.
        dice: Option<String>,
    },
}

impl RoundChange {
    pub(crate) fn began(round: u64, sequence: u64, at_ms: i64) -> RoundChange {
        RoundChange::Row(RoundRow {
            round,
            first_sequence: sequence,
            last_sequence: sequence,
            started_ms: at_ms,
            ended_ms: None,
            state: "open".to_owned(),
            dice: None,
        })
    }

    pub(crate) fn ended(
        round: u64,
        (first_sequence, last_sequence): (u64, u64),
        (started_ms, ended_ms): (i64, i64),
        state: &str,
        dice: Option<String>,
    ) -> RoundChange {
        RoundChange::Row(RoundRow {
            round,
            first_sequence,
            last_sequence,
            started_ms,
            ended_ms: Some(ended_ms),
            state: state.to_owned(),
            dice,
        })
    }

    pub(crate) fn amended(round: u64, state: &str, standing: Standing) -> RoundChange {
        let dice = match standing {
            Standing::Settled(dice) => Some(dice.to_string()),
            Standing::Void => None,
        };
        RoundChange::Amended {
            round,
            state: state.to_owned(),
            dice,
        }
    }
}

/// Makes an order durable. Only the block decides: a snapshot that cannot be
/// kept costs time at the next start and nothing else.
///
/// # Errors
/// When the block is not durable: nothing of it may be acknowledged.
pub fn persist(
    store: &mut dyn Store,
    key: &HouseKey,
    house: KeyId,
    order: &Order,
) -> Result<(), AppendError> {
    let rows = rows(store, &order.rounds);
    let header = order.block.header();
    let signed = order.checkpoint.and_then(|reason| {
        let checkpoint = Checkpoint {
            house,
            stream: header.stream.clone(),
            sequence: header.last_sequence,
            header_hash: order.block.header_hash(),
            time_ms: order.time_ms,
            reason,
        };
        // A clock outside the calendar cannot be written into a checkpoint;
        // the block stands without one.
        checkpoint.sign(key).ok()
    });
    store.append(
        &order.block,
        Beside {
            rounds: &rows,
            checkpoint: signed.as_ref(),
        },
    )?;
    if let Some(bytes) = &order.snapshot {
        let snapshot = Snapshot {
            sequence: header.last_sequence,
            header_hash: order.block.header_hash(),
            bytes: bytes.clone(),
        };
        // The block is durable and its answers may leave. A medium that failed
        // here refuses the next block, which stops the loop in its own time.
        let _ = store.put_snapshot(&snapshot);
    }
    Ok(())
}

/// Signs where a stream ends. A medium that fails here refuses the next block,
/// which stops the loop in its own time.
pub fn sign_tail(
    store: &mut dyn Store,
    key: &HouseKey,
    house: KeyId,
    stream: StreamId,
    time_ms: i64,
    reason: CheckpointReason,
) {
    let tail = store.tail();
    let checkpoint = Checkpoint {
        house,
        stream,
        sequence: tail.sequence,
        header_hash: tail.header_hash,
        time_ms,
        reason,
    };
    if let Ok(signed) = checkpoint.sign(key) {
        let _ = store.put_checkpoint(&signed);
    }
}

/// Whole rows for the changes, later ones over earlier ones.
pub fn rows(store: &dyn Store, changes: &[RoundChange]) -> Vec<RoundRow> {
    let mut rows: Vec<RoundRow> = Vec::new();
    for change in changes {
        let row = match change {
            RoundChange::Row(row) => Some(row.clone()),
            RoundChange::Amended { round, state, dice } => rows
                .iter()
                .find(|row| row.round == *round)
                .cloned()
                .or_else(|| {
                    let found = store.rounds(*round, 1).ok()?;
                    found.into_iter().find(|row| row.round == *round)
                })
                .map(|row| RoundRow {
                    state: state.clone(),
                    dice: dice.clone(),
                    ..row
                }),
        };
        let Some(row) = row else { continue };
        rows.retain(|known| known.round != row.round);
        rows.push(row);
    }
    rows
}
