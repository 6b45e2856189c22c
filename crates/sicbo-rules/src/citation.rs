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
