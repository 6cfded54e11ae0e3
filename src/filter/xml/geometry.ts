/** Reads geometries of simple features in GML 2, 3.1.1 and 3.2. */
import { formatCount } from '../../lib/text/wording.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, child, listChildElements } from '../../lib/xml/elements.ts';
import type { GeometryLiteral, MultiGeometryLiteral, PolygonLiteral, Position } from '../model/geometry-literal.ts';
import { formatUnexpected, type XmlFilterContext } from './filter-context.ts';
import { readPositions } from './positions.ts';

const multiGeometries: Readonly<
  Record<string, { readonly type: MultiGeometryLiteral['type']; readonly members?: readonly string[] }>
> = {
  MultiPoint: { type: 'MultiPoint', members: ['Point'] },
  MultiLineString: { type: 'MultiLineString', members: ['LineString', 'Curve'] },
  MultiCurve: { type: 'MultiLineString', members: ['LineString', 'Curve'] },
  MultiPolygon: { type: 'MultiPolygon', members: ['Polygon', 'Surface'] },
  MultiSurface: { type: 'MultiPolygon', members: ['Polygon', 'Surface'] },
  MultiGeometry: { type: 'GeometryCollection' },
};

const simpleGeometries = ['Point', 'LineString', 'Polygon', 'Box', 'Envelope', 'Curve', 'Surface'];

const geometryNames: ReadonlySet<string> = new Set([...simpleGeometries, ...Object.keys(multiGeometries)]);

export function isGeometryElement({ local }: XmlElement): boolean {
  return geometryNames.has(local);
}

/** Returns undefined after an error was reported. */
export function readGeometry(
  reading: XmlFilterContext,
  element: XmlElement,
  outerDimension?: string,
): GeometryLiteral | undefined {
  const geometry = readGeometryElement(reading, element, attribute(element, 'srsDimension') ?? outerDimension);
  if (geometry !== undefined) reading.locate?.(geometry, element);
  return geometry;
}

function readGeometryElement(
  reading: XmlFilterContext,
  element: XmlElement,
  srsDimension: string | undefined,
): GeometryLiteral | undefined {
  const { local } = element;
  const srsName = attribute(element, 'srsName');
  switch (local) {
    case 'Point': {
      const positions = readPositions(reading, element, srsDimension);
      const [coordinates] = positions ?? [];
      if (positions !== undefined && positions.length > 1)
        reading.report(element, 'Point requires one position, but several were found');
      return coordinates === undefined ? undefined : { kind: 'geometry', type: 'Point', srsName, coordinates };
    }
    case 'LineString':
    case 'Curve': {
      const coordinates = (local === 'Curve' ? readCurve : readLine)(reading, element, srsDimension);
      return coordinates === undefined ? undefined : { kind: 'geometry', type: 'LineString', srsName, coordinates };
    }
    case 'Box':
    case 'Envelope':
      return readEnvelope(reading, element);
    case 'Polygon':
      return readPolygon(reading, element, srsName, srsDimension);
    case 'Surface':
      return readSurface(reading, element, srsName, srsDimension);
    default: {
      const multi = Object.hasOwn(multiGeometries, local) ? multiGeometries[local] : undefined;
      return multi === undefined
        ? reportUnexpected(reading, element, 'a geometry such as Point, LineString or Polygon')
        : readMembers(reading, element, { type: multi.type, allowed: multi.members, srsDimension });
    }
  }
}

export function readEnvelope(reading: XmlFilterContext, element: XmlElement): GeometryLiteral | undefined {
  const lower = child(element, 'lowerCorner');
  const upper = child(element, 'upperCorner');
  const positions =
    lower !== undefined && upper !== undefined
      ? [...(readPositions(reading, lower) ?? []), ...(readPositions(reading, upper) ?? [])]
      : readPositions(reading, element);
  const [first, second, third] = positions ?? [];
  if (first === undefined || second === undefined || third !== undefined) {
    if (positions !== undefined) reading.report(element, `${element.local} requires two corners`);
    return undefined;
  }
  const srsName = attribute(element, 'srsName');
  return { kind: 'geometry', type: 'Envelope', srsName, coordinates: [first, second] };
}

function readLine(
  reading: XmlFilterContext,
  element: XmlElement,
  srsDimension: string | undefined,
): readonly Position[] | undefined {
  const positions = readPositions(reading, element, srsDimension);
  if (positions === undefined || positions.length >= 2) return positions;
  reading.report(
    element,
    `${element.local} has ${formatCount(positions.length, 'position')}, but at least 2 were expected`,
  );
  return undefined;
}

function readCurve(
  reading: XmlFilterContext,
  element: XmlElement,
  srsDimension: string | undefined,
): readonly Position[] | undefined {
  const segments = listChildElements(child(element, 'segments') ?? element);
  const odd = segments.find(({ local }) => local !== 'LineStringSegment');
  if (odd !== undefined || segments.length === 0) return reportUnexpected(reading, odd ?? element, 'LineStringSegment');
  // Each segment starts at the end of the previous one.
  return segments.flatMap((segment, index) =>
    (readLine(reading, segment, srsDimension) ?? []).slice(index === 0 ? 0 : 1),
  );
}

function readPolygon(
  reading: XmlFilterContext,
  element: XmlElement,
  srsName: string | undefined,
  srsDimension: string | undefined,
): PolygonLiteral | undefined {
  const outer: (readonly Position[] | undefined)[] = [];
  const inner: (readonly Position[] | undefined)[] = [];
  for (const boundary of listChildElements(element)) {
    if (boundary.local === 'outerBoundaryIs' || boundary.local === 'exterior')
      outer.push(readRing(reading, boundary, srsDimension));
    else if (boundary.local === 'innerBoundaryIs' || boundary.local === 'interior')
      inner.push(readRing(reading, boundary, srsDimension));
    else reportUnexpected(reading, boundary, 'exterior, interior, outerBoundaryIs or innerBoundaryIs');
  }
  if (outer.length !== 1) {
    reading.report(element, `${element.local} has ${outer.length} outer boundaries, but one was expected`);
    return undefined;
  }
  const rings = [...outer, ...inner];
  return rings.every((ring) => ring !== undefined)
    ? { kind: 'geometry', type: 'Polygon', srsName, coordinates: rings }
    : undefined;
}

function readRing(
  reading: XmlFilterContext,
  boundary: XmlElement,
  srsDimension: string | undefined,
): readonly Position[] | undefined {
  const ring = child(boundary, 'LinearRing');
  if (ring === undefined) {
    reading.report(boundary, `'LinearRing' is missing in ${boundary.local}`);
    return undefined;
  }
  const positions = readPositions(reading, ring, srsDimension);
  if (positions === undefined) return undefined;
  const first = positions[0];
  const last = positions.at(-1);
  if (positions.length < 4 || first?.some((ordinate, index) => ordinate !== last?.[index])) {
    reading.report(ring, 'LinearRing requires at least four positions, the last equal to the first');
    return undefined;
  }
  return positions;
}

function readSurface(
  reading: XmlFilterContext,
  element: XmlElement,
  srsName: string | undefined,
  srsDimension: string | undefined,
): PolygonLiteral | undefined {
  const [patch, second] = listChildElements(child(element, 'patches') ?? element);
  if (patch?.local !== 'PolygonPatch' || second !== undefined)
    return reportUnexpected(reading, second ?? patch ?? element, 'one PolygonPatch');
  return readPolygon(reading, patch, srsName, srsDimension);
}

function readMembers(
  reading: XmlFilterContext,
  element: XmlElement,
  {
    type,
    allowed,
    srsDimension,
  }: {
    readonly type: MultiGeometryLiteral['type'];
    readonly allowed: readonly string[] | undefined;
    readonly srsDimension: string | undefined;
  },
): MultiGeometryLiteral | undefined {
  const members: GeometryLiteral[] = [];
  let isComplete = true;
  for (const holder of listChildElements(element)) {
    for (const inner of listChildElements(holder)) {
      const isAllowed = allowed === undefined || allowed.includes(inner.local);
      if (!isAllowed) reportUnexpected(reading, inner, allowed.join(' or '));
      const member = isAllowed ? readGeometry(reading, inner, srsDimension) : undefined;
      if (member === undefined) isComplete = false;
      else members.push(member);
    }
  }
  if (!isComplete) return undefined;
  if (members.length > 0) return { kind: 'geometry', type, srsName: attribute(element, 'srsName'), members };
  reading.report(element, `${element.local} has no members`);
  return undefined;
}

/** The content of geometries is not covered by the structure check. */
function reportUnexpected(reading: XmlFilterContext, element: XmlElement, expected: string): undefined {
  reading.report(element, formatUnexpected(element, expected));
}
