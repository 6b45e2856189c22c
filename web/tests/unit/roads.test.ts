import { expect, it } from 'vitest';
import type { RoadRound } from '../../src/wire';
import { beadPlate, bigRoad, hotAndCold, sinceTriple, totals } from '../../src/lib/roads';

let number = 0;
function round(...dice: [number, number, number] | []): RoadRound {
  number += 1;
  if (dice.length === 0) return { number, result: null, amended: false };
  const total = dice[0] + dice[1] + dice[2];
  const triple = new Set(dice).size === 1;
  return {
    number,
    amended: false,
    result: { dice, total, side: triple ? 'triple' : total >= 11 ? 'big' : 'small', odd: triple ? null : total % 2 === 1 },
  };
}
const BIG = () => round(4, 5, 6);
const SMALL = () => round(1, 2, 3);
const side = (result: { side: string }) => (result.side === 'triple' ? null : result.side);
const at = (rounds: RoadRound[]) => bigRoad(rounds, side).cells.map((cell) => `${cell.side}@${cell.column},${cell.row}`);

it('begins a column when the side changes', () => {
  expect(at([BIG(), BIG(), SMALL()])).toEqual(['big@0,0', 'big@0,1', 'small@1,0']);
});

it('turns right after six, and the next column stands beside the tail', () => {
  const cells = at([...Array.from({ length: 8 }, BIG), SMALL(), SMALL()]);
  expect(cells.slice(5)).toEqual(['big@0,5', 'big@1,5', 'big@2,5', 'small@1,0', 'small@1,1']);
});

it('turns before it runs into the tail of another column', () => {
  const cells = at([...Array.from({ length: 7 }, BIG), ...Array.from({ length: 6 }, SMALL)]);
  expect(cells.slice(-2)).toEqual(['small@1,4', 'small@2,4']);
});

it('marks a triple on the bead before it, or on the first when there is none (P-041)', () => {
  const { cells } = bigRoad([round(2, 2, 2), BIG(), round(5, 5, 5), BIG()], side);
  expect(cells.map((cell) => cell.triples)).toEqual([[2, 5], []]);
  expect(cells[1]).toMatchObject({ column: 0, row: 1 });
});

it('draws nothing for a void round', () => {
  expect(at([BIG(), round(), BIG()])).toEqual(['big@0,0', 'big@0,1']);
  expect(beadPlate([BIG(), round(), SMALL()], 3)).toHaveLength(2);
});

it('keeps each bead in its row when old columns leave', () => {
  const beads = beadPlate(Array.from({ length: 20 }, BIG), 3);
  expect(beads[0]).toMatchObject({ column: 0, row: 0 });
  expect(beads).toHaveLength(14);
});

it('calls a total hot only when it came, and cold only when it came less than expected', () => {
  const { hot, cold } = hotAndCold([round(1, 4, 6)], 3);
  expect(hot.map(({ total, seen }) => [total, seen])).toEqual([[11, 1]]);
  expect(cold).toHaveLength(3);
  expect(cold.map(({ total }) => total)).not.toContain(11);
  // The likeliest of those that stayed away first.
  expect(cold[0]?.total).toBe(10);
  expect(hotAndCold([], 3)).toEqual({ hot: [], cold: [] });
});

it('counts totals and the rounds since a triple', () => {
  const rounds = [round(1, 1, 1), BIG(), round(), BIG()];
  expect(totals(rounds).find((row) => row.total === 15)?.seen).toBe(2);
  expect(totals(rounds).reduce((sum, row) => sum + row.expected, 0)).toBeCloseTo(3);
  expect(sinceTriple(rounds)).toBe(2);
});
