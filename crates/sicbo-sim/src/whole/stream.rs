//! One stream of the simulated house: its loop, the door to it, and the block on
//! its way to the medium.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use sicbo_clock::HouseClock;
use sicbo_journal::{
    HouseKey, KeyId, MemoryDisk, MemoryStore, Signatory, Store, StreamId, Tail, WriterSecret,
};
use sicbo_loop::{
    Answer, Door, Effect, Input, Listener, LoopOptions, Machine, Order, Recovered, Returned,
    WriterLoop, persist, recover,
};

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

/// A stream read back, before anybody listens to it.
pub(super) struct Read<M: Machine, R> {
    pub(super) recovered: Recovered<M, R>,
    pub(super) store: MemoryStore,
    pub(super) door: Arc<WorldDoor<M, R>>,
}

impl<M: Machine, R: Send> Read<M, R> {
    pub(super) fn back(
        stream: &StreamId,
        disk: &MemoryDisk,
        key: &HouseKey,
    ) -> Result<Read<M, R>, String> {
        let store = MemoryStore::open(stream.clone(), disk);
        let signatory = Signatory::of_first_key(key.clone(), WriterSecret::new([7; 32]));
        let recovered = recover(&store, stream, &signatory, LoopOptions::default());
        Ok(Read {
            recovered: recovered
                .map_err(|error| format!("{stream} does not come back: {error}"))?,
            store,
            door: Arc::new(WorldDoor(Mutex::default())),
        })
    }

    pub(super) fn run(self, listener: Box<dyn Listener<M, R>>) -> Stream<M, R> {
        Stream {
            writer_loop: self.recovered.writer_loop,
            store: self.store,
            door: self.door,
            listener,
            flying: None,
        }
    }
}

/// A running stream.
pub(super) struct Stream<M: Machine, R> {
    writer_loop: WriterLoop<M, R>,
    store: MemoryStore,
    door: Arc<WorldDoor<M, R>>,
    listener: Box<dyn Listener<M, R>>,
    flying: Option<Box<Order>>,
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
        self.carry_out(effects);
    }

    /// A block is on its way to the medium.
    pub(super) fn is_flying(&self) -> bool {
        self.flying.is_some()
    }

    /// Nothing waits and nothing is on its way.
    pub(super) fn is_idle(&self) -> bool {
        self.flying.is_none() && self.door.waiting().is_empty()
    }

    /// The block on its way arrives; with `lost`, the medium only says so.
    pub(super) fn write(&mut self, key: &HouseKey, house: KeyId, lost: bool) -> Result<(), String> {
        let Some(order) = self.flying.take() else {
            return Ok(());
        };
        if !lost {
            let written = persist(&mut self.store, key, house, &order);
            written.map_err(|error| error.to_string())?;
        }
        let mut effects = Vec::new();
        self.writer_loop.step(Input::Durable, &mut effects);
        self.carry_out(effects);
        Ok(())
    }

    fn carry_out(&mut self, effects: Vec<Effect<M, R>>) {
        for effect in effects {
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

    /// Where its journal ends.
    pub(super) fn tail(&self) -> Tail {
        self.store.tail()
    }
}
