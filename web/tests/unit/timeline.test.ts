// The order in which a round is told, for the order of play of every book.
import { describe, expect, test } from 'vitest';
import { LINGER_MS, momentOf, MOVING_MS, nextChange, remember, STEPS, STILL_MS, upTo, type Memory, type Moment } from '../../src/lib/timeline';
import type { PublicState, ShownResult, ShownRound } from '../../src/wire';

const RESULT: ShownResult = { dice: [2, 3, 6], total: 11, side: 'big', odd: true };
const BEFORE: ShownResult = { dice: [1, 1, 2], total: 4, side: 'small', odd: false };
const end = (number: number, result: ShownResult | null) => ({ number, result, amended: false, why: null, commitment: null, seed: null });
const LAST = end(6, BEFORE);

function state(round: Partial<ShownRound> | null, last: PublicState['last'] = LAST): PublicState {
  const base: ShownRound = { number: 7, phase: 'prepared', opened_ms: null, closes_ms: null, closing_ms: null, tumble: 'none', tumbles: null, cover: 'covered', result: null, commitment: null };
  return { status: 'open', round: round && { ...base, ...round }, words: null, lit: {}, last, notices: [] };
}

/** A screen that hears states and is looked at as time passes. */
class Screen {
  memory: Memory | null = null;
  now = 1_000;
  seen: string[] = [];
  #state: PublicState | null = null;
  #before = '';
  constructor(
    readonly covered: boolean,
    readonly still = false,
  ) {}
  get moment(): Moment {
    return momentOf(this.memory, this.#state, this.covered, this.still, this.now);
  }
  hear(state: PublicState): void {
    this.#state = state;
    this.memory = remember(this.memory, state, this.now);
    this.look();
  }
  /** Time passes, as far as nothing else is due; every change is looked at. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = nextChange(this.memory, this.still, this.now);
      if (next === null || this.now + next > until) break;
      this.now += next;
      this.look();
    }
    this.now = until;
    this.look();
  }
  look(): void {
    const { tumbler, result, counted, told, centre } = this.moment;
    const fresh = tumbler === 'shown' ? STEPS.filter((step) => told[step]) : [];
    const words = [centre ? 'centre:' : '', tumbler, counted > 0 ? `counted ${counted}` : '', result && fresh.length > 0 ? `${result.total} ${fresh.join(' ')}` : ''].filter(Boolean).join(' ');
    if (words !== this.#before) this.seen.push(words);
    this.#before = words;
  }
}

const TOLD = ['dice', 'dice total', 'dice total lit', 'dice total lit chips', 'dice total lit chips roads'];
const told = (rest = ''): string[] => TOLD.map((steps, at) => `${at < 2 ? 'centre: ' : ''}shown ${rest}11 ${steps}`);

const FIRST = [{ tumble: 'activated' }, { tumble: 'valid', tumbles: 3 }] as const;
const counted = { tumble: 'valid', tumbles: 3 } as const;
/** Dice first, then bets: under the cover until they are read. */
const TUMBLE_FIRST = {
  covered: true,
  round: [{}, ...FIRST, { ...counted, phase: 'betting' }, { ...counted, phase: 'closing' }, { ...counted, phase: 'closed' }, { ...counted, phase: 'closed', cover: 'uncovered' }] as Partial<ShownRound>[],
  seen: ['shown 4 dice total lit chips roads', 'last', 'centre: shaking', 'centre: veiled counted 3', 'veiled counted 3', 'centre: veiled counted 3', ...told()],
};
const BOOKS: Record<string, { covered: boolean; round: Partial<ShownRound>[]; seen: string[] }> = {
  'mbs-etg': TUMBLE_FIRST,
  'rws-etg': TUMBLE_FIRST,
  'quang-nam-table': TUMBLE_FIRST,
  'mbs-table': {
    covered: true,
    round: [{ phase: 'betting' }, { phase: 'betting', tumble: 'activated' }, { ...counted, phase: 'betting' }, { ...counted, phase: 'closing' }, { ...counted, phase: 'closed' }, { ...counted, phase: 'closed', cover: 'uncovered' }],
    seen: ['shown 4 dice total lit chips roads', 'last', 'shaking', 'veiled counted 3', 'centre: veiled counted 3', ...told()],
  },
  'rws-open-cover': {
    covered: false,
    round: [{ phase: 'betting', cover: 'open' }, { phase: 'closing', cover: 'open' }, { phase: 'closed', cover: 'open' }, { phase: 'closed', cover: 'open', tumble: 'activated' }, { ...counted, phase: 'closed', cover: 'open' }],
    seen: ['shown 4 dice total lit chips roads', 'last', 'centre: tumbling', 'centre: veiled counted 3', ...told()],
  },
};

describe.each(Object.entries(BOOKS))('%s', (_, { covered, round, seen }) => {
  test.each([false, true])('tumble, count, dice, total, lit spots, chips, roads; without movement: %s', (still) => {
    const screen = new Screen(covered, still);
    screen.hear(state(null));
    for (const step of round) {
      screen.pass(LINGER_MS + 10);
      screen.hear(state(step));
    }
    screen.pass(3_000);
    screen.hear(state(null, end(7, RESULT)));
    screen.pass(10_000);
    expect(screen.seen).toEqual(seen);
  });

  test('no face is known to the picture before the result is', () => {
    const screen = new Screen(covered);
    screen.hear(state(null));
    for (const step of round) {
      screen.hear(state(step));
      const { tumbler, result } = screen.moment;
      // The dice of the round before lie there until the tumbler runs.
      expect([tumbler, result]).toEqual(step.tumble === undefined ? ['last', BEFORE] : [tumbler, null]);
      if (covered) expect(tumbler).not.toBe('tumbling');
      expect(screen.moment.centre && (step.phase === 'betting' || step.phase === 'closing')).toBe(false);
    }
  });
});

test('a result confirmed within the round and told again as its end is told once', () => {
  const screen = new Screen(true);
  screen.hear(state({ ...counted, phase: 'closed' }));
  screen.hear(state({ ...counted, phase: 'closed', result: RESULT }));
  screen.pass(MOVING_MS.total + 50);
  expect(screen.moment.told).toMatchObject({ total: true, lit: false });
  screen.hear(state(null, end(7, RESULT)));
  expect(screen.moment.told).toMatchObject({ total: true, lit: false });
  screen.pass(MOVING_MS.lit - MOVING_MS.total);
  expect(screen.moment.told).toMatchObject({ lit: true, chips: false });
});

test('what was so as the page opened, a correction and a void are told at once', () => {
  const opened = new Screen(true);
  opened.hear(state(null, end(7, RESULT)));
  expect(opened.moment).toMatchObject({ told: { roads: true }, centre: false, until: 7 });
  // Corrected afterwards: no dice are uncovered a second time.
  opened.hear(state(null, { ...end(7, BEFORE), amended: true }));
  expect(opened.moment).toMatchObject({ told: { roads: true }, centre: false, result: BEFORE });
  opened.hear(state({ number: 8, ...counted, phase: 'betting' }, end(7, RESULT)));
  opened.hear(state(null, end(8, null)));
  expect(opened.moment).toMatchObject({ tumbler: 'empty', told: { roads: true }, centre: false, until: 8 });
});

test('a next round that comes early ends the telling: nothing of the old one comes later', () => {
  const screen = new Screen(true);
  screen.hear(state({ ...counted, phase: 'closed' }));
  screen.hear(state(null, end(7, RESULT)));
  screen.pass(200);
  screen.hear(state({ number: 8, tumble: 'activated' }, end(7, RESULT)));
  expect(screen.moment).toMatchObject({ tumbler: 'shaking', told: { lit: true, chips: true, roads: true }, until: 7, result: null });
});

test('roads show a round only when its dice, total, lights and chips have been seen, whichever frame came first', () => {
  const road = [{ number: 5 }, { number: 6 }, { number: 7 }];
  const screen = new Screen(true);
  screen.hear(state({ ...counted, phase: 'closed' }));
  // The road's own frame may come before the table's.
  expect(upTo(road, screen.moment)).toEqual(road.slice(0, 2));
  screen.hear(state(null, end(7, RESULT)));
  screen.pass(MOVING_MS.roads - 1);
  expect(upTo(road, screen.moment)).toEqual(road.slice(0, 2));
  screen.pass(1);
  expect(upTo(road, screen.moment)).toEqual(road);
});

test('tumbles are those the house has counted: none while the tumbler runs', () => {
  const screen = new Screen(true);
  screen.hear(state({}));
  screen.hear(state({ tumble: 'activated' }));
  for (let s = 0; s < 10; s += 1) {
    expect(screen.moment.counted).toBe(0);
    screen.pass(500);
  }
  screen.hear(state({ tumble: 'activated', tumbles: 2 }));
  expect(screen.moment.counted).toBe(2);
  screen.hear(state(counted));
  expect(screen.moment.counted).toBe(3);
});

test('a round that waits for a decision leaves the middle free', () => {
  const screen = new Screen(true);
  screen.hear(state({ ...counted, phase: 'closed' }));
  expect(screen.moment.centre).toBe(true);
  screen.hear({ ...state({ ...counted, phase: 'closed' }), notices: [{ kind: 'held', rule: null }] });
  expect(screen.moment.centre).toBe(false);
});

test('both tempos have the steps in their order, each after the one before', () => {
  for (const times of [MOVING_MS, STILL_MS]) {
    const at = STEPS.map((step) => times[step]);
    expect(at).toEqual([...new Set(at)].sort((a, b) => a - b));
    // The usual pace of a dealer leaves six seconds between rounds.
    expect(at.at(-1)).toBeLessThan(5_000);
  }
});
