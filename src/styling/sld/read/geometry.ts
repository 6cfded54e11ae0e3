/** Reads GML 2 and GML 3 geometries of simple features. */

import type {
  GeometryLiteral,
  MultiGeometryLiteral,
  PolygonLiteral,
  Position,
} from '../../../data/filter/geometry-literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import { attribute, child, childElements } from './elements.ts';
import { readPositions } from './positions.ts';
import type { Reading } from './reading.ts';

export function readGeometry(reading: Reading, element: XmlElement): GeometryLiteral | undefined {
  const srsName = attribute(element, 'srsName');
  switch (element.local) {
    case 'Point': {
      const positions = readPositions(reading, element);
      const [coordinates] = positions ?? [];
      if (positions !== undefined && positions.length > 1)
        reading.complaints.add(element, 'a Point has one position, but several were found');
      return coordinates === undefined ? undefined : { kind: 'geometry', type: 'Point', srsName, coordinates };
    }
    case 'LineString': {
      const coordinates = readLine(reading, element);
      return coordinates === undefined ? undefined : { kind: 'geometry', type: 'LineString', srsName, coordinates };
    }
    case 'Curve': {
      const coordinates = readCurve(reading, element);
      return coordinates === undefined ? undefined : { kind: 'geometry', type: 'LineString', srsName, coordinates };
    }
    case 'Box':
    case 'Envelope':
      return readEnvelope(reading, element, srsName);
    case 'Polygon':
      return readPolygon(reading, element, srsName);
    case 'Surface':
      return readSurface(reading, element, srsName);
    case 'MultiPoint':
      return readMembers(reading, element, 'MultiPoint', ['Point']);
    case 'MultiLineString':
    case 'MultiCurve':
      return readMembers(reading, element, 'MultiLineString', ['LineString', 'Curve']);
    case 'MultiPolygon':
    case 'MultiSurface':
      return readMembers(reading, element, 'MultiPolygon', ['Polygon', 'Surface']);
    case 'MultiGeometry':
      return readMembers(reading, element, 'GeometryCollection', undefined);
    default:
      complainOf(reading, element, 'a geometry such as Point, LineString or Polygon');
      return undefined;
  }
}

export function readEnvelope(
  reading: Reading,
  element: XmlElement,
  srsName: string | undefined,
): GeometryLiteral | undefined {
  const lower = child(element, 'lowerCorner');
  const upper = child(element, 'upperCorner');
  const positions =
    lower !== undefined && upper !== undefined
      ? [...(readPositions(reading, lower) ?? []), ...(readPositions(reading, upper) ?? [])]
      : readPositions(reading, element);
  const [first, second, third] = positions ?? [];
  if (first === undefined || second === undefined || third !== undefined) {
    if (positions !== undefined) reading.complaints.add(element, `${element.local} must have two corners`);
    return undefined;
  }
  return { kind: 'geometry', type: 'Envelope', srsName, coordinates: [first, second] };
}

function readLine(reading: Reading, element: XmlElement): readonly Position[] | undefined {
  const positions = readPositions(reading, element);
  if (positions === undefined || positions.length >= 2) return positions;
  reading.complaints.add(element, `${element.local} has ${positions.length} positions, but at least 2 were expected`);
  return undefined;
}

function readCurve(reading: Reading, element: XmlElement): readonly Position[] | undefined {
  const segments = childElements(child(element, 'segments') ?? element);
  const odd = segments.find(({ local }) => local !== 'LineStringSegment');
  if (odd !== undefined || segments.length === 0) {
    complainOf(reading, odd ?? element, 'LineStringSegment');
    return undefined;
  }
  // Each segment begins where the one before ended.
  return segments.flatMap((segment, index) => (readLine(reading, segment) ?? []).slice(index === 0 ? 0 : 1));
}

function readPolygon(reading: Reading, element: XmlElement, srsName: string | undefined): PolygonLiteral | undefined {
  const outer: (readonly Position[] | undefined)[] = [];
  const inner: (readonly Position[] | undefined)[] = [];
  for (const boundary of childElements(element)) {
    if (boundary.local === 'outerBoundaryIs' || boundary.local === 'exterior') outer.push(readRing(reading, boundary));
    else if (boundary.local === 'innerBoundaryIs' || boundary.local === 'interior')
      inner.push(readRing(reading, boundary));
    else complainOf(reading, boundary, 'exterior, interior, outerBoundaryIs or innerBoundaryIs');
  }
  if (outer.length !== 1)
    reading.complaints.add(element, `${element.local} has ${outer.length} outer boundaries, but one was expected`);
  const rings = [...outer, ...inner];
  return rings.every((ring) => ring !== undefined)
    ? { kind: 'geometry', type: 'Polygon', srsName, coordinates: rings }
    : undefined;
}

function readRing(reading: Reading, boundary: XmlElement): readonly Position[] | undefined {
  const ring = child(boundary, 'LinearRing');
  if (ring === undefined) {
    reading.complaints.add(boundary, `'LinearRing' is missing in ${boundary.local}`);
    return undefined;
  }
  const positions = readPositions(reading, ring);
  if (positions === undefined) return undefined;
  const first = positions[0];
  const last = positions.at(-1);
  if (positions.length < 4 || first?.some((ordinate, index) => ordinate !== last?.[index])) {
    reading.complaints.add(ring, 'a LinearRing must have at least four positions, the last the same as the first');
    return undefined;
  }
  return positions;
}

function readSurface(reading: Reading, element: XmlElement, srsName: string | undefined): PolygonLiteral | undefined {
  const [patch, second] = childElements(child(element, 'patches') ?? element);
  if (patch?.local !== 'PolygonPatch' || second !== undefined) {
    complainOf(reading, second ?? patch ?? element, 'one PolygonPatch');
    return undefined;
  }
  return readPolygon(reading, patch, srsName);
}

function readMembers(
  reading: Reading,
  element: XmlElement,
  type: MultiGeometryLiteral['type'],
  allowed: readonly string[] | undefined,
): MultiGeometryLiteral | undefined {
  const members: GeometryLiteral[] = [];
  let isComplete = true;
  for (const holder of childElements(element)) {
    for (const inner of childElements(holder)) {
      const isAllowed = allowed === undefined || allowed.includes(inner.local);
      if (!isAllowed) complainOf(reading, inner, allowed.join(' or '));
      const member = isAllowed ? readGeometry(reading, inner) : undefined;
      if (member === undefined) isComplete = false;
      else members.push(member);
    }
  }
  if (!isComplete) return undefined;
  if (members.length > 0) return { kind: 'geometry', type, srsName: attribute(element, 'srsName'), members };
  reading.complaints.add(element, `${element.local} has no members`);
  return undefined;
}

function complainOf(reading: Reading, element: XmlElement, expected: string): void {
  reading.complaints.add(element, `${quoted(element.name)} is not expected here. Expected: ${expected}`);
}
