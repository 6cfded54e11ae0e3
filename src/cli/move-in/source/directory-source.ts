/** A data directory on this machine. */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { MoveInError } from '../report/move-in-error.ts';
import { findReasonToSkip, MAX_FILES, type Source, type Unvisited } from './source.ts';

/**
 * Lists the files of a directory. Links that lead out of it are not followed. Files are read synchronously: the command
 * does nothing else meanwhile, and hundreds of thousands of small files are read several times faster.
 */
export function openDirectory(path: string, kind: Source['kind'] = 'directory', label = basename(path)): Source {
  const root = runFileStep(path, () => realpathSync(path));
  const listing = new DirectoryListing(root);
  listing.addFolder('', root);
  const { files, unvisited, links } = listing;
  return {
    kind,
    label,
    // No file of a data directory names the version of the server.
    version: null,
    files: files.sort(),
    unvisited,
    directory: kind === 'directory' ? root : undefined,
    read: async (file, maxBytes) =>
      runFileStep(file, () => readPlainFile(links.get(file) ?? join(root, file), maxBytes)),
    locate: async (file) => links.get(file) ?? join(root, file),
    close: async () => undefined,
  };
}

class DirectoryListing {
  readonly files: string[] = [];
  readonly unvisited: Unvisited[] = [];
  /** The targets of links to files. */
  readonly links = new Map<string, string>();
  readonly #root: string;
  /** The real paths of entered directories, so that links cannot form a cycle. */
  readonly #entered = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  addFolder(path: string, real: string): void {
    if (this.#entered.has(real)) return;
    this.#entered.add(real);
    for (const entry of runFileStep(path, () => readdirSync(real, { withFileTypes: true }))) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      const target = entry.isSymbolicLink() ? this.#followLink(inner) : { type: entry, real: join(real, entry.name) };
      if (target !== undefined) this.#addEntry(inner, target, entry);
    }
  }

  #addEntry(path: string, { type, real }: LinkTarget, entry: Dirent): void {
    if (type.isDirectory()) {
      const reason = findReasonToSkip(path);
      if (reason === undefined) this.addFolder(path, real);
      else this.unvisited.push({ path, ...reason });
    } else if (type.isFile()) {
      this.files.push(path);
      if (entry.isSymbolicLink()) this.links.set(path, real);
      if (this.files.length > MAX_FILES) {
        throw new MoveInError('source-unreadable', `The source has more than ${MAX_FILES} files.`);
      }
    } else this.unvisited.push({ path, code: 'not-configuration', reason: 'It is neither a file nor a directory.' });
  }

  /** Returns undefined if the link is not followed. */
  #followLink(path: string): LinkTarget | undefined {
    const real = findRealPath(join(this.#root, path));
    if (real !== undefined && isInside(real, this.#root)) return { type: statSync(real), real };
    const reason = real === undefined ? 'The link leads nowhere.' : 'The link leads out of the source.';
    this.unvisited.push({ path, code: 'path-outside-source', reason });
    return undefined;
  }
}

interface LinkTarget {
  readonly type: Pick<Dirent, 'isFile' | 'isDirectory'>;
  readonly real: string;
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** A file that a link replaces after the listing is not read. */
function readPlainFile(path: string, maxBytes: number): Buffer | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error('it is not a file');
    return status.size > maxBytes ? undefined : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function runFileStep<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof MoveInError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MoveInError('source-unreadable', `Cannot read '${path}' of the source: ${reason}`);
  }
}
