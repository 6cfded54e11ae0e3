/**
 * The uploaded files of a store. Clients see them as `file:data/<workspace>/<store>/1/…`, which is text and no place on
 * the disk: it stays the same whatever is uploaded later, and means the files of this one store only.
 */
import { basename, join, relative, sep } from 'node:path';
import { parseClientPath } from '../../gates/path-gate/client-path.ts';
import { isAtOrBelow } from '../../gates/path-gate/identity.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findFileNameFault } from '../../lib/text/file-name.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { StoreFiles } from '../kinds/store.ts';

/** Where clients see the files of a new store, relative to the data directory. */
export function formatFilePlace(workspaceName: string, storeName: string): string {
  return ['data', toStoredName(workspaceName), toStoredName(storeName), '1'].join('/');
}

/** A place in the data directory as stores name it. */
export function formatFileUrl(parts: readonly string[]): string {
  return `file:${parts.map(encodeURIComponent).join('/')}`;
}

/** Where the parameters say that the files of the store are: it may have had another name when it got them. */
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

/** The path inside the store's files that a parameter means; undefined for one that leads elsewhere. */
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

/** Files of the server itself can be lost as well: `named` is what a client knows them by. */
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
 * What the files and folders of a store are called: as it is itself, or as near to that as every system takes. Hardly longer
 * than the name, so that there is room for an ending. Two names may give one: that does no harm.
 */
export function toStoredName(name: string): string {
  if (findFileNameFault(name) === undefined) {
    return name;
  }
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_');
  // The names of devices are none whatever they hold.
  return findFileNameFault(plain) === undefined ? plain : `_${plain}`;
}
