/** `graticule restore …`: restores a backup into an empty storage. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UnusableBackup } from '../../lib/backup/archive-reader.ts';
import { explainFileError } from '../../lib/problems/file-error.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { explainArgumentError } from '../../lib/text/argument-error.ts';
import { parsePostgresLocation } from '../../storage/postgres/connection/location.ts';
import { ArchiveChain, createArchiveSource } from '../backup/archive-chain.ts';
import { checkRecordVersions, type RestoreReport, restoreToDatabase, restoreToDirectory } from '../backup/restore.ts';
import { checkPaths } from '../backup/restored-files.ts';
import { recordKinds } from '../storage/record-kinds.ts';
import type { MaintenanceEnvironment } from './storage-command.ts';

const usage = `graticule restore FILE... --data-dir DIR [--replace] [--passphrase-file FILE]
graticule restore FILE... --database URL [--data-dir DIR] [--passphrase-file FILE]
graticule restore FILE... --check [--passphrase-file FILE]
    Restores a backup. Name a full backup and all incremental backups after it, in any order. Every byte is
    verified before anything is written. --check only verifies.
    --database restores into the PostgreSQL database of several nodes; --data-dir then receives the files of the
    data directory of the old server. --replace moves the contents of a directory aside that is not empty.
    GRATICULE_BACKUP_PASSPHRASE or --passphrase-file sets the passphrase of an encrypted backup.
`;

/** Ends the command with a one-line error. */
class RestoreError extends Error {}

interface RestoreOptions {
  readonly files: readonly string[];
  readonly dataDir: string | undefined;
  readonly database: string | undefined;
  readonly passphraseFile: string | undefined;
  readonly check: boolean;
  readonly replace: boolean;
}

/** Returns the exit code. */
export async function runRestoreCommand(words: readonly string[], world: MaintenanceEnvironment): Promise<number> {
  try {
    if (words.length === 0 || words.includes('--help')) {
      world.print(usage);
      return words.length === 0 ? 1 : 0;
    }
    await restore(parseOptions(words), world);
    return 0;
  } catch (error) {
    if (!(error instanceof RestoreError || error instanceof UnusableBackup)) throw error;
    world.printError(`graticule: ${error.message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`);
    return 1;
  }
}

function parseOptions(words: readonly string[]): RestoreOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: {
        'data-dir': { type: 'string' },
        database: { type: 'string' },
        'passphrase-file': { type: 'string' },
        check: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
      },
      allowPositionals: true,
      strict: true,
    });
    const { check, replace, database } = values;
    if (positionals.length === 0) throw new RestoreError('No backup is named. Run with --help for the usage.');
    if (!check && values['data-dir'] === undefined && database === undefined) {
      throw new RestoreError('--data-dir or --database is required. Run with --help for the usage.');
    }
    return {
      ...{ files: positionals, database, check, replace },
      dataDir: values['data-dir'],
      passphraseFile: values['passphrase-file'],
    };
  } catch (error) {
    if (error instanceof RestoreError) throw error;
    throw new RestoreError(`${explainArgumentError(error)}. Run with --help for the options.`);
  }
}

async function restore(options: RestoreOptions, world: MaintenanceEnvironment): Promise<void> {
  const { check, database, dataDir, replace } = options;
  const place = database === undefined ? undefined : parsePostgresLocation(database);
  // Do not repeat the value, which can contain a password.
  if (database !== undefined && place === undefined)
    throw new RestoreError('Invalid --database. Expected a PostgreSQL address.');
  const passphrase = await readPassphrase(options, world);
  const chain = ArchiveChain.open({ files: options.files.map((file) => resolve(world.folder, file)), passphrase });
  try {
    await checkRecordVersions(createArchiveSource(chain), recordKinds);
    checkPaths(chain);
    const { position, createdAt, version } = chain.manifest;
    world.print(`The backup is complete: change ${position}, made on ${createdAt} by version ${version}.\n`);
    warnOfDamagedFiles(chain, world);
    if (check) return;
    const directory =
      dataDir === undefined
        ? undefined
        : { directory: resolve(world.folder, dataDir), replace, stamp: createStamp(createdAt) };
    if (place !== undefined) {
      const done = await describeFailure(place.shown, restoreToDatabase(chain, place, directory));
      printReport(done, place.shown, world);
      if (directory === undefined) warnOfDataFiles(chain, world);
    } else if (directory !== undefined) {
      const shown = `'${directory.directory}'`;
      printReport(await describeFailure(shown, restoreToDirectory(chain, directory)), shown, world);
    }
  } finally {
    chain.close();
  }
}

/** Characters that file names can have everywhere. */
function createStamp(createdAt: string): string {
  return `${createdAt.replaceAll(/[^0-9TZ]/g, '')}-${process.pid}`;
}

function printReport(done: RestoreReport, shown: string, world: MaintenanceEnvironment): void {
  const records = done.tables.find(({ table }) => table === 'records')?.rows ?? 0;
  world.print(
    `Restored ${records} records, ${done.files} stored files, ${done.granules} granules and ${done.dataFiles} data files up to change ${done.position} to ${shown}.\n`,
  );
  if (done.replaced !== undefined) {
    world.print(`The previous contents are in '${done.replaced}'. Delete them when they are no longer needed.\n`);
  }
}

/** The restored server has the files as they were, and its doctor reports what they belong to. */
function warnOfDamagedFiles(chain: ArchiveChain, world: MaintenanceEnvironment): void {
  const paths = chain.listDamaged();
  if (paths.length === 0) return;
  world.printError(
    `graticule: Files that were already damaged when the backup was made: ${paths.join(', ')}. Replace them with copies from an earlier backup.\n`,
  );
}

/** The files of a data directory are outside the database. */
function warnOfDataFiles(chain: ArchiveChain, world: MaintenanceEnvironment): void {
  let count = 0;
  for (const line of chain.readLines()) if (line.kind === 'file') count += 1;
  if (count === 0) return;
  world.printError(
    `graticule: Data files in the backup that were not restored: ${count}. To restore them, empty the database and repeat the command with --data-dir DIR.\n`,
  );
}

async function readPassphrase(
  { passphraseFile }: RestoreOptions,
  { folder, environment }: MaintenanceEnvironment,
): Promise<string | undefined> {
  const text =
    passphraseFile === undefined
      ? environment['GRATICULE_BACKUP_PASSPHRASE']
      : await readFile(resolve(folder, passphraseFile), 'utf8').catch(() => {
          throw new RestoreError(
            `Cannot read --passphrase-file '${passphraseFile}'. Check the path and its permissions.`,
          );
        });
  const passphrase = passphraseFile === undefined ? text : text?.replace(/\r?\n$/, '');
  if (passphrase === '') throw new RestoreError('The passphrase is empty.');
  return passphrase;
}

async function describeFailure<T>(shown: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // Use the message of the database, which problems for clients omit.
    const reported = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
    const reason = explainFileError(reported);
    throw new RestoreError(`Cannot restore to ${shown}: ${reason}. Nothing was restored.`, { cause: error });
  }
}
