//! Tickets to folders, files and sockets, and what each failure says.

use std::io::Read;
use std::net::TcpListener;

use sicbo_rules::{Currency, Money};

use super::*;
use sicbo_register::validation::VoucherSecret;

fn ticket(duplicate: bool) -> Ticket {
    Ticket {
        site: "Riverside Casino".to_owned(),
        table: "mbs-etg".to_owned(),
        station: "T1".to_owned(),
        issued: "2026-10-21 14:05:09 +08:00".to_owned(),
        expires: "2026-11-20 14:05:09 +08:00".to_owned(),
        currency: Currency::SGD,
        amount: Money::from_minor(123_450),
        sequence: 42,
        number: VoucherSecret::new([9; 32]).number(VoucherId(7), 0),
        duplicate,
        check: None,
        languages: [
            sicbo_paper::Language::English,
            sicbo_paper::Language::Vietnamese,
        ],
    }
}

const SOON: Duration = Duration::from_secs(5);

#[test]
fn a_folder_gets_each_voucher_whole_and_for_its_owner_only() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("vouchers");
    let mut printer = ToFolder::new(&folder).unwrap();
    // What a crash left behind does not stand in the way.
    std::fs::write(folder.join("voucher-7.pdf.part"), b"half").unwrap();
    printer.print(VoucherId(7), &ticket(false)).unwrap();
    printer.print(VoucherId(7), &ticket(true)).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "voucher-7-duplicate.escpos",
            "voucher-7-duplicate.pdf",
            "voucher-7-duplicate.svg",
            "voucher-7.escpos",
            "voucher-7.pdf",
            "voucher-7.svg",
        ]
    );
    let escpos = std::fs::read(folder.join("voucher-7.escpos")).unwrap();
    assert_eq!(escpos, ticket(false).escpos());
    assert!(
        std::fs::read(folder.join("voucher-7.pdf"))
            .unwrap()
            .starts_with(b"%PDF")
    );
    #[cfg(unix)]
    for name in names {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let failure = printer.print(VoucherId(8), &ticket(false)).unwrap_err();
    assert_eq!(failure.paper, Paper::None);
    assert!(!failure.what.contains(&ticket(false).number.grouped()));
}

#[test]
fn a_device_file_must_be_there() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("lp0");
    let mut printer = ToFile::new(&path);
    let failure = printer.print(VoucherId(1), &ticket(false)).unwrap_err();
    assert_eq!(failure.paper, Paper::None);
    assert!(!path.exists());
    std::fs::write(&path, b"").unwrap();
    printer.print(VoucherId(1), &ticket(false)).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), ticket(false).escpos());
    if Path::new("/dev/full").exists() {
        let failure = ToFile::new(Path::new("/dev/full")).print(VoucherId(1), &ticket(false));
        assert_eq!(failure.unwrap_err().paper, Paper::Unknown);
    }
}

#[test]
fn a_network_printer_gets_the_bytes_and_every_failure_says_what_is_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut printer = ToTcp::new(address, SOON);
    let prints = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        listener
            .accept()
            .unwrap()
            .0
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    });
    printer.print(VoucherId(3), &ticket(false)).unwrap();
    assert_eq!(prints.join().unwrap(), ticket(false).escpos());
    // Nobody listens any more: nothing can be out.
    let failure = printer.print(VoucherId(3), &ticket(false)).unwrap_err();
    assert_eq!(failure.paper, Paper::None);
    // One that hangs up without reading may have printed.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut printer = ToTcp::new(listener.local_addr().unwrap(), SOON);
    let resets = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        // Unread bytes make the close a reset.
        stream.read_exact(&mut [0; 1]).unwrap();
    });
    let failure = printer.print(VoucherId(3), &ticket(false)).unwrap_err();
    assert_eq!(failure.paper, Paper::Unknown);
    resets.join().unwrap();
}
