//! A state whose assertions fail, in every place the loop calls it.

use sicbo_journal::{StreamId, Tail, Writer, WriterSecret};
use sicbo_loop::{Answer, Effect, Input, LoopOptions, Machine, Notes, WriterLoop};
use sicbo_table::codec::DecodeError;

/// Adds numbers up, and breaks at these.
#[derive(Clone, PartialEq, Debug)]
struct Fragile(u64);

const BREAKS_DECIDING: u64 = 13;
const BREAKS_APPLYING: u64 = 14;
const BREAKS_CHECKING: u64 = 15;
/// What it asks of itself when its time has come.
const DUE: u64 = BREAKS_APPLYING;

impl Machine for Fragile {
    type Command = u64;
    type Event = u64;
    type Refusal = ();

    fn decide(&self, command: &u64) -> Result<Vec<u64>, ()> {
        assert!(*command != BREAKS_DECIDING, "deciding broke");
        Ok(vec![1, *command])
    }

    fn apply(&mut self, event: &u64) {
        assert!(*event != BREAKS_APPLYING, "applying broke");
        self.0 += event;
    }

    fn check(&self) -> Result<(), String> {
        assert!(self.0 != 1 + BREAKS_CHECKING, "checking broke");
        Ok(())
    }

    fn deadline_ms(&self) -> Option<i64> {
        (self.0 > 1_000).then_some(0)
    }

    fn due(&self, _: i64) -> Vec<u64> {
        vec![DUE]
    }

    fn received_ms(_: &u64) -> i64 {
        0
    }

    fn happened_ms(_: &u64) -> i64 {
        0
    }

    fn clock_after_ms(_: &u64) -> i64 {
        0
    }

    fn encode(event: &u64, bytes: &mut Vec<u8>) -> (u16, u16) {
        bytes.extend(event.to_be_bytes());
        (1, 1)
    }

    fn decode(kind: u16, _: u16, _: &[u8]) -> Result<u64, DecodeError> {
        Err(DecodeError::UnknownKind { kind })
    }

    fn notes(&self, _: &u64, _: u64, _: &mut u64) -> Notes {
        Notes::default()
    }

    fn snapshot(&self) -> Vec<u8> {
        Vec::new()
    }

    fn from_snapshot(_: &[u8]) -> Option<Fragile> {
        None
    }

    fn empty() -> Fragile {
        Fragile(0)
    }

    fn round_in_hand(&self) -> Option<u64> {
        None
    }
}

type Effects = Vec<Effect<Fragile, u32>>;

fn writer() -> WriterLoop<Fragile, u32> {
    let stream = StreamId::new("fragile").expect("a name");
    let salt = WriterSecret::new([9; 32]);
    let writer = Writer::unsigned(stream, &Tail::default(), 1, &salt).expect("a writer");
    WriterLoop::new(Fragile::empty(), writer, 1, LoopOptions::default())
}

fn step(writer: &mut WriterLoop<Fragile, u32>, input: Input<u64, u32>) -> Effects {
    let mut effects = Vec::new();
    writer.step(input, &mut effects);
    effects
}

fn submit(writer: &mut WriterLoop<Fragile, u32>, reply: u32, number: u64) -> Effects {
    let command = Box::new(number);
    step(writer, Input::Submit { reply, command })
}

/// Why it stopped, and who was answered that it has; nothing else was done.
fn stopped(effects: &Effects) -> (String, Vec<u32>) {
    let (mut why, mut told) = (None, Vec::new());
    for effect in effects {
        match effect {
            Effect::Stopped { what } => why = Some(what.clone()),
            Effect::Answer { reply, answer } => {
                assert_eq!(*answer, Answer::Stopped);
                told.push(*reply);
            }
            other => panic!("{other:?}"),
        }
    }
    (why.expect("it has stopped"), told)
}

#[test]
fn an_assertion_that_fails_stops_the_loop_and_nothing_of_its_batch_is_written() {
    for (breaks, words) in [
        (BREAKS_DECIDING, "deciding broke"),
        (BREAKS_APPLYING, "applying broke"),
    ] {
        let mut writer = writer();
        // One block on its way to the disk, one open, and then it breaks.
        submit(&mut writer, 1, 5);
        let flying = step(&mut writer, Input::Flush);
        assert!(matches!(flying[..], [Effect::Append(_)]), "{flying:?}");
        assert!(submit(&mut writer, 2, 6).is_empty());
        let effects = submit(&mut writer, 3, breaks);
        let (why, told) = stopped(&effects);
        assert_eq!(told, [1, 2, 3], "everything unanswered is answered");
        assert!(why.contains(words), "{why}");
        // Nothing more is written, whatever comes.
        let tick = Input::Tick {
            now_ms: 1,
            steady_ms: 1,
        };
        for input in [Input::Durable, Input::Flush, tick] {
            assert!(step(&mut writer, input).is_empty());
        }
        let effects = submit(&mut writer, 4, 7);
        let [Effect::Answer { reply: 4, answer }] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert_eq!(*answer, Answer::Stopped);
    }
}

#[test]
fn a_check_that_breaks_off_is_one_that_failed() {
    let mut writer = writer();
    submit(&mut writer, 1, BREAKS_CHECKING);
    let (why, told) = stopped(&step(&mut writer, Input::Flush));
    assert!(why.contains("checking broke"), "{why}");
    assert_eq!(told, [1]);
}

#[test]
fn what_a_state_does_by_itself_may_break_it_too() {
    let mut writer = writer();
    submit(&mut writer, 1, 2_000);
    let tick = Input::Tick {
        now_ms: 1,
        steady_ms: 1,
    };
    let (why, told) = stopped(&step(&mut writer, tick));
    assert!(why.contains("applying broke"), "{why}");
    assert_eq!(told, [1]);
}
