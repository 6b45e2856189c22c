// Accessibility: nothing that axe finds on what a page shows now, of what WCAG asks (A, AA) and of
// what axe calls best practice, be it critical or moderate. A rule that does not fit a page is left out there, with its reason.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';

let source: string | null = null;

interface Found {
  id: string;
  impact: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules that do not fit a page, each with why. */
export type LeftOut = Record<string, string>;
const THREE = 'three whole screens stand beside each other, in a named region each, and each has its own main part';
export const BESIDE: LeftOut = { 'landmark-main-is-top-level': THREE, 'landmark-no-duplicate-main': THREE, 'landmark-unique': THREE };

/** Every animation that ends has ended. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => null))));
}

export async function accessible(page: Page, what: string, leftOut: LeftOut = {}): Promise<void> {
  source ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Half a megabyte, sent once for each page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  // What is fading in has no colour yet.
  await atRest(page);
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: TAGS, rules: Object.fromEntries(Object.keys(leftOut).map((rule) => [rule, { enabled: false }])) });
  const found = (await page.evaluate(`axe.run(document, ${options}).then((all) => all.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => ({ target, failureSummary })) })))`)) as Found[];
  expect(found, `${what}: ${JSON.stringify(found, null, 1)}`).toEqual([]);
}
