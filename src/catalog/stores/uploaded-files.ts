/**
 * The uploaded files of a store. Clients see them as `file:data/<workspace>/<store>/1/…`. That is a name, not a path on
 * the disk: later uploads do not change it, and it refers only to the files of this store.
 */
import { basename, join, relative, sep } from 'node:path';
import { parseClientPath } from '../../gates/path-gate/client-path.ts';
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findFileNameFault } from '../../lib/text/file-name.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { StoreFiles } from '../kinds/store.ts';

/** Returns the path, relative to the data directory, at which clients see the files of a new store. */
export function formatFilePlace(workspaceName: string, storeName: string): string {
  return ['data', toStoredName(workspaceName), toStoredName(storeName), '1'].join('/');
}

/** Formats a path in the data directory as a store URL. */
export function formatFileUrl(parts: readonly string[]): string {
  return `file:${parts.map(encodeURIComponent).join('/')}`;
}

/** Returns the path of the store's files from its parameters: the store may have been renamed since the upload. */
export function findFilePlace(parameters: Readonly<Record<string, string>>): string | undefined {
  for (const value of Object.values(parameters)) {
    const [, place] = /^file:(data\/[^/]+\/[^/]+\/\d+)(?:\/|$)/.exec(value) ?? [];
    if (place !== undefined) {
      return place.split('/').map(decodeSegment).join('/');
    }
  }
  return undefined;
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the path within the store's files that a parameter refers to; undefined for other locations. */
export function resolveInsideFiles(
  { fileSet, filePlace }: StoreFiles,
  dataDir: string,
  text: string,
): readonly string[] | undefined {
  if (fileSet === null || filePlace === null) {
    return undefined;
  }
  const written = parseClientPath(text, dataDir);
  const place = join(dataDir, filePlace);
  if ('objection' in written || !isAtOrBelow(written.path, place)) {
    return undefined;
  }
  return relative(place, written.path)
    .split(sep)
    .filter((part) => part !== '');
}

/** Files of the server itself can be lost as well: `named` is the name that the error shows. */
export async function convertMissingFileError<T>(
  files: Promise<T>,
  named: string,
  code: 'vector-file-missing' | 'raster-file-missing' = 'vector-file-missing',
): Promise<T> {
  try {
    return await files;
  } catch (error) {
    throw error instanceof BlobMissing ? problem(code, { file: basename(named) }) : error;
  }
}

/**
 * Converts a store name to a portable file name of nearly the same length, so that an extension fits. Two names may
 * have the same result, which is harmless.
 */
export function toStoredName(name: string): string {
  if (findFileNameFault(name) === undefined) {
    return name;
  }
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_');
  // Device names such as `con` are invalid file names on Windows.
  return findFileNameFault(plain) === undefined ? plain : `_${plain}`;
}
