// Situations no one plans for: each must look right and cost nothing.
import { expect, test } from 'vitest';
import { DESK, PHONE, WALL } from './lib/browser';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const LONG = 'the-grand-orchid-pavilion-upstairs-no-12.sic-bo';
const TABLES: TableSpec[] = [
  // A table for each test.
  ...['poor', 'suspended', 'asleep', 'tabs', 'skewed', 'rich', 'gone'].map((name) => ({
    name,
    book: 'mbs-etg',
    stations: [{ layout: 'rapid', count: 2 }],
    limits: { triple: '{ maximum = "50" }' },
  })),
  { name: LONG, book: 'rws-open-cover', stations: [{ layout: 'c', names: ['first', 'second', 'third'].map((one) => `The ${one} window of the honoured guests`) }] },
];
stageTables(TABLES, 'The Very Long Established Riverside Casino and Convention Resort');

const dealing = (table: string): Dealer => new Dealer(house, table, 'mbs-etg');

test('zero balance, credit exhausted, limit exceeded: struck through, with the reason', async () => {
  const terminal = await sit('poor');
  const dealer = dealing('poor');
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  // Whoever only wants to look puts the welcome aside.
  await terminal.press(terminal.page.locator('.welcome .choices button').nth(1));
  await terminal.choose('5');
  await terminal.tap('big');
  // Both are gone again after some seconds.
  await Promise.all([terminal.refused('Big: Not enough credit: you have 0.00.').waitFor(), terminal.note('Credit 0').waitFor(), terminal.page.locator('.chip.refused').waitFor()]);
  await terminal.figure('credit', '0.00');
  await picture(terminal.page, 'terminal-zero-balance');

  await terminal.insert('50');
  await terminal.choose('50');
  await terminal.tap('big');
  await terminal.registered('big', '50.00');
  await terminal.figure('credit', '0.00');
  await terminal.choose('5');
  await terminal.tap('small');
  await terminal.refused('Small: Not enough credit').waitFor();
  await terminal.insert('100');
  await terminal.choose('100');
  await terminal.tap('triple:6');
  await Promise.all([terminal.refused(/Triple 6: The maximum here is [\d.]+\./).waitFor(), terminal.note(/^Max\. \d+$/).waitFor(), terminal.page.locator('.chip.refused').first().waitFor()]);
  await picture(terminal.page, 'terminal-refused');
  await terminal.figure('credit', '100.00');
  await terminal.figure('bets', '50.00');
  await dealer.finish([6, 6, 6]);
  // A triple takes big: less came back than was staked.
  await terminal.figure('credit', '100.00');
});

test('play is suspended: everyone is told, and nobody can bet', async () => {
  const terminal = await sit('suspended');
  const dealer = dealing('suspended');
  await terminal.insert('50');
  await dealer.act({ act: 'suspend', reason: 'the lamp over the dome has failed' }, 'pit-supervisor');
  await terminal.banner('Play at this table is suspended').waitFor();
  await terminal.says('Play is suspended');
  await expect.poll(() => terminal.spot('big').getAttribute('aria-disabled')).toBe('true');
  await terminal.tapInVain('big');
  await terminal.figure('bets', '0.00');
  await picture(terminal.page, 'terminal-suspended');
  await dealer.act({ act: 'resume' }, 'pit-supervisor');
  await terminal.banner('suspended').waitFor({ state: 'detached' });
});

test('the round became void while the page slept', async () => {
  const terminal = await sit('asleep');
  const dealer = dealing('asleep');
  await terminal.insert('50');
  await dealer.callBets();
  await terminal.bet('odd', '10');
  const devtools = await terminal.page.context().newCDPSession(terminal.page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await dealer.act({ act: 'declare_void', cause: 'dome-broken' });
  await dealer.callBets();
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  // Awake again: the stake is back, the new round is there, and it says what happened.
  await Promise.all([
    terminal.figure('credit', '50.00'),
    terminal.figure('bets', '0.00'),
    // It is gone again some seconds after bets can be placed.
    terminal.banner('The dome broke').waitFor(),
    terminal.says(/place your bets/i),
  ]);
  await picture(terminal.page, 'terminal-void-while-asleep');
  await terminal.tap('even');
  await terminal.registered('even', '10.00');
  await dealer.finish([1, 2, 3]);
  await terminal.figure('credit', '60.00');
});

test('two tabs on one terminal: the first says so and can take it back', async () => {
  const seat = (await (await fetch(`${house.origin}/api/trial/seats`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"table":"tabs"}' })).json()) as { token: string };
  const context = await browser.station({ origin: house.origin });
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(`/play/tabs#${seat.token}`);
  await first.locator('.spot').first().waitFor();
  expect(first.url()).not.toContain(seat.token);
  await second.goto('/play/tabs');
  await second.locator('.spot').first().waitFor();
  await first.locator('.banner', { hasText: 'This terminal was opened elsewhere' }).waitFor();
  await picture(first, 'terminal-opened-elsewhere');
  await first.getByRole('button', { name: 'Play here' }).click();
  await first.locator('.spot').first().waitFor();
  await second.locator('.banner', { hasText: 'This terminal was opened elsewhere' }).waitFor();
});

test('a clock that is hours wrong: time left and time of day are the house’s', async () => {
  const context = await browser.station({ origin: house.origin });
  await context.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 5 * 3_600_000 + 7 * 60_000;
  });
  const terminal = await Terminal.sit(context, 'skewed');
  const dealer = dealing('skewed');
  await terminal.insert('50');
  await dealer.callBets();
  await terminal.bet('big', '10');
  const left = Number((await terminal.page.locator('header .play [role=timer]').getAttribute('aria-label'))?.match(/\d+/)?.[0]);
  // Of a window of an hour a minute at most has passed.
  expect(left).toBeGreaterThan(3_000);
  expect(left).toBeLessThanOrEqual(3_600);
  const shown = (await terminal.page.locator('time').textContent()) ?? '';
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  const here = new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Singapore' });
  expect((minutes(here) - minutes(shown) + 1_440) % 1_440).toBeLessThanOrEqual(2);
  await dealer.finish([1, 2, 3]);
});

test('very long names are cut short or wrapped, on every view and size', async () => {
  for (const size of [WALL, DESK, PHONE]) {
    const context = await browser.station({ origin: house.origin, size });
    const page = await context.newPage();
    for (const path of ['/', `/play/${LONG}`, `/wall/${LONG}`, `/console/${LONG}`]) {
      await page.goto(encodeURI(path));
      await page.locator('h1').first().waitFor();
      if (path.startsWith('/console')) await page.getByRole('button', { name: 'Dealer', exact: true }).click().then(() => page.locator('.go').waitFor());
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: `${path} at ${size.width}` }).toBeLessThanOrEqual(0);
    }
    await context.close();
  }
});

test('a million in credit fits everywhere and is exact', async () => {
  const context = await browser.station({ origin: house.origin, size: PHONE, touch: true });
  const page = await context.newPage();
  await page.goto('/');
  // A million over the counter.
  const answer = await page.request.post('/api/trial/seats', { data: { table: 'rich' } });
  const { token, station } = (await answer.json()) as { token: string; station: number };
  await dealing('rich').act({ act: 'buy_credit', request: 1, station, source: 'cage', amount: 1_000_000_00 }, 'shift-manager');
  await page.goto(`/play/rich#${token}`);
  await page.locator('.spot').first().waitFor();
  const terminal = new Terminal(page, true);
  await terminal.figure('credit', '1,000,000.00');
  await expect.poll(() => page.locator('[data-figure="credit"]').evaluate((dd) => dd.scrollWidth - dd.clientWidth)).toBeLessThanOrEqual(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await picture(page, 'terminal-million-phone');
  await terminal.press(page.locator('nav.tools button').nth(0));
  await page.getByRole('button', { name: 'Cash out 1,000,000.00' }).click();
  await page.locator('.ticket .sum', { hasText: '1,000,000.00 SGD' }).waitFor();
  await terminal.figure('credit', '0.00');
});

test('the lobby of a house that is gone says so and finds it again', async () => {
  const page = await (await browser.station({ origin: house.origin })).newPage();
  await page.goto('/');
  await page.locator('.tile').first().waitFor();
  const desk = await Console.sit(await browser.station({ origin: house.origin }), 'gone', 'mbs-etg');
  await house.kill();
  await desk.banner('Connection lost').waitFor();
  await house.start();
  await desk.page.getByRole('button', { name: 'Dealer', exact: true }).waitFor();
});
