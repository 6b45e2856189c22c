//! Snapshots on the way of blocks: one that fails costs nothing but time, and
//! many short lives in a row still come to one. And a block that the store does
//! not find, as when a bit of its index is wrong.

use sicbo_journal::{
    AppendError, Beside, Blocks, HouseKey, KeyRing, MemoryDisk, MemoryStore, ReadError, RoundRow,
    SealedBlock, Signatory, SignedCheckpoint, Snapshot, Store, StreamId, Tail, WriterSecret,
};
use sicbo_loop::{Answer, Effect, Input, LoopOptions, persist, recover};
use sicbo_proof::history::blocks;
use sicbo_rules::rulebook::words::TumbleStep;
use sicbo_rules::{Currency, Money, RuleBook};
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::{Act, Command, Config, Refusal, Table};

/// A store that cannot keep snapshots.
struct NoSnapshots(MemoryStore);

impl Store for NoSnapshots {
    fn tail(&self) -> Tail {
        self.0.tail()
    }
    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.0.append(block, beside)
    }
    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        self.0.read_from(sequence)
    }
    fn put_snapshot(&mut self, _: &Snapshot) -> Result<(), AppendError> {
        Err(AppendError::DiskFull)
    }
    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.0.latest_snapshot()
    }
    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.0.put_checkpoint(checkpoint)
    }
    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.0.checkpoints()
    }
    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.0.rounds(from, limit)
    }
}

fn open_table() -> Act {
    let money = Money::from_minor;
    let limit = Limit {
        minimum: money(500),
        maximum: money(100_000),
        step: money(100),
    };
    let config = Config {
        name: "table 1".to_owned(),
        book: RuleBook::named("rws-etg").expect("built in").clone(),
        currency: Currency::SGD,
        chip_unit: money(100),
        limits: Limits::uniform(limit, money(100_000_000), money(100_000_000)),
        window_ms: 60_000,
        dice_set: "dice 1".to_owned(),
        tumble: TumbleStep::BeforeOpen,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    };
    let config = Box::new(config);
    let stations = Vec::new();
    Act::OpenTable { config, stations }
}

fn incident() -> Act {
    let kind = IncidentKind::Other;
    let note = "something".to_owned();
    Act::RaiseIncident { kind, note }
}

/// One life of a loop: recovers, carries one act out, and is gone. The answer
/// and how many records it had to replay.
fn live(store: &mut dyn Store, act: Act) -> (Option<Answer<Refusal>>, u64) {
    live_with(store, act, 4)
}

fn live_with(
    store: &mut dyn Store,
    act: Act,
    snapshot_every: u64,
) -> (Option<Answer<Refusal>>, u64) {
    let stream = StreamId::new("table-1").expect("a stream name");
    let key = HouseKey::from_entropy(&[3; 32]);
    let house = KeyRing::new(key.public()).house();
    let options = LoopOptions {
        snapshot_every,
        ..LoopOptions::default()
    };
    let signatory = Signatory::of_first_key(key.clone(), WriterSecret::new([4; 32]));
    let recovered = recover::<Table, ()>(store, &stream, &signatory, options);
    let recovered = recovered.expect("recovers");
    let mut writer_loop = recovered.writer_loop;
    let command = Box::new(Command {
        id: 1,
        at_ms: 1_794_772_800_000,
        by: Actor::House,
        second: None,
        act,
    });
    let mut effects = Vec::new();
    let (reply, mut answered) = ((), None);
    writer_loop.step(Input::Submit { reply, command }, &mut effects);
    writer_loop.step(Input::Flush, &mut effects);
    while let Some(effect) = effects.pop() {
        match effect {
            Effect::Append(order) => {
                let input = match persist(store, &key, house, &order) {
                    Ok(()) => Input::Durable,
                    Err(error) => Input::Failed {
                        what: error.to_string(),
                    },
                };
                writer_loop.step(input, &mut effects);
            }
            Effect::Answer { answer, .. } => answered = Some(answer),
            Effect::Publish { .. } | Effect::Stopped { .. } => {}
        }
    }
    (answered, recovered.replayed)
}

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a stream name")
}

#[test]
fn a_snapshot_that_fails_does_not_fail_its_block() {
    let mut store = NoSnapshots(MemoryStore::new(stream()));
    live(&mut store, open_table());
    for sequence in 2..10 {
        let (answer, _) = live(&mut store, incident());
        assert_eq!(
            answer,
            Some(Answer::Done {
                sequence,
                again: false
            })
        );
    }
}

#[test]
fn many_short_lives_still_come_to_a_snapshot() {
    let disk = MemoryDisk::default();
    let mut most = 0;
    for life in 0..20 {
        let mut store = MemoryStore::open(stream(), &disk);
        let act = if life == 0 { open_table() } else { incident() };
        let (_, replayed) = live(&mut store, act);
        most = most.max(replayed);
    }
    assert!(most <= 4, "a start replayed {most} records");
}

/// A store that does not find one of its blocks.
struct Overlooks {
    store: NoSnapshots,
    first_sequence: u64,
}

impl Store for Overlooks {
    fn tail(&self) -> Tail {
        self.store.tail()
    }
    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.store.append(block, beside)
    }
    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        let found = self.store.read_from(sequence);
        Box::new(found.filter(|raw| {
            let raw = raw.as_ref();
            !raw.is_ok_and(|raw| raw.filed_under == self.first_sequence)
        }))
    }
    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.store.put_snapshot(snapshot)
    }
    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.store.latest_snapshot()
    }
    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.store.put_checkpoint(checkpoint)
    }
    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.store.checkpoints()
    }
    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.store.rounds(from, limit)
    }
}

#[test]
fn a_block_that_is_not_found_is_noticed_by_recovery_and_by_history() {
    let stream = StreamId::new("table-1").expect("a stream name");
    let mut store = NoSnapshots(MemoryStore::new(stream.clone()));
    live(&mut store, open_table());
    for _ in 0..3 {
        live(&mut store, incident());
    }
    let firsts: Vec<u64> = blocks(&store, 1)
        .map(|block| block.expect("whole").header().first_sequence)
        .collect();
    assert_eq!(firsts.len(), 4);
    let mut store = Overlooks {
        store,
        first_sequence: 0,
    };
    for &first_sequence in &firsts {
        store.first_sequence = first_sequence;
        let key = HouseKey::from_entropy(&[3; 32]);
        let signatory = Signatory::of_first_key(key, WriterSecret::new([4; 32]));
        let options = LoopOptions::default();
        let recovered = recover::<Table, ()>(&store, &stream, &signatory, options);
        assert!(recovered.is_err(), "without the block at {first_sequence}");
        // A reader beside the writer cannot know which block is the last.
        let gap = firsts.last() != Some(&first_sequence);
        assert_eq!(blocks(&store, 1).any(|block| block.is_err()), gap);
    }
}

#[test]
fn a_start_that_replayed_much_keeps_a_snapshot_at_once() {
    let disk = MemoryDisk::default();
    let mut replayed = Vec::new();
    for life in 0..9 {
        let mut store = MemoryStore::open(stream(), &disk);
        let act = if life == 0 { open_table() } else { incident() };
        // A tenth of it, five records, is much.
        replayed.push(live_with(&mut store, act, 50).1);
    }
    assert_eq!(replayed, [0, 1, 2, 3, 4, 5, 0, 1, 2]);
}
