/** Every setting once: its flag, its environment variable, its default and why it exists. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { DialectName } from './dialects.ts';
import { noProxies, parseTrustedProxies, type TrustedProxies } from './http/trusted-proxies.ts';

/** A setting that cannot be used; its message is the one line the operator sees. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

interface SettingKind<V> {
  /** How the value is shown in --help. */
  readonly placeholder: string;
  readonly expected: string;
  /** Undefined for a value that is none. */
  readonly parse: (text: string) => V | undefined;
}

interface Setting<V> {
  readonly kind: SettingKind<V>;
  /** As text, in the way an operator would write it. */
  readonly default: string | undefined;
  readonly help: string;
  /** May be given several times; the environment variable separates values with a colon. */
  readonly many?: true;
  /** Not on the command line, where every user of the machine could read it. */
  readonly environmentOnly?: true;
}

const text: SettingKind<string> = { placeholder: 'TEXT', expected: 'some text', parse: (value) => value || undefined };

const directory: SettingKind<string> = {
  placeholder: 'DIR',
  expected: 'a directory',
  parse: (value) => (value === '' || value.includes('\0') ? undefined : resolve(value)),
};

const file: SettingKind<string> = { ...directory, placeholder: 'FILE', expected: 'a file' };

function integer(min: number, max: number): SettingKind<number> {
  return {
    placeholder: 'N',
    expected: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

function oneOf<V extends string>(...values: readonly V[]): SettingKind<V> {
  return {
    placeholder: values.join('|'),
    expected: `one of ${values.join(', ')}`,
    parse: (value) => values.find((each) => each === value),
  };
}

const contextPath: SettingKind<string> = {
  placeholder: 'PATH',
  expected: 'a path such as /geoserver, or / for none',
  parse: (value) => {
    const trimmed = value.replace(/\/+$/, '');
    return trimmed === '' || /^(?:\/[\w.~-]+)+$/.test(trimmed) ? trimmed : undefined;
  },
};

const publicUrl: SettingKind<string> = {
  placeholder: 'URL',
  expected: 'an http or https URL without query',
  parse: (value) => {
    const url = URL.parse(value);
    const usable =
      url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
    return usable ? value.replace(/\/+$/, '') : undefined;
  },
};

const proxies: SettingKind<TrustedProxies> = {
  placeholder: 'LIST',
  expected: 'addresses or networks separated by commas, or loopback',
  parse: (value) => parseTrustedProxies(value.split(',').map((each) => each.trim())),
};

function setting<V>(kind: SettingKind<V>, defaultText: string, help: string): Setting<V> {
  return { kind, default: defaultText, help };
}

function optional<V>(kind: SettingKind<V>, help: string): Setting<V | undefined> {
  return { kind, default: undefined, help };
}

const table = {
  host: setting(text, '127.0.0.1', 'The address to listen on.'),
  port: setting(integer(0, 65_535), '8080', 'The port to listen on; 0 takes a free one.'),
  dataDir: setting(directory, './graticule-data', 'Where the catalog and uploaded files are kept.'),
  contextPath: setting(contextPath, '/geoserver', 'The path before /rest.'),
  publicUrl: optional(publicUrl, 'The address clients know the server by, for links; the context path is added.'),
  compat: optional(oneOf<DialectName>('geoserver'), 'Follow the reference server where it differs from our interface.'),
  externalRoot: {
    kind: directory,
    default: undefined,
    many: true,
    help: 'Narrows what `external` uploads may name to this directory; may be given several times.',
  } as Setting<string | undefined>,
  trustProxy: optional(proxies, 'Neighbours whose Forwarded and X-Forwarded-* headers are believed.'),
  adminPasswordFile: optional(file, 'A file that holds the password of the built-in admin.'),
  adminPassword: {
    kind: text,
    default: undefined,
    environmentOnly: true,
    help: 'The password of the built-in admin.',
  } as Setting<string | undefined>,
  logLevel: setting(oneOf('error', 'warn', 'info', 'debug'), 'info', 'How much to log.'),
  logFormat: setting(
    oneOf('auto', 'json', 'text'),
    'auto',
    'Log lines for programs or people; auto asks whether it is a terminal.',
  ),
  maxDocumentBytes: setting(integer(1_024, 1_073_741_824), '10485760', 'The largest XML or JSON document taken.'),
  requestTimeoutMs: setting(integer(1_000, 86_400_000), '300000', 'How long a client may take to send a request.'),
  drainTimeoutMs: setting(integer(0, 3_600_000), '10000', 'How long requests under way may take after SIGTERM.'),
} as const;

type Table = typeof table;
type SettingName = keyof Table;
type Value<N extends SettingName> = Table[N] extends Setting<infer V> ? V : never;

export type Settings = { readonly [N in Exclude<SettingName, 'externalRoot' | 'trustProxy'>]: Value<N> } & {
  readonly externalRoots: readonly string[];
  readonly trustedProxies: TrustedProxies;
};

/** Limits that are not the operator's business, with the reason for each number. */
export const limits = {
  /** Configuration documents are nested a dozen levels; SLD filters a few more. */
  maxDepth: 100,
  /** A style of 10 MB has about as many elements; more is an attack. */
  maxNodes: 500_000,
  login: {
    windowMs: 60_000,
    perAccountAndAddress: 10,
    perAddress: 100,
    perAccount: 200,
    accountDelayMs: 1_000,
  },
} as const;

export type Command = { readonly kind: 'run'; readonly settings: Settings } | { readonly kind: 'help' | 'version' };

export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const flags = readFlags(args);
  if (flags['help'] !== undefined || flags['version'] !== undefined) {
    return { kind: flags['help'] !== undefined ? 'help' : 'version' };
  }
  const value = <N extends SettingName>(name: N): Value<N> => valuesOf(name, flags, environment)[0] as Value<N>;
  return {
    kind: 'run',
    settings: {
      host: value('host'),
      port: value('port'),
      dataDir: value('dataDir'),
      contextPath: value('contextPath'),
      publicUrl: value('publicUrl'),
      compat: value('compat'),
      externalRoots: valuesOf('externalRoot', flags, environment).filter((each) => each !== undefined),
      trustedProxies: value('trustProxy') ?? noProxies,
      adminPasswordFile: value('adminPasswordFile'),
      adminPassword: value('adminPassword'),
      logLevel: value('logLevel'),
      logFormat: value('logFormat'),
      maxDocumentBytes: value('maxDocumentBytes'),
      requestTimeoutMs: value('requestTimeoutMs'),
      drainTimeoutMs: value('drainTimeoutMs'),
    },
  };
}

const names = Object.keys(table) as readonly SettingName[];

function flagName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function environmentName(name: SettingName): string {
  return `GRATICULE_${flagName(name).replaceAll('-', '_').toUpperCase()}`;
}

type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function readFlags(args: readonly string[]): Flags {
  const onCommandLine = names.filter((name) => !(settingOf(name).environmentOnly ?? false));
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        version: { type: 'boolean' },
        ...Object.fromEntries(onCommandLine.map((name) => [flagName(name), { type: 'string', multiple: true }])),
      },
      strict: true,
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new SettingError(`${reason}; --help lists the settings.`);
  }
}

function settingOf(name: SettingName): Setting<unknown> {
  return table[name];
}

/** The values of a setting: the flag's, else the environment's, else the default. */
function valuesOf<N extends SettingName>(
  name: N,
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): readonly (Value<N> | undefined)[] {
  const { kind, many, default: fallback } = settingOf(name);
  const fromFlag = flags[flagName(name)];
  const fromEnvironment = environment[environmentName(name)];
  const [source, given] =
    fromFlag !== undefined
      ? [`--${flagName(name)}`, [fromFlag].flat().map(String)]
      : fromEnvironment !== undefined
        ? [environmentName(name), many ? fromEnvironment.split(':') : [fromEnvironment]]
        : ['default', fallback === undefined ? [] : [fallback]];
  if (given.length > 1 && !many) {
    throw new SettingError(`${source} is given ${given.length} times; one value was expected.`);
  }
  return given.map((each) => {
    const value = kind.parse(each);
    if (value === undefined) {
      const shown = settingOf(name).environmentOnly ? '' : ` '${each}'`;
      throw new SettingError(`${source} has the value${shown}, but ${kind.expected} was expected.`);
    }
    return value as Value<N>;
  });
}

export function helpText(): string {
  const lines = names.map((name) => {
    const { kind, default: fallback, help, environmentOnly } = settingOf(name);
    const flag = environmentOnly ? '' : `--${flagName(name)} ${kind.placeholder}`;
    const ends = fallback === undefined ? '' : ` [${fallback}]`;
    return `  ${flag.padEnd(38)} ${environmentName(name)}\n      ${help}${ends}`;
  });
  return `graticule: a geospatial server configured over REST

Usage: npm start -- [settings]

Each setting is a flag or an environment variable; the flag wins.

${lines.join('\n')}
  --help                                 This text.
  --version                              The version.
`;
}
