//! libFuzzer's program: `SICBO_READER` names what reads the bytes.
#![no_main]

#[path = "../../crates/sicbo-server/tests/fuzz/readers.rs"]
#[expect(dead_code, reason = "samples are the corpus's business")]
mod readers;

use std::sync::LazyLock;

use readers::READERS;

static READ: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("SICBO_READER").expect("SICBO_READER names a reader");
    let reader = READERS.iter().find(|reader| reader.name == name);
    reader.expect("a reader of that name").read
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| READ(bytes));
