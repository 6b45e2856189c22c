//! Reads the TOML of a rule book into its types, part by part.
//!
//! Every part is read even when an earlier one has faults, so that all faults
//! are reported at once. What concerns several parts together is in `check`.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use toml::de::DeTable;

use super::reader::{Reader, Table, line_at};
use super::{
    Authority, Corrections, Decision, DeviceFailure, DisputeStep, Disputes, Equipment, Identity,
    Interruption, Known, Late, Play, RuleBook, RuleBookError, Title, VoidCause, Voiding, Words,
    check,
};
use crate::citation::Cited;
use crate::layout::{Box2, Cell, CellKind, Layout};
use crate::odds::Odds;
use crate::pay_table::{PayTable, Pays};
use crate::section::{Kind, Section};
use crate::settlement::Settlement;

pub(super) fn rule_book(source: &str) -> Result<RuleBook, RuleBookError> {
    let document = DeTable::parse(source).map_err(|error| RuleBookError::Unreadable {
        line: line_at(source, error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    let reader = Reader::new(source);
    let book = read_parts(&reader, document.get_ref(), source);
    let faults = reader.into_faults();
    match book {
        Some(book) if faults.is_empty() => Ok(book),
        _ => Err(RuleBookError::Faults(faults)),
    }
}

fn read_parts<'a>(reader: &Reader<'a>, map: &DeTable<'a>, source: &str) -> Option<RuleBook> {
    let root = Table::root(reader, map);
    if root.integer("format").is_some_and(|format| format != 1) {
        root.fault("format", "unknown format", "this program reads format = 1");
    }
    let identity = root
        .table("identity")
        .and_then(|table| read_identity(&table));
    let words = root.table("words").and_then(|table| {
        let place_bets = table.cited_text("place_bets");
        let no_more_bets = table.cited_text("no_more_bets");
        Some(Words {
            place_bets: place_bets?,
            no_more_bets: no_more_bets?,
        })
    });
    let play = root.table("play").and_then(|table| read_play(&table));
    let pay_tables: Vec<PayTable> = root
        .tables("pay_table")
        .iter()
        .filter_map(read_pay_table)
        .collect();
    let allowed_edge = read_player_edge(&root);
    let layout_tables = root.tables("layout");
    let layouts: Vec<Layout> = layout_tables
        .iter()
        .filter_map(|table| read_layout(table, &pay_tables))
        .collect();
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
            let is = read_cited_text(table, "is");
            Some(Equipment {
                item: item?,
                is: is?,
            })
        })
        .collect();
    check::pay_tables(&root, &pay_tables);
    check::layouts(&root, &layout_tables, &layouts, &pay_tables, &allowed_edge);
    let book = RuleBook {
        identity: identity?,
        words: words?,
        play: play?,
        pay_tables,
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
    };
    check::whole(&root, &book);
    Some(book)
}

/// A text with its citation in the same table.
fn read_cited_text(table: &Table<'_, '_>, key: &str) -> Option<Cited<String>> {
    let is = table.text(key);
    let cite = table.citation();
    Some(Cited {
        is: is?,
        cite: cite?,
    })
}

fn read_known(
    table: &Table<'_, '_>,
    key: &str,
    read: impl Fn(&Table<'_, '_>) -> Option<String>,
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

fn read_identity(table: &Table<'_, '_>) -> Option<Identity> {
    let id = table.text("id").filter(|id| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let valid = id.len() <= 40 && id.bytes().all(plain);
        if !valid {
            table.fault(
                "id",
                "not a name",
                "use at most 40 small letters, digits and hyphens",
            );
        }
        valid
    });
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

fn read_play(table: &Table<'_, '_>) -> Option<Play> {
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
    let round_opens = table.cited_word("round_opens");
    let formal_start = table.cited_word("formal_start");
    let closes = table.cited_word("closes");
    let deal_button = table
        .has("deal_button")
        .then(|| table.cited_boolean("deal_button"));
    let positions = table.cited_word("positions");
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
        round_opens: round_opens?,
        formal_start: formal_start?,
        closes: closes?,
        deal_button: deal_button.flatten(),
        positions: positions?,
        flat_check: flat_check?,
        lit_layout: lit_layout.flatten(),
        round_ends: round_ends?,
    })
}

/// One line of odds for one or more sections: `{ sections, pays, on?, rule }`.
/// A single die has three lines, told apart by `on` (dice that show the number).
fn read_pay_table(table: &Table<'_, '_>) -> Option<PayTable> {
    let id = table.text("id");
    let title = table.text("title");
    let cite = table.citation();
    let mut lines: BTreeMap<Section, Vec<Option<Cited<Odds>>>> = BTreeMap::new();
    for row in table.tables("row") {
        let pays: Option<Odds> = row.parsed("pays");
        let row_cite = row.citation();
        let on = if row.has("on") {
            row.integer("on")
        } else {
            Some(1)
        };
        for text in row.texts("sections") {
            let section: Section = match text.parse() {
                Ok(section) => section,
                Err(error) => {
                    row.fault("sections", &error.to_string(), "name sections that exist");
                    continue;
                }
            };
            let steps = section.kind().steps();
            let slot = on
                .and_then(|on| usize::try_from(on).ok())
                .filter(|on| (1..=steps).contains(on));
            let Some(slot) = slot else {
                row.fault(
                    "on",
                    &format!("{section} has {steps} line(s) of odds"),
                    "give on = 1, 2 or 3 for a single die and leave it out elsewhere",
                );
                continue;
            };
            let cells = lines.entry(section).or_insert_with(|| vec![None; steps]);
            if cells[slot - 1].is_some() {
                row.fault(
                    "sections",
                    &format!("{section} is repeated"),
                    "give each section its odds once",
                );
                continue;
            }
            if let (Some(is), Some(cite)) = (pays, row_cite.clone()) {
                cells[slot - 1] = Some(Cited { is, cite });
            }
        }
    }
    let mut pay_table = PayTable::new(id?, title?, cite?);
    for (section, cells) in lines {
        let complete: Option<Vec<Cited<Odds>>> = cells.into_iter().collect();
        match complete.and_then(|cells| Pays::new(section, cells)) {
            Some(pays) => {
                let _ = pay_table.set(section, pays);
            }
            None => table.fault(
                "row",
                &format!("{section} lacks odds"),
                "give pays for each of its lines",
            ),
        }
    }
    Some(pay_table)
}

/// Sections a house knowingly offers with an edge for the player, and why.
fn read_player_edge(root: &Table<'_, '_>) -> Vec<Section> {
    let Some(table) = root.optional_table("player_edge") else {
        return Vec::new();
    };
    let _reason = table.text("reason");
    table
        .texts("sections")
        .iter()
        .filter_map(|text| {
            text.parse()
                .map_err(|error: crate::section::SectionError| {
                    table.fault("sections", &error.to_string(), "name sections that exist");
                })
                .ok()
        })
        .collect()
}

fn read_layout(table: &Table<'_, '_>, pay_tables: &[PayTable]) -> Option<Layout> {
    let id = table.text("id");
    let title = table.text("title");
    let cite = table.citation();
    let reconstruction = table
        .optional_table("reconstruction")
        .and_then(|inner| read_cited_text(&inner, "is"));
    let size = table.numbers::<2>("size", "width and height, e.g. [420, 216]");
    let pay_table = table.text("pay_table").and_then(|wanted| {
        let index = pay_tables
            .iter()
            .position(|pay_table| pay_table.id == wanted);
        if index.is_none() {
            let known: Vec<&str> = pay_tables.iter().map(|table| table.id.as_str()).collect();
            table.fault(
                "pay_table",
                &format!("there is no pay table {wanted:?}"),
                &format!("use one of {}", known.join(", ")),
            );
        }
        index
    });
    let mut names = BTreeMap::new();
    if let Some(inner) = table.table("names") {
        for (key, entry) in inner.entries() {
            let name = read_cited_text(&entry, "is");
            match (Kind::from_key(&key), name) {
                (Some(kind), Some(name)) => {
                    names.insert(kind, name);
                }
                (None, _) => inner.fault(
                    &key,
                    "no kind of bet",
                    &format!("use {}", Kind::ALL.map(Kind::key).join(", ")),
                ),
                (Some(_), None) => {}
            }
        }
    }
    let cells: Vec<Cell> = table.tables("cell").iter().filter_map(read_cell).collect();
    let mut layout = Layout {
        id: id?,
        title: title?,
        cite: cite?,
        reconstruction,
        size: size.map(|[width, height]| (width, height))?,
        cells,
        names,
        pay_table: pay_table?,
        pays: Vec::new(),
        settlement: Settlement::compile(&vec![None; Section::COUNT]),
    };
    layout.compile(&pay_tables[layout.pay_table]);
    Some(layout)
}

fn read_cell(table: &Table<'_, '_>) -> Option<Cell> {
    let place = table
        .numbers::<4>("box", "left, top, width and height, e.g. [0, 0, 60, 30]")
        .map(|[x, y, width, height]| Box2 {
            x,
            y,
            width,
            height,
        });
    let label = table.optional_text("label");
    let lines = table.optional_texts("lines");
    let kind = if table.has("section") {
        table.parsed::<Section>("section").map(CellKind::Section)
    } else if label.is_none() && lines.is_empty() {
        // A blank says that it is one, so that a forgotten section is a fault.
        match table.boolean("blank") {
            Some(true) => Some(CellKind::Blank),
            _ => {
                table.fault(
                    "blank",
                    "a cell with nothing in it",
                    "give section, label, lines, or blank = true",
                );
                None
            }
        }
    } else {
        Some(CellKind::Caption)
    };
    Some(Cell {
        kind: kind?,
        place: place?,
        label,
        lines,
    })
}

fn read_voiding(table: &Table<'_, '_>) -> Option<Voiding> {
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

fn read_interruption(table: &Table<'_, '_>) -> Option<Interruption> {
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

fn read_authority(table: &Table<'_, '_>) -> Option<Authority> {
    let substitution = table.cited_word("substitution");
    let titles = table
        .tables("title")
        .iter()
        .filter_map(|row| {
            let position = row.word("position");
            let title = read_cited_text(row, "is");
            Some(Title {
                position: position?,
                title: title?,
            })
        })
        .collect();
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

fn read_disputes(table: &Table<'_, '_>) -> Option<Disputes> {
    let steps = table
        .tables("step")
        .iter()
        .filter_map(|row| {
            let by = row.word("by");
            let act = row.text("act");
            let cite = row.citation();
            Some(DisputeStep {
                by: by?,
                act: act?,
                cite: cite?,
            })
        })
        .collect();
    let bases = if table.has("basis") {
        table
            .tables("basis")
            .iter()
            .filter_map(|row| read_cited_text(row, "is"))
            .collect()
    } else {
        Vec::new()
    };
    let authority_days = table.optional_table("authority_days").and_then(|inner| {
        let is = inner.integer("is").and_then(|days| u8::try_from(days).ok());
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
