/** Restores a verified backup into an empty storage. */
import { join } from 'node:path';
import { UnusableBackup } from '../../lib/backup/archive-reader.ts';
import { type GranuleLocation, writeGranules } from '../../raster/granules/copy/granule-copies.ts';
import { type CopyReport, copyStorage } from '../../storage/copy/copy-storage.ts';
import { openPostgresTarget } from '../../storage/copy/postgres-storage.ts';
import { openSqliteTarget } from '../../storage/copy/sqlite-storage.ts';
import type { CopySource, CopyTarget } from '../../storage/copy/tables.ts';
import { copiedTables } from '../../storage/copy/tables.ts';
import type { KindRules } from '../../storage/port/port.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { DATABASE_FILE, GRANULES_FILE } from '../settings/data-directory.ts';
import { type ArchiveChain, createArchiveSource, createGranuleReader } from './archive-chain.ts';
import { openRestoredDirectory } from './restored-directory.ts';
import { writeFiles } from './restored-files.ts';

export interface RestoreReport extends CopyReport {
  readonly granules: number;
  /** Files of the data directory. */
  readonly dataFiles: number;
  /** The folder of the contents that were replaced. */
  readonly replaced?: string | undefined;
}

export interface DirectoryTarget {
  readonly directory: string;
  readonly replace: boolean;
  readonly stamp: string;
}

export async function restoreToDirectory(chain: ArchiveChain, place: DirectoryTarget): Promise<RestoreReport> {
  const target = await openRestoredDirectory(place.directory, place);
  try {
    const { folder } = target;
    const rows = await openSqliteTarget({ directory: folder, database: join(folder, DATABASE_FILE) });
    const copied = await fillStorage(chain, { rows, granules: { file: join(folder, GRANULES_FILE) } });
    const dataFiles = writeFiles(chain, folder);
    return { ...copied, dataFiles, replaced: await target.finish() };
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

/** `filesTo` is the data directory of a node, for files outside the storage. */
export async function restoreToDatabase(
  chain: ArchiveChain,
  place: PostgresLocation,
  filesTo: DirectoryTarget | undefined,
): Promise<RestoreReport> {
  const files = filesTo && (await openRestoredDirectory(filesTo.directory, filesTo));
  try {
    const dataFiles = files === undefined ? 0 : writeFiles(chain, files.folder);
    const rows = await openPostgresTarget(place);
    const granules = { config: place.config, schema: place.schema };
    const copied = await fillStorage(chain, { rows, granules });
    return { ...copied, dataFiles, replaced: await files?.finish() };
  } catch (error) {
    await files?.abandon();
    throw error;
  }
}

/** Commits everything or nothing. Granules come first: without records that refer to them, they are ignored. */
async function fillStorage(
  chain: ArchiveChain,
  { rows, granules }: { readonly rows: CopyTarget; readonly granules: GranuleLocation },
): Promise<CopyReport & { readonly granules: number }> {
  try {
    const count = await writeGranules(createGranuleReader(chain), granules);
    return { ...(await copyStorage(createArchiveSource(chain), rows, () => undefined)), granules: count };
  } finally {
    await rows.close();
  }
}

/** Throws for records of a newer version of the program. */
export async function checkRecordVersions(source: CopySource, kinds: readonly KindRules[]): Promise<void> {
  const shapes = copiedTables.find(({ name }) => name === 'kind_shapes');
  if (shapes === undefined) throw new Error('The table of record versions is not copied');
  const supported = new Map(kinds.map(({ kind, bodyVersion }) => [kind, bodyVersion]));
  for await (const rows of source.readRows(shapes)) {
    for (const [kind, , version] of rows) {
      const known = supported.get(String(kind));
      if (known === undefined || Number(version) > known) {
        throw new UnusableBackup(
          `The backup contains records of kind '${kind}' in version ${version}, which this version of Graticule cannot read. Use the version that made the backup, or a later one.`,
        );
      }
    }
  }
}
