/** Lists the files of a data directory that belong to a backup, besides the storage. */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { FONTS_FOLDER } from '../settings/data-directory.ts';
import type { DirectoryEntry } from './backup-source.ts';

/** Data that clients write or that stores refer to, the server key, fonts and pending purges. The rest is derived. */
const folders = ['data', 'security', FONTS_FOLDER, 'purges'];

/** Cached tiles are derived as well, but take long to draw again. */
const TILES = 'tile-cache';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Files below `data` that the server is writing. */
const partial = new RegExp(`^data/(?:.*/)?\\.(?:${uuid}-\\d+|work-[a-z0-9-]+-\\w{6})\\.part$`);

/** Files below `security` that the server is writing, and the key of a rotation in progress: the old one fits as well. */
const unfinishedKeys: ReadonlySet<string> = new Set([
  'security/server.key.new',
  'security/server.key.next',
  'security/server.key.next.new',
  'security/keystore.json.new',
]);

/** Returns whether a file is temporary, or belongs to a GeoPackage in the same folder, which is copied with it. */
function isSkipped(path: string, files: ReadonlySet<string>): boolean {
  const [, database] = /^(.*\.gpkg)-(?:journal|wal|shm)$/i.exec(path) ?? [];
  return unfinishedKeys.has(path) || partial.test(path) || (database !== undefined && files.has(database));
}

export function listDirectoryEntries(dataDir: string, includeTiles: boolean): readonly DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  for (const folder of includeTiles ? [...folders, TILES] : folders) addEntries(entries, dataDir, folder);
  return entries;
}

function addEntries(entries: DirectoryEntry[], dataDir: string, path: string): void {
  const found = listFolder(join(dataDir, path));
  if (found === undefined) return;
  entries.push({ kind: 'folder', path });
  const files = new Set(found.filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`));
  for (const entry of found) {
    const inner = `${path}/${entry.name}`;
    const file = join(dataDir, inner);
    if (hasInvalidName(entry.name, file)) entries.push({ kind: 'invalid name', path: inner });
    else if (entry.isDirectory()) addEntries(entries, dataDir, inner);
    else if (isSkipped(inner, files)) continue;
    else if (entry.isFile()) entries.push({ kind: 'file', path: inner, file });
    // A link can lead to terabytes on another disk, which have their own backup.
    else if (entry.isSymbolicLink()) entries.push({ kind: 'link', path: inner, target: readlinkSync(file) });
  }
}

/** Invalid UTF-8 is read as U+FFFD, a name that does not exist. */
function hasInvalidName(name: string, file: string): boolean {
  return name.includes('\ufffd') && lstatSync(file, { throwIfNoEntry: false }) === undefined;
}

/** Returns undefined for a folder that does not exist. */
function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
