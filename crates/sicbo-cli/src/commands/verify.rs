//! `sicbo verify PATH`: is this journal or bundle what the house wrote, and is
//! every payment in it right?

mod print;
mod tree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use serde::Serialize;
use sicbo_journal::{
    FolderError, KeyFolderError, KeyRing, OpenError, PublicKey, Purpose, Report, StreamId,
};
use sicbo_proof::bundle::case::ProvedCase;
use sicbo_proof::bundle::{self, BundleError, BundleFault, Proved};
use sicbo_proof::source::{self, Journals, Source, SourceError};
use sicbo_proof::{
    Compared, ExaminedFolder, RanBack, StreamFault, Trust, Verified, VerifiedHouse, VerifyError,
    examine_chains, examine_folder,
};
use sicbo_rules::{Currency, Money};
use sicbo_runner::Processors;
use sicbo_table::Table;

use super::restore::{opened_backup, opened_path};
use crate::failure::Failure;
use crate::journals::{TrustArgs, progress, world};
use crate::output::Output;

use print::print;
use tree::{TreeOutcome, WitnessArgs};

#[derive(Args)]
#[command(after_help = "\
Reads only, takes no lock and may run beside the house. Exit code 0: whole, and signed to the end. \
1: something is wrong or missing, or there is nothing in it; everything found is named, up to a \
hundred faults of each journal. 3: whole, but the last records are not signed, or not cosigned by the witness asked for. Without --key or --fingerprint a journal is checked against the public \
keys that lie beside it, which proves that one house wrote it, not which.")]
pub(crate) struct Verify {
    /// A data folder, a journal file, a bundle or a sealed backup
    path: PathBuf,
    /// A file with the secret age key of a sealed backup, readable by its owner only. The backup is
    /// opened into a folder that only its owner may enter and that is removed again
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    witness: WitnessArgs,
}

#[derive(Serialize, Default)]
struct Outcome {
    ok: bool,
    house: Option<String>,
    house_given: bool,
    /// Nothing of it was played in a house.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    practice: bool,
    /// What is old of a house, copied out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    archive: bool,
    streams: Vec<StreamOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeOutcome>,
    /// The blocks are signed, and the tree that whoever signs them keeps is not there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tree_missing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    vouchers: Option<VouchersOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<CaseOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<BundleOutcome>,
    /// The first of the faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultOutcome>,
    /// Everything that is wrong.
    faults: Vec<FaultOutcome>,
    /// Whole, and signed to the last record.
    signed: bool,
    /// The house's own journal has signed blocks.
    #[serde(skip)]
    house_signs: bool,
}

/// Vouchers compared between the house and its tables.
#[derive(Serialize)]
struct VouchersOutcome {
    compared: u64,
    in_transit: Vec<u64>,
    outstanding: Vec<Balance>,
}

#[derive(Serialize)]
struct LastRound {
    round: u64,
    code: String,
}

#[derive(Serialize, Clone)]
struct FaultOutcome {
    stream: Option<String>,
    record: Option<u64>,
    what: String,
}

impl FaultOutcome {
    /// Of no one stream.
    fn at(record: Option<u64>, what: impl ToString) -> FaultOutcome {
        FaultOutcome {
            stream: None,
            record,
            what: what.to_string(),
        }
    }
}

#[derive(Serialize, Default)]
struct StreamOutcome {
    stream: String,
    records: u64,
    blocks: u64,
    checkpoints: u64,
    rounds: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_rules: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_round: Option<LastRound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enrolled: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tumbles_proved: Option<u64>,
    signed_to: u64,
    chained_not_signed: u64,
    /// The last records, which no checkpoint of the house's own key is over.
    records_after_checkpoint: u64,
    /// Records whose time is before that of one before them.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ran_back: Option<TimeRanBack>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    balances: Vec<Balance>,
}

#[derive(Serialize)]
struct TimeRanBack {
    times: u64,
    first_record: u64,
    by_ms: i64,
}

impl TimeRanBack {
    fn of(ran_back: RanBack) -> Option<TimeRanBack> {
        ran_back.first.map(|(first_record, by_ms)| TimeRanBack {
            times: ran_back.times,
            first_record,
            by_ms,
        })
    }
}

#[derive(Serialize)]
struct Balance {
    account: String,
    amount: String,
}

/// A case, proved from its own file.
#[derive(Serialize)]
struct CaseOutcome {
    case: u64,
    kind: &'static str,
    table: String,
    round: Option<u64>,
    opened: String,
    state: &'static str,
    records: usize,
    checkpoints: usize,
}

#[derive(Serialize)]
struct BundleOutcome {
    stream: String,
    round: u64,
    code: Option<String>,
    station: Option<String>,
    records: usize,
    headers: usize,
    checkpoints: usize,
    program_sha256: String,
    rulebook: String,
    rulebook_sha256: String,
    config_sha256: String,
    cannot_prove: Vec<String>,
}

impl Verify {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let trust = self.trust.read()?;
        // A record that cannot follow is told as a fault, not as a defect of the program.
        std::panic::set_hook(Box::new(|_| {}));
        // Gone again when this is done.
        let opened = self.identity.as_deref();
        let opened = opened.map(|file| opened_backup(&self.path, file));
        let (opened, unopened) = match opened.transpose()? {
            Some((opened, unopened)) => (Some(opened), unopened),
            None => (None, None),
        };
        let path = opened.as_ref().map_or(self.path.clone(), opened_path);
        let mut outcome = Outcome {
            house_given: trust.is_given(),
            ..Outcome::default()
        };
        let mut wrong_keys = None;
        let source = match path.is_dir() {
            true => Journals::folder_to_examine(&path).map(|(journals, wrong)| {
                wrong_keys = wrong;
                Source::Journals(journals)
            }),
            false => Source::open(&path),
        };
        let mut faults = match source {
            // Of a sealed backup not even the first part could be opened.
            Err(_) if unopened.is_some() => Vec::new(),
            Ok(Source::Journals(journals)) => {
                self.check_journals(&path, &journals, wrong_keys, &trust, &mut outcome)?
            }
            Ok(Source::Bundle(bundle)) => match bundle::tell(&bundle, &trust) {
                Ok(proved) => {
                    outcome.house = Some(proved.round.house.to_string());
                    outcome.bundle = Some(bundle_outcome(&proved));
                    Vec::new()
                }
                Err(fault) => vec![bundle_fault(&fault)],
            },
            Ok(Source::Case(case)) => match case.check(&trust) {
                Ok(proved) => {
                    outcome.house = Some(proved.house.to_string());
                    outcome.case = Some(case_outcome(&proved));
                    outcome.bundle = proved.round.as_deref().map(bundle_outcome);
                    Vec::new()
                }
                Err(fault) => vec![bundle_fault(&fault)],
            },
            Err(error) => match found(&error) {
                Some(fault) => vec![fault],
                None => return Err(world(&error)),
            },
        };
        faults.extend(unopened.map(|error| FaultOutcome::at(None, error)));
        outcome.ok = faults.is_empty();
        outcome.signed = outcome.ok && outcome.is_signed_to_the_end();
        let short = outcome.tree.as_ref().is_some_and(TreeOutcome::is_short);
        let practised = |stream: &str| stream.starts_with(sicbo_practice::TABLE_PREFIX);
        let bundled = outcome.bundle.as_ref().map(|bundle| bundle.stream.as_str());
        let streams = outcome.streams.iter().map(|known| known.stream.as_str());
        outcome.practice = streams.chain(bundled).any(practised);
        outcome.fault = faults.first().cloned();
        outcome.faults = faults;
        if out.is_json() {
            out.json(&outcome)?;
        } else {
            print(&outcome, out)?;
        }
        out.flush()?;
        match (outcome.ok, outcome.signed && !short) {
            (true, true) => Ok(()),
            (true, false) => Err(Failure::Unsigned),
            (false, _) => Err(Failure::Faulty),
        }
    }
}

/// A bundle or a record that cannot be read is what was examined, and has a fault.
fn found(error: &SourceError) -> Option<FaultOutcome> {
    match error {
        SourceError::Open(error @ OpenError::Altered { .. }) => Some(FaultOutcome::at(None, error)),
        SourceError::Open(error) => {
            source::damaged_record(error).map(|record| FaultOutcome::at(Some(record), error))
        }
        SourceError::Keys(error) if is_found(error) => Some(FaultOutcome::at(None, error)),
        // The folder of a house from which its journals were taken.
        SourceError::Folder(error @ FolderError::NoJournals { .. }) => {
            Some(FaultOutcome::at(None, error))
        }
        SourceError::Bundle {
            error: BundleError::Altered(fault),
            ..
        } => Some(bundle_fault(fault)),
        SourceError::Bundle {
            error: error @ (BundleError::Damaged { .. } | BundleError::Digest),
            ..
        } => Some(FaultOutcome::at(None, error)),
        _ => None,
    }
}

/// The keys of a folder are there and are not what the house put there.
fn is_found(error: &KeyFolderError) -> bool {
    match error {
        KeyFolderError::Malformed { .. }
        | KeyFolderError::Mismatch { .. }
        | KeyFolderError::Missing { .. }
        | KeyFolderError::HandOver(_) => true,
        KeyFolderError::Rights(_) | KeyFolderError::Locked { .. } | KeyFolderError::Io { .. } => {
            false
        }
    }
}

impl Outcome {
    /// Whether the house's keys and, in a house's own folder, its tree speak for
    /// the last record of every journal.
    fn is_signed_to_the_end(&self) -> bool {
        let blocks = self.streams.iter().all(|one| one.chained_not_signed == 0);
        // An archive ends where records of other journals begin.
        let checkpoints = self.streams.iter();
        let checkpoints = self.archive
            || checkpoints
                .into_iter()
                .all(|one| one.records_after_checkpoint == 0);
        let tree = self.tree.as_ref().is_none_or(TreeOutcome::is_signed);
        blocks && checkpoints && tree && !self.tree_missing
    }
}

impl Verify {
    /// Verifies the journals, and of a folder its tree.
    fn check_journals(
        &self,
        path: &Path,
        journals: &Journals,
        wrong_keys: Option<KeyFolderError>,
        trust: &Trust,
        outcome: &mut Outcome,
    ) -> Result<Vec<FaultOutcome>, Failure> {
        outcome.archive = journals.is_archive();
        let mut faults = Vec::new();
        if let Some(error) = wrong_keys {
            if !is_found(&error) {
                return Err(world(&error));
            }
            faults.push(FaultOutcome::at(None, error));
        }
        let Some(ring) = ring(journals, trust)? else {
            if faults.is_empty() {
                let what = "the folder has no keys of its house (keys/1/public.pem): no signature \
                            was verified; give the house's first public key with --key FILE";
                faults.push(FaultOutcome::at(None, what));
            }
            faults.extend(examine_chains(journals).into_iter().map(told));
            return Ok(faults);
        };
        faults.extend(check_journals(journals, &ring, trust, outcome)?);
        if journals.is_folder {
            let (tree, found) = self.witness.look(path, &ring)?;
            let needs_tree = outcome.house_signs && journals.purpose == Some(Purpose::House);
            outcome.tree_missing = tree.is_none() && found.is_empty() && needs_tree;
            outcome.tree = tree;
            faults.extend(found);
        } else {
            self.witness.refuse_without_folder()?;
        }
        Ok(faults)
    }
}

/// Verifies every stream, then one against the other; everything that is wrong.
fn check_journals(
    journals: &Journals,
    ring: &KeyRing,
    trust: &Trust,
    outcome: &mut Outcome,
) -> Result<Vec<FaultOutcome>, Failure> {
    outcome.house = Some(ring.house().to_string());
    if let Err(error) = trust.check(ring) {
        return Ok(vec![FaultOutcome::at(None, format!("refused: {error}"))]);
    }
    let examined = examine_shown(journals, ring).map_err(|error| world(&error))?;
    let tables = examined.tables.iter();
    outcome.streams = tables.map(|(stream, table)| whole(stream, table)).collect();
    let house = examined.house.iter();
    let mut signs = house.clone();
    outcome.house_signs = signs.any(|(_, house)| house.report.sealed_blocks > 0);
    let house = house.map(|(stream, house)| of_house(stream, house));
    outcome.streams.extend(house);
    outcome.vouchers = examined.compared.as_ref().map(vouchers);
    Ok(examined.faults.into_iter().map(told).collect())
}

fn told(found: StreamFault) -> FaultOutcome {
    FaultOutcome {
        record: found.stream.as_ref().and(found.fault.sequence()),
        stream: found.stream.map(|stream| stream.to_string()),
        what: found.fault.to_string(),
    }
}

/// Verifies the journals of a folder, a backup or an archive over all processors.
pub(super) fn examine_shown(
    journals: &Journals,
    ring: &KeyRing,
) -> Result<ExaminedFolder, VerifyError> {
    let bar = progress("verify", 1);
    let read = Mutex::new(BTreeMap::new());
    let examined = examine_folder(
        journals,
        ring,
        &Processors::default(),
        &|stream, reached, total| {
            let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
            read.insert(stream.clone(), (reached, total));
            let sum = |part: fn(&(u64, u64)) -> u64| read.values().map(part).sum();
            bar.set_length(sum(|(_, total)| *total));
            bar.set_position(sum(|(reached, _)| *reached));
        },
    );
    bar.finish_and_clear();
    examined
}

/// The keys that are believed; none where a folder has lost them.
fn ring(journals: &Journals, trust: &Trust) -> Result<Option<KeyRing>, Failure> {
    match (&journals.ring, trust) {
        (Some(ring), _) => Ok(Some(ring.clone())),
        (None, Trust::Key(key)) => Ok(Some(KeyRing::new(PublicKey::clone(key)))),
        (None, _) if journals.is_folder => Ok(None),
        (None, _) => Err(Failure::input(
            "there are no public keys beside it: give the house's with --key FILE",
        )),
    }
}

fn counts(stream: &StreamId, report: &Report) -> StreamOutcome {
    StreamOutcome {
        stream: stream.to_string(),
        records: report.records,
        blocks: report.blocks,
        checkpoints: report.checkpoints,
        signed_to: report.signed_to,
        chained_not_signed: report.tail.sequence.saturating_sub(report.signed_to),
        records_after_checkpoint: report.tail.sequence.saturating_sub(report.checkpointed_to),
        ..StreamOutcome::default()
    }
}

fn whole(stream: &StreamId, verified: &Verified) -> StreamOutcome {
    let table = &verified.table;
    StreamOutcome {
        rounds: Some(verified.rounds),
        earlier_rules: Some(verified.earlier_rules),
        last_round: verified.last_round.map(|(round, code)| LastRound {
            round,
            code: code.to_string(),
        }),
        tumbles_proved: Some(verified.tumbles_proved),
        currency: table
            .config
            .as_ref()
            .map(|config| config.currency.code().to_owned()),
        balances: balances(table),
        time_ran_back: TimeRanBack::of(verified.ran_back),
        ..counts(stream, &verified.report)
    }
}

fn of_house(stream: &StreamId, verified: &VerifiedHouse) -> StreamOutcome {
    StreamOutcome {
        people: Some(verified.register.people.len()),
        enrolled: Some(verified.register.enrolments.len()),
        time_ran_back: TimeRanBack::of(verified.ran_back),
        ..counts(stream, &verified.report)
    }
}

fn vouchers(compared: &Compared) -> VouchersOutcome {
    let amount = |(currency, owed): &(Currency, Money)| Balance {
        account: currency.code().to_owned(),
        amount: currency.format(*owed),
    };
    VouchersOutcome {
        compared: compared.vouchers,
        in_transit: compared.in_transit.iter().map(|id| id.0).collect(),
        outstanding: compared.outstanding.iter().map(amount).collect(),
    }
}

/// Every account that holds something.
fn balances(table: &Table) -> Vec<Balance> {
    let Some(config) = &table.config else {
        return Vec::new();
    };
    let empty = Table::default();
    let named = |account: sicbo_table::books::Account| {
        use sicbo_table::books::Account;
        let station = match account {
            Account::Credit(id) | Account::AtRisk(id) => table.stations.get(id.0 as usize),
            _ => None,
        };
        station.map_or_else(
            || account.key().to_owned(),
            |station| format!("{} {}", account.key(), station.name),
        )
    };
    table
        .movements(&empty)
        .into_iter()
        .map(|(account, amount)| Balance {
            account: named(account),
            amount: config.currency.format(amount),
        })
        .collect()
}

fn bundle_fault(fault: &BundleFault) -> FaultOutcome {
    FaultOutcome::at(fault.sequence, fault)
}

fn case_outcome(proved: &ProvedCase) -> CaseOutcome {
    let new = &proved.case.new;
    CaseOutcome {
        case: proved.number,
        kind: new.kind.word(),
        table: new.table.to_string(),
        round: new.round.map(|round| round.0),
        opened: sicbo_proof::text::time(proved.case.opened_ms),
        state: proved.case.standing().word(),
        records: proved.records,
        checkpoints: proved.checkpoints,
    }
}

fn bundle_outcome(proved: &Proved) -> BundleOutcome {
    use sicbo_proof::describe::hex;
    let (setting, round) = (&proved.story.setting, &proved.round);
    BundleOutcome {
        stream: round.stream.to_string(),
        round: round.round,
        code: proved.story.code.map(|code| code.to_string()),
        station: round.station.clone(),
        records: round.records,
        headers: round.headers,
        checkpoints: round.checkpoints,
        program_sha256: hex(&setting.digests.program),
        rulebook: setting.book.clone(),
        rulebook_sha256: hex(&setting.digests.book),
        config_sha256: hex(&setting.digests.config),
        cannot_prove: proved.story.remarks.clone(),
    }
}
