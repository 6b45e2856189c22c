//! Backups of a simulated house, by the program's own code and on real files: its journals are
//! written into a data folder, backed up whole, in increments or sealed, and restored while the
//! power is off. Outside the house are what a real one has there: a mark, and a witness that cosigns
//! its tree.
//!
//! A backup of just now is gone on from. An older one is whole in itself, and both the mark and the
//! witness know that it is older: the house goes on with the newest.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use age::secrecy::ExposeSecret as _;
use sicbo_backup::backup::backup;
use sicbo_backup::increment;
use sicbo_backup::sealed::{self, Identities, Recipients};
use sicbo_house::backing::ahead_of;
use sicbo_journal::rights::create_private_file;
use sicbo_journal::{DataFolder, HouseKey, KeyFolder, KeyPlace, KeyRing, Store, StreamId};
use sicbo_proof::reached::check_holds;
use sicbo_proof::source;
use sicbo_register::enrolment::TableName;
use sicbo_register::reached::Reached;
use sicbo_register::{self as register, Register};
use sicbo_witness::ask::{Outcome, Reply, ask};
use sicbo_witness::head::origin;
use sicbo_witness::house_tree::HouseTree;
use sicbo_witness::mark::Mark;
use sicbo_witness::note::{Algorithm, VerifierKey};
use sicbo_witness::witness::{Answer, KnownLog, Witness};
use tempfile::TempDir;

use super::life::stream_of;
use super::shelf::{Shelf, copy_stream};
use super::swarm::Part;
use super::{HouseFlaw, World};
use crate::random::Random;

/// The life of a house that never went on after a rollback.
const LIFE: u32 = 1;
/// The witness has a key and a name of its own.
const WITNESS: [u8; 32] = [0x77; 32];
const WITNESS_NAME: &str = "witness.example";
/// When the witness signs, in seconds of UTC: nobody looks at it here.
const SIGNS_S: u64 = 1_800_000_000;
/// A folder in memory, where the machine has one: what a loss of power does to files is tried on
/// the simulated disk.
const IN_MEMORY: &str = "/dev/shm";

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Writes journals into a data folder, behind what it holds of them.
pub(super) fn write_out(
    (shelf, streams): (&Shelf, &[StreamId]),
    key: &HouseKey,
    data: &Path,
) -> Result<(), String> {
    let folder = DataFolder::open_or_create(data).map_err(told)?;
    if !KeyFolder::is_there(&folder.keys_path()) {
        KeyFolder::create(&folder.keys_path(), key, &KeyPlace::File).map_err(told)?;
    }
    for stream in streams.iter().filter(|stream| shelf.has(stream)) {
        let mut to = folder.open_or_create_stream(stream).map_err(told)?;
        let from = shelf.read(stream)?;
        copy_stream(from.as_ref(), &mut to).map_err(|what| format!("{stream}: {what}"))?;
    }
    Ok(())
}

/// A backup that was taken.
struct Backup {
    path: PathBuf,
    /// Sealed for those who may open it.
    sealed: bool,
    /// Where each stream ended in the house.
    tails: Vec<(StreamId, u64)>,
}

/// Everything that is kept outside a house.
pub(super) struct Vault {
    folder: TempDir,
    key: HouseKey,
    witness: Witness,
    backup: Option<Backup>,
    /// Folders that were made so far, for their names.
    made: u32,
}

impl Vault {
    fn new(key: &HouseKey) -> Result<Vault, String> {
        let folder = match Path::new(IN_MEMORY).is_dir() {
            true => tempfile::tempdir_in(IN_MEMORY),
            false => tempfile::tempdir(),
        };
        let folder = folder.map_err(told)?;
        let house = KeyRing::new(key.public()).house();
        let origin = origin(house, LIFE);
        let log = VerifierKey::new(&origin, Algorithm::Ed25519, key.public()).map_err(told)?;
        let known = KnownLog {
            origin,
            keys: vec![log],
        };
        let memory = folder.path().join("witness.sqlite");
        let own = HouseKey::from_entropy(&WITNESS);
        let witness = Witness::open(WITNESS_NAME, own, vec![known], &memory).map_err(told)?;
        Ok(Vault {
            folder,
            key: key.clone(),
            witness,
            backup: None,
            made: 0,
        })
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn mark(&self) -> PathBuf {
        self.folder.path().join("house.mark")
    }

    fn new_path(&mut self, what: &str) -> PathBuf {
        self.made += 1;
        self.folder.path().join(format!("{what}-{}", self.made))
    }

    /// Who may open sealed backups, made when they are first wanted.
    fn seals(&self) -> Result<(Recipients, Identities), String> {
        let at = |name: &str| self.folder.path().join(name);
        let (to, own) = (at("recipients.txt"), at("identity.txt"));
        if !own.exists() {
            let identity = age::x25519::Identity::generate();
            let secret = identity.to_string();
            let mut file = create_private_file(&own).map_err(told)?;
            let written = file.write_all(secret.expose_secret().as_bytes());
            written.map_err(told)?;
            std::fs::write(&to, identity.to_public().to_string()).map_err(told)?;
        }
        let to = std::fs::read_to_string(&to).map_err(told)?;
        let recipients = Recipients::read(&[to]).map_err(told)?;
        Ok((recipients, Identities::read(&own).map_err(told)?))
    }

    /// Asks the witness about a house's tree, brought to where its journals end.
    fn asked(&self, data: &Path, streams: &[StreamId]) -> Result<(Outcome, HouseTree), String> {
        let tree = HouseTree::open(data).map_err(told)?;
        let tree = tree.map_or_else(|| HouseTree::create(data, LIFE), Ok);
        let mut tree = tree.map_err(told)?;
        let mut stores = Vec::new();
        for stream in streams {
            let path = DataFolder::stream_path(data, stream);
            if path.exists() {
                let store = source::open(stream, &path).map_err(told)?;
                stores.push((stream.clone(), store));
            }
        }
        let journals = stores.iter();
        let journals = journals.map(|(stream, store)| (stream.clone(), store as &dyn Store));
        let journals: Vec<_> = journals.collect();
        tree.catch_up(&journals).map_err(told)?;
        let house = KeyRing::new(self.key.public()).house();
        let head = tree.head(&origin(house, LIFE));
        let note = head.sign(&self.key).map_err(told)?;
        let verifier = self.witness.verifier_key().map_err(told)?;
        let outcome = ask(
            (&note, &head),
            &verifier,
            head.size,
            |old| tree.consistency(old),
            |body| Ok(self.answer(&body)),
        );
        Ok((outcome.map_err(told)?, tree))
    }

    /// The witness's answer, as its server sends it.
    fn answer(&self, body: &str) -> Reply {
        let (status, body) = match self.witness.add_checkpoint(body.as_bytes(), SIGNS_S) {
            Answer::Cosigned(line) => (200, line),
            Answer::Malformed(why) => (400, why.to_owned()),
            Answer::NotSigned => (403, String::new()),
            Answer::UnknownLog => (404, String::new()),
            Answer::Conflict { size } => (409, format!("{size}\n")),
            Answer::Retired { by } => (410, by),
            Answer::NotConsistent => (422, String::new()),
            Answer::Failed(why) => (500, why),
        };
        Reply { status, body }
    }

    /// The house's journals as they are now are in its data folder, and mark and witness know of
    /// them.
    fn keep(&self, shelf: &Shelf, streams: &[StreamId]) -> Result<Vec<(StreamId, u64)>, String> {
        write_out((shelf, streams), &self.key, &self.data())?;
        let (outcome, tree) = self.asked(&self.data(), streams)?;
        if !matches!(outcome, Outcome::Cosigned { .. }) {
            return Err(format!(
                "the witness does not cosign the house's newest journals: {outcome:?}"
            ));
        }
        let house = KeyRing::new(self.key.public()).house();
        Mark::of(house, &tree).write(&self.mark()).map_err(told)?;
        let kept = streams.iter().filter(|stream| shelf.has(stream));
        let kept = kept.map(|stream| Ok((stream.clone(), shelf.read(stream)?.tail().sequence)));
        kept.collect()
    }

    /// A backup is taken, or one that there is gets what came since. Says which.
    fn take(
        &mut self,
        (shelf, streams): (&Shelf, &[StreamId]),
        chance: &mut Random,
    ) -> Result<&'static str, String> {
        let tails = self.keep(shelf, streams)?;
        let (data, none) = (self.data(), |_: &Path| Ok(()));
        let known = self.backup.take_if(|_| chance.chance(600));
        let (path, sealed, what) = match known {
            Some(known) if known.sealed => {
                let (recipients, _) = self.seals()?;
                sealed::add_sealed(&data, &known.path, &recipients, false).map_err(told)?;
                (known.path, true, "a sealed backup gets a part")
            }
            Some(known) => {
                increment::add(&data, &known.path, false).map_err(told)?;
                (known.path, false, "a backup gets an increment")
            }
            None if chance.chance(300) => {
                let path = self.new_path("sealed");
                let (recipients, _) = self.seals()?;
                sealed::seal(&data, &path, &recipients, false, none).map_err(told)?;
                (path, true, "a sealed backup is made")
            }
            None => {
                let path = self.new_path("backup");
                backup(&data, &path, false).map_err(told)?;
                (path, false, "a backup is made")
            }
        };
        self.backup = Some(Backup {
            path,
            sealed,
            tails,
        });
        Ok(what)
    }

    /// The newest backup as a data folder, and its journals where simulated houses keep theirs.
    fn restored(&mut self, on_disk: bool) -> Result<(PathBuf, Shelf), String> {
        let to = self.new_path("restored");
        let backup = self.backup.as_ref().ok_or("there is no backup")?;
        match backup.sealed {
            true => {
                let (_, identities) = self.seals()?;
                sealed::restore(&backup.path, &to, &identities).map_err(told)?;
            }
            // A copy of a copy: the backup itself stays as it is.
            false => drop(sicbo_backup::backup::backup(&backup.path, &to, false).map_err(told)?),
        }
        let streams = backup.tails.iter().map(|(stream, _)| stream.clone());
        let streams: Vec<StreamId> = streams.collect();
        let shelf = Shelf::new(on_disk, &streams);
        for (stream, last) in &backup.tails {
            let path = DataFolder::stream_path(&to, stream);
            let from = source::open(stream, &path).map_err(told)?;
            let ends = from.tail().sequence;
            if ends != *last {
                return Err(format!(
                    "a backup of {stream} was made at record {last}, and ends with {ends}"
                ));
            }
            let mut store = shelf.open(stream).map_err(told)?;
            copy_stream(&from, store.as_mut()).map_err(|what| format!("{stream}: {what}"))?;
        }
        Ok((to, shelf))
    }

    /// Which stream of a shelf lacks what the mark knows.
    fn lacks(&self, shelf: &Shelf) -> Result<Option<StreamId>, String> {
        let mark = Mark::read(&self.mark()).map_err(told)?;
        for (stream, tail) in mark.into_iter().flat_map(|mark| mark.tails) {
            let to = Reached {
                sequence: tail.sequence,
                header_hash: tail.header_hash.0,
            };
            if !shelf.has(&stream) || check_holds(shelf.read(&stream)?.as_ref(), &to).is_err() {
                return Ok(Some(stream));
            }
        }
        Ok(None)
    }
}

impl World {
    /// A backup is taken while the house runs.
    pub(super) fn back_up(&mut self) -> Result<(), String> {
        let made = self.shelf.has_all(&self.streams);
        if self.planned || self.flaw != HouseFlaw::None || !made {
            return Ok(());
        }
        if self.vault.is_none() {
            self.vault = Some(Vault::new(&self.key)?);
        }
        if let Some(vault) = &mut self.vault {
            let what = vault.take((&self.shelf, &self.streams), &mut self.trouble);
            let what = what.map_err(|what| format!("no backup could be made: {what}"))?;
            self.met(&format!("fault {what}"), || what.to_owned());
        }
        Ok(())
    }

    /// Somebody restores a backup while the power is off: an older one is tried and found out, one
    /// of just now is what the house goes on from.
    pub(super) fn restore(&mut self) -> Result<(), String> {
        let Some(mut vault) = self.vault.take() else {
            return Ok(());
        };
        let done = self.restore_from(&mut vault);
        self.vault = Some(vault);
        done
    }

    fn restore_from(&mut self, vault: &mut Vault) -> Result<(), String> {
        // What is told as durable is known to the mark and the witness within seconds.
        let newest = vault.keep(&self.shelf, &self.streams)?;
        let known = vault.backup.as_ref().map(|backup| &backup.tails);
        let is_older = known.is_some_and(|tails| *tails != newest);
        if is_older && self.trouble.chance(600) {
            self.try_an_older_backup(vault)?;
        }
        if self.trouble.chance(500) {
            return Ok(());
        }
        vault.take((&self.shelf, &self.streams), &mut self.trouble)?;
        let (path, shelf) = vault.restored(matches!(self.shelf, Shelf::Disk(_)))?;
        if let Some(stream) = vault.lacks(&shelf)? {
            return Err(format!(
                "a backup of just now lacks records of {stream} that the mark knows"
            ));
        }
        match vault.asked(&path, &self.streams)?.0 {
            Outcome::Cosigned { .. } => {}
            other => {
                return Err(format!(
                    "the witness refuses a backup of just now: {other:?}"
                ));
            }
        }
        self.shelf = shelf;
        self.met("fault a backup is restored", || {
            "the house goes on from a backup that was made just now".to_owned()
        });
        Ok(())
    }

    /// The older backup begins as a house of its own would, and mark and witness know better.
    fn try_an_older_backup(&mut self, vault: &mut Vault) -> Result<(), String> {
        let (path, mut older) = vault.restored(matches!(self.shelf, Shelf::Disk(_)))?;
        if vault.lacks(&older)?.is_none() {
            return Err("an older backup was restored, and the mark does not know it".to_owned());
        }
        match vault.asked(&path, &self.streams)?.0 {
            Outcome::Behind { .. } | Outcome::Forked { .. } => {}
            other => {
                return Err(format!(
                    "an older backup was restored, and the witness says {other:?}"
                ));
            }
        }
        self.is_whole(&older)?;
        // A table that came after it has no journal there, as in a house that never had it.
        self.streams.iter().for_each(|stream| older.add(stream));
        std::mem::swap(&mut self.shelf, &mut older);
        let begun = self.begin_life();
        std::mem::swap(&mut self.shelf, &mut older);
        match begun {
            Ok(life) => life.forget(),
            Err(what) => return Err(format!("a backup does not begin: {what}")),
        }
        self.met("fault an older backup is refused", || {
            "an older backup is restored; its mark and its witness know of more, and it is put away"
                .to_owned()
        });
        Ok(())
    }

    /// What the tables of a backup did is known to its register.
    fn is_whole(&self, shelf: &Shelf) -> Result<(), String> {
        let house = stream_of(register::STREAM)?;
        let ring = KeyRing::new(self.key.public());
        let store = shelf.read(&house)?;
        let (register, _) =
            sicbo_loop::replay::<Register>(store.as_ref(), &house, Some(&ring)).map_err(told)?;
        for stream in self.streams.iter().filter(|stream| **stream != house) {
            let table = TableName::new(stream.as_str()).ok_or("no table")?;
            if !shelf.has(stream) {
                continue;
            }
            let found = ahead_of(&register, &table, shelf.read(stream)?.as_ref());
            if let Some(unknown) = found.map_err(told)? {
                return Err(format!("a backup is not whole: {unknown}"));
            }
        }
        Ok(())
    }

    /// Writes the journals into a new data folder, for the tools that read one.
    pub(super) fn write_data(&self, data: &Path) -> Result<(), String> {
        let written = write_out((&self.shelf, &self.streams), &self.key, data);
        written.map_err(|what| format!("{}: {what}", data.display()))
    }

    /// Whether backups are taken in this house.
    pub(super) fn has_backups(&self) -> bool {
        self.swarm.has(Part::Backups) && self.flaw == HouseFlaw::None
    }
}
