import { expect, it } from 'vitest';
import { amount, breakdown, brief, onChip, signed } from '../../src/lib/money';

const SGD = { code: 'SGD', decimals: 2 };
const VND = { code: 'VND', decimals: 0 };

it('writes amounts as the language does (P-052)', () => {
  expect(amount(13_750, SGD, 'en')).toBe('137.50');
  expect(amount(100_000_000, SGD, 'zh-Hans')).toBe('1,000,000.00');
  expect(amount(1_250_000, VND, 'vi')).toBe('1.250.000');
  expect(amount(5, SGD, 'vi')).toBe('0,05');
  expect(amount(-250, SGD, 'en')).toBe('−2.50');
  expect(signed(3_750, SGD, 'en')).toBe('+37.50');
  expect(brief(50_000, SGD, 'en')).toBe('500');
  expect(brief(250, SGD, 'en')).toBe('2.50');
});

it('is exact beyond what fractions hold', () => {
  expect(amount(9_007_199_254_740_991, SGD, 'en')).toBe('90,071,992,547,409.91');
});

it('writes what fits on a chip', () => {
  expect(onChip(500, SGD)).toBe('5');
  expect(onChip(50, SGD)).toBe('0.5');
  expect(onChip(250_000, SGD)).toBe('2.5K');
  expect(onChip(1_000_000, VND)).toBe('1M');
  expect(onChip(999_999, VND)).toBe('999.99K');
});

it('breaks an amount into chips, largest first', () => {
  expect(breakdown(5_750, [100, 500, 1_000, 5_000])).toEqual({
    chips: [
      { value: 5_000, count: 1 },
      { value: 500, count: 1 },
      { value: 100, count: 2 },
    ],
    rest: 50,
  });
});
