/** The enabled URL checks, compiled, and never older than the last change. */

import type { LinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { getRevisionVersion } from '../core/security-state.ts';
import { urlCheckKind, urlCheckSet } from './url-check.ts';
import { loadUrlCheckRegex } from './url-checks.ts';

export interface ActiveUrlCheck {
  readonly name: string;
  /**
   * Returns whether the whole URL matches; returns `ifTooLong` (default false) for a URL that is too long for this
   * check.
   */
  matches(url: string, ifTooLong?: boolean): boolean;
}

/**
 * Reading and compiling the checks costs far more than matching them. So they are cached with the version of their set,
 * and read again after any of them changes.
 */
export function createActiveUrlChecks(
  catalog: Pick<CatalogReader, 'find' | 'list'>,
): () => Promise<readonly ActiveUrlCheck[]> {
  let kept: { readonly version: number; readonly checks: readonly ActiveUrlCheck[] } | undefined;
  let compiled: ReadonlyMap<string, LinearRegex> = new Map();

  return async () => {
    // Read the version before the checks: a change in between then causes a second read instead of being missed.
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

/** A stored regex that a later engine rejects matches nothing, and does not affect other checks. */
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
