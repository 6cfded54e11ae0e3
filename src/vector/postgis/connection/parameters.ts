/** The connection parameters of a PostGIS store: names, validation and settings. */
import { isIP } from 'node:net';
import type { ConnectionParameters } from '../../port/driver.ts';

/** Parameters with an effect. */
const used = [
  'host',
  'port',
  'database',
  'schema',
  'user',
  'passwd',
  'max connections',
  'Connection timeout',
  'Max connection idle time',
  'SSL mode',
  'Expose primary keys',
  'Estimated extends',
] as const;

/** Parameters that clients of other servers send, without effect here. */
const withoutEffect = [
  'min connections',
  'fetch size',
  'validate connections',
  'Loose bbox',
  'preparedStatements',
  'encode functions',
  'Max open prepared statements',
  'Evictor run periodicity',
  'Evictor tests per run',
  'Test while idle',
  'Support on the fly geometry simplification',
  'Simplification method',
  'simplification method',
  'Method used to simplify geometries',
  'Batch insert size',
  'create database',
  'create database params',
  'Primary key metadata table',
  'Log slow queries',
] as const;

export const postgisParameterNames: ReadonlySet<string> = new Set([...used, ...withoutEffect]);

export interface PostgisSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly schema: string;
  readonly user: string;
  readonly password: string;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly sslMode: SslMode;
  readonly exposesPrimaryKeys: boolean;
  readonly estimatesBounds: boolean;
}

const sslModes = ['DISABLE', 'ALLOW', 'PREFER', 'REQUIRE', 'VERIFY_CA', 'VERIFY_FULL'] as const;
type SslMode = (typeof sslModes)[number];

/** Integer parameters with their ranges and defaults. */
const numbers = {
  port: { least: 1, most: 65_535, usual: 5432 },
  'max connections': { least: 1, most: 100, usual: 10 },
  'Connection timeout': { least: 1, most: 60, usual: 5 },
  'Max connection idle time': { least: 1, most: 3600, usual: 60 },
} as const;

const booleans = ['Expose primary keys', 'Estimated extends'] as const;

/** PostgreSQL silently truncates longer names, which could then match another table. */
export const MAX_IDENTIFIER_BYTES = 63;

type InvalidParameter = { readonly parameter: string; readonly reason: string };

export function validatePostgisParameters(parameters: ConnectionParameters): InvalidParameter | undefined {
  if ((parameters['database'] ?? '') === '') {
    return { parameter: 'database', reason: 'it is required' };
  }
  return (
    validateHost(parameters['host']) ??
    findFirstInvalid(['database', 'schema', 'user'], (name) => validateName(parameters[name])) ??
    findFirstInvalid(Object.keys(numbers), (name) => validateNumber(name, parameters[name])) ??
    findFirstInvalid(booleans, (name) => validateBoolean(parameters[name])) ??
    findFirstInvalid(['SSL mode'], (name) => validateSslMode(parameters[name]))
  );
}

/** Expects valid parameters. */
export function readPostgisSettings(parameters: ConnectionParameters): PostgisSettings {
  const readNumber = (name: keyof typeof numbers): number =>
    Number(trimToUndefined(parameters[name]) ?? numbers[name].usual);
  const readBoolean = (name: (typeof booleans)[number]): boolean => parameters[name]?.trim().toLowerCase() === 'true';
  return {
    host: trimToUndefined(parameters['host'])?.replace(/^\[|\]$/g, '') ?? 'localhost',
    port: readNumber('port'),
    database: parameters['database'] ?? '',
    schema: trimToUndefined(parameters['schema']) ?? 'public',
    user: parameters['user'] ?? '',
    password: parameters['passwd'] ?? '',
    maxConnections: readNumber('max connections'),
    connectTimeoutMs: readNumber('Connection timeout') * 1000,
    idleTimeoutMs: readNumber('Max connection idle time') * 1000,
    sslMode: parseSslMode(parameters['SSL mode']) ?? 'DISABLE',
    exposesPrimaryKeys: readBoolean('Expose primary keys'),
    estimatesBounds: readBoolean('Estimated extends'),
  };
}

function findFirstInvalid(
  names: readonly string[],
  objection: (name: string) => string | undefined,
): InvalidParameter | undefined {
  for (const parameter of names) {
    const reason = objection(parameter);
    if (reason !== undefined) return { parameter, reason };
  }
  return undefined;
}

/** An empty form field counts as missing. */
function trimToUndefined(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** A path would connect to a local socket, and `?`, `&`, `@` are syntax of connection strings. */
function validateHost(value: string | undefined): InvalidParameter | undefined {
  const host = trimToUndefined(value);
  if (host === undefined || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  if (host.length <= 253 && /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i.test(host)) return undefined;
  return { parameter: 'host', reason: 'it must be a host name or an IP address' };
}

function validateName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!name.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(name)) return 'it contains a control character';
  if (/[=?&;/\\]|:\/\//.test(name)) return 'it must not contain any of = ? & ; / \\';
  return Buffer.byteLength(name) > MAX_IDENTIFIER_BYTES ? `it is longer than ${MAX_IDENTIFIER_BYTES} bytes` : undefined;
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
