/**
 * Starts a private OpenLDAP server: on free local ports, in a temporary folder, with a temporary certificate, never as
 * root.
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { makeCertificate } from './make-certificate.ts';
import { type OrdinaryUser, ordinaryUser } from './ordinary-user.ts';
import type { RunningService } from './running-service.ts';
import { CLOSED_BASE, closedEntries, OPEN_BASE, openEntries, ROOT_PASSWORD } from './slapd-entries.ts';
import { startSupervisedServer } from './supervised-server.ts';

const HOST = '127.0.0.1';
const READY_DEADLINE_MS = 300_000;
const RETRY_MS = 25;
const PORT_ATTEMPTS = 3;

const SCHEMA_FOLDERS = ['/etc/ldap/schema', '/etc/openldap/schema', '/opt/homebrew/etc/openldap/schema'];

export interface SlapdServer {
  /** Plain, with StartTLS support. */
  readonly url: string;
  /** TLS from the first byte. */
  readonly secureUrl: string;
  /** The self-signed certificate of the server, in PEM. */
  readonly certificate: string;
}

export async function startSlapd(program: string): Promise<RunningService<SlapdServer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnPorts(program, await freePort(HOST), await freePort(HOST));
    } catch (error) {
      const portTaken = error instanceof Error && /already in use|bind\(/i.test(error.message);
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOnPorts(program: string, port: number, securePort: number): Promise<RunningService<SlapdServer>> {
  const user = ordinaryUser(['openldap', 'nobody']);
  const folder = mkdtempSync(join(tmpdir(), 'graticule-slapd-'));
  const certificate = makeCertificate(folder, HOST);
  const configuration = join(folder, 'slapd.conf');
  writeFileSync(configuration, formatConfiguration(folder));
  const loads = [
    [OPEN_BASE, openEntries],
    [CLOSED_BASE, closedEntries],
  ] as const;
  const preparations = loads.map(([base, entries], index): readonly [string, ...string[]] => {
    mkdirSync(join(folder, base));
    writeFileSync(join(folder, `${index}.ldif`), entries);
    return [program, '-T', 'add', '-f', configuration, '-b', base, '-l', join(folder, `${index}.ldif`)];
  });
  if (user !== undefined) give(folder, user);
  const url = `ldap://${HOST}:${port}`;
  const secureUrl = `ldaps://${HOST}:${securePort}`;
  const server = startSupervisedServer({
    folder,
    user,
    preparations,
    // With any debug level, even 0, it stays in the foreground.
    server: [program, '-f', configuration, '-h', `${url}/ ${secureUrl}/`, '-d', '0'],
    stopSignal: 'SIGINT',
  });
  try {
    const signal = AbortSignal.timeout(READY_DEADLINE_MS);
    await Promise.race([Promise.all([answers(port, signal), answers(securePort, signal)]), server.unexpectedEnd]);
    return { details: { url, secureUrl, certificate }, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function formatConfiguration(folder: string): string {
  const schemas = SCHEMA_FOLDERS.find((each) => existsSync(join(each, 'core.schema')));
  if (schemas === undefined) throw new Error(`no schemas of OpenLDAP in ${SCHEMA_FOLDERS.join(', ')}`);
  return `include ${schemas}/core.schema
pidfile ${folder}/pid
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem

database ldif
suffix "${OPEN_BASE}"
rootdn "cn=root,${OPEN_BASE}"
rootpw ${ROOT_PASSWORD}
directory ${folder}/${OPEN_BASE}
access to attrs=userPassword by self write by anonymous auth by * none
access to * by * read

database ldif
suffix "${CLOSED_BASE}"
directory ${folder}/${CLOSED_BASE}
# Logins require TLS, and only the reader may search.
security simple_bind=64
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=reader,${CLOSED_BASE}" read by * none
`;
}

function give(folder: string, user: OrdinaryUser): void {
  for (const path of [folder, ...readdirSync(folder, { recursive: true }).map((each) => join(folder, String(each)))]) {
    chownSync(path, user.uid, user.gid);
  }
}

async function answers(port: number, signal: AbortSignal): Promise<void> {
  while (!(await accepts(port))) {
    signal.throwIfAborted();
    await delay(RETRY_MS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
