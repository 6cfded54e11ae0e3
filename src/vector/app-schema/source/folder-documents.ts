/**
 * The documents in a folder, read when they are asked for. It keeps the thread that asks waiting, so it is for threads in
 * which nothing else waits.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentFiles } from '../document-files.ts';
import { CACHE_FOLDER } from './schema-cache.ts';

export interface DocumentFolder {
  /** Nothing outside of it is read. */
  readonly folder: string;
  /** Where the operator keeps copies of schemas; what the folder itself has comes first. */
  readonly cache: string | undefined;
}

export interface FolderLimits {
  readonly maxDocumentBytes: number;
  readonly maxTotalBytes: number;
}

export function openFolderDocuments({ folder, cache }: DocumentFolder, limits: FolderLimits): DocumentFiles {
  const known = new Map<string, LocatedFile | undefined>();
  let totalBytes = 0;
  const locate = (path: string): LocatedFile | undefined => {
    if (!known.has(path)) known.set(path, findDocument(folder, cache, path));
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

/** One schema of a folder, as it is, without keeping anybody waiting; undefined if it is there no more. */
export async function readSchemaDocument(
  { folder, cache }: DocumentFolder,
  path: string,
): Promise<Uint8Array | undefined> {
  const found = findDocument(folder, cache, path);
  return found && readFile(found.file);
}

interface LocatedFile {
  /** Without links. */
  readonly file: string;
  readonly bytes: number;
}

function findDocument(folder: string, cache: string | undefined, path: string): LocatedFile | undefined {
  const inCache = path.startsWith(`${CACHE_FOLDER}/`) ? path.slice(CACHE_FOLDER.length + 1) : undefined;
  const copy = inCache === undefined || cache === undefined ? undefined : findFile(cache, inCache);
  return findFile(folder, path) ?? copy;
}

/** A link that leads out of the folder leads nowhere. */
function findFile(folder: string, path: string): LocatedFile | undefined {
  const written = join(folder, ...path.split('/'));
  const status = statSync(written, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) return undefined;
  const file = realpathSync(written);
  return file.startsWith(realpathSync(folder) + sep) ? { file, bytes: status.size } : undefined;
}
