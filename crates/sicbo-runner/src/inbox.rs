//! What waits for the deciding thread: commands at the door, and the outcome
//! of the block in flight. Bounded; whoever finds it full is told at once.
//!
//! Commands are taken in one grasp, not one by one: under load a lock is taken
//! once for a whole batch, and the two sides hardly ever meet.

use std::collections::VecDeque;
use std::time::Duration;

use sicbo_journal::AppendError;

use super::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Why a command was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Closed {
    /// Too much is waiting.
    Full,
    /// Nobody takes commands any more.
    Gone,
}

/// What the deciding thread finds.
#[derive(Debug)]
pub(crate) struct Found {
    /// What came of the block in flight.
    pub(crate) outcome: Option<Result<(), AppendError>>,
    /// The runner was asked to stop: nothing comes after what is here.
    pub(crate) stopping: bool,
}

struct State<T> {
    waiting: VecDeque<T>,
    /// Taken and not yet looked at: they count towards the bound.
    taken: usize,
    outcome: Option<Result<(), AppendError>>,
    stopping: bool,
    gone: bool,
    asleep: bool,
}

/// The door of a runner.
pub(crate) struct Inbox<T> {
    state: Mutex<State<T>>,
    wake: Condvar,
    capacity: usize,
}

impl<T> Inbox<T> {
    pub(crate) fn new(capacity: usize) -> Inbox<T> {
        Inbox {
            state: Mutex::new(State {
                waiting: VecDeque::with_capacity(capacity.min(1 << 16)),
                taken: 0,
                outcome: None,
                stopping: false,
                gone: false,
                asleep: false,
            }),
            wake: Condvar::new(),
            capacity,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing done under the lock can panic and leave it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes the deciding thread if it sleeps.
    fn change<R>(&self, change: impl FnOnce(&mut State<T>) -> R) -> R {
        let mut state = self.lock();
        let result = change(&mut state);
        let wake = std::mem::take(&mut state.asleep);
        drop(state);
        if wake {
            self.wake.notify_one();
        }
        result
    }

    /// Puts a command at the door, or gives it back.
    pub(crate) fn put(&self, command: T) -> Result<(), (T, Closed)> {
        self.change(|state| {
            if state.gone || state.stopping {
                return Err((command, Closed::Gone));
            }
            if state.waiting.len() + state.taken >= self.capacity {
                return Err((command, Closed::Full));
            }
            state.waiting.push_back(command);
            Ok(())
        })
    }

    /// Commands that wait.
    pub(crate) fn waiting(&self) -> usize {
        let state = self.lock();
        state.waiting.len() + state.taken
    }

    /// Says what came of the block in flight.
    pub(crate) fn landed(&self, outcome: Result<(), AppendError>) {
        self.change(|state| state.outcome = Some(outcome));
    }

    /// Asks the deciding thread to finish what is there and stop.
    pub(crate) fn stop(&self) {
        self.change(|state| state.stopping = true);
    }

    /// Takes no more commands, ever; what still waits is given back.
    pub(crate) fn close(&self) -> VecDeque<T> {
        self.change(|state| {
            state.gone = true;
            std::mem::take(&mut state.waiting)
        })
    }

    /// Takes what waits into `hand`, of which so much is not yet looked at.
    /// Without `room` only an outcome is waited for; one will come if a block
    /// is `flying`.
    pub(crate) fn take(
        &self,
        hand: &mut VecDeque<T>,
        room: bool,
        flying: bool,
        wait: Duration,
    ) -> Found {
        let mut state = self.lock();
        let nothing = |state: &State<T>| {
            let idle = !room || (hand.is_empty() && state.waiting.is_empty());
            idle && state.outcome.is_none() && (flying || !state.stopping)
        };
        if nothing(&state) {
            state.taken = hand.len();
            state.asleep = true;
            let woken = self.wake.wait_timeout(state, wait);
            state = woken.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
            state.asleep = false;
        }
        if hand.is_empty() {
            std::mem::swap(hand, &mut state.waiting);
        }
        state.taken = hand.len();
        Found {
            outcome: state.outcome.take(),
            stopping: state.stopping && state.waiting.is_empty(),
        }
    }
}
