//! The door of a runner as several threads use it, in thousands of orders that `shuttle` chooses.
//! No wait ends by itself there: a wake-up that is lost is a thread that waits for ever, which it
//! reports.

use std::collections::VecDeque;
use std::time::Duration;

use shuttle::sync::Arc;
use shuttle::{check_pct, check_random, thread};

use self::inbox::{Closed, Inbox};

/// The locks of the door, as `shuttle` makes them.
mod sync {
    pub(super) use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub(super) use std::sync::PoisonError;
}

#[expect(dead_code, reason = "not all of it is tried here")]
#[path = "../inbox.rs"]
mod inbox;

/// Longer than any test: nothing here is helped by a clock.
const EVER: Duration = Duration::from_secs(3_600);
const ORDERS: usize = 2_000;
const CAPACITY: usize = 2;

/// In orders drawn by chance, and in those that differ in few places only.
fn in_many_orders(play: fn()) {
    check_random(play, ORDERS);
    check_pct(play, ORDERS, 3);
}

/// Two who command, one who asks it to stop, and the thread that decides.
fn commands_and_a_stop() {
    let door = Arc::new(Inbox::new(CAPACITY));
    let commanding = [0, 1].map(|who| {
        let door = Arc::clone(&door);
        thread::spawn(move || {
            let mut taken = Vec::new();
            for number in 0..3 {
                match door.put((who, number)) {
                    Ok(()) => taken.push((who, number)),
                    Err((back, Closed::Full | Closed::Gone)) => assert_eq!(back, (who, number)),
                }
            }
            taken
        })
    });
    let stopping = {
        let door = Arc::clone(&door);
        thread::spawn(move || door.stop())
    };
    let (mut decided, mut hand) = (Vec::new(), VecDeque::new());
    loop {
        let found = door.take(&mut hand, true, false, EVER);
        assert!(hand.len() <= CAPACITY, "more than there is room for");
        decided.extend(hand.drain(..));
        if found.stopping {
            break;
        }
    }
    stopping.join().expect("a stop");
    assert!(door.close().is_empty(), "something is left behind");
    for (who, commanding) in (0..).zip(commanding) {
        let taken = commanding.join().expect("commands");
        let own: Vec<_> = decided
            .iter()
            .filter(|(by, _)| *by == who)
            .copied()
            .collect();
        assert_eq!(
            own, taken,
            "what was taken is decided once and in its order"
        );
    }
}

#[test]
fn what_the_door_takes_is_decided_once_whoever_comes_first() {
    in_many_orders(commands_and_a_stop);
}

/// While a block is on its way only its outcome is waited for; commands come meanwhile.
fn an_outcome_among_commands() {
    let door = Arc::new(Inbox::new(CAPACITY));
    let writing = {
        let door = Arc::clone(&door);
        thread::spawn(move || door.landed(Ok(())))
    };
    let commanding = {
        let door = Arc::clone(&door);
        thread::spawn(move || (0..3).filter(|number| door.put(*number).is_ok()).count())
    };
    let mut hand = VecDeque::new();
    let mut outcomes = 0;
    while outcomes == 0 {
        let found = door.take(&mut hand, false, true, EVER);
        outcomes += u32::from(found.outcome.is_some());
    }
    writing.join().expect("a written block");
    let taken = commanding.join().expect("commands");
    assert!((1..=CAPACITY).contains(&taken));
    assert_eq!(hand.len() + door.close().len(), taken, "none is lost");
}

#[test]
fn the_outcome_of_a_block_is_heard_whatever_comes_with_it() {
    in_many_orders(an_outcome_among_commands);
}
