//! The place of a house: its data, its keys, and what the first start hands over.

use std::path::{Path, PathBuf};

use sicbo_journal::{
    DataFolder, KeyFolder, MAX_READINGS, Purpose, SaltKey, Store, StreamId, read_again,
};
use sicbo_loop::{LoopOptions, Machine, Recovered, recover};
use sicbo_register as register;
use sicbo_register::secret::random;
use sicbo_register::set_up::{HandOver, SetUpError};
use sicbo_runner::{Runner, RunnerOptions};

use super::{HAND_OVER, StartError, io};
use crate::secrets::Secrets;
use crate::timed::Timed;

/// What is the same for every journal of the house.
pub(in crate::floor) struct Place {
    data: DataFolder,
    keys: KeyFolder,
    pub(in crate::floor) secrets: Secrets,
}

impl Place {
    pub(in crate::floor) fn open(path: &Path, purpose: Purpose) -> Result<Place, StartError> {
        let data = DataFolder::open_or_create_for(path, purpose)?;
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
                KeyFolder::open(&data.keys_path())?,
                Secrets::open(&data.keys_path()),
            ),
            false => {
                let entropy: [u8; 32] = random().map_err(SetUpError::from)?;
                (
                    KeyFolder::open_or_create(&data.keys_path(), || entropy)?,
                    Secrets::open_or_create(&data.keys_path()),
                )
            }
        };
        let secrets = secrets.map_err(io("the house's secrets"))?;
        Ok(Place {
            data,
            keys,
            secrets,
        })
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
        Ok((stream, Box::new(Timed(Box::new(store)))))
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
        let salt = SaltKey::new(random().map_err(SetUpError::from)?);
        recover(store, stream, &salt, LoopOptions::default()).map_err(|error| {
            StartError::Recovery {
                stream: stream.to_string(),
                error,
            }
        })
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

/// Somebody has logged in: the secrets of the first start are kept no longer.
fn forget_hand_over(file: &Path) {
    if let Err(error) = std::fs::remove_file(file)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::error!(%error, "the first PINs are still in {}", file.display());
    }
}
