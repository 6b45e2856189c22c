// Damaged dice: what is ticked before anybody has looked.
import { describe, expect, it } from 'vitest';
import { suspected, together } from '../../src/lib/suspected';
import type { AffectedRounds, RoundShown } from '../../src/wire';

const round = (number: number, ended = true) => ({ number, result: ended ? { dice: [1, 2, 3] } : null }) as unknown as RoundShown;
const rounds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => round(to - at));
const custody = (list: RoundShown[], more = false): AffectedRounds => ({ set: 'D-1', since_ms: 1, rounds: list, more });

describe('rounds suspected', () => {
  it('are none when custody says that none is affected', () => {
    expect(suspected(rounds(1, 5), custody([]))).toEqual({ rounds: [], left: 0, more: false });
  });

  it('are exactly those that custody names', () => {
    expect(suspected(rounds(1, 9), custody(rounds(7, 9))).rounds).toEqual([9, 8, 7]);
  });

  it('are all when custody does not know the dice', () => {
    expect(suspected(rounds(1, 3), null).rounds).toEqual([3, 2, 1]);
  });

  it('are not those without a result', () => {
    expect(suspected([round(2, false), round(1)], null).rounds).toEqual([1]);
  });

  it('that one act does not take are counted, and that custody has more is said', () => {
    const all = rounds(1, 130);
    const { rounds: first, left, more } = suspected(all, custody(all, true));
    expect([first.length, first[0], first.at(-1), left, more]).toEqual([100, 130, 31, 30, true]);
  });
});

it('two lists of rounds are one, each round once', () => {
  expect(together(rounds(3, 5), rounds(1, 4)).map((one) => one.number)).toEqual([5, 4, 3, 2, 1]);
});
