/** The interchange form of granules for copies between storages. */
import type { GranuleSchema } from '../port/port.ts';

export interface CopiedIndex {
  readonly mosaic: string;
  readonly schema: GranuleSchema;
  /** Reads in id order. */
  readRows(): AsyncIterable<readonly CopiedGranule[]>;
}

/**
 * The ids of its row and of the granule, the versions that include it, and the columns of `listRowColumns`, all as
 * text; bytes in PostgreSQL notation.
 */
export type CopiedGranule = readonly (string | null)[];

export type CopiedVersion = readonly [mosaic: string, version: number, madeAtMs: number];

export interface CopiedGranules {
  listVersions(): Promise<readonly CopiedVersion[]>;
  listIndexes(): Promise<readonly CopiedIndex[]>;
  /** Deletes the remains of an interrupted copy. */
  clear(): Promise<void>;
  addVersions(versions: readonly CopiedVersion[]): Promise<void>;
  addIndex(index: CopiedIndex): Promise<void>;
}
