/** A complete in-process server on a new data directory, called without a socket. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { DeliveryTimes } from '../../src/catalog/webhooks/deliver-events.ts';
import type { ResolveHost } from '../../src/gates/url-gate.ts';
import { listStatuses } from '../../src/http/openapi/statuses.ts';
import { type DialectName, dialects } from '../../src/interface/common/dialects.ts';
import type { Environment } from '../../src/server/environment.ts';
import { createLogger } from '../../src/server/log.ts';
import { openServer, type Server } from '../../src/server/open-server.ts';
import { readSettings, type Settings } from '../../src/server/settings/settings.ts';
import { type Disk, realDisk } from '../../src/storage/blobs/disk.ts';
import type { Storage } from '../../src/storage/port/port.ts';
import { keptThreads } from './kept-threads.ts';
import { giveBackStorage, storageFor } from './shared-storage.ts';

export const ADMIN_PASSWORD = 'a password for tests';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The raw body. */
  readonly bytes: Buffer;
  readonly json: () => unknown;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The Content-Type; `xml` and `json` are abbreviations. */
  readonly type?: string;
  readonly accept?: string;
  /** `user:password`; the administrator by default, null for anonymous requests. */
  readonly as?: string | null;
}

export interface TestServer {
  readonly server: Server;
  readonly dataDir: string;
  /** The log output so far. */
  readonly log: readonly string[];
  /** Paths are below the REST root, unless they begin with two slashes or `/livez` and the like. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body: string, options?: RequestOptions): Promise<Reply>;
  put(path: string, body: string, options?: RequestOptions): Promise<Reply>;
  delete(path: string, options?: RequestOptions): Promise<Reply>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly compat?: DialectName;
  /** Further command-line flags, and environment variables. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: () => number;
  /** Addresses by host name; no name resolves by default. */
  readonly resolveHost?: ResolveHost;
  /** Waits until the database log is synced to disk. Default: does not wait. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** The interval at which event streams send keep-alives and check the permissions of their users. */
  readonly eventTimes?: { readonly keepAliveMs: number; readonly rightsCheckMs: number };
  /** The timeout and retry delay of webhook deliveries. */
  readonly webhookTimes?: DeliveryTimes;
  /** How long features of vector tiles are read. */
  readonly tileReadingMs?: number;
  /** An existing data directory, which is then not removed. */
  readonly dataDir?: string;
  /** A failing disk, or a wrapper between the server and its storage. */
  readonly disk?: Disk;
  readonly betweenStorage?: (storage: Storage) => Storage;
  readonly logAudit?: Environment['logAudit'];
  /** Additional families and record kinds. */
  readonly further?: Environment['further'];
}

/** The lowest costs: test servers have no real secrets. */
const TEST_SCRYPT_COST = 2;
const TEST_PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Tests never lose power. Flushes to disk would take a third of their time. */
const diskWithoutFlushes: Disk = {
  ...realDisk,
  writeDurably: (file, content) => writeFile(file, content, { flag: 'wx', mode: 0o600 }),
  syncFile: async () => undefined,
  syncFolder: async () => undefined,
};

/** Tests use no DNS server. */
const resolveNoHost: ResolveHost = async (host) => {
  throw Object.assign(new Error(`No such host: ${host}`), { code: 'ENOTFOUND' });
};

const shortTypes: Readonly<Record<string, string>> = { xml: 'application/xml', json: 'application/json' };

function testSettings(dataDir: string, flags: readonly string[], further: Readonly<Record<string, string>>): Settings {
  const environment = { GRATICULE_ADMIN_PASSWORD: ADMIN_PASSWORD, ...further };
  const command = readSettings(['--data-dir', dataDir, ...flags], environment);
  if (command.kind !== 'run') {
    throw new Error('These flags do not run a server');
  }
  return command.settings;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'graticule-test-')));
  const compat = options.compat === 'geoserver' ? ['--compat', 'geoserver'] : [];
  const flags = [...compat, ...(options.flags ?? [])];
  const shared = await storageFor(dataDir, flags);
  const environment = { ...shared.environment, ...options.environment };
  const settings = testSettings(dataDir, [...flags, ...shared.flags], environment);
  const dialect = dialects[settings.compat ?? 'graticule'];
  const log: string[] = [];
  const undeclared: string[] = [];
  const server = await openServer(settings, {
    logger: createLogger({ level: 'debug', format: 'json', write: (line) => log.push(line) }),
    clock: options.clock ?? Date.now,
    logAudit: options.logAudit,
    // Where all servers are nodes, tests set their clock as for other servers.
    ...(shared.flags.length === 0 || options.clock === undefined ? {} : { sharedClock: options.clock }),
    resolveHost: options.resolveHost ?? resolveNoHost,
    disk: options.disk ?? diskWithoutFlushes,
    ...(options.betweenStorage === undefined ? {} : { betweenStorage: options.betweenStorage }),
    synchronous: 'OFF',
    sync: options.sync ?? (async () => undefined),
    ...(options.webhookTimes === undefined ? {} : { webhookTimes: options.webhookTimes }),
    ...(options.eventTimes === undefined ? {} : { eventTimes: options.eventTimes }),
    ...(options.tileReadingMs === undefined ? {} : { tileReadingMs: options.tileReadingMs }),
    // On slow machines, wait for data descriptions without a limit.
    extentTimes: { patienceMs: 600_000, budgetMs: 600_000 },
    scryptCost: TEST_SCRYPT_COST,
    administratorPasswordCost: TEST_PASSWORD_COST,
    threads: keptThreads,
    ...(options.further === undefined ? {} : { further: options.further }),
    observe: (route, status) => {
      if (!listStatuses(route, dialect).has(status)) {
        undeclared.push(`${route.method} ${route.path} answered ${status}, which its row does not declare`);
      }
    },
  });

  async function request(method: string, path: string, how: RequestOptions = {}): Promise<Reply> {
    const credentials = how.as === undefined ? `admin:${ADMIN_PASSWORD}` : how.as;
    const reply = await server.app.inject({
      method: method as 'GET',
      url: /^\/(livez|readyz|\/)/.test(path) ? path.replace(/^\/\//, '/') : `${server.restRoot}${path}`,
      headers: {
        ...(credentials === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
        ...(how.type === undefined ? {} : { 'content-type': shortTypes[how.type] ?? how.type }),
        ...(how.accept === undefined ? {} : { accept: how.accept }),
        ...how.headers,
      },
      ...(how.body === undefined ? {} : { payload: how.body }),
    });
    if (undeclared.length > 0) {
      throw new Error(undeclared.splice(0).join('\n'));
    }
    return {
      status: reply.statusCode,
      headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, value?.toString()])),
      text: reply.body,
      bytes: reply.rawPayload,
      json: () => JSON.parse(reply.body) as unknown,
    };
  }

  return {
    server,
    dataDir,
    log,
    request,
    get: (path, how) => request('GET', path, how),
    post: (path, body, how) => request('POST', path, { type: body.startsWith('<') ? 'xml' : 'json', ...how, body }),
    put: (path, body, how) => request('PUT', path, { type: body.startsWith('<') ? 'xml' : 'json', ...how, body }),
    delete: (path, how) => request('DELETE', path, how),
    async close() {
      await server.close();
      if (options.dataDir === undefined) {
        await giveBackStorage(dataDir);
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** One server for all tests of a describe block; each test should use unique names. */
export function useTestServer(options: TestServerOptions = {}): TestServer {
  let running: TestServer | undefined;
  beforeAll(async () => {
    running = await startTestServer(options);
  });
  afterAll(() => running?.close());
  return new Proxy({} as TestServer, {
    get: (_target, member: keyof TestServer) => {
      if (running === undefined) {
        throw new Error('The test server runs inside tests and hooks only');
      }
      return running[member];
    },
  });
}
