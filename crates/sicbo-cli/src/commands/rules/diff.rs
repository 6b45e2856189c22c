//! `sicbo rules diff BOOK BOOK`: two rule books side by side, differences marked.

use clap::Args;
use serde::Serialize;
use sicbo_rules::{RuleBook, Section};

use crate::books;
use crate::facts::{self, Fact, PARTS};
use crate::failure::Failure;
use crate::output::{Grid, MARK, Output, marked};
use crate::sections::{self, grouped};

#[derive(Args)]
pub(crate) struct Diff {
    /// The first rule book, e.g. rws-etg, or a path ending in .toml
    first: String,
    /// The second rule book
    second: String,
    /// Only what differs
    #[arg(long)]
    differences: bool,
}

#[derive(Serialize)]
struct Difference {
    rulebooks: [String; 2],
    sha256: [String; 2],
    facts: Vec<FactPair>,
    layouts: Vec<String>,
    pays: Vec<PayRow>,
}

#[derive(Serialize)]
struct FactPair {
    part: &'static str,
    name: String,
    same: bool,
    /// Null where the book says nothing about it.
    first: Option<Said>,
    second: Option<Said>,
}

#[derive(Serialize)]
struct Said {
    says: String,
    rule: String,
}

#[derive(Serialize)]
struct PayRow {
    sections: Vec<String>,
    same: bool,
    /// In the order of `layouts`; null where a layout does not offer the sections.
    by_layout: Vec<Option<Vec<String>>>,
}

impl Diff {
    pub(super) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let books = [books::book(&self.first)?, books::book(&self.second)?];
        let mut facts = pair_facts(facts::of(&books[0]), facts::of(&books[1]));
        let layouts: Vec<String> = books
            .iter()
            .flat_map(|book| book.layouts.iter().map(|layout| book.layout_name(layout)))
            .collect();
        let mut pays = pay_rows(&books[0], &books[1]);
        let differing = facts.iter().filter(|fact| !fact.same).count()
            + pays.iter().filter(|row| !row.same).count();
        if self.differences {
            facts.retain(|fact| !fact.same);
            pays.retain(|row| !row.same);
        }
        if out.is_json() {
            return out.json(&Difference {
                rulebooks: [books[0].id().to_owned(), books[1].id().to_owned()],
                sha256: [books[0].sha256_hex(), books[1].sha256_hex()],
                facts,
                layouts,
                pays,
            });
        }
        let ids = [books[0].id(), books[1].id()];
        print_facts(&facts, ids, out)?;
        print_pays(&pays, &layouts, out)?;
        out.line(format!("{MARK} differs ({differing} in all); – not there"))
    }
}

/// Facts of the same name beside each other, in the order of the first book.
fn pair_facts(first: Vec<Fact>, second: Vec<Fact>) -> Vec<FactPair> {
    let said = |fact: &Fact| Said {
        says: fact.says.clone(),
        rule: fact.rule.clone(),
    };
    let find = |facts: &[Fact], part: &str, name: &str| {
        facts
            .iter()
            .find(|fact| fact.part == part && fact.name == name)
            .map(said)
    };
    let mut pairs = Vec::new();
    for part in PARTS {
        let names = |facts: &[Fact]| -> Vec<String> {
            facts
                .iter()
                .filter(|fact| fact.part == part)
                .map(|fact| fact.name.clone())
                .collect()
        };
        let mut all = names(&first);
        for name in names(&second) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        for name in all {
            let sides = [find(&first, part, &name), find(&second, part, &name)];
            let [a, b] = &sides;
            // The same rule may stand under another number: what it says decides.
            let same = a.as_ref().map(|said| &said.says) == b.as_ref().map(|said| &said.says);
            let [first, second] = sides;
            pairs.push(FactPair {
                part,
                name,
                same,
                first,
                second,
            });
        }
    }
    pairs
}

fn pay_rows(first: &RuleBook, second: &RuleBook) -> Vec<PayRow> {
    let layouts: Vec<_> = first.layouts.iter().chain(&second.layouts).collect();
    let row = |section: Section| -> Vec<Option<Vec<String>>> {
        layouts
            .iter()
            .map(|layout| {
                layout
                    .offers(section)
                    .then(|| sections::pays(layout, section))
            })
            .collect()
    };
    let offered = Section::ALL
        .into_iter()
        .filter(|section| layouts.iter().any(|layout| layout.offers(*section)));
    grouped(offered, row)
        .into_iter()
        .map(|group| PayRow {
            sections: group.sections.iter().map(Section::to_string).collect(),
            same: group.value.windows(2).all(|pair| pair[0] == pair[1]),
            by_layout: group.value,
        })
        .collect()
}

fn print_facts(facts: &[FactPair], ids: [&str; 2], out: &mut Output) -> Result<(), Failure> {
    let width = out.width().clamp(60, 140);
    for part in PARTS {
        let here: Vec<&FactPair> = facts.iter().filter(|fact| fact.part == part).collect();
        if here.is_empty() {
            continue;
        }
        let mut grid = Grid::new(&[part, ids[0], ids[1]]).wrapped(width);
        for fact in here {
            let side = |said: &Option<Said>| match said {
                Some(said) if said.rule.is_empty() => said.says.clone(),
                Some(said) => format!("{} [{}]", said.says, said.rule),
                None => "–".to_owned(),
            };
            grid.row([
                marked(!fact.same, &fact.name),
                side(&fact.first),
                side(&fact.second),
            ]);
        }
        out.table(&grid)?;
        out.line("")?;
    }
    Ok(())
}

fn print_pays(rows: &[PayRow], layouts: &[String], out: &mut Output) -> Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut heads = vec!["Pays, profit to 1".to_owned()];
    heads.extend(layouts.iter().map(|layout| format!(">{layout}")));
    let mut grid = Grid::new(&heads);
    for row in rows {
        let label = match row.sections.as_slice() {
            [first, .., last] if row.sections.len() > 3 => {
                format!("{first} … {last} ({})", row.sections.len())
            }
            few => few.join(" "),
        };
        let mut cells = vec![marked(!row.same, &label)];
        cells.extend(
            row.by_layout
                .iter()
                .map(|pays| pays.as_ref().map_or("–".to_owned(), |pays| pays.join("/"))),
        );
        grid.row(cells);
    }
    out.table(&grid)?;
    out.line("")
}
