//! The betting layouts: what each offers, under which names, in which order.

use sicbo_rules::layout::{Box2, Cell, CellKind};
use sicbo_rules::{Kind, Layout, Section};

use crate::game::{BOOKS, LAYOUTS, book, layout, section};

/// The cell of a section.
pub(crate) fn cell<'a>(layout: &'a Layout, bet: &str) -> &'a Cell {
    let wanted = CellKind::Section(section(bet));
    layout
        .cells
        .iter()
        .find(|cell| cell.kind == wanted)
        .unwrap()
}

/// The sections of a kind as they stand, row by row from the left.
pub(crate) fn standing(layout: &Layout, kind: Kind) -> Vec<Section> {
    let mut sections: Vec<(u32, u32, Section)> = layout
        .cells
        .iter()
        .filter_map(|cell| match cell.kind {
            CellKind::Section(section) if section.kind() == kind => {
                Some((cell.place.y, cell.place.x, section))
            }
            _ => None,
        })
        .collect();
    sections.sort_by_key(|(y, x, _)| (*y, *x));
    sections
        .into_iter()
        .map(|(_, _, section)| section)
        .collect()
}

/// Their numbers, one text for each.
fn numbers(sections: &[Section]) -> Vec<String> {
    let text = |section: &Section| section.to_string().split_once(':').unwrap().1.to_owned();
    sections.iter().map(text).collect()
}

pub(crate) const RWS: [&str; 2] = ["rws-etg", "rws-open-cover"];

#[test]
fn r_124_how_many_spots_each_layout_offers() {
    let spots: Vec<(String, usize)> = BOOKS
        .iter()
        .flat_map(|id| book(id).layouts.iter().map(move |layout| (id, layout)))
        .map(|(id, layout)| (format!("{id}/{}", layout.id), layout.sections().count()))
        .collect();
    let expected = [56, 104, 104, 104, 104, 104, 50, 56, 104, 104, 50];
    let expected: Vec<(String, usize)> = LAYOUTS
        .map(str::to_owned)
        .into_iter()
        .zip(expected)
        .collect();
    assert_eq!(spots, expected);
}

#[test]
fn r_043_the_layout_offered_is_the_one_the_document_shows() {
    let shown = [
        ("rws-etg", "2.1.1", "Appendix A, Appendix B, Appendix C"),
        ("mbs-table", "2.1", "Diagram A, Diagram B"),
        (
            "mbs-etg",
            "2.1",
            "Rapid Select Terminal, Alfastreet Terminal",
        ),
        (
            "rws-open-cover",
            "2.1.1",
            "Appendix A, Appendix B, Appendix C",
        ),
        ("quang-nam-table", "1.2.1, 1.2.2", "Sơ đồ A"),
    ];
    for (id, rule, titles) in shown {
        let is: Vec<&str> = book(id)
            .layouts
            .iter()
            .map(|layout| layout.title.as_str())
            .collect();
        assert_eq!(is.join(", "), titles);
        let equipment = book(id)
            .equipment
            .iter()
            .find(|item| item.item == "layout")
            .unwrap();
        assert_eq!(equipment.is.cite.rule, rule, "{id}");
    }
    assert_eq!(layout("quang-nam-table/a").cite.rule, "3.1");
    assert_eq!(layout("mbs-table/b").cite.rule, "2.1");
}

/// The names of a layout in the stable order of kinds.
fn names(name: &str) -> Vec<&'static str> {
    let layout = layout(name);
    Kind::ALL
        .iter()
        .filter_map(|kind| layout.name(*kind))
        .collect()
}

#[test]
fn r_120_the_rapid_select_terminal_lists_13_wagers() {
    let mut listed = [
        "Small",
        "Big",
        "Odd",
        "Even",
        "Specific Triples",
        "Specific Doubles",
        "Any Triple",
        "Three Dice Totals",
        "Two Dice Combinations",
        "Single Dice Wager",
        "Three Dice From Four Possible Combinations",
        "Double Numbers with Single Dice Combinations",
        "Three Single Dice Combinations",
    ];
    let mut is = names("mbs-etg/rapid");
    is.sort_unstable();
    listed.sort_unstable();
    assert_eq!(is, listed);
}

#[test]
fn r_121_the_alfastreet_terminal_lists_8_wagers() {
    let listed = [
        "Small",
        "Big",
        "Any Triple Bet",
        "Specific Straight Triple Bet",
        "Double Dice Bet",
        "Total Sum Combination",
        "Domino Combination Bet",
        "Single Dice Bet",
    ];
    assert_eq!(names("mbs-etg/alfastreet"), listed);
    for kind in [
        Kind::Odd,
        Kind::Even,
        Kind::Four,
        Kind::ThreeSingle,
        Kind::DoubleSingle,
    ] {
        assert!(
            kind.sections()
                .all(|section| !layout("mbs-etg/alfastreet").offers(section))
        );
    }
    // Its drawing uses its own words.
    assert_eq!(
        crate::print::print("mbs-etg/alfastreet", "any-triple"),
        "ANY TRIPLE BET 32 to 1"
    );
}

#[test]
fn r_122_the_same_bet_has_the_name_of_its_terminal() {
    for (kind, rapid, alfastreet) in [
        (
            Kind::Triple,
            "Specific Triples",
            "Specific Straight Triple Bet",
        ),
        (Kind::Double, "Specific Doubles", "Double Dice Bet"),
        (Kind::Total, "Three Dice Totals", "Total Sum Combination"),
        (
            Kind::Pair,
            "Two Dice Combinations",
            "Domino Combination Bet",
        ),
        (Kind::Single, "Single Dice Wager", "Single Dice Bet"),
        (Kind::AnyTriple, "Any Triple", "Any Triple Bet"),
    ] {
        assert_eq!(layout("mbs-etg/rapid").name(kind), Some(rapid));
        assert_eq!(layout("mbs-etg/alfastreet").name(kind), Some(alfastreet));
    }
}

#[test]
fn r_123_a_bet_not_listed_is_not_offered_and_can_win_nothing() {
    for name in LAYOUTS {
        let layout = layout(name);
        let drawn: Vec<Section> = layout.sections().collect();
        for section in Section::ALL {
            assert_eq!(
                layout.offers(section),
                drawn.contains(&section),
                "{name} {section}"
            );
            assert_eq!(layout.pays(section).is_some(), drawn.contains(&section));
            assert_eq!(
                layout.name(section.kind()).is_some(),
                layout.offers(section),
                "{name} {section}"
            );
            if !layout.offers(section) {
                assert_eq!(crate::game::ways(layout, section), 0, "{name} {section}");
            }
        }
    }
}

#[test]
fn q_41_the_appendix_of_the_terminal_governs_what_is_offered() {
    // Same pay table, two lists of wagers.
    let (rapid, alfastreet) = (layout("mbs-etg/rapid"), layout("mbs-etg/alfastreet"));
    assert_eq!(rapid.pay_table_index(), alfastreet.pay_table_index());
    assert!(rapid.offers(section("odd")) && !alfastreet.offers(section("odd")));
    assert_eq!(alfastreet.cite.to_string(), "Appendix B (Q-41)");
    let names = rapid.names.values().chain(alfastreet.names.values());
    let cited: Vec<&str> = names.map(|name| name.cite.rule.as_str()).collect();
    assert_eq!(
        cited.iter().filter(|rule| **rule == "Appendix A").count(),
        13
    );
    assert_eq!(
        cited.iter().filter(|rule| **rule == "Appendix B").count(),
        8
    );
}

#[test]
fn r_233_everything_descends_from_left_to_right() {
    let names = RWS
        .iter()
        .flat_map(|book| ["a", "b", "c"].map(|id| format!("{book}/{id}")));
    for name in
        names.chain(["mbs-table/a", "mbs-etg/rapid", "mbs-etg/alfastreet"].map(str::to_owned))
    {
        let layout = layout(&name);
        let x = |bet: &str| cell(layout, bet).place.x;
        assert!(x("big") < x("small"), "{name}");
        let totals: Vec<String> = (4..=17).rev().map(|n| n.to_string()).collect();
        assert_eq!(numbers(&standing(layout, Kind::Total)), totals, "{name}");
        assert_eq!(
            numbers(&standing(layout, Kind::Single)).concat(),
            "654321",
            "{name}"
        );
        if layout.offers(section("four:6543")) {
            let fours = numbers(&standing(layout, Kind::Four));
            assert_eq!(fours, ["6543", "6532", "5432", "4321"], "{name}");
            assert!(x("even") < x("odd"), "{name}");
        }
        let words: Vec<&str> = standing(layout, Kind::Single)
            .iter()
            .map(|single| cell(layout, &single.to_string()).label.as_deref().unwrap())
            .collect();
        assert_eq!(
            words,
            ["SIX", "FIVE", "FOUR", "THREE", "TWO", "ONE"],
            "{name}"
        );
    }
}

#[test]
fn q_50_pictured_sections_descend_and_say_they_are_reconstructed() {
    for name in LAYOUTS {
        let layout = layout(name);
        let note = layout.reconstruction.as_ref().unwrap();
        let resolution = note.cite.resolution.as_deref().unwrap();
        match name {
            "mbs-table/a" | "mbs-table/b" | "quang-nam-table/a" => assert_eq!(resolution, "Q-51"),
            _ => assert_eq!(resolution, "Q-50", "{name}"),
        }
        if name == "mbs-table/b" || name == "quang-nam-table/a" {
            continue;
        }
        assert_eq!(
            numbers(&standing(layout, Kind::Triple)).concat(),
            "654321",
            "{name}"
        );
        assert_eq!(
            numbers(&standing(layout, Kind::Double)).concat(),
            "654321",
            "{name}"
        );
        let pairs = "5-6 4-6 3-6 2-6 1-6 4-5 3-5 2-5 1-5 3-4 2-4 1-4 2-3 1-3 1-2";
        assert_eq!(
            numbers(&standing(layout, Kind::Pair)).join(" "),
            pairs,
            "{name}"
        );
        let middle = cell(layout, "any-triple").place.x;
        assert!(cell(layout, "double:4").place.x < middle, "{name}");
        assert!(middle < cell(layout, "double:3").place.x, "{name}");
    }
    // What was drawn and lost is told from what was never drawn.
    let rule = |name: &str| {
        layout(name)
            .reconstruction
            .as_ref()
            .unwrap()
            .cite
            .rule
            .as_str()
    };
    assert_eq!(
        [rule("rws-etg/a"), rule("rws-etg/b"), rule("rws-etg/c")],
        ["lost", "lost", "Appendix C"]
    );
    assert_eq!(
        [rule("mbs-etg/rapid"), rule("mbs-etg/alfastreet")],
        ["silent", "silent"]
    );
    assert_eq!(rule("rws-open-cover/a"), "Appendix A");
}

#[test]
fn q_51_diagram_b_mirrors_a_and_quang_nam_is_the_classic_layout() {
    let (a, b) = (layout("mbs-table/a"), layout("mbs-table/b"));
    assert_eq!(a.size, b.size);
    assert_eq!(a.cells.len(), b.cells.len());
    for cell in &a.cells {
        let mirrored = Cell {
            place: Box2 {
                x: a.size.0 - cell.place.x - cell.place.width,
                ..cell.place
            },
            ..cell.clone()
        };
        assert!(b.cells.contains(&mirrored), "{cell:?}");
    }
    let vn = layout("quang-nam-table/a");
    let totals: Vec<String> = (4..=17).map(|n| n.to_string()).collect();
    assert_eq!(numbers(&standing(vn, Kind::Total)), totals);
    assert_eq!(numbers(&standing(vn, Kind::Single)).concat(), "123456");
    assert_eq!(numbers(&standing(vn, Kind::Double)).concat(), "123456");
    assert!(cell(vn, "small").place.x < cell(vn, "big").place.x);
}

/// Rows of the side panel from the top: numbers, with `.` for a blank cell.
fn panel(name: &str) -> Vec<String> {
    let layout = layout(name);
    let mut cells: Vec<(u32, u32, String)> = layout
        .cells
        .iter()
        .filter_map(|cell| {
            let text = match &cell.kind {
                CellKind::Section(section)
                    if matches!(section.kind(), Kind::DoubleSingle | Kind::ThreeSingle) =>
                {
                    assert_eq!(cell.label, Some(numbers(&[*section])[0].clone()));
                    numbers(&[*section])[0].clone()
                }
                CellKind::Blank => ".".to_owned(),
                _ => return None,
            };
            Some((cell.place.y, cell.place.x, text))
        })
        .collect();
    cells.sort();
    let mut rows: Vec<(u32, Vec<String>)> = Vec::new();
    for (y, _, text) in cells {
        match rows.last_mut() {
            Some((row, texts)) if *row == y => texts.push(text),
            _ => rows.push((y, vec![text])),
        }
    }
    rows.into_iter().map(|(_, texts)| texts.join(" ")).collect()
}

const MIDDLE_ROWS: [&str; 4] = [
    "221 223 224 225 226",
    "331 332 334 335 336",
    "441 442 443 445 446",
    "551 552 553 554 556",
];
const LAST_ROWS: [&str; 4] = [
    "126 135 234 256 346",
    "123 136 145 235 356",
    "124 146 236 245 456",
    "125 134 156 246 345",
];

#[test]
fn r_086_the_side_panel_stands_as_printed_with_two_blank_cells() {
    for (names, first) in [
        (
            ["rws-etg/b", "rws-open-cover/b", "mbs-etg/rapid"],
            ". 113 114 115 116",
        ),
        (
            ["rws-etg/c", "rws-open-cover/c", "mbs-table/a"],
            "113 114 115 116 .",
        ),
    ] {
        let mut rows = vec![first];
        rows.extend(MIDDLE_ROWS);
        rows.push("661 662 663 664 .");
        rows.extend(LAST_ROWS);
        for name in names {
            assert_eq!(panel(name), rows, "{name}");
        }
    }
    for name in [
        "rws-etg/a",
        "rws-open-cover/a",
        "mbs-etg/alfastreet",
        "quang-nam-table/a",
    ] {
        assert_eq!(panel(name), [""; 0], "{name}");
    }
}

/// The captions of Appendices B and C stand at the panel of the bets they price.
#[test]
fn r_086_the_side_panel_is_captioned_with_what_its_bets_win() {
    for name in [
        "rws-etg/b",
        "rws-open-cover/b",
        "rws-etg/c",
        "rws-open-cover/c",
    ] {
        let layout = layout(name);
        let captions = |text: &str| -> usize {
            let cells = layout.cells.iter();
            cells.filter(|cell| cell.lines == [text]).count()
        };
        assert_eq!(captions("1 WINS 50"), 1, "{name}");
        assert_eq!(captions("1 WINS 30"), 1, "{name}");
    }
}
