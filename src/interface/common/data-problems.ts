/** The problems that any operation that opens the data of a store can cause. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';

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
  'mapping-refused',
  'mapping-too-large',
  'work-too-large',
  'work-too-slow',
  'work-refused',
  'path-invalid',
  'path-refused',
  'url-refused',
];

/** The same for raster data. */
export const rasterProblems: readonly ProblemCode[] = [
  'store-disabled',
  'store-unreachable',
  'raster-file-missing',
  'raster-file-unreadable',
  'raster-file-truncated',
  'raster-file-malformed',
  'raster-file-unsupported',
  'remote-file-changed',
  'raster-type-not-remote',
  'work-too-large',
  'work-too-slow',
  'work-refused',
  'path-invalid',
  'path-refused',
  'url-refused',
];
