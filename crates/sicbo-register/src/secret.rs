//! Randomness for keys and one-time PINs. The register itself draws none:
//! what is drawn here reaches it inside commands, as digests.

/// The system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct NoRandomness(String);

/// Random bytes from the operating system.
///
/// # Errors
/// When it gives none; nothing secret may then be made.
pub fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
    Ok(bytes)
}
