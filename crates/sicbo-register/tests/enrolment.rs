//! Tokens of enrolled places, and names of tables.

use sicbo_register::enrolment::*;

#[test]
fn s_17_a_token_names_its_enrolment_and_only_its_key_opens_it() {
    let key = Key::new([0xab; 32]);
    let token = key.token(EnrolmentId(7));
    assert_eq!(Key::from_token(&token), Some((EnrolmentId(7), key.clone())));
    for bad in [
        "",
        "7",
        "7-",
        "-ab",
        "+7-ab",
        &token[..token.len() - 1],
        &format!("{token}0"),
    ] {
        assert_eq!(Key::from_token(bad), None, "{bad}");
    }
    let new = NewEnrolment {
        role: Role::Cage,
        name: "Window 1".to_owned(),
        key: key.digest(),
    };
    let mut window = Enrolment::new(&new, 0);
    assert!(window.is_key(&key));
    assert!(!window.is_key(&Key::new([0xaa; 32])));
    window.revoked_ms = Some(1);
    assert!(!window.is_key(&key));
    assert!(!format!("{key:?}").contains("ab"));
}

#[test]
fn the_house_is_no_table() {
    assert!(TableName::new("mbs-etg").is_some());
    assert!(TableName::new("house").is_none());
    assert!(TableName::new("No Table").is_none());
}
