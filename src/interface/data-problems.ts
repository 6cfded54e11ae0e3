/** The problems that every operation can end in that opens the data of a store. */
import type { ProblemCode } from '../lib/problem-kinds.ts';

export const dataProblems: readonly ProblemCode[] = [
  'store-disabled',
  'store-unreachable',
  'store-refuses',
  'store-kind-unknown',
  'store-parameter-invalid',
  'vector-file-missing',
  'vector-file-unreadable',
  'vector-file-truncated',
  'vector-file-malformed',
  'vector-file-unsupported',
  'charset-unknown',
  'path-invalid',
  'path-refused',
];
