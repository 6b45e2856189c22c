// J-07: damaged dice found after rounds were settled. Which rounds a book
// reaches by its own rule differs; the money does not.
import { expect, test } from 'vitest';
import { accessible } from './lib/axe';
import { Dealer, type Dice } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { Desk } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'affected', book: 'rws-open-cover', stations: [{ layout: 'b', names: ['A', 'B'] }] },
  { name: 'last-only', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['A'] }] },
  { name: 'chips', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1', 'S2'] }] },
];
stageTables(TABLES);

async function round(dealer: Dealer, terminal: Terminal, section: string, chip: string, dice: Dice): Promise<void> {
  await dealer.callBets();
  await terminal.bet(section, chip);
  await dealer.finish(dice);
}

interface Shown {
  number: number;
  result: { dice: number[] } | null;
  amended: number;
}
const rounds = (table: string) => house.ask('dealer', 'GET', `/api/tables/${table}/rounds`) as Promise<Shown[]>;

test('J-07 rws-open-cover: all affected rounds by 5.4, each player, recovered or waived', async () => {
  const dealer = new Dealer(house, 'affected', 'rws-open-cover');
  const [a, b] = [await sit('affected'), await sit('affected')];
  await a.insert('100');
  await a.insert('100');
  await b.insert('50');
  // 10 on a triple at 195 to 1; 100 lost on big; 10 won on small.
  await round(dealer, b, 'triple:6', '10', [6, 6, 6]);
  await b.figure('credit', '2,000.00');
  await round(dealer, a, 'big', '100', [1, 2, 3]);
  await round(dealer, a, 'small', '10', [1, 2, 4]);
  await a.figure('credit', '110.00');

  const manager = await Desk.open(browser, house, 'affected', 'shift-manager');
  const supervisor = await Desk.open(browser, house, 'affected', 'pit-supervisor');
  await manager.press('Damaged dice');
  await manager.dialog().getByText('set D-0001').waitFor();
  // All three since the dice came are proposed.
  await manager.dialog().locator('.rounds li').nth(2).waitFor();
  await expect.poll(() => manager.dialog().locator('.rounds input:checked').count()).toBe(3);
  await manager.dialog().getByLabel('Reason').fill('A chip on the red die');
  await manager.press('Show what it does', manager.dialog());
  await manager.effects(manager.dialog(), 'A', ['110.00', '20.00', '110.00', '+90.00', '100.00', '', '10.00']);
  await manager.effects(manager.dialog(), 'B', ['10.00', '1,960.00', '10.00', '−1,950.00', '', '', '1,950.00']);
  await manager.dialog().getByText('rws-open-cover 5.4').first().waitFor();
  await accessible(manager.page, 'the wizard of damaged dice');
  await picture(manager.page, 'pit-damaged-dice');
  await manager.press(/Propose/, manager.dialog());
  await manager.dialog().getByText('A second person').first().waitFor();
  // Nothing has happened yet.
  await a.figure('credit', '110.00');
  const card = supervisor.proposal();
  await supervisor.effects(card, 'B', ['10.00', '1,960.00', '10.00', '−1,950.00', '', '', '1,950.00']);
  await supervisor.press('Confirm as the second person', card);
  await card.waitFor({ state: 'detached' });
  await manager.dialog().getByText('Void now: 1, 2, 3').or(manager.dialog().getByText('Void now: 3, 2, 1')).waitFor();
  await manager.press('Close', manager.dialog());
  await a.figure('credit', '210.00');
  await b.figure('credit', '2,000.00');
  for (const one of await rounds('affected')) expect([one.result, one.amended]).toEqual([null, 1]);

  // 1,950 is taken back under the law's three conditions; 10 is waived.
  const over = manager.page.getByRole('region', { name: 'Paid too much' });
  await over.locator('li', { hasText: '1,950.00' }).getByRole('button').click();
  await manager.dialog().getByRole('radio', { name: 'Recover' }).check();
  for (const check of await manager.dialog().getByRole('checkbox').all()) await check.check();
  await manager.dialog().getByRole('button', { name: 'Recover', exact: true }).click();
  await manager.dialog().waitFor({ state: 'detached' });
  await b.figure('credit', '50.00');
  // The other player's screen may know it first.
  await over.locator('li', { hasText: '1,950.00' }).waitFor({ state: 'detached' });
  await over.locator('li', { hasText: '10.00' }).getByRole('button').click();
  await manager.dialog().getByLabel('Reason').fill('Not the player’s doing');
  await manager.press('Waive', manager.dialog());
  await over.waitFor({ state: 'detached' });
  await a.figure('credit', '210.00');

  // No round before the dice are changed, by two; then play goes on untouched.
  await manager.banner('The dice must be changed').first().waitFor();
  await expect(dealer.callBets()).rejects.toThrow(/dice_change_needed/);
  await manager.press('Change the dice');
  await manager.dialog().getByRole('textbox').fill('D-0002');
  await manager.press('Report', manager.dialog());
  await supervisor.press('Confirm as the second person', supervisor.proposal());
  await manager.banner('The dice must be changed').waitFor({ state: 'detached' });
  await round(dealer, a, 'small', '10', [1, 2, 4]);
  await a.figure('credit', '220.00');
  // Found again with other dice in the tumbler: the new ones are not suspected.
  await manager.press('Damaged dice');
  await manager.dialog().locator('.rounds li', { hasText: 'Round 4' }).waitFor();
  await expect.poll(() => manager.dialog().locator('.rounds li').count()).toBe(1);
  await house.verify();
});

test('J-07 mbs-etg: the last round by its rule, an older one by a ruling of the shift manager', async () => {
  const dealer = new Dealer(house, 'last-only', 'mbs-etg');
  const a = await sit('last-only');
  await a.insert('100');
  await round(dealer, a, 'big', '10', [1, 2, 3]);
  await round(dealer, a, 'big', '10', [1, 2, 3]);
  await a.figure('credit', '80.00');
  const manager = await Desk.open(browser, house, 'last-only', 'shift-manager');
  const supervisor = await Desk.open(browser, house, 'last-only', 'pit-supervisor');
  await manager.press('Damaged dice');
  await manager.dialog().getByLabel('Reason').fill('The die is cracked');
  await manager.press('Show what it does', manager.dialog());
  // Rule 5.4 voids "the round"; the one before is a matter of 6.1.
  await manager.dialog().locator('p .rule', { hasText: 'mbs-etg 5.4' }).filter({ hasText: 'mbs-etg 6.1' }).waitFor();
  await manager.effects(manager.dialog(), 'A', ['20.00', '0.00', '20.00', '+20.00', '20.00', '', '']);
  await manager.press('Back', manager.dialog());
  // Only the last one is affected.
  await manager.dialog().locator('.rounds li', { hasText: 'Round 1' }).getByRole('checkbox').uncheck();
  await manager.press('Show what it does', manager.dialog());
  await manager.press(/Propose/, manager.dialog());
  await supervisor.shows(supervisor.proposal(), 'A');
  await supervisor.press('Confirm as the second person', supervisor.proposal());
  await manager.dialog().getByText('Void now: 2').waitFor();
  await a.figure('credit', '90.00');
  expect((await rounds('last-only')).map((one) => one.result === null)).toEqual([true, false]);
  await house.verify();
});

test('J-07 quang-nam-table: the director decides; the shift manager is refused; chips are handed back', async () => {
  const dealer = new Dealer(house, 'chips', 'quang-nam-table');
  await dealer.act({ act: 'move_chips', request: 1, how: 'brought', amount: 500_000, slip: '' });
  await dealer.callBets();
  await dealer.act({ act: 'place_bets', station: 0, round: 1, bet: 1, means: 'cash_chips', lines: [{ section: 'big', stake: 100_000 }] });
  await dealer.finish([1, 2, 3]);
  const supervisor = await Desk.open(browser, house, 'chips', 'pit-supervisor');
  const director = await Desk.open(browser, house, 'chips', 'director');
  const manager = await Desk.open(browser, house, 'chips', 'shift-manager');
  await supervisor.press('Damaged dice');
  await supervisor.dialog().getByLabel('Reason').fill('A corner is broken off');
  await supervisor.press('Show what it does', supervisor.dialog());
  await supervisor.effects(supervisor.dialog(), 'S1', ['100,000', '0', '100,000', '+100,000', '100,000', '', '']);
  await supervisor.press(/Propose/, supervisor.dialog());
  await manager.shows(manager.proposal(), 'S1');
  await manager.press('Confirm as the second person', manager.proposal());
  await manager.banner('This is for: ').or(manager.banner('second person')).first().waitFor();
  expect((await rounds('chips'))[0]!.result).not.toBeNull();
  await director.shows(director.proposal(), 'S1');
  await director.press('Confirm as the second person', director.proposal());
  await supervisor.dialog().getByText('Void now: 1').waitFor();
  await house.verify();
});
