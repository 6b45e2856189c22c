//! libFuzzer's program: `SICBO_READER` names what reads the bytes. With `SICBO_CORPUS` it fuzzes
//! nothing and does what is asked with the corpora (`corpus.rs`).
#![no_main]

mod corpus;
#[path = "../../crates/sicbo-server/tests/fuzz/readers.rs"]
mod readers;

use std::sync::LazyLock;

use readers::Reader;

static READ: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("SICBO_READER").expect("SICBO_READER names a reader");
    Reader::named(&name).expect("a reader of that name").read
});

libfuzzer_sys::fuzz_target!(
    init: {
        if let Ok(asked) = std::env::var("SICBO_CORPUS") {
            std::process::exit(corpus::carry_out(&asked));
        }
    },
    |bytes: &[u8]| READ(bytes)
);
