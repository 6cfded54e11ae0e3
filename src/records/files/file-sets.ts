/** A file set: the files of an upload as a list of path, hash and size. The list is itself stored under its hash. */
import type { Hash } from '../../storage/blobs/port.ts';

/** The hash of the list. Sets with the same files are the same set. */
export type FileSetId = Hash;

export interface SetFile {
  /** Relative to the folder of the set, with slashes. */
  readonly path: string;
  readonly hash: Hash;
  readonly bytes: number;
}

/** Returns the same text for the same files in any order. */
export function formatFileSet(files: readonly SetFile[]): string {
  const lines = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, hash, bytes }) => [path, hash, bytes]);
  return `${JSON.stringify({ files: lines })}\n`;
}

export function parseFileSet(text: string): readonly SetFile[] {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files)) {
    return value.files.map(parseSetFile);
  }
  throw new Error('The file set is malformed.');
}

function parseSetFile(line: unknown): SetFile {
  const [path, hash, bytes]: readonly unknown[] = Array.isArray(line) ? line : [];
  if (typeof path !== 'string' || typeof hash !== 'string' || typeof bytes !== 'number' || !isInside(path)) {
    throw new Error('The file set contains a malformed line.');
  }
  return { path, hash, bytes };
}

/** Lists are written by the server, but a damaged one must not lead outside its folder. */
function isInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
