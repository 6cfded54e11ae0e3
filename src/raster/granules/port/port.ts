/** The interface of a granule index: the images of a mosaic with their footprints and attributes. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { Geometry } from '../../../geometry/geometry.ts';

/** A date is a timestamp too, like `java.util.Date`; both have millisecond precision. */
export const granuleValueTypes = ['string', 'integer', 'long', 'float', 'double', 'date', 'timestamp'] as const;

export type GranuleValueType = (typeof granuleValueTypes)[number];

export type GranuleAttribute =
  | { readonly role: 'footprint'; readonly name: string; readonly crs: CrsReference }
  | { readonly role: 'location'; readonly name: string }
  | { readonly role: 'imageindex'; readonly name: string }
  | { readonly role: 'value'; readonly name: string; readonly type: GranuleValueType };

/** A dimension of the mosaic: one attribute with values, or two with the starts and the ends of ranges. */
export interface GranuleDomain {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  readonly attributes: readonly [string] | readonly [start: string, end: string];
}

/** The granules of one coverage of a mosaic. It has one footprint and one location, and at most one image index. */
export interface GranuleSchema {
  /** The name of the index in its mosaic, and the prefix of granule ids: `watertemp.1`. */
  readonly name: string;
  /** In the order that clients see. */
  readonly attributes: readonly GranuleAttribute[];
  readonly domains: readonly GranuleDomain[];
}

/** Timestamps are dates; a long is a number if that is exact, else a bigint. */
export type GranuleValue = string | number | bigint | Date | null;

export interface GranuleDraft {
  /** The location of its file, as the mosaic writes it. */
  readonly location: string;
  /** The index of the image in the file, from 0. Without an attribute for it, a file has one granule. */
  readonly imageindex: number;
  /** A polygon in the CRS of the schema. */
  readonly footprint: Geometry;
  /** Values by attribute name; absent means null. */
  readonly values: Readonly<Record<string, GranuleValue>>;
}

export interface Granule extends GranuleDraft {
  /** Never reused in the index: `watertemp.1`. */
  readonly id: string;
}

export interface GranuleQuery {
  /** Resolved against `toFilterSchema` of the schema. */
  readonly filter?: ResolvedFilter;
  readonly limit?: number;
  readonly offset?: number;
}

/** The granules of one coverage in insertion order. */
export interface GranuleIndex {
  readonly schema: GranuleSchema;
  /** Reads batches on demand; stops when the consumer does. */
  list(query: GranuleQuery, signal: AbortSignal): AsyncIterable<readonly Granule[]>;
  find(id: string, signal: AbortSignal): Promise<Granule | undefined>;
  count(filter: ResolvedFilter | undefined, signal: AbortSignal): Promise<number>;
  /** Returns the bounds of the footprints that `list` would return; undefined if there are none. */
  findBounds(query: GranuleQuery, signal: AbortSignal): Promise<Bounds | undefined>;
  /** Returns the lowest and the highest value of an attribute; undefined if all are null. */
  findExtremes(attribute: string, signal: AbortSignal): Promise<readonly [GranuleValue, GranuleValue] | undefined>;
  /** Returns the first distinct non-null values in sort order. */
  listDistinct(attribute: string, limit: number, signal: AbortSignal): Promise<readonly GranuleValue[]>;
}

/**
 * The indexes of one mosaic, which change together. Each change creates a version: the caller that commits a session
 * stores its version in the record of the mosaic, and readers use the version in the record.
 */
export interface MosaicIndex {
  /** The schema must have been passed to `createIndex` in this version or an earlier one. */
  open(schema: GranuleSchema, version: number): GranuleIndex;
  /**
   * Starts an atomic write session. Only one session per mosaic is open at a time; others wait. `currentVersion`
   * returns the version in the record and is called once the session has the lock; 0 means an index that was never
   * written.
   */
  startWriting(currentVersion: () => Promise<number>, signal: AbortSignal): Promise<GranuleSession>;
  /** Deletes all indexes permanently, once no record refers to them; does nothing if there are none. */
  drop(signal: AbortSignal): Promise<void>;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/**
 * A write session: nothing is visible before `commit`. `commit` makes it durable, and the caller then stores `version`
 * in the record; only after that, or after a failure, it calls `end`, which releases the lock and rolls back whatever
 * was not committed.
 */
export interface GranuleSession {
  /** The version in the record when the session started. */
  readonly base: number;
  /** The version for the record after the change. */
  readonly version: number;
  /** Creates an empty index; an existing one of that name must have the same schema. */
  createIndex(schema: GranuleSchema): Promise<void>;
  /**
   * Adds granules to an index. They replace all granules of their locations from before the session, and those of the
   * session at the same location: harvesting again never creates duplicates.
   */
  add(schema: GranuleSchema, granules: readonly GranuleDraft[]): Promise<void>;
  /** Removes the granules of these locations from before the session; does nothing if the index does not exist. */
  removeFormer(schema: GranuleSchema, locations: readonly string[]): Promise<void>;
  /** Removes granules that match the filter, or all, and returns their number. */
  remove(schema: GranuleSchema, filter: ResolvedFilter | undefined): Promise<number>;
  /** Returns an index as the session sees it. */
  read(schema: GranuleSchema): GranuleIndex;
  /** Returns the locations that granules of these indexes still have, as the session sees them. */
  findUsedLocations(schemas: readonly GranuleSchema[], locations: readonly string[]): Promise<ReadonlySet<string>>;
  commit(): Promise<void>;
  /** Discards everything, also after a failed commit. */
  rollback(): Promise<void>;
  end(): Promise<void>;
}
