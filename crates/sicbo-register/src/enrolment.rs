//! Enrolment of stations, consoles, displays, devices and cage windows.
//!
//! Each has a random key of its own, made by a technician's act; only its
//! SHA-256 is kept (the key has 256 random bits, so a plain digest cannot be
//! tried out), compared in constant time, and it can be revoked.

use sha2::{Digest, Sha256};
use sicbo_journal::StreamId;
use sicbo_table::actor::Device;
use sicbo_table::ids::StationId;
use subtle::ConstantTimeEq;

/// A table, by the name of its stream.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display, derive_more::Debug)]
#[display("{_0}")]
#[debug("{_0}")]
pub struct TableName(Box<str>);

impl TableName {
    /// A name that can be a stream's; `None` for any other, and for the house's own.
    #[must_use]
    pub fn new(name: &str) -> Option<TableName> {
        (StreamId::new(name).is_ok() && name != "house").then(|| TableName(name.into()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Number of an enrolment, from 1; never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnrolmentId(pub u32);

/// What is enrolled.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A player's station.
    Station {
        /// Its table.
        table: TableName,
        /// Which of the table's stations.
        station: StationId,
    },
    /// A dealer's console.
    Console {
        /// Its table.
        table: TableName,
    },
    /// A display on the wall, of one table or of all.
    Display {
        /// Its table.
        table: Option<TableName>,
    },
    /// A device at a table.
    Device {
        /// Its table.
        table: TableName,
        /// What it does.
        device: Device,
    },
    /// A desk of the pit.
    PitDesk,
    /// A window of the cage.
    Cage,
    /// The desk of the technicians.
    TechnicianDesk,
    /// A desk of those who only look: surveillance, auditors and regulators.
    AuditDesk,
}

impl Role {
    /// The table it belongs to, if it belongs to one.
    #[must_use]
    pub fn table(&self) -> Option<&TableName> {
        match self {
            Role::Station { table, .. } | Role::Console { table } | Role::Device { table, .. } => {
                Some(table)
            }
            Role::Display { table } => table.as_ref(),
            Role::PitDesk | Role::Cage | Role::TechnicianDesk | Role::AuditDesk => None,
        }
    }

    /// Staff log in there.
    #[must_use]
    pub fn is_for_staff(&self) -> bool {
        matches!(self, Role::Console { .. }) || self.is_desk()
    }

    /// A desk or window of the house, which belongs to no table.
    #[must_use]
    pub fn is_desk(&self) -> bool {
        matches!(
            self,
            Role::PitDesk | Role::Cage | Role::TechnicianDesk | Role::AuditDesk
        )
    }

    /// Only one of it may be enrolled at a time: two keys for one station
    /// would be two players for one credit.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(self, Role::Station { .. } | Role::Device { .. })
    }
}

/// Something to be enrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEnrolment {
    /// What it is.
    pub role: Role,
    /// What people call it.
    pub name: String,
    /// SHA-256 of its key.
    pub key: [u8; 32],
}

/// Something enrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enrolment {
    /// What it is.
    pub role: Role,
    /// What people call it.
    pub name: String,
    /// SHA-256 of its key.
    pub key: [u8; 32],
    /// Since when.
    pub since_ms: i64,
    /// When it was revoked, if it was.
    pub revoked_ms: Option<i64>,
}

impl Enrolment {
    /// As it stands when it is made.
    pub fn new(new: &NewEnrolment, at_ms: i64) -> Enrolment {
        Enrolment {
            role: new.role.clone(),
            name: new.name.clone(),
            key: new.key,
            since_ms: at_ms,
            revoked_ms: None,
        }
    }

    /// Whether a key is this one's. Takes the same time for every key.
    #[must_use]
    pub fn is_key(&self, key: &Key) -> bool {
        bool::from(self.key.ct_eq(&key.digest())) && self.revoked_ms.is_none()
    }
}

/// The key of something enrolled: shown once, then held by it alone.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Key(secret)")]
pub struct Key([u8; 32]);

impl Key {
    /// A key of random bytes.
    #[must_use]
    pub const fn new(random: [u8; 32]) -> Key {
        Key(random)
    }

    /// What is stored of it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(b"sicbo enrolment key 1\0")
            .chain_update(self.0)
            .finalize()
            .into()
    }

    /// What the enrolled one presents: its number and its key, `7-9f86d0…`.
    #[must_use]
    pub fn token(&self, enrolment: EnrolmentId) -> String {
        format!("{}-{}", enrolment.0, hex::encode(self.0))
    }

    /// Reads a token back.
    #[must_use]
    pub fn from_token(token: &str) -> Option<(EnrolmentId, Key)> {
        let (number, digits) = token.split_once('-')?;
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let mut key = [0; 32];
        hex::decode_to_slice(digits, &mut key)
            .ok()
            .filter(|()| plain)?;
        Some((EnrolmentId(number.parse().ok()?), Key(key)))
    }
}
