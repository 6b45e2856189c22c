//! Asks a witness to cosign a head, by its protocol: the old size is guessed,
//! corrected once by what the witness says, and what cannot be corrected is
//! told. Knows no socket: whoever asks hands in how bytes are sent.

use sicbo_journal::{Hash, HouseKey, KeyId};

use crate::head::{TreeHead, origin, parse_size};
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
    /// The witness knows a later life of the house: this is data from before two
    /// persons recorded that it goes on.
    LaterLife(String),
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
            410 => return Ok(Outcome::LaterLife(shortened(&reply.body))),
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

/// Lives after a house's own that a witness is asked about: a house may have gone
/// on more than once before the witness's operator heard of it.
const LIVES_ASKED: usize = 4;

/// The origin of a later life of the house, if the witness has cosigned blocks of
/// one. Asked with an empty tree, which every tree continues.
///
/// # Errors
/// Why the witness did not say.
pub fn later_life(
    (house, life): (KeyId, u32),
    key: &HouseKey,
    mut post: impl FnMut(String) -> Result<Reply, String>,
) -> Result<Option<String>, String> {
    for later in (life..).skip(1).take(LIVES_ASKED) {
        let head = TreeHead {
            origin: origin(house, later),
            size: 0,
            root: Hash::of(b""),
        };
        let note = head.sign(key).map_err(|error| error.to_string())?;
        let reply = post(request(0, &[], &note))?;
        match reply.status {
            // Not known, or known and nothing was in it yet.
            404 | 200 => {}
            // Other keys sign for it than those of this folder.
            403 => return Ok(Some(head.origin)),
            409 if reply.body == "0\n" => {}
            409 => return Ok(Some(head.origin)),
            410 => return Ok(Some(shortened(&reply.body))),
            status => {
                let said = shortened(&reply.body);
                return Err(format!("it answered {status}: {said}"));
            }
        }
    }
    Ok(None)
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
