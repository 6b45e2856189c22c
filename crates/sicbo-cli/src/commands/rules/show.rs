//! `sicbo rules show BOOK`: one rule book in plain words, each fact with its rule.

use clap::Args;
use serde::Serialize;
use sicbo_rules::{Layout, RuleBook};
use unicode_width::UnicodeWidthStr;

use crate::books;
use crate::facts::{self, PARTS};
use crate::failure::Failure;
use crate::output::{Grid, Output, Style};
use crate::sections::{self, grouped};

#[derive(Args)]
pub(crate) struct Show {
    /// The rule book, e.g. mbs-etg, or a path ending in .toml
    book: String,
}

#[derive(Serialize)]
struct Shown {
    rulebook: String,
    sha256: String,
    facts: Vec<FactEntry>,
    layouts: Vec<LayoutEntry>,
}

#[derive(Serialize)]
struct FactEntry {
    part: &'static str,
    name: String,
    says: String,
    rule: String,
}

#[derive(Serialize)]
struct LayoutEntry {
    layout: String,
    title: String,
    pay_table: String,
    rule: String,
    reconstruction: Option<String>,
    sections: usize,
    pays: Vec<PayEntry>,
}

#[derive(Serialize)]
struct PayEntry {
    name: String,
    sections: Vec<String>,
    pays: Vec<String>,
    rules: Vec<String>,
}

impl Show {
    pub(super) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let book = books::book(&self.book)?;
        if out.is_json() {
            return out.json(&Shown {
                rulebook: book.id().to_owned(),
                sha256: book.sha256_hex(),
                facts: facts::of(&book)
                    .into_iter()
                    .map(|fact| FactEntry {
                        part: fact.part,
                        name: fact.name,
                        says: fact.says,
                        rule: fact.rule,
                    })
                    .collect(),
                layouts: book
                    .layouts
                    .iter()
                    .map(|l| layout_entry(&book, l))
                    .collect(),
            });
        }
        print(&book, out)
    }
}

/// The odds of a layout in groups, with the name of the bet and the rules that say so.
fn pay_entries(layout: &Layout) -> Vec<PayEntry> {
    grouped(layout.sections(), |section| layout.pays(section).cloned())
        .into_iter()
        .map(|group| {
            let lines = group.value.as_ref().map_or(&[][..], |pays| pays.lines());
            let mut rules: Vec<String> = lines.iter().map(|line| line.cite.to_string()).collect();
            rules.dedup();
            PayEntry {
                name: sections::kind_name(layout, group.sections[0].kind()),
                sections: group.sections.iter().map(ToString::to_string).collect(),
                pays: lines.iter().map(|line| line.is.to_string()).collect(),
                rules,
            }
        })
        .collect()
}

fn layout_entry(book: &RuleBook, layout: &Layout) -> LayoutEntry {
    LayoutEntry {
        layout: book.layout_name(layout),
        title: layout.title.clone(),
        pay_table: book.pay_table(layout).title.clone(),
        rule: layout.cite.to_string(),
        reconstruction: layout.reconstruction.as_ref().map(|part| part.is.clone()),
        sections: layout.sections().count(),
        pays: pay_entries(layout),
    }
}

fn print(book: &RuleBook, out: &mut Output) -> Result<(), Failure> {
    let width = out.width().min(100);
    out.heading(&format!("{}  {}", book.id(), book.identity.title.is))?;
    out.line(format!("sha256 {}", book.sha256_hex()))?;
    let facts = facts::of(book);
    let column = facts
        .iter()
        .map(|fact| fact.name.width())
        .max()
        .unwrap_or_default()
        .min(width / 3);
    for part in PARTS {
        let here: Vec<_> = facts.iter().filter(|fact| fact.part == part).collect();
        if here.is_empty() {
            continue;
        }
        out.line("")?;
        out.heading(part)?;
        for fact in here {
            let text = if fact.rule.is_empty() {
                fact.says.clone()
            } else {
                format!("{} [{}]", fact.says, fact.rule)
            };
            let names = wrap(&fact.name, column);
            let texts = wrap(&text, width.saturating_sub(column + 4).max(20));
            for i in 0..names.len().max(texts.len()) {
                let name = names.get(i).map_or("", String::as_str);
                let pad = " ".repeat(column.saturating_sub(name.width()));
                let text = texts.get(i).map_or("", String::as_str);
                out.line(format!("  {name}{pad}  {text}").trim_end())?;
            }
        }
    }
    for layout in &book.layouts {
        print_layout(book, layout, width, out)?;
    }
    out.line("")?;
    let legend = "[5.3.1] a rule of the document; [Q-43], [P-070] a recorded resolution where the \
                  document is silent, unclear or lost. Odds: profit to 1, stake returned besides.";
    for line in wrap(legend, width) {
        let line = out.paint(Style::Faint, &line);
        out.line(line)?;
    }
    Ok(())
}

fn print_layout(
    book: &RuleBook,
    layout: &Layout,
    width: usize,
    out: &mut Output,
) -> Result<(), Failure> {
    out.line("")?;
    out.heading(&format!("Layout {}", book.layout_name(layout)))?;
    out.line(format!(
        "  {}, {} sections, paid by {} [{}]",
        layout.title,
        layout.sections().count(),
        book.pay_table(layout).title,
        layout.cite
    ))?;
    if let Some(part) = &layout.reconstruction {
        for line in wrap(
            &format!("RECONSTRUCTED: {} [{}]", part.is, part.cite),
            width.saturating_sub(2),
        ) {
            out.line(format!("  {line}"))?;
        }
    }
    if let Some(named) = layout.casino_name.as_ref().filter(|named| named.is) {
        out.line(format!("  carries the casino's name [{}]", named.cite))?;
    }
    let mut grid = Grid::new(&["bet", "sections", ">pays", "rule"]);
    for group in grouped(layout.sections(), |section| layout.pays(section).cloned()) {
        let lines = group.value.as_ref().map_or(&[][..], |pays| pays.lines());
        let mut rules: Vec<String> = lines.iter().map(|line| line.cite.to_string()).collect();
        rules.dedup();
        let pays: Vec<String> = lines.iter().map(|line| line.is.to_string()).collect();
        grid.row([
            sections::kind_name(layout, group.sections[0].kind()),
            group.label(),
            pays.join("/"),
            rules.join("; "),
        ]);
    }
    out.table(&grid)
}

/// Breaks a text into lines of at most `width` columns, between words.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
