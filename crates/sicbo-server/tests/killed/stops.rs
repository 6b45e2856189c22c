//! A technical stop in the phases before the dice can be seen, at a table of
//! every book under the book's own rule, and what a
//! ruling to conclude pays when the dice were no longer in place.

use serde_json::{Value, json};

use crate::killed::technical::Play;

const BOOKS: [(&str, &str); 5] = [
    ("rws-etg", "a"),
    ("rws-open-cover", "a"),
    ("mbs-etg", "rapid"),
    ("mbs-table", "a"),
    ("quang-nam-table", "a"),
];

fn act(name: &str) -> Value {
    json!({"act": name})
}

/// Where a round stands when the equipment fails.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    /// Tumbled, and bets not yet called.
    Prepared,
    /// Terminals are told that no more bets are taken, and have not shown it.
    Closing,
    /// Closed, and no die can be seen.
    Covered,
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Prepared, Stage::Closing, Stage::Covered];

    /// The book has it: open cover tumbles after the close, and at chip tables
    /// the announcement itself closes.
    fn is_of(self, book: &str) -> bool {
        match self {
            Stage::Prepared => book != "rws-open-cover",
            Stage::Closing => !book.ends_with("-table"),
            Stage::Covered => true,
        }
    }

    /// The step that would come next.
    fn next(self, book: &str) -> Option<Value> {
        match (self, book) {
            (Stage::Prepared, _) => Some(act("call_bets")),
            (Stage::Closing, _) => None,
            (Stage::Covered, "rws-open-cover") => Some(act("activate_tumbler")),
            (Stage::Covered, "mbs-table") => Some(act("press_deal")),
            (Stage::Covered, _) => Some(act("uncover")),
        }
    }
}

/// Play comes to this stage of a new round, with ten units on Big if there are bets.
async fn comes_to(play: &mut Play, stage: Stage) {
    if stage == Stage::Prepared {
        let count = json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true});
        play.table.deal_all([act("activate_tumbler"), count]).await;
        play.round = play.table.round().await;
        return;
    }
    play.betting().await;
    if stage == Stage::Covered {
        play.close().await;
        return;
    }
    play.table.close().await;
    let round = play.round;
    let at = play.terminal.as_mut().expect("a terminal");
    at.phase(round, "closing").await;
}

/// The rule of the book for a stop with no outcome, as it is decided under.
fn no_outcome(book: &str) -> &'static str {
    match book {
        "rws-etg" => "rws-etg 5.1.2 (Q-07)",
        "rws-open-cover" => "rws-open-cover 5.1.2 (Q-07)",
        "mbs-etg" => "mbs-etg 5.8.1 (Q-07)",
        "mbs-table" => "mbs-table Q-36",
        _ => "quang-nam-table 7.1",
    }
}

#[tokio::test]
async fn r_175_a_technical_stop_is_declared_in_every_phase_before_dice_can_be_seen() {
    for (book, layout) in BOOKS {
        let mut play = Play::of(book, layout).await;
        play.table.void(early(book)).await;
        for stage in Stage::ALL.into_iter().filter(|stage| stage.is_of(book)) {
            comes_to(&mut play, stage).await;
            let stop = json!({"act": "declare_technical_stop", "what": "no power",
                "part": "tumbler"});
            play.must("dealer", stop).await;
            let held = ["decision_pending", no_outcome(book)];
            if let Some(next) = stage.next(book) {
                assert_eq!(play.refused("dealer", next).await, held, "{stage:?}");
            }
            if book == "quang-nam-table" {
                stops_and_goes_on(&mut play, stage).await;
            } else {
                stops_and_is_void(&mut play, stage).await;
            }
        }
        play.audited();
    }
}

/// A cause that fits any round before the close, to be rid of it.
fn early(book: &str) -> &'static str {
    match book {
        "rws-open-cover" => "tumbler-activated-early",
        _ => "dice-exposed-early",
    }
}

/// 7.1 voids nothing: approved, the round goes on from where it stood.
async fn stops_and_goes_on(play: &mut Play, stage: Stage) {
    let unit = play.unit();
    has!(play.waits("device-failure").await, {"rule": "quang-nam-table 7.1"});
    play.approve().await;
    if stage == Stage::Prepared {
        play.must("dealer", act("call_bets")).await;
        assert_eq!(play.bet(1, "big", 10 * unit).await, "registered");
        play.close().await;
    }
    play.table.finish([6, 5, 1]).await;
    assert_eq!(play.won(play.round).await, 10 * unit, "{stage:?}");
}

/// No outcome was established: void, by the book's own number.
async fn stops_and_is_void(play: &mut Play, stage: Stage) {
    let book = play.table.book;
    let waits = play.waits("technical-stop").await;
    has!(waits, {"by": "pit-supervisor", "established": false,
        "rule": no_outcome(book)}, "{book} {stage:?}");
    // The terminals show the close while it is held; it stays as it stands.
    let round = play.round;
    if stage == Stage::Closing {
        let at = play.terminal.as_mut().expect("a terminal");
        at.shown(round).await;
        at.phase(round, "closed").await;
    }
    play.rule_stop("affected").await;
    if book == "mbs-table" {
        // Its document is silent: the shift manager confirms it by analogy.
        let waits = play.waits("interrupted").await;
        assert_eq!(waits["by"], "shift-manager");
        let confirm = json!({"act": "confirm_interruption", "pending": waits["pending"],
            "dice_in_place": false});
        play.refuses("pit-supervisor", confirm.clone(), "not_authorised")
            .await;
        play.must("shift-manager", confirm).await;
    }
    let last = play.table.last().await;
    has!(last, {"number": round, "result": null});
    let (rule, cause) = match book {
        "mbs-table" => (Value::Null, Value::Null),
        _ => {
            let own = no_outcome(book).split(" (").next();
            (json!(own), json!("technical-interruption"))
        }
    };
    has!(last["why"], {"rule": rule, "cause": cause}, "{book} {stage:?}");
    if stage != Stage::Prepared {
        assert_eq!(play.won(round).await, 0, "{book} {stage:?}");
    }
    if let Some(at) = &mut play.terminal {
        at.until("the stakes", |t| t.credit() == 10_000).await;
    }
}

#[tokio::test]
async fn r_177_q_57_a_ruling_to_conclude_pays_the_dice_that_are_keyed_after_it() {
    for (book, layout) in BOOKS {
        let by = match book {
            "quang-nam-table" => "director",
            _ => "shift-manager",
        };
        let mut play = Play::of(book, layout).await;
        let unit = play.unit();
        play.uncover().await;
        // Keyed before the power went: it does not count.
        play.table.key([1, 1, 2]).await;
        let play = play.killed().await;
        play.finds_dice_moved().await;
        play.rule(by, "dice-not-in-place", "conclude").await;
        let [code, _] = play.refused("dealer", act("confirm_result")).await;
        assert!(
            matches!(code.as_str(), "flat_first" | "decision_pending"),
            "{book}: {code}"
        );
        if book == "quang-nam-table" {
            // The program failed too, and its approval is another's (7.1).
            assert_eq!(
                play.table.sees().await["status"],
                "open",
                "7.7: the dice first"
            );
        }
        play.table.settle_by([6, 5, 1]).await;
        assert_eq!(play.won(play.round).await, 10 * unit, "{book}");
        play.audited();
    }
}

#[tokio::test]
async fn r_177_quang_nam_a_result_confirmed_before_the_interruption_is_the_directors_too() {
    for lit in [false, true] {
        let mut play = Play::of("quang-nam-table", "a").await;
        let unit = play.unit();
        play.uncover().await;
        play.table.key([1, 1, 2]).await;
        play.must("dealer", act("confirm_result")).await;
        let lights = json!({"act": "report_lights", "lit": true});
        if lit {
            play.must("dealer", lights.clone()).await;
        }
        let play = play.killed().await;
        let waits = play.waits("interrupted").await;
        let moved = json!({"act": "confirm_interruption", "pending": waits["pending"],
            "dice_in_place": false});
        play.must("dealer", moved).await;
        let held = ["decision_pending", "quang-nam-table 7.8"];
        for step in [lights, act("take_and_pay")] {
            assert_eq!(play.refused("dealer", step).await, held);
        }
        play.rule("director", "dice-not-in-place", "conclude").await;
        // What was confirmed over dice that are gone pays nobody: the Director
        // has ruled that the round is finished by what the footage shows.
        play.refuses("dealer", act("take_and_pay"), "dice_first")
            .await;
        assert_eq!(play.table.sees().await["public"]["lit"], json!({}));
        play.table.settle_by([6, 5, 1]).await;
        assert_eq!(play.won(play.round).await, 10 * unit);
        assert_eq!(play.table.last().await["result"]["dice"], json!([1, 5, 6]));
        assert_eq!(play.table.sees().await["status"], "suspended");
        play.audited();
    }
}
