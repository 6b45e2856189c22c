//! Time zones by name.

use sicbo_register::zone::Zone;

#[test]
fn a_zone_knows_its_offset_at_any_time() {
    let at = |zone: &str, at_ms| Zone::named(zone).map(|zone| zone.offset_minutes(at_ms));
    let (winter, summer) = (1_768_478_400_000, 1_784_116_800_000);
    assert_eq!(at("Asia/Singapore", winter), Some(480));
    assert_eq!(at("Asia/Ho_Chi_Minh", summer), Some(420));
    assert_eq!(at("Europe/Vienna", winter), Some(60));
    assert_eq!(at("Europe/Vienna", summer), Some(120));
    // Singapore was half an hour off until 1982.
    assert_eq!(at("Asia/Singapore", 0), Some(450));
    assert_eq!(at("Asia/Nowhere", 0), None);
    assert_eq!(Zone::Fixed(-210).offset_minutes(summer), -210);
}
