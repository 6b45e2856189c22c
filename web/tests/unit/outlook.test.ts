import { describe, expect, it } from 'vitest';
import { buildable } from '../../src/lib/builder';
import { hits } from '../../src/lib/dice';
import { wayOf } from '../../src/lib/odds';
import { outlook, RESULTS } from '../../src/lib/outlook';
import { ofSize, SIZES } from './layouts';

describe('what bets would bring', () => {
  it('has each of the 56 results once, and every total', () => {
    expect(RESULTS).toHaveLength(56);
    expect(new Set(RESULTS.map((dice) => dice.join()))).toHaveLength(56);
    expect(new Set(RESULTS.map(([a, b, c]) => a + b + c))).toHaveLength(16);
  });

  it('is the same by hand: 10 on big, 10 on total 11, 10 on double 4', () => {
    // 1 wins 1, 1 wins 6 1/2, 1 wins 11 1/2.
    const { most, totals } = outlook(ofSize(56), new Map([['big', 1_000], ['total:11', 1_000], ['double:4', 1_000]]));
    expect(most).toBe(19_000);
    expect(totals.find((row) => row.total === 11)).toEqual({ total: 11, least: 6_500, most: 19_000 });
    expect(totals.find((row) => row.total === 3)).toEqual({ total: 3, least: -3_000, most: -3_000 });
  });

  it('pays a single die by the number of dice that show it', () => {
    const { totals } = outlook(ofSize(56), new Map([['single:6', 1_000]]));
    expect(totals.find((row) => row.total === 18)).toMatchObject({ least: 12_000, most: 12_000 });
    expect(totals.find((row) => row.total === 17)).toMatchObject({ least: 2_000, most: 2_000 });
  });

  it('can win nothing with bets that always lose together', () => {
    expect(outlook(ofSize(56), new Map([['big', 500], ['small', 500]])).most).toBe(0);
  });
});

describe('the builder', () => {
  it.each(SIZES)('finds for each of the 56 results what wins on it, on %i sections', (size) => {
    const layout = ofSize(size);
    for (const dice of RESULTS) {
      const found = buildable(layout, dice);
      expect(found.size, dice.join()).toBeGreaterThan(0);
      for (const { section } of layout.sections) expect(found.has(section), `${section} on ${dice.join()}`).toBe(hits(section, dice) > 0);
    }
  });

  it('shows with two faces every bet that names them', () => {
    const found = buildable(ofSize(104), [3, 4]);
    for (const section of ['pair:3-4', 'single:3', 'single:4', 'double-single:443', 'double-single:334', 'three-single:134', 'four:6543']) expect(found, section).toContain(section);
    expect(found.has('double:4')).toBe(false);
    expect(found.has('big')).toBe(false);
  });
});

describe('odds as printed', () => {
  it('follow the layout of each kind', () => {
    expect(wayOf(ofSize(56), 'total')).toBe('wins');
    expect(wayOf(ofSize(50), 'pair')).toBe('ratio');
  });
});
