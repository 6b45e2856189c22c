//! Random play: every concrete command that could be tried in a state, and
//! walks that mostly play on and sometimes meet trouble.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{AfterInterruption, Cause, Word as _};
use sicbo_rules::{Dice, RuleBook};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{ChipMove, CreditSource, Held, IncidentKind, LateKind, Part, Ruling};
use sicbo_table::config::SecondReading;
use sicbo_table::ids::{BetId, StationId, VoucherId};
use sicbo_table::legal::{Step, next_step};
use sicbo_table::pending::Question;
use sicbo_table::positions::Means;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Table, decide};
use sicbo_testkit::random::Random;

use crate::state::setup::{
    DEALER, DIRECTOR, PIT_MANAGER, SHIFT_MANAGER, STAFF, SUPERVISOR, act, by, command, config,
    line, money, table,
};

pub(crate) fn dice(faces: [u8; 3]) -> Dice {
    Dice::from_faces(faces).expect("three dice")
}

/// Set-ups of one rule book that differ in what they ask for.
pub(crate) fn configs(book: &Arc<RuleBook>) -> Vec<Config> {
    let plain = config(book);
    vec![
        Config {
            second_reading: SecondReading::Always,
            void_by_supervisor: true,
            ..plain.clone()
        },
        Config {
            second_reading: SecondReading::AbovePayout(money(1_500)),
            ..plain.clone()
        },
        plain,
    ]
}

/// Who could be asked to act: every person, alone and with another, the devices, the house.
pub(crate) fn actors() -> Vec<(Actor, Option<Staff>)> {
    let mut all = vec![
        (Actor::House, None),
        (Actor::Device(Device::Tumbler), None),
        (Actor::Device(Device::DiceReader), None),
        (Actor::Device(Device::Lights), None),
        (Actor::Station(StationId(0)), None),
    ];
    for one in STAFF {
        all.push((Actor::Staff(one), None));
        for two in [DEALER, SUPERVISOR, SHIFT_MANAGER, DIRECTOR] {
            all.push((Actor::Staff(one), Some(two)));
        }
    }
    all
}

/// A set that is neither in the tumbler nor said to be damaged.
fn other_dice(table: &Table) -> String {
    let here = table.config.as_ref().map(|config| config.dice_set.as_str());
    let mut names = (1..).map(|n| format!("set-{n}"));
    names
        .find(|name| Some(name.as_str()) != here && !table.damaged.contains(name))
        .unwrap_or_default()
}

/// A set that an inspection can be about.
fn doubtful_dice(table: &Table) -> String {
    let here = table.config.as_ref().map(|config| config.dice_set.clone());
    let damaged = table.damaged.iter().next().cloned();
    let here = here.filter(|_| table.dice_condemned);
    here.or(damaged).unwrap_or_else(|| "none".to_owned())
}

/// One act, or several, for every step there is, whether legal or not.
pub(crate) fn acts(table: &Table, fresh: u64) -> Vec<(Step, Act)> {
    let mut all = vec![
        (Step::ActivateTumbler, Act::ActivateTumbler),
        (Step::ReportTumbles, tumbles(3, true)),
        (Step::ReportTumbles, tumbles(2, true)),
        (Step::ReportTumbles, tumbles(4, false)),
        (Step::CallBets, Act::CallBets),
        (Step::CloseBets, Act::CloseBets),
        (Step::PressDeal, Act::PressDeal),
        (Step::Uncover, Act::Uncover),
        (Step::ConfirmFlat, Act::ConfirmFlat),
        (Step::KeyDice, key([4, 3, 4])),
        (Step::KeyDice, key([1, 2, 2])),
        (Step::ClearKeys, Act::ClearKeys),
        (Step::ReadSecond, second([4, 4, 3])),
        (Step::ReadSecond, second([6, 6, 6])),
        (Step::ConfirmResult, Act::ConfirmResult),
        (Step::ReportLights, Act::ReportLights { lit: true }),
        (Step::ReportLights, Act::ReportLights { lit: false }),
        (Step::TakeAndPay, Act::TakeAndPay),
        (Step::RuleVoid, Act::RuleVoid { reason: text() }),
        (Step::Hold, held(Held::Uncovered)),
        (Step::HoldForMeaning, held(Held::Interpretation)),
        (
            Step::ReportDeviceFailure,
            Act::ReportDeviceFailure {
                what: text(),
                part: Part::Keys,
            },
        ),
        (Step::SwitchCounting { by_hand: true }, switched(true)),
        (Step::SwitchCounting { by_hand: false }, switched(false)),
        (Step::ReportDamage, Act::ReportDamage { note: text() }),
        (
            Step::FindDiceSound,
            Act::FindDiceSound {
                dice_set: doubtful_dice(table),
                text: text(),
            },
        ),
        (
            Step::ChangeDice,
            Act::ChangeDice {
                dice_set: other_dice(table),
            },
        ),
        (Step::AnnounceLastRound, Act::AnnounceLastRound),
        (Step::TakeBackLastRound, Act::TakeBackLastRound),
        (Step::Suspend, Act::Suspend { reason: text() }),
        (Step::Resume, Act::Resume),
        (Step::CloseTable, Act::CloseTable),
    ];
    for cause in Cause::all() {
        let cause = *cause;
        all.push((Step::DeclareVoid { cause }, Act::DeclareVoid { cause }));
    }
    decisions(table, &mut all);
    stations(table, fresh, &mut all);
    all
}

fn held(about: Held) -> Act {
    Act::Hold {
        what: text(),
        about,
    }
}

fn switched(by_hand: bool) -> Act {
    Act::SwitchCounting { by_hand }
}

fn text() -> String {
    "as seen".to_owned()
}

fn tumbles(count: u8, all_dice_moved: bool) -> Act {
    Act::ReportTumbles {
        count,
        all_dice_moved,
    }
}

fn key(faces: [u8; 3]) -> Act {
    Act::KeyDice { dice: dice(faces) }
}

fn second(faces: [u8; 3]) -> Act {
    Act::ReadSecond { dice: dice(faces) }
}

fn decisions(table: &Table, all: &mut Vec<(Step, Act)>) {
    for notice in table.notices.iter().map(|notice| notice.id) {
        let act = Act::AcknowledgeNotice { notice };
        all.push((Step::AcknowledgeNotice { notice }, act));
    }
    for waits in &table.pending {
        let pending = waits.id;
        let void = matches!(
            waits.question,
            Question::Interrupted {
                then: AfterInterruption::Void,
                ..
            }
        );
        for dice_in_place in [true, false] {
            let confirm = Act::ConfirmInterruption {
                pending,
                dice_in_place,
            };
            let step = match dice_in_place || void {
                true => Step::ConfirmInterruption { pending },
                false => Step::DiceNotInPlace { pending },
            };
            all.push((step, confirm));
        }
        let dice = dice([4, 3, 4]);
        let resolve = Act::ResolveReadings { pending, dice };
        all.push((Step::ResolveReadings { pending }, resolve));
        for lay_there in [true, false] {
            let attest = Act::AttestPositions {
                pending,
                lay_there,
                bookmark: text(),
            };
            all.push((Step::AttestPositions { pending }, attest));
        }
        for ruling in [
            Ruling::Void,
            Ruling::Conclude,
            Ruling::Accept,
            Ruling::AtClose,
            Ruling::AsTheyLie,
            Ruling::Affected,
            Ruling::NotAffected,
            Ruling::Release,
        ] {
            let rule = Act::Rule {
                pending,
                ruling: ruling.clone(),
                reason: text(),
            };
            all.push((Step::Rule { pending, ruling }, rule));
        }
    }
}

fn stations(table: &Table, fresh: u64, all: &mut Vec<(Step, Act)>) {
    let round = table.last_round;
    for (i, at) in table.stations.iter().enumerate() {
        let station = StationId(i as u32);
        let acknowledge = Act::AcknowledgeClose { station, round };
        all.push((Step::AcknowledgeClose { station }, acknowledge));
        all.push((Step::Fence { station }, Act::Fence { station }));
        let means = match at.kind {
            StationKind::Terminal => Means::Credit,
            StationKind::Seat => Means::CashChips,
        };
        for section in ["small", "total:11", "any-triple"] {
            let place = Act::PlaceBets {
                station,
                round,
                bet: BetId(fresh),
                means,
                lines: vec![line(section, 500)],
            };
            all.push((Step::PlaceBets { station }, place));
        }
        let lines = vec![line("big", 500)];
        let record = Act::RecordPositions {
            station,
            round,
            bet: BetId(fresh),
            means,
            lines: lines.clone(),
        };
        all.push((Step::RecordPositions { station }, record));
        for lines in [lines, Vec::new()] {
            let observe = Act::ObservePositions {
                station,
                round,
                means,
                lines,
            };
            all.push((Step::ObservePositions { station }, observe));
        }
        let late = Act::RecordLate {
            station,
            round,
            late: LateKind::Placement,
            means,
            line: line("odd", 500),
        };
        all.push((Step::RecordLate { station }, late));
    }
}

/// Commands that are no step of the order of play: money, links, trouble.
pub(crate) fn others(table: &Table, fresh: u64) -> Vec<Command> {
    let house = |act| command(Actor::House, act);
    let mut all = vec![
        house(Act::Interrupt { what: text() }),
        house(Act::ReportDeviceFailure {
            what: text(),
            part: Part::Tumbler,
        }),
        house(Act::BindTumbler {
            line: true,
            shortest_ms: 0,
        }),
        house(Act::BindTumbler {
            line: false,
            shortest_ms: 0,
        }),
        command(
            Actor::Station(StationId(0)),
            Act::RaiseIncident {
                kind: IncidentKind::Dispute,
                note: text(),
            },
        ),
        by(
            SUPERVISOR,
            Some(DEALER),
            Act::MoveChips {
                how: ChipMove::Bought,
                amount: money(5_000),
                slip: text(),
            },
        ),
        by(
            DEALER,
            None,
            Act::MoveChips {
                how: ChipMove::Bought,
                amount: money(5_000),
                slip: text(),
            },
        ),
    ];
    if let Some(record) = &table.last_record {
        for second in [DEALER, SUPERVISOR] {
            let correct = Act::CorrectResult {
                record: record.clone(),
                dice: dice([2, 2, 5]),
                second_dice: dice([5, 2, 2]),
                evidence: text(),
                conducted: Some(true),
            };
            all.push(by(SHIFT_MANAGER, Some(second), correct.clone()));
            all.push(by(DIRECTOR, Some(second), correct));
            let void = Act::VoidRounds {
                records: vec![record.clone()],
                cause: Some(Cause::DiceDamaged),
                pending: None,
                reason: text(),
            };
            all.push(by(DIRECTOR, Some(second), void));
        }
    }
    for id in table.recoverables.keys() {
        for person in STAFF {
            let recoverable = *id;
            all.push(by(
                person,
                None,
                Act::Waive {
                    recoverable,
                    reason: text(),
                },
            ));
            let amount = money(100);
            all.push(by(
                person,
                None,
                Act::Recover {
                    recoverable,
                    amount,
                },
            ));
        }
    }
    for (i, at) in table.stations.iter().enumerate() {
        let station = StationId(i as u32);
        all.push(house(Act::Connect { station }));
        all.push(house(Act::Disconnect { station }));
        let round = table.last_round;
        let bet = BetId(fresh);
        let clear = Act::ClearBets {
            station,
            round,
            bet,
        };
        all.push(match at.kind {
            StationKind::Terminal => command(Actor::Station(station), clear),
            StationKind::Seat => by(DEALER, None, clear),
        });
        let amount = money(1_000);
        let source = CreditSource::Voucher(VoucherId(fresh));
        all.push(house(Act::BuyCredit {
            station,
            source,
            amount,
        }));
        let voucher = VoucherId(fresh);
        all.push(command(
            Actor::Station(station),
            Act::CashOut {
                station,
                amount: at.credit,
                voucher,
            },
        ));
        all.push(by(
            PIT_MANAGER,
            Some(SUPERVISOR),
            Act::Adjust {
                station,
                amount: money(-500),
                reason: text(),
            },
        ));
    }
    all
}

/// Steps that a quiet evening is made of.
fn plays_on(step: &Step) -> bool {
    !matches!(
        step,
        Step::DeclareVoid { .. }
            | Step::RuleVoid
            | Step::Hold
            | Step::HoldForMeaning
            | Step::ReportDeviceFailure
            | Step::SwitchCounting { .. }
            | Step::ClearKeys
            | Step::Fence { .. }
            | Step::AnnounceLastRound
            | Step::Suspend
            | Step::CloseTable
            | Step::ChangeDice
            | Step::ReportDamage
            | Step::RecordPositions { .. }
            | Step::RecordLate { .. }
    )
}

/// Plays at random from a seed and shows every state on the way.
pub(crate) fn walk(config: &Config, seed: u64, steps: usize, mut show: impl FnMut(&Table, u64)) {
    let mut source = Random(seed);
    let mut at = table(config.clone(), 2);
    let actors = actors();
    for n in 0..steps {
        show(&at, n as u64);
        if at.status == sicbo_table::table::Status::Closed {
            at = table(config.clone(), 2);
        }
        let quiet = source.below(10) < 8;
        let mut tried: Vec<Command> = Vec::new();
        // Rounds come to an end only if the bright button is pressed now and then.
        let bright = next_step(&at).filter(|_| source.below(10) < 4);
        if source.below(10) < 8 {
            for (step, act) in acts(&at, n as u64) {
                let wanted = match &bright {
                    Some(bright) => step == *bright,
                    None => plays_on(&step) || !quiet,
                };
                if wanted {
                    for (by, second) in stations_or(&step, &actors) {
                        tried.push(Command {
                            second,
                            ..command(by, act.clone())
                        });
                    }
                }
            }
        } else {
            tried = others(&at, n as u64);
        }
        tried.retain(|command| decide(&at, command).is_ok_and(|events| !events.is_empty()));
        if !tried.is_empty() {
            let chosen = source.below(tried.len());
            act(&mut at, &tried[chosen]).expect("was allowed");
            if let Err(broken) = at.check() {
                panic!("seed {seed} step {n}: {broken} after {:?}", tried[chosen]);
            }
        }
    }
}

/// The actors to try a step with: its own station instead of station 0.
pub(crate) fn stations_or(
    step: &Step,
    actors: &[(Actor, Option<Staff>)],
) -> Vec<(Actor, Option<Staff>)> {
    let own = step.station().map(Actor::Station);
    actors
        .iter()
        .map(|(by, second)| match (by, own) {
            (Actor::Station(_), Some(own)) => (own, None),
            _ => (*by, *second),
        })
        .collect()
}
