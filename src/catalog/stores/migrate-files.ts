/**
 * Migrates the files of a data directory of version 0.1.0: uploads in `data/<workspace>/<store>/<number>/` and style
 * contents in `styles/`. They are hard-linked to their new location, then their old names are removed. Records do not
 * change, so ETags stay valid. After an interruption the next start completes the migration. Files without a record are
 * not touched.
 */
import { dirname, join } from 'node:path';
import { parseClientPath } from '../../gates/path-gate/client-path.ts';
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import type { Catalog } from '../../records/catalog.ts';
import { formatFileSet } from '../../records/files/file-sets.ts';
import type { Files } from '../../records/files/files.ts';
import { listStagedFiles } from '../../records/files/staged-files.ts';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import { isHash } from '../../storage/blobs/port.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';

export interface FileMigrationOptions {
  readonly catalog: Catalog;
  readonly files: Files;
  readonly dataDir: string;
  readonly disk?: Disk;
}

/** Exists when the migration is complete. The name is that of earlier versions. */
const MARKER = 'taken-over';

/** Returns the number of stores whose files were migrated. */
export async function migrateFiles(options: FileMigrationOptions): Promise<number> {
  const { catalog, files, dataDir, disk = realDisk } = options;
  const mark = join(dataDir, 'blobs', MARKER);
  if ((await disk.findEntry(mark)) !== undefined) {
    return 0;
  }
  const styles = await listStyleContents(disk, dataDir);
  await files.stored.blobs.putFiles(styles);
  const stores = await listAllStores(catalog);
  const taken = await migrateStoreFiles(options, stores);

  for (const { file } of styles) {
    await disk.removeFile(file);
    await disk.removeEmptyFolder(dirname(file));
  }
  await disk.removeEmptyFolder(join(dataDir, 'styles'));
  await removeFormerFolders(disk, dataDir, files, stores);

  await disk.makePrivateFolder(dirname(mark));
  await disk.writeDurably(mark, '');
  await disk.syncFolder(dirname(mark));
  return taken;
}

async function listAllStores(catalog: Catalog): Promise<readonly DataStore[]> {
  const stores: DataStore[] = [];
  for await (const piece of catalog.readAll(dataStoreKind)) {
    stores.push(...piece);
  }
  return stores;
}

/** The records already refer to sets (`data-store.ts`), which only have to be created. */
async function migrateStoreFiles(
  { dataDir, files }: FileMigrationOptions,
  stores: readonly DataStore[],
): Promise<number> {
  const { blobs, sets } = files.stored;
  let taken = 0;
  for (const { fileSet, filePlace } of stores) {
    if (fileSet === null || filePlace === null || (await sets.getState(fileSet)) === 'present') {
      continue;
    }
    const staged = await ignoreMissing(listStagedFiles(join(dataDir, filePlace)));
    if (staged !== undefined) {
      const hashed = await files.runFileOperation((keeper) => keeper.flush(staged));
      await blobs.putFiles(hashed);
      await sets.put(fileSet, Buffer.from(formatFileSet(hashed)));
      taken += 1;
    }
  }
  return taken;
}

/** Returns undefined for a missing folder. Other errors are thrown, so that the next start retries. */
async function ignoreMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  }
}

async function listStyleContents(
  disk: Disk,
  dataDir: string,
): Promise<readonly { readonly hash: string; readonly file: string }[]> {
  const folder = join(dataDir, 'styles');
  const found = [];
  for (const start of await disk.listNames(folder)) {
    for (const hash of await disk.listNames(join(folder, start))) {
      if (isHash(hash) && hash.startsWith(start)) {
        found.push({ hash, file: join(folder, start, hash) });
      }
    }
  }
  return found;
}

/** Removes only files that are in the set of their store, and keeps those that another store refers to. */
async function removeFormerFolders(
  disk: Disk,
  dataDir: string,
  files: Files,
  stores: readonly DataStore[],
): Promise<void> {
  for (const { id, fileSet, filePlace } of stores) {
    if (fileSet === null || filePlace === null || (await files.stored.sets.getState(fileSet)) !== 'present') {
      continue;
    }
    const folder = join(dataDir, filePlace);
    const isNamed = stores.some((other) => other.id !== id && isInsideFolder(other, dataDir, folder));
    if (isNamed || (await disk.findEntry(folder)) !== 'folder') {
      continue;
    }
    for (const { path } of await files.stored.readSetFiles(fileSet)) {
      await disk.removeFile(join(folder, path));
      await removeEmptyAbove(disk, join(folder, path), folder);
    }
    await removeEmptyAbove(disk, folder, join(dataDir, 'data'));
  }
}

function isInsideFolder({ parameters }: DataStore, dataDir: string, folder: string): boolean {
  return Object.values(parameters).some((text) => {
    const written = parseClientPath(text, dataDir);
    return 'path' in written && isAtOrBelow(written.path, folder);
  });
}

/** Removes empty folders above a path, up to `top`. */
async function removeEmptyAbove(disk: Disk, path: string, top: string): Promise<void> {
  if (path === top) {
    return;
  }
  await disk.removeEmptyFolder(path);
  for (let above = dirname(path); above !== top && isAtOrBelow(above, top); above = dirname(above)) {
    await disk.removeEmptyFolder(above);
  }
}
