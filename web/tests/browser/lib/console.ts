// A dealer's console, by what a dealer sees and presses.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Dice } from './dealer';

export class Console {
  constructor(
    readonly page: Page,
    readonly book: string,
  ) {}

  /** Logs in at a table's console as the house for nothing lets one. */
  static async sit(context: BrowserContext, table: string, book: string, position = 'Dealer'): Promise<Console> {
    const page = await context.newPage();
    await page.goto(`/console/${encodeURIComponent(table)}`);
    await page.getByRole('button', { name: position, exact: true }).click();
    await page.locator('.go').waitFor();
    // Keys are for the console, not for the button pressed last.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    return new Console(page, book);
  }

  /** The one bright thing to do. */
  async next(label: string | RegExp): Promise<void> {
    await this.page.locator('.go:not([disabled]) strong', { hasText: label }).waitFor();
  }

  async enter(label: string | RegExp): Promise<void> {
    await this.next(label);
    await this.page.keyboard.press('Enter');
  }

  /** Six keys, each pressed when it is offered. */
  async keys(...faces: number[]): Promise<void> {
    for (const face of faces) {
      await this.key(face).waitFor();
      await this.page.keyboard.press(String(face));
    }
  }

  /** A key that takes a press. */
  key(face: number): Locator {
    return this.page.locator(`.key:not([disabled])[aria-label="${face}"]`);
  }

  /** Keeps the house's answer to an act back, while frames go on coming, until it is let go. */
  async holdBack(held: string): Promise<() => void> {
    let release!: () => void;
    const gate = new Promise<void>((open) => (release = open));
    await this.page.route(/\/acts$/, async (route) => {
      if ((route.request().postDataJSON() as { act: string }).act !== held) return route.fallback();
      const response = await route.fetch();
      await gate;
      return route.fulfill({ response });
    });
    return release;
  }

  async tumble(times = 3): Promise<void> {
    await this.enter('Start the tumbler');
    // A count is entered, never filled in beforehand.
    await this.page.locator('.go strong', { hasText: 'Enter the tumbles you counted' }).waitFor();
    await this.keys(times);
    await this.enter(`${times} tumbles`);
  }

  async callBets(): Promise<void> {
    if (['mbs-etg', 'rws-etg', 'quang-nam-table'].includes(this.book)) await this.tumble();
    await this.enter('Call for bets');
  }

  async closeBets(): Promise<void> {
    if (this.book === 'mbs-table') await this.tumble();
    await this.enter('No more bets');
  }

  /** From the close until the keys are wanted. */
  async toKeys(): Promise<void> {
    if (this.book === 'rws-open-cover') await this.tumble();
    if (this.book === 'mbs-table') await this.enter('Press deal');
    if (this.book !== 'rws-open-cover') await this.enter('Uncover the dice');
    await this.enter('All three lie flat');
    await this.key(1).waitFor();
  }

  async dice(dice: Dice): Promise<void> {
    await this.toKeys();
    await this.keys(...dice);
    await this.page.locator('.reading.ready').waitFor();
    await this.enter('Confirm the result');
  }

  /** The dice, the total and what wins, read back before they count. */
  async readBack(words: string): Promise<void> {
    await this.page.locator(`.reading.ready .dice[aria-label="${words}"]`).waitFor();
  }

  cause(words: string): Locator {
    return this.page.locator('.incidents .cause', { hasText: words });
  }

  banner(words: string | RegExp): Locator {
    return this.page.locator('.banner', { hasText: words });
  }
}
