/** All settings with flag, environment variable, default and help text. */
import type { KeyObject } from 'node:crypto';
import { parseArgs } from 'node:util';
import { noProxies, type TrustedProxies } from '../../http/request/request-head.ts';
import type { DialectName } from '../../interface/common/dialects.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import type { BackupSchedule } from './backup-schedule.ts';
import {
  backupSchedule,
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

/** An invalid setting. The message is the single line that the operator sees. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

interface Setting<V> {
  readonly kind: SettingKind<V>;
  /** The default as an operator would write it. */
  readonly default: string | undefined;
  readonly help: string;
  /** Can be repeated; in the environment variable, colons separate the values. */
  readonly many?: true;
  /** Not allowed on the command line, where every user of the machine could read it. */
  readonly environmentOnly?: true;
  /** Can contain a password, so messages do not repeat it. */
  readonly isSecret?: true;
}

function createSetting<V>(kind: SettingKind<V>, defaultText: string, help: string): Setting<V> {
  return { kind, default: defaultText, help };
}

function createOptionalSetting<V>(kind: SettingKind<V>, help: string): Setting<V | undefined> {
  return { kind, default: undefined, help };
}

const table = {
  host: createSetting(text, '127.0.0.1', 'Address to listen on.'),
  port: createSetting(createIntegerKind(0, 65_535), '8080', 'Port to listen on; 0 selects a free port.'),
  dataDir: createSetting(directory, './graticule-data', 'Directory of the catalog and the uploaded files.'),
  storage: {
    kind: postgresUrl,
    default: undefined,
    isSecret: true,
    help: 'PostgreSQL database for the catalog and the uploaded files of several nodes, instead of the data directory.',
  } as Setting<PostgresLocation | undefined>,
  blobs: createOptionalSetting(directory, 'With --storage: directory, mounted by all nodes, for uploaded files.'),
  maxStoredUploadMb: createSetting(
    createIntegerKind(1, 100_000),
    '512',
    'With --storage and without --blobs: maximum size of the files of an upload, in megabytes.',
  ),
  fileCacheMb: createSetting(
    createIntegerKind(1, 100_000_000),
    '10240',
    'With --storage: maximum size of the local cache of shared files, in megabytes.',
  ),
  tlsCert: createOptionalSetting(
    file,
    'File with the certificate and its intermediate certificates (PEM). With --tls-key, the server accepts only HTTPS, with HTTP/2. Replaced files are loaded without a restart.',
  ),
  tlsKey: createOptionalSetting(file, 'File with the private key of the certificate (PEM).'),
  nodeName: createOptionalSetting(
    text,
    'Name of this server in logs, metrics and /about/nodes. Default: host name and port.',
  ),
  contextPath: createSetting(contextPath, '/geoserver', 'Path before /rest.'),
  publicUrl: createOptionalSetting(
    publicUrl,
    'Public address of the server, used in links; the context path is appended.',
  ),
  compat: createOptionalSetting(
    createChoiceKind<DialectName>('geoserver'),
    'Compatibility mode: match the reference server where the interfaces differ.',
  ),
  externalRoot: {
    kind: directory,
    default: undefined,
    many: true,
    help: 'Restricts `external` uploads to this directory; can be repeated.',
  } as Setting<string | undefined>,
  fonts: {
    kind: directory,
    default: undefined,
    many: true,
    help: 'Directory of fonts for maps, beside the directory fonts of the data directory; can be repeated.',
  } as Setting<string | undefined>,
  systemFonts: createSetting(booleanFlag, 'false', 'Use the fonts of this machine. Maps then depend on the machine.'),
  allowPrivateAddresses: createSetting(
    booleanFlag,
    'false',
    'Allow URL checks to open every address, including link-local and cloud metadata addresses, and broad checks to open private addresses.',
  ),
  databaseHosts: createOptionalSetting(
    hosts,
    'Database hosts that workspace administrators can use; full administrators can use any host.',
  ),
  trustProxy: createOptionalSetting(proxies, 'Proxies whose Forwarded and X-Forwarded-* headers are trusted.'),
  adminPasswordFile: createOptionalSetting(
    file,
    'File with the initial password of the built-in admin. Later starts do not change the password.',
  ),
  adminPassword: {
    kind: password,
    default: undefined,
    environmentOnly: true,
    help: 'Initial password of the built-in admin. Later starts do not change the password.',
  } as Setting<string | undefined>,
  resetAdminPassword: createSetting(
    booleanFlag,
    'false',
    'Reset the password of the built-in admin at this start, to the given password or to a generated one, which is printed.',
  ),
  closed: createSetting(
    booleanFlag,
    'false',
    'On the first start: create the rule *.*.r, which lets only administrators read layers. By default all users can read layers.',
  ),
  builtinAdmin: createSetting(
    createChoiceKind('on', 'off'),
    'on',
    'Whether the built-in admin can sign in, independently of the authentication providers.',
  ),
  ldapCaFile: createOptionalSetting(
    file,
    'Additional trusted certificate authorities (PEM) for TLS connections to LDAP directories.',
  ),
  ldapTimeoutMs: createSetting(
    createIntegerKind(100, 60_000),
    '5000',
    'Timeout of a sign-in at an LDAP directory, in milliseconds.',
  ),
  ldapMemoryMs: createSetting(
    createIntegerKind(0, 60_000),
    '5000',
    'How long results of an LDAP directory are cached, in milliseconds; 0 disables the cache.',
  ),
  serverKeyFile: createOptionalSetting(
    file,
    'File with the server key (32 bytes in base64), which encrypts the keystore. By default a key is created in the data directory.',
  ),
  serverKey: {
    kind: serverKey,
    default: undefined,
    environmentOnly: true,
    help: 'The server key (32 bytes in base64).',
  } as Setting<KeyObject | undefined>,
  lostKeystore: createSetting(
    createChoiceKind('refuse', 'replace'),
    'refuse',
    'Whether to refuse to start or to create a new keystore if the keystore is lost. A new keystore cannot decrypt existing secrets.',
  ),
  historyDays: createSetting(
    createIntegerKind(0, 36_500),
    '365',
    'How many days the change history is kept; 0 keeps it forever.',
  ),
  undoFilesHours: createSetting(
    createIntegerKind(0, 876_000),
    '24',
    'How many hours replaced and deleted files are kept for undo.',
  ),
  backupSchedule: createOptionalSetting<BackupSchedule>(
    backupSchedule,
    'When backups are made: every day at a time in UTC (02:30), or every some hours (6h). None are made by default.',
  ),
  backupDir: createSetting(
    directory,
    './graticule-backups',
    'Directory of scheduled backups. Several nodes mount the same one.',
  ),
  backupKeep: createSetting(createIntegerKind(1, 10_000), '7', 'Number of scheduled backups that are kept.'),
  backupPassphraseFile: createOptionalSetting(file, 'File with the passphrase that encrypts scheduled backups.'),
  backupPassphrase: {
    kind: text,
    default: undefined,
    environmentOnly: true,
    help: 'The passphrase that encrypts scheduled backups.',
  } as Setting<string | undefined>,
  memory: createOptionalSetting(
    memory,
    'Memory limit of the server. Default: three quarters of the memory of the machine or its cgroup.',
  ),
  tileCacheMb: createSetting(
    createIntegerKind(0, 100_000_000),
    '1024',
    'Maximum size of the tile cache on disk, in megabytes; 0 disables it.',
  ),
  corsOrigins: createSetting(
    origins,
    '*',
    'Origins whose pages can read public responses of map and feature services; * allows all, none allows none.',
  ),
  openMetrics: createSetting(booleanFlag, 'false', 'Allow unauthenticated access to /metrics.'),
  logLevel: createSetting(createChoiceKind('error', 'warn', 'info', 'debug'), 'info', 'Minimum level of log messages.'),
  logFormat: createSetting(
    createChoiceKind('auto', 'json', 'text'),
    'auto',
    'Log format; auto selects text for a terminal and json otherwise.',
  ),
  accessLog: createOptionalSetting(file, 'File of the access log, with one line per request. Not written by default.'),
  accessLogFormat: createSetting(
    createChoiceKind('combined', 'json'),
    'combined',
    'Format of the access log: the combined format of web servers, or JSON lines with the duration.',
  ),
  maxDocumentBytes: createSetting(
    createIntegerKind(1_024, 1_073_741_824),
    '10485760',
    'Maximum size of an XML or JSON document, in bytes.',
  ),
  requestTimeoutMs: createSetting(
    createIntegerKind(1_000, 86_400_000),
    '300000',
    'Timeout for receiving a request, in milliseconds.',
  ),
  storeTimeoutMs: createSetting(
    createIntegerKind(100, 3_600_000),
    '30000',
    'Timeout for opening, listing or describing the data of a store, in milliseconds.',
  ),
  drainTimeoutMs: createSetting(
    createIntegerKind(0, 3_600_000),
    '10000',
    'How long requests in progress can take after SIGTERM, in milliseconds.',
  ),
} as const;

type Table = typeof table;
type SettingName = keyof Table;
type Value<N extends SettingName> = Table[N] extends Setting<infer V> ? V : never;

export type Settings = { readonly [N in Exclude<SettingName, 'externalRoot' | 'fonts' | 'trustProxy'>]: Value<N> } & {
  readonly externalRoots: readonly string[];
  readonly fonts: readonly string[];
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
      tlsCert: readValue('tlsCert'),
      tlsKey: readValue('tlsKey'),
      nodeName: readValue('nodeName'),
      contextPath: readValue('contextPath'),
      publicUrl: readValue('publicUrl'),
      compat: readValue('compat'),
      externalRoots: readValues('externalRoot', flags, environment).filter((each) => each !== undefined),
      fonts: readValues('fonts', flags, environment).filter((each) => each !== undefined),
      systemFonts: readValue('systemFonts'),
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
      backupSchedule: readValue('backupSchedule'),
      backupDir: readValue('backupDir'),
      backupKeep: readValue('backupKeep'),
      backupPassphraseFile: readValue('backupPassphraseFile'),
      backupPassphrase: readValue('backupPassphrase'),
      memory: readValue('memory'),
      tileCacheMb: readValue('tileCacheMb'),
      corsOrigins: readValue('corsOrigins'),
      openMetrics: readValue('openMetrics'),
      logLevel: readValue('logLevel'),
      logFormat: readValue('logFormat'),
      accessLog: readValue('accessLog'),
      accessLogFormat: readValue('accessLogFormat'),
      maxDocumentBytes: readValue('maxDocumentBytes'),
      requestTimeoutMs: readValue('requestTimeoutMs'),
      storeTimeoutMs: readValue('storeTimeoutMs'),
      drainTimeoutMs: readValue('drainTimeoutMs'),
    },
  };
}

/** Rejects settings that are valid on their own, but not together. */
export function checkCombinations(settings: Settings): void {
  if (settings.storage !== undefined && settings.serverKeyFile === undefined && settings.serverKey === undefined) {
    throw new SettingError('--storage requires a server key that all nodes share. Set --server-key-file.');
  }
  if (settings.resetAdminPassword && settings.builtinAdmin === 'off') {
    throw new SettingError('--reset-admin-password requires the built-in admin. Remove --builtin-admin off.');
  }
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
    throw new SettingError(`${reason}. Run with --help for the list of settings.`);
  }
}

/**
 * npm consumes the flags of `npm start --port 1` and passes them on as npm_config_ variables. Detect and report this.
 */
function checkNpmFlags(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment['npm_lifecycle_event'] !== 'start') {
    return;
  }
  const taken = names.find((name) => environment[`npm_config_${toFlagName(name).replaceAll('-', '_')}`] !== undefined);
  if (taken !== undefined) {
    const flag = `--${toFlagName(taken)}`;
    throw new SettingError(
      `npm consumed ${flag} as its own option. Write two dashes before it: npm start -- ${flag} …`,
    );
  }
}

function getSetting(name: SettingName): Setting<unknown> {
  return table[name];
}

/** Returns the values of the flag, of the environment variable or the default, in this order of precedence. */
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
    throw new SettingError(`${source} is set ${given.length} times. Set it once.`);
  }
  return given.map((each) => {
    const value = kind.parse(each);
    if (value === undefined) {
      // Do not repeat secrets.
      const shown =
        getSetting(name).environmentOnly || getSetting(name).isSecret ? '' : ` '${each.replace(/\p{Cc}/gu, '\ufffd')}'`;
      throw new SettingError(`Invalid value${shown} for ${source}. Expected ${kind.expected}.`);
    }
    return value as Value<N>;
  });
}

export interface HelpOptions {
  /** What the user types before the settings. */
  readonly program: string;
  /** The summaries of the commands by name. */
  readonly commands: Readonly<Record<string, string>>;
}

export function formatHelpText({ program, commands }: HelpOptions): string {
  const commandLines = Object.entries(commands).map(([name, summary]) => `  ${name.padEnd(8)} ${summary}`);
  const lines = names.map((name) => {
    const { kind, default: fallback, help, environmentOnly } = getSetting(name);
    const flag = environmentOnly ? '' : `--${toFlagName(name)} ${kind.placeholder}`;
    const ends = fallback === undefined ? '' : ` [${fallback}]`;
    return `  ${flag.padEnd(38)} ${toEnvironmentName(name)}\n      ${help}${ends}`;
  });
  return `graticule: a geospatial server configured over REST

Usage: ${program} [serve] [settings]    starts a server
       ${program} COMMAND [options]     runs a command; COMMAND --help shows its options

Commands:
${commandLines.join('\n')}

Settings of a server:
Each setting is a flag or an environment variable. The flag takes precedence.

${lines.join('\n')}
  --help                                 Show this help.
  --version                              Show the version.
`;
}
