/** `graticule storage …`: what operators do with a storage while no server has it open. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyGranules } from '../../data/granules/copy/granule-copies.ts';
import { Problem } from '../../lib/problem.ts';
import { copyStorage } from '../../storage/copy/copy-storage.ts';
import { GRANULES_FILE } from '../data-directory.ts';
import { warnOfEditedFiles } from './edited-files.ts';
import { migrateStorage, openSource, openTarget, parseStoragePlace, type StoragePlace } from './storage-places.ts';

export interface MaintenanceWorld {
  /** What relative names of directories are relative to. */
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
}

const usage = `graticule storage copy --from DIR|URL --to DIR|URL
    Copies everything into an empty storage: records with their history, files and granules, under the same numbers.
graticule storage migrate --storage DIR|URL
    Brings a storage up to date before servers of this version are started on it.
DIR is a data directory, URL an address such as postgres://user@host/database?schema=graticule. No server may run on them.
`;

/** Ends the command in one sentence. */
class Refused extends Error {}

/** Gives the exit code. */
export async function runStorageCommand(words: readonly string[], world: MaintenanceWorld): Promise<number> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || rest.includes('--help') || name === '--help') {
      world.print(usage);
      return name === undefined ? 1 : 0;
    }
    if (name === 'copy') await copy(optionsIn(rest, ['from', 'to']), world);
    else if (name === 'migrate') await migrate(optionsIn(rest, ['storage']), world);
    else throw new Refused(`There is no command 'storage ${name}'; there are storage copy and storage migrate.`);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    world.say(`graticule: ${error.message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`);
    return 1;
  }
}

type Options<N extends string> = Readonly<Record<N, string>>;

function optionsIn<N extends string>(words: readonly string[], names: readonly N[]): Options<N> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  let values: Readonly<Record<string, unknown>>;
  try {
    values = parseArgs({ args: [...words], options, strict: true }).values;
  } catch (error) {
    throw new Refused(
      `${error instanceof Error ? error.message.split(/\.\s/)[0] : error}; --help tells what it takes.`,
    );
  }
  const missing = names.find((name) => typeof values[name] !== 'string');
  if (missing !== undefined) throw new Refused(`--${missing} is missing; --help tells what it takes.`);
  return values as Options<N>;
}

function placeIn(text: string, option: string, world: MaintenanceWorld): StoragePlace {
  const place = parseStoragePlace(text, world.folder);
  // What it is may hold a password.
  if (place === undefined) throw new Refused(`--${option} is neither a directory nor an address of a PostgreSQL.`);
  return place;
}

async function migrate({ storage }: Options<'storage'>, world: MaintenanceWorld): Promise<void> {
  const place = placeIn(storage, 'storage', world);
  const position = await orRefused(`--storage ${place.shown} cannot be brought up to date`, migrateStorage(place));
  world.print(`${place.shown} is up to date; its last change is ${position}.\n`);
}

async function copy({ from, to }: Options<'from' | 'to'>, world: MaintenanceWorld): Promise<void> {
  const [origin, destination] = [placeIn(from, 'from', world), placeIn(to, 'to', world)];
  const source = await orRefused(`--from ${origin.shown} cannot be copied`, openSource(origin));
  try {
    const target = await orRefused(`--to ${destination.shown} cannot be filled`, openTarget(destination));
    try {
      const granules = await orRefused(
        'The granules of mosaics cannot be copied',
        copyGranules(placeOf(origin), {
          ...placeOf(destination),
          ...(target.granulesFile === undefined ? {} : { file: target.granulesFile }),
        }),
      );
      const told = (message: string) => world.say(`${message}\n`);
      const copied = await orRefused(
        'The copy failed, and nothing of it was kept',
        copyStorage(source.opened, target.target, told),
      );
      const warnings = await warnOfEditedFiles(source.opened);
      await orRefused(`--to ${destination.shown} cannot be had`, target.finish());
      for (const warning of warnings) told(`Warning: ${warning}`);
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

function placeOf(place: StoragePlace) {
  return place.kind === 'directory'
    ? { file: join(place.directory, GRANULES_FILE) }
    : { config: place.place.config, schema: place.place.schema };
}

async function orRefused<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // What the database says, which a problem for clients leaves out.
    const told = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
    throw new Refused(`${what}: ${told instanceof Error ? told.message.replace(/\.$/, '') : String(told)}.`, {
      cause: error,
    });
  }
}
