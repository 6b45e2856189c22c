//! The tree of a data folder, held to its journals and to a witness: whether an
//! older copy was put back.

use std::path::Path;

use clap::Args;
use serde::Serialize;
use sicbo_journal::KeyRing;
use sicbo_witness::ask::Outcome as Said;
use sicbo_witness::check::{CheckError, Demand, TreeFault, TreeReport, check_tree};
use sicbo_witness::client::{Client, ask_about};
use sicbo_witness::house_tree::{HouseTree, TreeError};
use sicbo_witness::note::{Note, VerifierKey};
use sicbo_witness::url::WitnessUrl;

use super::FaultOutcome;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Args)]
pub(crate) struct WitnessArgs {
    /// Hold the folder to a witness: its address, or a file with a checkpoint it cosigned
    #[arg(long, value_name = "FILE|URL", requires = "witness_key")]
    witness: Option<String>,
    /// The witness's key, as `sicbo witness key` prints it
    #[arg(long, value_name = "KEY", requires = "witness")]
    witness_key: Option<String>,
}

/// What the tree of the folder came to.
#[derive(Serialize)]
pub(super) struct TreeOutcome {
    leaves: u64,
    life: u32,
    signed_leaves: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cosigned: Option<Cosigned>,
    /// Somebody asked for a witness's word.
    demanded: bool,
    records_not_cosigned: u64,
    /// Blocks that no checkpoint of the house's over its tree covers.
    blocks_not_signed: u64,
    records_not_signed: u64,
    /// Of these, blocks that are not in the tree at all.
    blocks_outside: u64,
}

#[derive(Serialize)]
struct Cosigned {
    leaves: u64,
    witness: String,
    time: String,
}

impl TreeOutcome {
    fn of(report: &TreeReport, demanded: bool) -> TreeOutcome {
        let cosigned = report.cosigned.as_ref().map(|head| Cosigned {
            leaves: head.size,
            witness: head.witness.clone(),
            time: sicbo_proof::text::time(head.time_s as i64 * 1_000),
        });
        TreeOutcome {
            leaves: report.size,
            life: report.life,
            signed_leaves: report.signed_size,
            cosigned,
            demanded,
            records_not_cosigned: report.uncovered.records,
            blocks_not_signed: report.unsigned.blocks,
            records_not_signed: report.unsigned.records,
            blocks_outside: report.outside.blocks,
        }
    }

    /// The house has signed the tree over the last block of every journal.
    pub(super) fn is_signed(&self) -> bool {
        self.blocks_not_signed == 0
    }

    /// A witness was asked for and has not seen the last records.
    pub(super) fn is_short(&self) -> bool {
        self.demanded && self.records_not_cosigned > 0
    }

    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        out.line(format!(
            "tree: {} blocks of all journals, life {}",
            self.leaves, self.life
        ))?;
        match &self.cosigned {
            Some(head) => out.line(format!(
                "  cosigned by {} to block {}, {}",
                head.witness, head.leaves, head.time
            ))?,
            None if self.demanded => out.line("  not cosigned by the witness that was given")?,
            None => out.line("  not held to a witness: give --witness to see a rollback")?,
        }
        if self.blocks_not_signed > 0 {
            out.line(format!(
                "  the last {} blocks ({} records) are under NO SIGNED HEAD of the tree, {} of them \
                 not in it at all: a crash, a house that runs or an older tree leaves such, and \
                 their loss could not be noticed",
                self.blocks_not_signed, self.records_not_signed, self.blocks_outside
            ))?;
        }
        if self.is_short() {
            out.line(format!(
                "  the last {} records are NOT COSIGNED yet: their loss could not be noticed",
                self.records_not_cosigned
            ))?;
        }
        Ok(())
    }
}

impl WitnessArgs {
    /// A witness speaks for all journals of a folder together.
    pub(super) fn refuse_without_folder(&self) -> Result<(), Failure> {
        match self.witness {
            Some(_) => Err(Failure::input(
                "--witness is for a whole data folder: give the folder, not a file",
            )),
            None => Ok(()),
        }
    }

    /// Looks at the tree, where there is one or a witness is asked for.
    pub(super) fn look(
        &self,
        data: &Path,
        ring: &KeyRing,
    ) -> Result<(Option<TreeOutcome>, Vec<FaultOutcome>), Failure> {
        let faults = |report: &TreeReport| {
            let told = report.faults.iter();
            told.map(|fault| FaultOutcome::at(None, fault)).collect()
        };
        let demanded = self.witness.is_some();
        match HouseTree::open_to_read(data) {
            Ok(Some(_)) => {}
            Ok(None) if demanded => {
                return Ok((None, vec![FaultOutcome::at(None, TreeFault::NoTree)]));
            }
            Ok(None) => return Ok((None, Vec::new())),
            Err(error) => return Ok((None, vec![damaged(error.into())?])),
        }
        let (Some(witness), Some(key)) = (&self.witness, &self.witness_key) else {
            return match check_tree(data, ring, Demand::Nothing) {
                Ok(report) => Ok((Some(TreeOutcome::of(&report, false)), faults(&report))),
                Err(error) => Ok((None, vec![damaged(error)?])),
            };
        };
        let key = VerifierKey::parse(key)
            .map_err(|error| Failure::input(format!("--witness-key: {error}")))?;
        let note = match cosigned(witness, &key, data)? {
            Ok(note) => note,
            Err(fault) => return Ok((None, vec![FaultOutcome::at(None, fault)])),
        };
        match check_tree(data, ring, Demand::Continues(&note, &key)) {
            Ok(report) => Ok((Some(TreeOutcome::of(&report, true)), faults(&report))),
            Err(CheckError::NoCheckpoint) => Err(world(&CheckError::NoCheckpoint)),
            Err(error) => Ok((None, vec![damaged(error)?])),
        }
    }
}

/// A tree that is there and is not what it should be is a fault of the folder.
fn damaged(error: CheckError) -> Result<FaultOutcome, Failure> {
    match &error {
        CheckError::Tree(TreeError::Io { .. } | TreeError::Stream { .. })
        | CheckError::Folder(_) => Err(world(&error)),
        _ => Ok(FaultOutcome::at(None, error)),
    }
}

/// The cosigned checkpoint, from a file or from the witness itself; or what the
/// witness has against the folder.
fn cosigned(
    witness: &str,
    key: &VerifierKey,
    data: &Path,
) -> Result<Result<Note, String>, Failure> {
    if !witness.contains("://") {
        let path = Path::new(witness);
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        let note = Note::parse(&bytes);
        return note
            .map(Ok)
            .map_err(|error| Failure::input(format!("{witness}: {error}")));
    }
    let url = WitnessUrl::parse(witness)
        .map_err(|error| Failure::input(format!("--witness {witness}: {error}")))?;
    let client = Client::new(url, None).map_err(|error| world(&error))?;
    Ok(match ask_about(data, key, &client) {
        Ok(Said::Cosigned { note, .. }) => Ok(note),
        Ok(Said::Behind { witness_size }) => Err(format!(
            "the witness has cosigned {witness_size} blocks, more than the folder has: it is an \
             older copy"
        )),
        Ok(Said::Forked { .. }) => {
            Err("the witness has cosigned a tree that this one does not continue".to_owned())
        }
        Ok(Said::LaterLife(later)) => Err(format!(
            "the witness has cosigned a later life of this house, {later}: the folder is an older \
             copy, from before two persons recorded that the house goes on"
        )),
        Ok(Said::Unknown(what) | Said::Silent(what)) => {
            return Err(Failure::World(format!("the witness {witness}: {what}")));
        }
        Err(error) => Err(damaged(error)?.what),
    })
}
