// Pictures of views. With SICBO_BLESS=1 those the documentation shows are
// written to docs/pictures/web as WebP; with SICBO_PICTURES=<folder> every one
// is, as it is, for whoever looks.
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = resolve(import.meta.dirname, '../../../../docs/pictures/web');
export const BLESS = process.env['SICBO_BLESS'] === '1';
const ALL = process.env['SICBO_PICTURES'];
/** Print can still be read, and a screen takes some thirty kilobytes. */
const QUALITY = 50;
/** Wider ones are shown at this width. */
const MAX_WIDTH = 960;

const LANGUAGE = '(en|zh-Hans|zh-Hant|vi)';
/** Every view in every language, and a terminal in every size named in sizes.test.ts. */
const SHOWN = [
  `(lobby|terminal-(welcome|betting|settled))-${LANGUAGE}-(1280|phone)`,
  `(rules|terminal-(void|cash|history|limits|rules|settings)|console|console-decision)-${LANGUAGE}-1280`,
  `(choice|companion|tour)-${LANGUAGE}-(640|844|phone|1280)`,
  `check-proved-${LANGUAGE}(-phone)?`,
  'check-(refused|voucher)-en-phone',
  'stage-(covered|open)-.*',
  'camera-.*',
  'size-(betting|settled|void(?!-card))-.*',
  `wall-${LANGUAGE}-1280`,
  'wall-.*-(1024x768|1920x1080|1080x1920)',
  'theme-(light|high-contrast)-(betting|settled)',
  'bets-(refused|below-minimum|doubled-in-part)',
  'console-(log-in-en-1280|seats-vi|take-and-pay-vi)',
  'terminal-(refused|voucher|connection-lost|section|builder)',
  'try-it-1280',
  'pit-(board|wrong-result|damaged-dice)',
  '(cashier|technician|case)',
  '(report-again|surveillance-round)-en-1280',
  'player-(limits|reality-check-result)',
].map((one) => new RegExp(`^${one}$`));

export async function picture(page: Page, name: string): Promise<void> {
  if (ALL !== undefined) await page.screenshot({ path: `${ALL}/${name}.png`, animations: 'disabled', caret: 'hide' });
  if (!BLESS || !SHOWN.some((one) => one.test(name))) return;
  const { width, height } = page.viewportSize() ?? { width: MAX_WIDTH, height: 1_080 };
  const devtools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale: Math.min(1, MAX_WIDTH / width) };
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  await devtools.detach();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}/${name}.webp`, Buffer.from(data, 'base64'));
}
