/** A data directory of another server, wherever it is. */
import type { SourceFacts } from '../report/format-report.ts';

export interface Source {
  readonly kind: SourceFacts['kind'];
  /** The last segment of its name, for the message of the change. */
  readonly label: string;
  /** The version of the source server; null if the source does not name it. */
  readonly version: string | null;
  /** The paths of all files that can contain configuration or data, with slashes, sorted. */
  readonly files: readonly string[];
  /** Directories, links and files that were not read, with the reason. */
  readonly unvisited: readonly Unvisited[];
  /** The absolute path of the directory; undefined if stores cannot refer to its files. */
  readonly directory: string | undefined;
  /** Returns undefined for a file that exceeds the limit. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Returns the path of a data file on this machine; absent if the source has no data files to copy. */
  locate?(path: string): Promise<string>;
  /** The password of the keystore, if the running source returns it. */
  readMasterPassword?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A data file that the source lists, but does not return. Its store keeps its path. */
export class FileUnavailableError extends Error {}

export interface Unvisited {
  readonly path: string;
  readonly code: 'path-outside-source' | 'not-configuration' | 'static-files' | 'file-unreadable';
  readonly reason: string;
}

/** More files than any real data directory has outside of its tile cache. */
export const MAX_FILES = 1_000_000;

/** Directories without configuration; some of them grow without a limit. */
const withoutConfiguration: ReadonlySet<string> = new Set([
  'logs',
  'demo',
  'validation',
  'plugIns',
  'images',
  'tmp',
  'temp',
  'monitoring',
  'wps-output',
]);

/** Returns why a directory is not entered; undefined if it is. */
export function findReasonToSkip(path: string): Omit<Unvisited, 'path'> | undefined {
  const [first = '', second] = path.split('/');
  if (path === 'www') return { code: 'static-files', reason: 'The server does not serve static files.' };
  if (withoutConfiguration.has(path)) return { code: 'not-configuration', reason: 'It contains no configuration.' };
  // Cached tiles are drawn again.
  if (first === 'gwc' && second !== undefined)
    return { code: 'not-configuration', reason: 'It contains cached tiles.' };
  return /(?:^|\/)\.(?:git|svn|hg)$/.test(path)
    ? { code: 'not-configuration', reason: 'It contains the history of files.' }
    : undefined;
}
