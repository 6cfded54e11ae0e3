/** `graticule storage …`: commands on a storage. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import { findEditedFile } from '../../catalog/stores/edited-file.ts';
import { explainFileError } from '../../lib/problems/file-error.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { explainArgumentError } from '../../lib/text/argument-error.ts';
import { copyGranules } from '../../raster/granules/copy/granule-copies.ts';
import { copyStorage } from '../../storage/copy/copy-storage.ts';
import { type CopySource, copiedTables } from '../../storage/copy/tables.ts';
import { parseObjectStoreLocation } from '../../storage/objects/location.ts';
import type { ObjectStore } from '../../storage/objects/port.ts';
import { parsePostgresLocation } from '../../storage/postgres/connection/location.ts';
import { GRANULES_FILE } from '../settings/data-directory.ts';
import type { UploadTarget } from './copy-objects.ts';
import {
  migrateStorage,
  openSource,
  openTarget,
  parseStorageLocation,
  type StorageLocation,
} from './storage-locations.ts';

export interface MaintenanceEnvironment {
  /** The base of relative directory names. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const usage = `graticule storage copy --from DIR|URL [--from-blobs BUCKET] --to DIR|URL [--to-blobs BUCKET]
    Copies records with their history, files and granules into an empty storage. Change numbers are preserved.
    Servers can use the storage that is copied; the copy has its state of one moment. A repeated copy does not upload
    the files again that an interrupted one has uploaded into the bucket.
graticule storage migrate --storage DIR|URL
    Migrates a storage to this version before servers are started on it.
graticule storage move-files --storage URL --from database|BUCKET --to database|BUCKET
    Moves the uploaded files of a database into an object store, or back. Repeat an interrupted move to continue it.
DIR is a data directory, URL an address such as postgres://user@host/database?schema=graticule,
BUCKET an address such as s3://bucket/prefix?endpoint=https://s3.example.org. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or
the files that AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE name, contain its credentials.
`;

/** The place of files in the database. */
const DATABASE = 'database';

/** Ends the command with a one-line error. */
class StorageCommandError extends Error {}

/** Returns the exit code. */
export async function runStorageCommand(words: readonly string[], world: MaintenanceEnvironment): Promise<number> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || rest.includes('--help') || name === '--help') {
      world.print(usage);
      return name === undefined ? 1 : 0;
    }
    if (name === 'copy') await copy(parseOptions(rest, ['from', 'to'], ['from-blobs', 'to-blobs']), world);
    else if (name === 'migrate') await migrate(parseOptions(rest, ['storage']), world);
    else if (name === 'move-files') await runFileMove(parseOptions(rest, ['storage', 'from', 'to']), world);
    else {
      throw new StorageCommandError(
        `Unknown command 'storage ${name}'. Use storage copy, storage migrate or storage move-files.`,
      );
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StorageCommandError)) throw error;
    world.printError(`graticule: ${error.message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`);
    return 1;
  }
}

type Options<N extends string, O extends string = never> = Readonly<Record<N, string> & Partial<Record<O, string>>>;

function parseOptions<N extends string, O extends string = never>(
  words: readonly string[],
  names: readonly N[],
  optional: readonly O[] = [],
): Options<N, O> {
  const options = Object.fromEntries([...names, ...optional].map((name) => [name, { type: 'string' as const }]));
  let values: Readonly<Record<string, unknown>>;
  try {
    values = parseArgs({ args: [...words], options, strict: true }).values;
  } catch (error) {
    throw new StorageCommandError(`${explainArgumentError(error)}. Run with --help for the options.`);
  }
  const missing = names.find((name) => typeof values[name] !== 'string');
  if (missing !== undefined)
    throw new StorageCommandError(`--${missing} is required. Run with --help for the options.`);
  return values as Options<N, O>;
}

function parseLocation(text: string, option: string, world: MaintenanceEnvironment): StorageLocation {
  const place = parseStorageLocation(text, world.folder);
  // Do not repeat the value, which can contain a password.
  if (place === undefined)
    throw new StorageCommandError(`Invalid --${option}. Expected a directory or a PostgreSQL address.`);
  return place;
}

async function migrate({ storage }: Options<'storage'>, world: MaintenanceEnvironment): Promise<void> {
  const place = parseLocation(storage, 'storage', world);
  const position = await convertFailure(`Cannot migrate --storage ${place.shown}`, migrateStorage(place));
  world.print(`${place.shown} is up to date at change ${position}.\n`);
}

async function runFileMove(
  { storage, from, to }: Options<'storage' | 'from' | 'to'>,
  world: MaintenanceEnvironment,
): Promise<void> {
  const place = parsePostgresLocation(storage);
  // Do not repeat the value, which can contain a password.
  if (place === undefined) throw new StorageCommandError('Invalid --storage. Expected a PostgreSQL address.');
  const store = parseObjectStoreLocation(from === DATABASE ? to : from);
  if (store === undefined || (from !== DATABASE && to !== DATABASE)) {
    throw new StorageCommandError(
      "Invalid --from and --to. Expected 'database' and an address such as s3://bucket/prefix?endpoint=https://s3.example.org.",
    );
  }
  const { moveFiles } = await import('./move-files.ts');
  const direction = to === DATABASE ? 'database' : 'objects';
  const moved = await convertFailure(
    'The move was interrupted and can be repeated',
    moveFiles({ place, store, to: direction }, world.environment),
  );
  world.print(`Moved ${formatCount(moved.files, 'file')} (${formatCount(moved.bytes, 'byte')}).\n`);
  if (moved.damaged.length > 0) {
    throw new StorageCommandError(`Damaged or missing files were not moved: ${moved.damaged.join(', ')}.`);
  }
}

type CopyOptions = Options<'from' | 'to', 'from-blobs' | 'to-blobs'>;

async function copy(options: CopyOptions, world: MaintenanceEnvironment): Promise<void> {
  const [origin, destination] = [parseLocation(options.from, 'from', world), parseLocation(options.to, 'to', world)];
  const [fromBlobs, toBlobs] = [
    parseBucket(options['from-blobs'], 'from-blobs', origin),
    parseBucket(options['to-blobs'], 'to-blobs', destination),
  ];
  const { openObjects, openSourceObjects } = await import('./copy-objects.ts');
  const open = async (what: string, opening: Promise<ObjectStore> | undefined) =>
    opening && convertFailure(what, opening);
  const sourceObjects = await open(
    'Cannot use --from-blobs',
    fromBlobs && openSourceObjects(fromBlobs.place, fromBlobs.store, world.environment),
  );
  const targetObjects = await open('Cannot use --to-blobs', toBlobs && openObjects(toBlobs.store, world.environment));
  try {
    const upload = toBlobs && targetObjects && { place: toBlobs.place, objects: targetObjects };
    await copyBetween({ origin, destination, sourceObjects, upload }, world);
  } finally {
    sourceObjects?.close();
    targetObjects?.close();
  }
}

interface Copy {
  readonly origin: StorageLocation;
  readonly destination: StorageLocation;
  readonly sourceObjects: ObjectStore | undefined;
  readonly upload: UploadTarget | undefined;
}

async function copyBetween(
  { origin, destination, sourceObjects, upload }: Copy,
  world: MaintenanceEnvironment,
): Promise<void> {
  const printProgress = (message: string) => world.printError(`${message}\n`);
  const source = await convertFailure(`Cannot copy --from ${origin.shown}`, openSource(origin, sourceObjects));
  try {
    if (upload !== undefined) {
      const { uploadFiles } = await import('./copy-objects.ts');
      await convertFailure(
        'The upload of the files was interrupted and can be continued by repeating the copy',
        uploadFiles(source.opened, upload, printProgress),
      );
    }
    const target = await convertFailure(
      `Cannot copy to --to ${destination.shown}`,
      openTarget(destination, upload !== undefined),
    );
    try {
      const granules = await convertFailure(
        'Cannot copy the granules of mosaics',
        copyGranules(toGranuleLocation(origin), {
          ...toGranuleLocation(destination),
          ...(target.granulesFile === undefined ? {} : { file: target.granulesFile }),
        }),
      );
      const copied = await convertFailure(
        'The copy failed and was discarded',
        copyStorage(source.opened, target.target, printProgress),
      );
      const warnings = await listEditedFileWarnings(source.opened);
      await convertFailure(`Cannot complete --to ${destination.shown}`, target.finish());
      for (const warning of warnings) printProgress(`Warning: ${warning}`);
      const records = copied.tables.find(({ table }) => table === 'records')?.rows ?? 0;
      world.print(
        `Copied ${formatCount(records, 'record')}, ${formatCount(copied.files, 'file')} (${formatCount(copied.bytes, 'byte')}) and ${formatCount(granules, 'granule')} up to change ${copied.position}. The copy was verified.\n` +
          'Servers on the copy need the same server key. The folder data/ of a data directory is not part of a storage.\n',
      );
    } catch (error) {
      await target.abandon();
      throw error;
    }
  } finally {
    await source.release();
  }
}

function parseBucket(text: string | undefined, option: string, storage: StorageLocation) {
  if (text === undefined) return undefined;
  const store = parseObjectStoreLocation(text);
  if (store === undefined) {
    throw new StorageCommandError(
      `Invalid --${option}. Expected an address such as s3://bucket/prefix?endpoint=https://s3.example.org.`,
    );
  }
  if (storage.kind !== 'postgres') {
    const other = option.replace('-blobs', '');
    throw new StorageCommandError(`--${option} requires a PostgreSQL address for --${other}. Remove it.`);
  }
  return { store, place: storage.place };
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
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
    // Use the message of the database, which problems for clients omit.
    const reported = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
    throw new StorageCommandError(`${what}: ${explainFileError(reported)}.`, { cause: error });
  }
}

/** Returns a warning for each store whose edited features are not part of the copy. */
async function listEditedFileWarnings(source: Pick<CopySource, 'readRows'>): Promise<readonly string[]> {
  const records = copiedTables.find(({ name }) => name === 'records');
  if (records === undefined) throw new Error('The table of records is not copied');
  const [kind, name, body] = ['kind', 'name', 'body'].map((column) => records.columns.indexOf(column)) as [
    number,
    number,
    number,
  ];
  const warnings: string[] = [];
  for await (const rows of source.readRows(records)) {
    for (const row of rows) {
      if (row[kind] !== dataStoreKind.kind) continue;
      const store = JSON.parse(String(row[body])) as Pick<Store, 'type' | 'fileSet' | 'parameters'>;
      if (findEditedFile(store) === undefined) continue;
      warnings.push(
        `The edited features of the store '${row[name]}' were not copied. They are in ${store.parameters['database']} of the data directory. Upload that file to the store on the new server.`,
      );
    }
  }
  return warnings;
}
