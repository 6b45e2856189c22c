// J-12: a trainee deals at the console of a practice house while the coach
// looks on; the same event under the five books; nobody can take it for play.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, PHONE, WALL } from './lib/browser';
import { Console } from './lib/console';
import { House } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, stage } from './lib/stage';

stage(() => House.practice());

/** At a practice table, logged in as a dealer. */
async function learn(book: string): Promise<{ page: Page; desk: Console }> {
  const context = await browser.station({ origin: house.origin, size: WALL });
  const page = await context.newPage();
  await page.goto('/practice');
  await page.getByRole('link', { name: book }).click();
  await page.getByRole('button', { name: 'Dealer', exact: true }).click();
  await page.locator('.go').waitFor();
  return { page, desk: new Console(page, book) };
}

async function begin(page: Page, situation: string, seed: number): Promise<void> {
  await page.getByLabel('One situation only').selectOption(situation);
  await page.getByLabel('Seed').fill(String(seed));
  await page.getByRole('button', { name: 'Begin a lesson' }).click();
  await page.locator('[data-lesson]').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

const due = (page: Page, step: string) => page.locator(`[data-due="${step}"]`).waitFor();

/** To the dice of an mbs-etg round: the tumbler counts by itself, the players bet by themselves. */
async function toDice(page: Page, desk: Console): Promise<void> {
  await due(page, 'activate-tumbler');
  await desk.enter('Start the tumbler');
  await due(page, 'call-bets');
  await desk.enter('Call for bets');
  await due(page, 'close-bets');
  await desk.enter('No more bets');
  await due(page, 'uncover');
  await desk.enter('Uncover the dice');
}

/** An mbs-etg lesson at the moment when a die leans. */
async function leaningDie(): Promise<{ page: Page; desk: Console }> {
  const { page, desk } = await learn('mbs-etg');
  await begin(page, 'die-not-flat', 7);
  await toDice(page, desk);
  await page.locator('[data-cue="die-not-flat"]').waitFor();
  return { page, desk };
}

test('J-12 practice wears its colours everywhere, and shows the same event under the five books', async () => {
  for (const [view, size] of [['/', DESK], ['/practice', WALL], ['/practice', PHONE], ['/console/practice-mbs-etg', DESK]] as const) {
    const context = await browser.station({ origin: house.origin, size });
    const page = await context.newPage();
    await page.goto(view);
    await page.locator('.mark', { hasText: 'PRACTICE' }).waitFor();
    await page.locator('html[data-practice]').waitFor();
    if (view === '/practice') {
      const row = page.locator('tr[data-situation="die-not-flat"]');
      for (const rule of ['rws-etg 5.3.2', 'mbs-table 5.3', 'mbs-etg 5.3', 'rws-open-cover 5.3.2', 'quang-nam-table 7.4'])
        await row.getByText(rule, { exact: true }).waitFor();
      const early = page.locator('tr[data-situation="tumbler-activated-early"] td[data-consequence="void"]');
      await expect.poll(() => early.count()).toBe(1);
      await picture(page, `practice-${size.width}`);
    }
  }
});

test('J-12 a leaning die: the right rule is praised, in the language of the console', async () => {
  const { page } = await leaningDie();
  await due(page, 'declare-void die-not-flat');
  await picture(page, 'practice-leaning-die');
  await page.locator('.incidents .cause', { hasText: 'flat' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Declare the round void' }).click();
  const said = page.locator('[data-exercise="die-not-flat"]');
  await said.locator('[data-verdict="dealt-with"]', { hasText: 'mbs-etg 5.3' }).waitFor();
  await page.locator('[data-skill="rule"]', { hasText: /^1 \/ 1$/ }).waitFor();
  await picture(page, 'practice-coach');
});

test('Enter after a lesson began is the next step of the round, and no lesson begins anew', async () => {
  const { page, desk } = await learn('rws-etg');
  let begun = 0;
  page.on('request', (request) => (begun += request.url().endsWith('/lessons') ? 1 : 0));
  await page.getByLabel('Seed').fill('7');
  await page.getByRole('button', { name: 'Begin a lesson' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-lesson]').waitFor();
  await due(page, 'activate-tumbler');
  await desk.enter('Start the tumbler');
  // The tumbler counts: nobody is asked for what is not theirs to do.
  await due(page, 'call-bets');
  await desk.enter('Call for bets');
  await due(page, 'close-bets');
  expect(begun).toBe(1);
});

test('J-12 who reads a leaning die is told the rule; call and payments are graded', async () => {
  const { page, desk } = await leaningDie();
  await desk.enter('All three lie flat');
  await desk.keys(1, 2, 3);
  await page.locator('.reading.ready').waitFor();
  await desk.enter('Confirm the result');
  const said = page.locator('[data-exercise="die-not-flat"]');
  await said.locator('[data-verdict="missed"]', { hasText: 'mbs-etg 5.3' }).waitFor();
  await said.locator('[data-verdict="out-of-order"]').first().waitFor();
  await page.getByLabel('Dice as called').fill('3 2 1');
  await page.getByLabel('Total as called').fill('6');
  await page.locator('form', { has: page.getByLabel('Dice as called') }).getByRole('button').click();
  await said.locator('[data-verdict="call-wrong"]').waitFor();
  await page.locator('[data-skill="rule"]', { hasText: /^0 \/ 1$/ }).waitFor();
  await page.locator('[data-skill="call"]', { hasText: /^0 \/ 1$/ }).waitFor();
  await picture(page, 'practice-coach-wrong');
});
