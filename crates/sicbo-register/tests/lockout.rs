//! How long guessing locks a person out.

use sicbo_register::lockout::*;

#[test]
fn s_18_the_fifth_failure_locks_and_each_further_one_doubles_the_wait() {
    let mut lockout = Lockout::default();
    let mut waits = Vec::new();
    for _ in 0..13 {
        lockout = lockout.after_failure(1_000, None);
        waits.push(
            lockout
                .locked(1_000)
                .map_or(0, |until| (until - 1_000) / 60_000),
        );
    }
    assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert_eq!(lockout.locked(i64::MAX), None);
}

#[test]
fn failures_are_forgiven_only_where_that_is_asked_for() {
    let four = (0..4).fold(Lockout::default(), |l, _| l.after_failure(0, Some(1_000)));
    assert_eq!(four.after_failure(1_001, Some(1_000)).failures, 1);
    assert_eq!(four.after_failure(1_000, Some(1_000)).failures, 5);
    assert_eq!(four.after_failure(i64::MAX, None).failures, 5);
}
