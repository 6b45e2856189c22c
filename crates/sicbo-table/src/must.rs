//! What a fact rests on. It was decided on this very state, so whatever is
//! missing is missing by a bug or a forgery, and the table must stop.

/// What is there.
///
/// # Panics
/// When it is not, also in a release: going on would put books on record that
/// no command ever made.
#[track_caller]
pub fn must<T>(found: Option<T>, what: &str) -> T {
    match found {
        Some(found) => found,
        None => panic!("{what}"),
    }
}
