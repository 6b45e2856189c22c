//! Keeps a node's copies of the streams: what the truth holds for certain is
//! read, checked against chain and seals, and appended to the copy. Never
//! writes a block into the truth, and believes none that the house did not sign.

use std::collections::BTreeMap;

use sicbo_journal::{
    Beside, Chain, Fault, Hash, KeyRing, RawBlock, Seals, Store, StreamId, Tail, TakenOver,
};

use crate::error::ClusterError;
use crate::server::Server;
use crate::store::PostgresStore;
use crate::truth::{StreamRow, Truth};

/// Blocks of one stream that are taken in one go: the truth is asked for a
/// commit of its own before any of them is believed.
const MAX_BLOCKS: usize = 256;
/// Bytes of bodies after which no further block is read in one go.
const MAX_BYTES: usize = 1 << 25;

/// What one look brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Blocks that were appended to copies.
    pub blocks: u64,
    /// Blocks' streams that have more.
    pub behind: usize,
}

/// Makes the copy of a stream that this node does not have yet.
pub type NewCopy<'a> = dyn FnMut(&StreamId) -> Result<Box<dyn Store>, String> + 'a;

/// A node that follows.
pub struct Follower {
    server: Server,
    house: Hash,
    ring: KeyRing,
    node: String,
    truth: Truth,
    streams: BTreeMap<StreamId, Copied>,
    blocks: i64,
}

/// One stream's copy.
struct Copied {
    source: PostgresStore,
    copy: Box<dyn Store>,
    /// Checkpoints it has.
    checkpoints: i64,
    /// After which record its newest snapshot was taken.
    snapshot: u64,
}

impl Follower {
    /// A node that has nothing yet, or goes on with the copies it has.
    ///
    /// # Errors
    /// When the database cannot be reached or is another house's.
    pub fn open(server: &Server, ring: &KeyRing, node: &str) -> Result<Follower, ClusterError> {
        let house = ring.house().0;
        Ok(Follower {
            server: server.clone(),
            house,
            ring: ring.clone(),
            node: node.to_owned(),
            truth: Truth::open(server, &house)?,
            streams: BTreeMap::new(),
            blocks: 0,
        })
    }

    /// Brings every copy on, as far as one go reaches. A stream without a copy
    /// gets one from `new_copy`.
    ///
    /// # Errors
    /// When nothing is certain (look again later), or when truth and copy part:
    /// then nothing is copied and somebody must look.
    pub fn look(&mut self, new_copy: &mut NewCopy<'_>) -> Result<Followed, ClusterError> {
        let rows = self.truth.streams()?;
        let mut pages = Vec::new();
        for row in &rows {
            let stream = stream_id(row)?;
            let page = self.read_page(&stream, row, new_copy)?;
            if !page.is_empty() {
                pages.push((stream, page, row.tail));
            }
        }
        // What was read may be on the primary alone, and gone with it: a commit of
        // our own under the quorum comes after it.
        let coming: usize = pages.iter().map(|(_, page, _)| page.len()).sum();
        self.truth.seen(&self.node, self.blocks + coming as i64)?;
        let mut followed = Followed::default();
        for (stream, page, tail) in pages {
            let Some(copied) = self.streams.get_mut(&stream) else {
                continue;
            };
            followed.blocks += page.len() as u64;
            copied.take(&stream, &self.ring, page)?;
            followed.behind += usize::from(copied.copy.tail().sequence < tail.sequence);
        }
        for (stream, copied) in &mut self.streams {
            copied.take_checkpoints(stream)?;
            let known = copied.snapshot;
            copied.snapshot = take_snapshot(&copied.source, copied.copy.as_mut(), stream, known)?;
        }
        self.blocks += followed.blocks as i64;
        Ok(followed)
    }

    fn read_page(
        &mut self,
        stream: &StreamId,
        row: &StreamRow,
        new_copy: &mut NewCopy<'_>,
    ) -> Result<Vec<RawBlock>, ClusterError> {
        if !self.streams.contains_key(stream) {
            let failed = |what: String| ClusterError::Copy {
                stream: stream.to_string(),
                what,
            };
            let copy = new_copy(stream).map_err(failed)?;
            let source = PostgresStore::read(&self.server, &self.house, stream.clone())?;
            self.streams
                .insert(stream.clone(), Copied::of(stream, source, copy)?);
        }
        match self.streams.get(stream) {
            Some(copied) => copied.read_page(stream, row.tail),
            None => Ok(Vec::new()),
        }
    }

    /// Gives the copies back, closed by whoever drops them.
    #[must_use]
    pub fn into_copies(self) -> BTreeMap<StreamId, Box<dyn Store>> {
        let copies = self.streams.into_iter();
        copies
            .map(|(stream, copied)| (stream, copied.copy))
            .collect()
    }
}

fn stream_id(row: &StreamRow) -> Result<StreamId, ClusterError> {
    StreamId::new(&row.name).map_err(|error| ClusterError::Copy {
        stream: row.name.clone(),
        what: error.to_string(),
    })
}

/// Brings one copy up to where a stream certainly ends, for whoever has claimed it.
///
/// # Errors
/// When truth and copy part, or one cannot be read or written.
pub(crate) fn catch_up(
    source: &PostgresStore,
    copy: &mut Box<dyn Store>,
    ring: &KeyRing,
) -> Result<(), ClusterError> {
    let stream = source.stream().clone();
    let tail = source.tail();
    loop {
        let page = read_page(source, copy.as_ref(), &stream, tail)?;
        if page.is_empty() {
            break;
        }
        take(source, copy.as_mut(), &stream, ring, page)?;
    }
    let known = count_checkpoints(&stream, copy.as_ref())?;
    take_checkpoints(source, copy.as_mut(), &stream, known)?;
    let known = newest_snapshot(&stream, copy.as_ref())?;
    take_snapshot(source, copy.as_mut(), &stream, known)?;
    Ok(())
}

impl Copied {
    fn of(
        stream: &StreamId,
        source: PostgresStore,
        copy: Box<dyn Store>,
    ) -> Result<Copied, ClusterError> {
        let checkpoints = count_checkpoints(stream, copy.as_ref())?;
        let snapshot = newest_snapshot(stream, copy.as_ref())?;
        Ok(Copied {
            source,
            copy,
            checkpoints,
            snapshot,
        })
    }

    fn read_page(&self, stream: &StreamId, tail: Tail) -> Result<Vec<RawBlock>, ClusterError> {
        read_page(&self.source, self.copy.as_ref(), stream, tail)
    }

    fn take(
        &mut self,
        stream: &StreamId,
        ring: &KeyRing,
        page: Vec<RawBlock>,
    ) -> Result<(), ClusterError> {
        take(&self.source, self.copy.as_mut(), stream, ring, page)
    }

    fn take_checkpoints(&mut self, stream: &StreamId) -> Result<(), ClusterError> {
        let known = self.checkpoints;
        let taken = take_checkpoints(&self.source, self.copy.as_mut(), stream, known)?;
        self.checkpoints += taken;
        Ok(())
    }
}

fn count_checkpoints(stream: &StreamId, copy: &dyn Store) -> Result<i64, ClusterError> {
    let kept = copy.checkpoints().map_err(|error| ClusterError::Read {
        stream: stream.to_string(),
        error,
    })?;
    Ok(kept.len() as i64)
}

/// The next blocks for a copy, not beyond where the truth was seen to end.
fn read_page(
    source: &PostgresStore,
    copy: &dyn Store,
    stream: &StreamId,
    tail: Tail,
) -> Result<Vec<RawBlock>, ClusterError> {
    let here = copy.tail();
    if tail.sequence < here.sequence {
        return Err(ClusterError::Older {
            stream: stream.to_string(),
            truth: tail.sequence,
            copy: here.sequence,
        });
    }
    if tail.sequence == here.sequence {
        return match tail.header_hash == here.header_hash {
            true => Ok(Vec::new()),
            false => Err(ClusterError::Forked {
                stream: stream.to_string(),
                sequence: here.sequence,
            }),
        };
    }
    let mut page = Vec::new();
    let mut bytes = 0;
    for raw in source.read_from(here.sequence + 1) {
        let raw = raw.map_err(|error| ClusterError::Read {
            stream: stream.to_string(),
            error,
        })?;
        if raw.filed_under > tail.sequence {
            break;
        }
        bytes += raw.body.len();
        page.push(raw);
        if page.len() == MAX_BLOCKS || bytes >= MAX_BYTES {
            break;
        }
    }
    Ok(page)
}

/// Checks blocks and appends them to the copy, with the rows of the round index
/// that they have put as they stand.
fn take(
    source: &PostgresStore,
    copy: &mut dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    page: Vec<RawBlock>,
) -> Result<(), ClusterError> {
    let broken = |fault: Fault| ClusterError::Broken {
        stream: stream.to_string(),
        fault,
    };
    let read = |error| ClusterError::Read {
        stream: stream.to_string(),
        error,
    };
    let here = copy.tail();
    let kept = copy.checkpoints().map_err(read)?;
    let mut chain = Chain::after(stream.clone(), here);
    let mut seals = Seals::new(ring).held_to(TakenOver::find(ring, &kept));
    let mut blocks = Vec::with_capacity(page.len());
    for raw in page {
        let block = chain.accept(raw).map_err(|fault| match fault.what {
            // The copy's last block is not the one that the truth goes on from.
            sicbo_journal::FaultKind::DoesNotFollow if blocks.is_empty() => ClusterError::Forked {
                stream: stream.to_string(),
                sequence: here.sequence,
            },
            _ => broken(fault),
        })?;
        seals.accept(&block).map_err(broken)?;
        blocks.push(block);
    }
    seals.check_last().map_err(broken)?;
    let rounds = source.rounds_changed(here.sequence, chain.tail().sequence);
    let rounds = rounds.map_err(read)?;
    let last = blocks.len().saturating_sub(1);
    for (at, block) in blocks.iter().enumerate() {
        let rounds = if at == last { &rounds[..] } else { &[] };
        let beside = Beside {
            rounds,
            checkpoint: None,
        };
        let appended = copy.append(block, beside);
        appended.map_err(|error| ClusterError::Copy {
            stream: stream.to_string(),
            what: error.to_string(),
        })?;
    }
    Ok(())
}

/// Copies the checkpoints after so many that are over blocks the copy has.
fn take_checkpoints(
    source: &PostgresStore,
    copy: &mut dyn Store,
    stream: &StreamId,
    known: i64,
) -> Result<i64, ClusterError> {
    let read = |error| ClusterError::Read {
        stream: stream.to_string(),
        error,
    };
    let mut taken = 0;
    for (_, signed) in source.checkpoints_after(known).map_err(read)? {
        if signed.checkpoint().sequence > copy.tail().sequence {
            break;
        }
        let kept = copy.put_checkpoint(&signed);
        kept.map_err(|error| ClusterError::Copy {
            stream: stream.to_string(),
            what: error.to_string(),
        })?;
        taken += 1;
    }
    Ok(taken)
}

fn newest_snapshot(stream: &StreamId, copy: &dyn Store) -> Result<u64, ClusterError> {
    let newest = copy.latest_snapshot().map_err(|error| ClusterError::Read {
        stream: stream.to_string(),
        error,
    })?;
    Ok(newest.map_or(0, |snapshot| snapshot.sequence))
}

/// Copies the newest snapshot, so that a take-over reads only what comes after it.
/// Whether it is believed is seen by its signature, when it is used.
fn take_snapshot(
    source: &PostgresStore,
    copy: &mut dyn Store,
    stream: &StreamId,
    known: u64,
) -> Result<u64, ClusterError> {
    let read = |error| ClusterError::Read {
        stream: stream.to_string(),
        error,
    };
    if source.newest_snapshot().map_err(read)? <= known {
        return Ok(known);
    }
    match source.latest_snapshot().map_err(read)? {
        Some(snapshot) if snapshot.sequence <= copy.tail().sequence => {
            let kept = copy.put_snapshot(&snapshot);
            kept.map_err(|error| ClusterError::Copy {
                stream: stream.to_string(),
                what: error.to_string(),
            })?;
            Ok(snapshot.sequence)
        }
        _ => Ok(known),
    }
}
