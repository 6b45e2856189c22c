// J-01 on every layout: a new player buys in, plays a round and cashes out,
// at a house whose dice a dealer keys at the console; on tables with chips,
// the seats of the console (layouts.md, the odds of each document).
import { describe, expect, test } from 'vitest';
import { WALL } from './lib/browser';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const LAYOUTS: [book: string, layout: string][] = [
  ['rws-etg', 'a'],
  ['rws-etg', 'b'],
  ['rws-etg', 'c'],
  ['mbs-etg', 'rapid'],
  ['mbs-etg', 'alfastreet'],
  ['rws-open-cover', 'a'],
  ['rws-open-cover', 'b'],
  ['rws-open-cover', 'c'],
  ['mbs-table', 'a'],
  ['mbs-table', 'b'],
  ['quang-nam-table', 'a'],
];
const TABLES: TableSpec[] = LAYOUTS.map(([book, layout]) => ({ name: `${book}.${layout}`, book, stations: [{ layout, count: 2 }] }));

stageTables(TABLES);

test('J-01: a round on Rapid by touch, in Chinese from the first screen, to the cent', async () => {
  const table = 'mbs-etg.rapid';
  const room = await browser.station({ origin: house.origin, size: WALL, touch: true });
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'mbs-etg');
  const page = await room.newPage();
  const terminal = new Terminal(page, true);
  await page.goto('/');
  await page.locator('.tile').nth(10).waitFor();
  await page.locator('select').first().selectOption({ label: '简体中文' });
  await page.locator('.tile', { hasText: table }).locator('nav a').first().tap();
  await page.locator('.spot').first().waitFor();

  // What an idle terminal shows: limits, the rule book, the order of play.
  await page.locator('.limit-strip dd', { hasText: '1 – 1,000' }).waitFor();
  await page.locator('.order', { hasText: '先摇骰' }).waitFor();

  await terminal.insert('100');
  await terminal.figure('credit', '100.00');

  await desk.tumble();
  await page.locator('.strip .dot.done').nth(2).waitFor();
  await desk.enter('Call for bets');
  // The book's own words, and the player's language beside them.
  await terminal.says(/place your bets/i);
  await terminal.says('请下注');

  await terminal.choose('5');
  await terminal.tap('big');
  await terminal.tap('big');
  await terminal.tap('total:11');
  await terminal.tap('four:6543');
  await terminal.registered('big', '10.00');
  await terminal.registered('total:11', '5.00');
  await terminal.registered('four:6543', '5.00');

  // The card of a section: 6.5 to 1 as Rapid prints it, 27 of 216, 6.25 %.
  await terminal.press(page.locator('nav.tools button').nth(1));
  await terminal.tap('total:11');
  const about = page.locator('section.about');
  await about.waitFor();
  const told = (await about.textContent()) ?? '';
  for (const words of ['6.5 to 1', '27', '216', '6.25']) expect(told).toContain(words);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });

  await desk.enter('No more bets');
  await terminal.says(/no more bets/i);
  await page.locator('.spot[aria-disabled="true"]').first().waitFor();
  await terminal.figure('bets', '20.00');
  await terminal.figure('credit', '80.00');
  await terminal.tapInVain('small');

  await desk.dice([4, 3, 4]);
  const card = terminal.card();
  await card.waitFor();
  expect(await card.locator('.dice').first().textContent()).toMatch(/11.*大.*单/s);
  expect(await card.locator('li.won b').allTextContents()).toEqual(['大', '11 点']);
  expect(await card.locator('li.won .sum').allTextContents()).toEqual(['20.00', '37.50']);
  expect(await card.locator('li.lost').textContent()).toMatch(/3-4-5-6.*5\.00/s);
  await expect.poll(() => card.locator('dd').allTextContents()).toEqual(['20.00', '57.50', '+37.50', '137.50']);
  await terminal.figure('credit', '137.50');
  await terminal.figure('net', '+37.50');
  expect(await card.locator('.code code').textContent()).toMatch(/\S{6,}/);

  // The voucher as printed; nothing is left.
  await terminal.press(page.locator('nav.tools button').nth(0));
  await terminal.press(page.locator('dialog[open] .button.brass', { hasText: '137.50' }));
  const ticket = page.locator('.ticket');
  await ticket.locator('.sum', { hasText: '137.50 SGD' }).waitFor();
  await ticket.locator('.picture svg').waitFor();
  await picture(page, 'terminal-voucher');
  // How the visit went, beside it: 20.00 staked, 57.50 came back.
  for (const [what, figure] of [['staked', '20.00'], ['won', '57.50'], ['net', '+37.50']] as const) await page.locator(`dialog[open] .left [data-stands=${what}]`, { hasText: figure }).waitFor();
  await terminal.figure('credit', '0.00');
});

test('a player\'s own result is of every round since they came, also after the page was loaded anew', async () => {
  const table = 'rws-etg.c';
  const dealer = new Dealer(house, table, 'rws-etg');
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), table);
  await terminal.insert('100');
  await terminal.choose('10');
  for (const [dice, net] of [[[1, 2, 3], '−10.00'], [[1, 1, 2], '−20.00'], [[4, 5, 6], '−10.00']] as const) {
    await dealer.callBets();
    await terminal.says(/place your bets/i);
    await terminal.tap('big');
    await terminal.registered('big', '10.00');
    await dealer.finish([...dice]);
    await terminal.figure('net', net);
    await terminal.page.reload();
    await terminal.page.locator('.spot').first().waitFor();
    await terminal.figure('net', net);
    await terminal.choose('10');
  }
  await terminal.figure('credit', '90.00');
});

test('somebody else at a terminal finds nothing open that the one before opened', async () => {
  const table = 'rws-etg.a';
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), table);
  const { page } = terminal;
  await terminal.insert('50');
  await page.locator('nav.tools button').nth(0).click();
  // A number half typed, and all the money taken out: the ticket is there to be read.
  await page.getByLabel('Validation number').fill('12-3456');
  await page.getByRole('button', { name: /^Cash out/ }).click();
  await page.locator('dialog .ticket', { hasText: '50.00' }).waitFor();
  // Who plays here now is said in a frame of its own.
  await expect.poll(() => page.getByLabel('Validation number').inputValue()).toBe('');
  await page.reload();
  await page.locator('.spot').first().waitFor();
  await page.locator('nav.tools button').nth(2).click();
  await page.locator('dialog[open]').waitFor();
  const stations = (await house.ask('shift-manager', 'GET', '/api/stations')) as { table: string; station: number; name: string }[];
  const name = ((await page.locator('.facts').first().textContent()) ?? '').split(' ')[0];
  const at = stations.find((one) => one.table === table && one.name === name);
  await house.ask('shift-manager', 'POST', `/api/tables/${table}/acts`, { act: 'buy_credit', request: 7_001, station: at?.station, source: 'cage', amount: 2_000 });
  await terminal.figure('credit', '20.00');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
});

/** What comes back for 10 on big, 5 on total 11, 5 on double 4 and 5 on a section that loses, on 3-4-4. */
const RETURNS: Record<string, { loses: string; total: string; double: string; credit: string; net: string }> = {
  // 1 wins 6 1/2: 37.50; 1 wins 11 1/2: 62.50.
  'rws-etg.a': { loses: 'four:6543', total: '37.50', double: '62.50', credit: '195.00', net: '+95.00' },
  'rws-etg.b': { loses: 'double-single:334', total: '37.50', double: '62.50', credit: '195.00', net: '+95.00' },
  'mbs-etg.alfastreet': { loses: 'pair:5-6', total: '37.50', double: '62.50', credit: '195.00', net: '+95.00' },
  'rws-open-cover.a': { loses: 'four:6543', total: '37.50', double: '62.50', credit: '195.00', net: '+95.00' },
  'rws-open-cover.b': { loses: 'three-single:126', total: '37.50', double: '62.50', credit: '195.00', net: '+95.00' },
  // 1:6, 35.00; 1:11, 60.00.
  'rws-etg.c': { loses: 'four:4321', total: '35.00', double: '60.00', credit: '190.00', net: '+90.00' },
  'rws-open-cover.c': { loses: 'any-triple', total: '35.00', double: '60.00', credit: '190.00', net: '+90.00' },
};

describe.each(Object.entries(RETURNS))('%s', (table, returns) => {
  test('a round with its own odds', async () => {
    const book = table.slice(0, table.lastIndexOf('.'));
    const room = await browser.station({ origin: house.origin, touch: true });
    const desk = await Console.sit(await browser.station({ origin: house.origin }), table, book);
    const terminal = await Terminal.sit(room, table, true);
    await terminal.insert('100');
    await desk.callBets();
    await terminal.says(/place your bets/i);
    await terminal.choose('5');
    for (const section of ['big', 'big', 'total:11', 'double:4', returns.loses]) await terminal.tap(section);
    await terminal.figure('bets', '25.00');
    await terminal.figure('credit', '75.00');
    await desk.closeBets();
    await desk.dice([4, 3, 4]);
    await terminal.card().waitFor();
    expect(await terminal.line('Big').locator('.sum').textContent()).toBe('20.00');
    expect(await terminal.line('Total 11').locator('.sum').textContent()).toBe(returns.total);
    expect(await terminal.line('Double 4').locator('.sum').textContent()).toBe(returns.double);
    expect(await terminal.card().locator('li.lost .sum').textContent()).toBe('0.00');
    await terminal.figure('credit', returns.credit);
    await terminal.figure('net', returns.net);
  });
});

/** Chips on the seats of the console; take and pay. */
const SEATS: [table: string, chip: string, lines: [string, string][], winnings: string][] = [
  // The stakes lie on the felt: 10 (1 to 1) + 30 (6 to 1) + 55 (11 to 1) are paid.
  ['mbs-table.a', '5', [['Big', 'pay'], ['Total 11', 'pay'], ['Double 4', 'pay'], ['Any triple', 'take']], 'pay 95.00'],
  ['mbs-table.b', '5', [['Big', 'pay'], ['Total 11', 'pay'], ['Double 4', 'pay'], ['Any triple', 'take']], 'pay 95.00'],
  // 1:1, 1:6 and 1:8 on 50,000 each, 100,000 on Big: 100,000 + 300,000 + 400,000.
  ['quang-nam-table.a', '50,000', [['Big', 'pay'], ['Total 11', 'pay'], ['Double 4', 'pay'], ['Any triple', 'take']], 'pay 800,000'],
];

describe.each(SEATS)('%s', (table, chip, lines, winnings) => {
  test('chips on a seat, taken and paid from the console', async () => {
    const book = table.slice(0, table.lastIndexOf('.'));
    const desk = await Console.sit(await browser.station({ origin: house.origin }), table, book);
    const { page } = desk;
    await desk.callBets();
    if (book === 'mbs-table') await desk.tumble();
    await page.getByRole('radio', { name: `Chip ${chip}`, exact: true }).click();
    for (const section of ['big', 'big', 'total:11', 'double:4', 'any-triple']) {
      const before = (await page.locator('.exposure dd').first().textContent()) ?? '';
      await page.locator(`[data-section="${section}"]`).click();
      await page.waitForFunction((before) => document.querySelector('.exposure dd')?.textContent !== before, before);
    }
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await desk.enter('No more bets');
    await desk.dice([4, 3, 4]);
    const pay = page.locator('.pay');
    await pay.waitFor();
    for (const [name, what] of lines) {
      await pay.locator('li', { hasText: name }).filter({ hasText: what }).waitFor();
    }
    await expect.poll(() => pay.locator('.chips b').textContent()).toBe(winnings);
    // Where lights show the winning areas, chips move after them (004 4.7); elsewhere
    // the round ends with the confirmation, and what to take and pay stays in view.
    if (book === 'quang-nam-table') {
      await desk.enter('The winning areas are lit');
      await desk.enter('Bets taken and paid');
    }
    await desk.next(/Start the tumbler|Call for bets/);
  });
});
