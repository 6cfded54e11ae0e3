/** One short conversation with a directory server: every step within one deadline, and over TLS where that is asked. */
import type { Entry, ResultCodeError } from 'ldapts';
import { guard, openConnection } from './ldap-connection.ts';
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
  /** For the whole conversation. */
  readonly timeoutMs: number;
  /** Authorities to trust for TLS, in PEM; the system's without it. */
  readonly authorities?: readonly string[];
}

/** More groups than anybody is in; more users than a filter for one may find. */
const MAX_ENTRIES = 1_000;

/** invalidCredentials, noSuchObject, invalidDNSyntax, inappropriateAuthentication, constraintViolation, unwillingToPerform. */
const refusals: ReadonlySet<number> = new Set([49, 32, 34, 48, 19, 53]);
const NO_SUCH_OBJECT = 32;
const CONFIDENTIALITY_REQUIRED: ReadonlySet<number> = new Set([13, 8]);

/** Runs `work` in a connection of its own, which is closed afterwards, however it ends. */
export async function withLdapSession<T>(
  server: LdapServer,
  how: LdapOptions & { readonly startTls: boolean },
  work: (session: LdapSession) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const conversation = converse(server, { ...how, signal: stop.signal }, work);
  try {
    return await withinDeadline(conversation, how.timeoutMs);
  } catch (error) {
    throw new DirectoryUnavailable(reasonOf(error), { cause: error });
  } finally {
    stop.abort();
  }
}

async function converse<T>(
  server: LdapServer,
  how: LdapOptions & { readonly startTls: boolean; readonly signal: AbortSignal },
  work: (session: LdapSession) => Promise<T>,
): Promise<T> {
  const { Client, SASL_MECHANISMS } = await import('ldapts');
  const socket = await openConnection(server, how);
  let isTaken = false;
  // Asked for a second time, the library has lost the connection. A new one could be without TLS, and is not wanted.
  const createConnection = () => {
    if (isTaken) {
      throw new Error('the connection was lost');
    }
    isTaken = true;
    return guard(socket);
  };
  const client = new Client({ url: 'ldap://given', timeout: how.timeoutMs, createConnection });
  try {
    return await work({
      async bind(name, password) {
        // Both would "succeed" without proving anything; the library also takes the names of SASL mechanisms for such.
        if (password === '' || name.trim() === '' || SASL_MECHANISMS.some((mechanism) => mechanism === name)) {
          return false;
        }
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
    });
  } finally {
    await client.unbind().catch(() => undefined);
  }
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
