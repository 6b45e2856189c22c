//! Layouts as the house sends them, for the tests of the web app: one of each
//! size. A stale file fails here; `SICBO_BLESS=1` writes it anew.

use std::path::Path;

use sicbo_rules::RuleBook;
use sicbo_server::wire::rules::LayoutInfo;

const WANTED: [(&str, &str); 3] = [("rws-etg", "a"), ("rws-etg", "b"), ("quang-nam-table", "a")];

#[test]
fn the_layouts_of_the_web_apps_tests_are_fresh() {
    let mut lines = Vec::new();
    for (book, layout) in WANTED {
        let book = RuleBook::all().iter().find(|known| known.id() == book);
        let book = book.unwrap();
        let info = LayoutInfo::of(book, book.layout(layout).unwrap(), "Riverside Casino");
        lines.push(serde_json::to_string(&info).unwrap());
    }
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests/fixtures");
    let path = folder.join("layouts.json");
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == text,
        "web/tests/fixtures/layouts.json is stale: run the tests with SICBO_BLESS=1"
    );
}
