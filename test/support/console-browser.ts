/** A browser for tests of the console: one for all tests of a file, with a listener for violations of the policy. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { administrator } from './console-server.ts';
import { tools } from './tools.ts';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const desktop = { width: 1_280, height: 800 };
export const phone = { width: 360, height: 720 };

/** Busy machines are slow: this only ends tests that hang. */
export const TIMEOUT_MS = 60_000;

/** Runs in every page before its scripts. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation([event.violatedDirective, event.blockedURI, event.sample].join(' ')));`;

/** Only the session of the tab stays; it is in `sessionStorage`. */
const forgetState = `(() => {
  localStorage.clear();
  for (const name of Object.keys(sessionStorage)) if (name !== 'graticule-session') sessionStorage.removeItem(name);
})()`;

type Theme = 'light' | 'dark';

export interface VisitOptions {
  readonly viewport?: typeof desktop;
  readonly theme?: Theme;
  readonly language?: string;
}

export interface ConsoleVisit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every request so far: method, path and query below the context path. */
  readonly requests: string[];
  /** Every response body so far that is text, for searches. */
  readonly bodies: () => Promise<readonly string[]>;
}

export interface ConsoleBrowser {
  /** Opens an address below the console in a new context without any state. */
  open(address: string, options?: VisitOptions): Promise<ConsoleVisit>;
  /**
   * Opens an address as a user, the administrator by default: in a new document of the tab in which the user has signed in
   * before. Only that session is kept between tests.
   */
  openSignedIn(
    address: string,
    options?: Omit<VisitOptions, 'language'>,
    user?: readonly string[],
  ): Promise<ConsoleVisit>;
}

/** A tab with what its pages request, from the start of a visit. */
interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  requests: string[];
  bodies: Promise<string>[];
}

/** After each test, no page may have violated the policy, thrown an error or opened a dialog. */
export function useConsoleBrowser(getRoot: () => string): ConsoleBrowser {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  const signedIn = new Map<string, Tab>();
  const used = new Set<Tab>();
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: tools.chromium.find() ?? '', args: flags });
  });
  afterEach(async () => {
    await Promise.all([...contexts.splice(0).map((context) => context.close()), ...[...used].map(leave)]);
    used.clear();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function openTab({ viewport = desktop, theme = 'light', language = 'en' }: VisitOptions): Promise<Tab> {
    const context = await browser.newContext({ viewport, colorScheme: theme, locale: language });
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.exposeBinding('reportViolation', (_source, text: string) => void complaints.push(text));
    await context.addInitScript({ content: reportViolations });
    const page = await context.newPage();
    const tab: Tab = { page, context, requests: [], bodies: [] };
    page.on('pageerror', ({ message }) => void complaints.push(`error: ${message}`));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      tab.requests.push(`${request.method()} ${request.url().slice(new URL('../', getRoot()).href.length - 1)}`);
    });
    page.on('response', (response) => {
      const isText = /json|xml|text\/plain/.test(response.headers()['content-type'] ?? '');
      if (isText) tab.bodies.push(response.text().catch(() => ''));
    });
    return tab;
  }

  async function show(tab: Tab, address: string): Promise<ConsoleVisit> {
    const requests: string[] = [];
    const bodies: Promise<string>[] = [];
    Object.assign(tab, { requests, bodies });
    await tab.page.goto(new URL(address, getRoot()).href);
    return { page: tab.page, context: tab.context, requests, bodies: () => Promise.all(bodies) };
  }

  return {
    async open(address, options = {}) {
      const tab = await openTab(options);
      contexts = [...contexts, tab.context];
      return show(tab, address);
    },
    async openSignedIn(address, options = {}, user = administrator) {
      const name = user.join(':');
      const tab = signedIn.get(name) ?? (await openTab(options));
      signedIn.set(name, tab);
      used.add(tab);
      const { page } = tab;
      await page.setViewportSize(options.viewport ?? desktop);
      await page.emulateMedia({ colorScheme: options.theme ?? 'light', reducedMotion: null });
      const visit = await show(tab, address);
      await page.waitForSelector('.top-bar, [name=username]');
      if ((await page.locator('[name=username]').count()) > 0) await signIn(page, user);
      return visit;
    },
  };
}

/** An idle tab must not follow changes. */
async function leave({ page, context }: Tab): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(forgetState);
  await page.goto('about:blank');
}

/** Fills and sends the form. */
export async function signIn(page: Page, [user = '', password = '']: readonly string[]): Promise<void> {
  await page.fill('[name=username]', user);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.top-bar');
}

/** Changes the theme at once: colors between two themes are not those of a theme. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.waitForSelector(`html[data-theme=${theme}]`);
}

/** The distance by which the page is wider or higher than the window: only its parts scroll. */
export function findOverhang(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return Math.max(0, scrollWidth - innerWidth, scrollHeight - innerHeight);
  })()`);
}
