//! Rule books for screens: the drawing of a layout with its odds, and what a
//! book says of play, voids, authority and disputes, each with its rule.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use sicbo_rules::layout::{Cell, CellKind};
use sicbo_rules::maths::approx;
use sicbo_rules::rulebook::Play;
use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Citation, Cited, Layout, Par, RuleBook, Section};
use ts_rs::TS;
use utoipa::ToSchema;

/// A line of odds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct OddsLine {
    /// Profit to 1, as printed: `6 1/2`.
    pub printed: String,
    /// Twice the odds, which is always whole.
    pub halves: u32,
    /// Outcomes of 216 that pay it.
    pub ways: u32,
    /// The rule of the document; null where it does not speak.
    pub rule: Option<String>,
}

/// A section that can be bet on.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct SectionInfo {
    /// In the one notation: `total:11`.
    pub section: String,
    /// Its kind: `total`.
    pub kind: String,
    /// What this layout calls the kind.
    pub name: String,
    /// The numbers it names.
    pub numbers: Vec<u8>,
    /// One line, or three for a single die.
    pub odds: Vec<OddsLine>,
    /// Winning outcomes of 216.
    pub ways: u32,
    /// House edge as an exact fraction: `1/36`.
    pub edge: String,
    /// The same in percent, for reading only.
    pub edge_percent: f64,
    /// Three alike of some number can win here.
    pub triple_can_win: bool,
}

/// One rectangle of the drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CellInfo {
    /// The section; null for captions and blanks.
    pub section: Option<String>,
    /// Visibly dead.
    pub blank: bool,
    /// Left edge, in the layout's own units.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// The large print; sections drawn as dice have none.
    pub label: Option<String>,
    /// The small print, line by line, as printed.
    pub lines: Vec<String>,
}

/// A layout: its drawing and its odds.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct LayoutInfo {
    /// The rule book's name.
    pub book: String,
    /// Its name within the book.
    pub layout: String,
    /// As the document calls it.
    pub title: String,
    /// What of the drawing is a reconstruction because the document lost it.
    pub reconstruction: Option<String>,
    /// The casino's name, where the document has it on the layout.
    pub casino: Option<String>,
    /// Width of the drawing.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The drawing, in printed order.
    pub cells: Vec<CellInfo>,
    /// Every section that can be bet on.
    pub sections: Vec<SectionInfo>,
}

impl LayoutInfo {
    /// A layout for screens; `site` is the casino's name.
    #[must_use]
    pub fn of(book: &RuleBook, layout: &Layout, site: &str) -> LayoutInfo {
        let named = layout.casino_name.as_ref().is_some_and(|named| named.is);
        LayoutInfo {
            casino: named.then(|| site.to_owned()),
            book: book.id().to_owned(),
            layout: layout.id.clone(),
            title: layout.title.clone(),
            reconstruction: layout.reconstruction.as_ref().map(|note| note.is.clone()),
            width: layout.size.0,
            height: layout.size.1,
            cells: layout.cells.iter().map(cell).collect(),
            sections: layout
                .sections()
                .filter_map(|section| info(book, layout, section))
                .collect(),
        }
    }
}

fn cell(cell: &Cell) -> CellInfo {
    CellInfo {
        section: match cell.kind {
            CellKind::Section(section) => Some(section.to_string()),
            CellKind::Caption | CellKind::Blank => None,
        },
        blank: cell.kind == CellKind::Blank,
        x: cell.place.x,
        y: cell.place.y,
        width: cell.place.width,
        height: cell.place.height,
        label: cell.label.clone(),
        lines: cell.lines.clone(),
    }
}

fn info(book: &RuleBook, layout: &Layout, section: Section) -> Option<SectionInfo> {
    let par = Par::of(layout, section)?;
    let pays = layout.pays(section)?;
    let odds = pays.lines().iter().zip(&par.ways_by_line);
    let triples = (1..=6).filter_map(|face| sicbo_rules::Dice::from_faces([face; 3]));
    Some(SectionInfo {
        section: section.to_string(),
        kind: section.kind().key().to_owned(),
        name: layout
            .name(section.kind())
            .unwrap_or(section.kind().key())
            .to_owned(),
        numbers: section.numbers().to_vec(),
        odds: odds
            .map(|(line, ways)| OddsLine {
                printed: line.is.printed(),
                halves: u32::from(line.is.halves()),
                ways: *ways,
                rule: line.cite.public(book.id()),
            })
            .collect(),
        ways: par.ways(),
        edge: par.edge().to_string(),
        edge_percent: approx(par.edge()) * 100.0,
        triple_can_win: triples.into_iter().any(|dice| section.hits(dice) > 0),
    })
}

/// A fact with its rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CitedFact {
    /// What about: a stable word.
    pub about: String,
    /// What it is: a stable word or the document's own words.
    pub is: String,
    /// The same in the document's language, where that is not English.
    pub printed: Option<String>,
    /// The rule of the document; null where it does not speak and the house's
    /// practice is told.
    pub rule: Option<String>,
}

/// What a screen needs of a rule book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct BookInfo {
    /// Its name.
    pub book: String,
    /// The game's title as printed.
    pub title: String,
    /// Another printed name.
    pub also_known_as: Option<String>,
    /// The operator.
    pub operator: String,
    /// The approval it carries, word for word.
    pub approval: Option<String>,
    /// What it says of its own pictures.
    pub pictures: Option<CitedFact>,
    /// The version as printed; null when lost.
    pub version: Option<String>,
    /// In force since; null when lost.
    pub effective: Option<String>,
    /// SHA-256 of the rule book.
    pub sha256: String,
    /// The law overlay: `sg`, `vn`.
    pub jurisdiction: String,
    /// Language of the document.
    pub language: String,
    /// Calls for bets, as printed.
    pub place_bets: String,
    /// Closes betting, as printed.
    pub no_more_bets: String,
    /// The order of play.
    pub play: Vec<CitedFact>,
    /// Causes for which a round is void, with how far each reaches.
    pub voids: Vec<CitedFact>,
    /// What interruptions, late acts and wrong results come to.
    pub irregular: Vec<CitedFact>,
    /// Who decides what.
    pub decisions: Vec<CitedFact>,
    /// What each position is called in the document.
    pub titles: BTreeMap<String, String>,
    /// How disputes are handled.
    pub disputes: Vec<CitedFact>,
    /// What a decision about a dispute may rest on.
    pub bases: Vec<CitedFact>,
    /// Its layouts.
    pub layouts: Vec<String>,
}

/// Facts of one book.
struct Facts<'b>(&'b str);

impl Facts<'_> {
    fn fact(&self, about: &str, is: impl Display, cite: &Citation) -> CitedFact {
        CitedFact {
            about: about.to_owned(),
            is: is.to_string(),
            printed: None,
            rule: cite.public(self.0),
        }
    }

    /// What the book says of something: a stable word, a number, yes or no.
    fn said<T: Display>(&self, about: &str, says: &Cited<T>) -> CitedFact {
        self.fact(about, &says.is, &says.cite)
    }

    fn play(&self, play: &Play) -> Vec<CitedFact> {
        let mut facts = vec![
            self.said("form", &play.form),
            self.said("cover", &play.cover),
            self.said("tumble_window", &play.tumble_window),
            self.said("minimum_tumbles", &play.minimum_tumbles),
            self.said("round_opens", &play.round_opens),
            self.said("formal_start", &play.formal_start),
            self.said("closes", &play.closes),
            self.said("positions", &play.positions),
            self.said("flat_check", &play.flat_check),
            self.said("round_ends", &play.round_ends),
        ];
        for (about, says) in [
            ("deal_button", &play.deal_button),
            ("lit_layout", &play.lit_layout),
            ("colour_chips", &play.colour_chips),
            ("spoken_needs_chips", &play.spoken_needs_chips),
            ("player_answers", &play.player_answers),
        ] {
            facts.extend(says.as_ref().map(|says| self.said(about, says)));
        }
        facts
    }

    fn irregular(&self, book: &RuleBook) -> Vec<CitedFact> {
        let (interruption, late) = (&book.interruption, &book.late);
        let (voiding, corrections) = (&book.voiding, &book.corrections);
        let mut facts = vec![
            self.said("bets_returned", &voiding.bets_returned),
            self.said("previous_rounds_stand", &voiding.previous_rounds_stand),
            self.said("outcome_established", &interruption.outcome_established),
            self.said("no_outcome", &interruption.no_outcome),
        ];
        for (about, case) in [
            ("terminal_registered", &interruption.terminal_registered),
            ("terminal_unregistered", &interruption.terminal_unregistered),
        ] {
            facts.extend(case.as_ref().map(|case| self.said(about, case)));
        }
        let cases = interruption.terminal_open_cases.as_ref();
        facts.extend(cases.map(|cases| self.said("terminal_open_cases", cases)));
        if let Some(failure) = &interruption.device_failure {
            for (about, position) in [
                ("device_failure_inform", failure.inform),
                ("device_failure_resume_by", failure.resume_by),
            ] {
                facts.push(self.fact(about, position.key(), &failure.cite));
            }
        }
        facts.extend([
            self.said("late_placement", &late.placement),
            self.said("late_increase", &late.increase),
            self.said("late_withdrawal", &late.withdrawal),
            self.said("wrong_result", &corrections.wrong_result),
            self.said("wrong_display", &corrections.wrong_display),
            self.said("later_rounds_stand", &corrections.later_rounds_stand),
        ]);
        let settled = book.resolutions().into_iter();
        facts.extend(settled.map(|one| self.fact(one.about(), one.is(), &one.cite(book))));
        facts
    }
}

impl BookInfo {
    /// A rule book for screens.
    #[must_use]
    pub fn of(book: &RuleBook) -> BookInfo {
        let facts = Facts(book.id());
        let identity = &book.identity;
        let (words, disputes) = (&book.words, &book.disputes);
        BookInfo {
            book: book.id().to_owned(),
            title: identity.title.is.clone(),
            also_known_as: identity.also_known_as.as_ref().map(|name| name.is.clone()),
            operator: identity.operator.is.clone(),
            approval: identity.approval.as_ref().map(|text| text.is.clone()),
            pictures: (words.pictures.as_ref()).map(|pictures| facts.said("pictures", pictures)),
            version: identity.version.known().cloned(),
            effective: identity.effective.known().cloned(),
            sha256: book.sha256_hex(),
            jurisdiction: identity.jurisdiction.clone(),
            language: identity.language.clone(),
            place_bets: words.place_bets.is.clone(),
            no_more_bets: words.no_more_bets.is.clone(),
            play: facts.play(&book.play),
            voids: book
                .voiding
                .causes
                .iter()
                .map(|void| facts.fact(void.cause.key(), void.scope.key(), &void.cite))
                .collect(),
            irregular: facts.irregular(book),
            decisions: book
                .authority
                .decisions
                .iter()
                .map(|decision| {
                    let above = if decision.or_above { " or above" } else { "" };
                    let by = format!("{}{above}", decision.by.key());
                    facts.fact(decision.matter.key(), by, &decision.cite)
                })
                .collect(),
            titles: book
                .authority
                .titles
                .iter()
                .map(|title| (title.position.key().to_owned(), title.title.is.clone()))
                .collect(),
            disputes: disputes
                .steps
                .iter()
                .map(|step| CitedFact {
                    printed: step.printed.clone(),
                    ..facts.fact(step.by.key(), &step.act, &step.cite)
                })
                .collect(),
            bases: disputes
                .bases
                .iter()
                .map(|basis| CitedFact {
                    printed: basis.printed.clone(),
                    ..facts.fact("basis", &basis.is, &basis.cite)
                })
                .collect(),
            layouts: book
                .layouts
                .iter()
                .map(|layout| layout.id.clone())
                .collect(),
        }
    }
}
