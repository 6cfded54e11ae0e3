/** The interface of feature encoders; each format has a folder next to this one. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { TileLayer } from '../../tiles/vector/layer-writer.ts';
import type { QualifiedName } from '../../vector/port/mapping.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import type { ShapePlan } from '../../vector/query/shape-features.ts';
import type { PlacemarkStyle } from './placemark-style.ts';

/** The CRS of the coordinates and its name in the document. */
export interface WrittenCrs {
  /** For formats that contain a definition of the CRS. */
  readonly reference: CrsReference;
  /** The CRS name in the document, such as `urn:ogc:def:crs:EPSG::4326`; undefined if unknown. */
  readonly name?: string;
  /** Whether y is written before x. Input features always have x before y. */
  readonly isNorthFirst: boolean;
}

/** A type of a join: its part of the values of each row, which begins with the id of its feature. */
export interface TupleMember extends Pick<FeatureSet, 'typeName' | 'description' | 'crs'> {
  /** The position of the id; the values of the attributes follow. */
  readonly start: number;
}

/** The features of one query of a request, all of one type, or the rows of a join. */
export interface FeatureSet {
  /** The published name; files and their layers use the local part. */
  readonly typeName: QualifiedName;
  /** The attributes to write; each feature has a value for each of them in this order. */
  readonly description: FeatureTypeDescription;
  /** The types of a join, for formats that write a feature of each; the description has the attributes of all. */
  readonly tuple?: readonly TupleMember[];
  /** The CRS of all geometries of the features. */
  readonly crs: WrittenCrs;
  /** Ignores page limits; undefined if not counted. */
  readonly numberMatched?: number | undefined;
  /** For the page; undefined if it is known only after the features are read. */
  readonly numberReturned?: number;
  /** x before y, in the CRS of the features. */
  readonly bounds?: Bounds;
  /** Returns the style of a feature for formats that support it; undefined for the default of the viewer. */
  readonly findStyle?: (feature: Feature) => PlacemarkStyle | undefined;
  /** Sentences about the set, for formats that show them. */
  readonly note?: string;
  /** Features with public ids. Read once, when the encoder reaches the set. */
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** The features before shaping, so that shaping can run in the encoding thread; only one of the two is read. */
  readonly unshaped?: { readonly batches: AsyncIterable<readonly Feature[]>; readonly plan: ShapePlan };
}

export interface DocumentLink {
  /** Such as `next`, `previous` or `self`. */
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
}

/** The location of the schema of a namespace. */
export interface SchemaLocation {
  readonly uri: string;
  readonly location: string;
}

/** Options of the client, each for the formats that support it. */
export interface EncodingOptions {
  /** The maximum number of decimals of a coordinate; trailing zeros are omitted. */
  readonly decimals: number;
  /** The column separator of CSV; defaults to a comma. */
  readonly separator?: string;
  /** The charset of texts in a shapefile; defaults to UTF-8. */
  readonly charset?: string;
  /** Whether each GML feature has its bounds. */
  readonly hasFeatureBounds?: boolean;
  /** Whether each GML 3.1 feature has its own member element. */
  readonly hasMemberEach?: boolean;
  /** The frame of a vector tile. */
  readonly tile?: Omit<TileLayer, 'name' | 'attributes' | 'geometry'> & {
    /** The attributes of the layer of label points; undefined for no such layer. */
    readonly labels?: Pick<TileLayer, 'properties'> | undefined;
  };
  /** The lock of the features, for formats that write it (`writesLock`). */
  readonly lockId?: string;
  readonly kml?: KmlContent;
  readonly dxf?: DxfOptions;
}

/** The form of a DXF drawing. */
export interface DxfOptions {
  /** Whether every feature is a block that is inserted once. */
  readonly isAsBlocks?: boolean;
  /** AutoCAD colour numbers of the layers in order; repeated if there are more layers. */
  readonly colors?: readonly number[];
  /** Line types of the layers in order; lengths of dashes are positive, of gaps negative, and 0 is a dot. */
  readonly lineTypes?: readonly { readonly name: string; readonly lengths: readonly number[] }[];
  /** Names of the layers, one for each set. */
  readonly layers?: readonly string[];
  /** Whether a second layer has the values of each feature at a point of it. */
  readonly hasAttributes?: boolean;
}

/** The content of a KML document besides its features. */
export interface KmlContent {
  /** The name of the document. */
  readonly title?: string | undefined;
  /** KML elements of the document before its schemas, such as a region. */
  readonly head: string;
  /** KML elements before the placemarks, such as overlays and links. */
  readonly overlays: readonly string[];
  /** Whether placemarks without a description list their values in it. */
  readonly hasDescriptions: boolean;
  /** Whether placemarks have their values as schema data. */
  readonly hasExtendedData: boolean;
  /** Whether lines and polygons have a point, to which viewers attach icons and labels. */
  readonly hasPoints: boolean;
}

/** A document to be written. */
export interface FeatureCollection {
  /** One set per query, in request order. */
  readonly sets: readonly FeatureSet[];
  readonly timeStamp: Date;
  /**
   * Evaluated when they are written: before the features in GML, and after them in GeoJSON, when the last feature is
   * known.
   */
  readonly links: () => readonly DocumentLink[];
  /** For the namespaces of the types; encoders know those of the standards. */
  readonly schemaLocations: readonly SchemaLocation[];
  readonly options: EncodingOptions;
}

export interface FeatureEncoder {
  /**
   * Yields the document in chunks of tens of kilobytes. Chunks are created on demand and features are read only as
   * far as needed; reading ends when the caller stops or the signal aborts. The caller owns a chunk and can transfer
   * its buffer to another thread.
   */
  encode(collection: FeatureCollection, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Encodes a single feature as a document, from a collection with at most one feature; returns undefined if it is
   * empty. Absent in formats where this is an ordinary collection.
   */
  encodeFeature?(collection: FeatureCollection, signal: AbortSignal): Promise<Uint8Array | undefined>;
}
