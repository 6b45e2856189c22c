// Where the cells of a layout lie: as printed, mirrored, or rearranged in
// parts for a small screen; and which section lies beside which.
import type { CellInfo, LayoutInfo, SectionInfo } from '../wire';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A cell in pixels. `hit` is what can be touched, never smaller than a finger where there is room. */
export interface Placed extends Box {
  section: string | null;
  info: SectionInfo | null;
  blank: boolean;
  label: string | null;
  lines: string[];
  hit: Box;
  /** The player's own word beside the print, where the print is in another language. */
  own?: string;
}

/** A drawing in the layout's own units. */
export interface Plan {
  width: number;
  height: number;
  cells: CellInfo[];
}

/** Parts of a layout on a small screen (P-012). */
export const PARTS = ['main', 'two', 'three'] as const;
export type Part = (typeof PARTS)[number];

const PART_OF: Record<string, Part> = {
  small: 'main',
  big: 'main',
  odd: 'main',
  even: 'main',
  total: 'main',
  single: 'main',
  'any-triple': 'main',
  double: 'two',
  pair: 'two',
  triple: 'three',
  four: 'three',
  'three-single': 'three',
  'double-single': 'three',
};

export const FINGER = 44;

/** Height of the band with the casino's name, in the layout's own units. */
const NAME = 13;

/** The drawing as printed; above it the casino's name, where the document has it on the layout. */
export function printed(layout: LayoutInfo): Plan {
  const { width, height, cells } = layout;
  if (layout.casino === null) return { width, height, cells };
  const name: CellInfo = { section: null, blank: false, x: 0, y: 0, width, height: NAME, label: layout.casino, lines: [] };
  return { width, height: height + NAME, cells: [name, ...cells.map((cell) => ({ ...cell, y: cell.y + NAME }))] };
}

/** Left for right. */
export function mirrored(plan: Plan): Plan {
  const cells = plan.cells.map((cell) => ({ ...cell, x: plan.width - cell.x - cell.width }));
  return { ...plan, cells };
}

/** The captions that speak for the sections of a kind: printed apart from them. */
export function captionsOf(layout: LayoutInfo, kind: string): string[] {
  const ofKind = layout.sections.filter((section) => section.kind === kind);
  const cells = layout.cells.filter((cell) => ofKind.some((info) => info.section === cell.section));
  const found = new Set<string>();
  for (const caption of layout.cells) {
    if (caption.section !== null || caption.blank) continue;
    if (!cells.some((cell) => touches(cell, caption))) continue;
    const text = caption.lines.join(' ');
    const odds = ofKind.flatMap((info) => info.odds.map((line) => line.printed));
    // `1 WINS 6` must not speak for odds of 6 1/2, nor `1:1` for 1:12.
    const bare = text.replace(/^1 WINS |^1:| to 1\b/gi, '');
    const says = (odd: string) =>
      new RegExp(`(^|[^0-9/])${odd.replace('/', '\\/')}($|[^0-9/])(?! ?1/2)`).test(bare);
    if (odds.some(says)) found.add(text);
  }
  return [...found];
}

function touches(a: CellInfo, b: CellInfo): boolean {
  const overlapX = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const overlapY = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (overlapX > 0 && overlapY === 0) || (overlapY > 0 && overlapX === 0);
}

/** Columns and height of the rows of each kind on a small screen of 360 units. */
const COMPACT: Record<string, { columns: number; height: number }> = {
  side: { columns: 2, height: 84 },
  odd: { columns: 2, height: 62 },
  'any-triple': { columns: 1, height: 52 },
  total: { columns: 7, height: 50 },
  single: { columns: 6, height: 58 },
  double: { columns: 6, height: 66 },
  pair: { columns: 5, height: 50 },
  triple: { columns: 3, height: 50 },
  four: { columns: 2, height: 48 },
  'three-single': { columns: 5, height: 46 },
  'double-single': { columns: 5, height: 46 },
};

const COMPACT_ORDER: Record<Part, string[]> = {
  main: ['side', 'odd', 'total', 'single', 'any-triple'],
  two: ['double', 'pair'],
  three: ['triple', 'four', 'double-single', 'three-single'],
};

/** One part of the layout for a small screen, in printed order; null when it has no such sections. */
export function compact(layout: LayoutInfo, part: Part): Plan | null {
  const width = 360;
  const cells: CellInfo[] = [];
  let y = 0;
  for (const group of COMPACT_ORDER[part]) {
    const kinds = group === 'side' ? ['small', 'big'] : group === 'odd' ? ['odd', 'even'] : [group];
    const infos = new Map(layout.sections.map((info) => [info.section, info]));
    const members = layout.cells
      .filter((cell) => cell.section !== null && kinds.includes(infos.get(cell.section)?.kind ?? ''))
      .sort((a, b) => readingOrder(group, a, b));
    const shape = COMPACT[group];
    if (members.length === 0 || !shape) continue;
    const columns = Math.min(shape.columns, members.length);
    members.forEach((cell, at) => {
      const row = Math.trunc(at / columns);
      const inRow = Math.min(columns, members.length - row * columns);
      const wide = group === 'double-single' || group === 'three-single' ? columns : inRow;
      const column = at % columns;
      cells.push({
        ...cell,
        x: Math.round((column * width) / wide),
        width: Math.round(((column + 1) * width) / wide) - Math.round((column * width) / wide),
        y: y + row * shape.height,
        height: shape.height,
        label: cell.label,
      });
    });
    y += Math.ceil(members.length / columns) * shape.height;
    if (members.every((cell) => cell.lines.length === 0)) {
      const captions = kinds.flatMap((kind) => captionsOf(layout, kind));
      const each = width / Math.max(1, captions.length);
      captions.forEach((text, at) =>
        cells.push({
          section: null,
          blank: false,
          x: Math.round(at * each),
          width: Math.round((at + 1) * each) - Math.round(at * each),
          y,
          height: 18,
          label: null,
          lines: [text],
        }),
      );
      if (captions.length > 0) y += 18;
    }
    y += 6;
  }
  return cells.length === 0 ? null : { width, height: y - 6, cells };
}

/** Printed order, row by row; doubles with singles by their numbers, as they are printed in rows. */
function readingOrder(group: string, a: CellInfo, b: CellInfo): number {
  const byRow = a.y - b.y || a.x - b.x;
  // The sides stand at the two ends of different rows.
  return group === 'side' || group === 'odd' ? a.x - b.x : byRow;
}

/** The part of a layout a section is in. */
export function partOf(kind: string): Part {
  return PART_OF[kind] ?? 'main';
}

/** Which parts a layout has. */
export function partsOf(layout: LayoutInfo): Part[] {
  const there = new Set(layout.sections.map((section) => partOf(section.kind)));
  return PARTS.filter((part) => there.has(part));
}

/** Cells in pixels on a surface of that size. Both directions scale on their own. */
export function place(layout: LayoutInfo, plan: Plan, width: number, height: number): Placed[] {
  const sx = width / plan.width;
  const sy = height / plan.height;
  const infos = new Map(layout.sections.map((info) => [info.section, info]));
  const box = (cell: CellInfo): Box => {
    const x = Math.round(cell.x * sx);
    const y = Math.round(cell.y * sy);
    return {
      x,
      y,
      w: Math.round((cell.x + cell.width) * sx) - x,
      h: Math.round((cell.y + cell.height) * sy) - y,
    };
  };
  const captions = plan.cells.filter((cell) => cell.section === null && !cell.blank).map(box);
  return plan.cells.map((cell) => {
    const at = box(cell);
    return {
      ...at,
      section: cell.section,
      info: cell.section === null ? null : (infos.get(cell.section) ?? null),
      blank: cell.blank,
      label: cell.label,
      lines: cell.lines,
      hit: cell.section === null ? at : reach(at, captions),
    };
  });
}

/** A low section may be touched on the caption above or below it too. */
function reach(box: Box, captions: readonly Box[]): Box {
  let { y, h } = box;
  for (const caption of captions) {
    if (h >= FINGER) break;
    const over = caption.x <= box.x && caption.x + caption.w >= box.x + box.w;
    if (!over) continue;
    const more = Math.min(FINGER - h, caption.h);
    if (caption.y === y + h) h += more;
    else if (caption.y + caption.h === y && caption.h >= more * 2) {
      // Half at most, so that a caption between two rows serves both.
      y -= more;
      h += more;
    }
  }
  return { x: box.x, y, w: box.w, h };
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The section nearest in a direction, by where the sections lie. */
export function neighbour(cells: readonly Placed[], from: string, direction: Direction): string | null {
  const start = cells.find((cell) => cell.section === from);
  if (!start) return null;
  const across = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const [lo, size, otherLo, otherSize] = across
    ? (['x', 'w', 'y', 'h'] as const)
    : (['y', 'h', 'x', 'w'] as const);
  const centre = start[otherLo] + start[otherSize] / 2;
  let best: { section: string; cost: number } | null = null;
  for (const cell of cells) {
    if (cell.section === null || cell === start) continue;
    const gap =
      sign > 0 ? cell[lo] - (start[lo] + start[size]) : start[lo] - (cell[lo] + cell[size]);
    if (gap < -1) continue;
    // Off the line costs more than far along it.
    const off = Math.max(0, cell[otherLo] - centre, centre - (cell[otherLo] + cell[otherSize]));
    const drift = Math.abs(cell[otherLo] + cell[otherSize] / 2 - centre) / 100;
    const cost = Math.max(0, gap) + off * 3 + drift;
    if (best === null || cost < best.cost) best = { section: cell.section, cost };
  }
  return best?.section ?? null;
}

/** How groups of dice stand in a box: each die's place and size. */
export function diceIn(
  groups: readonly (readonly number[])[],
  box: Box,
  largest: number,
): { face: number; x: number; y: number; size: number }[] {
  const GAP = 0.12;
  const GROUP_GAP = 0.45;
  const first = groups[0];
  if (!first) return [];
  const shapes: number[][] =
    groups.length > 1
      ? [[first.length]]
      : first.length === 2
        ? [[1, 1], [2]]
        : first.length === 3
          ? [[3], [1, 2], [1, 1, 1]]
          : [[first.length]];
  const extent = (shape: number[], columns: number, count: number): [number, number] => {
    const widest = Math.max(...shape);
    const oneW = widest * (1 + GAP) - GAP;
    const oneH = shape.length * (1 + GAP) - GAP;
    const gap = shape.length === 1 ? GAP * 2 : GROUP_GAP;
    const rows = Math.ceil(count / columns);
    return [columns * (oneW + GROUP_GAP) - GROUP_GAP, rows * (oneH + gap) - gap];
  };
  let best: { size: number; shape: number[]; columns: number } | null = null;
  for (const shape of shapes) {
    for (let columns = 1; columns <= groups.length; columns += 1) {
      const [w, h] = extent(shape, columns, groups.length);
      const size = Math.min(box.w / w, box.h / h, largest);
      // A later shape must be clearly larger to be worth it.
      if (best === null || size > best.size * 1.15) best = { size, shape, columns };
    }
  }
  if (best === null) return [];
  const { size, shape, columns } = best;
  const [w, h] = extent(shape, columns, groups.length);
  const left = box.x + (box.w - w * size) / 2;
  const top = box.y + (box.h - h * size) / 2;
  const [groupW, groupH] = extent(shape, 1, 1);
  const gap = shape.length === 1 ? GAP * 2 : GROUP_GAP;
  return groups.flatMap((faces, i) => {
    const x = left + (i % columns) * (groupW + GROUP_GAP) * size;
    const y = top + Math.trunc(i / columns) * (groupH + gap) * size;
    const placed: { face: number; x: number; y: number; size: number }[] = [];
    let at = 0;
    shape.forEach((count, row) => {
      const rowW = count * (1 + GAP) - GAP;
      for (let column = 0; column < count; column += 1) {
        const face = faces[at];
        at += 1;
        if (face === undefined) continue;
        placed.push({
          face,
          x: x + ((groupW - rowW) / 2 + column * (1 + GAP)) * size,
          y: y + row * (1 + GAP) * size,
          size,
        });
      }
    });
    return placed;
  });
}
