//! Rule books for screens: the drawing of a layout with its odds, and what a
//! book says of play, voids, authority and disputes, each with its rule.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::layout::{Cell, CellKind};
use sicbo_rules::maths::approx;
use sicbo_rules::rulebook::Known;
use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Layout, Par, RuleBook, Section};
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

impl BookInfo {
    /// A rule book for screens.
    #[must_use]
    pub fn of(book: &RuleBook) -> BookInfo {
        let id = book.id();
        let fact = |about: &str, is: String, cite: &sicbo_rules::Citation| CitedFact {
            about: about.to_owned(),
            is,
            printed: None,
            rule: cite.public(id),
        };
        fn known(value: &Known<String>) -> Option<String> {
            value.known().cloned()
        }
        let play = &book.play;
        let interruption = &book.interruption;
        let identity = &book.identity;
        let stated = |about: &str, says: &sicbo_rules::Cited<bool>| {
            fact(about, says.is.to_string(), &says.cite)
        };
        let mut irregular = vec![
            stated("bets_returned", &book.voiding.bets_returned),
            stated("previous_rounds_stand", &book.voiding.previous_rounds_stand),
            fact(
                "outcome_established",
                interruption.outcome_established.is.key().to_owned(),
                &interruption.outcome_established.cite,
            ),
            fact(
                "no_outcome",
                interruption.no_outcome.is.key().to_owned(),
                &interruption.no_outcome.cite,
            ),
        ];
        for (about, case) in [
            ("terminal_registered", &interruption.terminal_registered),
            ("terminal_unregistered", &interruption.terminal_unregistered),
        ] {
            if let Some(case) = case {
                irregular.push(fact(about, case.is.key().to_owned(), &case.cite));
            }
        }
        if let Some(cases) = &interruption.terminal_open_cases {
            let by = cases.is.key().to_owned();
            irregular.push(fact("terminal_open_cases", by, &cases.cite));
        }
        if let Some(failure) = &interruption.device_failure {
            for (about, position) in [
                ("device_failure_inform", failure.inform),
                ("device_failure_resume_by", failure.resume_by),
            ] {
                irregular.push(fact(about, position.key().to_owned(), &failure.cite));
            }
        }
        for (about, late) in [
            ("late_placement", &book.late.placement),
            ("late_increase", &book.late.increase),
            ("late_withdrawal", &book.late.withdrawal),
        ] {
            irregular.push(fact(about, late.is.key().to_owned(), &late.cite));
        }
        for (about, wrong) in [
            ("wrong_result", &book.corrections.wrong_result),
            ("wrong_display", &book.corrections.wrong_display),
        ] {
            irregular.push(fact(about, wrong.is.key().to_owned(), &wrong.cite));
        }
        irregular.push(stated(
            "later_rounds_stand",
            &book.corrections.later_rounds_stand,
        ));
        for settled in book.resolutions() {
            irregular.push(fact(settled.about(), settled.is(), &settled.cite(book)));
        }
        let said = [
            ("deal_button", &play.deal_button),
            ("lit_layout", &play.lit_layout),
            ("colour_chips", &play.colour_chips),
            ("spoken_needs_chips", &play.spoken_needs_chips),
            ("player_answers", &play.player_answers),
        ];
        let chips = said.into_iter().filter_map(|(about, says)| {
            let says = says.as_ref()?;
            Some(fact(about, says.is.to_string(), &says.cite))
        });
        let chips: Vec<CitedFact> = chips.collect();
        BookInfo {
            book: id.to_owned(),
            title: identity.title.is.clone(),
            also_known_as: identity.also_known_as.as_ref().map(|name| name.is.clone()),
            operator: identity.operator.is.clone(),
            approval: identity.approval.as_ref().map(|text| text.is.clone()),
            pictures: book
                .words
                .pictures
                .as_ref()
                .map(|pictures| fact("pictures", pictures.is.clone(), &pictures.cite)),
            version: known(&identity.version),
            effective: known(&identity.effective),
            sha256: book.sha256_hex(),
            jurisdiction: identity.jurisdiction.clone(),
            language: identity.language.clone(),
            place_bets: book.words.place_bets.is.clone(),
            no_more_bets: book.words.no_more_bets.is.clone(),
            play: [
                fact("form", play.form.is.key().to_owned(), &play.form.cite),
                fact("cover", play.cover.is.key().to_owned(), &play.cover.cite),
                fact(
                    "tumble_window",
                    play.tumble_window.is.key().to_owned(),
                    &play.tumble_window.cite,
                ),
                fact(
                    "minimum_tumbles",
                    play.minimum_tumbles.is.to_string(),
                    &play.minimum_tumbles.cite,
                ),
                fact(
                    "round_opens",
                    play.round_opens.is.key().to_owned(),
                    &play.round_opens.cite,
                ),
                fact(
                    "formal_start",
                    play.formal_start.is.key().to_owned(),
                    &play.formal_start.cite,
                ),
                fact("closes", play.closes.is.key().to_owned(), &play.closes.cite),
                fact(
                    "positions",
                    play.positions.is.key().to_owned(),
                    &play.positions.cite,
                ),
                fact(
                    "flat_check",
                    play.flat_check.is.to_string(),
                    &play.flat_check.cite,
                ),
                fact(
                    "round_ends",
                    play.round_ends.is.key().to_owned(),
                    &play.round_ends.cite,
                ),
            ]
            .into_iter()
            .chain(chips)
            .collect(),
            voids: book
                .voiding
                .causes
                .iter()
                .map(|void| fact(void.cause.key(), void.scope.key().to_owned(), &void.cite))
                .collect(),
            irregular,
            decisions: book
                .authority
                .decisions
                .iter()
                .map(|decision| {
                    let by = decision.by.key();
                    let by = match decision.or_above {
                        true => format!("{by} or above"),
                        false => by.to_owned(),
                    };
                    fact(decision.matter.key(), by, &decision.cite)
                })
                .collect(),
            titles: book
                .authority
                .titles
                .iter()
                .map(|title| (title.position.key().to_owned(), title.title.is.clone()))
                .collect(),
            disputes: book
                .disputes
                .steps
                .iter()
                .map(|step| CitedFact {
                    printed: step.printed.clone(),
                    ..fact(step.by.key(), step.act.clone(), &step.cite)
                })
                .collect(),
            bases: book
                .disputes
                .bases
                .iter()
                .map(|basis| CitedFact {
                    printed: basis.printed.clone(),
                    ..fact("basis", basis.is.clone(), &basis.cite)
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
