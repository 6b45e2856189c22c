//! Sections gathered into groups that people read as one line.
//!
//! Six triples that pay the same are one line of a table; programs get all six.

use std::fmt::Display;

use sicbo_lab::game::Bet;
use sicbo_rules::{Kind, Layout, Ratio, Section, maths};

/// What is gathered by kind: a section of the documents, or a bet of any game.
pub(crate) trait OfKind: Display {
    /// The word of its kind.
    fn kind_key(&self) -> &str;
}

impl OfKind for Section {
    fn kind_key(&self) -> &str {
        self.kind().key()
    }
}

impl OfKind for &Bet {
    fn kind_key(&self) -> &str {
        &self.kind
    }
}

/// Sections of one kind that have the same value, in stable order, under one label.
pub(crate) struct Group<S, V> {
    /// The sections.
    pub(crate) sections: Vec<S>,
    /// What they have in common.
    pub(crate) value: V,
}

impl<S: OfKind, V> Group<S, V> {
    /// `total:4 total:17` or `triple:1 … triple:6 (6)`.
    pub(crate) fn label(&self) -> String {
        match self.sections.as_slice() {
            [first, .., last] if self.sections.len() > 3 => {
                format!("{first} … {last} ({})", self.sections.len())
            }
            few => few
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}

/// Groups sections of a kind that share a value, kind by kind, each once.
pub(crate) fn grouped<V: PartialEq>(
    sections: impl Iterator<Item = Section>,
    value: impl Fn(Section) -> V,
) -> Vec<Group<Section, V>> {
    let mut sorted: Vec<Section> = sections.collect();
    sorted.sort_unstable();
    sorted.dedup();
    gathered(sorted.into_iter().map(|section| (section, value(section))))
}

/// Gathers what shares its kind and its value, in the order it comes.
pub(crate) fn gathered<S: OfKind, V: PartialEq>(
    all: impl Iterator<Item = (S, V)>,
) -> Vec<Group<S, V>> {
    let mut groups: Vec<Group<S, V>> = Vec::new();
    for (section, value) in all {
        let same = groups.iter_mut().find(|group| {
            group.sections[0].kind_key() == section.kind_key() && group.value == value
        });
        match same {
            Some(group) => group.sections.push(section),
            None => groups.push(Group {
                sections: vec![section],
                value,
            }),
        }
    }
    groups
}

/// What a set of sections holds, kind by kind: `small big total:4 … total:17`.
pub(crate) fn summary(sections: impl Iterator<Item = Section>) -> String {
    let groups = grouped(sections, |_| ());
    let labels: Vec<String> = groups.iter().map(Group::label).collect();
    labels.join(", ")
}

/// The odds of a section as texts, one for each line; empty when it is not offered.
pub(crate) fn pays(layout: &Layout, section: Section) -> Vec<String> {
    layout.pays(section).map_or_else(Vec::new, |pays| {
        pays.lines()
            .iter()
            .map(|line| line.is.to_string())
            .collect()
    })
}

/// A ratio in percent, rounded to four decimals: the exact value is always beside it.
pub(crate) fn percent(ratio: Ratio) -> f64 {
    (maths::approx(ratio) * 1e6).round() / 1e4
}

/// `16.2037 %`.
pub(crate) fn percent_text(ratio: Ratio) -> String {
    format!("{:.4} %", percent(ratio))
}

/// The name a layout gives to a kind of bet.
pub(crate) fn kind_name(layout: &Layout, kind: Kind) -> String {
    layout.name(kind).unwrap_or(kind.key()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_every_section_once() {
        let groups = grouped(Section::ALL.into_iter(), |_| ());
        let all: usize = groups.iter().map(|group| group.sections.len()).sum();
        assert_eq!(all, Section::COUNT);
        assert_eq!(groups.len(), Kind::ALL.len());
        assert_eq!(groups[5].label(), "triple:1 … triple:6 (6)");
    }
}
