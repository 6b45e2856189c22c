// What is printed in a cell: words and dice with their places, in pixels.
// The drawing decides nothing; it follows the layout's data.
import type { LayoutInfo } from '../wire';
import { parseSection } from './dice';
import { fit, LEADING, type Face, type Fitted } from './fit';
import { diceIn, type Box, type Placed } from './geometry';

export interface Words {
  x: number;
  y: number;
  size: number;
  face: Face | 'own';
  text: string;
}

export interface Drawn {
  cell: Placed;
  kind: string;
  words: Words[];
  /** Small print set on its side, where the cell is a narrow column. */
  turn: { angle: number; x: number; y: number } | null;
  dice: { face: number; x: number; y: number; size: number }[];
  /** Lines between the numbers of a four. */
  rules: { x: number; y: number; h: number }[];
}

const inset = (box: Box, by: number): Box => ({
  x: box.x + by,
  y: box.y + by,
  w: Math.max(1, box.w - 2 * by),
  h: Math.max(1, box.h - 2 * by),
});
const rows = (box: Box, from: number, to: number): Box => ({ ...box, y: box.y + box.h * from, h: box.h * (to - from) });
const columns = (box: Box, from: number, to: number): Box => ({ ...box, x: box.x + box.w * from, w: box.w * (to - from) });

/** The groups of dice a section is drawn as; none when it is drawn as words. */
export function diceOf(section: string, runsDown: boolean): number[][] {
  const { kind, numbers } = parseSection(section);
  const [first = 1, second = 1] = numbers;
  switch (kind) {
    case 'triple':
      return [[first, first, first]];
    case 'double':
      return [[first, first]];
    case 'single':
      return [[first]];
    case 'pair':
      // A layout that runs from six to one prints 6-5, one that runs up 5-6.
      return [runsDown ? [second, first] : [first, second]];
    case 'any-triple':
      return [1, 2, 3, 4, 5, 6].map((face) => [face, face, face]);
    default:
      return [];
  }
}

/** Whether the layout prints its highest sections first. */
export function runsDown(layout: LayoutInfo): boolean {
  const [first, second] = layout.sections.filter((info) => info.kind === 'pair');
  const rank = (numbers: number[] | undefined) => (numbers?.[0] ?? 0) * 10 + (numbers?.[1] ?? 0);
  return rank(first?.numbers) > rank(second?.numbers);
}

/** One size for the large print of all sections of a sort, so that they look alike. */
const SORT: Record<string, string> = { small: 'big', even: 'odd', 'double-single': 'three-single' };
const sortOf = (kind: string) => SORT[kind] ?? kind;

/** The part of the print's own place that it keeps where the player's word stands beside it. */
const PRINT_SHARE = 0.6;
const OVER_SHARE = 0.55;

/** Where the large print of a cell goes, and the player's own word beside it. */
function labelArea(cell: Placed, kind: string, unit: number): { area: Box; largest: number; own: Box | null } {
  const { area, largest } = printArea(cell, kind, unit);
  if (cell.own === undefined) return { area, largest, own: null };
  // Under it where dice stand below; there is no room beside it.
  if (kind === 'any-triple') return { area: rows(area, 0, OVER_SHARE), largest, own: rows(area, OVER_SHARE, 1) };
  return { area: columns(area, 0, PRINT_SHARE), largest, own: columns(area, PRINT_SHARE, 1) };
}

/** What words take of the place above any triple's dice. */
const tripleShare = (cell: Placed): number => (cell.own === undefined ? 0.36 : 0.52);

function printArea(cell: Placed, kind: string, unit: number): { area: Box; largest: number } {
  const inner = inset(cell, 1.8 * unit);
  const bare = cell.lines.length === 0;
  switch (kind) {
    case 'single':
      return cell.h > cell.w
        ? { area: rows(inner, 0.66, 1), largest: 12 * unit }
        : { area: columns(inner, 0.44, 0.98), largest: 15 * unit };
    case 'any-triple':
      return { area: rows(inner, 0, (1 - footShare(cell, inner, unit)) * tripleShare(cell)), largest: 10 * unit };
    case 'small':
    case 'big':
      return { area: rows(inset(cell, 4 * unit), 0, bare ? 1 : 0.5), largest: 27 * unit };
    case 'odd':
    case 'even':
      return { area: rows(inner, 0, bare ? 1 : 0.46), largest: 17 * unit };
    case 'total':
      return { area: rows(inner, 0, bare ? 1 : 0.6), largest: 21 * unit };
    default:
      return { area: rows(inner, 0, bare ? 1 : 0.6), largest: 15 * unit };
  }
}

/** Small print is no smaller than this, in pixels, where its place allows: it is the odds. */
const LEAST = 10.5;

function footShare(cell: Placed, area: Box, unit: number): number {
  if (cell.lines.length === 0) return 0;
  const foot = Math.min(Math.max(area.h * 0.3, 6.5 * unit), Math.max(15 * unit, LEAST * LEADING), area.h * 0.5);
  return foot / area.h;
}

export type Sizes = ReadonlyMap<string, number>;

/** The size of the large print of each sort on these cells; `unit` is pixels to one unit of the layout. */
export function printSizes(cells: readonly Placed[], unit: number): Sizes {
  const sizes = new Map<string, number>();
  for (const cell of cells) {
    if (cell.info === null || cell.label === null) continue;
    const kind = cell.info.kind;
    const { area, largest } = labelArea(cell, kind, unit);
    const { size } = fit([cell.label], 'label', area.w, area.h, largest);
    sizes.set(sortOf(kind), Math.min(sizes.get(sortOf(kind)) ?? Infinity, size));
  }
  return sizes;
}

/** Everything printed on a layout of these cells. */
export function draw(layout: LayoutInfo, cells: readonly Placed[], unit: number, sizes = printSizes(cells, unit)): Drawn[] {
  const down = runsDown(layout);
  return cells.filter((cell) => !cell.blank).map((cell) => drawCell(cell, down, sizes, unit));
}

/** The print of one cell in a part of it, where chips stand in the rest. */
export function drawBeside(layout: LayoutInfo, cell: Placed, print: Box, sizes: Sizes, unit: number): Drawn {
  return { ...drawCell({ ...cell, ...print }, runsDown(layout), sizes, unit), cell };
}

/** Where chips stand on a cell, and what is left to the print: beside it, never on it. A second stack stands above the first, or `beside` it. */
export function chipOn(cell: Box, largest: number): { x: number; y: number; d: number; print: Box; beside: boolean } {
  const gap = Math.min(4, cell.h * 0.04);
  if (cell.w > cell.h * 1.15) {
    const d = Math.max(18, Math.min(largest, cell.h * 0.74, cell.w * 0.42));
    const x = cell.x + cell.w - d - gap;
    return { x, y: cell.y + (cell.h - d) / 2 + d * 0.06, d, print: { x: cell.x, y: cell.y, w: cell.w - d - gap, h: cell.h }, beside: false };
  }
  const d = Math.max(18, Math.min(largest, cell.w * 0.7, cell.h * 0.42));
  return { x: cell.x + (cell.w - d) / 2, y: cell.y + cell.h - d - gap, d, print: { x: cell.x, y: cell.y, w: cell.w, h: cell.h - d - gap }, beside: true };
}

function drawCell(cell: Placed, down: boolean, sizes: Sizes, unit: number): Drawn {
  const kind = cell.info?.kind ?? 'caption';
  const drawn: Drawn = { cell, kind, words: [], turn: null, dice: [], rules: [] };
  const inner = inset(cell, 1.8 * unit);
  const small = Math.max(8.5 * unit, LEAST);
  const put = (fitted: Fitted, area: Box, face: Words['face']) => {
    const top = area.y + (area.h - fitted.lines.length * fitted.size * LEADING) / 2;
    fitted.lines.forEach((text, at) => {
      // The middle of capitals and figures lies 0.35 of the size above the baseline.
      const y = top + (at + 0.5) * fitted.size * LEADING + fitted.size * 0.35;
      drawn.words.push({ x: area.x + area.w / 2, y, size: fitted.size, face, text });
    });
  };
  const label = (area: Box) => {
    if (cell.label === null) return;
    put(fit([cell.label], 'label', area.w, area.h, sizes.get(sortOf(kind)) ?? 15 * unit), area, 'label');
  };
  /** In the size of the print beside it, or smaller: the print is what was approved. */
  const own = (area: Box) => {
    if (cell.own !== undefined) put(fit([cell.own], 'label', area.w, area.h, (sizes.get(sortOf(kind)) ?? 15 * unit) * 0.9), area, 'own');
  };
  const caption = (lines: readonly string[], area: Box, largest: number) => {
    if (lines.length > 0) put(fit(lines, 'caption', area.w, area.h, largest), area, 'caption');
  };
  /** Small print at the foot; gives what is left above it. */
  const withLines = (area: Box): Box => {
    const foot = footShare(cell, area, unit);
    if (foot > 0) caption(cell.lines, rows(area, 1 - foot, 1), small);
    return rows(area, 0, 1 - foot);
  };
  if (cell.info === null || cell.section === null) {
    const lines = cell.label === null ? cell.lines : [cell.label, ...cell.lines];
    const area = inset(cell, 1.5 * unit);
    const aside = fit(lines, 'caption', area.h, area.w, small + 3 * unit);
    const upright = fit(lines, 'caption', area.w, area.h, small);
    if (area.h > 2.5 * area.w && aside.size > 1.3 * upright.size) {
      const [x, y] = [area.x + area.w / 2, area.y + area.h / 2];
      drawn.turn = { angle: -90, x, y };
      put(aside, { x: x - area.h / 2, y: y - area.w / 2, w: area.h, h: area.w }, 'caption');
    } else {
      put(upright, area, 'caption');
    }
    return drawn;
  }
  const groups = diceOf(cell.section, down);
  switch (kind) {
    case 'single': {
      const upright = cell.h > cell.w;
      const dieArea =
        cell.label === null ? inner : upright ? rows(inner, 0.02, 0.66) : columns(inner, 0.03, 0.41);
      drawn.dice = diceIn(groups, withLines(dieArea), 30 * unit);
      label(labelArea(cell, kind, unit).area);
      break;
    }
    case 'any-triple': {
      const rest = withLines(inner);
      const wide = rest.w > rest.h * 2.4;
      const aside = wide && cell.label !== null;
      const share = cell.label === null ? 0 : tripleShare(cell);
      const words = aside ? columns(rest, 0, 0.4) : rows(rest, 0, share);
      label(cell.own === undefined ? words : rows(words, 0, OVER_SHARE));
      own(rows(words, OVER_SHARE, 1));
      drawn.dice = aside ? diceIn(groups, columns(rest, 0.42, 1), 12 * unit) : diceIn(groups, rows(rest, share + 0.03, 1), 9 * unit);
      break;
    }
    case 'four': {
      const foot = cell.lines.length === 0 ? 1 : 0.62;
      const row = rows(inner, 0, foot);
      const size = Math.min(row.h * 0.92, row.w * 0.16, 17 * unit);
      cell.info.numbers.forEach((number, at) => {
        const part = columns(row, at / 4, (at + 1) / 4);
        put({ size, lines: [String(number)] }, part, 'label');
        if (at > 0) drawn.rules.push({ x: part.x, y: row.y + row.h * 0.14, h: row.h * 0.72 });
      });
      caption(cell.lines, rows(inner, foot, 1), small);
      break;
    }
    default: {
      if (groups.length > 0) {
        drawn.dice = diceIn(groups, withLines(inner), 21 * unit);
        break;
      }
      const { area, own: beside } = labelArea(cell, kind, unit);
      label(area);
      if (beside) own(beside);
      const y = area.y + area.h;
      const foot = { x: area.x, w: area.w + (beside?.w ?? 0), y, h: Math.max(1, inner.y + inner.h - y) };
      caption(cell.lines, foot, kind === 'small' || kind === 'big' ? Math.max(10 * unit, LEAST) : small);
    }
  }
  return drawn;
}
