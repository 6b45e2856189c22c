// The real house program with its real store, on a free loopback port in a
// folder of its own; killed and started again on the same port and folder.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const BINARY = process.env['SICBO_BIN'] ?? resolve(import.meta.dirname, '../../../../target/debug/sicbo');
const AUDITOR = join(dirname(BINARY), 'sicbo-sim');

export interface TableSpec {
  name: string;
  book: string;
  stations: { layout: string; count?: number; names?: string[] }[];
  /** Dealt by the house itself, with bets open for so many seconds. */
  automatic?: number;
  /** Bets are open for so many seconds; the dealer may close them before. */
  window?: number;
  /** Amounts in whole units of the currency, by the names of the plan. */
  limits?: Record<string, string>;
  more?: string;
  /** Where vouchers go; files in a folder if not said. */
  printer?: string;
}

const STAFF: [string, string][] = [
  ['Tan Wei Ming', 'dealer'],
  ['Priya Raman', 'dealer'],
  ['Lim Siew Hoon', 'pit-supervisor'],
  ['Arjun Pillai', 'pit-supervisor'],
  ['Nurul Aisyah', 'pit-manager'],
  ['Goh Boon Keng', 'shift-manager'],
  ['Siti Rahmah', 'shift-manager'],
  ['Margaret Oliveiro', 'director'],
  ['Trần Quốc Bảo', 'head-of-operations'],
  ['Chua Mei Fong', 'cashier'],
  ['Ravi Subramaniam', 'technician'],
  ['Hafiz Rahman', 'surveillance'],
  ['Wong Kar Yan', 'auditor'],
];

function planned(table: TableSpec): string {
  const dong = table.book === 'quang-nam-table';
  const unit = dong ? 10_000 : 1;
  const electronic = !table.book.endsWith('-table');
  const dealt = table.automatic === undefined ? 'dealer = "person"\ntumbler = "manual"\nshortest_tumble_ms = 0' : 'dealer = "automatic"\npace = "brisk"\ntumbler = "simulated"';
  const limits = {
    minimum: `${unit}`,
    maximum: `${unit * 1_000}`,
    station_maximum: `${unit * 20_000}`,
    exposure_maximum: `${unit * 20_000_000}`,
    ...table.limits,
  };
  return [
    '[[tables]]',
    `name = "${table.name}"`,
    `book = "${table.book}"`,
    `currency = "${dong ? 'VND' : 'SGD'}"`,
    `chip_unit = "${unit}"`,
    `window_seconds = ${table.automatic ?? table.window ?? 3_600}`,
    'dice_set = "D-0001"',
    dealt,
    `lights = "${dong && table.automatic !== undefined ? 'simulated' : 'none'}"`,
    `printer = ${table.printer ?? '{ folder = "vouchers" }'}`,
    `note_acceptor = "${electronic ? 'simulated' : 'none'}"`,
    table.more ?? '',
    '[tables.limits]',
    ...Object.entries(limits).map(([name, value]) => `${name} = ${value.startsWith('{') ? value : `"${value}"`}`),
    ...table.stations.map(({ layout, count, names }) =>
      ['[[tables.stations]]', `layout = "${layout}"`, names ? `names = ${JSON.stringify(names)}` : `count = ${count ?? 1}`].join('\n'),
    ),
    '',
  ].join('\n');
}

/**
 * A free port below those that the system gives to connections: while a house is
 * down, nobody else comes to have its port.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await new Promise<boolean>((told) => {
      const probe = createServer().once('error', () => told(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => told(true)));
    });
    if (free) return port;
  }
}

export class House {
  origin = '';
  #folder = '';
  #practice = false;
  #address = '';
  #child: ChildProcess | null = null;
  #sessions = new Map<string, Promise<string>>();
  #first = new Map<string, number>();

  static async open(tables: TableSpec[], site = 'Riverside Casino', more = ''): Promise<House> {
    const house = await House.#planned(tables, site, more);
    // Before any page logs in.
    await Promise.all(['dealer', 'pit-supervisor', 'shift-manager'].map((position) => house.#session(position)));
    return house;
  }

  /** With duties, as with real money: everybody logs in with a PIN of their own, at an enrolled place. */
  static guarded(tables: TableSpec[], logIn: string): Promise<House> {
    return House.#planned(tables, 'Riverside Casino', '', `[log_in]\n${logIn}\n[duties]\n`);
  }

  static async #planned(tables: TableSpec[], site: string, more: string, sections = ''): Promise<House> {
    const house = new House();
    house.#folder = await mkdtemp(join(tmpdir(), 'sicbo-browser-'));
    const staff = STAFF.map(([name, position]) => `[[staff]]\nname = "${name}"\nposition = "${position}"\n`);
    const head = `site = "${site}"\nlisten = "127.0.0.1:0"\nutc_offset_minutes = 480\nidle_log_out_minutes = 720\nstop_within_seconds = 0\n${more}\n[hand_pay_above]\nSGD = "5000000.00"\nVND = "100000000000"\n${sections}`;
    await writeFile(join(house.#folder, 'house.toml'), [head, ...staff, ...tables.map(planned)].join('\n'));
    await house.start();
    return house;
  }

  /** A house of practice, as `sicbo serve --practice` makes it. */
  static async practice(): Promise<House> {
    const house = new House();
    house.#practice = true;
    house.#folder = await mkdtemp(join(tmpdir(), 'sicbo-practice-'));
    await house.start();
    return house;
  }

  /** Starts it; the second time on the port of the first. */
  async start(): Promise<void> {
    const folder = this.#folder;
    this.#address ||= `127.0.0.1:${await freePort()}`;
    const sort = this.#practice ? ['--practice'] : ['--config', join(folder, 'house.toml')];
    const args = ['serve', '--data', join(folder, 'data'), ...sort, '--hand-over', join(folder, 'hand-over.txt'), '--listen', this.#address];
    const env = { ...process.env, SICBO_MARKS: join(folder, 'marks') };
    const child = spawn(BINARY, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let told = '';
    child.stderr.on('data', (some: Buffer) => (told = (told + some.toString()).slice(-4_000)));
    await new Promise<void>((up, failed) => {
      child.once('error', failed);
      child.once('exit', (code) => failed(new Error(`the house ended with ${code}: ${told}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const address = /^listening on (?:https?:\/\/)?([^/\s]+)/.exec(line)?.[1];
        if (address === undefined) return;
        this.#address = address;
        this.origin = `http://${address}`;
        up();
      });
    });
    this.#sessions.clear();
  }

  /** As when the power goes: nothing is said, nothing is finished. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async close(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
    this.#child = null;
  }

  /**
   * Everything is as it was written: every chain, signature and payment by `sicbo verify`, and every
   * balance of every table by the auditor of the simulation, who has odds and books of his own.
   */
  async verify(): Promise<void> {
    const run = promisify(execFile);
    const data = join(this.#folder, 'data');
    for (const [program, ...words] of [[BINARY, 'verify', data], [AUDITOR, '--audit', data]] as const) {
      await run(program, words).catch((error: { code?: number; message: string; stdout?: string; stderr?: string }) => {
        // Beside a house that runs, the newest records are under no checkpoint yet (decision 0106).
        if (program === BINARY && error.code === 3 && error.stdout?.includes('verified, but not signed or cosigned to the end')) return;
        throw new Error(`${error.message}: ${error.stdout ?? ''}${error.stderr ?? ''}`);
      });
    }
  }

  /** The same of one file that was handed out. */
  async verifyFile(path: string): Promise<void> {
    const run = promisify(execFile);
    await run(BINARY, ['verify', path]).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`sicbo verify: ${error.stdout ?? ''}${error.stderr ?? ''}`);
    });
  }

  /** What the program says of the house's data, the house running beside it. */
  async told(command: string, ...args: string[]): Promise<string> {
    const run = promisify(execFile);
    const { stdout } = await run(BINARY, [command, ...args, '--data', join(this.#folder, 'data')], { maxBuffer: 64 << 20 });
    return stdout;
  }

  /** The newest voucher as it was printed. */
  async printed(kind: 'svg' | 'escpos'): Promise<string> {
    const folder = join(this.#folder, 'data', 'vouchers');
    const number = (name: string): number => Number(/^voucher-(\d+)\./.exec(name)?.[1] ?? 0);
    const names = (await readdir(folder)).filter((name) => name.endsWith(kind)).sort((a, b) => number(b) - number(a));
    return readFile(join(folder, names[0] ?? 'none'), kind === 'svg' ? 'utf8' : 'latin1');
  }

  /** The PIN a person was given; where positions are tried without PINs it stays theirs. */
  async pin(name: string): Promise<string> {
    const told = await readFile(join(this.#folder, 'hand-over.txt'), 'utf8');
    const line = told.split('\n').find((one) => one.includes(name)) ?? '';
    const pin = /\b\d{6,}\b/.exec(line)?.[0];
    if (pin === undefined) throw new Error(`no PIN of ${name} in ${told}`);
    return pin;
  }

  /** The key of an enrolled place, as it was handed over. */
  async token(place: string): Promise<string> {
    const told = await readFile(join(this.#folder, 'hand-over.txt'), 'utf8');
    const line = told.split('\n').find((one) => one.includes(place)) ?? '';
    const token = /\b\d+-[0-9a-f]{64}\b/.exec(line)?.[0];
    if (token === undefined) throw new Error(`no key of ${place} in ${told}`);
    return token;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /**
   * A session of the second person of a position: whoever logs in at a page is
   * the first, and a person has one session.
   */
  #session(position: string): Promise<string> {
    const known = this.#sessions.get(position);
    if (known !== undefined) return known;
    const session = (async () => {
      const logIn = (body: object): Promise<Response> =>
        fetch(`${this.origin}/api/trial/staff`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      let first = this.#first.get(position);
      if (first === undefined) {
        first = ((await (await logIn({ position })).json()) as { person: number }).person;
        this.#first.set(position, first);
      }
      const answer = await logIn({ position, but: first });
      if (!answer.ok) throw new Error(`${position}: ${answer.status} ${await answer.text()}`);
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    })();
    this.#sessions.set(position, session);
    return session;
  }

  /** A member of staff without a page: asks as the console does. */
  async ask(position: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const cookie = await this.#session(position);
    const answer = await fetch(this.origin + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${position} ${path} ${JSON.stringify(body)}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}
