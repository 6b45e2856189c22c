//! The machine's clock jumps, back an hour and ahead a hundred days: bets
//! close when they should, no voucher is lost, and no round begins until a
//! supervisor has looked.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::comes_there;
use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::http::Http;
use crate::common::people::{People, Staff};
use crate::common::proof;
use crate::common::terminal::Terminal;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// The betting window of the automatic table.
const WINDOW: Duration = Duration::from_secs(4);

struct House {
    site: Site,
    program: Program,
    staff: Staff,
}

impl House {
    async fn start() -> House {
        let automatic = TableSpec {
            name: "auto",
            book: "mbs-etg",
            stations: vec![("rapid", 2)],
            automatic: Some(WINDOW.as_secs() as u32),
            window: 3_600,
            printer: None,
        };
        let by_hand = TableSpec::by_hand("rws-etg", &[("a", 2)]);
        let site = Site::of(vec![automatic, by_hand]);
        let program = site.start();
        let staff = site.staff(&program);
        House {
            site,
            program,
            staff,
        }
    }

    /// The machine's clock is set.
    fn set(&self, wrong_by: i64) {
        self.site.set_clock_wrong(wrong_by);
    }

    async fn terminal(&self, table: &str, station: u32) -> Terminal {
        let token = self.site.token(table, station);
        let mut terminal = Terminal::connect(self.program.address, &token, None).await;
        terminal.insert_note(1, 10_000).await;
        terminal
    }

    fn supervisor(&self) -> &Http {
        self.staff.of("pit-supervisor")
    }

    /// Waits until staff see the alarm at a table; what the clocks showed.
    async fn alarm(&self, table: &str) -> Value {
        comes_there(format!("no alarm at {table}"), async || {
            let seen = self.staff.sees("dealer", table).await["clock_parted"].clone();
            (!seen.is_null()).then_some(seen)
        })
        .await
    }

    /// The supervisor looks at the clock and says that it is right.
    async fn look(&self) {
        let shown = self.supervisor().get("/api/clock").await;
        assert!(!shown["parted"].is_null(), "{shown}");
        let seen = json!({"machine_ms": shown["machine_ms"]});
        let said = self.staff.post("dealer", "/api/clock", &seen).await;
        said.is(403); // a dealer does not say so
        let elsewhen = json!({"machine_ms": 5});
        let said = self.supervisor().post("/api/clock", &elsewhen).await;
        said.refuses(409, "clock_moved");
        self.supervisor().post("/api/clock", &seen).await.is(204);
        let said = self.supervisor().post("/api/clock", &seen).await;
        said.refuses(409, "clocks_agree");
    }
}

/// The validation number on the paper of a simulated printer.
async fn number_of(house: &House, at: &Terminal, voucher: &Value) -> String {
    let ticket = voucher["ticket"].as_str().expect("a simulated printer");
    let said = Http::terminal(house.program.address, &at.token)
        .ask("GET", ticket, None)
        .await
        .expect("the ticket");
    let is_number = |part: &&str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        digits == 18
            && part
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let found = said.body.split(['<', '>', ' ', '"']).find(is_number);
    found.expect("a validation number").replace('-', "")
}

/// The number of the round whose bets have just been called.
async fn called(terminal: &mut Terminal, after: u64) -> u64 {
    let fresh = |t: &Terminal| {
        let round = &t.state()["round"];
        round["phase"] == "betting" && round["number"].as_u64() > Some(after)
    };
    terminal.until("a new round", fresh).await;
    terminal.state()["round"]["number"]
        .as_u64()
        .expect("a number")
}

/// Plays a round to its end at the automatic table while the clock jumps; how
/// long its bets were open.
async fn round_with_a_jump(house: &House, player: &mut Terminal, wrong_by: i64) -> u64 {
    let last = player.state()["round"]["number"].as_u64().unwrap_or(0);
    let round = called(player, last).await;
    let opened = Instant::now();
    house.set(wrong_by);
    let said = player.bet(1, round, &[("big", 100)]).await;
    assert_eq!(said["type"], "registered", "{said}");
    player.shown(round).await;
    let open = opened.elapsed();
    assert!(
        open > WINDOW - Duration::from_millis(1_500) && open < WINDOW + Duration::from_secs(4),
        "bets were open for {open:?}"
    );
    player
        .until("the card", |t| t.cards.contains_key(&round))
        .await;
    round
}

#[tokio::test]
async fn a_clock_that_jumps_moves_no_close_and_takes_no_voucher() {
    let house = House::start().await;
    let mut player = house.terminal("auto", 0).await;
    let table = Table::new(&house.site.tables[1], &house.staff);
    table.open().await;
    let mut other = house.terminal("rws-etg", 0).await;
    let cash_out = json!({"type": "cash_out", "request": 2, "amount": 2_500});
    other.send(cash_out).await;
    let voucher = other.reply(2).await;
    assert_eq!(voucher["type"], "voucher", "{voucher}");
    let number = number_of(&house, &other, &voucher).await;

    // A round dealt by hand stands in its closing while the clock goes back an
    // hour: whoever does not answer is fenced all the same.
    let by_hand = table.to_betting().await;
    table.close().await;
    other.phase(by_hand, "closing").await;
    let round = round_with_a_jump(&house, &mut player, -HOUR).await;
    other.phase(by_hand, "closed").await;

    // Everybody is told, and no round begins.
    let seen = house.alarm("auto").await;
    let apart = seen["machine_ms"].as_i64().expect("ms") - seen["house_ms"].as_i64().expect("ms");
    assert!((apart + HOUR).abs() < 2_000, "{seen}");
    house.alarm("rws-etg").await;
    table.finish([1, 2, 3]).await;
    let act = json!({"act": "activate_tumbler"});
    let said = house.staff.act("dealer", "rws-etg", &act).await;
    said.refuses(409, "clock_parted");
    let figures = Http::anyone(house.program.address)
        .ask("GET", "/metrics", None)
        .await;
    let figures = figures.expect("figures").body;
    assert!(figures.contains("sicbo_clock_parted 1"), "{figures}");
    player.catch_up();
    assert!(player.state()["round"].is_null() || player.state()["round"]["number"] == round);

    // The hour was wrong: it is put right, and a supervisor looks.
    house.set(0);
    house.look().await;

    // Ahead by a hundred days for three seconds.
    let ahead = round_with_a_jump(&house, &mut player, 100 * DAY).await;
    assert!(ahead > round);
    house.alarm("auto").await;
    house.set(0);
    house.look().await;
    let redeem = json!({"type": "redeem", "request": 9, "number": number});
    player.send(redeem).await;
    let said = player.reply(9).await;
    assert_eq!(said["type"], "done", "{said}");

    // A clock that was wrong and is put right for good is taken over, and the
    // next round's window is what it is.
    let next = round_with_a_jump(&house, &mut player, HOUR).await;
    house.alarm("auto").await;
    house.look().await;
    let last = round_with_a_jump(&house, &mut player, HOUR).await;
    assert!(last > next);
    let shown = house.supervisor().get("/api/clock").await;
    assert!(shown["parted"].is_null(), "{shown}");

    house.program.stop();
    let clean = proof::clean(&house.site.data());
    for (table, verified) in &clean.tables {
        assert_eq!(
            verified.ran_back.times, 0,
            "{table}: {:?}",
            verified.ran_back
        );
    }
}

#[tokio::test]
async fn a_clock_that_ran_back_while_the_house_was_shut_is_looked_at() {
    let house = House::start().await;
    let mut player = house.terminal("auto", 0).await;
    round_with_a_jump(&house, &mut player, 0).await;
    let House { site, program, .. } = house;
    program.stop();
    site.set_clock_wrong(-HOUR);
    let program = site.start();
    let mut people = People::default();
    // Nobody in that position has logged in yet.
    let supervisor = people.one(&site, program.address, "pit-manager", 0).await;
    let shown = supervisor.get("/api/clock").await;
    let parted = &shown["parted"];
    let apart =
        parted["machine_ms"].as_i64().expect("ms") - parted["house_ms"].as_i64().expect("ms");
    assert!((apart + HOUR).abs() < 60_000, "{shown}");
    program.stop();
    no_clock_ran_back(&site);
}

fn no_clock_ran_back(site: &Site) {
    let clean = proof::clean(&site.data());
    for (table, verified) in &clean.tables {
        assert_eq!(verified.ran_back.times, 0, "{table}");
    }
}

/// A house for money whose table is open, and shut again since.
async fn house_for_money() -> Site {
    let site = Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 2)])]);
    site.set_clock_wrong(0);
    let plan = site.data().with_file_name("house.toml");
    let text = std::fs::read_to_string(&plan).expect("the plan");
    let text = text
        .replace("note_acceptor = \"simulated\"", "note_acceptor = \"none\"")
        .replace("{ folder = \"vouchers\" }", "{ file = \"/dev/null\" }");
    std::fs::write(&plan, format!("real_money = true\n{text}")).expect("the plan");
    let program = site.start();
    let staff = site.staff(&program);
    // With real money a table is opened in a shift, which two managers open.
    let shift = json!({"act": "open_shift", "table": "mbs-etg", "opener": 0});
    let proposed = staff.post("shift-manager", "/api/proposals", &shift).await;
    let proposed = proposed.is(201).json();
    let confirm = format!("/api/proposals/{}/confirm", proposed["proposal"]);
    let digest = json!({"digest": proposed["digest"]});
    staff.post("pit-manager", &confirm, &digest).await.is(200);
    let opening = json!({"act": "open_table"});
    staff.must("pit-supervisor", "mbs-etg", opening).await;
    program.stop();
    site
}

#[tokio::test]
async fn a_clock_far_ahead_after_the_house_was_shut_is_looked_at_before_play() {
    let site = house_for_money().await;
    // A night is no reason to look.
    site.set_clock_wrong(23 * HOUR);
    let program = site.start();
    let staff = site.staff(&program);
    let shown = staff.of("pit-supervisor").get("/api/clock").await;
    assert!(shown["parted"].is_null(), "{shown}");
    assert!(staff.sees("dealer", "mbs-etg").await["clock_parted"].is_null());
    program.stop();
    // A day and an hour are.
    site.set_clock_wrong((23 + 25) * HOUR);
    let program = site.start();
    let staff = site.staff(&program);
    let shown = staff.of("pit-supervisor").get("/api/clock").await;
    let at_table = staff.sees("dealer", "mbs-etg").await["clock_parted"].clone();
    for parted in [&shown["parted"], &at_table] {
        let ms = |key: &str| parted[key].as_i64().expect("ms");
        let apart = ms("machine_ms") - ms("house_ms");
        assert!((apart - 25 * HOUR).abs() < 60_000, "{shown} {at_table}");
    }
    // The house goes by the machine's clock meanwhile, and nothing expires by it.
    let ms = |key: &str| shown[key].as_i64().expect("ms");
    assert!((ms("machine_ms") - ms("house_ms")).abs() < 1_000, "{shown}");
    let seen = json!({"machine_ms": shown["machine_ms"]});
    let said = staff.post("pit-supervisor", "/api/clock", &seen).await;
    said.is(204);
    comes_there("the table waits on", async || {
        let sees = staff.sees("dealer", "mbs-etg").await;
        sees["clock_parted"].is_null().then_some(())
    })
    .await;
    program.stop();
    no_clock_ran_back(&site);
}
