/**
 * The uploaded files of a store. Clients see them as `file:data/<workspace>/<store>/1/…`. That is a name, not a path on
 * the disk: later uploads do not change it, and it refers only to the files of this store.
 */
import { basename, join, relative, sep } from 'node:path';
import { parseClientPath } from '../../gates/path-gate/client-path.ts';
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import { problem } from '../../lib/problems/problem.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { StoreFiles } from '../kinds/store.ts';

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
