import { FakeSocket } from './browser';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../src/lib/api';
import { clock } from '../../src/lib/clock.svelte';
import { TerminalStore } from '../../src/lib/terminal.svelte';
import { greet, mine, table } from './station';

let terminal: TerminalStore;
beforeEach(() => {
  vi.useFakeTimers();
  for (const what of ['pending', 'previous', 'asks', 'turned-down']) sessionStorage.removeItem(`sicbo.${what}.T1.3`);
  FakeSocket.all = [];
  terminal = new TerminalStore('token');
  greet(FakeSocket.last, 10);
});

const on = (section: string) => terminal.sections.get(section);

describe('a bet', () => {
  it('is hollow when sent and solid only when registered (P-002)', () => {
    terminal.add('big', 500);
    const [bet] = FakeSocket.last.of('bet');
    expect(bet).toMatchObject({ round: 7, lines: [{ section: 'big', stake: 500 }] });
    expect(on('big')).toMatchObject({ registered: 0, sent: 500 });
    expect(terminal.mine?.at_risk).toBe(0);
    FakeSocket.last.say({ type: 'registered', id: bet?.['id'], version: 11, credit: 9_500, at_risk: 500 });
    expect(on('big')).toMatchObject({ registered: 500, sent: 0 });
    expect(terminal.mine).toMatchObject({ credit: 9_500, at_risk: 500 });
  });

  it('is not counted twice when the whole state came first', () => {
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, credit: 9_500, at_risk: 500, bets: [{ section: 'big', stake: 500 }] } });
    FakeSocket.last.say({ type: 'registered', id, version: 11, credit: 9_500, at_risk: 500 });
    expect(on('big')).toMatchObject({ registered: 500, sent: 0 });
  });

  it('whose round is over is told with what became of it', () => {
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    const past = { round: 7, record: 41, part: { void: true, staked: 500, returned: 500 } };
    FakeSocket.last.say({ type: 'registered', id, version: 20, credit: 10_000, at_risk: 0, past });
    expect(terminal.past).toEqual(past);
    expect(terminal.acts).toEqual([]);
    expect(terminal.mine).toMatchObject({ credit: 10_000, at_risk: 0 });
  });

  it('is struck through with its reason when refused, and then gone', () => {
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    FakeSocket.last.say({ type: 'refused', id, code: 'stake_above_maximum', words: 'too much', rule: 'mbs-etg 4.2' });
    expect(on('big')).toMatchObject({ registered: 0, sent: 0, refused: 500 });
    expect(terminal.refusal).toMatchObject({ code: 'stake_above_maximum', rule: 'mbs-etg 4.2', section: 'big' });
    expect(terminal.undoable).toBe(0);
    vi.advanceTimersByTime(6_000);
    expect(on('big')).toBeUndefined();
  });

  it('that was not taken is kept with its id and its times, for who disputes it (J-08)', () => {
    const before = Math.trunc(clock.read());
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    FakeSocket.last.say({ type: 'refused', id, code: 'stake_above_maximum', words: 'too much', rule: 'mbs-etg 4.2' });
    vi.advanceTimersByTime(6_000);
    const [kept] = terminal.turnedDown;
    expect(kept).toMatchObject({ bet: id, round: 7, lines: [{ section: 'big', stake: 500 }], code: 'stake_above_maximum' });
    expect(kept?.tapped_ms).toBeGreaterThanOrEqual(before);
    expect(kept?.sent_ms).toBeGreaterThanOrEqual(kept?.tapped_ms ?? Infinity);
    // Through a reload, but not for somebody else.
    terminal.end();
    terminal = new TerminalStore('token');
    greet(FakeSocket.last, 12);
    expect(terminal.turnedDown).toEqual([kept]);
    FakeSocket.last.say({ type: 'mine', version: 13, mine: { ...mine, session: 2 } });
    expect(terminal.turnedDown).toEqual([]);
  });

  it('in flight when the connection is lost is sent again under the same id (J-06)', () => {
    const first = FakeSocket.last;
    terminal.add('small', 500);
    const id = first.of('bet')[0]?.['id'];
    first.break();
    expect(terminal.link).toBe('lost');
    expect(terminal.open).toBe(false);
    vi.advanceTimersByTime(2_000);
    const second = FakeSocket.last;
    expect(second).not.toBe(first);
    greet(second, 12);
    expect(second.of('hello')[0]).toMatchObject({ from: 10 });
    expect(second.of('bet')).toEqual([{ type: 'bet', id, round: 7, lines: [{ section: 'small', stake: 500 }] }]);
    second.say({ type: 'registered', id, version: 13, credit: 9_500, at_risk: 500 });
    expect(on('small')).toMatchObject({ registered: 500, sent: 0 });
  });

  it('in flight when the page is loaded again is sent again too', () => {
    terminal.add('small', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    terminal.end();
    terminal = new TerminalStore('token');
    greet(FakeSocket.last, 12);
    expect(FakeSocket.last.of('bet')[0]).toMatchObject({ id });
  });

  it('is undone by taking the same away', () => {
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    FakeSocket.last.say({ type: 'registered', id, version: 11, credit: 9_500, at_risk: 500 });
    terminal.undo();
    expect(FakeSocket.last.of('remove')[0]).toMatchObject({ lines: [{ section: 'big', stake: 500 }] });
    expect(terminal.undoable).toBe(0);
  });
});

describe('the close', () => {
  it('freezes the input first and is acknowledged after, once', async () => {
    terminal.add('big', 500);
    FakeSocket.last.say(table(12, 'closing'));
    expect(terminal.open).toBe(false);
    terminal.add('small', 500);
    expect(FakeSocket.last.of('bet')).toHaveLength(1);
    expect(FakeSocket.last.of('shown')).toHaveLength(0);
    await tick();
    await tick();
    FakeSocket.last.say(table(13, 'closed'));
    await tick();
    await tick();
    expect(FakeSocket.last.of('shown')).toEqual([{ type: 'shown', round: 7 }]);
  });

  it('is acknowledged on a new connection too, when it was lost before', async () => {
    FakeSocket.last.say(table(12, 'closing'));
    FakeSocket.last.break();
    await tick();
    vi.advanceTimersByTime(2_000);
    FakeSocket.last.open();
    FakeSocket.last.say(table(12, 'closing'));
    await tick();
    await tick();
    expect(FakeSocket.last.of('shown')).toEqual([]);
    FakeSocket.last.say({ type: 'mine', version: 12, mine });
    await tick();
    await tick();
    expect(FakeSocket.last.of('shown')).toEqual([{ type: 'shown', round: 7 }]);
  });
});

it('an older frame changes nothing', () => {
  FakeSocket.last.say(table(20, 'closed'));
  FakeSocket.last.say(table(19, 'betting'));
  expect(terminal.table.round?.phase).toBe('closed');
});

describe('a round that is over', () => {
  it('leaves no bets behind, without being told so', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, at_risk: 500, bets: [{ section: 'big', stake: 500 }] } });
    FakeSocket.last.say(table(12, 'prepared', 8));
    expect(terminal.mine).toMatchObject({ at_risk: 0, bets: [] });
    expect(terminal.sections.size).toBe(0);
  });

  it('lets a terminal that was cut off bet again', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, may_bet: false, wait_for_next_round: true } });
    expect(terminal.open).toBe(false);
    FakeSocket.last.say(table(12, 'betting', 8));
    expect(terminal.open).toBe(true);
  });
});

it('a bet in flight goes before the close is acknowledged, also on a new connection', async () => {
  terminal.add('big', 500);
  FakeSocket.last.break();
  vi.advanceTimersByTime(2_000);
  const house = FakeSocket.last;
  house.open();
  house.say(table(12, 'closing'));
  await tick();
  house.say({ type: 'mine', version: 12, mine });
  await tick();
  await tick();
  expect(house.sent.map((one) => one['type'])).toEqual(['hello', 'bet', 'shown']);
});

describe('somebody else at the terminal', () => {
  const next = { ...mine, session: 2 };
  const stood = { ...mine, at_risk: 500, bets: [{ section: 'big', stake: 500 }] };

  it('does not find the bets of the one before', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: stood });
    FakeSocket.last.say(table(12, 'closing'));
    expect(terminal.previous).toHaveLength(1);
    FakeSocket.last.say({ type: 'mine', version: 13, mine: next });
    expect(terminal.previous).toHaveLength(0);
  });

  it('does not find them either when the page is loaded anew, nor sends what they had sent', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: stood });
    terminal.add('small', 500);
    FakeSocket.last.say(table(12, 'closing'));
    const anew = (own: typeof mine): FakeSocket => {
      terminal.end();
      terminal = new TerminalStore('token');
      greet(FakeSocket.last, 13, own);
      return FakeSocket.last;
    };
    expect(anew(mine).of('bet')).toHaveLength(1);
    expect(terminal.previous).toHaveLength(1);
    expect(anew(next).of('bet')).toEqual([]);
    expect(terminal.previous).toHaveLength(0);
    expect(terminal.acts).toEqual([]);
  });

  it('is not sent on with what was on its way when the connection was lost', () => {
    terminal.add('small', 500);
    FakeSocket.last.break();
    vi.advanceTimersByTime(2_000);
    greet(FakeSocket.last, 13, next);
    expect(FakeSocket.last.of('bet')).toEqual([]);
  });

  it('is told nothing of what befell the one before', () => {
    terminal.add('big', 500);
    const id = FakeSocket.last.of('bet')[0]?.['id'];
    FakeSocket.last.say({ type: 'refused', id, code: 'stake_above_maximum', words: 'too much', rule: null });
    FakeSocket.last.say({ type: 'amended', version: 11, round: 6, was: 0, is: 5_000, credited: 5_000, credit: 15_000, rule: 'x', result: null });
    terminal.play.problem = new Problem(409, 'cooling_off', 'wait', null);
    FakeSocket.last.say({ type: 'mine', version: 13, mine: next });
    expect(terminal).toMatchObject({ amended: null, refusal: null, acts: [], card: null, undoable: 0, play: { problem: null }, others: 1 });
  });

  it('finds no ticket, unless it is they who took the money out', async () => {
    const out = terminal.cashOut(10_000);
    FakeSocket.last.say({ type: 'mine', version: 12, mine: { ...next, credit: 0 } });
    FakeSocket.last.say({ type: 'voucher', request: FakeSocket.last.of('cash_out')[0]?.['request'], voucher: 8, amount: 10_000, ticket: null });
    await out;
    expect(terminal).toMatchObject({ others: 0, asked: { ticket: { voucher: 8 } } });
    vi.advanceTimersByTime(5_000);
    FakeSocket.last.say({ type: 'mine', version: 13, mine: { ...next, session: 3 } });
    expect(terminal).toMatchObject({ others: 1, asked: { ticket: null } });
  });
});

describe('the player\'s own result', () => {
  const before = globalThis.fetch;
  let shown = { session: 1, net: 0, now_ms: 1, break_until_ms: null, runs_until_ms: null };
  beforeEach(() => {
    shown = { ...shown, session: 1, net: -1_500 };
    globalThis.fetch = ((path: string) => Promise.resolve(new Response(JSON.stringify(path.includes('/rounds') ? [] : shown)))) as typeof fetch;
    terminal.end();
    terminal = new TerminalStore('token');
  });
  afterEach(() => {
    globalThis.fetch = before;
  });
  const isNow = (net: number | null) => vi.waitFor(() => expect(terminal.net).toBe(net));
  const card = (number: number) => ({ end: { number, result: null, amended: false, why: null, commitment: null, seed: null }, staked: 1_000, returned: 0, code: '', lines: [] });

  it('is what the house counts, also on a page loaded anew that is shown the last card again', async () => {
    greet(FakeSocket.last, 10);
    FakeSocket.last.say({ type: 'settlement', version: 10, card: card(6), credit: 10_000 });
    await isNow(-1_500);
    for (const [number, net] of [[7, -2_500], [8, 4_000]] as const) {
      shown = { ...shown, net };
      FakeSocket.last.say({ type: 'settlement', version: 10 + number, card: card(number), credit: 10_000 });
      await isNow(net);
    }
  });

  it('is asked for again when a round was corrected, and when the connection is back', async () => {
    greet(FakeSocket.last, 10);
    await isNow(-1_500);
    shown = { ...shown, net: 3_500 };
    FakeSocket.last.say({ type: 'amended', version: 11, round: 6, was: 0, is: 5_000, credited: 5_000, credit: 15_000, rule: 'x', result: null });
    await isNow(3_500);
    shown = { ...shown, net: 500 };
    FakeSocket.last.break();
    await vi.advanceTimersByTimeAsync(2_000);
    greet(FakeSocket.last, 12);
    await isNow(500);
  });

  it('is not known of somebody new before the house has said it', async () => {
    greet(FakeSocket.last, 10);
    await isNow(-1_500);
    FakeSocket.last.say({ type: 'mine', version: 13, mine: { ...mine, session: 2 } });
    expect(terminal.net).toBeNull();
    shown = { ...shown, session: 2, net: 0 };
    FakeSocket.last.say({ type: 'play' });
    await isNow(0);
  });
});

describe('chips below the minimum', () => {
  const limit = { kind: 'big', name: 'Big', minimum: 500, maximum: 3_000, step: 100 };
  beforeEach(() => {
    if (terminal.table.info) terminal.table.info = { ...terminal.table.info, limits: [limit], station_maximum: 100_000 };
  });
  const register = (version: number, credit: number, at_risk: number) =>
    FakeSocket.last.say({ type: 'registered', id: FakeSocket.last.of('bet').at(-1)?.['id'], version, credit, at_risk });

  it('are sent as one bet once they reach it, and never called a bet before', () => {
    terminal.add('big', 200);
    terminal.add('big', 200);
    expect(FakeSocket.last.of('bet')).toEqual([]);
    expect(on('big')).toMatchObject({ registered: 0, sent: 0, loose: 400 });
    expect(terminal.inFlight).toBe(0);
    expect(terminal.free).toBe(9_600);
    terminal.add('big', 100);
    expect(FakeSocket.last.of('bet')).toMatchObject([{ lines: [{ section: 'big', stake: 500 }] }]);
    expect(on('big')).toMatchObject({ sent: 500 });
    expect(on('big')?.loose).toBeUndefined();
  });

  it('are undone step by step', () => {
    terminal.add('big', 200);
    terminal.add('big', 300);
    register(11, 9_500, 500);
    terminal.undo();
    expect(FakeSocket.last.of('remove')).toMatchObject([{ lines: [{ section: 'big', stake: 500 }] }]);
    expect(terminal.loose.get('big')).toBe(200);
    terminal.undo();
    expect(terminal.loose.size).toBe(0);
    expect(terminal.undoable).toBe(0);
  });

  it('are what is left of a bet that is taken back to less', () => {
    terminal.add('big', 500);
    register(11, 9_500, 500);
    terminal.take('big', 200);
    expect(FakeSocket.last.of('remove')).toMatchObject([{ lines: [{ section: 'big', stake: 500 }] }]);
    expect(terminal.loose.get('big')).toBe(300);
    // The rest goes chip by chip, and nothing more is asked of the house.
    terminal.take('big', 200);
    terminal.take('big', 200);
    expect(terminal.loose.size).toBe(0);
    expect(FakeSocket.last.of('remove')).toHaveLength(1);
  });

  it('go back when bets close, with the figure', () => {
    terminal.add('big', 200);
    FakeSocket.last.say(table(11, 'closing'));
    expect(terminal.loose.size).toBe(0);
    expect(terminal.notes.get('big')).toMatchObject({ code: 'not_bet', stake: 200, amount: 500 });
    vi.advanceTimersByTime(7_000);
    expect(terminal.notes.size).toBe(0);
  });

  it('are not laid beyond the credit', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, credit: 300 } });
    terminal.add('big', 200);
    terminal.add('big', 200);
    expect(terminal.loose.get('big')).toBe(200);
    expect(terminal.notes.get('big')).toMatchObject({ code: 'insufficient_credit', amount: 100 });
  });

  it('double up to the maximum, and say so at the spot', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, credit: 7_000, at_risk: 3_500, bets: [{ section: 'big', stake: 2_000 }, { section: 'odd', stake: 1_500 }] } });
    terminal.double();
    expect(FakeSocket.last.of('bet')).toMatchObject([{ lines: [{ section: 'big', stake: 1_000 }, { section: 'odd', stake: 1_500 }] }]);
    expect(terminal.partly).toEqual({ what: 'doubled', done: 1, all: 2 });
    expect(terminal.notes.get('big')).toMatchObject({ code: 'stake_above_maximum', amount: 3_000 });
  });

  it('one bet of many that the house refuses does not stop the others', () => {
    terminal.bet([{ section: 'big', stake: 500 }, { section: 'odd', stake: 500 }]);
    const [both] = FakeSocket.last.of('bet');
    FakeSocket.last.say({ type: 'refused', id: both?.['id'], code: 'exposure_above_maximum', words: '', rule: null });
    expect(FakeSocket.last.of('bet').slice(1)).toMatchObject([{ lines: [{ section: 'big', stake: 500 }] }, { lines: [{ section: 'odd', stake: 500 }] }]);
    // Each is answered by itself; a refusal of one is not split again.
    FakeSocket.last.say({ type: 'refused', id: FakeSocket.last.of('bet')[2]?.['id'], code: 'exposure_above_maximum', words: 'too much', rule: null });
    expect(FakeSocket.last.of('bet')).toHaveLength(3);
    expect(terminal.notes.get('odd')).toMatchObject({ code: 'exposure_above_maximum', words: 'too much' });
    expect(terminal.undoable).toBe(1);
  });
});

describe('the end of a round', () => {
  const end = { number: 7, result: { dice: [4, 5, 6], total: 15, side: 'big', odd: true }, amended: false, why: null, commitment: null, seed: null };
  const over = (version: number) => ({ ...table(version, 'closed'), state: { ...table(version, 'closed').state, round: null, last: end } });

  it('leaves own chips in sight until the card says what became of them', () => {
    FakeSocket.last.say({ type: 'mine', version: 11, mine: { ...mine, credit: 9_500, at_risk: 500, bets: [{ section: 'big', stake: 500 }] } });
    FakeSocket.last.say(over(12));
    expect(on('big')).toMatchObject({ registered: 500 });
    expect(terminal.mine?.at_risk).toBe(500);
    const card = { end, staked: 500, returned: 1_000, code: null, lines: [{ section: 'big', name: 'Big', colour: false, stake: 500, outcome: 'won', odds: '1', profit: 500, returned: 1_000 }] };
    FakeSocket.last.say({ type: 'settlement', version: 12, credit: 10_500, card });
    expect(terminal.mine).toMatchObject({ credit: 10_500, at_risk: 0, bets: [] });
    // Once the dice have been told.
    vi.advanceTimersByTime(5_000);
    expect(on('big')).toMatchObject({ registered: 500, lost: false });
    // The card stays when the next bets are called.
    FakeSocket.last.say(table(13, 'betting', 8));
    expect(terminal.card?.end.number).toBe(7);
    expect(on('big')).toBeUndefined();
  });
});
