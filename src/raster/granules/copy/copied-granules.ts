/** Granules in the form in which they go from one place that keeps them to another. */
import type { GranuleSchema } from '../port/port.ts';

export interface CopiedIndex {
  readonly mosaic: string;
  readonly schema: GranuleSchema;
  /** In the order of their ids. */
  readRows(): AsyncIterable<readonly CopiedGranule[]>;
}

/** The ids of its row and of itself, the versions that show it, and the columns of `rowColumns`, all as text; bytes as PostgreSQL writes them. */
export type CopiedGranule = readonly (string | null)[];

export type CopiedVersion = readonly [mosaic: string, version: number, madeAtMs: number];

export interface CopiedGranules {
  listVersions(): Promise<readonly CopiedVersion[]>;
  listIndexes(): Promise<readonly CopiedIndex[]>;
  /** Takes away what a copy has left that was cut off. */
  clear(): Promise<void>;
  addVersions(versions: readonly CopiedVersion[]): Promise<void>;
  addIndex(index: CopiedIndex): Promise<void>;
}
