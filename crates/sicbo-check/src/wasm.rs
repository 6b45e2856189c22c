//! The door for WebAssembly: one buffer in, one buffer out, both kept here, so
//! that nothing crosses by pointer that this crate does not own.
//!
//! A page asks `input(n)` where to write n bytes, writes them, calls `check()`
//! and reads `output_len()` bytes where `check()` says. What is asked and
//! answered is in [`crate::answer`].
#![expect(
    unsafe_code,
    reason = "an exported name is an unsafe attribute; there is no unsafe block here"
)]

use std::sync::{Mutex, PoisonError};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a question of so many bytes; where to write it.
#[unsafe(no_mangle)]
extern "C" fn input(len: usize) -> usize {
    let mut input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    *input = vec![0; len];
    input.as_ptr() as usize
}

/// Answers the question; where the answer stands.
#[unsafe(no_mangle)]
extern "C" fn check() -> usize {
    let input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut output = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
    *output = crate::answer::to(&input);
    output.as_ptr() as usize
}

/// How many bytes the last answer has.
#[unsafe(no_mangle)]
extern "C" fn output_len() -> usize {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).len()
}
