//! The loop's promises, step by step.

use sicbo_journal::{
    CheckpointReason, HouseKey, MemoryStore, Signatory, StreamId, Tail, Writer, WriterSecret,
};
use sicbo_loop::{Answer, Effect, Input, LoopOptions, Order, WriterLoop};
use sicbo_rules::Money;
use sicbo_table::actor::Actor;
use sicbo_table::command::CreditSource;
use sicbo_table::ids::StationId;
use sicbo_table::round::Phase;
use sicbo_table::{Act, Command, Refusal, Table};

use sicbo_testkit::script::{DEALER, START_MS, SUPERVISOR, Script};

type Effects = Vec<Effect<Table, u32>>;

fn opened_table(name: &str) -> (StreamId, Script<MemoryStore>) {
    let stream = StreamId::new(name).expect("a name");
    let key = HouseKey::from_entropy(&[7; 32]);
    let house = key.id();
    let mut script = Script::new(MemoryStore::new(stream.clone()), &stream, key, house);
    script.open("rws-etg", 2);
    (stream, script)
}

/// A loop over a table that is open, and nothing in flight.
fn opened(options: LoopOptions) -> WriterLoop<Table, u32> {
    opened_as(options, |_| {})
}

/// The same over a state that was changed before.
fn opened_as(options: LoopOptions, change: impl Fn(&mut Table)) -> WriterLoop<Table, u32> {
    let (stream, script) = opened_table("table-1");
    let tail = Tail::default();
    let signatory = Signatory::of_first_key(script.key.clone(), WriterSecret::new([9; 32]));
    let writer = Writer::resume(stream, &tail, 1, &signatory).expect("a writer");
    let mut table = script.table().clone();
    change(&mut table);
    WriterLoop::new(table, writer, 1, options)
}

fn submit(writer: &mut WriterLoop<Table, u32>, reply: u32, at_ms: i64, act: Act) -> Effects {
    let command = Box::new(Command {
        id: u64::from(reply),
        at_ms,
        by: Actor::Staff(SUPERVISOR),
        second: Some(DEALER),
        act,
    });
    step(writer, Input::Submit { reply, command })
}

fn step(writer: &mut WriterLoop<Table, u32>, input: Input<Command, u32>) -> Effects {
    let mut effects = Vec::new();
    writer.step(input, &mut effects);
    effects
}

fn credit() -> Act {
    Act::BuyCredit {
        station: StationId(0),
        source: CreditSource::Cage,
        amount: Money::from_minor(100),
    }
}

/// Not possible before bets are called.
fn impossible() -> Act {
    Act::Uncover
}

fn answers(effects: &Effects) -> Vec<(u32, &Answer<Refusal>)> {
    let answer = |effect| match effect {
        &Effect::Answer { reply, ref answer } => Some((reply, answer)),
        _ => None,
    };
    effects.iter().filter_map(answer).collect()
}

fn order(effects: &Effects) -> Option<&Order> {
    effects.iter().find_map(|effect| match effect {
        Effect::Append(order) => Some(&**order),
        _ => None,
    })
}

#[test]
fn an_answer_leaves_only_when_its_block_is_durable() {
    let mut writer = opened(LoopOptions::default());
    assert!(submit(&mut writer, 1, START_MS, credit()).is_empty());
    let effects = step(&mut writer, Input::Flush);
    assert!(order(&effects).is_some() && answers(&effects).is_empty());
    let sealed = order(&effects).expect("an order").block.header_hash();
    let effects = step(&mut writer, Input::Durable);
    assert!(matches!(answers(&effects)[..], [(1, Answer::Done { .. })]));
    // What may be shown comes before the answer that speaks of it, and names
    // the block it is in.
    assert!(matches!(
        effects[0],
        Effect::Publish {
            first_sequence: 1,
            block,
            ..
        } if block == sealed
    ));
    // The next block has a hash of its own.
    submit(&mut writer, 2, START_MS, credit());
    let effects = step(&mut writer, Input::Flush);
    let next = order(&effects).expect("an order").block.header_hash();
    assert_ne!(next, sealed);
    let effects = step(&mut writer, Input::Durable);
    assert!(matches!(effects[0], Effect::Publish { block, .. } if block == next));
}

#[test]
fn a_refusal_waits_for_what_it_rests_on() {
    let mut writer = opened(LoopOptions::default());
    // Nothing undecided: at once.
    let effects = submit(&mut writer, 1, START_MS, impossible());
    assert!(matches!(answers(&effects)[..], [(1, Answer::Refused(_))]));
    submit(&mut writer, 2, START_MS, credit());
    // Behind an open block, and behind one in flight.
    assert!(submit(&mut writer, 3, START_MS, impossible()).is_empty());
    step(&mut writer, Input::Flush);
    assert!(submit(&mut writer, 4, START_MS, impossible()).is_empty());
    let effects = step(&mut writer, Input::Durable);
    let order: Vec<u32> = answers(&effects).iter().map(|(reply, _)| *reply).collect();
    assert_eq!(order, [2, 3, 4]);
}

#[test]
fn beyond_the_bound_busy_is_answered_at_once() {
    let options = LoopOptions {
        unanswered: 2,
        ..LoopOptions::default()
    };
    let mut writer = opened(options);
    assert!(submit(&mut writer, 1, START_MS, credit()).is_empty());
    assert!(submit(&mut writer, 2, START_MS, credit()).is_empty());
    let before = writer.state().digest();
    let effects = submit(&mut writer, 3, START_MS, credit());
    assert!(matches!(answers(&effects)[..], [(3, Answer::Busy)]));
    assert_eq!(writer.state().digest(), before, "busy changes nothing");
    step(&mut writer, Input::Flush);
    step(&mut writer, Input::Durable);
    assert!(submit(&mut writer, 4, START_MS, credit()).is_empty());
}

#[test]
fn after_a_failed_append_nothing_more_is_acknowledged() {
    let mut writer = opened(LoopOptions::default());
    submit(&mut writer, 1, START_MS, credit());
    step(&mut writer, Input::Flush);
    let kept = step(&mut writer, Input::Durable);
    assert!(matches!(answers(&kept)[..], [(1, Answer::Done { .. })]));
    let durable = writer.durable();
    submit(&mut writer, 2, START_MS, credit());
    step(&mut writer, Input::Flush);
    submit(&mut writer, 3, START_MS, credit());
    let what = "no space".to_owned();
    let effects = step(&mut writer, Input::Failed { what });
    assert!(matches!(
        answers(&effects)[..],
        [(2, Answer::Stopped), (3, Answer::Stopped)]
    ));
    assert!(effects.iter().any(|e| matches!(e, Effect::Stopped { .. })));
    let effects = submit(&mut writer, 4, START_MS, credit());
    assert!(matches!(answers(&effects)[..], [(4, Answer::Stopped)]));
    assert!(step(&mut writer, Input::Flush).is_empty());
    assert_eq!(writer.durable(), durable, "what was acknowledged stays so");
}

#[test]
fn a_snapshot_is_kept_by_time_as_well_as_by_count() {
    let options = LoopOptions {
        snapshot_every: 1_000_000,
        snapshot_every_ms: 60_000,
        ..LoopOptions::default()
    };
    let mut writer = opened(options);
    let mut id = 0;
    let mut kept = |at_ms| {
        id += 1;
        submit(&mut writer, id, at_ms, credit());
        let effects = step(&mut writer, Input::Flush);
        let kept = order(&effects).is_some_and(|order| order.snapshot.is_some());
        step(&mut writer, Input::Durable);
        kept
    };
    assert!(
        !kept(START_MS),
        "the first block of a life starts the clock"
    );
    assert!(!kept(START_MS + 59_999));
    assert!(kept(START_MS + 60_000));
    assert!(!kept(START_MS + 119_999));
    assert!(kept(START_MS + 120_000));
}

#[test]
fn labels_that_jump_make_no_snapshot_and_no_checkpoint() {
    let options = LoopOptions {
        snapshot_every: 1_000_000,
        snapshot_every_ms: 120_000,
        ..LoopOptions::default()
    };
    let mut writer = opened(options);
    let mut id = 0;
    let mut block = |label: i64, steady_ms: i64| {
        id += 1;
        let now_ms = START_MS + label;
        step(&mut writer, Input::Tick { now_ms, steady_ms });
        submit(&mut writer, id, now_ms, credit());
        let effects = step(&mut writer, Input::Flush);
        let order = order(&effects).expect("a block");
        let made = (order.checkpoint.is_some(), order.snapshot.is_some());
        step(&mut writer, Input::Durable);
        made
    };
    assert_eq!(block(0, 5_000), (true, false), "the first is signed");
    assert_eq!(block(100 * 86_400_000, 6_000), (false, false));
    assert_eq!(block(-3_600_000, 64_999), (false, false));
    // Also while labels stand an hour back.
    assert_eq!(block(-3_600_000, 65_000), (true, false));
    assert_eq!(block(-3_600_000, 125_000), (true, true));
    assert_eq!(block(200 * 86_400_000, 126_000), (false, false));
}

/// Carries out what a step asks until nothing is left.
fn settle(writer: &mut WriterLoop<Table, u32>, effects: Effects) -> Vec<Option<CheckpointReason>> {
    let mut reasons = Vec::new();
    let mut next = order(&effects).map(|order| order.checkpoint);
    while let Some(reason) = next {
        reasons.push(reason);
        let effects = step(writer, Input::Durable);
        next = order(&effects).map(|order| order.checkpoint);
    }
    reasons
}

#[test]
fn q_13_the_clock_closes_bets_and_cuts_off_who_does_not_answer() {
    let mut writer = opened(LoopOptions::default());
    let dealer = |act| Command {
        id: 0,
        at_ms: START_MS,
        by: Actor::Staff(DEALER),
        second: None,
        act,
    };
    let tumbled = Act::ReportTumbles {
        count: 3,
        all_dice_moved: true,
    };
    for act in [Act::ActivateTumbler, tumbled, Act::CallBets] {
        let command = Box::new(dealer(act));
        let effects = step(&mut writer, Input::Submit { reply: 1, command });
        assert!(effects.is_empty());
    }
    let effects = step(&mut writer, Input::Flush);
    settle(&mut writer, effects);
    // What is written on records jumps, ten days ahead and an hour back; the
    // steady clock alone says when bets close.
    let tick = |label: i64, steady_ms: i64| Input::Tick {
        now_ms: START_MS + label,
        steady_ms,
    };
    assert!(step(&mut writer, tick(0, 7_000)).is_empty());
    let due = writer.due_ms().expect("the window ends");
    assert_eq!(due, 7_000 + 600_000);
    assert!(step(&mut writer, tick(864_000_000, 8_000)).is_empty());
    assert!(step(&mut writer, tick(-3_600_000, due - 1)).is_empty());
    assert_eq!(writer.due_ms(), Some(due));
    let effects = step(&mut writer, tick(-3_600_000, due));
    settle(&mut writer, effects);
    assert_eq!(writer.state().phase(), Some(Phase::Closing));
    let fence = writer.due_ms().expect("terminals are waited for");
    assert_eq!(fence, due + sicbo_loop::FENCE_AFTER_MS);
    assert!(step(&mut writer, tick(864_000_000, fence - 1)).is_empty());
    let effects = step(&mut writer, tick(-7_200_000, fence));
    settle(&mut writer, effects);
    assert_eq!(writer.state().phase(), Some(Phase::Closed));
    assert_eq!(writer.due_ms(), None);
}

#[test]
fn a_checkpoint_is_due_at_each_rounds_end_and_each_minute() {
    let mut writer = opened(LoopOptions::default());
    let mut reasons = Vec::new();
    let times = [0, 1_000, 59_999, 60_000];
    for (id, after_ms) in (1..).zip(times) {
        submit(&mut writer, id, START_MS + after_ms, credit());
        let effects = step(&mut writer, Input::Flush);
        reasons.extend(settle(&mut writer, effects));
    }
    let minute = Some(CheckpointReason::Minute);
    assert_eq!(reasons, [minute, None, None, minute]);

    let (_, mut script) = opened_table("table-2");
    script.round(&[(0, "big", 1_000)], [1, 2, 3]);
    let checkpoints = sicbo_journal::Store::checkpoints(&script.store).expect("there");
    let last = checkpoints.last().expect("one").checkpoint();
    assert_eq!(last.reason, CheckpointReason::RoundEnd);
    assert_eq!(
        last.sequence,
        sicbo_journal::Store::tail(&script.store).sequence
    );
}

#[test]
fn books_that_do_not_balance_are_not_written_and_stop_the_loop() {
    let mut writer = opened_as(LoopOptions::default(), |table| {
        table.stations[0].credit += Money::from_minor(1);
    });
    submit(&mut writer, 1, START_MS, credit());
    let effects = step(&mut writer, Input::Flush);
    assert!(order(&effects).is_none(), "nothing is written");
    assert_eq!(answers(&effects), [(1, &Answer::Stopped)]);
    let stopped = effects.iter().any(|effect| match effect {
        Effect::Stopped { what } => what.contains("the books do not balance"),
        _ => false,
    });
    assert!(stopped);
}

#[test]
fn a_command_that_comes_as_the_loop_stops_is_answered() {
    let options = LoopOptions {
        batch: 1,
        ..LoopOptions::default()
    };
    let mut writer = opened_as(options, |table| {
        table.stations[0].credit += Money::from_minor(1);
    });
    submit(&mut writer, 1, START_MS, credit());
    // The batch is full: it is to be written first, and its books do not balance.
    let effects = submit(&mut writer, 2, START_MS, credit());
    assert!(order(&effects).is_none(), "nothing is written");
    let told = answers(&effects);
    assert_eq!(told, [(1, &Answer::Stopped), (2, &Answer::Stopped)]);
}
