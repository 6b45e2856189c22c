//! One stream of the simulated house: its loop, the door to it, the block on its
//! way to the medium, and effects that are not carried out yet.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use sicbo_clock::HouseClock;
use sicbo_journal::{
    AppendError, HouseKey, KeyId, OpenError, Signatory, Store, StreamId, Tail, WriterSecret,
    read_again,
};
use sicbo_loop::{
    Answer, Door, Effect, Input, Listener, LoopOptions, Machine, Order, Recovered, RecoveryError,
    Returned, WriterLoop, persist, recover,
};
use sicbo_proof::reached::check_holds;
use sicbo_register::reached::Reached;

use super::shelf::Shelf;

/// Commands that may wait.
const ROOM: usize = 64;

/// Commands that wait for a loop.
pub(super) struct WorldDoor<M: Machine, R>(Mutex<VecDeque<(R, M::Command)>>);

impl<M: Machine, R> WorldDoor<M, R> {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<(R, M::Command)>> {
        self.0.lock()
    }
}

impl<M: Machine, R: Send> Door<M, R> for WorldDoor<M, R> {
    fn offer(&self, reply: R, command: M::Command) -> Result<(), Returned<M, R>> {
        let mut waiting = self.waiting();
        if waiting.len() >= ROOM {
            return Err((reply, command, Answer::Busy));
        }
        waiting.push_back((reply, command));
        Ok(())
    }

    fn waiting(&self) -> usize {
        WorldDoor::waiting(self).len()
    }
}

/// Why a journal was not read back.
#[derive(Debug)]
pub(super) enum NotBack {
    Open(OpenError),
    Recovery(RecoveryError),
    /// It is an older copy than what was acknowledged.
    Older(String),
    /// Something else.
    Other(String),
}

impl NotBack {
    fn may_be_misread(&self) -> bool {
        match self {
            NotBack::Open(error) => error.may_be_misread(),
            NotBack::Recovery(error) => error.may_be_misread(),
            NotBack::Older(_) | NotBack::Other(_) => false,
        }
    }
}

impl std::fmt::Display for NotBack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotBack::Open(error) => error.fmt(f),
            NotBack::Recovery(error) => error.fmt(f),
            NotBack::Older(what) | NotBack::Other(what) => f.write_str(what),
        }
    }
}

impl From<String> for NotBack {
    fn from(what: String) -> NotBack {
        NotBack::Other(what)
    }
}

/// A stream read back, before anybody listens to it.
pub(super) struct Read<M: Machine, R> {
    pub(super) recovered: Recovered<M, R>,
    pub(super) store: Box<dyn Store>,
    pub(super) door: Arc<WorldDoor<M, R>>,
}

impl<M: Machine, R: Send> Read<M, R> {
    /// As a house does it: again, where a reading may have been wrong; and not
    /// where the journal does not hold what was acknowledged.
    pub(super) fn back(
        stream: &StreamId,
        shelf: &Shelf,
        key: &HouseKey,
        reached: &[Reached],
    ) -> Result<Read<M, R>, NotBack> {
        let read = || Read::once(stream, shelf, key, reached);
        read_again(read, NotBack::may_be_misread, |_, _| {})
    }

    fn once(
        stream: &StreamId,
        shelf: &Shelf,
        key: &HouseKey,
        reached: &[Reached],
    ) -> Result<Read<M, R>, NotBack> {
        let mut store = shelf.open(stream).map_err(NotBack::Open)?;
        for mark in reached {
            if let Err(error) = check_holds(store.as_ref(), mark) {
                store.abandon();
                return Err(NotBack::Older(format!("{stream}: {error}")));
            }
        }
        let signatory = Signatory::of_first_key(key.clone(), WriterSecret::new([7; 32]));
        match recover(store.as_ref(), stream, &signatory, LoopOptions::default()) {
            Ok(recovered) => Ok(Read {
                recovered,
                store,
                door: Arc::new(WorldDoor(Mutex::default())),
            }),
            Err(error) => {
                store.abandon();
                Err(NotBack::Recovery(error))
            }
        }
    }

    pub(super) fn run(self, listener: Box<dyn Listener<M, R>>) -> Stream<M, R> {
        Stream {
            writer_loop: self.recovered.writer_loop,
            store: self.store,
            door: self.door,
            listener,
            flying: None,
            effects: VecDeque::new(),
        }
    }
}

/// A running stream.
pub(super) struct Stream<M: Machine, R> {
    writer_loop: WriterLoop<M, R>,
    store: Box<dyn Store>,
    door: Arc<WorldDoor<M, R>>,
    listener: Box<dyn Listener<M, R>>,
    flying: Option<Box<Order>>,
    /// Not carried out yet: the power can go between any two.
    effects: VecDeque<Effect<M, R>>,
}

impl<M: Machine, R: Send> Stream<M, R> {
    /// The loop looks at its door and at the clock.
    pub(super) fn decide(&mut self, clock: &HouseClock) {
        let mut effects = Vec::new();
        while self.writer_loop.has_room() {
            let Some((reply, command)) = self.door.waiting().pop_front() else {
                break;
            };
            self.writer_loop.submit(reply, &command, &mut effects);
        }
        self.writer_loop.step(Input::Flush, &mut effects);
        let tick = Input::Tick {
            now_ms: clock.now_ms(),
            steady_ms: clock.steady_ms(),
        };
        self.writer_loop.step(tick, &mut effects);
        self.effects.extend(effects);
    }

    /// Where the power would go now, as coverage names it.
    pub(super) fn point(&self) -> &'static str {
        match (self.effects.front(), &self.flying) {
            (Some(Effect::Append(_)), _) => "before an append",
            (Some(Effect::Answer { .. }), _) => "before an answer",
            (Some(Effect::Publish { .. }), _) => "before a publication",
            (Some(Effect::Stopped { .. }), _) => "before a stop is told",
            (None, Some(_)) => "with a block on its way",
            (None, None) => "at rest",
        }
    }

    /// A block is on its way to the medium.
    pub(super) fn is_flying(&self) -> bool {
        self.flying.is_some()
    }

    /// Nothing waits and nothing is on its way.
    pub(super) fn is_idle(&self) -> bool {
        self.flying.is_none() && self.effects.is_empty() && self.door.waiting().is_empty()
    }

    /// Its journal has failed.
    pub(super) fn is_stopped(&self) -> bool {
        self.writer_loop.stopped().is_some()
    }

    /// The block on its way arrives; with `lost`, the medium only says so.
    pub(super) fn write(
        &mut self,
        key: &HouseKey,
        house: KeyId,
        lost: bool,
    ) -> Option<AppendError> {
        let order = self.flying.take()?;
        let written = match lost {
            true => Ok(()),
            false => persist(self.store.as_mut(), key, house, &order),
        };
        let (input, failed) = match written {
            Ok(()) => (Input::Durable, None),
            Err(error) => {
                let what = error.to_string();
                (Input::Failed { what }, Some(error))
            }
        };
        let mut effects = Vec::new();
        self.writer_loop.step(input, &mut effects);
        self.effects.extend(effects);
        failed
    }

    /// Carries out so many effects.
    pub(super) fn carry_out(&mut self, most: u64) {
        for _ in 0..most {
            let Some(effect) = self.effects.pop_front() else {
                break;
            };
            match effect {
                Effect::Append(order) => self.flying = Some(order),
                Effect::Answer { reply, answer } => self.listener.answer(reply, answer),
                Effect::Publish {
                    first_sequence,
                    block,
                    events,
                } => self.listener.publish(first_sequence, block, events),
                Effect::Stopped { what } => self.listener.stopped(&what),
            }
        }
        self.listener.rest();
    }

    /// Nothing more is written, as when a program is killed.
    pub(super) fn abandon(&mut self) {
        self.store.abandon();
    }

    /// Where its journal ends.
    pub(super) fn tail(&self) -> Tail {
        self.store.tail()
    }
}
