//! What is wrong with a data folder.

use std::path::Path;

use sicbo_backup::backup::MONEY_FILE;
use sicbo_journal::{
    DataFolder, FolderError, KeyFolder, KeyFolderError, OpenError, Purpose, Record, StreamId,
};
use sicbo_keys::Keys;
use sicbo_plan::HousePlan;
use sicbo_proof::reached::{NotHeld, check_holds};
use sicbo_proof::{Visitor, source, walk};
use sicbo_register::identity::HouseKind;
use sicbo_register::{self as register, Register};
use sicbo_witness::house_tree::HouseTree;

use super::Findings;
use crate::secrets::{Secrets, SecretsError};

/// Less room than this is a warning: of a hundred.
const LEAST_FREE_PERCENT: u64 = 10;

/// Looks at everything that a start would trip over.
pub(super) fn look(data: &Path, plan: Option<&HousePlan>, keys: &Keys, found: &mut Findings) {
    let Some(purpose) = folder(data, found) else {
        return;
    };
    if purpose == Purpose::Archive {
        return found.problem(
            "archive",
            format!("{} is an archive: no house is run in it", data.display()),
            "name the data folder of the house",
        );
    }
    others(data, found);
    room(data, found);
    let streams = match DataFolder::streams(data) {
        Ok(streams) => streams,
        Err(error) => return found.told("no-journals", &error, "restore a backup"),
    };
    house_keys(&data.join("keys"), keys, found);
    if data.join("keys/hand-over.txt").exists() {
        found.warning(
            "nobody-logged-in",
            "nobody has logged in yet: the first PINs are still in keys/hand-over.txt",
            "hand the PINs out; at the first log-in the file goes",
        );
    }
    let register = journals(data, &streams, found);
    if let Some(register) = &register {
        identity(data, register, found);
    }
    if purpose == Purpose::House && register.is_some() {
        match HouseTree::open_to_read(data) {
            Ok(Some(_)) => {}
            Ok(None) => found.warning(
                "tree-missing",
                "the house's tree is missing: tree/tree.sqlite is not there",
                "put tree/ back with the newest data, or find out which copy this is, before you \
                 start",
            ),
            Err(error) => found.problem(
                "tree-damaged",
                format!("the house's tree cannot be read: {error}"),
                "keep it and put the newest tree/ back; a start on it would not play",
            ),
        }
    }
    if let Some(plan) = plan {
        compare(data, &streams, plan, found);
    }
}

/// Whether it is a data folder; of which purpose.
fn folder(data: &Path, found: &mut Findings) -> Option<Purpose> {
    let shown = data.display();
    if !data.exists() {
        found.problem(
            "no-folder",
            format!("there is no folder {shown}"),
            "mount the disk that holds it, or give the right folder",
        );
        return None;
    }
    if !data.is_dir() {
        found.problem(
            "not-a-folder",
            format!("{shown} is a file, not a data folder"),
            "give the folder that holds data-folder.txt",
        );
        return None;
    }
    let empty = std::fs::read_dir(data).is_ok_and(|mut entries| entries.next().is_none());
    if empty {
        found.problem(
            "empty-folder",
            format!("{shown} is empty"),
            "mount the disk that holds the house; for a new house run sicbo serve --new-house",
        );
        return None;
    }
    match DataFolder::purpose(data) {
        Ok(purpose) => Some(purpose),
        Err(error) => {
            let code = match &error {
                FolderError::NewerFormat { .. } => "newer-format",
                FolderError::NotADataFolder { .. } => "not-a-data-folder",
                _ => "no-rights",
            };
            found.told(code, &error, "run as the user that owns the folder");
            None
        }
    }
}

/// Whether others may look in.
fn others(data: &Path, found: &mut Findings) {
    use std::os::unix::fs::PermissionsExt as _;
    let mut places = vec![data.to_owned(), data.join("journal"), data.join("keys")];
    if let Ok(journals) = std::fs::read_dir(data.join("journal")) {
        places.extend(journals.flatten().map(|entry| entry.path()));
    }
    let open = places.iter().find(|place| {
        let about = std::fs::metadata(place);
        about.is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
    });
    if let Some(place) = open {
        found.warning(
            "open-to-others",
            format!("others on this machine may use {}", place.display()),
            &format!("run chmod -R go= {}; a start does it too", data.display()),
        );
    }
}

fn room(data: &Path, found: &mut Findings) {
    let Ok(disk) = rustix::fs::statvfs(data) else {
        return;
    };
    let (free, all) = (disk.f_bavail, disk.f_blocks.max(1));
    if free * 100 / all < LEAST_FREE_PERCENT {
        found.warning(
            "disk-nearly-full",
            format!("{} % of the data disk is free", free * 100 / all),
            "make room or move backups elsewhere; a table whose journal finds no room stops",
        );
    }
}

fn house_keys(folder: &Path, keys: &Keys, found: &mut Findings) {
    if let Err(error) = KeyFolder::open_with(folder, keys) {
        let code = match &error {
            KeyFolderError::Rights(_) => "key-open-to-others",
            KeyFolderError::Locked { .. } => "key-locked",
            KeyFolderError::Missing { .. } => "key-missing",
            _ => "key-damaged",
        };
        match &error {
            KeyFolderError::Locked { .. } => found.problem(
                code,
                &error,
                "give the passphrase or PIN with --key-passphrase FILE, as serve takes it",
            ),
            _ => found.told(code, &error, "restore keys/ from a backup"),
        }
    }
    if let Err(error) = Secrets::open(folder) {
        let code = match &error {
            SecretsError::Rights(_) => "secret-open-to-others",
            _ => "secret-missing",
        };
        found.told(code, &error, "restore it from a backup");
    }
}

/// Opens every journal; the register as its journal has it.
fn journals(data: &Path, streams: &[StreamId], found: &mut Findings) -> Option<Register> {
    struct Nothing;
    impl Visitor<Register> for Nothing {
        fn before(&mut self, _: &Register, _: &Record<'_>, _: &register::Event) {}
    }
    let mut known = None;
    let has_register = streams
        .iter()
        .any(|stream| stream.as_str() == register::STREAM);
    if !has_register {
        found.problem(
            "register-missing",
            "journal/house.sqlite is missing: it knows the people, vouchers and shifts",
            "restore it from the newest backup; do not start without it",
        );
    }
    let mut stores = Vec::new();
    for stream in streams {
        match source::open(stream, &DataFolder::stream_path(data, stream)) {
            Ok(store) => stores.push((stream, store)),
            Err(error) => {
                let code = match &error {
                    OpenError::NotAJournal { .. } => "not-a-journal",
                    OpenError::AnotherStream { .. } => "renamed-journal",
                    OpenError::Damaged { .. } => "damaged-journal",
                    OpenError::Altered { .. } => "altered-journal",
                    OpenError::NewerFormat { .. } => "newer-journal",
                    OpenError::Link { .. } => "linked-journal",
                    _ => "unusable-journal",
                };
                match &error {
                    OpenError::AnotherStream { .. } => found.problem(
                        code,
                        error
                            .to_string()
                            .trim_end_matches(": was the file renamed or copied?"),
                        "put every journal back under its own name",
                    ),
                    _ => found.told(code, &error, "restore a backup beside it"),
                }
            }
        }
    }
    for (stream, store) in &stores {
        if stream.as_str() != register::STREAM {
            continue;
        }
        match walk::<Register>(store, stream, &mut Nothing) {
            Ok(register) => known = Some(register),
            Err(error) => found.problem(
                "damaged-journal",
                format!("journal/house.sqlite: {error}"),
                "keep it as it is, restore a backup beside it and verify that",
            ),
        }
    }
    let register = known?;
    for (table, mark) in &register.reached {
        let store = stores
            .iter()
            .find(|(stream, _)| stream.as_str() == table.as_str());
        let there = streams
            .iter()
            .any(|stream| stream.as_str() == table.as_str());
        match store {
            None if there => {}
            None => found.problem(
                "journal-missing",
                format!("journal/{table}.sqlite is missing: {table} has been played at"),
                "put its newest file back; the other tables play",
            ),
            Some((_, store)) => {
                if let Err(NotHeld::Older(what)) = check_holds(store, mark) {
                    found.problem(
                        "older-journal",
                        format!("journal/{table}.sqlite is an older copy: {what}"),
                        "put the table's newest file back before you start",
                    );
                }
            }
        }
    }
    Some(register)
}

/// What the register says the house is, against the files beside it.
fn identity(data: &Path, register: &Register, found: &mut Findings) {
    let Some(known) = &register.identity else {
        return;
    };
    let keys = data.join("keys");
    if let Ok(secrets) = Secrets::open(&keys)
        && let Err(error) = secrets.check(&keys, known)
    {
        found.problem(
            "another-secret",
            &error,
            "restore the secret from a backup of this house",
        );
    }
    let word = match known.kind {
        HouseKind::RealMoney => "real money",
        HouseKind::PlayMoney | HouseKind::Practice => "play money",
    };
    if let Ok(said) = std::fs::read_to_string(data.join(MONEY_FILE))
        && said.trim() != word
    {
        found.problem(
            "other-money",
            format!("{MONEY_FILE} was changed: the journal says that the house plays for {word}"),
            &format!("write \"{word}\" into it again, and find out who changed it"),
        );
    }
}

/// The plan against what has been played.
fn compare(data: &Path, streams: &[StreamId], plan: &HousePlan, found: &mut Findings) {
    for stream in streams {
        let name = stream.as_str();
        let planned = plan.tables.iter().any(|table| table.name.as_str() == name);
        if name != register::STREAM && !planned {
            found.warning(
                "table-not-planned",
                format!(
                    "{name} has a journal in {} and is not in the plan",
                    data.display()
                ),
                "add the table to the plan again, or leave its journal where it is: it is a record",
            );
        }
    }
    let word = if plan.real_money {
        "real money"
    } else {
        "play money"
    };
    if let Ok(said) = std::fs::read_to_string(data.join(MONEY_FILE))
        && said.trim() != word
    {
        found.problem(
            "other-plan",
            format!(
                "the plan is for {word} and {} is a house for {}",
                data.display(),
                said.trim()
            ),
            "start it with its own plan, or name another data folder",
        );
    }
}
