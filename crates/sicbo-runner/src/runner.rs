//! Drives a loop with threads, a real clock and a real store.
//!
//! One thread decides, a second makes blocks durable; the two overlap. The
//! queue at the door is bounded: when it is full the caller is told so at once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use sicbo_journal::{AppendError, CheckpointReason, HouseKey, KeyId, Store, StreamId};

use crate::inbox::{Closed, Inbox};
use sicbo_clock::{now_ms, steady_ms};
use sicbo_loop::{
    Answer, CHECKPOINT_EVERY_MS, Door, Effect, Input, Listener, Machine, Returned, WriterLoop,
};
use sicbo_loop::{Order, persist, sign_tail};

/// The shortest wait for a deadline; also how often what was refused is asked again.
const ASK_AGAIN_MS: i64 = 5;

/// Bounds of a runner.
#[derive(Clone, Copy, Debug)]
pub struct RunnerOptions {
    /// Most commands waiting at the door.
    pub queue: usize,
}

impl Default for RunnerOptions {
    fn default() -> Self {
        RunnerOptions { queue: 16_384 }
    }
}

/// How often an idle writer looks whether its files are still there.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The longest the deciding thread sleeps when nothing is due.
const LONGEST_WAIT_MS: i64 = 1_000;
/// A deciding thread that has not looked for this long was held.
const AWAY_MS: i64 = LONGEST_WAIT_MS + 1_000;

/// Where commands for a loop go.
pub struct Handle<M: Machine, R> {
    inbox: Arc<Inbox<(R, M::Command)>>,
}

impl<M: Machine, R> Clone for Handle<M, R> {
    fn clone(&self) -> Self {
        Handle {
            inbox: Arc::clone(&self.inbox),
        }
    }
}

impl<M: Machine, R: Send> Door<M, R> for Handle<M, R> {
    fn waiting(&self) -> usize {
        self.inbox.waiting()
    }

    fn offer(&self, reply: R, command: M::Command) -> Result<(), Returned<M, R>> {
        self.inbox
            .put((reply, command))
            .map_err(|((reply, command), why)| {
                let answer = match why {
                    Closed::Full => Answer::Busy,
                    Closed::Gone => Answer::Stopped,
                };
                (reply, command, answer)
            })
    }
}

/// A running loop.
pub struct Runner<M: Machine, R> {
    handle: Handle<M, R>,
    deciding: Option<JoinHandle<WriterLoop<M, R>>>,
    writing: Option<JoinHandle<Box<dyn Store>>>,
}

impl<M: Machine + Send + 'static, R: Send + 'static> Runner<M, R> {
    /// Starts the two threads of a loop.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start(
        writer_loop: WriterLoop<M, R>,
        store: Box<dyn Store>,
        key: HouseKey,
        house: KeyId,
        listener: Box<dyn Listener<M, R>>,
        options: RunnerOptions,
    ) -> std::io::Result<Runner<M, R>> {
        let inbox = Arc::new(Inbox::new(options.queue));
        // One block in flight: a slot for it; its outcome comes to the inbox.
        let (orders, to_write) = bounded::<Box<Order>>(1);
        let outcomes = Outcomes(Arc::clone(&inbox));
        let writing = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || write(store, &key, house, &to_write, &outcomes))?;
        let door = Entrance(Arc::clone(&inbox));
        let deciding = std::thread::Builder::new()
            .name("deciding".to_owned())
            .spawn(move || run(writer_loop, listener, &door, &orders))?;
        Ok(Runner {
            handle: Handle { inbox },
            deciding: Some(deciding),
            writing: Some(writing),
        })
    }

    /// Where commands go.
    #[must_use]
    pub fn handle(&self) -> Handle<M, R> {
        self.handle.clone()
    }

    /// Finishes what was accepted and stops; gives the store back.
    #[must_use]
    pub fn stop(mut self) -> Option<(WriterLoop<M, R>, Box<dyn Store>)> {
        self.handle.inbox.stop();
        let writer_loop = self.deciding.take()?.join().ok()?;
        let store = self.writing.take()?.join().ok()?;
        Some((writer_loop, store))
    }
}

/// The writing thread's end of the inbox. However that thread ends, the
/// deciding one must not wait for it for ever.
struct Outcomes<T>(Arc<Inbox<T>>);

impl<T> Drop for Outcomes<T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let what = "the journal's writer is gone".to_owned();
            self.0.landed(Err(AppendError::Failed { what }));
        }
    }
}

/// The deciding thread's end. However that thread ends, nobody may hand in
/// commands that nobody will answer.
struct Entrance<T>(Arc<Inbox<T>>);

impl<T> Drop for Entrance<T> {
    fn drop(&mut self) {
        drop(self.0.close());
    }
}

/// What the loop tells. However the deciding thread ends, whoever listens must
/// not go on as if all were well.
struct Ears<M: Machine, R>(Box<dyn Listener<M, R>>);

impl<M: Machine, R> Drop for Ears<M, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0
                .stopped("the loop broke off; what was acknowledged is safe");
        }
    }
}

fn write<T>(
    mut store: Box<dyn Store>,
    key: &HouseKey,
    house: KeyId,
    orders: &Receiver<Box<Order>>,
    outcomes: &Outcomes<T>,
) -> Box<dyn Store> {
    let quiet = Duration::from_millis(CHECKPOINT_EVERY_MS.unsigned_abs());
    // The stream and when it was last written to, while its last block is not
    // yet signed for.
    let mut unsigned: Option<(StreamId, Instant)> = None;
    let mut there = true;
    loop {
        let reason = match orders.recv_timeout(LOOK_EVERY) {
            Ok(order) => {
                let landed = persist(store.as_mut(), key, house, &order);
                let whole = landed.is_ok() && order.checkpoint.is_none();
                let stream = whole.then(|| order.block.header().stream.clone());
                unsigned = stream.map(|stream| (stream, Instant::now()));
                there &= landed.is_ok();
                outcomes.0.landed(landed);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => {
                // A house in which nothing is written notices too that its files
                // are gone; said once.
                if there && let Err(error) = store.check_there() {
                    there = false;
                    outcomes.0.landed(Err(error));
                }
                let since = unsigned.as_ref().map(|(_, since)| since.elapsed());
                if since.is_none_or(|since| since < quiet) {
                    continue;
                }
                CheckpointReason::Minute
            }
            Err(RecvTimeoutError::Disconnected) => CheckpointReason::Stop,
        };
        if let Some((stream, _)) = unsigned.take() {
            sign_tail(store.as_mut(), key, house, stream, now_ms(), reason);
        }
        if reason == CheckpointReason::Stop {
            return store;
        }
    }
}

fn run<M: Machine, R>(
    mut writer_loop: WriterLoop<M, R>,
    listener: Box<dyn Listener<M, R>>,
    door: &Entrance<(R, M::Command)>,
    orders: &Sender<Box<Order>>,
) -> WriterLoop<M, R> {
    let mut ears = Ears(listener);
    let mut effects = Vec::new();
    let mut hand: VecDeque<(R, M::Command)> = VecDeque::new();
    let mut looked_ms = steady_ms();
    loop {
        // What is due and was refused (the tumbler still runs) is asked again
        // soon, not at once: a wait of nothing would spin until it is allowed.
        let wait = writer_loop.due_ms().map_or(LONGEST_WAIT_MS, |due| {
            (due - steady_ms()).clamp(ASK_AGAIN_MS, LONGEST_WAIT_MS)
        });
        let wait = Duration::from_millis(wait.unsigned_abs());
        // Without room, commands wait at the bounded door.
        let (room, flying) = (writer_loop.has_room(), writer_loop.is_flying());
        let found = door.0.take(&mut hand, room, flying, wait);
        if let Some(outcome) = found.outcome {
            let input = match outcome {
                Ok(()) => Input::Durable,
                Err(error) => Input::Failed {
                    what: error.to_string(),
                },
            };
            writer_loop.step(input, &mut effects);
            carry_out(&mut effects, ears.0.as_mut(), orders);
        }
        // What waits goes into the same block, as far as there is room.
        while writer_loop.has_room()
            && let Some((reply, command)) = hand.pop_front()
        {
            writer_loop.submit(reply, &command, &mut effects);
        }
        writer_loop.step(Input::Flush, &mut effects);
        let now = steady_ms();
        if now - looked_ms > AWAY_MS {
            writer_loop.was_away(now);
        }
        looked_ms = now;
        let tick = Input::Tick {
            now_ms: now_ms(),
            steady_ms: now,
        };
        writer_loop.step(tick, &mut effects);
        carry_out(&mut effects, ears.0.as_mut(), orders);
        // Asked to stop, nothing new is taken; what was accepted is finished.
        if found.stopping && hand.is_empty() && !writer_loop.is_flying() {
            return writer_loop;
        }
    }
}

fn carry_out<M: Machine, R>(
    effects: &mut Vec<Effect<M, R>>,
    listener: &mut dyn Listener<M, R>,
    orders: &Sender<Box<Order>>,
) {
    if effects.is_empty() {
        return;
    }
    for effect in effects.drain(..) {
        match effect {
            // Never blocks: at most one order is out, and there is a slot for it.
            Effect::Append(order) => {
                let _ = orders.send(order);
            }
            Effect::Answer { reply, answer } => listener.answer(reply, answer),
            Effect::Publish {
                first_sequence,
                block,
                events,
            } => {
                listener.publish(first_sequence, block, events);
            }
            Effect::Stopped { what } => listener.stopped(&what),
        }
    }
    listener.rest();
}
