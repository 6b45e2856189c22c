// Answers that overtake each other.
import './browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HouseActs } from '../../src/lib/house-acts.svelte';
import { InOrder, Newest } from '../../src/lib/newest';
import { Counted } from '../../src/lib/pit.svelte';

describe('a question that changes', () => {
  it('has its answer only while nothing else was asked', () => {
    const looks = new Newest();
    const first = looks.ask();
    expect(first()).toBe(true);
    const second = looks.ask();
    expect([first(), second()]).toEqual([false, true]);
  });
});

describe('a question that is asked again and again', () => {
  it('takes every answer that comes in its turn, however slow they are', () => {
    const looks = new InOrder();
    const [first, second] = [looks.ask(), looks.ask()];
    expect([first(), second()]).toEqual([true, true]);
  });

  it('does not take one that was overtaken', () => {
    const looks = new InOrder();
    const [first, second] = [looks.ask(), looks.ask()];
    expect([second(), first()]).toEqual([true, false]);
  });
});

describe('screens', () => {
  const before = globalThis.fetch;
  let waiting: { path: string; answer: (body: unknown) => void }[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    waiting = [];
    globalThis.fetch = ((path: string) =>
      new Promise((done) => waiting.push({ path, answer: (body) => done(new Response(JSON.stringify(body), { status: 200 })) }))) as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = before;
    vi.useRealTimers();
  });
  const asked = (path: string) => waiting.filter((one) => one.path === path);

  it('do not show a proposal again that is gone', async () => {
    const acts = new HouseActs(() => undefined);
    vi.advanceTimersByTime(3_000);
    const [older, newer] = asked('/api/proposals');
    newer?.answer([]);
    await vi.waitFor(() => expect(acts.proposals).toEqual([]));
    older?.answer([{ proposal: 1 }]);
    await vi.advanceTimersByTimeAsync(0);
    acts.end();
    expect(acts.proposals).toEqual([]);
  });

  it('do not count back', async () => {
    const counted = new Counted();
    vi.advanceTimersByTime(4_000);
    const [older, newer] = asked('/api/pit');
    newer?.answer({ tables: [{ table: 'new' }], colleagues: [] });
    await vi.waitFor(() => expect(counted.of('new')).not.toBeNull());
    older?.answer({ tables: [], colleagues: [] });
    await vi.advanceTimersByTimeAsync(0);
    counted.end();
    expect(counted.of('new')).not.toBeNull();
  });
});
