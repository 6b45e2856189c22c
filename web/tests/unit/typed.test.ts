// Amounts that people type: exact minor units by the language in use, or nothing.
import { describe, expect, it, test } from 'vitest';
import { asTyped, typed } from '../../src/lib/typed';
import type { Language } from '../../src/lib/settings.svelte';

const CASES: [text: string, decimals: number, language: Language, minor: number | null][] = [
  ['50', 2, 'en', 5_000],
  [' 12.5 ', 2, 'en', 1_250],
  ['0.07', 2, 'en', 7],
  ['0', 2, 'en', 0],
  // The sign that groups thousands is the language's own.
  ['1,000', 2, 'en', 100_000],
  ['1,000', 2, 'zh-Hans', 100_000],
  ['1,000', 2, 'zh-Hant', 100_000],
  ['1,234,567.89', 2, 'en', 123_456_789],
  ['1 234 567.89', 2, 'en', 123_456_789],
  ['1.000', 2, 'vi', 100_000],
  ['1.234.567,89', 2, 'vi', 123_456_789],
  // What could be meant in two ways is not read.
  ['1.000', 2, 'en', null],
  ['1,000', 2, 'vi', null],
  ['1,00,000', 2, 'en', null],
  ['1,000 000', 2, 'en', null],
  ['10,00.5', 2, 'en', null],
  // The other language's point, where it cannot group.
  ['12,50', 2, 'en', 1_250],
  ['12.5', 2, 'vi', 1_250],
  ['1,000,5', 2, 'en', null],
  // A currency without fractions: dong.
  ['500000', 0, 'vi', 500_000],
  ['1.000', 0, 'vi', 1_000],
  ['1,000', 0, 'vi', 1_000],
  ['1.000.000', 0, 'en', 1_000_000],
  ['12.5', 0, 'vi', null],
  ['12,50', 0, 'en', null],
  // As some keyboards write it.
  ['１，０００．５０', 2, 'zh-Hans', 100_050],
  // No amounts.
  ['12.345', 2, 'en', null],
  ['-5', 2, 'en', null],
  ['1e3', 2, 'en', null],
  ['', 2, 'en', null],
  [',500', 2, 'en', null],
  ['5.', 2, 'en', null],
  ['a while', 0, 'en', null],
  // No digit is lost: beyond what a number holds exactly nothing is read.
  ['90071992547409.91', 2, 'en', 9_007_199_254_740_991],
  ['90071992547409.92', 2, 'en', null],
];

test.each(CASES)('%j with %i decimals in %s is %j', (text, decimals, language, minor) => {
  expect(typed(text, decimals, language)).toBe(minor);
});

describe('an amount', () => {
  it.each(['en', 'zh-Hans', 'zh-Hant', 'vi'] as const)('written for a field is read back as it was in %s', (language) => {
    for (const decimals of [0, 2])
      for (const minor of [0, 7, 99, 100, 12_345, 100_000, 123_456_789]) {
        expect(typed(asTyped(minor, { code: 'X', decimals }, language), decimals, language)).toBe(minor);
      }
  });
});
