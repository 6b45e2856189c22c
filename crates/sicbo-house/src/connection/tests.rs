//! The box of a connection, one step after the other.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_executor::block_on;

use sicbo_wire::Frame;

use crate::connection::{Bye, FRAMES_WAITING, Inbox, boxes};

#[expect(clippy::disallowed_methods, reason = "a test waits")]
fn next(inbox: &mut Inbox) -> Option<Frame> {
    block_on(inbox.next())
}

#[test]
fn frames_come_out_in_order_and_then_why_it_ended() {
    let (outbox, mut inbox) = boxes(1);
    assert!(outbox.put_all(["a".into(), "b".into()]) && outbox.put("c".into()));
    outbox.end(Bye::TakenOver);
    outbox.end(Bye::Stopping);
    drop(outbox);
    for frame in ["a", "b", "c"] {
        assert_eq!(next(&mut inbox).as_deref(), Some(frame));
    }
    assert_eq!(
        (next(&mut inbox), inbox.end()),
        (None, Some(Bye::TakenOver))
    );
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicU64);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_waiting_reader_is_woken_by_a_frame_and_by_the_last_outbox() {
    let (outbox, mut inbox) = boxes(1);
    let other = outbox.clone();
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut poll = || pin!(inbox.next()).poll(&mut Context::from_waker(&waker));
    let times = || woken.0.load(Ordering::Relaxed);
    assert!(poll().is_pending());
    assert!(outbox.put("a".into()));
    assert_eq!(times(), 1);
    assert_eq!(poll(), Poll::Ready(Some("a".into())));
    assert!(poll().is_pending());
    drop(outbox);
    assert_eq!(times(), 1, "there is another outbox");
    drop(other);
    assert_eq!((times(), poll()), (2, Poll::Ready(None)));
}

#[test]
fn who_must_go_goes_although_other_tables_still_have_something_to_say() {
    let (outbox, mut inbox) = boxes(2);
    let other = outbox.clone();
    assert!(outbox.put("a".into()));
    outbox.end(Bye::TableStopped);
    drop(outbox);
    assert!(!other.put("b".into()), "nothing comes after the end");
    assert_eq!(next(&mut inbox).as_deref(), Some("a"));
    assert_eq!(next(&mut inbox), None);
    assert_eq!(inbox.end(), Some(Bye::TableStopped));
}

#[test]
fn a_reader_that_does_not_read_must_go_and_one_that_is_gone_is_noticed() {
    let (outbox, inbox) = boxes(1);
    for _ in 0..FRAMES_WAITING {
        assert!(outbox.put("a".into()));
    }
    assert!(!outbox.put("a".into()));
    assert_eq!(inbox.end(), Some(Bye::TooSlow));
    drop(inbox);
    let (outbox, inbox) = boxes(2);
    for _ in 0..2 * FRAMES_WAITING {
        assert!(outbox.put("a".into()));
    }
    assert!(!outbox.put("a".into()));
    drop(inbox);
    let (outbox, inbox) = boxes(1);
    drop(inbox);
    assert!(!outbox.put("a".into()));
}
