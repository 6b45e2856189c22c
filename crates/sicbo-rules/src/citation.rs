//! Where a fact comes from: a rule of the document, a resolved ambiguity, or both.

use std::fmt;

/// The source of one fact in a rule book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Citation {
    /// Rule number in the document, e.g. `5.3.1` or `Appendix A`. Where the
    /// document says nothing this is `silent`, where its text is lost `lost`;
    /// then a resolution is given.
    pub rule: String,
    /// The resolution that settles an ambiguity, e.g. `Q-28`.
    pub resolution: Option<String>,
}

impl Citation {
    /// The words that may stand in place of a rule number when a resolution is cited.
    pub const NOT_IN_DOCUMENT: [&'static str; 2] = ["silent", "lost"];

    /// Whether the document itself says it.
    #[must_use]
    pub fn is_in_document(&self) -> bool {
        !Self::NOT_IN_DOCUMENT.contains(&self.rule.as_str())
    }

    /// As cited to people: `mbs-etg 5.8.1 (Q-07)`.
    #[must_use]
    pub fn full(&self, book: &str) -> String {
        format!("{book} {self}")
    }

    /// As players and visitors are shown it: the document's own number and
    /// nothing else; nothing where the document does not speak.
    #[must_use]
    pub fn public(&self, book: &str) -> Option<String> {
        public(&self.full(book))
    }
}

/// What the public is shown of a citation: `rws-etg 5.1.2 (Q-07)` as
/// `rws-etg 5.1.2`. Numbers of resolutions can be looked up by nobody outside
/// the house, so a citation that has no other number is not shown at all.
#[must_use]
pub fn public(cited: &str) -> Option<String> {
    let is_own = |word: &str| {
        let word = word.trim_matches(['(', ')', ',', ';']);
        let number = word.split_once('-').and_then(|(letter, number)| {
            (letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_uppercase()))
                .then_some(number)
        });
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut words = cited.split_whitespace();
    let book = words.next()?;
    let rules: Vec<&str> = words.filter(|word| !is_own(word)).collect();
    let rules = rules.join(" ");
    let rules = rules.trim_end_matches([',', ';', ' ']);
    let in_document = !rules.is_empty() && !Citation::NOT_IN_DOCUMENT.contains(&rules);
    in_document.then(|| format!("{book} {rules}"))
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.resolution, self.is_in_document()) {
            (Some(resolution), true) => write!(f, "{} ({resolution})", self.rule),
            (Some(resolution), false) => write!(f, "{resolution}"),
            (None, _) => f.write_str(&self.rule),
        }
    }
}

/// A value with its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cited<T> {
    /// The value.
    pub is: T,
    /// Where it comes from.
    pub cite: Citation,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_is_shown_the_documents_numbers_only() {
        for (cited, shown) in [
            ("rws-etg 5.1.2 (Q-07)", Some("rws-etg 5.1.2")),
            (
                "quang-nam-table 7.1, 7.7 (Q-35)",
                Some("quang-nam-table 7.1, 7.7"),
            ),
            ("mbs-etg 5.8.1", Some("mbs-etg 5.8.1")),
            ("mbs-etg 6.1, 6.2 (P-070)", Some("mbs-etg 6.1, 6.2")),
            ("rws-etg Appendix A", Some("rws-etg Appendix A")),
            ("mbs-etg P-070", None),
            ("quang-nam-table Q-05", None),
            ("quang-nam-table silent", None),
            ("quang-nam-table", None),
            ("", None),
        ] {
            assert_eq!(public(cited).as_deref(), shown, "{cited}");
        }
        let cite = Citation {
            rule: "silent".to_owned(),
            resolution: Some("Q-18".to_owned()),
        };
        assert_eq!(cite.public("mbs-table"), None);
    }

    /// Q-62 and later numbers are as private as those of today.
    #[test]
    fn no_citation_of_the_five_books_shows_a_resolution() {
        for book in crate::RuleBook::all() {
            for decision in &book.authority.decisions {
                let shown = decision.cite.public(book.id()).unwrap_or_default();
                assert!(!shown.contains("Q-") && !shown.contains("P-"), "{shown}");
            }
        }
    }
}
