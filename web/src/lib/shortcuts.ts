// Single keys at a terminal: 1 to 8 pick a chip, U undoes, R repeats, D doubles.
// They can be turned off (WCAG 2.1.4), and mean nothing while something is typed.

export type Shortcut = number | 'undo' | 'repeat' | 'double';

const LETTERS: Record<string, Shortcut> = { u: 'undo', r: 'repeat', d: 'double' };

/** What a key asks for; a number is a chip, from the smallest. */
export function shortcut(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): Shortcut | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const at = event.target as Partial<HTMLElement> | null;
  if (at?.matches?.('input, textarea, select, [contenteditable]')) return null;
  if (/^[1-8]$/.test(event.key)) return Number(event.key) - 1;
  return LETTERS[event.key.toLowerCase()] ?? null;
}
