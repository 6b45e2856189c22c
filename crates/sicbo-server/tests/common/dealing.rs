//! A dealer at a console, working by the order of play of the table's book.

use serde_json::{Value, json};

use super::people::Staff;

/// One table with who deals there.
#[derive(Clone)]
pub struct Table {
    pub name: &'static str,
    pub book: &'static str,
    pub staff: Staff,
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

    /// A round is begun and bets are called for.
    pub async fn to_betting(&self) -> u64 {
        self.deal_all(self.before_bets()).await;
        self.deal(json!({"act": "call_bets"})).await;
        if self.book == "mbs-table" {
            // The dice tumble while bets are taken.
            self.deal_all(tumble()).await;
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
            "rws-open-cover" => self.deal_all(tumble()).await,
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

    /// From the close to the end of the round.
    pub async fn finish(&self, dice: [u8; 3]) {
        self.to_visible().await;
        self.key(dice).await;
        self.settle().await;
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

    /// The last round as it stands, with its rule where it is void.
    pub async fn last(&self) -> Value {
        self.sees().await["last"].clone()
    }
}
