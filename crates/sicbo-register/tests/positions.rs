//! Names of positions above the director.

use sicbo_register::positions::{NameFault, name_fault};
use sicbo_rules::rulebook::words::Position;

#[test]
fn r_200_a_name_is_readable_and_no_other_positions() {
    let before = ["Chief Operating Officer".to_owned()];
    for (name, fault) in [
        ("Vice President, Table Games", None),
        ("Phó Tổng Giám đốc", None),
        ("副总裁", None),
        ("X", Some(NameFault::Unreadable)),
        (" Vice President", Some(NameFault::Unreadable)),
        ("Vice\tPresident", Some(NameFault::Unreadable)),
        ("1234", Some(NameFault::Unreadable)),
        ("Director", Some(NameFault::BuiltIn(Position::Director))),
        (
            "Pit  supervisor",
            Some(NameFault::BuiltIn(Position::PitSupervisor)),
        ),
        (
            "above-director-2",
            Some(NameFault::BuiltIn(Position::AboveDirector2)),
        ),
        ("chief operating  OFFICER", Some(NameFault::Twice)),
    ] {
        assert_eq!(name_fault(name, &before), fault, "{name:?}");
    }
    assert_eq!(
        name_fault(&"x".repeat(61), &[]),
        Some(NameFault::Unreadable)
    );
}
