/** `graticule storage …`: what operators do with a storage while no server has it open. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '../../lib/problems/problem.ts';
import { copyGranules } from '../../raster/granules/copy/granule-copies.ts';
import { copyStorage } from '../../storage/copy/copy-storage.ts';
import { GRANULES_FILE } from '../settings/data-directory.ts';
import { listEditedFileWarnings } from './edited-files.ts';
import {
  migrateStorage,
  openSource,
  openTarget,
  parseStorageLocation,
  type StorageLocation,
} from './storage-locations.ts';

export interface MaintenanceEnvironment {
  /** What relative names of directories are relative to. */
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const usage = `graticule storage copy --from DIR|URL --to DIR|URL
    Copies everything into an empty storage: records with their history, files and granules, under the same numbers.
graticule storage migrate --storage DIR|URL
    Brings a storage up to date before servers of this version are started on it.
DIR is a data directory, URL an address such as postgres://user@host/database?schema=graticule. No server may run on them.
`;

/** Ends the command in one sentence. */
class StorageCommandError extends Error {}

/** Gives the exit code. */
export async function runStorageCommand(words: readonly string[], world: MaintenanceEnvironment): Promise<number> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || rest.includes('--help') || name === '--help') {
      world.print(usage);
      return name === undefined ? 1 : 0;
    }
    if (name === 'copy') await copy(parseOptions(rest, ['from', 'to']), world);
    else if (name === 'migrate') await migrate(parseOptions(rest, ['storage']), world);
    else
      throw new StorageCommandError(
        `There is no command 'storage ${name}'; there are storage copy and storage migrate.`,
      );
    return 0;
  } catch (error) {
    if (!(error instanceof StorageCommandError)) throw error;
    world.printError(`graticule: ${error.message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`);
    return 1;
  }
}

type Options<N extends string> = Readonly<Record<N, string>>;

function parseOptions<N extends string>(words: readonly string[], names: readonly N[]): Options<N> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  let values: Readonly<Record<string, unknown>>;
  try {
    values = parseArgs({ args: [...words], options, strict: true }).values;
  } catch (error) {
    throw new StorageCommandError(
      `${error instanceof Error ? error.message.split(/\.\s/)[0] : error}; --help tells what it takes.`,
    );
  }
  const missing = names.find((name) => typeof values[name] !== 'string');
  if (missing !== undefined) throw new StorageCommandError(`--${missing} is missing; --help tells what it takes.`);
  return values as Options<N>;
}

function parseLocation(text: string, option: string, world: MaintenanceEnvironment): StorageLocation {
  const place = parseStorageLocation(text, world.folder);
  // What it is may hold a password.
  if (place === undefined)
    throw new StorageCommandError(`--${option} is neither a directory nor an address of a PostgreSQL.`);
  return place;
}

async function migrate({ storage }: Options<'storage'>, world: MaintenanceEnvironment): Promise<void> {
  const place = parseLocation(storage, 'storage', world);
  const position = await convertFailure(`--storage ${place.shown} cannot be brought up to date`, migrateStorage(place));
  world.print(`${place.shown} is up to date; its last change is ${position}.\n`);
}

async function copy({ from, to }: Options<'from' | 'to'>, world: MaintenanceEnvironment): Promise<void> {
  const [origin, destination] = [parseLocation(from, 'from', world), parseLocation(to, 'to', world)];
  const source = await convertFailure(`--from ${origin.shown} cannot be copied`, openSource(origin));
  try {
    const target = await convertFailure(`--to ${destination.shown} cannot be filled`, openTarget(destination));
    try {
      const granules = await convertFailure(
        'The granules of mosaics cannot be copied',
        copyGranules(toGranuleLocation(origin), {
          ...toGranuleLocation(destination),
          ...(target.granulesFile === undefined ? {} : { file: target.granulesFile }),
        }),
      );
      const printProgress = (message: string) => world.printError(`${message}\n`);
      const copied = await convertFailure(
        'The copy failed, and nothing of it was kept',
        copyStorage(source.opened, target.target, printProgress),
      );
      const warnings = await listEditedFileWarnings(source.opened);
      await convertFailure(`--to ${destination.shown} cannot be had`, target.finish());
      for (const warning of warnings) printProgress(`Warning: ${warning}`);
      const records = copied.tables.find(({ table }) => table === 'records')?.rows ?? 0;
      world.print(
        `Copied ${records} records and ${copied.files} files (${copied.bytes} bytes), with ${granules} granules, up to change ${copied.position}; both are the same.\n` +
          'Servers on the copy need the same server key; what lies in data/ of a data directory is not part of a storage.\n',
      );
    } catch (error) {
      await target.abandon();
      throw error;
    }
  } finally {
    await source.release();
  }
}

function toGranuleLocation(place: StorageLocation) {
  return place.kind === 'directory'
    ? { file: join(place.directory, GRANULES_FILE) }
    : { config: place.place.config, schema: place.place.schema };
}

async function convertFailure<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // What the database says, which a problem for clients leaves out.
    const told = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
    throw new StorageCommandError(
      `${what}: ${told instanceof Error ? told.message.replace(/\.$/, '') : String(told)}.`,
      {
        cause: error,
      },
    );
  }
}
