/** Decodes geometries in documents: GeoJSON with an optional crs member, and legacy coordinate pairs. */
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { type DocumentArray, type DocumentNode, type DocumentObject, listFields, listItems } from './document.ts';

/** The default CRS of GeoJSON. */
export const GEOJSON_CRS = 'EPSG:4326';

/** The nesting limit of geometry collections. */
const MAX_DEPTH = 16;

const levels: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** Whether it has a GeoJSON type; its coordinates can still be invalid. */
export function isGeoJson(object: DocumentObject): boolean {
  const type = toText(object.get('type'));
  if (type === undefined) return false;
  const member = type === 'GeometryCollection' ? 'geometries' : Object.hasOwn(levels, type) ? 'coordinates' : undefined;
  return member !== undefined && object.get(member)?.kind === 'array';
}

/** Returns undefined for an invalid geometry. */
export function decodeGeoJson(object: DocumentObject, depth = 0): Geometry | undefined {
  const type = toText(object.get('type')) ?? '';
  if (type === 'GeometryCollection') return depth > MAX_DEPTH ? undefined : decodeCollection(object, depth);
  const coordinates = object.get('coordinates');
  const level = Object.hasOwn(levels, type) ? levels[type] : undefined;
  if (level === undefined || coordinates?.kind !== 'array') return undefined;
  const found: CollectedPositions = { ordinates: [], size: undefined, positions: 0, ends: [], parts: [] };
  if (!collect(coordinates, level, found, level)) return undefined;
  if (type === 'LineString' && found.positions > 0) found.ends.push(found.positions);
  return {
    type: type as Geometry['type'],
    dimension: found.size === 3 ? 'XYZ' : 'XY',
    ordinates: Float64Array.from(found.ordinates),
    ends: found.ends,
    parts: found.parts,
  };
}

function decodeCollection(object: DocumentObject, depth: number): Geometry | undefined {
  const list = object.get('geometries');
  if (list?.kind !== 'array') return undefined;
  const members: Geometry[] = [];
  for (const item of listItems(list)) {
    const member = item.kind === 'object' ? decodeGeoJson(item, depth + 1) : undefined;
    if (member === undefined) return undefined;
    members.push(member);
  }
  const dimension: Dimension = members[0]?.dimension ?? 'XY';
  return { type: 'GeometryCollection', dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
}

interface CollectedPositions {
  readonly ordinates: number[];
  /** The dimension of the first position, which applies to all. */
  size: 2 | 3 | undefined;
  positions: number;
  readonly ends: number[];
  readonly parts: number[];
}

/** Returns whether the whole array is valid. */
function collect(array: DocumentArray, level: number, found: CollectedPositions, whole: number): boolean {
  if (level === 0) return collectPosition(array, found, whole === 0);
  for (let index = 0; index < array.length; index += 1) {
    const item = array.at(index);
    if (item.kind !== 'array' || !collect(item, level - 1, found, whole)) return false;
    // Items at this level are rings and lines; an empty one has no end.
    if (level === 2 && item.length > 0) found.ends.push(found.positions);
    if (level === 3) found.parts.push(found.ends.length);
  }
  return true;
}

function collectPosition(array: DocumentArray, found: CollectedPositions, mayBeEmpty: boolean): boolean {
  if (array.length === 0) return mayBeEmpty;
  found.size ??= array.length >= 3 ? 3 : 2;
  for (let index = 0; index < found.size; index += 1) {
    const ordinate = array.length > index ? toNumber(array.at(index)) : index === 2 ? 0 : undefined;
    if (ordinate === undefined) return false;
    found.ordinates.push(ordinate);
  }
  found.positions += 1;
  return true;
}

/** Returns the CRS code of the crs member; undefined if it is missing or unknown. */
export function findGeoJsonCrs(object: DocumentObject): string | undefined {
  const crs = object.get('crs');
  const properties = crs?.kind === 'object' ? crs.get('properties') : undefined;
  const name = properties?.kind === 'object' ? toText(properties.get('name')) : undefined;
  return name === undefined ? undefined : parseCrsName(name);
}

/** Also supports the spelling of schemas, `urn:ogc:def:crs:EPSG:4326`, and the database's names for WGS 84. */
export function parseCrsName(name: string): string | undefined {
  if (/^urn:x-mongodb:crs:/i.test(name)) return GEOJSON_CRS;
  const [, code] = /^urn:ogc:def:crs:([a-z]+:\d{1,9})$/i.exec(name.trim()) ?? [];
  return parseCrsCode(code ?? name);
}

const abscissaNames = /^(?:x|lon|lng|long|longitude)$/i;
const ordinateNames = /^(?:y|lat|latitude)$/i;

/** Decodes a legacy point: two numbers, or an object with two named numbers. */
export function decodeLegacyPoint(node: DocumentNode): Geometry | undefined {
  const [x, y] = node.kind === 'array' ? readPair(node) : node.kind === 'object' ? readNamedPair(node) : [];
  if (x === undefined || y === undefined) return undefined;
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] };
}

function readPair(array: DocumentArray): readonly (number | undefined)[] {
  return array.length === 2 ? [toNumber(array.at(0)), toNumber(array.at(1))] : [];
}

function readNamedPair(object: DocumentObject): readonly (number | undefined)[] {
  if (object.listNames().length !== 2) return [];
  const fields = listFields(object);
  const x = fields.find(([name]) => abscissaNames.test(name));
  const y = fields.find(([name]) => ordinateNames.test(name));
  return x === undefined || y === undefined ? [] : [toNumber(x[1]), toNumber(y[1])];
}

function toNumber(node: DocumentNode): number | undefined {
  if (node.kind !== 'scalar') return undefined;
  const { value } = node;
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function toText(node: DocumentNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}
