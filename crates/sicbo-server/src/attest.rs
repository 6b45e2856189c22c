//! The identity of the software, on demand (S-16): plain digests to be compared
//! with a signed list, and digests keyed with a seed that whoever asks has
//! drawn, so that no answer can be prepared. And a look from time to time
//! whether the files on the disk are still those the house was started from.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit as _, Mac as _};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use sicbo_plan::HousePlan;
use sicbo_proof::describe::hex;
pub use sicbo_wire::attest::AttestedPart;
use sicbo_witness::note::{Note, VerifierKey};

/// First line of a list.
const HEADING: &str = "sicbo software 1";
/// Fewest and most bytes of a seed.
const SEED_BYTES: std::ops::RangeInclusive<usize> = 16..=64;

/// What a seed must look like.
pub const SEED_FORM: &str = "a seed is 16 to 64 bytes, written as hexadecimal digits";

/// A seed of its hexadecimal digits.
#[must_use]
pub fn seed(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    let bytes = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair)
            .ok()
            .filter(|pair| pair.len() == 2)?;
        let digits = pair.bytes().all(|byte| byte.is_ascii_hexdigit());
        u8::from_str_radix(pair, 16).ok().filter(|_| digits)
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    SEED_BYTES.contains(&bytes.len()).then_some(bytes)
}

/// Both digests of a part while its bytes go by.
struct Digests {
    plain: Sha256,
    keyed: Hmac<Sha256>,
}

impl Digests {
    fn new(seed: &[u8]) -> io::Result<Digests> {
        Ok(Digests {
            plain: Sha256::new(),
            keyed: Hmac::new_from_slice(seed).map_err(io::Error::other)?,
        })
    }

    fn add(&mut self, bytes: &[u8]) {
        self.plain.update(bytes);
        self.keyed.update(bytes);
    }

    fn read(mut self, mut from: impl Read) -> io::Result<Digests> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match from.read(&mut buffer)? {
                0 => return Ok(self),
                read => self.add(&buffer[..read]),
            }
        }
    }

    fn part(self, part: impl Into<String>) -> AttestedPart {
        AttestedPart {
            part: part.into(),
            sha256: hex(&<[u8; 32]>::from(self.plain.finalize())),
            keyed: hex(&<[u8; 32]>::from(self.keyed.finalize().into_bytes())),
        }
    }
}

/// The file of the program that runs, also where another has taken its name.
fn running() -> io::Result<File> {
    match File::open("/proc/self/exe") {
        Ok(file) => Ok(file),
        Err(_) => File::open(std::env::current_exe()?),
    }
}

/// Attests the parts of a house's software: program, web app, rule books, plan.
///
/// # Errors
/// When the program's own file cannot be read.
pub fn attest(plan: &HousePlan, seed: &[u8]) -> io::Result<Vec<AttestedPart>> {
    let new = || Digests::new(seed);
    let mut parts = vec![new()?.read(running()?)?.part("program")];
    let mut app = new()?;
    for name in sicbo_web::names() {
        let bytes = sicbo_web::file(&format!("/{name}")).unwrap_or_default();
        // Lengths go first: no two apps are the same bytes.
        for part in [name.as_bytes(), bytes.as_ref()] {
            app.add(&(part.len() as u64).to_be_bytes());
            app.add(part);
        }
    }
    parts.push(app.part("web-app"));
    let mut known = std::collections::BTreeSet::new();
    for table in &plan.tables {
        let book = &table.config.book;
        if known.insert(book.source()) {
            let mut digests = new()?;
            digests.add(book.source().as_bytes());
            parts.push(digests.part(format!("rule-book/{}", book.id())));
        }
    }
    if !plan.source.text.is_empty() {
        let mut digests = new()?;
        digests.add(plan.source.text.as_bytes());
        parts.push(digests.part("plan"));
    }
    Ok(parts)
}

/// The text of a list, to be signed by whoever approved the software.
#[must_use]
pub fn list(parts: &[AttestedPart]) -> String {
    let lines = parts
        .iter()
        .map(|part| format!("{} {}\n", part.part, part.sha256));
    format!("{HEADING}\n{}", lines.collect::<String>())
}

/// Why software is not that of a list.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotListed {
    /// The list is no signed note.
    #[error("the list is no signed note: {0}")]
    Unreadable(String),
    /// It is not signed by that key.
    #[error("the list is not signed by {0}")]
    NotSigned(String),
    /// A line is not understood.
    #[error("line {0} of the list is not understood")]
    Line(usize),
    /// Parts that differ, or are not on it.
    #[error("not as listed: {}", .0.join(", "))]
    Differs(Vec<String>),
}

/// Compares parts with a signed list.
///
/// # Errors
/// What is not as listed.
pub fn compare(parts: &[AttestedPart], list: &[u8], key: &VerifierKey) -> Result<(), NotListed> {
    let note = Note::parse(list).map_err(|error| NotListed::Unreadable(error.to_string()))?;
    if !note.is_signed_by(key) {
        return Err(NotListed::NotSigned(key.name().to_owned()));
    }
    let mut lines = note.text().lines();
    if lines.next() != Some(HEADING) {
        return Err(NotListed::Line(1));
    }
    let mut listed = std::collections::BTreeSet::new();
    for (at, line) in lines.enumerate() {
        let known = line
            .split_once(' ')
            .filter(|(_, digest)| digest.len() == 64);
        listed.insert(known.ok_or(NotListed::Line(at + 2))?);
    }
    let differs = parts
        .iter()
        .filter(|part| !listed.contains(&(part.part.as_str(), part.sha256.as_str())));
    let differs: Vec<String> = differs.map(|part| part.part.clone()).collect();
    match differs.is_empty() {
        true => Ok(()),
        false => Err(NotListed::Differs(differs)),
    }
}

/// The files the house was started from, with their digests then.
pub struct SelfCheck(Mutex<Vec<(String, PathBuf, [u8; 32])>>);

impl SelfCheck {
    /// Of a program with this digest, and the files of a plan.
    #[must_use]
    pub fn new(program: [u8; 32], plan: &HousePlan) -> SelfCheck {
        let digest = |text: &str| <[u8; 32]>::from(Sha256::digest(text.as_bytes()));
        let mut files = Vec::new();
        if let Ok(path) = std::env::current_exe() {
            files.push(("program".to_owned(), path, program));
        }
        if let Some(file) = &plan.source.file {
            let digest = digest(&plan.source.text);
            files.push(("plan".to_owned(), file.clone(), digest));
        }
        for (path, text) in &plan.source.books {
            let name = format!("rule-book/{}", path.display());
            files.push((name, path.clone(), digest(text)));
        }
        SelfCheck(Mutex::new(files))
    }

    /// The parts whose files are others now, or gone. Reads them: waits.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let files = self.0.lock().clone();
        let changed = files.into_iter().filter(|(_, path, known)| {
            let now = digest_of(path);
            now.is_none_or(|now| now != *known)
        });
        changed.map(|(part, ..)| part).collect()
    }

    /// The plan was read again, on record: this is its text now.
    pub fn reloaded(&self, plan: &str) {
        let digest = <[u8; 32]>::from(Sha256::digest(plan.as_bytes()));
        let mut files = self.0.lock();
        for (_, _, known) in files.iter_mut().filter(|(part, ..)| part == "plan") {
            *known = digest;
        }
    }
}

fn digest_of(path: &Path) -> Option<[u8; 32]> {
    let digests = Digests::new(&[0; 16]).ok()?.read(File::open(path).ok()?);
    Some(digests.ok()?.plain.finalize().into())
}

#[cfg(test)]
mod tests {
    use sicbo_journal::HouseKey;
    use sicbo_witness::note::Algorithm;

    use super::*;

    #[test]
    fn s_16_a_seed_makes_an_answer_that_nobody_could_prepare() {
        let plan = HousePlan::trial();
        let one = attest(&plan, &[1; 32]).expect("readable");
        let two = attest(&plan, &[2; 32]).expect("readable");
        assert_eq!(one.len(), 7, "program, web app and five books: {one:?}");
        for (one, two) in one.iter().zip(&two) {
            assert_eq!((&one.part, &one.sha256), (&two.part, &two.sha256));
            assert_ne!(one.keyed, two.keyed, "{}", one.part);
        }
        assert_eq!(one, attest(&plan, &[1; 32]).expect("readable"));
        // The keyed digest is that of any other program that knows HMAC (RFC 4231).
        let mut digests = Digests::new(&[0x0b; 20]).expect("a key");
        digests.add(b"Hi There");
        let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(digests.part("").keyed, expected);
        for wrong in [
            "",
            "00",
            "zz",
            &"0".repeat(31),
            &"+1".repeat(16),
            &"00".repeat(65),
        ] {
            assert_eq!(seed(wrong), None, "{wrong}");
        }
        assert_eq!(seed(&"a5".repeat(16)), Some(vec![0xa5; 16]));
    }

    #[test]
    fn s_16_only_what_a_signed_list_names_is_approved() {
        let parts = attest(&HousePlan::trial(), &[1; 32]).expect("readable");
        let signer = HouseKey::from_entropy(&[7; 32]);
        let name = "lab.example/approved";
        let key = VerifierKey::new(name, Algorithm::Ed25519, signer.public()).expect("a key");
        let signed = |text: &str| {
            let note = Note::sign(text, name, &signer).expect("signed");
            note.to_string().into_bytes()
        };
        let whole = list(&parts);
        assert_eq!(compare(&parts, &signed(&whole), &key), Ok(()));
        let other = whole.replacen(&parts[0].sha256, &"0".repeat(64), 1);
        let differs = NotListed::Differs(vec!["program".to_owned()]);
        assert_eq!(compare(&parts, &signed(&other), &key), Err(differs));
        // Signed by somebody else, or by nobody.
        let stranger = HouseKey::from_entropy(&[8; 32]);
        let note = Note::sign(&whole, name, &stranger).expect("signed");
        let not_signed = Err(NotListed::NotSigned(name.to_owned()));
        assert_eq!(
            compare(&parts, note.to_string().as_bytes(), &key),
            not_signed
        );
        assert!(compare(&parts, whole.as_bytes(), &key).is_err());
        let line = signed(&format!("{HEADING}\nprogram\n"));
        assert_eq!(compare(&parts, &line, &key), Err(NotListed::Line(2)));
    }

    #[test]
    fn s_16_a_file_that_is_another_now_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("house.toml");
        std::fs::write(&file, "site = 1").expect("written");
        let mut plan = HousePlan::trial();
        plan.source.text = "site = 1".to_owned();
        plan.source.file = Some(file.clone());
        let program = digest_of(&std::env::current_exe().expect("a path")).expect("readable");
        let check = SelfCheck::new(program, &plan);
        assert_eq!(check.changed(), [""; 0]);
        std::fs::write(&file, "site = 2").expect("written");
        assert_eq!(check.changed(), ["plan"]);
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(check.changed(), ["plan"]);
        assert_eq!(
            SelfCheck::new([0; 32], &HousePlan::trial()).changed(),
            ["program"]
        );
    }
}
