//! The single writer of one stream, as a plain function: inputs in, effects out.
//!
//! Commands are decided and applied at once, in memory; what they say leaves
//! only when everything it rests on is durable. While one block is being made
//! durable, the next is being decided. No I/O, no clock, no threads: whoever
//! drives the loop carries out its effects and feeds back what came of them.

use sicbo_journal::{CheckpointReason, Hash, PushError, SealedBlock, Writer};
use sicbo_rules::broken;

use crate::guard::guarded;
use crate::machine::Machine;
use crate::persist::{Order, RoundChange};

/// A signed checkpoint at least this often while there is activity.
pub const CHECKPOINT_EVERY_MS: i64 = 60_000;

/// After the program was held, nothing that is due happens for this long.
const AFTER_AWAY_MS: i64 = 500;

/// A replay of this part of the records between two snapshots is a long one.
const LONG_REPLAY: u64 = 10;

/// The bounds of a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopOptions {
    /// Most records of one block.
    pub batch: usize,
    /// Most commands decided and not yet answered; beyond, busy is answered at once.
    pub unanswered: usize,
    /// Records between two snapshots.
    pub snapshot_every: u64,
    /// Milliseconds after which one is kept with fewer records, if there is
    /// anything new: a quiet table starts as quickly as a busy one.
    pub snapshot_every_ms: i64,
}

impl Default for LoopOptions {
    fn default() -> Self {
        LoopOptions {
            batch: 1_024,
            unanswered: 16_384,
            snapshot_every: 250_000,
            snapshot_every_ms: 15 * 60_000,
        }
    }
}

/// What is fed to the loop.
#[derive(Debug)]
pub enum Input<C, R> {
    /// A command, and to whom the answer goes.
    Submit {
        /// Comes back with the answer.
        reply: R,
        /// What is asked.
        command: Box<C>,
    },
    /// Nothing more is waiting at the door: write what there is.
    Flush,
    /// The block in flight is durable.
    Durable,
    /// The block in flight could not be made durable.
    Failed {
        /// Why.
        what: String,
    },
    /// Time has passed.
    Tick {
        /// Now, UTC milliseconds: a label on records.
        now_ms: i64,
        /// The steady clock, by which deadlines are kept.
        steady_ms: i64,
    },
}

/// What a command is answered.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer<N> {
    /// Done, durably. No events: it had been done before.
    Done {
        /// Sequence of the last record it rests on.
        sequence: u64,
        /// It had been done before: nothing was written.
        again: bool,
    },
    /// Not allowed.
    Refused(N),
    /// Too much is waiting; try again.
    Busy,
    /// What it would write is larger than one record may be.
    TooLarge,
    /// The journal failed. Whether it was registered is known after the restart.
    Stopped,
}

/// What the driver must carry out.
#[derive(Debug)]
pub enum Effect<M: Machine, R> {
    /// Make a block durable, then feed back [`Input::Durable`] or [`Input::Failed`].
    Append(Box<Order>),
    /// Send an answer.
    Answer {
        /// To whom.
        reply: R,
        /// What.
        answer: Answer<M::Refusal>,
    },
    /// These events are durable and may be shown.
    Publish {
        /// Sequence of the first.
        first_sequence: u64,
        /// Hash of the header of the block that holds them. Nobody can know it
        /// before the block is sealed, and the journal shows it for ever.
        block: Hash,
        /// In order.
        events: Vec<M::Event>,
    },
    /// The loop has stopped: its journal failed, what was acknowledged is safe.
    Stopped {
        /// Why.
        what: String,
    },
}

/// What waits for the same block.
struct Batch<M: Machine, R> {
    first_sequence: u64,
    events: Vec<M::Event>,
    answers: Vec<(R, Answer<M::Refusal>)>,
    rounds: Vec<RoundChange>,
    checkpoint: Option<CheckpointReason>,
}

impl<M: Machine, R> Batch<M, R> {
    fn new(first_sequence: u64) -> Batch<M, R> {
        Batch {
            first_sequence,
            events: Vec::new(),
            answers: Vec::new(),
            rounds: Vec::new(),
            checkpoint: None,
        }
    }

    /// An empty batch with room for as much as another has.
    fn like(other: &Batch<M, R>, first_sequence: u64) -> Batch<M, R> {
        Batch {
            events: Vec::with_capacity(other.events.len()),
            answers: Vec::with_capacity(other.answers.len()),
            ..Batch::new(first_sequence)
        }
    }
}

/// A deadline of the state, as written and by the steady clock.
#[derive(Clone, Copy, Debug)]
struct Due {
    deadline_ms: i64,
    steady_ms: i64,
}

/// A sealed batch on its way to the disk.
struct Flying<M: Machine, R> {
    batch: Batch<M, R>,
    /// Hash of its block's header.
    block: Hash,
}

/// The single-writer loop of one stream.
pub struct WriterLoop<M: Machine, R> {
    state: M,
    writer: Writer,
    options: LoopOptions,
    open: Batch<M, R>,
    flying: Option<Flying<M, R>>,
    stopped: Option<String>,
    durable: u64,
    since_snapshot: u64,
    /// So much was replayed that the next block keeps a snapshot.
    snapshot_soon: bool,
    /// When the last was kept, by [`WriterLoop::clock_ms`]; the first block of
    /// this life starts the count.
    last_snapshot_ms: Option<i64>,
    last_checkpoint_ms: Option<i64>,
    now_ms: i64,
    /// The steady clock at the last tick; none before the first.
    steady_ms: Option<i64>,
    due: Option<Due>,
    /// First record of the current round.
    round_first: u64,
    /// The bytes of one command's events, and where each is in them; kept
    /// for their memory.
    buffer: Vec<u8>,
    encoded: Vec<(u16, u16, usize, usize)>,
}

impl<M: Machine, R> WriterLoop<M, R> {
    /// A loop over the state of everything `writer` follows.
    #[must_use]
    pub fn new(
        state: M,
        writer: Writer,
        round_first: u64,
        options: LoopOptions,
    ) -> WriterLoop<M, R> {
        let next = writer.next_sequence();
        WriterLoop {
            state,
            writer,
            options,
            open: Batch::new(next),
            flying: None,
            stopped: None,
            durable: next - 1,
            since_snapshot: 0,
            snapshot_soon: false,
            last_snapshot_ms: None,
            last_checkpoint_ms: None,
            now_ms: 0,
            steady_ms: None,
            due: None,
            round_first,
            buffer: Vec::new(),
            encoded: Vec::new(),
        }
    }

    /// Counts the records replayed since the last snapshot, so that many short
    /// lives in a row do not make every start longer than the one before. After
    /// a long replay the first block keeps a snapshot.
    #[must_use]
    pub(crate) fn replayed(mut self, records: u64) -> WriterLoop<M, R> {
        self.since_snapshot = records;
        self.snapshot_soon = records >= self.options.snapshot_every / LONG_REPLAY;
        self
    }

    /// The clock that says when a snapshot or a checkpoint is due: the steady
    /// one. A driver that never ticks is timed by the labels of its commands.
    fn clock_ms(&self) -> i64 {
        self.steady_ms.unwrap_or(self.now_ms)
    }

    /// Takes note of the steady clock. What was timed by labels before the
    /// first tick goes on by it.
    fn note_steady(&mut self, now_ms: i64, steady_ms: i64) {
        if self.steady_ms.replace(steady_ms).is_none() {
            let to_steady = steady_ms.saturating_sub(now_ms);
            for last in [&mut self.last_snapshot_ms, &mut self.last_checkpoint_ms] {
                *last = last.map(|last_ms| last_ms.saturating_add(to_steady));
            }
        }
    }

    /// The state, ahead of what is durable: not to be shown to anyone.
    #[must_use]
    pub fn state(&self) -> &M {
        &self.state
    }

    /// Sequence of the last durable record.
    #[must_use]
    pub fn durable(&self) -> u64 {
        self.durable
    }

    /// Why the loop has stopped, if it has.
    #[must_use]
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Commands decided and not yet answered.
    #[must_use]
    pub fn unanswered(&self) -> usize {
        self.open.answers.len()
            + self
                .flying
                .as_ref()
                .map_or(0, |flying| flying.batch.answers.len())
    }

    /// A further command would be decided and not answered busy.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let full = self.open.events.len() >= self.options.batch && self.flying.is_some();
        !full && self.unanswered() < self.options.unanswered
    }

    /// A block is being made durable.
    #[must_use]
    pub fn is_flying(&self) -> bool {
        self.flying.is_some()
    }

    /// When the state must act by itself next, by the steady clock. Known from
    /// the tick after what set the deadline.
    #[must_use]
    pub fn due_ms(&self) -> Option<i64> {
        self.due.map(|due| due.steady_ms)
    }

    /// The program was held for a while. What was said to it meanwhile still
    /// lies in its sockets and comes before whatever is due.
    pub fn was_away(&mut self, steady_ms: i64) {
        if let Some(due) = &mut self.due {
            due.steady_ms = due.steady_ms.max(steady_ms + AFTER_AWAY_MS);
        }
    }

    /// Follows the state's deadline: how long is left is fixed when it arises,
    /// and the steady clock counts it down whatever is written on records.
    fn follow_deadline(&mut self, now_ms: i64, steady_ms: i64) {
        let deadline_ms = self.state.deadline_ms();
        if self.due.map(|due| due.deadline_ms) != deadline_ms {
            self.due = deadline_ms.map(|deadline_ms| Due {
                deadline_ms,
                steady_ms: steady_ms.saturating_add(deadline_ms.saturating_sub(now_ms).max(0)),
            });
        }
    }

    /// Takes one input and says what follows.
    pub fn step(&mut self, input: Input<M::Command, R>, effects: &mut Vec<Effect<M, R>>) {
        match input {
            Input::Submit { reply, command } => self.submit(reply, &command, effects),
            Input::Flush => self.flush(effects),
            Input::Durable => self.landed(effects),
            Input::Failed { what } => self.failed(what, effects),
            Input::Tick { now_ms, steady_ms } => self.tick(now_ms, steady_ms, effects),
        }
    }

    /// As [`Input::Submit`], for a driver that holds the command already.
    pub fn submit(&mut self, reply: R, command: &M::Command, effects: &mut Vec<Effect<M, R>>) {
        if self.stopped.is_some() {
            effects.push(Effect::Answer {
                reply,
                answer: Answer::Stopped,
            });
            return;
        }
        if !self.has_room() {
            effects.push(Effect::Answer {
                reply,
                answer: Answer::Busy,
            });
            return;
        }
        if self.open.events.len() >= self.options.batch {
            self.flush(effects);
            // Books that do not balance stop the loop there.
            if self.stopped.is_some() {
                effects.push(Effect::Answer {
                    reply,
                    answer: Answer::Stopped,
                });
                return;
            }
        }
        let answer = match guarded(|| self.carry_out(command)) {
            Ok(answer) => answer,
            Err(what) => {
                self.broken(&what, effects);
                let answer = Answer::Stopped;
                effects.push(Effect::Answer { reply, answer });
                return;
            }
        };
        // An answer rests on everything decided before it, refusals too.
        if broken("loop:durable-first") {
            effects.push(Effect::Answer { reply, answer });
        } else if !self.open.events.is_empty() {
            self.open.answers.push((reply, answer));
        } else if let Some(flying) = &mut self.flying {
            flying.batch.answers.push((reply, answer));
        } else {
            effects.push(Effect::Answer { reply, answer });
        }
    }

    /// Decides, writes into the open block and applies.
    fn carry_out(&mut self, command: &M::Command) -> Answer<M::Refusal> {
        self.now_ms = M::received_ms(command);
        let events = match self.state.decide(command) {
            Ok(events) => events,
            Err(refusal) => return Answer::Refused(refusal),
        };
        // All of a command's events are one append: encode them before any is pushed.
        self.buffer.clear();
        self.encoded.clear();
        for event in &events {
            let start = self.buffer.len();
            let (kind, version) = M::encode(event, &mut self.buffer);
            let length = self.buffer.len() - start;
            if length > sicbo_journal::MAX_PAYLOAD {
                return Answer::TooLarge;
            }
            self.encoded.push((kind, version, start, length));
        }
        if !self.writer.has_room(events.len(), self.buffer.len()) {
            // What is open leaves first; a block of its own may hold it.
            return match self.open.events.is_empty() {
                true => Answer::TooLarge,
                false => Answer::Busy,
            };
        }
        let again = events.is_empty();
        for (at, event) in events.into_iter().enumerate() {
            let (kind, version, start, length) = self.encoded[at];
            let payload = &self.buffer[start..start + length];
            let sequence = match self
                .writer
                .push(M::happened_ms(&event), kind, version, payload)
            {
                Ok(sequence) => sequence,
                Err(
                    PushError::BlockFull | PushError::StreamFull | PushError::PayloadTooLong { .. },
                ) => {
                    // Batches are far below what a block holds; a command cannot be half written.
                    unreachable!("the open block has room for a batch and one command")
                }
            };
            let notes = self.state.notes(&event, sequence, &mut self.round_first);
            self.open.rounds.extend(notes.round);
            self.open.checkpoint = notes.checkpoint.or(self.open.checkpoint);
            self.state.apply(&event);
            self.open.events.push(event);
        }
        Answer::Done {
            sequence: self.writer.next_sequence() - 1,
            again,
        }
    }

    fn flush(&mut self, effects: &mut Vec<Effect<M, R>>) {
        if self.flying.is_some() || self.stopped.is_some() {
            return;
        }
        let Some(block) = self.writer.seal(self.now_ms) else {
            return;
        };
        let clock_ms = self.clock_ms();
        let signed = self.last_checkpoint_ms;
        if self.open.checkpoint.is_none()
            && signed.is_none_or(|last_ms| clock_ms - last_ms >= CHECKPOINT_EVERY_MS)
        {
            self.open.checkpoint = Some(CheckpointReason::Minute);
        }
        if self.open.checkpoint.is_some() {
            self.last_checkpoint_ms = Some(clock_ms);
            // Books that do not balance are a defect: nothing more is written.
            let checked = guarded(|| self.state.check()).unwrap_or_else(Err);
            if let Err(what) = checked {
                self.failed(format!("the books do not balance: {what}"), effects);
                return;
            }
        }
        let snapshot = self.snapshot(&block);
        let hash = block.header_hash();
        let next = Batch::like(&self.open, self.writer.next_sequence());
        let mut batch = std::mem::replace(&mut self.open, next);
        effects.push(Effect::Append(Box::new(Order {
            block,
            rounds: std::mem::take(&mut batch.rounds),
            checkpoint: batch.checkpoint,
            time_ms: self.now_ms,
            snapshot,
        })));
        self.flying = Some(Flying { batch, block: hash });
    }

    /// The state after a block, when it is time to keep one.
    fn snapshot(&mut self, block: &SealedBlock) -> Option<Vec<u8>> {
        let header = block.header();
        self.since_snapshot += header.last_sequence + 1 - header.first_sequence;
        let clock_ms = self.clock_ms();
        let last_ms = *self.last_snapshot_ms.get_or_insert(clock_ms);
        let due = self.snapshot_soon
            || self.since_snapshot >= self.options.snapshot_every
            || clock_ms - last_ms >= self.options.snapshot_every_ms;
        due.then(|| {
            self.snapshot_soon = false;
            self.since_snapshot = 0;
            self.last_snapshot_ms = Some(clock_ms);
            self.writer.snapshot(block, self.state.snapshot())
        })
    }

    fn landed(&mut self, effects: &mut Vec<Effect<M, R>>) {
        let Some(Flying { batch, block }) = self.flying.take() else {
            return;
        };
        self.durable = batch.first_sequence + batch.events.len() as u64 - 1;
        effects.push(Effect::Publish {
            first_sequence: batch.first_sequence,
            block,
            events: batch.events,
        });
        for (reply, answer) in batch.answers {
            if !broken("loop:everybody-is-answered") {
                effects.push(Effect::Answer { reply, answer });
            }
        }
        self.flush(effects);
    }

    fn failed(&mut self, what: String, effects: &mut Vec<Effect<M, R>>) {
        if self.stopped.is_some() {
            return;
        }
        let waiting = self
            .flying
            .take()
            .into_iter()
            .flat_map(|flying| flying.batch.answers);
        for (reply, _) in waiting.chain(std::mem::take(&mut self.open.answers)) {
            effects.push(Effect::Answer {
                reply,
                answer: Answer::Stopped,
            });
        }
        self.stopped = Some(what.clone());
        effects.push(Effect::Stopped { what });
    }

    /// An assertion failed: what is in memory is no longer the state of what is
    /// written. The open block never leaves; the journal stays as it is.
    fn broken(&mut self, what: &str, effects: &mut Vec<Effect<M, R>>) {
        self.failed(
            format!("a check inside the program failed: {what}"),
            effects,
        );
    }

    /// What the state does by itself when its time has come.
    fn tick(&mut self, now_ms: i64, steady_ms: i64, effects: &mut Vec<Effect<M, R>>) {
        self.now_ms = now_ms;
        self.note_steady(now_ms, steady_ms);
        self.follow_deadline(now_ms, steady_ms);
        if self.stopped.is_some() || self.due.is_none_or(|due| due.steady_ms > steady_ms) {
            return;
        }
        let due = guarded(|| {
            for command in self.state.due(now_ms) {
                // A refusal (the tumbler still runs) is asked again at the next tick.
                let _ = self.carry_out(&command);
            }
        });
        if let Err(what) = due {
            self.broken(&what, effects);
            return;
        }
        self.follow_deadline(now_ms, steady_ms);
        self.flush(effects);
    }
}
