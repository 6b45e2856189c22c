//! Names of people.

use sicbo_register::person::*;

#[test]
fn s_18_generic_names_are_known_in_any_spelling() {
    for name in ["admin", "Admin", "dealer 2", "Dealer-07", "TEST", "root1"] {
        assert!(is_generic(name), "{name}");
    }
    for name in ["Nguyễn Thị Lan", "Tan Wei Ming", "Ann Dealer", "O'Brien"] {
        assert!(!is_generic(name) && is_name(name), "{name}");
    }
    for name in [
        "",
        "A",
        " Ann",
        "Ann\u{200b}",
        "12",
        "Ann\n",
        &"x".repeat(61),
    ] {
        assert!(!is_name(name), "{name:?}");
    }
    assert_eq!(folded("  Tan   WEI Ming "), "tan wei ming");
}
