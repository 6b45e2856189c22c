// The house and the browser of one file of tests. Every file runs in a worker
// of its own, so these two are never shared between files.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Chromium } from './browser';
import { Dealer } from './dealer';
import { House, type TableSpec } from './house';
import { Terminal } from './terminal';

export let house: House;
export let browser: Chromium;

/** Opens both before the tests and closes them after; no test may leave a complaint in the browser. */
export function stage(open: () => Promise<House>): void {
  beforeAll(async () => {
    [house, browser] = await Promise.all([open(), Chromium.open()]);
  });
  afterEach(async ({ task }) => {
    await browser.leave(task.result?.state === 'fail' ? task.name : undefined);
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });
}

/** The same, with every table open. */
export function stageTables(tables: TableSpec[], site?: string, more?: string): void {
  stage(() => House.open(tables, site, more));
  beforeAll(() => openTables(tables));
}

export async function openTables(tables: TableSpec[]): Promise<void> {
  await Promise.all(tables.map(({ name, book }) => new Dealer(house, name, book).open()));
}

/** A new player's terminal at the table. */
export const sit = async (table: string): Promise<Terminal> => Terminal.sit(await browser.station({ origin: house.origin }), table);
