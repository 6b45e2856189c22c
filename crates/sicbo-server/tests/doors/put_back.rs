//! What a start accepts when parts of the data were put back: an earlier life
//! after the house went on, the register behind its tables, the tree behind its
//! mark, one table with a record that cannot be.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sicbo_journal::{
    Beside, DataFolder, KeyFolder, Signatory, SqliteStore, Store as _, StreamId, Vfs, Writer,
    WriterSecret,
};
use sicbo_rules::Money;
use sicbo_table::actor::Actor;
use sicbo_table::ids::{StationId, VoucherId};
use sicbo_table::{Event, Fact, codec};
use sicbo_witness::ask::Outcome;
use sicbo_witness::client::{Client, ask_about};
use sicbo_witness::url::WitnessUrl;
use tempfile::TempDir;

use super::house::{House, TABLE};
use super::rollback::{
    NAME, Served, confirmed, copied_with_a_voucher, copy, data, dealt, does_not_play, is_cosigned,
    is_out_alone, paid_after_the_copy, stopped, tree, verifier, without_a_witness, witnessed,
};
use super::stopped::{deals, health, terminal_with_credit};
use super::vouchers::{digits, redeem};

fn no_mark(folder: &TempDir) {
    let _ = std::fs::remove_dir_all(folder.path().join("marks"));
}

/// What the witness says of a folder, as `sicbo verify --witness URL` asks it.
fn said_of(data: &Path, served: &Served) -> Outcome {
    let url = WitnessUrl::parse(&format!("http://{}", served.address)).expect("an address");
    let client = Client::new(url, None).expect("a client");
    ask_about(data, &verifier(), &client).expect("a folder")
}

/// Two persons record why the house goes on.
fn goes_on(house: &House) {
    let (manager, supervisor) = (house.staff("shift-manager"), house.staff("pit-supervisor"));
    let act = json!({"act": "go_on_after_rollback", "reason": "the disk was lost"});
    confirmed(house, &manager, &supervisor, &act);
}

#[test]
fn s_14_an_earlier_life_put_back_after_the_house_went_on_does_not_play_nor_pay() {
    let (folder, served) = witnessed("wait");
    let (folder, backup, number) = copied_with_a_voucher(folder);
    let house = House::start(folder);
    deals(&house, TABLE);
    is_cosigned(&house);
    let folder = stopped(house);
    let first_life = folder.path().join("first-life");
    copy(&data(&folder), &first_life);
    // The backup is restored, two persons go on, and the voucher is paid.
    copy(&backup, &data(&folder));
    no_mark(&folder);
    let house = House::start(folder);
    does_not_play(&house, &["behind its witness"], &number);
    goes_on(&house);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 1, &number, Value::Null).is(200);
    is_cosigned(&house);
    let folder = stopped(house);
    let second_life = folder.path().join("second-life");
    copy(&data(&folder), &second_life);
    // The newest data of the first life: whole, and cosigned to its end.
    copy(&first_life, &data(&folder));
    no_mark(&folder);
    let house = House::start(folder);
    does_not_play(&house, &[NAME, "a later life of this house"], &number);
    let folder = stopped(house);
    let said = said_of(&data(&folder), &served);
    assert!(matches!(said, Outcome::LaterLife(_)), "{said:?}");
    // The second one plays, and knows that it has paid.
    copy(&second_life, &data(&folder));
    no_mark(&folder);
    let house = House::start(folder);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 5, &number, Value::Null).refuses(409, "voucher_already_paid");
    is_cosigned(&house);
    let folder = stopped(house);
    let said = said_of(&data(&folder), &served);
    assert!(matches!(said, Outcome::Cosigned { .. }), "{said:?}");
}

#[test]
fn s_14_an_earlier_life_that_was_let_play_stops_when_its_witness_answers() {
    let (folder, mut served) = witnessed("play");
    let (folder, older, number) = paid_after_the_copy(folder);
    let first_life = folder.path().join("first-life");
    copy(&data(&folder), &first_life);
    copy(&older, &data(&folder));
    no_mark(&folder);
    let house = House::start(folder);
    goes_on(&house);
    is_cosigned(&house);
    let folder = stopped(house);
    copy(&first_life, &data(&folder));
    no_mark(&folder);
    served.stop();
    let house = House::start(folder);
    // From its first moment it says that nobody has answered, and how old the last word is.
    let shown = tree(&house);
    assert_eq!(shown["alarm"], true, "{shown}");
    assert!(shown["cosigned_age_s"].is_i64(), "{shown}");
    assert!(
        house
            .program
            .log()
            .contains("the house plays without it, with an alarm")
    );
    served.start();
    crate::common::comes("it plays on", || (health(&house).0 == 503).then_some(()));
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 9, &number, Value::Null).refuses(503, "house_behind");
}

/// A player cashes 50.00 out, and not for the first time; the number on the paper.
pub(super) fn another_voucher(house: &House, request: u64) -> String {
    let mut player = terminal_with_credit(house, TABLE);
    player.say(&json!({"type": "insert_note", "request": request, "amount": 5_000}));
    player.until("done");
    player.say(&json!({"type": "cash_out", "request": request + 1, "amount": 5_000}));
    let voucher = player.until("voucher");
    digits(house, 1, voucher["voucher"].as_u64().expect("a number"))
}

/// The files of one journal as they are in another folder.
fn put_journal(from: &Path, to: &Path, stream: &str) {
    for end in ["", "-wal", "-shm"] {
        let file = format!("journal/{stream}.sqlite{end}");
        let _ = std::fs::remove_file(to.join(&file));
        if from.join(&file).exists() {
            std::fs::copy(from.join(&file), to.join(&file)).expect("put back");
        }
    }
}

#[test]
fn s_14_the_register_put_back_behind_its_tables_does_not_play_without_mark_and_witness() {
    let (folder, older, number) = copied_with_a_voucher(dealt());
    let house = House::start(folder);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 1, &number, Value::Null).is(200);
    another_voucher(&house, 11);
    let folder = stopped(house);
    let newest = folder.path().join("newest");
    copy(&data(&folder), &newest);
    let words = ["older than the journals of its tables", "voucher 2"];
    let mut folder = folder;
    for with_tree in [false, true] {
        copy(&newest, &data(&folder));
        put_journal(&older, &data(&folder), "house");
        std::fs::remove_dir_all(data(&folder).join("tree")).expect("no tree");
        if with_tree {
            copy(&older.join("tree"), &data(&folder).join("tree"));
        }
        no_mark(&folder);
        let house = House::start(folder);
        does_not_play(&house, &words, &number);
        assert!(
            house.program.log().contains("no mark was found"),
            "{}",
            house.program.log()
        );
        folder = stopped(house);
    }
    // Two persons answer for it; what the tables did before is then known.
    let house = House::start(folder);
    goes_on(&house);
    deals(&house, TABLE);
    let folder = stopped(house);
    let house = House::start(folder);
    assert_eq!(health(&house).0, 200, "{}", health(&house).1);
    deals(&house, TABLE);
    drop(house);
}

#[test]
fn a_tree_put_back_alone_is_behind_its_mark_and_a_lost_one_is_called_lost() {
    let (folder, older, newest, number) = without_a_witness();
    copy(&older.join("tree"), &data(&folder).join("tree"));
    let house = House::start(folder);
    let words = [
        "its tree (tree/tree.sqlite) is an older copy",
        "The journals hold all",
    ];
    does_not_play(&house, &words, &number);
    let folder = stopped(house);
    // A tree that does not say of which life it is.
    copy(&newest, &data(&folder));
    let file = data(&folder).join("tree/tree.sqlite");
    let file = rusqlite::Connection::open(file).expect("the tree");
    file.execute("DELETE FROM meta", []).expect("deleted");
    drop(file);
    let house = House::start(folder);
    does_not_play(&house, &["its table meta is empty"], &number);
    drop(house);
    // With a witness, which knows how long it was.
    let (folder, served) = witnessed("wait");
    let (folder, _, number) = paid_after_the_copy(folder);
    std::fs::remove_dir_all(data(&folder).join("tree")).expect("no tree");
    let house = House::start(folder);
    let words = ["was missing", NAME, "The journals may be complete"];
    does_not_play(&house, &words, &number);
    drop((house, served));
}

/// Waits until what the register has written so far is under a cosigned head.
fn register_is_cosigned(data: &Path) {
    let stream = StreamId::new("house").expect("a name");
    let path = DataFolder::stream_path(data, &stream);
    let store = SqliteStore::open_read_only(&path, stream, &Vfs::default()).expect("a journal");
    let last = store.tail().sequence;
    let tree = data.join("tree/tree.sqlite");
    let read = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let tree = rusqlite::Connection::open_with_flags(tree, read).expect("the tree");
    let covered = "SELECT max(last_sequence) FROM leaves WHERE stream = 'house' AND place <
        (SELECT max(size) FROM heads WHERE cosigned_s IS NOT NULL)";
    crate::common::comes(format!("record {last} is not cosigned"), || {
        let covered: Option<i64> = tree.query_row(covered, [], |row| row.get(0)).ok()?;
        (covered? as u64 >= last).then_some(())
    });
}

#[test]
fn a_payment_at_the_cage_is_cosigned_at_once_and_not_with_the_next_head() {
    let (folder, served) = witnessed("play");
    let house = House::start(folder);
    let numbers: Vec<String> = (1..=5)
        .map(|time| another_voucher(&house, 10 * time))
        .collect();
    let cashier = house.session("Chua Mei Fong");
    is_cosigned(&house);
    // Heads are five seconds apart: together these would take half a minute at most.
    let mut took = Duration::ZERO;
    for (request, number) in (1..).zip(&numbers) {
        redeem(&house, &cashier, request, number, Value::Null).is(200);
        let began = Instant::now();
        register_is_cosigned(&data(&house.folder));
        took += began.elapsed();
    }
    assert!(took < Duration::from_secs(6), "{took:?}");
    house.ends_clean();
    drop(served);
}

#[test]
fn a_record_that_cannot_be_applied_stops_its_own_table_and_the_house_opens() {
    let folder = dealt();
    // Signed as the house signs, by a program with a bug: a voucher goes back that never was.
    {
        let folder = DataFolder::open_or_create(&data(&folder)).expect("the folder");
        let keys = KeyFolder::open(&folder.keys_path()).expect("keys");
        let stream = StreamId::new(TABLE).expect("a name");
        let mut store = folder.open_stream(&stream).expect("a journal");
        let secret = WriterSecret::new([7; 32]);
        let signatory = Signatory::new(keys.current().clone(), keys.ring().clone(), secret);
        let tail = store.tail();
        let epoch = tail.epoch + 1;
        let mut writer = Writer::resume(stream, &tail, epoch, &signatory).expect("a writer");
        let event = Event {
            at_ms: 1,
            by: Actor::House,
            second: None,
            command: 0,
            fact: Fact::CashOutReversed {
                station: StationId(0),
                amount: Money::from_minor(500),
                voucher: VoucherId(77),
            },
        };
        let mut payload = Vec::new();
        let (kind, version) = codec::encode(&event, &mut payload);
        let at_ms = sicbo_clock::now_ms();
        writer.push(at_ms, kind, version, &payload).expect("room");
        let block = writer.seal(at_ms).expect("a block");
        store.append(&block, Beside::default()).expect("kept");
    }
    let house = House::start(folder);
    is_out_alone(&house, "does not follow from those before it");
    drop(stopped(house));
}
