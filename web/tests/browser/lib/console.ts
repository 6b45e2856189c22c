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

  /** Six keys. */
  async keys(...faces: number[]): Promise<void> {
    for (const face of faces) await this.page.keyboard.press(String(face));
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
    await this.page.locator('.key:not([disabled])').first().waitFor();
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
