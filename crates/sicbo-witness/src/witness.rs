//! The witness: what it remembers of each log, and what it answers to a new
//! checkpoint (c2sp.org/tlog-witness). Its word is that it never saw a log go
//! back, so everything is durable before it is signed for. Knows no socket and
//! no clock.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use sicbo_journal::{Hash, HouseKey};

use crate::head::{TreeHead, life_of, parse_hash, parse_size};
use crate::note::{Algorithm, MAX_NOTE, Note, NoteError, VerifierKey, cosign};
use crate::tree::{MAX_PROOF, is_consistent};

/// Longest request that is read: a note, an old size and a proof.
pub const MAX_REQUEST: usize = MAX_NOTE + 64 * (MAX_PROOF + 1);

/// A log that the witness knows.
#[derive(Clone, Debug)]
pub struct KnownLog {
    /// The first line of its checkpoints.
    pub origin: String,
    /// The keys it may sign with: more than one after a rotation.
    pub keys: Vec<VerifierKey>,
}

/// A witness with its memory.
pub struct Witness {
    name: String,
    key: HouseKey,
    logs: BTreeMap<String, Vec<VerifierKey>>,
    /// Held from looking to committing: two requests for one log never cross.
    state: Mutex<Connection>,
}

/// What the witness answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 200: its cosignature, a whole line.
    Cosigned(String),
    /// 400: not understood.
    Malformed(&'static str),
    /// 403: no key that is known for the log signed it.
    NotSigned,
    /// 404: no such log.
    UnknownLog,
    /// 409: another size was cosigned last, or another root of this size.
    Conflict {
        /// The size that was cosigned last.
        size: u64,
    },
    /// 410: blocks of a later life of the house were cosigned; never this one again.
    Retired {
        /// The newest life's origin.
        by: String,
    },
    /// 422: the proof does not lead from the last tree to this one.
    NotConsistent,
    /// 500: its memory failed; nothing was signed.
    Failed(String),
}

impl Witness {
    /// Opens a witness with what it remembers, or with no memory for a new one.
    ///
    /// # Errors
    /// When the name is no key's, or its memory cannot be opened.
    pub fn open(
        name: &str,
        key: HouseKey,
        logs: Vec<KnownLog>,
        memory: &Path,
    ) -> Result<Witness, WitnessError> {
        VerifierKey::new(name, Algorithm::CosignatureV1, key.public())?;
        let connection = Connection::open(memory)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS latest (
                 origin TEXT PRIMARY KEY,
                 size INTEGER NOT NULL,
                 root BLOB NOT NULL CHECK (length(root) = 32),
                 note TEXT NOT NULL
             ) STRICT",
        )?;
        let logs = logs.into_iter().map(|log| (log.origin, log.keys));
        Ok(Witness {
            name: name.to_owned(),
            key,
            logs: logs.collect(),
            state: Mutex::new(connection),
        })
    }

    /// The key by which its cosignatures are known.
    ///
    /// # Errors
    /// Never for a witness that could be opened.
    pub fn verifier_key(&self) -> Result<VerifierKey, NoteError> {
        VerifierKey::new(&self.name, Algorithm::CosignatureV1, self.key.public())
    }

    /// Answers a request to cosign a checkpoint, at this time in seconds of UTC
    /// since 1970.
    pub fn add_checkpoint(&self, request: &[u8], now_s: u64) -> Answer {
        let request = match Request::parse(request) {
            Ok(request) => request,
            Err(why) => return Answer::Malformed(why),
        };
        let Some(keys) = self.logs.get(&request.head.origin) else {
            return Answer::UnknownLog;
        };
        if !keys.iter().any(|key| request.note.is_signed_by(key)) {
            return Answer::NotSigned;
        }
        if request.old > request.head.size {
            return Answer::Malformed("the old size is larger than the checkpoint's");
        }
        self.judge(&request, now_s)
            .unwrap_or_else(|error| Answer::Failed(error.to_string()))
    }

    fn judge(&self, request: &Request, now_s: u64) -> Result<Answer, WitnessError> {
        let TreeHead { origin, size, root } = &request.head;
        // A thread that broke off in here left no transaction open.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let change = state.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(by) = later_life(&change, origin)? {
            return Ok(Answer::Retired { by });
        }
        let known = latest(&change, origin)?;
        let (last, last_root) = known.unwrap_or((0, Hash::of(b"")));
        if request.old != last {
            return Ok(Answer::Conflict { size: last });
        }
        let same_size_other_root = known.is_some() && *size == last && *root != last_root;
        if same_size_other_root {
            return Ok(Answer::Conflict { size: last });
        }
        if !is_consistent((last, last_root), (*size, *root), &request.proof) {
            return Ok(Answer::NotConsistent);
        }
        let line = cosign(request.note.text(), &self.name, &self.key, now_s)?;
        let mut note = request.note.clone();
        note.add(line.clone());
        change.execute(
            "INSERT INTO latest (origin, size, root, note) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (origin) DO UPDATE SET size = ?2, root = ?3, note = ?4",
            params![origin, clamp(*size), root.0, note.to_string()],
        )?;
        // Durable before anybody is told: a witness that forgets has lied.
        change.commit()?;
        Ok(Answer::Cosigned(format!("{line}\n")))
    }

    /// The origin of a later life of the same house, if it has cosigned blocks of
    /// one: a folder of this origin is then an older copy.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn later_life(&self, origin: &str) -> Result<Option<String>, WitnessError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        later_life(&state, origin)
    }

    /// The last checkpoint it cosigned for a log, with its cosignature: what an
    /// auditor holds the house's files to.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn latest_note(&self, origin: &str) -> Result<Option<String>, WitnessError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let note = state
            .query_row(
                "SELECT note FROM latest WHERE origin = ?1",
                [origin],
                |row| row.get(0),
            )
            .optional()?;
        Ok(note)
    }
}

/// The newest life of the same house of which blocks were cosigned, where it is a
/// later one.
fn later_life(state: &Connection, origin: &str) -> Result<Option<String>, WitnessError> {
    let Some((log, life)) = life_of(origin) else {
        return Ok(None);
    };
    let mut statement = state.prepare_cached(
        "SELECT origin FROM latest WHERE size > 0 AND substr(origin, 1, length(?1)) = ?1",
    )?;
    let mut rows = statement.query([format!("{log}/")])?;
    let mut newest = (life, None);
    while let Some(row) = rows.next()? {
        let known: String = row.get(0)?;
        match life_of(&known) {
            Some((of, later)) if of == log && later > newest.0 => newest = (later, Some(known)),
            _ => {}
        }
    }
    Ok(newest.1)
}

fn latest(state: &Connection, origin: &str) -> Result<Option<(u64, Hash)>, WitnessError> {
    let row: Option<(i64, [u8; 32])> = state
        .query_row(
            "SELECT size, root FROM latest WHERE origin = ?1",
            [origin],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    Ok(row.map(|(size, root)| (u64::try_from(size).unwrap_or(0), Hash(root))))
}

/// Sizes were read below 2^63.
fn clamp(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The body of `add-checkpoint`.
struct Request {
    old: u64,
    proof: Vec<Hash>,
    note: Note,
    head: TreeHead,
}

impl Request {
    fn parse(body: &[u8]) -> Result<Request, &'static str> {
        if body.len() > MAX_REQUEST {
            return Err("the request is too long");
        }
        let body = std::str::from_utf8(body).map_err(|_| "the request is not UTF-8")?;
        let (front, note) = body
            .split_once("\n\n")
            .ok_or("an empty line parts the proof from the checkpoint")?;
        let mut lines = front.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old = old.and_then(parse_size);
        let old = old.ok_or("the first line is `old` and a size in decimal")?;
        let proof: Option<Vec<Hash>> = lines.map(parse_hash).collect();
        let proof = proof.ok_or("a line of the proof is a hash of 32 bytes in base64")?;
        if proof.len() > MAX_PROOF {
            return Err("a proof has at most 63 hashes");
        }
        let note = Note::parse(note.as_bytes()).map_err(|_| "the checkpoint is no signed note")?;
        let head = TreeHead::parse(note.text()).map_err(|_| "the note is no checkpoint")?;
        Ok(Request {
            old,
            proof,
            note,
            head,
        })
    }
}

/// The body of `add-checkpoint` for a witness that cosigned `old` leaves last.
pub fn request(old: u64, proof: &[Hash], note: &Note) -> String {
    use base64ct::{Base64, Encoding};
    let mut body = format!("old {old}\n");
    for hash in proof {
        body.push_str(&Base64::encode_string(&hash.0));
        body.push('\n');
    }
    format!("{body}\n{note}")
}

/// Why a witness could not be opened, or could not answer.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// Its name, or a key.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// Its memory.
    #[error("the witness's memory failed: {0}")]
    Memory(#[from] rusqlite::Error),
}
