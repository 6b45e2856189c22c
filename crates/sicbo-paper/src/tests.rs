//! A ticket says all it must, in every form.

use super::*;

fn ticket(duplicate: bool) -> Ticket {
    Ticket {
        site: "Sông Hoài Casino & Resort".to_owned(),
        table: "mbs-etg".to_owned(),
        station: "T12".to_owned(),
        issued: local(1_792_562_709_000, 480).unwrap(),
        expires: local(1_792_562_709_000 + 30 * 86_400_000, 480).unwrap(),
        currency: Currency::SGD,
        amount: Money::from_minor(123_450),
        sequence: 42,
        number: VoucherSecret::new([9; 32]).number(VoucherId(7), 0),
        duplicate,
        check: Some("https://sicbo.example/check#v/7/00112233445566778899".to_owned()),
        languages: [Language::English, Language::Vietnamese],
    }
}

#[test]
fn s_12_every_field_is_on_the_ticket_in_every_form() {
    let ticket = ticket(false);
    let number = ticket.number.grouped();
    let svg = ticket.svg();
    let fields = [
        "Sông Hoài Casino &amp; Resort",
        "CASH-OUT VOUCHER",
        "PHIẾU ĐỔI TIỀN",
        "SGD 1,234.50",
        "One thousand two hundred and thirty-four",
        "Một nghìn hai trăm ba mươi",
        "mbs-etg",
        "T12",
        "2026-10-21 14:05:09 +08:00",
        "2026-11-20 14:05:09 +08:00",
        "000042",
        &number,
    ];
    for field in fields {
        assert!(svg.contains(field), "{field} in {svg}");
    }
    assert!(!svg.contains("DUPLICATE"));

    let bytes = ticket.escpos();
    let text = String::from_utf8_lossy(&bytes);
    for field in [
        "Song Hoai Casino &",
        "CASH-OUT VOUCHER",
        "PHIEU DOI TIEN",
        "SGD 1,234.50",
        "Mot nghin hai tram ba muoi bon do la",
        "mbs-etg",
        "T12",
        "2026-10-21 14:05:09 +08:00",
        "000042",
        &number,
    ] {
        assert!(text.contains(field), "{field} in {text}");
    }
    let bars = [&[0x1d, b'k', 70, 18], ticket.number.digits().as_bytes()].concat();
    assert!(bytes.windows(bars.len()).any(|part| part == bars));
    assert!(bytes.starts_with(&[0x1b, b'@']) && bytes.ends_with(&[0x1d, b'V', 66, 0]));

    let pdf = ticket.pdf().unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 5_000);
}

#[test]
fn the_square_leads_to_the_receipt_and_only_the_bars_carry_the_number() {
    let ticket = ticket(false);
    let address = ticket.check.clone().unwrap();
    let bytes = ticket.escpos();
    let [low, high, ..] = (address.len() as u32 + 3).to_le_bytes();
    let store = [
        &[0x1d, b'(', b'k', low, high, 49, 80, 48],
        address.as_bytes(),
    ]
    .concat();
    assert!(bytes.windows(store.len()).any(|part| part == store));
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("Scan to check this voucher") && text.contains("Quet de kiem tra phieu"));
    // In bars and in letters, and in no square.
    assert_eq!(text.matches(&ticket.number.digits()).count(), 1);
    assert!(!address.contains(&ticket.number.digits()));
    assert!(ticket.svg().contains("Scan to check this voucher"));
    // A house that no phone reaches prints none.
    let none = Ticket {
        check: None,
        ..ticket
    };
    assert!(!none.svg().contains("Scan to check"));
    assert!(!none.escpos().windows(3).any(|part| part == b"\x1d(k"));
}

#[test]
fn s_12_duplicates_are_marked() {
    let ticket = ticket(true);
    assert!(ticket.svg().contains("DUPLICATE – BẢN SAO"));
    assert!(String::from_utf8_lossy(&ticket.escpos()).contains("DUPLICATE - BAN SAO"));
}

#[test]
fn names_cannot_command_the_printer_or_the_page() {
    let mut ticket = ticket(false);
    ticket.station = "\x1b@<script>".to_owned();
    ticket.site = "場".to_owned();
    assert!(!ticket.svg().contains("<script>"));
    let bytes = ticket.escpos();
    let resets = bytes.windows(2).filter(|pair| pair == b"\x1b@");
    assert_eq!(resets.count(), 1);
}

#[test]
fn figures_are_grouped_by_thousands() {
    let mut ticket = ticket(false);
    for (currency, minor, figures) in [
        (Currency::SGD, 5, "SGD 0.05"),
        (Currency::SGD, 99_999, "SGD 999.99"),
        (Currency::VND, 1_000, "VND 1,000"),
        (Currency::VND, 12_500_000, "VND 12,500,000"),
    ] {
        ticket.currency = currency;
        ticket.amount = Money::from_minor(minor);
        assert_eq!(ticket.figures(), figures);
    }
}

/// Writes pictures to look at: `SICBO_TICKETS=folder cargo test … -- --ignored`.
#[test]
#[ignore = "writes pictures for people to look at"]
fn pictures() {
    let folder = std::env::var("SICBO_TICKETS").unwrap();
    let mut long = ticket(true);
    long.currency = Currency::VND;
    long.amount = Money::from_minor(12_345_678_915);
    for (name, ticket) in [("plain", ticket(false)), ("duplicate", long)] {
        std::fs::write(format!("{folder}/{name}.svg"), ticket.svg()).unwrap();
        std::fs::write(format!("{folder}/{name}.pdf"), ticket.pdf().unwrap()).unwrap();
        std::fs::write(format!("{folder}/{name}.bin"), ticket.escpos()).unwrap();
    }
}

#[test]
fn a_ticket_is_in_the_books_language_and_the_players() {
    let read = |book, player| ticket(true).in_languages(book, player);
    let svg = read(Language::English, Language::Simplified).svg();
    for text in [
        "CASH-OUT VOUCHER",
        "兑现票券",
        "新加坡币壹仟贰佰叁拾肆元伍角整",
        "Station / 席位",
        "DUPLICATE – 副本",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    assert!(!svg.contains("PHIẾU"));
    let svg = read(Language::Vietnamese, Language::Traditional).svg();
    assert!(svg.contains("PHIẾU ĐỔI TIỀN") && svg.contains("兌現票券"));
    assert!(!svg.contains("CASH-OUT"));
    // One language is never alone, and a printer prints what it has letters for.
    assert!(
        read(Language::Vietnamese, Language::Vietnamese)
            .svg()
            .contains("CASH-OUT")
    );
    let bytes = read(Language::Vietnamese, Language::Simplified).escpos();
    let text = String::from_utf8_lossy(&bytes);
    assert!(
        text.contains("PHIEU DOI TIEN") && text.contains("CASH-OUT VOUCHER"),
        "{text}"
    );
    assert!(!text.contains('?'), "{text}");
    // The letters of a PDF are in its font.
    let ticket = read(Language::English, Language::Traditional).printable();
    assert_eq!(ticket.languages, [Language::English, Language::Vietnamese]);
}
