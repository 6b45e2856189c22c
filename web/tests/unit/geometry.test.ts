import { describe, expect, it } from 'vitest';
import { captionsOf, compact, FINGER, mirrored, neighbour, partsOf, place, printed, type Direction } from '../../src/lib/geometry';
import { ofSize, SIZES } from './layouts';

const DIRECTIONS: Direction[] = ['left', 'right', 'up', 'down'];

describe('the layout on a screen', () => {
  for (const size of SIZES) {
    const layout = ofSize(size);
    const cells = place(layout, printed(layout), 1236, 574);

    it(`of ${size} sections: every one can be touched at 1280×800`, () => {
      for (const cell of cells)
        if (cell.section !== null) expect(Math.min(cell.hit.w, cell.hit.h), cell.section).toBeGreaterThanOrEqual(FINGER);
    });

    it(`of ${size} sections: no two can be touched at the same place`, () => {
      const spots = cells.filter((cell) => cell.section !== null);
      for (const a of spots)
        for (const b of spots) {
          if (a === b) continue;
          const x = Math.min(a.hit.x + a.hit.w, b.hit.x + b.hit.w) - Math.max(a.hit.x, b.hit.x);
          const y = Math.min(a.hit.y + a.hit.h, b.hit.y + b.hit.h) - Math.max(a.hit.y, b.hit.y);
          expect(x > 0 && y > 0, `${a.section} and ${b.section}`).toBe(false);
        }
    });

    it(`of ${size} sections: the arrow keys come to every one from any`, () => {
      const start = cells.find((cell) => cell.section !== null)?.section ?? '';
      const reached = new Set([start]);
      const next = [start];
      for (let from = next.pop(); from !== undefined; from = next.pop())
        for (const direction of DIRECTIONS) {
          const to = neighbour(cells, from, direction);
          if (to !== null && !reached.has(to)) {
            reached.add(to);
            next.push(to);
          }
        }
      expect(reached.size).toBe(size);
    });

    it(`of ${size} sections: on a phone every one is in exactly one part, large enough`, () => {
      const seen: string[] = [];
      for (const part of partsOf(layout)) {
        const plan = compact(layout, part);
        expect(plan).not.toBeNull();
        if (!plan) continue;
        for (const cell of place(layout, plan, 366, (366 * plan.height) / plan.width)) {
          if (cell.section === null) continue;
          seen.push(cell.section);
          expect(Math.min(cell.hit.w, cell.hit.h), cell.section).toBeGreaterThanOrEqual(FINGER);
        }
      }
      expect(seen.sort()).toEqual(layout.sections.map((info) => info.section).sort());
    });
  }

  it('mirrored twice is as printed', () => {
    const plan = printed(ofSize(104));
    expect(mirrored(mirrored(plan))).toEqual(plan);
  });

  it('goes from a total to the next by the arrow keys', () => {
    const layout = ofSize(104);
    const cells = place(layout, printed(layout), 1236, 574);
    expect(neighbour(cells, 'total:17', 'right')).toBe('total:16');
    expect(neighbour(cells, 'total:17', 'down')).toBe('pair:5-6');
    expect(neighbour(cells, 'single:1', 'right')).toBeNull();
  });

  it('finds the caption that speaks for a kind, and no other', () => {
    const layout = ofSize(104);
    expect(captionsOf(layout, 'pair')).toEqual(['1 WINS 6']);
    expect(captionsOf(layout, 'four')).toEqual(['1 WINS 7 1/2']);
    expect(captionsOf(layout, 'single')).toEqual([
      '1 WINS 1 FOR ONE DIE',
      '1 WINS 2 FOR TWO DICE',
      '1 WINS 12 FOR THREE DICE',
    ]);
  });
});
