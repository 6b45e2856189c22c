//! The door of a runner, one step after the other.

use std::collections::VecDeque;
use std::time::Duration;

use crate::inbox::{Closed, Inbox};

const NOW: Duration = Duration::ZERO;

#[test]
fn a_full_door_gives_the_command_back_at_once() {
    let inbox = Inbox::new(2);
    assert!(inbox.put(1).is_ok() && inbox.put(2).is_ok());
    assert_eq!(inbox.put(3), Err((3, Closed::Full)));
    let mut hand = VecDeque::new();
    inbox.take(&mut hand, true, false, NOW);
    // What is in hand still counts, until it has been looked at.
    assert_eq!((hand.len(), inbox.put(3)), (2, Err((3, Closed::Full))));
    hand.clear();
    inbox.take(&mut hand, true, false, NOW);
    assert!(inbox.put(3).is_ok());
}

#[test]
fn stopping_lets_what_is_there_through_and_nothing_more() {
    let inbox = Inbox::new(8);
    assert!(inbox.put(1).is_ok());
    inbox.stop();
    assert_eq!(inbox.put(2), Err((2, Closed::Gone)));
    let mut hand = VecDeque::new();
    let found = inbox.take(&mut hand, true, false, NOW);
    assert!(found.stopping && hand == [1]);
}

#[test]
fn an_outcome_is_found_without_room_for_commands() {
    let inbox = Inbox::new(8);
    assert!(inbox.put(1).is_ok());
    inbox.landed(Ok(()));
    let mut hand = VecDeque::new();
    assert!(inbox.take(&mut hand, false, true, NOW).outcome.is_some());
    assert!(inbox.take(&mut hand, false, true, NOW).outcome.is_none());
}
