// Fits words into boxes without measuring fonts: widths are estimates a little
// on the wide side, so that a caption stays inside its box on any machine.

export type Face = 'label' | 'caption';

export interface Fitted {
  size: number;
  lines: string[];
}

/** Height of a line to the size of its letters. */
export const LEADING = 1.16;

const isWide = (c: string): boolean => /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/.test(c);

function advance(c: string, face: Face): number {
  if (isWide(c)) return 1;
  const plain = /[ .,:;/|!'·]/.test(c)
    ? 0.28
    : /[-()[\]]/.test(c)
      ? 0.34
      : /[Iilj]/.test(c)
        ? 0.3
        : /[ftr]/.test(c)
          ? 0.36
          : /[MWmw]/.test(c)
            ? 0.88
            : /[0-9]/.test(c)
              ? 0.56
              : c !== c.toLowerCase()
                ? 0.7
                : 0.56;
  return face === 'label' ? plain * 1.06 : plain;
}

/** Width of a text at size one. */
export function width(text: string, face: Face): number {
  let sum = 0;
  for (const c of text) sum += advance(c, face);
  return sum;
}

function wrapOne(line: string, face: Face, limit: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && width(longer, face) > limit) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  lines.push(current);
  return lines;
}

function wrap(given: readonly string[], face: Face, limit: number): string[] {
  return given.flatMap((line) => {
    // As few lines, but balanced: narrow the limit while the count stays.
    let best = wrapOne(line, face, limit);
    let narrower = limit;
    for (let i = 0; i < 8; i += 1) {
      narrower *= 0.92;
      const lines = wrapOne(line, face, narrower);
      if (lines.length > best.length) break;
      best = lines;
    }
    return best;
  });
}

/** Breaks lines between words so that all fits the box at the largest size up to `largest`. */
export function fit(given: readonly string[], face: Face, w: number, h: number, largest: number): Fitted {
  const smallest = 4;
  let size = largest;
  for (;;) {
    const lines = wrap(given, face, w / size);
    const fits =
      lines.length * size * LEADING <= h && lines.every((line) => width(line, face) * size <= w);
    if (fits || size <= smallest) return { size, lines };
    size = Math.max(smallest, size - Math.max(0.25, size * 0.03));
  }
}
