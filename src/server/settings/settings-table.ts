/** All settings with their kinds, defaults and help texts. */
import type { KeyObject } from 'node:crypto';
import type { DialectName } from '../../interface/common/dialects.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import type { BackupSchedule } from './backup-schedule.ts';
import type { BlobsLocation } from './blobs-location.ts';
import {
  backupSchedule,
  blobsLocation,
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
  serverKeys,
  text,
  tilesLocation,
} from './setting-kinds.ts';
import type { TilesLocation } from './tiles-location.ts';

export interface Setting<V> {
  readonly kind: SettingKind<V>;
  /** The default as an operator would write it. */
  readonly default: string | undefined;
  readonly help: string;
  /** Can be repeated; in the environment variable, colons separate the values. */
  readonly many?: true;
  /** Not allowed on the command line, where every user of the machine could read it. */
  readonly environmentOnly?: true;
  /** A password or key: messages do not repeat it, and a file can contain it, which the setting `…File` names. */
  readonly isSecret?: true;
}

function createSetting<V>(kind: SettingKind<V>, defaultText: string, help: string): Setting<V> {
  return { kind, default: defaultText, help };
}

function createOptionalSetting<V>(kind: SettingKind<V>, help: string): Setting<V | undefined> {
  return { kind, default: undefined, help };
}

type SecretSettings<N extends string, V> = { readonly [K in N]: Setting<V | undefined> } & {
  readonly [K in `${N}File`]: Setting<string | undefined>;
};

/** A secret and the setting of the file that contains it. Every secret must be declared with this function. */
function createSecretSettings<N extends string, V>(
  name: N,
  kind: SettingKind<V>,
  { help, fileHelp, environmentOnly }: SecretHelp,
): SecretSettings<N, V> {
  return {
    [`${name}File`]: createOptionalSetting(file, fileHelp),
    [name]: { kind, default: undefined, isSecret: true, ...(environmentOnly && { environmentOnly }), help },
  } as SecretSettings<N, V>;
}

interface SecretHelp extends Pick<Setting<unknown>, 'help' | 'environmentOnly'> {
  readonly fileHelp: string;
}

export const settingsTable = {
  host: createSetting(text, '127.0.0.1', 'Address to listen on.'),
  port: createSetting(createIntegerKind(0, 65_535), '8080', 'Port to listen on; 0 selects a free port.'),
  dataDir: createSetting(directory, './graticule-data', 'Directory of the catalog and the uploaded files.'),
  ...createSecretSettings<'storage', PostgresLocation>('storage', postgresUrl, {
    help: 'PostgreSQL database for the catalog and the uploaded files of several nodes, instead of the data directory.',
    fileHelp: 'File with the address of the PostgreSQL database, which can contain a password.',
  }),
  blobs: createOptionalSetting<BlobsLocation>(
    blobsLocation,
    'With --storage: directory, mounted by all nodes, or S3-compatible object store for uploaded files.',
  ),
  ...createSecretSettings<'awsAccessKeyId', string>('awsAccessKeyId', text, {
    help: 'Access key of the object store.',
    fileHelp: 'File with the access key of the object store.',
    environmentOnly: true,
  }),
  ...createSecretSettings<'awsSecretAccessKey', string>('awsSecretAccessKey', text, {
    help: 'Secret key of the object store.',
    fileHelp: 'File with the secret key of the object store.',
    environmentOnly: true,
  }),
  ...createSecretSettings<'awsSessionToken', string>('awsSessionToken', text, {
    help: 'Session token of temporary credentials of the object store.',
    fileHelp: 'File with the session token of temporary credentials of the object store.',
    environmentOnly: true,
  }),
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
  rateLimit: createSetting(
    createIntegerKind(0, 1_000_000),
    '0',
    'Requests per minute that one client address can send to this server; 0 for no limit.',
  ),
  concurrentLimit: createSetting(
    createIntegerKind(0, 100_000),
    '0',
    'Requests that one client address can have in progress on this server; 0 for no limit.',
  ),
  limitExempt: createOptionalSetting(proxies, 'Client addresses without --rate-limit and --concurrent-limit.'),
  ...createSecretSettings<'adminPassword', string>('adminPassword', password, {
    help: 'Initial password of the built-in admin. Later starts do not change the password.',
    fileHelp: 'File with the initial password of the built-in admin. Later starts do not change the password.',
    environmentOnly: true,
  }),
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
  tokenMaxDays: createSetting(
    createIntegerKind(0, 36_500),
    '366',
    'Longest lifetime of API tokens in days; 0 also permits tokens without an end.',
  ),
  queryKeys: createSetting(
    createChoiceKind('on', 'off'),
    'on',
    'Whether map and feature services accept API tokens in the query parameter authkey. Each token must permit it.',
  ),
  ...createSecretSettings<'serverKey', KeyObject>('serverKey', serverKey, {
    help: 'The server key (32 bytes in base64).',
    fileHelp:
      'File with the server key (32 bytes in base64), which encrypts the keystore. By default a key is created in the data directory.',
    environmentOnly: true,
  }),
  ...createSecretSettings<'previousServerKeys', readonly KeyObject[]>('previousServerKeys', serverKeys, {
    help: 'Server keys that are accepted as well while the server key is rotated, separated by commas or blanks.',
    fileHelp: 'File with previous server keys, one on each line.',
    environmentOnly: true,
  }),
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
    'When backups are made: every day at a time in UTC (02:30), or at an interval in hours (6h). None are made by default.',
  ),
  backupDir: createSetting(
    directory,
    './graticule-backups',
    'Directory of scheduled backups. Several nodes mount the same one.',
  ),
  backupKeep: createSetting(createIntegerKind(1, 10_000), '7', 'Number of scheduled backups that are kept.'),
  ...createSecretSettings<'backupPassphrase', string>('backupPassphrase', text, {
    help: 'The passphrase that encrypts scheduled backups.',
    fileHelp: 'File with the passphrase that encrypts scheduled backups.',
    environmentOnly: true,
  }),
  memory: createOptionalSetting(
    memory,
    'Memory limit of the server. Default: three quarters of the memory of the machine or its cgroup.',
  ),
  workers: createOptionalSetting(
    createIntegerKind(1, 256),
    'Threads for each kind of work, such as drawing maps. The memory budget can permit fewer. Default: the number of processors, at least 2.',
  ),
  tileCacheMb: createSetting(
    createIntegerKind(0, 100_000_000),
    '1024',
    'Maximum size of the tile cache on disk, in megabytes; 0 disables it.',
  ),
  tiles: createOptionalSetting<TilesLocation>(
    tilesLocation,
    'Place of the cached tiles of all nodes: a directory that all mount (file:/…), or an S3-compatible object store.',
  ),
  tilesMb: createSetting(
    createIntegerKind(1, 100_000_000),
    '10240',
    'With --tiles: maximum size of the tiles of all nodes, in megabytes.',
  ),
  tilesDays: createSetting(
    createIntegerKind(0, 36_500),
    '90',
    'With --tiles: how many days the tiles of all nodes are kept; 0 keeps them until the maximum size is reached.',
  ),
  tileExportsMb: createSetting(
    createIntegerKind(0, 100_000_000),
    '10240',
    'Maximum size of the archives of all tile exports, in megabytes; 0 disables them.',
  ),
  noConsole: createSetting(booleanFlag, 'false', 'Do not serve the web console below /console/.'),
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
  auditLog: createOptionalSetting(
    file,
    'File of the audit log, with JSON lines about sign-ins, denied requests, previews and changes. Not written by default.',
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

export type SettingName = keyof typeof settingsTable;
export type SettingValue<N extends SettingName> = (typeof settingsTable)[N] extends Setting<infer V> ? V : never;
