/** Starts a private PostgreSQL with PostGIS: on a free local port, in a temporary folder, never as root. */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { ordinaryUser } from './ordinary-user.ts';
import type { RunningService } from './running-service.ts';
import { type ServerHandle, startSupervisedServer } from './supervised-server.ts';

const HOST = '127.0.0.1';
const USER = 'graticule';
const TEMPLATE = 'postgis_template';
const READY_DEADLINE_MS = 300_000;
const CONNECT_DEADLINE_MS = 60_000;
const RETRY_MS = 25;
const PORT_ATTEMPTS = 3;

/** Everything else has the PostgreSQL defaults, so that tests and measurements match production. */
const SETTINGS: Readonly<Record<string, string>> = {
  // Many test files use one server at the same time.
  max_connections: '300',
  listen_addresses: HOST,
};

/** The credentials of the server owner. */
export interface PostgisConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** `connection` is an administrative database; test databases are copied from `template`. */
export interface PostgisServer {
  readonly connection: PostgisConnection;
  readonly template: string;
  /** The parent folder of `data`. */
  readonly folder: string;
}

export interface PostgisOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether it restarts whenever it ends, unless its folder contains a file `down`. */
  readonly isStartedAgain?: boolean;
}

const START_AGAIN = `trap 'kill -INT "$server"; wait; exit 0' TERM
while :; do
  while [ -e down ]; do sleep 0.05; done
  "$@" & server=$!
  wait "$server"
done`;

/** Another process may take the port before the server does: then retry with another port. */
export async function startPostgis(
  programs: string,
  choosePort: () => Promise<number> = () => freePort(HOST),
  options: PostgisOptions = {},
): Promise<RunningService<PostgisServer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnPort(programs, await choosePort(), options);
    } catch (error) {
      const portTaken = error instanceof Error && error.message.includes('Address already in use');
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOnPort(
  programs: string,
  port: number,
  options: PostgisOptions,
): Promise<RunningService<PostgisServer>> {
  const password = randomBytes(24).toString('base64url');
  const folder = mkdtempSync(join(tmpdir(), 'graticule-postgis-'));
  const server = startServer(programs, { folder, port, password }, options);
  const giveUp = new AbortController();
  try {
    const connection = { host: HOST, port, user: USER, password, database: 'postgres' };
    const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(READY_DEADLINE_MS)]);
    await Promise.race([makeTemplate(connection, signal), server.unexpectedEnd]);
    return { details: { connection, template: TEMPLATE, folder }, stop: server.stop };
  } catch (error) {
    giveUp.abort();
    await server.stop();
    throw error;
  }
}

function startServer(
  programs: string,
  { folder, port, password }: { readonly folder: string; readonly port: number; readonly password: string },
  { settings, isStartedAgain = false }: PostgisOptions,
): ServerHandle {
  const user = ordinaryUser(['postgres', 'nobody']);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);

  const data = join(folder, 'data');
  const login = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const options = Object.entries({ ...SETTINGS, ...settings, port, unix_socket_directories: folder });
  const command = [
    join(programs, 'postgres'),
    '-D',
    data,
    ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ] as const;
  return startSupervisedServer({
    folder,
    user,
    preparations: [[join(programs, 'initdb'), '-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync']],
    server: isStartedAgain ? ['/bin/sh', '-c', START_AGAIN, 'sh', ...command] : command,
    // The fast shutdown of PostgreSQL closes open connections instead of waiting for them.
    stopSignal: isStartedAgain ? 'SIGTERM' : 'SIGINT',
  });
}

async function makeTemplate(connection: PostgisConnection, signal: AbortSignal): Promise<void> {
  const administration = await connectWhenReady(connection, signal);
  await administration.query(`CREATE DATABASE ${TEMPLATE}`);
  await administration.end();
  const template = await connectWhenReady({ ...connection, database: TEMPLATE }, signal);
  await template.query('CREATE EXTENSION postgis');
  await template.end();
}

async function connectWhenReady(connection: PostgisConnection, signal: AbortSignal): Promise<Client> {
  for (;;) {
    const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_DEADLINE_MS });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(RETRY_MS);
    }
  }
}
