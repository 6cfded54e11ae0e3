/** The connection parameters of a MySQL store: names, validation and settings. */
import { isIP } from 'node:net';
import type { ConnectionParameters } from '../../port/driver.ts';

/** Parameters with an effect. */
const used = [
  'host',
  'port',
  'database',
  'user',
  'passwd',
  'max connections',
  'Connection timeout',
  'Max connection idle time',
  'SSL mode',
  'Expose primary keys',
] as const;

/** Parameters that clients of other servers send, without effect here. */
const withoutEffect = [
  'schema',
  'min connections',
  'fetch size',
  'validate connections',
  'storage engine',
  'Evictor run periodicity',
  'Evictor tests per run',
  'Test while idle',
  'Batch insert size',
  'Primary key metadata table',
  'Callback factory',
  'Log slow queries',
  'enhancedSpatialSupport',
] as const;

export const mysqlParameterNames: ReadonlySet<string> = new Set([...used, ...withoutEffect]);

export interface MysqlSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly sslMode: SslMode;
  readonly exposesPrimaryKeys: boolean;
}

/** As the clients of MySQL name them. */
const sslModes = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;
type SslMode = (typeof sslModes)[number];

/** Integer parameters with their ranges and defaults. */
const numbers = {
  port: { least: 1, most: 65_535, usual: 3306 },
  'max connections': { least: 1, most: 100, usual: 10 },
  'Connection timeout': { least: 1, most: 60, usual: 5 },
  'Max connection idle time': { least: 1, most: 3600, usual: 60 },
} as const;

/** The longest name of a database or user, in characters; the longest user name of MariaDB is 80. */
const MAX_NAME_CHARACTERS = 80;

type InvalidParameter = { readonly parameter: string; readonly reason: string };

export function validateMysqlParameters(parameters: ConnectionParameters): InvalidParameter | undefined {
  if ((parameters['database'] ?? '') === '') return { parameter: 'database', reason: 'it is required' };
  const objections: readonly (readonly [string, string | undefined])[] = [
    ['host', validateHost(parameters['host'])],
    ...['database', 'user'].map((name) => [name, validateName(parameters[name])] as const),
    ...Object.keys(numbers).map((name) => [name, validateNumber(name, parameters[name])] as const),
    ['SSL mode', validateSslMode(parameters['SSL mode'])],
    ['Expose primary keys', validateBoolean(parameters['Expose primary keys'])],
  ];
  for (const [parameter, reason] of objections) if (reason !== undefined) return { parameter, reason };
  return undefined;
}

/** Expects valid parameters. */
export function readMysqlSettings(parameters: ConnectionParameters): MysqlSettings {
  const readNumber = (name: keyof typeof numbers): number =>
    Number(trimToUndefined(parameters[name]) ?? numbers[name].usual);
  return {
    host: trimToUndefined(parameters['host'])?.replace(/^\[|\]$/g, '') ?? 'localhost',
    port: readNumber('port'),
    database: parameters['database'] ?? '',
    user: parameters['user'] ?? '',
    password: parameters['passwd'] ?? '',
    maxConnections: readNumber('max connections'),
    connectTimeoutMs: readNumber('Connection timeout') * 1000,
    idleTimeoutMs: readNumber('Max connection idle time') * 1000,
    sslMode: parseSslMode(parameters['SSL mode']) ?? 'DISABLED',
    exposesPrimaryKeys: parameters['Expose primary keys']?.trim().toLowerCase() === 'true',
  };
}

/** An empty form field counts as missing. */
function trimToUndefined(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function validateHost(value: string | undefined): string | undefined {
  const host = trimToUndefined(value);
  if (host === undefined || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  const isName = host.length <= 253 && /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i.test(host);
  return isName ? undefined : 'it must be a host name or an IP address';
}

function validateName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!name.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(name)) return 'it contains a control character';
  if (/[=?&;/\\]|:\/\//.test(name)) return 'it must not contain any of = ? & ; / \\';
  return [...name].length > MAX_NAME_CHARACTERS ? `it is longer than ${MAX_NAME_CHARACTERS} characters` : undefined;
}

function validateNumber(name: string, value: string | undefined): string | undefined {
  const text = trimToUndefined(value);
  const range = Object.entries(numbers).find(([each]) => each === name)?.[1];
  if (text === undefined || range === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const { least, most } = range;
  return number >= least && number <= most ? undefined : `it must be an integer from ${least} to ${most}`;
}

function validateBoolean(value: string | undefined): string | undefined {
  return trimToUndefined(value) === undefined || /^(?:true|false)$/i.test(value?.trim() ?? '')
    ? undefined
    : 'it must be true or false';
}

function validateSslMode(value: string | undefined): string | undefined {
  return trimToUndefined(value) === undefined || parseSslMode(value) !== undefined
    ? undefined
    : `it must be one of ${sslModes.join(', ')}`;
}

function parseSslMode(value: string | undefined): SslMode | undefined {
  const mode = trimToUndefined(value)?.toUpperCase().replaceAll('-', '_');
  return sslModes.find((each) => each === mode);
}
