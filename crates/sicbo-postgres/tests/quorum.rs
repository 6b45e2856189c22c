//! Nothing is acknowledged that the quorum does not have, whatever happens to a
//! statement that waits for it, and nothing acknowledged is lost with the primary.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sicbo_journal::*;
use sicbo_postgres::servers::Servers;
use sicbo_postgres::*;

use crate::common::{fresh, house, key, lead, one_written, ring, seal, stream, writer};

/// The process of the house that waits for a standby, running a statement with this in it.
fn waits(servers: &Servers, statement: &str) -> Option<String> {
    let sql = format!(
        "SELECT max(pid)::text FROM pg_stat_activity WHERE usename = 'sicbo' \
         AND wait_event = 'SyncRep' AND query LIKE '%{statement}%'"
    );
    let found = servers
        .ask(servers.primary(), "postgres", &sql)
        .unwrap_or_default();
    (!found.is_empty()).then_some(found)
}

fn wait_for(servers: &Servers, statement: &str) -> String {
    let mut found = None;
    let so = |servers: &Servers| {
        found = waits(servers, statement);
        Ok(found.is_some())
    };
    servers.wait("a commit to wait for its quorum", so).unwrap();
    found.unwrap()
}

const APPEND: &str = "INSERT INTO sicbo.blocks";
const SETTLE: &str = "SET touched = touched + 1";

fn verified(server: &Server) -> Report {
    let store = PostgresStore::read(server, &house(), stream()).unwrap();
    let checkpoints = store.checkpoints().unwrap();
    verify_chain(stream(), store.read_from(1), checkpoints, &ring()).unwrap()
}

#[test]
fn nothing_is_acknowledged_without_its_quorum() {
    let mut servers = Servers::start(2).unwrap();
    stale_writer(&servers);
    // PostgreSQL answers success, with a warning, when the wait of a commit is
    // cancelled; and the block is then to be seen on the primary alone.
    ended_while_waiting(&servers, "pg_cancel_backend");
    ended_while_waiting(&servers, "pg_terminate_backend");
    swallowed_rows(&servers);
    quorum_taken_away(&servers);
    given_up(&servers);
    both_standbys_down(&mut servers);
    primary_lost_under_load(&mut servers);
}

fn stale_writer(servers: &Servers) {
    let server = fresh(servers);
    let (mut old, mut old_writer) = one_written(&server);
    let mut new = lead(&server, "right");
    assert_eq!(
        (old.next_epoch(), new.next_epoch()),
        (2, 2),
        "the first had epoch 1"
    );
    assert_eq!(new.tail(), old.tail());
    let mut new_writer = writer(&new, 2);
    // Also before the new one has written anything.
    let refused = old
        .append(&seal(&mut old_writer, b"two"), Beside::default())
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "right leads with epoch 2, and epoch 1 of this node is over: nothing more is written here"
    );
    let again = old.append(&seal(&mut old_writer, b"three"), Beside::default());
    assert!(matches!(again, Err(AppendError::Poisoned)));
    new.append(&seal(&mut new_writer, b"two"), Beside::default())
        .unwrap();
    assert_eq!(verified(&server).records, 2);
}

/// Appends while no standby takes anything, ends the waiting statements one after
/// the other, and lets the standbys go on.
fn ended_while_waiting(servers: &Servers, by: &str) {
    let server = fresh(servers);
    let (mut store, mut writer) = one_written(&server);
    let block = seal(&mut writer, b"two");
    (1..servers.count()).for_each(|at| servers.pause(at).unwrap());
    let (told, answer) = channel();
    let appending = std::thread::spawn(move || {
        told.send(store.append(&block, Beside::default())).unwrap();
        store
    });
    let end = |pid: &str| {
        let sql = format!("SELECT {by}({pid})::text");
        servers.ask(servers.primary(), "postgres", &sql).unwrap();
    };
    end(&wait_for(servers, APPEND));
    // The question that is asked after it waits in its turn, and is ended too.
    end(&wait_for(servers, SETTLE));
    end(&wait_for(servers, SETTLE));
    wait_for(servers, SETTLE);
    assert!(
        answer.try_recv().is_err(),
        "{by}: acknowledged without a standby"
    );
    (1..servers.count()).for_each(|at| servers.resume(at).unwrap());
    answer
        .recv_timeout(Duration::from_secs(60))
        .unwrap()
        .unwrap();
    let store = appending.join().unwrap();
    assert_eq!(store.tail().sequence, 2);
    assert_eq!(verified(&server).records, 2, "{by}: there once");
}

/// A trigger that swallows what is inserted makes a success of nothing.
fn swallowed_rows(servers: &Servers) {
    let server = fresh(servers);
    let mut store = lead(&server, "left");
    let mut writer = writer(&store, 1);
    let database = newest_database(servers);
    let sql = "CREATE FUNCTION public.swallow() RETURNS trigger LANGUAGE plpgsql \
               AS $$ BEGIN RETURN NULL; END $$; CREATE TRIGGER swallow BEFORE INSERT ON \
               sicbo.blocks FOR EACH ROW EXECUTE FUNCTION public.swallow()";
    servers.psql(servers.primary(), &database, sql).unwrap();
    let refused = store
        .append(&seal(&mut writer, b"one"), Beside::default())
        .unwrap_err();
    assert!(!refused.is_refusal(), "{refused}");
    assert!(
        refused
            .to_string()
            .contains("keeps rows of the house from being stored"),
        "{refused}"
    );
}

/// The database that was made last.
fn newest_database(servers: &Servers) -> String {
    let sql = "SELECT datname::text FROM pg_database WHERE datname LIKE 'house_%' \
               ORDER BY oid DESC LIMIT 1";
    servers.ask(servers.primary(), "postgres", sql).unwrap()
}

/// Somebody sets the standbys to none while the house plays.
fn quorum_taken_away(servers: &Servers) {
    const NAMES: &str = "synchronous_standby_names";
    let server = fresh(servers).giving_up_after(Duration::from_secs(2));
    let mut store = lead(&server, "left");
    let mut writer = writer(&store, 1);
    let primary = servers.primary();
    let names = servers
        .ask(primary, "postgres", &format!("SHOW {NAMES}"))
        .unwrap();
    servers.set(primary, NAMES, "").unwrap();
    let refused = store
        .append(&seal(&mut writer, b"one"), Beside::default())
        .unwrap_err();
    assert!(
        refused.to_string().contains("set it to 'ANY 1"),
        "{refused}"
    );
    servers.set(primary, NAMES, &names).unwrap();
    assert_eq!(lead(&server, "left").tail(), Tail::default());
}

/// Nobody waits for ever, and what was given up is not acknowledged.
fn given_up(servers: &Servers) {
    let server = fresh(servers).giving_up_after(Duration::from_secs(2));
    let (mut store, mut first) = one_written(&server);
    (1..servers.count()).for_each(|at| servers.pause(at).unwrap());
    let failed = store
        .append(&seal(&mut first, b"two"), Beside::default())
        .unwrap_err();
    assert!(failed.to_string().contains("is not known"), "{failed}");
    let again = store.append(&seal(&mut first, b"three"), Beside::default());
    assert!(matches!(again, Err(AppendError::Poisoned)));
    (1..servers.count()).for_each(|at| servers.resume(at).unwrap());
    // It may be there or not; whoever leads next goes on from what is there.
    let mut next = lead(&server, "right");
    let mut writer = writer(&next, 2);
    let tail = next.tail().sequence;
    assert!((1..=2).contains(&tail), "{tail}");
    next.append(&seal(&mut writer, b"after"), Beside::default())
        .unwrap();
    assert_eq!(verified(&server).records, tail + 1);
}

fn both_standbys_down(servers: &mut Servers) {
    let server = fresh(servers);
    let mut store = lead(&server, "left");
    let mut writer = writer(&store, 1);
    (1..servers.count()).for_each(|at| servers.kill(at).unwrap());
    let block = seal(&mut writer, b"one");
    let (told, answer) = channel();
    let appending = std::thread::spawn(move || {
        told.send(store.append(&block, Beside::default())).unwrap();
    });
    wait_for(servers, APPEND);
    assert!(answer.try_recv().is_err(), "acknowledged without a standby");
    servers.run(1).unwrap();
    answer
        .recv_timeout(Duration::from_secs(60))
        .unwrap()
        .unwrap();
    appending.join().unwrap();
    servers.run(2).unwrap();
    assert_eq!(verified(&server).records, 1);
}

/// The primary is killed while four streams are written, a standby is promoted by
/// hand, and the writers go on by themselves. `SICBO_PROMOTIONS` does it more often.
fn primary_lost_under_load(servers: &mut Servers) {
    const STREAMS: usize = 4;
    const BLOCKS: usize = 60;
    let server = fresh(servers);
    let acknowledged: Arc<Mutex<Vec<RawBlock>>> = Arc::default();
    let count = Arc::new(AtomicUsize::new(0));
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..STREAMS)
        .map(|number| {
            let (server, acknowledged) = (server.clone(), Arc::clone(&acknowledged));
            let (count, stop) = (Arc::clone(&count), Arc::clone(&stop));
            std::thread::spawn(move || {
                let stream = StreamId::new(&format!("load-{number}")).unwrap();
                let mut store =
                    PostgresStore::lead(&server, &house(), stream.clone(), "left").unwrap();
                let secret = WriterSecret::new([number as u8; 32]);
                let house = Signatory::of_first_key(key(), secret);
                let epoch = store.next_epoch();
                let mut writer = Writer::resume(stream, &store.tail(), epoch, &house).unwrap();
                while !stop.load(Ordering::Relaxed) {
                    let block = seal(&mut writer, &[7; 300]);
                    store.append(&block, Beside::default()).unwrap();
                    acknowledged.lock().unwrap().push(block.to_raw());
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let written = |more: usize| {
        let from = count.load(Ordering::Relaxed);
        move |count: &AtomicUsize| count.load(Ordering::Relaxed) >= from + more
    };
    let promotions = std::env::var("SICBO_PROMOTIONS").ok();
    let promotions = promotions.map_or(1, |text| text.parse().unwrap());
    for _ in 0..promotions {
        let enough = written(BLOCKS);
        servers.wait("blocks", |_| Ok(enough(&count))).unwrap();
        let old = servers.primary();
        servers.kill(old).unwrap();
        servers.promote().unwrap();
        let enough = written(BLOCKS);
        servers
            .wait("blocks after the promotion", |_| Ok(enough(&count)))
            .unwrap();
        servers.follow_anew(old).unwrap();
        servers
            .wait("both standbys", |servers| Ok(servers.following()? == 2))
            .unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    writers
        .into_iter()
        .for_each(|writer| writer.join().unwrap());
    let acknowledged = acknowledged.lock().unwrap();
    for number in 0..STREAMS {
        let stream = StreamId::new(&format!("load-{number}")).unwrap();
        let store = PostgresStore::read(&server, &house(), stream.clone()).unwrap();
        let found: Vec<RawBlock> = store.read_from(1).map(|raw| raw.unwrap()).collect();
        let of_it = |raw: &&RawBlock| Header::decode(&raw.header).unwrap().stream == stream;
        let told: Vec<RawBlock> = acknowledged.iter().filter(of_it).cloned().collect();
        assert!(told.len() > 4, "{} blocks of {stream}", told.len());
        assert_eq!(found[..told.len()], told[..], "{stream}");
        verify_chain(stream, found.into_iter().map(Ok), Vec::new(), &ring()).unwrap();
    }
    println!("{} blocks acknowledged, none lost", acknowledged.len());
}
