// Which sections can be bet with chosen faces (P-008).
import type { LayoutInfo } from '../wire';

/** Sections that name these faces and no other; with three, also their total and its sides. */
export function buildable(layout: LayoutInfo, faces: readonly number[]): Set<string> {
  const found = new Set<string>();
  const sorted = [...faces].sort((a, b) => a - b);
  const key = sorted.join('');
  const different = new Set(sorted);
  const total = sorted.reduce((sum, face) => sum + face, 0);
  const triple = sorted.length === 3 && different.size === 1;
  for (const { section, kind, numbers } of layout.sections) {
    const named = [...numbers].sort((a, b) => a - b).join('');
    const [first = 0] = numbers;
    const fits = ((): boolean => {
      switch (kind) {
        case 'single':
          return different.has(first);
        case 'double':
          return sorted.filter((face) => face === first).length >= 2;
        case 'triple':
          return triple && first === sorted[0];
        case 'any-triple':
          return triple;
        case 'pair':
          return different.size >= 2 && numbers.every((face) => different.has(face));
        case 'four':
          return sorted.length === different.size && sorted.length >= 3 && sorted.every((face) => numbers.includes(face));
        case 'three-single':
        case 'double-single':
          return sorted.length === 3 && named === key;
        case 'total':
          return sorted.length === 3 && first === total;
        case 'small':
          return sorted.length === 3 && !triple && total <= 10;
        case 'big':
          return sorted.length === 3 && !triple && total >= 11;
        case 'odd':
          return sorted.length === 3 && !triple && total % 2 === 1;
        case 'even':
          return sorted.length === 3 && !triple && total % 2 === 0;
        default:
          return false;
      }
    })();
    if (fits) found.add(section);
  }
  return found;
}
