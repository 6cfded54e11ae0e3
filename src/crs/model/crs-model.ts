/** The model of a coordinate reference system, which can be compared and written as WKT or for proj4. */
import type { Projection } from './projection.ts';

export interface Ellipsoid {
  readonly name: string;
  readonly semiMajorMetres: number;
  /** Zero for a sphere, as in WKT. */
  readonly inverseFlattening: number;
}

export interface PrimeMeridian {
  readonly name: string;
  readonly longitudeDegrees: number;
}

export interface AngularUnit {
  readonly name: string;
  readonly radians: number;
}

export interface LinearUnit {
  readonly name: string;
  readonly metres: number;
}

export interface GeographicCrs {
  readonly kind: 'geographic';
  readonly name: string;
  readonly code?: string;
  readonly datum: string;
  readonly ellipsoid: Ellipsoid;
  readonly primeMeridian: PrimeMeridian;
  readonly unit: AngularUnit;
  /** Three shifts in metres, three rotations in arc seconds (position vector), and a scale in parts per million. */
  readonly toWgs84?: readonly number[];
}

export interface ProjectedCrs {
  readonly kind: 'projected';
  readonly name: string;
  readonly code?: string;
  readonly base: GeographicCrs;
  readonly projection: Projection;
  readonly unit: LinearUnit;
}

/** Three lengths from the centre of the Earth: two of them do not define a position. */
export interface GeocentricCrs {
  readonly kind: 'geocentric';
  readonly name: string;
  readonly code?: string;
  /** The geographic system with the same datum. */
  readonly base: GeographicCrs;
  readonly unit: LinearUnit;
}

export type CrsModel = GeographicCrs | ProjectedCrs | GeocentricCrs;

export const DEGREE_RADIANS = Math.PI / 180;
