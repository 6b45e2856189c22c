//! Faults of pay tables.

use sicbo_rules::RuleBook;

use super::{SMALL, broken, change, check, faults, line_of, told};
use crate::game::book;

#[test]
fn unknown_section_in_a_pay_table() {
    told("unknown_section_in_a_pay_table");
}

#[test]
fn unknown_section_on_its_own_line_of_a_long_list() {
    told("unknown_section_on_its_own_line_of_a_long_list");
}

#[test]
fn repeated_section_in_a_pay_table() {
    told("repeated_section_in_a_pay_table");
}

#[test]
fn missing_odds() {
    told("missing_odds");
}

#[test]
fn missing_line_of_a_single_die() {
    let source = book("quang-nam-table").source();
    let third = source.lines().find(|line| line.contains("on = 3")).unwrap();
    let changed = change(source, &format!("{third}\n"), "");
    let found = faults(&changed);
    assert_eq!(found.len(), 6);
    for (i, fault) in found.iter().enumerate() {
        assert_eq!(
            fault.problem,
            format!("single:{} lacks its odds on 3 dice", i + 1)
        );
        assert_eq!(fault.line, line_of(&changed, "on = 1"));
    }
}

#[test]
fn odds_in_another_spelling() {
    told("odds_in_another_spelling");
}

#[test]
fn a_line_of_odds_that_its_kind_has_not() {
    told("a_line_of_odds_that_its_kind_has_not");
}

#[test]
fn r_115_a_cell_without_citation() {
    told("r_115_a_cell_without_citation");
}

#[test]
fn silence_without_resolution() {
    told("silence_without_resolution");
}

#[test]
fn a_resolution_that_is_none() {
    told("a_resolution_that_is_none");
}

const GENEROUS: &str = r#"{ sections = ["small"], pays = "1.5", rule = "5.1" }"#;

#[test]
fn an_edge_for_the_player_is_refused_without_reason() {
    broken(
        SMALL,
        GENEROUS,
        &[[
            GENEROUS,
            "pay_table[0].row[0]",
            "small: the player has an edge of 31/144",
            "[player_edge]",
        ]],
    );
    let row = |pays: &str| {
        format!(r#"pair:2-6"], pays = "{pays}", rule = "5.1", resolution = "Q-25" }}"#)
    };
    let source = change(book("quang-nam-table").source(), &row("5"), &row("6.5"));
    let found = faults(&source);
    assert_eq!(found.len(), 1, "one row, one fault: {found:#?}");
    assert!(
        found[0]
            .problem
            .starts_with("pair:2-3, pair:2-4, pair:2-5, pair:2-6: ")
    );
}

#[test]
fn an_edge_for_the_player_is_accepted_with_a_reason() {
    let source = change(book("quang-nam-table").source(), SMALL, GENEROUS);
    // The layout prints what is paid.
    let source = source.replacen("\"1:1\"", "\"1:1.5\"", 1);
    let permit = |rest: &str| format!("{source}\n[player_edge]\n{rest}");
    check(
        &permit("reason = \"opening week\"\nsections = [\"small\"]\n"),
        &[],
    );
    check(
        &permit("sections = [\"small\"]\n"),
        &[["[player_edge]", "player_edge.reason", "missing", "a text"]],
    );
    check(
        &permit("reason = \"opening week\"\nsections = [\"big\"]\n"),
        &[[
            GENEROUS,
            "pay_table[0].row[0]",
            "small: the player has an edge",
            "with a reason",
        ]],
    );
    check(
        &permit("reason = \"opening week\"\nsections = [\"small\", \"tall\"]\n"),
        &[[
            "\"tall\"",
            "player_edge.sections",
            "is not a section",
            "a rule book has these only",
        ]],
    );
}

#[test]
fn q_29_odds_that_the_chip_unit_cannot_pay_exactly() {
    let tumbles = "minimum_tumbles = { is = 3, rule = \"7.2\" }";
    let unit =
        |minor: &str| format!("{tumbles}\nchip_unit_minor = {{ is = {minor}, rule = \"4.1\" }}");
    // Halves need an even unit; whole odds are paid from any.
    let half = r#"{ sections = ["double:1", "double:2", "double:3", "double:4", "double:5", "double:6"], pays = "8.5""#;
    let whole = half.replace("8.5", "8");
    let quang_nam = book("quang-nam-table").source();
    for (minor, pays, ok) in [
        ("25", &whole[..], true),
        ("50", half, true),
        ("25", half, false),
    ] {
        let source = change(&change(quang_nam, tumbles, &unit(minor)), &whole, pays);
        // The layout prints what is paid.
        let print = |line: &str| match line.contains("section = \"double:") && pays == half {
            true => line.replace("1:8", "1:8.5"),
            false => line.to_owned(),
        };
        let source: String = source.lines().map(|line| print(line) + "\n").collect();
        if ok {
            let book = RuleBook::parse(&source).unwrap();
            let chip = book.play.chip_unit.unwrap();
            assert_eq!(
                (chip.is.minor(), chip.cite.rule.as_str()),
                (minor.parse().unwrap(), "4.1")
            );
        } else {
            check(
                &source,
                &[[
                    "pays = \"8.5\"",
                    "pay_table[0].row[3].pays",
                    "8.5 to 1 cannot be paid exactly on a chip unit of 25",
                    "even",
                ]],
            );
        }
    }
    check(
        &change(quang_nam, tumbles, &unit("0")),
        &[[
            "chip_unit_minor",
            "play.chip_unit_minor.is",
            "not an amount",
            "1 or more",
        ]],
    );
    let uncited = format!("{tumbles}\nchip_unit_minor = {{ is = 50 }}");
    check(
        &change(quang_nam, tumbles, &uncited),
        &[[
            "chip_unit_minor",
            "play.chip_unit_minor.rule",
            "no citation",
            "cite the rule",
        ]],
    );
}
