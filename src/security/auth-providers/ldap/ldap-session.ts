/** Short sessions with directory servers, each with a deadline, and over TLS where configured. */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Client, Entry, ResultCodeError } from 'ldapts';
import { guardConnection, openConnection } from './ldap-connection.ts';
import { createPool, type PooledConnection, type PoolLease, type PoolLimits } from './ldap-pool.ts';
import type { LdapServer } from './ldap-server.ts';

/** Reports that the directory could not be queried; the message states the reason for the operator. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable';
}

export interface LdapEntry {
  readonly dn: string;
  readonly cn: readonly string[];
}

export interface LdapSession {
  /** Sends a request that needs no permission, to find out whether the server is a directory. */
  ping(): Promise<void>;
  /** Returns whether the directory accepts this password for this name. */
  bind(name: string, password: string): Promise<boolean>;
  /** Returns the matching entries below a base; none if the base does not exist. */
  search(base: string, filter: string): Promise<readonly LdapEntry[]>;
}

export interface LdapOptions {
  /** For a whole session, without the time in the queue. */
  readonly timeoutMs: number;
  readonly pool: PoolLimits;
  /** Trusted authorities for TLS, in PEM format; the system's by default. */
  readonly authorities?: readonly string[];
  /** Replaces the TLS function of the runtime, for tests. */
  readonly makeSecureContext?: typeof createSecureContext;
}

/** Opens sessions with directories. */
export interface Directories {
  /** Runs a session when a slot is free; throws `DirectoryUnavailable` if the directory does not respond. */
  withSession<T>(
    server: LdapServer,
    how: { readonly startTls: boolean },
    work: (session: LdapSession) => Promise<T>,
  ): Promise<T>;
  close(): void;
}

/** More groups than a user is in, and more users than a filter for one user may match. */
const MAX_ENTRIES = 1_000;

/** invalidCredentials, noSuchObject, invalidDNSyntax, inappropriateAuthentication, constraintViolation, unwillingToPerform. */
const refusalCodes: ReadonlySet<number> = new Set([49, 32, 34, 48, 19, 53]);
const NO_SUCH_OBJECT = 32;
const CONFIDENTIALITY_REQUIRED: ReadonlySet<number> = new Set([13, 8]);

/** A connection with its LDAP client. */
interface LdapConnection extends PooledConnection {
  readonly client: Client;
  readonly resetReceivedBytes: () => void;
  /** Closes the connection in any state. */
  readonly destroy: () => void;
}

export function openDirectories(options: LdapOptions): Directories {
  const pool = createPool<LdapConnection>(options.pool);
  let context: SecureContext | undefined;
  // Created once: reading all authorities blocks the event loop for tens of milliseconds.
  const secureContext = () => {
    const { authorities, makeSecureContext = createSecureContext } = options;
    context ??= makeSecureContext(authorities === undefined ? {} : { ca: [...authorities] });
    return context;
  };

  async function openLdapConnection(
    server: LdapServer,
    startTls: boolean,
    signal: AbortSignal,
  ): Promise<LdapConnection> {
    const { Client } = await import('ldapts');
    const { socket, resetReceivedBytes: beginAnew } = guardConnection(
      await openConnection(server, { startTls, getSecureContext: secureContext, signal }),
    );
    let isTaken = false;
    // A second call means that the library has lost the connection. A new one might be without TLS, so it is refused.
    const createConnection = () => {
      if (isTaken) {
        throw new Error('the connection was lost');
      }
      isTaken = true;
      return socket;
    };
    const client = new Client({ url: 'ldap://given', timeout: options.timeoutMs, createConnection });
    return {
      client,
      resetReceivedBytes: beginAnew,
      isUsable: () => socket.readyState === 'open',
      destroy: () => socket.destroy(),
      close: () => void client.unbind().catch(() => undefined),
    };
  }

  /** Runs a session on an idle connection if one exists, otherwise on a new one. */
  async function runSession<T>(
    turn: PoolLease<LdapConnection>,
    open: (signal: AbortSignal) => Promise<LdapConnection>,
    signal: AbortSignal,
    work: (session: LdapSession) => Promise<T>,
  ): Promise<T> {
    const left = turn.acquireIdle();
    if (left !== undefined) {
      try {
        return await runSessionOn({ line: left, state: 'used before' }, turn, signal, work);
      } catch (error) {
        const isAnswer = findResultCode(error) !== undefined || error instanceof DirectoryUnavailable;
        // The server may close an idle connection at any time, even during this request: retry once on a new
        // connection.
        if (isAnswer || signal.aborted) {
          throw error;
        }
      }
    }
    return runSessionOn({ line: await open(signal), state: 'new' }, turn, signal, work);
  }

  return {
    async withSession(server, { startTls }, work) {
      const name = [server.host, server.port, server.isSecure, startTls].join(' ');
      const open = (signal: AbortSignal) => openLdapConnection(server, startTls, signal);
      try {
        return await pool.withLease(name, async (turn) => {
          const stop = new AbortController();
          try {
            return await withinDeadline(runSession(turn, open, stop.signal, work), options.timeoutMs);
          } catch (error) {
            stop.abort();
            throw error;
          }
        });
      } catch (error) {
        throw new DirectoryUnavailable(formatReason(error), { cause: error });
      }
    },
    close: () => pool.close(),
  };
}

async function runSessionOn<T>(
  { line, state }: { readonly line: LdapConnection; readonly state: 'new' | 'used before' },
  turn: PoolLease<LdapConnection>,
  signal: AbortSignal,
  work: (session: LdapSession) => Promise<T>,
): Promise<T> {
  signal.addEventListener('abort', line.destroy, { once: true });
  try {
    line.resetReceivedBytes();
    const result = await work(await createSession(line, state));
    signal.removeEventListener('abort', line.destroy);
    // A result that arrived in time still counts, but a connection past its deadline is not reused.
    if (signal.aborted) {
      line.destroy();
    } else {
      turn.release(line);
    }
    return result;
  } catch (error) {
    line.destroy();
    throw error;
  }
}

async function createSession({ client }: LdapConnection, state: 'new' | 'used before'): Promise<LdapSession> {
  const { SASL_MECHANISMS } = await import('ldapts');
  // A reused connection is still bound as the user who logged in last.
  let isSomebodyElse = state === 'used before';
  return {
    async ping() {
      isSomebodyElse = false;
      await bindAnonymously(client);
    },
    async bind(name, password) {
      // Both would succeed without proving anything; the library also interprets the names of SASL mechanisms
      // specially.
      if (password === '' || name.trim() === '' || SASL_MECHANISMS.some((mechanism) => mechanism === name)) {
        return false;
      }
      isSomebodyElse = false;
      return client.bind(name, password).then(
        () => true,
        (error: unknown) => {
          if (refusalCodes.has(findResultCode(error) ?? 0)) {
            return false;
          }
          throw error;
        },
      );
    },
    async search(base, filter) {
      if (isSomebodyElse) {
        await bindAnonymously(client);
        isSomebodyElse = false;
      }
      const options = { scope: 'sub', filter, attributes: ['cn'], sizeLimit: MAX_ENTRIES } as const;
      const found = await client
        .search(base, { ...options, attributes: [...options.attributes] })
        .catch((error: unknown) => {
          if (findResultCode(error) === NO_SUCH_OBJECT) {
            return { searchEntries: [] };
          }
          throw error;
        });
      return found.searchEntries.map(toLdapEntry);
    },
  };
}

/**
 * Binds anonymously. The response does not matter: after a rejected bind the connection is anonymous too (RFC 4511,
 * 4.2.1).
 */
async function bindAnonymously(client: Client): Promise<void> {
  await client.bind('', '').catch((error: unknown) => {
    if (findResultCode(error) === undefined) {
      throw error;
    }
  });
}

async function withinDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  // The result of the losing promise is irrelevant, but its rejection must be handled.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function toLdapEntry(entry: Entry): LdapEntry {
  const cn = [entry['cn'] ?? []].flat();
  return { dn: entry.dn, cn: cn.map(String) };
}

function findResultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? (error as ResultCodeError).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function formatReason(error: unknown): string {
  if (CONFIDENTIALITY_REQUIRED.has(findResultCode(error) ?? 0)) {
    return 'the server requires TLS for this operation';
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) {
    return `its certificate is not trusted: ${message.split(';')[0]}`;
  }
  // If all addresses of a host name fail, the AggregateError itself has no message.
  const causes = error instanceof AggregateError ? error.errors.map((each) => formatReason(each)).join(', ') : '';
  return (message || causes || 'unknown error').replace(/\s+/g, ' ').trim();
}
