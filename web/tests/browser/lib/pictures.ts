// Pictures of views for the documentation: written when they are asked for
// (SICBO_BLESS=1), in 256 colours where ImageMagick is there to do it.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const FOLDER = resolve(import.meta.dirname, '../../../../docs/pictures/web');
export const BLESS = process.env['SICBO_BLESS'] === '1';

export async function picture(page: Page, name: string): Promise<void> {
  if (!BLESS) return;
  await mkdir(FOLDER, { recursive: true });
  const path = `${FOLDER}/${name}.png`;
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await promisify(execFile)('convert', [path, '-dither', 'FloydSteinberg', '-colors', '255', '-strip', '-define', 'png:compression-level=9', `PNG8:${path}`]).catch(() => null);
}
