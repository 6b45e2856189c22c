// The house's clock as far as this screen knows it. The screen's own clock may
// be wrong or be set while it runs; the monotonic one is not.

class HouseClock {
  /** House time less monotonic time; the largest seen came with the least delay. */
  #offset: number | null = null;
  #seen = 0;
  /** Local time of the house, in minutes east of UTC; null while it is not known. */
  zone_minutes = $state<number | null>(null);
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

  /** The time of day at the house: `21:05`. */
  get time(): string {
    const zone = this.zone_minutes ?? -new Date().getTimezoneOffset();
    return new Date(this.now + zone * 60_000).toISOString().slice(11, 16);
  }

  /** House time in milliseconds; the screen's own before the house was heard. */
  read(): number {
    return this.#offset === null ? Date.now() : performance.now() + this.#offset;
  }
}

export const clock = new HouseClock();
