//! PINs: which are taken, and how they are hashed.

use sicbo_register::pin::*;

#[test]
fn trivial_pins_are_refused() {
    for (digits, verdict) in [
        ("12345", Err(BadPin::NotDigits)),
        ("1234567890123", Err(BadPin::NotDigits)),
        ("12345a", Err(BadPin::NotDigits)),
        ("１２３４５６", Err(BadPin::NotDigits)),
        ("", Err(BadPin::NotDigits)),
        ("000000", Err(BadPin::Trivial)),
        ("123456", Err(BadPin::Trivial)),
        ("987654", Err(BadPin::Trivial)),
        ("890123", Err(BadPin::Trivial)),
        ("135791", Err(BadPin::Trivial)),
        ("121212", Err(BadPin::Trivial)),
        ("123123", Err(BadPin::Trivial)),
        ("123321", Err(BadPin::Trivial)),
        ("112122", Err(BadPin::Trivial)),
        ("310585", Err(BadPin::Trivial)),
        ("850531", Err(BadPin::Trivial)),
        ("19850531", Err(BadPin::Trivial)),
        ("31051985", Err(BadPin::Trivial)),
        ("739182", Ok(())),
        ("482915730264", Ok(())),
    ] {
        assert_eq!(Pin::new(digits).map(|_| ()), verdict, "{digits}");
    }
}

#[test]
fn one_time_pins_are_never_trivial_whatever_the_bytes() {
    for byte in 0..=255 {
        let pin = Pin::one_time([byte; 32]);
        assert_eq!(pin.digits().len(), 8);
        assert!(Pin::new(pin.digits()).is_ok());
    }
}

#[test]
fn s_18_a_pin_verifies_only_with_the_secret_of_its_house() {
    let ours = PinHasher::new([1; 32], PinCost::LOW).unwrap();
    let theirs = PinHasher::new([2; 32], PinCost::LOW).unwrap();
    let pin = Pin::new("739182").unwrap();
    let phc = ours.hash("Ada", &pin, [9; 16]).unwrap();
    assert!(phc.starts_with("$argon2id$v=19$"), "{phc}");
    assert!(ours.verify(Some(("Ada", &phc)), "739182"));
    assert!(!ours.verify(Some(("Ada", &phc)), "739183"));
    assert!(!ours.verify(Some(("Ada", &phc)), ""));
    assert!(!ours.verify(Some(("Ada", "not a hash")), "739182"));
    assert!(!ours.verify(None, "739182"));
    assert!(!ours.verify(None, "no such person"));
    assert!(!theirs.verify(Some(("Ada", &phc)), "739182"));
    assert!(!format!("{pin:?} {ours:?}").contains("739182"));
}

#[test]
fn s_18_a_hash_that_was_copied_to_another_person_lets_nobody_in() {
    let hasher = PinHasher::new([1; 32], PinCost::LOW).unwrap();
    let pin = Pin::new("739182").unwrap();
    let phc = hasher.hash("Ada", &pin, [9; 16]).unwrap();
    assert!(hasher.verify(Some(("Ada", &phc)), "739182"));
    assert!(!hasher.verify(Some(("Tan Wei Ming", &phc)), "739182"));
    // Whose it is cannot be rewritten or left out either.
    let (data, theirs) = (
        ",data=",
        hasher.hash("Tan Wei Ming", &pin, [9; 16]).unwrap(),
    );
    let of = |phc: &str| {
        let from = phc.find(data).unwrap();
        phc[from..].split('$').next().unwrap().to_owned()
    };
    let renamed = phc.replace(&of(&phc), &of(&theirs));
    assert!(!hasher.verify(Some(("Tan Wei Ming", &renamed)), "739182"));
    let nobodys = phc.replace(&of(&phc), "");
    for name in ["Ada", "Tan Wei Ming"] {
        assert!(!hasher.verify(Some((name, &nobodys)), "739182"));
    }
}

#[test]
fn a_hash_from_before_hashes_were_bound_is_good_until_it_is_changed() {
    use argon2::password_hash::PasswordHasher as _;
    use argon2::{Algorithm, Argon2, Params, Version};
    let params = Params::new(64, 1, 1, None).unwrap();
    let old = Argon2::new_with_secret(&[1; 32], Algorithm::Argon2id, Version::V0x13, params);
    let phc = old.unwrap().hash_password_with_salt(b"739182", &[9; 16]);
    let phc = phc.unwrap().to_string();
    assert!(!phc.contains("data="), "{phc}");
    let hasher = PinHasher::new([1; 32], PinCost::LOW).unwrap();
    assert!(hasher.verify(Some(("Ada", &phc)), "739182"));
    assert!(!hasher.verify(Some(("Ada", &phc)), "739183"));
}

#[test]
fn memory_for_hashing_is_used_again() {
    let resident = || {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        pages.map_or(0, |pages: u64| pages * 4096)
    };
    let hasher = PinHasher::new([1; 32], PinCost::OWASP).unwrap();
    let phc = hasher
        .hash("Ada", &Pin::new("739182").unwrap(), [9; 16])
        .unwrap();
    let before = resident();
    // As in a storm of wrong log-ins: four at once, each time on other threads.
    for _ in 0..12 {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(!hasher.verify(Some(("Ada", &phc)), "739183")));
            }
        });
    }
    assert!(hasher.verify(Some(("Ada", &phc)), "739182"));
    let grown = resident().saturating_sub(before);
    assert!(grown < 100 * 1024 * 1024, "{grown} bytes are kept");
}
