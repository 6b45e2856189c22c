// A table's record as one file, however many pages the house gives it in.
import { page } from './api';

/** Every line of what is asked for, from the first on; `told` hears how many there are so far. */
export async function everyLine(path: (after: string | null) => string, told: (lines: number) => void = () => undefined): Promise<string[]> {
  const parts: string[] = [];
  let after: string | null = null;
  let lines = 0;
  do {
    const { text, next }: { text: string; next: string | null } = await page(path(after));
    parts.push(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    lines += text.split('\n').filter((line) => line !== '').length;
    told(lines);
    // A page that does not lead further would be asked for without end.
    if (next !== null && next === after) throw new Error('the record does not go on');
    after = next;
  } while (after !== null);
  return parts;
}

/** Gives a file to whoever sits at the browser. */
export function save(name: string, parts: string[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to write it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
