//! Takes the house's register and two tables through everything the register
//! can write, with fixed times, keys and salts: the same script gives the same
//! bytes.

use std::path::Path;

use sicbo_journal::{
    DataFolder, HouseKey, KeyFolder, KeyId, Signatory, SqliteStore, StreamId, WriterSecret,
};
use sicbo_loop::{Answer, LoopOptions, WriterLoop, recover};
use sicbo_register::case::{
    Answer as Said, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Outcome, RefusedBet, Step,
};
use sicbo_register::command::PinRight;
use sicbo_register::dice::{DiceSet, DiceStep};
use sicbo_register::duties::{Duties, Posts};
use sicbo_register::enrolment::{EnrolmentId, Key, NewEnrolment, Role, TableName};
use sicbo_register::identity::{HouseKind, Identity, SecretCheck};
use sicbo_register::person::{LogOutReason, NewPerson, SessionId};
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::limits::{LimitKey, Measure, Window};
use sicbo_register::play::member::MemberId;
use sicbo_register::play::{Card, Counted, PlayLimits, PlayStep, Seen, Sitting, Tally};
use sicbo_register::proposal::{NewProposal, ProposalEnd};
use sicbo_register::reached::Reached;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::shift::{
    BoxCount, Boxes, Counts, Ledger, NewShift, Pieces, Refused, ShiftEnd, ShiftId, SignedTo,
};
use sicbo_register::validation::VoucherSecret;
use sicbo_register::voucher::{Payee, Place};
use sicbo_register::{self as register, Act, Command, Party, Register, Terms};
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money, RuleBook};
use sicbo_table::Act as TableAct;
use sicbo_table::actor::Actor;
use sicbo_table::command::CreditSource;
use sicbo_table::ids::{BetId, PersonId, RoundNumber, SessionNumber, StationId, VoucherId};

use sicbo_testkit::script::{START_MS, Script, carry};

const HASH: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";
/// What must not be found in an export: the end of the hash, and of a key's digest.
pub(crate) const SECRETS: [&str; 2] = ["aGFzaGhhc2g", "$argon2id"];

const DIRECTOR: u32 = 1;
const HEAD: u32 = 2;
const SHIFT: u32 = 3;
const CASHIER: u32 = 4;
const TECHNICIAN: u32 = 5;
const DEALER: u32 = 6;
const NEWCOMER: PersonId = PersonId(7);

const A: &str = "mbs-etg";
const B: &str = "rws-etg";

fn place(table: &str, station: u32) -> Place {
    Place {
        table: TableName::new(table).expect("a name"),
        station: StationId(station),
    }
}

fn person(name: &str, position: Position) -> NewPerson {
    NewPerson {
        name: name.to_owned(),
        position,
        pin: HASH.to_owned(),
    }
}

fn by(id: u32) -> Party {
    Party::Person(PersonId(id))
}

fn terms(voucher_days: u16) -> Terms {
    Terms {
        site: "Sông Hoài Casino".to_owned(),
        voucher_days,
        hand_pay_above: vec![(Currency::SGD, Money::from_minor(500_000))],
    }
}

/// A house being run.
pub(crate) struct House {
    store: SqliteStore,
    writer: WriterLoop<Register, u64>,
    tables: [Script<SqliteStore>; 2],
    secret: VoucherSecret,
    key: HouseKey,
    house: KeyId,
    now_ms: i64,
    next: u64,
}

impl House {
    pub(crate) fn ask(&mut self, by: Party, second: Option<u32>, act: Act) -> bool {
        self.next += 1;
        self.now_ms += 250;
        let command = Command {
            id: self.next,
            at_ms: self.now_ms,
            by,
            second: second.map(PersonId),
            act,
        };
        let signer = (&self.key, self.house);
        let answer = carry(
            &mut self.writer,
            &mut self.store,
            signer,
            self.next,
            command,
        );
        matches!(answer, Answer::Done { .. })
    }

    fn must(&mut self, by: Party, act: Act) {
        assert!(self.ask(by, None, act.clone()), "{act:?}");
    }

    fn ours(&mut self, act: Act) {
        self.must(Party::House, act);
    }

    fn table(&mut self, table: usize, by: Actor, act: TableAct) {
        let answer = self.tables[table].ask(by, None, act.clone());
        assert!(matches!(answer, Answer::Done { .. }), "{act:?}: {answer:?}");
    }

    fn log_in(&mut self, name: &str, right: Option<(u32, u32)>, place: Option<EnrolmentId>) {
        let right = right.map(|(person, pin_version)| PinRight {
            person: PersonId(person),
            pin_version,
        });
        let name = name.to_owned();
        self.ours(Act::LogIn { name, right, place });
    }

    fn digest(&self, voucher: VoucherId) -> [u8; 32] {
        self.secret.digest(self.secret.number(voucher, 0))
    }

    fn reserve(&mut self, amount: i64) -> VoucherId {
        self.ours(Act::ReserveVoucher {
            origin: place(A, 0),
            station_name: "T1".to_owned(),
            currency: Currency::SGD,
            amount: Money::from_minor(amount),
        });
        VoucherId(self.writer.state().last_voucher)
    }

    /// Reserved, cashed out, issued and at the printer.
    fn at_printer(&mut self, amount: i64) -> VoucherId {
        let voucher = self.reserve(amount);
        let amount = Money::from_minor(amount);
        let station = StationId(0);
        let out = TableAct::CashOut {
            station,
            amount,
            voucher,
        };
        self.table(0, Actor::Station(station), out);
        let digest = self.digest(voucher);
        self.ours(Act::IssueVoucher {
            voucher,
            amount,
            digest,
            attempt: 0,
        });
        self.ours(Act::BeginPrint { voucher });
        voucher
    }

    fn printed(&mut self, amount: i64) -> VoucherId {
        let voucher = self.at_printer(amount);
        self.ours(Act::ReportPrinted { voucher });
        self.table(0, Actor::House, TableAct::ForgetVoucher { voucher });
        voucher
    }

    fn present(&mut self, digest: [u8; 32], to: Payee, second: Option<u32>) {
        let who = match to {
            Payee::Station(_) => Party::House,
            Payee::Cage { cashier } => Party::Person(cashier),
        };
        let act = Act::BeginRedeem {
            request: self.next,
            digest,
            to,
            currency: Currency::SGD,
            claimed: None,
        };
        assert!(self.ask(who, second, act.clone()), "{act:?}");
    }

    fn people(&mut self) {
        self.ours(Act::NamePositions {
            names: vec!["Vice President, Table Games".to_owned()],
        });
        self.ours(Act::SetUp {
            terms: terms(30),
            staff: vec![
                person("Tan Wei Ming", Position::Director),
                person("Lim Ah Hock", Position::HeadOfOperations),
                person("Nguyễn Thị Lan", Position::ShiftManager),
                person("Rosa Alvarez", Position::Cashier),
                person("Jan Novak", Position::Technician),
                person("Ann Lee", Position::Dealer),
            ],
            places: vec![
                NewEnrolment {
                    role: Role::Station {
                        table: TableName::new(A).expect("a name"),
                        station: StationId(0),
                    },
                    name: "T1".to_owned(),
                    key: Key::new([1; 32]).digest(),
                },
                NewEnrolment {
                    role: Role::Cage,
                    name: "Window 1".to_owned(),
                    key: Key::new([2; 32]).digest(),
                },
            ],
        });
        for id in 1..=6 {
            let old = PinRight {
                person: PersonId(id),
                pin_version: 1,
            };
            let pin = HASH.to_owned();
            self.must(by(id), Act::ChangePin { old, pin });
        }
        self.must(by(DIRECTOR), Act::ChangeTerms { terms: terms(60) });
        for _ in 0..5 {
            self.log_in("ann lee", None, Some(EnrolmentId(2)));
        }
        self.log_in("Nobody", None, None);
        // A name typed with a space too many.
        self.log_in(" Rosa Alvarez", None, None);
        let person = PersonId(DEALER);
        self.must(by(SHIFT), Act::LiftLock { person });
        self.log_in("Ann Lee", Some((DEALER, 2)), None);
        let (session, why) = (SessionId(1), LogOutReason::Asked);
        self.must(by(DEALER), Act::LogOut { session, why });
        let person = person_added();
        self.must(by(DIRECTOR), Act::AddPerson { person });
        self.log_in("Chua Bee Leng", Some((NEWCOMER.0, 1)), None);
        let (person, position) = (NEWCOMER, Position::Cashier);
        self.must(by(DIRECTOR), Act::ChangePosition { person, position });
        let pin = HASH.to_owned();
        self.must(by(DIRECTOR), Act::ResetPin { person, pin });
        self.log_in("Chua Bee Leng", Some((NEWCOMER.0, 2)), None);
        let reason = "left the house".to_owned();
        self.must(by(DIRECTOR), Act::Disable { person, reason });
        let pin = HASH.to_owned();
        self.must(by(DIRECTOR), Act::Enable { person, pin });
        // Once too often at a time, then the program starts again.
        for _ in 0..5 {
            self.log_in("Tan Wei Ming", Some((DIRECTOR, 2)), None);
        }
        self.ours(Act::EndSessions);
        let new = NewEnrolment {
            role: Role::PitDesk,
            name: "Pit 1".to_owned(),
            key: Key::new([3; 32]).digest(),
        };
        self.must(by(TECHNICIAN), Act::Enrol { new });
        self.log_in("Ann Lee", Some((DEALER, 2)), Some(EnrolmentId(3)));
        let (enrolment, reason) = (EnrolmentId(3), "its key was seen".to_owned());
        self.must(by(TECHNICIAN), Act::Revoke { enrolment, reason });
    }

    fn vouchers(&mut self) {
        let cage = || Payee::Cage {
            cashier: PersonId(CASHIER),
        };
        let there = || Payee::Station(place(B, 1));
        // From one table to the other.
        let voucher = self.printed(2_500);
        self.present(self.digest(voucher), there(), None);
        let credit = TableAct::BuyCredit {
            station: StationId(1),
            source: CreditSource::Voucher(voucher),
            amount: Money::from_minor(2_500),
        };
        self.table(1, Actor::House, credit);
        self.ours(Act::FinishRedeem { voucher });
        self.table(1, Actor::House, TableAct::ForgetVoucher { voucher });
        self.present(self.digest(voucher), cage(), None);
        // No credit for it.
        let voucher = self.reserve(100);
        self.ours(Act::ReleaseReservation { voucher });
        // Could not be printed: back to the station, or kept by the cage.
        for kept in [false, true] {
            let voucher = self.at_printer(700);
            let what = "paper jam".to_owned();
            self.ours(Act::ReportPrintFailed { voucher, what });
            if kept {
                let why = "not_seated".to_owned();
                self.ours(Act::KeepForCage { voucher, why });
                self.table(0, Actor::House, TableAct::ForgetVoucher { voucher });
                self.present(self.digest(voucher), cage(), Some(SHIFT));
            } else {
                let (station, amount) = (StationId(0), Money::from_minor(700));
                let back = TableAct::ReverseCashOut {
                    station,
                    voucher,
                    amount,
                };
                self.table(0, Actor::House, back);
                self.ours(Act::FinishReturn { voucher });
            }
        }
        // Taken, not credited, and made worthless by two.
        let voucher = self.printed(900);
        self.present(self.digest(voucher), there(), None);
        let why = "table_closed".to_owned();
        self.ours(Act::CancelRedeem { voucher, why });
        let reason = "found torn on the floor".to_owned();
        let void = Act::VoidVoucher { voucher, reason };
        assert!(self.ask(by(SHIFT), Some(CASHIER), void));
        // Numbers that are nobody's.
        for guess in 1..=5 {
            self.present([guess; 32], there(), None);
        }
        // One is in somebody's hand, another on its way when the journals end;
        // one has expired before.
        self.printed(1_100);
        self.now_ms += 61 * 86_400_000;
        self.ours(Act::ExpireVouchers);
        self.printed(1_300);
        self.at_printer(1_700);
    }
}

impl House {
    /// Two persons for rights, enrolled places, and credentials that end.
    fn duties(&mut self) {
        // Has not logged in yet when duties come into force: the first PIN gets an end.
        let waiting = person("Mai Tran", Position::Dealer);
        self.must(by(DIRECTOR), Act::AddPerson { person: waiting });
        self.ours(Act::SetDuties {
            duties: Duties::default(),
        });
        self.ours(Act::LimitFirstPins { hours: 24 });
        let new = NewEnrolment {
            role: Role::PitDesk,
            name: "Pit 2".to_owned(),
            key: Key::new([4; 32]).digest(),
        };
        let enrol = Act::Enrol { new };
        assert!(
            self.ask(by(TECHNICIAN), Some(SHIFT), enrol),
            "enrolled by two"
        );
        let (desk, _) = self
            .writer
            .state()
            .enrolments
            .last_key_value()
            .expect("a place");
        let desk = *desk;
        let add = Act::AddPerson {
            person: person("Kwan Li", Position::Director),
        };
        assert!(self.ask(by(DIRECTOR), Some(SHIFT), add), "taken in by two");
        let (newest, _) = self
            .writer
            .state()
            .people
            .last_key_value()
            .expect("a person");
        let newest = *newest;
        self.log_in("Kwan Li", Some((newest.0, 1)), Some(desk));
        let old = PinRight {
            person: newest,
            pin_version: 1,
        };
        let pin = HASH.to_owned();
        self.must(Party::Person(newest), Act::ChangePin { old, pin });
        self.must(by(HEAD), Act::WitnessLogIn { person: newest });
        let posts = Posts {
            tables: vec![TableName::new(A).expect("a name")],
            windows: Vec::new(),
        };
        let person = PersonId(DEALER);
        self.must(by(DIRECTOR), Act::Assign { person, posts });
        self.ours(Act::NoteFailedTry {
            person: Some(person),
            name: "Ann Lee".to_owned(),
            place: Some(desk),
            from: "192.0.2.7".to_owned(),
            wait_until_ms: Some(self.now_ms + 4_000),
        });
        let sealed = "c2VhbGVk".to_owned();
        self.must(Party::Person(newest), Act::SetSecondFactor { sealed });
        self.ours(Act::ExpirePin { person });
        let person = PersonId(CASHIER);
        self.ours(Act::ExpireAccount { person });
    }
}

impl House {
    fn step(&mut self, by: Party, case: u64, step: Step) {
        self.must(
            by,
            Act::StepCase {
                case: CaseId(case),
                acting: None,
                step,
            },
        );
    }

    /// A dispute from the terminal to the authority, and a forged note.
    fn cases(&mut self) {
        let director = by(DIRECTOR);
        let person = person("Hafiz Rahman", Position::Surveillance);
        self.must(director, Act::AddPerson { person });
        let watching = PersonId(8);
        let old = PinRight {
            person: watching,
            pin_version: 1,
        };
        let pin = HASH.to_owned();
        self.must(Party::Person(watching), Act::ChangePin { old, pin });
        let book = RuleBook::all().iter().find(|book| book.id() == A);
        let new = |kind| NewCase {
            kind,
            table: TableName::new(A).expect("a name"),
            ladder: Ladder::of(book.expect("a book")),
            round: Some(RoundNumber(1)),
            station: Some(StationId(0)),
            session: Some(SessionNumber(1)),
            grievance: Grievance::NotPaid,
            words: "I bet Small, it was not paid".to_owned(),
            claimed: Claimed {
                bet: Some(BetId(1)),
                tapped_ms: Some(START_MS),
                sent_ms: Some(START_MS + 40),
            },
            refused: vec![RefusedBet {
                bet: BetId(2),
                at_ms: START_MS + 90,
                code: "bets_closed".to_owned(),
            }],
        };
        let text = |words: &str| words.to_owned();
        let dispute = Box::new(new(Kind::Dispute));
        let place = Party::Place(EnrolmentId(1));
        self.must(place, Act::OpenCase { new: dispute });
        let manager = by(SHIFT);
        self.step(manager, 1, Step::Take);
        let until_ms = self.now_ms + 900_000;
        self.step(manager, 1, Step::Promise { until_ms });
        let bookmark = Step::Bookmark {
            camera: "C-12".to_owned(),
            from_ms: START_MS,
            to_ms: Some(START_MS + 30_000),
            text: text("the layout at the close"),
        };
        self.step(Party::Person(watching), 1, bookmark);
        let note = text("The dealer says the chip lay on Big.");
        self.step(by(DEALER), 1, Step::Note { text: note });
        let why = text("the player asks for the manager");
        self.step(manager, 1, Step::Escalate { text: why });
        self.step(Party::Person(watching), 1, Step::AcknowledgeNotice);
        let decide = Step::Decide {
            outcome: Outcome::Partly,
            bases: Vec::new(),
            text: text("The bet came after the close."),
        };
        self.step(manager, 1, decide);
        let adjusted = Step::LinkAdjustment {
            sequence: 12,
            amount: Money::from_minor(500),
        };
        self.step(manager, 1, adjusted);
        let answer = Said::Disagrees;
        self.step(place, 1, Step::Answer { answer });
        self.step(manager, 1, Step::TellRights);
        let told = text("inspector on duty, by telephone");
        self.step(manager, 1, Step::NotifyAuthority { text: told });
        let asked = text("asks for an investigation");
        self.step(manager, 1, Step::Complain { text: asked });
        let closed = text("with the authority now");
        self.step(manager, 1, Step::Close { text: closed });
        let forged = NewCase {
            round: None,
            grievance: Grievance::Other,
            ..new(Kind::Counterfeit)
        };
        let new = Box::new(forged);
        self.must(by(CASHIER), Act::OpenCase { new });
        let genuine = false;
        let text = text("no thread under the lamp");
        self.step(by(CASHIER), 2, Step::CheckUv { genuine, text });
    }
}

impl House {
    fn two(&mut self, act: Act) {
        assert!(self.ask(by(DIRECTOR), Some(SHIFT), act.clone()), "{act:?}");
    }

    fn dice(&mut self, set: &str, step: DiceStep) {
        let set = DiceSet::new(set).expect("a number");
        self.two(Act::StepDice { set, step });
    }

    /// Two sets of dice, and a shift.
    fn custody(&mut self) {
        let table = || TableName::new(A).expect("a name");
        let text = |words: &str| words.to_owned();
        for set in ["D-0007", "D-0008"] {
            let seal = text("S-1001");
            self.dice(set, DiceStep::Receive { seal });
            let (good, text) = (true, String::new());
            self.dice(set, DiceStep::Inspect { good, text });
            self.dice(set, DiceStep::Place { table: table() });
        }
        let (good, words) = (false, text("a chip on the six"));
        self.dice("D-0007", DiceStep::Inspect { good, text: words });
        let words = text("crushed");
        self.dice("D-0007", DiceStep::Destroy { text: words });
        let words = text("a player doubts them");
        self.dice("D-0008", DiceStep::Quarantine { text: words });
        let ledger = |sequence, drop| Ledger {
            sequence,
            drop: Money::from_minor(drop),
            colour_out: Money::from_minor(drop / 100),
            ..Ledger::default()
        };
        self.two(Act::OpenShift {
            new: NewShift {
                table: table(),
                currency: Currency::SGD,
                opener: Money::from_minor(100_000),
                ledger: ledger(10, 500),
                threshold: Money::from_minor(100),
                rack: Vec::new(),
                boxes: Boxes {
                    drop: "D-17".to_owned(),
                    tips: "T-3".to_owned(),
                },
            },
        });
        self.ours(Act::CountRefusals {
            shift: ShiftId(1),
            refused: vec![Refused {
                code: "bets_closed".to_owned(),
                count: 4,
            }],
        });
        self.two(Act::CloseShift {
            shift: ShiftId(1),
            end: ShiftEnd {
                counts: Counts {
                    closer: Money::from_minor(99_000),
                    drop: None,
                    tips: None,
                },
                ledger: ledger(20, 1_200),
                signed: Some(SignedTo {
                    sequence: 18,
                    header_hash: [6; 32],
                }),
                comment: text("one chip is missing from the rack"),
                rack: vec![Pieces {
                    value: Money::from_minor(1_000),
                    count: 99,
                }],
            },
            next: None,
        });
        // The boxes are opened by two who did not sign for the shift.
        let counters = ["Tay Geok Lan", "Omar Said"].map(|name| self.cashier(name));
        let counted = BoxCount {
            boxes: Boxes {
                drop: "D-17".to_owned(),
                tips: "T-3".to_owned(),
            },
            drop: Money::from_minor(700),
            drop_pieces: vec![Pieces {
                value: Money::from_minor(100),
                count: 7,
            }],
            tips: Money::ZERO,
            tip_pieces: Vec::new(),
        };
        let act = Act::CountBoxes {
            shift: ShiftId(1),
            counted,
        };
        let [one, other] = counters;
        assert!(self.ask(by(one), Some(other), act), "counted by two others");
    }

    /// A cashier is taken in and has a PIN of their own.
    fn cashier(&mut self, name: &str) -> u32 {
        let person = person(name, Position::Cashier);
        self.must(by(DIRECTOR), Act::AddPerson { person });
        let people = &self.writer.state().people;
        let person = *people.last_key_value().expect("a person").0;
        let old = PinRight {
            person,
            pin_version: 1,
        };
        let pin = HASH.to_owned();
        self.must(Party::Person(person), Act::ChangePin { old, pin });
        person.0
    }
}

impl House {
    /// What a player asks to be held to, and play stopped by the house.
    fn play(&mut self) {
        let sitting = Sitting {
            session: SessionNumber(1),
            began_ms: START_MS,
            base: Tally::default(),
            // Half an hour was played, so that a check is due when it is wanted so often.
            seen: Some(Seen {
                check_min: 60,
                clock: PlayClock {
                    played_ms: 1_800_000,
                    last_ms: Some(START_MS),
                },
            }),
        };
        let change = |step| Act::StepPlay {
            place: place(A, 0),
            sitting,
            step,
        };
        let limits = PlayLimits {
            loss: Some(Money::from_minor(20_000)),
            spend: None,
            minutes: Some(120),
        };
        let station = Party::Place(EnrolmentId(1));
        for step in [
            PlayStep::Limit { limits },
            PlayStep::Check { minutes: Some(30) },
            PlayStep::Acknowledge,
            PlayStep::Break { minutes: 20 },
        ] {
            self.must(station, change(step));
        }
        let reason = "on the exclusion list".to_owned();
        self.ours(change(PlayStep::Stop { reason }));
        let reason = "another person's card".to_owned();
        self.must(by(SHIFT), change(PlayStep::Resume { reason }));
        let card = Card {
            member: MemberId([9; 32]),
            currency: Currency::SGD,
        };
        let key = |window, measure| LimitKey { window, measure };
        for step in [
            PlayStep::Present { card },
            PlayStep::Set {
                key: key(Window::Day, Measure::Loss),
                most: Some(5_000),
            },
            PlayStep::Set {
                key: key(Window::Month, Measure::Time),
                most: Some(600),
            },
            PlayStep::Set {
                key: key(Window::Day, Measure::Loss),
                most: None,
            },
        ] {
            self.must(station, change(step));
        }
        self.ours(Act::CountPlays {
            offset_min: 480,
            lines: vec![Counted {
                place: place(A, 0),
                session: SessionNumber(1),
                meters: Tally {
                    staked: Money::from_minor(1_500),
                    returned: Money::from_minor(700),
                },
                clock: PlayClock {
                    played_ms: 90_000,
                    last_ms: Some(START_MS + 95_000),
                },
            }],
        });
        // The machine's clock jumps, and somebody looks.
        self.ours(Act::ReportClock {
            machine_ms: START_MS + 3_600_000,
        });
        let looked = Act::SetClock {
            was_ms: START_MS,
            is_ms: START_MS,
        };
        self.must(by(SHIFT), looked);
        // Two-person acts: one confirmed, one that a restart ends.
        for number in 1..=2 {
            let new = NewProposal {
                table: Some(TableName::new(A).expect("a name")),
                act: "hand_pay".to_owned(),
                words: format!("hand pay {number}"),
                digest: [number; 32],
            };
            self.must(by(SHIFT), Act::Propose { new });
        }
        self.ours(Act::EndProposal {
            proposal: 1,
            end: ProposalEnd::Confirmed {
                second: PersonId(DIRECTOR),
            },
        });
        self.ours(Act::EndProposals);
        let restart = Act::RestartTable {
            table: TableName::new(A).expect("a name"),
            reason: "the disk was changed".to_owned(),
        };
        self.must(by(SHIFT), restart);
        let go_on = Act::GoOnAfterRollback {
            reason: "a backup was restored".to_owned(),
            tree_size: 40,
            known_size: 49,
            life: 2,
        };
        assert!(self.ask(by(SHIFT), Some(DIRECTOR), go_on), "two persons");
        self.ours(Act::NoteSecurity {
            notes: vec![SecurityNote {
                kind: SecurityKind::LogInFailed,
                person: None,
                place: None,
                address: Some("192.0.2.7".to_owned()),
                what: "POST /api/session".to_owned(),
                count: 4,
                first_ms: START_MS,
                last_ms: START_MS + 900,
            }],
        });
        self.ours(Act::NoteTable {
            table: TableName::new(A).expect("a name"),
            reached: Reached {
                sequence: 1,
                header_hash: [5; 32],
            },
        });
    }
}

fn person_added() -> NewPerson {
    person("Chua Bee Leng", Position::Dealer)
}

/// Makes the whole folder.
pub(crate) fn generate(folder: &Path, key: [u8; 32]) {
    let data = DataFolder::create(folder).expect("a new folder");
    let keys = KeyFolder::open_or_create(&data.keys_path(), || key).expect("keys");
    let house = keys.ring().house();
    let tables = [A, B].map(|name| {
        let stream = StreamId::new(name).expect("a name");
        let store = data.create_stream(&stream).expect("a journal");
        let mut script = Script::new(store, &stream, HouseKey::from_entropy(&key), house);
        script.open(name, 2);
        script
    });
    let stream = StreamId::new(register::STREAM).expect("a name");
    let store = data.create_stream(&stream).expect("a journal");
    let options = LoopOptions {
        snapshot_every: 40,
        ..LoopOptions::default()
    };
    let signatory =
        Signatory::of_first_key(HouseKey::from_entropy(&key), WriterSecret::new([9; 32]));
    let recovered = recover::<Register, u64>(&store, &stream, &signatory, options);
    let mut house = House {
        store,
        writer: recovered.expect("brought back").writer_loop,
        tables,
        secret: VoucherSecret::new([42; 32]),
        key: HouseKey::from_entropy(&key),
        house,
        now_ms: START_MS,
        next: 0,
    };
    house.people();
    house.vouchers();
    house.cases();
    house.custody();
    house.play();
    house.duties();
    // As a house of an earlier release does at its first start by this one.
    let check = |name| SecretCheck::of(name, &[42; 32]);
    house.ours(Act::IdentifyHouse {
        identity: Identity {
            kind: HouseKind::PlayMoney,
            pins: check("pins.secret"),
            vouchers: check("vouchers.secret"),
            tumblers: check("tumblers.secret"),
        },
    });
    house.store.fold_log().expect("folded");
    for table in &mut house.tables {
        table.store.fold_log().expect("folded");
    }
}
