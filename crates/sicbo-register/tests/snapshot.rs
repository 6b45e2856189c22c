//! A register as bytes.

use sicbo_loop::Machine as _;
use sicbo_register::Register;

#[test]
fn as_many_fields_are_written_as_are_announced() {
    let bytes = Register::default().snapshot();
    let mut whole = minicbor::Decoder::new(&bytes);
    whole.skip().expect("one whole array");
    assert_eq!(whole.position(), bytes.len(), "and nothing after it");
    assert_eq!(Register::from_snapshot(&bytes), Some(Register::default()));
}
