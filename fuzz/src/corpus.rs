//! Unpacks the corpora for libFuzzer, and packs what it has found worth keeping:
//! `corpus names`, `corpus unpack NAME FOLDER`, `corpus pack NAME FOLDER`.

#[path = "../../crates/sicbo-server/tests/fuzz/readers.rs"]
#[expect(dead_code, reason = "reading is the fuzzer's business")]
mod readers;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use readers::{READERS, corpus};

/// Bytes of one corpus that are kept, the shortest inputs first: enough to begin where the last run
/// ended, and small enough for a repository.
const MAX_KEPT: usize = 8 * 1024;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["names"] => {
            READERS.iter().for_each(|reader| println!("{}", reader.name));
            Ok(())
        }
        ["unpack", name, folder] => unpack(name, Path::new(folder)),
        ["pack", name, folder] => pack(name, Path::new(folder)),
        _ => Err("corpus names | unpack NAME FOLDER | pack NAME FOLDER".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn unpack(name: &str, folder: &Path) -> Done {
    let reader = READERS.iter().find(|reader| reader.name == name);
    let reader = reader.ok_or("no reader of that name")?;
    std::fs::create_dir_all(folder)?;
    for (number, sample) in reader.samples().iter().enumerate() {
        std::fs::write(folder.join(format!("sample-{number}")), sample)?;
    }
    Ok(())
}

fn pack(name: &str, folder: &Path) -> Done {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        found.push(std::fs::read(entry?.path())?);
    }
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let (mut text, mut bytes) = (String::new(), 0);
    for input in found.iter().filter(|input| !input.is_empty()) {
        bytes += input.len();
        if bytes > MAX_KEPT {
            break;
        }
        for byte in input {
            write!(text, "{byte:02x}")?;
        }
        text.push('\n');
    }
    Ok(std::fs::write(corpus(name), text)?)
}
