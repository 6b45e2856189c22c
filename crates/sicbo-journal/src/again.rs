//! Reads a journal again where the first reading may have been wrong. Owns how
//! often; which errors are worth it, and where the bytes come from, is said by
//! those who read.

/// Readings before a start gives up. A bit that was read wrong once is right the
/// next time; one that is wrong on the disk stays wrong.
pub const MAX_READINGS: u32 = 3;

/// Reads until it succeeds, or fails for a reason that no other reading could
/// change, or has failed so often. `failed` hears of each reading that is tried
/// again: its number and what was wrong with it.
///
/// # Errors
/// What the last reading met.
pub fn read_again<T, E>(
    mut read: impl FnMut() -> Result<T, E>,
    may_be_misread: impl Fn(&E) -> bool,
    mut failed: impl FnMut(u32, &E),
) -> Result<T, E> {
    for reading in 1..MAX_READINGS {
        match read() {
            Err(error) if may_be_misread(&error) => failed(reading, &error),
            other => return other,
        }
    }
    read()
}
