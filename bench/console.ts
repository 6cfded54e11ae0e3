/** Times of the console in Chromium. Each measurement has a browser context of its own, and so a cold cache. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findProgram } from '../test/support/find-program.ts';
import { percentile } from './percentile.ts';
import { authorization, PASSWORD, type ServerChild } from './server-child.ts';

export interface FirstView {
  readonly requests: number;
  readonly scriptKilobytes: number;
  /** From the address to the rows, with a session. */
  readonly rowsMs: number;
  /** From the password to the rows. */
  readonly signInMs: number;
}

export interface LargeList {
  readonly jumpMs: number;
  readonly filterMs: number;
  readonly heapMegabytes: number;
}

const ROUNDS = 5;
/** Only ends a run that hangs. */
const TIMEOUT_MS = 60_000;
const LANGUAGE = 'en-GB';

const firstRow = `document.querySelector('tr[data-index="0"] a')`;
const drawnMap = `document.querySelector('.map-canvas[data-state=drawn]')`;
const readyEditor = `document.querySelector('.style-text')?.shadowRoot?.querySelector('.cm-content')`;
const problem = `document.querySelector('.style-problem-item')`;

/** Looks at every frame whether a state is reached, after an action or since the page was requested. */
const stopwatch = `globalThis.measure = (isReached, act) => new Promise((resolve) => {
  const startedAt = act === undefined ? 0 : performance.now();
  act?.();
  const look = () => (isReached() ? resolve(performance.now() - startedAt) : requestAnimationFrame(look));
  requestAnimationFrame(look);
});`;

export function findChromium(): string | undefined {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome']);
}

export class ConsoleBench {
  readonly #browser: Browser;
  readonly #server: ServerChild;
  readonly #session: string;

  private constructor(browser: Browser, server: ServerChild, session: string) {
    this.#browser = browser;
    this.#server = server;
    this.#session = session;
  }

  static async open(executablePath: string, server: ServerChild): Promise<ConsoleBench> {
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    return new ConsoleBench(await chromium.launch({ executablePath, args }), server, await createSession(server));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async measureFirstView(): Promise<FirstView> {
    const rowsMs = await this.#repeat(true, async (page) => {
      await this.#show(page, 'layers');
      return page.evaluate<number>(`measure(() => ${firstRow})`);
    });
    let requests = 0;
    let scriptBytes = 0;
    const signInMs = await this.#repeat(false, async (page) => {
      requests = 0;
      scriptBytes = 0;
      const scripts: Promise<void>[] = [];
      let isAnswered = false;
      page.on('request', () => {
        if (!isAnswered) requests += 1;
      });
      page.on('requestfinished', (request) => {
        if (/\/rest\/layers\?/.test(request.url())) isAnswered = true;
        if (!request.url().endsWith('.js') || isAnswered) return;
        scripts.push(
          request.sizes().then(({ responseBodySize }) => {
            scriptBytes += responseBodySize;
          }),
        );
      });
      await this.#show(page, 'layers');
      await page.fill('[name=username]', 'admin');
      await page.fill('[name=password]', PASSWORD);
      const ms = await page.evaluate<number>(
        `measure(() => ${firstRow}, () => document.querySelector('[type=submit]').click())`,
      );
      await Promise.all(scripts);
      return ms;
    });
    return { requests, scriptKilobytes: scriptBytes / 1_000, rowsMs, signInMs };
  }

  measureMap(): Promise<number> {
    return this.#repeat(true, async (page) => {
      await this.#show(page, 'layers');
      await page.waitForSelector('tr[data-index="0"] a');
      return page.evaluate<number>(`measure(() => ${drawnMap}, () => ${firstRow}.click())`);
    });
  }

  measureEditor(style: string): Promise<number> {
    return this.#repeat(true, async (page) => {
      await this.#show(page, 'styles');
      const link = `a[href$="/styles/${style}"]`;
      await page.waitForSelector(link);
      return page.evaluate<number>(`measure(() => ${readyEditor}, () => document.querySelector('${link}').click())`);
    });
  }

  /** From the key to the error that it causes. */
  measureCheck(style: string): Promise<number> {
    return this.#repeat(true, async (page) => {
      await this.#show(page, `styles/${style}`);
      await page.click('.cm-content');
      await page.keyboard.press('Control+End');
      await page.waitForSelector('.style-problems');
      await page.evaluate(`addEventListener('keydown', () => {
        globalThis.checked = measure(() => ${problem}, () => undefined);
      }, { once: true, capture: true })`);
      await page.keyboard.press('x');
      await page.waitForSelector('.style-problem-item');
      return page.evaluate<number>('globalThis.checked');
    });
  }

  async measureList(row: number): Promise<LargeList> {
    const heaps: number[] = [];
    const filters: number[] = [];
    const jumpMs = await this.#repeat(true, async (page) => {
      await this.#show(page, 'layers');
      await page.waitForSelector('tr[data-index="0"] a');
      const target = `document.querySelector('tr[data-index="${row}"] a')`;
      const jump = `document.querySelector('.vtable').scrollTop = ${row} * document.querySelector('tr[data-index="0"]').offsetHeight`;
      const ms = await page.evaluate<number>(`measure(() => ${target}, () => { ${jump}; })`);
      heaps.push(await measureHeap(page));
      filters.push(
        await page.evaluate<number>(`(() => {
          const read = () => document.querySelector('.list-count').textContent;
          const before = read();
          const input = document.querySelector('main input[type=search]');
          return measure(() => read() !== '' && read() !== before && ${firstRow}, () => {
            input.value = 'laces-99';
            input.dispatchEvent(new Event('input', { bubbles: true }));
          });
        })()`),
      );
      return ms;
    });
    return { jumpMs, filterMs: percentile(filters, 0.5), heapMegabytes: percentile(heaps, 0.5) };
  }

  async #show(page: Page, address: string): Promise<void> {
    await page.goto(`${this.#server.origin}/geoserver/console/${address}`, { waitUntil: 'commit' });
  }

  /** The median. */
  async #repeat(isSignedIn: boolean, measure: (page: Page) => Promise<number>): Promise<number> {
    const found: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await this.#createContext(isSignedIn);
      found.push(await measure(await context.newPage()));
      await context.close();
    }
    return percentile(found, 0.5);
  }

  async #createContext(isSignedIn: boolean): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ locale: LANGUAGE, viewport: { width: 1_280, height: 800 } });
    context.setDefaultTimeout(TIMEOUT_MS);
    const begin = isSignedIn ? `sessionStorage.setItem('graticule-session', '${this.#session}');` : '';
    await context.addInitScript({ content: `${stopwatch}${begin}` });
    return context;
  }
}

/** The session that the console stores in a tab after a sign-in. */
async function createSession({ restUrl }: ServerChild): Promise<string> {
  const token = {
    name: 'bench',
    expires: new Date(Date.now() + 3_600_000).toISOString(),
    idleMinutes: 30,
    scopes: { readOnly: false, admin: true, workspaces: null, services: null },
  };
  const reply = await fetch(`${restUrl}/security/self/tokens`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!reply.ok) throw new Error(`Creating a token answered ${reply.status}: ${await reply.text()}`);
  const { token: made } = (await reply.json()) as { token: { id: string; secret: string } };
  return `${made.id} ${made.secret}`;
}

/** Of the page, after a collection of garbage. */
async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}
