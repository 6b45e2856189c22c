//! The place of a house: its data, its keys, and what the first start hands over.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use sicbo_backup::backup::MONEY_FILE;
use sicbo_journal::rights::require_private;
use sicbo_journal::{
    DataFolder, HouseKey, KeyFolder, KeyId, KeyRing, MAX_READINGS, Purpose, Signatory, Store,
    StreamId, WriterSecret, read_again,
};
use sicbo_keys::Keys;
use sicbo_loop::{LoopOptions, Machine, Recovered, guarded, recover};
use sicbo_register::enrolment::TableName;
use sicbo_register::identity::{HouseKind, Identity};
use sicbo_register::reached::Reached;
use sicbo_register::secret::random;
use sicbo_register::set_up::{HandOver, SetUpError};
use sicbo_register::{self as register, Register};
use sicbo_runner::{Runner, RunnerOptions};

use zeroize::Zeroizing;

use super::{HAND_OVER, StartError, io};
use crate::floor::LeafTold;
use crate::secrets::{Secrets, SecretsError, write_private};
use crate::storage::Storage;
use crate::timed::Timed;

/// What is the same for every journal of the house.
pub(in crate::floor) struct Place {
    data: DataFolder,
    keys: KeyFolder,
    pub(in crate::floor) secrets: Secrets,
    /// Tells the tree of what is durable.
    leaves: LeafTold,
    /// What is measured of the journals.
    storage: Arc<Storage>,
    /// Records that journals are known to hold by the tree and the mark.
    pub(in crate::floor) reached: Mutex<BTreeMap<StreamId, Vec<Reached>>>,
}

impl Place {
    pub(in crate::floor) fn open(
        path: &Path,
        purpose: Purpose,
        leaves: LeafTold,
        unlock: &Keys,
    ) -> Result<Place, StartError> {
        let data = DataFolder::open_or_create_for(path, purpose)?;
        for (path, mode) in data.close_to_others()? {
            tracing::warn!(
                "others could use {} (mode {mode:03o}); it is its owner's alone now",
                path.display()
            );
        }
        let streams = DataFolder::streams(path)?;
        let known = streams
            .iter()
            .any(|stream| stream.as_str() == register::STREAM);
        if !known && !streams.is_empty() {
            return Err(StartError::Lost);
        }
        // What a house has once had is read, never made anew: other secrets
        // would make every voucher unknown and every PIN wrong.
        let (keys, secrets) = match known {
            true => (
                KeyFolder::open_with(&data.keys_path(), unlock)?,
                Secrets::open(&data.keys_path()),
            ),
            false => {
                let entropy = Zeroizing::new(random().map_err(SetUpError::from)?);
                (
                    unlock.open_or_create(&data.keys_path(), &entropy)?,
                    Secrets::open_or_create(&data.keys_path()),
                )
            }
        };
        let secrets = secrets?;
        Ok(Place {
            data,
            keys,
            secrets,
            leaves,
            storage: Arc::new(Storage::new(path)),
            reached: Mutex::default(),
        })
    }

    /// The house's id, and the key that signs now.
    pub(in crate::floor) fn signer(&self) -> (KeyId, &HouseKey) {
        (self.keys.ring().house(), self.keys.current())
    }

    /// What is measured of the journals.
    pub(in crate::floor) fn storage(&self) -> Arc<Storage> {
        Arc::clone(&self.storage)
    }

    /// The house's public keys.
    pub(in crate::floor) fn ring(&self) -> &KeyRing {
        self.keys.ring()
    }

    /// What a table's journal must hold by the tree and the mark.
    pub(in crate::floor) fn reached(&self, table: &TableName) -> Vec<Reached> {
        let reached = self.reached.lock();
        let known = StreamId::new(table.as_str()).ok();
        known
            .and_then(|stream| reached.get(&stream).cloned())
            .unwrap_or_default()
    }

    /// Compares what is started with what the house's journal says of itself.
    /// A journal from before it said so is told at the end of the start; what
    /// it plays for stands in a file until then.
    pub(super) fn identify(
        &self,
        register: &Register,
        kind: HouseKind,
    ) -> Result<Identity, StartError> {
        let path = self.data.path();
        let other = |known: &str| {
            let (path, kind) = (path.display(), kind.words());
            StartError::Plan(format!(
                "{path} is a house for {known}, and this plan is for {kind}: name another data \
                 folder"
            ))
        };
        if let Some(known) = &register.identity {
            if known.kind != kind {
                return Err(other(known.kind.words()));
            }
            self.secrets.check(&self.data.keys_path(), known)?;
        }
        let (file, word) = (path.join(MONEY_FILE), money_word(kind));
        match std::fs::read_to_string(&file) {
            Ok(known) if known.trim() == word => {}
            Ok(known) => return Err(other(known.trim())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if register.identity.is_none() && register.terms.is_some() {
                    return Err(StartError::MoneyUnknown(file));
                }
                if register.terms.is_some() {
                    tracing::warn!("{} was missing and is written again", file.display());
                }
                write_private(&file, format!("{word}\n").as_bytes())
                    .map_err(io("noting what the house plays for"))?;
            }
            Err(error) => return Err(io("reading what the house plays for")(error)),
        }
        Ok(self.secrets.identity(kind))
    }

    pub(in crate::floor) fn forget_hand_over(&self) {
        forget_hand_over(&self.hand_over_file());
    }

    pub(super) fn hand_over_file(&self) -> PathBuf {
        self.data.keys_path().join(HAND_OVER)
    }

    /// The secrets of the first start once more, until somebody has logged in:
    /// whoever should have them may never have got them.
    pub(super) fn hand_over_again(&self, worked_in: bool) -> Result<Option<HandOver>, StartError> {
        let file = self.hand_over_file();
        if worked_in {
            forget_hand_over(&file);
            return Ok(None);
        }
        if file.exists() {
            require_private(&file).map_err(SecretsError::from)?;
        }
        match std::fs::read_to_string(&file) {
            Ok(text) => Ok(HandOver::from_text(&text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io("reading the first PINs")(error)),
        }
    }

    pub(in crate::floor) fn store(
        &self,
        name: &str,
        known: bool,
    ) -> Result<(StreamId, Box<dyn Store>), StartError> {
        let stream = StreamId::new(name)
            .map_err(|_| StartError::Plan(format!("{name:?} cannot be the name of a journal")))?;
        let store = match known {
            // A lost file must be noticed, not replaced by an empty one.
            true => self.data.open_stream(&stream),
            false => self.data.open_or_create_stream(&stream),
        };
        let store = store.map_err(|error| StartError::Open {
            stream: name.to_owned(),
            error,
        })?;
        let timed = Timed {
            inner: Box::new(store),
            leaves: self.leaves.clone(),
            written: self.storage.stream(&stream),
            stream: stream.to_string(),
        };
        Ok((stream, Box::new(timed)))
    }

    /// Reads a journal, and again where a wrong bit may be why it could not be
    /// used: nobody is sent for because of a bit that was read wrong
    /// once. What was wrong is in the log of the program either way.
    pub(in crate::floor) fn read_again<T>(
        &self,
        name: &str,
        read: impl FnMut() -> Result<T, StartError>,
    ) -> Result<T, StartError> {
        read_again(read, StartError::may_be_misread, |reading, error| {
            tracing::warn!(
                journal = name,
                %error,
                "reading {reading} of {MAX_READINGS} failed; the journal is read again"
            );
            // The last reading comes from the disk, whatever is in memory.
            if reading + 1 == MAX_READINGS
                && let Ok(stream) = StreamId::new(name)
            {
                self.data.forget_cached(&stream);
            }
        })
    }

    pub(in crate::floor) fn recover<M: Machine, R>(
        &self,
        stream: &StreamId,
        store: &dyn Store,
    ) -> Result<Recovered<M, R>, StartError> {
        let secret = WriterSecret::new(random().map_err(SetUpError::from)?);
        let (key, ring) = (self.keys.current().clone(), self.keys.ring().clone());
        let signatory = Signatory::new(key, ring, secret);
        // A record that cannot be applied is a bug, and the end of this stream's
        // start alone.
        let recovered = guarded(|| recover(store, stream, &signatory, LoopOptions::default()));
        let stream = stream.to_string();
        match recovered {
            Ok(recovered) => recovered.map_err(|error| StartError::Recovery { stream, error }),
            Err(what) => Err(StartError::Unapplied { stream, what }),
        }
    }

    pub(in crate::floor) fn run<M: Machine + Send + 'static, R: Send + 'static>(
        &self,
        recovered: Recovered<M, R>,
        store: Box<dyn Store>,
        ear: Box<dyn sicbo_loop::Listener<M, R>>,
    ) -> Result<Runner<M, R>, StartError> {
        Runner::start(
            recovered.writer_loop,
            store,
            self.keys.current().clone(),
            self.keys.ring().house(),
            ear,
            RunnerOptions::default(),
        )
        .map_err(io("starting a loop"))
    }
}

/// What stands in the file that says what a house plays for.
fn money_word(kind: HouseKind) -> &'static str {
    match kind {
        HouseKind::RealMoney => "real money",
        HouseKind::PlayMoney | HouseKind::Practice => "play money",
    }
}

/// Somebody has logged in: the secrets of the first start are kept no longer.
fn forget_hand_over(file: &Path) {
    if let Err(error) = std::fs::remove_file(file)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::error!(%error, "the first PINs are still in {}", file.display());
    }
}
