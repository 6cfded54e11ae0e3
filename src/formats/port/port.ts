/** What every encoder of features is given, and what it gives; each format has a folder beside this file. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { TileLayer } from '../../tiles/vector/vector-tile.ts';
import type { QualifiedName } from '../../vector/port/mapping.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import type { ShapePlan } from '../../vector/query/shape-features.ts';
import type { PlacemarkStyle } from './placemark-style.ts';

/** The system that the coordinates are in, and how the document speaks of it. */
export interface WrittenCrs {
  /** For formats that hold a definition of it. */
  readonly reference: CrsReference;
  /** As it is spelled in the document, such as `urn:ogc:def:crs:EPSG::4326`; undefined where none is known. */
  readonly name?: string;
  /** Whether y is written before x. Features come x before y, whatever this says. */
  readonly isNorthFirst: boolean;
}

/** The features that one query of a request selects: all of one type. */
export interface FeatureSet {
  /** As it is published; the local part is also what files and layers in them are called. */
  readonly typeName: QualifiedName;
  /** The attributes that are written; each feature has a value for each of them, in this order. */
  readonly description: FeatureTypeDescription;
  /** Of all geometries of the features. */
  readonly crs: WrittenCrs;
  /** Without limits of the page; undefined where nobody counted. */
  readonly numberMatched?: number | undefined;
  /** Of the page; undefined where it is known only when they have been read. */
  readonly numberReturned?: number;
  /** x before y, in the system of the features. */
  readonly bounds?: Bounds;
  /** How a feature looks, for formats that tell it; undefined for as the reader likes. */
  readonly findStyle?: (feature: Feature) => PlacemarkStyle | undefined;
  /** Their ids are those that clients see. Read once, when the encoder comes to them. */
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** The same features before they are shaped, so that this can be done where they are encoded; one of the two is read. */
  readonly unshaped?: { readonly batches: AsyncIterable<readonly Feature[]>; readonly plan: ShapePlan };
}

export interface DocumentLink {
  /** Such as `next`, `previous` or `self`. */
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
}

/** Where the schema of a namespace is told. */
export interface SchemaLocation {
  readonly uri: string;
  readonly location: string;
}

/** What the reader of a document may wish for, each for the formats that have such a thing. */
export interface EncodingOptions {
  /** Most digits behind the point of a coordinate; zeros at the end are not written. */
  readonly decimals: number;
  /** Between the columns of CSV; a comma unless said otherwise. */
  readonly separator?: string;
  /** Of the texts in a shapefile; UTF-8 unless said otherwise. */
  readonly charset?: string;
  /** Whether each feature of GML has the box around it. */
  readonly hasFeatureBounds?: boolean;
  /** Whether each feature of GML 3.1 stands in an element of its own, and not all of them in one. */
  readonly hasMemberEach?: boolean;
  /** What a vector tile shows. */
  readonly tile?: Pick<TileLayer, 'bounds' | 'limit' | 'isKeyless'>;
}

/** A document to be written. */
export interface FeatureCollection {
  /** One for each query, in the order of the request. */
  readonly sets: readonly FeatureSet[];
  readonly timeStamp: Date;
  /** Asked when they are written: before the features in GML, after them in GeoJSON, when the last one is known. */
  readonly links: () => readonly DocumentLink[];
  /** Of the namespaces of the types; those of the standards are known to the encoders. */
  readonly schemaLocations: readonly SchemaLocation[];
  readonly options: EncodingOptions;
}

export interface FeatureEncoder {
  /**
   * The document in pieces of some tens of kilobytes. A piece is made when it is asked for, and features are read no
   * further than that; whoever stops asking, or gives the signal, ends the reading. A piece belongs to the caller, who may
   * transfer its buffer to another thread: the encoder does not look at it again.
   */
  encode(collection: FeatureCollection, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * One feature as a document of its own, taken from a collection that has no other; undefined where it has none. Absent
   * in formats in which that is a collection like any other.
   */
  encodeFeature?(collection: FeatureCollection, signal: AbortSignal): Promise<Uint8Array | undefined>;
}
