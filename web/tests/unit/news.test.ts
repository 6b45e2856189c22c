// News at a terminal: what is news again.
import { FakeSocket } from './browser';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newsAt } from '../../src/lib/news';
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
