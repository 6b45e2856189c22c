//! The five approved documents, compiled in.

use std::sync::{Arc, LazyLock};

use super::RuleBook;

const SOURCES: [&str; 5] = [
    include_str!("../../../../rulebooks/rws-etg.toml"),
    include_str!("../../../../rulebooks/mbs-table.toml"),
    include_str!("../../../../rulebooks/mbs-etg.toml"),
    include_str!("../../../../rulebooks/rws-open-cover.toml"),
    include_str!("../../../../rulebooks/quang-nam-table.toml"),
];

static BOOKS: LazyLock<Vec<Arc<RuleBook>>> = LazyLock::new(|| {
    SOURCES
        .iter()
        .map(|source| match RuleBook::parse(source) {
            Ok(book) => Arc::new(book),
            // The files are part of the program; the tests read every one of them.
            Err(error) => panic!("a built-in rule book has faults: {error}: {error:#?}"),
        })
        .collect()
});

pub(super) fn all() -> &'static [Arc<RuleBook>] {
    &BOOKS
}
