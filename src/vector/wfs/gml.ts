/** Decodes GML geometries of versions 2 to 3.2, x before y. */

import { findAttribute, readText } from '../../cascade/xml-elements.ts';
import { readCrsName } from '../../crs/axis-order.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import type { XmlElement } from '../../lib/xml/element.ts';

/** Whether a CRS has its north axis first; resolved before coordinates are read. */
export type IsNorthFirst = (srsName: string) => boolean;

const geometryNames = [
  ...['Point', 'LineString', 'Curve', 'LinearRing', 'Polygon', 'Surface'],
  ...['MultiPoint', 'MultiLineString', 'MultiCurve', 'MultiPolygon', 'MultiSurface', 'MultiGeometry'],
] as const;

export function isGmlGeometry({ local }: XmlElement): boolean {
  return geometryNames.some((name) => name === local);
}

export async function createNorthFirstTest(srsNames: Iterable<string>): Promise<IsNorthFirst> {
  const found = new Set<string>();
  for (const name of srsNames) if ((await readCrsName(name))?.isNorthFirst) found.add(name);
  return (name) => found.has(name);
}

/** Attributes inherited from enclosing elements. */
interface GmlContext {
  readonly isNorthFirst: boolean;
  readonly size: number | undefined;
}

/** Returns undefined for unsupported curves and invalid geometries. */
export function decodeGml(element: XmlElement, northFirst: IsNorthFirst): Geometry | undefined {
  return decode(element, { isNorthFirst: false, size: undefined }, northFirst);
}

function decode(element: XmlElement, outer: GmlContext, northFirst: IsNorthFirst): Geometry | undefined {
  const srsName = findAttribute(element, 'srsName');
  const size = Number(findAttribute(element, 'srsDimension') ?? Number.NaN);
  const around: GmlContext = {
    isNorthFirst: srsName === undefined ? outer.isNorthFirst : northFirst(srsName),
    size: Number.isInteger(size) ? size : outer.size,
  };
  switch (element.local) {
    case 'Point': {
      const positions = readPositions(element, around);
      return positions === undefined ? undefined : createGeometry('Point', positions, [], []);
    }
    case 'LineString':
    case 'Curve':
    case 'LinearRing': {
      const line = readLine(element, around);
      return line === undefined ? undefined : createGeometry('LineString', line, [line.count], []);
    }
    case 'Polygon':
    case 'Surface': {
      const polygons = readPolygons(element, around);
      if (polygons === undefined) return undefined;
      return polygons.length === 1 ? createPolygon(polygons, 'Polygon') : createPolygon(polygons, 'MultiPolygon');
    }
    case 'MultiPoint':
      return decodeMulti(element, around, northFirst, 'MultiPoint');
    case 'MultiLineString':
    case 'MultiCurve':
      return decodeMulti(element, around, northFirst, 'MultiLineString');
    case 'MultiPolygon':
    case 'MultiSurface':
      return decodeMulti(element, around, northFirst, 'MultiPolygon');
    case 'MultiGeometry': {
      const members = listMembers(element).map((member) => decode(member, around, northFirst));
      if (!members.every((member) => member !== undefined)) return undefined;
      const dimension: Dimension = members[0]?.dimension ?? 'XY';
      return { type: 'GeometryCollection', dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
    }
    default:
      return undefined;
  }
}

interface Positions {
  readonly size: 2 | 3;
  readonly count: number;
  readonly ordinates: readonly number[];
}

function createGeometry(
  type: Geometry['type'],
  { size, ordinates }: Positions,
  ends: readonly number[],
  parts: readonly number[],
): Geometry {
  return { type, dimension: size === 3 ? 'XYZ' : 'XY', ordinates: Float64Array.from(ordinates), ends, parts };
}

function decodeMulti(
  element: XmlElement,
  around: GmlContext,
  northFirst: IsNorthFirst,
  type: 'MultiPoint' | 'MultiLineString' | 'MultiPolygon',
): Geometry | undefined {
  const members = listMembers(element).map((member) => decode(member, around, northFirst));
  if (!members.every((member) => member !== undefined)) return undefined;
  const ordinates: number[] = [];
  const ends: number[] = [];
  const parts: number[] = [];
  const dimension: Dimension = members[0]?.dimension ?? 'XY';
  const size = dimension === 'XYZ' ? 3 : 2;
  for (const member of members) {
    if (member.dimension !== dimension) return undefined;
    const before = ordinates.length / size;
    const rings = ends.length;
    for (const ordinate of member.ordinates) ordinates.push(ordinate);
    for (const end of member.ends) ends.push(end + before);
    if (type === 'MultiPolygon') {
      const ownParts = member.type === 'MultiPolygon' ? member.parts.map((part) => part + rings) : [ends.length];
      for (const part of ownParts) parts.push(part);
    }
  }
  return { type, dimension, ordinates: Float64Array.from(ordinates), ends, parts };
}

/** `pointMember` and similar elements contain one geometry each, `pointMembers` all of them. */
function listMembers(element: XmlElement): readonly XmlElement[] {
  return listElements(element)
    .filter(({ local }) => /Members?$/.test(local))
    .flatMap(listElements);
}

function listElements(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child) => child.kind === 'element');
}

/** Reads the rings of each polygon. */
function readPolygons(element: XmlElement, around: GmlContext): readonly (readonly Positions[])[] | undefined {
  if (element.local === 'Surface') {
    const patches = listElements(element).flatMap(listElements);
    const polygons = patches.map((patch) => readRings(patch, around));
    return polygons.every((rings) => rings !== undefined) ? polygons : undefined;
  }
  const rings = readRings(element, around);
  return rings === undefined ? undefined : [rings];
}

function readRings(element: XmlElement, around: GmlContext): readonly Positions[] | undefined {
  const borders = listElements(element).filter(({ local }) =>
    /^(?:exterior|interior|(?:outer|inner)BoundaryIs)$/.test(local),
  );
  const rings = borders.map((border) => {
    const [ring] = listElements(border);
    return ring === undefined ? undefined : readLine(ring, around);
  });
  return rings.length > 0 && rings.every((ring) => ring !== undefined) ? rings : undefined;
}

function createPolygon(
  polygons: readonly (readonly Positions[])[],
  type: 'Polygon' | 'MultiPolygon',
): Geometry | undefined {
  const rings = polygons.flat();
  const size = rings[0]?.size ?? 2;
  if (rings.some((ring) => ring.size !== size)) return undefined;
  let positions = 0;
  const ends = rings.map((ring) => (positions += ring.count));
  let count = 0;
  const parts = type === 'Polygon' ? [] : polygons.map((each) => (count += each.length));
  return createGeometry(
    type,
    { size, count: positions, ordinates: rings.flatMap((ring) => ring.ordinates) },
    ends,
    parts,
  );
}

/** Reads a line or joins its segments; a ring can consist of curves. */
function readLine(element: XmlElement, around: GmlContext): Positions | undefined {
  const inner = listElements(element);
  const pieces =
    element.local === 'Curve'
      ? inner.filter(({ local }) => local === 'segments').flatMap(listElements)
      : element.local === 'Ring'
        ? inner.filter(({ local }) => local === 'curveMember').flatMap(listElements)
        : undefined;
  if (pieces === undefined) return readPositions(element, around);
  if (pieces.some(({ local }) => !['LineStringSegment', 'LineString', 'Curve'].includes(local))) return undefined;
  const lines = pieces.map((piece) => readLine(piece, around));
  const [first, ...others] = lines;
  if (first === undefined || !lines.every((line) => line?.size === first.size)) return undefined;
  // Each segment starts at the end of the previous one.
  const ordinates = [...first.ordinates];
  for (const line of others) for (const ordinate of line?.ordinates.slice(first.size) ?? []) ordinates.push(ordinate);
  return { size: first.size, count: ordinates.length / first.size, ordinates };
}

function readPositions(element: XmlElement, around: GmlContext): Positions | undefined {
  const inner = listElements(element);
  const own = Number(findAttribute(inner[0] ?? element, 'srsDimension') ?? Number.NaN);
  const size = Number.isInteger(own) ? own : around.size;
  const coordinates = inner.find(({ local }) => local === 'coordinates');
  if (coordinates !== undefined) return fromTuples(coordinates, around);
  const list = inner.find(({ local }) => local === 'posList');
  const single = inner.filter(({ local }) => local === 'pos');
  const texts = list === undefined ? single : [list];
  if (texts.length === 0) return undefined;
  const numbers = texts.flatMap((each) => parseNumbers(readText(each) ?? ''));
  const guessed = list === undefined ? numbers.length / texts.length : 2;
  return createPositions(numbers, size ?? guessed, around);
}

/** Parses `1,2 3,4`; the separators and the decimal point are configurable. */
function fromTuples(element: XmlElement, around: GmlContext): Positions | undefined {
  const between = findAttribute(element, 'cs') ?? ',';
  const tuple = findAttribute(element, 'ts')?.trim() || /\s+/;
  const decimal = findAttribute(element, 'decimal') ?? '.';
  const tuples = (readText(element) ?? '').split(tuple).filter((each) => each !== '');
  const rows = tuples.map((each) => each.split(between).map((part) => Number(part.replace(decimal, '.'))));
  const size = rows[0]?.length ?? 0;
  return rows.every((row) => row.length === size) ? createPositions(rows.flat(), size, around) : undefined;
}

function parseNumbers(text: string): readonly number[] {
  return text === '' ? [] : text.split(/\s+/).map(Number);
}

function createPositions(
  numbers: readonly number[],
  size: number,
  { isNorthFirst }: GmlContext,
): Positions | undefined {
  if ((size !== 2 && size !== 3) || numbers.length === 0 || numbers.length % size !== 0) return undefined;
  if (!numbers.every(Number.isFinite)) return undefined;
  const ordinates = isNorthFirst
    ? numbers.map((each, at) =>
        at % size === 0 ? (numbers[at + 1] ?? each) : at % size === 1 ? (numbers[at - 1] ?? each) : each,
      )
    : numbers;
  return { size, count: numbers.length / size, ordinates };
}
