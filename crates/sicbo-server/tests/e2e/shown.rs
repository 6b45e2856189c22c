//! What the public is shown of the documents, over the real protocol: their
//! own rule numbers, names and approvals, and nothing they do not have.

use serde_json::{Value, json};
use sicbo_proof::source::Source;
use sicbo_proof::story;

use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::http::Http;
use crate::common::proof;
use crate::doors::http::Answer;

const BOOKS: [(&str, &str); 5] = [
    ("rws-etg", "a"),
    ("mbs-table", "a"),
    ("mbs-etg", "rapid"),
    ("rws-open-cover", "c"),
    ("quang-nam-table", "a"),
];

/// A house with one open table for each document.
async fn house() -> (Site, Program, Vec<Table>) {
    let tables = BOOKS.map(|(book, layout)| TableSpec::by_hand(book, &[(layout, 2)]));
    let site = Site::of(tables.to_vec());
    let house = site.start();
    let staff = site.staff(&house);
    let mut tables = Vec::new();
    for spec in &site.tables {
        let table = Table::new(spec, &staff);
        table.open().await;
        tables.push(table);
    }
    (site, house, tables)
}

/// Every number of ours that a text shows as a rule.
fn our_numbers(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if name == "rule" => {
                        let own = |word: &str| {
                            let word = word.trim_matches(['(', ')', ',']);
                            word.split_once('-').is_some_and(|(letter, number)| {
                                letter.len() == 1 && number.parse::<u32>().is_ok()
                            })
                        };
                        if text.is_empty() || text.contains("silent") || text.split(' ').any(own) {
                            found.push(text.to_owned());
                        }
                    }
                    _ => our_numbers(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| our_numbers(value, found)),
        _ => {}
    }
}

async fn state(anyone: &Http, table: &str) -> Value {
    let house = anyone.get("/api/house").await;
    let tables = house["tables"].as_array().expect("tables");
    let found = tables.iter().find(|known| known["table"] == table);
    found.expect("the table").clone()
}

#[tokio::test]
async fn r_002_r_004_r_036_r_214_q_59_the_api_shows_each_document_as_it_is() {
    let (site, house, _tables) = house().await;
    let anyone = Http::anyone(house.address);
    let books = anyone.get("/api/rulebooks").await;
    let named = |id: &str| {
        let all = books.as_array().expect("books");
        let found = all.iter().find(|book| book["book"] == id);
        found.expect("the book").clone()
    };
    // the other name, and the approval word for word.
    has!(named("rws-open-cover"), {"also_known_as": "Tai Sai (Open Cover)"});
    let info = state(&anyone, "rws-open-cover").await["info"].clone();
    assert_eq!(info["also_known_as"], "Tai Sai (Open Cover)");
    for (id, title) in [
        (
            "rws-open-cover",
            "“Sic Bo (Open Cover) (also known as Tai Sai (Open Cover))",
        ),
        ("mbs-etg", "Sic Bo"),
    ] {
        let approval = named(id)["approval"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let law = "In accordance with Section 100(1) of the Casino Control Act 2006, the Gambling \
                   Regulatory Authority of Singapore";
        assert!(approval.starts_with(law), "{id}: {approval}");
        assert!(approval.contains(title), "{id}: {approval}");
    }
    for id in ["rws-etg", "mbs-table", "quang-nam-table"] {
        assert_eq!(named(id)["approval"], Value::Null, "{id} prints none");
        assert_eq!(named(id)["also_known_as"], Value::Null, "{id}");
    }
    // R-214 and the steps of, in both languages.
    let quang_nam = named("quang-nam-table");
    let bases = quang_nam["bases"].as_array().expect("bases").clone();
    assert_eq!(bases.len(), 8);
    for basis in bases
        .iter()
        .chain(quang_nam["disputes"].as_array().expect("steps"))
    {
        let printed = basis["printed"].as_str().unwrap_or_default();
        assert!(!printed.is_ascii() && basis["is"] != printed, "{basis}");
    }
    assert_eq!(bases[0]["printed"], "Thể lệ Trò chơi đã được phê duyệt");
    assert_eq!(bases[0]["rule"], "quang-nam-table 8.4.1");
    //
    has!(quang_nam["pictures"], {"is": "Các hình ảnh nêu trên chỉ mang tính chất minh họa.",
        "rule": "quang-nam-table 3.9"});
    // Every rule shown is one that can be looked up in the document.
    let mut found = Vec::new();
    our_numbers(&books, &mut found);
    for (book, _) in BOOKS {
        for layout in named(book)["layouts"].as_array().expect("layouts") {
            let layout = layout.as_str().expect("a name");
            let path = format!("/api/rulebooks/{book}/layouts/{layout}");
            let layout = anyone.get(&path).await;
            // the house's own name, and only where the document has it.
            let casino = match book {
                "quang-nam-table" => json!("Test house"),
                _ => Value::Null,
            };
            assert_eq!(layout["casino"], casino, "{path}");
            our_numbers(&layout, &mut found);
        }
    }
    assert_eq!(found, Vec::<String>::new());
    house.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn r_090_nothing_is_called_odd_where_odd_cannot_be_bet_on() {
    let (site, house, tables) = house().await;
    let anyone = Http::anyone(house.address);
    for table in &tables {
        table.to_betting().await;
        table.close().await;
        table.finish([1, 2, 4]).await;
        let odd = match table.book {
            "quang-nam-table" => Value::Null,
            _ => json!(true),
        };
        let shown = state(&anyone, table.name).await;
        let last = &shown["state"]["last"]["result"];
        assert_eq!((&last["total"], &last["odd"]), (&json!(7), &odd), "{last}");
    }
    house.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn a_void_by_a_ruling_shows_the_documents_rule_and_replay_names_who_did_it() {
    let (site, house, tables) = house().await;
    let anyone = Http::anyone(house.address);
    for table in &tables {
        let rule = match table.book {
            "quang-nam-table" => json!("quang-nam-table 7.8"),
            "mbs-etg" => json!("mbs-etg 6.1, 6.2"),
            // The document says nothing of it.
            "mbs-table" => Value::Null,
            book => json!(format!("{book} 5.10")),
        };
        table.to_betting().await;
        let hold = json!({"act": "hold", "what": "A sleeve touched the tumbler."});
        table.deal(hold).await;
        let shown = state(&anyone, table.name).await;
        let notices = shown["state"]["notices"].as_array().expect("notices");
        let held = notices.iter().find(|notice| notice["kind"] == "held");
        assert_eq!(held.expect("held")["rule"], rule, "{notices:?}");
        let decider = match table.book {
            "quang-nam-table" => "director",
            _ => "shift-manager",
        };
        let pending = table.sees().await["decisions"][0]["pending"].clone();
        let ruling =
            json!({"act": "rule", "pending": pending, "ruling": "void", "reason": "camera 4"});
        table.staff.must(decider, table.name, ruling).await;
        let last = state(&anyone, table.name).await["state"]["last"].clone();
        assert_eq!(last["why"]["rule"], rule, "{last}");
    }
    house.stop();
    // The journal has numbers; the house's own journal beside it has the names.
    let Ok(Source::Journals(found)) = Source::open(&site.data()) else {
        panic!("a data folder");
    };
    for table in &tables {
        let (stream, store) = found.table(Some(table.name)).expect("the table");
        let told = story::tell_with(&store, &stream, 1, found.people()).expect("the round");
        let told = told.text();
        let decider = match table.book {
            "quang-nam-table" => "director Margaret Oliveiro",
            _ => "shift-manager Goh Boon Keng",
        };
        assert!(
            told.contains("dealer Tan Wei Ming: bets are called"),
            "{told}"
        );
        assert!(told.contains(decider), "{told}");
        assert!(!told.contains("person "), "{told}");
        let alone = story::tell(&store, &stream, 1).expect("the round").text();
        assert!(alone.contains("dealer person "), "{alone}");
    }
    proof::clean(&site.data());
}

#[tokio::test]
async fn r_200_r_201_r_202_not_authorised_cites_the_rule_that_names_who_decides() {
    let (site, house, tables) = house().await;
    for table in &tables {
        let (decides, deals) = match table.book {
            "rws-etg" => ("rws-etg 5.10", "rws-etg 1.2"),
            "rws-open-cover" => ("rws-open-cover 5.10", "rws-open-cover 1.2"),
            "mbs-etg" => ("mbs-etg 6.1, 6.2", "mbs-etg 3.1"),
            "mbs-table" => ("mbs-table Q-36", "mbs-table 3.1"),
            _ => ("quang-nam-table 7.8", "quang-nam-table 1.1"),
        };
        table.to_betting().await;
        let refused = |said: Answer, rule: &str| {
            let said = said.refuses(403, "not_authorised");
            assert_eq!(said.rule(), rule, "{said:?}");
        };
        let staff = &table.staff;
        let void = json!({"act": "rule_void", "reason": "a sleeve"});
        refused(staff.act("dealer", table.name, &void).await, decides);
        // A decision that waits, under its own rule.
        let hold = json!({"act": "hold", "what": "A sleeve touched the tumbler."});
        table.deal(hold).await;
        let pending = table.sees().await["decisions"][0]["pending"].clone();
        let ruling =
            json!({"act": "rule", "pending": pending, "ruling": "void", "reason": "camera 4"});
        refused(staff.act("pit-manager", table.name, &ruling).await, decides);
        // Who deals; where a higher person may act for the dealer they do.
        if table.book != "mbs-etg" {
            let close = json!({"act": "close_bets"});
            refused(staff.act("pit-manager", table.name, &close).await, deals);
        }
        // Supervising is the house's own choice: no rule of the document names it.
        let suspend = json!({"act": "suspend", "reason": "a break"});
        let said = staff.act("dealer", table.name, &suspend).await;
        assert_eq!(
            (said.code().as_str(), said.rule().as_str()),
            ("not_authorised", "")
        );
    }
    house.stop();
    proof::clean(&site.data());
}
