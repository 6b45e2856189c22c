//! Faults of layouts.

use super::told;

#[test]
fn unknown_section_in_a_layout() {
    told("unknown_section_in_a_layout");
}

#[test]
fn repeated_section_in_a_layout() {
    told("repeated_section_in_a_layout");
}

#[test]
fn r_123_a_layout_offering_what_its_pay_table_lacks() {
    told("r_123_a_layout_offering_what_its_pay_table_lacks");
}

#[test]
fn a_layout_without_pay_table() {
    told("a_layout_without_pay_table");
}

#[test]
fn a_kind_without_name_and_a_name_without_kind() {
    told("a_kind_without_name_and_a_name_without_kind");
}

#[test]
fn cells_that_overlap_or_leave_the_drawing() {
    told("cells_that_overlap_or_leave_the_drawing");
}

#[test]
fn numbers_in_another_base_mean_what_they_say() {
    told("numbers_in_another_base_mean_what_they_say");
}

#[test]
fn a_cell_with_nothing_in_it() {
    told("a_cell_with_nothing_in_it");
}
