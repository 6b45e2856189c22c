//! The house's end of one connection: a bounded box of frames to be sent, and
//! why the connection ends.
//!
//! Whoever has something to say puts a frame into the box and goes on. A box
//! that is full belongs to a reader that is too slow: it is told so and
//! dropped, and costs nobody else anything.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};

use sicbo_wire::Frame;

use super::sync::{Mutex, MutexGuard};

/// A connection not heard for this long is cut off.
pub const SILENT_MS: u32 = 15_000;
/// Frames that may wait for one reader.
pub const FRAMES_WAITING: usize = 64;
/// Frames whose place is kept when none waits.
const FEW: usize = 8;

/// Names a connection for as long as the program runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(u64);

impl ConnectionId {
    /// A name no other connection has.
    #[must_use]
    pub fn new() -> ConnectionId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Default for ConnectionId {
    fn default() -> Self {
        ConnectionId::new()
    }
}

sicbo_rules::worded! {
    /// Why a connection ends.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Bye: code, words {
        /// It did not read fast enough.
        TooSlow = "too_slow" => "frames were not read fast enough",
        /// Nothing was heard from it.
        Silent = "silent" => "nothing was heard for too long",
        /// Another connection has taken its place.
        TakenOver = "taken_over" => "the same station has connected elsewhere",
        /// It sent too much.
        TooMany = "too_many_messages" => "too many messages in a short time",
        /// It sent a frame that is too large.
        TooLarge = "too_large" => "messages may have at most 16 KiB",
        /// It sent what is no message.
        NotUnderstood = "not_understood" => "a text message with JSON is expected",
        /// It did not say who it is.
        NoHello = "no_hello" => "the first message must be hello, and come soon",
        /// Its token opens nothing.
        NotEnrolled = "not_enrolled" => "this token opens nothing here",
        /// Its session has ended.
        LoggedOut = "logged_out" => "the session has ended",
        /// It speaks another protocol.
        OtherProtocol = "other_protocol" => "the house speaks protocol 1",
        /// The table has never been opened; it may be soon.
        NotOpen = "table_not_open" => "the table has not been opened yet; come back soon",
        /// The table's journal failed; what was acknowledged is safe.
        TableStopped = "table_stopped" => "the table has stopped; what was registered is safe",
        /// The table was started again; it can be connected to at once.
        Restarted = "table_restarted" => "the table was started again; connect anew",
        /// The house stops.
        Stopping = "stopping" => "the house is being stopped",
    }
}

impl Bye {
    /// The status of the closing frame.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Bye::TooSlow | Bye::TooMany | Bye::Silent => 1008,
            Bye::TooLarge => 1009,
            Bye::NotUnderstood | Bye::OtherProtocol => 1003,
            Bye::NoHello | Bye::NotEnrolled | Bye::LoggedOut => 4401,
            Bye::TakenOver => 4409,
            Bye::TableStopped => 1011,
            Bye::NotOpen => 1013,
            Bye::Restarted => 1012,
            Bye::Stopping => 1001,
        }
    }
}

/// The frames of one connection that wait to be sent.
#[derive(Default)]
struct Waiting {
    frames: VecDeque<Frame>,
    /// So many may wait.
    most: usize,
    /// Who takes them out, when nothing was there.
    waker: Option<Waker>,
    /// Boxes through which more can come.
    outboxes: usize,
    /// Nobody takes them out any more.
    gone: bool,
    end: Option<Bye>,
}

/// A connection of thousands that is idle holds no memory here.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Waiting>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing done under the lock can panic and leave it half changed.
        self.0.lock()
    }
}

/// Where frames for a connection are put.
pub struct Outbox(Shared);

/// Where the connection takes them out.
pub struct Inbox(Shared);

/// A box for a new connection that hears of so many tables.
#[must_use]
pub fn boxes(tables: usize) -> (Outbox, Inbox) {
    let shared = Shared::default();
    {
        let mut waiting = shared.lock();
        waiting.outboxes = 1;
        waiting.most = FRAMES_WAITING * tables.max(1);
    }
    (Outbox(shared.clone()), Inbox(shared))
}

impl Outbox {
    /// Puts a frame in. False when the connection is gone or must go.
    #[must_use]
    pub fn put(&self, frame: Frame) -> bool {
        self.put_all([frame])
    }

    /// Puts frames in that go together. False when the connection is gone or
    /// must go.
    #[must_use]
    pub fn put_all(&self, frames: impl IntoIterator<Item = Frame>) -> bool {
        let mut waiting = self.0.lock();
        if waiting.gone || waiting.end.is_some() {
            return false;
        }
        for frame in frames {
            if waiting.frames.len() >= waiting.most {
                waiting.end = Some(Bye::TooSlow);
                let waker = waiting.waker.take();
                drop(waiting);
                waker.into_iter().for_each(Waker::wake);
                metrics::counter!("sicbo_slow_readers_total").increment(1);
                return false;
            }
            waiting.frames.push_back(frame);
        }
        let waker = waiting.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// Says why it ends; the first reason stands. What was put in before is
    /// still sent.
    pub fn end(&self, bye: Bye) {
        let mut waiting = self.0.lock();
        waiting.end.get_or_insert(bye);
        let waker = waiting.waker.take();
        drop(waiting);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Clone for Outbox {
    fn clone(&self) -> Self {
        self.0.lock().outboxes += 1;
        Outbox(self.0.clone())
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.outboxes -= 1;
        let waker = match waiting.outboxes {
            0 => waiting.waker.take(),
            _ => None,
        };
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Inbox {
    /// The next frame; nothing when the house has let go of the connection.
    pub async fn next(&mut self) -> Option<Frame> {
        std::future::poll_fn(|context| {
            let mut waiting = self.0.lock();
            if let Some(frame) = waiting.frames.pop_front() {
                return Poll::Ready(Some(frame));
            }
            // A burst is over: its memory is for others.
            if waiting.frames.capacity() > FEW {
                waiting.frames.shrink_to(FEW);
            }
            // Whoever must go goes once it was told what came before.
            if waiting.outboxes == 0 || waiting.end.is_some() {
                return Poll::Ready(None);
            }
            let known = waiting.waker.as_ref();
            if !known.is_some_and(|known| known.will_wake(context.waker())) {
                waiting.waker = Some(context.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    /// A further frame, if one waits.
    pub fn waiting(&mut self) -> Option<Frame> {
        self.0.lock().frames.pop_front()
    }

    /// Why it ends.
    #[must_use]
    pub fn end(&self) -> Option<Bye> {
        self.0.lock().end
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.gone = true;
        waiting.frames = VecDeque::new();
    }
}
