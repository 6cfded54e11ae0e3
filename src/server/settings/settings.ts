/** Reads the settings from flags and environment variables, and formats their help. */
import { relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { noProxies, type TrustedProxies } from '../../http/request/request-head.ts';
import { explainArgumentError } from '../../lib/text/argument-error.ts';
import { booleanFlag } from './setting-kinds.ts';
import { type Setting, type SettingName, type SettingValue, settingsTable } from './settings-table.ts';

/** An invalid setting. The message is the single line that the operator sees. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
type AllValues = { readonly [N in SettingName]: readonly (SettingValue<N> | undefined)[] };
type SingleValues = { readonly [N in Exclude<SettingName, 'externalRoot' | 'fonts' | 'trustProxy'>]: SettingValue<N> };

export type Settings = SingleValues & {
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
  const values = Object.fromEntries(names.map((name) => [name, readValues(name, flags, environment)])) as AllValues;
  const { externalRoot, fonts, trustProxy, ...others } = values;
  const single = Object.fromEntries(Object.entries(others).map(([name, [value]]) => [name, value])) as SingleValues;
  return {
    kind: 'run',
    settings: {
      ...single,
      externalRoots: externalRoot.filter((each) => each !== undefined),
      fonts: fonts.filter((each) => each !== undefined),
      trustedProxies: trustProxy[0] ?? noProxies,
    },
  };
}

/** Folders of the data directory that a backup contains: backups inside them would contain earlier backups. */
const savedFolders: readonly string[] = ['data', 'security', 'fonts', 'purges'];

/** Rejects settings that are valid on their own, but not together. The secrets must have been read from their files. */
export function checkCombinations(settings: Settings): void {
  if (settings.storage !== undefined && settings.serverKey === undefined) {
    throw new SettingError('--storage requires a server key that all nodes share. Set --server-key-file.');
  }
  checkObjectStore(settings);
  if (settings.resetAdminPassword && settings.builtinAdmin === 'off') {
    throw new SettingError('--reset-admin-password requires the built-in admin. Remove --builtin-admin off.');
  }
  const { backupSchedule, backupDir, dataDir } = settings;
  const [folder = ''] = relative(dataDir, backupDir).split(sep);
  if (backupSchedule !== undefined && savedFolders.includes(folder)) {
    throw new SettingError(
      `--backup-dir '${backupDir}' is inside the folder '${folder}' of --data-dir, which every backup contains. Use a directory outside the data directory.`,
    );
  }
}

function checkObjectStore({ storage, blobs, tiles, awsAccessKeyId, awsSecretAccessKey }: Settings): void {
  if (blobs?.kind === 'objects' && storage === undefined) {
    throw new SettingError(
      '--blobs with an object store requires a PostgreSQL database for the catalog. Set --storage.',
    );
  }
  const user = Object.entries({ blobs, tiles }).find(([, place]) => place?.kind === 'objects');
  if (user !== undefined && (awsAccessKeyId === undefined || awsSecretAccessKey === undefined)) {
    throw new SettingError(
      `--${user[0]} with an object store requires its credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE.`,
    );
  }
}

const names = Object.keys(settingsTable) as readonly SettingName[];

/** The settings that are passwords or keys. Each has a setting with the name of a file, `…File`. */
export const secretNames = names.filter((name): name is SecretName => getSetting(name).isSecret === true);

export type SecretName = {
  [N in SettingName]: `${N}File` extends SettingName ? N : never;
}[SettingName];

export function toFlagName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Credentials of object stores have the same names in all programs. */
function hasStandardName(name: SettingName): boolean {
  return name.startsWith('aws');
}

export function toEnvironmentName(name: SettingName): string {
  const words = toFlagName(name).replaceAll('-', '_').toUpperCase();
  return hasStandardName(name) ? words : `GRATICULE_${words}`;
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
    throw new SettingError(`${explainArgumentError(error)}. Run with --help for the list of settings.`);
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

export function getSetting(name: SettingName): Setting<unknown> {
  return settingsTable[name];
}

/** Returns the values of the flag, of the environment variable or the default, in this order of precedence. */
function readValues<N extends SettingName>(
  name: N,
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): readonly (SettingValue<N> | undefined)[] {
  const { kind, many, default: fallback } = getSetting(name);
  const fromFlag = flags[toFlagName(name)];
  const inEnvironment = environment[toEnvironmentName(name)];
  // Other programs accept these variables without a value.
  const fromEnvironment = inEnvironment === '' && hasStandardName(name) ? undefined : inEnvironment;
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
      // Do not repeat secrets, nor credentials in addresses.
      const withoutUser = each.replaceAll(/\/\/[^/]*@/g, '//…@').replaceAll(/\p{Cc}/gu, '\ufffd');
      const shown = getSetting(name).isSecret ? '' : ` '${withoutUser}'`;
      throw new SettingError(`Invalid value${shown} for ${source}. Expected ${kind.expected}.`);
    }
    return value as SettingValue<N>;
  });
}

export interface HelpOptions {
  /** What the user types before the settings. */
  readonly program: string;
  /** The summaries of the commands by name. */
  readonly commands: Readonly<Record<string, string>>;
}

export function formatHelpText({ program, commands }: HelpOptions): string {
  const commandLines = Object.entries(commands).map(([name, summary]) => `  ${name.padEnd(10)} ${summary}`);
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
