//! The write-ahead log as an earlier process left it, made durable before
//! anyone believes it.
//!
//! When a sync fails, the operating system gives up the pages it could not
//! write and still shows them to every reader. A process that starts then reads
//! frames that are on no disk, goes on behind them and acknowledges; the next
//! power cut leaves a hole, and SQLite drops everything behind a hole. So
//! whatever stands in the log at a start is written again, byte for byte, and
//! synced before SQLite sees it.
//!
//! The same holds for pages that were folded into the database. SQLite folds
//! every frame in again after a start, unless another process has kept the log's
//! index alive with its count of frames that are folded in already. Those pages
//! may have been given up, so they are written once more from the log's frames.
//! The database itself is never read for it: its pages have no checksum, and one
//! read wrong would be written back wrong.
//!
//! Each step may be cut off by a crash and is simply done again:
//! - While the log is written again its durable sectors are replaced by the same
//!   bytes, so nothing that was acknowledged can be lost.
//! - While pages of the database are written again the log is durable and holds
//!   each of them, so a torn page is never read.
//! - If any sync fails, the store does not open; the next start begins anew.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::files::RawFile;
use super::open::OpenError;
use super::vfs::{Vfs, log_path};

/// Bytes before the first frame.
const HEADER: usize = 32;

/// Bytes before the page of a frame.
const FRAME_HEADER: usize = 24;

/// The least a disk writes whole.
const SECTOR: u64 = 512;

/// The log begins with this; the lowest bit says in which order its checksums
/// take the bytes of a word.
const MAGIC: u32 = 0x377f_0682;

/// How often a log is looked at that is not the same each time.
const MAX_LOOKS: usize = 16;

/// Makes the log durable. Returns how many frames SQLite will find in it.
pub(super) fn make_durable(path: &Path, vfs: &Vfs) -> Result<u64, OpenError> {
    let failed = |error: io::Error| unsynced(path, &error);
    let Some(main) = vfs.files().open(path).map_err(failed)? else {
        return Ok(0);
    };
    if !is_journal(main.as_ref()).map_err(failed)? {
        // Somebody else's file is refused later, untouched.
        return Ok(0);
    }
    let Some(log) = vfs.files().open(&log_path(path)).map_err(failed)? else {
        return Ok(0);
    };
    let length = log.length().map_err(failed)?;
    let damaged = |what: String| OpenError::Damaged {
        path: path.to_owned(),
        what,
    };
    let Some(mut walk) = Walk::begin(log.as_ref(), length).map_err(failed)? else {
        // SQLite syncs a log's header before it writes the first frame. So a
        // header that never arrived has nothing behind it, and SQLite may take
        // the log for empty; one that has frames behind it was there once.
        let frames = frames_without_header(main.as_ref(), log.as_ref(), length);
        if frames.map_err(failed)? {
            return Err(damaged(HEADER_LOST.to_owned()));
        }
        return Ok(0);
    };
    let mut committed = 0;
    while let Some(frame) = walk.next().map_err(failed)? {
        if frame.commits {
            committed = walk.frames;
        }
    }
    let verified = walk.frames;
    if walk.hides_a_synced_commit().map_err(failed)? {
        return Err(damaged(gap_after(verified)));
    }
    rewrite_log(log.as_ref(), length, committed).map_err(failed)?;
    Ok(committed)
}

/// Looks at a log as [`make_durable`] does and writes nothing, also beside a house
/// that runs: a frame that is just being written, or a log that just began anew,
/// is not the same at the next look; what is damaged is.
pub(super) fn check(path: &Path, vfs: &Vfs) -> Result<(), OpenError> {
    let mut known = None;
    for _ in 0..MAX_LOOKS {
        let found = match find_damage(path, vfs) {
            // It became shorter meanwhile.
            Err(OpenError::Misread { .. }) => continue,
            found => found?,
        };
        let Some(found) = found else {
            return Ok(());
        };
        if known.as_ref() == Some(&found) {
            return Err(OpenError::Damaged {
                path: path.to_owned(),
                what: found.1,
            });
        }
        known = Some(found);
    }
    Ok(())
}

/// What is wrong with a log, with the header under which it is.
fn find_damage(path: &Path, vfs: &Vfs) -> Result<Option<(Vec<u8>, String)>, OpenError> {
    let failed = |error: io::Error| unsynced(path, &error);
    let Some(log) = vfs.files().open_log(&log_path(path)).map_err(failed)? else {
        return Ok(None);
    };
    let length = log.length().map_err(failed)?;
    let header = |log: &dyn RawFile| {
        let mut header = vec![0; HEADER];
        let read = log.read_at(0, &mut header);
        read.map_or_else(|_| Vec::new(), |()| header)
    };
    let Some(mut walk) = Walk::begin(log.as_ref(), length).map_err(failed)? else {
        // An auditor may have no rights to write, which opening a journal takes.
        let Ok(Some(main)) = vfs.files().open(path) else {
            return Ok(None);
        };
        let frames = frames_without_header(main.as_ref(), log.as_ref(), length);
        let lost = frames.map_err(failed)?;
        return Ok(lost.then(|| (header(log.as_ref()), HEADER_LOST.to_owned())));
    };
    while walk.next().map_err(failed)?.is_some() {}
    let verified = walk.frames;
    let hidden = walk.hides_a_synced_commit().map_err(failed)?;
    Ok(hidden.then(|| (walk.header.to_vec(), gap_after(verified))))
}

/// What is said of a log whose header is not whole.
const HEADER_LOST: &str = "its write-ahead log has a damaged header and whole frames behind it";

fn gap_after(verified: u64) -> String {
    format!("its write-ahead log has a gap after frame {verified} and whole commits behind the gap")
}

/// Makes durable what was folded into the database from the log's first
/// `folded` frames, by the count that another process kept alive.
pub(super) fn make_folded_durable(path: &Path, vfs: &Vfs, folded: u64) -> Result<(), OpenError> {
    if folded == 0 {
        return Ok(());
    }
    let failed = |error: io::Error| unsynced(path, &error);
    let open = |path: &Path| {
        let file = vfs.files().open(path).map_err(failed)?;
        file.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))
    };
    let (main, log) = (open(path)?, open(&log_path(path))?);
    rewrite_pages(main.as_ref(), log.as_ref(), folded).map_err(failed)
}

fn unsynced(path: &Path, error: &io::Error) -> OpenError {
    if matches!(
        error.kind(),
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    ) {
        let (path, what) = (path.to_owned(), error.to_string());
        return OpenError::Misread { path, what };
    }
    match OpenError::from_io(path, error) {
        OpenError::Failed { path, what } => OpenError::Unsynced { path, what },
        other => other,
    }
}

/// Whether the file is a journal, or one whose making was cut off.
fn is_journal(main: &dyn RawFile) -> io::Result<bool> {
    let mut start = [0; 100];
    if main.length()? < start.len() as u64 {
        return Ok(false);
    }
    main.read_at(0, &mut start)?;
    let id = word(&start, 68) as i32;
    Ok(start.starts_with(b"SQLite format 3\0") && (id == 0 || id == super::open::APPLICATION_ID))
}

fn reads_differently() -> io::Error {
    let what = "a frame that had verified did not verify again";
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes the committed frames again, as they were read, and syncs.
fn rewrite_log(log: &dyn RawFile, length: u64, committed: u64) -> io::Result<()> {
    let mut walk = Walk::begin(log, length)?.ok_or_else(reads_differently)?;
    log.write_at(0, &walk.header)?;
    while walk.frames < committed {
        let at = walk.at();
        walk.next()?.ok_or_else(reads_differently)?;
        log.write_at(at, &walk.frame)?;
    }
    log.sync()
}

/// Writes the pages of the log's first frames into the database, each as its
/// last frame among them has it, and syncs. A reader beside us may look at the
/// database meanwhile, so no older copy of a page may stand there for a moment.
fn rewrite_pages(main: &dyn RawFile, log: &dyn RawFile, frames: u64) -> io::Result<()> {
    let begin = || Walk::begin(log, log.length()?)?.ok_or_else(reads_differently);
    let (mut walk, mut last) = (begin()?, BTreeMap::new());
    while walk.frames < frames {
        let frame = walk.next()?.ok_or_else(reads_differently)?;
        last.insert(frame.page, walk.frames);
    }
    let mut walk = begin()?;
    while walk.frames < frames {
        let page = walk.next()?.ok_or_else(reads_differently)?.page;
        if last.get(&page) == Some(&walk.frames) {
            let at = (u64::from(page) - 1) * walk.page_size as u64;
            main.write_at(at, &walk.frame[FRAME_HEADER..])?;
        }
    }
    main.sync()
}

struct Frame {
    page: u32,
    commits: bool,
}

/// Reads a log's frames as far as they verify.
struct Walk<'a> {
    log: &'a dyn RawFile,
    length: u64,
    header: [u8; HEADER],
    page_size: usize,
    /// Frames that verified so far.
    frames: u64,
    /// The last frame read, with its header.
    frame: Vec<u8>,
    sum: (u32, u32),
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(word)
}

impl<'a> Walk<'a> {
    /// `None` when the header is not whole.
    fn begin(log: &'a dyn RawFile, length: u64) -> io::Result<Option<Walk<'a>>> {
        let mut header = [0; HEADER];
        if length < HEADER as u64 {
            return Ok(None);
        }
        log.read_at(0, &mut header)?;
        let page_size = word(&header, 8) as usize;
        let known = word(&header, 0) & !1 == MAGIC
            && page_size.is_power_of_two()
            && (512..=65_536).contains(&page_size);
        if !known {
            return Ok(None);
        }
        let mut walk = Walk::of(log, length, header, page_size);
        walk.sum = walk.checksum((0, 0), &header[..24]);
        let whole = walk.sum == (word(&header, 24), word(&header, 28));
        Ok(whole.then_some(walk))
    }

    fn of(log: &'a dyn RawFile, length: u64, header: [u8; HEADER], page_size: usize) -> Walk<'a> {
        Walk {
            log,
            length,
            header,
            page_size,
            frames: 0,
            frame: vec![0; FRAME_HEADER + page_size],
            sum: (0, 0),
        }
    }

    /// SQLite's checksum, continued over more bytes.
    fn checksum(&self, sum: (u32, u32), bytes: &[u8]) -> (u32, u32) {
        bytes.chunks_exact(8).fold(sum, |(first, second), pair| {
            let first = first
                .wrapping_add(self.word(&pair[..4]))
                .wrapping_add(second);
            let second = second
                .wrapping_add(self.word(&pair[4..]))
                .wrapping_add(first);
            (first, second)
        })
    }

    /// A word as the checksum takes it.
    fn word(&self, bytes: &[u8]) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(bytes);
        if self.header[3] & 1 == 1 {
            u32::from_be_bytes(word)
        } else {
            u32::from_le_bytes(word)
        }
    }

    fn offset(&self, frame: u64) -> u64 {
        HEADER as u64 + frame * (FRAME_HEADER + self.page_size) as u64
    }

    /// Where the next frame begins.
    fn at(&self) -> u64 {
        self.offset(self.frames)
    }

    /// Reads a frame into `self.frame`; false behind the end of the file.
    fn read(&mut self, frame: u64) -> io::Result<bool> {
        let at = self.offset(frame);
        if at + self.frame.len() as u64 > self.length {
            return Ok(false);
        }
        self.log.read_at(at, &mut self.frame)?;
        Ok(true)
    }

    fn is_of_this_log(&self) -> bool {
        self.frame[8..16] == self.header[16..24]
    }

    fn stated_sum(&self) -> (u32, u32) {
        (word(&self.frame, 16), word(&self.frame, 20))
    }

    /// The sum of the frame last read, behind one with this sum.
    fn sum_after(&self, before: (u32, u32)) -> (u32, u32) {
        let sum = self.checksum(before, &self.frame[..8]);
        self.checksum(sum, &self.frame[FRAME_HEADER..])
    }

    /// The next frame, if it verifies.
    fn next(&mut self) -> io::Result<Option<Frame>> {
        if !self.read(self.frames)? {
            return Ok(None);
        }
        let (page, sum) = (word(&self.frame, 0), self.sum_after(self.sum));
        if !self.is_of_this_log() || page == 0 || sum != self.stated_sum() {
            return Ok(None);
        }
        (self.frames, self.sum) = (self.frames + 1, sum);
        let commits = self.ends_commit();
        Ok(Some(Frame { page, commits }))
    }

    /// Whether a commit that is cut off by the frame that did not verify was
    /// synced once. Each commit is synced before the next begins, so a crash
    /// leaves at most one unfinished, and a commit that another frame continues
    /// was finished and acknowledged.
    ///
    /// Which frame continues which is told by the sums: each is the sum of all
    /// frames up to its own. One field of a frame may be wrong and the rest of it
    /// still be known, so a frame is continued either from the sum it states or
    /// from the sum it should state.
    fn hides_a_synced_commit(&mut self) -> io::Result<bool> {
        let end = self.frames;
        // Where a write may disturb the bytes beside it, SQLite repeats the last
        // frame of a commit up to the end of a sector, and what is behind that
        // sector is synced with the next commit only: the copy is no commit.
        let (mut copy, mut copied) = (None, [0; 8]);
        if end > 0 && self.read(end - 1)? && self.ends_commit() {
            copy = Some(self.sum_after(self.sum));
            copied.copy_from_slice(&self.frame[..8]);
        }
        // Sums the frame before may have, and whether it ends a commit then.
        let mut before = vec![(self.sum, false)];
        let mut known = Some(self.sum);
        for at in end.. {
            if !self.read(at)? {
                break;
            }
            let stated = self.stated_sum();
            let ends = self.ends_commit() || known.is_some_and(|sum| self.ended_commit(sum));
            // Frames of an earlier log lie behind the end of this one, and
            // continue each other too: wrong salts are forgiven only behind a
            // frame that is known to be of this log.
            let is_ours = self.is_of_this_log();
            let mut continued = before.iter().filter(|(sum, _)| {
                (is_ours || known == Some(*sum)) && self.sum_after(*sum) == stated
            });
            let (whole, after_commit) = match continued.next() {
                Some((_, after_commit)) => (true, *after_commit),
                None => (false, false),
            };
            if after_commit {
                return Ok(true);
            }
            let should_be = known.map(|sum| self.sum_after(sum));
            before.clear();
            if whole || is_ours {
                // The header of a copy may be cut by the end of the sector: then
                // its sums are still those of an unfinished commit that once
                // stood there, and frames of that one continue it.
                let cut = at == end && copy.is_some() && self.is_cut(at);
                let is_copy = Some(stated) == copy || (cut && self.frame[..8] == copied);
                before.push((stated, ends && !is_copy));
            }
            before.extend(should_be.map(|sum| (sum, ends && Some(sum) != copy)));
            if at == end {
                before.extend(copy.map(|sum| (sum, false)));
            }
            known = whole.then_some(stated);
        }
        Ok(false)
    }

    /// Whether a frame's header stands in two sectors, which a crash may part.
    fn is_cut(&self, frame: u64) -> bool {
        self.offset(frame) % SECTOR + FRAME_HEADER as u64 > SECTOR
    }

    /// The frame last read ends a commit: it states the size of the database.
    fn ends_commit(&self) -> bool {
        word(&self.frame, 4) != 0
    }

    /// The same, where that size is the one field that is wrong: taking the page
    /// back out of the frame's sum leaves what the sum was made of before.
    fn ended_commit(&self, before: (u32, u32)) -> bool {
        let page = self.frame[FRAME_HEADER..].chunks_exact(8).rev();
        let (first, second) = page.fold(self.stated_sum(), |(first, second), pair| {
            let second = second
                .wrapping_sub(self.word(&pair[4..]))
                .wrapping_sub(first);
            let first = first
                .wrapping_sub(self.word(&pair[..4]))
                .wrapping_sub(second);
            (first, second)
        });
        let number = first.wrapping_sub(before.0).wrapping_sub(before.1);
        let size = second.wrapping_sub(before.1).wrapping_sub(first);
        number == self.word(&self.frame[..4]) && size != 0
    }
}

/// Whether frames can be made out behind a header that does not verify.
fn frames_without_header(main: &dyn RawFile, log: &dyn RawFile, length: u64) -> io::Result<bool> {
    let mut start = [0; 20];
    main.read_at(0, &mut start)?;
    let page_size = match u16::from_be_bytes([start[16], start[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    if length < HEADER as u64 || !page_size.is_power_of_two() || page_size < 512 {
        return Ok(false);
    }
    let mut header = [0; HEADER];
    log.read_at(0, &mut header)?;
    // The bit that says the order of bytes may be the wrong one.
    for order in [0, 1] {
        let mut tried = header;
        tried[3] = MAGIC as u8 | order;
        let mut walk = Walk::of(log, length, tried, page_size);
        let stated = (word(&header, 24), word(&header, 28));
        let mut before = vec![walk.checksum((0, 0), &header[..24]), stated];
        let mut salts = None;
        for at in 0.. {
            if !walk.read(at)? {
                break;
            }
            let own: [u8; 8] = std::array::from_fn(|i| walk.frame[8 + i]);
            let same_log = salts.is_none_or(|salts| salts == own);
            let whole = |sum: &(u32, u32)| walk.sum_after(*sum) == walk.stated_sum();
            if word(&walk.frame, 0) != 0 && same_log && before.iter().any(whole) {
                return Ok(true);
            }
            (before, salts) = (vec![walk.stated_sum()], Some(own));
        }
    }
    Ok(false)
}
