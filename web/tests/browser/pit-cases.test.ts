// J-08: a player's dispute, from the button at the terminal up the ladder of
// each book; the player follows it in their own language.
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { staffScreen } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'pearl', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'orchid', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }], limits: { maximum: '8' } },
  { name: 'river', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1'] }] },
];
stageTables(TABLES);

const now = (page: Page) => page.getByRole('region', { name: 'What you may do now' });
const state = (page: Page, words: string) => page.locator('.tools .state', { hasText: words }).waitFor();

async function step(page: Page, name: string, fill?: () => Promise<unknown>): Promise<void> {
  await now(page).getByRole('button', { name, exact: true }).first().click();
  await fill?.();
  await now(page).getByRole('button', { name: 'Record it' }).click();
  await now(page).locator('form').waitFor({ state: 'detached' });
}
const say = (page: Page, words: string) => () => now(page).getByLabel('Reason').fill(words);

test('J-08: a bet that was not taken is disputed at the terminal, without a round to one\'s name', async () => {
  const dealer = new Dealer(house, 'orchid', 'rws-etg');
  const terminal = await sit('orchid');
  await terminal.insert('50');
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  // The second five is more than may lie there; the first is taken back.
  await terminal.choose('5');
  await terminal.tap('small');
  await terminal.registered('small', '5.00');
  await terminal.tap('small');
  await terminal.page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.startsWith('sicbo.turned-down.')));
  await terminal.page.getByRole('button', { name: 'Clear' }).click();
  await terminal.figure('bets', '0.00');
  await dealer.finish([1, 1, 2]);
  await terminal.press(terminal.page.locator('nav.tools button', { hasText: /History|Rounds/ }).first());
  const history = terminal.page.locator('dialog[open]');
  const form = history.getByRole('region', { name: 'Disputes' });
  await expect.poll(() => form.getByRole('combobox', { name: 'What is wrong' }).inputValue()).toBe('bet_not_taken');
  await form.getByRole('combobox', { name: 'Which bet' }).locator('option', { hasText: 'Small 5.00' }).waitFor({ state: 'attached' });
  await accessible(terminal.page, 'a bet that was not taken');
  await picture(terminal.page, 'terminal-dispute-not-taken');
  await form.getByRole('button', { name: 'Dispute round 1' }).click();
  await form.getByText('was reported').waitFor();
  const cases = (await house.ask('shift-manager', 'GET', '/api/cases?state=open')) as { table: string; round: number; reason: string; claimed_bet: number | null; claimed_tapped_ms: number | null; claimed_sent_ms: number | null; refused: { bet: number }[] }[];
  const one = cases.find((some) => some.table === 'orchid');
  expect(one).toMatchObject({ round: 1, reason: 'bet_not_taken' });
  expect(one?.claimed_bet).toBe(one?.refused[0]?.bet);
  expect(Math.abs(Date.now() - (one?.claimed_tapped_ms ?? 0))).toBeLessThan(600_000);
  expect(one?.claimed_sent_ms).toBeGreaterThanOrEqual(one?.claimed_tapped_ms ?? Infinity);
});

test('J-08 in Singapore: from the button to the authority, with seven days for the player', async () => {
  const dealer = new Dealer(house, 'pearl', 'rws-etg');
  const context = await browser.station({ origin: house.origin });
  const terminal = await Terminal.sit(context, 'pearl');
  await terminal.insert('50');
  await dealer.callBets();
  await terminal.bet('small', '10');
  await dealer.finish([6, 6, 5]);
  await terminal.figure('credit', '40.00');
  await terminal.press(terminal.page.locator('nav.tools button', { hasText: /History|Rounds/ }).first());
  const history = terminal.page.locator('dialog[open]');
  await history.getByRole('combobox', { name: 'What is wrong' }).first().selectOption('not_paid');
  await history.getByRole('textbox').fill('I bet Small, it was not paid');
  await history.getByRole('button', { name: /Dispute/ }).click();
  const own = history.getByRole('region', { name: 'Disputes' });
  const number = /Case (\d+)/.exec((await own.getByText(/Case \d+/).textContent()) ?? '')?.[1] ?? '';
  expect(number).not.toBe('');
  await own.getByText('open', { exact: true }).waitFor();

  // The supervisor finds it with the bet's own timeline, and says how long it takes.
  const supervisor = await staffScreen(browser, house, '/cases', 'pit-supervisor');
  await supervisor.getByRole('link', { name: new RegExp(`Case ${number}`) }).click();
  await supervisor.getByText('I bet Small, it was not paid').waitFor();
  const timeline = supervisor.getByRole('region', { name: 'What the journal knows of the bet' });
  await timeline.locator('.bet_registered', { hasText: 'Small 10.00' }).waitFor();
  await timeline.locator('.close_shown').waitFor();
  await timeline.locator('.settled', { hasText: '0.00' }).waitFor();
  await step(supervisor, 'Take it on');
  await step(supervisor, 'Promise a time', () => now(supervisor).getByLabel('Minutes').fill('20'));
  await own.getByText('A decision was promised by').waitFor();
  await accessible(supervisor, 'a case');
  await picture(supervisor, 'case');
  await step(supervisor, 'Decide', async () => {
    await now(supervisor).getByLabel('Not upheld').check();
    await say(supervisor, 'The dice show 17')();
  });
  await own.getByText('“The dice show 17”').waitFor();
  await own.getByRole('button', { name: 'I do not accept this' }).click();
  await step(supervisor, 'Escalate', say(supervisor, 'The player does not accept it'));
  await state(supervisor, 'escalated');
  await supervisor.getByText('Surveillance has been told').waitFor();
  // Once escalated it is no longer the supervisor's.
  expect(await now(supervisor).getByRole('button', { name: 'Decide' }).count()).toBe(0);

  const surveillance = await staffScreen(browser, house, `/cases/${number}`, 'surveillance');
  await step(surveillance, 'Surveillance: seen');
  const manager = await staffScreen(browser, house, `/cases/${number}`, 'shift-manager');
  await manager.getByText('Surveillance has seen it').waitFor();
  await step(manager, 'Decide', async () => {
    await now(manager).getByLabel('Not upheld').check();
    await say(manager, 'Footage shows 6 6 5')();
  });
  await own.getByText('“Footage shows 6 6 5”').waitFor();
  await own.getByRole('button', { name: 'I do not accept this' }).click();
  // Unresolved: the inspector at once, and the player is told of the right (P-070).
  await state(manager, 'unresolved');
  await manager.getByText('overdue').first().waitFor();
  await step(manager, 'Notify the authority', say(manager, 'Inspector on duty, by phone'));
  await step(manager, 'Tell the player their rights');
  await own.getByText('within 7 days').waitFor();
  await picture(terminal.page, 'terminal-dispute');
  // In the player's own language.
  await terminal.page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('sicbo.settings') ?? '{}') as object;
    localStorage.setItem('sicbo.settings', JSON.stringify({ ...kept, language: 'zh-Hans' }));
  });
  await terminal.page.reload();
  await terminal.page.locator('.spot').first().waitFor();
  await terminal.press(terminal.page.locator('nav.tools button').nth(2));
  await terminal.page.locator('dialog[open]').getByText('您可在 7 日内要求监管机构调查').waitFor();
  // One signed file of it all.
  const bundle = await manager.context().request.get(`/api/cases/${number}/bundle`);
  expect(bundle.status()).toBe(200);
  await house.verify();
});

test('J-08 in Quảng Nam: pit supervisor, then pit manager; the decision rests on the eight bases', async () => {
  const supervisor = await staffScreen(browser, house, '/cases', 'pit-supervisor');
  await supervisor.getByRole('button', { name: 'Open a case' }).click();
  const dialog = supervisor.locator('dialog[open]');
  await dialog.getByLabel('Table').selectOption('river');
  await dialog.getByLabel('Say what happened').fill('The player says the chips lay on Tài');
  await dialog.getByRole('button', { name: 'Open a case' }).click();
  await supervisor.getByText('The player says the chips lay on Tài').waitFor();
  const ladder = supervisor.getByRole('region', { name: 'Who decides' });
  await ladder.getByText('Giám sát Pit').first().waitFor();
  await ladder.getByText('Quản lý Pit').waitFor();
  await step(supervisor, 'Take it on');
  await step(supervisor, 'Escalate', say(supervisor, 'Not solved at the table'));
  const number = new URL(supervisor.url()).pathname.split('/').pop();
  // The shift manager is not on this book's ladder.
  const shift = await staffScreen(browser, house, `/cases/${number}`, 'shift-manager');
  await state(shift, 'escalated');
  expect(await now(shift).getByRole('button', { name: 'Decide' }).count()).toBe(0);
  const manager = await staffScreen(browser, house, `/cases/${number}`, 'pit-manager');
  await now(manager).getByRole('button', { name: 'Decide' }).click();
  const bases = now(manager).locator('.basis');
  await expect.poll(() => bases.count()).toBe(8);
  await say(manager, 'The footage shows the chips on Xỉu')();
  // No decision before each of the eight is answered for, nor without a basis (8.4, Q-61).
  const record = now(manager).getByRole('button', { name: 'Record it' });
  expect(await record.isDisabled()).toBe(true);
  for (const basis of await bases.all()) await basis.getByLabel('silent on this case').check();
  expect(await record.isDisabled()).toBe(true);
  await bases.nth(0).getByLabel('bears on it').check();
  await bases.nth(5).getByLabel('bears on it').check();
  await now(manager).getByLabel('Not upheld').check();
  await picture(manager, 'case-bases');
  await now(manager).getByRole('button', { name: 'Record it' }).click();
  await state(manager, 'decided');
  await manager.getByText('8.4.6').first().waitFor();
  await step(manager, "Player's answer", () => now(manager).getByLabel('does not accept it').check());
  await step(manager, 'Tell the player their rights');
  await step(manager, 'Formal complaint', say(manager, 'Form handed over, filled in with help'));
  await step(manager, 'Close the case', say(manager, 'With the management'));
  await state(manager, 'closed');
  await house.verify();
});
