//! Cases as JSON: what is asked of them, and how they are shown to staff and
//! to the player.

use serde::{Deserialize, Serialize};
use sicbo_proof::history::Moment;
use sicbo_register::Register;
use sicbo_register::case::{Answer, Case, CaseId, Entry, Grievance, Kind, Outcome, Rung, Step};
use sicbo_register::command::Party;
use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Position, Word};
use ts_rs::TS;
use utoipa::ToSchema;

/// A player's dispute, from the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDispute {
    /// The round it is about.
    #[schema(minimum = 1)]
    pub round: u64,
    /// What is wrong.
    pub reason: Grievance,
    /// And in the player's words.
    #[serde(default)]
    #[ts(optional)]
    #[schema(max_length = 500)]
    pub words: Option<String>,
    /// The bet it is about.
    #[serde(default)]
    #[ts(optional)]
    pub bet: Option<u64>,
    /// When the player touched the layout, by the terminal's clock.
    #[serde(default)]
    #[ts(optional)]
    pub tapped_ms: Option<i64>,
    /// When the terminal sent the bet, by its clock.
    #[serde(default)]
    #[ts(optional)]
    pub sent_ms: Option<i64>,
}

/// A case that staff open.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenCase {
    /// The table's name.
    #[schema(max_length = 60)]
    pub table: String,
    /// What it is about.
    pub kind: Kind,
    /// The round.
    #[serde(default)]
    #[ts(optional)]
    #[schema(minimum = 1)]
    pub round: Option<u64>,
    /// The station.
    #[serde(default)]
    #[ts(optional)]
    pub station: Option<u32>,
    /// What is wrong, in a word.
    #[serde(default)]
    #[ts(optional)]
    pub reason: Option<Grievance>,
    /// What happened.
    #[schema(max_length = 500)]
    pub words: String,
}

/// A step of a case.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum CaseStep {
    /// Handles it, on the present rung.
    Take {},
    /// Adds a note.
    Note {
        /// What.
        #[schema(max_length = 500)]
        text: String,
    },
    /// Adds where to look in what a camera recorded.
    Bookmark {
        /// Which camera.
        #[schema(max_length = 60)]
        camera: String,
        /// From when.
        #[schema(minimum = 0)]
        from_ms: i64,
        /// Until when.
        #[serde(default)]
        #[ts(optional)]
        to_ms: Option<i64>,
        /// What is to be seen.
        #[serde(default)]
        #[ts(optional)]
        #[schema(max_length = 500)]
        text: Option<String>,
    },
    /// What the UV scanner showed.
    CheckUv {
        /// The cash or chips are genuine.
        genuine: bool,
        /// What was seen.
        #[serde(default)]
        #[ts(optional)]
        #[schema(max_length = 500)]
        text: Option<String>,
    },
    /// Hands it to the next rung; surveillance is notified.
    Escalate {
        /// Why.
        #[schema(max_length = 500)]
        text: String,
    },
    /// Surveillance has seen the notice.
    AcknowledgeNotice {},
    /// Tells the player how long it will take.
    Promise {
        /// Until when.
        until_ms: i64,
    },
    /// Decides it.
    Decide {
        /// What.
        outcome: Outcome,
        /// The bases of the book it rests on, from 1, in order.
        #[serde(default)]
        #[schema(max_items = 255)]
        bases: Vec<u8>,
        /// Those that are silent on this case: where the book lists bases, each
        /// is in one of the two.
        #[serde(default)]
        #[schema(max_items = 255)]
        silent: Vec<u8>,
        /// Why.
        #[schema(max_length = 500)]
        text: String,
    },
    /// Names the adjustment of credit by which it was carried out.
    LinkAdjustment {
        /// The sequence of its record in the table's journal.
        record: u64,
    },
    /// What the player says.
    Answer {
        /// What.
        answer: Answer,
    },
    /// The player was told of the right to complain or to ask for an investigation.
    TellRights {},
    /// An inspector was notified.
    NotifyAuthority {
        /// Who, and how.
        #[schema(max_length = 500)]
        text: String,
    },
    /// The player's complaint was filed, or the investigation asked for.
    Complain {
        /// What.
        #[schema(max_length = 500)]
        text: String,
    },
    /// Closes the case.
    Close {
        /// How it ended.
        #[schema(max_length = 500)]
        text: String,
    },
}

impl CaseStep {
    /// As the register knows it; an adjustment's amount is read from its record.
    #[must_use]
    pub fn step(self, amount: sicbo_rules::Money) -> Step {
        match self {
            CaseStep::Take {} => Step::Take,
            CaseStep::Note { text } => Step::Note { text },
            CaseStep::Bookmark {
                camera,
                from_ms,
                to_ms,
                text,
            } => Step::Bookmark {
                camera,
                from_ms,
                to_ms,
                text: text.unwrap_or_default(),
            },
            CaseStep::CheckUv { genuine, text } => Step::CheckUv {
                genuine,
                text: text.unwrap_or_default(),
            },
            CaseStep::Escalate { text } => Step::Escalate { text },
            CaseStep::AcknowledgeNotice {} => Step::AcknowledgeNotice,
            CaseStep::Promise { until_ms } => Step::Promise { until_ms },
            CaseStep::Decide {
                outcome,
                bases,
                silent,
                text,
            } => match bases.is_empty() && silent.is_empty() {
                true => Step::Decide {
                    outcome,
                    bases,
                    text,
                },
                false => Step::DecideOnEach {
                    outcome,
                    bases,
                    silent,
                    text,
                },
            },
            CaseStep::LinkAdjustment { record } => Step::LinkAdjustment {
                sequence: record,
                amount,
            },
            CaseStep::Answer { answer } => Step::Answer { answer },
            CaseStep::TellRights {} => Step::TellRights,
            CaseStep::NotifyAuthority { text } => Step::NotifyAuthority { text },
            CaseStep::Complain { text } => Step::Complain { text },
            CaseStep::Close { text } => Step::Close { text },
        }
    }
}

/// Who did something.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, TS, ToSchema)]
pub struct ShownParty {
    /// The person's or the station's name; `house` for the house itself.
    pub name: String,
    /// The person's position.
    pub position: Option<String>,
}

impl ShownParty {
    /// By the names of the register.
    #[must_use]
    pub fn of(register: &Register, party: Party) -> ShownParty {
        let (name, position) = match party {
            Party::House => (None, None),
            Party::Person(id) => {
                let known = register.people.get(&id);
                (
                    known.map(|person| person.name.clone()),
                    known.map(|person| person.position.key().to_owned()),
                )
            }
            Party::Place(id) => (
                register.enrolments.get(&id).map(|known| known.name.clone()),
                None,
            ),
        };
        ShownParty {
            name: name.unwrap_or_else(|| "house".to_owned()),
            position,
        }
    }
}

/// A step that was taken. What a kind of step does not have is null.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, TS, ToSchema)]
pub struct ShownCaseStep {
    /// When.
    pub at_ms: i64,
    /// Who.
    pub by: ShownParty,
    /// The position they acted in at the table.
    pub acting: Option<String>,
    /// Which step, e.g. `decide`.
    pub step: String,
    /// Words.
    pub text: Option<String>,
    /// Which camera.
    pub camera: Option<String>,
    /// From when a camera shows it.
    pub from_ms: Option<i64>,
    /// Until when it does, or until when a decision was promised.
    pub until_ms: Option<i64>,
    /// What the UV scanner showed.
    pub genuine: Option<bool>,
    /// The decision.
    pub outcome: Option<Outcome>,
    /// The bases it rests on.
    pub bases: Vec<u8>,
    /// The bases that are silent on this case.
    pub silent: Vec<u8>,
    /// The player's answer.
    pub answer: Option<Answer>,
    /// The record of an adjustment.
    pub record: Option<u64>,
    /// Its amount.
    pub amount: Option<i64>,
}

impl ShownCaseStep {
    fn of(register: &Register, entry: &Entry) -> ShownCaseStep {
        let mut shown = ShownCaseStep {
            at_ms: entry.at_ms,
            by: ShownParty::of(register, entry.by),
            acting: entry.acting.map(|position| position.key().to_owned()),
            step: entry.step.word().to_owned(),
            ..ShownCaseStep::default()
        };
        match &entry.step {
            Step::Take | Step::AcknowledgeNotice | Step::TellRights => {}
            Step::Note { text }
            | Step::Escalate { text }
            | Step::NotifyAuthority { text }
            | Step::Complain { text }
            | Step::Close { text } => shown.text = Some(text.clone()),
            Step::Bookmark {
                camera,
                from_ms,
                to_ms,
                text,
            } => {
                shown.camera = Some(camera.clone());
                shown.from_ms = Some(*from_ms);
                shown.until_ms = *to_ms;
                shown.text = Some(text.clone());
            }
            Step::CheckUv { genuine, text } => {
                shown.genuine = Some(*genuine);
                shown.text = Some(text.clone());
            }
            Step::Promise { until_ms } => shown.until_ms = Some(*until_ms),
            Step::Decide {
                outcome,
                bases,
                text,
            } => {
                shown.outcome = Some(*outcome);
                shown.bases.clone_from(bases);
                shown.text = Some(text.clone());
            }
            Step::DecideOnEach {
                outcome,
                bases,
                silent,
                text,
            } => {
                shown.outcome = Some(*outcome);
                shown.bases.clone_from(bases);
                shown.silent.clone_from(silent);
                shown.text = Some(text.clone());
            }
            Step::LinkAdjustment { sequence, amount } => {
                shown.record = Some(*sequence);
                shown.amount = Some(amount.minor());
            }
            Step::Answer { answer } => shown.answer = Some(*answer),
        }
        shown
    }
}

/// Who may act on a rung of the ladder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRung {
    /// The position.
    pub position: String,
    /// What the book calls it.
    pub title: Option<String>,
    /// Anyone above it will do.
    pub or_above: bool,
}

impl ShownRung {
    fn of(book: Option<&RuleBook>, rung: Rung) -> ShownRung {
        let title = book.and_then(|book| book.title(rung.position));
        ShownRung {
            position: rung.position.key().to_owned(),
            title: title.map(|title| title.title.is.clone()),
            or_above: rung.or_above,
        }
    }
}

/// A basis a decision may rest on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownBasis {
    /// Its number, from 1.
    pub basis: u8,
    /// The rule that lists it.
    pub rule: String,
    /// What it is.
    pub words: String,
    /// The same in the document's language, where that is not English.
    pub printed: Option<String>,
}

/// Something that has its time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownClock {
    /// What is to be done: `take`, `decide`, `notify_authority`, `tell_rights` or `complain`.
    pub what: String,
    /// Until when.
    pub until_ms: i64,
    /// The time is the player's, not the house's.
    pub players: bool,
    /// The house is late with it.
    pub overdue: bool,
}

/// A bet the house refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRefused {
    /// The player's name for it.
    pub bet: u64,
    /// When.
    pub at_ms: i64,
    /// The stable code.
    pub code: String,
}

/// A case as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownCase {
    /// Its number.
    pub case: u64,
    /// What it is about.
    pub kind: Kind,
    /// The table.
    pub table: String,
    /// The rule book whose ladder it follows.
    pub book: String,
    /// Language of its document: `en`, `vi`.
    pub language: String,
    /// The round.
    pub round: Option<u64>,
    /// The station.
    pub station: Option<u32>,
    /// Who played there.
    pub session: Option<u32>,
    /// What is wrong.
    pub reason: Grievance,
    /// In the words of whoever opened it.
    pub words: String,
    /// Who opened it.
    pub opened_by: ShownParty,
    /// When.
    pub opened_ms: i64,
    /// How it stands: `open`, `taken`, `escalated`, `decided`, `answered`,
    /// `unresolved`, `complained` or `closed`.
    pub state: String,
    /// The bet, as the terminal says.
    pub claimed_bet: Option<u64>,
    /// When it was tapped, by the terminal's clock.
    pub claimed_tapped_ms: Option<i64>,
    /// When it was sent, by the terminal's clock.
    pub claimed_sent_ms: Option<i64>,
    /// Bets of that station and round that the house had refused.
    pub refused: Vec<ShownRefused>,
    /// Who handles it first.
    pub first: ShownRung,
    /// Who takes over what was not solved.
    pub escalated: ShownRung,
    /// The bases a decision may rest on; where there are any, it names one.
    pub bases: Vec<ShownBasis>,
    /// Days the player has to ask the authority for an investigation.
    pub authority_days: Option<u8>,
    /// Surveillance was notified, as it is when a case is escalated.
    pub surveillance_notified: bool,
    /// And has seen it.
    pub surveillance_seen: bool,
    /// Until when a decision was promised.
    pub promised_ms: Option<i64>,
    /// What has its time.
    pub clocks: Vec<ShownClock>,
    /// The house is late with something.
    pub overdue: bool,
    /// What was done, in order.
    pub steps: Vec<ShownCaseStep>,
    /// The steps whoever asks may take now.
    pub may: Vec<String>,
}

impl ShownCase {
    /// A case as somebody in these positions sees it.
    #[must_use]
    pub fn of(
        register: &Register,
        id: CaseId,
        case: &Case,
        positions: &[Position],
        now_ms: i64,
    ) -> ShownCase {
        let standing = case.standing();
        let (first, escalated) = case.rungs();
        let book = RuleBook::all()
            .iter()
            .find(|book| book.id() == case.new.ladder.book);
        let book = book.map(std::convert::AsRef::as_ref);
        let bases = book.map_or(&[][..], |book: &RuleBook| &book.disputes.bases);
        let bases = (1..=case.new.ladder.bases).zip(bases);
        let clocks: Vec<ShownClock> = case
            .clocks()
            .iter()
            .map(|clock| ShownClock {
                what: clock.what.to_owned(),
                until_ms: clock.until_ms,
                players: clock.players,
                overdue: clock.is_overdue(now_ms),
            })
            .collect();
        let new = &case.new;
        let may = register.case_steps(case, positions, now_ms);
        ShownCase {
            case: id.0,
            kind: new.kind,
            table: new.table.to_string(),
            book: new.ladder.book.clone(),
            language: book.map_or_else(String::new, |book| book.identity.language.clone()),
            round: new.round.map(|round| round.0),
            station: new.station.map(|station| station.0),
            session: new.session.map(|session| session.0),
            reason: new.grievance,
            words: new.words.clone(),
            opened_by: ShownParty::of(register, case.opened_by),
            opened_ms: case.opened_ms,
            state: standing.word().to_owned(),
            claimed_bet: new.claimed.bet.map(|bet| bet.0),
            claimed_tapped_ms: new.claimed.tapped_ms,
            claimed_sent_ms: new.claimed.sent_ms,
            refused: new
                .refused
                .iter()
                .map(|refused| ShownRefused {
                    bet: refused.bet.0,
                    at_ms: refused.at_ms,
                    code: refused.code.clone(),
                })
                .collect(),
            first: ShownRung::of(book, first),
            escalated: ShownRung::of(book, escalated),
            bases: bases
                .map(|(basis, known)| ShownBasis {
                    basis,
                    rule: known.cite.full(&new.ladder.book),
                    words: known.is.clone(),
                    printed: known.printed.clone(),
                })
                .collect(),
            authority_days: new.ladder.authority_days,
            surveillance_notified: standing.escalated_ms.is_some(),
            surveillance_seen: standing.noticed_ms.is_some(),
            promised_ms: standing.promised_ms,
            overdue: clocks.iter().any(|clock| clock.overdue),
            clocks,
            steps: case
                .entries
                .iter()
                .map(|entry| ShownCaseStep::of(register, entry))
                .collect(),
            may: may.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// A case with the bet's own timeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CaseFile {
    /// The case.
    pub case: ShownCase,
    /// What the journal knows of that station in that round; null when the
    /// case names no round and station, or the round is not there.
    pub timeline: Option<Vec<Moment>>,
}

/// A case as the player who opened it sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct StationCase {
    /// Its number.
    pub case: u64,
    /// The round.
    pub round: Option<u64>,
    /// What is wrong.
    pub reason: Grievance,
    /// In the player's words.
    pub words: String,
    /// When it was opened.
    pub opened_ms: i64,
    /// How it stands, as in `ShownCase`.
    pub state: String,
    /// Until when a decision was promised.
    pub promised_ms: Option<i64>,
    /// The decision.
    pub outcome: Option<Outcome>,
    /// Its words.
    pub decision: Option<String>,
    /// What the player said to it.
    pub answer: Option<Answer>,
    /// The player was told of the right to complain, or to ask the authority.
    pub rights_told: bool,
    /// Days to ask the authority for an investigation, where a law gives them;
    /// else a complaint goes to the house's senior management.
    pub authority_days: Option<u8>,
    /// Until when.
    pub complain_until_ms: Option<i64>,
    /// The player may say whether they agree.
    pub may_answer: bool,
    /// The player may take the dispute back.
    pub may_withdraw: bool,
}

impl StationCase {
    /// As its player sees it.
    #[must_use]
    pub fn of(id: CaseId, case: &Case) -> StationCase {
        let standing = case.standing();
        let decided = case
            .entries
            .iter()
            .rev()
            .find_map(|entry| match &entry.step {
                Step::Decide { text, .. } | Step::DecideOnEach { text, .. } => Some(text.clone()),
                _ => None,
            });
        let open = standing.closed_ms.is_none() && standing.answered.is_none();
        StationCase {
            case: id.0,
            round: case.new.round.map(|round| round.0),
            reason: case.new.grievance,
            words: case.new.words.clone(),
            opened_ms: case.opened_ms,
            state: standing.word().to_owned(),
            promised_ms: standing.promised_ms,
            outcome: standing.decided.map(|(_, outcome)| outcome),
            decision: decided.filter(|_| standing.decided.is_some()),
            answer: standing.answered.map(|(_, answer)| answer),
            rights_told: standing.rights_told_ms.is_some(),
            authority_days: case.new.ladder.authority_days,
            complain_until_ms: case.players_time_ms(&standing),
            may_answer: open && standing.decided.is_some(),
            may_withdraw: open,
        }
    }
}

/// What the player says to a decision.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerAnswer {
    /// What.
    pub answer: Answer,
}
