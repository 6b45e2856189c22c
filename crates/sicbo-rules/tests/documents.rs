//! The five documents as data: identity, words and equipment.

use sicbo_rules::rulebook::Known;
use sicbo_rules::rulebook::words::{Cause, Cover};
use sicbo_rules::{Kind, RuleBook};
use std::fmt::Debug;

use crate::game::{BOOKS, book, layout};

fn known(value: &Known<String>) -> &str {
    value.known().map_or("lost", String::as_str)
}

/// One fact by book, in the order of [`BOOKS`].
#[track_caller]
pub(crate) fn by_book<T: PartialEq<E> + Debug, E: Debug>(
    fact: impl Fn(&'static RuleBook) -> T,
    expected: [E; 5],
) {
    for (id, expected) in BOOKS.iter().zip(expected) {
        assert_eq!(fact(book(id)), expected, "{id}");
    }
}

#[test]
fn r_001_title_operator_version_and_effective_instant() {
    by_book(
        |book| {
            let identity = &book.identity;
            let title = identity.title.is.as_str();
            (title, known(&identity.version), known(&identity.effective))
        },
        [
            ("Sic Bo (Electronic Table Game)", "lost", "lost"),
            ("Sic Bo", "5", "2016-11-22T08:00:00+08:00"),
            ("Electronic Sic Bo", "4", "2022-09-20T09:00:00+08:00"),
            (
                "Sic Bo (Open Cover) (Electronic Table Game)",
                "2",
                "2021-05-24T08:00:00+08:00",
            ),
            ("Tài Xỉu (Sic Bo)", "lost", "2020-06-13"),
        ],
    );
    by_book(
        |book| book.identity.zone.as_str(),
        [
            "Asia/Singapore",
            "Asia/Singapore",
            "Asia/Singapore",
            "Asia/Singapore",
            "Asia/Ho_Chi_Minh",
        ],
    );
}

#[test]
fn r_002_the_open_cover_game_has_a_second_name() {
    let also = |book: &'static RuleBook| {
        book.identity
            .also_known_as
            .as_ref()
            .map(|name| name.is.as_str())
    };
    by_book(also, [None, None, None, Some("Tai Sai (Open Cover)"), None]);
}

#[test]
fn r_003_the_quang_nam_game_is_tai_xiu() {
    let identity = &book("quang-nam-table").identity;
    assert_eq!(identity.title.is, "Tài Xỉu (Sic Bo)");
    assert_eq!(identity.title.cite.rule, "1.1");
    assert_eq!(identity.language, "vi");
}

#[test]
fn r_004_the_approval_of_the_two_approved_documents() {
    for id in BOOKS {
        let approval = book(id).identity.approval.as_ref();
        assert_eq!(
            approval.is_some(),
            ["mbs-etg", "rws-open-cover"].contains(&id),
            "{id}"
        );
        if let Some(approval) = approval {
            for words in [
                "Section 100(1) of the Casino Control Act 2006",
                "Gambling Regulatory Authority",
            ] {
                assert!(approval.is.contains(words), "{id}");
            }
            assert_eq!(approval.cite.rule, "preamble");
        }
    }
}

#[test]
fn q_44_approvals_are_kept_word_for_word() {
    let approval = |id: &str| book(id).identity.approval.clone().unwrap();
    assert_eq!(
        approval("mbs-etg").is,
        "In accordance with Section 100(1) of the Casino Control Act 2006, the Gambling Regulatory \
         Authority of Singapore approves the game rules in respect of the game \"Electronic Sic Bo \
         (Version 4)\" as set out in this document by Marina Bay Sands Pte. Ltd. (\"MBS\"), to be \
         conducted in the casino operated by MBS."
    );
    assert_eq!(
        approval("rws-open-cover").is,
        "In accordance with Section 100(1) of the Casino Control Act 2006, the Gambling Regulatory \
         Authority of Singapore approves the game rules in respect of the game “Sic Bo (Open Cover) \
         (also known as Tai Sai (Open Cover)) (Electronic Table Game) (Version 2)” as set out in \
         this document by Resorts World at Sentosa Pte. Ltd. (“RWS”), to be conducted in the casino \
         operated by RWS."
    );
    assert_eq!(approval("mbs-etg").cite.resolution.as_deref(), Some("Q-44"));
}

#[test]
fn r_005_one_version_is_one_text_with_one_hash() {
    let mut hashes = std::collections::BTreeSet::new();
    for id in BOOKS {
        let book = book(id);
        let again = RuleBook::parse(book.source()).unwrap();
        assert_eq!(&again, book, "{id}");
        assert_eq!(again.sha256_hex(), book.sha256_hex());
        assert!(hashes.insert(book.sha256()), "{id}");
        // A text that differs in one byte is another version, even in a comment.
        let changed = RuleBook::parse(&format!("{}#", book.source())).unwrap();
        assert!(hashes.insert(changed.sha256()), "{id}");
    }
}

#[test]
fn q_43_what_the_lost_title_page_said_is_not_invented() {
    let identity = &book("rws-etg").identity;
    for lost in [&identity.version, &identity.effective] {
        let Known::Lost(why) = lost else {
            panic!("{lost:?}");
        };
        assert_eq!(why.cite.rule, "lost");
        assert_eq!(why.cite.resolution.as_deref(), Some("Q-43"));
    }
    assert!(identity.approval.is_none() && identity.also_known_as.is_none());
    // No other book lost its title page: only this one may not go into production.
    for id in BOOKS {
        let Known::Lost(why) = &book(id).identity.version else {
            continue;
        };
        assert_eq!(why.cite.rule == "lost", id == "rws-etg", "{id}");
    }
}

#[test]
fn r_010_bet_and_wager_are_one_thing_under_two_names() {
    let name = |id: &str| layout(id).name(Kind::Single).unwrap();
    assert_eq!(name("mbs-etg/rapid"), "Single Dice Wager");
    assert_eq!(name("mbs-etg/alfastreet"), "Single Dice Bet");
    for single in Kind::Single.sections() {
        assert_eq!(
            layout("mbs-etg/rapid").pays(single),
            layout("mbs-etg/alfastreet").pays(single)
        );
    }
}

fn equipment(id: &str, item: &str) -> (String, String) {
    let found = book(id)
        .equipment
        .iter()
        .find(|equipment| equipment.item == item);
    let found = found.unwrap_or_else(|| panic!("{id} has no {item}"));
    (found.is.is.clone(), found.is.cite.rule.clone())
}

/// Checks that a book describes an item under a rule with these words.
#[track_caller]
fn describes(id: &str, item: &str, rule: &str, words: &[&str]) {
    let (text, cited) = equipment(id, item);
    assert_eq!(cited, rule, "{id} {item}");
    for word in words {
        assert!(text.contains(word), "{id} {item}: {text}");
    }
}

#[test]
fn r_011_the_game_console_sends_the_result_to_all_terminals() {
    for id in ["rws-etg", "rws-open-cover"] {
        describes(
            id,
            "console",
            "1.3",
            &["dealer", "result", "all player terminals"],
        );
    }
}

#[test]
fn r_012_the_house_is_the_operator_named_on_the_document() {
    by_book(
        |book| {
            (
                book.identity.operator.is.as_str(),
                book.identity.operator.cite.rule.as_str(),
            )
        },
        [
            ("Resorts World at Sentosa Pte. Ltd. (RWS)", "lost"),
            ("Marina Bay Sands Pte. Ltd. (MBS)", "title"),
            ("Marina Bay Sands Pte. Ltd. (MBS)", "preamble"),
            ("Resorts World at Sentosa Pte. Ltd. (RWS)", "preamble"),
            (
                "A casino in Quảng Nam (the document does not name it)",
                "signature",
            ),
        ],
    );
}

#[test]
fn r_021_the_tumbler_of_each_document() {
    describes("mbs-table", "tumbler", "1.1.2, 3.8, 5.5", &["electronic"]);
    describes("mbs-etg", "tumbler", "1.1.1, 3.4, 5.5", &["electronic"]);
    describes(
        "quang-nam-table",
        "tumbler",
        "2.2, 3.3, 7.6",
        &["electrically", "by hand"],
    );
}

#[test]
fn r_022_colour_chips_carry_no_value() {
    describes(
        "mbs-table",
        "chips",
        "1.1.1, 3.3",
        &["no value", "one player"],
    );
}

#[test]
fn r_030_three_dice_with_six_faces() {
    describes("rws-etg", "dice", "2.2.1", &["three dice", "six faces"]);
    describes(
        "rws-open-cover",
        "dice",
        "2.2.1",
        &["three dice", "six faces"],
    );
    describes("mbs-etg", "dice", "2.2", &["three dice"]);
    describes("quang-nam-table", "dice", "3.4", &["Three dice"]);
    describes("mbs-table", "dice", "5.3", &["Three dice"]);
}

#[test]
fn r_031_faces_are_dots_from_one_to_six() {
    describes("mbs-etg", "dice", "2.2", &["dots", "one to six"]);
    describes("quang-nam-table", "dice", "3.4", &["dotted one to six"]);
}

#[test]
fn r_032_opposite_faces_add_to_seven() {
    describes(
        "quang-nam-table",
        "dice",
        "3.4",
        &["opposite faces adding to seven"],
    );
}

#[test]
fn r_033_the_dice_are_concealed_except_under_the_open_cover() {
    by_book(
        |book| book.play.cover.is,
        [
            Cover::Covered,
            Cover::Covered,
            Cover::Covered,
            Cover::Open,
            Cover::Covered,
        ],
    );
    describes("quang-nam-table", "dice", "3.4", &["hidden in the tumbler"]);
}

#[test]
fn r_034_the_quang_nam_tumbler_is_a_dome_with_an_opaque_cover() {
    describes(
        "quang-nam-table",
        "tumbler",
        "2.2, 3.3, 7.6",
        &[
            "dome",
            "fixed to the table",
            "removable opaque cover",
            "electrically",
            "mechanically",
        ],
    );
}

#[test]
fn q_46_glass_dome_under_an_opaque_cover_worked_either_way() {
    describes(
        "quang-nam-table",
        "tumbler",
        "2.2, 3.3, 7.6",
        &["glass dome", "opaque cover", "by hand"],
    );
    let book = book("quang-nam-table");
    let dome = book.void_cause(Cause::DomeBroken).unwrap();
    assert_eq!(dome.cite.to_string(), "7.6 (Q-46)");
    assert_eq!(book.play.cover.cite.to_string(), "3.3 (Q-46)");
}

#[test]
fn r_035_players_on_one_side_the_dealer_opposite() {
    describes(
        "quang-nam-table",
        "table",
        "1.1",
        &["one side", "the other"],
    );
}

#[test]
fn r_036_designated_areas_and_the_casinos_name() {
    describes(
        "quang-nam-table",
        "layout",
        "1.2.1, 1.2.2",
        &["betting areas", "name or logo"],
    );
    describes("mbs-table", "layout", "2.1", &["betting areas"]);
}

#[test]
fn r_037_keys_one_to_six() {
    describes("quang-nam-table", "keys", "3.5", &["1 to 6"]);
}

#[test]
fn r_038_winning_areas_light_up() {
    describes("quang-nam-table", "lights", "3.2", &["every winning area"]);
    let lit = |book: &'static RuleBook| book.play.lit_layout.as_ref().map(|lit| lit.is);
    by_book(lit, [None, None, None, None, Some(true)]);
}

#[test]
fn r_039_a_device_may_record_and_show_results() {
    describes(
        "quang-nam-table",
        "recorder",
        "3.6",
        &["may record", "latest results"],
    );
}

#[test]
fn r_040_drop_box_and_tip_box() {
    describes(
        "quang-nam-table",
        "drop-box",
        "3.7",
        &["drop box", "tip box"],
    );
}

#[test]
fn r_041_paddle() {
    describes("quang-nam-table", "paddle", "3.8", &["drop box"]);
}

#[test]
fn r_042_uv_scanner() {
    describes(
        "quang-nam-table",
        "uv-scanner",
        "3.9",
        &["cash or chips", "forgery"],
    );
    assert_eq!(book("quang-nam-table").equipment.len(), 10);
}

#[test]
fn r_056_the_words_displayed_or_announced() {
    by_book(
        |book| book.words.no_more_bets.is.as_str(),
        [
            "No More Bets",
            "No more bets",
            "No more bets",
            "No More Bets",
            "không đặt cược thêm",
        ],
    );
    assert_eq!(
        book("mbs-table").words.place_bets.is,
        "Place your bets, please"
    );
    assert_eq!(book("mbs-etg").words.place_bets.is, "Place your bets");
    by_book(
        |book| book.words.no_more_bets.cite.rule.as_str(),
        ["3.5", "3.2", "3.2", "3.5", "4.4"],
    );
}

#[test]
fn q_48_the_unspecified_notice_says_place_your_bets() {
    for id in ["rws-etg", "rws-open-cover"] {
        let words = &book(id).words.place_bets;
        assert_eq!(words.is, "Place Your Bets");
        assert_eq!(words.cite.to_string(), "3.2 (Q-48)");
    }
    let words = &book("quang-nam-table").words.place_bets;
    assert_eq!(words.cite.to_string(), "Q-48");
}
