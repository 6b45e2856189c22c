//! Verifies all journals of a folder: each by itself, several at once, then one
//! against the other. A house's data folder, a backup and an archive are all
//! looked at here, and by nothing else.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sicbo_journal::{
    Chain, Fault, FaultKind, KeyRing, OpenError, Report, SqliteStore, Store, StreamId, Tail, Vfs,
};
use sicbo_register::Register;

use super::threads::Threads;
use super::{Examined, Verified, VerifiedHouse, VerifyError, examine_house, examine_with};
use crate::cross_check::{Compared, cross_examine};
use crate::reached::{NotHeld, check_holds};
use crate::source::{self, HOUSE_STREAM, Journals};

/// Records between two words about how far a journal was read.
const PROGRESS_EVERY: u64 = 8_192;

/// What came of looking at a folder.
#[derive(Debug, Default)]
pub struct ExaminedFolder {
    /// The tables, in order of name.
    pub tables: Vec<(StreamId, Verified)>,
    /// The house's own journal.
    pub house: Option<(StreamId, VerifiedHouse)>,
    /// Vouchers between them; a journal alone has nothing to be compared with.
    pub compared: Option<Compared>,
    /// Everything that is wrong, journal by journal.
    pub faults: Vec<StreamFault>,
}

/// Something that is wrong, and with which journal.
#[derive(Debug, thiserror::Error)]
#[error("{}{fault}", stream.as_ref().map_or_else(String::new, |stream| format!("{stream}, ")))]
pub struct StreamFault {
    /// The journal; none where it is about several.
    pub stream: Option<StreamId>,
    /// What is wrong.
    pub fault: VerifyError,
}

impl ExaminedFolder {
    /// The first thing that is wrong.
    ///
    /// # Errors
    /// That.
    pub fn first_fault(mut self) -> Result<ExaminedFolder, StreamFault> {
        match self.faults.is_empty() {
            true => Ok(self),
            false => Err(self.faults.swap_remove(0)),
        }
    }

    fn fault(&mut self, stream: Option<&StreamId>, fault: VerifyError) {
        self.faults.push(StreamFault {
            stream: stream.cloned(),
            fault,
        });
    }
}

/// Told of a journal how many of its records were read, and how many there are.
pub type Progress<'p> = &'p (dyn Fn(&StreamId, u64, u64) + Sync);

/// Looks at all journals and tells everything that is wrong, in an order that
/// does not depend on the threads.
///
/// # Errors
/// When one cannot be read at all.
pub fn examine_folder(
    journals: &Journals,
    ring: &KeyRing,
    threads: &dyn Threads,
    progress: Progress<'_>,
) -> Result<ExaminedFolder, VerifyError> {
    let mut found = ExaminedFolder::default();
    let all: Vec<_> = journals.tables_first().collect();
    let of_house = |stream: &StreamId| stream.as_str() == HOUSE_STREAM;
    let tables = all.iter().filter(|(stream, _)| !of_house(stream)).count();
    let looked: Vec<_> = all[..tables].iter().map(|_| Mutex::new(None)).collect();
    threads.each(tables, &|at| {
        let (stream, path) = all[at];
        let table = look(stream, path, progress, &mut |store, reach| {
            examine_with(threads, store, stream, ring, reach)
        });
        *looked[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
    });
    for ((stream, _), looked) in all.iter().zip(looked) {
        let looked = looked.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(verified) = found.take(stream, looked)? {
            found.tables.push((stream.clone(), verified));
        }
    }
    // The house last: what a table did, it knew before.
    for (stream, path) in &all[tables..] {
        let house = look(stream, path, progress, &mut |store, reach| {
            examine_house(store, stream, ring, reach)
        });
        let house = found.take(stream, Some(house))?;
        found.house = house.map(|house| (stream.clone(), house));
    }
    found.check_something_there(journals);
    if !journals.is_archive() {
        found.check_ends();
    }
    if journals.is_folder {
        found.check_signed_from_the_first();
        found.compare(journals)?;
    }
    Ok(found)
}

/// Looks at all journals without any key: each block against itself and the one
/// before it, the first fault of each. Who wrote them is not known so.
pub fn examine_chains(journals: &Journals) -> Vec<StreamFault> {
    let look = |stream: &StreamId, path: &Path| -> Result<(), VerifyError> {
        let (store, _) = SqliteStore::open_to_examine(path, stream.clone(), &Vfs::default())?;
        let mut chain = Chain::after(stream.clone(), Tail::default());
        for raw in store.read_from(1) {
            chain.accept(raw?)?;
        }
        Ok(())
    };
    let found = journals.tables_first().filter_map(|(stream, path)| {
        let fault = look(stream, path).err()?;
        let stream = Some(stream.clone());
        Some(StreamFault { stream, fault })
    });
    found.collect()
}

/// How a journal is looked at; told how far it has come.
type Examination<'e, V> =
    &'e mut dyn FnMut(&dyn Store, &mut dyn FnMut(u64)) -> Result<Examined<V>, VerifyError>;

/// Opens a journal and looks at it.
fn look<V>(
    stream: &StreamId,
    path: &Path,
    progress: Progress<'_>,
    examine: Examination<'_, V>,
) -> Result<Examined<V>, VerifyError> {
    let (store, foreign) = SqliteStore::open_to_examine(path, stream.clone(), &Vfs::default())?;
    let hidden = SqliteStore::check_log(path, &Vfs::default()).err();
    let total = store.tail().sequence;
    let mut told = 0;
    let examined = examine(&store, &mut |reached| {
        if reached >= told + PROGRESS_EVERY {
            told = reached;
            progress(stream, reached, total);
        }
    });
    progress(stream, total, total);
    let altered = OpenError::Altered {
        path: path.to_owned(),
        what: foreign.join("; "),
    };
    examined.map(|mut examined| {
        // After what is wrong with its records, which says more.
        examined.faults.extend(hidden.map(VerifyError::from));
        if !foreign.is_empty() {
            examined.faults.push(altered.into());
        }
        examined
    })
}

impl ExaminedFolder {
    /// Notes what is wrong with a journal; what it amounts to, if it could be read.
    fn take<V>(
        &mut self,
        stream: &StreamId,
        looked: Option<Result<Examined<V>, VerifyError>>,
    ) -> Result<Option<V>, VerifyError> {
        match looked {
            Some(Ok(examined)) => {
                for fault in examined.faults {
                    self.fault(Some(stream), fault);
                }
                Ok(Some(examined.verified))
            }
            Some(Err(error)) if error.is_of_the_world() => Err(error),
            Some(Err(error)) => {
                self.fault(Some(stream), error);
                Ok(None)
            }
            None => {
                let what = "the verifier itself failed";
                self.fault(Some(stream), VerifyError::record(0, what));
                Ok(None)
            }
        }
    }

    /// A folder in which nothing was ever written proves nothing.
    fn check_something_there(&mut self, journals: &Journals) {
        if !self.faults.is_empty() {
            return;
        }
        let tables = self.tables.iter().map(|(_, table)| table.report.records);
        let house = self.house.iter().map(|(_, house)| house.report.records);
        let what = match (journals.streams.len(), tables.chain(house).sum::<u64>()) {
            (0, _) => "there is no journal in it: its streams are missing",
            (1, 0) => "its journal is empty: there is nothing to verify",
            (_, 0) => "its journals are all empty: there is nothing to verify",
            _ => return,
        };
        let what = what.to_owned();
        self.fault(None, VerifyError::Empty { what });
    }

    /// Each journal ends in the word of the house's newest key.
    fn check_ends(&mut self) {
        let tables = self.tables.iter().map(|(stream, it)| (stream, it.report));
        let house = self.house.iter().map(|(stream, it)| (stream, it.report));
        let mut faults = Vec::new();
        for (stream, report) in tables.chain(house) {
            let lacks = report.lacks_key.map(|number| Fault {
                sequence: report.tail.sequence,
                what: FaultKind::NotTakenOver { number },
            });
            faults.extend(lacks.map(|fault| (stream.clone(), fault.into())));
        }
        for (stream, fault) in faults {
            self.fault(Some(&stream), fault);
        }
    }

    /// A house that has signed every block since its first has no table with
    /// blocks that nobody signed.
    fn check_signed_from_the_first(&mut self) {
        let all_signed =
            |report: &Report| report.blocks > 0 && report.blocks == report.sealed_blocks;
        let Some((_, house)) = &self.house else {
            return;
        };
        if !all_signed(&house.report) {
            return;
        }
        let unsigned = self.tables.iter().filter(|(_, table)| {
            let report = &table.report;
            report.blocks > report.sealed_blocks
        });
        let what = "its block is not signed, and the house has signed every block since its first";
        for stream in unsigned
            .map(|(stream, _)| stream.clone())
            .collect::<Vec<_>>()
        {
            self.fault(Some(&stream), VerifyError::record(1, what));
        }
    }

    /// Compares the journals with each other.
    fn compare(&mut self, journals: &Journals) -> Result<(), VerifyError> {
        let Some((_, house)) = &self.house else {
            // Earlier programs could run tables without a house.
            let is_there = journals
                .streams
                .iter()
                .any(|(id, _)| id.as_str() == HOUSE_STREAM);
            let signed = |(_, table): &(StreamId, Verified)| table.report.sealed_blocks > 0;
            if !is_there && self.tables.iter().any(signed) {
                let stream = HOUSE_STREAM.to_owned();
                self.fault(None, VerifyError::MissingStream { stream });
            }
            return Ok(());
        };
        let (compared, faults) = cross_examine(house, &self.tables);
        let missing = missing_tables(&house.register, journals);
        let reached = check_reached(&house.register, journals)?;
        self.compared = Some(compared);
        // A journal that is there and could not be read is told already.
        let unread = |fault: &VerifyError| {
            let VerifyError::MissingStream { stream } = fault else {
                return false;
            };
            journals.streams.iter().any(|(id, _)| id.as_str() == stream)
        };
        let is_known = |fault: &VerifyError, known: &[VerifyError]| {
            let known = known.iter().map(ToString::to_string);
            known.into_iter().any(|known| known == fault.to_string())
        };
        let missing: Vec<_> = missing
            .into_iter()
            .filter(|fault| !is_known(fault, &faults))
            .collect();
        for fault in faults
            .into_iter()
            .filter(|fault| !unread(fault))
            .chain(missing)
        {
            self.fault(None, fault);
        }
        for (stream, fault) in reached {
            self.fault(Some(&stream), fault);
        }
        Ok(())
    }
}

/// Tables at which somebody or something was enrolled, and whose journals are
/// not there: they are made before that.
fn missing_tables(register: &Register, journals: &Journals) -> Vec<VerifyError> {
    let enrolled = register.enrolments.values();
    let mut names: Vec<&str> = enrolled
        .filter_map(|known| known.role.table())
        .map(|name| name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let is_there = |name: &str| journals.streams.iter().any(|(id, _)| id.as_str() == name);
    let missing = names.into_iter().filter(|name| !is_there(name));
    let missing = missing.map(|name| VerifyError::MissingStream {
        stream: name.to_owned(),
    });
    missing.collect()
}

/// Holds each table to the record that the register last noted of it. The
/// journals are opened anew: a house that runs has gone on since they were read.
fn check_reached(
    register: &Register,
    journals: &Journals,
) -> Result<Vec<(StreamId, VerifyError)>, VerifyError> {
    let mut faults = Vec::new();
    for (stream, path) in &journals.streams {
        let mut noted = register.reached.iter();
        let Some((_, mark)) = noted.find(|(name, _)| name.as_str() == stream.as_str()) else {
            continue;
        };
        // One that cannot be opened is told already.
        let Ok(store) = source::open(stream, path) else {
            continue;
        };
        match check_holds(&store, mark) {
            Ok(()) => {}
            Err(NotHeld::Older(what)) => {
                let sequence = mark.sequence;
                let fault = VerifyError::NotReached { sequence, what };
                faults.push((stream.clone(), fault));
            }
            Err(NotHeld::Read(error)) => {
                let error = VerifyError::Read(error);
                if error.is_of_the_world() {
                    return Err(error);
                }
            }
        }
    }
    Ok(faults)
}
