/** The state that a client expects a resource to have, checked within the transaction of the write. */
import { problem } from './problem.ts';

export interface Precondition {
  /** Versions the resource may have (`If-Match`); 'any' means it must exist. */
  readonly ifMatch?: ReadonlySet<number> | 'any';
  /** Versions the resource may not have (`If-None-Match`); 'any' means it must not exist. */
  readonly ifNoneMatch?: ReadonlySet<number> | 'any';
}

export const noPrecondition: Precondition = {};

/** Throws unless the precondition holds for a resource of this version; undefined means that it does not exist. */
export function checkPrecondition(precondition: Precondition, version: number | undefined): void {
  const { ifMatch, ifNoneMatch } = precondition;
  if (ifMatch !== undefined && !matchesVersion(ifMatch, version)) {
    throw problem('precondition-failed', { header: 'If-Match' });
  }
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, version)) {
    throw problem('precondition-failed', { header: 'If-None-Match' });
  }
}

function matchesVersion(versions: ReadonlySet<number> | 'any', version: number | undefined): boolean {
  if (version === undefined) {
    return false;
  }
  return versions === 'any' || versions.has(version);
}
