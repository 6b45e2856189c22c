// Messages of reports and of the record of events, as the house sends them;
// beside wire.ts, which is made from the Rust types.

/** One thing that happened at a table. */
export interface EventLine {
  sequence: number;
  at_ms: number;
  round: number | null;
  event: string;
  by: string;
  person: number | null;
  second: string | null;
  station: string | null;
  fields: { name: string; text: string }[];
}

/** A page of them. */
export interface EventPage {
  events: EventLine[];
  next: number | null;
  last: number;
}

/** Something that stands out. */
export interface Alert {
  code: string;
  round: number | null;
  sequence: number;
  at_ms: number;
  person: number | null;
  station: string | null;
  saw: string;
  chance: number | null;
}

/** What stands out at a table. */
export interface TableAlerts {
  table: string;
  from: number;
  to: number;
  rounds: number;
  alerts: Alert[];
}

/**
 * One account.
 */
export type AccountLine = { 
/**
 * A stable word, e.g. `house-bank`.
 */
account: string, 
/**
 * Before the first record.
 */
before: number, 
/**
 * After the last.
 */
after: number, };

/**
 * A correction or a late void.
 */
export type AmendmentLine = { 
/**
 * The round.
 */
round: number, 
/**
 * How often it has been amended with this.
 */
revision: number, 
/**
 * The record.
 */
sequence: number, 
/**
 * When.
 */
at_ms: number, 
/**
 * The dice it stood on, or `void`.
 */
was: string, 
/**
 * The dice it stands on, or `void`.
 */
is: string, 
/**
 * The rule.
 */
rule: string, 
/**
 * Evidence, or the reason.
 */
evidence: string, 
/**
 * Who.
 */
by: string, 
/**
 * The second person.
 */
second: string | null, 
/**
 * What the house's win changes by.
 */
win_change: number, 
/**
 * Station by station.
 */
effects: Array<EffectLine>, };

/**
 * Bets registered within a stretch before the close.
 */
export type BeforeClose = { 
/**
 * So long before the close at most; null for all earlier ones.
 */
within_ms: number | null, 
/**
 * How many.
 */
bets: number, 
/**
 * What was staked by them.
 */
staked: number, };

/**
 * Void rounds of one cause.
 */
export type CauseLine = { 
/**
 * The cause as a stable word; `ruling`, or `late` for voided after settlement.
 */
cause: string, 
/**
 * The rule.
 */
rule: string, 
/**
 * How many rounds.
 */
rounds: number, 
/**
 * What was returned.
 */
staked: number, };

/**
 * A signed checkpoint.
 */
export type CheckpointSeal = { 
/**
 * It covers every record up to this one.
 */
sequence: number, 
/**
 * The first 16 digits of the signed header's SHA-256.
 */
fingerprint: string, 
/**
 * When it was signed.
 */
time_ms: number, };

/**
 * Taking bets, round by round.
 */
export type ClosingFigures = { 
/**
 * Rounds in which bets were called and closed.
 */
rounds: number, 
/**
 * How long bets were taken: the shortest.
 */
least_ms: number, 
/**
 * A tenth took no longer.
 */
tenth_ms: number, 
/**
 * Half took no longer.
 */
half_ms: number, 
/**
 * Nine tenths took no longer.
 */
nine_tenths_ms: number, 
/**
 * The longest.
 */
most_ms: number, 
/**
 * Bets by how long before the close they were registered.
 */
before: Array<BeforeClose>, };

/**
 * One count.
 */
export type CountLine = { 
/**
 * `opener`, `fills`, `credits`, `closer`, `drop` or `tips`.
 */
what: string, 
/**
 * Counted.
 */
counted: number, 
/**
 * Recorded.
 */
recorded: number, 
/**
 * Counted less recorded; what is not zero needs a comment (J-09).
 */
variance: number, };

/**
 * Counted against recorded.
 */
export type Counted = { 
/**
 * What was counted and what the journal says, line by line.
 */
lines: Array<CountLine>, 
/**
 * Counted drop less (opener, fills, less credits, less closer).
 */
win_by_count: number, };

/**
 * One dealer.
 */
export type DealerLine = { 
/**
 * Who, by their number in the house; null for the automatic dealer.
 */
person: number | null, 
/**
 * Rounds dealt.
 */
rounds: number, 
/**
 * From a round's start to its end, on average.
 */
mean_round_ms: number, 
/**
 * Void rounds.
 */
voids: number, 
/**
 * Rounds corrected or voided afterwards.
 */
corrections: number, 
/**
 * Results cleared and keyed again.
 */
keys_cleared: number, 
/**
 * Tumbles that did not count.
 */
bad_tumbles: number, 
/**
 * Acts of players after the close that had to be recorded.
 */
late_acts: number, 
/**
 * Rounds that stopped for a decision.
 */
decisions: number, };

/**
 * One dice set.
 */
export type DiceLine = { 
/**
 * The set.
 */
dice_set: string, 
/**
 * Rounds that stand settled on them.
 */
rounds: number, 
/**
 * The first and last of them.
 */
first_round: number, 
/**
 * The last.
 */
last_round: number, 
/**
 * How often each face was shown.
 */
faces: Array<number>, 
/**
 * How often each total came, 3 to 18.
 */
totals: Array<number>, };

/**
 * What an amendment does at one station.
 */
export type EffectLine = { 
/**
 * The station.
 */
station: string, 
/**
 * What had come back.
 */
was: number, 
/**
 * What should have.
 */
is: number, };

/**
 * An exact figure in minor units, or their square.
 */
export type ExactFigure = { 
/**
 * The ratio in lowest terms, e.g. `-1250/27`.
 */
exact: string, 
/**
 * Rounded for people, in whole units of the currency, e.g. `-0.46`.
 */
shown: string, };

/**
 * An incident.
 */
export type IncidentLine = { 
/**
 * What kind.
 */
kind: string, 
/**
 * What was written.
 */
note: string, 
/**
 * When.
 */
at_ms: number, 
/**
 * The record.
 */
sequence: number, 
/**
 * Who.
 */
by: string, };

/**
 * One kind of bet.
 */
export type KindLine = { 
/**
 * The kind, e.g. `total`.
 */
kind: string, 
/**
 * Stakes on it at settlement, one for each station and section.
 */
bets: number, 
/**
 * What was staked.
 */
handle: number, 
/**
 * What came back.
 */
returned: number, 
/**
 * The difference.
 */
win: number, 
/**
 * What the house should have won.
 */
theoretical: ExactFigure, 
/**
 * The same in hundredths of the stakes: the edge of this mix.
 */
edge_percent: number, };

/**
 * The accounts over the report.
 */
export type LedgerFigures = { 
/**
 * Each account.
 */
accounts: Array<AccountLine>, 
/**
 * All accounts sum to zero, before and after.
 */
balances: boolean, 
/**
 * What the books say the house has won.
 */
book_win: number, 
/**
 * What amendments of earlier rounds took from it.
 */
earlier_amendments: number, 
/**
 * What rulings let players keep.
 */
waived: number, 
/**
 * Result, less earlier amendments, less waived, is what the books say.
 */
reconciles: boolean, };

/**
 * A sum owed, either way.
 */
export type OwedLine = { 
/**
 * Its number.
 */
id: number, 
/**
 * The round.
 */
round: number, 
/**
 * The station.
 */
station: string, 
/**
 * How much.
 */
amount: number, };

/**
 * How much was played.
 */
export type PlayFigures = { 
/**
 * Rounds that ended.
 */
rounds: number, 
/**
 * Settled, and standing so.
 */
settled: number, 
/**
 * Void when they ended.
 */
void: number, 
/**
 * Voided after they had been settled.
 */
voided_after_settlement: number, 
/**
 * Settled on other dice than at first.
 */
corrected: number, 
/**
 * Acts of betting that were registered.
 */
bet_acts: number, 
/**
 * Bets in them, section by section.
 */
bets: number, 
/**
 * From the start of the first round to the end of the last.
 */
playing_ms: number, 
/**
 * Rounds an hour over that time.
 */
rounds_per_hour: number | null, };

/**
 * What play came to.
 */
export type ResultFigures = { 
/**
 * Stakes of rounds that stand settled; void rounds are not in it.
 */
handle: number, 
/**
 * What came back of them.
 */
returned: number, 
/**
 * Handle less what came back.
 */
win: number, 
/**
 * Cash taken by acceptors and into the drop box.
 */
drop_cash: number, 
/**
 * Vouchers taken.
 */
drop_vouchers: number, 
/**
 * Credit from the cage or an attendant.
 */
drop_transfers: number, 
/**
 * The three together.
 */
drop: number, 
/**
 * Win in hundredths of the drop.
 */
hold_percent: number | null, 
/**
 * Every stake by the exact edge of its section on its layout.
 */
theoretical: ExactFigure, 
/**
 * Theoretical win in hundredths of the handle.
 */
edge_percent: number | null, 
/**
 * Win less theoretical win.
 */
difference: ExactFigure, 
/**
 * Exact variance of the win, in squared minor units.
 */
variance: string, 
/**
 * One standard deviation of the win, in minor units.
 */
deviation: number, 
/**
 * Standard deviations the win lies from the theoretical win.
 */
z: number | null, 
/**
 * Chance that fair dice are at least so far off, by the normal curve.
 */
z_chance: number | null, };

/**
 * Chips between cage and rack.
 */
export type SlipLine = { 
/**
 * `fill` or `credit-slip`.
 */
how: string, 
/**
 * The slip.
 */
slip: string, 
/**
 * How much.
 */
amount: number, 
/**
 * When.
 */
at_ms: number, 
/**
 * Who.
 */
by: string, 
/**
 * The second person.
 */
second: string | null, };

/**
 * A station's meters over the report.
 */
export type StationMeters = { 
/**
 * The station's number.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * `terminal` or `seat`.
 */
kind: string, 
/**
 * Its credit before the first record.
 */
credit_before: number, 
/**
 * Cash in.
 */
cash_in: number, 
/**
 * Vouchers in.
 */
voucher_in: number, 
/**
 * Transfers in.
 */
transfer_in: number, 
/**
 * Bets.
 */
staked: number, 
/**
 * Came back at settlement, stakes of winning bets included.
 */
returned: number, 
/**
 * Came back because rounds were void.
 */
void_returned: number, 
/**
 * Credited by corrections.
 */
corrected_in: number, 
/**
 * Debited to recover overpayments.
 */
recovered: number, 
/**
 * Adjusted by hand.
 */
adjusted: number, 
/**
 * Vouchers out.
 */
voucher_out: number, 
/**
 * Paid by hand.
 */
hand_pay: number, 
/**
 * Transfers out.
 */
transfer_out: number, 
/**
 * Its credit after the last record.
 */
credit_after: number, 
/**
 * Staked in a round that is still open.
 */
at_risk: number, 
/**
 * Rounds settled.
 */
rounds: number, 
/**
 * Rounds void.
 */
voids: number, 
/**
 * Credit before, and everything in and out, is credit after; null at a
 * seat, where chips come and go in the player's own hands.
 */
reconciles: boolean | null, };

/**
 * A table's report over a stretch of its journal (P-090 to P-099).
 */
export type TableReport = { 
/**
 * The table.
 */
table: string, 
/**
 * Rule books its rounds were played under, each with the start of its SHA-256.
 */
rulebooks: Array<string>, 
/**
 * The currency.
 */
currency: string, 
/**
 * Decimals of its minor unit.
 */
decimals: number, 
/**
 * First record.
 */
from: number, 
/**
 * Last record: every figure is true as of it.
 */
to: number, 
/**
 * Corrections are known up to this record; those after `to` stand apart.
 */
as_of: number, 
/**
 * When the first of these records was made.
 */
from_ms: number | null, 
/**
 * When the last was made.
 */
to_ms: number | null, 
/**
 * The signed checkpoint that covers the last record (P-062).
 */
checkpoint: CheckpointSeal | null, 
/**
 * How much was played.
 */
play: PlayFigures, 
/**
 * What it came to.
 */
result: ResultFigures, 
/**
 * By kind of bet, those that were bet on.
 */
kinds: Array<KindLine>, 
/**
 * How long bets were taken, and how close to the close they came.
 */
closing: ClosingFigures, 
/**
 * Void rounds by cause and rule.
 */
voids: Array<CauseLine>, 
/**
 * Every void round (P-094).
 */
void_register: Array<VoidLine>, 
/**
 * Corrections and late voids of rounds of this report, made within it; the figures hold them.
 */
corrections: Array<AmendmentLine>, 
/**
 * Those made within it to rounds that ended before it; part of the books, not of its result.
 */
earlier: Array<AmendmentLine>, 
/**
 * Those made after the last record to rounds of this report; no figure above holds them (P-099).
 */
later: Array<AmendmentLine>, 
/**
 * What the win would be with them.
 */
win_with_later: number, 
/**
 * Meters of the stations and whether each reconciles (P-082, P-093).
 */
meters: Array<StationMeters>, 
/**
 * The table's accounts and whether they balance.
 */
ledger: LedgerFigures, 
/**
 * Owed to players who have left.
 */
unclaimed: Array<OwedLine>, 
/**
 * Overpaid and not yet recovered or waived.
 */
recoverable: Array<OwedLine>, 
/**
 * What the house owes on vouchers, where its own stream was at hand.
 */
vouchers: VoucherLiability | null, 
/**
 * Chips between cage and rack, by slip (P-098).
 */
slips: Array<SlipLine>, 
/**
 * Counted against recorded, where counts were given.
 */
counted: Counted | null, 
/**
 * By who dealt (P-096): for training, not punishment.
 */
dealers: Array<DealerLine>, 
/**
 * By dice set (P-097).
 */
dice: Array<DiceLine>, 
/**
 * Incidents raised at the table (P-095).
 */
incidents: Array<IncidentLine>, 
/**
 * What the figures mean, and what is not in the journal.
 */
notes: Array<string>, };

/**
 * A void round.
 */
export type VoidLine = { 
/**
 * The round.
 */
round: number, 
/**
 * The record.
 */
sequence: number, 
/**
 * When.
 */
at_ms: number, 
/**
 * The cause.
 */
cause: string, 
/**
 * The rule.
 */
rule: string, 
/**
 * What was written as the reason.
 */
reason: string | null, 
/**
 * Who declared it.
 */
by: string, 
/**
 * The second person.
 */
second: string | null, 
/**
 * What went back to the players.
 */
staked: number, };

/**
 * What the house owes on vouchers of the table's currency, all tables together.
 */
export type VoucherLiability = { 
/**
 * True as of this record of the house's own stream.
 */
sequence: number, 
/**
 * Issued since the house began.
 */
issued: number, 
/**
 * Owed now.
 */
outstanding: number, 
/**
 * Credited at tables.
 */
redeemed_at_tables: number, 
/**
 * Paid by the cage.
 */
redeemed_at_cage: number, 
/**
 * Gone back to their station unprinted.
 */
returned: number, 
/**
 * Voided.
 */
voided: number, 
/**
 * Never claimed in time.
 */
expired: number, 
/**
 * Issued is the sum of the rest.
 */
reconciles: boolean, };
