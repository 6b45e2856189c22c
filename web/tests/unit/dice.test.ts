import { describe, expect, it } from 'vitest';
import { hits } from '../../src/lib/dice';
import { ofSize, SIZES } from './layouts';

const outcomes: [number, number, number][] = [];
for (let a = 1; a <= 6; a += 1)
  for (let b = 1; b <= 6; b += 1) for (let c = 1; c <= 6; c += 1) outcomes.push([a, b, c]);

// layouts.md B.8: how many sections light up, by class of outcome.
function expectedLit(dice: [number, number, number], sections: number): number {
  const at = SIZES.indexOf(sections);
  const pick = (...of: [number, number, number]) => of[at];
  const sorted = [...dice].sort().join('');
  const different = new Set(dice).size;
  if (different === 1) return dice[0] === 1 || dice[0] === 6 ? 4 : 5;
  if (different === 2) return ['112', '566'].includes(sorted) ? (pick(6, 7, 7) ?? 0) : (pick(6, 7, 8) ?? 0);
  const fours = ['3456', '2356', '2345', '1234'].filter((four) => [...sorted].every((face) => four.includes(face))).length;
  return pick(8, 9 + fours, 10 + fours) ?? 0;
}

describe('what wins', () => {
  for (const size of SIZES)
    it(`lights as many of ${size} sections as B.8 says, for all 216 outcomes`, () => {
      const layout = ofSize(size);
      for (const dice of outcomes) {
        const lit = layout.sections.filter((info) => hits(info.section, dice) > 0).length;
        expect(lit, dice.join('-')).toBe(expectedLit(dice, size));
      }
    });

  it('wins in as many of 216 outcomes as the house says', () => {
    for (const size of SIZES)
      for (const info of ofSize(size).sections)
        expect(outcomes.filter((dice) => hits(info.section, dice) > 0).length, info.section).toBe(info.ways);
  });
});
