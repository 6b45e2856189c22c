// The board of the pit, the cashier's window and the technician's screen: what
// they show, to whom, in every language and on every size of screen.
import { expect, test } from 'vitest';
import { accessible } from './lib/axe';
import type { Language } from './lib/browser';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { Desk, fits, staffScreen } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';

const TABLES: TableSpec[] = [
  { name: 'pearl', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1', 'T2'] }] },
  { name: 'lotus', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] },
  { name: 'river', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1'] }] },
];
stageTables(TABLES);

test('P-030: the board shows every table live, and leads to what waits', async () => {
  const dealer = new Dealer(house, 'pearl', 'rws-etg');
  const terminal = await sit('pearl');
  await terminal.insert('100');
  // Whoever comes without a session logs in first.
  const context = await browser.station({ origin: house.origin });
  const page = await context.newPage();
  await page.goto('/pit');
  await page.getByRole('button', { name: 'Pit manager', exact: true }).click();
  const row = page.locator('tbody tr', { hasText: 'pearl' });
  await row.waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  await row.getByText('1 of 2 connected').waitFor();
  const cell = (label: string) => row.locator(`td[data-label="${label}"]`);
  await dealer.callBets();
  await terminal.bet('triple:6', '10');
  // 10 on a triple can cost 1,950.
  await cell('Exposure').getByText('1,950.00').waitFor();
  await cell('Exposure').getByText('10.00').last().waitFor();
  await row.getByText('Priya Raman').waitFor();
  await dealer.finish([1, 2, 3]);
  await cell('Handle').getByText('10.00').waitFor();
  await cell('Win').getByText('+10.00').waitFor();
  // A triple at 195 leaves the house 20 of 216 on average: 0.93 of 10.
  await cell('Expected win').getByText('0.93').waitFor();
  await cell('Void').getByText('0.00 %').waitFor();
  await dealer.callBets();
  await dealer.act({ act: 'declare_void', cause: 'dice-exposed-early' });
  await cell('Void').getByText('50.00 %').waitFor();
  await dealer.act({ act: 'raise_incident', kind: 'other', note: 'a glass fell' });
  await cell('Open').getByText('1 report').waitFor();
  // What waits stands above everything, and leads to its desk.
  await new Dealer(house, 'river', 'quang-nam-table').act({ act: 'report_device_failure', what: 'the lamps stay dark' });
  const wait = page.locator('a.wait', { hasText: 'river' });
  await wait.getByText('quang-nam-table 7.1').waitFor();
  await accessible(page, 'the board');
  await picture(page, 'pit-board');
  await wait.click();
  await page.locator('article.decision').waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/pit/river');
});

test('the board fits every screen in every language', async () => {
  const languages: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
  for (const [at, language] of languages.entries()) {
    const page = await staffScreen(browser, house, at % 2 === 0 ? '/pit' : '/pit/pearl', 'director', { language });
    await page.locator('main').getByText('pearl').first().waitFor();
    for (const screen of ['wall', 'desk', 'phone'] as const) await fits(page, screen, language);
    await page.context().close();
  }
});

test('surveillance sees the desk and can do nothing there', async () => {
  const desk = await Desk.open(browser, house, 'pearl', 'surveillance');
  await desk.page.getByRole('region', { name: 'Ended rounds' }).waitFor();
  await desk.page.getByText('Nothing waits.').waitFor();
  for (const name of ['Wrong result', 'Damaged dice', 'Adjust money', 'Change limits', 'Suspend play', 'Device failure'])
    expect(await desk.page.getByRole('button', { name }).count(), name).toBe(0);
  const refused = await desk.page.context().request.post('/api/tables/pearl/acts', { data: { act: 'suspend', reason: 'no' } });
  expect(refused.status()).toBe(403);
});

test('the cashier pays a voucher once, by its number, and flags what is not paid', async () => {
  const terminal = await sit('lotus');
  await terminal.insert('50');
  await terminal.press(terminal.page.locator('nav.tools button').nth(0));
  const printed = terminal.page.waitForResponse(/ticket\.svg/);
  await terminal.page.getByRole('button', { name: 'Cash out 50.00' }).click();
  const svg = await (await printed).text();
  const number = /\d{2}-\d{4}-\d{4}-\d{4}-\d{4}/.exec(svg)?.[0] ?? '';
  expect(number, svg.slice(0, 2_000)).not.toBe('');

  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  const voucher = page.locator('tbody tr', { hasText: 'lotus' });
  await voucher.getByText('printed').waitFor();
  await accessible(page, 'the cashier');
  const redeem = page.locator('form', { has: page.getByRole('heading', { name: 'Redeem a voucher' }) });
  const pay = async (): Promise<void> => {
    await redeem.getByLabel('Validation number').fill(number);
    await redeem.getByRole('button', { name: 'Look up' }).click();
    // What it is worth is in sight before anything is paid.
    await redeem.locator('.worth', { hasText: '50.00' }).waitFor();
    await redeem.getByRole('button', { name: 'Pay out 50.00 SGD' }).click();
  };
  // The paper says another amount: not paid, and flagged.
  await redeem.getByLabel('Amount on the paper').fill('500');
  await pay();
  const flagged = page.getByRole('region', { name: 'Flagged' });
  await flagged.locator('li', { hasText: 'The amount differs' }).getByText('lotus').waitFor();
  await redeem.getByLabel('Amount on the paper').fill('50');
  await pay();
  await page.locator('.paid b', { hasText: '50.00' }).waitFor();
  await picture(page, 'cashier');
  // The same paper again is not paid again: when, and by whom it was.
  await redeem.getByLabel('Validation number').fill(number);
  await redeem.getByRole('button', { name: 'Look up' }).click();
  await redeem.getByText(/^Paid already: \d{4}-\d\d-\d\d \d\d:\d\d.*, at the cage by Chua Mei Fong\. Pay nothing more\.$/).waitFor();
  await picture(page, 'cashier-paid-already');
  expect(await redeem.getByRole('button', { name: /Pay out/ }).count()).toBe(0);
  await redeem.getByLabel('Validation number').fill('');
  // A number that does not exist is flagged when it is looked up, as when it is presented.
  await redeem.getByLabel('Validation number').fill('00-0000-0000-0000-0001');
  await redeem.getByRole('button', { name: 'Look up' }).click();
  await page.locator('.banner').first().waitFor();
  await page.getByRole('radio', { name: 'Done' }).click();
  await voucher.getByText('redeemed').waitFor();

  // Credit sold at a station arrives there; a hand pay waits for a second person.
  const credit = page.locator('form', { has: page.getByRole('heading', { name: 'Credit at a station' }) });
  await credit.getByLabel('Station').selectOption('lotus/0');
  await credit.getByLabel('Amount').fill('40');
  await credit.getByRole('button', { name: 'Sell credit' }).click();
  await terminal.figure('credit', '40.00');
  // The answer to the sale empties the field, and may come after the credit is at the station.
  await page.locator('.banner', { hasText: '40.00 credited' }).waitFor();
  const pays = page.locator('form', { has: page.getByRole('heading', { name: 'Hand pay at a station' }) });
  await pays.getByLabel('Station').selectOption('lotus/0');
  await pays.getByLabel('Amount').fill('15');
  await pays.getByRole('button', { name: 'Hand pay' }).click();
  await page.getByText('waits for a second person').first().waitFor();
  await terminal.figure('credit', '40.00');
  const supervisor = await Desk.open(browser, house, 'lotus', 'pit-supervisor');
  await supervisor.proposal().getByText('15.00').waitFor();
  await supervisor.press('Confirm as the second person', supervisor.proposal());
  await terminal.figure('credit', '25.00');
  // The cashier, who waits with the money, is told.
  await page.getByText('Hand pay of 15.00 at T1 was confirmed: pay it out now.').waitFor();
  await house.verify();
});

test('the technician enrols a terminal, its key is shown once, and revokes it', async () => {
  const page = await staffScreen(browser, house, '/technician', 'technician');
  const form = page.locator('form', { has: page.getByRole('heading', { name: 'Enrol' }) });
  await form.getByLabel('What it is').selectOption('console');
  await form.getByLabel('Table').selectOption('pearl');
  await form.getByLabel('Name').fill('Console by the river');
  await form.getByRole('button', { name: 'Enrol' }).click();
  const dialog = page.locator('dialog[open]');
  const key = await dialog.locator('output').first().textContent();
  expect(key).toMatch(/^\d+-\w+/);
  await accessible(page, 'the key');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // It cannot be had again.
  expect(await page.content()).not.toContain(key!);
  const row = page.locator('tbody tr', { hasText: 'Console by the river' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByLabel('Reason').fill('Never came');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked ones').check();
  await row.getByText(/revoked/).waitFor();
  await accessible(page, 'the technician');
  await picture(page, 'technician');
  // Nobody else enrols.
  const refused = await fetch(`${house.origin}/api/enrolments`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  expect(refused.status).toBe(401);
});
