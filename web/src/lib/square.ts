// The square code of an address, as one SVG path of its dark modules. Loaded when the first one is shown.
import { encode } from 'uqr';

/** Side in modules, with the quiet margin that readers need, and the path. */
export function square(text: string): { side: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  const runs = data.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      let end = x;
      while (row[end + 1]) end++;
      found.push(`M${x} ${y}h${end - x + 1}v1h-${end - x + 1}z`);
      x = end;
    }
    return found;
  });
  return { side: size, path: runs.join('') };
}
