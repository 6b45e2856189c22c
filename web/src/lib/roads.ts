// Roads: the histories a room keeps of results (P-040 to P-045). A triple is
// neither side; void rounds draw nothing.
import type { RoadRound, ShownResult } from '../wire';
import { WAYS_BY_TOTAL } from './dice';

export const DEEP = 6;

export interface Bead {
  number: number;
  result: ShownResult;
  amended: boolean;
  column: number;
  row: number;
}

/** Down six, then the next column; only the newest columns that fit. */
export function beadPlate(rounds: readonly RoadRound[], columns: number): Bead[] {
  const played = rounds.filter((round) => round.result !== null);
  // Whole columns only leave at the left, so that beads keep their row.
  const used = Math.ceil(played.length / DEEP);
  const skip = Math.max(0, used - columns);
  return played.slice(skip * DEEP).map((round, at) => ({
    number: round.number,
    result: round.result as ShownResult,
    amended: round.amended,
    column: Math.trunc(at / DEEP),
    row: at % DEEP,
  }));
}

export interface RoadCell<S extends string> {
  side: S;
  column: number;
  row: number;
  /** Triples that came after this bead, by their face. */
  triples: number[];
  amended: boolean;
}

/** A new column when the side changes; six deep, then along to the right. */
export function bigRoad<S extends string>(
  rounds: readonly RoadRound[],
  side: (result: ShownResult) => S | null,
): { cells: RoadCell<S>[]; leading: number[]; columns: number } {
  const cells: RoadCell<S>[] = [];
  const taken = new Set<string>();
  /** Triples before the first bead: shown on the first one when it comes. */
  const leading: number[] = [];
  let start = -1;
  let last: RoadCell<S> | null = null;
  for (const round of rounds) {
    if (round.result === null) continue;
    const now = side(round.result);
    if (now === null) {
      if (last) last.triples.push(round.result.dice[0]);
      else leading.push(round.result.dice[0]);
      continue;
    }
    let column: number;
    let row: number;
    if (last === null || last.side !== now) {
      start += 1;
      // The head of a new column may be under the tail of an older one.
      while (taken.has(`${start},0`)) start += 1;
      column = start;
      row = 0;
    } else {
      const below = `${last.column},${last.row + 1}`;
      const turned = last.row + 1 >= DEEP || taken.has(below) || last.column > start;
      column = turned ? last.column + 1 : last.column;
      row = turned ? last.row : last.row + 1;
    }
    last = { side: now, column, row, triples: [], amended: round.amended };
    taken.add(`${column},${row}`);
    cells.push(last);
  }
  const first = cells[0];
  if (first) first.triples.unshift(...leading.splice(0));
  const columns = cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);
  return { cells, leading, columns };
}

/** How often each total came, and how often it is expected to. */
export function totals(rounds: readonly RoadRound[]): { total: number; seen: number; expected: number }[] {
  const played = rounds.flatMap((round) => (round.result === null ? [] : [round.result]));
  return WAYS_BY_TOTAL.map((ways, at) => ({
    total: at + 3,
    seen: played.filter((result) => result.total === at + 3).length,
    expected: (played.length * ways) / 216,
  }));
}

/** The totals that came most above, and most below, what is expected; none that came as often as it should. */
export function hotAndCold(rounds: readonly RoadRound[], most: number): { hot: { total: number; seen: number }[]; cold: { total: number; seen: number }[] } {
  const ranked = totals(rounds).map((row) => ({ ...row, apart: row.seen - row.expected })).sort((a, b) => b.apart - a.apart);
  return {
    hot: ranked.filter(({ apart }) => apart > 0).slice(0, most),
    cold: ranked.filter(({ apart }) => apart < 0).slice(-most).reverse(),
  };
}

/** How often each face came among the dice of the newest rounds. */
export function faces(rounds: readonly RoadRound[], newest: number): { face: number; seen: number; expected: number }[] {
  const played = rounds.flatMap((round) => (round.result === null ? [] : [round.result])).slice(-newest);
  return [1, 2, 3, 4, 5, 6].map((face) => ({
    face,
    seen: played.reduce((sum, result) => sum + result.dice.filter((die) => die === face).length, 0),
    expected: played.length / 2,
  }));
}

/** Rounds since the last triple; null when there was none. */
export function sinceTriple(rounds: readonly RoadRound[]): number | null {
  const played = rounds.flatMap((round) => (round.result === null ? [] : [round.result]));
  const at = played.findLastIndex((result) => result.side === 'triple');
  return at < 0 ? null : played.length - 1 - at;
}

/** How many of the rounds were on each side; a triple is on none. */
export function shares(rounds: readonly RoadRound[]): { all: number; big: number; small: number; triple: number; odd: number; even: number } {
  const played = rounds.flatMap((round) => (round.result === null ? [] : [round.result]));
  const count = (is: (result: ShownResult) => boolean): number => played.filter(is).length;
  return {
    all: played.length,
    big: count(({ side }) => side === 'big'),
    small: count(({ side }) => side === 'small'),
    triple: count(({ side }) => side === 'triple'),
    odd: count(({ odd }) => odd === true),
    even: count(({ odd }) => odd === false),
  };
}
