// A dealer at the console: J-02 with six keys and Enter, J-03, J-04a, and
// every cause for which each book's rounds are void.
import { beforeAll, describe, expect, test } from 'vitest';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, openTables, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'rws-etg', book: 'rws-etg', stations: [{ layout: 'b', count: 3 }] },
  { name: 'mbs-etg', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 3 }] },
  { name: 'rws-open-cover', book: 'rws-open-cover', stations: [{ layout: 'c', count: 4 }] },
  { name: 'mbs-table', book: 'mbs-table', stations: [{ layout: 'a', count: 2 }] },
  { name: 'quang-nam-table', book: 'quang-nam-table', stations: [{ layout: 'a', count: 2 }] },
];
/** Each journey has a table of its own: what goes wrong at one is not seen at another. */
const JOURNEYS: TableSpec[] = [
  { name: 'j-02', book: 'rws-open-cover', stations: [{ layout: 'c', count: 4 }] },
  { name: 'j-03', book: 'rws-open-cover', stations: [{ layout: 'c', count: 2 }] },
  { name: 'j-04a', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 2 }] },
  { name: 'opened', book: 'quang-nam-table', stations: [{ layout: 'a', count: 2 }] },
  { name: 'held', book: 'rws-etg', stations: [{ layout: 'b', count: 1 }] },
  { name: 'keypad', book: 'rws-etg', stations: [{ layout: 'b', count: 1 }] },
  { name: 'low', book: 'rws-etg', stations: [{ layout: 'b', count: 1 }] },
  { name: 'busy', book: 'rws-etg', stations: [{ layout: 'b', count: 1 }] },
  { name: 'gap', book: 'rws-etg', stations: [{ layout: 'b', count: 1 }] },
];

stage(() => House.open([...TABLES, ...JOURNEYS]));
beforeAll(() => openTables(JOURNEYS));

const dealer = (table: string): Dealer => new Dealer(house, table, table);

test('a supervisor opens every table after its checks', async () => {
  const context = await browser.station({ origin: house.origin });
  for (const { name } of TABLES) {
    const page = await context.newPage();
    await page.goto(`/console/${name}`);
    const supervisor = page.getByRole('button', { name: 'Pit supervisor', exact: true });
    const open = page.getByRole('button', { name: 'Open the table' });
    await supervisor.or(open).first().waitFor();
    if (await supervisor.isVisible()) await supervisor.click();
    await open.first().click();
    const sure = page.locator('dialog[open] .button.brass');
    expect(await sure.isDisabled()).toBe(true);
    for (const check of await page.locator('dialog[open] .check input').all()) await check.check();
    await sure.click();
    // The next step is named; whether it is the supervisor's too is the book's to say.
    await page.locator('.go', { hasText: /Call for bets|Start the tumbler/ }).waitFor();
    await page.close();
  }
});

test('J-02: a round of the open cover with six keys and Enter only', async () => {
  const table = 'j-02';
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'rws-open-cover');
  const players = await Promise.all(
    [0, 1].map(async () => Terminal.sit(await browser.station({ origin: house.origin }), table)),
  );
  const [one, two] = players as [Terminal, Terminal];
  const wall = await (await browser.station({ origin: house.origin })).newPage();
  await wall.goto(`/wall/${table}`);
  // A terminal that is there and never says that it has shown the close.
  const mute = await (await browser.station({ origin: house.origin })).newPage();
  await mute.goto('/');
  await mute.evaluate(async (table) => {
    const answer = await fetch('/api/trial/seats', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ table }) });
    const { token } = (await answer.json()) as { token: string };
    const socket = new WebSocket(`ws://${location.host}/ws/terminal`);
    await new Promise((open) => (socket.onopen = open));
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, token }));
    setInterval(() => socket.send(JSON.stringify({ type: 'heartbeat' })), 1_000);
    await new Promise((heard) => (socket.onmessage = heard));
  }, table);
  await one.insert('50');
  await two.insert('50');

  await desk.next('Call for bets');
  await expect.poll(() => desk.page.locator('.go').count()).toBe(1);
  await desk.enter('Call for bets');
  await Promise.all([one.says(/place your bets/i), two.says(/place your bets/i), wall.locator('.phase', { hasText: /place your bets/i }).first().waitFor()]);
  await one.choose('5');
  await one.tap('small');
  await one.registered('small', '5.00');
  await two.choose('5');
  await two.tap('total:9');
  await two.registered('total:9', '5.00');

  // Until the mute terminal has been cut off, the tumbler cannot be started. The house waits two
  // seconds only, so the page itself writes down all it shows, and presses Enter as it begins.
  await desk.page.evaluate(() => {
    const waited: { words: string; offered: string | null }[] = [];
    Object.assign(window, { waited });
    const look = (): void => {
      const words = document.querySelector('.next .waiting')?.textContent ?? null;
      if (words === null) return;
      waited.push({ words, offered: document.querySelector('.go:not([disabled]) strong')?.textContent ?? null });
      if (waited.length === 1) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    };
    // Once a change is whole: in the middle of it half of the page is still the one before.
    new MutationObserver(() => setTimeout(look)).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await desk.enter('No more bets');
  await desk.next('Start the tumbler');
  const waited = await desk.page.evaluate(() => (window as unknown as { waited: { words: string; offered: string | null }[] }).waited);
  expect(waited.length).toBeGreaterThan(0);
  for (const moment of waited) expect(moment).toEqual({ words: expect.stringMatching(/^Waiting for \d terminals?/), offered: null });
  await desk.tumble(4);
  await desk.page.locator('li.cut', { hasText: 'cut off' }).first().waitFor();
  await one.page.locator('.strip .dot.done').nth(3).waitFor();

  await desk.enter('All three lie flat');
  await desk.key(1).waitFor();
  const keyed = performance.now();
  await desk.keys(2, 2, 5);
  await desk.readBack('2 2 5, total 9, Small, Odd');
  // Two twos and a five light eight of the 104 sections (layouts.md B.8).
  await expect.poll(() => desk.page.locator('.felt .glow').count()).toBe(8);
  await desk.enter('Confirm the result');
  await Promise.all([one.card().waitFor(), two.card().waitFor()]);
  expect(performance.now() - keyed).toBeLessThan(10_000);
  await one.figure('credit', '55.00');
  // 1:7 on total 9.
  await two.figure('credit', '85.00');
  await wall.locator('.now .total', { hasText: '9' }).waitFor();
  await desk.next('Call for bets');
  await mute.close();
});

test('keys pressed before the house has answered the act before them are not lost', async () => {
  const table = 'keypad';
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'rws-etg');
  const { page } = desk;
  await desk.callBets();
  await desk.closeBets();

  // The frame with the next step may reach the console before the answer to the act that led there.
  const flat = await desk.holdBack('confirm_flat');
  const keyed = await desk.holdBack('key_dice');
  await desk.toKeys();
  await desk.keys(3, 4, 4);
  await page.locator('.reading:not(.ready) .dice[aria-label="3 4 4"]').waitFor();
  flat();
  await desk.readBack('3 4 4, total 11, Big, Odd');

  // Two keys taken back, while the answer to the three is still on its way.
  expect(await page.locator('.key.back').isEnabled()).toBe(true);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  keyed();
  await page.locator('.reading:not(.ready) .dice[aria-label="3"]').waitFor();
  await desk.keys(3, 2);
  await desk.readBack('2 3 3, total 8, Small, Even');
  await desk.enter('Confirm the result');
  await desk.next('Start the tumbler');
});

test('a key is taken back although the frame with the three dice is still on its way', async () => {
  const context = await browser.station({ origin: house.origin });
  const waiting: (() => void)[] = [];
  let hold = false;
  await context.routeWebSocket(/\/ws\/console\//, (page) => {
    page.connectToServer().onMessage((frame) => {
      if (hold) waiting.push(() => page.send(frame));
      else page.send(frame);
    });
  });
  const desk = await Console.sit(context, 'gap', 'rws-etg');
  await desk.callBets();
  await desk.closeBets();
  await desk.toKeys();
  hold = true;
  const answer = (act: string) => desk.page.waitForResponse((response) => response.url().endsWith('/acts') && response.request().postDataJSON().act === act);
  const keyed = answer('key_dice');
  await desk.keys(3, 4, 4);
  await keyed;
  const cleared = answer('clear_keys');
  await desk.page.keyboard.press('Backspace');
  await cleared;
  hold = false;
  for (const frame of waiting) frame();
  await desk.page.locator('.reading:not(.ready) .dice[aria-label="3 4"]').waitFor();
  await desk.keys(2);
  await desk.readBack('2 3 4, total 9, Small, Odd');
  await desk.enter('Confirm the result');
  await desk.next('Start the tumbler');
});

test('a button whose act would be dropped while another is on its way is not offered', async () => {
  const desk = await Console.sit(await browser.station({ origin: house.origin }), 'busy', 'rws-etg');
  const started = await desk.holdBack('activate_tumbler');
  await desk.enter('Start the tumbler');
  await desk.page.locator('.go strong', { hasText: 'Enter the tumbles you counted' }).waitFor();
  const call = desk.page.getByRole('button', { name: 'Call the supervisor' });
  expect(await call.isDisabled()).toBe(true);
  started();
  await call.click();
  await desk.banner('The supervisor is wanted').waitFor();
});

test.each([[640, 400], [844, 390]])('the step to do next is in sight with the keys in a window of %i × %i', async (width, height) => {
  const { page } = await Console.sit(await browser.station({ origin: house.origin, size: { width, height } }), 'low', 'rws-etg');
  await page.locator('.go:not([disabled])').waitFor();
  for (const [what, least] of [['.go', 44], ['.key[aria-label="1"]', 44], ['.outcomes-note', 0]] as const) {
    const box = () => page.locator(what).boundingBox();
    await expect.poll(async () => (await box())?.height, { message: what }).toBeGreaterThan(least);
    await expect.poll(async () => { const at = await box(); return at ? at.y + at.height : Infinity; }, { message: what }).toBeLessThanOrEqual(height);
  }
  // Where nothing waits for a decision, no room is kept for it.
  expect(await page.locator('.waits:visible').count()).toBe(0);
});

test('J-03: two tumbles and no more: only a void is offered, and everything comes back', async () => {
  const table = 'j-03';
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'rws-open-cover');
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), table);
  const wall = await (await browser.station({ origin: house.origin })).newPage();
  await wall.goto(`/wall/${table}`);
  await wall.locator('.beads').waitFor();
  await terminal.insert('50');
  await desk.callBets();
  await terminal.bet('big', '10');
  const beads = await wall.locator('.beads circle, .beads .bead').count();
  await desk.closeBets();
  await desk.enter('Start the tumbler');
  await desk.page.locator('.go strong', { hasText: 'Enter the tumbles you counted' }).waitFor();
  await desk.keys(2);
  await desk.enter('2 tumbles');
  await desk.next('Declare void: The dice tumbled too few times');
  expect(await desk.page.locator('.go small').textContent()).toContain('5.3.1');
  // There is no second tumble within a round.
  expect(await desk.page.getByText('Start the tumbler').count()).toBe(0);
  // From the keypad: Enter asks, Enter says so.
  await desk.page.keyboard.press('Enter');
  await desk.page.locator('dialog[open]', { hasText: '5.3.1' }).waitFor();
  await desk.page.keyboard.press('Enter');
  await terminal.card().locator('.void').waitFor();
  const told = (await terminal.card().textContent()) ?? '';
  for (const words of ['Round void', 'The dice tumbled too few times', '5.3.1', 'all bets are returned', 'stake returned', '10.00']) expect(told).toContain(words);
  await terminal.figure('credit', '50.00');
  await wall.locator('.banner', { hasText: 'The dice tumbled too few times' }).waitFor();
  await expect.poll(() => wall.locator('.beads circle, .beads .bead').count()).toBe(beads);
  await desk.next('Call for bets');
});

test('J-04a: a wrong key is taken back before it counts', async () => {
  const table = 'j-04a';
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'mbs-etg');
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), table);
  await terminal.insert('50');
  await desk.callBets();
  await terminal.bet('triple:3', '10');
  await desk.closeBets();
  await desk.toKeys();
  await desk.keys(3, 6);
  await desk.page.keyboard.press('Backspace');
  await desk.keys(3, 3);
  await desk.readBack('3 3 3, total 9, triple');
  // All three were keyed and one is wrong: the last key is taken back.
  await desk.page.keyboard.press('Backspace');
  await desk.page.locator('.reading:not(.ready)').waitFor();
  expect(await terminal.card().count()).toBe(0);
  await desk.keys(5);
  await desk.readBack('3 3 5, total 11, Big, Odd');
  await desk.enter('Confirm the result');
  await terminal.card().waitFor();
  await terminal.figure('credit', '40.00');
  // Once it counts, the console has a key for a wrong result (J-04 b).
  await desk.page.getByRole('button', { name: 'Wrong result', exact: true }).click();
  const dialog = desk.page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Round 1/ }).click();
  await dialog.getByText('Registered result').waitFor();
});

/** When each cause can be what has happened, and the rule that voids the round. */
type When = 'betting' | 'tumbled' | 'uncovered';
type Cause = [cause: string, rule: string, when: When];
const MBS_CAUSES: Cause[] = [
  ['The dice tumbled too few times', '5.1', 'tumbled'],
  ['The dice were seen before bets closed', '5.2', 'betting'],
  ['A die does not lie flat', '5.3', 'uncovered'],
  ['A die is damaged', '5.4', 'betting'],
  ['The dome broke', '5.5', 'betting'],
  ['A die broke', '5.5', 'betting'],
];
const CAUSES: Record<string, Cause[]> = {
  'rws-etg': [
    ['The dice tumbled too few times', '5.3.1', 'tumbled'],
    ['A die does not lie flat', '5.3.2', 'uncovered'],
    ['The dice were seen before bets closed', '5.3.3', 'betting'],
    ['A die is damaged', '5.4', 'betting'],
  ],
  'mbs-etg': MBS_CAUSES,
  'rws-open-cover': [
    ['The dice tumbled too few times', '5.3.1', 'tumbled'],
    ['A die does not lie flat', '5.3.2', 'uncovered'],
    ['The tumbler was started before bets closed', '5.3.3', 'betting'],
    ['A die is damaged', '5.4', 'betting'],
  ],
  'mbs-table': MBS_CAUSES,
  'quang-nam-table': [
    ['The dice tumbled too few times', '7.2', 'tumbled'],
    ['The dice were seen before bets closed', '7.3', 'betting'],
    ['A die does not lie flat', '7.4', 'uncovered'],
    ['A die is damaged', '7.5', 'betting'],
    ['The dome broke', '7.6', 'betting'],
  ],
};

describe.each(Object.entries(CAUSES))('%s', (table, causes) => {
  test('every cause of the book, from the console', async () => {
    const context = await browser.station({ origin: house.origin });
    const desk = await Console.sit(context, table, table);
    const { page } = desk;
    const electronic = !table.endsWith('-table');
    const terminal = electronic ? await Terminal.sit(await browser.station({ origin: house.origin }), table) : null;
    await terminal?.insert('100');
    const deal = dealer(table);
    let dice = 1;
    for (const [cause, rule, when] of causes) {
      if (when === 'tumbled' && !['rws-open-cover', 'mbs-table'].includes(table)) {
        // The dice tumble before bets: a round of no bets is void all the same.
        await deal.act({ act: 'activate_tumbler' });
        await deal.act({ act: 'report_tumbles', count: 2, all_dice_moved: true });
      } else {
        if (table === 'mbs-table' && when === 'tumbled') await deal.act({ act: 'call_bets' });
        else await deal.callBets();
        if (terminal) {
          await terminal.says(/place your bets/i);
          await terminal.choose('10');
          await terminal.tap('small');
          await terminal.figure('bets', '10.00');
        } else {
          await page.locator('[data-section="small"]').click();
          await page.locator('.tabs .brass small', { hasText: /[1-9]/ }).waitFor();
        }
        if (when === 'tumbled') {
          if (table === 'rws-open-cover') {
            await deal.closeBets();
            await deal.everyoneShown();
          }
          await deal.act({ act: 'activate_tumbler' });
          await deal.act({ act: 'report_tumbles', count: 2, all_dice_moved: true });
        }
        if (when === 'uncovered') {
          await deal.closeBets();
          await deal.everyoneShown();
          if (table === 'rws-open-cover') {
            await deal.act({ act: 'activate_tumbler' });
            await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
          } else {
            if (table === 'mbs-table') await deal.act({ act: 'press_deal' });
            await deal.act({ act: 'uncover' });
          }
        }
      }
      const button = desk.cause(cause);
      await button.waitFor();
      // Exactly what the book knows and what can have happened by now.
      const offered = (await page.locator('.incidents .cause span').allTextContents()).sort();
      const listed = causes.map(([cause]) => cause);
      for (const one of offered) expect(listed).toContain(one);
      await button.locator('small', { hasText: rule }).waitFor();
      await button.click();
      const dialog = page.locator('dialog[open]', { hasText: rule });
      await dialog.getByRole('button', { name: 'Declare the round void' }).click();
      await desk.banner(cause).first().waitFor();
      if (terminal) {
        await terminal.banner(cause).first().waitFor();
        await terminal.figure('credit', '100.00');
      } else {
        await page.locator('.tabs .brass small', { hasText: '–' }).waitFor();
      }
      const state = (await deal.state()) as { dice_condemned: boolean };
      if (state.dice_condemned) {
        // New dice: the supervisor proposes them, the dealer confirms.
        dice += 1;
        await house.ask('pit-supervisor', 'POST', `/api/tables/${table}/proposals`, { act: 'change_dice', dice_set: `D-000${dice}` });
        await page.getByRole('button', { name: 'Confirm as the second person' }).click();
        await desk.next(/Call for bets|Start the tumbler/);
      }
    }
  });
});

test('incidents that void nothing, and a round that waits for a ruling', async () => {
  const table = 'held';
  const context = await browser.station({ origin: house.origin });
  const desk = await Console.sit(context, table, 'rws-etg');
  const manager = await Console.sit(await browser.station({ origin: house.origin }), table, 'rws-etg', 'Shift manager');
  const { page } = desk;
  await new Dealer(house, table, 'rws-etg').callBets();
  await page.getByRole('button', { name: 'Call the supervisor' }).click();
  await manager.banner('The supervisor is wanted').waitFor();
  for (const [button, banner] of [['Suspected forgery', 'Suspected forgery'], ['Other incident', 'Other incident']] as const) {
    await page.locator('.incidents').getByRole('button', { name: button }).click();
    await page.locator('dialog[open] input').fill('a note of 50 that feels wrong');
    await page.locator('dialog[open]').getByRole('button', { name: 'Report' }).click();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await manager.banner(banner).first().waitFor();
  }
  // What is refused is said where it was asked, not behind it.
  const refuse = () =>
    page.route('**/{acts,proposals}', (route) => route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ code: 'wrong_phase', detail: 'not now', rule: 'rws-etg 5.1' }) }), { times: 1 });
  const refusal = page.locator('dialog[open] .banner', { hasText: 'rws-etg 5.1' });
  await page.locator('.incidents').getByRole('button', { name: 'Hold the round for a decision' }).click();
  await page.locator('dialog[open] input').fill('a chip lies on a line');
  await refuse();
  await page.locator('dialog[open]').getByRole('button', { name: 'Report' }).click();
  await refusal.waitFor();
  await picture(page, 'console-refused-in-dialog');
  await page.keyboard.press('Escape');
  for (const what of [page.locator('.controls').getByRole('button', { name: 'Damaged dice' }), page.locator('.incidents .cause').first()]) {
    await what.click();
    const field = page.locator('dialog[open] input');
    await page.locator('dialog[open]').waitFor();
    expect(await refusal.count()).toBe(0);
    if ((await field.count()) > 0) await field.fill('a lamp is out');
    await refuse();
    await page.locator('dialog[open]').getByRole('button', { name: /Report|void/i }).first().click();
    await refusal.waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await page.locator('.incidents').getByRole('button', { name: 'Hold the round for a decision' }).click();
  await page.locator('dialog[open] input').fill('a chip lies on a line');
  await page.locator('dialog[open]').getByRole('button', { name: 'Report' }).click();
  const decision = manager.page.locator('.decision', { hasText: 'Something no rule covers' });
  await decision.waitFor();
  expect(await decision.textContent()).toContain('5.10');
  await decision.locator('input').fill('The bet lay between two sections.');
  await decision.getByRole('button', { name: 'The round is void' }).click();
  await decision.waitFor({ state: 'detached' });
  await desk.next('Start the tumbler');
});

test('quang-nam 4.5 (Q-06): chips are looked at again when the cage is opened, and a difference is ruled on', async () => {
  const table = 'opened';
  const desk = await Console.sit(await browser.station({ origin: house.origin }), table, 'quang-nam-table');
  const { page } = desk;
  const risk = (sum: string): Promise<void> => page.locator('.exposure dd').first().filter({ hasText: sum }).waitFor();
  const after = page.getByLabel('After the close');
  await desk.callBets();
  await page.getByRole('radio', { name: 'Chip 50,000', exact: true }).click();
  await page.locator('[data-section="big"]').click();
  await risk('50,000');
  await desk.enter('No more bets');
  // A chip that lay there at the close and was not written down before it.
  await after.selectOption({ label: 'chip that lay there at the close' });
  await page.locator('[data-section="small"]').click();
  await risk('100,000');
  // Nothing to look at twice while the cage is closed.
  expect(await after.locator('option').allTextContents()).not.toContain('chips as they lie at the opening');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await desk.enter('Uncover the dice');
  const positions = page.locator('.positions');
  await positions.getByRole('button', { name: 'Every chip lies as recorded' }).click();
  await positions.getByText('one seat looked at').waitFor();
  expect(await positions.textContent()).toContain('4.5');
  expect(await page.locator('.decision').count()).toBe(0);
  // One chip lies elsewhere: the round waits for a ruling.
  await after.selectOption({ label: 'chips as they lie at the opening' });
  await page.locator('[data-section="odd"], [data-section="double:4"]').first().click();
  await positions.getByRole('button', { name: 'Send how the chips of S1 lie' }).click();
  const decision = page.locator('.decision', { hasText: 'Whether a bet stands' });
  await decision.waitFor();
  expect(await decision.textContent()).toContain('4.6');
  await decision.locator('input').fill('The chip slid when the cage was lifted.');
  await decision.getByRole('button', { name: 'As the chips lay at the close' }).click();
  await decision.waitFor({ state: 'detached' });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await desk.enter('All three lie flat');
  await desk.keys(6, 5, 4);
  await desk.enter('Confirm the result');
  // 50,000 on big wins as much, 50,000 on small loses: what lay there at the close.
  await page.locator('.pay .chips b', { hasText: /^pay 50,000$/ }).waitFor();
});
