// Made from the Rust types of sicbo-server by its tests; not to be edited.
// Amounts are whole minor units; times are UTC milliseconds.

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
 * What an act would do.
 */
export type ActPreview = { 
/**
 * Ended rounds it would amend.
 */
rounds: Array<AmendedRound>, };

/**
 * Rounds that may be affected by damaged dice (Q-19): a proposal for whoever
 * decides, from evidence and not from a guess.
 */
export type AffectedRounds = { 
/**
 * The set.
 */
set: string, 
/**
 * When it was last found good; null when no such inspection is on record.
 */
since_ms: number | null, 
/**
 * Rounds played with it since, the newest first.
 */
rounds: Array<RoundShown>, 
/**
 * There are more before them.
 */
more: boolean, };

/**
 * Something that stands out.
 */
export type Alert = { 
/**
 * A stable word: `late-winner`, `voids-by-dealer`, `result-corrected`,
 * `voided-late`, `dice-drift`, `exactly-three`, `left-when-visible`, `tumbler`,
 * `device-failed`, `clock-parted`, `witness-silent`, `tree-not-written`,
 * `mark-not-written`, `tree-built-anew`, `security`.
 */
code: string, 
/**
 * The last round it rests on.
 */
round: number | null, 
/**
 * The record it rests on.
 */
sequence: number, 
/**
 * When.
 */
at_ms: number, 
/**
 * Who, by their number in the house.
 */
person: number | null, 
/**
 * The station.
 */
station: string | null, 
/**
 * What was seen, with its figures.
 */
saw: string, 
/**
 * Chance of the like, or of evidence as strong ever, when all is as it
 * should be; null where chance has no say.
 */
chance: number | null, };

/**
 * What an amendment does to one round.
 */
export type AmendedRound = { 
/**
 * Which round.
 */
round: number, 
/**
 * The dice it stands on; null when it is void.
 */
from: [number, number, number] | null, 
/**
 * The dice it would stand on; null when it would be void.
 */
to: [number, number, number] | null, 
/**
 * The rule.
 */
rule: string, 
/**
 * Stations that took part, those at which nothing changes included.
 */
stations: Array<AmendedStation>, };

/**
 * What an amendment of one round does at one station.
 */
export type AmendedStation = { 
/**
 * Which station.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Who played then plays there still.
 */
present: boolean, 
/**
 * What it staked in the round.
 */
staked: number, 
/**
 * What was returned, stakes included.
 */
was: number, 
/**
 * What is returned now.
 */
is: number, 
/**
 * Credited at once.
 */
credited: number, 
/**
 * Handed over in chips at once.
 */
paid_in_chips: number, 
/**
 * Kept for someone who has left.
 */
unclaimed: number, 
/**
 * Set against earlier overpayments, waivers and unclaimed credits of the
 * same round.
 */
netted: number, 
/**
 * Paid too much: to be recovered or waived.
 */
recoverable: number, };

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
 * The cause of a late void, where a book lists it.
 */
cause: string | null, 
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
 * What the player says to a decision.
 */
export type AnswerName = "agrees" | "disagrees" | "left" | "withdraws";

/**
 * Asks for the identity of the software.
 */
export type AskAttest = { 
/**
 * 16 to 64 bytes that nobody could foresee, as hexadecimal digits.
 */
seed: string, 
/**
 * A signed list of what was approved, to be compared with.
 */
list?: string, 
/**
 * The key that signs such lists, which goes with one.
 */
key?: string, };

/**
 * Who asks for a second factor shows that it is they.
 */
export type AskFactor = { 
/**
 * The PIN of whoever is logged in.
 */
pin: string, 
/**
 * A code of the factor that the new one replaces, where there is one.
 */
code?: string, };

/**
 * Who deals at a table.
 */
export type AtTheTable = { 
/**
 * Their name.
 */
name: string, 
/**
 * Since when it has been the same person.
 */
since_ms: number, };

/**
 * The identity of the software.
 */
export type Attestation = { 
/**
 * The seed it was asked with.
 */
seed: string, 
/**
 * When, by the house's clock.
 */
at_ms: number, 
/**
 * Part by part.
 */
parts: Array<AttestedPart>, 
/**
 * Parts whose files on the disk are others than those that were started.
 */
changed: Array<string>, 
/**
 * What a signed list says of them; null where none was given.
 */
compared: ComparedWithList | null, };

/**
 * One part of the software.
 */
export type AttestedPart = { 
/**
 * `program`, `web-app`, `rule-book/mbs-etg` or `plan`.
 */
part: string, 
/**
 * Its SHA-256, as a signed list names it.
 */
sha256: string, 
/**
 * Its HMAC-SHA-256 under the seed.
 */
keyed: string, };

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
 * One table on the board.
 */
export type BoardTable = { 
/**
 * Which.
 */
table: string, 
/**
 * Who deals; null while nobody does, or the automatic dealer.
 */
dealer: AtTheTable | null, 
/**
 * The shift the rest is of; null where none goes on.
 */
shift: number | null, 
/**
 * Since when the rest was counted: since the shift began, or since the program started.
 */
since_ms: number, 
/**
 * Rounds that ended.
 */
rounds: number, 
/**
 * Those that were void.
 */
voids: number, 
/**
 * Staked in settled rounds.
 */
staked: number, 
/**
 * What the house kept of it.
 */
kept: number, 
/**
 * What it could expect to keep, times 216: exact.
 */
expected_216: number, 
/**
 * What was reported, the newest first.
 */
reports: Array<ShownReport>, 
/**
 * Who acts in which position here.
 */
acting: Array<Colleague>, 
/**
 * Why it is out of service, while it is.
 */
stopped: string | null, };

/**
 * What a screen needs of a rule book.
 */
export type BookInfo = { 
/**
 * Its name.
 */
book: string, 
/**
 * The game's title as printed.
 */
title: string, 
/**
 * Another printed name.
 */
also_known_as: string | null, 
/**
 * The operator.
 */
operator: string, 
/**
 * The approval it carries, word for word (R-004).
 */
approval: string | null, 
/**
 * What it says of its own pictures (Q-59).
 */
pictures: CitedFact | null, 
/**
 * The version as printed; null when lost.
 */
version: string | null, 
/**
 * In force since; null when lost.
 */
effective: string | null, 
/**
 * SHA-256 of the rule book.
 */
sha256: string, 
/**
 * The law overlay: `sg`, `vn`.
 */
jurisdiction: string, 
/**
 * Language of the document.
 */
language: string, 
/**
 * Calls for bets, as printed.
 */
place_bets: string, 
/**
 * Closes betting, as printed.
 */
no_more_bets: string, 
/**
 * The order of play.
 */
play: Array<CitedFact>, 
/**
 * Causes for which a round is void, with how far each reaches.
 */
voids: Array<CitedFact>, 
/**
 * What interruptions, late acts and wrong results come to.
 */
irregular: Array<CitedFact>, 
/**
 * Who decides what.
 */
decisions: Array<CitedFact>, 
/**
 * What each position is called in the document.
 */
titles: { [key in string]: string }, 
/**
 * How disputes are handled.
 */
disputes: Array<CitedFact>, 
/**
 * What a decision about a dispute may rest on.
 */
bases: Array<CitedFact>, 
/**
 * Its layouts.
 */
layouts: Array<string>, };

/**
 * The result as the trainee calls it.
 */
export type Called = { 
/**
 * In the order called.
 */
dice: [number, number, number], 
/**
 * Their total.
 */
total: number, };

/**
 * The camera over a table.
 */
export type Camera = { 
/**
 * The playlist of its HLS stream.
 */
playlist: string, 
/**
 * A test picture, and nobody's table.
 */
test: boolean, };

/**
 * A station's part of an ended round.
 */
export type Card = { 
/**
 * How the round ended.
 */
end: ShownEnd, 
/**
 * What was staked.
 */
staked: number, 
/**
 * What came back, stakes included.
 */
returned: number, 
/**
 * Bet by bet, winners first.
 */
lines: Array<CardLine>, 
/**
 * By which anyone can check that this is what was recorded.
 */
code: string | null, 
/**
 * The key of its receipt; null where the house gives out none.
 */
receipt: string | null, };

/**
 * One line of a settlement card (P-006).
 */
export type CardLine = { 
/**
 * Where it stood.
 */
section: string, 
/**
 * What the layout calls this kind of bet.
 */
name: string, 
/**
 * Made with colour chips.
 */
colour: boolean, 
/**
 * The stake.
 */
stake: number, 
/**
 * What became of it.
 */
outcome: LineOutcome, 
/**
 * Odds it won at, as printed: `6 1/2`.
 */
odds: string | null, 
/**
 * What was won beside the stake.
 */
profit: number, 
/**
 * What came back in all.
 */
returned: number, };

/**
 * What the list of members says of a card.
 */
export type CardStanding = { 
/**
 * `unknown` where neither PIN nor card was right, `member`, or `excluded`;
 * then play is stopped.
 */
standing: string, };

/**
 * A case with the bet's own timeline.
 */
export type CaseFile = { 
/**
 * The case.
 */
case: ShownCase, 
/**
 * What the journal knows of that station in that round; null when the
 * case names no round and station, or the round is not there.
 */
timeline: Array<ShownMoment> | null, };

/**
 * What a case is about.
 */
export type CaseKind = "dispute" | "incident" | "counterfeit" | "unusual_betting";

/**
 * A case of the register of disputes and incidents.
 */
export type CaseLine = { 
/**
 * Its number.
 */
case: number, 
/**
 * `dispute`, `incident`, `counterfeit` or `unusual_betting`.
 */
kind: string, 
/**
 * When it was opened.
 */
opened_ms: number, 
/**
 * By whom.
 */
by: string, 
/**
 * The round, where it is about one.
 */
round: number | null, 
/**
 * The station, where it is about one.
 */
station: string | null, 
/**
 * What is wrong, in a stable word.
 */
grievance: string, 
/**
 * And in words.
 */
words: string, 
/**
 * How it stood at the end of this time.
 */
stood: string, 
/**
 * How it stands now.
 */
stands: string, 
/**
 * What was decided, as known now.
 */
outcome: string | null, 
/**
 * What was late at the end of this time, in stable words.
 */
overdue: Array<string>, };

/**
 * A step of a case.
 */
export type CaseStep = { "step": "take", } | { "step": "note", 
/**
 * What.
 */
text: string, } | { "step": "bookmark", 
/**
 * Which camera.
 */
camera: string, 
/**
 * From when.
 */
from_ms: number, 
/**
 * Until when.
 */
to_ms?: number, 
/**
 * What is to be seen.
 */
text?: string, } | { "step": "check_uv", 
/**
 * The cash or chips are genuine.
 */
genuine: boolean, 
/**
 * What was seen.
 */
text?: string, } | { "step": "escalate", 
/**
 * Why.
 */
text: string, } | { "step": "acknowledge_notice", } | { "step": "promise", 
/**
 * Until when.
 */
until_ms: number, } | { "step": "decide", 
/**
 * What.
 */
outcome: OutcomeName, 
/**
 * The bases of the book it rests on, from 1, in order.
 */
bases: Array<number>, 
/**
 * Those that are silent on this case: where the book lists bases, each
 * is in one of the two.
 */
silent: Array<number>, 
/**
 * Why.
 */
text: string, } | { "step": "link_adjustment", 
/**
 * The sequence of its record in the table's journal.
 */
record: number, } | { "step": "answer", 
/**
 * What.
 */
answer: AnswerName, } | { "step": "tell_rights", } | { "step": "notify_authority", 
/**
 * Who, and how.
 */
text: string, } | { "step": "complain", 
/**
 * What.
 */
text: string, } | { "step": "close", 
/**
 * How it ended.
 */
text: string, };

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
 * One rectangle of the drawing.
 */
export type CellInfo = { 
/**
 * The section; null for captions and blanks.
 */
section: string | null, 
/**
 * Visibly dead.
 */
blank: boolean, 
/**
 * Left edge, in the layout's own units.
 */
x: number, 
/**
 * Upper edge.
 */
y: number, 
/**
 * Width.
 */
width: number, 
/**
 * Height.
 */
height: number, 
/**
 * The large print; sections drawn as dice have none.
 */
label: string | null, 
/**
 * The small print, line by line, as printed.
 */
lines: Array<string>, };

/**
 * An old and a new PIN.
 */
export type ChangePin = { 
/**
 * The one that was.
 */
old: string, 
/**
 * The one that will be: 6 to 12 digits, not easy to guess.
 */
new: string, };

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
 * What a seat bets with.
 */
export type ChipMeans = "cash_chips" | "colour_chips";

/**
 * How chips or money move at a physical table.
 */
export type ChipMoveName = "bought" | "brought" | "taken_away" | "fill" | "credit_slip" | "tip";

/**
 * A seat of a table that is played with chips.
 */
export type ChipSeat = { 
/**
 * Its number.
 */
seat: number, 
/**
 * Its name.
 */
name: string, };

/**
 * A fact with its rule.
 */
export type CitedFact = { 
/**
 * What about: a stable word.
 */
about: string, 
/**
 * What it is: a stable word or the document's own words.
 */
is: string, 
/**
 * The same in the document's language, where that is not English.
 */
printed: string | null, 
/**
 * The rule of the document; null where it does not speak and the house's
 * practice is told.
 */
rule: string | null, };

/**
 * One half of a secret.
 */
export type Claimed = { 
/**
 * `pin`, or `token`.
 */
what: string, 
/**
 * For whom, or for which place.
 */
name: string, 
/**
 * Which half: 1 comes first.
 */
part: number, 
/**
 * The half, shown once.
 */
half: string, };

/**
 * A supervisor has looked at the machine's clock and says that it is right.
 */
export type ClockLooked = { 
/**
 * What it showed.
 */
machine_ms: number, };

/**
 * How the clocks stand.
 */
export type ClockState = { 
/**
 * The house's, by which it plays.
 */
house_ms: number, 
/**
 * The machine's, which can be set.
 */
machine_ms: number, 
/**
 * What they showed when they were found to have parted; null when they
 * agree, or a supervisor has looked since.
 */
parted: ShownClocks | null, };

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
 * Someone who works at tables.
 */
export type Colleague = { 
/**
 * Their number.
 */
person: number, 
/**
 * Their name.
 */
name: string, 
/**
 * The position they hold, or act in.
 */
position: string, };

/**
 * How colour chips change hands.
 */
export type ColourMoveName = "bought_with_cash" | "exchanged_from_chips" | "exchanged_for_chips";

/**
 * One situation under every book.
 */
export type Compared = { 
/**
 * What happens.
 */
situation: string, 
/**
 * Book by book.
 */
rulings: Array<ShownRuling>, };

/**
 * What came of the comparison with a signed list.
 */
export type ComparedWithList = { 
/**
 * All is as listed.
 */
as_listed: boolean, 
/**
 * Parts that differ, or are not on it.
 */
differs: Array<string>, 
/**
 * Why the list could not be used.
 */
why: string | null, };

/**
 * What the second person states.
 */
export type Confirmation = { 
/**
 * Digest of the act as it was shown to the second person.
 */
digest: string, 
/**
 * The dice as they read them, where that is asked.
 */
dice?: [number, number, number], };

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
 * Colour chips that players held at the beginning.
 */
colour_out_before: number, 
/**
 * And at the end.
 */
colour_out_after: number, 
/**
 * Counted drop less (opener, fills, less credits, less closer), less the colour
 * chips that players hold more of than at the beginning.
 */
win_by_count: number, 
/**
 * Chips were in the rack: without any, the win is in the terminals and
 * no count can show it.
 */
has_rack: boolean, };

/**
 * So many chips, notes or coins of one worth.
 */
export type CountedPieces = { 
/**
 * What one is worth.
 */
value: number, 
/**
 * How many.
 */
count: number, };

/**
 * How the cover stands.
 */
export type CoverName = "covered" | "uncovered" | "open";

/**
 * Where credit given by staff comes from.
 */
export type CreditFrom = "cash" | "cage" | "attendant";

/**
 * Custody of a table's dice over the report.
 */
export type Custody = { 
/**
 * The set in the tumbler before the first record.
 */
began: string, 
/**
 * The set in it after the last.
 */
ended: string, 
/**
 * When that set was last found good; null when no inspection is on record.
 */
good_ms: number | null, 
/**
 * What was done in this time with dice that were, came or went there.
 */
steps: Array<CustodyLine>, };

/**
 * A step of custody.
 */
export type CustodyLine = { 
/**
 * The set.
 */
set: string, 
/**
 * When.
 */
at_ms: number, 
/**
 * `receive`, `inspect`, `place`, `remove`, `quarantine` or `destroy`.
 */
step: string, 
/**
 * What an inspection found.
 */
good: boolean | null, 
/**
 * Words.
 */
text: string, 
/**
 * Who.
 */
by: string, 
/**
 * The second person.
 */
second: string | null, };

/**
 * One dealer.
 */
export type DealerLine = { 
/**
 * Who, by their number in the house; null for the automatic dealer.
 */
person: number | null, 
/**
 * Their name, where the house's own stream was at hand.
 */
name: string | null, 
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
 * What a device does.
 */
export type DeviceName = "tumbler" | "dice_reader" | "lights" | "note_acceptor";

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
 * It is done, durably.
 */
export type Done = { 
/**
 * Sequence of the last record it rests on.
 */
sequence: number, 
/**
 * It was done by this very request before: nothing more was done now.
 */
again: boolean, };

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
 * A two-person act that ended unconfirmed when the house was started again.
 */
export type EndedProposal = { 
/**
 * Its number.
 */
proposal: number, 
/**
 * The table it was for; null when it was for the house.
 */
table: string | null, 
/**
 * What was proposed: the act's word.
 */
act: string, 
/**
 * In words.
 */
words: string, 
/**
 * Who proposed it.
 */
by: string, 
/**
 * Their number.
 */
person: number, 
/**
 * Why it ended: `restarted`.
 */
ended: string, 
/**
 * When.
 */
ended_ms: number, };

/**
 * What the enrolled one presents, shown once.
 */
export type Enrolled = { 
/**
 * Its number.
 */
enrolment: number, 
/**
 * Its token.
 */
token: string, };

/**
 * What is enrolled.
 */
export type EnrolmentRole = { "role": "station", 
/**
 * Its table.
 */
table: string, 
/**
 * Its station.
 */
station: number, } | { "role": "console", 
/**
 * Its table.
 */
table: string, } | { "role": "display", 
/**
 * Its table; null for all.
 */
table: string | null, } | { "role": "device", 
/**
 * Its table.
 */
table: string, 
/**
 * What it does.
 */
device: DeviceName, } | { "role": "pit_desk", } | { "role": "cage", } | { "role": "technician_desk", } | { "role": "audit_desk", };

/**
 * A field of an event.
 */
export type EventField = { 
/**
 * Its stable name.
 */
name: string, 
/**
 * Its value in words.
 */
text: string, };

/**
 * An event.
 */
export type EventLine = { 
/**
 * The record.
 */
sequence: number, 
/**
 * When: to find it on a camera.
 */
at_ms: number, 
/**
 * The current round, or the one it amends.
 */
round: number | null, 
/**
 * Its stable name, e.g. `bets-placed`.
 */
event: string, 
/**
 * Who.
 */
by: string, 
/**
 * The person, where it was one.
 */
person: number | null, 
/**
 * The second person.
 */
second: string | null, 
/**
 * The station it is of.
 */
station: string | null, 
/**
 * Its fields.
 */
fields: Array<EventField>, };

/**
 * A page of events.
 */
export type EventPage = { 
/**
 * In the order they happened, or the newest first where that was asked.
 */
events: Array<EventLine>, 
/**
 * Ask again with this as `after`, or as `before` where the newest come
 * first; null when everything there is was looked at.
 */
next: number | null, 
/**
 * The last record there was.
 */
last: number, };

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
 * Money that staff moved and that nobody else has counted the same.
 */
export type ExceptionLine = { 
/**
 * Its number at the table.
 */
entry: number, 
/**
 * `attendant`, `cage`, `transfer`, `hand_pay`, `unclaimed` or `waived`.
 */
how: string, 
/**
 * The station.
 */
station: string, 
/**
 * What was moved.
 */
amount: number, 
/**
 * What the cage counted instead; null where nobody has counted it.
 */
counted: number | null, 
/**
 * When it was moved.
 */
at_ms: number, 
/**
 * By whom.
 */
by: string, 
/**
 * With whom.
 */
second: string | null, };

/**
 * Everything that somebody has to look at.
 */
export type Exceptions = { 
/**
 * Money that staff moved and that nobody else has counted the same.
 */
money: Array<TableExceptions>, 
/**
 * Rights that others than the usual two changed, the newest last.
 */
rights: Array<ShownRightsException>, 
/**
 * People who were given a PIN and whom nobody has seen log in.
 */
unwitnessed: Array<string>, };

/**
 * A code of an authenticator.
 */
export type FactorCode = { 
/**
 * Six digits.
 */
code: string, };

/**
 * The fairness of a table's dice.
 */
export type Fairness = { 
/**
 * Fair dice ever raise an alarm in at most this share of tables.
 */
level: number, 
/**
 * Some group raised one.
 */
alarmed: boolean, 
/**
 * Each group.
 */
groups: Array<FairnessGroup>, };

/**
 * Results that belong together.
 */
export type FairnessGroup = { 
/**
 * `dice-set`, `dealer` or `shift`.
 */
by: string, 
/**
 * Which.
 */
name: string, 
/**
 * The dealer's number in the house.
 */
person: number | null, 
/**
 * Results.
 */
rounds: number, 
/**
 * How often each face was shown.
 */
faces: Array<number>, 
/**
 * How often each total came, 3 to 18.
 */
totals: Array<number>, 
/**
 * How often each of the 56 combinations came, from 1-1-1 to 6-6-6.
 */
combinations: Array<number>, 
/**
 * Totals that stayed high or low, and that changed.
 */
high_low: Array<number>, 
/**
 * The same of odd and even.
 */
odd_even: Array<number>, 
/**
 * The evidence against fair dice now.
 */
e: number, 
/**
 * The most it has been: fair dice ever reach it in at most one of so many.
 */
e_peak: number, 
/**
 * It raises an alarm here.
 */
alarm_at: number, 
/**
 * It did.
 */
alarmed: boolean, 
/**
 * The round in which it first did.
 */
alarm_round: number | null, 
/**
 * The test that speaks loudest.
 */
test: string, 
/**
 * What it saw.
 */
saw: string, };

/**
 * A terminal to play at.
 */
export type GivenSeat = { 
/**
 * Its table.
 */
table: string, 
/**
 * Its station.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its layout within the book.
 */
layout: string, 
/**
 * Its token, for the socket's hello: this visitor's own.
 */
token: string, 
/**
 * The visitor was here before: credit and past are theirs.
 */
own: boolean, };

/**
 * What a player says is wrong.
 */
export type GrievanceName = "not_paid" | "paid_too_little" | "bet_not_taken" | "wrong_result" | "close" | "credit" | "other" | "void_in_error";

/**
 * How the house is.
 */
export type Health = { 
/**
 * The program answers.
 */
live: boolean, 
/**
 * Every journal takes records.
 */
ready: boolean, 
/**
 * Part by part.
 */
parts: Array<PartHealth>, 
/**
 * The house's tree and its witness; null in practice. A silent witness does
 * not make the house unready.
 */
tree: TreeHealth | null, };

/**
 * What play is held for.
 */
export type HeldName = "uncovered" | "interpretation";

/**
 * Something two persons do for the house.
 */
export type HouseAct = { "act": "receive_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * The seal it came under.
 */
seal: string, } | { "act": "inspect_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * It is good.
 */
good: boolean, 
/**
 * What was seen; needed when it is not.
 */
text?: string, } | { "act": "place_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * The table's name.
 */
table: string, } | { "act": "remove_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * Why.
 */
text: string, } | { "act": "quarantine_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * Why.
 */
text: string, } | { "act": "destroy_dice", 
/**
 * Its number.
 */
set: string, 
/**
 * Why, and how.
 */
text: string, } | { "act": "open_shift", 
/**
 * The table's name.
 */
table: string, 
/**
 * Chips counted in the rack.
 */
opener: number, 
/**
 * By denomination; needed with real money.
 */
rack?: Array<CountedPieces>, 
/**
 * The number of the drop box that is locked to the table.
 */
drop_box?: string, 
/**
 * The number of the tip box.
 */
tip_box?: string, } | { "act": "close_shift", 
/**
 * The table's name.
 */
table: string, 
/**
 * Chips counted in the rack.
 */
closer: number, 
/**
 * By denomination; needed with real money.
 */
rack?: Array<CountedPieces>, 
/**
 * Cash counted in the drop box, where those who close count it too. With real
 * money others do (`count_boxes`).
 */
drop?: number, 
/**
 * Counted in the tip box, likewise.
 */
tips?: number, 
/**
 * What the slips on paper say came from the cage.
 */
fills: number, 
/**
 * What they say went to the cage.
 */
credits: number, 
/**
 * About differences from the books.
 */
comment?: string, 
/**
 * The table plays on: the next shift begins with this count, after this record,
 * which was the table's newest when the counting began.
 */
next_after?: number, 
/**
 * The number of the shift; without it, the one that is open when this is proposed.
 */
shift?: number, 
/**
 * The number of the drop box that is locked to the table for the next shift.
 */
next_drop_box?: string, 
/**
 * The number of its tip box.
 */
next_tip_box?: string, } | { "act": "count_boxes", 
/**
 * The table's name.
 */
table: string, 
/**
 * The number of the shift.
 */
shift: number, 
/**
 * The number that stands on the drop box.
 */
drop_box?: string, 
/**
 * The number that stands on the tip box.
 */
tip_box?: string, 
/**
 * Cash in the drop box.
 */
drop: number, 
/**
 * By denomination; needed with real money.
 */
drop_pieces?: Array<CountedPieces>, 
/**
 * What was in the tip box.
 */
tips: number, 
/**
 * By denomination; needed with real money.
 */
tip_pieces?: Array<CountedPieces>, } | { "act": "go_on_after_rollback", 
/**
 * Why, and what was done about what is missing.
 */
reason: string, } | { "act": "add_person", 
/**
 * Their name.
 */
name: string, 
/**
 * The position they hold.
 */
position: string, } | { "act": "change_position", 
/**
 * Their number.
 */
person: number, 
/**
 * Which.
 */
position: string, } | { "act": "reset_pin", 
/**
 * Their number.
 */
person: number, } | { "act": "enable_person", 
/**
 * Their number.
 */
person: number, } | { "act": "enrol", 
/**
 * What it is.
 */
role: EnrolmentRole, 
/**
 * What people call it.
 */
name: string, } | { "act": "revoke", 
/**
 * Its number.
 */
enrolment: number, 
/**
 * Why.
 */
reason: string, } | { "act": "void_voucher", 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * Why.
 */
reason: string, } | { "act": "pay_kept", 
/**
 * Chosen by the window: the same request again is the same payment.
 */
request: number, 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * How much it is over, as the window shows it.
 */
amount: number, };

/**
 * The house's data is older than what is known outside it.
 */
export type HouseBehind = { 
/**
 * All of it in words.
 */
told: string, 
/**
 * Blocks of the tree.
 */
size: number, 
/**
 * Blocks that are known.
 */
known_size: number, 
/**
 * The tree is not a shorter one but another.
 */
forked: boolean, 
/**
 * What is missing, as far as that is known.
 */
missing: Array<MissingRecords>, };

/**
 * The house.
 */
export type HouseInfo = { 
/**
 * The site.
 */
site: string, 
/**
 * Players play for money.
 */
real_money: boolean, 
/**
 * A house of practice: nothing that happens in it is play (P-068).
 */
practice: boolean, 
/**
 * Positions can be tried without a PIN.
 */
try_positions: boolean, 
/**
 * The protocol of the sockets.
 */
protocol: number, 
/**
 * SHA-256 of the running program.
 */
program: string, 
/**
 * The program's version.
 */
version: string, 
/**
 * The house's clock.
 */
server_ms: number, 
/**
 * Local time now, in minutes east of UTC.
 */
utc_offset_minutes: number, 
/**
 * The house's own positions above the director, lowest first (R-200).
 */
positions: Array<OwnPosition>, 
/**
 * The tables.
 */
tables: Array<LobbyTable>, };

/**
 * A station of the house.
 */
export type HouseStation = { 
/**
 * Its table.
 */
table: string, 
/**
 * Its number there.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * A terminal; else a seat.
 */
terminal: boolean, 
/**
 * Its layout within the book.
 */
layout: string, 
/**
 * It can be heard.
 */
online: boolean, 
/**
 * The currency of its table.
 */
currency: ShownCurrency, 
/**
 * An amount above this is read back before money moves.
 */
read_back_above: number, 
/**
 * Free credit; null for positions that have nothing to do with money.
 */
credit: number | null, 
/**
 * The table's rule book has a UV scanner for notes and chips (R-042).
 */
uv_scanner: boolean, };

/**
 * House to consoles and pit desks.
 */
export type HouseToStaff = { "type": "info", 
/**
 * The table.
 */
info: TableInfo, 
/**
 * The house's clock.
 */
server_ms: number, } | { "type": "road", 
/**
 * Up to 200 of them.
 */
rounds: Array<RoadRound>, } | { "type": "staff", 
/**
 * Which table.
 */
table: string, 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The house's clock.
 */
server_ms: number, 
/**
 * The state.
 */
state: StaffState, 
/**
 * The dice in a simulated tumbler, once they can be seen there: what
 * a camera over the tumbler would show.
 */
tumbler: [number, number, number] | null, } | { "type": "proposals", 
/**
 * Which table.
 */
table: string, 
/**
 * All of them.
 */
proposals: Array<ShownProposal>, 
/**
 * Those that the last restart has ended, for an hour: they must be
 * proposed anew.
 */
ended: Array<EndedProposal>, 
/**
 * What came of the last ones, the newest last.
 */
outcomes: Array<ProposalOutcome>, } | { "type": "stopped", 
/**
 * Which table.
 */
table: string, 
/**
 * Why.
 */
why: string, } | { "type": "incident", 
/**
 * Which table.
 */
table: string, 
/**
 * A stable word.
 */
kind: string, 
/**
 * What was said.
 */
note: string, 
/**
 * The station it came from.
 */
station: number | null, 
/**
 * The current round.
 */
round: number | null, 
/**
 * When.
 */
at_ms: number, } | { "type": "heartbeat", 
/**
 * The house's clock.
 */
server_ms: number, } | { "type": "bye", 
/**
 * A stable word.
 */
code: string, 
/**
 * In words.
 */
words: string, };

/**
 * House to terminal.
 */
export type HouseToTerminal = { "type": "welcome", 
/**
 * The protocol.
 */
protocol: number, 
/**
 * The house's clock.
 */
server_ms: number, 
/**
 * A terminal not heard for this long is cut off.
 */
silent_ms: number, 
/**
 * The table.
 */
info: TableInfo, 
/**
 * The station.
 */
station: StationInfo, } | { "type": "resume", 
/**
 * Nothing was missed that does not follow.
 */
gapless: boolean, } | { "type": "table", 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The house's clock.
 */
server_ms: number, 
/**
 * The state.
 */
state: PublicState, } | { "type": "mine", 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The state.
 */
mine: Mine, } | { "type": "registered", 
/**
 * The act.
 */
id: number, 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * Free credit now.
 */
credit: number, 
/**
 * Registered in this round now.
 */
at_risk: number, 
/**
 * What happened, when it was asked again after its round; not there else.
 */
past?: PastBet, } | { "type": "refused", 
/**
 * The act.
 */
id: number, 
/**
 * A stable word.
 */
code: string, 
/**
 * In words.
 */
words: string, 
/**
 * The rule, where there is one.
 */
rule: string | null, } | { "type": "settlement", 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The card.
 */
card: Card, 
/**
 * Free credit now.
 */
credit: number, } | { "type": "amended", 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The round.
 */
round: number, 
/**
 * The result that stands now; null when the round is void.
 */
result: ShownResult | null, 
/**
 * The rule of the document; null where it does not speak.
 */
rule: string | null, 
/**
 * The cause of a void that was found late, as a stable word.
 */
cause: string | null, 
/**
 * The rule that lists the cause, where it was decided under another.
 */
ground: string | null, 
/**
 * What had come back.
 */
was: number, 
/**
 * What comes back by the result that stands.
 */
is: number, 
/**
 * Credited now.
 */
credited: number, 
/**
 * Free credit now.
 */
credit: number, } | { "type": "done", 
/**
 * Which.
 */
request: number, } | { "type": "declined", 
/**
 * Which.
 */
request: number, 
/**
 * A stable word.
 */
code: string, 
/**
 * In words.
 */
words: string, 
/**
 * The rule, where there is one.
 */
rule: string | null, } | { "type": "voucher", 
/**
 * The request it answers.
 */
request: number, 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * Its amount.
 */
amount: number, 
/**
 * Where the ticket can be looked at, where the printer is simulated.
 */
ticket: string | null, } | { "type": "play", } | { "type": "reload", } | { "type": "heartbeat", 
/**
 * The house's clock.
 */
server_ms: number, } | { "type": "bye", 
/**
 * A stable word.
 */
code: string, 
/**
 * In words.
 */
words: string, };

/**
 * House to anyone who watches a table: walls and the lobby.
 */
export type HouseToWall = { "type": "info", 
/**
 * The table.
 */
info: TableInfo, 
/**
 * The house's clock.
 */
server_ms: number, } | { "type": "road", 
/**
 * Up to 200 of them.
 */
rounds: Array<RoadRound>, } | { "type": "table", 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The house's clock.
 */
server_ms: number, 
/**
 * The state.
 */
state: PublicState, } | { "type": "heartbeat", 
/**
 * The house's clock.
 */
server_ms: number, } | { "type": "bye", 
/**
 * A stable word.
 */
code: string, 
/**
 * In words.
 */
words: string, };

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
 * What the console can report besides a void cause.
 */
export type IncidentName = "call_supervisor" | "call_attendant" | "counterfeit" | "dispute" | "other";

/**
 * Limits of one kind of bet.
 */
export type KindLimit = { 
/**
 * The kind: `total`.
 */
kind: string, 
/**
 * Least stake.
 */
minimum: number, 
/**
 * Most.
 */
maximum: number, 
/**
 * Whole multiples of it.
 */
step: number, };

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
 * A change to a bet after the close.
 */
export type LateName = "placement" | "increase" | "withdrawal";

/**
 * A layout: its drawing and its odds.
 */
export type LayoutInfo = { 
/**
 * The rule book's name.
 */
book: string, 
/**
 * Its name within the book.
 */
layout: string, 
/**
 * As the document calls it.
 */
title: string, 
/**
 * What of the drawing is a reconstruction because the document lost it.
 */
reconstruction: string | null, 
/**
 * The casino's name, where the document has it on the layout (R-036).
 */
casino: string | null, 
/**
 * Width of the drawing.
 */
width: number, 
/**
 * Its height.
 */
height: number, 
/**
 * The drawing, in printed order.
 */
cells: Array<CellInfo>, 
/**
 * Every section that can be bet on.
 */
sections: Array<SectionInfo>, };

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
 * What a limit is of.
 */
export type LimitMeasure = "loss" | "spend" | "time";

/**
 * Within how long a limit holds.
 */
export type LimitWindow = "session" | "day" | "week" | "month";

/**
 * What became of one bet.
 */
export type LineOutcome = "won" | "lost" | "returned";

/**
 * Terminals or seats of a table that share a layout.
 */
export type LobbySeats = { 
/**
 * The layout within the book.
 */
layout: string, 
/**
 * How many there are.
 */
seats: number, 
/**
 * How many somebody could take now; who sits where chips are played with
 * is not known.
 */
free: number, };

/**
 * A table in the lobby.
 */
export type LobbyTable = { 
/**
 * What it is; null before it was first opened.
 */
info: TableInfo | null, 
/**
 * Its name.
 */
table: string, 
/**
 * Its currency.
 */
currency: ShownCurrency, 
/**
 * How it stands; null while it is out of service.
 */
state: PublicState | null, 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * The automatic dealer deals.
 */
automatic: boolean, 
/**
 * Its tumbler is simulated.
 */
simulated: boolean, 
/**
 * It is out of service: nothing is dealt, bet or paid at it.
 */
stopped: boolean, 
/**
 * How many people play at it, as far as the house can tell.
 */
players: number, 
/**
 * Its terminals or seats, by layout.
 */
seats: Array<LobbySeats>, 
/**
 * Where people sit with chips; none at a table of terminals.
 */
chip_seats: Array<ChipSeat>, 
/**
 * The camera over it.
 */
camera: Camera | null, };

/**
 * A name and a PIN.
 */
export type LogIn = { 
/**
 * The name.
 */
name: string, 
/**
 * The PIN.
 */
pin: string, 
/**
 * The code of the second factor, where the position asks for one.
 */
code?: string, };

/**
 * A voucher that a window looks up before it pays.
 */
export type LookUp = { 
/**
 * Chosen by the window, as for a redemption.
 */
request: number, 
/**
 * The eighteen digits; spaces and hyphens are ignored.
 */
number: string, };

/**
 * Who may take a step.
 */
export type MayAct = { 
/**
 * The position: `dealer`, `pit-manager`.
 */
position: string, 
/**
 * As the book calls it.
 */
title: string | null, 
/**
 * Anyone above will do, by this step or because the book lets them act.
 */
or_above: boolean, 
/**
 * The second person, where it takes two.
 */
second: string | null, 
/**
 * For the second person too anyone above will do.
 */
second_or_above: boolean, };

/**
 * Who is logged in.
 */
export type Me = { 
/**
 * Their number.
 */
person: number, 
/**
 * Their name.
 */
name: string, 
/**
 * The position they hold.
 */
position: string, 
/**
 * The PIN must be changed before anything else.
 */
must_change_pin: boolean, 
/**
 * A second factor must be set up before anything else.
 */
must_set_factor: boolean, };

/**
 * A station's own money and bets.
 */
export type Mine = { 
/**
 * Free credit.
 */
credit: number, 
/**
 * Registered in this round: the only figure called "your bets".
 */
at_risk: number, 
/**
 * Registered bets.
 */
bets: Array<Stake>, 
/**
 * Bets are taken from this station now.
 */
may_bet: boolean, 
/**
 * Cut off at the close; takes part again in the next round.
 */
wait_for_next_round: boolean, 
/**
 * A decision about this station's bets is awaited.
 */
own_case: number | null, 
/**
 * Counts who plays here: another number is another player.
 */
session: number, };

/**
 * A stream that lacks records which are known to have been written.
 */
export type MissingRecords = { 
/**
 * The stream: `house`, or a table's name.
 */
stream: string, 
/**
 * Its last record now.
 */
ends: number, 
/**
 * The last record that is known.
 */
known: number, };

/**
 * A position that is needed for something.
 */
export type NeededPosition = { 
/**
 * The position: `dealer`, `pit-manager`.
 */
position: string, 
/**
 * Anyone above will do.
 */
or_above: boolean, };

/**
 * A player's dispute, from the terminal.
 */
export type NewDispute = { 
/**
 * The round it is about.
 */
round: number, 
/**
 * What is wrong.
 */
reason: GrievanceName, 
/**
 * And in the player's words.
 */
words?: string, 
/**
 * The bet it is about.
 */
bet?: number, 
/**
 * When the player touched the layout, by the terminal's clock.
 */
tapped_ms?: number, 
/**
 * When the terminal sent the bet, by its clock.
 */
sent_ms?: number, };

/**
 * Something to be enrolled.
 */
export type NewEnrolment = { 
/**
 * What it is.
 */
role: EnrolmentRole, 
/**
 * What people call it.
 */
name: string, };

/**
 * A lesson that is asked for.
 */
export type NewLesson = { 
/**
 * What it is drawn from: the same seed is the same lesson.
 */
seed: number, 
/**
 * The pack: `all`, `voids` …
 */
pack?: string, 
/**
 * One situation alone, instead of a pack.
 */
situation?: string, };

/**
 * Someone to be taken in.
 */
export type NewPerson = { 
/**
 * Their name.
 */
name: string, 
/**
 * The position they hold.
 */
position: string, };

/**
 * A line of odds.
 */
export type OddsLine = { 
/**
 * Profit to 1, as printed: `6 1/2`.
 */
printed: string, 
/**
 * Twice the odds, which is always whole.
 */
halves: number, 
/**
 * Outcomes of 216 that pay it.
 */
ways: number, 
/**
 * The rule of the document; null where it does not speak.
 */
rule: string | null, };

/**
 * A second factor to be put into an authenticator; shown once.
 */
export type OfferedFactor = { 
/**
 * As it is typed, in base 32.
 */
secret: string, 
/**
 * As it is scanned: `otpauth://totp/…`.
 */
url: string, };

/**
 * A one-time PIN, shown once.
 */
export type OneTime = { 
/**
 * Whose.
 */
person: number, 
/**
 * The PIN, to be changed at the first log-in.
 */
pin: string, };

/**
 * A case that staff open.
 */
export type OpenCase = { 
/**
 * The table's name.
 */
table: string, 
/**
 * What it is about.
 */
kind: CaseKind, 
/**
 * The round.
 */
round?: number, 
/**
 * The station.
 */
station?: number, 
/**
 * What is wrong, in a word.
 */
reason?: GrievanceName, 
/**
 * What happened.
 */
words: string, };

/**
 * What a decision says.
 */
export type OutcomeName = "upheld" | "partly" | "rejected";

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
 * One limit with what is used of it, in minor units or minutes.
 */
export type OwnLimit = { 
/**
 * Within how long.
 */
window: LimitWindow, 
/**
 * Of what.
 */
measure: LimitMeasure, 
/**
 * What holds; null is no limit.
 */
most: number | null, 
/**
 * What is used; below zero where more was won than lost.
 */
used: number, 
/**
 * Something looser was asked for and waits.
 */
waits: boolean, 
/**
 * What; null is no limit.
 */
later: number | null, 
/**
 * From when it can be confirmed.
 */
later_ms: number | null, };

/**
 * One bet of an ended round.
 */
export type OwnLine = { 
/**
 * Where it stood.
 */
section: string, 
/**
 * Made with colour chips.
 */
colour: boolean, 
/**
 * The stake.
 */
stake: number, 
/**
 * What came back.
 */
returned: number, };

/**
 * A position above the director that the house has named.
 */
export type OwnPosition = { 
/**
 * Its word in messages.
 */
position: string, 
/**
 * What the house calls it.
 */
name: string, };

/**
 * A station's own part of an ended round (S-01).
 */
export type OwnRound = { 
/**
 * The round.
 */
round: RoundShown, 
/**
 * Credit when it began.
 */
credit_before: number, 
/**
 * Credit when it had ended.
 */
credit_after: number, 
/**
 * What was staked.
 */
staked: number, 
/**
 * What came back.
 */
returned: number, 
/**
 * Bet by bet.
 */
lines: Array<OwnLine>, 
/**
 * The key of its receipt; null where the house gives out none.
 */
receipt: string | null, };

/**
 * What was played within a window.
 */
export type OwnSpell = { 
/**
 * Within how long.
 */
window: LimitWindow, 
/**
 * Staked.
 */
staked: number, 
/**
 * Came back.
 */
returned: number, 
/**
 * How long was played.
 */
played_ms: number, };

/**
 * A voucher was paid.
 */
export type Paid = { 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * What to pay out.
 */
amount: number, 
/**
 * It was paid by this very request before: pay nothing more.
 */
again: boolean, };

/**
 * When and where a voucher was paid.
 */
export type PaidWhere = { 
/**
 * When.
 */
at_ms: number, 
/**
 * At a station: its table and its name; else at the cage.
 */
station: string | null, 
/**
 * At the cage: by whom.
 */
cashier: string | null, };

/**
 * How a part of the house is.
 */
export type PartHealth = { 
/**
 * Which: `house`, or a table's name.
 */
part: string, 
/**
 * It takes commands.
 */
well: boolean, 
/**
 * Why not.
 */
fault: string | null, };

/**
 * Which part of the table's equipment failed.
 */
export type PartName = "tumbler" | "console" | "keys" | "lights" | "other";

/**
 * An act of betting whose round is over.
 */
export type PastBet = { 
/**
 * Its round.
 */
round: number, 
/**
 * The record of the table's journal that holds it.
 */
record: number, 
/**
 * What became of all that stood in the round, for whoever played then;
 * null when somebody else plays here now.
 */
part: PastPart | null, };

/**
 * A station's part of a round that is over, as the round stands now.
 */
export type PastPart = { 
/**
 * The round was void: all stakes came back.
 */
void: boolean, 
/**
 * What stood at the close.
 */
staked: number, 
/**
 * What came back, stakes included.
 */
returned: number, };

/**
 * Who confirms that a voucher without a paper is paid to the right person.
 */
export type PayKept = { 
/**
 * Name of the second person, a supervisor.
 */
second_name: string, 
/**
 * A code of their authenticator, where they have one.
 */
second_code?: string, 
/**
 * Chosen by the window: the same request again is the same payment.
 */
request: number, 
/**
 * Their PIN: both are present.
 */
second_pin: string, };

/**
 * A change of a person's rights.
 */
export type PersonChange = { "change": "position", 
/**
 * Which.
 */
position: string, } | { "change": "reset_pin", } | { "change": "disable", 
/**
 * Why.
 */
reason: string, } | { "change": "enable", } | { "change": "lift_lock", } | { "change": "witness", } | { "change": "assign", 
/**
 * Tables, by name.
 */
tables: Array<string>, 
/**
 * Windows of the cage, by the number they are enrolled under.
 */
windows: Array<number>, };

/**
 * Where a round stands.
 */
export type PhaseName = "prepared" | "betting" | "closing" | "closed";

/**
 * A PIN, given once more before money is moved.
 */
export type PinAgain = { 
/**
 * The PIN of whoever is logged in.
 */
pin: string, };

/**
 * The pit.
 */
export type Pit = { 
/**
 * The tables, in order of name.
 */
tables: Array<BoardTable>, 
/**
 * Who works at tables.
 */
colleagues: Array<Colleague>, };

/**
 * What came of reading the plan again.
 */
export type PlanReloaded = { 
/**
 * Taken into use.
 */
applied: Array<string>, 
/**
 * Changed by people in the running house, each with how.
 */
by_people: Array<string>, 
/**
 * Taken into use at the next start.
 */
needs_restart: Array<string>, };

/**
 * What a player changes at the terminal.
 */
export type PlayChange = { "change": "limit", 
/**
 * Within how long.
 */
window: LimitWindow, 
/**
 * Of what.
 */
measure: LimitMeasure, 
/**
 * Minor units or minutes; none without.
 */
most?: number | null, } | { "change": "confirm", 
/**
 * Within how long.
 */
window: LimitWindow, 
/**
 * Of what.
 */
measure: LimitMeasure, } | { "change": "check", 
/**
 * Minutes.
 */
minutes: number, } | { "change": "acknowledge", } | { "change": "break", 
/**
 * For so long.
 */
minutes: number, };

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
 * Rounds an hour over that time; only those that commenced by what the
 * rule book calls the start of a round.
 */
rounds_per_hour: number | null, };

/**
 * What the player says to a decision.
 */
export type PlayerAnswer = { 
/**
 * What.
 */
answer: AnswerName, };

/**
 * What practice offers.
 */
export type PracticeInfo = { 
/**
 * This is a house of practice.
 */
practice: boolean, 
/**
 * The packs.
 */
packs: Array<string>, 
/**
 * Tables to practise at.
 */
tables: Array<PracticeTable>, 
/**
 * Every situation under every book.
 */
compared: Array<Compared>, };

/**
 * A practice table.
 */
export type PracticeTable = { 
/**
 * Its name.
 */
table: string, 
/**
 * Its rule book.
 */
book: string, 
/**
 * What can be practised there.
 */
situations: Array<string>, };

/**
 * A voucher presented at a window.
 */
export type Presented = { 
/**
 * Chosen by the window: the same request again is the same redemption.
 */
request: number, 
/**
 * The eighteen digits; spaces and hyphens are ignored.
 */
number: string, 
/**
 * The currency it is paid in.
 */
currency: string, 
/**
 * The amount on the paper, where it was keyed.
 */
claimed?: number, };

/**
 * A membership card, presented at the terminal.
 */
export type PresentedCard = { 
/**
 * Its number.
 */
card: string, 
/**
 * Its PIN, as the member types it.
 */
pin?: string | null, 
/**
 * What the terminal's reader read from the card.
 */
read?: string | null, };

/**
 * An error for a client.
 */
export type Problem = { 
/**
 * `about:blank`: the code says what it is.
 */
type: string, 
/**
 * The status in words.
 */
title: string, 
/**
 * The status.
 */
status: number, 
/**
 * What was wrong and what is allowed.
 */
detail: string, 
/**
 * A stable word.
 */
code: string, 
/**
 * The rule, where there is one.
 */
rule: string | null, 
/**
 * When to try again, in seconds, where that is known.
 */
retry_after_s?: number, 
/**
 * Who may, where it is a position that is lacking.
 */
needed?: NeededPosition, 
/**
 * From where, where it is not done from here: `console`, `console-or-window`, `window`,
 * `console-or-desk`.
 */
place?: string, };

/**
 * What came of a two-person act, for the person who proposed it.
 */
export type ProposalOutcome = { 
/**
 * Its number.
 */
proposal: number, 
/**
 * `confirmed`, `withdrawn`, `lapsed` or `readings_differ`: nothing was done
 * unless it was confirmed.
 */
outcome: string, };

/**
 * A proposal was made.
 */
export type Proposed = { 
/**
 * Its number, which is never used again.
 */
proposal: number, 
/**
 * Digest of the act: a confirmation carries it.
 */
digest: string, };

/**
 * What is counted at an end of a shift, for the second signatory.
 */
export type ProposedCounts = { 
/**
 * The table.
 */
table: string, 
/**
 * Chips in the rack: the opener, or the closer; null where boxes are counted.
 */
rack: number | null, 
/**
 * The rack by denomination, or the drop box.
 */
pieces: Array<CountedPieces>, 
/**
 * The tip box by denomination.
 */
tip_pieces: Array<CountedPieces>, 
/**
 * The number of the drop box that is locked to the table, or was counted.
 */
drop_box: string | null, 
/**
 * The number of the tip box.
 */
tip_box: string | null, 
/**
 * Cash in the drop box; null where others count it.
 */
drop: number | null, 
/**
 * The tip box.
 */
tips: number | null, 
/**
 * Fills by the slips.
 */
fills: number | null, 
/**
 * Credits by the slips.
 */
credits: number | null, 
/**
 * About differences.
 */
comment: string | null, 
/**
 * The next shift begins with this count, after this record of the table.
 */
next_after: number | null, 
/**
 * The number of the shift that ends.
 */
shift: number | null, };

/**
 * The public state of a table. Whole in every frame, so a client that has the
 * newest one has missed nothing that still matters.
 */
export type PublicState = { 
/**
 * Whether it plays.
 */
status: StatusName, 
/**
 * The current round.
 */
round: ShownRound | null, 
/**
 * What the book has displayed or announced in this phase, as printed.
 */
words: string | null, 
/**
 * What is lit, by layout: the confirmed result of the current round, or
 * else of the last.
 */
lit: { [key in string]: Array<string> }, 
/**
 * How the last round ended.
 */
last: ShownEnd | null, 
/**
 * Notices.
 */
notices: Array<ShownNotice>, };

/**
 * A voucher as its station recalls it (S-13): never the whole number.
 */
export type RecalledVoucher = { 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * Issued here; else accepted here.
 */
issued_here: boolean, 
/**
 * Its amount.
 */
amount: number, 
/**
 * The currency.
 */
currency: string, 
/**
 * When.
 */
at_ms: number, 
/**
 * How it stands.
 */
state: string, 
/**
 * The number with all but its last digits hidden.
 */
number: string, };

/**
 * Bets refused for one reason.
 */
export type RefusalLine = { 
/**
 * The stable code of the refusal.
 */
code: string, 
/**
 * How many.
 */
count: number, };

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
 * Why something is revoked.
 */
export type Revocation = { 
/**
 * Why.
 */
reason: string, };

/**
 * One ended round on a road.
 */
export type RoadRound = { 
/**
 * Its number.
 */
number: number, 
/**
 * The result; null when it was void.
 */
result: ShownResult | null, 
/**
 * It was changed after it ended.
 */
amended: boolean, };

/**
 * An ended round.
 */
export type RoundShown = { 
/**
 * Its number.
 */
number: number, 
/**
 * When it began.
 */
began_ms: number, 
/**
 * When it ended.
 */
ended_ms: number, 
/**
 * The result; null when it was void.
 */
result: ShownResult | null, 
/**
 * How often it was changed after it ended.
 */
amended: number, 
/**
 * Why it is void.
 */
why: Why | null, 
/**
 * By which anyone can check that this is what was recorded.
 */
code: string, };

/**
 * A ruling on what waits.
 */
export type RulingName = "void" | "conclude" | "accept" | "at_close" | "as_they_lie" | "affected" | "not_affected" | "release";

/**
 * A section that can be bet on.
 */
export type SectionInfo = { 
/**
 * In the one notation: `total:11`.
 */
section: string, 
/**
 * Its kind: `total`.
 */
kind: string, 
/**
 * What this layout calls the kind.
 */
name: string, 
/**
 * The numbers it names.
 */
numbers: Array<number>, 
/**
 * One line, or three for a single die.
 */
odds: Array<OddsLine>, 
/**
 * Winning outcomes of 216.
 */
ways: number, 
/**
 * House edge as an exact fraction: `1/36`.
 */
edge: string, 
/**
 * The same in percent, for reading only.
 */
edge_percent: number, 
/**
 * Three alike of some number can win here.
 */
triple_can_win: boolean, };

/**
 * A line of the security log.
 */
export type SecurityLine = { 
/**
 * The record of the house's stream; none while it is only fed on.
 */
sequence?: number, 
/**
 * When; of a note with a count, the last time.
 */
at_ms: number, 
/**
 * A stable word: `logged-in`, `log-in-failed`, `refused`, `enrolled`.
 */
event: string, 
/**
 * `alert`, `warning`, `notice` or `info`.
 */
severity: string, 
/**
 * Who, in words.
 */
by: string, 
/**
 * The person, by their number, where it was one.
 */
person: number | null, 
/**
 * The address it came from.
 */
address: string | null, 
/**
 * How often the like was seen.
 */
count: number, 
/**
 * The first time.
 */
first_ms: number, 
/**
 * What else the record says.
 */
fields: Array<EventField>, };

/**
 * A page of the security log.
 */
export type SecurityPage = { 
/**
 * The newest first.
 */
lines: Array<SecurityLine>, 
/**
 * Ask again with this as `before`; null when everything was looked at.
 */
next: number | null, 
/**
 * The last record there was.
 */
last: number, };

/**
 * A shift of the table: who signed, and what was counted at its two ends.
 */
export type ShiftFigures = { 
/**
 * Its number.
 */
shift: number, 
/**
 * When it began.
 */
opened_ms: number, 
/**
 * When it ended; null while it goes on.
 */
closed_ms: number | null, 
/**
 * The two who signed its beginning.
 */
opened_by: Array<string>, 
/**
 * The outgoing and the incoming manager.
 */
signed_by: Array<string>, 
/**
 * Chips in the rack at its beginning.
 */
opener: number, 
/**
 * Chips from the cage, by the slips.
 */
fills: number, 
/**
 * Chips to the cage, by the slips.
 */
credits: number, 
/**
 * Chips counted in the rack at its end.
 */
closer: number | null, 
/**
 * Cash counted in the drop box.
 */
drop: number | null, 
/**
 * Counted in the tip box.
 */
tips: number | null, 
/**
 * The drop box that was locked to the table, by its number; empty where there was none.
 */
drop_box: string, 
/**
 * And the tip box.
 */
tip_box: string, 
/**
 * Who counted the boxes, where others did than those who signed.
 */
boxes_counted_by: Array<string>, 
/**
 * When.
 */
boxes_counted_ms: number | null, 
/**
 * A difference above this needs a comment.
 */
threshold: number, 
/**
 * About differences.
 */
comment: string, 
/**
 * The last record that the newest checkpoint covered when they signed.
 */
signed_to: number | null, 
/**
 * The first 16 digits of that checkpoint's SHA-256.
 */
fingerprint: string | null, };

/**
 * Somebody who acts in a position for the time being.
 */
export type ShownActing = { 
/**
 * Who.
 */
person: number, 
/**
 * In which position.
 */
position: string, };

/**
 * A payment the trainee is asked for.
 */
export type ShownAsked = { 
/**
 * At which station.
 */
station: string, 
/**
 * The bet.
 */
bet: Stake, 
/**
 * What the trainee said, if anything.
 */
stated: number | null, };

/**
 * A basis a decision may rest on.
 */
export type ShownBasis = { 
/**
 * Its number, from 1.
 */
basis: number, 
/**
 * The rule that lists it.
 */
rule: string, 
/**
 * What it is.
 */
words: string, 
/**
 * The same in the document's language, where that is not English.
 */
printed: string | null, };

/**
 * A bet that is taken or paid (004 4.8.1, 4.8.2; 001 1.1.3).
 */
export type ShownBet = { 
/**
 * Where it lies.
 */
section: string, 
/**
 * What lies there.
 */
stake: number, 
/**
 * In the seat's colour.
 */
colour: boolean, 
/**
 * The odds to 1 at which it wins: `6`, `11 1/2`; none where it is taken.
 */
odds: string | null, 
/**
 * What is paid to it beside the stake.
 */
winnings: number, };

/**
 * A case as staff see it.
 */
export type ShownCase = { 
/**
 * Its number.
 */
case: number, 
/**
 * What it is about.
 */
kind: CaseKind, 
/**
 * The table.
 */
table: string, 
/**
 * The rule book whose ladder it follows.
 */
book: string, 
/**
 * Language of its document: `en`, `vi`.
 */
language: string, 
/**
 * The round.
 */
round: number | null, 
/**
 * The station.
 */
station: number | null, 
/**
 * Who played there.
 */
session: number | null, 
/**
 * What is wrong.
 */
reason: GrievanceName, 
/**
 * In the words of whoever opened it.
 */
words: string, 
/**
 * Who opened it.
 */
opened_by: ShownParty, 
/**
 * When.
 */
opened_ms: number, 
/**
 * How it stands: `open`, `taken`, `escalated`, `decided`, `answered`,
 * `unresolved`, `complained` or `closed`.
 */
state: string, 
/**
 * The bet, as the terminal says.
 */
claimed_bet: number | null, 
/**
 * When it was tapped, by the terminal's clock.
 */
claimed_tapped_ms: number | null, 
/**
 * When it was sent, by the terminal's clock.
 */
claimed_sent_ms: number | null, 
/**
 * Bets of that station and round that the house had refused.
 */
refused: Array<ShownRefused>, 
/**
 * Who handles it first.
 */
first: ShownRung, 
/**
 * Who takes over what was not solved.
 */
escalated: ShownRung, 
/**
 * The bases a decision may rest on; where there are any, it names one.
 */
bases: Array<ShownBasis>, 
/**
 * Days the player has to ask the authority for an investigation.
 */
authority_days: number | null, 
/**
 * Surveillance was notified, as it is when a case is escalated.
 */
surveillance_notified: boolean, 
/**
 * And has seen it.
 */
surveillance_seen: boolean, 
/**
 * Until when a decision was promised.
 */
promised_ms: number | null, 
/**
 * What has its time.
 */
clocks: Array<ShownClock>, 
/**
 * The house is late with something.
 */
overdue: boolean, 
/**
 * What was done, in order.
 */
steps: Array<ShownCaseStep>, 
/**
 * The steps whoever asks may take now.
 */
may: Array<string>, };

/**
 * A step that was taken. What a kind of step does not have is null.
 */
export type ShownCaseStep = { 
/**
 * When.
 */
at_ms: number, 
/**
 * Who.
 */
by: ShownParty, 
/**
 * The position they acted in at the table.
 */
acting: string | null, 
/**
 * Which step, e.g. `decide`.
 */
step: string, 
/**
 * Words.
 */
text: string | null, 
/**
 * Which camera.
 */
camera: string | null, 
/**
 * From when a camera shows it.
 */
from_ms: number | null, 
/**
 * Until when it does, or until when a decision was promised.
 */
until_ms: number | null, 
/**
 * What the UV scanner showed.
 */
genuine: boolean | null, 
/**
 * The decision.
 */
outcome: OutcomeName | null, 
/**
 * The bases it rests on.
 */
bases: Array<number>, 
/**
 * The bases that are silent on this case.
 */
silent: Array<number>, 
/**
 * The player's answer.
 */
answer: AnswerName | null, 
/**
 * The record of an adjustment.
 */
record: number | null, 
/**
 * Its amount.
 */
amount: number | null, };

/**
 * Something that has its time.
 */
export type ShownClock = { 
/**
 * What is to be done: `take`, `decide`, `notify_authority`, `tell_rights` or `complain`.
 */
what: string, 
/**
 * Until when.
 */
until_ms: number, 
/**
 * The time is the player's, not the house's.
 */
players: boolean, 
/**
 * The house is late with it.
 */
overdue: boolean, };

/**
 * What the two clocks showed when they were found to have parted.
 */
export type ShownClocks = { 
/**
 * The house's.
 */
house_ms: number, 
/**
 * The machine's.
 */
machine_ms: number, };

/**
 * The colour chips issued to a seat.
 */
export type ShownColour = { 
/**
 * The colour.
 */
name: string, 
/**
 * What one chip is worth.
 */
value: number, };

/**
 * The round as the console shows it.
 */
export type ShownConsoleRound = { 
/**
 * The deal button was pressed.
 */
deal_pressed: boolean, 
/**
 * The dice were seen to lie flat.
 */
flat: boolean, 
/**
 * The keyed reading.
 */
preview: ShownPreview | null, 
/**
 * A second reading was made.
 */
second_read: boolean, 
/**
 * The winning areas are lit, or known not to be.
 */
lights: boolean | null, 
/**
 * Nothing is left but to declare the round void, for this cause.
 */
must_void: string | null, 
/**
 * Terminals that have not yet shown the close.
 */
awaiting: Array<number>, 
/**
 * Terminals that were cut off.
 */
fenced: Array<number>, 
/**
 * All stakes.
 */
staked: number, 
/**
 * The most the house can lose; negative when it wins whatever falls.
 */
worst_loss: number, 
/**
 * The dice that would cost the most.
 */
worst_dice: [number, number, number] | null, };

/**
 * A currency.
 */
export type ShownCurrency = { 
/**
 * `SGD`.
 */
code: string, 
/**
 * Digits after the point.
 */
decimals: number, };

/**
 * A decision that waits (P-031).
 */
export type ShownDecision = { 
/**
 * Its number.
 */
pending: number, 
/**
 * The round it is about.
 */
round: number | null, 
/**
 * What is asked: a stable word.
 */
question: string, 
/**
 * In words, where a person wrote them.
 */
what: string | null, 
/**
 * The station it is about.
 */
station: number | null, 
/**
 * Chips that wait to be attested, and whether they are in colour.
 */
chips: Array<Stake>, 
/**
 * They are colour chips.
 */
colour: boolean, 
/**
 * An outcome was established before the interruption.
 */
established: boolean | null, 
/**
 * The proposal it waits for, where it is a proposed correction.
 */
proposal: number | null, 
/**
 * The rule.
 */
rule: string, 
/**
 * Who decides.
 */
by: string, 
/**
 * As the book calls them.
 */
title: string | null, 
/**
 * Or anyone above.
 */
or_above: boolean, 
/**
 * How many persons it takes.
 */
persons: number, 
/**
 * What it comes to if nobody has a reason to decide otherwise.
 */
default: string | null, 
/**
 * What it would do, station by station; the first 200.
 */
effects: Array<ShownEffect>, };

/**
 * A set of dice in custody.
 */
export type ShownDice = { 
/**
 * Its number.
 */
set: string, 
/**
 * `received`, `good`, `in_use`, `removed`, `quarantined` or `destroyed`.
 */
state: string, 
/**
 * The table it was placed at.
 */
table: string | null, 
/**
 * When it was last found good.
 */
good_ms: number | null, 
/**
 * Tables that say it is in their tumbler now.
 */
in_tumbler: Array<string>, 
/**
 * What was done with it.
 */
steps: Array<ShownDiceStep>, };

/**
 * A step of custody that was taken.
 */
export type ShownDiceStep = { 
/**
 * When.
 */
at_ms: number, 
/**
 * Who.
 */
by: ShownParty, 
/**
 * The second person.
 */
second: ShownParty | null, 
/**
 * `receive`, `inspect`, `place`, `remove`, `quarantine` or `destroy`.
 */
step: string, 
/**
 * What an inspection found.
 */
good: boolean | null, 
/**
 * The table it was placed at.
 */
table: string | null, 
/**
 * Words, or the seal.
 */
text: string | null, };

/**
 * What a decision would do at one station.
 */
export type ShownEffect = { 
/**
 * Which station.
 */
station: number, 
/**
 * What it staked.
 */
staked: number, 
/**
 * What comes back if the round is void.
 */
if_void: number, 
/**
 * The least that comes back if it is concluded.
 */
concluded_least: number, 
/**
 * The most.
 */
concluded_most: number, 
/**
 * What it would have staked if its chips were attested.
 */
if_attested: number | null, };

/**
 * How a round ended.
 */
export type ShownEnd = { 
/**
 * Its number.
 */
number: number, 
/**
 * The result; null when it was void.
 */
result: ShownResult | null, 
/**
 * It was changed after it ended.
 */
amended: boolean, 
/**
 * Why it was void or corrected, where known.
 */
why: Why | null, 
/**
 * SHA-256 of the simulated tumbler's seed, published before betting.
 */
commitment: string | null, 
/**
 * The seed, published after the round.
 */
seed: string | null, };

/**
 * Something enrolled.
 */
export type ShownEnrolment = { 
/**
 * Its number.
 */
enrolment: number, 
/**
 * What it is.
 */
role: EnrolmentRole, 
/**
 * What people call it.
 */
name: string, 
/**
 * Since when.
 */
since_ms: number, 
/**
 * When it was revoked.
 */
revoked_ms: number | null, };

/**
 * One round of a lesson as it went.
 */
export type ShownExercise = { 
/**
 * What was practised; empty until the round has ended.
 */
situation: string, 
/**
 * It has ended.
 */
ended: boolean, 
/**
 * From its first act to its end.
 */
took_ms: number, 
/**
 * Marks by skill.
 */
marks: Array<ShownMarks>, 
/**
 * What the coach says.
 */
remarks: Array<ShownRemark>, };

/**
 * Word of a failure to whoever the book says must be told (R-173).
 */
export type ShownFailure = { 
/**
 * Its number.
 */
notice: number, 
/**
 * When it was given.
 */
at_ms: number, 
/**
 * What failed.
 */
what: string, 
/**
 * Who must be told: a position.
 */
inform: string, 
/**
 * As the book calls them.
 */
title: string | null, 
/**
 * The rule.
 */
rule: string, 
/**
 * The current round then.
 */
round: number | null, 
/**
 * Who acknowledged it, by their number in the house.
 */
read_by: number | null, 
/**
 * Their name, where the answer may carry it.
 */
read_name: string | null, 
/**
 * When.
 */
read_ms: number | null, };

/**
 * A voucher that somebody must look at, or a number that was not paid.
 */
export type ShownFlag = { 
/**
 * Why: `kept`, `disputed`, or the code of why a number was not paid.
 */
why: string, 
/**
 * When.
 */
at_ms: number, 
/**
 * The voucher, where the number is one's.
 */
voucher: ShownVoucher | null, 
/**
 * Where the number was presented: a station, or who at the cage.
 */
presented: string | null, 
/**
 * The dispute, where there is one.
 */
case: number | null, };

/**
 * A lesson as its coach sees it.
 */
export type ShownLesson = { 
/**
 * Who is taught.
 */
trainee: string, 
/**
 * The book.
 */
book: string, 
/**
 * The pack.
 */
pack: string, 
/**
 * What it was drawn from.
 */
seed: number, 
/**
 * When it began.
 */
began_ms: number, 
/**
 * Rounds in all.
 */
rounds: number, 
/**
 * Every round has been played.
 */
over: boolean, 
/**
 * What has happened in the current round and can be seen, if anything.
 */
cue: string | null, 
/**
 * The bet it is about, at the first station.
 */
cue_bet: Stake | null, 
/**
 * The dice as somebody who stands there sees them.
 */
dice: [number, number, number] | null, 
/**
 * What is due: a step, or what to do about what happened; empty when others act.
 */
due: string, 
/**
 * Its rule.
 */
due_rule: string, 
/**
 * The result of the last round must still be called.
 */
call_due: boolean, 
/**
 * Payments of the last round, once it is settled.
 */
asked: Array<ShownAsked>, 
/**
 * Rounds that have begun.
 */
exercises: Array<ShownExercise>, 
/**
 * Marks over all.
 */
marks: Array<ShownMarks>, 
/**
 * Of a hundred.
 */
percent: number, };

/**
 * The limits of one kind of bet.
 */
export type ShownLimit = { 
/**
 * The kind: `total`, `any-triple`.
 */
kind: string, 
/**
 * As the layout calls it.
 */
name: string, 
/**
 * Least stake.
 */
minimum: number, 
/**
 * Most.
 */
maximum: number, 
/**
 * Whole multiples of it.
 */
step: number, };

/**
 * Marks in one skill.
 */
export type ShownMarks = { 
/**
 * The skill: `order`, `rule`, `call`, `payments`, `speed`.
 */
skill: string, 
/**
 * Got.
 */
right: number, 
/**
 * To be had.
 */
of: number, };

/**
 * A moment of the round a case is about.
 */
export type ShownMoment = { 
/**
 * Its record in the table's journal.
 */
sequence: number, 
/**
 * When the house received what it records.
 */
at_ms: number, 
/**
 * What, e.g. `bet_registered`, `closing_announced`, `close_shown`, `fenced`, `settled`.
 */
what: string, 
/**
 * The player's name for the bet.
 */
bet: number | null, 
/**
 * The bets placed or taken back.
 */
lines: Array<Stake>, 
/**
 * The dice.
 */
dice: [number, number, number] | null, 
/**
 * What came back to the station, or what a later change gave or took.
 */
amount: number | null, };

/**
 * Money of a table.
 */
export type ShownMoney = { 
/**
 * Staked in the current round.
 */
staked: number, 
/**
 * The most it can cost.
 */
worst_loss: number, 
/**
 * Won by the house since the table exists.
 */
house_win: number, 
/**
 * All settled stakes.
 */
handle: number, 
/**
 * Cash in.
 */
drop: number, 
/**
 * Free credit at stations.
 */
credit: number, 
/**
 * Vouchers this table has given out less those it has taken.
 */
vouchers: number, 
/**
 * Chips in players' hands.
 */
chips_outstanding: number, 
/**
 * Overpayments that may be recovered.
 */
recoverable: number, 
/**
 * Credits nobody has claimed.
 */
unclaimed: number, };

/**
 * A notice for everyone.
 */
export type ShownNotice = { "kind": "last_round" } | { "kind": "suspended" } | { "kind": "closed" } | { "kind": "held", 
/**
 * Under this rule of the document; null where it does not speak.
 */
rule: string | null, } | { "kind": "round_lost" } | { "kind": "limits_change" } | { "kind": "rule_book_changes" } | { "kind": "last_round_void" } | { "kind": "last_result_corrected" };

/**
 * An overpayment, or a credit nobody has claimed.
 */
export type ShownOwing = { 
/**
 * Its number.
 */
id: number, 
/**
 * Of which round.
 */
round: number, 
/**
 * At which station.
 */
station: number, 
/**
 * How much.
 */
amount: number, 
/**
 * Who played then plays there still.
 */
present: boolean, };

/**
 * Who did something.
 */
export type ShownParty = { 
/**
 * The person's or the station's name; `house` for the house itself.
 */
name: string, 
/**
 * The person's position.
 */
position: string | null, };

/**
 * A person of the house.
 */
export type ShownPerson = { 
/**
 * Their number.
 */
person: number, 
/**
 * Their name.
 */
name: string, 
/**
 * The position they hold.
 */
position: string, 
/**
 * The PIN is still the one they were given.
 */
one_time_pin: boolean, 
/**
 * May not log in.
 */
disabled: boolean, 
/**
 * Locked out until then.
 */
locked_until_ms: number | null, 
/**
 * When they last logged in.
 */
last_log_in_ms: number | null, 
/**
 * Sessions that have not ended.
 */
sessions: number, 
/**
 * A manager has seen them log in: they may be one of two persons.
 */
witnessed: boolean, 
/**
 * Tables they are assigned to.
 */
tables: Array<string>, 
/**
 * Windows of the cage they are assigned to.
 */
windows: Array<number>, };

/**
 * How the player stands, and what holds for them.
 */
export type ShownPlay = { 
/**
 * The house's clock.
 */
now_ms: number, 
/**
 * Counts who plays here: another number is another player.
 */
session: number, 
/**
 * Since when they have been here, as far as is known.
 */
began_ms: number, 
/**
 * How long they have played: the clock stops two minutes after a bet.
 */
played_ms: number, 
/**
 * Until when that clock runs; null while it stands.
 */
runs_until_ms: number | null, 
/**
 * Staked since they came.
 */
staked: number, 
/**
 * Came back since.
 */
returned: number, 
/**
 * Staked in bets that are still open.
 */
open: number, 
/**
 * Won less lost since; open bets are neither.
 */
net: number, 
/**
 * A member's card is in use.
 */
card: boolean, 
/**
 * That card is used at another station now.
 */
elsewhere: boolean, 
/**
 * They have said what they want, or that they want nothing.
 */
answered: boolean, 
/**
 * Limits that are set or wait.
 */
limits: Array<OwnLimit>, 
/**
 * What was played: in the session, and with a card in the day, the week
 * and the month.
 */
spells: Array<OwnSpell>, 
/**
 * A reality check every so many minutes.
 */
check_minutes: number | null, 
/**
 * Minutes that can be chosen.
 */
check_choices: Array<number>, 
/**
 * So much play is left until the next.
 */
check_left_ms: number | null, 
/**
 * It is due: it must be seen before the next bet.
 */
check_due: boolean, 
/**
 * A break ends then.
 */
break_until_ms: number | null, 
/**
 * Why the house has stopped their play.
 */
stopped: string | null, 
/**
 * It was stopped because the card they showed may not play.
 */
excluded: boolean, };

/**
 * The keyed reading, not yet confirmed (P-021).
 */
export type ShownPreview = { 
/**
 * In the order keyed.
 */
keyed: [number, number, number], 
/**
 * As it would be called.
 */
result: ShownResult, 
/**
 * What would light up, by layout.
 */
lit: { [key in string]: Array<string> }, 
/**
 * What would be returned to players in all.
 */
payout: number, };

/**
 * A two-person act that waits for its second person.
 */
export type ShownProposal = { 
/**
 * Its number.
 */
proposal: number, 
/**
 * What is proposed: the act's word.
 */
act: string, 
/**
 * In words for the second person. Dice read by the first are not among
 * them where the second must read them independently.
 */
words: string, 
/**
 * Who proposes.
 */
by: string, 
/**
 * Their number.
 */
person: number, 
/**
 * Ended rounds it is about.
 */
rounds: Array<number>, 
/**
 * The station it is about.
 */
station: number | null, 
/**
 * The amount it is about.
 */
amount: number | null, 
/**
 * What it rules: a ruling's word, or whether the dice lie as they lay
 * (`in_place`, `not_in_place`).
 */
ruling: string | null, 
/**
 * The cause for which it makes a round or rounds void.
 */
cause: string | null, 
/**
 * What the first person gives as reason or evidence.
 */
note: string | null, 
/**
 * What the first person says to whether the round to be corrected was
 * conducted in accordance with the rules of the game; whoever confirms says
 * the same.
 */
conducted: boolean | null, 
/**
 * What is counted, where it is an end of a shift.
 */
counts: ProposedCounts | null, 
/**
 * The second person must state the dice as they read them.
 */
dice_wanted: boolean, 
/**
 * When it lapses.
 */
until_ms: number, 
/**
 * Digest of the whole act: the confirmation sends it back.
 */
digest: string, };

/**
 * A bet the house refused.
 */
export type ShownRefused = { 
/**
 * The player's name for it.
 */
bet: number, 
/**
 * When.
 */
at_ms: number, 
/**
 * The stable code.
 */
code: string, };

/**
 * Something the coach says.
 */
export type ShownRemark = { 
/**
 * Which skill it is about.
 */
skill: string, 
/**
 * What was right or wrong.
 */
verdict: string, 
/**
 * It was right.
 */
right: boolean, 
/**
 * What was due.
 */
expected: string, 
/**
 * What was done.
 */
done: string, 
/**
 * The rule.
 */
rule: string, };

/**
 * Something that was reported at a table.
 */
export type ShownReport = { 
/**
 * A stable word.
 */
kind: string, 
/**
 * What was said.
 */
note: string, 
/**
 * The station it came from.
 */
station: number | null, 
/**
 * The current round.
 */
round: number | null, 
/**
 * When.
 */
at_ms: number, };

/**
 * A result as it is called: lowest to highest, then the total.
 */
export type ShownResult = { 
/**
 * From lowest to highest.
 */
dice: [number, number, number], 
/**
 * Their sum.
 */
total: number, 
/**
 * Small, big or triple.
 */
side: SideName, 
/**
 * The total is odd; null for a triple, and where the book has no such bet.
 */
odd: boolean | null, };

/**
 * Rights changed otherwise than usual, because nobody else was there.
 */
export type ShownRightsException = { 
/**
 * When.
 */
at_ms: number, 
/**
 * `stand_in`: the second person stood in for one who leads the house;
 * `own_witness`: one of the two saw the person log in.
 */
why: string, 
/**
 * Whose rights.
 */
person: string, 
/**
 * Who did it.
 */
by: string, 
/**
 * With whom.
 */
second: string | null, };

/**
 * The current round, as everyone may know it.
 */
export type ShownRound = { 
/**
 * Its number.
 */
number: number, 
/**
 * Where it stands.
 */
phase: PhaseName, 
/**
 * When bets were called.
 */
opened_ms: number | null, 
/**
 * When the betting clock ends.
 */
closes_ms: number | null, 
/**
 * When *no more bets* was called.
 */
closing_ms: number | null, 
/**
 * The tumble.
 */
tumble: TumbleState, 
/**
 * Tumbles counted, once the tumbler has come to rest.
 */
tumbles: number | null, 
/**
 * The cover.
 */
cover: CoverName, 
/**
 * The result, once it is confirmed.
 */
result: ShownResult | null, 
/**
 * SHA-256 of the simulated tumbler's seed, published before betting.
 */
commitment: string | null, };

/**
 * What one book makes of a situation.
 */
export type ShownRuling = { 
/**
 * The book.
 */
book: string, 
/**
 * What becomes of it: `void`, `decided` …
 */
consequence: string, 
/**
 * The cause, where the round is void for a listed one.
 */
cause: string | null, 
/**
 * The rule.
 */
rule: string, 
/**
 * Who decides or confirms.
 */
by: string | null, };

/**
 * Who may act on a rung of the ladder.
 */
export type ShownRung = { 
/**
 * The position.
 */
position: string, 
/**
 * What the book calls it.
 */
title: string | null, 
/**
 * Anyone above it will do.
 */
or_above: boolean, };

/**
 * A shift of a table.
 */
export type ShownShift = { 
/**
 * Its number.
 */
shift: number, 
/**
 * The table.
 */
table: string, 
/**
 * The currency.
 */
currency: string, 
/**
 * The first record of the table's journal it covers.
 */
from_sequence: number, 
/**
 * The last; null while it goes on.
 */
to_sequence: number | null, 
/**
 * When it began.
 */
opened_ms: number, 
/**
 * When it ended.
 */
closed_ms: number | null, 
/**
 * Chips counted in the rack at its beginning.
 */
opener: number, 
/**
 * At its end.
 */
closer: number | null, 
/**
 * Cash counted in the drop box.
 */
drop: number | null, 
/**
 * Counted in the tip box.
 */
tips: number | null, 
/**
 * The cash chips that the rack should hold by the table's books; null before somebody has
 * entered a count of it.
 */
expected_closer: number | null, 
/**
 * The last record of the table that what is expected rests on.
 */
record: number, 
/**
 * What the drop box should hold; null before it was counted.
 */
expected_drop: number | null, 
/**
 * What the tip box should hold; null before it was counted.
 */
expected_tips: number | null, 
/**
 * Chips from the cage less those sent back, in this shift; null before its end was counted.
 */
fills: number | null, 
/**
 * The rack at its beginning, by denomination.
 */
opener_pieces: Array<CountedPieces>, 
/**
 * And at its end.
 */
closer_pieces: Array<CountedPieces>, 
/**
 * The number of the drop box that was locked to the table; empty where there was none.
 */
drop_box: string, 
/**
 * The number of the tip box.
 */
tip_box: string, 
/**
 * It has ended and its boxes are not counted yet.
 */
boxes_wait: boolean, 
/**
 * Who counted them, where others did than those who signed.
 */
counted_by: Array<string>, 
/**
 * Whoever asks signed for it: others count its boxes.
 */
own: boolean, 
/**
 * Colour chips that players hold, or held at its end: they are in no count of the rack.
 */
colour_out: number, 
/**
 * A difference above this needs a comment.
 */
threshold: number, 
/**
 * About differences.
 */
comment: string, 
/**
 * The two who signed its beginning.
 */
opened_by: Array<string>, 
/**
 * The outgoing and the incoming manager.
 */
signed_by: Array<string>, 
/**
 * The last record the table's newest checkpoint covers.
 */
signed_to: number | null, 
/**
 * Its fingerprint: SHA-256 of the signed header.
 */
fingerprint: string | null, };

/**
 * A station as staff see it.
 */
export type ShownStation = { 
/**
 * Its number.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * A terminal; else a seat.
 */
terminal: boolean, 
/**
 * Its layout within the book.
 */
layout: string, 
/**
 * It can be heard.
 */
online: boolean, 
/**
 * Free credit.
 */
credit: number, 
/**
 * Staked in this round.
 */
at_risk: number, 
/**
 * The colour issued to it.
 */
colour: ShownColour | null, 
/**
 * Chips or credit bets of a seat; of terminals only the sum is shown.
 */
chips: Array<Stake>, 
/**
 * Colour chips.
 */
colour_chips: Array<Stake>, 
/**
 * Cash chips as they were last seen after the close, where they were (Q-06).
 */
observed: Array<Stake> | null, 
/**
 * The same of colour chips.
 */
colour_observed: Array<Stake> | null, 
/**
 * What the dealer does with each bet of a seat by the dice that are keyed
 * or confirmed: first what is taken, then what is paid. The stake of a
 * winning bet stays on the layout and is no part of what is paid.
 */
take_and_pay: Array<ShownBet> | null, };

/**
 * A step that may be taken now.
 */
export type ShownStep = { 
/**
 * A stable word: `call-bets`.
 */
step: string, 
/**
 * The cause of a void.
 */
cause: string | null, 
/**
 * The decision it takes.
 */
pending: number | null, 
/**
 * The ruling it gives.
 */
ruling: string | null, 
/**
 * Any one of these may take it.
 */
who: Array<MayAct>, 
/**
 * The rule it rests on.
 */
rule: string | null, 
/**
 * The only bright button (P-020).
 */
next: boolean, };

/**
 * What everyone may know of a table.
 */
export type ShownTable = { 
/**
 * What it is; null before it was first opened.
 */
info: TableInfo | null, 
/**
 * Sequence it rests on.
 */
version: number, 
/**
 * How it stands; null while it is out of service.
 */
state: PublicState | null, 
/**
 * It is out of service: nothing is dealt, bet or paid at it.
 */
stopped: boolean, 
/**
 * Who deals, by name, as on their badge; null while nobody does, or the automatic dealer.
 */
dealer: string | null, 
/**
 * The camera over it.
 */
camera: Camera | null, };

/**
 * A voucher as the house sees it.
 */
export type ShownVoucher = { 
/**
 * Its number in the house.
 */
voucher: number, 
/**
 * The table it is from.
 */
table: string, 
/**
 * The station it is from.
 */
station: string, 
/**
 * Its amount.
 */
amount: number, 
/**
 * The currency.
 */
currency: string, 
/**
 * How it stands.
 */
state: string, 
/**
 * When it was issued.
 */
issued_ms: number, 
/**
 * Good before this.
 */
expires_ms: number, 
/**
 * When and where it was paid, once it is.
 */
paid?: PaidWhere, };

/**
 * Small, big, or neither.
 */
export type SideName = "small" | "big" | "triple";

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
 * What staff ask of a table. What moves money carries a request number that
 * who asks chooses: asked again under the same number, it is done once.
 */
export type StaffAct = { "act": "activate_tumbler", } | { "act": "report_tumbles", count: number, all_dice_moved: boolean, } | { "act": "call_bets", } | { "act": "close_bets", } | { "act": "press_deal", } | { "act": "uncover", } | { "act": "confirm_flat", } | { "act": "key_dice", dice: [number, number, number], } | { "act": "clear_keys", } | { "act": "read_second", dice: [number, number, number], } | { "act": "confirm_result", } | { "act": "report_lights", lit: boolean, } | { "act": "take_and_pay", } | { "act": "declare_void", cause: string, } | { "act": "report_damage", note: string, } | { "act": "find_dice_sound", 
/**
 * The set that was inspected.
 */
dice_set: string, text: string, } | { "act": "raise_incident", kind: IncidentName, note: string, } | { "act": "hold", what: string, 
/**
 * Something no rule covers, unless it says otherwise.
 */
about?: HeldName, } | { "act": "declare_technical_stop", what: string, part?: PartName, } | { "act": "report_device_failure", what: string, part?: PartName, } | { "act": "acknowledge_notice", notice: number, } | { "act": "switch_counting", by_hand: boolean, } | { "act": "confirm_interruption", pending: number, dice_in_place: boolean, } | { "act": "rule", pending: number, ruling: RulingName, reason: string, } | { "act": "rule_void", reason: string, } | { "act": "resolve_readings", pending: number, dice: [number, number, number], } | { "act": "correct_result", round: number, dice: [number, number, number], evidence: string, 
/**
 * Whether the round was conducted in accordance with the rules of the
 * game, where the book asks it: both persons say so.
 */
conducted?: boolean, } | { "act": "void_rounds", rounds: Array<number>, 
/**
 * The listed cause, as a stable word; without it, what no rule covers.
 */
cause?: string, 
/**
 * The question about damaged dice that it answers.
 */
pending?: number, reason: string, } | { "act": "recover", request: number, recoverable: number, amount: number, } | { "act": "waive", request: number, recoverable: number, reason: string, } | { "act": "pay_unclaimed", request: number, unclaimed: number, } | { "act": "place_bets", station: number, round: number, bet: number, means: ChipMeans, lines: Array<Stake>, } | { "act": "remove_bets", station: number, round: number, bet: number, means: ChipMeans, lines: Array<Stake>, } | { "act": "clear_bets", station: number, round: number, bet: number, } | { "act": "call_bet", station: number, round: number, bet: number, lines: Array<Stake>, chips_present: boolean, } | { "act": "record_positions", station: number, round: number, bet: number, means: ChipMeans, lines: Array<Stake>, } | { "act": "observe_positions", station: number, round: number, means: ChipMeans, lines: Array<Stake>, } | { "act": "record_late", station: number, round: number, late: LateName, means: ChipMeans, line: Stake, } | { "act": "attest_positions", pending: number, lay_there: boolean, bookmark: string, } | { "act": "announce_last_round", } | { "act": "take_back_last_round", } | { "act": "close_table", } | { "act": "open_table", } | { "act": "suspend", reason: string, } | { "act": "resume", } | { "act": "change_dice", dice_set: string, } | { "act": "change_limits", limits: Array<KindLimit>, station_maximum: number, exposure_maximum: number, } | { "act": "assign_acting", person: number, position: string, } | { "act": "end_acting", person: number, position: string, } | { "act": "count_money", entry: number, amount: number, } | { "act": "buy_credit", request: number, station: number, source: CreditFrom, amount: number, } | { "act": "transfer_out", request: number, station: number, amount: number, } | { "act": "hand_pay", request: number, station: number, amount: number, } | { "act": "move_chips", request: number, how: ChipMoveName, amount: number, slip: string, } | { "act": "assign_colour", station: number, colour: string, value: number, } | { "act": "release_colour", station: number, } | { "act": "move_colour", request: number, station: number, how: ColourMoveName, amount: number, } | { "act": "adjust", request: number, station: number, amount: number, reason: string, } | { "act": "settle_case", request: number, case: number, amount: number, reason: string, } | { "act": "add_station", name: string, terminal: boolean, layout: string, } | { "act": "remove_station", station: number, };

/**
 * Everything staff may see of a table.
 */
export type StaffState = { 
/**
 * What everyone sees.
 */
public: PublicState, 
/**
 * Whether it plays.
 */
status: StatusName, 
/**
 * Everything a person may do now that is no single station's; the one
 * that is next is marked.
 */
steps: Array<ShownStep>, 
/**
 * Who acts in another position than their own.
 */
acting: Array<ShownActing>, 
/**
 * The current round.
 */
round: ShownConsoleRound | null, 
/**
 * Decisions that wait.
 */
decisions: Array<ShownDecision>, 
/**
 * Word of failures, the oldest first, acknowledged ones included.
 */
notices: Array<ShownFailure>, 
/**
 * Who counts the tumbles: `either`, `line` or `hand`.
 */
counting: string, 
/**
 * The least time a tumble takes that a person counts, in milliseconds.
 */
shortest_tumble_ms: number, 
/**
 * Stations.
 */
stations: Array<ShownStation>, 
/**
 * One more round will be played (false), or has been (true).
 */
last_round_announced: boolean | null, 
/**
 * The dice must be changed before a round can begin.
 */
dice_condemned: boolean, 
/**
 * The machine's clock has parted from the house's: no round begins until
 * a supervisor has looked. What the two showed then.
 */
clock_parted: ShownClocks | null, 
/**
 * The most the house may stand to lose on a round.
 */
exposure_maximum: number, 
/**
 * The dice in use.
 */
dice_set: string, 
/**
 * The first round played with them, or that could be.
 */
dice_since: number, 
/**
 * Overpayments.
 */
recoverables: Array<ShownOwing>, 
/**
 * Credits nobody has claimed.
 */
unclaimed: Array<ShownOwing>, 
/**
 * Money.
 */
money: ShownMoney, 
/**
 * The last round.
 */
last: ShownEnd | null, 
/**
 * The round of which a wrong result is still found at once: no later one
 * has commenced by what the book calls the start of a round.
 */
current: number, 
/**
 * The ended round whose dice can still be read: none was tumbled since.
 */
dice_in_place: number | null, 
/**
 * Before a result is corrected both persons answer whether the round was
 * conducted in accordance with the rules of the game.
 */
conduct_asked: boolean, };

/**
 * A stake on a section.
 */
export type Stake = { 
/**
 * Where, e.g. `total:11`.
 */
section: string, 
/**
 * How much, in minor units.
 */
stake: number, };

/**
 * What the trainee would pay.
 */
export type StatedPayment = { 
/**
 * Which of the payments asked for, from 0.
 */
number: number, 
/**
 * What is added to the stake, in minor units.
 */
amount: number, };

/**
 * A case as the player who opened it sees it.
 */
export type StationCase = { 
/**
 * Its number.
 */
case: number, 
/**
 * The round.
 */
round: number | null, 
/**
 * What is wrong.
 */
reason: GrievanceName, 
/**
 * In the player's words.
 */
words: string, 
/**
 * When it was opened.
 */
opened_ms: number, 
/**
 * How it stands, as in `ShownCase`.
 */
state: string, 
/**
 * Until when a decision was promised.
 */
promised_ms: number | null, 
/**
 * The decision.
 */
outcome: OutcomeName | null, 
/**
 * Its words.
 */
decision: string | null, 
/**
 * What the player said to it.
 */
answer: AnswerName | null, 
/**
 * The player was told of the right to complain, or to ask the authority.
 */
rights_told: boolean, 
/**
 * Days to ask the authority for an investigation, where a law gives them;
 * else a complaint goes to the house's senior management.
 */
authority_days: number | null, 
/**
 * Until when.
 */
complain_until_ms: number | null, 
/**
 * The player may say whether they agree.
 */
may_answer: boolean, 
/**
 * The player may take the dispute back.
 */
may_withdraw: boolean, };

/**
 * What a station is.
 */
export type StationInfo = { 
/**
 * Its number at the table.
 */
station: number, 
/**
 * Its name.
 */
name: string, 
/**
 * Its layout within the book.
 */
layout: string, 
/**
 * It has a simulated note acceptor that takes these.
 */
notes: Array<number>, };

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
 * One station's part of a round, for staff.
 */
export type StationPart = { 
/**
 * Which station.
 */
station: number, 
/**
 * Who played there.
 */
session: number, 
/**
 * Its card.
 */
card: Card, };

/**
 * Whether a table plays.
 */
export type StatusName = "closed" | "open" | "suspended";

/**
 * Stops a player's play, or lets it go on.
 */
export type StopPlay = { 
/**
 * Play is stopped; else it may go on.
 */
stop: boolean, 
/**
 * Why.
 */
reason: string, };

/**
 * What stands out at a table.
 */
export type TableAlerts = { 
/**
 * The table.
 */
table: string, 
/**
 * First record looked at.
 */
from: number, 
/**
 * Last record looked at.
 */
to: number, 
/**
 * Rounds looked at.
 */
rounds: number, 
/**
 * The alerts, the newest first.
 */
alerts: Array<Alert>, };

/**
 * The exceptions of a table.
 */
export type TableExceptions = { 
/**
 * The table.
 */
table: string, 
/**
 * Its currency.
 */
currency: string | null, 
/**
 * Its exceptions, the oldest first.
 */
lines: Array<ExceptionLine>, };

/**
 * What a table is: all that changes only between rounds.
 */
export type TableInfo = { 
/**
 * Its name.
 */
table: string, 
/**
 * The rule book's name.
 */
book: string, 
/**
 * The game's title as printed.
 */
title: string, 
/**
 * Another printed name (R-002).
 */
also_known_as: string | null, 
/**
 * The operator as printed.
 */
operator: string, 
/**
 * The version as printed; null when the document lost it.
 */
book_version: string | null, 
/**
 * In force since; null when the document lost it.
 */
effective: string | null, 
/**
 * SHA-256 of the rule book.
 */
book_sha256: string, 
/**
 * Language of the document: `en`, `vi`.
 */
language: string, 
/**
 * The currency.
 */
currency: ShownCurrency, 
/**
 * Played at terminals; otherwise with chips at a table.
 */
electronic: boolean, 
/**
 * When the dice tumble.
 */
tumble: TumbleOrder, 
/**
 * The dice are under a cover while bets are taken.
 */
covered: boolean, 
/**
 * Fewest tumbles that count.
 */
minimum_tumbles: number, 
/**
 * Players play for money.
 */
real_money: boolean, 
/**
 * How long bets are taken.
 */
window_ms: number, 
/**
 * The smallest chip.
 */
chip_unit: number, 
/**
 * Chips offered, from the smallest.
 */
chips: Array<number>, 
/**
 * Limits of every kind any layout in use offers.
 */
limits: Array<ShownLimit>, 
/**
 * Most that one station may stake in a round.
 */
station_maximum: number, 
/**
 * Layouts in use, by their names within the book.
 */
layouts: Array<string>, 
/**
 * The dice in the tumbler.
 */
dice_set: string, };

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
 * The shift, where it is the report of one (J-09).
 */
shift: ShiftFigures | null, 
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
 * Whether they are fair, by dice set, dealer and shift (P-067).
 */
fairness: Fairness, 
/**
 * Bets refused in the shift, by reason (P-092); null where it is not the
 * report of a shift.
 */
refusals: Array<RefusalLine> | null, 
/**
 * Custody of the dice (P-035), where the house's own stream was at hand.
 */
custody: Custody | null, 
/**
 * Incidents raised at the table (P-095).
 */
incidents: Array<IncidentLine>, 
/**
 * Cases of this table that were opened in this time (P-095), where the
 * house's own stream was at hand.
 */
cases: Array<CaseLine> | null, 
/**
 * Money that staff moved and that nobody else has counted the same, as of the last
 * record, the oldest first.
 */
exceptions: Array<ExceptionLine>, 
/**
 * What stands out in it (P-034), the newest first.
 */
alerts: Array<Alert>, 
/**
 * What the figures mean, and what is not in the journal.
 */
notes: Array<string>, };

/**
 * Terminal to house.
 */
export type TerminalToHouse = { "type": "hello", 
/**
 * The protocol it speaks.
 */
protocol: number, 
/**
 * Its enrolment token.
 */
token: string, 
/**
 * The last version it has seen, to be given what came since.
 */
from?: number, 
/**
 * The web app it was served with, by the name of its script.
 */
app?: string, } | { "type": "bet", 
/**
 * Chosen by the terminal; unique in the round.
 */
id: number, 
/**
 * The round they are meant for; without it, the current one.
 */
round?: number, 
/**
 * The bets.
 */
lines: Array<Stake>, } | { "type": "remove", 
/**
 * Chosen by the terminal; unique in the round.
 */
id: number, 
/**
 * The round.
 */
round?: number, 
/**
 * How much of what.
 */
lines: Array<Stake>, } | { "type": "clear", 
/**
 * Chosen by the terminal; unique in the round.
 */
id: number, 
/**
 * The round.
 */
round?: number, } | { "type": "shown", 
/**
 * Of this round.
 */
round: number, } | { "type": "insert_note", 
/**
 * Chosen by the terminal, higher than any before it: the same one
 * again is the same note, and is credited once.
 */
request: number, 
/**
 * Its value.
 */
amount: number, } | { "type": "cash_out", 
/**
 * Chosen by the terminal; comes back in the answer.
 */
request: number, 
/**
 * How much.
 */
amount: number, 
/**
 * What the player reads, for the voucher: `en`, `vi`, `zh-Hans` or `zh-Hant`.
 */
language?: string, } | { "type": "redeem", 
/**
 * Chosen by the terminal; the same one again is the same redemption.
 */
request: number, 
/**
 * Its validation number.
 */
number: string, } | { "type": "call_attendant", 
/**
 * Chosen by the terminal; comes back in the answer.
 */
request: number, } | { "type": "dispute", 
/**
 * Chosen by the terminal; comes back in the answer.
 */
request: number, 
/**
 * Which round.
 */
round: number, 
/**
 * In the player's words.
 */
note: string, } | { "type": "heartbeat" };

/**
 * How the house's tree is.
 */
export type TreeHealth = { 
/**
 * Blocks in the tree.
 */
size: number, 
/**
 * Blocks under the newest cosigned head.
 */
cosigned_size: number | null, 
/**
 * How old the last cosignature is, in seconds.
 */
cosigned_age_s: number | null, 
/**
 * The witness has been silent, or the tree not written and signed, for longer
 * than the plan allows; or the mark outside the data folder cannot be written.
 */
alarm: boolean, };

/**
 * How the tree and its witness stand.
 */
export type TreeState = { 
/**
 * Which life of the house, from 1.
 */
life: number, 
/**
 * Whose tree, as the witness knows it.
 */
origin: string, 
/**
 * Blocks in the tree.
 */
size: number, 
/**
 * Blocks under the newest signed head.
 */
signed_size: number, 
/**
 * The witness; null where the plan has none.
 */
witness: string | null, 
/**
 * Blocks under the newest cosigned head.
 */
cosigned_size: number | null, 
/**
 * How old the last cosignature is, in seconds.
 */
cosigned_age_s: number | null, 
/**
 * For how many seconds a head has waited for its cosignature, when that is
 * longer than the plan allows.
 */
alarm_s: number | null, 
/**
 * Why the witness has not cosigned the newest head, or what of the tree, its
 * heads and the mark outside the data folder cannot be written.
 */
problem: string | null, 
/**
 * Why the house does not play.
 */
behind: HouseBehind | null, };

/**
 * When the dice tumble: the order of play in one word.
 */
export type TumbleOrder = "before_bets" | "during_bets" | "after_close";

/**
 * How the tumble stands.
 */
export type TumbleState = "none" | "activated" | "valid" | "invalid";

/**
 * The boxes of a shift that has ended and that nobody has counted yet.
 */
export type UncountedBoxes = { 
/**
 * The number of the shift.
 */
shift: number, 
/**
 * The table they were locked to.
 */
table: string, 
/**
 * The table's currency.
 */
currency: ShownCurrency, 
/**
 * When the shift ended.
 */
closed_ms: number, 
/**
 * There is a drop box with a number, which whoever counts reads from it.
 */
drop_box: boolean, 
/**
 * And a tip box.
 */
tip_box: boolean, 
/**
 * Whoever asks signed for the shift: others count its boxes.
 */
own: boolean, };

/**
 * Money that waits to be counted.
 */
export type UncountedMoney = { 
/**
 * The table it was moved at.
 */
table: string, 
/**
 * Its number there.
 */
entry: number, 
/**
 * `attendant`, `cage`, `transfer`, `hand_pay`, `unclaimed` or `waived`.
 */
how: string, 
/**
 * The name of the station.
 */
station: string, 
/**
 * The table's currency.
 */
currency: ShownCurrency, 
/**
 * When it was moved.
 */
at_ms: number, 
/**
 * By whom.
 */
by: string, 
/**
 * With whom.
 */
second: string | null, 
/**
 * It was counted, and is not what was entered: it may be counted again.
 */
differs: boolean, 
/**
 * Whoever asks moved it: somebody else counts it.
 */
own: boolean, };

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
 * Why a voucher is made void, and by whom beside the one who asks.
 */
export type VoidVoucher = { 
/**
 * Why.
 */
reason: string, 
/**
 * Name of the second person.
 */
second_name: string, 
/**
 * Their PIN: both are present.
 */
second_pin: string, 
/**
 * A code of their authenticator, where they have one.
 */
second_code?: string, };

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

/**
 * A position to try.
 */
export type WantPosition = { 
/**
 * Which: `dealer`, `pit-supervisor` …
 */
position: string, 
/**
 * Not the person of this number, for two-person acts.
 */
but?: number, };

/**
 * Where one would like to sit.
 */
export type WantSeat = { 
/**
 * The table.
 */
table: string, 
/**
 * The layout, where the table has several.
 */
layout?: string, 
/**
 * Tokens of earlier visits, the newest first: whoever was here before
 * finds their own terminal, at which nobody else is.
 */
visits?: Array<string>, };

/**
 * Which cases.
 */
export type WhichState = "open" | "closed" | "all";

/**
 * Who deals.
 */
export type WhoDeals = { 
/**
 * The table.
 */
table: string, 
/**
 * The automatic dealer; else a person at the console.
 */
automatic: boolean, };

/**
 * Why a round is void, or was corrected.
 */
export type Why = { 
/**
 * The listed cause, as a stable word; null for a ruling.
 */
cause: string | null, 
/**
 * The rule of the document; null where it does not speak.
 */
rule: string | null, 
/**
 * The rule that lists the cause, where it was decided under another.
 */
ground: string | null, 
/**
 * The reason of a ruling, or of a void found late.
 */
reason: string | null, 
/**
 * The result a correction replaced.
 */
from: ShownResult | null, };

