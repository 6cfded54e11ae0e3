/** Parses the URI of a document database. No message repeats a password. */
import { isIP } from 'node:net';

export interface DocumentConnection {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly database: string;
  /** As in `mongodb://host/database.collection`, for schemas that are stored in a database. */
  readonly collection?: string;
  readonly user?: string;
  readonly password?: string;
  readonly options: DocumentConnectionOptions;
}

/** The supported options of a URI. */
export interface DocumentConnectionOptions {
  readonly authSource?: string;
  readonly authMechanism?: 'SCRAM-SHA-1' | 'SCRAM-SHA-256';
  readonly replicaSet?: string;
  readonly tls: boolean;
  readonly tlsInsecure: boolean;
  readonly readPreference: string;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
}

/** Describes an error without repeating the URI, which can contain a password. */
export class UriError extends Error {
  override readonly name = 'UriError';
}

const DEFAULT_PORT = 27_017;
/** Longer than any list of hosts with options. */
const MAX_URI_CHARACTERS = 4_096;
const MAX_HOSTS = 50;

const uriShape = /^mongodb:\/\/(?:([^@/]*)@)?([^@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/is;

/** Whether the text is meant as the URI of a document database, valid or not. */
export function isDocumentUri(text: string): boolean {
  return /^\s*mongodb(?:\+srv)?:/i.test(text);
}

export function readDocumentUri(text: string): DocumentConnection {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URI_CHARACTERS) throw new UriError(`it is longer than ${MAX_URI_CHARACTERS} characters`);
  if (/^mongodb\+srv:/i.test(trimmed)) {
    throw new UriError('mongodb+srv is not supported; list the hosts in a mongodb: URI');
  }
  const match = uriShape.exec(trimmed);
  if (match === null) throw new UriError('it must have the form mongodb://user:password@host:port/database');
  const [, login, hosts = '', place = '', query = ''] = match;
  const [database = '', ...collection] = decodeComponent(place, 'database').split('.');
  if (/[\s/\\"$*<>:|?\0]/.test(database) || Buffer.byteLength(database) > 63) {
    throw new UriError('the database name is too long or contains an invalid character');
  }
  const name = collection.join('.');
  if (name.includes('$') || name.includes('\0')) throw new UriError('the collection name is invalid');
  const options = readOptions(query);
  return {
    hosts: readHosts(hosts),
    database,
    ...(name === '' ? {} : { collection: name }),
    ...(login === undefined || login === '' ? {} : readLogin(login)),
    options,
  };
}

/** Returns the hosts in lower case; empty for an invalid URI, which is never opened. */
export function listUriHosts(text: string): readonly string[] {
  try {
    return readDocumentUri(text).hosts.map(({ host }) => host.toLowerCase().replace(/\.$/, ''));
  } catch (error) {
    if (error instanceof UriError) return [];
    throw error;
  }
}

/** Whether the URI contains a password, which must never be shown. */
export function hasPassword(text: string): boolean {
  return /:\/\/[^/@]*@/.test(text);
}

function readLogin(login: string): { readonly user: string; readonly password: string } {
  const [user = '', ...rest] = login.split(':');
  return { user: decodeComponent(user, 'user'), password: decodeComponent(rest.join(':'), 'password') };
}

function readHosts(text: string): DocumentConnection['hosts'] {
  const written = text.split(',');
  if (written.length > MAX_HOSTS) throw new UriError(`it has more than ${MAX_HOSTS} hosts`);
  return written.map((each) => {
    const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(each.trim());
    const host = match?.[1]?.replace(/^\[|\]$/g, '') ?? '';
    const port = Number(match?.[2] ?? DEFAULT_PORT);
    const isName = host.length <= 253 && /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i.test(host);
    // An encoded path would connect to a local socket.
    if ((!isName && isIP(host) === 0) || port < 1 || port > 65_535) {
      throw new UriError('each host must be a host name or an IP address, with a port from 1 to 65535');
    }
    return { host, port };
  });
}

function decodeComponent(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UriError(`the ${what} contains an invalid percent escape`);
  }
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  connecttimeoutms: [1, 60_000],
  serverselectiontimeoutms: [1, 60_000],
  maxpoolsize: [1, 100],
};

/** Accepted without effect: reads do not need them, and schema writes are always acknowledged. */
const ignoredOptions: ReadonlySet<string> = new Set(
  [
    'retryReads',
    'retryWrites',
    'w',
    'wtimeoutMS',
    'journal',
    'appName',
    'minPoolSize',
    'maxIdleTimeMS',
    'waitQueueTimeoutMS',
  ]
    .concat([
      'socketTimeoutMS',
      'heartbeatFrequencyMS',
      'localThresholdMS',
      'readConcernLevel',
      'uuidRepresentation',
      'directConnection',
    ])
    .map((name) => name.toLowerCase()),
);

const preferences = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'];

/** Other options are rejected, because some refer to server files, proxies or token services. */
function readOptions(query: string): DocumentConnectionOptions {
  const given = new Map<string, string>();
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const key = decodeComponent(name, 'query').toLowerCase();
    if (!knownOptions.has(key) && !ignoredOptions.has(key)) {
      throw new UriError(`the option '${removeUnprintable(name)}' is not supported`);
    }
    given.set(key, decodeComponent(rest.join('='), 'query'));
  }
  const readNumber = (key: string, usual: number): number => {
    const text = given.get(key);
    const [least = 0, most = 0] = ranges[key] ?? [];
    if (text === undefined) return usual;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new UriError(`the option '${key}' must be an integer from ${least} to ${most}`);
    }
    return value;
  };
  const readFlag = (...keys: readonly string[]): boolean =>
    keys.some((key) => given.get(key)?.toLowerCase() === 'true');
  const mechanism = given.get('authmechanism');
  if (
    mechanism !== undefined &&
    mechanism !== 'SCRAM-SHA-1' &&
    mechanism !== 'SCRAM-SHA-256' &&
    mechanism !== 'DEFAULT'
  ) {
    throw new UriError("the option 'authMechanism' must be SCRAM-SHA-1 or SCRAM-SHA-256");
  }
  const preference = given.get('readpreference') ?? 'primary';
  if (!preferences.includes(preference)) {
    throw new UriError(`the option 'readPreference' must be one of ${preferences.join(', ')}`);
  }
  const authSource = given.get('authsource');
  const replicaSet = given.get('replicaset');
  return {
    ...(authSource === undefined ? {} : { authSource }),
    ...(mechanism === undefined || mechanism === 'DEFAULT' ? {} : { authMechanism: mechanism }),
    ...(replicaSet === undefined ? {} : { replicaSet }),
    tls: readFlag('tls', 'ssl'),
    tlsInsecure: readFlag('tlsinsecure', 'tlsallowinvalidcertificates'),
    readPreference: preference,
    connectTimeoutMs: Math.min(readNumber('connecttimeoutms', 5_000), readNumber('serverselectiontimeoutms', 60_000)),
    maxConnections: readNumber('maxpoolsize', 10),
  };
}

const knownOptions: ReadonlySet<string> = new Set([
  ...Object.keys(ranges),
  'authsource',
  'authmechanism',
  'replicaset',
  'tls',
  'ssl',
  'tlsinsecure',
  'tlsallowinvalidcertificates',
  'readpreference',
]);

function removeUnprintable(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '').slice(0, 40);
}
