// J-09: the end of a shift, at terminals and at a table with chips. What every
// figure of the report must be is worked out here by hand.
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { DESK, WALL, type Language } from './lib/browser';
import { Dealer, type Dice } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { fits, SCREENS, staffScreen } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'lotus', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] },
  { name: 'garden', book: 'mbs-table', stations: [{ layout: 'a', names: ['S1'] }] },
  { name: 'river', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1', 'S2'] }] },
];
stageTables(TABLES);

/** The outgoing and the incoming manager, each at a screen of their own. */
async function managers(path: string): Promise<[Page, Page]> {
  return [await staffScreen(browser, house, path, 'shift-manager'), await staffScreen(browser, house, path, 'director')];
}

const card = (page: Page, table: string) => page.locator('li.panel', { has: page.getByRole('heading', { name: table, exact: true }) }).first();
const dialog = (page: Page) => page.locator('dialog[open]');
const proposal = (page: Page) => page.locator('article.proposal');

/** The numbers of the drop box and the tip box. */
async function lockedBoxes(page: Page, [drop, tips]: string[]): Promise<void> {
  if (drop !== undefined) await dialog(page).getByLabel('Drop box no.').fill(drop);
  if (tips !== undefined) await dialog(page).getByLabel('Tip box no.').fill(tips);
}

async function openShift(one: Page, other: Page, table: string, opener: string, boxes: string[] = []): Promise<void> {
  await card(one, table).getByRole('button', { name: 'Open a shift' }).click();
  await dialog(one).getByLabel('Opener: Other amount').fill(opener);
  await lockedBoxes(one, boxes);
  await dialog(one).getByRole('button', { name: 'Propose' }).click();
  await proposal(other).getByRole('button', { name: 'Confirm as the second person' }).click();
  await card(other, table).getByText('opened by Goh Boon Keng + Margaret Oliveiro').waitFor();
}

interface Counted {
  closer: string;
  fills: string;
  credits: string;
}

/** Fills the form; nothing is proposed yet. */
async function count(page: Page, table: string, counted: Counted): Promise<void> {
  await card(page, table).getByRole('button', { name: 'Close the shift' }).click();
  const form = dialog(page);
  await form.getByLabel('Closer: Other amount').fill(counted.closer);
  await form.getByLabel('Fills by the slips').fill(counted.fills);
  await form.getByLabel('Credits by the slips').fill(counted.credits);
}

/** The soft count of a table's boxes, by a cashier and a manager who signed for nothing. */
async function softCount(table: string, drop: string | Record<string, number>, tips: string, [dropBox, tipBox]: string[] = []): Promise<void> {
  const window = await staffScreen(browser, house, '/cashier', 'cashier');
  const boxes = window.getByRole('region', { name: 'Soft count' }).locator('li', { hasText: table });
  await boxes.getByRole('button', { name: 'Count the boxes' }).click();
  const form = dialog(window);
  const counted = typeof drop === 'string' ? { 'Other amount': drop } : Object.fromEntries(Object.entries(drop).map(([value, notes]) => [`number of ${value}`, String(notes)]));
  for (const [name, notes] of Object.entries(counted)) await form.getByLabel(`Drop box: ${name}`).fill(notes);
  await form.getByLabel('Tip box: Other amount').fill(tips);
  // Nothing says how much it should be.
  expect(await form.textContent()).not.toContain('expected');
  await accessible(window, 'the soft count');
  await picture(window, `soft-count-${table}-en-1280`);
  if (dropBox !== undefined && tipBox !== undefined) {
    // The numbers are read from the boxes: another box is not this table's.
    await lockedBoxes(window, ['D-99', tipBox]);
    await propose(window).click();
    await form.getByText('Those are not the numbers of the boxes').waitFor();
    await lockedBoxes(window, [dropBox]);
  }
  await propose(window).click();
  await form.waitFor({ state: 'detached' });
  const second = await staffScreen(browser, house, '/shifts', 'pit-manager');
  await proposal(second).getByRole('button', { name: 'Confirm as the second person' }).click();
  await boxes.waitFor({ state: 'detached' });
  for (const page of [window, second]) await page.context().close();
}

const propose = (page: Page) => dialog(page).getByRole('button', { name: 'Propose' });

/** Two of the staff without a page do something at a table. */
async function two(table: string, one: string, other: string | Page, act: object, dice?: Dice): Promise<void> {
  const path = `/api/tables/${table}/proposals`;
  const { proposal, digest } = (await house.ask(one, 'POST', path, act)) as { proposal: number; digest: string };
  const confirmation = dice === undefined ? { digest } : { digest, dice };
  if (typeof other === 'string') {
    await house.ask(other, 'POST', `${path}/${proposal}/confirm`, confirmation);
    return;
  }
  const answer = await other.request.post(`${path}/${proposal}/confirm`, { data: confirmation });
  expect(answer.status(), await answer.text()).toBe(200);
}

const correct = (table: string, round: number, dice: Dice, other: string | Page) =>
  two(table, 'pit-supervisor', other, { act: 'correct_result', round, dice, evidence: 'camera 4', conducted: true }, dice);

async function bet(dealer: Dealer, terminal: Terminal, chip: string, section: string): Promise<void> {
  await dealer.callBets();
  await terminal.bet(section, chip);
}

/** The figures at the top of a report by their names. */
async function figures(page: Page): Promise<Record<string, string>> {
  await page.locator('dl.figures').waitFor();
  const read = () => [...document.querySelectorAll('dl.figures > div')].map((one) => [one.querySelector('dt')?.textContent ?? '', one.querySelector('dd')?.firstChild?.textContent ?? '']);
  return Object.fromEntries(await page.evaluate(read)) as Record<string, string>;
}

/** The lines of a register, cell by cell. */
async function register(page: Page, title: string): Promise<string[][]> {
  const rows = page.getByRole('region', { name: title, exact: true }).locator('tbody tr');
  await rows.first().waitFor();
  return Promise.all((await rows.all()).map((row) => row.locator('th, td').allTextContents()));
}

interface Report {
  from: number;
  to: number;
  result: { handle: number; returned: number; win: number; drop: number; theoretical: { exact: string }; z: number; variance: string };
  counted: { lines: { what: string; counted: number; recorded: number; variance: number }[]; win_by_count: number };
  ledger: { balances: boolean; reconciles: boolean; book_win: number };
  meters: { reconciles: boolean | null }[];
  shift: { signed_by: string[]; fingerprint: string; comment: string };
  later: { round: number; win_change: number }[];
  win_with_later: number;
}

test('J-09 mbs-etg: a shift at terminals is counted, signed by two managers, and reported to the cent', async () => {
  const dealer = new Dealer(house, 'lotus', 'mbs-etg');
  const [outgoing, incoming] = await managers('/shifts');
  await openShift(outgoing, incoming, 'lotus', '0');
  const player = await sit('lotus');
  await player.insert('100');
  // Round 1: 10 on big wins 10. Round 2: 5 on big is lost. Round 3 is void.
  await bet(dealer, player, '10', 'big');
  const none: Counted = { closer: '0', fills: '0', credits: '0' };
  await dealer.finish([4, 5, 6]);
  await bet(dealer, player, '5', 'big');
  await dealer.finish([1, 2, 3]);
  await bet(dealer, player, '10', 'big');
  await dealer.act({ act: 'declare_void', cause: 'dice-exposed-early' });
  // Round 4 is registered as 1 2 3 and corrected to 4 5 6: 20 comes back.
  await bet(dealer, player, '10', 'big');
  await dealer.finish([1, 2, 3]);
  await player.figure('credit', '95.00');
  await correct('lotus', 4, [4, 5, 6], 'shift-manager');
  await player.figure('credit', '115.00');
  await house.ask('pit-supervisor', 'POST', '/api/cases', { table: 'lotus', kind: 'dispute', round: 4, station: 0, reason: 'wrong_result', words: 'The dice showed 4 5 6' });
  await dealer.act({ act: 'announce_last_round' });
  await bet(dealer, player, '10', 'small');
  await dealer.finish([1, 2, 4]);
  await player.figure('credit', '125.00');
  await dealer.act({ act: 'close_table' }, 'pit-supervisor');

  // Counts are blind: nothing on the page says what should be there before one is entered.
  await count(outgoing, 'lotus', { ...none, closer: '201' });
  expect(await outgoing.textContent('body')).not.toContain('expected');
  await propose(outgoing).click();
  await dialog(outgoing).waitFor({ state: 'detached' });
  // A difference above 100.00 needs a comment before anybody signs for it.
  await proposal(outgoing).getByText('A difference above 100.00 needs a comment.').waitFor();
  const signs = proposal(incoming).getByRole('button', { name: 'Confirm as the second person' });
  await proposal(incoming).getByText('expected 0.00').waitFor();
  expect(await signs.isDisabled()).toBe(true);
  await proposal(outgoing).getByLabel('Comment').fill('counted in haste');
  await proposal(outgoing).getByRole('button', { name: 'Add the comment' }).click();
  await proposal(incoming).getByText('counted in haste').waitFor();
  await expect.poll(() => signs.isDisabled()).toBe(false);
  // It is counted anew all the same; both counts are on record. The slips must match.
  await proposal(outgoing).getByRole('button', { name: 'Withdraw' }).click();
  await proposal(outgoing).waitFor({ state: 'detached' });
  await count(outgoing, 'lotus', { ...none, fills: '50' });
  await propose(outgoing).click();
  await dialog(outgoing).getByText('The slips on paper do not add up').waitFor();
  await dialog(outgoing).getByLabel('Fills by the slips').fill('0');
  await dialog(outgoing).getByLabel('Comment').fill('one note is torn and kept apart');
  await accessible(outgoing, 'closing a shift');
  await picture(outgoing, 'shift-closing-en-1280');
  for (const screen of ['phone', 'desk'] as const) await fits(outgoing, screen, 'closing a shift');
  await propose(outgoing).click();
  await dialog(outgoing).waitFor({ state: 'detached' });
  // Who proposes cannot sign for the other; who signs sees what was counted.
  expect(await proposal(outgoing).getByRole('button', { name: 'Confirm as the second person' }).count()).toBe(0);
  await proposal(incoming).getByText('one note is torn').waitFor();
  await picture(incoming, 'shift-second-en-1280');
  await proposal(incoming).getByRole('button', { name: 'Confirm as the second person' }).click();
  const past = incoming.getByRole('region', { name: 'Closed shifts' });
  await past.getByText('signed by Goh Boon Keng + Margaret Oliveiro').waitFor();
  await past.getByText('waits for the soft count').first().waitFor();
  await softCount('lotus', '99', '0');
  await past.getByText('expected 100.00').waitFor();
  await past.getByText('Boxes counted by Chua Mei Fong + Nurul Aisyah').waitFor();
  await accessible(incoming, 'shifts');
  await picture(incoming, 'shifts-en-1280');
  await past.getByRole('link', { name: 'Report' }).click();

  // 10, 5, 10 and 10 stand settled: 35; 20, 0, 20 and 20 came back: −25.
  const shown = await figures(incoming);
  expect(shown).toMatchObject({ Handle: '35.00', Win: '−25.00', Drop: '100.00', Hold: '−25.00 %', Rounds: '5', Void: '1', Corrections: '1', Bets: '5' });
  // Big and small lose to the house on the 6 triples of 216: 35 × 6/216 = 0.97…
  const theoretical = (3_500 * 6) / 216;
  // A stake s at evens: mean s/36, square s² in any case.
  const variance = [1_000, 500, 1_000, 1_000].reduce((sum, stake) => sum + stake * stake * (1 - 1 / 36 ** 2), 0);
  const z = (-2_500 - theoretical) / Math.sqrt(variance);
  expect(shown['Standard deviations']).toBe(z.toFixed(2).replace('-', '−'));
  const counts = incoming.getByRole('region', { name: 'Shift 1', exact: true });
  await counts.getByText('Goh Boon Keng').first().waitFor();
  await counts.getByText('one note is torn and kept apart').waitFor();
  const line = async (name: string) => (await counts.locator('tbody tr', { has: incoming.getByRole('rowheader', { name, exact: true }) }).locator('td').allTextContents()).map((one) => one.trim());
  expect(await line('Drop box')).toEqual(['99.00', '100.00', '−1.00']);
  expect(await line('Closer')).toEqual(['0.00', '0.00', '0.00']);
  const voids = await register(incoming, 'Void rounds');
  expect(voids).toHaveLength(1);
  expect([voids[0]![0]!.startsWith('3'), voids[0]![4]]).toEqual([true, '10.00']);
  const corrections = await register(incoming, 'Corrections');
  expect([corrections[0]![0]!.startsWith('4'), corrections[0]![1], corrections[0]![2], corrections[0]![6]]).toEqual([true, '1-2-3', '4-5-6', '−20.00']);
  const meters = await register(incoming, 'Meters');
  // 100 in, 45 staked, 40 and 10 back, 20 by the correction, nothing out: 125.
  expect(meters[0]!.map((cell) => cell.trim())).toEqual(['T1', '0.00', '100.00', '45.00', '50.00', '+20.00', '0.00', '125.00', '✓ yes']);
  await incoming.getByText('The books balance to the smallest unit.').waitFor();
  const cases = await register(incoming, 'Disputes and incidents');
  expect(cases[0]!.slice(4, 9)).toEqual(['4', 'T1', 'The result is not what the dice showed: The dice showed 4 5 6', 'open', 'open']);
  await incoming.getByText('In the tumbler: D-0001 at first, D-0001 at last').waitFor();
  expect((await register(incoming, 'What stands out'))[0]![0]).toBe('A result was corrected');
  await incoming.getByRole('region', { name: 'Void rounds', exact: true }).evaluate((one) => one.scrollIntoView());
  await picture(incoming, 'report-registers-en-1280');
  await incoming.getByRole('region', { name: 'What stands out', exact: true }).evaluate((one) => one.scrollIntoView());
  await picture(incoming, 'report-end-en-1280');
  await accessible(incoming, 'the report of a shift');
  await incoming.evaluate(() => scrollTo(0, 0));
  await picture(incoming, 'report-shift-en-1280');

  // The same in every form, and from the journals alone.
  const address = '/api/tables/lotus/report?shift=1';
  const report = (await (await incoming.request.get(address)).json()) as Report;
  expect([report.result.handle, report.result.returned, report.result.win, report.result.drop]).toEqual([3_500, 6_000, -2_500, 10_000]);
  expect(report.result.theoretical.exact).toBe('875/9');
  expect(report.result.z).toBeCloseTo(z, 9);
  expect([report.ledger.balances, report.ledger.reconciles, report.ledger.book_win]).toEqual([true, true, -2_500]);
  expect(report.shift.signed_by).toEqual(['Goh Boon Keng', 'Margaret Oliveiro']);
  expect(report.shift.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  await counts.getByText(report.shift.fingerprint).waitFor();
  for (const [format, begins] of [['PDF', '%PDF-'], ['CSV', 'section,row,column,value'], ['JSON', '{']] as const) {
    const link = incoming.getByRole('link', { name: format, exact: true });
    const answer = await incoming.request.get((await link.getAttribute('href')) ?? '');
    expect([answer.status(), (await answer.body()).subarray(0, begins.length).toString()]).toEqual([200, begins]);
    const [download] = await Promise.all([incoming.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe(`lotus-shift-1.${format.toLowerCase()}`);
  }
  const alone = JSON.parse(await house.told('report', 'lotus', '--shift', '1', '--format', 'json')) as Report;
  expect(alone.result).toEqual(report.result);
  expect(alone.counted).toEqual(report.counted);
  expect(alone.shift).toEqual(report.shift);

  // Round 1 is found wrong after the shift: the re-print says so apart.
  await correct('lotus', 1, [1, 2, 3], 'shift-manager');
  await incoming.reload();
  await expect.poll(() => figures(incoming)).toEqual(shown);
  const later = incoming.getByRole('region', { name: 'Corrected since this report was closed' });
  await later.getByText('with them the win would be −5.00').waitFor();
  await expect.poll(async () => (await later.locator('tbody tr td').last().textContent())?.trim()).toBe('+20.00');
  await incoming.evaluate(() => scrollTo(0, 0));
  await picture(incoming, 'report-again-en-1280');
  const again = (await (await incoming.request.get(address)).json()) as Report;
  expect([again.result, again.counted, again.shift, again.to]).toEqual([report.result, report.counted, report.shift, report.to]);
  expect([again.later.map(({ round, win_change }) => [round, win_change]), again.win_with_later]).toEqual([[[1, 2_000]], -500]);
  await house.verify();
});

test('J-09 quang-nam-table: chips, fills, credits, cash and tips, and a rack that is one chip short', async () => {
  const dealer = new Dealer(house, 'river', 'quang-nam-table');
  const [outgoing, incoming] = await managers('/shifts');
  // The first opener is what the two counted: the books know of no chip before it.
  await openShift(outgoing, incoming, 'river', '1000000', ['D-31', 'T-9']);
  let request = 0;
  const move = (how: string, amount: number, slip = '') => ({ act: 'move_chips', request: ++request, how, amount, slip });
  const chips = (how: string, amount: number) => dealer.act(move(how, amount));
  await two('river', 'pit-supervisor', 'dealer', move('fill', 50_000_000, 'F-1001'));
  await two('river', 'pit-supervisor', 'dealer', move('fill', 20_000_000, 'F-1002'));
  await chips('bought', 5_000_000);
  const place = async (round: number, section: string, stake: number) => {
    await dealer.callBets();
    await dealer.act({ act: 'place_bets', station: 0, round, bet: round, means: 'cash_chips', lines: [{ section, stake }] });
  };
  // Round 1: 1,000,000 on big is lost. Round 2: 500,000 on small is won.
  await place(1, 'big', 1_000_000);
  await dealer.finish([1, 2, 3]);
  await place(2, 'small', 500_000);
  await dealer.finish([1, 2, 3]);
  // Round 3 is void: 300,000 goes back.
  await place(3, 'big', 300_000);
  await dealer.act({ act: 'declare_void', cause: 'dice-exposed-early' });
  await chips('tip', 200_000);
  await two('river', 'pit-supervisor', 'dealer', move('credit_slip', 10_000_000, 'C-0501'));
  // Round 4, the last: 200,000 on big is registered as lost and corrected: the player is owed 400,000.
  await dealer.act({ act: 'announce_last_round' });
  await place(4, 'big', 200_000);
  await dealer.finish([1, 2, 3]);
  await correct('river', 4, [4, 5, 6], incoming);
  await dealer.act({ act: 'close_table' }, 'pit-supervisor');

  // 70,000,000 in, 10,000,000 back; 5,000,000 sold; +1,000,000 −500,000, and
  // 400,000 handed over for round 4, of which 200,000 had been taken.
  const rack = 1_000_000 + 70_000_000 - 10_000_000 - 5_000_000 + 1_000_000 - 500_000 + 200_000 - 400_000;
  expect(rack).toBe(56_300_000);
  await count(outgoing, 'river', { closer: String(rack - 10_000), fills: '70000000', credits: '10000000' });
  await propose(outgoing).click();
  await dialog(outgoing).waitFor({ state: 'detached' });
  await proposal(incoming).getByText('expected 56,300,000').waitFor();
  await proposal(incoming).getByRole('button', { name: 'Confirm as the second person' }).click();
  const past = card(incoming, 'river');
  await incoming.getByRole('region', { name: 'Closed shifts' }).getByText('56,290,000').waitFor();
  await past.waitFor();
  await softCount('river', { '500K': 10 }, '200000', ['D-31', 'T-9']);
  const page = await staffScreen(browser, house, '/reports/river', 'director', { size: WALL });
  // The shifts of the table are asked for by the page.
  const shift = page.getByLabel('Shift').locator('option', { hasText: /^\s*Shift/ }).first();
  await shift.waitFor({ state: 'attached' });
  await page.getByLabel('Shift').selectOption({ label: (await shift.textContent())!.trim() });
  const counts = page.getByRole('region', { name: /^Shift \d+$/ });
  await counts.waitFor();
  // 1,000,000, 500,000 and 200,000 stand settled; 0, 1,000,000 and 400,000 came back.
  await expect.poll(() => figures(page)).toMatchObject({ Handle: '1,700,000', Win: '+300,000', Drop: '5,000,000', Hold: '6.00 %', Rounds: '4', Void: '1', Corrections: '1' });
  const line = async (name: string) => (await counts.locator('tbody tr', { has: page.getByRole('rowheader', { name, exact: true }) }).locator('td').allTextContents()).map((one) => one.trim());
  expect(await line('Opener')).toEqual(['1,000,000', '1,000,000', '0']);
  expect(await line('Fills')).toEqual(['70,000,000', '70,000,000', '0']);
  expect(await line('Credits')).toEqual(['10,000,000', '10,000,000', '0']);
  expect(await line('Closer')).toEqual(['56,290,000', '56,300,000', '−10,000']);
  expect(await line('Drop box')).toEqual(['5,000,000', '5,000,000', '0']);
  expect(await line('Tip box')).toEqual(['200,000', '200,000', '0']);
  // Drop 5,000,000 − (1,000,000 + 70,000,000 − 10,000,000 − 56,290,000) is the win less
  // the chip that is missing.
  await counts.getByText('+290,000').waitFor();
  const slips = await register(page, 'Fills and credits');
  expect(slips.map((cells) => [cells[0], cells[1], cells[4]])).toEqual([
    ['F-1001', 'Fill', '50,000,000'],
    ['F-1002', 'Fill', '20,000,000'],
    ['C-0501', 'Credit', '10,000,000'],
  ]);
  await page.getByText('The books balance to the smallest unit.').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, 'report-shift-en-1920');
  await accessible(page, 'the report of a shift with chips');
  await house.verify();
});

test('J-09 mbs-table: managers change while a round is played; colour chips with players are no variance', async () => {
  const dealer = new Dealer(house, 'garden', 'mbs-table');
  const [outgoing, incoming] = await managers('/shifts');
  await openShift(outgoing, incoming, 'garden', '5000');
  await dealer.act({ act: 'assign_colour', station: 0, colour: 'red', value: 500 });
  await dealer.act({ act: 'move_colour', request: 1, station: 0, how: 'bought_with_cash', amount: 8_000 });
  await dealer.callBets();
  await dealer.act({ act: 'place_bets', station: 0, round: 1, bet: 1, means: 'colour_chips', lines: [{ section: 'big', stake: 1_000 }] });
  // Not one cash chip left the rack for the colour chips; no last round was announced.
  const form = dialog(outgoing);
  await count(outgoing, 'garden', { closer: '5000', fills: '0', credits: '0' });
  await form.getByText('Colour chips with players').waitFor();
  expect(await form.getByLabel('The next shift begins with this count').isChecked()).toBe(true);
  await accessible(outgoing, 'closing a shift of a table that plays on');
  await picture(outgoing, 'shift-rolls-en-1280');
  // 20.00 of chips are sold as they count: that is the next shift's.
  await dealer.act({ act: 'move_chips', request: 2, how: 'bought', amount: 2_000, slip: '' });
  await propose(outgoing).click();
  await form.waitFor({ state: 'detached' });
  await proposal(incoming).getByText('expected 5,000.00').waitFor();
  await proposal(incoming).getByRole('button', { name: 'Confirm as the second person' }).click();
  const past = incoming.getByRole('region', { name: 'Closed shifts' }).locator('li', { has: incoming.getByRole('heading', { name: 'garden', exact: true }) });
  await past.getByText('signed by Goh Boon Keng + Margaret Oliveiro').waitFor();
  // The next is open already, with what was counted.
  await card(incoming, 'garden').getByText('opened by Goh Boon Keng + Margaret Oliveiro').waitFor();
  await dealer.finish([1, 2, 3]);
  await softCount('garden', '80', '0');
  await past.getByRole('link', { name: 'Report' }).click();
  // The round is the shift's in which it began: 10.00 on big is lost.
  expect(await figures(incoming)).toMatchObject({ Handle: '10.00', Win: '+10.00', Rounds: '1' });
  const counts = incoming.getByRole('region', { name: /^Shift \d+$/ });
  const off = counts.locator('tbody tr.off');
  await counts.getByText('0.00 → 80.00').waitFor();
  expect(await off.count()).toBe(0);
  await incoming.getByText('The books balance to the smallest unit.').waitFor();
  await house.verify();
});

test('P-035: a set of dice from receipt to destruction, each step by two', async () => {
  const [one, other] = [await staffScreen(browser, house, '/dice', 'shift-manager'), await staffScreen(browser, house, '/dice', 'pit-supervisor', { size: WALL })];
  const set = (page: Page, number: string) => page.locator('li.panel', { has: page.getByRole('heading', { name: number, exact: true }) });
  const agree = async (words: RegExp) => {
    // Only then does the first page list it, and can be seen to list it no more.
    await dialog(one).waitFor({ state: 'detached' });
    await proposal(other).filter({ hasText: words }).getByRole('button', { name: 'Confirm as the second person' }).click();
    await proposal(one).waitFor({ state: 'detached' });
  };
  const step = async (name: string, fill: (form: ReturnType<typeof dialog>) => Promise<void>, words: RegExp) => {
    await set(one, 'D-0777').getByRole('button', { name, exact: true }).click();
    await fill(dialog(one));
    await dialog(one).getByRole('button', { name: 'Propose' }).click();
    await agree(words);
  };
  const because = (why: string) => async (form: ReturnType<typeof dialog>) => form.getByLabel('Reason').fill(why);
  await one.getByRole('button', { name: 'Receive a set' }).click();
  await dialog(one).getByLabel('Number of the new set of dice').fill('D-0777');
  await dialog(one).getByLabel('Seal').fill('S-90210');
  // What is refused is said in the dialog, not behind it.
  let refused = 0;
  await one.route('**/api/proposals', (route) => {
    // The page looks at what is proposed again and again: that is none of it.
    if (route.request().method() !== 'POST' || refused > 0) return route.fallback();
    refused += 1;
    return route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ code: 'dice_in_custody', detail: 'it is known already' }) });
  });
  await dialog(one).getByRole('button', { name: 'Propose' }).click();
  await dialog(one).locator('.banner').waitFor();
  await dialog(one).getByRole('button', { name: 'Propose' }).click();
  await picture(other, 'dice-second-en-1920');
  await agree(/S-90210/);
  await set(one, 'D-0777').getByText('received').first().waitFor();
  await step('Inspect', async () => {}, /good/);
  await step('Place at a table', async (form) => void (await form.getByLabel('Table').selectOption('lotus')), /go to lotus/);
  await set(one, 'D-0777').getByText('lotus').first().waitFor();
  // The table says the same.
  await expect.poll(async () => JSON.stringify(await house.ask('dealer', 'GET', '/api/tables/lotus/staff'))).toContain('D-0777');
  await step('Take out', because('a player asked'), /come out of use/);
  await step('Put aside as evidence', because('one edge looks worn'), /put aside/);
  await set(one, 'D-0777').getByText('put aside as evidence').first().waitFor();
  await step('Destroy', because('drilled and crushed'), /destroyed/);
  await set(one, 'D-0777').getByText('destroyed').first().waitFor();
  expect(await set(one, 'D-0777').getByRole('button').count()).toBe(0);
  await set(one, 'D-0777').locator('summary').click();
  const listed = set(one, 'D-0777').locator('ol li');
  await expect.poll(() => listed.count()).toBe(6);
  const steps = await listed.allTextContents();
  for (const told of steps) expect(told).toContain('Goh Boon Keng + Lim Siew Hoon');
  await accessible(one, 'dice in custody');
  await picture(one, 'dice-en-1280');
  await picture(other, 'dice-en-1920');
  await house.verify();
});

test('P-035: dealers and surveillance sign for dice, the head of operations only looks', async () => {
  const dealer = await staffScreen(browser, house, '/dice', 'dealer');
  await dealer.getByRole('button', { name: 'Receive a set' }).click();
  await dialog(dealer).getByLabel('Number of the new set of dice').fill('D-0901');
  await dialog(dealer).getByLabel('Seal').fill('S-1');
  await dialog(dealer).getByRole('button', { name: 'Propose' }).click();
  const head = await staffScreen(browser, house, '/dice', 'head-of-operations');
  await proposal(head).waitFor();
  expect(await head.getByRole('main').getByRole('button').count()).toBe(0);
  await head.goto('/shifts');
  await head.getByRole('heading', { name: 'Shifts' }).first().waitFor();
  expect(await head.getByRole('main').getByRole('button').count()).toBe(0);
  const supervisor = await staffScreen(browser, house, '/dice', 'pit-supervisor');
  await proposal(supervisor).getByRole('button', { name: 'Confirm as the second person' }).click();
  await Promise.all([dealer, supervisor].map((page) => proposal(page).waitFor({ state: 'detached' })));
  const surveillance = await staffScreen(browser, house, '/dice', 'surveillance');
  const set = surveillance.locator('li.panel', { has: surveillance.getByRole('heading', { name: 'D-0901', exact: true }) });
  await set.getByRole('button', { name: 'Inspect', exact: true }).click();
  await dialog(surveillance).getByRole('button', { name: 'Propose' }).click();
  await proposal(supervisor).getByRole('button', { name: 'Confirm as the second person' }).click();
  await set.getByText('good', { exact: false }).first().waitFor();
});

test('P-033, P-034: surveillance filters the record, exports it, and sees what stands out', async () => {
  for (const size of [DESK, WALL]) {
    const page = await staffScreen(browser, house, '/surveillance', 'surveillance', { size });
    await page.getByRole('combobox', { name: 'Table' }).selectOption('lotus');
    const rows = page.getByRole('region', { name: 'Everything that happened' }).locator('tbody tr');
    // While nothing has come there is a row that says so.
    await rows.locator('th').nth(4).waitFor();
    await page.getByRole('region', { name: 'What stands out' }).getByText('A result was corrected').first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, `surveillance-en-${size.width}`);
    // The newest first, or as they came.
    const numbers = async () => (await rows.locator('th').allTextContents()).slice(0, 5).map(Number);
    const newest = await numbers();
    expect(newest).toEqual([0, 1, 2, 3, 4].map((back) => (newest[0] ?? 0) - back));
    await page.getByRole('combobox', { name: 'Order' }).selectOption('oldest first');
    await expect.poll(numbers).toEqual([1, 2, 3, 4, 5]);
    await page.getByLabel('Round', { exact: true }).fill('4');
    // Where to look on a camera, and the round as evidence.
    const marks = page.getByRole('group', { name: 'Camera bookmark' });
    for (const mark of ['bets-called', 'closing-began', 'uncovered', 'dice-keyed', 'round-settled', 'result-corrected']) await marks.getByText(mark).waitFor();
    const [proof] = await Promise.all([page.waitForEvent('download'), marks.getByRole('link', { name: 'Signed file of the round' }).click()]);
    expect(proof.suggestedFilename()).toBe('lotus-round-4.bundle');
    await house.verifyFile(await proof.path());
    await picture(page, `surveillance-round-en-${size.width}`);
    await page.getByLabel('Kind of event').fill('round-settled,result-corrected');
    await expect.poll(() => rows.locator('b').allTextContents()).toEqual(['round-settled', 'result-corrected']);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export' }).click()]);
    const lines: string[] = [];
    for await (const some of await download.createReadStream()) lines.push(String(some));
    const events = lines.join('').trim().split('\n').map((text) => JSON.parse(text) as { event: string; round: number });
    expect(events.map(({ event, round }) => [event, round])).toEqual([['round-settled', 4], ['result-corrected', 4]]);
    // Nothing can be done here.
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await accessible(page, 'surveillance');
  }
});

test('shifts, reports, surveillance and dice fit every screen in every language', async () => {
  const seen: Record<Language, (keyof typeof SCREENS)[]> = { en: ['wall', 'phone'], 'zh-Hans': ['desk'], 'zh-Hant': ['phone'], vi: ['desk', 'phone'] };
  // Each with what it shows last, once the house has answered all it asks: of the shifts above.
  const views = {
    shifts: ['/shifts', '.shifts li.panel dl'],
    reports: ['/reports', '.tables .shifts a'],
    report: ['/reports/river?shift=2', 'dl.figures'],
    surveillance: ['/surveillance', '.watch tbody th'],
    dice: ['/dice', '.custody li.panel'],
  } as const;
  for (const [language, screens] of Object.entries(seen) as [Language, (keyof typeof SCREENS)[]][]) {
    const page = await staffScreen(browser, house, '/shifts', 'director', { language });
    for (const [view, [path, last]] of Object.entries(views)) {
      await page.goto(path);
      await page.locator(last).first().waitFor();
      for (const screen of screens) {
        await fits(page, screen, `${view} ${language}`);
        await picture(page, `${view}-${language}-${screen}`);
        if (screen !== 'wall') await accessible(page, `${view} ${language}`);
      }
    }
    await page.context().close();
  }
});
