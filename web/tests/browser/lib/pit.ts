// The pit by what its people see and press: each on a session of their own.
import { expect } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { DESK, PHONE, WALL, type Chromium, type Language } from './browser';
import type { Dice } from './dealer';
import type { House } from './house';

export interface At {
  size?: { width: number; height: number };
  language?: Language;
  settings?: Record<string, unknown>;
}

/** A screen of staff, logged in as the house for nothing lets one. */
export async function staffScreen(browser: Chromium, house: House, path: string, position: string, at: At = {}): Promise<Page> {
  const context: BrowserContext = await browser.station({ origin: house.origin, ...at });
  const answer = await context.request.post('/api/trial/staff', { data: { position } });
  if (!answer.ok()) throw new Error(`${position}: ${answer.status()}`);
  // An empty page keeps nothing.
  await context.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('sicbo.staff', 'true');
  });
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('.shell').waitFor();
  return page;
}

export const SCREENS = { wall: WALL, desk: DESK, phone: PHONE };

/** A page that is there already, on another screen: nothing is wider than it, and what is touched is large enough. */
export async function fits(page: Page, screen: keyof typeof SCREENS, what: string): Promise<void> {
  await page.setViewportSize(SCREENS[screen]);
  // What a view makes of its size is drawn with the next picture.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${what} ${screen}`).toBeLessThanOrEqual(0);
  const small = await page.locator('button:visible, a.button:visible, select:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 36).length);
  expect(small, `${what} ${screen}: targets`).toBe(0);
}

export class Desk {
  constructor(readonly page: Page) {}

  static async open(browser: Chromium, house: House, table: string, position: string, at: At = {}): Promise<Desk> {
    const page = await staffScreen(browser, house, `/pit/${encodeURIComponent(table)}`, position, at);
    await page.locator('.columns').waitFor();
    return new Desk(page);
  }

  press(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    return within.getByRole('button', { name }).first().click();
  }

  dialog(): Locator {
    return this.page.locator('dialog[open]');
  }

  async keys(dice: Dice | number[], within: Locator): Promise<void> {
    for (const face of dice) await within.locator('.faces').getByRole('button', { name: String(face), exact: true }).click();
  }

  /** Takes the keyed dice back. */
  async unkey(within: Locator): Promise<void> {
    for (let at = 0; at < 3; at += 1) await within.locator('.faces').getByRole('button', { name: 'Back' }).click();
  }

  decision(): Locator {
    return this.page.locator('article.decision');
  }

  proposal(): Locator {
    return this.page.locator('article.proposal');
  }

  /** A player's row in the effects, once it is there. */
  async #row(within: Locator, player: string): Promise<Locator> {
    const row = within.locator('table.effects tbody tr', { has: this.page.locator('th', { hasText: new RegExp(`^${player}`) }) }).first();
    await row.waitFor();
    return row;
  }

  /** What comes of it for a player is in sight. */
  async shows(within: Locator, player: string): Promise<void> {
    await this.#row(within, player);
  }

  /** The cells of a player's row come to be these: staked, was, is, difference, paid, kept, too much. */
  async effects(within: Locator, player: string, cells: string[]): Promise<void> {
    const row = await this.#row(within, player);
    await expect.poll(() => row.locator('td').allTextContents(), { message: player }).toEqual(cells);
  }

  banner(words: string | RegExp): Locator {
    return this.page.locator('.banner', { hasText: words });
  }
}
