// Money on its way when the connection breaks: asked again under the same
// number, by the player who asked and nobody else (J-06, docs/protocol.md).
import { FakeSocket } from './browser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isTheirs } from '../../src/lib/asks.svelte';
import { TerminalStore } from '../../src/lib/terminal.svelte';
import { greet, mine, settle } from './station';

let terminal: TerminalStore;
beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.removeItem('sicbo.asks.T1.3');
  FakeSocket.all = [];
  terminal = new TerminalStore('token');
  greet(FakeSocket.last, 10);
});

/** The cable is pulled and put back in. */
function back(own = mine): FakeSocket {
  FakeSocket.last.break();
  vi.advanceTimersByTime(2_000);
  greet(FakeSocket.last, 12, own);
  return FakeSocket.last;
}

const ticket = { type: 'voucher', voucher: 8, amount: 10_000, ticket: null };

describe('taking money out', () => {
  it('is sent again under the same number and its ticket is shown', async () => {
    const done = terminal.cashOut(10_000);
    const [asked] = FakeSocket.last.of('cash_out');
    const house = back();
    expect(house.of('cash_out')).toEqual([asked]);
    house.say({ ...ticket, request: asked?.['request'] });
    expect(await done).toBe(true);
    expect(terminal.asked.ticket).toMatchObject({ voucher: 8, amount: 10_000 });
    expect(terminal.asked).toMatchObject({ kept: [], busy: false });
    expect(back().of('cash_out')).toEqual([]);
  });

  it('is answered too when all of it went out and the session moved on', async () => {
    const done = terminal.cashOut(10_000);
    const house = back({ ...mine, credit: 0, session: 2 });
    expect(house.of('cash_out')).toHaveLength(1);
    house.say({ ...ticket, request: house.of('cash_out')[0]?.['request'] });
    expect(await done).toBe(true);
  });

  it('is found again by a page loaded anew, which shows the ticket', async () => {
    void terminal.cashOut(10_000);
    const [asked] = FakeSocket.last.of('cash_out');
    terminal.end();
    await settle();
    terminal = new TerminalStore('token');
    greet(FakeSocket.last, 12);
    expect(FakeSocket.last.of('cash_out')).toEqual([asked]);
    FakeSocket.last.say({ ...ticket, request: asked?.['request'] });
    expect(terminal.asked.ticket).toMatchObject({ voucher: 8 });
  });

  it('is not asked of whoever sits there next', async () => {
    const done = terminal.cashOut(10_000);
    const house = back({ ...mine, session: 3 });
    expect(house.of('cash_out')).toEqual([]);
    expect(await done).toBe(false);
    expect(terminal.asked.problem).toMatchObject({ code: 'unanswered' });
    expect(terminal.asked.kept).toEqual([]);
  });

  it('is asked until the house is not too busy to say what became of it', async () => {
    const done = terminal.cashOut(10_000);
    const house = back();
    const request = house.of('cash_out')[0]?.['request'];
    house.say({ type: 'declined', request, code: 'busy', words: 'wait', rule: null });
    vi.advanceTimersByTime(1_500);
    expect(house.of('cash_out')).toHaveLength(2);
    house.say({ ...ticket, request });
    expect(await done).toBe(true);
  });

  it('is one at a time', async () => {
    void terminal.cashOut(10_000);
    expect(await terminal.cashOut(10_000)).toBe(false);
    expect(FakeSocket.last.of('cash_out')).toHaveLength(1);
  });
});

it('a voucher put in is sent again under the same number', async () => {
  const done = terminal.redeem('123');
  const [asked] = FakeSocket.last.of('redeem');
  const house = back();
  expect(house.of('redeem')).toEqual([asked]);
  house.say({ type: 'done', request: asked?.['request'] });
  expect(await done).toBe(true);
});

it('a note is reported again under the same number until the house has answered', async () => {
  const done = terminal.insertNote(1_000);
  const [asked] = FakeSocket.last.of('insert_note');
  expect(back().of('insert_note')).toEqual([asked]);
  const house = back();
  expect(house.of('insert_note')).toEqual([asked]);
  house.say({ type: 'done', request: asked?.['request'] });
  expect(await done).toBe(true);
  expect(terminal.asked).toMatchObject({ kept: [], busy: false, problem: null });
  expect(back().of('insert_note')).toEqual([]);
});

it('a call is given up when the connection breaks, not asked twice', async () => {
  const call = terminal.callAttendant().catch((error: unknown) => error);
  const house = back();
  expect(await call).toMatchObject({ code: 'unanswered' });
  expect(house.of('call_attendant')).toEqual([]);
});

it('what a player asked is theirs as long as only they can have moved the session', () => {
  const out = { ask: { type: 'cash_out', request: 1, amount: 5 } as const, session: 4, empty: false };
  const into = { ask: { type: 'redeem', request: 1, number: '1' } as const, session: 4, empty: false };
  expect([4, 5, 6].map((session) => isTheirs(out, session))).toEqual([true, true, false]);
  expect([4, 5, 6].map((session) => isTheirs(into, session))).toEqual([true, false, false]);
  expect([4, 5, 6].map((session) => isTheirs({ ...into, empty: true }, session))).toEqual([true, true, false]);
});
