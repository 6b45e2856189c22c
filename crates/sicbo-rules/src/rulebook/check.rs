//! What must hold between the parts of a rule book.

use num_traits::Zero;

use super::reader::Table;
use super::words::{Cause, Cover, Matter, RoundStart, TumbleStep, TumbleWindow};
use super::{Identity, RuleBook};
use crate::Ratio;
use crate::layout::{Cell, CellKind, Layout};
use crate::maths::Par;
use crate::pay_table::PayTable;
use crate::section::{Kind, Section};

/// Pay tables: named apart, and in use by some layout (checked with the layouts).
pub(super) fn pay_tables(root: &Table<'_, '_>, pay_tables: &[PayTable]) {
    if pay_tables.is_empty() {
        root.fault(
            "pay_table",
            "there is no pay table",
            "give at least one [[pay_table]]",
        );
    }
    for (i, table) in pay_tables.iter().enumerate() {
        if pay_tables[..i].iter().any(|other| other.id == table.id) {
            root.fault(
                "pay_table",
                &format!("{:?} is repeated", table.id),
                "name each once",
            );
        }
    }
}

pub(super) fn layouts(
    root: &Table<'_, '_>,
    tables: &[Table<'_, '_>],
    layouts: &[Layout],
    pay_tables: &[PayTable],
    allowed_edge: &[Section],
) {
    if layouts.is_empty() {
        root.fault(
            "layout",
            "there is no layout",
            "give at least one [[layout]]",
        );
    }
    for (i, layout) in layouts.iter().enumerate() {
        // Layouts that could not be read have no entry; names tell them apart.
        let fallback = tables.get(i).unwrap_or(root);
        if layouts[..i].iter().any(|other| other.id == layout.id) {
            fallback.fault(
                "id",
                &format!("{:?} is repeated", layout.id),
                "name each layout once",
            );
        }
        offers(fallback, layout, &pay_tables[layout.pay_table_index()]);
        drawing(fallback, layout);
        edges(fallback, layout, allowed_edge);
    }
}

/// Every drawn section has odds and a name, and stands there once.
fn offers(table: &Table<'_, '_>, layout: &Layout, pay_table: &PayTable) {
    let mut seen = [false; Section::COUNT];
    for section in layout.sections() {
        if std::mem::replace(&mut seen[section.index()], true) {
            table.fault(
                "cell",
                &format!("{section} is drawn twice"),
                "draw each section once",
            );
        }
        if pay_table.pays(section).is_none() {
            table.fault(
                "cell",
                &format!(
                    "{section} is offered but pay table {:?} lacks it",
                    pay_table.id
                ),
                "give its odds or do not draw it",
            );
        }
    }
    if !seen.contains(&true) {
        table.fault(
            "cell",
            "the layout offers nothing",
            "draw at least one section",
        );
    }
    for kind in Kind::ALL {
        let offered = layout.sections().any(|section| section.kind() == kind);
        match (offered, layout.names.contains_key(&kind)) {
            (true, false) => {
                table.fault(
                    "names",
                    &format!("{kind} has no name"),
                    "name each kind of bet offered",
                );
            }
            (false, true) => {
                table.fault(
                    "names",
                    &format!("{kind} is named but not offered"),
                    "remove the name",
                );
            }
            _ => {}
        }
    }
}

/// The drawing stays inside its size and no two cells overlap.
fn drawing(table: &Table<'_, '_>, layout: &Layout) {
    let (width, height) = layout.size;
    let name = |cell: &Cell| match &cell.kind {
        CellKind::Section(section) => section.to_string(),
        _ => cell
            .label
            .clone()
            .or_else(|| cell.lines.first().cloned())
            .unwrap_or("a blank".into()),
    };
    for (i, cell) in layout.cells.iter().enumerate() {
        let place = cell.place;
        if place.width == 0
            || place.height == 0
            || place.x + place.width > width
            || place.y + place.height > height
        {
            table.fault(
                "cell",
                &format!("{} stands outside the drawing", name(cell)),
                &format!("keep it within {width} by {height}"),
            );
        }
        if let Some(other) = layout.cells[..i]
            .iter()
            .find(|other| other.place.overlaps(place))
        {
            table.fault(
                "cell",
                &format!("{} overlaps {}", name(cell), name(other)),
                "give each cell its own place",
            );
        }
    }
}

/// No section favours the player unless the file says so with a reason.
fn edges(table: &Table<'_, '_>, layout: &Layout, allowed: &[Section]) {
    for section in layout.sections() {
        let Some(par) = Par::of(layout, section) else {
            continue;
        };
        if par.edge() < Ratio::zero() && !allowed.contains(&section) {
            table.fault(
                "pay_table",
                &format!("{section} gives the player an edge of {}", -par.edge()),
                "correct the odds, or list it under [player_edge] with a reason",
            );
        }
    }
}

/// The order of play makes sense, and someone decides what no rule covers.
pub(super) fn whole(root: &Table<'_, '_>, book: &RuleBook) {
    let Identity { jurisdiction, .. } = &book.identity;
    if !["sg", "vn", "other"].contains(&jurisdiction.as_str()) {
        root.fault(
            "identity",
            &format!("jurisdiction {jurisdiction:?} is unknown"),
            "use sg, vn or other",
        );
    }
    let play = &book.play;
    let (window, usual) = (play.tumble_window.is, play.usual_tumble.is);
    let fits = match window {
        TumbleWindow::Any => true,
        TumbleWindow::BeforeOpen => usual == TumbleStep::BeforeOpen,
        TumbleWindow::BeforeClose => usual != TumbleStep::AfterClose,
        TumbleWindow::AfterClose => usual == TumbleStep::AfterClose,
    };
    if !fits {
        root.fault(
            "play",
            &format!("usual_tumble {usual} is outside tumble_window {window}"),
            "choose a step inside the window",
        );
    }
    if play.cover.is == Cover::Open && window != TumbleWindow::AfterClose {
        root.fault(
            "play",
            "open dice that may tumble before the close",
            "an open cover needs tumble_window after-close",
        );
    }
    if play.round_opens.is == RoundStart::TumbledAndNoticeDisplayed
        && window != TumbleWindow::BeforeOpen
    {
        root.fault(
            "play",
            "the round opens with a tumble that may come later",
            "use tumble_window before-open",
        );
    }
    if play.round_opens.is == RoundStart::NoMoreBets {
        root.fault(
            "play",
            "a round cannot open at the close",
            "only formal_start may be no-more-bets (Q-04)",
        );
    }
    for cause in [Cause::TooFewTumbles, Cause::DieNotFlat] {
        if book.void_cause(cause).is_none() {
            root.fault(
                "voiding",
                &format!("no rule for {cause}"),
                "every tumble needs a rule for it: give the cause",
            );
        }
    }
    let seen_too_soon = match play.cover.is {
        Cover::Covered => Cause::DiceExposedEarly,
        Cover::Open => Cause::TumblerActivatedEarly,
    };
    if book.void_cause(seen_too_soon).is_none() {
        root.fault(
            "voiding",
            &format!("no rule for {seen_too_soon}"),
            "players could bet on dice already seen: give the cause",
        );
    }
    if !book.voiding.bets_returned.is {
        root.fault(
            "voiding",
            "bets_returned is false",
            "a void round returns its bets",
        );
    }
    match book.decision(Matter::Uncovered) {
        None => root.fault(
            "authority",
            "nobody decides what no rule covers",
            "give a decision for matter uncovered",
        ),
        Some(decision) if decision.by.rung().is_none() => {
            root.fault(
                "authority",
                &format!("{} is not on the ladder", decision.by),
                "name a position of the ladder",
            );
        }
        Some(_) => {}
    }
    if book.interruption.terminal_registered.is_some()
        != book.interruption.terminal_unregistered.is_some()
    {
        root.fault(
            "interruption",
            "only half of the terminal rules",
            "give terminal_registered and terminal_unregistered, or neither",
        );
    }
}
