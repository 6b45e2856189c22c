//! Gathers what the security log must know and folds what repeats.
//!
//! The first of its like is written at once, with who, where and what. More of
//! the same within a minute become one note with a count, and when too many
//! different things happen they are counted by kind alone: whoever wants to
//! fill the disk writes a few kilobytes a minute, and every event is counted.

use std::collections::BTreeMap;
use std::net::IpAddr;

use parking_lot::Mutex;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::security::{LONGEST_WHAT, MAX_NOTES, SecurityKind, SecurityNote};
use sicbo_table::ids::PersonId;

use crate::allowance::Allowance;

/// Events of one sort within this time are one note.
pub const FOLD_MS: i64 = 60_000;
/// Sorts of events that are told apart at a time.
const MAX_SORTS: usize = 512;
/// What is said of events that are only counted.
const OTHERS: &str = "others, counted by kind alone";
/// Alarms that are kept for those who look.
const MAX_ALARMS: usize = 64;
/// So many failures or refusals of one sort in a note are an alarm.
const ALARMING: u32 = 10;

/// An event, as it is seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seen {
    /// Of what kind.
    pub kind: SecurityKind,
    /// Who, where they are logged in.
    pub person: Option<PersonId>,
    /// The enrolled place.
    pub place: Option<EnrolmentId>,
    /// Where it came from.
    pub address: Option<IpAddr>,
    /// What was asked for, or found. Never a secret, nor what somebody typed.
    pub what: String,
}

impl Seen {
    /// An event of the house itself.
    #[must_use]
    pub fn of(kind: SecurityKind, what: impl Into<String>) -> Seen {
        Seen {
            kind,
            person: None,
            place: None,
            address: None,
            what: what.into(),
        }
    }

    fn note(self, (count, first_ms, last_ms): (u32, i64, i64)) -> SecurityNote {
        let mut what = self.what;
        let mut ends = (0..=LONGEST_WHAT.min(what.len())).rev();
        let end = ends.find(|at| what.is_char_boundary(*at));
        what.truncate(end.unwrap_or(0));
        SecurityNote {
            kind: self.kind,
            person: self.person,
            place: self.place,
            address: self.address.map(|at| at.to_canonical().to_string()),
            what,
            count,
            first_ms,
            last_ms,
        }
    }
}

/// What was seen of a sort and is not written yet.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u32,
    first_ms: i64,
    last_ms: i64,
    /// Not written before then.
    due_ms: i64,
}

impl Tally {
    fn add(&mut self, count: u32, first_ms: i64, last_ms: i64) {
        if self.count == 0 {
            self.first_ms = first_ms;
        }
        self.first_ms = self.first_ms.min(first_ms);
        self.last_ms = self.last_ms.max(last_ms).max(self.first_ms);
        self.count = self.count.saturating_add(count);
    }
}

/// The security log's ear.
pub struct Watch(Mutex<Folded>);

struct Folded {
    sorts: BTreeMap<Seen, Tally>,
    /// Notes that may still be written one by one.
    left: Allowance,
    alarms: Vec<SecurityNote>,
}

/// Whether a note is an alarm.
#[must_use]
pub fn is_alarm(note: &SecurityNote) -> bool {
    match note.kind {
        SecurityKind::SelfCheckFailed | SecurityKind::AppUnknown => true,
        SecurityKind::LogInFailed
        | SecurityKind::Refused
        | SecurityKind::NotKnown
        | SecurityKind::CardNotProved
        | SecurityKind::TooMany => note.count >= ALARMING,
        _ => false,
    }
}

impl Watch {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(now_ms: i64) -> Watch {
        Watch(Mutex::new(Folded {
            sorts: BTreeMap::new(),
            left: Allowance::of_security_notes(now_ms),
            alarms: Vec::new(),
        }))
    }

    /// Something was seen.
    pub fn see(&self, seen: Seen, now_ms: i64) {
        let mut folded = self.0.lock();
        let full = folded.sorts.len() >= MAX_SORTS && !folded.sorts.contains_key(&seen);
        let sort = match full {
            true => Seen::of(seen.kind, OTHERS),
            false => seen,
        };
        folded.sorts.entry(sort).or_default().add(1, now_ms, now_ms);
    }

    /// What is to be written now, at most what one record holds. `steady_ms`
    /// is of a clock that nobody sets.
    pub fn take(&self, steady_ms: i64) -> Vec<SecurityNote> {
        let mut folded = self.0.lock();
        let folded = &mut *folded;
        // What was written and has not come again is forgotten.
        folded
            .sorts
            .retain(|_, tally| tally.count > 0 || steady_ms < tally.due_ms);
        let due: Vec<Seen> = folded
            .sorts
            .iter()
            .filter(|(_, tally)| tally.count > 0 && tally.due_ms <= steady_ms)
            .map(|(sort, _)| sort.clone())
            .take(MAX_NOTES)
            .collect();
        let mut notes = Vec::new();
        for sort in due {
            let Some(tally) = folded.sorts.get_mut(&sort) else {
                continue;
            };
            let seen = (tally.count, tally.first_ms, tally.last_ms);
            tally.count = 0;
            tally.due_ms = steady_ms.saturating_add(FOLD_MS);
            if sort.what != OTHERS && !folded.left.take(steady_ms) {
                let others = Seen::of(sort.kind, OTHERS);
                let (count, first_ms, last_ms) = seen;
                let tally = folded.sorts.entry(others).or_default();
                tally.add(count, first_ms, last_ms);
                continue;
            }
            notes.push(sort.note(seen));
        }
        let alarms = notes.iter().filter(|note| is_alarm(note)).cloned();
        folded.alarms.extend(alarms);
        let over = folded.alarms.len().saturating_sub(MAX_ALARMS);
        folded.alarms.drain(..over);
        notes
    }

    /// What could not be written is written later.
    pub fn give_back(&self, notes: Vec<SecurityNote>) {
        let mut folded = self.0.lock();
        for note in notes {
            let sort = Seen {
                kind: note.kind,
                person: note.person,
                place: note.place,
                address: note.address.and_then(|address| address.parse().ok()),
                what: note.what,
            };
            let tally = folded.sorts.entry(sort).or_default();
            tally.add(note.count, note.first_ms, note.last_ms);
        }
    }

    /// The newest alarms since the house started, the newest last.
    #[must_use]
    pub fn alarms(&self) -> Vec<SecurityNote> {
        self.0.lock().alarms.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(from: u8) -> Seen {
        Seen {
            address: Some(IpAddr::from([192, 0, 2, from])),
            ..Seen::of(SecurityKind::LogInFailed, "POST /api/session")
        }
    }

    #[test]
    fn the_first_is_written_at_once_and_its_like_is_folded_for_a_minute() {
        let watch = Watch::new(0);
        for at in 0..1_000 {
            watch.see(failed(1), at);
        }
        watch.see(failed(2), 5);
        let notes = watch.take(10);
        let counts: Vec<(u32, &str)> = notes
            .iter()
            .map(|note| (note.count, note.address.as_deref().unwrap_or("")))
            .collect();
        assert_eq!(counts, [(1_000, "192.0.2.1"), (1, "192.0.2.2")]);
        assert_eq!((notes[0].first_ms, notes[0].last_ms), (0, 999));
        watch.see(failed(1), 2_000);
        watch.see(failed(1), 3_000);
        assert_eq!(watch.take(10 + FOLD_MS - 1), []);
        let notes = watch.take(10 + FOLD_MS);
        assert_eq!((notes.len(), notes[0].count), (1, 2));
        assert_eq!((notes[0].first_ms, notes[0].last_ms), (2_000, 3_000));
        // Ten of a sort are an alarm; who looks sees it.
        let alarms = watch.alarms();
        assert_eq!((alarms.len(), alarms[0].count), (1, 1_000));
    }

    #[test]
    fn an_attacker_fills_no_disk_and_nothing_goes_uncounted() {
        let watch = Watch::new(0);
        let (mut notes, mut counted, mut seen) = (0, 0, 0);
        // An hour of attempts that are all different.
        for second in 0..3_600 {
            for at in 0..50_u32 {
                let what = format!("GET /api/{second}/{at}");
                watch.see(Seen::of(SecurityKind::Refused, what), second * 1_000);
                seen += 1;
            }
            let taken = watch.take(second * 1_000);
            assert!(taken.len() <= MAX_NOTES);
            notes += taken.len();
            counted += taken.iter().map(|note| u64::from(note.count)).sum::<u64>();
        }
        for at in 0..100 {
            let taken = watch.take((3_700 + at) * 1_000);
            counted += taken.iter().map(|note| u64::from(note.count)).sum::<u64>();
        }
        assert_eq!(counted, seen, "nothing goes uncounted");
        assert!(notes < 1_400, "{notes} notes in an hour");
    }

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let watch = Watch::new(0);
        watch.see(failed(1), 7);
        let notes = watch.take(10);
        watch.give_back(notes.clone());
        assert_eq!(watch.take(11), []);
        assert_eq!(watch.take(10 + FOLD_MS), notes);
    }

    #[test]
    fn a_text_is_cut_between_letters() {
        let long = "á".repeat(LONGEST_WHAT);
        let note = Seen::of(SecurityKind::Started, long).note((1, 2, 3));
        assert!(note.is_sound() && note.what.len() >= LONGEST_WHAT - 1);
    }
}
