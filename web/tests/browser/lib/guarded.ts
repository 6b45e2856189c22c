// People of a house with duties: each logs in at an enrolled place, with a PIN of their own.
import type { Page } from 'playwright-core';
import type { Language } from './browser';
import { browser, house } from './stage';

/** A browser at an enrolled place. */
export async function at(place: string, path: string, language: Language = 'en'): Promise<Page> {
  const context = await browser.station({ origin: house.origin, language });
  const page = await context.newPage();
  await page.goto(`${path}#${await house.token(place)}`);
  await page.locator('.login, .shell').first().waitFor();
  return page;
}

export async function give(page: Page, name: string, pin: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** The PINs that people have chosen. */
export const PINS = new Map<string, string>();
let next = 730_146;

/** Logs in for the first time, with a PIN of one's own afterwards. */
export async function first(page: Page, name: string, given: string): Promise<void> {
  await give(page, name, given);
  const own = String((next += 7_919));
  PINS.set(name, own);
  await page.getByLabel('Current PIN').fill(given);
  await page.getByLabel('New PIN').fill(own);
  await page.getByRole('button', { name: 'Change PIN' }).click();
}

/** Somebody of the first start at their place, with the screen open. */
export async function logged(name: string, place: string, path: string): Promise<Page> {
  const page = await at(place, path);
  await first(page, name, await house.pin(name));
  await page.locator('.shell').waitFor();
  return page;
}
