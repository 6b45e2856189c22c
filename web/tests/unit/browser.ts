// As much of a browser as the stores need: storage, a page, and a socket whose
// other end is in the test's hand.

class Kept {
  #all = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#all.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#all.set(key, value);
  }
  removeItem(key: string): void {
    this.#all.delete(key);
  }
}

export class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  /** The newest one. */
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error('no socket');
    return last;
  }
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  /** The house accepts. */
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  /** The house says something. */
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** The connection breaks. */
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message['type'] === type);
  }
}

const events = { addEventListener: () => undefined, removeEventListener: () => undefined };
Object.assign(globalThis, {
  ...events,
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  document: { ...events, visibilityState: 'hidden', querySelector: () => null },
  location: { protocol: 'http:', host: 'house', hash: '', pathname: '/' },
  matchMedia: () => ({ matches: false }),
  WebSocket: FakeSocket,
  fetch: () => new Promise(() => undefined),
});
