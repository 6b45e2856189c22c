// A player's own play, from J-01 step 3 on: the card that asks for a limit, a
// limit reached, the reality check, a break, play stopped by the pit, a card
// of a member and one that is excluded, and the player's dispute (P-074,
// P-075, P-078, P-079).
import { afterEach, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { PATIENCE, PHONE, WALL, type Language } from './lib/browser';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { Desk, staffScreen } from './lib/pit';
import { picture } from './lib/pictures';
import { browser, house, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'rapid-1', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 12 }] },
  { name: 'pearl', book: 'rws-etg', stations: [{ layout: 'a', count: 6 }] },
];
// A look at one's play every two minutes, or every minute: a test has no hour.
stageTables(TABLES, 'Riverside Casino', 'reality_check_minutes = 2');
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await Promise.all(TABLES.map(({ name, book }) => new Dealer(house, name, book).afresh()));
});

/** Sits down and pays in; the card asks. */
async function comes(table: string, how: { size?: { width: number; height: number }; touch?: boolean; language?: Language } = {}): Promise<Terminal> {
  const context = await browser.station({ origin: house.origin, ...how });
  const terminal = await Terminal.sit(context, table, how.touch ?? false);
  await terminal.press(terminal.page.locator('nav.tools button').nth(0));
  await terminal.press(terminal.page.locator('.notes button', { hasText: /^100$/ }));
  await terminal.page.locator('.free b', { hasText: /[1-9]/ }).waitFor();
  await terminal.page.keyboard.press('Escape');
  await terminal.page.locator('.first-time').waitFor();
  return terminal;
}

const own = (page: Page): Locator => page.locator('dialog[open]');

async function limits(terminal: Terminal): Promise<Locator> {
  await terminal.press(terminal.page.locator('nav.tools button', { has: terminal.page.locator('i', { hasText: '◔' }) }));
  await own(terminal.page).waitFor();
  return own(terminal.page);
}

/** Sets a limit in the dialog. */
async function setLimit(dialog: Locator, measure: string, window: string, most: string): Promise<void> {
  const form = dialog.getByRole('form', { name: 'Set or change a limit' });
  await form.getByLabel('Limit on').selectOption(measure);
  await form.getByLabel('For').selectOption(window);
  await form.getByLabel(/^New limit/).fill(most);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.locator(`[data-limit="${window}-${measure}"]`).waitFor();
}

const shut = (terminal: Terminal, name: RegExp): Locator => terminal.page.getByRole('dialog', { name });

/** What can be touched is large enough (P-050). */
async function touchable(within: Locator): Promise<void> {
  const small = await within.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('button, select, input:not([type=radio]), label.line')]
      .filter((one) => one.offsetParent !== null)
      .map((one) => ({ what: one.outerHTML.slice(0, 80), height: one.getBoundingClientRect().height }))
      .filter(({ height }) => height < 43.5),
  );
  expect(small).toEqual([]);
}

test('J-01 step 3: the card asks for a limit, skipping is one touch, and a limit that is reached refuses the bet', async () => {
  const dealer = new Dealer(house, 'rapid-1', 'mbs-etg');
  const terminal = await comes('rapid-1');
  const { page } = terminal;
  const card = page.locator('.first-time');
  await card.getByText('Set a limit?').waitFor();
  // The interval that is chosen already is the longer one.
  await expect.poll(() => card.getByLabel('2 min').isChecked()).toBe(true);
  await accessible(page, 'the first-time card');
  await touchable(card);
  await picture(page, 'player-first-time');
  await card.getByLabel(/Loss limit/).fill('12');
  await card.getByRole('button', { name: 'Save and play' }).click();
  await card.waitFor({ state: 'detached' });

  await dealer.callBets();
  await terminal.bet('small', '10');
  await terminal.tap('big');
  // Struck through, with the reason for that very bet; what is registered stands.
  await Promise.all([terminal.refused(/Big: This bet would exceed your loss limit \([\d.]+\)\./).waitFor(), page.locator('.chip.refused').first().waitFor()]);
  await picture(page, 'player-limit-reached');
  await terminal.figure('bets', '10.00');
  await dealer.finish([6, 6, 5]);
  await terminal.figure('credit', '90.00');
  await terminal.figure('net', '−10.00');

  // What is set, used and left; a higher limit waits, a lower one does not.
  let dialog = await limits(terminal);
  const loss = dialog.locator('[data-limit="session-loss"]');
  await expect.poll(() => loss.locator('dd').allTextContents()).toEqual(['12.00', '10.00', '2.00']);
  await setLimit(dialog, 'loss', 'session', '50');
  await loss.getByText(/Asked for: 50\.00\. You can confirm it from \d{4}-\d\d-\d\d \d\d:\d\d/).waitFor();
  await expect.poll(() => loss.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
  await expect.poll(() => loss.locator('dd').first().textContent()).toBe('12.00');
  await setLimit(dialog, 'spend', 'session', '40');
  await dialog.getByLabel('Limit on').selectOption('time');
  await dialog.getByLabel(/^New limit/).fill('a while');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Please write a whole number').waitFor();
  await accessible(page, 'my limits');
  await touchable(dialog);
  await picture(page, 'player-limits');
  await loss.getByRole('button', { name: 'Keep 12.00' }).click();
  await loss.getByText(/Asked for/).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  // After a reload the house still knows: the result, the limit, and nobody asks again.
  await page.reload();
  await page.locator('.spot').first().waitFor();
  await page.locator('.terminal[data-play="free"]').waitFor();
  await terminal.figure('net', '−10.00');
  dialog = await limits(terminal);
  await expect.poll(() => dialog.locator('[data-limit="session-loss"] dd').first().textContent()).toBe('12.00');
});

test('P-075 a member’s card: limits for the day hold at the next station, and an excluded card does not play', async () => {
  const dealer = new Dealer(house, 'rapid-1', 'mbs-etg');
  const first = await comes('rapid-1');
  await first.skip();
  let dialog = await limits(first);
  await expect.poll(() => dialog.getByLabel('For').locator('option').allTextContents()).toEqual(['this session']);
  await dialog.getByLabel('Card number').fill('70001234');
  await dialog.getByLabel('Card PIN').fill('1234');
  await dialog.getByRole('button', { name: 'Use this card' }).click();
  await dialog.getByText('Your card is in use.').waitFor();
  await setLimit(dialog, 'spend', 'day', '15');
  await setLimit(dialog, 'time', 'month', '600');
  await accessible(first.page, 'limits of a card');
  await picture(first.page, 'player-card-limits');
  await first.page.keyboard.press('Escape');
  await dealer.callBets();
  await first.bet('odd', '10');
  // The card goes with the player.
  const second = await comes('rapid-1');
  await second.skip();
  dialog = await limits(second);
  await dialog.getByLabel('Card number').fill('70001234');
  await dialog.getByLabel('Card PIN').fill('1234');
  await dialog.getByRole('button', { name: 'Use this card' }).click();
  await expect.poll(() => dialog.locator('[data-limit="day-spend"] dd').allTextContents()).toEqual(['15.00', '10.00', '5.00']);
  await second.page.keyboard.press('Escape');
  await shut(first, /in use at another station/).waitFor();
  await picture(first.page, 'player-card-elsewhere');
  await second.choose('10');
  await second.tap('even');
  await second.refused(/Even: This bet would exceed your stake limit \([\d.]+\)\./).waitFor();
  await dealer.finish([1, 2, 4]);
  // The bet that was registered before the card went stands and is paid.
  await first.figure('credit', '110.00');

  const third = await comes('rapid-1');
  await third.skip();
  dialog = await limits(third);
  await dialog.getByLabel('Card number').fill('70000000');
  await dialog.getByLabel('Card PIN').fill('0000');
  await dialog.getByRole('button', { name: 'Use this card' }).click();
  await third.page.keyboard.press('Escape');
  const notice = shut(third, /This card may not be used to play/);
  await notice.waitFor();
  await accessible(third.page, 'an excluded card');
  await touchable(notice);
  await picture(third.page, 'player-excluded');
  await third.page.reload();
  await notice.waitFor();
});

test('P-078 the reality check covers the layout until it is acknowledged; a break locks and ends', async () => {
  const dealer = new Dealer(house, 'pearl', 'rws-etg');
  const checked = await comes('pearl');
  await checked.page.locator('.first-time').getByLabel('1 min').check();
  await checked.skip();
  const resting = await comes('pearl', { size: PHONE, touch: true });
  await picture(resting.page, 'player-first-time-phone');
  // Also where the card has to be scrolled, leaving it is one touch.
  const bottom = async (what: string): Promise<number> => {
    const box = await resting.page.locator(what).boundingBox();
    return box ? box.y + box.height : NaN;
  };
  await expect.poll(async () => (await bottom('.felt')) - (await bottom('.first-time .skip'))).toBeGreaterThanOrEqual(0);
  await touchable(resting.page.locator('.first-time'));
  await resting.skip();

  await dealer.callBets();
  await checked.bet('small', '5');
  // A break, on a phone; nothing can be bet, money can be taken out.
  const dialog = await limits(resting);
  await picture(resting.page, 'player-limits-phone');
  await touchable(dialog);
  await dialog.getByLabel('Minutes').fill('1');
  await dialog.getByRole('button', { name: 'Lock for 1 min' }).tap();
  const locked = shut(resting, /You are taking a break/);
  await locked.waitFor();
  await resting.tapInVain('small');
  expect(await resting.page.locator('[data-figure="bets"]').textContent()).toContain('0.00');
  await accessible(resting.page, 'a break');
  await picture(resting.page, 'player-break-phone');
  await locked.getByRole('button', { name: 'Cash out' }).tap();
  await own(resting.page).getByRole('button', { name: /Cash out 100/ }).waitFor();
  await resting.page.keyboard.press('Escape');

  // A minute of play later the other player must look, and the round goes on in sight.
  const look = shut(checked, /Reality check/);
  await look.waitFor({ timeout: PATIENCE + 60_000 });
  await look.getByText('Your accepted bets of 5.00 stay in the round').waitFor();
  await look.locator('[data-stands="staked"]', { hasText: /^5\.00$/ }).waitFor();
  await look.locator('[data-stands="open"]', { hasText: /^5\.00$/ }).waitFor();
  await look.locator('[data-stands="net"]', { hasText: '0.00' }).waitFor();
  // A page that is looked at late goes on counting.
  await look.locator('[data-stands="time"]', { hasText: /0 h [12] min/ }).waitFor();
  await accessible(checked.page, 'a reality check');
  await touchable(look);
  await picture(checked.page, 'player-reality-check');
  await checked.tapInVain('big');
  await checked.page.keyboard.press('Escape');
  await expect.poll(() => look.count()).toBe(1);
  await checked.figure('bets', '5.00');
  // The result is not hidden by it: strip, settlement and credit show it.
  await dealer.finish([1, 2, 3]);
  await checked.figure('credit', '105.00');
  await checked.card().waitFor();
  await picture(checked.page, 'player-reality-check-result');
  await expect.poll(() => look.count()).toBe(1);
  await look.getByRole('button', { name: 'Continue' }).click();
  await look.waitFor({ state: 'detached' });
  await dealer.callBets();
  await checked.says(/place your bets/i);
  await checked.tap('big');
  await checked.registered('big', '5.00');
  // The break is over by itself.
  await locked.waitFor({ state: 'detached', timeout: PATIENCE + 60_000 });
  await resting.press(resting.page.getByRole('tab').first());
  await resting.tap('small');
  await resting.figure('bets', '5.00');
  await dealer.finish([1, 2, 3]);
  await house.verify();
});

test('P-075 the pit stops play: the terminal says so at once, registered bets stand, and only the shift manager lets it go on', async () => {
  const dealer = new Dealer(house, 'pearl', 'rws-etg');
  const terminal = await comes('pearl', { size: WALL });
  await terminal.skip();
  const station = (await terminal.page.locator('header .facts b').first().textContent()) ?? '';
  await dealer.callBets();
  await terminal.bet('small', '5');
  const pit = await Desk.open(browser, house, 'pearl', 'pit-supervisor');
  await pit.press('Stop play');
  await pit.dialog().getByLabel('Terminal').selectOption({ label: station });
  await pit.dialog().getByLabel('Reason').fill('asked by the player');
  await pit.dialog().getByRole('button', { name: 'Stop play', exact: true }).click();
  await pit.dialog().getByText(`Play is stopped at ${station}.`).waitFor();
  const stopped = shut(terminal, /Play was stopped here/);
  await stopped.getByText('Reason given: asked by the player').waitFor();
  await accessible(terminal.page, 'play stopped');
  await accessible(pit.page, 'stopping play');
  await picture(terminal.page, 'player-stopped');
  await picture(pit.page, 'pit-stop-play');
  await dealer.finish([1, 2, 3]);
  await terminal.figure('credit', '105.00');
  await pit.dialog().getByLabel('Reason').fill('may go on');
  await pit.dialog().getByRole('button', { name: 'Let play go on' }).click();
  await pit.dialog().getByRole('alert').waitFor();
  await stopped.waitFor();
  const shift = await Desk.open(browser, house, 'pearl', 'shift-manager');
  await shift.press('Stop play');
  await shift.dialog().getByLabel('Terminal').selectOption({ label: station });
  await shift.dialog().getByLabel('Reason').fill('spoke with the player');
  await shift.dialog().getByRole('button', { name: 'Let play go on' }).click();
  await stopped.waitFor({ state: 'detached' });
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await terminal.tap('big');
  await terminal.registered('big', '5.00');
  await dealer.finish([6, 6, 5]);
  await terminal.figure('credit', '110.00');

  // The player's own dispute, and its state as the pit moves it.
  await terminal.press(terminal.page.locator('nav.tools button', { hasText: /History/ }));
  const history = own(terminal.page);
  await history.getByRole('combobox', { name: 'What is wrong' }).first().selectOption('paid_too_little');
  await history.getByRole('button', { name: /Dispute/ }).click();
  const disputes = history.getByRole('region', { name: 'Disputes' });
  await disputes.getByText('open', { exact: true }).waitFor();
  const cases = await staffScreen(browser, house, '/cases', 'pit-supervisor');
  await cases.getByRole('link', { name: /Case \d/ }).first().click();
  const acts = cases.getByRole('region', { name: 'What you may do now' });
  await acts.getByRole('button', { name: 'Take it on', exact: true }).first().click();
  await acts.getByRole('button', { name: 'Record it' }).click();
  await disputes.locator('.state', { hasNotText: /^open$/ }).first().waitFor();
  await picture(terminal.page, 'player-dispute');
});

test.each(['zh-Hans', 'zh-Hant', 'vi'] as const)('the player’s own screens in %s', async (language) => {
  const phone = await comes('rapid-1', { size: PHONE, touch: true, language });
  const { page } = phone;
  await accessible(page, `first-time in ${language}`);
  await picture(page, `player-first-time-${language}`);
  await touchable(page.locator('.first-time'));
  await phone.skip();
  const dialog = await limits(phone);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await accessible(page, `my limits in ${language}`);
  await touchable(dialog);
  await picture(page, `player-limits-${language}`);
});
