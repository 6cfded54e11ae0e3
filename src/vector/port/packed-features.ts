/**
 * Features for rendering: coordinates in a few long arrays, which are transferred between threads without copying,
 * and only the required values.
 */
import type { Transferable } from 'node:worker_threads';
import type { StyleValue } from '../../filter/evaluate/evaluate.ts';
import { freeBytes } from '../../lib/files/free-bytes.ts';

export interface FeatureBatch {
  readonly count: number;
  /** Alternating x and y. */
  readonly ordinates: Float64Array;
  /** The end of each ring, line or point group, in positions. */
  readonly ends: Uint32Array;
  /** Whether a ring is an outer ring; its holes follow it. */
  readonly isOuter: Uint8Array;
  /** `SHAPE_FIELDS` numbers per geometry. */
  readonly shapes: Uint32Array;
  /** The values of each required attribute, by feature. */
  readonly columns: readonly (readonly StyleValue[] | Float64Array)[];
  readonly ids: readonly string[] | undefined;
}

/** The index of the feature in the batch, the index of the geometry attribute, its type, and the range of its rings. */
export const SHAPE_FIELDS = 5;

export const POINTS = 0;
export const LINES = 1;
export const POLYGONS = 2;
export type ShapeKind = typeof POINTS | typeof LINES | typeof POLYGONS;

/** Returns the arrays to transfer instead of copying. */
export function listTransferableArrays(batch: FeatureBatch): Transferable[] {
  return listArrays(batch).map(({ buffer }) => buffer as ArrayBuffer);
}

/** Must be called when the batch is no longer used. */
export function releaseBatch(batch: FeatureBatch): void {
  freeBytes(...listArrays(batch));
}

function listArrays({ ordinates, ends, isOuter, shapes, columns }: FeatureBatch) {
  return [ordinates, ends, isOuter, shapes, ...columns.filter((column) => column instanceof Float64Array)];
}
