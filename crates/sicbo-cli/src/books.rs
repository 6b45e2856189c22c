//! Finds rule books and layouts by the names people give on the command line.
//!
//! A book is one of the five built in, by name, or a house's own file, by a
//! path that ends in `.toml`. A layout is a book, a slash and the layout's name.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use sicbo_lab::game::{Game, file};
use sicbo_rules::rulebook::RuleBookError;
use sicbo_rules::{Layout, PayTable, RuleBook, Section};

use crate::failure::{Failure, did_you_mean};

/// No rule book needs more; keeps a wrong path from filling the memory.
const LARGEST_FILE: u64 = 8 << 20;

/// A layout with the book it belongs to.
#[derive(Clone)]
pub(crate) struct Found {
    /// The book.
    pub(crate) book: Arc<RuleBook>,
    index: usize,
}

impl Found {
    /// The layout.
    pub(crate) fn layout(&self) -> &Layout {
        &self.book.layouts[self.index]
    }

    /// Its full name: `mbs-etg/rapid`.
    pub(crate) fn name(&self) -> String {
        self.book.layout_name(self.layout())
    }

    /// Its pay table.
    pub(crate) fn pay_table(&self) -> &PayTable {
        self.book.pay_table(self.layout())
    }

    /// A section by its notation, if this layout offers it.
    pub(crate) fn section(&self, text: &str) -> Result<Section, Failure> {
        let section = parse_section(text)?;
        if self.layout().offers(section) {
            Ok(section)
        } else {
            Err(Failure::Input(format!(
                "{} does not offer {section}: it offers {}",
                self.name(),
                crate::sections::summary(self.layout().sections())
            )))
        }
    }
}

/// Reads a whole text file, within reason.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    read_text_within(path, LARGEST_FILE)
}

/// Reads a whole text file of at most so many bytes.
pub(crate) fn read_text_within(path: &Path, largest: u64) -> Result<String, Failure> {
    let fail = |error: &io::Error| Failure::file("read", path, error);
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        io::stdin().lock().take(largest + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes))
    }
    .map_err(|error| fail(&error))?;
    if bytes.len() as u64 > largest {
        return Err(Failure::World(format!(
            "cannot read {}: it is larger than {} MiB",
            path.display(),
            largest >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::World(format!(
            "cannot read {}: it is not UTF-8 text",
            path.display()
        ))
    })
}

/// A rule book by name or path.
pub(crate) fn book(name: &str) -> Result<Arc<RuleBook>, Failure> {
    if name.ends_with(".toml") {
        let source = read_text(Path::new(name))?;
        return RuleBook::parse(&source)
            .map(Arc::new)
            .map_err(|error| match error {
                RuleBookError::Unreadable { .. } => Failure::World(format!("{name}: {error}")),
                RuleBookError::Faults(_) if file::is_pay_table(&source) => Failure::World(format!(
                    "{name} is a pay table only: it has odds and no rules of play, so only the lab can use it"
                )),
                RuleBookError::Faults(_) => {
                    Failure::World(format!("{name}: {error}; see sicbo rules check {name}"))
                }
            });
    }
    RuleBook::named(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = RuleBook::all().iter().map(|book| book.id()).collect();
        Failure::Input(format!(
            "there is no rule book {name:?}: the rule books are {}, or give a path ending in .toml{}",
            known.join(" "),
            did_you_mean(name, known.iter().copied())
        ))
    })
}

/// The bets of a layout, or of a file that is a pay table only.
pub(crate) fn game(name: &str) -> Result<(Game, Option<Found>), Failure> {
    let path = name.strip_suffix("/pay-table").unwrap_or(name);
    if path.ends_with(".toml") {
        let source = read_text(Path::new(path))?;
        if file::is_pay_table(&source) {
            let game = Game::parse(&source).map_err(|error| {
                Failure::World(format!("{path}: {error}; see sicbo rules check {path}"))
            })?;
            return Ok((game, None));
        }
    }
    let found = layout(name)?;
    Ok((Game::of(&found.book, found.layout()), Some(found)))
}

/// A layout by its full name.
pub(crate) fn layout(name: &str) -> Result<Found, Failure> {
    if name.ends_with(".toml") {
        let book = book(name)?;
        let known: Vec<String> = book
            .layouts
            .iter()
            .map(|layout| format!("{name}/{}", layout.id))
            .collect();
        // A book with one layout leaves no doubt.
        return match known.as_slice() {
            [_] => Ok(Found { book, index: 0 }),
            _ => Err(Failure::Input(format!(
                "{name} has several layouts: name one, {}",
                known.join(" or ")
            ))),
        };
    }
    if let Some((path, id)) = name.rsplit_once('/')
        && path.ends_with(".toml")
    {
        let book = book(path)?;
        return position(&book, id).map_or_else(
            || {
                let known: Vec<&str> = book.layouts.iter().map(|l| l.id.as_str()).collect();
                Err(Failure::Input(format!(
                    "{path} has no layout {id:?}: its layouts are {}",
                    known.join(" ")
                )))
            },
            |index| {
                Ok(Found {
                    book: Arc::clone(&book),
                    index,
                })
            },
        );
    }
    let found = name.split_once('/').and_then(|(book, id)| {
        let book = RuleBook::named(book)?;
        let index = position(book, id)?;
        Some(Found {
            book: Arc::clone(book),
            index,
        })
    });
    found.ok_or_else(|| {
        let known: Vec<String> = every_layout().iter().map(Found::name).collect();
        let short: String = name.chars().take(60).collect();
        Failure::Input(format!(
            "there is no layout {short:?}: the layouts are {}{}",
            known.join(" "),
            did_you_mean(&short, known.iter().map(String::as_str))
        ))
    })
}

fn position(book: &RuleBook, id: &str) -> Option<usize> {
    book.layouts.iter().position(|layout| layout.id == id)
}

/// Every layout of the built-in books, in their order.
pub(crate) fn every_layout() -> Vec<Found> {
    RuleBook::all()
        .iter()
        .flat_map(|book| {
            (0..book.layouts.len()).map(|index| Found {
                book: Arc::clone(book),
                index,
            })
        })
        .collect()
}

/// A section by its notation.
pub(crate) fn parse_section(text: &str) -> Result<Section, Failure> {
    text.parse().map_err(|error| {
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.to_lowercase().chars().collect();
            letters.sort_unstable();
            letters
        };
        // The same signs in another order or case: `pair:2-1`, `Total:4`.
        let given = sorted(text);
        let hint = Section::ALL
            .iter()
            .map(Section::to_string)
            .find(|known| sorted(known) == given)
            .map(|known| format!("; did you mean {known}?"))
            .unwrap_or_else(|| {
                let (kind, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
                let keys = sicbo_rules::Kind::ALL.map(|kind| kind.key());
                if keys.contains(&kind) {
                    return String::new();
                }
                did_you_mean(kind, keys).replace('?', &format!("{rest}?"))
            });
        Failure::Input(format!("{error}{hint}"))
    })
}
