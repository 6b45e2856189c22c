// J-04 b and c from the pit: two persons, each on a session of their own, with
// exact amounts on the books that differ.
import { expect, test } from 'vitest';
import { accessible } from './lib/axe';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { Desk } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

interface Case {
  table: string;
  book: string;
  layout: string;
  /** What 10 on a total of 11 returns. */
  eleven: string;
  left: string;
  rule: string;
}
// 11 pays 6 1/2 by the enhanced tables and 6 by the standard one (A.6).
const CASES: Case[] = [
  { table: 'enhanced', book: 'rws-etg', layout: 'a', eleven: '75.00', left: '65.00', rule: 'rws-etg 5.5' },
  { table: 'standard', book: 'rws-open-cover', layout: 'c', eleven: '70.00', left: '60.00', rule: 'rws-open-cover 5.5' },
  { table: 'rapid', book: 'mbs-etg', layout: 'rapid', eleven: '75.00', left: '65.00', rule: 'mbs-etg 6.3' },
];
const TABLES: TableSpec[] = [
  ...CASES.map(({ table, book, layout }) => ({ name: table, book, stations: [{ layout, names: ['T1', 'T2'] }] })),
  { name: 'console', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1', 'T2'] }] },
  { name: 'dispute', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'anew', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'later', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1', 'T2', 'T3'] }] },
];
stageTables(TABLES);

/** T1 has 10 on 11, T2 has 10 on 12; the dice are registered as 3-3-5. */
async function play(dealer: Dealer, first: Terminal, second: Terminal): Promise<void> {
  await dealer.callBets();
  for (const [terminal, section] of [[first, 'total:11'], [second, 'total:12']] as const) {
    await terminal.bet(section, '10');
  }
  await dealer.finish([3, 3, 5]);
}

test('P-065: two readings that differ withdraw the proposal, and both read the dice anew', async () => {
  const dealer = new Dealer(house, 'anew', 'rws-etg');
  await dealer.callBets();
  await dealer.finish([3, 3, 5]);
  const supervisor = await Desk.open(browser, house, 'anew', 'pit-supervisor');
  const manager = await Desk.open(browser, house, 'anew', 'shift-manager');
  await supervisor.press('Wrong result');
  await supervisor.dialog().getByRole('button', { name: /Round 1/ }).click();
  const propose = async (): Promise<void> => {
    await supervisor.keys([3, 3, 6], supervisor.dialog());
    await supervisor.dialog().getByLabel('Evidence').fill('Camera 4');
    await supervisor.press(/Propose/, supervisor.dialog());
    await supervisor.dialog().getByText('A second person, logged in elsewhere').waitFor();
  };
  const confirm = async (dice: number[]): Promise<void> => {
    await manager.keys(dice, manager.proposal());
    await manager.press('Confirm as the second person', manager.proposal());
  };
  await propose();
  await confirm([3, 3, 4]);
  // Neither can try until it fits: the card is gone, and each is told so.
  await manager.proposal().waitFor({ state: 'detached' });
  await manager.banner(/different dice|differ/i).first().waitFor();
  const again = supervisor.dialog().getByRole('button', { name: 'Read the dice again' });
  await again.waitFor();
  await accessible(supervisor.page, 'a proposal that is gone');
  await picture(supervisor.page, 'pit-readings-differ');
  await again.click();
  // Nothing of the first reading is left to be copied.
  expect(await supervisor.dialog().getByRole('button', { name: /Propose/ }).isDisabled()).toBe(true);
  await propose();
  await confirm([6, 3, 3]);
  await supervisor.dialog().getByText('The result of round 1 is now 3 3 6').waitFor();
  await house.verify();
});

for (const { table, book, eleven, left, rule } of CASES)
  test(`J-04 b ${book}: found before the next round, corrected to the dice by two who read them`, async () => {
    const dealer = new Dealer(house, table, book);
    const [first, second] = [await sit(table), await sit(table)];
    await first.insert('50');
    await second.insert('50');
    await play(dealer, first, second);
    const before = 40 + Number(eleven);
    await first.figure('credit', `${before.toFixed(2)}`);
    await second.figure('credit', '40.00');

    const supervisor = await Desk.open(browser, house, table, 'pit-supervisor');
    const manager = await Desk.open(browser, house, table, 'shift-manager');
    await supervisor.press('Wrong result');
    await supervisor.dialog().getByRole('button', { name: /Round 1/ }).click();
    // 002 6.3: the dice prevail "given the round has been conducted" by the rules.
    const conduct = supervisor.dialog().getByRole('group', { name: /accordance with the/i });
    if (book === 'mbs-etg') {
      await conduct.getByLabel('No', { exact: false }).check();
      await supervisor.keys([3, 3, 6], supervisor.dialog());
      await supervisor.dialog().locator('.banner').first().waitFor();
      expect(await supervisor.dialog().getByRole('button', { name: /Propose/ }).isDisabled()).toBe(true);
      await picture(supervisor.page, 'pit-conduct-asked');
      await conduct.getByLabel('Yes', { exact: false }).check();
    } else {
      expect(await conduct.count()).toBe(0);
      await supervisor.keys([3, 3, 6], supervisor.dialog());
    }
    // What it does to whom, before anyone confirms it.
    await supervisor.effects(supervisor.dialog(), 'T1', ['10.00', eleven, '0.00', `−${eleven}`, '', '', eleven]);
    await supervisor.effects(supervisor.dialog(), 'T2', ['10.00', '0.00', '80.00', '+80.00', '80.00', '', '']);
    await supervisor.dialog().getByText(rule).first().waitFor();
    await supervisor.dialog().getByLabel('Evidence').fill('Dice in place, camera 4');
    if (table === 'enhanced') {
      await accessible(supervisor.page, 'the wizard of a wrong result');
      await picture(supervisor.page, 'pit-wrong-result');
    }
    await supervisor.press(/Propose/, supervisor.dialog());
    await supervisor.dialog().getByText('A second person, logged in elsewhere').waitFor();

    // The second is not shown the first's dice, and reads them alone.
    const card = manager.proposal();
    await card.getByText('Correct a wrong result').waitFor();
    expect(await card.locator('.shown').textContent()).not.toMatch(/\d/);
    expect(await card.getByRole('button', { name: 'Confirm as the second person' }).isDisabled()).toBe(true);
    await manager.keys([6, 3, 3], card);
    await manager.effects(card, 'T2', ['10.00', '0.00', '80.00', '+80.00', '80.00', '', '']);
    if (table === 'enhanced') await picture(manager.page, 'pit-second-person');
    await manager.press('Confirm as the second person', card);

    await supervisor.dialog().getByText('The result of round 1 is now 3 3 6').waitFor();
    await second.figure('credit', '120.00');
    await second.figure('net', '+70.00');
    // What was paid too much stays until somebody rules on it.
    await first.figure('credit', `${before.toFixed(2)}`);
    await second.page.getByText('3 3 6').first().waitFor();

    await manager.press('Recover or waive');
    await manager.dialog().getByRole('radio', { name: 'Recover' }).check();
    const recover = manager.dialog().getByRole('button', { name: 'Recover', exact: true });
    // Nothing is taken back in Singapore before the three things are so (reg. 15(4)).
    expect(await recover.isDisabled()).toBe(true);
    for (const check of await manager.dialog().getByRole('checkbox').all()) await check.check();
    await manager.dialog().getByLabel('Amount').fill('50');
    if (table === 'enhanced') await picture(manager.page, 'pit-recover');
    await recover.click();
    await manager.dialog().waitFor({ state: 'detached' });
    await first.figure('credit', left);
    // The rest is waived: the player keeps it.
    await manager.page.getByRole('region', { name: 'Paid too much' }).locator('li', { hasText: (Number(eleven) - 50).toFixed(2) }).waitFor();
    await manager.press('Recover or waive');
    await manager.dialog().getByLabel('Reason').fill('Goodwill');
    await manager.press('Waive', manager.dialog());
    await manager.page.getByRole('region', { name: 'Paid too much' }).waitFor({ state: 'detached' });
    await first.figure('credit', left);
    // Both lives of the round can be seen.
    await manager.page.getByRole('region', { name: 'Ended rounds' }).getByRole('button', { name: /amended/ }).click();
    await manager.dialog().getByText(/before: 3 3 5/).waitFor();
    await house.verify();
  });

test('J-04 c: found after a later round, which is not touched; who left is owed, who is there is paid', async () => {
  const dealer = new Dealer(house, 'later', 'rws-etg');
  const [first, second, third] = [await sit('later'), await sit('later'), await sit('later')];
  await first.insert('50');
  await second.insert('50');
  await third.insert('10');
  await dealer.callBets();
  for (const [terminal, section] of [[first, 'total:11'], [second, 'total:12'], [third, 'total:12']] as const) {
    await terminal.bet(section, '10');
  }
  await dealer.finish([3, 3, 5]);
  await first.figure('credit', '115.00');
  await third.figure('credit', '0.00');
  // A later round is in hand, with a bet in it.
  await dealer.callBets();
  await second.bet('big', '10');

  const manager = await Desk.open(browser, house, 'later', 'shift-manager');
  const supervisor = await Desk.open(browser, house, 'later', 'pit-supervisor');
  await manager.press('Wrong result');
  await manager.dialog().getByRole('button', { name: /Round 1/ }).click();
  await manager.dialog().getByText('Later rounds are not touched').waitFor();
  await manager.keys([6, 3, 3], manager.dialog());
  await manager.effects(manager.dialog(), 'T1', ['10.00', '75.00', '0.00', '−75.00', '', '', '75.00']);
  await manager.effects(manager.dialog(), 'T2', ['10.00', '0.00', '80.00', '+80.00', '80.00', '', '']);
  // Nothing was left at T3 when play went on: it is kept, not credited to whoever sits there.
  await manager.effects(manager.dialog(), 'T3', ['10.00', '0.00', '80.00', '+80.00', '', '80.00', '']);
  await manager.dialog().getByLabel('Evidence').fill('Camera 4, 21:14:08');
  await manager.press(/Propose/, manager.dialog());
  const card = supervisor.proposal();
  await supervisor.keys([3, 3, 6], card);
  await supervisor.shows(card, 'T3');
  await supervisor.press('Confirm as the second person', card);
  await manager.dialog().getByText('The result of round 1 is now').waitFor();
  await manager.page.keyboard.press('Escape');

  await second.figure('credit', '110.00');
  await second.figure('bets', '10.00');
  await first.figure('credit', '115.00');
  await third.figure('credit', '0.00');
  // The later round is settled as if nothing had been.
  await dealer.finish([6, 6, 5]);
  await second.figure('credit', '130.00');
  // What nobody claimed is paid by the one who may, and only once.
  const unclaimed = manager.page.getByRole('region', { name: 'Unclaimed credits' });
  await unclaimed.getByText('80.00').first().waitFor();
  await picture(manager.page, 'pit-desk-owings');
  await manager.press('Pay out', unclaimed);
  await unclaimed.waitFor({ state: 'detached' });
  await manager.page.getByRole('region', { name: 'Paid too much' }).getByText('75.00').first().waitFor();
  await house.verify();
});

test('the second person sees at the console too what it does to whom, before they confirm', async () => {
  const dealer = new Dealer(house, 'console', 'rws-etg');
  const [first, second] = [await sit('console'), await sit('console')];
  await first.insert('50');
  await second.insert('50');
  await play(dealer, first, second);
  await second.figure('credit', '40.00');
  await house.ask('pit-supervisor', 'POST', '/api/tables/console/proposals', { act: 'correct_result', round: 1, dice: [3, 3, 6], evidence: 'Dice in place, camera 4' });
  const { page } = await Console.sit(await browser.station({ origin: house.origin }), 'console', 'rws-etg', 'Shift manager');
  const card = page.locator('article.proposal');
  const confirm = card.getByRole('button', { name: 'Confirm as the second person' });
  await card.getByText('Correct a wrong result').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  for (const face of ['3', '6', '3']) await card.locator('.faces').getByRole('button', { name: face, exact: true }).click();
  await card.locator('tr', { hasText: 'T2' }).getByText('+80.00').waitFor();
  await accessible(page, 'a proposal at the console');
  await picture(page, 'console-second-person');
  await confirm.click();
  await second.figure('credit', '120.00');
});

test('two readings that differ leave the table held until the person named releases it', async () => {
  const dealer = new Dealer(house, 'dispute', 'rws-etg');
  await dealer.callBets();
  await dealer.finish([3, 3, 5]);
  const desk = await Console.sit(await browser.station({ origin: house.origin }), 'dispute', 'rws-etg');
  await desk.next('Start the tumbler');
  await house.ask('shift-manager', 'POST', '/api/tables/dispute/proposals', { act: 'correct_result', round: 1, dice: [3, 3, 6], evidence: 'Dice in place, camera 4' });
  const [made] = (await house.ask('pit-supervisor', 'GET', '/api/tables/dispute/proposals')) as { proposal: number; digest: string }[];
  await expect(house.ask('pit-supervisor', 'POST', `/api/tables/dispute/proposals/${made!.proposal}/confirm`, { digest: made!.digest, dice: [1, 2, 4] })).rejects.toThrow(/readings_differ/);
  // The dealer sees why play waits and who ends it, and cannot end it.
  const held = desk.page.locator('article.decision', { hasText: 'The proposal came to nothing and the dice are in dispute' });
  await held.getByText('Pit supervisor').first().waitFor();
  await held.getByRole('heading', { name: 'The dice are in dispute: play waits' }).waitFor();
  expect(await held.getByRole('button').count()).toBe(0);
  expect(await desk.page.locator('.go:not([disabled])').count()).toBe(0);
  await desk.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await accessible(desk.page, 'a table in dispute at the console');
  const supervisor = await Desk.open(browser, house, 'dispute', 'pit-supervisor');
  const release = supervisor.decision().getByRole('button', { name: 'Release the table: play goes on' });
  await release.waitFor();
  expect(await release.isDisabled()).toBe(true);
  await supervisor.decision().getByLabel('Reason').fill('Camera 4 shows 3 3 5');
  await accessible(supervisor.page, 'a table in dispute at the pit desk');
  await release.click();
  await supervisor.decision().waitFor({ state: 'detached' });
  await desk.enter('Start the tumbler');
  await desk.page.locator('.go strong', { hasText: 'Enter the tumbles you counted' }).waitFor();
  await house.verify();
});

test('a correction is refused to whom the book does not name', async () => {
  // The book names the shift manager for what is found later; two supervisors do not do.
  const dealer = new Dealer(house, 'standard', 'rws-open-cover');
  await dealer.callBets();
  const supervisor = await Desk.open(browser, house, 'standard', 'pit-supervisor');
  await supervisor.press('Wrong result');
  await supervisor.dialog().getByRole('button', { name: /Round 1/ }).click();
  await supervisor.keys([1, 2, 4], supervisor.dialog());
  await supervisor.dialog().getByLabel('Evidence').fill('Camera 2');
  await supervisor.press(/Propose/, supervisor.dialog());
  await supervisor.dialog().getByText('A second person, logged in elsewhere').waitFor();
  const proposals = (await house.ask('pit-supervisor', 'GET', '/api/tables/standard/proposals')) as { proposal: number; digest: string }[];
  await expect(house.ask('pit-supervisor', 'POST', `/api/tables/standard/proposals/${proposals[0]!.proposal}/confirm`, { digest: proposals[0]!.digest, dice: [1, 2, 4] })).rejects.toThrow(/not_authorised|second_person_needed/);
  // Whoever proposed it may take it back; nothing was changed.
  await supervisor.page.keyboard.press('Escape');
  await supervisor.press('Withdraw');
  await supervisor.proposal().waitFor({ state: 'detached' });
  await house.verify();
});
