/**
 * Features on their way to whoever draws them: coordinates one after the other in a few long arrays, which change hands
 * between threads at no cost, and only those values that are looked at.
 */
import type { Transferable } from 'node:worker_threads';
import type { StyleValue } from '../../filter/evaluate/evaluate.ts';
import { freeBytes } from '../../lib/files/free-bytes.ts';

export interface FeatureBatch {
  readonly count: number;
  /** x and y by turns. */
  readonly ordinates: Float64Array;
  /** Where each ring, line or group of points ends, counted in positions. */
  readonly ends: Uint32Array;
  /** Whether a ring is the first of its polygon; holes follow it. */
  readonly isOuter: Uint8Array;
  /** A geometry is `SHAPE_FIELDS` numbers. */
  readonly shapes: Uint32Array;
  /** The values of each attribute that is looked at, feature by feature. */
  readonly columns: readonly (readonly StyleValue[] | Float64Array)[];
  readonly ids: readonly string[] | undefined;
}

/** The place of its feature in the batch, which of the geometries of that it is, its kind, and where its rings begin and end. */
export const SHAPE_FIELDS = 5;

export const POINTS = 0;
export const LINES = 1;
export const POLYGONS = 2;
export type ShapeKind = typeof POINTS | typeof LINES | typeof POLYGONS;

/** What a thread is given rather than a copy of it. */
export function listTransferableArrays(batch: FeatureBatch): Transferable[] {
  return listArrays(batch).map(({ buffer }) => buffer as ArrayBuffer);
}

/** To be called by whoever has looked at all of it. */
export function releaseBatch(batch: FeatureBatch): void {
  freeBytes(...listArrays(batch));
}

function listArrays({ ordinates, ends, isOuter, shapes, columns }: FeatureBatch) {
  return [ordinates, ends, isOuter, shapes, ...columns.filter((column) => column instanceof Float64Array)];
}
