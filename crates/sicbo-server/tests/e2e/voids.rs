//! Damaged dice and causes found late, over real connections at a table of
//! every book, with the money to the cent.

use serde_json::json;

use crate::common::one::{Running, decider, shown};

#[tokio::test]
async fn r_156_damaged_dice_hold_the_table_and_void_what_they_affected() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, name) = (one.unit, spec.name);
        let won = one.round([6, 5, 1]).await;
        let lost = one.round([1, 1, 2]).await;
        one.purse(50 * unit).await;
        // Round n + 2 is in hand when a die is seen to be chipped.
        let in_hand = one.bets().await;
        one.purse(40 * unit).await;
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        one.table.deal(report.clone()).await;
        one.purse(50 * unit).await;
        let last = shown(&house.program, name, in_hand).await;
        assert_eq!(last["why"]["cause"], "dice-damaged", "{name}: {last}");
        assert_eq!(one.refused("dealer", &report).await, "already_done");
        // Nothing is played with that set.
        let begin = one.first_step();
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        // The question of earlier rounds was raised by itself.
        let sees = one.table.sees().await;
        let asked = sees["decisions"].as_array().expect("a list").iter();
        let asked = asked
            .filter(|one| one["question"] == "affected-rounds")
            .collect::<Vec<_>>();
        assert_eq!(asked.len(), 1, "{name}: {sees}");
        assert_eq!(asked[0]["by"], decider(spec.book), "{name}");
        let affected = house
            .staff
            .of(decider(spec.book))
            .get(&format!("/api/tables/{name}/dice/affected"))
            .await;
        let proposed = affected["rounds"].as_array().expect("rounds").iter();
        let proposed: Vec<u64> = proposed.filter_map(|r| r["number"].as_u64()).collect();
        assert!(
            proposed.contains(&won) && proposed.contains(&lost),
            "{name}"
        );
        let void = json!({"act": "void_rounds", "rounds": [won, lost], "cause": "dice-damaged",
            "pending": asked[0]["pending"], "reason": "chipped since the last inspection"});
        one.by_two(decider(spec.book), "pit-supervisor", void).await;
        // The lost stake came back; what was won is recoverable.
        let sees = one.table.sees().await;
        let owed = &sees["recoverables"][0];
        assert_eq!(owed["amount"], 10 * unit, "{name}: {sees}");
        assert_eq!(owed["round"], won, "{name}");
        // At quang-nam no later round had commenced: its chips are handed
        // over at once.
        if spec.book == "mbs-table" {
            assert_eq!(sees["unclaimed"][0]["amount"], 10 * unit, "{name}");
        } else {
            one.purse(60 * unit).await;
        }
        assert!(
            sees["decisions"].as_array().expect("a list").is_empty(),
            "{name}"
        );
        let why = shown(&house.program, name, lost).await["why"].clone();
        assert_eq!(why["cause"], "dice-damaged", "{name}");
        // The document's own number, where it has one.
        if spec.book.starts_with("rws") {
            let rule = why["rule"].as_str().expect("a rule");
            assert!(rule.contains("5.4"), "{name}: {why}");
        }
        // Another set is in the tumbler: play goes on, and is paid.
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        let change = json!({"act": "change_dice", "dice_set": "D-0002"});
        one.by_two("pit-supervisor", "dealer", change).await;
        one.round([6, 5, 1]).await;
        let sees = one.table.sees().await;
        assert_eq!(
            sees["last"]["result"]["total"], 12,
            "{name}: {}",
            sees["last"]
        );
        // Between rounds too; and an inspection by two lets the set play again.
        one.table.deal(report).await;
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        let sound = json!({"act": "find_dice_sound", "dice_set": "D-0002", "text": "measured"});
        assert_eq!(
            one.refused("pit-supervisor", &sound).await,
            "second_person_needed"
        );
        one.by_two("pit-supervisor", "dealer", sound).await;
        one.table.deal(begin).await;
    }
    house.ends();
}

#[tokio::test]
async fn r_163_causes_found_late_keep_their_name() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, name) = (one.unit, spec.name);
        // Miscounted, found when the dice can be seen: with a supervisor.
        let round = one.deal_to_open_dice([6, 5, 1]).await;
        let void = json!({"act": "declare_void", "cause": "too-few-tumbles"});
        assert_eq!(one.refused("dealer", &void).await, "second_person_needed");
        one.by_two("dealer", "pit-supervisor", void).await;
        one.purse(50 * unit).await;
        let why = shown(&house.program, name, round).await["why"].clone();
        assert_eq!(why["cause"], "too-few-tumbles", "{name}");
        let own = match spec.book {
            "rws-etg" | "rws-open-cover" => "5.3.1",
            "mbs-etg" | "mbs-table" => "5.1",
            _ => "7.2",
        };
        assert!(
            why["rule"].as_str().expect("a rule").contains(own),
            "{name}: {why}"
        );
        // Found after settlement: by whoever decides such matters, and never as damage.
        let settled = one.round([6, 5, 1]).await;
        let late = json!({"act": "void_rounds", "rounds": [settled], "cause": "too-few-tumbles",
            "reason": "camera 4 shows two tumbles"});
        assert_eq!(one.refused("dealer", &late).await, "not_authorised");
        one.by_two(decider(spec.book), "pit-supervisor", late).await;
        let why = shown(&house.program, name, settled).await["why"].clone();
        assert_eq!(why["cause"], "too-few-tumbles", "{name}");
        let (rule, ground) = (&why["rule"], &why["ground"]);
        if spec.book.starts_with("rws") {
            assert!(
                rule.as_str().expect("a rule").contains("5.10"),
                "{name}: {why}"
            );
            assert!(
                ground.as_str().expect("a ground").contains("5.3.1"),
                "{name}: {why}"
            );
        } else {
            assert!(
                rule.as_str().expect("a rule").contains(own),
                "{name}: {why}"
            );
            assert!(ground.is_null(), "{name}: {why}");
        }
        let sees = one.table.sees().await;
        assert_eq!(sees["recoverables"][0]["amount"], 10 * unit, "{name}");
        // The dice are not to blame.
        assert_eq!(sees["dice_condemned"], false, "{name}");
        assert_eq!(sees["last"]["why"]["cause"], "too-few-tumbles", "{name}");
        one.round([1, 1, 2]).await;
    }
    house.ends();
}

#[tokio::test]
async fn r_163_a_broken_dome_or_die_found_once_dice_can_be_seen_needs_a_supervisor() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let (causes, rule): (&[&str], &str) = match spec.book {
            "mbs-table" => (&["dome-broken", "dice-broken"], "mbs-table 5.5"),
            "mbs-etg" => (&["dome-broken", "dice-broken"], "mbs-etg 5.5"),
            "quang-nam-table" => (&["dome-broken"], "quang-nam-table 7.6"),
            _ => continue,
        };
        let mut one = house.one(spec).await;
        let unit = one.unit;
        for cause in causes {
            one.uncovers().await;
            let void = json!({"act": "declare_void", "cause": cause});
            let said = one.refused("dealer", &void).await;
            assert_eq!(said, "second_person_needed", "{} {cause}", spec.name);
            one.purse(40 * unit).await;
            one.by_two("dealer", "pit-supervisor", void).await;
            one.purse(50 * unit).await;
            let why = one.table.last().await["why"].clone();
            assert_eq!(why["cause"], *cause, "{}: {why}", spec.name);
            let cited = why["rule"].as_str().expect("a rule");
            assert!(cited.starts_with(rule), "{}: {why}", spec.name);
        }
    }
    house.ends();
}

#[tokio::test]
async fn r_156_damage_voids_no_round_that_was_played_with_other_dice() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, name, by) = (one.unit, spec.name, decider(spec.book));
        let sound = one.round([6, 5, 1]).await;
        let change = json!({"act": "change_dice", "dice_set": "D-0002"});
        one.by_two("pit-supervisor", "dealer", change).await;
        let spoilt = one.round([6, 5, 1]).await;
        one.purse(70 * unit).await;
        one.table
            .deal(json!({"act": "report_damage", "note": "a chip on the 4"}))
            .await;
        let sees = one.table.sees().await;
        let asked = sees["decisions"].as_array().expect("a list").iter();
        let asked = asked
            .clone()
            .find(|one| one["question"] == "affected-rounds");
        let pending = asked.expect("the question")["pending"].clone();
        let void = |rounds: &[u64]| {
            json!({"act": "void_rounds", "rounds": rounds, "cause": "dice-damaged",
                "pending": pending, "reason": "chipped since the last inspection"})
        };
        let path = format!("/api/tables/{name}/proposals");
        for rounds in [&[sound][..], &[sound, spoilt][..]] {
            let said = house.staff.post(by, &path, &void(rounds)).await;
            said.coded("played_with_other_dice");
        }
        one.by_two(by, "pit-supervisor", void(&[spoilt])).await;
        // Ten units won with the damaged dice are owed back; the others stand.
        let sees = one.table.sees().await;
        let owed = sees["recoverables"].as_array().expect("a list");
        assert_eq!(owed.len(), 1, "{name}: {sees}");
        has!(owed[0], {"amount": 10 * unit, "round": spoilt});
        assert!(
            shown(&house.program, name, sound).await["why"].is_null(),
            "{name}"
        );
        one.purse(70 * unit).await;
    }
    house.ends();
}
