// Numbers of requests that move money. The same content keeps its number until
// the house has answered: what is sent again after a lost answer is the same
// request, and the house does it once.
//
// Numbers outlive a reload and a log-in, for that is just when an answer is
// lost. They belong to the person who asked, as the house sees it too, and
// they age: the same content much later is meant anew.
import { Problem } from './api';
import { tab } from './store';

/** A number nobody else uses, exact in a JavaScript number. */
export function fresh(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! + Date.now() * 1_000;
}

interface Open {
  request: number;
  at_ms: number;
}

/** A house at a table remembers its newest 1,000 requests: nobody makes so many in this time. */
const OLDEST_MS = 30 * 60_000;
/** Statuses that say nothing of what became of the request: who asks, when, and how often. */
const NO_ANSWER = [401, 403, 408, 429];
let person: number | null = null;

/** Whose requests they are from now on. */
export function asPerson(number: number | null): void {
  person = number;
}

const keyOf = (place: string, act: object) =>
  JSON.stringify([person, place, ...Object.entries(act).filter(([name]) => name !== 'request')]);

function known(): Record<string, Open> {
  const now = Date.now();
  const all = Object.entries(tab.get<Record<string, Open>>('requests') ?? {});
  return Object.fromEntries(all.filter(([, { at_ms }]) => now - at_ms <= OLDEST_MS && at_ms <= now));
}

/** Numbers of a browser that keeps nothing. */
const held = new Map<string, Open>();

/** What moves money at a place, with its number. */
export function numbered<A extends object>(place: string, act: A): A & { request: number } {
  const key = keyOf(place, act);
  const open = known();
  const before = open[key] ?? held.get(key);
  const request = before && Date.now() - before.at_ms <= OLDEST_MS ? before.request : fresh();
  const one = { request, at_ms: before?.request === request ? before.at_ms : Date.now() };
  held.set(key, one);
  tab.set('requests', { ...open, [key]: one });
  return { ...act, request };
}

/** The house has answered, with a yes or a no. */
export function answered(place: string, act: object): void {
  const key = keyOf(place, act);
  held.delete(key);
  const { [key]: _, ...others } = known();
  tab.set('requests', Object.keys(others).length > 0 ? others : null);
}

/** Whether the house has said no, or nobody knows what became of it. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500 && !NO_ANSWER.includes(error.status);
}

/** Sends what moves money under its number, which it keeps until the house has answered. */
export async function once<T>(place: string, act: object, send: (request: number) => Promise<T>): Promise<T> {
  const asked = numbered(place, act);
  try {
    const answer = await send(asked.request);
    answered(place, asked);
    return answer;
  } catch (error) {
    if (isAnswer(error)) answered(place, asked);
    throw error;
  }
}
