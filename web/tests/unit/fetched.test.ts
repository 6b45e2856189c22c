import { afterEach, expect, test, vi } from 'vitest';
import { fetched } from '../../src/lib/fetched';

afterEach(() => void vi.useRealTimers());

test('a part of the app that could not be fetched is asked for again until it comes', async () => {
  vi.useFakeTimers();
  const load = vi.fn(async () => {
    if (load.mock.calls.length < 3) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  });
  const part = fetched(load);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(await part).toBe('the part');
  expect(load).toHaveBeenCalledTimes(3);
});
