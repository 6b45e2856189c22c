//! The house's end of one connection: a bounded box of frames to be sent, and
//! why the connection ends.
//!
//! Whoever has something to say puts a frame into the box and goes on. A box
//! that is full belongs to a reader that is too slow: it is told so and
//! dropped, and costs nobody else anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::mpsc;

/// Frames that may wait for one reader.
pub(crate) const FRAMES_WAITING: usize = 64;

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

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bye {
    /// It did not read fast enough.
    TooSlow,
    /// Nothing was heard from it.
    Silent,
    /// Another connection has taken its place.
    TakenOver,
    /// It sent too much.
    TooMany,
    /// It sent a frame that is too large.
    TooLarge,
    /// It sent what is no message.
    NotUnderstood,
    /// It did not say who it is.
    NoHello,
    /// Its token opens nothing.
    NotEnrolled,
    /// Its session has ended.
    LoggedOut,
    /// It speaks another protocol.
    OtherProtocol,
    /// The table's journal failed; what was acknowledged is safe.
    TableStopped,
    /// The house stops.
    Stopping,
}

impl Bye {
    /// A stable word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Bye::TooSlow => "too_slow",
            Bye::Silent => "silent",
            Bye::TakenOver => "taken_over",
            Bye::TooMany => "too_many_messages",
            Bye::TooLarge => "too_large",
            Bye::NotUnderstood => "not_understood",
            Bye::NoHello => "no_hello",
            Bye::NotEnrolled => "not_enrolled",
            Bye::LoggedOut => "logged_out",
            Bye::OtherProtocol => "other_protocol",
            Bye::TableStopped => "table_stopped",
            Bye::Stopping => "stopping",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Bye::TooSlow => "frames were not read fast enough",
            Bye::Silent => "nothing was heard for too long",
            Bye::TakenOver => "the same station has connected elsewhere",
            Bye::TooMany => "too many messages in a short time",
            Bye::TooLarge => "messages may have at most 16 KiB",
            Bye::NotUnderstood => "a text message with JSON is expected",
            Bye::NoHello => "the first message must be hello, and come soon",
            Bye::NotEnrolled => "this token opens nothing here",
            Bye::LoggedOut => "the session has ended",
            Bye::OtherProtocol => "the house speaks protocol 1",
            Bye::TableStopped => "the table has stopped; what was registered is safe",
            Bye::Stopping => "the house is being stopped",
        }
    }

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
            Bye::Stopping => 1001,
        }
    }
}

/// Where frames for a connection are put.
#[derive(Clone)]
pub struct Outbox {
    frames: mpsc::Sender<Utf8Bytes>,
    end: Arc<OnceLock<Bye>>,
}

/// Where the connection takes them out.
pub struct Inbox {
    frames: mpsc::Receiver<Utf8Bytes>,
    end: Arc<OnceLock<Bye>>,
}

/// A box for a new connection.
#[must_use]
pub fn boxes() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel(FRAMES_WAITING);
    let end = Arc::new(OnceLock::new());
    let outbox = Outbox {
        frames: sender,
        end: Arc::clone(&end),
    };
    let inbox = Inbox {
        frames: receiver,
        end,
    };
    (outbox, inbox)
}

impl Outbox {
    /// Puts a frame in. False when the connection is gone or must go.
    #[must_use]
    pub fn put(&self, frame: Utf8Bytes) -> bool {
        match self.frames.try_send(frame) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                metrics::counter!("sicbo_slow_readers_total").increment(1);
                self.end(Bye::TooSlow);
                false
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Says why it ends; the first reason stands. Dropping the last outbox
    /// then ends it.
    pub fn end(&self, bye: Bye) {
        // A reason that is there already was the first.
        let _ = self.end.set(bye);
    }
}

impl Inbox {
    /// The next frame; nothing when the house has let go of the connection.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        self.frames.recv().await
    }

    /// A further frame, if one waits.
    pub fn waiting(&mut self) -> Option<Utf8Bytes> {
        self.frames.try_recv().ok()
    }

    /// Why it ends.
    #[must_use]
    pub fn end(&self) -> Option<Bye> {
        self.end.get().copied()
    }
}

/// A message as a frame.
#[must_use]
pub fn frame<T: Serialize>(message: &T) -> Utf8Bytes {
    match serde_json::to_string(message) {
        Ok(text) => text.into(),
        // Our own types hold nothing that JSON cannot say.
        Err(error) => unreachable!("a message of ours is JSON: {error}"),
    }
}
