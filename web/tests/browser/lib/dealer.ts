// A dealer without a page, for tests whose matter is another page: the order
// of play of each rule book, as its document has it.
import { PATIENCE } from './browser';
import type { House } from './house';

export type Dice = [number, number, number];

/** Some past, so that roads and counts have something to show. */
const PAST: Dice[] = [[1, 2, 3], [6, 6, 2], [2, 4, 5], [4, 4, 4], [3, 5, 6], [1, 1, 5], [2, 3, 3], [5, 5, 6], [1, 4, 6], [2, 2, 3], [3, 4, 6], [1, 6, 6]];

const TUMBLE = [{ act: 'activate_tumbler' }, { act: 'report_tumbles', count: 3, all_dice_moved: true }];

export class Dealer {
  constructor(
    readonly house: House,
    readonly table: string,
    readonly book: string,
  ) {}

  async act(act: object, position = 'dealer'): Promise<void> {
    await this.house.ask(position, 'POST', `/api/tables/${encodeURIComponent(this.table)}/acts`, act);
  }

  async #all(acts: object[]): Promise<void> {
    for (const act of acts) await this.act(act);
  }

  /** A round that another test left is ended as its book allows. */
  async afresh(): Promise<void> {
    const causes = ['dice-exposed-early', 'tumbler-activated-early', 'too-few-tumbles', 'die-not-flat', 'dome-broken'];
    for (const cause of causes) {
      const { round } = (await this.state()) as { round: unknown };
      if (round === null) return;
      await this.act({ act: 'declare_void', cause }).catch(() => null);
    }
  }

  open(): Promise<void> {
    return this.act({ act: 'open_table' }, 'pit-supervisor');
  }

  async callBets(): Promise<void> {
    if (['mbs-etg', 'rws-etg', 'quang-nam-table'].includes(this.book)) await this.#all(TUMBLE);
    await this.act({ act: 'call_bets' });
    if (this.book === 'mbs-table') await this.#all(TUMBLE);
  }

  closeBets(): Promise<void> {
    return this.act({ act: 'close_bets' });
  }

  /** Every terminal has shown the close, or was cut off for not showing it. */
  async everyoneShown(): Promise<void> {
    const until = performance.now() + PATIENCE;
    for (;;) {
      const { round } = (await this.state()) as { round: { awaiting: number[] } | null };
      if ((round?.awaiting.length ?? 0) === 0) return;
      if (performance.now() > until) throw new Error(`${this.table} still waits for terminals ${round?.awaiting.join(', ')}`);
      // Asked without a pause it would take the time from the pages that are waited for.
      await new Promise((later) => setTimeout(later, 20));
    }
  }

  state(): Promise<unknown> {
    return this.house.ask('dealer', 'GET', `/api/tables/${encodeURIComponent(this.table)}/staff`);
  }

  async dice(dice: Dice): Promise<void> {
    await this.everyoneShown();
    if (this.book === 'rws-open-cover') await this.#all(TUMBLE);
    else if (this.book === 'mbs-table') await this.#all([{ act: 'press_deal' }, { act: 'uncover' }]);
    else await this.act({ act: 'uncover' });
    await this.#all([{ act: 'confirm_flat' }, { act: 'key_dice', dice }, { act: 'confirm_result' }]);
    // Where lights show the winning areas chips move after them (004 4.7); elsewhere the round has ended.
    if (this.book === 'quang-nam-table') await this.#all([{ act: 'report_lights', lit: true }, { act: 'take_and_pay' }]);
  }

  /** From the close to the end of the round. */
  async finish(dice: Dice): Promise<void> {
    await this.closeBets();
    await this.dice(dice);
  }

  /** A dozen rounds that nobody bet in. */
  async past(): Promise<void> {
    for (const dice of PAST) {
      await this.callBets();
      await this.finish(dice);
    }
  }
}
