//! What `RuleBook::parse` says of a faulty file: every fault at once, each
//! with its line, its place, what is wrong and what would be right.

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::{Fault, RuleBookError};

use crate::game::book;

/// Line on which a mark stands; it must stand on one line only.
#[track_caller]
fn line_of(source: &str, mark: &str) -> usize {
    let lines: Vec<usize> = source
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(mark))
        .map(|(i, _)| i + 1)
        .collect();
    assert_eq!(lines.len(), 1, "{mark:?} stands on lines {lines:?}");
    lines[0]
}

#[track_caller]
fn change(source: &str, from: &str, to: &str) -> String {
    assert_eq!(source.matches(from).count(), 1, "{from:?}");
    source.replace(from, to)
}

#[track_caller]
fn faults(source: &str) -> Vec<Fault> {
    match RuleBook::parse(source) {
        Err(RuleBookError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
        Ok(_) => Vec::new(),
    }
}

/// A fault as expected: a mark on its line, its place, words of what is wrong
/// and of what would be right.
type Expected = [&'static str; 4];

#[track_caller]
fn check(source: &str, expected: &[Expected]) {
    let found = faults(source);
    let shown: Vec<String> = found.iter().map(Fault::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{shown:#?}");
    for (fault, [mark, place, problem, right]) in found.iter().zip(expected) {
        assert_eq!(fault.place, *place, "{shown:#?}");
        assert!(fault.problem.contains(problem), "{fault}");
        assert!(fault.expected.contains(right), "{fault}");
        assert_eq!(fault.line, line_of(source, mark), "{fault}");
    }
}

/// A change of the Quảng Nam book and the faults it must bring.
#[track_caller]
fn broken(from: &str, to: &str, expected: &[Expected]) {
    check(
        &change(book("quang-nam-table").source(), from, to),
        expected,
    );
}

const SMALL: &str = r#"{ sections = ["small"], pays = "1", rule = "5.1" }"#;
const BIG: &str = r#"{ sections = ["big"], pays = "1", rule = "5.1" }"#;

#[test]
fn unknown_section_in_a_pay_table() {
    let row = r#"{ sections = ["big", "total:3"], pays = "1", rule = "5.1" }"#;
    broken(
        BIG,
        row,
        &[[
            row,
            "pay_table[0].row[1].sections",
            "\"total:3\" is not a section: allowed are total:4",
            "sections that exist",
        ]],
    );
}

#[test]
fn unknown_section_on_its_own_line_of_a_long_list() {
    let row = "{ sections = [\n    \"big\",\n    \"banana\",\n  ], pays = \"1\", rule = \"5.1\" }";
    broken(
        BIG,
        row,
        &[[
            "banana",
            "pay_table[0].row[1].sections",
            "is not a section: its kind must be one of",
            "sections that exist",
        ]],
    );
}

#[test]
fn unknown_section_in_a_layout() {
    broken(
        r#"{ section = "total:4","#,
        r#"{ section = "total:18","#,
        &[[
            "total:18",
            "layout[0].cell[15].section",
            "is not a section",
            "correct it",
        ]],
    );
}

#[test]
fn repeated_section_in_a_pay_table() {
    let row = r#"{ sections = ["big", "small"], pays = "1", rule = "5.1" }"#;
    broken(
        BIG,
        row,
        &[[
            row,
            "pay_table[0].row[1].sections",
            "small is repeated",
            "once",
        ]],
    );
}

#[test]
fn repeated_section_in_a_layout() {
    let cell = r#"{ section = "total:5", box = [30, 84, 30, 40]"#;
    let twice = r#"{ section = "total:4", box = [30, 84, 30, 40]"#;
    broken(
        cell,
        twice,
        &[[
            twice,
            "layout[0].cell[16]",
            "total:4 is drawn twice",
            "once",
        ]],
    );
}

#[test]
fn missing_odds() {
    let row = r#"{ sections = ["big"], rule = "5.1" }"#;
    broken(
        BIG,
        row,
        &[[row, "pay_table[0].row[1].pays", "missing", "a text"]],
    );
}

#[test]
fn missing_line_of_a_single_die() {
    let source = book("quang-nam-table").source();
    let third = source.lines().find(|line| line.contains("on = 3")).unwrap();
    let changed = change(source, &format!("{third}\n"), "");
    let found = faults(&changed);
    assert_eq!(found.len(), 6);
    for (i, fault) in found.iter().enumerate() {
        assert_eq!(
            fault.problem,
            format!("single:{} lacks its odds on 3 dice", i + 1)
        );
        assert_eq!(fault.line, line_of(&changed, "on = 1"));
    }
}

#[test]
fn odds_in_another_spelling() {
    let row = r#"{ sections = ["big"], pays = "1.25", rule = "5.1" }"#;
    broken(
        BIG,
        row,
        &[[row, "pay_table[0].row[1].pays", "is not odds", "correct it"]],
    );
}

#[test]
fn a_line_of_odds_that_its_kind_has_not() {
    let row = r#"{ sections = ["big"], pays = "1", on = 2, rule = "5.1" }"#;
    broken(
        BIG,
        row,
        &[[
            row,
            "pay_table[0].row[1].on",
            "big has 1 line",
            "on = 1, 2 or 3",
        ]],
    );
}

#[test]
fn r_115_a_cell_without_citation() {
    let row = r#"{ sections = ["small"], pays = "1" }"#;
    broken(
        SMALL,
        row,
        &[[
            row,
            "pay_table[0].row[0].rule",
            "no citation",
            "cite the rule",
        ]],
    );
}

#[test]
fn silence_without_resolution() {
    let row = r#"{ sections = ["small"], pays = "1", rule = "silent" }"#;
    broken(
        SMALL,
        row,
        &[[
            row,
            "pay_table[0].row[0].resolution",
            "no resolution is cited",
            "Q-18",
        ]],
    );
}

#[test]
fn a_resolution_that_is_none() {
    let row = r#"{ sections = ["small"], pays = "1", rule = "5.1", resolution = "Q-x" }"#;
    broken(
        SMALL,
        row,
        &[[
            row,
            "pay_table[0].row[0].resolution",
            "\"Q-x\" is no resolution",
            "Q-28",
        ]],
    );
}

#[test]
fn r_123_a_layout_offering_what_its_pay_table_lacks() {
    broken(
        &format!("  {BIG},\n"),
        "",
        &[[
            "section = \"big\"",
            "layout[0].cell[14]",
            "big is offered but pay table \"ty-le\" lacks it",
            "give its odds",
        ]],
    );
}

#[test]
fn a_layout_without_pay_table() {
    broken(
        "pay_table = \"ty-le\"",
        "pay_table = \"pt9\"",
        &[[
            "pay_table = \"pt9\"",
            "layout[0].pay_table",
            "there is no pay table \"pt9\"",
            "use one of ty-le",
        ]],
    );
}

#[test]
fn a_kind_without_name_and_a_name_without_kind() {
    broken(
        "single = { is = \"Cược số\", rule = \"6.8\" }",
        "four = { is = \"Cược số\", rule = \"6.8\" }",
        &[
            [
                "[layout.names]",
                "layout[0].names",
                "single has no name",
                "name each kind",
            ],
            [
                "four = {",
                "layout[0].names.four",
                "four is named but not offered",
                "remove",
            ],
        ],
    );
    broken(
        "single = { is = \"Cược số\", rule = \"6.8\" }",
        "singel = { is = \"Cược số\", rule = \"6.8\" }",
        &[
            [
                "[layout.names]",
                "layout[0].names",
                "single has no name",
                "name each kind",
            ],
            [
                "singel = {",
                "layout[0].names.singel",
                "no kind of bet",
                "three-single",
            ],
        ],
    );
}

#[test]
fn a_void_cause_without_rule() {
    broken(
        "scope = \"current-round\", rule = \"7.4\" }",
        "scope = \"current-round\" }",
        &[
            // Without its citation the cause does not count either.
            [
                "cause = [",
                "voiding.cause",
                "no rule for die-not-flat",
                "give the cause",
            ],
            [
                "is = \"die-not-flat\"",
                "voiding.cause[2].rule",
                "no citation",
                "cite the rule",
            ],
        ],
    );
}

#[test]
fn unknown_keys_anywhere() {
    broken(
        "format = 1",
        "format = 1\ncolour = \"red\"",
        &[[
            "colour",
            "colour",
            "unknown key",
            "use authority, corrections",
        ]],
    );
    let row = r#"{ sections = ["small"], pay = "1", pays = "1", rule = "5.1" }"#;
    broken(
        SMALL,
        row,
        &[[
            row,
            "pay_table[0].row[0].pay",
            "unknown key",
            "use on, pays, resolution, rule, sections",
        ]],
    );
    broken(
        "[words]\n",
        "[words]\nhello = { is = \"Hi\", rule = \"1.1\" }\n",
        &[[
            "hello = ",
            "words.hello",
            "unknown key",
            "no_more_bets, place_bets",
        ]],
    );
    broken(
        "cover = { is = \"covered\", rule = \"3.3\"",
        "cover = { is = \"covered\", ruel = \"x\", rule = \"3.3\"",
        &[[
            "ruel",
            "play.cover.ruel",
            "unknown key",
            "use is, resolution, rule",
        ]],
    );
}

#[test]
fn a_word_that_is_not_in_the_list() {
    broken(
        "cover = { is = \"covered\"",
        "cover = { is = \"closed\"",
        &[[
            "is = \"closed\"",
            "play.cover.is",
            "\"closed\" is unknown",
            "use one of covered, open",
        ]],
    );
    broken(
        "inform = \"pit-manager\"",
        "inform = \"pit-boss\"",
        &[[
            "pit-boss",
            "interruption.device_failure.inform",
            "unknown",
            "head-of-operations",
        ]],
    );
}

#[test]
fn cells_that_overlap_or_leave_the_drawing() {
    let cell = "{ section = \"total:5\", box = [30, 84, 30, 40]";
    let over = "{ section = \"total:5\", box = [29, 84, 30, 40]";
    broken(
        cell,
        over,
        &[[
            over,
            "layout[0].cell[16]",
            "total:5 overlaps total:4",
            "its own place",
        ]],
    );
    broken(
        "box = [280, 212, 140, 16]",
        "box = [280, 212, 141, 16]",
        &[[
            "[280, 212, 141, 16]",
            "layout[0].cell[53]",
            "\"3 xúc xắc 1:3\" stands outside",
            "within 420 by 228",
        ]],
    );
    broken(
        "box = [280, 212, 140, 16]",
        "box = [280, 212, 0, 16]",
        &[[
            "[280, 212, 0, 16]",
            "layout[0].cell[53]",
            "stands outside",
            "within 420 by 228",
        ]],
    );
    broken(
        "box = [280, 212, 140, 16]",
        "box = [280, 212, 140]",
        &[[
            "[280, 212, 140]",
            "layout[0].cell[53].box",
            "not as expected",
            "left, top, width and height",
        ]],
    );
}

#[test]
fn numbers_in_another_base_mean_what_they_say() {
    // 0x118 is 280: the same place, and no fault.
    broken(
        "box = [280, 212, 140, 16]",
        "box = [0x118, 212, 140, 16]",
        &[],
    );
    broken(
        "box = [280, 212, 140, 16]",
        "box = [0x100, 212, 140, 16]",
        &[[
            "0x100",
            "layout[0].cell[53]",
            "overlaps \"2 xúc xắc 1:2\"",
            "its own place",
        ]],
    );
}

#[test]
fn a_cell_with_nothing_in_it() {
    broken(
        "{ box = [280, 212, 140, 16], lines = [\"3 xúc xắc 1:3\"] }",
        "{ box = [280, 212, 140, 16] }",
        &[[
            "{ box = [280, 212, 140, 16] }",
            "layout[0].cell[53].blank",
            "nothing in it",
            "blank = true",
        ]],
    );
}

const GENEROUS: &str = r#"{ sections = ["small"], pays = "1.5", rule = "5.1" }"#;

#[test]
fn an_edge_for_the_player_is_refused_without_reason() {
    broken(
        SMALL,
        GENEROUS,
        &[[
            GENEROUS,
            "pay_table[0].row[0]",
            "small: the player has an edge of 31/144",
            "[player_edge]",
        ]],
    );
    let row = |pays: &str| {
        format!(r#"pair:2-6"], pays = "{pays}", rule = "5.1", resolution = "Q-25" }}"#)
    };
    let source = change(book("quang-nam-table").source(), &row("5"), &row("6.5"));
    let found = faults(&source);
    assert_eq!(found.len(), 1, "one row, one fault: {found:#?}");
    assert!(
        found[0]
            .problem
            .starts_with("pair:2-3, pair:2-4, pair:2-5, pair:2-6: ")
    );
}

#[test]
fn an_edge_for_the_player_is_accepted_with_a_reason() {
    let source = change(book("quang-nam-table").source(), SMALL, GENEROUS);
    let permit = |rest: &str| format!("{source}\n[player_edge]\n{rest}");
    check(
        &permit("reason = \"opening week\"\nsections = [\"small\"]\n"),
        &[],
    );
    check(
        &permit("sections = [\"small\"]\n"),
        &[["[player_edge]", "player_edge.reason", "missing", "a text"]],
    );
    check(
        &permit("reason = \"opening week\"\nsections = [\"big\"]\n"),
        &[[
            GENEROUS,
            "pay_table[0].row[0]",
            "small: the player has an edge",
            "with a reason",
        ]],
    );
    check(
        &permit("reason = \"opening week\"\nsections = [\"small\", \"tall\"]\n"),
        &[[
            "\"tall\"",
            "player_edge.sections",
            "is not a section",
            "sections that exist",
        ]],
    );
}

#[test]
fn q_29_odds_that_the_chip_unit_cannot_pay_exactly() {
    let tumbles = "minimum_tumbles = { is = 3, rule = \"7.2\" }";
    let unit =
        |minor: &str| format!("{tumbles}\nchip_unit_minor = {{ is = {minor}, rule = \"4.1\" }}");
    // Halves need an even unit; whole odds are paid from any.
    let half = r#"{ sections = ["double:1", "double:2", "double:3", "double:4", "double:5", "double:6"], pays = "8.5""#;
    let whole = half.replace("8.5", "8");
    let quang_nam = book("quang-nam-table").source();
    for (minor, pays, ok) in [
        ("25", &whole[..], true),
        ("50", half, true),
        ("25", half, false),
    ] {
        let source = change(&change(quang_nam, tumbles, &unit(minor)), &whole, pays);
        if ok {
            let book = RuleBook::parse(&source).unwrap();
            let chip = book.play.chip_unit.unwrap();
            assert_eq!(
                (chip.is.minor(), chip.cite.rule.as_str()),
                (minor.parse().unwrap(), "4.1")
            );
        } else {
            check(
                &source,
                &[[
                    "pays = \"8.5\"",
                    "pay_table[0].row[3].pays",
                    "8.5 to 1 cannot be paid exactly on a chip unit of 25",
                    "even",
                ]],
            );
        }
    }
    check(
        &change(quang_nam, tumbles, &unit("0")),
        &[[
            "chip_unit_minor",
            "play.chip_unit_minor.is",
            "not an amount",
            "1 or more",
        ]],
    );
    let uncited = format!("{tumbles}\nchip_unit_minor = {{ is = 50 }}");
    check(
        &change(quang_nam, tumbles, &uncited),
        &[[
            "chip_unit_minor",
            "play.chip_unit_minor.rule",
            "no citation",
            "cite the rule",
        ]],
    );
}

#[test]
fn nobody_decides_what_no_rule_covers() {
    let decision =
        "  { matter = \"uncovered\", by = \"director\", or_above = true, rule = \"7.8\" },\n";
    broken(
        decision,
        "",
        &[[
            "decision = [",
            "authority.decision",
            "nobody decides",
            "matter uncovered",
        ]],
    );
    broken(
        "{ matter = \"uncovered\", by = \"director\"",
        "{ matter = \"uncovered\", by = \"cashier\"",
        &[[
            "decision = [",
            "authority.decision",
            "cashier decides what no rule covers",
            "ladder",
        ]],
    );
}

#[test]
fn an_order_of_play_that_makes_no_sense() {
    broken(
        "tumble_window = { is = \"any\"",
        "tumble_window = { is = \"after-close\"",
        &[[
            "usual_tumble = ",
            "play.usual_tumble",
            "before-open is outside tumble_window after-close",
            "inside the window",
        ]],
    );
    broken(
        "cover = { is = \"covered\"",
        "cover = { is = \"open\"",
        &[
            [
                "tumble_window = ",
                "play.tumble_window",
                "open dice that may tumble before the close",
                "after-close",
            ],
            [
                "cause = [",
                "voiding.cause",
                "no rule for tumbler-activated-early",
                "give the cause",
            ],
        ],
    );
    broken(
        "round_opens = { is = \"bets-announced\"",
        "round_opens = { is = \"tumbled-and-notice-displayed\"",
        &[[
            "round_opens = ",
            "play.round_opens",
            "tumble that may come later",
            "before-open",
        ]],
    );
    broken(
        "round_opens = { is = \"bets-announced\"",
        "round_opens = { is = \"no-more-bets\"",
        &[[
            "round_opens = ",
            "play.round_opens",
            "cannot open at the close",
            "formal_start",
        ]],
    );
}

#[test]
fn voids_and_terminals_in_halves() {
    broken(
        "bets_returned = { is = true",
        "bets_returned = { is = false",
        &[[
            "bets_returned = ",
            "voiding.bets_returned",
            "would be kept",
            "give true",
        ]],
    );
    broken(
        "[late]\n",
        "terminal_registered = { is = \"settled\", rule = \"7.1\" }\n\n[late]\n",
        &[[
            "terminal_registered",
            "interruption.terminal_registered",
            "only half",
            "or neither",
        ]],
    );
    broken(
        "is = \"dice-damaged\"",
        "is = \"die-not-flat\"",
        &[[
            "rule = \"7.5\"",
            "voiding.cause[3].is",
            "repeated",
            "each cause once",
        ]],
    );
}

#[test]
fn an_identity_that_cannot_be() {
    broken(
        "id = \"quang-nam-table\"",
        "id = \"Quảng Nam\"",
        &[[
            "id = \"Quảng Nam\"",
            "identity.id",
            "not a name",
            "small letters",
        ]],
    );
    broken(
        "jurisdiction = \"vn\"",
        "jurisdiction = \"mars\"",
        &[[
            "mars",
            "identity.jurisdiction",
            "\"mars\" is unknown",
            "sg, vn or other",
        ]],
    );
    for bad in [
        "08:00:00",
        "2020-06-13T08:00:00",
        "\"2020-06-13\"",
        "20200613",
    ] {
        let source = change(
            book("quang-nam-table").source(),
            "is = 2020-06-13",
            &format!("is = {bad}"),
        );
        let found = faults(&source);
        assert_eq!(found.len(), 1, "{bad}");
        assert_eq!(found[0].place, "identity.effective.is");
        assert!(found[0].expected.contains("+08:00"), "{}", found[0]);
    }
    broken(
        "format = 1",
        "format = 2",
        &[["format = 2", "format", "unknown format", "format = 1"]],
    );
}

#[test]
fn names_that_stand_twice() {
    let mbs = book("mbs-table").source();
    let twice = change(mbs, "id = \"b\"", "id = \"a\" # again");
    check(
        &twice,
        &[["# again", "layout[1].id", "\"a\" is repeated", "once"]],
    );
    let rws = book("rws-etg").source();
    let twice = change(rws, "id = \"pt2\"", "id = \"pt1\" # again");
    let found = faults(&twice);
    assert!(found.iter().any(|fault| fault.place == "pay_table[1]"
        && fault.problem == "pay table \"pt1\" is repeated"
        && fault.line + 1 == line_of(&twice, "# again")));
    broken(
        "position = \"pit-manager\", is",
        "position = \"dealer\", is",
        &[[
            "\"Quản lý Pit\"",
            "authority.title[2].position",
            "repeated",
            "one title",
        ]],
    );
}

#[test]
fn lists_and_tables_of_the_wrong_shape() {
    broken(
        "lines = [\"1:24\"]",
        "lines = \"1:24\"",
        &[[
            "1:24\"",
            "layout[0].cell[7].lines",
            "not a list",
            "list of texts",
        ]],
    );
    broken(
        "lines = [\"1:24\"]",
        "lines = [124]",
        &[[
            "[124]",
            "layout[0].cell[7].lines",
            "not a text",
            "in quotes",
        ]],
    );
    broken(
        "closes = { is = \"announcement\", rule = \"4.4\", resolution = \"Q-13\" }",
        "closes = \"announcement\"",
        &[["closes = ", "play.closes", "not a table", "{ is = "]],
    );
    broken(
        "minimum_tumbles = { is = 3,",
        "minimum_tumbles = { is = 300,",
        &[[
            "is = 300",
            "play.minimum_tumbles.is",
            "not a number of tumbles",
            "1 to 100",
        ]],
    );
    let sg = change(
        book("mbs-etg").source(),
        "authority_days = { is = 7,",
        "authority_days = { is = 700,",
    );
    check(
        &sg,
        &[[
            "is = 700",
            "disputes.authority_days.is",
            "not a number of days",
            "1 to 255",
        ]],
    );
    broken(
        "title = { is = \"Tài Xỉu (Sic Bo)\"",
        "title = { is = \"  \"",
        &[["is = \"  \"", "identity.title.is", "empty", "give a text"]],
    );
}

#[test]
fn faults_inside_nested_tables_point_at_their_own_line() {
    // An inline table may span lines: the fault stands where its key does.
    broken(
        "device_failure = { inform = \"pit-manager\", resume_by = \"head-of-operations\", rule = \"7.1\" }",
        "device_failure = {\n  inform = \"pit-manager\",\n  resume_by = \"anyone\",\n  rule = \"7.1\",\n}",
        &[[
            "anyone",
            "interruption.device_failure.resume_by",
            "\"anyone\" is unknown",
            "use one of",
        ]],
    );
    // A missing key has no line of its own: the fault stands where its table begins.
    broken(
        "[[equipment]]\nitem = \"keys\"\nis = \"Switches or buttons numbered 1 to 6, linked to the electronic device.\"\nrule = \"3.5\"",
        "[[equipment]] # here\nitem = \"keys\"\nis = \"Switches.\"",
        &[[
            "# here",
            "equipment[5].rule",
            "no citation",
            "cite the rule",
        ]],
    );
}

#[test]
fn all_faults_are_reported_at_once_in_the_order_of_the_file() {
    let mut source = book("quang-nam-table").source().to_owned();
    for (from, to) in [
        ("jurisdiction = \"vn\"", "jurisdiction = \"mars\""),
        (
            "usual_tumble = { is = \"before-open\"",
            "usual_tumble = { is = \"sometimes\"",
        ),
        (SMALL, r#"{ sections = ["small"], pays = "1" }"#),
        (
            r#"{ sections = ["big"], pays = "1","#,
            r#"{ sections = ["big"], pays = "2","#,
        ),
        (
            "{ section = \"total:5\", box = [30,",
            "{ section = \"total:5\", box = [20,",
        ),
        ("is = \"dome-broken\"", "is = \"roof-broken\""),
        (
            "by = \"director\", or_above = true, rule = \"7.8\" }",
            "by = \"director\", or_above = \"yes\", rule = \"7.8\" }",
        ),
        ("item = \"paddle\"", "item = \"paddle\"\ncolour = \"red\""),
    ] {
        source = change(&source, from, to);
    }
    check(
        &source,
        &[
            [
                "mars",
                "identity.jurisdiction",
                "unknown",
                "sg, vn or other",
            ],
            ["sometimes", "play.usual_tumble.is", "unknown", "use one of"],
            [
                "[\"small\"]",
                "pay_table[0].row[0].rule",
                "no citation",
                "cite",
            ],
            [
                "[\"big\"]",
                "pay_table[0].row[1]",
                "big: the player has an edge",
                "reason",
            ],
            [
                "box = [20, 84",
                "layout[0].cell[16]",
                "total:5 overlaps total:4",
                "own place",
            ],
            [
                "roof-broken",
                "voiding.cause[4].is",
                "unknown",
                "dome-broken",
            ],
            [
                "decision = [",
                "authority.decision",
                "nobody decides",
                "matter uncovered",
            ],
            [
                "or_above = \"yes\"",
                "authority.decision[0].or_above",
                "neither true nor false",
                "true or false",
            ],
            [
                "colour",
                "equipment[8].colour",
                "unknown key",
                "use is, item",
            ],
        ],
    );
}

#[test]
fn an_empty_file_says_everything_it_lacks() {
    let found = faults("");
    let places: Vec<&str> = found.iter().map(|fault| fault.place.as_str()).collect();
    for part in [
        "authority",
        "corrections",
        "disputes",
        "equipment",
        "format",
        "identity",
        "interruption",
        "late",
        "layout",
        "pay_table",
        "play",
        "voiding",
        "words",
    ] {
        assert_eq!(
            places.iter().filter(|place| **place == part).count(),
            1,
            "{part}: {places:?}"
        );
    }
    assert_eq!(places.len(), 13, "{places:?}");
    assert!(
        found
            .iter()
            .all(|fault| fault.line == 1 && fault.problem == "missing")
    );
}

#[test]
fn what_is_no_toml_is_told_apart_with_its_line() {
    for (text, line) in [
        ("format = 1\n[identity\n", 2),
        ("format = 1\n\n\nid = = 3\n", 4),
        ("a = 1\na = 2\n", 2),
        ("x = \"unclosed\n", 1),
        ("row = [\n  { a = 1 },\n  { a = }\n]\n", 3),
    ] {
        match RuleBook::parse(text) {
            Err(RuleBookError::Unreadable { line: at, message }) => {
                assert_eq!(at, line, "{text:?}: {message}");
                assert!(!message.is_empty() && !message.contains('\n'), "{message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn a_fault_reads_as_one_line() {
    let source = change(
        book("quang-nam-table").source(),
        SMALL,
        r#"{ sections = ["small"], pays = "1" }"#,
    );
    let line = line_of(&source, "[\"small\"]");
    assert_eq!(
        faults(&source)[0].to_string(),
        format!(
            "line {line}: pay_table[0].row[0].rule: no citation; cite the rule, \
             e.g. rule = \"5.1\", or rule = \"silent\" with a resolution"
        )
    );
    assert_eq!(
        RuleBook::parse(&source).unwrap_err().to_string(),
        "1 fault in the rule book"
    );
}
