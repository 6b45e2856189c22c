//! Which refusal is given when two apply.

use sicbo_table::Reason;

use crate::rules::refusals::{ENDED, OPEN_COVER, QUANG_NAM, SEAT, TERMINAL, spelled_out};
use crate::rules::script::check;

/// Two neighbours in the order of precedence. In the script both apply at the
/// first refusal; at the last only the second does.
const ORDER: &[(&str, &str, &str, &str)] = &[
    (
        "request_too_old",
        "table_not_open",
        TERMINAL,
        "MORE-NOTES-THAN-REMEMBERED suspend\n close-table\n credit T1 5.00 cash request 1 refused request_too_old\n credit T1 5.00 cash request 18 refused table_not_open",
    ),
    (
        "request_reused",
        "table_not_open",
        TERMINAL,
        "credit T1 5.00 request 7\n suspend\n close-table\n credit T1 6.00 request 7 refused request_reused\n credit T1 6.00 request 8 refused table_not_open",
    ),
    (
        "not_suspended",
        "not_authorised",
        TERMINAL,
        "resume by cashier Cat refused not_suspended\n suspend\n resume by cashier Cat refused not_authorised",
    ),
    (
        "table_already_open",
        "not_authorised",
        TERMINAL,
        "table mbs-etg by cashier Cat refused table_already_open\n suspend\n close-table\n table mbs-etg by cashier Cat refused not_authorised",
    ),
    (
        "unknown_station",
        "not_a_terminal",
        SEAT,
        "credit NOWHERE 5.00 refused unknown_station\n credit S1 5.00 refused not_a_terminal",
    ),
    (
        "not_a_terminal",
        "not_your_station",
        SEAT,
        "cashout S1 5.00 v1 by station S2 refused not_a_terminal\n seat S3 a\n cashout S3 5.00 v1 by station S2 refused not_a_terminal\n ack S1 by station S2 refused not_your_station",
    ),
    (
        "not_a_seat",
        "not_authorised",
        TERMINAL,
        "colour T1 red 5.00 by cashier Cat refused not_a_seat\n adjust T1 5.00 why by cashier Cat refused not_authorised",
    ),
    (
        "not_your_station",
        "wrong_round",
        TERMINAL,
        "bet T1 b1 big 5.00 round 9 by station T2 refused not_your_station\n bet T1 b1 big 5.00 round 9 refused wrong_round",
    ),
    (
        "not_authorised",
        "second_person_needed",
        TERMINAL,
        "dice-set s2 by cashier Cat refused not_authorised\n dice-set s2 by pit-supervisor Sue refused second_person_needed",
    ),
    (
        "second_person_needed",
        "reason_needed",
        TERMINAL,
        "dice-set \"\" by pit-supervisor Sue refused second_person_needed\n dice-set \"\" by pit-supervisor Sue and dealer Dan refused reason_needed",
    ),
    (
        "not_authorised",
        "same_person_twice",
        TERMINAL,
        "dice-set s2 by dealer Sue and dealer Sue refused not_authorised\n dice-set s2 by pit-supervisor Sue and dealer Sue refused same_person_twice",
    ),
    (
        "same_person_twice",
        "reason_needed",
        TERMINAL,
        "dice-set \"\" by pit-supervisor Sue and dealer Sue refused same_person_twice\n dice-set \"\" by pit-supervisor Sue and dealer Dan refused reason_needed",
    ),
    (
        "text_too_long",
        "no_round",
        TERMINAL,
        "rule-void LONG by shift-manager Sam refused text_too_long\n rule-void it by shift-manager Sam refused no_round",
    ),
    (
        "no_lights",
        "no_round",
        TERMINAL,
        "lights on refused no_lights\n flat refused no_round",
    ),
    (
        "no_deal_button",
        "no_round",
        TERMINAL,
        "deal refused no_deal_button\n flat refused no_round",
    ),
    (
        "no_cover",
        "no_round",
        OPEN_COVER,
        "uncover refused no_cover\n flat refused no_round",
    ),
    (
        "layout_missing",
        "station_does_not_fit",
        TERMINAL,
        "seat S9 nothing only refused layout_missing\n seat S9 rapid only refused station_does_not_fit",
    ),
    (
        "station_does_not_fit",
        "config_faulty",
        TERMINAL,
        "seat T1 rapid only refused station_does_not_fit\n station T1 rapid only refused config_faulty",
    ),
    (
        "table_suspended",
        "table_closing",
        TERMINAL,
        "last-round\n to-betting\n round 1 2 3\n suspend\n activate refused table_suspended\n resume by pit-supervisor Sue\n activate refused table_closing",
    ),
    (
        "table_closing",
        "dice_change_needed",
        TERMINAL,
        "last-round\n to-betting\n void dice-damaged\n activate refused table_closing\n suspend\n close-table\n table mbs-etg\n activate refused dice_change_needed",
    ),
    (
        "ruling_does_not_fit",
        "no_round",
        TERMINAL,
        "to-betting\n hold it\n rule uncovered accept by shift-manager Sam refused ruling_does_not_fit\n rule uncovered void-it by shift-manager Sam\n flat refused no_round",
    ),
    (
        "not_registered",
        "bet_id_reused",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00\n void dome-broken\n bet T1 b2 big 6.00 round 1 refused not_registered\n bet T1 b1 big 6.00 round 1 refused bet_id_reused",
    ),
    (
        "wrong_round",
        "bet_id_reused",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00\n bet T1 b1 big 6.00 round 9 refused wrong_round\n bet T1 b1 big 6.00 refused bet_id_reused",
    ),
    (
        "round_in_hand",
        "last_round_not_announced",
        TERMINAL,
        "to-betting\n close-table refused round_in_hand\n round 1 2 3\n close-table refused last_round_not_announced",
    ),
    (
        "round_in_hand",
        "dice_change_needed",
        TERMINAL,
        "to-betting\n to-closed\n to-visible\n damage a chip\n dice-set set-1 by pit-supervisor Sue and dealer Dan refused round_in_hand\n rule damaged-round void-it looked by pit-supervisor Sue\n dice-set set-1 by pit-supervisor Sue and dealer Dan refused dice_change_needed",
    ),
    (
        "dice_change_needed",
        "tumbler_locked",
        OPEN_COVER,
        "open\n void dice-damaged\n activate refused dice_change_needed\n dice-set s2 by pit-supervisor Sue and dealer Dan\n activate refused tumbler_locked",
    ),
    (
        "bet_id_reused",
        "station_fenced",
        TERMINAL,
        "to-betting\n bet T1 b1 big 5.00\n close\n fence T1\n bet T1 b1 big 6.00 refused bet_id_reused\n bet T1 b2 big 6.00 refused station_fenced",
    ),
    (
        "station_fenced",
        "decision_pending",
        TERMINAL,
        "to-betting\n close\n fence T1\n hold it\n bet T1 b2 big 6.00 refused station_fenced\n bet T2 b2 big 6.00 refused decision_pending",
    ),
    (
        "decision_pending",
        "only_void_possible",
        OPEN_COVER,
        "open\n activate by device tumbler\n hold it\n bet T1 b1 big 5.00 refused decision_pending\n rule uncovered conclude by shift-manager Sam\n bet T1 b1 big 5.00 refused only_void_possible",
    ),
    (
        "only_void_possible",
        "wrong_phase",
        TERMINAL,
        "tumble 1\n flat refused only_void_possible\n void too-few-tumbles\n tumble 3\n flat refused wrong_phase",
    ),
    (
        "decision_pending",
        "bets_closed",
        TERMINAL,
        "to-betting\n to-closed\n hold it\n bet T1 b1 big 5.00 refused decision_pending\n rule uncovered conclude by shift-manager Sam\n bet T1 b1 big 5.00 refused bets_closed",
    ),
    (
        "wrong_phase",
        "tumble_first",
        OPEN_COVER,
        "open\n flat refused wrong_phase\n to-closed\n flat refused tumble_first",
    ),
    (
        "tumble_first",
        "uncover_first",
        "table rws-etg\n station T1 a\n",
        "open\n to-closed\n flat refused tumble_first\n tumble 3\n flat refused uncover_first",
    ),
    (
        "uncover_first",
        "flat_first",
        TERMINAL,
        "to-betting\n to-closed\n dice 1 2 3 refused uncover_first\n uncover\n dice 1 2 3 refused flat_first",
    ),
    (
        "flat_first",
        "dice_first",
        TERMINAL,
        "to-betting\n to-closed\n uncover\n confirm refused flat_first\n flat\n confirm refused dice_first",
    ),
    (
        "flat_first",
        "already_done",
        QUANG_NAM,
        "to-betting\n close\n uncover\n flat\n dice 1 2 3\n confirm\n interrupt cut\n confirm-interruption in-place by dealer Dan and pit-supervisor Sue\n dice 1 2 3 refused flat_first\n flat\n dice 1 2 3 refused already_done",
    ),
    (
        "already_done",
        "dice_first",
        QUANG_NAM,
        "to-betting\n close\n uncover\n flat\n dice 1 2 3\n confirm\n interrupt cut\n confirm-interruption in-place by dealer Dan and pit-supervisor Sue\n flat\n clear-keys refused already_done\n lights on\n pay\n resume by head-of-operations Hoa\n to-betting\n close\n uncover\n flat\n clear-keys refused dice_first",
    ),
    (
        "dice_first",
        "second_reading_needed",
        "table mbs-etg second always\n",
        "to-betting\n to-closed\n uncover\n flat\n confirm refused dice_first\n dice 1 2 3\n confirm refused second_reading_needed",
    ),
    (
        "bets_closed",
        "wrong_means",
        TERMINAL,
        "to-betting\n close\n ack T1\n bet T1 b1 big 5.00 cash refused bets_closed\n bet T2 b1 big 5.00 cash refused wrong_means",
    ),
    (
        "wrong_means",
        "no_lines",
        TERMINAL,
        "to-betting\n bet T1 b1 cash refused wrong_means\n bet T1 b1 refused no_lines",
    ),
    (
        "chips_needed",
        "no_lines",
        SEAT,
        "to-betting\n call S1 b1 nochips refused chips_needed\n call S1 b1 refused no_lines",
    ),
    (
        "too_many_lines",
        "station_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 MANY-LINES refused too_many_lines\n bet T1 b1 big 100.00 small 51.00 refused station_maximum",
    ),
    (
        "not_offered",
        "stake_not_positive",
        OPEN_COVER,
        "to-betting\n bet T1 b1 three-single:123 0 refused not_offered\n bet T1 b1 big 0 refused stake_not_positive",
    ),
    (
        "stake_off_step",
        "stake_below_minimum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 0.50 refused stake_off_step\n bet T1 b1 big 1.00 refused stake_below_minimum",
    ),
];

/// The same, on what is bet and on money.
const ORDER_OF_MONEY: &[(&str, &str, &str, &str)] = &[
    (
        "too_many_lines",
        "stake_above_maximum",
        QUANG_NAM,
        "to-betting\n close\n uncover\n observe S1 MANY-LINES refused too_many_lines\n observe S1 MAX-LINES refused stake_above_maximum",
    ),
    (
        "already_done",
        "too_late_to_commit",
        "table mbs-etg play-money\n station T1 rapid\n",
        "commit 7 by device tumbler\n tumble 3\n commit 8 by device tumbler refused already_done\n void dice-damaged\n dice-set s2 by pit-supervisor Sue and dealer Dan\n tumble 3\n commit 8 by device tumbler refused too_late_to_commit",
    ),
    (
        "already_done",
        "tumbler_locked",
        "table rws-open-cover\n station T1 a\n",
        "to-betting\n to-closed\n tumble 3\n activate refused already_done\n rule-void it by shift-manager Sam\n activate refused tumbler_locked",
    ),
    (
        "too_many_acts",
        "no_colour_chips_here",
        "table quang-nam-table\n seat S1 a\n seat S2 a\n",
        "to-betting\n MANY-SEAT-ACTS refused too_many_acts\n bet S2 b1 big 5.00 colour refused no_colour_chips_here",
    ),
    (
        "too_many_acts",
        "no_colour_issued",
        SEAT,
        "to-betting\n MANY-SEAT-ACTS colour refused too_many_acts\n call S1 b10001 big 5.00 refused too_many_acts\n bet S2 b1 big 5.00 colour refused no_colour_issued",
    ),
    (
        "stake_not_positive",
        "stake_off_step",
        TERMINAL,
        "to-betting\n bet T1 b1 big -0.50 refused stake_not_positive\n bet T1 b1 big 0.50 refused stake_off_step",
    ),
    (
        "stake_off_step",
        "stake_above_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 100.50 refused stake_off_step\n bet T1 b1 big 101.00 refused stake_above_maximum",
    ),
    (
        "stake_off_step",
        "not_that_much_there",
        TERMINAL,
        "to-betting\n bet T1 b1 big 10.00\n unbet T1 b2 big 10.50 refused stake_off_step\n unbet T1 b2 big 11.00 refused not_that_much_there",
    ),
    (
        "stake_above_maximum",
        "not_that_much_there",
        SEAT,
        "to-betting\n bet S1 b1 big 10.00\n close\n late S1 withdrawal big 501.00 refused stake_above_maximum\n late S1 withdrawal big 500.00 refused not_that_much_there",
    ),
    (
        "stake_above_maximum",
        "station_maximum",
        TERMINAL,
        "to-betting\n bet T1 b1 big 100.00\n bet T1 b2 big 51.00 refused stake_above_maximum\n bet T1 b2 small 51.00 refused station_maximum",
    ),
    (
        "station_maximum",
        "insufficient_credit",
        TERMINAL,
        "to-betting\n bet T2 b1 big 100.00 small 51.00 refused station_maximum\n bet T2 b1 big 100.00 small 50.00 refused insufficient_credit",
    ),
    (
        "insufficient_credit",
        "exposure_above_maximum",
        TERMINAL,
        "to-betting\n bet T2 b1 triple:1 10.00 refused insufficient_credit\n credit T2 10.00\n bet T2 b1 triple:1 10.00 refused exposure_above_maximum",
    ),
    (
        "record_not_ended",
        "round_is_void",
        ENDED,
        "void-rounds 1 by shift-manager Sam and pit-supervisor Sue\n correct 2 1 2 3 by shift-manager Sam and pit-supervisor Sue refused record_not_ended\n correct 1 1 2 3 by shift-manager Sam and pit-supervisor Sue refused round_is_void",
    ),
    (
        "record_outdated",
        "round_is_void",
        ENDED,
        "void-rounds 1 by shift-manager Sam and pit-supervisor Sue\n to-tumble\n STALE 1\n correct 1 1 2 3 by shift-manager Sam and pit-supervisor Sue refused record_outdated\n FRESH 1\n correct 1 1 2 3 by shift-manager Sam and pit-supervisor Sue refused round_is_void",
    ),
    (
        "record_outdated",
        "record_not_ours",
        ENDED,
        "to-betting\n round 1 2 3\n FORGED 1\n STALE 1\n correct 1 4 4 4 by shift-manager Sam and pit-supervisor Sue refused record_outdated\n STALE 1\n correct 1 4 4 4 by shift-manager Sam and pit-supervisor Sue refused record_not_ours",
    ),
    (
        "record_not_ours",
        "record_repeated",
        ENDED,
        "to-betting\n round 1 2 3\n FORGED 1\n void-rounds 1 1 by shift-manager Sam and pit-supervisor Sue refused record_not_ours\n TRUE 1\n void-rounds 1 1 by shift-manager Sam and pit-supervisor Sue refused record_repeated",
    ),
    (
        "result_unchanged",
        "conduct_unanswered",
        ENDED,
        "correct 1 6 5 1 unanswered by pit-supervisor Sue and dealer Dan refused result_unchanged\n correct 1 1 2 3 unanswered by pit-supervisor Sue and dealer Dan refused conduct_unanswered",
    ),
    (
        "conduct_unanswered",
        "void_instead",
        ENDED,
        "damage a chip\n correct 1 1 2 3 unanswered by pit-supervisor Sue and dealer Dan refused conduct_unanswered\n correct 1 1 2 3 by pit-supervisor Sue and dealer Dan refused void_instead",
    ),
    (
        "void_instead",
        "too_many_amended",
        ENDED,
        "MANY-AMENDED 10000\n correct 1 1 2 3 not-conducted by pit-supervisor Sue and dealer Dan refused void_instead\n correct 1 1 2 3 by pit-supervisor Sue and dealer Dan refused too_many_amended",
    ),
    (
        "round_is_void",
        "damage_not_reported",
        ENDED,
        "to-betting\n round 1 2 3\n void-rounds 1 for too-few-tumbles by shift-manager Sam and pit-supervisor Sue\n to-betting\n void-rounds 1 by shift-manager Sam and pit-supervisor Sue refused round_is_void\n void-rounds 2 by shift-manager Sam and pit-supervisor Sue refused damage_not_reported",
    ),
    (
        "round_is_void",
        "readings_differ",
        ENDED,
        "dice-set s2 by pit-supervisor Sue and dealer Dan\n to-betting\n round 1 2 3\n void-rounds 1 by shift-manager Sam and pit-supervisor Sue\n correct 1 1 2 3 also 1 2 4 by shift-manager Sam and pit-supervisor Sue refused round_is_void\n correct 2 1 2 3 also 1 2 4 by pit-supervisor Sue and dealer Dan refused readings_differ",
    ),
    (
        "readings_differ",
        "result_unchanged",
        ENDED,
        "correct 1 6 5 1 also 1 2 4 by pit-supervisor Sue and dealer Dan refused readings_differ\n correct 1 6 5 1 by pit-supervisor Sue and dealer Dan refused result_unchanged",
    ),
    (
        "no_such_recoverable",
        "amount_not_positive",
        ENDED,
        "recover 1 0 by shift-manager Sam refused no_such_recoverable\n correct 1 1 2 3 by pit-supervisor Sue and dealer Dan\n recover 1 0 by shift-manager Sam refused amount_not_positive",
    ),
    (
        "voucher_used",
        "amount_not_positive",
        TERMINAL,
        "credit T1 5.00 voucher v1\n credit T1 0 voucher v1 refused voucher_used\n credit T1 0 voucher v2 refused amount_not_positive",
    ),
    (
        "amount_too_large",
        "amount_off_unit",
        SEAT,
        "chips bought 9999999999.50 refused amount_too_large\n chips bought 5.50 refused amount_off_unit",
    ),
    (
        "case_settled",
        "player_has_left",
        TERMINAL,
        "case T1 1 5.00 upheld by shift-manager Sam and pit-supervisor Sue\n case-of-another T1 1 5.00 more by shift-manager Sam and pit-supervisor Sue refused case_settled\n case-of-another T1 2 5.00 more by shift-manager Sam and pit-supervisor Sue refused player_has_left",
    ),
    (
        "amount_off_unit",
        "colour_in_use",
        SEAT,
        "colour S1 red 5.00\n colour S2 red 5.50 refused amount_off_unit\n colour S2 red 5.00 refused colour_in_use",
    ),
    (
        "amount_off_unit",
        "insufficient_credit",
        SEAT,
        "colour S1 red 5.00\n colours S1 for-chips 6.00 refused amount_off_unit\n colours S1 for-chips 5.00 refused insufficient_credit",
    ),
    (
        "player_has_left",
        "insufficient_credit",
        ENDED,
        "correct 1 1 2 3 by pit-supervisor Sue and dealer Dan\n cashout T1 550.00 v1\n recover 1 5.00 by shift-manager Sam refused player_has_left\n cashout T1 1.00 v2 refused insufficient_credit",
    ),
];

/// Neighbours that can never apply at once, and why.
const NEVER_BOTH: &[(&str, &str, &str)] = &[
    (
        "request_reused",
        "request_too_old",
        "a number is remembered or not",
    ),
    (
        "second_person_needed",
        "same_person_twice",
        "there is a second person or not",
    ),
    (
        "table_not_open",
        "table_already_open",
        "a table is one or the other",
    ),
    (
        "table_already_open",
        "not_suspended",
        "one is asked of an opening, one of a resumption",
    ),
    (
        "not_suspended",
        "unknown_station",
        "a resumption names no station",
    ),
    (
        "not_a_terminal",
        "not_a_seat",
        "a station is one or the other",
    ),
    (
        "not_a_seat",
        "not_your_station",
        "seats are the dealer's, not their own",
    ),
    (
        "not_your_station",
        "not_authorised",
        "one is asked of stations and the house, one of staff",
    ),
    ("reason_needed", "text_too_long", "a text is empty or long"),
    ("text_too_long", "no_lights", "lights carry no text"),
    ("no_lights", "no_deal_button", "different acts"),
    ("no_deal_button", "no_cover", "different acts"),
    ("no_cover", "no_simulated_tumbler", "different acts"),
    ("no_simulated_tumbler", "layout_missing", "different acts"),
    (
        "config_faulty",
        "table_suspended",
        "setting up needs no play",
    ),
    (
        "table_closing",
        "no_such_decision",
        "a ruling begins no round",
    ),
    (
        "no_such_decision",
        "ruling_does_not_fit",
        "what is not asked has no wrong answer",
    ),
    (
        "no_round",
        "wrong_round",
        "a named round is wrong when there is none",
    ),
    (
        "wrong_round",
        "not_registered",
        "a round is over or has not begun",
    ),
    (
        "not_registered",
        "too_old_to_say",
        "it is remembered or not",
    ),
    (
        "too_old_to_say",
        "round_in_hand",
        "an act wants a round or wants none",
    ),
    (
        "last_round_not_announced",
        "dice_change_needed",
        "closing needs no dice",
    ),
    (
        "dice_change_needed",
        "nothing_to_inspect",
        "dice that must be changed are to be inspected",
    ),
    (
        "nothing_to_inspect",
        "clock_parted",
        "an inspection begins no round",
    ),
    (
        "clock_parted",
        "bet_id_reused",
        "between rounds there are no bets",
    ),
    (
        "dice_change_needed",
        "bet_id_reused",
        "between rounds there are no bets",
    ),
    (
        "only_void_possible",
        "cause_not_in_book",
        "declaring void is what remains possible",
    ),
    (
        "cause_not_in_book",
        "cause_does_not_fit",
        "a cause not listed fits nowhere",
    ),
    ("cause_does_not_fit", "bets_closed", "different acts"),
    ("no_such_decision", "no_such_notice", "different acts"),
    ("no_such_notice", "ruling_does_not_fit", "different acts"),
    ("tumble_first", "no_tumbler_line", "different acts"),
    ("no_tumbler_line", "counted_by_line", "different acts"),
    (
        "counted_by_line",
        "counted_too_soon",
        "a person counts too soon only where a person counts",
    ),
    ("counted_too_soon", "deal_first", "different acts"),
    (
        "bets_closed",
        "late_act_not_allowed",
        "one is before the close, one after",
    ),
    ("late_act_not_allowed", "wrong_phase", "different acts"),
    (
        "tumble_first",
        "deal_first",
        "where there is a deal button the close needs the tumble",
    ),
    ("deal_first", "uncover_first", "different acts"),
    ("tumbler_locked", "too_late_to_commit", "different acts"),
    ("too_late_to_commit", "nothing_committed", "different acts"),
    (
        "nothing_committed",
        "seed_does_not_fit",
        "without a commitment no seed is wrong",
    ),
    ("seed_does_not_fit", "dice_first", "different acts"),
    (
        "second_reading_needed",
        "lights_first",
        "one is before the confirmation, one after",
    ),
    ("lights_first", "too_many_acts", "different acts"),
    (
        "no_colour_chips_here",
        "no_colour_issued",
        "books with colour chips and without",
    ),
    (
        "no_colour_issued",
        "wrong_means",
        "a seat lacks its colour, a terminal has none",
    ),
    (
        "wrong_means",
        "chips_needed",
        "a spoken bet is in cash chips",
    ),
    ("no_lines", "too_many_lines", "none or too many"),
    (
        "stake_below_minimum",
        "stake_above_maximum",
        "minimum is not above maximum",
    ),
    ("not_that_much_there", "nothing_to_clear", "different acts"),
    ("nothing_to_clear", "station_maximum", "different acts"),
    ("station_maximum", "no_records", "different acts"),
    ("no_records", "record_not_ended", "none is named"),
    ("too_many_amended", "no_such_recoverable", "different acts"),
    (
        "exposure_above_maximum",
        "station_not_empty",
        "different acts",
    ),
    ("no_such_recoverable", "no_such_unclaimed", "different acts"),
    ("no_such_unclaimed", "voucher_used", "different acts"),
    ("voucher_used", "no_such_voucher", "different acts"),
    (
        "no_such_voucher",
        "amount_not_positive",
        "no voucher is issued for nothing",
    ),
    (
        "amount_not_positive",
        "amount_too_large",
        "none or too much",
    ),
    ("colour_in_use", "case_settled", "different acts"),
    ("damage_not_reported", "readings_differ", "different acts"),
    (
        "record_repeated",
        "played_with_other_dice",
        "the first of the two is refused already",
    ),
    (
        "played_with_other_dice",
        "round_is_void",
        "either way the round does not become void for these dice",
    ),
    (
        "record_not_ended",
        "record_outdated",
        "what has not ended was not amended",
    ),
    (
        "too_many_lines",
        "not_offered",
        "lines are looked at when there are few enough",
    ),
];

#[test]
fn precedence_is_pinned_for_every_pair_of_neighbours_that_can_both_apply() {
    let place = |code: &str| {
        let at = Reason::CODES.iter().position(|known| *known == code);
        at.unwrap_or_else(|| panic!("{code} is no refusal"))
    };
    let rows = ORDER.iter().chain(ORDER_OF_MONEY);
    for (first, second, table, lines) in rows.clone() {
        assert!(
            place(first) < place(second),
            "{first} stands after {second}"
        );
        let run = check(&spelled_out(&format!("{table} {lines}")));
        assert_eq!(run.refusals.first(), Some(first), "{lines}");
        assert_eq!(run.refusals.last(), Some(second), "{lines}");
    }
    let listed = |pair: &[&str]| {
        rows.clone()
            .any(|(a, b, ..)| *a == pair[0] && *b == pair[1])
            || NEVER_BOTH
                .iter()
                .any(|(a, b, _)| *a == pair[0] && *b == pair[1])
    };
    let open: Vec<&[&str]> = Reason::CODES
        .windows(2)
        .filter(|pair| !listed(pair))
        .collect();
    assert!(open.is_empty(), "which comes first? {open:?}");
}
