/** The one place where a path that a client names becomes a path that the server opens. */
import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Principal, ROLE_ADMINISTRATOR } from '../lib/identity/principal.ts';
import { problem } from '../lib/problems/problem.ts';
import { findFileNameFault, toPrintableFileName } from '../lib/text/file-name.ts';
import { parseClientPath } from './path-gate/client-path.ts';
import { isAtOrBelow } from './path-gate/identity.ts';
import { loadServerOwnedPaths, type ServerOwnedPaths } from './path-gate/server-owned-paths.ts';
import { type WalkedFile, type WalkLimits, walkDirectory } from './path-gate/walk-directory.ts';

export type { WalkedFile } from './path-gate/walk-directory.ts';

export interface PathGateOptions {
  /** Where relative paths begin, and where the server's own files are. */
  readonly dataDir: string;
  /** If there are any, nothing outside of them may be named, by nobody. */
  readonly externalRoots: readonly string[];
  readonly limits: WalkLimits;
}

export interface ResolvedPath {
  /** Without links. To be used from now on: what the client wrote may lead elsewhere a moment later. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

export type ExpectedKind = 'file' | 'folder' | 'either';

export interface PathGate {
  /** Where a path or `file:` URL leads, if this principal may point there; whether anything is there is not asked. */
  resolveAllowed(text: string, principal: Principal): Promise<string>;
  /** Finds what a path or `file:` URL means, or throws `path-invalid` or `path-refused`. Nothing is changed on the disk. */
  resolve(text: string, principal: Principal, wanted: ExpectedKind): Promise<ResolvedPath>;
  /** The files in a folder that was resolved before; links are left out, wherever they lead. */
  walk(
    folder: ResolvedPath,
    options?: { readonly signal?: AbortSignal; readonly skipped?: (path: string) => void },
  ): AsyncIterable<WalkedFile>;
}

/** Windows into the running system, not files: one of them holds the environment with its passwords. */
const systemFolders = ['/proc', '/sys', '/dev'];

export function createPathGate(options: PathGateOptions): PathGate {
  return {
    resolveAllowed: async (text, principal) => (await resolveAllowedTarget(options, text, principal)).path,
    resolve: (text, principal, wanted) => resolvePath(options, text, principal, wanted),
    async *walk(folder, how = {}) {
      const own = await loadServerOwnedPaths(options.dataDir);
      yield* walkDirectory(folder.path, { limits: options.limits, isOwn: own.isOwnEntry, ...how });
    },
  };
}

/** Refuses what cannot be the `filename` of something a client creates. */
export function checkFileName(name: string, maxBytes?: number): void {
  const reason = findFileNameFault(name, maxBytes);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason, field: 'filename' });
  }
}

/** A path as it can be repeated to whoever wrote it. */
function formatClientPath(text: string): string {
  return toPrintableFileName(text.replace(/\/\/[^/]*@/, '//'));
}

interface PathTarget {
  /** Without links, as far as there is something. */
  readonly path: string;
  readonly exists: boolean;
}

async function resolveAllowedTarget(options: PathGateOptions, text: string, principal: Principal): Promise<PathTarget> {
  const written = parseClientPath(text, options.dataDir);
  if ('objection' in written) {
    throw problem('path-invalid', { path: formatClientPath(text), reason: written.objection });
  }
  const place = await resolveTarget(written.path);
  // Said before it is said whether anything is there: who may not look, learns nothing.
  const own = await loadServerOwnedPaths(options.dataDir);
  const refusal =
    (await findLocationRefusal(options, principal, place.path)) ?? (await findOwnershipRefusal(own, place.path));
  if (refusal !== undefined) {
    throw problem('path-refused', { path: formatClientPath(text), reason: refusal });
  }
  return place;
}

async function resolvePath(
  options: PathGateOptions,
  text: string,
  principal: Principal,
  wanted: ExpectedKind,
): Promise<ResolvedPath> {
  const place = await resolveAllowedTarget(options, text, principal);
  const createInvalidPath = (reason: string) => problem('path-invalid', { path: formatClientPath(text), reason });
  if (!place.exists) {
    throw createInvalidPath('it does not exist');
  }
  const status = await stat(place.path);
  if (!status.isFile() && !status.isDirectory()) {
    throw createInvalidPath('it is neither a file nor a folder');
  }
  const kind = status.isFile() ? 'file' : 'folder';
  if (wanted !== 'either' && wanted !== kind) {
    throw createInvalidPath(`it is a ${kind}, but a ${wanted} was expected`);
  }
  if (!(await isReadable(place.path, kind))) {
    throw createInvalidPath('the server may not read it');
  }
  return { path: place.path, kind };
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/** Where the path really leads; as far as there is something, what is missing is taken as it is written. */
async function resolveTarget(path: string, links = 0): Promise<PathTarget> {
  try {
    return { path: await realpath(path), exists: true };
  } catch {
    const above = dirname(path);
    if (above === path) {
      return { path, exists: false };
    }
    const folder = (await resolveTarget(above, links)).path;
    // A link to what is not there (yet) leads there all the same: whoever makes a file by that name makes it there.
    const target = await readlink(join(folder, basename(path))).catch(() => undefined);
    return target === undefined || links >= MAX_LINKS
      ? { path: join(folder, basename(path)), exists: false }
      : { path: (await resolveTarget(resolve(folder, target), links + 1)).path, exists: false };
  }
}

async function findLocationRefusal(
  { externalRoots }: PathGateOptions,
  principal: Principal,
  path: string,
): Promise<string | undefined> {
  if (externalRoots.length === 0) {
    return principal.roles.has(ROLE_ADMINISTRATOR) ? undefined : 'only administrators may name files of the server';
  }
  const roots = await Promise.all(externalRoots.map((root) => realpath(root).catch(() => undefined)));
  return roots.some((root) => root !== undefined && isAtOrBelow(path, root))
    ? undefined
    : 'it lies outside the folders that are open to clients';
}

async function findOwnershipRefusal(own: ServerOwnedPaths, path: string): Promise<string | undefined> {
  if (systemFolders.some((folder) => isAtOrBelow(path, folder))) {
    return 'it belongs to the operating system';
  }
  if (await own.isOwn(path)) {
    return 'it belongs to the server itself';
  }
  // Whoever is given the folder looks into it; so the data directory and all above it cannot be given.
  return (await own.containsOwn(path)) ? 'it holds files of the server itself' : undefined;
}

async function isReadable(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  try {
    await access(path, kind === 'file' ? constants.R_OK : constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
