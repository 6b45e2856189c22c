//! What may be done, told twice: by the list of legal steps and by deciding
//! each command. The two share no code and must agree.

use std::fmt::Write as _;

use sicbo_rules::rulebook::words::{Matter, Position};
use sicbo_rules::{Money, RuleBook, Section};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::authority;
use sicbo_table::command::{Held, Ruling};
use sicbo_table::config::{Limit, Limits};
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::legal::{LegalAct, Step, legal_acts, next_step, room, table_acts};
use sicbo_table::positions::Line;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Table, apply, decide};

use crate::state::setup::{
    DEALER, STAFF, SUPERVISOR, by, command, config, money, must, natural_kind, table,
};
use crate::state::walk::{actors, acts, configs, dice, stations_or, walk};

/// Refusals of what a step carries, not of the step.
const OF_CONTENT: [&str; 7] = [
    "not_offered",
    "stake_below_minimum",
    "stake_above_maximum",
    "station_maximum",
    "insufficient_credit",
    "exposure_above_maximum",
    "not_that_much_there",
];

fn listed(table: &Table, acts: &[LegalAct], step: &Step, by: Actor, second: Option<Staff>) -> bool {
    acts.iter()
        .filter(|act| act.step == *step)
        .any(|act| act.who.iter().any(|who| who.permits(table, by, second)))
}

/// Every command that could be tried is listed exactly when it is decided.
fn check(table: &Table, fresh: u64, seen: &mut Vec<&'static str>) {
    let legal = legal_acts(table);
    let actors = actors();
    for (step, act) in acts(table, fresh) {
        for (by, second) in stations_or(&step, &actors) {
            let command = Command {
                second,
                ..command(by, act.clone())
            };
            let decided = match decide(table, &command) {
                Ok(events) => !events.is_empty(),
                Err(refusal) => OF_CONTENT.contains(&refusal.code()),
            };
            let listed = listed(table, &legal, &step, by, second);
            assert_eq!(
                listed,
                decided,
                "{step:?} by {by:?} and {second:?}: {:?}\n{:#?}",
                decide(table, &command).err(),
                table.round
            );
            if listed && !seen.contains(&step.key()) {
                seen.push(step.key());
            }
        }
    }
    check_next(table, &legal);
    check_room(table, fresh);
}

/// At most one step is next, and it is one of those for the whole table.
fn check_next(table: &Table, legal: &[LegalAct]) {
    let bright: Vec<&LegalAct> = legal.iter().filter(|act| act.next).collect();
    assert!(bright.len() <= 1, "{bright:?}");
    assert_eq!(bright.first().map(|act| act.step.clone()), next_step(table));
    let of_table: Vec<LegalAct> = legal
        .iter()
        .filter(|act| act.step.station().is_none())
        .cloned()
        .collect();
    assert_eq!(table_acts(table), of_table);
    assert!(bright.iter().all(|act| act.is_offered()));
}

/// The room for a bet says exactly which stakes are accepted.
fn check_room(table: &Table, fresh: u64) {
    for i in 0..table.stations.len() {
        let station = StationId(i as u32);
        let (kind, means) = natural_kind(table.book().expect("an open table"));
        let by = match kind {
            StationKind::Terminal => Actor::Station(station),
            StationKind::Seat => Actor::Staff(DEALER),
        };
        for at in [0, 4, 17, 60, 90] {
            let section = Section::ALL[at];
            let room = room(table, station, section);
            for minor in [0, 250, 500, 1_000, 1_500, 2_000, 2_500, 10_000] {
                let stake = money(minor);
                let place = Act::PlaceBets {
                    station,
                    round: table.last_round,
                    bet: BetId(fresh),
                    means,
                    lines: vec![Line { section, stake }],
                };
                let decided = decide(table, &command(by, place));
                let taken = room.is_some_and(|room| room.takes(stake));
                assert_eq!(taken, decided.is_ok(), "{section} {stake:?}: {decided:?}");
            }
        }
    }
}

#[test]
fn legal_steps_are_those_that_decide_allows() {
    let mut seen = Vec::new();
    for book in RuleBook::all() {
        for (i, config) in configs(book).iter().enumerate() {
            // The last one attests positions, which few walks come to.
            for seed in [0, 1, 2, 3, 11] {
                walk(config, 100 * i as u64 + seed, 150, |table, n| {
                    check(table, n, &mut seen);
                });
            }
        }
    }
    // Every step there is was legal somewhere.
    assert_eq!(seen.len(), 39, "{seen:?}");
}

#[test]
fn exposure_limits_the_room_for_a_bet() {
    for book in RuleBook::all() {
        for exposure in [0, 700, 3_000, 20_000] {
            let mut config = config(book);
            config.limits.exposure_maximum = money(exposure + 1);
            walk(&config, 5, 120, |table, n| {
                if table.config.is_some() {
                    check_room(table, n);
                }
            });
        }
    }
}

#[test]
fn following_the_bright_button_plays_whole_rounds() {
    for book in RuleBook::all() {
        for config in configs(book) {
            let mut table = table(config, 2);
            let mut told = Vec::new();
            for _ in 0..60 {
                let Some(step) = next_step(&table) else {
                    // Closing: the terminals answer.
                    for i in 0..2 {
                        let station = StationId(i);
                        let round = table.last_round;
                        let acknowledge = Act::AcknowledgeClose { station, round };
                        must(&mut table, &command(Actor::Station(station), acknowledge));
                    }
                    continue;
                };
                told.push(step.key());
                let act = acts(&table, 0)
                    .into_iter()
                    .find(|(of, _)| *of == step)
                    .map(|(_, act)| act)
                    .expect("an act for the step");
                let one = match step {
                    Step::ReadSecond => SUPERVISOR,
                    _ => DEALER,
                };
                must(&mut table, &by(one, None, act));
                if table.last_round.0 == 2 && table.round.is_none() {
                    break;
                }
            }
            assert_eq!(table.last_round.0, 2, "two rounds: {told:?}");
            assert!(table.round.is_none(), "both ended: {told:?}");
        }
    }
}

#[test]
fn p_023_too_few_tumbles_leave_only_the_void_bright() {
    for book in RuleBook::all() {
        let mut table = table(config(book), 1);
        while table.round.as_ref().is_none_or(|r| r.must_void.is_none()) {
            let step = next_step(&table);
            let act = match step {
                Some(Step::ReportTumbles) => Act::ReportTumbles {
                    count: 2,
                    all_dice_moved: true,
                },
                Some(Step::ActivateTumbler) => Act::ActivateTumbler,
                Some(Step::CallBets) => Act::CallBets,
                Some(Step::CloseBets) => Act::CloseBets,
                None => {
                    let (station, round) = (StationId(0), table.last_round);
                    let acknowledge = Act::AcknowledgeClose { station, round };
                    must(&mut table, &command(Actor::Station(station), acknowledge));
                    continue;
                }
                other => panic!("{other:?}"),
            };
            must(&mut table, &by(DEALER, None, act));
        }
        let legal = legal_acts(&table);
        let bright = legal.iter().find(|act| act.next).expect("a bright step");
        assert_eq!(bright.step.key(), "declare-void");
        let rule = bright.rule.as_deref().expect("a rule");
        assert!(rule.starts_with(book.id()), "{rule}");
    }
}

/// A tiny table: one station, and one bet that it can make.
fn tiny(book: &std::sync::Arc<RuleBook>) -> Table {
    let one = Limit {
        minimum: money(500),
        maximum: money(500),
        step: money(500),
    };
    let limits = Limits::uniform(one, money(500), Money::MAX);
    table(
        Config {
            limits,
            ..config(book)
        },
        1,
    )
}

fn person(position: Position) -> Staff {
    *STAFF
        .iter()
        .find(|staff| staff.position == position)
        .expect("one person in each position")
}

/// One command for each thing that can be done at a tiny table, by who should do it.
fn alphabet(table: &Table) -> Vec<(Step, Command)> {
    let mut all = Vec::new();
    for (step, act) in acts(table, 1) {
        let plain = match &act {
            Act::ReportTumbles { count, .. } => *count != 4,
            Act::KeyDice { dice: keyed } => *keyed == dice([4, 3, 4]),
            Act::PlaceBets { lines, .. } => lines[0].section.to_string() == "small",
            // Each could come at every turn: the walks try them, the count does not.
            Act::RecordPositions { .. }
            | Act::ObservePositions { .. }
            | Act::RecordLate { .. }
            | Act::ReportDeviceFailure { .. }
            | Act::Hold {
                about: Held::Interpretation,
                ..
            } => false,
            _ => true,
        };
        if !plain {
            continue;
        }
        let waiting = |id| table.pending.iter().find(|pending| pending.id == id);
        let uncovered = || person(authority::decider(table, Matter::Uncovered).position);
        let command = match &step {
            Step::AcknowledgeClose { station } => command(Actor::Station(*station), act),
            Step::Fence { .. } => command(Actor::House, act),
            Step::ReportTumbles => command(Actor::Device(Device::Tumbler), act),
            Step::PlaceBets { station }
                if table.stations[station.0 as usize].kind == StationKind::Terminal =>
            {
                command(Actor::Station(*station), act)
            }
            Step::ReadSecond
            | Step::CloseTable
            | Step::Suspend
            | Step::AnnounceLastRound
            | Step::TakeBackLastRound => by(SUPERVISOR, None, act),
            Step::Resume => {
                let failed = table
                    .pending
                    .iter()
                    .any(|p| p.question.key() == "device-failure");
                let matter = Matter::ResumeAfterDeviceFailure;
                let one = if failed {
                    person(authority::decider(table, matter).position)
                } else {
                    SUPERVISOR
                };
                by(one, None, act)
            }
            Step::ChangeDice | Step::FindDiceSound | Step::ResolveReadings { .. } => {
                by(SUPERVISOR, Some(DEALER), act)
            }
            Step::RuleVoid => by(uncovered(), None, act),
            Step::AcknowledgeNotice { .. } => by(person(Position::PitManager), None, act),
            Step::SwitchCounting { .. } => by(SUPERVISOR, Some(DEALER), act),
            Step::ConfirmInterruption { pending }
            | Step::DiceNotInPlace { pending }
            | Step::Rule { pending, .. } => {
                let by_whom = waiting(*pending).map_or(Position::Dealer, |p| p.by);
                by(person(by_whom), Some(SUPERVISOR), act)
            }
            _ => by(DEALER, None, act),
        };
        all.push((step, command));
    }
    all
}

/// How the count tells what is legal.
#[derive(Clone, Copy)]
enum By {
    Decide,
    List,
}

fn allowed(table: &Table, how: By) -> Vec<Command> {
    let legal = legal_acts(table);
    let mut all = alphabet(table);
    all.retain(|(step, command)| match how {
        By::Decide => decide(table, command).is_ok_and(|events| !events.is_empty()),
        By::List => {
            let fits = match &command.act {
                Act::PlaceBets { station, lines, .. } => room(table, *station, lines[0].section)
                    .is_some_and(|room| room.takes(lines[0].stake)),
                _ => true,
            };
            fits && listed(table, &legal, step, command.by, command.second)
        }
    });
    all.into_iter().map(|(_, command)| command).collect()
}

/// Adds up the legal sequences of each length.
fn count(table: &Table, how: By, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else {
        return;
    };
    for command in allowed(table, how) {
        *here += 1;
        if deeper.is_empty() {
            continue;
        }
        let mut next = table.clone();
        // What only the list allows would be a defect: it would stop here.
        for event in decide(table, &command).expect("listed and decided") {
            apply(&mut next, &event);
        }
        count(&next, how, deeper);
    }
}

const DEPTH: usize = 6;

#[test]
fn legal_sequences_of_a_tiny_table_count_the_same_either_way() {
    let mut text = String::from(
        "# Legal sequences of a tiny table (one station, one possible bet) by length,\n\
         # counted by deciding every command and by the list of legal steps.\n",
    );
    for book in RuleBook::all() {
        let table = tiny(book);
        let mut counts = [[0; DEPTH]; 2];
        count(&table, By::Decide, &mut counts[0]);
        count(&table, By::List, &mut counts[1]);
        for (how, counts) in ["decide", "list"].iter().zip(counts) {
            write!(text, "{:<16} {how:<7}", book.id()).unwrap();
            for count in counts {
                write!(text, "{count:>9}").unwrap();
            }
            text.push('\n');
        }
        assert_eq!(counts[0], counts[1], "{}\n{text}", book.id());
    }
    assert_eq!(text, include_str!("legal_counts.txt"), "\n{text}");
}

#[test]
fn rulings_that_do_not_fit_are_not_listed() {
    let mut table = tiny(&RuleBook::all()[0]);
    must(&mut table, &by(DEALER, None, Act::CallBets));
    let hold = Act::Hold {
        what: "the dome broke".to_owned(),
        about: Held::Uncovered,
    };
    must(&mut table, &by(DEALER, None, hold));
    let rulings: Vec<Ruling> = legal_acts(&table)
        .into_iter()
        .filter_map(|act| match act.step {
            Step::Rule { ruling, .. } => Some(ruling),
            _ => None,
        })
        .collect();
    assert_eq!(rulings, [Ruling::Conclude, Ruling::Void]);
    // nothing established yet, so void is the default.
    let Some(Step::Rule { ruling, .. }) = next_step(&table) else {
        panic!("a ruling is next");
    };
    assert_eq!(ruling, Ruling::Void);
}
