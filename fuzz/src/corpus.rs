//! Unpacks the corpora for libFuzzer, and packs what it has found worth keeping: `names`,
//! `unpack NAME FOLDER`, `pack NAME FOLDER`.

use std::fmt::Write as _;
use std::path::Path;

use crate::readers::{READERS, Reader, corpus};

/// Bytes of one corpus that are kept, the shortest inputs first: enough to begin where the last run
/// ended, and small enough for a repository.
const MAX_KEPT: usize = 8 * 1024;

/// Does what is asked; how the program ends.
pub(crate) fn carry_out(asked: &str) -> i32 {
    let words: Vec<&str> = asked.split(' ').collect();
    let done = match words[..] {
        ["names"] => {
            READERS.iter().for_each(|reader| println!("{}", reader.name));
            Ok(())
        }
        ["unpack", name, folder] => unpack(name, Path::new(folder)),
        ["pack", name, folder] => pack(name, Path::new(folder)),
        _ => Err("names | unpack NAME FOLDER | pack NAME FOLDER".into()),
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn unpack(name: &str, folder: &Path) -> Done {
    let reader = Reader::named(name).ok_or("no reader of that name")?;
    std::fs::create_dir_all(folder)?;
    for (number, sample) in reader.samples().iter().enumerate() {
        std::fs::write(folder.join(format!("sample-{number}")), sample)?;
    }
    Ok(())
}

/// Keeps the shortest of a folder, without those that the reader has of its own.
fn pack(name: &str, folder: &Path) -> Done {
    let own = Reader::named(name).ok_or("no reader of that name")?.own();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        found.push(std::fs::read(entry?.path())?);
    }
    found.retain(|input| !input.is_empty() && !own.contains(input));
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let (mut text, mut bytes) = (String::new(), 0);
    for input in found {
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
