//! Views: nobody is shown what they may not see, and what is shown is so.

use sicbo_rules::{Currency, Outcome, RuleBook};
use sicbo_table::actor::Actor;
use sicbo_table::command::Ruling;
use sicbo_table::config::SecondReading;
use sicbo_table::ids::{BetId, PendingId, StationId};
use sicbo_table::legal::{Step, next_step};
use sicbo_table::record::Standing;
use sicbo_table::views::settlement::lines_of;
use sicbo_table::views::{LineOutcome, Mine, PublicState, ShownResult, Side, StaffState};
use sicbo_table::{Act, Command, Config, Table, decide};

use crate::state::setup::{
    DEALER, STAFF, SUPERVISOR, act, book, by, command, config, line, must, natural_kind, own_lines,
    section, table, told,
};
use crate::state::walk::{acts, configs, dice, walk};

const FIRST: StationId = StationId(0);
const OTHER: StationId = StationId(1);

#[test]
fn the_class_of_every_result_is_what_its_sections_say() {
    for outcome in Outcome::all() {
        let dice = outcome.dice();
        let view = ShownResult::of(dice);
        let wins = |text: &str| section(text).hits(dice) > 0;
        assert_eq!(view.side == Side::Small, wins("small"));
        assert_eq!(view.side == Side::Big, wins("big"));
        assert_eq!(view.side == Side::Triple, wins("any-triple"));
        assert_eq!(view.odd == Some(true), wins("odd"));
        assert_eq!(view.odd == Some(false), wins("even"));
    }
}

#[test]
fn a_player_view_never_changes_when_another_station_bets() {
    let mut bets = 0;
    for book in RuleBook::all() {
        let (_, means) = natural_kind(book);
        for seed in 0..4 {
            walk(&config(book), seed, 120, |table, n| {
                let round = table.last_round;
                let bet = BetId(n);
                let lines = vec![line("small", 500), line("any-triple", 500)];
                let place = Act::PlaceBets {
                    station: OTHER,
                    round,
                    bet,
                    means,
                    lines,
                };
                let clear = Act::ClearBets {
                    station: OTHER,
                    round,
                    bet,
                };
                for act_of_other in [place, clear] {
                    for by in [Actor::Station(OTHER), Actor::Staff(DEALER)] {
                        let mut after = table.clone();
                        if act(&mut after, &command(by, act_of_other.clone())).is_ok() {
                            bets += 1;
                            assert_eq!(Mine::of(&after, FIRST), Mine::of(table, FIRST));
                            assert_eq!(own_lines(&after, FIRST), own_lines(table, FIRST));
                            assert_eq!(PublicState::of(&after), PublicState::of(table));
                            assert_ne!(Mine::of(&after, OTHER), Mine::of(table, OTHER));
                        }
                    }
                }
            });
        }
    }
    assert!(bets > 300, "{bets}");
}

#[test]
fn a_player_is_shown_only_their_own_registered_bets() {
    for book in RuleBook::all() {
        walk(&config(book), 11, 250, |table, _| {
            for id in [FIRST, OTHER] {
                let Some(view) = Mine::of(table, id) else {
                    continue;
                };
                let part = table.round.as_deref().and_then(|round| round.station(id));
                let colour = part.map_or(&[][..], |part| part.colour_positions.lines());
                let colour = colour.iter().map(|line| line.stake.minor());
                let bets = view.bets.iter().map(|bet| bet.stake).chain(colour);
                assert_eq!(bets.sum::<i64>(), view.at_risk);
                let station = table.station(id).expect("the station");
                assert_eq!(view.at_risk, station.at_risk.minor());
                assert_eq!(view.credit, station.credit.minor());
            }
        });
    }
}

/// Takes a step: the dealer reads these faces, a supervisor those of a second reading.
pub(crate) fn take(table: &mut Table, step: &Step, faces: [u8; 3], second: [u8; 3]) {
    let act = match step {
        Step::KeyDice => Act::KeyDice { dice: dice(faces) },
        Step::ReadSecond => Act::ReadSecond { dice: dice(second) },
        _ => acts(table, 0)
            .into_iter()
            .find(|(of, _)| of == step)
            .map(|(_, act)| act)
            .expect("an act for the step"),
    };
    let one = match step {
        Step::ReadSecond => SUPERVISOR,
        _ => DEALER,
    };
    must(table, &by(one, None, act));
}

/// Takes the bright step, with these dice where it is a reading.
fn step(table: &mut Table, faces: [u8; 3], second: [u8; 3]) -> Option<Step> {
    let Some(step) = next_step(table) else {
        for station in [FIRST, OTHER] {
            let round = table.last_round;
            let acknowledge = Act::AcknowledgeClose { station, round };
            must(table, &command(Actor::Station(station), acknowledge));
        }
        return None;
    };
    take(table, &step, faces, second);
    Some(step)
}

fn staff(table: &Table) -> StaffState {
    StaffState::of(table).expect("an open table")
}

/// What staff see, without what shows a reading that is keyed.
fn but_for_the_keyed(mut staff: StaffState) -> StaffState {
    staff.round.as_mut().expect("a round").preview = None;
    for station in &mut staff.stations {
        station.take_and_pay = None;
    }
    staff
}

#[test]
fn dice_cannot_be_inferred_before_they_are_confirmed() {
    for book in RuleBook::all() {
        let config = Config {
            second_reading: SecondReading::Always,
            ..config(book)
        };
        let (one, other) = ([1, 1, 2], [6, 5, 6]);
        let (mut left, mut right) = (table(config.clone(), 2), table(config, 2));
        let mut compared = 0;
        loop {
            let here = step(&mut left, one, one);
            assert_eq!(step(&mut right, other, other), here);
            let Some(round) = left.round.as_deref() else {
                break;
            };
            if round.confirmed.is_some() {
                continue;
            }
            let read = round.keyed.is_some() || round.second.is_some();
            assert_eq!(left == right, !read, "only the state knows");
            let (here, there) = (staff(&left), staff(&right));
            assert_eq!(here == there, round.keyed.is_none());
            assert_eq!(but_for_the_keyed(here), but_for_the_keyed(there));
            assert_eq!(PublicState::of(&left), PublicState::of(&right));
            for station in [FIRST, OTHER] {
                assert_eq!(Mine::of(&left, station), Mine::of(&right, station));
                assert_eq!(own_lines(&left, station), own_lines(&right, station));
            }
            compared += usize::from(read);
        }
        assert_eq!(compared, 2, "keyed, then read a second time");
        assert_ne!(
            PublicState::of(&left),
            PublicState::of(&right),
            "settled: everyone knows"
        );
    }
}

#[test]
fn a_second_reading_stays_hidden_from_the_console() {
    for book in RuleBook::all() {
        let config = Config {
            second_reading: SecondReading::Always,
            ..config(book)
        };
        let (mut left, mut right) = (table(config.clone(), 2), table(config, 2));
        loop {
            let here = step(&mut left, [2, 2, 5], [2, 2, 5]);
            step(&mut right, [2, 2, 5], [4, 4, 6]);
            if here == Some(Step::ReadSecond) {
                break;
            }
        }
        assert!(left != right);
        assert_eq!(staff(&left), staff(&right));
        assert!(staff(&left).round.expect("a round").second_read);
    }
}

#[test]
fn settlement_lines_add_up_to_what_was_returned() {
    let mut lines_seen = 0;
    for book in RuleBook::all() {
        for (i, config) in configs(book).iter().enumerate() {
            walk(config, i as u64, 250, |table, _| {
                let Some(record) = table.last_record.as_deref() else {
                    return;
                };
                for part in &record.stations {
                    let lines = lines_of(record, part);
                    let (plain, colour) = part.returned(&record.book, record.standing);
                    let sum: i64 = lines.iter().map(|line| line.returned).sum();
                    assert_eq!(sum, (plain + colour).minor());
                    let staked: i64 = lines.iter().map(|line| line.stake).sum();
                    assert_eq!(staked, part.staked().minor());
                    for line in &lines {
                        let void = line.outcome == LineOutcome::Returned;
                        assert_eq!(void, record.standing == Standing::Void);
                    }
                    lines_seen += lines.len();
                }
            });
        }
    }
    assert!(lines_seen > 1_000, "{lines_seen}");
}

#[test]
fn j_01_the_settlement_card_says_how_each_bet_was_paid() {
    let rules = book("mbs-etg");
    let mut table = table(config(rules), 1);
    let rapid = rules.layout("rapid").expect("a layout");
    assert_eq!(rules.layouts[table.stations[0].layout].id, rapid.id);
    step(&mut table, [0; 3], [0; 3]);
    step(&mut table, [0; 3], [0; 3]);
    step(&mut table, [0; 3], [0; 3]);
    let place = Act::PlaceBets {
        station: FIRST,
        round: table.last_round,
        bet: BetId(1),
        means: sicbo_table::positions::Means::Credit,
        lines: vec![
            line("big", 1_000),
            line("total:11", 500),
            line("four:6543", 500),
        ],
    };
    must(&mut table, &command(Actor::Station(FIRST), place));
    must(&mut table, &by(DEALER, None, Act::CloseBets));
    let round = table.last_round;
    let acknowledge = Act::AcknowledgeClose {
        station: FIRST,
        round,
    };
    must(&mut table, &command(Actor::Station(FIRST), acknowledge));
    while table.round.is_some() {
        step(&mut table, [4, 3, 4], [4, 3, 4]);
    }
    let view = Mine::of(&table, FIRST).expect("a view");
    assert_eq!(view.credit, 13_750);
    let lines = own_lines(&table, FIRST);
    let staked: i64 = lines.iter().map(|line| line.stake).sum();
    let returned: i64 = lines.iter().map(|line| line.returned).sum();
    assert_eq!((staked, returned), (2_000, 5_750));
    let told: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {}", line.section, told(line, Currency::SGD)))
        .collect();
    assert_eq!(
        told,
        [
            "big 1 × 10.00 = 10.00 + stake 10.00",
            "total:11 6 1/2 × 5.00 = 32.50 + stake 5.00",
            "four:6543 lost 5.00",
        ]
    );
    let last = PublicState::of(&table).and_then(|wall| wall.last);
    let result = last.and_then(|last| last.result).expect("a result");
    assert_eq!(result.dice, [3, 4, 4]);
    assert_eq!((result.total, result.side), (11, Side::Big));
}

#[test]
fn a_new_player_sees_nothing_of_who_sat_there_before() {
    let rules = book("rws-etg");
    walk(&config(rules), 3, 600, |table, _| {
        let Some(record) = table.last_record.as_deref() else {
            return;
        };
        for part in &record.stations {
            let lines = own_lines(table, part.station);
            let session = table.stations[part.station.0 as usize].session;
            assert_eq!(lines.is_empty(), session != part.session);
        }
    });
}

/// The ruling as someone who may give it would.
fn ruled(table: &Table, pending: PendingId, ruling: Ruling) -> Option<Table> {
    STAFF.iter().find_map(|staff| {
        let rule = Act::Rule {
            pending,
            ruling: ruling.clone(),
            reason: "as seen".to_owned(),
        };
        let mut after = table.clone();
        act(&mut after, &by(*staff, None, rule)).ok().map(|_| after)
    })
}

#[test]
fn the_money_effect_shown_is_the_money_effect_that_follows() {
    let mut checked = 0;
    for book in RuleBook::all() {
        for seed in 0..6 {
            walk(&configs(book)[1], seed, 200, |table, _| {
                for decision in staff(table).decisions {
                    let id = PendingId(decision.pending);
                    let asks = ["uncovered", "dice-not-in-place"];
                    let asks = asks.contains(&decision.question.as_str());
                    if !asks || table.round.is_none() {
                        continue;
                    }
                    let void = ruled(table, id, Ruling::Void).expect("may be void");
                    for effect in &decision.effects {
                        let at = effect.station as usize;
                        let (was, is) = (&table.stations[at].meters, &void.stations[at].meters);
                        let returned = is.void_returned - was.void_returned;
                        assert_eq!(returned.minor(), effect.if_void);
                        assert_eq!(table.stations[at].at_risk.minor(), effect.staked);
                        checked += 1;
                    }
                    let on = ruled(table, id, Ruling::Conclude).expect("may go on");
                    let round = on.round.as_deref().expect("goes on");
                    for outcome in Outcome::all() {
                        for effect in &decision.effects {
                            let part = &round.stations[effect.station as usize];
                            let at = &on.stations[effect.station as usize];
                            let pays = on.book().expect("a book").layouts[at.layout].settlement();
                            let lines = part.positions.lines().iter();
                            let sum: i64 = lines
                                .map(|line| pays.returned(outcome.dice(), line.section, line.stake))
                                .map(|paid| paid.expect("exact").minor())
                                .sum();
                            assert!(effect.concluded_least <= sum);
                            assert!(sum <= effect.concluded_most);
                        }
                    }
                }
            });
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn what_may_be_bet_is_what_decide_takes() {
    for book in RuleBook::all() {
        let (_, means) = natural_kind(book);
        walk(&config(book), 21, 200, |table, n| {
            let Some(view) = Mine::of(table, FIRST) else {
                return;
            };
            let place = Act::PlaceBets {
                station: FIRST,
                round: table.last_round,
                bet: BetId(n),
                means,
                lines: vec![line("small", 500)],
            };
            let own = command(Actor::Station(FIRST), place.clone());
            let dealt = by(DEALER, None, place);
            let taken = |c: &Command| decide(table, c).is_ok();
            if taken(&own) || taken(&dealt) {
                assert!(view.may_bet);
            }
            if !view.may_bet {
                assert!(!taken(&own) && !taken(&dealt));
            }
        });
    }
}
