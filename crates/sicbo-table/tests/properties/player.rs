//! Who plays: random commands, most of them sensible, some wrong, some hostile.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, Closing, Position, TumbleStep, TumbleWindow, Word as _};
use sicbo_rules::{Currency, Dice, Kind, Money, Outcome, RuleBook, Section};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, Held, IncidentKind, LateKind, NewStation, Part, Ruling,
};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{
    BetId, PendingId, PersonId, RecoverableId, RoundNumber, StationId, UnclaimedId, VoucherId,
};
use sicbo_table::pending::{Pending, Question};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::round::{CoverState, Phase, Round, Tumble};
use sicbo_table::station::{Link, StationKind};
use sicbo_table::table::Status;
use sicbo_table::{Act, Command, Config};

use crate::properties::world::World;
use sicbo_testkit::random::Random;

/// The people of the house.
const PEOPLE: [Position; 10] = [
    Position::Dealer,
    Position::PitSupervisor,
    Position::PitManager,
    Position::ShiftManager,
    Position::Director,
    Position::HeadOfOperations,
    Position::Cashier,
    Position::Surveillance,
    Position::Auditor,
    Position::Technician,
];

fn staff(position: Position) -> Staff {
    let at = PEOPLE.iter().position(|known| *known == position);
    Staff {
        person: PersonId(at.map_or(99, |at| at as u32 + 1)),
        position,
    }
}

fn person(position: Position) -> Actor {
    Actor::Staff(staff(position))
}

const DEALER: Position = Position::Dealer;

/// About as many stations as a table grows to.
const STATIONS: usize = 16;

/// An act with who does it.
type Given = (Actor, Option<Staff>, Act);

fn by(position: Position, act: Act) -> Given {
    (person(position), None, act)
}

/// By the highest on the ladder, with a supervisor as the second.
fn by_two(act: Act) -> Given {
    (
        person(Position::Director),
        Some(staff(Position::PitSupervisor)),
        act,
    )
}

fn house(act: Act) -> Given {
    (Actor::House, None, act)
}

/// Makes commands.
pub(crate) struct Player {
    pub(crate) random: Random,
    /// The book the table first opens with.
    book: Arc<RuleBook>,
    /// Only layouts that pay no half odds are there at first, and steps may be odd.
    odd_steps: bool,
    command: u64,
    bet: u64,
    last_bet: [BetId; STATIONS],
    voucher: u64,
    name: u64,
}

impl Player {
    /// A player from a seed at a table of a book.
    pub(crate) fn new(seed: u64, book: &Arc<RuleBook>) -> Player {
        let mut random = Random(seed);
        Player {
            odd_steps: random.one_in(4),
            random,
            book: book.clone(),
            command: 0,
            bet: 0,
            last_bet: [BetId(0); STATIONS],
            voucher: 0,
            name: 0,
        }
    }

    /// The next command.
    pub(crate) fn next(&mut self, world: &World) -> Command {
        // The last command again, word for word: the network repeated it.
        if self.random.one_in(25) && !world.log.is_empty() {
            let back = self.random.below(world.log.len().min(6)) + 1;
            let (command, _) = &world.log[world.log.len() - back];
            return command.clone();
        }
        let (mut by, mut second, mut act) = self.act(world);
        if self.random.one_in(12) {
            self.spoil(world, &mut by, &mut second, &mut act);
        }
        self.command(by, second, act)
    }

    /// A command with the next id.
    pub(crate) fn command(&mut self, by: Actor, second: Option<Staff>, act: Act) -> Command {
        self.command += 1;
        Command {
            id: self.command,
            at_ms: 1_700_000_000_000 + self.command as i64 * 10,
            by,
            second,
            act,
        }
    }

    fn act(&mut self, world: &World) -> Given {
        let table = &world.table;
        if table.status == Status::Closed {
            return self.open(world);
        }
        let betting = matches!(table.phase(), Some(Phase::Betting | Phase::Closing));
        match self.random.below(100) {
            0..36 => self.forward(world),
            36..70 if betting => self.bet(world),
            36..40 => self.bet(world),
            70..82 => self.money(world),
            82..87 => self.link(world),
            87..93 => self.amend(world),
            93..96 => self.trouble(world),
            96..98 => self.desk(world),
            _ => self.forward(world),
        }
    }

    // ---- the table -----------------------------------------------------

    fn limits(&mut self) -> Limits {
        let steps: &[i64] = if self.odd_steps {
            &[5, 25, 50]
        } else {
            &[10, 50, 100]
        };
        let step = self.random.pick(steps);
        let minimum = step * (1 + self.random.below(2) as i64);
        let limit = Limit {
            minimum: Money::from_minor(minimum),
            maximum: Money::from_minor(minimum * self.random.pick(&[5, 20, 1_000])),
            step: Money::from_minor(step),
        };
        Limits::uniform(
            limit,
            Money::from_minor(self.random.pick(&[5_000, 1_000_000])),
            Money::from_minor(self.random.pick(&[20_000, 2_000_000, 1_000_000_000])),
        )
    }

    fn config(&mut self, book: Arc<RuleBook>) -> Config {
        let tumble = match book.play.tumble_window.is {
            TumbleWindow::Any => self.random.pick(TumbleStep::all()),
            TumbleWindow::BeforeOpen => TumbleStep::BeforeOpen,
            TumbleWindow::BeforeClose => TumbleStep::DuringBetting,
            TumbleWindow::UntilClose => self
                .random
                .pick(&[TumbleStep::BeforeOpen, TumbleStep::DuringBetting]),
            TumbleWindow::AfterClose => TumbleStep::AfterClose,
        };
        Config {
            name: "random".to_owned(),
            book,
            currency: Currency::SGD,
            chip_unit: Money::from_minor(5),
            limits: self.limits(),
            window_ms: 20_000,
            dice_set: format!("dice {}", self.random.below(9)),
            tumble,
            second_reading: self.random.pick(&[
                SecondReading::Never,
                SecondReading::Never,
                SecondReading::Always,
                SecondReading::AbovePayout(Money::from_minor(1_000)),
            ]),
            void_by_supervisor: self.random.one_in(3),
            real_money: false,
            program: [7; 32],
        }
    }

    fn new_station(&mut self, layout: &str, kind: StationKind) -> NewStation {
        self.name += 1;
        NewStation {
            name: format!("S{}", self.name),
            kind,
            layout: layout.to_owned(),
        }
    }

    fn kind(&mut self) -> StationKind {
        let at_table = self.book.play.closes.is == Closing::Announcement;
        if at_table {
            StationKind::Seat
        } else {
            StationKind::Terminal
        }
    }

    fn open(&mut self, world: &World) -> Given {
        // A table that opens again has stations of the book it last played under.
        let book = world.table.book().unwrap_or(&self.book).clone();
        let config = Box::new(self.config(book));
        let mut stations = Vec::new();
        if world.table.config.is_none() {
            let mut layouts: Vec<String> = self.book.layouts.iter().map(|l| l.id.clone()).collect();
            if self.odd_steps {
                let halves = |id: &str| {
                    let layout = self.book.layout(id);
                    layout.is_some_and(|l| l.unpayable(Money::from_minor(1)).next().is_some())
                };
                let whole: Vec<String> = layouts.iter().filter(|id| !halves(id)).cloned().collect();
                if whole.is_empty() {
                    self.odd_steps = false;
                    return self.open(world);
                }
                layouts = whole;
            }
            let kind = self.kind();
            let each = if layouts.len() == 1 { 4 } else { 2 };
            for layout in layouts {
                for _ in 0..each {
                    stations.push(self.new_station(&layout, kind));
                }
            }
            // One more at the same table, sometimes.
            if self.random.one_in(3) {
                let layout = stations[0].layout.clone();
                stations.push(self.new_station(&layout, kind));
            }
        }
        house(Act::OpenTable { config, stations })
    }

    fn dice(&mut self) -> Dice {
        // Triples and near-triples more often than they fall: that is where rules go wrong.
        if self.random.one_in(4) {
            let face = self.random.below(6) as u8 + 1;
            let other = if self.random.one_in(2) {
                face
            } else {
                self.random.below(6) as u8 + 1
            };
            if let Some(dice) = Dice::from_faces([face, other, face]) {
                return dice;
            }
        }
        let at = self.random.below(Outcome::COUNT);
        Outcome::from_index(at).map_or_else(|| unreachable!("below 216"), Outcome::dice)
    }

    // ---- what comes next ------------------------------------------------

    fn forward(&mut self, world: &World) -> Given {
        let table = &world.table;
        let device_failed = table
            .pending
            .iter()
            .any(|p| p.question == Question::DeviceFailure);
        if let Some(pending) = table.holding() {
            return self.decision(pending);
        }
        let Some(round) = table.round.as_deref() else {
            if let Some(pending) = table.pending.first()
                && self.random.one_in(3)
            {
                return self.decision(pending);
            }
            if table.status == Status::Suspended {
                let who = if device_failed {
                    Position::HeadOfOperations
                } else {
                    Position::PitSupervisor
                };
                return by(who, Act::Resume);
            }
            if table.last_round_announced == Some(true) {
                return by(Position::PitSupervisor, Act::CloseTable);
            }
            if table.dice_condemned {
                return by_two(Act::ChangeDice {
                    dice_set: format!("dice {}", self.random.below(9)),
                });
            }
            let first = table
                .config
                .as_ref()
                .is_some_and(|config| config.tumble == TumbleStep::BeforeOpen);
            return by(
                DEALER,
                if first != self.random.one_in(20) {
                    Act::ActivateTumbler
                } else {
                    Act::CallBets
                },
            );
        };
        self.next_in_round(world, round)
    }

    fn next_in_round(&mut self, world: &World, round: &Round) -> Given {
        let table = &world.table;
        let Some(book) = table.book().cloned() else {
            return by(DEALER, Act::CallBets);
        };
        if let Some(cause) = round.must_void {
            return by(
                self.random.pick(&[DEALER, Position::PitSupervisor]),
                Act::DeclareVoid { cause },
            );
        }
        if round.tumble == Tumble::Activated {
            let count = if self.random.one_in(25) {
                self.random.below(3) as u8
            } else {
                3 + self.random.below(5) as u8
            };
            let all_dice_moved = !self.random.one_in(60);
            return by(
                DEALER,
                Act::ReportTumbles {
                    count,
                    all_dice_moved,
                },
            );
        }
        match round.phase {
            Phase::Prepared => by(DEALER, Act::CallBets),
            Phase::Betting => {
                let must = matches!(
                    book.play.tumble_window.is,
                    TumbleWindow::BeforeOpen | TumbleWindow::BeforeClose | TumbleWindow::UntilClose
                );
                if round.tumble == Tumble::None && (must || self.random.one_in(6)) {
                    return by(DEALER, Act::ActivateTumbler);
                }
                if self.random.one_in(5) {
                    (
                        self.random.pick(&[person(DEALER), Actor::House]),
                        None,
                        Act::CloseBets,
                    )
                } else {
                    self.bet(world)
                }
            }
            Phase::Closing => {
                let awaited = |part: &sicbo_table::round::StationRound| {
                    part.awaited && !part.acknowledged && !part.fenced
                };
                let waiting = round.stations.iter().position(awaited);
                let station = StationId(waiting.unwrap_or(0) as u32);
                if self.random.one_in(5) {
                    house(Act::Fence { station })
                } else {
                    (
                        Actor::Station(station),
                        None,
                        Act::AcknowledgeClose {
                            station,
                            round: round.number,
                        },
                    )
                }
            }
            Phase::Closed => self.after_close(world, round, &book),
        }
    }

    fn after_close(&mut self, world: &World, round: &Round, book: &RuleBook) -> Given {
        if self.random.one_in(4) && round.confirmed.is_none() {
            return self.at_seats(world, round);
        }
        if round.tumble == Tumble::None {
            return by(DEALER, Act::ActivateTumbler);
        }
        let button = book.play.deal_button.as_ref().is_some_and(|b| b.is);
        if button && !round.deal_pressed {
            return by(DEALER, Act::PressDeal);
        }
        if round.cover == CoverState::Covered {
            return by(DEALER, Act::Uncover);
        }
        if !round.flat {
            if self.random.one_in(30) {
                return by(
                    DEALER,
                    Act::DeclareVoid {
                        cause: Cause::DieNotFlat,
                    },
                );
            }
            return by(DEALER, Act::ConfirmFlat);
        }
        if round.confirmed.is_some() {
            return if round.lights.is_none() {
                let lit = !self.random.one_in(25);
                let lights = Actor::Device(Device::Lights);
                let who = self.random.pick(&[person(DEALER), lights]);
                (who, None, Act::ReportLights { lit })
            } else {
                by(DEALER, Act::TakeAndPay)
            };
        }
        let Some(keyed) = round.keyed else {
            let dice = self.dice();
            return by(DEALER, Act::KeyDice { dice });
        };
        match self.random.below(12) {
            0 => by(DEALER, Act::ClearKeys),
            1..4 if round.second.is_none() => {
                let dice = if self.random.one_in(6) {
                    self.dice()
                } else {
                    keyed.dice
                };
                let reader = Actor::Device(Device::DiceReader);
                let who = self.random.pick(&[person(Position::PitSupervisor), reader]);
                (who, None, Act::ReadSecond { dice })
            }
            _ => by(DEALER, Act::ConfirmResult),
        }
    }

    /// Answers a decision that waits.
    fn decision(&mut self, pending: &Pending) -> Given {
        let id = pending.id;
        let who = person(pending.by);
        let second = Some(staff(
            self.random
                .pick(&[Position::PitSupervisor, Position::PitManager]),
        ));
        let reason = "as seen".to_owned();
        let rule = |ruling: Ruling| Act::Rule {
            pending: id,
            ruling,
            reason: reason.clone(),
        };
        let act = match &pending.question {
            Question::Interrupted { .. } => Act::ConfirmInterruption {
                pending: id,
                dice_in_place: !self.random.one_in(3),
            },
            Question::ReadingsDisagree => Act::ResolveReadings {
                pending: id,
                dice: self.dice(),
            },
            Question::BetStatus { .. } if self.random.one_in(8) => rule(Ruling::AsTheyLie),
            Question::BetStatus { .. } => rule(Ruling::AtClose),
            Question::ChipsUnrecorded { .. } => Act::AttestPositions {
                pending: id,
                lay_there: self.random.one_in(2),
                bookmark: "camera 4, 12:03:05".to_owned(),
            },
            Question::TerminalOpenCase { .. } | Question::DeviceFailure => rule(Ruling::Accept),
            Question::TechnicalStop { .. } => rule(match self.random.one_in(2) {
                true => Ruling::Affected,
                false => Ruling::NotAffected,
            }),
            _ => {
                if self.random.one_in(2) {
                    rule(Ruling::Conclude)
                } else {
                    rule(Ruling::Void)
                }
            }
        };
        if let Act::ResolveReadings { .. } = act {
            return by_two(act);
        }
        (who, second, act)
    }

    // ---- betting --------------------------------------------------------

    fn station(&mut self, world: &World) -> StationId {
        StationId(self.random.below(world.table.stations.len()) as u32)
    }

    fn line(&mut self, world: &World) -> Line {
        let section = Section::ALL[self.random.below(Section::COUNT)];
        self.line_on(world, section)
    }

    fn line_on(&mut self, world: &World, section: Section) -> Line {
        let limit = world
            .table
            .config
            .as_ref()
            .map(|config| config.limits.of(section.kind()));
        let (minimum, step) = limit.map_or((100, 100), |l| (l.minimum.minor(), l.step.minor()));
        let steps = self.random.pick(&[0, 0, 0, 1, 2, 3, 7]);
        Line {
            section,
            stake: Money::from_minor(minimum.saturating_add(step.saturating_mul(steps))),
        }
    }

    fn offered_line(&mut self, world: &World, station: StationId) -> Line {
        let table = &world.table;
        let layout = table
            .stations
            .get(station.0 as usize)
            .and_then(|station| table.layout_of(station));
        let offered: Vec<Section> = layout.map(|l| l.sections().collect()).unwrap_or_default();
        if offered.is_empty() || self.random.one_in(20) {
            return self.line(world);
        }
        let section = offered[self.random.below(offered.len())];
        self.line_on(world, section)
    }

    fn means(&mut self, world: &World, station: StationId) -> Means {
        match world.table.stations.get(station.0 as usize) {
            Some(s) if s.kind == StationKind::Terminal => Means::Credit,
            Some(s) if s.colour.is_some() && s.credit.is_positive() && self.random.one_in(2) => {
                Means::ColourChips
            }
            _ => Means::CashChips,
        }
    }

    fn bettor(&mut self, world: &World, station: StationId) -> Actor {
        match world.table.stations.get(station.0 as usize) {
            Some(s) if s.kind == StationKind::Seat => person(DEALER),
            _ => Actor::Station(station),
        }
    }

    fn bet_id(&mut self, station: StationId) -> BetId {
        let at = station.0 as usize % STATIONS;
        // An id used before, with other content most likely.
        if self.random.one_in(15) {
            return self.last_bet[at];
        }
        self.bet += 1;
        // Ids need not count up.
        let id = if self.random.one_in(10) {
            BetId(u64::MAX - self.bet)
        } else {
            BetId(self.bet)
        };
        self.last_bet[at] = id;
        id
    }

    fn bet(&mut self, world: &World) -> Given {
        let station = self.station(world);
        let who = self.bettor(world, station);
        let means = self.means(world, station);
        let round = world.table.last_round;
        let bet = self.bet_id(station);
        let part = world
            .table
            .round
            .as_deref()
            .and_then(|r| r.station(station));
        let act = match self.random.below(12) {
            0 => Act::ClearBets {
                station,
                round,
                bet,
            },
            1 | 2 => {
                let there = part.map(|p| match means {
                    Means::ColourChips => p.colour_positions.lines(),
                    _ => p.positions.lines(),
                });
                let mut lines: Vec<Line> = Vec::new();
                if let Some(there) = there.filter(|there| !there.is_empty()) {
                    let line = there[self.random.below(there.len())];
                    let limit = world
                        .table
                        .config
                        .as_ref()
                        .map(|c| c.limits.of(Kind::Small));
                    let step = limit.map_or(Money::from_minor(1), |l| l.step);
                    lines.push(Line {
                        section: line.section,
                        stake: if self.random.one_in(2) {
                            line.stake
                        } else {
                            step
                        },
                    });
                } else {
                    lines.push(self.line(world));
                }
                Act::RemoveBets {
                    station,
                    round,
                    bet,
                    means,
                    lines,
                }
            }
            3 => Act::CallBet {
                station,
                round,
                bet,
                lines: vec![self.offered_line(world, station)],
                chips_present: !self.random.one_in(5),
            },
            n => {
                let count = if n < 10 { 1 } else { 1 + self.random.below(6) };
                let mut lines: Vec<Line> = (0..count)
                    .map(|_| self.offered_line(world, station))
                    .collect();
                // The same section twice in one command.
                if count > 2 && self.random.one_in(3) {
                    lines.push(lines[0]);
                }
                Act::PlaceBets {
                    station,
                    round,
                    bet,
                    means,
                    lines,
                }
            }
        };
        (who, None, act)
    }

    /// What a dealer writes down after the close at a physical table.
    fn at_seats(&mut self, world: &World, round: &Round) -> Given {
        let station = self.station(world);
        let number = round.number;
        let means = self.means(world, station);
        let there: Vec<Line> = round
            .station(station)
            .map(|part| part.of(means).lines().to_vec())
            .unwrap_or_default();
        let act = match self.random.below(4) {
            0 => Act::RecordPositions {
                station,
                round: number,
                bet: self.bet_id(station),
                means,
                lines: vec![self.offered_line(world, station)],
            },
            1 => {
                let mut lines = there;
                match self.random.below(3) {
                    0 if !lines.is_empty() => {
                        lines.pop();
                    }
                    1 => lines.push(self.offered_line(world, station)),
                    _ => {}
                }
                Act::ObservePositions {
                    station,
                    round: number,
                    means,
                    lines,
                }
            }
            2 if !there.is_empty() => Act::RecordLate {
                station,
                round: number,
                late: self
                    .random
                    .pick(&[LateKind::Withdrawal, LateKind::Increase]),
                means,
                line: there[self.random.below(there.len())],
            },
            _ => Act::RecordLate {
                station,
                round: number,
                late: LateKind::Placement,
                means,
                line: self.offered_line(world, station),
            },
        };
        by(DEALER, act)
    }

    // ---- money ----------------------------------------------------------

    fn money(&mut self, world: &World) -> Given {
        let station = self.station(world);
        let Some(state) = world.table.stations.get(station.0 as usize) else {
            return self.forward(world);
        };
        if state.kind == StationKind::Seat {
            return self.seat_money(world, station);
        }
        let credit = state.credit;
        let part = Money::from_minor((credit.minor() / 2).max(1));
        let amount = if self.random.one_in(2) { credit } else { part };
        let bought = Money::from_minor(50 * (1 + self.random.below(1_000) as i64));
        // Who has nothing cannot play.
        let empty = credit == Money::ZERO && !self.random.one_in(4);
        match if empty { 0 } else { self.random.below(16) } {
            0..5 => {
                let acceptor = Actor::Device(Device::NoteAcceptor);
                let (who, source) = match self.random.below(4) {
                    0 => (person(Position::Cashier), CreditSource::Cage),
                    1 => (person(DEALER), CreditSource::Attendant),
                    2 => {
                        self.voucher += 1;
                        (
                            Actor::House,
                            CreditSource::Voucher(VoucherId(self.voucher / 2 * 2)),
                        )
                    }
                    _ => (acceptor, CreditSource::Cash),
                };
                let act = Act::BuyCredit {
                    station,
                    source,
                    amount: bought,
                };
                (who, None, act)
            }
            5..9 => {
                self.voucher += 1;
                let voucher = VoucherId(1_000_000 + self.voucher);
                let act = Act::CashOut {
                    station,
                    amount,
                    voucher,
                };
                (Actor::Station(station), None, act)
            }
            9 => {
                let given = world.table.vouchers_out.iter().next_back();
                let Some((voucher, given)) = given else {
                    return self.forward(world);
                };
                let (voucher, station, amount) = (*voucher, given.station, given.amount);
                house(Act::ReverseCashOut {
                    station,
                    voucher,
                    amount,
                })
            }
            10 => by(Position::Cashier, Act::TransferOut { station, amount }),
            11 => by_two(Act::HandPay { station, amount }),
            12 => {
                // The house finishes with vouchers in the order it hears of them.
                let out = world.table.vouchers_out.keys().next().copied();
                let used = world.table.vouchers_in.iter().next().copied();
                let first = if self.random.one_in(2) { out } else { used };
                house(Act::ForgetVoucher {
                    voucher: first.unwrap_or(VoucherId(0)),
                })
            }
            _ => {
                let amount = if self.random.one_in(2) { -part } else { part };
                by_two(Act::Adjust {
                    station,
                    amount,
                    reason: "found".to_owned(),
                })
            }
        }
    }

    fn seat_money(&mut self, world: &World, station: StationId) -> Given {
        let state = &world.table.stations[station.0 as usize];
        let value = state.colour.as_ref().map(|colour| colour.value);
        let chips = Money::from_minor(5 * (1 + self.random.below(400) as i64));
        let act = match self.random.below(11) {
            10 => {
                let amount = if self.random.one_in(2) { -chips } else { chips };
                let round = world.table.last_record.as_deref().map(|last| last.number);
                return by_two(Act::SettleCase {
                    station,
                    session: state.session,
                    case: 1 + self.random.below(500) as u64,
                    decision: 1 + self.random.below(2) as u32,
                    round,
                    amount,
                    reason: "upheld".to_owned(),
                });
            }
            0 | 1 => {
                let how = self.random.pick(&[
                    ChipMove::Bought,
                    ChipMove::Brought,
                    ChipMove::TakenAway,
                    ChipMove::Fill,
                    ChipMove::CreditSlip,
                    ChipMove::Tip,
                ]);
                let act = Act::MoveChips {
                    how,
                    amount: chips,
                    slip: "slip 1".to_owned(),
                };
                return by_two(act);
            }
            2 | 3 if value.is_none() => Act::AssignColour {
                station,
                colour: format!("colour {}", self.random.below(6)),
                value: Money::from_minor(self.random.pick(&[5, 50, 100, 200])),
            },
            2 => Act::ReleaseColour { station },
            n => {
                let unit = value.unwrap_or(Money::from_minor(5)).minor();
                let how = match n {
                    4..7 => ColourMove::BoughtWithCash,
                    7 => ColourMove::ExchangedFromChips,
                    _ => ColourMove::ExchangedForChips,
                };
                let amount = if how == ColourMove::ExchangedForChips && self.random.one_in(2) {
                    state.credit
                } else {
                    Money::from_minor(unit * (1 + self.random.below(60) as i64))
                };
                Act::MoveColour {
                    station,
                    how,
                    amount,
                }
            }
        };
        by(DEALER, act)
    }

    // ---- connections ----------------------------------------------------

    fn link(&mut self, world: &World) -> Given {
        let table = &world.table;
        let offline = table.stations.iter().position(|station| {
            station.kind == StationKind::Terminal
                && station.link == Link::Offline
                && !station.removed
        });
        let station = self.station(world);
        match offline {
            Some(at) if !self.random.one_in(4) => house(Act::Connect {
                station: StationId(at as u32),
            }),
            _ if self.random.one_in(4) => house(Act::Fence { station }),
            _ if self.random.one_in(3) => (
                Actor::Station(station),
                None,
                Act::AcknowledgeClose {
                    station,
                    round: table.last_round,
                },
            ),
            _ => house(Act::Disconnect { station }),
        }
    }

    // ---- amendments ------------------------------------------------------

    /// A round to amend: mostly a recent one.
    fn record(&mut self, world: &World) -> Option<Arc<RoundRecord>> {
        let records = &world.records;
        if records.is_empty() {
            return None;
        }
        let back = if self.random.one_in(4) {
            records.len()
        } else {
            records.len().min(4)
        };
        let record = &records[records.len() - 1 - self.random.below(back)];
        Some(record.clone())
    }

    /// A correction of a round to other dice.
    pub(crate) fn correction(&mut self, record: &Arc<RoundRecord>, dice: Dice) -> Given {
        let faces = dice.faces();
        let turned = Dice::from_faces([faces[1], faces[2], faces[0]]).unwrap_or(dice);
        by_two(Act::CorrectResult {
            record: record.clone(),
            dice,
            second_dice: turned,
            evidence: "camera 3".to_owned(),
            conducted: Some(true),
        })
    }

    /// A settled round, with its dice and others.
    pub(crate) fn settled(&mut self, world: &World) -> Option<(Arc<RoundRecord>, Dice, Dice)> {
        let record = self.record(world)?;
        let Standing::Settled(was) = record.standing else {
            return None;
        };
        let other = self.dice();
        (other.sorted() != was.sorted()).then_some((record, was, other))
    }

    fn amend(&mut self, world: &World) -> Given {
        let table = &world.table;
        match self.random.below(12) {
            0..4 => {
                let Some(record) = self.record(world) else {
                    return self.forward(world);
                };
                let dice = self.dice();
                self.correction(&record, dice)
            }
            4 => {
                let count = 1 + self.random.below(3);
                let records: Vec<_> = (0..count).filter_map(|_| self.record(world)).collect();
                let causes = [
                    Some(Cause::DiceDamaged),
                    Some(Cause::TooFewTumbles),
                    Some(Cause::DieNotFlat),
                    None,
                ];
                let cause = causes[self.random.below(causes.len())];
                by_two(Act::VoidRounds {
                    records,
                    cause,
                    pending: None,
                    reason: "a chipped die".to_owned(),
                })
            }
            5..9 => {
                let count = table.recoverables.len();
                let entry = table.recoverables.values().nth(self.random.below(count));
                let Some(entry) = entry else {
                    return self.forward(world);
                };
                let free = table.stations[entry.station.0 as usize].credit;
                let amount = match self.random.below(3) {
                    0 => entry.amount,
                    1 => Money::from_minor((entry.amount.minor() / 2).max(1)),
                    _ => entry.amount.min(free),
                };
                by(
                    Position::Director,
                    Act::Recover {
                        recoverable: entry.id,
                        amount,
                    },
                )
            }
            9 => {
                let count = table.recoverables.len();
                let entry = table.recoverables.values().nth(self.random.below(count));
                by(
                    Position::Director,
                    Act::Waive {
                        recoverable: entry.map_or(RecoverableId(1), |entry| entry.id),
                        reason: "goodwill".to_owned(),
                    },
                )
            }
            _ => {
                let count = table.unclaimed.len();
                let entry = table.unclaimed.values().nth(self.random.below(count));
                by(
                    Position::Director,
                    Act::PayUnclaimed {
                        unclaimed: entry.map_or(UnclaimedId(1), |entry| entry.id),
                    },
                )
            }
        }
    }

    // ---- trouble ---------------------------------------------------------

    fn trouble(&mut self, world: &World) -> Given {
        let what = "something".to_owned();
        match self.random.below(9) {
            0..3 => {
                let cause = self.random.pick(Cause::all());
                by(
                    self.random.pick(&[DEALER, Position::PitSupervisor]),
                    Act::DeclareVoid { cause },
                )
            }
            3 => by(
                Position::Director,
                Act::RuleVoid {
                    reason: "a cat on the table".to_owned(),
                },
            ),
            4 => {
                let about = self.random.pick(&[Held::Uncovered, Held::Interpretation]);
                by(DEALER, Act::Hold { what, about })
            }
            5 => house(Act::Interrupt { what }),
            6 => {
                let tumbler = Actor::Device(Device::Tumbler);
                let who = self.random.pick(&[tumbler, person(DEALER)]);
                let part = self.random.pick(&Part::ALL);
                (who, None, Act::ReportDeviceFailure { what, part })
            }
            // The machine runs by itself, in or out of order.
            7 => (Actor::Device(Device::Tumbler), None, Act::ActivateTumbler),
            _ => (
                Actor::Station(self.station(world)),
                None,
                Act::RaiseIncident {
                    kind: IncidentKind::CallAttendant,
                    note: what,
                },
            ),
        }
    }

    fn desk(&mut self, world: &World) -> Given {
        let table = &world.table;
        let station = self.station(world);
        match self.random.below(14) {
            0 => by(DEALER, Act::AnnounceLastRound),
            1 => by(
                Position::PitSupervisor,
                Act::Suspend {
                    reason: "a break".to_owned(),
                },
            ),
            2..5 => by(
                Position::PitManager,
                Act::ChangeLimits {
                    limits: Box::new(self.limits()),
                },
            ),
            5..8 => {
                let books = RuleBook::all();
                let book = books[self.random.below(books.len())].clone();
                by(Position::PitManager, Act::ChangeRuleBook { book })
            }
            8 | 9 => {
                if table.stations.len() >= STATIONS {
                    return house(Act::RemoveStation { station });
                }
                let Some(book) = table.book() else {
                    return self.forward(world);
                };
                let layout = book.layouts[self.random.below(book.layouts.len())]
                    .id
                    .clone();
                let kind = self
                    .random
                    .pick(&[StationKind::Terminal, StationKind::Seat]);
                let station = self.new_station(&layout, kind);
                house(Act::AddStation { station })
            }
            10 => {
                let empty = |s: &sicbo_table::station::Station| {
                    !s.removed && s.credit == Money::ZERO && s.at_risk == Money::ZERO
                };
                let found = table.stations.iter().position(empty);
                let station = found.map_or(station, |at| StationId(at as u32));
                house(Act::RemoveStation { station })
            }
            11 => {
                let position = self.random.pick(&[DEALER, Position::PitSupervisor]);
                let person = PersonId(1 + self.random.below(6) as u32);
                by(
                    Position::PitSupervisor,
                    Act::AssignActing { person, position },
                )
            }
            12 => {
                let acting = table.acting.iter().next().copied();
                let (person, position) = acting.unwrap_or((PersonId(1), DEALER));
                by(Position::Director, Act::EndActing { person, position })
            }
            _ => by_two(Act::ChangeDice {
                dice_set: "dice 9".to_owned(),
            }),
        }
    }

    // ---- hostile ----------------------------------------------------------

    fn wild_money(&mut self) -> Money {
        let random = self.random.next() as i64;
        Money::from_minor(self.random.pick(&[
            0,
            -1,
            1,
            7,
            i64::MIN,
            i64::MIN + 1,
            i64::MAX,
            i64::MAX - 1,
            100_000_000_000,
            100_000_000_001,
            -100_000_000_001,
            random,
        ]))
    }

    fn wild_station(&mut self, world: &World) -> StationId {
        match self.random.below(3) {
            0 => StationId(u32::MAX),
            1 => StationId(world.table.stations.len() as u32),
            _ => self.station(world),
        }
    }

    fn wild_round(&mut self, world: &World) -> RoundNumber {
        let last = world.table.last_round.0;
        RoundNumber(
            self.random
                .pick(&[0, last, last + 1, last.saturating_sub(1), u64::MAX]),
        )
    }

    /// Turns a command into one that someone hostile or confused would send.
    fn spoil(&mut self, world: &World, by: &mut Actor, second: &mut Option<Staff>, act: &mut Act) {
        match self.random.below(6) {
            0 => {
                *by = match self.random.below(4) {
                    0 => person(self.random.pick(&PEOPLE)),
                    1 => Actor::Station(self.wild_station(world)),
                    2 => Actor::Device(self.random.pick(&[
                        Device::Tumbler,
                        Device::DiceReader,
                        Device::Lights,
                        Device::NoteAcceptor,
                    ])),
                    _ => Actor::House,
                };
            }
            1 => *second = None,
            2 => {
                if let Actor::Staff(one) = by {
                    *second = Some(*one);
                }
            }
            _ => self.spoil_act(world, act),
        }
    }

    fn spoil_act(&mut self, world: &World, act: &mut Act) {
        let (wild, station_id, round_number) = (
            self.wild_money(),
            self.wild_station(world),
            self.wild_round(world),
        );
        let first = self.random.one_in(2);
        match act {
            Act::PlaceBets {
                station,
                round,
                lines,
                means,
                ..
            }
            | Act::RemoveBets {
                station,
                round,
                lines,
                means,
                ..
            }
            | Act::RecordPositions {
                station,
                round,
                lines,
                means,
                ..
            } => match self.random.below(6) {
                0 => *station = station_id,
                1 => *round = round_number,
                2 => lines.clear(),
                3 => *lines = vec![self.line(world); self.random.pick(&[100, 104, 105, 3_000])],
                4 => {
                    *means =
                        self.random
                            .pick(&[Means::Credit, Means::CashChips, Means::ColourChips]);
                }
                _ => {
                    if let Some(line) = lines.first_mut() {
                        line.stake = wild;
                    }
                }
            },
            Act::CallBet { lines, .. } | Act::ObservePositions { lines, .. } => {
                if let Some(line) = lines.first_mut() {
                    line.stake = wild;
                }
            }
            Act::RecordLate { line, .. } => line.stake = wild,
            Act::ClearBets { station, round, .. } | Act::AcknowledgeClose { station, round } => {
                if first {
                    *station = station_id;
                } else {
                    *round = round_number;
                }
            }
            Act::BuyCredit {
                station, amount, ..
            }
            | Act::CashOut {
                station, amount, ..
            }
            | Act::TransferOut { station, amount }
            | Act::HandPay { station, amount }
            | Act::ReverseCashOut {
                station, amount, ..
            }
            | Act::MoveColour {
                station, amount, ..
            }
            | Act::Adjust {
                station, amount, ..
            }
            | Act::SettleCase {
                station, amount, ..
            } => {
                if first {
                    *station = station_id;
                } else {
                    *amount = wild;
                }
            }
            Act::AssignColour { value, .. } => *value = wild,
            Act::MoveChips { amount, .. } | Act::Recover { amount, .. } => *amount = wild,
            Act::Connect { station }
            | Act::Disconnect { station }
            | Act::Fence { station }
            | Act::RemoveStation { station }
            | Act::ReleaseColour { station } => *station = station_id,
            Act::ReportTumbles { count, .. } => *count = self.random.next() as u8,
            Act::Rule {
                pending,
                ruling,
                reason,
            } => match self.random.below(3) {
                0 => *pending = PendingId(self.random.next()),
                1 => *ruling = Ruling::AsTheyLie,
                _ => reason.clear(),
            },
            Act::ConfirmInterruption { pending, .. }
            | Act::ResolveReadings { pending, .. }
            | Act::AttestPositions { pending, .. } => {
                *pending = PendingId(pending.0 + 1);
            }
            Act::Suspend { reason } | Act::RuleVoid { reason } => {
                *reason = " ".repeat(self.random.pick(&[0, 3, 5_000]));
            }
            Act::CorrectResult {
                record,
                second_dice,
                ..
            } => {
                if first {
                    spoil_record(record, &mut self.random);
                } else {
                    *second_dice = self.dice();
                }
            }
            Act::VoidRounds { records, .. } => match self.random.below(3) {
                0 => records.clear(),
                1 => records.extend(records.first().cloned()),
                _ => {
                    if let Some(record) = records.first_mut() {
                        spoil_record(record, &mut self.random);
                    }
                }
            },
            Act::ChangeLimits { limits } => {
                let kind = self.random.below(Kind::ALL.len());
                match self.random.below(4) {
                    0 => limits.by_kind[kind].step = wild,
                    1 => limits.by_kind[kind].maximum = wild,
                    2 => limits.station_maximum = wild,
                    _ => limits.exposure_maximum = wild,
                }
            }
            Act::OpenTable { config, stations } => match self.random.below(4) {
                0 => config.chip_unit = wild,
                1 => config.limits.by_kind[0].step = wild,
                2 => config.window_ms = 0,
                _ => stations.extend(stations.first().cloned()),
            },
            _ => {}
        }
    }
}

/// A record that is out of date, or of a round that has not ended.
fn spoil_record(record: &mut Arc<RoundRecord>, random: &mut Random) {
    let record = Arc::make_mut(record);
    match random.below(2) {
        0 => record.revision += 1,
        _ => record.number = RoundNumber(record.number.0 + 1_000),
    }
}
