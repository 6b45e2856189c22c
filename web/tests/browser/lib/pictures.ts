// Pictures of views. With SICBO_BLESS=1 those the documentation shows are
// written to docs/pictures/web, in few colours; with SICBO_PICTURES=<folder>
// every one is, as it is, for whoever looks.
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { inFewColours } from './palette';

const FOLDER = resolve(import.meta.dirname, '../../../../docs/pictures/web');
export const BLESS = process.env['SICBO_BLESS'] === '1';
const ALL = process.env['SICBO_PICTURES'];

/** Every view once, each language and size with a few. */
const SHOWN = new Set([
  'lobby-en-1280',
  'lobby-zh-Hant-phone',
  'guests-lobby-zh-Hans-640',
  'choice-en-1280',
  'choice-vi-1280',
  'companion-en-phone',
  'companion-zh-Hant-844',
  'tour-1',
  'tour-zh-Hans-640',
  'tour-en-phone',
  'rules-vi-1280',
  'terminal-welcome-en-1280',
  'terminal-betting-en-1280',
  'terminal-betting-zh-Hans-1920',
  'terminal-betting-zh-Hant-phone',
  'terminal-settled-en-1280',
  'terminal-settled-zh-Hant-phone',
  'terminal-void-vi-1280',
  'terminal-cash-en-1280',
  'terminal-history-en-1280',
  'terminal-rules-en-1280',
  'terminal-refused',
  'terminal-voucher',
  'terminal-connection-lost',
  'console-log-in-en-1280',
  'console-en-1280',
  'console-preview-zh-Hans-1920',
  'console-decision-en-1280',
  'console-seats-vi',
  'console-take-and-pay-vi',
  'wall-betting-en-1920',
  'wall-zh-Hans-1920',
  'try-it-1920',
  'try-it-1280',
]);

export async function picture(page: Page, name: string): Promise<void> {
  if (ALL !== undefined) await page.screenshot({ path: `${ALL}/${name}.png`, animations: 'disabled', caret: 'hide' });
  if (!BLESS || !SHOWN.has(name)) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}/${name}.png`, inFewColours(await page.screenshot({ animations: 'disabled', caret: 'hide' })));
}
