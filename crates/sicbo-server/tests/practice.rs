//! J-12 over real connections: a practice house is started, a trainee deals
//! whole lessons at the console of every book by what the coach asks, and
//! neither kind of house opens the other's folder (P-068).
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::http::Http;
use serde_json::{Value, json};
use sicbo_journal::{DataFolder, FolderError, Purpose};
use sicbo_plan::HousePlan;
use sicbo_practice as practice;
use sicbo_register::pin::PinCost;
use sicbo_server::floor::StartError;
use sicbo_server::floor::tree::MarkPlace;
use sicbo_server::serve::{Options, ServeError, run};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// Nothing takes longer than this.
const MAX: Duration = Duration::from_secs(400);

struct House {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<Result<(), ServeError>>>,
}

impl House {
    fn start(data: &Path) -> House {
        let (stop, stopped) = oneshot::channel::<()>();
        let (up, heard) = mpsc::channel();
        let data = data.to_owned();
        let thread = std::thread::spawn(move || {
            let mut plan = practice::house_plan();
            plan.listen = "127.0.0.1:0".to_owned();
            plan.pin_cost = PinCost::LOW;
            let stop = async {
                let _ = stopped.await;
            };
            let options = Options {
                plan,
                data,
                new_house: false,
                mark: MarkPlace::Nowhere,
                keys: Default::default(),
                house: sicbo_proof::Trust::Anyone,
            };
            run(options, stop, |house| {
                let address = house.address.replace("http://", "");
                up.send(address.parse().unwrap()).unwrap();
                true
            })
        });
        let address = heard.recv_timeout(MAX).expect("the house is up");
        House {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    fn stop(mut self) {
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

async fn trainee(address: SocketAddr) -> Http {
    let said = Http::anyone(address)
        .post("/api/trial/staff", &json!({"position": "dealer"}))
        .await;
    assert_eq!(said.status, 200, "{said:?}");
    Http::logged_in(address, &said)
}

struct Trainee {
    http: Http,
    table: String,
    book: String,
}

impl Trainee {
    async fn lesson(&self) -> Value {
        self.http
            .get(&format!("/api/practice/{}", self.table))
            .await
    }

    async fn act(&self, act: Value) -> crate::doors::http::Answer {
        let path = format!("/api/tables/{}/acts", self.table);
        self.http.post(&path, &act).await
    }

    async fn staff(&self) -> Value {
        self.http
            .get(&format!("/api/tables/{}/staff", self.table))
            .await
    }

    /// Does what the coach says is due.
    async fn follow(&self, lesson: &Value) {
        let due = lesson["due"].as_str().unwrap();
        let bet = &lesson["cue_bet"];
        let staff = self.staff().await;
        let round = &staff["public"]["round"]["number"];
        let late = |late: &str| json!({"act": "record_late", "station": 0, "round": round, "late": late, "means": "cash_chips", "line": bet});
        // Which rounds damaged dice affected may wait besides.
        let waiting = staff["decisions"].as_array().unwrap();
        let mut waiting = waiting
            .iter()
            .filter(|waits| waits["question"] != "affected-rounds");
        let pending = waiting.next().unwrap_or(&Value::Null);
        let act = match due {
            "key-dice" => json!({"act": "key_dice", "dice": lesson["dice"]}),
            "report-lights" => json!({"act": "report_lights", "lit": true}),
            "report-lights-wrong" => json!({"act": "report_lights", "lit": false}),
            "key-again" => json!({"act": "clear_keys"}),
            "hold" => json!({"act": "hold", "what": "no rule covers it"}),
            "report-device-failure" => json!({"act": "report_device_failure", "what": "dead"}),
            "raise-dispute" => json!({"act": "raise_incident", "kind": "dispute", "note": ""}),
            "raise-counterfeit" => {
                json!({"act": "raise_incident", "kind": "counterfeit", "note": ""})
            }
            "call-supervisor" => {
                json!({"act": "raise_incident", "kind": "call_supervisor", "note": ""})
            }
            "place-spoken-bet" => json!({"act": "call_bet", "station": 0, "round": round,
                "bet": 9, "lines": [bet], "chips_present": true}),
            "record-late" => match lesson["cue"].as_str().unwrap() {
                "late-bet" => late("placement"),
                "late-increase" => late("increase"),
                _ => late("withdrawal"),
            },
            "rule" => json!({"act": "rule", "pending": pending["pending"], "ruling": "at_close",
                "reason": "as they lay"}),
            "confirm-interruption" => json!({"act": "confirm_interruption",
                "pending": pending["pending"], "dice_in_place": true}),
            other => match other.split_once(' ') {
                Some(("declare-void", cause)) => json!({"act": "declare_void", "cause": cause}),
                _ => json!({"act": other.replace('-', "_")}),
            },
        };
        let said = self.act(act.clone()).await;
        if said.code() == "second_person_needed" {
            let path = format!("/api/tables/{}/proposals", self.table);
            self.http.post(&path, &act).await.is(201);
            return;
        }
        assert_eq!(
            said.status, 200,
            "{}: {due}: {act}: {}",
            self.book, said.body
        );
    }

    async fn state(&self, lesson: &Value) {
        let at = format!("/api/practice/{}", self.table);
        let last = lesson["exercises"].as_array().and_then(|all| all.last());
        let remarks = last.map_or(&Value::Null, |last| &last["remarks"]);
        let told = remarks.as_array().is_some_and(|remarks| {
            let mut call = remarks.iter().filter(|remark| remark["skill"] == "call");
            call.next().is_some()
        });
        if lesson["call_due"] == true {
            assert!(!told, "{}: the call is given away", self.book);
            let dice = lesson["dice"].clone();
            let mut dice: Vec<u64> = serde_json::from_value(dice).expect("dice");
            dice.sort_unstable();
            let total: u64 = dice.iter().sum();
            let call = json!({"dice": dice, "total": total});
            self.http.post(&format!("{at}/call"), &call).await.is(204);
        }
    }

    /// A whole lesson, until it is over.
    async fn play(&self, wanted: Value) -> Value {
        let path = format!("/api/practice/{}/lessons", self.table);
        self.http.post(&path, &wanted).await.is(204);
        let began = Instant::now();
        loop {
            let lesson = self.lesson().await;
            let (due, cue) = (&lesson["due"], &lesson["cue"]);
            let at = lesson["exercises"].as_array().map_or(0, Vec::len);
            let place = format!("{} stands still: {at} {due} {cue}", self.book);
            assert!(began.elapsed() < MAX, "{place}");
            if lesson.is_null() {
                tokio::task::yield_now().await;
                continue;
            }
            self.state(&lesson).await;
            if lesson["over"] == true {
                return self.lesson().await;
            }
            if lesson["due"] == "" {
                // Others act; the house says when they have.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
            self.follow(&lesson).await;
        }
    }
}

fn marks(lesson: &Value, skill: &str) -> (u64, u64) {
    let all = lesson["marks"].as_array().unwrap();
    let found = all.iter().find(|marks| marks["skill"] == skill).unwrap();
    (
        found["right"].as_u64().unwrap(),
        found["of"].as_u64().unwrap(),
    )
}

#[test]
fn j_12_a_trainee_deals_the_whole_pack_of_every_book_at_the_console() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("practice");
    let house = House::start(&data);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let known = Http::anyone(house.address).get("/api/house").await;
        has!(known, {"practice": true, "real_money": false});
        let offered = Http::anyone(house.address).get("/api/practice").await;
        let tables = offered["tables"].as_array().unwrap().clone();
        assert_eq!(tables.len(), 5);
        let address = house.address;
        let mut playing = Vec::new();
        // A person has one session; tables are dealt side by side with it.
        let http = trainee(address).await;
        for table in tables {
            let trainee = Trainee {
                http: http.clone(),
                table: table["table"].as_str().unwrap().to_owned(),
                book: table["book"].as_str().unwrap().to_owned(),
            };
            let rounds = table["situations"].as_array().unwrap().len() as u64 + 1;
            playing.push(tokio::spawn(async move {
                let lesson = trainee.play(json!({"seed": 7, "pack": "all"})).await;
                (trainee.book, rounds, lesson)
            }));
        }
        for played in playing {
            let (book, rounds, lesson) = played.await.unwrap();
            assert_eq!(lesson["rounds"], rounds, "{book}");
            for skill in ["order", "rule", "call"] {
                let (right, of) = marks(&lesson, skill);
                let rounds = &lesson["exercises"];
                assert!(
                    right == of && of > 0,
                    "{book} {skill} {right}/{of}: {rounds:#}"
                );
            }
            // No payment was stated, so none was right.
            assert_eq!(marks(&lesson, "payments").0, 0, "{book}");
        }
    });
    house.stop();
    assert_eq!(DataFolder::purpose(&data), Ok(Purpose::Practice));
    let certificates = std::fs::read_dir(data.join("certificates")).unwrap();
    assert_eq!(certificates.count(), 5);
}

#[test]
fn p_068_neither_kind_of_house_opens_the_others_folder() {
    let folder = TempDir::new().unwrap();
    let practice = folder.path().join("practice");
    House::start(&practice).stop();
    let refused = |plan: HousePlan, data: &Path| {
        let data = data.to_owned();
        let options = Options {
            plan,
            data,
            new_house: false,
            mark: MarkPlace::Nowhere,
            keys: Default::default(),
            house: sicbo_proof::Trust::Anyone,
        };
        let stop = std::future::ready(());
        match run(options, stop, |_| panic!("it must not start")) {
            Err(ServeError::Start(StartError::Folder(error))) => error,
            other => panic!("{other:?}"),
        }
    };
    let trial = || HousePlan {
        listen: "127.0.0.1:0".to_owned(),
        ..HousePlan::trial()
    };
    let found = refused(trial(), &practice);
    let is = matches!(
        found,
        FolderError::OtherPurpose {
            found: Purpose::Practice,
            ..
        }
    );
    assert!(is, "{found}");
    let played = folder.path().join("house");
    drop(DataFolder::create(&played).unwrap());
    let mut plan = practice::house_plan();
    plan.listen = "127.0.0.1:0".to_owned();
    let found = refused(plan.clone(), &played);
    let is = matches!(
        found,
        FolderError::OtherPurpose {
            found: Purpose::House,
            ..
        }
    );
    assert!(is, "{found}");
    // Practice for money cannot be.
    plan.real_money = true;
    let options = Options {
        plan,
        data: folder.path().join("money"),
        new_house: true,
        mark: MarkPlace::Nowhere,
        keys: Default::default(),
        house: sicbo_proof::Trust::Anyone,
    };
    let served = run(options, std::future::ready(()), |_| {
        panic!("it must not start")
    });
    assert!(matches!(
        served,
        Err(ServeError::Start(StartError::Plan(_)))
    ));
}
