//! What an answer in doubt is turned into: durable, sent again, or fenced. Plain
//! decisions over a few questions that somebody can ask of the truth; the same
//! code runs against PostgreSQL and against a simulated quorum.
//!
//! A write compares where the stream ends, its last header and the epoch that was
//! claimed. If its answer is in doubt, a commit of our own under the quorum comes
//! after whatever became of it: what that answers is certain.

use sicbo_journal::{AppendError, Tail};

/// An answer that proves nothing: what was asked may have been done or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// What was heard.
    pub(crate) what: String,
    /// The server itself said no: asking again will hardly help. Its code.
    pub(crate) code: Option<String>,
}

impl Doubt {
    pub(crate) fn lost(what: &str) -> Doubt {
        Doubt {
            what: what.to_owned(),
            code: None,
        }
    }
}

/// What can be asked of the truth of one stream. Every answer but a doubt is
/// certain: it was committed under the quorum, or is a plain no.
pub(crate) trait Truth {
    /// Claims the stream; the epoch, and where it ends. `None` when what was
    /// promised at connect no longer holds: look again.
    fn claim(&mut self) -> Result<Option<(u64, Tail)>, Doubt>;

    /// Where the stream ends, after whatever came before; `None` when the claim is
    /// another's or the promise no longer holds.
    fn settle(&mut self, claimed: u64) -> Result<Option<Tail>, Doubt>;

    /// Who holds the stream. May be an old answer; only a higher epoch in it counts.
    fn holder(&mut self) -> Result<Option<(u64, String)>, Doubt>;

    /// From here on the promises are looked at anew.
    fn renew(&mut self);

    /// Waits a little; `false` when it has taken too long.
    fn wait(&mut self, what: &str) -> bool;
}

/// How often a block is sent that the server itself says no to.
const MAX_NOES: u32 = 3;

/// A trigger or a rule that the house did not make.
const SWALLOWED: &str = "something in the database keeps rows of the house from being stored";

/// Where a stream certainly ends, or that somebody else has claimed it.
pub(crate) enum Settled {
    Ours(Tail),
    Fenced(AppendError),
}

/// Claims a stream for a writer. A claim whose answer was lost is made again,
/// with a higher epoch.
pub(crate) fn claim(truth: &mut dyn Truth) -> Result<(u64, Tail), Doubt> {
    loop {
        let doubt = match truth.claim() {
            Ok(Some(claimed)) => return Ok(claimed),
            Ok(None) => {
                truth.renew();
                Doubt::lost("the standbys that a commit waits for keep changing")
            }
            Err(doubt) if doubt.code.is_some() => return Err(doubt),
            Err(doubt) => doubt,
        };
        if !truth.wait(&doubt.what) {
            return Err(doubt);
        }
    }
}

/// Commits after whatever was in doubt, and so learns what became of it. Ends
/// with an answer that is certain, or when it has taken too long.
pub(crate) fn settle(truth: &mut dyn Truth, claimed: u64) -> Result<Settled, AppendError> {
    loop {
        let what = match settle_once(truth, claimed) {
            Ok(Some(settled)) => return Ok(settled),
            Ok(None) => "the standbys that a commit waits for were changed".to_owned(),
            Err(doubt) => doubt.what,
        };
        if !truth.wait(&what) {
            let what = format!("{what}: whether the block is durable is not known");
            return Err(AppendError::Failed { what });
        }
    }
}

fn settle_once(truth: &mut dyn Truth, claimed: u64) -> Result<Option<Settled>, Doubt> {
    if let Some(tail) = truth.settle(claimed)? {
        return Ok(Some(Settled::Ours(tail)));
    }
    match truth.holder()? {
        Some((current, by)) if current > claimed => {
            Ok(Some(Settled::Fenced(AppendError::Fenced {
                by,
                current,
                found: claimed,
            })))
        }
        // An answer from before our claim, or the promises are not those that
        // were checked.
        _ => {
            truth.renew();
            Ok(None)
        }
    }
}

/// Sends a write until it is certainly there or certainly refused. `send` answers
/// whether it was done; `found` says of a settled tail whether it had been done
/// before, where that can be seen from the tail.
pub(crate) fn carry_through<T: Truth>(
    truth: &mut T,
    claimed: u64,
    mut send: impl FnMut(&mut T) -> Result<bool, Doubt>,
    found: impl Fn(&Tail) -> Result<bool, AppendError>,
) -> Result<(), AppendError> {
    let mut noes = 0;
    loop {
        let doubt = match send(truth) {
            Ok(true) => return Ok(()),
            Ok(false) => None,
            Err(doubt) => Some(doubt),
        };
        // Refused by the statement itself, or in doubt: only what is settled counts.
        match settle(truth, claimed)? {
            Settled::Ours(tail) if found(&tail)? => return Ok(()),
            Settled::Ours(_) => {}
            Settled::Fenced(fenced) => return Err(fenced),
        }
        let mut what = "the truth has not taken the block in time".to_owned();
        if let Some(doubt) = doubt {
            if let Some(code) = &doubt.code {
                noes += 1;
                if noes == MAX_NOES {
                    return Err(match code.as_str() {
                        "53100" => AppendError::DiskFull,
                        // The statements divide by zero where a row was swallowed.
                        "22012" => AppendError::Failed {
                            what: SWALLOWED.to_owned(),
                        },
                        _ => AppendError::Failed { what: doubt.what },
                    });
                }
            }
            what = doubt.what;
        }
        if !truth.wait(&what) {
            return Err(AppendError::Failed { what });
        }
    }
}

/// What a settled tail says of a block that was sent: it is there, it is not, or
/// the stream moved although the claim is ours.
pub(crate) fn found(tail: &Tail, before: &Tail, after: &Tail) -> Result<bool, AppendError> {
    match tail {
        tail if tail == after => Ok(true),
        tail if tail == before => Ok(false),
        tail => Err(AppendError::Failed {
            what: format!(
                "the stream ends with record {}, which this house's leader did not write",
                tail.sequence
            ),
        }),
    }
}

#[cfg(test)]
mod simulated;
