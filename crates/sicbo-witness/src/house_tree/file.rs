//! The tree's file: where it is, how it is opened, and how a new one is put in
//! place whole.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{APPLICATION_ID, HouseTree, TREE_FORMAT, TreeError};

impl HouseTree {
    /// Where the tree of a data folder is.
    pub fn path_in(data: &Path) -> PathBuf {
        data.join("tree").join("tree.sqlite")
    }

    /// Opens the tree of a data folder for writing; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is no tree.
    pub fn open(data: &Path) -> Result<Option<HouseTree>, TreeError> {
        HouseTree::open_with(data, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens the tree of a data folder for reading, also beside the house.
    ///
    /// # Errors
    /// When it cannot be read, or is no tree.
    pub fn open_to_read(data: &Path) -> Result<Option<HouseTree>, TreeError> {
        HouseTree::open_with(data, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn open_with(data: &Path, flags: OpenFlags) -> Result<Option<HouseTree>, TreeError> {
        let path = HouseTree::path_in(data);
        if !path.exists() {
            return Ok(None);
        }
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        HouseTree::around(&path, Connection::open_with_flags(&path, flags)).map(Some)
    }

    /// Makes an empty tree for a life of the house. One of an earlier life is
    /// put aside under its number, as evidence.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(data: &Path, life: u32) -> Result<HouseTree, TreeError> {
        let path = HouseTree::path_in(data);
        let io = |error: std::io::Error| TreeError::Io {
            path: path.clone(),
            what: error.to_string(),
        };
        let folder = data.join("tree");
        make_folder(&folder).map_err(io)?;
        put_aside(&folder, &path).map_err(io)?;
        let unfinished = folder.join("tree.unfinished");
        match std::fs::remove_file(&unfinished) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
        let failed = |error| TreeError::sqlite(&path, &error);
        let make = || -> rusqlite::Result<()> {
            let connection = Connection::open(&unfinished)?;
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "application_id", APPLICATION_ID)?;
            connection.pragma_update(None, "user_version", TREE_FORMAT)?;
            connection.execute("INSERT INTO meta (life) VALUES (?1)", [life])?;
            connection.close().map_err(|(_, error)| error)
        };
        make().map_err(failed)?;
        owner_only(&unfinished).map_err(io)?;
        // In place whole, so that half a tree is never found.
        let file = std::fs::File::open(&unfinished).map_err(io)?;
        file.sync_all().map_err(io)?;
        std::fs::rename(&unfinished, &path).map_err(io)?;
        sync_folder(&folder).map_err(io)?;
        sync_folder(data).map_err(io)?;
        HouseTree::open(data)?.ok_or_else(|| TreeError::damaged(&path, "it is gone again"))
    }
}

pub(super) const SCHEMA: &str = "
    -- Which life of the house the tree is of: it grows when a house goes on after a rollback.
    CREATE TABLE meta (life INTEGER NOT NULL) STRICT;
    -- One block of one stream; leaf hash = SHA-256(0x00 || header_sha256).
    CREATE TABLE leaves (
        place INTEGER PRIMARY KEY,
        stream TEXT NOT NULL,
        first_sequence INTEGER NOT NULL,
        last_sequence INTEGER NOT NULL,
        header_sha256 BLOB NOT NULL CHECK (length(header_sha256) = 32),
        UNIQUE (stream, first_sequence)
    ) STRICT;
    -- Complete nodes of the RFC 6962 tree; level 0 holds the leaf hashes.
    CREATE TABLE nodes (
        level INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        PRIMARY KEY (level, place)
    ) STRICT, WITHOUT ROWID;
    -- Signed heads, with cosignatures where a witness gave one.
    CREATE TABLE heads (
        size INTEGER PRIMARY KEY,
        time_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        cosigned_s INTEGER
    ) STRICT;
";

/// Moves an earlier life's tree out of the way, never over another.
fn put_aside(folder: &Path, path: &Path) -> std::io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    // What a crash left half done is undone before the file has another name.
    if let Ok(connection) = Connection::open(path) {
        let _ = connection.query_row("SELECT life FROM meta", [], |_| Ok(()));
    }
    let free = (1_u32..)
        .map(|number| folder.join(format!("earlier-{number}.sqlite")))
        .find(|aside| !aside.exists());
    match free {
        Some(aside) => std::fs::rename(path, aside),
        None => Ok(()),
    }
}

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

pub(crate) fn owner_only(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) {
        std::fs::File::open(path)?.sync_all()
    } else {
        Ok(())
    }
}
