//! What a dishonest person asks of the register beyond rights, places and vouchers: cases, shifts,
//! dice, play, clocks and what only the program itself enters. With the usual entries of
//! [`super::attempt`] that is every act there is, which a test holds against the list of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sicbo_house::house::House;
use sicbo_plan::HousePlan;
use sicbo_register::case::{
    Answer, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Outcome, Step,
};
use sicbo_register::command::{Act, PinRight, Terms};
use sicbo_register::dice::{DiceSet, DiceStep};
use sicbo_register::enrolment::{NewEnrolment, Role, TableName};
use sicbo_register::identity::{HouseKind, Identity, SecretCheck};
use sicbo_register::person::NewPerson;
use sicbo_register::play::{PlayStep, Sitting, Tally};
use sicbo_register::proposal::NewProposal;
use sicbo_register::reached::Reached;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::shift::{BoxCount, Boxes, Counts, Ledger, NewShift, ShiftEnd, ShiftId};
use sicbo_register::voucher::Place;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::{PersonId, RoundNumber, SessionNumber, StationId};
use sicbo_wire::pit::{HouseAct, ledger};

use super::super::{PIN, key_of};
use super::attempt::Sight;
use crate::random::Random;

/// What somebody can see of a table whose register acts they try.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) table: TableName,
    pub(super) ladder: Ladder,
    pub(super) ledger: Ledger,
    /// Whoever sits at the stations.
    pub(super) sittings: BTreeMap<StationId, Sitting>,
    pub(super) open_shift: Option<ShiftId>,
    pub(super) cases: Vec<CaseId>,
    pub(super) terms: Terms,
}

impl Counter {
    /// What there is to see; nothing of a table that is out of service.
    pub(super) fn of(house: &Arc<House>, name: &str) -> Option<Counter> {
        let at = house.table_at(name)?;
        let (ladder, ledger, stations) = {
            let state = at.hub.state();
            let books = ledger(state.version, &state.table);
            let stations = state.table.stations.len() as u32;
            (Ladder::of(state.table.book()?), books, stations)
        };
        let now_ms = house.clock.now_ms();
        let seated = (0..stations).map(StationId).filter_map(|station| {
            let (seated, _) = at.hub.seated(station, now_ms)?;
            Some((station, house.sitting(&seated)))
        });
        let sittings = seated.collect();
        let register = house.desk.register();
        Some(Counter {
            table: at.hub.name.clone(),
            ladder,
            ledger,
            sittings,
            open_shift: register.open_shift(&at.hub.name).map(|(id, _)| id),
            cases: register.cases.keys().rev().take(6).copied().collect(),
            terms: register.terms.clone()?,
        })
    }

    fn case(&self, random: &mut Random) -> CaseId {
        match self.cases.is_empty() {
            true => CaseId(1),
            false => *random.pick(&self.cases),
        }
    }

    fn case_step(&self, random: &mut Random, money: Money) -> Step {
        let text = "so it is".to_owned();
        let bases = vec![1];
        let silent = (2..=self.ladder.bases).collect();
        let outcome = match random.chance(700) {
            true => Outcome::Upheld,
            false => Outcome::Rejected,
        };
        match random.below(14) {
            0 | 1 => Step::Take,
            2 => Step::Note { text },
            3 => Step::Escalate { text },
            4 => Step::AcknowledgeNotice,
            5 if self.ladder.bases == 0 => Step::Decide {
                outcome,
                bases: Vec::new(),
                text,
            },
            5 | 6 => Step::DecideOnEach {
                outcome,
                bases,
                silent,
                text,
            },
            7 => Step::LinkAdjustment {
                sequence: random.below(self.ledger.sequence.max(1)) + 1,
                amount: money,
            },
            8 => Step::Answer {
                answer: Answer::Agrees,
            },
            9 => Step::TellRights,
            10 => Step::NotifyAuthority { text },
            11 => Step::Complain { text },
            12 => Step::CheckUv {
                genuine: true,
                text,
            },
            _ => Step::Close { text },
        }
    }

    fn play_step(random: &mut Random) -> PlayStep {
        let reason = "a friend".to_owned();
        match random.below(8) {
            // Seldom: who stops all play has nobody left to rob.
            0 if random.chance(100) => PlayStep::Stop { reason },
            0..=2 => PlayStep::Resume { reason },
            3 => PlayStep::Break { minutes: 600 },
            4 => PlayStep::Check { minutes: None },
            5 => PlayStep::Limit {
                limits: sicbo_register::play::PlayLimits::default(),
            },
            _ => PlayStep::Acknowledge,
        }
    }

    /// Dice change hands, as in the rooms of the pit.
    fn dice(&self, random: &mut Random) -> Option<Act> {
        let text = "worn".to_owned();
        let step = match random.below(5) {
            0 => DiceStep::Receive { seal: text },
            1 => DiceStep::Inspect { good: true, text },
            2 => DiceStep::Place {
                table: self.table.clone(),
            },
            3 => DiceStep::Remove { text },
            _ => DiceStep::Quarantine { text },
        };
        let set = DiceSet::new(&format!("D{}", random.below(4)))?;
        Some(Act::StepDice { set, step })
    }

    fn end_of_shift(&self, drop: Money) -> ShiftEnd {
        ShiftEnd {
            counts: Counts {
                closer: Money::from_minor(0),
                drop: Some(drop),
                tips: Some(Money::from_minor(0)),
            },
            ledger: self.ledger,
            signed: None,
            comment: "counted".to_owned(),
            rack: Vec::new(),
        }
    }

    /// One of the acts that the usual list has not; the number of `which` chooses.
    pub(super) fn entry(&self, sight: &Sight, random: &mut Random, which: u64) -> Act {
        let me = PersonId(sight.me);
        let person = PersonId(random.below(sight.people + 1) as u32 + 1);
        let voucher = sight.voucher(random);
        let money = Money::from_minor(random.between(1, 600_000));
        let table = self.table.clone();
        let what = "it said so".to_owned();
        let station = StationId(random.below(sight.stations.max(1)) as u32);
        let place = Place {
            table: table.clone(),
            station,
        };
        let currency = sight.currency.unwrap_or(sicbo_rules::Currency::SGD);
        let right = PinRight {
            person,
            pin_version: random.below(3) as u32 + 1,
        };
        let name = format!("Nobody {}", random.below(500));
        let now_ms = 1_700_000_000_000;
        match which % WAYS {
            0 => Act::SetUp {
                terms: self.terms.clone(),
                staff: vec![NewPerson {
                    name,
                    position: Position::Director,
                    pin: PIN.to_owned(),
                }],
                places: vec![NewEnrolment {
                    role: Role::Cage,
                    name: "a laptop".to_owned(),
                    key: key_of(sicbo_register::enrolment::EnrolmentId(9_999)).digest(),
                }],
            },
            1 => Act::ChangeTerms {
                terms: Terms {
                    voucher_days: random.below(3_000) as u16 + 1,
                    hand_pay_above: Vec::new(),
                    ..self.terms.clone()
                },
            },
            2 => Act::NamePositions { names: vec![name] },
            3 => Act::IdentifyHouse {
                identity: Identity {
                    kind: HouseKind::PlayMoney,
                    pins: SecretCheck([1; 32]),
                    vouchers: SecretCheck([2; 32]),
                    tumblers: SecretCheck([3; 32]),
                },
            },
            4 => Act::LimitFirstPins { hours: 744 },
            5 => Act::LogIn {
                name,
                right: Some(right),
                place: None,
            },
            6 => Act::ProvePin {
                name,
                right: Some(right),
                place: None,
            },
            7 => Act::NoteFailedTry {
                person: Some(person),
                name,
                place: None,
                from: "192.0.2.7".to_owned(),
                wait_until_ms: Some(i64::MAX),
            },
            8 => Act::SetSecondFactor {
                sealed: "mine".to_owned(),
            },
            9 => Act::ExpirePin { person },
            10 => Act::ExpireAccount { person },
            11 => Act::EndSessions,
            12 => Act::ReserveVoucher {
                origin: place,
                station_name: name,
                currency,
                amount: money,
            },
            13 => Act::ReleaseReservation { voucher },
            14 => Act::BeginPrint { voucher },
            15 => Act::ReportPrinted { voucher },
            16 => Act::ReportPrintFailed { voucher, what },
            17 => Act::FinishReturn { voucher },
            18 => Act::KeepForCage { voucher, why: what },
            19 => Act::FinishRedeem { voucher },
            20 => Act::CancelRedeem { voucher, why: what },
            21 => Act::ExpireVouchers,
            22 | 23 => Act::OpenCase {
                new: Box::new(NewCase {
                    kind: *random.pick(&Kind::ALL),
                    table,
                    ladder: self.ladder.clone(),
                    round: Some(RoundNumber(sight.round.max(1))),
                    station: Some(station),
                    session: None,
                    grievance: Grievance::NotPaid,
                    words: what,
                    claimed: Claimed::default(),
                    refused: Vec::new(),
                }),
            },
            24..=29 => Act::StepCase {
                case: self.case(random),
                acting: random.chance(100).then_some(Position::ShiftManager),
                step: self.case_step(random, money),
            },
            30 => self.dice(random).unwrap_or(Act::ExpireVouchers),
            31 => Act::OpenShift {
                new: NewShift {
                    table,
                    currency,
                    opener: money,
                    ledger: self.ledger,
                    threshold: money,
                    rack: Vec::new(),
                    boxes: Boxes::default(),
                },
            },
            32 => Act::CountRefusals {
                shift: self.open_shift.unwrap_or(ShiftId(1)),
                refused: Vec::new(),
            },
            33 => Act::CloseShift {
                shift: self.open_shift.unwrap_or(ShiftId(1)),
                end: self.end_of_shift(money),
                next: None,
            },
            34..=36 => match self.sittings.get(&station) {
                Some(sitting) => Act::StepPlay {
                    place,
                    sitting: *sitting,
                    step: Counter::play_step(random),
                },
                None => Act::EndProposals,
            },
            37 => Act::CountPlays {
                offset_min: 0,
                lines: Vec::new(),
            },
            38 => Act::ReportClock { machine_ms: 0 },
            39 => Act::SetClock {
                was_ms: now_ms,
                is_ms: now_ms - 86_400_000,
            },
            40 => Act::Propose {
                new: NewProposal {
                    table: Some(table),
                    act: "hand_pay".to_owned(),
                    words: what,
                    digest: [random.below(250) as u8; 32],
                },
            },
            41 => Act::EndProposals,
            42 | 43 => Act::RestartTable {
                table,
                reason: what,
            },
            44 => Act::NoteTable {
                table,
                reached: Reached {
                    sequence: u64::MAX,
                    header_hash: [0; 32],
                },
            },
            45 => Act::NoteSecurity {
                notes: vec![SecurityNote {
                    kind: SecurityKind::LogIn,
                    person: Some(me),
                    place: None,
                    address: None,
                    what,
                    count: 1,
                    first_ms: now_ms,
                    last_ms: now_ms,
                }],
            },
            46 => Act::CountBoxes {
                shift: ShiftId(1),
                counted: BoxCount {
                    drop: money,
                    ..BoxCount::default()
                },
            },
            _ => Act::GoOnAfterRollback {
                reason: what,
                tree_size: 1,
                known_size: 2,
                life: 1,
            },
        }
    }

    /// What the register enters when two persons have agreed on it; nothing for what needs the
    /// rooms and machines that this house has not.
    pub(super) fn entry_of(&self, sight: &Sight, asked: &HouseAct) -> Option<Act> {
        let position = |word: &str| sicbo_wire::staff::word(word, "position").ok();
        let pin = || PIN.to_owned();
        Some(match asked {
            HouseAct::AddPerson {
                name,
                position: held,
            } => Act::AddPerson {
                person: NewPerson {
                    name: name.clone(),
                    position: position(held)?,
                    pin: pin(),
                },
            },
            HouseAct::ChangePosition {
                person,
                position: held,
            } => Act::ChangePosition {
                person: PersonId(*person),
                position: position(held)?,
            },
            HouseAct::ResetPin { person } => Act::ResetPin {
                person: PersonId(*person),
                pin: pin(),
            },
            HouseAct::EnablePerson { person } => Act::Enable {
                person: PersonId(*person),
                pin: pin(),
            },
            HouseAct::Enrol { name, .. } => Act::Enrol {
                new: NewEnrolment {
                    role: Role::Cage,
                    name: name.clone(),
                    key: key_of(sicbo_register::enrolment::EnrolmentId(
                        10_000 + sight.places as u32,
                    ))
                    .digest(),
                },
            },
            HouseAct::VoidVoucher { reason, .. } => Act::VoidVoucher {
                voucher: *sight.vouchers.first()?,
                reason: reason.clone(),
            },
            HouseAct::OpenShift { opener, .. } => Act::OpenShift {
                new: NewShift {
                    table: self.table.clone(),
                    currency: sight.currency?,
                    opener: Money::from_minor(*opener),
                    ledger: self.ledger,
                    threshold: Money::from_minor(1),
                    rack: Vec::new(),
                    boxes: Boxes::default(),
                },
            },
            HouseAct::CloseShift { drop, .. } => Act::CloseShift {
                shift: self.open_shift?,
                end: self.end_of_shift(Money::from_minor(drop.unwrap_or_default())),
                next: None,
            },
            HouseAct::CountBoxes { shift, drop, .. } => Act::CountBoxes {
                shift: ShiftId(*shift),
                counted: BoxCount {
                    drop: Money::from_minor(*drop),
                    ..BoxCount::default()
                },
            },
            // A desk that is revoked is gone for the rest of the world, and dice in the tumbler
            // are a matter of the table as well.
            HouseAct::Revoke { .. }
            | HouseAct::PayKept { .. }
            | HouseAct::GoOnAfterRollback { .. }
            | HouseAct::PlaceDice { .. } => return None,
            HouseAct::ReceiveDice { .. }
            | HouseAct::InspectDice { .. }
            | HouseAct::RemoveDice { .. }
            | HouseAct::QuarantineDice { .. }
            | HouseAct::DestroyDice { .. } => {
                let (set, step) = asked.dice().ok()??;
                Act::StepDice { set, step }
            }
        })
    }
}

/// The names of all acts of the register that a dishonest person tries: `OpenCase`.
#[must_use]
pub fn register_temptations() -> BTreeSet<String> {
    let mut random = Random::new(1);
    let sight = Sight {
        table: "mbs-etg".to_owned(),
        ..Sight::default()
    };
    let plan = HousePlan::trial();
    let config = &plan.tables[0].config;
    let sitting = Sitting {
        session: SessionNumber(1),
        began_ms: 0,
        base: Tally::default(),
        seen: None,
    };
    let counter = Counter {
        table: plan.tables[0].name.clone(),
        ladder: Ladder::of(&config.book),
        ledger: Ledger::default(),
        sittings: BTreeMap::from([(StationId(0), sitting)]),
        open_shift: None,
        cases: Vec::new(),
        terms: plan.terms(),
    };
    let usual = (0..20_000).map(|_| sight.entry(&mut random));
    let mut all: BTreeSet<String> = usual.map(|act| name_of(&act)).collect();
    for which in 0..WAYS {
        all.insert(name_of(&counter.entry(&sight, &mut random, which)));
    }
    all
}

/// An act's name, as the program calls it.
pub(super) fn name_of(act: &Act) -> String {
    let told = format!("{act:?}");
    told.split([' ', '{']).next().unwrap_or_default().to_owned()
}

/// So many numbers choose an act.
const WAYS: u64 = 48;
