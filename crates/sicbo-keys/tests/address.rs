use sicbo_keys::Address;

const ADDRESS: &str =
    "pkcs11:token=house;object=sicbo-1?module-path=/usr/lib/softhsm/libsofthsm2.so";

#[test]
fn an_address_reads_back_as_it_was_written() {
    for text in [
        ADDRESS,
        "pkcs11:token=My%20House;object=k%3B1?module-path=/m%25.so",
    ] {
        let address: Address = text.parse().unwrap();
        assert_eq!(address.to_string(), text);
    }
    let spaced: Address = "pkcs11:token=My%20House;object=k?module-path=/m"
        .parse()
        .unwrap();
    assert_eq!(spaced.token(), "My House");
}

#[test]
fn what_is_no_address_is_named() {
    for (text, said) in [
        ("file:/key", "no PKCS#11 address"),
        ("pkcs11:token=a;object=b", "module-path is missing"),
        ("pkcs11:object=b?module-path=/m", "token is missing"),
        ("pkcs11:token=a;object=?module-path=/m", "object is missing"),
        ("pkcs11:token=a;token=b;object=b?module-path=/m", "twice"),
        (
            "pkcs11:token=a;object=b?module-path=/m&pin-value=1",
            "PIN does not belong",
        ),
        (
            "pkcs11:token=a;serial=b?module-path=/m",
            "serial is not used",
        ),
        ("pkcs11:token=a%2;object=b?module-path=/m", "cannot be read"),
        ("pkcs11:token;object=b?module-path=/m", "has no value"),
    ] {
        let error = text.parse::<Address>().expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
        assert!(error.contains("write pkcs11:token="), "{error}");
    }
}

#[test]
fn the_next_key_of_a_token_has_the_next_number() {
    let address: Address = ADDRESS.parse().unwrap();
    assert_eq!(address.of_number(2).object(), "sicbo-2");
    assert_eq!(address.of_number(2).of_number(13).object(), "sicbo-13");
    assert_eq!(
        address.with_object("house").of_number(2).object(),
        "house-2"
    );
}
