// A sum counted up: it rises, in few steps, and ends at the whole.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countUp } from '../../src/lib/count';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([1, 7, 500, 123_456_789])('%i is counted in at most a second, upwards, by whole units', (whole) => {
  const said: number[] = [];
  countUp(whole, (sum) => said.push(sum));
  vi.advanceTimersByTime(1_000);
  expect(said.at(-1)).toBe(whole);
  expect(said).toEqual([...said].sort((a, b) => a - b));
  expect(said.every(Number.isInteger)).toBe(true);
  // Each is a step that the page's thread pays for.
  expect(said.length).toBeLessThanOrEqual(12);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing is said once it was stopped', () => {
  const said: number[] = [];
  const stop = countUp(500, (sum) => said.push(sum));
  vi.advanceTimersByTime(300);
  stop();
  const before = said.length;
  vi.advanceTimersByTime(5_000);
  expect(said.length).toBe(before);
});
