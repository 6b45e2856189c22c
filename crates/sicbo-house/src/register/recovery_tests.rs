//! The register run by the same loop, store and recovery as a table.

use sicbo_journal::{Beside, MemoryStore, SaltKey, Store, StreamId, Tail, Writer};

use super::command::{Act, Command, Party};
use super::testing::{House, set_up};
use super::{Register, STREAM};
use crate::recovery::recover;
use crate::writer_loop::{Answer, Effect, Input, LoopOptions, WriterLoop};

fn carry(
    writer_loop: &mut WriterLoop<Register, u8>,
    store: &mut MemoryStore,
    command: Command,
) -> Vec<Answer<super::Refusal>> {
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
    let stream = StreamId::new(STREAM).unwrap();
    let salt = SaltKey::new([4; 32]);
    let mut store = MemoryStore::new(stream.clone());
    let writer = Writer::resume(stream.clone(), &Tail::default(), 1, &salt).unwrap();
    let options = LoopOptions::default();
    let mut writer_loop = WriterLoop::new(Register::default(), writer, 1, options);
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
    let back = recover::<Register, u8>(&store, &stream, &salt, options).unwrap();
    assert!(back.interrupted);
    assert_eq!(back.replayed, 3);
    assert_eq!(back.writer_loop.state(), writer_loop.state());
    assert_eq!(
        House::new().register.people.len(),
        back.writer_loop.state().people.len()
    );
}
