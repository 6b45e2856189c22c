// Accessibility: nothing serious or critical on what a page shows now. What axe calls moderate or
// minor is best practice of its own: each rule is named once in a file with the page it was first found on.
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

const named = new Set<string>();

export async function accessible(page: Page, what: string): Promise<void> {
  source ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Half a megabyte, sent once for each page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  // What is fading in has no colour yet.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => null))));
  const all = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((all) => all.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => ({ target, failureSummary })) })))`)) as Found[];
  const mild = all.filter(({ id, impact }) => !['serious', 'critical'].includes(impact));
  for (const { id, impact, nodes } of mild.filter((one) => !named.has(one.id))) {
    named.add(id);
    process.stdout.write(`  axe, ${impact}: ${id} on ${what}, at ${JSON.stringify(nodes[0]?.target)}\n`);
  }
  const found = all.filter((one) => !mild.includes(one));
  expect(found, `${what}: ${JSON.stringify(found, null, 1)}`).toEqual([]);
}
