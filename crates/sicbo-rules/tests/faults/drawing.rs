//! Faults of layouts.

use super::{BIG, broken};

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
