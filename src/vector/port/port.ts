/** The vector port: types, descriptions, features, and writing for databases. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Dimension, Geometry, GeometryType } from '../../geometry/geometry.ts';
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';
import type { ZoomRange } from '../../lib/tile-archive/zoom-range.ts';
import type { ComplexFeature } from './complex-feature.ts';
import type { InternalStore } from './internal-stores.ts';
import type { QualifiedName } from './mapping.ts';
import type { FeatureBatch } from './packed-features.ts';
import type { SqlView } from './sql-view.ts';
import type { StatisticsRequest, ValueStatistics } from './value-statistics.ts';

export const valueTypes = [
  'string',
  'boolean',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'decimal',
  'date',
  'time',
  'timestamp',
  'bytes',
  'uuid',
] as const;

export type ValueType = (typeof valueTypes)[number];

export type Attribute = {
  readonly name: string;
  readonly nillable: boolean;
  /** Set if it does not follow from `nillable`. */
  readonly minOccurs?: number;
  /** Set if it is not 1; -1 means unbounded. */
  readonly maxOccurs?: number;
} & (
  | {
      readonly kind: 'value';
      readonly type: ValueType;
      readonly maxLength?: number;
      /** The attributes of a complex attribute, which is text as a single value. */
      readonly attributes?: readonly Attribute[];
    }
  | {
      readonly kind: 'geometry';
      readonly type: GeometryType;
      readonly dimension: Dimension;
      readonly crs: CrsReference;
    }
);

/** A type for listings, available without reading its data. */
export interface TypeSummary {
  readonly name: string;
  readonly hasGeometry: boolean;
  /** Whether it belongs to a file that the main file includes. */
  readonly isIncluded?: boolean;
}

/** A type for users who choose what to publish; fields are absent if the source does not know them without reading. */
export interface DetailedTypeSummary extends TypeSummary {
  readonly geometryType?: GeometryType;
  readonly crsCode?: string;
  readonly estimatedCount?: number;
}

export interface FeatureTypeDescription {
  readonly name: string;
  /** The description in the data. */
  readonly description?: string;
  /** The sources of the data that maps must name, as the data states them. */
  readonly attribution?: DataAttribution;
  readonly attributes: readonly Attribute[];
  /** The default geometry attribute; undefined for a table without geometries. */
  readonly defaultGeometry?: string;
  /** In the CRS of the default geometry; undefined if no feature has a geometry. */
  readonly bounds?: Bounds;
  /** Set if the source knows it without counting. */
  readonly count?: number;
  /** The zooms of its tiles; undefined unless the data is a tile archive. */
  readonly tileZooms?: ZoomRange;
  /** Whether features have no key: their ids are positions in a response and are not stable. */
  readonly isKeyless?: true;
  /** Set if features have nested content. */
  readonly complex?: ComplexType;
  /** The reason why the data is unreachable; values computed from data are then missing. */
  readonly unreachable?: string;
  /** Warnings for the publisher, as sentences. */
  readonly warnings?: readonly string[];
}

/** The description of features with nested content. */
export interface ComplexType {
  /** The element of each attribute. */
  readonly elements: ReadonlyMap<string, ElementName>;
  /** Nested paths such as `drilled/Event/by`, which conditions can use. */
  readonly paths: readonly Attribute[];
}

export interface ElementName {
  readonly uri: string;
  readonly local: string;
}

/**
 * A long is a number if that is exact, otherwise a bigint; a date is midnight UTC. A timestamp is a Date if
 * milliseconds are exact, otherwise its text in UTC (see `exact-moment.ts`); a decimal can be the text of its digits.
 */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null;

export interface Feature {
  readonly id: string;
  /** One value per attribute of the description, in order. */
  readonly values: readonly (Value | Geometry)[];
  /** The source document, of which the values are a flat view. */
  readonly document?: FeatureDocument;
  /** The complete content of a complex feature, of which the values are a short form. */
  readonly content?: ComplexFeature;
  /** The key of the next page after this feature; only for sources with page keys, in responses with a limit. */
  readonly key?: string;
}

/** Access to a document for mappings; paths use dots. */
export interface FeatureDocument {
  /** Returns the first value at a path, or null. */
  first(path: string): Value | Geometry;
  /** Returns all values at a path, including those in arrays. */
  all(path: string): readonly (Value | Geometry)[];
  /** Returns the nested documents at a path with their keys, such as `measurements.0`. */
  nested(path: string): readonly { readonly key: string; readonly document: FeatureDocument }[];
}

/** The query of `read`. */
export interface ReadQuery {
  readonly limit?: number;
  /** Only for sources with filter support; the limit applies after the filter. */
  readonly filter?: ResolvedFilter;
}

/** The query of `select`; its parts apply in this order. */
export interface SourceQuery {
  readonly filter?: ResolvedFilter;
  /** Features with equal values keep the order of the source, which is stable. */
  readonly sort?: readonly SortKey[];
  /**
   * Starts after or before a feature, by its `key` from a query with the same sort. Features before it are returned
   * in reverse order.
   */
  readonly start?: { readonly side: 'after' | 'before'; readonly key: string };
  readonly offset?: number;
  readonly limit?: number;
  /** The side of a pixel of a map in units of the default geometry's CRS; only for sources with `hasLevels`. */
  readonly resolution?: number;
  /** The attributes to return, in any order; others can be null unless the remainder uses them. Defaults to all. */
  readonly attributes?: readonly string[];
  /** Whether the number of matches without offset and limit is requested. */
  readonly isCounted?: true;
}

/** Nulls are first, or last if descending; texts sort by code points. */
export interface SortKey {
  readonly attribute: string;
  readonly isDescending?: boolean;
}

/** The layer of a vector tile for sources that create tiles themselves. */
export interface SourceTile {
  /** The layer name in the tile. */
  readonly layer: string;
  readonly filter?: ResolvedFilter;
  /** The drawn geometry and the EPSG code of its CRS. */
  readonly geometry: { readonly name: string; readonly epsg: number };
  /** The attributes with their names in the tile, without geometries. */
  readonly attributes: readonly { readonly name: string; readonly as: string }[];
  /** The tile in its own CRS, and its buffer in tile units. */
  readonly frame: {
    readonly epsg: number;
    readonly bounds: Bounds;
    readonly extent: number;
    readonly buffer: number;
    readonly pixels: number;
  };
  /** The area of its features, in the CRS of their geometries. */
  readonly box: Bounds;
  /** The known extent of the type, to estimate the number of features in a tile. */
  readonly extent?: Bounds;
  /**
   * For data around the Earth: shapes that jump over the antimeridian contain both meridians, and are wider than
   * `minWidth`. A tile with such a shape is not created.
   */
  readonly jumps?: { readonly west: number; readonly east: number; readonly minWidth: number } | undefined;
  /** Beyond this number the larger features and a sample of the others are drawn. */
  readonly limit: number;
  /** Beyond this size features are simplified and thinned. */
  readonly maxBytes: number;
}

/** The attributes to pack, by name. */
export interface PackedAttributes {
  readonly geometries: readonly string[];
  readonly values: readonly string[];
  readonly hasIds: boolean;
  /** The simplification tolerance in CRS units; defaults to none. */
  readonly tolerance?: number;
}

/** The result of `select`. */
export interface Selection {
  /** The part of the query that the caller must still apply. It never has a start. */
  readonly remainder: SourceQuery;
  /** Must be read or aborted, because it holds resources. */
  readonly batches: AsyncIterable<readonly Feature[]>;
  /**
   * The number of matches without offset and limit, available with the first batch; absent if it requires another
   * query or a remainder exists.
   */
  matched?(): number | undefined;
}

/** A type to create in a database. */
export interface NewFeatureType {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

/** Features to write, with the types of their values. */
export interface IncomingFeatures extends NewFeatureType {
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** Called for each step, also while no features are requested. */
  readonly progress?: () => void;
}

/** Values for some attributes of a type, by attribute name. */
export interface NewValues {
  readonly attributes: readonly Attribute[];
  readonly values: readonly (Value | Geometry)[];
}

/** Edits features of existing types. Throws a Problem if a value does not fit a column or the rows have no key. */
export interface FeatureEdits {
  /** Missing attributes have their defaults. Returns the new ids in the order of the features. */
  insert(name: string, features: readonly NewValues[]): Promise<readonly string[]>;
  /** Sets the same values in all matching features and returns their ids. */
  update(name: string, changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]>;
  /** Deletes all matching features and returns their ids. */
  remove(name: string, filter: ResolvedFilter): Promise<readonly string[]>;
  /** Returns the matching features as the session sees them and locks them until it ends. */
  find(name: string, filter: ResolvedFilter): Promise<readonly Feature[]>;
}

/**
 * A write transaction: changes are invisible to others before `commit`, and discarded by `rollback`. One of the two
 * must be called; after a failure only `rollback`.
 */
export interface WriteSession extends FeatureEdits {
  /** Creates an empty table; throws a Problem if the name exists. */
  createType(type: NewFeatureType): Promise<void>;
  /**
   * Writes features into a table, which is created if missing and emptied first in overwrite mode; returns the table
   * name. Values match columns by attribute name; values that do not fit throw a Problem.
   */
  write(features: IncomingFeatures, mode: 'append' | 'overwrite'): Promise<string>;
  /** Describes a type as the session sees it. */
  describe(name: string): Promise<FeatureTypeDescription | undefined>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** The state of a connection pool for monitoring. */
export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

export interface ApplicationSchemas {
  /** Returns undefined for an unknown type. */
  findSchema(name: string, signal: AbortSignal): Promise<TypeSchema | undefined>;
  /** Returns a document by its path, or undefined. */
  findDocument(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Returns the documents that the uploaded files lack, with the paths at which the upload can store them. */
  collectCopies(signal: AbortSignal): Promise<readonly DocumentCopy[]>;
}

export interface DocumentCopy {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface TypeSchema {
  /** The element of features in documents. */
  readonly element: QualifiedName;
  /** The schema documents, all in the namespace of the element. */
  readonly documents: readonly SchemaDocumentLocation[];
  /** The GML namespace that they use; undefined if unknown. */
  readonly gml?: string;
}

/** The public URL, or the path among the documents of the source. */
export type SchemaDocumentLocation = { readonly address: string } | { readonly path: string };

export interface VectorSource {
  /** Returns all types by name. */
  listTypes(signal: AbortSignal): Promise<readonly TypeSummary[]>;
  /** The same with what the source knows without reading its data. */
  listDetailedTypes?(signal: AbortSignal): Promise<readonly DetailedTypeSummary[]>;
  /** Describes a type including values computed from its data; returns undefined for an unknown name. */
  describe(name: string, signal: AbortSignal): Promise<FeatureTypeDescription | undefined>;
  /** Whether `read` supports a filter; otherwise the reader must evaluate it. */
  readonly filters?: true;
  /** Whether it has features for several resolutions and selects them by the resolution of a query. */
  readonly hasLevels?: true;
  /** Yields features in batches in source order; reading stops when the consumer stops. */
  read(name: string, query: ReadQuery, signal: AbortSignal): AsyncIterable<readonly Feature[]>;
  /** Like `read`, with the parts of a query that the source supports; absent if it supports none. */
  select?(of: string | SqlView, query: SourceQuery, signal: AbortSignal): Promise<Selection>;
  /** Whether `select` can count all matches while it reads; it holds no resources before that. */
  readonly countsAlong?: true;
  /** Counts the matches if the source can do so without returning them; undefined otherwise. */
  count?(of: string | SqlView, filter: ResolvedFilter | undefined, signal: AbortSignal): Promise<number | undefined>;
  /** Estimates the count from statistics without cost; undefined if there are none. */
  estimateCount?(
    of: string | SqlView,
    filter: ResolvedFilter | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined>;
  /**
   * Computes the bounds of the matching default geometries; undefined if the source cannot do so without returning
   * them.
   */
  bounds?(
    of: string | SqlView,
    filter: ResolvedFilter | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly bounds: Bounds | undefined } | undefined>;
  /**
   * Computes statistics of an attribute equivalent to those of the features of `select`; undefined if the source
   * cannot do so without returning them.
   */
  computeStatistics?(
    of: string | SqlView,
    request: StatisticsRequest,
    signal: AbortSignal,
  ): Promise<ValueStatistics | undefined>;
  /**
   * Creates a layer of a vector tile equivalent to `select`; empty if no feature is visible. Undefined if the source
   * cannot create an equivalent tile.
   */
  tile?(of: string | SqlView, tile: SourceTile, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * Like `select`, packed for rendering; for box queries, features outside the boxes can be included. Undefined if
   * the source does not support the whole query, or not faster.
   */
  pack?(
    of: string | SqlView,
    query: SourceQuery,
    attributes: PackedAttributes,
    signal: AbortSignal,
  ): Promise<AsyncIterable<FeatureBatch> | undefined>;
  /** Describes a query like a table; absent on sources without SQL views. */
  describeView?(view: SqlView, signal: AbortSignal): Promise<FeatureTypeDescription>;
  /** Reads the rows of a query as features; absent on sources without SQL views. */
  readView?(view: SqlView, query: ReadQuery, signal: AbortSignal): AsyncIterable<readonly Feature[]>;
  /** Starts a write transaction; absent on read-only sources. The signal aborts the session. */
  startWriting?(signal: AbortSignal): Promise<WriteSession>;
  /** Copies a consistent snapshot of the file while others write it; absent if the data is not one file. */
  copyTo?(path: string, signal: AbortSignal): Promise<void>;
  /**
   * Checks that all references of the data exist, and throws a Problem otherwise. Returns warnings for checks that
   * are not possible at the moment. Absent on standalone data.
   */
  checkReferences?(signal: AbortSignal): Promise<readonly string[]>;
  /** The application schemas of its types; absent if types follow from the data. */
  readonly schemas?: ApplicationSchemas;
  /** Lists the source stores of a mapping; absent on other data. */
  internalStores?(signal: AbortSignal): Promise<readonly InternalStore[]>;
  /** The connections of the source, if it has any. */
  connections?(): ConnectionCounts;
  /** Whether others wait for resources that reads hold: a connection, a thread, or a file to be written. */
  isAwaited?(): boolean;
  /** Closes connections and files. */
  close(): Promise<void>;
}
