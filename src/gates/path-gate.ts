/** Resolves paths that clients send. All such paths pass through here. */
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
  /** The base of relative paths; contains files of the server. */
  readonly dataDir: string;
  /** If not empty, paths outside of them are rejected for all users. */
  readonly externalRoots: readonly string[];
  readonly limits: WalkLimits;
}

export interface ResolvedPath {
  /** Without links. Use only this path: the path of the client can lead elsewhere a moment later. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

export type ExpectedKind = 'file' | 'folder' | 'either';

export interface PathGate {
  /** Resolves a path or `file:` URL if the principal may use it; it need not exist. */
  resolveAllowed(text: string, principal: Principal): Promise<string>;
  /** Resolves an existing path or `file:` URL, or throws `path-invalid` or `path-refused`. Does not change the disk. */
  resolve(text: string, principal: Principal, wanted: ExpectedKind): Promise<ResolvedPath>;
  /** Lists the files in a resolved folder, without links. */
  walk(
    folder: ResolvedPath,
    options?: { readonly signal?: AbortSignal; readonly skipped?: (path: string) => void },
  ): AsyncIterable<WalkedFile>;
}

/** Interfaces to the running system, not files: one of them contains the environment with its passwords. */
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

/** Rejects invalid values of the `filename` parameter. */
export function checkFileName(name: string, maxBytes?: number): void {
  const reason = findFileNameFault(name, maxBytes);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason, field: 'filename' });
  }
}

/** Formats a path for an error message, without credentials. */
function formatClientPath(text: string): string {
  return toPrintableFileName(text.replace(/\/\/[^/]*@/, '//'));
}

interface PathTarget {
  /** Without links, as far as it exists. */
  readonly path: string;
  readonly exists: boolean;
}

async function resolveAllowedTarget(options: PathGateOptions, text: string, principal: Principal): Promise<PathTarget> {
  const written = parseClientPath(text, options.dataDir);
  if ('objection' in written) {
    throw problem('path-invalid', { path: formatClientPath(text), reason: written.objection });
  }
  const place = await resolveTarget(written.path);
  // Check permissions before existence, so that unauthorized clients learn nothing.
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
    throw createInvalidPath('the server has no permission to read it');
  }
  return { path: place.path, kind };
}

/** The same limit as in Linux. */
const MAX_LINKS = 40;

/** Resolves all links; missing parts of the path are appended unchanged. */
async function resolveTarget(path: string, links = 0): Promise<PathTarget> {
  try {
    return { path: await realpath(path), exists: true };
  } catch {
    const above = dirname(path);
    if (above === path) {
      return { path, exists: false };
    }
    const folder = (await resolveTarget(above, links)).path;
    // A dangling link counts as its target: a file created under this name would be created there.
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
    return principal.roles.has(ROLE_ADMINISTRATOR) ? undefined : 'only administrators can use paths on the server';
  }
  const roots = await Promise.all(externalRoots.map((root) => realpath(root).catch(() => undefined)));
  return roots.some((root) => root !== undefined && isAtOrBelow(path, root))
    ? undefined
    : 'it is outside the allowed external roots';
}

async function findOwnershipRefusal(own: ServerOwnedPaths, path: string): Promise<string | undefined> {
  if (systemFolders.some((folder) => isAtOrBelow(path, folder))) {
    return 'it belongs to the operating system';
  }
  if (await own.isOwn(path)) {
    return 'it is a file of the server';
  }
  // A permitted folder is walked, so the data directory and its parents are rejected.
  return (await own.containsOwn(path)) ? 'it contains files of the server' : undefined;
}

async function isReadable(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  try {
    await access(path, kind === 'file' ? constants.R_OK : constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
