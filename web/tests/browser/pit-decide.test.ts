// Decisions at the pit's desk: interruptions (J-05), rulings on what no rule
// covers, readings that disagree, and approval to resume, each refused
// to whom the book does not name.
import { expect, test } from 'vitest';
import { accessible } from './lib/axe';
import { Dealer } from './lib/dealer';
import type { TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { Desk } from './lib/pit';
import { browser, house, sit, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'acting', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'higher', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] },
  { name: 'gone', book: 'rws-etg', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'dome', book: 'rws-open-cover', stations: [{ layout: 'a', names: ['T1'] }] },
  { name: 'twice', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }], more: 'second_reading = "always"' },
  { name: 'lamps', book: 'quang-nam-table', stations: [{ layout: 'a', names: ['S1'] }] },
  { name: 'limits', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] },
];
stageTables(TABLES);

async function betting(dealer: Dealer): Promise<Terminal> {
  const terminal = await sit(dealer.table);
  await terminal.insert('50');
  await dealer.callBets();
  await terminal.bet('big', '10');
  return terminal;
}

test('J-05 at the pit: rws wants an acting dealer, mbs lets the higher position act; the stake is back', async () => {
  const [first, second] = [new Dealer(house, 'acting', 'rws-etg'), new Dealer(house, 'higher', 'mbs-etg')];
  const [one, two] = [await betting(first), await betting(second)];
  await house.kill();
  await house.start();
  // The board says that two tables wait, and where.
  const desk = await Desk.open(browser, house, 'acting', 'pit-supervisor');
  const decision = desk.decision();
  await decision.getByText('The round was interrupted').waitFor();
  await decision.getByText('rws-etg 5.1.2').waitFor();
  await decision.getByText('No outcome was established').waitFor();
  expect(await decision.locator('tbody tr td').allTextContents()).toEqual(['10.00', '10.00', '0.00 – 20.00']);
  await accessible(desk.page, 'the desk with a decision');
  await picture(desk.page, 'pit-decision');
  // No way on is offered. The book names the dealer, and nobody in their stead.
  expect(await decision.getByRole('button').allTextContents()).toEqual([]);
  await one.figure('bets', '10.00');
  // Assigned as acting, one touch, on record.
  await desk.press('Acting positions');
  await desk.dialog().getByLabel('Person').selectOption({ label: 'Lim Siew Hoon · Pit supervisor' });
  await desk.press('Assign', desk.dialog());
  await desk.dialog().getByText('acts as Dealer', { exact: true }).waitFor();
  await desk.page.keyboard.press('Escape');
  expect(await decision.getByRole('button').allTextContents()).toEqual(['Confirm: the round is void']);
  await desk.press('Confirm: the round is void', decision);
  await one.figure('credit', '50.00');

  await desk.page.goto('/pit/higher');
  await desk.decision().getByText('mbs-etg 5.8.1').waitFor();
  await desk.press('Confirm: the round is void', desk.decision());
  await two.figure('credit', '50.00');
  await house.verify();
});

test('J-05: the dice are no longer in place; the shift manager rules, the supervisor may not', async () => {
  const dealer = new Dealer(house, 'gone', 'rws-etg');
  const terminal = await betting(dealer);
  await dealer.closeBets();
  await dealer.everyoneShown();
  await dealer.act({ act: 'uncover' });
  await house.kill();
  await house.start();
  const supervisor = await Desk.open(browser, house, 'gone', 'pit-supervisor');
  await supervisor.decision().getByText('The outcome was established').waitFor();
  const pending = ((await dealer.state()) as { decisions: { pending: number }[] }).decisions[0]!.pending;
  // Nothing is paid on these words: the dealer alone says so, and the matter goes up.
  await dealer.act({ act: 'confirm_interruption', pending, dice_in_place: false });
  await supervisor.decision().getByText('rws-etg 5.10').waitFor();
  expect(await supervisor.decision().getByRole('button').count()).toBe(0);
  const manager = await Desk.open(browser, house, 'gone', 'shift-manager');
  await manager.decision().getByText('Table Games Shift Manager').waitFor();
  await manager.decision().getByLabel('Reason').fill('No footage shows the dice');
  await manager.press('The round is void', manager.decision());
  await manager.decision().waitFor({ state: 'detached' });
  await terminal.figure('credit', '50.00');
  await house.verify();
});

test('Q-21: a broken dome no rule of the book covers is held, and ruled on with its effects in sight', async () => {
  const dealer = new Dealer(house, 'dome', 'rws-open-cover');
  const terminal = await betting(dealer);
  const manager = await Desk.open(browser, house, 'dome', 'shift-manager');
  await manager.press('Hold the round');
  await manager.dialog().getByRole('textbox').fill('The dome has a crack');
  await manager.press('Report', manager.dialog());
  const decision = manager.decision();
  await decision.getByText('The dome has a crack').waitFor();
  await decision.getByText('rws-open-cover 5.10').waitFor();
  expect(await decision.locator('tbody tr td').allTextContents()).toEqual(['10.00', '10.00', '0.00 – 20.00']);
  await decision.getByLabel('Reason').fill('Play goes on with a new dome');
  await manager.press('Betting goes on', decision);
  await decision.waitFor({ state: 'detached' });
  await dealer.finish([6, 6, 5]);
  await terminal.figure('credit', '60.00');
  await house.verify();
});

test('two readings disagree: two persons read again, and their dice count', async () => {
  const dealer = new Dealer(house, 'twice', 'mbs-etg');
  const terminal = await betting(dealer);
  await dealer.closeBets();
  await dealer.everyoneShown();
  for (const act of [{ act: 'uncover' }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 1, 2] }]) await dealer.act(act);
  await house.ask('pit-supervisor', 'POST', '/api/tables/twice/acts', { act: 'read_second', dice: [6, 6, 5] });
  await dealer.act({ act: 'confirm_result' });
  const supervisor = await Desk.open(browser, house, 'twice', 'pit-supervisor');
  const manager = await Desk.open(browser, house, 'twice', 'shift-manager');
  const decision = supervisor.decision();
  await decision.getByText('The two readings disagree').waitFor();
  await supervisor.keys([6, 5, 6], decision);
  await supervisor.press(/Propose/, decision);
  await manager.keys([5, 6, 6], manager.proposal());
  await manager.press('Confirm as the second person', manager.proposal());
  await decision.waitFor({ state: 'detached' });
  await terminal.figure('credit', '60.00');
  await house.verify();
});

test('R-173: the Pit Manager acknowledges a failed device, and play resumes only when the head of operations approves', async () => {
  const dealer = new Dealer(house, 'lamps', 'quang-nam-table');
  await dealer.act({ act: 'report_device_failure', what: 'the lamps stay dark' });
  const manager = await Desk.open(browser, house, 'lamps', 'pit-manager');
  const head = await Desk.open(browser, house, 'lamps', 'head-of-operations');
  // The desk whom 7.1 says must be told is told, and says that it has been.
  const notice = ({ page }: Desk) => page.getByRole('region', { name: 'Failures to be told of' }).getByRole('listitem').filter({ hasText: '“the lamps stay dark”' });
  const told = notice(manager);
  await told.getByText('quang-nam-table 7.1').waitFor();
  await told.getByText('Not yet acknowledged').waitFor();
  await accessible(manager.page, 'the desk with a failure');
  await picture(manager.page, 'pit-failure');
  const headTold = notice(head);
  expect(await headTold.getByRole('button').count()).toBe(0);
  await manager.press('I have been told', told);
  await told.getByText(/^Acknowledged by Nurul Aisyah at \d\d:\d\d/).waitFor();
  // Everyone who looks at the table reads by whom and when; nobody is asked again.
  await headTold.getByText(/^Acknowledged by Nurul Aisyah at \d\d:\d\d/).waitFor();
  expect(await headTold.getByRole('button').count()).toBe(0);
  await manager.decision().getByText('quang-nam-table 7.1').waitFor();
  await manager.decision().getByText('The table stays stopped').waitFor();
  expect(await manager.decision().getByRole('button').count()).toBe(0);
  await head.decision().getByText('Trưởng phòng Điều hành').waitFor();
  await head.press('Approve that play resumes', head.decision());
  await head.decision().waitFor({ state: 'detached' });
  await dealer.callBets();
  await house.verify();
});

test('limits change from the next round on, and only by who manages the pit', async () => {
  const dealer = new Dealer(house, 'limits', 'mbs-etg');
  const terminal = await betting(dealer);
  const manager = await Desk.open(browser, house, 'limits', 'pit-manager');
  await manager.press('Change limits');
  await manager.dialog().getByLabel('Big Maximum').fill('20');
  await manager.press('Change limits', manager.dialog());
  await manager.dialog().waitFor({ state: 'detached' });
  await manager.banner('New limits apply from the next round').waitFor();
  // In this round the old ones hold.
  await terminal.tap('big');
  await terminal.tap('big');
  await terminal.registered('big', '30.00');
  await dealer.finish([6, 6, 5]);
  await terminal.figure('credit', '80.00');
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await terminal.tap('big');
  await terminal.tap('big');
  await terminal.registered('big', '20.00');
  await terminal.tap('big');
  await terminal.refused('The maximum here is').waitFor();
  await house.verify();
});
