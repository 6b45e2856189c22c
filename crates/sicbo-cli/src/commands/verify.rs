//! `sicbo verify PATH`: is this journal or bundle what the house wrote, and is
//! every payment in it right?

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_journal::{KeyRing, PublicKey, Report, Store, StreamId};
use sicbo_proof::bundle::case::ProvedCase;
use sicbo_proof::bundle::{BundleError, BundleFault, Proved};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals, Source, SourceError};
use sicbo_proof::{
    Compared, RanBack, Trust, Verified, VerifiedHouse, cross_check, verify, verify_house,
};
use sicbo_rules::{Currency, Money};
use sicbo_table::Table;

use crate::failure::Failure;
use crate::journals::{TrustArgs, progress, world};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Reads only, takes no lock and may run beside the house. Exit code 1 when anything is wrong: the \
first bad record is named. Without --key or --fingerprint a journal is checked against the public \
keys that lie beside it, which proves that one house wrote it, not which.")]
pub(crate) struct Verify {
    /// A data folder, a journal file or a bundle
    path: PathBuf,
    #[command(flatten)]
    trust: TrustArgs,
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
    vouchers: Option<VouchersOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<CaseOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<BundleOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultOutcome>,
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

#[derive(Serialize)]
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
        let mut outcome = Outcome {
            house_given: trust.is_given(),
            ..Outcome::default()
        };
        let fault = match Source::open(&self.path) {
            Ok(Source::Journals(journals)) => check_journals(&journals, &trust, &mut outcome)?,
            Ok(Source::Bundle(bundle)) => match bundle.check(&trust) {
                Ok(proved) => {
                    outcome.house = Some(proved.house.to_string());
                    outcome.bundle = Some(bundle_outcome(&proved));
                    None
                }
                Err(fault) => Some(bundle_fault(&fault)),
            },
            Ok(Source::Case(case)) => match case.check(&trust) {
                Ok(proved) => {
                    outcome.house = Some(proved.house.to_string());
                    outcome.case = Some(case_outcome(&proved));
                    outcome.bundle = proved.round.as_deref().map(bundle_outcome);
                    None
                }
                Err(fault) => Some(bundle_fault(&fault)),
            },
            Err(error) => match found(&error) {
                Some(fault) => Some(fault),
                None => return Err(world(&error)),
            },
        };
        outcome.ok = fault.is_none();
        let practised = |stream: &str| stream.starts_with(sicbo_practice::TABLE_PREFIX);
        let bundled = outcome.bundle.as_ref().map(|bundle| bundle.stream.as_str());
        let streams = outcome.streams.iter().map(|known| known.stream.as_str());
        outcome.practice = streams.chain(bundled).any(practised);
        outcome.fault = fault;
        if out.is_json() {
            out.json(&outcome)?;
        } else {
            print(&outcome, out)?;
        }
        if outcome.ok {
            Ok(())
        } else {
            out.flush()?;
            Err(Failure::Faulty)
        }
    }
}

/// A bundle or a record that cannot be read is what was examined, and has a fault.
fn found(error: &SourceError) -> Option<FaultOutcome> {
    match error {
        SourceError::Open(error) => {
            source::damaged_record(error).map(|record| FaultOutcome::at(Some(record), error))
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

/// Verifies stream by stream; the first fault, if there is one.
fn check_journals(
    journals: &Journals,
    trust: &Trust,
    outcome: &mut Outcome,
) -> Result<Option<FaultOutcome>, Failure> {
    let ring = ring(journals, trust)?;
    outcome.house = Some(ring.house().to_string());
    if let Err(error) = trust.check(&ring) {
        return Ok(Some(FaultOutcome::at(None, format!("refused: {error}"))));
    }
    let mut tables = Vec::new();
    let mut house = None;
    // The house last: what a table did, it knew before.
    for (stream, path) in journals.tables_first() {
        let named = |record, what| FaultOutcome {
            stream: Some(stream.to_string()),
            record,
            what,
        };
        let store = match source::open(stream, path) {
            Ok(store) => store,
            Err(error) if source::damaged_record(&error).is_some() => {
                return Ok(Some(named(
                    source::damaged_record(&error),
                    error.to_string(),
                )));
            }
            Err(error) => return Err(world(&error)),
        };
        let bar = progress(stream.as_str(), store.tail().sequence);
        let mut reach = |sequence| bar.set_position(sequence);
        let checked = if stream.as_str() == HOUSE_STREAM {
            verify_house(&store, stream, &ring, &mut reach).map(|verified| {
                let done = of_house(stream, &verified);
                house = Some(verified);
                done
            })
        } else {
            verify(&store, stream, &ring, &mut reach).map(|verified| {
                let done = whole(stream, &verified);
                tables.push((stream.clone(), verified));
                done
            })
        };
        bar.finish_and_clear();
        match checked {
            Ok(done) => outcome.streams.push(done),
            Err(error) if error.is_of_the_world() => return Err(world(&error)),
            Err(error) => return Ok(Some(named(error.sequence(), error.to_string()))),
        }
    }
    // One journal alone has nothing to be compared with.
    if let Some(house) = house.filter(|_| journals.is_folder) {
        match cross_check(&house, &tables) {
            Ok(compared) => outcome.vouchers = Some(vouchers(&compared)),
            Err(error) => return Ok(Some(FaultOutcome::at(None, error))),
        }
    }
    Ok(None)
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
        chained_not_signed: report.tail.sequence - report.signed_to,
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
    let setting = &proved.story.setting;
    BundleOutcome {
        stream: proved.stream.to_string(),
        round: proved.round,
        code: proved.story.code.map(|code| code.to_string()),
        station: proved.station.clone(),
        records: proved.records,
        headers: proved.headers,
        checkpoints: proved.checkpoints,
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
                "  signed to record {}; the last {rest} records are chained, not signed yet: \
                 their loss could not be noticed",
                stream.signed_to
            ),
        })?;
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
    match &outcome.fault {
        None if outcome.streams.is_empty()
            && outcome.bundle.is_none()
            && outcome.case.is_none() =>
        {
            out.line("nothing to verify: there is no stream yet")
        }
        None => out.line("verified: chain, signatures, payments and balances agree"),
        Some(fault) => {
            let stream = fault
                .stream
                .as_ref()
                .map_or_else(String::new, |stream| format!("{stream}, "));
            out.line(format!("NOT verified: {stream}{}", fault.what))
        }
    }
}
