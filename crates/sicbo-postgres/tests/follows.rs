//! Who leads, and the nodes that follow with copies of their own.

use std::time::Duration;

use sicbo_journal::*;
use sicbo_postgres::servers::Servers;
use sicbo_postgres::*;

use crate::common::{
    database, fresh, house, key, lead, one_written, ring, seal, server, stream, writer,
};

#[test]
fn nodes_follow_and_take_over() {
    let servers = Servers::start(2).unwrap();
    the_lead_changes(&servers);
    copies_follow(&servers);
    nothing_uncertain_is_copied(&servers);
    an_older_truth_is_refused(&servers);
    a_forged_block_is_not_copied(&servers);
    a_leader_takes_over_with_its_copy(&servers);
}

fn leadership(server: &Server, node: &str) -> Leadership {
    Leadership::open(server, &house(), node).unwrap()
}

fn the_lead_changes(servers: &Servers) {
    const PATIENCE: Duration = Duration::from_millis(400);
    let server = fresh(servers);
    let (mut left, mut right) = (leadership(&server, "left"), leadership(&server, "right"));
    // A new house is free.
    assert_eq!(left.take_if_free(PATIENCE).unwrap(), Some(1));
    // While the leader beats, nobody takes over, however often they look.
    for _ in 0..30 {
        left.beat().unwrap();
        assert_eq!(right.take_if_free(PATIENCE).unwrap(), None);
    }
    // It falls silent (held still, dead, or cut off).
    let taken = (0..10_000).find_map(|_| {
        let taken = right.take_if_free(PATIENCE).unwrap();
        std::thread::yield_now();
        taken
    });
    assert_eq!(taken, Some(2));
    let fenced = left.beat().unwrap_err();
    assert_eq!(
        fenced.to_string(),
        "right leads the house now (term 2): this node has lost the lead and writes nothing more"
    );
    // Handed over, it is taken at once, with any patience.
    right.hand_over().unwrap();
    assert_eq!(
        left.take_if_free(Duration::from_secs(3600)).unwrap(),
        Some(3)
    );
    // Two that saw the same: one of them gets it.
    let seen = Truth::open(&server, &house()).unwrap().leader().unwrap();
    assert_eq!(right.take(&seen).unwrap(), Some(4));
    assert_eq!(leadership(&server, "third").take(&seen).unwrap(), None);
}

fn memory(disk: &MemoryDisk) -> impl FnMut(&StreamId) -> Result<Box<dyn Store>, String> + use<> {
    let disk = disk.clone();
    move |stream| Ok(Box::new(MemoryStore::open(stream.clone(), &disk)))
}

/// Looks until there is nothing more.
fn follow(follower: &mut Follower, disk: &MemoryDisk) -> Result<u64, ClusterError> {
    let mut blocks = 0;
    loop {
        let followed = follower.look(&mut memory(disk))?;
        blocks += followed.blocks;
        if followed.behind == 0 {
            return Ok(blocks);
        }
    }
}

fn checkpoint(block: &SealedBlock) -> SignedCheckpoint {
    let checkpoint = Checkpoint {
        sequence: block.header().last_sequence,
        header_hash: block.header_hash(),
        reason: CheckpointReason::RoundEnd,
        time_ms: 7,
        stream: stream(),
        house: key().id(),
    };
    checkpoint.sign(&key()).unwrap()
}

fn row(round: u64, sequence: u64, state: &str) -> RoundRow {
    RoundRow {
        round,
        first_sequence: sequence,
        last_sequence: sequence,
        started_ms: 7,
        ended_ms: None,
        state: state.to_owned(),
        dice: None,
    }
}

fn copies_follow(servers: &Servers) {
    let server = fresh(servers);
    let mut store = lead(&server, "left");
    let mut writer = writer(&store, 1);
    let disk = MemoryDisk::default();
    let mut follower = Follower::open(&server, &ring(), "right").unwrap();
    assert_eq!(follow(&mut follower, &disk).unwrap(), 0);
    for number in 1..=600u64 {
        let block = seal(&mut writer, &[1; 20]);
        let signed = (number % 100 == 0).then(|| checkpoint(&block));
        let rounds = [row(number / 10, number, "betting"), row(1, 1, "settled")];
        let beside = Beside {
            rounds: &rounds[..],
            checkpoint: signed.as_ref(),
        };
        store.append(&block, beside).unwrap();
    }
    assert_eq!(follow(&mut follower, &disk).unwrap(), 600);
    drop(follower);
    let check = |disk: &MemoryDisk| {
        let copy = MemoryStore::open(stream(), disk);
        assert_eq!(copy.tail(), store.tail());
        assert_eq!(copy.checkpoints(), store.checkpoints());
        assert_eq!(copy.rounds(0, 1000), store.rounds(0, 1000));
        let report = verify_chain(
            stream(),
            copy.read_from(1),
            copy.checkpoints().unwrap(),
            &ring(),
        );
        assert_eq!(report.unwrap().signed_to, copy.tail().sequence);
    };
    check(&disk);
    let nodes = Truth::open(&server, &house()).unwrap().nodes().unwrap();
    assert_eq!((nodes[0].name.as_str(), nodes[0].blocks), ("right", 600));
}

/// A block whose wait was cancelled is to be seen on the primary, and may yet be
/// lost with it: a copy that had it would be ahead of the house.
fn nothing_uncertain_is_copied(servers: &Servers) {
    let quick = fresh(servers).giving_up_after(Duration::from_secs(2));
    let mut store = lead(&quick, "left");
    let mut writer = writer(&store, 1);
    store
        .append(&seal(&mut writer, b"one"), Beside::default())
        .unwrap();
    let disk = MemoryDisk::default();
    let mut follower = Follower::open(&quick, &ring(), "right").unwrap();
    assert_eq!(follow(&mut follower, &disk).unwrap(), 1);
    (1..servers.count()).for_each(|at| servers.pause(at).unwrap());
    store
        .append(&seal(&mut writer, b"two"), Beside::default())
        .unwrap_err();
    let seen = PostgresStore::read(&quick, &house(), stream()).unwrap();
    assert_eq!(seen.tail().sequence, 2, "it is to be seen");
    let uncertain = follow(&mut follower, &disk).unwrap_err();
    assert!(matches!(uncertain, ClusterError::Unknown(_)), "{uncertain}");
    assert_eq!(MemoryStore::open(stream(), &disk).tail().sequence, 1);
    (1..servers.count()).for_each(|at| servers.resume(at).unwrap());
    assert_eq!(follow(&mut follower, &disk).unwrap(), 1);
}

/// An old backup of the database was restored as the primary.
fn an_older_truth_is_refused(servers: &Servers) {
    let name = database(servers);
    let server = server(servers, &name);
    Truth::init(&server, &house()).unwrap();
    let mut store = lead(&server, "left");
    let mut first = writer(&store, 1);
    for _ in 0..3 {
        store
            .append(&seal(&mut first, b"block"), Beside::default())
            .unwrap();
    }
    let disk = MemoryDisk::default();
    let mut follower = Follower::open(&server, &ring(), "right").unwrap();
    follow(&mut follower, &disk).unwrap();
    let back = "DELETE FROM sicbo.blocks WHERE first_sequence > 2; UPDATE sicbo.streams s SET \
                sequence = 2, header_sha256 = (SELECT header_sha256 FROM sicbo.blocks \
                WHERE first_sequence = 2)";
    servers.psql(servers.primary(), &name, back).unwrap();
    let older = "PostgreSQL lacks what this node has: table-1 ends with record 2 there and with \
                 record 3 here. It is an older copy; put the newest primary back";
    assert_eq!(follow(&mut follower, &disk).unwrap_err().to_string(), older);
    let copy = Box::new(MemoryStore::open(stream(), &disk));
    let led = ReplicatedStore::lead(&server, &ring(), "right", stream(), copy, 10);
    assert_eq!(led.map(|_| ()).unwrap_err().to_string(), older);
    // Another node, which has less, goes on from it: then the two part.
    let mut other = lead(&server, "third");
    let mut second = writer(&other, 2);
    for _ in 0..2 {
        other
            .append(&seal(&mut second, b"other"), Beside::default())
            .unwrap();
    }
    let parted = follow(&mut follower, &disk).unwrap_err();
    assert!(
        matches!(parted, ClusterError::Forked { sequence: 3, .. }),
        "{parted}"
    );
}

/// Whoever can write the database but has no key can add nothing to a copy.
fn a_forged_block_is_not_copied(servers: &Servers) {
    let server = fresh(servers);
    one_written(&server);
    let other =
        Signatory::of_first_key(HouseKey::from_entropy(&[8; 32]), WriterSecret::new([9; 32]));
    let mut forger = PostgresStore::lead(&server, &house(), stream(), "left").unwrap();
    let mut writer = Writer::resume(stream(), &forger.tail(), forger.next_epoch(), &other).unwrap();
    forger
        .append(&seal(&mut writer, b"forged"), Beside::default())
        .unwrap();
    let disk = MemoryDisk::default();
    let mut follower = Follower::open(&server, &ring(), "right").unwrap();
    let broken = follow(&mut follower, &disk).unwrap_err();
    assert!(matches!(broken, ClusterError::Broken { .. }), "{broken}");
    assert!(
        broken.to_string().contains("not certified by the house"),
        "{broken}"
    );
    assert_eq!(MemoryStore::open(stream(), &disk).tail().sequence, 0);
}

fn a_leader_takes_over_with_its_copy(servers: &Servers) {
    let server = fresh(servers);
    let (left, right) = (MemoryDisk::default(), MemoryDisk::default());
    let take = |node: &str, disk: &MemoryDisk, now_ms| {
        let copy = Box::new(MemoryStore::open(stream(), disk));
        ReplicatedStore::lead(&server, &ring(), node, stream(), copy, now_ms)
    };
    let mut first = take("left", &left, 10).unwrap();
    let mut first_writer = writer(&first, 1);
    for _ in 0..20 {
        let block = seal(&mut first_writer, b"left");
        let signed = checkpoint(&block);
        let beside = Beside {
            rounds: &[],
            checkpoint: Some(&signed),
        };
        first.append(&block, beside).unwrap();
    }
    let snapshot = Snapshot {
        sequence: 20,
        header_hash: first.tail().header_hash,
        bytes: vec![5; 100],
    };
    first.put_snapshot(&snapshot).unwrap();
    let mut second = take("right", &right, 10).unwrap();
    assert_eq!(second.tail(), first.tail());
    assert_eq!(second.checkpoints().unwrap().len(), 20);
    assert_eq!(
        second.latest_snapshot(),
        Ok(Some(snapshot)),
        "a take-over need not replay all"
    );
    let fenced = first.append(&seal(&mut first_writer, b"late"), Beside::default());
    assert!(
        matches!(fenced, Err(AppendError::Fenced { .. })),
        "{fenced:?}"
    );
    assert_eq!(
        MemoryStore::open(stream(), &left).tail().sequence,
        20,
        "its copy has no more"
    );
    let mut second_writer = writer(&second, 2);
    second_writer.push(1, 1, 1, b"right").unwrap();
    let block = second_writer.seal(60_000).unwrap();
    second.append(&block, Beside::default()).unwrap();
    // The first comes back with its clock behind, then right.
    let behind = take("left", &left, 10_000).map(|_| ()).unwrap_err();
    assert!(
        behind
            .to_string()
            .starts_with("the clock of this machine is 50 s behind"),
        "{behind}"
    );
    let mut third = take("left", &left, 59_000).unwrap();
    assert_eq!(third.tail().sequence, 21);
    let mut third_writer = writer(&third, 3);
    third
        .append(&seal(&mut third_writer, b"left again"), Beside::default())
        .unwrap();
    drop(third);
    let copy = MemoryStore::open(stream(), &left);
    let report = verify_chain(
        stream(),
        copy.read_from(1),
        copy.checkpoints().unwrap(),
        &ring(),
    );
    assert_eq!(report.unwrap().records, 22);
}
