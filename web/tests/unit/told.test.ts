// A terminal's own part of a round, in the order of the timeline: what a round
// brought is seen after its dice, and bets stand until they are paid or taken.
import { FakeSocket } from './browser';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TerminalStore } from '../../src/lib/terminal.svelte';
import { MOVING_MS } from '../../src/lib/timeline';
import { greet, mine, table } from './station';

let terminal: TerminalStore;
beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  terminal = new TerminalStore('token');
  const bets = [{ section: 'big', stake: 500 }, { section: 'small', stake: 500 }];
  greet(FakeSocket.last, 10, { ...mine, credit: 9_000, at_risk: 1_000, bets });
});
afterEach(() => {
  terminal.end();
  vi.useRealTimers();
});

const end = { number: 7, result: { dice: [1, 4, 6], total: 11, side: 'big', odd: true }, amended: false, why: null, commitment: null, seed: null };
const lines = [
  { section: 'big', stake: 500, outcome: 'won', odds: '1', profit: 500, returned: 1_000 },
  { section: 'small', stake: 500, outcome: 'lost', odds: null, profit: 0, returned: 0 },
];
const settlement = { type: 'settlement', version: 13, card: { end, staked: 1_000, returned: 1_000, lines, code: null }, credit: 10_000 };
const result = () => ({ ...table(12, 'closed'), state: { ...table(12, 'closed').state, round: null, lit: { rapid: ['big'] }, last: end } });
const on = (section: string) => terminal.sections.get(section);

/** The result, and a moment later the settlement. */
function settle(): void {
  FakeSocket.last.say(table(11, 'closed'));
  FakeSocket.last.say(result());
  FakeSocket.last.say(settlement);
}

it('holds credit, bets and lights back until their step has come', () => {
  settle();
  expect(terminal.mine?.credit).toBe(10_000);
  expect(terminal.shownMoney).toMatchObject({ credit: 9_000, bets: 1_000 });
  expect(terminal.table.toldLit('rapid')).toEqual([]);
  vi.advanceTimersByTime(MOVING_MS.lit + 5);
  expect(terminal.table.toldLit('rapid')).toEqual(['big']);
  expect(terminal.shownMoney).toMatchObject({ credit: 9_000, bets: 1_000 });
  expect(on('small')).toMatchObject({ registered: 500 });
  expect(on('small')?.lost).toBeUndefined();
  vi.advanceTimersByTime(MOVING_MS.chips - MOVING_MS.lit);
  expect(terminal.shownMoney).toMatchObject({ credit: 10_000, bets: 0 });
  expect(on('small')).toMatchObject({ registered: 500, lost: true });
  expect(on('big')).toMatchObject({ registered: 500, paid: 500 });
});

it('keeps the bets where they stood while the settlement is on its way', () => {
  FakeSocket.last.say(table(11, 'closed'));
  FakeSocket.last.say(result());
  vi.advanceTimersByTime(MOVING_MS.roads + 5);
  expect(on('big')).toMatchObject({ registered: 500 });
  FakeSocket.last.say(settlement);
  expect(on('small')).toMatchObject({ lost: true });
});

it('shows everything at once when the next round has begun', () => {
  settle();
  FakeSocket.last.say({ ...table(14, 'betting', 8), state: { ...table(14, 'betting', 8).state, last: end } });
  expect(terminal.shownMoney).toMatchObject({ credit: 10_000, bets: 0 });
  expect(on('big')).toBeUndefined();
});
