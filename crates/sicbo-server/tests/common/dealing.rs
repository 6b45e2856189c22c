//! A dealer at a console, working by the order of play of the table's book.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::comes_there;
use super::device::Device;
use super::people::Staff;

/// One table with who deals there.
#[derive(Clone)]
pub struct Table {
    pub name: &'static str,
    pub book: &'static str,
    pub staff: Staff,
    /// The tumbler that counts, where it is on the line; else the dealer counts.
    pub tumbler: Option<Arc<Mutex<Device>>>,
}

/// The acts of a tumble that counts.
fn tumble() -> [Value; 2] {
    [
        json!({"act": "activate_tumbler"}),
        json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true}),
    ]
}

impl Table {
    pub fn new(spec: &super::house::TableSpec, staff: &Staff) -> Table {
        Table {
            name: spec.name,
            book: spec.book,
            staff: staff.clone(),
            tumbler: None,
        }
    }

    /// The dealer does something, and it is done.
    pub async fn deal(&self, act: Value) {
        self.staff.must("dealer", self.name, act).await;
    }

    /// The dealer does all of it.
    pub async fn deal_all(&self, acts: impl IntoIterator<Item = Value>) {
        for act in acts {
            self.deal(act).await;
        }
    }

    /// What staff see.
    pub async fn sees(&self) -> Value {
        self.staff.sees("dealer", self.name).await
    }

    /// The supervisor opens the table.
    pub async fn open(&self) {
        let opening = json!({"act": "open_table"});
        self.staff.must("pit-supervisor", self.name, opening).await;
    }

    /// The round in hand.
    pub async fn round(&self) -> u64 {
        let state = self.sees().await;
        let round = state["public"]["round"]["number"].as_u64();
        round.unwrap_or_else(|| panic!("a round at {}: {}", self.name, state["public"]))
    }

    /// What comes before bets are called.
    pub fn before_bets(&self) -> Vec<Value> {
        match self.book {
            "rws-etg" | "mbs-etg" | "quang-nam-table" => tumble().to_vec(),
            _ => Vec::new(),
        }
    }

    /// The dice tumble, counted by the line or by the dealer.
    pub async fn tumble(&self) {
        match &self.tumbler {
            Some(device) => device.lock().expect("the tumbler").tumble(),
            None => self.deal_all(tumble()).await,
        }
    }

    /// A round is begun and bets are called for.
    pub async fn to_betting(&self) -> u64 {
        if !self.before_bets().is_empty() {
            self.tumble().await;
        }
        self.deal(json!({"act": "call_bets"})).await;
        if self.book == "mbs-table" {
            // The dice tumble while bets are taken.
            self.tumble().await;
        }
        self.round().await
    }

    /// *No more bets.*
    pub async fn close(&self) {
        self.deal(json!({"act": "close_bets"})).await;
    }

    /// From the close until everyone can see the dice.
    pub async fn to_visible(&self) {
        let uncover = json!({"act": "uncover"});
        match self.book {
            "rws-open-cover" => self.tumble().await,
            "mbs-table" => {
                self.deal_all([json!({"act": "press_deal"}), uncover]).await;
            }
            _ => self.deal(uncover).await,
        }
    }

    /// The dice lie flat and are keyed.
    pub async fn key(&self, dice: [u8; 3]) {
        let keys = json!({"act": "key_dice", "dice": dice});
        self.deal_all([json!({"act": "confirm_flat"}), keys]).await;
    }

    /// From the keyed dice to the end of the round.
    pub async fn settle(&self) {
        self.deal(json!({"act": "confirm_result"})).await;
        if self.book == "quang-nam-table" {
            // The winning areas light up before anyone is paid (004 4.8).
            let lit = json!({"act": "report_lights", "lit": true});
            self.deal_all([lit, json!({"act": "take_and_pay"})]).await;
        }
    }

    /// The dice are keyed, and the round ends by them.
    pub async fn settle_by(&self, dice: [u8; 3]) {
        self.key(dice).await;
        self.settle().await;
    }

    /// From the close to the end of the round.
    pub async fn finish(&self, dice: [u8; 3]) {
        self.to_visible().await;
        self.settle_by(dice).await;
    }

    /// A listed cause is declared, with a supervisor where it takes one.
    pub async fn void(&self, cause: &str) {
        let act = json!({"act": "declare_void", "cause": cause});
        let said = self.staff.act("dealer", self.name, &act).await;
        if said.status != 200 {
            assert_eq!(
                said.code(),
                "second_person_needed",
                "{cause} at {}",
                self.name
            );
            let (first, second) = ("dealer", "pit-supervisor");
            self.staff
                .two(first, second, self.name, act, json!({}))
                .await;
        }
    }

    /// The decision of this kind, where it waits.
    pub async fn waits(&self, question: &str) -> Option<Value> {
        let sees = self.sees().await;
        let mut waiting = sees["decisions"].as_array().expect("decisions").iter();
        waiting.find(|one| one["question"] == question).cloned()
    }

    /// The decision of this kind, once it waits.
    pub async fn decision(&self, question: &str) -> Value {
        let none = format!("no {question} at {}", self.name);
        comes_there(none, async || self.waits(question).await).await
    }

    /// The code of a refusal.
    pub async fn refused(&self, who: &str, act: &Value) -> String {
        let said = self.staff.act(who, self.name, act).await;
        assert_ne!(said.status, 200, "{who}: {act} at {}", self.name);
        said.code()
    }

    /// The last round as it stands, with its rule where it is void.
    pub async fn last(&self) -> Value {
        self.sees().await["last"].clone()
    }
}
