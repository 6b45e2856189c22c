// The cashier's window when something is wrong with a voucher or a note: what
// is flagged, a voucher without a paper paid by two persons, the last vouchers
// of a station, and notes that look forged.
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessible } from './lib/axe';
import type { Language } from './lib/browser';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { fits, staffScreen } from './lib/pit';
import { browser, house, openTables, sit, stage } from './lib/stage';

/** A printer on the network that takes no connection: it listens, and its queue is full. */
class StuckPrinter {
  #child: ChildProcess;
  #queue: Socket[];
  private constructor(
    child: ChildProcess,
    queue: Socket[],
    readonly port: number,
  ) {
    this.#child = child;
    this.#queue = queue;
  }

  static async open(): Promise<StuckPrinter> {
    const program = `const server = require('node:net').createServer(); server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<number>((told) => createInterface({ input: child.stdout }).once('line', (line) => told(Number(line))));
    child.kill('SIGSTOP');
    const queue = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.race(queue.map((one) => new Promise((done) => one.once('connect', done))));
    return new StuckPrinter(child, queue, port);
  }

  close(): void {
    this.#queue.forEach((one) => one.destroy());
    this.#child.kill('SIGKILL');
  }
}

let printer: StuckPrinter;
const tables = (): TableSpec[] => [
  { name: 'lotus', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1', 'T2'] }], printer: `{ tcp = "127.0.0.1:${printer.port}" }` },
  { name: 'pearl', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'river', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1'] }] },
];
// Declared before the stage, so that the printer closes after the house.
afterAll(() => printer?.close());
stage(async () => {
  printer = await StuckPrinter.open();
  return House.open(tables());
});
beforeAll(() => openTables(tables()));

test('a voucher that was never printed is flagged, and paid once by two persons', async () => {
  const terminal = await sit('lotus');
  await terminal.insert('50');
  await terminal.press(terminal.page.locator('nav.tools button').nth(0));
  await terminal.page.getByRole('button', { name: 'Cash out 50.00' }).click();
  await terminal.figure('credit', '0.00');
  // Somebody else buys in before the printer has given up: the credit cannot go back.
  await house.ask('shift-manager', 'POST', '/api/tables/lotus/acts', { act: 'buy_credit', request: 1, station: 0, source: 'cage', amount: 2_000 });
  await terminal.page.getByText('take this voucher to the cashier').first().waitFor();

  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  const flagged = page.getByRole('region', { name: 'Flagged' });
  const kept = flagged.locator('li', { hasText: 'Kept without a paper' });
  await kept.getByText('50.00').waitFor();
  await accessible(page, 'the cashier with a flag');
  await kept.getByRole('button', { name: 'Pay without a paper' }).click();
  const dialog = page.locator('dialog[open]');
  const send = async (name: string, pin: string): Promise<void> => {
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('PIN').fill(pin);
    await dialog.getByRole('button', { name: 'Pay without a paper' }).click();
  };
  // A wrong PIN, a dealer, and oneself: none of them is a second person who may.
  await staffScreen(browser, house, '/pit', 'pit-supervisor');
  await send('Lim Siew Hoon', '00000000');
  await dialog.getByText('name or PIN is not right').waitFor();
  await send('Tan Wei Ming', await house.pin('Tan Wei Ming'));
  await dialog.getByText(/not allowed|does not allow|position/i).first().waitFor();
  await send('Chua Mei Fong', await house.pin('Chua Mei Fong'));
  await dialog.locator('.banner').waitFor();
  await picture(page, 'cashier-kept');
  await send('Lim Siew Hoon', await house.pin('Lim Siew Hoon'));
  await page.locator('.paid b', { hasText: '50.00' }).waitFor();
  await kept.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Done' }).click();
  await page.locator('tbody tr', { hasText: 'redeemed' }).waitFor();

  // The station's own list knows it, by no whole number that could be used.
  const recalled = page.getByRole('region', { name: 'Last vouchers of a station' });
  await recalled.getByLabel('Station').selectOption('lotus/0');
  const line = recalled.locator('tbody tr');
  await line.getByText('given out').waitFor();
  await line.getByText('50.00').waitFor();
  await accessible(page, 'the vouchers of a station');
  await line.first().scrollIntoViewIfNeeded();
  await picture(page, 'cashier-station');
  await house.verify();
});

test('credit sold whose answer was lost is sold once, also after the page was loaded anew', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  const credit = async () => {
    const all = (await house.ask('shift-manager', 'GET', '/api/stations')) as { table: string; station: number; credit: number }[];
    return all.find((one) => one.table === 'pearl' && one.station === 0)?.credit;
  };
  const before = (await credit()) ?? 0;
  const sell = async (): Promise<void> => {
    const form = page.locator('form', { has: page.getByRole('heading', { name: 'Credit at a station' }) });
    await form.getByLabel('Station').selectOption('pearl/0');
    await form.getByLabel('Amount').fill('1,000');
    await form.getByRole('button', { name: 'Sell credit' }).click();
  };
  // The house does it; nobody hears that it did.
  await page.route('**/api/tables/pearl/acts', async (route) => {
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await sell();
  await page.locator('.banner', { hasText: 'cannot be reached' }).waitFor();
  expect(await credit()).toBe(before + 100_000);
  await page.reload();
  await sell();
  await page.locator('.banner', { hasText: 'Done before' }).waitFor();
  await picture(page, 'cashier-done-before');
  expect(await credit()).toBe(before + 100_000);
  // Asked once more it is meant anew.
  await sell();
  await page.locator('.banner', { hasText: '1,000.00 credited' }).waitFor();
  expect(await credit()).toBe(before + 200_000);
});

test('a large sum is read back before it is sold or paid, and a sum for one is never used for the other', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  let asked = 0;
  await page.route('**/api/tables/*/{acts,proposals}', (route) => {
    asked += 1;
    return route.continue();
  });
  const form = (heading: string) => page.locator('form', { has: page.getByRole('heading', { name: heading }) });
  const [sells, pays] = [form('Credit at a station'), form('Hand pay at a station')];
  await sells.getByLabel('Station').selectOption('pearl/0');
  await sells.getByLabel('Amount').fill('1000000');
  expect(await pays.getByRole('button', { name: 'Hand pay' }).isDisabled()).toBe(true);
  await sells.getByRole('button', { name: 'Sell credit' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('1,000,000.00 SGD').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(asked).toBe(0);
});

test('an amount on the paper that cannot be read stops the payment', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  let asked = 0;
  await page.route('**/api/cage/look-ups', (route) => {
    asked += 1;
    return route.continue();
  });
  await page.getByLabel('Validation number').fill('00-0000-0000-0000-0001');
  await page.getByLabel('Amount on the paper').fill('1.000');
  await page.locator('.banner', { hasText: 'cannot be read' }).waitFor();
  const pay = page.getByRole('button', { name: 'Look up' });
  expect(await pay.isDisabled()).toBe(true);
  await page.getByLabel('Amount on the paper').press('Enter');
  expect(asked).toBe(0);
  await accessible(page, 'an amount that cannot be read');
  await picture(page, 'cashier-misread');
  await page.getByLabel('Amount on the paper').fill('1,000');
  await page.getByText('1,000.00', { exact: true }).waitFor();
  await pay.click();
  await page.locator('.banner', { hasText: /./ }).first().waitFor();
  await expect.poll(() => asked).toBe(1);
});

test('R-042: a note that looks forged becomes a case, with what the UV scanner showed', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  await page.getByRole('button', { name: 'Suspected forgery' }).click();
  const dialog = page.locator('dialog[open]');
  // The rules of Quảng Nam have a scanner; those of the others name none.
  const table = dialog.getByLabel('Table');
  await expect.poll(() => table.inputValue()).toBe('river');
  await dialog.getByText('UV check').waitFor();
  await table.selectOption('pearl');
  await dialog.getByText('name no UV scanner').waitFor();
  await table.selectOption('river');
  await dialog.getByLabel('What looks forged').fill('Two notes of 500,000 without a thread');
  await dialog.getByLabel('not genuine under UV').check();
  await accessible(page, 'a forgery');
  await picture(page, 'cashier-forgery');
  await dialog.getByRole('button', { name: 'Open a case' }).click();
  await page.getByText(/Case \d+ is open/).waitFor();
  const number = /\d+/.exec((await page.getByText(/Case \d+ is open/).textContent()) ?? '')?.[0];
  const supervisor = await staffScreen(browser, house, `/cases/${number}`, 'pit-supervisor');
  await supervisor.getByText('not genuine under UV').waitFor();
  await supervisor.getByText('without a thread').first().waitFor();
});

test('R-042: a suspicion whose check was not written down leaves its case behind: the next is another', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'cashier');
  const cases = async () => ((await house.ask('shift-manager', 'GET', '/api/cases?state=all')) as { case: number; words: string }[]).filter((one) => one.words.startsWith('Bundle'));
  await page.getByRole('button', { name: 'Suspected forgery' }).click();
  const dialog = page.locator('dialog[open]');
  const send = async (words: string): Promise<void> => {
    await dialog.getByLabel('What looks forged').fill(words);
    await dialog.getByLabel('not genuine under UV').check();
    await dialog.getByRole('button', { name: 'Open a case' }).click();
  };
  let checks = 0;
  await page.route('**/api/cases/*/steps', (route) => {
    checks += 1;
    return route.abort();
  }, { times: 2 });
  await send('Bundle A');
  await dialog.locator('.banner').waitFor();
  // Sent again as it was it is the same case; another note is another case.
  await dialog.getByRole('button', { name: 'Open a case' }).click();
  await expect.poll(() => checks).toBe(2);
  await dialog.locator('.banner').waitFor();
  expect((await cases()).map((one) => one.words)).toEqual(['Bundle A']);
  await send('Bundle B');
  await page.getByText(/Case \d+ is open/).waitFor();
  const [b, a] = (await cases()).sort((x, y) => y.case - x.case);
  expect([a?.words, b?.words]).toEqual(['Bundle A', 'Bundle B']);
  expect(await page.getByText(/Case \d+ is open/).textContent()).toContain(`${b?.case}`);
});

test('who may not write a UV check down is not asked for it', async () => {
  const page = await staffScreen(browser, house, '/cashier', 'head-of-operations');
  await page.getByRole('button', { name: 'Suspected forgery' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel('What looks forged').waitFor();
  expect(await dialog.getByText('UV', { exact: false }).count()).toBe(0);
});

test('the window fits every screen in every language', async () => {
  const languages: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
  for (const language of languages) {
    const page = await staffScreen(browser, house, '/cashier', 'shift-manager', { language });
    await page.locator('.forms option').first().waitFor({ state: 'attached' });
    for (const screen of ['desk', 'phone'] as const) {
      await fits(page, screen, language);
      await picture(page, `cashier-${language}-${screen}`);
    }
    await page.context().close();
  }
});
