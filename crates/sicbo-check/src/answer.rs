//! A question and its answer as JSON: what a page asks of a receipt, and what
//! the receipt proves or the reason why not. The same bytes in give the same
//! bytes out, natively and as WebAssembly.

use serde::{Deserialize, Serialize};
use sicbo_table::record::Standing;

use crate::Trust;
use crate::bundle::{BundleError, BundleFault, ProvedRound};
use crate::paid::{PaidLine, PaidStation};
use crate::receipt::Receipt;
use crate::slip::{Slip, SlipFacts};

/// What the receipt must be of. What is left out is not compared.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The fingerprint of the house, or its beginning.
    pub house: Option<String>,
    /// The table's stream.
    pub table: Option<String>,
    /// The round.
    pub round: Option<u64>,
    /// The station.
    pub station: Option<String>,
    /// The verification code, as printed on the card.
    pub code: Option<String>,
    /// The voucher; then it is of no round.
    pub voucher: Option<u64>,
}

/// What became of a question.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Everything in the receipt holds.
    Proved(Box<Proof>),
    /// Everything in the receipt of a voucher holds.
    Voucher(Box<SlipProof>),
    /// Something does not.
    Refused(Refused),
}

/// Why a receipt is not believed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Refused {
    /// What does not hold, as a stable word.
    pub reason: Reason,
    /// The same for whoever looks closer, in English.
    pub detail: String,
}

/// What does not hold, in the order in which it is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The question itself cannot be read.
    Question,
    /// The file is not a receipt.
    NotAReceipt,
    /// The file was made by a later release.
    NewerFormat,
    /// The file is cut off.
    Damaged,
    /// It is of another house, or its keys do not follow from each other.
    House,
    /// A signature of the house does not hold.
    Signature,
    /// The signed headers do not lead to each other.
    Chain,
    /// A record is not the one that was signed.
    Record,
    /// The records do not make a round.
    Records,
    /// It was made for nobody in particular.
    NoStation,
    /// It is of another table.
    Table,
    /// It is of another round.
    Round,
    /// It is of another station.
    Station,
    /// The verification code is another round's.
    Code,
    /// It is of another voucher.
    Voucher,
}

/// What the receipt of a voucher proves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SlipProof {
    /// The fingerprint of the house that signed.
    pub house: String,
    /// It is the fingerprint that was asked for.
    pub house_given: bool,
    /// What it says of the voucher.
    #[serde(flatten)]
    pub facts: SlipFacts,
}

/// How far the verification code was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CodeProof {
    /// Derived from the signed record that ended the round.
    Derived,
    /// Signed by the house for this round: the record itself has sums of other
    /// players too and is not shown.
    Signed,
}

/// What a receipt proves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Proof {
    /// The fingerprint of the house that signed.
    pub house: String,
    /// It is the fingerprint that was asked for.
    pub house_given: bool,
    /// The table's stream.
    pub table: String,
    /// Its name for people.
    pub name: String,
    /// The round.
    pub round: u64,
    /// The station.
    pub station: String,
    /// The rule book.
    pub book: String,
    /// The layout whose pay table settled it.
    pub layout: String,
    /// The currency and its decimals.
    pub currency: String,
    /// Decimals of the currency.
    pub decimals: u8,
    /// Played for money.
    pub real_money: bool,
    /// When the house signed, UTC milliseconds.
    pub signed_ms: i64,
    /// The dice it stands on now; none when it is void.
    pub dice: Option<[u8; 3]>,
    /// Amendments after it had ended.
    pub amended: u32,
    /// Bet by bet.
    pub lines: Vec<Line>,
    /// All stakes, in minor units.
    pub staked: i64,
    /// All that came back.
    pub returned: i64,
    /// The verification code.
    pub code: String,
    /// How far it is proved.
    pub code_proof: CodeProof,
    /// Records shown, each proved.
    pub records: usize,
    /// Headers that lead to signatures.
    pub headers: usize,
    /// Signatures of the house over them.
    pub checkpoints: usize,
    /// What this receipt cannot prove, in English.
    pub remarks: Vec<String>,
}

/// One bet and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// E.g. `total:11`.
    pub section: String,
    /// In minor units.
    pub stake: i64,
    /// Odds in halves; none when the bet lost or the round is void.
    pub odds: Option<u16>,
    /// All that came back.
    pub returned: i64,
}

/// Answers a question: its JSON, a line feed, and the receipt's bytes. The
/// answer is JSON.
#[must_use]
pub fn to(input: &[u8]) -> Vec<u8> {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (question, receipt) = input.split_at(end.unwrap_or(input.len()));
    let answer = match serde_json::from_slice(question) {
        Ok(question) => answer(&question, receipt.get(1..).unwrap_or_default()),
        Err(error) => Answer::Refused(refused(Reason::Question, error)),
    };
    serde_json::to_vec(&answer).unwrap_or_default()
}

/// Checks a receipt against what it must be of.
#[must_use]
pub fn answer(question: &Question, receipt: &[u8]) -> Answer {
    let answer = match Slip::is_one(receipt) {
        true => prove_slip(question, receipt).map(|proof| Answer::Voucher(Box::new(proof))),
        false => prove(question, receipt).map(|proof| Answer::Proved(Box::new(proof))),
    };
    answer.unwrap_or_else(Answer::Refused)
}

fn trust(question: &Question) -> Result<Trust, Refused> {
    match &question.house {
        Some(text) => Trust::fingerprint(text).map_err(|error| refused(Reason::House, error)),
        None => Ok(Trust::Anyone),
    }
}

fn prove_slip(question: &Question, bytes: &[u8]) -> Result<SlipProof, Refused> {
    let trust = trust(question)?;
    let slip = Slip::from_bytes(bytes).map_err(unreadable)?;
    let (house, facts) = slip.check(&trust).map_err(|fault| faulty(&fault))?;
    if question.round.is_some() {
        return Err(refused(Reason::NotAReceipt, "it is of a voucher"));
    }
    let asked = question.voucher.map(|voucher| voucher.to_string());
    compare(
        Reason::Voucher,
        asked.as_deref(),
        &facts.voucher.to_string(),
    )?;
    Ok(SlipProof {
        house,
        house_given: trust.is_given(),
        facts,
    })
}

fn prove(question: &Question, receipt: &[u8]) -> Result<Proof, Refused> {
    let trust = trust(question)?;
    let receipt = Receipt::from_bytes(receipt).map_err(unreadable)?;
    if question.voucher.is_some() {
        return Err(refused(Reason::NotAReceipt, "it is of a round"));
    }
    let faulty = |fault: BundleFault| faulty(&fault);
    let proved = receipt.bundle.check(&trust).map_err(faulty)?;
    let ring = receipt.bundle.proof.ring().map_err(faulty)?;
    let signed = receipt.signed_code(&ring, &proved.stream).map_err(faulty)?;
    let station = proved.station.clone();
    let station = station.ok_or_else(|| refused(Reason::NoStation, "it is of the whole round"))?;
    compare(
        Reason::Table,
        question.table.as_deref(),
        proved.stream.as_str(),
    )?;
    let round = question.round.map(|round| round.to_string());
    compare(Reason::Round, round.as_deref(), &proved.round.to_string())?;
    compare(Reason::Station, question.station.as_deref(), &station)?;
    let derived = proved.code.map(|code| code.to_string());
    if let Some(derived) = &derived {
        compare(Reason::Code, Some(&signed), derived)?;
    }
    let asked = question.code.as_deref().map(plain_code);
    compare(Reason::Code, asked.as_deref(), &signed)?;
    let code_proof = match derived {
        Some(_) => CodeProof::Derived,
        None => CodeProof::Signed,
    };
    proof(&proved, station, (signed, code_proof), trust.is_given())
}

/// A code as people type it: spaces for dashes, capital letters.
fn plain_code(text: &str) -> String {
    let digits: Vec<char> = text
        .chars()
        .filter(|c| !matches!(c, '-' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let groups: Vec<String> = digits
        .chunks(4)
        .map(|group| group.iter().collect())
        .collect();
    groups.join("-")
}

fn compare(reason: Reason, asked: Option<&str>, found: &str) -> Result<(), Refused> {
    match asked {
        Some(asked) if asked != found => {
            Err(refused(reason, format!("it is of {found}, not of {asked}")))
        }
        _ => Ok(()),
    }
}

fn proof(
    proved: &ProvedRound,
    station: String,
    (code, code_proof): (String, CodeProof),
    house_given: bool,
) -> Result<Proof, Refused> {
    let ended = proved.lives.last();
    let life = ended.ok_or_else(|| refused(Reason::Records, "the round has not ended"))?;
    let own = |part: &&PaidStation| {
        let name = proved.names.get(part.record.station.0 as usize);
        name.is_some_and(|name| *name == station)
    };
    let part = life.stations.iter().find(own);
    let line = |line: &PaidLine| Line {
        section: line.section.to_string(),
        stake: line.stake.minor(),
        odds: line.odds_halves,
        returned: line.returned.minor(),
    };
    let config = &proved.config;
    Ok(Proof {
        house: proved.house.to_string(),
        house_given,
        table: proved.stream.to_string(),
        name: config.name.clone(),
        round: proved.round,
        book: config.book.id().to_owned(),
        layout: part.map_or_else(String::new, |part| part.layout.clone()),
        currency: config.currency.code().to_owned(),
        decimals: config.currency.decimals(),
        real_money: config.real_money,
        signed_ms: proved.signed_ms,
        dice: match life.standing {
            Standing::Settled(dice) => Some(dice.faces()),
            Standing::Void => None,
        },
        amended: life.revision,
        lines: part.map_or_else(Vec::new, |part| part.lines.iter().map(line).collect()),
        staked: part.map_or(0, |part| part.staked.minor()),
        returned: part.map_or(0, |part| part.returned.minor()),
        code,
        code_proof,
        station,
        records: proved.records,
        headers: proved.headers,
        checkpoints: proved.checkpoints,
        remarks: proved.remarks.clone(),
    })
}

fn refused(reason: Reason, detail: impl std::fmt::Display) -> Refused {
    Refused {
        reason,
        detail: detail.to_string(),
    }
}

fn unreadable(error: BundleError) -> Refused {
    match &error {
        BundleError::NotABundle => refused(Reason::NotAReceipt, error),
        BundleError::NewerFormat { .. } => refused(Reason::NewerFormat, error),
        BundleError::Damaged { .. } | BundleError::Digest => refused(Reason::Damaged, error),
        BundleError::Altered(fault) => faulty(fault),
    }
}

fn faulty(fault: &BundleFault) -> Refused {
    let begins = |start: &str| fault.part.starts_with(start);
    let reason = if begins("the house's public key") || begins("the hand-over") {
        Reason::House
    } else if begins("the checkpoint") || begins("the signed text") {
        Reason::Signature
    } else if begins("the headers") {
        Reason::Chain
    } else if fault.sequence.is_some() {
        Reason::Record
    } else {
        Reason::Records
    };
    refused(reason, fault)
}
