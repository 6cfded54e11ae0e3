/** Reads the GeoJSON geometries of CQL2 JSON. */

import type { JsonTree } from '../../lib/json/tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { formatFoundCount } from '../../lib/text/wording.ts';
import type { EnvelopeLiteral, GeometryLiteral, Position } from '../model/geometry-literal.ts';
import { Cql2Error } from './operand.ts';

const partTypes = { MultiPoint: 'Point', MultiLineString: 'LineString', MultiPolygon: 'Polygon' } as const;

export function readGeoJson(tree: JsonTree, path: string): GeometryLiteral {
  const members = tree.kind === 'object' ? tree.members : new Map<string, JsonTree>();
  const type = members.get('type');
  const name = type?.kind === 'string' ? type.text : '';
  if (name === 'GeometryCollection') {
    const geometries = readItems(members.get('geometries'), `${path}.geometries`);
    const parts = geometries.map((each, index) => readGeoJson(each, `${path}.geometries[${index}]`));
    return { kind: 'geometry', type: name, members: requireItems(parts, `${path}.geometries`) };
  }
  return readGeometry(name, members.get('coordinates'), `${path}.coordinates`, path);
}

function readGeometry(type: string, coordinates: JsonTree | undefined, at: string, path: string): GeometryLiteral {
  switch (type) {
    case 'Point':
      return { kind: 'geometry', type, coordinates: readPosition(coordinates, at) };
    case 'LineString':
      return { kind: 'geometry', type, coordinates: readPositions(coordinates, at, 2) };
    case 'Polygon': {
      const rings = readItems(coordinates, at).map((ring, index) => readRing(ring, `${at}[${index}]`));
      return { kind: 'geometry', type, coordinates: requireItems(rings, at) };
    }
    case 'MultiPoint':
    case 'MultiLineString':
    case 'MultiPolygon': {
      const parts = readItems(coordinates, at).map((part, index) =>
        readGeometry(partTypes[type], part, `${at}[${index}]`, path),
      );
      return { kind: 'geometry', type, members: requireItems(parts, at) };
    }
    default:
      throw new Cql2Error(
        `${path}.type`,
        `'${excerpt(type)}' is not a geometry type such as Point, LineString or Polygon`,
      );
  }
}

/** Reads west, south, east and north, with or without heights. */
export function readJsonBox(tree: JsonTree, path: string): EnvelopeLiteral {
  const numbers = readItems(tree, path).map((item, index) => readNumber(item, `${path}[${index}]`));
  if (numbers.length !== 4 && numbers.length !== 6)
    throw new Cql2Error(path, 'a bbox must have four numbers (west, south, east, north), or six with heights');
  const half = numbers.length / 2;
  return { kind: 'geometry', type: 'Envelope', coordinates: [numbers.slice(0, half), numbers.slice(half)] };
}

function readRing(tree: JsonTree, path: string): readonly Position[] {
  const positions = readPositions(tree, path, 4);
  const [first, last] = [positions[0], positions.at(-1)];
  if (first?.some((ordinate, index) => ordinate !== last?.[index]))
    throw new Cql2Error(path, 'the first and the last position of a ring must be equal');
  return positions;
}

function readPositions(tree: JsonTree | undefined, path: string, least: number): readonly Position[] {
  const positions = readItems(tree, path).map((item, index) => readPosition(item, `${path}[${index}]`));
  if (positions.length >= least) return positions;
  throw new Cql2Error(path, `at least ${least} positions were expected, but ${formatFoundCount(positions.length)}`);
}

function readPosition(tree: JsonTree | undefined, path: string): Position {
  const ordinates = readItems(tree, path).map((item, index) => readNumber(item, `${path}[${index}]`));
  if (ordinates.length === 2 || ordinates.length === 3) return ordinates;
  throw new Cql2Error(path, `a position must have two or three numbers, but ${formatFoundCount(ordinates.length)}`);
}

function readNumber(tree: JsonTree, path: string): number {
  const number = tree.kind === 'number' ? Number(tree.text) + 0 : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw new Cql2Error(path, 'a number was expected');
}

function readItems(tree: JsonTree | undefined, path: string): readonly JsonTree[] {
  if (tree?.kind === 'array') return tree.items;
  throw new Cql2Error(path, 'a list was expected');
}

function requireItems<T>(items: readonly T[], path: string): readonly T[] {
  if (items.length > 0) return items;
  throw new Cql2Error(path, 'the list is empty');
}
