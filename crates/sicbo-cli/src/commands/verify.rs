//! `sicbo verify PATH`: is this journal or bundle what the house wrote, and is
//! every payment in it right?

mod tree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use serde::Serialize;
use sicbo_journal::{FolderError, KeyFolderError, KeyRing, OpenError, PublicKey, Report, StreamId};
use sicbo_proof::bundle::case::ProvedCase;
use sicbo_proof::bundle::{self, BundleError, BundleFault, Proved};
use sicbo_proof::source::{self, Journals, Source, SourceError};
use sicbo_proof::{
    Compared, ExaminedFolder, RanBack, StreamFault, Trust, Verified, VerifiedHouse, VerifyError,
    examine_folder,
};
use sicbo_rules::{Currency, Money};
use sicbo_runner::Processors;
use sicbo_table::Table;

use super::restore::{opened_backup, opened_path};
use crate::failure::Failure;
use crate::journals::{TrustArgs, progress, world};
use crate::output::Output;

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

impl StreamOutcome {
    /// A house signs a checkpoint within a minute of its first record.
    fn lacks_checkpoints(&self) -> bool {
        self.records > 0 && self.checkpoints == 0
    }
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
        let opened = opened.transpose()?;
        let path = opened.as_ref().map_or(self.path.clone(), opened_path);
        let mut outcome = Outcome {
            house_given: trust.is_given(),
            ..Outcome::default()
        };
        let faults = match Source::open(&path) {
            Ok(Source::Journals(journals)) => {
                self.check_journals(&path, &journals, &trust, &mut outcome)?
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
        outcome.ok = faults.is_empty();
        outcome.signed = outcome.ok
            && outcome
                .streams
                .iter()
                .all(|one| one.chained_not_signed == 0 && !one.lacks_checkpoints());
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
        SourceError::Keys(
            error @ (KeyFolderError::Malformed { .. }
            | KeyFolderError::Mismatch { .. }
            | KeyFolderError::HandOver(_)),
        ) => Some(FaultOutcome::at(None, error)),
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

impl Verify {
    /// Verifies the journals, and of a folder its tree.
    fn check_journals(
        &self,
        path: &Path,
        journals: &Journals,
        trust: &Trust,
        outcome: &mut Outcome,
    ) -> Result<Vec<FaultOutcome>, Failure> {
        let mut faults = check_journals(journals, trust, outcome)?;
        if journals.is_folder {
            let ring = ring(journals, trust)?;
            let (tree, found) = self.witness.look(path, &ring)?;
            outcome.tree_missing = tree.is_none() && found.is_empty() && outcome.house_signs;
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
    trust: &Trust,
    outcome: &mut Outcome,
) -> Result<Vec<FaultOutcome>, Failure> {
    let ring = ring(journals, trust)?;
    outcome.house = Some(ring.house().to_string());
    if let Err(error) = trust.check(&ring) {
        return Ok(vec![FaultOutcome::at(None, format!("refused: {error}"))]);
    }
    let examined = examine_shown(journals, &ring).map_err(|error| world(&error))?;
    let tables = examined.tables.iter();
    outcome.streams = tables.map(|(stream, table)| whole(stream, table)).collect();
    let house = examined.house.iter();
    let mut signs = house.clone();
    outcome.house_signs = signs.any(|(_, house)| house.report.sealed_blocks > 0);
    let house = house.map(|(stream, house)| of_house(stream, house));
    outcome.streams.extend(house);
    outcome.vouchers = examined.compared.as_ref().map(vouchers);
    let told = |found: StreamFault| FaultOutcome {
        record: found.stream.as_ref().and(found.fault.sequence()),
        stream: found.stream.map(|stream| stream.to_string()),
        what: found.fault.to_string(),
    };
    Ok(examined.faults.into_iter().map(told).collect())
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

fn ring(journals: &Journals, trust: &Trust) -> Result<KeyRing, Failure> {
    match (&journals.ring, trust) {
        (Some(ring), _) => Ok(ring.clone()),
        (None, Trust::Key(key)) => Ok(KeyRing::new(PublicKey::clone(key))),
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

fn print(outcome: &Outcome, out: &mut Output) -> Result<(), Failure> {
    if outcome.practice {
        out.line("PRACTICE: nothing here was played in a house, and no money with it")?;
    }
    if let Some(house) = &outcome.house {
        let given = if outcome.house_given {
            "as given"
        } else {
            "not compared: give --fingerprint or --key"
        };
        out.line(format!("house   {house} ({given})"))?;
    }
    for stream in &outcome.streams {
        out.line(format!(
            "{}: {} records in {} blocks, {} checkpoints{}",
            stream.stream,
            stream.records,
            stream.blocks,
            stream.checkpoints,
            stream
                .rounds
                .map_or_else(String::new, |rounds| format!(", {rounds} rounds ended")),
        ))?;
        if let Some(earlier) = stream.earlier_rules.filter(|earlier| *earlier > 0) {
            out.line(format!(
                "  {earlier} rounds were played under an earlier reading of the rules and are not \
                 held to today's"
            ))?;
        }
        out.line(match stream.chained_not_signed {
            0 => format!("  signed to the last record, {}", stream.signed_to),
            rest => format!(
                "  signed to record {}; the last {rest} records are chained and NOT SIGNED: \
                 anybody who can write the file could have put them there",
                stream.signed_to
            ),
        })?;
        if stream.lacks_checkpoints() {
            out.line(
                "  NO CHECKPOINT: a house signs one within a minute and when it is stopped; unless \
                 it has only begun they were removed, and no round of it can be bundled",
            )?;
        }
        if let Some(ran_back) = &stream.time_ran_back {
            out.line(format!(
                "  TIME RAN BACK {} times, first by {}.{:03} s at record {}, although no clock was \
                 set on record",
                ran_back.times,
                ran_back.by_ms / 1_000,
                ran_back.by_ms % 1_000,
                ran_back.first_record
            ))?;
        }
        if let Some(proved) = stream.tumbles_proved.filter(|proved| *proved > 0) {
            out.line(format!(
                "  {proved} tumbles proved by a seed committed to before the bets"
            ))?;
        }
        if let Some(last) = &stream.last_round {
            out.line(format!("  last round {}, code {}", last.round, last.code))?;
        }
        if let (Some(people), Some(enrolled)) = (stream.people, stream.enrolled) {
            out.line(format!("  {people} people, {enrolled} enrolled"))?;
        }
        for balance in &stream.balances {
            out.line(format!("  {:<28} {:>18}", balance.account, balance.amount))?;
        }
    }
    if let Some(tree) = &outcome.tree {
        tree.print(out)?;
    }
    if outcome.tree_missing && !outcome.practice {
        out.line(
            "tree: NONE (tree/tree.sqlite is missing): an archive has none; in a house it was \
             lost, and a rollback of all journals together could not be noticed by it",
        )?;
    }
    if let Some(vouchers) = &outcome.vouchers {
        out.line(format!(
            "vouchers: {} compared between the house and its tables, {} in transit",
            vouchers.compared,
            vouchers.in_transit.len()
        ))?;
        for owed in &vouchers.outstanding {
            out.line(format!(
                "  outstanding {:<16} {:>18}",
                owed.account, owed.amount
            ))?;
        }
    }
    if let Some(case) = &outcome.case {
        out.line(format!(
            "case {} ({}) at {}, opened {}, {}: {} records, {} checkpoints",
            case.case,
            case.kind,
            case.table,
            case.opened,
            case.state,
            case.records,
            case.checkpoints
        ))?;
        if outcome.bundle.is_none() {
            out.line("note: it holds no round that had ended")?;
        }
        out.line("note: its records are those the house had made when the file was made")?;
    }
    if let Some(bundle) = &outcome.bundle {
        let station = bundle
            .station
            .as_ref()
            .map_or_else(String::new, |name| format!(", for station {name}"));
        out.line(format!(
            "round {} of {}{station}: {} records, {} headers, {} checkpoints",
            bundle.round, bundle.stream, bundle.records, bundle.headers, bundle.checkpoints
        ))?;
        if let Some(code) = &bundle.code {
            out.line(format!("code          {code}"))?;
        }
        out.line(format!("program       sha256 {}", bundle.program_sha256))?;
        out.line(format!(
            "rule book     sha256 {} ({})",
            bundle.rulebook_sha256, bundle.rulebook
        ))?;
        out.line(format!("configuration sha256 {}", bundle.config_sha256))?;
        for remark in &bundle.cannot_prove {
            out.line(format!("note: {remark}"))?;
        }
    }
    for fault in &outcome.faults {
        let stream = fault
            .stream
            .as_ref()
            .map_or_else(String::new, |stream| format!("{stream}, "));
        out.line(format!("NOT verified: {stream}{}", fault.what))?;
    }
    let short = outcome.tree.as_ref().is_some_and(TreeOutcome::is_short);
    match outcome.faults.len() {
        0 if outcome.signed && !short => {
            out.line("verified: chain, signatures, payments and balances agree")
        }
        0 => out.line("verified, but not signed or cosigned to the end: see above which records"),
        1 => Ok(()),
        many => out.line(format!("{many} faults")),
    }
}
