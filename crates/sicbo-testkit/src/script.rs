//! Plays a table through the real loop, one command at a time, with fixed
//! times, keys and salts: the same script gives the same bytes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sicbo_journal::{
    DataFolder, HouseKey, KeyId, Signatory, SqliteStore, Store, StreamId, WriterSecret,
};
use sicbo_loop::{Answer, Effect, Input, LoopOptions, Machine, WriterLoop, persist, recover};
use sicbo_rules::rulebook::words::{Position, TumbleStep, TumbleWindow};
use sicbo_rules::{Currency, Dice, Money, RuleBook, Section};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::{ChipMove, CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{BetId, PersonId, StationId};
use sicbo_table::legal::{Step, default_ruling, legal_acts, next_step};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::RoundRecord;
use sicbo_table::round::Phase;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Refusal, Table};

use crate::golden::FIRST_KEY;

/// 2026-11-15 20:00:00 UTC.
pub const START_MS: i64 = 1_794_772_800_000;

/// Deals.
pub const DEALER: Staff = staff(1, Position::Dealer);
/// Decides what a supervisor may.
pub const SUPERVISOR: Staff = staff(2, Position::PitSupervisor);
const MANAGER: Staff = staff(3, Position::PitManager);
const SHIFT: Staff = staff(4, Position::ShiftManager);
const DIRECTOR: Staff = staff(5, Position::Director);
const HEAD: Staff = staff(6, Position::HeadOfOperations);

const fn staff(person: u32, position: Position) -> Staff {
    Staff {
        person: PersonId(person),
        position,
    }
}

/// Bets as `(station, section, stake in minor units)`.
pub type Bets<'b> = &'b [(u32, &'b str, i64)];

/// A table being played.
pub struct Script<S: Store> {
    /// Where it is written.
    pub store: S,
    /// The loop.
    pub writer: WriterLoop<Table, u64>,
    /// What checkpoints are signed with.
    pub key: HouseKey,
    /// The number of that key.
    pub house: KeyId,
    /// Ended rounds as the table had them.
    pub records: BTreeMap<u64, Arc<RoundRecord>>,
    now_ms: i64,
    next: u64,
}

/// Carries a command out, with all that follows from it; the last answer.
pub fn carry<M: Machine>(
    writer: &mut WriterLoop<M, u64>,
    store: &mut dyn Store,
    (key, house): (&HouseKey, KeyId),
    reply: u64,
    command: M::Command,
) -> Answer<M::Refusal> {
    let mut effects = Vec::new();
    let command = Box::new(command);
    writer.step(Input::Submit { reply, command }, &mut effects);
    writer.step(Input::Flush, &mut effects);
    let mut answer = None;
    while !effects.is_empty() {
        for effect in std::mem::take(&mut effects) {
            match effect {
                Effect::Append(order) => {
                    persist(store, key, house, &order).expect("durable");
                    writer.step(Input::Durable, &mut effects);
                }
                Effect::Answer { answer: given, .. } => answer = Some(given),
                Effect::Publish { .. } => {}
                Effect::Stopped { what } => panic!("{what}"),
            }
        }
    }
    answer.expect("an answer")
}

/// The act of a step as a dealer does it, with these dice.
pub fn act_of(step: Step, dice: Dice) -> Act {
    match step {
        Step::ActivateTumbler => Act::ActivateTumbler,
        Step::ReportTumbles => Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        },
        Step::CallBets => Act::CallBets,
        Step::CloseBets => Act::CloseBets,
        Step::PressDeal => Act::PressDeal,
        Step::Uncover => Act::Uncover,
        Step::ConfirmFlat => Act::ConfirmFlat,
        Step::KeyDice => Act::KeyDice { dice },
        Step::ReadSecond => Act::ReadSecond { dice },
        Step::ConfirmResult => Act::ConfirmResult,
        Step::ReportLights => Act::ReportLights { lit: true },
        Step::TakeAndPay => Act::TakeAndPay,
        Step::DeclareVoid { cause } => Act::DeclareVoid { cause },
        Step::RuleVoid => Act::RuleVoid {
            reason: "nothing else is left".to_owned(),
        },
        Step::ChangeDice => Act::ChangeDice {
            dice_set: "dice 2".to_owned(),
        },
        Step::Resume => Act::Resume,
        Step::ConfirmInterruption { pending } => Act::ConfirmInterruption {
            pending,
            dice_in_place: true,
        },
        Step::Rule { pending, ruling } => Act::Rule {
            pending,
            ruling,
            reason: "as the book says".to_owned(),
        },
        other => panic!("no act for {other:?}"),
    }
}

/// A folder for a long journal: in memory, where the machine has that.
#[must_use]
pub fn folder_in_memory() -> tempfile::TempDir {
    let shared = Path::new("/dev/shm");
    let folder = if shared.is_dir() {
        tempfile::tempdir_in(shared)
    } else {
        tempfile::tempdir()
    };
    folder.expect("a folder")
}

impl Script<SqliteStore> {
    /// Opens the table of a book with a journal in a new data folder.
    pub fn in_folder(folder: &Path, stream: &StreamId, book: &str, stations: u32) -> Self {
        let data = DataFolder::create(folder).expect("a new folder");
        let store = data.create_stream(stream).expect("a journal");
        let key = HouseKey::from_entropy(&FIRST_KEY);
        let house = key.id();
        let mut script = Script::new(store, stream, key, house);
        script.open(book, stations);
        script
    }
}

impl<S: Store> Script<S> {
    /// Brings the table back from its store.
    pub fn new(store: S, stream: &StreamId, key: HouseKey, house: KeyId) -> Script<S> {
        let options = LoopOptions {
            snapshot_every: 40,
            ..LoopOptions::default()
        };
        let signatory = Signatory::of_first_key(key.clone(), WriterSecret::new([9; 32]));
        let recovered = recover::<Table, u64>(&store, stream, &signatory, options);
        let recovered = recovered.expect("brought back");
        Script {
            store,
            writer: recovered.writer_loop,
            key,
            house,
            records: BTreeMap::new(),
            now_ms: START_MS,
            next: 0,
        }
    }

    /// The table as it stands.
    pub fn table(&self) -> &Table {
        self.writer.state()
    }

    /// Lets time pass.
    pub fn wait(&mut self, ms: i64) {
        self.now_ms += ms;
    }

    /// Asks and carries everything out.
    pub fn ask(&mut self, by: Actor, second: Option<Staff>, act: Act) -> Answer<Refusal> {
        self.next += 1;
        self.now_ms += 250;
        let command = Command {
            id: self.next,
            at_ms: self.now_ms,
            by,
            second,
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
        if let Some(record) = &self.writer.state().last_record {
            self.records.insert(record.number.0, Arc::clone(record));
        }
        answer
    }

    /// Hands a command in, to be written with those that follow.
    pub fn submit(&mut self, by: Actor, act: Act) {
        self.next += 1;
        let command = Command {
            id: self.next,
            at_ms: self.now_ms,
            by,
            second: None,
            act,
        };
        let mut effects = Vec::new();
        self.writer.submit(self.next, &command, &mut effects);
        assert!(effects.is_empty(), "{effects:?}");
    }

    /// Hands in a bet of 5.00, to be written with those that follow.
    pub fn submit_bet(&mut self, station: u32, bet: u64, section: &str) {
        let act = Act::PlaceBets {
            station: StationId(station),
            round: self.table().last_round,
            bet: BetId(bet),
            means: Means::Credit,
            lines: Self::line(section, 500),
        };
        self.submit(Actor::Station(StationId(station)), act);
    }

    /// Gives new credit to every terminal that has less than 100.00.
    pub fn top_up(&mut self) {
        for at in 0..self.table().stations.len() {
            if self.table().stations[at].credit < Money::from_minor(10_000) {
                self.must(Act::BuyCredit {
                    station: StationId(at as u32),
                    source: CreditSource::Cage,
                    amount: Money::from_minor(1_000_000),
                });
            }
        }
    }

    /// By whoever may; refusals write nothing.
    pub fn done(&mut self, act: Act) -> bool {
        let ways = [
            (Actor::Staff(DEALER), Some(SUPERVISOR)),
            (Actor::Staff(SUPERVISOR), Some(DEALER)),
            (Actor::Staff(MANAGER), Some(SUPERVISOR)),
            (Actor::Staff(SHIFT), Some(SUPERVISOR)),
            (Actor::Staff(DIRECTOR), Some(SUPERVISOR)),
            (Actor::Staff(HEAD), Some(SUPERVISOR)),
            (Actor::House, None),
        ];
        ways.into_iter()
            .any(|(by, second)| matches!(self.ask(by, second, act.clone()), Answer::Done { .. }))
    }

    /// Does it, or fails the test.
    pub fn must(&mut self, act: Act) {
        assert!(self.done(act.clone()), "nobody may {act:?}");
    }

    /// Opens the table of a book with this many stations, for real money.
    pub fn open(&mut self, book: &str, stations: u32) {
        self.open_for(book, stations, true);
    }

    /// For money, or to play.
    pub fn open_for(&mut self, book: &str, stations: u32, real_money: bool) {
        let book = RuleBook::named(book).expect("built in");
        let seats = book.id().contains("table");
        let kind = if seats {
            StationKind::Seat
        } else {
            StationKind::Terminal
        };
        let layouts = &book.layouts;
        let new = (0..stations)
            .map(|i| NewStation {
                name: format!("{}{}", if seats { "S" } else { "T" }, i + 1),
                kind,
                layout: layouts[i as usize % layouts.len()].id.clone(),
            })
            .collect();
        let act = Act::OpenTable {
            config: Box::new(Config {
                real_money,
                ..config(book)
            }),
            stations: new,
        };
        self.must(act);
        if seats {
            for how in [ChipMove::Fill, ChipMove::Bought] {
                let (amount, slip) = (Money::from_minor(10_000_000), "slip 1".to_owned());
                self.must(Act::MoveChips { how, amount, slip });
            }
            return;
        }
        for station in (0..stations).map(StationId) {
            self.must(Act::Connect { station });
            self.must(Act::BuyCredit {
                station,
                source: CreditSource::Cage,
                amount: Money::from_minor(1_000_000),
            });
        }
    }

    fn means(&self, station: u32) -> Means {
        match self.table().stations[station as usize].kind {
            StationKind::Terminal => Means::Credit,
            StationKind::Seat => Means::CashChips,
        }
    }

    fn line(section: &str, stake: i64) -> Vec<Line> {
        vec![Line {
            section: section.parse::<Section>().expect("a section"),
            stake: Money::from_minor(stake),
        }]
    }

    /// Places a bet; whether it was registered.
    pub fn bet(&mut self, station: u32, section: &str, stake: i64) -> bool {
        let act = Act::PlaceBets {
            station: StationId(station),
            round: self.table().last_round,
            bet: BetId(self.next),
            means: self.means(station),
            lines: Self::line(section, stake),
        };
        let by = Actor::Station(StationId(station));
        matches!(self.ask(by, None, act.clone()), Answer::Done { .. }) || self.done(act)
    }

    /// The next step by the book, with these dice; false when there is none.
    pub fn step(&mut self, dice: Dice) -> bool {
        let round = self.table().last_round;
        let Some(step) = next_step(self.table()) else {
            // Terminals are being told of the close.
            let waiting = legal_acts(self.table())
                .into_iter()
                .find_map(|act| match act.step {
                    Step::AcknowledgeClose { station } => Some(station),
                    _ => None,
                });
            let Some(station) = waiting else { return false };
            let act = Act::AcknowledgeClose { station, round };
            let answer = self.ask(Actor::Station(station), None, act);
            return matches!(answer, Answer::Done { .. });
        };
        self.done(act_of(step, dice))
    }

    /// Goes on to a phase of the next round.
    pub fn until(&mut self, phase: Phase, dice: Dice) {
        for _ in 0..100 {
            if self.table().phase() == Some(phase) {
                return;
            }
            assert!(self.step(dice), "stuck at {:?}", next_step(self.table()));
        }
        panic!("{phase:?} is never reached");
    }

    /// Goes on until no round is in hand.
    pub fn finish(&mut self, dice: Dice) {
        for _ in 0..200 {
            if self.table().round.is_none() {
                return;
            }
            if !self.step(dice) {
                let pending = self.table().holding().cloned();
                let ruling = pending.and_then(|pending| {
                    Some((pending.id, default_ruling(self.table(), &pending)?))
                });
                let (pending, ruling) = ruling.expect("a decision");
                let reason = "as the book says".to_owned();
                self.must(Act::Rule {
                    pending,
                    ruling,
                    reason,
                });
            }
        }
        panic!("the round never ends");
    }

    /// Takes bets, and returns when betting is over.
    pub fn take_bets(&mut self, bets: Bets<'_>, dice: Dice) {
        self.until(Phase::Betting, dice);
        let mut late = Vec::new();
        for (station, section, stake) in bets {
            if !self.bet(*station, section, *stake) {
                late.push((*station, *section, *stake));
            }
        }
        self.until(Phase::Closed, dice);
        for (station, section, stake) in late {
            // At a seat the chips are written down when betting has closed.
            self.must(Act::RecordPositions {
                station: StationId(station),
                round: self.table().last_round,
                bet: BetId(self.next),
                means: self.means(station),
                lines: Self::line(section, stake),
            });
        }
    }

    /// A round that is void by a ruling once betting is over.
    pub fn void_round(&mut self, bets: Bets<'_>, dice: [u8; 3]) {
        let dice = Dice::from_faces(dice).expect("dice");
        self.take_bets(bets, dice);
        self.must(Act::RuleVoid {
            reason: "a hand in the tumbler".to_owned(),
        });
        self.finish(dice);
    }

    /// A whole round.
    pub fn round(&mut self, bets: Bets<'_>, dice: [u8; 3]) -> u64 {
        let dice = Dice::from_faces(dice).expect("dice");
        self.take_bets(bets, dice);
        self.finish(dice);
        self.table().last_round.0
    }

    /// How an ended round stands now.
    pub fn record(&self, round: u64) -> Arc<RoundRecord> {
        let record = Arc::clone(&self.records[&round]);
        match self.table().amended.get(&record.number) {
            None => record,
            Some(amended) => Arc::new(RoundRecord {
                standing: amended.standing,
                revision: amended.revision,
                ..RoundRecord::clone(&record)
            }),
        }
    }

    /// Corrects the result of a round; whether that was done.
    pub fn correct(&mut self, round: u64, dice: [u8; 3]) -> bool {
        let dice = Dice::from_faces(dice).expect("dice");
        let record = self.record(round);
        self.done(Act::CorrectResult {
            record,
            dice,
            second_dice: dice,
            evidence: "camera 12".to_owned(),
            conducted: Some(true),
        })
    }
}

fn config(book: &Arc<RuleBook>) -> Config {
    let limit = Limit {
        minimum: Money::from_minor(500),
        maximum: Money::from_minor(100_000),
        step: Money::from_minor(100),
    };
    let tumble = match book.play.tumble_window.is {
        TumbleWindow::Any | TumbleWindow::BeforeOpen => TumbleStep::BeforeOpen,
        TumbleWindow::BeforeClose | TumbleWindow::UntilClose => TumbleStep::DuringBetting,
        TumbleWindow::AfterClose => TumbleStep::AfterClose,
    };
    Config {
        name: format!("table of {}", book.id()),
        book: Arc::clone(book),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(1_000_000),
            Money::from_minor(1_000_000_000),
        ),
        window_ms: 600_000,
        dice_set: "dice 1".to_owned(),
        tumble,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: true,
        program: [0x51; 32],
    }
}
