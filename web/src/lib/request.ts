// Numbers of requests that move money. The same content keeps its number until
// the house has answered: what is sent again after a lost answer is the same
// request, and the house does it once.
import { Problem } from './api';

/** A number nobody else uses, exact in a JavaScript number. */
export function fresh(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! + Date.now() * 1_000;
}

const open = new Map<string, number>();
const keyOf = (act: object) => JSON.stringify(Object.entries(act).filter(([name]) => name !== 'request'));

/** What moves money, with its number. */
export function numbered<A extends object>(act: A): A & { request: number } {
  const key = keyOf(act);
  const request = open.get(key) ?? fresh();
  open.set(key, request);
  return { ...act, request };
}

/** The house has answered, with a yes or a no. */
export function answered(act: object): void {
  open.delete(keyOf(act));
}

/** Whether the house has said no, or nobody knows what became of it. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500;
}
