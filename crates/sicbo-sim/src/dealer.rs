//! The people and devices at the table, by script: the dealer follows the
//! book's order of play, reads real dice, errs now and then, and decisions are
//! taken by whom the book names.

use std::collections::BTreeMap;

use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::{Cause, Matter, Position, TumbleStep};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::authority::decider;
use sicbo_table::command::{Held, IncidentKind, Part, Ruling};
use sicbo_table::ids::{PersonId, RoundNumber};
use sicbo_table::pending::{Pending, Question};
use sicbo_table::record::Standing;
use sicbo_table::round::{CoverState, Phase, Round, Tumble};
use sicbo_table::table::Status;
use sicbo_table::{Act, Table};

use crate::chips::Chips;
use crate::random::Random;
use crate::translate::minor;

/// Something a person or device asks of the house.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) by: Actor,
    pub(crate) second: Option<Staff>,
    pub(crate) act: Act,
}

pub(crate) const DEALER: Staff = staff(1, Position::Dealer);
pub(crate) const SUPERVISOR: Staff = staff(2, Position::PitSupervisor);
const MANAGER: Staff = staff(3, Position::PitManager);

const fn staff(person: u32, position: Position) -> Staff {
    Staff {
        person: PersonId(person),
        position,
    }
}

/// The person in a position.
pub(crate) fn person(position: Position) -> Staff {
    match position {
        Position::Dealer => DEALER,
        Position::PitSupervisor => SUPERVISOR,
        Position::PitManager => MANAGER,
        other => staff(10 + other as u32, other),
    }
}

pub(crate) fn say(by: Staff, act: Act) -> Said {
    Said {
        by: Actor::Staff(by),
        second: None,
        act,
    }
}

/// Two persons: the one named, and a supervisor or a manager.
pub(crate) fn together(by: Staff, act: Act) -> Said {
    let other = if by.person == SUPERVISOR.person {
        MANAGER
    } else {
        SUPERVISOR
    };
    Said {
        second: Some(other),
        ..say(by, act)
    }
}

fn device(device: Device, act: Act) -> Said {
    Said {
        by: Actor::Device(device),
        second: None,
        act,
    }
}

/// The dealer with the real dice.
#[derive(Default, Debug)]
pub(crate) struct Dealer {
    dice: BTreeMap<RoundNumber, Dice>,
    chips: Chips,
}

impl Dealer {
    /// The dice as they lie in the tumbler.
    fn real(&mut self, round: RoundNumber, random: &mut Random) -> Dice {
        *self.dice.entry(round).or_insert_with(|| roll(random))
    }

    /// What is done next at the table, as the published state stands.
    pub(crate) fn next(
        &mut self,
        table: &Table,
        mistakes: u64,
        random: &mut Random,
    ) -> Option<Said> {
        if table.config.is_none() || table.status == Status::Closed {
            return None;
        }
        if !table.pending.is_empty() {
            // An interruption comes first; among the rest there is no order.
            let interrupted =
                |pending: &&Pending| matches!(pending.question, Question::Interrupted { .. });
            let first = table.pending.iter().find(interrupted);
            let pending = first.unwrap_or_else(|| random.pick(&table.pending));
            return Some(self.decide(table, pending, random));
        }
        if table.status == Status::Suspended && table.round.is_none() {
            return Some(say(SUPERVISOR, Act::Resume));
        }
        if random.chance(mistakes)
            && let Some(said) = self.mistake(table, random)
        {
            return Some(said);
        }
        match table.round.as_deref() {
            None => self.between_rounds(table, random),
            Some(round) => self.in_round(table, round, random),
        }
    }

    /// What people do at a table that the house program deals: chips change
    /// hands, something goes wrong now and then, and what was stopped goes on.
    pub(crate) fn beside(
        &mut self,
        table: &Table,
        (mistakes, anew): (u64, bool),
        random: &mut Random,
    ) -> Option<Said> {
        if table.config.is_none() || table.status == Status::Closed {
            return None;
        }
        let readings = |pending: &&Pending| pending.question != Question::ReadingsDisagree;
        if let Some(pending) = table.pending.iter().find(readings)
            && random.chance(if anew { 100 } else { 400 })
        {
            return Some(self.decide(table, pending, random));
        }
        if table.status == Status::Suspended && table.round.is_none() {
            return random.chance(200).then(|| say(SUPERVISOR, Act::Resume));
        }
        if !anew {
            return None;
        }
        if random.chance(mistakes / 4) {
            return Some(disturbance(table, random));
        }
        let (round, chips) = (table.round.as_deref(), &mut self.chips);
        match round {
            None if random.chance(300) => chips.between_rounds(table, random),
            Some(round) if round.phase == Phase::Betting && random.chance(700) => {
                chips.while_betting(table, round, random)
            }
            Some(round) if round.phase == Phase::Closed && round.confirmed.is_none() => {
                match round.cover {
                    CoverState::Covered if random.chance(100) => {
                        chips.before_uncovering(table, round, random)
                    }
                    CoverState::Uncovered if random.chance(100) => {
                        chips.after_close(table, round, random)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn decide(&mut self, table: &Table, pending: &Pending, random: &mut Random) -> Said {
        let by = person(pending.by);
        let id = pending.id;
        let rule = |ruling: Ruling| {
            say(
                by,
                Act::Rule {
                    pending: id,
                    ruling,
                    reason: "seen and decided".to_owned(),
                },
            )
        };
        match pending.question {
            Question::Interrupted { .. } => together(
                by,
                Act::ConfirmInterruption {
                    pending: id,
                    dice_in_place: random.chance(800),
                },
            ),
            Question::TechnicalStop { .. } => rule(
                random
                    .pick(&[Ruling::Affected, Ruling::NotAffected])
                    .clone(),
            ),
            Question::DiceNotInPlace
            | Question::Uncovered { .. }
            | Question::Interpretation { .. } => rule(
                random
                    .pick(&[Ruling::Void, Ruling::Conclude, Ruling::Conclude])
                    .clone(),
            ),
            Question::ReadingsDisagree => {
                let dice = self.real(table.last_round, random);
                together(DEALER, Act::ResolveReadings { pending: id, dice })
            }
            Question::TerminalOpenCase { .. } | Question::DeviceFailure => rule(Ruling::Accept),
            Question::DamagedRound { .. } => say(
                SUPERVISOR,
                Act::Rule {
                    pending: id,
                    ruling: Ruling::Void,
                    reason: "the supervisor saw the chip".to_owned(),
                },
            ),
            Question::AffectedRounds { .. } => together(
                person(decider(table, Matter::AffectedRounds).position),
                Act::Rule {
                    pending: id,
                    ruling: Ruling::Accept,
                    reason: "sound until this round".to_owned(),
                },
            ),
            Question::BetStatus { .. } => rule(Ruling::AtClose),
            Question::CorrectionProposed { .. } => rule(Ruling::Release),
            Question::ChipsUnrecorded { .. } => say(
                by,
                Act::AttestPositions {
                    pending: id,
                    lay_there: random.chance(500),
                    bookmark: "camera 4, 12:03:05".to_owned(),
                },
            ),
        }
    }

    fn between_rounds(&mut self, table: &Table, random: &mut Random) -> Option<Said> {
        if table.dice_condemned {
            let dice_set = format!("set {}", random.below(100));
            return Some(together(DEALER, Act::ChangeDice { dice_set }));
        }
        if let Some(said) = self.amend(table, random) {
            return Some(said);
        }
        if random.chance(300)
            && let Some(said) = self.chips.between_rounds(table, random)
        {
            return Some(said);
        }
        let config = table.config.as_deref()?;
        let act = match config.tumble {
            TumbleStep::BeforeOpen => Act::ActivateTumbler,
            TumbleStep::DuringBetting | TumbleStep::AfterClose => Act::CallBets,
        };
        Some(say(DEALER, act))
    }

    /// What is found out about the last round, and what becomes of overpayments.
    fn amend(&mut self, table: &Table, random: &mut Random) -> Option<Said> {
        if let Some(entry) = table.recoverables.values().next()
            && random.chance(500)
        {
            let by = person(decider(table, Matter::Uncovered).position);
            let reason = "too small to ask for".to_owned();
            let (recoverable, amount) = (entry.id, entry.amount);
            let free = table
                .station(entry.station)
                .map_or(minor(0), |station| station.credit);
            return Some(say(
                by,
                if free >= amount && random.chance(600) {
                    Act::Recover {
                        recoverable,
                        amount,
                    }
                } else {
                    Act::Waive {
                        recoverable,
                        reason,
                    }
                },
            ));
        }
        if let Some(unclaimed) = table.unclaimed.keys().next()
            && random.chance(300)
        {
            let by = person(decider(table, Matter::Uncovered).position);
            return Some(say(
                by,
                Act::PayUnclaimed {
                    unclaimed: *unclaimed,
                },
            ));
        }
        let record = table.last_record.clone()?;
        let Standing::Settled(stands) = record.standing else {
            return None;
        };
        let real = self.real(record.number, random);
        if stands.sorted() != real.sorted() && random.chance(700) {
            return Some(together(
                DEALER,
                Act::CorrectResult {
                    record,
                    dice: real,
                    second_dice: real,
                    evidence: "the dice are still in the tumbler".to_owned(),
                    conducted: Some(true),
                },
            ));
        }
        if random.chance(15) {
            let by = person(decider(table, Matter::AffectedRounds).position);
            let cause = *random.pick(&[Cause::DiceDamaged, Cause::TooFewTumbles]);
            return Some(together(
                by,
                Act::VoidRounds {
                    records: vec![record],
                    cause: Some(cause),
                    pending: None,
                    reason: "seen on the footage".to_owned(),
                },
            ));
        }
        None
    }

    fn in_round(&mut self, table: &Table, round: &Round, random: &mut Random) -> Option<Said> {
        if let Some(cause) = round.must_void {
            return Some(void(table, cause));
        }
        let config = table.config.as_deref()?;
        let tumble_now = match (round.phase, config.tumble) {
            (Phase::Betting, TumbleStep::DuringBetting) | (Phase::Closed, _) => true,
            (Phase::Prepared | Phase::Betting | Phase::Closing, _) => false,
        };
        match round.tumble {
            Tumble::Activated => return Some(self.report(random)),
            Tumble::None if tumble_now => return Some(say(DEALER, Act::ActivateTumbler)),
            _ => {}
        }
        match round.phase {
            Phase::Prepared => Some(say(DEALER, Act::CallBets)),
            Phase::Betting => {
                if random.chance(600)
                    && let Some(said) = self.chips.while_betting(table, round, random)
                {
                    return Some(said);
                }
                random.chance(60).then(|| say(DEALER, Act::CloseBets))
            }
            Phase::Closing => None,
            Phase::Closed => self.read(table, round, random),
        }
    }

    fn report(&mut self, random: &mut Random) -> Said {
        let few = random.chance(60);
        let stuck = random.chance(15);
        device(
            Device::Tumbler,
            Act::ReportTumbles {
                count: if few {
                    random.between(0, 2)
                } else {
                    random.between(3, 6)
                } as u8,
                all_dice_moved: !stuck,
            },
        )
    }

    /// From the closed round to its settlement.
    fn read(&mut self, table: &Table, round: &Round, random: &mut Random) -> Option<Said> {
        let book = table.book()?;
        let real = self.real(round.number, random);
        if round.confirmed.is_some() {
            return Some(if round.lights.is_none() {
                let lit = !random.chance(100);
                device(Device::Lights, Act::ReportLights { lit })
            } else {
                say(DEALER, Act::TakeAndPay)
            });
        }
        if book
            .play
            .deal_button
            .as_ref()
            .is_some_and(|button| button.is)
            && !round.deal_pressed
        {
            return Some(say(DEALER, Act::PressDeal));
        }
        if round.cover == CoverState::Covered {
            if random.chance(150)
                && let Some(said) = self.chips.before_uncovering(table, round, random)
            {
                return Some(said);
            }
            return Some(say(DEALER, Act::Uncover));
        }
        if random.chance(250)
            && let Some(said) = self.chips.after_close(table, round, random)
        {
            return Some(said);
        }
        if !round.flat {
            let leaning = random.chance(40);
            return Some(if leaning {
                void(table, Cause::DieNotFlat)
            } else {
                say(DEALER, Act::ConfirmFlat)
            });
        }
        let Some(keyed) = round.keyed else {
            let dice = if random.chance(100) {
                roll(random)
            } else {
                real
            };
            return Some(say(DEALER, Act::KeyDice { dice }));
        };
        if keyed.dice.sorted() != real.sorted() && random.chance(600) {
            return Some(say(DEALER, Act::ClearKeys));
        }
        if round.second.is_none() && random.chance(700) {
            let dice = if random.chance(80) {
                roll(random)
            } else {
                real
            };
            let act = Act::ReadSecond { dice };
            return Some(if random.chance(500) {
                device(Device::DiceReader, act)
            } else {
                say(SUPERVISOR, act)
            });
        }
        Some(say(DEALER, Act::ConfirmResult))
    }

    /// Something done at the wrong time, by the wrong person, or gone wrong.
    fn mistake(&mut self, table: &Table, random: &mut Random) -> Option<Said> {
        let cause = *random.pick(&[
            Cause::DiceExposedEarly,
            Cause::DiceDamaged,
            Cause::DiceBroken,
            Cause::DomeBroken,
            Cause::TooFewTumbles,
        ]);
        let dice = roll(random);
        Some(match random.below(12) {
            0 => say(DEALER, Act::Uncover),
            1 => say(DEALER, Act::KeyDice { dice }),
            2 => say(DEALER, Act::ConfirmResult),
            3 => device(Device::Tumbler, Act::ActivateTumbler),
            4 => say(
                DEALER,
                Act::Hold {
                    what: "a drink was spilt".to_owned(),
                    about: Held::Uncovered,
                },
            ),
            5 if cause == Cause::DiceDamaged => say(
                DEALER,
                Act::ReportDamage {
                    note: "a die is chipped".to_owned(),
                },
            ),
            5 => void(table, cause),
            6 => device(
                Device::Tumbler,
                Act::ReportDeviceFailure {
                    what: "no signal".to_owned(),
                    part: Part::Tumbler,
                },
            ),
            7 => say(
                DEALER,
                Act::RaiseIncident {
                    kind: IncidentKind::Dispute,
                    note: "a player disputes a bet".to_owned(),
                },
            ),
            8 => say(SUPERVISOR, Act::KeyDice { dice }),
            9 => say(DEALER, Act::CallBets),
            10 => say(
                person(decider(table, Matter::Uncovered).position),
                Act::RuleVoid {
                    reason: "disorder at the table".to_owned(),
                },
            ),
            _ => say(
                SUPERVISOR,
                Act::Suspend {
                    reason: "a pause".to_owned(),
                },
            ),
        })
    }
}

/// Something that stops a table, whoever deals.
fn disturbance(table: &Table, random: &mut Random) -> Said {
    match random.below(5) {
        0 => say(
            DEALER,
            Act::Hold {
                what: "a drink was spilt".to_owned(),
                about: Held::Interpretation,
            },
        ),
        1 => say(
            SUPERVISOR,
            Act::Suspend {
                reason: "a pause".to_owned(),
            },
        ),
        2 => say(
            DEALER,
            Act::ReportDeviceFailure {
                what: "the screen is dark".to_owned(),
                part: Part::Console,
            },
        ),
        3 => say(
            person(decider(table, Matter::Uncovered).position),
            Act::RuleVoid {
                reason: "disorder at the table".to_owned(),
            },
        ),
        _ => say(
            DEALER,
            Act::RaiseIncident {
                kind: IncidentKind::CallSupervisor,
                note: "a player shouts".to_owned(),
            },
        ),
    }
}

/// Declares a void by whoever may, or rules where the book lists no such cause.
fn void(table: &Table, cause: Cause) -> Said {
    let listed = table
        .book()
        .is_some_and(|book| book.void_cause(cause).is_some());
    let by_supervisor = table
        .config
        .as_ref()
        .is_some_and(|config| config.void_by_supervisor);
    if listed {
        let by = if by_supervisor { SUPERVISOR } else { DEALER };
        return say(by, Act::DeclareVoid { cause });
    }
    let by = person(decider(table, Matter::Uncovered).position);
    say(
        by,
        Act::RuleVoid {
            reason: format!("{cause}, which the book does not list"),
        },
    )
}

fn roll(random: &mut Random) -> Dice {
    let mut face = || random.between(1, 6) as u8;
    let faces = [face(), face(), face()];
    Dice::from_faces(faces).unwrap_or_else(|| unreachable!("{faces:?} are faces of dice"))
}
