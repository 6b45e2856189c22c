//! The TypeScript of every message is made from the Rust types and committed;
//! a stale file fails here. `SICBO_BLESS=1` writes it anew.

use std::collections::BTreeMap;
use std::path::Path;

use sicbo_server::{http, problem, wire};
use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by name, in order.
struct Declared {
    config: Config,
    types: BTreeMap<String, String>,
}

impl Declared {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of ours have a file of their own.
        if T::output_path().is_none() {
            T::visit_dependencies(self);
            T::visit_generics(self);
            return;
        }
        let name = T::ident(&self.config);
        if self.types.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}\n", T::decl(&self.config));
        self.types.insert(name, text);
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl TypeVisitor for Declared {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

#[test]
fn the_types_of_the_web_app_are_fresh() {
    let mut declared = Declared {
        config: Config::new().with_large_int("number"),
        types: BTreeMap::new(),
    };
    declared.add::<wire::terminal::TerminalToHouse>();
    declared.add::<wire::terminal::HouseToTerminal>();
    declared.add::<wire::public::HouseToWall>();
    declared.add::<wire::console::HouseToStaff>();
    declared.add::<wire::staff::StaffAct>();
    declared.add::<wire::rules::LayoutInfo>();
    declared.add::<wire::rules::BookInfo>();
    declared.add::<http::house::HouseInfo>();
    declared.add::<http::reload::PlanReloaded>();
    declared.add::<http::session::LogIn>();
    declared.add::<http::session::Me>();
    declared.add::<http::session::ChangePin>();
    declared.add::<http::session::PinAgain>();
    declared.add::<http::session::AskFactor>();
    declared.add::<http::session::OfferedFactor>();
    declared.add::<http::session::FactorCode>();
    declared.add::<http::people::ShownPerson>();
    declared.add::<http::people::NewPerson>();
    declared.add::<http::people::OneTime>();
    declared.add::<http::people::PersonChange>();
    declared.add::<http::enrolments::ShownEnrolment>();
    declared.add::<http::enrolments::NewEnrolment>();
    declared.add::<http::enrolments::Enrolled>();
    declared.add::<http::enrolments::Revocation>();
    declared.add::<sicbo_server::claims::Claimed>();
    declared.add::<http::exceptions::Exceptions>();
    declared.add::<wire::acts::Done>();
    declared.add::<wire::acts::Proposed>();
    declared.add::<http::preview::ActPreview>();
    declared.add::<http::board::Pit>();
    declared.add::<http::tree::TreeState>();
    declared.add::<http::clock::ClockState>();
    declared.add::<http::clock::ClockLooked>();
    declared.add::<http::stations::HouseStation>();
    declared.add::<wire::acts::Confirmation>();
    declared.add::<http::tables::ShownTable>();
    declared.add::<http::tables::StationPart>();
    declared.add::<http::station::RecalledVoucher>();
    declared.add::<http::cage::Presented>();
    declared.add::<http::cage::LookUp>();
    declared.add::<http::cage::Paid>();
    declared.add::<http::cage::ShownVoucher>();
    declared.add::<http::cage::ShownFlag>();
    declared.add::<http::uncounted::UncountedMoney>();
    declared.add::<http::uncounted::UncountedBoxes>();
    declared.add::<http::cage::VoidVoucher>();
    declared.add::<http::cage::PayKept>();
    declared.add::<wire::cases::NewDispute>();
    declared.add::<wire::cases::StationCase>();
    declared.add::<wire::cases::PlayerAnswer>();
    declared.add::<wire::cases::OpenCase>();
    declared.add::<wire::cases::CaseStep>();
    declared.add::<wire::cases::CaseFile>();
    declared.add::<http::cases::WhichState>();
    declared.add::<wire::pit::HouseAct>();
    declared.add::<wire::pit::ShownDice>();
    declared.add::<wire::pit::AffectedRounds>();
    declared.add::<wire::pit::ShownShift>();
    declared.add::<wire::play::PlayChange>();
    declared.add::<wire::play::ShownPlay>();
    declared.add::<wire::play::PresentedCard>();
    declared.add::<wire::play::CardStanding>();
    declared.add::<wire::play::StopPlay>();
    declared.add::<http::trial::WantSeat>();
    declared.add::<http::trial::GivenSeat>();
    declared.add::<http::trial::WantPosition>();
    declared.add::<http::trial::WhoDeals>();
    declared.add::<wire::practice::PracticeInfo>();
    declared.add::<wire::practice::NewLesson>();
    declared.add::<wire::practice::Called>();
    declared.add::<wire::practice::StatedPayment>();
    declared.add::<wire::practice::ShownLesson>();
    declared.add::<http::health::Health>();
    declared.add::<sicbo_report::sheet::TableReport>();
    declared.add::<sicbo_report::alerts::TableAlerts>();
    declared.add::<sicbo_report::events::EventPage>();
    declared.add::<sicbo_report::security::SecurityPage>();
    declared.add::<wire::attest::AskAttest>();
    declared.add::<wire::attest::Attestation>();
    declared.add::<wire::rounds::RoundShown>();
    declared.add::<wire::rounds::OwnRound>();
    declared.add::<problem::Problem>();
    let mut text = String::from(
        "// Made from the Rust types of sicbo-server by its tests; not to be edited.\n\
         // Amounts are whole minor units; times are UTC milliseconds.\n\n",
    );
    for declaration in declared.types.values() {
        text.push_str(declaration);
        text.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire.ts");
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        known, text,
        "web/src/wire.ts is stale: run the tests with SICBO_BLESS=1"
    );
}
