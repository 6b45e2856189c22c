//! The security log: who came in, who was kept out, whose rights changed, what
//! was enrolled and what the house runs on, from the house's own stream.
//!
//! Read only, in bounded pages, and line by line for a feed. A line is made of
//! what a record says and holds no secret: digests are told by fingerprints.

use serde::Serialize;
use sicbo_journal::Store;
use sicbo_register::command::Party;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::{Event, Fact, Register, codec};

use sicbo_proof::csv;
use sicbo_proof::describe::RegisterDescriber;
use sicbo_proof::history::HistoryError;

use crate::events::EventField;

/// Most lines of a page.
pub const MAX_LINES: usize = 500;
/// Most records looked through for one.
const MAX_LOOKED_AT: u64 = 100_000;
/// Records looked through together where the newest come first.
const WINDOW: u64 = 2_000;

sicbo_rules::worded! {
    /// How much a line matters, as RFC 5424 grades it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Severity: word, ALL {
        /// 1: somebody must act.
        Alert = "alert",
        /// 4: it should be looked at.
        Warning = "warning",
        /// 5: it changes what somebody may do.
        Notice = "notice",
        /// 6: it happened.
        Info = "info",
    }
}

impl Severity {
    /// The number that RFC 5424 gives it.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Severity::Alert => 1,
            Severity::Warning => 4,
            Severity::Notice => 5,
            Severity::Info => 6,
        }
    }
}

/// A line of the security log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SecurityLine {
    /// The record of the house's stream; none while it is only fed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub sequence: Option<u64>,
    /// When; of a note with a count, the last time.
    pub at_ms: i64,
    /// A stable word: `logged-in`, `log-in-failed`, `refused`, `enrolled`.
    pub event: String,
    /// `alert`, `warning`, `notice` or `info`.
    pub severity: String,
    /// Who, in words.
    pub by: String,
    /// The person, by their number, where it was one.
    pub person: Option<u32>,
    /// The address it came from.
    pub address: Option<String>,
    /// How often the like was seen.
    pub count: u32,
    /// The first time.
    pub first_ms: i64,
    /// What else the record says.
    pub fields: Vec<EventField>,
}

/// A page of the security log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SecurityPage {
    /// The newest first.
    pub lines: Vec<SecurityLine>,
    /// Ask again with this as `before`; null when everything was looked at.
    pub next: Option<u64>,
    /// The last record there was.
    pub last: u64,
}

/// Which lines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SecurityQuery {
    /// Those before this record; 0 for all there are.
    pub before: u64,
    /// At most so many records' lines.
    pub limit: usize,
    /// Of these events; of any when there is none.
    pub events: Vec<String>,
    /// At least so grave.
    pub severity: Option<Severity>,
    /// By this person.
    pub person: Option<u32>,
    /// From this address.
    pub address: Option<String>,
    /// Not before this time.
    pub from_ms: Option<i64>,
    /// Not after this time.
    pub to_ms: Option<i64>,
}

impl SecurityQuery {
    fn wants(&self, line: &SecurityLine) -> bool {
        let grave = |least: Severity| {
            let mut all = Severity::ALL.iter();
            all.find(|one| one.word() == line.severity)
                .is_some_and(|one| *one <= least)
        };
        (self.events.is_empty() || self.events.contains(&line.event))
            && self.severity.is_none_or(grave)
            && self.person.is_none_or(|person| line.person == Some(person))
            && (self.address.is_none() || self.address == line.address)
            && self.from_ms.is_none_or(|from| line.at_ms >= from)
            && self.to_ms.is_none_or(|to| line.first_ms <= to)
    }
}

/// How grave a fact is; nothing for one that is no matter of security.
fn severity(fact: &Fact) -> Option<Severity> {
    Some(match fact {
        Fact::LockedOut { .. } | Fact::RedemptionLocked { .. } | Fact::ClockParted { .. } => {
            Severity::Warning
        }
        Fact::WentOnAfterRollback { .. } => Severity::Alert,
        Fact::LogInFailed { .. } | Fact::TryFailed { .. } | Fact::RedemptionRefused { .. } => {
            Severity::Warning
        }
        Fact::LoggedIn { .. } | Fact::LoggedOut { .. } => Severity::Info,
        Fact::HouseSetUp { .. }
        | Fact::TermsChanged { .. }
        | Fact::PositionsNamed { .. }
        | Fact::HouseIdentified { .. }
        | Fact::PersonAdded { .. }
        | Fact::PositionChanged { .. }
        | Fact::PinReset { .. }
        | Fact::PinChanged { .. }
        | Fact::PersonDisabled { .. }
        | Fact::PersonEnabled { .. }
        | Fact::LockLifted { .. }
        | Fact::LogInWitnessed { .. }
        | Fact::Assigned { .. }
        | Fact::DutiesSet { .. }
        | Fact::FirstPinsLimited { .. }
        | Fact::SecondFactorSet { .. }
        | Fact::PinExpired { .. }
        | Fact::AccountExpired { .. }
        | Fact::Enrolled { .. }
        | Fact::Revoked { .. }
        | Fact::TableRestarted { .. }
        | Fact::ClockSet { .. }
        | Fact::SecurityNoted { .. } => Severity::Notice,
        _ => return None,
    })
}

/// Whether a fact is a matter of security.
#[must_use]
pub fn is_of_security(fact: &Fact) -> bool {
    severity(fact).is_some()
}

/// How grave a note is.
fn severity_of(note: &SecurityNote) -> Severity {
    match note.kind {
        SecurityKind::SelfCheckFailed | SecurityKind::AppUnknown => Severity::Alert,
        SecurityKind::LogInFailed
        | SecurityKind::Refused
        | SecurityKind::NotKnown
        | SecurityKind::TooMany
        | SecurityKind::CardNotProved => match note.count {
            10.. => Severity::Alert,
            _ => Severity::Warning,
        },
        SecurityKind::RemoteAccess
        | SecurityKind::Started
        | SecurityKind::Reloaded
        | SecurityKind::Attested => Severity::Notice,
        SecurityKind::LogIn => Severity::Info,
    }
}

/// The lines that an event makes, none for one that is no matter of security.
#[must_use]
pub fn lines(names: &Register, sequence: Option<u64>, event: &Event) -> Vec<SecurityLine> {
    let Some(severity) = severity(&event.fact) else {
        return Vec::new();
    };
    let tell = RegisterDescriber::new(names);
    if let Fact::SecurityNoted { notes } = &event.fact {
        let line = |note: &SecurityNote| {
            let who = note.person.map(Party::Person);
            let who = who.or_else(|| note.place.map(Party::Place));
            SecurityLine {
                sequence,
                at_ms: note.last_ms,
                event: note.kind.word().to_owned(),
                severity: severity_of(note).word().to_owned(),
                by: who.map_or_else(String::new, |who| tell.party(who)),
                person: note.person.map(|person| person.0),
                address: note.address.clone(),
                count: note.count,
                first_ms: note.first_ms,
                fields: vec![EventField {
                    name: "what".to_owned(),
                    text: note.what.clone(),
                }],
            }
        };
        return notes.iter().map(line).collect();
    }
    let (name, fields) = tell.fact(&event.fact);
    let person = match (&event.fact, event.by) {
        (Fact::LoggedIn { person, .. } | Fact::LoggedOut { person, .. }, _) => Some(*person),
        (Fact::LogInFailed { person, .. } | Fact::TryFailed { person, .. }, _) => *person,
        (_, Party::Person(person)) => Some(person),
        _ => None,
    };
    vec![SecurityLine {
        sequence,
        at_ms: event.at_ms,
        event: name.to_owned(),
        severity: severity.word().to_owned(),
        by: tell.party(event.by),
        person: person.map(|person| person.0),
        address: match &event.fact {
            Fact::TryFailed { from, .. } => Some(from.clone()),
            _ => None,
        },
        count: 1,
        first_ms: event.at_ms,
        fields: fields.into_iter().map(EventField::of).collect(),
    }]
}

/// A page of the log, the newest first.
///
/// # Errors
/// When the journal cannot be read.
pub fn page(
    store: &dyn Store,
    names: &Register,
    query: &SecurityQuery,
) -> Result<SecurityPage, HistoryError> {
    let last = store.tail().sequence;
    let limit = query.limit.clamp(1, MAX_LINES);
    let mut page = SecurityPage {
        lines: Vec::new(),
        next: None,
        last,
    };
    let mut end = match query.before {
        0 => last,
        before => last.min(before - 1),
    };
    let mut looked = 0;
    while end > 0 {
        let after = end.saturating_sub(WINDOW);
        let mut found = window(store, names, query, after, end)?;
        while let Some((sequence, lines)) = found.pop() {
            page.lines.extend(lines);
            if page.lines.len() >= limit {
                // A record's lines stay together.
                page.next = (sequence > 1).then_some(sequence);
                return Ok(page);
            }
        }
        looked += end - after;
        end = after;
        if looked >= MAX_LOOKED_AT && end > 0 {
            page.next = Some(end + 1);
            return Ok(page);
        }
    }
    Ok(page)
}

/// The lines of the records after one up to another, in order.
fn window(
    store: &dyn Store,
    names: &Register,
    query: &SecurityQuery,
    after: u64,
    end: u64,
) -> Result<Vec<(u64, Vec<SecurityLine>)>, HistoryError> {
    let mut found = Vec::new();
    for raw in store.read_from(after + 1) {
        let decoded = raw?.decode();
        let block = decoded.map_err(|error| HistoryError::damaged(after + 1, error))?;
        let within = |sequence: u64| sequence > after && sequence <= end;
        for record in block.records().filter(|record| within(record.sequence)) {
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| HistoryError::damaged(record.sequence, error))?;
            let mut lines = lines(names, Some(record.sequence), &event);
            lines.retain(|line| query.wants(line));
            if !lines.is_empty() {
                found.push((record.sequence, lines));
            }
        }
        if block.header().last_sequence >= end {
            break;
        }
    }
    Ok(found)
}

/// Lines as CSV, with a heading.
#[must_use]
pub fn to_csv(lines: &[SecurityLine]) -> String {
    let mut out = String::from("sequence,time_ms,event,severity,by,person,address,count,what\n");
    for line in lines {
        let number = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        let what: Vec<String> = line
            .fields
            .iter()
            .map(|field| format!("{} {}", field.name, field.text))
            .collect();
        let cells = [
            number(line.sequence),
            line.at_ms.to_string(),
            line.event.clone(),
            line.severity.clone(),
            line.by.clone(),
            number(line.person.map(u64::from)),
            line.address.clone().unwrap_or_default(),
            line.count.to_string(),
            what.join("; "),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| csv::cell(cell)).collect();
        out += &cells.join(",");
        out.push('\n');
    }
    out
}
