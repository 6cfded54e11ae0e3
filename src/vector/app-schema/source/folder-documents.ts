/** Reads the documents of a folder on demand. Reads are synchronous, so use it only in worker threads. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentFiles } from '../document-files.ts';
import { CACHE_FOLDER, COPIES_FOLDER } from './schema-cache.ts';

export interface DocumentFolder {
  /** No file outside this folder is read. */
  readonly folder: string;
  /** Copies of remote schemas; files in the folder take precedence. */
  readonly cache: string | undefined;
  /** Files on the disk of the server that the path gate allows, by document path. */
  readonly outside: ReadonlyMap<string, string>;
}

export interface FolderLimits {
  readonly maxDocumentBytes: number;
  readonly maxTotalBytes: number;
}

export function openFolderDocuments(place: DocumentFolder, limits: FolderLimits): DocumentFiles {
  const known = new Map<string, LocatedFile | undefined>();
  let totalBytes = 0;
  const locate = (path: string): LocatedFile | undefined => {
    if (!known.has(path)) known.set(path, findDocument(place, path));
    return known.get(path);
  };
  return {
    has: (path) => locate(path) !== undefined,
    get: (path) => {
      const found = locate(path);
      if (found === undefined) return undefined;
      if (found.bytes > limits.maxDocumentBytes) {
        throw problem('mapping-too-large', { what: `'${path}'`, limit: limits.maxDocumentBytes });
      }
      totalBytes += found.bytes;
      if (totalBytes > limits.maxTotalBytes) {
        throw problem('mapping-too-large', { what: 'All mappings and schemas together', limit: limits.maxTotalBytes });
      }
      return readFileSync(found.file);
    },
  };
}

/** Reads one schema of a folder asynchronously; returns undefined if it no longer exists. */
export async function readSchemaDocument(place: DocumentFolder, path: string): Promise<Uint8Array | undefined> {
  const found = findDocument(place, path);
  return found && readFile(found.file);
}

/** Whether the folder itself contains the document or a copy of it. */
export function isInFolder({ folder }: DocumentFolder, path: string): boolean {
  return findUploaded(folder, path) !== undefined;
}

interface LocatedFile {
  /** The real path, without symbolic links. */
  readonly file: string;
  readonly bytes: number;
}

function findDocument({ folder, cache, outside }: DocumentFolder, path: string): LocatedFile | undefined {
  const uploaded = findUploaded(folder, path);
  if (uploaded !== undefined) return uploaded;
  const file = outside.get(path);
  if (file !== undefined) return findFile(dirname(file), basename(file));
  const inCache = path.startsWith(`${CACHE_FOLDER}/`) ? path.slice(CACHE_FOLDER.length + 1) : undefined;
  return inCache === undefined || cache === undefined ? undefined : findFile(cache, inCache);
}

function findUploaded(folder: string, path: string): LocatedFile | undefined {
  return findFile(folder, path) ?? findFile(folder, `${COPIES_FOLDER}/${path}`);
}

/** A link that leaves the folder is ignored. */
function findFile(folder: string, path: string): LocatedFile | undefined {
  const written = join(folder, ...path.split('/'));
  const status = statSync(written, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) return undefined;
  const file = realpathSync(written);
  return file.startsWith(realpathSync(folder) + sep) ? { file, bytes: status.size } : undefined;
}
