//! One stream in PostgreSQL, as [`Store`]: a block is one statement with its
//! rounds and its checkpoint. What an answer in doubt is turned into is the
//! protocol's to say.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use postgres::Row;
use sicbo_journal::{
    AppendError, Beside, Blocks, Hash, Headers, RawBlock, RawHeader, ReadError, RoundRow,
    SealedBlock, SignedCheckpoint, Snapshot, Store, StreamId, Tail, check_append, check_checkpoint,
    check_snapshot,
};

use crate::error::ClusterError;
use crate::link::{Link, PAUSE};
use crate::protocol::{self, Doubt, Settled, Truth};
use crate::server::Server;
use crate::statements as sql;
use crate::truth;

/// Blocks that one question brings. A body has 16 MiB at most, and most have kilobytes.
const PAGE: i64 = 8;
/// Headers that one question brings.
const HEADER_PAGE: i64 = 512;
/// How often an answer in doubt is told in the log, at most.
const TELL_INTERVAL: Duration = Duration::from_secs(5);

/// A [`Store`] whose blocks are in PostgreSQL.
pub struct PostgresStore {
    server: Server,
    link: RefCell<Link>,
    stream: StreamId,
    tail: Tail,
    /// The epoch that this store claimed; `None` of a reader.
    claimed: Option<u64>,
    node: String,
    poisoned: bool,
}

/// One stream as the protocol asks of it.
struct Asked<'a> {
    link: &'a mut Link,
    stream: &'a str,
    node: &'a str,
    until: Instant,
    /// When an answer in doubt was told of last.
    told: Option<Instant>,
}

impl<'a> Asked<'a> {
    fn new(
        link: &'a mut Link,
        stream: &'a StreamId,
        (node, give_up): (&'a str, Duration),
    ) -> Asked<'a> {
        Asked {
            link,
            stream: stream.as_str(),
            node,
            until: Instant::now() + give_up,
            told: None,
        }
    }
}

impl Truth for Asked<'_> {
    fn claim(&mut self) -> Result<Option<(u64, Tail)>, Doubt> {
        let names = self.link.standby_names()?;
        let rows = self
            .link
            .ask(sql::CLAIM, &[&self.stream, &self.node, &names])?;
        Ok(rows
            .first()
            .map(|row| (unsigned(row.get(0)), read_tail(row, 1))))
    }

    fn settle(&mut self, claimed: u64) -> Result<Option<Tail>, Doubt> {
        let names = self.link.standby_names()?;
        let rows = self
            .link
            .ask(sql::SETTLE, &[&self.stream, &clamp(claimed), &names])?;
        Ok(rows.first().map(|row| read_tail(row, 0)))
    }

    fn holder(&mut self) -> Result<Option<(u64, String)>, Doubt> {
        let rows = self.link.ask(sql::HOLDER, &[&self.stream])?;
        Ok(rows.first().map(|row| (unsigned(row.get(0)), row.get(1))))
    }

    fn renew(&mut self) {
        self.link.drop_connection();
    }

    fn wait(&mut self, what: &str) -> bool {
        let due = self.told.is_none_or(|told| told.elapsed() >= TELL_INTERVAL);
        if due {
            self.told = Some(Instant::now());
            tracing::warn!(
                journal = self.stream,
                what,
                "nothing is acknowledged until PostgreSQL has been asked again"
            );
        }
        if Instant::now() >= self.until {
            return false;
        }
        std::thread::sleep(PAUSE);
        true
    }
}

impl PostgresStore {
    /// Claims a stream for a writer, under the quorum, and only then learns where
    /// it ends. Whoever wrote it before can append nothing from then on.
    ///
    /// # Errors
    /// When the servers cannot be reached, are set up too weakly, or hold another
    /// house. Nothing was written then.
    pub fn lead(
        server: &Server,
        house: &Hash,
        stream: StreamId,
        node: &str,
    ) -> Result<PostgresStore, ClusterError> {
        let mut link = Link::open(server, true)?;
        truth::check_house(&mut link, house)?;
        let mut asked = Asked::new(&mut link, &stream, (node, server.give_up()));
        let (claimed, tail) = protocol::claim(&mut asked)?;
        Ok(PostgresStore::around(
            server,
            link,
            stream,
            tail,
            Some((claimed, node)),
        ))
    }

    /// Opens a stream to read it. The tail stays what it was at opening, and may
    /// not be durable yet; see [`crate::Follower`]. Every write is refused.
    ///
    /// # Errors
    /// When the servers cannot be reached or hold another house.
    pub fn read(
        server: &Server,
        house: &Hash,
        stream: StreamId,
    ) -> Result<PostgresStore, ClusterError> {
        let mut link = Link::open(server, false)?;
        truth::check_house(&mut link, house)?;
        let rows = link.ask(sql::HOLDER, &[&stream.as_str()])?;
        let tail = rows
            .first()
            .map(|row| read_tail(row, 2))
            .unwrap_or_default();
        Ok(PostgresStore::around(server, link, stream, tail, None))
    }

    fn around(
        server: &Server,
        link: Link,
        stream: StreamId,
        tail: Tail,
        claimed: Option<(u64, &str)>,
    ) -> PostgresStore {
        PostgresStore {
            server: server.clone(),
            link: RefCell::new(link),
            stream,
            tail,
            claimed: claimed.map(|(claimed, _)| claimed),
            node: claimed.map_or("", |(_, node)| node).to_owned(),
            poisoned: false,
        }
    }

    /// The stream.
    #[must_use]
    pub fn stream(&self) -> &StreamId {
        &self.stream
    }

    fn alive(&self) -> Result<u64, AppendError> {
        match self.claimed {
            None => Err(AppendError::ReadOnly),
            Some(_) if self.poisoned => Err(AppendError::Poisoned),
            Some(claimed) => Ok(claimed),
        }
    }

    fn ask(
        &self,
        sql: &'static str,
        values: &[&(dyn postgres::types::ToSql + Sync)],
    ) -> Result<Vec<Row>, Doubt> {
        self.link.borrow_mut().ask(sql, values)
    }

    /// Carries a write through: certain is what comes of it, or the store is done with.
    fn carry_through(
        &mut self,
        claimed: u64,
        mut send: impl FnMut(&mut Link, &str) -> Result<bool, Doubt>,
        found: impl Fn(&Tail) -> Result<bool, AppendError>,
    ) -> Result<(), AppendError> {
        let give_up = self.server.give_up();
        let mut asked = Asked::new(self.link.get_mut(), &self.stream, (&self.node, give_up));
        let send = |asked: &mut Asked<'_>| {
            let names = asked.link.standby_names()?;
            send(asked.link, &names)
        };
        let outcome = protocol::carry_through(&mut asked, claimed, send, found);
        self.poisoned |= outcome.is_err();
        outcome
    }

    fn header_hash_at(&self, sequence: u64) -> Result<Option<Hash>, Doubt> {
        let rows = self.ask(sql::HASH_AT, &[&self.stream.as_str(), &clamp(sequence)])?;
        let row = rows
            .first()
            .filter(|row| row.get::<_, i64>(1) == clamp(sequence));
        Ok(row.and_then(|row| Hash::from_slice(row.get(0))))
    }

    /// The hash at a sequence for a write: a server that cannot be asked may
    /// come back.
    fn stored_hash(&mut self, sequence: u64) -> Result<Option<Hash>, AppendError> {
        let until = Instant::now() + self.server.give_up();
        loop {
            let what = match self.header_hash_at(sequence) {
                Ok(found) => return Ok(found),
                Err(doubt) => doubt.what,
            };
            if Instant::now() >= until {
                self.poisoned = true;
                return Err(AppendError::Failed { what });
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The first sequence of the block that holds a record, or of the next one.
    fn begins(&self, sequence: u64) -> Result<i64, Doubt> {
        let rows = self.ask(sql::HOLDS, &[&self.stream.as_str(), &clamp(sequence)])?;
        let holder = rows
            .first()
            .filter(|row| row.get::<_, i64>(1) >= clamp(sequence));
        Ok(holder.map_or(clamp(sequence), |row| row.get(0)))
    }
}

/// What a reader has asked for and not handed out.
struct Pages<'a, T> {
    store: &'a PostgresStore,
    from: Result<i64, Doubt>,
    ready: VecDeque<T>,
    ended: bool,
}

impl<'a, T> Pages<'a, T> {
    fn new(store: &'a PostgresStore, sequence: u64) -> Pages<'a, T> {
        Pages {
            store,
            from: store.begins(sequence),
            ready: VecDeque::new(),
            ended: false,
        }
    }

    fn next(
        &mut self,
        (page, sql): (i64, &'static str),
        read: impl Fn(&Row) -> Result<T, ReadError>,
    ) -> Option<Result<T, ReadError>> {
        if let Some(ready) = self.ready.pop_front() {
            return Some(Ok(ready));
        }
        if self.ended {
            return None;
        }
        let rows = self.from.clone().and_then(|from| {
            self.store
                .ask(sql, &[&self.store.stream.as_str(), &from, &page])
        });
        let rows = match rows {
            Ok(rows) => rows,
            Err(doubt) => {
                self.ended = true;
                return Some(Err(ReadError::Failed { what: doubt.what }));
            }
        };
        self.ended = rows.len() < page as usize;
        self.from = Ok(rows
            .last()
            .map_or(i64::MAX, |row| row.get::<_, i64>(0).saturating_add(1)));
        for row in &rows {
            match read(row) {
                Ok(one) => self.ready.push_back(one),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

impl Store for PostgresStore {
    fn tail(&self) -> Tail {
        self.tail
    }

    fn next_epoch(&self) -> u64 {
        self.claimed.unwrap_or(0).max(self.tail.epoch + 1)
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        let mut claimed = self.alive()?;
        check_append(&self.stream, &self.tail, block, &beside)?;
        let header = block.header();
        if header.epoch < claimed {
            return Err(AppendError::OlderEpoch {
                current: claimed,
                found: header.epoch,
            });
        }
        // A writer that began anew on the same store has an epoch of its own.
        if header.epoch > claimed {
            self.raise_claim(header.epoch)?;
            claimed = header.epoch;
        }
        let epoch = clamp(claimed);
        let before = self.tail;
        let after = Tail {
            sequence: header.last_sequence,
            header_hash: block.header_hash(),
            epoch: header.epoch,
        };
        let rounds = RoundColumns::of(beside.rounds);
        let stream = self.stream.clone();
        let (message, signature) = match beside.checkpoint {
            Some(signed) => (Some(signed.message()), Some(&signed.signature()[..])),
            None => (None, None),
        };
        let send = |link: &mut Link, names: &str| {
            let rows = link.ask(
                sql::APPEND,
                &[
                    &stream.as_str(),
                    &clamp(before.sequence),
                    &&before.header_hash.0[..],
                    &epoch,
                    &names,
                    &clamp(after.sequence),
                    &&after.header_hash.0[..],
                    &header.time_ms,
                    &block.header_bytes(),
                    &block.body().bytes(),
                    &rounds.rounds,
                    &rounds.first,
                    &rounds.last,
                    &rounds.started,
                    &rounds.ended,
                    &rounds.states,
                    &rounds.dice,
                    &message,
                    &signature,
                ],
            )?;
            Ok(done(&rows))
        };
        let found = |tail: &Tail| protocol::found(tail, &before, &after);
        self.carry_through(claimed, send, found)?;
        self.tail = after;
        Ok(())
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        let mut pages = Pages::new(self, sequence);
        Box::new(std::iter::from_fn(move || {
            pages.next((PAGE, sql::BLOCKS), |row| {
                Ok(RawBlock {
                    filed_under: unsigned(row.get(0)),
                    header: row.get::<_, Vec<u8>>(1).into(),
                    body: row.get(2),
                })
            })
        }))
    }

    fn headers_from(&self, sequence: u64) -> Headers<'_> {
        let mut pages = Pages::new(self, sequence);
        Box::new(std::iter::from_fn(move || {
            pages.next((HEADER_PAGE, sql::HEADERS), |row| {
                Ok(RawHeader {
                    filed_under: unsigned(row.get(0)),
                    header: row.get::<_, Vec<u8>>(1).into(),
                })
            })
        }))
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        let claimed = self.alive()?;
        let hash = self.stored_hash(snapshot.sequence)?;
        check_snapshot(hash == Some(snapshot.header_hash))?;
        let stream = self.stream.clone();
        let send = |link: &mut Link, names: &str| {
            let rows = link.ask(
                sql::SNAPSHOT,
                &[
                    &stream.as_str(),
                    &clamp(claimed),
                    &clamp(snapshot.sequence),
                    &&snapshot.header_hash.0[..],
                    &&snapshot.digest().0[..],
                    &snapshot.bytes,
                    &names,
                ],
            )?;
            Ok(done(&rows))
        };
        // It replaces itself: in doubt it is kept once more.
        self.carry_through(claimed, send, |_| Ok(false))
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.snapshot_before(u64::MAX)
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        let failed = |doubt: Doubt| ReadError::Failed { what: doubt.what };
        let mut below = clamp(sequence);
        loop {
            let rows = self.ask(sql::SNAPSHOTS, &[&self.stream.as_str(), &below]);
            let rows = rows.map_err(failed)?;
            let Some(row) = rows.first() else {
                return Ok(None);
            };
            below = row.get(0);
            let Some(header_hash) = Hash::from_slice(row.get(1)) else {
                continue;
            };
            let snapshot = Snapshot {
                sequence: unsigned(below),
                header_hash,
                bytes: row.get(3),
            };
            let stored = self.header_hash_at(snapshot.sequence).map_err(failed)?;
            if stored == Some(header_hash) && snapshot.digest().0[..] == row.get::<_, &[u8]>(2)[..]
            {
                return Ok(Some(snapshot));
            }
        }
    }

    fn put_checkpoint(&mut self, signed: &SignedCheckpoint) -> Result<(), AppendError> {
        let claimed = self.alive()?;
        let sequence = signed.checkpoint().sequence;
        let hash = self.stored_hash(sequence)?;
        check_checkpoint(&self.stream, signed, |_| Ok(hash))?;
        let stream = self.stream.clone();
        let send = |link: &mut Link, names: &str| {
            let rows = link.ask(
                sql::CHECKPOINT,
                &[
                    &stream.as_str(),
                    &clamp(claimed),
                    &clamp(sequence),
                    &signed.message(),
                    &&signed.signature()[..],
                    &names,
                ],
            )?;
            Ok(done(&rows))
        };
        // The statement keeps it once, however often it is sent.
        self.carry_through(claimed, send, |_| Ok(false))
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        let numbered = self.checkpoints_after(0)?;
        Ok(numbered.into_iter().map(|(_, signed)| signed).collect())
    }

    fn check_there(&mut self) -> Result<(), AppendError> {
        let claimed = self.alive()?;
        let give_up = self.server.give_up();
        let link = self.link.get_mut();
        let mut asked = Asked::new(link, &self.stream, (&self.node, give_up));
        let settled = match protocol::settle(&mut asked, claimed) {
            Ok(Settled::Ours(tail)) if tail == self.tail => return Ok(()),
            Ok(Settled::Ours(tail)) => AppendError::Failed {
                what: format!(
                    "the stream ends with record {} and not with {}, which was acknowledged",
                    tail.sequence, self.tail.sequence
                ),
            },
            Ok(Settled::Fenced(fenced)) => fenced,
            Err(error) => error,
        };
        self.poisoned = true;
        Err(settled)
    }

    fn abandon(&mut self) {
        self.poisoned = true;
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.ask(sql::ROUNDS, &[&self.stream.as_str(), &clamp(from), &limit]);
        let rows = rows.map_err(|doubt| ReadError::Failed { what: doubt.what })?;
        Ok(rows.iter().map(read_round).collect())
    }
}

impl PostgresStore {
    /// Checkpoints after a number, each with its own.
    pub(crate) fn checkpoints_after(
        &self,
        number: i64,
    ) -> Result<Vec<(i64, SignedCheckpoint)>, ReadError> {
        let rows = self.ask(sql::CHECKPOINTS, &[&self.stream.as_str(), &number]);
        let rows = rows.map_err(|doubt| ReadError::Failed { what: doubt.what })?;
        let read = rows.iter().map(|row| {
            let signed = SignedCheckpoint::from_parts(row.get(1), row.get(2));
            let signed = signed.map_err(|error| ReadError::Damaged {
                sequence: 0,
                what: format!("a checkpoint: {error}"),
            })?;
            Ok((row.get(0), signed))
        });
        read.collect()
    }

    /// After which record the newest snapshot was taken; 0 where there is none.
    pub(crate) fn newest_snapshot(&self) -> Result<u64, ReadError> {
        let rows = self.ask(sql::NEWEST_SNAPSHOT, &[&self.stream.as_str()]);
        let rows = rows.map_err(|doubt| ReadError::Failed { what: doubt.what })?;
        Ok(rows.first().map_or(0, |row| unsigned(row.get(0))))
    }

    /// Rows of the round index that blocks after one sequence and up to another
    /// have put as they stand.
    pub(crate) fn rounds_changed(&self, after: u64, to: u64) -> Result<Vec<RoundRow>, ReadError> {
        let values: [&(dyn postgres::types::ToSql + Sync); 3] =
            [&self.stream.as_str(), &clamp(after), &clamp(to)];
        let rows = self.ask(sql::MOVED_ROUNDS, &values);
        let rows = rows.map_err(|doubt| ReadError::Failed { what: doubt.what })?;
        Ok(rows.iter().map(read_round).collect())
    }

    /// Takes a higher epoch for the same holder. In doubt the store is done with:
    /// whoever opens it anew claims anew.
    fn raise_claim(&mut self, epoch: u64) -> Result<(), AppendError> {
        let claimed = self.alive()?;
        let stream = self.stream.clone();
        let link = self.link.get_mut();
        let raised = link.standby_names().and_then(|names| {
            let (from, to) = (clamp(claimed), clamp(epoch));
            link.ask(sql::RAISE, &[&stream.as_str(), &from, &to, &names])
        });
        let what = match raised {
            Ok(rows) if !rows.is_empty() => {
                self.claimed = Some(epoch);
                return Ok(());
            }
            Ok(_) => format!("epoch {claimed} is no longer this writer's"),
            Err(doubt) => doubt.what,
        };
        self.poisoned = true;
        Err(AppendError::Failed { what })
    }
}

/// Columns of the round rows; of one round the last row stands.
#[derive(Default)]
struct RoundColumns<'a> {
    rounds: Vec<i64>,
    first: Vec<i64>,
    last: Vec<i64>,
    started: Vec<i64>,
    ended: Vec<Option<i64>>,
    states: Vec<&'a str>,
    dice: Vec<Option<&'a str>>,
}

impl<'a> RoundColumns<'a> {
    fn of(rows: &'a [RoundRow]) -> RoundColumns<'a> {
        let mut columns = RoundColumns::default();
        for (at, row) in rows.iter().enumerate() {
            if rows[at + 1..].iter().any(|later| later.round == row.round) {
                continue;
            }
            columns.rounds.push(clamp(row.round));
            columns.first.push(clamp(row.first_sequence));
            columns.last.push(clamp(row.last_sequence));
            columns.started.push(row.started_ms);
            columns.ended.push(row.ended_ms);
            columns.states.push(&row.state);
            columns.dice.push(row.dice.as_deref());
        }
        columns
    }
}

/// Whether a write found what it compares as it should be.
fn done(rows: &[Row]) -> bool {
    rows.first().is_some_and(|row| row.get::<_, i64>(0) == 1)
}

fn read_round(row: &Row) -> RoundRow {
    RoundRow {
        round: unsigned(row.get(0)),
        first_sequence: unsigned(row.get(1)),
        last_sequence: unsigned(row.get(2)),
        started_ms: row.get(3),
        ended_ms: row.get(4),
        state: row.get(5),
        dice: row.get(6),
    }
}

/// Sequence, header hash and epoch, from a column on.
pub(crate) fn read_tail(row: &Row, from: usize) -> Tail {
    Tail {
        sequence: unsigned(row.get(from)),
        header_hash: Hash::from_slice(row.get(from + 1)).unwrap_or_default(),
        epoch: unsigned(row.get(from + 2)),
    }
}

/// Sequences, epochs and rounds stay below 2^63.
pub(crate) fn clamp(number: u64) -> i64 {
    number.min(i64::MAX as u64) as i64
}

fn unsigned(number: i64) -> u64 {
    number.try_into().unwrap_or_default()
}
