//! The register run by the same loop, store and recovery as a table.

use sicbo_journal::{
    Beside, HouseKey, MemoryStore, Signatory, Snapshot, Store, StreamId, Tail, Writer, WriterSecret,
};

use sicbo_loop::Machine as _;
use sicbo_loop::{Answer, Effect, Input, LoopOptions, WriterLoop};
use sicbo_loop::{Recovered, recover};
use sicbo_register::command::{Act, Command, Party, PinRight};
use sicbo_register::testing::{HASH, House, SHIFT, set_up};
use sicbo_register::{Register, STREAM};

fn stream() -> StreamId {
    StreamId::new(STREAM).unwrap()
}

fn signatory() -> Signatory {
    Signatory::of_first_key(HouseKey::from_entropy(&[7; 32]), WriterSecret::new([4; 32]))
}

fn new_register() -> (WriterLoop<Register, u8>, MemoryStore) {
    let writer = Writer::resume(stream(), &Tail::default(), 1, &signatory()).unwrap();
    let writer_loop = WriterLoop::new(Register::default(), writer, 1, LoopOptions::default());
    (writer_loop, MemoryStore::new(stream()))
}

fn brought_back(store: &MemoryStore) -> Recovered<Register, u8> {
    recover(store, &stream(), &signatory(), LoopOptions::default()).unwrap()
}

fn carry(
    writer_loop: &mut WriterLoop<Register, u8>,
    store: &mut MemoryStore,
    command: Command,
) -> Vec<Answer<sicbo_register::Refusal>> {
    let mut effects = Vec::new();
    let command = Box::new(command);
    writer_loop.step(Input::Submit { reply: 1, command }, &mut effects);
    writer_loop.step(Input::Flush, &mut effects);
    let mut answers = Vec::new();
    while !effects.is_empty() {
        for effect in std::mem::take(&mut effects) {
            match effect {
                Effect::Append(order) => {
                    store.append(&order.block, Beside::default()).unwrap();
                    writer_loop.step(Input::Durable, &mut effects);
                }
                Effect::Answer { answer, .. } => answers.push(answer),
                Effect::Publish { .. } => {}
                Effect::Stopped { what } => panic!("{what}"),
            }
        }
    }
    answers
}

#[test]
fn the_register_comes_back_from_its_journal_as_it_was() {
    let (mut writer_loop, mut store) = new_register();
    let acts = [
        set_up(),
        Act::LogIn {
            name: "Ann Lee".to_owned(),
            right: None,
            place: None,
        },
        Act::LogIn {
            name: "Nobody".to_owned(),
            right: None,
            place: None,
        },
    ];
    for (id, act) in (1..).zip(acts) {
        let command = Command {
            id,
            at_ms: 1_000 * id as i64,
            by: Party::House,
            second: None,
            act,
        };
        let answers = carry(&mut writer_loop, &mut store, command);
        assert_eq!(
            answers,
            [Answer::Done {
                sequence: id,
                again: false
            }]
        );
    }
    let back = brought_back(&store);
    assert!(back.interrupted);
    assert_eq!(back.replayed, 3);
    assert_eq!(back.writer_loop.state(), writer_loop.state());
    assert_eq!(
        House::new().register.people.len(),
        back.writer_loop.state().people.len()
    );
}

/// A person set the clock an hour back, and the program was killed at once: the
/// next start goes on from what the clock was set to, not from the hour before.
#[test]
fn a_start_after_the_clock_was_set_goes_on_from_what_it_was_set_to() {
    let (mut writer_loop, mut store) = new_register();
    let by = Party::Person(SHIFT);
    let old = PinRight {
        person: SHIFT,
        pin_version: House::new().register.people[&SHIFT].pin_version,
    };
    let pin = HASH.replace("c2FsdHNhbHQ", "c2FsdHNhbHR");
    let (was_ms, is_ms) = (3_700_000, 100_000);
    let acts = [
        (Party::House, set_up()),
        (by, Act::ChangePin { old, pin }),
        (Party::House, Act::ReportClock { machine_ms: is_ms }),
        (by, Act::SetClock { was_ms, is_ms }),
    ];
    for (id, (by, act)) in (1..).zip(acts) {
        let command = Command {
            id,
            at_ms: was_ms,
            by,
            second: None,
            act,
        };
        let answers = carry(&mut writer_loop, &mut store, command);
        assert!(matches!(answers[..], [Answer::Done { .. }]), "{answers:?}");
        let back = brought_back(&store);
        let expected = if id < 4 { was_ms } else { is_ms };
        assert_eq!(back.last_ms, expected, "after command {id}");
    }
    // The same where a snapshot holds everything and nothing is replayed.
    let tail = store.tail();
    let before = Tail {
        epoch: tail.epoch - 1,
        ..tail
    };
    let writer = Writer::resume(stream(), &before, tail.epoch, &signatory()).unwrap();
    let last = store.read_from(tail.sequence).next().unwrap().unwrap();
    let bytes = writer.snapshot(&last.decode().unwrap(), writer_loop.state().snapshot());
    let snapshot = Snapshot {
        sequence: tail.sequence,
        header_hash: tail.header_hash,
        bytes,
    };
    store.put_snapshot(&snapshot).unwrap();
    let back = brought_back(&store);
    assert_eq!((back.replayed, back.last_ms), (0, is_ms));
}
