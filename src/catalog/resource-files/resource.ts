/** The files that clients see as a data directory: styles, templates, layouts, and files and uploads below `data`. */

import type { ReadableFile } from '../../lib/files/readable-file.ts';
import { isAdministrator, isAnonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { PALETTE_FOLDER } from '../kinds/style.ts';

/** The path segments; empty for the root. */
export type ResourcePath = readonly string[];

/** The target of a path. */
export type ResourceTarget =
  | { readonly kind: 'top' | 'workspaces' }
  /** In the folder of a workspace, or in the global one (null); the path is empty for the folder itself. */
  | { readonly kind: 'styles'; readonly workspace: string | null; readonly path: string }
  /**
   * In one of the global folders `templates` and `layouts` (null), with which the path begins, or in that of a
   * workspace, which has a folder for each store and, in it, for each type; the path contains the names from there on.
   */
  | { readonly kind: 'templates'; readonly workspace: string | null; readonly path: ResourcePath }
  | { readonly kind: 'data'; readonly path: ResourcePath };

export interface ResourceFolder {
  readonly kind: 'folder';
  /** Undefined for an empty folder that is not on the disk. */
  readonly modifiedAtMs?: number;
  readonly children: readonly ResourceChild[];
}

export interface ResourceChild {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface FileFacts {
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  readonly version: number;
}

export interface ResourceFile extends FileFacts {
  readonly kind: 'file';
  /** Returns the file with its metadata at the time of opening: it may have been replaced since. */
  open(): Promise<OpenedResource>;
}

export interface OpenedResource extends FileFacts {
  readonly file: ReadableFile;
}

export type ResourceEntry = ResourceFolder | ResourceFile;

/** Returns undefined for an invalid path. */
export function parseResourcePath(path: ResourcePath): ResourceTarget | undefined {
  const [first, second, third] = path;
  switch (first) {
    case undefined:
      return { kind: 'top' };
    case 'data':
      return { kind: 'data', path: path.slice(1) };
    case 'styles':
      return { kind: 'styles', workspace: null, path: path.slice(1).join('/') };
    // Palettes are files of the global style folder, so that all nodes have them.
    case PALETTE_FOLDER:
      return { kind: 'styles', workspace: null, path: path.join('/') };
    case 'templates':
    case 'layouts':
      return { kind: 'templates', workspace: null, path };
    case 'workspaces':
      if (second === undefined) {
        return { kind: 'workspaces' };
      }
      return third === 'styles'
        ? { kind: 'styles', workspace: second, path: path.slice(3).join('/') }
        : { kind: 'templates', workspace: second, path: path.slice(2) };
    default:
      return undefined;
  }
}

export function formatResourcePath(path: ResourcePath): string {
  return toPrintableFileName(path.join('/'));
}

export function createUnknownResourceProblem(path: ResourcePath) {
  return problem('resource-unknown', { path: formatResourcePath(path) });
}

/** The reach of the caller: administrators everywhere, workspace administrators within their workspaces. */
export interface ResourceAccess {
  readonly isAdministrator: boolean;
  canAccess(workspace: string): boolean;
  /** Throws a not-found problem, unless the catalog mode reveals hidden resources. */
  checkWorkspace(workspace: string, path: ResourcePath): void;
  /** Throws unless the caller is a full administrator. */
  checkAdministrator(): void;
}

export function createResourceAccess(principal: Principal, permissions: Permissions): ResourceAccess {
  const isEverywhere = isAdministrator(principal);
  const refusal = problem('role-missing', { role: ROLE_ADMINISTRATOR });
  const decideAdminAccess = (workspace: string) =>
    isAnonymous(principal) ? 'challenge' : permissions.decide({ workspace, layer: null }, 'admin');
  return {
    isAdministrator: isEverywhere,
    canAccess: (workspace) => isEverywhere || decideAdminAccess(workspace) === 'allow',
    checkWorkspace(workspace, path) {
      const decision = isEverywhere ? 'allow' : decideAdminAccess(workspace);
      if (decision !== 'allow') {
        throw decision === 'hide' ? createUnknownResourceProblem(path) : refusal;
      }
    },
    checkAdministrator() {
      if (!isEverywhere) {
        throw refusal;
      }
    },
  };
}
