//! An assertion that fails is a bug, or a forged record: whoever runs a state
//! takes it as the end of that one state and of nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Machine;

/// Applies an event that was read: one whose assertions fail cannot have been
/// written by this program, and the state is not to be used any more.
///
/// # Errors
/// What the assertion says.
pub fn apply_read<M: Machine>(state: &mut M, event: &M::Event) -> Result<(), String> {
    guarded(|| state.apply(event)).map_err(|what| format!("it cannot have happened: {what}"))
}

/// Runs work whose assertions may fail. What the work has changed by then is
/// half done: nothing of it may be used or written any more.
///
/// # Errors
/// What the assertion says.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|said| {
        let text = said.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| said.downcast_ref::<&str>().copied());
        text.unwrap_or("it did not say why").to_owned()
    })
}
