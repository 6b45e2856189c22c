// A player's terminal, by what a player sees and touches.
import { expect } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { PATIENCE } from './browser';

export class Terminal {
  constructor(
    readonly page: Page,
    readonly touch: boolean,
  ) {}

  /** Takes a seat at a table; where its terminals differ, on a layout. */
  static async sit(context: BrowserContext, table: string, touch = false, layout?: string): Promise<Terminal> {
    const page = await context.newPage();
    await page.goto(`/play/${encodeURIComponent(table)}${layout === undefined ? '' : `?layout=${layout}`}`);
    const terminal = new Terminal(page, touch);
    // Any pay table will do where none was asked for.
    const choice = page.locator('.choose .brass:not([disabled])');
    await page.locator('.spot').or(choice).first().waitFor();
    if ((await choice.count()) > 0) await choice.first().click();
    await page.locator('.spot').first().waitFor();
    return terminal;
  }

  press(what: Locator): Promise<void> {
    return this.touch ? what.tap() : what.click();
  }

  spot(section: string): Locator {
    return this.page.locator(`[data-section="${section}"]`);
  }

  /** A chip on a section, with the chip that is chosen. */
  tap(section: string): Promise<void> {
    return this.press(this.spot(section));
  }

  /** Touches a section that takes no bets now: nothing may come of it. */
  async tapInVain(section: string): Promise<void> {
    await (this.touch ? this.spot(section).tap({ force: true }) : this.spot(section).click({ force: true }));
  }

  choose(chip: string): Promise<void> {
    return this.press(this.page.locator('footer').getByRole('radio', { name: new RegExp(`(^|[^\\d,.])${chip}$`) }));
  }

  /** Bets one chip as soon as bets are called; the bet is registered. */
  async bet(section: string, chip: string): Promise<void> {
    await this.says(/place your bets/i);
    await this.choose(chip);
    await this.tap(section);
    await this.registered(section, `${chip}.00`);
  }

  /** The bet is registered: its chip is solid and the section says how much. */
  async registered(section: string, amount: string): Promise<void> {
    await this.page.waitForFunction(
      ([section, amount]) => document.querySelector(`[data-section="${section}"]`)?.getAttribute('aria-label')?.endsWith(` ${amount}`),
      [section, amount] as const,
      { timeout: PATIENCE },
    );
  }

  async figure(name: 'credit' | 'bets' | 'net' | 'possible', amount: string): Promise<void> {
    await this.page.waitForFunction(
      ([name, amount]) => document.querySelector(`[data-figure="${name}"]`)?.textContent?.trim() === amount,
      [name, amount] as const,
      { timeout: PATIENCE },
    ).catch(async () => {
      const is = await this.page.locator(`[data-figure="${name}"]`).textContent();
      throw new Error(`${name} is ${is}, expected ${amount}`);
    });
  }

  async says(words: string | RegExp): Promise<void> {
    await this.page.locator('header .phase', { hasText: words }).waitFor();
  }

  banner(words: string | RegExp): Locator {
    return this.page.locator('.banner', { hasText: words });
  }

  /** Why the last bet was not taken: in the line under the board. */
  refused(words: string | RegExp): Locator {
    return this.page.locator('.about.refused', { hasText: words });
  }

  /** The figure at the spot that was refused. */
  note(words: string | RegExp): Locator {
    return this.page.locator('.layout .note', { hasText: words });
  }

  card(): Locator {
    return this.page.locator('article.card');
  }

  /** The card of the round, with the keys in it so that it stays; the dice have left the stage, what stands under it is seen again. */
  async holdCard(): Promise<void> {
    await this.card().waitFor();
    await this.page.locator('[data-stage="off"]').first().waitFor({ state: 'attached' });
    await this.card().locator('ul').focus();
  }

  /** One line of the settlement card. */
  line(name: string): Locator {
    return this.card().locator('li', { has: this.page.locator('b', { hasText: new RegExp(`^${name}$`) }) });
  }

  /** A note of so much is inserted; the card is put away. */
  async insert(note: string): Promise<void> {
    await this.press(this.page.locator('nav.tools button').nth(0));
    const credit = this.page.locator('.free b');
    const before = (await credit.textContent()) ?? '';
    await this.press(this.page.locator('.notes button', { hasText: new RegExp(`^${note}$`) }));
    // There may be credit already: what counts is that this note has come.
    await expect.poll(() => credit.textContent()).not.toBe(before);
    await this.page.keyboard.press('Escape');
    await this.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await this.skip();
  }

  /** Somebody new is asked whether they want a limit: not now. */
  async skip(): Promise<void> {
    await this.page.locator('.terminal:not([data-play="unknown"])').waitFor();
    const asked = this.page.locator('.first-time');
    if ((await this.page.locator('.terminal').getAttribute('data-play')) !== 'asks') return;
    await this.press(asked.locator('.skip'));
    await asked.waitFor({ state: 'detached' });
  }
}
