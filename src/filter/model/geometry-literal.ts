/** A geometry written out in a style, free of the GML version it came in. */

/** Two ordinates or three, in the axis order they were written in. */
export type Position = readonly number[];

interface GeometryBase {
  readonly kind: 'geometry';
  /** The coordinate reference system as written; by default that of the data. */
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
  /** The outer ring first, then the holes; each ring is closed. */
  readonly coordinates: readonly (readonly Position[])[];
}

/** A box along the axes: its lower and its upper corner. */
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
