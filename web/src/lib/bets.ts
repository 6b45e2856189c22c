// A player's bets of one round as this screen knows them: what is registered,
// what is on its way, what was refused. Nothing here talks to the house.
//
// Chips are hollow while sent, solid when registered, struck through when
// refused (P-002). Only what is registered is called "your bets". Chips below
// the minimum lie loose on their section: nobody was asked to take them yet.
import type { CardLine, ShownLimit, Stake } from '../wire';

export type Deed = 'bet' | 'remove' | 'clear';

/** An act of betting that the house has not yet answered, or has refused. */
export interface Act {
  id: number;
  deed: Deed;
  round: number;
  lines: Stake[];
  /** Undoes another act: it leaves nothing to undo itself. */
  undoing: boolean;
  refused: { code: string; words: string; rule: string | null } | null;
  /** When the player touched the layout. */
  tapped_ms: number;
  /** When it was sent the first time; null while it never was. */
  sent_ms: number | null;
}

/** A bet that the house did not take, for a dispute about it. */
export interface TurnedDown {
  bet: number;
  round: number;
  lines: Stake[];
  code: string;
  words: string;
  tapped_ms: number;
  sent_ms: number | null;
}

/** What stands on one section. */
export interface OnSection {
  registered: number;
  sent: number;
  removing: number;
  refused: number;
  /** Laid by the player and not yet a bet. */
  loose?: number;
  /** The round is over and it lost. */
  lost?: boolean;
  /** The round is over and this was won on it. */
  paid?: number;
}

export type Stakes = ReadonlyMap<string, number>;

export function toMap(lines: readonly Stake[]): Map<string, number> {
  const stakes = new Map<string, number>();
  for (const { section, stake } of lines) stakes.set(section, (stakes.get(section) ?? 0) + stake);
  return stakes;
}

export function toLines(stakes: Stakes): Stake[] {
  return [...stakes].filter(([, stake]) => stake > 0).map(([section, stake]) => ({ section, stake }));
}

/** What stands where, for drawing. */
export function onSections(registered: Stakes, acts: readonly Act[], loose: Stakes = new Map()): Map<string, OnSection> {
  const all = new Map<string, OnSection>();
  const at = (section: string): OnSection => {
    let entry = all.get(section);
    if (!entry) all.set(section, (entry = { registered: 0, sent: 0, removing: 0, refused: 0 }));
    return entry;
  };
  for (const [section, stake] of registered) at(section).registered = stake;
  for (const act of acts) {
    for (const { section, stake } of act.lines) {
      const entry = at(section);
      if (act.refused) {
        if (act.deed === 'bet') entry.refused += stake;
      } else if (act.deed === 'bet') entry.sent += stake;
      else entry.removing += stake;
    }
  }
  for (const [section, stake] of loose) at(section).loose = stake;
  return all;
}

/** What stood where in a round that is over. */
export function afterwards(lines: readonly CardLine[]): Map<string, OnSection> {
  return new Map(
    lines.map(({ section, stake, outcome, profit }) => [
      section,
      { registered: stake, sent: 0, removing: 0, refused: 0, lost: outcome === 'lost', paid: outcome === 'won' ? profit : 0 },
    ]),
  );
}

/** What will stand if everything on its way is registered. */
export function expected(registered: Stakes, acts: readonly Act[]): Map<string, number> {
  const stakes = new Map(registered);
  for (const act of acts) if (!act.refused) carryOut(stakes, act);
  return stakes;
}

/** Registers an act in place. */
export function carryOut(stakes: Map<string, number>, act: Pick<Act, 'deed' | 'lines'>): void {
  if (act.deed === 'clear') {
    stakes.clear();
    return;
  }
  for (const { section, stake } of act.lines) {
    const now = (stakes.get(section) ?? 0) + (act.deed === 'bet' ? stake : -stake);
    if (now > 0) stakes.set(section, now);
    else stakes.delete(section);
  }
}

/** The act that takes another one back. */
export function inverse(act: Pick<Act, 'deed' | 'lines'>): { deed: Deed; lines: Stake[] } {
  return { deed: act.deed === 'bet' ? 'remove' : 'bet', lines: act.lines };
}

export function sum(stakes: Stakes): number {
  let total = 0;
  for (const stake of stakes.values()) total += stake;
  return total;
}

/** So many times the stakes. */
export function times(stakes: Stakes, factor: number): Stake[] {
  return toLines(stakes).map(({ section, stake }) => ({ section, stake: stake * factor }));
}

/** A line that was not bet, or not all of it, and the figure that stood in its way. */
export interface Unfit {
  section: string;
  code: 'stake_above_maximum' | 'station_maximum' | 'insufficient_credit';
  amount: number;
}

export interface Room {
  limit: (section: string) => ShownLimit | null;
  /** The most this station may have in a round; null where nothing is said. */
  station_maximum: number | null;
  credit: number;
}

/**
 * As much of some lines as can be bet on top of what stands: up to the maximum
 * of each section, and line by line while credit and the station's maximum last.
 */
export function fitting(lines: readonly Stake[], standing: Stakes, room: Room): { fits: Stake[]; unfit: Unfit[] } {
  const fits: Stake[] = [];
  const unfit: Unfit[] = [];
  let credit = room.credit;
  let station = (room.station_maximum ?? Infinity) - sum(standing);
  for (const { section, stake } of lines) {
    const limit = room.limit(section);
    const there = standing.get(section) ?? 0;
    const free = limit ? limit.maximum - there : stake;
    let more = Math.min(stake, Math.max(0, free));
    if (limit && limit.step > 0) more -= more % limit.step;
    if (more < stake) unfit.push({ section, code: 'stake_above_maximum', amount: limit?.maximum ?? 0 });
    if (more === 0) continue;
    if (more > credit) unfit.push({ section, code: 'insufficient_credit', amount: room.credit });
    else if (more > station) unfit.push({ section, code: 'station_maximum', amount: room.station_maximum ?? 0 });
    else {
      fits.push({ section, stake: more });
      credit -= more;
      station -= more;
    }
  }
  return { fits, unfit };
}

/** Ids no other act of this station has had, also after a reload. */
export class Ids {
  #last = 0;
  next(now_ms: number): number {
    // Milliseconds with three digits to spare stay below 2^53 until the year 2255.
    this.#last = Math.max(this.#last + 1, Math.trunc(now_ms) * 1_000 + Math.trunc(Math.random() * 1_000));
    return this.#last;
  }
}
