// Amounts that players type for their own limits: minor units, or nothing.
import { expect, test } from 'vitest';
import { typed } from '../../src/lib/play.svelte';

test.each([
  ['50', 2, 5_000],
  [' 12.5 ', 2, 1_250],
  ['12,50', 2, 1_250],
  ['0', 2, 0],
  ['500000', 0, 500_000],
  ['12.345', 2, null],
  ['12.5', 0, null],
  ['-5', 2, null],
  ['1e3', 2, null],
  ['', 2, null],
  ['a while', 0, null],
  ['1234567890123', 2, null],
])('%j with %i decimals is %j', (text, decimals, minor) => {
  expect(typed(text, decimals)).toBe(minor);
});
