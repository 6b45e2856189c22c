// Which sections can be bet with chosen faces (P-008). Three faces are a result:
// everything that wins on it, so that each of the 56 can be found. One or two
// are a beginning: every bet that names them, alone or with other faces.
import type { LayoutInfo, SectionInfo } from '../wire';
import { hits } from './dice';

/** The faces a section names; none for totals and sides. */
function named({ kind, numbers }: SectionInfo): number[] {
  const [first = 0] = numbers;
  switch (kind) {
    case 'double':
      return [first, first];
    case 'triple':
      return [first, first, first];
    case 'single':
    case 'pair':
    case 'four':
    case 'three-single':
    case 'double-single':
      return numbers;
    default:
      return [];
  }
}

/** Every face of the one is among those of the other, as often. */
function within(few: readonly number[], many: readonly number[]): boolean {
  const left = [...many];
  return few.every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

export function buildable(layout: LayoutInfo, faces: readonly number[]): Set<string> {
  const [a, b, c] = faces;
  const fits = (info: SectionInfo): boolean => {
    if (a !== undefined && b !== undefined && c !== undefined) return hits(info.section, [a, b, c]) > 0;
    const names = named(info);
    return names.length > 0 && (within(faces, names) || within(names, faces));
  };
  return new Set(layout.sections.filter(fits).map((info) => info.section));
}
