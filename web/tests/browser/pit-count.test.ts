// Money that staff move in a house with duties, by what its people see: what one person may not
// give alone waits for a second person on a screen of their own, and somebody else counts it.
import { picture } from './lib/pictures';
import { at, first, logged } from './lib/guarded';
import { fits } from './lib/pit';
import { accessible } from './lib/axe';
import { House } from './lib/house';
import { browser, house, stage } from './lib/stage';
import { afterAll, expect, test } from 'vitest';

stage(() => House.guarded([{ stations: [{ names: ['T1'], layout: 'rapid' }], book: 'mbs-etg', name: 'lotus' }], 'pin_again_minutes = 0'));
afterAll(() => house.verify());

test('P-080: credit beyond what one person gives is confirmed by a second and counted by another', async () => {
  const supervisor = await logged('Lim Siew Hoon', 'pit desk 1', '/pit');
  const opened = await supervisor.request.post('/api/tables/lotus/acts', { data: { act: 'open_table' } });
  expect(opened.status(), await opened.text()).toBe(200);
  const cashier = await logged('Chua Mei Fong', 'cage window 1', '/cashier');
  const sells = cashier.locator('form', { has: cashier.getByRole('heading', { name: 'Credit at a station' }) });
  await sells.getByLabel('Amount').fill('6,000');
  await sells.getByLabel('From').selectOption('cage');
  await sells.getByRole('button', { name: 'Sell credit' }).click();
  // More than a thousand chips is read back, and can be left.
  const dialog = cashier.locator('dialog[open]');
  await dialog.getByText('6,000.00 SGD').waitFor();
  await accessible(cashier, 'a large amount');
  await picture(cashier, 'cashier-read-back');
  await dialog.getByRole('button', { name: 'Sell credit' }).click();
  await cashier.getByText('Credit of 6,000.00 at T1 is more than one person gives alone').waitFor();
  await supervisor.goto('/pit/lotus');
  const proposal = supervisor.locator('article.proposal');
  await proposal.getByText('6,000.00').waitFor();
  await proposal.getByRole('button', { name: 'Confirm as the second person' }).click();
  await cashier.getByText('6,000.00 credited at T1: a second person confirmed it.').waitFor();
  // Whoever moved it does not count it, and nobody who counts sees how much it should be.
  const counts = cashier.getByRole('region', { name: 'Money to be counted' });
  await counts.getByText('You moved it: somebody else counts it.').waitFor();
  expect(await counts.getByRole('button').count()).toBe(0);
  const manager = await at('cage window 1', '/cashier');
  await first(manager, 'Goh Boon Keng', await house.pin('Goh Boon Keng'));
  const entry = manager.getByRole('region', { name: 'Money to be counted' }).locator('li');
  await entry.getByText('Chua Mei Fong + Lim Siew Hoon').waitFor();
  expect(await entry.textContent()).not.toContain('6,000');
  await accessible(manager, 'money to be counted');
  await picture(manager, 'cashier-count');
  for (const screen of ['phone', 'desk'] as const) await fits(manager, screen, 'money to be counted');
  await entry.getByLabel('Counted').fill('5,900');
  await entry.getByRole('button', { name: 'Enter the count' }).click();
  await manager.getByText('5,900.00 at lotus · T1 is not what was entered').waitFor();
  // It stands in the report of exceptions with both figures.
  await manager.goto('/reports');
  const exceptions = manager.getByRole('region', { name: 'Report of exceptions' });
  const row = exceptions.locator('tbody tr');
  await row.getByText('6,000.00 SGD').waitFor();
  await row.getByText('5,900.00 SGD').waitFor();
  await row.getByText('Chua Mei Fong + Lim Siew Hoon').waitFor();
  await accessible(manager, 'the report of exceptions');
  await picture(manager, 'reports-exceptions');
  for (const screen of ['phone', 'desk'] as const) await fits(manager, screen, 'the report of exceptions');
  await manager.goto('/cashier');
  await entry.getByLabel('Counted').fill('6,000');
  await entry.getByRole('button', { name: 'Enter the count' }).click();
  await manager.getByText('6,000.00 at lotus · T1 is counted.').waitFor();
  await entry.waitFor({ state: 'detached' });
  expect(browser.complaints).toEqual([]);
});
