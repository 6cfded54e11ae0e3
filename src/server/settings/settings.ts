/** Every setting once: its flag, its environment variable, its default and why it exists. */
import type { KeyObject } from 'node:crypto';
import { parseArgs } from 'node:util';
import { noProxies, type TrustedProxies } from '../../http/request/trusted-proxies.ts';
import type { DialectName } from '../../interface/common/dialects.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import {
  booleanFlag,
  contextPath,
  createChoiceKind,
  createIntegerKind,
  directory,
  file,
  hosts,
  memory,
  origins,
  password,
  postgresUrl,
  proxies,
  publicUrl,
  type SettingKind,
  serverKey,
  text,
} from './setting-kinds.ts';

/** A setting that cannot be used; its message is the one line the operator sees. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
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
  /** May hold a password: messages do not repeat it. */
  readonly isSecret?: true;
}

function createSetting<V>(kind: SettingKind<V>, defaultText: string, help: string): Setting<V> {
  return { kind, default: defaultText, help };
}

function createOptionalSetting<V>(kind: SettingKind<V>, help: string): Setting<V | undefined> {
  return { kind, default: undefined, help };
}

const table = {
  host: createSetting(text, '127.0.0.1', 'The address to listen on.'),
  port: createSetting(createIntegerKind(0, 65_535), '8080', 'The port to listen on; 0 takes a free one.'),
  dataDir: createSetting(directory, './graticule-data', 'Where the catalog and uploaded files are kept.'),
  storage: {
    kind: postgresUrl,
    default: undefined,
    isSecret: true,
    help: 'A PostgreSQL that keeps the catalog and uploaded files for several nodes, instead of the data directory.',
  } as Setting<PostgresLocation | undefined>,
  blobs: createOptionalSetting(
    directory,
    'With --storage: where uploaded files are kept instead, a directory that all nodes mount.',
  ),
  maxStoredUploadMb: createSetting(
    createIntegerKind(1, 100_000),
    '512',
    'With --storage and without --blobs: how many megabytes the files of an upload may have.',
  ),
  fileCacheMb: createSetting(
    createIntegerKind(1, 100_000_000),
    '10240',
    'With --storage: how many megabytes of shared files a node keeps on its own disk.',
  ),
  nodeName: createOptionalSetting(
    text,
    'What this server is called in logs, metrics and /about/nodes; the name of the machine with the port unless said.',
  ),
  contextPath: createSetting(contextPath, '/geoserver', 'The path before /rest.'),
  publicUrl: createOptionalSetting(
    publicUrl,
    'The address clients know the server by, for links; the context path is added.',
  ),
  compat: createOptionalSetting(
    createChoiceKind<DialectName>('geoserver'),
    'Follow the reference server where it differs from our interface.',
  ),
  externalRoot: {
    kind: directory,
    default: undefined,
    many: true,
    help: 'Narrows what `external` uploads may name to this directory; may be given several times.',
  } as Setting<string | undefined>,
  allowPrivateAddresses: createSetting(
    booleanFlag,
    'false',
    'Let URL checks open every address, also link-local and cloud metadata ones, and broad checks private ones.',
  ),
  databaseHosts: createOptionalSetting(
    hosts,
    'Hosts whose databases administrators of a workspace may use; full administrators may use any.',
  ),
  trustProxy: createOptionalSetting(proxies, 'Neighbours whose Forwarded and X-Forwarded-* headers are believed.'),
  adminPasswordFile: createOptionalSetting(
    file,
    'A file with the first password of the built-in admin. Later starts keep the password that the admin has.',
  ),
  adminPassword: {
    kind: password,
    default: undefined,
    environmentOnly: true,
    help: 'The first password of the built-in admin. Later starts keep the password that the admin has.',
  } as Setting<string | undefined>,
  resetAdminPassword: createSetting(
    booleanFlag,
    'false',
    'Replace the password of the built-in admin at this start: by the given one, or by a generated one, which is printed.',
  ),
  closed: createSetting(
    booleanFlag,
    'false',
    'On the first start: let only administrators read layers, by the rule *.*.r. Without it everybody can read them.',
  ),
  builtinAdmin: createSetting(
    createChoiceKind('on', 'off'),
    'on',
    'Whether the built-in admin may log in, whatever the providers say.',
  ),
  ldapCaFile: createOptionalSetting(
    file,
    'Certificates (PEM) of authorities to trust in TLS with directories, beside the usual.',
  ),
  ldapTimeoutMs: createSetting(createIntegerKind(100, 60_000), '5000', 'How long a login may wait for a directory.'),
  ldapMemoryMs: createSetting(
    createIntegerKind(0, 60_000),
    '5000',
    'How long the word of a directory is believed before it is asked again; 0 asks at every request.',
  ),
  serverKeyFile: createOptionalSetting(
    file,
    'A file that holds the server key, 32 bytes in base64, which opens the keystore; else one is made in the data directory.',
  ),
  serverKey: {
    kind: serverKey,
    default: undefined,
    environmentOnly: true,
    help: 'The server key itself.',
  } as Setting<KeyObject | undefined>,
  lostKeystore: createSetting(
    createChoiceKind('refuse', 'replace'),
    'refuse',
    'What to do at the start when the keystore is lost; a new one cannot open the secrets stored with the old.',
  ),
  historyDays: createSetting(
    createIntegerKind(0, 36_500),
    '365',
    'How many days the log of changes is kept; 0 keeps all of it.',
  ),
  undoFilesHours: createSetting(
    createIntegerKind(0, 876_000),
    '24',
    'How many hours replaced and deleted files are kept, so that changes of them can be taken back.',
  ),
  memory: createOptionalSetting(
    memory,
    'How much memory the server may take; without it, three quarters of what the machine or its cgroup has.',
  ),
  tileCacheMb: createSetting(
    createIntegerKind(0, 100_000_000),
    '1024',
    'How many megabytes of tiles are kept on the disk at most; 0 keeps none.',
  ),
  corsOrigins: createSetting(
    origins,
    '*',
    'The sites whose pages may read what map and feature services give to anybody; * for all, none for no other.',
  ),
  openMetrics: createSetting(booleanFlag, 'false', 'Let anyone read /metrics, not only administrators.'),
  logLevel: createSetting(createChoiceKind('error', 'warn', 'info', 'debug'), 'info', 'How much to log.'),
  logFormat: createSetting(
    createChoiceKind('auto', 'json', 'text'),
    'auto',
    'Log lines for programs or people; auto asks whether it is a terminal.',
  ),
  maxDocumentBytes: createSetting(
    createIntegerKind(1_024, 1_073_741_824),
    '10485760',
    'The largest XML or JSON document taken.',
  ),
  requestTimeoutMs: createSetting(
    createIntegerKind(1_000, 86_400_000),
    '300000',
    'How long a client may take to send a request.',
  ),
  storeTimeoutMs: createSetting(
    createIntegerKind(100, 3_600_000),
    '30000',
    'How long the data of a store may take to be opened, listed or described.',
  ),
  drainTimeoutMs: createSetting(
    createIntegerKind(0, 3_600_000),
    '10000',
    'How long requests under way may take after SIGTERM.',
  ),
} as const;

type Table = typeof table;
type SettingName = keyof Table;
type Value<N extends SettingName> = Table[N] extends Setting<infer V> ? V : never;

export type Settings = { readonly [N in Exclude<SettingName, 'externalRoot' | 'trustProxy'>]: Value<N> } & {
  readonly externalRoots: readonly string[];
  readonly trustedProxies: TrustedProxies;
};

export type Command = { readonly kind: 'run'; readonly settings: Settings } | { readonly kind: 'help' | 'version' };

export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  checkNpmFlags(environment);
  const flags = readFlags(args);
  if (flags['help'] !== undefined || flags['version'] !== undefined) {
    return { kind: flags['help'] !== undefined ? 'help' : 'version' };
  }
  const readValue = <N extends SettingName>(name: N): Value<N> => readValues(name, flags, environment)[0] as Value<N>;
  return {
    kind: 'run',
    settings: {
      host: readValue('host'),
      port: readValue('port'),
      dataDir: readValue('dataDir'),
      storage: readValue('storage'),
      blobs: readValue('blobs'),
      maxStoredUploadMb: readValue('maxStoredUploadMb'),
      fileCacheMb: readValue('fileCacheMb'),
      nodeName: readValue('nodeName'),
      contextPath: readValue('contextPath'),
      publicUrl: readValue('publicUrl'),
      compat: readValue('compat'),
      externalRoots: readValues('externalRoot', flags, environment).filter((each) => each !== undefined),
      allowPrivateAddresses: readValue('allowPrivateAddresses'),
      databaseHosts: readValue('databaseHosts'),
      trustedProxies: readValue('trustProxy') ?? noProxies,
      adminPasswordFile: readValue('adminPasswordFile'),
      adminPassword: readValue('adminPassword'),
      resetAdminPassword: readValue('resetAdminPassword'),
      closed: readValue('closed'),
      builtinAdmin: readValue('builtinAdmin'),
      ldapCaFile: readValue('ldapCaFile'),
      ldapTimeoutMs: readValue('ldapTimeoutMs'),
      ldapMemoryMs: readValue('ldapMemoryMs'),
      serverKeyFile: readValue('serverKeyFile'),
      serverKey: readValue('serverKey'),
      lostKeystore: readValue('lostKeystore'),
      historyDays: readValue('historyDays'),
      undoFilesHours: readValue('undoFilesHours'),
      memory: readValue('memory'),
      tileCacheMb: readValue('tileCacheMb'),
      corsOrigins: readValue('corsOrigins'),
      openMetrics: readValue('openMetrics'),
      logLevel: readValue('logLevel'),
      logFormat: readValue('logFormat'),
      maxDocumentBytes: readValue('maxDocumentBytes'),
      requestTimeoutMs: readValue('requestTimeoutMs'),
      storeTimeoutMs: readValue('storeTimeoutMs'),
      drainTimeoutMs: readValue('drainTimeoutMs'),
    },
  };
}

const names = Object.keys(table) as readonly SettingName[];

function toFlagName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toEnvironmentName(name: SettingName): string {
  return `GRATICULE_${toFlagName(name).replaceAll('-', '_').toUpperCase()}`;
}

type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function readFlags(args: readonly string[]): Flags {
  const onCommandLine = names.filter((name) => !(getSetting(name).environmentOnly ?? false));
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        version: { type: 'boolean' },
        ...Object.fromEntries(
          onCommandLine.map((name) => [
            toFlagName(name),
            { type: getSetting(name).kind === booleanFlag ? 'boolean' : 'string', multiple: true },
          ]),
        ),
      },
      strict: true,
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(/\.\s/)[0] : String(error);
    throw new SettingError(`${reason}; --help lists the settings.`);
  }
}

/** npm takes the flags of `npm start --port 1` for its own, and hands them over as variables that nobody reads. */
function checkNpmFlags(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment['npm_lifecycle_event'] !== 'start') {
    return;
  }
  const taken = names.find((name) => environment[`npm_config_${toFlagName(name).replaceAll('-', '_')}`] !== undefined);
  if (taken !== undefined) {
    const flag = `--${toFlagName(taken)}`;
    throw new SettingError(
      `npm took ${flag} for a setting of its own; write two dashes before it: npm start -- ${flag} …`,
    );
  }
}

function getSetting(name: SettingName): Setting<unknown> {
  return table[name];
}

/** The values of a setting: the flag's, else the environment's, else the default. */
function readValues<N extends SettingName>(
  name: N,
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): readonly (Value<N> | undefined)[] {
  const { kind, many, default: fallback } = getSetting(name);
  const fromFlag = flags[toFlagName(name)];
  const fromEnvironment = environment[toEnvironmentName(name)];
  const [source, given] =
    fromFlag !== undefined
      ? [`--${toFlagName(name)}`, [fromFlag].flat().map(String)]
      : fromEnvironment !== undefined
        ? [toEnvironmentName(name), many ? fromEnvironment.split(':') : [fromEnvironment]]
        : ['default', fallback === undefined ? [] : [fallback]];
  if (given.length > 1 && !many) {
    throw new SettingError(`${source} is given ${given.length} times; one value was expected.`);
  }
  return given.map((each) => {
    const value = kind.parse(each);
    if (value === undefined) {
      // Settings that only the environment can set are secrets; the message must not contain their values.
      const found =
        getSetting(name).environmentOnly || getSetting(name).isSecret
          ? 'is invalid:'
          : `has the value '${each.replace(/\p{Cc}/gu, '\ufffd')}', but`;
      throw new SettingError(`${source} ${found} ${kind.expected} was expected.`);
    }
    return value as Value<N>;
  });
}

export function formatHelpText(): string {
  const lines = names.map((name) => {
    const { kind, default: fallback, help, environmentOnly } = getSetting(name);
    const flag = environmentOnly ? '' : `--${toFlagName(name)} ${kind.placeholder}`;
    const ends = fallback === undefined ? '' : ` [${fallback}]`;
    return `  ${flag.padEnd(38)} ${toEnvironmentName(name)}\n      ${help}${ends}`;
  });
  return `graticule: a geospatial server configured over REST

Usage: npm start -- [settings]

Each setting is a flag or an environment variable; the flag wins.

${lines.join('\n')}
  --help                                 This text.
  --version                              The version.
`;
}
