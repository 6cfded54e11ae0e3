/** What `graticule check` examines before a start. No check changes anything. */
import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { explainFileError } from '../../lib/problems/file-error.ts';
import { isDataDirectoryLocked } from '../../storage/data-directory-lock.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { readCertificate } from '../certificate.ts';
import { checkEntries, DATABASE_FILE } from '../settings/data-directory.ts';
import { findBlobsDirectory, findObjectStore } from '../settings/file-storage.ts';
import { computeBudgetBytes, computeWorkers, createMemoryBudget, MEGABYTE } from '../settings/memory-budget.ts';
import { readDirectoryAuthorities } from '../settings/operator-files.ts';
import { readSecretFiles } from '../settings/secret-files.ts';
import { checkCombinations, type Settings } from '../settings/settings.ts';
import { getCause } from '../storage/open-with-retry.ts';

export type CheckStatus = 'ok' | 'warning' | 'failed';

export interface Check {
  readonly check: string;
  readonly status: CheckStatus;
  readonly message: string;
}

/** A result without a status is ok. A thrown error is a failure. */
type Result = string | Omit<Check, 'check'>;

const GIGABYTE = 1_024 * MEGABYTE;

/** Below this, uploads and changes soon fail. */
const MIN_FREE_BYTES = 100 * MEGABYTE;
const FEW_FREE_BYTES = GIGABYTE;

/** Checks without a result do not concern these settings. */
const checks: readonly (readonly [name: string, run: (settings: Settings) => Promise<Result | undefined>])[] = [
  ['memory', async (settings) => describeBudget(settings)],
  ['data directory', checkDataDirectory],
  ['disk space', checkDiskSpace],
  ['database', checkDatabase],
  ['object store', checkObjectStore],
  ['tiles', checkSharedTiles],
  ['other files', checkOtherFiles],
  ['address', checkAddress],
];

function describeBudget(settings: Settings): Result {
  const bytes = computeBudgetBytes(settings);
  const { maxThreads } = createMemoryBudget(bytes, computeWorkers(settings)).pools.maps;
  const budget = `The memory budget is ${formatSize(bytes)}, with threads of each kind: ${maxThreads}.`;
  const { workers } = settings;
  if (workers === undefined || workers <= maxThreads) return budget;
  return { status: 'warning', message: `${budget} It is too small for --workers ${workers}: each needs 1 GB.` };
}

export async function runChecks(written: Settings): Promise<readonly Check[]> {
  const { settings, result } = await checkSettings(written);
  const results: Check[] = [{ check: 'settings', ...result }];
  for (const [check, run] of checks) {
    const found = await run(settings).then(toResult, toFailure);
    if (found !== undefined) results.push({ check, ...found });
  }
  return results;
}

function toResult(result: Result | undefined): Omit<Check, 'check'> | undefined {
  return typeof result === 'string' ? { status: 'ok', message: result } : result;
}

export function toFailure(error: unknown): Omit<Check, 'check'> {
  return { status: 'failed', message: `${explainFileError(error)}.` };
}

/** Includes the files that contain secrets. */
async function checkSettings(
  written: Settings,
): Promise<{ readonly settings: Settings; readonly result: Omit<Check, 'check'> }> {
  let settings = written;
  try {
    const files = await readSecretFiles(written);
    settings = files.settings;
    checkCombinations(settings);
    await readDirectoryAuthorities(settings.ldapCaFile);
    await readCertificate(settings);
    const isQuiet = files.warnings.length === 0;
    const message = isQuiet ? 'All settings are valid.' : files.warnings.join(' ');
    return { settings, result: { status: isQuiet ? 'ok' : 'warning', message } };
  } catch (error) {
    return { settings, result: toFailure(error) };
  }
}

async function checkDataDirectory({ dataDir, storage }: Settings): Promise<Result> {
  const place = await findExisting(dataDir);
  await requireAccess(place, `the data directory '${dataDir}'`);
  if (place !== dataDir) return `'${dataDir}' will be created.`;
  try {
    checkEntries(await readdir(dataDir), storage !== undefined);
  } catch (error) {
    throw new Error(`Cannot use '${dataDir}': ${explainFileError(error)}`);
  }
  return isDataDirectoryLocked(dataDir)
    ? { status: 'warning', message: `A server uses '${dataDir}'. Stop it before you start another one.` }
    : `'${dataDir}' can be used.`;
}

async function checkDiskSpace({ dataDir }: Settings): Promise<Result> {
  const place = await findExisting(dataDir);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const message = `${formatSize(free)} are free on the disk of '${dataDir}'.`;
  if (free < MIN_FREE_BYTES) {
    throw new Error(`${message} At least ${formatSize(MIN_FREE_BYTES)} are required`);
  }
  return free < FEW_FREE_BYTES ? { status: 'warning', message } : message;
}

async function checkDatabase({ dataDir, storage }: Settings): Promise<Result> {
  const found = storage === undefined ? await readEmbeddedVersion(dataDir) : await readSharedVersion(storage);
  if (found.version === 0) return 'The first start creates the catalog.';
  return found.version < found.newest
    ? `The schema will be upgraded from version ${found.version} to ${found.newest}. Make a backup first.`
    : `The schema version is ${found.version}.`;
}

interface SchemaVersions {
  readonly version: number;
  /** The version that this program writes. */
  readonly newest: number;
}

async function readEmbeddedVersion(dataDir: string): Promise<SchemaVersions> {
  const { readSchemaVersionOfFile } = await import('../../storage/sqlite/check-file.ts');
  const { migrations } = await import('../../storage/sqlite/migrations.ts');
  const file = join(dataDir, DATABASE_FILE);
  if ((await findExisting(file)) !== file) return { version: 0, newest: migrations.length };
  await requireAccess(file, `the catalog '${file}'`);
  return { version: readSchemaVersionOfFile(file), newest: migrations.length };
}

async function readSharedVersion(location: PostgresLocation): Promise<SchemaVersions> {
  const { PostgresSession } = await import('../../storage/postgres/connection/session.ts');
  const { checkSchema, migrations } = await import('../../storage/postgres/migrations.ts');
  try {
    const session = await PostgresSession.open(location, 'writes');
    try {
      return { version: await checkSchema(session, location.schema), newest: migrations.length };
    } finally {
      session.end();
    }
  } catch (error) {
    throw new Error(`Cannot use --storage ${location.shown}: ${explainFileError(getCause(error))}`);
  }
}

async function checkObjectStore(settings: Settings): Promise<Result | undefined> {
  const options = findObjectStore(settings);
  if (settings.storage === undefined || options === undefined) return undefined;
  const { checkStore } = await import('./check-object-store.ts');
  return checkStore(settings.storage, options);
}

async function checkSharedTiles(settings: Settings): Promise<Result | undefined> {
  if (settings.tiles === undefined && settings.storage === undefined) return undefined;
  const { checkTiles } = await import('./check-tiles.ts');
  return checkTiles(settings);
}

async function checkOtherFiles(settings: Settings): Promise<Result> {
  const { accessLog, auditLog, storage, fonts, externalRoots, backupSchedule, backupDir } = settings;
  await requireLogFile('--access-log', accessLog);
  await requireLogFile('--audit-log', auditLog);
  const blobs = findBlobsDirectory(settings);
  if (storage !== undefined && blobs !== undefined) await requireAccess(blobs, `--blobs '${blobs}'`);
  if (backupSchedule !== undefined) await requireAccess(await findExisting(backupDir), `--backup-dir '${backupDir}'`);
  for (const folder of [...fonts, ...externalRoots]) {
    await access(folder, constants.R_OK).catch(() => {
      throw new Error(`Cannot read the directory '${folder}'. Check the path and its permissions`);
    });
  }
  return 'All files and directories of the settings are accessible.';
}

/** A server creates the file of a log, but not its directory. */
async function requireLogFile(option: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const existing = await findExisting(file);
  if (existing !== file && existing !== dirname(file)) {
    throw new Error(`The directory of ${option} '${file}' does not exist. Create it`);
  }
  if (existing === file && (await stat(file)).isDirectory()) {
    throw new Error(`${option} '${file}' is a directory. Use the path of a file`);
  }
  await requireAccess(existing, `${option} '${file}'`);
}

/** Listens for a moment. A port in use is a warning, because it may be that of the server to replace. */
async function checkAddress({ host, port }: Settings): Promise<Result> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    return port === 0 ? `The server will select a port of ${host}.` : `The server can listen on ${host}:${port}.`;
  } catch (error) {
    if (findErrorCode(error) !== 'EADDRINUSE')
      throw new Error(`Cannot listen on ${host}:${port}: ${explainFileError(error)}`);
    return { status: 'warning', message: `Another program listens on ${host}:${port}. Stop it, or set --port.` };
  } finally {
    server.close();
  }
}

/** Returns the path, or its nearest parent that exists. */
async function findExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (findErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return findExisting(dirname(path));
  }
}

async function requireAccess(path: string, what: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Error(`This user cannot read and write ${what}: ${findErrorCode(error)} at '${path}'`);
  }
}

function formatSize(bytes: number): string {
  return bytes < 10 * GIGABYTE ? `${Math.floor(bytes / MEGABYTE)} MB` : `${Math.floor(bytes / GIGABYTE)} GB`;
}
