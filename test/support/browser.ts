/** A headless Chromium, driven over its debugging protocol: what a user sees on a page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface Visit {
  readonly title: string;
  /** The visible text. */
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
  /** Each image with its natural width; 0 if it could not be loaded. */
  readonly pictures: readonly { readonly source: string; readonly width: number }[];
  /** The horizontal overflow of the page in pixels. */
  readonly overhangPixels: number;
  /** The number of elements that could run code or send data. */
  readonly livelyElements: number;
  /** Browser errors: blocked styles and scripts, failed requests. */
  readonly complaints: readonly string[];
  /** Only if the visit asks for it. */
  readonly screenshot: Buffer | undefined;
}

export interface VisitOptions {
  /** The window size; desktop width by default. */
  readonly widthPixels?: number;
  /** An expression that must be true before the page is read, for pages with scripts. */
  readonly until?: string;
  readonly withScreenshot?: boolean;
}

export interface Browser {
  visit(url: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

/** Pages with WebGL need this on machines without a graphics card. */
const drawing = {
  'with 3D': ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  'without 3D': ['--disable-gpu'],
} as const;

const START_DEADLINE_MS = 300_000;

const DESKTOP_PIXELS = 1_200;

/** A page at the width of a small phone. */
export const PHONE_PIXELS = 375;

/** Visits anonymously without credentials. */
export async function startBrowser(
  program: string,
  credentials: string | undefined,
  how: keyof typeof drawing = 'without 3D',
): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'graticule-browser-'));
  const args = [...flags, ...drawing[how], `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(program, args, { stdio: 'ignore' });
  const close = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await ended;
    // Helper processes of the browser may still be writing.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const session = await openSession(await pageAddress(profile));
    await session.call('Page.enable');
    await session.call('Runtime.enable');
    await session.call('Log.enable');
    await session.call('Network.enable');
    if (credentials !== undefined) {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      await session.call('Network.setExtraHTTPHeaders', { headers: { authorization } });
    }
    return { visit: (url, options = {}) => visit(session, url, options), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The browser writes its port to a file once it listens. */
async function pageAddress(profile: string): Promise<string> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const written = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    const port = /^\d+/.exec(written)?.[0];
    const listed = port && (await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined));
    const targets = listed ? ((await listed.json()) as { type: string; webSocketDebuggerUrl: string }[]) : [];
    const page = targets.find(({ type }) => type === 'page');
    if (page !== undefined) {
      return page.webSocketDebuggerUrl;
    }
    if (Date.now() > deadline) {
      throw new Error('The browser did not open a page in time.');
    }
    await wait(50);
  }
}

interface Session {
  call(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Returns the events since the last call. */
  events(): readonly BrowserEvent[];
  /** Resolves at the next event of this name. */
  next(method: string): Promise<void>;
}

interface BrowserEvent {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

async function openSession(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, (message: { result?: Record<string, unknown>; error?: unknown }) => void>();
  const listeners = new Map<string, () => void>();
  let happened: BrowserEvent[] = [];
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.id === undefined) {
      happened.push(message);
      listeners.get(message.method)?.();
    } else {
      waiting.get(message.id)?.(message);
    }
  });
  return {
    async call(method, params = {}) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<{ result?: Record<string, unknown>; error?: unknown }>((resolve) => {
        waiting.set(id, resolve);
      });
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answer;
      if (result === undefined) {
        throw new Error(`The browser refused ${method}: ${JSON.stringify(error)}`);
      }
      return result;
    },
    events() {
      const taken = happened;
      happened = [];
      return taken;
    },
    next: (method) => new Promise((resolve) => listeners.set(method, resolve)),
  };
}

/** The content security policy binds the scripts of the page, not those of the debugger. */
const question = `JSON.stringify({
  title: document.title,
  text: document.body.innerText,
  links: [...document.links].map((link) => ({ text: link.innerText, href: link.href })),
  pictures: [...document.images].map((image) => ({ source: image.getAttribute('src'), width: image.naturalWidth })),
  reach: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
  livelyElements: document.querySelectorAll('script, iframe, object, embed, form, base, link').length,
})`;

/** Longer than any page of the server takes on a busy machine. */
const UNTIL_DEADLINE_MS = 60_000;

async function visit(session: Session, url: string, how: VisitOptions): Promise<Visit> {
  const { widthPixels, until, withScreenshot = false } = how;
  const width = widthPixels ?? DESKTOP_PIXELS;
  session.events();
  const window = { width, height: 1_400, deviceScaleFactor: 1, mobile: width < DESKTOP_PIXELS };
  await session.call('Emulation.setDeviceMetricsOverride', window);
  const loaded = session.next('Page.loadEventFired');
  await session.call('Page.navigate', { url });
  await loaded;
  if (until !== undefined) {
    await waitFor(session, until);
  }
  const { result } = await session.call('Runtime.evaluate', { expression: question });
  const picture = withScreenshot ? await session.call('Page.captureScreenshot', { format: 'png' }) : undefined;
  const { reach, ...seen } = JSON.parse(String((result as { value: unknown }).value));
  return {
    ...seen,
    overhangPixels: Math.max(0, reach - width),
    complaints: session.events().flatMap(listErrors),
    screenshot: picture === undefined ? undefined : Buffer.from(String(picture['data']), 'base64'),
  };
}

async function waitFor(session: Session, expression: string): Promise<void> {
  const deadline = Date.now() + UNTIL_DEADLINE_MS;
  for (;;) {
    const { result } = await session.call('Runtime.evaluate', { expression: `Boolean(${expression})` });
    if ((result as { value: unknown }).value === true) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The page never came to ${expression}; it said ${session.events().flatMap(listErrors).join('; ')}`,
      );
    }
    await wait(50);
  }
}

function listErrors({ method, params }: BrowserEvent): readonly string[] {
  switch (method) {
    case 'Log.entryAdded':
      return [(params['entry'] as { text: string }).text];
    case 'Runtime.exceptionThrown':
    case 'Page.javascriptDialogOpening':
      return [JSON.stringify(params)];
    default:
      return [];
  }
}
