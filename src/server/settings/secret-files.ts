/** Reads the secrets that the operator keeps in files: every secret setting has a setting for its file. */
import { readFile, stat } from 'node:fs/promises';
import { getSetting, SettingError, type Settings, secretNames, toEnvironmentName, toFlagName } from './settings.ts';

/** Larger than any key or password; a larger file is the wrong one. */
const MAX_FILE_BYTES = 65_536;

const READABLE_BY_OTHERS = 0o007;

export interface SecretFiles {
  /** The settings with the content of the files, and without their names. */
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

export async function readSecretFiles(settings: Settings): Promise<SecretFiles> {
  const read: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const name of secretNames) {
    const path = settings[`${name}File`];
    if (path === undefined) continue;
    const flag = `--${toFlagName(`${name}File`)}`;
    if (settings[name] !== undefined) {
      const { environmentOnly = false } = getSetting(name);
      const other = environmentOnly ? toEnvironmentName(name) : `--${toFlagName(name)}`;
      throw new SettingError(`${other} and ${flag} are both set. Remove one of them.`);
    }
    read[name] = parseSecret(name, await readSecret(path, flag, warnings), `${flag} '${path}'`);
    read[`${name}File`] = undefined;
  }
  return { settings: { ...settings, ...read }, warnings };
}

async function readSecret(path: string, flag: string, warnings: string[]): Promise<string> {
  try {
    // A secret store can mount links to files.
    const { mode, size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new SettingError(`${flag} '${path}' is larger than ${MAX_FILE_BYTES} bytes.`);
    if ((mode & READABLE_BY_OTHERS) !== 0) {
      warnings.push(`All users of this machine can access ${flag} '${path}'. Run chmod o-rwx on it.`);
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(`Cannot read ${flag} '${path}'. Check the path and its permissions.`);
  }
}

/** Editors and `echo` append a line break, which is no part of the secret. */
function parseSecret(name: (typeof secretNames)[number], content: string, source: string): unknown {
  const text = content.replace(/\r?\n$/, '');
  if (text === '') throw new SettingError(`${source} is empty.`);
  const { kind } = getSetting(name);
  const value = kind.parse(text);
  if (value === undefined) throw new SettingError(`${source} is invalid. Expected ${kind.expected}.`);
  return value;
}
