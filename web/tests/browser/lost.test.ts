// What is lost and comes back: the house under open pages (J-05), a terminal's
// network in the middle of a bet (J-06).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cable } from './lib/cable';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import { House } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const BOOK = 'rws-etg';
let dealer: Dealer;
/** A table for each test. */
const NAMES = Array.from({ length: 8 }, (_, at) => `table-${at}`);
let table = '';
stage(() => House.open(NAMES.map((name) => ({ name, book: BOOK, stations: [{ layout: 'b', count: 1 }] }))));
beforeEach(async () => {
  table = NAMES.shift() ?? '';
  dealer = new Dealer(house, table, BOOK);
  await dealer.open();
});

/** A player with 100 and 20 on big, at a table that takes bets. */
async function playing(origin = house.origin): Promise<Terminal> {
  const terminal = await Terminal.sit(await browser.station({ origin }), table);
  await terminal.insert('100');
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await terminal.choose('10');
  await terminal.tap('big');
  await terminal.tap('big');
  await terminal.registered('big', '20.00');
  await terminal.figure('credit', '80.00');
  return terminal;
}

test('J-05: killed while bets are taken: void, and every stake comes back', async () => {
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, BOOK);
  const terminal = await playing();
  await house.kill();
  await terminal.banner('Connection lost').waitFor();
  // Nobody is asked to bet where no bet is taken.
  await terminal.says('Bets paused');
  await terminal.page.locator('.felt.lost').waitFor();
  await expect.poll(() => terminal.page.locator('[data-told="now"]').textContent()).toBe('Bets paused, reconnecting.');
  expect(await terminal.banner('Connection lost').textContent()).toContain('20.00 accepted');
  await desk.banner('Connection lost').waitFor();
  await house.start();
  // What was registered is there, and nothing else can be done with it.
  await terminal.banner('Connection lost').waitFor({ state: 'detached' });
  await terminal.figure('bets', '20.00');
  await terminal.figure('credit', '80.00');
  await terminal.page.locator('.spot[data-section="small"][aria-disabled="true"]').waitFor();
  await terminal.says('waiting for a decision');
  // Everyone logs in anew.
  await desk.page.getByRole('button', { name: 'Dealer', exact: true }).click();
  const decision = desk.page.locator('.decision', { hasText: 'The round was interrupted' });
  await decision.waitFor();
  expect(await decision.textContent()).toContain('5.1.2');
  expect(await decision.textContent()).toContain('No outcome was established');
  // No way on is offered: the round can only be void.
  expect(await decision.getByRole('button').allTextContents()).toEqual(['Confirm: the round is void']);
  await decision.getByRole('button', { name: 'Confirm: the round is void' }).click();
  await terminal.card().locator('.void').waitFor();
  expect(await terminal.card().textContent()).toContain('5.1.2');
  await terminal.figure('credit', '100.00');
  await terminal.figure('bets', '0.00');
  await desk.next('Start the tumbler');
});

test('J-05: killed with the bets closed under the cover: nothing is established, void', async () => {
  const terminal = await playing();
  await dealer.closeBets();
  await dealer.everyoneShown();
  await house.kill();
  await house.start();
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, BOOK);
  const decision = desk.page.locator('.decision', { hasText: 'No outcome was established' });
  await decision.getByRole('button', { name: 'Confirm: the round is void' }).click();
  await terminal.card().locator('.void').waitFor();
  await terminal.figure('credit', '100.00');
});

test('J-05: killed when the dice can be seen: they still lie there, and the round is concluded', async () => {
  const terminal = await playing();
  await dealer.closeBets();
  await dealer.everyoneShown();
  await dealer.act({ act: 'uncover' });
  await house.kill();
  await terminal.banner('Connection lost').waitFor();
  await house.start();
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, BOOK);
  const witness = await Console.sit(await browser.station({ origin: house.origin }), table, BOOK, 'Pit supervisor');
  const decision = desk.page.locator('.decision', { hasText: 'The round was interrupted' });
  expect(await decision.textContent()).toContain('The outcome was established');
  expect(await decision.textContent()).toContain('still in place, flat and visible?');
  await decision.getByRole('button', { name: 'Yes, they are' }).click();
  await witness.page.getByRole('button', { name: 'Confirm as the second person' }).click();
  await decision.waitFor({ state: 'detached' });
  await desk.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await desk.enter('All three lie flat');
  await desk.key(1).waitFor();
  await desk.keys(6, 5, 1);
  await desk.enter('Confirm the result');
  await terminal.card().waitFor();
  await terminal.figure('credit', '120.00');
});

let cable: Cable;
beforeEach(async () => {
  cable = await Cable.lay(house.port);
});
afterEach(() => cable.remove());

/** What the house has registered for whoever has anything at risk. */
async function atRisk(): Promise<number> {
  const { stations } = (await dealer.state()) as { stations: { at_risk: number }[] };
  return stations.reduce((sum, station) => sum + station.at_risk, 0);
}

test('J-06: a bet that never arrived is sent again, once', async () => {
  const terminal = await playing(cable.origin);
  await terminal.choose('50');
  cable.deafHouse = true;
  await terminal.tap('big');
  await terminal.page.locator('.chip.sent').waitFor();
  cable.pull();
  const banner = terminal.banner('Connection lost');
  await banner.waitFor();
  const told = await banner.textContent();
  expect(told).toContain('20.00 accepted');
  expect(told).toContain('50.00 not confirmed');
  await picture(terminal.page, 'terminal-connection-lost');
  expect(await atRisk()).toBe(2_000);
  // Nothing more can be bet while it lasts.
  await terminal.tapInVain('small');
  cable.plug();
  await terminal.registered('big', '70.00');
  await banner.waitFor({ state: 'detached' });
  await terminal.figure('credit', '30.00');
  expect(await atRisk()).toBe(7_000);
  await dealer.finish([1, 2, 3]);
  await terminal.figure('credit', '30.00');
});

test('J-06: a bet that arrived while its answer was lost is not charged twice', async () => {
  const terminal = await playing(cable.origin);
  await terminal.choose('50');
  cable.deafPage = true;
  await terminal.tap('big');
  await expect.poll(atRisk).toBe(7_000);
  await terminal.page.locator('.chip.sent').waitFor();
  cable.pull();
  await terminal.banner('50.00 not confirmed').waitFor();
  cable.plug();
  await terminal.registered('big', '70.00');
  await terminal.page.locator('.chip.sent').waitFor({ state: 'detached' });
  expect(await atRisk()).toBe(7_000);
  await terminal.figure('credit', '30.00');
  await dealer.finish([4, 5, 6]);
  await terminal.figure('credit', '170.00');
});

test('J-06: a bet that was lost until after the close is returned, what was registered is settled', async () => {
  const terminal = await playing(cable.origin);
  await terminal.choose('50');
  cable.deafHouse = true;
  await terminal.tap('total:15');
  await terminal.page.locator('.chip.sent').waitFor();
  cable.pull();
  await terminal.banner('Connection lost').waitFor();
  await dealer.finish([4, 5, 6]);
  cable.plug();
  await terminal.card().waitFor();
  // 20 on big came back as 40; the 50 that never arrived was never charged.
  await expect.poll(() => terminal.card().locator('li').count()).toBe(1);
  await terminal.figure('credit', '120.00');
  await terminal.figure('bets', '0.00');
  await terminal.page.locator('.chip.sent').waitFor({ state: 'detached' });
  // The code to scan is drawn by a part of the app that is fetched with the first card.
  await terminal.card().locator('.check svg').waitFor();
});

test('J-06: a cash-out whose answer was lost is answered again: one voucher, shown when the house is back', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: cable.origin }), table);
  await terminal.insert('100');
  await terminal.page.locator('nav.tools button').nth(0).click();
  await terminal.page.getByRole('button', { name: 'Cash out 100.00' }).waitFor();
  cable.deafPage = true;
  await terminal.page.getByRole('button', { name: 'Cash out 100.00' }).click();
  const credit = async () => ((await dealer.state()) as { stations: { credit: number }[] }).stations.reduce((sum, one) => sum + one.credit, 0);
  await expect.poll(credit).toBe(0);
  cable.pull();
  await terminal.page.locator('dialog .banner', { hasText: 'request is saved' }).waitFor();
  await picture(terminal.page, 'terminal-money-waits');
  cable.plug();
  const ticket = terminal.page.locator('dialog .ticket');
  await ticket.waitFor();
  expect(await ticket.textContent()).toContain('100.00');
  await terminal.figure('credit', '0.00');
  const vouchers = (await house.ask('shift-manager', 'GET', '/api/cage/vouchers')) as { table: string; amount: number }[];
  expect(vouchers.filter((one) => one.table === table).map((one) => one.amount)).toEqual([10_000]);
});

test('J-06: a page loaded anew while a cash-out was unanswered shows its voucher', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: cable.origin }), table);
  await terminal.insert('100');
  await terminal.page.locator('nav.tools button').nth(0).click();
  await terminal.page.getByRole('button', { name: 'Cash out 100.00' }).waitFor();
  cable.deafHouse = true;
  await terminal.page.getByRole('button', { name: 'Cash out 100.00' }).click();
  await terminal.page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.startsWith('sicbo.asks.')));
  cable.pull();
  cable.plug();
  await terminal.page.reload();
  await terminal.page.locator('dialog .ticket', { hasText: '100.00' }).waitFor();
  await terminal.figure('credit', '0.00');
});
