/** What an index of granules offers: the pictures that a mosaic is made of, where each lies, and what it is a picture of. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { Geometry } from '../../../geometry/geometry.ts';

/** A date is a moment too, as `java.util.Date` is; both are kept to the millisecond. */
export const granuleValueTypes = ['string', 'integer', 'long', 'float', 'double', 'date', 'timestamp'] as const;

export type GranuleValueType = (typeof granuleValueTypes)[number];

export type GranuleAttribute =
  | { readonly role: 'footprint'; readonly name: string; readonly crs: CrsReference }
  | { readonly role: 'location'; readonly name: string }
  | { readonly role: 'imageindex'; readonly name: string }
  | { readonly role: 'value'; readonly name: string; readonly type: GranuleValueType };

/** A dimension of the mosaic: the attribute with its values, or those with the beginnings and the ends of ranges. */
export interface GranuleDomain {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  readonly attributes: readonly [string] | readonly [start: string, end: string];
}

/** The granules of one coverage of a mosaic. There is one footprint and one location, and at most one index of pictures. */
export interface GranuleSchema {
  /** Names the index among those of its mosaic; ids of granules begin with it: `watertemp.1`. */
  readonly name: string;
  /** In the order that clients see. */
  readonly attributes: readonly GranuleAttribute[];
  readonly domains: readonly GranuleDomain[];
}

/** Moments are dates; a long is a number where that is exact, else a bigint. */
export type GranuleValue = string | number | bigint | Date | null;

export interface GranuleDraft {
  /** Where its file is, as the mosaic writes it. */
  readonly location: string;
  /** Which picture of the file it is, counted from 0. Where the schema has no attribute for it, a file has but one granule. */
  readonly imageindex: number;
  /** A polygon in the system of the schema. */
  readonly footprint: Geometry;
  /** By the names of attributes; what is absent is null. */
  readonly values: Readonly<Record<string, GranuleValue>>;
}

export interface Granule extends GranuleDraft {
  /** Never given to another granule of the index: `watertemp.1`. */
  readonly id: string;
}

export interface GranuleQuery {
  /** Resolved against `filterSchemaOf` the schema. */
  readonly filter?: ResolvedFilter;
  readonly limit?: number;
  readonly offset?: number;
}

/** The granules of one coverage, in the order they came. */
export interface GranuleIndex {
  readonly schema: GranuleSchema;
  /** In batches, of which no more than one is kept; reading stops when the consumer does. */
  list(query: GranuleQuery, signal: AbortSignal): AsyncIterable<readonly Granule[]>;
  find(id: string, signal: AbortSignal): Promise<Granule | undefined>;
  count(filter: ResolvedFilter | undefined, signal: AbortSignal): Promise<number>;
  /** Around the footprints of what `list` would give; undefined where that is nothing. */
  findBounds(query: GranuleQuery, signal: AbortSignal): Promise<Bounds | undefined>;
  /** The least and the greatest value of an attribute; undefined where all are null. */
  findExtremes(attribute: string, signal: AbortSignal): Promise<readonly [GranuleValue, GranuleValue] | undefined>;
  /** The first of its values that are not null, each once, in their order. */
  listDistinct(attribute: string, limit: number, signal: AbortSignal): Promise<readonly GranuleValue[]>;
}

/**
 * The indexes of one mosaic, which change together. Each change makes a new version: whoever commits a session names its
 * version in the record of the mosaic, and readers read the version that the record names.
 */
export interface MosaicIndex {
  /** The schema is one that a session of this version or an earlier one has given to `createIndex`. */
  open(schema: GranuleSchema, version: number): GranuleIndex;
  /**
   * Begins to write, all or nothing. Only one session of a mosaic is open at a time, others wait. `currentVersion` tells
   * what the record names, and is asked when it is this session's turn; 0 stands for an index that has never been written.
   */
  startWriting(currentVersion: () => Promise<number>, signal: AbortSignal): Promise<GranuleSession>;
  /** Removes all its indexes for good, once no record names them; nothing happens where there are none. */
  drop(signal: AbortSignal): Promise<void>;
  /** Lets go of files and connections. */
  close(): Promise<void>;
}

/**
 * Granules on their way in and out: nobody sees any of it before `commit`. `commit` makes it durable, and the caller then
 * changes the record to name `version`; only after that, or after a failure, it calls `end`, which lets the next one in
 * and takes back whatever was not committed.
 */
export interface GranuleSession {
  /** What the record named when it began. */
  readonly base: number;
  /** What the record is to name from the change on. */
  readonly version: number;
  /** Makes an empty index; one of that name that is there already must have the same schema. */
  createIndex(schema: GranuleSchema): Promise<void>;
  /**
   * Puts granules into an index. All that were there of their locations before the session are replaced, and those that
   * the session itself has put there at the same place: harvesting something again never doubles it.
   */
  add(schema: GranuleSchema, granules: readonly GranuleDraft[]): Promise<void>;
  /** Removes what was there of these locations before the session; nothing where the index is not there. */
  removeFormer(schema: GranuleSchema, locations: readonly string[]): Promise<void>;
  /** Removes what fits the filter, or all; tells how many that were. */
  remove(schema: GranuleSchema, filter: ResolvedFilter | undefined): Promise<number>;
  /** An index as the session sees it. */
  read(schema: GranuleSchema): GranuleIndex;
  /** Which of the locations some granule of these indexes still has, as the session sees it. */
  findUsedLocations(schemas: readonly GranuleSchema[], locations: readonly string[]): Promise<ReadonlySet<string>>;
  commit(): Promise<void>;
  /** Takes everything back; after a commit that failed as well. */
  rollback(): Promise<void>;
  end(): Promise<void>;
}
