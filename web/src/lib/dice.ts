// Dice and sections as pictures.

/** Pips on a face of 100 by 100. */
export const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[50, 50]],
  2: [[29, 29], [71, 71]],
  3: [[27, 27], [50, 50], [73, 73]],
  4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[28, 28], [72, 28], [50, 50], [28, 72], [72, 72]],
  6: [[30, 25], [30, 50], [30, 75], [70, 25], [70, 50], [70, 75]],
};

/** One and four are red on Asian dice, and the one is large. */
export const isRed = (face: number): boolean => face === 1 || face === 4;
export const pipRadius = (face: number): number => (face === 1 ? 17 : face === 4 ? 11 : 10);

/** `total:11` as its kind and numbers. */
export function parseSection(section: string): { kind: string; numbers: number[] } {
  const [kind = '', rest = ''] = section.split(':');
  if (kind === 'total') return { kind, numbers: [Number(rest)] };
  return { kind, numbers: [...rest].filter((c) => c >= '1' && c <= '6').map(Number) };
}

/** How many of 216 outcomes have each total, from 3 to 18. */
export const WAYS_BY_TOTAL = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1] as const;

/** Winning hits of a section for dice; for a single die how many show it. */
export function hits(section: string, dice: readonly [number, number, number]): number {
  const { kind, numbers } = parseSection(section);
  const total = dice[0] + dice[1] + dice[2];
  const triple = dice[0] === dice[1] && dice[1] === dice[2];
  const shows = (face: number) => dice.filter((die) => die === face).length;
  const [first = 0] = numbers;
  switch (kind) {
    case 'small':
      return total <= 10 && !triple ? 1 : 0;
    case 'big':
      return total >= 11 && !triple ? 1 : 0;
    case 'odd':
      return total % 2 === 1 && !triple ? 1 : 0;
    case 'even':
      return total % 2 === 0 && !triple ? 1 : 0;
    case 'any-triple':
      return triple ? 1 : 0;
    case 'triple':
      return shows(first) === 3 ? 1 : 0;
    case 'double':
      return shows(first) >= 2 ? 1 : 0;
    case 'total':
      return total === first ? 1 : 0;
    case 'pair':
      return numbers.every((face) => shows(face) > 0) ? 1 : 0;
    case 'single':
      return shows(first);
    case 'four': {
      const different = new Set(dice).size === 3;
      return different && dice.every((die) => numbers.includes(die)) ? 1 : 0;
    }
    case 'three-single':
    case 'double-single':
      return [...dice].sort().join() === [...numbers].sort().join() ? 1 : 0;
    default:
      return 0;
  }
}
