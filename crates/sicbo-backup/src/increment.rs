//! Adds to an earlier backup what the house has written since: only new blocks
//! are read and written, and a year of journals is not copied every night.
//!
//! The backup stays an ordinary data folder. A block is added only behind the
//! very block it follows in the house; whether the two folders belong together,
//! and whether what is new is whole, is known before anything is written. Each
//! block is one transaction: an addition that is cut off leaves an older backup,
//! and is simply made again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sicbo_journal::{
    Beside, Chain, DataFolder, Header, KeyRing, RawBlock, SealedBlock, Seals, SignedCheckpoint,
    SqliteStore, Store, StreamId, Tail, TakenOver,
};
use sicbo_table::Table;

use crate::backup::{BackupError, copy_keys, follow, sync};
use crate::tree;
use sicbo_loop::Machine;
use sicbo_loop::replay;
use sicbo_loop::rows;
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_register::Register;
use sicbo_register::enrolment::TableName;

/// What was added to one stream of a backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The stream.
    pub stream: StreamId,
    /// The last record the backup had; 0 for a new stream.
    pub before: u64,
    /// The last record it has now.
    pub last: u64,
    /// Checkpoints among what is new, whose signatures were verified; none where
    /// there are no keys.
    pub signed: u64,
}

/// What was added to a backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// Stream by stream.
    pub streams: Vec<Added>,
    /// The house's public keys were there, and every new signature verified.
    pub signatures: bool,
}

/// Adds what is new in a house's data folder to an earlier backup of it, also
/// while the house runs. New blocks are verified against the chain of the
/// backup and the house's signatures before anything is written, and read back
/// from the backup afterwards; what was there before is not read again.
///
/// # Errors
/// When the two do not belong together or a block or signature does not verify:
/// nothing was added then. When a folder cannot be written: the backup then
/// holds what was added so far, which is whole in itself.
pub fn add(from: &Path, to: &Path, with_secrets: bool) -> Result<Addition, BackupError> {
    let journals = Journals::folder(from)?;
    let purpose = DataFolder::purpose(from)?;
    let base = Journals::folder(to)?;
    if let (Some(house), Some(copy)) = (&journals.ring, &base.ring)
        && house.house() != copy.house()
    {
        return Err(BackupError::AnotherHouse {
            path: to.to_owned(),
        });
    }
    // Nobody runs a house on the backup, and nobody else adds to it.
    let folder = DataFolder::open_for(to, purpose)?;
    let ring = journals.ring.as_ref();
    let tree = tree::copy(from, to)?;
    // First everything is looked at, so that a backup of another journal, or
    // one to which something damaged would be added, is not touched.
    let mut streams = Vec::new();
    for (stream, path) in journals.tables_first() {
        let house = source::open(stream, path)?;
        let copy = DataFolder::stream_path(to, stream);
        let (before, known) = match copy.exists() {
            true => {
                let copy = source::open(stream, &copy)?;
                (copy.tail(), copy.checkpoints()?)
            }
            false => (Tail::default(), Vec::new()),
        };
        check_joins(&house, stream, &before)?;
        let until = house.tail().sequence;
        if stream.as_str() == HOUSE_STREAM {
            check_new::<Register>(&house, stream, (before, until), &known, ring)?;
        } else {
            check_new::<Table>(&house, stream, (before, until), &known, ring)?;
        }
        streams.push((stream, house, before));
    }
    let mut added = Vec::new();
    for (stream, house, _) in &streams {
        let mut copy = folder.open_or_create_stream(stream)?;
        let until = house.tail().sequence;
        added.push(if stream.as_str() == HOUSE_STREAM {
            add_stream::<Register>(house, &mut copy, stream, until, ring)?
        } else {
            add_stream::<Table>(house, &mut copy, stream, until, ring)?
        });
    }
    for more in follow_register(&journals, &folder)? {
        if let Some(one) = added.iter_mut().find(|one| one.stream == more.stream) {
            one.last = more.last;
            one.signed += more.signed;
        }
    }
    for (one, (_, _, before)) in added.iter().zip(&streams) {
        read_back(to, one, *before, ring)?;
    }
    copy_keys(&from.join("keys"), &folder.keys_path(), with_secrets)?;
    tree.put()?;
    drop(folder);
    let io = BackupError::io(to);
    std::fs::remove_file(to.join("lock")).map_err(io)?;
    sync(Some(to)).map_err(io)?;
    Ok(Addition {
        streams: added,
        signatures: ring.is_some(),
    })
}

/// Copies what the streams of a house held up to these records: no backup, but its past, for whoever
/// looks at it. What a copy holds already is not copied again.
///
/// # Errors
/// When a folder cannot be read or written, or a block does not follow the one before.
pub fn until(from: &Path, to: &Path, ends: &BTreeMap<StreamId, u64>) -> Result<(), BackupError> {
    let journals = Journals::folder(from)?;
    let folder = DataFolder::open_or_create_for(to, DataFolder::purpose(from)?)?;
    for (stream, path) in journals.tables_first() {
        let Some(end) = ends.get(stream) else {
            continue;
        };
        // What is damaged behind the end is not of the past that is copied.
        let house = source::open_blocks(stream, path)?;
        let mut copy = folder.open_or_create_stream(stream)?;
        if stream.as_str() == HOUSE_STREAM {
            add_stream::<Register>(&house, &mut copy, stream, *end, None)?;
        } else {
            add_stream::<Table>(&house, &mut copy, stream, *end, None)?;
        }
    }
    copy_keys(&from.join("keys"), &folder.keys_path(), false)?;
    Ok(())
}

/// Brings the tables of a copy to where the register in the copy says that they
/// had come. The house goes on while its streams are copied one after the other,
/// the register last: without this a copy could hold a voucher that is out and,
/// at its table, the credit it was made of.
pub(crate) fn follow_register(
    journals: &Journals,
    folder: &DataFolder,
) -> Result<Vec<Added>, BackupError> {
    let of_house = |(stream, _): &&(StreamId, PathBuf)| stream.as_str() == HOUSE_STREAM;
    let Some((stream, _)) = journals.streams.iter().find(of_house) else {
        return Ok(Vec::new());
    };
    let path = DataFolder::stream_path(folder.path(), stream);
    let ring = journals.ring.as_ref();
    let (register, _) = replay::<Register>(&source::open(stream, &path)?, stream, ring)
        .map_err(|error| damaged(stream, 0, &error))?;
    let mut added = Vec::new();
    for (stream, path) in journals.tables_first() {
        let name = TableName::new(stream.as_str());
        let Some(reached) = name.and_then(|name| register.reached.get(&name)) else {
            continue;
        };
        let copy = DataFolder::stream_path(folder.path(), stream);
        if source::open(stream, &copy)?.tail().sequence < reached.sequence {
            let house = source::open(stream, path)?;
            let mut copy = folder.open_stream(stream)?;
            let ring = journals.ring.as_ref();
            let until = reached.sequence;
            added.push(add_stream::<Table>(&house, &mut copy, stream, until, ring)?);
        }
    }
    Ok(added)
}

fn damaged(stream: &StreamId, sequence: u64, what: &dyn std::fmt::Display) -> BackupError {
    BackupError::Damaged {
        stream: stream.clone(),
        sequence,
        what: what.to_string(),
    }
}

/// Verifies what would be added: each block against itself and the one before,
/// each record, each signature.
pub(crate) fn check_new<M: Machine>(
    house: &SqliteStore,
    stream: &StreamId,
    (before, until): (Tail, u64),
    known: &[SignedCheckpoint],
    ring: Option<&KeyRing>,
) -> Result<(), BackupError> {
    let mut new = NewBlocks::after(house, stream, before, ring)?;
    for raw in house.read_from(before.sequence + 1) {
        let raw = raw?;
        let header = Header::decode(&raw.header);
        if header.is_ok_and(|header| header.last_sequence > until) {
            break;
        }
        let block = new.accept(raw)?;
        for record in block.records() {
            M::decode(record.kind, record.version, record.payload)
                .map_err(|error| damaged(stream, record.sequence, &error))?;
        }
    }
    new.end()?;
    let new = new_checkpoints(house, known, until)?;
    check_signatures(stream, &new, ring)
}

/// Follows blocks behind those that a backup has: the chain, and who signed them.
struct NewBlocks<'s> {
    stream: &'s StreamId,
    chain: Chain,
    /// Without keys no signature can be checked.
    seals: Option<Seals<'s>>,
}

impl<'s> NewBlocks<'s> {
    /// The store must hold the block that ends with `before`, by which is known
    /// whether what follows must be signed, and under which key at least.
    fn after(
        store: &SqliteStore,
        stream: &'s StreamId,
        before: Tail,
        ring: Option<&'s KeyRing>,
    ) -> Result<NewBlocks<'s>, BackupError> {
        let chain = Chain::after(stream.clone(), before);
        let Some(ring) = ring else {
            let seals = None;
            return Ok(NewBlocks {
                stream,
                chain,
                seals,
            });
        };
        let taken_over = TakenOver::find(ring, &store.checkpoints()?);
        let mut seals = Seals::new(ring).held_to(taken_over);
        if before.sequence > 0 {
            let found = store.headers_from(before.sequence).next().transpose()?;
            let found = found.filter(|raw| raw.header.hash() == before.header_hash);
            let raw = found.ok_or_else(|| BackupError::DoesNotJoin {
                stream: stream.clone(),
                sequence: before.sequence,
            })?;
            let header = Header::decode(&raw.header)
                .map_err(|error| damaged(stream, before.sequence, &error))?;
            let accepted = seals.accept_header(&header, &raw.header);
            accepted.map_err(|fault| damaged(stream, fault.sequence, &fault.what))?;
        }
        let seals = Some(seals);
        Ok(NewBlocks {
            stream,
            chain,
            seals,
        })
    }

    fn accept(&mut self, raw: RawBlock) -> Result<SealedBlock, BackupError> {
        let accepted = self.chain.accept(raw).and_then(|block| {
            let sealed = self.seals.as_mut().map(|seals| seals.accept(&block));
            sealed.unwrap_or(Ok(())).map(|()| block)
        });
        accepted.map_err(|fault| damaged(self.stream, fault.sequence, &fault.what))
    }

    /// The last signature speaks for all of its writer's blocks.
    fn end(&mut self) -> Result<(), BackupError> {
        let checked = self.seals.as_mut().map_or(Ok(()), Seals::check_last);
        checked.map_err(|fault| damaged(self.stream, fault.sequence, &fault.what))
    }
}

fn check_signatures(
    stream: &StreamId,
    signed: &[SignedCheckpoint],
    ring: Option<&KeyRing>,
) -> Result<(), BackupError> {
    let Some(ring) = ring else {
        return Ok(());
    };
    for one in signed {
        one.verify(ring)
            .map_err(|error| damaged(stream, one.checkpoint().sequence, &error))?;
    }
    Ok(())
}

/// Reads what was written back from the backup and verifies it again: what a
/// disk has made of it is seen now, not when it is needed.
fn read_back(
    to: &Path,
    added: &Added,
    before: Tail,
    ring: Option<&KeyRing>,
) -> Result<(), BackupError> {
    let stream = &added.stream;
    let copy = source::open(stream, &DataFolder::stream_path(to, stream))?;
    let mut new = NewBlocks::after(&copy, stream, before, ring)?;
    let mut ends = BTreeMap::new();
    for raw in copy.read_from(before.sequence + 1) {
        let block = new.accept(raw?)?;
        ends.insert(block.header().last_sequence, block.header_hash());
    }
    new.end()?;
    let tail = new.chain.tail();
    if tail.sequence != added.last {
        let what = "what was added is not there when it is read back";
        return Err(damaged(stream, tail.sequence + 1, &what));
    }
    let mut signed = copy.checkpoints()?;
    signed.retain(|one| one.checkpoint().sequence > before.sequence);
    for one in signed.iter().map(SignedCheckpoint::checkpoint) {
        if ends.get(&one.sequence) != Some(&one.header_hash) {
            let what = "the checkpoint read back is over another block";
            return Err(damaged(stream, one.sequence, &what));
        }
    }
    check_signatures(stream, &signed, ring)
}

/// The house must hold the block that the backup ends with.
fn check_joins(house: &SqliteStore, stream: &StreamId, tail: &Tail) -> Result<(), BackupError> {
    if tail.sequence == 0 {
        return Ok(());
    }
    let found = house.read_from(tail.sequence).next();
    let found = found
        .transpose()?
        .and_then(|raw| raw.decode().ok())
        .is_some_and(|block| {
            block.header().last_sequence == tail.sequence && block.header_hash() == tail.header_hash
        });
    if found {
        Ok(())
    } else {
        Err(BackupError::DoesNotJoin {
            stream: stream.clone(),
            sequence: tail.sequence,
        })
    }
}

fn add_stream<M: Machine>(
    house: &SqliteStore,
    copy: &mut SqliteStore,
    stream: &StreamId,
    until: u64,
    ring: Option<&KeyRing>,
) -> Result<Added, BackupError> {
    let before = copy.tail();
    let mut signed = new_checkpoints(house, &copy.checkpoints()?, until)?;
    check_signatures(stream, &signed, ring)?;
    let count = ring.map_or(0, |_| signed.len() as u64);
    signed.reverse();
    // What is signed over blocks the backup has already.
    while let Some(one) = signed.pop_if(|one| one.checkpoint().sequence <= before.sequence) {
        copy.put_checkpoint(&one)?;
    }
    let (mut state, found) = replay::<M>(copy, stream, ring)
        .map_err(|error| damaged(stream, before.sequence, &error))?;
    let mut first = found.round_first;
    let mut chain = Chain::after(stream.clone(), before);
    for raw in house.read_from(before.sequence + 1) {
        // Nothing beyond the end is looked at, damaged or not.
        if copy.tail().sequence >= until {
            break;
        }
        let block = chain
            .accept(raw?)
            .map_err(|fault| damaged(stream, fault.sequence, &fault.what))?;
        let end = block.header().last_sequence;
        if end > until {
            break;
        }
        let changes = follow(&mut state, &block, &mut first)
            .map_err(|(sequence, error)| damaged(stream, sequence, &error))?;
        let own = signed.pop_if(|one| one.checkpoint().sequence <= end);
        let beside = Beside {
            rounds: &rows(copy, &changes),
            checkpoint: own.as_ref(),
        };
        copy.append(&block, beside)?;
        while let Some(more) = signed.pop_if(|one| one.checkpoint().sequence <= end) {
            copy.put_checkpoint(&more)?;
        }
    }
    let tail = copy.tail();
    // The next addition begins from here instead of the beginning. Only the
    // house's writer can sign a state, so what is kept is one of the house's.
    if let Some(newest) = house.snapshot_before(tail.sequence + 1)?
        && newest.sequence > before.sequence
    {
        copy.put_snapshot(&newest)?;
    }
    Ok(Added {
        stream: stream.clone(),
        before: before.sequence,
        last: tail.sequence,
        signed: count,
    })
}

/// The house's checkpoints that the backup lacks, in order.
fn new_checkpoints(
    house: &SqliteStore,
    known: &[SignedCheckpoint],
    last: u64,
) -> Result<Vec<SignedCheckpoint>, BackupError> {
    let known: BTreeSet<&str> = known.iter().map(SignedCheckpoint::message).collect();
    let mut signed = house.checkpoints()?;
    signed.retain(|one| one.checkpoint().sequence <= last && !known.contains(one.message()));
    signed.sort_by_key(|one| one.checkpoint().sequence);
    Ok(signed)
}

#[cfg(test)]
mod tests {
    use sicbo_journal::{CheckpointReason, HouseKey, Signatory, WriterSecret};

    use super::*;
    use sicbo_loop::{Effect, Input, LoopOptions};
    use sicbo_loop::{recover, sign_tail};
    use sicbo_register::command::{Act, Command, Party};
    use sicbo_register::reached::Reached;

    /// Notes in the register of a folder how far a table had come.
    fn note(folder: &DataFolder, house: &StreamId, table: &str, reached: Reached) {
        let mut store = folder.open_stream(house).expect("the register");
        let secret = WriterSecret::new([9; 32]);
        let signatory = Signatory::of_first_key(HouseKey::from_entropy(&[7; 32]), secret);
        let options = LoopOptions::default();
        // The golden house was not stopped in good order.
        let (key, reason) = (HouseKey::from_entropy(&[7; 32]), CheckpointReason::Adopted);
        sign_tail(&mut store, &key, key.id(), house.clone(), 0, reason);
        let found = recover::<Register, ()>(&store, house, &signatory, options);
        let found = found.expect("recovers");
        let (mut writer, mut effects) = (found.writer_loop, Vec::new());
        let command = Box::new(Command {
            id: 1,
            at_ms: found.last_ms,
            by: Party::House,
            second: None,
            act: Act::NoteTable {
                table: TableName::new(table).expect("a name"),
                reached,
            },
        });
        writer.step(Input::Submit { reply: (), command }, &mut effects);
        writer.step(Input::Flush, &mut effects);
        let [Effect::Append(order)] = &effects[..] else {
            panic!("one block: {effects:?}");
        };
        store.append(&order.block, Beside::default()).expect("kept");
    }

    /// Somebody changes the last block of a journal and everything that is under no signature.
    fn change_last(path: &Path, change: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>)) {
        let file = rusqlite::Connection::open(path).expect("a database");
        let guard = "SELECT sql FROM sqlite_schema WHERE name = 'a_block_is_never_changed'";
        let guard: String = file
            .query_row(guard, [], |row| row.get(0))
            .expect("a guard");
        let last = "SELECT first_sequence, header, body FROM blocks ORDER BY 1 DESC LIMIT 1";
        let (at, mut header, mut body): (i64, Vec<u8>, Vec<u8>) = file
            .query_row(last, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .expect("a block");
        change(&mut header, &mut body);
        let hash = sicbo_journal::Hash::of(&header).0;
        file.execute_batch("DROP TRIGGER a_block_is_never_changed")
            .expect("dropped");
        let update = "UPDATE blocks SET header = ?2, body = ?3, header_sha256 = ?4 \
                      WHERE first_sequence = ?1";
        file.execute(update, rusqlite::params![at, header, body, hash])
            .expect("changed");
        file.execute_batch(&guard).expect("put back");
    }

    /// A copy of a house's folder of block format 2, and the place of another.
    fn signed_house(places: &Path) -> (PathBuf, PathBuf) {
        let golden =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../sicbo-proof/tests/golden/house-2");
        let from = places.join("house");
        for file in [
            "data-folder.txt",
            "journal/mbs-etg.sqlite",
            "keys/1/public.pem",
            "keys/2/public.pem",
            "keys/2/hand-over.txt",
            "keys/2/hand-over.old.sig",
            "keys/2/hand-over.new.sig",
        ] {
            let to = from.join(file);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            std::fs::copy(golden.join(file), to).expect("copied");
        }
        (from, places.join("copy"))
    }

    #[test]
    fn a_block_that_its_writer_did_not_sign_is_not_added() {
        let places = tempfile::tempdir().expect("a folder");
        let (from, to) = signed_house(places.path());
        let made = DataFolder::create(&to).expect("a folder");
        drop(made);
        let journal = from.join("journal/mbs-etg.sqlite");
        let whole = std::fs::read(&journal).expect("read");
        change_last(&journal, |header, _| {
            // The last bytes of a header are its signature.
            let last = header.len() - 1;
            header[last] ^= 1;
        });
        let added = add(&from, &to, false);
        let words = "its block is not signed by its writer";
        let refused = matches!(&added, Err(BackupError::Damaged { what, .. }) if what == words);
        assert!(refused, "{added:?}");
        assert!(!to.join("journal/mbs-etg.sqlite").exists(), "nothing added");
        std::fs::write(&journal, whole).expect("put back");
        let added = add(&from, &to, false).expect("added");
        assert!(added.signatures && added.streams[0].last > 0);
    }

    #[test]
    fn backup_reads_back_what_it_added() {
        type Change = fn(&mut Vec<u8>, &mut Vec<u8>);
        let changes: [(&str, Change); 2] = [
            ("a record", |_, body| {
                body.iter_mut().for_each(|byte| *byte = 0)
            }),
            ("a signature", |header, _| {
                let last = header.len() - 1;
                header[last] ^= 1;
            }),
        ];
        for (what, change) in changes {
            let places = tempfile::tempdir().expect("a folder");
            let (from, to) = signed_house(places.path());
            drop(DataFolder::create(&to).expect("a folder"));
            let added = add(&from, &to, false).expect("added");
            let ring = Journals::folder(&from).expect("a folder").ring;
            let back = || read_back(&to, &added.streams[0], Tail::default(), ring.as_ref());
            back().expect("as it was written");
            // A disk that makes something else of what is written.
            change_last(&to.join("journal/mbs-etg.sqlite"), change);
            let found = back();
            assert!(
                matches!(
                    found,
                    Err(BackupError::Damaged { .. } | BackupError::Open(_))
                ),
                "{what}: {found:?}"
            );
        }
    }

    /// A house that goes on while it is copied: its register is copied last and
    /// knows of more than the copies of its tables hold.
    #[test]
    fn a_table_is_copied_as_far_as_the_copied_register_says_and_no_further() {
        let golden =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../sicbo-proof/tests/golden/register");
        let places = tempfile::tempdir().expect("a folder");
        let (from, to) = (places.path().join("house"), places.path().join("copy"));
        std::fs::create_dir_all(from.join("journal")).expect("a folder");
        let files = [
            "data-folder.txt",
            "journal/house.sqlite",
            "journal/mbs-etg.sqlite",
        ];
        for file in files {
            std::fs::copy(golden.join(file), from.join(file)).expect("copied");
        }
        let [house, table] =
            [HOUSE_STREAM, "mbs-etg"].map(|name| StreamId::new(name).expect("a name"));
        let source = |stream: &StreamId| {
            source::open(stream, &DataFolder::stream_path(&from, stream)).expect("a journal")
        };
        let blocks = source(&table);
        let ends: Vec<Reached> = blocks
            .read_from(1)
            .map(|raw| {
                let block = raw.expect("read").decode().expect("whole");
                Reached {
                    sequence: block.header().last_sequence,
                    header_hash: block.header_hash().0,
                }
            })
            .collect();
        let (copied, noted) = (ends[2], ends[ends.len() - 2]);
        assert!(copied.sequence < noted.sequence);
        let running = DataFolder::open(&from).expect("a folder");
        note(&running, &house, "mbs-etg", noted);
        let folder = DataFolder::create(&to).expect("a folder");
        let mut copy = folder.create_stream(&table).expect("a journal");
        add_stream::<Table>(&blocks, &mut copy, &table, copied.sequence, None).expect("added");
        drop(copy);
        let register = source(&house);
        let until = register.tail().sequence;
        let mut copy = folder.create_stream(&house).expect("a journal");
        add_stream::<Register>(&register, &mut copy, &house, until, None).expect("added");
        drop(copy);

        let journals = Journals::folder(&from).expect("a folder");
        let added = follow_register(&journals, &folder).expect("followed");
        let [added] = &added[..] else {
            panic!("one table: {added:?}");
        };
        assert_eq!(
            (added.before, added.last),
            (copied.sequence, noted.sequence)
        );
        let tail = source::open(&table, &DataFolder::stream_path(&to, &table));
        let tail = tail.expect("a journal").tail();
        assert_eq!(
            (tail.sequence, tail.header_hash.0),
            (noted.sequence, noted.header_hash)
        );
        let again = follow_register(&journals, &folder).expect("followed");
        assert_eq!(again, [], "nothing more to follow");
    }
}
