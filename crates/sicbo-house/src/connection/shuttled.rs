//! The box of a connection as several threads use it, in thousands of orders that `shuttle` chooses:
//! a wake-up that is lost is a reader that waits for ever, which it reports.

use shuttle::future::block_on;
use shuttle::{check_pct, check_random, thread};

use self::connection::{Bye, Inbox, boxes};

/// The locks of the box, as `shuttle` makes them.
mod sync {
    use std::sync::PoisonError;

    pub(super) use shuttle::sync::MutexGuard;

    #[derive(Default)]
    pub(super) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(super) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[expect(dead_code, unreachable_pub, reason = "not all of it is tried here")]
#[path = "../connection.rs"]
mod connection;

const ORDERS: usize = 1_000;

/// In orders drawn by chance, and in those that differ in few places only.
fn in_many_orders(play: fn()) {
    check_random(play, ORDERS);
    check_pct(play, ORDERS, 3);
}

fn read(mut inbox: Inbox) -> (Vec<String>, Option<Bye>) {
    let mut read = Vec::new();
    while let Some(frame) = block_on(inbox.next()) {
        read.push(frame.to_string());
    }
    (read, inbox.end())
}

/// Two tables tell one reader, and let go of it.
fn two_tables_and_a_reader() {
    let (first, inbox) = boxes(2);
    let second = first.clone();
    let telling = [(first, "a"), (second, "b")].map(|(outbox, table)| {
        thread::spawn(move || {
            for number in 0..3 {
                assert!(outbox.put(format!("{table}{number}").into()));
            }
        })
    });
    let (heard, end) = read(inbox);
    for table in telling {
        table.join().expect("frames");
    }
    for table in ["a", "b"] {
        let own: Vec<_> = heard
            .iter()
            .filter(|frame| frame.starts_with(table))
            .collect();
        assert_eq!(
            own,
            [0, 1, 2]
                .map(|number| format!("{table}{number}"))
                .each_ref()
        );
    }
    assert_eq!((heard.len(), end), (6, None));
}

#[test]
fn a_reader_hears_every_frame_once_and_is_let_go() {
    in_many_orders(two_tables_and_a_reader);
}

/// A connection that must go is told what came before, and nothing after.
fn an_end_among_frames() {
    let (outbox, inbox) = boxes(1);
    let ending = outbox.clone();
    let telling = thread::spawn(move || {
        let told = (0..3).take_while(|number| outbox.put(number.to_string().into()));
        told.count()
    });
    let ended = thread::spawn(move || ending.end(Bye::TakenOver));
    let (heard, end) = read(inbox);
    ended.join().expect("an end");
    let told = telling.join().expect("frames");
    let all: Vec<String> = (0..told).map(|number| number.to_string()).collect();
    assert_eq!((heard, end), (all, Some(Bye::TakenOver)));
}

#[test]
fn a_reader_that_must_go_hears_what_came_before_and_nothing_after() {
    in_many_orders(an_end_among_frames);
}
