// The order in which a screen tells a round: a pure function of what the house
// has said and of the time. Terminal, wall, strip and voice all ask it, so that
// no part of a screen can tell a result before its dice are seen.
//
// It decides nothing of the round. The house says what happened; this says how
// much of it may be seen by now.
import type { PublicState, ShownResult, TumbleState } from '../wire';

/** What is told of a result, in this order and in no other. */
export const STEPS = ['dice', 'total', 'lit', 'chips', 'roads'] as const;
export type Step = (typeof STEPS)[number];
export type Times = Readonly<Record<Step, number>>;

/** Milliseconds from the moment the result is heard. */
export const MOVING_MS: Times = { dice: 0, total: 1_200, lit: 2_300, chips: 3_000, roads: 4_000 };
/** Without movement there is less to wait for; the order is the same. */
export const STILL_MS: Times = { dice: 0, total: 350, lit: 800, chips: 1_050, roads: 1_400 };
/** The tumbler has stopped: the count stays in the middle for so long. */
export const LINGER_MS = 1_400;

export const timesOf = (still: boolean): Times => (still ? STILL_MS : MOVING_MS);

/** What a screen remembers of what it has heard. */
export interface Memory {
  /** The newest outcome: its round, and its dice or `void`. Null before any. */
  readonly outcome: { readonly round: number; readonly dice: string } | null;
  /** When it was heard; null when it was no news: there as the page opened, or a correction. */
  readonly heard_ms: number | null;
  /** The tumbler of the current round, and since when it is so. */
  readonly tumble: { readonly round: number; readonly state: TumbleState; readonly since_ms: number } | null;
}

function outcomeOf({ round, last }: PublicState): Memory['outcome'] {
  if (round?.result) return { round: round.number, dice: round.result.dice.join() };
  return last ? { round: last.number, dice: last.result?.dice.join() ?? 'void' } : null;
}

/** Hears a state at a time. Without a memory the page has just been opened. */
export function remember(before: Memory | null, state: PublicState, now_ms: number): Memory {
  const outcome = outcomeOf(state);
  const known = before?.outcome ?? null;
  const same = known?.round === outcome?.round && known?.dice === outcome?.dice;
  // A correction of a round that was told already is told at once.
  const news = before !== null && outcome !== null && outcome.round !== known?.round;
  const { round } = state;
  const tumbled = before?.tumble ?? null;
  return {
    outcome: same ? known : outcome,
    heard_ms: same ? (before?.heard_ms ?? null) : news ? now_ms : null,
    tumble:
      round === null
        ? null
        : tumbled?.round === round.number && tumbled.state === round.tumble
          ? tumbled
          : { round: round.number, state: round.tumble, since_ms: before === null ? -Infinity : now_ms },
  };
}

/**
 * What stands at the tumbler. Dice are seen only as `tumbling` in the open, or
 * where their faces are known: `shown`, or `last` of the round before.
 */
export type Tumbler = 'empty' | 'last' | 'shaking' | 'tumbling' | 'veiled' | 'shown';

export interface Moment {
  readonly tumbler: Tumbler;
  /** The result whose dice may be seen; null where no face is known. */
  readonly result: ShownResult | null;
  /** Tumbles that the house has counted. */
  readonly counted: number;
  /** What of the newest outcome may be seen. */
  readonly told: Readonly<Record<Step, boolean>>;
  /** The dice are the matter now: they stand in the middle. */
  readonly centre: boolean;
  /** The last round whose result may stand in roads and counts; null for all. */
  readonly until: number | null;
}

const ALL: Moment['told'] = { dice: true, total: true, lit: true, chips: true, roads: true };

/** A round with a later number has begun: the outcome before it is past. */
function isPast(memory: Memory, state: PublicState): boolean {
  return memory.outcome !== null && state.round !== null && state.round.number > memory.outcome.round;
}

function toldOf(memory: Memory, state: PublicState, still: boolean, now_ms: number): Moment['told'] {
  const { outcome, heard_ms } = memory;
  // A void round has no dice to wait for.
  if (outcome === null || heard_ms === null || outcome.dice === 'void' || isPast(memory, state)) return ALL;
  const since = now_ms - heard_ms;
  const at = timesOf(still);
  return { dice: since >= at.dice, total: since >= at.total, lit: since >= at.lit, chips: since >= at.chips, roads: since >= at.roads };
}

function tumblerOf({ round, last }: PublicState, covered: boolean): Tumbler {
  if (round === null) return last?.result ? 'shown' : 'empty';
  if (round.result) return 'shown';
  if (round.tumble === 'none') return last?.result ? 'last' : 'empty';
  if (round.tumble === 'activated') return covered ? 'shaking' : 'tumbling';
  // Tumbled, and no face is known: under the cover, or being read.
  return 'veiled';
}

function centreOf(memory: Memory, state: PublicState, told: Moment['told'], now_ms: number): boolean {
  const { round } = state;
  // What waits for a decision is read about, not watched.
  if (state.notices.some(({ kind }) => kind === 'held' || kind === 'round_lost')) return false;
  if (round === null || round.result) return !told.lit;
  // Nothing may lie over the layout while it takes bets.
  if (round.phase === 'betting' || round.phase === 'closing') return false;
  if (round.tumble === 'activated') return true;
  if (round.tumble === 'none') return false;
  return round.phase === 'closed' || now_ms - (memory.tumble?.since_ms ?? -Infinity) < LINGER_MS;
}

/** What may be seen at a time. `covered`: the book's dice lie under a cover while bets are taken. */
export function momentOf(memory: Memory | null, state: PublicState | null, covered: boolean, still: boolean, now_ms: number): Moment {
  if (memory === null || state === null) return { tumbler: 'empty', result: null, counted: 0, told: ALL, centre: false, until: null };
  const told = toldOf(memory, state, still, now_ms);
  const tumbler = tumblerOf(state, covered);
  const seen = tumbler === 'shown' || tumbler === 'last';
  return {
    tumbler,
    result: seen ? (state.round?.result ?? state.last?.result ?? null) : null,
    counted: state.round?.tumbles ?? 0,
    told,
    centre: centreOf(memory, state, told, now_ms),
    until: memory.outcome === null ? null : told.roads ? memory.outcome.round : memory.outcome.round - 1,
  };
}

/** How long until the moment changes by itself; null when only the house can change it. */
export function nextChange(memory: Memory | null, still: boolean, now_ms: number): number | null {
  if (memory === null) return null;
  const at = timesOf(still);
  const due = memory.heard_ms === null ? [] : STEPS.map((step) => (memory.heard_ms ?? 0) + at[step]);
  if (memory.tumble) due.push(memory.tumble.since_ms + LINGER_MS);
  const left = due.map((ms) => ms - now_ms).filter((ms) => ms > 0);
  return left.length > 0 ? Math.min(...left) : null;
}

/** Rounds that roads and counts may show by now. */
export function upTo<R extends { readonly number: number }>(rounds: readonly R[], { until }: Pick<Moment, 'until'>): readonly R[] {
  return until === null || (rounds.at(-1)?.number ?? 0) <= until ? rounds : rounds.filter((round) => round.number <= until);
}
