/** Resources that are stored as their document describes them, because their data was unavailable. */
import { Problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';

/** Why a record was stored without verification. */
export interface Unverified {
  readonly code: string;
  readonly message: string;
}

/** The value of the index key of all unverified records. */
export const UNVERIFIED = 'unverified';

export function listUnverifiedKeys({ unverified }: { readonly unverified?: Unverified }): readonly string[] {
  return unverified === undefined ? [] : [UNVERIFIED];
}

/** Failures of data. Refused paths and URLs are no such failures: permission does not depend on the data. */
const dataFailures: ReadonlySet<string> = new Set<ProblemCode>([
  'store-disabled',
  'store-unreachable',
  'store-refuses',
  'vector-file-missing',
  'vector-file-unreadable',
  'vector-file-truncated',
  'vector-file-malformed',
  'vector-file-unsupported',
  'raster-file-missing',
  'raster-file-unreadable',
  'raster-file-truncated',
  'raster-file-malformed',
  'raster-file-unsupported',
  'mosaic-definition-invalid',
  'mosaic-empty',
  'mosaic-index-unreachable',
  'upload-without-data',
  'mapping-refused',
  'work-too-large',
  'work-too-slow',
  'path-invalid',
  'native-type-unknown',
  'native-coverage-unknown',
  'remote-layer-unknown',
  'virtual-table-refused',
  'virtual-table-unsupported',
  'attribute-unknown',
  'attribute-invalid',
  'coverage-dimension-invalid',
  'dimension-invalid',
]);

export function isDataFailure(error: unknown): error is Problem {
  return error instanceof Problem && dataFailures.has(error.code);
}

/** Returns the result of the verification, or the failure to store with the resource. Other errors are thrown. */
export async function verifyOrReport<T>(
  policy: UnverifiedPolicy,
  verify: () => Promise<T>,
): Promise<{ readonly verified: T } | { readonly unverified: Unverified }> {
  const attempt = async () => {
    try {
      return { verified: await verify() };
    } catch (error) {
      if (!isDataFailure(error)) throw error;
      return error;
    }
  };
  const outcome = policy.knownFailure ?? (await attempt());
  if (!(outcome instanceof Problem)) return outcome;
  policy.report(outcome);
  return { unverified: { code: outcome.code, message: outcome.message } };
}
