//! Reads the TOML of a rule book into its types, part by part.
//!
//! Every part is read even when an earlier one has faults, so that all faults
//! are reported at once. What concerns several parts together is in `check`.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::reader::ADVICE;
use super::{
    Authority, Basis, Corrections, Decision, DeviceFailure, DisputeStep, Disputes, Equipment,
    Identity, Interruption, Known, Late, Origin, Play, RuleBook, RuleBookError, Title, VoidCause,
    Voiding, Words, check, layouts, pay_tables,
};
use crate::citation::Cited;
use crate::document::{Document, Node, Reader};
use crate::money::Money;

pub(super) fn rule_book(source: &str, origin: Origin) -> Result<RuleBook, RuleBookError> {
    #[cfg(feature = "mutants")]
    if let Some(edited) = crate::mutant::edited(source) {
        return mutant(&edited, source);
    }
    faultless(source, origin)
}

fn faultless(source: &str, origin: Origin) -> Result<RuleBook, RuleBookError> {
    let (reader, document) = Reader::parse(source, &ADVICE)
        .map_err(|(line, message)| RuleBookError::Unreadable { line, message })?;
    let book = read_parts(&reader, &document, source, origin);
    let faults = reader.into_faults();
    match book {
        Some(book) if faults.is_empty() => Ok(book),
        _ => Err(RuleBookError::Faults(faults)),
    }
}

/// The mutation check's edition of a book, under the name and digest of the
/// true one. What only compares its parts with each other is not a fault here:
/// a mutant is to be found by how it plays.
#[cfg(feature = "mutants")]
fn mutant(edited: &str, source: &str) -> Result<RuleBook, RuleBookError> {
    let (reader, document) = Reader::parse(edited, &ADVICE)
        .map_err(|(line, message)| RuleBookError::Unreadable { line, message })?;
    if let Some(book) = read_parts(&reader, &document, source, Origin::File) {
        return Ok(book);
    }
    // A text with faults of its own has them; one without could not be read as a mutant.
    let faults = reader.into_faults();
    faultless(source, Origin::File).map(|_| crate::mutant::unusable(&format!("{faults:?}")))
}

fn read_parts(
    reader: &Reader,
    document: &Document<'_>,
    source: &str,
    origin: Origin,
) -> Option<RuleBook> {
    let root = Node::root(reader, document);
    if root.has("pay_table_only") {
        // Every part of a rule book would be reported as missing; one fault says why.
        root.all_known();
        root.fault(
            "pay_table_only",
            "this is a pay table only, without rules of play",
            "the lab's commands read it; a house needs a whole rule book",
        );
        return None;
    }
    if root.integer("format").is_some_and(|format| format != 1) {
        root.fault("format", "unknown format", "this program reads format = 1");
    }
    let identity = root
        .table("identity")
        .and_then(|table| read_identity(&table, origin));
    let words = root.table("words").and_then(|table| {
        let place_bets = table.cited_text("place_bets");
        let no_more_bets = table.cited_text("no_more_bets");
        let pictures = table.has("pictures").then(|| table.cited_text("pictures"));
        Some(Words {
            place_bets: place_bets?,
            no_more_bets: no_more_bets?,
            pictures: pictures.flatten(),
        })
    });
    let play = root.table("play").and_then(|table| read_play(&table));
    let chip_unit = play
        .as_ref()
        .and_then(|play| play.chip_unit.as_ref())
        .map(|unit| unit.is);
    let faults_before = reader.count();
    let pay_tables = pay_tables::read(&root, chip_unit);
    let allowed_edge = pay_tables::read_player_edge(&root);
    pay_tables::check_edges(&root, &pay_tables, &allowed_edge);
    // Odds that are at fault themselves say nothing about the print.
    let sound = reader.count() == faults_before;
    let layouts = layouts::read(&root, &pay_tables, sound && origin == Origin::File);
    let voiding = root.table("voiding").and_then(|table| read_voiding(&table));
    let interruption = root
        .table("interruption")
        .and_then(|table| read_interruption(&table));
    let late = root.table("late").and_then(|table| {
        let placement = table.cited_word("placement");
        let increase = table.cited_word("increase");
        let withdrawal = table.cited_word("withdrawal");
        Some(Late {
            placement: placement?,
            increase: increase?,
            withdrawal: withdrawal?,
        })
    });
    let corrections = root.table("corrections").and_then(|table| {
        let wrong_result = table.cited_word("wrong_result");
        let wrong_display = table.cited_word("wrong_display");
        let later_rounds_stand = table.cited_boolean("later_rounds_stand");
        Some(Corrections {
            wrong_result: wrong_result?,
            wrong_display: wrong_display?,
            later_rounds_stand: later_rounds_stand?,
        })
    });
    let authority = root
        .table("authority")
        .and_then(|table| read_authority(&table));
    let disputes = root
        .table("disputes")
        .and_then(|table| read_disputes(&table));
    let equipment = root
        .tables("equipment")
        .iter()
        .filter_map(|table| {
            let item = table.text("item");
            let is = table.with_citation("is");
            Some(Equipment {
                item: item?,
                is: is?,
            })
        })
        .collect();
    check::play(&root, play.as_ref());
    check::voiding(&root, play.as_ref(), voiding.as_ref());
    check::interruption(&root, interruption.as_ref());
    check::authority(&root, authority.as_ref());
    if origin == Origin::File {
        check::stated(
            &root,
            play.as_ref(),
            interruption.as_ref(),
            corrections.as_ref(),
        );
    }
    Some(RuleBook {
        identity: identity?,
        words: words?,
        play: play?,
        pay_tables: pay_tables.into_iter().map(|read| read.table).collect(),
        layouts,
        voiding: voiding?,
        interruption: interruption?,
        late: late?,
        corrections: corrections?,
        authority: authority?,
        disputes: disputes?,
        equipment,
        source: Arc::from(source),
        sha256: Sha256::digest(source.as_bytes()).into(),
    })
}

fn read_known(
    table: &Node<'_, '_>,
    key: &str,
    read: impl Fn(&Node<'_, '_>) -> Option<String>,
) -> Option<Known<String>> {
    let inner = table.table(key)?;
    if inner.has("lost") {
        let is = inner.text("lost");
        let cite = inner.citation();
        return Some(Known::Lost(Cited {
            is: is?,
            cite: cite?,
        }));
    }
    let is = read(&inner);
    let cite = inner.citation();
    Some(Known::Is(Cited {
        is: is?,
        cite: cite?,
    }))
}

fn read_identity(table: &Node<'_, '_>, origin: Origin) -> Option<Identity> {
    let id = table.name("id");
    let title = table.cited_text("title");
    let also_known_as = table
        .has("also_known_as")
        .then(|| table.cited_text("also_known_as"));
    let operator = table.cited_text("operator");
    let version = read_known(table, "version", |inner| inner.text("is"));
    let effective = read_known(table, "effective", |inner| inner.datetime("is"));
    let zone = table.text("zone");
    let approval = table.has("approval").then(|| table.cited_text("approval"));
    let jurisdiction = table.text("jurisdiction");
    let language = table.text("language");
    check::identity(
        table,
        jurisdiction.as_deref(),
        zone.as_deref().filter(|_| origin == Origin::File),
        language.as_deref().filter(|_| origin == Origin::File),
    );
    Some(Identity {
        id: id?,
        title: title?,
        also_known_as: also_known_as.flatten(),
        operator: operator?,
        version: version?,
        effective: effective?,
        zone: zone?,
        approval: approval.flatten(),
        jurisdiction: jurisdiction?,
        language: language?,
    })
}

fn read_play(table: &Node<'_, '_>) -> Option<Play> {
    let form = table.cited_word("form");
    let cover = table.cited_word("cover");
    let tumble_window = table.cited_word("tumble_window");
    let usual_tumble = table.cited_word("usual_tumble");
    let minimum_tumbles = table.table("minimum_tumbles").and_then(|inner| {
        let is = inner.integer("is").and_then(|number| {
            let tumbles = u8::try_from(number)
                .ok()
                .filter(|number| (1..=100).contains(number));
            if tumbles.is_none() {
                inner.fault("is", "not a number of tumbles", "give 1 to 100");
            }
            tumbles
        });
        let cite = inner.citation();
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    });
    let chip_unit = table.optional_table("chip_unit_minor").and_then(|inner| {
        let is = inner.integer("is").filter(|minor| {
            let valid = (1..=Money::MAX.minor()).contains(minor);
            if !valid {
                inner.fault("is", "not an amount", "give minor units, 1 or more");
            }
            valid
        });
        let cite = inner.citation();
        Some(Cited {
            is: Money::from_minor(is?),
            cite: cite?,
        })
    });
    let round_opens = table.cited_word("round_opens");
    let formal_start = table.cited_word("formal_start");
    let closes = table.cited_word("closes");
    let deal_button = table
        .has("deal_button")
        .then(|| table.cited_boolean("deal_button"));
    let positions = table.cited_word("positions");
    let optional = |key: &str| table.has(key).then(|| table.cited_boolean(key)).flatten();
    let colour_chips = optional("colour_chips");
    let spoken_needs_chips = optional("spoken_needs_chips");
    let player_answers = optional("player_answers");
    let flat_check = table.cited_boolean("flat_check");
    let lit_layout = table
        .has("lit_layout")
        .then(|| table.cited_boolean("lit_layout"));
    let round_ends = table.cited_word("round_ends");
    Some(Play {
        form: form?,
        cover: cover?,
        tumble_window: tumble_window?,
        usual_tumble: usual_tumble?,
        minimum_tumbles: minimum_tumbles?,
        chip_unit,
        round_opens: round_opens?,
        formal_start: formal_start?,
        closes: closes?,
        deal_button: deal_button.flatten(),
        positions: positions?,
        colour_chips,
        spoken_needs_chips,
        player_answers,
        flat_check: flat_check?,
        lit_layout: lit_layout.flatten(),
        round_ends: round_ends?,
    })
}

fn read_voiding(table: &Node<'_, '_>) -> Option<Voiding> {
    let bets_returned = table.cited_boolean("bets_returned");
    let previous_rounds_stand = table.cited_boolean("previous_rounds_stand");
    let mut causes: Vec<VoidCause> = Vec::new();
    for row in table.tables("cause") {
        let cause = row.word("is");
        let scope = row.word("scope");
        let cite = row.citation();
        if let (Some(cause), Some(scope), Some(cite)) = (cause, scope, cite) {
            if causes.iter().any(|known| known.cause == cause) {
                row.fault("is", "repeated", "give each cause once");
            }
            causes.push(VoidCause { cause, scope, cite });
        }
    }
    Some(Voiding {
        bets_returned: bets_returned?,
        previous_rounds_stand: previous_rounds_stand?,
        causes,
    })
}

fn read_interruption(table: &Node<'_, '_>) -> Option<Interruption> {
    let outcome_established = table.cited_word("outcome_established");
    let no_outcome = table.cited_word("no_outcome");
    let terminal = |key: &str| table.has(key).then(|| table.cited_word(key));
    let terminal_registered = terminal("terminal_registered");
    let terminal_unregistered = terminal("terminal_unregistered");
    let open_cases = table
        .has("terminal_open_cases")
        .then(|| table.cited_word("terminal_open_cases"));
    let device_failure = table.optional_table("device_failure").and_then(|inner| {
        let inform = inner.word("inform");
        let resume_by = inner.word("resume_by");
        let cite = inner.citation();
        Some(DeviceFailure {
            inform: inform?,
            resume_by: resume_by?,
            cite: cite?,
        })
    });
    Some(Interruption {
        outcome_established: outcome_established?,
        no_outcome: no_outcome?,
        terminal_registered: terminal_registered.flatten(),
        terminal_unregistered: terminal_unregistered.flatten(),
        terminal_open_cases: open_cases.flatten(),
        device_failure,
    })
}

fn read_authority(table: &Node<'_, '_>) -> Option<Authority> {
    let substitution = table.cited_word("substitution");
    let mut titles: Vec<Title> = Vec::new();
    for row in table.tables("title") {
        let position = row.word("position");
        let title = row.with_citation("is");
        if let (Some(position), Some(title)) = (position, title) {
            if titles.iter().any(|known| known.position == position) {
                row.fault("position", "repeated", "give each position one title");
            }
            titles.push(Title { position, title });
        }
    }
    let mut decisions: Vec<Decision> = Vec::new();
    for row in table.tables("decision") {
        let matter = row.word("matter");
        let by = row.word("by");
        let or_above = row.boolean("or_above");
        let cite = row.citation();
        if let (Some(matter), Some(by), Some(or_above), Some(cite)) = (matter, by, or_above, cite) {
            if decisions.iter().any(|known| known.matter == matter) {
                row.fault("matter", "repeated", "give each matter once");
            }
            decisions.push(Decision {
                matter,
                by,
                or_above,
                cite,
            });
        }
    }
    Some(Authority {
        substitution: substitution?,
        titles,
        decisions,
    })
}

fn read_disputes(table: &Node<'_, '_>) -> Option<Disputes> {
    let steps = table
        .tables("step")
        .iter()
        .filter_map(|row| {
            let by = row.word("by");
            let act = row.text("act");
            let printed = row.optional_text("printed");
            let cite = row.citation();
            Some(DisputeStep {
                by: by?,
                act: act?,
                printed,
                cite: cite?,
            })
        })
        .collect();
    let bases = if table.has("basis") {
        table
            .tables("basis")
            .iter()
            .filter_map(|row| {
                let is = row.text("is");
                let printed = row.optional_text("printed");
                let cite = row.citation();
                Some(Basis {
                    is: is?,
                    printed,
                    cite: cite?,
                })
            })
            .collect()
    } else {
        Vec::new()
    };
    let authority_days = table.optional_table("authority_days").and_then(|inner| {
        let is = inner.integer("is").and_then(|days| {
            let days = u8::try_from(days).ok().filter(|days| *days >= 1);
            if days.is_none() {
                inner.fault("is", "not a number of days", "give 1 to 255");
            }
            days
        });
        let cite = inner.citation();
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    });
    Some(Disputes {
        steps,
        bases,
        authority_days,
    })
}
