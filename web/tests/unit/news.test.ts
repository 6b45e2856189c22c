// News at a terminal: what is news again, and what grows old.
import { FakeSocket } from './browser';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newsAt, shownOf, stepsBack, type Turns } from '../../src/lib/news';
import { TerminalStore } from '../../src/lib/terminal.svelte';
import { greet, mine, table } from './station';

let terminal: TerminalStore;
beforeEach(() => {
  FakeSocket.all = [];
  terminal = new TerminalStore('token');
  greet(FakeSocket.last, 10, mine);
});
afterEach(() => terminal.end());

it('tells the second amendment of a round as news', () => {
  const end = { dice: [1, 4, 6], total: 11, side: 'big', odd: true };
  const amended = (version: number, result: typeof end | null): string[] => {
    FakeSocket.last.say({ type: 'amended', version, round: 7, result, rule: null, cause: null, ground: null, was: 0, is: 500, credited: 500, credit: 10_000, code: null });
    return newsAt(terminal, table(10, 'betting').state as never, 0, false).map(({ key }) => key).filter((key) => key.startsWith('amended'));
  };
  const corrected = amended(20, end);
  expect(corrected).toHaveLength(1);
  // Then it is found void: what stands of it is other news.
  const voided = amended(25, null);
  expect(voided).toHaveLength(1);
  expect(voided).not.toEqual(corrected);
});

it('lets news grow old only while it has the line', () => {
  const keys = ['held', 'amended-7'];
  const turns: Turns = { newest: 'amended-7', turned: null, refused: false, wanted: true };
  const ages = (now: Partial<Turns>): boolean => {
    const all = { ...turns, ...now };
    return stepsBack(shownOf(keys, all), all);
  };
  expect(shownOf(keys, turns)).toBe('amended-7');
  expect(ages(turns)).toBe(true);
  // Behind a refusal, or behind what the player has turned to, nobody reads it.
  expect(shownOf(keys, { ...turns, refused: true })).toBeNull();
  expect(ages({ ...turns, refused: true })).toBe(false);
  expect(shownOf(keys, { ...turns, turned: 'about' })).toBeNull();
  expect(ages({ turned: 'about' })).toBe(false);
  // What was turned to steps back as well, and then a spot has the line again.
  expect(shownOf(keys, { ...turns, newest: null, turned: 'held' })).toBe('held');
  expect(ages({ ...turns, newest: null, turned: 'held' })).toBe(true);
  expect(shownOf(keys, { ...turns, newest: null })).toBeNull();
  // Where no spot is looked at, the first news stays, however old.
  expect(shownOf(keys, { ...turns, newest: null, wanted: false })).toBe('held');
  expect(ages({ ...turns, newest: null, wanted: false })).toBe(false);
});
