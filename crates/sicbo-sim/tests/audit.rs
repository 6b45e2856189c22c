//! The auditor over the journals of a real house.

use std::path::Path;

#[test]
fn the_golden_house_of_all_five_books_agrees_to_the_cent() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sicbo-house/tests/golden/house");
    let audited = sicbo_sim::audit(&golden).expect("house and auditor agree");
    let tables: Vec<&str> = audited.iter().map(|table| table.stream.as_str()).collect();
    let five = [
        "mbs-etg",
        "mbs-table",
        "quang-nam-table",
        "rws-etg",
        "rws-open-cover",
    ];
    assert_eq!(tables, five);
    assert!(audited.iter().all(|table| table.records > 80));
}

#[test]
fn what_is_no_house_is_said_to_be_none() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = sicbo_sim::audit(here).expect_err("no data folder");
    assert!(said.contains("data folder"), "{said}");
}
