//! Which rule is shown: every rule that a record or a refusal names is in the document of its book,
//! and a void names the rule under which its cause is listed. The numbers are `rules.txt`, written
//! from the documents; neither the books of the program nor its citations are used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sicbo_rules::rulebook::words::{Cause, Word as _};
use sicbo_table::event::VoidBasis;
use sicbo_table::{Event, Fact};

const LIST: &str = include_str!("rules.txt");
/// Where the document says nothing or is lost, a resolution or a requirement is named instead.
const NOT_IN_DOCUMENT: [&str; 2] = ["silent", "lost"];

#[derive(Default)]
struct Rules {
    /// The numbers of each document.
    known: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// Under which a cause is listed, by book.
    voids: BTreeMap<(&'static str, &'static str), &'static str>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules::default();
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let Some((what, numbers)) = line.split_once(": ") else {
            continue;
        };
        match what.split_once(" void ") {
            Some(cause) => drop(rules.voids.insert(cause, numbers)),
            None => drop(rules.known.insert(what, numbers.split(", ").collect())),
        }
    }
    rules
});

/// Why a rule that is shown at a table of this book cannot be.
pub(in super::super) fn objection(book: &str, cited: &str) -> Option<String> {
    let wrong = || Some(format!("{cited:?} is no rule of {book}"));
    let Some(rule) = cited
        .strip_prefix(book)
        .and_then(|rest| rest.strip_prefix(' '))
    else {
        return wrong();
    };
    let (numbers, settled) = match rule.split_once(" (") {
        Some((numbers, settled)) => (numbers, settled.ends_with(')')),
        None => (rule, false),
    };
    let known = RULES.known.get(book);
    let stands = |number: &str| {
        let named = known.is_some_and(|known| known.contains(number));
        // A matter that the document leaves open is cited by its resolution alone.
        let resolution = number.strip_prefix("Q-");
        let resolved = resolution.is_some_and(|number| number.parse::<u8>().is_ok());
        named || resolved || settled && NOT_IN_DOCUMENT.contains(&number)
    };
    match numbers.split(", ").all(stands) {
        true => None,
        false => wrong(),
    }
}

/// Why a record of a table of this book names a wrong rule.
pub(in super::super) fn of_record(book: &str, event: &Event) -> Option<String> {
    match &event.fact {
        Fact::RoundVoided { basis, rule, .. } => {
            let cause = match basis {
                VoidBasis::Listed(cause) => Some(*cause),
                VoidBasis::Ruling(_) => None,
            };
            listed(book, cause, rule)
        }
        Fact::RoundVoidedLate {
            rule,
            cause,
            ground,
            ..
        } => match ground {
            Some(ground) => objection(book, rule).or_else(|| listed(book, *cause, ground)),
            None => listed(book, *cause, rule),
        },
        Fact::LateActRecorded { rule, .. } => objection(book, rule),
        Fact::DecisionRaised { pending } if !pending.rule.is_empty() => {
            objection(book, &pending.rule)
        }
        _ => None,
    }
}

fn listed(book: &str, cause: Option<Cause>, cited: &str) -> Option<String> {
    let under = cause.and_then(|cause| RULES.voids.get(&(book, cause.key())));
    let number = cited.strip_prefix(book).unwrap_or(cited).trim();
    let number = number.split(" (").next().unwrap_or(number);
    match under {
        Some(under) if *under != number => {
            let cause = cause.map_or("", Cause::key);
            Some(format!(
                "void for {cause} under {cited:?}, and {book} lists it in {under}"
            ))
        }
        _ => objection(book, cited),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_of_another_book_or_of_none_is_found() {
        for right in [
            "mbs-etg 5.8.1 (Q-07)",
            "mbs-etg 5.1",
            "mbs-etg silent (Q-57)",
        ] {
            assert_eq!(objection("mbs-etg", right), None);
        }
        for wrong in [
            "mbs-table 5.1",
            "mbs-etg 9.9",
            "mbs-etg silent",
            "mbs-etg",
            "",
        ] {
            assert!(objection("mbs-etg", wrong).is_some(), "{wrong:?}");
        }
        assert_eq!(
            listed("mbs-etg", Some(Cause::DieNotFlat), "mbs-etg 5.3"),
            None
        );
        assert!(listed("mbs-etg", Some(Cause::DieNotFlat), "mbs-etg 5.4").is_some());
        assert_eq!(RULES.known.len(), 5);
        assert_eq!(RULES.voids.len(), 28);
    }
}
