//! The table of decisions over the wire: each act that staff can ask for is
//! asked by somebody in every position at a table of each book, and received
//! as `decisions.txt` of the table's own tests says. What takes two persons
//! takes two, each on a session of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::house::{House, STAFF};
use super::http::{Answer, get, post};
use crate::common::comes;
use crate::common::house::TableSpec;

/// The table, with each of the four positions above the director spelt out.
static DECISIONS: LazyLock<String> = LazyLock::new(|| {
    include_str!("../../../sicbo-table/tests/rules/decisions.txt").replace('^', "1234")
});
const BOOKS: [&str; 5] = [
    "rws-etg",
    "rws-open-cover",
    "mbs-etg",
    "mbs-table",
    "quang-nam-table",
];
const LETTERS: [(char, &str); 16] = [
    ('d', "dealer"),
    ('s', "pit-supervisor"),
    ('m', "pit-manager"),
    ('h', "shift-manager"),
    ('r', "director"),
    ('o', "head-of-operations"),
    ('v', "surveillance"),
    ('c', "cashier"),
    ('a', "auditor"),
    ('g', "regulator"),
    ('t', "trainer"),
    ('e', "technician"),
    ('1', "above-director-1"),
    ('2', "above-director-2"),
    ('3', "above-director-3"),
    ('4', "above-director-4"),
];
/// Positions that this house names above the director, lowest first, and who
/// holds each.
const ABOVE: [(&str, &str); 4] = [
    ("Vice President, Table Games", "Adeline Foo"),
    ("Senior Vice President", "Bernard Teo"),
    ("Chief Operating Officer", "Cecilia Yap"),
    ("Chief Executive", "Dominic Raj"),
];
/// Those for whom a table's door does not open at all.
const OUTSIDE: &str = "vagte";

/// What is nobody's to ask over HTTP: the program's own acts and a terminal's;
/// and what a house with nobody at its terminals does not come to.
const ELSEWHERE: &[&str] = &[
    "change_rule_book",
    "connect",
    "disconnect",
    "commit_tumble",
    "reveal_tumble",
    "acknowledge_close",
    "fence",
    "declare_void:where-a-supervisor-is-asked-for",
    "interrupt",
    "grant_play",
    "set_money_duties",
    // Only where money is played for: see `duties.rs`.
    "count_money",
    "report_clock",
    "set_clock",
    "hold_for_correction",
    "end_correction",
    "bind_tumbler",
    "report_cover",
    "report_cover:closed",
    "rule:terminal-open-case:accept",
    "buy_credit:voucher",
    "cash_out",
    "reverse_cash_out",
    "forget_voucher",
];
/// What is asked only after an interruption: in a test of its own.
const INTERRUPTED: &[&str] = &[
    "confirm_interruption:no-outcome",
    "confirm_interruption:established",
    "confirm_interruption:dice-not-in-place",
    "rule:dice-not-in-place:void",
    "rule:dice-not-in-place:conclude",
];
/// What is asked only where the tumbler is on a line: in a test of its own.
const ON_LINE: &[&str] = &["switch_counting"];
/// What needs a bet, which at terminals only a player's own socket places.
const WITH_BETS: &[&str] = &["recover", "waive", "pay_unclaimed"];

fn electronic(book: &str) -> bool {
    !book.ends_with("-table")
}

fn plan() -> String {
    let mut text =
        String::from("site = \"Rights\"\nlisten = \"127.0.0.1:0\"\nstop_within_seconds = 0\n");
    let names = ABOVE.map(|(position, _)| position);
    text += &format!("above_director = {names:?}\n");
    for (position, name) in STAFF.iter().chain(&ABOVE) {
        text += &format!("[[staff]]\nname = \"{name}\"\nposition = \"{position}\"\n");
    }
    for book in BOOKS {
        let layout = if book == "mbs-etg" { "rapid" } else { "a" };
        TableSpec::by_hand(book, &[(layout, 3)]).write(&mut text);
    }
    text
}

/// Everybody's sessions.
struct Everyone {
    house: House,
    cookies: BTreeMap<char, String>,
    /// The trainer's number, for acting.
    trainer: u64,
}

impl Everyone {
    fn of(house: House) -> Everyone {
        let cookies: BTreeMap<char, String> = LETTERS
            .iter()
            .map(|(letter, position)| {
                let above = letter.to_digit(10).map(|at| ABOVE[at as usize - 1].1);
                let cookie = above.map_or_else(|| house.staff(position), |n| house.session(n));
                (*letter, cookie)
            })
            .collect();
        let said = get(&house, "/api/session", &[&cookies[&'t']]);
        let trainer = said.json()["person"].as_u64().expect("a person");
        Everyone {
            house,
            cookies,
            trainer,
        }
    }

    /// The power goes and comes back.
    fn restarted(self) -> Everyone {
        let (status, folder) = self.house.stop();
        assert!(status.success());
        Everyone::of(House::start(folder))
    }

    fn at(&self, book: &'static str) -> At<'_> {
        At {
            all: self,
            book,
            last: std::cell::Cell::new(0),
        }
    }
}

/// What the second person says to a proposal of this act.
fn stated(body: &Value, proposed: &Answer) -> Value {
    let mut stated = json!({"digest": proposed.json()["digest"]});
    if let Some(dice) = body.get("dice") {
        stated["dice"] = dice.clone();
    }
    stated
}

/// One table, and who asks there.
struct At<'e> {
    all: &'e Everyone,
    book: &'static str,
    /// Numbers of requests given out.
    last: std::cell::Cell<u64>,
}

impl At<'_> {
    fn ask(&self, who: char, way: &str, body: &Value) -> Answer {
        let path = format!("/api/tables/{}/{way}", self.book);
        post(&self.all.house, &path, &[&self.all.cookies[&who]], body)
    }

    #[track_caller]
    fn must(&self, who: char, body: &Value) {
        self.ask(who, "acts", body).is(200);
    }

    /// Two persons do it.
    #[track_caller]
    fn two(&self, one: char, other: char, body: &Value) {
        let said = self.ask(one, "proposals", body).is(201);
        let dice = stated(body, &said);
        let way = format!("proposals/{}/confirm", said.json()["proposal"]);
        self.ask(other, &way, &dice).is(200);
    }

    fn sees(&self) -> Value {
        let path = format!("/api/tables/{}/staff", self.book);
        get(&self.all.house, &path, &[&self.all.cookies[&'d']]).json()
    }

    fn request(&self) -> u64 {
        self.last.set(self.last.get() + 1);
        self.last.get()
    }

    fn unit(&self) -> i64 {
        match self.book {
            "quang-nam-table" => 10_000,
            _ => 100,
        }
    }

    /// A dispute of the first station that was decided for the player.
    fn upheld_case(&self) -> u64 {
        let said = |path: &str, body: &Value| {
            let who = &self.all.cookies[&'s'];
            let said = post(&self.all.house, path, &[who], body);
            assert!(matches!(said.status, 200 | 201), "{path}: {}", said.body);
            said.json()
        };
        let case = json!({"table": self.book, "kind": "dispute", "station": 0,
            "reason": "not_paid", "words": "scene"});
        let number = said("/api/cases", &case)["case"].as_u64().expect("a case");
        let steps = format!("/api/cases/{number}/steps");
        said(&steps, &json!({"step": "take"}));
        let mut decide = json!({"step": "decide", "outcome": "upheld", "text": "scene"});
        if self.book == "quang-nam-table" {
            decide["bases"] = json!([1]);
            decide["silent"] = json!([2, 3, 4, 5, 6, 7, 8]);
        }
        said(&steps, &decide);
        number
    }

    fn deal(&self, acts: &[&str]) {
        for act in acts {
            let body = match *act {
                "report_tumbles" => json!({"act": act, "count": 3, "all_dice_moved": true}),
                "two tumbles" => {
                    json!({"act": "report_tumbles", "count": 2, "all_dice_moved": true})
                }
                "key_dice" => json!({"act": act, "dice": [1, 2, 3]}),
                "report_lights" => json!({"act": act, "lit": true}),
                _ => json!({"act": act}),
            };
            self.must('d', &body);
        }
    }

    /// The steps of a round up to where a scene begins.
    fn to(&self, place: &str) {
        let tumble = ["activate_tumbler", "report_tumbles"];
        match (place, self.book) {
            ("tumble", "rws-open-cover") => self.deal(&["call_bets", "close_bets"]),
            ("tumble", "mbs-table") => self.deal(&["call_bets"]),
            ("tumble", _) | ("call", "rws-open-cover" | "mbs-table") => {}
            ("call", _) => self.deal(&tumble),
            ("betting", "mbs-table") => {
                self.deal(&["call_bets"]);
                self.deal(&tumble);
            }
            ("betting", _) => {
                self.to("call");
                self.deal(&["call_bets"]);
            }
            ("closed", _) => {
                self.to("betting");
                self.deal(&["close_bets"]);
            }
            ("covered", _) => {
                self.to("closed");
                if self.book == "mbs-table" {
                    self.deal(&["press_deal"]);
                }
            }
            ("visible", "rws-open-cover") => {
                self.to("closed");
                self.deal(&tumble);
            }
            ("visible", _) => {
                self.to("covered");
                self.deal(&["uncover"]);
            }
            ("flat", _) => {
                self.to("visible");
                self.deal(&["confirm_flat"]);
            }
            ("keyed", _) => {
                self.to("flat");
                self.deal(&["key_dice"]);
            }
            ("settled", _) => {
                self.to("keyed");
                self.settle();
            }
            ("bet lost", _) => {
                self.to("betting");
                self.bet();
                self.deal(&["close_bets"]);
                match self.book {
                    "mbs-table" => self.deal(&["press_deal", "uncover"]),
                    _ => self.deal(&["uncover"]),
                }
                self.deal(&["confirm_flat", "key_dice"]);
                self.settle();
            }
            (other, _) => panic!("no way to {other}"),
        }
    }

    fn settle(&self) {
        self.deal(&["confirm_result"]);
        if self.book == "quang-nam-table" {
            self.deal(&["report_lights", "take_and_pay"]);
        }
    }

    /// A bet on Small at the first seat, and chips to bet with.
    fn bet(&self) {
        let round = self.round();
        let lines = json!([{"section": "big", "stake": 10 * self.unit()}]);
        self.must(
            'd',
            &json!({"act": "place_bets", "station": 0, "round": round, "bet": 1,
                "means": "cash_chips", "lines": lines}),
        );
    }

    fn round(&self) -> u64 {
        let state = self.sees();
        let number = state["public"]["round"]["number"].as_u64();
        number.unwrap_or_else(|| panic!("{} has no round: {}", self.book, state["public"]))
    }

    fn last_round(&self) -> u64 {
        let state = self.sees();
        state["last"]["number"].as_u64().expect("a round")
    }

    /// A correction, with what is answered first where the book asks.
    fn correction(&self, round: u64, dice: [u8; 3]) -> Value {
        let mut act = json!({"act": "correct_result", "round": round, "dice": dice,
            "evidence": "footage"});
        if self.book.starts_with("mbs") {
            act["conducted"] = true.into();
        }
        act
    }

    fn pending(&self, question: &str) -> u64 {
        let state = self.sees();
        let all = state["decisions"].as_array().expect("decisions").clone();
        let found = all.iter().find(|one| one["question"] == question);
        found.and_then(|one| one["pending"].as_u64()).expect("one")
    }

    /// Whatever a scene left behind is put away: the table is open and idle.
    fn tidy(&self) {
        let state = self.sees();
        if !state["public"]["round"].is_null() {
            self.must('r', &json!({"act": "rule_void", "reason": "tidied away"}));
        }
        let state = self.sees();
        for one in state["decisions"].as_array().expect("decisions") {
            let (who, ruling) = match one["question"].as_str() {
                Some("device-failure") => ('o', "accept"),
                Some("technical-stop") => ('s', "not_affected"),
                Some("uncovered" | "interpretation") => ('r', "conclude"),
                Some("correction-proposed") => ('r', "release"),
                _ => continue,
            };
            self.must(
                who,
                &json!({"act": "rule", "pending": one["pending"], "ruling": ruling,
                    "reason": "seen to"}),
            );
        }
        let state = self.sees();
        if !state["last_round_announced"].is_null() && state["status"] == "open" {
            self.must('s', &json!({"act": "suspend", "reason": "tidied away"}));
            self.must('s', &json!({"act": "close_table"}));
        }
        let state = self.sees();
        if state["status"] == "suspended" {
            self.must('s', &json!({"act": "resume"}));
        }
        if state["status"] == "closed" {
            self.must('s', &json!({"act": "open_table"}));
        }
        if state["dice_condemned"] == true {
            let set = format!("D-{}", self.request() + 100);
            self.two('s', 'd', &json!({"act": "change_dice", "dice_set": set}));
        }
        if state["stations"][0]["colour"].is_object() {
            let credit = state["stations"][0]["credit"].as_i64().expect("credit");
            if credit > 0 {
                self.must(
                    'd',
                    &json!({"act": "move_colour", "request": self.request(), "station": 0,
                        "how": "exchanged_for_chips", "amount": credit}),
                );
            }
            self.must('d', &json!({"act": "release_colour", "station": 0}));
        }
    }

    /// Brings the table to where only who asks matters; what is asked.
    #[expect(clippy::too_many_lines, reason = "one line for each row of the table")]
    fn scene(&self, row: &str) -> Value {
        let (act, rest) = row.split_once(':').unwrap_or((row, ""));
        let unit = self.unit();
        let plain = |place: &str| {
            if !place.is_empty() {
                self.to(place);
            }
            json!({"act": act})
        };
        let lines = json!([{"section": "big", "stake": 5 * unit}]);
        let colour = |credit: bool| {
            // 004 knows no colour chips.
            if self.book != "mbs-table" {
                return;
            }
            self.must(
                'd',
                &json!({"act": "assign_colour", "station": 0, "colour": "red", "value": unit}),
            );
            if credit {
                self.must(
                    'd',
                    &json!({"act": "move_colour", "request": self.request(), "station": 0,
                        "how": "bought_with_cash", "amount": 50 * unit}),
                );
            }
        };
        match (act, rest) {
            ("open_table", _) => {
                self.must('s', &json!({"act": "suspend", "reason": "scene"}));
                self.must('s', &json!({"act": "close_table"}));
                plain("")
            }
            ("close_table" | "resume", "" | "suspended") => {
                self.must('s', &json!({"act": "suspend", "reason": "scene"}));
                plain("")
            }
            ("resume", _) => {
                self.must(
                    'd',
                    &json!({"act": "report_device_failure", "what": "lamps"}),
                );
                plain("")
            }
            ("add_station", _) => json!({"act": act, "name": "T9",
                "terminal": electronic(self.book),
                "layout": if self.book == "mbs-etg" { "rapid" } else { "a" }}),
            ("remove_station", _) => json!({"act": act, "station": 2}),
            ("announce_last_round", _) => plain(""),
            ("take_back_last_round", _) => {
                self.must('s', &json!({"act": "announce_last_round"}));
                plain("")
            }
            ("suspend", _) => json!({"act": act, "reason": "scene"}),
            ("change_limits", _) => json!({"act": act, "limits": [],
                "station_maximum": 5_000 * unit, "exposure_maximum": 1_000_000 * unit}),
            ("change_dice", _) => json!({"act": act, "dice_set": "D-0002"}),
            ("assign_acting", position) => {
                json!({"act": act, "person": self.all.trainer, "position": position})
            }
            // Who was assigned in the row before acts still.
            ("end_acting", position) => {
                json!({"act": act, "person": self.all.trainer, "position": position})
            }
            ("activate_tumbler", _) => plain("tumble"),
            ("report_tumbles", _) => {
                self.to("tumble");
                self.deal(&["activate_tumbler"]);
                json!({"act": act, "count": 3, "all_dice_moved": true})
            }
            ("call_bets", _) => plain("call"),
            ("close_bets", _) => plain("betting"),
            ("press_deal", _) => plain("closed"),
            ("uncover", _) if self.book == "rws-open-cover" => plain("visible"),
            ("uncover", _) => plain("covered"),
            ("confirm_flat", _) => plain("visible"),
            ("key_dice" | "read_second", _) => {
                self.to("flat");
                json!({"act": act, "dice": [1, 2, 3]})
            }
            ("clear_keys" | "confirm_result", _) => plain("keyed"),
            ("report_lights" | "take_and_pay", _) => {
                self.to("keyed");
                if self.book == "quang-nam-table" {
                    self.deal(&["confirm_result"]);
                    if act == "take_and_pay" {
                        self.deal(&["report_lights"]);
                    }
                }
                match act {
                    "report_lights" => json!({"act": act, "lit": true}),
                    _ => json!({"act": act}),
                }
            }
            ("place_bets" | "remove_bets" | "clear_bets" | "call_bet", _) => {
                self.to("betting");
                if matches!(act, "remove_bets" | "clear_bets") && !electronic(self.book) {
                    self.bet();
                }
                let round = self.round();
                match act {
                    "clear_bets" => json!({"act": act, "station": 0, "round": round, "bet": 2}),
                    "call_bet" => json!({"act": act, "station": 0, "round": round, "bet": 2,
                        "lines": lines, "chips_present": true}),
                    _ => json!({"act": act, "station": 0, "round": round, "bet": 2,
                        "means": "cash_chips", "lines": lines}),
                }
            }
            ("record_positions", _) => {
                self.to("closed");
                json!({"act": act, "station": 0, "round": self.round(), "bet": 2,
                    "means": "cash_chips", "lines": lines})
            }
            ("observe_positions", _) => {
                self.to(if electronic(self.book) {
                    "closed"
                } else {
                    "visible"
                });
                json!({"act": act, "station": 0, "round": self.round(),
                    "means": "cash_chips", "lines": lines})
            }
            ("attest_positions", _) => {
                self.to("visible");
                let lay = json!({"act": "record_positions", "station": 0, "round": self.round(),
                    "bet": 2, "means": "cash_chips", "lines": lines});
                self.must('d', &lay);
                json!({"act": act, "pending": self.pending("chips-unrecorded"),
                    "lay_there": true, "bookmark": "camera 4, 12:03:05"})
            }
            ("record_late", late) => {
                self.to("betting");
                if !electronic(self.book) {
                    self.bet();
                }
                self.deal(&["close_bets"]);
                json!({"act": act, "station": 0, "round": self.round(), "late": late,
                    "means": "cash_chips", "line": lines[0]})
            }
            ("declare_void", "found-later") => {
                self.to("visible");
                json!({"act": act, "cause": "too-few-tumbles"})
            }
            ("declare_void", cause) => {
                match cause {
                    "too-few-tumbles" => {
                        self.to("tumble");
                        self.deal(&["activate_tumbler", "two tumbles"]);
                    }
                    "die-not-flat" => self.to("visible"),
                    _ => self.to("betting"),
                }
                json!({"act": act, "cause": cause})
            }
            ("raise_incident", kind) => {
                json!({"act": act, "kind": kind.replace('-', "_"), "note": "scene"})
            }
            ("hold", "between-rounds") => json!({"act": act, "what": "a cat on the layout"}),
            ("hold", "for-the-meaning-of-a-rule") => {
                self.to("betting");
                json!({"act": act, "what": "what flat is", "about": "interpretation"})
            }
            ("hold", _) => {
                self.to("betting");
                json!({"act": act, "what": "a cat on the layout"})
            }
            ("acknowledge_notice", _) => {
                let what = format!("lamps {}", self.request());
                self.must('d', &json!({"act": "report_device_failure", "what": what}));
                let notices = self.sees()["notices"].clone();
                let last = notices.as_array().and_then(|all| all.last().cloned());
                json!({"act": act, "notice": last.expect("a notice")["notice"]})
            }
            ("report_device_failure", _) => json!({"act": act, "what": "printer"}),
            ("rule", what) => {
                let (question, ruling) = what.split_once(':').expect("a ruling");
                match question {
                    "uncovered" => {
                        self.to("betting");
                        self.must('d', &json!({"act": "hold", "what": "flood"}));
                    }
                    "interpretation" => {
                        self.to("betting");
                        let hold = json!({"act": "hold", "what": "flat",
                            "about": "interpretation"});
                        self.must('d', &hold);
                    }
                    "technical-stop" => {
                        self.to("betting");
                        let stop = json!({"act": "declare_technical_stop", "what": "stuck"});
                        self.must('d', &stop);
                    }
                    "dice-not-in-place" => {
                        let one = if self.book == "mbs-table" { 'h' } else { 'd' };
                        let gone = json!({"act": "confirm_interruption",
                            "pending": self.pending("interrupted"), "dice_in_place": false});
                        self.must(one, &gone);
                    }
                    "damaged-round" => {
                        self.to("visible");
                        self.must('d', &json!({"act": "report_damage", "note": "a chip"}));
                        if ruling == "conclude" {
                            let sound = json!({"act": "find_dice_sound", "text": "measured",
                                "dice_set": self.sees()["dice_set"]});
                            self.two('s', 'd', &sound);
                        }
                    }
                    "correction-proposed" => {
                        self.to("settled");
                        let act = self.correction(self.last_round(), [4, 5, 6]);
                        self.ask('d', "proposals", &act).is(201);
                    }
                    "affected-rounds" => {
                        self.to("settled");
                        self.must('d', &json!({"act": "report_damage", "note": "a chip"}));
                    }
                    "bet-status" => {
                        self.to("visible");
                        let seen = json!({"act": "observe_positions", "station": 0,
                            "round": self.round(), "means": "cash_chips", "lines": lines});
                        self.must('d', &seen);
                    }
                    _ => self.must(
                        'd',
                        &json!({"act": "report_device_failure", "what": "lamps"}),
                    ),
                }
                json!({"act": act, "pending": self.pending(question),
                    "ruling": ruling.replace('-', "_"), "reason": "scene"})
            }
            // The house was interrupted before.
            ("confirm_interruption", what) => {
                json!({"act": act, "pending": self.pending("interrupted"),
                    "dice_in_place": what != "dice-not-in-place"})
            }
            ("report_damage", _) => {
                self.to("betting");
                json!({"act": act, "note": "a chipped die"})
            }
            ("find_dice_sound", _) => {
                self.to("betting");
                self.must(
                    'd',
                    &json!({"act": "report_damage", "note": "a chipped die"}),
                );
                json!({"act": act, "dice_set": self.sees()["dice_set"], "text": "measured"})
            }
            ("switch_counting", _) => json!({"act": act, "by_hand": true}),
            ("rule_void", _) => {
                self.to("betting");
                json!({"act": act, "reason": "flood"})
            }
            ("resolve_readings", _) => {
                self.to("keyed");
                self.must('s', &json!({"act": "read_second", "dice": [1, 2, 4]}));
                self.deal(&["confirm_result"]);
                json!({"act": act, "pending": self.pending("readings-disagree"),
                    "dice": [1, 2, 3]})
            }
            ("correct_result", when) => {
                self.to("settled");
                let round = self.last_round();
                match when {
                    "next-takes-bets" => self.to("betting"),
                    "after-a-later-round" => self.to("closed"),
                    _ => {}
                }
                self.correction(round, [4, 5, 6])
            }
            ("void_rounds", which) => {
                self.to("settled");
                let round = self.last_round();
                if which == "an-older-one" {
                    self.to("settled");
                }
                json!({"act": act, "rounds": [round], "cause": "dice-damaged",
                    "reason": "a chipped die"})
            }
            ("recover" | "waive", _) => {
                self.to("bet lost");
                let round = self.last_round();
                // It was paid by mistake, and then it was not owed after all.
                self.two('s', 'd', &self.correction(round, [6, 5, 1]));
                self.two('s', 'd', &self.correction(round, [1, 2, 3]));
                let owing = self.sees()["recoverables"][0]["id"].clone();
                match act {
                    "recover" => json!({"act": act, "request": self.request(),
                        "recoverable": owing, "amount": unit}),
                    _ => json!({"act": act, "request": self.request(), "recoverable": owing,
                        "reason": "goodwill"}),
                }
            }
            ("pay_unclaimed", _) => {
                self.to("bet lost");
                let round = self.last_round();
                self.to("settled");
                self.two('r', 's', &self.correction(round, [6, 5, 1]));
                json!({"act": act, "request": self.request(),
                    "unclaimed": self.sees()["unclaimed"][0]["id"]})
            }
            ("buy_credit", source) => json!({"act": act, "request": self.request(),
                "station": 0, "source": source, "amount": 5 * unit}),
            ("transfer_out" | "hand_pay" | "adjust", _) => {
                if electronic(self.book) {
                    self.must(
                        'c',
                        &json!({"act": "buy_credit", "request": self.request(), "station": 0,
                            "source": "cage", "amount": 50 * unit}),
                    );
                }
                match act {
                    "adjust" => json!({"act": act, "request": self.request(), "station": 0,
                        "amount": 5 * unit, "reason": "scene"}),
                    _ => json!({"act": act, "request": self.request(), "station": 0,
                        "amount": 5 * unit}),
                }
            }
            ("settle_case", _) => json!({"act": act, "request": self.request(),
                "case": self.upheld_case(), "amount": 5 * unit, "reason": "scene"}),
            ("move_chips", how) => json!({"act": act, "request": self.request(),
                "how": how.replace('-', "_"), "amount": 5 * unit, "slip": "F-1"}),
            ("assign_colour", _) => {
                json!({"act": act, "station": 0, "colour": "red", "value": unit})
            }
            ("release_colour", _) => {
                colour(false);
                json!({"act": act, "station": 0})
            }
            ("move_colour", how) => {
                colour(true);
                let how = match how {
                    "bought" => "bought_with_cash",
                    "from-chips" => "exchanged_from_chips",
                    _ => "exchanged_for_chips",
                };
                json!({"act": act, "request": self.request(), "station": 0, "how": how,
                    "amount": 5 * unit})
            }
            (other, _) => panic!("no scene for {other}"),
        }
    }
}

struct Row {
    name: &'static str,
    cells: Vec<&'static str>,
    otherwise: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = DECISIONS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            Row {
                name: words[0],
                cells: words[1..6].to_vec(),
                otherwise: words[6],
            }
        })
        .collect()
}

/// The code for one who is not named; those outside never come to the table.
fn refused(row: &Row, book: &str, letter: char) -> &'static str {
    if OUTSIDE.contains(letter) {
        return "not_authorised";
    }
    let form = match row.otherwise.split_once('|') {
        Some((terminals, _)) if electronic(book) => terminals,
        Some((_, seats)) => seats,
        None => row.otherwise,
    };
    form.split(',').next().expect("a code")
}

/// One row at one table; what is otherwise than the row says.
fn check(at: &At<'_>, row: &Row, cell: &str, wrong: &mut BTreeSet<String>) {
    let mut note = |who: &str, said: &Answer, expected: &str| {
        let got = match said.status {
            200 | 201 => "done".to_owned(),
            _ => said.code(),
        };
        if got != expected {
            let (name, book) = (row.name, at.book);
            wrong.insert(format!("{name} {book} {who}: {got}, not {expected}"));
        }
    };
    let body = at.scene(row.name);
    let (who, code) = cell.split_once('!').unwrap_or((cell, ""));
    let two = who.split_once('+');
    let may = |letter: char| who.contains(letter) && !OUTSIDE.contains(letter);
    for (letter, _) in LETTERS {
        let expected = match (code, two) {
            ("", Some(_)) if may(letter) => "second_person_needed",
            ("", None) if may(letter) => {
                // Asked without being done: everybody who may is told so.
                note(
                    &format!("{letter} asked"),
                    &at.ask(letter, "acts/preview", &body),
                    "done",
                );
                continue;
            }
            (code, _) if !code.is_empty() && !OUTSIDE.contains(letter) => match who {
                "" => code,
                _ if may(letter) => code,
                _ => refused(row, at.book, letter),
            },
            _ => refused(row, at.book, letter),
        };
        note(
            &letter.to_string(),
            &at.ask(letter, "acts", &body),
            expected,
        );
    }
    if !code.is_empty() {
        return;
    }
    let Some((first, second)) = two else {
        let able = LETTERS.iter().find(|(letter, _)| may(*letter));
        if let Some((letter, _)) = able {
            note(&letter.to_string(), &at.ask(*letter, "acts", &body), "done");
        }
        return;
    };
    // One proposes; everyone tries to confirm, and those who may come last.
    let one = first.chars().next().expect("somebody");
    let proposed = at.ask(one, "proposals", &body);
    note(&format!("{one} proposes"), &proposed, "done");
    let dice = stated(&body, &proposed);
    let way = format!("proposals/{}/confirm", proposed.json()["proposal"]);
    let fits =
        |letter: char| second.contains(letter) || (first.contains(letter) && second.contains(one));
    for (letter, _) in LETTERS {
        let expected = match letter {
            _ if letter == one => "same_person_twice",
            _ if fits(letter) => continue,
            _ => "not_authorised",
        };
        note(
            &format!("{one}+{letter}"),
            &at.ask(letter, &way, &dice),
            expected,
        );
    }
    let able = LETTERS
        .iter()
        .find(|(letter, _)| *letter != one && fits(*letter));
    let (letter, _) = able.expect("somebody confirms");
    note(
        &format!("{one}+{letter}"),
        &at.ask(*letter, &way, &dice),
        "done",
    );
}

#[test]
fn every_decision_is_refused_over_http_to_everyone_whom_the_book_does_not_name() {
    let all = Everyone::of(House::of(&plan()));
    let rows = rows();
    let mut wrong = BTreeSet::new();
    let one_book = |index: usize| {
        let at = all.at(BOOKS[index]);
        let opened = at.ask('s', "acts", &json!({"act": "open_table"}));
        assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
        if !electronic(at.book) {
            at.must(
                'd',
                &json!({"act": "move_chips", "request": 1_000_000, "how": "brought",
                    "amount": 1_000 * at.unit(), "slip": ""}),
            );
        }
        let mut wrong = BTreeSet::new();
        let mut done = 0;
        for row in &rows {
            let cell = row.cells[index];
            let skip = ELSEWHERE.contains(&row.name)
                || ON_LINE.contains(&row.name)
                || INTERRUPTED.contains(&row.name)
                || (electronic(at.book) && WITH_BETS.contains(&row.name));
            if cell == "n/a" || skip {
                continue;
            }
            check(&at, row, cell, &mut wrong);
            at.tidy();
            done += 1;
        }
        (wrong, done)
    };
    let mut done = 0;
    std::thread::scope(|scope| {
        let books: Vec<_> = (0..BOOKS.len())
            .map(|index| scope.spawn(move || one_book(index)))
            .collect();
        for book in books {
            let (found, rows) = book.join().expect("a book");
            wrong.extend(found);
            done += rows;
        }
    });
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    // Every row is asked over the wire at one book or more, but what nobody asks there.
    let asked: usize = rows
        .iter()
        .filter(|row| !ELSEWHERE.contains(&row.name))
        .count();
    assert!(done > asked * 4, "{done} cells of {asked} rows");
    all.house.ends_clean();
}

#[test]
fn r_170_what_an_interruption_asks_is_answered_only_by_whom_the_book_names() {
    let mut all = Everyone::of(House::of(&plan()));
    let rows = rows();
    let mut wrong = BTreeSet::new();
    for name in INTERRUPTED {
        let row = rows.iter().find(|row| row.name == *name).expect("a row");
        let place = match *name {
            "confirm_interruption:no-outcome" => "betting",
            _ => "visible",
        };
        let books = BOOKS.iter().zip(&row.cells);
        let books: Vec<_> = books.filter(|(_, cell)| **cell != "n/a").collect();
        for (book, _) in &books {
            let at = all.at(book);
            let opened = at.ask('s', "acts", &json!({"act": "open_table"}));
            assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
            at.to(place);
        }
        all = all.restarted();
        for (book, cell) in &books {
            check(&all.at(book), row, cell, &mut wrong);
            all.at(book).tidy();
        }
    }
    ends_without(wrong, all);
}

fn ends_without(wrong: BTreeSet<String>, all: Everyone) {
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    all.house.ends_clean();
}

#[test]
fn q_33_only_two_persons_whom_the_table_of_decisions_names_switch_to_hand_counts() {
    // Ports that were free a moment ago, one for each table.
    let free = BOOKS.map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a port"));
    let mut text = plan();
    for one in &free {
        let address = one.local_addr().expect("its address");
        let line = format!("tumbler = \"line\"\ndevice_listen = \"{address}\"");
        text = text.replacen("tumbler = \"manual\"", &line, 1);
    }
    drop(free);
    let all = Everyone::of(House::of(&text));
    let rows = rows();
    let mut wrong = BTreeSet::new();
    for name in ON_LINE {
        let row = rows.iter().find(|row| row.name == *name).expect("a row");
        for (book, cell) in BOOKS.iter().zip(&row.cells) {
            let at = all.at(book);
            let opened = at.ask('s', "acts", &json!({"act": "open_table"}));
            assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
            // The program binds the tumbler once the table is open.
            comes(format!("{book}: no tumbler on the line"), || {
                (at.sees()["counting"] == "line").then_some(())
            });
            check(&at, row, cell, &mut wrong);
            assert_eq!(at.sees()["counting"], "hand", "{book}");
        }
    }
    ends_without(wrong, all);
}

/// What the program does by itself has no word in the protocol: a table's
/// clock, its connections, its holds. The house's clock is set by a person who
/// looked at the machine's, and the tables follow.
#[test]
fn what_only_the_program_does_is_nobodys_to_ask_and_the_clock_is_a_supervisors() {
    let all = Everyone::of(House::of(&plan()));
    let at = all.at("rws-etg");
    for row in ELSEWHERE.iter().filter(|row| !row.contains(':')) {
        for (letter, position) in LETTERS {
            let said = at.ask(letter, "acts", &json!({"act": row}));
            let expected = match OUTSIDE.contains(letter) {
                true => "not_authorised",
                false => "not_understood",
            };
            assert_eq!(said.code(), expected, "{row} by {position}: {}", said.body);
        }
    }
    let row = rows().into_iter().find(|row| row.name == "set_clock");
    let row = row.expect("a row");
    assert!(row.cells.iter().all(|cell| *cell == "H"), "at a table");
    for (letter, position) in LETTERS {
        let cookie = &all.cookies[&letter];
        let now = get(&all.house, "/api/clock", &[&all.cookies[&'s']]).json();
        let seen = json!({"machine_ms": now["machine_ms"]});
        let said = post(&all.house, "/api/clock", &[cookie], &seen);
        // Whoever may is listened to, and there is nothing to set.
        let expected = match "smhr1234".contains(letter) {
            true => "clocks_agree",
            false => "not_authorised",
        };
        assert_eq!(said.code(), expected, "{position}: {}", said.body);
    }
    all.house.ends_clean();
}

/// Who a cell's letters are, in words.
fn people(letters: &str) -> String {
    const LADDER: [(char, &str); 9] = [
        ('d', "dealer"),
        ('s', "pit supervisor"),
        ('m', "pit manager"),
        ('h', "shift manager"),
        ('r', "director"),
        ('1', "first above the director"),
        ('2', "second above the director"),
        ('3', "third above the director"),
        ('4', "fourth above the director"),
    ];
    const OTHERS: [(char, &str); 14] = [
        ('o', "head of operations"),
        ('v', "surveillance"),
        ('c', "cashier"),
        ('a', "auditor"),
        ('g', "regulator"),
        ('t', "trainer"),
        ('e', "technician"),
        ('P', "the player's station"),
        ('O', "another station"),
        ('H', "the program"),
        ('T', "tumbler"),
        ('R', "dice reader"),
        ('L', "lights"),
        ('N', "note acceptor"),
    ];
    let held = |(letter, _): &&(char, &str)| letters.contains(*letter);
    let rungs: Vec<&(char, &str)> = LADDER.iter().filter(held).collect();
    let upward = rungs.len() > 1 && rungs.len() == LADDER.len() - rung(rungs[0].0);
    let mut names: Vec<String> = match upward {
        true => vec![format!("{} or above", rungs[0].1)],
        false => rungs.iter().map(|(_, name)| (*name).to_owned()).collect(),
    };
    let others = OTHERS.iter().filter(held);
    names.extend(others.map(|(_, name)| (*name).to_owned()));
    match names.is_empty() {
        true => "nobody".to_owned(),
        false => names.join(", "),
    }
}

fn rung(letter: char) -> usize {
    "dsmhr1234".find(letter).unwrap_or_default()
}

fn in_words(cell: &str) -> String {
    match (cell.split_once('!'), cell.split_once('+')) {
        _ if cell == "n/a" => String::new(),
        (Some((_, code)), _) => format!("refused: `{code}`"),
        (None, Some((one, other))) => format!("two: {} **and** {}", people(one), people(other)),
        _ => people(cell),
    }
}

/// One table of decisions as tables of the page, a heading for each group.
fn page_of(text: &str, books: &[&str], page: &mut String) {
    let (mut group, mut begun) = (String::new(), false);
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            if begun {
                (group, begun) = (String::new(), false);
            }
            match comment.trim() {
                "" => group.clear(),
                words => group += &format!("{words}\n"),
            }
            continue;
        }
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap_or_default();
        let name = next();
        let cells: Vec<String> = (0..books.len().max(1)).map(|_| in_words(next())).collect();
        // The same as to its left is not said again.
        let cells: Vec<&str> = (0..cells.len())
            .map(|at| match at.checked_sub(1) {
                Some(left) if cells[left] == cells[at] && !cells[at].is_empty() => "″",
                _ => cells[at].as_str(),
            })
            .collect();
        let _otherwise = next();
        let rules: Vec<&str> = words.collect();
        if !begun {
            *page += &format!(
                "\n{group}\n| Act | {} | Rules |\n",
                match books {
                    [] => "Who".to_owned(),
                    books => books.join(" | "),
                }
            );
            *page += &format!("|---{}|---|\n", "|---".repeat(cells.len()));
            begun = true;
        }
        *page += &format!(
            "| `{name}` | {} | {} |\n",
            cells.join(" | "),
            rules.join(" ")
        );
    }
}

#[test]
fn the_document_of_decisions_is_fresh() {
    let register = include_str!("../../../sicbo-register/tests/decide/decisions.txt");
    let register = register.replace('^', "1234");
    let mut page = String::from(
        "# Who decides\n\nWho may do what, act by act. Everyone who is not named is refused. Made \
         from the tables that the tests check\n(`crates/sicbo-table/tests/rules/decisions.txt`, \
         `crates/sicbo-register/tests/decide/decisions.txt`), which are\nwritten from the \
         documents and cite them; `SICBO_BLESS=1` writes this page anew. Whoever is assigned to \
         act in a\nposition at a table may there do what the position may (R-014, R-015, Q-38); \
         two persons are two different persons,\neach on a session of their own. \"Or above\" \
         includes the positions above the director that a house names\nin its plan (R-200); where \
         a position is named without it, they do not stand in. The steps of a \
         dispute stand in\n`crates/sicbo-register/tests/decide/case_roles.txt`; ″ is the same as to its left.\n\n## At a \
         table\n",
    );
    page_of(&DECISIONS, &BOOKS, &mut page);
    page += "\n## In the house\n";
    page_of(&register, &[], &mut page);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/who-decides.md");
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(path, &page).expect("the page");
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    assert!(known == page, "docs/who-decides.md is stale: SICBO_BLESS=1");
}
