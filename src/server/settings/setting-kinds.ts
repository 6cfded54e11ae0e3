/** The kinds of setting values: parsers, placeholders and descriptions of the expected form. */
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { CorsOrigins } from '../../http/auth/cors.ts';
import { parseTrustedProxies, type TrustedProxies } from '../../http/request/request-head.ts';
import { formatChoices } from '../../lib/text/wording.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { parseServerKey } from '../../security/keystore/server-key.ts';
import { type PostgresLocation, parsePostgresLocation } from '../../storage/postgres/connection/location.ts';
import { type BackupSchedule, parseBackupSchedule } from './backup-schedule.ts';
import { type BlobsLocation, parseBlobsLocation } from './blobs-location.ts';
import { parseTilesLocation, type TilesLocation } from './tiles-location.ts';

export interface SettingKind<V> {
  /** The placeholder of the value in --help. */
  readonly placeholder: string;
  readonly expected: string;
  /** Returns undefined for an invalid value. */
  readonly parse: (text: string) => V | undefined;
}

export const text: SettingKind<string> = {
  placeholder: 'TEXT',
  expected: 'non-empty text',
  parse: (value) => value || undefined,
};

/** Shorter passwords are too easy to guess. */
export const MIN_PASSWORD_CHARACTERS = 8;

export const password: SettingKind<string> = {
  placeholder: 'TEXT',
  expected: `a password of at least ${MIN_PASSWORD_CHARACTERS} characters`,
  parse: (value) => ([...value].length >= MIN_PASSWORD_CHARACTERS ? value : undefined),
};

export const directory: SettingKind<string> = {
  placeholder: 'DIR',
  expected: 'a directory',
  parse: (value) => (value === '' || value.includes('\0') ? undefined : resolve(value)),
};

export const file: SettingKind<string> = { ...directory, placeholder: 'FILE', expected: 'a file' };

export const blobsLocation: SettingKind<BlobsLocation> = {
  placeholder: 'DIR|URL',
  expected:
    'a directory, or an address such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1 without credentials',
  parse: parseBlobsLocation,
};

export const tilesLocation: SettingKind<TilesLocation> = {
  placeholder: 'URL',
  expected:
    'an address such as file:/srv/tiles or s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1 without credentials',
  parse: parseTilesLocation,
};

export const serverKey: SettingKind<KeyObject> = {
  placeholder: 'KEY',
  expected: 'a key of 32 bytes in base64',
  parse: parseServerKey,
};

export const serverKeys: SettingKind<readonly KeyObject[]> = {
  placeholder: 'KEYS',
  expected: 'keys of 32 bytes in base64, separated by commas or blanks',
  parse: (value) => {
    const keys = value.split(/[\s,]+/).flatMap((each) => (each === '' ? [] : [parseServerKey(each)]));
    return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
  },
};

export const postgresUrl: SettingKind<PostgresLocation> = {
  placeholder: 'URL',
  expected: 'an address such as postgres://user@host/database, optionally with ?schema=name (default graticule)',
  parse: parsePostgresLocation,
};

export function createIntegerKind(min: number, max: number): SettingKind<number> {
  return {
    placeholder: 'N',
    expected: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** An idle server uses about 150 MB. */
export const MIN_MEMORY_BYTES = 256 * 1_048_576;

export const memory: SettingKind<number> = {
  placeholder: 'SIZE',
  expected: 'at least 256MB, for example 512MB or 2GB',
  parse: (value) => {
    const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?) ?(M|G)(?:i?B)?$/i.exec(value) ?? [];
    const bytes = Math.floor(Number(number) * (unit.toUpperCase() === 'G' ? 1_073_741_824 : 1_048_576));
    return bytes >= MIN_MEMORY_BYTES ? bytes : undefined;
  },
};

export function createChoiceKind<V extends string>(...values: readonly V[]): SettingKind<V> {
  return {
    placeholder: values.join('|'),
    expected: formatChoices(values),
    parse: (value) => values.find((each) => each === value),
  };
}

export const contextPath: SettingKind<string> = {
  placeholder: 'PATH',
  expected: 'a path such as /geoserver, or / for no path',
  parse: (value) => {
    const trimmed = value.replace(/\/+$/, '');
    // Clients resolve dot segments before they send a request, so such a path would be unreachable.
    return trimmed === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(trimmed) ? trimmed : undefined;
  },
};

export const publicUrl: SettingKind<string> = {
  placeholder: 'URL',
  expected: 'an http or https URL without a query',
  parse: (value) => {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return undefined;
    }
    const normal = `${url.origin}${url.pathname}`;
    return url.href === normal ? normal.replace(/\/+$/, '') : undefined;
  },
};

/** Host names and addresses as written in connection parameters, without ports. */
export const hosts: SettingKind<readonly string[]> = {
  placeholder: 'HOSTS',
  expected: 'host names or addresses separated by commas',
  parse: (value) => {
    const names = value.split(',').map((each) => each.trim().toLowerCase());
    return names.every((name) => isIP(name) !== 0 || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) ? names : undefined;
  },
};

/** Origins (scheme, host and port), as browsers send them. */
export const origins: SettingKind<CorsOrigins> = {
  placeholder: 'ORIGINS',
  expected: 'origins such as https://maps.example.org separated by commas, or * for all, or none',
  parse: (value) => {
    const named = value.split(',').map((each) => each.trim());
    if (value === '*' || value === 'none') {
      return value === '*' ? value : [];
    }
    return named.every((each) => /^https?:/.test(each) && URL.parse(each)?.origin === each) ? named : undefined;
  },
};

export const backupSchedule: SettingKind<BackupSchedule> = {
  placeholder: 'HH:MM|Nh',
  expected: 'a time of day in UTC such as 02:30, or a number of hours from 1h to 720h',
  parse: parseBackupSchedule,
};

/** Has no value on the command line; true or false in the environment. */
export const booleanFlag: SettingKind<boolean> = { placeholder: '', expected: 'true or false', parse: parseFlag };

export const proxies: SettingKind<TrustedProxies> = {
  placeholder: 'LIST',
  expected: 'addresses or networks separated by commas, or loopback',
  parse: (value) => parseTrustedProxies(value.split(',').map((each) => each.trim())),
};
