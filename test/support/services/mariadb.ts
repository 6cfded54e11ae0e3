/** Starts a private MariaDB: on a free local port, in a temporary folder, with a temporary certificate, never as root. */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { findProgram } from '../find-program.ts';
import { freePort } from './free-port.ts';
import { makeCertificate } from './make-certificate.ts';
import { ordinaryUser } from './ordinary-user.ts';
import type { RunningService } from './running-service.ts';
import { type ServerHandle, startSupervisedServer } from './supervised-server.ts';

const HOST = '127.0.0.1';
const USER = 'graticule';
const READY_DEADLINE_MS = 300_000;
const RETRY_MS = 25;
const PORT_ATTEMPTS = 3;

/** Everything else has the defaults, so that tests and measurements match production. */
const SETTINGS: Readonly<Record<string, string>> = {
  // Many test files use one server at the same time.
  'max-connections': '300',
  'bind-address': HOST,
  // Tests never lose power.
  'innodb-flush-log-at-trx-commit': '0',
};

/** The credentials of an administrator. */
export interface MariadbConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface MariadbServer {
  readonly connection: MariadbConnection;
  /** The self-signed certificate of the server, in PEM. */
  readonly certificate: string;
}

/** Another process may take the port before the server does: then retry with another port. */
export async function startMariadb(program: string): Promise<RunningService<MariadbServer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnPort(program, await freePort(HOST));
    } catch (error) {
      const isPortTaken = error instanceof Error && error.message.includes('Address already in use');
      if (!isPortTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOnPort(program: string, port: number): Promise<RunningService<MariadbServer>> {
  const password = randomBytes(24).toString('base64url');
  const folder = mkdtempSync(join(tmpdir(), 'graticule-mariadb-'));
  const certificate = makeCertificate(folder, HOST);
  const server = startServer(program, { folder, port, password });
  const connection = { host: HOST, port, user: USER, password, database: 'mysql' };
  try {
    await Promise.race([waitUntilReady(connection), server.unexpectedEnd]);
    return { details: { connection, certificate }, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function startServer(
  program: string,
  { folder, port, password }: { readonly folder: string; readonly port: number; readonly password: string },
): ServerHandle {
  const user = ordinaryUser(['mysql', 'nobody']);
  const [data, start] = [join(folder, 'data'), join(folder, 'start.sql')];
  mkdirSync(data);
  writeFileSync(
    start,
    `CREATE USER '${USER}'@'%' IDENTIFIED BY '${password}';
     GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'%' WITH GRANT OPTION;
     ALTER USER 'root'@'localhost' ACCOUNT LOCK;\n`,
    { mode: 0o600 },
  );
  for (const path of [folder, ...readdirSync(folder).map((each) => join(folder, each))]) {
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  const options = Object.entries({
    ...SETTINGS,
    port: String(port),
    datadir: data,
    socket: join(folder, 'socket'),
    'pid-file': join(folder, 'pid'),
    'init-file': start,
    'ssl-cert': join(folder, 'certificate.pem'),
    'ssl-key': join(folder, 'key.pem'),
  });
  const install = findProgram(['mariadb-install-db'], ['/opt/homebrew/opt/mariadb/bin']) ?? 'mariadb-install-db';
  return startSupervisedServer({
    folder,
    user,
    preparations: [[install, '--no-defaults', `--datadir=${data}`, '--skip-test-db']],
    server: [program, '--no-defaults', ...options.map(([name, value]) => `--${name}=${value}`)],
    stopSignal: 'SIGTERM',
  });
}

async function waitUntilReady(connection: MariadbConnection): Promise<void> {
  const signal = AbortSignal.timeout(READY_DEADLINE_MS);
  for (;;) {
    try {
      const client = await createConnection({ ...connection });
      await client.end();
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(RETRY_MS);
    }
  }
}
