//! The trial house opens, the example reads, and every fault of a plan is
//! reported at once with where it stands.

use std::path::Path;

use sicbo_rules::rulebook::words::Word;
use sicbo_table::actor::Actor;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Table, decide};

use super::*;
use sicbo_register::person::{is_generic, is_name};

fn no_files(path: &Path) -> Result<String, String> {
    match path.to_str() {
        Some("cert.pem") => Ok("-----BEGIN CERTIFICATE-----".to_owned()),
        Some("key.pem") => Ok("-----BEGIN PRIVATE KEY-----".to_owned()),
        _ => Err("there is no such file".to_owned()),
    }
}

fn faults(source: &str) -> Vec<Fault> {
    match HousePlan::parse(source, &no_files) {
        Err(PlanError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a plan without faults"),
    }
}

/// The example with some texts replaced.
fn edited(edits: &[(&str, &str)]) -> String {
    let mut text = example();
    for (from, to) in edits {
        assert!(text.contains(from), "the example has no {from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// One fault at this place that says these words, on the line of its text.
fn check(source: &str, place: &str, words: &[&str]) {
    let faults = faults(source);
    let found = faults.iter().find(|fault| {
        fault.place == place && words.iter().all(|word| fault.to_string().contains(word))
    });
    assert!(found.is_some(), "{place} {words:?}: {faults:#?}");
}

fn opens(table: &TablePlan) {
    let command = Command {
        id: 1,
        at_ms: 0,
        by: Actor::House,
        second: None,
        act: Act::OpenTable {
            config: Box::new(table.config.clone()),
            stations: table.stations.clone(),
        },
    };
    let opened = decide(&Table::default(), &command);
    assert!(opened.is_ok(), "{}: {opened:?}", table.name);
}

#[test]
fn a_trial_is_played_in_the_money_of_each_book() {
    let plan = HousePlan::trial();
    let money = |name: &str| {
        let mut tables = plan.tables.iter();
        let table = tables.find(|table| table.config.name == name);
        table.expect("a table of the trial").config.currency
    };
    for book in ["rws-etg", "rws-open-cover", "mbs-table", "mbs-etg"] {
        assert_eq!(money(book), Currency::SGD, "{book}");
    }
    assert_eq!(money("quang-nam-table"), Currency::VND);
}

#[test]
fn the_trial_house_has_every_book_and_every_position() {
    let plan = HousePlan::trial();
    let names: Vec<&str> = plan.tables.iter().map(|t| t.name.as_str()).collect();
    for book in [
        "rws-etg",
        "rws-open-cover",
        "mbs-table",
        "mbs-etg",
        "quang-nam-table",
    ] {
        assert!(names.contains(&book), "{book}");
    }
    assert_eq!(names.len(), 5);
    // What is above the director has no name before a house gives it one.
    let everywhere = Position::all().iter().filter(|p| !p.is_above_director());
    for position in everywhere {
        let held = plan.staff.iter().any(|(_, held)| held == position);
        assert!(held, "nobody is {position}");
    }
    for (at, (name, _)) in plan.staff.iter().enumerate() {
        assert!(is_name(name) && !is_generic(name), "{name}");
        assert!(!plan.staff[..at].iter().any(|(other, _)| other == name));
    }
    for table in &plan.tables {
        opens(table);
        let book = &table.config.book;
        let on = |layout: &str| table.stations.iter().filter(|s| s.layout == layout).count();
        let each: Vec<usize> = book.layouts.iter().map(|layout| on(&layout.id)).collect();
        let (expected, kind): (&[usize], _) = match table.name.as_str() {
            "rws-etg" | "rws-open-cover" => (&[3, 3, 3], StationKind::Terminal),
            "mbs-etg" => (&[3, 3], StationKind::Terminal),
            "mbs-table" => (&[7, 0], StationKind::Seat),
            _ => (&[7], StationKind::Seat),
        };
        assert_eq!(each, expected, "{}", table.name);
        assert!(table.stations.iter().all(|station| station.kind == kind));
        assert_eq!(table.config.window_ms, 20_000);
        assert!(!table.config.real_money);
    }
}

#[test]
fn the_example_is_a_plan_without_faults() {
    let plan = HousePlan::parse(&example(), &no_files).unwrap();
    assert_eq!(plan.tables.len(), 2);
    for table in &plan.tables {
        opens(table);
    }
    let rapid = &plan.tables[0];
    let names: Vec<&str> = rapid.stations.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["T1", "T2", "T3", "T4", "Window 1", "Window 2"]);
    let limits = &rapid.config.limits;
    assert_eq!(
        limits.of(sicbo_rules::Kind::Small).maximum,
        Money::from_minor(200_000)
    );
    assert_eq!(
        limits.of(sicbo_rules::Kind::Small).minimum,
        Money::from_minor(500)
    );
    assert_eq!(
        limits.of(sicbo_rules::Kind::Triple).maximum,
        Money::from_minor(5_000)
    );
    assert_eq!(
        limits.of(sicbo_rules::Kind::Pair).step,
        Money::from_minor(100)
    );
    assert_eq!(plan.terms().hand_pay_above.len(), 2);
}

/// Names above the director | held by Ada Yap | where the fault stands | what it says.
/// The protocol's word is for programs: a plan uses the house's own name. The
/// example's first table is mbs-etg, its second quang-nam-table.
const NAMES_ABOVE: &str = r#"
    ["VP", "vp"] | VP | above_director | "vp" is there twice
    ["Pit manager"] | director | above_director | which every house has
    ["X"] | director | above_director | is no name of a position
    ["A1", "B1", "C1", "D1", "E1"] | D1 | above_director | at most 4
    "VP" | director | above_director | not a list
    [4] | director | above_director | not a text
    ["Chief Executive"] | Chief Executve | staff[0].position | did you mean Chief Executive?
    ["VP"] | above-director-1 | staff[0].position | technician, VP
    [] | above-director-1 | staff[0].position | is unknown
    ["Gaming Shift Manager"] | director | above_director | mbs-etg calls its shift-manager so
    ["giám đốc bàn trò chơi"] | director | above_director | quang-nam-table calls its director so
"#;

#[test]
fn r_200_a_plan_names_positions_above_the_director_and_who_holds_them() {
    let with = |names: &str, position: &str| {
        let text = example().replacen(
            "voucher_days = 90",
            &format!("above_director = {names}\nvoucher_days = 90"),
            1,
        );
        let holder =
            format!("[[staff]]\nname = \"Ada Yap\"\nposition = \"{position}\"\n\n[[staff]]");
        text.replacen("[[staff]]", &holder, 1)
    };
    let names = r#"["Vice President, Table Games", "Tổng Giám đốc"]"#;
    for (held, position) in [
        ("Vice President, Table Games", Position::AboveDirector1),
        ("Tổng Giám đốc", Position::AboveDirector2),
        ("director", Position::Director),
    ] {
        let plan = HousePlan::parse(&with(names, held), &no_files).unwrap();
        assert_eq!(plan.staff[0], ("Ada Yap".to_owned(), position));
        let named = ["Vice President, Table Games", "Tổng Giám đốc"];
        assert_eq!(plan.above_director, named);
    }
    for row in NAMES_ABOVE.lines().filter(|row| !row.is_empty()) {
        let [names, held, place, words] = row.trim_start().split(" | ").collect::<Vec<_>>()[..]
        else {
            panic!("{row}");
        };
        let faults = faults(&with(names, held));
        assert_eq!(faults.len(), 1, "{faults:#?}");
        assert_eq!(faults[0].place, place);
        assert!(faults[0].to_string().contains(words), "{}", faults[0]);
    }
}

/// What is edited in the example | where the fault stands | what it says.
const SINGLE_FAULTS: &str = r#"
    site = "Riverside Casino" ->  | site | missing
    voucher_days -> voucher_dayz | voucher_dayz | unknown key & did you mean voucher_days?
    minimum = "5.00" -> minimun = "5.00" | tables[rapid-1].limits.minimun | did you mean minimum?
    minimum = "5.00" -> minimum = 5.0 | tables[rapid-1].limits.minimum | in quotes
    minimum = "5.00" -> minimum = "5.001" | tables[rapid-1].limits.minimum | SGD has 2
    book = "mbs-etg" -> book = "mbs-egt" | tables[rapid-1].book | did you mean mbs-etg?
    currency = "SGD" -> currency = "sgd" | tables[rapid-1].currency | did you mean SGD?
    layout = "rapid" -> layout = "rapit" | tables[rapid-1].stations[0].layout | did you mean rapid?
    "Window 2" -> "T1" | tables[rapid-1].stations[1].names | another station T1
    name = "tai-xiu-1" -> name = "rapid-1" | tables[rapid-1].name | another table
    name = "tai-xiu-1" -> name = "house" | tables[1].name | cannot be
    name = "Priya Raman" -> name = "Dealer 2" | staff[1].name | nobody's name
    name = "Priya Raman" -> name = "tan wei ming" | staff[1].name | twice
    position = "pit-manager" -> position = "pit-manger" | staff[3].position | did you mean pit-manager?
    tumbler = "simulated" -> tumbler = "line" | tables[rapid-1].tumbler | device_listen
    listen = "127.0.0.1:8420" -> listen = "localhost" | listen | 127.0.0.1:8420
    chip_unit = "1.00" -> chip_unit = "0.01" | tables[rapid-1] | cannot be paid exactly
    # tumble = "before-open" -> tumble = "after-close" | tables[rapid-1] | outside what mbs-etg allows
    printer = { folder = "vouchers" } -> printer = { folder = "a", tcp = "1.2.3.4:9100" } | tables[rapid-1].printer | one of folder, file, tcp and tls
    printer = { folder = "vouchers" } -> printer = { tls = "10.0.8.20:9101", name = "p1", ca = "gone.pem" } | tables[rapid-1].printer.ca | no such file
    printer = { folder = "vouchers" } -> printer = { tls = "10.0.8.20:9101", ca = "cert.pem" } | tables[rapid-1].printer.name | missing
    # camera = "https -> camera = "ftp | tables[rapid-1].camera | neither test nor an address
    # camera = "https://video.riverside.example/rapid-1.m3u8" -> camera = "https://video.riverside.example/rapid-1.mp4" | tables[rapid-1].camera | ends with .m3u8
    # names = ["sicbo.riverside.example"] -> names = ["https://sicbo.example"] | names | no name of a host
    requests_per_address = 200 -> requests_per_address = 1 | requests_per_address | 20
    # [log_in] -> [log_in]\nsecond_factor = ["directr"] | log_in.second_factor | did you mean director?
    # [log_in] -> [log_in]\npin_dayz = 3 | log_in.pin_dayz | did you mean pin_days?
    use = "none" -> use = "files"\ncert = "cert.pem"\nkey = "key.pem"\nclient_ca = "gone.pem" | tls.client_ca | no such file
    # dice_reader = true -> device_listen = "127.0.0.1:7001"\ndevice_tls = true | tables[rapid-1].device_tls | no certificate
    use = "none" -> use = "files"\ncert = "cert.pem"\nkey = "gone.pem" | tls.key | no such file
    # dice_reader = true -> device_listen = "0.0.0.0:8420" | tables[rapid-1].device_listen | taken by the house
    SGD = "5000.00" -> SGB = "5000.00" | hand_pay_above.SGB | no currency
    tumbler = "simulated" -> tumbler = "manual" | tables[rapid-1].dealer | cannot see real dice
    position = "shift-manager" -> position = "cashier" | tables[rapid-1].dealer | nobody holds shift-manager
"#;

#[test]
fn single_faults_stand_where_they_are_with_what_would_be_right() {
    for row in SINGLE_FAULTS.lines().filter(|row| !row.is_empty()) {
        let [edit, place, words] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let (from, to) = edit.trim_start().split_once(" -> ").expect(row);
        let source = edited(&[(from, &to.replace("\\n", "\n"))]);
        check(&source, place, &words.split(" & ").collect::<Vec<_>>());
    }
}

#[test]
fn guests_reach_the_house_under_its_first_name() {
    let mut plan = HousePlan::trial();
    let mut at = |listen: &str, names: &[&str], tls: Tls| {
        plan.listen = listen.to_owned();
        plan.names = names.iter().map(ToString::to_string).collect();
        plan.tls = tls;
        plan.address_for_guests().unwrap_or_default()
    };
    let names = ["sicbo.example", "other.example"];
    assert_eq!(
        at("127.0.0.1:8420", &[], Tls::None),
        "http://127.0.0.1:8420"
    );
    assert_eq!(at("[::1]:80", &[], Tls::None), "http://[::1]:80");
    assert_eq!(at("0.0.0.0:8420", &[], Tls::None), "");
    assert_eq!(at("127.0.0.1:0", &names, Tls::None), "");
    assert_eq!(at("0.0.0.0:80", &names, Tls::None), "http://sicbo.example");
    assert_eq!(
        at("0.0.0.0:8443", &names, Tls::Trial),
        "https://sicbo.example:8443"
    );
    assert_eq!(
        at("0.0.0.0:443", &names, Tls::Trial),
        "https://sicbo.example"
    );
    assert_eq!(
        at("127.0.0.1:8420", &names, Tls::Proxy),
        "https://sicbo.example"
    );
}

#[test]
fn seats_of_one_table_share_its_printed_layout() {
    let cloth = "[[tables.stations]]\nlayout = \"a\"\ncount = 7";
    let source = edited(&[
        (
            "book = \"quang-nam-table\"\ncurrency = \"VND\"",
            "book = \"mbs-table\"\ncurrency = \"VND\"",
        ),
        (
            cloth,
            &format!("{cloth}\n[[tables.stations]]\nlayout = \"b\""),
        ),
    ]);
    check(
        &source,
        "tables[tai-xiu-1].stations",
        &["one printed layout"],
    );
}

#[test]
fn all_faults_come_at_once_in_the_order_of_the_file() {
    let source = edited(&[
        ("voucher_days = 90", "voucher_days = 0"),
        ("name = \"Priya Raman\"", "name = \"admin\""),
        ("chip_unit = \"1.00\"", "chip_unit = \"one\""),
        ("tumbler = \"manual\"", "tumbler = \"optical\""),
    ]);
    let faults = faults(&source);
    let places: Vec<&str> = faults.iter().map(|fault| fault.place.as_str()).collect();
    assert_eq!(
        places,
        [
            "voucher_days",
            "staff[1].name",
            "tables[rapid-1].chip_unit",
            "tables[tai-xiu-1].tumbler"
        ]
    );
    for fault in &faults {
        let line = source.lines().nth(fault.line - 1).unwrap();
        let key = fault.place.rsplit('.').next().unwrap();
        assert!(line.starts_with(key), "{fault}: {line}");
    }
}

#[test]
fn what_is_no_toml_says_the_line() {
    let error = HousePlan::parse("site = \"x\"\nlisten = [1\n", &no_files).unwrap_err();
    let PlanError::Unreadable { line, .. } = error else {
        panic!("{error:?}");
    };
    assert!(line >= 2);
    // Nothing at all is a plan that lacks everything, not a crash.
    assert!(faults("").len() >= 3);
    assert!(!faults("site = 1\ntables = 3\nstaff = \"me\"\ntls = 4").is_empty());
}

/// The second table of the example, alone and for money.
fn for_money(edits: &[(&str, &str)]) -> String {
    let text = edited(&[]);
    let (head, rest) = text.split_once("# A table. `book`").unwrap();
    let (_, physical) = rest.split_once("# A physical table").unwrap();
    let mut text = format!("{head}{physical}").replace(" has seats and one printed layout.", "");
    let real = [
        ("real_money = false", "real_money = true"),
        (
            "printer = { folder = \"vouchers\" }",
            "printer = { tcp = \"127.0.0.1:9100\" }",
        ),
    ];
    for (from, to) in real.iter().chain(edits) {
        assert!(text.contains(from), "no {from} in {text}");
        text = text.replacen(from, to, 1);
    }
    text
}

#[test]
fn real_money_asks_for_real_equipment() {
    let plan = HousePlan::parse(&for_money(&[]), &no_files).unwrap();
    assert!(plan.real_money && plan.tables[0].config.real_money);
    let table = "tables[tai-xiu-1]";
    for (from, to, key, words) in [
        (
            "tumbler = \"manual\"",
            "tumbler = \"simulated\"",
            "tumbler",
            "simulated",
        ),
        (
            "dealer = \"person\"",
            "dealer = \"automatic\"",
            "dealer",
            "automatic",
        ),
        (
            "lights = \"none\"",
            "lights = \"simulated\"",
            "lights",
            "simulated",
        ),
        (
            "lights = \"none\"",
            "lights = \"none\"\ncamera = \"test\"",
            "camera",
            "test picture",
        ),
        (
            "{ tcp = \"127.0.0.1:9100\" }",
            "{ folder = \"v\" }",
            "printer",
            "folder",
        ),
        (
            "{ tcp = \"127.0.0.1:9100\" }",
            "{ tcp = \"10.0.8.20:9100\" }",
            "printer",
            "in the clear",
        ),
        (
            "tumbler = \"manual\"",
            "tumbler = \"line\"\ndevice_listen = \"10.0.8.1:7001\"",
            "device_listen",
            "in the clear",
        ),
        (
            "lights = \"none\"",
            "note_acceptor = \"simulated\"",
            "note_acceptor",
            "simulated",
        ),
    ] {
        let source = for_money(&[(from, to)]);
        check(&source, &format!("{table}.{key}"), &["real money", words]);
    }
    let open = ("listen = \"127.0.0.1:8420\"", "listen = \"0.0.0.0:8443\"");
    check(&for_money(&[open]), "tls", &["open to the network"]);
    check(
        &for_money(&[open, ("use = \"none\"", "use = \"trial\"")]),
        "tls",
        &["files"],
    );
    let files = (
        "use = \"none\"",
        "use = \"files\"\ncert = \"cert.pem\"\nkey = \"key.pem\"",
    );
    let plan = HousePlan::parse(&for_money(&[open, files]), &no_files).unwrap();
    assert!(matches!(plan.tls, Tls::Files { .. }));
    // Devices and printers over the network are encrypted.
    let tls = "{ tls = \"10.0.8.20:9101\", name = \"p1.example\", ca = \"cert.pem\" }";
    let encrypted = [
        open,
        files,
        ("{ tcp = \"127.0.0.1:9100\" }", tls),
        (
            "tumbler = \"manual\"",
            "tumbler = \"line\"\ndevice_listen = \"10.0.8.1:7001\"\ndevice_tls = true",
        ),
    ];
    let plan = HousePlan::parse(&for_money(&encrypted), &no_files).unwrap();
    assert!(plan.tables[0].device_tls);
    // And so is the picture of the table.
    let camera = |address: &'static str| [open, files, ("lights = \"none\"", address)];
    let inside = camera("camera = \"http://10.0.8.4/1.m3u8\"");
    check(
        &for_money(&inside),
        "tables[tai-xiu-1].camera",
        &["not encrypted"],
    );
    let outside = camera("camera = \"https://video.example/1.m3u8\"");
    assert!(HousePlan::parse(&for_money(&outside), &no_files).is_ok());
    // Money takes the PIN again unless the plan says otherwise.
    assert_eq!(plan.log_in.pin_again_minutes, 15);
    let nobody = [
        ("position = \"director\"", "position = \"cashier\""),
        (
            "position = \"head-of-operations\"",
            "position = \"cashier\"",
        ),
    ];
    check(&for_money(&nobody), "staff", &["nobody may manage people"]);
    let no_dealer = [
        ("position = \"dealer\"", "position = \"cashier\""),
        ("position = \"dealer\"", "position = \"cashier\""),
    ];
    check(&for_money(&no_dealer), "staff", &["nobody is a dealer"]);
}

#[test]
fn q_43_rws_etg_is_not_played_for_money_without_its_title_page() {
    let rws = [
        ("book = \"quang-nam-table\"", "book = \"rws-etg\""),
        ("currency = \"VND\"", "currency = \"SGD\""),
        ("count = 7", "count = 7\n"),
    ];
    check(
        &for_money(&rws),
        "tables[tai-xiu-1].book",
        &["Q-43", "approval"],
    );
    let with = |approval: &str| {
        let added = format!("count = 7\n[tables.approval]\n{approval}\n");
        for_money(&[rws[0], rws[1], ("count = 7", &added)])
    };
    let source = with("version = \"7\"\neffective = 2024-05-01");
    let plan = HousePlan::parse(&source, &no_files).unwrap();
    let table = &plan.tables[0];
    let identity = &table.config.book.identity;
    assert_eq!(identity.version.known().map(String::as_str), Some("7"));
    assert_eq!(
        identity.effective.known().map(String::as_str),
        Some("2024-05-01")
    );
    // Only the title page is another: what is played is the same document.
    let book = sicbo_rules::RuleBook::named("rws-etg").unwrap();
    assert_ne!(table.config.book.sha256(), book.sha256());
    assert_eq!(table.config.book.play, book.play);
    assert_eq!(table.config.book.pay_tables, book.pay_tables);
    opens(table);
    check(
        &with("version = \"7\""),
        "tables[tai-xiu-1].approval.effective",
        &["missing"],
    );
    check(
        &with("version = \"7\"\neffective = \"some day\""),
        "tables[tai-xiu-1].approval",
        &["identity.effective"],
    );
    let other = with("version = \"7\"\neffective = 2024-05-01").replace("rws-etg", "mbs-table");
    check(&other, "tables[tai-xiu-1].approval", &["its own version"]);
}

/// Whatever line is missing, doubled or cut, there is a plan or there are faults.
#[test]
fn no_damage_to_the_file_is_more_than_faults() {
    let text = example();
    let lines: Vec<&str> = text.lines().collect();
    let needed = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| needed(line)) {
        let (before, after) = (&lines[..at], &lines[at + 1..]);
        let half: String = line.chars().take(line.chars().count() / 2).collect();
        for middle in [
            "",
            &half,
            &format!("{line}\n{line}"),
            "= 3",
            "x = 1979-05-27",
        ] {
            let damaged = [before, &[middle], after].concat().join("\n");
            if let Err(PlanError::Faults(faults)) = HousePlan::parse(&damaged, &no_files) {
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!((1..=lines.len() + 1).contains(&fault.line), "{fault}");
                    assert!(!fault.problem.is_empty() && !fault.expected.is_empty());
                }
            }
        }
    }
}

#[test]
fn s_18_hashing_a_pin_costs_what_owasp_advises_in_every_house_and_no_file_says_otherwise() {
    let advised = PinCost {
        memory_kib: 19 * 1024,
        passes: 2,
    };
    assert_eq!(HousePlan::trial().pin_cost, advised);
    let example = HousePlan::parse(&example(), &no_files).expect("a plan");
    assert_eq!(example.pin_cost, advised);
    let cheaper = format!("pin_cost = 1\n{}", super::example());
    assert!(
        faults(&cheaper)
            .iter()
            .any(|fault| fault.place == "pin_cost")
    );
}

/// A key as `sicbo witness key` prints it: that of a public witness.
const WITNESS_KEY: &str = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";

/// The example with a witness of these lines.
fn witnessed(lines: &str) -> String {
    let tables = "[hand_pay_above]";
    edited(&[(tables, &format!("[witness]\n{lines}\n{tables}"))])
}

#[test]
fn a_plan_names_its_witness_and_what_a_start_does_without_its_answer() {
    let url = "url = \"https://witness.example/w1/\"";
    let read = |lines: &str| {
        let plan = HousePlan::parse(&witnessed(lines), &no_files);
        plan.expect("a plan").witness.expect("a witness")
    };
    let usual = read(&format!("{url}\nkey = \"{WITNESS_KEY}\""));
    assert_eq!(usual.key.to_string(), WITNESS_KEY);
    assert_eq!(
        (usual.unreachable, usual.alarm_after_s),
        (Unreachable::Play, 300)
    );
    let waits = read(&format!(
        "{url}\nkey = \"{WITNESS_KEY}\"\nunreachable = \"wait\"\nalarm_after_s = 60"
    ));
    assert_eq!(
        (waits.unreachable, waits.alarm_after_s),
        (Unreachable::Wait, 60)
    );
    assert_eq!(
        HousePlan::parse(&example(), &no_files)
            .expect("a plan")
            .witness,
        None
    );
    // Certificates of its own are read from a file beside the plan.
    let own = witnessed(&format!("{url}\nkey = \"{WITNESS_KEY}\"\nca = \"ca.pem\""));
    let ca = "-----BEGIN CERTIFICATE-----";
    let plan = HousePlan::parse(&own, &|_| Ok(ca.to_owned())).expect("a plan");
    assert_eq!(plan.witness.expect("a witness").ca.as_deref(), Some(ca));
    assert_eq!(usual.ca, None);
    check(&own, "witness.ca", &["can be read"]);
}

#[test]
fn with_real_money_a_witness_is_asked_where_nobody_can_answer_for_it() {
    let asked = |url: &str| {
        let lines = format!("[witness]\nurl = \"{url}\"\nkey = \"{WITNESS_KEY}\"\n");
        let tables = "[hand_pay_above]";
        for_money(&[(tables, &format!("{lines}{tables}"))])
    };
    let is_refused = |url: &str| match HousePlan::parse(&asked(url), &no_files) {
        Ok(_) => false,
        Err(PlanError::Faults(found)) => {
            let places: Vec<&str> = found.iter().map(|fault| fault.place.as_str()).collect();
            assert_eq!(places, ["witness.url"]);
            true
        }
        Err(error) => panic!("{error}"),
    };
    for open in [
        "http://witness.example",
        "http://10.0.0.7:8431",
        "http://[2001:db8::1]:8431",
        "http://localhost.example",
        "http://0.0.0.0:8431",
    ] {
        assert!(is_refused(open), "{open}");
    }
    for closed in [
        "https://witness.example",
        "http://127.0.0.1:8431",
        "http://127.8.0.1:8431",
        "http://localhost:8431",
        "http://[::1]:8431",
    ] {
        assert!(!is_refused(closed), "{closed}");
    }
    // A house that plays for nothing may try it out.
    let lines = format!("url = \"http://witness.example\"\nkey = \"{WITNESS_KEY}\"");
    assert!(HousePlan::parse(&witnessed(&lines), &no_files).is_ok());
}

#[test]
fn every_fault_of_a_witness_is_reported_at_once() {
    let plan = witnessed(
        "url = \"witness.example\"\nkey = \"x\"\nunreachable = \"hope\"\nalarm_after_s = 1\nmore = 2",
    );
    for (place, words) in [
        ("witness.url", "http"),
        ("witness.key", "sicbo witness key"),
        ("witness.unreachable", "wait"),
        ("witness.alarm_after_s", "10"),
        ("witness.more", "more"),
    ] {
        check(&plan, place, &[words]);
    }
    let other = WITNESS_KEY.replace("da77ade7", "da77ade8");
    let typed = witnessed(&format!("url = \"http://127.0.0.1:1\"\nkey = \"{other}\""));
    check(&typed, "witness.key", &["id"]);
    let log = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let log = witnessed(&format!("url = \"http://127.0.0.1:1\"\nkey = \"{log}\""));
    check(&log, "witness.key", &["a log's key"]);
    check(&witnessed(""), "witness.url", &[]);
    check(&witnessed(""), "witness.key", &[]);
}

#[test]
fn the_security_log_is_fed_where_the_plan_says_and_every_fault_is_told() {
    let text = example()
        + "\n[security]\nnetworks = [\"10.1.0.0/16\"]\nlog = \"stdout\"\n\
           syslog = \"tls://logs.example:6514\"\nsyslog_authority = \"logs.pem\"\n";
    let plan = HousePlan::parse(&text, &no_files).expect("a plan");
    assert_eq!(plan.source.text, text);
    let plan = plan.beside(Path::new("/etc/sicbo"));
    let syslog = plan.security.syslog.expect("a receiver");
    let authority = PathBuf::from("/etc/sicbo/logs.pem");
    assert_eq!(syslog.by, security::Carrier::Tls(authority));
    for (line, key) in [
        ("networks = [\"ten\"]", "networks"),
        ("syslog = \"logs.example:514\"", "syslog"),
        ("syslog = \"udp://logs.example\"", "syslog"),
        ("syslog = \"http://127.0.0.1:514\"", "syslog"),
        ("syslog = \"tls://logs.example:6514\"", "syslog_authority"),
        (
            "syslog = \"tcp://127.0.0.1:514\"\nsyslog_authority = \"a.pem\"",
            "syslog_authority",
        ),
        ("sislog = \"udp://127.0.0.1:514\"", "sislog"),
    ] {
        let found = faults(&format!("{}\n[security]\n{line}\n", example()));
        let told = found
            .iter()
            .any(|fault| fault.place.to_string().contains(key));
        assert!(told, "{line}: {found:?}");
    }
}

#[test]
fn figures_have_an_address_of_their_own_and_every_fault_is_told() {
    let read = |path: &Path| -> Result<String, String> {
        match path.to_str() {
            Some("m.pem" | "ca.pem") => Ok("-----BEGIN CERTIFICATE-----".to_owned()),
            Some("m.key") => Ok("-----BEGIN PRIVATE KEY-----".to_owned()),
            _ => Err("cannot be read".to_owned()),
        }
    };
    let planned = |lines: &str| {
        let text = format!("{}\n[metrics]\n{lines}\n", example());
        HousePlan::parse(&text, &read)
    };
    let plan = planned("listen = \"127.0.0.1:9464\"").expect("a plan");
    assert_eq!(plan.metrics.expect("an address").tls, Tls::None);
    let whole = "listen = \"10.0.9.1:9464\"\ntoken_file = \"m.token\"\ncert = \"m.pem\"\n\
                 key = \"m.key\"\nclient_ca = \"ca.pem\"";
    let plan = planned(whole)
        .expect("a plan")
        .beside(Path::new("/etc/sicbo"));
    let metrics = plan.metrics.expect("an address");
    assert_eq!(
        metrics.token_file,
        Some(PathBuf::from("/etc/sicbo/m.token"))
    );
    assert_eq!(
        metrics.tls,
        Tls::Files {
            cert: PathBuf::from("/etc/sicbo/m.pem"),
            key: PathBuf::from("/etc/sicbo/m.key"),
            client_ca: Some(PathBuf::from("/etc/sicbo/ca.pem")),
        }
    );
    for (lines, key) in [
        ("", "listen"),
        ("listen = \"somewhere\"", "listen"),
        ("listen = \"10.0.9.1:9464\"", "token_file"),
        ("listen = \"127.0.0.1:1\"\ncert = \"m.pem\"", "key"),
        ("listen = \"127.0.0.1:1\"\nkey = \"m.key\"", "cert"),
        (
            "listen = \"127.0.0.1:1\"\ncert = \"none.pem\"\nkey = \"m.key\"",
            "cert",
        ),
        (
            "listen = \"127.0.0.1:1\"\nclient_ca = \"ca.pem\"",
            "client_ca",
        ),
        ("listen = \"127.0.0.1:1\"\npassword = \"x\"", "password"),
    ] {
        let Err(PlanError::Faults(found)) = planned(lines) else {
            panic!("{lines}: no fault");
        };
        let mut places = found.iter().map(|fault| fault.place.to_string());
        assert!(
            places.any(|place| place.contains(key)),
            "{lines}: {found:?}"
        );
    }
}
