// The export of a record is whole, however many pages it has.
import './browser';
import { afterEach, expect, it } from 'vitest';
import { everyLine } from '../../src/lib/export';

const before = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = before;
});

/** A record of so many events, in pages of so many. */
function house(events: number, limit: number, failsAt = Infinity): string[] {
  const asked: string[] = [];
  globalThis.fetch = ((path: string) => {
    asked.push(path);
    const after = Number(new URL(path, 'http://house').searchParams.get('after') ?? 0);
    if (after >= failsAt) return Promise.resolve(new Response('', { status: 503 }));
    const last = Math.min(events, after + limit);
    const lines = Array.from({ length: last - after }, (_, at) => `{"sequence":${after + at + 1}}\n`);
    return Promise.resolve(new Response(lines.join(''), last < events ? { headers: { 'sicbo-next': String(last) } } : {}));
  }) as typeof fetch;
  return asked;
}

const path = (after: string | null) => `/events?limit=500${after === null ? '' : `&after=${after}`}`;

it('has every event once, in order, to the last page', async () => {
  const asked = house(1_234, 500);
  const told: number[] = [];
  const lines = (await everyLine(path, (count) => told.push(count))).join('').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { sequence: number }).sequence)).toEqual(Array.from({ length: 1_234 }, (_, at) => at + 1));
  expect(asked).toHaveLength(3);
  expect(told).toEqual([500, 1_000, 1_234]);
});

it('is none at all when a page cannot be had: half a record is no record', async () => {
  house(1_234, 500, 1_000);
  await expect(everyLine(path)).rejects.toMatchObject({ status: 503 });
});
