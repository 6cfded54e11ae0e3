/** What a vector driver offers: its types, their description, their features, and new types where it is a database. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Dimension, Geometry, GeometryType } from '../../geometry/geometry.ts';
import type { ComplexFeature } from './complex-feature.ts';
import type { InternalStore } from './internal-stores.ts';
import type { QualifiedName } from './mapping.ts';
import type { FeatureBatch } from './packed-features.ts';
import type { SqlView } from './sql-view.ts';

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
  /** Where it does not follow from being nillable. */
  readonly minOccurs?: number;
  /** Where it is not 1; -1 has no limit. */
  readonly maxOccurs?: number;
} & (
  | {
      readonly kind: 'value';
      readonly type: ValueType;
      readonly maxLength?: number;
      /** What is in one that has attributes of its own; as a single value it is text. */
      readonly attributes?: readonly Attribute[];
    }
  | {
      readonly kind: 'geometry';
      readonly type: GeometryType;
      readonly dimension: Dimension;
      readonly crs: CrsReference;
    }
);

/** A type as a listing needs it: cheap, without looking at its data. */
export interface TypeSummary {
  readonly name: string;
  readonly hasGeometry: boolean;
  /** Whether it is in a part of the data that the main file only includes. */
  readonly isIncluded?: boolean;
}

export interface FeatureTypeDescription {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** The geometry attribute that a map draws; undefined for a table without one. */
  readonly defaultGeometry?: string;
  /** In the CRS of the default geometry; undefined when there is no feature with a geometry. */
  readonly bounds?: Bounds;
  /** Where the source knows it without counting. */
  readonly count?: number;
  /** Whether features have no key: their ids are numbers of an answer, and mean nothing outside of it. */
  readonly isKeyless?: true;
  /** Where features are more than their values. */
  readonly complex?: ComplexType;
  /** Why what is behind it could not be asked: all that is computed from data is missing then. */
  readonly unreachable?: string;
  /** What whoever publishes it should know, in sentences. */
  readonly warnings?: readonly string[];
}

/** What is known of features that have a content. */
export interface ComplexType {
  /** The elements that attributes are, by the names of these. */
  readonly elements: ReadonlyMap<string, ElementName>;
  /** What is deeper in them: conditions may look at it. Names are paths, such as `drilled/Event/by`. */
  readonly paths: readonly Attribute[];
}

export interface ElementName {
  readonly uri: string;
  readonly local: string;
}

/**
 * A long is a number where that is exact, else a bigint; a date is midnight of its day, UTC. A timestamp is a date of
 * milliseconds where that is exact, else its text in UTC (see `exact-moment.ts`); a decimal may be the text of its digits.
 */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null;

export interface Feature {
  readonly id: string;
  /** One for each attribute of the description, in its order. */
  readonly values: readonly (Value | Geometry)[];
  /** The document that it is made of, where the source keeps documents: its values are a flat view of that. */
  readonly document?: FeatureDocument;
  /** All there is in it, where attributes have attributes of their own: values then are a short form of it. */
  readonly content?: ComplexFeature;
  /** Where a page that ends with it goes on; only of sources that find such places again, in answers with a limit. */
  readonly key?: string;
}

/** What mappings ask of a document; paths have dots. */
export interface FeatureDocument {
  /** The first value at a path; null where there is none. */
  first(path: string): Value | Geometry;
  /** All of them, where arrays are on the way or at the end. */
  all(path: string): readonly (Value | Geometry)[];
  /** The documents in it at a path, each with where it lies, such as `measurements.0`. */
  nested(path: string): readonly { readonly key: string; readonly document: FeatureDocument }[];
}

/** What `read` is asked for. */
export interface ReadQuery {
  readonly limit?: number;
  /** Only of sources that say that they filter: exactly the features that fit it, counted after that. */
  readonly filter?: ResolvedFilter;
}

/** What `select` is asked for; the parts are taken one after the other, as they stand here. */
export interface SourceQuery {
  readonly filter?: ResolvedFilter;
  /** Features with equal values are in the order of the source, which is always the same. */
  readonly sort?: readonly SortKey[];
  /** Only what comes behind or before a feature, by the `key` that it had in an answer to a query with the same sort. Before it, features come backwards. */
  readonly start?: { readonly side: 'after' | 'before'; readonly key: string };
  readonly offset?: number;
  readonly limit?: number;
  /** Those whose values are wanted, in any order; others may be null, unless what is left undone looks at them. By default all are. */
  readonly attributes?: readonly string[];
  /** Whether somebody wants to know how many fit without offset and limit. */
  readonly isCounted?: true;
}

/** Values that are null come first, or last if descending; texts are in the order of their code points. */
export interface SortKey {
  readonly attribute: string;
  readonly isDescending?: boolean;
}

/** The layer of a vector tile that a source is asked to make by itself. */
export interface SourceTile {
  /** What it is called in the tile. */
  readonly layer: string;
  readonly filter?: ResolvedFilter;
  /** What is drawn, and the number by which EPSG knows the system that it is in. */
  readonly geometry: { readonly name: string; readonly epsg: number };
  /** The values that features have, with what they are called there; none of them is a geometry. */
  readonly attributes: readonly { readonly name: string; readonly as: string }[];
  /** The tile in its own system, and what is drawn in it of its neighbours, in units of the format. */
  readonly frame: {
    readonly epsg: number;
    readonly bounds: Bounds;
    readonly extent: number;
    readonly buffer: number;
    readonly pixels: number;
  };
  /** Where its features are, in the system of their geometries. */
  readonly box: Bounds;
  /** Where all features of the type are, as far as anybody knows: tells how many are to be expected in a tile. */
  readonly extent?: Bounds;
  /** Of more features than that, the larger ones and a sample of the others are shown. */
  readonly limit: number;
}

/** What is packed of features, by the names of attributes. */
export interface PackedAttributes {
  readonly geometries: readonly string[];
  readonly values: readonly string[];
  readonly hasIds: boolean;
  /** How far lines may be moved to have fewer positions, in units of their system; not at all by default. */
  readonly tolerance?: number;
}

/** Features on their way. */
export interface Selection {
  /** What the source left undone: whoever asked takes the features through this query yet. It never has a start. */
  readonly remainder: SourceQuery;
  /** Have to be read, or their signal given: what they come from is held for them. */
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** How many fit without offset and limit, once the first batch is there; absent where that takes a question of its own, or something is left undone. */
  matched?(): number | undefined;
}

/** What a database is asked to make. */
export interface NewFeatureType {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

/** Features on their way into a table, with what each of their values is. */
export interface IncomingFeatures extends NewFeatureType {
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** Told whenever something was done, also where no features are asked for meanwhile. */
  readonly progress?: () => void;
}

/** Values for some attributes of one type, with what they are; they go by the names of the attributes. */
export interface NewValues {
  readonly attributes: readonly Attribute[];
  readonly values: readonly (Value | Geometry)[];
}

/** Changes to features of types that are there. What fits no column is a Problem, and so is a type whose rows have no key. */
export interface FeatureEdits {
  /** Attributes that are not named take their defaults. Tells the new ids, in the order of the features. */
  insert(name: string, features: readonly NewValues[]): Promise<readonly string[]>;
  /** Gives the same values to all that fit; tells their ids. */
  update(name: string, changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]>;
  /** Takes out all that fit; tells the ids they had. */
  remove(name: string, filter: ResolvedFilter): Promise<readonly string[]>;
  /** Those that fit, as the session sees them; nobody else changes them before it ends. */
  find(name: string, filter: ResolvedFilter): Promise<readonly Feature[]>;
}

/**
 * Tables and features that are being written: nobody else sees any of it before `commit`, and nothing of it is left after
 * `rollback`. One of the two must be called; after a failure only `rollback` may be.
 */
export interface WriteSession extends FeatureEdits {
  /** Makes an empty table; a Problem if there is something of that name. */
  createType(type: NewFeatureType): Promise<void>;
  /**
   * Puts features into the table of that name, which is made if there is none, and emptied first if so wished; tells what
   * the table is called. Values go by the names of attributes; what fits no column is a Problem.
   */
  write(features: IncomingFeatures, mode: 'append' | 'overwrite'): Promise<string>;
  /** As the session sees it. */
  describe(name: string): Promise<FeatureTypeDescription | undefined>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A pool as an operator watches it. */
export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

export interface ApplicationSchemas {
  /** Undefined when there is no type of that name. */
  findSchema(name: string, signal: AbortSignal): Promise<TypeSchema | undefined>;
  /** A document of its own by its path, as it is; undefined when there is none. */
  findDocument(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

export interface TypeSchema {
  /** What features of the type are in documents. */
  readonly element: QualifiedName;
  /** The documents that say so, all of the namespace of the element. */
  readonly documents: readonly SchemaDocumentLocation[];
  /** The namespace of the GML that they build on; undefined where that does not show. */
  readonly gml?: string;
}

/** Where its author publishes it, or among the documents of the source. */
export type SchemaDocumentLocation = { readonly address: string } | { readonly path: string };

export interface VectorSource {
  /** All the types there are, ordered by name. */
  listTypes(signal: AbortSignal): Promise<readonly TypeSummary[]>;
  /** One type, with everything computed from its data; undefined when there is none of that name. */
  describe(name: string, signal: AbortSignal): Promise<FeatureTypeDescription | undefined>;
  /** Whether `read` takes a filter; of other sources whoever reads has to look at each feature. */
  readonly filters?: true;
  /** The features in batches, in the source's own order; reading stops when the consumer does. */
  read(name: string, query: ReadQuery, signal: AbortSignal): AsyncIterable<readonly Feature[]>;
  /** The same, with as much of a query as the source can do better than whoever reads it; absent where that is nothing. */
  select?(of: string | SqlView, query: SourceQuery, signal: AbortSignal): Promise<Selection>;
  /** Whether `select` may count all that fit with what it gives; it holds nothing then before that is read. */
  readonly countsAlong?: true;
  /** How many fit, where the source can tell without giving them; undefined where it cannot. */
  count?(of: string | SqlView, filter: ResolvedFilter | undefined, signal: AbortSignal): Promise<number | undefined>;
  /** What the statistics of the source make of that number, at no cost; undefined where there are none. */
  estimateCount?(
    of: string | SqlView,
    filter: ResolvedFilter | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined>;
  /** The rectangle around the default geometries that fit; undefined where the source cannot tell without giving them. */
  bounds?(
    of: string | SqlView,
    filter: ResolvedFilter | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly bounds: Bounds | undefined } | undefined>;
  /**
   * A layer of a vector tile, with what `select` would give there; no bytes where nothing is seen. Undefined where the source
   * cannot do it alike.
   */
  tile?(of: string | SqlView, tile: SourceTile, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * What `select` would give, packed for whoever draws it; where it is asked for what lies in boxes, features beside them may
   * be there too. Undefined where the source cannot do all of the query, or not sooner than by features.
   */
  pack?(
    of: string | SqlView,
    query: SourceQuery,
    attributes: PackedAttributes,
    signal: AbortSignal,
  ): Promise<AsyncIterable<FeatureBatch> | undefined>;
  /** A query as if it were a table; absent on sources that run no queries of clients. */
  describeView?(view: SqlView, signal: AbortSignal): Promise<FeatureTypeDescription>;
  /** The rows of a query as features; absent on sources that run no queries of clients. */
  readView?(view: SqlView, query: ReadQuery, signal: AbortSignal): AsyncIterable<readonly Feature[]>;
  /** Begins to write, all or nothing; absent on sources that are not databases. The signal ends the session. */
  startWriting?(signal: AbortSignal): Promise<WriteSession>;
  /** Copies the whole file as it is at one moment, also while others write it; absent on data that is not one file. */
  copyTo?(path: string, signal: AbortSignal): Promise<void>;
  /**
   * Whether all is there that the data itself refers to: a Problem if not. Tells in sentences what cannot be asked at the
   * moment. Absent on data that stands alone.
   */
  checkReferences?(signal: AbortSignal): Promise<readonly string[]>;
  /** The schemas that types follow which people have written down themselves; absent where types follow from the data. */
  readonly schemas?: ApplicationSchemas;
  /** The stores that a mapping takes its features from; absent on data that is no mapping. */
  internalStores?(signal: AbortSignal): Promise<readonly InternalStore[]>;
  /** The connections it keeps, where it keeps any. */
  connections?(): ConnectionCounts;
  /** Whether others wait for what readings of it keep: a connection, a thread, or a file that is to be written. */
  isAwaited?(): boolean;
  /** Lets go of connections and files. */
  close(): Promise<void>;
}
