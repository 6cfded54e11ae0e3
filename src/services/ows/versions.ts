/** Negotiates the version of a service. */
import { problem } from '../../lib/problems/problem.ts';

/** `2.0.2` corrected the text of WFS 2.0.0, and `1.1.1` that of WMS 1.1.0: they are the same on the wire. */
const equivalentVersions: ReadonlyMap<string, string> = new Map([
  ['2.0.2', '2.0.0'],
  ['1.1.0', '1.1.1'],
]);

/** The versions of a service, lowest first. */
export type SupportedVersions<V extends string> = readonly [V, ...V[]];

/**
 * For capabilities: the first accepted version. Without a list the nearest to the requested version, or the highest.
 */
export function negotiateVersion<V extends string>(
  spoken: SupportedVersions<V>,
  requested: { readonly version?: string | undefined; readonly acceptVersions?: readonly string[] | undefined },
): V {
  const accepted = requested.acceptVersions ?? [];
  if (accepted.length > 0) {
    for (const each of accepted) {
      const version = findSupportedVersion(spoken, each);
      if (version !== undefined) return version;
    }
    throw problem('ows-version-unknown', { asked: accepted, spoken, field: 'acceptVersions' });
  }
  const { version } = requested;
  if (version === undefined) return getHighestVersion(spoken);
  const numbers = parseVersionNumbers(version);
  if (numbers === undefined) throw createVersionProblem(spoken, version);
  return (
    findSupportedVersion(spoken, version) ??
    spoken.findLast((each) => isLower(parseVersionNumbers(each) ?? [], numbers)) ??
    spoken[0]
  );
}

/** For other operations: the requested version, or the highest. */
export function requireVersion<V extends string>(spoken: SupportedVersions<V>, version: string | undefined): V {
  if (version === undefined) return getHighestVersion(spoken);
  const known = findSupportedVersion(spoken, version);
  if (known === undefined) throw createVersionProblem(spoken, version);
  return known;
}

/** Returns the supported version for a text; undefined if it is not supported. */
export function findSupportedVersion<V extends string>(spoken: SupportedVersions<V>, text: string): V | undefined {
  const version = text.trim();
  return spoken.find((each) => each === version) ?? spoken.find((each) => each === equivalentVersions.get(version));
}

function getHighestVersion<V extends string>(spoken: SupportedVersions<V>): V {
  return spoken.at(-1) ?? spoken[0];
}

function createVersionProblem(spoken: readonly string[], value: string): Error {
  const expected = `expected one of ${spoken.join(', ')}`;
  return problem('ows-parameter-invalid', { parameter: 'version', value, expected, field: 'version' });
}

function parseVersionNumbers(version: string): readonly number[] | undefined {
  return /^\d{1,4}(?:\.\d{1,4}){0,2}$/.test(version.trim()) ? version.trim().split('.').map(Number) : undefined;
}

function isLower(one: readonly number[], other: readonly number[]): boolean {
  for (let place = 0; place < 3; place += 1) {
    const difference = (one[place] ?? 0) - (other[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
