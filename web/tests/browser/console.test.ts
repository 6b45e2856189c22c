// What a dealer and a supervisor meet at the console beside the round itself:
// the last round asked for and taken back, a held round in which betting goes
// on, who may do what and from where, and chips that come and go.
import { expect, test } from 'vitest';
import { browser, house, sit, stageTables } from './lib/stage';
import { Console } from './lib/console';
import { Desk } from './lib/pit';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { Dealer } from './lib/dealer';
import { accessible } from './lib/axe';

const TABLES: TableSpec[] = [
  { name: 'last', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] },
  { name: 'goes-on', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'whose', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'line', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'chips', book: 'mbs-table', stations: [{ layout: 'a', names: ['S1'] }] },
  { name: 'stacks', book: 'mbs-table', stations: [{ layout: 'a', names: ['S1'] }], limits: { minimum: '3' } },
];
stageTables(TABLES);

const console = async (table: string, book: string, position = 'Dealer'): Promise<Console> => Console.sit(await browser.station({ origin: house.origin }), table, book, position);

test('the last round is asked for, told to players, and taken back by a supervisor', async () => {
  const desk = await console('last', 'mbs-etg');
  const player = await sit('last');
  const controls = desk.page.locator('.controls');
  const announce = controls.getByRole('button', { name: 'Announce the last round' });
  const dialog = desk.page.locator('dialog[open]');
  // One touch does nothing yet, and can be thought better of.
  await announce.click();
  await dialog.getByText('Players are told at once').waitFor();
  await picture(desk.page, 'console-last-round');
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await desk.banner('last round').count()).toBe(0);
  await announce.click();
  await dialog.getByRole('button', { name: 'Announce the last round' }).click();
  await desk.banner('last round').waitFor();
  await player.page.locator('.banner', { hasText: 'last round' }).waitFor();
  // When a table closes is the pit's to say.
  expect(await controls.getByRole('button', { name: 'Take back the last round' }).count()).toBe(0);
  const supervisor = await Desk.open(browser, house, 'last', 'pit-supervisor');
  await supervisor.press('Take back the last round');
  await supervisor.press('Take back the last round', supervisor.dialog());
  await player.page.locator('.banner', { hasText: 'last round' }).waitFor({ state: 'detached' });
  // A round is played, and another begins: the table need not be closed and opened again.
  const dealer = new Dealer(house, 'last', 'mbs-etg');
  for (const dice of [[1, 2, 3], [4, 5, 6]] as [number, number, number][]) {
    await dealer.callBets();
    await dealer.finish(dice);
  }
  await house.verify();
});

test('a round held while bets are taken: betting goes on, for a whole window', async () => {
  const dealer = new Dealer(house, 'goes-on', 'rws-etg');
  const player = await sit('goes-on');
  await player.insert('50');
  await dealer.callBets();
  await player.bet('big', '10');
  const closes = async () => ((await dealer.state()) as { public: { round: { closes_ms: number } } }).public.round.closes_ms;
  const before = await closes();
  const manager = await Desk.open(browser, house, 'goes-on', 'shift-manager');
  await manager.press('Hold the round');
  // The dialog says which incident it is, and a ready phrase is one touch.
  await manager.dialog().getByRole('heading', { name: 'Hold the round for a decision' }).waitFor();
  await manager.press('A player disputes a bet', manager.dialog());
  const decision = manager.decision();
  await decision.getByText('A player disputes a bet').waitFor();
  await manager.press('Nobody had an advantage by it', decision);
  expect(await decision.getByRole('button', { name: /dice/i }).count()).toBe(0);
  await picture(manager.page, 'pit-betting-goes-on');
  await manager.press('Betting goes on', decision);
  await decision.waitFor({ state: 'detached' });
  expect(await closes()).toBeGreaterThan(before);
  await player.bet('small', '5');
  await dealer.finish([6, 6, 5]);
  await player.figure('credit', '55.00');
  await house.verify();
});

test('only what a person may do is offered, and a refusal says who may and from where', async () => {
  const dealer = await console('whose', 'rws-etg');
  const names = async (of: Console) => (await of.page.locator('.controls button').allTextContents()).map((name) => name.trim());
  expect(await names(dealer)).not.toContain('Suspend play');
  const supervisor = await Desk.open(browser, house, 'whose', 'pit-supervisor');
  await supervisor.page.locator('.controls').getByRole('button', { name: 'Suspend play' }).waitFor();
  expect(await supervisor.page.getByRole('button', { name: 'Change limits' }).count()).toBe(0);
  // The step that closes a table is named with whose it is, and is no key of the dealer's.
  await new Dealer(house, 'whose', 'rws-etg').act({ act: 'announce_last_round' });
  const play = new Dealer(house, 'whose', 'rws-etg');
  await play.callBets();
  await play.finish([1, 2, 4]);
  await dealer.page.locator('.go[disabled]', { hasText: 'Close the table' }).getByText('for: Pit supervisor or above').waitFor();
  // Asked all the same, the house names the position.
  const asked = await dealer.page.request.post('/api/tables/whose/acts', { data: { act: 'close_table' } });
  expect(asked.status()).toBe(403);
  expect(await asked.json()).toMatchObject({ code: 'not_authorised', needed: { position: 'pit-supervisor', or_above: true } });
  const told = async (problem: object, words: string): Promise<void> => {
    await dealer.page.route('**/acts', (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify({ code: 'not_authorised', detail: 'no', ...problem }) }), { times: 1 });
    await dealer.page.locator('.incidents').getByRole('button', { name: 'Call the supervisor' }).click();
    await dealer.banner(words).waitFor();
  };
  await told({ needed: { position: 'shift-manager', or_above: true }, rule: 'rws-etg 5.10' }, 'This is for: Shift manager or above.');
  await dealer.banner('rws-etg 5.10').waitFor();
  await told({ place: 'console' }, "dealt from the table's own console");
  await house.verify();
});

test('the console has a clock, the last results and the round, and no bright key while the line is down', async () => {
  const dealer = new Dealer(house, 'line', 'rws-etg');
  await dealer.callBets();
  await dealer.finish([1, 2, 4]);
  const context = await browser.station({ origin: house.origin });
  const desk = await Console.sit(context, 'line', 'rws-etg');
  const { page } = desk;
  await page.locator('time.clock', { hasText: /^\d\d:\d\d$/ }).waitFor();
  await page.getByText('After round 1').waitFor();
  expect((await page.getByRole('list', { name: 'Last results' }).getByRole('listitem').first().textContent())?.replace(/\s+/g, ' ').trim()).toMatch(/^1 ?7 ?1 2 4$/);
  await desk.next('Start the tumbler');
  await accessible(page, 'the console between rounds');
  await picture(page, 'console-between-rounds');
  await house.kill();
  await page.locator('.go[disabled]').waitFor();
  await house.start();
  await page.getByRole('button', { name: 'Dealer', exact: true }).click();
  await desk.next('Start the tumbler');
});

test('fills take a slip, denominations and two persons; tips and chips of players are counted too', async () => {
  const desk = await console('chips', 'mbs-table');
  const { page } = desk;
  const dialog = page.locator('dialog[open]');
  const move = async (how: string, count: number): Promise<void> => {
    await page.getByRole('button', { name: 'Fills, credits, tips' }).click();
    await dialog.getByLabel('What is done').selectOption({ label: how });
    await dialog.getByLabel(/^How many of/).first().fill(String(count));
  };
  const { info } = (await page.evaluate(async () => (await fetch('/api/tables/chips')).json())) as { info: { chips: number[] } };
  const chip = info.chips[0]!;
  const worth = (count: number) => ((chip * count) / 100).toFixed(2);
  await move('Fill: chips from the cage', 5);
  await dialog.getByText(worth(5)).waitFor();
  const propose = dialog.getByRole('button', { name: 'Propose' });
  expect(await propose.isDisabled()).toBe(true);
  await dialog.getByLabel('Number of the slip').fill('F-0012');
  await picture(page, 'console-fill');
  await propose.click();
  await dialog.waitFor({ state: 'detached' });
  const supervisor = await Desk.open(browser, house, 'chips', 'pit-supervisor');
  await supervisor.proposal().getByText(worth(5)).first().waitFor();
  await supervisor.press('Confirm as the second person', supervisor.proposal());
  await supervisor.proposal().waitFor({ state: 'detached' });
  for (const [how, count] of [['A player brings chips', 4], ['Tip: chips into the tip box', 1], ['A player takes chips away', 2]] as const) {
    await move(how, count);
    await dialog.getByRole('button', { name: 'Report' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  const { money } = (await house.ask('dealer', 'GET', '/api/tables/chips/staff')) as { money: { chips_outstanding: number } };
  expect(money.chips_outstanding).toBe(chip);
  await house.verify();
});

test('chips are entered one by one until they are a bet, and what is below the minimum at the close is pointed out', async () => {
  const dealer = new Dealer(house, 'stacks', 'mbs-table');
  await dealer.act({ act: 'move_chips', request: 1, how: 'brought', amount: 10_000, slip: '' });
  const desk = await console('stacks', 'mbs-table');
  const { page } = desk;
  await dealer.callBets();
  await page.locator('.felt').waitFor();
  // The smallest chip is a third of the minimum.
  await page.locator('.tray button, [role="radiogroup"] [role="radio"]').first().click();
  const lies = async () => ((await dealer.state()) as { stations: { chips: { section: string; stake: number }[] }[] }).stations[0]!.chips;
  const big = page.locator('[data-section="big"]');
  for (const amount of ['1.00', '2.00']) {
    await big.click();
    await desk.banner(`S1, Big: ${amount} is below the minimum of 3.00`).waitFor();
  }
  expect(await lies()).toEqual([]);
  await big.click();
  await expect.poll(lies).toEqual([{ section: 'big', stake: 300 }]);
  expect(await desk.banner('below the minimum').count()).toBe(0);
  await page.locator('[data-section="small"]').click();
  await desk.banner('S1, Small: 1.00').waitFor();
  await dealer.closeBets();
  await desk.banner('S1, Small: 1.00 was below the minimum of 3.00 at the close. It is no bet: hand it back.').waitFor();
  await picture(page, 'console-below-minimum');
  await dealer.dice([1, 2, 3]);
  await house.verify();
});
