/** `graticule keystore recover`: replaces a lost server key with the help of the keystore password. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openCatalog } from '../../records/catalog.ts';
import { KEY_BYTES, SCRYPT_COST } from '../../security/keystore/closed-keystore.ts';
import { createKeystoreFolder, SERVER_KEY_FILE } from '../../security/keystore/keystore-folder.ts';
import { KeystoreUnusable } from '../../security/keystore/open-keys.ts';
import { recoverKeystore } from '../../security/keystore/recover-keystore.ts';
import { realDisk } from '../../storage/blobs/disk.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../../storage/data-directory-lock.ts';
import type { Storage } from '../../storage/port/port.ts';
import { openPostgresStorage } from '../../storage/postgres/open.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { DATABASE_FILE } from '../settings/data-directory.ts';
import { readSecretFiles } from '../settings/secret-files.ts';
import { checkCombinations, readSettings, SettingError, type Settings } from '../settings/settings.ts';
import { getCause } from '../storage/open-with-retry.ts';
import { recordKinds } from '../storage/record-kinds.ts';
import type { MaintenanceEnvironment } from './storage-command.ts';

const usage = `graticule keystore recover --keystore-password-file FILE [settings]
    Opens the keystore with its password after the server key was lost, and encrypts it with another server key:
    the one of --server-key-file, or a new one in the data directory. Other server keys do not open it any more.
    The settings are those of \`graticule serve\`: --data-dir, or --storage and --server-key-file. Stop all servers before.
`;

const PASSWORD_OPTION = '--keystore-password-file';

/** Returns the exit code. */
export async function runKeystoreCommand(words: readonly string[], context: MaintenanceEnvironment): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || words.includes('--help')) {
    context.print(usage);
    return name === undefined ? 1 : 0;
  }
  try {
    if (name !== 'recover') throw new SettingError(`Unknown command 'keystore ${name}'. Use keystore recover.`);
    const id = await recover(rest, context);
    context.print(`The server key ${id} opens the keystore. Start the server with it.\n`);
    return 0;
  } catch (error) {
    const isExpected = [SettingError, KeystoreUnusable, DataDirectoryInUse].some((kind) => error instanceof kind);
    if (!isExpected || !(error instanceof Error)) throw error;
    context.printError(`graticule: ${error.message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`);
    return 1;
  }
}

async function recover(words: readonly string[], context: MaintenanceEnvironment): Promise<string> {
  const { password, others } = await readPassword(words, context);
  const command = readSettings(others, context.environment);
  if (command.kind !== 'run') throw new SettingError(`Unexpected --${command.kind}.`);
  const { settings } = await readSecretFiles(command.settings);
  checkCombinations(settings);
  return withStorage(settings, (storage) =>
    recoverKeystore({
      catalog: openCatalog(storage),
      password,
      randomBytes,
      scryptCost: SCRYPT_COST,
      prepareServerKey: async () => settings.serverKey ?? createServerKey(settings.dataDir),
    }),
  );
}

async function readPassword(
  words: readonly string[],
  { folder }: MaintenanceEnvironment,
): Promise<{ readonly password: string; readonly others: readonly string[] }> {
  const position = words.indexOf(PASSWORD_OPTION);
  const file = position < 0 ? undefined : words[position + 1];
  if (file === undefined) throw new SettingError(`${PASSWORD_OPTION} is required. Run with --help for the usage.`);
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => {
    throw new SettingError(`Cannot read ${PASSWORD_OPTION} '${file}'. Check the path and its permissions.`);
  });
  return { password: text.replace(/\r?\n$/, ''), others: words.toSpliced(position, 2) };
}

/** Keeps a key that does not fit under another name. */
async function createServerKey(dataDir: string): Promise<KeyObject> {
  const folder = createKeystoreFolder(realDisk, dataDir);
  await folder.renameToBackup([SERVER_KEY_FILE]);
  const key = createSecretKey(randomBytes(KEY_BYTES));
  await folder.writeServerKey(key);
  return key;
}

async function withStorage<T>(
  { storage: location, dataDir }: Settings,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  if (location !== undefined) {
    const opening = openPostgresStorage({ location, kinds: recordKinds });
    return useAndClose(await describeFailure(`--storage ${location.shown}`, opening), work);
  }
  const file = join(dataDir, DATABASE_FILE);
  if ((await realDisk.findEntry(file)) === undefined) {
    throw new SettingError(`--data-dir '${dataDir}' contains no catalog.`);
  }
  const lock = await lockDataDirectory(dataDir);
  try {
    const opening = openSqliteStorage({ file, clock: Date.now, kinds: recordKinds });
    return await useAndClose(await describeFailure(`the catalog '${file}'`, opening), work);
  } finally {
    lock.release();
  }
}

function describeFailure(what: string, opening: Promise<Storage>): Promise<Storage> {
  return opening.catch((error: unknown) => {
    const reason = getCause(error);
    const text = reason instanceof Error ? reason.message.replace(/\.$/, '') : String(reason);
    throw new SettingError(`Cannot open ${what}: ${text}.`);
  });
}

async function useAndClose<T>(storage: Storage, work: (storage: Storage) => Promise<T>): Promise<T> {
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
