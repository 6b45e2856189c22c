//! The two ends of a loop that others hold: where commands go in, and where
//! answers and durable events come out. Whoever drives the loop gives them, be
//! it threads or a seed.

use sicbo_journal::Hash;

use crate::machine::Machine;
use crate::writer_loop::Answer;

/// A command that was not taken: its reply token, itself, and why.
pub type Returned<M, R> = (R, <M as Machine>::Command, Answer<<M as Machine>::Refusal>);

/// Where commands for a loop go. Never waits.
pub trait Door<M: Machine, R>: Send + Sync {
    /// Hands a command in.
    ///
    /// # Errors
    /// The reply token and the command, with `Busy` or `Stopped`.
    fn offer(&self, reply: R, command: M::Command) -> Result<(), Returned<M, R>>;

    /// Commands that wait.
    fn waiting(&self) -> usize;

    /// Hands a command in that is not tried again.
    ///
    /// # Errors
    /// The reply token with `Busy` or `Stopped`.
    fn submit(&self, reply: R, command: M::Command) -> Result<(), (R, Answer<M::Refusal>)> {
        self.offer(reply, command)
            .map_err(|(reply, _, answer)| (reply, answer))
    }
}

/// A door that leads nowhere: every command is answered `Stopped`. For a table
/// whose journal cannot be read.
pub struct ClosedDoor;

impl<M: Machine, R> Door<M, R> for ClosedDoor {
    fn offer(&self, reply: R, command: M::Command) -> Result<(), Returned<M, R>> {
        Err((reply, command, Answer::Stopped))
    }

    fn waiting(&self) -> usize {
        0
    }
}

/// What a loop tells the rest of the house.
pub trait Listener<M: Machine, R>: Send {
    /// An answer to a command.
    fn answer(&mut self, reply: R, answer: Answer<M::Refusal>);
    /// Events that are durable and may be shown. A listener that shows state
    /// applies them to a state of its own: the loop's is ahead of the disk.
    /// `block` is the hash of the header of the block that holds them all.
    fn publish(&mut self, first_sequence: u64, block: Hash, events: Vec<M::Event>);
    /// The loop has stopped.
    fn stopped(&mut self, what: &str);
    /// Nothing more comes for now: a listener that passes answers on together
    /// passes them on here.
    fn rest(&mut self) {}
}
