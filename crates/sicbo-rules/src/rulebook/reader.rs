//! What only rule books have: a fact with its citation beside it.

use super::words::Word;
use crate::citation::{Citation, Cited};
use crate::document::{Advice, Node};

pub(super) const ADVICE: Advice = Advice {
    text: "give a text or leave the key out",
    table: "give a table, e.g. { is = …, rule = \"5.1\" }",
    tables: "give [[…]] tables",
    did_you_mean: false,
};

impl Node<'_, '_> {
    /// The `rule` and `resolution` of this table.
    pub(super) fn citation(&self) -> Option<Citation> {
        let resolution = self.optional_text("resolution");
        if let Some(text) = &resolution {
            let number = text.strip_prefix("Q-").or_else(|| text.strip_prefix("P-"));
            let numbered =
                number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            if !numbered {
                self.fault(
                    "resolution",
                    &format!("{text:?} is no resolution"),
                    "cite e.g. Q-28",
                );
            }
        }
        if !self.has("rule") {
            self.fault(
                "rule",
                "no citation",
                "cite the rule, e.g. rule = \"5.1\", or rule = \"silent\" with a resolution",
            );
            return None;
        }
        let rule = self.text("rule")?;
        let citation = Citation { rule, resolution };
        if !citation.is_in_document() && citation.resolution.is_none() {
            self.fault(
                "resolution",
                &format!("rule is {:?} and no resolution is cited", citation.rule),
                "cite the resolution that settles it, e.g. resolution = \"Q-18\"",
            );
        }
        Some(citation)
    }

    /// A text whose citation stands beside it in this table.
    pub(super) fn with_citation(&self, key: &str) -> Option<Cited<String>> {
        let (is, cite) = (self.text(key), self.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }

    /// `{ is = "word", rule = "5.1" }`.
    pub(super) fn cited_word<T: Word>(&self, key: &str) -> Option<Cited<T>> {
        let table = self.table(key)?;
        let (is, cite) = (table.word("is"), table.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }

    /// `{ is = "text", rule = "5.1" }`.
    pub(super) fn cited_text(&self, key: &str) -> Option<Cited<String>> {
        self.table(key)?.with_citation("is")
    }

    /// `{ is = true, rule = "5.1" }`.
    pub(super) fn cited_boolean(&self, key: &str) -> Option<Cited<bool>> {
        let table = self.table(key)?;
        let (is, cite) = (table.boolean("is"), table.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }
}
