// One ordered connection to the house that comes back by itself.
//
// It knows nothing of tables. What it promises: messages are given in order;
// nothing is sent before the greeting; a connection that has gone silent is
// given up and made anew; after `end()` nothing happens any more.

export type LinkState = 'connecting' | 'open' | 'lost' | 'ended';

export interface LinkOptions<In> {
  /** Path at this host: `/ws/terminal`. */
  path: string;
  /** What is sent first, each time. */
  greeting?: () => unknown;
  receive: (message: In) => void;
  state?: (state: LinkState) => void;
  /** Given up when nothing was heard for so long. */
  silent_ms?: number;
}

/** Waits between attempts; the last one repeats. */
const WAITS_MS = [100, 300, 1_000, 2_000, 4_000];
const SILENT_MS = 12_000;

export class Link<In> {
  #options: LinkOptions<In>;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #state: LinkState = 'connecting';

  constructor(options: LinkOptions<In>) {
    this.#options = options;
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#connect();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Sends now; false when there is no connection. */
  send(message: unknown): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends it for good. */
  end(): void {
    this.#become('ended');
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#retry);
    this.#drop();
  }

  #become(state: LinkState): void {
    if (this.#state === 'ended' || this.#state === state) return;
    this.#state = state;
    this.#options.state?.(state);
  }

  #connect(): void {
    if (this.#state === 'ended') return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.#options.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = performance.now();
      const greeting = this.#options.greeting?.();
      if (greeting !== undefined) socket.send(JSON.stringify(greeting));
      this.#become('open');
    };
    socket.onmessage = (event) => {
      // A late message of a connection that was given up must not be heard.
      if (this.#socket !== socket) return;
      this.#heard = performance.now();
      this.#attempt = 0;
      this.#options.receive(JSON.parse(event.data as string) as In);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    clearInterval(this.#watch);
    this.#heard = performance.now();
    this.#watch = setInterval(() => {
      const silent = performance.now() - this.#heard;
      if (silent > (this.#options.silent_ms ?? SILENT_MS)) this.#lost();
    }, 1_000);
  }

  #drop(): void {
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#state === 'ended') return;
    this.#become('lost');
    const wait = WAITS_MS[Math.min(this.#attempt, WAITS_MS.length - 1)] ?? 1_000;
    this.#attempt += 1;
    clearTimeout(this.#retry);
    // Spread out, so that a house that comes back is not stormed.
    this.#retry = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** The network is back or the page is looked at again: no need to wait. */
  #hurry = (): void => {
    if (this.#state !== 'lost' || document.visibilityState !== 'visible') return;
    clearTimeout(this.#retry);
    this.#attempt = 0;
    this.#drop();
    this.#connect();
  };
}
