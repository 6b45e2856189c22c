//! Files that are removed under the running house: nothing more is acknowledged,
//! and a house in which nothing happens notices too.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::house::{House, SOON, TABLE};
use super::stopped::{
    OTHER, deals, health, is_out_of_service, journal, restart, terminal_with_credit, two_tables,
};
use super::stopping::by_hand;
use super::ws::Frame;

fn remove_log(folder: &Path) {
    let file = journal(folder, TABLE);
    std::fs::remove_file(format!("{}-wal", file.display())).expect("the log is there");
}

/// Waits until the house says of these parts, and no others, that they are not
/// well.
fn ill(house: &House, expected: &[&str]) {
    let by = Instant::now() + SOON;
    loop {
        let (status, said) = health(house);
        let parts = said["parts"].as_array().expect("parts").iter();
        let ill: Vec<&Value> = parts.filter(|part| part["well"] == false).collect();
        let names: Vec<&str> = ill
            .iter()
            .filter_map(|part| part["part"].as_str())
            .collect();
        if names == expected {
            assert_eq!(status, 503);
            for part in ill {
                let fault = part["fault"].as_str().unwrap_or("");
                assert!(fault.contains("was removed while the house"), "{fault}");
            }
            return;
        }
        assert!(Instant::now() < by, "{said}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_bet_after_the_log_was_removed_is_not_acknowledged() {
    let house = House::of(&two_tables());
    let manager = house.staff("shift-manager");
    let mut player = terminal_with_credit(&house, TABLE);
    let round = house.next_round(&mut player);
    remove_log(house.folder.path());
    let lines = json!([{"section": "big", "stake": 100}]);
    player.say(&json!({"type": "bet", "id": 1, "round": round, "lines": lines}));
    let mut told = String::new();
    loop {
        match player.next() {
            Frame::Text(said) if said["type"] == "bye" => {
                said["code"].as_str().unwrap_or("").clone_into(&mut told);
            }
            Frame::Text(said) => assert_ne!(said["type"], "registered", "{said}"),
            Frame::Close(_) | Frame::Gone => break,
            _ => {}
        }
    }
    assert_eq!(told, "table_stopped");
    ill(&house, &[TABLE]);
    is_out_of_service(&house, TABLE, &manager);
    deals(&house, OTHER);
    // What was acknowledged is not in the file alone: it is not played on.
    restart(&house, &manager, TABLE).coded("journal_older");
    house.ends_clean();
}

#[test]
fn an_idle_house_notices_that_its_files_were_removed() {
    let house = House::of(&by_hand(""));
    assert_eq!(health(&house).0, 200);
    remove_log(house.folder.path());
    ill(&house, &[TABLE]);
    let data = house.folder.path().join("data");
    std::fs::remove_dir_all(&data).expect("removed");
    ill(&house, &["house", TABLE]);
    // Nobody is let in, and no new house is made there.
    let said = house.log_in("Goh Boon Keng", house.pin("Goh Boon Keng"));
    said.is(503);
    assert!(!data.join("journal").exists(), "a journal was made anew");
}
