/** A running server: starts the command line, waits until it is ready, and fails the test on unexpected log lines. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createClient, type HttpClient, type Reply, type RequestOptions } from './http-client.ts';
import { type LogLine, readLog, unexpectedLines } from './log-lines.ts';
import {
  type Ended,
  type Environment,
  type ProcessOptions,
  type ServerProcess,
  spawnServer,
} from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { DEADLINE_MS } from './within.ts';

export const ADMIN_PASSWORD = 'a password for tests';

export interface StartOptions extends ProcessOptions {
  /** A new folder by default. */
  readonly dataDir?: string;
  /** The administrator password in the environment; null for none. */
  readonly password?: string | null;
  /** Log lines that would otherwise fail the test. */
  readonly expectedLog?: readonly RegExp[];
}

export interface StartedServer {
  readonly process: ServerProcess;
  readonly dataDir: string;
  /** The REST root that the server printed. */
  readonly url: string;
  /** The password that the server printed, if any. */
  readonly generatedPassword: string | undefined;
  readonly client: HttpClient;
  /** As the administrator by default. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** The lines of its JSON log so far. */
  log(): readonly LogLine[];
  /** Sends the stop signal, and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Kills the process without a shutdown. */
  kill(): Promise<void>;
}

/** Starts a server and waits until it is ready; the test fails if its log has unexpected warnings or errors. */
export async function startServer(options: StartOptions = {}): Promise<StartedServer> {
  const dataDir = options.dataDir ?? join(await temporaryFolder(), 'data');
  const server = launchServer({ ...options, dataDir });
  const greeting = await server.waitFor('stdout', /^ {2}REST: +(\S+)\n {2}Data: +(.+)\n/m);
  const url = greeting[1] ?? '';
  const generatedPassword = /shown only this once:\n {2}(\S+)\n/.exec(server.stdout())?.[1];
  const password = generatedPassword ?? options.password ?? ADMIN_PASSWORD;
  const client = createClient(url, { credentials: `admin:${password}` });
  onTestFinished(() => client.close());
  await answersReady(client, server);
  return {
    process: server,
    dataDir,
    url,
    generatedPassword,
    client,
    request: client.request,
    log: () => readLog(server.stderr()),
    stop(signal = 'SIGTERM') {
      server.signal(signal);
      return server.ended();
    },
    async kill() {
      server.signal('SIGKILL');
      await server.ended();
      client.close();
    },
  };
}

/** Starts a server without waiting until it is ready; its log is checked as well. */
export function launchServer(options: StartOptions & { readonly dataDir: string }): ServerProcess {
  const { dataDir, flags = [], environment = {}, password = ADMIN_PASSWORD, expectedLog = [] } = options;
  const server = spawnServer({
    ...(options.command === undefined ? {} : { command: options.command }),
    flags: [
      ...(isGiven('port', flags, environment) ? [] : ['--port', '0']),
      ...(isGiven('data-dir', flags, environment) ? [] : ['--data-dir', dataDir]),
      ...flags,
    ],
    environment: { ...(password === null ? {} : { GRATICULE_ADMIN_PASSWORD: password }), ...environment },
  });
  onTestFinished(() => {
    const unexpected = unexpectedLines(server.stderr(), expectedLog);
    if (unexpected.length > 0) {
      throw new Error(`The server logged unexpected lines:\n${unexpected.join('\n')}`);
    }
  });
  return server;
}

function isGiven(setting: string, flags: readonly string[], environment: Environment): boolean {
  return flags.includes(`--${setting}`) || `GRATICULE_${setting.replaceAll('-', '_').toUpperCase()}` in environment;
}

/** The server prints its address when it listens; only /readyz shows that it accepts requests. */
async function answersReady(client: HttpClient, server: ServerProcess): Promise<void> {
  const deadlineAtMs = Date.now() + DEADLINE_MS;
  while (server.isRunning() && Date.now() < deadlineAtMs) {
    const reply = await client.request('GET', '/readyz', { as: null }).catch(() => undefined);
    if (reply?.status === 200) return;
    await setTimeout(10);
  }
  throw new Error(`The server did not become ready; it said: ${server.stderr()}`);
}
