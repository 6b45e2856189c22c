//! The report as it is sent and stored: plain figures, each said once.
//!
//! Amounts are whole minor units, times UTC milliseconds. One set of types
//! serves the command line, the pages and the edge, so that no two forms of a
//! report can differ.

use serde::Serialize;

use super::alerts::Alert;
use super::exact::ExactFigure;
use super::fairness::Fairness;

macro_rules! sheet {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident: $type:ty,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
        pub struct $name { $($(#[$fmeta])* pub $field: $type,)+ }
    )+};
}

sheet! {
    /// A table's report over a stretch of its journal (P-090 to P-099).
    pub struct TableReport {
        /// The table.
        pub table: String,
        /// Rule books its rounds were played under, each with the start of its SHA-256.
        pub rulebooks: Vec<String>,
        /// The currency.
        pub currency: String,
        /// Decimals of its minor unit.
        pub decimals: u8,
        /// First record.
        pub from: u64,
        /// Last record: every figure is true as of it.
        pub to: u64,
        /// Corrections are known up to this record; those after `to` stand apart.
        pub as_of: u64,
        /// When the first of these records was made.
        pub from_ms: Option<i64>,
        /// When the last was made.
        pub to_ms: Option<i64>,
        /// The signed checkpoint that covers the last record (P-062).
        pub checkpoint: Option<CheckpointSeal>,
        /// The shift, where it is the report of one (J-09).
        pub shift: Option<ShiftFigures>,
        /// How much was played.
        pub play: PlayFigures,
        /// What it came to.
        pub result: ResultFigures,
        /// By kind of bet, those that were bet on.
        pub kinds: Vec<KindLine>,
        /// How long bets were taken, and how close to the close they came.
        pub closing: ClosingFigures,
        /// Void rounds by cause and rule.
        pub voids: Vec<CauseLine>,
        /// Every void round (P-094).
        pub void_register: Vec<VoidLine>,
        /// Corrections and late voids of rounds of this report, made within it; the figures hold them.
        pub corrections: Vec<AmendmentLine>,
        /// Those made within it to rounds that ended before it; part of the books, not of its result.
        pub earlier: Vec<AmendmentLine>,
        /// Those made after the last record to rounds of this report; no figure above holds them (P-099).
        pub later: Vec<AmendmentLine>,
        /// What the win would be with them.
        pub win_with_later: i64,
        /// Meters of the stations and whether each reconciles (P-082, P-093).
        pub meters: Vec<StationMeters>,
        /// The table's accounts and whether they balance.
        pub ledger: LedgerFigures,
        /// Owed to players who have left.
        pub unclaimed: Vec<OwedLine>,
        /// Overpaid and not yet recovered or waived.
        pub recoverable: Vec<OwedLine>,
        /// What the house owes on vouchers, where its own stream was at hand.
        pub vouchers: Option<VoucherLiability>,
        /// Chips between cage and rack, by slip (P-098).
        pub slips: Vec<SlipLine>,
        /// Counted against recorded, where counts were given.
        pub counted: Option<Counted>,
        /// By who dealt (P-096): for training, not punishment.
        pub dealers: Vec<DealerLine>,
        /// By dice set (P-097).
        pub dice: Vec<DiceLine>,
        /// Whether they are fair, by dice set, dealer and shift (P-067).
        pub fairness: Fairness,
        /// Bets refused in the shift, by reason (P-092); null where it is not the
        /// report of a shift.
        pub refusals: Option<Vec<RefusalLine>>,
        /// Custody of the dice (P-035), where the house's own stream was at hand.
        pub custody: Option<Custody>,
        /// Incidents raised at the table (P-095).
        pub incidents: Vec<IncidentLine>,
        /// Cases of this table that were opened in this time (P-095), where the
        /// house's own stream was at hand.
        pub cases: Option<Vec<CaseLine>>,
        /// Money that staff moved and that nobody else has counted the same, as of the last
        /// record, the oldest first.
        pub exceptions: Vec<ExceptionLine>,
        /// What stands out in it (P-034), the newest first.
        pub alerts: Vec<Alert>,
        /// What the figures mean, and what is not in the journal.
        pub notes: Vec<String>,
    }

    /// A signed checkpoint.
    pub struct CheckpointSeal {
        /// It covers every record up to this one.
        pub sequence: u64,
        /// The first 16 digits of the signed header's SHA-256.
        pub fingerprint: String,
        /// When it was signed.
        pub time_ms: i64,
    }

    /// A shift of the table: who signed, and what was counted at its two ends.
    pub struct ShiftFigures {
        /// Its number.
        pub shift: u64,
        /// When it began.
        pub opened_ms: i64,
        /// When it ended; null while it goes on.
        pub closed_ms: Option<i64>,
        /// The two who signed its beginning.
        pub opened_by: Vec<String>,
        /// The outgoing and the incoming manager.
        pub signed_by: Vec<String>,
        /// Chips in the rack at its beginning.
        pub opener: i64,
        /// Chips from the cage, by the slips.
        pub fills: i64,
        /// Chips to the cage, by the slips.
        pub credits: i64,
        /// Chips counted in the rack at its end.
        pub closer: Option<i64>,
        /// Cash counted in the drop box.
        pub drop: Option<i64>,
        /// Counted in the tip box.
        pub tips: Option<i64>,
        /// The drop box that was locked to the table, by its number; empty where there was none.
        pub drop_box: String,
        /// And the tip box.
        pub tip_box: String,
        /// Who counted the boxes, where others did than those who signed.
        pub boxes_counted_by: Vec<String>,
        /// When.
        pub boxes_counted_ms: Option<i64>,
        /// A difference above this needs a comment.
        pub threshold: i64,
        /// About differences.
        pub comment: String,
        /// The last record that the newest checkpoint covered when they signed.
        pub signed_to: Option<u64>,
        /// The first 16 digits of that checkpoint's SHA-256.
        pub fingerprint: Option<String>,
    }

    /// Custody of a table's dice over the report.
    pub struct Custody {
        /// The set in the tumbler before the first record.
        pub began: String,
        /// The set in it after the last.
        pub ended: String,
        /// When that set was last found good; null when no inspection is on record.
        pub good_ms: Option<i64>,
        /// What was done in this time with dice that were, came or went there.
        pub steps: Vec<CustodyLine>,
    }

    /// Bets refused for one reason.
    pub struct RefusalLine {
        /// The stable code of the refusal.
        pub code: String,
        /// How many.
        pub count: u64,
    }

    /// A step of custody.
    pub struct CustodyLine {
        /// The set.
        pub set: String,
        /// When.
        pub at_ms: i64,
        /// `receive`, `inspect`, `place`, `remove`, `quarantine` or `destroy`.
        pub step: String,
        /// What an inspection found.
        pub good: Option<bool>,
        /// Words.
        pub text: String,
        /// Who.
        pub by: String,
        /// The second person.
        pub second: Option<String>,
    }

    /// A case of the register of disputes and incidents.
    pub struct CaseLine {
        /// Its number.
        pub case: u64,
        /// `dispute`, `incident`, `counterfeit` or `unusual_betting`.
        pub kind: String,
        /// When it was opened.
        pub opened_ms: i64,
        /// By whom.
        pub by: String,
        /// The round, where it is about one.
        pub round: Option<u64>,
        /// The station, where it is about one.
        pub station: Option<String>,
        /// What is wrong, in a stable word.
        pub grievance: String,
        /// And in words.
        pub words: String,
        /// How it stood at the end of this time.
        pub stood: String,
        /// How it stands now.
        pub stands: String,
        /// What was decided, as known now.
        pub outcome: Option<String>,
        /// What was late at the end of this time, in stable words.
        pub overdue: Vec<String>,
    }

    /// How much was played.
    pub struct PlayFigures {
        /// Rounds that ended.
        pub rounds: u64,
        /// Settled, and standing so.
        pub settled: u64,
        /// Void when they ended.
        pub void: u64,
        /// Voided after they had been settled.
        pub voided_after_settlement: u64,
        /// Settled on other dice than at first.
        pub corrected: u64,
        /// Acts of betting that were registered.
        pub bet_acts: u64,
        /// Bets in them, section by section.
        pub bets: u64,
        /// From the start of the first round to the end of the last.
        pub playing_ms: i64,
        /// Rounds an hour over that time; only those that commenced by what the
        /// rule book calls the start of a round.
        pub rounds_per_hour: Option<f64>,
    }

    /// What play came to.
    pub struct ResultFigures {
        /// Stakes of rounds that stand settled; void rounds are not in it.
        pub handle: i64,
        /// What came back of them.
        pub returned: i64,
        /// Handle less what came back.
        pub win: i64,
        /// Cash taken by acceptors and into the drop box.
        pub drop_cash: i64,
        /// Vouchers taken.
        pub drop_vouchers: i64,
        /// Credit from the cage or an attendant.
        pub drop_transfers: i64,
        /// The three together.
        pub drop: i64,
        /// Win in hundredths of the drop.
        pub hold_percent: Option<f64>,
        /// Every stake by the exact edge of its section on its layout.
        pub theoretical: ExactFigure,
        /// Theoretical win in hundredths of the handle.
        pub edge_percent: Option<f64>,
        /// Win less theoretical win.
        pub difference: ExactFigure,
        /// Exact variance of the win, in squared minor units.
        pub variance: String,
        /// One standard deviation of the win, in minor units.
        pub deviation: f64,
        /// Standard deviations the win lies from the theoretical win.
        pub z: Option<f64>,
        /// Chance that fair dice are at least so far off, by the normal curve.
        pub z_chance: Option<f64>,
    }

    /// One kind of bet.
    pub struct KindLine {
        /// The kind, e.g. `total`.
        pub kind: String,
        /// Stakes on it at settlement, one for each station and section.
        pub bets: u64,
        /// What was staked.
        pub handle: i64,
        /// What came back.
        pub returned: i64,
        /// The difference.
        pub win: i64,
        /// What the house should have won.
        pub theoretical: ExactFigure,
        /// The same in hundredths of the stakes: the edge of this mix.
        pub edge_percent: f64,
    }

    /// Taking bets, round by round.
    pub struct ClosingFigures {
        /// Rounds in which bets were called and closed.
        pub rounds: u64,
        /// How long bets were taken: the shortest.
        pub least_ms: i64,
        /// A tenth took no longer.
        pub tenth_ms: i64,
        /// Half took no longer.
        pub half_ms: i64,
        /// Nine tenths took no longer.
        pub nine_tenths_ms: i64,
        /// The longest.
        pub most_ms: i64,
        /// Bets by how long before the close they were registered.
        pub before: Vec<BeforeClose>,
    }

    /// Bets registered within a stretch before the close.
    pub struct BeforeClose {
        /// So long before the close at most; null for all earlier ones.
        pub within_ms: Option<i64>,
        /// How many.
        pub bets: u64,
        /// What was staked by them.
        pub staked: i64,
    }

    /// Void rounds of one cause.
    pub struct CauseLine {
        /// The cause as a stable word; `ruling`, or `late` for voided after settlement.
        pub cause: String,
        /// The rule.
        pub rule: String,
        /// How many rounds.
        pub rounds: u64,
        /// What was returned.
        pub staked: i64,
    }

    /// A void round.
    pub struct VoidLine {
        /// The round.
        pub round: u64,
        /// The record.
        pub sequence: u64,
        /// When.
        pub at_ms: i64,
        /// The cause.
        pub cause: String,
        /// The rule.
        pub rule: String,
        /// What was written as the reason.
        pub reason: Option<String>,
        /// Who declared it.
        pub by: String,
        /// The second person.
        pub second: Option<String>,
        /// What went back to the players.
        pub staked: i64,
    }

    /// A correction or a late void.
    pub struct AmendmentLine {
        /// The round.
        pub round: u64,
        /// How often it has been amended with this.
        pub revision: u32,
        /// The record.
        pub sequence: u64,
        /// When.
        pub at_ms: i64,
        /// The dice it stood on, or `void`.
        pub was: String,
        /// The dice it stands on, or `void`.
        pub is: String,
        /// The cause of a late void, where a book lists it.
        pub cause: Option<String>,
        /// The rule.
        pub rule: String,
        /// Evidence, or the reason.
        pub evidence: String,
        /// Who.
        pub by: String,
        /// The second person.
        pub second: Option<String>,
        /// What the house's win changes by.
        pub win_change: i64,
        /// Station by station.
        pub effects: Vec<EffectLine>,
    }

    /// What an amendment does at one station.
    pub struct EffectLine {
        /// The station.
        pub station: String,
        /// What had come back.
        pub was: i64,
        /// What should have.
        pub is: i64,
    }

    /// A station's meters over the report.
    pub struct StationMeters {
        /// The station's number.
        pub station: u32,
        /// Its name.
        pub name: String,
        /// `terminal` or `seat`.
        pub kind: String,
        /// Its credit before the first record.
        pub credit_before: i64,
        /// Cash in.
        pub cash_in: i64,
        /// Vouchers in.
        pub voucher_in: i64,
        /// Transfers in.
        pub transfer_in: i64,
        /// Bets.
        pub staked: i64,
        /// Came back at settlement, stakes of winning bets included.
        pub returned: i64,
        /// Came back because rounds were void.
        pub void_returned: i64,
        /// Credited by corrections.
        pub corrected_in: i64,
        /// Debited to recover overpayments.
        pub recovered: i64,
        /// Adjusted by hand.
        pub adjusted: i64,
        /// Vouchers out.
        pub voucher_out: i64,
        /// Paid by hand.
        pub hand_pay: i64,
        /// Transfers out.
        pub transfer_out: i64,
        /// Its credit after the last record.
        pub credit_after: i64,
        /// Staked in a round that is still open.
        pub at_risk: i64,
        /// Rounds settled.
        pub rounds: u64,
        /// Rounds void.
        pub voids: u64,
        /// Credit before, and everything in and out, is credit after; null at a
        /// seat, where chips come and go in the player's own hands.
        pub reconciles: Option<bool>,
    }

    /// The accounts over the report.
    pub struct LedgerFigures {
        /// Each account.
        pub accounts: Vec<AccountLine>,
        /// All accounts sum to zero, before and after.
        pub balances: bool,
        /// What the books say the house has won.
        pub book_win: i64,
        /// What amendments of earlier rounds took from it.
        pub earlier_amendments: i64,
        /// What rulings let players keep.
        pub waived: i64,
        /// Result, less earlier amendments, less waived, is what the books say.
        pub reconciles: bool,
    }

    /// One account.
    pub struct AccountLine {
        /// A stable word, e.g. `house-bank`.
        pub account: String,
        /// Before the first record.
        pub before: i64,
        /// After the last.
        pub after: i64,
    }

    /// A sum owed, either way.
    pub struct OwedLine {
        /// Its number.
        pub id: u64,
        /// The round.
        pub round: u64,
        /// The station.
        pub station: String,
        /// How much.
        pub amount: i64,
    }

    /// What the house owes on vouchers of the table's currency, all tables together.
    pub struct VoucherLiability {
        /// True as of this record of the house's own stream.
        pub sequence: u64,
        /// Issued since the house began.
        pub issued: i64,
        /// Owed now.
        pub outstanding: i64,
        /// Credited at tables.
        pub redeemed_at_tables: i64,
        /// Paid by the cage.
        pub redeemed_at_cage: i64,
        /// Gone back to their station unprinted.
        pub returned: i64,
        /// Voided.
        pub voided: i64,
        /// Never claimed in time.
        pub expired: i64,
        /// Issued is the sum of the rest.
        pub reconciles: bool,
    }

    /// Chips between cage and rack.
    pub struct SlipLine {
        /// `fill` or `credit-slip`.
        pub how: String,
        /// The slip.
        pub slip: String,
        /// How much.
        pub amount: i64,
        /// When.
        pub at_ms: i64,
        /// Who.
        pub by: String,
        /// The second person.
        pub second: Option<String>,
    }

    /// Counted against recorded.
    pub struct Counted {
        /// What was counted and what the journal says, line by line.
        pub lines: Vec<CountLine>,
        /// Colour chips that players held at the beginning.
        pub colour_out_before: i64,
        /// And at the end.
        pub colour_out_after: i64,
        /// Counted drop less (opener, fills, less credits, less closer), less the colour
        /// chips that players hold more of than at the beginning.
        pub win_by_count: i64,
        /// Chips were in the rack: without any, the win is in the terminals and
        /// no count can show it.
        pub has_rack: bool,
    }

    /// One count.
    pub struct CountLine {
        /// `opener`, `fills`, `credits`, `closer`, `drop` or `tips`.
        pub what: String,
        /// Counted.
        pub counted: i64,
        /// Recorded.
        pub recorded: i64,
        /// Counted less recorded; what is not zero needs a comment (J-09).
        pub variance: i64,
    }

    /// One dealer.
    pub struct DealerLine {
        /// Who, by their number in the house; null for the automatic dealer.
        pub person: Option<u32>,
        /// Their name, where the house's own stream was at hand.
        pub name: Option<String>,
        /// Rounds dealt.
        pub rounds: u64,
        /// From a round's start to its end, on average.
        pub mean_round_ms: i64,
        /// Void rounds.
        pub voids: u64,
        /// Rounds corrected or voided afterwards.
        pub corrections: u64,
        /// Results cleared and keyed again.
        pub keys_cleared: u64,
        /// Tumbles that did not count.
        pub bad_tumbles: u64,
        /// Acts of players after the close that had to be recorded.
        pub late_acts: u64,
        /// Rounds that stopped for a decision.
        pub decisions: u64,
    }

    /// One dice set.
    pub struct DiceLine {
        /// The set.
        pub dice_set: String,
        /// Rounds that stand settled on them.
        pub rounds: u64,
        /// The first and last of them.
        pub first_round: u64,
        /// The last.
        pub last_round: u64,
        /// How often each face was shown.
        pub faces: Vec<u64>,
        /// How often each total came, 3 to 18.
        pub totals: Vec<u64>,
    }

    /// Money that staff moved and that nobody else has counted the same.
    pub struct ExceptionLine {
        /// Its number at the table.
        pub entry: u64,
        /// `attendant`, `cage`, `transfer`, `hand_pay`, `unclaimed` or `waived`.
        pub how: String,
        /// The station.
        pub station: String,
        /// What was moved.
        pub amount: i64,
        /// What the cage counted instead; null where nobody has counted it.
        pub counted: Option<i64>,
        /// When it was moved.
        pub at_ms: i64,
        /// By whom.
        pub by: String,
        /// With whom.
        pub second: Option<String>,
    }

    /// An incident.
    pub struct IncidentLine {
        /// What kind.
        pub kind: String,
        /// What was written.
        pub note: String,
        /// When.
        pub at_ms: i64,
        /// The record.
        pub sequence: u64,
        /// Who.
        pub by: String,
    }
}
