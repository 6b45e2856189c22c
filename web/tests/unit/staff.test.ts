// Who is logged in, and how the screen finds out that nobody is any more.
import './browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { get, post, Problem, watch } from '../../src/lib/api';
import { HouseActs } from '../../src/lib/house-acts.svelte';
import { Counted } from '../../src/lib/pit.svelte';
import { proof } from '../../src/lib/proof.svelte';
import { session } from '../../src/lib/staff.svelte';

const me = { person: 4, name: 'Tan Wei Ming', position: 'dealer', must_change_pin: false, must_set_factor: false };
const before = globalThis.fetch;
let answers: Record<string, [status: number, body: unknown]> = {};
const asked: { method: string; path: string; background: boolean }[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  answers = { 'POST /api/session': [200, me] };
  globalThis.fetch = ((path: string, init: RequestInit) => {
    const method = init.method ?? 'GET';
    asked.push({ method, path, background: (init.headers as Record<string, string>)['sicbo-background'] === 'yes' });
    const [status, body] = answers[`${method} ${path}`] ?? [401, { code: 'log_in_first' }];
    return Promise.resolve(new Response(status === 204 ? null : JSON.stringify(body), { status }));
  }) as typeof fetch;
  await session.login('Tan Wei Ming', '123456');
  asked.length = 0;
});
afterEach(() => {
  globalThis.fetch = before;
  vi.useRealTimers();
});

describe('a session that has ended', () => {
  it.each([
    ['something is done', () => post('/api/tables/T1/acts', { act: 'uncover' })],
    ['a person looks', () => get('/api/cases')],
    ['the screen looks by itself', () => watch('/api/pit')],
  ])('is noticed when %s', async (_, what) => {
    await what().catch(() => undefined);
    await vi.waitFor(() => expect(session.current).toBeNull());
  });

  it('is not one while the house still knows it: a wrong PIN of a second person logs nobody out', async () => {
    answers['GET /api/session'] = [200, me];
    await post('/api/cage/vouchers/1/pay', {}).catch(() => undefined);
    await vi.waitFor(() => expect(asked.map((one) => one.path)).toContain('/api/session'));
    expect(session.current).toMatchObject({ person: 4 });
  });

  it('is no business of a terminal, which asks with its own token', async () => {
    await get('/api/station/play', 'token').catch(() => undefined);
    expect(asked).toHaveLength(1);
    expect(session.current).not.toBeNull();
  });

  it('can be left', async () => {
    await session.logout();
    expect(session.current).toBeNull();
  });
});

it('a house that cannot be reached logs nobody out', async () => {
  answers['DELETE /api/session'] = [503, {}];
  await expect(session.logout()).rejects.toMatchObject({ status: 503 });
  expect(session.current).not.toBeNull();
});

it('what a screen asks by itself is no use of the session; what a person asks is', async () => {
  answers['GET /api/pit'] = [200, { tables: [], colleagues: [] }];
  answers['GET /api/proposals'] = [200, []];
  const counted = new Counted();
  const acts = new HouseActs(() => undefined);
  await vi.advanceTimersByTimeAsync(4_500);
  counted.end();
  acts.end();
  const how = (path: string) => asked.filter((one) => one.path === path).map((one) => one.background);
  expect(how('/api/pit')).toEqual([false, true]);
  expect(how('/api/proposals')).toEqual([false, true]);
});

it('rows follow what two others have done, also between two looks, and nobody seems to use the session', async () => {
  answers['GET /api/proposals'] = [200, []];
  const looks: boolean[] = [];
  const acts = new HouseActs((how) => looks.push(how === watch));
  await vi.advanceTimersByTimeAsync(3_500);
  acts.end();
  expect(looks).toEqual([true]);
});

describe('the PIN once more before money is moved', () => {
  const path = '/api/tables/T1/acts';
  const again = () => asked.filter((one) => one.path === path).length;

  it('what was asked is asked again when it was given, for all who wait together', async () => {
    answers[`POST ${path}`] = [403, { code: 'pin_again' }];
    const both = Promise.all([post(path, { act: 'hand_pay' }), post(path, { act: 'hand_pay' })]);
    await vi.waitFor(() => expect([proof.open, again()]).toEqual([true, 2]));
    answers[`POST ${path}`] = [200, { sequence: 1 }];
    proof.answer(true);
    await expect(both).resolves.toEqual([{ sequence: 1 }, { sequence: 1 }]);
    expect(again()).toBe(4);
    expect(proof.open).toBe(false);
  });

  it('is not asked again when it was left out, and the refusal is told', async () => {
    answers[`POST ${path}`] = [403, { code: 'pin_again' }];
    const one = post(path, { act: 'hand_pay' });
    await vi.waitFor(() => expect(proof.open).toBe(true));
    proof.answer(false);
    await expect(one).rejects.toMatchObject({ code: 'pin_again' });
    expect(again()).toBe(1);
  });
});

it('how long to wait is told with the refusal', async () => {
  answers['POST /api/session'] = [429, { code: 'locked_out', retry_after_s: 60 }];
  const problem = await session.login('Tan Wei Ming', '1').catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ code: 'locked_out', retryAfter: 60 });
});
