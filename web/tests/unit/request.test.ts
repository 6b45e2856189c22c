// What moves money is done once, however often it is sent.
import './browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../src/lib/api';
import { answered, asPerson, isAnswer, numbered, once } from '../../src/lib/request';
import { StaffStore } from '../../src/lib/staff.svelte';
import { FakeSocket } from './browser';

const sale = { act: 'buy_credit', station: 3, amount: 10_000 };
const number = (place = 'T1', act: object = sale) => numbered(place, act).request;
const refusal = (status: number) => new Problem(status, 'code', 'words', null);
const fails = (status: number) => once('T1', sale, () => Promise.reject(refusal(status))).catch(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  asPerson(1);
  answered('T1', sale);
});
afterEach(() => answered('T1', sale));

describe('a number', () => {
  it('stays until the house has answered, and is then never used again', async () => {
    const first = number();
    expect(number()).toBe(first);
    await once('T1', sale, (request) => Promise.resolve(expect(request).toBe(first)));
    expect(number()).not.toBe(first);
  });

  it.each([0, 401, 403, 408, 429, 500, 503])('stays after %i, which says nothing of what became of it', async (status) => {
    const first = number();
    await fails(status);
    expect(number()).toBe(first);
    expect(isAnswer(refusal(status))).toBe(false);
  });

  it.each([404, 409, 422])('is done with after %i', async (status) => {
    const first = number();
    await fails(status);
    expect(number()).not.toBe(first);
  });

  it('is of one person, one place and one content', () => {
    const first = number();
    expect(number('T2')).not.toBe(first);
    expect(number('T1', { ...sale, amount: 20_000 })).not.toBe(first);
    asPerson(2);
    expect(number()).not.toBe(first);
    asPerson(1);
    expect(number()).toBe(first);
  });

  it('lives in the tab: a page loaded anew goes on with it', async () => {
    const first = number();
    vi.resetModules();
    const anew = await import('../../src/lib/request');
    anew.asPerson(1);
    expect(anew.numbered('T1', sale).request).toBe(first);
  });

  it('grows old: the same much later is meant anew', () => {
    const first = number();
    vi.advanceTimersByTime(29 * 60_000);
    expect(number()).toBe(first);
    vi.advanceTimersByTime(2 * 60_000);
    expect(number()).not.toBe(first);
  });
});

describe('staff at a table', () => {
  const fetched = vi.fn();
  const before = globalThis.fetch;
  beforeEach(() => {
    FakeSocket.all = [];
    globalThis.fetch = fetched as unknown as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = before;
  });
  const answer = (status: number, body: object) => fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
  const sent = () => fetched.mock.calls.map((call) => JSON.parse((call[1] as RequestInit).body as string) as { request: number });

  it('are told that nothing was done now, when it was done before', async () => {
    const staff = new StaffStore('T1');
    const act = () => staff.act(numbered('T1', { act: 'move_chips' as const, how: 'bought' as const, amount: 500, slip: '' }));
    fetched.mockRejectedValueOnce(new TypeError('network'));
    expect(await act()).toBe(false);
    answer(200, { sequence: 9, again: true });
    expect(await act()).toBe(true);
    expect(sent()[1]?.request).toBe(sent()[0]?.request);
    expect(staff.again).toBe(true);
    answer(200, { sequence: 10, again: false });
    expect(await act()).toBe(true);
    expect(sent()[2]?.request).not.toBe(sent()[0]?.request);
    expect(staff.again).toBe(false);
  });
});
