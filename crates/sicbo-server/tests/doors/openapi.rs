//! The API document as it is served.

use std::path::Path;

use serde_json::Value;

use super::house::House;
use super::http::get;

/// `SICBO_BLESS=1` writes it anew.
#[test]
fn the_document_is_the_one_that_is_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = format!("{:#}\n", sicbo_server::http::document());
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == made, "docs/openapi.json is stale: SICBO_BLESS=1");
}

#[test]
fn the_document_that_is_served_is_the_one_of_the_handlers_and_holds_together() {
    let house = House::quick();
    let said = get(&house, "/openapi.json", &[]).is(200);
    assert_eq!(said.header("content-type"), Some("application/json"));
    let document = said.json();
    assert_eq!(document, sicbo_server::http::document());
    assert!(
        document["openapi"]
            .as_str()
            .is_some_and(|v| v.starts_with("3.1"))
    );
    let mut ids = std::collections::BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let what = format!("{method} {path}");
            let tag = operation["tags"][0].as_str().expect("a tag");
            let id = operation["operationId"].as_str().expect("an id");
            assert!(ids.insert(format!("{tag} {id}")), "{what}: {id} twice");
            assert!(operation["responses"].is_object(), "{what}");
            let named = path.matches('{').count();
            let parameters = operation["parameters"].as_array();
            let given =
                parameters.map_or(0, |all| all.iter().filter(|p| p["in"] == "path").count());
            assert_eq!(named, given, "{what}");
        }
    }
    references(&document, &document);
}

/// Whatever is referred to is there.
fn references(document: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get("$ref") {
                let pointer = to.strip_prefix('#').expect("a reference within");
                assert!(document.pointer(pointer).is_some(), "{to} is nowhere");
            }
            fields.values().for_each(|part| references(document, part));
        }
        Value::Array(parts) => parts.iter().for_each(|part| references(document, part)),
        _ => {}
    }
}
