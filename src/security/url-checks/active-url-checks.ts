/** The enabled URL checks, compiled, and never older than the last change. */

import type { LinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { getRevisionVersion } from '../core/revision.ts';
import { urlCheckKind, urlCheckSet } from './url-check.ts';
import { loadUrlCheckRegex } from './url-checks.ts';

export interface ActiveUrlCheck {
  readonly name: string;
  /** Whether the whole URL matches; `ifTooLong` (false) where it is too long for this check to be sure. */
  matches(url: string, ifTooLong?: boolean): boolean;
}

/**
 * Reading and compiling a thousand checks for every decision would take a thousand times as long as matching them. So
 * they are kept with the version of their set, and read again after a change of any of them, whoever made it.
 */
export function createActiveUrlChecks(
  catalog: Pick<CatalogReader, 'find' | 'list'>,
): () => Promise<readonly ActiveUrlCheck[]> {
  let kept: { readonly version: number; readonly checks: readonly ActiveUrlCheck[] } | undefined;
  let compiled: ReadonlyMap<string, LinearRegex> = new Map();

  return async () => {
    // Asked before the checks are read: a change in between makes the next one read again, not miss it.
    const version = await getRevisionVersion(catalog, urlCheckSet);
    if (kept?.version === version) {
      return kept.checks;
    }
    const enabled = (await catalog.list(urlCheckKind, null)).filter((check) => check.enabled);
    const regexes = new Map(enabled.map(({ regex }) => [regex, compiled.get(regex) ?? loadUrlCheckRegex(regex)]));
    const checks = enabled.map(({ name, regex }) => ({ name, matches: createMatcher(regexes.get(regex)) }));
    compiled = regexes;
    kept = { version, checks };
    return checks;
  };
}

/** A stored regex that an engine of later days refuses opens nothing, and keeps the others from nothing. */
function createMatcher(regex: LinearRegex | undefined): ActiveUrlCheck['matches'] {
  return (url, ifTooLong) => {
    try {
      return regex?.matches(url, ifTooLong) ?? false;
    } catch (error) {
      if (error instanceof Problem) {
        return false;
      }
      throw error;
    }
  };
}
