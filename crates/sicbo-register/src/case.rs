//! Cases: what a player disputes, what happened at a table, what is suspected.
//!
//! A case is its opening and the steps after it, each with who and when; how it
//! stands follows from them and is never written. The ladder of the table's
//! rule book is copied into the opening, so that a later edition of the book
//! changes no old case: quang-nam-table 8, and for Singapore P-070.

use serde::{Deserialize, Serialize};
use sicbo_rules::Money;
use sicbo_rules::rulebook::RuleBook;
use sicbo_rules::rulebook::words::{Matter, Position, Substitution};
use sicbo_table::ids::{BetId, PersonId, RoundNumber, SessionNumber, StationId};
use ts_rs::TS;
use utoipa::ToSchema;

use super::command::Party;
use super::enrolment::TableName;

/// Steps one case may have; the last are kept for what must still be done.
pub const MAX_STEPS: usize = 200;
/// Notes and bookmarks are taken up to this many steps.
pub const MAX_NOTED: usize = 160;
/// Cases that may be open in a house.
pub const MAX_OPEN: usize = 2_000;
/// Disputes that one station may have open.
pub const MAX_OPEN_PER_STATION: usize = 3;
/// Closed cases at hand; older ones are in the journal.
pub const CLOSED_AT_HAND: usize = 1_000;
/// Somebody takes a case within this time; then it is overdue.
pub const TAKEN_WITHIN_MS: i64 = 10 * 60_000;
/// The longest time that may be promised.
pub const LONGEST_PROMISE_MS: i64 = 30 * DAY_MS;

const DAY_MS: i64 = 86_400_000;

/// Number of a case, from 1 for as long as the house exists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CaseId(pub u64);

sicbo_rules::worded! {
    /// What a case is about.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "CaseKind")]
    #[schema(as = CaseKind)]
    pub enum Kind: word, ALL {
        /// A player does not accept something.
        Dispute = "dispute",
        /// Something happened at the table.
        Incident = "incident",
        /// Cash or chips may be forged.
        Counterfeit = "counterfeit",
        /// Betting that should be looked at (P-034).
        UnusualBetting = "unusual_betting",
    }
}

sicbo_rules::worded! {
    /// What a player says is wrong.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "GrievanceName")]
    #[schema(as = GrievanceName)]
    pub enum Grievance: word, ALL {
        /// A winning bet was not paid.
        NotPaid = "not_paid",
        /// It was paid too little.
        PaidTooLittle = "paid_too_little",
        /// A bet was not taken.
        BetNotTaken = "bet_not_taken",
        /// The result is not what the dice showed.
        WrongResult = "wrong_result",
        /// Betting closed too early or too late.
        Close = "close",
        /// Credit or a voucher is not right.
        Credit = "credit",
        /// Anything else.
        Other = "other",
        /// The round was declared void in error.
        VoidInError = "void_in_error",
    }
}

/// Who may act on a rung of the ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// The position the book names.
    pub position: Position,
    /// Anyone above it will do.
    pub or_above: bool,
}

impl Rung {
    /// Whether a position stands on it.
    #[must_use]
    pub fn fits(self, position: Position) -> bool {
        position == self.position || (self.or_above && position.is_at_least(self.position))
    }
}

/// How a rule book has disputes handled, as copied into a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ladder {
    /// The book.
    pub book: String,
    /// Who handles a dispute first.
    pub first: Rung,
    /// Who takes over what was not solved.
    pub escalated: Rung,
    /// How many bases the book lists, of which a decision names one at least;
    /// zero where it lists none.
    pub bases: u8,
    /// Days in which the player may ask the authority for an investigation,
    /// where a law gives them; then an inspector is notified at once.
    pub authority_days: Option<u8>,
}

impl Ladder {
    /// The ladder of a book.
    #[must_use]
    pub fn of(book: &RuleBook) -> Ladder {
        let higher = book.authority.substitution.is == Substitution::ActingOrHigher;
        let rung = |matter: Matter| {
            let decision = book
                .decision(matter)
                .or_else(|| book.decision(Matter::Uncovered));
            decision.map_or(
                Rung {
                    position: Position::ShiftManager,
                    or_above: true,
                },
                |decision| Rung {
                    position: decision.by,
                    or_above: decision.or_above || higher,
                },
            )
        };
        Ladder {
            book: book.id().to_owned(),
            first: rung(Matter::DisputeFirst),
            escalated: rung(Matter::DisputeEscalated),
            bases: u8::try_from(book.disputes.bases.len()).unwrap_or(u8::MAX),
            authority_days: book.disputes.authority_days.as_ref().map(|days| days.is),
        }
    }

    /// The ladder of a book for a dispute about a round that stands void,
    /// whatever the player calls it: what they are owed is ruled by whoever
    /// decides what no rule covers.
    #[must_use]
    pub fn of_uncovered(book: &RuleBook) -> Ladder {
        let ladder = Ladder::of(book);
        let higher = book.authority.substitution.is == Substitution::ActingOrHigher;
        let rung = book
            .decision(Matter::Uncovered)
            .map_or(ladder.escalated, |decision| Rung {
                position: decision.by,
                or_above: decision.or_above || higher,
            });
        Ladder {
            first: rung,
            escalated: rung,
            ..ladder
        }
    }
}

/// What the terminal itself says of the bet, by its own clock. Nobody vouches
/// for it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Claimed {
    /// The bet it is about.
    pub bet: Option<BetId>,
    /// When the player touched the layout.
    pub tapped_ms: Option<i64>,
    /// When the terminal sent the bet.
    pub sent_ms: Option<i64>,
}

/// A bet the house refused, which is in no journal until a case needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedBet {
    /// The player's name for it.
    pub bet: BetId,
    /// When the house refused it.
    pub at_ms: i64,
    /// The stable code of the refusal.
    pub code: String,
}

/// Refused bets that are copied into a case.
pub const MAX_REFUSED: usize = 16;

/// A case to be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCase {
    /// What it is about.
    pub kind: Kind,
    /// The table.
    pub table: TableName,
    /// The ladder of its book.
    pub ladder: Ladder,
    /// The round, where it is about one.
    pub round: Option<RoundNumber>,
    /// The station, where it is about one.
    pub station: Option<StationId>,
    /// Who played there.
    pub session: Option<SessionNumber>,
    /// What is wrong, in a word.
    pub grievance: Grievance,
    /// And in words of whoever opened it.
    pub words: String,
    /// What the terminal says.
    pub claimed: Claimed,
    /// What the house had refused that station in that round.
    pub refused: Vec<RefusedBet>,
}

sicbo_rules::worded! {
    /// What a decision says.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "OutcomeName")]
    #[schema(as = OutcomeName)]
    pub enum Outcome: word {
        /// The player is right.
        Upheld = "upheld",
        /// In part.
        Partly = "partly",
        /// The player is not.
        Rejected = "rejected",
    }
}

sicbo_rules::worded! {
    /// What the player says to a decision.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[ts(rename = "AnswerName")]
    #[schema(as = AnswerName)]
    pub enum Answer: word {
        /// Accepts it.
        Agrees = "agrees",
        /// Does not.
        Disagrees = "disagrees",
        /// Has left and cannot be asked.
        Left = "left",
        /// Takes the dispute back; needs no decision.
        Withdraws = "withdraws",
    }
}

sicbo_rules::worded! {
    /// A step of a case.
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[expect(missing_docs, reason = "fields repeat what the step says")]
    pub enum Step: word, key {
        /// Somebody of the present rung handles it.
        Take = "take" => "case-taken",
        /// A note. Notes are only added.
        Note { text: String } = "note" => "case-noted",
        /// Where to look in what a camera recorded.
        Bookmark {
            camera: String,
            from_ms: i64,
            to_ms: Option<i64>,
            text: String,
        } = "bookmark" => "case-evidence-bookmarked",
        /// What the UV scanner showed.
        CheckUv { genuine: bool, text: String } = "check_uv" => "case-uv-checked",
        /// Not solved: to the next rung. Surveillance is notified.
        Escalate { text: String } = "escalate" => "case-escalated",
        /// Surveillance has seen the notice.
        AcknowledgeNotice = "acknowledge_notice" => "case-notice-acknowledged",
        /// How long it will take, as told to the player.
        Promise { until_ms: i64 } = "promise" => "case-time-promised",
        /// The decision where the book lists no bases. Records of earlier programs
        /// have it with bases too, and say nothing of those that are silent.
        Decide {
            outcome: Outcome,
            bases: Vec<u8>,
            text: String,
        } = "decide" => "case-decided",
        /// The decision where the book lists bases, from 1: those it rests on, and
        /// those that are silent on this case. Each is answered for.
        DecideOnEach {
            outcome: Outcome,
            bases: Vec<u8>,
            silent: Vec<u8>,
            text: String,
        } = "decide" => "case-decided",
        /// The adjustment of credit by which the decision was carried out, by the
        /// sequence of its record in the table's journal.
        LinkAdjustment { sequence: u64, amount: Money } = "link_adjustment" => "case-adjustment-linked",
        /// What the player says.
        Answer { answer: Answer } = "answer" => "case-player-answered",
        /// The player was told of the right to complain, or to ask the
        /// authority for an investigation (P-070).
        TellRights = "tell_rights" => "case-rights-told",
        /// An inspector was notified (P-070).
        NotifyAuthority { text: String } = "notify_authority" => "case-authority-notified",
        /// The complaint was filed, with help, or the investigation asked for.
        Complain { text: String } = "complain" => "case-complaint-filed",
        /// Nothing is left to do.
        Close { text: String } = "close" => "case-closed",
    }
}

/// A step with who and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// When.
    pub at_ms: i64,
    /// Who.
    pub by: Party,
    /// The position they acted in at the table, where it was not their own.
    pub acting: Option<Position>,
    /// What.
    pub step: Step,
}

/// A case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// As it was opened.
    pub new: NewCase,
    /// By whom.
    pub opened_by: Party,
    /// When.
    pub opened_ms: i64,
    /// What was done since, in order.
    pub entries: Vec<Entry>,
}

/// How a case stands, which follows from its steps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(missing_docs, reason = "each is when it was done, or what it came to")]
pub struct Standing {
    pub taken: Option<PersonId>,
    pub escalated_ms: Option<i64>,
    pub noticed_ms: Option<i64>,
    pub promised_ms: Option<i64>,
    pub decided: Option<(i64, Outcome)>,
    pub answered: Option<(i64, Answer)>,
    pub rights_told_ms: Option<i64>,
    pub authority_notified_ms: Option<i64>,
    pub complained_ms: Option<i64>,
    pub closed_ms: Option<i64>,
}

impl Standing {
    /// The player did not accept what the last rung decided.
    #[must_use]
    pub fn is_unresolved(&self) -> bool {
        let disagrees = matches!(self.answered, Some((_, Answer::Disagrees)));
        self.escalated_ms.is_some() && disagrees
    }

    /// A stable word for where it stands.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.closed_ms.is_some() {
            "closed"
        } else if self.complained_ms.is_some() {
            "complained"
        } else if self.is_unresolved() {
            "unresolved"
        } else if self.answered.is_some() {
            "answered"
        } else if self.decided.is_some() {
            "decided"
        } else if self.escalated_ms.is_some() {
            "escalated"
        } else if self.taken.is_some() {
            "taken"
        } else {
            "open"
        }
    }
}

const fn is_decision(step: &Step) -> bool {
    matches!(step, Step::Decide { .. } | Step::DecideOnEach { .. })
}

/// Something that has its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What is to be done, in a stable word.
    pub what: &'static str,
    /// Until when; from then on it is late.
    pub until_ms: i64,
    /// The time is the player's, not the house's: it is never overdue.
    pub players: bool,
}

impl Clock {
    /// The house is late with it.
    #[must_use]
    pub const fn is_overdue(&self, now_ms: i64) -> bool {
        !self.players && now_ms >= self.until_ms
    }
}

impl Case {
    /// How it stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let mut now = Standing::default();
        for entry in &self.entries {
            let at = Some(entry.at_ms);
            match &entry.step {
                Step::Take => {
                    if let Party::Person(person) = entry.by {
                        now.taken = Some(person);
                    }
                }
                // The next rung begins anew.
                Step::Escalate { .. } => {
                    now = Standing {
                        escalated_ms: at,
                        ..Standing::default()
                    };
                }
                Step::AcknowledgeNotice => now.noticed_ms = at,
                Step::Promise { until_ms } => now.promised_ms = Some(*until_ms),
                Step::Decide { outcome, .. } | Step::DecideOnEach { outcome, .. } => {
                    now.decided = Some((entry.at_ms, *outcome))
                }
                Step::Answer { answer } => now.answered = Some((entry.at_ms, *answer)),
                Step::TellRights => now.rights_told_ms = at,
                Step::NotifyAuthority { .. } => now.authority_notified_ms = at,
                Step::Complain { .. } => now.complained_ms = at,
                Step::Close { .. } => now.closed_ms = at,
                Step::Note { .. }
                | Step::Bookmark { .. }
                | Step::CheckUv { .. }
                | Step::LinkAdjustment { .. } => {}
            }
        }
        now
    }

    /// How many decisions it has had.
    #[must_use]
    pub fn decisions(&self) -> u32 {
        let made = self.entries.iter().filter(|entry| is_decision(&entry.step));
        u32::try_from(made.count()).unwrap_or(u32::MAX)
    }

    /// Since its last decision a record was named by which something was paid,
    /// or taken where `paid` is false.
    #[must_use]
    pub fn is_carried_out(&self, paid: bool) -> bool {
        let newest = self.entries.iter().rev();
        let mut since = newest.take_while(|entry| !is_decision(&entry.step));
        since.any(|entry| match &entry.step {
            Step::LinkAdjustment { amount, .. } => amount.is_positive() == paid,
            _ => false,
        })
    }

    /// It has not been closed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(
            self.entries.last(),
            Some(Entry {
                step: Step::Close { .. },
                ..
            })
        )
    }

    /// The rungs: the book's for a dispute, else the house's own.
    #[must_use]
    pub fn rungs(&self) -> (Rung, Rung) {
        let policy = |position| Rung {
            position,
            or_above: true,
        };
        match self.new.kind {
            Kind::Dispute => (self.new.ladder.first, self.new.ladder.escalated),
            _ => (
                policy(Position::PitSupervisor),
                policy(Position::PitManager),
            ),
        }
    }

    /// When the player's time to go to the authority ends.
    #[must_use]
    pub fn players_time_ms(&self, standing: &Standing) -> Option<i64> {
        let days = self.new.ladder.authority_days?;
        let told = standing.rights_told_ms?;
        Some(told.saturating_add(i64::from(days) * DAY_MS))
    }

    /// What has its time now.
    #[must_use]
    pub fn clocks(&self) -> Vec<Clock> {
        let now = self.standing();
        let mut clocks = Vec::new();
        if now.closed_ms.is_some() {
            return clocks;
        }
        let mut house = |what, until_ms| {
            clocks.push(Clock {
                what,
                until_ms,
                players: false,
            });
        };
        if now.taken.is_none() && now.decided.is_none() && now.answered.is_none() {
            let since = now.escalated_ms.unwrap_or(self.opened_ms);
            house("take", since.saturating_add(TAKEN_WITHIN_MS));
        }
        if let (Some(until), None) = (now.promised_ms, now.decided) {
            house("decide", until);
        }
        if let (true, Some((at, _))) = (now.is_unresolved(), now.answered) {
            // At once: it is late as soon as it is due.
            if self.new.ladder.authority_days.is_some() && now.authority_notified_ms.is_none() {
                house("notify_authority", at);
            }
            if now.rights_told_ms.is_none() {
                house("tell_rights", at);
            }
        }
        if let (Some(until_ms), None) = (self.players_time_ms(&now), now.complained_ms) {
            clocks.push(Clock {
                what: "complain",
                until_ms,
                players: true,
            });
        }
        clocks
    }
}
