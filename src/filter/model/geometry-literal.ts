/** A geometry literal of a filter or style, independent of the GML version. */

/** Two or three ordinates in the axis order as written. */
export type Position = readonly number[];

interface GeometryBase {
  readonly kind: 'geometry';
  /** The coordinate reference system as written; defaults to that of the data. */
  readonly srsName?: string | undefined;
}

export interface PointLiteral extends GeometryBase {
  readonly type: 'Point';
  readonly coordinates: Position;
}

export interface LineStringLiteral extends GeometryBase {
  readonly type: 'LineString';
  readonly coordinates: readonly Position[];
}

export interface PolygonLiteral extends GeometryBase {
  readonly type: 'Polygon';
  /** The outer ring followed by the holes; each ring is closed. */
  readonly coordinates: readonly (readonly Position[])[];
}

/** An axis-aligned box with its lower and upper corners. */
export interface EnvelopeLiteral extends GeometryBase {
  readonly type: 'Envelope';
  readonly coordinates: readonly [Position, Position];
}

export interface MultiGeometryLiteral extends GeometryBase {
  readonly type: 'MultiPoint' | 'MultiLineString' | 'MultiPolygon' | 'GeometryCollection';
  readonly members: readonly GeometryLiteral[];
}

export type GeometryLiteral =
  | PointLiteral
  | LineStringLiteral
  | PolygonLiteral
  | EnvelopeLiteral
  | MultiGeometryLiteral;
