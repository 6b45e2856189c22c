//! The process that runs the table: the same loop, recovery and store as in a
//! house, driven step by step. It dies with the power; the medium stays.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sicbo_journal::{
    AppendError, HouseKey, KeyId, KeyRing, LogKeeper, MemoryStore, OpenError, Signatory, Store,
    StreamId, WriterSecret, read_again,
};
use sicbo_loop::{Order, Recovered, RecoveryError, WriterLoop, persist, recover};
use sicbo_table::{Command, Table};

use crate::canary::Canary;
use crate::engine::Engine;
use crate::medium::{Medium, Opened, SnapshotFails};
use crate::plan::Plan;

/// To whom an answer goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A terminal, on one of its connections, by its own number.
    Terminal {
        station: usize,
        connection: u32,
        request: u64,
    },
    /// The desk.
    Desk,
    /// A terminal that has just connected and waits for its welcome.
    Hello { station: usize, connection: u32 },
    /// The house itself.
    House,
}

/// What comes back with an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) command: u64,
    pub(crate) origin: Origin,
}

/// One life of the process.
pub(crate) struct Process<E: Engine> {
    pub(crate) writer_loop: WriterLoop<E, Token>,
    /// Keeps the store's log short, by a connection of its own.
    pub(crate) keeper: Option<LogKeeper>,
    pub(crate) store: Box<dyn Store>,
    pub(crate) door: VecDeque<(Token, Command)>,
    /// What is published, followed event by event.
    pub(crate) shown: E,
    /// Being made durable.
    pub(crate) flying: VecDeque<Box<Order>>,
    pub(crate) wake_planned: bool,
    /// When the loop is next asked what the time does.
    pub(crate) tick_planned: Option<i64>,
    /// Connections the house believes in: station and connection.
    pub(crate) links: BTreeSet<(usize, u32)>,
    /// The credit each terminal was last told.
    pub(crate) told: BTreeMap<usize, i64>,
}

/// The house: its medium, its keys, and the process while it lives.
pub(crate) struct House<E: Engine> {
    pub(crate) medium: Medium,
    pub(crate) stream: StreamId,
    key: HouseKey,
    secret: [u8; 32],
    /// Counts lives; what was planned for an earlier one is void.
    pub(crate) life: u32,
    pub(crate) process: Option<Process<E>>,
    /// The last start needed only the records after a snapshot.
    pub(crate) from_snapshot: bool,
    pub(crate) flaw: Option<Canary>,
    /// What was wrong with readings of the last start that were tried again.
    pub(crate) misread: Vec<String>,
}

/// Why the table was not brought back.
enum NotBack {
    Open(OpenError),
    Recovery(RecoveryError),
}

impl NotBack {
    fn may_be_misread(&self) -> bool {
        match self {
            NotBack::Open(error) => error.may_be_misread(),
            NotBack::Recovery(error) => error.may_be_misread(),
        }
    }

    fn what(&self) -> String {
        match self {
            NotBack::Open(error) => error.to_string(),
            NotBack::Recovery(error) => format!("it does not come back: {error}"),
        }
    }
}

impl<E: Engine> House<E> {
    pub(crate) fn new(plan: &Plan, seed: u64, flaw: Option<Canary>) -> Result<House<E>, String> {
        let stream = StreamId::new("table-1").map_err(|error| error.to_string())?;
        let mut entropy = [0x51; 32];
        entropy[..8].copy_from_slice(&seed.to_be_bytes());
        Ok(House {
            medium: Medium::new(plan, flaw),
            stream,
            key: HouseKey::from_entropy(&entropy),
            secret: entropy,
            life: 0,
            process: None,
            from_snapshot: false,
            flaw,
            misread: Vec::new(),
        })
    }

    pub(crate) fn ring(&self) -> KeyRing {
        KeyRing::new(self.key.public())
    }

    fn house_id(&self) -> KeyId {
        self.ring().house()
    }

    /// Opens what the medium holds and brings the table back from it.
    pub(crate) fn start(&mut self, plan: &Plan) -> Result<bool, String> {
        if self.flaw == Some(Canary::ForgetsLastBlock) {
            self.forget_last_block()?;
        }
        // As a house does it.
        let (mut misread, once) = (Vec::new(), self.flaw == Some(Canary::ReadsOnce));
        let back = read_again(
            || self.bring_back(plan),
            |error| !once && error.may_be_misread(),
            |_, error| misread.push(error.what()),
        );
        self.misread = misread;
        let ((store, keeper), recovered) = back.map_err(|error| error.what())?;
        let Recovered {
            writer_loop,
            interrupted,
            snapshot,
            ..
        } = recovered;
        self.from_snapshot = snapshot.is_some();
        self.life += 1;
        self.process = Some(Process {
            shown: writer_loop.state().clone(),
            writer_loop,
            keeper,
            store,
            door: VecDeque::new(),
            flying: VecDeque::new(),
            wake_planned: false,
            tick_planned: None,
            links: BTreeSet::new(),
            told: BTreeMap::new(),
        });
        Ok(interrupted)
    }

    /// Continues the stream, with a secret that is drawn from the seed.
    pub(crate) fn signatory(&self) -> Signatory {
        Signatory::of_first_key(self.key.clone(), WriterSecret::new(self.secret))
    }

    fn bring_back(&self, plan: &Plan) -> Result<(Opened, Recovered<E, Token>), NotBack> {
        let opened = self.medium.open(&self.stream);
        let (mut store, keeper) = opened.map_err(NotBack::Open)?;
        match recover(
            store.as_ref(),
            &self.stream,
            &self.signatory(),
            plan.options,
        ) {
            Ok(recovered) => Ok(((store, keeper), recovered)),
            Err(error) => {
                store.abandon();
                Err(NotBack::Recovery(error))
            }
        }
    }

    /// The block in flight carries a snapshot with it.
    pub(crate) fn snapshot_is_due(&self) -> bool {
        let process = self.process.as_ref();
        process
            .and_then(|process| process.flying.front())
            .is_some_and(|order| order.snapshot.is_some())
    }

    /// Writes the block in flight; the snapshot after it may fail.
    pub(crate) fn write(&mut self, snapshot_fails: bool) -> Result<(), AppendError> {
        let (key, house) = (&self.key, self.house_id());
        let Some(process) = &mut self.process else {
            return Err(AppendError::Poisoned);
        };
        let Some(order) = process.flying.pop_front() else {
            return Err(AppendError::Poisoned);
        };
        let mut store = SnapshotFails {
            store: process.store.as_mut(),
            medium: snapshot_fails.then_some(&self.medium),
        };
        persist(&mut store, key, house, &order)
    }

    /// The state that every record from the first on comes to, without any snapshot.
    pub(crate) fn replayed(&self) -> Result<E, String> {
        let mut state = E::empty();
        let Some(process) = &self.process else {
            return Ok(state);
        };
        for raw in process.store.read_from(1) {
            let block = raw.map_err(|error| error.to_string())?;
            let block = block.decode().map_err(|error| error.to_string())?;
            for record in block.records() {
                let event = E::decode(record.kind, record.version, record.payload)
                    .map_err(|error| error.to_string())?;
                state.apply(&event);
            }
        }
        Ok(state)
    }

    /// The state as it is shown to people.
    pub(crate) fn shown(&self) -> Option<&Table> {
        self.process.as_ref().map(|process| process.shown.table())
    }

    /// A medium without its last block, as a careless recovery would leave it.
    fn forget_last_block(&mut self) -> Result<(), String> {
        let opened = self.medium.open(&self.stream);
        let (store, _) = opened.map_err(|error| error.to_string())?;
        let blocks: Vec<_> = store
            .read_from(1)
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let mut copy = MemoryStore::new(self.stream.clone());
        let keep = blocks.len().saturating_sub(1);
        for raw in blocks.into_iter().take(keep) {
            let block = raw.decode().map_err(|error| error.to_string())?;
            copy.append(&block, sicbo_journal::Beside::default())
                .map_err(|error| error.to_string())?;
        }
        self.medium = Medium::Memory(copy.disk().clone());
        Ok(())
    }
}
