//! Nobody signs the index of rounds: whatever stands in it, a start takes nothing
//! from it that the records do not say.

use sicbo_journal::{
    HouseKey, KeyRing, MemoryStore, Signatory, Store as _, StreamId, WriterSecret,
};
use sicbo_loop::{LoopOptions, recover};
use sicbo_proof::rounds::{Confirmed, confirmed};
use sicbo_rules::Dice;
use sicbo_table::Table;
use sicbo_table::round::Phase;
use sicbo_testkit::script::Script;

use crate::tools::folder::{Folder, flip};

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

fn key() -> HouseKey {
    HouseKey::from_entropy(&[7; 32])
}

/// Ended rounds, one corrected, and a round that began before the last snapshot.
fn in_mid_round() -> (Folder, Table) {
    let store = MemoryStore::new(stream());
    let mut script = Script::new(store, &stream(), key(), key().id());
    script.open("mbs-etg", 2);
    script.round(&[(0, "big", 1_000), (1, "small", 500)], [1, 2, 3]);
    script.round(&[(0, "big", 1_000)], [6, 6, 5]);
    script.void_round(&[(0, "big", 1_000)], [2, 2, 5]);
    assert!(script.correct(2, [6, 6, 4]));
    let dice = Dice::from_faces([4, 4, 1]).expect("dice");
    script.until(Phase::Betting, dice);
    for _ in 0..60 {
        assert!(script.bet(0, "small", 500), "a bet");
    }
    let table = script.table().clone();
    let folder = Folder::of(&script.store);
    let open = folder.rounds.last().expect("rows");
    let newest = folder.snapshots.iter().map(|kept| kept.sequence).max();
    assert!(open.ended_ms.is_none() && newest > Some(open.first_sequence));
    (folder, table)
}

/// The first record of the current round as a start has it.
fn began(folder: &Folder) -> Result<u64, String> {
    let signatory = Signatory::of_first_key(key(), WriterSecret::new([5; 32]));
    recover::<Table, ()>(folder, &stream(), &signatory, LoopOptions::default())
        .map(|found| found.round_first)
        .map_err(|error| error.to_string())
}

#[test]
fn a_start_finds_the_first_record_of_the_current_round_whatever_the_index_says() {
    let (good, _) = in_mid_round();
    let row = good.rounds.last().expect("rows").clone();
    assert_eq!(began(&good), Ok(row.first_sequence));
    let last = good.tail().sequence;
    for wrong in [
        0,
        1,
        row.first_sequence - 1,
        row.first_sequence + 1,
        last,
        last + 9,
        u64::MAX,
    ] {
        let mut folder = good.clone();
        folder.rounds.last_mut().expect("rows").first_sequence = wrong;
        assert_eq!(began(&folder), Ok(row.first_sequence), "{wrong}");
    }
    let mut folder = good.clone();
    folder.rounds.clear();
    assert_eq!(began(&folder), Ok(row.first_sequence), "no rows");
    // Nor does a block that another house wrote say where the round began.
    let at = good
        .blocks
        .iter()
        .position(|raw| raw.filed_under >= row.first_sequence);
    let mut folder = good;
    let forged = folder
        .blocks
        .get_mut(at.expect("a block"))
        .expect("a block");
    let byte = forged.header.len() - 1;
    flip(&mut forged.header, byte, 1);
    assert!(
        began(&folder).is_err(),
        "a block that does not lead to the snapshot's"
    );
}

fn shown(folder: &Folder, table: &Table) -> Confirmed {
    let ring = KeyRing::new(key().public());
    confirmed(folder, &ring, table, 200).expect("readable")
}

#[test]
fn rounds_are_shown_as_their_records_say_and_others_are_left_out() {
    let (good, table) = in_mid_round();
    let rounds = shown(&good, &table);
    assert_eq!(rounds.refused, [0; 0]);
    assert_eq!(
        rounds.rows,
        good.rounds[..3],
        "as the house itself wrote them"
    );
    // Other dice in a row are not shown.
    let mut folder = good.clone();
    for row in &mut folder.rounds {
        row.dice = Some("6 6 6".to_owned());
        row.state = "settled".to_owned();
    }
    assert_eq!(shown(&folder, &table).rows, good.rounds[..3]);
    // A row that names records of another round, or none, is left out.
    for change in 0..5 {
        let mut folder = good.clone();
        let other = folder.rounds[1].clone();
        let row = &mut folder.rounds[0];
        match change {
            0 => row.last_sequence = other.last_sequence,
            1 => {
                (row.first_sequence, row.last_sequence) =
                    (other.first_sequence, other.last_sequence)
            }
            2 => row.first_sequence += 1,
            3 => row.last_sequence -= 1,
            _ => drop(folder.rounds.remove(0)),
        }
        let rounds = shown(&folder, &table);
        assert_eq!(rounds.refused, [1], "{change}");
        assert_eq!(rounds.rows, good.rounds[1..3], "{change}");
    }
    // And so is one whose block the house did not sign.
    let end = good.rounds[0].last_sequence;
    let mut folder = good.clone();
    let at = folder.blocks.iter().rposition(|raw| raw.filed_under <= end);
    let forged = &mut folder.blocks[at.expect("a block")];
    let byte = forged.header.len() - 1;
    flip(&mut forged.header, byte, 1);
    assert!(shown(&folder, &table).refused.contains(&1));
}
