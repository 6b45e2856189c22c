//! Drives a loop with threads, a real clock and a real store.
//!
//! One thread decides, a second makes blocks durable; the two overlap. The
//! queue at the door is bounded: when it is full the caller is told so at once.

use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded, never, select};
use sicbo_journal::{AppendError, HouseKey, KeyId, Store};

use crate::machine::Machine;
use crate::persist::{Order, persist};
use crate::writer_loop::{Answer, Effect, Input, WriterLoop};

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

/// What the runner tells the rest of the house.
pub trait Listener<M: Machine, R>: Send {
    /// An answer to a command.
    fn answer(&mut self, reply: R, answer: Answer<M::Refusal>);
    /// Events that are durable and may be shown. A listener that shows state
    /// applies them to a state of its own: the loop's is ahead of the disk.
    fn publish(&mut self, first_sequence: u64, events: Vec<M::Event>);
    /// The loop has stopped.
    fn stopped(&mut self, what: &str);
}

enum Request<C, R> {
    Submit { reply: R, command: Box<C> },
    Stop,
}

/// Where commands for a loop go.
pub struct Handle<M: Machine, R> {
    sender: Sender<Request<M::Command, R>>,
}

impl<M: Machine, R> Clone for Handle<M, R> {
    fn clone(&self) -> Self {
        Handle {
            sender: self.sender.clone(),
        }
    }
}

impl<M: Machine, R> Handle<M, R> {
    /// Hands a command in. When the queue is full or the loop is gone, the
    /// answer comes back at once.
    ///
    /// # Errors
    /// The reply token with `Busy` or `Stopped`.
    pub fn submit(&self, reply: R, command: M::Command) -> Result<(), (R, Answer<M::Refusal>)> {
        let request = Request::Submit {
            reply,
            command: Box::new(command),
        };
        self.sender.try_send(request).map_err(|error| {
            let (request, answer) = match error {
                TrySendError::Full(request) => (request, Answer::Busy),
                TrySendError::Disconnected(request) => (request, Answer::Stopped),
            };
            match request {
                Request::Submit { reply, .. } => (reply, answer),
                Request::Stop => unreachable!("only commands are sent here"),
            }
        })
    }
}

/// A running loop.
pub struct Runner<M: Machine, R> {
    handle: Handle<M, R>,
    deciding: Option<JoinHandle<WriterLoop<M, R>>>,
    writing: Option<JoinHandle<Box<dyn Store>>>,
}

/// Now, UTC milliseconds.
#[must_use]
pub fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
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
        let (sender, requests) = bounded(options.queue);
        // One block in flight: a slot for it, and a slot for its outcome.
        let (orders, to_write) = bounded::<Box<Order>>(1);
        let (written, outcomes) = bounded::<Result<(), AppendError>>(1);
        let writing = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || write(store, &key, house, &to_write, &written))?;
        let deciding = std::thread::Builder::new()
            .name("deciding".to_owned())
            .spawn(move || run(writer_loop, listener, &requests, &orders, &outcomes))?;
        Ok(Runner {
            handle: Handle { sender },
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
        let _ = self.handle.sender.send(Request::Stop);
        let writer_loop = self.deciding.take()?.join().ok()?;
        let store = self.writing.take()?.join().ok()?;
        Some((writer_loop, store))
    }
}

fn write(
    mut store: Box<dyn Store>,
    key: &HouseKey,
    house: KeyId,
    orders: &Receiver<Box<Order>>,
    written: &Sender<Result<(), AppendError>>,
) -> Box<dyn Store> {
    for order in orders {
        if written
            .send(persist(store.as_mut(), key, house, &order))
            .is_err()
        {
            break;
        }
    }
    store
}

fn run<M: Machine, R>(
    mut writer_loop: WriterLoop<M, R>,
    mut listener: Box<dyn Listener<M, R>>,
    requests: &Receiver<Request<M::Command, R>>,
    orders: &Sender<Box<Order>>,
    outcomes: &Receiver<Result<(), AppendError>>,
) -> WriterLoop<M, R> {
    let mut effects = Vec::new();
    let mut stopping = false;
    loop {
        // Once asked to stop, nothing new is taken; what is in flight is awaited.
        if stopping && !writer_loop.is_flying() {
            return writer_loop;
        }
        // What is due and was refused (the tumbler still runs) is asked again
        // soon, not at once: a wait of nothing would spin until it is allowed.
        let wait = writer_loop
            .deadline_ms()
            .map_or(1_000, |due| (due - now_ms()).clamp(ASK_AGAIN_MS, 1_000));
        // Without room, commands wait in the bounded queue at the door.
        let closed = never();
        let door = if stopping || !writer_loop.has_room() {
            &closed
        } else {
            requests
        };
        select! {
            recv(outcomes) -> outcome => {
                let input = match outcome {
                    Ok(Ok(())) => Input::Durable,
                    Ok(Err(error)) => Input::Failed { what: error.to_string() },
                    Err(_) => Input::Failed { what: "the journal's writer is gone".to_owned() },
                };
                writer_loop.step(input, &mut effects);
            }
            recv(door) -> request => {
                stopping = take(&mut writer_loop, request.unwrap_or(Request::Stop), &mut effects);
                // What else waits at the door goes into the same block.
                while !stopping && writer_loop.has_room() {
                    let Ok(request) = requests.try_recv() else { break };
                    stopping = take(&mut writer_loop, request, &mut effects);
                }
                writer_loop.step(Input::Flush, &mut effects);
            }
            default(Duration::from_millis(wait.unsigned_abs())) => {}
        }
        writer_loop.step(Input::Tick { now_ms: now_ms() }, &mut effects);
        carry_out(&mut effects, listener.as_mut(), orders);
    }
}

/// Feeds one request; true when it asks to stop.
fn take<M: Machine, R>(
    writer_loop: &mut WriterLoop<M, R>,
    request: Request<M::Command, R>,
    effects: &mut Vec<Effect<M, R>>,
) -> bool {
    match request {
        Request::Submit { reply, command } => {
            writer_loop.step(Input::Submit { reply, command }, effects);
            false
        }
        Request::Stop => true,
    }
}

fn carry_out<M: Machine, R>(
    effects: &mut Vec<Effect<M, R>>,
    listener: &mut dyn Listener<M, R>,
    orders: &Sender<Box<Order>>,
) {
    for effect in effects.drain(..) {
        match effect {
            // Never blocks: at most one order is out, and there is a slot for it.
            Effect::Append(order) => {
                let _ = orders.send(order);
            }
            Effect::Answer { reply, answer } => listener.answer(reply, answer),
            Effect::Publish {
                first_sequence,
                events,
            } => {
                listener.publish(first_sequence, events);
            }
            Effect::Stopped { what } => listener.stopped(&what),
        }
    }
}
