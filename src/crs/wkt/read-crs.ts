/** Reads a coordinate reference system from WKT 1 in the dialects of OGC and Esri. */
import type { CrsModel, GeocentricCrs, GeographicCrs, LinearUnit, ProjectedCrs } from '../model/crs-model.ts';
import { DEGREE_RADIANS } from '../model/crs-model.ts';
import type { Projection } from '../model/projection.ts';
import { readProjection } from './projection-spellings.ts';
import { findChildNode, readNodeNumber, readNodeText, type WktNode } from './wkt-node.ts';

/** Returns undefined for an incomplete tree or another type (local, WKT 2). */
export function readCrs(node: WktNode): CrsModel | undefined {
  const horizontal = getHorizontalPart(node);
  switch (horizontal.keyword) {
    case 'GEOGCS':
      return readGeographic(horizontal);
    case 'PROJCS':
      return readProjected(horizontal);
    case 'GEOCCS':
      return readGeocentric(horizontal);
    default:
      return undefined;
  }
}

/** Returns the horizontal part of a compound system, or the node itself. */
export function getHorizontalPart(node: WktNode): WktNode {
  if (node.keyword !== 'COMPD_CS' && node.keyword !== 'COMPOUNDCRS') return node;
  return node.children.find((child) => /^(PROJ|GEOG)/.test(child.keyword)) ?? node;
}

/** Returns the code of the whole definition in the text, such as EPSG:4326. */
export function readAuthority(node: WktNode): string | undefined {
  const authority = findChildNode(node, 'AUTHORITY', 'ID');
  const name = readNodeText(authority, 0);
  const code = readNodeText(authority, 1);
  if (name === undefined || code === undefined) return undefined;
  return /^[A-Za-z]+$/.test(name) && /^\d{1,9}$/.test(code) ? `${name.toUpperCase()}:${Number(code)}` : undefined;
}

/** Returns whether a geographic system has heights, in the dialect of Esri. */
export function hasHeights(node: WktNode): boolean {
  return findChildNode(node, 'LINUNIT') !== undefined;
}

function readGeocentric(node: WktNode): GeocentricCrs | undefined {
  const children = node.children.filter((child) => !['UNIT', 'AUTHORITY', 'AXIS'].includes(child.keyword));
  const base = readGeographic({ ...node, children });
  if (base === undefined) return undefined;
  const code = readAuthority(node);
  const unit = readLinearUnit(findChildNode(node, 'UNIT'));
  return { kind: 'geocentric', name: base.name, ...(code === undefined ? {} : { code }), base, unit };
}

function readGeographic(node: WktNode): GeographicCrs | undefined {
  const datum = findChildNode(node, 'DATUM');
  const spheroid = findChildNode(datum, 'SPHEROID', 'ELLIPSOID');
  const semiMajorMetres = readNodeNumber(spheroid, 1);
  const inverseFlattening = readNodeNumber(spheroid, 2);
  const name = readNodeText(node);
  if (name === undefined || semiMajorMetres === undefined || inverseFlattening === undefined) return undefined;
  if (!(semiMajorMetres > 0) || inverseFlattening < 0) return undefined;
  const unit = findChildNode(node, 'UNIT');
  const radians = readNodeNumber(unit, 1) ?? DEGREE_RADIANS;
  const meridian = findChildNode(node, 'PRIMEM');
  const toWgs84 = readShift(findChildNode(datum, 'TOWGS84'));
  const code = readAuthority(node);
  return {
    kind: 'geographic',
    name,
    ...(code === undefined ? {} : { code }),
    datum: readNodeText(datum) ?? '',
    ellipsoid: { name: readNodeText(spheroid) ?? '', semiMajorMetres, inverseFlattening },
    primeMeridian: {
      name: readNodeText(meridian) ?? 'Greenwich',
      // In degrees regardless of the unit, as the common writers do.
      longitudeDegrees: readNodeNumber(meridian, 1) ?? 0,
    },
    unit: { name: readNodeText(unit) ?? 'degree', radians },
    ...(toWgs84 === undefined ? {} : { toWgs84 }),
  };
}

function readProjected(node: WktNode): ProjectedCrs | undefined {
  const name = readNodeText(node);
  const geographic = findChildNode(node, 'GEOGCS');
  const base = geographic === undefined ? undefined : readGeographic(geographic);
  const method = readNodeText(findChildNode(node, 'PROJECTION'));
  if (name === undefined || base === undefined || method === undefined) return undefined;
  const unit = readLinearUnit(findChildNode(node, 'UNIT'));
  const written = new Map<string, number>();
  for (const parameter of node.children.filter((child) => child.keyword === 'PARAMETER')) {
    const key = readNodeText(parameter)?.toLowerCase().trim().replaceAll(' ', '_');
    const value = readNodeNumber(parameter, 1);
    if (key !== undefined && value !== undefined) written.set(key, normalizeParameter(key, value, base, unit));
  }
  const spelled = readProjection(isPseudoMercator(node) ? 'Mercator_Auxiliary_Sphere' : method, written);
  if (spelled === undefined) return undefined;
  const projection = isSouthFirst(node) ? toSouthWest(spelled) : spelled;
  const code = readAuthority(node);
  return { kind: 'projected', name, ...(code === undefined ? {} : { code }), base, projection, unit };
}

/** WKT 1 has no name for Web Mercator, so writers use Mercator with a PROJ extension. */
function isPseudoMercator(node: WktNode): boolean {
  const extension = findChildNode(node, 'EXTENSION');
  return (
    readNodeText(extension) === 'PROJ4' &&
    /\+proj=(?:webmerc|merc\b.*\+nadgrids=@null)/.test(readNodeText(extension, 1) ?? '')
  );
}

function isSouthFirst(node: WktNode): boolean {
  return readNodeText(findChildNode(node, 'AXIS'), 1)?.toUpperCase() === 'SOUTH';
}

/** Returns the projection with south and west oriented axes, if that variant is in use. */
export function toSouthWest(projection: Projection): Projection {
  const { method } = projection;
  return method === 'krovak' || method === 'cassini' ? { ...projection, method: `${method}, south west` } : projection;
}

function readLinearUnit(node: WktNode | undefined): LinearUnit {
  const metres = readNodeNumber(node, 1);
  return metres !== undefined && metres > 0
    ? { name: readNodeText(node) ?? 'unknown', metres }
    : { name: 'metre', metres: 1 };
}

function readShift(node: WktNode | undefined): readonly number[] | undefined {
  if (node === undefined || node.values.length === 0) return undefined;
  return Array.from({ length: 7 }, (_, index) => readNodeNumber(node, index) ?? 0);
}

/** Lengths are in the unit of the projection and angles in the unit of the base; scales have no unit. */
function normalizeParameter(key: string, value: number, base: GeographicCrs, unit: LinearUnit): number {
  if (key === 'false_easting' || key === 'false_northing') return value * unit.metres;
  if (/scale|type|option/.test(key)) return value;
  return toDegrees(value, base.unit.radians);
}

/** Values that are already in degrees stay unchanged to the last digit. */
function toDegrees(value: number, radians: number): number {
  return Math.abs(radians - DEGREE_RADIANS) < 1e-12 ? value : (value * radians) / DEGREE_RADIANS;
}
