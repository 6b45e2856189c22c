//! Properties of the table over random play, watched by an independent auditor.
//!
//! Bounded by default; `SICBO_STEPS=5000000` makes each book play that many
//! steps, `SICBO_SEED=…` repeats one episode. A failure prints the command
//! that repeats it.

mod player;
mod reached;
mod world;

use std::collections::BTreeMap;

use player::Player;
use sicbo_auditor::odds::Quirk;
use sicbo_rules::{Money, RuleBook};
use sicbo_table::Act;
use sicbo_table::record::Standing;
use world::{Failure, Sabotage, World};

/// Steps of one table's life; then another seed opens another table.
const EPISODE: usize = 2_000;

/// Steps for each book when nothing else is asked for.
const STEPS: usize = 80_000;

fn steps() -> usize {
    let asked = std::env::var("SICBO_STEPS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(STEPS)
}

/// Plays one table from a seed; gives how often each thing was reached.
fn episode(
    book: &str,
    seed: u64,
    quirk: Quirk,
    sabotage: Sabotage,
) -> Result<BTreeMap<String, u64>, Failure> {
    let book = RuleBook::named(book).ok_or("no such book")?;
    let mut player = Player::new(seed, book);
    let mut world = World::new(quirk, sabotage);
    for step in 0..EPISODE {
        let at = |failure: Failure| format!("step {step}: {failure}");
        let command = player.next(&world);
        let careful = player.random.one_in(16);
        world.give(command, careful).map_err(at)?;
        if player.random.one_in(60) {
            corrected_back_is_never_corrected(&mut player, &world).map_err(at)?;
        }
    }
    world.replay()?;
    Ok(world.reached)
}

/// On a copy of the table: a result corrected and corrected back leaves every
/// player with what they had, and once overpayments are recovered, exactly so.
fn corrected_back_is_never_corrected(player: &mut Player, world: &World) -> Result<(), Failure> {
    let Some((record, was, other)) = player.settled(world) else {
        return Ok(());
    };
    let mut fork = world.fork();
    let (by, second, act) = player.correction(&record, other);
    let there = player.command(by, second, act);
    if !fork.give(there, false)? {
        return Ok(());
    }
    let now = fork.records.iter().find(|r| r.number == record.number);
    let now = now.cloned().ok_or("the corrected round is gone")?;
    if now.standing != Standing::Settled(other) {
        return Err("a correction did not change how the round stands".to_owned());
    }
    let (by, second, act) = player.correction(&now, was);
    let back = player.command(by, second, act);
    if !fork.give(back, false)? {
        return Err("a correction could not be corrected back".to_owned());
    }
    if fork.net() != world.net() {
        return Err(format!(
            "corrected back is not never corrected: {:?} where {:?} was",
            fork.net(),
            world.net()
        ));
    }
    // Where nothing of this round was open before, recovering what the way back
    // overpaid makes every balance what it was.
    let open_before = world
        .table
        .recoverables
        .values()
        .any(|entry| entry.round == record.number)
        || world
            .table
            .unclaimed
            .values()
            .any(|entry| entry.round == record.number);
    if open_before {
        return Ok(());
    }
    let made: Vec<_> = fork
        .table
        .recoverables
        .values()
        .filter(|entry| entry.round == record.number)
        .map(|entry| (entry.id, entry.amount))
        .collect();
    for (recoverable, amount) in made {
        let act = Act::Recover {
            recoverable,
            amount,
        };
        let (by, ..) = player.correction(&record, was);
        let recover = player.command(by, None, act);
        if !fork.give(recover, false)? {
            return Err("what was credited a moment ago could not be recovered".to_owned());
        }
    }
    let credits =
        |world: &World| -> Vec<Money> { world.table.stations.iter().map(|s| s.credit).collect() };
    let (after, before) = (&fork.table, &world.table);
    let same = credits(&fork) == credits(world)
        && after.books.chips_outstanding == before.books.chips_outstanding
        && after.recoverables == before.recoverables
        && after.unclaimed == before.unclaimed
        && after.books.house_win() == before.books.house_win();
    if same {
        Ok(())
    } else {
        Err("recovering all did not restore the balances".to_owned())
    }
}

/// Plays a book for as long as is asked and gives what was reached.
fn play(book: &str) -> BTreeMap<String, u64> {
    let mut reached = BTreeMap::new();
    let asked: Option<u64> = std::env::var("SICBO_SEED")
        .ok()
        .and_then(|text| text.parse().ok());
    let episodes = if asked.is_some() {
        1
    } else {
        steps().div_ceil(EPISODE) as u64
    };
    for number in 0..episodes {
        let seed = asked.unwrap_or(number * 1_000_003 + 17);
        match episode(book, seed, Quirk::None, Sabotage::None) {
            Ok(counts) => {
                for (what, count) in counts {
                    *reached.entry(what).or_default() += count;
                }
            }
            Err(failure) => panic!(
                "{book}, seed {seed}: {failure}\nrepeat with: SICBO_SEED={seed} cargo nextest run -p sicbo-table --test table -E 'test({})'",
                book.replace('-', "_")
            ),
        }
    }
    reached
}

/// A property that is never tried proves nothing: random play must reach these.
fn must_reach(book: &str, reached: &BTreeMap<String, u64>, wanted: &[&str]) {
    if std::env::var("SICBO_SEED").is_ok() {
        return;
    }
    let common = [
        "TableOpened",
        "StationAdded",
        "StationRemoved",
        "LastRoundAnnounced",
        "TableClosed",
        "TableSuspended",
        "TableResumed",
        "LimitsScheduled",
        "RuleBookScheduled",
        "DiceChanged",
        "BetsPlaced",
        "BetsRemoved",
        "RoundSettled",
        "RoundVoided ruling",
        "RoundVoided too-few-tumbles",
        "RoundVoided die-not-flat",
        "RoundVoided dice-damaged",
        "DecisionRaised interrupted",
        "DecisionRaised uncovered",
        "DecisionRaised readings-disagree",
        "ResultCorrected",
        "RoundVoidedLate",
        "effect recoverable",
        "effect netted",
        "effect waiver netted",
        "effect unclaimed",
        "effect unclaimed netted",
        "OverpaymentRecovered",
        "OverpaymentWaived",
        "UnclaimedPaid",
        "answered again",
        "refused bet_id_reused",
        "refused wrong_round",
        "refused stake_below_minimum",
        "refused stake_off_step",
        "refused record_outdated",
        "refused not_authorised",
    ];
    let missing: Vec<&str> = common
        .iter()
        .chain(wanted)
        .copied()
        .filter(|what| !reached.contains_key(*what))
        .collect();
    if std::env::var("SICBO_SHOW").is_ok() {
        println!("{book}: {reached:#?}");
    }
    assert!(missing.is_empty(), "{book}: never reached {missing:?}");
}

const AT_TERMINALS: [&str; 11] = [
    "refused not_offered",
    "CreditBought",
    "CashedOut",
    "CashOutReversed",
    "TransferredOut",
    "HandPaid",
    "Adjusted",
    "CloseAcknowledged",
    "StationFenced",
    "effect credited",
    "refused insufficient_credit",
];

const AT_SEATS: [&str; 9] = [
    "ChipsMoved",
    "PositionsRecorded",
    "PositionsObserved",
    "PositionsAttested",
    "PositionsReturned",
    "LateActRecorded",
    "CasePaid",
    "CaseOverpaid",
    "effect paid in chips",
];

const COLOURS: [&str; 3] = ["ColourAssigned", "ColourMoved", "ColourReleased"];

#[test]
fn rws_etg_keeps_its_books_over_random_play() {
    let reached = play("rws-etg");
    must_reach("rws-etg", &reached, &AT_TERMINALS);
}

#[test]
fn rws_open_cover_keeps_its_books_over_random_play() {
    let reached = play("rws-open-cover");
    must_reach("rws-open-cover", &reached, &AT_TERMINALS);
    must_reach(
        "rws-open-cover",
        &reached,
        &["RoundVoided tumbler-activated-early"],
    );
}

#[test]
fn mbs_table_keeps_its_books_over_random_play() {
    let reached = play("mbs-table");
    must_reach("mbs-table", &reached, &AT_SEATS);
    must_reach("mbs-table", &reached, &COLOURS);
}

#[test]
fn mbs_etg_keeps_its_books_over_random_play() {
    let reached = play("mbs-etg");
    must_reach("mbs-etg", &reached, &AT_TERMINALS);
    must_reach("mbs-etg", &reached, &["DecisionRaised terminal-open-case"]);
}

#[test]
fn quang_nam_table_keeps_its_books_over_random_play() {
    let reached = play("quang-nam-table");
    must_reach("quang-nam-table", &reached, &AT_SEATS);
    must_reach(
        "quang-nam-table",
        &reached,
        &[
            "DecisionRaised bet-status",
            "DecisionRaised device-failure",
            "refused no_colour_chips_here",
            "refused ruling_does_not_fit",
        ],
    );
}

/// Plays until the watch objects; it must.
fn caught(book: &str, quirk: Quirk, sabotage: Sabotage) -> String {
    for seed in 0..40 {
        if let Err(failure) = episode(book, seed, quirk, sabotage) {
            return failure;
        }
    }
    panic!("{quirk:?} and {sabotage:?} went unnoticed under {book}");
}

#[test]
fn canary_a_wrong_rule_of_the_auditor_is_noticed() {
    for (quirk, book) in [
        (Quirk::FourPaysRepeats, "rws-etg"),
        (Quirk::DoubleNotOnTriple, "mbs-table"),
        (Quirk::TotalNotOnTriple, "mbs-etg"),
        (Quirk::SingleAddsUp, "quang-nam-table"),
        (Quirk::LayoutCPaysAsB, "rws-open-cover"),
    ] {
        let failure = caught(book, quirk, Sabotage::None);
        let noticed = ["staked and", "is due", "was forgotten"]
            .iter()
            .any(|words| failure.contains(words));
        assert!(
            noticed,
            "{quirk:?} was noticed for another reason: {failure}"
        );
    }
}

#[test]
fn canary_a_faulty_engine_is_noticed() {
    for (sabotage, book, words) in [
        (Sabotage::CorrectionCreditsTwice, "rws-etg", "is due"),
        (
            Sabotage::SettlementLosesACent,
            "mbs-etg",
            "the auditor finds",
        ),
        (Sabotage::LateVoidForgetsAStation, "rws-etg", "forgotten"),
        (
            Sabotage::VoidKeepsStakes,
            "rws-open-cover",
            "the auditor finds",
        ),
        (Sabotage::RecoveryTakesTwice, "rws-etg", "the auditor finds"),
    ] {
        let failure = caught(book, Quirk::None, sabotage);
        assert!(
            failure.contains(words),
            "{sabotage:?} was noticed for another reason: {failure}"
        );
    }
}
