// The house's clock as far as this screen knows it. The screen's own clock may
// be wrong or be set while it runs; the monotonic one is not.

class HouseClock {
  /** House time less monotonic time; the largest seen came with the least delay. */
  #offset: number | null = null;
  #seen = 0;
  /** House time now, four times a second. */
  now = $state(Date.now());

  constructor() {
    if (typeof document !== 'undefined') setInterval(() => (this.now = this.read()), 250);
  }

  /** A frame said what time it is at the house. */
  hear(server_ms: number): void {
    const here = performance.now();
    const offset = server_ms - here;
    // Clocks drift: an old estimate gives way after a minute.
    if (this.#offset === null || offset > this.#offset || here - this.#seen > 60_000) {
      this.#offset = offset;
      this.#seen = here;
      this.now = this.read();
    }
  }

  /** House time in milliseconds; the screen's own before the house was heard. */
  read(): number {
    return this.#offset === null ? Date.now() : performance.now() + this.#offset;
  }
}

export const clock = new HouseClock();
