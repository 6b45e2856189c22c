//! What is printed on the betting layouts, and that it says what is paid.

use sicbo_rules::layout::{Box2, CellKind};
use sicbo_rules::{Kind, Odds, Section};

use crate::game::{LAYOUTS, book, layout};
use crate::layouts::{RWS, cell, standing};

/// Everything printed on a section's cell, in one line.
pub(crate) fn print(name: &str, bet: &str) -> String {
    let cell = cell(layout(name), bet);
    let mut words: Vec<&str> = cell.label.iter().map(String::as_str).collect();
    words.extend(cell.lines.iter().map(String::as_str));
    words.join(" ")
}

/// The captions that are not sections, in printed order.
fn captions(name: &str) -> Vec<String> {
    let cells = layout(name).cells.iter();
    let captions = cells.filter(|cell| cell.kind == CellKind::Caption);
    captions.map(|cell| cell.lines.join(" ")).collect()
}

#[test]
fn r_230_appendix_a_as_printed() {
    for book in RWS {
        let name = &format!("{book}/a");
        assert_eq!(print(name, "even"), "EVEN 1 WINS 1 EXCEPT FOR ANY TRIPLE");
        assert_eq!(print(name, "odd"), "ODD 1 WINS 1 EXCEPT FOR ANY TRIPLE");
        assert_eq!(
            print(name, "big"),
            "BIG 11 - 17 1 WINS 1 EXCEPT FOR ANY TRIPLE"
        );
        assert_eq!(
            print(name, "small"),
            "SMALL 4 - 10 1 WINS 1 EXCEPT FOR ANY TRIPLE"
        );
        assert_eq!(print(name, "any-triple"), "ANY TRIPLE 1 WINS 32");
        for triple in Kind::Triple.sections() {
            assert_eq!(print(name, &triple.to_string()), "1 WINS 195");
        }
        let totals: Vec<String> = (4..=17)
            .rev()
            .map(|n| print(name, &format!("total:{n}")))
            .collect();
        assert_eq!(
            totals.join(", "),
            "17 1 WINS 64, 16 1 WINS 32, 15 1 WINS 19, 14 1 WINS 12, 13 1 WINS 8 1/2, \
             12 1 WINS 7, 11 1 WINS 6 1/2, 10 1 WINS 6 1/2, 9 1 WINS 7, 8 1 WINS 8 1/2, \
             7 1 WINS 12, 6 1 WINS 19, 5 1 WINS 32, 4 1 WINS 64"
        );
        assert_eq!(
            captions(name),
            [
                "1 WINS 11 1/2",
                "1 WINS 11 1/2",
                "1 WINS 6",
                "1 WINS 1 ON ONE DIE",
                "1 WINS 2 ON TWO DICE",
                "1 WINS 12 ON THREE DICE",
            ]
        );
    }
}

#[test]
fn q_49_sixteen_printed_cells_are_four_spots() {
    for book in RWS {
        let name = &format!("{book}/a");
        let fours: Vec<String> = standing(layout(name), Kind::Four)
            .iter()
            .map(|four| print(name, &four.to_string()))
            .collect();
        assert_eq!(
            fours,
            [
                "6 5 4 3 1 WINS 7 1/2",
                "6 5 3 2 1 WINS 7 1/2",
                "5 4 3 2 1 WINS 7 1/2",
                "4 3 2 1 1 WINS 7 1/2",
            ]
        );
    }
}

#[test]
fn r_231_appendix_b_as_printed() {
    for book in RWS {
        let name = &format!("{book}/b");
        assert_eq!(
            captions(name),
            [
                "1 WINS 50",
                "1 WINS 30",
                "1 WINS 11 1/2",
                "1 WINS 11 1/2",
                "1 WINS 6",
                "1 WINS 7 1/2",
                "1 WINS 1 FOR ONE DIE",
                "1 WINS 2 FOR TWO DICE",
                "1 WINS 12 FOR THREE DICE",
            ]
        );
        assert_eq!(standing(layout(name), Kind::DoubleSingle).len(), 28);
        assert_eq!(standing(layout(name), Kind::ThreeSingle).len(), 20);
        assert_eq!(print(name, "even"), "EVEN 1 WINS 1 EXCEPT FOR ANY TRIPLE");
        assert_eq!(
            print(name, "big"),
            "BIG 11 - 17 1 WINS 1 EXCEPT FOR ANY TRIPLE"
        );
        assert_eq!(print(name, "total:13"), "13 1 WINS 8 1/2");
    }
}

#[test]
fn r_232_appendix_c_as_printed() {
    for book in RWS {
        let name = &format!("{book}/c");
        assert_eq!(
            captions(name),
            [
                "1 WINS 50",
                "1 WINS 30",
                "1:180",
                "1:11",
                "1:11",
                "1 WINS 6",
                "1:1 ON ONE DICE",
                "1:2 ON TWO DICE",
                "1:12 ON THREE DICE",
            ]
        );
        assert_eq!(print(name, "even"), "EVEN 1:1 LOSE IF ANY TRIPLE APPEARS");
        assert_eq!(print(name, "odd"), "ODD 1:1 LOSE IF ANY TRIPLE APPEARS");
        assert_eq!(
            print(name, "big"),
            "BIG 大 NUMBERS 11 TO 17 1:1 LOSE IF ANY TRIPLE APPEARS"
        );
        assert_eq!(
            print(name, "small"),
            "SMALL 小 NUMBERS 4 TO 10 1:1 LOSE IF ANY TRIPLE APPEARS"
        );
        assert_eq!(print(name, "any-triple"), "ANY TRIPLE 1 WINS 31");
        assert_eq!(print(name, "four:6543"), "6 5 4 3 1:7");
        assert_eq!(print(name, "total:4"), "4 1:62");
        assert_eq!(print(name, "total:14"), "14 1:12");
        // The captions of a single die stand above it here, below it in Appendix A.
        let caption = |name: &str, words: &str| {
            let cells = &layout(name).cells;
            cells
                .iter()
                .find(|cell| cell.lines.join(" ").contains(words))
                .unwrap()
                .place
                .y
        };
        assert!(caption(name, "ONE DICE") < cell(layout(name), "single:6").place.y);
        let a = &format!("{book}/a");
        assert!(caption(a, "ONE DIE") > cell(layout(a), "single:6").place.y);
    }
}

#[test]
fn q_54_die_or_dice_as_each_document_prints_it() {
    for (name, words) in [
        ("rws-etg/a", "1 WINS 1 ON ONE DIE"),
        ("rws-etg/b", "1 WINS 1 FOR ONE DIE"),
        ("rws-etg/c", "1:1 ON ONE DICE"),
        ("rws-open-cover/a", "1 WINS 1 ON ONE DIE"),
        ("rws-open-cover/b", "1 WINS 1 FOR ONE DIE"),
        ("rws-open-cover/c", "1:1 ON ONE DICE"),
        ("mbs-table/a", "1 to 1 ON ONE DIE"),
        ("mbs-table/b", "1 to 1 ON ONE DIE"),
        ("mbs-etg/rapid", "1 to 1 ON ONE DICE"),
        ("mbs-etg/alfastreet", "1 to 1 ON ONE DICE"),
    ] {
        assert!(captions(name).contains(&words.to_owned()), "{name}");
    }
    assert_eq!(
        layout("mbs-table/a").name(Kind::Single),
        Some("Single Die Wager")
    );
    assert_eq!(
        layout("mbs-etg/rapid").name(Kind::Single),
        Some("Single Dice Wager")
    );
}

/// The odds in a line of print, with which of its lines a single die means:
/// `1 WINS 11 1/2`, `1:62`, `2 to 1 ON TWO DICE`, `1 xúc xắc 1:1`.
fn printed_odds(line: &str) -> Option<(String, usize)> {
    let step = match line {
        _ if line.contains("TWO DICE") || line.starts_with("2 xúc") => 1,
        _ if line.contains("THREE DICE") || line.starts_with("3 xúc") => 2,
        _ => 0,
    };
    let words = line
        .split(" ON ")
        .next()
        .and_then(|words| words.split(" FOR ").next())
        .unwrap();
    let odds = words
        .strip_prefix("1 WINS ")
        .or_else(|| words.strip_suffix(" to 1"))
        .or_else(|| words.rsplit(' ').next()?.strip_prefix("1:"))?;
    Some((odds.replace(" 1/2", ".5"), step))
}

fn touch(a: Box2, b: Box2) -> bool {
    let grown = |place: Box2| Box2 {
        x: place.x + 1,
        y: place.y + 1,
        width: place.width + 2,
        height: place.height + 2,
    };
    let moved = |place: Box2| Box2 {
        x: place.x + 2,
        y: place.y + 2,
        ..place
    };
    grown(a).overlaps(moved(b))
}

#[test]
fn r_113_every_printed_odds_denotes_the_odds_that_are_paid() {
    for name in LAYOUTS {
        let layout = layout(name);
        let pays = |section: Section, step: usize| -> Option<Odds> {
            layout.pays(section)?.lines().get(step).map(|line| line.is)
        };
        let mut explained: Vec<(Kind, usize)> = Vec::new();
        for cell in &layout.cells {
            for (odds, step) in cell.lines.iter().filter_map(|line| printed_odds(line)) {
                let odds: Odds = odds.parse().unwrap();
                let means: Vec<Section> = match cell.kind {
                    CellKind::Section(section) => vec![section],
                    _ => layout
                        .cells
                        .iter()
                        .filter(|other| touch(other.place, cell.place))
                        .filter_map(|other| match other.kind {
                            CellKind::Section(section) => Some(section),
                            _ => None,
                        })
                        .filter(|section| pays(*section, step) == Some(odds))
                        .collect(),
                };
                assert!(
                    !means.is_empty(),
                    "{name}: {:?} stands beside nothing",
                    cell.lines
                );
                for section in means {
                    assert_eq!(pays(section, step), Some(odds), "{name} {section}");
                    explained.push((section.kind(), step));
                }
            }
        }
        for section in layout.sections() {
            for step in 0..section.kind().steps() {
                assert!(
                    explained.contains(&(section.kind(), step)),
                    "{name}: no odds are printed for {section}"
                );
            }
        }
    }
}

#[test]
fn r_114_half_odds_on_layouts_a_and_b_and_in_the_pay_tables() {
    for book_id in RWS {
        for id in ["a", "b"] {
            let name = format!("{book_id}/{id}");
            let all: Vec<&str> = layout(&name)
                .cells
                .iter()
                .flat_map(|cell| cell.lines.iter().map(String::as_str))
                .collect();
            for printed in [
                "1 WINS 8 1/2",
                "1 WINS 6 1/2",
                "1 WINS 11 1/2",
                "1 WINS 7 1/2",
            ] {
                assert!(all.contains(&printed), "{name} {printed}");
            }
            assert!(all.iter().all(|line| !line.contains(".5")), "{name}");
            for line in all.iter().filter(|line| line.contains("1/2")) {
                let (odds, _) = printed_odds(line).unwrap();
                let odds: Odds = odds.parse().unwrap();
                assert_eq!(format!("1 WINS {}", odds.printed()), **line);
            }
        }
        let source = book(book_id).source();
        for pays in ["8.5", "6.5", "11.5", "7.5"] {
            assert!(
                source.contains(&format!("pays = \"{pays}\"")),
                "{book_id} {pays}"
            );
        }
    }
}
