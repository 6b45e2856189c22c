//! Asks a witness to cosign a head, by its protocol: the old size is guessed,
//! corrected once by what the witness says, and what cannot be corrected is
//! told. Knows no socket: whoever asks hands in how bytes are sent.

use sicbo_journal::Hash;

use crate::head::{TreeHead, parse_size};
use crate::note::{Note, Signature, VerifierKey};
use crate::witness::request;

/// An answer as it came: the status, and a text of bounded length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Cosigned: the note with the witness's line, and when, in seconds of UTC.
    Cosigned {
        /// The note.
        note: Note,
        /// When.
        time_s: u64,
    },
    /// The witness has cosigned a larger tree: files were put back.
    Behind {
        /// Its size.
        witness_size: u64,
    },
    /// The witness has cosigned a tree that this one does not continue.
    Forked {
        /// Its size, where it said one.
        witness_size: Option<u64>,
    },
    /// The witness does not know this log, or these keys of it.
    Unknown(String),
    /// No answer, or one that makes no sense.
    Silent(String),
}

/// Times the old size is guessed: the first guess, and what the witness said.
const GUESSES: usize = 3;

/// Asks a witness for its cosignature over a signed head. `guess` is the size it
/// cosigned last, as far as is known; `proof` gives the proof from any size.
///
/// # Errors
/// When a proof cannot be made.
pub fn ask<E>(
    (note, head): (&Note, &TreeHead),
    witness: &VerifierKey,
    guess: u64,
    mut proof: impl FnMut(u64) -> Result<Vec<Hash>, E>,
    mut post: impl FnMut(String) -> Result<Reply, String>,
) -> Result<Outcome, E> {
    let mut old = guess.min(head.size);
    for _ in 0..GUESSES {
        let body = request(old, &proof(old)?, note);
        let reply = match post(body) {
            Ok(reply) => reply,
            Err(why) => return Ok(Outcome::Silent(why)),
        };
        match reply.status {
            200 => return Ok(cosigned(note, &reply.body, witness)),
            409 => {
                let said = reply.body.strip_suffix('\n').and_then(parse_size);
                let Some(size) = said else {
                    let why = "it answered 409 without the size it knows";
                    return Ok(Outcome::Silent(why.to_owned()));
                };
                if size > head.size {
                    return Ok(Outcome::Behind { witness_size: size });
                }
                if size == old {
                    // The same size and another root.
                    let witness_size = Some(size);
                    return Ok(Outcome::Forked { witness_size });
                }
                old = size;
            }
            422 => {
                let witness_size = Some(old);
                return Ok(Outcome::Forked { witness_size });
            }
            status @ (403 | 404) => {
                let said = shortened(&reply.body);
                return Ok(Outcome::Unknown(format!("it answered {status}: {said}")));
            }
            status => {
                let said = shortened(&reply.body);
                return Ok(Outcome::Silent(format!("it answered {status}: {said}")));
            }
        }
    }
    let why = "its size changes with every answer";
    Ok(Outcome::Silent(why.to_owned()))
}

/// The note with the witness's line, if there is a good one among those it sent.
fn cosigned(note: &Note, lines: &str, witness: &VerifierKey) -> Outcome {
    for line in lines.lines().take(64) {
        let Ok(signature) = Signature::parse(line) else {
            continue;
        };
        let mut with = note.clone();
        with.add(signature);
        if let Some(time_s) = with.cosigned_by(witness) {
            return Outcome::Cosigned { note: with, time_s };
        }
    }
    let name = witness.name();
    let why = format!("it answered 200 without a good cosignature of {name}: check its key");
    Outcome::Silent(why)
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(120).collect()
}
