//! The table of decisions of the register, exhaustively: every act by everyone
//! who could ask for it, against `decisions.txt`, which is written from the
//! requirements. What is new in the register and has no row fails.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money, RuleBook};
use sicbo_table::ids::{PersonId, RoundNumber, SessionNumber, StationId, VoucherId};

use sicbo_loop::Machine as _;
use sicbo_register::Register;
use sicbo_register::case::{CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Step};
use sicbo_register::command::{Act, Command, Party, PinRight};
use sicbo_register::dice::{DiceSet, DiceStep};
use sicbo_register::duties::{Duties, Posts};
use sicbo_register::enrolment::{EnrolmentId, NewEnrolment, Role, TableName};
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::limits::{LimitKey, Measure, Window};
use sicbo_register::play::{Counted, PlayStep, Sitting, Tally};
use sicbo_register::proposal::{NewProposal, ProposalEnd};
use sicbo_register::reached::Reached;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::shift::{
    BoxCount, Boxes, Counts, Ledger, NewShift, Refused, ShiftEnd, ShiftId,
};
use sicbo_register::testing::{
    DIRECTOR, HASH, House, SHIFT, STATION, WINDOW, person, place, station, terms,
};
use sicbo_register::voucher::Payee;
use sicbo_testkit::letters::{LETTERS, refused};

/// The table, with each of the four positions above the director spelt out.
static DECISIONS: LazyLock<String> =
    LazyLock::new(|| include_str!("decisions.txt").replace('^', "1234"));
const CASE_ROLES: &str = include_str!("case_roles.txt");
const OTHERS: [(char, Party); 3] = [
    ('H', Party::House),
    ('P', Party::Place(STATION)),
    ('O', Party::Place(WINDOW)),
];
const SGD: Currency = Currency::SGD;

/// A name for each act, and all the names: an act that is new does not compile
/// before it has one.
macro_rules! named {
    ($all:ident, $name:ident, $type:ty, $($pattern:pat => $word:literal),+ $(,)?) => {
        const $all: &[&str] = &[$($word),+];
        fn $name(of: &$type) -> &'static str {
            match of { $($pattern => $word),+ }
        }
    };
}

named! { STEPS, step_name, Step,
    Step::Take => "take",
    Step::Note { .. } => "note",
    Step::Bookmark { .. } => "bookmark",
    Step::CheckUv { .. } => "check_uv",
    Step::Escalate { .. } => "escalate",
    Step::AcknowledgeNotice => "acknowledge_notice",
    Step::Promise { .. } => "promise",
    Step::Decide { .. } | Step::DecideOnEach { .. } => "decide",
    Step::LinkAdjustment { .. } => "link_adjustment",
    Step::Answer { .. } => "answer",
    Step::TellRights => "tell_rights",
    Step::NotifyAuthority { .. } => "notify_authority",
    Step::Complain { .. } => "complain",
    Step::Close { .. } => "close",
}
named! { ACTS, name, Act,
    Act::SetUp { .. } => "set_up",
    Act::ChangeTerms { .. } => "change_terms",
    Act::NamePositions { .. } => "name_positions",
    Act::IdentifyHouse { .. } => "identify_house",
    Act::SetDuties { .. } => "set_duties",
    Act::LimitFirstPins { .. } => "limit_first_pins",
    Act::WitnessLogIn { .. } => "witness_log_in",
    Act::Assign { .. } => "assign",
    Act::AddPerson { .. } => "add_person",
    Act::ChangePosition { .. } => "change_position",
    Act::ResetPin { .. } => "reset_pin",
    Act::ChangePin { .. } => "change_pin",
    Act::Disable { .. } => "disable",
    Act::Enable { .. } => "enable",
    Act::LiftLock { .. } => "lift_lock",
    Act::LogIn { .. } => "log_in",
    Act::ProvePin { .. } => "prove_pin",
    Act::NoteFailedTry { .. } => "note_failed_try",
    Act::SetSecondFactor { .. } => "set_second_factor",
    Act::ExpirePin { .. } => "expire_pin",
    Act::ExpireAccount { .. } => "expire_account",
    Act::LogOut { .. } => "log_out",
    Act::EndSessions => "end_sessions",
    Act::Enrol { .. } => "enrol",
    Act::Revoke { .. } => "revoke",
    Act::ReserveVoucher { .. } => "reserve_voucher",
    Act::ReleaseReservation { .. } => "release_reservation",
    Act::IssueVoucher { .. } => "issue_voucher",
    Act::BeginPrint { .. } => "begin_print",
    Act::ReportPrinted { .. } => "report_printed",
    Act::ReportPrintFailed { .. } => "report_print_failed",
    Act::FinishReturn { .. } => "finish_return",
    Act::KeepForCage { .. } => "keep_for_cage",
    Act::BeginRedeem { .. } => "begin_redeem",
    Act::FinishRedeem { .. } => "finish_redeem",
    Act::CancelRedeem { .. } => "cancel_redeem",
    Act::VoidVoucher { .. } => "void_voucher",
    Act::ExpireVouchers => "expire_vouchers",
    Act::OpenCase { .. } => "open_case",
    Act::StepCase { .. } => "step_case",
    Act::StepDice { .. } => "step_dice",
    Act::OpenShift { .. } => "open_shift",
    Act::CloseShift { .. } => "close_shift",
    Act::CountBoxes { .. } => "count_boxes",
    Act::CountRefusals { .. } => "count_refusals",
    Act::StepPlay { .. } => "step_play",
    Act::CountPlays { .. } => "count_plays",
    Act::ReportClock { .. } => "report_clock",
    Act::SetClock { .. } => "set_clock",
    Act::Propose { .. } => "propose",
    Act::EndProposal { .. } => "end_proposal",
    Act::EndProposals => "end_proposals",
    Act::RestartTable { .. } => "restart_table",
    Act::NoteTable { .. } => "note_table",
    Act::NoteSecurity { .. } => "note_security",
    Act::GoOnAfterRollback { .. } => "go_on_after_rollback",
}

/// A house with somebody in every position, each logged in once.
struct Scene {
    house: House,
    people: BTreeMap<char, PersonId>,
}

fn text() -> String {
    "as said".to_owned()
}

fn digest(id: VoucherId) -> [u8; 32] {
    [u8::try_from(id.0).unwrap(); 32]
}

fn new_proposal() -> Act {
    Act::Propose {
        new: NewProposal {
            table: None,
            act: "hand_pay".to_owned(),
            words: text(),
            digest: [7; 32],
        },
    }
}

fn dice() -> DiceSet {
    DiceSet::new("D-1").unwrap()
}

fn new_case(kind: Kind) -> NewCase {
    let book = RuleBook::named("quang-nam-table").unwrap();
    NewCase {
        kind,
        table: TableName::new("mbs-etg").unwrap(),
        ladder: Ladder::of(book),
        round: Some(RoundNumber(7)),
        station: Some(StationId(0)),
        session: Some(SessionNumber(1)),
        grievance: Grievance::NotPaid,
        words: text(),
        claimed: Claimed::default(),
        refused: Vec::new(),
    }
}

impl Scene {
    fn new() -> Scene {
        let mut house = House::new();
        house.name_positions();
        let mut people = BTreeMap::new();
        for (at, (letter, position)) in LETTERS.iter().enumerate() {
            let name = format!("Person {}", char::from(b'A' + u8::try_from(at).unwrap()));
            let person = person(&name, *position);
            house.ok(Party::Person(DIRECTOR), Act::AddPerson { person });
            let id = *house.register.people.last_key_value().unwrap().0;
            let known = house.register.people.get_mut(&id).unwrap();
            known.one_time = false;
            let right = PinRight {
                person: id,
                pin_version: known.pin_version,
            };
            house.ok(
                Party::House,
                Act::LogIn {
                    name,
                    right: Some(right),
                    place: None,
                },
            );
            people.insert(*letter, id);
        }
        Scene { house, people }
    }

    fn by_house(&mut self, act: Act) {
        self.house.ok(Party::House, act);
    }

    fn session(&self, of: PersonId) -> SessionId {
        let mut sessions = self.house.register.sessions.iter();
        *sessions.find(|(_, s)| s.person == of).unwrap().0
    }

    /// A voucher as far along as is asked.
    fn voucher(&mut self, until: &str) -> VoucherId {
        self.by_house(Act::ReserveVoucher {
            origin: place("mbs-etg", 0),
            station_name: "T0".to_owned(),
            currency: SGD,
            amount: Money::from_minor(2_500),
        });
        let voucher = VoucherId(self.house.register.last_voucher);
        let steps = [
            Act::IssueVoucher {
                voucher,
                amount: Money::from_minor(2_500),
                digest: digest(voucher),
                attempt: 0,
            },
            Act::BeginPrint { voucher },
            match until {
                "returning" | "kept" => Act::ReportPrintFailed {
                    voucher,
                    what: text(),
                },
                _ => Act::ReportPrinted { voucher },
            },
        ];
        let many = match until {
            "reserved" => 0,
            "issued" => 1,
            "printing" => 2,
            _ => 3,
        };
        for act in steps.into_iter().take(many) {
            self.by_house(act);
        }
        match until {
            "kept" => self.by_house(Act::KeepForCage {
                voucher,
                why: text(),
            }),
            "redeeming" => self.by_house(Act::BeginRedeem {
                request: 1,
                digest: digest(voucher),
                to: Payee::Station(place("mbs-etg", 0)),
                currency: SGD,
                claimed: None,
            }),
            _ => {}
        }
        voucher
    }

    /// Custody as far along as a step needs, and the step.
    fn step_dice(&mut self, word: &str) -> Act {
        let (director, dealer) = (self.people[&'r'], self.people[&'d']);
        let mut done = |step| {
            let act = Act::StepDice { set: dice(), step };
            self.house
                .two(Party::Person(director), Some(dealer), act)
                .unwrap();
        };
        let receive = DiceStep::Receive { seal: text() };
        let inspect = DiceStep::Inspect {
            good: true,
            text: text(),
        };
        let table = TableName::new("mbs-etg").unwrap();
        let at_table = DiceStep::Place { table };
        let step = match word {
            "receive" => receive,
            "inspect" => {
                done(receive);
                inspect
            }
            "place" => {
                done(receive);
                done(inspect);
                at_table
            }
            "remove" => {
                done(receive);
                done(inspect);
                done(at_table);
                DiceStep::Remove { text: text() }
            }
            "quarantine" => {
                done(receive);
                DiceStep::Quarantine { text: text() }
            }
            "destroy" => {
                done(receive);
                DiceStep::Destroy { text: text() }
            }
            other => panic!("{other}"),
        };
        Act::StepDice { set: dice(), step }
    }

    fn new_shift() -> NewShift {
        NewShift {
            table: TableName::new("mbs-etg").unwrap(),
            currency: SGD,
            opener: Money::from_minor(0),
            ledger: Ledger::default(),
            threshold: Money::from_minor(0),
            rack: Vec::new(),
            boxes: Boxes::default(),
        }
    }

    fn open_shift(&mut self) {
        let act = Act::OpenShift {
            new: Scene::new_shift(),
        };
        let second = Some(self.people[&'r']);
        self.house.two(Party::Person(SHIFT), second, act).unwrap();
    }

    fn step_play(&mut self, word: &str) -> Act {
        let sitting = Sitting {
            session: SessionNumber(1),
            began_ms: 1_000,
            base: Tally::default(),
            seen: None,
        };
        let act = |step| Act::StepPlay {
            place: place("mbs-etg", 0),
            sitting,
            step,
        };
        let stop = PlayStep::Stop { reason: text() };
        match word {
            "own" => act(PlayStep::Break { minutes: 10 }),
            "own-limit" => act(PlayStep::Set {
                key: LimitKey {
                    window: Window::Session,
                    measure: Measure::Loss,
                },
                most: Some(5_000),
            }),
            "stop" => act(stop),
            "resume" => {
                self.by_house(act(stop));
                act(PlayStep::Resume { reason: text() })
            }
            other => panic!("{other}"),
        }
    }

    /// The register so that only who asks matters, and what they ask.
    fn ask(&mut self, row: &str) -> Box<dyn Fn(Party) -> Act> {
        let (newcomer, somebody) = (PersonId(7), PersonId(6));
        let station_here = place("mbs-etg", 0);
        let fixed = |act: Act| -> Box<dyn Fn(Party) -> Act> { Box::new(move |_| act.clone()) };
        let own = move |by: Party| match by {
            Party::Person(id) => id,
            _ => somebody,
        };
        let pin = |person| PinRight {
            person,
            pin_version: 1,
        };
        let to_station = Payee::Station(station_here.clone());
        let (word, rest) = row.split_once(':').unwrap_or((row, ""));
        if word == "revoke" {
            let new = match rest {
                "with-duties-desk" => NewEnrolment {
                    role: Role::PitDesk,
                    name: text(),
                    key: [9; 32],
                },
                _ => station("mbs-etg", 5, 9),
            };
            self.house
                .ok(Party::Person(self.people[&'e']), Act::Enrol { new });
        }
        if word == "enable" {
            let act = Act::Disable {
                person: newcomer,
                reason: text(),
            };
            self.house.ok(Party::Person(DIRECTOR), act);
        }
        if rest.starts_with("with-duties") || word == "witness_log_in" {
            self.by_house(Act::SetDuties {
                duties: Duties::default(),
            });
        }
        fixed(match (word, rest) {
            ("set_up", _) => sicbo_register::testing::set_up(),
            ("change_terms", _) => Act::ChangeTerms { terms: terms() },
            ("name_positions", _) => Act::NamePositions {
                names: self.house.register.above_director.clone(),
            },
            ("identify_house", _) => Act::IdentifyHouse {
                identity: sicbo_register::testing::identity(),
            },
            ("add_person", _) => Act::AddPerson {
                person: person("Lee Kah Wai", Position::Dealer),
            },
            ("change_position", _) => Act::ChangePosition {
                person: newcomer,
                position: Position::Trainer,
            },
            ("reset_pin", _) => Act::ResetPin {
                person: newcomer,
                pin: HASH.to_owned(),
            },
            ("disable", _) => Act::Disable {
                person: newcomer,
                reason: text(),
            },
            ("enable", _) => Act::Enable {
                person: newcomer,
                pin: HASH.to_owned(),
            },
            ("set_duties", _) => Act::SetDuties {
                duties: Duties::default(),
            },
            ("limit_first_pins", _) => Act::LimitFirstPins { hours: 24 },
            ("witness_log_in", _) => {
                // Given a PIN by the two of the set-up, with one of their own since.
                let reset = Act::ResetPin {
                    person: newcomer,
                    pin: HASH.to_owned(),
                };
                let by = Party::Person(DIRECTOR);
                self.house.two(by, Some(SHIFT), reset).unwrap();
                let pin_version = {
                    let known = self.house.register.people.get_mut(&newcomer).unwrap();
                    known.one_time = false;
                    known.pin_version
                };
                self.house.enrol_desks();
                self.house.post(newcomer, &["mbs-etg"], &[]);
                let place = self.house.enrol_console("mbs-etg");
                self.by_house(Act::LogIn {
                    name: "New Comer".to_owned(),
                    right: Some(PinRight {
                        person: newcomer,
                        pin_version,
                    }),
                    place: Some(place),
                });
                Act::WitnessLogIn { person: newcomer }
            }
            ("assign", of) => Act::Assign {
                person: newcomer,
                posts: match of {
                    "tables" => Posts {
                        tables: vec![station_here.table.clone()],
                        windows: Vec::new(),
                    },
                    _ => Posts {
                        tables: Vec::new(),
                        windows: vec![sicbo_register::testing::WINDOW],
                    },
                },
            },
            ("lift_lock", _) => {
                self.by_house(Act::LogIn {
                    name: "New Comer".to_owned(),
                    right: None,
                    place: None,
                });
                Act::LiftLock { person: newcomer }
            }
            ("change_pin", "own") => {
                return Box::new(move |by| Act::ChangePin {
                    old: pin(own(by)),
                    pin: HASH.to_owned(),
                });
            }
            ("change_pin", _) => Act::ChangePin {
                old: pin(somebody),
                pin: HASH.to_owned(),
            },
            ("log_in", _) => Act::LogIn {
                name: "New Comer".to_owned(),
                right: None,
                place: None,
            },
            ("prove_pin", _) => Act::ProvePin {
                name: "New Comer".to_owned(),
                right: None,
                place: None,
            },
            ("note_failed_try", _) => Act::NoteFailedTry {
                person: Some(newcomer),
                name: "New Comer".to_owned(),
                place: None,
                from: "10.0.0.1".to_owned(),
                wait_until_ms: None,
            },
            ("set_second_factor", _) => Act::SetSecondFactor {
                sealed: "1.abc".to_owned(),
            },
            ("expire_pin", _) => {
                // Only a PIN that somebody chose can become too old.
                let act = Act::ChangePin {
                    old: pin(newcomer),
                    pin: HASH.to_owned(),
                };
                self.house.ok(Party::Person(newcomer), act);
                Act::ExpirePin { person: newcomer }
            }
            ("expire_account", _) => Act::ExpireAccount { person: newcomer },
            ("log_out", "own") => {
                let sessions: BTreeMap<PersonId, SessionId> = self
                    .people
                    .values()
                    .map(|id| (*id, self.session(*id)))
                    .collect();
                let other = *sessions.values().next().unwrap();
                return Box::new(move |by| Act::LogOut {
                    session: sessions.get(&own(by)).copied().unwrap_or(other),
                    why: LogOutReason::Asked,
                });
            }
            ("log_out", _) => {
                // Somebody who asks for nobody else here.
                self.by_house(Act::LogIn {
                    name: "Ann Lee".to_owned(),
                    right: Some(pin(somebody)),
                    place: None,
                });
                Act::LogOut {
                    session: self.session(somebody),
                    why: LogOutReason::Asked,
                }
            }
            ("end_sessions", _) => Act::EndSessions,
            ("enrol", _) => Act::Enrol {
                new: station("mbs-etg", 5, 9),
            },
            ("revoke", _) => Act::Revoke {
                enrolment: EnrolmentId(3),
                reason: text(),
            },
            ("reserve_voucher", _) => Act::ReserveVoucher {
                origin: station_here,
                station_name: "T0".to_owned(),
                currency: SGD,
                amount: Money::from_minor(100),
            },
            ("release_reservation", _) => Act::ReleaseReservation {
                voucher: self.voucher("reserved"),
            },
            ("issue_voucher", _) => {
                let voucher = self.voucher("reserved");
                Act::IssueVoucher {
                    voucher,
                    amount: Money::from_minor(2_500),
                    digest: digest(voucher),
                    attempt: 0,
                }
            }
            ("begin_print", _) => Act::BeginPrint {
                voucher: self.voucher("issued"),
            },
            ("report_printed", _) => Act::ReportPrinted {
                voucher: self.voucher("printing"),
            },
            ("report_print_failed", _) => Act::ReportPrintFailed {
                voucher: self.voucher("printing"),
                what: text(),
            },
            ("finish_return", _) => Act::FinishReturn {
                voucher: self.voucher("returning"),
            },
            ("keep_for_cage", _) => Act::KeepForCage {
                voucher: self.voucher("returning"),
                why: text(),
            },
            ("begin_redeem", "at-a-station") => Act::BeginRedeem {
                request: 1,
                digest: digest(self.voucher("printed")),
                to: to_station,
                currency: SGD,
                claimed: None,
            },
            ("begin_redeem", at) => {
                let state = match at {
                    "at-the-cage" | "with-duties-elsewhere" => "printed",
                    _ => "kept",
                };
                let digest = digest(self.voucher(state));
                return Box::new(move |by| Act::BeginRedeem {
                    request: 1,
                    digest,
                    to: Payee::Cage { cashier: own(by) },
                    currency: SGD,
                    claimed: None,
                });
            }
            ("finish_redeem", _) => Act::FinishRedeem {
                voucher: self.voucher("redeeming"),
            },
            ("cancel_redeem", _) => Act::CancelRedeem {
                voucher: self.voucher("redeeming"),
                why: text(),
            },
            ("void_voucher", _) => Act::VoidVoucher {
                voucher: self.voucher("printed"),
                reason: text(),
            },
            ("expire_vouchers", _) => Act::ExpireVouchers,
            ("open_case", kind) => {
                let mut kinds = Kind::ALL.into_iter();
                let kind = kinds.find(|known| known.word() == kind).unwrap();
                Act::OpenCase {
                    new: Box::new(new_case(kind)),
                }
            }
            ("step_case", "check_uv") => {
                self.by_house(Act::OpenCase {
                    new: Box::new(new_case(Kind::Counterfeit)),
                });
                Act::StepCase {
                    case: CaseId(1),
                    acting: None,
                    step: Step::CheckUv {
                        genuine: false,
                        text: text(),
                    },
                }
            }
            ("step_dice", step) => self.step_dice(step),
            ("open_shift", _) => Act::OpenShift {
                new: Scene::new_shift(),
            },
            ("close_shift", _) => {
                self.open_shift();
                Act::CloseShift {
                    shift: ShiftId(1),
                    end: ShiftEnd {
                        counts: Counts::default(),
                        ledger: Ledger::default(),
                        signed: None,
                        comment: text(),
                        rack: Vec::new(),
                    },
                    next: None,
                }
            }
            ("count_boxes", _) => {
                self.open_shift();
                let shifts = &mut self.house.register.shifts;
                let shift = shifts.get_mut(&ShiftId(1)).unwrap();
                // It was signed for by others, who have gone home.
                shift.opened_by.clear();
                shift.to_sequence = Some(0);
                Act::CountBoxes {
                    shift: ShiftId(1),
                    counted: BoxCount::default(),
                }
            }
            ("count_refusals", _) => {
                self.open_shift();
                Act::CountRefusals {
                    shift: ShiftId(1),
                    refused: vec![Refused {
                        code: text(),
                        count: 1,
                    }],
                }
            }
            ("propose", _) => new_proposal(),
            ("end_proposal", _) => {
                self.house
                    .ok(Party::Person(self.people[&'s']), new_proposal());
                Act::EndProposal {
                    proposal: 1,
                    end: ProposalEnd::Lapsed,
                }
            }
            ("end_proposals", _) => Act::EndProposals,
            ("restart_table", _) => Act::RestartTable {
                table: TableName::new("mbs-etg").unwrap(),
                reason: text(),
            },
            ("note_table", _) => Act::NoteTable {
                table: TableName::new("mbs-etg").unwrap(),
                reached: Reached {
                    sequence: 7,
                    header_hash: [7; 32],
                },
            },
            ("note_security", _) => Act::NoteSecurity {
                notes: vec![SecurityNote {
                    kind: SecurityKind::Refused,
                    person: Some(somebody),
                    place: None,
                    address: Some("192.0.2.7".to_owned()),
                    what: text(),
                    count: 3,
                    first_ms: 1_000,
                    last_ms: 2_000,
                }],
            },
            ("go_on_after_rollback", _) => Act::GoOnAfterRollback {
                reason: text(),
                tree_size: 40,
                known_size: 49,
                life: 2,
            },
            ("step_play", step) => self.step_play(step),
            ("count_plays", _) => {
                let stop = self.step_play("stop");
                self.by_house(stop);
                let mut clock = PlayClock::default();
                clock.wager(2_000);
                Act::CountPlays {
                    offset_min: 480,
                    lines: vec![Counted {
                        place: station_here,
                        session: SessionNumber(1),
                        meters: Tally::default(),
                        clock,
                    }],
                }
            }
            ("report_clock", _) => Act::ReportClock { machine_ms: 5 },
            ("set_clock", _) => {
                self.by_house(Act::ReportClock { machine_ms: 5 });
                Act::SetClock {
                    was_ms: 1,
                    is_ms: 5,
                }
            }
            (other, _) => panic!("no scene for {other}"),
        })
    }
}

struct Row {
    name: &'static str,
    may: &'static str,
    otherwise: &'static str,
}

impl Row {
    /// The code for one who is not named.
    fn refused(&self, letter: char) -> &'static str {
        refused(self.otherwise, letter)
    }
}

fn rows() -> Vec<Row> {
    let lines = DECISIONS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut next = || words.next().unwrap_or_else(|| panic!("{line}"));
            let row = Row {
                name: next(),
                may: next(),
                otherwise: next(),
            };
            assert!(!next().is_empty(), "no rule is cited: {line}");
            row
        })
        .collect()
}

fn answer(register: &Register, by: Party, second: Option<PersonId>, act: Act) -> &'static str {
    let command = Command {
        id: 9_000,
        at_ms: 9_000,
        by,
        second,
        act,
    };
    match register.decide(&command) {
        Ok(_) => "done",
        Err(refusal) => refusal.code(),
    }
}

#[test]
fn every_act_is_refused_to_everyone_who_is_not_named() {
    let mut wrong = Vec::new();
    for row in rows() {
        let mut scene = Scene::new();
        let act = scene.ask(row.name);
        let everyone = scene.people.iter().map(|(l, id)| (*l, Party::Person(*id)));
        for (letter, by) in everyone.chain(OTHERS) {
            let (who, code) = row.may.split_once('!').unwrap_or((row.may, "done"));
            // Whoever asks at the cage is who pays: the first of the two.
            let pays = row.name.starts_with("begin_redeem");
            let expected = match who.split_once('+') {
                Some((one, _)) if pays && !one.contains(letter) => row.refused(letter),
                Some(_) if !who.contains(letter) => row.refused(letter),
                Some(_) => "second_person_needed",
                None if who.contains(letter) => code,
                None => row.refused(letter),
            };
            let asked = act(by);
            assert!(row.name.starts_with(name(&asked)), "{}", row.name);
            let got = answer(&scene.house.register, by, None, asked);
            if got != expected {
                wrong.push(format!("{} {letter}: {got}, not {expected}", row.name));
            }
        }
        // One person twice, and every pair.
        let Some((one, other)) = row.may.split_once('+') else {
            continue;
        };
        for (a, first) in &scene.people {
            for (b, second) in &scene.people {
                let fits = (one.contains(*a) && other.contains(*b))
                    || (one.contains(*b) && other.contains(*a));
                let fits = fits && (!row.name.starts_with("begin_redeem") || one.contains(*a));
                let expected = match fits {
                    false => row.refused(*a),
                    true if a == b => "same_person_twice",
                    true => "done",
                };
                let by = Party::Person(*first);
                let got = answer(&scene.house.register, by, Some(*second), act(by));
                if got != expected {
                    wrong.push(format!("{} {a}+{b}: {got}, not {expected}", row.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_has_a_row_for_everything_that_can_be_asked() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), rows.len(), "a row stands there twice");
    for act in ACTS {
        let has = |name: &&str| name.split(':').next() == Some(act);
        assert!(names.iter().any(has), "no row for {act}");
    }
    for name in &names {
        let act = name.split(':').next().unwrap();
        assert!(ACTS.contains(&act), "{name}: there is no such act");
    }
    for kind in Kind::ALL {
        let row = format!("open_case:{}", kind.word());
        assert!(names.contains(row.as_str()), "no row for {row}");
    }
    // Every step of a case is in the table of cases, or here.
    let in_cases: BTreeSet<&str> = CASE_ROLES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(step_name(&Step::Take), Step::Take.word());
    for step in STEPS {
        let here = names.contains(format!("step_case:{step}").as_str());
        assert!(here || in_cases.contains(step), "no row for {step}");
    }
}
