/** The part of the configuration that a request covers: everything, or the resources at and below some paths. */
import { problem } from '../../../lib/problems/problem.ts';
import { encodePath } from '../../changes/record-path.ts';

export interface Scope {
  /** Empty for everything. */
  readonly paths: readonly string[];
  /** Empty for all kinds. */
  readonly kinds: readonly string[];
}

export const everything: Scope = { paths: [], kinds: [] };

/** Normalizes the paths of a request and rejects invalid ones. */
export function createScope(paths: readonly string[], kinds: readonly string[] = []): Scope {
  return { paths: [...new Set(paths.map(normalisePath))].sort(), kinds };
}

export function isInScope({ paths, kinds }: Scope, kind: string, path: string): boolean {
  return (kinds.length === 0 || kinds.includes(kind)) && isAtOrBelow(paths, path);
}

export function isAtOrBelow(paths: readonly string[], path: string): boolean {
  return paths.length === 0 || paths.some((each) => each === '/' || path === each || path.startsWith(`${each}/`));
}

function normalisePath(written: string): string {
  const segments = written.split('/').slice(1);
  const decoded = segments.filter((segment) => segment !== '').map(decodeSegment);
  if (!written.startsWith('/') || decoded.includes(undefined)) {
    const expected = 'a path such as /workspaces/acme';
    throw problem('query-invalid', { parameter: 'path', value: written, expected, field: 'path' });
  }
  return encodePath(decoded.filter((segment) => segment !== undefined)) || '/';
}

/** An unencoded name stands for itself. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).isWellFormed() ? decodeURIComponent(segment) : undefined;
  } catch {
    return undefined;
  }
}
