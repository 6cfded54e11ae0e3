/**
 * Takes the pictures of the console in `docs/console/` again, from a server with fixed content at a fixed time.
 * `--output DIR` writes them elsewhere, to compare; `--all` takes every page in every
 * variant; `--png` keeps them without loss, and
 * `--variants dark-wide,light-narrow` takes only these variants. Further arguments are the names of single pictures.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { startTestServer, type TestServer } from '../../test/support/test-server.ts';
import { tools } from '../../test/support/tools.ts';
import { fillServer, type Send } from './content.ts';
import { type Encode, openEncoder } from './encode-webp.ts';
import { writeIndex } from './index-page.ts';
import { getVariantName, listVariants, type Picture, pictures, sizes, type Variant, variants } from './pictures.ts';
import { settle, stabilize } from './stabilize.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: join(import.meta.dirname, '../../docs/console') },
    all: { type: 'boolean', default: false },
    variants: { type: 'string', default: variants.map(getVariantName).join() },
    png: { type: 'boolean', default: false },
  },
});

const MINUTE_MS = 60_000;
const STARTED_AT = Date.UTC(2026, 2, 2, 8);
/** Busy machines are slow. */
const TIMEOUT_MS = 60_000;

interface Session {
  readonly root: string;
  readonly token: string;
  readonly now: number;
  readonly lastChange: number;
}

async function main(): Promise<void> {
  let now = STARTED_AT;
  const server = await startTestServer({ clock: () => now, flags: ['--node-name', 'maps-1'] });
  const browser = await chromium.launch({
    executablePath: tools.chromium.find() ?? '',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  try {
    const send = createSend(server, () => {
      now += 17 * MINUTE_MS;
    });
    const address = await server.server.app.listen({ host: '127.0.0.1', port: 0 });
    const openSession = async (): Promise<Session> => {
      const lastChange = server.server.storage.position();
      const token = await createToken(send);
      return { root: `${address}/geoserver/console/`, token, now, lastChange };
    };
    await takeAll(browser, await openSession(), { isOnEmptyServer: true });
    await send('DELETE', '/security/tokens?user=admin');
    await fillServer(server, send);
    await takeAll(browser, await openSession(), { isOnEmptyServer: false });
    if (positionals.length === 0) await writeIndex(values.output);
  } finally {
    await browser.close();
    await server.close();
  }
}

function createSend(server: TestServer, advance: () => void): Send {
  return async (method, path, body, type = 'application/json') => {
    advance();
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const reply = await server.request(method, path, content === undefined ? {} : { type, body: content });
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
    return reply.text;
  };
}

/** As the console does at a sign-in; its names are random. */
async function createToken(send: Send): Promise<string> {
  const scopes = { readOnly: false, admin: true, workspaces: null, services: null };
  const text = await send('POST', '/security/self/tokens', { token: { name: 'Console', idleMinutes: 30, scopes } });
  const { token } = JSON.parse(text) as { readonly token: { readonly id: string; readonly secret: string } };
  return `${token.id} ${token.secret}`;
}

async function takeAll(
  browser: Browser,
  session: Session,
  { isOnEmptyServer: isEarly }: { readonly isOnEmptyServer: boolean },
): Promise<void> {
  await mkdir(values.output, { recursive: true });
  const encode = await openEncoder(browser);
  const chosen = pictures.filter(
    ({ name, isOnEmptyServer = false }) =>
      isOnEmptyServer === isEarly && (positionals.length === 0 || positionals.includes(name)),
  );
  const wanted = new Set(values.variants.split(','));
  for (const variant of variants.filter((each) => wanted.has(getVariantName(each)))) {
    for (const isSignedOut of [false, true]) {
      const context = await createContext(browser, session, variant, isSignedOut);
      for (const picture of chosen) {
        const isTaken = values.all || listVariants(picture).includes(variant);
        if (!isTaken || (picture.isSignedOut ?? false) !== isSignedOut) continue;
        await take(context, { session, picture, variant, encode });
      }
      await context.close();
    }
  }
}

async function createContext(
  browser: Browser,
  { token, now }: Session,
  { theme, size, language }: Variant,
  isSignedOut: boolean,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...{ viewport: sizes[size], colorScheme: theme, locale: language, timezoneId: 'UTC' },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  // The time continues from there: animations of maps would never end in a fixed one.
  await context.clock.install({ time: now });
  if (!isSignedOut) {
    // As after a reload of a tab in which the user has signed in.
    await context.addInitScript({
      content: `sessionStorage.setItem('graticule-user', 'admin');
sessionStorage.setItem('graticule-session', ${JSON.stringify(token)});`,
    });
  }
  return context;
}

interface Shot {
  readonly session: Session;
  readonly picture: Picture;
  readonly variant: Variant;
  readonly encode: Encode;
}

async function take(context: BrowserContext, { session, picture, variant, encode }: Shot): Promise<void> {
  const page = await context.newPage();
  const name = `${picture.name}-${getVariantName(variant)}`;
  const settled = settle(page);
  try {
    await page.goto(`${session.root}${picture.address.replace('LAST', String(session.lastChange))}`);
    await page.waitForSelector(picture.ready);
    await picture.prepare?.(page);
    await settled();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n`);
  }
  await stabilize(page);
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const overhang = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
  if (overhang !== 0) process.stderr.write(`${name}: the page is ${overhang} pixels wider than the window\n`);
  if (values.png) await writeFile(join(values.output, `${name}.png`), image);
  else await writeFile(join(values.output, `${name}.webp`), await encode(image));
  await page.close();
}

await main();
