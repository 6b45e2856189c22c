//! Who a membership card belongs to, and whether they may play (P-075). The
//! list itself is another system's: here is only the door to it.
//!
//! A number is no secret: it is printed on the card. What binds a member needs
//! the member, who gives the card's PIN or has a reader read the card.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use sicbo_register::pin;
use sicbo_register::play::Proof;

/// Longest number of a card, in bytes.
pub const LONGEST_CARD: usize = 40;
/// Longest PIN of a card, and longest text that a reader reads, in bytes.
pub const LONGEST_PROOF: usize = 200;
/// Longest list that is read, in bytes.
const LONGEST_LIST: u64 = 16 << 20;
/// Checked where a card has no PIN, so that the answer takes as long: the
/// Argon2id hash of what nobody can type.
const NO_PIN: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2ljYm8gbm8gcGlu\
                      $2rLhdqlDfEFjWR2kpcQnkqoFcvI3Y6dHfHy0pDqcAHM";

/// A card as it was presented.
#[derive(Clone, derive_more::Debug)]
pub struct Presented {
    /// The number on it.
    pub number: String,
    /// The PIN that was typed.
    #[debug(skip)]
    pub pin: Option<String>,
    /// What a reader read from the card.
    #[debug(skip)]
    pub read: Option<String>,
}

/// What the list says of a card that was presented. Nobody is taken for a member without having
/// shown that the card is theirs: there is no such value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Not on the list, or not shown to be theirs: a stranger learns no more.
    Unknown,
    /// A member who may play.
    Member(Proof),
    /// A member who may not: by an order, or by their own wish. An exclusion that comes without a
    /// PIN holds by the number alone.
    Excluded(Option<Proof>),
}

impl Standing {
    /// What a terminal is told of it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Standing::Unknown => "unknown",
            Standing::Member(_) => "member",
            Standing::Excluded(_) => "excluded",
        }
    }
}

/// Why a card could not be looked up.
#[derive(Debug, thiserror::Error)]
#[error("the list of members cannot be read: {what}")]
pub struct MembershipError {
    /// What the system said.
    pub what: String,
}

/// The door to the list of members.
pub trait Membership: Send + Sync {
    /// What the list says of a card, now. Of one that is not shown to be the
    /// member's own it says nothing, and takes as long.
    ///
    /// # Errors
    /// When the list cannot be read.
    fn look_up(&self, card: &Presented) -> Result<Standing, MembershipError>;
}

/// For a trial: every card is a member's, and those that end in `0000` are
/// excluded. The PIN is the last four characters of the number; a reader reads
/// `;NUMBER?`, as from the second track of a magnetic stripe.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedMembership;

impl Membership for SimulatedMembership {
    fn look_up(&self, card: &Presented) -> Result<Standing, MembershipError> {
        let number = card.number.as_str();
        let from = number.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
        let proof = match (&card.read, &card.pin) {
            (Some(read), _) if *read == format!(";{number}?") => Proof::Read,
            (_, Some(pin)) if *pin == number[from..] => Proof::Pin,
            _ => return Ok(Standing::Unknown),
        };
        Ok(match number.ends_with("0000") {
            true => Standing::Excluded(Some(proof)),
            false => Standing::Member(proof),
        })
    }
}

/// A file that another system keeps: a card on each line, then a tab and
/// `member` or `excluded`, then, each after a tab, `pin:` with an Argon2 hash
/// in PHC form and `read:` with the SHA-256 of what a reader reads, in hex. It
/// is read anew for every card, so that an order counts as soon as it is
/// written. Lines it does not understand are an error: nobody plays because of
/// a misprint.
#[derive(Clone, Debug)]
pub struct FileMembership {
    path: PathBuf,
}

/// What a line says of a card.
#[derive(Clone, Copy)]
struct Line<'t> {
    card: &'t str,
    excluded: bool,
    pin: Option<&'t str>,
    read: Option<[u8; 32]>,
}

impl<'t> Line<'t> {
    fn read(line: &'t str) -> Option<Line<'t>> {
        let mut parts = line.split('\t');
        let card = parts.next()?;
        let excluded = match parts.next()? {
            "member" => false,
            "excluded" => true,
            _ => return None,
        };
        let mut known = Line {
            card,
            excluded,
            pin: None,
            read: None,
        };
        for part in parts {
            match part.split_once(':')? {
                ("pin", phc) if pin::is_phc(phc) => known.pin = Some(phc),
                ("read", digest) => known.read = Some(of_hex(digest)?),
                _ => return None,
            }
        }
        Some(known)
    }

    /// How whoever presents the card has shown that it is theirs.
    fn proof(&self, card: &Presented) -> Option<Proof> {
        let digest = |read: &String| <[u8; 32]>::from(Sha256::digest(read.as_bytes()));
        if let Some(known) = self.read
            && card.read.as_ref().map(digest) == Some(known)
        {
            return Some(Proof::Read);
        }
        let given = card.pin.as_deref()?;
        let right = pin::is_right(self.pin.unwrap_or(NO_PIN), given);
        (right && self.pin.is_some()).then_some(Proof::Pin)
    }
}

fn of_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |at: usize| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok();
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = digit(at)?;
    }
    (text.len() == 64).then_some(bytes)
}

impl FileMembership {
    /// Over a file.
    #[must_use]
    pub fn at(path: &Path) -> FileMembership {
        FileMembership {
            path: path.to_owned(),
        }
    }
}

impl Membership for FileMembership {
    fn look_up(&self, card: &Presented) -> Result<Standing, MembershipError> {
        let failed = |what: &dyn std::fmt::Display| MembershipError {
            what: what.to_string(),
        };
        let length = std::fs::metadata(&self.path).map_err(|error| failed(&error))?;
        if length.len() > LONGEST_LIST {
            return Err(failed(&"it is longer than 16 MiB"));
        }
        let text = std::fs::read_to_string(&self.path).map_err(|error| failed(&error))?;
        let mut found: Option<Line<'_>> = None;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let known = Line::read(line)
                .ok_or_else(|| failed(&format!("line {} is not understood", at + 1)))?;
            if known.card == card.number {
                // Excluded once is excluded, whatever else the list says.
                let excluded = known.excluded || found.is_some_and(|before| before.excluded);
                let before = found.unwrap_or(known);
                found = Some(Line {
                    excluded,
                    pin: known.pin.or(before.pin),
                    read: known.read.or(before.read),
                    ..known
                });
            }
        }
        let stranger = Line {
            card: "",
            excluded: false,
            pin: None,
            read: None,
        };
        let line = found.unwrap_or(stranger);
        let proof = line.proof(card);
        // An exclusion that comes without a PIN holds by the number alone: it
        // binds nobody who is not bound already.
        let bare = line.excluded && line.pin.is_none() && line.read.is_none();
        Ok(match (proof, line.excluded) {
            (_, true) if bare || proof.is_some() => Standing::Excluded(proof),
            (Some(proof), false) => Standing::Member(proof),
            _ => Standing::Unknown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presented(number: &str, pin: Option<&str>, read: Option<&str>) -> Presented {
        Presented {
            number: number.to_owned(),
            pin: pin.map(str::to_owned),
            read: read.map(str::to_owned),
        }
    }

    #[test]
    fn p_075_a_file_says_who_may_play_and_a_misprint_lets_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("members.tsv");
        let list = FileMembership::at(&path);
        let pin = Some("4711");
        assert!(list.look_up(&presented("1", pin, None)).is_err(), "no list");
        let phc = pin::phc("4711", [7; 16]).unwrap();
        let read = hex::encode(Sha256::digest(b";11?"));
        let lines = [
            "# cards".to_owned(),
            format!("11\tmember\tpin:{phc}\tread:{read}"),
            "12\texcluded".to_owned(),
            format!("12\tmember\tpin:{phc}"),
            "13\texcluded".to_owned(),
            "14\tmember".to_owned(),
            String::new(),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let look_up = |number, pin, read| {
            let known = list.look_up(&presented(number, pin, read));
            known.unwrap()
        };
        for (number, pin, read, expected) in [
            ("11", pin, None, Standing::Member(Proof::Pin)),
            ("11", None, Some(";11?"), Standing::Member(Proof::Read)),
            ("11", Some("4712"), None, Standing::Unknown),
            ("11", None, Some(";12?"), Standing::Unknown),
            ("11", None, None, Standing::Unknown),
            ("12", pin, None, Standing::Excluded(Some(Proof::Pin))),
            ("12", None, None, Standing::Unknown),
            // Without a PIN nothing can be shown, and an exclusion needs nothing.
            ("13", None, None, Standing::Excluded(None)),
            ("14", pin, None, Standing::Unknown),
            ("99", pin, None, Standing::Unknown),
            ("1", pin, None, Standing::Unknown),
        ] {
            assert_eq!(
                look_up(number, pin, read),
                expected,
                "{number} {pin:?} {read:?}"
            );
        }
        for wrong in [
            "12 excluded",
            "12\tmember\tpin:4711",
            "12\tmember\tread:1f",
            "12\tmember\tx",
        ] {
            std::fs::write(&path, format!("11\tmember\n{wrong}\n")).unwrap();
            let said = list.look_up(&presented("11", pin, None)).unwrap_err();
            assert!(said.to_string().contains("line 2"), "{wrong}: {said}");
        }
    }

    #[test]
    fn a_card_without_a_pin_takes_as_long_as_one_with() {
        assert!(pin::is_phc(NO_PIN), "it is hashed, not refused");
        assert!(!pin::is_right(NO_PIN, "4711"));
    }

    #[test]
    fn a_trial_has_members_of_both_sorts() {
        let look_up = |number, pin, read| {
            let known = SimulatedMembership.look_up(&presented(number, pin, read));
            known.unwrap()
        };
        for (number, pin, read, expected) in [
            ("70001234", Some("1234"), None, Standing::Member(Proof::Pin)),
            (
                "70001234",
                None,
                Some(";70001234?"),
                Standing::Member(Proof::Read),
            ),
            (
                "70000000",
                Some("0000"),
                None,
                Standing::Excluded(Some(Proof::Pin)),
            ),
            ("7", Some("7"), None, Standing::Member(Proof::Pin)),
        ] {
            assert_eq!(look_up(number, pin, read), expected, "{number}");
        }
        for (pin, read) in [(None, None), (Some("4321"), None), (None, Some("70001234"))] {
            assert_eq!(look_up("70001234", pin, read), Standing::Unknown);
        }
    }
}
