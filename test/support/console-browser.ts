/** A browser for tests of the console: one for all tests of a file, with a listener for violations of the policy. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
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

/** Busy machines are slow. */
const TIMEOUT_MS = 15_000;

/** Runs in every page before its scripts. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation([event.violatedDirective, event.blockedURI, event.sample].join(' ')));`;

export interface VisitOptions {
  readonly viewport?: typeof desktop;
  readonly theme?: 'light' | 'dark';
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
}

/** After each test, no page may have violated the policy, thrown an error or opened a dialog. */
export function useConsoleBrowser(getRoot: () => string): ConsoleBrowser {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: tools.chromium.find() ?? '', args: flags });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  return {
    async open(address, { viewport = desktop, theme = 'light', language = 'en' } = {}) {
      const context = await browser.newContext({ viewport, colorScheme: theme, locale: language });
      contexts = [...contexts, context];
      context.setDefaultTimeout(TIMEOUT_MS);
      const found = complaints;
      await context.exposeBinding('reportViolation', (_source, text: string) => void found.push(text));
      await context.addInitScript({ content: reportViolations });
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => void found.push(`error: ${message}`));
      page.on('dialog', (dialog) => {
        found.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      const requests: string[] = [];
      const bodies: Promise<string>[] = [];
      page.on('request', (request) => {
        requests.push(`${request.method()} ${request.url().slice(new URL('../', getRoot()).href.length - 1)}`);
      });
      page.on('response', (response) => {
        const isText = /json|xml|text\/plain/.test(response.headers()['content-type'] ?? '');
        if (isText) bodies.push(response.text().catch(() => ''));
      });
      await page.goto(new URL(address, getRoot()).href);
      return { page, context, requests, bodies: () => Promise.all(bodies) };
    },
  };
}

/** Fills and sends the form. */
export async function signIn(page: Page, [user = '', password = '']: readonly string[]): Promise<void> {
  await page.fill('[name=username]', user);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.top-bar');
}

/** The distance by which the page is wider than the window. */
export function findOverhang(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}
