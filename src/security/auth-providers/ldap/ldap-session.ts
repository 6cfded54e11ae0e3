/** Short conversations with directory servers: each within one deadline, and over TLS where that is asked. */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Client, Entry, ResultCodeError } from 'ldapts';
import { guard, openConnection } from './ldap-connection.ts';
import { createPool, type Kept, type PoolLimits, type Turn } from './ldap-pool.ts';
import type { LdapServer } from './ldap-server.ts';

/** The directory could not be asked; the message says why, for the operator. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable';
}

export interface LdapEntry {
  readonly dn: string;
  readonly cn: readonly string[];
}

export interface LdapSession {
  /** Whether the directory takes this password for this name. */
  bind(name: string, password: string): Promise<boolean>;
  /** The entries below a name that match; none when there is no such name. */
  search(base: string, filter: string): Promise<readonly LdapEntry[]>;
}

export interface LdapOptions {
  /** For a whole conversation, once it is its turn. */
  readonly timeoutMs: number;
  readonly pool: PoolLimits;
  /** Authorities to trust for TLS, in PEM; the system's without it. */
  readonly authorities?: readonly string[];
  /** Makes what TLS needs of them; the runtime's own without it. */
  readonly makeSecureContext?: typeof createSecureContext;
}

/** The directories that can be asked. */
export interface Directories {
  /** Talks to a directory when it is our turn; throws `DirectoryUnavailable` when it cannot be talked to. */
  converse<T>(
    server: LdapServer,
    how: { readonly startTls: boolean },
    work: (session: LdapSession) => Promise<T>,
  ): Promise<T>;
  close(): void;
}

/** More groups than anybody is in; more users than a filter for one may find. */
const MAX_ENTRIES = 1_000;

/** invalidCredentials, noSuchObject, invalidDNSyntax, inappropriateAuthentication, constraintViolation, unwillingToPerform. */
const refusals: ReadonlySet<number> = new Set([49, 32, 34, 48, 19, 53]);
const NO_SUCH_OBJECT = 32;
const CONFIDENTIALITY_REQUIRED: ReadonlySet<number> = new Set([13, 8]);

/** A connection with what is said on it. */
interface Line extends Kept {
  readonly client: Client;
  readonly beginAnew: () => void;
  /** Gives it up, whatever it is doing. */
  readonly drop: () => void;
}

export function openDirectories(options: LdapOptions): Directories {
  const pool = createPool<Line>(options.pool);
  let context: SecureContext | undefined;
  // Made once: reading all authorities takes tens of milliseconds, in which the server does nothing else.
  const secureContext = () => {
    const { authorities, makeSecureContext = createSecureContext } = options;
    context ??= makeSecureContext(authorities === undefined ? {} : { ca: [...authorities] });
    return context;
  };

  async function openLine(server: LdapServer, startTls: boolean, signal: AbortSignal): Promise<Line> {
    const { Client } = await import('ldapts');
    const { socket, beginAnew } = guard(await openConnection(server, { startTls, secureContext, signal }));
    let isTaken = false;
    // Asked for a second time, the library has lost the connection. A new one could be without TLS, and is not wanted.
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
      beginAnew,
      isUsable: () => socket.readyState === 'open',
      drop: () => socket.destroy(),
      close: () => void client.unbind().catch(() => undefined),
    };
  }

  /** On a connection that is left from an earlier conversation if there is one, else on a new one. */
  async function talk<T>(
    turn: Turn<Line>,
    open: (signal: AbortSignal) => Promise<Line>,
    signal: AbortSignal,
    work: (session: LdapSession) => Promise<T>,
  ): Promise<T> {
    const left = turn.take();
    if (left !== undefined) {
      try {
        return await talkOn(left, 'used before', turn, signal, work);
      } catch (error) {
        const isAnswer = resultCode(error) !== undefined || error instanceof DirectoryUnavailable;
        // The server may end at any time what nobody uses, also right now.
        if (isAnswer || signal.aborted) {
          throw error;
        }
      }
    }
    return talkOn(await open(signal), 'new', turn, signal, work);
  }

  return {
    async converse(server, { startTls }, work) {
      const name = [server.host, server.port, server.isSecure, startTls].join(' ');
      const open = (signal: AbortSignal) => openLine(server, startTls, signal);
      try {
        return await pool.inTurn(name, async (turn) => {
          const stop = new AbortController();
          try {
            return await withinDeadline(talk(turn, open, stop.signal, work), options.timeoutMs);
          } catch (error) {
            stop.abort();
            throw error;
          }
        });
      } catch (error) {
        throw new DirectoryUnavailable(reasonOf(error), { cause: error });
      }
    },
    close: () => pool.close(),
  };
}

async function talkOn<T>(
  line: Line,
  state: 'new' | 'used before',
  turn: Turn<Line>,
  signal: AbortSignal,
  work: (session: LdapSession) => Promise<T>,
): Promise<T> {
  signal.addEventListener('abort', line.drop, { once: true });
  try {
    line.beginAnew();
    const result = await work(await sessionOn(line, state));
    signal.removeEventListener('abort', line.drop);
    // Whoever had it in time has it; but nobody waits for this any more.
    if (signal.aborted) {
      line.drop();
    } else {
      turn.keep(line);
    }
    return result;
  } catch (error) {
    line.drop();
    throw error;
  }
}

async function sessionOn({ client }: Line, state: 'new' | 'used before'): Promise<LdapSession> {
  const { SASL_MECHANISMS } = await import('ldapts');
  // On a connection that was used before, we are still who logged in last.
  let isSomebodyElse = state === 'used before';
  return {
    async bind(name, password) {
      // Both would "succeed" without proving anything; the library also takes the names of SASL mechanisms for such.
      if (password === '' || name.trim() === '' || SASL_MECHANISMS.some((mechanism) => mechanism === name)) {
        return false;
      }
      isSomebodyElse = false;
      return client.bind(name, password).then(
        () => true,
        (error: unknown) => {
          if (refusals.has(resultCode(error) ?? 0)) {
            return false;
          }
          throw error;
        },
      );
    },
    async search(base, filter) {
      if (isSomebodyElse) {
        await becomeNobody(client);
        isSomebodyElse = false;
      }
      const options = { scope: 'sub', filter, attributes: ['cn'], sizeLimit: MAX_ENTRIES } as const;
      const found = await client
        .search(base, { ...options, attributes: [...options.attributes] })
        .catch((error: unknown) => {
          if (resultCode(error) === NO_SUCH_OBJECT) {
            return { searchEntries: [] };
          }
          throw error;
        });
      return found.searchEntries.map(entryFrom);
    },
  };
}

/** Whatever the server answers: also after a bind that it refuses, nobody is logged in (RFC 4511, 4.2.1). */
async function becomeNobody(client: Client): Promise<void> {
  await client.bind('', '').catch((error: unknown) => {
    if (resultCode(error) === undefined) {
      throw error;
    }
  });
}

async function withinDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  // What the loser of the race says is of no interest any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function entryFrom(entry: Entry): LdapEntry {
  const cn = [entry['cn'] ?? []].flat();
  return { dn: entry.dn, cn: cn.map(String) };
}

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? (error as ResultCodeError).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function reasonOf(error: unknown): string {
  if (CONFIDENTIALITY_REQUIRED.has(resultCode(error) ?? 0)) {
    return 'the server wants TLS for this';
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) {
    return `its certificate is not trusted: ${message.split(';')[0]}`;
  }
  // A name with several addresses that all fail gives an error without words of its own.
  const causes = error instanceof AggregateError ? error.errors.map((each) => reasonOf(each)).join(', ') : '';
  return (message || causes || 'it failed without a reason').replace(/\s+/g, ' ').trim();
}
