//! Whatever is given, the readers answer; they never panic.

use proptest::prelude::*;
use sicbo_rules::{Currency, Dice, Odds, RuleBook, Section};

use crate::game::{BOOKS, book};

/// Text near the notations, so that some of it is valid.
fn near_notation() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z-]{0,14}:?[0-9-]{0,6}",
        "(small|big|total|pair|four|single|double|triple|three-single|double-single):[0-9-]{0,5}",
        "[0-9]{0,22}[.]?[0-9]{0,6}",
        "[0-9,. +-]{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn section_reads_only_its_own_notation(text in near_notation()) {
        if let Ok(section) = text.parse::<Section>() {
            prop_assert_eq!(section.to_string(), text);
        }
    }

    #[test]
    fn dice_read_three_faces_or_nothing(text in near_notation()) {
        match text.parse::<Dice>() {
            Ok(dice) => prop_assert!((3..=18).contains(&dice.total())),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn odds_have_one_spelling(text in near_notation()) {
        if let Ok(odds) = text.parse::<Odds>() {
            prop_assert_eq!(odds.to_string(), text);
        }
    }

    #[test]
    fn amounts_are_read_exactly(text in near_notation(), decimals in 0u8..=4) {
        let currency = Currency::new("XYZ", decimals).unwrap();
        if let Ok(amount) = currency.parse(&text) {
            prop_assert!(!amount.is_negative());
            let printed = currency.format(amount);
            prop_assert_eq!(currency.parse(&printed).unwrap(), amount);
        }
    }

    #[test]
    fn currencies_are_three_letters(code in "[A-Za-z€]{0,4}", decimals in any::<u8>()) {
        if let Some(currency) = Currency::new(&code, decimals) {
            prop_assert_eq!(currency.code(), code);
            prop_assert!(currency.decimals() <= 4);
        }
    }

    #[test]
    fn any_text_is_a_rule_book_or_has_faults(text in any::<String>()) {
        let _ = RuleBook::parse(&text);
    }

    #[test]
    fn any_small_toml_is_answered(
        lines in prop::collection::vec(
            "(\\[{1,2}(layout|pay_table|play|identity|layout.names|disputes)\\]{1,2}|(id|row|cell|size|format|rule|sections|box|pays|on|cover|effective) = (1|-5|0x7f|true|\"a\"|\\[\\]|\\[1, 2\\]|\\[\\{\\}\\]|\\{ is = 3 \\}|2020-01-01|07:00:00|1e9|[\\[\\{]{1,4}))",
            0..12,
        )
    ) {
        let _ = RuleBook::parse(&lines.join("\n"));
    }
}

/// A change of a good file: some bytes replaced by a fragment that means something.
fn edit() -> impl Strategy<Value = (usize, usize, usize, String)> {
    let fragment = prop_oneof![
        Just(String::new()),
        Just("\"".to_owned()),
        Just("[".to_owned()),
        Just("}".to_owned()),
        Just("[[layout]]\n".to_owned()),
        Just("-1".to_owned()),
        Just("99999999999999999999".to_owned()),
        Just("4294967295".to_owned()),
        Just("rule".to_owned()),
        "[ -~]{1,6}",
    ];
    (0..BOOKS.len(), any::<usize>(), 0usize..40, fragment)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_damaged_book_is_answered_line_by_line(
        (which, at, length, fragment) in edit(),
    ) {
        let source = book(BOOKS[which]).source();
        let mut at = at % source.len();
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        let mut end = (at + length).min(source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        let damaged = format!("{}{fragment}{}", &source[..at], &source[end..]);
        match RuleBook::parse(&damaged) {
            Ok(book) => prop_assert_eq!(book.source(), damaged),
            Err(sicbo_rules::rulebook::RuleBookError::Faults(faults)) => {
                let lines = damaged.lines().count();
                prop_assert!(!faults.is_empty());
                prop_assert!(faults.iter().all(|fault| (1..=lines).contains(&fault.line)));
                prop_assert!(faults.is_sorted_by_key(|fault| fault.line));
            }
            Err(error) => prop_assert!(error.to_string().starts_with("line ")),
        }
    }
}

#[test]
fn deep_nesting_is_answered() {
    for text in ["[", "{", "a = [", "a = {b = ", "[[a", "a.b."] {
        let _ = RuleBook::parse(&text.repeat(20_000));
        let _ = RuleBook::parse(&format!("x = {}", text.repeat(20_000)));
    }
}
