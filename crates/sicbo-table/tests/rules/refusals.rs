//! Every refusal is reached.

use sicbo_table::Reason;

use crate::rules::script::check;

pub(crate) const TERMINAL: &str = "table mbs-etg min 5 max 100 station 150 exposure 1000
    station T1 rapid
    station T2 rapid
    credit T1 500.00
";
pub(crate) const SEAT: &str = "table mbs-table
    seat S1 a
    seat S2 a
    chips brought 500.00
";
pub(crate) const OPEN_COVER: &str = "table rws-open-cover
    station T1 a
    credit T1 500.00
";
pub(crate) const QUANG_NAM: &str = "table quang-nam-table
    seat S1 a
    chips brought 500.00
";
pub(crate) const ENDED: &str = "table mbs-etg
    station T1 rapid
    credit T1 500.00
    to-betting
    bet T1 b1 big 50.00
    round 6 5 1
";

/// A code, the table it happens at, and how. The last line gives the refusal.
const REACHED: &[(&str, &str, &str)] = &[
    (
        "request_reused",
        TERMINAL,
        "credit T1 5.00 cage request 7\n credit T1 6.00 cage request 7",
    ),
    (
        "request_too_old",
        TERMINAL,
        "MORE-NOTES-THAN-REMEMBERED\n credit T1 5.00 cash request 1",
    ),
    ("table_not_open", "", "activate"),
    ("table_already_open", TERMINAL, "table mbs-etg"),
    ("not_suspended", TERMINAL, "resume by pit-supervisor Sue"),
    (
        "unknown_station",
        TERMINAL,
        "to-betting\n bet NOWHERE b1 big 5.00",
    ),
    ("not_a_terminal", SEAT, "credit S1 5.00"),
    ("not_a_seat", TERMINAL, "to-betting\n call T1 b1 big 5.00"),
    (
        "not_your_station",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00 by station T2",
    ),
    ("not_authorised", TERMINAL, "activate by cashier Cat"),
    (
        "second_person_needed",
        TERMINAL,
        "dice-set s2 by pit-supervisor Sue",
    ),
    (
        "same_person_twice",
        TERMINAL,
        "dice-set s2 by pit-supervisor Sue and dealer Sue",
    ),
    ("reason_needed", TERMINAL, "suspend \"\""),
    (
        "text_too_long",
        TERMINAL,
        "incident other LONGEST\n suspend LONG",
    ),
    ("no_lights", TERMINAL, "lights on"),
    ("no_deal_button", TERMINAL, "deal"),
    ("no_cover", OPEN_COVER, "uncover"),
    (
        "no_simulated_tumbler",
        TERMINAL,
        "commit 7 by device tumbler",
    ),
    ("layout_missing", TERMINAL, "station T3 nothing only"),
    ("station_does_not_fit", TERMINAL, "seat S9 rapid only"),
    ("config_faulty", TERMINAL, "station T1 rapid only"),
    ("table_suspended", TERMINAL, "suspend\n activate"),
    (
        "table_closing",
        TERMINAL,
        "last-round\n to-betting\n round 1 2 3\n activate",
    ),
    (
        "no_such_decision",
        TERMINAL,
        "rule uncovered void-it by shift-manager Sam",
    ),
    (
        "ruling_does_not_fit",
        TERMINAL,
        "to-betting\n hold it\n rule uncovered at-close by shift-manager Sam",
    ),
    ("no_round", TERMINAL, "flat"),
    (
        "wrong_round",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00 round 9",
    ),
    (
        "not_registered",
        TERMINAL,
        "to-betting\n void dice-damaged\n bet T1 b1 big 5.00 round 1",
    ),
    (
        "too_old_to_say",
        TERMINAL,
        "to-betting\n MORE-ACTS-THAN-REMEMBERED\n void dome-broken\n bet T1 b0 big 5.00 round 1",
    ),
    ("round_in_hand", TERMINAL, "to-betting\n remove T2"),
    ("last_round_not_announced", TERMINAL, "close-table"),
    (
        "dice_change_needed",
        TERMINAL,
        "to-betting\n void dice-damaged\n activate",
    ),
    ("clock_parted", TERMINAL, "clock-parted 1\n activate"),
    (
        "nothing_to_inspect",
        TERMINAL,
        "sound set-1 measured by pit-supervisor Sue and dealer Dan",
    ),
    (
        "bet_id_reused",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00\n bet T1 b1 big 6.00",
    ),
    (
        "station_fenced",
        TERMINAL,
        "to-betting\n close\n fence T1\n bet T1 b1 big 5.00",
    ),
    (
        "decision_pending",
        TERMINAL,
        "to-betting\n hold it\n bet T1 b1 big 5.00",
    ),
    ("only_void_possible", TERMINAL, "tumble 1\n open"),
    (
        "cause_not_in_book",
        TERMINAL,
        "to-betting\n void tumbler-activated-early",
    ),
    (
        "cause_does_not_fit",
        TERMINAL,
        "to-betting\n void die-not-flat",
    ),
    (
        "bets_closed",
        TERMINAL,
        "to-betting\n to-closed\n bet T1 b1 big 5.00",
    ),
    (
        "late_act_not_allowed",
        SEAT,
        "to-betting\n late S1 placement big 5.00",
    ),
    ("wrong_phase", TERMINAL, "tumble 3\n close"),
    ("tumble_first", TERMINAL, "open"),
    (
        "no_tumbler_line",
        TERMINAL,
        "count by-hand by pit-supervisor Sue and dealer Dan",
    ),
    (
        "counted_by_line",
        TERMINAL,
        "bind-tumbler line 0\n activate\n tumbled 3",
    ),
    (
        "counted_too_soon",
        TERMINAL,
        "bind-tumbler manual 1500\n activate\n tumbled 3",
    ),
    (
        "no_such_notice",
        QUANG_NAM,
        "acknowledge-notice 1 by pit-manager Pam",
    ),
    ("deal_first", SEAT, "to-betting\n close\n uncover"),
    ("uncover_first", TERMINAL, "to-betting\n to-closed\n flat"),
    (
        "flat_first",
        TERMINAL,
        "to-betting\n to-closed\n uncover\n dice 1 2 3",
    ),
    (
        "already_done",
        TERMINAL,
        "to-betting\n to-closed\n uncover\n uncover",
    ),
    ("tumbler_locked", OPEN_COVER, "activate"),
    (
        "too_late_to_commit",
        "table mbs-etg play-money\n",
        "tumble 3\n commit 7 by device tumbler",
    ),
    (
        "nothing_committed",
        "table mbs-etg play-money\n",
        "to-betting\n round 1 2 3\n reveal 1 7 by device tumbler",
    ),
    (
        "seed_does_not_fit",
        "table mbs-etg play-money\n",
        "commit 7 by device tumbler\n to-betting\n round 1 2 3\n reveal 1 8 by device tumbler",
    ),
    (
        "dice_first",
        TERMINAL,
        "to-betting\n to-closed\n uncover\n flat\n confirm",
    ),
    (
        "second_reading_needed",
        "table mbs-etg second always\n",
        "to-betting\n to-closed\n uncover\n flat\n dice 1 2 3\n confirm",
    ),
    (
        "lights_first",
        QUANG_NAM,
        "to-betting\n close\n uncover\n flat\n dice 1 2 3\n confirm\n pay",
    ),
    ("too_many_acts", TERMINAL, "to-betting\n MANY-ACTS"),
    ("no_colour_chips_here", QUANG_NAM, "colour S1 red 5.00"),
    (
        "no_colour_issued",
        SEAT,
        "to-betting\n bet S1 b1 big 5.00 colour",
    ),
    (
        "wrong_means",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00 cash",
    ),
    (
        "chips_needed",
        SEAT,
        "to-betting\n call S1 b1 big 5.00 nochips",
    ),
    ("no_lines", TERMINAL, "to-betting\n bet T1 b1"),
    (
        "too_many_lines",
        TERMINAL,
        "to-betting\n bet T1 b1 MANY-LINES",
    ),
    (
        "not_offered",
        OPEN_COVER,
        "to-betting\n bet T1 b1 three-single:123 5.00",
    ),
    (
        "stake_not_positive",
        TERMINAL,
        "to-betting\n bet T1 b1 big 0",
    ),
    (
        "stake_off_step",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.50",
    ),
    (
        "stake_below_minimum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 4.00",
    ),
    (
        "stake_above_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 101.00",
    ),
    (
        "not_that_much_there",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00\n unbet T1 b2 big 6.00",
    ),
    ("nothing_to_clear", TERMINAL, "to-betting\n clear T1 b1"),
    (
        "station_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 100.00 small 51.00",
    ),
    (
        "no_records",
        ENDED,
        "void-rounds none by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "record_not_ended",
        ENDED,
        "to-betting\n correct 2 1 1 1 by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "record_outdated",
        ENDED,
        "to-betting\n round 1 2 3\n STALE 1\n correct 1 4 4 4 by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "record_not_ours",
        ENDED,
        "to-betting\n round 1 2 3\n FORGED 1\n correct 1 4 4 4 by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "record_repeated",
        ENDED,
        "void-rounds 1 1 by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "played_with_other_dice",
        ENDED,
        "dice-set set-2 by pit-supervisor Sue and dealer Dan\n to-betting\n round 1 2 3\n damage a chip\n void-rounds 1 answering it by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "round_is_void",
        ENDED,
        "void-rounds 1 by shift-manager Sam and pit-supervisor Sue\n correct 1 1 2 3 by pit-supervisor Sue and dealer Dan",
    ),
    (
        "damage_not_reported",
        ENDED,
        "to-betting\n void-rounds 1 by shift-manager Sam and pit-supervisor Sue",
    ),
    (
        "readings_differ",
        ENDED,
        "correct 1 1 2 3 also 1 2 4 by pit-supervisor Sue and dealer Dan",
    ),
    (
        "result_unchanged",
        ENDED,
        "correct 1 1 5 6 by pit-supervisor Sue and dealer Dan",
    ),
    (
        "conduct_unanswered",
        ENDED,
        "correct 1 1 2 3 unanswered by pit-supervisor Sue and dealer Dan",
    ),
    (
        "void_instead",
        ENDED,
        "correct 1 1 2 3 not-conducted by pit-supervisor Sue and dealer Dan",
    ),
    (
        "too_many_amended",
        ENDED,
        "MANY-AMENDED 10000\n correct 1 1 2 3 by pit-supervisor Sue and dealer Dan",
    ),
    (
        "no_such_recoverable",
        ENDED,
        "recover 1 5.00 by shift-manager Sam",
    ),
    (
        "no_such_unclaimed",
        ENDED,
        "pay-unclaimed 1 by shift-manager Sam",
    ),
    (
        "voucher_used",
        TERMINAL,
        "credit T1 5.00 voucher v1\n credit T2 5.00 voucher v1",
    ),
    ("no_such_voucher", TERMINAL, "reverse T1 v1 5.00"),
    ("amount_not_positive", TERMINAL, "credit T1 0"),
    ("amount_too_large", TERMINAL, "credit T1 9999999999.00"),
    ("amount_off_unit", SEAT, "chips bought 5.50"),
    (
        "colour_in_use",
        SEAT,
        "colour S1 red 5.00\n colour S2 red 5.00",
    ),
    (
        "case_settled",
        SEAT,
        "case S1 1 5.00 upheld by pit-supervisor Sue and dealer Dan\n case S1 1 5.00 more by pit-supervisor Sue and dealer Dan",
    ),
    (
        "player_has_left",
        TERMINAL,
        "cashout T1 500.00 v1\n credit T1 5.00\n reverse T1 v1 500.00",
    ),
    (
        "insufficient_credit",
        TERMINAL,
        "to-betting\n bet T2 b1 big 5.00",
    ),
    (
        "exposure_above_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 triple:1 10.00",
    ),
    ("station_not_empty", TERMINAL, "remove T1"),
];

/// Words that stand for something too long to write.
pub(crate) fn spelled_out(script: &str) -> String {
    let acts: String = (0..10_000)
        .map(|i| match i % 2 {
            0 => format!("bet T1 b{i} big 5.00\n"),
            _ => format!("unbet T1 b{i} big 5.00\n"),
        })
        .collect();
    let few: Vec<&str> = acts.lines().take(65).collect();
    let notes: String = (1..=17)
        .map(|i| format!("credit T1 5.00 cash request {i}\n"))
        .collect();
    script
        .replace("MORE-NOTES-THAN-REMEMBERED", &notes)
        .replace("MORE-ACTS-THAN-REMEMBERED", &few.join("\n"))
        .replace("MAX-LINES", &"big 5.00 ".repeat(104))
        .replace("MANY-LINES", &"big 5.00 ".repeat(105))
        .replace(
            "MANY-SEAT-ACTS",
            &format!("{} bet S1 b10000 big 5.00", acts.replace("T1", "S1")),
        )
        .replace("MANY-ACTS", &format!("{acts} bet T1 b10000 big 5.00"))
}

#[test]
fn every_refusal_is_reached_by_a_row() {
    for code in Reason::CODES {
        let reached = REACHED.iter().any(|(row, ..)| row == code);
        assert!(
            reached,
            "no row reaches {code}: is it a refusal that cannot happen?"
        );
    }
    for (code, table, lines) in REACHED {
        assert!(Reason::CODES.contains(code), "{code} is no refusal");
        let script = spelled_out(&format!("{table} {lines} refused {code}"));
        let run = check(&script);
        assert_eq!(run.refusals, [*code]);
    }
}
