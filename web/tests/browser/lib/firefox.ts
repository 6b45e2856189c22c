// Debian's Firefox, spoken to in WebDriver BiDi (w3.org/TR/webdriver-bidi) over the socket that it opens itself: no driver
// stands between. Only what the smoke tests need: pages, what they show, real clicks, pictures, and every complaint.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PATIENCE } from './browser';

/** What a page has of the window, without the browser's own bars. */
const VIEWPORT = { width: 1280, height: 800 };

const BROWSERS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** As a kiosk is set up: nothing of its own is asked, told or fetched. */
const PREFERENCES: Record<string, unknown> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'media.autoplay.default': 0,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
  'intl.accept_languages': 'en-SG, en',
  'ui.prefersReducedMotion': 1,
};

interface Message {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
  method?: string;
  params?: { level?: string; text?: string; type?: string };
}

export class Firefox {
  #folder = '';
  #child!: ChildProcess;
  #socket!: WebSocket;
  #next = 1;
  #waiting = new Map<number, { done: (result: Record<string, unknown>) => void; failed: (error: Error) => void }>();
  /** Errors of pages. */
  complaints: string[] = [];

  static async open(): Promise<Firefox> {
    const self = new Firefox();
    self.#folder = await mkdtemp(join(tmpdir(), 'sicbo-firefox-'));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    await writeFile(join(self.#folder, 'user.js'), lines.join('\n'));
    const program = process.env['SICBO_FIREFOX'] ?? BROWSERS.find((path) => existsSync(path)) ?? 'firefox-esr';
    self.#child = spawn(program, ['--headless', '--no-remote', '--profile', self.#folder, '--remote-debugging-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: self.#folder, MOZ_DISABLE_CONTENT_SANDBOX: '1', MOZ_CRASHREPORTER_DISABLE: '1' },
    });
    const address = await new Promise<string>((up, failed) => {
      let told = '';
      self.#child.once('error', failed);
      self.#child.once('exit', (code) => failed(new Error(`Firefox ended with ${code}: ${told}`)));
      createInterface({ input: self.#child.stderr! }).on('line', (line) => {
        told = `${told}\n${line}`.slice(-2_000);
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
        if (found !== undefined) up(found);
      });
    });
    self.#socket = new WebSocket(`${address}/session`);
    await new Promise((up, failed) => {
      self.#socket.onopen = up;
      self.#socket.onerror = failed;
    });
    self.#socket.onmessage = (event: MessageEvent<string>) => self.#hear(JSON.parse(event.data) as Message);
    await self.#ask('session.new', { capabilities: {} });
    await self.#ask('session.subscribe', { events: ['log.entryAdded'] });
    return self;
  }

  #hear(message: Message): void {
    if (message.type === 'event') {
      const { level, text = '', type } = message.params ?? {};
      // A request that fails is shown by the page itself; anything else is a fault.
      if (level === 'error' && (type === 'javascript' || !/NetworkError|can’t establish a connection/.test(text))) this.complaints.push(text);
      return;
    }
    const waiting = this.#waiting.get(message.id ?? 0);
    this.#waiting.delete(message.id ?? 0);
    if (message.type === 'error') waiting?.failed(new Error(`${message.error}: ${message.message}`));
    else waiting?.done(message.result ?? {});
  }

  #ask(method: string, params: object): Promise<Record<string, unknown>> {
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async page(address: string): Promise<FirefoxPage> {
    const { context } = await this.#ask('browsingContext.create', { type: 'tab' });
    const page = new FirefoxPage((method, params) => this.#ask(method, { ...params, context }), (method, params) => this.#ask(method, { ...params, target: { context } }));
    await page.ask('browsingContext.setViewport', { viewport: VIEWPORT });
    await page.go(address);
    return page;
  }

  async close(): Promise<void> {
    await this.#ask('browser.close', {}).catch(() => null);
    if (this.#child.exitCode === null) {
      const ended = new Promise((done) => this.#child.once('exit', done));
      this.#child.kill('SIGTERM');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

type Ask = (method: string, params: object) => Promise<Record<string, unknown>>;

export class FirefoxPage {
  constructor(
    readonly ask: Ask,
    readonly run: Ask,
  ) {}

  async go(url: string): Promise<void> {
    await this.ask('browsingContext.activate', {});
    await this.ask('browsingContext.navigate', { url, wait: 'complete' });
  }

  /** What a function gives in the page; its arguments are texts and numbers. */
  async evaluate<T>(inPage: string, ...args: (string | number)[]): Promise<T> {
    const { type, result, exceptionDetails } = (await this.run('script.callFunction', {
      functionDeclaration: `async (...args) => JSON.stringify((await (${inPage})(...args)) ?? null)`,
      awaitPromise: true,
      arguments: args.map((value) => ({ type: typeof value, value })),
    })) as { type: string; result?: { value: string }; exceptionDetails?: { text: string } };
    if (type === 'exception') throw new Error(exceptionDetails?.text);
    return JSON.parse(result?.value ?? 'null') as T;
  }

  /** Waits until an element is shown whose text has these words; its text, and where its middle is. */
  async see(query: string, words = ''): Promise<{ text: string; x: number; y: number }> {
    return this.evaluate(
      `(query, words, patience) => new Promise((seen, failed) => {
        const look = () => {
          for (const one of document.querySelectorAll(query)) {
            const text = one.innerText ?? one.textContent ?? '';
            if (!one.checkVisibility({ checkVisibilityCSS: true }) || !text.includes(words)) continue;
            one.scrollIntoView({ block: 'nearest' });
            const { x, y, width, height } = one.getBoundingClientRect();
            clearInterval(again);
            return seen({ text, x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
          }
          if (performance.now() > until) { clearInterval(again); failed(new Error(query + ' with "' + words + '" is not seen: ' + document.body.innerText.slice(0, 600))); }
        };
        const until = performance.now() + patience;
        const again = setInterval(look, 50);
        look();
      })`,
      query,
      words,
      PATIENCE,
    );
  }

  /** A real click: pointer down and up where the element is. */
  async click(query: string, words = ''): Promise<void> {
    const { x, y } = await this.see(query, words);
    const actions = [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.ask('input.performActions', { actions: [{ type: 'pointer', id: 'hand', actions }] });
  }

  async press(key: string): Promise<void> {
    await this.ask('input.performActions', { actions: [{ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }] }] });
  }

  async picture(name: string): Promise<void> {
    const folder = process.env['SICBO_PICTURES'];
    if (folder === undefined) return;
    const { data } = (await this.ask('browsingContext.captureScreenshot', {})) as { data: string };
    await writeFile(`${folder}/${name}.png`, Buffer.from(data, 'base64'));
  }
}
